//! Published figures, the run that answers each, and what each is worth as evidence.

mod caging;

use serde::Serialize;
use wwi_model::report::Report;

/// What agreement with a figure shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Role {
    /// A parameter was set from it: agreement shows nothing.
    #[serde(rename = "input")]
    Input,
    /// The structure of the model was chosen with it in view.
    #[serde(rename = "consistency check")]
    ConsistencyCheck,
    /// The model had no sight of it.
    #[serde(rename = "prediction")]
    Prediction,
}

impl Role {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Role::Input => "input",
            Role::ConsistencyCheck => "consistency check",
            Role::Prediction => "prediction",
        }
    }
}

/// How a figure is read off one or two reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Reading {
    /// Logical reads a second \[millions\].
    LioMillions,
    /// Mean of `resmgr:cpu quantum` \[ms\].
    QuantumWait,
    /// Share of DB time in `resmgr:cpu quantum` \[%\].
    QuantumShare,
    /// Number of waits for `resmgr:cpu quantum` in 300 s.
    QuantumWaits,
    /// Longest wait for `resmgr:cpu quantum` \[s\].
    LongestQuantumWait,
    /// CPUs in use by sessions, on average.
    CpusUsed,
    /// Throughput against the second run \[%\].
    LioAgainst,
    /// Ratio of throughputs, first over second.
    LioRatio,
}

/// One published figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Short name.
    pub id: &'static str,
    /// In words.
    pub what: &'static str,
    /// As published; `None` where only words were.
    pub value: Option<f64>,
    /// Unit.
    pub unit: &'static str,
    /// What agreement shows.
    pub role: Role,
    /// Scenario that answers it.
    pub query: &'static str,
    /// Scenario it is compared with, where it is a comparison.
    pub against: Option<&'static str>,
    /// How it is read off.
    pub reading: Reading,
    /// Where it comes from, and what to keep in mind.
    pub note: &'static str,
}

/// A published figure without its simulation.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "PublishedFigure"))]
pub struct FigureInfo {
    id: &'static str,
    what: &'static str,
    value: Option<f64>,
    unit: &'static str,
    role: Role,
    query: &'static str,
    against: Option<&'static str>,
    reading: Reading,
    note: &'static str,
}

impl FigureInfo {
    /// The public side of a figure.
    pub fn of(figure: &Figure) -> FigureInfo {
        FigureInfo {
            id: figure.id,
            what: figure.what,
            value: figure.value,
            unit: figure.unit,
            role: figure.role,
            query: figure.query,
            against: figure.against,
            reading: figure.reading,
            note: figure.note,
        }
    }
}

const fn figure(id: &'static str, role: Role, reading: Reading, query: &'static str) -> Figure {
    Figure { id, what: "", value: None, unit: "", role, query, against: None, reading, note: "" }
}

impl Figure {
    const fn says(mut self, what: &'static str, value: f64, unit: &'static str) -> Self {
        self.what = what;
        self.value = Some(value);
        self.unit = unit;
        self
    }
    const fn unsaid(mut self, what: &'static str, unit: &'static str) -> Self {
        self.what = what;
        self.unit = unit;
        self
    }
    const fn against(mut self, query: &'static str) -> Self {
        self.against = Some(query);
        self
    }
    const fn note(mut self, note: &'static str) -> Self {
        self.note = note;
        self
    }
}

/// Every figure, in the order they are printed.
pub fn all() -> impl Iterator<Item = &'static Figure> {
    [caging::ROWS].into_iter().flatten()
}

const QUANTUM_EVENT: &str = "resmgr:cpu quantum";

/// Reads a figure off its report, and the one it is compared with.
pub fn read(reading: Reading, report: &Report, against: Option<&Report>) -> Option<f64> {
    let wait = || report.waits.iter().find(|row| row.event == QUANTUM_EVENT);
    let lio = report.lio_per_s.mean;
    let other = against.map(|other| other.lio_per_s.mean);
    match reading {
        Reading::LioMillions => Some(lio / 1e6),
        Reading::QuantumWait => wait().map(|row| row.duration.mean_ms.mean),
        Reading::QuantumShare => wait().map(|row| row.db_time_pct),
        Reading::QuantumWaits => wait().map(|row| row.duration.count as f64 / report.simulated_s * 300.0),
        Reading::LongestQuantumWait => wait().map(|row| row.duration.max_ms / 1e3),
        Reading::CpusUsed => Some(report.nodes.iter().map(|node| node.cpu_busy_threads).sum()),
        Reading::LioAgainst => other.map(|other| (lio / other - 1.0) * 100.0),
        Reading::LioRatio => other.map(|other| lio / other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_has_words_and_scenarios_that_decode() {
        for figure in all() {
            assert!(!figure.what.is_empty() && !figure.note.is_empty(), "{}", figure.id);
            for query in [Some(figure.query), figure.against].into_iter().flatten() {
                assert!(crate::decode::decode(query).is_ok(), "{query}");
            }
        }
    }
}
