//! Who serves a block that several hold, what that costs, and to which part of a request its time belongs.
use wwi_kernel::time::Ns;
use wwi_model::cluster::message::Hold;
use wwi_model::cluster::protocol::GlobalCache;
use wwi_model::cluster::request::{Part, Want};
use wwi_model::config::cluster::Flush;
use wwi_model::config::{Arrivals, Config};
use wwi_model::measure::cluster::{Gc, Reply, REPLIES};
use wwi_model::measure::database::Sum;
use wwi_model::testing::*;
use wwi_model::world::World;

/// Instances on hosts of their own with a session each that mostly thinks: (reads, changes) of a transaction.
fn idle(loads: &[(f64, f64)], blocks: u32) -> Config {
    let instances = loads.iter().enumerate().map(|(node, &(reads, changes))| {
        let mut lms = lms(reads, changes);
        lms.flush = Flush::Never;
        member(node, 1, Ns::from_ms(20.0), lms)
    });
    Config { nodes: vec![node(); loads.len()], instances: instances.collect(), cluster: Some(cluster(blocks)), seed: 1 }
}

fn run(config: &Config, seconds: f64) -> World {
    let mut world = World::new(config, 0);
    world.run(Ns::from_s(seconds), u64::MAX);
    world
}

/// A block that its holder has shared goes as it is, as one that is given away does: 20 + 40 + 50 + 24 µs, and not the
/// 20 + 100 + 50 + 24 of a copy. The reader gets two copies after each change; then the holder gives its lock down.
/// Where the next read comes before the next change with probability p, p + p² copies are built for each change.
#[test]
fn a_block_that_is_held_shared_is_sent_without_building_a_copy() {
    let world = run(&idle(&[(20.0, 0.0), (0.0, 0.3)], 100), 60.0);
    let sums = &world.accounts.cluster;
    let pair = sums.pair(0, 1, Reply::CrBlock);
    let copies = sums.get(1, Gc::CrBuildTime) as f64 / 100_000.0;
    let (served, shared) = (sums.get(1, Gc::CrServed) as f64, sums.get(1, Gc::CrServed) as f64 - copies);
    assert!(copies > 500.0 && shared > 0.15 * served, "{copies} copies, {shared} shared");
    let ends = [0, 1].map(|at| world.accounts.databases[at].get(Sum::Commits) as f64);
    let (reads, changes) = (20.0 * ends[0], 0.3 * ends[1]);
    let p = reads / (reads + changes);
    // At the start each of the 100 blocks is as one that was just changed.
    let by_hand = (changes + 100.0) * (p + p * p);
    assert!((copies / by_hand - 1.0).abs() < 0.08, "{copies} copies for {by_hand}");
    // The holder of every third read may have to tell the master that it gives its lock down: 15 µs.
    let told = sums.get(1, Gc::DownConverts) as f64;
    let expected = (copies * 194.0 + shared * 134.0 + told * 15.0) / served;
    let work = pair.parts[Part::Work as usize] as f64 / 1e3 / pair.requests as f64;
    assert!((work / expected - 1.0).abs() < 0.01, "{work} µs for {expected}");
}

/// Messages cost LMS 1 ms here. Who asks holds the block shared and is its master, so that the other LMS gives up, and
/// the own one hears of that, and grants: of both milliseconds the first is time for others to give up.
#[test]
fn until_others_have_given_up_nobody_works_for_a_request() {
    let mut config = idle(&[(4.0, 1.0), (4.0, 0.0)], 100);
    config.cluster.as_mut().expect("they are joined").costs.message = Ns::from_ms(1.0);
    let world = run(&config, 60.0);
    let pair = world.accounts.cluster.pair(0, 0, Reply::CurrentGrant);
    let ms = |part: Part| pair.parts[part as usize] as f64 / 1e6 / pair.requests as f64;
    assert!(pair.requests > 200, "{}", pair.requests);
    assert!((ms(Part::Work) - 1.015).abs() < 0.02, "{} ms of work", ms(Part::Work));
    assert!(ms(Part::Defer) > 1.1, "{} ms until they have", ms(Part::Defer));
    assert_eq!(pair.busy, pair.requests, "who waits for other holders has found the block busy");
}

/// What lies in the queue of an LMS is a request on its way, once or twice, or a task: a block has come that messages
/// were kept for. Only the first are messages, and what they wait for is their requests' time.
#[test]
fn the_queue_time_of_messages_is_that_of_requests() {
    let mut config = idle(&[(0.0, 1.0), (0.0, 1.0)], 4);
    config.cluster.as_mut().expect("they are joined").costs.wakeup = Ns::ZERO;
    config.cluster.as_mut().expect("they are joined").broadcasts = false;
    for (node, instance) in config.instances.iter_mut().enumerate() {
        let lms = instance.others.lms.as_deref().expect("it has them").clone();
        *instance = member(node, 10, Ns::from_ms(1.0), lms);
    }
    let sums = run(&config, 20.0).accounts.cluster;
    let all = || [0, 1].into_iter().flat_map(|from| [0, 1].map(|server| (from, server)));
    let pairs = all().flat_map(|(from, server)| REPLIES.map(|reply| sums.pair(from, server, reply)));
    let expected: u64 = pairs.map(|pair| pair.parts[Part::Dispatch as usize] + pair.parts[Part::Queue as usize]).sum();
    let found = sums.get(0, Gc::QueueTime) + sums.get(1, Gc::QueueTime);
    assert!(expected > 10_000_000 && (found as f64 / expected as f64 - 1.0).abs() < 0.01, "{found} ns for {expected}");
}

/// One block in twenty from the third instance waits for a second, none of the second's does while it is looked at. In
/// all starts these take as long as one another; and yet up to three could have waited in that time: behind one that
/// did, for a block that the second has yet to get.
#[test]
fn means_of_requests_allow_for_three_more_of_the_longest_in_the_cluster() {
    let mut config = idle(&[(4.0, 0.0), (0.0, 1.0), (0.0, 1.0)], 100_000);
    let slow = Flush::Given { share: 0.05, current: 0.0, takes: Ns::from_s(1.0) };
    config.instances[2].others.lms.as_mut().expect("it is joined").flush = slow;
    let found = finish(&config, goal(0.5, 2_000_000));
    let row = |server| found.pairs.iter().find(|row| (row.from, row.server, row.reply) == (1, server, "cr block"));
    let (from_2, from_3) = (row(2).expect("asked"), row(3).expect("asked"));
    assert!(from_2.mean_ms.mean < 1.0 && from_3.mean_ms.mean > 20.0, "{from_2:?}, {from_3:?}");
    let requests = from_2.per_s.mean * found.simulated_s;
    let half = from_2.mean_ms.ci95.expect("many starts");
    let by_hand = 3.0 * 1_000.6 / requests;
    assert!((half / by_hand - 1.0).abs() < 0.01, "±{half} ms for {by_hand}, {requests} requests");
}

/// All read and all change a little; each holds what the others hold, so each serves as much as the others.
#[test]
fn instances_that_do_the_same_serve_the_same() {
    let world = run(&idle(&[(20.0, 0.05); 6], 6 * 128), 60.0);
    let served: Vec<f64> = (0..6).map(|member| world.accounts.cluster.get(member, Gc::CrServed) as f64).collect();
    let mean = served.iter().sum::<f64>() / 6.0;
    assert!(mean > 1_000.0, "{mean}");
    assert!(served.iter().all(|one| (one / mean - 1.0).abs() < 0.2), "{served:?}");
}

/// Copies count from the last change on: where hardly any block is read twice before it is changed again, its holder
/// builds a copy for nearly every read and keeps its lock.
#[test]
fn copies_of_before_a_change_are_forgotten_with_it() {
    let world = run(&idle(&[(0.3, 0.0), (0.0, 20.0)], 100), 60.0);
    let sums = &world.accounts.cluster;
    let (copies, served) = (sums.get(1, Gc::CrBuildTime) / 100_000, sums.get(1, Gc::CrServed));
    assert!(served > 300 && 20 * copies > 19 * served, "{copies} copies of {served}");
}

#[test]
fn what_one_of_two_instances_tells_the_other_hears() {
    let world = run(&idle(&[(20.0, 0.0), (0.0, 0.3)], 100), 20.0);
    let [told, heard] = [Gc::Told, Gc::Heard].map(|of| [0, 1].map(|at| world.accounts.cluster.get(at, of)));
    assert_eq!([heard[1], heard[0]], told);
    assert!(told[0] > told[1] + 100, "who asks tells more: {told:?}");
}

/// Thirty sessions read what one changes: blocks of 68 µs wait for the port of who sends them, and requests of 2 µs
/// for next to nothing.
#[test]
fn messages_wait_for_the_port_of_who_sends_them() {
    let mut config = idle(&[(20.0, 0.0), (0.0, 3.0)], 100);
    config.instances[0].workload.arrivals = Arrivals::Closed { sessions: 30, think: Ns::ZERO, start_spread: Ns(1) };
    let world = run(&config, 10.0);
    let [asks, sends] = [0, 1].map(|at| world.accounts.cluster.get(at, Gc::SendQueueTime));
    assert!(sends > 1_000_000 && sends > 5 * asks, "{sends} and {asks} ns");
}

/// As above, and every fifth block gets lost: it is asked for again and sent as it is, 20 + 50 µs, built or not.
#[test]
fn a_block_that_got_lost_is_sent_again_and_not_built_again() {
    let mut config = idle(&[(20.0, 0.0), (0.0, 0.3)], 100);
    config.cluster.as_mut().expect("they are joined").interconnect.lost = 0.2;
    let world = run(&config, 200.0);
    let (sums, us) = (&world.accounts.cluster, |of: u64| of as f64 / 1e3);
    let copies = sums.get(1, Gc::CrBuildTime) as f64 / 100_000.0;
    let [served, told, lost] =
        [(1, Gc::CrServed), (1, Gc::DownConverts), (0, Gc::Lost)].map(|(at, of)| sums.get(at, of) as f64);
    assert!(lost > 100.0 && lost > 0.15 * served, "{lost} of {served}");
    let by_hand = (copies * 194.0 + (served - copies) * 134.0 + told * 15.0 + lost * 70.0) / served;
    let pair = sums.pair(0, 1, Reply::CrBlock);
    let work = us(pair.parts[Part::Work as usize]) / pair.requests as f64;
    assert!((work / by_hand - 1.0).abs() < 0.02, "{work} µs for {by_hand}");
}

/// Requests by two hops and by three are all there are.
#[test]
fn the_means_of_two_and_of_three_hops_make_the_mean_of_all() {
    let report = finish(&idle(&[(2.0, 1.0); 3], 1_000), goal(0.05, 2_000_000));
    let mixed = report.pairs.iter().filter(|row| row.three_way_percent > 0.0 && row.three_way_percent < 100.0);
    assert!(mixed.count() > 3, "{:?}", report.pairs);
    for row in &report.pairs {
        let three = row.three_way_percent / 100.0;
        let mean = (1.0 - three) * row.two_way_ms + three * row.three_way_ms;
        near_rel(row.mean_ms.mean, mean, 1e-9, row.reply);
    }
}

/// Redo before a copy and redo before a block that is given away have shares of their own, and an LMS that waits for
/// either goes on after it.
#[test]
fn given_shares_of_flushes_are_of_copies_and_of_blocks_that_are_given_away() {
    for (share, current, waits_for_flush) in [(0.0, 1.0, false), (1.0, 0.0, false), (0.5, 0.5, true)] {
        let mut config = idle(&[(2.0, 2.0), (2.0, 2.0)], 100);
        for instance in &mut config.instances {
            let lms = instance.others.lms.as_mut().expect("it is joined");
            lms.flush = Flush::Given { share, current, takes: Ns::from_ms(0.1) };
            lms.waits_for_flush = waits_for_flush;
        }
        let sums = run(&config, 30.0).accounts.cluster;
        let both = |of: Gc| (sums.get(0, of) + sums.get(1, of)) as f64;
        let (copies, given) = (both(Gc::CrFlushes), both(Gc::CurrentFlushes));
        let (served, left) = (both(Gc::CrServed), both(Gc::CurrentServed));
        assert!(served > 500.0 && left > 500.0, "{served} copies and {left} blocks");
        assert!((copies / served - share).abs() < 0.06, "{copies} of {served} copies");
        assert!((given / left - current).abs() < 0.06, "{given} of {left} blocks");
    }
}

/// Three hold a block shared, and one that has none is to change it: two give up, the third sends it. Who asks
/// meanwhile stands in line at the master, and has waited for other holders, too.
#[test]
fn who_waits_behind_a_request_for_which_others_give_up_is_busy() {
    let mut cache = GlobalCache::new(vec![0], 5, 1, 2);
    (1..4).for_each(|member| cache.starts_with(0, member, Hold::Shared));
    let mut sends = Vec::new();
    let [first, second] = [(0, Want::Change), (4, Want::Read)].map(|(from, want)| cache.ask(from, 0, want));
    cache.at_master(first, &mut sends);
    assert_eq!((sends.len(), cache.request(first).times.is_busy), (2, true));
    cache.at_master(second, &mut sends);
    assert_eq!((sends.len(), cache.request(second).times.is_busy), (2, true));
}
