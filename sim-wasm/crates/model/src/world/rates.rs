//! How fast threads run: SMT, turbo, shared blocks and remote memory; and the hypervisor that deals virtual CPUs out.
//!
//! The number of active threads of a core acts at once. What follows from all threads together (how many cores run an
//! instance, on which sockets, how many cores are active) is looked at once a millisecond while it changes: caches and
//! power control take about that long to follow.
use crate::config::{InstanceConfig, Memory, NodeConfig};
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::world::{Core, Timer, World, MOST_SMT, NO_INSTANCE};
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
    /// Speed factor by instance and socket, fixed point.
    factors: Vec<u64>,
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

/// Where the threads that run one instance are.
#[derive(Clone, Debug, Default)]
struct Spread {
    /// Running threads by socket.
    threads: Vec<f64>,
    /// Running threads by last-level cache.
    caches: Vec<f64>,
    /// Cores with at least one of them.
    cores: f64,
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
    pub fn new(node: &NodeConfig, instances: &[InstanceConfig], (number, first_core): (usize, usize)) -> Self {
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
            acts: node.most_turbo() > 1.0 || here().any(slowed),
            is_armed: false,
            factors: vec![1 << Q; instances.len() * sockets],
            spins: vec![0; instances.len()],
            spins_matter: here().any(|i| i.coherence.latch.matters(node.threads())),
            turbo: vec![1 << Q; sockets],
            first_core,
            sockets,
            threads_at: (0..node.threads()).map(|at| (part(at, per_socket), part(at, per_cache))).collect(),
            cores_at: (0..node.threads()).map(|at| part(at, node.cores_per_socket as usize)).collect(),
        }
    }

    /// Time that a session of an instance spins for latches over the time that it works, fixed point.
    pub fn spins(&self, instance: u16) -> u64 {
        self.spins.get(usize::from(instance)).copied().unwrap_or(0)
    }

    /// Speed factor of a host with one core active, fixed point.
    pub fn most_turbo(&self, node: &NodeConfig) -> u64 {
        [1 << Q, fixed(node.most_turbo())][usize::from(self.acts)]
    }
}

impl NodeConfig {
    /// Speed of a lone active core against all cores active.
    fn most_turbo(&self) -> f64 {
        self.turbo_steps.first().copied().unwrap_or(self.turbo_one_core)
    }

    /// Speed of the cores of a socket with so many of its cores active, and of those of the host.
    fn turbo(&self, of_socket: usize, of_host: usize) -> f64 {
        if let Some(last) = self.turbo_steps.last() {
            return *self.turbo_steps.get(of_socket.max(1) - 1).unwrap_or(last);
        }
        let (cores, active) = (f64::from(self.sockets * self.cores_per_socket), of_host as f64);
        let gain = self.turbo_one_core - 1.0;
        1.0 + if cores > 1.0 { gain * (cores - active.max(1.0)) / (cores - 1.0) } else { gain }
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
        let shared = match process.instance {
            NO_INSTANCE => 1 << Q,
            instance => {
                let socket = host.rates.threads_at[(at.0 - host.base) as usize].0;
                host.rates.factors[instance as usize * host.rates.sockets + usize::from(socket)]
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
            let spun = self.config.instances[instance].coherence.latch_wait(spread.all(), settings.threads());
            spins.push(fixed(spun));
            factors.extend((0..sockets).map(|at| fixed(1.0 / self.slowdown(instance, at, (spread, spun), &spreads))));
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

    /// 1 + the penalties of sharing blocks, times that of remote memory.
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
        (1.0 + cores + scaling + remote + spun + config.coherence.llc_share * missing_caches(spread, all)) * memory
    }

    fn spreads(&self, node: usize) -> Vec<Spread> {
        let host = &self.hosts[node];
        let settings = &self.config.nodes[node];
        let nobody =
            Spread { threads: vec![0.0; settings.sockets as usize], caches: vec![0.0; settings.caches()], cores: 0.0 };
        let mut spreads = vec![nobody; self.config.instances.len()];
        // The last core on which each was found: cores are gone through one after another.
        let mut found = vec![usize::MAX; spreads.len()];
        for core in self.cores_of(node) {
            let Core { active, size, threads } = &self.cores[core];
            let threads = if *active > 0 { &threads[..*size as usize] } else { &[] };
            for &thread in threads {
                let running = self.threads[thread as usize].running;
                let instance = self.processes.get(running.i()).map_or(NO_INSTANCE, |process| process.instance) as usize;
                let Some(spread) = spreads.get_mut(instance) else { continue };
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
mod tests {
    use super::*;
    use crate::config::Arrivals;
    use crate::testing::{hogs, node, one};

    fn spread(threads: [f64; 2]) -> Spread {
        Spread { threads: threads.to_vec(), caches: threads.to_vec(), cores: 1.0 }
    }

    #[test]
    fn caches_that_an_instance_does_without() {
        let (left, right, both) = (spread([8.0, 0.0]), spread([0.0, 8.0]), spread([4.0, 4.0]));
        assert_eq!(
            missing_caches(&left, std::slice::from_ref(&left)),
            1.0,
            "alone on one socket of two: one cache of two"
        );
        assert_eq!(missing_caches(&both, std::slice::from_ref(&both)), 0.0, "alone on both");
        assert_eq!(missing_caches(&left, &[left.clone(), right]), 1.0, "one each");
        assert_eq!(
            missing_caches(&both, &[both.clone(), both.clone()]),
            1.0,
            "both shared by two: as much as one each"
        );
    }

    /// m ÷ (1 + σ (m − 1) + κ m (m − 1)), which is largest at √((1 − σ) ÷ κ).
    #[test]
    fn a_law_of_scaling_and_its_peak() {
        let mut instance = hogs(1);
        (instance.coherence.sigma, instance.coherence.kappa) = (0.02, 0.0005);
        let world = World::new(&one(node(), instance), 0);
        let speed = |cores: f64| {
            let on = Spread { cores, ..spread([cores, 0.0]) };
            cores / world.slowdown(0, 0, (&on, 0.0), std::slice::from_ref(&on))
        };
        let hundredths = |cores: f64| (100.0 * speed(cores)).round() / 100.0;
        assert_eq!([1.0, 8.0, 16.0, 32.0].map(hundredths), [1.0, 6.85, 11.27, 15.12]);
        let best = (1..=100).max_by(|&a, &b| speed(f64::from(a)).total_cmp(&speed(f64::from(b))));
        assert_eq!(best, Some(44));
    }

    #[test]
    fn caches_of_one_socket_count_as_those_of_two_do() {
        let mut host = node();
        (host.cores_per_socket, host.cores_per_llc) = (8, 2);
        let mut instance = hogs(2);
        instance.coherence.llc_share = 0.3;
        let start_spread = Ns::ZERO;
        instance.workload.arrivals = Arrivals::Closed { sessions: 2, think: Ns::ZERO, start_spread };
        let mut world = World::new(&one(host, instance), 0);
        assert!(world.run(Ns::from_ms(20.0), 100_000));
        let spread = &world.spreads(0)[0];
        assert_eq!((spread.threads.clone(), spread.caches.iter().sum::<f64>()), (vec![2.0], 2.0));
        // On one or two of four caches.
        let missed = missing_caches(spread, std::slice::from_ref(spread));
        let expected = if spread.caches.contains(&2.0) { 1.0 } else { 2.0 / 3.0 };
        assert!((missed - expected).abs() < 1e-9, "{missed}");
        assert!(
            (world.slowdown(0, 0, (spread, 0.0), std::slice::from_ref(spread)) - (1.0 + 0.3 * expected)).abs() < 1e-9
        );
    }
}
