//! The rules of AIX, one by one.
mod one_thread;
use one_thread::{hog, sleeper, Habit, OneThread};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::aix::Aix;
use wwi_model::host::policy::RunQueue;
use wwi_model::ids::Pid;
use wwi_model::testing::{node, ordinary};

fn host(r: u32, d: u32) -> NodeConfig {
    let aix = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Aix, tick_hz: 100, ..node() };
    NodeConfig { aix_sched_r: r, aix_sched_d: d, ..aix }
}

fn nice(nice: i32) -> KindConfig {
    KindConfig { nice, ..ordinary() }
}

fn fixed(priority: u32) -> KindConfig {
    KindConfig { class: Class::Fixed, priority, ..ordinary() }
}

fn thread(processes: &[(KindConfig, Habit)]) -> OneThread<Aix> {
    let mut queue = Aix::new(&host(16, 16));
    for (pid, (kind, _)) in processes.iter().enumerate() {
        queue.admit(Pid(pid as u32), kind);
    }
    OneThread::new(queue, &processes.iter().map(|p| p.1).collect::<Vec<_>>())
}

/// IBM's "Priority calculation example": one process alone, R = 4 and D = 31.
#[test]
fn the_published_example_of_a_priority_calculation() {
    let mut queue = Aix::new(&host(4, 31));
    queue.admit(Pid(0), &ordinary());
    queue.wake(0, Pid(0), Ns::ZERO);
    queue.turn(0, None, Ns::ZERO);
    let published = [
        (0, 0, 60),
        (10, 1, 60),
        (70, 7, 60),
        (80, 8, 61),
        (100, 10, 61),
        (1000, 100, 72),
        (1230, 119, 74),
        (1240, 120, 75),
    ];
    let mut decayed = Vec::new();
    for (ms, usage, value) in published.into_iter().chain([(2000, 120, 75)]) {
        if ms > 1000 && decayed.is_empty() {
            queue.periodic(Ns::from_s(1.0));
            decayed.push(queue.usage_and_value(Pid(0)));
        }
        assert_eq!(queue.until(0, Ns::from_ms(f64::from(ms))), Ns::MAX, "nobody else");
        assert_eq!(queue.usage_and_value(Pid(0)), (usage, value), "{ms} ms");
    }
    queue.periodic(Ns::from_s(2.0));
    decayed.push(queue.usage_and_value(Pid(0)));
    assert_eq!(decayed, [(96, 72), (116, 74)]);
}

#[test]
fn equals_take_turns_at_every_tick() {
    let mut pair = thread(&[(ordinary(), hog(0.0)), (ordinary(), hog(0.0))]);
    pair.run(900.0);
    assert!(pair.stays.iter().skip(2).all(|s| s.2 - s.1 <= 20.0), "{:?}", pair.stays);
    assert!((pair.share(0, 0.0) - 0.5).abs() < 0.02);
    let mut fixed_pair = thread(&[(fixed(50), hog(0.0)), (fixed(50), hog(0.0))]);
    fixed_pair.run(900.0);
    assert!(fixed_pair.stays.iter().all(|s| s.2 - s.1 == 10.0), "{:?}", fixed_pair.stays);
}

/// AIX 4.3 Differences Guide, 2.13.2: nice +19 against one process of nice 0 gets 15 %.
#[test]
fn a_nice_value_of_19_gets_the_published_15_percent() {
    let mut pair = thread(&[(nice(19), hog(0.0)), (ordinary(), hog(0.0))]);
    pair.run(200_000.0);
    assert!((pair.share(0, 10_000.0) - 0.15).abs() < 0.02, "{}", pair.share(0, 10_000.0));
}

#[test]
fn a_sleeper_pre_empts_a_hog_at_once() {
    let mut pair = thread(&[(ordinary(), hog(0.0)), (ordinary(), sleeper(333.0, 1.0, 22.0))]);
    pair.run(10_000.0);
    let woken: Vec<_> = pair.stays.iter().filter(|s| s.0 == 1).collect();
    assert!(woken.len() > 400);
    assert!(woken.iter().all(|s| (s.1 - 333.0) % 23.0 == 0.0 && s.2 - s.1 == 1.0), "{woken:?}");
}

#[test]
fn a_fixed_value_is_kept_whatever_it_uses() {
    for (value, least, most) in [(40, 1.0, 1.0), (127, 0.0, 0.01), (80, 0.2, 0.8)] {
        let mut pair = thread(&[(fixed(value), hog(0.0)), (ordinary(), hog(0.0))]);
        pair.run(100_000.0);
        let share = pair.share(0, 5_000.0);
        assert!((least..=most).contains(&share), "{value}: {share}");
        assert_eq!(pair.queue.usage_and_value(Pid(0)).1, value);
    }
}

#[test]
fn usage_decays_while_a_process_sleeps() {
    let mut pair = thread(&[(ordinary(), sleeper(0.0, 800.0, 1e6))]);
    for (until_ms, usage) in [(990.0, 80), (1010.0, 40), (2010.0, 20), (5010.0, 2)] {
        pair.run(until_ms);
        assert_eq!(pair.queue.usage_and_value(Pid(0)).0, usage, "{until_ms} ms");
    }
}

/// `bosdebug -R on`: who has a fixed priority interrupts another CPU, nobody else. With R = 0 usage raises no value,
/// and yet an ordinary process has no fixed one.
#[test]
fn a_process_whose_usage_counts_nothing_has_no_fixed_priority() {
    let tick = Ns::from_ms(10.0);
    for r in [0, 16] {
        let mut queue = Aix::new(&NodeConfig { aix_real_time_kernel: true, ..host(r, 16) });
        [ordinary(), nice(-20), fixed(60)].iter().zip(0..).for_each(|(kind, pid)| queue.admit(Pid(pid), kind));
        let sees = [0, 1, 2].map(|pid| queue.sees(Pid(pid), Ns::from_ms(3.0)));
        assert_eq!(sees, [Some(tick), Some(tick), None], "R = {r}");
    }
}
