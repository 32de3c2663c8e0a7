//! A cache run ahead: transactions one after another, without processes or time, from a clean cache on until lists and
//! dirty buffers are as they are after hours. What hot buffers are like by then is known without.
use super::{Cache, Found};
use crate::instance::aged::Aged;
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;

/// Rounds through all buffers that are run ahead, and up to one more: free. After as many the share that is dirty is
/// what it is after thirty.
const ROUNDS: f64 = 3.0;

/// So many steps take a round at most, about: free.
const STEPS: f64 = 2_048.0;

/// What the transactions do that are run ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Course {
    /// Blocks that each reads …
    pub reads: f64,
    /// … so many at once.
    pub at_once: u32,
    /// Changes of buffers that are not hot in each, more than none.
    pub cold: f64,
    /// Redo of each \[bytes\].
    pub redo: f64,
    /// A buffer is written so many transactions after its first change, unless one who takes buffers found it before.
    pub lag: f64,
    /// Blocks that the writers can write in each.
    pub can: f64,
}

impl Course {
    /// In steps of several transactions, where one changes and reads less than a block, or little of a large cache.
    fn in_steps(self, buffers: f64) -> Course {
        let blocks = (buffers / STEPS).max(1.0);
        let each = (blocks / self.cold.max(self.reads)).max(1.0);
        Course {
            reads: self.reads * each,
            cold: self.cold * each,
            redo: self.redo * each,
            lag: self.lag / each,
            can: self.can * each,
            ..self
        }
    }

    /// Steps until the cache is as full as it gets, and then rounds of whoever goes round sooner: changes or reads.
    /// `more` of the last round, so that no two starts are at the same place.
    fn steps(&self, buffers: f64, more: f64) -> u64 {
        let round = buffers / self.cold.max(self.reads);
        (self.lag.min(round) + (ROUNDS + more) * round) as u64
    }
}

/// A number whose mean over many transactions is this.
fn whole(mean: f64, draws: &mut Stream) -> u32 {
    (mean + draws.uniform()) as u32
}

impl Cache {
    /// Runs transactions one after another, and then dates what is dirty: the last of them ended at `made`. `hot` are
    /// the hot buffers that are dirty by then.
    pub fn runs_ahead(&mut self, course: Course, made: u64, hot: &Aged, draws: &mut Stream) {
        let others = self.buffers.len() as u32 - self.hot;
        let of = course.in_steps(f64::from(others));
        self.age(Aged { all_hot: self.hot, ..Aged::default() }, draws.below(u64::from(others)) as u32);
        let all = of.steps(f64::from(others), draws.uniform());
        let (mut set, mut left) = (0, 0.0);
        for now in 0..all {
            for _ in 0..whole(of.reads / f64::from(of.at_once), draws) {
                for _ in 0..of.at_once {
                    self.takes_ahead(set);
                }
                set = (set + 1) % self.sets.len();
            }
            for _ in 0..whole(of.cold, draws) {
                let found = self.next_cold().or_else(|| {
                    set = (set + 1) % self.sets.len();
                    self.takes_ahead(set)
                });
                found.into_iter().for_each(|buffer| self.change(buffer, now, now));
            }
            left = of.can + f64::min(left, 1.0);
            self.writes_ahead(now, (now as f64 - of.lag).max(0.0) as u64, &mut left);
        }
        self.dates(|at| made - ((all - at) as f64 * of.redo).min(hot.span as f64) as u64, hot);
    }

    /// Takes a buffer of a set; while there is none the writer writes.
    fn takes_ahead(&mut self, set: usize) -> Option<u32> {
        while self.take(set) == Found::Nothing {
            let (buffer, _) = self.begin_listed(set).or_else(|| self.begin_oldest(set))?;
            self.written(buffer);
        }
        self.taken(set)
    }

    /// Writes what is due, for a checkpoint that does not come stops all transactions; with it, or once there are many,
    /// what was found by who takes buffers, set by set, as long as the writers can.
    fn writes_ahead(&mut self, now: u64, due: u64, left: &mut f64) {
        let sets = self.sets.len();
        for set in (0..sets).map(|set| (now as usize + set) % sets) {
            let mut is_posted = self.listed(set) >= self.large_dirty;
            loop {
                let is_due = self.candidate(set).is_some_and(|oldest| oldest < due);
                is_posted |= is_due;
                let chosen = match is_due {
                    true => self.begin_oldest(set),
                    false if is_posted && *left >= 1.0 => self.begin_listed(set),
                    false => None,
                };
                let Some((buffer, _)) = chosen else { break };
                self.written(buffer);
                *left -= 1.0;
            }
        }
    }

    /// Gives the first changes of dirty buffers other addresses, in the same order; some hot ones are dirty, too.
    fn dates(&mut self, to: impl Fn(u64) -> u64, hot: &Aged) {
        let sets = self.sets.len();
        let mut hot_ones = vec![Vec::new(); sets];
        for k in 0..hot.hot {
            let buffer = (hot.first + k) % hot.all_hot;
            hot_ones[buffer as usize % sets].push((hot.first_of(buffer), buffer));
        }
        for (set, mut dirty) in hot_ones.into_iter().enumerate() {
            let dated = |&(at, buffer): &(u64, u32)| (self.first(buffer) == at).then(|| (to(at), buffer));
            let of = &self.sets[set];
            let to_write: VecDeque<(u64, u32)> = of.to_write.iter().filter_map(dated).collect();
            dirty.extend(of.dirty.iter().filter_map(dated));
            dirty.sort();
            for &(at, buffer) in &dirty {
                self.buffers[buffer as usize] = [super::stored(at), at];
            }
            let of = &mut self.sets[set];
            (of.dirty, of.to_write, of.seen, of.candidate) = (dirty.into(), to_write, 0, None);
        }
        self.dirty += hot.hot;
    }
}
