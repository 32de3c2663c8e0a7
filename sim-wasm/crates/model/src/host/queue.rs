//! One queue for the whole host: `fifo` without a quantum, `round_robin` with one.
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::ids::Pid;
use std::collections::VecDeque;
use std::ops::Range;
use wwi_kernel::time::Ns;

/// First come, first served.
#[derive(Clone, Debug)]
pub struct SharedQueue {
    waiting: VecDeque<Pid>,
    quantum: Ns,
    threads: usize,
}

impl SharedQueue {
    /// For a host of `threads`; a quantum of [`Ns::MAX`] never ends.
    pub fn new(threads: usize, quantum: Ns) -> Self {
        SharedQueue { waiting: VecDeque::new(), quantum, threads }
    }
}

impl RunQueue for SharedQueue {
    #[inline]
    fn wake(&mut self, _at: usize, pid: Pid, _now: Ns) -> Preempt {
        self.waiting.push_back(pid);
        Preempt::No
    }

    #[inline]
    fn turn(&mut self, _at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        if let Some(Ended { pid, why: Why::SliceExpired | Why::Preempted }) = ended {
            self.waiting.push_back(pid);
        }
        let pid = self.waiting.pop_front()?;
        Some(Next { pid, until: now.plus(self.quantum) })
    }

    fn waiting(&self, _at: usize) -> usize {
        self.waiting.len().div_ceil(self.threads)
    }
    fn put(&mut self, _at: usize, ended: Ended, _now: Ns) {
        if ended.why != Why::Blocked {
            self.waiting.push_back(ended.pid);
        }
    }
    fn pull(&mut self, _to: usize, _from: Range<usize>, _now: Ns, _masks: &Masks) -> bool {
        false
    }
    fn level(&mut self, _now: Ns, _masks: &Masks) -> Vec<usize> {
        Vec::new()
    }
    fn until(&mut self, _at: usize, now: Ns) -> Ns {
        now.plus(self.quantum)
    }
}
