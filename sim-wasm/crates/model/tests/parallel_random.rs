//! Random parallel queries on random clusters: every row arrives once, every buffer is free in the end, and messages
//! are as many as rows fill.
#[expect(dead_code, reason = "the hosts alone are used")]
mod random_hosts;

use random_hosts::Draw;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::parallel::{ParallelQuery, TableQueue};
use wwi_model::config::*;
use wwi_model::measure::cluster::Gc;
use wwi_model::testing::*;
use wwi_model::world::World;

const QUEUES: [TableQueue; 3] = [TableQueue::Coordinator, TableQueue::Hash, TableQueue::Broadcast];

fn query(draw: &mut Draw, hosts: usize) -> ParallelQuery {
    ParallelQuery {
        degree: 1 + draw.below(6) as u32,
        is_spread: hosts > 1 && draw.one_in(2),
        rows: [1, 7, 100, 3_000][draw.below(4) as usize],
        rows_of_message: [1, 17, 136][draw.below(3) as usize],
        message_bytes: [2_148, 4_096, 16_384][draw.below(3) as usize],
        buffers: 1 + draw.below(4) as u32,
        granules: 1 + draw.below(20) as u32,
        is_pushed_down: draw.one_in(2),
        table_queue: QUEUES[draw.below(3) as usize],
        local: Ns::from_us(draw.below(3) as f64 * 10.0),
        remote: Ns::from_us(draw.below(3) as f64 * 100.0),
        scan: draw.below(3) as f64 * 1_000.0,
        join: draw.below(3) as f64 * 1_000.0,
        take: draw.below(3) as f64 * 1_000.0,
    }
}

fn random(seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", 3, "config"));
    let count = 1 + draw.below(4) as usize;
    let schedulers = SCHEDULERS.len() - 1;
    let nodes: Vec<NodeConfig> = (0..count)
        .map(|at| NodeConfig { service: None, ..draw.host(SCHEDULERS[(seed as usize + 3 * at) % schedulers]) })
        .collect();
    let instances = (0..count)
        .map(|at| {
            let of = query(&mut draw, count);
            let mut instance = coordinators(at, draw.below(4) as u32, 1 + draw.below(3) as u32, of);
            instance.workload.demand.shape = [DemandShape::Constant, DemandShape::Exponential][draw.below(2) as usize];
            instance.cage = draw.one_in(4).then(|| cage(2));
            instance
        })
        .collect();
    let mut of = cluster(0);
    of.interconnect = interconnect(["1GbE", "10GbE", "InfiniBand"][draw.below(3) as usize], 1500);
    Config { nodes, instances, cluster: (count > 1).then_some(of), seed }
}

/// Messages and rows of an execution, by arithmetic: those of the scan, and those that reach the coordinator.
fn expected(of: &ParallelQuery) -> (u64, u64, u64) {
    let (degree, full) = (u64::from(of.degree), u64::from(of.rows_of_message));
    let share = |rows: u64, at: u64| rows / degree + u64::from(at < rows % degree);
    let messages = |rows: u64| rows.div_ceil(full).max(1);
    let scans: u64 = (0..degree).map(|at| messages(share(of.rows, at))).sum();
    let hashed = (0..degree).flat_map(|at| (0..degree).map(move |to| (at, to)));
    let hashed = hashed.map(|(at, to)| messages(share(share(of.rows, at), to))).sum();
    let last = if of.is_pushed_down { degree } else { of.rows };
    match of.table_queue {
        TableQueue::Coordinator if of.is_pushed_down => (degree, 0, degree),
        TableQueue::Coordinator => (scans, 0, of.rows),
        TableQueue::Hash => (hashed, of.rows, last),
        TableQueue::Broadcast => (scans * degree, of.rows * degree, last),
    }
}

fn check(world: &World, name: &str) -> u64 {
    for channel in world.queries.iter().flat_map(|query| &query.channels) {
        assert!(channel.sent.is_empty() && channel.has_ended && channel.left == 0, "{channel:?}: {name}");
    }
    let mut all = 0;
    for (instance, of) in world.config.instances.iter().enumerate() {
        let Arrivals::Closed { sessions, .. } = of.workload.arrivals else { continue };
        let executions = u64::from(sessions) * u64::from(of.workload.ends.map_or(0, |ends| ends.executions));
        let query = of.others.parallel.as_ref().expect("it has one").query;
        let (messages, between, last) = expected(&query);
        let sum = |sum: Gc| world.accounts.cluster.get(instance, sum);
        assert_eq!(sum(Gc::PxRows), executions * (between + last), "rows: {name}");
        let second = if between > 0 { u64::from(query.degree) } else { 0 };
        let least = if query.is_pushed_down { second } else { last.div_ceil(u64::from(query.rows_of_message)) };
        let most = executions * (messages + if between > 0 { least + second } else { 0 });
        let found = sum(Gc::PxMessages);
        assert!(found >= executions * messages && found <= most, "{found} messages, {most} at most: {name}");
        assert!(query.is_spread || sum(Gc::PxRemoteRows) == 0, "{name}");
        all += found;
    }
    all
}

#[test]
fn every_row_arrives_once_and_every_buffer_is_free_again() {
    let mut all = 0;
    for seed in 0..500 {
        let config = random(seed);
        let mut world = World::new(&config, 0);
        let name = format!("seed {seed}, {} hosts", config.nodes.len());
        world.run(Ns::from_s(3_600.0), u64::MAX);
        assert!(world.runs.are_over() || world.runs.sessions.is_empty(), "it goes on: {name}");
        // Messages that are on their way arrive, and slaves take up that it is over.
        let over = world.now.plus(Ns::from_s(60.0));
        world.run(over, u64::MAX);
        all += check(&world, &name);
        let freed = world.queries.iter().flat_map(|query| query.slaves.iter().map(|slave| slave.freed));
        let freed: usize = freed.map(|queue| world.queues[queue.i()].len()).sum();
        let known: u32 = world.queries.iter().flat_map(|query| &query.channels).map(|of| of.credits).sum();
        let buffers: u32 = world
            .queries
            .iter()
            .map(|query| {
                let of = config.instances[query.instance].others.parallel.as_ref().expect("it has one").query;
                of.buffers * query.channels.len() as u32
            })
            .sum();
        assert_eq!(known + freed as u32, buffers, "buffers: {name}");
    }
    assert!(all > 50_000, "{all} messages");
}
