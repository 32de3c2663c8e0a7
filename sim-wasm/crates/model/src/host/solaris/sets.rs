//! Processor sets: on which threads each process may run (`t_cpupart`), and how many wait of those of each.
use std::ops::Range;
use wwi_kernel::bits::Bits;

#[derive(Clone, Debug)]
struct Set {
    threads: Bits,
    waiting: u32,
}

/// Set 0 has all threads.
#[derive(Clone, Debug)]
pub(super) struct Sets(Vec<Set>);

impl Sets {
    pub(super) fn new(threads: usize) -> Self {
        let mut all = Bits::new(threads);
        all.fill(0..threads);
        Sets(vec![Set { threads: all, waiting: 0 }])
    }

    /// The number of the set of these threads.
    pub(super) fn number(&mut self, threads: &Bits) -> u16 {
        let known = self.0.iter().position(|set| set.threads == *threads);
        known.unwrap_or_else(|| {
            self.0.push(Set { threads: threads.clone(), waiting: 0 });
            self.0.len() - 1
        }) as u16
    }

    /// Everybody may run everywhere.
    #[inline]
    pub(super) fn is_one(&self) -> bool {
        self.0.len() == 1
    }

    #[inline]
    pub(super) fn has(&self, set: u16, at: usize) -> bool {
        set == 0 || self.0[set as usize].threads.has(at)
    }

    /// It has one thread: who is in it is bound to that (`t_bound_cpu`).
    #[inline]
    pub(super) fn is_single(&self, set: u16) -> bool {
        self.0[set as usize].threads.len() == 1
    }

    /// It has one of these threads.
    pub(super) fn meets(&self, set: u16, mut range: Range<usize>) -> bool {
        range.any(|at| self.has(set, at))
    }

    /// The thread of a set after this one, going round within the range; none if it has no other there.
    pub(super) fn after(&self, set: u16, at: usize, range: Range<usize>) -> Option<usize> {
        (at + 1..range.end).chain(range.start..at).find(|&at| self.has(set, at))
    }

    /// One more of a set waits, or one less.
    #[inline]
    pub(super) fn count(&mut self, set: u16, is_more: bool) {
        let waiting = &mut self.0[set as usize].waiting;
        *waiting = if is_more { *waiting + 1 } else { *waiting - 1 };
    }

    /// Somebody waits who may run on a thread.
    #[inline]
    pub(super) fn wait_for(&self, at: usize) -> bool {
        self.0.iter().any(|set| set.waiting > 0 && set.threads.has(at))
    }

    /// Somebody waits who may run on one of these threads.
    #[inline]
    pub(super) fn wait_for_any(&self, threads: &Bits) -> bool {
        let is_there = |set: &Set| set.threads.iter().any(|at| threads.has(at));
        self.0.iter().any(|set| set.waiting > 0 && is_there(set))
    }
}
