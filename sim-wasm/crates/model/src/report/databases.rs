//! Figures of instances with redo and writers: each a ratio of two sums, by name.
use crate::config::kinds::KindId;
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::measure::accounts::Accounts;
use crate::measure::chronicle::{Chronicle, Moment};
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

/// A column: its name, and what it tells of a moment.
type Told = (&'static str, fn(&Moment) -> f64);

const MOMENTS: [Told; 8] = [
    ("time_s", |m| m.at.as_s()),
    ("commits", |m| m.commits as f64),
    ("commits_written", |m| m.commits_written as f64),
    ("log_writes", |m| m.log_writes as f64),
    ("writers_s", |m| m.writer_time as f64 / 1e9),
    ("room_mb", |m| m.room as f64 / 1e6),
    ("late_mb", |m| m.late as f64 / 1e6),
    ("stalled", |m| f64::from(u8::from(m.is_stalled))),
];

/// The moments that were noted; empty where none was asked for.
pub(crate) fn moments(world: &World) -> Vec<Moments> {
    let numbered = world.chronicles.iter().zip(1..);
    let with = numbered.filter(|(chronicle, _)| chronicle.moments().next().is_some());
    let column = |chronicle: &Chronicle, (name, read): Told| (name, chronicle.moments().map(read).collect());
    let row = |(chronicle, instance): (&Chronicle, u32)| Moments {
        instance,
        columns: MOMENTS.into_iter().map(|told| column(chronicle, told)).collect(),
    };
    with.map(row).collect()
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
