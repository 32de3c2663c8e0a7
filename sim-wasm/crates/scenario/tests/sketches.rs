//! First sketches: short runs, and on average no others than long ones.

use wwi_model::config::Config;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

const SEEDS: u64 = 40;

fn run(config: &Config, seed: u64, coarse: bool, precision: f64) -> (f64, u64) {
    let figures = Figures::ThroughputAndResponse;
    let goal = Goal { precision, max_events: 20_000_000, record: 0, figures, coarse };
    let mut experiment = Experiment::new(&Config { seed, ..config.clone() }, goal).without_ledger();
    while !experiment.advance(1_000_000).done {}
    let report = experiment.report();
    (report.lio_per_s.mean, report.events)
}

/// Few sessions are where a sketch is shortest: their transactions take a tenth of the second in which they start.
#[test]
fn sketches_of_few_sessions_are_as_high_on_average_as_long_runs() {
    for query in ["instance-caging-vm?sessions=1", "instance-caging-vm?sessions=2", "caging-nine-on-six?sessions=3"] {
        let config = to_config(&decode(query).expect("a scenario").scenario);
        let (long, events) = run(&config, 99, false, 0.002);
        let sketches: Vec<(f64, u64)> = (1..=SEEDS).map(|seed| run(&config, seed, true, 0.03)).collect();
        let mean = sketches.iter().map(|one| one.0).sum::<f64>() / SEEDS as f64;
        assert!((mean / long - 1.0).abs() < 0.01, "{query}: {mean} on average, {long} in the long run");
        assert!(sketches.iter().all(|one| one.1 * 4 < events), "{query}: a sketch is short");
    }
}

/// What happens once in a quarter of an hour is not waited for.
#[test]
fn a_run_does_not_go_on_for_logs_that_it_will_not_see_switched() {
    let simulated = |query: &str| {
        let config = to_config(&decode(query).expect("a scenario").scenario);
        let goal =
            Goal { precision: 0.5, max_events: 3_000_000, record: 0, figures: Figures::ThroughputOnly, coarse: false };
        let mut experiment = Experiment::new(&config, goal).without_ledger();
        while !experiment.advance(1_000_000).done {}
        let report = experiment.report();
        assert!(!report.truncated, "{query}");
        report.simulated_s
    };
    // As fast as redo may come, 200 MB last half a minute: three are worth a minute. 1,000 MB last two, and 15 s are
    // enough for each writer to look five times.
    let of = |size: u32| simulated(&format!("log-writer-starved?redo_log_mb={size}"));
    let (rare, often) = (of(1000), of(200));
    assert!(often > 2.0 * rare, "{rare} s with logs that last, {often} s with logs that switch");
}
