//! Published figures, the run that answers each, and what each is worth as evidence.

mod affinity;
mod caging;
mod lpar;
mod service;

use crate::metrics;
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
    /// Logical reads a second \[thousands\].
    LioThousands,
    /// Logical reads a second of each session \[thousands\].
    LioPerSession,
    /// Transactions a second of each session.
    TransactionsPerSession,
    /// Transactions a second against the second run \[%\].
    TransactionsAgainst,
    /// Ratio of mean response times, first over second.
    ResponseRatio,
    /// Cores in use by PURR.
    PurrCores,
    /// Cores in use by PURR for each session.
    PurrPerSession,
    /// Sessions on CPU that have no thread.
    CpuWait,
    /// Sessions on CPU less cores by PURR, which is no CPU wait.
    CpuWaitPurr,
    /// 99th percentile of the response of the server \[ms\].
    ServiceP99,
    /// Growth of the server's queue \[1/s\].
    ServiceGrowth,
}

impl Reading {
    /// Whether it is a difference in percent already, so that an error of it is told in points.
    pub fn is_difference(self) -> bool {
        matches!(self, Reading::LioAgainst | Reading::TransactionsAgainst)
    }
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
    let tables = affinity::TABLE.iter().flatten();
    caging::ROWS.iter().chain(lpar::ROWS).chain(tables).chain(affinity::ROWS).chain(service::ROWS)
}

const QUANTUM_EVENT: &str = "resmgr:cpu quantum";

/// A run that figures are read off.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its report.
    pub report: Report,
    /// Sessions of all instances, where their number is fixed.
    pub sessions: Option<f64>,
}

impl Answered {
    fn metric(&self, id: &str) -> Option<f64> {
        metrics::find(id)?.read(&self.report, self.sessions).map(|value| value.mean)
    }
}

/// Reads a figure off its run, and the one it is compared with.
pub fn read(reading: Reading, run: &Answered, against: Option<&Answered>) -> Option<f64> {
    let report = &run.report;
    let wait = || report.waits.iter().find(|row| row.event == QUANTUM_EVENT);
    let ratio = |id| Some(run.metric(id)? / against?.metric(id)?);
    match reading {
        Reading::LioMillions => run.metric("throughput_lio").map(|lio| lio / 1e6),
        Reading::QuantumWait => wait().map(|row| row.duration.mean_ms.mean),
        Reading::QuantumShare => wait().map(|row| row.db_time_pct),
        Reading::QuantumWaits => wait().map(|row| row.duration.count as f64 / report.simulated_s * 300.0),
        Reading::LongestQuantumWait => wait().map(|row| row.duration.max_ms / 1e3),
        Reading::CpusUsed => run.metric("cpu_busy"),
        Reading::LioAgainst => ratio("throughput_lio").map(|ratio| (ratio - 1.0) * 100.0),
        Reading::LioRatio => ratio("throughput_lio"),
        Reading::LioThousands => run.metric("throughput_lio").map(|lio| lio / 1e3),
        Reading::LioPerSession => run.metric("lio_per_session").map(|lio| lio / 1e3),
        Reading::TransactionsPerSession => run.metric("transactions_per_session"),
        Reading::TransactionsAgainst => ratio("throughput_transactions").map(|ratio| (ratio - 1.0) * 100.0),
        Reading::ResponseRatio => ratio("response_mean_ms"),
        Reading::PurrCores => run.metric("cpu_purr"),
        Reading::PurrPerSession => Some(run.metric("cpu_purr")? / run.sessions?),
        Reading::CpuWait => run.metric("cpu_wait_time"),
        Reading::CpuWaitPurr => run.metric("cpu_wait_purr"),
        Reading::ServiceP99 => run.metric("service_p99_ms"),
        Reading::ServiceGrowth => run.metric("service_backlog_growth_per_s"),
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
