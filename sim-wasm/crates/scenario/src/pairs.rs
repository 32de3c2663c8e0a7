//! Requests between the instances of a cluster, and those that left it, as JSON.
use crate::estimate::{est, Est};
use serde::Serialize;
use wwi_model::report::clusters as model;
use wwi_model::report::evictions::EvictionRow as EvictionRowOf;

#[cfg(feature = "typescript")]
use ts_rs::TS;

/// A part of the time of requests.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct PartRow {
    part: &'static str,
    mean_ms: f64,
}

/// Requests of one instance that another served, counted from 1.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct PairRow {
    from: u32,
    server: u32,
    reply: &'static str,
    per_s: Est,
    mean_ms: Est,
    parts: Vec<PartRow>,
    busy_percent: f64,
    congested_percent: f64,
    three_way_percent: f64,
    three_way_ms: f64,
    two_way_ms: f64,
}

impl PairRow {
    /// As the model has it.
    pub(crate) fn of(row: &model::PairRow) -> PairRow {
        let named = model::PART_NAMES.into_iter().zip(row.parts_ms);
        PairRow {
            from: row.from,
            server: row.server,
            reply: row.reply,
            per_s: est(&row.per_s),
            mean_ms: est(&row.mean_ms),
            parts: named.map(|(part, mean_ms)| PartRow { part, mean_ms }).collect(),
            busy_percent: row.busy_percent,
            congested_percent: row.congested_percent,
            three_way_percent: row.three_way_percent,
            three_way_ms: row.three_way_ms,
            two_way_ms: row.two_way_ms,
        }
    }
}

/// An instance that left its cluster: replication, instance and host counted from 1, seconds from the start of the
/// replication with its warm-up, and why: `misscount` or `lms hung`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct EvictionRow {
    replication: u32,
    at_s: f64,
    instance: u32,
    node: u32,
    reason: &'static str,
}

impl EvictionRow {
    /// As the model has it.
    pub(crate) fn of(row: &EvictionRowOf) -> EvictionRow {
        let &EvictionRowOf { replication, at_s, instance, node, reason } = row;
        EvictionRow { replication, at_s, instance, node, reason }
    }
}
