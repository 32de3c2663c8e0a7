//! What balancing sees of CPUs, and what it makes of groups of them (`update_sg_lb_stats`, `group_classify` of
//! `fair.c`, Linux 6.6).
use super::domains::Domain;
use std::ops::Range;

/// Capacity of a CPU, and a process that always runs (SCHED_CAPACITY_SCALE).
pub const CAPACITY: u64 = 1024;

/// One CPU at the moment of balancing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    /// Processes running or waiting, real time included (`nr_running`).
    pub running: u32,
    /// Of these, ordinary ones (`cfs.h_nr_running`).
    pub fair: u32,
    /// Weight × share of time runnable, added up (`cfs.avg.load_avg`).
    pub load: u64,
    /// Share of time running, 1024ths, at most all (`cpu_util_cfs`).
    pub util: u64,
    /// Processes running or waiting on average, 1024ths (`cfs.avg.runnable_avg`).
    pub runnable: u64,
    /// What real time leaves of it, 1024ths, at least 1 (`cpu_capacity`).
    pub capacity: u64,
    /// It runs nothing and is not on its way to (`idle_cpu`).
    pub is_idle: bool,
    /// It is looked at (`env->cpus`).
    pub is_open: bool,
}

impl Cpu {
    /// Real time takes so much of it that somebody ordinary is better off elsewhere (`check_cpu_capacity`).
    pub fn is_reduced(&self, domain: &Domain) -> bool {
        self.capacity * domain.pct < CAPACITY * 100
    }

    /// What it does, or would do if it could, by which queues are compared (`cpu_util_cfs_boost`).
    pub fn boosted_util(&self) -> u64 {
        self.util.max(self.runnable).min(CAPACITY)
    }
}

/// Who looks for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Puller {
    /// A CPU that idles.
    Idle,
    /// A CPU whose last process has just left it.
    NewlyIdle,
    /// A CPU that runs something.
    Busy,
}

impl Puller {
    /// It has nothing to run.
    pub fn has_nothing(self) -> bool {
        self != Puller::Busy
    }
}

/// What a group is, the least in need of help first (`group_type`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Type {
    /// It could do more.
    #[default]
    HasSpare,
    /// It does what it can, and is not asked for more.
    FullyBusy,
    /// A process is alone on a CPU that real time uses (`group_misfit_task`).
    Reduced,
    /// Threads of a core get in each other's way while another CPU idles (6.6 and later).
    SmtBalance,
    /// Balancing below failed because processes are bound.
    Imbalanced,
    /// It is asked for more than it can do.
    Overloaded,
}

/// Sums over the CPUs of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// What it is.
    pub kind: Type,
    /// Loads.
    pub load: u64,
    /// Capacities.
    pub capacity: u64,
    /// Utilisation.
    pub util: u64,
    /// Processes on average.
    pub runnable: u64,
    /// Processes now.
    pub running: u32,
    /// Ordinary ones.
    pub fair: u32,
    /// Idle CPUs.
    pub idle: u32,
    /// CPUs.
    pub weight: u32,
    /// The greatest load of a CPU that real time reduces.
    pub reduced_load: u64,
    /// Load for its capacity, where it counts.
    pub average: u64,
}

/// A domain as one of its CPUs sees it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The domain.
    pub domain: &'a Domain,
    /// Its CPUs.
    pub cpus: &'a [Cpu],
    /// Number of the first of them.
    pub first: usize,
    /// Who looks.
    pub puller: Puller,
}

impl View<'_> {
    /// One of its CPUs.
    pub fn cpu(&self, number: usize) -> &Cpu {
        &self.cpus[number - self.first]
    }

    /// The CPUs of a group that are looked at.
    pub fn open(&self, group: Range<usize>) -> impl Iterator<Item = (usize, &Cpu)> {
        let from = self.first;
        group.map(move |number| (number, &self.cpus[number - from])).filter(|(_, cpu)| cpu.is_open)
    }

    /// Sums over a group. `is_local`: the puller's; `is_pinned`: balancing below failed because processes are bound.
    pub fn group(&self, range: Range<usize>, is_local: bool, is_pinned: bool) -> Group {
        let cpus = self.cpus.get(range.start - self.first..range.end - self.first).unwrap_or(&[]);
        let mut group = Group { weight: cpus.len() as u32, ..Group::default() };
        let looks_for_alone = !is_local && self.puller.has_nothing();
        for cpu in cpus {
            group.capacity += cpu.capacity;
            if !cpu.is_open {
                continue;
            }
            group.load += cpu.load;
            group.util += cpu.util;
            group.runnable += cpu.runnable;
            group.running += cpu.running;
            group.fair += cpu.fair;
            group.idle += u32::from(cpu.running == 0 && cpu.is_idle);
            if looks_for_alone && cpu.fair == 1 && cpu.is_reduced(self.domain) {
                group.reduced_load = group.reduced_load.max(cpu.load);
            }
        }
        let has_smt = looks_for_alone && self.domain.sees_siblings();
        group.kind = group.classify(self.domain.pct, is_pinned, has_smt && group.fair > 1);
        if group.kind == Type::Overloaded {
            group.average = group.load_for_capacity();
        }
        group
    }
}

impl Group {
    /// Load of a CPU of full capacity.
    pub fn load_for_capacity(&self) -> u64 {
        self.load * CAPACITY / self.capacity
    }

    fn classify(&self, pct: u64, is_pinned: bool, has_smt: bool) -> Type {
        if self.is_overloaded(pct) {
            Type::Overloaded
        } else if is_pinned {
            Type::Imbalanced
        } else if has_smt {
            Type::SmtBalance
        } else if self.reduced_load > 0 {
            Type::Reduced
        } else if self.has_capacity(pct) {
            Type::HasSpare
        } else {
            Type::FullyBusy
        }
    }

    fn waits_on_average(&self, pct: u64) -> bool {
        self.capacity * pct < self.runnable * 100
    }

    fn is_overloaded(&self, pct: u64) -> bool {
        self.running > self.weight && (self.capacity * 100 < self.util * pct || self.waits_on_average(pct))
    }

    fn has_capacity(&self, pct: u64) -> bool {
        self.running < self.weight || !self.waits_on_average(pct) && self.capacity * 100 > self.util * pct
    }
}
