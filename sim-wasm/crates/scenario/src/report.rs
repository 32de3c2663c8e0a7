//! The report of a run as JSON. The same text from the command line and from the page.
//!
//! Units stand in the names. A figure that is estimated carries a 95 % half-width, or null where it cannot have one.
use crate::acts::Warning;
use crate::columns::{columns, edges_and_counts, kinds, Column};
use crate::consumer_rows::ConsumerGroupRow;
use crate::databases::DatabaseRow;
use crate::ended::{EndedRow, StatementRow};
use crate::estimate::{est, Est};
use crate::ledger::LedgerRow;
use crate::metrics::METRICS;
use crate::node_row::NodeRow;
use crate::pairs::{EvictionRow, PairRow};
use serde::Serialize;
#[cfg(feature = "typescript")]
use ts_rs::TS;
use wwi_model::report as model;

/// How often a duration fell between two edges: `edges` has one entry more than `counts`, in the unit of the figures it
/// stands beside. Only where it was asked for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Histogram {
    edges: Vec<f64>,
    #[cfg_attr(feature = "typescript", ts(type = "number[]"))]
    counts: Vec<u64>,
}

/// Rates of the whole scenario.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Throughput {
    transactions_per_s: Est,
    lio_per_s: Est,
}

/// Response time of a transaction \[ms\]. Where none has ended, or too few to say how they spread, that is null.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Response {
    #[serde(flatten)]
    mean: Est,
    p50: Option<f64>,
    p50_ci95: Option<f64>,
    p95: Option<f64>,
    p95_ci95: Option<f64>,
    p99: Option<f64>,
    p99_ci95: Option<f64>,
    max: Option<f64>,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    histogram: Option<Histogram>,
}

/// One wait event of one process kind.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct WaitRow {
    event: &'static str,
    class: &'static str,
    process_kind: &'static str,
    #[serde(flatten)]
    times: Times,
}

/// One state of ON CPU: running or run queue.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct OnCpuRow {
    state: &'static str,
    #[serde(flatten)]
    times: Times,
}

/// How often, how long, and its share of DB time. Figures up to `aas` are of waits to their wake-up; the database
/// clocks a wait to the first instruction after it, with the run queue before that, which is no part of ON CPU then.
/// The share is so clocked, and null of processes that are no sessions, and so is how waits spread; that is null of
/// run queues, too, and where too few have ended to say. `p50_ms` and `p99_ms` are of all starts together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Times {
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    count: u64,
    time_s: f64,
    mean_ms: f64,
    ci95: Option<f64>,
    reps: Vec<f64>,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    aas: Est,
    clocked_ms: Est,
    clocked_p99_ms: Option<f64>,
    clocked_p99_ci95: Option<f64>,
    clocked_max_ms: Option<f64>,
    clocked_aas: Est,
    db_time_pct: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    histogram: Option<Histogram>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    clocked_histogram: Option<Histogram>,
}

/// Average active sessions of a class.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct ClassRow {
    class: &'static str,
    #[serde(flatten)]
    aas: Est,
}

/// One instance; null without a cage.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct InstanceRow {
    slots: Option<u32>,
    slot_utilisation: Option<f64>,
    slot_utilisation_ci95: Option<f64>,
    slots_empty: Option<f64>,
    transactions_per_s: Est,
    lio_per_s: Est,
    cpu: CpuRow,
}

/// CPU use of an instance: sessions on CPU as ASH counts them, without the run queue after waits; threads by time,
/// cores by PURR. CPU wait is `on_cpu` less `time`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct CpuRow {
    on_cpu: Est,
    time: Est,
    purr: Est,
}

/// The server of one host (counted from 1): requests, and whether their queue grows without bound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct ServiceRow {
    node: u32,
    demand: f64,
    answered_per_s: Est,
    response_ms: Response,
    backlog: f64,
    growth_per_s: Est,
    grows: bool,
}

/// One figure of the catalogue of metrics; those that do not apply are left out.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct MetricRow {
    id: &'static str,
    #[serde(flatten)]
    value: Est,
}

/// The recording is complete between these moments \[ms\].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct TimelineSpan {
    from_ms: f64,
    to_ms: f64,
}

/// From ready to running \[µs\].
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct DispatchDelay {
    mean: f64,
    p50: f64,
    p99: f64,
    p99_ci95: Option<f64>,
    max: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    histogram: Option<Histogram>,
}

/// One process kind on one host (counted from 1).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct ProcessRow {
    kind: &'static str,
    node: u32,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    count: u64,
    cpu_s: f64,
    run_queue_s: f64,
    dispatch_delay_us: DispatchDelay,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    switches_voluntary: u64,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    switches_involuntary: u64,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    migrations: u64,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    socket_migrations: u64,
    run_queue: Est,
}

/// Relative half-width asked for and reached.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Precision {
    asked: f64,
    reached: Option<f64>,
    ok: bool,
    truncated: bool,
}

/// A conservation law and its relative residual.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Check {
    law: &'static str,
    residual: f64,
    ok: bool,
}

/// Everything a run answers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(TS))]
pub struct Report {
    version: u32,
    query: String,
    /// Values that were given and change nothing in this scenario.
    warnings: Vec<Warning>,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    seed: u64,
    throughput: Throughput,
    response_ms: Response,
    waits: Vec<WaitRow>,
    on_cpu: Vec<OnCpuRow>,
    aas: Vec<ClassRow>,
    instances: Vec<InstanceRow>,
    /// Consumer groups, of instances that have several; absent where none has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<ConsumerGroupRow>>"))]
    consumer_groups: Vec<ConsumerGroupRow>,
    processes: Vec<ProcessRow>,
    nodes: Vec<NodeRow>,
    services: Vec<ServiceRow>,
    databases: Vec<DatabaseRow>,
    pairs: Vec<PairRow>,
    evictions: Vec<EvictionRow>,
    /// Sessions that ended, by instance, and their statements; empty of a steady run.
    ended: Vec<EndedRow>,
    statements: Vec<StatementRow>,
    metrics: Vec<MetricRow>,
    ledger: Vec<LedgerRow>,
    /// Span of the recording; null where nothing was recorded.
    timeline: Option<TimelineSpan>,
    /// Process kinds that the column `timeline/kind` counts.
    kinds: Vec<&'static str>,
    simulated_s: f64,
    warmup_s: f64,
    replications: u32,
    batches: u32,
    batch_s: f64,
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    events: u64,
    precision: Precision,
    /// Why there are no figures; absent where there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    fault: Option<String>,
    checks: Vec<Check>,
    columns: Vec<Column>,
}

/// What was asked, for the head of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// Canonical text of the scenario.
    pub query: String,
    /// Seed that was used.
    pub seed: u64,
    /// Relative half-width asked for.
    pub precision: f64,
    /// Sessions of all instances, where their number is fixed.
    pub sessions: Option<f64>,
    /// Histograms stand beside the percentiles.
    pub histograms: bool,
    /// Values that were given and change nothing.
    pub warnings: Vec<Warning>,
}

/// The report as JSON on one line.
pub fn to_json(report: &model::Report, asked: &Asked) -> String {
    crate::json::to_string(&encode(report, asked))
}

fn encode(report: &model::Report, asked: &Asked) -> Report {
    let reached = report.precision_reached;
    Report {
        version: 1,
        query: asked.query.clone(),
        warnings: asked.warnings.clone(),
        seed: asked.seed,
        throughput: Throughput {
            transactions_per_s: est(&report.transactions_per_s),
            lio_per_s: est(&report.lio_per_s),
        },
        response_ms: response(&report.response, asked),
        waits: report.waits.iter().map(|row| wait(row, asked)).collect(),
        on_cpu: report.on_cpu.iter().map(|row| OnCpuRow { state: row.event, times: times(row, asked) }).collect(),
        aas: report.aas.iter().map(|row| ClassRow { class: row.class, aas: est(&row.aas) }).collect(),
        instances: report.instances.iter().map(instance).collect(),
        consumer_groups: report.consumer_groups.iter().map(ConsumerGroupRow::of).collect(),
        processes: report.processes.iter().map(|row| process(row, asked)).collect(),
        nodes: report.nodes.iter().map(NodeRow::of).collect(),
        services: report.services.iter().map(|row| service(row, asked)).collect(),
        databases: report.databases.iter().map(DatabaseRow::of).collect(),
        pairs: report.pairs.iter().map(PairRow::of).collect(),
        evictions: report.evictions.iter().map(EvictionRow::of).collect(),
        ended: report.ended.iter().map(EndedRow::of).collect(),
        statements: report.statements.iter().map(StatementRow::of).collect(),
        metrics: METRICS
            .iter()
            .filter_map(|metric| {
                let value = metric.read(report, asked.sessions)?;
                Some(MetricRow { id: metric.id, value: est(&value) })
            })
            .collect(),
        ledger: report.ledger.iter().map(LedgerRow::of).collect(),
        timeline: (!report.timeline.slices.is_empty())
            .then_some(TimelineSpan { from_ms: report.timeline.from_ms, to_ms: report.timeline.to_ms }),
        kinds: kinds(report),
        simulated_s: report.simulated_s,
        warmup_s: report.warmup_s,
        replications: report.replications,
        batches: report.batches,
        batch_s: report.batch_s,
        events: report.events,
        precision: Precision {
            asked: asked.precision,
            reached,
            ok: !report.truncated && reached.is_some_and(|reached| reached <= asked.precision),
            truncated: report.truncated,
        },
        fault: report.fault.map(|fault| fault.to_string()),
        checks: report.checks.iter().map(|row| Check { law: row.law, residual: row.residual, ok: row.ok }).collect(),
        columns: columns(report).0,
    }
}

/// The histogram of a distribution in a unit that is so many ms, where it was asked for.
fn histogram(duration: &model::Distribution, unit_ms: f64, asked: &Asked) -> Option<Histogram> {
    asked.histograms.then(|| {
        let (edges, counts) = edges_and_counts(&[duration]);
        Histogram { edges: edges.into_iter().map(|edge| edge / unit_ms).collect(), counts }
    })
}

fn response(duration: &model::Distribution, asked: &Asked) -> Response {
    let known = |of: f64| (duration.count > 0).then_some(of);
    Response {
        mean: est(&duration.mean_ms),
        p50: known(duration.p50_ms),
        p50_ci95: duration.p50_ci95,
        p95: known(duration.p95_ms),
        p95_ci95: duration.p95_ci95,
        p99: known(duration.p99_ms),
        p99_ci95: duration.p99_ci95,
        max: known(duration.max_ms),
        count: duration.count,
        histogram: histogram(duration, 1.0, asked),
    }
}

fn wait(row: &model::WaitRow, asked: &Asked) -> WaitRow {
    let (event, class, process_kind) = (row.event, row.class, row.process_kind);
    WaitRow { event, class, process_kind, times: times(row, asked) }
}

fn times(row: &model::WaitRow, asked: &Asked) -> Times {
    let clocked = |of: f64| (!row.clocked.buckets.is_empty()).then_some(of);
    Times {
        count: row.duration.count,
        time_s: row.duration.total_s,
        mean_ms: row.duration.mean_ms.mean,
        ci95: row.duration.mean_ms.ci95,
        reps: row.duration.mean_ms.reps.clone(),
        p50_ms: row.duration.p50_ms,
        p99_ms: row.duration.p99_ms,
        max_ms: row.duration.max_ms,
        aas: est(&row.aas),
        clocked_ms: est(&row.clocked.mean_ms),
        clocked_p99_ms: clocked(row.clocked.p99_ms),
        clocked_p99_ci95: row.clocked.p99_ci95,
        clocked_max_ms: clocked(row.clocked.max_ms),
        clocked_aas: est(&row.clocked_aas),
        db_time_pct: row.db_time_pct,
        histogram: histogram(&row.duration, 1.0, asked),
        clocked_histogram: histogram(&row.clocked, 1.0, asked),
    }
}

fn instance(row: &model::InstanceRow) -> InstanceRow {
    InstanceRow {
        slots: row.slots,
        slot_utilisation: row.slot_utilisation.as_ref().map(|used| used.mean),
        slot_utilisation_ci95: row.slot_utilisation.as_ref().and_then(|used| used.ci95),
        slots_empty: row.slots_empty,
        transactions_per_s: est(&row.transactions_per_s),
        lio_per_s: est(&row.lio_per_s),
        cpu: CpuRow { on_cpu: est(&row.cpu.on_cpu), time: est(&row.cpu.time), purr: est(&row.cpu.purr) },
    }
}

fn service(row: &model::ServiceRow, asked: &Asked) -> ServiceRow {
    ServiceRow {
        node: row.node,
        demand: row.demand,
        answered_per_s: est(&row.answered_per_s),
        response_ms: response(&row.response, asked),
        backlog: row.backlog,
        growth_per_s: est(&row.growth_per_s),
        grows: row.grows,
    }
}

fn process(row: &model::ProcessRow, asked: &Asked) -> ProcessRow {
    let delay = &row.dispatch_delay;
    ProcessRow {
        kind: row.kind,
        node: row.node,
        count: row.count,
        cpu_s: row.cpu_s,
        run_queue_s: row.run_queue_s,
        dispatch_delay_us: DispatchDelay {
            mean: delay.mean_ms.mean * 1e3,
            p50: delay.p50_ms * 1e3,
            p99: delay.p99_ms * 1e3,
            p99_ci95: delay.p99_ci95.map(|half| half * 1e3),
            max: delay.max_ms * 1e3,
            histogram: histogram(delay, 1e-3, asked),
        },
        switches_voluntary: row.switches_voluntary,
        switches_involuntary: row.switches_involuntary,
        migrations: row.migrations,
        socket_migrations: row.socket_migrations,
        run_queue: est(&row.run_queue),
    }
}
