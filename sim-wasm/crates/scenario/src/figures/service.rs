//! A small server among hogs. Nothing is published: queueing theory answers the server alone.

use super::Reading::{LioRatio, ServiceGrowth, ServiceP99};
use super::Role::ConsistencyCheck;
use super::{figure, Figure};

/// 99th percentile of the response of M/D/1 with 2 ms of service at 60 % and 10 % load \[ms\].
const ALONE_60: f64 = 11.06;
const ALONE_10: f64 = 3.906;

const THEORY: &str = "M/D/1 with 2 ms of service, without switch costs";
const GROWS: &str = "three fifths of a CPU where the fair share is two";
const LINGERS: &str = "its queue has a limit; the tail waits for hogs";

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("server-real-time", ConsistencyCheck, ServiceP99, "starved-service?class@service=FIFO&precision=0.001")
        .says("99th percentile of the server in class FIFO, 60 % load", ALONE_60, "ms")
        .note(THEORY),
    figure("server-cfs-60", ConsistencyCheck, ServiceGrowth, "starved-service?precision=0.003")
        .unsaid("growth of its queue in class TS of CFS, 60 % load", "1/s")
        .note(GROWS),
    figure("server-eevdf-60", ConsistencyCheck, ServiceGrowth, "starved-service?os_scheduler=EEVDF&precision=0.003")
        .unsaid("growth of its queue in class TS of EEVDF, 60 % load", "1/s")
        .note(GROWS),
    figure("server-o1-60", ConsistencyCheck, ServiceGrowth, "starved-service?os_scheduler=O1&precision=0.003")
        .unsaid("growth of its queue under O1, 60 % load", "1/s")
        .note("who uses that much CPU loses the bonus of sleepers"),
    figure("server-cfs-20", ConsistencyCheck, ServiceGrowth, "starved-service?service_per_s=100&precision=0.003")
        .says("growth of its queue in class TS of CFS, 20 % load", 0.0, "1/s")
        .note(LINGERS),
    figure(
        "server-eevdf-20",
        ConsistencyCheck,
        ServiceGrowth,
        "starved-service?service_per_s=100&os_scheduler=EEVDF&precision=0.003",
    )
    .says("growth of its queue in class TS of EEVDF, 20 % load", 0.0, "1/s")
    .note(LINGERS),
    figure(
        "server-o1-10",
        ConsistencyCheck,
        ServiceP99,
        "starved-service?service_per_s=50&os_scheduler=O1&precision=0.001",
    )
    .says("99th percentile of the server under O1, 10 % load", ALONE_10, "ms")
    .note(THEORY),
    figure(
        "server-solaris-10",
        ConsistencyCheck,
        ServiceP99,
        "starved-service?service_per_s=50&os_scheduler=Solaris&precision=0.001",
    )
    .says("99th percentile of the server in class TS of Solaris, 10 % load", ALONE_10, "ms")
    .note(THEORY),
    figure("server-cfs-10", ConsistencyCheck, ServiceP99, "starved-service?service_per_s=50&precision=0.001")
        .unsaid("99th percentile of the server in class TS of CFS, 10 % load: above 3.906 alone", "ms")
        .note("the tail grows, the median hardly"),
    figure(
        "server-eevdf-10",
        ConsistencyCheck,
        ServiceP99,
        "starved-service?service_per_s=50&os_scheduler=EEVDF&precision=0.001",
    )
    .unsaid("99th percentile of the server in class TS of EEVDF, 10 % load: above 3.906 alone", "ms")
    .note("a wake-up waits for the running request: the median grows, too"),
    figure(
        "real-time-throttled",
        ConsistencyCheck,
        LioRatio,
        "starved-service?sessions=2&lio_per_transaction=1200000&service_per_s=0&class@session=FIFO",
    )
    .against("starved-service?sessions=2&lio_per_transaction=1200000&service_per_s=0&class@session=FIFO&sched_rt_runtime_us=-1")
    .says("real-time hogs with sched_rt_runtime_us of 950000 against none", 0.95, "×")
    .note("Linux before the deadline server of 6.8, RT_RUNTIME_SHARE off: a throttled CPU stays idle"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// P(wait ≤ x) in M/D/1: (1 − ρ) Σ (λ(jD − x))^j e^(−λ(jD − x)) / j!, by series for the exponential.
    fn at_most(x: f64, load: f64, service: f64) -> f64 {
        let rate = load / service;
        let exponential = |u: f64| {
            let (mut term, mut sum) = (1.0, 1.0);
            for n in 1..200 {
                term *= u / f64::from(n);
                sum += term;
            }
            sum
        };
        let mut sum = 0.0;
        for j in 0..=(x / service) as i32 {
            let u = rate * (f64::from(j) * service - x);
            let factorial: f64 = (1..=j).map(f64::from).product();
            sum += u.powi(j) * exponential(-u) / factorial;
        }
        (1.0 - load) * sum
    }

    #[test]
    fn the_constants_are_those_of_theory() {
        for (load, p99) in [(0.6, ALONE_60), (0.1, ALONE_10)] {
            let reached = at_most(p99 - 2.0, load, 2.0);
            assert!((reached - 0.99).abs() < 2e-4, "{load}: {reached}");
        }
    }
}
