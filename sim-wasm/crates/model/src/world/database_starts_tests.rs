//! Caches as runs begin: what is dirty then, and that it stays so.
use crate::config::database::*;
use crate::config::*;
use crate::instance::database::{capacity, Database};
use crate::measure::database::Sum;
use crate::meet::device::{ServiceTime, Shape};
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

/// A run of so many executions beside sessions that never end.
fn ending(endless: &Config, executions: u32) -> Config {
    let mut config = endless.clone();
    config.instances[0].workload.ends = Some(Ending { executions, begins: Ns::ZERO, skew: Ns::ZERO });
    config.instances.push(endless.instances[0].clone());
    config
}

/// What ends begins with nothing that anybody changed before: no buffer is dirty, no log but the present one is needed,
/// no writer at work. Wherever in its run it is looked at, no more blocks have been written or are dirty than were
/// changed, and of the first 300 transactions, for which a log has room, none is written. A pilot of what goes on
/// without end begins a log behind.
#[test]
fn a_run_that_ends_begins_with_a_clean_cache() {
    let endless = turned(0.0, 300_000);
    let config = ending(&endless, 3000);
    for number in 0..20 {
        let mut world = World::paced(&config, number, &[]);
        for instance in 0..2 {
            let Database { cache, redo, looks, .. } = world.database(instance);
            assert_eq!((cache.dirty(), redo.checkpoint(), looks.busy), (0, redo.made, 0.0));
            assert_eq!(redo.wanted(), None);
        }
        for step in 1..60 {
            world.run(Ns::from_ms(20.0 * f64::from(step)), u64::MAX);
            for instance in 0..2 {
                let sums = &world.accounts.databases[instance];
                let (written, changed) = (sums.get(Sum::Writes), sums.get(Sum::Changes));
                let dirty = u64::from(world.database(instance).cache.dirty());
                assert!(written + dirty <= changed, "{written} written, {dirty} dirty of {changed}");
                assert!(changed >= 300 || written == 0, "{written} written of {changed}");
                assert!(step < 59 || written > 0 && changed > 2000, "{written} written of {changed}");
            }
        }
        let pilot = World::paced(&endless, number, &[]);
        let redo = &pilot.database(0).redo;
        assert_eq!(redo.made - redo.checkpoint(), 300_000);
    }
}

/// Where nothing is dirty the next change is as far from the next read as it happens: each of 1,000 buffers as likely,
/// 500 ± 289 in the middle, ± 20 of 200 starts.
#[test]
fn lists_of_a_clean_cache_begin_anywhere() {
    let config = ending(&turned(0.4, 1 << 30), 10);
    let first = |number| {
        let mut world = World::paced(&config, number, &[]);
        let cache = &mut world.database_mut(0).cache;
        cache.take(0);
        cache.taken(0).map_or(0.0, f64::from)
    };
    let mean = (0..200).map(first).sum::<f64>() / 200.0;
    assert!((mean - 500.0).abs() < 80.0, "{mean}");
}

/// One device that serves 33 at once, 2 ms each: 16,500 requests a second. Reads take theirs of the storage, not of
/// what the writers have under way.
#[test]
fn writers_can_write_what_they_have_under_way_or_reads_leave() {
    let of = database();
    let ms = |mean: f64, shape| ServiceTime { mean: Ns::from_ms(mean), shape, slow: None };
    let data = |is_async| DeviceConfig { width: 33, service: ms(2.0, Shape::Exponential), is_async };
    let writers = |count, outstanding| WriterConfig { count, outstanding, block: Ns::from_us(10.0), ..of.writers };
    let per_s = |data, writers, reads: f64| {
        let config = DatabaseConfig { data, writers, ..database() };
        1e9 * capacity(&config, reads / 1e9)
    };
    let near = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 0.001, "{found} for {wanted}");
    near(per_s(data(true), writers(1, 66), 500.0), 16_000.0);
    near(per_s(data(true), writers(1, 4), 500.0), 2_000.0);
    near(per_s(data(true), writers(1, 4), 15_000.0), 1_500.0);
    // Eight writers have eight writes under way where one is allowed to all.
    near(per_s(data(true), writers(8, 1), 0.0), 4_000.0);
    // One that waits for its write works meanwhile for nobody.
    near(per_s(data(false), writers(1, 66), 560.0), 1e3 / 2.01);
    // 66 writes wait for the last: 1 + (1 + 1/2 + … + 1/33) = 5.0888 services, and 0.66 ms of CPU before.
    let whole = WriterConfig { whole_batch: true, batch_cost: Ns::ZERO, batch: 4096, ..writers(1, 66) };
    near(per_s(data(true), whole, 0.0), 66e3 / (0.66 + 2.0 * 5.0888));
    let constant = DeviceConfig { service: ms(2.0, Shape::Constant), ..data(true) };
    near(per_s(constant, whole, 0.0), 66e3 / (0.66 + 2.0 * 2.0));
}
