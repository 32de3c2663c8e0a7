//! What to do with an event budget that does not last: how many starts it is spent on, and what counts when it is gone.
use super::warm_up::least_warm_up;
use super::{Experiment, Figures, TURNS};
use crate::experiment::replication::Replication;
use crate::fault::RunFault;
use wwi_kernel::time::Ns;

/// Turns of all replications before the foreseen end of the budget from which on sums are kept at every stop. Free: two
/// are needed, and events come unevenly.
const FORESIGHT: f64 = 4.0;
/// So many times as long as the shortest warm-up a start has to be looked at, or it says nothing worth its events.
const WORTH: f64 = 1.5;

impl Experiment {
    /// The budget may be spent before all have come two stops further, as far as can be told from what was spent so
    /// far.
    pub(super) fn is_scarce(&self) -> bool {
        let done: usize = self.replications.iter().map(|r| r.rows.len()).sum();
        let turn = self.edges * self.wanted / TURNS;
        let foreseen = self.spent as f64 * turn as f64 / done.max(1) as f64;
        done < turn || self.spent as f64 + FORESIGHT * foreseen > self.goal.max_events as f64
    }

    /// Events until a start, the `number`th, is worth them, as far as can be told from what it has taken, or others
    /// have. That processes come is one event each, and happens once.
    fn cost(&self, number: usize, need: usize) -> f64 {
        let once = |r: &Replication| (r.world.tasks.len() as u64).min(r.world.accounts.events);
        let taken = |r: &Replication| ((r.world.accounts.events - once(r)) as f64, r.rows.len());
        let mine = self.replications.get(number).filter(|r| !r.rows.is_empty());
        let (events, edges) = match mine {
            Some(mine) => taken(mine),
            None => self.replications.iter().map(taken).fold((0.0, 0), |s, one| (s.0 + one.0, s.1 + one.1)),
        };
        let (done, coming) = mine.map_or((0, self.replications[0].world.tasks.len()), |mine| (mine.rows.len(), 0));
        coming as f64 + events / edges.max(1) as f64 * need.saturating_sub(done) as f64
    }

    /// Gives up the last starts where the budget will not take all of them beyond the shortest warm-up: few that have
    /// something to say are worth more than many that have not. Not after the first look: then all have.
    pub(super) fn spare(&mut self) {
        if self.assessment.is_some() {
            return;
        }
        let need = (WORTH * least_warm_up(&self.config, self.bucket, self.edges) as f64).ceil() as usize;
        let mut left = self.goal.max_events as f64 - self.spent as f64;
        let lasts = (0..self.wanted).take_while(|&number| {
            left -= self.cost(number, need);
            left >= 0.0
        });
        let lasts = lasts.count().max(1);
        if lasts < self.wanted {
            self.wanted = lasts;
            self.replications.truncate(lasts);
            self.begun = self.begun.filter(|&begun| begun < lasts);
        }
    }

    /// The budget is spent: of all edges that several have come to, the one at which they have most together counts;
    /// failing that, or where they have not come beyond the shortest warm-up, what the first replication has.
    pub(super) fn truncate(&mut self) {
        self.truncated = true;
        self.done = true;
        if self.replications.iter().all(|r| r.world.now == Ns::ZERO) {
            self.fault = Some(RunFault::NothingSimulated { max_events: self.goal.max_events });
            return;
        }
        let keeps_all = self.goal.figures != Figures::ThroughputOnly;
        let reached = |edge: usize| {
            let has = |r: &&Replication| r.rows.len() >= edge && (!keeps_all || r.has(edge));
            self.replications.iter().take_while(has).count()
        };
        let best = (1..=self.edges).max_by_key(|&edge| (edge * reached(edge), edge)).unwrap_or(1);
        let count = reached(best);
        if count == 0 {
            self.replications.truncate(1);
            self.finish_short();
        } else {
            self.edges = best;
            self.replications.truncate(count);
        }
        let mut found = self.look(0);
        // Of a beginning there is no interval: all starts begin alike.
        if count > 0 && found.cut < least_warm_up(&self.config, self.bucket, self.edges) {
            self.replications.truncate(1);
            self.finish_short();
            found = self.look(0);
        }
        if self.stops_growing(&found) {
            return;
        }
        // What was asked may have been reached all the same.
        let is_whole = !self.ends && !self.replications.iter().any(|r| r.world.is_full);
        self.truncated = !(is_whole && found.suffices());
        self.assessment = Some(found);
    }

    /// Less than one part of the horizon: the first replication is cut off where it stands.
    fn finish_short(&mut self) {
        for replication in &mut self.replications {
            replication.cut_off(&self.config);
            (self.bucket, self.edges) = (Ns(replication.world.now.0.max(1)), 1);
        }
    }
}
