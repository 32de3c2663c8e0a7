//! Processes waiting at one thread, by level: the lowest level first, within a level in line.
use crate::ids::Pid;
use wwi_kernel::heap::Heap;

/// Places in line are counted from here, upwards at the tail and downwards at the head.
const MIDDLE: u64 = 1 << 62;

/// A line for each level.
#[derive(Clone, Debug)]
pub struct Levels {
    heap: Heap<Pid>,
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
        (self.heap.min_key() >> 64).min(u128::from(u32::MAX)) as u32
    }
    #[inline]
    fn tail_key(&mut self, level: u32) -> u128 {
        self.tail += 1;
        u128::from(level) << 64 | u128::from(self.tail)
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
        self.heap.push(u128::from(level) << 64 | u128::from(self.head), pid);
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
    /// Takes the first for whom `wanted` holds; looks at everybody.
    pub fn take(&mut self, wanted: impl Fn(&Pid) -> bool) -> Option<Pid> {
        self.heap.remove_min_where(wanted).map(|(_, pid)| pid)
    }
    /// Asks everybody, the first first, for his level: who changes it goes to the tail of the new one, or to its head
    /// where the second answer is true; who keeps it keeps his place.
    pub fn relevel(&mut self, mut level_of: impl FnMut(Pid) -> (u32, bool)) {
        let mut old = std::mem::take(&mut self.heap);
        while let Some((key, pid)) = old.pop() {
            match level_of(pid) {
                (level, _) if u128::from(level) == key >> 64 => self.heap.push(key, pid),
                (level, true) => self.push_head(level, pid),
                (level, false) => self.push_tail(level, pid),
            }
        }
    }
    /// Gives everybody the level that he now has, in the order in which they came, whatever their level was.
    pub fn resort(&mut self, mut level_of: impl FnMut(Pid) -> u32) {
        let mut fresh = Heap::default();
        for &(key, pid) in self.heap.iter() {
            fresh.push(u128::from(level_of(pid)) << 64 | (key & u128::from(u64::MAX)), pid);
        }
        self.heap = fresh;
    }
}
