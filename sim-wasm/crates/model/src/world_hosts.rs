//! What happens to a host besides turns: levelling, idle pull, periodic work of its policy, processor sharing.
use crate::activity::Activity;
use crate::host::policy::{Ended, RunQueue, Why};
use crate::ids::{Pid, ThreadId};
use crate::program::Segment;
use crate::world::{Host, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

/// Loads that differ by less are left alone, percent (Linux from 5.10, `sd->imbalance_pct`).
const IMBALANCE_PCT: usize = 117;

impl Host {
    /// Processes running or waiting at a thread.
    pub(crate) fn load(&self, thread: usize) -> usize {
        self.policy.waiting(thread) + usize::from(!self.idle.has(thread))
    }

    /// Queues that differ by one cannot be levelled, but after a failed attempt the kernel moves a process all the same if the
    /// loads differ by more than 17 % (`imbalance_pct`, `nr_balance_failed`): the odd one goes round. Answers its receiver.
    fn rotate(&mut self, now: Ns) -> Option<usize> {
        self.failed_levels += 1;
        if self.failed_levels % 2 == 1 {
            return None;
        }
        let threads = self.threads as usize;
        let turn = self.failed_levels as usize / 2;
        let order = || (0..threads).map(move |t| (t + turn) % threads);
        let from = order().max_by_key(|&t| self.load(t))?;
        let to = order().min_by_key(|&t| self.load(t))?;
        let (most, least) = (self.load(from), self.load(to));
        let differs = least > 0 && 100 * most > IMBALANCE_PCT * least;
        (differs && self.policy.pull(to, from..from + 1, now, &self.masks)).then_some(to)
    }

    /// Notes that a thread, counted within the host, became idle or busy.
    pub(crate) fn set_idle(&mut self, local: usize, is_idle: bool, now: Ns) {
        self.idle.set(local, is_idle);
        if let Some(watched) = self.watched.iter_mut().find(|w| w.0 == local) {
            watched.1.set(!is_idle, now);
        }
    }
}

impl World {
    /// Levels the run queues of a host.
    pub(crate) fn level(&mut self, node: usize) {
        self.calendar.schedule(self.now.plus(self.level_period(node)), Phase::Dispatch, Timer::Level(node as u16));
        if self.hosts[node].ready == 0 {
            return;
        }
        let host = &mut self.hosts[node];
        let mut receivers = host.policy.level(self.now, &host.masks);
        if receivers.is_empty() && self.config.nodes[node].scheduler.is_linux() {
            receivers.extend(host.rotate(self.now));
        }
        for local in receivers {
            let at = ThreadId(self.hosts[node].base + local as u16);
            if self.threads[at.i()].running == Pid::NONE {
                self.turn(at, None);
            } else {
                self.charge(at);
                self.threads[at.i()].slice_until = self.hosts[node].policy.until(local, self.now);
                self.arm(at);
            }
        }
    }

    /// A thread that has nothing to run takes a process from the longest queue of its socket, else of the host. Linux leaves
    /// it if the thread is usually idle for less than a migration costs (new-idle balance).
    pub(crate) fn idle_pull(&mut self, at: ThreadId) -> bool {
        let thread = &self.threads[at.i()];
        let (node, local) = (thread.node as usize, (at.0 - self.hosts[thread.node as usize].base) as usize);
        let settings = &self.config.nodes[node];
        if settings.scheduler.is_fair() && thread.usual_idle < settings.cfs.migration_cost.0 {
            return false;
        }
        self.pull_to(node, local, true)
    }

    fn pull_to(&mut self, node: usize, local: usize, is_far: bool) -> bool {
        let host = &mut self.hosts[node];
        let (near, all) = (host.idle.near(local), 0..host.threads as usize);
        host.policy.pull(local, near.clone(), self.now, &host.masks)
            || is_far && near != all && host.policy.pull(local, all, self.now, &host.masks)
    }

    /// Idle threads look for work that was too recently run to move when they went idle; beyond their socket as often as
    /// the kernel balances its outermost domain, once a millisecond for each of its CPUs.
    pub(crate) fn pull(&mut self, node: usize) {
        self.hosts[node].pull_armed = false;
        let is_far = self.now >= self.hosts[node].far_due;
        if is_far {
            let host = &mut self.hosts[node];
            host.far_due = self.now.plus(Ns(1_000_000 * u64::from(host.threads)));
        }
        for local in 0..self.hosts[node].threads {
            if self.hosts[node].ready == 0 {
                return;
            }
            if self.hosts[node].idle.has(local as usize) && self.pull_to(node, local as usize, is_far) {
                self.turn(ThreadId(self.hosts[node].base + local), None);
            }
        }
        self.arm_pull(node);
    }

    /// Some thread is idle while processes wait: looks again after a while.
    pub(crate) fn arm_pull(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let waits = |h: &crate::world::Host| (0..h.threads as usize).any(|t| h.policy.waiting(t) > 0);
        if host.pull_armed || host.ready == 0 || host.idle.count() == 0 || !waits(host) {
            return;
        }
        host.pull_armed = true;
        let soon = self.now.plus(self.config.nodes[node].cfs.migration_cost.max(Ns(1)));
        self.calendar.schedule(soon, Phase::Dispatch, Timer::Pull(node as u16));
    }

    /// What the policy recalculates at intervals.
    pub(crate) fn periodic(&mut self, node: usize) {
        for local in self.hosts[node].policy.periodic(self.now) {
            self.look_again(node, local);
        }
        self.schedule_periodic(node);
    }

    pub(crate) fn schedule_periodic(&mut self, node: usize) {
        let at = self.hosts[node].policy.next_periodic(self.now);
        if at != Ns::MAX {
            self.calendar.schedule(at, Phase::Dispatch, Timer::Periodic(node as u16));
        }
    }

    /// A thread asks its queue anew whom to run.
    pub(crate) fn look_again(&mut self, node: usize, local: usize) {
        let at = ThreadId(self.hosts[node].base + local as u16);
        match self.threads[at.i()].running {
            Pid::NONE => self.turn(at, None),
            pid => {
                self.charge(at);
                self.turn(at, Some(Ended { pid, why: Why::Preempted }));
            }
        }
    }

    fn fluid_advance(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let Some(fluid) = &mut host.fluid else { return };
        let (before, since) = (fluid.busy, fluid.since());
        fluid.advance(self.now);
        let (busy, threads) = (fluid.busy - before, u64::from(host.threads));
        for local in 0..threads {
            let share = busy / threads + u64::from(local < busy % threads);
            let sums = &mut self.accounts.threads[host.base as usize + local as usize];
            sums.0 += share;
            sums.1 += (self.now - since).0 - share;
        }
    }

    fn fluid_arm(&mut self, node: usize) {
        let host = &self.hosts[node];
        let next = host.fluid.as_ref().map_or(Ns::MAX, |f| f.next_done(self.now));
        self.calendar.set(host.base, next);
    }

    pub(crate) fn fluid_add(&mut self, pid: Pid) {
        let node = self.processes[pid.i()].node as usize;
        self.enter(pid, Activity::RUNNING);
        self.fluid_advance(node);
        let work = self.processes[pid.i()].work;
        if let Some(fluid) = &mut self.hosts[node].fluid {
            fluid.add(pid, work);
        }
        self.fluid_arm(node);
    }

    pub(crate) fn fluid_done(&mut self, node: usize) {
        self.fluid_advance(node);
        while let Some(pid) = self.hosts[node].fluid.as_mut().and_then(|f| f.done()) {
            let process = &self.processes[pid.i()];
            self.accounts.groups[process.group as usize].work += u128::from(process.work);
            self.processes[pid.i()].work = 0;
            self.transaction_done(pid);
            match self.next_segment(pid, false) {
                Segment::Cpu(work) => self.fluid_go_on(node, pid, work, self.now),
                Segment::Serve(work, since) => self.fluid_go_on(node, pid, work, since),
                Segment::Sleep(activity, span) => {
                    self.enter(pid, activity);
                    self.calendar.schedule(self.now.plus(span), Phase::Arrive, Timer::Wake(pid));
                }
                Segment::Wait(activity) => self.enter(pid, activity),
                Segment::Exit => {
                    self.enter(pid, Activity::OFF);
                    self.gone(pid);
                }
            }
        }
        self.fluid_arm(node);
    }

    fn fluid_go_on(&mut self, node: usize, pid: Pid, work: u64, since: Ns) {
        self.begin(pid, work, since);
        if let Some(fluid) = &mut self.hosts[node].fluid {
            fluid.add(pid, work);
        }
    }

    /// Brings every sum up to the present, so that it can be read or copied.
    pub fn cut(&mut self) {
        for thread in 0..self.threads.len() {
            self.charge(ThreadId(thread as u16));
            let host = &self.hosts[self.threads[thread].node as usize];
            if host.fluid.is_none() && host.idle.has(thread - host.base as usize) {
                self.accounts.threads[thread].1 += (self.now - self.threads[thread].idle_since).0;
                self.threads[thread].idle_since = self.now;
            }
        }
        (0..self.hosts.len()).for_each(|node| self.fluid_advance(node));
        for group in &mut self.accounts.groups {
            (group.open_work, group.open_time) = (0, 0);
        }
        for process in &mut self.processes {
            let group = &mut self.accounts.groups[process.group as usize];
            group.time[process.activity.i()] += (self.now - process.since).0;
            process.since = self.now;
            if process.activity != Activity::OFF {
                group.open_time += i128::from((self.now - process.started).0);
                let is_fluid = self.hosts[process.node as usize].fluid.is_some();
                group.open_work += if is_fluid { 0 } else { i128::from(process.asked - process.work) };
            }
        }
        (0..self.instances.len()).for_each(|instance| self.account_cage(instance));
    }
}
