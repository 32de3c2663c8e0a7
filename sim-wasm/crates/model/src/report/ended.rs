//! Sessions that ended, by instance: how long they took, and what they used.
use crate::config::kinds::KindId;
use crate::config::{Arrivals, Config};
use crate::experiment::ending::elapsed_s;
use crate::experiment::estimate::of_starts;
use crate::experiment::evaluate::Assessment;
use crate::experiment::replication::Replication;
use crate::measure::accounts::Group;
use crate::measure::events::Activity;
use crate::report::Estimate;
use wwi_kernel::stats::mean;

/// The sessions of one instance that ended.
#[derive(Clone, Debug, PartialEq)]
pub struct EndedRow {
    /// Instance, counted from 1.
    pub instance: u32,
    /// Its sessions.
    pub sessions: u32,
    /// Transactions of each.
    pub executions: u32,
    /// From the start of a session to its end, mean of the sessions \[s\].
    pub elapsed_s: Estimate,
    /// From the beginning of the run to the end of its last session \[s\].
    pub last_s: Estimate,
    /// CPU time of a session \[s\].
    pub cpu_s: Estimate,
    /// Logical reads of a session.
    pub reads: Estimate,
}

impl Assessment {
    /// One row an instance whose sessions end; none of a steady run.
    pub(crate) fn ended(&self, config: &Config, all: &[Replication]) -> Vec<EndedRow> {
        let row = |instance: usize| {
            let workload = &config.instances[instance].workload;
            let (Some(ends), &Arrivals::Closed { sessions: sessions @ 1.., .. }) = (workload.ends, &workload.arrivals)
            else {
                return None;
            };
            let group = config.group(KindId::SESSION, instance);
            let each = |of: &dyn Fn(&Group) -> f64| {
                of_starts(self.accounts.iter().map(|a| of(&a.groups[group]) / f64::from(sessions)).collect())
            };
            let last = |r: &Replication| {
                let own = r.world.runs.sessions.iter().filter(|session| session.instance == instance);
                own.filter_map(|session| session.ends).max().map_or(0.0, |end| end.as_s())
            };
            Some(EndedRow {
                instance: instance as u32 + 1,
                sessions,
                executions: ends.executions,
                elapsed_s: of_starts(all.iter().map(|r| mean(&elapsed_s(r, instance))).collect()),
                last_s: of_starts(all.iter().map(last).collect()),
                cpu_s: each(&|g| g.time[Activity::RUNNING.i()] as f64 / 1e9),
                reads: each(&Group::logical_reads),
            })
        };
        (0..if self.ends { config.instances.len() } else { 0 }).filter_map(row).collect()
    }
}
