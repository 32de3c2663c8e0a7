//! Workloads that speed is measured with: natively, in Node and in the browser.

use crate::config::to_config;
use crate::decode::decode;
use wwi_model::config::Config;
use wwi_model::experiment::{Figures, Goal};

/// Quantum of 100 ms where there is one, 5 µs a switch, exponential demand of 1 s.
const LOAD: &str = "cpu-queue?arrivals=closed&rr_quantum_ms=100&switch_direct_us=5\
     &lio_us=1&lio_per_transaction=1000000&session_start_spread_ms=1000";

/// Every workload.
pub const NAMES: [&str; 14] = [
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
    "one-database-writer",
    "eight-database-writers",
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
    const FEW: &str = "&sessions=32";
    const MANY: &str = "&sessions=10000&cores_per_socket=128";
    // All in one real-time class, 100 ms a turn, without a limit: the layer over CFS does the work.
    const REAL_TIME: &str = "&sessions=32&class@session=RR&sched_rt_runtime_us=-1";
    let under = |scheduler: &str, rest: &str| [LOAD, "&os_scheduler=", scheduler, rest].concat();
    let query = match name {
        "round-robin-32-on-8" => under("round_robin", FEW),
        "round-robin-10000-on-128" => under("round_robin", MANY),
        "cfs-32-on-8" => under("CFS", FEW),
        "eevdf-32-on-8" => under("EEVDF", FEW),
        "eevdf-10000-on-128" => under("EEVDF", MANY),
        "o1-32-on-8" => under("O1", FEW),
        "aix-32-on-8" => under("AIX", FEW),
        "solaris-32-on-8" => under("Solaris", FEW),
        "real-time-32-on-8" => under("CFS", REAL_TIME),
        "seed-point" => "instance-caging-vm".to_owned(),
        "one-database-writer" => "dbwr-heavy?db_writer_processes=1".to_owned(),
        "eight-database-writers" => "dbwr-heavy".to_owned(),
        _ => return None,
    };
    decode(&query).ok().map(|decoded| to_config(&decoded.scenario))
}

/// A cluster of so many nodes with eight CPUs and 50 sessions each, which ask one another for some 5,000 blocks and
/// grants a second and node.
pub fn cluster(nodes: usize) -> Option<Config> {
    let hosts =
        vec![r#"{"sockets": 1, "cores_per_socket": 8, "threads_per_core": 1, "smt_yield": 1}"#; nodes].join(", ");
    let instances: Vec<String> = (1..=nodes).map(|node| format!(r#"{{"node": {node}}}"#)).collect();
    let load = r#""workload": "oltp", "interconnect": "10GbE", "sessions": 50, "think_time_ms": 28,
        "calls_per_transaction": 1, "lio_per_transaction": 40, "lio_us": 5, "physical_reads_per_transaction": 0,
        "block_changes_per_transaction": 4, "redo_bytes_per_transaction": 1000, "gcs_server_processes": 4,
        "shared_blocks": 10000"#;
    let text = format!(r#"{{"version": 1, "nodes": [{hosts}], "instances": [{}], {load}}}"#, instances.join(", "));
    decode(&text).ok().map(|decoded| to_config(&decoded.scenario))
}

/// A goal that no run reaches: whoever measures decides how long.
pub fn endless() -> Goal {
    Goal { precision: 1e-9, max_events: u64::MAX, record: 0, figures: Figures::ThroughputAndResponse, coarse: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_workload_is_one_and_clusters_have_the_nodes_asked_for() {
        assert!(NAMES.iter().all(|name| yardstick(name).is_some() != config(name).is_some()));
        for nodes in [2, 16] {
            let config = cluster(nodes).expect("a scenario");
            assert_eq!((config.nodes.len(), config.cluster.is_some()), (nodes, true));
        }
    }
}
