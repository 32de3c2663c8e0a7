//! Classes, masks and control groups of processes, and those that belong to no instance.

use super::conditions::{
    BACKGROUND, BACKGROUND_2, BACKGROUND_3, CLIENTS, CLUSTER, EEVDF, FAIR, GROUPED, HEARTBEATS, KIND_GROUPED,
    KIND_LIMITED, LIMITED, LOCKED, OLTP, ORDINARY, PARALLEL, QUEUE_PER_THREAD, SERVICE, SHARED_BY_WEIGHT, SLICES,
    SWITCHES,
};
use super::{CGROUP, CHOICE, SOFT_AFFINITY};
use crate::address::ProcessKind;
use crate::knob::{
    Case, Group, Knob,
    NameScope::{Instance as PerInstance, Kind as PerKind, Node as PerNode},
};
use crate::when::When::{self, Above, Any, Is, Not};
use wwi_model::config::kinds::KINDS;

const HIGH_PRIORITY: &str =
    "Oracle _high_priority_processes and _os_sched_high_priority, of the log writer FatDBA 2022-04-18; Linux sched(7); \
    IBM AIX setpri; Solaris priocntl(1)";

/// When a host or an instance has processes of each kind, in the order of the model's table.
pub(crate) const PRESENT: [When; KINDS.len()] = [
    Any(&[Not(&Is("arrivals", &["closed"])), Above("sessions", 0.0)]),
    Above("background_processes", 0.0),
    Above("service_per_s", 0.0),
    OLTP,
    OLTP,
    OLTP,
    CLIENTS,
    CLUSTER,
    LOCKED,
    LOCKED,
    PARALLEL,
    HEARTBEATS,
    Above("background2_processes", 0.0),
    Above("background3_processes", 0.0),
    #[cfg(feature = "planted")]
    Above("planted_clients", 0.0),
];

/// What Oracle has in real time by itself.
const LMS: When = When::Of(ProcessKind::LMS);
/// `LMS*` of `_high_priority_processes`, in the class that the system has for it.
const CLASSES: &[Case] = &[
    Case { when: When::All(&[LMS, Is("os_scheduler", &["CFS", "EEVDF", "O1", "AIX"])]), value: "RR" },
    Case { when: When::All(&[LMS, Is("os_scheduler", &["Solaris"])]), value: "RT" },
];

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice("class", PerKind, Group::ProcessKinds, &["TS", "IA", "FX", "FIFO", "RR", "RT", "BATCH"])
        .said("class {}")
        .acts(QUEUE_PER_THREAD)
        .default_cases(CLASSES, "TS")
        .help(
            "Scheduling class. Linux has TS, FIFO and RR, CFS and EEVDF also BATCH; AIX TS, FIFO, RR and FX, Solaris \
                TS, IA, FX and RT; the textbook schedulers TS alone. Oracle has LMS in real time from 10.2.0.3 on, \
                where oradism may set it, and by one source the log writer from 21.3 on, not in 19c.",
            HIGH_PRIORITY,
        ),
    Knob::integer("nice", PerKind, Group::ProcessKinds).acts(When::All(&[QUEUE_PER_THREAD, ORDINARY]))
        .range(-20.0, 19.0, 1.0)
        .help(
            "CFS, EEVDF: a weight, each step a factor 1.25. O(1): a slice, 5 ms shorter a step, four times as long \
                below 0. AIX: the start of the priority value, and how fast use raises it. Solaris: 3 priorities \
                a step.",
            "Linux 6.6 kernel/sched/core.c, sched_prio_to_weight; sched.c of 2.6.18; IBM AIX; illumos ts.c",
        ),
    Knob::integer("priority", PerKind, Group::ProcessKinds).acts(When::Not(&ORDINARY))
        .range(0.0, 127.0, 1.0)
        .default_cases(&[Case { when: LMS, value: "1" }], "50")
        .help(
            "Priority in a fixed or real-time class: Linux 1 to 99, Solaris FX 0 to 60 and RT 0 to 59, AIX FIFO and RR \
                1 to 39; AIX FX 40 to 127, where the smaller runs first.",
            "Linux sched(7); Solaris priocntl(1); IBM AIX setpri, real-time ones counted upwards here",
        ),
    Knob::number("slice_ms", PerKind, Group::ProcessKinds, "ms").acts(When::All(&[EEVDF, SLICES, ORDINARY]))
        .range(0.0, 100.0, 0.1)
        .help(
            "EEVDF of 6.12: CPU time that the processes ask for at a time (sched_runtime of sched_setattr); who asks \
                for less gets it sooner. Not scaled; at least 0.1. 0: the host's base slice.",
            "Linux 6.12 kernel/sched/syscalls.c, __setscheduler_params; Linux sched_setattr(2)",
        ),
    Knob::cpus("cpus_allowed", PerKind, Group::ProcessKinds).acts(QUEUE_PER_THREAD).help(
        "Hardware threads of each host that the processes may use, as in 0-21,44-65; counted as for affinity_cpus.",
        "Linux cpuset(7), list format",
    ),
    Knob::number("working_set_mb", PerKind, Group::ProcessKinds, "MB").acts(SWITCHES)
        .range(0.0, 1000.0, 0.1)
        .help(
            "What a process works with and finds in caches. With it a switch costs switch_direct_us and what it has to \
            load again: the more, the longer others ran on its core, or in its last-level cache, while it was away; \
            all of it elsewhere. 0: switch_refill_us and its like.",
            CHOICE,
        ),
    Knob::choice("affinity", PerInstance, Group::Instance, &["none", "soft", "hard"])
        .said("{} affinity")
        .acts(QUEUE_PER_THREAD)
        .help(
            "Where the sessions run: anywhere, rather on affinity_cpus, or nowhere else. Soft is for CFS and EEVDF.",
            SOFT_AFFINITY,
        ),
    Knob::cpus("affinity_cpus", PerInstance, Group::Instance).acts(When::Not(&When::Is("affinity", &["none"]))).help(
        "Hardware threads of affinity, as in 0-21,44-65. Counted from 0 core by core: siblings are neighbours, then \
            come the cores of the next socket.",
        "Linux cpuset(7), list format",
    ),
    Knob::choice("cgroup", PerInstance, Group::Instance, &["none", "own"]).acts(FAIR).help(
        "Whether the instance has a control group of its own, with the values below: its sessions, and its \
        background processes, LGWR among them, unless kind_cpu_weight gives them another. CFS and EEVDF.",
        CGROUP,
    ),
    Knob::integer("cpu_weight", PerInstance, Group::Instance).acts(GROUPED)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(100.0)
        .help("Weight of the control group against others; 100 is one process of nice 0 (cpu.weight).", CGROUP),
    Knob::number("cpu_max_quota_ms", PerInstance, Group::Instance, "ms").acts(GROUPED)
        .range(0.0, 100_000.0, 10.0)
        .help(
            "CPU time that the control group may use in a period, all CPUs together. 0: max. cpu.max counts it in µs.",
            CGROUP,
        ),
    Knob::number("cpu_max_period_ms", PerInstance, Group::Instance, "ms")
        .acts(LIMITED)
        .range(1.0, 1000.0, 1.0)
        .default(100.0)
        .help("Period of that quota.", CGROUP),
    Knob::number("cpu_max_burst_ms", PerInstance, Group::Instance, "ms").acts(LIMITED)
        .range(0.0, 100_000.0, 10.0)
        .help(
            "What may be left of the quota of earlier periods, up to as much as a quota (cpu.max.burst). Linux 5.14 \
                and later.",
            CGROUP,
        ),
    Knob::integer("kind_cpu_weight", PerKind, Group::ProcessKinds).acts(SHARED_BY_WEIGHT)
        .range(0.0, 10_000.0, 1.0)
        .help(
            "cpu.weight of a control group of the kind's own, for each host or instance; 100 is one process of nice 0. \
                0: it has none, and is in that of its instance, if this has one. CFS and EEVDF.",
            CGROUP,
        ),
    Knob::number("kind_cpu_max_quota_ms", PerKind, Group::ProcessKinds, "ms").acts(KIND_GROUPED)
        .range(0.0, 100_000.0, 10.0)
        .help("CPU time that this control group may use in a period, as cpu_max_quota_ms. 0: max.", CGROUP),
    Knob::number("kind_cpu_max_period_ms", PerKind, Group::ProcessKinds, "ms")
        .acts(KIND_LIMITED)
        .range(1.0, 1000.0, 1.0)
        .default(100.0)
        .help("Period of that quota.", CGROUP),
    Knob::number("kind_cpu_max_burst_ms", PerKind, Group::ProcessKinds, "ms").acts(KIND_LIMITED)
        .range(0.0, 100_000.0, 10.0)
        .help("What may be left of that quota of earlier periods, as cpu_max_burst_ms.", CGROUP),
    Knob::integer("background_processes", PerNode, Group::ProcessKinds)
        .said("{} background process|{} background processes")
        .range(0.0, 1000.0, 1.0)
        .help("Processes outside every cage that work and sleep by turns.", CHOICE),
    Knob::number("background_busy_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND)
        .range(0.01, 60_000.0, 1.0)
        .log()
        .default(10.0)
        .help("Mean CPU time of a background process between sleeps, exponential.", CHOICE),
    Knob::number("background_sleep_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND)
        .range(0.0, 600_000.0, 1.0)
        .default(90.0)
        .help("Mean sleep of a background process, exponential. 0: it never sleeps.", CHOICE),
    Knob::integer("background2_processes", PerNode, Group::ProcessKinds)
        .said("{} process of background2|{} processes of background2")
        .range(0.0, 1000.0, 1.0)
        .help("Processes of a second kind outside every cage: a class, mask and control group of its own.", CHOICE),
    Knob::number("background2_busy_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND_2)
        .range(0.01, 60_000.0, 1.0)
        .log()
        .default(10.0)
        .help("Mean CPU time between sleeps of a process of that kind, exponential.", CHOICE),
    Knob::number("background2_sleep_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND_2)
        .range(0.0, 600_000.0, 1.0)
        .default(90.0)
        .help("Mean sleep of a process of that kind, exponential. 0: it never sleeps.", CHOICE),
    Knob::integer("background3_processes", PerNode, Group::ProcessKinds)
        .said("{} process of background3|{} processes of background3")
        .range(0.0, 1000.0, 1.0)
        .help("Processes of a third kind outside every cage: a class, mask and control group of its own.", CHOICE),
    Knob::number("background3_busy_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND_3)
        .range(0.01, 60_000.0, 1.0)
        .log()
        .default(10.0)
        .help("Mean CPU time between sleeps of a process of that kind, exponential.", CHOICE),
    Knob::number("background3_sleep_ms", PerNode, Group::ProcessKinds, "ms").acts(BACKGROUND_3)
        .range(0.0, 600_000.0, 1.0)
        .default(90.0)
        .help("Mean sleep of a process of that kind, exponential. 0: it never sleeps.", CHOICE),
    Knob::number("service_per_s", PerNode, Group::Service, "1/s")
        .said("{} request/s|{} requests/s")
        .range(0.0, 100_000.0, 1.0)
        .help("Requests a second to a small server on the host, to each of them. 0: no server.", CHOICE),
    Knob::integer("service_servers", PerNode, Group::Service)
        .said("{} server|{} servers")
        .acts(SERVICE)
        .range(1.0, 100.0, 1.0)
        .default(1.0)
        .help("Servers on the host: processes, each with requests of its own.", CHOICE),
    Knob::choice("service_arrivals", PerNode, Group::Service, &["poisson", "periodic"])
        .said("{} requests")
        .acts(SERVICE)
        .help(
            "How requests come: at random, or one to each server after each 1/service_per_s, at moments of its own. \
            cyclictest's latency is the dispatch delay of the service; answers count the requests that came while it \
            was stalled, too.",
            CHOICE,
        ),
    Knob::number("service_us", PerNode, Group::Service, "µs").acts(SERVICE)
        .range(1.0, 10_000_000.0, 100.0)
        .log()
        .default(2000.0)
        .help("CPU time of one request.", CHOICE),
    Knob::choice(
        "service_distribution",
        PerNode,
        Group::Service,
        &["constant", "exponential", "hyperexponential"],
    ).acts(SERVICE)
    .help("How the CPU time of requests varies around its mean.", CHOICE),
    #[cfg(feature = "planted")]
    Knob::integer("planted_clients", PerInstance, Group::ProcessKinds)
        .range(0.0, 100.0, 1.0)
        .help("Clients of a writer. 0: no writer.", CHOICE),
    #[cfg(feature = "planted")]
    Knob::number("planted_think_ms", PerInstance, Group::ProcessKinds, "ms").acts(Above("planted_clients", 0.0))
        .range(0.0, 1000.0, 1.0)
        .default(1.0)
        .help("Time between two items of a client.", CHOICE),
    #[cfg(feature = "planted")]
    Knob::number("planted_work_us", PerInstance, Group::ProcessKinds, "µs").acts(Above("planted_clients", 0.0))
        .range(1.0, 100_000.0, 1.0)
        .default(500.0)
        .help("CPU time of a client for an item, and of the writer for a write.", CHOICE),
    #[cfg(feature = "planted")]
    Knob::number("planted_write_us", PerInstance, Group::ProcessKinds, "µs").acts(Above("planted_clients", 0.0))
        .range(1.0, 100_000.0, 1.0)
        .default(1000.0)
        .help("Time of a write.", CHOICE),
];
