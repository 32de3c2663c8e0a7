//! The rules of Linux O(1), one by one.
mod one_thread;
use one_thread::{hog, server, sleeper, Habit, OneThread};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::o1::{Sleep, O1};
use wwi_model::host::policy::{Ended, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::{hogs, node, one, ordinary};
use wwi_model::world::World;

fn thread(processes: &[(i32, Habit)]) -> OneThread<O1> {
    let mut queue = O1::new(&NodeConfig { cores_per_socket: 1, scheduler: Scheduler::O1, ..node() });
    for (pid, &(nice, _)) in processes.iter().enumerate() {
        queue.admit(Pid(pid as u32), nice);
    }
    OneThread::new(queue, &processes.iter().map(|p| p.1).collect::<Vec<_>>())
}

/// Lengths of the stays of a process \[ms\], without the first, which may begin between ticks.
fn lengths(thread: &OneThread<O1>, pid: u32) -> Vec<f64> {
    thread.stays.iter().filter(|s| s.0 == pid).skip(1).map(|s| s.2 - s.1).collect()
}

#[test]
fn slices_are_5_to_800_ms_by_nice_value() {
    for (nice, slice) in [(-20, 800.0), (-10, 600.0), (-1, 420.0), (0, 100.0), (10, 50.0), (19, 5.0)] {
        let mut pair = thread(&[(nice, hog(0.0)), (nice, hog(0.0))]);
        pair.run(20_000.0);
        assert!(lengths(&pair, 0).iter().all(|&l| l == slice), "{nice}: {:?}", lengths(&pair, 0));
    }
}

#[test]
fn everybody_has_one_slice_before_anybody_has_a_second() {
    let mut three = thread(&[(0, hog(0.0)), (-10, hog(0.0)), (10, hog(0.0))]);
    three.run(75_000.0);
    let shares: Vec<f64> = (0..3).map(|pid| three.share(pid, 0.0) * 750.0).collect();
    for (share, slice) in shares.iter().zip([100.0, 600.0, 50.0]) {
        assert!((share / slice - 1.0).abs() < 0.01, "{shares:?}");
    }
}

#[test]
fn a_sleeper_pre_empts_a_hog_at_once_and_the_hog_keeps_the_rest_of_its_slice() {
    let mut pair = thread(&[(0, hog(0.0)), (0, hog(0.0)), (0, sleeper(5_000.0, 3.0, 57.0))]);
    pair.run(20_000.0);
    let late: Vec<_> = pair.stays.iter().filter(|s| s.1 > 8_000.0).collect();
    let woken: Vec<_> = late.iter().filter(|s| s.0 == 2).collect();
    assert!(woken.iter().all(|s| s.2 - s.1 == 3.0), "it is never pre-empted itself: {woken:?}");
    assert!(woken.windows(2).all(|w| w[1].1 - w[0].2 == 57.0), "it runs when it wakes up: {woken:?}");
    // A slice is 100 ticks that find the hog running, whoever came between.
    let mut slice = 0.0;
    for pair in late.windows(2).skip_while(|w| w[0].0 != 0 || w[1].0 != 1).skip(1) {
        match (pair[0], pair[1]) {
            (stay, next) if stay.0 == 1 && next.0 == 0 => {
                slice += stay.2 - stay.1;
                break;
            }
            (stay, _) => slice += if stay.0 == 1 { stay.2 - stay.1 } else { 0.0 },
        }
    }
    assert!((99.0..=101.0).contains(&slice), "{slice}");
}

#[test]
fn one_long_sleep_makes_a_process_interactive_and_no_more() {
    let mut pair = thread(&[(0, hog(0.0)), (0, sleeper(0.0, 10.0, 60_000.0))]);
    pair.run(60_500.0);
    assert_eq!(pair.queue.bonus(Pid(1)), 7);
    assert_eq!(pair.queue.bonus(Pid(0)), 0);
}

#[test]
fn back_from_a_long_sleep_it_goes_round_in_the_active_array_for_about_700_ms() {
    // The kernel's comment at INTERACTIVE_SLEEP gives the 700 ms.
    let mut pair = thread(&[(0, hog(0.0)), (0, sleeper(0.0, 5_000.0, 60_000.0))]);
    pair.run(90_000.0);
    let back = pair.stays.iter().find(|s| s.0 == 1 && s.1 > 60_000.0).expect("it ran again");
    assert!((700.0..=900.0).contains(&(back.2 - back.1)), "{back:?}");
}

#[test]
fn the_interactive_wait_for_an_expired_one_after_a_second_for_each_runnable() {
    // Ten processes that keep their bonus need more than the CPU; without the limit the hog would not run again.
    let sleepers = (0..10).map(|n| (0, sleeper(10_000.0 + f64::from(n), 6.0, 50.0)));
    let mut crowd = thread(&std::iter::once((0, hog(0.0))).chain(sleepers).collect::<Vec<_>>());
    crowd.run(10_500.0);
    let before = crowd.stays.iter().filter(|s| s.0 == 0).count();
    crowd.run(60_000.0);
    let hog: Vec<f64> = crowd.stays.iter().filter(|s| s.0 == 0).skip(before).map(|s| s.1).collect();
    assert!(hog.len() > 2, "{hog:?}");
}

/// A process of a nice value that slept twice as long as said and after that ran for no time, on a thread of its own.
fn bonus_after(nice: i32, sleep: Sleep, slept_ms: f64) -> i64 {
    let mut queue = O1::new(&NodeConfig { scheduler: Scheduler::O1, ..node() });
    queue.admit(Pid(0), nice);
    let mut now = Ns::ZERO;
    for _ in 0..3 {
        queue.slept(sleep);
        queue.wake(0, Pid(0), now);
        queue.turn(0, None, now);
        queue.turn(0, Some(Ended { pid: Pid(0), why: Why::Blocked }), now);
        now += Ns::from_ms(slept_ms);
    }
    queue.bonus(Pid(0))
}

/// `recalc_task_prio`: SLEEP_NONINTERACTIVE gets no further than INTERACTIVE_SLEEP, 799 ms at nice 0, and nobody
/// further than NS_MAX_SLEEP_AVG, 1 s, though INTERACTIVE_SLEEP is more from nice 12 on.
#[test]
fn deaf_sleep_lifts_to_what_makes_interactive_and_no_sleep_beyond_the_most() {
    assert_eq!(bonus_after(0, Sleep::Posted, 400.0), 8);
    assert_eq!(bonus_after(0, Sleep::Deaf, 390.0), 7, "780 ms");
    assert_eq!(bonus_after(0, Sleep::Deaf, 600.0), 7, "799 of 1200 ms");
    assert_eq!(bonus_after(0, Sleep::Posted, 600.0), 10);
    assert_eq!(bonus_after(0, Sleep::Posted, 5000.0), 10, "the second long one");
    assert_eq!(bonus_after(19, Sleep::Posted, 5000.0), 10, "1.2 s, cut to 1");
}

#[test]
fn who_begins_rested_has_what_such_sleep_lifts_to() {
    let mut queue = O1::new(&NodeConfig { scheduler: Scheduler::O1, ..node() });
    (0..3).for_each(|pid| queue.admit(Pid(pid), 0));
    queue.rest(Pid(0), Sleep::Posted);
    queue.rest(Pid(1), Sleep::Deaf);
    assert_eq!([0, 1, 2].map(|pid| queue.bonus(Pid(pid))), [10, 7, 0]);
}

/// `activate_task`, `schedule`: the first wait in the queue counts whole after an interrupt, by 38/128 after another
/// process's post, and not at all after deaf sleep.
#[test]
fn the_first_wait_counts_by_who_woke_the_process() {
    for (sleep, bonus) in [(Sleep::Interrupted, 3), (Sleep::Posted, 0), (Sleep::Deaf, 0)] {
        let mut queue = O1::new(&NodeConfig { cores_per_socket: 1, scheduler: Scheduler::O1, ..node() });
        (0..2).for_each(|pid| queue.admit(Pid(pid), 0));
        queue.wake(0, Pid(0), Ns::ZERO);
        queue.turn(0, None, Ns::ZERO);
        queue.slept(sleep);
        queue.wake(0, Pid(1), Ns::ZERO);
        queue.turn(0, Some(Ended { pid: Pid(0), why: Why::SliceExpired }), Ns::from_ms(320.0));
        assert_eq!(queue.bonus(Pid(1)), bonus, "{sleep:?}");
    }
}

/// A process with 6 ms of work every 10 ms against a hog, perhaps after one long sleep: its bonus after a minute.
fn bonus_at_60_percent(slept_long: bool) -> i64 {
    let habits = [(0, hog(5_000.0)), (0, server(5_000.0, 6.0, 10.0))];
    let mut pair = thread(&habits);
    if slept_long {
        pair.queue.wake(0, Pid(1), Ns::ZERO);
        pair.queue.turn(0, None, Ns::ZERO);
        pair.queue.turn(0, Some(Ended { pid: Pid(1), why: Why::Blocked }), Ns::from_ms(1.0));
    }
    pair.run(65_000.0);
    pair.queue.bonus(Pid(1))
}

#[test]
fn at_60_percent_of_a_cpu_the_bonus_stays_as_it_began() {
    assert_eq!(bonus_at_60_percent(false), 0);
    assert!(bonus_at_60_percent(true) >= 9, "{}", bonus_at_60_percent(true));
}

/// A server of 2 ms a request and four hogs on two CPUs: 99th percentile of its response \[ms\], requests left.
fn served(per_s: f64, sessions: u32) -> (f64, usize) {
    let mut host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::O1, ..node() };
    let demand = Demand { mean: Ns::from_ms(2.0), shape: DemandShape::Constant };
    host.service =
        Some(ServiceConfig { servers: 1, arrivals: ServiceArrivals::Poisson, per_s, demand, kind: ordinary() });
    let mut world = World::new(&one(host, hogs(sessions)), 0);
    world.run(Ns::from_s(200.0), u64::MAX);
    (world.accounts.groups[2].response.quantile(0.99) / 1e6, world.waiting_requests(0))
}

/// A small LMS of 150 µs a request, on a CPU with two hogs that start within so many seconds: its mean response in the
/// minute after \[ms\], and the requests left.
fn small_lms(per_s: f64, spread_s: f64, seed: u64) -> (f64, usize) {
    let mut host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::O1, ..node() };
    let demand = Demand { mean: Ns::from_us(150.0), shape: DemandShape::Constant };
    host.service =
        Some(ServiceConfig { servers: 1, arrivals: ServiceArrivals::Poisson, per_s, demand, kind: ordinary() });
    let mut instance = hogs(2);
    instance.workload.arrivals = Arrivals::Closed { sessions: 2, think: Ns::ZERO, start_spread: Ns::from_s(spread_s) };
    let mut world = World::new(&Config { seed, ..one(host, instance) }, 0);
    world.run(Ns::from_s(spread_s + 10.0), u64::MAX);
    let before = world.accounts.groups[2].response.clone();
    world.run(Ns::from_s(spread_s + 70.0), u64::MAX);
    (world.accounts.groups[2].response.since(&before).mean() / 1e6, world.waiting_requests(0))
}

/// At three tenths of a CPU, with two hogs on it: whoever has no bonus waits for a slice of each whenever it has slept.
/// The network wakes it, so those 200 ms count whole as sleep, while the work that piles up meanwhile costs 86 ms: it
/// gains, and answers as if alone. With more to do than the third of a CPU it gets it never sleeps, and gains nothing;
/// with the bonus from the beginning it has the CPU that it needs, and keeps it.
#[test]
fn a_small_lms_among_hogs_gains_the_bonus_if_it_sleeps_at_all_and_keeps_it_if_it_has_it() {
    let alone = |load: f64| 0.15 * (1.0 + load / (2.0 * (1.0 - load)));
    for seed in 1..4 {
        for (per_s, spread_s) in [(2_000.0, 0.1), (2_000.0, 20.0), (2_400.0, 20.0)] {
            let (mean, left) = small_lms(per_s, spread_s, seed);
            let expected = alone(per_s * 150e-6);
            assert!((mean / expected - 1.0).abs() < 0.05 && left < 20, "{per_s}, {spread_s}: {mean} ms, {expected}");
        }
        let (_, left) = small_lms(2_400.0, 0.1, seed);
        assert!(left > 5_000, "{left} requests left of 144,000");
    }
}

#[test]
fn a_server_of_10_percent_answers_as_if_alone_and_one_of_60_percent_falls_behind() {
    let (alone, among_hogs) = (served(50.0, 0).0, served(50.0, 4).0);
    assert!(among_hogs < 1.1 * alone, "{among_hogs} ms, alone {alone} ms");
    let ((_, alone), (_, among_hogs)) = (served(300.0, 0), served(300.0, 4));
    assert!(alone < 50 && among_hogs > 5_000, "{among_hogs} requests left, alone {alone}");
}

/// Bonuses of the sessions and of background load after so long, by process.
fn bonuses(world: &mut World, seconds: f64) -> Vec<i64> {
    world.run(Ns::from_s(seconds), u64::MAX);
    let o1 = world.hosts[0].policy.o1().expect("a host under O(1)");
    (0..world.processes.iter().count()).map(|pid| o1.bonus(Pid(pid as u32))).collect()
}

/// Four CPUs under O(1) with sessions of 100 ms, more than they can serve, that think so long, and three background
/// processes of 60 ms that sleep for 40.
fn crowd(sessions: u32, think_ms: f64, cage: Option<CageConfig>) -> World {
    let background = Background { processes: 3, busy: Ns::from_ms(60.0), sleep: Ns::from_ms(40.0), kind: ordinary() };
    let host = NodeConfig { scheduler: Scheduler::O1, background, ..node() };
    let mut instance = InstanceConfig { cage, ..hogs(sessions) };
    instance.workload.demand.shape = DemandShape::Exponential;
    let (think, start_spread) = (Ns::from_ms(think_ms), Ns::from_ms(100.0));
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread };
    World::new(&one(host, instance), 0)
}

/// Sessions of three quarters of a CPU: with every bonus one gains a quarter of a second in a second and loses less
/// than a tenth, without it gains none, and chance lifts it sooner or later. So it has from the first moment what it
/// has after two minutes; in a cage, too, where waits for slots are sleep, and hogs have none.
#[test]
fn who_sleeps_has_the_bonus_of_a_long_run_from_the_first_moment() {
    let caged = CageConfig { slots: 3, ..wwi_model::testing::cage(3) };
    for (think_ms, cage) in [(33.0, None), (0.0, Some(caged))] {
        let mut world = crowd(12, think_ms, cage);
        for seconds in [0.2, 0.4, 1.0, 4.0, 30.0, 120.0] {
            let found = bonuses(&mut world, seconds);
            assert!(found.len() == 15 && found.iter().all(|&bonus| bonus >= 8), "{think_ms}, {seconds} s: {found:?}");
        }
    }
    let mut world = crowd(12, 0.0, None);
    for seconds in [0.2, 4.0, 30.0] {
        let found = bonuses(&mut world, seconds);
        let (background, hogs) = found.split_at(3);
        assert!(background.iter().all(|&bonus| bonus >= 8), "{seconds} s: {found:?}");
        assert!(hogs.iter().all(|&bonus| bonus <= 1), "{seconds} s: {found:?}");
    }
}
