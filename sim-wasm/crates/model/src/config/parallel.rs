//! Queries that slaves execute for a coordinator. Times are [`Ns`], or nanoseconds a row; sizes bytes.
use crate::config::KindConfig;
use wwi_kernel::time::Ns;

/// Parallel queries of the sessions of an instance, and the slaves that it has for its own and those of others.
#[derive(Clone, Debug, PartialEq)]
pub struct ParallelConfig {
    /// Class, priority and binding of slaves on this instance.
    pub kind: KindConfig,
    /// What its sessions execute.
    pub query: ParallelQuery,
}

/// A query with its costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelQuery {
    /// Slaves of a set, one or more.
    pub degree: u32,
    /// Slaves are on all instances with parallel queries; else on the coordinator's alone.
    pub is_spread: bool,
    /// Rows of the table.
    pub rows: u64,
    /// Rows that a message holds, one or more.
    pub rows_of_message: u32,
    /// Size of a message.
    pub message_bytes: u32,
    /// Buffers of a channel, one or more.
    pub buffers: u32,
    /// Granules of the table for each slave that scans, one or more: who has scanned its own gets the next.
    pub granules: u32,
    /// Slaves of the last set aggregate, and send one row.
    pub is_pushed_down: bool,
    /// What lies between the scan and the coordinator.
    pub table_queue: TableQueue,
    /// CPU of sender and of receiver for a message within an instance.
    pub local: Ns,
    /// The same from one instance to another, besides fragments.
    pub remote: Ns,
    /// CPU of a slave to scan a row \[ns\].
    pub scan: f64,
    /// CPU of a slave of the second set for a row \[ns\].
    pub join: f64,
    /// CPU of the coordinator for a row \[ns\].
    pub take: f64,
}

impl ParallelQuery {
    /// A slave that scans aggregates, and sends one row when there is no more granule.
    pub fn sends_one(&self) -> bool {
        self.is_pushed_down && self.table_queue == TableQueue::Coordinator
    }
}

/// What lies between the scan and the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableQueue {
    /// Nothing.
    Coordinator,
    /// A second set of slaves, of which each gets its share of the rows.
    Hash,
    /// A second set of slaves, of which each gets every row.
    Broadcast,
}
