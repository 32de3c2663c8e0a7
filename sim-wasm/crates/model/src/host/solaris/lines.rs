//! What becomes of those who wait and of those who run: into a queue, out of it, and what is done each second.
use super::{row, Queue, Solaris, GREATEST, TOP};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Solaris {
    /// The first in line.
    pub(super) fn first(&mut self, at: usize) -> Option<Pid> {
        let waiting = &self.queues[at].waiting;
        let (level, pid) = (waiting.best(), waiting.first()?);
        self.remove(at, level, pid);
        Some(pid)
    }

    /// Somebody no longer waits there who stood in the line of a level.
    pub(super) fn remove(&mut self, at: usize, level: u32, pid: Pid) {
        let waiting = &mut self.queues[at].waiting;
        waiting.remove(level, pid, &mut self.tasks);
        self.sets.count(self.tasks[pid.i()].set, false);
        if waiting.is_empty() {
            self.crowded.set(at, false);
        }
        self.most.forget(at);
    }

    pub(super) fn queue_up(&mut self, at: usize, pid: Pid, is_first: bool, now: Ns) {
        self.tasks[pid.i()].queued = now;
        self.sets.count(self.tasks[pid.i()].set, true);
        self.most.forget(at);
        let waiting = &mut self.queues[at].waiting;
        if waiting.is_empty() {
            self.crowded.set(at, true);
        }
        if is_first {
            waiting.push_head(pid, &mut self.tasks);
        } else {
            waiting.push_tail(pid, &mut self.tasks);
        }
    }

    /// A process comes to another thread, which is to look. Who is there with the tick that ends a quantum of who runs
    /// there finds that he goes to the tail, too: clock ticks come before turns.
    pub(super) fn receive(&mut self, to: usize, pid: Pid, now: Ns) {
        let tick = now.0 / self.tick.0;
        self.count_to(to, tick);
        let threads = self.queues.len() as u64;
        let Queue { running, quantum, .. } = &mut self.queues[to];
        let is_now = *running != Pid::NONE && quantum.renewed > 0 && quantum.renewed * self.tick.0 == now.0;
        // The clock goes round the threads, and begins with the next one each tick.
        quantum.is_over |= is_now && tick % threads != to as u64;
        self.queue_up(to, pid, false, now);
    }

    /// Who used up his quantum goes to the tail of a line.
    pub(super) fn requeue(&mut self, at: usize, pid: Pid, now: Ns) {
        self.most.forget(at);
        let task = self.tasks[pid.i()];
        let to = self.placed(&task, at, now.0 / self.tick.0, Some(at));
        if to != at {
            self.moved.push(to);
        }
        self.receive(to, pid, now);
    }

    /// Once a second: who runs on a thread, if he is due.
    pub(super) fn renew(&mut self, at: usize) {
        let queue = &mut self.queues[at];
        let updates = self.updates;
        if let Some(task) = self.tasks.get_mut(queue.running.i()).filter(|task| task.is_due(updates)) {
            task.lift(row(task.own).slpret, &self.quanta, updates);
            queue.quantum.is_over = false;
            self.most.forget(at);
        }
    }

    /// And those who wait there: whose priority is another by that waits anew, perhaps elsewhere. Nobody is due in the
    /// first hours who cannot be lifted further, and where many wait most are such.
    pub(super) fn lifts(&mut self, at: usize, now: Ns) {
        let from = if self.updates > row(GREATEST.0).maxwait { 0 } else { TOP - GREATEST.0 + 1 };
        let mut next = self.queues[at].waiting.first_from(from as u32);
        while let Some((level, pid)) = next {
            // Who is lifted is due no more where he comes by again.
            next = self.queues[at].waiting.behind(level, pid, &self.tasks);
            if self.tasks[pid.i()].is_due(self.updates) {
                self.lift(at, level, pid, now);
            }
        }
    }

    fn lift(&mut self, at: usize, level: u32, pid: Pid, now: Ns) {
        let task = &mut self.tasks[pid.i()];
        let before = task.priority;
        task.set_own(row(task.own).lwait);
        task.since = self.updates;
        if task.priority == before {
            return;
        }
        task.left = self.quanta[task.own as usize];
        let task = *task;
        self.remove(at, level, pid);
        let tick = now.0 / self.tick.0;
        let to = self.lifted_to(&task, at, tick);
        self.count_to(to, tick);
        self.queue_up(to, pid, task.is_interactive, now);
    }
}
