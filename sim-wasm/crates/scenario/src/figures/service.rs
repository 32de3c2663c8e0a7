//! A small server among hogs. Nothing is published: queueing theory answers the server alone.

use super::Reading::{LioRatio, ServiceGrowth, ServiceMean, ServiceP99};
use super::Role::ConsistencyCheck;
use super::{figure, Figure};

/// 99th percentile of the response of M/D/1 with 2 ms of service at 60 % and 10 % load \[ms\].
const ALONE_60: f64 = 11.06;
const ALONE_10: f64 = 3.906;

const THEORY: &str = "M/D/1 with 2 ms of service, without switch costs";
/// A switch of 2 and a refill of 55 µs to 2 ms of service, rounded up.
const SWITCHING: f64 = 0.03;
const SWITCHES: &str = "a switch of 57 µs is 2.9 % of 2 ms of service";
const GROWS: &str = "three fifths of a CPU where the fair share is two";
const LINGERS: &str = "its queue has a limit; the tail waits for hogs";
/// What a tail must be above to count as longer than alone: switching adds less than this \[ms\].
const LONGER: f64 = ALONE_10 * (1.0 + SWITCHING);
const TAIL: &str = "the tail waits for hogs: above 3.906 alone and what switching adds to it";
const STARVES: &str = "who starts among hogs at three fifths of a CPU never gets the bonus of sleepers";
const THROTTLED: &str = "starved-service?sessions=2&lio_per_transaction=1200000&service_per_s=0&class@session=FIFO";
const UNTHROTTLED: &str =
    "starved-service?sessions=2&lio_per_transaction=1200000&service_per_s=0&class@session=FIFO&sched_rt_runtime_us=-1";

/// A small LMS, 2,000 requests a second of 150 µs, that starts among two hogs on its CPU or long before the last of
/// them; the same with 2,400. With more CPUs it may come to stand beside one hog or several, where nobody moves it any
/// more.
const LMS_AMONG: &str = "starved-service?service_per_s=2000&service_us=150&os_scheduler=O1&cores_per_socket=1\
    &sessions=2&precision=0.01";
const LMS_BEFORE: &str = "starved-service?service_per_s=2000&service_us=150&os_scheduler=O1&cores_per_socket=1\
    &sessions=2&session_start_spread_ms=20000&precision=0.01";
const LMS_CROWDED: &str = "starved-service?service_per_s=2400&service_us=150&os_scheduler=O1&cores_per_socket=1\
    &sessions=2&precision=0.01";
/// Mean response of M/D/1 with a switch of 57 µs before every request \[ms\].
const SWITCHED: f64 = 0.2801;
const REGAINED: &str =
    "an interrupt wakes it, so that its waits count whole as sleep: 60 ms of work in 200 ms of waiting";
const TWO_STATES: &str = "CPU time is charged over the bonus: who has it keeps it, even with 2,400 requests a second";
const NEVER_SLEEPS: &str = "with more than a third of a CPU to do beside two hogs it never sleeps, and gets no bonus";

const fn tail(id: &'static str, query: &'static str, what: &'static str) -> Figure {
    figure(id, ConsistencyCheck, ServiceP99, query).unsaid(what, "ms").above(LONGER).note(TAIL)
}

/// The queue of a server that asks for more than it gets grows.
const fn growing(id: &'static str, query: &'static str, what: &'static str) -> Figure {
    figure(id, ConsistencyCheck, ServiceGrowth, query).unsaid(what, "1/s").above(0.0).note(GROWS)
}

/// That of one that asks for less does not.
const fn steady(id: &'static str, query: &'static str, what: &'static str) -> Figure {
    let row = figure(id, ConsistencyCheck, ServiceGrowth, query).says(what, 0.0, "1/s", 0.0);
    row.within(1.0, "a hundredth of the requests, below which a queue is not called growing").note(LINGERS)
}

/// As if alone, save for what switching costs.
const fn alone(id: &'static str, query: &'static str, what: &'static str) -> Figure {
    let row = figure(id, ConsistencyCheck, ServiceP99, query).says(what, ALONE_10, "ms", 0.0005);
    row.within_share(SWITCHING, SWITCHES).note(THEORY)
}

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("server-real-time", ConsistencyCheck, ServiceP99, "starved-service?class@service=FIFO&precision=0.001")
        .says("99th percentile of the server in class FIFO, 60 % load", ALONE_60, "ms", 0.005)
        .within_share(SWITCHING, SWITCHES)
        .note(THEORY),
    growing(
        "server-cfs-60",
        "starved-service?precision=0.003",
        "growth of its queue in class TS of CFS, 60 % load: it grows",
    ),
    growing(
        "server-eevdf-60",
        "starved-service?os_scheduler=EEVDF&precision=0.003",
        "growth of its queue in class TS of EEVDF, 60 % load: it grows",
    ),
    growing(
        "server-o1-60",
        "starved-service?os_scheduler=O1&precision=0.003",
        "growth of its queue under O1, 60 % load: it grows",
    )
    .note(STARVES),
    figure("server-o1-among", ConsistencyCheck, ServiceMean, LMS_AMONG)
        .unsaid("mean response of a server that starts among hogs under O1, 30 % load: no longer than a switch", "ms")
        .below(SWITCHED)
        .note(REGAINED),
    figure("server-o1-before", ConsistencyCheck, ServiceMean, LMS_BEFORE)
        .unsaid("the same of one that starts before them", "ms")
        .below(SWITCHED)
        .note(TWO_STATES),
    growing("server-o1-crowded", LMS_CROWDED, "growth of its queue if it starts among them, 36 % load: it grows")
        .note(NEVER_SLEEPS),
    steady(
        "server-cfs-20",
        "starved-service?service_per_s=100&precision=0.003",
        "growth of its queue in class TS of CFS, 20 % load",
    ),
    steady(
        "server-eevdf-20",
        "starved-service?service_per_s=100&os_scheduler=EEVDF&precision=0.003",
        "growth of its queue in class TS of EEVDF, 20 % load",
    ),
    alone(
        "server-o1-10",
        "starved-service?service_per_s=50&os_scheduler=O1&precision=0.001",
        "99th percentile of the server under O1, 10 % load",
    ),
    alone(
        "server-solaris-10",
        "starved-service?service_per_s=50&os_scheduler=Solaris&precision=0.001",
        "99th percentile of the server in class TS of Solaris, 10 % load",
    ),
    tail(
        "server-cfs-10",
        "starved-service?service_per_s=50&precision=0.001",
        "99th percentile of the server in class TS of CFS, 10 % load: longer than alone",
    ),
    tail(
        "server-eevdf-10",
        "starved-service?service_per_s=50&os_scheduler=EEVDF&precision=0.001",
        "99th percentile of the server in class TS of EEVDF, 10 % load: longer than alone",
    ),
    figure("real-time-throttled", ConsistencyCheck, LioRatio, THROTTLED)
        .against(UNTHROTTLED)
        .says("real-time hogs with sched_rt_runtime_us of 950000 against none", 0.95, "×", 0.0)
        .within_share(0.01, "periods that a run cuts at its ends")
        .note("Linux before the deadline server of 6.12, RT_RUNTIME_SHARE off: a throttled CPU stays idle"),
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

    /// Mean response of M/D/1: rate \[1/ms\], service \[ms\].
    fn mean(rate: f64, service: f64) -> f64 {
        let load = rate * service;
        service * (1.0 + load / (2.0 * (1.0 - load)))
    }

    #[test]
    fn the_mean_of_a_small_lms_is_that_of_theory() {
        assert!((mean(2.0, 0.15 + 0.057) - SWITCHED).abs() < 5e-5);
    }

    #[test]
    fn the_constants_are_those_of_theory() {
        for (load, p99) in [(0.6, ALONE_60), (0.1, ALONE_10)] {
            let reached = at_most(p99 - 2.0, load, 2.0);
            assert!((reached - 0.99).abs() < 2e-4, "{load}: {reached}");
        }
    }
}
