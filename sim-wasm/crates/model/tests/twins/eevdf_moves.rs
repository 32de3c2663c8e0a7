//! What moves between queues of the twin of EEVDF.
use super::*;

impl Moves for Slow {
    fn threads(&self) -> usize {
        self.charged.len()
    }
    /// The delayed are nobody who could be moved.
    fn places(&self) -> Vec<Place> {
        self.entities.iter().map(|e| if e.is_delayed { Place::Asleep } else { e.place }).collect()
    }
    /// The one that entered first: `detach_tasks` goes from the tail of `cfs_tasks`, where who was queued or picked is
    /// at the head.
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let is_cold = |e: &usize| now.minus(self.entities[*e].last_ran) >= self.migration_cost;
        let open = self.tree(from).into_iter().filter(|&e| !self.entities[e].is_delayed);
        let free = open.filter(|e| is_cold(e) && masks.allows(Pid(*e as u32), to));
        free.min_by_key(|&e| self.entities[e].entered).map(|e| Pid(e as u32))
    }
    /// `dequeue_entity` and `enqueue_entity` of `detach_task` and `attach_task`. PLACE_REL_DEADLINE, 6.12: what is left
    /// of a request goes along.
    fn shift(&mut self, pid: Pid, from: usize, to: usize) {
        self.update_curr(from, self.now);
        let is_over = self.update_curr(to, self.now);
        self.leave(from, pid.i());
        if self.is_6_12 {
            let entity = &mut self.entities[pid.i()];
            (entity.deadline, entity.has_relative_deadline) = (entity.deadline - entity.vruntime, true);
        }
        self.enqueue(to, pid.i());
        if self.curr(to).is_some() {
            self.is_looked_at[to] |= self.is_preempted_by(to, pid.i()) || is_over;
        }
    }
}
