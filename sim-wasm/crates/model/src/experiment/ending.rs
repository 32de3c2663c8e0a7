//! Runs that end: starts whose sessions have so much to do and no more. There is no warm-up and no horizon; each start
//! runs to its end, one after another, and counts as a whole. Elapsed time is what is to be precise, over starts.
use crate::config::Config;
use crate::experiment::estimate::{batched, of_ratio};
use crate::experiment::evaluate::{relative, Assessment};
use crate::experiment::plan::guess_of_runs;
use crate::experiment::replication::{Mark, Replication};
use crate::experiment::{Experiment, Wish, BUCKETS, MARGIN, MOST_REPLICATIONS, REPLICATIONS};
use crate::fault::RunFault;
use crate::measure::accounts::Accounts;
use crate::measure::rows::Column;
use crate::report::Estimate;
use wwi_kernel::time::Ns;

/// How long a start may last \[ns\], three years: beyond, its sessions wait for nothing.
const LONGEST: u64 = 100_000_000_000_000_000;

/// The first starts are enough where their interval is so small a part of what was asked: three that differ much come
/// so close to one another once in 100,000 times.
const ALIKE: f64 = 0.01;

/// How many times as many starts a look may ask for at once.
const MOST_AT_ONCE: f64 = 4.0;

/// The length of the first buckets of a start: [`BUCKETS`] of them last about as long as the run.
pub(super) fn first_bucket(config: &Config) -> Ns {
    Ns((guess_of_runs(config) / BUCKETS as f64).clamp(1.0, 1e15) as u64)
}

/// Elapsed times of the sessions of an instance that end, in one start \[s\].
pub(crate) fn elapsed_s(replication: &Replication, instance: usize) -> Vec<f64> {
    let own = replication.world.runs.sessions.iter().filter(|session| session.instance == instance);
    own.filter_map(|session| Some((session.ends? - session.begins).as_s())).collect()
}

/// Mean elapsed time of the sessions that ended \[s\], of one instance or of all; who was killed has not.
pub(crate) fn mean_elapsed(all: &[Replication], instance: Option<usize>) -> Estimate {
    let of = |r: &Replication| {
        let ended: Vec<f64> = match instance {
            Some(instance) => elapsed_s(r, instance),
            None => (0..r.world.instances.len()).flat_map(|i| elapsed_s(r, i)).collect(),
        };
        (ended.iter().sum::<f64>(), ended.len() as f64)
    };
    of_ratio(&all.iter().map(of).collect::<Vec<_>>())
}

impl Experiment {
    /// The first start that has not ended.
    pub(super) fn unended(&self) -> Option<usize> {
        self.replications.iter().position(|replication| !replication.world.runs.are_over())
    }

    /// Takes a start to the end of a bucket or of its run, or as far as the events last; returns the events used. Where
    /// there are twice as many buckets as at first, they are merged by pairs.
    pub(super) fn step_to_end(&mut self, index: usize, left: u64) -> u64 {
        let budget = left.min(self.goal.max_events.saturating_sub(self.spent));
        let replication = &mut self.replications[index];
        if replication.rows.len() >= 2 * BUCKETS {
            replication.merge_pairs();
            replication.bucket = Ns(2 * replication.bucket.0);
        }
        let edge = replication.bucket.0.saturating_mul(replication.rows.len() as u64 + 1);
        let before = replication.world.accounts.events;
        let reached = replication.world.run(Ns(edge), budget);
        let used = replication.world.accounts.events - before;
        self.spent += used;
        if replication.world.is_stalled {
            self.fault = Some(RunFault::TimeStandsStill { at: replication.world.now });
            self.done = true;
        } else if reached {
            replication.world.cut();
            replication.rows.push(&replication.world.accounts);
            if replication.world.runs.are_over() {
                replication.keep(replication.rows.len(), Mark::Part);
                replication.world.accounts.release();
            } else if edge > LONGEST {
                self.spend();
            }
        } else if replication.world.is_full || self.spent >= self.goal.max_events {
            self.spend();
        }
        used
    }

    /// The budget is spent: the starts that have ended count.
    fn spend(&mut self) {
        (self.truncated, self.done) = (true, true);
        match self.unended().unwrap_or(self.replications.len()) {
            0 => self.fault = Some(RunFault::NothingEnded { max_events: self.goal.max_events }),
            ended => {
                self.replications.truncate(ended);
                self.assessment = Some(self.look_at_ends());
            }
        }
    }

    /// Looks at all starts, which have ended, and says how many it wants.
    pub(super) fn judge_ends(&mut self) -> Wish {
        let found = self.look_at_ends();
        let need = found.need.unwrap_or(MOST_AT_ONCE);
        // Where nobody has ended by then, all are killed.
        let none_ends = self.wanted >= REPLICATIONS && found.elapsed_s.reps.is_empty();
        self.assessment = Some(found);
        if self.goal.coarse || need <= ALIKE || none_ends || self.wanted >= MOST_REPLICATIONS {
            return Wish::NOTHING;
        }
        if self.wanted < REPLICATIONS {
            return Wish { starts: REPLICATIONS.next_multiple_of(self.wanted), ..Wish::NOTHING };
        }
        if need <= 1.0 {
            return Wish::NOTHING;
        }
        let times = (MARGIN * need * need).ceil().clamp(2.0, MOST_AT_ONCE) as usize;
        Wish { starts: times * self.wanted, ..Wish::NOTHING }
    }

    fn look_at_ends(&self) -> Assessment {
        let (config, all) = (&self.config, &self.replications[..]);
        let mut found = Assessment { starts: all.len(), ends: true, settled: true, ..Assessment::default() };
        (found.edges, found.bucket, found.batches) = (all[0].rows.len(), all[0].bucket, all.len() as u32);
        let sums = |r: &Replication| r.between(0, r.rows.len());
        all.iter().for_each(|r| found.gather(sums(r)));
        found.simulated_s = found.accounts.iter().map(Accounts::span_s).sum();
        found.lio_per_s = found.of_rows(all, (Column::Lio, None), 1e9);
        found.transactions_per_s = found.of_rows(all, (Column::Throughput, None), 1e9);
        found.response_ms = found.of_rows(all, (Column::Response, Some(Column::Transactions)), 1e-6);
        found.elapsed_s = mean_elapsed(all, None);
        found.reached = relative(&found.elapsed_s);
        found.judge_figure(config, &self.goal, all);
        found
    }
}

impl Assessment {
    /// A column over another, or over time \[ns\], of whole starts.
    pub(super) fn of_rows(&self, all: &[Replication], over: (Column, Option<Column>), scale: f64) -> Estimate {
        let of = |r: &Replication| {
            let sum = |column| r.rows.between(column, 0, r.rows.len());
            vec![(sum(over.0) * scale, over.1.map_or(r.world.now.0 as f64, sum))]
        };
        let starts: Vec<Vec<_>> = all[..self.starts].iter().map(of).collect();
        batched(&starts).map(|found| found.estimate).unwrap_or_default()
    }
}
