//! From a checked scenario to what the model takes. The only place where units change.

use crate::address::ProcessKind;
use crate::check::{demand_s, yields};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config as model;

/// Share of its time that a session may hold a latch, at most.
const MAX_HELD_SHARE: f64 = 0.9;

/// The configuration of the model for a checked scenario.
pub fn to_config(scenario: &Scenario) -> model::Config {
    model::Config {
        nodes: (1..=scenario.nodes).map(|node| node_config(scenario, node)).collect(),
        instances: (1..=scenario.instances.len()).map(|instance| instance_config(scenario, instance)).collect(),
        seed: scenario.run_number("seed") as u64,
    }
}

fn node_config(scenario: &Scenario, node: usize) -> model::NodeConfig {
    let number = |id| scenario.node_value(id, node).as_number();
    let ms = |id| Ns::from_ms(number(id));
    let us = |id| Ns::from_us(number(id));
    let kind = |kind| model::KindConfig {
        class: model::Class::TimeSharing,
        nice: scenario.kind_number("nice", kind) as i32,
        priority: 50,
        cpus: None,
    };
    model::NodeConfig {
        sockets: number("sockets") as u32,
        cores_per_socket: number("cores_per_socket") as u32,
        threads_per_core: number("threads_per_core") as u32,
        smt_yield: yields(scenario, node),
        guest_sees_smt: scenario.node_value("guest_sees_smt", node).as_word() == "yes",
        vcpu_remap: ms("vcpu_remap_ms"),
        scheduler: match scenario.node_value("os_scheduler", node).as_word() {
            "EEVDF" => model::Scheduler::Eevdf,
            "round_robin" => model::Scheduler::RoundRobin,
            "fifo" => model::Scheduler::Fifo,
            "processor_sharing" => model::Scheduler::ProcessorSharing,
            _ => model::Scheduler::Cfs,
        },
        tick_hz: scenario.node_value("tick_hz", node).as_word().parse().unwrap_or(1000),
        cfs: model::CfsTunables {
            latency: ms("sched_latency_ms"),
            min_granularity: ms("sched_min_granularity_ms"),
            wakeup_granularity: ms("sched_wakeup_granularity_ms"),
            migration_cost: ms("sched_migration_cost_ms"),
        },
        eevdf_base_slice: ms("eevdf_base_slice_ms"),
        round_robin_quantum: ms("rr_quantum_ms"),
        switch_direct: us("switch_direct_us"),
        switch_refill: us("switch_refill_us"),
        migration_refill: us("migration_refill_us"),
        socket_refill: us("socket_refill_us"),
        turbo_one_core: 1.0,
        rt_runtime: Some(Ns::from_ms(950.0)),
        rt_period: Ns::from_s(1.0),
        aix_sched_r: 16,
        aix_sched_d: 16,
        soft_tunables: (1, 100),
        idle_scan: 4,
        interrupts: model::Interrupts::Last,
        session_kind: kind(ProcessKind::Session),
        service: None,
        background: model::Background {
            processes: number("background_processes") as u32,
            busy: ms("background_busy_ms"),
            sleep: ms("background_sleep_ms"),
            kind: kind(ProcessKind::Background),
        },
    }
}

fn instance_config(scenario: &Scenario, instance: usize) -> model::InstanceConfig {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let lio_us = number("lio_us");
    // A request collides with a holder if either of the two is exclusive.
    let shared = 1.0 - number("latch_exclusive_share");
    let collisions = 1.0 - shared * shared;
    model::InstanceConfig {
        node: scenario.instances[instance - 1].node - 1,
        cage: (word("resource_manager_plan") == "default").then(|| cage_config(scenario, instance)),
        workload: model::Workload {
            arrivals: match word("arrivals") {
                "open" => model::Arrivals::Open { per_s: number("arrivals_per_s") },
                _ => model::Arrivals::Closed {
                    sessions: number("sessions") as u32,
                    think: Ns::from_ms(number("think_time_ms")),
                    start_spread: Ns::from_ms(number("session_start_spread_ms")),
                },
            },
            demand: model::Demand {
                mean: Ns::from_s(demand_s(scenario, instance)),
                shape: match word("demand_distribution") {
                    "exponential" => model::DemandShape::Exponential,
                    "hyperexponential" => model::DemandShape::Hyperexponential,
                    _ => model::DemandShape::Constant,
                },
            },
            lio_per_transaction: number("lio_per_transaction"),
        },
        latch: model::LatchConfig {
            held_share: (number("latch_hold_us") / lio_us).min(MAX_HELD_SHARE),
            request_per_s: collisions * number("latch_share") * 1e6 / lio_us,
            spin: Ns::from_us(number("latch_spin_us")),
        },
        affinity: model::Affinity::None,
        cgroup: None,
        coherence: model::Coherence { cores: 0.0, sockets: 0.0, llc_share: 0.0 },
        memory: model::Memory::Local,
    }
}

fn cage_config(scenario: &Scenario, instance: usize) -> model::CageConfig {
    let value = |id| scenario.instance_value(id, instance);
    let ms = |id| Ns::from_ms(value(id).as_number());
    let us = |id| Ns::from_us(value(id).as_number());
    let groups = &scenario.instances[instance - 1].groups;
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
        groups: if groups.is_empty() {
            vec![model::GroupConfig { name: "OTHER_GROUPS".to_owned(), shares: 1, utilization_limit: 1.0, level: 1 }]
        } else {
            groups
                .iter()
                .map(|group| model::GroupConfig {
                    name: group.name.clone(),
                    shares: group.shares,
                    utilization_limit: group.utilization_limit / 100.0,
                    level: group.level,
                })
                .collect()
        },
    }
}
