//! A small server among hogs.

use super::Preset;

/// Its class decides.
pub(super) const STARVED: Preset = Preset {
    id: "starved-service",
    title: "A small server among hogs",
    question: super::words(
        "Four hogs on two CPUs, and a process that must answer requests: how much may it ask for before its \
        queue grows without bound?",
    ),
    note: super::words(
        "In the ordinary class its fair share is two fifths of a CPU. Nothing here is published; queueing theory \
        answers the server alone. Two threads of the kernel use a thousandth of the CPUs (background2): without any, \
        hogs and server would fall into step, as on no machine.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        ("sessions", "4"),
        ("session_start_spread_ms", "100"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("class@service", "TS"),
        ("service_per_s", "300"),
        ("service_us", "2000"),
        ("sockets", "1"),
        ("cores_per_socket", "2"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("background2_processes", "2"),
        ("background2_busy_ms", "0.05"),
        ("background2_sleep_ms", "100"),
    ],
    compare: &[("class@service", "FIFO")],
    sweep: ("service_per_s", 25.0, 475.0, 25.0),
    metric: "service_p99_ms",
    family: None,
    hinge: None,
    ranges: &[("sessions", 1.0, 16.0), ("service_per_s", 0.0, 475.0), ("service_us", 100.0, 20_000.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 2.0,
};
