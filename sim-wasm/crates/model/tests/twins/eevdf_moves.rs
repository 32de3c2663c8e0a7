//! What moves between CPUs of the twin of EEVDF.
use super::*;
use crate::moves::Place;

impl Slow {
    /// The processes waiting at a CPU in any of its queues; the delayed are nobody who could be moved.
    pub fn waiting_at(&self, at: usize) -> Vec<usize> {
        let is_it = |&e: &usize| {
            let Entity { state, queue, is_delayed, .. } = self.entities[e];
            state == State::Waiting && !is_delayed && queue == self.queue_for(e, at)
        };
        (self.first_process()..self.entities.len()).filter(is_it).collect()
    }
}

impl Moves for Slow {
    fn threads(&self) -> usize {
        self.threads
    }
    fn places(&self) -> Vec<Place> {
        let place = |process: usize| {
            let Entity { state, queue, is_delayed, .. } = self.entities[process];
            let at = (0..self.threads).find(|&at| queue == self.queue_for(process, at)).unwrap_or_default();
            match state {
                State::Waiting if !is_delayed => Place::Waiting(at),
                State::Running => Place::Running(at),
                _ => Place::Asleep,
            }
        };
        (self.first_process()..self.entities.len()).map(place).collect()
    }
    /// The one that entered first: `detach_tasks` goes from the tail of `cfs_tasks`, where who was queued or picked is
    /// at the head. Where there are groups it is taken to be the one with the lowest number.
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let pids = self.waiting_at(from).into_iter().map(|e| (e, Pid((e - self.first_process()) as u32)));
        let is_cold = |e: usize| now.minus(self.entities[e].last_ran) >= self.migration_cost;
        let free = pids.filter(|&(e, pid)| is_cold(e) && masks.allows(pid, to));
        let entered = |e: usize| if self.is_group.is_empty() { self.entities[e].entered } else { 0 };
        free.min_by_key(|&(e, pid)| (entered(e), pid)).map(|(_, pid)| pid)
    }
    /// `detach_task` and `attach_task`. PLACE_REL_DEADLINE, 6.12: what is left of a request goes along.
    fn shift(&mut self, pid: Pid, from: usize, to: usize) {
        let (process, now) = (self.process(pid), self.now);
        self.on_tick(from, now);
        self.update_curr(self.queue_for(process, from), now);
        self.leave(process);
        if self.is_6_12 {
            let entity = &mut self.entities[process];
            (entity.deadline, entity.has_relative_deadline) = (entity.deadline - entity.vruntime, true);
        }
        self.dequeue_parent(from, process, true, now);
        let was_on_tick = self.on_tick(to, now);
        let is_looked_at = self.enqueue_task(to, process, now) || was_on_tick;
        if self.curr(to).is_some() {
            self.is_looked_at[to] |= self.check(to, process, is_looked_at, now);
        }
    }
}
