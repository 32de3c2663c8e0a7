//! What is drawn, against the distributions that docs/model.md and docs/hosts.md name. Bounds are four standard
//! deviations.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::Recorder;
use wwi_model::testing::{hogs, node, one};
use wwi_model::world::World;

fn stream() -> Stream {
    Stream::new(3, 0, "test", 0, "random")
}

fn close(found: f64, expected: f64, deviation: f64, what: &str) {
    assert!((found - expected).abs() <= 4.0 * deviation, "{what}: {found} against {expected} ± {deviation}");
}

/// P(X > t) = e^-t, drawn directly.
#[test]
fn exponential_has_its_tail() {
    let mut random = stream();
    let drawn: Vec<f64> = (0..200_000).map(|_| random.exponential()).collect();
    for (t, p) in [(0.1, 0.904837), (1.0, 0.367879), (3.0, 0.049787), (6.0, 0.002479)] {
        share_above(&drawn, t, p, "exponential");
    }
}

fn share_above(drawn: &[f64], t: f64, p: f64, what: &str) {
    let n = drawn.len() as f64;
    let above = drawn.iter().filter(|&&x| x > t).count() as f64;
    close(above / n, p, (p * (1.0 - p) / n).sqrt(), &format!("{what}: P(X > {t})"));
}

/// It is the exponential of the same draw where that is below, and nothing else.
#[test]
fn exponential_below_is_the_exponential_cut_off() {
    for limit in [0.01, 0.3, 1.0, 2.5, 1e9] {
        let (mut whole, mut cut) = (stream(), stream());
        for _ in 0..20_000 {
            let drawn = whole.exponential();
            assert_eq!(cut.exponential_below(limit), (drawn < limit).then_some(drawn), "limit {limit}");
        }
    }
    // Of itself: P(X < 1) = 1 − 1/e, mean of those (1 − 2/e) / (1 − 1/e).
    let mut random = stream();
    let below: Vec<f64> = (0..200_000).filter_map(|_| random.exponential_below(1.0)).collect();
    close(below.len() as f64 / 200_000.0, 0.632_121, 0.001_08, "P(X < 1)");
    close(below.iter().sum::<f64>() / below.len() as f64, 0.418_023, 0.000_79, "mean below 1");
}

/// CPU demands of one session alone on a CPU, over their mean of 1 ms: each is one stay on the thread.
fn demands(shape: DemandShape) -> Vec<f64> {
    let mut instance = hogs(1);
    instance.workload.demand = Demand { mean: Ns::from_ms(1.0), shape };
    instance.workload.arrivals =
        Arrivals::Closed { sessions: 1, think: Ns::from_ms(0.2), start_spread: Ns::from_ms(1.0) };
    let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Fifo, ..node() };
    let mut world = World::new(&one(host, instance), 0);
    world.recorder = Some(Recorder::new(1_000_000, Ns::ZERO));
    let until = Ns::from_s(200.0);
    world.run(until, u64::MAX);
    // The first transaction starts on the way, and the last ends after the run.
    let stays = world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.activity == Activity::RUNNING);
    stays.skip(1).filter(|s| s.end < until).map(|s| (s.end - s.start).0 as f64 / 1e6).collect()
}

#[test]
fn a_constant_demand_is_constant() {
    let drawn = demands(DemandShape::Constant);
    let others: Vec<&f64> = drawn.iter().filter(|d| (**d - 1.0).abs() > 1e-5).collect();
    assert!(drawn.len() > 100_000 && others.is_empty(), "{} {others:?}", drawn.len());
}

#[test]
fn an_exponential_demand_is_exponential() {
    let drawn = demands(DemandShape::Exponential);
    assert!(drawn.len() > 100_000);
    for (t, p) in [(0.1, 0.904837), (1.0, 0.367879), (3.0, 0.049787), (6.0, 0.002479)] {
        share_above(&drawn, t, p, "exponential demand");
    }
}

/// Two phases that each bring half of the mean (balanced means), squared coefficient of variation 4: the shorter one is
/// taken with p = (1 + sqrt(3/5)) / 2 = 0.88730, means 1 / (2 p) and 1 / (2 (1 − p)).
#[test]
fn a_hyperexponential_demand_has_balanced_means_and_a_squared_coefficient_of_variation_of_4() {
    let drawn = demands(DemandShape::Hyperexponential);
    let n = drawn.len() as f64;
    assert!(n > 100_000.0);
    let mean = drawn.iter().sum::<f64>() / n;
    close(mean, 1.0, 2.0 / n.sqrt(), "mean");
    // E X² = 5. E X⁴ = 24 (p m₁⁴ + q m₂⁴) = 3 (1 / p³ + 1 / q³) / 2 = 1,050, so its deviation is 32 / sqrt(n).
    close(drawn.iter().map(|d| d * d).sum::<f64>() / n, 5.0, 32.0 / n.sqrt(), "second moment");
    let (p, q) = (0.887_298_334_6, 0.112_701_665_4);
    for t in [0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
        let tail = p * exponential(-2.0 * p * t) + q * exponential(-2.0 * q * t);
        share_above(&drawn, t, tail, "hyperexponential demand");
    }
}

/// e^x for x ≤ 0, by its series, halved until it converges at once.
fn exponential(x: f64) -> f64 {
    let small = x / 1024.0;
    (1.0 + small + small * small / 2.0 + small.powi(3) / 6.0 + small.powi(4) / 24.0).powi(1024)
}
