//! Reads, writes of the log and waits for commits, request by request, against arithmetic.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{
    CacheConfig, CheckpointConfig, DatabaseConfig, LogConfig, QueryConfig, TransactionConfig, WriterConfig,
};
use wwi_model::config::*;
use wwi_model::measure::accounts::Accounts;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::{ServiceTime, Shape};
use wwi_model::testing::{database, device, node, oltp, one, ordinary, window};
use wwi_model::world::World;

/// Sessions without a pause, a millisecond of CPU a transaction, on a host with CPUs for all, from the first second on.
fn measure(sessions: u32, seconds: f64, database: DatabaseConfig) -> Accounts {
    let mut instance = oltp(sessions, database);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::from_ms(10.0) };
    instance.workload.demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Constant };
    let host = NodeConfig { cores_per_socket: 64, scheduler: Scheduler::Fifo, ..node() };
    let config = one(host, instance);
    let mut world = World::paced(&config, 1, &World::paces(&config, u64::MAX).0);
    window(&mut world, Ns::from_s(1.0), Ns::from_s(1.0 + seconds))
}

/// Twenty blocks in a transaction, 3 ms a read, a millisecond of CPU: a session waits for each read in turn, in one
/// call or in several, and whether it changes blocks or is a query.
#[test]
fn a_call_waits_for_each_of_its_reads_in_turn() {
    for (calls, read_blocks, share, expected) in
        [(1, 1, 0.0, 61.0), (20, 1, 0.0, 61.0), (1, 4, 0.0, 16.0), (1, 1, 1.0, 61.0), (5, 4, 1.0, 16.0)]
    {
        let case = format!("{calls} calls, {read_blocks} blocks a read, queries {share}");
        let transaction = TransactionConfig { calls, reads: 20.0, read_blocks, redo: 0.0, ..database().transaction };
        let query = QueryConfig { share, demand: Ns::from_ms(1.0), reads: 20.0 };
        let data = device(200, Ns::from_ms(3.0), Shape::Constant);
        let found = measure(4, 61.0, DatabaseConfig { transaction, query, data, ..database() });
        let sessions = &found.groups[0];
        assert_eq!(
            (sessions.response.mean(), sessions.response.max()),
            (expected * 1e6, Ns::from_ms(expected)),
            "{case}"
        );
        let [one, several] = [Activity::DB_FILE_SEQUENTIAL_READ, Activity::DB_FILE_SCATTERED_READ]
            .map(|event| sessions.stays[event.i()].clone());
        let (read, other) = if read_blocks == 1 { (one, several) } else { (several, one) };
        let reads = sessions.transactions * 20 / u64::from(read_blocks);
        assert!(read.count().abs_diff(reads) <= 4 * 20 && other.count() == 0, "{case}: {}", read.count());
        assert_eq!((read.mean(), read.max()), (3e6, Ns::from_ms(3.0)), "{case}");
        let blocks = found.databases[0].get(Sum::Reads);
        assert!(
            blocks.abs_diff(read.count() * u64::from(read_blocks)) <= 4 * u64::from(read_blocks),
            "{case}: {blocks}"
        );
    }
}

/// Eight sets, all of each dirty and none due, and one writer that writes a block every 10 ms; of eight sessions each
/// looks for a buffer in a set of its own first. Every second write at least is for who waits, so a wait takes 8 · 20
/// ms on average at most. Who is j-th in the line of his set has 9 − j such sets before him in each round at most: in
/// all 1 + … + 8 rounds of 20 ms, after the write under way. Set after set it would be 50 writes each.
#[test]
fn no_session_waits_for_a_buffer_until_the_sets_before_are_written() {
    let transaction = TransactionConfig { changes: 2.0, reads: 1.0, ..database().transaction };
    let cache = CacheConfig { hot: 0, hot_share: 0.0, ..database().cache };
    let writers = WriterConfig { outstanding: 1, block: Ns::from_us(1.0), ..database().writers };
    let data = device(64, Ns::from_ms(10.0), Shape::Constant);
    let found = measure(8, 20.0, DatabaseConfig { transaction, cache, writers, data, ..database() });
    let free = &found.groups[0].stays[Activity::FREE_BUFFER_WAITS.i()];
    assert!(free.count() > 500, "{}", free.count());
    assert!(free.mean() <= 160e6, "{} ms", free.mean() / 1e6);
    assert!(free.max() <= Ns::from_ms(36.0 * 20.0 + 10.0), "{} ms", free.max().as_ms());
}

/// Three members of 0.5 ms one after another, and of a log header no less: the log writer waits once for all of them,
/// and a lone session as long for each of its commits.
#[test]
fn a_write_to_several_members_is_one_wait_however_they_are_written() {
    for (is_parallel, expected) in [(false, 1.5), (true, 0.5)] {
        let log = LogConfig { members: 3, is_parallel, size: 100_000, ..database().log };
        let redo = Some(device(1, Ns::from_ms(0.5), Shape::Constant));
        let found = measure(1, 20.0, DatabaseConfig { log, redo, ..database() });
        let sums = &found.databases[0];
        let (writes, switches) = (sums.get(Sum::LogWrites), sums.get(Sum::Switches));
        assert!(writes > 7_000 && switches > 70, "{writes} {switches}");
        for (event, number) in [(Activity::LOG_FILE_PARALLEL_WRITE, writes), (Activity::CONTROL_FILE_WRITE, switches)] {
            // The checkpoint process writes to the control file, too, in a group of its own.
            let lgwr = found.groups.iter().find(|group| group.stays[Activity::LOG_FILE_PARALLEL_WRITE.i()].count() > 0);
            let stays = &lgwr.expect("a log writer").stays[event.i()];
            assert!(stays.count().abs_diff(number) <= 1, "{event:?}: {} waits, {number} writes", stays.count());
            assert_eq!((stays.mean(), stays.max()), (expected * 1e6, Ns::from_ms(expected)), "{event:?}");
        }
        let sync = &found.groups[0].stays[Activity::LOG_FILE_SYNC.i()];
        // And a nanosecond, without which no work is done.
        assert_eq!(sync.mean(), expected * 1e6 + 1.0);
    }
}

/// A lone session that waits for its commits, and nobody who writes its redo but the log writer: a write of 1 ms each,
/// however commits are logged.
#[test]
fn who_waits_for_a_commit_posts_the_log_writer_whatever_commit_logging_says() {
    for commit_posts in [true, false] {
        let transaction = TransactionConfig { commit_posts, ..database().transaction };
        let redo = Some(device(1, Ns::from_ms(1.0), Shape::Constant));
        let found = measure(1, 20.0, DatabaseConfig { transaction, redo, ..database() });
        let sync = &found.groups[0].stays[Activity::LOG_FILE_SYNC.i()];
        assert!(sync.count() >= 9_990 && sync.max() <= Ns::from_ms(1.01), "{commit_posts}: {}", sync.max().as_ms());
    }
}

/// Writes of 35 ms that begin at each commit, a lone session that looks every 10 ms: it wakes three times in vain, and
/// waits once. With a time-out of a second or more each sleep is a wait: for 3.5 s, 1 s three times and half a second.
#[test]
fn a_wait_for_a_commit_is_one_over_its_time_outs_below_a_second_and_cut_by_longer_ones() {
    for (write, timeout, waits) in [(35.0, 10.0, 1), (3500.0, 999.0, 1), (3500.0, 1000.0, 4)] {
        let log = LogConfig { sync_timeout: Ns::from_ms(timeout), ..database().log };
        let redo = Some(device(1, Ns::from_ms(write), Shape::Constant));
        let found = measure(1, 10.0 * (write + 1.0) / 1e3, DatabaseConfig { log, redo, ..database() });
        let (case, sessions) = (format!("{write} ms, looks every {timeout}"), &found.groups[0]);
        let sync = &sessions.stays[Activity::LOG_FILE_SYNC.i()];
        assert_eq!(sessions.transactions, 10, "{case}");
        assert!(sync.count().abs_diff(10 * waits) <= 3, "{case}: {} waits", sync.count());
        // Work takes a nanosecond at least.
        let longest = if waits == 1 { Ns::from_ms(write).plus(Ns(1)) } else { Ns::from_ms(timeout) };
        assert_eq!(sync.max(), longest, "{case}");
        assert!(sessions.voluntary.abs_diff(40) <= 3, "{case}: {} sleeps", sessions.voluntary);
    }
}

/// Commits in a Poisson stream whose sessions often look in the time in which the log writer posts them: they go on,
/// and the post comes to whoever has their place next. Each commit is one wait all the same.
#[test]
fn a_post_that_comes_too_late_cuts_no_wait_of_the_next_session() {
    let log = LogConfig { sync_timeout: Ns::from_ms(15.0), post: Ns::from_us(200.0), ..database().log };
    let redo = Some(device(1, Ns::from_ms(20.0), Shape::Exponential));
    let mut instance = oltp(0, DatabaseConfig { log, redo, ..database() });
    instance.workload.arrivals = Arrivals::Open { per_s: 500.0 };
    instance.workload.demand = Demand { mean: Ns::from_us(200.0), shape: DemandShape::Constant };
    let host = NodeConfig { cores_per_socket: 64, scheduler: Scheduler::Fifo, ..node() };
    let mut world = World::new(&one(host, instance), 1);
    world.run(Ns::from_s(60.0), u64::MAX);
    world.cut();
    let sessions = &world.accounts.groups[0];
    let sync = &sessions.stays[Activity::LOG_FILE_SYNC.i()];
    assert!(sessions.transactions > 25_000, "{}", sessions.transactions);
    assert_eq!(sync.count(), sessions.transactions);
}

/// A cache full of dirty buffers, so that each change waits for a write. Blocks cost the writer 1 ms and the storage
/// a tenth of that: a buffer comes free in each, and sixteen sessions wait for sixteen of them at most, whether the
/// writer waits for each write or has room for a thousand. Were what is written taken up only where nothing else is to
/// be written, they would wait for all of it.
#[test]
fn a_writer_takes_up_what_is_written_before_it_chooses_further() {
    for (whole_batch, outstanding) in [(false, 1000), (false, 8), (true, 1000)] {
        let found = measure(
            16,
            20.0,
            DatabaseConfig {
                transaction: TransactionConfig { changes: 6.0, redo: 4356.0, ..database().transaction },
                cache: CacheConfig { hot: 0, hot_share: 0.0, buffers: 4_000, ..database().cache },
                checkpoint: CheckpointConfig { lag: 1 << 40, ..database().checkpoint },
                data: device(1000, Ns::from_us(100.0), Shape::Constant),
                writers: WriterConfig {
                    block: Ns::from_ms(1.0),
                    batch: 1,
                    outstanding,
                    whole_batch,
                    ..database().writers
                },
                ..database()
            },
        );
        let waits = &found.groups[0].stays[Activity::FREE_BUFFER_WAITS.i()];
        let mean = waits.mean() / 1e6;
        assert!(waits.count() > 1000 && mean < 18.0, "{outstanding}: {} waits of {mean} ms", waits.count());
    }
}

/// 1,000 KiB of redo at a microsecond each, and a write of a millisecond.
#[test]
fn redo_is_gathered_by_units_of_1024_bytes() {
    let transaction = TransactionConfig { redo: 1_024_000.0, ..database().transaction };
    let log = LogConfig { gather_kb: Ns::from_us(1.0), ..database().log };
    let redo = Some(device(1, Ns::from_ms(1.0), Shape::Constant));
    let found = measure(1, 10.0, DatabaseConfig { transaction, log, redo, ..database() });
    let sync = &found.groups[0].stays[Activity::LOG_FILE_SYNC.i()];
    assert!(sync.count() > 3_000 && (sync.mean() / 2e6 - 1.0).abs() < 0.005, "{} ms", sync.mean() / 1e6);
}

/// The redo of a transaction is more than a third of the log buffer, so that its session tells the log writer of it,
/// which takes the only CPU; another session may have that next, and the redo is on disk before the first one commits.
/// With that write its commit is counted, though it waits for none.
#[test]
fn a_commit_whose_redo_is_on_disk_already_is_counted_with_its_write() {
    let log = LogConfig { buffer: 2_000, ..database().log };
    let lgwr = KindConfig { class: Class::Fifo, ..ordinary() };
    let redo = Some(device(1, Ns::from_us(1.0), Shape::Constant));
    let mut instance = oltp(4, DatabaseConfig { log, lgwr, redo, ..database() });
    instance.workload.demand.mean = Ns::from_ms(3.3);
    let mut world = World::new(&one(NodeConfig { cores_per_socket: 1, ..node() }, instance), 0);
    let found = window(&mut world, Ns::from_s(1.0), Ns::from_s(21.0));
    let [commits, written] = [Sum::Commits, Sum::CommitsWritten].map(|of| found.databases[0].get(of));
    assert!(commits > 5_000 && written.abs_diff(commits) <= 4, "{written} of {commits}");
    let waits = found.groups[0].stays[Activity::LOG_FILE_SYNC.i()].count();
    assert!(waits + 100 < commits, "{waits} waits for {commits}");
}

/// Ten requests at once on four places: the six first are done at the rate of four at work, 6/4 of a service, and the
/// longest of the last four takes 1 + 1/2 + 1/3 + 1/4. Fewer than there are places wait for nobody.
#[test]
fn the_last_of_many_requests_waits_for_those_that_find_no_place() {
    let of = |shape| ServiceTime { mean: Ns::from_ms(1.0), shape, slow: None };
    let drawn = of(Shape::Exponential);
    assert!((drawn.last_of(10.0, 4.0) - (1.5 + 25.0 / 12.0)).abs() < 1e-12, "{}", drawn.last_of(10.0, 4.0));
    assert!((drawn.last_of(3.0, 4.0) - 11.0 / 6.0).abs() < 1e-12, "{}", drawn.last_of(3.0, 4.0));
    assert_eq!(of(Shape::Constant).last_of(10.0, 4.0), 3.0, "three rounds");
}
