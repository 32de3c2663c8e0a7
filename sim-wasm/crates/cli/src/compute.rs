//! From the text of a scenario to its report, with a progress bar on stderr where it takes long.

use crate::growth::{growing, Growth};
use crate::rows::{rows_of, Row};
use crate::threads::is_interrupted;
use crate::Fault;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use wwi_model::config::Config;
use wwi_model::experiment::pair::Pair;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::Report;
use wwi_scenario::acts::{warnings, Warning};
use wwi_scenario::canonical::canonical;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode_with;
use wwi_scenario::options::COMMAND_LINE_PRECISION;
use wwi_scenario::problem::Problem;
use wwi_scenario::report::Asked;
use wwi_scenario::scenario::Scenario;
use wwi_scenario::value::quoted;

/// Events between two looks at the clock.
const SLICE: u64 = 500_000;
/// A run shorter than this shows no bar.
const QUIET: Duration = Duration::from_millis(500);

/// Splits `knob=value`.
pub fn split_set(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((knob, value)) if !knob.trim().is_empty() => Ok((knob.trim().to_owned(), value.trim().to_owned())),
        _ => Err(format!("--set {}: write knob=value", quoted(text))),
    }
}

/// Reads a scenario with further values on top; everything wrong with it at once.
pub fn read(text: &str, sets: &[(String, String)]) -> Result<Scenario, Fault> {
    read_given(text, sets).map(|(scenario, _)| scenario)
}

/// As [`read`], with what the text and the further values say that changes nothing.
pub fn read_given(text: &str, sets: &[(String, String)]) -> Result<(Scenario, Vec<Warning>), Fault> {
    let told = |problems: Vec<Problem>| problems.iter().map(ToString::to_string).collect::<Fault>();
    let decoded = decode_with(text, sets).map_err(told)?;
    let warnings = warnings(&decoded.scenario, &decoded.given);
    Ok((decoded.scenario, warnings))
}

/// Says on stderr what changes nothing.
pub fn warn(warnings: &[Warning]) {
    for warning in warnings {
        eprintln!("wwi: warning: {}", warning.message);
    }
}

/// A scenario, how it was asked, and its answer.
pub struct Answer {
    /// Head of the report.
    pub asked: Asked,
    /// Report.
    pub report: Report,
    /// Instances to which transactions come faster than they end.
    pub growing: Vec<Growth>,
    /// Its figures by host, kind, instance and event.
    pub rows: Vec<Row>,
    /// Real time it took.
    pub took: Duration,
    /// What it was run against.
    pub other: Option<Box<Other>>,
}

/// What a scenario is compared with.
pub struct Other {
    /// As a link says it.
    pub query: String,
    /// Its sessions, where their number is fixed.
    pub sessions: Option<f64>,
    /// Its instances to which transactions come faster than they end.
    pub growing: Vec<Growth>,
    /// Report.
    pub report: Report,
}

/// How a run is asked for.
pub struct Asking {
    /// Relative half-width; wins over that of the scenario.
    pub precision: Option<f64>,
    /// Which figures must reach it.
    pub figures: Figures,
    /// Keep who ran where.
    pub record: usize,
    /// Put histograms into the JSON report.
    pub histograms: bool,
    /// Keep the loss ledger.
    pub ledger: bool,
}

impl Default for Asking {
    fn default() -> Self {
        Asking { precision: None, figures: Figures::ThroughputAndResponse, record: 0, histograms: false, ledger: false }
    }
}

/// Configuration, goal, and head of the report of a scenario.
fn set_up(scenario: &Scenario, asking: &Asking) -> (Config, Goal, Asked) {
    let config = to_config(scenario);
    let precision = asking.precision.or(scenario.said_precision()).unwrap_or(COMMAND_LINE_PRECISION);
    let max_events = scenario.run_number("max_events") as u64;
    let goal = Goal { precision, max_events, record: asking.record, figures: asking.figures, coarse: false };
    let asked = Asked {
        query: canonical(scenario),
        seed: config.seed,
        precision,
        sessions: config.closed_sessions(),
        histograms: asking.histograms,
        warnings: Vec::new(),
    };
    (config, goal, asked)
}

/// Runs a scenario together with another that it is compared with: equal starts and horizons for both, until both are
/// precise, as the page runs A and B. Of its figures by host, kind, instance and event there are none.
pub fn compute_against(scenario: &Scenario, other: &Scenario, asking: &Asking, bar: &Bar) -> Answer {
    let (config, goal, asked) = set_up(scenario, asking);
    let against = to_config(other);
    let pair = Pair::new(&config, Some(&against), goal);
    let mut pair = if asking.ledger { pair } else { pair.without_ledger() };
    let started = Instant::now();
    loop {
        let progress = pair.advance(SLICE);
        if progress.done {
            let (query, sessions) = (canonical(other), against.closed_sessions());
            let other = pair.other_report().map(|report| {
                let growing = growing(&against, &report);
                Box::new(Other { query, sessions, growing, report })
            });
            let report = pair.report();
            let growing = growing(&config, &report);
            return Answer { asked, report, growing, rows: Vec::new(), took: started.elapsed(), other };
        }
        bar.show(progress.precision.map(|reached| (asked.precision / reached).powi(2)), progress.events);
    }
}

/// Runs a scenario; interrupted, it answers what there is.
pub fn compute(scenario: &Scenario, asking: &Asking, bar: &Bar) -> Answer {
    let (config, goal, asked) = set_up(scenario, asking);
    let precision = asked.precision;
    let experiment = Experiment::new(&config, goal);
    let mut experiment = if asking.ledger { experiment } else { experiment.without_ledger() };
    let started = Instant::now();
    loop {
        let progress = experiment.advance(SLICE);
        if progress.done || is_interrupted() {
            let (report, rows, took) = (experiment.report(), rows_of(&experiment), started.elapsed());
            let growing = growing(&config, &report);
            return Answer { asked, report, growing, rows, took, other: None };
        }
        bar.show(progress.precision.map(|reached| (precision / reached).powi(2)), progress.events);
    }
}

/// A bar on stderr; nothing where stderr is no terminal.
pub struct Bar {
    bar: ProgressBar,
    started: Instant,
    /// Runs that are over.
    steps: AtomicU64,
}

impl Bar {
    /// A bar of so many runs.
    pub fn new(steps: u64) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(steps * 1000), ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{bar:32} {percent:>3} % {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar { bar, started: Instant::now(), steps: AtomicU64::new(0) }
    }
    /// Part of a present run; unknown before there is an interval. Of several the one that is furthest counts.
    fn show(&self, part: Option<f64>, events: u64) {
        if self.started.elapsed() > QUIET {
            let part = part.unwrap_or(0.0).clamp(0.0, 1.0);
            let here = self.steps.load(Relaxed) * 1000 + (part * 1000.0) as u64;
            self.bar.set_position(here.max(self.bar.position()));
            self.bar.set_message(format!("{} M events", events / 1_000_000));
        }
    }
    /// So much of the present step is done.
    pub fn part(&self, part: f64, what: &str) {
        self.show(Some(part), 0);
        if self.started.elapsed() > QUIET {
            self.bar.set_message(what.to_owned());
        }
    }
    /// One run is over.
    pub fn step(&self, what: &str) {
        let steps = 1 + self.steps.fetch_add(1, Relaxed);
        if self.started.elapsed() > QUIET {
            self.bar.set_position((steps * 1000).max(self.bar.position()));
            self.bar.set_message(what.to_owned());
        }
    }
    /// Clears the line.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
