//! Who sleeps, where nothing ends: what a scheduler that remembers sleep knows of processes that have run for long.
use super::kinds::{KindId, Per};
use super::{Arrivals, Config, InstanceConfig};
use crate::config::database::DatabaseConfig;
use wwi_kernel::time::Ns;

/// How processes of a kind sleep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rested {
    /// They are never woken but from what cannot be interrupted: reads of blocks.
    pub is_deaf: bool,
    /// How long they sleep for what they work, as far as that is known; no less.
    pub share: f64,
}

impl Rested {
    const LONG: Rested = Rested { is_deaf: false, share: f64::INFINITY };

    fn of(sleep: f64, work: Ns) -> Rested {
        Rested { is_deaf: false, share: sleep / work.0.max(1) as f64 }
    }
}

/// Sleep and work of a mean transaction with its database, both classes, without thinking \[ns\].
fn of_transaction(of: &DatabaseConfig, demand: Ns) -> (f64, f64) {
    let (share, transaction) = (of.query.share, of.transaction);
    let mixed = |change: f64, query: f64| (1.0 - share) * change + share * query;
    let is_answered = transaction.commit_waits && transaction.redo > 0.0;
    let write = if is_answered { of.redo.unwrap_or(of.data).service.mean.0 as f64 } else { 0.0 };
    let reads = mixed(transaction.reads, of.query.reads) / f64::from(transaction.read_blocks.max(1));
    let sleep = transaction.client.0 as f64 + mixed(write, 0.0) + reads * of.data.service.mean.0 as f64;
    (sleep, mixed(demand.0 as f64, of.query.demand.0 as f64))
}

/// How sessions, and who works for them, sleep. Those that end have just begun.
fn sessions(of: &InstanceConfig) -> Option<Rested> {
    if of.workload.ends.is_some() {
        return None;
    }
    let Arrivals::Closed { sessions, think, .. } = of.workload.arrivals else { return Some(Rested::LONG) };
    let (database, demand) = (of.others.database.as_deref(), of.workload.demand.mean);
    let (waits, work) = database.map_or((0.0, demand.0 as f64), |of| of_transaction(of, demand));
    // Behind the first who have slots one waits for as many turns as there are others.
    let turns = of.cage.as_ref().map_or(0.0, |cage| (f64::from(sessions) / f64::from(cage.slots) - 1.0).max(0.0));
    let sleep = think.0 as f64 + waits + turns * work;
    let is_joined = of.others.parallel.is_some() || of.others.lms.is_some();
    if sleep <= 0.0 && !is_joined {
        return None;
    }
    let commits = database.is_some_and(|of| of.query.share < 1.0 || of.transaction.client > Ns::ZERO);
    let is_deaf = think == Ns::ZERO && turns <= 0.0 && !commits && !is_joined;
    Some(Rested { is_deaf, ..Rested::of(sleep, Ns(work as u64)) })
}

impl Config {
    /// How the processes of a kind that belong to this place, an instance or a host, sleep; `None`: they never do, or
    /// they begin with the run.
    pub fn rested(&self, kind: KindId, place: usize) -> Option<Rested> {
        if kind.row().is_of_the_instance() {
            return Some(Rested::LONG);
        }
        if kind.row().per == Per::Host {
            let load = self.nodes[place].load_of(kind).filter(|load| load.sleep > Ns::ZERO);
            return load.map(|load| Rested::of(load.sleep.0 as f64, load.busy));
        }
        self.instances.get(place).and_then(sessions)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CageConfig, Ending};
    use super::*;
    use crate::testing::{cage, hogs, node, oltp, one};

    fn sessions_of(instance: InstanceConfig) -> Option<Rested> {
        one(node(), instance).rested(KindId::SESSION, 0)
    }

    fn rested(is_deaf: bool, share: f64) -> Option<Rested> {
        Some(Rested { is_deaf, share })
    }

    /// Sessions of 100 ms: one that thinks for 20, and eight for six slots, of whom each waits a third of a turn for
    /// each of its own.
    #[test]
    fn sessions_sleep_where_they_think_or_wait_for_slots_and_those_that_end_have_just_begun() {
        let thinking = |think_ms| {
            let mut instance = hogs(8);
            let (think, start_spread) = (Ns::from_ms(think_ms), Ns::ZERO);
            instance.workload.arrivals = Arrivals::Closed { sessions: 8, think, start_spread };
            instance
        };
        assert_eq!([0.0, 20.0].map(|think_ms| sessions_of(thinking(think_ms))), [None, rested(false, 0.2)]);
        let caged = |slots| sessions_of(InstanceConfig { cage: Some(CageConfig { slots, ..cage(8) }), ..hogs(8) });
        assert_eq!([caged(8), caged(4)], [None, rested(false, 1.0)]);
        let mut ends = thinking(20.0);
        ends.workload.ends = Some(Ending { executions: 3, begins: Ns::ZERO, skew: Ns::ZERO });
        assert_eq!(sessions_of(ends), None);
        let mut open = hogs(0);
        open.workload.arrivals = Arrivals::Open { per_s: 10.0 };
        assert_eq!(sessions_of(open), rested(false, f64::INFINITY), "they wait for calls");
    }

    /// A commit waits for 1 ms of redo, a query for two reads of 4 ms, which nothing interrupts.
    #[test]
    fn sessions_of_a_database_sleep_for_their_commits_and_reads_and_nothing_interrupts_reads() {
        let with = |share: f64, reads: f64| {
            let mut of = crate::testing::database();
            (of.query.share, of.query.reads, of.query.demand) = (share, reads, Ns::from_ms(10.0));
            let mut instance = oltp(8, of);
            instance.workload.demand.mean = Ns::from_ms(10.0);
            sessions_of(instance)
        };
        assert_eq!([with(0.0, 0.0), with(1.0, 0.0), with(1.0, 2.0)], [rested(false, 0.1), None, rested(true, 0.8)]);
        assert_eq!(with(0.5, 2.0), rested(false, 0.45));
    }
}
