//! Workloads that speed is measured with: natively, in Node and in the browser.

use crate::config::to_config;
use crate::decode::decode;
use wwi_model::config::Config;
use wwi_model::experiment::{yardstick, Figures, Goal};

/// Quantum of 100 ms where there is one, 5 µs a switch, exponential demand of 1 s.
const LOAD: &str = "cpu-queue?arrivals=closed&rr_quantum_ms=100&switch_direct_us=5\
     &lio_us=1&lio_per_transaction=1000000&session_start_spread_ms=1000";
/// Nine tenths of what eight CPUs do, 1 s of exponential demand each.
const OPEN: &str = "lio_us=1&lio_per_transaction=1000000&arrivals_per_s=7.2";
/// Cores of a socket at most.
const MOST_CORES: usize = 256;
const SEED: u64 = 42;

/// Policies that share the load: name, scheduler, and what else is asked for.
const POLICIES: [(&str, &str, &str); 7] = [
    ("round-robin", "round_robin", ""),
    ("cfs", "CFS", ""),
    ("eevdf", "EEVDF", ""),
    ("o1", "O1", ""),
    ("aix", "AIX", ""),
    ("solaris", "Solaris", ""),
    // All in one real-time class, 100 ms a turn, without a limit: the layer over CFS does the work.
    ("real-time", "CFS", "&class@session=RR&sched_rt_runtime_us=-1"),
];

/// Workloads that take turns, each with the minimum that it is measured by in front; `-32-on-8`: sessions and CPUs.
pub const GROUPS: [&[&str]; 5] = [
    &[
        "minimum-32-on-8",
        "minimum-of-std-32-on-8",
        "minimum-with-books-32-on-8",
        "round-robin-32-on-8",
        "cfs-32-on-8",
        "eevdf-32-on-8",
        "o1-32-on-8",
        "aix-32-on-8",
        "solaris-32-on-8",
        "real-time-32-on-8",
        "seed-point",
        "soft-affinity",
        "one-database-writer",
        "eight-database-writers",
        "cluster-of-4",
        "cluster-of-16",
    ],
    &[
        "minimum-10000-on-128",
        "minimum-of-std-10000-on-128",
        "round-robin-10000-on-128",
        "cfs-10000-on-128",
        "eevdf-10000-on-128",
        "o1-10000-on-128",
        "aix-10000-on-128",
        "solaris-10000-on-128",
        "real-time-10000-on-128",
    ],
    &["minimum-100000-on-1024", "minimum-of-std-100000-on-1024", "round-robin-100000-on-1024"],
    &["minimum-fifo-32-on-8", "fifo-32-on-8"],
    &["minimum-open-0-on-8", "open-0-on-8"],
];

/// `round-robin-32-on-8`: the name before the numbers, sessions, CPUs.
fn sized(name: &str) -> Option<(&str, usize, usize)> {
    let (rest, cpus) = name.split_once("-on-")?;
    let (what, sessions) = rest.rsplit_once('-')?;
    Some((what, sessions.parse().ok()?, cpus.parse().ok()?))
}

/// Runs so many events of a minimum; `None` where that is none. What it answers is of no use but to be answered.
pub fn minimum(name: &str, events: u64) -> Option<u64> {
    let (what, sessions, cpus) = sized(name)?;
    match what {
        "minimum" => Some(yardstick::round_robin(sessions, cpus, events, SEED)),
        "minimum-of-std" => Some(yardstick::round_robin_of_std(sessions, cpus, events, SEED)),
        "minimum-with-books" => Some(yardstick::round_robin_with_books(sessions, cpus, events, SEED)),
        "minimum-fifo" => Some(yardstick::first_in_first_out(sessions, cpus, events, SEED)),
        "minimum-open" => Some(yardstick::open(cpus, events, SEED)),
        _ => None,
    }
}

/// The configuration of a workload of the engine.
pub fn config(name: &str) -> Option<Config> {
    let query = match name {
        "seed-point" => "instance-caging-vm".to_owned(),
        "soft-affinity" => "soft-affinity-tpcc".to_owned(),
        "one-database-writer" => "dbwr-heavy?db_writer_processes=1".to_owned(),
        "eight-database-writers" => "dbwr-heavy".to_owned(),
        "cluster-of-4" => return cluster(4),
        "cluster-of-16" => return cluster(16),
        _ => plain(name)?,
    };
    decode(&query).ok().map(|decoded| to_config(&decoded.scenario))
}

/// Sessions on CPUs, and nothing else.
fn plain(name: &str) -> Option<String> {
    let (what, sessions, cpus) = sized(name)?;
    let (sockets, cores) = if cpus > MOST_CORES { (cpus / MOST_CORES, MOST_CORES) } else { (1, cpus) };
    let host = format!("&sessions={sessions}&sockets={sockets}&cores_per_socket={cores}");
    let under = |scheduler: &str, rest: &str| format!("{LOAD}&os_scheduler={scheduler}{host}{rest}");
    match what {
        "fifo" => Some(under("fifo", "")),
        "open" => Some(format!("cpu-queue?cores_per_socket={cpus}&switch_direct_us=0&{OPEN}")),
        _ => POLICIES.iter().find(|(name, ..)| *name == what).map(|(_, scheduler, rest)| under(scheduler, rest)),
    }
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
        for name in GROUPS.iter().flat_map(|group| group.iter()) {
            assert!(minimum(name, 1000).is_some() != config(name).is_some(), "{name}");
        }
        assert!(GROUPS.iter().all(|group| minimum(group[0], 10).is_some()), "the minimum stands in front");
        for nodes in [2, 16] {
            let config = cluster(nodes).expect("a scenario");
            assert_eq!((config.nodes.len(), config.cluster.is_some()), (nodes, true));
        }
        let many = config("round-robin-100000-on-1024").expect("a scenario");
        assert_eq!((many.nodes[0].threads(), many.closed_sessions()), (1024, Some(100_000.0)));
    }

    /// A minimum that does less than the engine would flatter nobody: both end about as many transactions.
    #[test]
    fn minima_do_what_the_engine_does() {
        // 32 sessions of 1 s in turns of 100 ms on 8 CPUs: of 10 ⅓ events or so one ends a transaction.
        for name in ["minimum-32-on-8", "minimum-of-std-32-on-8"] {
            let ended = minimum(name, 200_000).expect("one") as f64;
            assert!((ended / 200_000.0 - 1.0 / 10.5).abs() < 0.003, "{name}: {ended}");
        }
        let both = ["minimum-32-on-8", "minimum-of-std-32-on-8"].map(|name| minimum(name, 20_000));
        assert_eq!(both[0], both[1], "the same draws, the same order");
        assert_eq!(minimum("minimum-fifo-32-on-8", 5_000), Some(5_000), "each event ends one");
        let left = minimum("minimum-open-0-on-8", 100_000).expect("one") as f64;
        assert!((left / 100_000.0 - 0.5).abs() < 0.01, "{left}: one comes for each that goes");
    }
}
