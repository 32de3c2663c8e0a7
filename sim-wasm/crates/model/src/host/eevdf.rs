//! Linux EEVDF, 6.6 and later: among the processes that are owed time, the one with the earliest virtual deadline.
//!
//! Source: Linux `kernel/sched/fair.c` of 6.6, with RUN_TO_PARITY and PLACE_LAG.
use super::balance::{level, pull, PerThread};
use super::groups::Groups;
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use super::weights::{real_ns, scale, tunable_factor, virtual_ns};
use crate::config::{CgroupConfig, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::time::Ns;

/// Virtual clocks start here, so that lag cannot take one below zero.
const ORIGIN: u64 = 1 << 42;

#[derive(Clone, Debug)]
struct Queue {
    waiting: Vec<Pid>,
    running: Pid,
    charged: Ns,
    /// Average virtual time when the queue was last not empty.
    average: u64,
}

#[derive(Clone, Copy, Debug)]
struct Entity {
    virtual_time: u64,
    deadline: u64,
    lag: i64,
    weight: u64,
    last_ran: Ns,
}

/// Earliest eligible virtual deadline first, with a queue for each thread.
#[derive(Clone, Debug)]
pub struct Eevdf {
    queues: Vec<Queue>,
    entities: Vec<Entity>,
    slice: u64,
    migration_cost: Ns,
    tick: Ns,
    groups: Groups,
    /// Weight of nice 0.
    unit: u64,
}

/// A distance in virtual time, either way, as [`scale`].
fn scale_lag(lag: i64, up: u64, down: u64) -> i64 {
    lag.signum() * scale(lag.unsigned_abs(), up, down) as i64
}

impl Eevdf {
    /// With the host's base slice, scaled by the number of its threads as the kernel does.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let groups = Groups::new(groups);
        let queue = Queue { waiting: Vec::new(), running: Pid::NONE, charged: Ns::ZERO, average: ORIGIN };
        Eevdf {
            unit: groups.unit(),
            groups,
            queues: vec![queue; config.threads()],
            entities: Vec::new(),
            slice: config.eevdf_base_slice.0 * tunable_factor(config.threads()),
            migration_cost: config.cfs.migration_cost,
            tick: Ns(1_000_000_000 / u64::from(config.tick_hz)),
        }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>) {
        let weight = self.groups.admit(pid, nice, group);
        let fresh = Entity { virtual_time: 0, deadline: 0, lag: 0, weight, last_ran: Ns::ZERO };
        if self.entities.len() <= pid.i() {
            self.entities.resize(pid.i() + 1, fresh);
        }
        self.entities[pid.i()] = fresh;
    }

    fn members(&self, at: usize) -> impl Iterator<Item = &Entity> {
        let queue = &self.queues[at];
        let running = self.entities.get(queue.running.i());
        queue.waiting.iter().map(|p| &self.entities[p.i()]).chain(running)
    }

    /// Weighted mean of the virtual times at a thread, remembered while it is empty.
    fn average(&mut self, at: usize) -> u64 {
        let base = self.members(at).map(|e| e.virtual_time).min();
        let Some(base) = base else { return self.queues[at].average };
        let (sum, weight) = self.members(at).fold((0u128, 0u128), |(sum, all), e| {
            (sum + u128::from(e.virtual_time - base) * u128::from(e.weight), all + u128::from(e.weight))
        });
        let average = base + (sum / weight) as u64;
        self.queues[at].average = average;
        average
    }

    /// Charges the running process; a used-up request is followed by the next.
    fn charge(&mut self, at: usize, now: Ns) {
        let queue = &mut self.queues[at];
        let Some(entity) = self.entities.get_mut(queue.running.i()) else { return };
        entity.virtual_time += virtual_ns(now.0 - queue.charged.0, entity.weight, self.unit);
        queue.charged = now;
        if entity.virtual_time >= entity.deadline {
            entity.deadline = entity.virtual_time + virtual_ns(self.slice, entity.weight, self.unit);
        }
    }

    /// Puts a process at a distance from the average that keeps its lag (PLACE_LAG).
    fn place(&mut self, at: usize, pid: Pid) {
        let average = self.average(at);
        let others: u64 = self.members(at).map(|e| e.weight).sum();
        let entity = &mut self.entities[pid.i()];
        if self.groups.is_used() {
            let weight = self.groups.weight(pid);
            entity.lag = scale_lag(entity.lag, entity.weight, weight);
            entity.weight = weight;
        }
        let lag = if others == 0 { 0 } else { scale_lag(entity.lag, others + entity.weight, others) };
        entity.virtual_time = average.saturating_add_signed(-lag);
        entity.deadline = entity.virtual_time + virtual_ns(self.slice, entity.weight, self.unit);
        self.queues[at].waiting.push(pid);
    }

    fn keep_lag(&mut self, at: usize, pid: Pid) {
        let average = self.average(at);
        let limit = 2 * virtual_ns(self.slice, self.entities[pid.i()].weight, self.unit) as i64;
        let entity = &mut self.entities[pid.i()];
        entity.lag = (average as i64 - entity.virtual_time as i64).clamp(-limit, limit);
    }

    /// Of the running process: its weight by what its group is now, at the same lag in CPU time and with as much of its request
    /// left (Linux, `reweight_entity` since 6.7 and in the stable 6.6).
    fn reweigh(&mut self, at: usize, pid: Pid) {
        let (before, weight) = (self.entities[pid.i()].weight, self.groups.weight(pid));
        if before == weight {
            return;
        }
        let average = self.average(at);
        let entity = &mut self.entities[pid.i()];
        let left = scale(entity.deadline - entity.virtual_time, before, weight).max(1);
        let lag = scale_lag(average as i64 - entity.virtual_time as i64, before, weight);
        entity.virtual_time = average.saturating_add_signed(-lag);
        entity.deadline = entity.virtual_time + left;
        entity.weight = weight;
    }

    fn slice_end(&self, at: usize, now: Ns) -> Ns {
        let queue = &self.queues[at];
        if queue.waiting.is_empty() {
            return Ns::MAX;
        }
        let entity = &self.entities[queue.running.i()];
        let left = real_ns(entity.deadline - entity.virtual_time, entity.weight, self.unit);
        now.plus(Ns(left)).ceil_to(self.tick)
    }

    /// The eligible waiting process with the earliest deadline, unless `running` beats it: its place in the queue.
    fn pick(&mut self, at: usize, running: Option<Pid>) -> Option<usize> {
        let average = self.average(at);
        let entities = &self.entities;
        let waiting = self.queues[at].waiting.iter().enumerate();
        let eligible = waiting.filter(|(_, p)| entities[p.i()].virtual_time <= average);
        let first = eligible.min_by_key(|(place, p)| (entities[p.i()].deadline, *place));
        let own = running.map(|p| entities[p.i()]).filter(|e| e.virtual_time <= average).map(|e| e.deadline);
        match (first, own) {
            (Some((_, p)), Some(own)) if own < entities[p.i()].deadline => None,
            (Some((place, _)), _) => Some(place),
            (None, _) => None,
        }
    }
}

impl RunQueue for Eevdf {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.charge(at, now);
        self.groups.woken(pid);
        self.place(at, pid);
        match self.queues[at].running {
            Pid::NONE => Preempt::No,
            _ => Preempt::Until(self.slice_end(at, now)),
        }
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        let mut still = None;
        if let Some(Ended { pid, why }) = ended {
            self.entities[pid.i()].last_ran = now;
            if why == Why::Blocked {
                self.keep_lag(at, pid);
                self.groups.gone(pid);
                self.queues[at].running = Pid::NONE;
            } else {
                still = Some(pid);
            }
        }
        if still.is_none() && self.queues[at].waiting.is_empty() {
            return None;
        }
        let next = self.pick(at, still);
        let queue = &mut self.queues[at];
        let pid = match (next, still) {
            (Some(place), _) => {
                let pid = queue.waiting.remove(place);
                queue.waiting.extend(still);
                pid
            }
            (None, Some(pid)) => pid,
            (None, None) => queue.waiting.remove(0),
        };
        (queue.running, queue.charged) = (pid, now);
        if self.groups.is_used() {
            self.reweigh(at, pid);
        }
        Some(Next { pid, until: self.slice_end(at, now) })
    }

    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.entities[ended.pid.i()].last_ran = now;
        if ended.why == Why::Blocked {
            self.keep_lag(at, ended.pid);
            self.groups.gone(ended.pid);
        } else {
            self.queues[at].waiting.push(ended.pid);
        }
        self.queues[at].running = Pid::NONE;
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        level(self, now, masks)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.slice_end(at, now)
    }
}

impl PerThread for Eevdf {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    fn queued(&self, at: usize) -> usize {
        self.queues[at].waiting.len()
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running != Pid::NONE)
    }
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let cold = |p: &Pid| now.minus(self.entities[p.i()].last_ran) >= self.migration_cost && masks.allows(*p, to);
        let place = self.queues[from].waiting.iter().position(cold)?;
        let pid = self.queues[from].waiting[place];
        self.keep_lag(from, pid);
        self.queues[from].waiting.remove(place);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, _now: Ns) {
        self.place(to, pid);
    }
}
