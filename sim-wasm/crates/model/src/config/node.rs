//! A host: hardware threads, the operating system with its tunables, and what is said of processes to it.
use super::kinds::KindId;
use super::{Background, CgroupConfig, ServiceConfig};
use wwi_kernel::time::Ns;

/// One host: hardware threads, operating system, and load that belongs to no instance.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeConfig {
    /// Sockets.
    pub sockets: u32,
    /// Cores in a socket.
    pub cores_per_socket: u32,
    /// Cores that share a last-level cache; divides those of a socket. Zero: all of a socket.
    pub cores_per_llc: u32,
    /// Hardware threads of a core.
    pub threads_per_core: u32,
    /// Work done by a core with k threads busy, k = 1.., against one thread alone (1.0); with more it may be less.
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
    /// EEVDF of 6.18: a CPU that runs an ordinary process is not interrupted for one that another CPU of its cache has
    /// woken, and looks with its next interrupt, or when its process leaves the kernel (`preempt=lazy`).
    pub lazy_preemption: bool,
    /// Whose balancing between CPUs, where the scheduler is CFS.
    pub balance_generation: BalanceGeneration,
    /// Whether what CPUs have drawn from a quota of `cpu.max` is lost at the end of the period.
    pub slices_expire: bool,
    /// Time slice of the `round_robin` policy.
    pub round_robin_quantum: Ns,
    /// Thread time of changing the running process itself. Switch costs are time on the thread, not work: a refill
    /// waits for memory, and a busy sibling does not lengthen it.
    pub switch_direct: Ns,
    /// Thread time spent refilling caches when another process ran on the thread since.
    pub switch_refill: Ns,
    /// Further refill when a process moves to another core of the same last-level cache.
    pub migration_refill: Ns,
    /// Further refill when a process moves to another last-level cache.
    pub socket_refill: Ns,
    /// Speed of a lone active core against all cores active; 1.0: no turbo. Between the two it falls evenly with each
    /// active core.
    pub turbo_one_core: f64,
    /// Speed with 1, 2, … cores of a socket active, against all; never rises. Empty: as `turbo_one_core` says.
    pub turbo_steps: Vec<f64>,
    /// The cache of a core, for processes with a working set.
    pub l2: CpuCache,
    /// A last-level cache, for the same.
    pub llc: CpuCache,
    /// CPU time of real-time processes on one CPU in a period; `None`: no limit. CFS and EEVDF
    /// (`sched_rt_runtime_us`).
    pub rt_runtime: Option<Ns>,
    /// That period (`sched_rt_period_us`).
    pub rt_period: Ns,
    /// CFS: CPUs lend one another what they have left of it (RT_RUNTIME_SHARE).
    pub rt_runtime_share: bool,
    /// AIX `sched_R`: weight of used CPU in a priority, 32nds.
    pub aix_sched_r: u32,
    /// AIX `sched_D`: share of used CPU kept each second, 32nds.
    pub aix_sched_d: u32,
    /// AIX: who has a fixed priority is seen at once by a CPU that runs something worse (`bosdebug -R on`).
    pub aix_real_time_kernel: bool,
    /// Tunables of load-based soft affinity: (`sched_preferred`, `sched_allowed`).
    pub soft_tunables: (u32, u32),
    /// How far a wake-up looks for an idle CPU.
    pub idle_scan: IdleScan,
    /// What a CPU that becomes idle reckons a search for work to cost in each domain, and a tenth of it for each CPU
    /// there. Fair schedulers.
    pub newidle_cost: Ns,
    /// A CPU that becomes idle throws a die before it searches, as often as its searches found somebody. Fair
    /// schedulers (`NI_RANDOM`).
    pub ni_random: bool,
    /// What interrupts take of a busy CPU in a clock tick on average, where balancing by loads heeds it.
    pub tick_interrupts: Ns,
    /// On which CPU timers and messages from outside wake a process.
    pub interrupts: Interrupts,
    /// What passes between a wake-up and the first instruction. Linux.
    pub waking: WakingConfig,
    /// Processes outside every cage.
    pub background: Background,
    /// Further kinds of them.
    pub more_background: [Option<Box<Background>>; 2],
    /// Small servers that each answer requests one after another; `None`: there are none.
    pub service: Option<ServiceConfig>,
}

/// A cache, as those see it whose working set it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpuCache {
    /// Size \[MB\].
    pub mb: f64,
    /// Rate at which it is filled \[GB/s\].
    pub fill_gb_s: f64,
}

impl CpuCache {
    /// Time to load so many MB, or all that it holds \[ns\].
    pub fn load_ns(&self, mb: f64) -> f64 {
        mb.min(self.mb) / self.fill_gb_s * 1e6
    }
    /// Time to fill it \[ns\].
    pub fn full_ns(&self) -> f64 {
        self.load_ns(self.mb)
    }
}

/// What passes between a wake-up and the first instruction of the woken process, under Linux.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WakingConfig {
    /// Later than its time a process is woken that slept by a timer (`timer_slack_ns`). Not in real-time classes.
    pub timer_slack: Ns,
    /// Until the interrupt arrives by which an idle thread is told, from another one.
    pub interrupt: Ns,
    /// From there to the first instruction.
    pub path: Ns,
    /// States of an idle thread: time to leave it, and the spell from which on it pays. Ever deeper.
    pub idle_states: Vec<(Ns, Ns)>,
    /// Share of its time in which a running process cannot be pre-empted.
    pub kernel_share: f64,
    /// How long that lasts from a moment within it, on average.
    pub kernel_section: Ns,
}

/// How far a wake-up looks for an idle CPU in the last-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleScan {
    /// Once it found no idle core, at those before the one of this number, the first being where the search starts, and
    /// at more where CPUs are idle for long; zero: at all (SIS_PROP). Not where loads alone decide what is moved.
    Prop(u32),
    /// By how much of the cache's CPUs is used (SIS_UTIL). Fair schedulers without soft affinity; elsewhere at all.
    Util,
}

impl IdleScan {
    /// Number of the CPU at which it may give up; zero: it looks at all.
    pub fn least(self) -> usize {
        match self {
            IdleScan::Prop(least) => least as usize,
            IdleScan::Util => 0,
        }
    }
}

/// Where an interrupt that wakes a process is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupts {
    /// On the CPU where the process last ran.
    Last,
    /// On any CPU of the host, at random.
    Any,
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

/// Generation of EEVDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EevdfGeneration {
    /// Linux 6.6: a process that blocks leaves the queue at once and keeps its lag.
    Linux66,
    /// Linux 6.8: likewise, and of one that has had to wait it is not believed that it needs less than before.
    Linux68,
    /// Linux 6.12: one that blocks while not eligible stays queued until it is (delayed dequeue), and a deadline server
    /// keeps ordinary processes from starving beside real time.
    Linux612,
    /// Linux 6.18: who is picked is protected for the shortest request queued, a lag may be as long as the longest and
    /// a tick, and a control group whose weight changes is placed as one that comes.
    Linux618,
}

impl EevdfGeneration {
    /// Who blocks may stay queued.
    pub fn delays(self) -> bool {
        !matches!(self, EevdfGeneration::Linux66 | EevdfGeneration::Linux68)
    }
}

impl NodeConfig {
    /// The background load of a kind, where there is any.
    pub fn load_of(&self, kind: KindId) -> Option<&Background> {
        match kind {
            KindId::BACKGROUND => Some(&self.background),
            KindId::BACKGROUND_2 => self.more_background[0].as_deref(),
            KindId::BACKGROUND_3 => self.more_background[1].as_deref(),
            _ => None,
        }
    }

    /// Speed of the cores of a socket with so many of its cores active, and of those of the host.
    pub fn turbo(&self, of_socket: usize, of_host: usize) -> f64 {
        if let Some(last) = self.turbo_steps.last() {
            return *self.turbo_steps.get(of_socket.max(1) - 1).unwrap_or(last);
        }
        let (cores, active) = (f64::from(self.sockets * self.cores_per_socket), of_host as f64);
        let gain = self.turbo_one_core - 1.0;
        1.0 + if cores > 1.0 { gain * (cores - active.max(1.0)) / (cores - 1.0) } else { gain }
    }

    /// The most that a thread's speed can be with so many of them busy: all threads of a core, and of the sockets one
    /// with as few active cores as there can be. Processor sharing knows no turbo.
    pub fn fastest(&self, busy: usize) -> f64 {
        if self.scheduler == Scheduler::ProcessorSharing {
            return 1.0;
        }
        let active = busy.div_ceil(self.threads_per_core as usize);
        let elsewhere = (self.sockets - 1) * self.cores_per_socket;
        self.turbo(active.saturating_sub(elsewhere as usize), active)
    }

    /// Pre-emption by ordinary processes is lazy, where the kernel knows that.
    pub fn is_lazy(&self) -> bool {
        let is_of_6_13 = self.scheduler == Scheduler::Eevdf && self.eevdf_generation == EevdfGeneration::Linux618;
        is_of_6_13 && self.lazy_preemption
    }
}

/// Generation of load balancing under CFS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceGeneration {
    /// Linux 6.6: by what groups of CPUs are.
    Linux66,
    /// Linux 6.1, much as 5.10 to 6.5: likewise, but for threads of a core that are in each other's way.
    Linux61,
    /// Linux 3.16, and RHEL 7: by their loads alone.
    Linux316,
}

/// Scheduling class of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The ordinary class of the system: SCHED_OTHER, Solaris TS, AIX decaying priorities.
    TimeSharing,
    /// SCHED_BATCH: shares like the ordinary class, and takes nobody's CPU when it wakes. Linux with fair queues.
    Batch,
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
    /// The slice that its processes ask for; `None`: the base slice. Linux 6.12 with EEVDF.
    pub slice: Option<Ns>,
    /// What it works with and finds in caches \[MB\]; zero: each switch costs the same.
    pub working_set_mb: f64,
    /// A control group of its processes alone, out of that of their instance. Acts for CFS and EEVDF.
    pub cgroup: Option<CgroupConfig>,
}

/// Hardware threads of one node, counted from 0, ascending, none twice, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSet(pub Vec<u16>);
