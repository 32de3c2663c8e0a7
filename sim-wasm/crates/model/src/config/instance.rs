//! A database instance: where it runs, what it is held to, and what its sessions share.
use super::kinds::Others;
use super::{Arrivals, CageConfig, CpuSet, KindConfig, Workload};
use wwi_kernel::time::Ns;

/// One database instance with its sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceConfig {
    /// Index into [`super::Config::nodes`].
    pub node: usize,
    /// `None`: no resource manager plan, no limit.
    pub cage: Option<CageConfig>,
    /// What the sessions do.
    pub workload: Workload,
    /// Class, priority and binding of its sessions.
    pub session_kind: KindConfig,
    /// Its other processes.
    pub others: Others,
    /// Latches on the path of a logical read.
    pub latch: LatchConfig,
    /// Where its sessions may run and had better run.
    pub affinity: Affinity,
    /// A control group of its own; `None`: its sessions are in the root group.
    pub cgroup: Option<CgroupConfig>,
    /// What it costs to share blocks between cores and sockets.
    pub coherence: Coherence,
    /// Where its memory is.
    pub memory: Memory,
}

impl InstanceConfig {
    /// Whether its processes pass messages.
    pub fn passes_messages(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Messages { .. })
    }
    /// Whether it has transactions of several classes.
    pub fn has_classes(&self) -> bool {
        self.others.database.as_ref().is_some_and(|of| of.query.share > 0.0 && of.query.share < 1.0)
    }
    /// Whether it has no sessions and never gets any.
    pub fn is_idle(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Closed { sessions: 0, .. })
    }
}

/// Latches taken inside logical reads (drawn, never simulated one by one).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchConfig {
    /// Share of a session's CPU time with a latch held, 0..1.
    pub held_share: f64,
    /// Rate at which a running session asks for one given latch, a second.
    pub request_per_s: f64,
    /// Spin before sleeping.
    pub spin: Ns,
}

/// Where the sessions of an instance run.
#[derive(Clone, Debug, PartialEq)]
pub enum Affinity {
    /// Anywhere.
    None,
    /// Nowhere else (`sched_setaffinity`, cpuset).
    Hard(CpuSet),
    /// Rather there (scheduler soft affinity).
    Soft(CpuSet),
}

/// A control group (version 2). Acts for CFS and EEVDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CgroupConfig {
    /// `cpu.weight`, 1..=10000; 100 weighs as much as one process at nice 0.
    pub weight: u32,
    /// Quota of `cpu.max`; `None`: max.
    pub quota: Option<Ns>,
    /// Period of `cpu.max`.
    pub period: Ns,
}

/// By how much sharing blocks slows the work of an instance. Work is divided by 1 + the sum of the three.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coherence {
    /// Times (m - 1) / m for m cores that run the instance.
    pub cores: f64,
    /// Times the share of the instance's running threads on other sockets.
    pub sockets: f64,
    /// For an instance that has the last-level cache of one socket only; none with those of all sockets; by the number
    /// of caches between.
    pub llc_share: f64,
    /// Times m - 1 for m cores that run the instance: what they do one after another.
    pub sigma: f64,
    /// Times m (m - 1): what each does with each other.
    pub kappa: f64,
}

/// Where the memory of an instance is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// Wherever its sessions run: never remote.
    Local,
    /// Spread over all sockets.
    Interleaved {
        /// Time of work with all memory remote, against all local.
        remote: f64,
    },
    /// On one socket.
    Bound {
        /// Time of work with all memory remote, against all local.
        remote: f64,
        /// Which socket.
        socket: usize,
    },
}
