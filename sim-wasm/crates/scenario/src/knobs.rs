//! The table of knobs: every name, unit, range, default, help and source, once.
//!
//! The order is the order of the page and of canonical links.

use crate::knob::{Group, Knob, NameScope};
use Group::{Host, Instance, OperatingSystem, Run, Workload};
use NameScope::{Instance as PerInstance, Kind as PerKind, Node as PerNode, Run as PerRun};

const DROUVOT_CAGING: &str =
    "CPU per wait was 102.4 and 100.5 ms: Drouvot 2015-01-15, CPU binding versus instance caging";
const DROUVOT_SMT: &str = "Drouvot 2015-09-24, hyper-threading during SLOB";
const PARAMETERS_19C: &str = "Hidden parameters with defaults, 11.2 and 19c";
const LATCHES: &str = "Nikolaev 2011, latch timescales";
const CAGING_LAB: &str = "Instance caging versus OS scheduler, SLOB on 8 cloud threads";
const CFS_SOURCE: &str = "Linux 5.8 kernel/sched/fair.c";
const CHOICE: &str = "Yours to choose";
const ESTIMATE: &str = "Estimate: no measurement known";

/// Every knob there is.
pub static KNOBS: &[Knob] = &[
    // --- Instance -------------------------------------------------------------------------------
    Knob::choice("resource_manager_plan", PerInstance, Instance, &["none", "default"]).help(
        "Instance caging acts only while a plan is set. With none, cpu_count limits nothing.",
        "Oracle Database Reference, RESOURCE_MANAGER_PLAN and CPU_COUNT",
    ),
    Knob::integer("cpu_count", PerInstance, Instance)
        .unit("threads")
        .range(1.0, 256.0, 1.0)
        .default_threads()
        .help(
            "Sessions that may use CPU at once, counted in hardware threads, once a plan is set.",
            "Oracle Database Reference 19c, CPU_COUNT: all threads of the host",
        ),
    Knob::number("rm_quantum_ms", PerInstance, Instance, "ms")
        .range(1.0, 1000.0, 1.0)
        .log()
        .default(100.0)
        .calibrated()
        .help(
            "CPU time after which a caged session gives way (_dbrm_quantum).",
            DROUVOT_CAGING,
        ),
    Knob::number("rm_tick_ms", PerInstance, Instance, "ms")
        .range(0.0, 100.0, 1.0)
        .default(10.0)
        .help(
            "How often expired quanta are found and empty slots filled (VKTM, VKRM). 0: at once, plain round robin.",
            PARAMETERS_19C,
        ),
    Knob::number("rm_safe_point_ms", PerInstance, Instance, "ms")
        .range(0.0, 2.0, 0.05)
        .default(0.2)
        .free()
        .help(
            "From the end of a quantum to the next place in the code where a session can yield.",
            "Estimate from 102.4 and 100.5 ms of CPU per wait: Drouvot 2015-01-15",
        ),
    Knob::number("rm_short_wait_us", PerInstance, Instance, "µs")
        .range(0.0, 10_000.0, 50.0)
        .default(300.0)
        .help(
            "A wait shorter than this keeps its slot (_dbrm_short_wait_us).",
            "Hidden parameters with defaults, 19c",
        ),
    Knob::choice("rm_block_handoff", PerInstance, Instance, &["immediate", "tick"])
        .free()
        .help("How soon the slot of a session that blocked goes to the next one.", ESTIMATE),
    Knob::number("rm_post_us", PerInstance, Instance, "µs")
        .range(0.0, 1000.0, 1.0)
        .default(10.0)
        .free()
        .help("CPU time a session pays for being woken with a slot.", ESTIMATE),
    Knob::number("latch_hold_us", PerInstance, Instance, "µs")
        .range(0.0, 100.0, 0.1)
        .default(0.2)
        .free()
        .help(
            "Time a logical read holds a cache buffers chains latch.",
            "Estimate; 1 to 2 µs were reported: Nikolaev 2011, latch timescales",
        ),
    Knob::number("latch_share", PerInstance, Instance, "")
        .range(0.0, 1.0, 0.000_01)
        .default(0.000_03)
        .free()
        .help(
            "Share of logical reads that need one given latch: 0.00003 for private schemas, 0.05 to 0.3 for a hot root block.",
            "One over the number of latches, for SLOB schemas",
        ),
    Knob::number("latch_exclusive_share", PerInstance, Instance, "")
        .range(0.0, 1.0, 0.01)
        .default(0.01)
        .free()
        .help(
            "Share of latch gets that are exclusive: two shared gets do not collide.",
            "Assumed small: the published chart shows CPU and no latch waits",
        ),
    Knob::number("latch_spin_us", PerInstance, Instance, "µs")
        .range(0.0, 1000.0, 1.0)
        .default(10.0)
        .help("Spin before a session sleeps for a latch.", LATCHES),
    // --- Workload -------------------------------------------------------------------------------
    Knob::integer("sessions", PerInstance, Workload)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(32.0)
        .help("Sessions connected, each running one transaction after another.", CHOICE),
    Knob::number("think_time_ms", PerInstance, Workload, "ms")
        .range(0.0, 600_000.0, 10.0)
        .help("Mean pause of a session between transactions, exponential.", CHOICE),
    Knob::number("lio_per_transaction", PerInstance, Workload, "")
        .range(1.0, 1e9, 1000.0)
        .log()
        .default(60_000.0)
        .free()
        .help("Logical reads in one transaction.", ESTIMATE),
    Knob::number("lio_us", PerInstance, Workload, "µs")
        .range(0.01, 1000.0, 0.01)
        .log()
        .default(1.6667)
        .calibrated()
        .help(
            "CPU time of one logical read by a session alone on its core.",
            "3.6 M LIO/s = 6 × one session, so 0.60 M/s: SLOB on 8 cloud threads",
        ),
    Knob::choice(
        "demand_distribution",
        PerInstance,
        Workload,
        &["constant", "exponential", "hyperexponential"],
    )
    .help("How the CPU demand of transactions varies around its mean.", CHOICE),
    Knob::number("session_start_spread_ms", PerInstance, Workload, "ms")
        .range(0.0, 60_000.0, 100.0)
        .help("Sessions start at random moments within this time. 0: all in step.", CHOICE),
    Knob::choice("arrivals", PerInstance, Workload, &["closed", "open"]).help(
        "Closed: a fixed number of sessions. Open: transactions arrive at random, however many are inside.",
        CHOICE,
    ),
    Knob::number("arrivals_per_s", PerInstance, Workload, "1/s")
        .range(0.001, 1_000_000.0, 1.0)
        .log()
        .default(10.0)
        .help("Transactions arriving a second, at random. Acts with arrivals = open.", CHOICE),
    // --- Operating system -----------------------------------------------------------------------
    Knob::choice(
        "os_scheduler",
        PerNode,
        OperatingSystem,
        &["CFS", "EEVDF", "round_robin", "fifo", "processor_sharing"],
    )
    .restart()
    .help(
        "CFS: Linux 2.6.23 to 6.5. EEVDF: 6.6 and later. The others are what textbooks solve.",
        "Linux kernel/sched",
    ),
    Knob::choice("tick_hz", PerNode, OperatingSystem, &["100", "250", "1000"])
        .unit("1/s")
        .default_word("1000")
        .restart()
        .help(
            "Clock ticks a second: a slice of CFS or EEVDF ends on a tick.",
            "Oracle Linux and RHEL are built with HZ=1000",
        ),
    Knob::number("sched_latency_ms", PerNode, OperatingSystem, "ms")
        .range(0.1, 100.0, 0.5)
        .default(6.0)
        .help("CFS: everyone runs once in this time; ×4 on 8 CPUs and more, so 24 ms.", CFS_SOURCE),
    Knob::number("sched_min_granularity_ms", PerNode, OperatingSystem, "ms")
        .range(0.05, 50.0, 0.05)
        .default(0.75)
        .help("CFS: shortest slice; ×4 on 8 CPUs and more, so 3 ms.", CFS_SOURCE),
    Knob::number("sched_wakeup_granularity_ms", PerNode, OperatingSystem, "ms")
        .range(0.0, 50.0, 0.05)
        .default(1.0)
        .help("CFS: lead a waking process needs to pre-empt; ×4 on 8 CPUs and more.", CFS_SOURCE),
    Knob::number("sched_migration_cost_ms", PerNode, OperatingSystem, "ms")
        .range(0.0, 50.0, 0.05)
        .default(0.5)
        .help("A process that ran this recently is not pulled to another CPU.", CFS_SOURCE),
    Knob::number("eevdf_base_slice_ms", PerNode, OperatingSystem, "ms")
        .range(0.1, 100.0, 0.05)
        .default(0.7)
        .help("EEVDF: slice a process asks for; ×4 on 8 CPUs and more, so 2.8 ms.", "Linux 6.15"),
    Knob::number("rr_quantum_ms", PerNode, OperatingSystem, "ms")
        .range(0.01, 10_000.0, 1.0)
        .log()
        .default(100.0)
        .help("Time slice of round_robin.", "Linux SCHED_RR: 100 ms"),
    Knob::number("switch_direct_us", PerNode, OperatingSystem, "µs")
        .range(0.0, 100.0, 0.5)
        .default(2.0)
        .help(
            "CPU time of a context switch itself: 1 to 3 on bare metal, 5 to 10 in a guest.",
            "Li, Ding, Shen 2007, Quantifying the cost of context switch",
        ),
    Knob::number("switch_refill_us", PerNode, OperatingSystem, "µs")
        .range(0.0, 5000.0, 5.0)
        .default(55.0)
        .calibrated()
        .help(
            "CPU time lost to cold caches when another process ran on the thread since.",
            "At most 55 on bare metal with large pages: Drouvot 2015-09-24",
        ),
    Knob::number("migration_refill_us", PerNode, OperatingSystem, "µs")
        .range(0.0, 5000.0, 5.0)
        .default(30.0)
        .free()
        .help("Further refill when a process moves to another core of its socket.", ESTIMATE),
    Knob::number("socket_refill_us", PerNode, OperatingSystem, "µs")
        .range(0.0, 20_000.0, 50.0)
        .default(500.0)
        .help(
            "Further refill when a process moves to another socket.",
            "The kernel's own sched_migration_cost, 0.5 ms",
        ),
    Knob::integer("nice", PerKind, OperatingSystem)
        .range(-20.0, 19.0, 1.0)
        .help("Weight against other processes: each step is a factor 1.25.", "Linux sched_prio_to_weight"),
    Knob::integer("background_processes", PerNode, OperatingSystem)
        .range(0.0, 1000.0, 1.0)
        .help("Processes outside every cage that work and sleep by turns.", CHOICE),
    Knob::number("background_busy_ms", PerNode, OperatingSystem, "ms")
        .range(0.01, 60_000.0, 1.0)
        .log()
        .default(10.0)
        .help("Mean CPU time of a background process between sleeps, exponential.", CHOICE),
    Knob::number("background_sleep_ms", PerNode, OperatingSystem, "ms")
        .range(0.0, 600_000.0, 1.0)
        .default(90.0)
        .help("Mean sleep of a background process, exponential. 0: it never sleeps.", CHOICE),
    // --- Host -----------------------------------------------------------------------------------
    Knob::integer("sockets", PerNode, Host)
        .range(1.0, 16.0, 1.0)
        .default(1.0)
        .restart()
        .help("Sockets, each with a last-level cache of its own.", CHOICE),
    Knob::integer("cores_per_socket", PerNode, Host)
        .range(1.0, 256.0, 1.0)
        .default(4.0)
        .restart()
        .help("Cores in a socket.", CAGING_LAB),
    Knob::integer("threads_per_core", PerNode, Host)
        .range(1.0, 8.0, 1.0)
        .default(2.0)
        .restart()
        .help("Hardware threads of a core.", CAGING_LAB),
    Knob::vector("smt_yield", PerNode, Host)
        .unit("×")
        .range(1.0, 8.0, 0.01)
        .default(1.31)
        .calibrated()
        .restart()
        .help(
            "Work of a core with all its threads busy against one alone; or one entry for each thread: 1/1.4/1.52/1.6.",
            DROUVOT_SMT,
        ),
    Knob::choice("guest_sees_smt", PerNode, Host, &["yes", "no"])
        .restart()
        .help(
            "Whether the operating system knows which threads share a core. A guest often does not.",
            "Bare metal: yes; for the cloud guest of the SLOB runs an assumption",
        ),
    Knob::number("vcpu_remap_ms", PerNode, Host, "ms")
        .range(0.0, 10_000.0, 5.0)
        .default(20.0)
        .free()
        .help(
            "How often the hypervisor deals the guest's CPUs out to threads anew. 0: never. Acts with guest_sees_smt = no.",
            ESTIMATE,
        ),
    // --- Run ------------------------------------------------------------------------------------
    Knob::integer("seed", PerRun, Run)
        .range(0.0, 9_007_199_254_740_991.0, 1.0)
        .default(42.0)
        .help("Root of all randomness: the same seed gives the same figures.", CHOICE),
    Knob::number("precision", PerRun, Run, "")
        .range(0.001, 0.5, 0.001)
        .log()
        .default(0.01)
        .help(
            "Relative half-width at 95 % at which a run stops: 0.01 on the command line, 0.03 in the page.",
            CHOICE,
        ),
    Knob::integer("max_events", PerRun, Run)
        .range(1000.0, 2e9, 1000.0)
        .log()
        .default(20_000_000.0)
        .help("Event budget: a run that meets it stops and says so.", CHOICE),
];
