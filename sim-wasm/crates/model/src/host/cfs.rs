//! Linux CFS, 2.6.23 to 6.5: each thread runs the waiting process with the least virtual time.
//!
//! Source: Linux `kernel/sched/fair.c` of the 5.7 and 5.8 era.
use super::balance::counts::{level, pull, PerThread};
use super::balance::{Fair, Listed};
use super::batch::Batch;
use super::groups::Groups;
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use super::weights::{real_ns, scale, tunable_factor, virtual_ns};
use crate::config::{BalanceGeneration, CgroupConfig, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::heap::Heap;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Virtual clocks start here, so that a sleeper's bonus cannot take one below zero.
const ORIGIN: u64 = 1 << 42;

#[derive(Clone, Debug)]
struct Queue {
    waiting: Heap<Pid>,
    running: Pid,
    /// Start of the running process's stay, and up to when its virtual time is charged.
    picked: Ns,
    charged: Ns,
    min_virtual: u64,
    weight: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entity {
    virtual_time: u64,
    weight: u64,
    last_ran: Ns,
    /// Where it was last queued.
    home: u32,
    /// When it was last picked, or queued anew: by this balancing goes through a queue.
    order: u32,
}

/// Never queued.
const NOWHERE: u32 = u32::MAX;

/// Completely fair scheduling with a queue for each thread.
#[derive(Clone, Debug)]
pub struct Cfs {
    queues: Arena<Queue>,
    entities: Arena<Entity>,
    latency: u64,
    min_granularity: u64,
    /// Shortest slice: since 5.13 the minimum granularity, also of who weighs less (BASE_SLICE in `sched_slice`).
    least_slice: u64,
    /// Up to this many runnable processes share one latency period (`sched_nr_latency`): as many minimum granularities
    /// as make it up, 8 unless one of them is set (`sched_proc_update_handler`).
    nr_latency: u64,
    wakeup_granularity: u64,
    migration_cost: Ns,
    /// Threads on their way to run the first of their queue.
    begins: Bits,
    tick: Ns,
    sequence: u64,
    groups: Groups,
    /// Weight of nice 0.
    unit: u64,
    /// Who pre-empts nobody.
    pub(super) batch: Batch,
    /// Balancing goes through a queue from who came last, whoever was picked since (`cfs_tasks` of 3.14).
    by_coming: bool,
}

impl Cfs {
    /// With the host's tunables, scaled by the number of its threads as the kernel does.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let factor = tunable_factor(config.threads());
        let is_old = config.balance_generation == BalanceGeneration::Linux316;
        let min_granularity = config.cfs.min_granularity.0 * factor;
        let queue = Queue {
            waiting: Heap::default(),
            running: Pid::NONE,
            picked: Ns::ZERO,
            charged: Ns::ZERO,
            min_virtual: ORIGIN,
            weight: 0,
        };
        let groups = Groups::new(groups);
        Cfs {
            unit: groups.unit(),
            groups,
            queues: vec![queue; config.threads()].into(),
            entities: Vec::new().into(),
            latency: config.cfs.latency.0 * factor,
            min_granularity,
            least_slice: if is_old { 0 } else { min_granularity },
            nr_latency: config.cfs.latency.0.div_ceil(config.cfs.min_granularity.0.max(1)),
            wakeup_granularity: config.cfs.wakeup_granularity.0 * factor,
            migration_cost: config.cfs.migration_cost,
            begins: Bits::new(config.threads()),
            tick: Ns(1_000_000_000 / u64::from(config.tick_hz)),
            sequence: 0,
            batch: Batch::default(),
            by_coming: is_old,
        }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>) {
        let weight = self.groups.admit(pid, nice, group);
        let fresh = Entity { virtual_time: 0, weight, last_ran: Ns::ZERO, home: NOWHERE, order: 0 };
        reach(&mut self.entities, pid.i(), fresh);
        self.entities[pid.i()] = fresh;
    }

    fn key(&mut self, pid: Pid) -> u128 {
        self.sequence += 1;
        u128::from(self.entities[pid.i()].virtual_time) << 64 | u128::from(self.sequence)
    }

    /// Brings the running process's virtual time up to now.
    #[inline]
    fn charge(&mut self, at: usize, now: Ns) {
        let queue = &mut self.queues[at];
        let Some(entity) = self.entities.get_mut(queue.running.i()) else { return };
        entity.virtual_time += virtual_ns(now.0 - queue.charged.0, entity.weight, self.unit);
        queue.charged = now;
        let least = entity.virtual_time.min((queue.waiting.min_key() >> 64) as u64);
        queue.min_virtual = queue.min_virtual.max(least);
    }

    /// Ends a stay, if one ended, and takes who runs next from the queue.
    #[inline(always)]
    fn next(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Pid> {
        if let Some(Ended { pid, why }) = ended {
            let (queue, entity) = (&mut self.queues[at], &mut self.entities[pid.i()]);
            entity.last_ran = now;
            if why != Why::Blocked {
                let own = entity.virtual_time;
                if own < (queue.waiting.min_key() >> 64) as u64 {
                    return Some(pid);
                }
                self.sequence += 1;
                let key = u128::from(own) << 64 | u128::from(self.sequence);
                return queue.waiting.pop_push(key, pid).map(|next| next.1);
            }
            self.stop(at, pid);
            self.groups.gone(pid);
        }
        self.queues[at].waiting.pop().map(|next| next.1)
    }

    /// Starts a stay of `pid`, already taken from its queue.
    #[inline(always)]
    fn start(&mut self, at: usize, pid: Pid, now: Ns) -> Option<Next> {
        if self.groups.is_used() {
            self.reweigh(at, pid);
        }
        let (queue, entity) = (&mut self.queues[at], &mut self.entities[pid.i()]);
        (queue.running, queue.picked, queue.charged) = (pid, now, now);
        if !self.by_coming {
            entity.order = self.sequence as u32;
        }
        let (queue, entity) = (&self.queues[at], &self.entities[pid.i()]);
        Some(Next { pid, until: self.slice_end_of(queue, entity, now) })
    }

    /// The tick that ends the running slice: it has lasted for more than its share of the period, or it leads the next
    /// by more than that.
    #[inline(never)]
    fn slice_end(&self, at: usize, now: Ns) -> Ns {
        let queue = &self.queues[at];
        self.entities.get(queue.running.i()).map_or(Ns::MAX, |entity| self.slice_end_of(queue, entity, now))
    }

    #[inline(always)]
    fn slice_end_of(&self, queue: &Queue, entity: &Entity, now: Ns) -> Ns {
        let Some((first, _)) = queue.waiting.peek() else { return Ns::MAX };
        let runnable = queue.waiting.len() as u64 + 1;
        let period = if runnable <= self.nr_latency { self.latency } else { runnable * self.min_granularity };
        let slice = scale(period, entity.weight, queue.weight).max(self.least_slice);
        let by_time = queue.picked.plus(Ns(slice));
        let lead = (slice + (first >> 64) as u64 + 1).saturating_sub(entity.virtual_time);
        let leads = now.plus(Ns(real_ns(lead, entity.weight, self.unit))).minus(Ns(1));
        let by_lead = leads.max(queue.picked.plus(Ns(self.min_granularity)));
        by_time.min(by_lead).max(now).next_tick(self.tick)
    }

    /// Of a process that counts at this thread: its weight by what its group is now.
    fn reweigh(&mut self, at: usize, pid: Pid) {
        let (queue, entity) = (&mut self.queues[at], &mut self.entities[pid.i()]);
        queue.weight -= entity.weight;
        entity.weight = self.groups.weight(pid);
        queue.weight += entity.weight;
    }

    /// The running process no longer counts at this thread.
    #[inline]
    fn stop(&mut self, at: usize, pid: Pid) {
        let queue = &mut self.queues[at];
        queue.running = Pid::NONE;
        queue.weight -= self.entities[pid.i()].weight;
    }

    /// One taken from a queue counts there no more.
    fn go(&mut self, from: usize, pid: Pid) {
        self.queues[from].weight -= self.entities[pid.i()].weight;
        let entity = &mut self.entities[pid.i()];
        // `dequeue_entity`: `se->vruntime -= cfs_rq->min_vruntime`, unsigned: who slept is behind it, and stays behind
        // it by as much at the queue he is given to.
        entity.virtual_time = entity.virtual_time.wrapping_sub(self.queues[from].min_virtual);
    }

    /// Whether who runs at a thread gives way to one who comes (`wakeup_preempt_entity`).
    fn preempts(&self, at: usize, pid: Pid) -> bool {
        let Some(running) = self.entities.get(self.queues[at].running.i()) else { return false };
        let lead = running.virtual_time.saturating_sub(self.entities[pid.i()].virtual_time);
        lead > virtual_ns(self.wakeup_granularity, self.entities[pid.i()].weight, self.unit)
    }

    /// One that comes is at the head of its list: looked at last, or first.
    fn came(&mut self, pid: Pid) {
        self.pass_over(pid);
        let order = &mut self.entities[pid.i()].order;
        *order = if self.by_coming { order.wrapping_neg() } else { *order };
    }

    fn enqueue(&mut self, at: usize, pid: Pid) {
        let key = self.key(pid);
        self.entities[pid.i()].home = at as u32;
        self.queues[at].waiting.push(key, pid);
        self.queues[at].weight += self.entities[pid.i()].weight;
        if self.groups.is_used() {
            self.reweigh(at, pid);
        }
    }
}

impl RunQueue for Cfs {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.charge(at, now);
        self.groups.woken(pid);
        let entity = self.entities[pid.i()];
        let here = self.queues[at].min_virtual;
        let own = match entity.home {
            NOWHERE => here,
            home => (entity.virtual_time + here).saturating_sub(self.queues[home as usize].min_virtual),
        };
        self.entities[pid.i()].virtual_time = own.max(here.saturating_sub(self.latency / 2));
        self.enqueue(at, pid);
        self.came(pid);
        if self.queues[at].running == Pid::NONE {
            return Preempt::No;
        }
        if !self.batch.has(pid) && self.preempts(at, pid) {
            return Preempt::Now;
        }
        Preempt::Until(self.slice_end(at, now))
    }

    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        let next = self.next(at, ended, now)?;
        self.start(at, next, now)
    }

    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.entities[ended.pid.i()].last_ran = now;
        self.stop(at, ended.pid);
        match ended.why {
            Why::Blocked => self.groups.gone(ended.pid),
            Why::SliceExpired | Why::Preempted => self.enqueue(at, ended.pid),
        }
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        level(self, now, masks)
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so && self.queues[at].running == Pid::NONE);
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.slice_end(at, now)
    }
}

impl Fair for Cfs {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.groups.own_weight(pid).unwrap_or(self.entities[pid.i()].weight), self.groups.of(pid))
    }
    fn group_load(&self, group: usize, _at: usize, own: f64, _now: Ns) -> f64 {
        self.groups.share(group) * own
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        let queue = &self.queues[at];
        let begins = queue.waiting.peek().filter(|_| self.begins.has(at)).map(|first| first.1);
        let waiting = queue.waiting.iter().map(|entry| entry.1).filter(|&pid| Some(pid) != begins);
        for pid in waiting.chain(Some(queue.running).filter(|&pid| pid != Pid::NONE)) {
            let Entity { order, last_ran, .. } = self.entities[pid.i()];
            let age = (self.sequence as u32).wrapping_sub(order);
            visit(Listed { pid, age, last_ran, is_running: pid == queue.running });
        }
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.charge(from, now);
        self.charge(to, now);
        if self.queues[from].waiting.remove_min_where(|&waiting| waiting == pid).is_none() {
            return false;
        }
        self.go(from, pid);
        self.give(to, pid, now);
        self.came(pid);
        !self.batch.has(pid) && self.preempts(to, pid)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.sequence += 1;
        self.entities[pid.i()].order = self.sequence as u32;
    }
}

impl PerThread for Cfs {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    fn queued(&self, at: usize) -> usize {
        self.queues[at].waiting.len() - usize::from(self.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running != Pid::NONE || self.begins.has(at))
    }
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let (entities, cost) = (&self.entities, self.migration_cost);
        let cold = |pid: &Pid| now.minus(entities[pid.i()].last_ran) >= cost && masks.allows(*pid, to);
        let (_, pid) = self.queues[from].waiting.remove_min_where(cold)?;
        self.go(from, pid);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, _now: Ns) {
        let entity = &mut self.entities[pid.i()];
        entity.virtual_time = entity.virtual_time.wrapping_add(self.queues[to].min_virtual);
        self.enqueue(to, pid);
    }
}
