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
    /// A block to be read came from its master, or the asking instance is its master: two messages.
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
    /// A block to be changed came from its master, or the asking instance is its master: two messages.
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
    /// Until the row of a sequence may be changed.
    pub const ROW_CACHE_LOCK: Activity = Activity(38);
    /// Until another session of the instance has got values of a sequence.
    pub const ENQ_SQ: Activity = Activity(39);
    /// Until the instance has the order of a sequence.
    pub const DFS_LOCK_HANDLE: Activity = Activity(40);
    /// Until a slave of a parallel query sends rows.
    pub const PX_EXECUTE_REPLY: Activity = Activity(41);
    /// Until the coordinator of a parallel query says what to do next.
    pub const PX_EXECUTION_MSG: Activity = Activity(42);
    /// Until another slave sends rows.
    pub const PX_TABLE_Q_NORMAL: Activity = Activity(43);
    /// Until who receives rows has done with a buffer.
    pub const PX_SEND_BLKD: Activity = Activity(44);
    /// Until another session of the instance has done with a block.
    pub const BUFFER_BUSY_WAITS: Activity = Activity(45);
    /// Until the writer posts.
    #[cfg(feature = "planted")]
    pub const PLANTED_POST: Activity = Activity(46);
    /// Until a write is done.
    #[cfg(feature = "planted")]
    pub const PLANTED_WRITE: Activity = Activity(47);

    /// None: what came before is told later.
    pub const UNTOLD: Activity = Activity(u8::MAX);
    /// A session that has told its client has nothing to do but to wait for the next call: what keeps it from that is
    /// no part of its time.
    pub const ANSWERED: Activity = Activity(u8::MAX - 1);

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

/// A wait of a process for somebody or something else.
const fn wait(event: &'static str, class: &'static str, who: Who, help: &'static str) -> Info {
    Info { event, class, is_wait: true, is_idle: false, who, help: text(help) }
}

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
        help: text(
            "Ready, but the operating system runs somebody else. The database takes it for ON CPU, and after a wait \
            for part of that.",
        ),
    },
    wait(
        "resmgr:cpu quantum",
        "Scheduler",
        Who::Caged,
        "Held back by the Resource Manager until one of cpu_count slots is given to the session.",
    ),
    wait(
        "latch: cache buffers chains",
        "Concurrency",
        Who::OfInstances,
        "Asleep for a latch whose holder lost the CPU.",
    ),
    wait(
        "log file sync",
        "Commit",
        Who::Foregrounds,
        "Until the log writer has written the redo of a commit and said so.",
    ),
    wait(
        "log buffer space",
        "Configuration",
        Who::Foregrounds,
        "The log buffer is full: until the log writer has written some of it.",
    ),
    wait(
        "log file switch completion",
        "Configuration",
        Who::Foregrounds,
        "The log is full and the next one free: until the log writer has switched.",
    ),
    wait(
        "log file switch (checkpoint incomplete)",
        "Configuration",
        Who::Foregrounds,
        "The next log is still needed: until the database writers have written what was changed before its end.",
    ),
    wait(
        "log file parallel write",
        "System I/O",
        Who::Of(&[KindId::LGWR]),
        "The log writer writes to all members of the log.",
    ),
    wait("db file sequential read", "User I/O", Who::Foregrounds, "Until a block is read from disk."),
    wait("db file scattered read", "User I/O", Who::Foregrounds, "Until several blocks are read from disk at once."),
    wait(
        "free buffer waits",
        "Configuration",
        Who::Foregrounds,
        "No clean buffer was found to read into: until a database writer has written one.",
    ),
    wait(
        "write complete waits",
        "Configuration",
        Who::Foregrounds,
        "A buffer to be changed is being written: until that is done.",
    ),
    wait(
        "db file parallel write",
        "System I/O",
        Who::Of(&[KindId::DBWR]),
        "A database writer waits for writes that are under way.",
    ),
    wait(
        "control file parallel write",
        "System I/O",
        Who::Of(&[KindId::LGWR, KindId::CKPT]),
        "Until a log switch or a checkpoint is recorded.",
    ),
    wait(
        "rdbms ipc reply",
        "Other",
        Who::Of(&[KindId::DBWR]),
        "Until redo is on disk without which changed blocks may not be written.",
    ),
    wait("gc cr request", "Cluster", Who::InClusters, "Until a block comes that is to be read."),
    wait(
        "gc cr block 2-way",
        "Cluster",
        Who::InClusters,
        "A block to be read came from its master, or the asking instance is its master: two messages.",
    ),
    wait(
        "gc cr block 3-way",
        "Cluster",
        Who::InClusters,
        "The master of the block sent the request on, and a third instance sent the block.",
    ),
    wait(
        "gc cr block busy",
        "Cluster",
        Who::InClusters,
        "The block could not be sent at once: its redo was not on disk, or it had yet to come.",
    ),
    wait(
        "gc cr block congested",
        "Cluster",
        Who::InClusters,
        "An LMS took the request up only after more than a millisecond.",
    ),
    wait("gc cr block lost", "Cluster", Who::InClusters, "A block did not come, and was asked for again."),
    wait(
        "gc cr grant 2-way",
        "Cluster",
        Who::InClusters,
        "No instance had the block: the master gave leave to read it from disk.",
    ),
    wait(
        "gc cr grant congested",
        "Cluster",
        Who::InClusters,
        "A grant, but an LMS took the request up only after more than a millisecond.",
    ),
    wait(
        "gc cr multi block request",
        "Cluster",
        Who::InClusters,
        "Until several blocks come that are to be read, or leave to read them from disk.",
    ),
    wait("gc current request", "Cluster", Who::InClusters, "Until a block comes that is to be changed."),
    wait(
        "gc current block 2-way",
        "Cluster",
        Who::InClusters,
        "A block to be changed came from its master, or the asking instance is its master: two messages.",
    ),
    wait(
        "gc current block 3-way",
        "Cluster",
        Who::InClusters,
        "The master of the block sent the request on, and a third instance sent the block.",
    ),
    wait(
        "gc current block busy",
        "Cluster",
        Who::InClusters,
        "The block could not be sent at once: its redo was not on disk, or others had to give it up.",
    ),
    wait(
        "gc current block congested",
        "Cluster",
        Who::InClusters,
        "An LMS took the request up only after more than a millisecond.",
    ),
    wait("gc current block lost", "Cluster", Who::InClusters, "A block did not come, and was asked for again."),
    wait(
        "gc current grant 2-way",
        "Cluster",
        Who::InClusters,
        "No other instance had the block: the master gave leave to change it.",
    ),
    wait(
        "gc current grant busy",
        "Cluster",
        Who::InClusters,
        "The master gave leave to change a block, after others had given it up.",
    ),
    wait(
        "gc current grant congested",
        "Cluster",
        Who::InClusters,
        "A grant, but an LMS took the request up only after more than a millisecond.",
    ),
    wait(
        "gc buffer busy acquire",
        "Cluster",
        Who::InClusters,
        "Another session of the instance has asked for the same block.",
    ),
    wait("gc buffer busy release", "Cluster", Who::InClusters, "The block is on its way to another instance."),
    wait(
        "gcs log flush sync",
        "Other",
        Who::Of(&[KindId::LMS]),
        "Until redo is on disk without which a block may not be sent.",
    ),
    wait(
        "row cache lock",
        "Concurrency",
        Who::Foregrounds,
        "Until the row of a sequence in SEQ$ may be changed: another session or instance has it.",
    ),
    wait(
        "enq: SQ - contention",
        "Configuration",
        Who::Foregrounds,
        "Until another session of the instance has got new values of a sequence.",
    ),
    wait(
        "DFS lock handle",
        "Other",
        Who::InClusters,
        "Until the next value of a sequence with ORDER comes from another session or instance. Newer traces: enq: SV - \
            contention.",
    ),
    wait(
        "PX Deq: Execute Reply",
        "Idle",
        Who::InParallel,
        "The coordinator of a parallel query waits for rows of its slaves.",
    ),
    wait(
        "PX Deq: Execution Msg",
        "Idle",
        Who::Of(&[KindId::SLAVE]),
        "A slave has sent its last row: until the execution is over.",
    ),
    wait(
        "PX Deq: Table Q Normal",
        "Idle",
        Who::Of(&[KindId::SLAVE]),
        "A slave of the second set waits for rows of the first.",
    ),
    wait(
        "PX Deq Credit: send blkd",
        "Other",
        Who::Of(&[KindId::SLAVE]),
        "A slave waits until who takes its rows has done with a buffer.",
    ),
    wait(
        "buffer busy waits",
        "Concurrency",
        Who::Foregrounds,
        "Until another session of the instance has done with a block that it has pinned to change it.",
    ),
    #[cfg(feature = "planted")]
    wait("planted post", "Commit", Who::OfInstances, "Until the writer has written what the client sent."),
    #[cfg(feature = "planted")]
    wait("planted write", "System I/O", Who::OfInstances, "Until the device has written."),
];

/// Idle ones, a bit each; then waits.
const BITS: [u64; 2] = {
    let (mut bits, mut at) = ([0; 2], 0);
    while at < COUNT {
        bits[0] |= (ACTIVITIES[at].is_idle as u64) << at;
        bits[1] |= (ACTIVITIES[at].is_wait as u64) << at;
        at += 1;
    }
    bits
};
const IDLE: u64 = BITS[0];
/// Waits, a bit each: of `1 << activity`.
pub const IS_WAIT: u64 = BITS[1];
