//! SCHED_BATCH of Linux with fair queues: such a process has the weight of its nice value, and when it wakes it takes
//! nobody's CPU: "Batch and idle tasks do not preempt non-idle tasks (their preemption is driven by the tick)"
//! (`check_preempt_wakeup` in `kernel/sched/fair.c` of 5.8 and 6.6, `check_preempt_wakeup_fair` of 6.12). Left out:
//! what `sched_yield` does in this class.
use crate::config::Class;
use crate::ids::Pid;
use wwi_kernel::table::reach;

/// Who is in it, by process; empty where nobody is.
#[derive(Clone, Debug, Default)]
pub struct Batch(Vec<bool>);

impl Batch {
    /// Notes the class of a process.
    pub fn note(&mut self, pid: Pid, class: Class) {
        if class == Class::Batch {
            reach(&mut self.0, pid.i(), false);
            self.0[pid.i()] = true;
        }
    }

    /// Whether it is in the class.
    #[inline]
    pub fn has(&self, pid: Pid) -> bool {
        self.0.get(pid.i()).is_some_and(|&is_in| is_in)
    }
}
