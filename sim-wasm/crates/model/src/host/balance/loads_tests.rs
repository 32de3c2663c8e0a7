use super::*;
use crate::host::balance::averages::HALF_LIFE_LOG;

fn never(_: usize) -> Ran {
    Ran::default()
}

fn alone(_: usize, _: usize, own: f64) -> f64 {
    own
}

/// Half-lives from a start of none.
fn half_lives(n: f64) -> Ns {
    Ns::nearest(n * f64::from(1u32 << HALF_LIFE_LOG))
}

#[test]
fn what_waits_counts_as_load_and_only_what_runs_as_utilisation() {
    let mut loads = Loads::new(2);
    loads.wake(0, (Pid(0), 0), (1024, None), Ns::ZERO, never);
    assert_eq!(loads.known(0, Ns::ZERO, Ran::default(), alone).util, 512, "a new one on an idle CPU uses half of it");
    let later = half_lives(2.0);
    let ran = Ran { fair: later.0 / 2, real: 0 };
    let known = loads.known(0, later, ran, alone);
    assert_eq!((known.load, known.util, known.runnable), (1024, 512, 1024 - 128));
    assert_eq!(loads.of(Pid(0), later, later.0 / 2, alone), (1024, 512));
    loads.block((Pid(0), later.0 / 2), false, (later, later), |_| ran);
    let known = loads.known(0, half_lives(3.0), ran, alone);
    assert_eq!((known.load, known.util), (512, 256), "a sleeper fades");
    loads.wake(1, (Pid(0), later.0 / 2), (1024, None), half_lives(4.0), |_| ran);
    let at = half_lives(4.0);
    assert_eq!(loads.known(0, at, ran, alone).load, 0, "and is taken along");
    let known = loads.known(1, at, ran, alone);
    assert_eq!((known.load, known.util), (256, 512), "what it used when it blocked is expected of it");
}

#[test]
fn a_move_takes_load_and_utilisation_along() {
    let mut loads = Loads::new(2);
    loads.wake(0, (Pid(0), 0), (1024, None), Ns::ZERO, never);
    loads.wake(0, (Pid(1), 0), (335, None), Ns::ZERO, never);
    let later = half_lives(20.0);
    let ran = |cpu: usize| Ran { fair: if cpu == 0 { later.0 } else { 0 }, real: 0 };
    let before = loads.known(0, later, ran(0), alone);
    assert_eq!((before.load, before.util, before.runnable), (1359, 1024, 2048));
    loads.shift(1, (Pid(1), later.0 / 4), later, ran);
    let [left, moved] = [0, 1].map(|cpu| loads.known(cpu, later, ran(cpu), alone));
    assert_eq!((left.load, left.util, left.runnable), (1024, 768, 1024));
    assert_eq!((moved.load, moved.util, moved.runnable), (335, 256, 1024));
}

#[test]
fn real_time_lowers_what_a_cpu_can_do() {
    let loads = Loads::new(1);
    let at = half_lives(1.0);
    assert_eq!(loads.known(0, at, Ran { fair: 0, real: at.0 / 2 }, alone).capacity, 768);
    let at = half_lives(40.0);
    assert_eq!(loads.known(0, at, Ran { fair: 0, real: at.0 }, alone).capacity, 1);
}

#[test]
fn a_control_group_weighs_what_it_is_given_however_many_it_has() {
    let mut loads = Loads::new(1);
    for pid in 0..4 {
        loads.wake(0, (Pid(pid), 0), (1024, Some(1)), Ns::ZERO, never);
    }
    loads.wake(0, (Pid(4), 0), (1024, None), Ns::ZERO, never);
    let quarter = |group: usize, cpu: usize, own: f64| {
        assert_eq!((group, cpu, own), (1, 0, 4096.0), "nobody is in another");
        0.25 * own
    };
    let empty = |group: usize, cpu: usize, own: f64| if group == 1 { quarter(1, cpu, own) } else { 7.0 * own };
    assert_eq!(loads.known(0, half_lives(1.0), Ran::default(), empty).load, 2048);
    assert_eq!(loads.of(Pid(2), half_lives(1.0), 0, quarter).0, 256);
    assert_eq!(loads.of(Pid(4), half_lives(1.0), 0, quarter).0, 1024);
}

/// Two that always ran or waited, half of the CPU each.
fn two() -> (Loads, Ns) {
    let (mut loads, at) = (Loads::new(2), half_lives(30.0));
    for pid in 0..2 {
        loads.wake(0, (Pid(pid), 0), (1024, None), Ns::ZERO, never);
    }
    let known = loads.known(0, at, all(at), alone);
    assert_eq!((known.load, known.runnable), (2048, 2048));
    (loads, at)
}

fn all(at: Ns) -> Ran {
    Ran { fair: at.0, real: 0 }
}

#[test]
fn who_sleeps_but_stays_queued_counts_as_load_and_as_nothing_else() {
    let (mut loads, at) = two();
    loads.block((Pid(1), at.0 / 2), true, (at, at), |_| all(at));
    let [first, second] = [31.0, 32.0].map(half_lives);
    let known = loads.known(0, first, all(first), alone);
    assert_eq!((known.load, known.runnable), (2048, 1024 + 512));
    assert_eq!(loads.of(Pid(1), first, at.0 / 2, alone), (1024, 512), "half of it is expected of him still");
    loads.part((Pid(1), at.0 / 2), first, |_| all(first));
    loads.part((Pid(1), at.0 / 2), first, |_| all(first));
    let known = loads.known(0, second, all(second), alone);
    assert_eq!((known.load, known.runnable), (1024 + 512, 1024 + 256), "once he has left, he fades");
}

#[test]
fn who_wakes_while_queued_is_queued_once() {
    let (mut loads, at) = two();
    loads.block((Pid(1), at.0 / 2), true, (at, at), |_| all(at));
    loads.wake(0, (Pid(1), at.0 / 2), (1024, None), half_lives(31.0), |_| all(half_lives(31.0)));
    let later = half_lives(61.0);
    let known = loads.known(0, later, all(later), alone);
    assert_eq!((known.load, known.runnable), (2048, 2048));
    loads.block((Pid(1), at.0 / 2), false, (later, later), |_| all(later));
    let much_later = half_lives(91.0);
    let known = loads.known(0, much_later, all(much_later), alone);
    assert_eq!((known.load, known.runnable), (1024, 1024), "nothing of him is left");
}

#[test]
fn who_is_moved_in_his_sleep_stays_queued_there_and_wakes_there() {
    let (mut loads, at) = two();
    let ran = |cpu: usize| if cpu == 0 { all(at) } else { Ran::default() };
    loads.block((Pid(1), at.0 / 2), true, (at, at), ran);
    loads.shift(1, (Pid(1), at.0 / 2), at, ran);
    let later = half_lives(31.0);
    let [left, moved] = [0, 1].map(|cpu| loads.known(cpu, later, ran(cpu), alone));
    assert_eq!((left.load, left.runnable), (1024, 1024));
    assert_eq!((moved.load, moved.runnable), (1024, 512));
    loads.wake(1, (Pid(1), at.0 / 2), (1024, None), later, ran);
    let known = loads.known(1, half_lives(61.0), ran(1), alone);
    assert_eq!((known.load, known.runnable), (1024, 1024));
}

/// What is expected of a process that sleeps for 21 ms, waits, and works for 3 ms, alone on a CPU, after many rounds;
/// `late_ms`: how long after a tick of 4 ms it begins to work.
fn expected(on_ticks: bool, wait_ms: u32, late_ms: f64) -> f64 {
    let (mut loads, ms) = (Loads::new(1), |ms: u32| Ns::from_ms(f64::from(ms)));
    if on_ticks {
        loads.estimate_by(Rule::Linux68, Some(ms(4)));
    }
    let mut used = 0;
    for round in 1..200 {
        let picked = ms(round * (24 + wait_ms)) + Ns::from_ms(late_ms);
        let ran = Ran { fair: used, real: 0 };
        loads.wake(0, (Pid(0), used), (1024, None), picked.minus(ms(wait_ms)), |_| ran);
        used += ms(3).0;
        let ran = Ran { fair: used, real: 0 };
        loads.block((Pid(0), used), false, (picked, picked + ms(3)), |_| ran);
    }
    loads.processes[0].estimate.expected()
}

/// As `dequeue_task_fair` of 6.1 and 6.12 reads them: after and before the averages are brought up to date. An estimate
/// that comes down stops less than 10 above what it follows, and three quarters of that at least.
#[test]
fn since_6_12_what_is_expected_goes_by_ticks_and_does_not_fall_where_somebody_waits() {
    let kept = |ms: f64| (-ms * 1e6 / f64::from(1u32 << HALF_LIFE_LOG)).exp2();
    let at_the_end = |wait: f64| 1024.0 * (1.0 - kept(3.0)) / (1.0 - kept(24.0 + wait));
    let as_it_is_picked = at_the_end(0.0) * kept(21.0);
    let a_millisecond_later = 1024.0 - (1024.0 - as_it_is_picked) * kept(1.0);
    for (found, follows) in [
        (expected(false, 0, 0.0), at_the_end(0.0)),
        (expected(false, 0, 3.0), at_the_end(0.0)),
        (expected(false, 4, 0.0), at_the_end(4.0)),
        (expected(true, 0, 0.0), as_it_is_picked),
        (expected(true, 0, 3.0), a_millisecond_later),
    ] {
        assert!((7.4..10.0).contains(&(found - follows)), "{found}, {follows}");
    }
    // What a new one is taken to use, when it is first picked.
    let first = 512.0 * kept(4.0);
    for late in [0.0, 0.5] {
        assert!((expected(true, 4, late) - first).abs() < 0.1, "{first}");
    }
}

/// In 3.14 a group counts for what it is said to now, and for the same part of what was on average: two of 1024 for
/// 600, of which those who are queued share. Of each tick a half or a quarter is new: beside one who was there for long
/// the other makes 1536 and 1280 on the first. Asleep it counts for nothing now, and for a quarter of what was.
#[test]
fn in_3_14_a_group_counts_in_averages_by_its_part_of_now() {
    let at = |tick: u64| Ns(tick * Ns::from_ms(1.0).0);
    let of_group = |_: usize, _: usize, own: f64| if own > 1500.0 { 600.0 } else { own / 4.0 };
    let mut loads = Loads::new(1);
    loads.keep_ticks(at(1), Ns::ZERO, (1, 0, 0));
    loads.wake(0, (Pid(0), 0), (1024, Some(0)), at(0), never);
    assert_eq!(loads.lately(0, at(100), of_group), [256; 3]);
    loads.wake(0, (Pid(1), 0), (1024, Some(0)), at(100), never);
    assert_eq!(loads.lately(0, at(101), of_group), [600, 450, 375]);
    assert_eq!(loads.of(Pid(0), at(101), 0, of_group).0, 300);
    loads.block((Pid(1), 0), false, (at(100), at(200)), never);
    assert_eq!(loads.of(Pid(0), at(200), 0, of_group).0, 256, "all of what one who is queued has");
    loads.block((Pid(0), 0), false, (at(0), at(200)), never);
    assert_eq!(loads.lately(0, at(201), of_group), [0, 256, 384]);
}

/// What interrupts take: of a busy CPU on average what is said, of an idle one nothing, and half of what it was after
/// 537 ms. Rounded down, as what is left is.
#[test]
fn in_3_14_interrupts_of_a_busy_cpu_and_real_time_lower_what_it_can_do_for_a_second() {
    let mut loads = Loads::new(8);
    loads.keep_ticks(Ns::from_ms(1.0), Ns::from_us(20.0), (1, 0, 0));
    let (mut all, mut least, mut most, mut alike) = (0.0, 1024, 0, 0);
    for second in 1..=400u64 {
        let at = Ns(second * 1_000_000_000);
        let mut first = None;
        for cpu in 0..8 {
            let ran = Ran { fair: if cpu < 4 { at.0 } else { 0 }, real: 0 };
            let capacity = loads.known(cpu, at, ran, alone).capacity;
            loads.update(cpu, at, ran);
            assert!(cpu < 4 || capacity == 1024, "an idle one has none");
            if cpu < 4 {
                all += capacity as f64 + 0.5;
                (least, most) = (least.min(capacity), most.max(capacity));
                alike += u32::from(cpu == 1 && first == Some(capacity));
                first = first.or(Some(capacity));
            }
        }
    }
    let mean = all / 1600.0;
    assert!((mean - 1024.0 * 0.98).abs() < 1.0, "{mean}");
    assert!(least < 1000 && most > 1010, "{least} to {most}");
    assert!(alike < 80, "two busy ones are alike for {alike} of 400 s");
    let mut real = Loads::new(1);
    real.keep_ticks(Ns::from_ms(1.0), Ns::ZERO, (1, 0, 0));
    let half = Ns(1 << 29);
    assert_eq!(real.known(0, half, Ran { fair: 0, real: half.0 / 2 }, alone).capacity, 768);
}
