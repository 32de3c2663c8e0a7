//! Who ran where: a ring of stays on hardware threads, off unless asked for.
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::world::Process;
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
    stays: Vec<Stay>,
    most: usize,
    /// Where the next goes once there are `most`.
    oldest: usize,
    since: Ns,
}

impl Recorder {
    /// Keeps at most `most` stays, from `since` on.
    pub fn new(most: usize, since: Ns) -> Self {
        Recorder { stays: Vec::new(), most: most.max(1), oldest: 0, since }
    }
    /// Notes a stay that ended.
    #[inline]
    pub fn note(&mut self, stay: Stay) {
        if self.stays.len() < self.most {
            return self.stays.push(stay);
        }
        self.stays[self.oldest] = stay;
        self.oldest += 1;
        if self.oldest == self.most {
            self.oldest = 0;
        }
    }
    /// Notes that a process leaves what it does; running is noted with its thread, at the end of the stay there.
    #[inline]
    pub fn left(&mut self, pid: Pid, process: &Process, now: Ns) {
        if process.activity != Activity::RUNNING && process.entered < now {
            self.note(Stay {
                pid,
                activity: process.activity,
                thread: process.last,
                start: process.entered,
                end: now,
                lost: Ns::ZERO,
            });
        }
    }
    /// From here on every stay that ended is kept.
    pub fn known_from(&self) -> Ns {
        if self.stays.len() < self.most {
            return self.since;
        }
        self.stays[self.oldest].end
    }
    /// The stays kept, in the order of their ends.
    pub fn stays(&self) -> impl Iterator<Item = &Stay> {
        let (new, old) = self.stays.split_at(self.oldest);
        old.iter().chain(new)
    }
}
