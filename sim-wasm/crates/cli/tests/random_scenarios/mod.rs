//! Scenarios from a seeded generator: everyday ones, valid ones at the ends of the knobs, and mutated ones that are
//! mostly wrong; and what must hold whichever comes: no panic, no broken law, no figure that is not a number, an end
//! within the event budget.

mod everyday;
mod extreme;
mod mutated;

pub use everyday::everyday;
pub use extreme::extreme;
pub use mutated::mutated;

use wwi_kernel::rng::Stream;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::Report;
use wwi_scenario::canonical::canonical;
use wwi_scenario::columns::columns;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode_with;
use wwi_scenario::knob::{Knob, NameScope};
use wwi_scenario::metrics::METRICS;
use wwi_scenario::options::COMMAND_LINE_PRECISION;
use wwi_scenario::report::{to_json, Asked};

/// Events of a run at most.
pub const BUDGET: u64 = 20_000;
/// Events between two looks at whether a run is done.
const SLICE: u64 = 5_000;

/// What somebody may hand to the command line: a line or a document, and values on top.
#[derive(Clone, Debug)]
pub struct Input {
    /// A preset with values, a link, or a document.
    pub text: String,
    /// `--set`s.
    pub sets: Vec<(String, String)>,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Not valid, in words.
    Refused,
    /// It ran.
    Ran,
}

impl Input {
    /// As one would type it.
    pub fn line(&self) -> String {
        let sets: Vec<String> = self.sets.iter().map(|(knob, value)| format!(" --set {knob:?}={value:?}")).collect();
        format!("{:?}{}", self.text, sets.concat())
    }
}

/// A scope of a knob in a scenario of so many hosts and instances: nothing, or a product of parts, in any order.
pub fn scope(rng: &mut Stream, knob: &Knob, nodes: usize, instances: usize) -> String {
    if knob.scope == NameScope::Run {
        return String::new();
    }
    let mut parts: Vec<String> = Vec::new();
    if knob.scope == NameScope::Kind && rng.below(4) > 0 {
        parts.push((*one_of(rng, &["@session", "@background", "@service"])).to_owned());
    }
    if knob.scope != NameScope::Node && rng.below(4) == 0 {
        parts.push(format!("@instance{}", 1 + rng.below(instances as u64)));
    }
    if rng.below(4) == 0 {
        parts.push(format!("@node{}", 1 + rng.below(nodes as u64)));
    }
    if rng.below(2) == 0 {
        parts.reverse();
    }
    parts.concat()
}

/// One of several.
pub fn one_of<'a, T>(rng: &mut Stream, all: &'a [T]) -> &'a T {
    &all[rng.below(all.len() as u64) as usize]
}

/// Decodes, runs within the budget, and looks at everything that comes back; panics where something is wrong.
pub fn run(input: &Input, case: u64) -> Outcome {
    let decoded = match decode_with(&input.text, &input.sets) {
        Ok(decoded) => decoded,
        Err(problems) => {
            let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
            assert!(!words.is_empty() && words.iter().all(|line| !line.is_empty()), "refused without a word");
            return Outcome::Refused;
        }
    };
    let scenario = &decoded.scenario;
    let config = to_config(scenario);
    let max_events = BUDGET.min(scenario.run_number("max_events") as u64);
    let precision = scenario.said_precision().unwrap_or(COMMAND_LINE_PRECISION);
    let record = (case % 2) as usize * 4096;
    let figures = Figures::ThroughputAndResponse;
    let goal = Goal { precision, max_events, record, figures, coarse: case % 6 < 2 };
    let mut experiment = Experiment::new(&config, goal);
    let mut slices = 0;
    while !experiment.advance(SLICE).done {
        slices += 1;
        assert!(slices < 1_000, "no end");
    }
    let report = experiment.report();
    assert!(report.events <= max_events + SLICE, "{} events", report.events);
    let sessions = config.closed_sessions();
    look(
        &report,
        &Asked {
            query: canonical(scenario),
            seed: config.seed,
            precision,
            sessions,
            histograms: true,
            warnings: Vec::new(),
        },
    );
    Outcome::Ran
}

/// Laws hold, and every figure is a number.
fn look(report: &Report, asked: &Asked) {
    let broken: Vec<_> = report.checks.iter().filter(|check| !check.ok).collect();
    assert!(broken.is_empty(), "{broken:?}");
    assert!(report.lio_per_s.mean >= 0.0 && report.transactions_per_s.mean >= 0.0, "less than nothing is done");
    let whole = format!("{report:?}");
    let is_none = |word: &&str| ["NaN", "inf"].contains(word);
    let found = whole.split(|c: char| !c.is_alphanumeric()).position(|word| is_none(&word));
    assert!(found.is_none(), "a figure is {:?}", whole.split(|c: char| !c.is_alphanumeric()).find(is_none));
    for metric in METRICS {
        let value = metric.read(report, asked.sessions);
        assert!(value.is_none_or(|value| value.reps.iter().all(|rep| rep.is_finite())), "{}", metric.id);
    }
    assert!(columns(report).1.iter().all(|value| value.is_finite()), "a column holds what is no number");
    let json: Result<serde_json::Value, _> = serde_json::from_str(&to_json(report, asked));
    assert!(json.is_ok_and(|report| report["checks"].is_array()), "the report is no JSON");
}
