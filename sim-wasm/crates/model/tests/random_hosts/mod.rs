//! Random hosts and loads, for laws that hold whatever they are.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::testing::{cage, hogs, node, SCHEDULERS};

/// What is random about a host.
pub struct Draw(pub Stream);

impl Draw {
    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }
    /// True once in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.0.below(n) == 0
    }

    /// A class that the scheduler knows, with a binding now and then.
    fn kind(&mut self, scheduler: Scheduler, threads: u64) -> KindConfig {
        use Class::{Fifo, Fixed, Interactive, RealTime, RoundRobin, TimeSharing};
        let classes: &[Class] = match scheduler {
            Scheduler::Cfs | Scheduler::Eevdf | Scheduler::O1 => &[TimeSharing, TimeSharing, Fifo, RoundRobin],
            Scheduler::Aix => &[TimeSharing, TimeSharing, Fixed, Fifo, RoundRobin],
            Scheduler::Solaris => &[TimeSharing, Interactive, Fixed, RealTime],
            _ => &[TimeSharing],
        };
        let is_shared = matches!(scheduler, Scheduler::RoundRobin | Scheduler::Fifo | Scheduler::ProcessorSharing);
        let first = self.below(threads) as u16;
        let bound = CpuSet((first..threads as u16).collect());
        let class = classes[self.below(classes.len() as u64) as usize];
        let nice = self.below(40) as i32 - 20;
        KindConfig {
            class,
            nice,
            priority: 1 + self.below(58) as u32,
            cpus: (!is_shared && self.one_in(4)).then_some(bound),
            slice: (nice % 4 == 0).then(|| Ns::from_ms([0.1, 0.5, 3.0, 20.0][threads as usize % 4])),
            working_set_mb: 0.0,
            cgroup: None,
        }
    }

    /// What passes between a wake-up and the first instruction.
    fn waking(&mut self) -> WakingConfig {
        let us = |span: u64| Ns::from_us(span as f64);
        let state = (us(self.below(200)), us(self.below(500)));
        WakingConfig {
            timer_slack: us(self.below(2) * 50),
            interrupt: us(self.below(3)),
            path: us(self.below(3)),
            idle_states: if self.one_in(3) { vec![(us(0), us(0)), state] } else { Vec::new() },
            kernel_share: self.below(2) as f64 * 0.3,
            kernel_section: us(20),
        }
    }

    /// A host of this policy.
    pub fn host(&mut self, scheduler: Scheduler) -> NodeConfig {
        let fluid = scheduler == Scheduler::ProcessorSharing;
        let threads_per_core = if fluid { 1 } else { 1 + self.below(4) as u32 };
        let (sockets, cores_per_socket) = (1 + self.below(2) as u32, 1 + self.below(5) as u32);
        let threads = u64::from(sockets * cores_per_socket * threads_per_core);
        let demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Exponential };
        let [background, service] = [(); 2].map(|()| self.kind(scheduler, threads));
        let waking = self.waking();
        let generations =
            [EevdfGeneration::Linux66, EevdfGeneration::Linux612, EevdfGeneration::Linux618, EevdfGeneration::Linux68];
        NodeConfig {
            sockets,
            cores_per_socket,
            threads_per_core,
            smt_yield: vec![1.0, 1.31, 1.4, 1.5],
            guest_sees_smt: self.below(2) == 0,
            vcpu_remap: Ns::from_ms(20.0),
            scheduler,
            balance_generation: match cores_per_socket {
                3 => BalanceGeneration::Linux316,
                4 => BalanceGeneration::Linux61,
                _ => BalanceGeneration::Linux66,
            },
            eevdf_generation: generations[(threads % 4) as usize],
            lazy_preemption: cores_per_socket % 2 == 0,
            tick_hz: [100, 250, 1000][self.below(3) as usize],
            switch_direct: Ns::from_us(2.0),
            switch_refill: Ns::from_us(self.below(900) as f64),
            migration_refill: Ns::from_us(30.0),
            socket_refill: Ns::from_us(500.0),
            turbo_one_core: 1.0 + self.below(2) as f64 * 0.2,
            rt_runtime: (!self.one_in(3)).then_some(Ns::from_ms(950.0)),
            interrupts: [Interrupts::Last, Interrupts::Any][self.below(2) as usize],
            waking,
            background: Background {
                processes: self.below(3) as u32,
                busy: Ns::from_ms(3.0),
                sleep: Ns::from_ms(20.0),
                kind: background,
            },
            service: (!fluid && self.one_in(2)).then_some(ServiceConfig {
                servers: 1,
                arrivals: ServiceArrivals::Poisson,
                per_s: 200.0,
                demand,
                kind: service,
            }),
            ..node()
        }
    }

    /// An instance on the first host.
    pub fn instance(&mut self, host: &NodeConfig) -> InstanceConfig {
        let scheduler = host.scheduler;
        let fluid = scheduler == Scheduler::ProcessorSharing;
        let mut instance = hogs(1 + self.below(30) as u32);
        if let Arrivals::Closed { think, .. } = &mut instance.workload.arrivals {
            *think = Ns::from_ms(self.below(3) as f64 * 15.0);
        }
        instance.workload.demand = Demand { mean: Ns::from_ms(20.0), shape: DemandShape::Exponential };
        instance.session_kind = self.kind(scheduler, host.threads() as u64);
        instance.latch = LatchConfig { held_share: 0.1, request_per_s: 50.0, spin: Ns::from_us(10.0) };
        instance.cage = (!fluid && self.one_in(2)).then(|| cage(1 + self.below(6) as u32));
        if instance.cage.is_none() && !fluid && self.one_in(4) {
            let groups = 1 + self.below(2) as u32;
            instance.workload.arrivals = Arrivals::Messages { groups, pairs: 3, buffer: 4 };
            instance.workload.demand.mean = Ns::from_us(200.0);
        }
        instance.coherence = Coherence {
            cores: self.below(2) as f64 * 0.05,
            sockets: self.below(2) as f64 * 0.11,
            llc_share: 0.05,
            ..instance.coherence
        };
        if scheduler.is_fair() {
            let all = instance.session_kind.cpus.clone().unwrap_or(CpuSet((0..host.threads() as u16).collect()));
            let some = CpuSet(all.0[..1 + self.below(all.0.len() as u64) as usize].to_vec());
            instance.affinity = match self.below(3) {
                0 => Affinity::None,
                1 => Affinity::Hard(some),
                _ => Affinity::Soft(some),
            };
            let quota = self.one_in(2).then(|| Ns::from_ms(10.0 + self.below(200) as f64));
            let weight = 10 + self.below(500) as u32;
            instance.cgroup =
                self.one_in(3).then_some(CgroupConfig { weight, quota, period: Ns::from_ms(100.0), burst: Ns::ZERO });
        }
        instance
    }
}

/// A host, a load and perhaps a cage, drawn from a seed; every policy in turn.
pub fn random(seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", 0, "config"));
    let host = draw.host(SCHEDULERS[seed as usize % SCHEDULERS.len()]);
    let instances = (0..1 + draw.below(2)).map(|_| draw.instance(&host)).collect();
    Config { instances, nodes: vec![host], cluster: None, seed }
}

/// Two or three hosts of unlike policies, each with an instance or two.
pub fn several(seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", 1, "config"));
    let count = 2 + draw.below(2);
    let policy = |at: u64| SCHEDULERS[((seed + 3 * at) % SCHEDULERS.len() as u64) as usize];
    let nodes: Vec<NodeConfig> = (0..count).map(|at| draw.host(policy(at))).collect();
    let mut instances = Vec::new();
    for (at, host) in nodes.iter().enumerate() {
        for _ in 0..1 + draw.below(2) {
            instances.push(InstanceConfig { node: at, ..draw.instance(host) });
        }
    }
    if draw.one_in(2) {
        instances.reverse();
    }
    Config { nodes, instances, cluster: None, seed }
}
