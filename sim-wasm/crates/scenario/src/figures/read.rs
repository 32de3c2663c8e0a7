//! How a figure is read off one or two reports, with its interval.

use super::{Reading, Simulated};
use crate::metrics;
use wwi_kernel::stats::{half_width, mean};
use wwi_model::report::{Estimate, Report, WaitRow};

const QUANTUM_EVENT: &str = "resmgr:cpu quantum";
const LOG_WRITE_EVENT: &str = "log file parallel write";
const WRITERS_EVENT: &str = "db file parallel write";
const CHECKPOINT_EVENT: &str = "log file switch (checkpoint incomplete)";
const ROW_CACHE_EVENT: &str = "row cache lock";
/// Length of the published tests whose waits were counted \[s\].
const TEST_S: f64 = 300.0;
/// Length of the published runs with one and eight database writers \[s\].
const RUN_S: f64 = 900.0;

/// A run that figures are read off.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Its report.
    pub report: Report,
    /// Sessions of all instances, where their number is fixed.
    pub sessions: Option<f64>,
}

impl Answered {
    fn metric(&self, id: &str) -> Option<Estimate> {
        metrics::find(id)?.read(&self.report, self.sessions)
    }
}

impl Simulated {
    fn times(self, factor: f64) -> Simulated {
        Simulated { value: self.value * factor, ci95: self.ci95.map(|half| half * factor) }
    }
}

/// Ratio of two means. Where both have as many replications they go in pairs, which share their random numbers: the
/// interval is that of a − ratio · b over the pairs (Student's t), over the mean of b. Else both intervals count as
/// independent. `None` where b is zero.
pub(super) fn ratio(a: &Estimate, b: &Estimate) -> Option<Simulated> {
    let value = a.mean / b.mean;
    let ci95 = if a.reps.len() == b.reps.len() && a.reps.len() > 1 {
        let rests: Vec<f64> = a.reps.iter().zip(&b.reps).map(|(a, b)| a - value * b).collect();
        half_width(&rests).map(|half| half / mean(&b.reps))
    } else {
        let squared = |of: &Estimate| of.ci95.map(|half| (half / of.mean) * (half / of.mean));
        squared(a).zip(squared(b)).map(|(a, b)| value.abs() * (a + b).sqrt())
    };
    value.is_finite().then_some(Simulated { value, ci95 })
}

/// Share of DB time \[%\]; its interval is that of the ratio of sessions in the wait to sessions that are active.
fn share(report: &Report, row: &WaitRow) -> Option<Simulated> {
    let rows = || report.waits.iter().filter(|row| row.db_time_pct.is_some()).chain(&report.on_cpu);
    let active = |rep: usize| rows().filter_map(|row| row.clocked_aas.reps.get(rep)).sum::<f64>();
    let reps: Vec<f64> = (0..row.clocked_aas.reps.len()).map(active).collect();
    let active = Estimate { mean: mean(&reps), ci95: None, reps };
    let half = ratio(&row.clocked_aas, &active).and_then(|share| share.ci95);
    row.db_time_pct.map(|value| Simulated { value, ci95: half.map(|half| half * 100.0) })
}

/// Waits in the time of a published run. By Little's law they are sessions waiting over the mean wait: so is the
/// interval.
fn waits_in(report: &Report, row: &WaitRow, seconds: f64) -> Simulated {
    let value = row.duration.count as f64 / report.simulated_s * seconds;
    let rate = ratio(&row.aas, &row.duration.mean_ms);
    Simulated { value, ci95: rate.and_then(|rate| rate.ci95.map(|half| half / rate.value.abs() * value)) }
}

/// Time in an event of so many seconds, as the database clocks it \[s\].
fn clocked_in(row: &WaitRow, seconds: f64) -> Simulated {
    Simulated { value: row.clocked_aas.mean * seconds, ci95: row.clocked_aas.ci95.map(|half| half * seconds) }
}

/// Time of a run that ends, for each of its sessions \[s\].
fn run_of_one(report: &Report) -> f64 {
    let sessions: u32 = report.ended.iter().map(|row| row.sessions).sum();
    report.simulated_s / f64::from(report.replications * sessions.max(1))
}

/// How often a second somebody does what takes so long \[ms\], who does nothing else.
fn per_second(each: Simulated) -> Simulated {
    let value = 1e3 / each.value;
    Simulated { value, ci95: each.ci95.map(|half| half / each.value * value) }
}

/// A figure of one instance with a database.
fn of_instance(report: &Report, instance: u32, id: &str) -> Option<Estimate> {
    let row = report.databases.iter().find(|row| row.instance == instance)?;
    row.figures.iter().find(|figure| figure.id == id).map(|figure| figure.value.clone())
}

/// Share of the CR blocks of instance 1 that came from instance 3 \[%\].
fn from_3(report: &Report) -> Option<Simulated> {
    let row = report.pairs.iter().find(|row| (row.from, row.server, row.reply) == (1, 3, "cr block"))?;
    let all = of_instance(report, 1, "gc_cr_blocks_received_per_s")?;
    ratio(&row.per_s, &all).map(|share| share.times(100.0))
}

/// Reads a figure off its run, and the one it is compared with. `None` where a run has nothing of the kind.
///
/// A figure of one run has the interval of its metric. A longest wait has none: it is one observation.
pub fn read(reading: Reading, run: &Answered, against: Option<&Answered>) -> Option<Simulated> {
    let report = &run.report;
    let of_event = |event: &str| report.waits.iter().find(|row| row.event == event);
    let wait = || of_event(QUANTUM_EVENT);
    let plain = |of: Estimate| Simulated { value: of.mean, ci95: of.ci95 };
    // As the database clocks it: published waits are its own.
    let clocked = |event: &str| of_event(event).map(|row| plain(row.clocked.mean_ms.clone()));
    let metric = |id| run.metric(id).map(plain);
    let over = |id| ratio(&run.metric(id)?, &against?.metric(id)?);
    let percent = |id| {
        over(id).map(|ratio| Simulated { value: (ratio.value - 1.0) * 100.0, ci95: ratio.ci95.map(|h| h * 100.0) })
    };
    match reading {
        Reading::LioMillions => metric("throughput_lio").map(|lio| lio.times(1e-6)),
        Reading::QuantumWait => clocked(QUANTUM_EVENT),
        Reading::QuantumShare => wait().and_then(|row| share(report, row)),
        Reading::QuantumWaits => wait().map(|row| waits_in(report, row, TEST_S)),
        Reading::LongestQuantumWait => {
            wait().map(|row| Simulated { value: row.duration.max_ms, ci95: None }.times(1e-3))
        }
        Reading::CpusUsed => metric("cpu_time"),
        Reading::LioAgainst => percent("throughput_lio"),
        Reading::LioRatio => over("throughput_lio"),
        Reading::LioThousands => metric("throughput_lio").map(|lio| lio.times(1e-3)),
        Reading::LioPerSession => metric("lio_per_session").map(|lio| lio.times(1e-3)),
        Reading::TransactionsPerSession => metric("response_mean_ms").map(per_second),
        Reading::TransactionsAgainst => percent("throughput_transactions"),
        Reading::ResponseRatio => over("response_mean_ms"),
        Reading::PurrCores => metric("cpu_purr"),
        Reading::PurrPerSession => Some(metric("cpu_purr")?.times(1.0 / run.sessions?)),
        Reading::CpuWait => metric("cpu_wait_time"),
        Reading::CpuWaitPurr => metric("cpu_wait_purr"),
        Reading::ServiceP99 => metric("service_p99_ms"),
        Reading::ServiceMean => metric("service_mean_ms"),
        Reading::ServiceGrowth => metric("service_backlog_growth_per_s"),
        Reading::Transactions => metric("throughput_transactions"),
        Reading::TransactionsRatio => over("throughput_transactions"),
        Reading::LogFileSync => metric("log_file_sync_ms"),
        Reading::LogWriteTime => clocked(LOG_WRITE_EVENT),
        Reading::CheckpointWait => clocked(CHECKPOINT_EVENT),
        Reading::CheckpointWaits => of_event(CHECKPOINT_EVENT).map(|row| waits_in(report, row, RUN_S)),
        Reading::CommitsPerWrite => metric("commits_per_log_write"),
        Reading::BlocksWritten => metric("blocks_written_per_s"),
        Reading::BlocksPerTransaction => metric("blocks_written_per_transaction"),
        Reading::WriterSeconds => metric("writer_cpus").map(|cpus| cpus.times(RUN_S)),
        Reading::WriterPerBlock => metric("writer_cpu_us_per_block"),
        Reading::ParallelWriteSeconds => of_event(WRITERS_EVENT).map(|row| clocked_in(row, RUN_S)),
        Reading::CpusBusy => metric("cpu_busy"),
        Reading::CrReceiveAt1 => of_instance(report, 1, "gc_cr_block_receive_ms").map(plain),
        Reading::CrFlushesAt3 => of_instance(report, 3, "gc_cr_block_flush_percent").map(plain),
        Reading::CrFlushTimeAt3 => of_instance(report, 3, "gc_cr_block_flush_ms").map(plain),
        Reading::CrBuildAt3 => of_instance(report, 3, "gc_cr_block_build_ms").map(plain),
        Reading::CrFrom3 => from_3(report),
        Reading::SessionCpu => metric("session_cpu_s"),
        Reading::SessionCpuRatio => over("session_cpu_s"),
        Reading::SessionElapsed => metric("elapsed_s"),
        Reading::SessionReads => metric("session_reads"),
        Reading::RowCacheLockWaits => of_event(ROW_CACHE_EVENT).map(|row| waits_in(report, row, run_of_one(report))),
        Reading::RowCacheLockWait => metric("row_cache_lock_ms"),
    }
}
