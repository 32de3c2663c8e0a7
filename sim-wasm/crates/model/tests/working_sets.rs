//! Refills by working set and absence: against arithmetic where others run for a known time, and against a slow twin
//! that adds up who ran where from a record of stays.
use wwi_kernel::decay::faded;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::ids::{Pid, ThreadId};
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::{Recorder, Stay};
use wwi_model::testing::{hogs, node, one, ordinary};
use wwi_model::world::World;

/// A cache that costs nothing.
const NO_CACHE: CpuCache = CpuCache { mb: 0.0, fill_gb_s: 10.0 };

fn with_set(working_set_mb: f64) -> KindConfig {
    KindConfig { working_set_mb, ..ordinary() }
}

/// Sessions that want `busy` and then think, both exponential, with a working set.
fn sessions(count: u32, (busy, think): (f64, f64), set_mb: f64) -> InstanceConfig {
    let mut instance = hogs(count);
    instance.session_kind = with_set(set_mb);
    instance.workload.demand = Demand { mean: Ns::from_ms(busy), shape: DemandShape::Exponential };
    let start_spread = Ns::from_ms(if think > 0.0 { 10.0 } else { 0.0 });
    instance.workload.arrivals = Arrivals::Closed { sessions: count, think: Ns::from_ms(think), start_spread };
    instance
}

/// All stays on threads, in the order in which they began.
fn stays(config: &Config, until: Ns) -> Vec<Stay> {
    let mut world = World::new(config, 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    assert!(world.run(until, u64::MAX));
    let all = world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.activity == Activity::RUNNING);
    let mut stays: Vec<Stay> = all.copied().collect();
    stays.sort_by_key(|stay| stay.start);
    stays
}

/// One CPU on which hogs with sets take turns of so many µs.
fn turns(quantum_us: f64, l2: CpuCache, llc: CpuCache) -> NodeConfig {
    let round_robin_quantum = Ns::from_us(quantum_us);
    NodeConfig { cores_per_socket: 1, scheduler: Scheduler::RoundRobin, round_robin_quantum, l2, llc, ..node() }
}

/// 1 MB ÷ 10 GB/s × (1 − e⁻¹) = 63.2 µs.
#[test]
fn a_set_of_1_mb_in_a_cache_of_1_mb_lost_to_others_in_100_us_takes_63_us() {
    let l2 = CpuCache { mb: 1.0, fill_gb_s: 10.0 };
    let found = stays(&one(turns(100.0, l2, NO_CACHE), sessions(2, (1e4, 0.0), 1.0)), Ns::from_ms(50.0));
    assert!(found.len() > 490, "{}", found.len());
    // Each loads all of it first, which takes all of a turn.
    assert!(found[..2].iter().all(|stay| stay.lost == Ns(100_000)), "{:?}", &found[..2]);
    assert!(found[2..].iter().all(|stay| stay.lost == Ns(63_212)), "{:?}", &found[2..5]);
    // The same in the last-level cache.
    let llc = stays(&one(turns(100.0, NO_CACHE, l2), sessions(2, (1e4, 0.0), 1.0)), Ns::from_ms(50.0));
    assert!(llc[2..].iter().all(|stay| stay.lost == Ns(63_212)), "{:?}", &llc[2..5]);
}

/// A set that is larger than the cache loads as much as the cache holds; a smaller one fades at the same rate.
#[test]
fn no_more_is_loaded_than_the_cache_holds_and_others_take_what_they_can_fill() {
    let l2 = CpuCache { mb: 1.0, fill_gb_s: 20.0 };
    let lost = |set_mb: f64, count: u32, (l2, llc): (CpuCache, CpuCache)| {
        let found = stays(&one(turns(100.0, l2, llc), sessions(count, (1e4, 0.0), set_mb)), Ns::from_ms(50.0));
        found.last().map(|stay| stay.lost.0 as f64 / 1e3).unwrap_or_default()
    };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.001, "{found} for {expected}");
    // 50 µs to fill, away for 100: e⁻².
    let left = 0.135_335_283;
    near(lost(1.0, 2, (l2, NO_CACHE)), 50.0 * (1.0 - left));
    near(lost(3.0, 2, (l2, NO_CACHE)), 50.0 * (1.0 - left));
    near(lost(0.2, 2, (l2, NO_CACHE)), 10.0 * (1.0 - left));
    // Two others run for twice the time.
    near(lost(0.2, 3, (l2, NO_CACHE)), 10.0 * (1.0 - left * left));
    // 32 MB at 10 GB/s take 3.2 ms; what is lost of both caches is added up.
    let llc = CpuCache { mb: 32.0, fill_gb_s: 10.0 };
    near(lost(0.2, 2, (l2, llc)), 10.0 * (1.0 - left) + 20.0 * (1.0 - 0.969_233_234));
}

/// A host of two sockets of two cores of two threads, where only the other socket, or nobody else, ever runs.
#[test]
fn who_comes_back_to_where_nobody_else_ran_pays_nothing() {
    let hard = |instance: InstanceConfig, cpus: Vec<u16>| InstanceConfig {
        affinity: Affinity::Hard(CpuSet(cpus)),
        ..instance
    };
    let host = NodeConfig { sockets: 2, cores_per_socket: 2, threads_per_core: 2, ..node() };
    let mut config = one(host, hard(sessions(1, (1.0, 1.0), 4.0), vec![0]));
    config.instances.push(hard(sessions(4, (1.0, 0.5), 4.0), vec![4, 5, 6, 7]));
    let found = stays(&config, Ns::from_s(1.0));
    let own: Vec<&Stay> = found.iter().filter(|stay| stay.thread == ThreadId(0)).collect();
    assert!(own.len() > 300 && found.len() > 1000, "{} {}", own.len(), found.len());
    // 1 MB at 20 GB/s and 4 MB at 10 GB/s, once.
    assert_eq!(own[0].lost, Ns(450_000).min(own[0].end - own[0].start));
    assert!(own[2..].iter().all(|stay| stay.lost == Ns::ZERO));
    // On its sibling thread a hog takes the core's cache, and the last-level one, all the while.
    config.instances.push(hard(sessions(1, (1e4, 0.0), 0.0), vec![1]));
    let beside = stays(&config, Ns::from_s(1.0));
    let lost = beside.iter().filter(|stay| stay.thread == ThreadId(0) && stay.lost > Ns::from_us(50.0)).count();
    assert!(lost > 150, "{lost}");
}

/// A new session has nothing in the caches, though its place in the model was another's.
#[test]
fn who_comes_for_the_first_time_loads_all_of_its_set() {
    let mut load = hogs(0);
    load.session_kind = with_set(1.0);
    load.workload.arrivals = Arrivals::List(vec![(Ns::from_ms(10.0), Ns::from_ms(1.0)); 50]);
    let mut config = one(NodeConfig { cores_per_socket: 1, ..node() }, load);
    config.nodes[0].switch_direct = Ns::from_us(7.0);
    let found = stays(&config, Ns::from_s(1.0));
    assert_eq!(found.len(), 50);
    // 50 and 100 µs, and the switch before it: who ran last was another each time.
    assert!(found.iter().all(|stay| stay.lost == Ns(157_000)), "{:?}", &found[..3]);
}

/// Time that others than a process ran on threads for which `counts` holds, between two moments.
fn others(stays: &[Stay], counts: impl Fn(usize) -> bool, (from, to): (Ns, Ns)) -> u64 {
    let within = |stay: &&Stay| counts(stay.thread.i()) && stay.start < to && stay.end > from;
    let spans = stays.iter().filter(within).map(|stay| (stay.end.min(to) - stay.start.max(from)).0);
    spans.sum()
}

/// Two sockets of two cores of two threads, and background load with sets of 3 MB.
fn busy_host(scheduler: Scheduler, cores_per_llc: u32) -> NodeConfig {
    let (busy, sleep) = (Ns::from_ms(1.0), Ns::from_ms(2.0));
    NodeConfig {
        sockets: 2,
        cores_per_socket: 2,
        cores_per_llc,
        threads_per_core: 2,
        scheduler,
        round_robin_quantum: Ns::from_ms(1.0),
        switch_direct: Ns::from_us(2.0),
        switch_refill: Ns::from_us(50.0),
        l2: CpuCache { mb: 1.0, fill_gb_s: 2.0 },
        llc: CpuCache { mb: 8.0, fill_gb_s: 4.0 },
        background: Background { processes: 2, busy, sleep, kind: with_set(3.0) },
        ..node()
    }
}

/// Every stay of a busy host begins with what a slow twin says: from the record alone, it adds up who ran where while
/// the process was away.
#[test]
fn every_refill_is_that_of_a_twin_that_adds_up_the_record() {
    let mut met = [0; 4];
    for (scheduler, cores_per_llc) in [(Scheduler::RoundRobin, 0), (Scheduler::Cfs, 1), (Scheduler::O1, 0)] {
        let mut config = one(busy_host(scheduler, cores_per_llc), sessions(9, (2.0, 2.0), 0.7));
        config.instances.push(sessions(2, (1.0, 1.0), 0.0));
        let all = stays(&config, Ns::from_s(1.0));
        let mut world = World::new(&config, 0);
        world.run(Ns::from_ms(20.0), u64::MAX);
        let set_of = |pid: Pid| match world.processes[pid.i()] {
            ref process if process.instance == wwi_model::world::NO_INSTANCE => 3.0_f64,
            ref process => [0.7, 0.0][usize::from(process.instance)],
        };
        let caches = [config.nodes[0].l2, config.nodes[0].llc];
        let per_cache = config.nodes[0].threads_per_cache();
        let place = |thread: ThreadId| [thread.i() / 2, thread.i() / per_cache];
        // By process where it ran last, up to when, and what was left to load.
        let mut before: Vec<Option<(ThreadId, Ns, f64)>> = vec![None; world.processes.len()];
        // Stays under way at the end are not in the record; nobody stays for as long as this.
        let known = |stay: &Stay| set_of(stay.pid) > 0.0 && stay.start < Ns::from_ms(850.0);
        for (at, stay) in all.iter().enumerate().filter(|(_, stay)| known(stay)) {
            let near = &all[all.partition_point(|s| s.start + Ns::from_ms(150.0) < stay.start)..at];
            let whole = [0, 1].map(|level| set_of(stay.pid).min(caches[level].mb) / caches[level].fill_gb_s * 1e6);
            let (mut back, mut elsewhere) = (0.0, 0.0);
            for (level, here) in place(stay.thread).into_iter().enumerate() {
                match before[stay.pid.i()] {
                    None => back += whole[level],
                    Some((from, _, _)) if place(from)[level] != here => elsewhere += whole[level],
                    Some((_, left_at, _)) => {
                        let counts = |thread: usize| place(ThreadId(thread as u16))[level] == here;
                        let time = others(near, counts, (left_at, stay.start));
                        let fill = caches[level].mb / caches[level].fill_gb_s * 1e6;
                        back += whole[level] * faded(time, fill);
                        met[usize::from(time > 0)] += 1;
                    }
                }
            }
            let left = before[stay.pid.i()].map_or(0.0, |(_, _, left)| left);
            let is_switch = all[..at].iter().rev().find(|s| s.thread == stay.thread).is_none_or(|s| s.pid != stay.pid);
            let direct = if is_switch { 2000.0 } else { 0.0 };
            let owed = direct + (back + left).min(whole[0] + whole[1] - elsewhere) + elsewhere;
            let paid = owed.min((stay.end - stay.start).0 as f64);
            let case = format!("{scheduler:?}: {stay:?}, back {back}, elsewhere {elsewhere}, left {left}");
            assert!((stay.lost.0 as f64 - paid).abs() <= 3.0, "{case}: {paid}");
            met[2] += usize::from(elsewhere > 0.0);
            met[3] += usize::from(left > 0.0);
            // A difference that was let through above is rounding, not something left to load.
            let left = Some(owed - stay.lost.0 as f64).filter(|&left| left > 3.0).unwrap_or(0.0);
            before[stay.pid.i()] = Some((stay.thread, stay.end, left));
        }
    }
    assert!(met[0] > 100 && met[1] > 5000 && met[2] > 1000 && met[3] > 20, "{met:?}");
}
