//! Small hosts and cages for tests, and how these run them.
use crate::config::cluster::*;
use crate::config::database::*;
use crate::config::*;
use crate::experiment::{Experiment, Figures, Goal};
use crate::measure::accounts::Accounts;
use crate::meet::device::{ServiceTime, Shape};
use crate::report::Report;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Every policy.
pub const SCHEDULERS: [Scheduler; 8] = [
    Scheduler::Cfs,
    Scheduler::Eevdf,
    Scheduler::O1,
    Scheduler::Aix,
    Scheduler::Solaris,
    Scheduler::RoundRobin,
    Scheduler::Fifo,
    Scheduler::ProcessorSharing,
];

/// Four cores without SMT, CFS at 1000 Hz, no costs.
pub fn node() -> NodeConfig {
    NodeConfig {
        sockets: 1,
        cores_per_socket: 4,
        cores_per_llc: 0,
        threads_per_core: 1,
        smt_yield: vec![1.0, 1.5],
        guest_sees_smt: true,
        vcpu_remap: Ns::ZERO,
        scheduler: Scheduler::Cfs,
        tick_hz: 1000,
        cfs: CfsTunables {
            latency: Ns::from_ms(6.0),
            min_granularity: Ns::from_ms(0.75),
            wakeup_granularity: Ns::from_ms(1.0),
            migration_cost: Ns::from_ms(0.5),
        },
        eevdf_base_slice: Ns::from_ms(0.7),
        eevdf_generation: EevdfGeneration::Linux66,
        lazy_preemption: false,
        balance_generation: BalanceGeneration::Linux66,
        slices_expire: false,
        round_robin_quantum: Ns::from_ms(100.0),
        switch_direct: Ns::ZERO,
        switch_refill: Ns::ZERO,
        migration_refill: Ns::ZERO,
        socket_refill: Ns::ZERO,
        turbo_one_core: 1.0,
        turbo_steps: Vec::new(),
        l2: CpuCache { mb: 1.0, fill_gb_s: 20.0 },
        llc: CpuCache { mb: 32.0, fill_gb_s: 10.0 },
        rt_runtime: Some(Ns::from_ms(950.0)),
        rt_period: Ns::from_s(1.0),
        rt_runtime_share: false,
        aix_sched_r: 16,
        aix_sched_d: 16,
        aix_real_time_kernel: false,
        soft_tunables: (1, 100),
        idle_scan: crate::config::IdleScan::Prop(4),
        newidle_cost: Ns::from_us(1.0),
        ni_random: false,
        tick_interrupts: Ns::ZERO,
        interrupts: Interrupts::Last,
        waking: WakingConfig::default(),
        background: Background { processes: 0, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind: ordinary() },
        more_background: [None, None],
        service: None,
    }
}

/// The ordinary class at nice 0, bound nowhere.
pub fn ordinary() -> KindConfig {
    KindConfig {
        class: Class::TimeSharing,
        nice: 0,
        priority: 50,
        cpus: None,
        slice: None,
        working_set_mb: 0.0,
        cgroup: None,
    }
}

/// The published quantum and tick.
pub fn cage(slots: u32) -> CageConfig {
    CageConfig {
        slots,
        quantum: Ns::from_ms(100.0),
        tick: Ns::from_ms(10.0),
        safe_point: Ns::from_ms(0.2),
        short_wait: Ns::from_us(300.0),
        handoff: Handoff::Immediate,
        post: Ns::from_us(10.0),
        groups: vec![GroupConfig {
            name: "OTHER_GROUPS".into(),
            sessions: 1,
            shares: 1,
            utilization_limit: 1.0,
            level: 1,
        }],
    }
}

/// Sessions that always work, 100 ms a transaction, started within a second.
pub fn hogs(sessions: u32) -> InstanceConfig {
    InstanceConfig {
        node: 0,
        cage: None,
        workload: Workload {
            arrivals: Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::from_s(1.0) },
            demand: Demand { mean: Ns::from_ms(100.0), shape: DemandShape::Constant },
            lio_per_transaction: 60_000.0,
            ends: None,
            select: None,
        },
        session_kind: ordinary(),
        others: kinds::Others::default(),
        latch: LatchConfig { held_share: 0.0, request_per_s: 0.0, spin: Ns::from_us(10.0) },
        affinity: Affinity::None,
        cgroup: None,
        coherence: Coherence {
            cores: 0.0,
            sockets: 0.0,
            llc_share: 0.0,
            sigma: 0.0,
            kappa: 0.0,
            latch: LatchQueue::default(),
        },
        memory: Memory::Local,
    }
}

/// One host, one instance.
pub fn one(node: NodeConfig, instance: InstanceConfig) -> Config {
    Config { nodes: vec![node], instances: vec![instance], cluster: None, seed: 42 }
}

/// A device of so many requests at once, each of this length.
pub fn device(width: u32, mean: Ns, shape: Shape) -> DeviceConfig {
    DeviceConfig { width, service: ServiceTime { mean, shape, slow: None }, is_async: true }
}

/// Transactions of one call and 1,000 bytes of redo that change nothing, logs and buffers far larger than needed.
pub fn database() -> DatabaseConfig {
    DatabaseConfig {
        transaction: TransactionConfig {
            calls: 1,
            client: Ns::ZERO,
            changes: 0.0,
            redo: 1000.0,
            reads: 0.0,
            read_blocks: 1,
            per_call: 1,
            commit_waits: true,
            commit_posts: true,
        },
        contended: ContendedConfig { blocks: 0, changes: 0.0, pin: Ns::ZERO },
        query: QueryConfig { share: 0.0, demand: Ns::ZERO, reads: 0.0 },
        log: LogConfig {
            groups: 3,
            size: 1 << 40,
            block: 1,
            transfer: 0.0,
            switch_writes: 1,
            members: 1,
            is_parallel: true,
            buffer: 1 << 30,
            gather: Ns::ZERO,
            gather_kb: Ns::ZERO,
            after: Ns::ZERO,
            post: Ns::ZERO,
            call: Ns::ZERO,
            answering: Answering::Post,
            sync_timeout: Ns::from_ms(100.0),
            least_sleep: Ns::ZERO,
        },
        cache: CacheConfig {
            buffers: 1000,
            sets: 8,
            hot: 100,
            hot_share: 0.8,
            changes_wait: false,
            scan_share: 0.4,
            large_dirty: 25,
        },
        writers: WriterConfig {
            count: 1,
            block: Ns::from_us(38.0),
            batch_cost: Ns::ZERO,
            batch: 256,
            outstanding: 64,
            whole_batch: false,
        },
        checkpoint: CheckpointConfig { lag: 900_000, timeout: Ns::ZERO, work: Ns::from_us(10.0) },
        data: device(32, Ns::from_ms(4.0), Shape::Exponential),
        redo: Some(device(1, Ns::from_ms(1.0), Shape::Exponential)),
        lgwr: ordinary(),
        dbwr: ordinary(),
        ckpt: ordinary(),
        client: ordinary(),
    }
}

/// Sessions with such a database.
pub fn oltp(sessions: u32, database: DatabaseConfig) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.others.database = Some(Box::new(database));
    instance
}

/// An interconnect by its name: latency, bandwidth, and whether the CPU takes messages apart, at an MTU.
pub fn interconnect(name: &str, mtu: u32) -> InterconnectConfig {
    let (latency, bytes_per_s, has_fragments) = match name {
        "1GbE" => (30.0, 125e6, true),
        "10GbE" => (12.0, 1.25e9, true),
        _ => (5.0, 4e9, false),
    };
    InterconnectConfig {
        latency: Ns::from_us(latency),
        bytes_per_s,
        fragment_bytes: has_fragments.then_some(mtu - 28),
        message_bytes: 300,
        block_bytes: 8_492,
        buffer_bytes: if has_fragments { 262_144 } else { u32::MAX },
        lost: 0.0,
    }
}

/// What messages cost by default.
pub fn message_costs() -> MessageCosts {
    let us = Ns::from_us;
    MessageCosts {
        request: us(15.0),
        message: us(20.0),
        forward: us(15.0),
        build: us(100.0),
        serve: us(40.0),
        send: us(50.0),
        fragment: us(4.0),
        receive: us(30.0),
        granted: us(15.0),
        wakeup: us(20.0),
    }
}

/// So many shared blocks over 1 GbE.
pub fn cluster(blocks: u32) -> ClusterConfig {
    ClusterConfig {
        interconnect: interconnect("1GbE", 1500),
        costs: message_costs(),
        blocks,
        fairness: 2,
        pin: Ns::ZERO,
        defer: Ns::from_ms(3.0),
        congested: Ns::from_ms(1.0),
        retry: Ns::from_ms(500.0),
        broadcasts: true,
        css: None,
    }
}

/// Heartbeats as Oracle Clusterware has them, and a reconfiguration of a second.
pub fn css() -> CssConfig {
    let s = Ns::from_s;
    CssConfig {
        misscount: s(30.0),
        heartbeat: s(1.0),
        work: Ns::from_us(20.0),
        reconfiguration: s(1.0),
        hangs: s(70.0),
        looks: s(20.0),
    }
}

/// One LMS that waits for redo where a block is dirty; so many shared blocks read and changed in a transaction.
pub fn lms(reads: f64, changes: f64) -> LmsConfig {
    LmsConfig {
        count: 1,
        poll: Ns::ZERO,
        kind: ordinary(),
        flush: Flush::Dirty,
        waits_for_flush: false,
        light: 0.0,
        affinity: 0.0,
        reads,
        changes,
    }
}

/// An instance on a host, with sessions that think and then read and change shared blocks.
pub fn member(node: usize, sessions: u32, think: Ns, lms: LmsConfig) -> InstanceConfig {
    let mut instance = oltp(sessions, database());
    instance.node = node;
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_ms(10.0) };
    instance.workload.demand.mean = Ns::from_us(100.0);
    instance.others.lms = Some(Box::new(lms));
    instance
}

/// Queries of four slaves on the coordinator's instance: 17,000 rows, 17 a message of 2,148 B, 10 µs of scan a row,
/// messages of 15 and 150 µs, and 100 ns of the coordinator a row.
pub fn parallel_query() -> parallel::ParallelQuery {
    parallel::ParallelQuery {
        degree: 4,
        is_spread: false,
        rows: 17_000,
        rows_of_message: 17,
        message_bytes: 2_148,
        buffers: 3,
        granules: 13,
        is_pushed_down: false,
        table_queue: parallel::TableQueue::Coordinator,
        local: Ns::from_us(15.0),
        remote: Ns::from_us(150.0),
        scan: 10_000.0,
        join: 1_000.0,
        take: 100.0,
    }
}

/// An instance on a host whose sessions coordinate that many executions each, with slaves for others' queries.
pub fn coordinators(node: usize, sessions: u32, executions: u32, query: parallel::ParallelQuery) -> InstanceConfig {
    let mut instance = InstanceConfig { node, ..hogs(sessions) };
    let workload = &mut instance.workload;
    workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    workload.lio_per_transaction = 0.0;
    let begins = Ns::ZERO;
    workload.ends = (executions > 0).then_some(Ending { executions, begins, skew: Ns::ZERO });
    instance.others.parallel = Some(Box::new(parallel::ParallelConfig { kind: ordinary(), query }));
    instance
}

/// What happens from one moment until another.
pub fn window(world: &mut World, from: Ns, until: Ns) -> Accounts {
    world.run(from, u64::MAX);
    world.cut();
    let start = world.accounts.clone();
    world.run(until, u64::MAX);
    world.cut();
    world.accounts.since(&start)
}

/// Apart by so much at most.
#[track_caller]
pub fn near_abs(found: f64, expected: f64, off: f64, what: &str) {
    assert!((found - expected).abs() <= off, "{what}: {found} for {expected}");
}

/// Apart by such a share of what is expected at most.
#[track_caller]
pub fn near_rel(found: f64, expected: f64, share: f64, what: &str) {
    assert!((found - expected).abs() <= share * expected.abs(), "{what}: {found} for {expected}");
}

/// Probability of waiting with `c` servers at offered load `a` (Erlang C).
pub fn erlang_c(c: u32, a: f64) -> f64 {
    let blocked = (1..=c).fold(1.0, |b, k| a * b / (f64::from(k) + a * b));
    let rho = a / f64::from(c);
    blocked / (1.0 - rho * (1.0 - blocked))
}

/// Throughput and response so precise, after so many events at most.
pub const fn goal(precision: f64, max_events: u64) -> Goal {
    Goal { precision, max_events, record: 0, figures: Figures::ThroughputAndResponse, coarse: false }
}

/// A run at its end, whatever that is: for tests of faults.
pub fn done(mut experiment: Experiment) -> Experiment {
    while !experiment.advance(100_000).done {}
    experiment
}

/// What a run says that has no fault and breaks no law.
#[track_caller]
pub fn lawful(config: &Config, experiment: &Experiment) -> Report {
    let report = experiment.report();
    let broken: Vec<_> = report.checks.iter().filter(|check| !check.ok).collect();
    assert!(report.fault.is_none() && broken.is_empty(), "{:?}, {broken:?}: {config:?}", report.fault);
    report
}

/// What it says at its end.
#[track_caller]
pub fn finish(config: &Config, goal: Goal) -> Report {
    lawful(config, &done(Experiment::new(config, goal)))
}
