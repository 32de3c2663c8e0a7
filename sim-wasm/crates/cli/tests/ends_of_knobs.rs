//! Values at the ends of their ranges whose answers follow from the rules of the model.

use std::process::Command;

fn lio_per_s(query: &str) -> f64 {
    let output = Command::new(env!("CARGO_BIN_EXE_wwi"))
        .args(["run", query, "--precision", "0.03", "--json"])
        .output()
        .expect("it starts");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(report["fault"].is_null(), "{query}: {}", report["fault"]);
    let broken = |check: &&serde_json::Value| check["ok"] != true;
    assert_eq!(report["checks"].as_array().expect("checks").iter().find(broken), None, "{query}");
    report["throughput"]["lio_per_s"]["mean"].as_f64().expect("a number")
}

fn close(query: &str, expected: f64, tolerance: f64) {
    let found = lio_per_s(query);
    assert!((found / expected - 1.0).abs() < tolerance, "{query}: {found}, not {expected}");
}

/// 10 ms and the safe point of each 20 ms, on a core with as many busy threads as slots in use.
#[test]
fn a_quantum_of_half_a_tick_is_that_of_a_tick() {
    for rest in ["&switch_refill_us=0", "&rm_safe_point_ms=0"] {
        let at = |quantum: u32| format!("instance-caging-vm?rm_quantum_ms={quantum}{rest}");
        let expected = lio_per_s(&at(6));
        assert!(expected > 1.5e6, "{expected}");
        for quantum in [1, 3, 5] {
            close(&at(quantum), expected, 0.02);
        }
    }
    close(
        "soft-affinity-tpcc?resource_manager_plan=default&rm_quantum_ms=5&rm_safe_point_ms=0&max_events=300000",
        lio_per_s(
            "soft-affinity-tpcc?resource_manager_plan=default&rm_quantum_ms=6&rm_safe_point_ms=0&max_events=300000",
        ),
        0.02,
    );
}

/// Eight threads do 3.6 M/s. Without ticks a slot is never empty: each 50.2 ms lose 812 µs. With a tick of 100 ms
/// and a quantum of half of it, half of the slots are empty: at least 1.8 M/s for four threads on four cores of two,
/// less 0.8 %.
#[test]
fn ticks_of_nothing_and_of_twice_the_quantum() {
    close("instance-caging-vm?rm_tick_ms=0&rm_quantum_ms=50", 3.6e6 * (1.0 - 0.812 / 50.2), 0.005);
    let coarse = lio_per_s("instance-caging-vm?rm_tick_ms=100&rm_quantum_ms=50");
    assert!((1.75e6..2.5e6).contains(&coarse), "{coarse}");
}

/// One session that never waits does a thousand reads of 1 ms a second, for days on end. Reads count with their
/// transaction: one of a minute more or less in each of 64 starts of 3.5 hours is 0.06 %, and four times that is
/// allowed.
#[test]
fn processor_sharing_goes_on_for_days() {
    let query =
        "cpu-queue?os_scheduler=processor_sharing&arrivals=closed&sessions=1&lio_us=1000&lio_per_transaction=60000\
         &demand_distribution=exponential&max_events=20000";
    close(query, 1000.0, 0.0025);
}

/// With the published hold time and a latch that every twentieth read needs, sessions sleep for latches; they do not
/// stop. Whom a post wakes takes the CPU from the poster, who has let go, so it makes no difference whether waking
/// pre-empts: in BATCH it does not.
#[test]
fn a_hot_latch_slows_the_sessions_and_does_not_stop_them() {
    let hot = "instance-caging-vm?resource_manager_plan=none&max_events=3000000\
        &latch_share=0.05&latch_exclusive_share=1&latch_hold_us=1";
    let free = lio_per_s(&format!("{hot}&switch_refill_us=0"));
    assert!(free > 3.2e6, "{free}");
    let slowed = lio_per_s(hot);
    assert!(slowed > 0.6e6, "{slowed}");
    close(&format!("{hot}&class@session=BATCH"), slowed, 0.02);
    // Each turn loses 802 µs of about a millisecond.
    let slowed = lio_per_s(&format!("{hot}&os_scheduler=EEVDF"));
    assert!((0.6e6..1.5e6).contains(&slowed), "{slowed}");
}
