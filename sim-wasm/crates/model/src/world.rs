//! The state of one replication: arenas of processes, threads and hosts, and the calendar.
use crate::accounts::Accounts;
use crate::activity::Activity;
use crate::cage::Cage;
use crate::config::{Arrivals, Config, NodeConfig, Scheduler};
use crate::host::fluid::Fluid;
use crate::host::masks::Masks;
use crate::host::placement::Idle;
use crate::host::policy::Policy;
use crate::host::topology::speeds;
use crate::ids::{Pid, ThreadId};
use crate::latch::Latches;
use crate::program::Program;
use crate::record::Recorder;
use wwi_kernel::calendar::{Calendar, Phase};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// No instance: load outside the database.
pub const NO_INSTANCE: u16 = u16::MAX;

/// Processes of a replication at most. Open arrivals that outrun their service would fill any memory.
pub const MOST_PROCESSES: usize = 100_000;

/// One process, as the loop needs it.
#[derive(Clone, Debug)]
pub struct Process {
    /// CPU work left in the segment, fixed point.
    pub work: u64,
    /// Time still to pay on a thread for the last switch before work goes on.
    pub debt: Ns,
    /// Up to when its time is booked.
    pub since: Ns,
    /// When its activity began.
    pub entered: Ns,
    /// CPU time since the cage let it in.
    pub used: Ns,
    /// When its transaction began.
    pub started: Ns,
    /// Work of its transaction, fixed point.
    pub asked: u64,
    /// Thread it last ran on.
    pub last: ThreadId,
    /// Accounting group.
    pub group: u16,
    /// Its instance, or [`NO_INSTANCE`].
    pub instance: u16,
    /// Its host.
    pub node: u16,
    /// What it is doing.
    pub activity: Activity,
    /// What it runs.
    pub program: Program,
    /// Holds a slot of its cage.
    pub has_slot: bool,
    /// Lost the CPU with a latch in hand.
    pub holds_latch: bool,
}

/// One hardware thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Who runs, or [`Pid::NONE`].
    pub running: Pid,
    /// Who ran last.
    pub last: Pid,
    /// Up to when the running process is charged.
    pub since: Ns,
    /// Start of the stay.
    pub picked: Ns,
    /// Work per nanosecond, fixed point.
    pub speed: u64,
    /// End of the slice.
    pub slice_until: Ns,
    /// When the cage makes the process yield.
    pub yields_at: Ns,
    /// When it finds a latch taken and has spun in vain.
    pub latch_at: Ns,
    /// Time lost to switching in this stay.
    pub lost: Ns,
    /// Since when nobody runs.
    pub idle_since: Ns,
    /// Its core, over all nodes.
    pub core: u16,
    /// Its host.
    pub node: u16,
}

/// One core.
#[derive(Clone, Debug, Default)]
pub struct Core {
    /// Threads that run something.
    pub active: u8,
    /// Its threads.
    pub threads: Vec<u16>,
}

/// One host.
#[derive(Clone, Debug)]
pub struct Host {
    /// Run queues.
    pub policy: Policy,
    /// Where processes may run.
    pub masks: Masks,
    /// Idle threads.
    pub idle: Idle,
    /// Speed of a thread with k of its core active.
    pub speeds: Vec<u64>,
    /// First thread.
    pub base: u16,
    /// Number of threads.
    pub threads: u16,
    /// Processor sharing, if that is the policy.
    pub fluid: Option<Fluid>,
    /// Processes waiting for a thread.
    pub ready: u32,
    /// Whether a look at idle threads is on the calendar.
    pub pull_armed: bool,
    /// Deals virtual CPUs out to hardware threads.
    pub hypervisor: Stream,
    /// When it last did.
    pub dealt: Ns,
    /// Whether the next time is on the calendar.
    pub deal_armed: bool,
}

/// Random streams of one process.
#[derive(Clone, Debug)]
pub struct Streams {
    /// Think times, sleeps.
    pub think: Stream,
    /// CPU demands.
    pub demand: Stream,
}

/// Arrivals and latches of one instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `None`: no limit.
    pub cage: Option<Cage>,
    /// Latches whose holders lost the CPU.
    pub latches: Latches,
    /// Interarrival times and demands of open arrivals.
    pub arrivals: Streams,
    /// Visitors that left and can come again as another.
    pub free: Vec<Pid>,
    /// Next entry of a list of arrivals.
    pub listed: usize,
}

/// What timers are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timer {
    /// A process wakes.
    Wake(Pid),
    /// An open arrival of this instance.
    Arrive(u16),
    /// The cage of this instance fills slots.
    RmTick(u16),
    /// Levelling of this host's run queues.
    Level(u16),
    /// Idle threads of this host look for work again.
    Pull(u16),
    /// The hypervisor deals this host's virtual CPUs out anew.
    Remap(u16),
    /// The wait of a process proved too long to keep its slot; the time when it began.
    ShortWait(Pid, Ns),
}

/// One replication.
#[derive(Clone, Debug)]
pub struct World {
    /// What is simulated.
    pub config: Config,
    /// The present moment.
    pub now: Ns,
    /// Pending events.
    pub calendar: Calendar<Timer>,
    /// All processes.
    pub processes: Vec<Process>,
    /// Their random streams; visitors have none.
    pub streams: Vec<Streams>,
    /// All hardware threads.
    pub threads: Vec<Thread>,
    /// All cores.
    pub cores: Vec<Core>,
    /// All hosts.
    pub hosts: Vec<Host>,
    /// All instances.
    pub instances: Vec<Instance>,
    /// Where the time went.
    pub accounts: Accounts,
    /// Who ran where, if asked.
    pub recorder: Option<Recorder>,
    /// Replication number.
    pub replication: u32,
    /// Arrivals had to stop: there are [`MOST_PROCESSES`].
    pub is_full: bool,
}

fn streams(config: &Config, replication: u32, kind: &str, index: u64) -> Streams {
    let stream = |purpose| Stream::new(config.seed, replication, kind, index, purpose);
    Streams { think: stream("think"), demand: stream("demand") }
}

fn host(config: &Config, replication: u32, index: usize, base: usize) -> Host {
    let node = &config.nodes[index];
    let groups: Vec<_> = config.instances.iter().map(|i| i.cgroup.filter(|_| i.node == index)).collect();
    Host {
        policy: Policy::new(node, &groups),
        masks: Masks::new(node.threads()),
        idle: Idle::new(node),
        speeds: speeds(node),
        base: base as u16,
        threads: node.threads() as u16,
        fluid: (node.scheduler == Scheduler::ProcessorSharing).then(|| Fluid::new(node)),
        ready: 0,
        pull_armed: false,
        hypervisor: Stream::new(config.seed, replication, "node", index as u64, "vcpu"),
        dealt: Ns::ZERO,
        deal_armed: false,
    }
}

fn threads_of(node: &NodeConfig, index: usize, base: usize, core_base: usize, full: u64) -> Vec<Thread> {
    let thread = |t: usize| Thread {
        running: Pid::NONE,
        last: Pid::NONE,
        since: Ns::ZERO,
        picked: Ns::ZERO,
        speed: full,
        slice_until: Ns::MAX,
        yields_at: Ns::MAX,
        latch_at: Ns::MAX,
        lost: Ns::ZERO,
        idle_since: Ns::ZERO,
        core: (core_base + t / node.threads_per_core as usize) as u16,
        node: index as u16,
    };
    debug_assert!(base + node.threads() <= usize::from(u16::MAX));
    (0..node.threads()).map(thread).collect()
}

impl World {
    /// Sets a replication up; nothing has happened yet.
    pub fn new(config: &Config, replication: u32) -> World {
        let (mut threads, mut hosts, mut cores) = (Vec::new(), Vec::new(), 0);
        for (index, node) in config.nodes.iter().enumerate() {
            let host = host(config, replication, index, threads.len());
            threads.extend(threads_of(node, index, threads.len(), cores, host.speeds[1]));
            cores += node.threads() / node.threads_per_core as usize;
            hosts.push(host);
        }
        let instance = |(index, i): (usize, &crate::config::InstanceConfig)| Instance {
            cage: i.cage.as_ref().map(Cage::new),
            latches: Latches::new(
                Stream::new(config.seed, replication, "instance", index as u64, "latch"),
                i.latch.held_share,
            ),
            arrivals: streams(config, replication, "arrivals", index as u64),
            free: Vec::new(),
            listed: 0,
        };
        let groups = config.instances.len() + config.nodes.len();
        let mut world = World {
            now: Ns::ZERO,
            calendar: Calendar::new(threads.len()),
            processes: Vec::new(),
            streams: Vec::new(),
            cores: vec![Core::default(); cores],
            hosts,
            instances: config.instances.iter().enumerate().map(instance).collect(),
            accounts: Accounts::new(groups, config.nodes.len(), threads.len(), config.instances.len()),
            threads,
            recorder: None,
            is_full: false,
            replication,
            config: config.clone(),
        };
        world.start_hosts();
        world.start_instances();
        world
    }

    fn start_hosts(&mut self) {
        for index in 0..self.config.nodes.len() {
            let node = self.config.nodes[index].clone();
            let threads = node.threads() as u64;
            self.seat_threads(index);
            if !node.guest_sees_smt && node.threads_per_core > 1 {
                self.shuffle_threads(index);
            }
            if self.hosts[index].policy.has_queue_per_thread() && threads > 1 {
                self.calendar.schedule(self.level_period(index), Phase::Dispatch, Timer::Level(index as u16));
            }
            for number in 0..node.background.processes {
                let key = (index as u64) << 32 | u64::from(number);
                let pid = self.admit(Program::Background, index, NO_INSTANCE, key);
                let mut start = Stream::new(self.config.seed, self.replication, "background", key, "start");
                let at = Ns(start.below(node.background.busy.plus(node.background.sleep).0.max(1)));
                self.calendar.schedule(at, Phase::Arrive, Timer::Wake(pid));
            }
        }
    }

    fn start_instances(&mut self) {
        for index in 0..self.config.instances.len() {
            let node = self.config.instances[index].node;
            match self.config.instances[index].workload.arrivals.clone() {
                Arrivals::Closed { sessions, start_spread, .. } => {
                    for number in 0..sessions {
                        let key = (index as u64) << 32 | u64::from(number);
                        let pid = self.admit(Program::Session, node, index as u16, key);
                        let mut start = Stream::new(self.config.seed, self.replication, "session", key, "start");
                        let at = Ns(start.below(start_spread.0));
                        self.calendar.schedule(at, Phase::Arrive, Timer::Wake(pid));
                    }
                }
                Arrivals::Open { .. } | Arrivals::List(_) => self.schedule_arrival(index),
                Arrivals::Messages { .. } => {}
            }
        }
    }

    /// Makes a process known to its host.
    pub fn admit(&mut self, program: Program, node: usize, instance: u16, key: u64) -> Pid {
        let pid = Pid(self.processes.len() as u32);
        let (group, class, kind) = match program {
            Program::Background => {
                (self.config.instances.len() + node, &self.config.nodes[node].background.kind, "background")
            }
            _ => (instance as usize, &self.config.nodes[node].session_kind, "session"),
        };
        let host = &mut self.hosts[node];
        host.policy.admit(pid, class, (instance != NO_INSTANCE).then_some(instance as usize), &host.masks);
        self.processes.push(Process {
            work: 0,
            debt: Ns::ZERO,
            since: self.now,
            entered: self.now,
            used: Ns::ZERO,
            started: self.now,
            asked: 0,
            last: ThreadId::NONE,
            group: group as u16,
            instance,
            node: node as u16,
            activity: Activity::OFF,
            program,
            has_slot: false,
            holds_latch: false,
        });
        if program != Program::Visitor {
            assert_eq!(self.streams.len(), pid.i(), "sessions come before visitors");
            self.streams.push(streams(&self.config, self.replication, kind, key));
        }
        pid
    }

    /// Period of levelling run queues: the kernel's 1 ms a CPU, 16 times that on a busy host (Linux 5.10 and later).
    pub fn level_period(&self, node: usize) -> Ns {
        Ns(16_000_000 * self.config.nodes[node].threads() as u64)
    }

    /// Deals the virtual CPUs of a host out to its hardware threads at random.
    pub fn shuffle_threads(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let (base, threads) = (host.base as usize, &mut self.threads);
        host.hypervisor.shuffle(host.threads as usize, |a, b| {
            let core = threads[base + a].core;
            threads[base + a].core = threads[base + b].core;
            threads[base + b].core = core;
        });
        self.seat_threads(node);
    }

    /// Rebuilds the cores of a host from where its threads say they are.
    fn seat_threads(&mut self, node: usize) {
        let host = &self.hosts[node];
        let range = host.base as usize..(host.base + host.threads) as usize;
        for thread in range.clone() {
            let core = &mut self.cores[self.threads[thread].core as usize];
            core.threads.clear();
            core.active = 0;
        }
        for thread in range {
            let core = &mut self.cores[self.threads[thread].core as usize];
            core.threads.push(thread as u16);
            core.active += u8::from(self.threads[thread].running != Pid::NONE);
        }
    }
}
