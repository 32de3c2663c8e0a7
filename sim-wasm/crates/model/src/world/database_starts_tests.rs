//! Caches as runs begin: what is dirty then, and that it stays so.
use crate::config::database::*;
use crate::config::*;
use crate::instance::database::Database;
use crate::measure::database::Sum;
use crate::meet::device::ServiceTime;
use crate::testing::{database, node, oltp, one};
use crate::world::*;

/// A database with a cache of 1,000 buffers in one set, none hot, each transaction of which changes one and reads so
/// many, with logs of so many bytes, a thousand a transaction: one after another. The storage is quick.
fn turned(reads: f64, size: u64) -> Config {
    let of = database();
    let transaction = TransactionConfig { changes: 1.0, reads, ..of.transaction };
    let cache = CacheConfig { sets: 1, hot: 0, hot_share: 0.0, ..of.cache };
    let log = LogConfig { size, ..of.log };
    let checkpoint = CheckpointConfig { lag: size, ..of.checkpoint };
    let writers = WriterConfig { block: Ns(1), ..of.writers };
    let quick = |device: DeviceConfig| DeviceConfig {
        service: ServiceTime { mean: Ns::from_us(100.0), ..device.service },
        ..device
    };
    let (data, redo) = (quick(of.data), of.redo.map(quick));
    let mut instance = oltp(1, DatabaseConfig { transaction, cache, log, checkpoint, writers, data, redo, ..of });
    instance.workload.demand.mean = Ns::from_us(100.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::ZERO, start_spread: Ns::from_ms(1.0) };
    one(node(), instance)
}

/// The mean share of the buffers that is dirty as a run begins and in its end; blocks written for each that was dirtied
/// meanwhile; and how many that were. 240 starts of 0.8 s.
fn course(config: &Config) -> ([f64; 2], f64, f64) {
    let (mut dirty, mut sums) = ([0.0; 2], [0.0; 2]);
    for number in 0..240 {
        let mut world = World::paced(config, number, &[]);
        for (until, share) in [0.0, 800.0].into_iter().zip(&mut dirty) {
            world.run(Ns::from_ms(until), u64::MAX);
            *share += f64::from(world.database(0).cache.dirty()) / 1000.0 / 240.0;
        }
        let counted = &world.accounts.databases[0];
        sums[0] += counted.get(Sum::Writes) as f64;
        sums[1] += counted.get(Sum::Changes) as f64;
    }
    (dirty, sums[0] / sums[1], sums[1])
}

/// As many blocks are written as are dirtied, wherever the cache is in its rounds, so that as many are dirty in the end
/// as in the beginning: whether reads turn the list over sooner than redo would fill the cache, later or not at all.
#[test]
fn a_cache_goes_on_as_it_starts_whoever_turns_its_lists_over() {
    let found = [4.0, 2.5, 0.4, 0.0].map(|reads| course(&turned(reads, 1 << 30)));
    let is_level = |&([first, last], written, changes): &([f64; 2], f64, f64)| {
        f64::abs(written - 1.0) < 0.1 && f64::abs(first - last) < 0.07 && changes > 120_000.0
    };
    assert!(found.iter().all(is_level), "{found:?}");
}

/// Four reads for each change go round 1,000 buffers in 250 transactions, and find what was changed within that: half
/// of it on average, or less, is dirty, though redo would fill the cache many times over.
#[test]
fn who_reads_more_than_is_changed_leaves_few_buffers_dirty() {
    let ([first, _], ..) = course(&turned(4.0, 1 << 30));
    assert!((0.06..0.135).contains(&first), "{first}");
}

/// Nobody turns a list over: 300 transactions change 300 of 1,000, the last just now, the first a log ago.
#[test]
fn a_cache_whose_lists_nobody_turns_over_holds_the_redo_since_the_checkpoint() {
    let world = World::paced(&turned(0.0, 300_000), 1, &[]);
    let Database { cache, redo, .. } = world.database(0);
    assert!(cache.dirty().abs_diff(300) <= 1 && redo.made - redo.checkpoint() == 300_000, "{}", cache.dirty());
}
