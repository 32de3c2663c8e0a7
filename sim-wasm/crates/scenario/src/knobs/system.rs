//! The scheduler of the host.

use super::conditions::{
    AIX as ON_AIX, CACHES, CFS, CORES, EEVDF, FAIR, JOINED, LEAVES_THE_HOT, LINUX, QUEUE_PER_THREAD, QUOTAS, REAL_TIME,
    REFILLS, ROUND_ROBIN, SLICES, SMT, SOCKETS, SOFT, SWITCHES,
};
use super::{AIX, CFS_SOURCE, ESTIMATE, SOFT_AFFINITY};
use crate::knob::{Case, Group::OperatingSystem, Knob, NameScope::Node as PerNode};
use crate::when::When;

const CSTATES: &str = "Linux 6.12 drivers/idle/intel_idle.c";
/// Idle states are said one by one.
const CUSTOM_STATES: When = When::All(&[LINUX, When::Is("idle_states", &["custom"])]);

/// Wake-ups look for an idle CPU as from SIS_PROP on and before SIS_UTIL.
const PROP: When = When::All(&[FAIR, When::Is("idle_scan", &["prop"]), When::Not(&BY_LOADS)]);
const BY_LOADS: When = When::All(&[CFS, When::Is("balance_generation", &["3.16"])]);

/// In a cluster the wake-up is in what a message costs.
const NO_TWICE: Case = Case { when: JOINED, value: "0" };

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice(
        "os_scheduler",
        PerNode,
        OperatingSystem,
        &["CFS", "EEVDF", "O1", "AIX", "Solaris", "round_robin", "fifo", "processor_sharing"],
    )
    .front()
    .said("{}")
    .restart()
    .help(
        "CFS: Linux 2.6.23 to 6.5. EEVDF: 6.6 and later. O1: 2.6.0 to 2.6.22. The last three are what textbooks solve.",
        "Linux 6.6 kernel/sched; IBM AIX priority calculation; Solaris ts_dptbl(4)",
    ),
    Knob::choice("tick_hz", PerNode, OperatingSystem, &["100", "250", "1000"])
        .acts(When::All(&[QUEUE_PER_THREAD, When::Not(&ON_AIX)]))
        .unit("1/s")
        .default_cases(&[Case { when: When::Is("os_scheduler", &["AIX", "Solaris"]), value: "100" }], "1000")
        .restart()
        .help(
            "Clock ticks a second: slices end on ticks. 100 under AIX always, and under Solaris where \
                nothing is said; else 1000.",
            "Oracle Linux and RHEL are built with HZ=1000; AIX and Solaris tick every 10 ms",
        ),
    Knob::number("sched_latency_ms", PerNode, OperatingSystem, "ms")
        .acts(CFS)
        .range(0.1, 100.0, 0.5)
        .default(6.0)
        .help("CFS: everyone runs once in this time; ×4 on 8 CPUs and more, so 24 ms.", CFS_SOURCE),
    Knob::number("sched_min_granularity_ms", PerNode, OperatingSystem, "ms")
        .acts(CFS)
        .range(0.05, 50.0, 0.05)
        .default(0.75)
        .help(
            "CFS: shortest slice; ×4 on 8 CPUs and more, so 3 ms, as sysctl prints it. tuned's throughput-performance \
                makes it 10 ms: 2.5 here.",
            CFS_SOURCE,
        ),
    Knob::number("sched_wakeup_granularity_ms", PerNode, OperatingSystem, "ms")
        .acts(CFS)
        .range(0.0, 50.0, 0.05)
        .default(1.0)
        .help(
            "CFS: lead a waking process needs to pre-empt; ×4 on 8 CPUs and more, as sysctl prints it. tuned's \
                throughput-performance makes it 15 ms: 3.75 here.",
            CFS_SOURCE,
        ),
    Knob::number("sched_migration_cost_ms", PerNode, OperatingSystem, "ms")
        .acts(LEAVES_THE_HOT)
        .range(0.0, 50.0, 0.05)
        .default(0.5)
        .help(
            "A process that ran this recently is not pulled to another CPU, on Linux until that has failed twice or \
            so.",
            CFS_SOURCE,
        ),
    Knob::number("eevdf_base_slice_ms", PerNode, OperatingSystem, "ms")
        .acts(EEVDF)
        .range(0.1, 100.0, 0.05)
        .default_cases(&[Case { when: When::All(&[EEVDF, SLICES]), value: "0.7" }], "0.75")
        .help(
            "EEVDF: slice a process asks for; ×4 on 8 CPUs and more, so 3 ms. 0.7 from Linux 6.15 and 6.12.32 on, and \
                so here where nothing is said with eevdf_generation = 6.12 and 6.18.",
            "Linux 6.6 kernel/sched/fair.c; Linux 6.15 kernel/sched/fair.c",
        ),
    Knob::choice("eevdf_generation", PerNode, OperatingSystem, &["6.6", "6.8", "6.12", "6.18"])
        .said("EEVDF of Linux {}")
        .acts(EEVDF)
        .restart()
        .help(
            "EEVDF: since 6.8 balancing does not believe of a process that had to wait that it needs less CPU time \
                than before; since 6.12 a process that blocks ahead of its share stays queued until it is owed time, \
                and a deadline server keeps ordinary ones from starving beside real time; in 6.18 who is picked is \
                left alone for the shortest slice queued (6.17), a process may be owed more, and a control group \
                whose weight changes is placed anew (6.13).",
            "Linux 6.6 kernel/sched/fair.c; Linux 6.8 kernel/sched/fair.c, util_est_update; \
                Linux 6.12 kernel/sched/fair.c, delayed dequeue (DELAY_DEQUEUE); \
                Linux 6.17 kernel/sched/fair.c, set_protect_slice and reweight_entity",
        ),
    Knob::choice("preempt", PerNode, OperatingSystem, &["full", "lazy"])
        .said("{} pre-emption")
        .acts(When::All(&[EEVDF, When::Is("eevdf_generation", &["6.18"])]))
        .restart()
        .help(
            "EEVDF from Linux 6.13 on, the boot option of that name. lazy: a CPU that runs an ordinary process is not \
                interrupted for another ordinary one that a CPU of its cache has woken; it gives way with its next \
                tick or interrupt, or when its process calls the kernel. full: at once, as none and voluntary do here.",
            "Linux 6.13 kernel/sched/core.c, resched_curr_lazy; Linux 6.13 kernel/sched/fair.c, \
                check_preempt_wakeup_fair",
        ),
    Knob::choice("balance_generation", PerNode, OperatingSystem, &["6.6", "6.1", "3.16"])
        .said("balancing of Linux {}")
        .acts(CFS)
        .restart()
        .help(
            "CFS: how load is balanced between CPUs. 6.1, much as 5.10 to 6.5: as 6.6, but an idle thread does not see \
                that two busy ones of a core are in each other's way. 3.16, that is 3.12 to 4.0 and RHEL 7: by loads \
                alone, such two being one process too many, so that an idle thread of another core pulls one over; \
                and turns in control groups are shorter, as up to 5.12.",
            "Linux 6.6 kernel/sched/fair.c; Linux 6.1 kernel/sched/fair.c; Linux 3.14 kernel/sched/fair.c; domains \
                and calls of idle CPUs as in RHEL 7's 3.10.0",
        ),
    Knob::number("rr_quantum_ms", PerNode, OperatingSystem, "ms")
        .acts(ROUND_ROBIN)
        .range(0.01, 10_000.0, 1.0)
        .log()
        .default(100.0)
        .help("Time slice of round_robin.", "Linux sched_rr_get_interval(2): 100 ms"),
    Knob::choice("cpu_max_slices", PerNode, OperatingSystem, &["keep", "expire"])
        .said("slices of cpu.max {}")
        .acts(QUOTAS)
        .restart()
        .help(
            "Of a quota of cpu.max a CPU draws 5 ms at a time, and gives back all but 1 ms where the last of the group \
                goes to sleep. expire: what it still has is lost when the period ends, so that groups which run on \
                many CPUs by turns get less than their quota; Linux up to 3.15, 4.18 to 5.3, and older ones of 2018 \
                and 2019 with the change of 4.18. keep: it is not; 5.4 and later, and 3.16 to 4.17.",
            "Linux 5.3 kernel/sched/fair.c, expire_cfs_rq_runtime",
        ),
    Knob::integer("sched_rt_runtime_us", PerNode, OperatingSystem)
        .acts(When::All(&[FAIR, REAL_TIME]))
        .unit("µs")
        .range(-1.0, 1_000_000.0, 10_000.0)
        .default_cases(&[Case { when: When::All(&[EEVDF, SLICES]), value: "-1" }], "950000")
        .help(
            "CPU time that real-time processes may use of one CPU in sched_rt_period_us. −1 or 0: no limit, \
                as under O1, and from 6.12 on without CONFIG_RT_GROUP_SCHED, so here where nothing is said with \
                eevdf_generation = 6.12 and 6.18: a deadline server alone keeps others 50 ms a second.",
            "Linux Documentation/scheduler/sched-rt-group.rst",
        ),
    Knob::integer("sched_rt_period_us", PerNode, OperatingSystem)
        .acts(When::All(&[FAIR, REAL_TIME]))
        .unit("µs")
        .range(1000.0, 10_000_000.0, 10_000.0)
        .log()
        .default(1_000_000.0)
        .help("Period of sched_rt_runtime_us.", "Linux Documentation/scheduler/sched-rt-group.rst"),
    Knob::choice("rt_runtime_share", PerNode, OperatingSystem, &["no", "yes"])
        .said("real time lent {}")
        .acts(When::All(&[CFS, REAL_TIME]))
        .restart()
        .default_cases(&[Case { when: BY_LOADS, value: "yes" }], "no")
        .help(
            "A CPU whose real-time processes have used up sched_rt_runtime_us takes over what others have left of it \
                (RT_RUNTIME_SHARE). Linux up to 5.9, RHEL 7 and 8; no since 5.10.",
            "Linux 5.8 kernel/sched/rt.c, do_balance_runtime",
        ),
    Knob::integer("sched_r", PerNode, OperatingSystem)
        .acts(ON_AIX)
        .range(0.0, 32.0, 1.0)
        .default(16.0)
        .help("AIX: weight of used CPU in a priority, in 32nds.", AIX),
    Knob::integer("sched_d", PerNode, OperatingSystem)
        .acts(ON_AIX)
        .range(0.0, 32.0, 1.0)
        .default(16.0)
        .help("AIX: share of used CPU that a process keeps each second, in 32nds.", AIX),
    Knob::choice("real_time_kernel", PerNode, OperatingSystem, &["off", "on"])
        .said("real-time kernel {}")
        .acts(ON_AIX)
        .restart()
        .help(
            "AIX: with on, a CPU is interrupted for a better process of fixed priority that another CPU woke. Else it \
                sees him with its next tick, within 10 ms, or with an interrupt that comes earlier.",
            "IBM AIX bosdebug, -R on; IBM, Scheduler run queue",
        ),
    Knob::integer("sched_preferred", PerNode, OperatingSystem)
        .acts(SOFT)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(1.0)
        .help(
            "Soft affinity: a waking process looks at all CPUs where this × use of a preferred CPU exceeds \
                sched_allowed × use of another.",
            SOFT_AFFINITY,
        ),
    Knob::integer("sched_allowed", PerNode, OperatingSystem)
        .acts(SOFT)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(100.0)
        .help(
            "Soft affinity: the larger against sched_preferred, the harder the preference. The patch has 100:1.",
            SOFT_AFFINITY,
        ),
    Knob::number("newidle_cost_us", PerNode, OperatingSystem, "µs")
        .acts(FAIR)
        .range(0.0, 1000.0, 0.1)
        .default(1.0)
        .free()
        .help(
            "CFS, EEVDF: a CPU that runs out of work searches others as far as its usual idle time pays for it. A \
                search costs this in each domain, and a tenth of it for each CPU there.",
            "Linux measures it (max_newidle_lb_cost); nobody published figures",
        ),
    Knob::number("tick_interrupts_us", PerNode, OperatingSystem, "µs")
        .acts(When::All(&[BY_LOADS, When::Any(&[SOCKETS, CORES, SMT])]))
        .range(0.0, 1000.0, 1.0)
        .default(2.0)
        .free()
        .help(
            "balance_generation = 3.16: what interrupts take of a busy CPU in each clock tick on average, now more, \
                now less. Such a CPU counts for less (CONFIG_IRQ_TIME_ACCOUNTING, as in RHEL 7), so that no two are \
                quite alike; it costs nothing else. 0: not counted.",
            "Linux 3.14 kernel/sched/fair.c, scale_rt_power, and update_rq_clock_task; how much is an estimate",
        ),
    Knob::choice("ni_random", PerNode, OperatingSystem, &["no", "yes"])
        .acts(FAIR)
        .default_cases(&[Case { when: When::All(&[EEVDF, SLICES]), value: "yes" }], "no")
        .help(
            "CFS, EEVDF: a CPU that runs out of work throws a die, and searches others only as often as that found \
                somebody. Linux 6.19 and, since early 2026, 6.1, 6.6, 6.12 and 6.18 (NI_RANDOM); not with \
                balance_generation = 3.16.",
            "Linux 6.12 kernel/sched/fair.c, update_newidle_stats",
        ),
    Knob::choice("idle_scan", PerNode, OperatingSystem, &["prop", "util"])
        .acts(FAIR)
        .default_cases(&[Case { when: EEVDF, value: "util" }], "prop")
        .help(
            "How far a wake-up looks for an idle CPU in its last-level cache. prop: by how long CPUs are idle, \
                as far as idle_scan_cpus at least; with balance_generation = 3.16 at whole cores. util: the less, the \
                more of the cache's CPUs is used; at 85 % nowhere. EEVDF has util where nothing is said; with soft \
                affinity util looks at all of them.",
            "Linux 6.6 kernel/sched/fair.c: SIS_UTIL, since 5.19; SIS_PROP before",
        ),
    Knob::integer("idle_scan_cpus", PerNode, OperatingSystem)
        .acts(PROP)
        .unit("CPUs")
        .range(0.0, 256.0, 1.0)
        .default(4.0)
        .free()
        .help(
            "Where no core of several threads idles, a wake-up gives up looking for an idle CPU at the one of this \
                number; the first is the busy one where it starts, so 4 looks at two others. Not for \
                balance_generation = 3.16. 0: all of the last-level cache.",
            "Linux 5.8 kernel/sched/fair.c: SIS_PROP looks at 4 at least, at more where CPUs are idle for long",
        ),
    Knob::choice("interrupt_cpus", PerNode, OperatingSystem, &["last", "any"]).acts(QUEUE_PER_THREAD).free().help(
        "CPU on which a timer or a message from outside wakes a process: where it last ran, or any CPU of the \
                host.",
        "Estimate: it depends on the network card and irqbalance",
    ),
    Knob::number("wake_ipi_us", PerNode, OperatingSystem, "µs")
        .acts(LINUX)
        .range(0.0, 1000.0, 0.1)
        .default_cases(&[NO_TWICE], "1")
        .free()
        .help(
            "Until an idle CPU knows, by an interrupt from the CPU that wakes a process there. Linux. 0 in a cluster, \
                where gc_wakeup_us has it.",
            "Estimate: an interrupt from CPU to CPU takes about a microsecond",
        ),
    Knob::number("wake_path_us", PerNode, OperatingSystem, "µs")
        .acts(LINUX)
        .range(0.0, 1000.0, 0.1)
        .default_cases(&[NO_TWICE], "1")
        .free()
        .help(
            "From there to the first instruction of the woken process, on a CPU that idled. Linux. 0 in a cluster, \
                where gc_wakeup_us has it.",
            ESTIMATE,
        ),
    Knob::choice(
        "idle_states",
        PerNode,
        OperatingSystem,
        &["off", "skylake_sp", "ice_lake_sp", "sapphire_rapids", "granite_rapids", "custom"],
    )
    .acts(LINUX)
    .help(
        "States from which an idle CPU has to wake up first: those of a processor, or idle_exit_us and \
            idle_residency_us. off: it wakes at once; turbo counts as active who runs something all the same, where \
            with idle=poll every core is.",
        "Linux 6.12 drivers/idle/intel_idle.c: skx, icx, spr and gnr_cstates",
    ),
    Knob::vector("idle_exit_us", PerNode, OperatingSystem)
        .acts(CUSTOM_STATES)
        .unit("µs")
        .range(0.0, 10_000.0, 1.0)
        .default(1.0)
        .help("Time to leave each state, ever deeper: 1/4/170. From 100 µs on a state is the core's.", CSTATES),
    Knob::vector("idle_residency_us", PerNode, OperatingSystem)
        .acts(CUSTOM_STATES)
        .unit("µs")
        .range(0.0, 100_000.0, 1.0)
        .default(1.0)
        .help("Idle spell from which on each state is entered: 1/4/600.", CSTATES),
    Knob::number("timer_slack_us", PerNode, OperatingSystem, "µs")
        .acts(FAIR)
        .range(0.0, 10_000.0, 5.0)
        .default(50.0)
        .help(
            "By how much later a process is woken that slept by a timer; not in real-time classes. Linux.",
            "Linux 6.6 init/init_task.c, timer_slack_ns; Linux 6.6 kernel/time/hrtimer.c, hrtimer_nanosleep",
        ),
    Knob::number("kernel_share", PerNode, OperatingSystem, "")
        .acts(LINUX)
        .range(0.0, 0.5, 0.01)
        .default(0.0)
        .free()
        .help(
            "Share of its time in which a running process is in a section of the kernel that cannot be pre-empted.",
            ESTIMATE,
        ),
    Knob::number("kernel_section_us", PerNode, OperatingSystem, "µs")
        .acts(When::All(&[LINUX, When::Above("kernel_share", 0.0)]))
        .range(0.0, 10_000.0, 5.0)
        .default(20.0)
        .free()
        .help("How long such a section lasts, from the wake-up that has to wait for its end, on average.", ESTIMATE),
    Knob::number("switch_direct_us", PerNode, OperatingSystem, "µs")
        .front()
        .acts(SWITCHES)
        .range(0.0, 100.0, 0.5)
        .default(2.0)
        .help(
            "CPU time of a context switch itself: 1 to 3 on bare metal, 5 to 10 in a guest.",
            "Li, Ding, Shen 2007, Quantifying the cost of context switch",
        ),
    Knob::number("switch_refill_us", PerNode, OperatingSystem, "µs")
        .front()
        .acts(REFILLS)
        .range(0.0, 5000.0, 5.0)
        .default(55.0)
        .calibrated()
        .help(
            "CPU time lost to cold caches when another process ran on the thread since.",
            "At most 55 on bare metal with large pages: Drouvot 2015-09-24",
        ),
    Knob::number("migration_refill_us", PerNode, OperatingSystem, "µs")
        .acts(When::All(&[CORES, REFILLS]))
        .range(0.0, 5000.0, 5.0)
        .default(30.0)
        .free()
        .help("Further refill when a process moves to another core of its last-level cache.", ESTIMATE),
    Knob::number("socket_refill_us", PerNode, OperatingSystem, "µs")
        .acts(When::All(&[CACHES, REFILLS]))
        .range(0.0, 20_000.0, 50.0)
        .default(500.0)
        .help(
            "Further refill when a process moves to another last-level cache.",
            "Linux 5.8 kernel/sched/fair.c, sched_migration_cost: 0.5 ms",
        ),
];
