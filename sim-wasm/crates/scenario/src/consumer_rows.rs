//! Rows of consumer groups as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report::consumers as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// A wait event of the sessions of a consumer group.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct ConsumerWaitRow {
    event: &'static str,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    count: u64,
    mean_ms: Est,
    aas: Est,
}

/// One consumer group of an instance (counted from 1): its sessions, what they do, and what they wait for, the event
/// with most sessions first. `cpu` and `run_queue` are sessions on a thread and in a run queue.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct ConsumerGroupRow {
    instance: u32,
    name: String,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    sessions: u64,
    transactions_per_s: Est,
    response_ms: Est,
    cpu: Est,
    run_queue: Est,
    waits: Vec<ConsumerWaitRow>,
}

impl ConsumerGroupRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::ConsumerGroupRow) -> ConsumerGroupRow {
        let wait = |wait: &model::ConsumerWait| ConsumerWaitRow {
            event: wait.event,
            count: wait.count,
            mean_ms: est(&wait.mean_ms),
            aas: est(&wait.aas),
        };
        ConsumerGroupRow {
            instance: row.instance,
            name: row.name.clone(),
            sessions: row.sessions,
            transactions_per_s: est(&row.transactions_per_s),
            response_ms: est(&row.response_ms),
            cpu: est(&row.cpu),
            run_queue: est(&row.run_queue),
            waits: row.waits.iter().map(wait).collect(),
        }
    }
}
