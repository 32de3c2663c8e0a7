//! The presence of a group on its CPUs, worked by hand from `update_tg_cfs_load` and what leads there.
use crate::presence::NEAR;
use crate::{GROUP, ONE};
use wwi_kernel::time::Ns;
use wwi_model::host::shares::{Own, Rule, Shares};

/// 32 periods of 1024 times 1024 ns.
const HALF: u64 = 1 << 25;

/// A new process on a CPU, and its group's entity beside the others there.
fn start(shares: &mut Shares, weight: u64, at: usize, now: u64) -> Own {
    let mut own = Own::new(weight);
    shares.add(&mut own, at, Ns(now));
    shares.stand(at, true, Ns(now));
    own
}

/// The last on a CPU sleeps, and the entity leaves with it.
fn end(shares: &mut Shares, own: &mut Own, at: usize, now: u64) {
    shares.remove(own, at, false, Ns(now));
    shares.stand(at, false, Ns(now));
}

fn are(shares: &Shares, now: u64, expected: &[f64]) {
    for (at, expected) in expected.iter().enumerate() {
        let told = shares.presence(at, Ns(now));
        assert!((told - expected).abs() <= NEAR, "CPU {at} at {now}: {told} instead of {expected}");
    }
}

/// A group starts with nothing, and a new process with all. Gone for two half-lives, 1/4 is left; back where it was
/// nothing is attached, and half of the missing 3/4 is there after another.
#[test]
fn an_entity_halves_and_fills_by_half() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    are(&shares, 5, &[0.0, 0.0]);
    let mut own = start(&mut shares, 335, 0, 10);
    are(&shares, 10, &[1.0, 0.0]);
    are(&shares, HALF, &[1.0, 0.0]);
    end(&mut shares, &mut own, 0, HALF);
    are(&shares, 2 * HALF, &[0.5, 0.0]);
    are(&shares, 3 * HALF, &[0.25, 0.0]);
    shares.add(&mut own, 0, Ns(3 * HALF));
    shares.stand(0, true, Ns(3 * HALF));
    are(&shares, 3 * HALF, &[0.25, 0.0]);
    are(&shares, 4 * HALF, &[0.625, 0.0]);
}

/// With a delayed dequeue the entity stands on without a process: full for that long, half a half-life later. The
/// average of the process has faded since it slept: 1/4 for where it wakes then.
#[test]
fn an_entity_whose_leaving_is_delayed_stands() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let mut own = start(&mut shares, ONE, 0, 0);
    shares.remove(&mut own, 0, false, Ns(HALF));
    are(&shares, 2 * HALF, &[1.0, 0.0]);
    shares.stand(0, false, Ns(2 * HALF));
    are(&shares, 3 * HALF, &[0.5, 0.0]);
    shares.add(&mut own, 1, Ns(3 * HALF));
    shares.stand(1, true, Ns(3 * HALF));
    are(&shares, 3 * HALF, &[0.0, 0.25]);
    are(&shares, 4 * HALF, &[0.0, 0.625]);
}

/// Two asleep for two half-lives on a CPU each: 1/4 each. Where one wakes beside the other there is 1/4 + 1/4, whatever
/// they weigh, and nothing where nobody is queued any more. A new one makes 1 of it: "clip at LOAD_AVG_MAX".
#[test]
fn who_wakes_elsewhere_adds_its_own_share() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let mut first = start(&mut shares, 9548, 0, 0);
    let mut second = start(&mut shares, 15, 1, 0);
    end(&mut shares, &mut first, 0, HALF);
    end(&mut shares, &mut second, 1, HALF);
    are(&shares, 3 * HALF, &[0.25, 0.25]);
    shares.add(&mut first, 1, Ns(3 * HALF));
    shares.stand(1, true, Ns(3 * HALF));
    are(&shares, 3 * HALF, &[0.0, 0.5]);
    are(&shares, 4 * HALF, &[0.0, 0.75]);
    start(&mut shares, 335, 1, 4 * HALF);
    are(&shares, 4 * HALF, &[0.0, 1.0]);
}

/// 335 that slept for a half-life is queued again beside 1024 that never slept. When that is moved, 167.5 of load
/// over 335 of weight stay: 1/2, where 1 was; 3/4 a half-life later.
#[test]
fn who_is_moved_leaves_what_the_others_queued_are_worth() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let mut first = start(&mut shares, ONE, 0, 0);
    let mut second = start(&mut shares, 335, 0, 0);
    shares.remove(&mut second, 0, false, Ns(0));
    shares.add(&mut second, 0, Ns(HALF));
    are(&shares, HALF, &[1.0, 0.0]);
    shares.remove(&mut first, 0, true, Ns(HALF));
    are(&shares, HALF, &[0.5, 0.0]);
    shares.add(&mut first, 1, Ns(HALF));
    shares.stand(1, true, Ns(HALF));
    are(&shares, HALF, &[0.5, 1.0]);
    are(&shares, 2 * HALF, &[0.75, 1.0]);
}

/// Three of 1024, two of them asleep for a half-life. One of these wakes elsewhere: 1024 and 512 of load over 1024
/// of weight make 1.5, "but not to inflate": 1 stays. The one that is queued follows: 512 of load stay, nobody is
/// queued, and nothing is left of the presence.
#[test]
fn load_of_sleepers_counts_only_beside_one_that_is_queued() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let mut queued = start(&mut shares, ONE, 0, 0);
    let mut sleepers = [Own::new(ONE), Own::new(ONE)];
    for own in &mut sleepers {
        shares.add(own, 0, Ns(0));
        shares.remove(own, 0, false, Ns(0));
    }
    shares.add(&mut sleepers[0], 1, Ns(HALF));
    shares.stand(1, true, Ns(HALF));
    are(&shares, HALF, &[1.0, 0.5]);
    shares.remove(&mut queued, 0, true, Ns(HALF));
    shares.stand(0, false, Ns(HALF));
    are(&shares, HALF, &[0.0, 0.5]);
    shares.add(&mut queued, 1, Ns(HALF));
    are(&shares, HALF, &[0.0, 1.0]);
}

/// Asked for its weight every 0.1 ms, a group fades as one that nobody asked.
#[test]
fn questions_change_nothing() {
    let mut shares = Shares::new(GROUP, 2, Rule::Linux67);
    let mut first = start(&mut shares, ONE, 0, 0);
    start(&mut shares, ONE, 1, 0);
    end(&mut shares, &mut first, 0, HALF);
    for now in (HALF..2 * HALF).step_by(100_000) {
        shares.of(1, Ns(now));
    }
    are(&shares, 2 * HALF, &[0.5, 1.0]);
}

/// Told every 0.1 ms what it knows, it fades as one that is told once.
#[test]
fn an_entity_that_is_told_often_fades_as_one_told_once() {
    let mut shares = Shares::new(GROUP, 1, Rule::Linux67);
    let mut own = start(&mut shares, ONE, 0, 0);
    end(&mut shares, &mut own, 0, HALF);
    for now in (HALF..2 * HALF).step_by(100_000) {
        shares.stand(0, false, Ns(now));
    }
    let told = shares.presence(0, Ns(2 * HALF));
    assert!((told - 0.5).abs() <= 3e-4, "{told} instead of 0.5");
}
