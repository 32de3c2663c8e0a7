//! What is simulated: hosts, instances and load, already checked and in the units of the model.
//!
//! Times are [`Ns`], whole nanoseconds. Nothing here is read from a file: the scenario crate builds
//! a [`Config`] from a document and answers for every bound.

use wwi_kernel::time::Ns;

pub mod kinds;

/// Everything one run depends on, besides the replication number.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Hosts, in the order that process rows and `@node` scopes count them.
    pub nodes: Vec<NodeConfig>,
    /// Database instances; each runs on one node.
    pub instances: Vec<InstanceConfig>,
    /// Root of every random stream.
    pub seed: u64,
}

/// One host: hardware threads, operating system, and load that belongs to no instance.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeConfig {
    /// Sockets, each with its own last-level cache.
    pub sockets: u32,
    /// Cores in a socket.
    pub cores_per_socket: u32,
    /// Hardware threads of a core.
    pub threads_per_core: u32,
    /// Work done by a core with k threads busy, k = 1.., against one thread alone (1.0). Never falls.
    pub smt_yield: Vec<f64>,
    /// Whether the operating system knows which threads share a core.
    pub guest_sees_smt: bool,
    /// Every so often a hypervisor deals the virtual CPUs out to the hardware threads anew; zero: never.
    /// Acts only where the guest cannot see the cores.
    pub vcpu_remap: Ns,
    /// The scheduling policy of the operating system.
    pub scheduler: Scheduler,
    /// Clock ticks a second: slices end on ticks. Acts for every policy with a queue for each thread.
    pub tick_hz: u32,
    /// CFS tunables, before the kernel's scaling by the number of CPUs.
    pub cfs: CfsTunables,
    /// EEVDF base slice, before scaling by the number of CPUs.
    pub eevdf_base_slice: Ns,
    /// Whose EEVDF: what becomes of a process that blocks while it has run ahead of its share.
    pub eevdf_generation: EevdfGeneration,
    /// Time slice of the `round_robin` policy.
    pub round_robin_quantum: Ns,
    /// Thread time of changing the running process itself. Switch costs are time on the thread, not work: a refill
    /// waits for memory, and a busy sibling does not lengthen it.
    pub switch_direct: Ns,
    /// Thread time spent refilling caches when another process ran on the thread since.
    pub switch_refill: Ns,
    /// Further refill when a process moves to another core of the same socket.
    pub migration_refill: Ns,
    /// Further refill when a process moves to another socket.
    pub socket_refill: Ns,
    /// Speed of a lone active core against all cores active; 1.0: no turbo. Between the two it falls evenly with each
    /// active core.
    pub turbo_one_core: f64,
    /// CPU time of real-time processes on one CPU in a period; `None`: no limit. Linux (`sched_rt_runtime_us`).
    pub rt_runtime: Option<Ns>,
    /// That period (`sched_rt_period_us`).
    pub rt_period: Ns,
    /// AIX `sched_R`: weight of used CPU in a priority, 32nds.
    pub aix_sched_r: u32,
    /// AIX `sched_D`: share of used CPU kept each second, 32nds.
    pub aix_sched_d: u32,
    /// Tunables of load-based soft affinity: (`sched_preferred`, `sched_allowed`).
    pub soft_tunables: (u32, u32),
    /// CPUs that a wake-up looks at for an idle one after it found no idle core; zero: all of the last-level cache.
    pub idle_scan: u32,
    /// On which CPU timers and messages from outside wake a process.
    pub interrupts: Interrupts,
    /// Processes outside every cage.
    pub background: Background,
    /// A small server that answers requests one after another; `None`: there is none.
    pub service: Option<ServiceConfig>,
}

/// Where an interrupt that wakes a process is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupts {
    /// On the CPU where the process last ran.
    Last,
    /// On any CPU of the host, at random.
    Any,
}

/// Generation of EEVDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EevdfGeneration {
    /// Linux 6.6: a process that blocks leaves the queue at once and keeps its lag.
    Linux66,
    /// Linux 6.12: one that blocks while not eligible stays queued until it is (delayed dequeue).
    Linux612,
}

/// Scheduling class of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The ordinary class of the system: SCHED_OTHER, Solaris TS, AIX decaying priorities.
    TimeSharing,
    /// Solaris IA: time sharing with a boost.
    Interactive,
    /// Fixed priority among the ordinary ones: Solaris FX, AIX `setpri`.
    Fixed,
    /// SCHED_FIFO: real time until it blocks.
    Fifo,
    /// SCHED_RR: real time in turns of equal priority.
    RoundRobin,
    /// Solaris RT: real time with the quantum of its priority.
    RealTime,
}

/// Class, priority and binding of a process kind.
#[derive(Clone, Debug, PartialEq)]
pub struct KindConfig {
    /// Scheduling class.
    pub class: Class,
    /// Nice value, -20..=19. Acts in the ordinary class.
    pub nice: i32,
    /// Priority within a fixed or real-time class; the greater runs first, on AIX `Fixed` the smaller.
    pub priority: u32,
    /// Hardware threads of the node it may run on; `None`: all.
    pub cpus: Option<CpuSet>,
}

/// Hardware threads of one node, counted from 0, ascending, none twice, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSet(pub Vec<u16>);

/// A server with one process: requests come in a Poisson stream and wait for it in order of arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceConfig {
    /// Requests a second.
    pub per_s: f64,
    /// CPU demand of a request.
    pub demand: Demand,
    /// Its class, priority and binding.
    pub kind: KindConfig,
}

/// The policies a host can run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Linux 2.6.23 to 6.5: fair queues, one a thread.
    Cfs,
    /// Linux 6.6 and later: earliest eligible virtual deadline first.
    Eevdf,
    /// Linux 2.6.0 to 2.6.22: active and expired arrays, slices of 100 ms, a bonus for sleepers.
    O1,
    /// AIX: ticks of 10 ms, priorities that decay with CPU used.
    Aix,
    /// Solaris TS, IA and FX: a table of quanta and priorities.
    Solaris,
    /// One queue for the host, a fixed quantum.
    RoundRobin,
    /// One queue for the host, no pre-emption.
    Fifo,
    /// All jobs at once at an equal share, the limit of a vanishing quantum.
    ProcessorSharing,
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
    /// The longest period at which the operating system of a node looks at priorities or limits; zero: none.
    pub fn slowest_period(&self, node: usize) -> Ns {
        let real_time = |k: &KindConfig| matches!(k.class, Class::Fifo | Class::RoundRobin);
        let host = &self.nodes[node];
        match host.scheduler {
            Scheduler::Aix | Scheduler::Solaris => Ns::from_s(1.0),
            _ if host.scheduler.is_linux() && host.rt_runtime.is_some() && self.kinds(node).any(real_time) => {
                host.rt_period
            }
            _ => Ns::ZERO,
        }
    }
}

impl InstanceConfig {
    /// Whether its processes pass messages.
    pub fn passes_messages(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Messages { .. })
    }
    /// Whether it has no sessions and never gets any.
    pub fn is_idle(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Closed { sessions: 0, .. })
    }
}

impl Scheduler {
    /// Linux of any age.
    pub fn is_linux(self) -> bool {
        self.is_fair() || self == Scheduler::O1
    }
    /// Linux with fair queues.
    pub fn is_fair(self) -> bool {
        matches!(self, Scheduler::Cfs | Scheduler::Eevdf)
    }
}

/// Linux CFS tunables as the kernel normalises them (for one CPU).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfsTunables {
    /// Period within which every runnable process runs once.
    pub latency: Ns,
    /// Shortest slice.
    pub min_granularity: Ns,
    /// Lead that a waking process needs to pre-empt.
    pub wakeup_granularity: Ns,
    /// A process that ran this recently is not pulled away. Not scaled.
    pub migration_cost: Ns,
}

/// CPU load outside the cages: each process works and sleeps by turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Number of processes.
    pub processes: u32,
    /// Mean CPU demand of a burst (exponential).
    pub busy: Ns,
    /// Mean sleep between bursts (exponential); zero: never sleeps.
    pub sleep: Ns,
    /// Class, priority and binding.
    pub kind: KindConfig,
}

/// One database instance with its sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceConfig {
    /// Index into [`Config::nodes`].
    pub node: usize,
    /// `None`: no resource manager plan, no limit.
    pub cage: Option<CageConfig>,
    /// What the sessions do.
    pub workload: Workload,
    /// Class, priority and binding of its sessions.
    pub session_kind: KindConfig,
    /// Its other processes.
    pub others: kinds::Others,
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

/// The Resource Manager's limit on sessions that run at once.
#[derive(Clone, Debug, PartialEq)]
pub struct CageConfig {
    /// `cpu_count`: sessions that may run at once.
    pub slots: u32,
    /// CPU time after which a session gives way.
    pub quantum: Ns,
    /// Period of both the clock that finds expired quanta and the scheduler that fills slots; zero: continuous.
    pub tick: Ns,
    /// From the flag to the next place in the code where a session may yield.
    pub safe_point: Ns,
    /// A wait shorter than this keeps the slot.
    pub short_wait: Ns,
    /// How a slot is refilled after its session blocked.
    pub handoff: Handoff,
    /// CPU time a session pays for being posted.
    pub post: Ns,
    /// Consumer groups; sessions are dealt to them in turn. Never empty.
    pub groups: Vec<GroupConfig>,
}

/// When a slot whose session blocked is filled again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handoff {
    /// At once.
    Immediate,
    /// On the next tick.
    Tick,
}

/// One consumer group.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupConfig {
    /// As the plan names it.
    pub name: String,
    /// Weight among the groups of its level.
    pub shares: u32,
    /// Share of the slots that it may hold, 0 < limit <= 1.
    pub utilization_limit: f64,
    /// Lower levels are served first; what they leave flows down.
    pub level: u32,
}

/// The load of one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// How transactions come.
    pub arrivals: Arrivals,
    /// CPU demand of one transaction.
    pub demand: Demand,
    /// Logical reads in a transaction of mean demand.
    pub lio_per_transaction: f64,
}

/// Where transactions come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// A fixed number of sessions, each thinking between transactions.
    Closed {
        /// Number of sessions.
        sessions: u32,
        /// Mean think time (exponential); zero: none.
        think: Ns,
        /// Sessions start at uniform moments within this span; zero: in step.
        start_spread: Ns,
    },
    /// Poisson arrivals, each served by a session of its own.
    Open {
        /// Mean arrivals a second.
        per_s: f64,
    },
    /// Groups of senders and receivers that pass messages; a transaction is a message handled. Half of its demand is
    /// the sender's.
    Messages {
        /// Number of groups.
        groups: u32,
        /// Senders in a group, and receivers; each sender writes to each receiver in turn.
        pairs: u32,
        /// Messages that a receiver's buffer holds.
        buffer: u32,
    },
    /// A fixed list of (time since the previous arrival, CPU demand), for comparison with exact recursions.
    List(Vec<(Ns, Ns)>),
}

/// CPU demand of a transaction at reference speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Mean.
    pub mean: Ns,
    /// Shape.
    pub shape: DemandShape,
}

/// Shape of a demand distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandShape {
    /// Every transaction alike.
    Constant,
    /// Exponential.
    Exponential,
    /// Two-phase hyperexponential with balanced means and squared coefficient of variation 4.
    Hyperexponential,
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
