//! The figures of a run by host, kind, instance, process and event: a list of rows behind the JSON report.
use serde::Serialize;
use wwi_model::experiment::Experiment;
use wwi_model::report::facts::{Fact, Key, Sink};

/// One row. Dimensions that it does not have are summed over.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    metric: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instance: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    consumer_group: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<u32>,
    count: u64,
    total_s: f64,
    /// Of one, with its half-width.
    mean_ms: f64,
    mean_ci95: Option<f64>,
    /// At a time, on average, with its half-width.
    active: f64,
    active_ci95: Option<f64>,
}

/// Rows in the order in which they are told.
#[derive(Default)]
struct Rows(Vec<Row>);

impl Sink for Rows {
    fn fact(&mut self, key: Key, fact: Fact) {
        self.0.push(Row {
            metric: key.metric,
            node: key.node,
            kind: key.kind,
            instance: key.instance,
            class: key.class,
            consumer_group: key.consumer_group,
            process: key.process,
            event: key.event,
            object: key.object,
            count: fact.count,
            total_s: fact.total_ns as f64 / 1e9,
            mean_ms: fact.mean_ms.mean,
            mean_ci95: fact.mean_ms.ci95,
            active: fact.active.mean,
            active_ci95: fact.active.ci95,
        });
    }
}

/// All rows of an experiment.
pub fn rows_of(experiment: &Experiment) -> Vec<Row> {
    let mut rows = Rows::default();
    experiment.visit(&mut rows);
    rows.0
}

/// A report with its rows, as the last of its members.
pub fn with_rows(report: &str, rows: &[Row]) -> String {
    let rows = serde_json::to_string(rows).unwrap_or_default();
    match report.trim_end().strip_suffix('}') {
        Some(open) if !rows.is_empty() => format!("{open},\"rows\":{rows}}}"),
        _ => report.to_owned(),
    }
}
