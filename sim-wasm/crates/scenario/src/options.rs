//! How a run is asked for by the page: precision, budget, and what to keep.

use crate::metrics::{self, Metric};
use crate::scenario::Scenario;
use crate::value::quoted;
use serde::Deserialize;
use wwi_model::experiment::Figures;

/// Options of a run as JSON.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields, rename_all = "camelCase"))]
pub struct RunOptions {
    /// `full` answers everything; `point` stops at the precision of throughput alone where that is what is asked for.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Goal>"))]
    pub goal: Goal,
    /// Relative half-width to stop at.
    pub precision: Option<f64>,
    /// In place of the scenario's own.
    pub seed: Option<u64>,
    /// In place of the scenario's own event budget.
    pub max_events: Option<u64>,
    /// Another scenario, A, that goes on with this one: equal starts and horizons, so that the two can be compared.
    pub against: Option<String>,
    /// A quick first answer, whatever its precision.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub coarse: bool,
    /// Stays to keep in the picture of who ran where, the latest of the first replication; 0: none.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u32>"))]
    pub record: u32,
    /// Put the histogram of each distribution into the report, beside its percentiles.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub histograms: bool,
    /// Figure of the catalogue that a point is asked for and that must be precise; `throughput_lio` where nothing is
    /// said.
    pub metric: Option<String>,
}

/// What must be precise.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Goal {
    /// Throughput and response time.
    #[default]
    Full,
    /// Throughput.
    Point,
}

/// Precision of the page where nobody says one.
pub const PAGE_PRECISION: f64 = 0.03;
/// Precision of the command line where nobody says one.
pub const COMMAND_LINE_PRECISION: f64 = 0.01;

impl RunOptions {
    /// Reads the options; an empty text is none.
    pub fn from_json(text: &str) -> Result<RunOptions, String> {
        let text = if text.trim().is_empty() { "{}" } else { text };
        let options: RunOptions = serde_json::from_str(text).map_err(|error| format!("options: {error}"))?;
        match options.precision {
            Some(precision) if !(0.0001..=1.0).contains(&precision) => {
                Err(format!("options: precision lies between 0.0001 and 1, not {precision}"))
            }
            _ => options.metric().map(|_| options.clone()),
        }
    }
    /// The figure asked for.
    pub fn metric(&self) -> Result<&'static Metric, String> {
        let id = self.metric.as_deref().unwrap_or(metrics::DEFAULT);
        metrics::find(id).ok_or_else(|| format!("options: there is no metric {}", quoted(id)))
    }
    /// A point of a curve alone is asked for: nothing of the ledger.
    pub fn is_point(&self) -> bool {
        self.goal == Goal::Point
    }
    /// What must be precise, and so what is kept.
    pub fn figures(&self) -> Figures {
        let asked = self.metric.as_deref().filter(|&id| id != metrics::DEFAULT).and_then(metrics::find);
        match (self.goal, asked) {
            (Goal::Point, None) => Figures::ThroughputOnly,
            (Goal::Point, Some(metric)) => Figures::One(metric.figure()),
            (Goal::Full, None) => Figures::ThroughputAndResponse,
            (Goal::Full, Some(metric)) => Figures::With(metric.figure()),
        }
    }
    /// The precision that holds: of the options, of the scenario, of the page.
    pub fn precision_for(&self, scenario: &Scenario) -> f64 {
        self.precision.or(scenario.said_precision()).unwrap_or(PAGE_PRECISION)
    }
    /// The event budget that holds.
    pub fn max_events_for(&self, scenario: &Scenario) -> u64 {
        self.max_events.unwrap_or(scenario.run_number("max_events") as u64)
    }
}
