//! What is simulated: hosts, instances and load, already checked and in the units of the model.
//!
//! Times are [`Ns`], whole nanoseconds. Nothing here is read from a file: the scenario crate builds
//! a [`Config`] from a document and answers for every bound.

use wwi_kernel::time::Ns;

mod cage;
pub mod cluster;
pub mod database;
mod instance;
pub mod kinds;
mod node;
pub mod parallel;
pub mod rested;
pub mod sequence;
pub mod weights;
mod workload;

pub use cage::{CageConfig, GroupConfig, Handoff};
pub use instance::{Affinity, CgroupConfig, Coherence, InstanceConfig, LatchConfig, LatchQueue, Memory};
pub use node::{
    BalanceGeneration, CfsTunables, Class, CpuCache, CpuSet, EevdfGeneration, IdleScan, Interrupts, KindConfig,
    NodeConfig, Scheduler, WakingConfig,
};
pub use workload::{
    Arrivals, Background, Demand, DemandShape, Ending, Path, SelectConfig, ServiceArrivals, ServiceConfig, Workload,
};

/// Everything one run depends on, besides the replication number.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Hosts, in the order that process rows and `@node` scopes count them.
    pub nodes: Vec<NodeConfig>,
    /// Database instances; each runs on one node.
    pub instances: Vec<InstanceConfig>,
    /// What joins the instances with a database; `None`: nothing does.
    pub cluster: Option<cluster::ClusterConfig>,
    /// Root of every random stream.
    pub seed: u64,
}

impl Config {
    /// Sessions of all instances, where their number is fixed and there are any.
    pub fn closed_sessions(&self) -> Option<f64> {
        let sessions = self.instances.iter().map(|instance| match instance.workload.arrivals {
            Arrivals::Closed { sessions, .. } => Some(f64::from(sessions)),
            _ => None,
        });
        sessions.sum::<Option<f64>>().filter(|&sessions| sessions > 0.0)
    }
    /// Whether a run of it ends by itself: some sessions have so many transactions to run, and no more.
    pub fn ends(&self) -> bool {
        self.instances.iter().any(|instance| instance.workload.ends.is_some() && !instance.is_idle())
    }
    /// The longest period at which the operating system of a node looks at priorities or limits; zero: none.
    pub fn slowest_period(&self, node: usize) -> Ns {
        let real_time = |k: &KindConfig| matches!(k.class, Class::Fifo | Class::RoundRobin);
        let host = &self.nodes[node];
        match host.scheduler {
            Scheduler::Aix | Scheduler::Solaris => Ns::from_s(1.0),
            _ if host.scheduler.is_fair() && self.kinds(node).any(real_time) => host.real_time_period(),
            _ => Ns::ZERO,
        }
    }
}
