//! What a process can be doing. Each activity is an event with a wait class; time is accounted to exactly one.
use crate::config::kinds::{Kind, Per};

/// Index into [`ACTIVITIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Activity(pub u8);

impl Activity {
    /// Idle: thinking, asleep, or not there.
    pub const OFF: Activity = Activity(0);
    /// On a hardware thread.
    pub const RUNNING: Activity = Activity(1);
    /// Ready, waiting for the operating system.
    pub const RUN_QUEUE: Activity = Activity(2);
    /// Held back by the Resource Manager.
    pub const CPU_QUANTUM: Activity = Activity(3);
    /// Asleep until the holder of a latch runs again.
    pub const LATCH: Activity = Activity(4);
    /// Until the writer posts.
    #[cfg(feature = "planted")]
    pub const PLANTED_POST: Activity = Activity(5);
    /// Until a write is done.
    #[cfg(feature = "planted")]
    pub const PLANTED_WRITE: Activity = Activity(6);

    /// Whether nobody waits for what a process in it would do.
    #[inline(always)]
    pub fn is_idle(self) -> bool {
        IDLE >> self.0 & 1 == 1
    }

    /// As an index.
    #[inline]
    pub fn i(self) -> usize {
        self.0 as usize
    }
}

/// Name, class and nature of an activity.
pub struct Info {
    /// Event name as the database prints it; "running" and "run queue" for the two sides of ON CPU.
    pub event: &'static str,
    /// Wait class.
    pub class: &'static str,
    /// Whether it is an instrumented wait of the database.
    pub is_wait: bool,
    /// Nobody waits for what the process would do: no time of a transaction, no active session, no reason for a longer
    /// warm-up.
    pub is_idle: bool,
    /// Who may be in it.
    pub who: Who,
    /// What a process does in it, for the catalogue; empty where that is not built.
    pub help: &'static str,
}

const fn text(words: &'static str) -> &'static str {
    if cfg!(feature = "texts") {
        words
    } else {
        ""
    }
}

/// Who may be in an activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Every process.
    All,
    /// Those that the Resource Manager counts.
    Caged,
    /// Those of an instance.
    OfInstances,
}

impl Who {
    /// Whether processes of a kind may be in it.
    pub fn has(self, kind: &Kind) -> bool {
        match self {
            Who::All => true,
            Who::Caged => kind.is_caged,
            Who::OfInstances => kind.per == Per::Instance,
        }
    }
}

/// Number of activities.
pub const COUNT: usize = ACTIVITIES.len();

/// All activities, by index.
pub const ACTIVITIES: &[Info] = &[
    Info { event: "idle", class: "Idle", is_wait: false, is_idle: true, who: Who::All, help: "" },
    Info {
        event: "running",
        class: "CPU",
        is_wait: false,
        is_idle: false,
        who: Who::All,
        help: text(
            "On a hardware thread, switching and refilling of caches included. The database shows it as ON CPU.",
        ),
    },
    Info {
        event: "run queue",
        class: "run queue",
        is_wait: false,
        is_idle: false,
        who: Who::All,
        help: text("Ready, but the operating system runs somebody else. The database cannot tell it from ON CPU."),
    },
    Info {
        event: "resmgr:cpu quantum",
        class: "Scheduler",
        is_wait: true,
        is_idle: false,
        who: Who::Caged,
        help: text("Held back by the Resource Manager until one of cpu_count slots is given to the session."),
    },
    Info {
        event: "latch: cache buffers chains",
        class: "Concurrency",
        is_wait: true,
        is_idle: false,
        who: Who::OfInstances,
        help: text("Asleep for a latch whose holder lost the CPU."),
    },
    #[cfg(feature = "planted")]
    Info {
        event: "planted post",
        class: "Commit",
        is_wait: true,
        is_idle: false,
        who: Who::OfInstances,
        help: text("Until the writer has written what the client sent."),
    },
    #[cfg(feature = "planted")]
    Info {
        event: "planted write",
        class: "System I/O",
        is_wait: true,
        is_idle: false,
        who: Who::OfInstances,
        help: text("Until the device has written."),
    },
];

/// Idle ones, a bit each.
const IDLE: u64 = {
    let (mut bits, mut at) = (0, 0);
    while at < COUNT {
        bits |= (ACTIVITIES[at].is_idle as u64) << at;
        at += 1;
    }
    bits
};
