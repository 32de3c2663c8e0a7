//! Instance caging.

use super::{Hinge, Preset, PublishedPoint};
use crate::metrics::DEFAULT;

const CAGE: (&str, &str) = ("resource_manager_plan", "default");
const EIGHT_COUNTS: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
const REFILL_MARKS: &[(f64, &str)] = &[(55.0, "bare metal"), (800.0, "assumed for the VM")];

/// SLOB on eight cloud threads.
pub(super) const VM: Preset = Preset {
    id: "instance-caging-vm",
    title: "Instance caging on a VM",
    question: super::words(
        "Eight cloud threads, up to 48 sessions: is it better to let Linux share the CPUs or to cage the \
        instance?",
    ),
    note: super::words(
        "A switch that refills for 800 µs is an assumption, chosen so that the published order appears at four-fold \
        overload.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        CAGE,
        ("cpu_count", "8"),
        ("sessions", "32"),
        ("lio_us", "1.6667"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "800"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.5"),
        ("guest_sees_smt", "no"),
    ],
    compare: &[("resource_manager_plan", "none")],
    sweep: ("sessions", 1.0, 48.0, 1.0),
    metric: DEFAULT,
    family: Some(("cpu_count", EIGHT_COUNTS)),
    hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 1000.0, marks: REFILL_MARKS }),
    ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0), ("switch_refill_us", 0.0, 1000.0)],
    published: super::crosses(&[PublishedPoint {
        x: 8.0,
        y: 3.6e6,
        label: "published 3.6 M LIO/s",
        role: "input",
        unit: "LIO/s",
    }]),
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};

/// The same without a hypervisor.
pub(super) const METAL: Preset = Preset {
    id: "instance-caging-metal",
    title: "Instance caging on bare metal",
    question: super::words(
        "The same eight threads without a hypervisor and with large pages: does the cage still win?",
    ),
    note: super::words("55 µs a switch and f2 = 1.31 are measured on bare metal with large pages."),
    nodes: 1,
    instances: &[1],
    set: &[
        CAGE,
        ("cpu_count", "8"),
        ("sessions", "32"),
        ("lio_us", "2.1"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "55"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.31"),
        ("guest_sees_smt", "yes"),
    ],
    compare: &[("resource_manager_plan", "none")],
    sweep: ("sessions", 1.0, 48.0, 1.0),
    metric: DEFAULT,
    family: Some(("cpu_count", EIGHT_COUNTS)),
    hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 1000.0, marks: REFILL_MARKS }),
    ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0), ("switch_refill_us", 0.0, 1000.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};

/// Nine sessions on six CPUs.
pub(super) const NINE_ON_SIX: Preset = Preset {
    id: "caging-nine-on-six",
    title: "Nine sessions on six CPUs",
    question: super::words("Nine SLOB sessions, six CPUs: bind them to six CPUs, or cage the instance to six?"),
    note: super::words(
        "Both runs use six hardware threads of their own: with at most six caged sessions on CPU, further threads of \
        the real host would stay idle.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        CAGE,
        ("cpu_count", "6"),
        ("sessions", "9"),
        ("lio_us", "1.044"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "55"),
        ("sockets", "1"),
        ("cores_per_socket", "6"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
        ("guest_sees_smt", "yes"),
    ],
    compare: &[("resource_manager_plan", "none")],
    sweep: ("sessions", 1.0, 24.0, 1.0),
    metric: DEFAULT,
    family: Some(("cpu_count", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
    hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 2000.0, marks: &[(55.0, "bare metal")] }),
    ranges: &[("cpu_count", 1.0, 6.0), ("sessions", 1.0, 24.0)],
    published: super::crosses(&[PublishedPoint {
        x: 9.0,
        y: 5.786e6,
        label: "measured, bound to six CPUs",
        role: "consistency check",
        unit: "LIO/s",
    }]),
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};

/// Two cages on one host.
pub(super) const TWO_INSTANCES: Preset = Preset {
    id: "two-instances",
    title: "Two instances, one host",
    question: super::words("Two instances of cpu_count 6 share eight threads: who gets what when both are busy?"),
    note: super::words(
        "Twelve slots on eight threads: what the cages let through, the operating system still has to share.",
    ),
    nodes: 1,
    instances: &[1, 1],
    set: &[
        CAGE,
        ("cpu_count", "6"),
        ("sessions", "12"),
        ("lio_us", "2.1"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "55"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "2"),
        ("smt_yield", "1.31"),
    ],
    compare: &[("cpu_count", "4")],
    sweep: ("sessions", 1.0, 32.0, 1.0),
    metric: DEFAULT,
    family: Some(("cpu_count", &[2.0, 4.0, 6.0, 8.0])),
    hinge: None,
    ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 5.0,
};
