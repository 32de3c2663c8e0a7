//! Soft affinity on two sockets of 22 cores.

use super::{Hinge, Preset};

const NO_AFFINITY: &[(&str, &str)] = &[("affinity", "none")];
const CROSSING_MARKS: &[(f64, &str)] = &[(0.0, "free"), (0.224, "from 2 × 24 users")];

/// Two databases, each at home on one socket.
pub(super) const TPCC: Preset = Preset {
    id: "soft-affinity-tpcc",
    title: "Two databases, a socket for each, softly",
    question: super::words("Two instances on two sockets: let them roam, bind each to its socket, or only prefer it?"),
    note: super::words(
        "What crossing sockets costs (κx = 0.224) is set from one published gain, two instances with 24 users. \
        Users, think time and CPU of a transaction are assumptions.",
    ),
    nodes: 1,
    instances: &[1, 1],
    set: &[
        ("sessions", "24"),
        ("think_time_ms", "1"),
        ("lio_per_transaction", "1560"),
        ("lio_us", "1.667"),
        ("demand_distribution", "exponential"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("socket_coherence", "0.224"),
        ("llc_share_penalty", "0.112"),
        ("interrupt_cpus", "any"),
        ("switch_refill_us", "10"),
        ("affinity", "soft"),
        ("affinity_cpus@instance1", "0-43"),
        ("affinity_cpus@instance2", "44-87"),
        ("sockets", "2"),
        ("cores_per_socket", "22"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.3"),
    ],
    compare: NO_AFFINITY,
    sweep: ("sessions", 8.0, 64.0, 4.0),
    metric: "throughput_transactions",
    family: None,
    hinge: Some(Hinge { knob: "socket_coherence", from: 0.0, to: 0.2, marks: CROSSING_MARKS }),
    ranges: &[("sessions", 1.0, 64.0), ("think_time_ms", 0.0, 10.0), ("sched_allowed", 1.0, 1000.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 10.0,
};

/// Messages instead of transactions.
pub(super) const HACKBENCH: Preset = Preset {
    id: "soft-affinity-hackbench",
    title: "Two crowds of messengers, a socket for each, softly",
    question: super::words(
        "Processes that wake one another all the time: does it help to keep each crowd on its socket?",
    ),
    note: super::words(
        "Only signs and their order are claimed here: CPU time of a message and what a move costs are estimates.",
    ),
    nodes: 1,
    instances: &[1, 1],
    set: &[
        ("max_events", "60000000"),
        ("arrivals", "messages"),
        ("message_groups", "4"),
        ("message_pairs", "20"),
        ("lio_per_transaction", "1"),
        ("lio_us", "4"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("socket_coherence", "0.03"),
        ("switch_refill_us", "0"),
        ("migration_refill_us", "2"),
        ("socket_refill_us", "5"),
        ("affinity", "soft"),
        ("affinity_cpus@instance1", "0-43"),
        ("affinity_cpus@instance2", "44-87"),
        ("sockets", "2"),
        ("cores_per_socket", "22"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.3"),
    ],
    compare: NO_AFFINITY,
    sweep: ("message_groups", 1.0, 32.0, 1.0),
    metric: "throughput_transactions",
    family: None,
    hinge: None,
    ranges: &[("message_groups", 1.0, 32.0), ("sched_allowed", 1.0, 1000.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 2.0,
};
