//! How the kernel estimates what a fair task will use before the task has run: `util_est`.
//!
//! A sleeping task's utilisation decays, so on waking it looks smaller than it is. The kernel therefore
//! remembers, each time the task blocks, what its utilisation was: a rise counts at once, a small fall is not
//! noticed, a larger fall counts for a quarter. Linux 6.12 moreover ignores a fall of a task that had to wait for
//! its CPU, as it would have used more if it had been let.
//!
//! The twins below are `util_est_update` of Linux 6.1.176 and 6.12.117 (kernel/sched/fair.c) in the kernel's
//! integers. Left out are `UTIL_AVG_UNCHANGED` (the averages are taken to have changed since the last block) and
//! the comparison with the CPU's capacity (it is 1024, which no utilisation exceeds).

use wwi_model::host::balance::estimates::{Estimate, Rule};

/// `UTIL_EST_MARGIN`: a hundredth of the scale of 1024, in integers.
const UTIL_EST_MARGIN: u32 = 1024 / 100;
/// `UTIL_EST_WEIGHT_SHIFT`: a new value counts for a quarter.
const UTIL_EST_WEIGHT_SHIFT: u32 = 2;

const SEQUENCES: u64 = 600;
const STEPS: usize = 60;
const OFTEN: usize = 500;

/// What `util_est_update` did.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Branch {
    /// The value was above the average, which took it over.
    Rise,
    /// Close to the average and far from the last value: only the last value was stored (6.1 only).
    NearStored,
    /// Close to the average: nothing changed.
    Near,
    /// Well below the average, but the task had to wait: nothing changed (6.12 only).
    Contended,
    /// Well below the average, which went down by a quarter of the distance.
    Fall,
}

/// `struct util_est` of 6.1. In 6.12 the average is all there is.
#[derive(Clone, Copy, Debug, Default)]
struct UtilEst {
    ewma: u32,
    enqueued: u32,
}

impl UtilEst {
    /// `_task_util_est` of both kernels (in 6.12 `enqueued` stays zero).
    fn task_util_est(&self) -> u32 {
        self.ewma.max(self.enqueued)
    }

    fn util_est_update(&mut self, util: u32, runnable: u32, rule: Rule) -> Branch {
        match rule {
            Rule::Linux61 => util_est_update_6_1(self, util),
            Rule::Linux68 => util_est_update_6_12(&mut self.ewma, util, runnable),
        }
    }
}

/// `within_margin` of 6.1.
fn within_margin(value: i64) -> bool {
    value.unsigned_abs() < u64::from(UTIL_EST_MARGIN)
}

/// `util_est_update` of 6.1, with the feature `UTIL_EST_FASTUP` on, as it is by default.
fn util_est_update_6_1(stored: &mut UtilEst, task_util: u32) -> Branch {
    let mut ue = *stored;
    let last_enqueued = ue.enqueued;
    ue.enqueued = task_util;
    if ue.ewma < ue.enqueued {
        ue.ewma = ue.enqueued;
        *stored = ue;
        return Branch::Rise;
    }
    let last_ewma_diff = i64::from(ue.enqueued) - i64::from(ue.ewma);
    if within_margin(last_ewma_diff) {
        if within_margin(i64::from(last_enqueued) - i64::from(ue.enqueued)) {
            return Branch::Near;
        }
        *stored = ue;
        return Branch::NearStored;
    }
    let scaled = (i64::from(ue.ewma) << UTIL_EST_WEIGHT_SHIFT) + last_ewma_diff;
    ue.ewma = u32::try_from(scaled >> UTIL_EST_WEIGHT_SHIFT).expect("an average is not negative");
    *stored = ue;
    Branch::Fall
}

/// `util_est_update` of 6.12.
fn util_est_update_6_12(ewma: &mut u32, dequeued: u32, task_runnable: u32) -> Branch {
    if *ewma <= dequeued {
        *ewma = dequeued;
        return Branch::Rise;
    }
    let last_ewma_diff = *ewma - dequeued;
    if last_ewma_diff < UTIL_EST_MARGIN {
        return Branch::Near;
    }
    if dequeued + UTIL_EST_MARGIN < task_runnable {
        return Branch::Contended;
    }
    *ewma = ((*ewma << UTIL_EST_WEIGHT_SHIFT) - last_ewma_diff) >> UTIL_EST_WEIGHT_SHIFT;
    Branch::Fall
}

/// The generator splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` up to, not including, `high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// What a task's averages are as it blocks, drawn around the estimate it has. A task that had to wait is runnable
/// for at least 11 more than it ran, one that had not for less than 9 more: in between the kernel's truncated
/// averages and the exact ones may disagree about the margin of 10, and that is no error of either.
fn draw(random: &mut Random, expected: f64) -> (f64, f64) {
    let kind = random.next() % 6;
    let util = match kind {
        0 => expected - random.between(0.0, 13.0),
        1 | 3 => expected * random.between(0.1, 0.95),
        2 => expected + random.between(0.5, 200.0),
        4 => expected + random.between(-13.0, 47.0),
        _ => random.between(0.0, 1024.0),
    };
    let util = util.clamp(0.0, 1023.0);
    let waited = match kind {
        0..=2 => false,
        3 | 4 => true,
        _ => random.next() & 1 == 0,
    };
    let runnable = if waited && util < 1000.0 {
        random.between(util + 11.0, 1024.0)
    } else {
        random.between(util, util + 9.0).min(1024.0)
    };
    (util, runnable)
}

/// Compares twin and simulator over random sequences and returns which branches the twin took.
///
/// The twin is told the averages truncated, as the kernel keeps them; the simulator is told the exact ones. Call
/// `d` what the simulator expects more than the twin, `f` (less than 1) what the truncation of the utilisation
/// took away and `k` by how much the twin's average lies above the truncated utilisation. Then `-1.5 <= d < 4`:
/// * Both fall: the shift takes another `e` (at most 3/4) away, so `d` becomes `3/4 d + 1/4 f + e`. That is less
///   than `3/4 d + 1`, which stays below 4 if `d` is, and not less than `3/4 d`.
/// * Both rise: `d` becomes `f`. If only one of them rises, the other one is close to the average and keeps it:
///   `d` ends up between its old value and `f`.
/// * Only the simulator falls: the twin has `k <= 9`, the simulator a distance `k + d - f` of 10 or more. `d` becomes
///   `d - (k + d - f) / 4`, which is less than `d` and at least `7.5 - k + f`, so not below -1.5.
/// * Only the twin falls: `k` is at least 10, so the twin loses `k / 4`, rounded up, which is 3 for `k` up to 12,
///   while `d` was less than `10 - k + f`. So `d` ends up below `13 - k + f`, which is less than 4. A larger `k`
///   would need a `d` below -2, which does not occur.
/// * The fall of a task that had to wait is ignored by both.
fn compare(rule: Rule, seed: u64) -> Vec<Branch> {
    let mut random = Random(seed);
    let mut taken = Vec::new();
    for sequence in 0..SEQUENCES {
        let mut twin = UtilEst::default();
        let mut estimate = Estimate::default();
        for step in 0..STEPS {
            let (util, runnable) = draw(&mut random, f64::from(twin.task_util_est()));
            let before = twin;
            taken.push(twin.util_est_update(util as u32, runnable as u32, rule));
            estimate.blocks(util, runnable, rule);
            let got = estimate.expected();
            let more = got - f64::from(twin.task_util_est());
            assert!(
                (-1.5 - 1e-6..4.0 + 1e-6).contains(&more),
                "sequence {sequence} step {step}: util {util} runnable {runnable}: {before:?} gave {twin:?}, not {got}"
            );
            // In 6.1 the larger of the average and the last value counts. As a rise sets the average to the value
            // and a fall leaves it above the value, that is always the average.
            assert!(twin.enqueued <= twin.ewma);
        }
    }
    taken
}

fn assert_often(taken: &[Branch], branches: &[Branch]) {
    for branch in branches {
        let times = taken.iter().filter(|one| *one == branch).count();
        assert!(times >= OFTEN, "{branch:?} only {times} times");
    }
    assert!(taken.iter().all(|one| branches.contains(one)));
}

#[test]
fn random_sequences_agree_with_linux_6_1() {
    let taken = compare(Rule::Linux61, 61);
    assert_often(&taken, &[Branch::Rise, Branch::NearStored, Branch::Near, Branch::Fall]);
}

#[test]
fn random_sequences_agree_with_linux_6_12() {
    let taken = compare(Rule::Linux68, 612);
    assert_often(&taken, &[Branch::Rise, Branch::Near, Branch::Contended, Branch::Fall]);
}

/// Tells twin and simulator the same blocks (utilisation, runnable average) and checks what both expect after the
/// last one. The simulator may keep the fraction that the kernel truncates, which in these short cases is below 1.
fn worked(rule: Rule, blocks: &[(u32, u32)], kernel: u32) {
    let mut twin = UtilEst::default();
    let mut estimate = Estimate::default();
    for &(util, runnable) in blocks {
        twin.util_est_update(util, runnable, rule);
        estimate.blocks(f64::from(util), f64::from(runnable), rule);
    }
    assert_eq!(twin.task_util_est(), kernel, "the twin after {blocks:?}");
    let got = estimate.expected();
    let more = got - f64::from(kernel);
    assert!((-1e-6..1.0).contains(&more), "after {blocks:?}: {got} and not {kernel}");
}

fn worked_both(blocks: &[(u32, u32)], kernel: u32) {
    worked(Rule::Linux61, blocks, kernel);
    worked(Rule::Linux68, blocks, kernel);
}

/// A new task has no estimate. Whatever it used when it first blocked is more than that, so it counts in full.
#[test]
fn the_first_block_counts_in_full() {
    worked_both(&[], 0);
    worked_both(&[(7, 7)], 7);
    worked_both(&[(300, 300)], 300);
}

/// A rise is taken over without smoothing, be it from 200 to 500 or from 200 to 201, and also if the task had to wait
/// (runnable 1000).
#[test]
fn a_rise_counts_at_once() {
    worked_both(&[(200, 200), (500, 500)], 500);
    worked_both(&[(200, 200), (201, 201)], 201);
    worked_both(&[(200, 200), (450, 1000)], 450);
}

/// The margin is 1024 / 100 = 10, and a fall must be smaller to be ignored. From 400 to 391 it is 9: ignored. From
/// 400 to 390 it is 10: a quarter of 10 is 2.5, and 397.5 is truncated to 397.
#[test]
fn a_fall_within_the_margin_is_ignored() {
    worked_both(&[(400, 400), (391, 391)], 400);
    worked_both(&[(400, 400), (390, 390)], 397);
}

/// Small falls one after the other are noticed in the end, as what counts is the distance from the average and not
/// from the last value. 395 and 391 are within 10 of 400. 388 is only 3 below 391 but 12 below 400: 400 - 12 / 4 = 397.
#[test]
fn the_margin_is_measured_from_the_average() {
    worked_both(&[(400, 400), (395, 395), (391, 391)], 400);
    worked_both(&[(400, 400), (395, 395), (391, 391), (388, 388)], 397);
}

/// From 800 to 400: 800 - 400 / 4 = 700, then 700 - 300 / 4 = 625, then 625 - 225 / 4 = 568.75, truncated to 568.
#[test]
fn a_larger_fall_counts_for_a_quarter() {
    worked_both(&[(800, 800), (400, 400)], 700);
    worked_both(&[(800, 800), (400, 400), (400, 400)], 625);
    worked_both(&[(800, 800), (400, 400), (400, 400), (400, 400)], 568);
}

/// A task of 600 that now ran for 200 and was runnable for 500 had to wait. 6.12 keeps 600; 6.1 knows nothing of
/// waiting and takes 600 - 400 / 4 = 500. When it blocks at 200 once more, without having waited, 6.12 takes that
/// same step from 600 and 6.1 the next one: 500 - 300 / 4 = 425.
#[test]
fn a_task_that_had_to_wait_keeps_its_estimate_in_6_12() {
    worked(Rule::Linux68, &[(600, 600), (200, 500)], 600);
    worked(Rule::Linux61, &[(600, 600), (200, 500)], 500);
    worked(Rule::Linux68, &[(600, 600), (200, 500), (200, 200)], 500);
    worked(Rule::Linux61, &[(600, 600), (200, 500), (200, 200)], 425);
}

/// To have waited means to have been runnable for more than 10 longer: at 200 and 210 the fall from 600 counts, at
/// 200 and 211 it does not.
#[test]
fn waiting_within_the_margin_is_none() {
    worked(Rule::Linux68, &[(600, 600), (200, 210)], 500);
    worked(Rule::Linux68, &[(600, 600), (200, 211)], 600);
    worked(Rule::Linux61, &[(600, 600), (200, 211)], 500);
}

/// 6.1 takes the larger of average and last value. After the rise to 500 both are 500; after the fall to 100 the
/// average is 500 - 400 / 4 = 400 and the last value 100, so 400 counts; after the fall to 392 (8 below the average,
/// so it is left alone) the last value is 392 and again 400 counts; after the rise to 405 both are 405.
#[test]
fn the_larger_of_average_and_last_value_counts_in_6_1() {
    worked(Rule::Linux61, &[(500, 500)], 500);
    worked(Rule::Linux61, &[(500, 500), (100, 100)], 400);
    worked(Rule::Linux61, &[(500, 500), (100, 100), (392, 392)], 400);
    worked(Rule::Linux61, &[(500, 500), (100, 100), (392, 392), (405, 405)], 405);
}
