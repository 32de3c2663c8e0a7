//! Speed of the engine with all its accounting, beside a hand-written minimum of the same loop.

use criterion::{criterion_group, criterion_main, Criterion, Throughput};
use std::hint::black_box;
use std::time::Duration;
use wwi_model::config::Config;
use wwi_model::experiment::{Experiment, Goal};
use wwi_scenario::bench::{cluster, config, endless, yardstick, NAMES};

/// Events of one measurement.
const EVENTS: u64 = 2_000_000;

/// Runs to the event budget: the precision is never reached.
fn engine(config: &Config, events: u64) -> u64 {
    let goal = Goal { max_events: events, ..endless() };
    let mut experiment = Experiment::new(config, goal).without_ledger();
    while !experiment.advance(1_000_000).done {}
    experiment.progress().events
}

fn workloads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("events");
    group.sample_size(10).measurement_time(Duration::from_secs(3)).warm_up_time(Duration::from_millis(500));
    group.throughput(Throughput::Elements(EVENTS));
    for name in NAMES {
        if let Some((sessions, cpus)) = yardstick(name) {
            group.bench_function(name, |bencher| {
                bencher.iter(|| wwi_model::experiment::yardstick::round_robin(sessions, cpus, black_box(EVENTS), 42));
            });
        } else if let Some(config) = config(name) {
            group.bench_function(name, |bencher| bencher.iter(|| engine(&config, black_box(EVENTS))));
        }
    }
    group.finish();
    ratios();
    clusters();
    recording();
}

/// What keeping 131,072 stays costs: the two take turns, and the best of nine each counts.
fn recording() {
    for name in ["round-robin-32-on-8", "cfs-32-on-8"] {
        let Some(config) = config(name) else { continue };
        let mut best = [0f64; 2];
        for _ in 0..9 {
            for (rate, record) in best.iter_mut().zip([0, 131_072]) {
                let goal = Goal { max_events: 2 * EVENTS, record, ..endless() };
                let mut experiment = Experiment::new(&config, goal).without_ledger();
                let started = std::time::Instant::now();
                while !experiment.advance(1_000_000).done {}
                let events = experiment.progress().events as f64;
                *rate = rate.max(events / started.elapsed().as_secs_f64() / 1e6);
            }
        }
        let cost = 100.0 * (1.0 - best[1] / best[0]);
        println!("{name}: {:.1} M events/s, recording {:.1}: costs {cost:.1} %", best[0], best[1]);
    }
}

/// The engine's rate over that of the minimum, from the best of five turns each.
fn ratios() {
    for (name, shape) in [
        ("round-robin-32-on-8", "32-on-8"),
        ("round-robin-10000-on-128", "10000-on-128"),
        ("one-database-writer", "32-on-8"),
        ("eight-database-writers", "32-on-8"),
    ] {
        let best = |run: &dyn Fn() -> u64| {
            (0..5)
                .map(|_| {
                    let started = std::time::Instant::now();
                    let events = black_box(run());
                    events as f64 / started.elapsed().as_secs_f64() / 1e6
                })
                .fold(0.0, f64::max)
        };
        let minimum = yardstick(&format!("yardstick-{shape}"));
        let (Some(config), Some((sessions, cpus))) = (config(name), minimum) else { continue };
        let ours = best(&|| engine(&config, 2 * EVENTS));
        let minimum = best(&|| {
            black_box(wwi_model::experiment::yardstick::round_robin(sessions, cpus, 2 * EVENTS, 42));
            2 * EVENTS
        });
        let (ratio, cost) = (ours / minimum, minimum / ours);
        println!("{name}: {ours:.1} M events/s, minimum {minimum:.1}, ratio {ratio:.2}: {cost:.1} of its events each");
    }
}

/// Requests of a cluster: how many events each takes, with the transactions around it; what an event costs in events of
/// the minimum, and with 16 nodes over 2.
fn clusters() {
    let run = |nodes: usize| {
        let config = cluster(nodes)?;
        let mut best = (f64::INFINITY, 0.0, 0.0);
        for _ in 0..5 {
            let mut experiment = Experiment::new(&config, Goal { max_events: EVENTS, ..endless() }).without_ledger();
            let started = std::time::Instant::now();
            while !experiment.advance(1_000_000).done {}
            let (seconds, events) = (started.elapsed().as_secs_f64(), experiment.progress().events as f64);
            let report = experiment.report();
            let simulated = report.simulated_s + report.warmup_s * f64::from(report.replications);
            let requests: f64 = report.pairs.iter().map(|pair| pair.per_s.mean).sum();
            if seconds / events < best.0 {
                best = (seconds / events, events / simulated / requests, 10.0 * seconds / simulated);
            }
        }
        Some(best)
    };
    let started = std::time::Instant::now();
    black_box(wwi_model::experiment::yardstick::round_robin(32, 8, 2 * EVENTS, 42));
    let minimum = started.elapsed().as_secs_f64() / (2 * EVENTS) as f64;
    let (Some(two), Some(four), Some(sixteen)) = (run(2), run(4), run(16)) else { return };
    println!("cluster of 4: {:.1} events a request, {:.1} of the minimum's events each", four.1, four.0 / minimum);
    println!("cluster of 4: 10 s take {:.2} s; an event with 16 nodes {:.2} of one with 2", four.2, sixteen.0 / two.0);
}

criterion_group!(benches, workloads);
criterion_main!(benches);
