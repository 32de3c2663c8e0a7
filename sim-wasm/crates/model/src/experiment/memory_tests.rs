//! What an experiment holds, counted in bytes: four hosts with eight kinds of process and twelve events each, all in
//! use.
use super::*;
use crate::config::{Arrivals, InstanceConfig};
use crate::measure::events::COUNT;
use crate::testing::{hogs, node};
use wwi_kernel::rng::Stream;

const HOSTS: usize = 4;
const KINDS: usize = 8;
const EVENTS: usize = 12;
const STARTS: usize = 64;
/// Stays of each distribution in one start, eight million in all: about as many as eight million events end.
const STAYS: usize = 300;

/// As many accounting groups as have the distributions of so many kinds and events, with a response each.
fn config() -> Config {
    let distributions = HOSTS * KINDS * (EVENTS + 1);
    let groups = distributions.div_ceil(COUNT + 1);
    let idle = Arrivals::Closed { sessions: 0, think: Ns::ZERO, start_spread: Ns::ZERO };
    let mut instance = hogs(0);
    instance.workload.arrivals = idle;
    let on = |at: usize| InstanceConfig { node: at % HOSTS, ..instance.clone() };
    let instances: Vec<InstanceConfig> = (0..groups - 2 * HOSTS).map(on).collect();
    let config = Config { nodes: vec![node(); HOSTS], instances, cluster: None, seed: 1 };
    assert!(config.groups().len() * (COUNT + 1) >= distributions);
    config
}

/// So many stays of every distribution: exponential, of means from 10 us to 1 s.
fn live(replication: &mut Replication, stays: usize, stream: &mut Stream) {
    for (at, group) in replication.world.accounts.groups.iter_mut().enumerate() {
        for (of, distribution) in group.distributions().enumerate() {
            let mean = 1e4 * 10f64.powi(((at + of) % 6) as i32);
            (0..stays).for_each(|_| distribution.record(Ns((stream.exponential() * mean) as u64)));
        }
    }
}

/// Goes on to the horizon by turns, all in use; returns the most that is held at any moment between turns \[bytes\].
fn run(experiment: &mut Experiment, streams: &mut [Stream], stays: &mut [usize], most: usize) -> usize {
    let mut held = 0;
    while let Some(index) = experiment.behind() {
        let edge = experiment.replications[index].rows.len() + 1;
        let due = (most * edge / experiment.edges).saturating_sub(stays[index]);
        live(&mut experiment.replications[index], due, &mut streams[index]);
        stays[index] += due;
        experiment.step(index, u64::MAX);
        if (edge + index).is_multiple_of(8) {
            held = held.max(experiment.heap_bytes());
        }
    }
    held
}

#[test]
fn four_hosts_of_eight_kinds_and_twelve_events_in_64_starts_take_less_than_100_mb() {
    let config = config();
    let goal = Goal {
        precision: 0.01,
        max_events: u64::MAX,
        record: 0,
        figures: Figures::ThroughputAndResponse,
        coarse: false,
    };
    let mut experiment = Experiment::planned(&config, goal, Plan { starts: STARTS, horizon: Ns::from_s(128.0) });
    experiment.replications = (0..STARTS as u32).map(|number| Replication::new(&config, number, 0, &[])).collect();
    let mut streams: Vec<Stream> = (0..STARTS as u32).map(|r| Stream::new(1, r, "test", 0, "stays")).collect();
    let mut stays = vec![0; STARTS];
    let first = run(&mut experiment, &mut streams, &mut stays, STAYS / 2);
    experiment.judge(0);
    let looked = experiment.heap_bytes();
    experiment.longer(2.0);
    let second = run(&mut experiment, &mut streams, &mut stays, STAYS);
    experiment.judge(0);
    let end = experiment.heap_bytes();
    let sum = &experiment.assessment.as_ref().expect("it was looked at").sum;
    let each = STARTS * STAYS;
    assert!(sum.groups.iter().flat_map(|g| g.stays.iter()).all(|d| d.count() as usize > each / 3), "all are in use");
    assert!([first, looked, second, end].iter().all(|&bytes| bytes < 100_000_000), "{first} {looked} {second} {end}");
}
