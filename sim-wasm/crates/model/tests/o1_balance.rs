//! Worked examples of balancing under O(1) as Linux 2.6.18 does it: how soon who moves, and where that ends. Hosts of
//! 1000 Hz, without costs of switching or waking, 40 seeds.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::balance::o1::levels::Levels;
use wwi_model::host::balance::o1::Balance;
use wwi_model::host::o1::O1;
use wwi_model::host::policy::{Ended, RunQueue, Why};
use wwi_model::ids::{Pid, ThreadId};
use wwi_model::testing::{hogs, node, one, ordinary};
use wwi_model::world::World;

const SEEDS: u32 = 40;

/// Hogs that start at once, of so much work a transaction.
fn at_once(sessions: u32) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    instance
}

fn cores(sockets: u32, cores: u32, threads: u32) -> NodeConfig {
    let smt_yield = vec![1.0, 1.3];
    NodeConfig { sockets, cores_per_socket: cores, threads_per_core: threads, smt_yield, ..node() }
}

/// A host of O(1) on which the first processes last ran on these threads.
fn placed(host: NodeConfig, instance: InstanceConfig, seed: u32, last: &[u16]) -> World {
    let config = one(NodeConfig { scheduler: Scheduler::O1, ..host }, instance);
    let mut world = World::new(&config, seed);
    for (pid, &thread) in last.iter().enumerate() {
        world.processes[pid].last = ThreadId(thread);
    }
    world
}

fn run(world: &mut World, until_ms: f64) {
    assert!(world.run(Ns::from_ms(until_ms), 10_000_000), "stalled at {:?}", world.now);
}

fn moves(world: &World) -> u64 {
    world.hosts[0].old_balance.as_ref().map_or(0, |balance| balance.moves)
}

/// By CPU: how many run or wait there.
fn counts(world: &World) -> Vec<usize> {
    let queues = world.hosts[0].policy.o1().expect("its queues are those of O(1)");
    (0..world.threads.len()).map(|cpu| queues.number_on(cpu)).collect()
}

/// When a process is moved for the first time, to the millisecond.
fn first_move(world: &mut World, until_ms: f64) -> f64 {
    let mut ms = 0.0;
    while moves(world) == 0 {
        ms += 1.0;
        assert!(ms <= until_ms, "nobody moves: {:?}", counts(world));
        run(world, ms);
    }
    ms
}

/// Each of the two threads of the idle core looks in its cache at one of the ticks 2 to 5, being somewhere in an
/// interval of 4 ms at tick 1, and then on every tick, as nobody can be taken; the fourth time it takes who runs, at
/// tick 5 to 8. The sooner of two is 1 + 9/16 + 4/16 + 1/16 after tick 1 at first, so 5.875 on average.
#[test]
fn two_hogs_on_a_core_part_at_the_fourth_look_of_the_idle_one() {
    let mut found = Vec::new();
    for seed in 0..SEEDS {
        let mut world = placed(cores(1, 2, 2), at_once(2), seed, &[0, 1]);
        run(&mut world, 0.5);
        assert_eq!(counts(&world), [1, 1, 0, 0]);
        found.push(first_move(&mut world, 20.0));
        let [first, second] = [0, 2].map(|core| counts(&world)[core..core + 2].iter().sum::<usize>());
        assert_eq!((first, second), (1, 1));
        let before = moves(&world);
        run(&mut world, 1_000.0);
        assert_eq!(moves(&world), before, "and that is that");
    }
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    assert!(found.iter().all(|ms| (5.0..=8.0).contains(ms)), "{found:?}");
    assert!((mean - 5.875).abs() < 0.5, "{mean}: {found:?}");
}

/// Eight on the first of four CPUs: the idle ones take theirs at their first tick in 4 ms.
#[test]
fn hogs_on_one_cpu_spread_evenly_within_a_few_ticks() {
    for seed in 0..SEEDS {
        let mut world = placed(cores(1, 4, 1), at_once(8), seed, &[0; 8]);
        run(&mut world, 0.5);
        assert_eq!(counts(&world), [8, 0, 0, 0]);
        run(&mut world, 30.0);
        assert!(counts(&world)[1..].iter().all(|&number| number >= 1), "{:?}", counts(&world));
        run(&mut world, 2_000.0);
        assert_eq!(counts(&world), [2, 2, 2, 2]);
        let host = &world.hosts[0];
        let balance = host.old_balance.as_deref().expect("several queues");
        assert!((0..4).all(|cpu| balance.tried(cpu, 0).interval == 4), "balance found makes intervals longer");
        let due = (0..4).map(|cpu| balance.due_at(cpu, 0, true).1).min();
        assert_eq!(Some(balance.soonest(&host.idle)), due, "and a CPU is known to be due that much later");
    }
}

/// One in real time, who never rests, weighs more than a hog and leaves the one beside him nothing: 1153 and 128,
/// average 640. 512 are to be moved, who runs and who waits weigh 576 on average; the difference is more than that. So
/// the hog goes to the other CPU, whose hog weighs as much as he does.
#[test]
fn a_hog_beside_one_in_real_time_goes_where_another_hog_is() {
    let host = NodeConfig { scheduler: Scheduler::O1, rt_runtime: None, ..cores(1, 2, 1) };
    let first = KindConfig { class: Class::Fifo, priority: 1, ..ordinary() };
    let real = InstanceConfig { session_kind: first, ..at_once(1) };
    for seed in 0..SEEDS / 4 {
        let mut config = one(host.clone(), at_once(2));
        config.instances.push(real.clone());
        let mut world = World::new(&config, seed);
        [0, 1, 0].into_iter().enumerate().for_each(|(pid, thread)| world.processes[pid].last = ThreadId(thread));
        run(&mut world, 300.0);
        assert_eq!((counts(&world), moves(&world)), (vec![0, 2], 1));
    }
}

/// Three hogs on two CPUs, five on four: nobody goes round, so two of them have half a CPU for ever.
#[test]
fn the_odd_hog_stays_where_it_is() {
    for (cpus, last) in [(2, vec![0, 0, 1]), (4, vec![0, 0, 1, 2, 3])] {
        for seed in 0..SEEDS / 4 {
            let mut world = placed(cores(1, cpus, 1), at_once(last.len() as u32), seed, &last);
            run(&mut world, 10_000.0);
            assert_eq!(moves(&world), 0);
            let used: Vec<f64> = world.processes.iter().map(|process| process.used.as_ms()).collect();
            assert!(used[..2].iter().all(|used| (used - 5_000.0).abs() < 101.0), "{used:?}");
            assert!(used[2..].iter().all(|used| (used - 10_000.0).abs() < 1.0), "{used:?}");
        }
    }
}

/// Two on a socket of four CPUs, and the other idles: a socket is worth one CPU, so one who runs is moved. Over the
/// host that takes 5 failures, 8 ms apart, the first at one of the ticks 2 to 33: so at tick 34 to 65.
#[test]
fn who_runs_is_moved_to_an_idle_socket() {
    for seed in 0..SEEDS {
        let mut world = placed(cores(2, 4, 1), at_once(2), seed, &[0, 1]);
        let ms = first_move(&mut world, 80.0);
        assert!((34.0..=65.0).contains(&ms), "{ms}");
        run(&mut world, 1_000.0);
        assert_eq!((counts(&world)[..4].iter().sum::<usize>(), moves(&world)), (1, 1));
    }
}

/// Bound to one CPU of four, nobody is moved, by force or not.
#[test]
fn masks_hold() {
    for seed in 0..SEEDS / 4 {
        let mut instance = at_once(3);
        instance.session_kind.cpus = Some(CpuSet(vec![0, 1]));
        let mut world = placed(cores(1, 4, 1), instance, seed, &[0, 0, 0]);
        run(&mut world, 1_000.0);
        assert_eq!(counts(&world)[2..], [0, 0]);
        assert_eq!(counts(&world)[0] + counts(&world)[1], 3);
        assert_eq!(moves(&world), 1);
    }
}

/// `move_tasks` looks at the expired before the active, the best priority first, the last in line first; who runs is
/// the first in line.
#[test]
fn a_queue_is_gone_through_from_the_expired_and_from_the_tail() {
    let mut queue = O1::new(&NodeConfig { cores_per_socket: 2, scheduler: Scheduler::O1, ..node() });
    for (pid, nice) in [(0, 0), (1, 0), (2, 0), (3, 5), (4, -5)] {
        queue.admit(Pid(pid), nice);
    }
    for pid in 0..3 {
        queue.wake(0, Pid(pid), Ns::ZERO);
    }
    let first = queue.turn(0, None, Ns::ZERO).expect("three wait");
    let ended = Ended { pid: first.pid, why: Why::SliceExpired };
    queue.turn(0, Some(ended), first.until);
    queue.wake(0, Pid(3), first.until);
    queue.wake(0, Pid(4), first.until);
    let order = |queue: &O1| queue.list(0).iter().map(|one| (one.pid.0, one.is_running)).collect::<Vec<_>>();
    assert_eq!(order(&queue), [(0, false), (4, false), (2, false), (1, true), (3, false)]);
    assert_eq!(queue.load(0, first.until).raw(), 3 * 128 + 96 + 640, "75 and 500 ms to 100");
    let even = |at, queue: &mut O1| queue.is_even(at, 0..2, (0, 125), first.until);
    assert_eq!((even(0, &mut queue), even(1, &mut queue)), (true, false), "1120 and nothing");
    assert!(!queue.shift(Pid(0), (0, 1), first.until), "nobody runs there");
    assert!(queue.shift(Pid(4), (0, 1), first.until) || queue.turn(1, None, first.until).is_some());
    assert_eq!((queue.load(0, first.until).raw(), queue.load(1, first.until).raw()), (2 * 128 + 96, 128 + 640));
    assert_eq!((even(0, &mut queue), even(1, &mut queue)), (false, true), "352 and 768");
}

/// `rq_best_prio` in `idle_balance`: who has just left is still the one who runs (`rq->curr`), and his priority is that
/// of nice 0 without bonus, five steps down. When the idle task runs it is 140.
#[test]
fn for_a_newly_idle_cpu_the_priority_of_who_left_counts() {
    let mut queue = O1::new(&NodeConfig { scheduler: Scheduler::O1, ..node() });
    queue.admit(Pid(0), 0);
    queue.wake(0, Pid(0), Ns::ZERO);
    queue.turn(0, None, Ns::ZERO);
    assert_eq!(queue.best(0, false), (125, 125));
    assert_eq!(queue.turn(0, Some(Ended { pid: Pid(0), why: Why::Blocked }), Ns::from_ms(1.0)), None);
    assert_eq!((queue.best(0, true), queue.best(0, false)), ((125, 125), (140, 140)));
}

/// `load_balance` where it finds balance: no failures, and twice the interval until it is the longest, from 1 to 4 ms
/// between the CPUs of a cache. A busy CPU looks 64 times as seldom: after the attempt due at tick 64 at tick 192, 448,
/// 704, 960. Of a CPU that idles all the time those at tick 1, 3, 7, 11 … 999.
#[test]
fn what_is_made_up_for_is_what_attempts_in_balance_would_have_left() {
    let levels = || Levels::new(4, 1, 4, 4, 1000);
    for (is_busy, last) in [(true, 960), (false, 999)] {
        let mut balance = Balance::new(levels(), || 0.0);
        balance.catch_up(0, |_| is_busy);
        let tried = balance.tried_mut(2, 0);
        (tried.failed, tried.interval, tried.last) = (3, 1, 0);
        balance.catch_up(1000, |_| is_busy);
        let tried = balance.tried(2, 0);
        assert_eq!((tried.failed, tried.interval, tried.last), (0, 4, last), "busy {is_busy}");
    }
}

/// `rq_best_prio` knows real time: 98 for priority 1, better than any ordinary one. CPU 1 has one in real time that
/// never rests, 1025; CPU 0 two of nice −20 and four hogs, 2560. Average 1792, so 767 are to be moved: less than who
/// of −20 waits, who would move all the same were he the best there (`skip_for_load`). He is not, and the hogs go.
#[test]
fn who_would_wait_behind_real_time_is_not_the_best_of_his_new_queue() {
    let host = NodeConfig { scheduler: Scheduler::O1, rt_runtime: None, ..cores(1, 2, 1) };
    let kind = |class, nice| KindConfig { class, nice, priority: 1, ..ordinary() };
    let of = |sessions, kind| InstanceConfig { session_kind: kind, ..at_once(sessions) };
    for seed in 0..SEEDS / 4 {
        let mut config = one(host.clone(), of(1, kind(Class::Fifo, 0)));
        config.instances.extend([of(2, kind(Class::TimeSharing, -20)), of(4, kind(Class::TimeSharing, 0))]);
        let mut world = World::new(&config, seed);
        (0..7).for_each(|pid| world.processes[pid].last = ThreadId(u16::from(pid == 0)));
        run(&mut world, 0.5);
        assert_eq!(counts(&world), [6, 0]);
        run(&mut world, 300.0);
        assert_eq!((counts(&world), moves(&world)), (vec![2, 4], 4));
    }
}
