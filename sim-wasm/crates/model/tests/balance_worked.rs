//! Worked examples of balancing on Linux with fair queues: how soon who moves, and where that ends. Hosts of 1000 Hz,
//! without costs of switching or waking, 40 seeds.
mod balance_start;

use balance_start::{at_once, jobs, moves, placed, run};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::ids::Pid;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{hogs, node, one, ordinary};
use wwi_model::world::World;

const SEEDS: u32 = 40;
const FAIR: [Scheduler; 2] = [Scheduler::Cfs, Scheduler::Eevdf];

fn cores(cores: u32, threads: u32, scheduler: Scheduler) -> NodeConfig {
    NodeConfig { cores_per_socket: cores, threads_per_core: threads, smt_yield: vec![1.0, 1.3], scheduler, ..node() }
}

/// When the next process is moved, to the millisecond.
fn next_move(world: &mut World, until_ms: f64) -> f64 {
    let before = moves(world);
    let mut ms = world.now.as_ms().ceil();
    while ms < until_ms && moves(world) == before {
        ms += 1.0;
        run(world, ms);
    }
    if moves(world) == before {
        f64::INFINITY
    } else {
        ms
    }
}

fn range(found: &[f64]) -> (f64, f64, f64) {
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    (found.iter().copied().fold(f64::INFINITY, f64::min), mean, found.iter().copied().fold(0.0, f64::max))
}

/// By CPU: who runs or waits there.
fn queued(world: &World) -> Vec<Vec<Pid>> {
    let fair = world.hosts[0].policy.fair().expect("its queues are fair");
    let at = |cpu| {
        let mut all = Vec::new();
        fair.visit(cpu, &mut |one| all.push(one.pid));
        all
    };
    (0..world.threads.len()).map(at).collect()
}

fn counts(world: &World) -> Vec<usize> {
    queued(world).iter().map(Vec::len).collect()
}

/// Two of a core want to be moved as processes, of which one more than `cache_nice_tries` + 2 attempts have to fail.
#[test]
fn a_hog_leaves_its_sibling_for_an_idle_core_at_the_fourth_attempt() {
    for scheduler in FAIR {
        let first = |seed| {
            let mut world = placed(&one(cores(2, 2, scheduler), at_once(2)), seed, &[0, 1]);
            let first = next_move(&mut world, 100.0);
            run(&mut world, 1000.0);
            assert_eq!((moves(&world), counts(&world).iter().step_by(2).sum::<usize>() < 2), (1, true));
            first
        };
        let found: Vec<f64> = (0..SEEDS).map(first).collect();
        println!("{scheduler:?} siblings {:?}", range(&found));
        assert!(found.iter().all(|ms| (12.0..=21.0).contains(ms)), "{scheduler:?} {found:?}");
    }
}

/// A cure of a millisecond or two apart, ends as of processor sharing at 1.3 a core of two.
#[test]
fn five_jobs_on_three_cores_of_two_end_as_their_cores_free_up() {
    for scheduler in FAIR {
        for seed in 0..8 {
            let mut world = placed(&one(cores(3, 2, scheduler), jobs(5)), seed, &[0, 1, 2, 3, 4]);
            run(&mut world, 20_000.0);
            let mut ends: Vec<f64> = world.runs.sessions.iter().filter_map(|s| s.ends).map(Ns::as_s).collect();
            ends.sort_by(f64::total_cmp);
            println!("{scheduler:?} jobs {ends:?}");
            let expected = [10.00, 13.51, 13.51, 14.73, 14.73];
            assert!(ends.len() == 5 && ends.iter().zip(expected).all(|(a, b)| (a - b).abs() <= 0.02), "{ends:?}");
        }
    }
}

/// Two caches of four CPUs in a socket.
#[test]
fn five_of_one_cache_become_three_and_two() {
    for scheduler in FAIR {
        let mut firsts = Vec::new();
        let mut settled: f64 = 0.0;
        for seed in 0..SEEDS {
            let host = NodeConfig { cores_per_llc: 4, ..cores(8, 1, scheduler) };
            let mut world = placed(&one(host, at_once(5)), seed, &[0, 1, 2, 3, 0]);
            firsts.push(next_move(&mut world, 100.0));
            while counts(&world)[..4].iter().sum::<usize>() != 3 && world.now < Ns::from_ms(200.0) {
                let until = world.now.as_ms() + 1.0;
                run(&mut world, until);
            }
            settled = settled.max(world.now.as_ms());
            let before = moves(&world);
            run(&mut world, 2000.0);
            assert_eq!((moves(&world) - before, counts(&world)[4..].iter().sum::<usize>()), (0, 2), "{seed}");
        }
        let (_, mean, most) = range(&firsts);
        println!("{scheduler:?} caches {:?} settled {settled}", range(&firsts));
        assert!(most <= 33.0 && (7.0..=12.0).contains(&mean) && settled <= 70.0, "{scheduler:?} {settled} {firsts:?}");
    }
}

/// One more hog than CPUs comes while each has one.
#[test]
fn the_odd_one_goes_round_once_failures_have_made_it_small_enough() {
    for scheduler in FAIR {
        for (cpus, least, most) in [(4u16, 125.0, 257.0), (6, 285.0, 481.0)] {
            let first = |seed| {
                let mut config = one(cores(u32::from(cpus), 1, scheduler), at_once(u32::from(cpus)));
                config.instances.push(hogs(1));
                let last: Vec<u16> = (0..cpus).chain([0]).collect();
                let mut world = placed(&config, seed, &last);
                while counts(&world).iter().sum::<usize>() <= usize::from(cpus) {
                    let until = world.now.as_ms() + 1.0;
                    run(&mut world, until);
                }
                let came = world.now.as_ms();
                next_move(&mut world, came + 1000.0) - came
            };
            let found: Vec<f64> = (0..SEEDS).map(first).collect();
            println!("{scheduler:?} odd of {cpus} {:?}", range(&found));
            assert!(found.iter().all(|ms| (least..=most).contains(ms)), "{scheduler:?} {cpus} {found:?}");
        }
    }
}

/// It comes to a CPU with two of nice 0 while the other CPU has two. Both leave at the next attempt of the other CPU,
/// 63 ms later at most; unless one of them runs at that moment, who leaves at the one after, 31 ms later.
#[test]
fn who_weighs_as_much_as_nine_has_a_cpu_to_himself() {
    for scheduler in FAIR {
        let mut found = Vec::new();
        for seed in 0..SEEDS {
            let mut config = one(cores(2, 1, scheduler), at_once(4));
            let mut heavy = hogs(1);
            heavy.session_kind.nice = -10;
            config.instances.push(heavy);
            let mut world = placed(&config, seed, &[0, 1, 0, 1, 0]);
            let mut came = 0.0;
            let mut crowded = 0.0;
            for ms in 1..2000 {
                run(&mut world, f64::from(ms));
                let queued = queued(&world);
                if queued.concat().len() < 5 {
                    came = f64::from(ms);
                } else if !queued.iter().any(|cpu| cpu == &[Pid(4)]) {
                    crowded = f64::from(ms) - came;
                }
            }
            found.push(crowded);
            world.cut();
            let before = world.accounts.groups[0].time[Activity::RUNNING.i()];
            run(&mut world, 12_000.0);
            world.cut();
            let light = (world.accounts.groups[0].time[Activity::RUNNING.i()] - before) as f64 / 10e9;
            assert!((light - 1.0).abs() < 0.01, "{light}");
        }
        let soon = found.iter().filter(|&&ms| ms <= 66.0).count();
        println!("{scheduler:?} alone {:?}, {soon} within 66", range(&found));
        assert!(soon >= 30 && found.iter().all(|&ms| ms <= 96.0), "{scheduler:?} {found:?}");
    }
}

#[test]
fn hogs_leave_the_cpu_of_a_server_that_weighs_more() {
    for scheduler in FAIR {
        let mut host = cores(4, 1, scheduler);
        host.service = Some(ServiceConfig {
            servers: 1,
            arrivals: ServiceArrivals::Poisson,
            per_s: 500.0,
            demand: Demand { mean: Ns::from_us(400.0), shape: DemandShape::Constant },
            kind: KindConfig { nice: -15, ..ordinary() },
        });
        let (mut sum, mut samples) = (0, 0);
        for seed in 0..10 {
            let mut world = World::new(&one(host.clone(), at_once(9)), seed);
            let server = (0..world.processes.len()).find(|&p| world.processes[p].instance != 0).expect("it is there");
            run(&mut world, 1000.0);
            for ms in 1001..3000 {
                run(&mut world, f64::from(ms));
                let at = world.processes[server].last.0 as usize;
                sum += queued(&world)[at].iter().filter(|pid| pid.i() != server).count();
                samples += 1;
            }
        }
        let mean = sum as f64 / f64::from(samples);
        println!("{scheduler:?} hogs with the server {mean}");
        assert!(mean <= 1.3, "{scheduler:?} {mean}");
    }
}

/// 500 hogs alone on cores of two threads, seven or eight to a cache: nothing is to be found, so nobody looks.
#[test]
fn nobody_looks_for_work_where_none_can_be_found() {
    let last: Vec<u16> = (0..500).map(|n| n % 64 * 16 + n / 64 * 2).collect();
    let host = NodeConfig { cores_per_llc: 8, ..cores(512, 2, Scheduler::Eevdf) };
    let mut world = placed(&one(host, at_once(500)), 0, &last);
    run(&mut world, 50.0);
    let before = world.accounts.events;
    run(&mut world, 99.0);
    assert_eq!(world.accounts.events - before, 0);
    assert!(world.hosts[0].balance.as_ref().is_some_and(|balance| balance.armed == Ns::MAX && balance.moves == 0));
}

/// The same 500 in as few caches as hold them: those that run are moved, for each cache gives its surplus to others.
#[test]
fn caches_even_out_though_everybody_runs() {
    for scheduler in FAIR {
        let last: Vec<u16> = (0..500).map(|n| 2 * n).collect();
        let host = NodeConfig { cores_per_llc: 8, ..cores(512, 2, scheduler) };
        let mut world = placed(&one(host, at_once(500)), 0, &last);
        let by_cache = |world: &World| {
            let all: Vec<usize> = counts(world).chunks(16).map(|cache| cache.iter().sum()).collect();
            (all.iter().min().copied(), all.iter().max().copied())
        };
        run(&mut world, 1.0);
        assert_eq!(by_cache(&world), (Some(0), Some(8)));
        run(&mut world, 80_000.0);
        println!("{scheduler:?} caches {:?}, {} moves", by_cache(&world), moves(&world));
        assert_eq!(by_cache(&world), (Some(7), Some(8)));
    }
}

/// Two hogs are bound to one of two CPUs. The other one looks ever less often, up to every 512 ms, but for the longest
/// interval of a host of two, 200 ticks.
#[test]
fn who_is_bound_stays_and_is_asked_ever_less_often() {
    for scheduler in FAIR {
        let mut bound = at_once(2);
        bound.affinity = Affinity::Hard(CpuSet(vec![0]));
        let mut world = placed(&one(cores(2, 1, scheduler), bound), 0, &[0, 0]);
        let interval = |world: &World| world.hosts[0].balance.as_ref().map(|b| b.tried(1, 0).interval);
        run(&mut world, 30.0);
        assert!(interval(&world) > Some(4), "{:?}", interval(&world));
        run(&mut world, 3000.0);
        assert_eq!((interval(&world), moves(&world)), (Some(512), 0));
    }
}

/// One for each CPU, and 272 ms in 100 for all: eight debts of a tick, and 44 times a piece and what is run beyond it,
/// a tick. With five and a half times for each, half of the CPUs run longer than the others, and who still runs does
/// not go to a CPU that has set its own aside.
#[test]
fn nobody_goes_where_the_quota_is_used_up() {
    for scheduler in FAIR {
        for seed in 0..10 {
            let mut group = at_once(8);
            let period = Ns::from_ms(100.0);
            group.cgroup = Some(CgroupConfig { weight: 100, quota: Some(Ns::from_ms(272.0)), period, burst: Ns::ZERO });
            let last: Vec<u16> = (0..8).collect();
            let mut world = placed(&one(cores(4, 2, scheduler), group), seed, &last);
            run(&mut world, 3000.0);
            assert_eq!(moves(&world), 0, "{scheduler:?} {seed}");
        }
    }
}

/// Moves in 10 s, after one, among three hogs and a server that works for so long every 10 ms, on two CPUs, ticks of
/// 4 ms. It begins beside the hog that is alone.
fn moves_beside(work_us: f64, generation: EevdfGeneration, seed: u32) -> u64 {
    let mut host = NodeConfig { tick_hz: 250, eevdf_generation: generation, ..cores(2, 1, Scheduler::Eevdf) };
    host.service = Some(ServiceConfig {
        servers: 1,
        arrivals: ServiceArrivals::Periodic,
        per_s: 100.0,
        demand: Demand { mean: Ns::from_us(work_us), shape: DemandShape::Constant },
        kind: ordinary(),
    });
    let mut world = placed(&one(host, at_once(3)), seed, &[0, 0, 1]);
    run(&mut world, 1000.0);
    let before = moves(&world);
    run(&mut world, 11_000.0);
    moves(&world) - before
}

/// With 3.5 ms of work the server waits or works for half of the time, and owes for most of the rest. Since 6.12 it is
/// queued, and weighs, as long as it owes: more than 726 of 1024, so that two hogs are no more than 1.17 times what it
/// and the third weigh, and nobody moves. Who is not queued in his sleep weighs half as much, and hogs go round.
#[test]
fn hogs_stay_where_a_server_owes_for_most_of_its_sleep() {
    let all = |work_us, generation| (0..20).map(|seed| moves_beside(work_us, generation, seed)).collect::<Vec<u64>>();
    assert!(all(3500.0, EevdfGeneration::Linux66).iter().sum::<u64>() > 200);
    for generation in [EevdfGeneration::Linux612, EevdfGeneration::Linux618] {
        assert_eq!(all(3500.0, generation), [0; 20], "{generation:?}");
        assert!(all(50.0, generation).iter().all(|&moves| moves > 20), "{generation:?}: little is owed");
    }
}
