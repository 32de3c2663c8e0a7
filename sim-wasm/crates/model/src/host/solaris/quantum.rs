//! How much of his quantum who runs has used, and when it ends.
use super::{row, Solaris, Task};
use wwi_kernel::time::Ns;

/// How far the running quantum is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quantum {
    /// Up to this tick.
    pub counted: u64,
    /// Whether the running process used it up and goes to the tail (`TSBACKQ`).
    pub is_over: bool,
    /// The tick with which who runs alone last began another.
    pub renewed: u64,
}

impl Quantum {
    /// Who `renews` his quantum starts one after another without an event.
    #[inline]
    pub(super) fn count(&mut self, task: &mut Task, renews: bool, tick: u64, quanta: &[u64], updates: u32) {
        while self.counted < tick || self.is_over && renews {
            if !self.is_over {
                let used = (tick - self.counted).min(task.left);
                task.left -= used;
                self.counted += used;
                if task.left > 0 {
                    return;
                }
                task.set_own(if task.is_fixed { task.own } else { row(task.own).tqexp });
                task.since = updates;
                self.is_over = true;
            }
            if !renews {
                return;
            }
            let quantum = quanta[task.own as usize];
            task.left = quantum;
            self.is_over = false;
            if task.is_fixed || task.own == 0 {
                // All further quanta are alike.
                self.counted += (tick - self.counted) / quantum * quantum;
            }
            self.renewed = self.counted;
        }
    }
}

impl Solaris {
    /// Counts the ticks of the running quantum.
    pub(super) fn count(&mut self, at: usize, now: Ns) {
        self.count_to(at, now.0 / self.tick.0);
    }

    #[inline]
    pub(super) fn count_to(&mut self, at: usize, tick: u64) {
        let renews = self.renews(at);
        let queue = &mut self.queues[at];
        if let Some(task) = self.tasks.get_mut(queue.running.i()) {
            queue.quantum.count(task, renews, tick, &self.quanta, self.updates);
        }
    }

    /// The tick that ends the running quantum.
    #[inline]
    pub(super) fn quantum_end(&self, at: usize) -> Ns {
        let queue = &self.queues[at];
        if self.renews(at) {
            return Ns::MAX;
        }
        let left = if queue.quantum.is_over { 0 } else { self.tasks[queue.running.i()].left };
        Ns((queue.quantum.counted + left) * self.tick.0)
    }

    /// Nothing comes of the end of the quantum that runs here: nobody waits, and who runs goes nowhere else by it.
    #[inline]
    pub(super) fn renews(&self, at: usize) -> bool {
        self.queues[at].waiting.is_empty() && !self.may_leave(at)
    }

    /// Who used up his quantum may go on elsewhere although nobody waits: to another core, or home.
    #[inline]
    fn may_leave(&self, at: usize) -> bool {
        let Some(task) = self.tasks.get(self.queues[at].running.i()) else { return false };
        !self.sets.is_single(task.set) && (self.has_cores() || !self.is_home(task, at))
    }
}
