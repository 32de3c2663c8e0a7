//! How commits are answered, when writers look, and where they meet the load.
use super::super::super::world::World;
use super::*;
use crate::config::Config;
use crate::testing::{database, node, oltp, one};

/// Of 313 waits 53 were long in a published trace that changes; whose mean was 2 % above what polling was to take.
#[test]
fn answering_changes_to_polling_where_an_eighth_is_long_and_back_below_half_the_commits() {
    let ms = |t: f64| Ns::from_ms(t);
    let mut pace = Pace::new(Answering::Adaptive, ms(1.0));
    assert!(!pace.polls);
    let mut look = |long: u32, commits: u32, at: f64| {
        (0..128).for_each(|_| pace.wrote(ms(1.0)));
        // Polling is to take 2 ms: 2.2 are not long.
        (0..commits).for_each(|number| pace.synced(ms(if number < long { 2.3 } else { 2.2 }), ms(2.0)));
        (pace.looks(ms(at)), pace.polls)
    };
    assert_eq!(look(4, 4, 1000.0), (false, false));
    assert_eq!(look(125, 1000, 2000.0), (false, false));
    assert_eq!(look(126, 1000, 3000.0), (true, true));
    assert_eq!(look(0, 501, 4000.0), (false, true));
    assert_eq!(look(0, 499, 5000.0), (true, false));
    assert_eq!(look(53, 313, 5100.0), (true, true));
    assert_eq!(look(21, 21, 5200.0), (true, false));
    assert_eq!(look(1, 5, 5300.0), (true, true));
    assert_eq!(look(0, 0, 5400.0), (true, false));
    // Neither 128 writes nor 3 s.
    pace.wrote(ms(1.0));
    (0..5).for_each(|_| pace.synced(ms(9.0), ms(2.0)));
    assert!(!pace.looks(ms(8399.0)) && pace.looks(ms(8400.0)));
}

/// Published of log writers [µs]: mean write, mean answer to a broadcast, least sleep, and how long polling was to
/// take. Who finds its redo in the write under way sleeps for one of them.
#[test]
fn polling_is_to_take_two_writes_or_answers_or_the_least_sleep() {
    let us = |t: u64| Ns(1000 * t);
    for (write, ack, least, both, one) in [(1923, 2372, 1069, 4744, 2372), (5506, 0, 19134, 19134, 19134)] {
        let mut world = World::new(&one_alone(), 1);
        let database = world.database_mut(0);
        (database.pace.write, database.redo.broadcasts.ack) = (1e3 * f64::from(write), us(ack));
        database.config.log.least_sleep = us(least);
        database.redo.made += 1000;
        database.redo.gather();
        let writing = database.redo.writing;
        assert_eq!((database.sleep(writing + 1), database.sleep(writing)), (us(both), us(one)));
    }
}

fn one_alone() -> Config {
    one(node(), oltp(1, database()))
}

/// Of writers that work a quarter of the time a quarter is at work as a run begins; the others look within what is
/// between two looks. Where the storage decides all are at work.
#[test]
fn writers_are_at_work_as_a_run_begins_as_often_as_they_work() {
    let looks = Looks { apart: Ns::from_ms(400.0), busy: 0.25 };
    let first = |share: f64| looks.first(Ns((share * WRITERS_WAKE.0 as f64) as u64)).0 as f64 / 1e6;
    assert!(first(0.0) < 0.001 && first(0.249) < 0.001);
    assert!((first(0.625) - 200.0).abs() < 0.001 && (first(1.0) - 400.0).abs() < 0.001);
    let all = Looks { busy: 1.0, ..looks };
    assert_eq!(all.first(WRITERS_WAKE), Ns(1));
}

/// 8 cold changes and 20 hot ones of 8,000 buffers in a transaction of 5,000 bytes: after 4,000 transactions 9.82
/// blocks are to be written in each, after twice as many 8.95. In a tenth of either the distance hangs on what the
/// writers can.
#[test]
fn writers_meet_the_load_between_a_log_and_all_of_them() {
    let load = Load { hot: 8000.0, changes: 20.0, cold: 8.0, redo: 5000.0, reads: 0.0 };
    let (size, groups) = (20e6, 3.0);
    assert!((load.writes(size) - 9.818).abs() < 0.001 && (load.writes(2.0 * size) - 8.952).abs() < 0.001);
    let meet = [8.0, 8.1, 10.7, 10.9].map(|can| load.may_meet(can, (size, groups)));
    assert_eq!(meet, [false, true, true, false]);
}
