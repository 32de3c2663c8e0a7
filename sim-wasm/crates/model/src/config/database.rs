//! What an instance has beside the CPU of its sessions: transactions of several calls, a buffer cache with its writers,
//! a log with its writer, and storage. Times are [`Ns`], sizes bytes or blocks.
use crate::config::KindConfig;
use crate::meet::device::ServiceTime;
use wwi_kernel::time::Ns;

/// A log writer, a database writer and the checkpoint process that nobody posts look for work after so long: three
/// seconds, as all background processes of Oracle do.
pub const WRITERS_WAKE: Ns = Ns(3_000_000_000);

/// An instance with transactions that change blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseConfig {
    /// What a transaction does.
    pub transaction: TransactionConfig,
    /// Blocks that all transactions change.
    pub contended: ContendedConfig,
    /// The other class of transactions.
    pub query: QueryConfig,
    /// Online redo log, log buffer and log writer.
    pub log: LogConfig,
    /// Buffer cache.
    pub cache: CacheConfig,
    /// Database writers.
    pub writers: WriterConfig,
    /// Where checkpoints have to be.
    pub checkpoint: CheckpointConfig,
    /// Data files.
    pub data: DeviceConfig,
    /// Log files; `None`: on the devices of the data files.
    pub redo: Option<DeviceConfig>,
    /// Class, priority and binding of the log writer.
    pub lgwr: KindConfig,
    /// Of the database writers.
    pub dbwr: KindConfig,
    /// Of the checkpoint process.
    pub ckpt: KindConfig,
    /// Of the programs of users on the same host; they exist where they need CPU.
    pub client: KindConfig,
}

impl DatabaseConfig {
    /// What a write of the log takes on average, from its gathering on.
    pub fn redo_write(&self) -> Ns {
        self.redo.unwrap_or(self.data).service.mean.plus(self.log.gather)
    }
}

/// What a transaction does, besides the CPU demand of its instance, which is spread evenly over its calls.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransactionConfig {
    /// Calls of the user's program to the database, the commit the last of them.
    pub calls: u32,
    /// Transactions of a call that has all calls of one, of whose commits the last alone waits.
    pub per_call: u32,
    /// CPU of the user's program, all calls together; zero: no such program, the session calls itself.
    pub client: Ns,
    /// Changes of blocks.
    pub changes: f64,
    /// Redo \[bytes\].
    pub redo: f64,
    /// Blocks read from disk.
    pub reads: f64,
    /// Blocks in one such read.
    pub read_blocks: u32,
    /// Whether a commit waits until its redo is on disk (`commit_wait`).
    pub commit_waits: bool,
    /// Whether a commit that does not wait posts the log writer (`commit_logging = immediate`).
    pub commit_posts: bool,
}

/// Blocks that all transactions of the instance change, one session at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContendedConfig {
    /// How many; no more than [`CacheConfig::hot`].
    pub blocks: u32,
    /// Changes of them in a transaction.
    pub changes: f64,
    /// CPU of a session that has one pinned.
    pub pin: Ns,
}

/// Transactions that only read, in as many calls as the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueryConfig {
    /// Share of them among all transactions.
    pub share: f64,
    /// Mean CPU demand of one, varying as that of the others does.
    pub demand: Ns,
    /// Blocks read from disk.
    pub reads: f64,
}

/// How the log writer tells sessions that their redo is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answering {
    /// It posts them one by one.
    Post,
    /// They sleep and look.
    Poll,
    /// It changes between the two (`_use_adaptive_log_file_sync`).
    Adaptive,
}

/// Online redo log, log buffer and log writer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogConfig {
    /// Groups, two or more.
    pub groups: u32,
    /// Redo for which a log has room \[bytes\].
    pub size: u64,
    /// Redo for which a block of a log has room \[bytes\]; each write begins with a new one.
    pub block: u64,
    /// A write takes so much longer for each of its blocks \[ns\].
    pub transfer: f64,
    /// Writes one after another of a switch: to the control file, and of headers of logs; at least one.
    pub switch_writes: u32,
    /// Members of a group.
    pub members: u32,
    /// Members are written at once, not one after another.
    pub is_parallel: bool,
    /// Redo for which the log buffer has room \[bytes\].
    pub buffer: u64,
    /// CPU of the log writer before a write.
    pub gather: Ns,
    /// And for each kilobyte of it.
    pub gather_kb: Ns,
    /// CPU of the log writer after a write.
    pub after: Ns,
    /// CPU of each post.
    pub post: Ns,
    /// CPU of a session that posts the log writer.
    pub call: Ns,
    /// How commits are answered.
    pub answering: Answering,
    /// A session that waits for a commit looks itself after this (`_log_file_sync_timeout`). Below a second it goes on
    /// with the same wait, as from 11g on.
    pub sync_timeout: Ns,
    /// One that polls sleeps so long at least, as its host can.
    pub least_sleep: Ns,
}

/// Buffer cache.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CacheConfig {
    /// Buffers, a block each.
    pub buffers: u32,
    /// Working sets.
    pub sets: u32,
    /// Buffers that are changed again and again.
    pub hot: u32,
    /// Share of the changes that falls on them, evenly; the others fall evenly on the rest.
    pub hot_share: f64,
    /// Who changes a buffer that is being written waits for the write.
    pub changes_wait: bool,
    /// Share of a set's list that is looked through for a buffer to use (`_db_block_max_scan_pct`).
    pub scan_share: f64,
    /// Buffers on a write list from which on the writer is posted (`_db_large_dirty_queue`).
    pub large_dirty: u32,
}

/// Database writers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriterConfig {
    /// How many (`db_writer_processes`).
    pub count: u32,
    /// CPU of one for each block that it writes.
    pub block: Ns,
    /// CPU of each batch besides.
    pub batch_cost: Ns,
    /// Blocks in a batch at most.
    pub batch: u32,
    /// Writes that are under way at most, all writers together; each has one at the least.
    pub outstanding: u32,
    /// A writer waits for all writes of its batch, not for the first.
    pub whole_batch: bool,
}

/// Where checkpoints have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckpointConfig {
    /// No dirty buffer is older than so much redo \[bytes\].
    pub lag: u64,
    /// Nor older than this; zero: no limit (`log_checkpoint_timeout`).
    pub timeout: Ns,
    /// CPU of the checkpoint process each time.
    pub work: Ns,
}

/// A storage device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceConfig {
    /// Requests that it serves at once.
    pub width: u32,
    /// How long each takes.
    pub service: ServiceTime,
    /// The operating system takes several requests of a process at once.
    pub is_async: bool,
}
