//! When the log writer writes, and how often, against a separate calculation.
//!
//! It is posted by who commits, by who finds a third of the log buffer or 1 MB in it, by whoever else wants redo on
//! disk, and wakes every 3 s; once a write is done it begins another only if somebody has posted it since it gathered
//! (S. Adams, Redo Write Triggers, ixora; F. Hoogland, A look into Oracle redo, parts 3 and 5).
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, LogConfig, TransactionConfig};
use wwi_model::config::*;
use wwi_model::measure::accounts::Accounts;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::testing::{database, device, node, oltp, one};
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
    let mut world = World::new(config, 1);
    world.run(Ns::from_s(4.0), u64::MAX);
    world.cut();
    let start = world.accounts.clone();
    world.run(Ns::from_s(4.0 + seconds), u64::MAX);
    world.cut();
    world.accounts.since(&start)
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
