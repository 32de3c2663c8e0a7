//! EEVDF with plain lists, from the text of Linux `kernel/sched/fair.c`, 6.6, 6.12 and 6.17, with control groups of one
//! level (`CONFIG_FAIR_GROUP_SCHED`) or none: every sum is added up anew, every pick looks at everybody. Each rule
//! names the function that has it; what all versions have bears no number.
//!
//! Where the kernel multiplies by inverse weights (`__calc_delta`), this divides whole numbers and rounds down; only
//! the average is rounded toward the past, all else that has a sign toward zero, as `div_s64` does. A virtual time
//! counts only against others of its queue, so `min_vruntime`, from which the kernel counts, is not kept.
//!
//! Each CPU has a queue of its own (the root) and one for each group; a group stands in the root as an entity as soon
//! as somebody is in its queue there. What that entity weighs is for [`Shares`] to say.
//!
//! Three things are not the kernel's: of the ticks between two commands to a CPU a group is weighed anew on the last
//! alone; at a wake-up of somebody delayed nothing is done at the root; and a move has nobody looked at where the
//! process comes from.
#[path = "eevdf_levels.rs"]
mod eevdf_levels;
#[path = "eevdf_moves.rs"]
mod eevdf_moves;

use crate::draws::nice_weight;
use crate::moves::{self, Moves};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, EevdfGeneration, NodeConfig};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::host::shares::{Own, Rule, Shares};
use wwi_model::ids::Pid;

/// `NICE_0_LOAD`, and the weight of a group of `cpu.weight` 100.
const NICE_0: i128 = 1024 * 1024;

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Asleep,
    /// In the tree.
    Waiting,
    /// `cfs_rq->curr`.
    Running,
}

/// `struct sched_entity` of a process, or of a group on one CPU.
#[derive(Clone, Debug)]
struct Entity {
    state: State,
    /// `cfs_rq_of`; of a sleeper: where it was last.
    queue: usize,
    /// `sched_delayed`: sleeps, but still counts in the queue where it waits.
    is_delayed: bool,
    weight: i128,
    vruntime: i128,
    deadline: i128,
    /// Lag at its last leaving.
    vlag: i128,
    /// `rel_deadline`.
    has_relative_deadline: bool,
    /// The deadline with which it was picked: `vlag` of a running one (`set_next_entity`).
    picked_with: i128,
    /// 6.17: up to when it is left alone.
    vprot: i128,
    /// `ENQUEUE_INITIAL`, which is for the process alone, never for its group.
    is_new: bool,
    slice: i128,
    /// Number of its last entry into a tree.
    entered: u64,
    last_ran: Ns,
}

/// Entities are groups by CPU, then processes; queues are those of CPUs, then those of groups in the same order.
pub struct Slow {
    threads: usize,
    entities: Vec<Entity>,
    shares: Vec<Shares>,
    /// Of each process: its load, and its group.
    own: Vec<(Own, Option<usize>)>,
    /// Which of the groups of the host are any.
    is_group: Vec<bool>,
    is_6_12: bool,
    /// `reweight_entity` of 6.17, which places anew.
    is_6_17: bool,
    /// `sysctl_sched_base_slice`.
    slice: i128,
    tick: u64,
    migration_cost: Ns,
    /// Up to when the running one of each queue is charged (`exec_start`).
    charged: Vec<Ns>,
    /// `TIF_NEED_RESCHED`, set by a move.
    is_looked_at: Vec<bool>,
    entries: u64,
    now: Ns,
}

/// By so much less than a tick a process is charged from one to the next \[ns\]: here requests are longer by it.
const TICK_ERROR: i128 = 1_000;

/// `calc_delta_fair`.
fn virtual_time(real: i128, weight: i128) -> i128 {
    real * NICE_0 / weight
}

impl Slow {
    pub fn new(node: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let threads = node.threads();
        let factor = [1, 2, 2, 3, 3, 3, 3, 4][threads.min(8) - 1];
        let slice = i128::from(node.eevdf_base_slice.0) * factor + TICK_ERROR;
        let weight = |group: &Option<CgroupConfig>| 1024 * 1024 * group.map_or(100, |g| u64::from(g.weight)) / 100;
        let mut slow = Slow {
            threads,
            entities: Vec::new(),
            shares: groups.iter().map(|group| Shares::new(weight(group), threads, Rule::Linux67)).collect(),
            own: Vec::new(),
            is_group: groups.iter().map(Option::is_some).collect(),
            is_6_12: node.eevdf_generation.delays(),
            is_6_17: node.eevdf_generation == EevdfGeneration::Linux618,
            slice,
            tick: 1_000_000_000 / u64::from(node.tick_hz),
            migration_cost: node.cfs.migration_cost,
            charged: vec![Ns::ZERO; threads * (1 + groups.len())],
            is_looked_at: vec![false; threads],
            entries: 0,
            now: Ns::ZERO,
        };
        for group in groups {
            // `init_tg_cfs_entry`: NICE_0_LOAD, to be weighed anew before anybody sees it.
            (0..threads).for_each(|at| slow.entities.push(slow.fresh(at, weight(group).into(), slice, false)));
        }
        slow
    }

    fn fresh(&self, queue: usize, weight: i128, slice: i128, is_new: bool) -> Entity {
        Entity {
            state: State::Asleep,
            queue,
            is_delayed: false,
            weight,
            vruntime: 0,
            deadline: 0,
            vlag: 0,
            has_relative_deadline: false,
            picked_with: 0,
            vprot: 0,
            is_new,
            slice,
            entered: 0,
            last_ran: Ns::ZERO,
        }
    }

    /// Processes come with ascending numbers.
    pub fn admit(&mut self, nice: i32, asked: Option<Ns>, group: Option<usize>) {
        let weight = nice_weight(nice) as u64;
        let slice = asked.filter(|_| self.is_6_12).map_or(self.slice, |own| i128::from(own.0) + TICK_ERROR);
        self.entities.push(self.fresh(0, i128::from(weight) * 1024, slice, true));
        self.own.push((Own::new(weight), group.filter(|&g| self.is_group[g])));
    }

    fn first_process(&self) -> usize {
        self.threads * self.is_group.len()
    }
    fn process(&self, pid: Pid) -> usize {
        self.first_process() + pid.i()
    }
    fn is_process(&self, entity: usize) -> bool {
        entity >= self.first_process()
    }
    /// `group_cfs_rq`.
    fn queue_within(&self, group_entity: usize) -> usize {
        self.threads + group_entity
    }
    /// `parent_entity` of a process on a CPU.
    fn parent(&self, process: usize, at: usize) -> Option<usize> {
        self.own[process - self.first_process()].1.map(|group| group * self.threads + at)
    }
    /// The queue for a process on a CPU.
    fn queue_for(&self, process: usize, at: usize) -> usize {
        self.parent(process, at).map_or(at, |parent| self.queue_within(parent))
    }
    /// What stands for a process in the root.
    fn top(&self, process: usize, at: usize) -> usize {
        self.parent(process, at).unwrap_or(process)
    }

    /// `update_curr` of every level of what runs on a CPU.
    fn update_levels(&mut self, at: usize, now: Ns) -> bool {
        let is_looked_at = self.update_curr(at, now);
        match self.curr(at).filter(|&top| !self.is_process(top)) {
            Some(group) => self.update_curr(self.queue_within(group), now) || is_looked_at,
            None => is_looked_at,
        }
    }

    /// The same up to the last tick (`entity_tick`): what was brought up to date later stays as it is.
    fn update_levels_to_tick(&mut self, at: usize, now: Ns) -> bool {
        let group = self.curr(at).filter(|&top| !self.is_process(top)).map(|top| self.queue_within(top));
        let is_looked_at = self.update_to_tick(at, now);
        group.is_some_and(|queue| self.update_to_tick(queue, now)) || is_looked_at
    }

    fn update_to_tick(&mut self, queue: usize, now: Ns) -> bool {
        let last_tick = Ns(now.0 / self.tick * self.tick);
        self.charged[queue] < last_tick && self.update_curr(queue, last_tick)
    }

    /// `cfs_rq_min_slice` and `update_cfs_group`: whether the running one must be looked at.
    fn follow(&mut self, group: usize, now: Ns) -> bool {
        let at = self.entities[group].queue;
        let slices = self.on_rq(self.queue_within(group)).into_iter().map(|e| self.entities[e].slice);
        self.entities[group].slice = slices.min().expect("somebody is queued");
        let weight = self.shares[group / self.threads].of(at, now);
        self.reweight_entity(group, weight.into(), now)
    }

    /// `entity_tick` on the last tick since the root was last looked at, where a group runs.
    fn on_tick(&mut self, at: usize, now: Ns) -> bool {
        let last_tick = Ns(now.0 / self.tick * self.tick);
        let group = self.curr(at).filter(|&top| !self.is_process(top));
        let Some(group) = group.filter(|_| self.charged[at] < last_tick) else { return false };
        let is_looked_at = self.update_levels(at, last_tick);
        self.follow(group, last_tick) || is_looked_at
    }

    /// `enqueue_task_fair`: whether the running one must be looked at.
    fn enqueue_task(&mut self, at: usize, process: usize, now: Ns) -> bool {
        let queue = self.queue_for(process, at);
        let mut is_looked_at = self.update_curr(queue, now);
        self.place(queue, process);
        self.wait(process);
        let first = self.first_process();
        let (load, Some(number)) = &mut self.own[process - first] else { return is_looked_at };
        let number = *number;
        self.shares[number].add(load, at, now);
        let group = number * self.threads + at;
        if self.entities[group].state == State::Asleep {
            is_looked_at |= self.update_curr(at, now);
            is_looked_at |= self.follow(group, now);
            self.place(at, group);
            self.wait(group);
        } else {
            if self.entities[group].is_delayed {
                is_looked_at |= self.update_to_tick(at, now);
                self.requeue_delayed(group);
            }
            is_looked_at |= self.follow(group, now);
        }
        is_looked_at
    }

    /// `dequeue_entities` after the process has left its queue; it takes its load along where `task_on_rq_migrating`.
    fn dequeue_parent(&mut self, at: usize, process: usize, migrating: bool, now: Ns) {
        let first = self.first_process();
        let (load, Some(number)) = &mut self.own[process - first] else { return };
        let number = *number;
        self.shares[number].remove(load, at, migrating, now);
        let group = number * self.threads + at;
        if self.on_rq(self.queue_within(group)).is_empty() {
            self.update_curr(at, now);
            self.block(group);
        } else {
            self.follow(group, now);
        }
    }

    /// `dequeue_task_fair` of one who goes to sleep.
    fn dequeue_task(&mut self, at: usize, process: usize, now: Ns) {
        if self.block(process) {
            self.dequeue_parent(at, process, false, now);
        }
    }

    /// `check_preempt_wakeup_fair`, with `find_matching_se`. `is_looked_at`: by what was done before.
    fn check(&mut self, at: usize, came: usize, is_looked_at: bool, now: Ns) -> bool {
        let top = self.top(came, at);
        let is_same_group = self.curr(at) == Some(top);
        let (queue, came) = if is_same_group { (self.queue_within(top), came) } else { (at, top) };
        let is_over = self.update_curr(queue, now);
        let wins = if self.is_6_17 {
            self.is_preempted_since_6_17(queue, came, |slow, delayed| slow.dequeue_delayed(at, delayed, now))
        } else {
            self.is_preempted_by(queue, came)
        };
        wins || is_over || is_looked_at
    }

    /// `dequeue_entities` of one that was picked while delayed.
    fn dequeue_delayed(&mut self, at: usize, picked: usize, now: Ns) {
        self.leave(picked);
        if self.is_process(picked) {
            self.dequeue_parent(at, picked, false, now);
        }
    }

    /// `pick_task_fair`: the delayed leave when they are picked (`pick_next_entity`, 6.12).
    fn pick_task(&mut self, at: usize, now: Ns) -> Option<usize> {
        let mut queue = at;
        loop {
            let picked = self.pick_eevdf(queue)?;
            if self.entities[picked].is_delayed {
                self.dequeue_delayed(at, picked, now);
                queue = at;
            } else if self.is_process(picked) {
                return Some(picked);
            } else {
                queue = self.queue_within(picked);
            }
        }
    }

    /// `put_prev_entity` of every level of what runs on a CPU.
    fn put_levels(&mut self, at: usize) {
        let Some(top) = self.curr(at) else { return };
        if !self.is_process(top) {
            if let Some(process) = self.curr(self.queue_within(top)) {
                self.wait(process);
            }
        }
        self.wait(top);
    }

    /// `pick_next_task_fair`: only what changes is put back and set.
    fn put_and_set(&mut self, at: usize, next: usize, now: Ns) {
        let top = self.top(next, at);
        if self.curr(at) != Some(top) {
            self.put_levels(at);
            self.set_next(top, now);
        }
        let queue = self.queue_for(next, at);
        let before = self.curr(queue);
        if before != Some(next) {
            if let Some(before) = before {
                self.wait(before);
            }
            self.set_next(next, now);
        }
    }

    /// The first tick after now on which `update_curr` would have the running process or its group looked at.
    fn end(&mut self, at: usize, now: Ns) -> Ns {
        let end = self.slice_end(at, now);
        match self.curr(at).filter(|&top| !self.is_process(top)) {
            Some(group) => end.min(self.slice_end(self.queue_within(group), now)),
            None => end,
        }
    }
}

impl RunQueue for Slow {
    /// `try_to_wake_up` and `check_preempt_wakeup_fair`.
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let woken = self.process(pid);
        let was_on_tick = self.on_tick(at, now);
        let mut is_looked_at = if self.entities[woken].state == State::Asleep {
            self.enqueue_task(at, woken, now)
        } else {
            let is_looked_at = self.update_levels_to_tick(at, now);
            self.requeue_delayed(woken);
            is_looked_at
        };
        if self.curr(at).is_none() {
            return Preempt::No;
        }
        is_looked_at = self.check(at, woken, is_looked_at || was_on_tick, now);
        if is_looked_at {
            return Preempt::Now;
        }
        Preempt::Until(self.end(at, now))
    }

    /// `schedule`, after `task_tick_fair` where a slice is over.
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.on_tick(at, now);
        self.update_levels(at, now);
        self.is_looked_at[at] = false;
        if let Some(Ended { pid, why }) = ended {
            let process = self.process(pid);
            self.entities[process].last_ran = now;
            if why == Why::Blocked {
                self.dequeue_task(at, process, now);
            }
        }
        let next = self.pick_task(at, now)?;
        self.put_and_set(at, next, now);
        Some(Next { pid: Pid((next - self.first_process()) as u32), until: self.end(at, now) })
    }

    /// `put_prev_task_fair`.
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.on_tick(at, now);
        self.update_levels(at, now);
        let process = self.process(ended.pid);
        self.entities[process].last_ran = now;
        if ended.why == Why::Blocked {
            self.dequeue_task(at, process, now);
        }
        self.put_levels(at);
    }

    /// `ttwu_runnable`, 6.12: who is still in a queue is woken there.
    fn kept(&self, pid: Pid) -> Option<usize> {
        let process = self.process(pid);
        (0..self.threads).find(|&at| {
            let Entity { queue, is_delayed, .. } = self.entities[process];
            is_delayed && queue == self.queue_for(process, at)
        })
    }
    fn waiting(&self, at: usize) -> usize {
        self.waiting_at(at).len()
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
        let was_on_tick = self.on_tick(at, now);
        let is_over = self.update_levels(at, now) || was_on_tick;
        if std::mem::take(&mut self.is_looked_at[at]) || is_over {
            return now;
        }
        self.end(at, now)
    }
}
