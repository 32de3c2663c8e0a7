//! What EEVDF keeps of a thread and of a process: the sums of the average, and where a process stands.
use super::deadlines::Deadlines;
use super::weights::scale;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

/// What a thread has to run (the kernel's `cfs_rq`). The running process is not in the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    pub tree: Deadlines,
    /// How many of the tree only work off a debt.
    pub delayed: usize,
    pub running: Option<Pid>,
    /// Up to when the running process is charged.
    pub charged: Ns,
    /// Zero of `sum`; follows the average.
    pub base: i64,
    /// Of the tree: weight × (virtual time − base), added up (`avg_vruntime`).
    pub sum: i128,
    /// Of the tree: the weights (`avg_load`).
    pub load: u64,
    /// A process that was moved here makes the running one give way.
    pub must_turn: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Never queued.
    New,
    /// Not queued; its lag is kept.
    Away,
    /// Between two queues; its deadline is relative to its virtual time (`rel_deadline`).
    Moving,
    /// The same of one that sleeps, and stays queued until its debt is worked off.
    MovingDelayed,
    /// Waiting or running.
    Queued,
    /// Asleep, but queued until its debt is worked off (`sched_delayed`).
    Delayed,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Entity {
    pub virtual_time: i64,
    pub deadline: i64,
    /// Average − virtual time when it left its queue.
    pub lag: i64,
    /// Its deadline when it was picked: while that stands, it is in the request with which it was picked
    /// (`set_next_entity`). Since 6.17 the virtual time up to which it is left alone (`vprot`).
    pub picked_for: i64,
    pub weight: u64,
    pub serial: u64,
    pub last_ran: Ns,
    /// When it was last picked, or queued anew: by this balancing goes through a queue.
    pub order: u32,
    pub home: u16,
    pub state: State,
}

// A line of the cache holds one.
const _: () = assert!(std::mem::size_of::<Entity>() <= 64);

/// Sums over all that is runnable at a thread, the running process included.
#[derive(Clone, Copy)]
pub(super) struct Total {
    pub base: i64,
    pub sum: i128,
    pub load: u64,
}

impl Total {
    /// Whether a virtual time is not past the average (`vruntime_eligible`).
    #[inline]
    pub fn allows(self, virtual_time: i64) -> bool {
        self.sum >= i128::from(virtual_time - self.base) * i128::from(self.load)
    }

    /// The greatest virtual time that is not past the average: to look at several by it takes one division.
    #[inline]
    pub fn limit(self) -> i64 {
        if self.load == 0 {
            return i64::MAX;
        }
        self.base.saturating_add(self.distance())
    }

    /// How far the average is from the base, rounded down (`avg_vruntime`).
    #[inline]
    pub fn distance(self) -> i64 {
        match (i64::try_from(self.sum), self.load) {
            (_, 0) => 0,
            (Ok(sum), load) if load <= i64::MAX as u64 => sum.div_euclid(load as i64),
            _ => self.far(),
        }
    }

    #[cold]
    #[inline(never)]
    fn far(self) -> i64 {
        self.sum.div_euclid(i128::from(self.load)) as i64
    }
}

/// A distance in virtual time, either way, as [`scale`].
pub(super) fn scale_lag(lag: i64, up: u64, down: u64) -> i64 {
    lag.signum() * scale(lag.unsigned_abs(), up, down) as i64
}
