//! Laws that hold whatever the host and the load, on random ones; and that the same seed gives the same run.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::activity::Activity;
use wwi_model::config::*;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::testing::{cage, hogs, node, ordinary};
use wwi_model::world::World;

/// A host, a load and perhaps a cage, drawn from a seed.
fn random(seed: u64) -> Config {
    let mut r = Stream::new(seed, 0, "test", 0, "config");
    let mut pick = |n: u64| r.below(n);
    let scheduler =
        [Scheduler::Cfs, Scheduler::Eevdf, Scheduler::RoundRobin, Scheduler::Fifo, Scheduler::ProcessorSharing]
            [pick(5) as usize];
    let fluid = scheduler == Scheduler::ProcessorSharing;
    let threads_per_core = if fluid { 1 } else { 1 + pick(3) as u32 };
    let host = NodeConfig {
        sockets: 1 + pick(2) as u32,
        cores_per_socket: 1 + pick(5) as u32,
        threads_per_core,
        smt_yield: vec![1.0, 1.31, 1.4],
        guest_sees_smt: pick(2) == 0,
        vcpu_remap: Ns::from_ms(20.0),
        scheduler,
        tick_hz: [100, 250, 1000][pick(3) as usize],
        switch_direct: Ns::from_us(2.0),
        switch_refill: Ns::from_us(pick(900) as f64),
        migration_refill: Ns::from_us(30.0),
        socket_refill: Ns::from_us(500.0),
        background: Background {
            processes: pick(3) as u32,
            busy: Ns::from_ms(3.0),
            sleep: Ns::from_ms(20.0),
            kind: KindConfig { nice: 5, ..ordinary() },
        },
        ..node()
    };
    let instances = (0..1 + pick(2)).map(|_| {
        let mut instance = hogs(1 + pick(30) as u32);
        if let Arrivals::Closed { think, .. } = &mut instance.workload.arrivals {
            *think = Ns::from_ms(pick(3) as f64 * 15.0);
        }
        instance.workload.demand = Demand { mean: Ns::from_ms(20.0), shape: DemandShape::Exponential };
        instance.latch = LatchConfig { held_share: 0.1, request_per_s: 50.0, spin: Ns::from_us(10.0) };
        instance.cage = (!fluid && pick(2) == 0).then(|| cage(1 + pick(6) as u32));
        instance
    });
    Config { instances: instances.collect(), nodes: vec![host], seed }
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
    for seed in 0..10 {
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
        assert_eq!(run(1_000), run(77));
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
