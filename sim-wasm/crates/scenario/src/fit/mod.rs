//! One knob found from measured points: the value at which the simulated figures are off by the least relative squares,
//! with the range of values that fit hardly worse. Every value is tried with the same seeds, so that what differs
//! between two values is the knob. A knob found so is an input; the points that it was found from check nothing.

mod profile;

use crate::address::Address;
use crate::config::to_config;
use crate::decode::decode_with;
use crate::knob::Kind;
use crate::number;
use crate::scenario::Scenario;
use crate::value::quoted;

pub use profile::Found;
use profile::{rounded, Bounds, Profile};
use serde::Serialize;
use wwi_kernel::stats::t99;
use wwi_model::experiment::pair::Pair;
use wwi_model::experiment::{Figures, Goal};
use wwi_model::report::Report;

/// Points at most.
pub const MOST_POINTS: usize = 40;
/// Figures at least: a range needs one to spare, and the residuals two.
const LEAST_FIGURES: usize = 3;
/// Relative 95 % half-width of each simulated figure. Free: far below what measurements are repeated to.
const PRECISION: f64 = 0.01;
/// Standard errors in a 95 % half-width.
const HALF_WIDTH: f64 = 1.96;
/// Events of one run at most. Free.
const MOST_EVENTS: u64 = 3_000_000;

/// What was measured at one value of the knob on the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// That value.
    pub at: f64,
    /// Transactions a second.
    pub transactions_per_s: Option<f64>,
    /// Logical reads a second.
    pub lio_per_s: Option<f64>,
    /// Mean response \[ms\].
    pub response_ms: Option<f64>,
}

impl Point {
    fn measured(&self) -> [Option<f64>; 3] {
        [self.transactions_per_s, self.lio_per_s, self.response_ms]
    }
}

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    /// The scenario.
    pub query: String,
    /// The knob whose values the points have.
    pub over: String,
    /// The knob that is to be found.
    pub free: String,
    /// What was measured.
    pub points: Vec<Point>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// Address of the knob.
    pub free: String,
    /// Its value, its 99 % range, and how much is left unexplained.
    #[serde(flatten)]
    pub found: Found,
    /// Figures that were compared.
    pub figures: usize,
    /// Values of the knob that were tried.
    pub tried: usize,
}

/// A value of the free knob that is being tried, point after point.
struct Trial {
    at: f64,
    residuals: Vec<f64>,
    point: usize,
    run: Option<Box<Pair>>,
    /// Events of that run.
    events: u64,
}

/// A fit on its way.
pub struct Fit {
    asked: Asked,
    free: String,
    profile: Profile,
    trial: Option<Trial>,
    fault: Option<String>,
}

fn set(knob: &str, value: f64) -> (String, String) {
    (knob.to_owned(), number::plain(value))
}

impl Asked {
    /// Reads points that stand one after another as four numbers: the value on the axis, transactions/s, LIO/s, mean
    /// response in ms; what is no number was not measured.
    pub fn new(query: &str, over: &str, free: &str, points: &[f64]) -> Asked {
        let given = |figure: f64| Some(figure).filter(|figure| !figure.is_nan());
        let point = |row: &[f64]| match *row {
            [at, transactions, reads, response] => Some(Point {
                at,
                transactions_per_s: given(transactions),
                lio_per_s: given(reads),
                response_ms: given(response),
            }),
            _ => None,
        };
        let points = points.chunks(4).filter_map(point).collect();
        Asked { query: query.to_owned(), over: over.to_owned(), free: free.to_owned(), points }
    }

    fn scenario(&self, at: f64, free: &str, value: f64) -> Result<Scenario, Vec<String>> {
        let decoded = decode_with(&self.query, &[set(&self.over, at), set(free, value)]);
        let told = |problems: Vec<crate::problem::Problem>| problems.iter().map(ToString::to_string).collect();
        decoded.map(|decoded| decoded.scenario).map_err(told)
    }

    /// The free knob, its value in the scenario, and where it may lie.
    fn free(&self) -> Result<(String, f64, Bounds), Vec<String>> {
        let told =
            |problems: Vec<crate::problem::Problem>| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
        let scenario = decode_with(&self.query, &[]).map_err(told)?.scenario;
        let name = |key: &str| {
            let read =
                Address::parse(key, &scenario).map_err(|(_, words)| vec![format!("{}: {words}", quoted(key))])?;
            match read.knob.kind {
                Kind::Integer | Kind::Number => Ok(read),
                _ => Err(vec![format!("{key} is no number, so it cannot be fitted or measured over")]),
            }
        };
        let (free, over) = (name(&self.free)?, name(&self.over)?);
        if free == over {
            return Err(vec![format!("{} is what the points are measured over: it is known", self.over)]);
        }
        let bounds = Bounds { least: free.knob.min, most: free.knob.max, is_whole: free.knob.kind == Kind::Integer };
        Ok((free.to_text(), scenario.get(free).as_number(), bounds))
    }

    fn faults_of_points(&self) -> Vec<String> {
        let figures = self.points.iter().flat_map(Point::measured).flatten();
        let mut faults = Vec::new();
        if self.points.len() > MOST_POINTS {
            faults.push(format!("there are {} points; at most {MOST_POINTS}", self.points.len()));
        }
        if figures.clone().count() < LEAST_FIGURES {
            let count = figures.clone().count();
            faults.push(format!("{LEAST_FIGURES} measured figures are needed for a value and its range, not {count}"));
        }
        if figures.clone().any(|figure| !figure.is_finite() || figure <= 0.0) {
            faults.push("measured figures are above zero".to_owned());
        }
        faults
    }
}

impl Fit {
    /// Reads what is asked; nothing runs before [`Fit::advance`].
    ///
    /// # Errors
    /// Everything that is wrong with scenario, knobs and points, a line each.
    pub fn new(asked: Asked) -> Result<Fit, Vec<String>> {
        let (free, first, bounds) = asked.free()?;
        let mut faults = asked.faults_of_points();
        for point in &asked.points {
            faults.extend(asked.scenario(point.at, &free, first).err().unwrap_or_default());
        }
        if !faults.is_empty() {
            faults.dedup();
            return Err(faults);
        }
        let figures = asked.points.iter().flat_map(Point::measured).flatten().count();
        let profile = Profile::new(bounds, first, PRECISION / HALF_WIDTH, t99(figures - 1));
        Ok(Fit { asked, free, profile, trial: None, fault: None })
    }

    /// Goes on for about so many events. Whether it is done, values tried, and how many are tried at most.
    pub fn advance(&mut self, max_events: u64) -> (bool, usize, usize) {
        let mut left = max_events;
        while left > 0 && self.fault.is_none() {
            if self.trial.is_none() {
                let Some(at) = self.profile.wants() else { return (true, self.profile.looks(), self.profile.looks()) };
                self.trial = Some(Trial { at, residuals: Vec::new(), point: 0, run: None, events: 0 });
            }
            left = left.saturating_sub(self.step(left).max(1));
        }
        (self.fault.is_some(), self.profile.looks(), Profile::most_looks())
    }

    /// Takes the present trial further; events that it took.
    fn step(&mut self, left: u64) -> u64 {
        let Some(mut trial) = self.trial.take() else { return 0 };
        let Some(point) = self.asked.points.get(trial.point).copied() else {
            self.profile.learn(trial.at, trial.residuals);
            return 0;
        };
        let Some(mut run) = trial.run.take().or_else(|| self.begin(&point, trial.at)) else {
            return self.refuse(trial.at, "the scenario cannot be run there");
        };
        let before = trial.events;
        let progress = run.advance(left);
        trial.events = progress.events;
        if !progress.done {
            trial.run = Some(run);
        } else if let Some(residuals) = residuals(&point, &run.report()) {
            let Some(precision) = progress.precision else {
                return self.refuse(trial.at, "nothing is known there within the events allowed");
            };
            self.profile.is_noisy(precision / HALF_WIDTH);
            trial.residuals.extend(residuals);
            (trial.point, trial.events) = (trial.point + 1, 0);
        } else {
            return self.refuse(trial.at, "nothing ends there");
        }
        self.trial = Some(trial);
        progress.events - before
    }

    fn begin(&self, point: &Point, value: f64) -> Option<Box<Pair>> {
        let scenario = self.asked.scenario(point.at, &self.free, value).ok()?;
        let figures = match point.response_ms {
            Some(_) => Figures::ThroughputAndResponse,
            None => Figures::ThroughputOnly,
        };
        let max_events = (scenario.run_number("max_events") as u64).min(MOST_EVENTS);
        let goal = Goal { precision: PRECISION, max_events, record: 0, figures, coarse: false };
        Some(Box::new(Pair::new(&to_config(&scenario), None, goal).without_ledger()))
    }

    /// The value cannot be tried. Where none could so far, that is the end.
    fn refuse(&mut self, at: f64, why: &str) -> u64 {
        self.profile.exclude(at);
        if self.profile.found().is_none() {
            self.fault = Some(format!("{} = {}: {why}", self.free, number::plain(at)));
        }
        0
    }

    /// Why nothing can be found.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// What is found so far; `None` before a value was tried.
    pub fn found(&self) -> Option<Fitted> {
        let found = self.profile.found()?;
        let [value, low, high] = [found.value, found.low, found.high].map(rounded);
        Some(Fitted {
            found: Found { value, low: low.min(value), high: high.max(value), ..found },
            figures: self.asked.points.iter().flat_map(Point::measured).flatten().count(),
            tried: self.profile.looks(),
            free: self.free.clone(),
        })
    }
}

/// By how much each simulated figure is off, relative to the measured one.
fn residuals(point: &Point, report: &Report) -> Option<Vec<f64>> {
    let simulated = [report.transactions_per_s.mean, report.lio_per_s.mean, report.response.mean_ms.mean];
    let pairs = point.measured().into_iter().zip(simulated);
    let each = pairs.filter_map(|(measured, simulated)| measured.map(|measured| simulated / measured - 1.0));
    each.map(|off| (off > -1.0 && off.is_finite()).then_some(off)).collect()
}
