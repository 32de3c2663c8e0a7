//! Who ran where: a ring of stays on hardware threads, off unless asked for.
use crate::activity::Activity;
use crate::ids::{Pid, ThreadId};
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// One stay of a process in one activity.
#[derive(Clone, Copy, Debug)]
pub struct Stay {
    /// Process.
    pub pid: Pid,
    /// What it did.
    pub activity: Activity,
    /// Hardware thread, or the one it last ran on.
    pub thread: ThreadId,
    /// From.
    pub start: Ns,
    /// To.
    pub end: Ns,
    /// Time lost at its start to switching and refilling.
    pub lost: Ns,
}

/// Keeps the latest stays.
#[derive(Clone, Debug)]
pub struct Recorder {
    stays: VecDeque<Stay>,
    most: usize,
}

impl Recorder {
    /// Keeps at most `most` stays.
    pub fn new(most: usize) -> Self {
        Recorder { stays: VecDeque::new(), most }
    }
    /// Notes a stay that ended.
    pub fn note(&mut self, stay: Stay) {
        if self.stays.len() == self.most {
            self.stays.pop_front();
        }
        self.stays.push_back(stay);
    }
    /// From here on every stay that ended is kept.
    pub fn known_from(&self) -> Ns {
        if self.stays.len() < self.most {
            return Ns::ZERO;
        }
        self.stays.front().map_or(Ns::ZERO, |s| s.end)
    }
    /// The stays kept, in the order of their ends.
    pub fn stays(&self) -> impl Iterator<Item = &Stay> {
        self.stays.iter()
    }
}
