//! Who waits at a thread, and the sums over them by which the average is known without looking at each.
use super::Eevdf;
use crate::host::deadlines::Entry;
use crate::host::eevdf_queue::{Entity, Queue, Total};
use crate::ids::Pid;

impl Eevdf {
    #[inline]
    pub(super) fn total(&self, at: usize) -> Total {
        let Queue { base, sum, load, running, .. } = self.queues[at];
        match running.map(|pid| &self.entities[pid.i()]) {
            None => Total { base, sum, load },
            Some(e) => Total {
                base,
                sum: sum + i128::from(e.virtual_time - base) * i128::from(e.weight),
                load: load + e.weight,
            },
        }
    }

    /// Weighted mean of the virtual times at a thread; the last one where nothing is runnable.
    pub(super) fn average(&mut self, at: usize) -> i64 {
        let distance = self.total(at).distance();
        let queue = &mut self.queues[at];
        queue.sum -= i128::from(distance) * i128::from(queue.load);
        queue.base += distance;
        queue.base
    }

    /// What a process is owed now, in virtual time (`update_entity_lag`).
    pub(super) fn lag(&mut self, at: usize, pid: Pid) -> i64 {
        let average = self.average(at);
        self.limited(at, pid, average - self.entities[pid.i()].virtual_time)
    }

    pub(super) fn insert(&mut self, at: usize, pid: Pid) {
        self.serial += 1;
        let (queue, entity) = (&mut self.queues[at], &mut self.entities[pid.i()]);
        let &mut Entity { deadline, virtual_time, weight, .. } = entity;
        (entity.serial, entity.home) = (self.serial, at as u16);
        if queue.tree.is_empty() {
            queue.base = virtual_time;
        }
        queue.sum += i128::from(virtual_time - queue.base) * i128::from(weight);
        queue.load += weight;
        queue.tree.insert(Entry { deadline, serial: self.serial, virtual_time, pid });
    }

    pub(super) fn remove(&mut self, at: usize, pid: Pid) {
        let (queue, entity) = (&mut self.queues[at], &self.entities[pid.i()]);
        queue.tree.remove(entity.deadline, entity.serial);
        queue.sum -= i128::from(entity.virtual_time - queue.base) * i128::from(entity.weight);
        queue.load -= entity.weight;
    }

    /// One who ran is put back, and another taken.
    #[inline]
    pub(super) fn exchange(&mut self, at: usize, before: Pid, next: Pid) {
        self.serial += 1;
        let (queue, serial) = (&mut self.queues[at], self.serial);
        let Entity { deadline, serial: gone, virtual_time, weight, .. } = self.entities[next.i()];
        queue.sum -= i128::from(virtual_time - queue.base) * i128::from(weight);
        queue.load -= weight;
        let entity = &mut self.entities[before.i()];
        (entity.serial, entity.home) = (serial, at as u16);
        queue.sum += i128::from(entity.virtual_time - queue.base) * i128::from(entity.weight);
        queue.load += entity.weight;
        let Entity { deadline: end, virtual_time, .. } = *entity;
        queue.tree.exchange(Entry { deadline: end, serial, virtual_time, pid: before }, deadline, gone);
    }
}
