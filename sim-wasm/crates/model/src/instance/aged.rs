//! What a buffer cache holds as a run begins, by rule: dirty buffers as writers that have long been behind leave them,
//! and lists in the order of their numbers. A run looks at few of a hundred thousand, so none is written down before.
use std::collections::VecDeque;

/// No change.
pub(super) const CLEAN: u64 = u64::MAX;

/// Buffers that are dirty from the start, numbered by age: hot ones evenly among the others, the first changes of all
/// evenly over a piece of redo.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aged {
    /// Where the redo begins.
    pub from: u64,
    /// Its length.
    pub span: u64,
    /// Hot buffers, dirty or not.
    pub all_hot: u32,
    /// Of these so many are dirty …
    pub hot: u32,
    /// … from this one on, and round.
    pub first: u32,
    /// Others that are dirty, from the first on.
    pub cold: u32,
}

/// One of the two kinds: its number among them.
#[derive(Clone, Copy)]
enum Kind {
    Hot(u32),
    Cold(u32),
}

impl Aged {
    /// So many.
    pub fn count(&self) -> u32 {
        self.hot + self.cold
    }

    /// How old one is among all.
    fn number(&self, one: Kind) -> u64 {
        let all = u64::from(self.count());
        match one {
            Kind::Hot(k) => ((u64::from(k) + 1) * all).div_ceil(u64::from(self.hot)) - 1,
            Kind::Cold(k) => u64::from(k) * all / u64::from(self.cold),
        }
    }

    /// Address of its first change.
    fn at(&self, number: u64) -> u64 {
        self.from + (self.span as f64 * number as f64 / f64::from(self.count())) as u64
    }

    /// A buffer that is dirty.
    fn kind(&self, buffer: u32) -> Option<Kind> {
        if buffer < self.all_hot {
            let k = if buffer >= self.first { buffer - self.first } else { buffer + self.all_hot - self.first };
            return (k < self.hot).then_some(Kind::Hot(k));
        }
        let k = buffer - self.all_hot;
        (k < self.cold).then_some(Kind::Cold(k))
    }

    /// Address of the first change of a buffer, or [`CLEAN`].
    pub fn first_of(&self, buffer: u32) -> u64 {
        self.kind(buffer).map_or(CLEAN, |one| self.at(self.number(one)))
    }
}

/// A place among the aged buffers of one working set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Address of the first change of the one that comes, and the buffer.
    pub entry: Option<(u64, u32)>,
    /// Hot ones passed, of any set.
    hot: u32,
    /// Others passed, of any set.
    cold: u32,
}

impl Place {
    /// The oldest of a set.
    pub fn new(aged: &Aged, (set, sets): (u32, u32)) -> Place {
        let mut place = Place::default();
        place.seek(aged, (set, sets));
        place
    }

    /// The one after it.
    pub fn pass(&mut self, aged: &Aged, sets: u32) {
        let Some((_, buffer)) = self.entry else { return };
        match buffer < aged.all_hot {
            true => self.hot += 1,
            false => self.cold += 1,
        }
        self.seek(aged, (buffer % sets, sets));
    }

    /// Goes on to the next of its set.
    fn seek(&mut self, aged: &Aged, (set, sets): (u32, u32)) {
        // So many numbers further one is of the set.
        let ahead = |number: u32| (set + sets - number % sets) % sets;
        if self.hot < aged.hot {
            let buffer = (aged.first + self.hot) % aged.all_hot;
            let next = buffer + ahead(buffer);
            // Beyond the last hot one they begin anew, if there is any of the set.
            self.hot = match next < aged.all_hot {
                true => self.hot + next - buffer,
                false if set < aged.all_hot => self.hot + aged.all_hot - buffer + set,
                false => aged.hot,
            };
        }
        self.cold += if self.cold < aged.cold { ahead(aged.all_hot + self.cold) } else { 0 };
        let hot = (self.hot < aged.hot).then(|| (aged.number(Kind::Hot(self.hot)), true));
        let cold = (self.cold < aged.cold).then(|| (aged.number(Kind::Cold(self.cold)), false));
        let next = match (hot, cold) {
            (Some(hot), Some(cold)) => Some(hot.min(cold)),
            (hot, cold) => hot.or(cold),
        };
        self.entry = next.map(|(number, is_hot)| {
            let hot = || (aged.first + self.hot) % aged.all_hot;
            (aged.at(number), if is_hot { hot() } else { aged.all_hot + self.cold })
        });
    }
}

/// Buffers in line to be taken.
#[derive(Clone, Debug)]
pub struct Line {
    /// Those that came back to its front, the first of the line last.
    front: Vec<u32>,
    /// Of those that stood there from the start and were never taken, the first …
    next: u32,
    /// … and how many they are.
    left: u32,
    /// Behind these those that came to its end.
    back: VecDeque<u32>,
}

impl From<VecDeque<u32>> for Line {
    fn from(back: VecDeque<u32>) -> Line {
        Line { front: Vec::new(), next: 0, left: 0, back }
    }
}

impl Line {
    /// As it stands from the start: of `buffers` numbers each `sets`th from `first` on, those before the `turned`th
    /// behind the others.
    pub fn new(first: u32, (sets, buffers): (u32, u32), turned: u32) -> Line {
        let all = buffers.saturating_sub(first).div_ceil(sets);
        let next = first + turned.checked_rem(all).unwrap_or(0) * sets;
        Line { front: Vec::new(), next, left: all, back: VecDeque::new() }
    }

    /// The first; those that stood there from the start are of `buffers` numbers each `sets`th, after the last from
    /// `first` on.
    pub fn pop(&mut self, first: u32, (sets, buffers): (u32, u32)) -> Option<u32> {
        if let Some(buffer) = self.front.pop() {
            return Some(buffer);
        }
        if self.left == 0 {
            return self.back.pop_front();
        }
        let buffer = self.next;
        self.left -= 1;
        self.next = if buffer + sets < buffers { buffer + sets } else { first };
        Some(buffer)
    }

    /// All from the first to the last, as [`Line::pop`] would return them.
    pub fn in_order(&self, first: u32, (sets, buffers): (u32, u32)) -> impl Iterator<Item = u32> + '_ {
        let after = move |&one: &u32| Some(if one + sets < buffers { one + sets } else { first });
        let old = std::iter::successors(Some(self.next), after).take(self.left as usize);
        self.front.iter().rev().copied().chain(old).chain(self.back.iter().copied())
    }

    /// The last that came to the end.
    pub fn last(&self) -> Option<u32> {
        self.back.back().copied()
    }

    /// To the end.
    pub fn push_back(&mut self, buffer: u32) {
        self.back.push_back(buffer);
    }

    /// To the front.
    pub fn push_front(&mut self, buffer: u32) {
        self.front.push(buffer);
    }
}
