//! Rows of sessions that ended, and of their statements, as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report::{ended as model, statements};

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// The sessions of one instance (counted from 1) that ended: elapsed time, CPU time and logical reads of one; and when
/// they ended, from the beginning of the run: the first, the median, the last, and the standard deviation of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct EndedRow {
    instance: u32,
    sessions: u32,
    /// Transactions of each session.
    executions: u32,
    elapsed_s: Est,
    first_s: Est,
    median_s: Est,
    last_s: Est,
    sd_s: Est,
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
            first_s: est(&row.ends.first_s),
            median_s: est(&row.ends.median_s),
            last_s: est(&row.ends.last_s),
            sd_s: est(&row.ends.sd_s),
            cpu_s: est(&row.cpu_s),
            reads: est(&row.reads),
        }
    }
}

/// Calls of one sort of a statement, of one session; without what recursive statements took.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct CallRow {
    call: &'static str,
    count: f64,
    cpu_s: f64,
    elapsed_s: f64,
    disk: f64,
    query: f64,
    current: f64,
    rows: f64,
}

/// Waits for one event in the calls of a statement, of one session; the longest is of any, mean of the starts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct CallWait {
    event: &'static str,
    times: f64,
    longest_s: f64,
    total_s: f64,
}

/// One statement of the sessions of an instance (counted from 1) that ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct StatementRow {
    instance: u32,
    statement: &'static str,
    /// Within how many others it is executed.
    depth: u32,
    calls: Vec<CallRow>,
    waits: Vec<CallWait>,
}

impl StatementRow {
    /// As the model has it.
    pub(crate) fn of(row: &statements::StatementRow) -> StatementRow {
        let call = |of: &statements::CallRow| CallRow {
            call: of.call,
            count: of.count,
            cpu_s: of.cpu_s,
            elapsed_s: of.elapsed_s,
            disk: of.disk,
            query: of.query,
            current: of.current,
            rows: of.rows,
        };
        let wait = |of: &statements::CallWait| CallWait {
            event: of.event,
            times: of.times,
            longest_s: of.longest_s,
            total_s: of.total_s,
        };
        StatementRow {
            instance: row.instance,
            statement: row.statement,
            depth: row.depth,
            calls: row.calls.iter().map(call).collect(),
            waits: row.waits.iter().map(wait).collect(),
        }
    }
}
