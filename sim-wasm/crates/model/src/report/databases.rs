//! Figures of instances with redo and writers: each a ratio of two sums, by name.
use crate::config::kinds::KindId;
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::measure::accounts::Accounts;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::report::Estimate;
use crate::world::World;

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

/// An instance with redo and writers from moment to moment, in the first replication: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// Instance, counted from 1.
    pub instance: u32,
    /// Columns: name with unit, and a value for each moment.
    pub columns: Vec<(&'static str, Vec<f64>)>,
}

/// Columns: name, and how much of its unit one of `Moment::told` is.
const MOMENTS: [(&str, f64); 8] = [
    ("time_s", 1e-9),
    ("commits", 1.0),
    ("commits_written", 1.0),
    ("log_writes", 1.0),
    ("writers_s", 1e-9),
    ("room_mb", 1e-6),
    ("late_mb", 1e-6),
    ("stalled", 1.0),
];

/// The moments that were noted; empty where none was asked for.
pub(crate) fn moments(world: &World) -> Vec<Moments> {
    let mut rows = Vec::new();
    for (chronicle, instance) in world.chronicles.iter().zip(1..) {
        let mut columns: Vec<(&'static str, Vec<f64>)> = MOMENTS.iter().map(|told| (told.0, Vec::new())).collect();
        for moment in chronicle.moments() {
            for ((column, told), (_, factor)) in columns.iter_mut().zip(moment.told()).zip(MOMENTS) {
                column.1.push(told as f64 * factor);
            }
        }
        if !columns[0].1.is_empty() {
            rows.push(Moments { instance, columns });
        }
    }
    rows
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

/// The same by class of transactions, where there are two.
const OF_CLASSES: [(&str, &str, Term, Term, f64); 4] = [
    ("query_transactions_per_s", "1/s", Of(Sum::Queries), Seconds, 1.0),
    ("query_response_ms", "ms", Of(Sum::QueryTime), Of(Sum::Queries), 1e-6),
    ("update_transactions_per_s", "1/s", Of(Sum::Updates), Seconds, 1.0),
    ("update_response_ms", "ms", Of(Sum::UpdateTime), Of(Sum::Updates), 1e-6),
];

impl Assessment {
    /// One row an instance with a database.
    pub(crate) fn databases(&self, config: &Config) -> Vec<DatabaseRow> {
        let has = |&instance: &usize| config.instances[instance].others.database.is_some();
        let row = |instance: usize| DatabaseRow {
            instance: instance as u32 + 1,
            figures: self.database_figures(config, instance),
        };
        (0..config.instances.len()).filter(has).map(row).collect()
    }

    fn database_figures(&self, config: &Config, instance: usize) -> Vec<DatabaseFigure> {
        let writers = config.group(KindId::DBWR, instance);
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
        let of_classes = OF_CLASSES.into_iter().filter(|_| config.instances[instance].has_classes());
        FIGURES.into_iter().chain(of_classes).map(figure).collect()
    }
}
