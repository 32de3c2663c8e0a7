//! A knob that points were made with is found from them again.

use wwi_kernel::rng::Stream;
use wwi_model::experiment::Experiment;
use wwi_model::testing::{done, goal, lawful};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode_with;
use wwi_scenario::fit::{Asked, Fit, Found, Point};

/// Scenario, axis and its values, the knob, the value that points are made with, the one that the search begins at, and
/// what is measured.
type Case = (&'static str, &'static str, &'static [u32], &'static str, f64, f64, Measure);

#[derive(Clone, Copy, PartialEq)]
enum Measure {
    Transactions,
    Reads,
    Response,
}
use Measure::{Reads, Response, Transactions};

const SESSIONS: &[u32] = &[2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48];
const FEW: &[u32] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const MANY: &[u32] = &[8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 40, 48];
const ARRIVALS: &[u32] = &[20, 25, 30, 35, 40, 45, 50, 55];

const CASES: [Case; 12] = [
    ("instance-caging-vm", "sessions", SESSIONS, "lio_us", 3.1, 2.0, Reads),
    ("instance-caging-vm", "sessions", SESSIONS, "cpu_count", 5.0, 8.0, Reads),
    ("instance-caging-vm", "sessions", MANY, "think_time_ms", 150.0, 60.0, Reads),
    ("instance-caging-vm", "sessions", SESSIONS, "lio_per_transaction", 40_000.0, 60_000.0, Transactions),
    ("instance-caging-vm", "sessions", SESSIONS, "lio_us", 1.2, 3.0, Response),
    ("instance-caging-metal", "sessions", SESSIONS, "lio_us", 0.7, 2.0, Reads),
    ("instance-caging-metal", "sessions", FEW, "think_time_ms", 90.0, 200.0, Transactions),
    ("lpar-smt4", "sessions", FEW, "lio_us", 1.5, 1.0, Reads),
    ("caging-nine-on-six", "sessions", FEW, "cores_per_socket", 3.0, 2.0, Reads),
    ("caging-nine-on-six", "sessions", FEW, "lio_us", 2.2, 5.0, Transactions),
    ("cpu-queue", "arrivals_per_s", ARRIVALS, "lio_us", 1.6, 1.0, Response),
    ("your-host", "sessions", SESSIONS, "lio_us", 3.1, 2.0, Reads),
];

fn text(number: f64) -> String {
    wwi_scenario::number::plain(number)
}

/// What the model says at one point, with other seeds than the fit has.
fn simulated(case: &Case, at: u32, seed: u64) -> [f64; 3] {
    let (query, over, _, free, truth, ..) = *case;
    let sets = [(over, at.to_string()), (free, text(truth)), ("seed", seed.to_string())];
    let sets = sets.map(|(knob, value)| (knob.to_owned(), value));
    let scenario = decode_with(query, &sets).expect("a scenario").scenario;
    let config = to_config(&scenario);
    let report = lawful(&config, &done(Experiment::new(&config, goal(0.01, 3_000_000)).without_ledger()));
    [report.transactions_per_s.mean, report.lio_per_s.mean, report.response.mean_ms.mean]
}

/// Points with so much relative noise.
fn points(case: &Case, number: u64, noise: f64) -> Vec<Point> {
    let mut random = Stream::new(9, 0, "fit", number, "noise");
    let mut normal = || (0..12).map(|_| random.uniform()).sum::<f64>() - 6.0;
    let point = |&at: &u32| {
        let off = 1.0 + noise * normal();
        let [transactions, reads, response] = simulated(case, at, 1000 + number).map(|figure| figure * off);
        let only = |measure: Measure, figure: f64| (case.6 == measure).then_some(figure);
        Point {
            at: f64::from(at),
            transactions_per_s: only(Transactions, transactions),
            lio_per_s: only(Reads, reads),
            response_ms: only(Response, response),
        }
    };
    case.2.iter().map(point).collect()
}

fn found(asked: Asked) -> Found {
    let mut fit = Fit::new(asked).unwrap_or_else(|faults| panic!("{faults:?}"));
    let mut slices = 0;
    while !fit.advance(20_000).0 {
        slices += 1;
    }
    assert!(slices > 2 && fit.fault().is_none(), "{slices} {:?}", fit.fault());
    fit.found().expect("a value").found
}

#[test]
fn twelve_sets_of_points_with_noise_give_the_knob_back() {
    for (number, case) in CASES.iter().enumerate() {
        let (query, over, _, free, truth, start, _) = *case;
        let points = points(case, number as u64, 0.02);
        let query = format!("{query}?{free}={}", text(start));
        let asked = Asked { query, over: over.to_owned(), free: free.to_owned(), points };
        let found = found(asked);
        println!(
            "{number} {free} {truth}: {} ({} to {}), residual {}",
            found.value, found.low, found.high, found.residual
        );
        assert!(!found.is_open_below && !found.is_open_above, "{number}: {found:?}");
        assert!(found.low <= truth && truth <= found.high, "{number}: {truth} in {found:?}");
        assert!(found.high - found.low <= 0.2 * truth, "{number}: {found:?}");
        assert!((0.01..0.035).contains(&found.residual), "{number}: {found:?}");
    }
}

/// Reads a second of sessions that never wait say nothing of how many reads a transaction has.
#[test]
fn points_that_do_not_tell_say_so() {
    let case =
        &("instance-caging-vm", "sessions", &[4, 8, 16, 32][..], "lio_per_transaction", 60_000.0, 60_000.0, Reads);
    let points = points(case, 1, 0.02);
    let found = found(Asked { query: case.0.into(), over: case.1.into(), free: case.3.into(), points });
    assert!(found.is_open_above, "{found:?}");
}

#[test]
fn what_cannot_be_fitted_is_refused_in_words() {
    let three = |at: [f64; 3]| at.map(|at| Point { at, lio_per_s: Some(1e6), ..Point::default() }).to_vec();
    let refused = |query: &str, over: &str, free: &str, points: Vec<Point>| {
        let asked = Asked { query: query.into(), over: over.into(), free: free.into(), points };
        Fit::new(asked).err().unwrap_or_else(|| panic!("{query} {over} {free}")).join("; ")
    };
    let good = || three([4.0, 8.0, 16.0]);
    assert!(refused("cpu-queu", "sessions", "lio_us", good()).contains("cpu-queu"));
    assert!(refused("instance-caging-vm", "sessions", "lio", good()).contains("there is no knob “lio”"));
    assert!(refused("instance-caging-vm", "sessions", "os_scheduler", good()).contains("is no number"));
    assert!(refused("instance-caging-vm", "sessions", "sessions", good()).contains("it is known"));
    assert!(refused("instance-caging-vm", "sessions", "lio_us", three([4.0, 8.5, 16.0])).contains("sessions"));
    assert!(refused("instance-caging-vm", "sessions", "lio_us", good()[..2].to_vec()).contains("not 2"));
    let zero = vec![Point { at: 4.0, lio_per_s: Some(0.0), ..Point::default() }; 3];
    assert!(refused("instance-caging-vm", "sessions", "lio_us", zero).contains("above zero"));
    let many = vec![Point { at: 4.0, lio_per_s: Some(1.0), ..Point::default() }; 41];
    assert!(refused("instance-caging-vm", "sessions", "lio_us", many).contains("41 points; at most 40"));
}

#[test]
fn what_a_page_asks_is_read() {
    let none = f64::NAN;
    let asked = Asked::new("cpu-queue", "sessions", "lio_us", &[4.0, none, 1e6, none, 8.0, 30.0, none, 2.5, 7.0]);
    assert_eq!((asked.over.as_str(), asked.free.as_str(), asked.query.as_str()), ("sessions", "lio_us", "cpu-queue"));
    assert_eq!((asked.points[0].at, asked.points[0].lio_per_s, asked.points[0].response_ms), (4.0, Some(1e6), None));
    assert_eq!((asked.points[1].transactions_per_s, asked.points[1].response_ms), (Some(30.0), Some(2.5)));
    assert_eq!(asked.points.len(), 2);
}
