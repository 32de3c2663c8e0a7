//! Warm-up, batches and intervals of a set of replications that have reached the same horizon.
use crate::accounts::Accounts;
use crate::activity::{Activity, COUNT};
use crate::config::{Arrivals, Config, InstanceConfig};
use crate::experiment::{Figures, Replication};
use crate::report::Estimate;
use crate::rows::Column;
use wwi_kernel::stats::{half_width, mean, mser5};
use wwi_kernel::time::Ns;

/// What the replications say so far.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// Buckets of the horizon.
    pub edges: usize,
    /// Buckets cut as warm-up.
    pub cut: usize,
    /// Length of a bucket.
    pub bucket: Ns,
    /// Warm-up ends within the first half.
    pub settled: bool,
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
    /// The mean response counts for the precision: not where messages are passed, whose time is mostly a matter of buffers.
    pub counts_response: bool,
    /// Relative half-width of the mean response of servers; `None` where one has none.
    pub service_precision: Option<f64>,
    /// The spread between starts explains more than the spread within runs.
    pub starts_dominate: bool,
    /// Simulated time after warm-up, all replications \[s\].
    pub simulated_s: f64,
    /// All sums after warm-up, by replication.
    pub accounts: Vec<Accounts>,
}

/// Ratio of two columns between two edges; `None` if the lower one did not move.
fn ratio(r: &Replication, over: (Column, Column), from: usize, to: usize) -> Option<f64> {
    let under = r.rows.between(over.1, from, to);
    (under > 0.0).then(|| r.rows.between(over.0, from, to) / under)
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
    (0..COUNT).filter(|&a| a != Activity::OFF.i() && a != Activity::RUNNING.i())
}

/// The latest MSER-5 cut over throughput, response and every wait, and never before the last session started.
fn warm_up(config: &Config, all: &[Replication], bucket: Ns, edges: usize) -> usize {
    let mut watched = vec![(Column::Lio, None), (Column::Response, Some(Column::Transactions))];
    for a in waits() {
        watched.push((Column::Time(a), None));
        watched.push((Column::StayTime(a), Some(Column::Stays(a))));
    }
    let found = watched.into_iter().map(|over| mser5(&series(all, edges, over))).max().unwrap_or(0);
    let spread = config.instances.iter().map(|i| match i.workload.arrivals {
        Arrivals::Closed { start_spread, .. } => start_spread.0.div_ceil(bucket.0) as usize,
        _ => 0,
    });
    found.max(spread.max().unwrap_or(0))
}

/// The wider of the interval between replications and the interval between batches, and whether the first is clearly wider.
fn estimate(reps: Vec<f64>, batches: &[f64], pooled: Option<f64>) -> (Estimate, bool) {
    let (between, within) = (half_width(&reps), half_width(batches));
    let ci95 = match (between, within) {
        (Some(b), Some(w)) => Some(b.max(w)),
        (b, _) => b,
    };
    let dominate = matches!((between, within), (Some(b), Some(w)) if b > 1.3 * w);
    (Estimate { mean: pooled.unwrap_or_else(|| mean(&reps)), ci95, reps }, dominate)
}

/// Edges before the last of which every replication kept a copy: one that started after the horizon was doubled lacks some.
fn kept_by_all(all: &[Replication], edges: usize) -> Vec<usize> {
    let has = |r: &Replication, edge: usize| r.copies.iter().any(|c| c.0 == edge);
    let first = all[0].copies.iter().map(|c| c.0);
    first.filter(|&edge| edge < edges && all.iter().all(|r| has(r, edge))).collect()
}

/// Reads the replications.
pub fn assess(config: &Config, figures: Figures, all: &[Replication], bucket: Ns, edges: usize) -> Assessment {
    let warm = warm_up(config, all, bucket, edges);
    let kept = kept_by_all(all, edges);
    let cut = kept.iter().copied().find(|&c| c >= warm).or(kept.last().copied()).unwrap_or(0);
    let sum = |column| all.iter().map(|r| r.rows.between(column, cut, edges)).sum::<f64>();
    let longest =
        waits()
            .map(|a| if sum(Column::Stays(a)) > 0.0 { sum(Column::StayTime(a)) / sum(Column::Stays(a)) } else { 0.0 });
    let longest = longest.fold(0.0, f64::max);
    let batch = ((10.0 * longest / bucket.0 as f64).ceil() as usize).max((edges - cut) / 8).max(1);
    let per_run = (edges - cut) / batch;
    let span_s = bucket.as_s() * (edges - cut) as f64;
    let starts = |per: usize| (0..per).map(move |b| (cut + b * batch, cut + (b + 1) * batch));
    let rate = |column: Column| {
        let reps = all.iter().map(|r| r.rows.between(column, cut, edges) / span_s).collect();
        let length = bucket.as_s() * batch as f64;
        let each: Vec<f64> =
            all.iter().flat_map(|r| starts(per_run).map(move |(f, t)| r.rows.between(column, f, t) / length)).collect();
        estimate(reps, &each, None)
    };
    let over = (Column::Response, Column::Transactions);
    let reps = all.iter().filter_map(|r| ratio(r, over, cut, edges)).map(|ns| ns / 1e6).collect();
    let each: Vec<f64> = all
        .iter()
        .flat_map(|r| starts(per_run).filter_map(move |(f, t)| ratio(r, over, f, t)))
        .map(|ns| ns / 1e6)
        .collect();
    let done = sum(Column::Transactions);
    let (response_ms, by_response) = estimate(reps, &each, (done > 0.0).then(|| sum(Column::Response) / done / 1e6));
    let (lio_per_s, by_lio) = rate(Column::Lio);
    let counts_response = !config.instances.iter().any(InstanceConfig::passes_messages)
        && !config.instances.iter().all(InstanceConfig::is_idle);
    let mut found = Assessment {
        counts_response,
        service_precision: Some(0.0),
        edges,
        cut,
        bucket,
        settled: warm <= edges / 2,
        batch,
        batches: (per_run * all.len()) as u32,
        lio_per_s,
        transactions_per_s: rate(Column::Throughput).0,
        response_ms,
        starts_dominate: by_response && counts_response || by_lio,
        simulated_s: span_s * all.len() as f64,
        accounts: all.iter().map(|r| since(r, cut, edges)).collect(),
    };
    if config.nodes.iter().any(|n| n.service.is_some()) && figures == Figures::ThroughputAndResponse {
        found.service_precision = found.service_precision(config);
    }
    found
}

/// All sums of a replication between two edges of which copies were kept.
fn since(r: &Replication, cut: usize, edges: usize) -> Accounts {
    let copy = |edge: usize| r.copies.iter().find(|c| c.0 == edge).map(|c| &c.1);
    let end = copy(edges).unwrap_or(&r.world.accounts);
    match copy(cut) {
        Some(start) => end.since(start),
        None => end.clone(),
    }
}

impl Assessment {
    /// Relative half-width of the figures that count; `None` where one has no interval.
    pub fn precision(&self, figures: Figures) -> Option<f64> {
        let relative = |e: &Estimate| match e.ci95 {
            Some(0.0) => Some(0.0),
            Some(ci) if e.mean > 0.0 => Some(ci / e.mean),
            _ => None,
        };
        let lio = relative(&self.lio_per_s);
        match figures {
            Figures::ThroughputOnly => lio,
            Figures::ThroughputAndResponse => {
                let response = if self.counts_response { relative(&self.response_ms)? } else { 0.0 };
                Some(lio?.max(response).max(self.service_precision?))
            }
        }
    }

    /// Sessions in an activity on average.
    pub fn aas(&self, all: &[Replication], activity: usize) -> Estimate {
        let span = self.bucket.0 as f64 * (self.edges - self.cut) as f64;
        let of = |r: &Replication| r.rows.between(Column::Time(activity), self.cut, self.edges) / span;
        estimate(all.iter().map(of).collect(), &[], None).0
    }

    /// Mean stay in an activity \[ms\].
    pub fn mean_stay(&self, all: &[Replication], activity: usize) -> Estimate {
        let over = (Column::StayTime(activity), Column::Stays(activity));
        let reps: Vec<f64> =
            all.iter().filter_map(|r| ratio(r, over, self.cut, self.edges)).map(|ns| ns / 1e6).collect();
        let sum = |c| all.iter().map(|r| r.rows.between(c, self.cut, self.edges)).sum::<f64>();
        let pooled = if sum(over.1) > 0.0 { sum(over.0) / sum(over.1) / 1e6 } else { 0.0 };
        estimate(reps, &[], Some(pooled)).0
    }
}
