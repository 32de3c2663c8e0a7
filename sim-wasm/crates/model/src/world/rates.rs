//! How fast threads run: SMT, turbo, shared blocks and remote memory; and the hypervisor that deals virtual CPUs out.
//!
//! The number of active threads of a core acts at once. What follows from all threads together (how many cores run an
//! instance, on which sockets, how many cores are active) is looked at once a millisecond while it changes: caches and
//! power control take about that long to follow.
use crate::config::kinds::KindId;
use crate::config::{Config, InstanceConfig, Memory, NodeConfig};
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::world::{Core, Timer, World, MOST_SMT};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

/// How often the slower influences on speed are looked at \[ns\]. Free; power control units decide about every
/// millisecond.
const LOOK: Ns = Ns(1_000_000);

/// Influences on the speed of a host's threads besides SMT.
#[derive(Clone, Debug)]
pub struct Rates {
    /// Any of them acts.
    pub acts: bool,
    is_armed: bool,
    /// Speed factor by instance, without and with latches, and socket, fixed point.
    factors: Vec<u64>,
    /// What processes of each accounting group have to do with the data of their instance.
    touches: Vec<Touch>,
    /// Time spun for latches over the time of work, by instance, fixed point.
    spins: Vec<u64>,
    /// It may be more than nothing.
    pub spins_matter: bool,
    /// Speed factor of the cores of each socket, fixed point.
    turbo: Vec<u64>,
    /// First core of the host.
    first_core: usize,
    sockets: usize,
    /// Socket and last-level cache of each thread, and socket of each core: divisions take long.
    threads_at: Vec<(u16, u16)>,
    cores_at: Vec<u16>,
}

/// What of an instance's data its processes work on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Touch {
    /// None: programs of its users, and of the host.
    Nothing,
    /// Blocks.
    Blocks,
    /// Blocks, and the latches before them: sessions.
    Latches,
}

impl Touch {
    fn of(kind: KindId) -> Touch {
        match kind {
            KindId::CLIENT | KindId::HEARTBEAT => Touch::Nothing,
            _ if !kind.is_per_instance() => Touch::Nothing,
            _ if kind.row().is_caged => Touch::Latches,
            _ => Touch::Blocks,
        }
    }
}

/// Where the threads that run one instance are.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// Running threads by socket.
    threads: Vec<f64>,
    /// Running threads by last-level cache.
    caches: Vec<f64>,
    /// Cores with at least one of them.
    cores: f64,
    /// Running threads of those who ask for latches.
    latches: f64,
}

impl Spread {
    /// Running threads.
    fn all(&self) -> f64 {
        self.threads.iter().sum()
    }
    /// Caches in use, each counted by how much it is used: 1 over the sum of squared shares.
    fn caches(&self) -> f64 {
        let squares: f64 = self.caches.iter().map(|n| n * n).sum();
        self.all() * self.all() / squares
    }
}

impl Rates {
    /// Of one node.
    pub fn new(node: &NodeConfig, config: &Config, (number, first_core): (usize, usize)) -> Self {
        let instances = &config.instances;
        let here = || instances.iter().filter(|i| i.node == number);
        let slowed = |i: &InstanceConfig| {
            let c = &i.coherence;
            // One socket shares no blocks with another and has no memory elsewhere.
            let apart = c.sockets > 0.0 || i.memory != Memory::Local;
            let by_cache = node.caches() > 1 && c.llc_share > 0.0;
            let by_cores = c.cores > 0.0 || c.sigma > 0.0 || c.kappa > 0.0 || c.latch.matters(node.threads());
            by_cores || node.sockets > 1 && apart || by_cache
        };
        let sockets = node.sockets as usize;
        let (per_socket, per_cache) = (node.threads_per_socket(), node.threads_per_cache());
        let part = |at: usize, size: usize| (at / size) as u16;
        Rates {
            acts: node.turbo(1, 1) > 1.0 || here().any(slowed),
            is_armed: false,
            factors: vec![1 << Q; 2 * instances.len() * sockets],
            touches: config.groups().iter().map(|group| Touch::of(group.kind)).collect(),
            spins: vec![0; instances.len()],
            spins_matter: here().any(|i| i.coherence.latch.matters(node.threads())),
            turbo: vec![1 << Q; sockets],
            first_core,
            sockets,
            threads_at: (0..node.threads()).map(|at| (part(at, per_socket), part(at, per_cache))).collect(),
            cores_at: (0..node.threads()).map(|at| part(at, node.cores_per_socket as usize)).collect(),
        }
    }

    /// Time that a process of an accounting group and instance spins for latches over the time that it works, fixed
    /// point.
    pub fn spins(&self, (group, instance): (u16, u16)) -> u64 {
        match self.touches[usize::from(group)] {
            Touch::Latches => self.spins.get(usize::from(instance)).copied().unwrap_or(0),
            _ => 0,
        }
    }

    /// Speed factor of a host with one core active, fixed point.
    pub fn most_turbo(&self, node: &NodeConfig) -> u64 {
        [1 << Q, fixed(node.turbo(1, 1))][usize::from(self.acts)]
    }
}

/// Speeds of a thread, fixed point: what it does, without sharing blocks and with memory near, and with the core to
/// itself, too.
struct Speeds {
    speed: u64,
    unshared: u64,
    alone: u64,
}

fn fixed(factor: f64) -> u64 {
    (factor * (1u64 << Q) as f64).round() as u64
}

impl World {
    /// Work per nanosecond of a thread that runs `pid`, with the threads of its core as active as they are.
    fn speed_of(&self, at: ThreadId, pid: Pid) -> Speeds {
        let thread = &self.threads[at.i()];
        let (host, process) = (&self.hosts[thread.node as usize], &self.processes[pid.i()]);
        let smt = host.speeds[self.cores[thread.core as usize].active as usize];
        if !host.rates.acts {
            return Speeds { speed: smt, unshared: smt, alone: host.speeds[1] };
        }
        let shared = match host.rates.touches[usize::from(process.group)] {
            Touch::Nothing => 1 << Q,
            touch => {
                let socket = host.rates.threads_at[(at.0 - host.base) as usize].0;
                let row = 2 * process.instance as usize + usize::from(touch == Touch::Latches);
                host.rates.factors[row * host.rates.sockets + usize::from(socket)]
            }
        };
        let socket = host.rates.cores_at[thread.core as usize - host.rates.first_core];
        let factor = host.rates.turbo[usize::from(socket)];
        let turbo = |speed: u64| (speed * factor) >> Q;
        Speeds { speed: turbo((smt * shared) >> Q), unshared: turbo(smt), alone: turbo(host.speeds[1]) }
    }

    fn take_speed(&mut self, at: ThreadId, speeds: Speeds) {
        let thread = &mut self.threads[at.i()];
        (thread.speed, thread.unshared, thread.alone) = (speeds.speed, speeds.unshared, speeds.alone);
    }

    /// A process starts on a thread: its instance and socket decide how fast, besides the core.
    pub(crate) fn rate_dispatched(&mut self, at: ThreadId, pid: Pid) {
        let speeds = self.speed_of(at, pid);
        self.take_speed(at, speeds);
        self.watch_rates(self.threads[at.i()].node as usize);
    }

    /// Who runs where changed.
    #[inline]
    pub(crate) fn watch_rates(&mut self, node: usize) {
        let rates = &mut self.hosts[node].rates;
        if rates.acts && !rates.is_armed {
            rates.is_armed = true;
            self.calendar.schedule(self.now.next_tick(LOOK), Phase::Complete, Timer::Rates(node as u16));
        }
    }

    /// Looks at who runs where and sets the speeds of a host.
    #[inline(never)]
    pub(crate) fn look_at_rates(&mut self, node: usize) {
        let spreads = self.spreads(node);
        let settings = &self.config.nodes[node];
        let sockets = settings.sockets as usize;
        let of_sockets = self.cores[self.cores_of(node)].chunks(settings.cores_per_socket as usize);
        let active: Vec<usize> = of_sockets.map(|cores| cores.iter().filter(|c| c.active > 0).count()).collect();
        let on_host = active.iter().sum();
        let turbo: Vec<u64> = active.iter().map(|&of_socket| fixed(settings.turbo(of_socket, on_host))).collect();
        let (mut factors, mut spins) = (Vec::new(), Vec::new());
        for (instance, spread) in spreads.iter().enumerate() {
            let spun = self.config.instances[instance].coherence.latch_wait(spread.latches, settings.threads());
            spins.push(fixed(spun));
            for spun in [0.0, spun] {
                let slower = |at| self.slowdown(instance, at, (spread, spun), &spreads);
                factors.extend((0..sockets).map(|at| fixed(1.0 / slower(at))));
            }
        }
        let rates = &mut self.hosts[node].rates;
        rates.is_armed = false;
        if rates.turbo == turbo && rates.factors == factors {
            return;
        }
        (rates.turbo, rates.factors) = (turbo, factors);
        for local in 0..self.hosts[node].threads {
            let host = &self.hosts[node];
            if !host.idle.has(local as usize) {
                self.set_speed(ThreadId(host.base + local));
            }
        }
        self.hosts[node].rates.spins = spins;
    }

    /// 1 + the penalties of sharing blocks, times that of remote memory, and both times what latches add, for they are
    /// held so much longer.
    fn slowdown(&self, instance: usize, socket: usize, (spread, spun): (&Spread, f64), all: &[Spread]) -> f64 {
        let config = &self.config.instances[instance];
        let sockets = spread.threads.len() as f64;
        let memory = config.memory.factor(socket, sockets);
        if spread.all() == 0.0 {
            return memory;
        }
        let others = spread.cores - 1.0;
        let cores = config.coherence.cores * others / spread.cores;
        let scaling = (config.coherence.sigma + config.coherence.kappa * spread.cores) * others;
        let remote = config.coherence.sockets * (1.0 - spread.threads[socket] / spread.all());
        let shared = 1.0 + cores + scaling + remote + config.coherence.llc_share * missing_caches(spread, all);
        shared * (1.0 + spun) * memory
    }

    fn spreads(&self, node: usize) -> Vec<Spread> {
        let host = &self.hosts[node];
        let settings = &self.config.nodes[node];
        let (threads, caches) = (vec![0.0; settings.sockets as usize], vec![0.0; settings.caches()]);
        let nobody = Spread { threads, caches, ..Spread::default() };
        let mut spreads = vec![nobody; self.config.instances.len()];
        // The last core on which each was found: cores are gone through one after another.
        let mut found = vec![usize::MAX; spreads.len()];
        for core in self.cores_of(node) {
            let Core { active, size, threads } = &self.cores[core];
            let threads = if *active > 0 { &threads[..*size as usize] } else { &[] };
            for &thread in threads {
                let running = self.threads[thread as usize].running;
                let Some(process) = self.processes.get(running.i()) else { continue };
                let touch = host.rates.touches[usize::from(process.group)];
                let instance = process.instance as usize;
                let Some(spread) = spreads.get_mut(instance).filter(|_| touch != Touch::Nothing) else { continue };
                spread.latches += if touch == Touch::Latches { 1.0 } else { 0.0 };
                let (socket, cache) = host.rates.threads_at[(thread - host.base) as usize];
                spread.threads[usize::from(socket)] += 1.0;
                spread.caches[usize::from(cache)] += 1.0;
                if found[instance] != core {
                    found[instance] = core;
                    spread.cores += 1.0;
                }
            }
        }
        spreads
    }

    pub(crate) fn cores_of(&self, node: usize) -> std::ops::Range<usize> {
        let first: usize = self.config.nodes[..node].iter().map(|n| n.threads() / n.threads_per_core as usize).sum();
        let settings = &self.config.nodes[node];
        first..first + settings.threads() / settings.threads_per_core as usize
    }

    /// Gives a thread the speed that holds now and re-plans its completion.
    fn set_speed(&mut self, at: ThreadId) {
        let thread = &self.threads[at.i()];
        let pid = thread.running;
        if pid == Pid::NONE {
            return;
        }
        let speeds = self.speed_of(at, pid);
        let is_same = thread.speed == speeds.speed;
        if is_same && (thread.unshared, thread.alone) == (speeds.unshared, speeds.alone) {
            return;
        }
        if thread.rated != Ns::MAX {
            self.book_rates(at);
        }
        if is_same {
            return self.take_speed(at, speeds);
        }
        self.charge_here(at);
        self.take_speed(at, speeds);
        self.arm_here(at);
    }

    /// After the number of active threads of a core with siblings changed: every thread of it runs at another speed.
    /// `at` is armed by the caller.
    pub(crate) fn rerate_core(&mut self, at: ThreadId) {
        let thread = &self.threads[at.i()];
        let (node, core) = (thread.node as usize, thread.core as usize);
        let active = self.cores[core].active as usize;
        if active == 0 {
            return;
        }
        let (speed, purr, acts) =
            (self.hosts[node].speeds[active], self.hosts[node].purr[active], self.hosts[node].rates.acts);
        let Core { size, threads, .. } = self.cores[core];
        for slot in 0..size as usize {
            let other = ThreadId(threads[slot % MOST_SMT]);
            let running = self.threads[other.i()].running;
            let goes_on = running != Pid::NONE && other != at;
            if goes_on {
                self.charge_here(other);
                if self.threads[other.i()].rated != Ns::MAX {
                    self.book_rates(other);
                }
            }
            let thread = &mut self.threads[other.i()];
            (thread.speed, thread.unshared, thread.purr) = (speed, speed, purr);
            if acts && running != Pid::NONE {
                let speeds = self.speed_of(other, running);
                self.take_speed(other, speeds);
            }
            if goes_on {
                self.arm_here(other);
            }
        }
    }

    /// The number of busy threads changed. Where virtual CPUs sit matters only while some of several are busy; so only
    /// then is the next deal on the calendar, and deals missed meanwhile are made up for by one.
    #[inline]
    pub(crate) fn watch_hypervisor(&mut self, node: usize) {
        let (host, settings) = (&mut self.hosts[node], &self.config.nodes[node]);
        let idle = u64::from(host.idle.count());
        let matters = idle > 0 && idle + 1 < u64::from(host.threads);
        if host.deal_armed
            || !matters
            || settings.guest_sees_smt
            || settings.vcpu_remap == Ns::ZERO
            || !host.has_siblings
        {
            return;
        }
        host.deal_armed = true;
        let due = host.dealt.next_tick(settings.vcpu_remap) <= self.now;
        let at = self.now.next_tick(settings.vcpu_remap);
        self.calendar.schedule(at, Phase::Complete, Timer::Remap(node as u16));
        if due {
            self.deal(node);
        }
    }

    /// The hypervisor moves the virtual CPUs.
    pub(crate) fn remap(&mut self, node: usize) {
        self.hosts[node].deal_armed = false;
        self.deal(node);
        self.watch_hypervisor(node);
    }

    #[inline(never)]
    fn deal(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        host.dealt = self.now;
        let (first, last) = (host.base, host.base + host.threads);
        self.shuffle_threads(node);
        self.watch_rates(node);
        for t in first..last {
            let (host, thread) = (&self.hosts[node], &self.threads[t as usize]);
            let active = self.cores[thread.core as usize].active.max(1) as usize;
            let (purr, speed) = (host.purr[active], host.speeds[active]);
            let goes_on = !host.rates.acts && thread.speed == speed || thread.running == Pid::NONE;
            if goes_on && thread.purr == purr {
                continue;
            }
            if thread.purr != purr {
                self.charge_here(ThreadId(t));
                self.threads[t as usize].purr = purr;
            }
            self.set_speed(ThreadId(t));
        }
    }
}

/// Share of the host's last-level caches that an instance does without, 0 to 1: it has a cache to the extent that it is
/// alone there, and as many as it uses.
fn missing_caches(spread: &Spread, all: &[Spread]) -> f64 {
    let caches = spread.caches.len();
    if caches == 1 {
        return 0.0;
    }
    let alone = |c: usize| {
        let there: f64 = all.iter().map(|other| other.caches[c]).sum();
        if there > 0.0 {
            spread.caches[c] / there
        } else {
            0.0
        }
    };
    let alone: f64 = (0..caches).map(|c| spread.caches[c] / spread.all() * alone(c)).sum();
    ((caches as f64 - alone * spread.caches()) / (caches as f64 - 1.0)).clamp(0.0, 1.0)
}

#[cfg(test)]
#[path = "rates_tests.rs"]
mod tests;
