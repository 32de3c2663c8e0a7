//! The table of what a process can be doing. Each activity is an event with a wait class; time is accounted to exactly
//! one.
use crate::config::kinds::KindId;
use crate::measure::activity::text;
pub use crate::measure::activity::{ByActivity, Info, Who};

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
    /// Until a block comes that is to be read.
    pub const GC_CR_REQUEST: Activity = Activity(17);
    /// A block to be read came from the master of the block.
    pub const GC_CR_2WAY: Activity = Activity(18);
    /// The master of the block sent the request on, and a third instance sent the block.
    pub const GC_CR_3WAY: Activity = Activity(19);
    /// The block could not be sent at once: its redo was not on disk, or it had yet to come.
    pub const GC_CR_BUSY: Activity = Activity(20);
    /// An LMS took the request up only after more than a millisecond.
    pub const GC_CR_CONGESTED: Activity = Activity(21);
    /// A block did not come, and was asked for again.
    pub const GC_CR_LOST: Activity = Activity(22);
    /// No instance had the block: the master gave leave to read it from disk.
    pub const GC_CR_GRANT: Activity = Activity(23);
    /// The same, and an LMS took the request up only after more than a millisecond.
    pub const GC_CR_GRANT_CONGESTED: Activity = Activity(24);
    /// The same for several blocks at once.
    pub const GC_CR_MULTI: Activity = Activity(25);
    /// Until a block comes that is to be changed.
    pub const GC_CURRENT_REQUEST: Activity = Activity(26);
    /// A block to be changed came from the master of the block.
    pub const GC_CURRENT_2WAY: Activity = Activity(27);
    /// The master of the block sent the request on, and a third instance sent the block.
    pub const GC_CURRENT_3WAY: Activity = Activity(28);
    /// The block could not be sent at once: its redo was not on disk, or others had it or had to give it up.
    pub const GC_CURRENT_BUSY: Activity = Activity(29);
    /// An LMS took the request up only after more than a millisecond.
    pub const GC_CURRENT_CONGESTED: Activity = Activity(30);
    /// A block did not come, and was asked for again.
    pub const GC_CURRENT_LOST: Activity = Activity(31);
    /// No other instance had the block: the master gave leave to change it.
    pub const GC_CURRENT_GRANT: Activity = Activity(32);
    /// The same, after others had given it up.
    pub const GC_CURRENT_GRANT_BUSY: Activity = Activity(33);
    /// The same, and an LMS took the request up only after more than a millisecond.
    pub const GC_CURRENT_GRANT_CONGESTED: Activity = Activity(34);
    /// Another session of the instance has asked for the same block.
    pub const GC_BUFFER_BUSY_ACQUIRE: Activity = Activity(35);
    /// The block is on its way to another instance.
    pub const GC_BUFFER_BUSY_RELEASE: Activity = Activity(36);
    /// Until redo is on disk without which a block may not be sent.
    pub const GCS_LOG_FLUSH_SYNC: Activity = Activity(37);
    /// Until the writer posts.
    #[cfg(feature = "planted")]
    pub const PLANTED_POST: Activity = Activity(38);
    /// Until a write is done.
    #[cfg(feature = "planted")]
    pub const PLANTED_WRITE: Activity = Activity(39);

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
    Info {
        event: "gc cr request",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("Until a block comes that is to be read."),
    },
    Info {
        event: "gc cr block 2-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("A block to be read came from the master of the block."),
    },
    Info {
        event: "gc cr block 3-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The master of the block sent the request on, and a third instance sent the block."),
    },
    Info {
        event: "gc cr block busy",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The block could not be sent at once: its redo was not on disk, or it had yet to come."),
    },
    Info {
        event: "gc cr block congested",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("An LMS took the request up only after more than a millisecond."),
    },
    Info {
        event: "gc cr block lost",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("A block did not come, and was asked for again."),
    },
    Info {
        event: "gc cr grant 2-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("No instance had the block: the master gave leave to read it from disk."),
    },
    Info {
        event: "gc cr grant congested",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The same, and an LMS took the request up only after more than a millisecond."),
    },
    Info {
        event: "gc cr multi block request",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The same for several blocks at once."),
    },
    Info {
        event: "gc current request",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("Until a block comes that is to be changed."),
    },
    Info {
        event: "gc current block 2-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("A block to be changed came from the master of the block."),
    },
    Info {
        event: "gc current block 3-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The master of the block sent the request on, and a third instance sent the block."),
    },
    Info {
        event: "gc current block busy",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The block could not be sent at once: its redo was not on disk, or others had to give it up."),
    },
    Info {
        event: "gc current block congested",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("An LMS took the request up only after more than a millisecond."),
    },
    Info {
        event: "gc current block lost",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("A block did not come, and was asked for again."),
    },
    Info {
        event: "gc current grant 2-way",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("No other instance had the block: the master gave leave to change it."),
    },
    Info {
        event: "gc current grant busy",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The same, after others had given it up."),
    },
    Info {
        event: "gc current grant congested",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The same, and an LMS took the request up only after more than a millisecond."),
    },
    Info {
        event: "gc buffer busy acquire",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("Another session of the instance has asked for the same block."),
    },
    Info {
        event: "gc buffer busy release",
        class: "Cluster",
        is_wait: true,
        is_idle: false,
        who: Who::InClusters,
        help: text("The block is on its way to another instance."),
    },
    Info {
        event: "gcs log flush sync",
        class: "Other",
        is_wait: true,
        is_idle: false,
        who: Who::Of(&[KindId::LMS]),
        help: text("Until redo is on disk without which a block may not be sent."),
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
