//! A host that the reader describes.

use super::{Hinge, Preset};
use crate::metrics::DEFAULT;

/// Two sockets of a common size, to be overwritten: by hand, or by what `lscpu` says.
pub(super) const HOST: Preset = Preset {
    id: "your-host",
    title: "Your host",
    question: super::words("Your own sockets, cores and sessions: what do they get done, and would a cage help?"),
    note: super::words(
        "Until your own points say otherwise, the cost of a logical read, of a change of sessions and the yield of \
        a core's threads are those of other hosts.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        ("resource_manager_plan", "default"),
        ("sessions", "100"),
        ("think_time_ms", "20"),
        ("lio_us", "2.1"),
        ("session_start_spread_ms", "100"),
        ("switch_refill_us", "55"),
        ("os_scheduler", "CFS"),
        ("sockets", "2"),
        ("cores_per_socket", "16"),
        ("threads_per_core", "2"),
        ("smt_yield", "1/1.31"),
        ("guest_sees_smt", "yes"),
    ],
    compare: &[("resource_manager_plan", "none")],
    sweep: ("sessions", 1.0, 200.0, 1.0),
    metric: DEFAULT,
    family: None,
    hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 1000.0, marks: &[(55.0, "bare metal")] }),
    ranges: &[("sessions", 1.0, 200.0), ("cpu_count", 1.0, 64.0), ("switch_refill_us", 0.0, 1000.0)],
    published: &[],
    opens: Some("host"),
    variants: None,
    cost_minutes: 5.0,
};
