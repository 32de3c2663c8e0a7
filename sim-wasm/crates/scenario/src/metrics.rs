//! What a chart can have on its vertical axis: one table of figures that are read off a report.

use serde::Serialize;
use wwi_kernel::stats::{half_width, mean};
use wwi_model::experiment::{Figure, FigureKind};
use wwi_model::report::databases::DatabaseRow;
use wwi_model::report::ended::{EndedRow, Ends};
use wwi_model::report::evictions::EvictionRow;
use wwi_model::report::{Distribution, Estimate, InstanceRow, Report};

/// Which way is good news.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Better {
    /// More is better.
    Up,
    /// Less is better.
    Down,
    /// Neither.
    Neither,
}

/// One figure.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Name in links, options and reports.
    pub id: &'static str,
    /// On the axis; empty without the feature `texts`.
    pub title: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Which way is good news.
    pub better: Better,
    /// Reads it off a report, which may have it under its name; sessions where their number is fixed. `None`: it does
    /// not apply.
    read: fn(&str, &Report, Option<f64>) -> Option<Estimate>,
}

/// A figure as the page knows it.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "Metric"))]
pub struct MetricInfo {
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    better: Better,
}

/// The figure that a chart has where nobody says one.
pub const DEFAULT: &str = "throughput_lio";

use Better::{Down, Neither, Up};

/// Every figure, in the order of the list on the page.
pub static METRICS: &[Metric] = &[
    metric("throughput_lio", "Logical reads", "LIO/s", Up, |_, r, _| Some(r.lio_per_s.clone())),
    metric("throughput_transactions", "Transactions", "1/s", Up, |_, r, _| Some(r.transactions_per_s.clone())),
    metric("elapsed_s", "Elapsed time of a session", "s", Down, |_, r, _| end(r, |ends| &ends.elapsed_s)),
    metric("session_cpu_s", "CPU time of a session", "s", Down, |_, r, _| per_session(r, |row| &row.cpu_s)),
    metric("session_reads", "Logical reads until a session ends", "", Neither, |_, r, _| {
        per_session(r, |row| &row.reads)
    }),
    metric("first_end_s", "First end of a session", "s", Down, |_, r, _| end(r, |of| &of.first_s)),
    metric("median_end_s", "Median end of sessions", "s", Down, |_, r, _| end(r, |of| &of.median_s)),
    metric("last_end_s", "Last end of a session (makespan)", "s", Down, |_, r, _| end(r, |of| &of.last_s)),
    metric("end_sd_s", "Standard deviation of ends", "s", Down, |_, r, _| end(r, |of| &of.sd_s)),
    metric("response_mean_ms", "Response time, mean", "ms", Down, |_, r, _| {
        (r.response.mean_ms.mean > 0.0).then(|| r.response.mean_ms.clone())
    }),
    metric("response_p99_ms", "Response time, 99th percentile", "ms", Down, |_, r, _| {
        (r.response.count > 0).then(|| r.response.p99())
    }),
    metric("quantum_wait_mean_ms", "Wait for a slot (resmgr:cpu quantum), mean", "ms", Down, |_, r, _| {
        r.waits.iter().find(|row| row.event == "resmgr:cpu quantum").map(|row| row.duration.mean_ms.clone())
    }),
    metric("lio_per_session", "Logical reads of a session", "LIO/s", Up, |_, r, sessions| {
        sessions.map(|sessions| scaled(&r.lio_per_s, 1.0 / sessions))
    }),
    metric("transactions_per_session", "Transactions of a session", "1/s", Up, |_, r, sessions| {
        sessions.map(|sessions| scaled(&r.transactions_per_s, 1.0 / sessions))
    }),
    metric("on_cpu", "Sessions on CPU, as ASH counts", "sessions", Neither, |_, r, _| {
        sum(r.instances.iter().map(|row| &row.cpu.on_cpu))
    }),
    metric("cpu_time", "CPU used by sessions, by time", "threads", Neither, |_, r, _| {
        sum(r.instances.iter().map(|row| &row.cpu.time))
    }),
    metric("cpu_purr", "CPU used by sessions, by PURR", "cores", Neither, |_, r, _| {
        sum(with_purr(r).map(|row| &row.cpu.purr))
    }),
    metric("cpu_wait_time", "CPU wait: on CPU less time", "sessions", Down, |_, r, _| {
        less(sum(r.instances.iter().map(|row| &row.cpu.on_cpu))?, &sum(r.instances.iter().map(|row| &row.cpu.time))?)
    }),
    metric("cpu_wait_purr", "CPU wait, the wrong way: on CPU less PURR", "sessions", Neither, |_, r, _| {
        less(sum(with_purr(r).map(|row| &row.cpu.on_cpu))?, &sum(with_purr(r).map(|row| &row.cpu.purr))?)
    }),
    metric("run_queue", "Processes in run queues", "processes", Down, |_, r, _| {
        sum(r.processes.iter().map(|row| &row.run_queue))
    }),
    metric("switches_per_s", "Context switches", "1/s", Down, |_, r, _| {
        sum(r.nodes.iter().map(|node| &node.switches_per_s))
    }),
    metric("involuntary_switches_per_s", "Involuntary context switches", "1/s", Down, |_, r, _| {
        sum(r.processes.iter().map(|row| &row.involuntary_per_s))
    }),
    metric("migrations_per_s", "Migrations between threads", "1/s", Down, |_, r, _| {
        sum(r.processes.iter().map(|row| &row.migrations_per_s))
    }),
    metric("socket_migrations_per_s", "Migrations between caches", "1/s", Down, |_, r, _| {
        sum(r.processes.iter().map(|row| &row.socket_migrations_per_s))
    }),
    metric("dispatch_delay_mean_us", "Dispatch delay of sessions, mean", "µs", Down, |_, r, _| delay_mean(r)),
    metric("dispatch_delay_p99_us", "Dispatch delay of sessions, 99th percentile", "µs", Down, |_, r, _| {
        worst(sessions(r).map(|row| &row.dispatch_delay)).map(|delay| scaled(&delay.p99(), 1e3))
    }),
    metric("cpu_busy", "Busy threads", "threads", Neither, |_, r, _| {
        sum(r.nodes.iter().map(|node| &node.cpu_busy_threads))
    }),
    metric("cpu_max_throttled_percent", "Periods of cpu.max that throttled", "%", Down, |_, r, _| {
        r.nodes.iter().filter_map(|n| n.throttled_percent.clone()).max_by(|a, b| a.mean.total_cmp(&b.mean))
    }),
    metric("service_mean_ms", "Response of the server, mean", "ms", Down, |_, r, _| service_mean(r)),
    metric("service_p99_ms", "Response of the server, 99th percentile", "ms", Down, |_, r, _| {
        worst(r.services.iter().map(|row| &row.response).filter(|d| d.count > 0)).map(Distribution::p99)
    }),
    metric("service_backlog_growth_per_s", "Growth of the server's queue", "1/s", Down, |_, r, _| {
        sum(r.services.iter().map(|row| &row.growth_per_s))
    }),
    metric("log_file_sync_ms", "log file sync, mean", "ms", Down, |_, r, _| wait_mean(r, "log file sync")),
    metric("buffer_busy_ms", "buffer busy waits, mean", "ms", Down, |_, r, _| wait_mean(r, "buffer busy waits")),
    metric("query_transactions_per_s", "Queries", "1/s", Up, total),
    metric("query_response_ms", "Response time of queries, mean", "ms", Down, largest),
    metric("update_transactions_per_s", "Transactions that are no queries", "1/s", Up, total),
    metric("update_response_ms", "Response time of these, mean", "ms", Down, largest),
    metric("commits_per_log_write", "Commits per log write", "", Neither, largest),
    metric("stalls_per_s", "Stalls for a checkpoint", "1/s", Down, total),
    metric("stall_ms", "Stall for a checkpoint, mean", "ms", Down, largest),
    metric("stalled_percent", "Time in such stalls", "%", Down, largest),
    metric("blocks_written_per_s", "Blocks written", "1/s", Neither, total),
    metric("blocks_written_per_transaction", "Blocks written in a transaction", "", Down, largest),
    metric("dirty_buffers", "Dirty buffers", "buffers", Neither, total),
    metric("gc_cr_block_receive_ms", "Receive time of a CR block, mean", "ms", Down, largest),
    metric("gc_current_block_receive_ms", "Receive time of a current block, mean", "ms", Down, largest),
    metric("gc_cr_blocks_received_per_s", "CR blocks received", "1/s", Neither, total),
    metric("gc_current_blocks_received_per_s", "Current blocks received", "1/s", Neither, total),
    metric("gc_message_queue_ms", "Time of messages in queues of LMS, mean", "ms", Down, largest),
    metric("redo_write_broadcast_ack_percent", "Log writes whose broadcast is answered late", "%", Down, largest),
    metric("redo_write_broadcast_ack_ms", "Last answer to a broadcast after the log write, mean", "ms", Down, largest),
    metric("lms_cpus", "CPU used by LMS", "CPUs", Down, total),
    metric("sequence_values_per_s", "Values taken from the sequence", "1/s", Up, total),
    metric("sequence_changes_per_s", "Changes of SEQ$", "1/s", Down, total),
    metric("lock_handovers_per_s", "Locks of the sequence from other instances", "1/s", Down, total),
    metric("row_cache_lock_ms", "row cache lock, mean", "ms", Down, |_, r, _| wait_mean(r, "row cache lock")),
    metric("px_messages_per_s", "Messages of parallel queries", "1/s", Neither, total),
    metric("px_remote_rows_percent", "Rows that leave their host", "%", Down, largest),
    metric("px_remote_mb_per_s", "Rows between hosts", "MB/s", Down, total),
    metric("slave_cpus", "CPU used by slaves", "CPUs", Neither, total),
    metric("evictions", "Instances that left their cluster", "", Down, |_, r, _| {
        evictions(r, |gone| gone.count() as f64)
    }),
    metric("evicted_at_s", "When the first left", "s", Neither, |_, r, _| {
        evictions(r, |gone| gone.map(|row| row.at_s).fold(f64::INFINITY, f64::min))
    }),
    metric("writer_cpus", "CPU used by database writers", "CPUs", Down, total),
    metric("writer_cpu_us_per_block", "CPU of a database writer for a block", "µs", Down, largest),
];

/// Instances whose system charges by PURR.
fn with_purr(report: &Report) -> impl Iterator<Item = &InstanceRow> {
    report.instances.iter().filter(|row| row.has_purr)
}

/// Of each instance with redo and writers, or with parallel queries, the figure of this name; not of what there was
/// none of.
#[inline(never)]
fn of_instances<'a>(id: &str, report: &'a Report) -> Vec<&'a Estimate> {
    let rows = report.databases.iter().chain(&report.parallel);
    let named = |row: &'a DatabaseRow| row.figures.iter().find(|figure| figure.id == id && figure.has_any);
    rows.filter_map(named).map(|figure| &figure.value).collect()
}

/// What there is a second, at work or at a time, all instances together.
fn total(id: &str, report: &Report, _: Option<f64>) -> Option<Estimate> {
    sum(of_instances(id, report).into_iter())
}

/// A mean or a share, of the instance where it is largest.
fn largest(id: &str, report: &Report, _: Option<f64>) -> Option<Estimate> {
    of_instances(id, report).into_iter().max_by(|a, b| a.mean.total_cmp(&b.mean)).cloned()
}

/// A figure of what left in each replication, where instances are joined.
fn evictions(report: &Report, of: fn(&mut dyn Iterator<Item = &EvictionRow>) -> f64) -> Option<Estimate> {
    report.processes.iter().find(|row| row.kind == "lms")?;
    let one = |number: u32| of(&mut report.evictions.iter().filter(|row| row.replication == number));
    let reps: Vec<f64> = (1..=report.replications).map(one).filter(|value| value.is_finite()).collect();
    (!reps.is_empty()).then(|| Estimate { mean: mean(&reps), ci95: half_width(&reps), reps })
}

/// Mean of the sessions that end, all instances together.
fn per_session(report: &Report, of: fn(&EndedRow) -> &Estimate) -> Option<Estimate> {
    let all: f64 = report.ended.iter().map(|row| f64::from(row.sessions)).sum();
    let parts: Vec<Estimate> = report.ended.iter().map(|row| scaled(of(row), f64::from(row.sessions) / all)).collect();
    sum(parts.iter())
}

/// When sessions that end ended, all instances together.
fn end(report: &Report, of: fn(&Ends) -> &Estimate) -> Option<Estimate> {
    report.ends.as_ref().filter(|_| !report.ended.is_empty()).map(|ends| of(ends).clone())
}

/// How long an event lasts as the database clocks it, each time.
fn wait_mean(report: &Report, event: &str) -> Option<Estimate> {
    let rows = report.waits.iter().filter(|row| row.event == event && row.duration.count > 0);
    weighed(rows.map(|row| (&row.clocked.mean_ms, row.duration.count)))
}

/// The one with the longest tail.
fn worst<'a>(all: impl Iterator<Item = &'a Distribution>) -> Option<&'a Distribution> {
    all.max_by(|a, b| a.p99_ms.total_cmp(&b.p99_ms))
}

const fn metric(
    id: &'static str,
    title: &'static str,
    unit: &'static str,
    better: Better,
    read: fn(&str, &Report, Option<f64>) -> Option<Estimate>,
) -> Metric {
    let title = if cfg!(feature = "texts") { title } else { "" };
    Metric { id, title, unit, better, read }
}

/// The figure called `id`.
pub fn find(id: &str) -> Option<&'static Metric> {
    METRICS.iter().find(|metric| metric.id == id)
}

impl Metric {
    /// Reads it off a report; `sessions` where their number is fixed. `None`: it does not apply.
    pub fn read(&self, report: &Report, sessions: Option<f64>) -> Option<Estimate> {
        (self.read)(self.id, report, sessions).filter(|estimate| estimate.mean.is_finite())
    }
    /// As an experiment asks for it.
    pub fn figure(&self) -> Figure {
        let kind = match (self.unit, self.id) {
            (_, id) if id.split('_').any(|word| word == "p99") => FigureKind::Tail,
            ("s" | "ms" | "µs", _) => FigureKind::Mean,
            _ => FigureKind::Rate,
        };
        Figure { id: self.id, kind, is_of_server: self.id.starts_with("service_"), read: self.read }
    }
    /// As the page knows it.
    pub fn info(&self) -> MetricInfo {
        MetricInfo { id: self.id, title: self.title, unit: self.unit, better: self.better }
    }
}

/// A figure without an interval.
fn plain(mean: f64) -> Estimate {
    Estimate { mean, ci95: None, reps: Vec::new() }
}

fn scaled(estimate: &Estimate, factor: f64) -> Estimate {
    Estimate {
        mean: estimate.mean * factor,
        ci95: estimate.ci95.map(|half| half * factor),
        reps: estimate.reps.iter().map(|rep| rep * factor).collect(),
    }
}

/// Below this part of a figure its half-width is rounding.
const SAME: f64 = 1e-9;

/// Replication by replication; without replications on one side the means alone.
fn joined(a: &Estimate, b: &Estimate, join: impl Fn(f64, f64) -> f64) -> Estimate {
    let mean = join(a.mean, b.mean);
    if a.reps.is_empty() || a.reps.len() != b.reps.len() {
        return plain(mean);
    }
    let reps: Vec<f64> = a.reps.iter().zip(&b.reps).map(|(&a, &b)| join(a, b)).collect();
    Estimate { mean, ci95: half_width(&reps), reps }
}

fn plus(a: &Estimate, b: &Estimate) -> Estimate {
    let mut sum = joined(a, b, |a, b| a + b);
    // All starts agree, perhaps by chance: each part says how far.
    if sum.ci95.is_some_and(|half| half <= SAME * sum.mean.abs()) {
        sum.ci95 = a.ci95.zip(b.ci95).map(|(a, b)| a.max(b));
    }
    sum
}

/// The one, or the sum of several; `None` of none.
fn sum<'a>(mut rows: impl Iterator<Item = &'a Estimate>) -> Option<Estimate> {
    let first = rows.next()?.clone();
    Some(rows.fold(first, |sum, row| plus(&sum, row)))
}

fn less(a: Estimate, b: &Estimate) -> Option<Estimate> {
    Some(joined(&a, b, |a, b| a - b))
}

fn sessions(report: &Report) -> impl Iterator<Item = &wwi_model::report::ProcessRow> {
    report.processes.iter().filter(|row| row.kind == "session" && row.dispatch_delay.count > 0)
}

/// The mean over several distributions, each by how often it was seen.
fn mean_of<'a>(rows: impl Iterator<Item = &'a Distribution>) -> Option<Estimate> {
    weighed(rows.map(|row| (&row.mean_ms, row.count)))
}

/// The mean of all, from means and how many each is of.
fn weighed<'a>(rows: impl Iterator<Item = (&'a Estimate, u64)>) -> Option<Estimate> {
    let rows: Vec<_> = rows.collect();
    let all = rows.iter().map(|row| row.1).sum::<u64>() as f64;
    let parts: Vec<Estimate> = rows.iter().map(|&(mean, count)| scaled(mean, count as f64 / all)).collect();
    sum(parts.iter())
}

fn delay_mean(report: &Report) -> Option<Estimate> {
    mean_of(sessions(report).map(|row| &row.dispatch_delay)).map(|mean| scaled(&mean, 1e3))
}

fn service_mean(report: &Report) -> Option<Estimate> {
    mean_of(report.services.iter().map(|row| &row.response).filter(|response| response.count > 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_model::report::databases::DatabaseFigure;
    use wwi_model::report::{CpuRow, ProcessRow};

    fn estimate(reps: &[f64]) -> Estimate {
        Estimate { mean: mean(reps), ci95: half_width(reps), reps: reps.to_vec() }
    }

    fn instance(on_cpu: &[f64], time: &[f64], purr: &[f64]) -> InstanceRow {
        InstanceRow {
            slots: None,
            slot_utilisation: None,
            slots_empty: None,
            transactions_per_s: Estimate::default(),
            lio_per_s: Estimate::default(),
            cpu: CpuRow { on_cpu: estimate(on_cpu), time: estimate(time), purr: estimate(purr) },
            has_purr: true,
        }
    }

    #[test]
    fn sums_and_differences_go_by_replication() {
        let report = Report {
            lio_per_s: estimate(&[80.0, 120.0]),
            instances: vec![
                instance(&[10.0, 12.0], &[8.0, 8.0], &[2.0, 3.0]),
                instance(&[1.0, 3.0], &[1.0, 3.0], &[1.0, 1.0]),
            ],
            ..Report::default()
        };
        let shown = |id: &str| match find(id).and_then(|metric| metric.read(&report, Some(4.0))) {
            Some(estimate) => format!("{} {:?}", estimate.mean, estimate.reps),
            None => "-".to_owned(),
        };
        assert_eq!(shown("on_cpu"), "13 [11.0, 15.0]");
        assert_eq!(shown("cpu_wait_time"), "3 [2.0, 4.0]");
        assert_eq!(shown("cpu_wait_purr"), "9.5 [8.0, 11.0]");
        assert_eq!(shown("lio_per_session"), "25 [20.0, 30.0]");
        assert_eq!([shown("service_p99_ms"), shown("response_mean_ms"), shown("migrations_per_s")].join(" "), "- - -");
        let figures = |rate: f64, ms: f64| {
            let of = |id, unit, mean| DatabaseFigure { id, unit, value: estimate(&[mean]), has_any: mean > 0.0 };
            vec![of("lms_cpus", "CPUs", rate), of("gc_message_queue_ms", "ms", ms)]
        };
        let row = |instance, rate, ms| DatabaseRow { instance, figures: figures(rate, ms) };
        let cluster = Report { databases: vec![row(1, 0.5, 2.0), row(2, 0.25, 7.0)], ..Report::default() };
        let shown = |id: &str| find(id).and_then(|metric| metric.read(&cluster, None)).map(|one| one.mean);
        assert_eq!([shown("lms_cpus"), shown("gc_message_queue_ms")], [Some(0.75), Some(7.0)]);
        let none = Report { databases: vec![row(1, 0.5, 0.0)], ..Report::default() };
        assert!(find("gc_message_queue_ms").and_then(|metric| metric.read(&none, None)).is_none(), "no message came");
        let mut mixed = report.clone();
        mixed.instances[0].has_purr = false;
        let purr =
            |report: &Report, id: &str| find(id).and_then(|metric| metric.read(report, None)).map(|one| one.mean);
        assert_eq!(["cpu_purr", "cpu_wait_purr"].map(|id| purr(&mixed, id)), [Some(1.0), Some(1.0)]);
        mixed.instances.remove(1);
        assert_eq!(["cpu_purr", "cpu_wait_purr"].map(|id| purr(&mixed, id)), [None; 2], "no such register");
        assert!(find("lio_per_session").and_then(|metric| metric.read(&report, None)).is_none());
    }

    #[test]
    fn where_all_starts_of_several_instances_agree_the_widest_interval_is_that_of_the_sum() {
        let of = |half, reps: &[f64]| Estimate { ci95: Some(half), ..estimate(reps) };
        let never = plus(&of(0.02, &[0.0; 3]), &of(0.03, &[0.0; 3]));
        assert_eq!((never.mean, never.ci95), (0.0, Some(0.03)));
        let once = plus(&of(0.02, &[0.0; 3]), &of(0.03, &[0.0, 0.0, 3.0]));
        assert!(once.ci95 > Some(1.0) && once.mean == 1.0, "{once:?}");
        let equal = less(of(0.5, &[1.0, 2.0, 3.0]), &of(0.5, &[1.0, 2.0, 3.0]));
        assert_eq!(equal.map(|none| (none.mean, none.ci95)), Some((0.0, Some(0.0))), "start by start");
    }

    /// Moves to another socket are among all moves; delays are told in µs, those of sessions alone.
    #[test]
    fn figures_of_processes_are_those_of_their_names() {
        let row = |kind, delay_ms: f64, moves: f64, far: f64| {
            let p99_ms = 3.0 * delay_ms;
            let mean_ms = estimate(&[delay_ms]);
            let dispatch_delay = Distribution { count: 10, mean_ms, p99_ms, ..Distribution::default() };
            let [migrations_per_s, socket_migrations_per_s] = [moves, far].map(|rate| estimate(&[rate]));
            ProcessRow { kind, dispatch_delay, migrations_per_s, socket_migrations_per_s, ..process() }
        };
        let processes = vec![row("session", 0.25, 8.0, 2.0), row("lgwr", 4.0, 5.0, 1.0)];
        let report = Report { processes, ..Report::default() };
        let shown = |id: &str| find(id).and_then(|metric| metric.read(&report, None)).map(|one| one.mean);
        assert_eq!([shown("migrations_per_s"), shown("socket_migrations_per_s")], [Some(13.0), Some(3.0)]);
        let delays = ["dispatch_delay_mean_us", "dispatch_delay_p99_us"].map(shown);
        assert_eq!(delays, [Some(250.0), Some(750.0)]);
        let switched = ["run_queue", "involuntary_switches_per_s"].map(shown);
        assert_eq!(switched, [Some(22.0), Some(34.0)]);
    }

    fn process() -> ProcessRow {
        ProcessRow {
            kind: "session",
            node: 1,
            count: 1,
            cpu_s: 0.0,
            run_queue_s: 0.0,
            dispatch_delay: Distribution::default(),
            switches_voluntary: 0,
            switches_involuntary: 0,
            migrations: 0,
            socket_migrations: 0,
            run_queue: estimate(&[11.0]),
            involuntary_per_s: estimate(&[17.0]),
            migrations_per_s: estimate(&[0.0]),
            socket_migrations_per_s: estimate(&[0.0]),
        }
    }

    #[test]
    fn every_name_stands_once() {
        for metric in METRICS {
            assert_eq!(METRICS.iter().filter(|other| other.id == metric.id).count(), 1, "{}", metric.id);
            assert!(std::ptr::eq(find(metric.id).expect("it is there"), metric));
        }
        assert!(find(DEFAULT).is_some());
    }
}
