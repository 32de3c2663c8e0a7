//! What a move costs, and what moves: refills by how far a process comes from, and the odd process that goes round.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::ids::{Pid, ThreadId};
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::{Recorder, Stay};
use wwi_model::testing::{hogs, node, one, window};
use wwi_model::world::World;

/// Each stay begins with the cost of its switch: by whether another ran on the thread since, and by how far the process
/// comes from.
#[test]
fn a_switch_costs_by_how_far_the_process_comes_from() {
    let host = NodeConfig {
        sockets: 2,
        cores_per_socket: 2,
        threads_per_core: 2,
        scheduler: Scheduler::RoundRobin,
        round_robin_quantum: Ns::from_ms(10.0),
        switch_direct: Ns::from_us(1.0),
        switch_refill: Ns::from_us(10.0),
        migration_refill: Ns::from_us(100.0),
        socket_refill: Ns::from_us(1000.0),
        ..node()
    };
    let mut instance = hogs(11);
    instance.workload.demand = Demand { mean: Ns::from_ms(7.0), shape: DemandShape::Exponential };
    instance.workload.arrivals =
        Arrivals::Closed { sessions: 11, think: Ns::from_ms(3.0), start_spread: Ns::from_ms(10.0) };
    let mut world = World::new(&one(host, instance), 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(20.0), u64::MAX);
    let mut stays: Vec<Stay> =
        world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.activity == Activity::RUNNING).copied().collect();
    stays.sort_by_key(|s| s.start);
    let (mut last_thread, mut last_pid) = (vec![ThreadId::NONE; 11], [Pid::NONE; 8]);
    let mut kinds = [0; 5];
    for stay in &stays {
        let (from, to) = (last_thread[stay.pid.i()], stay.thread);
        let (kind, further) = match () {
            () if last_pid[to.i()] == stay.pid => (0, 0),
            () if from == ThreadId::NONE || from == to => (1, 11),
            () if from.i() / 2 == to.i() / 2 => (2, 11),
            () if from.i() / 4 == to.i() / 4 => (3, 111),
            () => (4, 1011),
        };
        let paid = Ns(further * 1000).min(stay.end - stay.start);
        assert_eq!(stay.lost, paid, "kind {kind}, from {from:?} to {to:?} at {:?}", stay.start);
        kinds[kind] += 1;
        (last_thread[stay.pid.i()], last_pid[to.i()]) = (to, stay.pid);
    }
    assert!(kinds.iter().all(|&n| n > 50), "{kinds:?}");
}

/// Three hogs on two CPUs cannot be levelled; the kernel lets the odd one go round, so each has two thirds of a CPU.
#[test]
fn the_odd_process_goes_round() {
    let mut config = one(NodeConfig { cores_per_socket: 2, ..node() }, hogs(1));
    config.instances = vec![hogs(1), hogs(1), hogs(1)];
    let sums = window(&mut World::new(&config, 0), Ns::from_s(2.0), Ns::from_s(202.0));
    for group in &sums.groups[..3] {
        let share = group.time[Activity::RUNNING.i()] as f64 / 200e9;
        assert!((share / (2.0 / 3.0) - 1.0).abs() < 0.05, "{share}");
    }
}
