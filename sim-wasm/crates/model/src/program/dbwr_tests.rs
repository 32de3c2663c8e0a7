//! In which order a writer chooses.
use super::*;
use crate::config::database::{
    CacheConfig, CheckpointConfig, DatabaseConfig, LogConfig, TransactionConfig, WriterConfig,
};
use crate::config::{Arrivals, Demand, DemandShape};
use crate::ids::{QueueId, Reply};
use crate::instance::cache::Found;
use crate::instance::redo::Redo;
use crate::meet::device::Shape;
use crate::testing::{database, device, node, oltp, one};
use wwi_kernel::time::Ns;

/// A hundred buffers in each of four sets of one writer. Forty of each were found dirty where one was to be taken; ten
/// more of the first set, changed before these, were not.
fn four_sets() -> World {
    let cache = CacheConfig { buffers: 400, sets: 4, hot: 0, hot_share: 0.0, ..database().cache };
    let mut world = World::new(&one(node(), oltp(1, DatabaseConfig { cache, ..database() })), 1);
    let cache = &mut world.database_mut(0).cache;
    (0..10).for_each(|at| cache.change(240 + 4 * at as u32, at, at + 1));
    (0..160).for_each(|buffer| cache.change(buffer, 10 + u64::from(buffer), 11 + u64::from(buffer)));
    assert!((0..4).all(|set| cache.take(set) == Found::Nothing && cache.listed(set) == 40));
    world
}

fn waits(world: &mut World, set: usize) {
    world.database_mut(0).cache.wait_for_free(set, Reply { queue: QueueId(0), wait: 1 });
}

/// The sets of the next buffers, and whether each was on a list.
fn chosen(world: &mut World, number: usize, target: u64) -> Vec<(u32, bool)> {
    let choose = |_| next_to_write(world.database_mut(0), 0, target).map(|(buffer, _)| (buffer % 4, buffer < 160));
    (0..number).map_while(choose).collect()
}

#[test]
fn lists_have_their_turns_and_those_come_first_for_which_somebody_waits() {
    let mut world = four_sets();
    let sets = |chosen: Vec<(u32, bool)>| chosen.into_iter().map(|(set, _)| set).collect::<Vec<_>>();
    assert_eq!(sets(chosen(&mut world, 6, 0)), [1, 2, 3, 0, 1, 2]);
    waits(&mut world, 1);
    waits(&mut world, 3);
    assert_eq!(sets(chosen(&mut world, 5, 0)), [3, 1, 3, 1, 3]);
    world.database_mut(0).cache.forget(QueueId(0));
    assert_eq!(sets(chosen(&mut world, 5, 0)), [0, 1, 2, 3, 0]);
    // What is left: none of it is due.
    assert_eq!(chosen(&mut world, 1000, 0).len(), 160 - 16);
}

#[test]
fn who_waits_for_a_buffer_and_the_checkpoint_have_their_turns_and_others_come_after_it() {
    let mut world = four_sets();
    let due = (0, false);
    assert_eq!(chosen(&mut world, 4, 10), [due; 4], "nobody waits");
    waits(&mut world, 2);
    let found = chosen(&mut world, 6, 10);
    let (even, odd): (Vec<_>, Vec<_>) =
        [(0, 1), (2, 3), (4, 5)].map(|(one, next)| (found[one], found[next])).into_iter().unzip();
    assert_eq!([even, odd], [[(2, true); 3], [due; 3]]);
    world.database_mut(0).cache.forget(QueueId(0));
    assert_eq!(chosen(&mut world, 4, 10), [due, due, due, (3, true)]);
}

/// All of a cache is dirty, nothing is written before somebody lacks a buffer, and then the storage has written a block
/// every 10 ms: a read of eight blocks begins after 80 ms, when there is a buffer for each, and not with the first. It
/// takes 10 ms; what is changed then takes a ninth buffer, so that the next read begins 90 ms later.
#[test]
fn a_read_of_several_blocks_waits_until_it_has_a_buffer_for_each() {
    let transaction = TransactionConfig { changes: 1.0, reads: 8.0, read_blocks: 8, ..database().transaction };
    let cache = CacheConfig { sets: 1, hot: 0, hot_share: 0.0, scan_share: 0.0, large_dirty: 1, ..database().cache };
    let writers = WriterConfig { outstanding: 1, block: Ns::from_us(1.0), ..database().writers };
    let data = device(64, Ns::from_ms(10.0), Shape::Constant);
    let mut instance = oltp(1, DatabaseConfig { transaction, cache, writers, data, ..database() });
    instance.workload.demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Constant };
    instance.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::ZERO, start_spread: Ns::ZERO };
    let mut world = World::new(&one(node(), instance), 1);
    let database = world.database_mut(0);
    let made = database.redo.made;
    let clean: Vec<u32> = (0..1000).filter(|&buffer| database.cache.first_change(buffer).is_none()).collect();
    clean.into_iter().for_each(|buffer| database.cache.change(buffer, made, made));
    for (ms, blocks) in [(15.0, 0), (75.0, 0), (85.0, 8), (175.0, 8), (190.0, 16)] {
        world.run(Ns::from_ms(ms), u64::MAX);
        let free = &world.accounts.groups[0].stays[Activity::FREE_BUFFER_WAITS.i()];
        assert_eq!(world.accounts.databases[0].get(Sum::Reads), blocks, "{ms} ms");
        // One wait for each buffer, from the first request to write on.
        assert!(ms > 85.0 || free.count() == (ms / 10.0) as u64, "{ms} ms: {} waits", free.count());
        assert!((free.mean() / 1e7 - 1.0).abs() < 0.03, "{ms} ms: {}", free.mean());
    }
}

/// Of three blocks that are due the second is changed by redo that is not on disk. The others are written; it stays
/// with the writer, is not chosen again, and is written once its redo is there. The log writer is asked for that unless
/// it is writing it.
#[test]
fn a_block_without_its_redo_is_put_off_and_the_others_are_written() {
    for (is_under_way, asks) in [(false, true), (true, false)] {
        let mut world = World::new(&one(node(), oltp(1, database())), 1);
        let database = world.database_mut(0);
        let on_disk = database.redo.made;
        (0..3).for_each(|buffer| database.cache.change(buffer, u64::from(buffer), u64::from(buffer) + 1));
        database.cache.change(1, on_disk, on_disk + 500);
        database.redo.made += 1_000_000;
        database.redo.writing += if is_under_way { 500 } else { 499 };
        let mut turn = Turn { world: &mut world, instance: 0, number: 0 };
        assert_eq!(turn.gather(), asks);
        assert!(!turn.gather(), "asked once");
        assert_eq!((turn.me().batch.clone(), turn.me().put_off.clone()), (vec![0, 2], vec![(on_disk + 500, 1)]));
        turn.world.database_mut(0).redo.on_disk += 499;
        assert!(!turn.gather() && turn.me().batch.len() == 2);
        turn.world.database_mut(0).redo.on_disk += 1;
        assert!(!turn.gather() && turn.me().put_off.is_empty());
        assert_eq!(turn.me().batch, [0, 2, 1]);
    }
}

/// A writer with one block that waits for its redo works for another one; with none it waits for the log writer, which
/// is told so once, and wakes it where everybody does.
#[test]
fn a_writer_waits_for_redo_only_where_nothing_else_is_to_do() {
    let mut world = World::new(&one(node(), oltp(1, database())), 1);
    let database = world.database_mut(0);
    let (queue, made) = (database.writers[0].ear.queue, database.redo.made);
    database.cache.change(1, 1, made + 500);
    database.redo.made += 1_000_000;
    let mut turn = Turn { world: &mut world, instance: 0, number: 0 };
    for _ in 0..2 {
        let (stage, step) = turn.looks();
        let waits =
            matches!(step, Step::Wait { event: Activity::RDBMS_IPC_REPLY, on: On::Items(at, 1), .. } if at == queue);
        // First it posts the log writer.
        assert!(stage == Stage::Asked || stage == Stage::Asleep && waits, "{stage:?} {step:?}");
    }
    turn.looks();
    let told = turn.world.database(0).redo.for_disk.clone();
    assert_eq!(told, [(made + 500, Reply { queue, wait: 0 })]);
    turn.world.database_mut(0).cache.change(2, 2, 3);
    let (stage, _) = turn.looks();
    assert_eq!((stage, turn.me().batch.as_slice()), (Stage::Works, [2].as_slice()));
}

/// So many logs of 100,000 bytes.
fn with_logs(groups: u32, checkpoint: CheckpointConfig) -> World {
    let log = LogConfig { size: 100_000, groups, ..database().log };
    World::new(&one(node(), oltp(1, DatabaseConfig { log, checkpoint, ..database() })), 0)
}

/// As far as 0.9 of a log before the end of the redo, whatever log that is in; or what was made so long ago.
#[test]
fn writers_write_what_is_older_than_the_latest_of_three_limits() {
    let checkpoint = CheckpointConfig { lag: 90_000, timeout: Ns::from_ms(10.0), work: Ns(1) };
    let mut world = with_logs(3, checkpoint);
    let database = world.database_mut(0);
    let start = database.redo.start();
    database.redo.made = start + 5_000;
    assert_eq!(database.target(), start - 85_000, "in the log before");
    database.redo.made = start + 95_000;
    assert_eq!(database.target(), start + 5_000);
    database.grows_older(Ns::from_ms(1.0));
    database.redo.made = start + 99_000;
    database.grows_older(Ns::from_ms(10.9));
    assert_eq!(database.target(), start + 9_000, "that is 9.9 ms old");
    database.grows_older(Ns::from_ms(11.0));
    assert_eq!(database.target(), start + 95_000);
    database.redo.made = start + 100_000;
    database.redo.switch();
    assert_eq!(database.target(), start + 95_000, "a switch asks for nothing");
}

/// A thousandth of a byte a nanosecond, for hours: 10 ms ago the redo ended 10,000 bytes before, and of what was made
/// since so much is too old after each moment.
#[test]
fn ages_before_the_start_are_known() {
    let checkpoint = CheckpointConfig { lag: 90_000, timeout: Ns::from_ms(10.0), work: Ns(1) };
    let mut world = with_logs(3, checkpoint);
    let database = world.database_mut(0);
    let made = database.redo.made + 50_000;
    database.redo.made = made;
    database.remembers(0.001);
    assert_eq!(database.target(), made - 10_000);
    for ms in [2.5, 5.0, 9.99] {
        database.grows_older(Ns::from_ms(ms));
        let old = made - database.target();
        assert!(old.abs_diff(10_000 - (1000.0 * ms) as u64) <= 20, "{old} after {ms} ms");
    }
}

/// Two logs, the other one needed: who waits for it has the writers write all that was changed before the present one.
#[test]
fn writers_write_what_keeps_a_log_that_is_wanted() {
    let mut world = with_logs(2, CheckpointConfig { lag: 150_000, timeout: Ns::ZERO, work: Ns(1) });
    let database = world.database_mut(0);
    database.redo = Redo::new(100_000, 2, 50_000, 100_000, 150_000);
    let start = database.redo.start();
    assert_eq!((database.redo.wanted(), database.target()), (Some(start), start - 50_000));
    let reply = database.awaits(0);
    database.redo.for_log.push_back(reply);
    assert_eq!(database.target(), start);
}
