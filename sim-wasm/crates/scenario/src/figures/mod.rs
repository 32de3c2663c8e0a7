//! Published figures, the run that answers each, and what each is worth as evidence.

mod access;
mod affinity;
mod caging;
mod cluster;
pub mod listings;
mod lpar;
mod parallel;
mod read;
mod redo;
mod sequence;
mod service;
pub mod snapshots;
mod verdict;

pub use read::{read, Answered};
pub use verdict::{Claim, Judgement, Simulated, Tolerance, Verdict};

use serde::Serialize;

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
    /// Transactions a second of each session, where it never thinks: one over the mean response.
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
    /// Mean response of the server \[ms\].
    ServiceMean,
    /// Growth of the server's queue \[1/s\].
    ServiceGrowth,
    /// Transactions a second.
    Transactions,
    /// Ratio of transactions a second, first over second.
    TransactionsRatio,
    /// Mean of `log file sync` \[ms\].
    LogFileSync,
    /// Mean of `log file parallel write` \[ms\].
    LogWriteTime,
    /// Mean of `log file switch (checkpoint incomplete)` \[ms\].
    CheckpointWait,
    /// Number of those waits in 900 s.
    CheckpointWaits,
    /// Commits answered by a log write.
    CommitsPerWrite,
    /// Blocks written a second.
    BlocksWritten,
    /// Blocks written in a transaction.
    BlocksPerTransaction,
    /// CPU time of all database writers in 900 s \[s\].
    WriterSeconds,
    /// CPU time of a database writer for a block \[µs\].
    WriterPerBlock,
    /// Busy hardware threads.
    CpusBusy,
    /// Time that database writers wait for their writes in 900 s \[s\].
    ParallelWriteSeconds,
    /// Mean receive time of CR blocks at instance 1 \[ms\].
    CrReceiveAt1,
    /// Share of the CR blocks served by instance 3 that waited for redo \[%\].
    CrFlushesAt3,
    /// How long those waited \[ms\].
    CrFlushTimeAt3,
    /// Mean time to build a CR block at instance 3 \[ms\].
    CrBuildAt3,
    /// Share of the CR blocks of instance 1 that came from instance 3 \[%\].
    CrFrom3,
    /// CPU time of a session that ends \[s\].
    SessionCpu,
    /// Ratio of these, first over second.
    SessionCpuRatio,
    /// Elapsed time of a session that ends \[s\].
    SessionElapsed,
    /// Logical reads of a session that ends.
    SessionReads,
    /// Waits of a session that ends for `row cache lock`.
    RowCacheLockWaits,
    /// Mean of them \[ms\].
    RowCacheLockWait,
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
    /// What of it a run can agree with.
    pub claim: Claim,
    /// Unit.
    pub unit: &'static str,
    /// What agreement shows.
    pub role: Role,
    /// When an input or a consistency check with a value is met; `None` of predictions.
    pub tolerance: Option<Tolerance>,
    /// Why an input or a consistency check is known not to be met.
    pub unmet: Option<&'static str>,
    /// Scenario that simulates it.
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
    claim: Claim,
    unit: &'static str,
    role: Role,
    tolerance: Option<Tolerance>,
    unmet: Option<&'static str>,
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
            claim: figure.claim,
            unit: figure.unit,
            role: figure.role,
            tolerance: figure.tolerance,
            unmet: figure.unmet,
            query: figure.query,
            against: figure.against,
            reading: figure.reading,
            note: figure.note,
        }
    }
}

const fn figure(id: &'static str, role: Role, reading: Reading, query: &'static str) -> Figure {
    Figure {
        id,
        what: "",
        value: None,
        claim: Claim::Nothing,
        unit: "",
        role,
        tolerance: None,
        unmet: None,
        query,
        against: None,
        reading,
        note: "",
    }
}

/// How far a figure may be off that was told in round words ("about", "up to", "3/4") or read off a chart, a share of
/// it.
const ROUND: f64 = 0.1;

impl Figure {
    /// A value, printed with an error of half a unit of its last digit.
    const fn says(mut self, what: &'static str, value: f64, unit: &'static str, uncertainty: f64) -> Self {
        self.what = what;
        self.value = Some(value);
        self.unit = unit;
        self.claim = Claim::Value { uncertainty };
        self
    }
    /// A value in round words or off a chart.
    const fn tells(self, what: &'static str, value: f64, unit: &'static str) -> Self {
        self.says(what, value, unit, value * ROUND)
    }
    /// Words without a value; without a claim, too, unless one follows.
    const fn unsaid(mut self, what: &'static str, unit: &'static str) -> Self {
        self.what = what;
        self.unit = unit;
        self
    }
    /// Of the figure only that it lies above this is claimed.
    const fn above(mut self, limit: f64) -> Self {
        self.claim = Claim::Above { limit };
        self
    }
    /// Of the figure only that it lies below this is claimed.
    const fn below(mut self, limit: f64) -> Self {
        self.claim = Claim::Below { limit };
        self
    }
    /// Met within so much, in the unit of the figure.
    const fn within(mut self, within: f64, reason: &'static str) -> Self {
        self.tolerance = Some(Tolerance { within, reason });
        self
    }
    /// Met within a share of the published value.
    const fn within_share(self, share: f64, reason: &'static str) -> Self {
        match self.value {
            Some(value) => self.within(value.abs() * share, reason),
            None => self,
        }
    }
    /// Met within a hundredth: a knob was set from it.
    const fn set_from(self) -> Self {
        self.within_share(0.01, "a knob was set from it")
    }
    /// Met within a twentieth: measured once or twice.
    const fn measured(self) -> Self {
        self.within_share(0.05, "measured in one run or two")
    }
    /// Met within a tenth: told in round words or read off a chart.
    const fn roughly(self) -> Self {
        self.within_share(ROUND, "told in round words or read off a chart")
    }
    /// Known not to be met, and why.
    const fn unmet(mut self, reason: &'static str) -> Self {
        self.unmet = Some(reason);
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
    caging::ROWS
        .iter()
        .chain(lpar::ROWS)
        .chain(tables)
        .chain(affinity::ROWS)
        .chain(service::ROWS)
        .chain(redo::ROWS)
        .chain(cluster::ROWS)
        .chain(access::ROWS)
        .chain(sequence::ROWS)
        .chain(parallel::ROWS)
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

    #[test]
    fn every_name_stands_once() {
        for figure in all() {
            assert_eq!(all().filter(|other| other.id == figure.id).count(), 1, "{}", figure.id);
        }
    }

    #[test]
    fn an_input_or_check_says_when_it_is_met_and_a_prediction_does_not() {
        for figure in all() {
            let id = figure.id;
            let is_value = matches!(figure.claim, Claim::Value { .. });
            assert!(!is_value || figure.value.is_some(), "{id} claims a value that it does not have");
            assert_eq!(figure.tolerance.is_some(), is_value && figure.role != Role::Prediction, "{id}");
            assert!(figure.unmet.is_none() || figure.role != Role::Prediction, "{id}: a prediction may miss");
            if let (Claim::Value { uncertainty }, Some(tolerance)) = (figure.claim, figure.tolerance) {
                assert!(uncertainty >= 0.0 && tolerance.within > 0.0 && !tolerance.reason.is_empty(), "{id}");
            }
        }
    }
}
