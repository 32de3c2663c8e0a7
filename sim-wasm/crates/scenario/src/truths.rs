//! Figures whose true value is known, to test intervals with: from closed forms, or from runs far longer than those
//! tested.

use wwi_kernel::stats::{erlang_c, response_quantile};

/// A figure of a scenario, or by how much it differs from that of another.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Name.
    pub name: &'static str,
    /// Scenario B.
    pub query: &'static str,
    /// Scenario A, where the figure is B − A.
    pub against: Option<&'static str>,
    /// Figure of [`crate::metrics`].
    pub figure: &'static str,
    /// Its value in closed form.
    pub exact: Option<fn() -> f64>,
    /// Its value from a run of 400 times the length or more, `wwi coverage --truth 400`.
    pub long: f64,
    /// What relative figures are told of, where that is not the value itself.
    pub of: f64,
}

impl Case {
    /// The true value.
    pub fn truth(&self) -> f64 {
        self.exact.map_or(self.long, |exact| exact())
    }
    /// What its error is a part of.
    pub fn scale(&self) -> f64 {
        if self.of > 0.0 {
            self.of
        } else {
            self.truth()
        }
    }
}

const fn exact(name: &'static str, query: &'static str, figure: &'static str, value: fn() -> f64) -> Case {
    Case { name, query, against: None, figure, exact: Some(value), long: 0.0, of: 0.0 }
}

const fn long(name: &'static str, query: &'static str, figure: &'static str, long: f64) -> Case {
    Case { name, query, against: None, figure, exact: None, long, of: 0.0 }
}

const fn less(name: &'static str, figure: &'static str, long: f64, of: f64) -> Case {
    Case { name, query: CAGED, against: Some(FREE), figure, exact: None, long, of }
}

const QUEUE: &str = "cpu-queue";
/// Eight CPUs at 0.9, 10 ms a transaction.
const EIGHT: (f64, f64) = (8.0, 0.9);
const FREE: &str =
    "instance-caging-vm?sessions=20&demand_distribution=exponential&think_time_ms=200&resource_manager_plan=none";
const CAGED: &str = "instance-caging-vm?sessions=20&demand_distribution=exponential&think_time_ms=200";
const STARVED: &str = "starved-service?service_per_s=100";

fn queue_wait_ms() -> f64 {
    erlang_c(EIGHT.0, EIGHT.1) * 10.0 / (EIGHT.0 * (1.0 - EIGHT.1))
}

/// Every case.
pub const CASES: &[Case] = &[
    exact("queue transactions/s", QUEUE, "throughput_transactions", || 720.0),
    exact("queue LIO/s", QUEUE, "throughput_lio", || 7.2e6),
    exact("queue mean response", QUEUE, "response_mean_ms", || 10.0 + queue_wait_ms()),
    exact("queue mean wait", QUEUE, "dispatch_delay_mean_us", || 1000.0 * queue_wait_ms()),
    exact("queue p99", QUEUE, "response_p99_ms", || 10.0 * response_quantile(EIGHT.0, EIGHT.1, 0.99)),
    long("free transactions/s", FREE, "throughput_transactions", 54.9526),
    long("free LIO/s", FREE, "throughput_lio", 3.29179e6),
    long("free mean response", FREE, "response_mean_ms", 164.311),
    long("free mean wait", FREE, "dispatch_delay_mean_us", 8918.13),
    long("free p99", FREE, "response_p99_ms", 740.855),
    long("caged transactions/s", CAGED, "throughput_transactions", 53.8112),
    long("caged LIO/s", CAGED, "throughput_lio", 3.22476e6),
    long("caged mean response", CAGED, "response_mean_ms", 171.940),
    long("caged mean wait", CAGED, "quantum_wait_mean_ms", 34.1610),
    long("caged p99", CAGED, "response_p99_ms", 777.735),
    long("starved transactions/s", STARVED, "throughput_transactions", 17.7553),
    long("starved LIO/s", STARVED, "throughput_lio", 1.06531e6),
    long("starved mean response", STARVED, "response_mean_ms", 225.293),
    long("starved mean wait", STARVED, "dispatch_delay_mean_us", 7066.27),
    long("starved server mean", STARVED, "service_mean_ms", 3.46625),
    long("starved server p99", STARVED, "service_p99_ms", 21.9797),
    less("B − A transactions/s", "throughput_transactions", -1.08389, 54.9526),
    less("B − A LIO/s", "throughput_lio", -65071.6, 3.29179e6),
    less("B − A mean response", "response_mean_ms", 7.21924, 164.311),
    less("B − A p99", "response_p99_ms", 36.1210, 740.855),
];
