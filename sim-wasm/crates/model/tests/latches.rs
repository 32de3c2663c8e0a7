//! Latch holders that lose the CPU, against arithmetic: three sessions take turns on two CPUs, so one always waits.
//!
//! With turns of q and a cost d of each switch, who gives way at time 0 waits until the other CPU's turn ends, at a
//! moment δ that is uniform in (0, q); then he pays d and lets his latch go at δ + d. Meanwhile his successor pays
//! until d and works until δ + d or the end of his turn at q: min(δ, q − d). The other, on whose CPU he will be,
//! works until δ except for what was left of his own payment: min(δ, q − d) again. So each time that a latch is
//! held, with u = q − d,
//!
//!     requests for it = 2 r E min(δ, u) = 2 r (u − u² / 2q)
//!
//! at the rate r of one working session, if they are so rare that a second one never matters.
//!
//! Who asks while the holder waits gives his CPU to the holder, the only one who waits; so he sleeps until that one
//! has paid: d. Who asks while the holder pays sleeps until then: δ + d − t. With d = u = q/2, the other sleeps q/2
//! each time, which weighs 3/8 q · q/2; the successor sleeps q/2 if t < δ, which weighs q/8 · q/2; and else δ/2 on
//! average, which weighs q²/48 for δ < q/2 and q²/24 beyond. In all 5/16 q² over 3/4 q requests: 5/12 q on average.
use wwi_kernel::time::Ns;
use wwi_model::config::kinds::KindId;
use wwi_model::config::*;
use wwi_model::host::topology::Q;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{coordinators, database, hogs, node, oltp, one, parallel_query, window};
use wwi_model::world::World;

const TURN_MS: f64 = 100.0;
const COST_MS: f64 = 50.0;
const SPIN_MS: f64 = 0.2;

fn two_cpus(latch: LatchConfig) -> Config {
    let host = NodeConfig {
        cores_per_socket: 2,
        scheduler: Scheduler::RoundRobin,
        round_robin_quantum: Ns::from_ms(TURN_MS),
        switch_refill: Ns::from_ms(COST_MS),
        ..node()
    };
    let mut instance = hogs(3);
    instance.latch = latch;
    one(host, instance)
}

#[derive(Debug, Default)]
struct Seen {
    /// Looks at a moment with one session in the run queue, and how often it held a latch.
    looks: f64,
    holders: f64,
    given_way: f64,
    slept: f64,
    slept_ms: f64,
    spun_ms: f64,
    worked_ms: f64,
    useful_ms: f64,
}

/// From 2 s to 12 s of many replications, looked at each 97 ms.
fn watch(latch: LatchConfig, replications: u32) -> Seen {
    let config = two_cpus(latch);
    let mut seen = Seen::default();
    for replication in 0..replications {
        let mut world = World::new(&config, replication);
        world.run(Ns::from_s(2.0), u64::MAX);
        world.cut();
        let start = world.accounts.clone();
        for look in 1..=103 {
            world.run(Ns::from_ms(2000.0 + 97.0 * f64::from(look)), u64::MAX);
            let waiting = world.processes.iter().filter(|p| p.activity == Activity::RUN_QUEUE);
            for process in waiting {
                seen.looks += 1.0;
                seen.holders += f64::from(u8::from(process.holds_latch));
            }
        }
        world.cut();
        let sums = world.accounts.since(&start);
        let (group, host) = (&sums.groups[0], &sums.hosts[0]);
        seen.given_way += group.involuntary as f64;
        seen.slept += group.stays[Activity::LATCH.i()].count() as f64;
        seen.slept_ms +=
            group.stays[Activity::LATCH.i()].mean() * group.stays[Activity::LATCH.i()].count() as f64 / 1e6;
        seen.spun_ms += host.spinning as f64 / 1e6;
        seen.worked_ms += (group.work >> Q) as f64 / 1e6;
        seen.useful_ms += (sums.threads.iter().map(|t| t.0).sum::<u64>() - host.switching - host.spinning) as f64 / 1e6;
    }
    seen
}

/// Within `sigmas` standard errors of a share of `count` looks.
fn is_share(seen: f64, expected: f64, count: f64, sigmas: f64) -> bool {
    (seen - expected).abs() < sigmas * (expected * (1.0 - expected) / count).sqrt()
}

#[test]
fn holders_requests_spins_and_sleeps_are_those_of_arithmetic() {
    let (held_share, rate, replications) = (0.4, 0.02, 24_000);
    let seen = watch(LatchConfig { held_share, request_per_s: rate, spin: Ns::from_ms(SPIN_MS) }, replications);
    // Two turns of two CPUs end in each q.
    assert!((seen.given_way / (f64::from(replications) * 9.991 * 20.0) - 1.0).abs() < 0.01, "{seen:?}");
    assert!(is_share(seen.holders / seen.looks, held_share, seen.looks, 4.0), "{seen:?}");
    let (q, u) = (TURN_MS, TURN_MS - COST_MS);
    let expected = seen.given_way * held_share * 2.0 * rate / 1e3 * (u - u * u / (2.0 * q));
    assert!((seen.slept - expected).abs() < 4.0 * expected.sqrt(), "{expected} requests: {seen:?}");
    // A sleep has a standard deviation of 12 ms.
    let error_ms = 4.0 * 12.0 / seen.slept.sqrt();
    assert!((seen.slept_ms / seen.slept - 5.0 / 12.0 * q).abs() < error_ms + SPIN_MS, "{error_ms} {seen:?}");
    assert!((seen.spun_ms / seen.slept / SPIN_MS - 1.0).abs() < 0.02, "{seen:?}");
    let booked = seen.worked_ms - seen.useful_ms;
    assert!(booked.abs() < 0.02 * seen.spun_ms, "a spin is no work, but where a transaction ends within it: {seen:?}");
}

#[test]
fn without_holders_or_requests_nobody_spins_or_sleeps() {
    for (held_share, request_per_s) in [(0.0, 1e6), (0.5, 0.0)] {
        let seen = watch(LatchConfig { held_share, request_per_s, spin: Ns::from_us(10.0) }, 20);
        assert!(seen.slept == 0.0 && seen.spun_ms == 0.0 && seen.given_way > 0.0, "{seen:?}");
    }
}

/// A turn that is shorter than what a switch costs is all payment: nobody reads, so nobody holds a latch or asks for
/// one. Who could not pay goes on owing one refill, not the sum of all he began.
#[test]
fn in_debt_nobody_holds_a_latch_and_the_debt_does_not_pile_up() {
    let mut config = two_cpus(LatchConfig { held_share: 1.0, request_per_s: 1e6, spin: Ns::from_us(10.0) });
    config.nodes[0].round_robin_quantum = Ns::from_ms(20.0);
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(1.0), u64::MAX);
    let before = world.accounts.groups[0].stays[Activity::LATCH.i()].count();
    for look in 0..1000 {
        world.run(Ns::from_ms(1200.0 + 7.0 * f64::from(look)), u64::MAX);
        let owed = world.processes.iter().map(|p| p.debt).max().unwrap();
        assert!(owed <= Ns::from_ms(COST_MS), "{owed:?}");
    }
    let asleep = world.accounts.groups[0].stays[Activity::LATCH.i()].count();
    assert!(asleep <= before + 3, "nobody works, so nobody asks: {before} {asleep}");
}

/// With every session that is stopped holding a latch that everybody needs at once, each turn ends at its first
/// request. The holder, who is next, pays, lets go, and works until somebody stops him: nothing stands still for ever.
#[test]
fn latches_that_everybody_needs_slow_the_sessions_and_do_not_stop_them() {
    let mut config = two_cpus(LatchConfig { held_share: 0.6, request_per_s: 30_000.0, spin: Ns::from_us(10.0) });
    config.nodes[0].switch_refill = Ns::from_us(800.0);
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(60.0), u64::MAX);
    world.cut();
    let share = (world.accounts.groups[0].work >> Q) as f64 / 120e9;
    // One CPU's turns end at most each 100 ms with 0.8 ms of payment, and while one sleeps the other works.
    assert!(share > 0.5, "{share}");
}

/// A holder lets go when he works again: not before he has paid for the switch.
#[test]
fn a_holder_lets_go_once_he_works() {
    let config = two_cpus(LatchConfig { held_share: 1.0, request_per_s: 0.0, spin: Ns::ZERO });
    let mut world = World::new(&config, 1);
    let (mut paying, mut working) = (0, 0);
    for look in 0..20_000 {
        world.run(Ns::from_ms(2000.0 + 3.7 * f64::from(look)), u64::MAX);
        for thread in &world.threads {
            let process = &world.processes[thread.running.i()];
            let paid = world.now - thread.since >= process.debt;
            assert_eq!(process.holds_latch, !paid, "at {:?}", world.now);
            paying += u32::from(!paid);
            working += u32::from(paid);
        }
    }
    assert!(paying > 10_000 && working > 10_000, "{paying} {working}");
}

/// Two sessions take turns on one CPU, and who gives way is caught with the latch unless he posts just then. His
/// successor asks at once and sleeps; he himself works, lets go and posts. Every second time the sleeper is a whole
/// slice (3 ms) behind him, more than `wakeup_granularity`, and takes the CPU at that moment, from somebody who holds
/// nothing; else the two are level. So of three times that one gives way two are with the latch, each followed by one
/// sleep.
#[test]
fn who_is_pre_empted_by_whom_it_posts_has_let_go() {
    let latch = LatchConfig { held_share: 1.0, request_per_s: 1e7, spin: Ns::from_us(1.0) };
    let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Cfs, ..node() };
    let mut world = World::new(&one(host, InstanceConfig { latch, ..hogs(2) }), 0);
    let group = &window(&mut world, Ns::from_s(2.0), Ns::from_s(12.0)).groups[0];
    let (sleeps, given_way) = (group.stays[Activity::LATCH.i()].count(), group.involuntary);
    assert!(sleeps > 1000, "{sleeps}");
    assert!((3 * sleeps).abs_diff(2 * given_way) < 20, "{sleeps} sleeps, {given_way} times given way");
}

/// A log writer that needs five turns to gather loses its CPU as often as a session. It reads no blocks: it is never
/// caught with a latch of theirs and asks for none, where any session that runs beside a caught one sleeps at once: on
/// one CPU one that gets it then, on two also one that has the other.
#[test]
fn who_reads_no_blocks_neither_holds_their_latches_nor_asks_for_them() {
    let latch = LatchConfig { held_share: 1.0, request_per_s: 1e7, spin: Ns::from_us(1.0) };
    for cpus in [1, 2] {
        let host = NodeConfig {
            cores_per_socket: cpus,
            scheduler: Scheduler::RoundRobin,
            round_robin_quantum: Ns::from_ms(1.0),
            ..node()
        };
        let mut database = database();
        database.log.gather = Ns::from_ms(5.0);
        let mut instance = InstanceConfig { latch, ..oltp(6, database) };
        instance.workload.demand.mean = Ns::from_ms(3.0);
        let config = one(host, instance);
        let mut world = World::new(&config, 0);
        let writer = config.group(KindId::LGWR, 0);
        let mut caught = 0;
        for look in 1..=40_000 {
            world.run(Ns::from_us(100.0 * f64::from(look)), u64::MAX);
            let writers = world.processes.iter().filter(|p| usize::from(p.group) == writer);
            caught += writers.filter(|p| p.holds_latch).count();
        }
        world.cut();
        let [sessions, writer] = [0, writer].map(|group| &world.accounts.groups[group]);
        let slept = |group: &wwi_model::measure::accounts::Group| group.stays[Activity::LATCH.i()].count();
        assert!(writer.involuntary > 300 && slept(sessions) > 300, "{} {}", writer.involuntary, slept(sessions));
        assert_eq!((caught, slept(writer)), (0, 0), "{cpus}");
    }
}

/// Four slaves scan on one CPU in turns, caught with a latch whenever a turn ends: the next one asks and sleeps.
#[test]
fn slaves_take_latches_as_sessions_do() {
    let latch = LatchConfig { held_share: 1.0, request_per_s: 1e7, spin: Ns::from_us(1.0) };
    let host = NodeConfig {
        cores_per_socket: 1,
        scheduler: Scheduler::RoundRobin,
        round_robin_quantum: Ns::from_ms(1.0),
        ..node()
    };
    // 17 rows of 0.1 ms a message.
    let query = parallel::ParallelQuery { scan: 1e5, ..parallel_query() };
    let config = one(host, InstanceConfig { latch, ..coordinators(0, 1, 1, query) });
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(3600.0), u64::MAX);
    assert!(world.runs.are_over(), "nothing stands still for ever");
    let slaves = &world.accounts.groups[config.group(KindId::SLAVE, 0)];
    let slept = slaves.stays[Activity::LATCH.i()].count();
    assert!(slaves.involuntary > 50 && slept > 50, "{} {slept}", slaves.involuntary);
}
