//! Figures of instances with redo and writers: each a ratio of two sums, by name.
use crate::config::kinds::KindId;
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::measure::accounts::Accounts;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::report::Estimate;

/// One figure of an instance.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseFigure {
    /// Its name in reports.
    pub id: &'static str,
    /// Its unit; empty for a plain number.
    pub unit: &'static str,
    /// Its value.
    pub value: Estimate,
}

/// One instance with redo and writers.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseRow {
    /// Instance, counted from 1.
    pub instance: u32,
    /// Its figures.
    pub figures: Vec<DatabaseFigure>,
}

/// What stands over a line or under it.
#[derive(Clone, Copy)]
enum Term {
    /// A sum of the instance.
    Of(Sum),
    /// Thread time of its database writers \[ns\].
    WriterTime,
    /// Simulated time \[s\].
    Seconds,
}

use Term::{Of, Seconds, WriterTime};

/// Name, unit, and what is divided by what, times a number.
const FIGURES: [(&str, &str, Term, Term, f64); 16] = [
    ("commits_per_s", "1/s", Of(Sum::Commits), Seconds, 1.0),
    ("commits_per_log_write", "", Of(Sum::CommitsWritten), Of(Sum::LogWrites), 1.0),
    ("log_writes_per_s", "1/s", Of(Sum::LogWrites), Seconds, 1.0),
    ("redo_mb_per_s", "MB/s", Of(Sum::Redo), Seconds, 1e-6),
    ("log_switches_per_s", "1/s", Of(Sum::Switches), Seconds, 1.0),
    ("stalls_per_s", "1/s", Of(Sum::Stalls), Seconds, 1.0),
    ("stall_ms", "ms", Of(Sum::StallTime), Of(Sum::Stalls), 1e-6),
    ("stalled_percent", "%", Of(Sum::StallTime), Seconds, 1e-7),
    ("block_changes_per_s", "1/s", Of(Sum::Changes), Seconds, 1.0),
    ("blocks_written_per_s", "1/s", Of(Sum::Writes), Seconds, 1.0),
    ("blocks_written_per_transaction", "", Of(Sum::Writes), Of(Sum::Commits), 1.0),
    ("blocks_read_per_s", "1/s", Of(Sum::Reads), Seconds, 1.0),
    ("dirty_buffers", "buffers", Of(Sum::DirtyTime), Seconds, 1e-9),
    ("writer_cpu_us_per_block", "µs", WriterTime, Of(Sum::Writes), 1e-3),
    ("writer_cpus", "CPUs", WriterTime, Seconds, 1e-9),
    ("log_file_sync_changeovers_per_s", "1/s", Of(Sum::Changeovers), Seconds, 1.0),
];

impl Assessment {
    /// One row an instance with a database.
    pub(crate) fn databases(&self, config: &Config) -> Vec<DatabaseRow> {
        let has = |&instance: &usize| config.instances[instance].others.database.is_some();
        let row = |instance: usize| DatabaseRow {
            instance: instance as u32 + 1,
            figures: self.database_figures(instance, config.group(KindId::DBWR, instance)),
        };
        (0..config.instances.len()).filter(has).map(row).collect()
    }

    fn database_figures(&self, instance: usize, writers: usize) -> Vec<DatabaseFigure> {
        let seconds = self.span_ns() / 1e9;
        let read = |term: Term, found: &Accounts| match term {
            Of(sum) => found.databases[instance].get(sum) as f64,
            WriterTime => found.groups[writers].time[Activity::RUNNING.i()] as f64,
            Seconds => seconds,
        };
        let figure = |(id, unit, over, under, factor): (&'static str, &'static str, Term, Term, f64)| {
            let pairs: Vec<(f64, f64)> =
                self.accounts.iter().map(|found| (factor * read(over, found), read(under, found))).collect();
            DatabaseFigure { id, unit, value: of_ratio(&pairs) }
        };
        FIGURES.into_iter().map(figure).collect()
    }
}
