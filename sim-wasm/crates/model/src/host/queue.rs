//! One queue for the whole host: `fifo` without a quantum, `round_robin` with one.
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::time::Ns;

/// Those who wait, in a ring of a power of two of places.
#[derive(Clone, Debug)]
struct Line {
    places: Vec<Pid>,
    /// Counted on and on: its place is the rest by their number.
    first: usize,
    len: usize,
}

impl Line {
    #[inline]
    fn place(&mut self, number: usize) -> &mut Pid {
        let mask = self.places.len().wrapping_sub(1);
        &mut self.places[number & mask]
    }

    fn push(&mut self, pid: Pid) {
        if self.len == self.places.len() {
            // Each number finds its own in either half.
            self.places.extend_from_within(..);
        }
        *self.place(self.first.wrapping_add(self.len)) = pid;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> Option<Pid> {
        self.len = self.len.checked_sub(1)?;
        self.first = self.first.wrapping_add(1);
        Some(*self.place(self.first.wrapping_sub(1)))
    }

    /// Whoever comes stands behind all others, and the first, perhaps the same, is taken.
    #[inline(always)]
    fn exchange(&mut self, pid: Pid) -> Pid {
        if self.len == 0 {
            return pid;
        }
        let taken = *self.place(self.first);
        *self.place(self.first.wrapping_add(self.len)) = pid;
        self.first = self.first.wrapping_add(1);
        taken
    }
}

/// First come, first served.
#[derive(Clone, Debug)]
pub struct SharedQueue {
    waiting: Line,
    quantum: Ns,
    threads: usize,
}

impl SharedQueue {
    /// For a host of `threads`; a quantum of [`Ns::MAX`] never ends.
    pub fn new(threads: usize, quantum: Ns) -> Self {
        SharedQueue { waiting: Line { places: vec![Pid::NONE; 64], first: 0, len: 0 }, quantum, threads }
    }

    /// A slice is over.
    #[inline(always)]
    pub fn expired(&mut self, pid: Pid, now: Ns) -> Next {
        Next { pid: self.waiting.exchange(pid), until: now.plus(self.quantum) }
    }
}

impl RunQueue for SharedQueue {
    #[inline]
    fn wake(&mut self, _at: usize, pid: Pid, _now: Ns) -> Preempt {
        self.waiting.push(pid);
        Preempt::No
    }

    #[inline]
    fn turn(&mut self, _at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let pid = match ended {
            Some(Ended { pid, why: Why::SliceExpired | Why::Preempted }) => return Some(self.expired(pid, now)),
            _ => self.waiting.pop()?,
        };
        Some(Next { pid, until: now.plus(self.quantum) })
    }

    fn waiting(&self, _at: usize) -> usize {
        self.waiting.len.div_ceil(self.threads)
    }
    fn put(&mut self, _at: usize, ended: Ended, _now: Ns) {
        if ended.why != Why::Blocked {
            self.waiting.push(ended.pid);
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
