//! What happens to an instance: sessions enter and leave the cage, run into latches, and arrive.
use crate::activity::Activity;
use crate::cage::Fill;
use crate::config::Arrivals;
use crate::ids::{Pid, ThreadId};
use crate::machine::to_work;
use crate::program::{session, Program};
use crate::world::{Timer, World, MOST_PROCESSES, NO_INSTANCE};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    #[inline]
    pub(crate) fn has_cage(&self, pid: Pid) -> bool {
        let instance = self.processes[pid.i()].instance;
        instance != NO_INSTANCE && self.instances[instance as usize].cage.is_some()
    }

    pub(crate) fn account_cage(&mut self, instance: usize) {
        if let Some(cage) = &mut self.instances[instance].cage {
            let (held, empty) = cage.account(self.now);
            self.accounts.cages[instance].held += held;
            self.accounts.cages[instance].empty += empty;
        }
    }

    /// Sessions are dealt to the consumer groups in turn.
    fn consumer_group(&self, pid: Pid) -> usize {
        let instance = self.processes[pid.i()].instance as usize;
        let groups = self.config.instances[instance].cage.as_ref().map_or(1, |c| c.groups.len());
        pid.i() % groups
    }

    /// Asks for a slot; without one the session waits.
    pub(crate) fn enter_cage(&mut self, pid: Pid) -> bool {
        let instance = self.processes[pid.i()].instance as usize;
        let group = self.consumer_group(pid);
        self.account_cage(instance);
        let Some(cage) = &mut self.instances[instance].cage else { return true };
        let granted = cage.enter(pid, group);
        self.processes[pid.i()].has_slot = granted;
        self.processes[pid.i()].used = Ns::ZERO;
        if !granted {
            self.enter(pid, Activity::CPU_QUANTUM);
            let fill = self.instances[instance].cage.as_mut().map_or(Fill::Nothing, |c| c.wanted(self.now));
            self.fill(instance, fill);
        }
        granted
    }

    fn fill(&mut self, instance: usize, fill: Fill) {
        match fill {
            Fill::Now => self.grant_slots(instance),
            Fill::At(at) => self.calendar.schedule(at, Phase::Dispatch, Timer::RmTick(instance as u16)),
            Fill::Nothing => {}
        }
    }

    fn grant_slots(&mut self, instance: usize) {
        loop {
            self.account_cage(instance);
            let Some(cage) = &mut self.instances[instance].cage else { return };
            let post = cage.config.post;
            let Some(pid) = cage.grant(self.now) else { return };
            let process = &mut self.processes[pid.i()];
            process.has_slot = true;
            process.used = Ns::ZERO;
            process.debt += post;
            self.runnable(pid, None);
        }
    }

    pub(crate) fn cage_tick(&mut self, instance: usize) {
        if let Some(cage) = &mut self.instances[instance].cage {
            cage.ticked();
        }
        self.grant_slots(instance);
        let fill = self.instances[instance].cage.as_mut().map_or(Fill::Nothing, |c| c.wanted(self.now));
        self.fill(instance, fill);
    }

    /// The running session has used its quantum and stands at a safe point.
    pub(crate) fn cage_yield(&mut self, at: ThreadId, pid: Pid) {
        let instance = self.processes[pid.i()].instance as usize;
        let waited_for = self.instances[instance].cage.as_ref().is_some_and(|c| c.has_waiting());
        let used = std::mem::take(&mut self.processes[pid.i()].used);
        if !waited_for {
            self.guard(at, pid);
            return self.arm(at);
        }
        let group = self.consumer_group(pid);
        self.account_cage(instance);
        self.processes[pid.i()].has_slot = false;
        let fill = match &mut self.instances[instance].cage {
            Some(cage) => cage.expired(pid, group, used, self.now),
            None => Fill::Nothing,
        };
        self.block(at, pid, Activity::CPU_QUANTUM);
        self.fill(instance, fill);
    }

    /// A session waits for something else for `span`: a short wait keeps the slot.
    pub(crate) fn leave_cage(&mut self, pid: Pid, span: Ns) {
        let process = &self.processes[pid.i()];
        if !process.has_slot {
            return;
        }
        let instance = process.instance as usize;
        let is_short = self.instances[instance].cage.as_ref().is_some_and(|c| span < c.config.short_wait);
        if !is_short {
            self.release_slot(pid);
        }
    }

    fn release_slot(&mut self, pid: Pid) {
        let (group, process) = (self.consumer_group(pid), &mut self.processes[pid.i()]);
        process.has_slot = false;
        let (instance, used) = (process.instance as usize, std::mem::take(&mut process.used));
        self.account_cage(instance);
        let fill = match &mut self.instances[instance].cage {
            Some(cage) => cage.left(group, used, self.now),
            None => Fill::Nothing,
        };
        self.fill(instance, fill);
    }

    /// A wait of unknown length went on for longer than a short wait.
    pub(crate) fn wait_proved_long(&mut self, pid: Pid, since: Ns) {
        let process = &self.processes[pid.i()];
        if process.activity == Activity::LATCH && process.entered == since && process.has_slot {
            self.release_slot(pid);
        }
    }

    /// Sets what may stop a running session besides its slice: the cage and taken latches.
    #[inline]
    pub(crate) fn guard(&mut self, at: ThreadId, pid: Pid) {
        let process = &self.processes[pid.i()];
        let thread = &mut self.threads[at.i()];
        (thread.yields_at, thread.latch_at) = (Ns::MAX, Ns::MAX);
        if process.instance == NO_INSTANCE {
            return;
        }
        let instance = &mut self.instances[process.instance as usize];
        if process.has_slot {
            if let Some(cage) = &instance.cage {
                thread.yields_at = cage.yields_at(process.used, self.now);
            }
        }
        if instance.latches.held() > 0 {
            let latch = self.config.instances[process.instance as usize].latch;
            let horizon = thread.slice_until.min(thread.yields_at);
            let hit = instance.latches.collision(instance.latches.held(), latch.request_per_s, self.now, horizon);
            thread.latch_at = hit.plus(latch.spin);
        }
    }

    /// A session that gives way may hold a latch; then everyone running may run into it.
    #[inline(always)]
    pub(crate) fn maybe_caught_with_latch(&mut self, pid: Pid) {
        let own = self.processes[pid.i()].instance;
        if own != NO_INSTANCE && self.instances[own as usize].latches.can_be_held() {
            self.draw_latch(pid, own);
        }
    }

    #[inline(never)]
    fn draw_latch(&mut self, pid: Pid, own: u16) {
        let latch = self.config.instances[own as usize].latch;
        if !self.instances[own as usize].latches.caught(pid) {
            return;
        }
        self.processes[pid.i()].holds_latch = true;
        let host = &self.hosts[self.processes[pid.i()].node as usize];
        for t in host.base..host.base + host.threads {
            let thread = &self.threads[t as usize];
            if thread.running == Pid::NONE || self.processes[thread.running.i()].instance != own {
                continue;
            }
            let horizon = thread.slice_until.min(thread.yields_at).min(thread.latch_at);
            let hit = self.instances[own as usize].latches.collision(1, latch.request_per_s, self.now, horizon);
            if hit != Ns::MAX {
                self.charge(ThreadId(t));
                self.threads[t as usize].latch_at = hit.plus(latch.spin);
                self.arm(ThreadId(t));
            }
        }
    }

    /// The running session asked for a taken latch and has spun for it: the spin was no work.
    pub(crate) fn latch_hit(&mut self, at: ThreadId, pid: Pid) {
        let own = self.processes[pid.i()].instance as usize;
        let spin = self.config.instances[own].latch.spin;
        self.threads[at.i()].latch_at = Ns::MAX;
        let Some(holder) = self.instances[own].latches.hit() else { return self.arm(at) };
        let thread = &self.threads[at.i()];
        // Only work of this stay can have been a spin; what switching and refilling took was none.
        let spun = spin.min((self.now - thread.picked).minus(thread.lost));
        let process = &mut self.processes[pid.i()];
        let undone = (spun.0 * thread.speed).min(process.asked - process.work);
        process.work += undone;
        let group = &mut self.accounts.groups[process.group as usize];
        group.work -= u128::from(undone).min(group.work);
        self.accounts.hosts[thread.node as usize].spinning += spun.0;
        self.instances[own].latches.sleep(holder, pid);
        self.block(at, pid, Activity::LATCH);
        if self.processes[pid.i()].has_slot {
            let short = self.instances[own].cage.as_ref().map_or(Ns::ZERO, |c| c.config.short_wait);
            self.calendar.schedule(self.now.plus(short), Phase::Complete, Timer::ShortWait(pid, self.now));
        }
    }

    /// The holder runs again.
    pub(crate) fn release_latch(&mut self, pid: Pid) {
        self.processes[pid.i()].holds_latch = false;
        let own = self.processes[pid.i()].instance as usize;
        for sleeper in self.instances[own].latches.release(pid) {
            self.ready(sleeper, None);
        }
    }

    /// Puts the next arrival of an open instance on the calendar.
    pub(crate) fn schedule_arrival(&mut self, instance: usize) {
        let state = &mut self.instances[instance];
        let after = match &self.config.instances[instance].workload.arrivals {
            Arrivals::Open { per_s } => Ns((state.arrivals.think.exponential() * 1e9 / per_s).round() as u64),
            Arrivals::List(list) => match list.get(state.listed) {
                Some(entry) => entry.0,
                None => return,
            },
            Arrivals::Closed { .. } | Arrivals::Messages { .. } => return,
        };
        self.calendar.schedule(self.now.plus(after), Phase::Arrive, Timer::Arrive(instance as u16));
    }

    pub(crate) fn arrive(&mut self, instance: usize) {
        let state = &mut self.instances[instance];
        let demand = match &self.config.instances[instance].workload.arrivals {
            Arrivals::List(list) => list[state.listed].1,
            _ => session::draw(&self.config.instances[instance].workload.demand, &mut state.arrivals.demand),
        };
        state.listed += 1;
        let pid = match state.free.pop() {
            Some(pid) => pid,
            None if self.processes.len() >= MOST_PROCESSES => {
                self.is_full = true;
                return;
            }
            None => self.admit(Program::Visitor, self.config.instances[instance].node, instance as u16, 0),
        };
        self.schedule_arrival(instance);
        self.begin(pid, to_work(demand).max(1), self.now);
        let waker = self.interrupted(self.config.instances[instance].node);
        self.ready(pid, waker);
    }
}
