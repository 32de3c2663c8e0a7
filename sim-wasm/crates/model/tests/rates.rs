//! How fast threads run, against the arithmetic of docs/hosts.md: sums over who ran beside whom, on hosts small enough
//! to add up.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, LogConfig, TransactionConfig};
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::measure::ledger::{SHARED, SPINNING};
use wwi_model::measure::record::{Recorder, Stay};
use wwi_model::testing::{database, hogs, near_rel, node, oltp, one, window};
use wwi_model::world::World;

/// Fixed point of work and of PURR.
const UNIT: f64 = (1u64 << 20) as f64;

/// Sessions that want `busy` and then think, both exponential.
fn sleepers(sessions: u32, busy: Ns, think: Ns) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.demand = Demand { mean: busy, shape: DemandShape::Exponential };
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_ms(10.0) };
    instance
}

fn recorded(config: &Config, until: Ns) -> World {
    let mut world = World::new(config, 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    world.run(until, u64::MAX);
    world.cut();
    world
}

/// Stays on threads up to `until`, those under way included, by start and end \[ns\].
fn running(world: &World, until: Ns) -> Vec<(usize, u64, u64)> {
    let ended: Vec<&Stay> = world.recorder.iter().flat_map(|r| r.stays()).collect();
    assert!(ended.len() < 1_000_000, "the picture is not whole");
    let ended = ended.into_iter().filter(|s| s.activity == Activity::RUNNING);
    let mut stays: Vec<_> = ended.map(|s| (s.thread.0 as usize, s.start.0, s.end.0)).collect();
    for (at, thread) in world.threads.iter().enumerate() {
        let busy: u64 = stays.iter().filter(|s| s.0 == at).map(|s| s.2 - s.1).sum();
        let (all, _) = world.accounts.threads[at];
        if all > busy {
            assert!(thread.running != wwi_model::ids::Pid::NONE);
            stays.push((at, until.0 - (all - busy), until.0));
        }
    }
    stays
}

/// Sum over the cores of `of(threads busy)` × time \[ns\], `threads` a core.
fn over_cores(stays: &[(usize, u64, u64)], threads: usize, of: impl Fn(usize) -> f64) -> f64 {
    let cores = stays.iter().map(|s| s.0 / threads).max().map_or(0, |c| c + 1);
    let mut sum = 0.0;
    for core in 0..cores {
        let here = || stays.iter().filter(|s| s.0 / threads == core);
        let mut edges: Vec<(u64, i64)> = here().flat_map(|s| [(s.1, 1), (s.2, -1)]).collect();
        edges.sort_unstable();
        let (mut busy, mut last) = (0, 0);
        for (at, change) in edges {
            sum += of(busy as usize) * (at - last) as f64;
            (busy, last) = (busy + change, at);
        }
    }
    sum
}

/// Work is the sum of f_k, PURR that of f_k / f_K, over the time that each core has k threads busy, however often k
/// changes. Where yields fall a core is used up once more threads would add nothing.
#[test]
fn work_and_purr_follow_each_change_of_who_is_busy_on_a_core() {
    let cases = [
        (Scheduler::Cfs, 2, vec![0.0, 1.0, 1.3], 3),
        (Scheduler::Aix, 4, vec![0.0, 1.0, 1.4, 1.52, 1.6], 9),
        (Scheduler::Fifo, 4, vec![0.0, 1.0, 1.4, 1.52, 1.6], 13),
        (Scheduler::Cfs, 2, vec![0.0, 1.0, 0.7], 3),
        (Scheduler::Aix, 4, vec![0.0, 1.0, 1.5, 1.125, 0.5], 9),
    ];
    for (scheduler, threads, yields, sessions) in cases {
        let host = NodeConfig {
            cores_per_socket: 2,
            threads_per_core: threads as u32,
            smt_yield: yields[1..].to_vec(),
            scheduler,
            ..node()
        };
        let until = Ns::from_s(5.0);
        let world = recorded(&one(host, sleepers(sessions, Ns::from_ms(0.7), Ns::from_ms(1.0))), until);
        let (stays, group) = (running(&world, until), &world.accounts.groups[0]);
        let most = |k: usize| yields[k..].iter().copied().fold(0.0, f64::max);
        let changes = stays.len();
        assert!(changes > 5_000, "{scheduler:?}: {changes}");
        // Beyond rounding of each charge to 2^-20 ns.
        let work = over_cores(&stays, threads, |k| yields[k]);
        near_rel(group.work as f64 / UNIT, work, 1e-6, &format!("{scheduler:?}: work"));
        let purr = over_cores(&stays, threads, |k| yields[k] / most(k));
        near_rel(group.purr as f64 / UNIT, purr, 1e-6, &format!("{scheduler:?}: PURR"));
    }
}

/// Logical reads a second in units of one thread alone, instance by instance, between 0.5 and 1.5 s; nobody thinks.
fn rates(config: &Config) -> Vec<f64> {
    let mut world = World::new(config, 0);
    let mut work_until = |s: f64| -> Vec<f64> {
        world.run(Ns::from_s(s), u64::MAX);
        world.cut();
        world.accounts.groups[..config.instances.len()].iter().map(|g| g.work as f64 / UNIT / 1e9).collect()
    };
    let (before, after) = (work_until(0.5), work_until(1.5));
    before.iter().zip(&after).map(|(b, a)| a - b).collect()
}

/// Hogs that start at once.
fn at_once(sessions: u32) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    instance
}

#[test]
fn turbo_falls_evenly_from_one_active_core_to_all() {
    // 1.2 with one of four cores active, 1 with all: a third of the difference less for each.
    for (active, each) in [(1, 1.2), (2, 1.2 - 0.2 / 3.0), (3, 1.2 - 0.4 / 3.0), (4, 1.0)] {
        let host = NodeConfig { turbo_one_core: 1.2, ..node() };
        let found = rates(&one(host, at_once(active)))[0];
        near_rel(found, f64::from(active) * each, 1e-4, &format!("{active} active"));
    }
    // Two threads on one core are one active core: 1.3 times 1.2.
    let host = NodeConfig { turbo_one_core: 1.2, threads_per_core: 2, smt_yield: vec![1.0, 1.3], ..node() };
    let mut both = at_once(2);
    both.affinity = Affinity::Hard(CpuSet(vec![0, 1]));
    near_rel(rates(&one(host, both))[0], 1.3 * 1.2, 1e-4, "one core");
}

/// Steps count the active cores of a socket: what the other sockets do changes nothing there.
#[test]
fn turbo_steps_are_by_active_cores_of_the_socket() {
    let host = NodeConfig { sockets: 2, turbo_steps: vec![1.3, 1.2, 1.05, 1.0], ..node() };
    let rate = |threads: Vec<u16>| {
        let mut load = at_once(threads.len() as u32);
        load.affinity = Affinity::Hard(CpuSet(threads));
        rates(&one(host.clone(), load))[0]
    };
    for (threads, expected) in [
        (vec![0], 1.3),
        (vec![0, 1], 2.4),
        (vec![1, 2, 3], 3.0 * 1.05),
        (vec![0, 1, 2, 3], 4.0),
        (vec![0, 4], 2.6),
        (vec![0, 1, 2, 7], 3.0 * 1.05 + 1.3),
        ((0..8).collect(), 8.0),
    ] {
        near_rel(rate(threads.clone()), expected, 1e-4, &format!("on {threads:?}"));
    }
    // Two threads of a core are one active core.
    let host = NodeConfig { threads_per_core: 2, smt_yield: vec![1.0, 0.8], turbo_steps: vec![1.5, 1.0], ..node() };
    let mut both = at_once(2);
    both.affinity = Affinity::Hard(CpuSet(vec![0, 1]));
    near_rel(rates(&one(host, both))[0], 0.8 * 1.5, 1e-4, "one core");
}

/// Virtual CPUs that a hypervisor moves run at the frequency of the socket where they are.
#[test]
fn virtual_cpus_have_the_turbo_of_the_socket_where_they_are() {
    let turbo_steps = vec![1.5, 1.0];
    let host = NodeConfig {
        sockets: 2,
        cores_per_socket: 2,
        threads_per_core: 2,
        smt_yield: vec![1.0, 2.0],
        guest_sees_smt: false,
        vcpu_remap: Ns::from_ms(5.0),
        turbo_steps,
        ..node()
    };
    // Two of four cores: on one core 2 × 1.5 (1 of 7), on one socket 2 × 1 (2 of 7), on two 2 × 1.5 (4 of 7). For
    // the first of 5 ms each socket still has what it had before: 1 where it had both (1 of 7), else 1.5.
    let (now, before) = (1.5 * 5.0 / 7.0 + 2.0 / 7.0, 1.5 * 6.0 / 7.0 + 1.0 / 7.0);
    let expected = 2.0 * (0.8 * now + 0.2 * before);
    near_rel(rates(&one(host, at_once(2)))[0], expected, 0.03, "two virtual CPUs");
}

#[test]
fn memory_spread_over_s_sockets_is_remote_s_minus_one_times_of_s() {
    for (sockets, time) in [(1, 1.0), (2, 1.0 + 1.4 / 2.0), (3, 1.0 + 1.4 * 2.0 / 3.0), (4, 1.0 + 1.4 * 3.0 / 4.0)] {
        let host = NodeConfig { sockets, cores_per_socket: 2, ..node() };
        let mut load = at_once(sockets * 2);
        load.memory = Memory::Interleaved { remote: 2.4 };
        near_rel(rates(&one(host, load))[0], f64::from(sockets * 2) / time, 1e-4, &format!("over {sockets}"));
    }
}

#[test]
fn memory_bound_to_a_socket_is_slow_from_every_other() {
    let host = NodeConfig { sockets: 3, cores_per_socket: 2, ..node() };
    for (socket, threads, rate) in [(1, vec![2, 3], 2.0), (1, vec![0, 1], 2.0 / 2.4), (1, vec![3, 4], 1.0 + 1.0 / 2.4)]
    {
        let mut load = at_once(2);
        load.memory = Memory::Bound { remote: 2.4, socket };
        load.affinity = Affinity::Hard(CpuSet(threads.clone()));
        near_rel(rates(&one(host.clone(), load))[0], rate, 1e-4, &format!("on {threads:?}"));
    }
}

/// Work is divided by 1 + κx r, r the share of the instance's running threads on *other* sockets.
#[test]
fn threads_on_other_sockets_cost_and_those_on_the_same_do_not() {
    let host = NodeConfig { sockets: 2, ..node() };
    let rate = |threads: Vec<u16>| {
        let mut load = at_once(threads.len() as u32);
        load.coherence.sockets = 0.4;
        load.affinity = Affinity::Hard(CpuSet(threads));
        rates(&one(host.clone(), load))[0]
    };
    near_rel(rate(vec![0, 1, 2, 3]), 4.0, 1e-4, "all on one");
    // Each of three sees a quarter of the threads elsewhere, the fourth three quarters.
    near_rel(rate(vec![0, 1, 2, 4]), 3.0 / 1.1 + 1.0 / 1.3, 1e-4, "three and one");
    near_rel(rate(vec![0, 1, 4, 5]), 4.0 / 1.2, 1e-4, "two and two");
}

/// z is the share of the last-level caches that an instance does without: 0 alone on both sockets, 1 alone on one of
/// two, and 1 for two equals on both.
#[test]
fn an_instance_pays_for_the_caches_it_does_without() {
    let host = NodeConfig { sockets: 2, ..node() };
    let load = |threads: Vec<u16>| {
        let mut load = at_once(threads.len() as u32);
        load.coherence.llc_share = 0.25;
        load.affinity = Affinity::Hard(CpuSet(threads));
        load
    };
    near_rel(rates(&one(host.clone(), load(vec![0, 1, 4, 5])))[0], 4.0, 1e-4, "alone on both");
    near_rel(rates(&one(host.clone(), load(vec![0, 1])))[0], 2.0 / 1.25, 1e-4, "alone on one");
    let two = |a: Vec<u16>, b: Vec<u16>| {
        let mut config = one(host.clone(), load(a));
        config.instances.push(load(b));
        rates(&config)
    };
    for found in [two(vec![0, 1, 4, 5], vec![2, 3, 6, 7]), two(vec![0, 1, 2, 3], vec![4, 5, 6, 7])] {
        near_rel(found[0], 4.0 / 1.25, 1e-4, "the first of two");
        near_rel(found[1], 4.0 / 1.25, 1e-4, "the second of two");
    }
    // Three threads of four on one socket: a = 3/4 · 3/4 + 1/4 · 1/4 = 5/8, u = 16 / 10, z = 2 − 1.
    let found = two(vec![0, 1, 2, 4], vec![3, 5, 6, 7]);
    near_rel(found[0], 4.0 / 1.25, 1e-4, "three and one");
    // Alone with three on one socket and one on the other: u = 16/10, a = 1, z = 0.4.
    near_rel(
        rates(&one(host.clone(), load(vec![0, 1, 2, 4])))[0],
        4.0 / (1.0 + 0.25 * 0.4),
        1e-4,
        "alone, three and one",
    );
}

/// Pairs of transactions that come once a second, each 10 ms alone, 13.3 ms on a core with the other.
fn response_of_pairs(remap: Ns) -> Vec<f64> {
    let host = NodeConfig { threads_per_core: 2, guest_sees_smt: false, vcpu_remap: remap, ..node() };
    let mut load = hogs(0);
    let pair = [(Ns::from_s(1.0), Ns::from_ms(10.0)), (Ns::ZERO, Ns::from_ms(10.0))];
    load.workload.arrivals = Arrivals::List(pair.into_iter().cycle().take(800).collect());
    let mut world = World::new(&one(host, load), 0);
    let mut sums = vec![0.0];
    for second in 1..=400u64 {
        world.run(Ns::from_s(second as f64 + 0.5), u64::MAX);
        world.cut();
        let response = &world.accounts.groups[0].response;
        sums.push(response.mean() * response.count() as f64 / 1e6);
    }
    sums.windows(2).map(|w| (w[1] - w[0]) / 2.0).collect()
}

/// Virtual CPUs are dealt out anew at each interval, whether or not anybody ran meanwhile: of pairs a second apart each
/// shares a core with probability 1/7, whatever the one before did.
#[test]
fn virtual_cpus_are_dealt_out_while_the_host_is_idle() {
    let pairs = response_of_pairs(Ns::from_ms(20.0));
    assert_eq!(pairs.len(), 400);
    let shared = pairs.iter().filter(|&&r| r > 10.5).count() as f64;
    // 400 / 7 = 57, standard deviation 7. A deal in the middle of a pair makes it half and half, one in two.
    assert!((57.0 - 28.0..=2.0 * 57.0 + 28.0).contains(&shared), "{shared} of 400 share a core");
    let same = pairs.windows(2).filter(|w| (w[0] > 10.5) == (w[1] > 10.5)).count();
    assert!(same < 360, "{same} of 399 do as the pair before");
}

/// Never dealt out, the first deal stays.
#[test]
fn virtual_cpus_stay_where_they_are_without_an_interval() {
    let pairs = response_of_pairs(Ns::ZERO);
    assert!(pairs.iter().all(|r| (r - pairs[0]).abs() < 1e-9), "{pairs:?}");
}

/// Eight sessions, each with the one latch in hand for half of the time of a read: together they do the work of two,
/// and spin for the rest of their time, slices or no slices. What makes their reads longer makes the hold as much
/// longer: 1 + 0.5 · 7/8 times on eight cores.
#[test]
fn sessions_at_one_latch_work_as_its_holders_do_one_after_another() {
    for (sessions, cores) in [(8, 0.0), (24, 0.0), (8, 0.5)] {
        let mut instance = hogs(sessions);
        (instance.coherence.latch, instance.coherence.cores) = (LatchQueue { held: 0.5, share: 1.0 }, cores);
        let until = Ns::from_s(20.0);
        let host = NodeConfig { cores_per_socket: 8, threads_per_core: 1, smt_yield: vec![1.0], ..node() };
        let world = recorded(&one(host, instance), until);
        let seconds = (until.0 - 1_000_000_000) as f64;
        let work = world.accounts.groups[0].work as f64 / UNIT;
        near_rel(work, 2.0 * seconds / (1.0 + cores * 7.0 / 8.0), 0.05, "work");
        near_rel(world.accounts.hosts[0].spinning as f64, 6.0 * seconds, 0.05, "spinning");
    }
}

/// One session cannot wait for itself: log writer, database writers and programs of users are at no latch, and what
/// sessions share does not slow these programs.
#[test]
fn only_sessions_are_at_latches() {
    let us = |t: u64| Ns(1000 * t);
    let run = |sessions: u32, client: Ns, change: fn(&mut Coherence)| {
        let log = LogConfig { gather: us(400), after: us(400), post: us(200), ..database().log };
        let transaction =
            TransactionConfig { calls: 1, client, reads: 0.0, commit_waits: false, ..database().transaction };
        let mut instance = oltp(sessions, DatabaseConfig { log, transaction, ..database() });
        instance.workload.demand = Demand { mean: us(1000), shape: DemandShape::Constant };
        change(&mut instance.coherence);
        let host = NodeConfig { cores_per_socket: 16, smt_yield: vec![1.0], ..node() };
        let mut world = World::new(&one(host, instance), 0);
        let sums = window(&mut world, Ns::from_s(2.0), Ns::from_s(12.0));
        (sums.groups[0].transactions as f64, sums.hosts[0].spinning)
    };
    let latch: fn(&mut Coherence) = |of| of.latch = LatchQueue { held: 0.5, share: 1.0 };
    let (free, _) = run(1, Ns::ZERO, |_| ());
    let (alone, spun) = run(1, Ns::ZERO, latch);
    assert_eq!((alone, spun), (free, 0), "a session and its log writer");
    let (beside, _) = run(4, us(50_000), |_| ());
    let (shared, _) = run(4, us(50_000), |of| of.cores = 0.5);
    // A session works for 1 ms of some 52: hardly ever do two at a time.
    assert!(shared > 0.98 * beside, "{shared} of {beside}");
}

/// Twelve on twelve cores of which each has the latch in hand for half of a read do the work of two, a sixth each. That
/// is 174,762.67 of 2²⁰ parts, 174,763 in whole ones, and five times that is more than what is lost to it; nothing
/// is lost to shared blocks here, and nothing won.
#[test]
fn what_spins_is_no_more_than_what_is_lost() {
    let mut instance = hogs(12);
    instance.coherence.latch = LatchQueue { held: 0.5, share: 1.0 };
    instance.workload.arrivals = Arrivals::Closed { sessions: 12, think: Ns::ZERO, start_spread: Ns::ZERO };
    let until = Ns::from_s(10.0);
    let host = NodeConfig { cores_per_socket: 12, threads_per_core: 1, smt_yield: vec![1.0], ..node() };
    let world = recorded(&one(host, instance), until);
    let book = &world.accounts.groups[0].book;
    near_rel(book.busy[SPINNING] as f64 / UNIT, 12.0 * 1e10 * 5.0 / 6.0, 0.001, "spinning");
    assert_eq!(book.busy[SHARED], 0, "to blocks that sessions share");
}
