//! Sessions that ended, by instance: how long they took, and what they used.
use crate::config::kinds::KindId;
use crate::config::{Arrivals, Config};
use crate::experiment::ending::{elapsed_s, mean_elapsed};
use crate::experiment::estimate::{of_ratio, of_starts};
use crate::experiment::evaluate::Assessment;
use crate::experiment::replication::Replication;
use crate::measure::accounts::Group;
use crate::report::Estimate;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::stats::mean;
use wwi_kernel::time::Ns;

/// When sessions ended, from the beginning of the run on \[s\]: of each start one value, then over starts.
#[derive(Clone, Debug, PartialEq)]
pub struct Ends {
    /// From the start of a session to its end, mean of those that ended.
    pub elapsed_s: Estimate,
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
    /// Of the sessions of one instance, or of all; a start in which none ended says nothing.
    fn of(all: &[Replication], instance: Option<usize>) -> Ends {
        let ends = |r: &Replication| -> Vec<f64> {
            let own = r.world.runs.sessions.iter().filter(|one| instance.is_none_or(|of| one.instance == of));
            let mut ends: Vec<Ns> = own.filter_map(|session| session.ends).collect();
            sort_by_rank(&mut ends, |end| end.0);
            ends.into_iter().map(Ns::as_s).collect()
        };
        let starts: Vec<Vec<f64>> = all.iter().map(ends).collect();
        let each = |of: fn(&[f64]) -> f64| {
            let pair = |ends: &Vec<f64>| if ends.is_empty() { (0.0, 0.0) } else { (of(ends), 1.0) };
            of_ratio(&starts.iter().map(pair).collect::<Vec<_>>())
        };
        Ends {
            elapsed_s: mean_elapsed(all, instance),
            first_s: each(|ends| ends[0]),
            median_s: each(|ends| (ends[(ends.len() - 1) / 2] + ends[ends.len() / 2]) / 2.0),
            last_s: each(|ends| ends[ends.len() - 1]),
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
    /// CPU time of a session \[s\], those who were killed among them.
    pub cpu_s: Estimate,
    /// Logical reads of a session, likewise.
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
            let each = |of: &dyn Fn(&Group) -> f64| {
                of_starts(self.accounts.iter().map(|a| of(&a.groups[group]) / f64::from(sessions)).collect())
            };
            // Who was killed has not ended.
            all.iter().any(|r| !elapsed_s(r, instance).is_empty()).then(|| EndedRow {
                instance: instance as u32 + 1,
                sessions,
                executions: ends.executions,
                elapsed_s: mean_elapsed(all, Some(instance)),
                ends: Ends::of(all, Some(instance)),
                cpu_s: each(&|g| g.cpu_time() / 1e9),
                reads: each(&Group::logical_reads),
            })
        };
        (0..if self.ends { config.instances.len() } else { 0 }).filter_map(row).collect()
    }
}
