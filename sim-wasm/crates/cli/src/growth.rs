//! Queues of a cluster that grow: its run goes on, as other instances have their figures, and says by how much.

use crate::table::{ci, number};
use wwi_model::config::{Arrivals, Config};
use wwi_model::report::{Estimate, Report};

/// As with any queue: one that grows by less than this share of the arrivals is not called growing …
const STEADY: f64 = 0.01;
/// … and by less than this, where the budget ended the run.
const STEADY_SO_FAR: f64 = 0.05;
/// Nor is one whose growth is less than so many half-widths.
const BEYOND_CHANCE: f64 = 3.0;

/// What comes to an instance faster than it ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    /// The instance.
    pub instance: u32,
    /// Transactions that come in a second, on average.
    come: f64,
    /// And that end.
    done: Estimate,
}

impl Growth {
    /// In words, after `Queue of instance N`.
    pub fn told(&self) -> String {
        let (by, half) = (number(self.come - self.done.mean), ci(self.done.ci95));
        let [come, done] = [self.come, self.done.mean].map(number);
        format!("grows by {by}{half} transactions a second without bound: {come} come, {done}{half} end")
    }
}

/// Instances of a cluster whose queue of transactions grows, save those that left it.
pub fn growing(config: &Config, report: &Report) -> Vec<Growth> {
    let stays = |instance: u32| report.evictions.iter().all(|row| row.instance != instance);
    let growth = |at: usize| {
        let (of, row, instance) = (&config.instances[at], report.instances.get(at)?, at as u32 + 1);
        let Arrivals::Open { per_s } = of.workload.arrivals else { return None };
        // Of a loop its calls come.
        let each = of.others.database.as_deref().map_or(1.0, |of| f64::from(of.transaction.per_call));
        let (come, done) = (each * per_s, row.transactions_per_s.clone());
        let steady = if report.truncated { STEADY_SO_FAR } else { STEADY };
        let least = (BEYOND_CHANCE * done.ci95?).max(steady * come);
        (stays(instance) && come - done.mean > least).then_some(Growth { instance, come, done })
    };
    // Elsewhere a run ends by its queue.
    let of_cluster = if config.cluster.is_some() { config.instances.len() } else { 0 };
    (0..of_cluster).filter_map(growth).collect()
}
