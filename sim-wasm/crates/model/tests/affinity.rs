//! Hard and soft affinity on two sockets: what each may and may not do.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::Recorder;
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, hogs, node, one};
use wwi_model::world::World;

/// Two sockets of four cores with two threads: threads 0 to 7 and 8 to 15.
fn two_sockets() -> NodeConfig {
    NodeConfig { sockets: 2, threads_per_core: 2, smt_yield: vec![1.0, 1.3], interrupts: Interrupts::Any, ..node() }
}

fn first_socket() -> CpuSet {
    CpuSet((0..8).collect())
}

/// Short transactions with short pauses.
fn users(sessions: u32, affinity: Affinity) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.demand = Demand { mean: Ns::from_ms(2.0), shape: DemandShape::Exponential };
    instance.workload.arrivals =
        Arrivals::Closed { sessions, think: Ns::from_ms(1.0), start_spread: Ns::from_ms(10.0) };
    InstanceConfig { affinity, ..instance }
}

/// Share of the busy time that was spent on the first socket in the second second.
fn share_at_home(config: &Config) -> f64 {
    let mut world = World::new(config, 0);
    let mut busy = |until: f64| {
        world.run(Ns::from_s(until), u64::MAX);
        world.cut();
        let of = |threads: std::ops::Range<usize>| world.accounts.threads[threads].iter().map(|t| t.0).sum::<u64>();
        (of(0..8) as f64, of(8..16) as f64)
    };
    let (first, second) = (busy(1.0), busy(2.0));
    let (home, away) = (second.0 - first.0, second.1 - first.1);
    home / (home + away)
}

#[test]
fn with_idle_preferred_cpus_nobody_leaves() {
    // A busy neighbour keeps the first thread of the other socket in use, so that the preferred ones are never called
    // crowded. Two: of four, balancing would move some by force, for it knows the allowed threads alone.
    let mut config = one(two_sockets(), users(2, Affinity::Soft(first_socket())));
    let mut neighbour = hogs(1);
    neighbour.affinity = Affinity::Hard(CpuSet(vec![8]));
    config.instances.push(neighbour);
    let mut world = World::new(&config, 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(2.0), u64::MAX);
    let stays: Vec<_> =
        world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.activity == Activity::RUNNING).collect();
    assert!(stays.len() > 1000);
    assert!(stays.iter().all(|s| s.thread.0 < 8), "a user left its socket");
}

#[test]
fn with_full_preferred_cpus_and_idle_others_idle_threads_pull_even_at_250_to_1() {
    let hungry = |affinity| InstanceConfig { affinity, ..hogs(24) };
    let mut config = one(two_sockets(), hungry(Affinity::Soft(first_socket())));
    config.nodes[0].soft_tunables = (4, 1000);
    let soft = share_at_home(&config);
    assert!(soft < 0.6, "24 hogs on 16 threads stay on 8 of them: {soft}");
    config.instances[0].affinity = Affinity::Hard(first_socket());
    assert_eq!(share_at_home(&config), 1.0, "hard affinity is not left");
}

fn report(config: &Config) -> Report {
    finish(config, goal(0.02, 2_000_000))
}

#[test]
fn affinity_that_is_configured_but_allows_everything_costs_nothing() {
    let all = || CpuSet((0..16).collect());
    for sessions in [4, 12, 40] {
        let free = report(&one(two_sockets(), users(sessions, Affinity::None)));
        for affinity in [Affinity::Soft(all()), Affinity::Hard(all())] {
            let bound = report(&one(two_sockets(), users(sessions, affinity.clone())));
            assert!(bound == free, "{sessions} users, {affinity:?}");
        }
    }
}

#[test]
fn a_kind_bound_to_two_threads_stays_there() {
    let mut config = one(two_sockets(), users(6, Affinity::None));
    config.instances[0].session_kind.cpus = Some(CpuSet(vec![3, 12]));
    let mut world = World::new(&config, 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(1.0), u64::MAX);
    let mut used: Vec<u16> = world
        .recorder
        .iter()
        .flat_map(|r| r.stays())
        .filter(|s| s.activity == Activity::RUNNING)
        .map(|s| s.thread.0)
        .collect();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used, [3, 12]);
}

/// Who waits is counted by mask: idle threads go by that, and look at no queue from which they may take nobody.
#[test]
fn who_waits_is_counted_by_where_he_may_run() {
    let mut config = one(two_sockets(), users(9, Affinity::Hard(CpuSet(vec![0, 1]))));
    config.instances.push(users(20, Affinity::None));
    config.instances.push(InstanceConfig { affinity: Affinity::Soft(first_socket()), ..hogs(3) });
    // Visitors are bound after others have begun to wait.
    let mut visitors = users(0, Affinity::Hard(CpuSet(vec![5])));
    visitors.workload.arrivals = Arrivals::Open { per_s: 700.0 };
    for instances in [config.instances, vec![hogs(40), visitors]] {
        let mut world = World::new(&Config { nodes: vec![two_sockets()], instances, cluster: None, seed: 7 }, 0);
        let mut seen = 0;
        for look in 1..2000u64 {
            world.run(Ns(look * 777_000), u64::MAX);
            let host = &world.hosts[0];
            let mut counted = vec![0; host.masks.all().count()];
            let waiting = world.processes.iter().enumerate().filter(|p| p.1.activity == Activity::RUN_QUEUE);
            waiting.for_each(|(pid, _)| counted[host.masks.number(wwi_model::ids::Pid(pid as u32))] += 1);
            assert_eq!(counted.iter().sum::<u32>(), host.ready);
            if !host.masks.is_free() {
                assert_eq!(counted, host.ready_by_mask);
                seen += u32::from(counted.iter().filter(|&&n| n > 0).count() > 1);
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
