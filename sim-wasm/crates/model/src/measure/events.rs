//! What a process can be doing. Each activity is an event with a wait class; time is accounted to exactly one.
use crate::config::kinds::{Kind, KindId, Per};

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
    /// Until the redo of a commit is on disk.
    pub const LOG_FILE_SYNC: Activity = Activity(5);
    /// Until the log writer has made room in the log buffer.
    pub const LOG_BUFFER_SPACE: Activity = Activity(6);
    /// Until redo goes on in the next log, which is free.
    pub const LOG_SWITCH_COMPLETION: Activity = Activity(7);
    /// Until the next log is free.
    pub const LOG_SWITCH_CHECKPOINT: Activity = Activity(8);
    /// Until the members of a log are written.
    pub const LOG_FILE_PARALLEL_WRITE: Activity = Activity(9);
    /// Until a block is read.
    pub const DB_FILE_SEQUENTIAL_READ: Activity = Activity(10);
    /// Until several blocks are read.
    pub const DB_FILE_SCATTERED_READ: Activity = Activity(11);
    /// Until there is a buffer to use.
    pub const FREE_BUFFER_WAITS: Activity = Activity(12);
    /// Until a buffer is written that is to be changed.
    pub const WRITE_COMPLETE_WAITS: Activity = Activity(13);
    /// Until blocks are written.
    pub const DB_FILE_PARALLEL_WRITE: Activity = Activity(14);
    /// Until the header of a log or a record of the control file is written.
    pub const CONTROL_FILE_WRITE: Activity = Activity(15);
    /// Until redo is on disk that a writer's blocks depend on.
    pub const RDBMS_IPC_REPLY: Activity = Activity(16);
    /// Until the writer posts.
    #[cfg(feature = "planted")]
    pub const PLANTED_POST: Activity = Activity(17);
    /// Until a write is done.
    #[cfg(feature = "planted")]
    pub const PLANTED_WRITE: Activity = Activity(18);

    /// None: what came before is told later.
    pub const UNTOLD: Activity = Activity(u8::MAX);

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
    /// Sessions of an instance with redo and writers.
    Foregrounds,
    /// Processes of these kinds.
    Of(&'static [KindId]),
}

impl Who {
    /// Whether processes of a kind may be in it.
    pub fn has(self, kind: &Kind) -> bool {
        match self {
            Who::All => true,
            Who::Caged => kind.is_caged,
            Who::OfInstances => kind.per == Per::Instance,
            Who::Foregrounds => kind.is_session,
            Who::Of(kinds) => kinds.iter().any(|one| one.name() == kind.name),
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
    Info {
        event: "log file sync",
        class: "Commit",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("Until the log writer has written the redo of a commit and said so."),
    },
    Info {
        event: "log buffer space",
        class: "Configuration",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("The log buffer is full: until the log writer has written some of it."),
    },
    Info {
        event: "log file switch completion",
        class: "Configuration",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("The log is full and the next one free: until the log writer has switched."),
    },
    Info {
        event: "log file switch (checkpoint incomplete)",
        class: "Configuration",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text(
            "The next log is still needed: until the database writers have written what was changed before its end.",
        ),
    },
    Info {
        event: "log file parallel write",
        class: "System I/O",
        is_wait: true,
        is_idle: false,
        who: Who::Of(&[KindId::LGWR]),
        help: text("The log writer writes to all members of the log."),
    },
    Info {
        event: "db file sequential read",
        class: "User I/O",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("Until a block is read from disk."),
    },
    Info {
        event: "db file scattered read",
        class: "User I/O",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("Until several blocks are read from disk at once."),
    },
    Info {
        event: "free buffer waits",
        class: "Configuration",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("No clean buffer was found to read into: until a database writer has written one."),
    },
    Info {
        event: "write complete waits",
        class: "Configuration",
        is_wait: true,
        is_idle: false,
        who: Who::Foregrounds,
        help: text("A buffer to be changed is being written: until that is done."),
    },
    Info {
        event: "db file parallel write",
        class: "System I/O",
        is_wait: true,
        is_idle: false,
        who: Who::Of(&[KindId::DBWR]),
        help: text("A database writer waits for writes that are under way."),
    },
    Info {
        event: "control file parallel write",
        class: "System I/O",
        is_wait: true,
        is_idle: false,
        who: Who::Of(&[KindId::LGWR, KindId::CKPT]),
        help: text("Until a log switch or a checkpoint is recorded."),
    },
    Info {
        event: "rdbms ipc reply",
        class: "Other",
        is_wait: true,
        is_idle: false,
        who: Who::Of(&[KindId::DBWR]),
        help: text("Until redo is on disk without which changed blocks may not be written."),
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
