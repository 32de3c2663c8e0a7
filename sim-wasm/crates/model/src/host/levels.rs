//! Processes waiting at one thread, by level: the lowest level first, within a level in line.
use crate::ids::Pid;
use wwi_kernel::heap::Heap;
use wwi_kernel::order::sort_by_rank;

/// A level stands above so many bits, in which the place in line is.
const PLACE_BITS: u32 = 48;
/// Places in line are counted from here, upwards at the tail and downwards at the head.
const MIDDLE: u64 = 1 << (PLACE_BITS - 1);

fn key(level: u32, place: u64) -> u64 {
    u64::from(level) << PLACE_BITS | place
}

/// A line for each level, of which there are at most 65,535.
#[derive(Clone, Debug)]
pub struct Levels {
    heap: Heap<Pid, u64>,
    head: u64,
    tail: u64,
}

impl Default for Levels {
    fn default() -> Self {
        Levels { heap: Heap::default(), head: MIDDLE, tail: MIDDLE }
    }
}

impl Levels {
    /// How many wait.
    #[inline]
    pub fn len(&self) -> usize {
        self.heap.len()
    }
    /// Whether nobody waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }
    /// The level of the first in line; [`u32::MAX`] when nobody waits.
    #[inline]
    pub fn best(&self) -> u32 {
        self.heap.peek().map_or(u32::MAX, |(key, _)| (key >> PLACE_BITS) as u32)
    }
    #[inline]
    fn tail_key(&mut self, level: u32) -> u64 {
        self.tail += 1;
        key(level, self.tail)
    }
    /// Queues a process behind all others of its level.
    #[inline]
    pub fn push_tail(&mut self, level: u32, pid: Pid) {
        let key = self.tail_key(level);
        self.heap.push(key, pid);
    }
    /// Queues a process before all others of its level.
    #[inline]
    pub fn push_head(&mut self, level: u32, pid: Pid) {
        self.head -= 1;
        self.heap.push(key(level, self.head), pid);
    }
    /// Takes the first.
    #[inline]
    pub fn pop(&mut self) -> Option<Pid> {
        self.heap.pop().map(|(_, pid)| pid)
    }
    /// Queues a process behind its level and takes the first, which may be the same.
    #[inline]
    pub fn exchange(&mut self, level: u32, pid: Pid) -> Pid {
        if level < self.best() {
            return pid;
        }
        let key = self.tail_key(level);
        self.heap.pop_push(key, pid).map_or(pid, |(_, first)| first)
    }
    /// Who waits, the best level first, of one level the last in line first.
    pub fn tail_first(&self) -> Vec<(u32, Pid)> {
        let mut all: Vec<_> = self.heap.iter().copied().collect();
        // The places count from the other end, the levels do not.
        sort_by_rank(&mut all, |&(key, _)| key ^ ((1 << PLACE_BITS) - 1));
        all.into_iter().map(|(key, pid)| ((key >> PLACE_BITS) as u32, pid)).collect()
    }
    /// The first.
    pub fn peek(&self) -> Option<Pid> {
        self.heap.peek().map(|(_, pid)| pid)
    }
    /// Takes the first for whom `wanted` holds; looks at everybody.
    pub fn take(&mut self, wanted: impl Fn(&Pid) -> bool) -> Option<Pid> {
        self.heap.remove_min_where(|(_, pid)| wanted(pid)).map(|(_, pid)| pid)
    }
    /// Gives everybody the level that he now has, in the order in which they came, whatever their level was.
    pub fn resort(&mut self, mut level_of: impl FnMut(Pid) -> u32) {
        let mut fresh = Heap::default();
        for &(old, pid) in self.heap.iter() {
            fresh.push(key(level_of(pid), old & ((1 << PLACE_BITS) - 1)), pid);
        }
        self.heap = fresh;
    }
}
