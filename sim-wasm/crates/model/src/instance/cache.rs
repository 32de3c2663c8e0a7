//! The buffer cache of an instance: working sets of buffers, each with a list from which buffers are taken, a list of
//! those to be written that were found there, and a queue of dirty buffers in the order of their first change.
//!
//! Blocks have no names here: a buffer is changed, written, and filled with another block. Hot buffers are never given
//! another block.
use crate::ids::Reply;
use crate::instance::aged::{Aged, Line, Place, CLEAN};
use std::collections::VecDeque;
use wwi_kernel::bits::Bits;
use wwi_kernel::rng::Stream;

/// Buffers that are looked at for a clean one to change. Free; more than one are looked at only where most are dirty.
const LOOKS: usize = 64;

/// One buffer: address of the first change that is not on disk, as [`stored`], and end of the redo of its last change.
/// There are a hundred thousand of these and more, changed at random: each is as small as can be, and zeros as long as
/// it is as it was at the start, for memory that is never touched costs nothing.
type Buffer = [u64; 2];

/// As it is kept: no address is zero.
fn stored(first: u64) -> u64 {
    first.wrapping_add(2)
}

/// One working set.
#[derive(Clone, Debug)]
struct Set {
    /// Dirty buffers with the address of their first change, oldest first. An entry whose address is no longer that of
    /// its buffer is void.
    dirty: VecDeque<(u64, u32)>,
    /// Before these come those that are dirty from the start: the first that is …
    old: Place,
    /// … and the first that is neither being written nor void.
    unseen: Place,
    /// With none of these left: so many of `dirty` at its front are being written, or void.
    seen: usize,
    /// Its [`Cache::candidate`], as long as that is known.
    candidate: Option<Option<u64>>,
    /// Buffers to be taken, the one used longest ago first. Hot ones are not on it.
    list: Line,
    /// Dirty buffers found when one was to be taken, with the address of their first change. An entry is void once that
    /// is no longer the address of its buffer, or a write of it has begun.
    to_write: VecDeque<(u64, u32)>,
    /// Those that are not void.
    listed: usize,
    /// Who waits for a buffer to take.
    waiting: VecDeque<Reply>,
}

/// What a search for a buffer to use came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A buffer was taken. `true`: there are so many on the list of those to be written, or one for which somebody
    /// waits, that the writer is posted.
    Taken(bool),
    /// None within the part of the list that is looked through.
    Nothing,
}

/// The first buffer of a set that is not hot, of so many hot ones and sets.
fn first_of(set: u32, (hot, sets): (u32, u32)) -> u32 {
    hot + (set + sets - hot % sets) % sets
}

/// The buffer cache of one instance. Buffer `b` is in set `b mod sets`.
#[derive(Clone, Debug)]
pub struct Cache {
    buffers: Vec<Buffer>,
    /// Those of them that are dirty from the start.
    aged: Aged,
    /// Dirty ones that are not hot, and those that are kept to be changed.
    cold_dirty: Bits,
    /// Buffers that are being written.
    written: Bits,
    /// Of these the few that were changed since that began, with the address of the first such change.
    again: Vec<(u32, u64)>,
    /// Buffers on the lists of those to be written.
    listed: Bits,
    sets: Vec<Set>,
    hot: u32,
    hot_share: f64,
    /// Buffers of a list that are looked at for one to take.
    scan: usize,
    /// Buffers that are looked at for a clean one to change.
    looks: usize,
    large_dirty: usize,
    /// Which hot buffers are changed.
    changes: Stream,
    /// The buffer that is not hot and comes next.
    next: u32,
    /// Buffers whose first change is not on disk, those being written included.
    dirty: u32,
    /// Who waits for the write of a buffer.
    for_write: Vec<(u32, Reply)>,
}

/// Sizes of a [`Cache`].
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Buffers, at least one a set and more than `hot`.
    pub buffers: u32,
    /// Working sets, one or more.
    pub sets: u32,
    /// Hot buffers.
    pub hot: u32,
    /// Share of the changes that falls on them.
    pub hot_share: f64,
    /// Share of a list that is looked through.
    pub scan_share: f64,
    /// Buffers on a list of those to be written from which on the writer is posted.
    pub large_dirty: u32,
}

impl Cache {
    /// Clean. `changes` draws which buffers are changed.
    pub fn new(sizes: Sizes, changes: Stream) -> Cache {
        let numbers = (sizes.sets, sizes.buffers);
        let set = |set: u32| Set {
            dirty: VecDeque::new(),
            old: Place::default(),
            unseen: Place::default(),
            seen: 0,
            candidate: None,
            list: Line::new(first_of(set, (sizes.hot, sizes.sets)), numbers, 0),
            to_write: VecDeque::new(),
            listed: 0,
            waiting: VecDeque::new(),
        };
        let sets = (0..sizes.sets).map(set).collect();
        let each = f64::from(sizes.buffers - sizes.hot) / f64::from(sizes.sets);
        Cache {
            buffers: vec![[0; 2]; sizes.buffers as usize],
            aged: Aged { all_hot: sizes.hot, ..Aged::default() },
            cold_dirty: Bits::new(sizes.buffers as usize),
            written: Bits::new(sizes.buffers as usize),
            again: Vec::new(),
            listed: Bits::new(sizes.buffers as usize),
            sets,
            hot: sizes.hot,
            hot_share: if sizes.hot == 0 { 0.0 } else { sizes.hot_share },
            scan: (each * sizes.scan_share).max(1.0) as usize,
            looks: LOOKS,
            large_dirty: sizes.large_dirty as usize,
            changes,
            next: sizes.hot,
            dirty: 0,
            for_write: Vec::new(),
        }
    }

    /// These are dirty before anything happens; the list from which buffers are taken begins `turned` buffers after the
    /// first that is not hot.
    pub fn age(&mut self, aged: Aged, turned: u32) {
        let sets = self.sets.len() as u32;
        for (number, set) in (0..).zip(&mut self.sets) {
            set.old = Place::new(&aged, (number, sets));
            set.unseen = set.old;
            let first = first_of(number, (self.hot, sets));
            set.list = Line::new(first, (sets, self.buffers.len() as u32), turned / sets);
        }
        self.dirty = aged.count();
        let next = self.hot + aged.cold;
        self.cold_dirty.fill(self.hot as usize..next as usize);
        self.next = if next as usize == self.buffers.len() { self.hot } else { next };
        self.aged = aged;
    }

    /// Address of the first change of a buffer that is not on disk, or [`CLEAN`].
    #[inline]
    fn first(&self, buffer: u32) -> u64 {
        match self.buffers[buffer as usize][0] {
            0 => self.aged.first_of(buffer),
            kept => kept.wrapping_sub(2),
        }
    }

    fn set_of(&self, buffer: u32) -> usize {
        buffer as usize % self.sets.len()
    }

    /// Number of sets.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Dirty buffers, with those being written.
    pub fn dirty(&self) -> u32 {
        self.dirty
    }

    /// Which buffer the next change falls on: a hot one, each as likely; or the next clean one of the others, in turn,
    /// as where tables far larger than the cache are changed evenly. None of the next few is clean: one has to be
    /// taken.
    pub fn draw(&mut self) -> Option<u32> {
        let is_hot = self.changes.uniform() < self.hot_share;
        is_hot.then(|| self.changes.below(u64::from(self.hot)) as u32).or_else(|| self.next_cold())
    }

    /// The same, without having to wait: where none of the next few is clean it is any.
    pub fn draw_any(&mut self) -> u32 {
        self.draw().unwrap_or(self.next)
    }

    /// The next clean buffer that is not hot.
    pub fn next_cold(&mut self) -> Option<u32> {
        let (first, from, end) = (self.hot as usize, self.next as usize, self.buffers.len());
        let last = from + self.looks;
        let (up_to, again) = (end.min(last), last.saturating_sub(end));
        // Round once at most: who finds none clean finds none the second time.
        let found = self
            .cold_dirty
            .first_gap(from..up_to)
            .or_else(|| self.cold_dirty.first_gap(first..from.min(first + again)));
        let after = found.map_or(last, |found| found + 1) - first;
        self.next = (first + after % (end - first)) as u32;
        found.map(|found| found as u32)
    }

    /// The first change of a buffer that no write which is done has taken.
    #[cfg(test)]
    pub fn first_change(&self, buffer: u32) -> Option<u64> {
        Some(self.first(buffer)).filter(|&first| first != CLEAN)
    }

    /// Whether a buffer is being written.
    pub fn is_written(&self, buffer: u32) -> bool {
        self.written.has(buffer as usize)
    }

    /// Where among those that were changed again one is found.
    fn changed_again(&self, buffer: u32) -> Option<usize> {
        self.again.iter().position(|changed| changed.0 == buffer)
    }

    /// A buffer is changed by redo from `at` to `end`. Changes come in the order of their redo.
    pub fn change(&mut self, buffer: u32, at: u64, end: u64) {
        let first = self.first(buffer);
        self.buffers[buffer as usize] = [stored(first.min(at)), end];
        if first == CLEAN {
            self.dirty += 1;
            if buffer >= self.hot {
                self.cold_dirty.set(buffer as usize, true);
            }
        } else if self.is_written(buffer) && self.changed_again(buffer).is_none() {
            self.again.push((buffer, at));
        } else {
            return;
        }
        let set = self.set_of(buffer);
        let of = &mut self.sets[set];
        of.dirty.push_back((at, buffer));
        // One that is there is older.
        of.candidate = of.candidate.filter(Option::is_some);
    }

    /// Address of the oldest change that is not on disk, of all sets.
    pub fn oldest(&self) -> Option<u64> {
        self.sets.iter().filter_map(Set::oldest).min()
    }

    /// Of one set.
    pub fn oldest_of(&self, set: usize) -> Option<u64> {
        self.sets[set].oldest()
    }

    /// The oldest change of a set of a buffer that is not being written: a candidate for a checkpoint.
    #[inline]
    pub fn candidate(&mut self, set: usize) -> Option<u64> {
        if let Some(known) = self.sets[set].candidate {
            return known;
        }
        let found = self.find_candidate(set);
        self.sets[set].candidate = Some(found);
        found
    }

    fn find_candidate(&mut self, set: usize) -> Option<u64> {
        let sets = self.sets.len() as u32;
        while let Some((at, buffer)) = self.sets[set].unseen.entry {
            if self.first(buffer) == at && !self.is_written(buffer) {
                return Some(at);
            }
            self.sets[set].unseen.pass(&self.aged, sets);
        }
        while let Some(&(at, buffer)) = self.sets[set].dirty.get(self.sets[set].seen) {
            if self.first(buffer) == at && !self.is_written(buffer) {
                return Some(at);
            }
            self.sets[set].seen += 1;
        }
        None
    }

    /// The write of a set's [`Cache::candidate`] begins. Returns the buffer, and up to where redo must be on disk
    /// first.
    pub fn begin_oldest(&mut self, set: usize) -> Option<(u32, u64)> {
        self.candidate(set)?;
        let (sets, of) = (self.sets.len() as u32, &mut self.sets[set]);
        of.candidate = None;
        let buffer = match of.unseen.entry {
            Some((_, buffer)) => {
                of.unseen.pass(&self.aged, sets);
                buffer
            }
            None => {
                of.seen += 1;
                of.dirty[of.seen - 1].1
            }
        };
        of.listed -= usize::from(self.listed.has(buffer as usize));
        if of.listed == 0 {
            of.to_write.clear();
        }
        Some((buffer, self.begin(buffer)))
    }

    /// The write of a buffer begins that stands longest on a set's list of those to be written.
    pub fn begin_listed(&mut self, set: usize) -> Option<(u32, u64)> {
        while let Some((at, buffer)) = self.sets[set].to_write.pop_front() {
            if self.first(buffer) == at && !self.is_written(buffer) {
                let of = &mut self.sets[set];
                (of.candidate, of.listed) = (None, of.listed - 1);
                return Some((buffer, self.begin(buffer)));
            }
        }
        None
    }

    /// Number of buffers on a set's list of those to be written.
    pub fn listed(&self, set: usize) -> usize {
        self.sets[set].listed
    }

    fn begin(&mut self, buffer: u32) -> u64 {
        self.written.set(buffer as usize, true);
        match self.buffers[buffer as usize] {
            [0, _] => self.aged.first_of(buffer),
            [_, last] => last,
        }
    }

    /// The write of a buffer is done. If it was found dirty it can be taken again, or is to be written again.
    pub fn written(&mut self, buffer: u32) {
        let first = self.changed_again(buffer).map_or(CLEAN, |found| self.again.swap_remove(found).1);
        self.buffers[buffer as usize][0] = stored(first);
        self.written.set(buffer as usize, false);
        let (set, is_listed) = (self.set_of(buffer), self.listed.has(buffer as usize));
        let Set { dirty, seen, candidate, list, to_write, listed, .. } = &mut self.sets[set];
        *candidate = None;
        if first == CLEAN {
            self.dirty -= 1;
            self.cold_dirty.set(buffer as usize, false);
            if is_listed {
                self.listed.set(buffer as usize, false);
                list.push_front(buffer);
            }
        } else {
            *seen = dirty.partition_point(|entry| entry.0 < first).min(*seen);
            if is_listed {
                to_write.push_back((first, buffer));
                *listed += 1;
            }
        }
        self.drop_void(set);
    }

    /// The oldest changes of a set that are on disk are nobody's concern any more.
    fn drop_void(&mut self, set: usize) {
        let sets = self.sets.len() as u32;
        while let Some((at, buffer)) = self.sets[set].old.entry {
            if self.first(buffer) == at {
                return;
            }
            let of = &mut self.sets[set];
            let is_unseen = of.old == of.unseen;
            of.old.pass(&self.aged, sets);
            if is_unseen {
                of.unseen = of.old;
            }
        }
        while let Some(&(at, buffer)) = self.sets[set].dirty.front() {
            if self.first(buffer) == at || self.again.contains(&(buffer, at)) {
                return;
            }
            let of = &mut self.sets[set];
            of.dirty.pop_front();
            of.seen = of.seen.saturating_sub(1);
        }
    }

    /// A clean buffer will be changed: nobody else gets it.
    pub fn keep(&mut self, buffer: u32) {
        if buffer >= self.hot {
            self.cold_dirty.set(buffer as usize, true);
        }
    }

    /// It will not be changed after all.
    pub fn release(&mut self, buffer: u32) {
        if buffer >= self.hot && self.first(buffer) == CLEAN {
            self.cold_dirty.set(buffer as usize, false);
        }
    }

    /// Takes a clean buffer of a set for another block. Dirty ones on the way go to the list of those to be written.
    pub fn take(&mut self, set: usize) -> Found {
        let numbers = (self.sets.len() as u32, self.buffers.len() as u32);
        let start = first_of(set as u32, (self.hot, numbers.0));
        for _ in 0..self.scan {
            let Some(buffer) = self.sets[set].list.pop(start, numbers) else { break };
            let first = self.first(buffer);
            let of = &mut self.sets[set];
            if first == CLEAN && self.cold_dirty.has(buffer as usize) {
                of.list.push_back(buffer);
                continue;
            }
            if first == CLEAN {
                of.list.push_back(buffer);
                let is_wanted = !of.waiting.is_empty() && of.listed > 0;
                return Found::Taken(is_wanted || of.listed >= self.large_dirty);
            }
            self.listed.set(buffer as usize, true);
            if !self.written.has(buffer as usize) {
                of.to_write.push_back((first, buffer));
                of.listed += 1;
            }
        }
        Found::Nothing
    }

    /// The last buffer that was taken of a set.
    pub fn taken(&self, set: usize) -> Option<u32> {
        self.sets[set].list.last()
    }
}

impl Set {
    fn oldest(&self) -> Option<u64> {
        self.old.entry.or_else(|| self.dirty.front().copied()).map(|entry| entry.0)
    }
}

#[path = "cache_ahead.rs"]
pub mod ahead;
#[path = "cache_waits.rs"]
mod waits;

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
