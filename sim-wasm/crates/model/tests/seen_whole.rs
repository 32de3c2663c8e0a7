//! Percentiles are of transactions that were seen from their beginning.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, hogs, node, one};

/// Each session on a CPU of its own: a transaction lasts as long as its work, one second on average.
fn alone(shape: DemandShape, seed: u64, precision: f64) -> Report {
    let mut users = hogs(32);
    users.workload.demand = Demand { mean: Ns::from_s(1.0), shape };
    users.workload.arrivals = Arrivals::Closed { sessions: 32, think: Ns::ZERO, start_spread: Ns::from_ms(10.0) };
    let host = NodeConfig { cores_per_socket: 32, ..node() };
    finish(&Config { seed, ..one(host, users) }, goal(precision, 10_000_000))
}

/// What ends in the fourth second has lasted no longer than four; of exponential work one in a hundred takes 4.6.
#[test]
fn the_99th_percentile_of_short_runs_is_that_of_long_ones() {
    // ln 100.
    let truth = 4605.17;
    let (mut held, mut sum, seeds) = (0, 0.0, 40);
    for seed in 0..seeds {
        let found = alone(DemandShape::Exponential, seed, 0.2);
        let (p99, half) = (found.response.p99_ms, found.response.p99_ci95.expect("an interval"));
        assert!(1e3 * found.warmup_s > p99, "{} s of {p99} ms", found.warmup_s);
        held += u32::from((p99 - truth).abs() <= half);
        sum += p99 / truth;
    }
    let mean = sum / f64::from(seeds as u32);
    assert!(held >= 36 && (mean - 1.0).abs() < 0.02, "{held} of {seeds} hold it, {mean} times the truth");
}

/// Work of one length is seen whole after that length.
#[test]
fn who_takes_the_same_each_time_is_waited_for_once() {
    let found = alone(DemandShape::Constant, 1, 0.05);
    assert!(found.warmup_s < 2.0, "{} s", found.warmup_s);
}
