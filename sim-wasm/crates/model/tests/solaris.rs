//! The rules of Solaris TS, IA and FX, one by one.
mod one_thread;
use one_thread::{hog, sleeper, Habit, OneThread};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::RunQueue;
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
        queue.admit(Pid(pid as u32), kind);
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
    queue.admit(Pid(0), &ordinary());
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
        queue.admit(Pid(pid as u32), &kind(class, nice, 50));
        assert_eq!(queue.priority(Pid(pid as u32)), priority, "{class:?} {nice}");
    }
}

#[test]
fn the_weakest_thread_runs_the_least_priority_that_the_mask_allows() {
    let mut queue = Solaris::new(&host(3));
    let mut masks = Masks::new(3);
    for (pid, priority) in [40, 10, 20, 30].into_iter().enumerate() {
        queue.admit(Pid(pid as u32), &fixed(priority));
    }
    for at in 0..3 {
        queue.wake(at, Pid(at as u32), Ns::ZERO);
        queue.turn(at, None, Ns::ZERO);
    }
    assert_eq!(queue.weakest(Pid(3), 0, &masks), Some(1));
    masks.assign_for(Pid(3), Some(&CpuSet(vec![0, 2])), &Affinity::None);
    assert_eq!(queue.weakest(Pid(3), 0, &masks), Some(2));
}
