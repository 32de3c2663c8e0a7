//! First sketches, and points of curves: short runs, and on average no others than long ones.

use wwi_kernel::stats::{half_width, mean};
use wwi_model::config::Config;
use wwi_model::experiment::pair::{difference, Pair};
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{done, goal, lawful};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

const SEEDS: u64 = 40;

fn run(config: &Config, seed: u64, coarse: bool, precision: f64) -> (f64, u64) {
    let config = Config { seed, ..config.clone() };
    let goal = Goal { coarse, ..goal(precision, 20_000_000) };
    let report = lawful(&config, &done(Experiment::new(&config, goal).without_ledger()));
    (report.lio_per_s.mean, report.events)
}

/// Few sessions are where a sketch is shortest; where they start within a second, their transactions take a tenth of
/// it.
#[test]
fn sketches_of_few_sessions_are_as_high_on_average_as_long_runs() {
    let slow = "&session_start_spread_ms=1000";
    let few = ["instance-caging-vm?sessions=1", "instance-caging-vm?sessions=2", "caging-nine-on-six?sessions=3"];
    for query in few.map(|query| format!("{query}{slow}")).into_iter().chain(few.map(str::to_owned)) {
        let query = query.as_str();
        let config = to_config(&decode(query).expect("a scenario").scenario);
        let (long, events) = run(&config, 99, false, 0.002);
        let sketches: Vec<(f64, u64)> = (1..=SEEDS).map(|seed| run(&config, seed, true, 0.03)).collect();
        let mean = sketches.iter().map(|one| one.0).sum::<f64>() / SEEDS as f64;
        assert!((mean / long - 1.0).abs() < 0.01, "{query}: {mean} on average, {long} in the long run");
        assert!(sketches.iter().all(|one| one.1 * 4 < events), "{query}: a sketch is short");
    }
}

/// What happens once in a quarter of an hour is not waited for.
#[test]
fn a_run_does_not_go_on_for_logs_that_it_will_not_see_switched() {
    let simulated = |query: &str| {
        let config = to_config(&decode(query).expect("a scenario").scenario);
        let goal = Goal { figures: Figures::ThroughputOnly, ..goal(0.5, 3_000_000) };
        let report = lawful(&config, &done(Experiment::new(&config, goal).without_ledger()));
        assert!(!report.truncated, "{query}");
        report.simulated_s
    };
    // As fast as redo may come, 500 MB last a quarter of a minute: three are worth 45 s. Three of 1,000 MB would be
    // more than a minute, and 15 s are enough for each writer to look five times.
    let of = |size: u32| simulated(&format!("log-writer-starved?redo_log_mb={size}"));
    let (rare, often) = (of(1000), of(500));
    assert!(often > 2.0 * rare, "{rare} s with logs that last, {often} s with logs that switch");
}

const PRECISION: f64 = 0.03;
const POINT: Goal = Goal { figures: Figures::ThroughputOnly, ..goal(PRECISION, 20_000_000) };

/// B, and A where there is one, as points of a curve or at full length.
fn points(of: fn(&Config, Option<&Config>, Goal) -> Pair, queries: [&str; 2], seed: u64, goal: Goal) -> [Report; 2] {
    let [b, a] = queries.map(|query| Config { seed, ..to_config(&decode(query).expect("a scenario").scenario) });
    let mut pair = of(&b, Some(&a), goal);
    while !pair.advance(1_000_000).done {}
    [pair.report(), pair.other_report().expect("a report")]
}

fn events(reports: &[Report; 2]) -> u64 {
    reports.iter().map(|report| report.events).sum()
}

/// Of a figure, what no page shows: what passes the edges of the time that was looked at.
const UNSEEN: f64 = 1e-5;

/// How many of these hold the truth, as well as it is known itself, and what they are off by on average.
fn judged(found: &[Estimate], long: &[Estimate]) -> (usize, f64) {
    let means = |all: &[Estimate]| all.iter().map(|one| one.mean).collect::<Vec<f64>>();
    let (truth, known) = (mean(&means(long)), half_width(&means(long)).expect("an interval"));
    let held = found
        .iter()
        .filter(|one| (one.mean - truth).abs() <= one.ci95.expect("an interval") + known + UNSEEN * truth.abs());
    (held.count(), mean(&means(found)) - truth)
}

/// Eight starts each, for the phases of slots and ticks stay what they are within one; but they are short.
#[test]
fn points_of_throughput_are_short_and_hold_what_long_runs_of_many_starts_come_to() {
    let free = "&resource_manager_plan=none";
    for (query, shorter) in [
        ("instance-caging-vm?sessions=5", 1),
        ("instance-caging-vm?sessions=20", 3),
        ("instance-caging-vm?sessions=40", 3),
        ("caging-nine-on-six?sessions=15", 3),
        ("two-hosts?sessions=20", 1),
    ] {
        let both = [query, &format!("{query}{free}")];
        let long: Vec<_> = (101..=124).map(|seed| points(Pair::new, both, seed, POINT)).collect();
        let short: Vec<_> = (1..=SEEDS).map(|seed| points(Pair::of_points, both, seed, POINT)).collect();
        let told = |all: &[[Report; 2]], of: fn(&[Report; 2]) -> Estimate| all.iter().map(of).collect::<Vec<_>>();
        let figures: [fn(&[Report; 2]) -> Estimate; 3] = [
            |[b, _]| b.lio_per_s.clone(),
            |[_, a]| a.lio_per_s.clone(),
            |[b, a]| difference(&b.lio_per_s, &a.lio_per_s),
        ];
        for (figure, of) in ["B", "A", "B − A"].into_iter().zip(figures) {
            let (held, off) = judged(&told(&short, of), &told(&long, of));
            assert!(held >= 35, "{query}, {figure}: {held} of {SEEDS} hold it");
            let of_what = long[0][1].lio_per_s.mean;
            assert!(off.abs() < 0.003 * of_what, "{query}, {figure}: {off} of {of_what} on average");
        }
        let cost = |all: &[[Report; 2]]| all.iter().map(events).sum::<u64>() / all.len() as u64;
        assert!(cost(&short) * shorter < cost(&long), "{query}: {} and {}", cost(&short), cost(&long));
        assert!(short.iter().flatten().all(|one| one.lio_per_s.reps.len() >= 8), "{query}");
    }
}

#[test]
fn a_point_is_looked_at_longer_where_the_difference_has_no_sign_and_no_longer_than_a_whole_run() {
    let at = |of, us: u32, goal| {
        let query = format!("instance-caging-vm?switch_refill_us={us}");
        points(of, [&query, &format!("{query}&resource_manager_plan=none")], 42, goal)
    };
    let sure = |[b, a]: &[Report; 2]| {
        let found = difference(&b.lio_per_s, &a.lio_per_s);
        found.mean.abs() > found.ci95.expect("an interval")
    };
    let (far, near, whole) =
        (at(Pair::of_points, 1000, POINT), at(Pair::of_points, 470, POINT), at(Pair::new, 470, POINT));
    assert!(sure(&far));
    assert!(events(&near) as f64 > 1.3 * events(&far) as f64, "{} and {}", events(&near), events(&far));
    assert!(events(&near) as f64 <= 1.1 * events(&whole) as f64, "{} and {}", events(&near), events(&whole));
    let sketch = Goal { coarse: true, ..POINT };
    let apart = events(&at(Pair::of_points, 470, sketch)).abs_diff(events(&at(Pair::of_points, 1000, sketch)));
    assert!(apart * 20 < events(&far), "a sketch asks for no sign: {apart}");
}

/// Two that are one have no difference, and that is known at once.
#[test]
fn equal_scenarios_are_looked_at_no_longer_and_other_figures_as_long_as_ever() {
    let query = "instance-caging-vm?sessions=20";
    let [b, a] = points(Pair::of_points, [query, query], 1, POINT);
    assert_eq!(b.lio_per_s, a.lio_per_s);
    let alone = points(Pair::of_points, [query, "instance-caging-vm?sessions=21"], 1, POINT);
    assert!(b.events <= alone[0].events, "{} and {}", b.events, alone[0].events);
    let figures = Figures::One(wwi_scenario::metrics::find("response_mean_ms").expect("a metric").figure());
    let goal = Goal { figures, ..POINT };
    let pair = |of| points(of, [query, "instance-caging-vm?sessions=21"], 1, goal);
    assert_eq!(events(&pair(Pair::of_points)), events(&pair(Pair::new)));
}

/// Now and then a session owes for a switch as it answers: these runs have some that do, and all time of sessions is
/// told of once.
#[test]
fn who_owes_as_it_answers_is_told_of_once() {
    for (query, seed) in [("dbwr-heavy", 42), ("dbwr-heavy", 2), ("dbwr-heavy?db_writer_processes=1", 3)] {
        let config = Config { seed, ..to_config(&decode(query).expect("a scenario").scenario) };
        for coarse in [true, false] {
            lawful(&config, &done(Experiment::new(&config, Goal { coarse, ..goal(0.03, 3_000_000) })));
        }
    }
}
