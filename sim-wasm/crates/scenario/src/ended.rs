//! Rows of sessions that ended as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report::ended as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// The sessions of one instance (counted from 1) that ended: elapsed time, CPU time and logical reads of one, and when
/// the last had ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct EndedRow {
    instance: u32,
    sessions: u32,
    /// Transactions of each session.
    executions: u32,
    elapsed_s: Est,
    last_s: Est,
    cpu_s: Est,
    reads: Est,
}

impl EndedRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::EndedRow) -> EndedRow {
        EndedRow {
            instance: row.instance,
            sessions: row.sessions,
            executions: row.executions,
            elapsed_s: est(&row.elapsed_s),
            last_s: est(&row.last_s),
            cpu_s: est(&row.cpu_s),
            reads: est(&row.reads),
        }
    }
}
