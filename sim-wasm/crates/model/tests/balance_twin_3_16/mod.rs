//! A slow twin of the load balancing of Linux 3.14 (`kernel/sched/fair.c`), with the domains and the kick of idle CPUs
//! of RHEL 7's 3.10.0 (`core.c`, `fair.c`; 3.15 made its domains like those): pure functions over a snapshot of the
//! CPUs. Every function bears the name of the kernel's own; what is left out is said.
//!
//! Taken for granted everywhere: frequencies do not scale power, no packing order among CPUs, no NUMA balancing, no
//! control groups (so `task_h_load` is `load_avg_contrib`), no `SCHED_IDLE` tasks, `CACHE_HOT_BUDDY` never hit,
//! `LB_BIAS` on and `LB_MIN` off, no `CONFIG_PREEMPT`, no CPU going off line.
#![allow(dead_code, unused_imports)]

pub mod balance;
pub mod domains;
pub mod groups;
pub mod tasks;
pub mod timing;

pub use balance::{load_balance, Outcome};
pub use domains::build_domains;

/// `SCHED_POWER_SCALE`, `SCHED_LOAD_SCALE`.
pub const SCALE: u64 = 1024;
/// `sysctl_sched_migration_cost`.
pub const MIGRATION_COST_NS: u64 = 500_000;
/// `sysctl_sched_nr_migrate` and `sched_nr_migrate_break`.
pub const NR_MIGRATE: usize = 32;
/// `MAX_PINNED_INTERVAL` \[ms\].
pub const MAX_PINNED_INTERVAL: u64 = 512;

/// A fair task. `load` is `se.avg.load_avg_contrib`.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub id: u32,
    pub load: u64,
    /// `exec_start`: when its running was last accounted for.
    pub last_ran_ns: u64,
    pub allowed: Vec<bool>,
}

/// A run queue.
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    /// `cfs_tasks`, head first, each with whether it is running. Queueing puts a task at the head.
    pub tasks: Vec<(Task, bool)>,
    /// Real-time tasks here: they count in `nr_running`.
    pub rt_tasks: usize,
    /// `scale_rt_power`: what real-time work leaves over, of 1024.
    pub rt_power: u64,
    /// `cpu_load[0]` to `[2]`.
    pub cpu_load: [u64; 3],
}

impl Cpu {
    /// `rq->nr_running`.
    pub fn nr_running(&self) -> u64 {
        (self.tasks.len() + self.rt_tasks) as u64
    }

    /// `idle_cpu`.
    pub fn is_idle(&self) -> bool {
        self.nr_running() == 0
    }

    /// `weighted_cpuload`: `cfs.runnable_load_avg`, those that sleep left out.
    pub fn weighted_cpuload(&self) -> u64 {
        self.tasks.iter().map(|task| task.0.load).sum()
    }

    /// `source_load`: a low guess.
    pub fn source_load(&self, kind: usize) -> u64 {
        let total = self.weighted_cpuload();
        if kind == 0 {
            return total;
        }
        self.cpu_load[kind - 1].min(total)
    }

    /// `target_load`: a high guess.
    pub fn target_load(&self, kind: usize) -> u64 {
        let total = self.weighted_cpuload();
        if kind == 0 {
            return total;
        }
        self.cpu_load[kind - 1].max(total)
    }

    /// `cpu_avg_load_per_task`.
    pub fn cpu_avg_load_per_task(&self) -> u64 {
        self.weighted_cpuload().checked_div(self.nr_running()).unwrap_or(0)
    }

    pub fn curr(&self) -> Option<&Task> {
        self.tasks.iter().find(|task| task.1).map(|task| &task.0)
    }
}

/// `enum cpu_idle_type`.
#[allow(clippy::enum_variant_names)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Idle {
    NotIdle,
    Idle,
    NewlyIdle,
}

/// `struct lb_env`: one balance under way.
#[derive(Clone, Debug)]
pub struct Env<'a> {
    pub sd: &'a domains::Domain,
    /// `nr_balance_failed` as it stands now.
    pub failed: u32,
    pub idle: Idle,
    pub now_ns: u64,
    pub dst: usize,
    pub src: usize,
    pub new_dst: usize,
    /// `dst_grpmask` is there.
    pub has_dst_group: bool,
    /// `env->cpus`: those still looked at, of the whole host.
    pub cpus: Vec<bool>,
    pub imbalance: i64,
    pub all_pinned: bool,
    pub some_pinned: bool,
    pub dst_pinned: bool,
    pub looped: usize,
    pub loop_max: usize,
}

impl<'a> Env<'a> {
    pub fn new(sd: &'a domains::Domain, cpus: usize, dst: usize, idle: Idle, now_ns: u64) -> Self {
        Env {
            sd,
            failed: sd.failed,
            idle,
            now_ns,
            dst,
            src: dst,
            new_dst: dst,
            has_dst_group: idle != Idle::NewlyIdle,
            cpus: vec![true; cpus],
            imbalance: 0,
            all_pinned: false,
            some_pinned: false,
            dst_pinned: false,
            looped: 0,
            loop_max: 0,
        }
    }
}
