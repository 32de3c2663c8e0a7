//! Figures of instances with redo and writers: each a ratio of two sums, by name.
use crate::config::kinds::KindId;
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::measure::accounts::Accounts;
use crate::measure::cluster::{Gc, Reply};
use crate::measure::database::Sum;
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
    /// There is something under the line: there was what it tells of.
    pub has_any: bool,
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
    /// A sum of the global cache.
    Cache(Gc),
    /// Replies that its sessions got from others.
    Got(Reply),
    /// From asking to having, all of these together \[ns\].
    Waited(Reply),
    /// Grants that its sessions got from others, of either kind.
    Grants,
    /// Thread time of its LMS processes \[ns\].
    LmsTime,
    /// Thread time of the slaves of parallel queries that it has \[ns\].
    SlaveTime,
}

use Term::{Cache, Got, Grants, LmsTime, Of, Seconds, SlaveTime, Waited, WriterTime};

/// Events, all starts, by which a count of few may be off at 95 %: of what never happened there may be up to three in
/// the same time (the rule of three, −ln 0.05).
pub(super) const FEW: f64 = 3.0;

/// The same of an instance with parallel queries; what its coordinators' queries sent, and its own slaves.
const OF_PARALLEL: [(&str, &str, Term, Term, f64); 4] = [
    ("px_messages_per_s", "1/s", Cache(Gc::PxMessages), Seconds, 1.0),
    ("px_remote_rows_percent", "%", Cache(Gc::PxRemoteRows), Cache(Gc::PxRows), 100.0),
    ("px_remote_mb_per_s", "MB/s", Cache(Gc::PxRemoteBytes), Seconds, 1e-6),
    ("slave_cpus", "CPUs", SlaveTime, Seconds, 1e-9),
];

/// The same of an instance in a cluster.
const OF_CLUSTERS: [(&str, &str, Term, Term, f64); 24] = [
    ("gc_cr_blocks_received_per_s", "1/s", Got(Reply::CrBlock), Seconds, 1.0),
    ("gc_cr_block_receive_ms", "ms", Waited(Reply::CrBlock), Got(Reply::CrBlock), 1e-6),
    ("gc_current_blocks_received_per_s", "1/s", Got(Reply::CurrentBlock), Seconds, 1.0),
    ("gc_current_block_receive_ms", "ms", Waited(Reply::CurrentBlock), Got(Reply::CurrentBlock), 1e-6),
    ("gc_grants_per_s", "1/s", Grants, Seconds, 1.0),
    ("gc_local_gets_per_s", "1/s", Cache(Gc::LocalGets), Seconds, 1.0),
    ("gc_cr_blocks_served_per_s", "1/s", Cache(Gc::CrServed), Seconds, 1.0),
    ("gc_cr_block_build_ms", "ms", Cache(Gc::CrBuildTime), Cache(Gc::CrServed), 1e-6),
    ("gc_cr_block_send_ms", "ms", Cache(Gc::CrSendTime), Cache(Gc::CrServed), 1e-6),
    ("gc_cr_block_flush_percent", "%", Cache(Gc::CrFlushes), Cache(Gc::CrServed), 100.0),
    ("gc_cr_block_flush_ms", "ms", Cache(Gc::CrFlushTime), Cache(Gc::CrFlushes), 1e-6),
    ("gc_current_blocks_served_per_s", "1/s", Cache(Gc::CurrentServed), Seconds, 1.0),
    ("gc_current_block_pin_ms", "ms", Cache(Gc::PinTime), Cache(Gc::CurrentServed), 1e-6),
    ("gc_current_block_send_ms", "ms", Cache(Gc::CurrentSendTime), Cache(Gc::CurrentServed), 1e-6),
    ("gc_current_block_flush_percent", "%", Cache(Gc::CurrentFlushes), Cache(Gc::CurrentServed), 100.0),
    ("gc_current_block_flush_ms", "ms", Cache(Gc::CurrentFlushTime), Cache(Gc::CurrentFlushes), 1e-6),
    ("gc_messages_sent_per_s", "1/s", Cache(Gc::Sent), Seconds, 1.0),
    ("gc_messages_told_per_s", "1/s", Cache(Gc::Told), Seconds, 1.0),
    ("gc_messages_heard_per_s", "1/s", Cache(Gc::Heard), Seconds, 1.0),
    ("gc_message_send_queue_ms", "ms", Cache(Gc::SendQueueTime), Cache(Gc::Sent), 1e-6),
    ("gc_message_process_ms", "ms", LmsTime, Cache(Gc::Received), 1e-6),
    ("gc_message_queue_ms", "ms", Cache(Gc::QueueTime), Cache(Gc::Received), 1e-6),
    ("gc_blocks_lost_per_s", "1/s", Cache(Gc::Lost), Seconds, 1.0),
    ("lms_cpus", "CPUs", LmsTime, Seconds, 1e-9),
];

/// The same of what happens in few clusters: told where it did.
const OF_FEW: [(&str, &str, Gc); 2] =
    [("gc_light_works_per_s", "1/s", Gc::LightWorks), ("gc_messages_dropped_per_s", "1/s", Gc::Dropped)];

/// The same of an instance whose commits the others have to know of: the statistics `redo write broadcast ack count`
/// and `redo write broadcast ack time`, of a log write and of one that is late.
const OF_BROADCASTS: [(&str, &str, Term, Term, f64); 2] = [
    ("redo_write_broadcast_ack_percent", "%", Of(Sum::LateAcks), Of(Sum::LogWrites), 100.0),
    ("redo_write_broadcast_ack_ms", "ms", Of(Sum::LateAckTime), Of(Sum::LateAcks), 1e-6),
];

/// Name, unit, and what is divided by what, times a number.
const FIGURES: [(&str, &str, Term, Term, f64); 17] = [
    ("commits_per_s", "1/s", Of(Sum::Commits), Seconds, 1.0),
    ("commits_per_log_write", "", Of(Sum::CommitsWritten), Of(Sum::LogWrites), 1.0),
    ("log_writes_per_s", "1/s", Of(Sum::LogWrites), Seconds, 1.0),
    ("redo_mb_per_s", "MB/s", Of(Sum::Redo), Seconds, 1e-6),
    ("redo_wastage_mb_per_s", "MB/s", Of(Sum::Wasted), Seconds, 1e-6),
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

/// The same of an instance whose transactions take values from a sequence.
const OF_SEQUENCES: [(&str, &str, Term, Term, f64); 4] = [
    ("sequence_values_per_s", "1/s", Of(Sum::SequenceValues), Seconds, 1.0),
    ("sequence_changes_per_s", "1/s", Of(Sum::SequenceChanges), Seconds, 1.0),
    ("sequence_values_lost_per_s", "1/s", Of(Sum::SequenceLost), Seconds, 1.0),
    ("lock_handovers_per_s", "1/s", Of(Sum::LockHandovers), Seconds, 1.0),
];

/// The same by class of transactions, where there are two.
const OF_CLASSES: [(&str, &str, Term, Term, f64); 4] = [
    ("query_transactions_per_s", "1/s", Of(Sum::Queries), Seconds, 1.0),
    ("query_response_ms", "ms", Of(Sum::QueryTime), Of(Sum::Queries), 1e-6),
    ("update_transactions_per_s", "1/s", Of(Sum::Updates), Seconds, 1.0),
    ("update_response_ms", "ms", Of(Sum::UpdateTime), Of(Sum::Updates), 1e-6),
];

/// Replies that sessions of an instance got from others, and how long they waited for them \[ns\].
fn got(found: &Accounts, instance: usize, reply: Reply) -> (f64, f64) {
    let servers = (0..found.databases.len()).filter(|&server| server != instance);
    let pairs = servers.map(|server| found.cluster.pair(instance, server, reply));
    pairs.fold((0.0, 0.0), |(count, time), pair| (count + pair.requests as f64, time + pair.time() as f64))
}

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

    /// One row an instance with parallel queries.
    pub(crate) fn parallel(&self, config: &Config) -> Vec<DatabaseRow> {
        let has = |&instance: &usize| config.instances[instance].others.parallel.is_some();
        let row = |instance: usize| DatabaseRow {
            instance: instance as u32 + 1,
            figures: OF_PARALLEL.into_iter().map(|of| self.term_figure(config, instance, of)).collect(),
        };
        (0..config.instances.len()).filter(has).map(row).collect()
    }

    fn database_figures(&self, config: &Config, instance: usize) -> Vec<DatabaseFigure> {
        let is_known = |over| !self.outlasted() || !matches!(over, Of(Sum::QueryTime | Sum::UpdateTime));
        let has_classes = config.instances[instance].has_classes();
        let of_classes = OF_CLASSES.into_iter().filter(|of| has_classes && is_known(of.2));
        let is_joined = config.cluster.is_some();
        let of_clusters = OF_CLUSTERS.into_iter().filter(|_| is_joined);
        let has_any = |sum| self.accounts.iter().any(|found| found.cluster.get(instance, sum) > 0);
        let of_few = OF_FEW.into_iter().filter(|&(.., sum)| has_any(sum));
        let of_few = of_few.map(|(id, unit, sum)| (id, unit, Cache(sum), Seconds, 1.0));
        let takes_values = config.instances[instance].others.sequence.as_ref().is_some_and(|of| of.values > 0.0);
        let of_sequences = OF_SEQUENCES.into_iter().filter(|_| takes_values);
        let broadcasts = config.cluster.as_ref().is_some_and(|of| of.broadcasts) && self.has_log(instance);
        let of_broadcasts = OF_BROADCASTS.into_iter().filter(|_| broadcasts);
        let of_joined = of_clusters.chain(of_broadcasts).chain(of_few);
        let all = FIGURES.into_iter().chain(of_classes).chain(of_joined).chain(of_sequences);
        let mut figures: Vec<_> = all.map(|of| self.term_figure(config, instance, of)).collect();
        let fills_no_log = self.fills_no_log(config, instance);
        for (figure, of) in figures.iter_mut().zip(&FIGURES) {
            self.allow_for_few(&mut figure.value, of.2, fills_no_log);
        }
        figures
    }

    /// Whether its log was written.
    fn has_log(&self, instance: usize) -> bool {
        self.accounts.iter().any(|found| found.databases[instance].get(Sum::LogWrites) > 0)
    }

    /// Whether it makes redo, and goes on for ever, but filled no log while it was looked at.
    fn fills_no_log(&self, config: &Config, instance: usize) -> bool {
        let any = |sum| self.accounts.iter().any(|found| found.databases[instance].get(sum) > 0);
        config.instances[instance].workload.ends.is_none() && any(Sum::Redo) && !any(Sum::Switches)
    }

    /// What comes once a log comes seldom, so that starts may agree on its number by chance. What the writers did where
    /// no log was filled has no interval, and nothing to pair starts by.
    fn allow_for_few(&self, value: &mut Estimate, over: Term, fills_no_log: bool) {
        match over {
            Of(Sum::Switches | Sum::Stalls | Sum::Changeovers) => {
                let looked_at: f64 = self.accounts.iter().map(Accounts::span_s).sum();
                value.ci95 = value.ci95.map(|half| half.max(FEW / looked_at));
            }
            Of(Sum::StallTime | Sum::Writes) | WriterTime if fills_no_log => {
                (value.ci95, value.reps) = (None, Vec::new());
            }
            _ => {}
        }
    }

    fn term_figure(
        &self,
        config: &Config,
        instance: usize,
        (id, unit, over, under, factor): (&'static str, &'static str, Term, Term, f64),
    ) -> DatabaseFigure {
        let time = |found: &Accounts, kind| found.groups[config.group(kind, instance)].cpu_time();
        let read = |term: Term, found: &Accounts| match term {
            Of(sum) => found.databases[instance].get(sum) as f64,
            WriterTime => time(found, KindId::DBWR),
            Seconds => found.span_s(),
            Cache(sum) => found.cluster.get(instance, sum) as f64,
            Got(reply) => got(found, instance, reply).0,
            Waited(reply) => got(found, instance, reply).1,
            Grants => got(found, instance, Reply::CrGrant).0 + got(found, instance, Reply::CurrentGrant).0,
            LmsTime => time(found, KindId::LMS),
            SlaveTime => time(found, KindId::SLAVE),
        };
        let pairs: Vec<(f64, f64)> =
            self.accounts.iter().map(|found| (factor * read(over, found), read(under, found))).collect();
        let has_any = pairs.iter().any(|pair| pair.1 > 0.0);
        DatabaseFigure { id, unit, value: of_ratio(&pairs), has_any }
    }
}

#[cfg(test)]
#[path = "databases_tests.rs"]
mod tests;
