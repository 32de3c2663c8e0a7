//! What balancing asks of EEVDF's queues.
use super::Eevdf;
use crate::host::balance::counts::PerThread;
use crate::host::balance::{Fair, Listed};
use crate::host::eevdf_queue::{Entity, State};
use crate::host::weights::virtual_ns;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Eevdf {
    /// A process that waits, or is delayed, leaves its queue for another. It keeps its lag.
    pub(super) fn part(&mut self, from: usize, pid: Pid, now: Ns) {
        self.charge(from, now);
        let is_delayed = self.entities[pid.i()].state == State::Delayed;
        if is_delayed {
            self.entities[pid.i()].state = State::Queued;
            self.queues[from].delayed -= 1;
        }
        self.leave(from, pid);
        if self.delays {
            let entity = &mut self.entities[pid.i()];
            entity.deadline -= entity.virtual_time;
            entity.state = if is_delayed { State::MovingDelayed } else { State::Moving };
        }
    }

    /// Whether somebody queued is owed time now, who runs being charged up to then.
    pub(super) fn owes(&self, at: usize, pid: Pid, now: Ns) -> bool {
        let (mut total, queue) = (self.total(at), &self.queues[at]);
        let mut virtual_time = self.entities[pid.i()].virtual_time;
        if let Some(runs) = queue.running {
            let weight = self.entities[runs.i()].weight;
            let since = virtual_ns(now.minus(queue.charged).0, weight, self.unit) as i64;
            total.sum += i128::from(since) * i128::from(weight);
            virtual_time += if runs == pid { since } else { 0 };
        }
        total.allows(virtual_time)
    }

    fn listed(&self, at: usize, pid: Pid) -> Listed {
        let Entity { order, last_ran, .. } = self.entities[pid.i()];
        let age = (self.serial as u32).wrapping_sub(order);
        Listed { pid, age, last_ran, is_running: self.queues[at].running == Some(pid) }
    }

    /// Those who wait at a thread, the delayed or the others.
    pub(super) fn each(&self, at: usize, is_delayed: bool) -> impl Iterator<Item = Pid> + '_ {
        let state = if is_delayed { State::Delayed } else { State::Queued };
        let waiting = self.queues[at].tree.iter().map(|entry| entry.pid);
        waiting.filter(move |pid| self.entities[pid.i()].state == state)
    }
}

impl Fair for Eevdf {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.entities[pid.i()].weight, None)
    }
    fn delayed(&self, at: usize) -> usize {
        self.queues[at].delayed
    }
    fn visit_delayed(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        self.each(at, true).for_each(|pid| visit(self.listed(at, pid)));
    }
    fn is_owed(&self, pid: Pid, at: usize, now: Ns) -> bool {
        self.owes(at, pid, now)
    }
    fn has_peers(&self, _pid: Pid, at: usize) -> bool {
        !self.is_empty(at)
    }
    fn take_left(&mut self) -> Vec<Pid> {
        std::mem::take(&mut self.gone)
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        let begins = if self.begins.has(at) { self.pick(at) } else { None };
        let waiting = self.each(at, false).filter(|&pid| Some(pid) != begins);
        waiting.chain(self.queues[at].running).for_each(|pid| visit(self.listed(at, pid)));
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.part(from, pid, now);
        self.give(to, pid, now);
        self.pass_over(pid);
        std::mem::take(&mut self.queues[to].must_turn)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.serial += 1;
        self.entities[pid.i()].order = self.serial as u32;
    }
}
