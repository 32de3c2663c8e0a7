//! What happens in one queue of the twin of CFS, and what moves between CPUs.
use super::*;

/// `calc_delta_fair`.
fn virtual_time(real: i128, weight: i128) -> i128 {
    real * NICE_0 / weight
}

/// What `check_preempt_tick` finds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Check {
    GoesOn,
    /// Ran longer than its slice.
    RanOn,
    /// Ahead of the first in the tree by more than its slice.
    IsAhead,
}

impl Slow {
    /// Everybody who runs or waits in a queue; their number is `nr_running`.
    pub fn on_rq(&self, queue: usize) -> Vec<usize> {
        let is_it = |&e: &usize| self.entities[e].on_rq && self.entities[e].queue == queue;
        (0..self.entities.len()).filter(is_it).collect()
    }

    /// `h_nr_running` of the root of a CPU: its processes, whatever their queue.
    fn h_nr_running(&self, at: usize) -> usize {
        let is_it = |&e: &usize| self.entities[e].on_rq && self.cpu(self.entities[e].queue) == at;
        (self.first_process()..self.entities.len()).filter(is_it).count()
    }

    /// `tasks_timeline`: of equals who came first (`__enqueue_entity`).
    fn tree(&self, queue: usize) -> Vec<usize> {
        let mut tree = self.on_rq(queue);
        tree.retain(|&e| self.queues[queue].curr != Some(e));
        tree.sort_by_key(|&e| (self.entities[e].vruntime, self.entities[e].entered));
        tree
    }

    /// `cfs_rq->load`.
    fn load(&self, queue: usize) -> i128 {
        self.on_rq(queue).iter().map(|&e| self.entities[e].weight).sum()
    }

    /// Of whoever runs in a queue, at a moment up to which he is not charged yet.
    fn vruntime_at(&self, queue: usize, curr: usize, now: Ns) -> i128 {
        let Entity { vruntime, weight, .. } = self.entities[curr];
        vruntime + virtual_time(now.minus(self.queues[queue].charged).0.into(), weight)
    }

    /// `update_curr`.
    pub fn update_curr(&mut self, queue: usize, now: Ns) {
        let Queue { curr, charged, .. } = self.queues[queue];
        let Some(curr) = curr.filter(|_| charged < now) else { return };
        self.entities[curr].vruntime = self.vruntime_at(queue, curr, now);
        self.queues[queue].charged = now;
        self.update_min_vruntime(queue);
    }

    /// `update_min_vruntime`: it never goes back.
    fn update_min_vruntime(&mut self, queue: usize) {
        let least = self.on_rq(queue).into_iter().map(|e| self.entities[e].vruntime).min();
        let clock = &mut self.queues[queue].min_vruntime;
        *clock = least.map_or(*clock, |least| least.max(*clock));
    }

    /// `place_entity` of who is not new. GENTLE_FAIR_SLEEPERS.
    fn place(&mut self, queue: usize, entity: usize) {
        let earliest = self.queues[queue].min_vruntime - self.latency / 2;
        let entity = &mut self.entities[entity];
        entity.vruntime = entity.vruntime.max(earliest);
    }

    /// `__enqueue_entity`.
    fn enter(&mut self, entity: usize) {
        self.entries += 1;
        self.entities[entity].entered = self.entries;
    }

    /// `enqueue_entity`, without its `update_cfs_group`.
    pub fn enqueue_entity(&mut self, queue: usize, entity: usize, wakes: bool, now: Ns) {
        self.update_curr(queue, now);
        if std::mem::take(&mut self.entities[entity].is_relative) {
            self.entities[entity].vruntime += self.queues[queue].min_vruntime;
        }
        if wakes {
            self.place(queue, entity);
        }
        self.enter(entity);
        (self.entities[entity].queue, self.entities[entity].on_rq) = (queue, true);
    }

    /// `dequeue_entity`, without its `update_cfs_group`.
    pub fn dequeue_entity(&mut self, entity: usize, sleeps: bool, now: Ns) {
        let queue = self.entities[entity].queue;
        self.update_curr(queue, now);
        self.clear_buddies(entity);
        self.entities[entity].on_rq = false;
        if !sleeps {
            self.entities[entity].vruntime -= self.queues[queue].min_vruntime;
            self.entities[entity].is_relative = true;
        }
        self.update_min_vruntime(queue);
    }

    /// `update_cfs_group` and `reweight_entity`: what it ran is charged by the old weight, and its vruntime stays.
    pub fn update_cfs_group(&mut self, group: usize, now: Ns) {
        let Entity { queue, on_rq, .. } = self.entities[group];
        if on_rq && self.queues[queue].curr == Some(group) {
            self.update_curr(queue, now);
        }
        self.entities[group].weight = self.shares[group / self.threads].of(queue, now).into();
    }

    /// `clear_buddies`: upward as long as it is the buddy on every level.
    fn clear_buddies(&mut self, entity: usize) {
        for e in self.upward(entity) {
            let last = &mut self.queues[self.entities[e].queue].last;
            if *last != Some(e) {
                break;
            }
            *last = None;
        }
        for e in self.upward(entity) {
            let next = &mut self.queues[self.entities[e].queue].next;
            if *next != Some(e) {
                break;
            }
            *next = None;
        }
    }

    /// `set_next_buddy`.
    pub fn set_next_buddy(&mut self, entity: usize) {
        for e in self.upward(entity) {
            assert!(self.entities[e].on_rq);
            self.queues[self.entities[e].queue].next = Some(e);
        }
    }

    /// `set_last_buddy`.
    pub fn set_last_buddy(&mut self, entity: usize) {
        for e in self.upward(entity) {
            assert!(self.entities[e].on_rq);
            self.queues[self.entities[e].queue].last = Some(e);
        }
    }

    /// `wakeup_preempt_entity`, `wakeup_gran`: by the weight of the second.
    pub fn wakeup_preempt(&self, curr: usize, se: usize) -> i32 {
        let vdiff = self.entities[curr].vruntime - self.entities[se].vruntime;
        if vdiff <= 0 {
            return -1;
        }
        i32::from(vdiff > virtual_time(self.wakeup_granularity, self.entities[se].weight))
    }

    /// `pick_next_entity`. Nobody yields, so nobody is to be skipped.
    pub fn pick_next_entity(&self, queue: usize, curr: Option<usize>) -> usize {
        let first = self.tree(queue).first().copied();
        let left = match (first, curr) {
            (Some(first), Some(curr)) if self.entities[curr].vruntime < self.entities[first].vruntime => curr,
            (first, curr) => first.or(curr).expect("somebody is queued"),
        };
        let Queue { next, last, .. } = self.queues[queue];
        let is_fair = |buddy: &usize| self.wakeup_preempt(*buddy, left) < 1;
        next.filter(is_fair).or(last.filter(is_fair)).unwrap_or(left)
    }

    /// `set_next_entity`.
    pub fn set_next_entity(&mut self, entity: usize, now: Ns) {
        self.clear_buddies(entity);
        let queue = &mut self.queues[self.entities[entity].queue];
        assert!(queue.curr.is_none() && self.entities[entity].on_rq);
        (queue.curr, queue.charged) = (Some(entity), now);
        self.entities[entity].picked = now;
    }

    /// `put_prev_entity`.
    pub fn put_prev_entity(&mut self, entity: usize, now: Ns) {
        let Entity { queue, on_rq, .. } = self.entities[entity];
        assert_eq!(self.queues[queue].curr, Some(entity));
        if on_rq {
            self.update_curr(queue, now);
            self.enter(entity);
        }
        self.queues[queue].curr = None;
    }

    /// `__sched_period`.
    fn sched_period(&self, nr_running: usize) -> i128 {
        if nr_running > self.nr_latency {
            nr_running as i128 * self.min_granularity
        } else {
            self.latency
        }
    }

    /// `sched_slice` of who is in a queue. ALT_PERIOD and BASE_SLICE since 5.13.
    fn sched_slice(&self, queue: usize, entity: usize) -> i128 {
        let nr_running = if self.has_alt_period_and_base_slice {
            self.h_nr_running(self.cpu(queue))
        } else {
            self.on_rq(queue).len()
        };
        let part = |slice: i128, e: usize| slice * self.entities[e].weight / self.load(self.entities[e].queue);
        let slice = self.upward(entity).into_iter().fold(self.sched_period(nr_running), part);
        if self.has_alt_period_and_base_slice {
            slice.max(self.min_granularity)
        } else {
            slice
        }
    }

    /// `check_preempt_tick` as it would be at a moment, with several in the queue.
    fn look(&self, queue: usize, now: Ns) -> Check {
        let curr = self.queues[queue].curr.expect("one runs");
        let ideal_runtime = self.sched_slice(queue, curr);
        let delta_exec = i128::from(now.minus(self.entities[curr].picked).0);
        if delta_exec > ideal_runtime {
            return Check::RanOn;
        }
        // Less: but who has run for just so long between ticks was picked a little after the first of them.
        if delta_exec <= self.min_granularity {
            return Check::GoesOn;
        }
        let first = self.tree(queue)[0];
        let delta = self.vruntime_at(queue, curr, now) - self.entities[first].vruntime;
        // An early return for what is less than nothing: no slice is.
        if delta > ideal_runtime {
            Check::IsAhead
        } else {
            Check::GoesOn
        }
    }

    /// `check_preempt_tick`: whether it must be looked at.
    pub fn check_preempt_tick(&mut self, queue: usize, now: Ns) -> bool {
        let check = self.look(queue, now);
        if check == Check::RanOn {
            self.clear_buddies(self.queues[queue].curr.expect("one runs"));
        }
        check != Check::GoesOn
    }

    /// The first tick after now on which `check_preempt_tick` on some level would have the running process looked at.
    pub fn end(&self, at: usize, now: Ns) -> Ns {
        let mut crowded = self.levels(at);
        crowded.retain(|&queue| self.on_rq(queue).len() > 1);
        if crowded.is_empty() {
            return Ns::MAX;
        }
        let mut tick = now;
        loop {
            tick = tick.next_tick(Ns(self.tick));
            if crowded.iter().any(|&queue| self.look(queue, tick) != Check::GoesOn) {
                return tick;
            }
        }
    }
}

impl Moves for Slow {
    fn threads(&self) -> usize {
        self.threads
    }
    fn places(&self) -> Vec<Place> {
        let place = |process: usize| {
            let Entity { queue, on_rq, .. } = self.entities[process];
            match on_rq {
                false => Place::Asleep,
                true if self.queues[queue].curr == Some(process) => Place::Running(self.cpu(queue)),
                true => Place::Waiting(self.cpu(queue)),
            }
        };
        (self.first_process()..self.entities.len()).map(place).collect()
    }
    /// The first in the tree; where there are groups, the one with the lowest number.
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let places = self.places().into_iter().enumerate();
        let waiting = places.filter(|&(_, place)| place == Place::Waiting(from)).map(|(pid, _)| Pid(pid as u32));
        let entity = |pid: Pid| &self.entities[self.process(pid)];
        let is_cold = |pid: Pid| now.minus(entity(pid).last_ran) >= self.migration_cost;
        let free = waiting.filter(|&pid| is_cold(pid) && masks.allows(pid, to));
        let has_groups = self.is_group.contains(&true);
        let order = |pid: Pid| if has_groups { (0, 0) } else { (entity(pid).vruntime, entity(pid).entered) };
        free.min_by_key(|&pid| (order(pid), pid))
    }
    /// `detach_task` and `attach_task`.
    fn shift(&mut self, pid: Pid, from: usize, to: usize) {
        let (process, now) = (self.process(pid), self.now);
        self.on_tick(from, now);
        self.dequeue_task(from, process, false, now);
        self.on_tick(to, now);
        self.enqueue_task(to, process, false, now);
        self.check_preempt_wakeup(to, process, now);
    }
}
