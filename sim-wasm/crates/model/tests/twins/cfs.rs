//! CFS with plain lists, from the text of Linux `kernel/sched/fair.c`, 6.1, with its buddies and with control groups of
//! one level (`CONFIG_FAIR_GROUP_SCHED`) or none: every sum is added up anew, every pick looks at everybody. Each rule
//! names the function that has it.
//!
//! Where the kernel multiplies by inverse weights (`__calc_delta`), this divides whole numbers and rounds down.
//!
//! Each CPU has a queue of its own (the root) and one for each group; a group stands in the root as an entity as soon
//! as somebody is in its queue there. What that entity weighs is for [`Shares`] to say.
//!
//! What is not the kernel's: of the ticks between two commands to a CPU where a group runs it is charged and weighed
//! anew on the last alone, and on others nobody is charged; on a tick both levels are checked after the group was
//! weighed anew, not the lower one before; nobody is placed as new (`START_DEBIT`), but as if he stood at
//! `min_vruntime`; a group that leaves a root is not weighed.
#[path = "cfs_queue.rs"]
mod cfs_queue;

use crate::draws::nice_weight;
use crate::moves::{self, Moves, Place};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{BalanceGeneration, CgroupConfig, NodeConfig};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::host::shares::{Own, Rule, Shares};
use wwi_model::ids::Pid;

/// `NICE_0_LOAD` in the finer unit. Without groups the coarser one would give the same, as nothing but ratios counts.
const NICE_0: i128 = 1024 * 1024;
/// `min_vruntime` of every queue at first.
const ORIGIN: i128 = 1 << 42;

/// `struct sched_entity` of a process, or of a group on one CPU.
#[derive(Clone, Debug)]
struct Entity {
    /// `cfs_rq_of`; of a sleeper: where it was last.
    queue: usize,
    /// Runs or waits.
    on_rq: bool,
    weight: i128,
    vruntime: i128,
    /// Its vruntime counts from `min_vruntime` of the queue it will come to: it moves, or is new.
    is_relative: bool,
    /// Number of its last entry into a tree.
    entered: u64,
    /// When it was set to run: what it ran since is `sum_exec_runtime` less `prev_sum_exec_runtime`.
    picked: Ns,
    last_ran: Ns,
    /// SCHED_BATCH.
    is_batch: bool,
}

/// `struct cfs_rq`, without its tree: who is `on_rq` and not `curr` is in it.
#[derive(Clone, Debug)]
struct Queue {
    /// Who runs. Still there after it blocked, until it is put back.
    curr: Option<usize>,
    /// The buddies.
    next: Option<usize>,
    last: Option<usize>,
    min_vruntime: i128,
    /// Up to when `curr` is charged (`exec_start`).
    charged: Ns,
}

/// Entities are groups by CPU, then processes; queues are those of CPUs, then those of groups in the same order.
pub struct Slow {
    threads: usize,
    entities: Vec<Entity>,
    queues: Vec<Queue>,
    shares: Vec<Shares>,
    /// Of each process: its load, and its group.
    own: Vec<(Own, Option<usize>)>,
    /// Which of the groups of the host are any.
    is_group: Vec<bool>,
    /// `sysctl_sched_latency` and the like.
    latency: i128,
    min_granularity: i128,
    wakeup_granularity: i128,
    migration_cost: Ns,
    /// `sched_nr_latency`.
    nr_latency: usize,
    /// Since 5.13.
    has_alt_period_and_base_slice: bool,
    tick: u64,
    /// `TIF_NEED_RESCHED`.
    need_resched: Vec<bool>,
    entries: u64,
    now: Ns,
}

impl Slow {
    pub fn new(node: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let threads = node.threads();
        // `get_update_sysctl_factor`.
        let factor = [1, 2, 2, 3, 3, 3, 3, 4][threads.min(8) - 1];
        let scaled = |time: Ns| i128::from(time.0) * factor;
        let (latency, min_granularity) = (scaled(node.cfs.latency), scaled(node.cfs.min_granularity));
        let weight = |group: &Option<CgroupConfig>| 1024 * 1024 * group.map_or(100, |g| u64::from(g.weight)) / 100;
        let rule = match node.balance_generation {
            BalanceGeneration::Linux316 => Rule::Linux314,
            _ => Rule::Linux61,
        };
        let queue = Queue { curr: None, next: None, last: None, min_vruntime: ORIGIN, charged: Ns::ZERO };
        let mut slow = Slow {
            threads,
            entities: Vec::new(),
            queues: vec![queue; threads * (1 + groups.len())],
            shares: groups.iter().map(|group| Shares::new(weight(group), threads, rule)).collect(),
            own: Vec::new(),
            is_group: groups.iter().map(Option::is_some).collect(),
            latency,
            min_granularity,
            wakeup_granularity: scaled(node.cfs.wakeup_granularity),
            migration_cost: node.cfs.migration_cost,
            nr_latency: ((latency + min_granularity - 1) / min_granularity) as usize,
            has_alt_period_and_base_slice: node.balance_generation != BalanceGeneration::Linux316,
            tick: 1_000_000_000 / u64::from(node.tick_hz),
            need_resched: vec![false; threads],
            entries: 0,
            now: Ns::ZERO,
        };
        for group in groups {
            (0..threads).for_each(|at| slow.add_entity(at, weight(group).into(), false));
        }
        slow
    }

    fn add_entity(&mut self, queue: usize, weight: i128, is_batch: bool) {
        self.entities.push(Entity {
            queue,
            on_rq: false,
            weight,
            vruntime: 0,
            is_relative: true,
            entered: 0,
            picked: Ns::ZERO,
            last_ran: Ns::ZERO,
            is_batch,
        });
    }

    /// Processes come with ascending numbers.
    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>, is_batch: bool) {
        assert_eq!(pid.i(), self.own.len());
        let weight = nice_weight(nice) as u64;
        self.add_entity(0, i128::from(weight) * 1024, is_batch);
        self.own.push((Own::new(weight), group.filter(|&g| self.is_group[g])));
    }

    fn first_process(&self) -> usize {
        self.threads * self.is_group.len()
    }
    fn process(&self, pid: Pid) -> usize {
        self.first_process() + pid.i()
    }
    fn pid(&self, process: usize) -> Pid {
        Pid((process - self.first_process()) as u32)
    }
    /// `entity_is_task`.
    fn is_process(&self, entity: usize) -> bool {
        entity >= self.first_process()
    }
    /// `group_cfs_rq`.
    fn queue_within(&self, group_entity: usize) -> usize {
        self.threads + group_entity
    }
    /// `parent_entity`: that of the group in whose queue an entity is, or was last.
    fn parent(&self, entity: usize) -> Option<usize> {
        self.entities[entity].queue.checked_sub(self.threads)
    }
    /// The queue for a process on a CPU.
    fn queue_for(&self, process: usize, at: usize) -> usize {
        let group = self.own[process - self.first_process()].1;
        group.map_or(at, |group| self.queue_within(group * self.threads + at))
    }
    /// `cfs_rq->nr_running` of a group.
    pub fn has_of_group(&self, group: usize, at: usize) -> bool {
        !self.on_rq(self.queue_within(group * self.threads + at)).is_empty()
    }
    /// `cpu_of(rq_of(cfs_rq))`.
    fn cpu(&self, queue: usize) -> usize {
        queue % self.threads
    }
    /// `for_each_sched_entity`.
    fn upward(&self, entity: usize) -> Vec<usize> {
        [entity].into_iter().chain(self.parent(entity)).collect()
    }
    /// `rq->curr`, if it is one of ours.
    fn running(&self, at: usize) -> Option<usize> {
        let top = self.queues[at].curr?;
        if self.is_process(top) {
            Some(top)
        } else {
            self.queues[self.queue_within(top)].curr
        }
    }
    /// The queues from that of who runs on a CPU up to the root.
    fn levels(&self, at: usize) -> Vec<usize> {
        let running = self.running(at).map(|process| self.upward(process)).unwrap_or_default();
        running.into_iter().map(|e| self.entities[e].queue).collect()
    }

    /// `update_curr` of every level.
    fn update_levels(&mut self, at: usize, now: Ns) {
        self.levels(at).into_iter().for_each(|queue| self.update_curr(queue, now));
    }

    /// `entity_tick`, but for the checks, on the last tick since the root was last looked at, where a group runs.
    fn on_tick(&mut self, at: usize, now: Ns) {
        let last_tick = Ns(now.0 / self.tick * self.tick);
        let group = self.queues[at].curr.filter(|&top| !self.is_process(top));
        if let Some(group) = group.filter(|_| self.queues[at].charged < last_tick) {
            self.update_levels(at, last_tick);
            self.shares[group / self.threads].tick(at, last_tick);
            self.update_cfs_group(group, last_tick);
        }
    }

    /// `enqueue_task_fair`. A group is weighed first, and comes as one that wakes in any case.
    fn enqueue_task(&mut self, at: usize, process: usize, wakes: bool, now: Ns) {
        self.enqueue_entity(self.queue_for(process, at), process, wakes, now);
        let Some(group) = self.parent(process) else { return };
        let (load, _) = &mut self.own[process - self.threads * self.is_group.len()];
        self.shares[group / self.threads].add(load, at, now);
        self.update_cfs_group(group, now);
        if !self.entities[group].on_rq {
            self.enqueue_entity(at, group, true, now);
        }
    }

    /// `dequeue_task_fair`. A group goes as one that sleeps in any case, and if it stays, it is to be picked again.
    fn dequeue_task(&mut self, at: usize, process: usize, sleeps: bool, now: Ns) {
        self.dequeue_entity(process, sleeps, now);
        let Some(group) = self.parent(process) else { return };
        let (load, _) = &mut self.own[process - self.threads * self.is_group.len()];
        self.shares[group / self.threads].remove(load, at, !sleeps, now);
        if self.on_rq(self.queue_within(group)).is_empty() {
            self.dequeue_entity(group, true, now);
            return;
        }
        if sleeps {
            self.set_next_buddy(group);
        }
        self.update_cfs_group(group, now);
    }

    /// `migrate_task_rq_fair` of one that is to wake up: by what was known on the last tick of the queue where it
    /// slept.
    fn migrate_task(&mut self, process: usize, to: usize, now: Ns) {
        let Entity { queue, is_relative, .. } = self.entities[process];
        if !is_relative && queue != self.queue_for(process, to) {
            let (from, last_tick) = (self.cpu(queue), Ns(now.0 / self.tick * self.tick));
            self.on_tick(from, now);
            self.update_levels(from, last_tick);
            self.entities[process].vruntime -= self.queues[queue].min_vruntime;
            self.entities[process].is_relative = true;
        }
    }

    /// `find_matching_se`: of two processes on a CPU, or what stands for them, those that share a queue.
    fn find_matching(&self, one: usize, other: usize) -> (usize, usize) {
        if self.entities[one].queue == self.entities[other].queue {
            return (one, other);
        }
        (self.parent(one).unwrap_or(one), self.parent(other).unwrap_or(other))
    }

    /// `check_preempt_wakeup`.
    fn check_preempt_wakeup(&mut self, at: usize, came: usize, now: Ns) {
        let Some(curr) = self.running(at) else { return };
        let scale = self.on_rq(self.entities[curr].queue).len() >= self.nr_latency;
        if self.need_resched[at] || self.entities[came].is_batch {
            return;
        }
        let (se, pse) = self.find_matching(curr, came);
        self.update_curr(self.entities[se].queue, now);
        if self.wakeup_preempt(se, pse) != 1 {
            return;
        }
        self.set_next_buddy(pse);
        self.need_resched[at] = true;
        // LAST_BUDDY.
        if scale && self.is_process(se) {
            self.set_last_buddy(se);
        }
    }

    /// `task_tick_fair`.
    fn task_tick(&mut self, at: usize, now: Ns) {
        self.update_levels(at, now);
        for queue in self.levels(at) {
            if self.on_rq(queue).len() > 1 {
                self.need_resched[at] |= self.check_preempt_tick(queue, now);
            }
        }
    }

    /// `pick_next_task_fair`: its first half.
    fn pick_task(&mut self, at: usize, now: Ns) -> Option<usize> {
        let mut queue = at;
        while !self.on_rq(queue).is_empty() {
            let curr = self.queues[queue].curr.filter(|&curr| self.entities[curr].on_rq);
            if curr.is_some() {
                self.update_curr(queue, now);
            }
            let se = self.pick_next_entity(queue, curr);
            if self.is_process(se) {
                return Some(se);
            }
            queue = self.queue_within(se);
        }
        None
    }

    /// `pick_next_task_fair`: only what changes is put back and set, and nothing where the same goes on.
    fn put_and_set(&mut self, prev: usize, next: usize, now: Ns) {
        if prev == next {
            return;
        }
        let (mut pse, mut se) = (prev, next);
        while self.entities[pse].queue != self.entities[se].queue {
            let (pse_depth, se_depth) = (self.upward(pse).len(), self.upward(se).len());
            if se_depth <= pse_depth {
                self.put_prev_entity(pse, now);
                pse = self.parent(pse).expect("they meet in the root");
            }
            if se_depth >= pse_depth {
                self.set_next_entity(se, now);
                se = self.parent(se).expect("they meet in the root");
            }
        }
        self.put_prev_entity(pse, now);
        self.set_next_entity(se, now);
    }

    /// `put_prev_task_fair`.
    fn put_prev_task(&mut self, process: usize, now: Ns) {
        self.upward(process).into_iter().for_each(|e| self.put_prev_entity(e, now));
    }

    /// Who ran ends his stay; on a tick he may go on (`task_tick_fair`). Answers whether he must be looked at.
    fn end_stay(&mut self, at: usize, ended: Ended, now: Ns) -> bool {
        let process = self.process(ended.pid);
        assert_eq!(self.running(at), Some(process));
        self.entities[process].last_ran = now;
        match ended.why {
            Why::Blocked => self.dequeue_task(at, process, true, now),
            Why::SliceExpired if now.0.is_multiple_of(self.tick) => {
                self.task_tick(at, now);
                return self.need_resched[at];
            }
            Why::SliceExpired | Why::Preempted => {}
        }
        true
    }
}

impl RunQueue for Slow {
    /// `try_to_wake_up`.
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let woken = self.process(pid);
        self.on_tick(at, now);
        self.migrate_task(woken, at, now);
        self.enqueue_task(at, woken, true, now);
        self.check_preempt_wakeup(at, woken, now);
        match self.running(at) {
            None => Preempt::No,
            Some(_) if self.need_resched[at] => Preempt::Now,
            Some(_) => Preempt::Until(self.end(at, now)),
        }
    }

    /// `scheduler_tick` and `schedule`.
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.on_tick(at, now);
        if let Some(Ended { pid, .. }) = ended.filter(|&ended| !self.end_stay(at, ended, now)) {
            return Some(Next { pid, until: self.end(at, now) });
        }
        self.need_resched[at] = false;
        let prev = ended.map(|ended| self.process(ended.pid));
        let next = self.pick_task(at, now);
        match (prev, next) {
            (Some(prev), Some(next)) => self.put_and_set(prev, next, now),
            (Some(prev), None) => self.put_prev_task(prev, now),
            (None, Some(next)) => self.upward(next).into_iter().rev().for_each(|e| self.set_next_entity(e, now)),
            (None, None) => {}
        }
        next.map(|next| Next { pid: self.pid(next), until: self.end(at, now) })
    }

    /// `put_prev_task_fair`.
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.on_tick(at, now);
        let process = self.process(ended.pid);
        self.entities[process].last_ran = now;
        if ended.why == Why::Blocked {
            self.dequeue_task(at, process, true, now);
        }
        self.put_prev_task(process, now);
        self.need_resched[at] = false;
    }

    fn waiting(&self, at: usize) -> usize {
        self.count(Place::Waiting(at))
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
        self.on_tick(at, now);
        self.update_levels(at, now);
        if self.need_resched[at] {
            return now;
        }
        self.end(at, now)
    }
}
