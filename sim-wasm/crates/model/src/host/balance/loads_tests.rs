use super::*;

fn never(_: usize) -> Ran {
    Ran::default()
}

fn alone(_: usize) -> f64 {
    1.0
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
    loads.block((Pid(0), later.0 / 2), later, |_| ran);
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
    let quarter = |group: usize| if group == 1 { 0.25 } else { panic!("nobody is in {group}") };
    let empty = |group: usize| if group == 1 { quarter(1) } else { 7.0 };
    assert_eq!(loads.known(0, half_lives(1.0), Ran::default(), empty).load, 2048);
    assert_eq!(loads.of(Pid(2), half_lives(1.0), 0, quarter).0, 256);
    assert_eq!(loads.of(Pid(4), half_lives(1.0), 0, quarter).0, 1024);
}
