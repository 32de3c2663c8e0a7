//! The buffer cache of an instance: working sets of buffers, each with a list from which buffers are taken, a list of
//! those to be written that were found there, and a queue of dirty buffers in the order of their first change.
//!
//! Blocks have no names here: a buffer is changed, written, and filled with another block. Hot buffers are never given
//! another block.
use crate::ids::{QueueId, Reply};
use std::collections::VecDeque;
use wwi_kernel::bits::Bits;
use wwi_kernel::rng::Stream;

/// No change.
const CLEAN: u64 = u64::MAX;

/// Buffers that are looked at for a clean one to change. Free; more than one are looked at only where most are dirty.
const LOOKS: u32 = 64;

/// One buffer. There are a hundred thousand of these and more, changed at random: each is as small as can be.
#[derive(Clone, Copy, Debug)]
struct Buffer {
    /// Address of the first change that is not on disk; [`CLEAN`]: there is none.
    first: u64,
    /// End of the redo of its last change.
    last: u64,
}

/// One working set.
#[derive(Clone, Debug, Default)]
struct Set {
    /// Dirty buffers with the address of their first change, oldest first. An entry whose address is no longer that of
    /// its buffer is void.
    dirty: VecDeque<(u64, u32)>,
    /// So many of these at its front are being written, or void.
    seen: usize,
    /// Buffers to be taken, the one used longest ago first. Hot ones are not on it.
    list: VecDeque<u32>,
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

/// The buffer cache of one instance. Buffer `b` is in set `b mod sets`.
#[derive(Clone, Debug)]
pub struct Cache {
    buffers: Vec<Buffer>,
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
        let first = |set: u32| sizes.hot + (set + sizes.sets - sizes.hot % sizes.sets) % sizes.sets;
        let list = |set: u32| (first(set)..sizes.buffers).step_by(sizes.sets as usize).collect();
        let sets = (0..sizes.sets).map(|set| Set { list: list(set), ..Set::default() }).collect();
        let each = f64::from(sizes.buffers - sizes.hot) / f64::from(sizes.sets);
        Cache {
            buffers: vec![Buffer { first: CLEAN, last: 0 }; sizes.buffers as usize],
            written: Bits::new(sizes.buffers as usize),
            again: Vec::new(),
            listed: Bits::new(sizes.buffers as usize),
            sets,
            hot: sizes.hot,
            hot_share: if sizes.hot == 0 { 0.0 } else { sizes.hot_share },
            scan: (each * sizes.scan_share).max(1.0) as usize,
            large_dirty: sizes.large_dirty as usize,
            changes,
            next: sizes.hot,
            dirty: 0,
            for_write: Vec::new(),
        }
    }

    fn set_of(&self, buffer: u32) -> usize {
        buffer as usize % self.sets.len()
    }

    /// Number of sets.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Dirty buffers, those being written included.
    pub fn dirty(&self) -> u32 {
        self.dirty
    }

    /// Which buffer the next change falls on: a hot one, each as likely; or the next clean one of the others, in turn,
    /// as where tables far larger than the cache are changed evenly. Where none of the next few is clean it is any.
    pub fn draw(&mut self) -> u32 {
        if self.changes.uniform() < self.hot_share {
            return self.changes.below(u64::from(self.hot)) as u32;
        }
        self.next_cold()
    }

    /// The next clean buffer that is not hot.
    pub fn next_cold(&mut self) -> u32 {
        for _ in 0..LOOKS {
            let buffer = self.next;
            self.next = if buffer as usize + 1 == self.buffers.len() { self.hot } else { buffer + 1 };
            if self.buffers[buffer as usize].first == CLEAN {
                return buffer;
            }
        }
        self.next
    }

    /// The first change of a buffer that no write which is done has taken.
    #[cfg(test)]
    pub fn first_change(&self, buffer: u32) -> Option<u64> {
        Some(self.buffers[buffer as usize].first).filter(|&first| first != CLEAN)
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
        let it = &mut self.buffers[buffer as usize];
        it.last = end;
        if it.first == CLEAN {
            it.first = at;
            self.dirty += 1;
        } else if self.is_written(buffer) && self.changed_again(buffer).is_none() {
            self.again.push((buffer, at));
        } else {
            return;
        }
        let set = self.set_of(buffer);
        self.sets[set].dirty.push_back((at, buffer));
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
    pub fn candidate(&mut self, set: usize) -> Option<u64> {
        let Set { dirty, seen, .. } = &mut self.sets[set];
        while let Some(&(at, buffer)) = dirty.get(*seen) {
            if self.buffers[buffer as usize].first == at && !self.written.has(buffer as usize) {
                return Some(at);
            }
            *seen += 1;
        }
        None
    }

    /// The write of a set's [`Cache::candidate`] begins. Returns the buffer, and up to where redo must be on disk
    /// first.
    pub fn begin_oldest(&mut self, set: usize) -> Option<(u32, u64)> {
        self.candidate(set)?;
        let of = &mut self.sets[set];
        let (_, buffer) = of.dirty[of.seen];
        of.seen += 1;
        of.listed -= usize::from(self.listed.has(buffer as usize));
        if of.listed == 0 {
            of.to_write.clear();
        }
        Some((buffer, self.begin(buffer)))
    }

    /// The write of a buffer begins that stands longest on a set's list of those to be written.
    pub fn begin_listed(&mut self, set: usize) -> Option<(u32, u64)> {
        let of = &mut self.sets[set];
        while let Some((at, buffer)) = of.to_write.pop_front() {
            if self.buffers[buffer as usize].first == at && !self.written.has(buffer as usize) {
                of.listed -= 1;
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
        self.buffers[buffer as usize].last
    }

    /// The write of a buffer is done. If it was found dirty it can be taken again, or is to be written again.
    pub fn written(&mut self, buffer: u32) {
        let first = self.changed_again(buffer).map_or(CLEAN, |found| self.again.swap_remove(found).1);
        self.buffers[buffer as usize].first = first;
        self.written.set(buffer as usize, false);
        let (set, is_listed) = (self.set_of(buffer), self.listed.has(buffer as usize));
        let Set { dirty, seen, list, to_write, listed, .. } = &mut self.sets[set];
        if first == CLEAN {
            self.dirty -= 1;
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
        let again = &self.again;
        while dirty.front().is_some_and(|&entry| {
            let (at, buffer) = entry;
            self.buffers[buffer as usize].first != at && !again.contains(&(buffer, at))
        }) {
            dirty.pop_front();
            *seen = seen.saturating_sub(1);
        }
    }

    /// Takes a clean buffer of a set for another block. Dirty ones on the way go to the list of those to be written.
    pub fn take(&mut self, set: usize) -> Found {
        let of = &mut self.sets[set];
        for _ in 0..self.scan {
            let Some(buffer) = of.list.pop_front() else { break };
            let first = self.buffers[buffer as usize].first;
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

    /// Somebody waits for a buffer of a set.
    pub fn wait_for_free(&mut self, set: usize, reply: Reply) {
        self.sets[set].waiting.push_back(reply);
    }

    /// The one who has waited longest for a buffer of a set.
    pub fn next_waiting(&mut self, set: usize) -> Option<Reply> {
        self.sets[set].waiting.pop_front()
    }

    /// Whether somebody waits for a buffer of a set.
    pub fn is_short(&self, set: usize) -> bool {
        !self.sets[set].waiting.is_empty()
    }

    /// Somebody waits for the write of a buffer.
    pub fn wait_for_write(&mut self, buffer: u32, reply: Reply) {
        self.for_write.push((buffer, reply));
    }

    /// Everybody who waits for a buffer or a write.
    #[cfg(test)]
    pub fn all_waiting(&self) -> impl Iterator<Item = Reply> + '_ {
        self.sets.iter().flat_map(|set| &set.waiting).copied().chain(self.for_write.iter().map(|waiter| waiter.1))
    }

    /// Who waits with this queue waits no longer.
    pub fn forget(&mut self, queue: QueueId) {
        self.sets.iter_mut().for_each(|set| set.waiting.retain(|reply| reply.queue != queue));
        self.for_write.retain(|waiter| waiter.1.queue != queue);
    }

    /// Somebody who waits for the write of this buffer, which is done.
    pub fn next_for_write(&mut self, buffer: u32) -> Option<Reply> {
        let at = self.for_write.iter().position(|waiter| waiter.0 == buffer)?;
        Some(self.for_write.remove(at).1)
    }
}

impl Set {
    fn oldest(&self) -> Option<u64> {
        self.dirty.front().map(|entry| entry.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sets; buffers 0 and 1 are hot, 2, 4, 6, 8 and 3, 5, 7, 9 are taken.
    fn ten() -> Cache {
        let sizes = Sizes { buffers: 10, sets: 2, hot: 2, hot_share: 0.5, scan_share: 0.5, large_dirty: 1 };
        Cache::new(sizes, Stream::new(1, 0, "test", 0, "changes"))
    }

    #[test]
    fn a_buffer_changed_again_before_it_is_written_is_written_once_and_keeps_its_age() {
        let mut cache = ten();
        cache.change(0, 10, 15);
        cache.change(2, 20, 25);
        cache.change(0, 30, 35);
        assert_eq!((cache.dirty(), cache.oldest(), cache.candidate(0)), (2, Some(10), Some(10)));
        // The log must be on disk as far as its last change.
        assert_eq!(cache.begin_oldest(0), Some((0, 35)));
        assert_eq!((cache.oldest(), cache.candidate(0)), (Some(10), Some(20)), "not on disk before the write is done");
        cache.written(0);
        assert_eq!((cache.dirty(), cache.oldest()), (1, Some(20)));
        assert_eq!(cache.begin_oldest(0), Some((2, 25)));
        cache.written(2);
        assert_eq!((cache.dirty(), cache.oldest(), cache.begin_oldest(0)), (0, None, None));
    }

    #[test]
    fn one_changed_while_it_is_written_is_dirty_from_that_change_on() {
        let mut cache = ten();
        cache.change(0, 10, 15);
        assert_eq!(cache.begin_oldest(0), Some((0, 15)));
        cache.change(0, 40, 45);
        cache.change(0, 50, 55);
        cache.change(2, 60, 65);
        // It cannot be written twice at once, which is in nobody's way.
        assert_eq!((cache.dirty(), cache.candidate(0)), (2, Some(60)));
        cache.written(0);
        assert_eq!((cache.dirty(), cache.oldest(), cache.begin_oldest(0)), (2, Some(40), Some((0, 55))));
        assert_eq!(cache.begin_oldest(0), Some((2, 65)));
        // Out of order: the oldest decides.
        cache.written(2);
        assert_eq!(cache.oldest(), Some(40));
        cache.written(0);
        assert_eq!(cache.oldest(), None);
    }

    #[test]
    fn dirty_buffers_found_on_the_way_are_written_and_come_back_to_be_taken_first() {
        let mut cache = ten();
        cache.change(2, 10, 15);
        // Two of four are looked at: 2 is dirty, 4 is taken and goes to the end.
        assert_eq!((cache.take(0), cache.listed(0)), (Found::Taken(true), 1));
        for dirty in [6, 8] {
            cache.change(dirty, 20, 25);
        }
        assert_eq!((cache.take(0), cache.listed(0)), (Found::Nothing, 3));
        assert_eq!(cache.begin_listed(0), Some((2, 15)));
        assert_eq!(cache.candidate(0), Some(20), "who is being written is no candidate");
        cache.written(2);
        assert_eq!(cache.take(0), Found::Taken(true), "2, which came back, with two more listed");
        // A checkpoint may be faster than the list.
        assert_eq!(cache.begin_oldest(0), Some((6, 25)));
        assert_eq!(cache.begin_listed(0), Some((8, 25)));
        cache.written(6);
        cache.written(8);
        assert_eq!((cache.listed(0), cache.dirty()), (0, 0));
        assert_eq!(cache.take(1), Found::Taken(false));
    }

    #[test]
    fn changes_fall_on_hot_buffers_in_their_share() {
        let mut cache = ten();
        let hot = (0..10_000).filter(|_| cache.draw() < 2).count();
        // Half of 10,000, standard deviation 50.
        assert!((4800..5200).contains(&hot), "{hot}");
        // The others come in turn, save those that are dirty.
        cache.hot_share = 0.0;
        cache.next = 8;
        cache.change(9, 10, 15);
        assert_eq!([cache.draw(), cache.draw(), cache.draw()], [8, 2, 3]);
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod twin;
