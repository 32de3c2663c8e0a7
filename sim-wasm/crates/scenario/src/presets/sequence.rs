//! A sequence that two instances share.

use super::Preset;

/// Inserts with NEXTVAL from two nodes, without CACHE and with it.
pub(super) const NOCACHE: Preset = Preset {
    id: "sequence-nocache",
    title: "A sequence without CACHE in a cluster",
    question: super::words(
        "Two sessions, one on each node, insert 10,000 rows with values of one sequence: what does NOCACHE cost, and \
        how many values have to be cached?",
    ),
    note: super::words(
        "Times of one node, of the block and of a hand-over of the lock are set, and the start of the second session \
        is solved from the number of waits, so that waits and their mean show only that this is possible. \
        Elapsed times and all of CACHE follow; they were not published. Elapsed times of the listing are taken as CPU: \
        it has 5.29 of the 7.66 s as CPU, and does not say what the rest was.",
    ),
    nodes: 2,
    instances: &[1, 2],
    set: &[
        ("cluster_nodes", "2"),
        ("workload", "oltp"),
        ("interconnect", "1GbE"),
        ("sessions", "1"),
        ("session_start_spread_ms", "0"),
        ("executions", "10"),
        ("start_skew_s", "5.046"),
        ("demand_distribution", "constant"),
        ("calls_per_transaction", "1000"),
        ("lio_per_transaction", "2646"),
        ("lio_us", "289.494"),
        ("physical_reads_per_transaction", "0"),
        ("block_changes_per_transaction", "2567"),
        ("hot_change_percent", "100"),
        ("redo_bytes_per_transaction", "700000"),
        ("redo_log_mb", "50"),
        ("commit_wait", "nowait"),
        ("shared_reads_per_transaction", "0"),
        ("shared_changes_per_transaction", "0"),
        ("sequence_values_per_transaction", "1000"),
        ("sequence_cache", "0"),
        ("sequence_transfers", "given"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("switch_direct_us", "0"),
        ("switch_refill_us", "0"),
        ("migration_refill_us", "0"),
    ],
    compare: &[("sequence_cache", "20")],
    sweep: ("sequence_cache", 0.0, 1000.0, 0.0),
    metric: "elapsed_s",
    family: None,
    hinge: None,
    ranges: &[
        ("cluster_nodes", 2.0, 16.0),
        ("sequence_cache", 0.0, 1000.0),
        ("executions", 1.0, 100.0),
        ("sessions", 1.0, 64.0),
        ("sequence_values_per_transaction", 0.0, 1000.0),
    ],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 2.0,
};
