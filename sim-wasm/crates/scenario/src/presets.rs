//! The scenarios the page opens with, each a handful of values that differ from the defaults.

use crate::problem::Problems;
use crate::scenario::Scenario;

/// Pairs of an address and the text of a value.
pub type Pairs = &'static [(&'static str, &'static str)];

/// A published figure drawn as a cross on the chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedPoint {
    /// Value of the swept knob.
    pub x: f64,
    /// Figure.
    pub y: f64,
    /// What the cross says.
    pub label: &'static str,
    /// input, consistency check or prediction.
    pub role: &'static str,
    /// Unit of `y`.
    pub unit: &'static str,
}

/// The one assumption an answer hangs on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hinge {
    /// Knob.
    pub knob: &'static str,
    /// Left end.
    pub from: f64,
    /// Right end.
    pub to: f64,
    /// Values worth a mark.
    pub marks: &'static [(f64, &'static str)],
}

/// A scenario with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Name in links.
    pub id: &'static str,
    /// Title on the page.
    pub title: &'static str,
    /// What it lets one ask.
    pub question: &'static str,
    /// What the model leans on here, said plainly.
    pub note: &'static str,
    /// Instances on its one host.
    pub instances: usize,
    /// Values that differ from the defaults.
    pub set: Pairs,
    /// What the compared scenario A overrides.
    pub compare: Pairs,
    /// Knob of the x axis, from, to, step.
    pub sweep: (&'static str, f64, f64, f64),
    /// Knob and values of a family of curves.
    pub family: Option<(&'static str, &'static [f64])>,
    /// The assumption the answer hangs on.
    pub hinge: Option<Hinge>,
    /// Ranges narrower than the knob's own that suit sliders here.
    pub ranges: &'static [(&'static str, f64, f64)],
    /// Crosses on the chart.
    pub published: &'static [PublishedPoint],
    /// Minutes one point takes on a real machine, and why.
    pub cost_minutes: f64,
}

const CAGE: (&str, &str) = ("resource_manager_plan", "default");
const EIGHT_COUNTS: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
const REFILL_MARKS: &[(f64, &str)] = &[(55.0, "bare metal"), (800.0, "assumed here")];

/// Every preset; the first opens the page.
pub static PRESETS: &[Preset] = &[
    Preset {
        id: "instance-caging-vm",
        title: "Instance caging on a VM",
        question: "Eight cloud threads, up to 48 sessions: is it better to let Linux share the CPUs or to cage the instance?",
        note: "A switch that refills for 800 µs is an assumption, chosen so that the published order appears at four-fold overload.",
        instances: 1,
        set: &[
            CAGE,
            ("cpu_count", "8"),
            ("sessions", "32"),
            ("lio_us", "1.6667"),
            ("session_start_spread_ms", "1000"),
            ("switch_refill_us", "800"),
            ("sockets", "1"),
            ("cores_per_socket", "4"),
            ("threads_per_core", "2"),
            ("smt_yield", "1.5"),
            ("guest_sees_smt", "no"),
        ],
        compare: &[("resource_manager_plan", "none")],
        sweep: ("sessions", 1.0, 48.0, 1.0),
        family: Some(("cpu_count", EIGHT_COUNTS)),
        hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 1000.0, marks: REFILL_MARKS }),
        ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0), ("switch_refill_us", 0.0, 1000.0)],
        published: &[PublishedPoint {
            x: 8.0,
            y: 3.6e6,
            label: "published 3.6 M LIO/s",
            role: "input",
            unit: "LIO/s",
        }],
        cost_minutes: 5.0,
    },
    Preset {
        id: "instance-caging-metal",
        title: "Instance caging on bare metal",
        question: "The same eight threads without a hypervisor and with large pages: does the cage still win?",
        note: "55 µs a switch and f2 = 1.31 are measured on bare metal with large pages.",
        instances: 1,
        set: &[
            CAGE,
            ("cpu_count", "8"),
            ("sessions", "32"),
            ("lio_us", "2.1"),
            ("session_start_spread_ms", "1000"),
            ("switch_refill_us", "55"),
            ("sockets", "1"),
            ("cores_per_socket", "4"),
            ("threads_per_core", "2"),
            ("smt_yield", "1.31"),
            ("guest_sees_smt", "yes"),
        ],
        compare: &[("resource_manager_plan", "none")],
        sweep: ("sessions", 1.0, 48.0, 1.0),
        family: Some(("cpu_count", EIGHT_COUNTS)),
        hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 1000.0, marks: REFILL_MARKS }),
        ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0), ("switch_refill_us", 0.0, 1000.0)],
        published: &[],
        cost_minutes: 5.0,
    },
    Preset {
        id: "caging-nine-on-six",
        title: "Nine sessions on six CPUs",
        question: "Nine SLOB sessions, six CPUs: bind them to six CPUs, or cage the instance to six?",
        note: "Both runs use six hardware threads of their own: with at most six caged sessions on CPU, further threads of the real host would stay idle.",
        instances: 1,
        set: &[
            CAGE,
            ("cpu_count", "6"),
            ("sessions", "9"),
            ("lio_us", "1.044"),
            ("session_start_spread_ms", "1000"),
            ("switch_refill_us", "55"),
            ("sockets", "1"),
            ("cores_per_socket", "6"),
            ("threads_per_core", "1"),
            ("smt_yield", "1"),
            ("guest_sees_smt", "yes"),
        ],
        compare: &[("resource_manager_plan", "none")],
        sweep: ("sessions", 1.0, 24.0, 1.0),
        family: Some(("cpu_count", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        hinge: Some(Hinge { knob: "switch_refill_us", from: 10.0, to: 2000.0, marks: &[(55.0, "bare metal")] }),
        ranges: &[("cpu_count", 1.0, 6.0), ("sessions", 1.0, 24.0)],
        published: &[PublishedPoint {
            x: 9.0,
            y: 5.786e6,
            label: "measured, bound to six CPUs",
            role: "consistency check",
            unit: "LIO/s",
        }],
        cost_minutes: 5.0,
    },
    Preset {
        id: "two-instances",
        title: "Two instances, one host",
        question: "Two instances of cpu_count 6 share eight threads: who gets what when both are busy?",
        note: "Twelve slots on eight threads: what the cages let through, the operating system still has to share.",
        instances: 2,
        set: &[
            CAGE,
            ("cpu_count", "6"),
            ("sessions", "12"),
            ("lio_us", "2.1"),
            ("session_start_spread_ms", "1000"),
            ("switch_refill_us", "55"),
            ("sockets", "1"),
            ("cores_per_socket", "4"),
            ("threads_per_core", "2"),
            ("smt_yield", "1.31"),
        ],
        compare: &[("cpu_count", "4")],
        sweep: ("sessions", 1.0, 32.0, 1.0),
        family: Some(("cpu_count", &[2.0, 4.0, 6.0, 8.0])),
        hinge: None,
        ranges: &[("cpu_count", 1.0, 8.0), ("sessions", 1.0, 48.0)],
        published: &[],
        cost_minutes: 5.0,
    },
    Preset {
        id: "cpu-queue",
        title: "A queue for eight CPUs",
        question: "Eight CPUs, 90 % busy, work at random: how long does a transaction take, and who pays when all share?",
        note: "M/M/8: with first come, first served the mean wait is 8.77 ms and the mean response 18.77 ms; sharing keeps the mean and stretches the tail.",
        instances: 1,
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
        family: None,
        hinge: None,
        ranges: &[("arrivals_per_s", 40.0, 780.0)],
        published: &[],
        cost_minutes: 5.0,
    },
];

/// The preset called `id`.
pub fn find(id: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.id == id)
}

impl Preset {
    /// Its scenario, and what is wrong with its own table (nothing, as a test shows).
    pub fn scenario(&'static self) -> (Scenario, Problems) {
        let mut scenario = Scenario::blank(1, self.instances);
        scenario.preset = Some(self);
        let mut problems = Problems::default();
        crate::decode::layer(&mut scenario, self.set.iter().copied(), "", &mut problems);
        (scenario, problems)
    }
}
