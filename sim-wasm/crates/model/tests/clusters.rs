//! Random clusters: what is asked for comes, once, and when nothing more is asked for the masters' books are the locks
//! that instances have.
#[expect(dead_code, reason = "the hosts alone are used")]
mod random_hosts;

use random_hosts::Draw;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::cluster::css::Reason;
use wwi_model::cluster::message::Hold;
use wwi_model::config::cluster::Flush;
use wwi_model::config::*;
use wwi_model::measure::cluster::{Gc, Reply, REPLIES};
use wwi_model::measure::events::Activity;
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
    of.retry = Ns::from_us(if draw.one_in(4) { 200.0 } else { 500_000.0 });
    of.fairness = draw.below(4) as u32;
    let mut config = Config { nodes, instances, cluster: Some(of), seed };
    let mut more = Draw(Stream::new(seed, 0, "test", 5, "more"));
    for instance in &mut config.instances {
        let of = instance.others.lms.as_mut().expect("it is joined");
        of.light = [0.0, 0.3, 1.0][more.below(3) as usize];
    }
    let buffers = [262_144, 0, 2 * 1_280];
    config.cluster.as_mut().expect("they are joined").interconnect.buffer_bytes = buffers[more.below(3) as usize];
    let of = config.cluster.as_mut().expect("they are joined");
    of.pin = Ns::from_us([0.0, 0.0, 500.0][more.below(3) as usize]);
    of.defer = Ns::from_us([3_000.0, 0.0, 100.0][more.below(3) as usize]);
    config
}

/// From now on whoever has finished thinks for a day.
fn calm(world: &mut World) {
    for instance in &mut world.config.instances {
        if let Arrivals::Closed { think, .. } = &mut instance.workload.arrivals {
            *think = DAY;
        }
    }
}

/// What the masters' books say is what instances hold, and nobody waits for anything.
fn books(world: &World, name: &str) {
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
        let mut locals = (0..instances).map(|member| cache.local(member as u8, block));
        assert!(locals.all(|local| local.asked.is_none() && local.pins == 0), "{block}: {name}");
    }
}

fn check(world: &World, name: &str) -> u64 {
    books(world, name);
    let unanswered = world.databases.iter().flatten().map(|of| of.redo.commits.len()).sum::<usize>();
    assert_eq!(unanswered, 0, "commits: {name}");
    let mut databases = world.databases.iter().flatten();
    assert!(databases.all(|of| of.redo.broadcasts.known() == u64::MAX), "broadcasts: {name}");
    let instances = world.instances.len();
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

/// Instances of no cluster, before those of one.
fn behind_others(mut config: Config, others: usize) -> Config {
    config.instances.splice(0..0, (0..others).map(|_| hogs(0)));
    config
}

/// So many scenarios run, rest, and have their books in order; how many requests were answered.
fn asked(scenarios: impl Iterator<Item = (u64, Config)>) -> u64 {
    let mut all = 0;
    for (seed, config) in scenarios {
        let mut world = World::new(&config, 0);
        world.run(Ns::from_ms(180.0), u64::MAX);
        calm(&mut world);
        world.run(Ns::from_s(60.0), u64::MAX);
        let blocks = config.cluster.as_ref().map_or(0, |of| of.blocks);
        let name = format!("seed {seed}, {} instances, {blocks} blocks", config.nodes.len());
        all += check(&world, &name);
    }
    all
}

#[test]
fn what_is_asked_for_comes_once_and_then_the_books_are_right() {
    let all = asked((0..500).map(|seed| (seed, random(seed))));
    assert!(all > 100_000, "{all} requests");
}

/// Of 64 instances at most, whichever they are.
#[test]
fn members_may_be_the_last_of_many_instances() {
    let last = |seed: u64| {
        let config = random(seed);
        let others = if seed.is_multiple_of(2) { 15 } else { 64 - config.instances.len() };
        (seed, behind_others(config, others))
    };
    let all = asked((0..40).map(last));
    assert!(all > 6_000, "{all} requests");
}

/// Blocks that one instance alone may change, and how many instances may read one: all over all.
fn exclusive_and_readers(world: &World) -> [f64; 2] {
    let cache = &world.cluster.as_ref().expect("they are joined").cache;
    let holds = |block| (0..world.instances.len()).map(move |member| cache.booked(member as u8, block));
    let count = |is: fn(&Hold) -> bool| (0..cache.blocks()).map(|block| holds(block).filter(is).count()).sum::<usize>();
    [count(|&hold| hold == Hold::Exclusive), count(|&hold| hold != Hold::Null)]
        .map(|found| found as f64 / f64::from(cache.blocks()))
}

/// Who only reads takes its time to hold what it reads: at the start it has had that time.
#[test]
fn blocks_are_held_at_the_start_as_they_are_later() {
    let opened = |node: usize, per_s: f64, gets: (f64, f64)| {
        let mut instance = member(node, 1, Ns::ZERO, lms(gets.0, gets.1));
        instance.workload.arrivals = Arrivals::Open { per_s };
        instance.workload.demand = Demand { mean: Ns::from_us(100.0), shape: DemandShape::Exponential };
        instance
    };
    let nodes = vec![NodeConfig { sockets: 1, ..node() }; 3];
    let instances = vec![opened(0, 200.0, (4.0, 0.0)), opened(1, 50.0, (0.0, 4.0)), opened(2, 50.0, (2.0, 2.0))];
    let config = Config { nodes, instances, cluster: Some(cluster(3_000)), seed: 1 };
    let mut world = World::new(&config, 0);
    let before = exclusive_and_readers(&world);
    // Each block is changed once in ten seconds.
    world.run(Ns::from_s(60.0), u64::MAX);
    let after = exclusive_and_readers(&world);
    assert!(before[0] > 0.3 && before[0] < 0.9, "{before:?}: some have given their locks down");
    for (before, after) in before.iter().zip(after) {
        assert!((before - after).abs() < 0.05, "{before} at the start, then {after}");
    }
}

/// Transactions of the sessions of each instance so far.
fn transactions(world: &World) -> Vec<u64> {
    (0..world.instances.len()).map(|instance| world.accounts.groups[instance].transactions).collect()
}

/// Some leave at any moment, in the middle of whatever the others do: these go on, each with what it asked for.
#[test]
fn whoever_leaves_the_others_get_what_they_ask_for() {
    let mut all = 0;
    for seed in 0..200 {
        let mut config = random(seed);
        config.cluster.as_mut().expect("they are joined").css = Some(css());
        let mut draw = Stream::new(seed, 0, "test", 3, "moments");
        let mut world = World::new(&config, 0);
        let count = config.nodes.len() as u64;
        let mut left: Vec<u8> = Vec::new();
        let mut at = Ns::ZERO;
        for _ in 0..1 + draw.below(2) {
            // In the middle of a reconfiguration, too.
            at = at.plus(Ns(draw.below(200_000_000) * (1 + 9 * draw.below(2))));
            world.run(at, u64::MAX);
            let member = draw.below(count) as u8;
            if !left.contains(&member) && left.len() as u64 + 1 < count {
                left.push(member);
                world.evict(&[member], if draw.below(2) == 0 { Reason::Misscount } else { Reason::Hung });
            }
        }
        let before = transactions(&world);
        world.run(at.plus(Ns::from_s(6.0)), u64::MAX);
        let after = transactions(&world);
        calm(&mut world);
        world.run(at.plus(Ns::from_s(60.0)), u64::MAX);
        let name = format!("seed {seed}, {left:?} of {count} left");
        books(&world, &name);
        let cache = &world.cluster.as_ref().expect("they are joined").cache;
        assert!(left.iter().all(|member| !cache.masters().contains(member)), "{name}");
        for member in 0..count as u8 {
            let holds = (0..cache.blocks()).any(|block| cache.local(member, block).hold != Hold::Null);
            let (is_gone, went_on) = (left.contains(&member), after[usize::from(member)] > before[usize::from(member)]);
            assert!(!is_gone || !holds && !went_on, "{member} works on: {name}");
            assert!(is_gone || went_on, "{member} stands still: {name}");
        }
        all += after.iter().sum::<u64>();
    }
    assert!(all > 60_000, "{all} transactions");
}

/// Sessions are killed one by one, in whatever they do: nobody waits for what they had asked for.
#[test]
fn a_session_that_is_killed_leaves_no_block_asked_for() {
    use wwi_model::ids::Pid;
    use wwi_model::program::Program;
    let mut killed = 0;
    for seed in 0..200 {
        let mut world = World::new(&random(seed), 0);
        let mut draw = Stream::new(seed, 0, "test", 4, "moments");
        let sessions: Vec<Pid> = (0..world.tasks.len())
            .filter(|&pid| matches!(world.tasks[pid].program, Program::Foreground(_)))
            .map(|pid| Pid(pid as u32))
            .collect();
        let mut at = Ns::from_ms(20.0);
        for pid in sessions {
            if draw.below(2) == 0 {
                continue;
            }
            at = at.plus(Ns(draw.below(20_000_000)));
            world.run(at, u64::MAX);
            world.kill(pid);
            killed += 1;
        }
        world.run(at.plus(Ns::from_ms(50.0)), u64::MAX);
        calm(&mut world);
        world.run(Ns::from_s(60.0), u64::MAX);
        books(&world, &format!("seed {seed}"));
    }
    assert!(killed > 1_000, "{killed}");
}

/// Two hosts, and so many sessions on the second that execute a SELECT by a path; the blocks are where they were
/// loaded, in the first instance.
fn readers(sessions: u32, executions: u32, path: Path) -> Config {
    let us = Ns::from_us;
    let gets = path.index + path.rows;
    let select = SelectConfig { caller: Ns::ZERO, execute: us(10.0), fetch: us(100.0), gets, path };
    let reader = |at: usize, count: u32| {
        let mut instance = member(at, count, Ns::ZERO, lms(0.0, 0.0));
        instance.others.database = None;
        instance.workload.arrivals = Arrivals::Closed { sessions: count, think: Ns::ZERO, start_spread: Ns::ZERO };
        instance.workload.select = Some(select);
        instance.workload.ends = Some(Ending { executions, begins: Ns::ZERO, skew: Ns::ZERO });
        instance
    };
    let hosts = vec![NodeConfig { cores_per_socket: 8, ..node() }; 2];
    let instances = vec![reader(0, 0), reader(1, sessions)];
    Config { nodes: hosts, instances, cluster: Some(cluster(0)), seed: 1 }
}

/// One of three sessions that scan a table is killed, at any moment of its first requests: the others have all of it in
/// the end, and nothing stays asked for.
#[test]
fn a_reader_that_is_killed_leaves_no_block_asked_for() {
    use wwi_model::ids::Pid;
    let config = readers(3, 100, Path { table: 31, rows: 31, index: 0 });
    let mut amid = 0;
    for step in 0..60 {
        let mut world = World::new(&config, 0);
        world.run(Ns::from_us(10.0 + 13.0 * f64::from(step)), u64::MAX);
        amid += world.cluster.as_ref().expect("they are joined").cache.under_way();
        let first = world.runs.sessions[0].pid;
        world.kill(Pid(first.0));
        world.run(Ns::from_s(5.0), u64::MAX);
        assert!(world.runs.are_over(), "killed at step {step}: the others go on");
        books(&world, &format!("step {step}"));
    }
    assert!(amid > 30, "{amid} of 60 amid a request");
}

/// Which blocks an instance may read.
fn held(world: &World, member: u8) -> Vec<u32> {
    let cache = &world.cluster.as_ref().expect("they are joined").cache;
    (0..cache.blocks()).filter(|&block| cache.local(member, block).hold != Hold::Null).collect()
}

/// A scan asks for each block of the table once, and not again when it is repeated; by an index it is the blocks of the
/// index, which lie behind those of the table, and one of these.
#[test]
fn a_select_asks_for_the_blocks_of_its_path_and_no_others() {
    for executions in [1, 3] {
        let mut world = World::new(&readers(1, executions, Path { table: 31, rows: 31, index: 0 }), 0);
        world.run(Ns::from_s(5.0), u64::MAX);
        assert!(world.runs.are_over());
        assert_eq!(held(&world, 1), (0..31).collect::<Vec<u32>>());
        assert_eq!(world.accounts.cluster.pair(1, 0, Reply::CrBlock).requests, 31);
        assert_eq!(world.accounts.cluster.get(1, Gc::LocalGets), 31 * u64::from(executions - 1));
    }
    let mut rows = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let config = Config { seed, ..readers(1, 1, Path { table: 10, rows: 1, index: 2 }) };
        let mut world = World::new(&config, 0);
        world.run(Ns::from_s(5.0), u64::MAX);
        let all = held(&world, 1);
        assert!(all.len() == 3 && all[0] < 10 && all[1..] == [10, 11], "{all:?}");
        rows.insert(all[0]);
    }
    assert!(rows.contains(&0) && rows.contains(&9), "each of ten rows is looked for at some time: {rows:?}");
}

/// Of 31 blocks that get lost one time in three each is asked for again until it comes, half a second later each time.
#[test]
fn a_reader_asks_again_for_blocks_that_get_lost() {
    let mut config = readers(1, 1, Path { table: 31, rows: 31, index: 0 });
    config.cluster.as_mut().expect("they are joined").interconnect.lost = 1.0 / 3.0;
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(120.0), u64::MAX);
    assert!(world.runs.are_over(), "it has them all in the end");
    assert_eq!(world.accounts.cluster.pair(1, 0, Reply::CrBlock).requests, 31);
    let lost = world.accounts.cluster.get(1, Gc::Lost);
    let took = world.accounts.cluster.pair(1, 0, Reply::CrBlock).time() as f64 / 1e9;
    assert!((3..40).contains(&lost), "{lost} for 31 · (1/3) ÷ (2/3)");
    assert!((took / (0.5 * lost as f64) - 1.0).abs() < 0.05, "{took} s, {lost} times 500 ms");
    // One wait for each block, whatever was lost of it on the way.
    let waits = |event: Activity| world.accounts.groups.iter().map(|group| group.stays[event.i()].count()).sum::<u64>();
    let lost_once = waits(Activity::GC_CR_LOST);
    assert!(lost_once >= 1 && lost_once <= lost && waits(Activity::GC_CR_REQUEST) == 0, "{lost_once} waits of {lost}");
    books(&world, "a reader");
}
