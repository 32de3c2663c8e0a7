//! Rows of the loss ledger as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// One row of the loss ledger \[CPUs at reference speed\]: hosts and instances counted from 1; null where a law has no
/// such row.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct LedgerRow {
    cause: &'static str,
    event: Option<&'static str>,
    node: u32,
    instance: Option<u32>,
    kind: Option<&'static str>,
    threads: Option<Est>,
    processes: Option<Est>,
}

impl LedgerRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::LedgerRow) -> LedgerRow {
        LedgerRow {
            cause: row.cause,
            event: row.event,
            node: row.node,
            instance: row.instance,
            kind: row.kind,
            threads: row.threads.as_ref().map(est),
            processes: row.processes.as_ref().map(est),
        }
    }
}
