//! What happens to a host besides turns: levelling, idle pull, periodic work of its policy, processor sharing.
#[cfg(test)]
mod pull_tests;

use crate::host::fluid::Fluid;
use crate::host::placement::Rule;
use crate::host::policy::{Ended, RunQueue, Why};
use crate::host::solaris::STAYS;
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::measure::ledger::GONE;
use crate::world::{Host, Place, Then, Timer, World};
use wwi_kernel::bits::Bits;
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl Host {
    /// Processes running or waiting at a thread.
    pub(crate) fn load(&self, thread: usize) -> usize {
        self.policy.waiting(thread) + usize::from(!self.idle.has(thread))
    }

    /// Processes are placed and taken as by Solaris.
    #[inline(always)]
    pub(crate) fn is_solaris(&self) -> bool {
        self.idle.rule() == Rule::CoreFirst
    }

    /// Its policy may want turns of other threads now.
    #[inline(always)]
    pub(crate) fn pushes(&self) -> bool {
        (self.has_real_time || self.ledger.is_limited || self.is_solaris()) && self.policy.may_push()
    }

    /// A process waits for a thread.
    #[inline(always)]
    pub(crate) fn count_ready(&mut self, pid: Pid) {
        self.ready += 1;
        if !self.masks.is_free() {
            self.ready_by_mask[self.masks.number(pid)] += 1;
        }
    }

    /// A process that waited runs.
    #[inline(always)]
    pub(crate) fn count_dispatched(&mut self, pid: Pid) {
        self.ready -= 1;
        if !self.masks.is_free() {
            self.ready_by_mask[self.masks.number(pid)] -= 1;
        }
    }

    /// Somebody waits who may run on a thread for which `open` holds of his allowed ones.
    fn is_open_to_ready(&self, open: impl Fn(&Bits) -> bool) -> bool {
        let mut masks = self.masks.all().zip(&self.ready_by_mask);
        self.masks.is_free() || masks.any(|(mask, &ready)| ready > 0 && open(&mask.allowed))
    }

    /// Somebody waits in a queue. Who is set aside for want of quota is not in one.
    fn has_queued(&mut self) -> bool {
        let threads = self.threads as usize;
        let found = (0..threads).map(|t| (self.waits_at + t) % threads).find(|&t| self.policy.waiting(t) > 0);
        self.waits_at = found.unwrap_or(self.waits_at);
        found.is_some()
    }

    /// Notes that a thread, counted within the host, became idle or busy.
    #[inline]
    pub(crate) fn set_idle(&mut self, local: usize, is_idle: bool, now: Ns) {
        self.idle.set(local, is_idle);
        if let Some(watched) = self.watched.iter_mut().find(|w| w.0 == local) {
            watched.1.set(!is_idle, now);
        }
    }
}

impl World {
    /// Levels the run queues of a host.
    #[inline(never)]
    pub(crate) fn level(&mut self, node: usize) {
        self.calendar.schedule(self.now.plus(self.level_period(node)), Phase::Dispatch, Timer::Level(node as u16));
        self.tell(node);
        if self.hosts[node].ready == 0 {
            return;
        }
        let host = &mut self.hosts[node];
        for local in host.policy.level(self.now, &host.masks) {
            let at = ThreadId(self.hosts[node].base + local as u16);
            let thread = &self.threads[at.i()];
            if thread.wakes_for != Pid::NONE {
                continue;
            }
            if thread.running == Pid::NONE {
                self.turn(at, None);
            } else {
                self.charge_here(at);
                let until = self.hosts[node].policy.until(local, self.now);
                self.reslice(at, until);
                self.arm_here(at);
            }
        }
    }

    /// A thread that has nothing to run takes a process from the longest queue of its socket, else of the host. On
    /// Linux it balances.
    #[inline(never)]
    pub(crate) fn idle_pull(&mut self, at: ThreadId) -> bool {
        let thread = &self.threads[at.i()];
        let (node, local) = (thread.node as usize, (at.0 - self.hosts[thread.node as usize].base) as usize);
        let host = &self.hosts[node];
        // A die is thrown whoever waits.
        if !host.has_dice && !host.is_open_to_ready(|allowed| allowed.has(local)) {
            return false;
        }
        if host.balance.is_some() {
            return self.newly_idle(at);
        }
        if self.hosts[node].old_balance.is_some() {
            return self.newly_idle_o1(at);
        }
        self.pull_to(node, local, true)
    }

    fn pull_to(&mut self, node: usize, local: usize, is_far: bool) -> bool {
        let host = &mut self.hosts[node];
        let (near, all) = (host.idle.near(local), 0..host.threads as usize);
        host.policy.pull(local, near.clone(), self.now, &host.masks)
            || is_far && near != all && host.policy.pull(local, all, self.now, &host.masks)
    }

    /// Idle threads look for work that was too recently run to move when they went idle; beyond their socket as often
    /// as Linux balances its outermost domain, once a millisecond for each of its CPUs.
    #[inline(never)]
    pub(crate) fn pull(&mut self, node: usize) {
        self.hosts[node].pull_armed = false;
        let is_far = self.now >= self.hosts[node].far_due || self.hosts[node].is_solaris();
        if is_far {
            let host = &mut self.hosts[node];
            host.far_due = self.now.plus(Ns(1_000_000 * u64::from(host.threads)));
        }
        let host = &self.hosts[node];
        if !host.is_open_to_ready(|allowed| host.idle.meets(allowed)) {
            return self.arm_pull(node);
        }
        // Where one thread found nothing to take, no other of its cache on which the same processes may run finds
        // anything before the queues change. A word for each cache, a bit for each of the first 64 kinds.
        let caches = self.config.nodes[node].caches();
        let mut vain = vec![0u64; caches];
        for local in 0..self.hosts[node].threads as usize {
            let host = &self.hosts[node];
            if host.ready == 0 {
                return;
            }
            if !host.idle.has(local) {
                continue;
            }
            let (cache, kind) = (local * caches / host.threads as usize, host.masks.kind(local));
            let bit = if kind < 64 { 1 << kind } else { 0 };
            if vain[cache] & bit != 0 {
                continue;
            }
            if self.pull_to(node, local, is_far) {
                vain.fill(0);
                self.turn(ThreadId(self.hosts[node].base + local as u16), None);
            } else {
                vain[cache] |= bit;
            }
        }
        self.arm_pull(node);
    }

    /// Some thread is idle while processes wait: looks again after a while.
    pub(crate) fn arm_pull(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let is_balanced = host.balance.is_some() || host.old_balance.is_some();
        // Solaris leaves nobody but who ran beside another cache.
        let is_ripe = host.is_solaris() && !host.has_caches;
        let is_needless = is_balanced || host.pull_armed || is_ripe || host.ready == 0 || host.idle.count() == 0;
        if is_needless || !host.has_queued() {
            return;
        }
        host.pull_armed = true;
        let after = if host.is_solaris() { STAYS } else { self.config.nodes[node].cfs.migration_cost };
        // An idle thread of Solaris looks all the time: here at the first moment at which it finds somebody.
        let soon = host.policy.ripens(self.now).unwrap_or(self.now.plus(after.max(Ns(1))));
        self.calendar.schedule(soon, Phase::Dispatch, Timer::Pull(node as u16));
    }

    /// What the policy recalculates at intervals.
    #[inline(never)]
    pub(crate) fn periodic(&mut self, node: usize) {
        self.tell(node);
        for local in self.hosts[node].policy.periodic(self.now) {
            self.look_again(node, local);
        }
        let [all, throttled] = self.hosts[node].policy.take_periods();
        let sums = &mut self.accounts.hosts[node];
        (sums.periods, sums.throttled) = (sums.periods + all, sums.throttled + throttled);
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
            Pid::NONE if self.threads[at.i()].wakes_for != Pid::NONE => {}
            Pid::NONE => self.turn(at, None),
            pid => {
                self.charge_here(at);
                self.turn(at, Some(Ended { pid, why: Why::Preempted }));
            }
        }
    }

    pub(crate) fn fluid_advance(&mut self, node: usize) {
        self.tell(node);
        let since = self.hosts[node].fluid.as_ref().map_or(self.now, Fluid::since);
        self.book_parts(node, (self.now - since).0);
        let host = &mut self.hosts[node];
        let Some(fluid) = &mut host.fluid else { return };
        let before = fluid.busy;
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

    /// A process shares the host's threads from now on.
    pub(crate) fn fluid_add(&mut self, pid: Pid) {
        let process = &self.processes[pid.i()];
        let (node, then, work) = (process.node as usize, process.then, process.work);
        self.enter_here(pid, Activity::RUNNING);
        self.fluid_advance(node);
        self.processes[pid.i()].then = Then::Work;
        match then {
            Then::Resume(why) | Then::Pays(why) => self.go_on(Place::Shared, pid, why),
            Then::Work | Then::Stashed | Then::Poll | Then::Polled => self.fluid_work(pid, work),
        }
        self.fluid_arm(node);
    }

    /// Its host is advanced to now, and armed by the caller.
    pub(crate) fn fluid_work(&mut self, pid: Pid, work: u64) {
        let node = self.processes[pid.i()].node as usize;
        if let Some(fluid) = &mut self.hosts[node].fluid {
            fluid.add(pid, work);
        }
    }

    #[inline(never)]
    pub(crate) fn fluid_done(&mut self, node: usize) {
        self.fluid_advance(node);
        while let Some(pid) = self.hosts[node].fluid.as_mut().and_then(|f| f.done()) {
            let process = &mut self.processes[pid.i()];
            let group = &mut self.accounts.groups[process.group as usize];
            group.work += u128::from(process.work);
            let task = &mut self.tasks[pid.i()];
            let (reads, asked) = (task.reads, std::mem::take(&mut task.asked));
            group.asked += u128::from(asked);
            group.reads += u128::from(reads);
            let group = process.group as usize;
            let polls = matches!(process.then, Then::Poll | Then::Polled);
            process.work = 0;
            let beyond = self.hosts[node].fluid.as_ref().map_or(0, |f| f.beyond);
            self.book_beyond(group, beyond);
            self.book_polling(pid, if polls { asked } else { 0 });
            if self.tasks[pid.i()].is_doomed {
                self.exit(Place::Shared, pid);
            } else {
                let how = self.polled(pid);
                self.go_on(Place::Shared, pid, how);
            }
        }
        self.fluid_arm(node);
    }

    /// Brings every sum up to the present, so that it can be read or copied.
    pub fn cut(&mut self) {
        self.accounts.span = self.now.0;
        for thread in 0..self.threads.len() {
            self.charge_here(ThreadId(thread as u16));
        }
        self.cut_threads();
        for thread in 0..self.threads.len() {
            let host = &self.hosts[self.threads[thread].node as usize];
            if host.fluid.is_none() && host.idle.has(thread - host.base as usize) {
                self.accounts.threads[thread].1 += (self.now - self.threads[thread].idle_booked).0;
                self.threads[thread].idle_booked = self.now;
            }
        }
        (0..self.hosts.len()).for_each(|node| self.fluid_advance(node));
        for group in &mut self.accounts.groups {
            (group.open_work, group.open_reads, group.open_time) = (0, 0, 0);
        }
        for (process, task) in self.processes.iter_mut().zip(&self.tasks) {
            let group = &mut self.accounts.groups[process.group as usize];
            let is_answered = process.before == Activity::ANSWERED && process.activity == Activity::RUN_QUEUE;
            let activity = if is_answered { Activity::OFF } else { process.activity };
            group.time[activity.i()] += (self.now - process.since).0;
            self.accounts.each.cut(process.told, activity, self.now - process.since);
            if task.is_gone {
                group.book.spans[GONE] += (self.now - process.since).0;
            }
            process.since = self.now;
            if let (true, Some(paused)) = (process.is_open, task.paused) {
                group.open_time += i128::from(paused.0);
            }
            if !activity.is_idle() {
                group.open_time += i128::from((self.now - task.started).0);
                let is_fluid = self.hosts[process.node as usize].fluid.is_some();
                if !is_fluid {
                    group.open_work += i128::from(task.asked - process.work);
                    group.open_reads += i128::from(task.reads_done(process.work));
                }
            }
        }
        (0..self.instances.len()).for_each(|instance| self.account_cage(instance));
        (0..self.instances.len()).for_each(|instance| self.sum_dirty(instance));
        self.cut_ledger();
    }
}
