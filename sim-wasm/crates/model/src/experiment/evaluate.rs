//! Warm-up, figures and their intervals of a set of replications that have reached the same horizon.
use crate::config::{Arrivals, Config, InstanceConfig, ServiceArrivals};
use crate::experiment::estimate::{batched, Batched};
use crate::experiment::plan::{limit_period, relaxation};
use crate::experiment::replication::Replication;
use crate::experiment::{FigureKind, Figures, Goal};
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::{Activity, ACTIVITIES, COUNT};
use crate::measure::rows::{Column, GroupColumn};
use crate::report::Estimate;
use std::ops::Range;
use wwi_kernel::histogram::packed::Packed;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::order::sort_and_dedup;
use wwi_kernel::stats::mser5;
use wwi_kernel::time::Ns;

/// What the replications say so far.
#[derive(Clone, Debug, Default)]
pub struct Assessment {
    /// Replications that it is of: the first so many.
    pub starts: usize,
    /// Each start is looked at as a whole, to its end; buckets are those of the first.
    pub ends: bool,
    /// Buckets of the horizon.
    pub edges: usize,
    /// Buckets cut as warm-up.
    pub cut: usize,
    /// Length of a bucket.
    pub bucket: Ns,
    /// Warm-up ends within the first half, and is no shorter than the relaxation time.
    pub settled: bool,
    /// Batches, even as long as they may be, resemble their neighbours: the run is short against what it remembers.
    pub is_slow: bool,
    /// Buckets in a batch.
    pub batch: usize,
    /// Batches after warm-up, all replications.
    pub batches: u32,
    /// Logical reads a second.
    pub lio_per_s: Estimate,
    /// Transactions a second.
    pub transactions_per_s: Estimate,
    /// Mean response \[ms\].
    pub response_ms: Estimate,
    /// Elapsed time of a session, of runs that end \[s\].
    pub elapsed_s: Estimate,
    /// The spread between starts explains more than the spread within runs.
    pub starts_dominate: bool,
    /// Largest relative half-width of throughput, mean response and mean answer of servers; `None` where one has none.
    pub reached: Option<f64>,
    /// Half-width of the figures that count over what is asked of them, the largest: at most 1 is precise. `None` where
    /// one has none.
    pub need: Option<f64>,
    /// Simulated time after warm-up, all replications \[s\].
    pub simulated_s: f64,
    /// All sums after warm-up, by replication; of distributions number and sum alone.
    pub accounts: Vec<Accounts>,
    /// Those of all replications together, with distributions.
    pub sum: Accounts,
    /// By replication and accounting group the distributions of stays in run queues and of responses: [`GroupColumn`].
    pub tails: Vec<Vec<[Packed; 2]>>,
}

/// A column's rate, or a ratio of columns, bucket by bucket, averaged over the replications.
fn series(all: &[Replication], edges: usize, over: (Column, Option<Column>)) -> Vec<f64> {
    let mut last = 0.0;
    (0..edges)
        .map(|e| {
            let up: f64 = all.iter().map(|r| r.rows.between(over.0, e, e + 1)).sum();
            let under = over.1.map_or(1.0, |c| all.iter().map(|r| r.rows.between(c, e, e + 1)).sum());
            if under > 0.0 {
                last = up / under;
            }
            last
        })
        .collect()
}

/// Activities that are waits of any kind: neither idle nor on a thread.
fn waits() -> impl Iterator<Item = usize> {
    (0..COUNT).filter(|&a| !ACTIVITIES[a].is_idle && a != Activity::RUNNING.i())
}

/// The latest MSER-5 cut over throughput, response and every wait; never before the last session started, nor earlier
/// than what a queue remembers.
fn warm_up(config: &Config, all: &[Replication], bucket: Ns, edges: usize) -> usize {
    let mut watched = vec![(Column::Lio, None), (Column::Response, Some(Column::Transactions))];
    // What never happens is level from the start.
    let happens = |a: &usize| all.iter().any(|r| r.rows.between(Column::Time(*a), 0, edges) > 0.0);
    for a in waits().filter(happens) {
        watched.push((Column::Time(a), None));
        watched.push((Column::StayTime(a), Some(Column::Stays(a))));
    }
    let found = watched.into_iter().map(|over| mser5(&series(all, edges, over))).max().unwrap_or(0);
    let spread = config.instances.iter().map(|i| match i.workload.arrivals {
        Arrivals::Closed { start_spread, .. } => start_spread.0,
        _ => 0,
    });
    let least = spread.chain([relaxation(config).0]).max().unwrap_or(0);
    found.max(least.div_ceil(bucket.0) as usize)
}

/// The earliest edge of which all sums were kept and that is not before `warm`, else the last before the end; with a
/// whole number of `period`s to the end where there is one.
fn cut_at(all: &[Replication], warm: usize, edges: usize, (bucket, period): (Ns, Ns)) -> usize {
    let kept = |edge: &usize| *edge < edges && all.iter().all(|r| r.has(*edge));
    let mut found: Vec<usize> = all.first().map_or(Vec::new(), |r| r.kept_edges().filter(kept).collect());
    sort_and_dedup(&mut found);
    let is_whole = |edge: usize| period == Ns::ZERO || (bucket.0 * (edges - edge) as u64).is_multiple_of(period.0);
    let late = || found.iter().copied().filter(|&edge| edge >= warm);
    late().find(|&edge| is_whole(edge)).or(late().next()).or(found.last().copied()).unwrap_or(0)
}

/// What is looked at: the first replications, all at the same edge.
#[derive(Clone, Copy, Debug)]
pub struct Look<'a> {
    /// What is simulated.
    pub config: &'a Config,
    /// What is asked.
    pub goal: &'a Goal,
    /// Who has come so far.
    pub all: &'a [Replication],
    /// Length of a bucket.
    pub bucket: Ns,
    /// How many of them.
    pub edges: usize,
    /// Nothing of before this edge counts: the other of a pair has not settled earlier.
    pub not_before: usize,
}

/// A column over another, or over time \[ns\], of these buckets.
fn figure(
    all: &[Replication],
    buckets: (Ns, Range<usize>),
    over: (Column, Option<Column>),
    scale: f64,
) -> Option<Batched> {
    let of = |r: &Replication, e: usize| {
        let below = over.1.map_or(buckets.0 .0 as f64, |c| r.rows.between(c, e, e + 1));
        (r.rows.between(over.0, e, e + 1) * scale, below)
    };
    let starts: Vec<Vec<_>> = all.iter().map(|r| buckets.1.clone().map(|e| of(r, e)).collect()).collect();
    batched(&starts)
}

impl Look<'_> {
    /// Reads the replications.
    pub fn assess(&self) -> Assessment {
        let (config, all, bucket, edges) = (self.config, self.all, self.bucket, self.edges);
        let warm = warm_up(config, all, bucket, edges).max(self.not_before);
        let cut = cut_at(all, warm, edges, (bucket, limit_period(config)));
        let figure = |over, scale| figure(all, (bucket, cut..edges), over, scale);
        let rate = |column| figure((column, None), 1e9);
        let (lio, transactions) = (rate(Column::Lio), rate(Column::Throughput));
        let response = figure((Column::Response, Some(Column::Transactions)), 1e-6);
        // Not where messages are passed: how long one takes is mostly a matter of buffers.
        let counts_response = !config.instances.iter().any(InstanceConfig::passes_messages)
            && !config.instances.iter().all(InstanceConfig::is_idle);
        let counted = response.as_ref().filter(|_| counts_response);
        let watched: Vec<&Batched> = match self.goal.figures {
            Figures::ThroughputOnly => lio.iter().collect(),
            _ => lio.iter().chain(counted).collect(),
        };
        let batch = watched.iter().map(|b| b.batch).max().unwrap_or(1);
        let estimate = |found: &Option<Batched>| found.as_ref().map(|b| b.estimate.clone()).unwrap_or_default();
        let mut found = Assessment {
            starts: all.len(),
            ends: false,
            elapsed_s: Estimate::default(),
            edges,
            cut,
            bucket,
            settled: warm <= edges / 2 && warm <= cut,
            is_slow: watched.iter().any(|b| b.is_slow),
            batch,
            batches: ((edges - cut) / batch * all.len()) as u32,
            lio_per_s: estimate(&lio),
            transactions_per_s: estimate(&transactions),
            response_ms: estimate(&response),
            starts_dominate: watched.iter().any(|b| b.starts_dominate) || has_phases(config),
            reached: None,
            need: None,
            simulated_s: bucket.as_s() * ((edges - cut) * all.len()) as f64,
            accounts: Vec::new(),
            sum: Accounts::default(),
            tails: Vec::new(),
        };
        if self.goal.figures != Figures::ThroughputOnly {
            all.iter().for_each(|r| found.gather(r.between(cut, edges)));
        }
        found.judge_precision(self, counts_response);
        found
    }
}

/// Requests come at moments that never move within a start.
fn has_phases(config: &Config) -> bool {
    let mut servers = config.nodes.iter().filter_map(|node| node.service.as_ref());
    servers.any(|service| service.arrivals == ServiceArrivals::Periodic)
}

/// Relative half-width; `None` without an interval or about zero.
pub fn relative(estimate: &Estimate) -> Option<f64> {
    match estimate.ci95 {
        Some(0.0) => Some(0.0),
        Some(half) if estimate.mean != 0.0 => Some(half / estimate.mean.abs()),
        _ => None,
    }
}

/// What a sentence says of a 99th percentile is known to at least this.
const NAMED_QUANTILE: f64 = 0.1;

impl Assessment {
    /// Adds what one more replication says.
    pub(super) fn gather(&mut self, mut start: Accounts) {
        if self.accounts.is_empty() {
            self.sum = start.clone();
        } else {
            self.sum.add(&start);
        }
        let tails = |g: &Group| [&g.stays[Activity::RUN_QUEUE.i()], &g.response].map(|d| Packed::of(&mut d.clone()));
        self.tails.push(start.groups.iter().map(tails).collect());
        start.release();
        self.accounts.push(start);
    }

    /// The distributions of an accounting group, by replication.
    pub fn distributions(&self, group: usize, column: GroupColumn) -> Vec<Histogram> {
        self.tails.iter().map(|groups| groups[group][column as usize].open()).collect()
    }

    /// Memory that its sums take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let tails = self
            .tails
            .iter()
            .flatten()
            .map(|of| std::mem::size_of_val(of) + of.iter().map(Packed::heap_bytes).sum::<usize>());
        self.sum.heap_bytes() + self.accounts.iter().map(Accounts::heap_bytes).sum::<usize>() + tails.sum::<usize>()
    }

    fn judge_precision(&mut self, look: &Look, counts_response: bool) {
        let (config, goal) = (look.config, look.goal);
        let lio = relative(&self.lio_per_s);
        let response = if counts_response { relative(&self.response_ms) } else { Some(0.0) };
        let plain = |one: Option<f64>, other: Option<f64>| Some(one?.max(other?));
        match goal.figures {
            Figures::ThroughputOnly => {
                self.reached = lio;
                self.need = lio.map(|r| r / goal.precision);
            }
            Figures::ThroughputAndResponse | Figures::With(_) => {
                self.reached = plain(plain(lio, response), self.service_precision(config, look.all));
                let tails = self.named_quantiles(config, counts_response);
                let named = goal.precision.max(NAMED_QUANTILE);
                self.judge_figure(config, goal, look.all);
                self.need = plain(self.need, tails.map(|t| t / named));
            }
            Figures::One(_) => {
                self.reached = plain(lio, response);
                self.judge_figure(config, goal, look.all);
            }
        }
    }

    /// What is asked of the figure that is asked for, beside what has been reached or in its place. One that does not
    /// apply asks for nothing of its own.
    pub(super) fn judge_figure(&mut self, config: &Config, goal: &Goal, all: &[Replication]) {
        let own = self.read(config, goal, all).map(|one| relative(&one));
        if let (Figures::One(_), Some(own)) = (goal.figures, own) {
            self.reached = own;
        }
        let of = |reached: Option<f64>| reached.map(|r| r / goal.precision);
        self.need = match own {
            Some(own) => of(self.reached).zip(of(own)).map(|(one, other)| one.max(other)),
            None => of(self.reached),
        };
    }

    /// The figure that is asked for, where it applies. How long a growing queue answers is only how long the run went
    /// on.
    fn read(&self, config: &Config, goal: &Goal, all: &[Replication]) -> Option<Estimate> {
        let (Figures::One(figure) | Figures::With(figure)) = goal.figures else { return None };
        let report = self.report(config, all);
        let is_endless = figure.is_of_server && figure.kind != FigureKind::Rate;
        if is_endless && report.services.iter().any(|service| service.grows) {
            return None;
        }
        (figure.read)(figure.id, &report, config.closed_sessions())
    }

    fn figure(&self, all: &[Replication], over: (Column, Option<Column>), scale: f64) -> Estimate {
        if self.ends {
            return self.of_rows(all, over, scale);
        }
        let found = figure(&all[..self.starts], (self.bucket, self.cut..self.edges), over, scale);
        found.map(|found| found.estimate).unwrap_or_default()
    }

    /// Mean stay of an accounting group \[ms\]; nothing where it had none.
    pub fn group_mean(&self, all: &[Replication], group: usize, column: GroupColumn) -> Estimate {
        let of = |r: &Replication, from: usize, to: usize| {
            let (length, count) = r.rows.of_group(group, column, from, to);
            (length / 1e6, count)
        };
        let buckets = |r: &Replication| match self.ends {
            true => vec![of(r, 0, r.rows.len())],
            false => (self.cut..self.edges).map(|e| of(r, e, e + 1)).collect(),
        };
        let starts: Vec<Vec<_>> = all[..self.starts].iter().map(buckets).collect();
        batched(&starts).map(|found| found.estimate).unwrap_or_default()
    }

    /// Sessions in an activity on average.
    pub fn aas(&self, all: &[Replication], activity: usize) -> Estimate {
        self.figure(all, (Column::Time(activity), None), 1.0)
    }

    /// Mean stay in an activity \[ms\].
    pub fn mean_stay(&self, all: &[Replication], activity: usize) -> Estimate {
        self.figure(all, (Column::StayTime(activity), Some(Column::Stays(activity))), 1e-6)
    }

    /// The same after the buckets were merged by pairs.
    pub fn merged(&mut self) {
        (self.edges, self.cut, self.batch) = (self.edges / 2, self.cut / 2, self.batch.div_ceil(2));
        self.bucket = Ns(self.bucket.0 * 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hogs, node, one};

    /// A replication whose throughput and response are level from the start; its run-queue waits grow over so many
    /// buckets.
    fn with_waits_that_grow(config: &Config, buckets: u64) -> Replication {
        let mut found = Replication::new(config, 0, 0, &[]);
        let mut sums = Accounts::new(config.groups().len(), 1, 4, 1);
        let queue = Activity::RUN_QUEUE.i();
        for bucket in 1..=200 {
            let group = &mut sums.groups[0];
            (group.reads, group.transactions) = (group.reads + (1 << 40), group.transactions + 5);
            for _ in 0..5 {
                let wait = Ns(1_000_000 * bucket.min(buckets.max(1)) / buckets.max(1));
                group.response.record(Ns(10_000_000));
                group.stays[queue].record(wait);
                group.time[queue] += wait.0;
            }
            found.rows.push(&sums);
        }
        found
    }

    #[test]
    fn of_a_limit_a_whole_number_of_periods_is_looked_at_if_an_edge_allows_it() {
        let config = one(node(), hogs(8));
        let mut replication = Replication::new(&config, 0, 0, &[]);
        for edge in [10, 20, 30, 40, 60, 80, 160] {
            replication.mark(edge);
        }
        let all = [replication];
        let cut = |warm, period| cut_at(&all, warm, 160, (Ns(3), Ns(period)));
        // 300 ns before the end of 480 ns is edge 60; 240 ns are edge 80.
        assert_eq!([cut(15, 0), cut(15, 300), cut(15, 240), cut(15, 120)], [20, 60, 80, 40]);
        assert_eq!(cut(70, 300), 80, "none is whole: the first that is late enough");
        assert_eq!(cut(100, 300), 80, "none is late enough: the last before the end");
    }

    #[test]
    fn the_warm_up_lasts_until_waits_are_level_though_throughput_and_response_are_so_before() {
        let mut instance = hogs(8);
        if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
            *start_spread = Ns::ZERO;
        }
        let config = one(node(), instance);
        let warm = |buckets| warm_up(&config, &[with_waits_that_grow(&config, buckets)], Ns::from_s(1e3), 200);
        let least = warm(0);
        assert!(least <= 5, "{least}: as long as a queue remembers");
        assert!((35..=45).contains(&warm(40)), "{}", warm(40));
    }
}
