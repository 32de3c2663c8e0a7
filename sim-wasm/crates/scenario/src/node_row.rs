//! Rows of hosts as JSON.
use serde::Serialize;
use wwi_model::report as model;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// One host; threads are averages of threads in that state.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct NodeRow {
    threads: u32,
    cpu_busy_threads: f64,
    thread_busy: Vec<f64>,
    useful_threads: f64,
    switch_threads: f64,
    spin_threads: f64,
    mean_slice_ms: f64,
    mean_switch_us: f64,
    switches_per_s: f64,
}

impl NodeRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::NodeRow) -> NodeRow {
        NodeRow {
            threads: row.threads,
            cpu_busy_threads: row.cpu_busy_threads.mean,
            thread_busy: row.thread_busy.clone(),
            useful_threads: row.useful_threads,
            switch_threads: row.switch_threads,
            spin_threads: row.spin_threads,
            mean_slice_ms: row.mean_slice_ms,
            mean_switch_us: row.mean_switch_us,
            switches_per_s: row.switches_per_s.mean,
        }
    }
}
