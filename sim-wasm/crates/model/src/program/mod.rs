//! What processes do: each is a state machine that names its next segment. The scheduler sees CPU demand and waits only.
use crate::measure::events::Activity;
use wwi_kernel::time::Ns;

pub mod background;
pub mod daemon;
pub mod messages;
pub mod session;

/// The next thing a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Needs this much CPU work (fixed point of [`crate::host::topology`]).
    Cpu(u64),
    /// Waits for a known time.
    Sleep(Activity, Ns),
    /// Needs CPU work for somebody who has waited since then.
    Serve(u64, Ns),
    /// Waits until somebody wakes it.
    Wait(Activity),
    /// Leaves for good.
    Exit,
}

/// Which state machine a process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A session that thinks and runs transactions by turns.
    Session,
    /// A session that came for one transaction.
    Visitor,
    /// Load outside the cage.
    Background,
    /// A server with one process.
    Daemon,
    /// Writes messages to each receiver of its group in turn.
    Sender {
        /// First inbox of the group.
        first: u32,
        /// Receivers in the group.
        pairs: u32,
        /// Which comes next.
        at: u32,
    },
    /// Handles the messages of one inbox.
    Receiver {
        /// Which.
        inbox: u32,
    },
}
