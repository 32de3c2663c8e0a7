//! Clusters.

use super::Preset;

/// Two nodes that serve users, and a small one that runs reports.
pub(super) const STARVED_LMS: Preset = Preset {
    id: "starved-lms",
    title: "A busy node slows the others",
    question: super::words(
        "Reports use more CPU on node 3 than it has, and LMS is an ordinary process there: how long do sessions on \
        the other nodes wait for blocks?",
    ),
    note: super::words(
        "Nothing here is published but the claim. On node 3 LMS needs 0.6 CPU where nobody hinders it, and shares \
        two CPUs with the reports.",
    ),
    nodes: 3,
    instances: &[1, 2, 3],
    set: &[
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
    ],
    compare: &[("class@lms@node3", "FIFO"), ("priority@lms@node3", "50")],
    sweep: ("background_processes@node3", 0.0, 16.0, 2.0),
    metric: "gc_cr_block_receive_ms",
    family: None,
    hinge: None,
    ranges: &[("sessions", 1.0, 100.0), ("background_processes", 0.0, 16.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 10.0,
};
