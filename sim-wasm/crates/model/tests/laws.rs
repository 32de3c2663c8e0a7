//! Laws that hold whatever the host and the load, on random ones; and that the same seed gives the same run.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::activity::Activity;
use wwi_model::config::*;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::testing::{cage, hogs, node};
use wwi_model::world::World;

const SCHEDULERS: [Scheduler; 8] = [
    Scheduler::Cfs,
    Scheduler::Eevdf,
    Scheduler::O1,
    Scheduler::Aix,
    Scheduler::Solaris,
    Scheduler::RoundRobin,
    Scheduler::Fifo,
    Scheduler::ProcessorSharing,
];

/// A number below, drawn.
struct Draw(Stream);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }
    fn one_in(&mut self, n: u64) -> bool {
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
        KindConfig {
            class: classes[self.below(classes.len() as u64) as usize],
            nice: self.below(40) as i32 - 20,
            priority: 1 + self.below(58) as u32,
            cpus: (!is_shared && self.one_in(4)).then_some(bound),
        }
    }

    fn host(&mut self, scheduler: Scheduler) -> NodeConfig {
        let fluid = scheduler == Scheduler::ProcessorSharing;
        let threads_per_core = if fluid { 1 } else { 1 + self.below(4) as u32 };
        let (sockets, cores_per_socket) = (1 + self.below(2) as u32, 1 + self.below(5) as u32);
        let threads = u64::from(sockets * cores_per_socket * threads_per_core);
        let demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Exponential };
        let kinds = [(); 3].map(|()| self.kind(scheduler, threads));
        let [session_kind, background, service] = kinds;
        NodeConfig {
            sockets,
            cores_per_socket,
            threads_per_core,
            smt_yield: vec![1.0, 1.31, 1.4, 1.5],
            guest_sees_smt: self.below(2) == 0,
            vcpu_remap: Ns::from_ms(20.0),
            scheduler,
            tick_hz: [100, 250, 1000][self.below(3) as usize],
            switch_direct: Ns::from_us(2.0),
            switch_refill: Ns::from_us(self.below(900) as f64),
            migration_refill: Ns::from_us(30.0),
            socket_refill: Ns::from_us(500.0),
            turbo_one_core: 1.0 + self.below(2) as f64 * 0.2,
            rt_runtime: (!self.one_in(3)).then_some(Ns::from_ms(950.0)),
            interrupts: [Interrupts::Last, Interrupts::Any][self.below(2) as usize],
            session_kind,
            background: Background {
                processes: self.below(3) as u32,
                busy: Ns::from_ms(3.0),
                sleep: Ns::from_ms(20.0),
                kind: background,
            },
            service: (!fluid && self.one_in(2)).then_some(ServiceConfig { per_s: 200.0, demand, kind: service }),
            ..node()
        }
    }

    fn instance(&mut self, host: &NodeConfig) -> InstanceConfig {
        let scheduler = host.scheduler;
        let fluid = scheduler == Scheduler::ProcessorSharing;
        let mut instance = hogs(1 + self.below(30) as u32);
        if let Arrivals::Closed { think, .. } = &mut instance.workload.arrivals {
            *think = Ns::from_ms(self.below(3) as f64 * 15.0);
        }
        instance.workload.demand = Demand { mean: Ns::from_ms(20.0), shape: DemandShape::Exponential };
        instance.latch = LatchConfig { held_share: 0.1, request_per_s: 50.0, spin: Ns::from_us(10.0) };
        instance.cage = (!fluid && self.one_in(2)).then(|| cage(1 + self.below(6) as u32));
        if instance.cage.is_none() && !fluid && self.one_in(4) {
            let groups = 1 + self.below(2) as u32;
            instance.workload.arrivals = Arrivals::Messages { groups, pairs: 3, buffer: 4 };
            instance.workload.demand.mean = Ns::from_us(200.0);
        }
        instance.coherence =
            Coherence { cores: self.below(2) as f64 * 0.05, sockets: self.below(2) as f64 * 0.11, llc_share: 0.05 };
        if scheduler.is_fair() {
            let all = host.session_kind.cpus.clone().unwrap_or(CpuSet((0..host.threads() as u16).collect()));
            let some = CpuSet(all.0[..1 + self.below(all.0.len() as u64) as usize].to_vec());
            instance.affinity = match self.below(3) {
                0 => Affinity::None,
                1 => Affinity::Hard(some),
                _ => Affinity::Soft(some),
            };
            let quota = self.one_in(2).then(|| Ns::from_ms(10.0 + self.below(200) as f64));
            let weight = 10 + self.below(500) as u32;
            instance.cgroup = self.one_in(3).then_some(CgroupConfig { weight, quota, period: Ns::from_ms(100.0) });
        }
        instance
    }
}

/// A host, a load and perhaps a cage, drawn from a seed; every policy in turn.
fn random(seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", 0, "config"));
    let host = draw.host(SCHEDULERS[seed as usize % SCHEDULERS.len()]);
    let instances = (0..1 + draw.below(2)).map(|_| draw.instance(&host)).collect();
    Config { instances, nodes: vec![host], seed }
}

#[test]
fn time_and_work_are_conserved_to_the_nanosecond_on_200_random_hosts() {
    for seed in 0..200 {
        let config = random(seed);
        let mut world = World::new(&config, 0);
        for step in 1..=5u64 {
            let now = step * 613_000_001;
            world.run(Ns(now), u64::MAX);
            world.cut();
            for (thread, (busy, idle)) in world.accounts.threads.iter().enumerate() {
                assert_eq!(busy + idle, now, "thread {thread} of host {seed}");
            }
            let booked: u64 = world.accounts.groups.iter().flat_map(|g| g.time).sum();
            assert_eq!(booked, now * world.processes.len() as u64, "processes of host {seed}");
            for instance in 0..config.instances.len() {
                let group = &world.accounts.groups[instance];
                let open: u128 = world
                    .processes
                    .iter()
                    .filter(|p| {
                        p.group as usize == instance && p.asked > 0 && p.work > 0 && world.hosts[0].fluid.is_none()
                    })
                    .map(|p| u128::from(p.asked - p.work))
                    .sum();
                assert_eq!(group.work, group.asked + open, "work of instance {instance} on host {seed}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_report_and_slicing_does_not_matter() {
    for seed in 0..24 {
        let goal = Goal {
            precision: 0.1,
            max_events: 200_000,
            record: 4096,
            figures: Figures::ThroughputAndResponse,
            coarse: false,
        };
        let run = |slice: u64| {
            let mut experiment = Experiment::new(&random(seed), goal);
            while !experiment.advance(slice).done {}
            experiment.report()
        };
        let report = run(1_000);
        assert!(report == run(77), "host {seed}");
        let broken: Vec<_> = report.checks.iter().filter(|c| !c.ok).collect();
        assert!(broken.is_empty(), "host {seed}: {broken:?}");
    }
}

#[test]
fn a_run_that_meets_its_budget_says_so() {
    let config = Config { nodes: vec![node()], instances: vec![hogs(40)], seed: 1 };
    let goal =
        Goal { precision: 1e-9, max_events: 30_000, record: 0, figures: Figures::ThroughputAndResponse, coarse: false };
    let mut experiment = Experiment::new(&config, goal);
    while !experiment.advance(1_000).done {}
    let report = experiment.report();
    assert!(report.truncated && report.events <= 30_000 && report.lio_per_s.mean > 0.0, "{report:?}");
}

#[test]
fn arrivals_that_outrun_their_service_end_the_run_and_say_so() {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s: 1e6 };
    let config = Config { nodes: vec![node()], instances: vec![instance], seed: 1 };
    let goal = Goal {
        precision: 0.01,
        max_events: u64::MAX,
        record: 0,
        figures: Figures::ThroughputAndResponse,
        coarse: false,
    };
    let mut experiment = Experiment::new(&config, goal);
    while !experiment.advance(100_000).done {}
    assert!(experiment.report().truncated);
}

/// A budget may end a run at any moment, also after its horizon was doubled and its buckets merged.
#[test]
fn a_budget_may_end_a_run_at_any_moment() {
    let mut instance = hogs(11);
    instance.cage = Some(cage(2));
    let config = Config { nodes: vec![node()], instances: vec![instance], seed: 42 };
    for max_events in (500..60_000).step_by(1_777) {
        for figures in [Figures::ThroughputAndResponse, Figures::ThroughputOnly] {
            let goal = Goal { precision: 1e-6, max_events, record: 0, figures, coarse: false };
            let mut experiment = Experiment::new(&config, goal);
            while !experiment.advance(5_000).done {}
            let report = experiment.report();
            assert!(report.truncated && report.lio_per_s.mean > 0.5e6, "{max_events}: {:?}", report.lio_per_s);
        }
    }
}

/// The picture of who ran where covers a thread's whole time where its session never changes, and leaves gaps where it idles.
#[test]
fn the_recording_knows_what_every_thread_did() {
    for (sessions, busy_threads) in [(1, 1.0), (4, 4.0), (9, 4.0)] {
        let config = Config { nodes: vec![node()], instances: vec![hogs(sessions)], seed: 3 };
        let goal = Goal {
            precision: 0.05,
            max_events: 200_000,
            record: 4096,
            figures: Figures::ThroughputAndResponse,
            coarse: false,
        };
        let mut experiment = Experiment::new(&config, goal);
        while !experiment.advance(10_000).done {}
        let report = experiment.report();
        let timeline = report.timeline;
        let (start, end) = (timeline.from_ms.max(report.warmup_s * 1e3), timeline.to_ms);
        let within = timeline.slices.iter().filter(|s| s.end_ms > start);
        let span = |running: bool| {
            let of = within.clone().filter(|s| (s.activity == Activity::RUNNING.i() as u8) == running);
            of.map(|s| s.end_ms - s.start_ms.max(start)).sum::<f64>()
        };
        let busy = span(true);
        let everybody = f64::from(sessions) * (end - start);
        assert!((busy + span(false) - everybody).abs() < 1e-6 * everybody, "{sessions}: every process at every moment");
        assert!((busy / (end - start) - busy_threads).abs() < 1e-6, "{sessions}: {busy} in {start}..{end}");
    }
}
