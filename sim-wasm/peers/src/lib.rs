//! Closed first-in-first-out, closed round robin and M/M/8: in this engine with its books, and in two general engines
//! that keep none. All three draw from the same generator, so that engines are compared and not logarithms.
#![feature(coroutines, coroutine_trait, stmt_expr_attributes)]

mod component;
mod coroutine;
mod ours;
mod wasm;

use wwi_kernel::rng::Stream;

/// Sessions and CPUs of the closed queues; the open one has as many CPUs.
pub const SESSIONS: u32 = 32;
pub const CPUS: u32 = 8;
/// Turn and switch of round robin, and the mean demand \[s\]; utilisation of the open queue.
pub const QUANTUM: f64 = 0.1;
pub const SWITCH: f64 = 5e-6;
pub const MEAN: f64 = 1.0;
pub const LOAD: f64 = 0.9;

/// What is simulated. An event is the end of a turn or of a transaction; in the open queue an arrival is another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Workload {
    Fifo,
    Open,
    RoundRobin,
}

pub const WORKLOADS: [(&str, Workload); 3] =
    [("fifo-32-on-8", Workload::Fifo), ("open-0-on-8", Workload::Open), ("round-robin-32-on-8", Workload::RoundRobin)];

pub const ENGINES: [&str; 3] = ["ours", "simcore", "desim"];

/// A run that goes on where its last turn ended.
pub trait Run {
    /// Simulates about so many events more, and returns how many there were.
    fn turn(&mut self, events: u64) -> u64;
}

/// A run of an engine by its place in `ENGINES`; `None` where there is none.
pub fn run(engine: usize, workload: Workload) -> Option<Box<dyn Run>> {
    match engine {
        0 => ours::run(workload),
        1 => Some(component::run(workload)),
        2 => Some(coroutine::run(workload)),
        _ => None,
    }
}

/// Exponential draws with a mean \[s\].
pub struct Draws(Stream);

impl Draws {
    pub fn new(of: &str) -> Draws {
        Draws(Stream::new(42, 0, "peers", 0, of))
    }

    pub fn next(&mut self, mean: f64) -> f64 {
        self.0.exponential() * mean
    }
}
