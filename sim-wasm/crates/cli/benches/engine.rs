//! Speed of the engine with all its accounting, beside hand-written minima of the same loops. What belongs together
//! takes turns, so that a machine that slows down slows all of it; printed are nanoseconds of CPU an event, turn by
//! turn.

use cpu_time::ThreadTime;
use serde_json::{json, Map, Value};
use std::hint::black_box;
use wwi_model::experiment::{Experiment, Goal};
use wwi_scenario::bench::{cluster, config, endless, minimum, GROUPS};

/// Turns of each workload, and about how long each is \[ns of CPU\].
const TURNS: usize = 15;
const TURN: f64 = 2e7;
/// Events after which the length of a turn is known.
const TRIAL: u64 = 100_000;

/// A workload that goes on where its last turn ended.
enum Load {
    Minimum(&'static str),
    Engine(Box<Experiment>),
}

impl Load {
    /// `ledger`: with the loss ledger, as the page runs what it explains.
    fn new(name: &'static str, ledger: bool) -> Option<Load> {
        let Some(config) = config(name) else { return minimum(name, 1).map(|_| Load::Minimum(name)) };
        let experiment = Experiment::new(&config, endless());
        Some(Load::Engine(Box::new(if ledger { experiment } else { experiment.without_ledger() })))
    }

    /// Nanoseconds of CPU that each of so many events took.
    fn turn(&mut self, events: u64) -> f64 {
        let started = ThreadTime::now();
        let done = match self {
            Load::Minimum(name) => {
                black_box(minimum(name, events));
                events
            }
            Load::Engine(experiment) => {
                let before = experiment.progress().events;
                experiment.advance(events).events - before
            }
        };
        started.elapsed().as_nanos() as f64 / done as f64
    }
}

/// By name the nanoseconds of each turn; the minimum that is in front of the group with it.
fn together(names: &[&'static str], ledger: bool) -> Value {
    let mut loads: Vec<(&str, Load)> =
        names.iter().filter_map(|&name| Some((name, Load::new(name, ledger)?))).collect();
    let events: Vec<u64> =
        loads.iter_mut().map(|(_, load)| ((TURN / load.turn(TRIAL)) as u64).max(TRIAL / 10)).collect();
    let mut found: Vec<Vec<f64>> = vec![Vec::new(); loads.len()];
    for _ in 0..TURNS {
        for (((_, load), &events), turns) in loads.iter_mut().zip(&events).zip(&mut found) {
            turns.push(load.turn(events));
        }
    }
    Value::Object(loads.iter().zip(found).map(|((name, _), turns)| ((*name).to_owned(), json!(turns))).collect())
}

/// What keeping 131,072 stays costs, in per cent of the time without, from the best of nine turns each.
fn recording(name: &str) -> Option<f64> {
    const EVENTS: u64 = 4_000_000;
    let config = config(name)?;
    let mut best = [f64::INFINITY; 2];
    for _ in 0..9 {
        for (least, record) in best.iter_mut().zip([0, 131_072]) {
            let goal = Goal { max_events: EVENTS, record, ..endless() };
            let mut experiment = Experiment::new(&config, goal).without_ledger();
            let started = ThreadTime::now();
            while !experiment.advance(1_000_000).done {}
            *least = least.min(started.elapsed().as_secs_f64());
        }
    }
    Some(100.0 * (best[1] / best[0] - 1.0))
}

/// Events that a request of a cluster of four takes, with the transactions around it.
fn events_a_request() -> Option<f64> {
    let goal = Goal { max_events: 2_000_000, ..endless() };
    let mut experiment = Experiment::new(&cluster(4)?, goal).without_ledger();
    while !experiment.advance(1_000_000).done {}
    let report = experiment.report();
    let simulated = report.simulated_s + report.warmup_s * f64::from(report.replications);
    let requests: f64 = report.pairs.iter().map(|pair| pair.per_s.mean).sum();
    Some(report.events as f64 / simulated / requests)
}

fn main() {
    let groups: Vec<Value> = GROUPS.iter().map(|names| together(names, false)).collect();
    let ledger = together(&["minimum-32-on-8", "seed-point", "soft-affinity", "eight-database-writers"], true);
    let recorded: Map<String, Value> = ["round-robin-32-on-8", "cfs-32-on-8"]
        .iter()
        .filter_map(|name| Some(((*name).to_owned(), json!(recording(name)?))))
        .collect();
    let told = json!({
        "groups": groups, "with_ledger": ledger, "recording_pct": recorded, "events_a_request": events_a_request(),
    });
    println!("{told}");
}
