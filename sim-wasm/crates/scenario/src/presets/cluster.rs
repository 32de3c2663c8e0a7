//! Clusters.

use super::Preset;

/// A log writer on one node that all wait for.
pub(super) const SLOW_REDO: Preset = Preset {
    id: "slow-redo-elsewhere",
    title: "A slow log writer on another node",
    question: super::words(
        "Sessions on node 1 wait long for blocks: is it the interconnect, or the log writer of the node that sends \
        them?",
    ),
    note: super::words(
        "One block in twenty from node 3 waits 4.38 s for redo there, as published. That 28.4 % of node 1's blocks \
        come from node 3 is worked back from the published receive time, so the mean shows only that this is \
        possible. What node 3 itself waits for its blocks, 10.4 ms, is not explained by this.",
    ),
    nodes: 3,
    instances: &[1, 2, 3],
    set: &[
        ("cluster_nodes", "3"),
        ("workload", "oltp"),
        ("interconnect", "1GbE"),
        ("arrivals", "open"),
        ("arrivals_per_s", "50"),
        ("arrivals_per_s@instance1", "250"),
        ("lio_per_transaction", "40"),
        ("lio_us", "5"),
        ("calls_per_transaction", "1"),
        ("physical_reads_per_transaction", "0"),
        ("hot_change_percent", "100"),
        ("block_changes_per_transaction", "4"),
        ("redo_bytes_per_transaction", "1000"),
        ("shared_blocks", "100000"),
        ("shared_reads_per_transaction", "0"),
        ("shared_reads_per_transaction@instance1", "4"),
        ("shared_changes_per_transaction", "0"),
        ("shared_changes_per_transaction@instance2", "7.16"),
        ("shared_changes_per_transaction@instance3", "2.84"),
        ("gcs_server_processes", "2"),
        // The default before 11.2. One in thirteen of the blocks that node 3 sends to readers it holds shared, and does
        // not build: 0.1 ms a block was published.
        ("fairness_threshold", "4"),
        ("gc_build_us", "108"),
        ("gc_log_flush@instance3", "given"),
        ("gc_log_flush_ms@instance3", "4380"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "8"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("switch_direct_us", "0"),
        ("switch_refill_us", "0"),
        ("migration_refill_us", "0"),
    ],
    compare: &[("gc_log_flush_ms@instance3", "1")],
    sweep: ("gc_log_flush_ms@instance3", 0.0, 5000.0, 500.0),
    metric: "gc_cr_block_receive_ms",
    family: None,
    hinge: None,
    ranges: &[("cluster_nodes", 2.0, 16.0), ("arrivals_per_s", 10.0, 1000.0), ("gc_log_flush_ms", 0.0, 5000.0)],
    published: super::crosses(&[super::PublishedPoint {
        x: 4380.0,
        y: 63.3,
        label: "published 63.3",
        role: "consistency check",
        unit: "ms",
    }]),
    opens: None,
    variants: None,
    cost_minutes: 15.0,
};

/// Two nodes that serve users, and a small one that runs reports.
pub(super) const STARVED_LMS: Preset = Preset {
    id: "starved-lms",
    title: "A busy node slows the others",
    question: super::words(
        "Reports use more CPU on node 3 than it has, and LMS is an ordinary process there: how long do sessions on \
        the other nodes wait for blocks?",
    ),
    note: super::words(
        "Nothing here is published but two claims. On node 3 LMS needs 0.6 CPU where nobody hinders it, and shares \
        two CPUs with the reports. The second claim, that more LMS make it worse, misses: here each further one \
        gets another fair share.",
    ),
    nodes: 3,
    instances: &[1, 2, 3],
    set: &[
        ("cluster_nodes", "3"),
        ("workload", "oltp"),
        ("interconnect", "1GbE"),
        ("sessions", "20"),
        ("sessions@instance3", "4"),
        ("session_start_spread_ms", "100"),
        ("think_time_ms", "20"),
        ("demand_distribution", "exponential"),
        ("lio_per_transaction", "40"),
        ("lio_us", "10"),
        ("calls_per_transaction", "1"),
        ("physical_reads_per_transaction", "0"),
        ("hot_change_percent", "100"),
        ("block_changes_per_transaction", "4"),
        ("redo_bytes_per_transaction", "1000"),
        ("shared_reads_per_transaction", "4"),
        ("shared_reads_per_transaction@instance3", "0"),
        ("shared_changes_per_transaction@instance3", "8"),
        ("gcs_server_processes", "1"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "8"),
        ("cores_per_socket@node3", "2"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("background_processes@node3", "4"),
        ("background_sleep_ms", "0"),
        ("class@lms@node3", "TS"),
    ],
    compare: &[("class@lms@node3", "RR")],
    sweep: ("background_processes@node3", 0.0, 16.0, 2.0),
    metric: "gc_cr_block_receive_ms",
    family: None,
    hinge: None,
    ranges: &[("cluster_nodes", 2.0, 16.0), ("sessions", 1.0, 100.0), ("background_processes", 0.0, 16.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 10.0,
};
