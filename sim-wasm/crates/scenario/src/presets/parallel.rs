//! A parallel query whose slaves are on one host or on three.

use super::{Preset, PublishedPoint};

/// Rows of four slaves go to a coordinator.
pub(super) const PX_ACROSS_NODES: Preset = Preset {
    id: "px-across-nodes",
    title: "A parallel query across nodes",
    question: super::words(
        "Four slaves scan a table for one query: what does it cost if they are dealt out to three nodes?",
    ),
    note: super::words(
        "Rows and the time of a scan are set from a query on one instance, published with 7.50 s of CPU of its \
        coordinator; what three nodes do follows. Where the slaves were is not told: here two are on the \
        coordinator's node. The published 91 and 189 s are one execution against three: an execution takes 91 and \
        64 s, its fetch 61 and 63 s.",
    ),
    nodes: 3,
    instances: &[1, 2, 3],
    set: &[
        ("cluster_nodes", "3"),
        ("workload", "parallel_query"),
        ("interconnect", "1GbE"),
        ("parallel_instances", "all"),
        ("parallel_degree", "4"),
        ("sessions", "0"),
        ("sessions@instance1", "1"),
        ("executions", "1"),
        ("px_rows", "7634700"),
        ("px_scan_row_ns", "30914"),
        ("parallel_execution_message_size", "2148"),
        ("sockets", "1"),
        ("cores_per_socket", "8"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("switch_direct_us", "0"),
        ("switch_refill_us", "0"),
        ("migration_refill_us", "0"),
    ],
    compare: &[("parallel_instances", "local")],
    sweep: ("px_remote_cost", 1.0, 20.0, 3.0),
    metric: "session_cpu_s",
    family: None,
    hinge: None,
    ranges: &[
        ("cluster_nodes", 2.0, 16.0),
        ("parallel_degree", 1.0, 16.0),
        ("px_rows", 10_000.0, 10_000_000.0),
        ("px_remote_cost", 1.0, 20.0),
        ("parallel_execution_message_size", 2148.0, 32_768.0),
    ],
    published: super::crosses(&[
        PublishedPoint { x: 10.0, y: 7.5, label: "published 7.5, one instance", role: "input", unit: "s" },
        PublishedPoint { x: 10.0, y: 23.3, label: "published 23.3 an execution", role: "prediction", unit: "s" },
    ]),
    opens: None,
    variants: None,
    cost_minutes: 3.0,
};
