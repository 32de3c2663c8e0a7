//! What an experiment looks at, and whether what it sees has a steady state.
use super::estimate::of_starts;
use super::evaluate::{Assessment, Look};
use super::plan::per_arrival;
use super::{Experiment, FigureKind, Figures};
use crate::config::kinds::KindId;
use crate::config::Arrivals;
use crate::experiment::replication::Replication;
use crate::fault::RunFault;
use crate::measure::accounts::Accounts;
use wwi_kernel::time::Ns;

/// A queue that grows by less than this share of the arrivals is not called growing …
pub(crate) const STEADY: f64 = 0.01;
/// … and by less than this, where the budget ended the run before it was long.
const STEADY_SO_FAR: f64 = 0.05;
/// … and by less than this, at any look before: no queue that fills grows by as much for as long as is looked at.
const STEADY_AT_FIRST: f64 = 0.25;
/// Nor is one whose growth is less than so many times its half-width: one run in ten thousand that has a steady state.
pub(crate) const BEYOND_CHANCE: f64 = 3.0;
/// A run that is so many times as long as was planned tells growth from what only fills.
const LONG: u64 = 4;
/// A run that is so many times as long as was planned has seen whether what misses of its transactions comes: who
/// starves never ends.
const SEES_WHO_STARVES: u64 = 8;
/// Nor is it over while each look misses less than such a part of what the one before missed.
const COMES: f64 = 0.8;

impl Experiment {
    /// The edge by which the last instance that left had left, the others went on, and had read what was lost with it:
    /// what a run says is of those that stay. One that leaves later than what is looked at says nothing; where blocks
    /// are still to be read, and somebody reads, the last.
    fn all_left(&self) -> usize {
        let of = |replication: &Replication| {
            let cluster = replication.world.cluster.as_ref()?;
            let css = cluster.css.as_ref()?;
            let edge = |at: Ns| at.0.div_ceil(self.bucket.0) as usize;
            let went_on = edge(css.evictions.last()?.at.plus(css.config.reconfiguration));
            let has_read = css.read_again.map(|at| edge(at).max(went_on).min(self.edges - 1));
            let is_read = || cluster.cache.unheld() < css.lost;
            let settled = has_read.unwrap_or(if is_read() { self.edges - 1 } else { went_on });
            (went_on < self.edges).then_some(settled)
        };
        self.replications.iter().filter_map(of).max().unwrap_or(0)
    }

    pub(super) fn look(&self, not_before: usize) -> Assessment {
        let (all, not_before) = (&self.replications[..], not_before.max(self.all_left()));
        Look { config: &self.config, goal: &self.goal, all, bucket: self.bucket, edges: self.edges, not_before }
            .assess()
    }

    /// Whether transactions that are under way would be seen to end if the run went on, or those that ended from their
    /// beginning, where that is of interest: what is done in a second is the same, whole transactions or not.
    pub(super) fn misses(&self, found: &Assessment) -> bool {
        let horizon = found.bucket.0.saturating_mul(found.edges as u64);
        let is_long = horizon >= SEES_WHO_STARVES.saturating_mul(self.planned.0);
        let is_rate = match self.goal.figures {
            Figures::ThroughputOnly => true,
            Figures::One(figure) => figure.kind == FigureKind::Rate,
            _ => false,
        };
        let comes = found.unended > 0.0 && (!is_long || found.unended < COMES * self.missed);
        !is_rate && (comes || found.outlives && !is_long)
    }

    /// Ends the run where transactions keep coming to an instance faster than they end: how long one takes is then only
    /// how long the run went on.
    pub(super) fn stops_growing(&mut self, found: &Assessment) -> bool {
        let horizon = found.bucket.0.saturating_mul(found.edges as u64);
        let is_long = horizon >= LONG * self.planned.0;
        // In a cluster the others have their figures, and who starves may yet be made to leave.
        if self.ends || self.config.cluster.is_some() {
            return false;
        }
        let steady = match self.done {
            _ if is_long => STEADY,
            true => STEADY_SO_FAR,
            false => STEADY_AT_FIRST,
        };
        let grows = (0..self.config.instances.len()).find_map(|instance| self.growth(found, instance, steady));
        self.done |= grows.is_some();
        self.fault = self.fault.or(grows);
        grows.is_some()
    }

    fn growth(&self, found: &Assessment, instance: usize, steady: f64) -> Option<RunFault> {
        let Arrivals::Open { per_s } = self.config.instances[instance].workload.arrivals else { return None };
        let group = self.config.group(KindId::SESSION, instance);
        let each = per_arrival(&self.config.instances[instance]);
        let left = |a: &Accounts| a.cages[instance].arrived as f64 - a.groups[group].transactions as f64 / each;
        let growth = of_starts(found.accounts.iter().map(|a| left(a) / a.span_s()).collect());
        let least = (BEYOND_CHANCE * growth.ci95?).max(steady * per_s);
        let milli = |per_s: f64| (1e3 * per_s).round() as u64;
        let fault = RunFault::QueueGrows {
            instance: instance as u32 + 1,
            milli_per_s: milli(per_s),
            growth: milli(growth.mean.max(0.0)),
        };
        (growth.mean > least).then_some(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Demand, DemandShape, NodeConfig};
    use crate::testing::{cage, done, goal, hogs, node, one};

    /// A cage of four slots hands over at ticks: some 28 transactions of 126 ms a second, of which no plan knows. Of
    /// 40 more than a quarter is left: that is known at the first look, whatever was asked.
    #[test]
    fn a_queue_that_grows_fast_ends_its_run_at_the_first_look() {
        let mut instance = hogs(0);
        instance.workload.arrivals = Arrivals::Open { per_s: 40.0 };
        instance.workload.demand = Demand { mean: Ns::from_ms(126.0), shape: DemandShape::Constant };
        instance.cage = Some(cage(4));
        let host = NodeConfig { cores_per_socket: 12, ..node() };
        let run = done(Experiment::new(&one(host, instance), goal(0.1, 4_000_000)));
        assert!(matches!(run.fault(), Some(RunFault::QueueGrows { .. })));
        let times_as_long = (run.bucket.0 * run.edges as u64) as f64 / run.planned.0 as f64;
        assert!(times_as_long < 1.1, "{times_as_long}");
    }
}
