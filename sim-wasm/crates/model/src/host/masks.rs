//! Where processes may run: hard and soft affinity, by process.
use crate::ids::Pid;
use wwi_kernel::bits::Bits;

/// One set of allowed threads, and within it the preferred ones.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Threads it may run on.
    pub allowed: Bits,
    /// Threads it had better run on; `None`: all allowed ones.
    pub preferred: Option<Bits>,
}

/// The masks of a host and who has which. Mask 0 allows every thread.
#[derive(Clone, Debug)]
pub struct Masks {
    masks: Vec<Mask>,
    of: Vec<u16>,
}

impl Masks {
    /// Everybody may run anywhere.
    pub fn new(threads: usize) -> Self {
        let mut allowed = Bits::new(threads);
        (0..threads).for_each(|t| allowed.set(t, true));
        Masks { masks: vec![Mask { allowed, preferred: None }], of: Vec::new() }
    }
    /// Whether every process may run anywhere and prefers nothing.
    #[inline]
    pub fn is_free(&self) -> bool {
        self.masks.len() == 1
    }
    /// Adds a mask; answers its number.
    pub fn add(&mut self, mask: Mask) -> u16 {
        self.masks.push(mask);
        (self.masks.len() - 1) as u16
    }
    /// Gives a process its mask.
    pub fn assign(&mut self, pid: Pid, mask: u16) {
        if self.of.len() <= pid.i() {
            self.of.resize(pid.i() + 1, 0);
        }
        self.of[pid.i()] = mask;
    }
    /// The mask of a process.
    #[inline]
    pub fn of(&self, pid: Pid) -> &Mask {
        &self.masks[self.of.get(pid.i()).map_or(0, |&m| m as usize)]
    }
    /// Whether a process may run on a thread.
    #[inline]
    pub fn allows(&self, pid: Pid, thread: usize) -> bool {
        self.is_free() || self.of(pid).allowed.has(thread)
    }
}
