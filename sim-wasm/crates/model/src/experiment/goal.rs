//! What is asked of an experiment.
use crate::report::{Estimate, Report};

/// A figure that is read off a report.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its name.
    pub id: &'static str,
    /// How much it scatters.
    pub kind: FigureKind,
    /// Of a server's answers, not of sessions: it has no value to be sure of where that server's queue grows.
    pub is_of_server: bool,
    /// Reads it off; sessions where their number is fixed. `None`: it does not apply.
    pub read: fn(&str, &Report, Option<f64>) -> Option<Estimate>,
}

/// What passes scatters less than how long it takes, and that less than how long the slowest take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// A count, or a share of time.
    Rate,
    /// A mean.
    Mean,
    /// A percentile.
    Tail,
}

impl PartialEq for Figure {
    fn eq(&self, other: &Figure) -> bool {
        self.id == other.id
    }
}

impl Figure {
    /// Whether it says how long the run went on and no more: how long a server answers whose queue grows.
    pub fn is_endless(&self, report: &Report) -> bool {
        self.is_of_server && self.kind != FigureKind::Rate && report.services.iter().any(|service| service.grows)
    }
}

/// Which figures must reach the precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figures {
    /// Throughput and mean response time, the mean answer of servers; 99th percentiles of both to a tenth at least.
    ThroughputAndResponse,
    /// Throughput alone, for a point of its curve. Nothing else is kept: there is no full report.
    ThroughputOnly,
    /// This one alone; where it does not apply, throughput and mean response time.
    One(Figure),
    /// [`Figures::ThroughputAndResponse`] and this one.
    With(Figure),
}

/// What is asked of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Relative 95 % half-width, a fraction.
    pub precision: f64,
    /// Event budget over all replications. A run that meets it says so.
    pub max_events: u64,
    /// Stays kept in the picture of who ran where, first replication; 0: none.
    pub record: usize,
    /// Which figures count.
    pub figures: Figures,
    /// A quick first answer: three short replications, whatever their precision.
    pub coarse: bool,
}
