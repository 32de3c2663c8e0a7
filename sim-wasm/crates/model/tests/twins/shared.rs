//! The queue of the whole host as a plain list, with and without a quantum.
use crate::driver::check;
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::host::queue::SharedQueue;
use wwi_model::ids::Pid;

struct Slow {
    /// (number of arrival, process); the least number runs first.
    waiting: Vec<(u64, Pid)>,
    arrivals: u64,
    quantum: Ns,
    threads: usize,
}

impl Slow {
    fn append(&mut self, pid: Pid) {
        self.arrivals += 1;
        self.waiting.push((self.arrivals, pid));
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, _at: usize, pid: Pid, _now: Ns) -> Preempt {
        self.append(pid);
        Preempt::No
    }
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        if let Some(ended) = ended {
            self.put(at, ended, now);
        }
        let first = *self.waiting.iter().min()?;
        self.waiting.retain(|e| *e != first);
        let until = if self.quantum == Ns::MAX { Ns::MAX } else { now + self.quantum };
        Some(Next { pid: first.1, until })
    }
    fn put(&mut self, _at: usize, ended: Ended, _now: Ns) {
        if ended.why != Why::Blocked {
            self.append(ended.pid);
        }
    }
    fn waiting(&self, _at: usize) -> usize {
        self.waiting.len().div_ceil(self.threads)
    }
    fn pull(&mut self, _to: usize, _from: Range<usize>, _now: Ns, _masks: &Masks) -> bool {
        false
    }
    fn level(&mut self, _now: Ns, _masks: &Masks) -> Vec<usize> {
        Vec::new()
    }
    fn until(&mut self, _at: usize, now: Ns) -> Ns {
        if self.quantum == Ns::MAX {
            Ns::MAX
        } else {
            now + self.quantum
        }
    }
}

#[test]
fn one_queue_for_the_host() {
    for seed in 0..500 {
        let threads = 1 + seed as usize % 5;
        let quantum = if seed % 2 == 0 { Ns::MAX } else { Ns::from_ms(100.0) };
        let mut slow = Slow { waiting: Vec::new(), arrivals: 0, quantum, threads };
        check(seed, threads, &mut SharedQueue::new(threads, quantum), &mut slow, 12, &Masks::new(threads));
    }
}
