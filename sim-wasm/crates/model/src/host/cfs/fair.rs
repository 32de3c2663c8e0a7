//! What balancing asks of CFS's queues.
use super::{Cfs, Entity};
use crate::host::balance::counts::PerThread;
use crate::host::balance::{Fair, Listed};
use crate::host::masks::Masks;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Cfs {
    /// Those who wait at a thread.
    pub(super) fn each(&self, at: usize) -> impl Iterator<Item = Pid> + '_ {
        self.queues[at].waiting.each()
    }
}

impl Fair for Cfs {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.entities[pid.i()].weight, None)
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        let running = self.queues[at].running;
        let begins = if self.begins.has(at) { self.pick(at) } else { None };
        let waiting = self.each(at).filter(|&pid| Some(pid) != begins);
        for pid in waiting.chain(Some(running).filter(|&pid| pid != Pid::NONE)) {
            let Entity { order, last_ran, .. } = self.entities[pid.i()];
            let age = (self.sequence as u32).wrapping_sub(order);
            visit(Listed { pid, age, last_ran, is_running: pid == running });
        }
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.charge(from, now);
        self.leave(from, pid, false);
        self.give(to, pid, now);
        self.came(pid);
        std::mem::take(&mut self.queues[to].must_turn)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.sequence += 1;
        self.entities[pid.i()].order = self.sequence as u32;
    }
}

impl PerThread for Cfs {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    fn queued(&self, at: usize) -> usize {
        self.queues[at].waiting.len() - usize::from(self.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running != Pid::NONE || self.begins.has(at))
    }
    /// The one of the least virtual time.
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let is_cold = |pid: Pid| now.minus(self.entities[pid.i()].last_ran) >= self.migration_cost;
        let pid = self.queues[from].waiting.first_of(|pid| is_cold(pid) && masks.allows(pid, to))?;
        self.charge(from, now);
        self.leave(from, pid, false);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        self.charge(to, now);
        self.put_in(to, pid);
        self.comes(to, pid);
    }
}
