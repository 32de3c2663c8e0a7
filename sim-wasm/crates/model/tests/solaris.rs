//! The rules of Solaris TS, IA and FX, one by one.
mod one_thread;
use one_thread::{hog, sleeper, Habit, OneThread};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, RunQueue, Why};
use wwi_model::host::solaris::{row, Solaris};
use wwi_model::ids::Pid;
use wwi_model::testing::{node, ordinary};

fn host(threads: u32) -> NodeConfig {
    NodeConfig { cores_per_socket: threads, scheduler: Scheduler::Solaris, tick_hz: 100, ..node() }
}

fn kind(class: Class, nice: i32, priority: u32) -> KindConfig {
    KindConfig { class, nice, priority, ..ordinary() }
}

fn fixed(priority: u32) -> KindConfig {
    kind(Class::Fixed, 0, priority)
}

fn thread(processes: &[(KindConfig, Habit)]) -> OneThread<Solaris> {
    let mut queue = Solaris::new(&host(1));
    for (pid, (kind, _)) in processes.iter().enumerate() {
        queue.admit(Pid(pid as u32), kind, &Masks::new(1));
    }
    OneThread::new(queue, &processes.iter().map(|p| p.1).collect::<Vec<_>>())
}

/// Rows as `dispadmin -c TS -g` prints them: priority, quantum, tqexp, slpret, maxwait, lwait.
#[test]
fn the_published_table() {
    let published = "0 200 0 50 0 50, 9 200 0 50 0 50, 10 160 0 51 0 51, 19 160 9 51 0 51, 20 120 10 52 0 52, 29 120 \
        19 52 0 52, \
         30 80 20 53 0 53, 34 80 24 53 0 53, 35 80 25 54 0 54, 39 80 29 54 0 54, 40 40 30 55 0 55, 45 40 35 56 0 56, \
         46 40 36 57 0 57, 47 40 37 58 0 58, 48 40 38 58 0 58, 49 40 39 58 0 59, 58 40 48 58 0 59, 59 20 49 59 32000 \
         59";
    for line in published.split(", ") {
        let priority = line.split(' ').next().and_then(|p| p.parse().ok()).expect("a priority");
        let row = row(priority);
        let (tqexp, slpret, maxwait, lwait) = (row.tqexp, row.slpret, row.maxwait, row.lwait);
        assert_eq!(format!("{priority} {} {tqexp} {slpret} {maxwait} {lwait}", row.quantum_ms), line);
    }
}

#[test]
fn hogs_sink_by_ten_priorities_a_quantum_until_the_second_is_over() {
    let mut pair = thread(&[(ordinary(), hog(0.0)), (ordinary(), hog(0.0))]);
    pair.run(990.0);
    let lengths: Vec<f64> = pair.stays.iter().map(|s| s.2 - s.1).collect();
    assert_eq!(lengths, [120.0, 120.0, 160.0, 160.0, 200.0, 200.0]);
    assert_eq!((pair.queue.priority(Pid(0)), pair.queue.priority(Pid(1))), (0, 0));
    pair.run(1005.0);
    assert_eq!((pair.queue.priority(Pid(0)), pair.queue.priority(Pid(1))), (50, 50));
    pair.run(1045.0);
    assert_eq!(pair.queue.priority(Pid(0)), 40, "a quantum of 40 ms at 50");
}

#[test]
fn a_process_alone_sinks_without_an_event() {
    let mut queue = Solaris::new(&host(1));
    queue.admit(Pid(0), &ordinary(), &Masks::new(1));
    queue.wake(0, Pid(0), Ns::ZERO);
    assert_eq!(queue.turn(0, None, Ns::ZERO).map(|next| next.until), Some(Ns::MAX));
    for (ms, priority) in [(110.0, 29), (120.0, 19), (279.0, 19), (280.0, 9), (480.0, 0), (990.0, 0)] {
        assert_eq!(queue.until(0, Ns::from_ms(ms)), Ns::MAX);
        assert_eq!(queue.priority(Pid(0)), priority, "{ms} ms");
    }
}

#[test]
fn a_sleep_lifts_a_process_if_a_second_began_since_its_quantum() {
    let mut short = thread(&[(ordinary(), sleeper(5.0, 1.0, 9.0))]);
    short.run(995.0);
    assert_eq!(short.queue.priority(Pid(0)), 29);
    short.run(1010.0);
    assert_eq!(short.queue.priority(Pid(0)), 52);
}

#[test]
fn a_pre_empted_process_is_the_first_of_its_line_with_the_rest_of_its_quantum() {
    let better = (fixed(40), sleeper(50.0, 10.0, 1e6));
    let mut three = thread(&[(ordinary(), hog(0.0)), (ordinary(), hog(0.0)), better]);
    three.run(260.0);
    assert_eq!(three.stays, [(0, 0.0, 50.0), (2, 50.0, 60.0), (0, 60.0, 130.0), (1, 130.0, 250.0)]);
}

#[test]
fn who_waits_for_a_second_is_lifted_over_a_fixed_55_and_never_over_a_fixed_60() {
    // From 52, the second second leads to 59: a quantum of 20 ms, then 49, from where the next leads to 59 again.
    for (priority, share) in [(55, 0.02), (60, 0.0)] {
        let mut pair = thread(&[(fixed(priority), hog(0.0)), (ordinary(), hog(0.0))]);
        pair.run(102_500.0);
        assert!((pair.share(1, 2_500.0) - share).abs() < 1e-9, "{priority}: {}", pair.share(1, 2_500.0));
    }
}

#[test]
fn fixed_priority_has_the_same_quanta_and_keeps_its_place() {
    for (priority, quantum) in [(0, 200.0), (15, 160.0), (25, 120.0), (35, 80.0), (58, 40.0), (59, 20.0), (60, 20.0)] {
        let mut pair = thread(&[(fixed(priority), hog(0.0)), (fixed(priority), hog(0.0))]);
        pair.run(5_000.0);
        assert!(pair.stays.iter().all(|s| s.2 - s.1 == quantum), "{priority}: {:?}", pair.stays);
        assert_eq!(pair.queue.priority(Pid(0)), priority as i32);
    }
}

#[test]
fn nice_is_worth_three_priorities_and_interactive_ten() {
    let mut queue = Solaris::new(&host(1));
    let cases = [(Class::TimeSharing, 0, 29), (Class::TimeSharing, 5, 14), (Class::TimeSharing, -5, 44)];
    let clipped = [(Class::TimeSharing, 19, 0), (Class::TimeSharing, -20, 59), (Class::Interactive, 0, 39)];
    for (pid, (class, nice, priority)) in cases.into_iter().chain(clipped).enumerate() {
        queue.admit(Pid(pid as u32), &kind(class, nice, 50), &Masks::new(1));
        assert_eq!(queue.priority(Pid(pid as u32)), priority, "{class:?} {nice}");
    }
}

/// On each of these threads one of that fixed priority runs, the first processes in order; a further one ran on a
/// thread until 5 ms.
fn busy(config: &NodeConfig, running: &[(usize, u32)], last: usize) -> (Solaris, Pid) {
    let (mut queue, masks) = (Solaris::new(config), Masks::new(config.threads()));
    let pid = Pid(running.len() as u32);
    queue.admit(pid, &fixed(30), &masks);
    queue.wake(last, pid, Ns::ZERO);
    queue.turn(last, None, Ns::ZERO);
    queue.put(last, Ended { pid, why: Why::Blocked }, Ns::from_ms(5.0));
    for (number, &(at, priority)) in running.iter().enumerate() {
        let other = Pid(number as u32);
        queue.admit(other, &fixed(priority), &masks);
        queue.wake(at, other, Ns::from_ms(6.0));
        queue.turn(at, None, Ns::from_ms(6.0));
    }
    (queue, pid)
}

/// `cpu_choose`: three ticks of 10 ms are not over before the fourth begins.
#[test]
fn who_ran_within_three_ticks_goes_back_and_then_to_an_idle_thread_or_the_least() {
    let some = [(0, 10), (1, 50), (2, 50)];
    let (mut queue, pid) = busy(&host(4), &some, 1);
    let mut at = |ms: f64| queue.chosen(pid, 1, Ns::from_ms(ms));
    assert_eq!([at(6.0), at(39.9), at(40.0)], [1, 1, 3], "thread 3 idles");
    let all = [(0, 20), (1, 50), (2, 10), (3, 10)];
    let (mut queue, pid) = busy(&host(4), &all, 1);
    assert_eq!(queue.chosen(pid, 1, Ns::from_ms(50.0)), 2, "the first of the least from its own");
    // A better one waits there: it counts, though what runs is worse.
    queue.admit(Pid(9), &fixed(40), &Masks::new(4));
    queue.wake(2, Pid(9), Ns::from_ms(50.0));
    assert_eq!(queue.chosen(pid, 1, Ns::from_ms(50.0)), 3);
}

/// `disp_lowpri_cpu`: beyond its socket only where it runs at once, and nowhere at home.
#[test]
fn another_socket_is_for_who_runs_there_at_once() {
    let config = NodeConfig { sockets: 2, ..host(2) };
    for (running, expected) in [
        ([(0, 40), (1, 50), (2, 10), (3, 10)], 2),
        ([(0, 20), (1, 50), (2, 10), (3, 10)], 0),
        ([(0, 50), (1, 40), (2, 45), (3, 35)], 1),
    ] {
        let (mut queue, pid) = busy(&config, &running, 0);
        assert_eq!(queue.chosen(pid, 0, Ns::from_ms(50.0)), expected, "{running:?}");
    }
}

/// `cmt_balance`: of two cores the other, if less runs there.
#[test]
fn a_core_of_which_a_thread_runs_gives_to_one_that_idles() {
    let config = NodeConfig { threads_per_core: 2, ..host(2) };
    for (running, expected) in [
        (&[(1, 50)][..], 2),
        (&[(1, 50), (2, 50)][..], 0),
        (&[(0, 50), (1, 50), (2, 50)][..], 3),
        (&[(0, 50), (1, 50), (2, 50), (3, 50)][..], 0),
    ] {
        let (mut queue, pid) = busy(&config, running, 0);
        // First it looks at its own core, then at the next.
        let found = [0, 1].map(|_| queue.chosen(pid, 0, Ns::from_ms(30.0)));
        assert!(
            found.contains(&expected) && found.iter().all(|&at| at == expected || at == 0),
            "{running:?}: {found:?}"
        );
    }
}

/// `ts_tick`, `ts_preempt`, `cmt_balance`: whether anybody waits or not, who used up his quantum goes to a core that
/// runs fewer than the others on his own. Four on one of two cores: at 120 ms, the quantum at 29, three beside
/// the first and none there, then two and one, then one and two; the fourth finds none fewer.
#[test]
fn who_used_up_his_quantum_alone_goes_to_a_core_that_runs_less_without_him() {
    let config = NodeConfig { threads_per_core: 4, ..host(2) };
    let (mut queue, masks, end) = (Solaris::new(&config), Masks::new(8), Ns::from_ms(120.0));
    for pid in 0..4 {
        queue.admit(Pid(pid), &ordinary(), &masks);
        queue.wake(pid as usize, Pid(pid), Ns::ZERO);
        assert_eq!(queue.turn(pid as usize, None, Ns::ZERO).map(|next| next.until), Some(end));
    }
    let mut goes = |at: usize, now: Ns| {
        let next = queue.turn(at, Some(Ended { pid: Pid(at as u32), why: Why::SliceExpired }), now);
        let to = queue.push(now);
        to.inspect(|&to| assert_eq!(queue.turn(to, None, now).map(|next| next.pid), Some(Pid(at as u32))));
        (next.map(|next| next.until.as_ms()), to)
    };
    // There is one other core to look at.
    assert_eq!([0, 1].map(|at| goes(at, end)), [(None, Some(4)), (None, Some(5))]);
    // Two each, but for himself one here: he stays, and the next quantum, at 19, is of 160 ms.
    assert_eq!([2, 3].map(|at| goes(at, end)), [(Some(280.0), None); 2]);
}

/// The same without siblings, or with one core: nothing could come of it, and it is no event.
#[test]
fn where_no_core_could_run_less_a_quantum_ends_without_an_event() {
    for (cores, threads_per_core) in [(4, 1), (1, 4)] {
        let config = NodeConfig { threads_per_core, ..host(cores) };
        let mut queue = Solaris::new(&config);
        queue.admit(Pid(0), &ordinary(), &Masks::new(4));
        queue.wake(1, Pid(0), Ns::ZERO);
        assert_eq!(queue.turn(1, None, Ns::ZERO).map(|next| next.until), Some(Ns::MAX), "{cores} cores");
    }
}

/// `ts_update` lifts who runs, too, and with that his quantum is another: at 280 ms it is one of 200 ms at 9, at 480
/// and so on at 0, and at one second, of priority 50 now, it ends 40 ms later.
#[test]
fn who_is_lifted_while_he_runs_alone_has_his_next_quantum_end_sooner() {
    let config = NodeConfig { threads_per_core: 2, ..host(2) };
    let mut queue = Solaris::new(&config);
    queue.admit(Pid(0), &ordinary(), &Masks::new(4));
    queue.wake(0, Pid(0), Ns::ZERO);
    let mut ends = vec![queue.turn(0, None, Ns::ZERO).expect("he is there").until];
    while ends[ends.len() - 1] < Ns::from_ms(1000.0) {
        let now = ends[ends.len() - 1];
        let ended = Ended { pid: Pid(0), why: Why::SliceExpired };
        ends.push(queue.turn(0, Some(ended), now).expect("he stays").until);
    }
    assert_eq!(ends, [120.0, 280.0, 480.0, 680.0, 880.0, 1080.0].map(Ns::from_ms));
    assert_eq!(queue.periodic(Ns::from_ms(1000.0)), [0], "it is to look");
    assert_eq!(queue.until(0, Ns::from_ms(1000.0)), Ns::from_ms(1040.0));
}

/// `cpu_choose` with the current thread: who used up his quantum beyond his socket goes home where he runs at once.
#[test]
fn who_used_up_his_quantum_beyond_his_socket_goes_home_if_he_runs_there_at_once() {
    // At home one of this priority runs, if any; he has 20 left of 30, and where he is nobody else wants to run.
    for (at_home, goes) in [(None, true), (Some(19), true), (Some(20), false), (Some(21), false)] {
        let config = NodeConfig { sockets: 2, ..host(1) };
        let (mut queue, masks) = (Solaris::new(&config), Masks::new(2));
        let kinds = [fixed(20), fixed(60), fixed(at_home.unwrap_or(0))];
        kinds.iter().enumerate().for_each(|(pid, kind)| queue.admit(Pid(pid as u32), kind, &masks));
        // The first comes home to thread 0, where one of 60 runs, and thread 1 takes him.
        [1, 0].into_iter().for_each(|pid| _ = queue.wake(0, Pid(pid), Ns::ZERO));
        queue.turn(0, None, Ns::ZERO);
        assert_eq!(queue.push(Ns::ZERO), Some(1));
        let end = queue.turn(1, None, Ns::ZERO).expect("it took him").until;
        assert_eq!(end, Ns::from_ms(120.0), "beyond his socket the end of a quantum is an event");
        queue.turn(0, Some(Ended { pid: Pid(1), why: Why::Blocked }), Ns::from_ms(50.0));
        if at_home.is_some() {
            queue.wake(0, Pid(2), Ns::from_ms(50.0));
            queue.turn(0, None, Ns::from_ms(50.0));
        }
        let stays = queue.turn(1, Some(Ended { pid: Pid(0), why: Why::SliceExpired }), end);
        assert_eq!((stays.is_none(), queue.push(end)), (goes, goes.then_some(0)), "{at_home:?}");
    }
}

/// Who used up his quantum stays in his processor set (`cpu_next_part`, and `cpu_next_lpl` where it has others of the
/// socket): two of priority 10 wait at a thread of it, and elsewhere nobody does.
#[test]
fn the_next_thread_is_the_next_of_the_processor_set() {
    // Four threads in one socket or two: the set, the thread, and the next one.
    for (sockets, set, at, expected) in [
        (1, vec![0, 1, 3], 1, Some(3)),
        (1, vec![0, 1, 3], 3, Some(0)),
        (1, vec![2], 2, None),
        (2, vec![0, 1, 3], 1, Some(0)),
        (2, vec![0, 1, 3], 3, Some(0)),
        (2, vec![1, 2], 1, Some(2)),
    ] {
        let config = NodeConfig { sockets, ..host(4 / sockets) };
        let (mut queue, mut masks) = (Solaris::new(&config), Masks::new(4));
        for pid in 0..2 {
            masks.assign_for(Pid(pid), Some(&CpuSet(set.clone())), &Affinity::None);
        }
        for (pid, place) in [at, at].into_iter().chain((0..4).filter(|&other| other != at)).enumerate() {
            queue.admit(Pid(pid as u32), &fixed(if place == at { 10 } else { 60 }), &masks);
            queue.wake(place, Pid(pid as u32), Ns::ZERO);
        }
        (0..4).filter(|&other| other != at).for_each(|other| _ = queue.turn(other, None, Ns::ZERO));
        let next = queue.turn(at, None, Ns::ZERO).expect("two wait there");
        queue.turn(at, Some(Ended { pid: next.pid, why: Why::SliceExpired }), next.until);
        assert_eq!(queue.push(next.until), expected, "{sockets} sockets, {set:?}, after {at}");
    }
}

/// `disp_lowpri_cpu` with the set's `lpl`, `cmt_balance` with `cp_cmt_pgs` and `t_cpupart`, `disp_getwork` along
/// `cpu_next_part`: of four cores of two threads a process has threads 0 to 2 and 5.
#[test]
fn who_wakes_up_looks_within_his_processor_set() {
    let config = NodeConfig { threads_per_core: 2, ..host(4) };
    let set = CpuSet(vec![0, 1, 2, 5]);
    let chosen = |running: &[usize], ms: f64| {
        let (mut queue, mut masks, pid) = (Solaris::new(&config), Masks::new(8), Pid(8));
        masks.assign_for(pid, Some(&set), &Affinity::None);
        queue.admit(pid, &fixed(30), &masks);
        queue.wake(0, pid, Ns::ZERO);
        queue.turn(0, None, Ns::ZERO);
        queue.put(0, Ended { pid, why: Why::Blocked }, Ns::from_ms(5.0));
        for &at in running {
            queue.admit(Pid(at as u32), &fixed(if at == 5 { 10 } else { 20 }), &masks);
            queue.wake(at, Pid(at as u32), Ns::from_ms(6.0));
            queue.turn(at, None, Ns::from_ms(6.0));
        }
        [0, 1, 2].map(|_| queue.chosen(pid, 0, Ns::from_ms(ms)))
    };
    assert_eq!(chosen(&[0, 1, 2, 5], 60.0), [5; 3], "the least of his set, though others idle");
    assert_eq!(chosen(&[0, 1, 2], 60.0), [5; 3], "the idle one of his set");
    // Back to thread 0 within three ticks; both threads of that core run somebody. Of the other cores that with 6 and 7
    // is none of his; the two others give their idle threads that are his, 2 and 5.
    assert_eq!(chosen(&[0, 1], 30.0), [2, 2, 5]);
    assert_eq!(chosen(&[0, 1, 5], 30.0), [2, 2, 0], "thread 4 idles, which is none of his");
}

/// `disp_getwork`: an idle thread of the set takes who waits, one outside does not.
#[test]
fn an_idle_thread_takes_who_waits_in_its_processor_set() {
    for (set, expected) in [(vec![0, 2], Some(2)), (vec![0], None)] {
        let (mut queue, mut masks) = (Solaris::new(&host(3)), Masks::new(3));
        for pid in 0..2 {
            masks.assign_for(Pid(pid), Some(&CpuSet(set.clone())), &Affinity::None);
            queue.admit(Pid(pid), &fixed(30), &masks);
            queue.wake(0, Pid(pid), Ns::ZERO);
        }
        queue.turn(0, None, Ns::ZERO);
        assert!(queue.may_push() == expected.is_some() && queue.push(Ns::ZERO) == expected, "{set:?}");
    }
}

/// `setbackdq`: below priority 16 who used up his quantum goes on to the next thread if one of his priority waits here
/// and none there; above only where three wait more.
#[test]
fn who_used_up_his_quantum_goes_on_where_the_line_is_shorter() {
    for (priority, waiting, expected) in [(10, 1, 1), (16, 1, 0), (16, 2, 0), (16, 3, 1), (59, 3, 1)] {
        let mut queue = Solaris::new(&host(2));
        let masks = Masks::new(2);
        // The other thread runs somebody greater.
        let at = |pid: u32| usize::from(pid == waiting + 1);
        for pid in 0..=waiting + 1 {
            queue.admit(Pid(pid), &fixed(if at(pid) == 1 { 60 } else { priority }), &masks);
            queue.wake(at(pid), Pid(pid), Ns::ZERO);
        }
        queue.turn(1, None, Ns::ZERO);
        let Some(next) = queue.turn(0, None, Ns::ZERO) else { panic!("it has {waiting} more") };
        queue.turn(0, Some(Ended { pid: next.pid, why: Why::SliceExpired }), next.until);
        let found = (queue.waiting(1), queue.push(next.until));
        assert_eq!(found, (expected, (expected == 1).then_some(1)), "{priority}, {waiting} wait");
    }
}

/// `disp_getbest`: who waits where he ran, beside another cache, is left there for 100 µs (`nosteal_nsec`); who never
/// ran there is not.
#[test]
fn who_waits_beside_another_cache_is_left_there_for_100_us() {
    for (ran, expected) in [(true, [None, None, Some(1)]), (false, [Some(1), None, None])] {
        let config = NodeConfig { sockets: 2, ..host(1) };
        let (mut queue, masks) = (Solaris::new(&config), Masks::new(2));
        (0..2).for_each(|pid| queue.admit(Pid(pid), &fixed(30), &masks));
        queue.wake(0, Pid(0), Ns::ZERO);
        queue.turn(0, None, Ns::ZERO);
        if ran {
            queue.put(0, Ended { pid: Pid(0), why: Why::Blocked }, Ns::from_ms(5.0));
            queue.wake(0, Pid(1), Ns::from_ms(5.0));
            queue.turn(0, None, Ns::from_ms(5.0));
        }
        let waits = Pid(u32::from(!ran));
        queue.wake(0, waits, Ns::from_ms(60.0));
        let found = [0.0, 100.0, 101.0].map(|us| queue.push(Ns::from_ms(60.0).plus(Ns::from_us(us))));
        assert_eq!(found, expected, "ran there: {ran}");
    }
}

/// `cpu_next_lpl`, and `cpu_next_part` where a socket has one thread: after the last of a socket comes its first.
#[test]
fn the_next_thread_is_of_the_same_socket_if_it_has_another() {
    for (sockets, cores, from, expected) in [(2, 2, 1, 0), (2, 2, 3, 2), (2, 2, 2, 3), (2, 1, 0, 1), (2, 1, 1, 0)] {
        let config = NodeConfig { sockets, ..host(cores) };
        let (mut queue, threads) = (Solaris::new(&config), config.threads());
        let masks = Masks::new(threads);
        // Two of priority 10 on this thread, and one of 60 on each other.
        let places = (0..threads).chain([from]);
        for (pid, at) in places.enumerate() {
            queue.admit(Pid(pid as u32), &fixed(if at == from { 10 } else { 60 }), &masks);
            queue.wake(at, Pid(pid as u32), Ns::ZERO);
        }
        (0..threads).filter(|&at| at != from).for_each(|at| _ = queue.turn(at, None, Ns::ZERO));
        let Some(next) = queue.turn(from, None, Ns::ZERO) else { panic!("two wait on {from}") };
        queue.turn(from, Some(Ended { pid: next.pid, why: Why::SliceExpired }), next.until);
        assert_eq!(queue.push(next.until), Some(expected), "{sockets} sockets of {cores}, after {from}");
    }
}
