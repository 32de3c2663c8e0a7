//! When writers look, and where they meet the load.
use super::*;
use crate::config::database::{DeviceConfig, WriterConfig};
use crate::meet::device::ServiceTime;
use crate::testing;

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

/// One device that serves 33 at once, 2 ms each: 16,500 requests a second. Reads take theirs of the storage, not of
/// what the writers have under way.
#[test]
fn writers_can_write_what_they_have_under_way_or_reads_leave() {
    let of = testing::database();
    let ms = |mean: f64, shape| ServiceTime { mean: Ns::from_ms(mean), shape, slow: None };
    let data = |is_async| DeviceConfig { width: 33, service: ms(2.0, Shape::Exponential), is_async };
    let writers = |count, outstanding| WriterConfig { count, outstanding, block: Ns::from_us(10.0), ..of.writers };
    let per_s = |data, writers, reads: f64| {
        let config = DatabaseConfig { data, writers, ..testing::database() };
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
