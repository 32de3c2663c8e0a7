//! From a configuration to an answer with its uncertainty: independent replications, warm-up, looks, stopping. Two
//! shapes: steady runs, of which this file speaks, and runs that end ([`crate::experiment::ending`]).
//!
//! Phases of slots and ticks never move within one run, so an interval comes from at least eight starts. Every
//! replication is cut into buckets; cumulative rows of the watched sums are kept at bucket edges, all sums at some of
//! them, and of distributions what came in between. A longer run merges buckets, so memory does not grow with simulated
//! time.
//!
//! Each look at the intervals is a chance to stop on one that is narrow by luck. So looks are few: the first horizon
//! follows from utilisation and precision ([`crate::experiment::plan`]), each later one from how much the last was
//! short of.
pub mod ending;
pub mod estimate;
pub mod evaluate;
mod goal;
mod lasting;
pub(crate) mod looks;
#[cfg(test)]
mod memory_tests;
mod paces;
pub mod pair;
pub mod plan;
mod progress;
mod queue;
pub mod replication;
mod scarce;
mod seen_whole;
mod warm_up;
pub mod yardstick;

use crate::config::Config;
use crate::experiment::evaluate::Assessment;
pub use crate::experiment::goal::{Figure, FigureKind, Figures, Goal};
use crate::experiment::plan::{first_plan, Plan};
pub use crate::experiment::progress::Progress;
use crate::experiment::replication::{Mark, Replication};
use crate::fault::RunFault;
use crate::report::facts::{visit, visit_each, visit_meeting, Sink};
use crate::report::Report;
use wwi_kernel::time::Ns;

/// Buckets of the first horizon; later ones have up to twice as many.
pub const BUCKETS: usize = 128;
/// Independent starts at least. Not more, if the spread within runs says as much: figures of queues scatter unevenly,
/// and few long starts with the wider t of few hold the truth more often than many short ones.
pub const REPLICATIONS: usize = 8;
/// Independent starts at most.
const MOST_REPLICATIONS: usize = 64;
/// Starts of a coarse answer.
pub const COARSE_REPLICATIONS: usize = 3;
/// Where all sums are kept, in sixteenths of the horizon: warm-up can end there.
const COPIES: [usize; 7] = [1, 2, 3, 4, 6, 8, 16];
/// Parts in which replications advance by turns, so that a spent budget leaves all of them nearly as far.
const TURNS: usize = 16;
/// Memory that distributions of replications whose turn it is not may take unpacked, all together \[bytes\]. Free: few
/// configurations have so many that it acts.
const MOST_OPEN: usize = 8 << 20;
/// A run that is short of its precision goes on at least this much longer, and at most so many times as long until the
/// next look: the half-width of few batches says little, and what comes by turns, as stalls do, is soon known better.
const GROWTH: (f64, f64) = (1.4, 2.0);
/// By how much more than seems needed.
const MARGIN: f64 = 1.2;
/// By how much the events of further starts are taken to be more than those of the ones before: they differ. Free.
const UNEVEN: f64 = 1.05;
/// How many times too wide an interval is taken to be that is not known.
const UNKNOWN: f64 = 2.0;

/// How many times as long a run has to be of which so many edges are looked at, and nothing before the cut. Warm-up
/// takes no longer for it.
fn growth((edges, cut): (usize, usize), need: f64) -> f64 {
    let looked_at = edges.saturating_sub(cut) as f64 / edges.max(1) as f64;
    (1.0 + looked_at * (MARGIN * need * need - 1.0)).clamp(GROWTH.0, GROWTH.1)
}

/// The last edge at or before this one at which replications take turns: close together at first, then as [`TURNS`]
/// says.
fn last_stop(edge: usize, edges: usize) -> usize {
    let Some(octave) = edge.checked_ilog2() else { return 0 };
    let begin = 1 << octave;
    let step = (begin / 2).clamp(1, (edges / TURNS).max(1));
    begin + (edge - begin) / step * step
}

/// What an experiment wants after a look: so many starts, if it has fewer, each so many times as long. None and once:
/// it is precise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wish {
    starts: usize,
    longer: f64,
}

impl Wish {
    pub(crate) const NOTHING: Wish = Wish { starts: 0, longer: 1.0 };

    /// What satisfies both.
    pub(crate) fn or(self, other: Wish) -> Wish {
        Wish { starts: self.starts.max(other.starts), longer: self.longer.max(other.longer) }
    }
}

/// A running experiment.
#[derive(Debug)]
pub struct Experiment {
    config: Config,
    goal: Goal,
    replications: Vec<Replication>,
    wanted: usize,
    bucket: Ns,
    edges: usize,
    /// The first horizon.
    planned: Ns,
    spent: u64,
    assessment: Option<Assessment>,
    /// What was missing of transactions under way when it was looked at with an earlier end.
    missed: f64,
    truncated: bool,
    fault: Option<RunFault>,
    done: bool,
    keeps_ledger: bool,
    /// Each start runs to its end; there is no horizon.
    ends: bool,
    /// Transactions in a nanosecond, by instance, where writers have to be as far behind as after hours.
    paces: Vec<crate::world::databases::Pace>,
    /// Who has begun its turn and not ended it.
    begun: Option<usize>,
}

impl Experiment {
    /// Sets up; nothing runs before [`Experiment::advance`].
    pub fn new(config: &Config, goal: Goal) -> Self {
        Experiment::planned(config, goal, first_plan(config, &goal))
    }

    /// For points of curves and for whoever wants figures alone: no loss ledger is kept, and the report has no rows of
    /// it.
    pub fn without_ledger(mut self) -> Self {
        self.keeps_ledger = false;
        self
    }

    pub(crate) fn planned(config: &Config, goal: Goal, Plan { starts, horizon }: Plan) -> Self {
        Experiment {
            config: config.clone(),
            goal,
            replications: Vec::new(),
            wanted: starts,
            bucket: Ns((horizon.0 / BUCKETS as u64).max(1)),
            planned: horizon,
            edges: BUCKETS,
            spent: 0,
            assessment: None,
            missed: 1.0,
            truncated: false,
            fault: None,
            done: false,
            keeps_ledger: goal.figures != Figures::ThroughputOnly,
            ends: config.ends(),
            paces: Vec::new(),
            begun: None,
        }
    }

    /// Goes on for about this many events.
    pub fn advance(&mut self, max_events: u64) -> Progress {
        let mut left = max_events;
        while left > 0 && !self.done {
            if !self.work(&mut left) {
                let wish = self.judge(0);
                self.follow(self.affords(wish));
            }
        }
        self.progress()
    }

    /// Takes the replication that is behind the others further; false where all are at the horizon.
    pub(crate) fn work(&mut self, left: &mut u64) -> bool {
        if self.replications.len() < self.wanted {
            let number = self.replications.len() as u32;
            let paces = self.find_paces(number, left);
            let mut replication = Replication::new(&self.config, number, self.goal.record, &paces);
            if !self.keeps_ledger {
                replication.world.keep_no_ledger();
            }
            self.replications.push(replication);
            return true;
        }
        let Some(index) = self.behind() else { return false };
        *left = left.saturating_sub(self.step(index, *left).max(1));
        true
    }

    /// The replication whose turn it is; none where all are at the horizon.
    fn behind(&self) -> Option<usize> {
        if self.ends {
            return self.unended();
        }
        // One that has begun its turn ends it first.
        if self.begun.is_some() {
            return self.begun;
        }
        let behind = |r: &Replication| {
            let stop = last_stop(r.rows.len(), self.edges);
            (stop, stop == r.rows.len())
        };
        let first = (0..self.replications.len()).filter(|&i| self.replications[i].rows.len() < self.edges);
        first.min_by_key(|&i| (behind(&self.replications[i]), i))
    }

    /// Memory that sums take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let looked_at = self.assessment.as_ref().map_or(0, Assessment::heap_bytes);
        looked_at + self.replications.iter().map(Replication::heap_bytes).sum::<usize>()
    }

    /// Takes one replication to its next bucket edge, or as far as the events last; returns the events used.
    fn step(&mut self, index: usize, left: u64) -> u64 {
        if self.ends {
            return self.step_to_end(index, left);
        }
        let keeps_all = self.goal.figures != Figures::ThroughputOnly;
        let edges = self.edges;
        let is_scarce = self.is_scarce();
        let next = self.replications[index].rows.len() + 1;
        // One that starts later keeps sums where the first has them, so that all can be cut at one edge.
        let is_kept = COPIES.iter().any(|c| c * edges == next * TURNS) || self.replications[0].is_part(next);
        let replication = &mut self.replications[index];
        let edge = Ns(self.bucket.0.saturating_mul(next as u64));
        let budget = left.min(self.goal.max_events.saturating_sub(self.spent));
        let before = replication.world.accounts.events;
        let reached = replication.world.run(edge, budget);
        let used = replication.world.accounts.events - before;
        self.spent += used;
        if replication.world.is_stalled {
            self.fault = Some(RunFault::TimeStandsStill { at: replication.world.now });
            self.done = true;
        } else if replication.world.is_full {
            self.truncate();
        } else if reached {
            replication.world.cut();
            replication.world.look_for_lost();
            replication.rows.push(&replication.world.accounts);
            let is_stop = last_stop(next, edges) == next;
            self.begun = (!is_stop && next < edges).then_some(index);
            match (is_kept, keeps_all) {
                (true, true) => replication.keep(next, Mark::Part),
                (true, false) => replication.mark(next),
                (false, true) if is_scarce && is_stop => replication.keep(next, Mark::Latest),
                _ => {}
            }
            if is_stop {
                replication.put_away(next, MOST_OPEN / self.wanted);
                self.spare();
            }
        } else if self.spent >= self.goal.max_events {
            self.truncate();
        }
        used
    }

    /// The edge before which all was cut off as warm-up, at the last look.
    pub(crate) fn cut(&self) -> usize {
        self.assessment.as_ref().map_or(0, |found| found.cut)
    }

    /// Looks at what there is, with nothing of before that edge, and says what it wants.
    pub(crate) fn judge(&mut self, not_before: usize) -> Wish {
        if self.ends {
            return self.judge_ends();
        }
        if not_before == 0 {
            self.missed = self.assessment.as_ref().map_or(1.0, |before| before.unended);
        }
        let found = self.look(not_before);
        if self.stops_growing(&found) {
            return Wish::NOTHING;
        }
        let misses = self.misses(&found);
        let is_short = misses || found.is_short();
        let more = growth((found.edges, found.cut), found.need.unwrap_or(UNKNOWN));
        let wish = if self.goal.coarse || !misses && found.suffices() {
            Wish::NOTHING
        } else if is_short {
            Wish { longer: more.max(2.0), ..Wish::NOTHING }
        } else if found.starts_dominate && self.wanted < MOST_REPLICATIONS {
            Wish { starts: 2 * self.wanted, ..Wish::NOTHING }
        } else {
            Wish { longer: more, ..Wish::NOTHING }
        };
        self.assessment = Some(found);
        wish
    }

    /// Of what is wished what the budget lasts for: starts that it ends on their way leave nothing. Where it lasts for
    /// none, those that there are go on.
    pub(crate) fn affords(&self, wish: Wish) -> Wish {
        if self.ends || wish.starts <= self.wanted {
            return wish;
        }
        let left = self.goal.max_events.saturating_sub(self.spent) as f64;
        let more = (left * self.wanted as f64 / (UNEVEN * self.spent.max(1) as f64)) as usize;
        match more {
            0 => Wish { starts: 0, longer: wish.longer.max(GROWTH.0) },
            _ => Wish { starts: wish.starts.min(self.wanted + more), ..wish },
        }
    }

    /// Does what is wished.
    pub(crate) fn follow(&mut self, wish: Wish) {
        if wish == Wish::NOTHING {
            self.done = true;
            return;
        }
        self.wanted = self.wanted.max(wish.starts).min(MOST_REPLICATIONS);
        if wish.longer > 1.0 && !self.ends {
            self.longer(wish.longer);
        }
    }

    /// Lengthens the horizon; buckets are merged by pairs until there are less than twice [`BUCKETS`].
    fn longer(&mut self, times: f64) {
        let mut wanted = (self.edges as f64 * times).ceil() as usize;
        while wanted >= 2 * BUCKETS {
            self.replications.iter_mut().for_each(Replication::merge_pairs);
            self.bucket = Ns(self.bucket.0 * 2);
            self.assessment.iter_mut().for_each(Assessment::merged);
            wanted = wanted.div_ceil(2);
        }
        // Multiples of the parts: sums are kept at them, and halves of them are whole.
        self.edges = wanted.next_multiple_of(2 * TURNS);
        self.begun = None;
        let parts = |edge: usize| COPIES.iter().any(|c| c * self.edges == edge * TURNS);
        for replication in &mut self.replications {
            let last = replication.rows.len();
            replication.forget(|edge| parts(edge) || edge == last || edge * 8 >= last);
        }
    }

    /// Ends it where it stands.
    pub(crate) fn give_up(&mut self) {
        self.done = true;
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done
    }

    /// The present answer in short.
    pub fn progress(&self) -> Progress {
        let Some(found) = &self.assessment else {
            return Progress { events: self.spent, done: self.done, ..Progress::default() };
        };
        Progress {
            done: self.done,
            events: self.spent,
            precision: found.reached,
            lio_per_s: found.lio_per_s.clone(),
            response_ms: found.response_ms.clone(),
            simulated_s: found.simulated_s,
            batches: found.batches,
            truncated: self.truncated,
        }
    }

    /// Why the run has no figures, once that is known.
    pub fn fault(&self) -> Option<RunFault> {
        self.fault
    }

    /// Tells all rows of the last look, if it has any.
    pub fn visit(&self, sink: &mut dyn Sink) {
        let Some(found) = self.assessment.as_ref().filter(|_| self.fault.is_none()) else { return };
        if self.goal.figures != Figures::ThroughputOnly {
            visit(found, &self.config, sink);
            visit_each(found, &self.config, &self.replications, sink);
            visit_meeting(&self.replications, sink);
        }
    }

    /// The present answer in full: that of the last look; empty before the first, and where the run has a fault.
    pub fn report(&self) -> Report {
        if self.fault.is_some() {
            return Report { events: self.spent, fault: self.fault, ..Report::default() };
        }
        let Some(found) = &self.assessment else { return Report { events: self.spent, ..Report::default() } };
        let mut report = match self.goal.figures {
            Figures::ThroughputOnly => Report {
                lio_per_s: found.lio_per_s.clone(),
                transactions_per_s: found.transactions_per_s.clone(),
                simulated_s: found.simulated_s,
                ..Report::default()
            },
            _ => found.report(&self.config, &self.replications),
        };
        report.events = self.spent;
        report.truncated = self.truncated;
        report.precision_reached = found.reached;
        report
    }
}

#[cfg(test)]
mod tests {
    use super::growth;

    /// Half of 128 buckets are looked at, and an interval is 1.5 times too wide: 1.2 · 2.25 times as many are wanted,
    /// 173 beside the 64 of warm-up.
    #[test]
    fn a_run_grows_by_what_is_looked_at_alone() {
        assert!((growth((128, 64), 1.5) * 128.0 - (64.0 + 64.0 * 1.2 * 2.25)).abs() < 1e-9);
        assert!((growth((128, 0), 1.2) - 1.2 * 1.44).abs() < 1e-9);
        assert_eq!([growth((128, 64), 1.01), growth((128, 0), 9.0)], [1.4, 2.0]);
    }
}
