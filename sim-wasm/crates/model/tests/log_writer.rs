//! When the log writer writes, and how often, against a separate calculation.
//!
//! It is posted by who commits, by who finds a third of the log buffer or 1 MB in it, by whoever else wants redo on
//! disk, and wakes every 3 s; once a write is done it begins another only if somebody has posted it since it gathered
//! (S. Adams, Redo Write Triggers, ixora; F. Hoogland, A look into Oracle redo, parts 3 and 5).
use wwi_kernel::time::Ns;
use wwi_model::config::database::{
    Answering, CacheConfig, CheckpointConfig, DatabaseConfig, LogConfig, TransactionConfig,
};
use wwi_model::config::*;
use wwi_model::measure::accounts::Accounts;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::{Shape, Slow};
use wwi_model::testing::{database, device, node, oltp, one, window};
use wwi_model::world::World;

/// Sessions that commit and go on, each on a CPU of its own: transactions in calls that each make their share of the
/// redo and take an exponential share of the CPU time. 30 µs to gather, 0.5 ms to write, 100 µs after, 15 a post.
fn sessions(number: u32, cpu_ms: f64, transaction: TransactionConfig) -> Config {
    let us = |t: u64| Ns(1000 * t);
    let log = LogConfig { gather: us(30), after: us(100), post: us(15), ..database().log };
    let redo = Some(device(1, us(500), Shape::Constant));
    let mut instance = oltp(number, DatabaseConfig { transaction, log, redo, ..database() });
    instance.workload.demand = Demand { mean: Ns::from_ms(cpu_ms), shape: DemandShape::Exponential };
    let free = NodeConfig { cores_per_socket: 64, scheduler: Scheduler::Fifo, switch_direct: Ns::ZERO, ..node() };
    one(free, instance)
}

fn measure(config: &Config, seconds: f64) -> Accounts {
    window(&mut World::new(config, 1), Ns::from_s(4.0), Ns::from_s(4.0 + seconds))
}

fn in_calls(calls: u32, redo: f64) -> TransactionConfig {
    TransactionConfig { calls, redo, changes: 4.0, ..database().transaction }
}

/// Sessions, calls and CPU of a transaction \[ms\]; writes for a commit, wait for it \[ms\]: a loop of the log writer
/// written for this table alone, that begins where a commit is pending.
const FOUND: [(u32, u32, f64, f64, f64); 7] = [
    (1, 16, 10.0, 1.0, 0.645),
    (2, 16, 10.0, 0.998, 0.664),
    (3, 16, 10.0, 0.993, 0.681),
    (4, 16, 10.0, 0.985, 0.699),
    (8, 16, 10.0, 0.92, 0.764),
    (16, 16, 10.0, 0.75, 0.857),
    (2, 1, 1.0, 0.97, 0.791),
];

#[test]
fn redo_that_nobody_has_committed_makes_no_write_of_its_own() {
    for (number, calls, cpu_ms, writes, sync) in FOUND {
        let found = measure(&sessions(number, cpu_ms, in_calls(calls, 2000.0)), 200.0);
        let sums = &found.databases[0];
        let each = sums.get(Sum::LogWrites) as f64 / sums.get(Sum::CommitsWritten) as f64;
        let waited = found.groups[0].stays[Activity::LOG_FILE_SYNC.i()].mean() / 1e6;
        assert!((each / writes - 1.0).abs() < 0.015, "{number} of {cpu_ms} ms: {each} writes, not {writes}");
        assert!((waited / sync - 1.0).abs() < 0.02, "{number} of {cpu_ms} ms: {waited} ms, not {sync}");
    }
}

/// 5 MB in 1,000 calls, a log buffer far larger than 3 MB: each megabyte is one write.
#[test]
fn redo_of_a_long_transaction_goes_to_disk_by_the_megabyte() {
    let found = measure(&sessions(1, 200.0, in_calls(1000, 5e6)), 100.0);
    let sums = &found.databases[0];
    let bytes = sums.get(Sum::Redo) as f64 / sums.get(Sum::LogWrites) as f64;
    assert!((0.8e6..1.06e6).contains(&bytes), "{bytes} bytes a write");
}

/// With `commit_logging` = `batch`, `commit_wait` = `nowait` nobody posts it: what there is goes to disk each 3 s.
#[test]
fn commits_of_which_nobody_tells_it_are_written_every_three_seconds() {
    let quiet = TransactionConfig { changes: 0.0, commit_waits: false, commit_posts: false, ..in_calls(4, 500.0) };
    let found = measure(&sessions(2, 10.0, quiet), 60.0);
    let sums = &found.databases[0];
    assert!((18..=20).contains(&sums.get(Sum::LogWrites)), "{} writes in 60 s", sums.get(Sum::LogWrites));
    assert!(sums.get(Sum::CommitsWritten) > 10_000);
}

/// Commits that do not wait, a millisecond apart, find the log writer asleep, which is done after 0.63 ms, and each
/// costs its session the 0.2 ms of a call. One that waits takes 0.645 ms more.
#[test]
fn who_posts_a_log_writer_that_sleeps_works_for_it() {
    for (cpu_ms, waits, call_us, expected) in
        [(1.0, false, 200, 1.2), (1.0, false, 0, 1.0), (0.3, false, 0, 0.3), (1.0, true, 200, 1.845)]
    {
        let quiet = TransactionConfig { changes: 0.0, commit_waits: waits, ..in_calls(1, 500.0) };
        let mut config = sessions(1, cpu_ms, quiet);
        config.instances[0].workload.demand.shape = DemandShape::Constant;
        if let Some(database) = config.instances[0].others.database.as_mut() {
            database.log.call = Ns(1000 * call_us);
        }
        let found = measure(&config, 10.0).groups[0].response.mean() / 1e6;
        assert!((found / expected - 1.0).abs() < 0.001, "{found} ms, not {expected}");
    }
}

/// Every write has been asked for once since the one before gathered, and whoever asked worked for it: whether the log
/// writer slept or was at work. A million commits in a loop sent 508,157 messages for some 508,520 writes (asktom).
#[test]
fn each_write_was_asked_for_by_one_session_that_paid() {
    for (number, cpu_ms) in [(1, 0.05), (1, 0.3), (1, 1.0), (4, 0.3)] {
        let quiet = TransactionConfig { changes: 0.0, commit_waits: false, ..in_calls(1, 500.0) };
        let mut config = sessions(number, cpu_ms, quiet);
        config.instances[0].workload.demand.shape = DemandShape::Constant;
        if let Some(database) = config.instances[0].others.database.as_mut() {
            database.log.call = Ns(20_000);
        }
        let found = measure(&config, 10.0);
        let (sums, group) = (&found.databases[0], &found.groups[0]);
        let asked = (group.cpu_time() - group.transactions as f64 * cpu_ms * 1e6) / 20e3;
        let writes = sums.get(Sum::LogWrites) as f64;
        assert!((asked / writes - 1.0).abs() < 0.005, "{number} of {cpu_ms} ms: {asked} asked for {writes}");
    }
}

/// Ten transactions of 1 ms in a call: nine commits post the log writer and go on, the last waits. The first begins a
/// write at 1 ms; what comes until its end goes with the next. Of 9.3 ms it takes until 10.3, and the other nine go
/// with one more; of 8.4 until 9.4, and the last has to wait for a third; of 0.2 each finds it asleep.
#[test]
fn commits_within_a_call_wait_once_at_its_end() {
    for (write_us, per_call, call_ms, writes) in
        [(9_300, 10, 19.6, 2.0), (8_400, 10, 26.2, 3.0), (8_400, 1, 9.4, 1.0), (200, 10, 10.2, 10.0)]
    {
        let transaction = TransactionConfig { changes: 0.0, per_call, ..in_calls(1, 500.0) };
        let mut config = sessions(1, 1.0, transaction);
        config.instances[0].workload.demand.shape = DemandShape::Constant;
        if let Some(of) = config.instances[0].others.database.as_mut() {
            of.log = database().log;
            of.redo = Some(device(1, Ns(1000 * write_us), Shape::Constant));
        }
        let found = measure(&config, 20.0);
        let (sums, group) = (&found.databases[0], &found.groups[0]);
        let calls = 20_000.0 / call_ms;
        let commits = sums.get(Sum::Commits) as f64 / f64::from(per_call);
        assert!((commits / calls - 1.0).abs() < 0.01, "{commits} calls, not {calls}");
        assert!(sums.get(Sum::Commits).abs_diff(group.transactions) <= 1, "each is a transaction");
        assert!((group.stays[Activity::LOG_FILE_SYNC.i()].count() as f64 / calls - 1.0).abs() < 0.01);
        assert!((sums.get(Sum::LogWrites) as f64 / calls / writes - 1.0).abs() < 0.01, "{writes} writes a call");
        assert!(sums.get(Sum::CommitsWritten).abs_diff(sums.get(Sum::Commits)) <= 10);
    }
}

/// A log of so many blocks of 512 bytes, 16 of them a header, for sessions that commit 1,000 bytes at a time.
fn of_blocks(number: u32, blocks: u64, log: LogConfig) -> Config {
    let mut config = sessions(number, 2.0, in_calls(1, 1000.0));
    if let Some(database) = config.instances[0].others.database.as_mut() {
        database.log = LogConfig { size: 496 * blocks, block: 496, ..log };
        database.transaction.changes = 0.0;
    }
    config
}

fn log_of(config: &Config) -> LogConfig {
    config.instances[0].others.database.as_ref().map_or(database().log, |database| database.log)
}

/// 1,000 bytes fill two blocks and begin a third, of which 488 are left empty: the next write begins with a new one (S.
/// Adams, Redo Wastage, ixora). So a log of 300 blocks takes 100 commits of one session, however little its redo is.
#[test]
fn each_write_begins_with_a_new_block_and_logs_fill_the_sooner() {
    let log = log_of(&sessions(1, 2.0, in_calls(1, 1000.0)));
    let found = measure(&of_blocks(1, 300, log), 100.0);
    let [redo, wasted, writes, switches] =
        [Sum::Redo, Sum::Wasted, Sum::LogWrites, Sum::Switches].map(|sum| found.databases[0].get(sum));
    assert_eq!(wasted, 488 * writes);
    // Redo is counted when it is made: a transaction may be between that and the end of its write.
    assert!(redo.abs_diff(1000 * writes) <= 1000, "{redo} bytes in {writes} writes");
    assert!(writes > 30_000 && switches.abs_diff(writes / 100) <= 1, "{writes} writes, {switches} switches");
    // Sixteen share the third block where they share a write.
    let found = measure(&of_blocks(16, 3_000, log), 50.0);
    let [redo, wasted, writes, switches] =
        [Sum::Redo, Sum::Wasted, Sum::LogWrites, Sum::Switches].map(|sum| found.databases[0].get(sum));
    assert!(redo > 3000 * writes && wasted < 496 * writes && wasted > 100 * writes, "{redo}, {wasted} of {writes}");
    let full = (redo + wasted) as f64 / (3_000.0 * 496.0);
    assert!((switches as f64 / full - 1.0).abs() < 0.02, "{switches} switches, {full} logs full");
}

/// 0.5 ms and three blocks of 0.2 ms each; nobody waits for a CPU.
#[test]
fn a_write_takes_as_much_longer_as_its_blocks() {
    let log = log_of(&sessions(1, 2.0, in_calls(1, 1000.0)));
    for (transfer, expected) in [(0.0, 0.5), (200_000.0, 1.1)] {
        let found = measure(&of_blocks(1, 1 << 30, LogConfig { transfer, ..log }), 20.0);
        let lgwr = found.groups.iter().find(|group| group.stays[Activity::LOG_FILE_PARALLEL_WRITE.i()].count() > 0);
        let waited = lgwr.map_or(0.0, |group| group.stays[Activity::LOG_FILE_PARALLEL_WRITE.i()].mean() / 1e6);
        assert!((waited - expected).abs() < 0.001, "{waited} ms, not {expected}");
    }
}

/// Whoever finds the log full waits while it is written out and six headers are, each for 0.5 ms, and for its post.
#[test]
fn a_switch_takes_its_writes_one_after_another() {
    let log = log_of(&sessions(1, 2.0, in_calls(1, 1000.0)));
    for writes in [1, 6] {
        let found = measure(&of_blocks(1, 30, LogConfig { switch_writes: writes, ..log }), 100.0);
        let waits = &found.groups[0].stays[Activity::LOG_SWITCH_COMPLETION.i()];
        let (waited, expected) = (waits.mean() / 1e6, 0.5 * f64::from(writes) + 0.015);
        assert!(waits.count() > 1_000 && (waited - expected).abs() < 0.05, "{waited} ms, not {expected}");
    }
}

/// One session that commits some 300 times a second, whose waits are long where its write is a slow one. The checkpoint
/// process counts them every 3 s: of 900 waits an eighth is never long where 8 % are, though of 128 it often is. Where
/// 17 % are the first count changes it, and a steady load never changes it back: 2 ms of work, writes of 1.27 ms and
/// 0.03 of gathering make 301 a second that are posted, and sleeps of 2.6, after slow writes of 5.2, 199: not half.
#[test]
fn adaptive_log_file_sync_goes_by_what_was_long_in_three_seconds() {
    for (share, changes) in [(0.08, 0), (0.17, 1)] {
        let mut config = sessions(1, 2.0, in_calls(1, 2000.0));
        let database = config.instances[0].others.database.as_mut().expect("it has one");
        database.log.answering = Answering::Adaptive;
        database.redo.as_mut().expect("logs apart").service.slow = Some(Slow { share, times: 10.0 });
        let mut world = World::new(&config, 1);
        world.run(Ns::from_s(100.0), u64::MAX);
        let sums = &world.accounts.databases[0];
        assert!(sums.get(Sum::Commits) > 18_000, "{} commits", sums.get(Sum::Commits));
        assert_eq!(sums.get(Sum::Changeovers), changes, "{share} of the writes are slow");
    }
}

/// One session that looks itself wakes a log writer that sleeps, and so sleeps for two writes. A write is clocked as
/// the statistic `redo write time` is: from the start of what gathers to the end of the I/O, before what comes after.
#[test]
fn who_polls_sleeps_for_two_writes_with_the_gathering_before_each() {
    let mut config = sessions(1, 1.0, in_calls(1, 2000.0));
    let log = &mut config.instances[0].others.database.as_mut().expect("it has one").log;
    (log.answering, log.gather) = (Answering::Poll, Ns::from_us(300.0));
    let found = measure(&config, 20.0);
    let waited = found.groups[0].stays[Activity::LOG_FILE_SYNC.i()].mean() / 1e6;
    assert!((waited - 2.0 * (0.3 + 0.5)).abs() < 0.01, "{waited} ms");
}

/// It works 7 ms and then waits w for redo that is on disk 1.5 ms after the log writer has finished with the write
/// before: that one works 9.27 ms after each write and never sleeps, so that both go round in 10.77 ms and w is 3.77 on
/// average. A first sleep of two writes, 3 ms, is one of 1.5 short where the log writer was busy for more than 1.5 ms.
#[test]
fn who_polls_sleeps_again_for_the_write_under_way_in_the_same_wait() {
    let mut config = sessions(1, 7.0, TransactionConfig { changes: 0.0, ..in_calls(1, 1000.0) });
    config.instances[0].workload.demand.shape = DemandShape::Constant;
    let database = config.instances[0].others.database.as_mut().expect("it has one");
    let (gather, after) = (Ns::from_us(500.0), Ns::from_us(9270.0));
    database.log = LogConfig { answering: Answering::Poll, gather, after, ..database.log };
    database.redo.as_mut().expect("logs apart").service.mean = Ns::from_ms(1.0);
    let group = &measure(&config, 60.0).groups[0];
    let waits = &group.stays[Activity::LOG_FILE_SYNC.i()];
    let (waited, sleeps) = (waits.mean() / 1e6, group.voluntary as f64 / waits.count() as f64);
    assert!((waited - 3.77).abs() < 0.01 && waits.max() == Ns::from_ms(4.5), "{waited} ms, {:?}", waits.max());
    assert!((sleeps - (1.0 + 0.77 / 1.5)).abs() < 0.01, "{sleeps} sleeps a wait");
}

/// Who makes a megabyte of redo posts the log writer and loses its CPU to it, or to others, before it commits. What is
/// on disk by then is not waited for: nobody would tell.
#[test]
fn a_commit_whose_redo_is_on_disk_is_complete() {
    let mut config = sessions(1, 1.0, in_calls(1, 1_200_000.0));
    config.instances[0].others.database.as_mut().expect("it has one").log.sync_timeout = Ns::from_s(1.0);
    config.nodes[0] = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Cfs, ..config.nodes[0].clone() };
    config.nodes[0].background.processes = 3;
    let found = measure(&config, 60.0);
    let waits = &found.groups[0].stays[Activity::LOG_FILE_SYNC.i()];
    let (commits, longest) = (found.databases[0].get(Sum::Commits), waits.max().0 as f64 / 1e6);
    assert!(commits > 1_000 && waits.count() > 0 && waits.count() < commits, "{} of {commits}", waits.count());
    assert!(longest < 900.0, "{longest} ms");
}

/// Who polls, and works 10 ms to ask a log writer that is at work for 0.1 ms, finds its redo on disk then and does not
/// sleep: only who wakes one that sleeps has to.
#[test]
fn who_polls_looks_before_it_sleeps() {
    let transaction = TransactionConfig { changes: 0.0, ..in_calls(1, 500.0) };
    let mut config = sessions(8, 1.0, transaction);
    if let Some(database) = config.instances[0].others.database.as_mut() {
        database.log = LogConfig {
            call: Ns::from_ms(10.0),
            answering: Answering::Poll,
            least_sleep: Ns::from_ms(100.0),
            ..database.log
        };
    }
    let found = measure(&config, 20.0);
    let commits = found.databases[0].get(Sum::Commits) as f64;
    let slept = found.groups[0].stays[Activity::LOG_FILE_SYNC.i()].count() as f64;
    assert!(commits > 1000.0 && slept < 0.9 * commits, "{slept} of {commits} sleep");
}

/// Storage for 250 blocks a second, six of a transaction: a log of 500 kB is full long before its blocks are written.
/// Whoever looks each 100 ms sees stalls go on for all of that, and never for longer.
#[test]
fn no_more_of_a_stall_is_in_a_window_than_the_window_lasts() {
    let transaction = TransactionConfig { changes: 6.0, redo: 4356.0, ..database().transaction };
    let log = LogConfig { size: 500_000, ..database().log };
    let cache = CacheConfig { hot: 0, hot_share: 0.0, buffers: 100_000, ..database().cache };
    let checkpoint = CheckpointConfig { lag: 400_000, ..database().checkpoint };
    let data = device(1, Ns::from_ms(4.0), Shape::Constant);
    let mut instance = oltp(8, DatabaseConfig { transaction, log, cache, checkpoint, data, ..database() });
    instance.workload.demand.mean = Ns::from_ms(2.0);
    let config = one(node(), instance);
    let (mut world, step) = (World::new(&config, 1), Ns::from_ms(100.0));
    let mut stalled = Vec::new();
    let mut before = world.accounts.clone();
    for step in (0..400).map(|at| Ns(step.0 * (at + 1))) {
        world.run(step, u64::MAX);
        world.cut();
        stalled.push(world.accounts.since(&before).databases[0].get(Sum::StallTime));
        before = world.accounts.clone();
    }
    let switches = before.databases[0].get(Sum::Switches);
    assert!(switches > 5 && stalled.iter().all(|&of| of <= step.0), "{switches} switches, {stalled:?}");
    let whole = stalled.iter().filter(|&&of| of == step.0).count();
    assert!(whole > 50 && stalled.contains(&0), "{whole} of 400: {stalled:?}");
}

/// `redo size` counts what is put into the log buffer: of eight sessions whose commits nobody waits for, each a
/// transaction at most between its redo and its commit, however much of it writes of 0.4 s have yet to bring to disk.
#[test]
fn redo_is_counted_when_it_is_made_and_not_when_it_is_on_disk() {
    for posts in [true, false] {
        let transaction = TransactionConfig { commit_waits: false, commit_posts: posts, ..database().transaction };
        let redo = Some(device(1, Ns::from_ms(400.0), Shape::Constant));
        let mut instance = oltp(8, DatabaseConfig { transaction, redo, ..database() });
        instance.workload.demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Exponential };
        let host = NodeConfig { cores_per_socket: 64, scheduler: Scheduler::Fifo, ..node() };
        let found = window(&mut World::new(&one(host, instance), 1), Ns::from_s(2.003), Ns::from_s(12.103));
        let [redo, commits] = [Sum::Redo, Sum::Commits].map(|sum| found.databases[0].get(sum));
        assert!(commits > 50_000 && redo.abs_diff(1000 * commits) <= 8_000, "{redo} bytes of {commits} commits");
    }
}
