//! The rows of consumer groups in a report, of instances that have several.
use crate::config::Config;
use crate::experiment::estimate::of_ratio;
use crate::experiment::evaluate::Assessment;
use crate::experiment::replication::Replication;
use crate::measure::each::OfProcess;
use crate::measure::events::{Activity, ACTIVITIES, COUNT};
use crate::report::facts::consumer_groups;
use crate::report::Estimate;
use wwi_kernel::order::{descending, sort_by_rank};

/// What the sessions of a consumer group wait for.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsumerWait {
    /// Event as the database names it.
    pub event: &'static str,
    /// How many waits ended, all replications.
    pub count: u64,
    /// How long one is \[ms\].
    pub mean_ms: Estimate,
    /// Sessions in it on average.
    pub aas: Estimate,
}

/// One consumer group.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsumerGroupRow {
    /// Instance, counted from 1.
    pub instance: u32,
    /// As the plan names it.
    pub name: String,
    /// Its sessions, those that come and go as many as there ever were at a time.
    pub sessions: u64,
    /// Transactions a second.
    pub transactions_per_s: Estimate,
    /// Response time of a transaction \[ms\].
    pub response_ms: Estimate,
    /// Sessions on a thread, on average.
    pub cpu: Estimate,
    /// Sessions in a run queue, on average.
    pub run_queue: Estimate,
    /// Waits, the one with most sessions in it first.
    pub waits: Vec<ConsumerWait>,
}

impl Assessment {
    pub(crate) fn consumer_groups(&self, config: &Config, all: &[Replication]) -> Vec<ConsumerGroupRow> {
        let row = |(instance, group, starts): (usize, usize, Vec<OfProcess>)| {
            let name = config.instances[instance].cage.as_ref().map(|cage| cage.groups[group].name.clone());
            let is_own = |told: u8| told == all[0].world.instances[instance].told[group];
            let rate = |of: &dyn Fn(&OfProcess) -> f64| self.over_time(&starts.iter().map(of).collect::<Vec<_>>());
            let mean_ms = |of: &dyn Fn(&OfProcess) -> (u64, u64)| {
                let pair = |(total_ns, count)| (total_ns as f64 / 1e6, count as f64);
                of_ratio(&starts.iter().map(|start| pair(of(start))).collect::<Vec<_>>())
            };
            let wait = |event: usize| ConsumerWait {
                event: ACTIVITIES[event].event,
                count: starts.iter().map(|start| start.stays[event]).sum(),
                mean_ms: mean_ms(&|start| (start.stayed[event], start.stays[event])),
                aas: rate(&|start| start.time[event] as f64),
            };
            let is_seen =
                |&event: &usize| ACTIVITIES[event].is_wait && starts.iter().any(|start| start.time[event] > 0);
            let mut waits: Vec<ConsumerWait> = (0..COUNT).filter(is_seen).map(wait).collect();
            sort_by_rank(&mut waits, |wait| descending(wait.aas.mean));
            ConsumerGroupRow {
                instance: instance as u32 + 1,
                name: name.unwrap_or_default(),
                sessions: all[0].world.processes.iter().filter(|process| is_own(process.told)).count() as u64,
                transactions_per_s: self.counted_whole(rate(&|start| start.transactions as f64 * 1e9)),
                response_ms: mean_ms(&|start| (start.response, start.transactions)),
                cpu: rate(&|start| start.time[Activity::RUNNING.i()] as f64),
                run_queue: rate(&|start| start.time[Activity::RUN_QUEUE.i()] as f64),
                waits,
            }
        };
        consumer_groups(self, all).map(row).collect()
    }
}
