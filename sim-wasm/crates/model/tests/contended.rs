//! Blocks that all sessions change, one at a time: rates and waits by arithmetic.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{
    CacheConfig, ContendedConfig, DatabaseConfig, LogConfig, QueryConfig, TransactionConfig,
};
use wwi_model::config::*;
use wwi_model::measure::accounts::Accounts;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::testing::{cluster, database, device, interconnect, lms, member, node, oltp, one, window};
use wwi_model::world::World;

const PIN_US: f64 = 50.0;

/// Sessions that work for 100 µs and then change one of so many blocks, which they have pinned for 50 µs of work; no
/// commit waits.
fn changing(sessions: u32, blocks: u32, changes: f64) -> InstanceConfig {
    let contended = ContendedConfig { blocks, changes, pin: Ns::from_us(PIN_US) };
    let transaction = TransactionConfig { commit_waits: false, ..database().transaction };
    let cache = CacheConfig { hot_share: 0.0, ..database().cache };
    let mut instance = oltp(sessions, DatabaseConfig { contended, transaction, cache, ..database() });
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::from_ms(1.0) };
    instance.workload.demand = Demand { mean: Ns::from_us(100.0), shape: DemandShape::Constant };
    instance
}

fn measure(config: &Config, seconds: f64) -> (Accounts, World) {
    let mut world = World::new(config, 1);
    (window(&mut world, Ns::from_s(1.0), Ns::from_s(1.0 + seconds)), world)
}

fn host(cpus: u32) -> NodeConfig {
    NodeConfig { cores_per_socket: cpus, scheduler: Scheduler::Fifo, ..node() }
}

/// Transactions a second, and waits: how many a transaction, and how long on average \[µs\].
fn found(accounts: &Accounts, seconds: f64) -> (f64, f64, f64) {
    let commits = accounts.databases[0].get(Sum::Commits) as f64;
    let waits = &accounts.groups[0].stays[Activity::BUFFER_BUSY_WAITS.i()];
    (commits / seconds, waits.count() as f64 / commits, waits.mean() / 1e3)
}

/// With a CPU for each, up to three never meet once they have come apart: each comes every 150 µs, and changes for 50.
/// From there on the block is changed all the time, 20,000 times a second, and each waits for the others, in turn:
/// eight come every 400 µs, of which they wait for 250.
#[test]
fn a_block_is_changed_by_one_session_at_a_time() {
    let all = [(1, 6_667.0, 0.0), (3, 20_000.0, 0.0), (4, 20_000.0, 50.0), (8, 20_000.0, 250.0)];
    for (sessions, per_s, wait_us) in all {
        let (accounts, _) = measure(&one(host(16), changing(sessions, 1, 1.0)), 2.0);
        let (rate, waits, mean) = found(&accounts, 2.0);
        assert!((rate / per_s - 1.0).abs() < 0.002, "{sessions}: {rate} a second");
        assert!((waits * mean - wait_us).abs() < 0.5, "{sessions}: {waits} of {mean} µs");
        assert!(sessions < 4 || (waits - 1.0).abs() < 0.001, "{sessions}: each waits once, {waits}");
    }
}

/// Two blocks are changed twice as often by many sessions. Three changes a transaction need them three times as long.
#[test]
fn more_blocks_carry_more_and_more_changes_less() {
    for (blocks, changes, per_s) in [(1, 1.0, 20_000.0), (2, 1.0, 40_000.0), (1, 3.0, 6_667.0), (1, 0.5, 40_000.0)] {
        let (accounts, _) = measure(&one(host(64), changing(64, blocks, changes)), 2.0);
        let rate = found(&accounts, 2.0).0;
        // Of two at random one may stand idle for a moment while all 64 wait for the other.
        assert!(rate <= 1.002 * per_s && rate > 0.97 * per_s, "{blocks}, {changes}: {rate} for {per_s}");
        let sums = &accounts.databases[0];
        let each = sums.get(Sum::Changes) as f64 / sums.get(Sum::Commits) as f64;
        assert!((each / changes - 1.0).abs() < 0.01, "{each} changes");
        let dirty = sums.get(Sum::DirtyTime) as f64 / 2e9;
        assert!(dirty <= f64::from(blocks) + 1e-6, "{dirty} buffers are dirty, a block is in one of them");
    }
}

/// Nor does a transaction without redo. Of four calls the second and the fourth change the block.
#[test]
fn queries_change_no_contended_block() {
    for (share, redo, expected) in [(0.0, 1000.0, 2.0), (0.5, 1000.0, 1.0), (1.0, 1000.0, 0.0), (0.0, 0.0, 0.0)] {
        let mut instance = changing(8, 1, 2.0);
        let of = instance.others.database.as_mut().expect("it has one");
        (of.transaction.calls, of.transaction.redo) = (4, redo);
        of.query = QueryConfig { share, demand: Ns::from_us(100.0), reads: 0.0 };
        let (accounts, _) = measure(&one(host(16), instance), 2.0);
        let changes = accounts.databases[0].get(Sum::Changes) as f64;
        let transactions = accounts.groups[0].response.count() as f64;
        assert!((changes / transactions - expected).abs() < 0.01, "{changes} changes, {transactions} transactions");
    }
}

/// Who has the block loses the CPU now and then, and all others wait until it has one again: on two CPUs that hogs
/// share in turns of 100 ms, of the four sessions at most one works for the block while two hogs have the CPUs.
#[test]
fn who_loses_the_cpu_keeps_the_block() {
    let alone = found(&measure(&one(host(2), changing(4, 1, 1.0)), 4.0).0, 4.0);
    let mut config = one(NodeConfig { scheduler: Scheduler::RoundRobin, ..host(2) }, changing(4, 1, 1.0));
    config.instances.push(wwi_model::testing::hogs(2));
    let (accounts, _) = measure(&config, 40.0);
    let beside = found(&accounts, 40.0);
    let longest = accounts.groups[0].stays[Activity::BUFFER_BUSY_WAITS.i()].max().as_s() * 1e3;
    assert!(longest > 50.0, "some wait for a turn of a hog: {longest} ms");
    assert!(beside.0 < 0.75 * alone.0, "{beside:?} for {alone:?}");
}

/// Two sessions on one CPU, in turns of 100 ms, of 150 µs a change. While nobody waits each turn ends within a change
/// with p = 1/3: then the other one waits, and who has the block has the CPU alone. With its next change it posts who
/// waits, who runs when the turn is over: again within a change with p, in vain, else it has the block. That is one
/// wait in 1 / p + 1 / (1 - p) = 4.5 turns of 667 changes, 3,000 changes; it lasts for 1.5 turns. Were the block kept
/// for who is posted each change would be a wait.
#[test]
fn on_one_cpu_a_wait_begins_where_a_turn_ends_within_a_change() {
    let mut instance = changing(2, 1, 1.0);
    instance.workload.demand.shape = DemandShape::Exponential;
    let config = one(NodeConfig { scheduler: Scheduler::RoundRobin, ..host(1) }, instance);
    let (accounts, _) = measure(&config, 300.0);
    let (rate, waits, asleep) = found(&accounts, 300.0);
    assert!((rate / 6_667.0 - 1.0).abs() < 0.005, "{rate} a second, all of the CPU");
    assert!((1.0 / waits / 3_000.0 - 1.0).abs() < 0.1, "a wait in {} changes", 1.0 / waits);
    let event = Activity::BUFFER_BUSY_WAITS.i();
    let in_queue = accounts.groups[0].queued[event] as f64 / accounts.groups[0].stays[event].count() as f64 / 1e3;
    assert!(((asleep + in_queue) / 150e3 - 1.0).abs() < 0.1, "{asleep} µs asleep, {in_queue} in the run queue");
}

/// Sixteen sessions on one CPU: a turn that ends within a change stops the 15 others at most, and p · 15 waits in 667
/// changes are 0.0075 a change. All of the CPU works on changes.
#[test]
fn a_turn_that_ends_within_a_change_begins_no_convoy() {
    for scheduler in [Scheduler::RoundRobin, Scheduler::Fifo] {
        let mut instance = changing(16, 1, 1.0);
        instance.workload.demand.shape = DemandShape::Exponential;
        let (accounts, _) = measure(&one(NodeConfig { scheduler, ..host(1) }, instance), 20.0);
        let (rate, waits, _) = found(&accounts, 20.0);
        assert!((rate / 6_667.0 - 1.0).abs() < 0.01, "{scheduler:?}: {rate} a second");
        assert!(waits < 0.0075, "{scheduler:?}: {waits} waits a change");
    }
}

/// With a CPU for each, which needs 30 µs to wake up: whoever comes meanwhile takes the block before who was posted.
/// So it is changed once in a pin and a wake-up, 12,500 times a second, or sooner; never more often than once in a pin.
/// Who is woken in vain waits on, and that is one wait: there are fewer waits than changes.
#[test]
fn a_block_that_all_want_is_changed_at_least_once_in_a_pin_and_a_wake_up() {
    let mut instance = changing(16, 1, 1.0);
    instance.workload.demand.shape = DemandShape::Exponential;
    let mut config = one(NodeConfig { scheduler: Scheduler::Cfs, ..host(16) }, instance);
    config.nodes[0].waking.path = Ns::from_us(30.0);
    let (rate, waits, _) = found(&measure(&config, 2.0).0, 2.0);
    assert!(rate > 12_500.0 && rate < 20_000.0, "{rate} a second");
    assert!(waits < 0.95, "{waits} waits a change");
}

/// A log buffer without room stops the session that has the block for a write of 5 ms, and so all that want it: who
/// wants the block waits for two such writes, one before its redo and one after, and hardly ever for a change alone.
#[test]
fn who_waits_for_room_in_the_log_buffer_keeps_the_block() {
    let mut instance = changing(8, 1, 1.0);
    let of = instance.others.database.as_mut().expect("it has one");
    of.transaction.redo = 1000.0;
    of.log = LogConfig { buffer: 10_000, ..of.log };
    of.redo = Some(device(1, Ns::from_ms(5.0), Shape::Constant));
    let (accounts, _) = measure(&one(host(16), instance), 4.0);
    let waits = &accounts.groups[0].stays[Activity::BUFFER_BUSY_WAITS.i()];
    assert!(accounts.groups[0].stays[Activity::LOG_BUFFER_SPACE.i()].count() > 1000);
    let mean = waits.mean() / 1e6;
    assert!(waits.count() > 1000 && mean > 9.0, "{} waits for the block, of {mean} ms", waits.count());
}

/// Blocks that all instances change are pinned as well: sessions of one instance change them one at a time. Where the
/// other instance asks for nothing, that is as on one.
#[test]
fn shared_blocks_are_changed_by_one_session_at_a_time() {
    let (accounts, _) = measure(&of_two([8, 0], 16), 2.0);
    let (rate, waits, mean) = found(&accounts, 2.0);
    assert!((rate / 20_000.0 - 1.0).abs() < 0.002, "{rate}");
    assert!((waits * mean - 250.0).abs() < 0.5, "{waits} of {mean} µs");
}

/// Two nodes with sessions that all change one shared block.
fn of_two(sessions: [u32; 2], cpus: u32) -> Config {
    let changes = |node: usize| lms(0.0, if sessions[node] > 0 { 1.0 } else { 0.0 });
    let mut config = one(host(cpus), member(0, sessions[0], Ns::ZERO, changes(0)));
    config.nodes.push(host(cpus));
    config.instances.push(member(1, sessions[1], Ns::ZERO, changes(1)));
    for instance in &mut config.instances {
        let of = instance.others.database.as_mut().expect("it has one");
        of.transaction.commit_waits = false;
        instance.workload.demand = Demand { mean: Ns::from_us(100.0), shape: DemandShape::Constant };
    }
    let mut joined = cluster(1);
    (joined.interconnect, joined.broadcasts, joined.pin) = (interconnect("1GbE", 1500), false, Ns::from_us(PIN_US));
    joined.defer = Ns::ZERO;
    config.cluster = Some(joined);
    config
}

/// A block that waits 20 ms for its redo before it goes is away from either node half of the time and more. Nobody has
/// it pinned then: whoever wants it waits for it to leave, or to come, and stands in line only while it is there, which
/// is for no longer than each session's 50 µs. With each visit all sessions but one wait for it to come; only those
/// that wait on the other node wait for what they have asked for.
#[test]
fn nobody_stands_in_line_for_a_block_that_is_away() {
    for (sessions, cpus) in [(4, 8), (16, 8), (24, 4)] {
        let mut config = of_two([sessions, sessions], cpus);
        for instance in &mut config.instances {
            let of = instance.others.database.as_mut().expect("it has one");
            of.redo = Some(device(1, Ns::from_ms(20.0), Shape::Constant));
        }
        let (accounts, _) = measure(&config, 20.0);
        let group = &accounts.groups[0];
        let time = |event: Activity| group.time[event.i()] as f64;
        let (line, all) = (&group.stays[Activity::BUFFER_BUSY_WAITS.i()], f64::from(sessions) * 20e9);
        assert!(
            line.count() > 300 && line.max() < Ns(50_000 * u64::from(sessions)),
            "{} of {:?}",
            line.count(),
            line.max()
        );
        assert!(time(Activity::BUFFER_BUSY_WAITS) < 0.02 * all);
        let away = time(Activity::GC_BUFFER_BUSY_ACQUIRE) + time(Activity::GC_BUFFER_BUSY_RELEASE);
        assert!(away > 0.7 * all, "{sessions} on {cpus}: {}", away / all);
        let [came, waited] = [Activity::GC_CURRENT_BUSY, Activity::GC_BUFFER_BUSY_ACQUIRE]
            .map(|event| group.stays[event.i()].count() as f64);
        assert!((waited / came / f64::from(sessions - 1) - 1.0).abs() < 0.1, "{waited} waits for {came} blocks");
    }
}

/// Without redo nothing is changed, on one instance or on several.
#[test]
fn transactions_without_redo_change_no_shared_block() {
    let mut config = of_two([4, 4], 8);
    for instance in &mut config.instances {
        instance.others.database.as_mut().expect("it has one").transaction.redo = 0.0;
    }
    let (accounts, _) = measure(&config, 1.0);
    let changes = [0, 1].map(|at| accounts.databases[at].get(Sum::Changes));
    assert!(changes == [0, 0] && accounts.databases[0].get(Sum::Commits) > 1000, "{changes:?}");
}

/// A session that is woken to ask again for a block may find on its CPU that it has come meanwhile: that wait has the
/// name of what came, as all others have. A tenth of the blocks gets lost, and eight sessions share one CPU.
#[test]
fn every_wait_for_a_block_that_is_over_has_its_last_name() {
    let mut config = of_two([8, 8], 1);
    for instance in &mut config.instances {
        let (think, start_spread) = (Ns::from_ms(2.0), Ns::from_ms(1.0));
        instance.workload.arrivals = Arrivals::Closed { sessions: 8, think, start_spread };
        instance.workload.demand = Demand { mean: Ns::from_us(300.0), shape: DemandShape::Exponential };
    }
    let joined = config.cluster.as_mut().expect("it is one");
    (joined.interconnect.lost, joined.retry) = (0.1, Ns::from_ms(1.0));
    let (accounts, _) = measure(&config, 20.0);
    let waits = |event: Activity| accounts.groups[0].stays[event.i()].count();
    let named = [Activity::GC_CURRENT_LOST, Activity::GC_CURRENT_BUSY, Activity::GC_CURRENT_CONGESTED].map(waits);
    assert!(named.iter().sum::<u64>() > 500, "{named:?}");
    assert_eq!([Activity::GC_CR_REQUEST, Activity::GC_CURRENT_REQUEST].map(waits), [0, 0]);
}
