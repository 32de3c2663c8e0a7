//! How a replication begins: hosts, threads, and the processes that are there from the start.
use crate::config::kinds::KindId;
use crate::config::{Affinity, Config, EevdfGeneration, InstanceConfig, Interrupts, NodeConfig, Scheduler};
use crate::host::affine::Wakings;
use crate::host::balance::estimates::Rule;
use crate::host::fluid::Fluid;
use crate::host::masks::Masks;
use crate::host::o1::Sleep;
use crate::host::placement::Idle;
use crate::host::policy::Policy;
use crate::host::realtime::is_real_time;
use crate::host::topology::{purr, speeds, Q};
use crate::ids::{Pid, QueueId, ThreadId};
use crate::instance::cage::Cage;
use crate::instance::latch::Latches;
use crate::measure::accounts::Accounts;
use crate::measure::each::MOST_OF_A_KIND;
use crate::measure::events::{Activity, COUNT};
use crate::measure::rows::reads_in_work;
use crate::meet::lock::Locks;
use crate::meet::queue::Queue;
use crate::program::{self, Program};
use crate::world::balance::{balance_of, by_load, delays, old_balance_of};
use crate::world::databases::Pace;
use crate::world::footprints::Footprints;
use crate::world::ledger::{Census, Watched};
use crate::world::rates::Rates;
use crate::world::runs::{Phases, Runs};
use crate::world::stay::ThreadSums;
use crate::world::switches::SwitchCosts;
use crate::world::*;
use std::collections::VecDeque;
use wwi_kernel::calendar::{Calendar, Phase};
use wwi_kernel::decay::Decaying;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::order::sort_and_dedup;
use wwi_kernel::rng::{Name, Stream};
use wwi_kernel::time::Ns;

/// Half-life of a CPU's tracked utilisation: 32 periods of 1,024 × 1,024 ns (Linux PELT).
const PELT_HALF_LIFE: Ns = Ns(32 * 1024 * 1024);

fn streams(config: &Config, replication: u32, kind: &str, index: u64) -> Streams {
    let name = Name::new(config.seed, replication, kind, index);
    Streams { think: name.stream("think"), demand: name.stream("demand") }
}

fn host(config: &Config, replication: u32, index: usize, base: usize) -> Host {
    let node = &config.nodes[index];
    let first_core = config.nodes[..index].iter().map(|n| n.threads() / n.threads_per_core as usize).sum();
    let policy =
        Policy::new(node, &config.control_groups(index), config.kinds(index).any(|kind| is_real_time(kind.class)));
    let rates = Rates::new(node, config, (index, first_core));
    let (speeds, fluid) = (speeds(node), (node.scheduler == Scheduler::ProcessorSharing).then(|| Fluid::new(node)));
    // Processor sharing knows no turbo.
    let turbo = if fluid.is_some() { 1 << Q } else { rates.most_turbo(node) };
    let has_sets = fluid.is_none() && config.kinds(index).any(|kind| kind.working_set_mb > 0.0);
    let mut loads = Loads::new(node.threads());
    let tick = Ns(1_000_000_000 / u64::from(node.tick_hz));
    if by_load(node) {
        loads.keep_ticks(tick, node.tick_interrupts, (config.seed, replication, index as u64));
    }
    if node.scheduler == Scheduler::Eevdf && node.eevdf_generation != EevdfGeneration::Linux66 {
        loads.estimate_by(Rule::Linux68, delays(node).then_some(tick));
    }
    let ledger = Watched::new((speeds[1] * turbo) >> Q, policy.has_limits(), fluid.is_some());
    Host {
        has_real_time: matches!(policy, Policy::RealTime(_)),
        has_delays: delays(node),
        counts_delayed: node.eevdf_generation == EevdfGeneration::Linux612,
        has_dice: node.ni_random && node.scheduler.is_fair() && node.threads() > 1 && !by_load(node),
        is_overloaded: false,
        tick,
        dice: Stream::new(config.seed, replication, "node", index as u64, "dice"),
        masks: Masks::new(node.threads()),
        idle: Idle::new(node),
        has_siblings: speeds.len() > 2,
        speeds,
        purr: purr(node),
        ledger,
        switch_costs: SwitchCosts::new(node),
        footprints: has_sets.then(|| Box::new(Footprints::new(node, (first_core, base)))),
        has_caches: node.caches() > 1,
        rates,
        policy,
        is_plain: is_plain(config, index),
        watched: Vec::new(),
        waking: Waking::new(node, Stream::new(config.seed, replication, "node", index as u64, "sections")),
        interrupts: Stream::new(config.seed, replication, "node", index as u64, "interrupts"),
        old_balance: old_balance_of(node, Stream::new(config.seed, replication, "node", index as u64, "balance")),
        loads,
        wakings: Wakings::default(),
        balance: balance_of(node, Stream::new(config.seed, replication, "node", index as u64, "balance")),
        far_due: Ns::ZERO,
        admitted: 0,
        base: base as u16,
        threads: node.threads() as u16,
        fluid,
        ready: 0,
        ready_by_mask: Vec::new(),
        waits_at: 0,
        pull_armed: false,
        hypervisor: Stream::new(config.seed, replication, "node", index as u64, "vcpu"),
        dealt: Ns::ZERO,
        deal_armed: false,
    }
}

/// Whether processes of a node can be placed the short way, as long as none is bound.
fn is_plain(config: &Config, index: usize) -> bool {
    let node = &config.nodes[index];
    let mut here = config.instances.iter().filter(|i| i.node == index);
    let is_shared = matches!(node.scheduler, Scheduler::RoundRobin | Scheduler::Fifo | Scheduler::ProcessorSharing);
    let one_cache = node.caches() == 1 && node.scheduler != Scheduler::Solaris || node.scheduler == Scheduler::Aix;
    is_shared || one_cache && node.interrupts == Interrupts::Last && !here.any(InstanceConfig::passes_messages)
}

fn threads_of(
    node: &NodeConfig,
    index: usize,
    (base, core_base): (usize, usize),
    (full, changes): (u64, bool),
) -> Vec<Thread> {
    let thread = |t: usize| Thread {
        running: Pid::NONE,
        last: Pid::NONE,
        since: Ns::ZERO,
        picked: Ns::ZERO,
        speed: full,
        unshared: full,
        alone: full,
        rated: if changes { Ns::ZERO } else { Ns::MAX },
        slice_until: Ns::MAX,
        yields_at: Ns::MAX,
        latch_at: Ns::MAX,
        latch_holder: Pid::NONE,
        lost: Ns::ZERO,
        sums: ThreadSums::default(),
        wakes_for: Pid::NONE,
        preempts_at: Ns::MAX,
        is_late: false,
        idle_since: Ns::ZERO,
        idle_booked: Ns::ZERO,
        usual_idle: 2 * node.cfs.migration_cost.0,
        purr: 1 << Q,
        core: (core_base + t / node.threads_per_core as usize) as u16,
        node: index as u16,
    };
    debug_assert!(base + node.threads() <= usize::from(u16::MAX));
    (0..node.threads()).map(thread).collect()
}

impl Host {
    /// Follows the utilisation of the threads that soft affinity compares.
    fn watch_compared(&mut self) {
        let pairs = self.masks.all().filter_map(|mask| mask.compared());
        let mut watched: Vec<usize> = pairs.flat_map(|(home, other)| [Some(home), other]).flatten().collect();
        sort_and_dedup(&mut watched);
        self.watched = watched.into_iter().map(|t| (t, Decaying::new(PELT_HALF_LIFE))).collect();
    }
}

/// An instance before anybody works in it.
fn instance(config: &Config, replication: u32, index: usize) -> Instance {
    let of = &config.instances[index];
    Instance {
        cage: of.cage.as_ref().map(Cage::new),
        latches: Latches::new(
            Stream::new(config.seed, replication, "instance", index as u64, "latch"),
            of.latch.held_share,
        ),
        arrivals: streams(config, replication, "arrivals", index as u64),
        free: Vec::new(),
        listed: 0,
        dealt: vec![0; of.cage.as_ref().map_or(0, |cage| cage.groups.len())],
        told: Vec::new(),
        wanted: None,
    }
}

fn accounts(config: &Config, threads: usize) -> Accounts {
    let groups = config.groups();
    let mut accounts = Accounts::new(groups.len(), config.nodes.len(), threads, config.instances.len());
    for (own, _) in accounts.groups.iter_mut().zip(&groups).filter(|(_, of)| of.kind.row().is_session) {
        own.clocked = vec![Histogram::default(); COUNT];
    }
    accounts
}

impl World {
    /// Sets a replication up; nothing has happened yet.
    pub fn new(config: &Config, replication: u32) -> World {
        World::paced(config, replication, &[])
    }

    /// The same, where it is known how many transactions each instance runs in a nanosecond ([`World::paces`]).
    pub fn paced(config: &Config, replication: u32, paces: &[Pace]) -> World {
        World::phased(config, replication, paces, Phases::ZERO)
    }

    /// The same, where what comes round stands elsewhere.
    pub fn phased(config: &Config, replication: u32, paces: &[Pace], phases: Phases) -> World {
        let (mut threads, mut hosts, mut cores) = (Vec::new(), Vec::new(), 0);
        for (index, node) in config.nodes.iter().enumerate() {
            let host = host(config, replication, index, threads.len());
            // Processor sharing books its speeds for the whole host.
            let changes = host.fluid.is_none() && (host.has_siblings || host.rates.acts);
            threads.extend(threads_of(node, index, (threads.len(), cores), (host.speeds[1], changes)));
            cores += node.threads() / node.threads_per_core as usize;
            hosts.push(host);
        }
        let (expected, groups) = (config.closed_sessions().unwrap_or(0.0) as usize, config.groups().len());
        let mut world = World {
            now: Ns::ZERO,
            calendar: Calendar::new(threads.len()),
            processes: Vec::with_capacity(expected).into(),
            streams: Vec::with_capacity(expected).into(),
            cores: vec![Core::default(); cores].into(),
            hosts: hosts.into(),
            instances: (0..config.instances.len()).map(|index| instance(config, replication, index)).collect(),
            databases: Vec::new().into(),
            cluster: None,
            accounts: accounts(config, threads.len()),
            threads: threads.into(),
            tasks: Vec::with_capacity(expected).into(),
            reads_in_work: reads_in_work(config),
            queues: Vec::new().into(),
            devices: Vec::new().into(),
            links: Vec::new().into(),
            locks: Locks::default(),
            parcels: Vec::new(),
            free_parcels: Vec::new(),
            #[cfg(test)]
            scripts: std::collections::BTreeMap::new(),
            requests: Vec::new().into(),
            wakes: VecDeque::new(),
            notices: VecDeque::new(),
            woken: Vec::new(),
            held_latches: 0,
            posts_latch: Pid::NONE,
            keeps_ledger: true,
            is_unwatched: false,
            census: vec![Census::default(); groups],
            recorder: None,
            chronicles: Vec::new(),
            is_full: false,
            still_since: 0,
            is_stalled: false,
            until: Ns::ZERO,
            runs: Runs::starting(phases),
            sequences: Vec::new(),
            readers: Vec::new(),
            queries: Vec::new(),
            replication,
            config: config.clone(),
        };
        world.start_databases(paces);
        world.start_cluster(paces);
        world.start_sequences();
        world.start_parallel();
        world.start_hosts();
        world.start_instances();
        world
    }

    /// Consumer groups keep sums of their sessions, where an instance has several.
    fn share_sums(&mut self) {
        for state in &mut self.instances {
            let groups = state.dealt.len();
            if groups > 1 {
                state.told = (0..groups).map(|_| self.accounts.each.share()).collect();
            }
        }
    }

    fn start_hosts(&mut self) {
        self.share_sums();
        for index in 0..self.config.nodes.len() {
            let node = self.config.nodes[index].clone();
            let threads = node.threads() as u64;
            let Phases { second, uptime, .. } = self.runs.phases;
            let mut moments = Stream::new(self.config.seed, self.replication, "node", index as u64, "periods");
            self.hosts[index].policy.begin_clock(second, &mut || Ns(moments.below(uptime.0)));
            self.seat_threads(index);
            if !node.guest_sees_smt && node.threads_per_core > 1 {
                self.shuffle_threads(index);
            }
            let levels = self.hosts[index].policy.has_queue_per_thread() && self.hosts[index].balances().is_none();
            if levels && threads > 1 {
                self.calendar.schedule(self.level_period(index), Phase::Dispatch, Timer::Level(index as u16));
            }
            self.schedule_periodic(index);
            KindId::all().filter(|kind| !kind.is_per_instance()).for_each(|kind| program::start(self, kind, index));
        }
    }

    fn start_instances(&mut self) {
        for index in 0..self.config.instances.len() {
            KindId::all().filter(|kind| kind.is_per_instance()).for_each(|kind| program::start(self, kind, index));
        }
        self.hosts.iter_mut().for_each(Host::watch_compared);
    }

    /// An empty queue.
    pub fn new_queue(&mut self, capacity: Option<u32>) -> QueueId {
        self.queues.push(Queue::new(capacity));
        QueueId(self.queues.len() as u32 - 1)
    }

    /// An empty queue of messages between processes of a host, a socket or a pipe.
    pub fn new_channel(&mut self, capacity: Option<u32>) -> QueueId {
        self.queues.push(Queue::new(capacity).as_channel());
        QueueId(self.queues.len() as u32 - 1)
    }

    /// Wakes a new process at a random moment within `spread` of when all start that might stay in step.
    pub(crate) fn start_within(&mut self, pid: Pid, kind: &str, key: u64, spread: Ns) {
        self.start_after(pid, (kind, key), spread, self.runs.phases.in_step);
    }

    /// Makes a process known to its host.
    pub fn admit(&mut self, program: Program, node: usize, instance: u16, key: u64) -> Pid {
        let pid = Pid(self.processes.len() as u32);
        let kind = program.kind();
        let consumer_group = if kind.row().is_caged { self.deal_to_group(instance) } else { 0 };
        let place = if kind.is_per_instance() { instance as usize } else { node };
        let group = self.config.group(kind, place);
        let told = self.sums_beside((kind, group), instance, consumer_group);
        let class = (kind.row().settings)(&self.config, place).unwrap_or(&self.config.nodes[node].background.kind);
        let state = self.instances.get(instance as usize).filter(|_| kind.row().is_caged);
        let is_caged = state.is_some_and(|state| state.cage.is_some());
        let takes_latches = state.is_some_and(|state| state.latches.can_be_held());
        let is_real_time = is_real_time(class.class);
        // A kernel thread is the host's, whatever instance it serves.
        let of = self.config.instances.get(instance as usize).filter(|_| kind != KindId::HEARTBEAT);
        let affinity = of.map_or(&Affinity::None, |i| &i.affinity);
        let cgroup = self.config.control_group(kind, place, group);
        let host = &mut self.hosts[node];
        if host.masks.is_free() {
            // Nobody was bound so far, so nobody was counted by mask.
            host.ready_by_mask = vec![host.ready];
        }
        host.masks.assign_for(pid, class.cpus.as_ref(), affinity);
        host.is_plain &= host.masks.is_free();
        self.is_unwatched &= host.masks.is_free();
        host.ready_by_mask.resize(host.masks.all().count(), 0);
        host.policy.admit(pid, class, cgroup, &host.masks);
        if let (Some(policy), Some(rested)) = (host.policy.o1_mut(), self.config.rested(kind, place)) {
            policy.rest(pid, if rested.is_deaf { Sleep::Deaf } else { Sleep::Posted });
        }
        if let Some(footprints) = &mut host.footprints {
            footprints.admit(pid, class.working_set_mb);
        }
        self.processes.push(Process {
            work: 0,
            debt: Ns::ZERO,
            since: self.now,
            entered: self.now,
            used: Ns::ZERO,
            last: ThreadId::NONE,
            group: group as u16,
            instance,
            node: node as u16,
            activity: Activity::OFF,
            before: Activity::RUNNING,
            counts_late: false,
            then: Then::Work,
            is_open: false,
            is_caged,
            consumer_group,
            told,
            has_slot: false,
            was_posted: false,
            owes: 0,
            takes_latches,
            holds_latch: false,
            is_real_time,
        });
        self.tasks.push(Task::new((program, host.admitted), self.now));
        host.admitted += 1;
        self.count_member(pid);
        let name = if matches!(program, Program::Visitor(_)) { "visitor" } else { kind.name() };
        self.streams.push(streams(&self.config, self.replication, name, key));
        pid
    }

    /// The number of the sums that a new process has beside those of its accounting group: those of its consumer group,
    /// or its own.
    fn sums_beside(&mut self, (kind, group): (KindId, usize), instance: u16, consumer_group: u8) -> u8 {
        let shared = self.instances.get(instance as usize).filter(|_| kind.row().is_session);
        match shared.and_then(|state| state.told.get(usize::from(consumer_group))) {
            Some(&told) => told,
            None => {
                let is_told = kind.row().is_told_singly && self.census[group].alive < MOST_OF_A_KIND;
                self.accounts.each.admit(is_told)
            }
        }
    }

    /// Period of levelling run queues: that of Linux from 5.10 on, 1 ms a CPU, 16 times that on a busy host.
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
        let (base, cores) = (self.hosts[node].base, self.cores_of(node));
        let threads = base as usize..(base + self.hosts[node].threads) as usize;
        self.cores[cores.clone()].iter_mut().for_each(|core| (core.active, core.size) = (0, 0));
        for (number, thread) in (base..).zip(&self.threads[threads]) {
            let core = &mut self.cores[thread.core as usize];
            core.threads[core.size as usize % MOST_SMT] = number;
            core.size += 1;
            core.active += u8::from(thread.running != Pid::NONE);
        }
        if let Some(footprints) = &mut self.hosts[node].footprints {
            for core in cores {
                footprints.recount(core, self.cores[core].active, self.now);
            }
        }
    }
}
