//! Workloads that speed is measured with: natively, in Node and in the browser.

use crate::config::to_config;
use crate::decode::decode;
use wwi_model::config::Config;
use wwi_model::experiment::{Figures, Goal};

/// Round robin, 100 ms, 5 µs a switch, exponential demand of 1 s.
const ROUND_ROBIN: &str = "cpu-queue?arrivals=closed&os_scheduler=round_robin&rr_quantum_ms=100&switch_direct_us=5\
     &lio_us=1&lio_per_transaction=1000000&session_start_spread_ms=1000";

/// Every workload.
pub const NAMES: [&str; 12] = [
    "round-robin-32-on-8",
    "round-robin-10000-on-128",
    "cfs-32-on-8",
    "eevdf-32-on-8",
    "eevdf-10000-on-128",
    "o1-32-on-8",
    "aix-32-on-8",
    "solaris-32-on-8",
    "real-time-32-on-8",
    "seed-point",
    "yardstick-32-on-8",
    "yardstick-10000-on-128",
];

/// Sessions and CPUs of a workload of the hand-written minimum.
pub fn yardstick(name: &str) -> Option<(usize, usize)> {
    match name {
        "yardstick-32-on-8" => Some((32, 8)),
        "yardstick-10000-on-128" => Some((10_000, 128)),
        _ => None,
    }
}

/// The configuration of a workload of the engine.
pub fn config(name: &str) -> Option<Config> {
    let under = |scheduler: &str| {
        let load = ROUND_ROBIN.replace("os_scheduler=round_robin", &format!("os_scheduler={scheduler}"));
        format!("{load}&sessions=32")
    };
    let query = match name {
        "round-robin-32-on-8" => format!("{ROUND_ROBIN}&sessions=32"),
        "round-robin-10000-on-128" => format!("{ROUND_ROBIN}&sessions=10000&cores_per_socket=128"),
        "cfs-32-on-8" => under("CFS"),
        "eevdf-32-on-8" => under("EEVDF"),
        "eevdf-10000-on-128" => {
            let load = ROUND_ROBIN.replace("os_scheduler=round_robin", "os_scheduler=EEVDF");
            format!("{load}&sessions=10000&cores_per_socket=128")
        }
        "o1-32-on-8" => under("O1"),
        "aix-32-on-8" => under("AIX"),
        "solaris-32-on-8" => under("Solaris"),
        // All in one real-time class, 100 ms a turn, without a limit: the layer over CFS does the work.
        "real-time-32-on-8" => format!("{}&class@session=RR&sched_rt_runtime_us=-1", under("CFS")),
        "seed-point" => "instance-caging-vm".to_owned(),
        _ => return None,
    };
    decode(&query).ok().map(|decoded| to_config(&decoded.scenario))
}

/// A goal that no run reaches: whoever measures decides how long.
pub fn endless() -> Goal {
    Goal { precision: 1e-9, max_events: u64::MAX, record: 0, figures: Figures::ThroughputAndResponse, coarse: false }
}
