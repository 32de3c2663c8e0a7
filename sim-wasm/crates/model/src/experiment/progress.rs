//! What an experiment tells while it runs.
use crate::report::Estimate;

/// How far an experiment is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Nothing more will happen.
    pub done: bool,
    /// Events so far.
    pub events: u64,
    /// Relative half-width of the figures that count.
    pub precision: Option<f64>,
    /// Logical reads a second.
    pub lio_per_s: Estimate,
    /// Mean response time \[ms\].
    pub response_ms: Estimate,
    /// Simulated time after warm-up, all replications \[s\].
    pub simulated_s: f64,
    /// Batches after warm-up, all replications.
    pub batches: u32,
    /// The event budget ended it.
    pub truncated: bool,
}
