//! What happens to a host besides turns: SMT speeds, levelling, idle pull, remapped virtual CPUs, processor sharing.
use crate::activity::Activity;
use crate::host::policy::RunQueue;
use crate::ids::{Pid, ThreadId};
use crate::program::Segment;
use crate::world::{Host, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl Host {
    /// Where a process that never ran starts: an idle thread, else the shortest queue.
    pub fn first_thread(&self, pid: Pid) -> usize {
        let spread = pid.i() % self.threads as usize;
        self.idle.thread_for(spread).unwrap_or_else(|| {
            let threads = 0..self.threads as usize;
            threads
                .min_by_key(|&t| self.policy.waiting((t + spread) % self.threads as usize))
                .map_or(0, |t| (t + spread) % self.threads as usize)
        })
    }
}

impl World {
    /// After the number of active threads of a core changed: every thread of it runs at another speed.
    pub(crate) fn rerate_core(&mut self, at: ThreadId) {
        let thread = &self.threads[at.i()];
        let (node, core) = (thread.node as usize, thread.core as usize);
        let active = self.cores[core].active as usize;
        if self.hosts[node].speeds.len() == 2 || active == 0 {
            return;
        }
        let speed = self.hosts[node].speeds[active];
        for slot in 0..self.cores[core].threads.len() {
            let other = ThreadId(self.cores[core].threads[slot]);
            let is_running = self.threads[other.i()].running != Pid::NONE;
            if is_running && other != at {
                self.charge(other);
            }
            self.threads[other.i()].speed = speed;
            if is_running && other != at {
                self.arm(other);
            }
        }
    }

    /// Levels the run queues of a host.
    pub(crate) fn level(&mut self, node: usize) {
        self.calendar.schedule(self.now.plus(self.level_period(node)), Phase::Dispatch, Timer::Level(node as u16));
        if self.hosts[node].ready == 0 {
            return;
        }
        let host = &mut self.hosts[node];
        for local in host.policy.level(self.now, &host.masks) {
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

    /// A thread that has nothing to run takes a process from the longest queue of its socket, else of the host.
    pub(crate) fn idle_pull(&mut self, at: ThreadId) -> bool {
        let node = self.threads[at.i()].node as usize;
        let (host, span) = (&mut self.hosts[node], self.config.nodes[node].threads_per_socket());
        let local = (at.0 - host.base) as usize;
        let near = local / span * span..(local / span + 1) * span;
        let all = 0..host.threads as usize;
        host.policy.pull(local, near.clone(), self.now, &host.masks)
            || near != all && host.policy.pull(local, all, self.now, &host.masks)
    }

    /// Idle threads look for work that was too recently run to move when they went idle.
    pub(crate) fn pull(&mut self, node: usize) {
        self.hosts[node].pull_armed = false;
        for local in 0..self.hosts[node].threads {
            if self.hosts[node].ready == 0 {
                return;
            }
            if self.hosts[node].idle.has(local as usize) {
                self.turn(ThreadId(self.hosts[node].base + local), None);
            }
        }
        let host = &mut self.hosts[node];
        if host.ready > 0 && host.idle.count() > 0 {
            host.pull_armed = true;
            let soon = self.now.plus(self.config.nodes[node].cfs.migration_cost.max(Ns(1)));
            self.calendar.schedule(soon, Phase::Dispatch, Timer::Pull(node as u16));
        }
    }

    /// The number of busy threads changed. Where virtual CPUs sit matters only while some of several are busy; so only then
    /// is the next deal on the calendar, and deals missed meanwhile are made up for by one.
    #[inline]
    pub(crate) fn watch_hypervisor(&mut self, node: usize) {
        let (host, settings) = (&mut self.hosts[node], &self.config.nodes[node]);
        let idle = u64::from(host.idle.count());
        let matters = idle > 0 && idle + 1 < u64::from(host.threads);
        if host.deal_armed
            || !matters
            || settings.guest_sees_smt
            || settings.vcpu_remap == Ns::ZERO
            || host.speeds.len() == 2
        {
            return;
        }
        host.deal_armed = true;
        let due = host.dealt.next_tick(settings.vcpu_remap) <= self.now;
        let at = self.now.next_tick(settings.vcpu_remap);
        self.calendar.schedule(at, Phase::Complete, Timer::Remap(node as u16));
        if due {
            self.deal(node);
        }
    }

    /// The hypervisor moves the virtual CPUs.
    pub(crate) fn remap(&mut self, node: usize) {
        self.hosts[node].deal_armed = false;
        self.deal(node);
        self.watch_hypervisor(node);
    }

    fn deal(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        host.dealt = self.now;
        let (first, last) = (host.base, host.base + host.threads);
        self.shuffle_threads(node);
        for t in first..last {
            let active = self.cores[self.threads[t as usize].core as usize].active.max(1) as usize;
            let speed = self.hosts[node].speeds[active];
            if self.threads[t as usize].speed == speed {
                continue;
            }
            self.charge(ThreadId(t));
            self.threads[t as usize].speed = speed;
            if self.threads[t as usize].running != Pid::NONE {
                self.arm(ThreadId(t));
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
                Segment::Cpu(work) => {
                    self.begin(pid, work);
                    if let Some(fluid) = &mut self.hosts[node].fluid {
                        fluid.add(pid, work);
                    }
                }
                Segment::Sleep(activity, span) => {
                    self.enter(pid, activity);
                    self.calendar.schedule(self.now.plus(span), Phase::Arrive, Timer::Wake(pid));
                }
                Segment::Exit => {
                    self.enter(pid, Activity::OFF);
                    self.gone(pid);
                }
            }
        }
        self.fluid_arm(node);
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
        for process in &mut self.processes {
            let group = &mut self.accounts.groups[process.group as usize];
            group.time[process.activity.i()] += (self.now - process.since).0;
            process.since = self.now;
        }
        (0..self.instances.len()).for_each(|instance| self.account_cage(instance));
    }
}
