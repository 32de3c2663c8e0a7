//! What moves a process, when, and what it pays: one small host for each rule of docs/hosts.md 4 to 6, with all others
//! out of the way.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::balance::domains::Domains;
use wwi_model::host::balance::Balance;
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::{Recorder, Stay};
use wwi_model::testing::{hogs, node, one, ordinary};
use wwi_model::world::World;

fn run(config: &Config, replication: u32, until: Ns) -> World {
    run_world(World::new(config, replication), until)
}

fn run_world(mut world: World, until: Ns) -> World {
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    assert!(world.run(until, 3_000_000), "at {:?} after {} events", world.now, world.accounts.events);
    world.cut();
    world
}

fn stays(world: &World) -> Vec<Stay> {
    let stays: Vec<Stay> = world.recorder.iter().flat_map(|r| r.stays()).copied().collect();
    assert!(stays.len() < 1_000_000, "the picture is not whole");
    stays.into_iter().filter(|s| s.activity == Activity::RUNNING).collect()
}

/// Sessions that want `busy` each time, always the same, and think for an exponential time.
fn users(sessions: u32, busy: Ns, think: Ns) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.demand = Demand { mean: busy, shape: DemandShape::Constant };
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_ms(5.0) };
    instance
}

/// Hogs that start at once.
fn at_once(sessions: u32) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    instance
}

fn bound(mut instance: InstanceConfig, threads: &[u16]) -> InstanceConfig {
    instance.affinity = Affinity::Hard(CpuSet(threads.to_vec()));
    instance
}

/// A background process of thread `at` that wants `busy` and sleeps for `sleep`, both exponential.
fn background(at: u16, busy: Ns, sleep: Ns) -> Background {
    Background { processes: 1, busy, sleep, kind: KindConfig { cpus: Some(CpuSet(vec![at])), ..ordinary() } }
}

/// A world without balancing, in which nobody is ever cold enough to be pulled.
fn nobody_is_pulled(config: &Config) -> World {
    let mut config = config.clone();
    config.nodes[0].cfs.migration_cost = Ns::from_s(1e3);
    let mut world = World::new(&config, 0);
    world.hosts[0].balance = None;
    world
}

/// Direct cost and refill where a thread starts another process than its last; besides, the one refill for another core
/// of the socket, the other for another socket, and none for a sibling.
#[test]
fn each_move_is_charged_by_how_far_it_goes() {
    let host = NodeConfig {
        sockets: 2,
        cores_per_socket: 2,
        threads_per_core: 2,
        smt_yield: vec![1.0, 1.3],
        scheduler: Scheduler::Fifo,
        switch_direct: Ns::from_us(2.0),
        switch_refill: Ns::from_us(50.0),
        migration_refill: Ns::from_us(30.0),
        socket_refill: Ns::from_us(500.0),
        ..node()
    };
    let world = run(&one(host, users(14, Ns::from_ms(2.0), Ns::from_ms(2.0))), 0, Ns::from_s(3.0));
    let (mut of_thread, mut of_process) = (vec![None; 8], vec![None; 14]);
    let mut seen = [0; 5];
    let mut stays = stays(&world);
    stays.sort_by_key(|s| s.start);
    let mut owed = 0;
    for stay in &stays {
        let (thread, pid) = (stay.thread.0 as usize, stay.pid.i());
        let (before, last) = (of_thread[thread].replace(pid), of_process[pid].replace(thread));
        let Some(last) = last else { continue };
        let how_far = match last {
            _ if before == Some(pid) => 0,
            last if last == thread => 1,
            last if last / 2 == thread / 2 => 2,
            last if last / 4 == thread / 4 => 3,
            _ => 4,
        };
        let lost = [0, 52, 52, 82, 552][how_far] * 1_000;
        seen[how_far] += 1;
        owed += lost;
        assert_eq!(stay.lost.0, lost, "from {last} to {thread} after {before:?}");
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
    let sums = world.accounts.hosts[0];
    let first = 14 * 552_000;
    assert!((owed..=owed + first).contains(&sums.switch_cost), "{} against {owed}", sums.switch_cost);
}

/// When a hog that comes to two busy threads, one of them with a hog of its own, is first seen on the other one, after
/// its coming.
fn time_to_the_other_thread(cost_ms: f64, sleep_ms: f64, replication: u32) -> Ns {
    // On 64 threads queues are levelled for the first time after 1.024 s.
    let mut host = NodeConfig { cores_per_socket: 64, ..node() };
    host.cfs.migration_cost = Ns::from_ms(cost_ms);
    host.background = background(1, Ns::from_ms(1.0), Ns::from_ms(sleep_ms));
    let mut config = one(host, bound(at_once(1), &[0]));
    let mut comer = bound(hogs(1), &[0, 1]);
    let spread = Ns::from_ms(500.0);
    comer.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::ZERO, start_spread: spread };
    config.instances.push(comer);
    let world = run(&config, replication, Ns::from_ms(1_000.0));
    let all = world.recorder.iter().flat_map(|r| r.stays()).filter(|s| world.processes[s.pid.i()].instance == 1);
    let mut came = Ns::MAX;
    let mut there = Ns::MAX;
    for stay in all {
        if stay.activity != Activity::OFF {
            came = came.min(stay.start);
        }
        if stay.activity == Activity::RUNNING && stay.thread.0 == 1 {
            there = there.min(stay.start);
        }
    }
    if there == Ns::MAX {
        return there;
    }
    there - came
}

/// New-idle balance: a thread that is idle for 5 us at a time does not pull as it goes idle when migration costs 0.5
/// ms; 16 of 400 are there by chance. One that is idle for 5 ms at a time pulls at once, if the comer did not find it
/// idle: 384 of 400, give or take 4.
#[test]
fn a_thread_that_is_never_idle_for_long_does_not_pull_as_it_goes_idle() {
    for (cost_ms, sleep_ms, least, most) in [(0.5, 0.005, 0, 32), (0.5, 5.0, 368, 400)] {
        let soon = |r: &u32| time_to_the_other_thread(cost_ms, sleep_ms, *r) < Ns::from_ms(20.0);
        let found = (0..400).filter(soon).count();
        assert!((least..=most).contains(&found), "{found} of 400 within 20 ms at {cost_ms} and {sleep_ms} ms");
    }
}

/// CPU time \[s\] of instances of one hog each on two CPUs, in 100 s.
fn shares(hogs_of: usize) -> Vec<f64> {
    let host = NodeConfig { cores_per_socket: 2, ..node() };
    let mut config = one(host, hogs(1));
    config.instances = vec![hogs(1); hogs_of];
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(100.0), u64::MAX);
    world.cut();
    let groups = &world.accounts.groups[..hogs_of];
    groups.iter().map(|g| g.time[Activity::RUNNING.i()] as f64 / 1e9).collect()
}

/// Queues that differ by one cannot be level. By more than 17 % (2 to 1, 6 to 5) one process moves at every second
/// look, so that nobody keeps the shorter queue; by less (7 to 6) nobody moves.
#[test]
fn the_odd_process_goes_round_where_it_weighs_more_than_17_percent() {
    let even = shares(3);
    assert!(even.iter().all(|s| (s / (200.0 / 3.0) - 1.0).abs() < 0.01), "{even:?}");
    for (number, goes_round) in [(5, true), (11, true), (13, false), (17, false)] {
        let found = shares(number);
        // n share one CPU for 100 s, n + 1 the other one.
        let (few, many) = (100.0 / (number / 2) as f64, 100.0 / (number / 2 + 1) as f64);
        let keep = found.iter().filter(|&s| (s / few - 1.0).abs() < 0.02).count();
        let wait = found.iter().filter(|&s| (s / many - 1.0).abs() < 0.02).count();
        if goes_round {
            assert_eq!(keep, 0, "of {number}: {found:?}");
        } else {
            assert_eq!((keep, wait), (number / 2, number / 2 + 1), "of {number}: {found:?}");
        }
    }
}

/// Soft affinity: whose last thread is not among the wanted goes to the least loaded of those. Wanted are all allowed
/// threads if sched_preferred · util(x) > sched_allowed · util(y), else the preferred. Here x, the first preferred
/// thread, is busy more than half the time, and y, the first of the others, 0.3 to 0.9 of it.
#[test]
fn sched_preferred_weighs_the_preferred_and_sched_allowed_the_others() {
    let stayed_away = |tunables| {
        let host = NodeConfig {
            cores_per_socket: 8,
            soft_tunables: tunables,
            background: background(4, Ns::from_ms(0.3), Ns::from_ms(0.7)),
            ..node()
        };
        let mut load = users(7, Ns::from_ms(1.0), Ns::from_ms(0.5));
        load.affinity = Affinity::Soft(CpuSet(vec![0, 1, 2, 3]));
        let world = run_world(nobody_is_pulled(&one(host, load)), Ns::from_s(3.0));
        let (mut away, mut woken_away, mut still_away) = (vec![false; 8], 0, 0);
        let mut has_slept = [false; 8];
        for stay in world.recorder.iter().flat_map(|r| r.stays()) {
            let pid = stay.pid.i();
            if world.processes[pid].instance != 0 || stay.start < Ns::from_s(0.5) {
                continue;
            }
            match stay.activity {
                Activity::RUNNING => {
                    let is_away = stay.thread.0 >= 4;
                    woken_away += usize::from(has_slept[pid] && away[pid]);
                    still_away += usize::from(has_slept[pid] && away[pid] && is_away);
                    (away[pid], has_slept[pid]) = (is_away, false);
                }
                Activity::OFF => has_slept[pid] = true,
                _ => {}
            }
        }
        assert!(woken_away > 1_000, "{woken_away}");
        still_away as f64 / woken_away as f64
    };
    // 1 < 100 · 0.3 and 1 < 10 · 0.3; 100 · 0.5 > 0.9 and 10 · 0.5 > 0.9.
    let found = [(1, 100), (1, 10), (100, 1), (10, 1)].map(stayed_away);
    assert_eq!(found[..2], [0.0, 0.0], "back to the preferred: {found:?}");
    assert!(found[2] > 0.3 && found[3] > 0.3, "the last one if it is idle: {found:?}");
}

/// Where a woken process looks first (`wake_affine`): with interrupts on any thread it follows the waking one to the
/// other socket if its last thread has more to run than that one; with interrupts on the last thread it never leaves
/// its socket.
#[test]
fn a_woken_process_follows_the_waking_thread_only_where_that_has_less_to_run() {
    let moves = |interrupts, sessions, threads: &[u16]| {
        let host = NodeConfig { sockets: 2, cores_per_socket: 2, interrupts, ..node() };
        let mut config = one(host, users(sessions, Ns::from_ms(1.0), Ns::from_ms(1.0)));
        if !threads.is_empty() {
            config.instances.push(bound(hogs(threads.len() as u32), threads));
        }
        let mut world = nobody_is_pulled(&config);
        let mut until = |s: f64| {
            world.run(Ns::from_s(s), u64::MAX);
            world.accounts.groups[0].socket_migrations
        };
        let before = until(0.5);
        until(3.5) - before
    };
    let any = moves(Interrupts::Any, 6, &[]);
    assert!(any > 500, "six sessions on four threads: {any} moves in 3 s");
    assert_eq!(moves(Interrupts::Last, 6, &[]), 0);
    // Alone its last thread is idle, and it stays there wherever it is woken.
    assert_eq!(moves(Interrupts::Any, 1, &[]), 0);
}

/// Each attempt that finds balance forgets failures, and the next one comes after twice the shortest interval, 8 ms in
/// a domain of four CPUs. A busy CPU, 16 times less a tick, looked at ticks 63, 190 … 952, an idle one at 4 … 996.
#[test]
fn what_is_made_up_for_is_what_attempts_in_balance_would_have_left() {
    for (is_busy, last) in [(true, 952), (false, 996)] {
        let mut balance = Balance::new(Domains::new(4, 1, 4, 4, 1000), (Ns::ZERO, Ns::ZERO), || 0.0);
        balance.catch_up(0, |_| is_busy);
        let tried = balance.tried_mut(2, 0);
        (tried.failed, tried.interval, tried.last) = (3, 4, 0);
        balance.catch_up(1000, |_| is_busy);
        let tried = balance.tried(2, 0);
        assert_eq!((tried.failed, tried.interval, tried.last), (0, 8, last), "busy {is_busy}");
    }
}
