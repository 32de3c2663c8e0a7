//! Replications are independent starts, and intervals say how far they lie apart.
use wwi_kernel::stats::half_width;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{cage, hogs, node, one};

fn report(config: &Config, precision: f64) -> Report {
    let figures = Figures::ThroughputAndResponse;
    let goal = Goal { precision, max_events: 400_000, record: 0, figures, coarse: false };
    let mut experiment = Experiment::new(config, goal);
    while !experiment.advance(50_000).done {}
    experiment.report()
}

/// Random work that comes at random.
fn queue() -> Config {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s: 200.0 };
    instance.workload.demand = Demand { mean: Ns::from_ms(10.0), shape: DemandShape::Exponential };
    one(node(), instance)
}

#[test]
fn no_two_starts_are_the_same() {
    let report = report(&queue(), 0.05);
    for estimate in [&report.lio_per_s, &report.response.mean_ms] {
        let mut reps = estimate.reps.clone();
        assert!(reps.len() >= 8, "{reps:?}");
        reps.sort_by(f64::total_cmp);
        assert!(reps.windows(2).all(|pair| pair[0] < pair[1]), "{reps:?}");
    }
}

/// Each interval is at least Student's t over what the starts say.
#[test]
fn an_interval_is_no_narrower_than_the_starts_allow() {
    let mut thinkers = hogs(20);
    if let Arrivals::Closed { think, .. } = &mut thinkers.workload.arrivals {
        *think = Ns::from_ms(200.0);
    }
    thinkers.workload.demand.shape = DemandShape::Exponential;
    for (config, precision) in [(queue(), 0.05), (queue(), 0.02), (one(node(), thinkers), 0.03)] {
        let report = report(&config, precision);
        let holds = |estimate: &Estimate, what: &str| {
            let (told, starts) = (estimate.ci95.expect("an interval"), half_width(&estimate.reps).expect("starts"));
            assert!(told >= starts * 0.999, "{what}: ± {told}, the starts alone ± {starts}");
        };
        holds(&report.lio_per_s, "logical reads");
        holds(&report.transactions_per_s, "transactions");
        holds(&report.response.mean_ms, "response");
    }
}

/// Phases of slots and ticks never move within a run, so a cage asks for more starts and never for longer ones; up to
/// 64.
#[test]
fn where_starts_decide_there_are_more_of_them_up_to_64() {
    let mut caged = hogs(9);
    caged.cage = Some(cage(2));
    let report = report(&one(node(), caged), 1e-6);
    assert_eq!((report.replications, report.truncated), (64, true));
}

/// 32 sessions in a cage of the eight threads of four cores, refills of 800 µs: what is done in a second does not hang
/// on how long it takes until all have started. Slots dealt in the order of quick starts would change hands together,
/// and 0.7 % less would be done.
#[test]
fn sessions_start_within_a_quantum_so_that_quick_starts_do_not_put_slots_in_step() {
    let host = NodeConfig {
        cores_per_socket: 4,
        threads_per_core: 2,
        smt_yield: vec![1.0, 1.5],
        switch_refill: Ns::from_us(800.0),
        ..node()
    };
    let done = [1000.0, 100.0, 10.0].map(|spread| {
        let mut caged = hogs(32);
        caged.cage = Some(cage(8));
        caged.workload.arrivals = Arrivals::Closed { sessions: 32, think: Ns::ZERO, start_spread: Ns::from_ms(spread) };
        report(&one(host.clone(), caged), 0.0015).lio_per_s
    });
    for quick in &done[1..] {
        let apart = quick.mean / done[0].mean - 1.0;
        assert!(apart.abs() < 0.002, "{done:?}");
    }
}
