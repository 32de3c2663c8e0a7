//! Hosts that nothing couples: each goes through the same moments whether the others work or idle.
mod random_hosts;

use random_hosts::{random, several, Draw};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::experiment::Goal;
use wwi_model::measure::accounts::Group;
use wwi_model::testing::{finish, goal, SCHEDULERS};
use wwi_model::world::World;

/// A moment \[ns\] that meets no period of anything.
const MOMENT: Ns = Ns(1_731_000_001);

/// So many hosts of unlike policies and loads, each with an instance or two; the instances in any order.
fn unlike(count: u64, seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", count, "nodes"));
    let policy = |at: u64| SCHEDULERS[((seed + 3 * at) % SCHEDULERS.len() as u64) as usize];
    let mut nodes: Vec<NodeConfig> = (0..count).map(|at| draw.host(policy(at))).collect();
    let mut instances = Vec::new();
    for (at, host) in nodes.iter_mut().enumerate() {
        host.background.processes += at as u32;
        for _ in 0..1 + draw.below(2) {
            let mut instance = InstanceConfig { node: at, ..draw.instance(host) };
            if draw.one_in(4) {
                instance.cage = None;
                instance.workload.arrivals = Arrivals::Open { per_s: 5.0 + draw.below(20) as f64 };
            }
            instances.push(instance);
        }
    }
    if draw.one_in(2) {
        instances.reverse();
    }
    Config { nodes, instances, cluster: None, seed }
}

/// The same with nothing to do on every host but one: no sessions, no background, no server.
fn alone(config: &Config, node: usize) -> Config {
    let mut alone = config.clone();
    for instance in alone.instances.iter_mut().filter(|instance| instance.node != node) {
        instance.workload.arrivals = Arrivals::Closed { sessions: 0, think: Ns::ZERO, start_spread: Ns::ZERO };
    }
    for (_, host) in alone.nodes.iter_mut().enumerate().filter(|(at, _)| *at != node) {
        host.background.processes = 0;
        host.service = None;
    }
    alone
}

/// Every sum of a host at one moment, in words: its groups, itself, its threads, the cages on it.
fn sums(world: &World, node: usize) -> Vec<String> {
    let (config, accounts) = (&world.config, &world.accounts);
    let here: Vec<usize> = (0..config.instances.len()).filter(|&i| config.instances[i].node == node).collect();
    let groups = here.iter().copied().chain([config.background_group(node), config.service_group(node)]);
    let host = &world.hosts[node];
    let threads = host.base as usize..(host.base + host.threads) as usize;
    let mut sums: Vec<String> = groups.flat_map(|group| of_group(&accounts.groups[group])).collect();
    sums.push(format!("{:?}", accounts.hosts[node]));
    sums.push(format!("{:?}", &accounts.threads[threads]));
    sums.extend(here.iter().map(|&instance| format!("{:?}", accounts.cages[instance])));
    sums
}

/// The sums of a group, its distributions apart from the rest, by what they hold and a digest.
fn of_group(group: &Group) -> Vec<String> {
    let mut plain = group.clone();
    let stays = std::mem::take(&mut plain.stays);
    let response = std::mem::take(&mut plain.response);
    let mut sums = vec![format!("{plain:?}")];
    for (at, distribution) in stays.iter().chain([&response]).enumerate() {
        let whole = format!("{distribution:?}");
        let digest = whole.bytes().fold(7u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(byte)));
        sums.push(format!("distribution {at}: {} of digest {digest}", distribution.count()));
    }
    sums
}

fn run(config: &Config, replication: u32) -> World {
    let mut world = World::new(config, replication);
    world.run(MOMENT, u64::MAX);
    world.cut();
    world
}

/// Busy time of a host \[ns\].
fn busy(world: &World, node: usize) -> u64 {
    let host = &world.hosts[node];
    let threads = host.base as usize..(host.base + host.threads) as usize;
    world.accounts.threads[threads].iter().map(|thread| thread.0).sum()
}

fn is_alike(one: &World, other: &World, node: usize, name: &str) {
    for (at, (one, other)) in sums(one, node).iter().zip(&sums(other, node)).enumerate() {
        assert_eq!(one, other, "sum {at} of host {node} of {name}");
    }
}

/// Each host of a configuration has the sums that it has alone.
fn compare(config: &Config, name: &str) {
    let replication = config.seed as u32 % 3;
    let together = run(config, replication);
    for node in 0..config.nodes.len() {
        let lone = run(&alone(config, node), replication);
        assert!(busy(&lone, node) > 0, "host {node} of {name}: nothing ran");
        let others = (0..config.nodes.len()).filter(|&other| other != node);
        assert_eq!(others.map(|other| busy(&lone, other)).sum::<u64>(), 0, "the others of {name} idle");
        is_alike(&together, &lone, node, name);
    }
}

#[test]
fn each_of_two_hosts_does_what_it_does_alone() {
    (0..60).for_each(|seed| compare(&unlike(2, seed), &format!("two hosts {seed}")));
}

#[test]
fn each_of_three_hosts_does_what_it_does_alone() {
    (0..60).for_each(|seed| compare(&unlike(3, seed), &format!("three hosts {seed}")));
    (0..40).for_each(|seed| compare(&several(seed), &format!("several hosts {seed}")));
}

#[test]
fn an_idle_host_beside_it_changes_nothing() {
    for seed in 0..40 {
        let config = random(seed);
        let own = run(&config, 0);
        let mut beside = config.clone();
        let idle = NodeConfig { service: None, ..wwi_model::testing::node() };
        beside.nodes.push(idle);
        is_alike(&own, &run(&beside, 0), 0, &format!("host {seed}"));
    }
}

/// Sessions of one host may be in a class of their own, those of each instance in another.
#[test]
fn sessions_of_two_instances_on_one_host_have_classes_of_their_own() {
    let mut draw = Draw(Stream::new(1, 0, "test", 9, "nodes"));
    let host = NodeConfig {
        sockets: 1,
        cores_per_socket: 1,
        threads_per_core: 1,
        switch_refill: Ns::ZERO,
        switch_direct: Ns::ZERO,
        turbo_one_core: 1.0,
        rt_runtime: None,
        service: None,
        background: wwi_model::testing::node().background,
        ..draw.host(Scheduler::Cfs)
    };
    let mut instances = vec![wwi_model::testing::hogs(2), wwi_model::testing::hogs(2)];
    for instance in &mut instances {
        instance.workload.arrivals = Arrivals::Closed { sessions: 2, think: Ns::ZERO, start_spread: Ns::ZERO };
    }
    let config = Config { nodes: vec![host.clone()], instances: instances.clone(), cluster: None, seed: 3 };
    let share = |config: &Config| {
        let world = run(config, 0);
        let running =
            |group: usize| world.accounts.groups[group].time[wwi_model::measure::events::Activity::RUNNING.i()];
        running(1) as f64 / (running(0) + running(1)) as f64
    };
    assert!((share(&config) - 0.5).abs() < 0.02, "{}", share(&config));
    // Real time without a limit: the other instance never runs.
    instances[1].session_kind = KindConfig { class: Class::Fifo, ..wwi_model::testing::ordinary() };
    let config = Config { nodes: vec![host], instances, cluster: None, seed: 3 };
    assert!(run(&config, 0).processes.iter().all(|p| p.is_real_time == (p.instance == 1)));
    assert_eq!(share(&config), 1.0);
}

/// Five sessions on the second host and three on the first never think: so many are active there at every moment, and
/// every recorded stay of each is on a thread of its host.
#[test]
fn active_sessions_and_recorded_processes_are_told_by_host() {
    let hogs = |sessions: u32, node: usize| {
        let mut instance = InstanceConfig { node, ..wwi_model::testing::hogs(sessions) };
        instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
        instance
    };
    let node = wwi_model::testing::node;
    let config =
        Config { nodes: vec![node(), node()], instances: vec![hogs(5, 1), hogs(3, 0)], cluster: None, seed: 4 };
    let report = finish(&config, Goal { record: 100_000, coarse: true, ..goal(0.05, 200_000) });
    assert_eq!(report.series.nodes.len(), 2);
    // They start together within a response.
    let begun = (0.13 / report.series.bucket_s) as usize;
    for (classes, sessions) in report.series.nodes.iter().zip([3.0, 5.0]) {
        assert!(classes[0].1.len() > 2 * begun);
        for bucket in begun..classes[0].1.len() {
            let active: f64 = classes.iter().map(|(_, values)| values[bucket]).sum();
            assert!((active - sessions).abs() < 1e-6, "bucket {bucket}: {active} of {sessions}");
        }
    }
    assert_eq!(report.timeline.nodes, [1, 1, 1, 1, 1, 0, 0, 0]);
    let first = report.nodes[0].threads;
    for stay in report.timeline.slices.iter().filter(|stay| stay.thread != u16::MAX) {
        let host = usize::from(u32::from(stay.thread) >= first);
        assert_eq!(host, report.timeline.nodes[stay.process as usize], "process {}", stay.process);
    }
}
