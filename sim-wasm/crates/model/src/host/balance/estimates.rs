//! What a process is expected to use once it runs again (`util_est` of `kernel/sched/fair.c`).

/// A change of less than this is none, 1024ths of a CPU (`UTIL_EST_MARGIN`).
const MARGIN: f64 = 10.0;
/// A quarter of a lower value counts (`UTIL_EST_WEIGHT_SHIFT`).
const SHARE: f64 = 0.25;

/// How it is estimated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Linux 6.1 and 6.6: a lower value counts by a quarter.
    #[default]
    Linux61,
    /// Linux 6.8 and later: it is not believed of a process that has waited.
    Linux68,
}

/// Of one process: an average of what it had used whenever it blocked, 1024ths of a CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate(f64);

impl Estimate {
    /// Of one that never blocked.
    pub const UNKNOWN: Estimate = Estimate(0.0);

    /// A process blocks whose averages are read as `util` and `runnable` (`util_est_update`). More counts at once, less
    /// by and by.
    pub fn blocks(&mut self, util: f64, runnable: f64, rule: Rule) {
        let less = self.0 - util;
        let has_waited = rule == Rule::Linux68 && util + MARGIN < runnable;
        if less < 0.0 {
            self.0 = util;
        } else if less >= MARGIN && !has_waited {
            self.0 -= less * SHARE;
        }
    }

    /// What it adds to its CPU when it is queued there (`_task_util_est`).
    pub fn expected(self) -> f64 {
        self.0
    }
}
