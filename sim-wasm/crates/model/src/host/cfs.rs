//! Linux CFS, 2.6.23 to 6.5: each thread runs the waiting process with the least virtual time.
//!
//! Source: Linux `kernel/sched/fair.c` of 6.1 (long-term version), with GENTLE_FAIR_SLEEPERS, LAST_BUDDY and, since
//! 5.13, ALT_PERIOD and BASE_SLICE. Functions of the kernel are named where their rule is.
//!
//! Where it is simpler: a weight divides exactly, where the kernel multiplies by a rounded inverse. Left out:
//! START_DEBIT, `sched_yield`, SCHED_IDLE.
mod fair;
mod level;
mod nested;
mod nested_moves;
mod waiting;

pub use nested::Nested;

use super::balance::counts::{level as even, pull, PerThread};
use super::balance::Fair;
use super::batch::Batch;
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use super::weights::{tunable_factor, weight, NICE_0};
use crate::config::{BalanceGeneration, KindConfig, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use waiting::Waiting;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Virtual clocks start here, so that a sleeper's bonus cannot take one below zero.
const ORIGIN: u64 = 1 << 42;

#[derive(Clone, Debug)]
struct Queue {
    waiting: Waiting,
    running: Pid,
    /// Start of the running process's stay, and up to when its virtual time is charged.
    picked: Ns,
    charged: Ns,
    min_virtual: u64,
    weight: u64,
    /// Who is picked before the one of the least virtual time as long as that is not unfair (`cfs_rq->next`): the last
    /// to pre-empt somebody, or a group of which somebody went to sleep …
    next: Pid,
    /// … and then the last to be pre-empted among many (`cfs_rq->last`).
    last: Pid,
    /// Who runs is to give way (`TIF_NEED_RESCHED`).
    must_turn: bool,
    /// The last part of a period that was worked out, and from which period, weight and sum of weights: mostly it is
    /// asked for again.
    part: u64,
    parted: [u64; 3],
    /// When the running slice ends, unless somebody who waited has left since that was said.
    ends: Ns,
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
    /// Before 5.13: a slice is a part of the period of its own queue (no ALT_PERIOD), and may be shorter than the
    /// minimum granularity (no BASE_SLICE). Balancing goes through a queue from who came last, whoever was picked since
    /// (`cfs_tasks` of 3.14).
    is_old: bool,
    /// Up to this many runnable processes share one latency period (`sched_nr_latency`): as many minimum granularities
    /// as make it up, 8 unless one of them is set (`sched_proc_update_handler`).
    nr_latency: u64,
    wakeup_granularity: u64,
    migration_cost: Ns,
    /// Threads on their way to run the first of their queue.
    begins: Bits,
    tick: Ns,
    sequence: u64,
    /// Weight of nice 0.
    unit: u64,
    /// Who pre-empts nobody.
    batch: Batch,
}

impl Cfs {
    /// With the host's tunables, scaled by the number of its threads as the kernel does.
    pub fn new(config: &NodeConfig) -> Self {
        let factor = tunable_factor(config.threads());
        let queue = Queue {
            waiting: Waiting::default(),
            running: Pid::NONE,
            picked: Ns::ZERO,
            charged: Ns::ZERO,
            min_virtual: ORIGIN,
            weight: 0,
            next: Pid::NONE,
            last: Pid::NONE,
            must_turn: false,
            part: 0,
            parted: [0; 3],
            ends: Ns::MAX,
        };
        Cfs {
            unit: NICE_0,
            queues: vec![queue; config.threads()].into(),
            entities: Vec::new().into(),
            latency: config.cfs.latency.0 * factor,
            min_granularity: config.cfs.min_granularity.0 * factor,
            is_old: config.balance_generation == BalanceGeneration::Linux316,
            nr_latency: config.cfs.latency.0.div_ceil(config.cfs.min_granularity.0.max(1)),
            wakeup_granularity: config.cfs.wakeup_granularity.0 * factor,
            migration_cost: config.cfs.migration_cost,
            begins: Bits::new(config.threads()),
            tick: Ns(1_000_000_000 / u64::from(config.tick_hz)),
            sequence: 0,
            batch: Batch::default(),
        }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig) {
        self.admit_weighing(pid, weight(kind.nice));
        self.batch.note(pid, kind.class);
    }

    fn admit_weighing(&mut self, pid: Pid, weight: u64) {
        let fresh = Entity { virtual_time: 0, weight, last_ran: Ns::ZERO, home: NOWHERE, order: 0 };
        reach(&mut self.entities, pid.i(), fresh);
        self.entities[pid.i()] = fresh;
    }

    /// One that comes is at the head of its list: looked at last, or first.
    fn came(&mut self, pid: Pid) {
        self.pass_over(pid);
        let order = &mut self.entities[pid.i()].order;
        *order = if self.is_old { order.wrapping_neg() } else { *order };
    }

    /// Whether who has come takes the thread from who runs there (`check_preempt_wakeup`).
    #[inline]
    fn comes(&mut self, at: usize, pid: Pid) -> bool {
        let Queue { running, must_turn, .. } = self.queues[at];
        if must_turn || running == Pid::NONE || self.batch.has(pid) || !self.preempts(at, pid) {
            return must_turn;
        }
        let are_many = self.queued_here(at) >= self.nr_latency;
        let queue = &mut self.queues[at];
        (queue.next, queue.must_turn) = (pid, true);
        queue.last = if are_many { running } else { queue.last };
        true
    }

    /// As [`Cfs::slice_end_here`], in one copy: for what comes seldom.
    #[inline(never)]
    fn slice_end(&mut self, at: usize, now: Ns) -> Ns {
        self.slice_end_here(at, now)
    }

    /// The tick that ends the running slice.
    #[inline(always)]
    fn slice_end_here(&mut self, at: usize, now: Ns) -> Ns {
        let queue = &self.queues[at];
        let mut end = Ns::MAX;
        if !queue.waiting.is_empty() && queue.running != Pid::NONE {
            let (period, weight) = (self.period(self.queued_here(at)), self.entities[queue.running.i()].weight);
            // One by one: as one they would be read before they are all written, for which the processor stalls.
            let [of_period, of_weight, of_all] = queue.parted;
            if (of_period ^ period) | (of_weight ^ weight) | (of_all ^ queue.weight) != 0 {
                let (parted, part) = ([period, weight, queue.weight], self.part(at, queue.running, period));
                let queue = &mut self.queues[at];
                (queue.parted, queue.part) = (parted, part);
            }
            end = self.end_here(at, self.at_least(self.queues[at].part), now);
        }
        self.queues[at].ends = end;
        end
    }

    /// On the tick that was to end its slice, who runs may go on if others have left since.
    #[inline]
    fn is_over(&mut self, at: usize, pid: Pid, now: Ns) -> bool {
        let Queue { next, last, ends, .. } = self.queues[at];
        if ends == now && next != pid && last != pid || !now.0.is_multiple_of(self.tick.0) {
            return true;
        }
        let slice = self.slice(at, pid, self.period(self.queued_here(at)));
        self.is_spent(at, slice, now) || self.queues[at].must_turn
    }
}

impl RunQueue for Cfs {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        if let Some(home) = self.elsewhere(pid, at) {
            self.charge_to_tick(home, now);
        }
        self.charge_here(at, now);
        self.place(at, pid);
        self.came(pid);
        if self.queues[at].running == Pid::NONE {
            return Preempt::No;
        }
        if self.comes(at, pid) {
            return Preempt::Now;
        }
        Preempt::Until(self.slice_end(at, now))
    }

    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge_here(at, now);
        if let Some(Ended { pid, why }) = ended {
            self.entities[pid.i()].last_ran = now;
            match why {
                Why::Blocked => self.stop(at, pid),
                Why::SliceExpired if !self.is_over(at, pid, now) => {
                    return Some(Next { pid, until: self.slice_end(at, now) });
                }
                Why::SliceExpired | Why::Preempted => {}
            }
        }
        self.queues[at].must_turn = false;
        let next = self.pick_here(at)?;
        self.set_here(at, next, now);
        if !self.is_old {
            self.entities[next.i()].order = self.sequence as u32;
        }
        Some(Next { pid: next, until: self.slice_end_here(at, now) })
    }

    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.entities[ended.pid.i()].last_ran = now;
        if ended.why == Why::Blocked {
            self.stop(at, ended.pid);
        }
        self.put_back(at);
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        even(self, now, masks)
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so && self.queues[at].running == Pid::NONE);
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        if self.queues[at].must_turn {
            return now;
        }
        self.slice_end(at, now)
    }
}
