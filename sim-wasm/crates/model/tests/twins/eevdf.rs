//! EEVDF with plain lists, from the text of Linux `kernel/sched/fair.c`, 6.6 and 6.12: every sum is added up anew,
//! every pick looks at everybody. Each rule names the function that has it; what both versions have bears no number.
//!
//! Where the kernel multiplies by inverse weights (`__calc_delta`), this divides whole numbers and rounds down; only
//! the average is rounded toward the past, all else that has a sign toward zero, as `div_s64` does. A virtual time
//! counts only against others of its queue, so `min_vruntime`, from which the kernel counts, is not kept.
//!
//! One thing is not the kernel's: a move between queues brings both accounts up to date, but only where the process
//! comes to is anybody looked at.
#[path = "eevdf_moves.rs"]
mod eevdf_moves;

use crate::cfs::nice_weight;
use crate::moves::{self, Moves, Place};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{EevdfGeneration, NodeConfig};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;

const NICE_0: i128 = 1024;

/// `struct sched_entity`.
#[derive(Clone, Debug)]
struct Entity {
    place: Place,
    /// `sched_delayed`: sleeps, but still counts in the queue where it waits.
    is_delayed: bool,
    weight: i128,
    vruntime: i128,
    deadline: i128,
    /// Lag at its last leaving.
    vlag: i128,
    /// `deadline` is counted from `vruntime` while it is between two queues.
    has_relative_deadline: bool,
    /// The deadline with which it was picked: `vlag` of a running one (`set_next_entity`).
    picked_with: i128,
    is_new: bool,
    slice: i128, // its own (`custom_slice`), or the base slice
    /// Number of its last entry into a queue.
    entered: u64,
    last_ran: Ns,
}

pub struct Slow {
    entities: Vec<Entity>,
    is_6_12: bool,
    /// `sysctl_sched_base_slice`.
    slice: i128,
    tick: u64,
    migration_cost: Ns,
    /// Up to when the running one of each thread is charged.
    charged: Vec<Ns>,
    /// `TIF_NEED_RESCHED` of the running one, set by a move (`enqueue_entity` and `wakeup_preempt` in `attach_task`).
    is_looked_at: Vec<bool>,
    entries: u64,
    now: Ns,
}

/// `calc_delta_fair`.
fn virtual_time(real: i128, weight: i128) -> i128 {
    real * NICE_0 / weight
}

impl Slow {
    pub fn new(node: &NodeConfig) -> Self {
        let threads = node.threads();
        let factor = [1, 2, 2, 3, 3, 3, 3, 4][threads.min(8) - 1];
        Slow {
            entities: Vec::new(),
            is_6_12: node.eevdf_generation == EevdfGeneration::Linux612,
            slice: i128::from(node.eevdf_base_slice.0) * factor,
            tick: 1_000_000_000 / u64::from(node.tick_hz),
            migration_cost: node.cfs.migration_cost,
            charged: vec![Ns::ZERO; threads],
            is_looked_at: vec![false; threads],
            entries: 0,
            now: Ns::ZERO,
        }
    }

    /// Processes come with ascending numbers.
    pub fn admit(&mut self, nice: i32, asked: Option<Ns>) {
        self.entities.push(Entity {
            place: Place::Asleep,
            is_delayed: false,
            weight: nice_weight(nice) as i128,
            vruntime: 0,
            deadline: 0,
            vlag: 0,
            has_relative_deadline: false,
            picked_with: 0,
            is_new: true,
            slice: asked.filter(|_| self.is_6_12).map_or(self.slice, |own| own.0.into()),
            entered: 0,
            last_ran: Ns::ZERO,
        });
    }

    fn all_at(&self, place: Place) -> Vec<usize> {
        (0..self.entities.len()).filter(|&e| self.entities[e].place == place).collect()
    }

    fn curr(&self, at: usize) -> Option<usize> {
        self.all_at(Place::Running(at)).first().copied()
    }

    /// The tree: by deadline, then by entry (`entity_before`, `__enqueue_entity`).
    fn tree(&self, at: usize) -> Vec<usize> {
        let mut tree = self.all_at(Place::Waiting(at));
        tree.sort_by_key(|&e| (self.entities[e].deadline, self.entities[e].entered));
        tree
    }

    /// Everybody with `on_rq`; their number is `nr_running`, which counts the delayed as well.
    fn on_rq(&self, at: usize) -> Vec<usize> {
        self.tree(at).into_iter().chain(self.curr(at)).collect()
    }

    fn load(&self, at: usize) -> i128 {
        self.on_rq(at).iter().map(|&e| self.entities[e].weight).sum()
    }

    fn weighted(&self, at: usize) -> i128 {
        self.on_rq(at).iter().map(|&e| self.entities[e].weight * self.entities[e].vruntime).sum()
    }

    /// `avg_vruntime`; of an empty queue any number will do.
    fn average(&self, at: usize) -> i128 {
        self.weighted(at).div_euclid(self.load(at).max(1))
    }

    /// `vruntime_eligible`: without a division.
    fn is_eligible(&self, at: usize, entity: usize) -> bool {
        self.weighted(at) >= self.entities[entity].vruntime * self.load(at)
    }

    /// `entity_lag`: within two slices, or a tick where that is longer.
    fn lag(&self, at: usize, entity: usize) -> i128 {
        let entity = &self.entities[entity];
        let limit = virtual_time((2 * entity.slice).max(self.tick.into()), entity.weight);
        (self.average(at) - entity.vruntime).clamp(-limit, limit)
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

    /// `entity_tick` on each tick since this thread was last looked at, and then `update_curr` without its
    /// `update_deadline`.
    fn charge(&mut self, at: usize, now: Ns) {
        let Some(curr) = self.curr(at) else { return };
        let (before, since) = (self.entities[curr].vruntime, self.charged[at].0);
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
        self.charged[at] = now;
    }

    /// `update_curr`: whether the running one must be looked at (`resched_curr`).
    fn update_curr(&mut self, at: usize, now: Ns) -> bool {
        let is_up_to_date = self.charged[at] == now;
        self.charge(at, now);
        let Some(curr) = self.curr(at).filter(|_| !is_up_to_date) else { return false };
        let is_over = self.renew(curr);
        self.on_rq(at).len() > 1 && (is_over || self.is_past_its_share(at, curr))
    }

    /// `did_preempt_short`, 6.12: past the request with which it was picked, and no longer owed anything.
    fn is_past_its_share(&self, at: usize, curr: usize) -> bool {
        self.is_6_12 && !self.is_protected(curr) && !self.is_eligible(at, curr)
    }

    /// RUN_TO_PARITY in `pick_eevdf`, `protect_slice`.
    fn is_protected(&self, curr: usize) -> bool {
        self.entities[curr].picked_with == self.entities[curr].deadline
    }

    /// `pick_eevdf`: it falls out as soon as it is not eligible, before anything protects it; of equals the waiting one
    /// runs.
    fn pick_eevdf(&self, at: usize) -> Option<usize> {
        let (tree, curr) = (self.tree(at), self.curr(at));
        if self.on_rq(at).len() == 1 {
            return curr.or(tree.first().copied());
        }
        let curr = curr.filter(|&c| self.is_eligible(at, c));
        if let Some(curr) = curr.filter(|&c| self.is_protected(c)) {
            return Some(curr);
        }
        let best = tree.into_iter().find(|&e| self.is_eligible(at, e));
        match (curr, best) {
            (Some(c), Some(b)) if self.entities[c].deadline < self.entities[b].deadline => Some(c),
            _ => best.or(curr),
        }
    }

    /// `check_preempt_wakeup_fair`; `do_preempt_short`, 6.12: a shorter request ends the protection of a longer one.
    fn is_preempted_by(&mut self, at: usize, came: usize) -> bool {
        let curr = self.curr(at).expect("one runs");
        let (new, old) = (&self.entities[came], &self.entities[curr]);
        let wins = new.deadline < old.deadline || !self.is_eligible(at, curr);
        if new.slice < old.slice && self.is_eligible(at, came) && wins && self.is_protected(curr) {
            self.entities[curr].picked_with = old.deadline + 1;
        }
        self.pick_eevdf(at) == Some(came)
    }

    /// `pick_task_fair`: the delayed leave when they are picked (`pick_next_entity`, 6.12).
    fn pick_task(&mut self, at: usize) -> Option<usize> {
        loop {
            let picked = self.pick_eevdf(at)?;
            if !self.entities[picked].is_delayed {
                return Some(picked);
            }
            self.leave(at, picked);
        }
    }

    /// `dequeue_entity` of a sleeper. DELAY_ZERO, 6.12: nobody whose leaving was delayed is owed anything by then.
    fn leave(&mut self, at: usize, entity: usize) {
        let lag = self.lag(at, entity);
        let entity = &mut self.entities[entity];
        entity.vlag = if entity.is_delayed { lag.min(0) } else { lag };
        (entity.place, entity.is_delayed) = (Place::Asleep, false);
    }

    /// `dequeue_entity`, DELAY_DEQUEUE, 6.12: who blocks while he is not eligible stays until he is picked.
    fn block(&mut self, at: usize, entity: usize) {
        if self.is_6_12 && !self.is_eligible(at, entity) {
            self.entities[entity].is_delayed = true;
            self.wait(at, entity);
        } else {
            self.leave(at, entity);
        }
    }

    /// `__enqueue_entity`.
    fn wait(&mut self, at: usize, entity: usize) {
        self.entries += 1;
        self.entities[entity].entered = self.entries;
        self.entities[entity].place = Place::Waiting(at);
    }

    /// `place_entity` in `enqueue_entity`.
    fn enqueue(&mut self, at: usize, entity: usize) {
        let (average, others, is_alone) = (self.average(at), self.load(at), self.on_rq(at).is_empty());
        self.wait(at, entity);
        let weight = self.entities[entity].weight;
        let (slice, is_6_12) = (virtual_time(self.entities[entity].slice, weight), self.is_6_12);
        let entity = &mut self.entities[entity];
        // PLACE_LAG: as much more as its own weight will draw the average toward it.
        let lag = if is_alone { 0 } else { entity.vlag * (others + weight) / others };
        entity.vruntime = average - lag;
        // PLACE_DEADLINE_INITIAL: in 6.6 `enqueue_entity` places a new one again and forgets the half that
        // `task_fork_fair` gave.
        let part = if is_6_12 && entity.is_new { slice / 2 } else { slice };
        let relative = if entity.has_relative_deadline { entity.deadline } else { part };
        entity.deadline = entity.vruntime + relative;
        (entity.has_relative_deadline, entity.is_new) = (false, false);
    }

    /// `requeue_delayed_entity`, 6.12: goes on where it was; who is owed something starts anew with nothing owed.
    fn requeue_delayed(&mut self, at: usize, entity: usize) {
        if self.lag(at, entity) > 0 {
            self.leave(at, entity);
            self.enqueue(at, entity);
        }
        self.entities[entity].is_delayed = false;
    }

    /// `set_next_entity`.
    fn set_next(&mut self, at: usize, entity: usize, now: Ns) {
        let next = &mut self.entities[entity];
        next.picked_with = next.deadline;
        next.place = Place::Running(at);
        self.charged[at] = now;
    }

    /// The first tick on which `update_curr` would have the running one looked at. Alone it runs on.
    fn slice_end(&mut self, at: usize, now: Ns) -> Ns {
        let curr = self.curr(at).expect("one runs");
        if self.on_rq(at).len() == 1 {
            return Ns::MAX;
        }
        let before = self.entities[curr].vruntime;
        let mut end = now.0;
        loop {
            end = (end / self.tick + 1) * self.tick;
            let ran = virtual_time((end - now.0).into(), self.entities[curr].weight);
            self.entities[curr].vruntime = before + ran;
            if before + ran >= self.entities[curr].deadline || self.is_past_its_share(at, curr) {
                self.entities[curr].vruntime = before;
                return Ns(end);
            }
        }
    }
}

impl RunQueue for Slow {
    /// `try_to_wake_up` and `check_preempt_wakeup_fair`.
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let woken = pid.i();
        // `requeue_delayed_entity` has no `update_curr`, as `enqueue_entity` has: the average is that of the last tick,
        // or of whatever else brought the account of the running one up to date.
        let is_queued = self.entities[woken].place != Place::Asleep;
        let last_tick = Ns(now.0 / self.tick * self.tick);
        let mut is_looked_at = is_queued && self.charged[at] < last_tick && self.update_curr(at, last_tick);
        if is_queued {
            self.requeue_delayed(at, woken);
        }
        is_looked_at |= self.update_curr(at, now);
        if !is_queued {
            self.enqueue(at, woken);
        }
        if self.curr(at).is_none() {
            return Preempt::No;
        }
        is_looked_at |= self.is_preempted_by(at, woken);
        if is_looked_at {
            return Preempt::Now;
        }
        Preempt::Until(self.slice_end(at, now))
    }

    /// `schedule`: who goes on running keeps what he was picked with; only another is put back and set.
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.update_curr(at, now);
        self.is_looked_at[at] = false;
        if let Some(Ended { pid, why }) = ended {
            self.entities[pid.i()].last_ran = now;
            if why == Why::Blocked {
                self.block(at, pid.i());
            }
        }
        let before = self.curr(at);
        let next = self.pick_task(at)?;
        if before != Some(next) {
            if let Some(before) = before {
                self.wait(at, before);
            }
            self.set_next(at, next, now);
        }
        Some(Next { pid: Pid(next as u32), until: self.slice_end(at, now) })
    }

    /// `put_prev_entity`.
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.update_curr(at, now);
        self.entities[ended.pid.i()].last_ran = now;
        match ended.why {
            Why::Blocked => self.block(at, ended.pid.i()),
            _ => self.wait(at, ended.pid.i()),
        }
    }

    /// `ttwu_runnable`, 6.12: who is still in a queue is woken there.
    fn kept(&self, pid: Pid) -> Option<usize> {
        match self.entities[pid.i()].place {
            Place::Waiting(at) if self.entities[pid.i()].is_delayed => Some(at),
            _ => None,
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.tree(at).iter().filter(|&&e| !self.entities[e].is_delayed).count()
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        self.now = now;
        moves::pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        self.now = now;
        moves::level(self, now, masks)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        let is_over = self.update_curr(at, now);
        if std::mem::take(&mut self.is_looked_at[at]) || is_over {
            return now;
        }
        self.slice_end(at, now)
    }
}
