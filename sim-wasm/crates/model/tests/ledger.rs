//! The loss ledger: both laws with nothing left over, whatever the hosts; and each cause where it is the only one.
mod random_hosts;

use random_hosts::{random, several, Draw};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::accounts::{Accounts, Group};
use wwi_model::measure::events::{Activity, COUNT};
use wwi_model::measure::ledger::*;
use wwi_model::testing::*;
use wwi_model::world::World;

/// A moment \[ns\] that meets no period of anything.
const ODD: u64 = 613_000_001;

/// Accounting groups of a host.
fn groups_of(config: &Config, node: usize) -> Vec<usize> {
    let here = (0..config.instances.len()).filter(|&i| config.instances[i].node == node);
    here.chain([config.background_group(node), config.service_group(node)]).collect()
}

/// v0 of a host, from its settings: one thread of a core, times the whole turbo where speeds follow it.
fn full(config: &Config, node: usize) -> i128 {
    let host = &config.nodes[node];
    let most = host.turbo_steps.first().copied().unwrap_or(host.turbo_one_core);
    let turbo = if host.scheduler == Scheduler::ProcessorSharing { 1.0 } else { most };
    (host.smt_yield[0] * turbo * f64::from(1 << 20)).round() as i128
}

/// Thread time that a group's causes were dealt of idle threads \[ns\].
fn idle(group: &Group) -> u64 {
    let spans = &group.book.spans;
    let held: u64 = [THROTTLED, CAGE_EMPTY, CAGE_LIMIT].iter().map(|c| spans[c + THREADS]).sum();
    held + spans[BALANCE] + spans[BINDING] + spans[WAITS..].iter().sum::<u64>()
}

/// Both laws over a window, host by host; the second one group by group.
fn holds(config: &Config, sums: &Accounts, window: u64, name: &str) {
    for node in 0..config.nodes.len() {
        let v0 = full(config, node);
        let groups: Vec<&Group> = groups_of(config, node).into_iter().map(|g| &sums.groups[g]).collect();
        let host = &sums.hosts[node];
        let busy: i128 = groups.iter().map(|g| g.book.on_threads()).sum::<i128>() + host.undealt as i128;
        let idle = groups.iter().map(|g| idle(g)).sum::<u64>() + host.no_work;
        let capacity = config.nodes[node].threads() as i128 * v0 * i128::from(window);
        assert_eq!(busy + i128::from(idle) * v0, capacity, "threads of host {node} of {name}");
        for (at, group) in groups.iter().enumerate() {
            let spans = &group.book.spans;
            let waits: u64 = group.time[Activity::LATCH.i()..].iter().sum();
            let thinks = group.time[Activity::OFF.i()] - spans[GONE];
            let ready = group.time[Activity::RUN_QUEUE.i()] - spans[THROTTLED];
            let off = thinks + ready + spans[THROTTLED] + spans[CAGE_EMPTY] + spans[CAGE_LIMIT] + waits;
            let on = group.book.on_threads() + group.book.busy[SHARING] - group.book.busy[WAKING];
            let alive = i128::from(spans[ALIVE]) * v0;
            assert_eq!(on + i128::from(off) * v0, alive, "processes of group {at} of host {node} of {name}");
            if config.instances.get(groups_of(config, node)[at]).is_some_and(|i| !i.passes_messages()) {
                // So what is not idle is the response of transactions, with what is under way at both ends.
                let lasted = group.response.sum() as i128 + group.open_time + i128::from(group.abandoned);
                assert_eq!(alive - i128::from(thinks) * v0, lasted * v0, "response of {name}");
            }
            assert_eq!(spans[CAGE_EMPTY] + spans[CAGE_LIMIT], group.time[Activity::CPU_QUANTUM.i()], "{name}");
            let unusual = [ROUNDING, SPINNING, SIBLINGS, SHARED, SHARING].iter().any(|&c| group.book.busy[c] < 0);
            assert!(!unusual, "a negative loss of group {at} of host {node} of {name}: {:?}", group.book);
        }
    }
}

/// Runs a replication and holds both laws over windows of any length.
fn conserves(config: &Config, name: &str) -> Accounts {
    let mut world = World::new(config, 0);
    let mut before = world.accounts.clone();
    for step in 1..=5u64 {
        world.run(Ns(step * ODD), u64::MAX);
        world.cut();
        holds(config, &world.accounts.since(&before), ODD, name);
        before = world.accounts.clone();
    }
    holds(config, &world.accounts, 5 * ODD, name);
    world.accounts
}

/// Some instances get visitors instead of sessions.
fn with_visitors(mut config: Config) -> Config {
    let mut draw = Draw(Stream::new(config.seed, 0, "test", 2, "visitors"));
    for instance in config.instances.iter_mut().filter(|i| !i.passes_messages()) {
        if draw.one_in(3) {
            instance.workload.arrivals = Arrivals::Open { per_s: 20.0 + draw.below(60) as f64 };
        }
    }
    config
}

/// Hosts get yields under 1, steps of turbo, caches and processes with working sets.
fn with_speeds(mut config: Config) -> Config {
    let mut draw = Draw(Stream::new(config.seed, 0, "test", 4, "speeds"));
    for host in &mut config.nodes {
        let fall = [0.0, 0.2, 0.5][draw.below(3) as usize];
        host.smt_yield = vec![1.0, 1.0 - fall / 3.0, 1.1 - fall / 2.0, 1.0 - fall];
        if draw.one_in(2) {
            host.turbo_steps = (0..host.cores_per_socket).rev().map(|more| 1.0 + 0.07 * f64::from(more)).collect();
        }
        let set = 0.5 + draw.below(5) as f64;
        host.background.kind.working_set_mb = set;
        host.service.iter_mut().for_each(|service| service.kind.working_set_mb = set);
    }
    for instance in config.instances.iter_mut().filter(|_| draw.one_in(2)) {
        instance.session_kind.working_set_mb = 0.3;
    }
    config
}

#[test]
fn both_laws_hold_with_yields_under_1_turbo_by_steps_and_working_sets() {
    let mut met = Accounts::new(1, 1, 0, 0);
    let mut all: Vec<(Config, String)> = Vec::new();
    all.extend((0..120).map(|seed| (with_speeds(with_visitors(random(seed))), format!("host {seed}"))));
    all.extend((0..80).map(|seed| (with_speeds(with_visitors(several(seed))), format!("hosts {seed}"))));
    for (config, name) in &all {
        let sums = conserves(config, name);
        sums.groups.iter().for_each(|g| met.groups[0].book.add(&g.book));
    }
    let book = &met.groups[0].book;
    let met = [TURBO, SIBLINGS, SHARED, SWITCHING + usize::from(OWES_SET)].map(|use_of| book.busy[use_of] > 0);
    assert!(met == [true; 4] && book.owed.iter().all(|&owed| owed > 0), "{met:?} {:?}", book.owed);
}

/// What is paid with a working set is refill where a process comes back, a move where it was elsewhere.
#[test]
fn a_planted_working_set_is_the_largest_row_of_the_difference() {
    let host = NodeConfig { round_robin_quantum: Ns::from_ms(10.0), ..lossless(Scheduler::RoundRobin) };
    let with_set = |c: &mut Config| {
        c.instances[0].session_kind.working_set_mb = 4.0;
        c.nodes[0].l2 = CpuCache { mb: 0.0, fill_gb_s: 1.0 };
        c.nodes[0].llc = CpuCache { mb: 4.0, fill_gb_s: 2.0 };
    };
    // One cache, which the others have taken after 10 ms: 2 ms to load of each turn of 10 ms, or of the end of one.
    let a = one(host, hogs(7));
    near(largest(&a, &changed(&a, with_set)), ("refill", 4.0 * 0.2), 0.02);
    let b = changed(&a, |c| (c.nodes[0].sockets, c.nodes[0].cores_per_socket) = (2, 1));
    let moves = largest(&b, &changed(&b, with_set));
    assert!(moves.0 == "refill" || moves.0 == "migration", "{moves:?}");
    let parts = losses(&changed(&b, with_set), Ns::from_s(20.0));
    let of = |cause: &str| parts.iter().find(|part| part.0 == cause).map_or(0.0, |part| part.1);
    assert!((of("refill") + of("migration") - 0.8).abs() < 0.03 && of("migration") > 0.2, "{parts:?}");
}

#[test]
fn both_laws_hold_with_nothing_left_over_on_200_random_scenarios() {
    let mut all: Vec<(Config, String)> = Vec::new();
    all.extend((0..120).map(|seed| (with_visitors(random(seed)), format!("host {seed}"))));
    all.extend((0..80).map(|seed| (with_visitors(several(seed)), format!("hosts {seed}"))));
    let mut met = Accounts::new(1, 1, 0, 0);
    for (config, name) in &all {
        let sums = conserves(config, name);
        sums.groups.iter().for_each(|g| met.groups[0].book.add(&g.book));
        sums.hosts.iter().for_each(|h| met.hosts[0].undealt += h.undealt);
    }
    // Each cause was met.
    let book = &met.groups[0].book;
    let uses = [WORK, ROUNDING, SPINNING, TURBO, SIBLINGS, SHARED, SHARING];
    assert!(uses.iter().all(|&c| book.busy[c] > 0) && met.hosts[0].undealt > 0, "{book:?}");
    for code in [0, OWES_CORE, OWES_SOCKET].map(|c| usize::from(c + OWES_SWITCH)) {
        assert!(book.busy[SWITCHING + code] > 0 && book.busy[SWITCHING + code + usize::from(OWES_POST)] > 0, "{code}");
    }
    let spans = (0..WAITS).chain([WAITS + Activity::LATCH.i()]);
    assert!(spans.clone().all(|s| book.spans[s] > 0), "{:?}", book.spans);
    assert!((0..COUNT).all(|a| a == Activity::LATCH.i() || book.spans[WAITS + a] == 0), "{:?}", book.spans);
    assert_eq!(SCHEDULERS.len(), 8);
}

/// A second after everybody has started, and one window later: the sums between.
fn sums_of(config: &Config, span: Ns) -> Accounts {
    window(&mut World::new(config, 0), Ns::from_s(2.0), Ns::from_s(2.0) + span)
}

/// Four threads on two cores whose siblings lose nothing, one run queue, no costs.
fn lossless(scheduler: Scheduler) -> NodeConfig {
    let quantum = Ns::from_ms(7.0);
    NodeConfig {
        cores_per_socket: 2,
        threads_per_core: 2,
        smt_yield: vec![1.0, 2.0],
        scheduler,
        round_robin_quantum: quantum,
        ..node()
    }
}

/// Sessions that ask for 3.3 ms and think for so long.
fn clients(sessions: u32, think: Ns) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.demand.mean = Ns::from_ms(3.3);
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_s(1.0) };
    instance
}

/// With nothing lost, work, no work and rounding are the capacity; so throughput is capacity over demand, or N / (Z +
/// D).
#[test]
fn without_losses_throughput_is_what_arithmetic_says() {
    let span = Ns::from_s(40.0);
    let one_queue = [Scheduler::RoundRobin, Scheduler::Fifo, Scheduler::ProcessorSharing];
    for (scheduler, sessions, think) in
        one_queue.into_iter().flat_map(|s| [(s, 11, Ns::ZERO), (s, 3, Ns::from_ms(5.0))])
    {
        let config = one(lossless(scheduler), clients(sessions, think));
        let sums = sums_of(&config, span);
        let (book, host) = (&sums.groups[0].book, &sums.hosts[0]);
        let capacity = 4 * (1i128 << 20) * i128::from(span.0);
        let rounding = book.busy[ROUNDING] + host.undealt as i128;
        let no_work = i128::from(host.no_work) << 20;
        assert_eq!(book.busy[WORK] + rounding + no_work, capacity, "{scheduler:?} {sessions}");
        assert!((SPINNING..BUSY).all(|c| c == SHARING || book.busy[c] == 0), "{scheduler:?} {sessions}: {book:?}");
        let (ended, t) = (sums.groups[0].transactions as f64, span.as_s());
        if think == Ns::ZERO {
            assert_eq!(no_work, 0, "{scheduler:?}");
            // Those under way at both ends, and the rounding, up to 1 ns in 3.3 ms.
            assert!((ended - 4.0 * t / 0.0033).abs() <= f64::from(sessions) + 1.0, "{scheduler:?}: {ended}");
        } else {
            // A count of renewals: mean N t / m, variance N t sigma^2 / m^3, with m = Z + D and sigma = Z.
            let (n, m) = (f64::from(sessions), 0.0083);
            let deviation = (n * t * 0.005 * 0.005 / (m * m * m)).sqrt();
            assert!((ended - n * t / m).abs() < 4.0 * deviation, "{scheduler:?}: {ended} for {}", n * t / m);
        }
    }
}

/// What a window lost, in threads: name and value.
fn losses(config: &Config, span: Ns) -> Vec<(&'static str, f64)> {
    let sums = sums_of(config, span);
    let (v0, t) = (full(config, 0) as f64, span.0 as f64);
    let mut rows = vec![("no work", sums.hosts[0].no_work as f64 / t)];
    let post = config.instances[0].cage.as_ref().map_or(Ns::ZERO, |c| c.post);
    for group in groups_of(config, 0) {
        let book = &sums.groups[group].book;
        let busy = |c: usize| book.busy[c] as f64 / v0 / t;
        let idle = |c: usize| book.spans[c] as f64 / t;
        let switching = book.switching(&config.nodes[0], post).map(|part| part as f64 / v0 / t);
        rows.extend([("spinning", busy(SPINNING)), ("turbo", busy(TURBO)), ("siblings", busy(SIBLINGS))]);
        rows.extend([("shared", busy(SHARED)), ("direct", switching[0]), ("refill", switching[1])]);
        rows.extend([("migration", switching[2]), ("post", switching[3]), ("balance", idle(BALANCE))]);
        rows.extend([("throttled", idle(THROTTLED + THREADS)), ("binding", idle(BINDING))]);
        rows.extend([("cage, empty slot", idle(CAGE_EMPTY + THREADS)), ("cage, limit", idle(CAGE_LIMIT + THREADS))]);
        rows.push(("latch", idle(WAITS + Activity::LATCH.i())));
    }
    rows
}

/// The cause whose row grows most from A to B, and by how many threads.
fn largest(a: &Config, b: &Config) -> (&'static str, f64) {
    let span = Ns::from_s(20.0);
    let (a, b) = (losses(a, span), losses(b, span));
    let grown = a.iter().zip(&b).map(|(a, b)| (a.0, b.1 - a.1));
    grown.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(("nothing", 0.0))
}

fn near((cause, threads): (&str, f64), expected: (&str, f64), allowed: f64) {
    assert!(cause == expected.0 && (threads - expected.1).abs() <= allowed, "{cause} {threads}, not {expected:?}");
}

fn changed<T: Clone>(from: &T, change: impl FnOnce(&mut T)) -> T {
    let mut to = from.clone();
    change(&mut to);
    to
}

#[test]
fn a_planted_limit_is_the_largest_row_of_the_difference() {
    let a = one(node(), hogs(8));
    let with = |change: &dyn Fn(&mut InstanceConfig)| changed(&a, |c| change(&mut c.instances[0]));
    // One slot, filled at once: of four threads three idle, less what posts cost.
    let smooth = CageConfig { tick: Ns::ZERO, safe_point: Ns::ZERO, post: Ns::ZERO, ..cage(1) };
    near(largest(&a, &with(&|i| i.cage = Some(smooth.clone()))), ("cage, limit", 3.0), 1e-9);
    // Quanta of 10 ms are found used on the next tick, 0.2 ms later, and slots filled on the one after: 10.2 of 20 ms.
    let slots = CageConfig { quantum: Ns::from_ms(10.0), ..cage(4) };
    let empty = largest(&a, &with(&|i| i.cage = Some(slots.clone())));
    near(empty, ("cage, empty slot", 4.0 * 9.8 / 20.0), 0.01);
    // One CPU of four, for 100 of every 100 ms.
    let quota = Some(CgroupConfig {
        weight: 100,
        quota: Some(Ns::from_ms(100.0)),
        period: Ns::from_ms(100.0),
        burst: Ns::ZERO,
    });
    near(largest(&a, &with(&|i| i.cgroup = quota)), ("throttled", 3.0), 0.03);
    let bound = Affinity::Hard(CpuSet(vec![2]));
    near(largest(&a, &with(&|i| i.affinity = bound.clone())), ("binding", 3.0), 1e-9);
    // A real-time hog on each CPU, with a fifth of each second.
    let hog = KindConfig { class: Class::Fifo, ..wwi_model::testing::ordinary() };
    let mut host = NodeConfig { rt_runtime: Some(Ns::from_ms(200.0)), ..node() };
    host.background = Background { processes: 4, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind: hog };
    let free = changed(&one(host.clone(), hogs(0)), |c| c.nodes[0].rt_runtime = None);
    near(largest(&free, &one(host, hogs(0))), ("throttled", 4.0 * 0.8), 0.01);
}

/// A CPU each for two instances of two hogs; the second has 30 ms of every 100. Its last piece of 5 ms is drawn after
/// 25: from then on its other session waits for the quota, from 30 on both do. Who waits for the CPU of the first
/// instance, which nobody limits, waits for no quota, however long the other's is spent.
#[test]
fn a_spent_quota_holds_back_all_of_its_own_group_and_nobody_else() {
    let on = |cpu: u16, quota: Option<f64>| InstanceConfig {
        affinity: Affinity::Hard(CpuSet(vec![cpu])),
        cgroup: Some(CgroupConfig {
            weight: 100,
            quota: quota.map(Ns::from_ms),
            period: Ns::from_ms(100.0),
            burst: Ns::ZERO,
        }),
        ..hogs(2)
    };
    let host = NodeConfig { cores_per_socket: 2, ..node() };
    let config = Config { nodes: vec![host], instances: vec![on(0, None), on(1, Some(30.0))], cluster: None, seed: 1 };
    let span = Ns::from_s(20.0);
    let sums = sums_of(&config, span);
    let of = |group: usize, cause: usize| sums.groups[group].book.spans[cause] as f64 / span.0 as f64;
    assert_eq!([of(0, THROTTLED), of(0, THROTTLED + THREADS), of(0, BINDING)], [0.0; 3]);
    let throttled = of(1, THROTTLED);
    assert!((throttled - (0.05 + 2.0 * 0.7)).abs() < 1e-6, "{throttled} processes");
    assert!((of(1, THROTTLED + THREADS) - 0.7).abs() < 1e-6, "{} threads", of(1, THROTTLED + THREADS));
    assert_eq!(sums.hosts[0].no_work, 0);
}

#[test]
fn a_planted_slowness_is_the_largest_row_of_the_difference() {
    let host = NodeConfig { round_robin_quantum: Ns::from_ms(10.0), ..lossless(Scheduler::RoundRobin) };
    let a = one(host, hogs(7));
    let on_host = |change: &dyn Fn(&mut NodeConfig)| changed(&a, |c| change(&mut c.nodes[0]));
    near(largest(&a, &on_host(&|n| n.smt_yield = vec![1.0, 1.2])), ("siblings", 4.0 * 0.4), 1e-5);
    // All cores are active, so all of a fifth above full speed is lost of each thread, v0 being 1.2.
    near(largest(&a, &on_host(&|n| n.turbo_one_core = 1.2)), ("turbo", 4.0 * 0.2 / 1.2), 1e-5);
    // Two cores run the instance: 1 / (1 + 0.1 / 2).
    let shares = |i: &mut InstanceConfig| i.coherence.cores = 0.1;
    near(largest(&a, &changed(&a, |c| shares(&mut c.instances[0]))), ("shared", 4.0 * (1.0 - 1.0 / 1.05)), 1e-5);
    // A switch every 10 ms, and within a tenth of that one more where transactions of 100 ms end between.
    let refill = largest(&a, &on_host(&|n| (n.switch_refill, n.switch_direct) = (Ns::from_ms(2.0), Ns::from_ms(1.0))));
    near(refill, ("refill", 4.0 * 0.2), 0.02);
    let moves = largest(&a, &on_host(&|n| (n.migration_refill, n.switch_direct) = (Ns::from_ms(2.0), Ns(1000))));
    assert!(moves.0 == "migration" && moves.1 > 0.1, "{moves:?}");
    let caged = |post: f64| {
        let cage = CageConfig { tick: Ns::ZERO, safe_point: Ns::ZERO, quantum: Ns::from_ms(4.0), ..cage(4) };
        changed(&a, |c| c.instances[0].cage = Some(CageConfig { post: Ns::from_ms(post), ..cage.clone() }))
    };
    near(largest(&caged(0.0), &caged(1.0)), ("post", 4.0 * 0.25), 0.02);
}

/// Sessions that think, on CPUs of AIX that take nobody from one another: some wait while others idle.
#[test]
fn unbalanced_queues_are_the_largest_row_of_the_difference() {
    let lazy = |migration_cost: f64| {
        let cfs = CfsTunables { migration_cost: Ns::from_ms(migration_cost), ..node().cfs };
        one(NodeConfig { cfs, scheduler: Scheduler::Aix, ..node() }, clients(12, Ns::from_ms(10.0)))
    };
    let (cause, threads) = largest(&lazy(0.0), &lazy(1e5));
    assert!(cause == "balance" && threads > 0.1, "{cause} {threads}");
}

/// Hogs hold the threads while a holder waits for one: nothing idles, but sessions wait in the event.
#[test]
fn a_held_latch_is_where_sessions_wait_and_spin() {
    let config = |held_share: f64| {
        let mut instance = hogs(8);
        instance.latch = LatchConfig { held_share, request_per_s: 2000.0, spin: Ns::from_us(10.0) };
        let hog = wwi_model::testing::ordinary();
        let background = Background { processes: 12, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind: hog };
        one(NodeConfig { background, ..lossless(Scheduler::RoundRobin) }, instance)
    };
    let span = Ns::from_s(20.0);
    let [free, held] = [0.0, 1.0].map(|share| sums_of(&config(share), span));
    let asleep = |sums: &Accounts| sums.groups[0].time[Activity::LATCH.i()] as f64 / span.0 as f64;
    let grown = asleep(&held) - asleep(&free);
    let ready = |sums: &Accounts| sums.groups[0].time[Activity::RUN_QUEUE.i()] as f64 / span.0 as f64;
    assert!(grown > 0.5 && grown > ready(&held) - ready(&free), "{grown} sessions sleep");
    let (cause, threads) = largest(&config(0.0), &config(1.0));
    assert!(["spinning", "latch"].contains(&cause) && threads > 1e-3, "{cause} {threads}");
}

/// The ledger only watches: without it everything else happens at the same moments, and there is nothing in its books
/// but what others book, too.
#[test]
fn without_a_ledger_all_else_is_the_same() {
    for seed in 0..60 {
        let config = several(seed);
        let run = |keeps_ledger: bool| {
            let mut world = World::new(&config, 0);
            if !keeps_ledger {
                world.keep_no_ledger();
            }
            world.run(Ns(ODD), 20_000);
            world.cut();
            let all_else = |group: &Group| Group { book: Default::default(), rounding: 0, ..group.clone() };
            let groups: Vec<Group> = world.accounts.groups.iter().map(all_else).collect();
            let hosts =
                world.accounts.hosts.iter().map(|h| (h.switching, h.spinning, h.switches, h.stays, h.stay_time));
            let sums = (hosts.collect::<Vec<_>>(), world.accounts.threads.clone(), world.accounts.events, world.now);
            let spans: u64 = world.accounts.groups.iter().map(|g| g.book.spans[WAITS..].iter().sum::<u64>()).sum();
            (format!("{groups:?} {sums:?}"), spans + world.accounts.hosts.iter().map(|h| h.no_work).sum::<u64>())
        };
        let ((with, _), (without, booked)) = (run(true), run(false));
        assert_eq!(with, without, "seed {seed}");
        assert_eq!(booked, 0, "seed {seed}: threads that idle are dealt to nobody");
    }
}

/// A cage holds coordinators and their slaves: what each waits for a slot is of its own kind, and all that processes of
/// a kind do is as long as they live.
#[test]
fn a_wait_for_a_slot_is_of_the_kind_that_waits() {
    let mut instance = coordinators(0, 2, 0, parallel_query());
    instance.cage = Some(cage(2));
    let report = finish(&one(node(), instance), goal(0.05, 2_000_000));
    let for_the_limit = ["session", "slave"].map(|kind| {
        let own = || report.ledger.iter().filter(|row| row.kind == Some(kind));
        let sum = |is: &dyn Fn(&str) -> bool| -> f64 {
            let rows = own().filter(|row| is(row.cause));
            rows.filter_map(|row| row.processes.as_ref()).map(|processes| processes.mean).sum()
        };
        let alive = sum(&|cause| cause == "alive");
        near_rel(sum(&|cause| !["alive", "under_way"].contains(&cause)), alive, 1e-9, kind);
        let waits = report.waits.iter().find(|row| row.process_kind == kind && row.event.starts_with("resmgr"));
        let waits = waits.map_or(0.0, |row| row.aas.mean);
        assert!(waits > 0.1, "{waits} of {kind} wait for a slot");
        near_rel(sum(&|cause| cause.starts_with("cage")), waits, 1e-6, kind);
        sum(&|cause| cause == "cage_limit") / waits
    });
    // A cage does not tell whom it keeps waiting for its limit: of both kinds it is the same share.
    near_rel(for_the_limit[0], for_the_limit[1], 1e-6, "for the limit");
}

/// Four with 30 ms of 100 may run anywhere on eight CPUs: while they may not, four CPUs are wanting for the quota and
/// nobody is bound. They use it up in 7.5 ms, and four CPUs have no work at any time.
#[test]
fn whom_a_quota_holds_back_is_not_bound_besides() {
    let quota =
        CgroupConfig { weight: 100, quota: Some(Ns::from_ms(30.0)), period: Ns::from_ms(100.0), burst: Ns::ZERO };
    let group = InstanceConfig { cgroup: Some(quota), ..hogs(4) };
    let span = Ns::from_s(20.0);
    let sums = sums_of(&one(NodeConfig { cores_per_socket: 8, ..node() }, group), span);
    let of = |cause: usize| sums.groups[0].book.spans[cause] as f64 / span.0 as f64;
    assert_eq!(of(BINDING), 0.0);
    let (held, no_work) = (of(THROTTLED + THREADS), sums.hosts[0].no_work as f64 / span.0 as f64);
    assert!((held + no_work - 7.7).abs() < 0.01, "{held} and {no_work} idle CPUs");
    assert!((no_work - 4.0).abs() < 0.2, "{no_work} without work");
}
