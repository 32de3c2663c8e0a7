//! Nodes that send no heartbeats, and LMS that do not move: who leaves the cluster, when, and how the others go on.
use wwi_kernel::time::Ns;
use wwi_model::cluster::css::{Eviction, Reason};
use wwi_model::cluster::message::Hold;
use wwi_model::config::cluster::Flush;
use wwi_model::config::*;
use wwi_model::ids::Pid;
use wwi_model::measure::cluster::Gc;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::testing::*;
use wwi_model::world::World;

fn s(seconds: f64) -> Ns {
    Ns::from_s(seconds)
}

fn fifo(priority: u32) -> KindConfig {
    KindConfig { class: Class::Fifo, priority, ..ordinary() }
}

/// So many nodes of two CPUs with a session each that reads and changes a shared block every 20 ms, and heartbeats.
fn nodes(count: usize) -> Config {
    let instance = |node| {
        let mut instance = member(node, 1, Ns::from_ms(20.0), lms(1.0, 1.0));
        instance.others.heartbeat = Some(Box::new(ordinary()));
        instance
    };
    let mut joined = cluster(1_000);
    joined.css = Some(css());
    let host = NodeConfig { cores_per_socket: 2, ..node() };
    Config { nodes: vec![host; count], instances: (0..count).map(instance).collect(), cluster: Some(joined), seed: 3 }
}

/// Real-time processes that ask for all of a node, with so much of a second for them.
fn occupy(config: &mut Config, at: usize, runtime_ms: Option<f64>) {
    let host = &mut config.nodes[at];
    host.background = Background { processes: 2, busy: s(1.0), sleep: Ns::ZERO, kind: fifo(50) };
    host.rt_runtime = runtime_ms.map(Ns::from_ms);
}

fn run(config: &Config, seconds: f64) -> World {
    let mut world = World::new(config, 0);
    assert!(world.run(s(seconds), u64::MAX));
    world
}

fn evictions(world: &World) -> Vec<Eviction> {
    world.cluster.as_ref().and_then(|of| of.css.as_ref()).map_or(Vec::new(), |css| css.evictions.clone())
}

fn transactions(world: &World) -> Vec<u64> {
    world.accounts.groups[..world.instances.len()].iter().map(|group| group.transactions).collect()
}

#[test]
fn real_time_demand_of_all_cpus_for_longer_than_misscount_evicts_the_node() {
    for sick in 0..3 {
        for misscount in [30.0, 5.0] {
            let mut config = nodes(3);
            occupy(&mut config, sick, None);
            config.cluster.as_mut().expect("they are joined").css =
                Some(wwi_model::config::cluster::CssConfig { misscount: s(misscount), ..css() });
            let mut world = run(&config, misscount + 10.0);
            let found = evictions(&world);
            assert_eq!(found.len(), 1, "{found:?}");
            assert_eq!((usize::from(found[0].member), found[0].reason), (sick, Reason::Misscount));
            // They asked for all of it from the start.
            let at = found[0].at.as_s();
            assert!((misscount..misscount + 2.0).contains(&at), "at {at}");
            let before = transactions(&world);
            assert!(world.run(s(misscount + 15.0), u64::MAX));
            let after = transactions(&world);
            for node in 0..3 {
                assert_eq!(after[node] > before[node], node != sick, "{before:?} {after:?}");
            }
            let is_there = |pid: &usize| world.processes[*pid].node as usize == sick && !world.tasks[*pid].is_gone;
            assert_eq!((0..world.processes.len()).filter(is_there).count(), 0, "all of its processes are gone");
        }
    }
}

#[test]
fn with_950_of_1000_it_stays_and_so_it_does_where_the_kernel_thread_comes_first() {
    let mut limited = nodes(3);
    occupy(&mut limited, 1, Some(950.0));
    assert_eq!(evictions(&run(&limited, 100.0)), []);
    let mut first = nodes(3);
    occupy(&mut first, 1, None);
    first.instances[1].others.heartbeat = Some(Box::new(fifo(60)));
    assert_eq!(evictions(&run(&first, 69.0)), []);
    // But its LMS, an ordinary process, has not moved.
    let found = evictions(&run(&first, 100.0));
    assert_eq!(found.iter().map(|gone| (gone.member, gone.reason)).collect::<Vec<_>>(), [(1, Reason::Hung)]);
    // One CPU is left.
    let mut half = nodes(3);
    occupy(&mut half, 1, None);
    half.nodes[1].background.processes = 1;
    assert_eq!(evictions(&run(&half, 100.0)), []);
}

#[test]
fn of_two_nodes_the_one_with_the_lower_number_stays_whichever_is_starved() {
    for sick in 0..2 {
        let mut config = nodes(2);
        occupy(&mut config, sick, None);
        let world = run(&config, 40.0);
        let found: Vec<u8> = evictions(&world).iter().map(|gone| gone.member).collect();
        assert_eq!(found, [1], "{sick} is starved");
        assert_eq!(world.cluster.expect("they were joined").cache.masters(), [0]);
    }
}

#[test]
fn ordinary_load_evicts_nobody_under_any_scheduler() {
    for scheduler in SCHEDULERS {
        let mut config = nodes(2);
        config.nodes[1].scheduler = scheduler;
        config.nodes[1].background = Background { processes: 16, busy: s(1.0), sleep: Ns::ZERO, kind: ordinary() };
        let found: Vec<u8> = evictions(&run(&config, 69.0)).iter().map(|gone| gone.member).collect();
        // Without pre-emption two that never rest leave nothing to others.
        let expected: &[u8] = if scheduler == Scheduler::Fifo { &[1] } else { &[] };
        assert_eq!(found, expected, "{scheduler:?}");
    }
}

/// While the global cache is set up anew nobody gets a block; what the evicted one held is free, and all goes on.
#[test]
fn the_others_stand_still_for_the_reconfiguration_and_go_on_with_all_blocks() {
    let mut config = nodes(3);
    config.cluster.as_mut().expect("they are joined").css =
        Some(wwi_model::config::cluster::CssConfig { reconfiguration: s(4.0), ..css() });
    let mut world = run(&config, 5.0);
    let served = |world: &World| {
        let of = |instance| {
            world.accounts.cluster.get(instance, Gc::CrServed) + world.accounts.cluster.get(instance, Gc::CurrentServed)
        };
        (0..3).map(of).collect::<Vec<u64>>()
    };
    let holds = |world: &World, member: u8| {
        let cache = &world.cluster.as_ref().expect("they are joined").cache;
        (0..cache.blocks()).filter(|&block| cache.local(member, block).hold == Hold::Exclusive).count()
    };
    assert!(holds(&world, 2) > 100);
    world.evict(&[2], Reason::Misscount);
    let before = served(&world);
    assert_eq!(holds(&world, 2), 0);
    assert!(world.run(s(8.99), u64::MAX));
    assert_eq!(served(&world), before, "nobody serves anything");
    let still = transactions(&world);
    assert!(world.run(s(30.0), u64::MAX));
    let (after, end) = (served(&world), transactions(&world));
    assert!(after[0] > before[0] + 100 && after[1] > before[1] + 100 && after[2] == before[2], "{before:?} {after:?}");
    assert!(end[0] > still[0] + 500 && end[1] > still[1] + 500 && end[2] == still[2], "{still:?} {end:?}");
}

/// Three instances of which two change shared blocks and nothing else, as fast as they can; the third shares none.
fn changers(sessions: u32, reconfiguration: Ns) -> Config {
    let mut config = nodes(3);
    for (at, instance) in config.instances.iter_mut().enumerate() {
        let changes = if at < 2 { 1.0 } else { 0.0 };
        instance.others.lms = Some(Box::new(lms(0.0, changes)));
        instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: s(0.01) };
        let database = instance.others.database.as_mut().expect("it has one");
        (database.transaction.reads, database.redo) = (0.0, Some(device(1, Ns::from_ms(2.0), Shape::Constant)));
    }
    let mut joined = cluster(300);
    (joined.broadcasts, joined.css) = (false, Some(wwi_model::config::cluster::CssConfig { reconfiguration, ..css() }));
    config.cluster = Some(joined);
    config
}

fn summed(world: &World, sum: Gc) -> u64 {
    (0..3).map(|instance| world.accounts.cluster.get(instance, sum)).sum()
}

/// Requests begin anew: what log writers were about to tell of redo for them, in line or at work, is about nothing. No
/// request is for a copy, and none is answered while nobody gets a block.
#[test]
fn redo_that_a_request_waited_for_before_a_reconfiguration_is_not_told_of_after_it() {
    let ms = Ns::from_ms;
    for reconfiguration in [0.0, 5.0, 200.0] {
        let mut config = changers(20, ms(reconfiguration));
        for instance in &mut config.instances {
            instance.others.database.as_mut().expect("it has one").log.post = ms(1.0);
        }
        for start in 0..20 {
            let case = format!("{reconfiguration} ms, start {start}");
            let mut world = World::new(&config, start);
            assert!(world.run(s(0.5 + 0.0017 * f64::from(start)), u64::MAX));
            world.evict(&[2], Reason::Misscount);
            let (now, before) = (world.now, summed(&world, Gc::CurrentServed));
            assert!(world.run(now.plus(Ns(ms(reconfiguration).0.saturating_sub(1))), u64::MAX));
            assert_eq!(summed(&world, Gc::CurrentServed), before, "{case}: nobody serves anything");
            assert!(world.run(now.plus(s(1.0)), u64::MAX));
            assert_eq!(summed(&world, Gc::CrServed), 0, "{case}: nobody asked for a copy");
            assert!(summed(&world, Gc::CurrentServed) > before + 50, "{case}: they go on");
        }
    }
}

/// What an instance holds it uses, and what it was about to give away it holds: the one that leaves held no block, so
/// none is read from disk, whoever was its master.
#[test]
fn a_block_that_has_not_left_its_holder_is_not_lost_in_a_reconfiguration() {
    for (reads, lost) in [(0.0, 0.0), (2.0, 0.0), (0.0, 0.2)] {
        let mut config = changers(20, s(0.05));
        for instance in &mut config.instances[..2] {
            instance.others.lms.as_mut().expect("it is joined").reads = reads;
        }
        config.cluster.as_mut().expect("they are joined").interconnect.lost = lost;
        for start in 0..20 {
            let case = format!("{reads} reads, {lost} lost, start {start}");
            let mut world = World::new(&config, start);
            assert!(world.run(s(0.5 + 0.0017 * f64::from(start)), u64::MAX));
            let before = summed(&world, Gc::CurrentServed);
            world.evict(&[2], Reason::Misscount);
            let now = world.now;
            assert!(world.run(now.plus(s(2.0)), u64::MAX));
            let read: u64 = world.accounts.databases.iter().map(|of| of.get(Sum::Reads)).sum();
            assert_eq!(read, 0, "{case}");
            assert!(summed(&world, Gc::CurrentServed) > before + 20, "{case}: they go on");
        }
    }
}

#[test]
fn an_lms_that_has_not_moved_for_70_s_ends_its_instance() {
    // It may run on one CPU only, which a real-time process has for itself; heartbeats go by the other.
    let mut bound = nodes(3);
    occupy(&mut bound, 1, None);
    bound.nodes[1].background.processes = 1;
    let only = Some(CpuSet(vec![0]));
    bound.nodes[1].background.kind.cpus.clone_from(&only);
    bound.instances[1].others.lms.as_mut().expect("it is joined").kind.cpus = only;
    let mut world = run(&bound, 100.0);
    let found = evictions(&world);
    assert_eq!((found.len(), found[0].member, found[0].reason), (1, 1, Reason::Hung), "{found:?}");
    // 70 s, and up to the next look.
    assert!((70.0..92.0).contains(&found[0].at.as_s()), "{found:?}");
    let before = transactions(&world);
    assert!(world.run(s(110.0), u64::MAX));
    let after = transactions(&world);
    assert!(after[0] > before[0] + 100 && after[1] == before[1] && after[2] > before[2] + 100, "{before:?} {after:?}");
    // One that waits for redo and does nothing else, where a write takes longer; one that goes on meanwhile moves.
    for waits in [true, false] {
        let mut config = nodes(2);
        config.cluster.as_mut().expect("they are joined").blocks = 5;
        let slow = &mut config.instances[1].others;
        let lms = slow.lms.as_mut().expect("it is joined");
        (lms.waits_for_flush, lms.flush) = (waits, Flush::Dirty);
        slow.database.as_mut().expect("it has one").redo = Some(device(1, s(500.0), Shape::Constant));
        let found = evictions(&run(&config, 120.0));
        let expected: &[u8] = if waits { &[1] } else { &[] };
        assert_eq!(found.iter().map(|gone| gone.member).collect::<Vec<u8>>(), expected, "{found:?}");
        assert!(
            found.iter().all(|gone| gone.reason == Reason::Hung && (70.0..92.0).contains(&gone.at.as_s())),
            "{found:?}"
        );
    }
}

/// Blocks that only the evicted node held are read from disk, each once. What is told is of the time after that: a
/// cluster of three that has lost one does what two of its own do.
#[test]
fn figures_of_those_that_stay_are_not_of_the_time_when_lost_blocks_are_read_again() {
    let told = |mut config: Config| {
        for instance in &mut config.instances {
            instance.others.database = Some(Box::new(database()));
        }
        let mut joined = cluster(5_000);
        joined.css = Some(wwi_model::config::cluster::CssConfig { misscount: s(5.0), ..css() });
        config.cluster = Some(joined);
        finish(&config, goal(0.1, 20_000_000))
    };
    let mut three = nodes(3);
    occupy(&mut three, 1, None);
    let (left, two) = (told(three), told(nodes(2)));
    assert!(left.evictions.len() == left.replications as usize && two.evictions.is_empty());
    let [found, right] = [&left, &two].map(|report| report.response.mean_ms.clone());
    let apart = (found.mean - right.mean).abs();
    assert!(apart < 0.02 * right.mean, "{found:?} after the eviction, {right:?} of two");
}

/// Instances that share nothing but commits, and of these the SCN: no block was ever asked for when one leaves.
#[test]
fn an_instance_leaves_while_others_work_on_messages_about_no_block() {
    let mut config = nodes(3);
    for instance in &mut config.instances {
        let of = lms(0.0, 0.0);
        instance.others.lms = Some(Box::new(of));
        let database = instance.others.database.as_mut().expect("it has one");
        let of = &mut database.transaction;
        (of.calls, of.reads, of.commit_waits) = (1, 0.0, false);
        instance.workload.arrivals = Arrivals::Closed { sessions: 4, think: Ns::from_ms(0.2), start_spread: s(0.01) };
    }
    let joined = config.cluster.as_mut().expect("they are joined");
    joined.costs.message = Ns::from_us(300.0);
    joined.css = Some(wwi_model::config::cluster::CssConfig { misscount: s(3.0), heartbeat: s(0.5), ..css() });
    occupy(&mut config, 2, None);
    for replication in 0..8 {
        let mut world = World::new(&config, replication);
        assert!(world.run(s(8.0), u64::MAX));
        assert_eq!(evictions(&world).len(), 1);
        let before = transactions(&world);
        assert!(world.run(s(10.0), u64::MAX));
        let after = transactions(&world);
        assert!(after[0] > before[0] && after[1] > before[1] && after[2] == before[2], "{before:?} {after:?}");
    }
}

/// A node leaves with everything that runs on it: who comes to another instance there goes nowhere, too.
#[test]
fn nobody_comes_to_any_instance_of_a_host_that_has_left() {
    let mut config = nodes(3);
    let mut beside = hogs(0);
    beside.node = 2;
    beside.workload.arrivals = Arrivals::Open { per_s: 50.0 };
    beside.workload.demand.mean = Ns::from_ms(1.0);
    beside.session_kind = fifo(60);
    config.instances.push(beside);
    config.cluster.as_mut().expect("they are joined").css =
        Some(wwi_model::config::cluster::CssConfig { misscount: s(3.0), ..css() });
    occupy(&mut config, 2, None);
    let mut world = run(&config, 6.0);
    assert_eq!(evictions(&world).len(), 1);
    let before = transactions(&world)[3];
    assert!(before > 50 && world.run(s(16.0), u64::MAX));
    assert_eq!(transactions(&world)[3], before);
}

/// Who waited for its first slot when its instance left has waited: time in the system is time of those who were in it.
#[test]
fn littles_law_holds_where_those_who_wait_for_a_slot_leave() {
    let mut config = nodes(3);
    for instance in &mut config.instances {
        instance.workload.arrivals = Arrivals::Closed { sessions: 16, think: Ns::ZERO, start_spread: s(0.5) };
        instance.workload.demand.mean = Ns::from_ms(200.0);
        instance.workload.ends = Some(Ending { executions: 40, begins: Ns::ZERO, skew: Ns::ZERO });
        instance.cage = Some(cage(1));
    }
    config.cluster.as_mut().expect("they are joined").css =
        Some(wwi_model::config::cluster::CssConfig { misscount: s(3.0), heartbeat: s(0.5), ..css() });
    occupy(&mut config, 1, None);
    let report = finish(&config, goal(0.1, 20_000_000));
    assert!(!report.evictions.is_empty());
    let broken: Vec<_> = report.checks.iter().filter(|check| !check.ok).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

/// Real time takes all of host 2 at random moments, so that in some starts its session is killed and in others it ends.
#[test]
fn starts_in_which_nobody_ended_say_nothing_of_how_long_a_session_takes() {
    let mut config = nodes(3);
    for instance in &mut config.instances {
        instance.workload.ends = Some(Ending { executions: 100, begins: Ns::ZERO, skew: Ns::ZERO });
    }
    config.cluster.as_mut().expect("they are joined").css =
        Some(wwi_model::config::cluster::CssConfig { misscount: s(1.0), heartbeat: s(0.1), ..css() });
    let kind = fifo(50);
    config.nodes[1].background = Background { processes: 2, busy: s(1.0), sleep: s(0.7), kind };
    config.nodes[1].rt_runtime = None;
    let report = finish(&config, goal(0.01, 2_000_000));
    let [alone, row] = [0, 1].map(|at| &report.ended[at]);
    let ended = row.ends.last_s.reps.iter().filter(|&&last| last > 0.0).count();
    assert!(ended == report.replications as usize && !report.evictions.is_empty(), "{:?}", report.evictions);
    // 100 times 20 ms of CPU; who is killed has had some of it.
    assert!(row.elapsed_s.mean > 2.0 && row.ends.first_s.mean > 2.0, "{row:?}");
    assert!(row.cpu_s.mean < 0.95 * alone.cpu_s.mean, "{row:?}");
    let all = report.ends.as_ref().expect("it ends").elapsed_s.mean;
    let each: Vec<f64> = report.ended.iter().map(|row| row.elapsed_s.mean).collect();
    assert!(each.iter().any(|&one| one < all) && each.iter().any(|&one| one > all), "{all} and {each:?}");
}

/// Host 2 alone has a session, which is killed in every start: more starts would say no more of it.
#[test]
fn a_run_in_which_everybody_is_killed_is_not_looked_at_again_and_again() {
    let mut config = nodes(3);
    for (at, instance) in config.instances.iter_mut().enumerate() {
        let sessions = u32::from(at == 1);
        instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: s(0.1) };
        instance.workload.ends = Some(Ending { executions: 10_000, begins: Ns::ZERO, skew: Ns::ZERO });
    }
    config.cluster.as_mut().expect("they are joined").css =
        Some(wwi_model::config::cluster::CssConfig { misscount: s(1.0), heartbeat: s(0.1), ..css() });
    occupy(&mut config, 1, None);
    let report = finish(&config, goal(0.01, 50_000_000));
    assert!(report.ended.is_empty() && report.replications < 16, "{} starts", report.replications);
}

/// Requests begin anew, so that no LMS has a message of before to take, and none waits for redo of before: once all
/// sessions are gone each idles, with room for as many messages as at the start.
#[test]
fn an_lms_has_nothing_left_of_before_a_reconfiguration() {
    let mut had = [0, 0];
    for start in 0..20 {
        let mut world = World::new(&changers(20, s(0.05)), start);
        assert!(world.run(s(0.5 + 0.0017 * f64::from(start)), u64::MAX));
        let sums = |world: &World| {
            let all = world.cluster.as_ref().expect("they are joined").lms.iter().flatten();
            all.fold([0, 0], |sum, lms| [sum[0] + lms.flushing, sum[1] + lms.buffered])
        };
        had = [0, 1].map(|at| had[at] + sums(&world)[at]);
        world.evict(&[2], Reason::Misscount);
        let is_session = |&pid: &usize| usize::from(world.processes[pid].group) < world.instances.len();
        let sessions: Vec<usize> = (0..world.processes.len()).filter(is_session).collect();
        sessions.into_iter().for_each(|pid| world.kill(Pid(pid as u32)));
        let after = world.now.plus(s(1.0));
        let quiet = window(&mut world, after, after.plus(s(1.0)));
        assert_eq!(sums(&world), [0, 0], "start {start}");
        let waits = quiet.groups.iter().map(|group| group.time[Activity::GCS_LOG_FLUSH_SYNC.i()]).sum::<u64>();
        assert_eq!(waits, 0, "start {start}");
    }
    assert!(had[0] > 20 && had[1] > 0, "waits for redo and messages in line: {had:?}");
}
