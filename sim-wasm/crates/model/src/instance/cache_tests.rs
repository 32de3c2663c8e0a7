//! The buffer cache against a twin that keeps no queue: each buffer says when it was first changed, and whoever wants
//! the oldest looks at all of them.
use super::*;

/// One buffer of the twin. A change is the address of its redo and its number of all changes.
#[derive(Clone, Debug, Default)]
struct Slow {
    /// The first change that no write which is done has taken.
    first: Option<(u64, u32)>,
    /// The first change since the write under way began.
    again: Option<(u64, u32)>,
    last: u64,
    is_written: bool,
}

/// The whole cache: for each set a list to take from and a list of dirty ones that were found there.
struct Twin {
    buffers: Vec<Slow>,
    lists: Vec<Vec<u32>>,
    found: Vec<Vec<u32>>,
    scan: usize,
    large: usize,
    hot: u32,
    next: u32,
    changes: u32,
    first_changes: u32,
    cleaned: u32,
}

impl Twin {
    fn new(sizes: Sizes) -> Twin {
        let of = |set: u32| (sizes.hot..sizes.buffers).filter(|b| b % sizes.sets == set).collect();
        let each = f64::from(sizes.buffers - sizes.hot) / f64::from(sizes.sets);
        Twin {
            buffers: vec![Slow::default(); sizes.buffers as usize],
            lists: (0..sizes.sets).map(of).collect(),
            found: vec![Vec::new(); sizes.sets as usize],
            scan: ((each * sizes.scan_share) as usize).max(1),
            large: sizes.large_dirty as usize,
            hot: sizes.hot,
            next: sizes.hot,
            changes: 0,
            first_changes: 0,
            cleaned: 0,
        }
    }

    fn at(&mut self, buffer: u32) -> &mut Slow {
        &mut self.buffers[buffer as usize]
    }

    fn members(&self, set: usize) -> impl Iterator<Item = u32> + '_ {
        (0..self.buffers.len() as u32).filter(move |b| *b as usize % self.lists.len() == set)
    }

    /// A buffer is dirty from its first change until a write is done that took it.
    fn change(&mut self, buffer: u32, at: u64, end: u64) {
        self.changes += 1;
        let change = Some((at, self.changes));
        let one = self.at(buffer);
        one.last = end;
        if one.is_written {
            one.again = one.again.or(change);
        } else if one.first.is_none() {
            one.first = change;
            self.first_changes += 1;
        }
    }

    fn oldest_of(&self, set: usize) -> Option<u64> {
        self.members(set).filter_map(|b| self.buffers[b as usize].first).min().map(|change| change.0)
    }

    /// The buffer of a set that was first changed longest ago and is not being written.
    fn candidate(&self, set: usize) -> Option<u32> {
        let idle = |b: &u32| !self.buffers[*b as usize].is_written && self.buffers[*b as usize].first.is_some();
        self.members(set).filter(idle).min_by_key(|b| self.buffers[*b as usize].first)
    }

    /// Its write begins.
    fn begin(&mut self, buffer: u32) -> (u32, u64) {
        self.at(buffer).is_written = true;
        (buffer, self.at(buffer).last)
    }

    /// The one found dirty longest ago. What is being written stands at the end again, if it was changed meanwhile.
    fn begin_listed(&mut self, set: usize) -> Option<(u32, u64)> {
        let idle = |b: &&u32| !self.buffers[**b as usize].is_written;
        let buffer = *self.found[set].iter().find(idle)?;
        Some(self.begin(buffer))
    }

    /// Found dirty, and not being written.
    fn listed(&self, set: usize) -> usize {
        self.found[set].iter().filter(|b| !self.buffers[**b as usize].is_written).count()
    }

    /// What was changed meanwhile is dirty from then on. What was found dirty and is clean is taken first.
    fn written(&mut self, buffer: u32) {
        let one = self.at(buffer);
        one.is_written = false;
        one.first = one.again.take();
        let is_clean = one.first.is_none();
        self.cleaned += u32::from(is_clean);
        let set = buffer as usize % self.lists.len();
        let Some(at) = self.found[set].iter().position(|b| *b == buffer) else { return };
        self.found[set].remove(at);
        match is_clean {
            true => self.lists[set].insert(0, buffer),
            false => self.found[set].push(buffer),
        }
    }

    fn take(&mut self, set: usize) -> Found {
        for _ in 0..self.scan.min(self.lists[set].len()) {
            let buffer = self.lists[set].remove(0);
            if self.buffers[buffer as usize].first.is_none() {
                self.lists[set].push(buffer);
                return Found::Taken(self.listed(set) >= self.large);
            }
            self.found[set].push(buffer);
        }
        Found::Nothing
    }

    /// The next clean one of the others, in turn; where none is clean the turn goes on from any.
    fn next_cold(&mut self, any: u32) -> Option<u32> {
        let others = self.buffers.len() as u32 - self.hot;
        let mut turn = (0..others).map(|i| self.hot + (self.next - self.hot + i) % others);
        let found = turn.find(|b| self.buffers[*b as usize].first.is_none());
        assert!(any >= self.hot);
        self.next = found.map_or(any, |found| self.hot + (found + 1 - self.hot) % others);
        found
    }

    fn dirty(&self) -> u32 {
        self.buffers.iter().filter(|one| one.first.is_some()).count() as u32
    }

    /// Each buffer is where it should be: hot ones nowhere, the others on one list of their set.
    fn is_whole(&self) -> bool {
        let mut all: Vec<u32> = self.lists.iter().chain(&self.found).flatten().copied().collect();
        all.sort_unstable();
        all == (self.hot..self.buffers.len() as u32).collect::<Vec<_>>()
            && self.first_changes - self.cleaned == self.dirty()
    }
}

/// All that can be asked agrees.
fn agree(cache: &mut Cache, twin: &Twin) {
    assert_eq!(cache.dirty(), twin.dirty());
    let oldest = (0..twin.lists.len()).filter_map(|set| twin.oldest_of(set)).min();
    assert_eq!(cache.oldest(), oldest);
    for set in 0..twin.lists.len() {
        assert_eq!(cache.oldest_of(set), twin.oldest_of(set), "set {set}");
        let first = twin.candidate(set).and_then(|b| twin.buffers[b as usize].first).map(|change| change.0);
        assert_eq!(cache.candidate(set), first, "set {set}");
        assert_eq!(cache.listed(set), twin.listed(set), "set {set}");
    }
    for buffer in 0..twin.buffers.len() as u32 {
        assert_eq!(cache.is_written(buffer), twin.buffers[buffer as usize].is_written, "buffer {buffer}");
    }
    assert!(twin.is_whole());
}

/// What is dirty from the start, one change after another: hot ones evenly among the others.
fn age(random: &mut Stream, cache: &mut Cache, twin: &mut Twin) -> u64 {
    let (all_hot, others) = (twin.hot, twin.buffers.len() as u32 - twin.hot);
    let mut up_to = |most: u32| random.below(u64::from(most) + 1) as u32;
    let (hot, cold, from, span) = (up_to(all_hot), up_to(others), up_to(3), 1 + up_to(60));
    let (first, turned) = (up_to(all_hot.max(1) - 1), up_to(2 * others));
    let (from, span, all, mut made) = (u64::from(from), u64::from(span), hot + cold, 0);
    cache.age(Aged { from, span, all_hot, hot, first, cold }, turned);
    let sets = twin.lists.len();
    for list in twin.lists.iter_mut().filter(|list| !list.is_empty()) {
        let by = turned as usize / sets % list.len();
        list.rotate_left(by);
    }
    for number in 0..all {
        let at = from + (span as f64 * f64::from(number) / f64::from(all)) as u64;
        let due = (number + 1) * hot / all;
        let buffer = if made < due { (first + made) % all_hot } else { twin.next_cold(all_hot).unwrap_or(all_hot) };
        made = due;
        twin.change(buffer, at, at);
    }
    from + span
}

/// Small sets, so that each rule is met often.
#[test]
fn the_cache_does_what_a_slow_twin_does_after_every_one_of_many_random_calls() {
    let mut random = Stream::new(1, 0, "test", 0, "cache");
    // Writes of the oldest, of listed ones, of buffers changed meanwhile; buffers taken, and not found.
    let mut seen = [0; 5];
    for _ in 0..1_500 {
        let (sets, hot) = (1 + random.below(4) as u32, random.below(5) as u32);
        let sizes = Sizes {
            buffers: hot + sets + random.below(20) as u32,
            sets,
            hot,
            hot_share: 0.5,
            scan_share: random.uniform(),
            large_dirty: 1 + random.below(4) as u32,
        };
        let mut cache = Cache::new(sizes, Stream::new(1, 0, "test", 0, "changes"));
        let mut twin = Twin::new(sizes);
        let mut address = if random.below(2) == 0 { 0 } else { age(&mut random, &mut cache, &mut twin) };
        let mut under_way = Vec::new();
        let busy = 1 + random.below(6);
        for _ in 0..80 {
            let set = random.below(u64::from(sets)) as usize;
            step(&mut random, (&mut cache, &mut twin), set, (&mut address, &mut under_way, busy), &mut seen);
            agree(&mut cache, &twin);
        }
    }
    assert!(seen.iter().all(|&times| times > 1_000), "{seen:?}");
}

type Course<'a> = (&'a mut u64, &'a mut Vec<u32>, u64);

fn step(random: &mut Stream, (cache, twin): (&mut Cache, &mut Twin), set: usize, run: Course, seen: &mut [u32; 5]) {
    let (address, under_way, busy) = run;
    match random.below(6 + busy) {
        0 => {
            let expected = twin.candidate(set).map(|b| twin.begin(b));
            assert_eq!(cache.begin_oldest(set), expected);
            under_way.extend(expected.map(|found| found.0));
            seen[0] += u32::from(expected.is_some());
        }
        1 => {
            let expected = twin.begin_listed(set);
            assert_eq!(cache.begin_listed(set), expected);
            under_way.extend(expected.map(|found| found.0));
            seen[1] += u32::from(expected.is_some());
        }
        2 | 3 if !under_way.is_empty() => {
            let buffer = under_way.swap_remove(random.below(under_way.len() as u64) as usize);
            seen[2] += u32::from(twin.at(buffer).again.is_some());
            cache.written(buffer);
            twin.written(buffer);
        }
        4 => {
            let expected = twin.take(set);
            assert_eq!(cache.take(set), expected);
            seen[if expected == Found::Nothing { 4 } else { 3 }] += 1;
        }
        5 => {
            let buffer = cache.next_cold();
            assert_eq!(buffer, twin.next_cold(cache.next));
        }
        _ => {
            // Some blocks changed by one piece of redo.
            let bytes = 1 + random.below(3);
            for _ in 0..=random.below(3) {
                let buffer = random.below(twin.buffers.len() as u64) as u32;
                cache.change(buffer, *address, *address + bytes);
                twin.change(buffer, *address, *address + bytes);
            }
            *address += bytes;
        }
    }
}

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
    let hot = (0..10_000).filter(|_| cache.draw_any() < 2).count();
    // Half of 10,000, standard deviation 50.
    assert!((4800..5200).contains(&hot), "{hot}");
    // The others come in turn, save those that are dirty.
    cache.hot_share = 0.0;
    cache.next = 8;
    cache.change(9, 10, 15);
    assert_eq!([cache.draw(), cache.draw(), cache.draw()], [Some(8), Some(2), Some(3)]);
}

#[test]
fn a_buffer_that_is_kept_is_nobody_elses_until_it_is_released() {
    let mut cache = ten();
    cache.hot_share = 0.0;
    let first_of_list = {
        let mut other = ten();
        assert_eq!(other.take(0), Found::Taken(false));
        other.taken(0).expect("one was taken")
    };
    cache.keep(first_of_list);
    assert_eq!(cache.take(0), Found::Taken(false));
    assert_ne!(cache.taken(0), Some(first_of_list), "the next of the list");
    cache.next = first_of_list;
    assert_ne!(cache.draw(), Some(first_of_list));
    cache.release(first_of_list);
    cache.next = first_of_list;
    assert_eq!((cache.draw(), cache.dirty()), (Some(first_of_list), 0));
}
