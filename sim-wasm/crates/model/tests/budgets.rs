//! Event budgets that do not last: what is told is true as far as its interval says, and where that is not known there
//! is none.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{finish, goal, hogs, node, one};

fn report(config: &Config, max_events: u64) -> Report {
    finish(config, goal(0.03, max_events))
}

/// One CPU on which switches cost nothing.
fn one_cpu() -> NodeConfig {
    NodeConfig {
        sockets: 1,
        cores_per_socket: 1,
        smt_yield: vec![1.0],
        scheduler: Scheduler::Fifo,
        switch_direct: Ns::ZERO,
        switch_refill: Ns::ZERO,
        ..node()
    }
}

/// M/M/1 with services of 10 ms.
fn queue(per_s: f64, seed: u64) -> Config {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s };
    instance.workload.demand = Demand { mean: Ns::from_ms(10.0), shape: DemandShape::Exponential };
    Config { seed, ..one(one_cpu(), instance) }
}

/// Sessions that start within a spread, on a CPU where each has to wait for all others.
fn crowd(sessions: u32, spread_s: f64, seed: u64) -> Config {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::from_s(spread_s) };
    instance.workload.demand = Demand { mean: Ns::from_ms(10.0), shape: DemandShape::Exponential };
    Config { seed, ..one(one_cpu(), instance) }
}

/// Of so many seeds, how many intervals of the mean response hold what is right \[ms\], and how many there are.
fn held(right: f64, seeds: u64, of: impl Fn(u64) -> Report) -> (usize, usize) {
    let told: Vec<Estimate> = (0..seeds).map(|seed| of(seed).response.mean_ms).collect();
    let sure = told.iter().filter_map(|found| Some((found.mean - right).abs() <= found.ci95?));
    let sure: Vec<bool> = sure.collect();
    (sure.iter().filter(|holds| **holds).count(), sure.len())
}

/// A precise answer takes fifty times as many: eight starts of 60 s, five times as long as such a queue remembers.
#[test]
fn a_queue_whose_budget_ends_early_is_told_as_vaguely_as_it_is_known() {
    let (holds, told) = held(200.0, 60, |seed| report(&queue(95.0, seed), 100_000));
    assert!(holds >= 52 && told == 60, "{holds} of {told}");
}

/// It remembers for 400 s, 40,000 arrivals: the budget takes five starts beyond that, or one, or none.
#[test]
fn a_budget_is_spent_on_as_many_starts_as_it_takes_beyond_their_warm_up() {
    let (holds, told) = held(1000.0, 20, |seed| report(&queue(99.0, seed), 500_000));
    assert!(holds >= 15 && told == 20, "{holds} of {told}");
    for (budget, least_s, most_s) in [(500_000, 150.0, 1500.0), (150_000, 20.0, 500.0), (20_000, 20.0, 110.0)] {
        let found = report(&queue(99.0, 1), budget);
        let told = found.response.mean_ms.ci95;
        assert!(found.truncated && found.replications < 8, "{budget}: {} starts", found.replications);
        assert_eq!(told.is_some(), budget == 500_000, "{budget}: {told:?}");
        assert!((least_s..most_s).contains(&found.simulated_s), "{budget}: {} s looked at", found.simulated_s);
        assert_eq!(found.warmup_s >= 398.0, budget > 20_000, "{budget}: {} s cut off", found.warmup_s);
    }
}

/// Before all sessions have started those that have have less to wait for: nothing of that time is looked at.
#[test]
fn a_budget_that_ends_soon_after_all_have_started_tells_nothing_of_before() {
    let (holds, told) = held(20_000.0, 20, |seed| report(&crowd(2000, 5.0, seed), 30_000));
    assert!(holds >= 17 && told == 20, "{holds} of {told}");
    let early = report(&crowd(2000, 5.0, 1), 1500);
    assert!(early.truncated && early.response.mean_ms.ci95.is_none(), "{:?}", early.response.mean_ms);
}

/// However a budget ends: an interval is only of what came after the beginning.
#[test]
fn what_has_an_interval_has_left_the_beginning_behind() {
    let mut vague = 0;
    for budget in (1..40).map(|step| 1000 * step) {
        for (config, least_s) in [(crowd(2000, 5.0, budget), 5.0), (queue(99.0, budget), 398.0)] {
            let found = report(&config, budget);
            let is_sure = found.response.mean_ms.ci95.is_some();
            assert!(!is_sure || found.warmup_s >= least_s, "{budget}: {} s of {least_s}", found.warmup_s);
            vague += u32::from(!is_sure);
        }
    }
    assert!(vague > 40, "{vague}");
}
