//! From a checked scenario to what the model takes. Units change here and in the files of one subject each that it
//! calls.

use crate::address::{ProcessKind, Scope};
use crate::check::{demand_s, yields};
use crate::cluster::{cluster, heartbeat, lms};
use crate::consumers::consumer_groups;
use crate::cpus::CpuList;
use crate::database::database;
use crate::parallel::{is_parallel, parallel};
use crate::processors::turbo_steps;
use crate::scenario::Scenario;
use crate::select::{execution, Execution};
use crate::sequence::sequence;
use crate::value::Value;
use wwi_kernel::time::Ns;
use wwi_model::config as model;

/// Share of its time that a session may hold a latch, at most.
const MAX_HELD_SHARE: f64 = 0.9;

/// Linux takes no slice as shorter than this \[ms\] (`__setscheduler_params`, 6.12).
const LEAST_SLICE_MS: f64 = 0.1;

/// Knobs of the load outside the database: number, work, sleep.
const BACKGROUND: [&str; 3] = ["background_processes", "background_busy_ms", "background_sleep_ms"];

/// The configuration of the model for a checked scenario.
pub fn to_config(scenario: &Scenario) -> model::Config {
    model::Config {
        nodes: (1..=scenario.nodes).map(|node| node_config(scenario, node)).collect(),
        instances: (1..=scenario.instances.len()).map(|instance| instance_config(scenario, instance)).collect(),
        cluster: cluster(scenario),
        seed: scenario.run_number("seed") as u64,
    }
}

/// One host of it.
pub(crate) fn node_config(scenario: &Scenario, node: usize) -> model::NodeConfig {
    let number = |id| scenario.node_value(id, node).as_number();
    let ms = |id| Ns::from_ms(number(id));
    let us = |id| Ns::from_us(number(id));
    let is = |id, word: &str| scenario.node_value(id, node).as_word() == word;
    model::NodeConfig {
        sockets: number("sockets") as u32,
        cores_per_socket: number("cores_per_socket") as u32,
        cores_per_llc: number("cores_per_llc") as u32,
        threads_per_core: number("threads_per_core") as u32,
        smt_yield: yields(scenario, node),
        guest_sees_smt: is("guest_sees_smt", "yes"),
        vcpu_remap: ms("vcpu_remap_ms"),
        scheduler: scheduler(scenario.node_value("os_scheduler", node).as_word()),
        tick_hz: scenario.node_value("tick_hz", node).as_word().parse().unwrap_or(1000),
        cfs: model::CfsTunables {
            latency: ms("sched_latency_ms"),
            min_granularity: ms("sched_min_granularity_ms"),
            wakeup_granularity: ms("sched_wakeup_granularity_ms"),
            migration_cost: ms("sched_migration_cost_ms"),
        },
        eevdf_base_slice: ms("eevdf_base_slice_ms"),
        eevdf_generation: match scenario.node_value("eevdf_generation", node).as_word() {
            "6.8" => model::EevdfGeneration::Linux68,
            "6.12" => model::EevdfGeneration::Linux612,
            "6.18" => model::EevdfGeneration::Linux618,
            _ => model::EevdfGeneration::Linux66,
        },
        balance_generation: match scenario.node_value("balance_generation", node).as_word() {
            "6.1" => model::BalanceGeneration::Linux61,
            "3.16" => model::BalanceGeneration::Linux316,
            _ => model::BalanceGeneration::Linux66,
        },
        slices_expire: is("cpu_max_slices", "expire"),
        round_robin_quantum: ms("rr_quantum_ms"),
        switch_direct: us("switch_direct_us"),
        switch_refill: us("switch_refill_us"),
        migration_refill: us("migration_refill_us"),
        socket_refill: us("socket_refill_us"),
        turbo_one_core: number("turbo_one_core"),
        turbo_steps: turbo_steps(scenario, node),
        l2: cpu_cache(scenario, node, ["l2_mb", "l2_fill_gb_s"]),
        llc: cpu_cache(scenario, node, ["llc_mb", "llc_fill_gb_s"]),
        rt_runtime: (number("sched_rt_runtime_us") > 0.0).then(|| us("sched_rt_runtime_us")),
        rt_period: us("sched_rt_period_us"),
        rt_runtime_share: is("rt_runtime_share", "yes"),
        aix_sched_r: number("sched_r") as u32,
        aix_sched_d: number("sched_d") as u32,
        lazy_preemption: is("preempt", "lazy"),
        aix_real_time_kernel: is("real_time_kernel", "on"),
        soft_tunables: (number("sched_preferred") as u32, number("sched_allowed") as u32),
        idle_scan: idle_scan(scenario, node),
        newidle_cost: us("newidle_cost_us"),
        tick_interrupts: us("tick_interrupts_us"),
        ni_random: is("ni_random", "yes"),
        interrupts: if is("interrupt_cpus", "any") { model::Interrupts::Any } else { model::Interrupts::Last },
        waking: waking(scenario, node),
        background: background(scenario, node, BACKGROUND, ProcessKind::BACKGROUND),
        more_background: more_background(scenario, node),
        service: service(scenario, node),
    }
}

/// By the knobs of its number, its work and its sleep.
fn background(scenario: &Scenario, node: usize, ids: [&str; 3], kind: ProcessKind) -> model::Background {
    let [processes, busy_ms, sleep_ms] = ids.map(|id| scenario.node_value(id, node).as_number());
    model::Background {
        processes: processes as u32,
        busy: Ns::from_ms(busy_ms),
        sleep: Ns::from_ms(sleep_ms),
        kind: kind_config(scenario, at_host(kind, node)),
    }
}

/// Further kinds of it, where a host has them.
fn more_background(scenario: &Scenario, node: usize) -> [Option<Box<model::Background>>; 2] {
    let of = |ids, kind| {
        let is_there = scenario.has_kind(kind, node);
        is_there.then(|| Box::new(background(scenario, node, ids, kind)))
    };
    [
        of(["background2_processes", "background2_busy_ms", "background2_sleep_ms"], ProcessKind::BACKGROUND_2),
        of(["background3_processes", "background3_busy_ms", "background3_sleep_ms"], ProcessKind::BACKGROUND_3),
    ]
}

/// The servers of a host, where somebody asks them for anything.
fn service(scenario: &Scenario, node: usize) -> Option<model::ServiceConfig> {
    let number = |id| scenario.node_value(id, node).as_number();
    let per_s = number("service_per_s");
    (per_s > 0.0).then(|| model::ServiceConfig {
        servers: number("service_servers") as u32,
        arrivals: match scenario.node_value("service_arrivals", node).as_word() {
            "periodic" => model::ServiceArrivals::Periodic,
            _ => model::ServiceArrivals::Poisson,
        },
        per_s,
        demand: model::Demand {
            mean: Ns::from_us(number("service_us")),
            shape: shape(scenario.node_value("service_distribution", node).as_word()),
        },
        kind: kind_config(scenario, at_host(ProcessKind::SERVICE, node)),
    })
}

/// By its size and its rate.
fn cpu_cache(scenario: &Scenario, node: usize, ids: [&str; 2]) -> model::CpuCache {
    let [mb, fill_gb_s] = ids.map(|id| scenario.node_value(id, node).as_number());
    model::CpuCache { mb, fill_gb_s }
}

fn idle_scan(scenario: &Scenario, node: usize) -> model::IdleScan {
    match scenario.node_value("idle_scan", node).as_word() {
        "util" => model::IdleScan::Util,
        _ => model::IdleScan::Prop(scenario.node_value("idle_scan_cpus", node).as_number() as u32),
    }
}

/// What passes between a wake-up and the first instruction.
fn waking(scenario: &Scenario, node: usize) -> model::WakingConfig {
    let number = |id| scenario.node_value(id, node).as_number();
    let us = |id| Ns::from_us(number(id));
    model::WakingConfig {
        timer_slack: us("timer_slack_us"),
        interrupt: us("wake_ipi_us"),
        path: us("wake_path_us"),
        idle_states: idle_states(scenario, node),
        kernel_share: number("kernel_share"),
        kernel_section: us("kernel_section_us"),
    }
}

/// States of an idle thread: (time to leave, residency). Linux 6.12, `drivers/idle/intel_idle.c`, in µs.
fn idle_states(scenario: &Scenario, node: usize) -> Vec<(Ns, Ns)> {
    let states: &[(f64, f64)] = match scenario.node_value("idle_states", node).as_word() {
        "skylake_sp" => &[(2.0, 2.0), (10.0, 20.0), (133.0, 600.0)],
        "ice_lake_sp" => &[(1.0, 1.0), (4.0, 4.0), (170.0, 600.0)],
        "sapphire_rapids" => &[(1.0, 1.0), (2.0, 4.0), (290.0, 800.0)],
        "granite_rapids" => &[(1.0, 1.0), (4.0, 4.0), (170.0, 650.0), (210.0, 1000.0)],
        "custom" => {
            let list = |id| vector(scenario.node_value(id, node));
            let pairs = list("idle_exit_us").into_iter().zip(list("idle_residency_us"));
            return pairs.map(|(exit, residency)| (Ns::from_us(exit), Ns::from_us(residency))).collect();
        }
        _ => &[],
    };
    states.iter().map(|&(exit, residency)| (Ns::from_us(exit), Ns::from_us(residency))).collect()
}

/// The numbers of a list.
pub(crate) fn vector(value: Value) -> Vec<f64> {
    match value {
        Value::Vector(numbers) => numbers,
        _ => Vec::new(),
    }
}

fn scheduler(word: &str) -> model::Scheduler {
    match word {
        "EEVDF" => model::Scheduler::Eevdf,
        "O1" => model::Scheduler::O1,
        "AIX" => model::Scheduler::Aix,
        "Solaris" => model::Scheduler::Solaris,
        "round_robin" => model::Scheduler::RoundRobin,
        "fifo" => model::Scheduler::Fifo,
        "processor_sharing" => model::Scheduler::ProcessorSharing,
        _ => model::Scheduler::Cfs,
    }
}

pub(crate) fn shape(word: &str) -> model::DemandShape {
    match word {
        "exponential" => model::DemandShape::Exponential,
        "hyperexponential" => model::DemandShape::Hyperexponential,
        _ => model::DemandShape::Constant,
    }
}

pub(crate) fn at_host(kind: ProcessKind, node: usize) -> Scope {
    Scope { node: Some(node), ..Scope::kind(kind) }
}

/// Class, priority, binding and slice of a kind on a host or in an instance; plain where there is none of it, as nobody
/// checked what is said.
pub(crate) fn kind_config(scenario: &Scenario, part: Scope) -> model::KindConfig {
    let value = |id| scenario.kind_value(id, part);
    let nice = value("nice").as_number() as i32;
    let priority = value("priority").as_number() as u32;
    let slice = value("slice_ms").as_number();
    let slice = (slice > 0.0).then(|| Ns::from_ms(slice.max(LEAST_SLICE_MS)));
    if !scenario.is_present(part) {
        let class = model::Class::TimeSharing;
        return model::KindConfig { class, nice, priority, cpus: None, slice, working_set_mb: 0.0, cgroup: None };
    }
    let class = match value("class").as_word() {
        "BATCH" => model::Class::Batch,
        "IA" => model::Class::Interactive,
        "FX" => model::Class::Fixed,
        "FIFO" => model::Class::Fifo,
        "RR" => model::Class::RoundRobin,
        "RT" => model::Class::RealTime,
        _ => model::Class::TimeSharing,
    };
    let cpus = value("cpus_allowed").as_cpus();
    let cpus = (!cpus.is_all()).then(|| cpu_set(&cpus, scenario, part.node.unwrap_or(1)));
    let working_set_mb = value("working_set_mb").as_number();
    let cgroup = kind_group(scenario, part);
    model::KindConfig { class, nice, priority, cpus, slice, working_set_mb, cgroup }
}

/// A control group of a kind's own, where CPU time is shared by weights.
pub(crate) fn kind_group(scenario: &Scenario, part: Scope) -> Option<model::CgroupConfig> {
    let number = |id| scenario.kind_value(id, part).as_number();
    let weight = number("kind_cpu_weight") as u32;
    let is_shared = matches!(scenario.kind_value("class", part).as_word(), "TS" | "IA" | "BATCH");
    (weight > 0 && is_shared).then(|| {
        let ms = ["kind_cpu_max_quota_ms", "kind_cpu_max_period_ms", "kind_cpu_max_burst_ms"];
        control_group(weight, ms.map(number))
    })
}

/// The control group of an instance.
pub(crate) fn instance_group(scenario: &Scenario, instance: usize) -> Option<model::CgroupConfig> {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let is_own = scenario.instance_value("cgroup", instance).as_word() == "own";
    let ms = ["cpu_max_quota_ms", "cpu_max_period_ms", "cpu_max_burst_ms"];
    let of = || control_group(number("cpu_weight") as u32, ms.map(number));
    is_own.then(of)
}

fn control_group(weight: u32, ms: [f64; 3]) -> model::CgroupConfig {
    let [quota, period, burst] = ms.map(Ns::from_ms);
    model::CgroupConfig { weight, quota: (quota > Ns::ZERO).then_some(quota), period, burst }
}

fn cpu_set(list: &CpuList, scenario: &Scenario, node: usize) -> model::CpuSet {
    model::CpuSet(list.threads(scenario.threads(node) as u32))
}

fn instance_config(scenario: &Scenario, instance: usize) -> model::InstanceConfig {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let lio_us = execution(scenario, instance).map_or(number("lio_us"), Execution::of_a_get_us);
    let node = scenario.instances[instance - 1].node;
    // A request collides with a holder if either of the two is exclusive.
    let shared = 1.0 - number("latch_exclusive_share");
    let collisions = 1.0 - shared * shared;
    let requests = collisions * number("latch_share") * 1e6 / lio_us;
    // A parallel query gets no blocks from the cache.
    let requests = if is_parallel(scenario, instance) { 0.0 } else { requests };
    // A latch that nobody asks for is in nobody's way.
    let held = if requests > 0.0 { (number("latch_hold_us") / lio_us).min(MAX_HELD_SHARE) } else { 0.0 };
    let cpus = || cpu_set(&scenario.instance_value("affinity_cpus", instance).as_cpus(), scenario, node);
    let remote = number("numa_remote");
    model::InstanceConfig {
        node: node - 1,
        cage: (word("resource_manager_plan") == "default").then(|| cage_config(scenario, instance)),
        workload: workload(scenario, instance),
        session_kind: kind_config(scenario, Scope { instance: Some(instance), ..at_host(ProcessKind::SESSION, node) }),
        others: model::kinds::Others {
            database: database(scenario, instance),
            lms: lms(scenario, instance),
            sequence: sequence(scenario, instance),
            parallel: parallel(scenario, instance),
            heartbeat: heartbeat(scenario, instance),
            #[cfg(feature = "planted")]
            planted: planted(scenario, Scope { instance: Some(instance), ..at_host(ProcessKind::PLANTED, node) }),
        },
        latch: model::LatchConfig {
            held_share: held,
            request_per_s: requests,
            spin: Ns::from_us(number("latch_spin_us")),
        },
        affinity: match word("affinity") {
            "hard" => model::Affinity::Hard(cpus()),
            "soft" => model::Affinity::Soft(cpus()),
            _ => model::Affinity::None,
        },
        cgroup: instance_group(scenario, instance),
        coherence: model::Coherence {
            cores: number("core_coherence"),
            sockets: number("socket_coherence"),
            llc_share: number("llc_share_penalty"),
            sigma: number("scaling_sigma"),
            kappa: number("scaling_kappa"),
            latch: model::LatchQueue { held: collisions * held, share: number("latch_share") },
        },
        memory: match word("numa_memory") {
            "interleaved" => model::Memory::Interleaved { remote },
            "bound" => model::Memory::Bound { remote, socket: number("numa_socket") as usize },
            _ => model::Memory::Local,
        },
    }
}

#[cfg(feature = "planted")]
fn planted(scenario: &Scenario, part: Scope) -> Option<model::kinds::Planted> {
    let number = |id| scenario.instance_value(id, part.instance.unwrap_or(1)).as_number();
    let clients = number("planted_clients") as u32;
    (clients > 0).then(|| model::kinds::Planted {
        clients,
        think: Ns::from_ms(number("planted_think_ms")),
        work: Ns::from_us(number("planted_work_us")),
        write: Ns::from_us(number("planted_write_us")),
        kind: kind_config(scenario, part),
    })
}

fn workload(scenario: &Scenario, instance: usize) -> model::Workload {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let select = execution(scenario, instance);
    let reads = match () {
        () if is_parallel(scenario, instance) => 0.0,
        () if is_batch(scenario, instance) => number("batch_work_s") * 1e6 / number("lio_us"),
        () => number("lio_per_transaction"),
    };
    model::Workload {
        arrivals: match word("arrivals") {
            "open" => model::Arrivals::Open { per_s: number("arrivals_per_s") },
            "messages" => model::Arrivals::Messages {
                groups: number("message_groups") as u32,
                pairs: number("message_pairs") as u32,
                buffer: number("message_buffer") as u32,
            },
            word => model::Arrivals::Closed {
                sessions: number("sessions") as u32,
                think: if word == "batch" { Ns::ZERO } else { Ns::from_ms(number("think_time_ms")) },
                start_spread: Ns::from_ms(number("session_start_spread_ms")),
            },
        },
        demand: model::Demand {
            mean: Ns::from_s(demand_s(scenario, instance)),
            shape: shape(word("demand_distribution")),
        },
        lio_per_transaction: select.map_or(reads, Execution::gets),
        ends: ending(scenario, instance),
        select: select.filter(|_| word("arrivals") == "closed").map(Execution::config),
    }
}

/// Whether the sessions of an instance have one piece of work each.
pub(crate) fn is_batch(scenario: &Scenario, instance: usize) -> bool {
    scenario.instance_value("arrivals", instance).as_word() == "batch"
}

/// Transactions of each session until it ends; 0: it does not end.
fn executions(scenario: &Scenario, instance: usize) -> f64 {
    match scenario.instance_value("arrivals", instance).as_word() {
        "batch" => 1.0,
        "closed" => scenario.instance_value("executions", instance).as_number(),
        _ => 0.0,
    }
}

/// Whether the sessions of an instance end.
pub(crate) fn ends(scenario: &Scenario, instance: usize) -> bool {
    executions(scenario, instance) > 0.0
}

/// Sessions of the instances before start before those of an instance.
fn ending(scenario: &Scenario, instance: usize) -> Option<model::Ending> {
    let number = |id, instance| scenario.instance_value(id, instance).as_number();
    let before: f64 = (1..instance).filter(|&of| ends(scenario, of)).map(|of| number("sessions", of)).sum();
    let skew = scenario.run_number("start_skew_s");
    ends(scenario, instance).then(|| model::Ending {
        executions: executions(scenario, instance) as u32,
        begins: Ns::from_s(skew * before),
        skew: Ns::from_s(skew),
    })
}

fn cage_config(scenario: &Scenario, instance: usize) -> model::CageConfig {
    let value = |id| scenario.instance_value(id, instance);
    let ms = |id| Ns::from_ms(value(id).as_number());
    let us = |id| Ns::from_us(value(id).as_number());
    model::CageConfig {
        slots: value("cpu_count").as_number() as u32,
        quantum: ms("rm_quantum_ms"),
        tick: ms("rm_tick_ms"),
        safe_point: ms("rm_safe_point_ms"),
        short_wait: us("rm_short_wait_us"),
        handoff: match value("rm_block_handoff").as_word() {
            "tick" => model::Handoff::Tick,
            _ => model::Handoff::Immediate,
        },
        post: us("rm_post_us"),
        groups: consumer_groups(scenario, instance),
    }
}
