//! A cache run ahead: transactions one after another, without processes or time, from a clean cache on until lists and
//! dirty buffers are as they are after hours. What hot buffers are like by then is known without.
use super::{first_of, Cache, Found, Sizes};
use crate::instance::aged::{Aged, Line, CLEAN};
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;

/// Rounds through all buffers that are run ahead, and up to one more: free. After as many the share that is dirty is
/// what it is after thirty.
const ROUNDS: f64 = 3.0;

/// So many steps take a round at most, about: free. Of coarser ones more are taken of a set before the first is
/// written.
const STEPS: f64 = 8_192.0;

/// A cache of more buffers is run ahead in small, each buffer of which stands for several: so many, as free …
const SMALL: u32 = 8_192;
/// … or so many a set, where there are many of these.
const SMALL_SET: u32 = 64;

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
    fn in_steps(self, buffers: f64, steps: f64) -> Course {
        let blocks = (buffers / steps).max(1.0);
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

    /// What happens to a cache each buffer of which stands for so many. One read takes as many buffers as of the large
    /// one: what else takes and changes them goes between reads.
    fn in_small(self, each: u32) -> Course {
        let of = f64::from(each);
        Course { reads: self.reads / of, cold: self.cold / of, can: self.can / of, ..self }
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
        let (others, sets) = (self.buffers.len() as u32 - self.hot, self.sets.len() as u32);
        let each = others / SMALL.max(SMALL_SET * sets);
        self.age(Aged { all_hot: self.hot, ..Aged::default() }, draws.below(u64::from(others)) as u32);
        let (all, redo) = match each {
            0 | 1 => self.turns(course, STEPS, draws),
            _ => {
                let mut small = self.in_small(each, draws);
                let turned = small.turns(course.in_small(each), STEPS, draws);
                self.looks_like(&small);
                turned
            }
        };
        self.dates(|at| made - ((all - at) as f64 * redo).min(hot.span as f64) as u64, hot);
    }

    /// The steps that were run, and the redo of each \[bytes\]. An address is the number of a step.
    fn turns(&mut self, course: Course, steps: f64, draws: &mut Stream) -> (u64, f64) {
        let others = f64::from(self.buffers.len() as u32 - self.hot);
        let of = course.in_steps(others, steps);
        let all = of.steps(others, draws.uniform());
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
        (all, of.redo)
    }

    /// A cache without hot buffers, each buffer of which stands for so many of these, its lists beginning anywhere. Who
    /// looks for a clean one goes by as many as in the large one.
    fn in_small(&self, each: u32, draws: &mut Stream) -> Cache {
        let buffers = (self.buffers.len() as u32 - self.hot) / each;
        let large_dirty = (self.large_dirty as u32 / each).max(1);
        let sizes =
            Sizes { buffers, sets: self.sets.len() as u32, hot: 0, hot_share: 0.0, scan_share: 1.0, large_dirty };
        let mut small = Cache::new(sizes, draws.clone());
        small.scan = (self.scan / each as usize).max(1);
        small.age(Aged::default(), draws.below(u64::from(buffers)) as u32);
        small
    }

    /// What is true of a buffer of the small cache is of those for which it stands.
    fn looks_like(&mut self, small: &Cache) {
        let (sets, hot, all) = (self.sets.len() as u32, self.hot, self.buffers.len() as u32);
        let few = small.buffers.len() as u32;
        self.next = hot + (u64::from(small.next) * u64::from(all - hot) / u64::from(few)) as u32;
        for (set, of) in (0..sets).zip(&small.sets) {
            let (first, small_first) = (first_of(set, (hot, sets)), first_of(set, (0, sets)));
            let own = |first: u32, all: u32| u64::from((all - first).div_ceil(sets));
            let (many, few_own) = (own(first, all), own(small_first, few));
            let group = |one: u32| {
                let number = u64::from((one - small_first) / sets);
                let from = |number: u64| (number * many / few_own) as u32;
                (from(number)..from(number + 1)).map(move |place| first + place * sets)
            };
            let line: VecDeque<u32> = of.list.in_order(small_first, (sets, few)).flat_map(group).collect();
            self.sets[set as usize].list = Line::from(line);
            let is_valid = |&(at, one): &(u64, u32)| at != CLEAN && small.first(one) == at;
            for &(at, one) in of.dirty.iter().filter(|entry| is_valid(entry)) {
                for buffer in group(one) {
                    self.change(buffer, at, at);
                    self.listed.set(buffer as usize, small.listed.has(one as usize));
                }
            }
            let listed = of.to_write.iter().filter(|entry| is_valid(entry));
            let to_write: VecDeque<_> = listed.flat_map(|&(at, one)| group(one).map(move |each| (at, each))).collect();
            (self.sets[set as usize].listed, self.sets[set as usize].to_write) = (to_write.len(), to_write);
        }
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

#[cfg(test)]
#[path = "cache_ahead_tests.rs"]
mod tests;
