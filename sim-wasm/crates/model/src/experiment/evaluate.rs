//! Warm-up, figures and their intervals of a set of replications that have reached the same horizon.
use crate::config::{Config, InstanceConfig, ServiceArrivals};
use crate::experiment::estimate::{batched, of_ratio, Batched};
use crate::experiment::replication::Replication;
use crate::experiment::{FigureKind, Figures, Goal};
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::Activity;
use crate::measure::rows::{Column, GroupColumn};
use crate::report::Estimate;
use std::ops::Range;
use wwi_kernel::histogram::packed::Packed;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::time::Ns;

/// Batches at least, all replications.
const BATCHES: u32 = 20;
/// Below this part of what is asked an interval may be of slow batches.
const BEYOND_DOUBT: f64 = 0.33;

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
    /// Part of the time in transactions that none of those has lasted which ended, where that is no chance; zero else.
    /// Beyond [`UNENDED`] the mean response is by Little's law.
    pub unended: f64,
    /// Some responses are longer than the warm-up, which cannot end later: percentiles are told too short.
    pub outlives: bool,
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
    /// By replication and accounting group the distributions of stays in run queues and of responses
    /// ([`GroupColumn`]), and of sessions behind them those of each activity as the database clocks it.
    pub tails: Vec<Vec<Vec<Packed>>>,
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
#[inline(never)]
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

/// Part of the time in stays of which none has ended, from which on those that ended say neither their mean nor how
/// they spread. Free.
pub(super) const UNENDED: f64 = 0.05;
/// What is missing is told of a mean where it is a larger part of its half-width. Free: a half-width that is off by so
/// much holds the truth nine times in ten.
const SEEN: f64 = 0.5;
/// In half-widths of 95 %, one in a hundred.
const BEYOND_CHANCE: f64 = 1.5;

/// Of stays that begin and end: time in them, how long those were that ended, and how many these are.
type Spent = [Column; 3];
pub(super) const TRANSACTIONS: Spent = [Column::Active, Column::Response, Column::Transactions];

/// A mean stay of these buckets \[ns\], and the part of the time in stays that none of those has lasted which ended:
/// zero, where it is chance (Student's t over starts) or small beside the interval, of waits below a twentieth. On
/// average what has not ended at the end was there at the beginning; where it is more, those that ended are the short
/// ones, or those of which nobody saw the start, and the mean is by Little's law all time in stays over the number that
/// ended.
#[inline(never)]
pub(super) fn mean_stay(all: &[Replication], bucket: Ns, buckets: Range<usize>, of: Spent) -> (Option<Batched>, f64) {
    let [time, ended, count] = of;
    let told = |over| figure(all, (bucket, buckets.clone()), (over, Some(count)), 1e-6);
    let part = |r: &Replication| {
        let [time, ended] = [time, ended].map(|column| r.rows.between(column, buckets.start, buckets.end));
        (time - ended, time)
    };
    let found = told(ended);
    let missing = of_ratio(&all.iter().map(part).collect::<Vec<_>>());
    let chance = missing.ci95.unwrap_or(if all.len() > 1 { f64::INFINITY } else { 0.0 });
    let known = found.as_ref().and_then(|found| relative(&found.estimate)).unwrap_or(0.0);
    // A wait that is all of one length is known from those that ended, wherever its phases are.
    let least = if of == TRANSACTIONS { SEEN * known } else { UNENDED };
    if missing.mean <= (BEYOND_CHANCE * chance).max(least) {
        return (found, 0.0);
    }
    // A little that is missing is no reason to tell another mean than that of the percentiles beside it.
    (if missing.mean > UNENDED { told(time) } else { found }, missing.mean)
}

impl Look<'_> {
    /// Reads the replications.
    pub fn assess(&self) -> Assessment {
        let (config, all, bucket, edges) = (self.config, self.all, self.bucket, self.edges);
        let (warm, cut, sums) = self.warmed();
        let figure = |over, scale| figure(all, (bucket, cut..edges), over, scale);
        let rate = |column| figure((column, None), 1e9);
        let (lio, transactions) = (rate(Column::Lio), rate(Column::Throughput));
        // Messages last while nobody sees them.
        let passes_messages = config.instances.iter().any(InstanceConfig::passes_messages);
        let (response, unended) = match passes_messages {
            true => (figure((Column::Response, Some(Column::Transactions)), 1e-6), 0.0),
            false => mean_stay(all, bucket, cut..edges, TRANSACTIONS),
        };
        // Not where messages are passed: how long one takes is mostly a matter of buffers.
        let counts_response = !passes_messages && !config.instances.iter().all(InstanceConfig::is_idle);
        let counted = response.as_ref().filter(|_| counts_response);
        let watched: Vec<&Batched> = match self.goal.figures {
            Figures::ThroughputOnly => lio.iter().collect(),
            _ => lio.iter().chain(counted).collect(),
        };
        let simulated_s = bucket.as_s() * ((edges - cut) * all.len()) as f64;
        let batch = watched.iter().map(|b| b.batch).max().unwrap_or(1);
        let estimate = |found: &Option<Batched>| found.as_ref().map(|b| b.estimate.clone()).unwrap_or_default();
        let mut found = Assessment {
            starts: all.len(),
            edges,
            cut,
            bucket,
            settled: warm <= edges / 2 && warm <= cut,
            is_slow: watched.iter().any(|b| b.is_slow),
            batch,
            batches: ((edges - cut) / batch * all.len()) as u32,
            lio_per_s: estimate(&lio),
            transactions_per_s: whole(estimate(&transactions), simulated_s),
            response_ms: estimate(&response),
            unended,
            starts_dominate: watched.iter().any(|b| b.starts_dominate) || has_phases(config),
            simulated_s,
            ..sums
        };
        found.judge_precision(self, counts_response);
        found
    }
}

/// Requests come at moments that never move within a start.
fn has_phases(config: &Config) -> bool {
    let mut servers = config.nodes.iter().filter_map(|node| node.service.as_ref());
    servers.any(|service| service.arrivals == ServiceArrivals::Periodic)
}

/// Below this part of a rate its half-width is rounding.
const SAME: f64 = 1e-9;

/// A rate of what is counted whole, over so many seconds of all starts. Where each has counted the same, the part of
/// one that their spans cut off is not known for that: three over the number of starts, had they one in twenty times
/// all hidden it.
fn whole(mut rate: Estimate, simulated_s: f64) -> Estimate {
    if rate.mean > 0.0 && rate.ci95.is_some_and(|half| half < SAME * rate.mean) {
        rate.ci95 = Some(3.0 / simulated_s);
    }
    rate
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
    /// A rate of what is counted whole, where starts are cut off.
    pub(crate) fn counted_whole(&self, rate: Estimate) -> Estimate {
        if self.ends {
            rate
        } else {
            whole(rate, self.simulated_s)
        }
    }

    /// Threads busy, of all hosts.
    fn busy(&self) -> Estimate {
        self.per_ns(&|a| a.busy(0..a.threads.len()))
    }

    /// Adds what one more replication says.
    pub(crate) fn gather(&mut self, mut start: Accounts) {
        if self.accounts.is_empty() {
            self.sum = start.clone();
        } else {
            self.sum.add(&start);
        }
        let tails = |g: &Group| {
            let running = Activity::RUNNING.i();
            let clocked = g.clocked.iter().enumerate().map(|(a, d)| if a == running { &g.stays[a] } else { d });
            let all = [&g.stays[Activity::RUN_QUEUE.i()], &g.response].into_iter().chain(clocked);
            all.map(|d| Packed::of(&mut d.clone())).collect()
        };
        self.tails.push(start.groups.iter().map(tails).collect());
        start.release();
        self.accounts.push(start);
    }

    /// The distributions of these accounting groups together, by replication. `at`: a [`GroupColumn`], or what
    /// [`Assessment::as_clocked`] says.
    #[inline(never)]
    pub fn distributions(&self, own: &[usize], at: usize) -> Vec<Histogram> {
        let of = |groups: &Vec<Vec<Packed>>| {
            let mut all = Histogram::default();
            own.iter().filter_map(|&group| groups[group].get(at)).for_each(|one| one.add_to(&mut all));
            all
        };
        self.tails.iter().map(of).collect()
    }

    /// The distributions of an activity as the database clocks it; empty of processes that are no sessions.
    pub(crate) fn as_clocked(&self, own: &[usize], a: usize) -> Vec<Histogram> {
        self.distributions(own, GroupColumn::Response as usize + 1 + a)
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

    /// So much is missing that those that ended say nothing of how transactions spread.
    pub fn outlasted(&self) -> bool {
        self.unended > UNENDED
    }

    /// The run is too short for what its intervals say to be believed.
    pub(super) fn is_short(&self) -> bool {
        let is_beyond_doubt = self.need.is_some_and(|need| need <= BEYOND_DOUBT);
        self.batches < BATCHES || !self.settled || self.is_slow && !is_beyond_doubt
    }

    /// All that was asked for is as precise as asked.
    pub(super) fn suffices(&self) -> bool {
        !self.is_short() && self.need.is_some_and(|need| need <= 1.0)
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
                // A host with its load alone has nothing but the use of its CPUs to be sure of.
                let nobody = config.instances.iter().all(InstanceConfig::is_idle);
                let lio = if nobody { relative(&self.busy()) } else { lio };
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
        // Of what never happened no more is known for looking longer, but how seldom it must be.
        let never = |one: &Estimate| !one.reps.is_empty() && one.reps.iter().all(|&rep| rep == 0.0);
        let own = self.read(config, goal, all).map(|one| if never(&one) { Some(0.0) } else { relative(&one) });
        if let (Figures::One(_), Some(own)) = (goal.figures, own) {
            self.reached = own;
        }
        let of = |reached: Option<f64>| reached.map(|r| r / goal.precision);
        self.need = match own {
            Some(own) => of(self.reached).zip(of(own)).map(|(one, other)| one.max(other)),
            None => of(self.reached),
        };
    }

    /// The figure that is asked for, where it applies and looking longer would tell more: not how long a growing queue
    /// answers, which is how long the run went on, nor what is known of no start.
    fn read(&self, config: &Config, goal: &Goal, all: &[Replication]) -> Option<Estimate> {
        let (Figures::One(figure) | Figures::With(figure)) = goal.figures else { return None };
        let report = self.report(config, all);
        if figure.is_endless(&report) {
            return None;
        }
        let is_known = |one: &Estimate| figure.kind == FigureKind::Tail || one.ci95.is_some() || !one.reps.is_empty();
        (figure.read)(figure.id, &report, config.closed_sessions()).filter(is_known)
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

    /// Mean stay in an activity \[ms\], and whether so much is missing of those that have not ended that those which
    /// ended say nothing of how they spread.
    pub fn mean_stay(&self, all: &[Replication], activity: usize) -> (Estimate, bool) {
        let of = [Column::Time(activity), Column::StayTime(activity), Column::Stays(activity)];
        if self.ends {
            return (self.of_rows(all, (of[1], Some(of[2])), 1e-6), false);
        }
        let (found, unended) = mean_stay(&all[..self.starts], self.bucket, self.cut..self.edges, of);
        (found.map(|found| found.estimate).unwrap_or_default(), unended > UNENDED)
    }

    /// The same after the buckets were merged by pairs.
    pub fn merged(&mut self) {
        (self.edges, self.cut, self.batch) = (self.edges / 2, self.cut / 2, self.batch.div_ceil(2));
        self.bucket = Ns(self.bucket.0 * 2);
    }
}
