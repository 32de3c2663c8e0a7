//! Linux EEVDF of 6.6, 6.12 and 6.18: among the processes that are owed time, the one with the earliest virtual
//! deadline.
//!
//! Source: `kernel/sched/fair.c` of 6.6 and 6.12 (long-term versions), with PLACE_LAG, PLACE_DEADLINE_INITIAL,
//! RUN_TO_PARITY and, in 6.12, PLACE_REL_DEADLINE, DELAY_DEQUEUE, DELAY_ZERO and PREEMPT_SHORT; 6.18 as it is since
//! May 2026. Functions of the kernel are named where their rule is.
//!
//! Ties: of equal deadlines the process that was queued earlier comes first, as equal keys of the kernel's tree go to
//! the right; the running one comes first only if its deadline is earlier (`entity_before(curr, best)`), so it loses
//! ties. A process is queued anew when it wakes, when it moves, and when it is put back after it ran.
//!
//! Where it is simpler: a weight divides exactly, where the kernel multiplies by a rounded inverse. Left out: buddies,
//! SCHED_IDLE.
mod fair;
mod nested;
mod nested_moves;
mod slices;
mod sums;

pub use nested::Nested;

use super::balance::counts::{level, pull, PerThread};
use super::balance::Fair;
use super::batch::Batch;
use super::deadlines::Entry;
use super::eevdf_queue::{scale_lag, Entity, Queue, State};
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use super::weights::{real_ns, tunable_factor, virtual_ns, weight, NICE_0};
use crate::config::{EevdfGeneration, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Earliest eligible virtual deadline first, with a queue for each thread.
#[derive(Clone, Debug)]
pub struct Eevdf {
    queues: Arena<Queue>,
    entities: Arena<Entity>,
    /// A request \[ns of CPU\] …
    slice: u64,
    /// … but of those that ask for another; empty where nobody does.
    slices: Vec<u64>,
    migration_cost: Ns,
    /// Threads on their way to run the first of their queue.
    begins: Bits,
    tick: Ns,
    serial: u64,
    /// Weight of nice 0.
    unit: u64,
    /// Since Linux 6.12.
    delays: bool,
    /// Since Linux 6.17.
    is_6_17: bool,
    /// Who pre-empts nobody.
    pub(super) batch: Batch,
    /// Who was found delayed when it was last asked whether somebody wins, and left.
    left: Vec<Pid>,
    /// Of several queues: who was delayed and has left since that was last asked.
    gone: Vec<Pid>,
}

impl Eevdf {
    /// With the host's base slice, scaled by the number of its threads as the kernel does.
    pub fn new(config: &NodeConfig) -> Self {
        Eevdf {
            unit: NICE_0,
            queues: vec![Queue::default(); config.threads()].into(),
            entities: Vec::new().into(),
            slice: config.eevdf_base_slice.0 * tunable_factor(config.threads()) + slices::TICK_ERROR,
            slices: Vec::new(),
            migration_cost: config.cfs.migration_cost,
            begins: Bits::new(config.threads()),
            tick: Ns(1_000_000_000 / u64::from(config.tick_hz)),
            serial: 0,
            delays: config.eevdf_generation.delays(),
            is_6_17: config.eevdf_generation == EevdfGeneration::Linux618,
            batch: Batch::default(),
            left: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, nice: i32) {
        self.admit_weighing(pid, weight(nice));
    }

    fn admit_weighing(&mut self, pid: Pid, weight: u64) {
        let fresh = Entity {
            virtual_time: 0,
            deadline: 0,
            lag: 0,
            picked_for: 0,
            weight,
            serial: 0,
            last_ran: Ns::ZERO,
            order: 0,
            home: 0,
            state: State::New,
        };
        reach(&mut self.entities, pid.i(), fresh);
        self.entities[pid.i()] = fresh;
    }

    /// Charges the running process (`update_curr`); whether it must give way if a pick says so: its request is used
    /// up, or (6.12) it is past the request with which it was picked and not eligible any more (`did_preempt_short`).
    #[inline(never)]
    fn charge(&mut self, at: usize, now: Ns) -> bool {
        let is_used = self.book(at, now);
        is_used.is_some_and(|is_used| !self.queues[at].tree.is_empty() && (is_used || self.delays && self.is_spent(at)))
    }

    /// Charges the running process; whether its request is used up, if it has run.
    #[inline(always)]
    fn book(&mut self, at: usize, now: Ns) -> Option<bool> {
        let queue = &mut self.queues[at];
        let pid = queue.running?;
        let from = std::mem::replace(&mut queue.charged, now);
        if from == now {
            return None;
        }
        let entity = &mut self.entities[pid.i()];
        let before = entity.virtual_time;
        entity.virtual_time += virtual_ns(now.0 - from.0, entity.weight, self.unit) as i64;
        let is_used = entity.virtual_time >= entity.deadline;
        if is_used {
            self.renew(pid, before, from, now);
        }
        Some(is_used)
    }

    /// Charges the running process up to the last tick: where nothing else has happened since, the kernel knows no more
    /// of it before it looks (`entity_tick`).
    fn charge_to_tick(&mut self, at: usize, now: Ns) -> bool {
        let tick = Ns(now.0 - now.0 % self.tick.0);
        tick > self.queues[at].charged && self.charge(at, tick)
    }

    /// The requests of one who ran up to now without being looked at: each begins on the tick that found the last one
    /// used up (`update_deadline`).
    #[inline(never)]
    fn renew(&mut self, pid: Pid, before: i64, from: Ns, now: Ns) {
        let Entity { virtual_time, deadline, weight, .. } = self.entities[pid.i()];
        let (request, unit) = (self.request(pid), self.unit);
        let left = real_ns((deadline - before).max(0) as u64, weight, unit).max(1);
        let first = from.plus(Ns(left)).ceil_to(self.tick);
        let mut deadline = virtual_time + request;
        if first < now {
            let period = Ns(real_ns(request as u64, weight, unit)).ceil_to(self.tick);
            let last = first.plus(Ns((now - first).0 / period.0 * period.0));
            let begun = before + virtual_ns((last - from).0, weight, unit) as i64;
            if begun + request > virtual_time {
                deadline = begun + request;
            }
        }
        self.entities[pid.i()].deadline = deadline;
    }

    /// The running process has gone on beyond what it is protected for, and (to 6.16) is not eligible.
    fn is_spent(&self, at: usize) -> bool {
        let running = self.queues[at].running.map(|pid| &self.entities[pid.i()]);
        running.is_some_and(|e| !self.is_protected(e) && (self.is_6_17 || !self.total(at).allows(e.virtual_time)))
    }

    /// Queues a process at the distance from the average that makes its lag what it was (`place_entity`).
    fn place(&mut self, at: usize, pid: Pid) {
        let average = self.average(at);
        let others = self.total(at).load;
        let request = self.request(pid);
        let entity = &mut self.entities[pid.i()];
        let lag = if others == 0 { 0 } else { scale_lag(entity.lag, others + entity.weight, others) };
        entity.virtual_time = average - lag;
        entity.deadline = entity.virtual_time
            + match entity.state {
                State::Moving | State::MovingDelayed => entity.deadline,
                // In 6.6 the first queueing passes no ENQUEUE_INITIAL (`wake_up_new_task`), so a new one has a whole
                // request.
                State::New if self.delays => request / 2,
                _ => request,
            };
        entity.state = State::Queued;
        self.insert(at, pid);
    }

    /// Queues a process that comes from another queue, where it may have been delayed: so it stays.
    fn put_in(&mut self, at: usize, pid: Pid) {
        let is_delayed = self.entities[pid.i()].state == State::MovingDelayed;
        self.place(at, pid);
        if is_delayed {
            self.delay(at, pid);
        }
    }

    /// Somebody queued does not want to run.
    fn delay(&mut self, at: usize, pid: Pid) {
        self.entities[pid.i()].state = State::Delayed;
        self.queues[at].delayed += 1;
    }

    /// Takes a process out of its queue, running or not; its lag is kept. Who worked off a debt is owed nothing
    /// (DELAY_ZERO).
    fn leave(&mut self, at: usize, pid: Pid) {
        let lag = self.lag(at, pid);
        if self.queues[at].running == Some(pid) {
            self.queues[at].running = None;
        } else {
            self.remove(at, pid);
        }
        let entity = &mut self.entities[pid.i()];
        entity.lag = lag;
        if entity.state == State::Delayed {
            entity.lag = lag.min(0);
            self.queues[at].delayed -= 1;
            if self.queues.len() > 1 {
                self.gone.push(pid);
            }
        }
        entity.state = State::Away;
    }

    /// The running process waits for something (`dequeue_entity`); whether it stays queued.
    fn block(&mut self, at: usize, pid: Pid) -> bool {
        if self.delays && !self.total(at).allows(self.entities[pid.i()].virtual_time) {
            self.delay(at, pid);
            return true;
        }
        self.leave(at, pid);
        false
    }

    /// A process woken while delayed goes on where it was; what it was owed when the running one was last charged is
    /// cut to nothing (`requeue_delayed_entity`, which does not call `update_curr`). What it has come to be owed since,
    /// it keeps: most short sleepers find who runs past his share.
    fn requeue(&mut self, at: usize, pid: Pid) {
        self.queues[at].delayed -= 1;
        self.entities[pid.i()].state = State::Queued;
        if self.lag(at, pid) > 0 {
            self.remove(at, pid);
            self.entities[pid.i()].lag = 0;
            self.place(at, pid);
        }
    }

    /// As [`Eevdf::pick_here`], in one copy: for what comes seldom.
    #[inline(never)]
    fn pick(&self, at: usize) -> Option<Pid> {
        self.pick_here(at)
    }

    /// Who should run now, of the running and the waiting (`pick_eevdf`). The running one is out of the question as
    /// soon as it is not eligible; while it is, it is left alone within the request with which it was picked
    /// (RUN_TO_PARITY).
    #[inline(always)]
    fn pick_here(&self, at: usize) -> Option<Pid> {
        let queue = &self.queues[at];
        let limit = self.total(at).limit();
        let running = queue.running.map(|pid| &self.entities[pid.i()]).filter(|e| e.virtual_time <= limit);
        if queue.tree.is_empty() || running.is_some_and(|e| self.is_protected(e)) {
            return queue.running;
        }
        match (queue.tree.first(limit), running) {
            (Some(best), Some(running)) if running.deadline < best.deadline => queue.running,
            (Some(best), _) => Some(best.pid),
            (None, Some(_)) => queue.running,
            (None, None) => queue.tree.first(i64::MAX).map(|e| e.pid),
        }
    }

    /// As [`Eevdf::end_here`], in one copy: for what comes seldom.
    #[inline(never)]
    fn slice_end(&self, at: usize, now: Ns) -> Ns {
        self.end_here(at, now)
    }

    /// The tick on which the running process is next asked to give way; never, if nobody else is queued.
    #[inline(always)]
    fn end_here(&self, at: usize, now: Ns) -> Ns {
        let queue = &self.queues[at];
        let Some(pid) = queue.running.filter(|_| !queue.tree.is_empty()) else { return Ns::MAX };
        let entity = &self.entities[pid.i()];
        let mut left = (entity.deadline - entity.virtual_time).max(0);
        if self.is_6_17 {
            left = left.min((entity.picked_for - entity.virtual_time).max(0));
        } else if self.delays && entity.picked_for != entity.deadline {
            // Eligible while (v + x − base) · (load + w) ≤ sum + (v + x − base) · w, with the sums of the tree.
            let slack = queue.sum - i128::from(entity.virtual_time - queue.base) * i128::from(queue.load);
            left = left.min(if slack < 0 { 0 } else { (slack / i128::from(queue.load)) as i64 + 1 });
        }
        let end = queue.charged.plus(Ns(real_ns(left as u64, entity.weight, self.unit))).ceil_to(self.tick);
        if end > now {
            end
        } else {
            now.next_tick(self.tick)
        }
    }
}

impl RunQueue for Eevdf {
    /// As `check_preempt_wakeup_fair`: the pick decides, and is made at once if the running request is used up.
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let home = self.kept(pid);
        let mut must_turn = false;
        if home == Some(at) {
            must_turn = self.charge_to_tick(at, now);
            self.requeue(at, pid);
        }
        must_turn |= self.charge(at, now);
        if home != Some(at) {
            if let Some(home) = home {
                self.charge(home, now);
                self.leave(home, pid);
            }
            self.place(at, pid);
        }
        self.pass_over(pid);
        if self.queues[at].running.is_none() {
            return Preempt::No;
        }
        if !self.batch.has(pid) && self.wins(at, pid) || must_turn {
            return Preempt::Now;
        }
        Preempt::Until(self.slice_end(at, now))
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.book(at, now);
        self.queues[at].must_turn = false;
        if let Some(Ended { pid, why }) = ended {
            self.entities[pid.i()].last_ran = now;
            if why == Why::Blocked {
                self.block(at, pid);
            }
        }
        // Who is picked while delayed leaves, and the pick is made again (`pick_next_entity`).
        let next = loop {
            let next = self.pick_here(at)?;
            if self.entities[next.i()].state != State::Delayed {
                break next;
            }
            self.leave(at, next);
        };
        let before = self.queues[at].running;
        if before != Some(next) {
            match before {
                Some(before) => self.exchange(at, before, next),
                None => self.remove(at, next),
            }
            self.queues[at].running = Some(next);
        }
        self.queues[at].charged = now;
        if before != Some(next) {
            self.protect(at, next);
            self.entities[next.i()].order = self.serial as u32;
        }
        Some(Next { pid: next, until: self.end_here(at, now) })
    }

    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.entities[ended.pid.i()].last_ran = now;
        if ended.why != Why::Blocked || self.block(at, ended.pid) {
            self.insert(at, ended.pid);
        }
        self.queues[at].running = None;
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        level(self, now, masks)
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so && self.queues[at].running.is_none());
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        let must_turn = self.charge(at, now) || self.queues[at].must_turn;
        self.queues[at].must_turn = false;
        if must_turn {
            return now;
        }
        self.slice_end(at, now)
    }
    fn kept(&self, pid: Pid) -> Option<usize> {
        let entity = &self.entities[pid.i()];
        (entity.state == State::Delayed).then_some(entity.home as usize)
    }
}

impl PerThread for Eevdf {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    /// Delayed processes do not count: they do not want to run.
    fn queued(&self, at: usize) -> usize {
        self.queues[at].tree.len() - self.queues[at].delayed - usize::from(self.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running.is_some() || self.begins.has(at))
    }
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let cold = |e: &&Entry| {
            let entity = &self.entities[e.pid.i()];
            let is_cold = now.minus(entity.last_ran) >= self.migration_cost;
            entity.state == State::Queued && is_cold && masks.allows(e.pid, to)
        };
        let pid = self.queues[from].tree.iter().filter(cold).min_by_key(|e| e.serial)?.pid;
        self.part(from, pid, now);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        let must_turn = self.charge(to, now);
        self.put_in(to, pid);
        let gives_way = !self.batch.has(pid) && self.wins(to, pid) || must_turn;
        self.queues[to].must_turn |= self.queues[to].running.is_some() && gives_way;
    }
}
