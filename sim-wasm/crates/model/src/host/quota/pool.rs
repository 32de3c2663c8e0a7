//! The pool of a control group with a quota: what there is of it, who waits for it, and when it is filled up.
use crate::config::CgroupConfig;
use wwi_kernel::time::Ns;

/// What `cpu.max` of a group gives to threads.
#[derive(Clone, Debug)]
pub struct Pool {
    quota: Ns,
    period: Ns,
    /// What may be left of earlier periods (`cpu.max.burst`).
    burst: Ns,
    pub left: Ns,
    /// When it is filled up next.
    pub refill: Ns,
    /// When what was given back is handed out; [`Ns::MAX`]: nothing waits for that.
    pub hands_out: Ns,
    /// Throttled threads, who was so first.
    pub throttled: Vec<usize>,
    /// Whether what is drawn is lost at the end of the period (`expire_cfs_rq_runtime`).
    expires: bool,
    /// How often threads got something, and how often they had when this period began.
    served: u64,
    began: u64,
    /// The timer of its periods runs: until one ends in which nothing was used (`cfs_bandwidth.idle`).
    is_timed: bool,
    /// The tick on which threads last asked one after the other.
    pub asked: Ns,
}

impl Pool {
    /// A full one, if there is a quota; its first period begins at once.
    pub fn new(group: &CgroupConfig, expires: bool) -> Option<Pool> {
        let CgroupConfig { period, burst, .. } = *group;
        group.quota.map(|quota| Pool {
            quota,
            period,
            burst,
            left: quota,
            refill: period,
            hands_out: Ns::MAX,
            throttled: Vec::new(),
            expires,
            served: 0,
            began: 0,
            is_timed: false,
            asked: Ns::MAX,
        })
    }

    /// It is filled up on multiples of its period since a moment so long ago.
    pub fn begin(&mut self, ago: Ns) {
        self.refill = Ns(self.period.0 - ago.0 % self.period.0);
    }

    /// Filled up, for its period is over; what is left of that is lost, but for the burst
    /// (`__refill_cfs_bandwidth_runtime`).
    pub fn fill(&mut self, now: Ns) {
        self.began = self.served;
        self.left = (self.left + self.quota).min(self.quota + self.burst);
        self.refill += (now - self.refill).next_tick(self.period);
        self.hands_out = Ns::MAX;
    }

    /// The period ends: whether it counts, and whether a thread is throttled then. One in which nobody drew from it
    /// counts if the one before was used.
    pub fn counts(&mut self) -> [bool; 2] {
        let is_throttled = !self.throttled.is_empty();
        let is_used = self.served > self.began || is_throttled;
        [is_used | std::mem::replace(&mut self.is_timed, is_used), is_throttled]
    }

    /// As much of what is wanted as there is.
    pub fn take(&mut self, wanted: Ns) -> i64 {
        let taken = self.left.min(wanted);
        self.left = self.left.minus(taken);
        taken.0 as i64
    }

    /// A thread gets something: the number of this time, and when it is lost.
    pub fn serve(&mut self) -> (u64, Ns) {
        self.served += 1;
        (self.served, if self.expires { self.refill } else { Ns::MAX })
    }
}
