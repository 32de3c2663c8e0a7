//! Random parallel queries on random clusters: every row arrives once, every buffer is free in the end, and messages
//! are as many as rows fill.
#[expect(dead_code, reason = "the hosts alone are used")]
mod random_hosts;

use random_hosts::Draw;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::cluster::parallel::Query;
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

/// Messages of the scan in an execution at least and at most, whoever got which granules: a channel has an empty one at
/// its end if need be. Rows between the sets, and those that reach the coordinator.
fn expected(of: &ParallelQuery) -> (u64, u64, u64, u64) {
    let (degree, full) = (u64::from(of.degree), u64::from(of.rows_of_message));
    let messages = |channels: u64| (of.rows.div_ceil(full).max(channels), of.rows / full + channels);
    let last = if of.is_pushed_down { degree } else { of.rows };
    let ((least, most), between) = match of.table_queue {
        TableQueue::Coordinator if of.is_pushed_down => ((degree, degree), 0),
        TableQueue::Coordinator => (messages(degree), 0),
        TableQueue::Hash => (messages(degree * degree), of.rows),
        TableQueue::Broadcast => {
            let (least, most) = messages(degree);
            ((least * degree, most * degree), of.rows * degree)
        }
    };
    (least, most, between, last)
}

/// Messages of an execution in which slaves that scan got so many rows, where that is all there are.
fn of_one(of: &ParallelQuery, dealt: &[u64]) -> Option<u64> {
    let messages = |&rows: &u64| rows.div_ceil(u64::from(of.rows_of_message)).max(1);
    let goes_on = of.is_pushed_down || of.table_queue != TableQueue::Coordinator;
    (!goes_on).then(|| dealt.iter().map(messages).sum())
}

/// All granules were given, once each, and to slaves that scan.
fn all_is_dealt(query: &Query, of: &ParallelQuery, name: &str) -> Vec<u64> {
    let (first, second) = query.slaves.split_at(of.degree as usize);
    let dealt: Vec<u64> = first.iter().map(|slave| slave.dealt).collect();
    assert_eq!(dealt.iter().sum::<u64>(), of.rows, "rows dealt: {name}");
    assert_eq!(query.given, of.rows.min(u64::from(of.degree * of.granules)), "granules: {name}");
    assert!(first.iter().all(|slave| slave.is_over && slave.granule.0 == 0), "{name}");
    assert!(second.iter().all(|slave| slave.dealt == 0), "{name}");
    dealt
}

fn check(world: &World, name: &str) -> u64 {
    for channel in world.queries.iter().flat_map(|query| &query.channels) {
        assert!(
            channel.sent.is_empty() && channel.has_ended && channel.left == 0 && channel.scanned == 0,
            "{channel:?}: {name}"
        );
    }
    let mut all = 0;
    for (instance, of) in world.config.instances.iter().enumerate() {
        let Arrivals::Closed { sessions, .. } = of.workload.arrivals else { continue };
        let executions = u64::from(sessions) * u64::from(of.workload.ends.map_or(0, |ends| ends.executions));
        let query = of.others.parallel.as_ref().expect("it has one").query;
        let (scan_least, scan_most, between, last) = expected(&query);
        let sum = |sum: Gc| world.accounts.cluster.get(instance, sum);
        assert_eq!(sum(Gc::PxRows), executions * (between + last), "rows: {name}");
        let second = if between > 0 { u64::from(query.degree) } else { 0 };
        let least = if query.is_pushed_down { second } else { last.div_ceil(u64::from(query.rows_of_message)) };
        let most = executions * (scan_most + if between > 0 { least + second } else { 0 });
        let found = sum(Gc::PxMessages);
        assert!(found >= executions * scan_least && found <= most, "{found} messages, {most} at most: {name}");
        for of in world.queries.iter().filter(|of| of.instance == instance) {
            let one = of_one(&query, &all_is_dealt(of, &query, name));
            assert!(executions > 1 || one.is_none_or(|one| one == found), "{found} messages for {one:?}: {name}");
        }
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
