//! The database instance and its Resource Manager.

use super::conditions::{CAGED, COUNTED, LATCHED, LATCH_ASKED, LATCH_CLASHES, LATCH_SHARED};
use super::{CHOICE, DROUVOT_CAGING, ESTIMATE, LATCHES, PARAMETERS_19C, PLAN_DIRECTIVE};
use crate::knob::{Group::Instance, Knob, NameScope::Instance as PerInstance};

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice("resource_manager_plan", PerInstance, Instance, &["none", "default"]).front().help(
        "Instance caging acts only while a plan is set. With none, cpu_count limits nothing.",
        "Oracle Database Reference 19c, RESOURCE_MANAGER_PLAN and CPU_COUNT",
    ),
    Knob::integer("cpu_count", PerInstance, Instance).front().acts(COUNTED)
        .unit("threads")
        .range(1.0, 1024.0, 1.0)
        .default_product(&["sockets", "cores_per_socket", "threads_per_core"])
        .help(
            "Sessions that may use CPU at once, counted in hardware threads, once a plan is set. It says how \
            many database writers there are, and LMS in a cluster, where nothing else does.",
            "Oracle Database Reference 19c, CPU_COUNT: all threads of the host",
        ),
    Knob::number("rm_quantum_ms", PerInstance, Instance, "ms").front().acts(CAGED)
        .range(1.0, 1000.0, 1.0)
        .log()
        .default(100.0)
        .calibrated()
        .help(
            "CPU time after which a caged session gives way (_dbrm_quantum).",
            DROUVOT_CAGING,
        ),
    Knob::number("rm_tick_ms", PerInstance, Instance, "ms").front().acts(CAGED)
        .range(0.0, 100.0, 1.0)
        .default(10.0)
        .help(
            "How often expired quanta are found and empty slots filled (VKTM, VKRM). 0: at once, plain round robin.",
            PARAMETERS_19C,
        ),
    Knob::number("rm_safe_point_ms", PerInstance, Instance, "ms").acts(CAGED)
        .range(0.0, 2.0, 0.05)
        .default(0.2)
        .free()
        .help(
            "From the end of a quantum to the next place in the code where a session can yield.",
            "Estimate from 102.4 and 100.5 ms of CPU per wait: Drouvot 2015-01-15",
        ),
    Knob::number("rm_short_wait_us", PerInstance, Instance, "µs").acts(CAGED)
        .range(0.0, 10_000.0, 50.0)
        .default(300.0)
        .free()
        .help(
            "A wait shorter than this keeps its slot (_dbrm_short_wait_us). That longer ones, think times apart, keep \
            it for so long, too, is assumed.",
            "Hidden parameters with defaults, 19c",
        ),
    Knob::choice("rm_block_handoff", PerInstance, Instance, &["immediate", "tick"]).acts(CAGED)
        .free()
        .help("How soon the slot of a session that blocked goes to the next one.", ESTIMATE),
    Knob::number("rm_post_us", PerInstance, Instance, "µs").acts(CAGED)
        .range(0.0, 1000.0, 1.0)
        .default(10.0)
        .free()
        .help("CPU time a session pays for being woken with a slot.", ESTIMATE),
    Knob::vector("consumer_group_sessions", PerInstance, Instance).acts(CAGED)
        .range(0.0, 100_000.0, 1.0)
        .default(1.0)
        .help(
            "Sessions of each consumer group, as in 3/9: 3 and 9 of 12 sessions, of more or fewer in that proportion. \
                One number: groups are alike.",
            CHOICE,
        ),
    Knob::vector("consumer_group_shares", PerInstance, Instance).acts(CAGED)
        .range(1.0, 1_000_000.0, 1.0)
        .default(1.0)
        .help(
            "Shares of each consumer group in the plan directives, as in 75/25: of CPU time that several groups want \
                each gets in this proportion. One number: all alike.",
            PLAN_DIRECTIVE,
        ),
    Knob::number("latch_hold_us", PerInstance, Instance, "µs").acts(LATCH_ASKED)
        .range(0.0, 100.0, 0.1)
        .default(0.2)
        .free()
        .help(
            "Time a logical read holds a cache buffers chains latch.",
            "Estimate; 1 to 2 µs were reported: Nikolaev 2011, latch timescales",
        ),
    Knob::number("latch_share", PerInstance, Instance, "").acts(LATCH_CLASHES)
        .range(0.0, 1.0, 0.000_01)
        .default(0.000_03)
        .free()
        .help(
            "Share of logical reads that need one given latch: 0.00003 for private schemas, 0.05 to 0.3 for a hot root \
                block.",
            "One over the number of latches, for SLOB schemas",
        ),
    Knob::number("latch_exclusive_share", PerInstance, Instance, "").acts(LATCH_SHARED)
        .range(0.0, 1.0, 0.01)
        .default(0.01)
        .free()
        .help(
            "Share of latch gets that are exclusive: two shared gets do not collide. Oracle pins most blocks under \
            exclusive gets; only examinations, as of index roots, share. So 1 shows contention that the default hides.",
            "Assumed small: the published chart shows CPU and no latch waits",
        ),
    Knob::number("latch_spin_us", PerInstance, Instance, "µs").acts(LATCHED)
        .range(0.0, 1000.0, 1.0)
        .default(10.0)
        .help("Spin before a session sleeps for a latch.", LATCHES),
];
