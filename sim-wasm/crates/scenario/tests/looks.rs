//! How long runs look, and what counts when a budget ends them.

use wwi_model::config::Config;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn config(query: &str, seed: u64) -> Config {
    let scenario = decode(query).unwrap_or_else(|problems| panic!("{query}: {problems:?}")).scenario;
    Config { seed, ..to_config(&scenario) }
}

fn run(query: &str, seed: u64, precision: f64, max_events: u64) -> Report {
    let figures = Figures::ThroughputAndResponse;
    let goal = Goal { precision, max_events, record: 0, figures, coarse: false };
    let mut experiment = Experiment::new(&config(query, seed), goal);
    while !experiment.advance(7_000).done {}
    experiment.report()
}

/// Simulated time that counts, warm-up included, of all starts \[s\].
fn counted(report: &Report) -> f64 {
    report.simulated_s + report.warmup_s * f64::from(report.replications)
}

const THINKING: &str =
    "instance-caging-vm?resource_manager_plan=none&sessions=20&demand_distribution=exponential&think_time_ms=200";

#[test]
fn more_budget_never_counts_less() {
    for (query, precision) in [(THINKING, 0.001), ("cpu-queue", 0.002), ("starved-service", 0.0005)] {
        for seed in [1, 2] {
            let mut before = 0.0;
            for budget in (1..16).map(|step| 2_500 * step * step) {
                let report = run(query, seed, precision, budget);
                assert!(report.truncated, "{query}: {budget} events were enough");
                let now = counted(&report);
                assert!(
                    now >= before * (1.0 - 1e-9),
                    "{query}, seed {seed}: {budget} events count {now} s, fewer {before} s"
                );
                before = now;
            }
        }
    }
}

#[test]
fn of_a_budget_that_ends_late_most_counts() {
    let sketch = |query: &str, max_events| {
        let figures = Figures::ThroughputAndResponse;
        let goal = Goal { precision: 0.03, max_events, record: 0, figures, coarse: true };
        let mut experiment = Experiment::new(&config(query, 1), goal);
        while !experiment.advance(7_000).done {}
        experiment.report()
    };
    for query in [THINKING, "cpu-queue", "instance-caging-vm"] {
        let whole = sketch(query, u64::MAX);
        assert!(!whole.truncated);
        // Ten of sixteen parts at least, where eleven and a half are paid for: the last edge kept for warm-up alone is
        // the eighth.
        let most = sketch(query, whole.events * 72 / 100);
        assert!(most.truncated && counted(&most) >= 0.62 * counted(&whole), "{query}: {} s", counted(&most));
    }
}

#[test]
fn no_queue_is_precise_before_its_relaxation_time_is_over() {
    // M/M/1, 10 ms: relaxation 10 ms / (1 - sqrt(0.9))^2 = 3.80 s, 10 ms / (1 - sqrt(0.97))^2 = 43.8 s.
    for (per_s, relaxation_s) in [(90, 3.80), (97, 43.8)] {
        let query = format!("cpu-queue?cores_per_socket=1&arrivals_per_s={per_s}");
        let report = run(&query, 5, 1.0, 100_000_000);
        assert!(!report.truncated && report.warmup_s >= relaxation_s, "{per_s}: {} s", report.warmup_s);
        assert!(counted(&report) >= 8.0 * 2.0 * relaxation_s, "{per_s}: {} s", counted(&report));
    }
}

#[test]
fn of_a_limit_whole_periods_are_counted() {
    // A class that may run half of each second: any other number of seconds would not give half.
    let query = "starved-service?service_per_s=0&class@session=FIFO&sched_rt_runtime_us=500000&sessions=2";
    let report = run(query, 1, 0.05, 100_000_000);
    let each = report.simulated_s / f64::from(report.replications);
    assert!((each - each.round()).abs() < 1e-6, "{each} s");
    assert!((report.nodes[0].cpu_busy_threads.mean - 1.0).abs() < 0.001, "{}", report.nodes[0].cpu_busy_threads.mean);
}

#[test]
fn how_late_a_growing_queue_answers_is_not_waited_for() {
    let figure = wwi_scenario::metrics::find("service_p99_ms").expect("it is in the catalogue").figure();
    let run = |query: &str| finish(&config(query, 3), Goal { figures: Figures::One(figure), ..goal(0.05, 20_000_000) });
    let growing = run("starved-service");
    assert!(growing.services[0].grows && !growing.truncated, "{} events", growing.events);
    // Two fifths of a CPU are two hundred a second; threads of the kernel keep hogs and server out of step.
    let near = run("starved-service?service_per_s=170");
    let answered = &near.services[0].answered_per_s;
    assert!(!near.services[0].grows && (answered.mean / 170.0 - 1.0).abs() < 0.02, "{answered:?}");
    let steady = run("starved-service?service_per_s=100");
    let p99 = steady.services[0].response.p99();
    assert!(!steady.services[0].grows && !steady.truncated);
    assert!(p99.ci95.is_some_and(|half| half <= 0.05 * p99.mean), "{p99:?}");
}
