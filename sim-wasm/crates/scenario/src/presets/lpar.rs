//! Hogs on an AIX partition.

use super::{Hinge, Preset, PublishedPoint};
use crate::metrics::DEFAULT;

/// Ten virtual processors with SMT4.
pub(super) const SMT4: Preset = Preset {
    id: "lpar-smt4",
    title: "Forty logical CPUs of ten POWER7 cores",
    question: super::words(
        "Ten cores with four threads each, one hog after the other: how much does each further session bring, \
        and what does AIX call CPU time?",
    ),
    note: super::words(
        "The yields of POWER7 are nominal. That sharing blocks between cores costs 5 % (κ) is a hypothesis; the \
        compared loop reads no blocks.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        ("sessions", "40"),
        ("lio_per_transaction", "64090"),
        ("lio_us", "5.57"),
        ("session_start_spread_ms", "100"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("core_coherence", "0.05"),
        ("os_scheduler", "AIX"),
        ("sockets", "1"),
        ("cores_per_socket", "10"),
        ("threads_per_core", "4"),
        ("smt_yield", "1/1.4/1.52/1.6"),
        ("guest_sees_smt", "yes"),
    ],
    compare: &[("core_coherence", "0")],
    sweep: ("sessions", 1.0, 50.0, 1.0),
    metric: DEFAULT,
    family: None,
    hinge: Some(Hinge {
        knob: "core_coherence",
        from: 0.0,
        to: 0.15,
        marks: &[(0.0, "no shared blocks"), (0.05, "assumed")],
    }),
    ranges: &[("sessions", 1.0, 50.0), ("core_coherence", 0.0, 0.15)],
    published: super::crosses(&[
        PublishedPoint { x: 1.0, y: 179_500.0, label: "published 179.5 k LIO/s", role: "input", unit: "LIO/s" },
        PublishedPoint {
            x: 40.0,
            y: 2_706_000.0,
            label: "published 67,650 LIO/s a session, 2.71 M in all",
            role: "consistency check",
            unit: "LIO/s",
        },
        PublishedPoint {
            x: 40.0,
            y: 2_200_000.0,
            label: "published of the same run, conflicting: 2.2 M in all",
            role: "prediction",
            unit: "LIO/s",
        },
        PublishedPoint {
            x: 40.0,
            y: 2_316_400.0,
            label: "published of cputoolkit, another run: 57,910 LIO/s a session, 2.3 M in all",
            role: "prediction",
            unit: "LIO/s",
        },
    ]),
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};
