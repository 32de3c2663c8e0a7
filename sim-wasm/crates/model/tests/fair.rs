//! Slices and shares of CFS and EEVDF.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::cfs::Cfs;
use wwi_model::host::policy::{Ended, Next, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::Recorder;
use wwi_model::testing::{finish, goal, hogs, node, one, ordinary, window};
use wwi_model::world::World;

fn eight_cpus(scheduler: Scheduler) -> NodeConfig {
    NodeConfig { cores_per_socket: 8, scheduler, ..node() }
}

/// Eight CPUs; `crowd` hogs that share one thread with nobody else on the others would need pinning, so every thread
/// gets `crowd` hogs. The commonest length of a stay \[ms\].
fn slice_ms(node: NodeConfig, crowd: u32) -> f64 {
    let mut config = one(node, hogs(8 * crowd));
    config.instances[0].workload.demand.mean = Ns::from_s(1000.0);
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(5.0), u64::MAX);
    world.recorder = Some(Recorder::new(100_000, world.now));
    world.run(Ns::from_s(15.0), u64::MAX);
    let mut lengths: Vec<u64> = world
        .recorder
        .iter()
        .flat_map(|r| r.stays())
        .filter(|s| s.activity == Activity::RUNNING)
        .map(|s| (s.end - s.start).0)
        .collect();
    // The first stay of each thread began before the recording.
    lengths.drain(..8);
    lengths.sort();
    lengths[lengths.len() / 2] as f64 / 1e6
}

#[test]
fn cfs_slices_are_the_latency_shared_out_and_never_below_the_granularity() {
    // 12, 6, 4.8 and 3 ms, each to the first tick after it: `delta_exec > ideal_runtime` (`check_preempt_tick`).
    for (sessions, slice) in [(2, 13.0), (4, 7.0), (5, 5.0), (9, 4.0)] {
        assert_eq!(slice_ms(eight_cpus(Scheduler::Cfs), sessions), slice, "{sessions}");
    }
    assert_eq!(slice_ms(NodeConfig { tick_hz: 250, ..eight_cpus(Scheduler::Cfs) }, 2), 16.0);
}

/// `sched_slice` since 5.13: "if (sched_feat(BASE_SLICE)) slice = max(slice, min_gran)"; 1024 and 15 share 6 ms.
#[test]
fn who_weighs_little_runs_for_the_minimum_granularity_since_5_13() {
    for (balance_generation, until) in [(BalanceGeneration::Linux66, 10.0), (BalanceGeneration::Linux316, 7.0)] {
        let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Cfs, balance_generation, ..node() };
        let tunables = CfsTunables { min_granularity: Ns::from_ms(3.0), ..host.cfs };
        let mut cfs = Cfs::new(&NodeConfig { cfs: tunables, ..host });
        for (pid, nice) in [(Pid(0), 0), (Pid(1), 19)] {
            cfs.admit(pid, &KindConfig { nice, ..ordinary() });
            cfs.wake(0, pid, Ns::ZERO);
        }
        assert_eq!(cfs.turn(0, None, Ns::ZERO), Some(Next { pid: Pid(0), until: Ns::from_ms(6.0) }));
        let ended = Ended { pid: Pid(0), why: Why::SliceExpired };
        let next = cfs.turn(0, Some(ended), Ns::from_ms(6.0));
        assert_eq!(next, Some(Next { pid: Pid(1), until: Ns::from_ms(until) }), "{balance_generation:?}");
    }
}

#[test]
fn a_slice_counts_from_pick_to_pick_with_the_cost_of_the_switch_inside() {
    let costly =
        NodeConfig { switch_direct: Ns::from_us(2.0), switch_refill: Ns::from_us(800.0), ..eight_cpus(Scheduler::Cfs) };
    assert_eq!(slice_ms(costly, 2), 13.0);
}

#[test]
fn an_eevdf_request_of_2_8_ms_ends_on_the_next_tick() {
    assert_eq!(slice_ms(eight_cpus(Scheduler::Eevdf), 2), 3.0);
    assert_eq!(slice_ms(NodeConfig { tick_hz: 250, ..eight_cpus(Scheduler::Eevdf) }, 2), 4.0);
}

/// "tasks will get an extra tick because the tick often arrives a little faster than expected": 2ae891b82695.
#[test]
fn an_eevdf_request_of_whole_ticks_lasts_one_more() {
    let host = NodeConfig { eevdf_base_slice: Ns::from_ms(0.75), ..eight_cpus(Scheduler::Eevdf) };
    assert_eq!(slice_ms(host, 2), 4.0);
}

#[test]
fn nice_0_against_nice_5_shares_1024_to_335() {
    for scheduler in [Scheduler::Cfs, Scheduler::Eevdf] {
        let mut host = NodeConfig { cores_per_socket: 1, scheduler, ..node() };
        host.background = Background {
            processes: 1,
            busy: Ns::from_s(1000.0),
            sleep: Ns::ZERO,
            kind: KindConfig { nice: 5, ..ordinary() },
        };
        let mut instance = hogs(1);
        instance.workload.demand.mean = Ns::from_s(1000.0);
        let after = window(&mut World::new(&one(host, instance), 0), Ns::from_s(1000.0), Ns::from_s(3000.0));
        let time = |g: usize| after.groups[g].time[Activity::RUNNING.i()] as f64;
        let ratio = time(0) / time(1);
        assert!((ratio / (1024.0 / 335.0) - 1.0).abs() < 0.01, "{scheduler:?}: {ratio}");
    }
}

/// CFS, and EEVDF of both generations.
fn fair_hosts() -> [NodeConfig; 3] {
    let host = NodeConfig { cores_per_socket: 1, ..node() };
    let eevdf = |eevdf_generation| NodeConfig { scheduler: Scheduler::Eevdf, eevdf_generation, ..host.clone() };
    [host.clone(), eevdf(EevdfGeneration::Linux66), eevdf(EevdfGeneration::Linux612)]
}

#[test]
fn a_short_sleeper_pre_empts_a_hog() {
    // Every 20 ms it wants 0.1 ms where its fair share is 10: it is owed time whenever it wakes, and the hog is ahead
    // of the average.
    for mut host in fair_hosts() {
        let kind = KindConfig { nice: 0, ..ordinary() };
        host.background = Background { processes: 1, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind };
        let of = format!("{:?} {:?}", host.scheduler, host.eevdf_generation);
        let mut instance = hogs(1);
        instance.workload.demand.mean = Ns::from_us(100.0);
        instance.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::from_ms(20.0), start_spread: Ns::ZERO };
        let mut world = World::new(&one(host, instance), 0);
        world.run(Ns::from_s(100.0), u64::MAX);
        let delay = &world.accounts.groups[0].stays[Activity::RUN_QUEUE.i()];
        assert!(delay.quantile(0.5) < 0.01e6, "{of}: {} ms", delay.quantile(0.5) / 1e6);
    }
}

#[test]
fn a_server_at_nice_minus_20_hardly_feels_a_hog() {
    // Alone it is an M/D/1 queue, 500 requests a second of 1 ms: D + rho D / (2 (1 - rho)) = 1.5 ms (Pollaczek and
    // Khinchine).
    for mut host in fair_hosts() {
        host.service = Some(ServiceConfig {
            servers: 1,
            arrivals: ServiceArrivals::Poisson,
            per_s: 500.0,
            demand: Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Constant },
            kind: KindConfig { nice: -20, ..ordinary() },
        });
        let of = format!("{:?} {:?}", host.scheduler, host.eevdf_generation);
        let mean = finish(&one(host, hogs(1)), goal(0.02, 5_000_000)).services[0].response.mean_ms.mean;
        assert!((mean / 1.5 - 1.0).abs() < 0.15, "{of}: {mean} ms");
    }
}

#[test]
fn under_6_12_who_is_woken_while_it_is_still_queued_goes_on_there_though_others_idle() {
    let generation = EevdfGeneration::Linux612;
    let host = NodeConfig { scheduler: Scheduler::Eevdf, eevdf_generation: generation, ..node() };
    let mut instance = hogs(6);
    instance.workload.demand = Demand { mean: Ns::from_ms(3.0), shape: DemandShape::Exponential };
    instance.workload.arrivals =
        Arrivals::Closed { sessions: 6, think: Ns::from_ms(1.0), start_spread: Ns::from_ms(10.0) };
    let mut world = World::new(&one(host, instance), 0);
    let (mut at_once, mut others_idle) = (0, 0);
    for _ in 0..500_000 {
        let kept: Vec<_> = (0..6).map(|pid| world.hosts[0].policy.kept(Pid(pid))).collect();
        let idle = world.hosts[0].idle.count();
        world.run(Ns::MAX, 1);
        for (pid, thread) in kept.into_iter().enumerate() {
            let process = &world.processes[pid];
            if let (Some(thread), Activity::RUNNING) = (thread, process.activity) {
                assert_eq!(usize::from(process.last.0), thread, "at {:?}", world.now);
                at_once += 1;
                others_idle += u32::from(idle > 0);
            }
        }
    }
    assert!(at_once > 100 && others_idle > 20, "{at_once}, {others_idle} of them with an idle thread");
}

#[test]
fn an_idle_thread_pulls_and_no_thread_idles_while_others_queue() {
    for scheduler in [Scheduler::Cfs, Scheduler::Eevdf] {
        let mut config = one(eight_cpus(scheduler), hogs(12));
        config.instances[0].workload.arrivals =
            Arrivals::Closed { sessions: 12, think: Ns::from_ms(30.0), start_spread: Ns::from_s(1.0) };
        config.instances[0].workload.demand = Demand { mean: Ns::from_ms(60.0), shape: DemandShape::Exponential };
        let mut world = World::new(&config, 0);
        let (mut lost, mut looks) = (0, 0);
        for step in 1..20_000u64 {
            world.run(Ns(step * 997_000), u64::MAX);
            let host = &world.hosts[0];
            looks += u32::from(host.ready > 0);
            lost += u32::from(host.ready > 0 && host.idle.count() > 0);
        }
        assert!(looks > 2000 && f64::from(lost) < 0.02 * f64::from(looks), "{scheduler:?}: {lost} of {looks}");
    }
}
