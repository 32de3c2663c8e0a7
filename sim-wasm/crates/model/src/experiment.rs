//! From a configuration to an answer with its uncertainty: independent replications, batch means, warm-up, stopping.
//!
//! Phases of slots and ticks never move within one run, so an interval comes from at least eight starts. Every replication
//! is cut into buckets; cumulative rows of the watched sums are kept at bucket edges, copies of all sums at some of
//! them. A longer run doubles the buckets, so memory does not grow with simulated time.
use crate::accounts::Accounts;
use crate::config::{Arrivals, Config, InstanceConfig, NodeConfig};
use crate::evaluate::{assess, Assessment};
use crate::fault::RunFault;
use crate::record::Recorder;
use crate::report::{Estimate, Report};
use crate::rows::Rows;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Buckets of one horizon.
pub const BUCKETS: usize = 128;
/// Independent starts at least.
const REPLICATIONS: usize = 8;
/// Independent starts at most.
const MOST_REPLICATIONS: usize = 64;
/// Starts of a coarse answer.
const COARSE_REPLICATIONS: usize = 3;
/// Batches at least, all replications.
const BATCHES: u32 = 20;
/// Where copies of all sums are kept, in sixteenths of the horizon: warm-up can end there.
const COPIES: [usize; 7] = [1, 2, 3, 4, 6, 8, 16];

/// Which figures must reach the precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figures {
    /// Throughput and mean response time.
    ThroughputAndResponse,
    /// Throughput alone, for a point of its curve. Nothing else is kept: there is no full report.
    ThroughputOnly,
}

/// What is asked of an experiment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// Relative 95 % half-width, a fraction.
    pub precision: f64,
    /// Event budget over all replications. A run that meets it says so.
    pub max_events: u64,
    /// Stays kept in the picture of who ran where, first replication; 0: none.
    pub record: usize,
    /// Which figures count.
    pub figures: Figures,
    /// A quick first answer: three short replications, whatever their precision.
    pub coarse: bool,
}

/// How far an experiment is.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Nothing more will happen.
    pub done: bool,
    /// Events so far.
    pub events: u64,
    /// Relative half-width of the figures that count.
    pub precision: Option<f64>,
    /// Logical reads a second.
    pub lio_per_s: Estimate,
    /// Mean response time \[ms\].
    pub response_ms: Estimate,
    /// Simulated time after warm-up, all replications \[s\].
    pub simulated_s: f64,
    /// Batches after warm-up, all replications.
    pub batches: u32,
}

/// One replication with its history.
#[derive(Debug)]
pub struct Replication {
    /// The simulated world.
    pub world: World,
    /// Watched sums at bucket edges.
    pub rows: Rows,
    /// Copies of all sums, by bucket.
    pub copies: Vec<(usize, Accounts)>,
    /// The first replication keeps them at its latest edge until the horizon is reached: a spent budget may leave no more.
    latest: Option<Accounts>,
}

/// A running experiment.
#[derive(Debug)]
pub struct Experiment {
    config: Config,
    goal: Goal,
    replications: Vec<Replication>,
    wanted: usize,
    bucket: Ns,
    edges: usize,
    spent: u64,
    assessment: Option<Assessment>,
    truncated: bool,
    fault: Option<RunFault>,
    done: bool,
}

/// A host of several sockets is watched for at least this long \[ns\]: balancing between sockets and the utilisation that soft
/// affinity goes by need some tenths of a second to come round.
const SOCKETS_SETTLE: f64 = 1e9;
/// Where messages are passed that is \[ns\], for they come by the million.
const MESSAGES_SETTLE: f64 = 5e7;

/// What acts once in a period (real-time throttling, priorities recalculated each second, `cpu.max`) is watched for so many.
const PERIODS: f64 = 5.0;

/// Requests of a server that a replication sees at least, so that its 99th percentile means something.
const REQUESTS: f64 = 3000.0;

/// A guess of mean response and longest mean wait of an instance \[ns\], to choose the first horizon only.
fn guess(config: &Config, instance: &InstanceConfig) -> (f64, f64) {
    let threads = config.nodes[instance.node].threads() as f64;
    let demand = instance.workload.demand.mean.0 as f64;
    let Arrivals::Closed { sessions, think, .. } = instance.workload.arrivals else {
        let among = match instance.workload.arrivals {
            Arrivals::Messages { groups, pairs, .. } => f64::from(2 * groups * pairs) / threads,
            _ => 1.0,
        };
        return (20.0 * demand * among.max(1.0), 5.0 * demand * among.max(1.0));
    };
    let (slots, quantum) = match &instance.cage {
        Some(cage) => (f64::from(cage.slots).min(threads), (cage.quantum + cage.tick).0 as f64),
        None => (threads, 0.0),
    };
    let crowd = (f64::from(sessions) / slots).max(1.0);
    (demand * crowd + think.0 as f64, quantum * (crowd - 1.0))
}

/// Period of `cpu.max` of an instance.
fn quota_period(instance: &InstanceConfig) -> Option<Ns> {
    instance.cgroup.filter(|g| g.quota.is_some()).map(|g| g.period)
}

fn first_horizon(config: &Config, coarse: bool) -> Ns {
    let (mut response, mut wait, mut spread) = (1e6f64, 0f64, 0u64);
    for instance in &config.instances {
        let (r, w) = guess(config, instance);
        (response, wait) = (response.max(r), wait.max(w));
        if let Arrivals::Closed { start_spread, .. } = instance.workload.arrivals {
            spread = spread.max(start_spread.0);
        }
    }
    let share = if coarse { 0.3 } else { 1.0 };
    let servers = config.nodes.iter().filter_map(|n| n.service.as_ref());
    let requests = servers.map(|s| REQUESTS / s.per_s * 1e9).fold(0.0, f64::max);
    let settle = match config.nodes.iter().any(|n| n.sockets > 1) {
        _ if config.instances.iter().any(InstanceConfig::passes_messages) => MESSAGES_SETTLE,
        true => SOCKETS_SETTLE,
        false => 0.0,
    };
    let slowest =
        config.nodes.iter().map(NodeConfig::slowest_period).chain(config.instances.iter().filter_map(quota_period));
    let periods = PERIODS * slowest.map(|p| p.0 as f64).fold(0.0, f64::max);
    let needed = (7.0 * response).max(40.0 * wait).max(requests).max(settle).max(periods);
    Ns((spread as f64 * (1.0 + share) + share * needed).min(1e15) as u64)
}

impl Experiment {
    /// Sets up; nothing runs before [`Experiment::advance`].
    pub fn new(config: &Config, goal: Goal) -> Self {
        let horizon = first_horizon(config, goal.coarse);
        Experiment {
            config: config.clone(),
            goal,
            replications: Vec::new(),
            wanted: if goal.coarse { COARSE_REPLICATIONS } else { REPLICATIONS },
            bucket: Ns((horizon.0 / BUCKETS as u64).max(1)),
            edges: BUCKETS,
            spent: 0,
            assessment: None,
            truncated: false,
            fault: None,
            done: false,
        }
    }

    /// Goes on for about this many events.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        let mut left = max_events;
        while left > 0 && !self.done {
            let lagging = self.replications.iter().position(|r| r.rows.len() < self.edges);
            match lagging {
                Some(index) => left = left.saturating_sub(self.step(index, left).max(1)),
                None if self.replications.len() < self.wanted => self.start(),
                None => self.judge(),
            }
        }
        self.progress()
    }

    fn start(&mut self) {
        let number = self.replications.len() as u32;
        let mut world = World::new(&self.config, number);
        if number == 0 && self.goal.record > 0 {
            world.recorder = Some(Recorder::new(self.goal.record, Ns::ZERO));
        }
        self.replications.push(Replication { world, rows: Rows::new(&self.config), copies: Vec::new(), latest: None });
    }

    /// Takes one replication to its next bucket edge, or as far as the events last; answers the events used.
    fn step(&mut self, index: usize, left: u64) -> u64 {
        let replication = &mut self.replications[index];
        let next = replication.rows.len() + 1;
        let edge = Ns(self.bucket.0.saturating_mul(next as u64));
        let budget = left.min(self.goal.max_events.saturating_sub(self.spent));
        let before = replication.world.accounts.events;
        let reached = replication.world.run(edge, budget);
        let used = replication.world.accounts.events - before;
        self.spent += used;
        if replication.world.is_stalled {
            self.fault = Some(RunFault::TimeStandsStill { at: replication.world.now });
            self.done = true;
        } else if replication.world.is_full {
            self.truncate();
        } else if reached {
            replication.world.cut();
            replication.rows.push(&replication.world.accounts);
            let is_first = index == 0 && self.assessment.is_none() && next < self.edges;
            replication.latest = is_first.then(|| replication.world.accounts.clone());
            if COPIES.iter().any(|c| c * self.edges == next * 16) {
                let keep = self.goal.figures == Figures::ThroughputAndResponse;
                let copy = if keep { replication.world.accounts.clone() } else { Accounts::default() };
                replication.copies.push((next, copy));
            }
        } else if self.spent >= self.goal.max_events {
            self.truncate();
        }
        used
    }

    /// The budget is spent: what is complete counts; failing that, what the first replication has.
    fn truncate(&mut self) {
        self.truncated = true;
        self.done = true;
        if self.replications.iter().all(|r| r.world.now == Ns::ZERO) {
            self.fault = Some(RunFault::NothingSimulated { max_events: self.goal.max_events });
            return;
        }
        let complete = self.replications.iter().filter(|r| r.rows.len() >= self.edges).count();
        if complete > 0 {
            self.replications.retain(|r| r.rows.len() >= self.edges);
        } else if self.assessment.is_some() {
            // The horizon was doubled and is not reached: rows and copies stand at the edges it was doubled from.
            self.edges = BUCKETS / 2;
        } else {
            self.replications.truncate(1);
            self.finish_short();
        }
        self.assessment = Some(assess(&self.config, self.goal.figures, &self.replications, self.bucket, self.edges));
    }

    fn finish_short(&mut self) {
        for replication in &mut self.replications {
            replication.world.cut();
            if replication.rows.is_empty() {
                self.bucket = Ns(replication.world.now.0.max(1));
                replication.rows.push(&replication.world.accounts);
                replication.copies.push((1, replication.world.accounts.clone()));
            }
            self.edges = replication.rows.len();
            if replication.copies.last().is_none_or(|c| c.0 != self.edges) {
                let sums = replication.latest.take().unwrap_or_else(|| replication.world.accounts.clone());
                replication.copies.push((self.edges, sums));
            }
        }
    }

    fn judge(&mut self) {
        let found = assess(&self.config, self.goal.figures, &self.replications, self.bucket, self.edges);
        let precision = found.precision(self.goal.figures);
        let enough_time = found.batches >= BATCHES && found.settled;
        let precise = precision.is_some_and(|p| p <= self.goal.precision);
        if self.goal.coarse || (enough_time && precise) {
            self.done = true;
        } else if enough_time && found.starts_dominate && self.wanted < MOST_REPLICATIONS {
            self.wanted *= 2;
        } else {
            self.longer();
        }
        self.assessment = Some(found);
    }

    /// Doubles the horizon; buckets are merged by pairs so that their number stays.
    fn longer(&mut self) {
        for replication in &mut self.replications {
            replication.rows.merge_pairs();
            replication.copies.iter_mut().for_each(|c| c.0 /= 2);
            replication.copies.retain(|c| c.0 >= BUCKETS / 16);
        }
        self.bucket = Ns(self.bucket.0 * 2);
        self.edges = BUCKETS;
    }

    /// The present answer in short.
    pub fn progress(&self) -> Progress {
        let Some(found) = &self.assessment else {
            return Progress { events: self.spent, done: self.done, ..Progress::default() };
        };
        Progress {
            done: self.done,
            events: self.spent,
            precision: found.precision(self.goal.figures),
            lio_per_s: found.lio_per_s.clone(),
            response_ms: found.response_ms.clone(),
            simulated_s: found.simulated_s,
            batches: found.batches,
        }
    }

    /// Why the run has no figures, once that is known.
    pub fn fault(&self) -> Option<RunFault> {
        self.fault
    }

    /// The present answer in full; empty before the first horizon is reached, and where the run has a fault.
    pub fn report(&self) -> Report {
        if self.fault.is_some() {
            return Report { events: self.spent, fault: self.fault, ..Report::default() };
        }
        let Some(found) = &self.assessment else { return Report { events: self.spent, ..Report::default() } };
        let mut report = match self.goal.figures {
            Figures::ThroughputAndResponse => found.report(&self.config, &self.replications),
            Figures::ThroughputOnly => Report {
                lio_per_s: found.lio_per_s.clone(),
                transactions_per_s: found.transactions_per_s.clone(),
                simulated_s: found.simulated_s,
                ..Report::default()
            },
        };
        report.events = self.spent;
        report.truncated = self.truncated;
        report.precision_reached = found.precision(Figures::ThroughputAndResponse);
        report
    }
}
