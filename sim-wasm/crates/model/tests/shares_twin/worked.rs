//! Who sleeps, wakes and moves within periods and between CPUs, worked by hand.
use super::*;

/// The period at whose beginning the heavy one sleeps, below.
const SLEPT: u64 = 1000;

/// One of 9548 and one of 1024 on the first CPU, one of 9548 on the second, asked as each period begins. At last the
/// first sleeps: from there on the average is more than what is queued.
fn faded() -> (Shares, Own, Own) {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let [mut heavy, mut light] = [Own::new(9548), Own::new(ONE)];
    shares.add(&mut heavy, 0, Ns(0));
    shares.add(&mut light, 0, Ns(0));
    shares.add(&mut Own::new(9548), 1, Ns(0));
    for period in 1..=SLEPT {
        shares.of(0, Ns(period * PERIOD));
        shares.of(1, Ns(period * PERIOD));
    }
    shares.remove(&mut heavy, 0, false, Ns(SLEPT * PERIOD));
    (shares, heavy, light)
}

/// A half-life after the heavy one went to sleep 4774 and 1024 are read, beside 9548: 5798 of 15346. The other sleeps
/// and wakes before the next period begins, which changes none of it; nor does what fades (of 4774, 102 in a period).
#[test]
fn who_sleeps_and_wakes_within_a_period_leaves_what_is_read() {
    let (mut shares, _, mut light) = faded();
    let begun = (SLEPT + 32) * PERIOD;
    let before = shares.of(0, Ns(begun));
    near(before, GROUP as f64 * 5798.0 / 15346.0, 0.001);
    // With nothing queued there is no weight to ask for.
    shares.remove(&mut light, 0, false, Ns(begun + 100_000));
    shares.add(&mut light, 0, Ns(begun + 900_000));
    assert_eq!(shares.of(0, Ns(begun + 900_000)), before);
    assert_eq!(shares.of(0, Ns(begun + PERIOD - 1)), before);
    assert!(shares.of(0, Ns(begun + PERIOD)) < before);
}

/// The heavy one sleeps at the beginning of a period. Within it all of 10572 are read. In the middle of the next it
/// is the average of the middle, not of the beginning: 9548 halved 1.5 / 32 times, and 1024. That is read until the
/// end, and later what is left by then.
#[test]
fn the_first_question_in_a_period_reads_the_average_of_that_moment() {
    let (mut shares, ..) = faded();
    let weight = |passed: f64| {
        let load = 1024.0 + 9548.0 * (-passed * PERIOD as f64 / HALF_LIFE).exp2();
        GROUP as f64 * load / (load + 9548.0)
    };
    let slept = SLEPT * PERIOD;
    near(shares.of(0, Ns(slept + PERIOD - 1)), weight(0.0), 0.0005);
    let middle = shares.of(0, Ns(slept + PERIOD * 3 / 2));
    near(middle, weight(1.5), 0.0005);
    assert_eq!(shares.of(0, Ns(slept + 2 * PERIOD - 1)), middle);
    near(shares.of(0, Ns(slept + PERIOD * 13 / 4)), weight(3.25), 0.0005);
    near(shares.of(0, Ns(slept + PERIOD * 4)), weight(4.0), 0.0005);
}

/// All of the load is where both are now: 2048 of 2048, at once.
#[test]
fn who_is_moved_takes_the_load_along() {
    let (mut shares, mut first) = pair();
    shares.remove(&mut first, 0, true, Ns(1000 * MS + 1));
    shares.add(&mut first, 1, Ns(1000 * MS + 1));
    assert_eq!(shares.of(1, Ns(1000 * MS + 1)), GROUP);
}

/// One that slept for a half-life brings 512 with it: on its new CPU it weighs 1024, what is queued, of 1024 + 1024;
/// asleep again at once it leaves 1536 there, of which the group hears after 1 ms.
#[test]
fn who_wakes_elsewhere_brings_what_is_left_of_the_load() {
    let half_life = 32 * 1024 * 1024;
    let (mut shares, mut first) = pair();
    shares.remove(&mut first, 0, false, Ns(1000 * MS));
    let now = 1000 * MS + half_life;
    shares.add(&mut first, 1, Ns(now));
    shares.remove(&mut first, 1, false, Ns(now));
    let mut third = Own::new(ONE);
    shares.add(&mut third, 0, Ns(now + MS));
    // Beside 1024 and no blocked load on the first CPU: 1024 + 512 on the second.
    near(shares.of(0, Ns(now + MS)), GROUP as f64 * 1024.0 / (1024.0 + 1536.0), 0.03);
}

/// One at nice 0 and one at nice 5 (335): 1024 and 335 of 1359.
#[test]
fn loads_are_weights_by_nice_value() {
    let mut shares = Shares::new(3 * GROUP, 2, Rule::Linux67);
    shares.add(&mut Own::new(ONE), 0, Ns(0));
    shares.add(&mut Own::new(335), 1, Ns(0));
    for ms in 1..1000 {
        shares.of(0, Ns(ms * MS));
        shares.of(1, Ns(ms * MS));
    }
    near(shares.of(0, Ns(1000 * MS)), 3.0 * GROUP as f64 * 1024.0 / 1359.0, 0.01);
    near(shares.of(1, Ns(1000 * MS)), 3.0 * GROUP as f64 * 335.0 / 1359.0, 0.02);
}

/// MIN_SHARES: fifteen of a load of a million, of the least weight there is.
#[test]
fn no_cpu_has_less_than_two() {
    let mut shares = Shares::new(GROUP / 100, 2, Rule::Linux67);
    (0..100).for_each(|_| shares.add(&mut Own::new(9548), 0, Ns(0)));
    for ms in 1..1000 {
        shares.of(0, Ns(ms * MS));
    }
    shares.add(&mut Own::new(15), 1, Ns(1000 * MS));
    assert_eq!(shares.of(1, Ns(1000 * MS)), 2);
}
