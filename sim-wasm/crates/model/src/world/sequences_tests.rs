//! Sequences of random clusters: no value is given twice, none gets lost unnoticed, with ORDER they come in order, and
//! whoever is killed with a lock, at the gate or on the way to one keeps nobody from going on.
use super::database_books::{notes, Note};
use super::*;
use crate::config::database::{ContendedConfig, DatabaseConfig, TransactionConfig};
use crate::config::kinds::KindId;
use crate::config::sequence::{LockServers, SequenceConfig, Transfers};
use crate::config::{Arrivals, Demand, DemandShape, InstanceConfig, NodeConfig, Scheduler};
use crate::ids::{QueueId, Reply};
use crate::instance::sequence::{Sequence, Which};
use crate::measure::cluster::Gc;
use crate::measure::database::Sum;
use crate::testing::{cluster, database, lms, member, near_abs, near_rel, node, oltp, one, ordinary, window};

struct Draw(Stream);

impl Draw {
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.0.below(list.len() as u64) as usize]
    }
}

fn sequence(draw: &mut Draw, joined: bool) -> SequenceConfig {
    let given =
        Transfers::Given { lock: Ns::from_us(draw.of(&[0.0, 1.0, 800.0])), cr: Ns::from_us(300.0), current: Ns(0) };
    SequenceConfig {
        values: draw.of(&[0.5, 1.0, 3.0]),
        cache: draw.of(&[1, 2, 5, 20]),
        index_rows: 0,
        is_ordered: draw.of(&[false, true]),
        parse: Ns::from_us(draw.of(&[0.0, 30.0])),
        update: Ns::from_us(draw.of(&[0.0, 100.0])),
        flush: Ns::from_ms(draw.of(&[0.0, 20.0])),
        transfers: draw.of(&[Transfers::Messages, given]),
        servers: joined.then(|| LockServers { lmd: ordinary(), lck0: ordinary() }),
    }
}

fn instance(draw: &mut Draw, node: usize, of: &SequenceConfig) -> InstanceConfig {
    let mut instance = member(node, 1 + draw.of(&[0, 1, 4]), Ns::from_us(draw.of(&[0.0, 500.0])), lms(0.0, 0.0));
    instance.workload.demand =
        Demand { mean: Ns::from_us(200.0), shape: draw.of(&[DemandShape::Constant, DemandShape::Exponential]) };
    instance.others.sequence = Some(Box::new(of.clone()));
    if of.servers.is_none() {
        instance.others.lms = None;
    }
    let database = instance.others.database.as_mut().expect("it has one");
    database.transaction.calls = draw.of(&[1, 3]);
    instance
}

fn random(seed: u64) -> (Config, Draw) {
    let mut draw = Draw(Stream::new(seed, 0, "test", 1, "sequences"));
    let joined = draw.of(&[false, true, true]);
    let of = sequence(&mut draw, joined);
    let count = 2 + draw.of(&[0, 0, 1, 2]);
    let instances = (0..count).map(|at| instance(&mut draw, at, &of)).collect();
    (Config { nodes: vec![node(); count], instances, cluster: joined.then(|| cluster(0)), seed }, draw)
}

/// What was taken since this was asked last: instance and value.
fn taken() -> Vec<(usize, u64)> {
    notes()
        .into_iter()
        .filter_map(|note| if let Note::Value(of, value) = note { Some((of, value)) } else { None })
        .collect()
}

fn check(world: &World, taken: &[(usize, u64)], case: &str) {
    let joined = world.cluster.is_some();
    let instances = world.instances.len();
    let all_told_is_sent =
        |at: usize| world.accounts.cluster.get(at, Gc::Sent) >= world.accounts.cluster.get(at, Gc::Told);
    assert!(!joined || (0..instances).all(all_told_is_sent), "{case}: messages");
    for (at, sequence) in world.sequences.iter().enumerate() {
        let own = |instance: usize| joined || instance == at;
        let mut values: Vec<u64> = taken.iter().filter(|of| own(of.0)).map(|of| of.1).collect();
        if sequence.config.is_ordered || sequence.config.cache == 1 {
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{case}: in order");
        }
        let in_time = |instance: usize| {
            let all: Vec<u64> = taken.iter().filter(|of| of.0 == instance).map(|of| of.1).collect();
            all.windows(2).all(|pair| pair[0] < pair[1])
        };
        assert!((0..instances).all(in_time), "{case}: each instance in order");
        let number = values.len() as u64;
        values.sort_unstable();
        values.dedup();
        assert_eq!(values.len() as u64, number, "{case}: a value twice");
        let lost: u64 =
            (0..instances).filter(|&i| own(i)).map(|i| world.accounts.databases[i].get(Sum::SequenceLost)).sum();
        let left: u64 = (0..instances).map(|i| sequence.left(i as u8)).sum();
        assert_eq!(number + lost + left, sequence.high(), "{case}: values");
        let changes: u64 =
            (0..instances).filter(|&i| own(i)).map(|i| world.accounts.databases[i].get(Sum::SequenceChanges)).sum();
        assert_eq!(changes * u64::from(sequence.config.cache), sequence.high(), "{case}: changes of SEQ$");
    }
}

/// Kills about half of the sessions, each at a moment of its own.
fn kill_some(world: &mut World, draw: &mut Draw) {
    let sessions: Vec<Pid> = (0..world.processes.len() as u32)
        .map(Pid)
        .filter(|pid| matches!(world.tasks[pid.i()].program, crate::program::Program::Foreground(_)))
        .collect();
    for pid in sessions {
        if draw.of(&[true, false]) {
            let until = world.now.plus(Ns(draw.0.below(2_000_000)));
            world.run(until, u64::MAX);
            world.kill(pid);
        }
    }
}

fn alive(world: &World, instance: usize) -> bool {
    (0..world.processes.len()).any(|at| {
        let is_session = matches!(world.tasks[at].program, crate::program::Program::Foreground(_));
        is_session && usize::from(world.processes[at].instance) == instance && !world.tasks[at].is_gone
    })
}

#[test]
fn values_are_given_once_and_nobody_who_is_gone_keeps_others_from_theirs() {
    let (all, orders) = outlive(0..300, |_, _| ());
    assert!(all > 100_000 && orders > 50, "{all} values, {orders} orders");
}

/// The same where values go into an index, and who is killed has a leaf pinned, waits for one or has yet to come to it.
#[test]
fn nobody_who_is_gone_keeps_others_from_a_leaf() {
    let (all, orders) = outlive(300..360, |config, draw| {
        let (rows, blocks) = (draw.of(&[1, 7, 500]), draw.of(&[1, 9]));
        let pin = Ns::from_us(draw.of(&[0.0, 50.0]));
        if let Some(cluster) = &mut config.cluster {
            (cluster.blocks, cluster.pin) = (blocks, pin);
        }
        for instance in &mut config.instances {
            instance.others.sequence.as_mut().expect("it has one").index_rows = rows;
            let database = instance.others.database.as_mut().expect("it has one");
            database.contended = ContendedConfig { blocks, changes: 0.0, pin };
        }
    });
    assert!(all > 10_000 && orders > 10, "{all} values, {orders} orders");
}

/// Random clusters, changed so, of which half of the sessions are killed: values taken, and clusters with ORDER.
fn outlive(seeds: std::ops::Range<u64>, change: impl Fn(&mut Config, &mut Draw)) -> (usize, usize) {
    let (mut all, mut orders) = (0, 0);
    for seed in seeds {
        let (mut config, mut draw) = random(seed);
        change(&mut config, &mut draw);
        let of = config.instances[0].others.sequence.as_deref().expect("it has one").clone();
        let case = format!("seed {seed}, {} instances, {of:?}", config.instances.len());
        let _ = notes();
        let mut world = World::new(&config, 0);
        world.run(Ns::from_ms(60.0), u64::MAX);
        kill_some(&mut world, &mut draw);
        let mut given = taken();
        let now = world.now;
        world.run(now.plus(Ns::from_ms(150.0)), u64::MAX);
        let later = taken();
        for instance in (0..config.instances.len()).filter(|&instance| alive(&world, instance)) {
            assert!(later.iter().any(|of| of.0 == instance), "{case}: instance {instance} stands still");
        }
        given.extend(later);
        check(&world, &given, &case);
        all += given.len();
        orders += usize::from(of.is_ordered && config.cluster.is_some());
    }
    (all, orders)
}

#[test]
fn the_marks_of_the_published_example_come_out_one_higher() {
    let of = |cache| SequenceConfig {
        values: 1.0,
        cache,
        index_rows: 0,
        is_ordered: false,
        parse: Ns::ZERO,
        update: Ns::ZERO,
        flush: Ns::ZERO,
        transfers: Transfers::Messages,
        servers: None,
    };
    // Instance 1 takes a value, then 2, then 1 until it has 40, then 2 until it has 20: the first has its second range
    // before the other has used up its first.
    let changes = |cache: u32, turns: &[(u8, u64)]| {
        let mut sequence = Sequence::new(of(cache), 2, 0);
        let mut changes = 0;
        for &(member, times) in turns {
            for _ in 0..times {
                if sequence.take(member).is_none() {
                    sequence.changed(member);
                    changes += 1;
                    assert!(sequence.take(member).is_some());
                }
            }
        }
        (changes, sequence.high())
    };
    let published: [(u8, u64); 4] = [(0, 1), (1, 1), (0, 39), (1, 19)];
    assert_eq!(changes(20, &published), (3, 60));
    let alternating: Vec<(u8, u64)> = (0..30).flat_map(|_| [(0, 1), (1, 1)]).collect();
    assert_eq!(changes(20, &alternating), (4, 80));
    assert_eq!(changes(1, &published), (60, 60));
}

fn cached(is_ordered: bool) -> SequenceConfig {
    SequenceConfig {
        values: 1.0,
        cache: 20,
        index_rows: 0,
        is_ordered,
        parse: Ns::ZERO,
        update: Ns::ZERO,
        flush: Ns::ZERO,
        transfers: Transfers::Messages,
        servers: None,
    }
}

/// Values that all share are lost once, by whoever looks first after a flush; what an instance has of its own by that
/// instance.
#[test]
fn a_flush_takes_what_was_cached_once() {
    let mut shared = Sequence::new(cached(true), 3, 1);
    shared.changed(2);
    assert_eq!([2, 1, 2].map(|member| shared.flushed(member, 1)), [20, 0, 0]);
    shared.changed(1);
    assert_eq!([2, 1, 1].map(|member| shared.flushed(member, 2)), [20, 0, 0]);
    let mut own = Sequence::new(cached(false), 2, 0);
    (0..2).for_each(|member| own.changed(member));
    assert!(own.take(0).is_some());
    assert_eq!([1, 0, 0].map(|member| own.flushed(member, 1)), [20, 19, 0]);
}

/// A flush loses what is left of twenty values, 9.5 on average, and nothing while the row is changed: then nobody has
/// any. Ten milliseconds of each twenty go by in changes.
#[test]
fn a_flush_during_a_refill_loses_nothing() {
    let of = SequenceConfig { update: Ns::from_ms(10.0), flush: Ns::from_s(1.0), ..cached(false) };
    let transaction = TransactionConfig {
        calls: 1,
        changes: 0.0,
        redo: 0.0,
        reads: 0.0,
        commit_waits: false,
        commit_posts: false,
        ..database().transaction
    };
    let mut instance = oltp(1, DatabaseConfig { transaction, ..database() });
    instance.workload.demand = Demand { mean: Ns::from_ms(0.5), shape: DemandShape::Exponential };
    instance.others.sequence = Some(Box::new(of));
    let mut world = World::new(&one(node(), instance), 0);
    let sums = window(&mut world, Ns::from_s(0.5), Ns::from_s(400.5));
    let flushes = 400.0;
    let [lost, changes] = [Sum::SequenceLost, Sum::SequenceChanges].map(|sum| sums.databases[0].get(sum) as f64);
    let refilling = changes * 10.0 / 400_000.0;
    assert!((0.45..0.75).contains(&refilling), "{refilling} of the time");
    let expected = 9.5 * (1.0 - refilling);
    assert!((lost / flushes - expected).abs() < 1.0, "{} a flush, not {expected}", lost / flushes);
}

/// A sequence that costs nothing, with an index of so many rows a leaf.
fn indexed(values: f64, (cache, is_ordered): (u32, bool), index_rows: u32) -> Option<Box<SequenceConfig>> {
    let transfers = Transfers::Given { lock: Ns::ZERO, cr: Ns::ZERO, current: Ns::ZERO };
    let servers = Some(LockServers { lmd: ordinary(), lck0: ordinary() });
    Some(Box::new(SequenceConfig { values, cache, is_ordered, index_rows, transfers, servers, ..cached(false) }))
}

/// Two nodes with 20 sessions each that take values seldom, and change no block but leaves of the index.
fn inserting(values: f64, of: (u32, bool), rows: u32) -> World {
    let mut config = one(node(), member(0, 20, Ns::from_ms(400.0), lms(0.0, 0.0)));
    config.instances[0].others.sequence = indexed(values, of, rows);
    config.instances.push(InstanceConfig { node: 1, ..config.instances[0].clone() });
    (config.nodes, config.cluster) = (vec![node(); 2], Some(cluster(1000)));
    let mut world = World::new(&config, 1);
    world.run(Ns::from_s(100.0), u64::MAX);
    world
}

/// Values taken, and blocks that went from one instance to the other.
fn found(world: &World) -> (f64, f64) {
    let values = world.accounts.databases.iter().map(|of| of.get(Sum::SequenceValues)).sum::<u64>();
    let moved = [0, 1].map(|at| world.accounts.cluster.get(at, Gc::CurrentServed)).iter().sum::<u64>();
    (values as f64, moved as f64)
}

/// Where an instance has 1000 values of its own and a leaf 500 of them, no leaf is of two instances: no block goes to
/// and fro. Where a leaf has those of many turns, or all take one order, both are in the same leaf: a change is as
/// likely of the one as of the other, and so is the one before, so that every second one has to get the leaf.
#[test]
fn instances_share_a_leaf_unless_each_has_more_values_than_a_leaf_has_rows() {
    for (cache, rows) in [(1000, 500), (10_000, 500), (500, 500), (20, 20)] {
        let (values, moved) = found(&inserting(1.0, (cache, false), rows));
        assert!(values > 9_000.0 && moved == 0.0, "CACHE {cache}, {rows} rows: {moved} of {values}");
    }
    for (of, rows) in [((20, false), 5000), ((1, false), 500), ((20, true), 500), ((10_000, true), 500)] {
        let (values, moved) = found(&inserting(1.0, of, rows));
        near_abs(moved / values, 0.5, 0.02, &format!("{of:?}, {rows} rows"));
    }
}

/// Each value is a change of a leaf, and each change of SEQ$ one of its block; nothing else is changed here. On their
/// way are no more than the sessions have.
#[test]
fn each_value_is_inserted_once() {
    for (values, cache) in [(1.0, 20), (3.0, 20), (3.0, 1), (0.4, 1000)] {
        let world = inserting(values, (cache, false), 500);
        for of in &world.accounts.databases {
            let [taken, rows, changes] =
                [Sum::SequenceValues, Sum::SequenceChanges, Sum::Changes].map(|sum| of.get(sum));
            assert!(taken > 1500 && (taken + rows).abs_diff(changes) <= 60, "{taken} + {rows} for {changes}");
        }
    }
}

/// On an instance alone all sessions are in one leaf, which is changed all the time, 20,000 times a second with a pin
/// of 50 µs, whatever CACHE is and however many blocks leaves go round in. From leaf to leaf two are changed at once
/// for a change or two of 500.
#[test]
fn on_an_instance_alone_all_are_in_the_last_leaf_whatever_cache_is() {
    for cache in [20, 10_000] {
        let contended = ContendedConfig { blocks: 8, changes: 0.0, pin: Ns::from_us(50.0) };
        let transaction = TransactionConfig { commit_waits: false, ..database().transaction };
        let mut instance = oltp(8, DatabaseConfig { contended, transaction, ..database() });
        instance.workload.arrivals = Arrivals::Closed { sessions: 8, think: Ns::ZERO, start_spread: Ns::from_ms(1.0) };
        instance.workload.demand = Demand { mean: Ns::from_us(100.0), shape: DemandShape::Constant };
        instance.others.sequence = indexed(1.0, (cache, false), 500);
        let host = NodeConfig { cores_per_socket: 16, scheduler: Scheduler::Fifo, ..node() };
        let mut world = World::new(&one(host, instance), 1);
        let sums = window(&mut world, Ns::from_s(0.5), Ns::from_s(2.5));
        near_rel(sums.databases[0].get(Sum::SequenceValues) as f64 / 2.0, 20_000.0, 0.01, "values a second");
    }
}

/// A lock of five instances that the first has, and a session of it uses.
fn used() -> Sequence {
    let mut sequence = Sequence::new(cached(false), 5, 0);
    let lock = sequence.lock(Which::Row);
    (0..5).for_each(|member| lock.asks(member, Reply { queue: QueueId(0), wait: 0 }));
    assert!(lock.is_free_for(0));
    lock.arrives(0, true);
    sequence
}

/// It leaves once no session of the holder uses it, whether that had it from elsewhere or from another session there.
#[test]
fn a_lock_stays_while_a_session_of_its_holder_uses_it() {
    let mut sequence = used();
    let lock = sequence.lock(Which::Row);
    assert!(!lock.done() && lock.take(0, Ns::ZERO) && !lock.take(0, Ns::ZERO), "nobody else, and one at a time");
    for _ in 0..2 {
        assert_eq!((lock.heard(1), lock.leaves()), (None, None), "the second uses it");
    }
    assert!(lock.done());
    assert_eq!(lock.leaves(), Some(1));
    let mut sequence = used();
    assert_eq!(sequence.lock(Which::Row).heard(1), None, "the first does");
}

/// Further requests wait at the master, which tells the holder of one at a time, in the order in which they came.
#[test]
fn who_wants_a_lock_is_told_of_in_order() {
    let mut sequence = used();
    let lock = sequence.lock(Which::Row);
    (1..5).for_each(|member| lock.asks(member, Reply { queue: QueueId(0), wait: 0 }));
    assert_eq!([3, 1, 4, 2].map(|member| lock.came(member)), [Some((0, 3)), None, None, None]);
    for (holder, next, then) in [(0, 3, Some(1)), (3, 1, Some(4)), (1, 4, Some(2)), (4, 2, None)] {
        assert_eq!(lock.owner(), holder);
        assert_eq!((lock.heard(next), lock.done(), lock.leaves()), (None, true, Some(next)));
        assert_eq!(lock.came_back(), then.map(|then| (next, then)));
        lock.arrives(next, true);
    }
}

/// A message takes LMD and LCK0 20 + 15 µs, and 20 to wake up. Where a session on each of two instances thinks for
/// 20 ms between two values without CACHE, whose hand-over takes less than one, they sleep before almost all.
#[test]
fn lock_servers_pay_for_their_wake_ups() {
    let servers = Some(LockServers { lmd: ordinary(), lck0: ordinary() });
    let of = SequenceConfig { cache: 1, servers, ..cached(false) };
    let mut config = one(node(), member(0, 1, Ns::from_ms(20.0), lms(0.0, 0.0)));
    config.instances[0].others.sequence = Some(Box::new(of));
    config.instances.push(InstanceConfig { node: 1, ..config.instances[0].clone() });
    (config.nodes, config.cluster) = (vec![node(); 2], Some(cluster(100)));
    let mut world = World::new(&config, 1);
    world.run(Ns::from_s(50.0), u64::MAX);
    for (kind, instance) in [(KindId::LMD, 0), (KindId::LCK0, 0), (KindId::LCK0, 1)] {
        let sums = &world.accounts.groups[config.group(kind, instance)];
        let each = sums.work as f64 / f64::from(1 << 20) / sums.transactions as f64;
        assert!(sums.transactions > 1_000, "{} messages", sums.transactions);
        near_rel(each, 55_000.0, 0.02, "CPU of a message [ns]");
    }
}
