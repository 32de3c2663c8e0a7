//! When writers look, and where they meet the load.
use super::*;

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

/// Of four transactions three are queries, so that three come between two that change something: each reads 4 blocks,
/// and the one in between 1.
#[test]
fn blocks_are_read_by_all_queries_between_two_changes() {
    let mut config = crate::testing::database();
    (config.query.share, config.query.reads, config.transaction.reads) = (0.75, 4.0, 1.0);
    assert!((Load::of(&config, 1000.0).reads - 13.0).abs() < 1e-9);
}
