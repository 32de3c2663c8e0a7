//! A sequence from which transactions take values. Times are [`Ns`].
use crate::config::KindConfig;
use wwi_kernel::time::Ns;

/// The sequence, as an instance uses it. What is said of the sequence itself is the same in all instances that are
/// joined: where one of them takes values all have it, for each sees to its locks.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceConfig {
    /// Values in a transaction, evenly over its calls; zero where an instance only sees to the locks of others.
    pub values: f64,
    /// Values that a change of SEQ$ gives an instance, one or more; 1: NOCACHE.
    pub cache: u32,
    /// Rows that a leaf of the index on the values has room for; zero: there is none.
    pub index_rows: u32,
    /// Values are in the order of requests over all instances.
    pub is_ordered: bool,
    /// CPU of the parse of the recursive statement.
    pub parse: Ns,
    /// CPU of its execution.
    pub update: Ns,
    /// The shared pool is flushed so often; zero: never.
    pub flush: Ns,
    /// What it takes to have the lock and the block from another instance.
    pub transfers: Transfers,
    /// Class, priority and binding of LMD and LCK0; `None` where instances are not joined.
    pub servers: Option<LockServers>,
}

/// What it takes to have a lock and the block of SEQ$ from another instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfers {
    /// What messages, processes and the global cache take.
    Messages,
    /// So long.
    Given {
        /// A lock: half until its holder hears, half from there on.
        lock: Ns,
        /// A copy of the block.
        cr: Ns,
        /// The block.
        current: Ns,
    },
}

/// The processes that see to locks of instances.
#[derive(Clone, Debug, PartialEq)]
pub struct LockServers {
    /// LMD: the master's.
    pub lmd: KindConfig,
    /// LCK0: the holder's.
    pub lck0: KindConfig,
}
