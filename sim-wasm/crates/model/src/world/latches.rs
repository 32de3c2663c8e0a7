//! What latches do to running sessions: who is caught with one, who asks for it, and how he spins, sleeps and wakes.
//!
//! `latch_at` of a thread is when a request for a held latch has been spun for in vain, or, where the session itself
//! came back with a latch in hand, when it has paid for the switch, works again and lets go.
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::measure::ledger::SPINNING;
use crate::world::wake::Waker;
use crate::world::{Then, Thread, World};
use wwi_kernel::time::Ns;

impl Thread {
    /// Up to when requests of the running session are drawn.
    fn horizon(&self) -> Ns {
        self.slice_until.min(self.yields_at)
    }

    /// The running session waits for a moment when it lets go of its own latch.
    fn lets_go(&self) -> bool {
        self.latch_at != Ns::MAX && self.latch_holder == self.running
    }

    /// When the running session asks for a held latch, if that is known.
    fn request(&self, spin: Ns) -> Option<Ns> {
        (self.latch_at != Ns::MAX && !self.lets_go()).then(|| self.latch_at.minus(spin))
    }
}

impl World {
    fn spin_of(&self, pid: Pid) -> Ns {
        self.config.instances[self.processes[pid.i()].instance as usize].latch.spin
    }

    /// Of the time that a session of an instance is at work, that in which it does not spin for latches whose holders
    /// work, too.
    fn working(&self, pid: Pid) -> f64 {
        let process = &self.processes[pid.i()];
        let one = (1u64 << Q) as f64;
        one / (one + self.hosts[process.node as usize].rates.spins((process.group, process.instance)) as f64)
    }

    /// From when on the running session works: what it owes for the last switch comes first.
    fn works_from(&self, at: ThreadId) -> Ns {
        let thread = &self.threads[at.i()];
        (thread.since + self.processes[thread.running.i()].debt).max(self.now)
    }

    /// A session starts to run: with a latch in hand it lets go once it works, else it may ask for latches held by
    /// others. `latch_at` is [`Ns::MAX`], the horizon is set.
    #[inline(never)]
    pub(crate) fn watch_latches(&mut self, at: ThreadId, pid: Pid) {
        if !self.processes[pid.i()].takes_latches {
            return;
        }
        let paid = self.now + self.processes[pid.i()].debt;
        if self.processes[pid.i()].holds_latch {
            let thread = &mut self.threads[at.i()];
            (thread.latch_at, thread.latch_holder) = (paid, pid);
            // No safe point while a latch is held.
            thread.yields_at = thread.yields_at.max(paid);
        } else {
            self.draw_request(at, pid, paid);
        }
    }

    /// Draws when a running session first asks for any latch held now, from `from` to its horizon.
    fn draw_request(&mut self, at: ThreadId, pid: Pid, from: Ns) {
        let own = self.processes[pid.i()].instance as usize;
        if self.instances[own].latches.held() > 0 {
            let latch = self.config.instances[own].latch;
            let per_s = latch.request_per_s * self.working(pid);
            let (latches, thread) = (&mut self.instances[own].latches, &mut self.threads[at.i()]);
            if let Some((request, holder)) = latches.request(per_s, from, thread.horizon()) {
                (thread.latch_at, thread.latch_holder) = (request.plus(latch.spin), holder);
            }
        }
    }

    /// The horizon of a running session moved from `before`: a request beyond the new one is no longer known, and
    /// between the old one and a later one it is drawn.
    #[inline(never)]
    pub(crate) fn horizon_moved(&mut self, at: ThreadId, before: Ns) {
        let pid = self.threads[at.i()].running;
        if !self.processes[pid.i()].takes_latches {
            return;
        }
        let spin = self.spin_of(pid);
        let thread = &mut self.threads[at.i()];
        let after = thread.horizon();
        match thread.request(spin) {
            Some(request) if request > self.now && request >= after => thread.latch_at = Ns::MAX,
            None if thread.latch_at == Ns::MAX && after > before => {
                let from = self.works_from(at).max(before);
                self.draw_request(at, pid, from);
            }
            _ => {}
        }
    }

    /// A session that is made to give way while it works may hold a latch; then everyone running may run into it.
    #[inline(never)]
    pub(crate) fn draw_latch(&mut self, at: ThreadId, pid: Pid, own: u16) {
        let process = &self.processes[pid.i()];
        let in_debt = process.debt > Ns::ZERO || process.then != Then::Work;
        if process.holds_latch || self.stop_spinning(at, pid) || in_debt || self.posts_latch == pid {
            return;
        }
        let latch = self.config.instances[own as usize].latch;
        let working = self.working(pid);
        if !self.instances[own as usize].latches.caught(pid, working) {
            return;
        }
        self.processes[pid.i()].holds_latch = true;
        self.held_latches += 1;
        for t in self.threads_near(pid) {
            let thread = &self.threads[t.i()];
            if !self.is_of(thread, own) {
                continue;
            }
            let pending = thread.request(latch.spin);
            if thread.lets_go() || pending.is_some_and(|request| request <= self.now) {
                continue;
            }
            let horizon = thread.horizon().min(pending.unwrap_or(Ns::MAX));
            let from = self.works_from(t);
            let per_s = latch.request_per_s * working;
            let drawn = self.instances[own as usize].latches.request_for_last(per_s, from, horizon);
            if let Some((request, holder)) = drawn {
                self.charge_here(t);
                let thread = &mut self.threads[t.i()];
                (thread.latch_at, thread.latch_holder) = (request.plus(latch.spin), holder);
                self.arm_here(t);
            }
        }
    }

    /// All threads of the host of a process.
    fn threads_near(&self, pid: Pid) -> impl Iterator<Item = ThreadId> {
        let host = &self.hosts[self.processes[pid.i()].node as usize];
        (host.base..host.base + host.threads).map(ThreadId)
    }

    /// A thread runs a session of this instance.
    fn is_of(&self, thread: &Thread, instance: u16) -> bool {
        self.processes
            .get(thread.running.i())
            .is_some_and(|running| running.takes_latches && running.instance == instance)
    }

    /// A session that has just left its thread was spinning there: that was no work, and it asks anew when it runs
    /// again.
    pub(crate) fn stop_spinning(&mut self, at: ThreadId, pid: Pid) -> bool {
        let thread = &self.threads[at.i()];
        if thread.latch_at == Ns::MAX || thread.latch_holder == pid {
            return false;
        }
        let request = thread.latch_at.minus(self.spin_of(pid));
        let spins = request < self.now;
        if spins {
            self.spun(at, pid, self.now - request);
        }
        self.threads[at.i()].latch_at = Ns::MAX;
        spins
    }

    /// The last `span` on a thread was booked as work of a session and was none.
    fn spun(&mut self, at: ThreadId, pid: Pid, span: Ns) {
        let thread = &self.threads[at.i()];
        let process = &mut self.processes[pid.i()];
        let undone = (span.0 * thread.speed).min(self.tasks[pid.i()].asked - process.work);
        process.work += undone;
        let group = &mut self.accounts.groups[process.group as usize];
        group.work -= u128::from(undone).min(group.work);
        group.book.busy[SPINNING] += i128::from(undone);
        self.accounts.hosts[thread.node as usize].spinning += span.0;
    }

    /// `latch_at` has come: the session lets its own latch go, or has spun for another's in vain and sleeps.
    #[inline(never)]
    pub(crate) fn latch_due(&mut self, at: ThreadId, pid: Pid) {
        if self.threads[at.i()].lets_go() {
            return self.let_go(at, pid);
        }
        let own = self.processes[pid.i()].instance as usize;
        let holder = self.threads[at.i()].latch_holder;
        self.spun(at, pid, self.spin_of(pid));
        self.threads[at.i()].latch_at = Ns::MAX;
        self.instances[own].latches.sleep(holder, pid);
        self.block(at, pid, Activity::LATCH);
        self.leave_cage(pid, None);
    }

    /// The holder works again: who spins goes on, who sleeps wakes, and it may itself ask for what others hold.
    fn let_go(&mut self, at: ThreadId, pid: Pid) {
        self.threads[at.i()].latch_at = Ns::MAX;
        let woken = self.released(Some(at), pid);
        self.draw_request(at, pid, self.now);
        self.arm_here(at);
        self.posts_latch = pid;
        for sleeper in woken {
            self.ready(sleeper, Some(at).into());
        }
        self.posts_latch = Pid::NONE;
    }

    /// A process that is gone holds no latch.
    pub(crate) fn drop_latch(&mut self, pid: Pid) {
        if self.processes[pid.i()].holds_latch {
            for sleeper in self.released(None, pid) {
                self.ready(sleeper, Waker::default());
            }
        }
    }

    /// The latch of a holder is free: who spins for it goes on. Returns who sleeps for it.
    fn released(&mut self, at: Option<ThreadId>, pid: Pid) -> Vec<Pid> {
        let own = self.processes[pid.i()].instance;
        self.processes[pid.i()].holds_latch = false;
        self.held_latches -= 1;
        let woken = self.instances[own as usize].latches.release(pid);
        let spin = self.spin_of(pid);
        for t in self.threads_near(pid) {
            let thread = &self.threads[t.i()];
            if thread.latch_holder != pid || Some(t) == at || !self.is_of(thread, own) {
                continue;
            }
            let Some(request) = thread.request(spin) else { continue };
            self.charge_here(t);
            let running = self.threads[t.i()].running;
            if request < self.now {
                self.spun(t, running, self.now - request);
            }
            self.threads[t.i()].latch_at = Ns::MAX;
            // Until its request for this latch it asked for no other.
            self.draw_request(t, running, request.max(self.now));
            self.arm_here(t);
        }
        woken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{LatchConfig, LatchQueue, NodeConfig};
    use crate::testing::{hogs, node, one};

    /// With the latch in hand for half of a read, eight sessions at work hold it for an eighth of their time each and
    /// spin for it for the rest: so one in eight holds it that is made to give way.
    #[test]
    fn who_stands_in_line_for_a_latch_does_not_hold_it() {
        let mut instance = hogs(24);
        instance.coherence.latch = LatchQueue { held: 0.5, share: 1.0 };
        instance.latch = LatchConfig { held_share: 0.5, request_per_s: 0.0, spin: Ns::from_us(10.0) };
        let mut world = World::new(&one(NodeConfig { cores_per_socket: 8, ..node() }, instance), 0);
        let (mut waiting, mut holding) = (0, 0);
        for tenths in 20..220 {
            world.run(Ns::from_ms(100.0 * f64::from(tenths)), u64::MAX);
            let gave_way = world.processes.iter().filter(|process| process.activity == Activity::RUN_QUEUE);
            gave_way.for_each(|process| (waiting, holding) = (waiting + 1, holding + u32::from(process.holds_latch)));
        }
        let share = f64::from(holding) / f64::from(waiting);
        assert!(waiting > 3000 && (share - 0.125).abs() < 0.025, "{share} of {waiting}");
    }
}
