//! A slow twin of the load balancing of Linux 6.6 (`kernel/sched/fair.c`, `topology.c`, `pelt.c`): pure functions over
//! a snapshot of the CPUs. Every function bears the name of the kernel's own; what is left out is said. The text is
//! that of a stable 6.6 of 2026, less the dice thrown before newly idle balances that came in January of that year.
//! What a balance does is told for 6.1 (the stable 6.1.176), 6.12 (the stable 6.12.117) and 6.18 (6.18.2) as well: see
//! [`Generation`] and [`Domain::of`]. The rest (when CPUs balance, where the woken go) is that of 6.6; in 6.1 it reads
//! the same.
//!
//! Taken for granted everywhere: all CPUs of capacity 1024 before real-time work, no packing order among CPUs, no
//! cpusets, no NUMA balancing, no energy model, one flat group of tasks (so `task_h_load` is `load_avg`), no core
//! scheduling, no `SCHED_IDLE` tasks, `CACHE_HOT_BUDDY` never hit, `LB_MIN` off, no CPU going off line.
#![allow(dead_code, unused_imports)]

pub mod balance;
#[cfg(test)]
mod cases;
#[cfg(test)]
mod cases_6_1;
#[cfg(test)]
mod cases_any;
#[cfg(test)]
mod cases_delayed;
#[cfg(test)]
mod cases_rules;
pub mod domains;
pub mod groups;
pub mod pelt;
pub mod tasks;
pub mod timing;
pub mod wake;

pub use balance::{load_balance, load_balance_all, Outcome, Verdict};
pub use domains::build_domains;

/// What one CPU counts as before real-time work (`SCHED_CAPACITY_SCALE`).
pub const CAPACITY: u64 = 1024;
/// `sysctl_sched_migration_cost`.
pub const MIGRATION_COST_NS: u64 = 500_000;
/// `sysctl_sched_nr_migrate` and `SCHED_NR_MIGRATE_BREAK` (8 on a real-time kernel).
pub const NR_MIGRATE: usize = 32;

/// Whose text is followed, the oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// Read from 6.1 alone; it stands for 5.10, 5.15 and 6.2 to 6.4 too.
    Linux61,
    Linux66,
    Linux612,
    Linux618,
}

impl Generation {
    /// Tasks that sleep may stay queued until they would be picked (`DELAY_DEQUEUE`).
    pub fn delays(self) -> bool {
        self >= Generation::Linux612
    }

    /// They are left out where a balance counts fair tasks: `cfs.h_nr_runnable` in place of `cfs.h_nr_queued`.
    pub fn leaves_out_delayed(self) -> bool {
        self == Generation::Linux618
    }

    /// Threads are told from cores: a core with several tasks is a type of its own (`smt_balance`), one without threads
    /// goes before others (`smt_vs_nonsmt_groups`), a wholly idle core balances first (`is_core_idle`), and siblings
    /// are compared by core and for idle CPUs only (`sibling_imbalance`).
    pub fn minds_cores(self) -> bool {
        self >= Generation::Linux66
    }

    /// `find_busiest_queue` lets waiting count as use: `cpu_util_cfs_boost` in place of `cpu_util_cfs`.
    pub fn boosts(self) -> bool {
        self >= Generation::Linux66
    }

    /// Of two groups slowed alike the later one counts as the busier.
    pub fn takes_last_misfit(self) -> bool {
        self <= Generation::Linux66
    }
}

/// A fair task. `load` is `se.avg.load_avg`; `util` is the larger of `util_avg` and `util_est`, at most 1024.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    pub id: u32,
    pub weight: u64,
    pub load: u64,
    pub util: u64,
    /// `exec_start`: when its running was last accounted for.
    pub last_ran_ns: u64,
    pub allowed: Vec<bool>,
    /// `se.sched_delayed`: it sleeps and is still queued. Never the running one.
    pub is_delayed: bool,
    /// `entity_eligible` in its own queue: it is owed time, or at least has not had too much. The answer of the moment
    /// the balance began; the kernel's follows the queue as tasks are taken from it.
    pub is_owed: bool,
}

/// A run queue. `load`, `runnable`, `util` are the root `cfs_rq`'s averages, blocked tasks included (`util`: the larger
/// of that and the estimate of those waiting).
#[derive(Clone, Debug, Default)]
pub struct Cpu {
    pub running: Option<Task>,
    /// The waiting tasks in the order of `cfs_tasks`, head first: tasks are taken from the tail.
    pub queue: Vec<Task>,
    /// Where in that list the running one stands: a pick moves it to the head (0), later arrivals go before it.
    pub running_at: usize,
    pub load: u64,
    pub runnable: u64,
    pub util: u64,
    pub rt_util: u64,
    /// Real-time tasks here, waiting or running: they count in `nr_running`, not among the fair ones.
    pub rt_tasks: usize,
    pub is_idle: bool,
}

impl Cpu {
    /// `rq->nr_running`: whoever is queued, asleep or not.
    pub fn nr_running(&self) -> usize {
        self.h_nr_queued() + self.rt_tasks
    }

    /// `rq->cfs.h_nr_queued`, called `h_nr_running` before there were tasks queued and asleep.
    pub fn h_nr_queued(&self) -> usize {
        self.queue.len() + usize::from(self.running.is_some())
    }

    /// The fair tasks as a balance counts them: `cfs.h_nr_running` (6.1 and 6.6), `cfs.h_nr_queued` (6.12) or
    /// `cfs.h_nr_runnable` (6.18).
    pub fn h_nr(&self, generation: Generation) -> usize {
        let asleep = self.queue.iter().filter(|t| t.is_delayed).count();
        self.h_nr_queued() - if generation.leaves_out_delayed() { asleep } else { 0 }
    }

    /// The list `rq->cfs_tasks`, head first, each with whether it is running.
    pub fn cfs_tasks(&self) -> Vec<(Task, bool)> {
        let mut all: Vec<_> = self.queue.iter().map(|t| (t.clone(), false)).collect();
        if let Some(t) = &self.running {
            all.insert(self.running_at.min(all.len()), (t.clone(), true));
        }
        all
    }

    /// Writes that list back.
    pub fn set_cfs_tasks(&mut self, all: Vec<(Task, bool)>) {
        self.running_at = all.iter().position(|t| t.1).unwrap_or(0);
        self.running = all.iter().find(|t| t.1).map(|t| t.0.clone());
        self.queue = all.into_iter().filter(|t| !t.1).map(|t| t.0).collect();
    }

    /// `scale_rt_capacity` and `update_cpu_capacity`: what real-time work leaves over. Left out: interrupts, deadline
    /// tasks, heat; and that the kernel's figure stands until the next time it is written.
    pub fn capacity_of(&self) -> u64 {
        if self.rt_util >= CAPACITY {
            1
        } else {
            CAPACITY - self.rt_util
        }
    }

    /// `check_cpu_capacity`.
    pub fn check_cpu_capacity(&self, pct: u32) -> bool {
        self.capacity_of() * u64::from(pct) < CAPACITY * 100
    }

    /// `cpu_util_cfs`: never more than the CPU could give.
    pub fn cpu_util_cfs(&self) -> u64 {
        self.util.min(CAPACITY)
    }

    /// `cpu_util_cfs_boost`.
    pub fn cpu_util_cfs_boost(&self) -> u64 {
        self.util.max(self.runnable).min(CAPACITY)
    }
}

/// What the CPUs of a domain share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The threads of one core (`SD_SHARE_CPUCAPACITY`, and `SD_SHARE_PKG_RESOURCES`).
    Smt,
    /// One last-level cache (`SD_SHARE_PKG_RESOURCES`).
    Llc,
    /// Several caches of one socket (no flag).
    Socket,
    /// Several nodes (`SD_NUMA`).
    Numa,
}

/// A scheduling domain as one CPU has it; the first group holds that CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    pub kind: Kind,
    /// Whose text its balances follow (see [`Domain::of`]).
    pub generation: Generation,
    /// A delayed task is only taken when load is moved.
    pub refuses_delayed: bool,
    /// A task that is not owed any time is not taken to a queue that holds somebody while no balance has failed.
    pub refuses_unowed: bool,
    /// Starting with the CPU's own, round in CPU order (`build_sched_groups`).
    pub groups: Vec<Vec<usize>>,
    /// `imbalance_pct`.
    pub pct: u32,
    pub cache_nice_tries: u32,
    /// `nr_balance_failed`: kept by each CPU for each of its domains.
    pub failed: u32,
    /// The groups carry `SD_PREFER_SIBLING`: the flag of the domain below, spread over its siblings.
    pub prefer_sibling: bool,
    /// There is a domain below and it has that flag. Unlike the groups' it is never out of date.
    pub child_prefers: bool,
    /// For each group: it carries `SD_SHARE_CPUCAPACITY` (it is one core of several threads).
    pub group_smt: Vec<bool>,
    /// For each group: `sgc->imbalance`, set by a balance below that affinity had spoilt.
    pub group_imbalance: Vec<bool>,
    /// The core of every CPU of the host (`cpu_smt_mask`).
    pub core_of: Vec<usize>,
    pub imb_numa_nr: u32,
    pub has_parent: bool,
    /// `balance_interval`, `min_interval`, `max_interval`, in milliseconds.
    pub interval_ms: u64,
    pub min_interval_ms: u64,
    pub max_interval_ms: u64,
}

impl Domain {
    /// The same domain under the text of another kernel: both refusals are of 6.18.
    pub fn of(self, generation: Generation) -> Self {
        let refuses = generation == Generation::Linux618;
        Domain { generation, refuses_delayed: refuses, refuses_unowed: refuses, ..self }
    }

    /// `sds->prefer_sibling` once there is a busiest group: 6.1 asks the domain below, later ones the busiest group.
    pub fn prefers_sibling(&self) -> bool {
        match self.generation {
            Generation::Linux61 => self.child_prefers,
            _ => self.prefer_sibling,
        }
    }

    pub fn shares_cpucapacity(&self) -> bool {
        self.kind == Kind::Smt
    }

    pub fn shares_pkg_resources(&self) -> bool {
        matches!(self.kind, Kind::Smt | Kind::Llc)
    }

    pub fn span(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.groups.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// `sg->cores`: cores in a group (`init_sched_groups_capacity`).
    pub fn cores(&self, group: usize) -> usize {
        let mut cores: Vec<usize> = self.groups[group].iter().map(|&c| self.core_of[c]).collect();
        cores.sort_unstable();
        cores.dedup();
        cores.len()
    }

    /// `is_core_idle`: every *other* thread of that core is idle; the CPU itself is not looked at.
    pub fn is_core_idle(&self, cpus: &[Cpu], cpu: usize) -> bool {
        (0..cpus.len()).filter(|&c| c != cpu && self.core_of[c] == self.core_of[cpu]).all(|c| cpus[c].is_idle)
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

/// `enum migration_type` (without misfit tasks on unequal CPUs).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Migration {
    Load,
    Util,
    Task,
}

/// `struct lb_env`: one balance under way.
#[derive(Clone, Debug)]
pub struct Env<'a> {
    pub sd: &'a Domain,
    /// `nr_balance_failed` as it stands now.
    pub failed: u32,
    pub idle: Idle,
    pub now_ns: u64,
    pub dst: usize,
    pub src: usize,
    pub new_dst: usize,
    /// `env->cpus`: those still looked at.
    pub cpus: Vec<bool>,
    pub migration: Migration,
    pub imbalance: i64,
    pub all_pinned: bool,
    pub some_pinned: bool,
    pub dst_pinned: bool,
    pub need_break: bool,
    /// `LBF_ACTIVE_LB`.
    pub active: bool,
    pub looped: usize,
    pub loop_break: usize,
    pub loop_max: usize,
    /// `CONFIG_PREEMPTION`: a newly idle CPU takes one task only.
    pub preemption: bool,
}

impl<'a> Env<'a> {
    pub fn new(sd: &'a Domain, cpus: usize, dst: usize, idle: Idle, now_ns: u64) -> Self {
        let mut mask = vec![false; cpus];
        sd.span().into_iter().for_each(|c| mask[c] = true);
        Env {
            sd,
            failed: sd.failed,
            idle,
            now_ns,
            dst,
            src: dst,
            new_dst: dst,
            cpus: mask,
            migration: Migration::Load,
            imbalance: 0,
            all_pinned: false,
            some_pinned: false,
            dst_pinned: false,
            need_break: false,
            active: false,
            looped: 0,
            loop_break: NR_MIGRATE,
            loop_max: 0,
            preemption: true,
        }
    }
}
