//! Broadcast on commit: what a commit takes in a cluster, by arithmetic.
use wwi_kernel::time::Ns;
use wwi_model::config::cluster::InterconnectConfig;
use wwi_model::config::database::Answering;
use wwi_model::config::*;
use wwi_model::measure::cluster::Gc;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::{Shape, Slow};
use wwi_model::testing::*;
use wwi_model::world::World;

/// Instances that share no blocks, each on a host of its own with commits in a Poisson stream; constant writes of redo.
fn commits(count: usize, per_s: f64, write_ms: f64, wires: InterconnectConfig) -> Config {
    let instance = |node| {
        let mut instance = member(node, 0, Ns::ZERO, lms(0.0, 0.0));
        instance.workload.arrivals = Arrivals::Open { per_s };
        instance.workload.demand = Demand { mean: Ns(1000), shape: DemandShape::Constant };
        let database = instance.others.database.as_mut().expect("it has one");
        database.redo = Some(device(1, Ns::from_ms(write_ms), Shape::Constant));
        instance
    };
    let mut joined = cluster(0);
    joined.interconnect = wires;
    let host = NodeConfig { cores_per_socket: 32, scheduler: Scheduler::Fifo, ..node() };
    Config { nodes: vec![host; count], instances: (0..count).map(instance).collect(), cluster: Some(joined), seed: 7 }
}

fn run(config: &Config, seconds: f64) -> World {
    let mut world = World::new(config, 0);
    assert!(world.run(Ns::from_s(seconds), u64::MAX));
    world
}

fn silent(mut config: Config) -> Config {
    config.cluster.as_mut().expect("they are joined").broadcasts = false;
    config
}

fn sync_ms(world: &World) -> f64 {
    world.accounts.groups[0].stays[Activity::LOG_FILE_SYNC.i()].mean() / 1e6
}

fn sum(world: &World, of: Sum) -> u64 {
    world.accounts.databases[0].get(of)
}

/// An interconnect of that latency \[µs\].
fn far(latency_us: f64) -> InterconnectConfig {
    InterconnectConfig { latency: Ns::from_us(latency_us), ..interconnect("1GbE", 1500) }
}

/// The formula of docs/cluster.md, section 3, worked out by hand \[µs\]: 15 for each to tell, the wire, 20 + 20 + 15
/// there, the wire, and here 20 to wake and 20 for each answer. 300 bytes take 2.4 µs on 1 GbE with 30 of latency,
/// 0.075 on InfiniBand with 5.
#[test]
fn an_idle_commit_takes_the_longer_of_write_and_broadcast() {
    let cases = [
        (2, interconnect("1GbE", 1500), 174.8),
        (2, interconnect("InfiniBand", 1500), 120.2),
        (4, interconnect("1GbE", 1500), 244.8),
        (16, interconnect("1GbE", 1500), 664.8),
        (2, far(5_000.0), 10_114.8),
    ];
    for (count, wires, broadcast) in cases {
        for write in [0.05, 1.0, 20.0] {
            // So few commits that no two of them meet.
            let mut config = commits(count, 0.0, write, wires);
            config.instances[0].workload.arrivals = Arrivals::Open { per_s: 2.0 };
            let world = run(&config, 200.0);
            // The log writer tells all, and then writes.
            let written = write + 0.015 * (count as f64 - 1.0);
            let expected = f64::max(written, broadcast / 1e3);
            // Ports of 16 nodes send and take one message after another.
            let allowed = 0.001 * expected + 0.003 * (count as f64 - 2.0) + 0.05 * write;
            let found = sync_ms(&world);
            assert!(found > 0.998 * expected && found < expected + allowed, "{count}: {found} for {expected} ms");
            // Late are the writes that are over before, and by so much.
            let (writes, late) = (sum(&world, Sum::LogWrites), sum(&world, Sum::LateAcks));
            assert!(writes > 350, "{writes}");
            let by = broadcast / 1e3 - written;
            assert!(if by > 0.0 { late + 1 >= writes } else { late == 0 }, "{late} of {writes}");
            let mean = sum(&world, Sum::LateAckTime) as f64 / 1e6 / late.max(1) as f64;
            assert!((mean - by.max(0.0)).abs() < 0.02 * by.abs() + allowed, "{mean} ms after it for {by}");
        }
    }
}

#[test]
fn where_nothing_is_broadcast_a_commit_takes_its_write_and_no_message() {
    let world = run(&silent(commits(3, 2.0, 1.0, far(5_000.0))), 200.0);
    assert!((sync_ms(&world) - 1.0).abs() < 0.01, "{} ms", sync_ms(&world));
    assert_eq!(world.accounts.cluster.get(0, Gc::Sent) + sum(&world, Sum::LateAcks), 0);
}

/// The log writer writes on while answers are on their way: as many writes as without them, and each commit waits
/// longer by what its broadcast takes beyond a write.
#[test]
fn the_log_writer_does_not_wait_for_answers() {
    let config = commits(2, 500.0, 1.0, far(5_000.0));
    let (told, alone) = (run(&config, 60.0), run(&silent(config), 60.0));
    let [with, without] = [&told, &alone].map(|world| sum(world, Sum::LogWrites) as f64);
    assert!((with / without - 1.0).abs() < 0.02, "{with} writes, {without} without answers");
    let longer = sync_ms(&told) - sync_ms(&alone);
    assert!((longer / 9.115 - 1.0).abs() < 0.02, "{longer} ms");
}

/// Each write with commits is told to each other instance once, and each of these answers once, whether sessions wait
/// for their commits or not; a write of queries alone is none.
#[test]
fn each_write_with_commits_is_told_once_to_each() {
    for waits in [true, false] {
        let mut config = commits(3, 200.0, 1.0, interconnect("1GbE", 1500));
        for instance in &mut config.instances {
            instance.others.database.as_mut().expect("it has one").transaction.commit_waits = waits;
        }
        let world = run(&config, 20.0);
        let all = |of: Gc| (0..3).map(|member| world.accounts.cluster.get(member, of)).sum::<u64>();
        let writes: u64 = (0..3).map(|at| world.accounts.databases[at].get(Sum::LogWrites)).sum();
        assert!(writes > 5_000 && all(Gc::Sent).abs_diff(4 * writes) <= 12, "{} of {writes}", all(Gc::Sent));
        assert!(all(Gc::Heard) == all(Gc::Sent) && all(Gc::Received).abs_diff(4 * writes) <= 24);
    }
}

/// Two CPUs that real-time hogs have for themselves on the second host: its LMS never runs, and nobody's commit ends,
/// though the log is written. By other means all would know.
#[test]
fn an_lms_that_never_runs_keeps_the_commits_of_all_others_waiting() {
    let kind = KindConfig { class: Class::Fifo, priority: 50, ..ordinary() };
    let mut config = commits(2, 50.0, 1.0, interconnect("1GbE", 1500));
    let host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::O1, rt_runtime: None, ..node() };
    let background = Background { processes: 2, busy: Ns::from_s(1e6), sleep: Ns::ZERO, kind: kind.clone() };
    config.nodes[1] = NodeConfig { background, ..host };
    let ended = |world: &World| world.accounts.groups[0].transactions;
    let starved = run(&config, 10.0);
    assert!(ended(&starved) < 10 && sum(&starved, Sum::LogWrites) > 400, "{} transactions", ended(&starved));
    assert!(ended(&run(&silent(config.clone()), 10.0)) > 400);
    // In real time it comes first.
    let lms = config.instances[1].others.lms.as_mut().expect("it has some");
    lms.kind = KindConfig { priority: 60, ..kind };
    let first = run(&config, 10.0);
    assert!(ended(&first) > 400 && sync_ms(&first) < 1.1, "{} ms", sync_ms(&first));
}

/// A session that looks by itself needs the answers too, the last of which are there after 10.12 ms, and writes after
/// one: it sleeps for twice as long. The first few times it does not know of them.
#[test]
fn a_session_that_polls_looks_for_answers_as_well() {
    let mut config = commits(2, 2.0, 1.0, far(5_000.0));
    for instance in &mut config.instances {
        instance.others.database.as_mut().expect("it has one").log.answering = Answering::Poll;
    }
    let world = run(&config, 100.0);
    let found = sync_ms(&world);
    assert!(found > 20.0 && found < 20.4, "{found} ms");
}

/// Writes of 1.9 ms, answers after 4.1: a wait of 4.2 ms is less than the 8.2 of looking, and no reason to change,
/// though it is more than two writes. Where a fifth of the writes take 38 ms, which is more than two mean writes of
/// 9 ms, it is one.
#[test]
fn waits_for_answers_are_no_reason_to_poll() {
    for (share, changes) in [(0.0, 0), (0.2, 1)] {
        let mut config = commits(2, 20.0, 1.9, far(2_000.0));
        for instance in &mut config.instances {
            let database = instance.others.database.as_mut().expect("it has one");
            database.log.answering = Answering::Adaptive;
            database.redo.as_mut().expect("logs apart").service.slow = Some(Slow { share, times: 20.0 });
        }
        let world = run(&config, 30.0);
        assert_eq!(sum(&world, Sum::Changeovers), changes, "{} ms", sync_ms(&world));
    }
}

/// A buffer for one message: most of eight that come at a time are dropped, and come again after half a second.
#[test]
fn what_finds_no_room_comes_again_and_no_commit_is_forgotten() {
    let wires = InterconnectConfig { buffer_bytes: 0, ..interconnect("1GbE", 1500) };
    let mut config = commits(8, 0.0, 1.0, wires);
    config.instances[0].workload.arrivals = Arrivals::Open { per_s: 0.1 };
    let world = run(&config, 600.0);
    let dropped = world.accounts.cluster.get(0, Gc::Dropped);
    let (came, ended) = (sum(&world, Sum::Commits), world.accounts.groups[0].transactions);
    assert!(came > 40 && ended + 1 >= came && dropped > came, "{ended} of {came}, {dropped} dropped");
}

/// Of an LMS that never runs: two messages, accounted for as 1,280 bytes each, are within 3,000, three are not.
#[test]
fn a_buffer_takes_a_message_while_those_in_it_are_within_its_limit() {
    let kind = KindConfig { class: Class::Fifo, priority: 50, ..ordinary() };
    let wires = InterconnectConfig { buffer_bytes: 3_000, ..interconnect("1GbE", 1500) };
    let mut config = commits(2, 50.0, 1.0, wires);
    let host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::O1, rt_runtime: None, ..node() };
    let background = Background { processes: 2, busy: Ns::from_s(1e6), sleep: Ns::ZERO, kind };
    config.nodes[1] = NodeConfig { background, ..host };
    let world = run(&config, 10.0);
    let lms = &world.cluster.as_ref().expect("they are joined").lms[1][0];
    assert_eq!((lms.buffered, world.accounts.cluster.get(1, Gc::Dropped) > 0), (3, true));
}

/// The second of three nodes dies while commits of the first wait for its answers: they end with the reconfiguration,
/// and those that follow need the third alone.
#[test]
fn a_node_that_has_left_is_not_waited_for() {
    use wwi_model::cluster::css::Reason;
    let mut config = commits(3, 500.0, 1.0, far(2_000.0));
    config.cluster.as_mut().expect("they are joined").css = Some(css());
    let mut world = run(&config, 5.0);
    world.evict(&[1], Reason::Misscount);
    let before = world.accounts.groups[0].transactions;
    assert!(world.run(Ns::from_s(5.9), u64::MAX));
    let frozen = world.accounts.groups[0].transactions;
    assert!(frozen - before <= 3, "all wait for the second of the reconfiguration: {}", frozen - before);
    assert!(world.run(Ns::from_s(6.1), u64::MAX));
    let after = world.accounts.groups[0].transactions;
    assert!(after - frozen > 400, "{} that had waited", after - frozen);
    assert!(world.run(Ns::from_s(30.0), u64::MAX));
    let (ended, came) = (world.accounts.groups[0].transactions, sum(&world, Sum::Commits));
    assert!(ended + 20 >= came, "{ended} of {came}");
}

/// Who posts a session works for it: the LMS that takes the last answer, 200 µs, or the log writer after its write.
#[test]
fn a_post_costs_whoever_posts() {
    for (latency, expected) in [(5_000.0, 10.3148), (30.0, 1.215)] {
        let mut config = commits(2, 2.0, 1.0, far(latency));
        for instance in &mut config.instances {
            instance.others.database.as_mut().expect("it has one").log.post = Ns::from_us(200.0);
        }
        let found = sync_ms(&run(&config, 200.0));
        assert!((found / expected - 1.0).abs() < 0.01, "{found} for {expected} ms");
    }
}
