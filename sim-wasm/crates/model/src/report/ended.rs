//! Sessions that ended, by instance: how long they took, and what they used.
use crate::config::kinds::KindId;
use crate::config::{Arrivals, Config};
use crate::experiment::ending::elapsed_s;
use crate::experiment::estimate::of_starts;
use crate::experiment::evaluate::Assessment;
use crate::experiment::replication::Replication;
use crate::measure::accounts::{Accounts, Group};
use crate::report::Estimate;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::stats::mean;
use wwi_kernel::time::Ns;

/// When sessions ended, from the beginning of the run on \[s\]: of each start one value, then over starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// The first of them.
    pub first_s: Estimate,
    /// Median of them; of an even number the mean of the middle two.
    pub median_s: Estimate,
    /// The last of them, the makespan.
    pub last_s: Estimate,
    /// Standard deviation of them, root mean square distance from their mean.
    pub sd_s: Estimate,
}

impl Ends {
    /// Of the sessions of one instance, or of all.
    fn of(all: &[Replication], instance: Option<usize>) -> Ends {
        let ends = |r: &Replication| -> Vec<f64> {
            let own = r.world.runs.sessions.iter().filter(|one| instance.is_none_or(|of| one.instance == of));
            let mut ends: Vec<Ns> = own.filter_map(|session| session.ends).collect();
            sort_by_rank(&mut ends, |end| end.0);
            ends.into_iter().map(Ns::as_s).collect()
        };
        let starts: Vec<Vec<f64>> = all.iter().map(ends).collect();
        let each = |of: fn(&[f64]) -> f64| of_starts(starts.iter().map(|ends| of(ends)).collect());
        Ends {
            first_s: each(|ends| ends.first().copied().unwrap_or(0.0)),
            median_s: each(|ends| match ends.len() {
                0 => 0.0,
                count => (ends[(count - 1) / 2] + ends[count / 2]) / 2.0,
            }),
            last_s: each(|ends| ends.last().copied().unwrap_or(0.0)),
            sd_s: each(|ends| {
                let middle = mean(ends);
                mean(&ends.iter().map(|end| (end - middle) * (end - middle)).collect::<Vec<_>>()).sqrt()
            }),
        }
    }
}

/// The sessions of one instance that ended; none where all were killed.
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
    /// When they ended.
    pub ends: Ends,
    /// CPU time of a session \[s\].
    pub cpu_s: Estimate,
    /// Logical reads of a session.
    pub reads: Estimate,
}

impl Assessment {
    /// When all sessions that end ended; nothing of a steady run.
    pub(crate) fn ends_of_all(&self, all: &[Replication]) -> Option<Ends> {
        self.ends.then(|| Ends::of(all, None))
    }

    /// One row an instance whose sessions end; none of a steady run.
    pub(crate) fn ended(&self, config: &Config, all: &[Replication]) -> Vec<EndedRow> {
        let row = |instance: usize| {
            let workload = &config.instances[instance].workload;
            let (Some(ends), &Arrivals::Closed { sessions: sessions @ 1.., .. }) = (workload.ends, &workload.arrivals)
            else {
                return None;
            };
            let group = config.group(KindId::SESSION, instance);
            let ended: Vec<Vec<f64>> = all.iter().map(|r| elapsed_s(r, instance)).collect();
            let each = |of: &dyn Fn(&Group) -> f64| {
                let per = |(a, ended): (&Accounts, &Vec<f64>)| of(&a.groups[group]) / ended.len().max(1) as f64;
                of_starts(self.accounts.iter().zip(&ended).map(per).collect())
            };
            // Who was killed has not ended.
            ended.iter().any(|ended| !ended.is_empty()).then(|| EndedRow {
                instance: instance as u32 + 1,
                sessions,
                executions: ends.executions,
                elapsed_s: of_starts(ended.iter().map(|ended| mean(ended)).collect()),
                ends: Ends::of(all, Some(instance)),
                cpu_s: each(&|g| g.cpu_time() / 1e9),
                reads: each(&Group::logical_reads),
            })
        };
        (0..if self.ends { config.instances.len() } else { 0 }).filter_map(row).collect()
    }
}
