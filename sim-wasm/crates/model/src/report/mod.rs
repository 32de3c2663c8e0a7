//! What a run answers. Plain data: the scenario crate writes it as JSON and columns.
mod clocked;
pub mod clusters;
pub mod consumers;
pub mod databases;
pub mod ended;
pub mod evictions;
pub mod facts;
pub mod ledger;
mod picture;
mod services;
pub mod statements;
mod summary;

use crate::fault::RunFault;

/// A mean with its uncertainty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Of all replications together.
    pub mean: f64,
    /// 95 % half-width; `None` where there is too little data for one.
    pub ci95: Option<f64>,
    /// What each replication says, in order: its mean, or of a pooled ratio or quantile its value to first order, so
    /// that `mean` is the mean of these. The same seeds in every scenario, so two runs can be compared replication by
    /// replication.
    pub reps: Vec<f64>,
}

/// A distribution in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Number of observations.
    pub count: u64,
    /// Sum \[s\].
    pub total_s: f64,
    /// Mean \[ms\].
    pub mean_ms: Estimate,
    /// Median \[ms\].
    pub p50_ms: f64,
    /// Its 95 % half-width \[ms\].
    pub p50_ci95: Option<f64>,
    /// 95th percentile \[ms\].
    pub p95_ms: f64,
    /// Its 95 % half-width \[ms\].
    pub p95_ci95: Option<f64>,
    /// 99th percentile \[ms\].
    pub p99_ms: f64,
    /// Its 95 % half-width \[ms\].
    pub p99_ci95: Option<f64>,
    /// What each replication says of it \[ms\], as in [`Estimate::reps`]; empty where there is no interval.
    pub p99_reps: Vec<f64>,
    /// Largest \[ms\].
    pub max_ms: f64,
    /// (lower edge, upper edge, count) of each bucket in use \[ms\].
    pub buckets: Vec<(f64, f64, u64)>,
}

impl Distribution {
    /// The 99th percentile with its uncertainty \[ms\].
    pub fn p99(&self) -> Estimate {
        Estimate { mean: self.p99_ms, ci95: self.p99_ci95, reps: self.p99_reps.clone() }
    }
}

/// One wait event of one process kind.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitRow {
    /// Event name as the database prints it; `ON CPU` rows have "running" or "run queue".
    pub event: &'static str,
    /// Wait class: "CPU", "run queue", "Scheduler", "Concurrency", ...
    pub class: &'static str,
    /// Process kind.
    pub process_kind: &'static str,
    /// How long one lasts.
    pub duration: Distribution,
    /// Sessions in it on average.
    pub aas: Estimate,
    /// How long one lasts as the database clocks it: a wait with the run queue that follows, a run queue where it is in
    /// no wait. Of run queues, and of processes that are no sessions, the mean alone is known.
    pub clocked: Distribution,
    /// Sessions in it on average, so clocked.
    pub clocked_aas: Estimate,
    /// Share of DB time \[%\], so clocked; `None` of processes that are no sessions: they have no part in it.
    pub db_time_pct: Option<f64>,
}

/// Average active sessions of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassRow {
    /// Class name.
    pub class: &'static str,
    /// Sessions.
    pub aas: Estimate,
}

/// One instance.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceRow {
    /// `cpu_count`, when a plan makes it act.
    pub slots: Option<u32>,
    /// Share of slot time held by sessions; `None` without a cage.
    pub slot_utilisation: Option<Estimate>,
    /// Slots that stood empty while a session waited, on average; `None` without a cage.
    pub slots_empty: Option<f64>,
    /// Transactions a second.
    pub transactions_per_s: Estimate,
    /// Logical reads a second.
    pub lio_per_s: Estimate,
    /// What its CPU use looks like in each accounting.
    pub cpu: CpuRow,
    /// Its system charges by the processor utilisation resource register, as AIX does on POWER.
    pub has_purr: bool,
}

/// CPU use of the sessions of an instance, on average.
///
/// CPU wait is `on_cpu - time`. Where the database books PURR, `on_cpu - purr` looks like it and is not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CpuRow {
    /// Sessions "ON CPU" as ASH counts them: on a thread or in a run queue, save the run queue after a wait, which the
    /// database clocks as part of that.
    pub on_cpu: Estimate,
    /// Threads in use, by time.
    pub time: Estimate,
    /// Cores in use, by processor utilisation resource register.
    pub purr: Estimate,
}

/// One process kind on one node.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessRow {
    /// Kind.
    pub kind: &'static str,
    /// Node, counted from 1.
    pub node: u32,
    /// Processes.
    pub count: u64,
    /// CPU time \[s\], all replications.
    pub cpu_s: f64,
    /// Time in run queues \[s\].
    pub run_queue_s: f64,
    /// From ready to running.
    pub dispatch_delay: Distribution,
    /// Switches because the process blocked.
    pub switches_voluntary: u64,
    /// Switches because it was made to give way.
    pub switches_involuntary: u64,
    /// Dispatches on another thread than the last.
    pub migrations: u64,
    /// Of these, on another socket.
    pub socket_migrations: u64,
    /// Processes in run queues, on average.
    pub run_queue: Estimate,
    /// Switches a second because they were made to give way.
    pub involuntary_per_s: Estimate,
    /// Dispatches a second on another thread than the last.
    pub migrations_per_s: Estimate,
    /// Of these, on another socket.
    pub socket_migrations_per_s: Estimate,
}

/// The server of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceRow {
    /// Node, counted from 1.
    pub node: u32,
    /// CPU demand of the requests that come, in CPUs.
    pub demand: f64,
    /// Requests answered a second.
    pub answered_per_s: Estimate,
    /// From a request's arrival to its answer.
    pub response: Distribution,
    /// Requests inside when the run ended, mean over the replications.
    pub backlog: f64,
    /// By how much that grows a second.
    pub growth_per_s: Estimate,
    /// It grows without bound: more than the interval of the growth, and by more than a hundredth of the arrivals.
    pub grows: bool,
}

/// One host.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeRow {
    /// Hardware threads.
    pub threads: u32,
    /// Busy on average.
    pub cpu_busy_threads: Estimate,
    /// Share of time that each thread is busy.
    pub thread_busy: Vec<f64>,
    /// Busy with work that counts, on average (threads).
    pub useful_threads: f64,
    /// Busy with switching and refilling caches, on average (threads).
    pub switch_threads: f64,
    /// Busy spinning for latches, on average (threads).
    pub spin_threads: f64,
    /// From pick to pick \[ms\].
    pub mean_slice_ms: f64,
    /// Thread time owed for one switch \[us\].
    pub mean_switch_us: f64,
    /// Switches a second.
    pub switches_per_s: Estimate,
    /// Share of the periods of `cpu.max` in which its groups were throttled \[%\]; `None`: nothing was used under one.
    pub throttled_percent: Option<Estimate>,
}

/// One row of the loss ledger, in CPUs at reference speed: threads and processes at the speed v₀ of their host, on
/// average.
#[derive(Clone, Debug, PartialEq)]
pub struct LedgerRow {
    /// Which cause; `capacity` and `alive` are what the others sum to.
    pub cause: &'static str,
    /// Which wait event, where the cause is one.
    pub event: Option<&'static str>,
    /// Node, counted from 1.
    pub node: u32,
    /// Instance, counted from 1.
    pub instance: Option<u32>,
    /// Process kind; `None`: nobody's.
    pub kind: Option<&'static str>,
    /// Threads so used, or idle for this; `None`: none, or not of this law.
    pub threads: Option<Estimate>,
    /// Processes there; `None`: none, or not of this law.
    pub processes: Option<Estimate>,
}

/// A conservation law and how far the run is from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Which law.
    pub law: &'static str,
    /// Relative residual.
    pub residual: f64,
    /// Within its tolerance.
    pub ok: bool,
}

/// Active sessions over time in the first replication, warm-up included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Bucket length \[s\].
    pub bucket_s: f64,
    /// Class and its mean active sessions in each bucket.
    pub classes: Vec<(&'static str, Vec<f64>)>,
    /// The same of the sessions on each host; empty where there is but one.
    pub nodes: Vec<Vec<(&'static str, Vec<f64>)>>,
}

/// One stay of a process in one activity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slice {
    /// Process.
    pub process: u32,
    /// What it did: index into [`crate::measure::events::ACTIVITIES`].
    pub activity: u8,
    /// Hardware thread over all nodes; for any other activity than running, the one it last ran on. [`u16::MAX`]: none
    /// yet.
    pub thread: u16,
    /// From \[ms\].
    pub start_ms: f64,
    /// To \[ms\].
    pub end_ms: f64,
    /// Lost at its start to switching and refilling \[ms\].
    pub debt_ms: f64,
}

/// Who did what and where, at the end of the first replication.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// From here on it is complete \[ms\].
    pub from_ms: f64,
    /// Up to here \[ms\].
    pub to_ms: f64,
    /// Stays, in the order of their ends; those under way at the end last.
    pub slices: Vec<Slice>,
    /// Process kind by process number.
    pub kinds: Vec<&'static str>,
    /// Host by process number.
    pub nodes: Vec<usize>,
}

/// The answer of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Transactions a second.
    pub transactions_per_s: Estimate,
    /// Logical reads a second.
    pub lio_per_s: Estimate,
    /// Response time of a transaction.
    pub response: Distribution,
    /// Wait events.
    pub waits: Vec<WaitRow>,
    /// The two states of "ON CPU": running, run queue.
    pub on_cpu: Vec<WaitRow>,
    /// Active sessions by class.
    pub aas: Vec<ClassRow>,
    /// Instances.
    pub instances: Vec<InstanceRow>,
    /// Consumer groups, of instances that have several.
    pub consumer_groups: Vec<consumers::ConsumerGroupRow>,
    /// Process kinds.
    pub processes: Vec<ProcessRow>,
    /// Hosts.
    pub nodes: Vec<NodeRow>,
    /// Simulated time after warm-up, all replications \[s\].
    pub simulated_s: f64,
    /// Warm-up removed from each replication \[s\].
    pub warmup_s: f64,
    /// Independent replications.
    pub replications: u32,
    /// Batches after warm-up, all replications.
    pub batches: u32,
    /// Length of a batch \[s\].
    pub batch_s: f64,
    /// Events taken from the calendar.
    pub events: u64,
    /// Relative half-width reached on the figures that count, the largest.
    pub precision_reached: Option<f64>,
    /// The run met its event budget before its precision.
    pub truncated: bool,
    /// Why there are no figures: nothing else of the report means anything then.
    pub fault: Option<RunFault>,
    /// Where capacity and time of processes went.
    pub ledger: Vec<LedgerRow>,
    /// Conservation laws.
    pub checks: Vec<Check>,
    /// Active sessions over time.
    pub series: Series,
    /// Servers.
    pub services: Vec<ServiceRow>,
    /// Instances with redo and writers.
    pub databases: Vec<databases::DatabaseRow>,
    /// Instances whose sessions coordinate parallel queries.
    pub parallel: Vec<databases::DatabaseRow>,
    /// Requests between the instances of a cluster.
    pub pairs: Vec<clusters::PairRow>,
    /// Instances that left their cluster, warm-up included.
    pub evictions: Vec<evictions::EvictionRow>,
    /// Sessions that ended, by instance; empty of steady runs.
    pub ended: Vec<ended::EndedRow>,
    /// When they ended, all instances together.
    pub ends: Option<ended::Ends>,
    /// Their statements, as a trace of one session tells them.
    pub statements: Vec<statements::StatementRow>,
    /// What each of them was like from moment to moment, when recorded.
    pub chronicles: Vec<databases::Moments>,
    /// Who did what and where, when recorded.
    pub timeline: Timeline,
}
