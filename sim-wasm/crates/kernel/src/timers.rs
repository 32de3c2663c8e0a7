//! Timers by key. Most time-outs are as long as the one before them and never come to anything: they are set in the
//! order in which they are due. Such ones stand in lines, and only the others in a heap, which stays small.
use crate::heap::Heap;
use std::collections::VecDeque;

/// Lines. Time-outs of as many lengths go to lines of their own.
const LINES: usize = 3;

/// A heap of so few is no slower than lines are. Free.
const FEW: usize = 16;

/// Smallest key first. Keys differ.
#[derive(Clone, Debug)]
pub struct Timers<V> {
    /// Each ascending.
    lines: [VecDeque<(u128, V)>; LINES],
    /// Smallest key of each, the largest possible where it is empty; and the largest, there zero.
    fronts: [u128; LINES],
    ends: [u128; LINES],
    heap: Heap<V>,
    /// Smallest key in the lines, and of all; the largest possible where there is none.
    first_in_lines: u128,
    first: u128,
}

impl<V> Default for Timers<V> {
    fn default() -> Self {
        Timers {
            lines: Default::default(),
            fronts: [u128::MAX; LINES],
            ends: [0; LINES],
            heap: Heap::default(),
            first_in_lines: u128::MAX,
            first: u128::MAX,
        }
    }
}

impl<V: Copy> Timers<V> {
    /// Smallest key; the largest possible when empty.
    #[inline]
    pub fn min_key(&self) -> u128 {
        self.first
    }

    /// Adds a timer.
    #[inline]
    pub fn push(&mut self, key: u128, value: V) {
        self.first = self.first.min(key);
        if self.heap.len() < FEW {
            return self.heap.push(key, value);
        }
        self.stand_in_line(key, value);
    }

    /// To the line that ends least before it, else to the heap.
    fn stand_in_line(&mut self, key: u128, value: V) {
        let (mut line, mut most) = (None, 0);
        for (at, &end) in self.ends.iter().enumerate() {
            if end < key && (line.is_none() || end > most) {
                (line, most) = (Some(at), end);
            }
        }
        match line {
            Some(line) => {
                self.lines[line].push_back((key, value));
                self.fronts[line] = self.fronts[line].min(key);
                self.ends[line] = key;
                self.first_in_lines = self.first_in_lines.min(key);
            }
            None => self.heap.push(key, value),
        }
    }

    /// Takes the timer with the smallest key.
    #[inline]
    pub fn pop(&mut self) -> Option<V> {
        let taken = if self.first == self.first_in_lines { self.leave_line() } else { self.heap.pop() };
        self.first = self.first_in_lines.min(self.heap.min_key());
        taken.map(|entry| entry.1)
    }

    fn leave_line(&mut self) -> Option<(u128, V)> {
        let at = self.fronts.iter().position(|&front| front == self.first_in_lines)?;
        let taken = self.lines[at].pop_front();
        self.fronts[at] = self.lines[at].front().map_or(u128::MAX, |entry| entry.0);
        if self.lines[at].is_empty() {
            self.ends[at] = 0;
        }
        self.first_in_lines = self.fronts.into_iter().fold(u128::MAX, u128::min);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    /// The honest twin: all of them in a list. Spans are of a few lengths, as time-outs are, or any.
    #[test]
    fn they_leave_in_the_order_of_their_keys() {
        let mut random = Stream::new(3, 0, "test", 0, "timers");
        for lengths in [1, 2, 5, 100] {
            let (mut timers, mut list, mut now) = (Timers::default(), Vec::new(), 0u128);
            for number in 0..3_000u128 {
                if random.below(5) < 3 {
                    let key = (now + 1000 * u128::from(random.below(lengths))) << 20 | number;
                    timers.push(key, number);
                    list.push((key, number));
                } else {
                    list.sort_unstable();
                    let first = (!list.is_empty()).then(|| list.remove(0));
                    assert_eq!(timers.min_key(), first.map_or(u128::MAX, |first| first.0), "{lengths} {number}");
                    assert_eq!(timers.pop(), first.map(|first| first.1), "{lengths} {number}");
                    now = first.map_or(now, |first| first.0 >> 20);
                }
            }
            let in_lines: usize = timers.lines.iter().map(VecDeque::len).sum();
            assert!(lengths > LINES as u64 || in_lines + FEW >= list.len(), "{lengths}: {in_lines} of {}", list.len());
        }
    }
}
