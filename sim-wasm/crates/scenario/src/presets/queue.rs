//! What textbooks solve.

use super::Preset;

/// Random work for eight CPUs.
pub(super) const CPU_QUEUE: Preset = Preset {
    id: "cpu-queue",
    title: "A queue for eight CPUs",
    question: super::words(
        "Eight CPUs, 90 % busy, work at random: how long does a transaction take, and who pays when all share?",
    ),
    note: super::words(
        "M/M/8: with first come, first served the mean wait is 8.77 ms and the mean response 18.77 ms; sharing keeps \
        the mean and stretches the tail.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        ("max_events", "60000000"),
        ("lio_per_transaction", "10000"),
        ("lio_us", "1"),
        ("demand_distribution", "exponential"),
        ("arrivals", "open"),
        ("arrivals_per_s", "720"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("os_scheduler", "fifo"),
        ("switch_direct_us", "0"),
        ("switch_refill_us", "0"),
        ("migration_refill_us", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "8"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
    ],
    compare: &[("os_scheduler", "processor_sharing")],
    sweep: ("arrivals_per_s", 40.0, 760.0, 40.0),
    metric: "response_p99_ms",
    family: None,
    hinge: None,
    ranges: &[("arrivals_per_s", 40.0, 780.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};
