//! Random clusters: what is asked for comes, once, and when nothing more is asked for the masters' books are the locks
//! that instances have.
#[expect(dead_code, reason = "the hosts alone are used")]
mod random_hosts;

use random_hosts::Draw;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::cluster::message::Hold;
use wwi_model::config::cluster::Flush;
use wwi_model::config::*;
use wwi_model::measure::cluster::{Gc, Reply, REPLIES};
use wwi_model::testing::*;
use wwi_model::world::World;

/// A day, in which nobody begins anything.
const DAY: Ns = Ns(86_400_000_000_000);

/// An instance with sessions, LMS and log writer of any class that leaves the others some time.
fn instance(draw: &mut Draw, host: &NodeConfig, node: usize) -> InstanceConfig {
    let mut of = lms(draw.below(4) as f64, draw.below(3) as f64);
    of.count = 1 + draw.below(3) as u32;
    of.poll = Ns::from_us(draw.below(2) as f64 * 50.0);
    of.flush = match draw.below(3) {
        0 => Flush::Never,
        1 => Flush::Given { share: 0.2, current: 0.1, takes: Ns::from_ms(3.0) },
        _ => Flush::Dirty,
    };
    of.waits_for_flush = draw.one_in(3);
    if host.scheduler.is_linux() && draw.one_in(2) {
        of.kind = KindConfig { class: Class::Fifo, priority: 50, ..ordinary() };
    }
    let mut instance = member(node, 1 + draw.below(10) as u32, Ns::from_ms(draw.below(10) as f64), of);
    instance.workload.demand = Demand { mean: Ns::from_us(300.0), shape: DemandShape::Exponential };
    let database = instance.others.database.as_mut().expect("it has one");
    database.transaction.reads = draw.below(2) as f64;
    database.transaction.calls = 1 + draw.below(3) as u32;
    instance
}

fn random(seed: u64) -> Config {
    let mut draw = Draw(Stream::new(seed, 0, "test", 2, "config"));
    let count = 2 + draw.below(4) as usize;
    let nodes: Vec<NodeConfig> = (0..count)
        .map(|at| NodeConfig { service: None, ..draw.host(SCHEDULERS[(seed as usize + 3 * at) % SCHEDULERS.len()]) })
        .collect();
    let instances = nodes.iter().enumerate().map(|(at, host)| instance(&mut draw, host, at)).collect();
    let mut of = cluster([1, 3, 40, 2_000][draw.below(4) as usize]);
    of.interconnect = interconnect(["1GbE", "10GbE", "InfiniBand"][draw.below(3) as usize], 1500);
    of.interconnect.lost = draw.below(2) as f64 * 0.05;
    of.fairness = draw.below(4) as u32;
    Config { nodes, instances, cluster: Some(of), seed }
}

/// From now on whoever has finished thinks for a day.
fn calm(world: &mut World) {
    for instance in &mut world.config.instances {
        if let Arrivals::Closed { think, .. } = &mut instance.workload.arrivals {
            *think = DAY;
        }
    }
}

fn check(world: &World, name: &str) -> u64 {
    let cache = &world.cluster.as_ref().expect("they are joined").cache;
    let instances = world.instances.len();
    assert_eq!(cache.under_way(), 0, "requests under way: {name}");
    for block in 0..cache.blocks() {
        let holds: Vec<Hold> = (0..instances).map(|member| cache.local(member as u8, block).hold).collect();
        let booked: Vec<Hold> = (0..instances).map(|member| cache.booked(member as u8, block)).collect();
        assert_eq!(holds, booked, "block {block}: {name}");
        let exclusive = holds.iter().filter(|&&hold| hold == Hold::Exclusive).count();
        let shared = holds.iter().filter(|&&hold| hold == Hold::Shared).count();
        assert!(exclusive + shared.min(1) <= 1, "block {block} {holds:?}: {name}");
    }
    let sums = &world.accounts.cluster;
    let sum = |of: Gc| (0..instances).map(|instance| sums.get(instance, of)).sum::<u64>();
    let came = |reply: Reply| {
        let pairs = (0..instances).flat_map(|from| (0..instances).map(move |server| (from, server)));
        pairs.map(|(from, server)| sums.pair(from, server, reply).requests).sum::<u64>()
    };
    assert_eq!(sum(Gc::CrServed), came(Reply::CrBlock), "copies: {name}");
    assert_eq!(sum(Gc::CurrentServed), came(Reply::CurrentBlock), "blocks given away: {name}");
    REPLIES.into_iter().map(came).sum()
}

#[test]
fn what_is_asked_for_comes_once_and_then_the_books_are_right() {
    let mut all = 0;
    for seed in 0..500 {
        let config = random(seed);
        let mut world = World::new(&config, 0);
        world.run(Ns::from_ms(150.0), u64::MAX);
        calm(&mut world);
        world.run(Ns::from_s(60.0), u64::MAX);
        let blocks = config.cluster.as_ref().map_or(0, |of| of.blocks);
        let name = format!("seed {seed}, {} instances, {blocks} blocks", config.nodes.len());
        all += check(&world, &name);
    }
    assert!(all > 100_000, "{all} requests");
}
