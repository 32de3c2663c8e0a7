//! What happens in one queue of the twin of EEVDF.
use super::*;

impl Slow {
    fn those(&self, queue: usize, state: State) -> Vec<usize> {
        let is_it = |e: &Entity| e.state == state && e.queue == queue;
        (0..self.entities.len()).filter(|&e| is_it(&self.entities[e])).collect()
    }

    pub fn curr(&self, queue: usize) -> Option<usize> {
        self.those(queue, State::Running).first().copied()
    }

    /// By deadline, then by entry (`entity_before`, `__enqueue_entity`).
    fn tree(&self, queue: usize) -> Vec<usize> {
        let mut tree = self.those(queue, State::Waiting);
        tree.sort_by_key(|&e| (self.entities[e].deadline, self.entities[e].entered));
        tree
    }

    /// Everybody with `on_rq`; their number is `nr_running`, later `nr_queued`, which counts the delayed as well.
    pub fn on_rq(&self, queue: usize) -> Vec<usize> {
        self.tree(queue).into_iter().chain(self.curr(queue)).collect()
    }

    fn load(&self, queue: usize) -> i128 {
        self.on_rq(queue).iter().map(|&e| self.entities[e].weight).sum()
    }

    fn weighted(&self, queue: usize) -> i128 {
        self.on_rq(queue).iter().map(|&e| self.entities[e].weight * self.entities[e].vruntime).sum()
    }

    /// `avg_vruntime`; of an empty queue any number will do.
    fn average(&self, queue: usize) -> i128 {
        self.weighted(queue).div_euclid(self.load(queue).max(1))
    }

    /// `entity_eligible`: without a division.
    fn is_eligible(&self, entity: usize) -> bool {
        let Entity { queue, vruntime, .. } = self.entities[entity];
        self.weighted(queue) >= vruntime * self.load(queue)
    }

    /// `entity_lag`: within two slices, or a tick where that is longer; 6.18 (`cfs_rq_max_slice`): the longest slice
    /// and a tick.
    fn lag(&self, entity: usize) -> i128 {
        let Entity { queue, vruntime, slice, weight, .. } = self.entities[entity];
        let longest = self.on_rq(queue).into_iter().map(|e| self.entities[e].slice).max();
        let limit = match longest.filter(|_| self.is_6_17) {
            Some(longest) => virtual_time(longest + i128::from(self.tick), weight),
            None => virtual_time((2 * slice).max(self.tick.into()), weight),
        };
        (self.average(queue) - vruntime).clamp(-limit, limit)
    }

    /// `update_deadline`: whether a request is at its end. The next one starts.
    fn renew(&mut self, entity: usize) -> bool {
        let Entity { vruntime, deadline, weight, slice, .. } = self.entities[entity];
        let is_over = vruntime >= deadline;
        if is_over {
            self.entities[entity].deadline = vruntime + virtual_time(slice, weight);
        }
        is_over
    }

    /// `update_curr` on each tick since this queue was last looked at, and then without its `update_deadline`.
    fn charge(&mut self, queue: usize, now: Ns) {
        let Some(curr) = self.curr(queue) else { return };
        let (before, since) = (self.entities[curr].vruntime, self.charged[queue].0);
        let run = |me: &mut Self, until: u64| {
            let ran = virtual_time((until - since).into(), me.entities[curr].weight);
            me.entities[curr].vruntime = before + ran;
        };
        let mut tick = (since / self.tick + 1) * self.tick;
        while tick <= now.0 {
            run(self, tick);
            self.renew(curr);
            tick += self.tick;
        }
        run(self, now.0);
        self.charged[queue] = now;
    }

    /// `update_curr`: whether the running one must be looked at (`resched_curr`).
    pub fn update_curr(&mut self, queue: usize, now: Ns) -> bool {
        let is_up_to_date = self.charged[queue] == now;
        self.charge(queue, now);
        let Some(curr) = self.curr(queue).filter(|_| !is_up_to_date) else { return false };
        let is_over = self.renew(curr);
        self.on_rq(queue).len() > 1 && (is_over || self.is_past_its_share(curr))
    }

    /// `did_preempt_short`, 6.12: past the request with which it was picked, and no longer owed anything. 6.17, in
    /// `update_curr`: not protected any more.
    fn is_past_its_share(&self, curr: usize) -> bool {
        !self.is_protected(curr) && (self.is_6_17 || self.is_6_12 && !self.is_eligible(curr))
    }

    /// RUN_TO_PARITY in `pick_eevdf`; 6.17: `protect_slice`.
    fn is_protected(&self, curr: usize) -> bool {
        let Entity { picked_with, deadline, vprot, vruntime, .. } = self.entities[curr];
        if self.is_6_17 {
            vprot - vruntime > 0
        } else {
            picked_with == deadline
        }
    }

    /// `cfs_rq_min_slice`, as a virtual time from now for an entity.
    fn min_vslice(&self, queue: usize, entity: usize) -> i128 {
        let slices = self.on_rq(queue).into_iter().map(|e| self.entities[e].slice);
        let least = slices.chain([self.entities[entity].slice]).min().expect("its own");
        virtual_time(least, self.entities[entity].weight)
    }

    /// `set_protect_slice`, 6.17.
    fn set_protect_slice(&mut self, queue: usize, entity: usize) {
        let within = self.entities[entity].vruntime + self.min_vslice(queue, entity);
        self.entities[entity].vprot = self.entities[entity].deadline.min(within);
    }

    /// `pick_eevdf`: the running one falls out as soon as it is not eligible, before anything protects it; of equals
    /// the waiting one runs.
    pub fn pick_eevdf(&self, queue: usize) -> Option<usize> {
        self.pick(queue, true)
    }

    /// `__pick_eevdf`, 6.17: with or without protection.
    fn pick(&self, queue: usize, protects: bool) -> Option<usize> {
        let (tree, curr) = (self.tree(queue), self.curr(queue));
        if self.on_rq(queue).len() == 1 {
            return curr.or(tree.first().copied());
        }
        let curr = curr.filter(|&c| self.is_eligible(c));
        if let Some(curr) = curr.filter(|&c| protects && self.is_protected(c)) {
            return Some(curr);
        }
        let best = tree.into_iter().find(|&e| self.is_eligible(e));
        match (curr, best) {
            (Some(c), Some(b)) if self.entities[c].deadline < self.entities[b].deadline => Some(c),
            _ => best.or(curr),
        }
    }

    /// `check_preempt_wakeup_fair` of 6.18.33 and later: PREEMPT_WAKEUP_SHORT is to pick without protection. `pick` is
    /// `pick_next_entity`: the delayed leave, and a new pick is made.
    pub fn is_preempted_since_6_17(
        &mut self,
        queue: usize,
        came: usize,
        mut dequeue_delayed: impl FnMut(&mut Self, usize),
    ) -> bool {
        let curr = self.curr(queue).expect("one runs");
        let is_short = self.entities[came].slice < self.entities[curr].slice;
        let wins = loop {
            let nse = self.pick(queue, !is_short).expect("one came");
            if !self.entities[nse].is_delayed {
                break nse == came;
            }
            dequeue_delayed(self, nse);
        };
        // `cancel_protect_slice` where it wins, else `update_protect_slice`.
        if is_short || !wins {
            let left = if wins { 0 } else { self.min_vslice(queue, curr) };
            let curr = &mut self.entities[curr];
            curr.vprot = curr.vprot.min(curr.vruntime + left);
        }
        wins
    }

    /// `do_preempt_short`, 6.12: a shorter request ends the protection of a longer one. Then whether the pick is who
    /// came.
    pub fn is_preempted_by(&mut self, queue: usize, came: usize) -> bool {
        let curr = self.curr(queue).expect("one runs");
        let (new, old) = (&self.entities[came], &self.entities[curr]);
        let wins = new.deadline < old.deadline || !self.is_eligible(curr);
        if self.is_6_12 && new.slice < old.slice && self.is_eligible(came) && wins && self.is_protected(curr) {
            self.entities[curr].picked_with = old.deadline + 1;
        }
        self.pick_eevdf(queue) == Some(came)
    }

    /// `dequeue_entity`. DELAY_ZERO, 6.12: nobody whose leaving was delayed is owed anything by then.
    pub fn leave(&mut self, entity: usize) {
        let lag = self.lag(entity);
        let entity = &mut self.entities[entity];
        entity.vlag = if entity.is_delayed { lag.min(0) } else { lag };
        (entity.state, entity.is_delayed) = (State::Asleep, false);
    }

    /// `dequeue_entity`, DELAY_DEQUEUE, 6.12: who blocks while he is not eligible stays until he is picked. Where he
    /// ran, he is `cfs_rq->curr` until after the pick (`put_prev_entity`). Answers whether he has left.
    pub fn block(&mut self, entity: usize) -> bool {
        if self.is_6_12 && !self.is_eligible(entity) {
            self.entities[entity].is_delayed = true;
            return false;
        }
        self.leave(entity);
        true
    }

    /// `__enqueue_entity`.
    pub fn wait(&mut self, entity: usize) {
        self.entries += 1;
        self.entities[entity].entered = self.entries;
        self.entities[entity].state = State::Waiting;
    }

    /// `place_entity` of one that is not in the tree. Whoever runs there stands in the average and in the load, even if
    /// it is the one to be placed, but is not among the others then.
    pub fn place(&mut self, queue: usize, entity: usize) {
        let (average, load) = (self.average(queue), self.load(queue));
        let has_others = self.on_rq(queue).into_iter().any(|e| e != entity);
        let is_6_12 = self.is_6_12;
        let entity = &mut self.entities[entity];
        let slice = virtual_time(entity.slice, entity.weight);
        // PLACE_LAG: as much more as its own weight will draw the average toward it.
        let lag = if has_others { entity.vlag * (load + entity.weight) / load } else { 0 };
        (entity.queue, entity.vruntime) = (queue, average - lag);
        // PLACE_DEADLINE_INITIAL: in 6.6 `enqueue_entity` places a new one again and forgets the half that
        // `task_fork_fair` gave.
        let part = if is_6_12 && entity.is_new { slice / 2 } else { slice };
        let relative = if entity.has_relative_deadline { entity.deadline } else { part };
        entity.deadline = entity.vruntime + relative;
        (entity.has_relative_deadline, entity.is_new) = (false, false);
    }

    /// `requeue_delayed_entity`, 6.12: goes on where it was; who is owed something starts anew with nothing owed.
    pub fn requeue_delayed(&mut self, entity: usize) {
        if self.lag(entity) > 0 {
            self.leave(entity);
            self.place(self.entities[entity].queue, entity);
            self.wait(entity);
        }
        self.entities[entity].is_delayed = false;
    }

    /// `reweight_entity`: whether the running one must be looked at.
    pub fn reweight_entity(&mut self, entity: usize, weight: i128, now: Ns) -> bool {
        let Entity { state, queue, weight: old, .. } = self.entities[entity];
        if weight == old {
            return false;
        }
        if state == State::Asleep {
            let changed = &mut self.entities[entity];
            (changed.vlag, changed.weight) = (changed.vlag * old / weight, weight);
            return false;
        }
        let is_looked_at = self.update_curr(queue, now);
        let (average, lag) = (self.average(queue), self.lag(entity) * old / weight);
        let changed = &mut self.entities[entity];
        changed.weight = weight;
        if self.is_6_17 {
            (changed.vlag, changed.has_relative_deadline) = (lag, true);
            changed.deadline = (changed.deadline - changed.vruntime) * old / weight;
            if state == State::Waiting {
                changed.state = State::Asleep;
            }
            self.place(queue, entity);
            // `vlag` and `vprot` are a union: the lag was written over what it was protected for.
            self.entities[entity].vprot = self.entities[entity].vruntime;
        } else {
            // `reweight_eevdf`.
            changed.vruntime = average - lag;
            changed.deadline = average + (changed.deadline - average) * old / weight;
        }
        if state == State::Waiting {
            self.wait(entity);
        }
        is_looked_at
    }

    /// `set_next_entity`.
    pub fn set_next(&mut self, entity: usize, now: Ns) {
        let next = &mut self.entities[entity];
        let queue = next.queue;
        (next.state, next.picked_with) = (State::Running, next.deadline);
        self.charged[queue] = now;
        self.set_protect_slice(queue, entity);
    }

    /// The first tick after now on which `update_curr` would have the running one of a queue looked at. Alone it runs
    /// on.
    pub fn slice_end(&mut self, queue: usize, now: Ns) -> Ns {
        let curr = self.curr(queue).expect("one runs");
        if self.on_rq(queue).len() == 1 {
            return Ns::MAX;
        }
        let before = self.entities[curr].vruntime;
        let mut end = now.0;
        loop {
            end = (end / self.tick + 1) * self.tick;
            let ran = virtual_time((end - self.charged[queue].0).into(), self.entities[curr].weight);
            self.entities[curr].vruntime = before + ran;
            if before + ran >= self.entities[curr].deadline || self.is_past_its_share(curr) {
                self.entities[curr].vruntime = before;
                return Ns(end);
            }
        }
    }
}
