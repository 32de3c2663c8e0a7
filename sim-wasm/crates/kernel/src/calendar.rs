//! The event calendar: pending completions, one a slot, and timers. Both share one total order
//! (time, phase, sequence), so two events never compare equal.
use crate::time::Ns;
use crate::timers::Timers;

/// What happens first among events of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Something ends.
    Complete = 0,
    /// Something comes in.
    Arrive = 1,
    /// Work is handed out.
    Dispatch = 2,
    /// The moment is observed.
    Sample = 3,
}

/// Levels that every tree has: those are gone up in one go.
const LEVELS: u32 = 3;

const INDEX_BITS: u32 = 16;
const SEQUENCE_BITS: u32 = 46;

#[inline]
fn key(at: Ns, phase: Phase, sequence: u64, index: u16) -> u128 {
    u128::from(at.0) << 64
        | u128::from(phase as u8) << (INDEX_BITS + SEQUENCE_BITS)
        | u128::from(sequence) << INDEX_BITS
        | u128::from(index)
}

/// The lesser of two keys, without a branch: which one it is cannot be foreseen.
#[inline(always)]
fn lesser(one: u128, other: u128) -> u128 {
    let mask = u64::from(other < one).wrapping_neg();
    one ^ ((one ^ other) & (u128::from(mask) << 64 | u128::from(mask)))
}

/// The next event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next<T> {
    /// The pending completion of this slot.
    Slot(u16),
    /// A timer.
    Timer(T),
}

/// At most one pending completion for each of a fixed number of slots, and any number of timers.
#[derive(Clone, Debug)]
pub struct Calendar<T> {
    /// The least key of the slots.
    least: u128,
    /// Below that a winner tree: of nodes 2 and 3 the lesser is the least, leaves start at `leaves`.
    tree: Vec<u128>,
    leaves: usize,
    timers: Timers<T>,
    sequence: u64,
}

impl<T: Copy> Calendar<T> {
    /// For `slots` completions, at most 65,536.
    pub fn new(slots: usize) -> Self {
        assert!(slots <= 1 << INDEX_BITS, "at most 65,536 slots");
        let leaves = slots.next_power_of_two().max(1 << LEVELS);
        let tree = vec![u128::MAX; 2 * leaves];
        Calendar { least: u128::MAX, tree, leaves, timers: Timers::default(), sequence: 0 }
    }

    /// Sets or moves the completion of a slot; [`Ns::MAX`] takes it away. In one copy: there are many who ask.
    #[inline(never)]
    pub fn set(&mut self, slot: u16, at: Ns) {
        self.set_here(slot, at);
    }

    /// As [`Calendar::set`], without a call: for where most events pass through.
    #[inline(always)]
    pub fn set_here(&mut self, slot: u16, at: Ns) {
        let mut least = if at == Ns::MAX { u128::MAX } else { key(at, Phase::Complete, self.bump(), slot) };
        let tree = self.tree.as_mut_slice();
        // A power of two, so that what is masked lies within.
        let mask = tree.len().wrapping_sub(1);
        let mut node = self.leaves + slot as usize;
        // All the way up, also where nothing changes any more: to look for that costs more than it saves. Outside of a
        // loop a compiler makes moves of a choice that it would make a branch of within.
        for _ in 0..LEVELS {
            tree[node & mask] = least;
            let other = tree[(node ^ 1) & mask];
            least = if other < least { other } else { least };
            node >>= 1;
        }
        while node > 1 {
            tree[node & mask] = least;
            least = lesser(least, tree[(node ^ 1) & mask]);
            node >>= 1;
        }
        self.least = least;
    }

    /// Adds a timer.
    #[inline]
    pub fn schedule(&mut self, at: Ns, phase: Phase, timer: T) {
        let key = key(at, phase, self.bump(), 0);
        self.timers.push(key, timer);
    }

    /// Time of the next event; [`Ns::MAX`] if there is none.
    #[inline]
    pub fn next_time(&self) -> Ns {
        self.head().0
    }

    /// Takes the next event. A slot's completion stays until [`Calendar::set`] replaces it.
    #[inline]
    #[expect(clippy::should_implement_trait, reason = "an iterator would hold the calendar, which every event changes")]
    pub fn next(&mut self) -> Option<Next<T>> {
        match self.head().1 {
            Some(slot) => Some(Next::Slot(slot)),
            None => self.pop_timer().map(Next::Timer),
        }
    }

    /// Both of these in one look: the time of the next event, and whose completion it is. `None`: it is a timer, which
    /// [`Calendar::pop_timer`] takes, or there is none.
    #[inline]
    pub fn head(&self) -> (Ns, Option<u16>) {
        let (slot, timer) = (self.least, self.timers.min_key());
        if slot < timer {
            (Ns((slot >> 64) as u64), Some(slot as u16))
        } else {
            (Ns((timer >> 64) as u64), None)
        }
    }

    /// Takes the first timer.
    #[inline]
    pub fn pop_timer(&mut self) -> Option<T> {
        self.timers.pop()
    }

    #[inline]
    fn bump(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(calendar: &mut Calendar<&'static str>) -> String {
        let mut seen = Vec::new();
        loop {
            let at = calendar.next_time().0;
            match calendar.next() {
                None => return seen.join(" "),
                Some(Next::Slot(slot)) => {
                    calendar.set(slot, Ns::MAX);
                    seen.push(format!("{at}:slot{slot}"));
                }
                Some(Next::Timer(name)) => seen.push(format!("{at}:{name}")),
            }
        }
    }

    #[test]
    fn time_then_phase_then_sequence() {
        let mut c = Calendar::new(3);
        c.schedule(Ns(5), Phase::Sample, "sample");
        c.schedule(Ns(5), Phase::Dispatch, "dispatch");
        c.schedule(Ns(5), Phase::Arrive, "second");
        c.set(1, Ns(5));
        c.set(0, Ns(5));
        c.schedule(Ns(5), Phase::Arrive, "third");
        c.schedule(Ns(4), Phase::Sample, "first");
        assert_eq!(drain(&mut c), "4:first 5:slot1 5:slot0 5:second 5:third 5:dispatch 5:sample");
    }

    #[test]
    fn setting_again_moves_and_max_removes() {
        let mut c: Calendar<&str> = Calendar::new(5);
        c.set(4, Ns(9));
        c.set(2, Ns(3));
        c.set(4, Ns(1));
        c.set(2, Ns::MAX);
        assert_eq!(drain(&mut c), "1:slot4");
        assert_eq!(c.next_time(), Ns::MAX);
    }

    /// The honest twin: all that is pending in a list, the least of it looked for. Times are few, so that most are
    /// shared.
    #[test]
    fn the_next_event_is_the_least_of_a_list() {
        let mut random = crate::rng::Stream::new(3, 0, "test", 0, "calendar");
        for slots in [1, 2, 5, 8, 33] {
            let (mut calendar, mut list, mut now) = (Calendar::new(slots), Vec::new(), 0);
            for sequence in 0..5_000u64 {
                let at = Ns(now + random.below(6));
                if random.below(4) == 0 {
                    calendar.schedule(at, Phase::Arrive, sequence);
                    list.push((at, Phase::Arrive, sequence, None));
                } else {
                    let slot = random.below(slots as u64) as u16;
                    let at = if random.below(5) == 0 { Ns::MAX } else { at };
                    calendar.set(slot, at);
                    list.retain(|e| e.3 != Some(slot));
                    list.extend((at != Ns::MAX).then_some((at, Phase::Complete, sequence, Some(slot))));
                }
                let first = list.iter().min().copied();
                assert_eq!(calendar.head(), first.map_or((Ns::MAX, None), |e| (e.0, e.3)), "{slots} {sequence}");
                if let Some(first) = first.filter(|_| random.below(2) == 0) {
                    now = first.0 .0;
                    let taken = calendar.next();
                    match first.3 {
                        Some(slot) => {
                            assert_eq!(taken, Some(Next::Slot(slot)));
                            calendar.set(slot, Ns::MAX);
                        }
                        None => assert_eq!(taken, Some(Next::Timer(first.2))),
                    }
                    list.retain(|e| *e != first);
                }
            }
        }
    }
}
