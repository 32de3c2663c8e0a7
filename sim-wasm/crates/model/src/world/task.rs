//! What of a process is seldom looked at, apart from what every stay on a thread needs.
use crate::ids::QueueId;
use crate::measure::events::Activity;
use crate::program::{On, Program, Step};
use crate::world::late::Late;
use wwi_kernel::time::Ns;

/// A wait, under way or just over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its event.
    pub event: Activity,
    /// What for.
    pub on: On,
    /// Its time-out.
    pub until: Option<Ns>,
}

/// What of a process is seldom looked at; what each of its steps needs stands first, within two lines of a cache.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Task {
    /// Logical reads of its segment, in units of 2⁻²⁰.
    pub reads: u64,
    /// When its transaction began; or when it woke to begin one.
    pub started: Ns,
    /// While it is idle within a transaction: how long that has taken so far.
    pub paused: Option<Ns>,
    /// Work of its segment, fixed point. Apart from `reads`: read as one, two numbers of a step that were just written
    /// one by one would stall the processor.
    pub asked: u64,
    /// While it is in a run queue after a wait: when that began.
    pub waited_since: Ns,
    /// What it runs.
    pub program: Program,
    /// Its last wait.
    pub wait: Option<Waiting>,
    /// That, where it is counted late and is not counted yet: seldom, so it is elsewhere.
    pub late: Option<Box<Late>>,
    /// Number of its waits that are over: a timer for an earlier one does nothing.
    pub generation: u32,
    /// Its number among the processes of its host, in the order in which they came: what other hosts have changes
    /// nothing here.
    pub number: u32,
    /// Its next wait is counted late.
    pub asks_late: bool,
    /// It has taken no step yet.
    pub is_new: bool,
    /// It ends with its work.
    pub is_doomed: bool,
    /// It has left.
    pub is_gone: bool,
    /// It came for one transaction, and can come again as another.
    pub is_visitor: bool,
    /// Where it is told that somebody wants a lock that it holds.
    pub wanted: Option<QueueId>,
    /// A step to take before any other.
    pub stashed: Option<Step>,
}

impl Task {
    /// Of a process that has not begun.
    pub fn new((program, number): (Program, u32), started: Ns) -> Self {
        let (wait, late, stashed, wanted) = (None, None, None, None);
        let (asked, reads, generation, paused) = (0, 0, 0, None);
        let (is_new, is_doomed, is_gone) = (false, false, false);
        Task {
            started,
            paused,
            asked,
            reads,
            waited_since: Ns::ZERO,
            program,
            number,
            generation,
            wait,
            late,
            asks_late: false,
            stashed,
            wanted,
            is_new,
            is_doomed,
            is_gone,
            is_visitor: false,
        }
    }

    /// A transaction begins after an idle wait, or goes on after one.
    pub fn goes_on(&mut self, now: Ns) {
        self.started = Ns(now.0 - self.paused.take().unwrap_or(Ns::ZERO).0);
    }

    /// How long its transaction has taken.
    pub fn age(&self, now: Ns) -> Ns {
        self.paused.unwrap_or_else(|| now - self.started)
    }

    /// Logical reads of its segment when so much of its work is left, in proportion to what is done, in units of
    /// 2⁻²⁰.
    pub fn reads_done(&self, left: u64) -> u64 {
        let done = u128::from(self.asked - left) * u128::from(self.reads);
        done.checked_div(u128::from(self.asked)).map_or(0, |reads| reads as u64)
    }
}
