//! What becomes of those who wait and of those who run: into a queue, out of it, and what is done each second.
use super::{row, Queue, Solaris, Task};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Solaris {
    /// Who is interactive, or ran within this tick and still has warm caches (`t_disp_time`), goes to the head of his
    /// line.
    pub(super) fn goes_first(&self, task: &Task, now: Ns) -> bool {
        task.is_interactive || task.last_ran != Ns::MAX && task.last_ran.0 / self.tick.0 == now.0 / self.tick.0
    }

    /// The first in line.
    pub(super) fn first(&mut self, at: usize) -> Option<Pid> {
        let pid = self.queues[at].waiting.pop()?;
        self.left(at, self.tasks[pid.i()].level());
        Some(pid)
    }

    /// Somebody no longer waits there who stood in the line of a level.
    pub(super) fn left(&mut self, at: usize, level: u32) {
        let queue = &mut self.queues[at];
        queue.lines[level as usize] -= 1;
        self.crowded.set(at, !queue.waiting.is_empty());
    }

    pub(super) fn queue_up(&mut self, at: usize, pid: Pid, is_first: bool, now: Ns) {
        let task = &mut self.tasks[pid.i()];
        task.queued = now;
        let (level, Queue { waiting, lines, .. }) = (task.level(), &mut self.queues[at]);
        lines[level as usize] += 1;
        self.crowded.set(at, true);
        if is_first {
            waiting.push_head(level, pid);
        } else {
            waiting.push_tail(level, pid);
        }
    }

    /// A process comes to another thread, which is to look. Who is there with the tick that ends a quantum of who runs
    /// there finds that he goes to the tail, too: clock ticks come before turns.
    pub(super) fn receive(&mut self, to: usize, pid: Pid, now: Ns) {
        self.count(to, now);
        // The clock goes round the threads, and begins with the next one each tick.
        let is_first = now.0 / self.tick.0 % self.queues.len() as u64 == to as u64;
        let Queue { running, quantum, .. } = &mut self.queues[to];
        let is_now = *running != Pid::NONE && quantum.renewed > 0 && quantum.renewed * self.tick.0 == now.0;
        quantum.is_over |= is_now && !is_first;
        self.queue_up(to, pid, false, now);
    }

    /// Who used up his quantum goes to the tail of his line, or to that of the next thread.
    pub(super) fn requeue(&mut self, at: usize, pid: Pid, now: Ns) {
        let task = self.tasks[pid.i()];
        let to = if task.is_bound { at } else { self.ring(at, task.priority) };
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
        }
    }

    /// And those who wait there: whose priority is another by that waits anew, perhaps elsewhere.
    pub(super) fn lifts(&mut self, at: usize, now: Ns) {
        let (tasks, updates) = (&self.tasks, self.updates);
        for pid in self.queues[at].waiting.in_line(|pid| tasks[pid.i()].is_due(updates)) {
            let (task, quanta) = (&mut self.tasks[pid.i()], &self.quanta);
            let (before, level) = (task.priority, task.level());
            task.set_own(row(task.own).lwait);
            task.since = self.updates;
            if task.priority == before {
                continue;
            }
            task.left = quanta[task.own as usize];
            let task = *task;
            self.queues[at].waiting.take(|&other| other == pid);
            self.left(at, level);
            let to = self.lifted_to(&task, at, now);
            self.count(to, now);
            self.queue_up(to, pid, task.is_interactive, now);
        }
    }
}
