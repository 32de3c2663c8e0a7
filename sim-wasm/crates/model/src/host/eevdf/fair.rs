//! What balancing asks of EEVDF's queues.
use super::Eevdf;
use crate::host::balance::counts::PerThread;
use crate::host::balance::{Fair, Listed};
use crate::host::eevdf_queue::{Entity, State};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Eevdf {
    /// A process that waits leaves its queue for another.
    pub(super) fn part(&mut self, from: usize, pid: Pid, now: Ns) {
        self.charge(from, now);
        self.leave(from, pid);
        if self.delays {
            let entity = &mut self.entities[pid.i()];
            entity.deadline -= entity.virtual_time;
            entity.state = State::Moving;
        }
    }
}

impl Fair for Eevdf {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.entities[pid.i()].weight, None)
    }
    fn share(&self, _group: usize) -> f64 {
        1.0
    }
    /// Delayed processes do not count.
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        let queue = &self.queues[at];
        let begins = if self.begins.has(at) { self.pick(at) } else { None };
        let waiting = queue.tree.iter().map(|entry| entry.pid).filter(|&pid| Some(pid) != begins);
        for pid in waiting.chain(queue.running) {
            let Entity { order, last_ran, state, .. } = self.entities[pid.i()];
            if state == State::Queued {
                let age = (self.serial as u32).wrapping_sub(order);
                visit(Listed { pid, age, last_ran, is_running: queue.running == Some(pid) });
            }
        }
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
