//! Who waits in a queue of CFS: the least virtual time first, of equal ones who came first.
use crate::ids::Pid;
use wwi_kernel::heap::Heap;

/// The process stands below the number by which it came: so an entry is half as long as if it stood beside it, and four
/// of them are a line of the cache. A replication has some hundred thousand processes at most.
const PID_BITS: u32 = 22;

/// Where one stands in line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(u128);

impl Entry {
    #[inline]
    pub(super) fn new(virtual_time: u64, sequence: u64, pid: Pid) -> Self {
        Entry(u128::from(virtual_time) << 64 | u128::from(sequence << PID_BITS | u64::from(pid.0)))
    }

    #[inline]
    fn virtual_time(self) -> u64 {
        (self.0 >> 64) as u64
    }

    #[inline]
    fn pid(self) -> Pid {
        Pid(self.0 as u32 & ((1 << PID_BITS) - 1))
    }
}

/// Those who wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Waiting(Heap<(), u128>);

impl Waiting {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The least virtual time, and whose it is.
    #[inline]
    pub(super) fn first(&self) -> Option<(u64, Pid)> {
        self.0.peek().map(|(key, ())| (Entry(key).virtual_time(), Entry(key).pid()))
    }

    /// The least virtual time; the largest possible where nobody waits.
    #[inline]
    pub(super) fn least(&self) -> u64 {
        Entry(self.0.min_key()).virtual_time()
    }

    #[inline]
    pub(super) fn push(&mut self, entry: Entry) {
        self.0.push(entry.0, ());
    }

    /// The first leaves.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.0.pop();
    }

    /// The first leaves, and another comes.
    #[inline]
    pub(super) fn exchange(&mut self, entry: Entry) {
        self.0.pop_push(entry.0, ());
    }

    /// One leaves.
    pub(super) fn remove(&mut self, pid: Pid) {
        self.0.remove_min_where(|&(key, ())| Entry(key).pid() == pid);
    }

    /// All of them, in no order.
    pub(super) fn each(&self) -> impl Iterator<Item = Pid> + '_ {
        self.0.iter().map(|&(key, ())| Entry(key).pid())
    }

    /// The first for whom `wanted` holds.
    pub(super) fn first_of(&self, wanted: impl Fn(Pid) -> bool) -> Option<Pid> {
        let wanted = self.0.iter().map(|entry| Entry(entry.0)).filter(|entry| wanted(entry.pid()));
        wanted.min_by_key(|entry| entry.0).map(Entry::pid)
    }
}
