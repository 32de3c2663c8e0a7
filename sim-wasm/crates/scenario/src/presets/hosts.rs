//! The same instance on two hosts.

use super::Preset;
use crate::metrics::DEFAULT;

/// A small host and one of four times its cores; nothing couples them.
pub(super) const TWO_HOSTS: Preset = Preset {
    id: "two-hosts",
    title: "One instance, a small host and a large one",
    question: super::words(
        "The same instance with the same cpu_count on eight threads and on thirty-two: what does a limit that \
        fits the small host cost on the large one?",
    ),
    note: super::words(
        "Nothing couples the hosts: each runs as if alone, and figures are sums over both. That a read takes as long \
        on both, and that their cores share a yield of 1.31, are assumptions.",
    ),
    nodes: 2,
    instances: &[1, 2],
    set: &[
        ("cluster_nodes", "2"),
        ("resource_manager_plan", "default"),
        ("cpu_count", "8"),
        ("sessions", "32"),
        ("lio_us", "2.1"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "55"),
        ("sockets", "1"),
        ("sockets@node2", "2"),
        ("cores_per_socket", "4"),
        ("cores_per_socket@node2", "8"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.31"),
        ("guest_sees_smt", "yes"),
    ],
    compare: &[("resource_manager_plan", "none")],
    sweep: ("sessions", 1.0, 48.0, 1.0),
    metric: DEFAULT,
    family: Some(("cpu_count", &[4.0, 8.0, 16.0, 32.0])),
    hinge: None,
    ranges: &[("cpu_count", 1.0, 32.0), ("sessions", 1.0, 48.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};
