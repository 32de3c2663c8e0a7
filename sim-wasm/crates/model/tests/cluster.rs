//! The global cache of a cluster, and what a request for a block takes.
use wwi_kernel::time::Ns;
use wwi_model::cluster::message::Message;
use wwi_model::cluster::request::{Part, RequestId};
use wwi_model::config::cluster::{Flush, InterconnectConfig};
use wwi_model::config::Config;
use wwi_model::measure::cluster::{Gc, Pair, Reply, REPLIES};
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::testing::*;
use wwi_model::world::databases::Pace;
use wwi_model::world::World;

fn run(config: &Config, seconds: f64) -> World {
    let mut world = World::new(config, 0);
    world.run(Ns::from_s(seconds), u64::MAX);
    world
}

/// As many instances as there are loads, each on a host of its own, nearly idle: (reads, changes) of a transaction.
fn idle(loads: &[(f64, f64)], interconnect: InterconnectConfig) -> Config {
    let instances = loads.iter().enumerate().map(|(node, &(reads, changes))| {
        let mut lms = lms(reads, changes);
        lms.flush = Flush::Never;
        member(node, 1, Ns::from_ms(20.0), lms)
    });
    let mut cluster = cluster(100_000);
    cluster.interconnect = interconnect;
    Config { nodes: vec![node(); loads.len()], instances: instances.collect(), cluster: Some(cluster), seed: 1 }
}

fn mean_us(pair: Pair) -> f64 {
    pair.time() as f64 / 1e3 / pair.requests as f64
}

/// All requests of one kind that an instance made; itself it grants what others had to give up first.
fn asked(world: &World, from: usize, reply: Reply) -> Pair {
    let mut all = Pair::default();
    for pair in (0..world.instances.len()).map(|server| world.accounts.cluster.pair(from, server, reply)) {
        all.requests += pair.requests;
        all.three_way += pair.three_way;
        all.busy += pair.busy;
        all.congested += pair.congested;
        all.parts.iter_mut().zip(pair.parts).for_each(|(sum, part)| *sum += part);
    }
    all
}

/// Waits of the sessions of an instance for an event.
fn waits(world: &World, instance: usize, event: Activity) -> u64 {
    world.accounts.groups[instance].stays[event.i()].count()
}

/// The table of docs/cluster.md, section 5, worked out by hand: CR 2-way, CR 3-way, current 2-way, grant \[µs\].
const LATENCIES: [(&str, u32, [f64; 4]); 5] = [
    ("1GbE", 1500, [433.3, 520.7, 373.3, 169.8]),
    ("1GbE", 9000, [393.3, 480.7, 333.3, 169.8]),
    ("10GbE", 1500, [334.0, 401.3, 274.0, 129.5]),
    ("10GbE", 9000, [294.0, 361.3, 234.0, 129.5]),
    ("InfiniBand", 1500, [267.2, 327.3, 207.2, 115.2]),
];

#[test]
fn idle_latencies_are_the_sums_of_their_parts() {
    for (name, mtu, [cr, three, current, grant]) in LATENCIES {
        let of = interconnect(name, mtu);
        let near = |found: f64, expected: f64, what: &str| {
            assert!((found / expected - 1.0).abs() < 0.02, "{name} {mtu} {what}: {found} for {expected} µs");
        };
        let two = run(&idle(&[(1.0, 0.0), (0.0, 1.0)], of), 20.0);
        near(mean_us(asked(&two, 0, Reply::CrBlock)), cr, "CR 2-way");
        let changes = run(&idle(&[(0.0, 1.0), (0.0, 1.0)], of), 20.0);
        near(mean_us(asked(&changes, 0, Reply::CurrentBlock)), current, "current 2-way");
        let mut reads = idle(&[(0.0, 0.0), (0.0, 0.0)], of);
        for instance in &mut reads.instances {
            instance.others.database.as_mut().expect("it has one").transaction.reads = 1.0;
        }
        near(mean_us(asked(&run(&reads, 20.0), 0, Reply::CrGrant)), grant, "grant");
        // The third is master of a third of the blocks that the second holds, and nothing else.
        let all = run(&idle(&[(1.0, 0.0), (0.0, 1.0), (0.0, 0.0)], of), 60.0);
        let found = asked(&all, 0, Reply::CrBlock);
        assert!((found.three_way as f64 / found.requests as f64 - 1.0 / 3.0).abs() < 0.05, "{found:?}");
        near(mean_us(found), (2.0 * cr + three) / 3.0, "CR, a third of it 3-way");
    }
}

/// A holder without the undo builds nothing: it tells the master, if that is another, that it gives its lock down, in
/// 15 µs. Such a block takes as long as ever but for that and the 100 µs of the copy. Who asks next gets the block as
/// the holder has it, with a lock: there is nothing to build. Who asked asks half of the time for leave to read the
/// undo (169.8 µs), reads it (4 ms) and builds the copy, before its transaction goes on.
#[test]
fn a_copy_whose_undo_is_not_cached_is_built_by_who_asked() {
    let mut config = idle(&[(1.0, 0.0), (0.0, 1.0)], interconnect("1GbE", 1500));
    for database in config.instances.iter_mut().filter_map(|of| of.others.database.as_deref_mut()) {
        database.data.service.shape = Shape::Constant;
        *database.redo.as_mut().expect("it has one") = database.data;
    }
    let parts = |config: &Config| {
        let world = run(config, 60.0);
        let pair = world.accounts.cluster.pair(0, 1, Reply::CrBlock);
        let us = |part: Part| pair.parts[part as usize] as f64 / 1e3 / pair.requests as f64;
        (us(Part::Work), us(Part::Receive), mean_us(pair), world)
    };
    let (work, receive, mean, plain) = parts(&config);
    assert!((work - 194.0).abs() < 2.0, "20 + 100 + 50 + 24: {work}");
    assert!((receive - 54.0).abs() < 1.0, "30 + 24: {receive}");
    assert_eq!(plain.accounts.cluster.get(1, Gc::LightWorks), 0);
    config.instances[1].others.lms.as_mut().expect("it is joined").light = 1.0;
    let (light, taken, whole, world) = parts(&config);
    let sums = &world.accounts.cluster;
    let [served, told, lights] = [Gc::CrServed, Gc::DownConverts, Gc::LightWorks].map(|sum| sums.get(1, sum) as f64);
    let share = lights / served;
    assert!(served > 1_000.0 && share > 0.9 && share < 1.0, "{lights} of {served}");
    let [by_light, as_it_is] = [work - 100.0 + 7.5, work - 100.0 + 40.0];
    assert!((light - (share * by_light + (1.0 - share) * as_it_is)).abs() < 2.0, "{light} µs");
    assert!((taken - receive).abs() < 1.0, "{taken} µs");
    assert!((whole - mean + share * 92.5 + (1.0 - share) * 60.0).abs() < 4.0, "{mean} µs, then {whole}");
    assert!((told / lights - 0.5).abs() < 0.05, "{told} of {lights}: master of half of the blocks is the other");
    assert_eq!(sums.get(1, Gc::CrBuildTime), 0);
    let reads = world.accounts.databases[0].get(Sum::Reads) as f64;
    assert!((reads - lights).abs() <= 1.0, "{reads} reads for {lights}");
    assert_eq!(waits(&world, 0, Activity::DB_FILE_SEQUENTIAL_READ) as f64, reads);
    let leave = asked(&world, 0, Reply::CrGrant).requests as f64;
    assert!((leave / lights - 0.5).abs() < 0.05, "{leave} for {lights}");
    let [before, after] = [&plain, &world].map(|world| &world.accounts.groups[0].response);
    let expected = (served * (whole - mean) + leave * 169.8 + lights * 4_100.0) / after.count() as f64;
    let found = (after.mean() - before.mean()) / 1e3;
    assert!((found - expected).abs() < 20.0, "{found} µs more for {expected}");
}

#[test]
fn two_instances_never_need_a_third() {
    let world = run(&idle(&[(2.0, 1.0), (2.0, 1.0)], interconnect("1GbE", 1500)), 20.0);
    for from in 0..2 {
        assert!(REPLIES.iter().all(|&reply| asked(&world, from, reply).three_way == 0));
        assert_eq!(waits(&world, from, Activity::GC_CR_3WAY) + waits(&world, from, Activity::GC_CURRENT_3WAY), 0);
        assert!(waits(&world, from, Activity::GC_CR_2WAY) > 500);
        assert!(waits(&world, from, Activity::GC_CURRENT_2WAY) > 100);
    }
}

/// A block is read once in 4 s and changed once in 150: without the pilot, which tells what was read before the start,
/// instances would ask for a minute for what they hold by then.
#[test]
fn closed_sessions_begin_with_the_blocks_where_long_runs_have_them() {
    let mut config = idle(&[(4.0, 0.1); 3], interconnect("10GbE", 1500));
    config.cluster.as_mut().expect("they are joined").blocks = 10_000;
    for (node, sessions) in [(0, 8), (1, 5), (2, 2)] {
        config.instances[node] = member(node, sessions, Ns::from_ms(20.0), lms(4.0, 0.1));
    }
    let requests = |world: &World| -> f64 {
        let from = |from| REPLIES.iter().map(move |&reply| asked(world, from, reply).requests as f64);
        (0..3).flat_map(from).sum()
    };
    let first_against_later = |paces: &[Pace]| {
        let mut world = World::paced(&config, 0, paces);
        let mut upto = |seconds: f64| {
            world.run(Ns::from_s(seconds), u64::MAX);
            requests(&world)
        };
        let (first, settled, end) = (upto(5.0), upto(80.0), upto(120.0));
        first / 5.0 / ((end - settled) / 40.0)
    };
    let (paces, _) = World::paces(&config, 1_000_000);
    let (told, untold) = (first_against_later(&paces), first_against_later(&[]));
    assert!((told - 1.0).abs() < 0.04, "{told}");
    assert!(untold > 1.3, "{untold}");
}

/// A short run says how fast each instance runs with an error. That of one start is none of another, and a start that
/// looks from what is known of all finds what a long run does.
#[test]
fn starts_of_a_closed_cluster_look_for_themselves_how_fast_it_runs() {
    let mut config = idle(&[(4.0, 0.1); 3], interconnect("10GbE", 1500));
    config.cluster.as_mut().expect("they are joined").blocks = 10_000;
    for (node, sessions) in [(0, 8), (1, 5), (2, 2)] {
        config.instances[node] = member(node, sessions, Ns::from_ms(20.0), lms(4.0, 0.1));
    }
    let (shared, _) = World::paces(&config, 1_000_000);
    let own: Vec<Vec<Pace>> = (0..40).map(|number| World::paces_of(&config, number, &shared, 1_000_000).0).collect();
    let mut world = World::paced(&config, 0, &shared);
    world.run(Ns::from_s(200.0), u64::MAX);
    for at in 0..3 {
        let paces: Vec<f64> = own.iter().map(|paces| 1e9 * paces[at].commits).collect();
        // A second counts whole commits: two starts may come to the same number.
        assert!(paces.iter().filter(|&&pace| pace == paces[0]).count() < 5, "{paces:?}");
        let (mean, half) = (wwi_kernel::stats::mean(&paces), wwi_kernel::stats::half_width(&paces).expect("several"));
        let long = world.accounts.databases[at].get(Sum::Commits) as f64 / 200.0;
        assert!((mean - long).abs() < 1.5 * half + 0.01 * long, "instance {at}: {mean} ±{half} for {long}");
    }
}

/// A busy cluster whose few blocks change hands all the time, some of them lost on the way.
fn busy(instances: usize, blocks: u32, lost: f64) -> Config {
    let mut config = idle(&vec![(3.0, 2.0); instances], interconnect("1GbE", 1500));
    let of = config.cluster.as_mut().expect("they are joined");
    (of.blocks, of.interconnect.lost) = (blocks, lost);
    for instance in &mut config.instances {
        let joined = lms(3.0, 2.0);
        *instance = member(instance.node, 8, Ns::from_ms(5.0), joined);
    }
    config
}

#[test]
fn blocks_sent_are_received_or_lost() {
    let us = Ns::from_us;
    let patient = us(500_000.0);
    // Who looks every 20 µs whether a lost block has come looks often before the LMS takes up that it is lost.
    let cases = [(2, 30, 0.0, patient), (3, 10, 0.02, patient), (4, 300, 0.05, patient), (3, 30, 0.05, us(20.0))];
    for (instances, blocks, lost, retry) in cases {
        let mut config = busy(instances, blocks, lost);
        config.cluster.as_mut().expect("they are joined").retry = retry;
        let world = run(&config, 5.0);
        let sums = &world.accounts.cluster;
        let sum = |of: Gc| (0..instances).map(|instance| sums.get(instance, of)).sum::<u64>();
        let received = |reply: Reply| (0..instances).map(|from| asked(&world, from, reply).requests).sum::<u64>();
        let under_way = world.cluster.as_ref().expect("there is one").cache.under_way() as u64;
        let served = sum(Gc::CrServed) + sum(Gc::CurrentServed);
        let came = received(Reply::CrBlock) + received(Reply::CurrentBlock);
        // What is served once and lost is sent again, and comes in the end.
        assert!(served >= came && served <= came + under_way, "{served} served, {came} came, {under_way} under way");
        assert!(came > 1_000, "{came}");
        let again = sum(Gc::Lost) as f64 / came as f64;
        assert!((again - lost / (1.0 - lost)).abs() < 0.01, "{again} of {lost}");
        let lost_waits: u64 = (0..instances)
            .map(|i| waits(&world, i, Activity::GC_CR_LOST) + waits(&world, i, Activity::GC_CURRENT_LOST))
            .sum();
        assert_eq!(lost_waits > 0, lost > 0.0);
        let given = (0..instances).map(|from| asked(&world, from, Reply::CurrentBlock).parts[Part::Defer as usize]);
        assert!(given.sum::<u64>() > 0, "some wait for a block that has yet to come");
        assert_eq!(sum(Gc::PinTime), 0, "nobody pins a block");
    }
}

/// What one tells the others hear, and each request without a block on the way is two messages: idle, the port is free.
#[test]
fn messages_are_counted_on_both_sides() {
    let all = |world: &World, of: Gc| (0..2).map(|instance| world.accounts.cluster.get(instance, of)).sum::<u64>();
    let world = run(&idle(&[(1.0, 0.0), (0.0, 1.0)], interconnect("1GbE", 1500)), 20.0);
    let (sent, told, heard) = (all(&world, Gc::Sent), all(&world, Gc::Told), all(&world, Gc::Heard));
    let blocks = asked(&world, 0, Reply::CrBlock).requests + asked(&world, 1, Reply::CurrentBlock).requests;
    assert_eq!(told, heard);
    // What is on its way at the end.
    assert!((sent - told).abs_diff(blocks) <= 2, "{sent} sent, {told} without a block, {blocks} blocks");
    assert!(all(&world, Gc::SendQueueTime) < sent * 1_000, "a port that is idle sends at once");
    let world = run(&busy(2, 30, 0.0), 5.0);
    assert!(all(&world, Gc::SendQueueTime) > 0 && all(&world, Gc::Told) == all(&world, Gc::Heard));
}

/// Some sessions of an instance change a block again and again and keep it pinned for 5 ms each time; another instance
/// asks for it so seldom that its own sessions do not meet, and grants a stay. Its requests, with the time they waited
/// for that, and the time of pins for each block given away \[ms\].
fn beside_pins(sessions: u32, stay: f64) -> (u64, f64, f64) {
    let mut config = idle(&[(0.0, 1.0), (0.0, 1.0)], interconnect("1GbE", 1500));
    let of = config.cluster.as_mut().expect("they are joined");
    (of.blocks, of.pin, of.defer) = (1, Ns::from_ms(5.0), Ns::from_ms(stay));
    config.instances[0].workload.arrivals =
        wwi_model::config::Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    config.instances[1].workload.arrivals = wwi_model::config::Arrivals::Open { per_s: 2.0 };
    for instance in &mut config.instances {
        let database = instance.others.database.as_mut().expect("it has one");
        (database.transaction.calls, database.transaction.commit_waits) = (1, false);
    }
    let world = run(&config, 500.0);
    let pair = world.accounts.cluster.pair(1, 0, Reply::CurrentBlock);
    let defer = pair.parts[Part::Defer as usize] as f64 / 1e6 / pair.requests as f64;
    let [pinned, served] = [Gc::PinTime, Gc::CurrentServed].map(|sum| world.accounts.cluster.get(0, sum) as f64);
    (pair.requests, defer, pinned / served / 1e6)
}

/// It asks at moments that have nothing to do with the pins, and waits for what is left of one, half of 5 ms: for as
/// long as that takes, where nobody stands in line, whatever the stay. Where others always do it gets the block at the
/// first end of a pin after the stay, which has nothing to do with them either: half of 5 ms after its end.
#[test]
fn a_holder_waits_for_a_pin_to_its_end_and_for_those_in_line_as_long_as_their_stay() {
    for (sessions, stay, expected) in
        [(1, 0.0, 2.5), (1, 1.0, 2.5), (1, 1_000.0, 2.5), (4, 0.0, 2.5), (4, 3.0, 5.5), (4, 7.0, 9.5)]
    {
        let (requests, defer, pinned) = beside_pins(sessions, stay);
        let name = format!("{sessions} sessions, {stay} ms");
        assert!(requests > 700, "{requests} requests: {name}");
        assert!((defer / expected - 1.0).abs() < 0.08, "{defer} ms for {expected}: {name}");
        assert!((pinned / expected - 1.0).abs() < 0.08, "{pinned} ms of pins for {expected}: {name}");
    }
}

/// Consecutive blocks are of one LMS; broadcasts of commits have them by turns.
#[test]
fn sixteen_blocks_in_a_row_have_the_same_lms() {
    let mut config = idle(&[(1.0, 1.0), (1.0, 1.0)], interconnect("1GbE", 1500));
    config.instances[1].others.lms.as_mut().expect("it is joined").count = 3;
    let world = World::new(&config, 0);
    let cluster = world.cluster.as_ref().expect("they are joined");
    for (first, expected) in [(0, 0), (16, 1), (32, 2), (48, 0), (9_984, 0), (10_000, 1)] {
        let of: Vec<usize> = (first..first + 16).map(|block| cluster.lms_of(1, block)).collect();
        assert_eq!(of, [expected; 16], "blocks from {first} on");
    }
    let of_scn = |id: u32| cluster.lms_of(1, cluster.number_of(Message::Scn, RequestId(id)));
    let turns: Vec<usize> = (0..4).map(of_scn).collect();
    assert!(turns.windows(2).all(|two| two[1] == (two[0] + 1) % 3), "{turns:?}");
}

/// Of three instances two thirds of the blocks have another as master; of three quarters of the reads it is asked.
#[test]
fn reads_of_objects_that_are_mastered_here_need_no_leave() {
    for (affinity, expected) in [(0.0, 2.0 / 3.0), (0.25, 0.5), (1.0, 0.0)] {
        let mut config = idle(&[(0.0, 0.0); 3], interconnect("1GbE", 1500));
        for instance in &mut config.instances {
            instance.others.lms.as_mut().expect("it has them").affinity = affinity;
            let database = instance.others.database.as_mut().expect("it has one");
            (database.transaction.reads, database.transaction.redo) = (10.0, 0.0);
            database.data.service.mean = Ns::from_us(10.0);
        }
        let world = run(&config, 20.0);
        for (at, sums) in world.accounts.databases.iter().enumerate() {
            let asked = asked(&world, at, Reply::CrGrant).requests as f64 / sums.get(Sum::Reads) as f64;
            assert!((asked - expected).abs() < 0.02, "{affinity}: {asked} of the reads of instance {at}");
        }
    }
}

/// An LMS that needs 1 ms a message, and 100 sessions of another instance that ask it and nobody else. In a buffer of
/// ten messages none waits longer than for those ten and the one before them; where there is room for all, for the
/// other 99. What is dropped comes again after 500 ms, and each is answered once.
#[test]
fn what_finds_the_buffer_of_an_lms_full_comes_again() {
    let asked_by_100 = |messages: u32| {
        let mut config = idle(&[(0.0, 0.0), (0.0, 0.0)], interconnect("1GbE", 1500));
        let of = config.cluster.as_mut().expect("they are joined");
        let charge = of.interconnect.charge();
        (of.interconnect.buffer_bytes, of.costs.message) = (charge * (messages - 1), Ns::from_ms(1.0));
        config.nodes[0].cores_per_socket = 64;
        let mut none = lms(0.0, 0.0);
        none.flush = Flush::Never;
        config.instances[0] = member(0, 100, Ns::ZERO, none);
        let database = config.instances[0].others.database.as_mut().expect("it has one");
        (database.transaction.reads, database.transaction.redo) = (1.0, 0.0);
        database.data = device(1000, Ns::from_us(10.0), wwi_model::meet::device::Shape::Constant);
        let world = run(&config, 20.0);
        let pair = world.accounts.cluster.pair(0, 1, Reply::CrGrant);
        let ms = |part: Part| pair.parts[part as usize] as f64 / 1e6 / pair.requests as f64;
        (pair, ms(Part::Queue), ms(Part::Wire), world.accounts.cluster.get(1, Gc::Dropped))
    };
    let (all, queue, wire, dropped) = asked_by_100(205);
    // 1 ms a message, 15 µs to send, and the wake-up once.
    assert!(
        dropped == 0 && (queue - 99.0 * 1.015).abs() < 2.0 && wire < 0.2,
        "{dropped} dropped, {queue} ms, {wire} ms"
    );
    let (some, queue, wire, dropped) = asked_by_100(10);
    assert!(queue < 11.0 * 1.015 && queue > 8.0, "{queue} ms");
    assert!(dropped > 1_000, "{dropped}");
    // Each time it was dropped is 500 ms more on the wire; those still under way are not among them.
    let again = dropped as f64 * 500.0 / some.requests as f64;
    assert!(wire <= again + 0.2 && wire > 0.05 * again, "{wire} ms of {again}");
    assert!((some.requests as f64 / all.requests as f64 - 1.0).abs() < 0.05, "the LMS is busy all the time");
}

#[test]
fn every_wait_for_a_block_has_a_name_and_each_request_one_wait() {
    let world = run(&busy(3, 50, 0.0), 5.0);
    use Activity as A;
    let named = [
        A::GC_CR_2WAY,
        A::GC_CR_3WAY,
        A::GC_CR_BUSY,
        A::GC_CR_CONGESTED,
        A::GC_CURRENT_2WAY,
        A::GC_CURRENT_3WAY,
        A::GC_CURRENT_BUSY,
        A::GC_CURRENT_CONGESTED,
        A::GC_CR_GRANT,
        A::GC_CURRENT_GRANT,
        A::GC_CURRENT_GRANT_BUSY,
        A::GC_CURRENT_GRANT_CONGESTED,
    ];
    for from in 0..3 {
        let found: u64 = named.iter().map(|&event| waits(&world, from, event)).sum();
        let all: u64 = REPLIES.iter().map(|&reply| asked(&world, from, reply).requests).sum();
        // Those that woke and have yet to take what came.
        assert!(found >= all && found <= all + 8, "{found} waits, {all} requests");
        assert_eq!(waits(&world, from, A::GC_CR_REQUEST) + waits(&world, from, A::GC_CURRENT_REQUEST), 0);
        assert!(waits(&world, from, A::GC_BUFFER_BUSY_ACQUIRE) > 0 && waits(&world, from, A::GC_CR_BUSY) > 0);
    }
}

/// A log writer that never rests, and blocks that are changed every few milliseconds: a flush waits for the rest of a
/// write and then for its own, one and a half of them where they are constant and who asks comes at any moment of one.
/// Given, it is what is given.
#[test]
fn blocks_wait_for_redo_as_long_as_the_log_writer_needs() {
    use wwi_model::meet::device::Shape;
    let mut config = idle(&[(1.0, 0.0), (0.0, 4.0)], interconnect("1GbE", 1500));
    config.cluster.as_mut().expect("they are joined").blocks = 20;
    for instance in &mut config.instances {
        instance.others.lms.as_mut().expect("it is joined").flush = Flush::Dirty;
        let database = instance.others.database.as_mut().expect("it has one");
        database.redo = Some(device(1, Ns::from_ms(200.0), Shape::Constant));
        database.transaction.commit_waits = false;
    }
    config.instances[1].workload.arrivals =
        wwi_model::config::Arrivals::Closed { sessions: 8, think: Ns::from_ms(2.0), start_spread: Ns::from_ms(10.0) };
    let reader = |think| wwi_model::config::Arrivals::Closed { sessions: 1, think, start_spread: Ns::from_ms(10.0) };
    config.instances[0].workload.arrivals = reader(Ns::from_s(1.0));
    let world = run(&config, 400.0);
    let sums = &world.accounts.cluster;
    let flush = sums.get(1, Gc::CrFlushTime) as f64 / 1e6 / sums.get(1, Gc::CrFlushes) as f64;
    assert!((flush / 300.0 - 1.0).abs() < 0.05, "{flush} ms for 300");
    config.instances[0].workload.arrivals = reader(Ns::from_ms(5.0));
    config.instances[1].others.lms.as_mut().expect("it is joined").flush =
        Flush::Given { share: 0.05, current: 0.0, takes: Ns::from_ms(100.0) };
    let world = run(&config, 60.0);
    let sums = &world.accounts.cluster;
    let (flushes, served) = (sums.get(1, Gc::CrFlushes) as f64, sums.get(1, Gc::CrServed) as f64);
    assert!((flushes / served - 0.05).abs() < 4.0 * (0.05 * 0.95 / served).sqrt(), "{flushes} of {served}");
    let time = sums.get(1, Gc::CrFlushTime) as f64 / 1e6 / flushes;
    assert!((time - 100.0).abs() < 0.5, "{time} ms");
}

/// Sessions wait for many events of one class here.
#[test]
fn active_sessions_over_time_have_each_class_once_with_all_of_its_events() {
    let report = finish(&busy(3, 50, 0.0), goal(0.05, 400_000));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    for classes in report.series.nodes.iter().chain([&report.series.classes]) {
        let mut names: Vec<&str> = classes.iter().map(|(class, _)| *class).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), classes.len(), "{names:?}");
    }
    let of = |classes: &[(&'static str, Vec<f64>)]| {
        let column = classes.iter().find(|(class, _)| *class == "Cluster").map(|(_, values)| mean(values));
        column.expect("sessions wait for blocks")
    };
    let expected = report.aas.iter().find(|row| row.class == "Cluster").expect("it is told").aas.mean;
    let whole = of(&report.series.classes);
    assert!((whole / expected - 1.0).abs() < 0.2, "{whole} over time, {expected} in the table");
    let nodes: f64 = report.series.nodes.iter().map(|node| of(node)).sum();
    assert!((nodes / whole - 1.0).abs() < 1e-9, "{nodes} on all hosts, {whole} in all");
}
