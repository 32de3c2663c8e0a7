//! A set of small numbers.

use std::ops::Range;

/// Numbers below a fixed bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bits {
    words: Vec<u64>,
    count: u32,
}

impl Bits {
    /// The empty set over `0..bound`.
    pub fn new(bound: usize) -> Self {
        Bits { words: vec![0; bound.div_ceil(64).max(1)], count: 0 }
    }
    /// How many numbers are in.
    #[inline]
    pub fn len(&self) -> u32 {
        self.count
    }
    /// Whether none is in.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Whether `n` is in.
    #[inline]
    pub fn has(&self, n: usize) -> bool {
        self.words[n / 64] >> (n % 64) & 1 == 1
    }
    /// Puts `n` in or takes it out.
    #[inline]
    pub fn set(&mut self, n: usize, isin: bool) {
        let (word, bit) = (&mut self.words[n / 64], n % 64);
        let (was, is) = (*word >> bit & 1, u64::from(isin));
        *word ^= (was ^ is) << bit;
        self.count = self.count + is as u32 - was as u32;
    }
    /// The first number in the set at or after `from`, going round past the end.
    #[inline]
    pub fn first_from(&self, from: usize) -> Option<usize> {
        if self.count == 0 {
            return None;
        }
        let (start, words) = (from / 64, self.words.len());
        let head = self.words[start] & (u64::MAX << (from % 64));
        if head != 0 {
            return Some(start * 64 + head.trailing_zeros() as usize);
        }
        (1..=words)
            .map(|step| (start + step) % words)
            .find(|&w| self.words[w] != 0)
            .map(|w| w * 64 + self.words[w].trailing_zeros() as usize)
    }
    /// The first number at or after `from` within `range`, going round at its end, that is in this set and in `other`.
    pub fn first_common(&self, other: &Bits, range: Range<usize>, from: usize) -> Option<usize> {
        let from = if range.contains(&from) { from } else { range.start };
        self.common(other, from..range.end).or_else(|| self.common(other, range.start..from))
    }
    /// The first number that is in this set and not in `other`, which has the same bound.
    pub fn first_without(&self, other: &Bits) -> Option<usize> {
        let left = self.words.iter().zip(&other.words).map(|(own, others)| own & !others);
        let (word, left) = left.enumerate().find(|&(_, left)| left != 0)?;
        Some(word * 64 + left.trailing_zeros() as usize)
    }
    /// How many numbers within `range` are in this set and in `other`.
    pub fn count_common(&self, other: &Bits, range: Range<usize>) -> usize {
        if range.is_empty() {
            return 0;
        }
        let (first, last) = (range.start / 64, (range.end - 1) / 64);
        if first == last {
            let within = u64::MAX >> (64 - range.len()) << (range.start % 64);
            return (self.words[first] & other.words[first] & within).count_ones() as usize;
        }
        let in_word = |w: usize| {
            let mut both = self.words[w] & other.words[w];
            if w == first {
                both &= u64::MAX << (range.start % 64);
            }
            if w == last {
                both &= u64::MAX >> (63 - (range.end - 1) % 64);
            }
            both.count_ones() as usize
        };
        (first..=last).map(in_word).sum()
    }
    fn common(&self, other: &Bits, range: Range<usize>) -> Option<usize> {
        if range.is_empty() {
            return None;
        }
        for w in range.start / 64..=(range.end - 1) / 64 {
            let mut both = self.words[w] & other.words[w];
            if w == range.start / 64 {
                both &= u64::MAX << (range.start % 64);
            }
            if both != 0 {
                let n = w * 64 + both.trailing_zeros() as usize;
                return (n < range.end).then_some(n);
            }
        }
        None
    }
    /// The first number within `range` that is not in the set.
    pub fn first_gap(&self, range: Range<usize>) -> Option<usize> {
        let mut from = range.start;
        while from < range.end {
            let gaps = !self.words[from / 64] & (u64::MAX << (from % 64));
            if gaps != 0 {
                let n = from / 64 * 64 + gaps.trailing_zeros() as usize;
                return (n < range.end).then_some(n);
            }
            from = (from / 64 + 1) * 64;
        }
        None
    }
    /// Puts all numbers within `range` in.
    pub fn fill(&mut self, range: Range<usize>) {
        let mut from = range.start;
        while from < range.end {
            let many = (64 - from % 64).min(range.end - from);
            let (word, ones) = (&mut self.words[from / 64], u64::MAX >> (64 - many) << (from % 64));
            self.count += (ones & !*word).count_ones();
            *word |= ones;
            from += many;
        }
    }
    /// The numbers in the set.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.words.len() * 64).filter(|&n| self.has(n))
    }
    /// Visits the numbers in the set, the least first.
    #[inline]
    pub fn each(&self, mut visit: impl FnMut(usize)) {
        for (at, &word) in self.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                visit(at * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_round() {
        let mut s = Bits::new(130);
        for n in [3, 70, 129] {
            s.set(n, true);
            s.set(n, true);
        }
        assert_eq!(s.len(), 3);
        assert_eq!(s.first_from(0), Some(3));
        assert_eq!(s.first_from(4), Some(70));
        assert_eq!(s.first_from(71), Some(129));
        s.set(129, false);
        assert_eq!(s.first_from(71), Some(3));
        assert!(!s.has(129) && s.has(70));
    }

    #[test]
    fn common_numbers_are_what_a_scan_finds() {
        let mut random = crate::rng::Stream::new(7, 0, "test", 0, "bits");
        for _ in 0..2000 {
            let bound = 1 + random.below(200) as usize;
            let (mut a, mut b) = (Bits::new(bound), Bits::new(bound));
            for n in 0..bound {
                a.set(n, random.below(8) == 0);
                b.set(n, random.below(3) == 0);
            }
            let start = random.below(bound as u64) as usize;
            let range = start..start + 1 + random.below((bound - start) as u64) as usize;
            let from = range.start + random.below(range.len() as u64) as usize;
            assert_eq!(a.count_common(&b, range.clone()), range.clone().filter(|&n| a.has(n) && b.has(n)).count());
            assert_eq!(a.count_common(&b, start..start), 0);
            assert_eq!(a.first_gap(range.clone()), range.clone().find(|&n| !a.has(n)));
            assert_eq!(a.first_without(&b), (0..bound).find(|&n| a.has(n) && !b.has(n)));
            let mut filled = a.clone();
            filled.fill(range.clone());
            assert!((0..bound).all(|n| filled.has(n) == (a.has(n) || range.contains(&n))));
            assert_eq!(filled.len() as usize, filled.iter().count());
            let mut visited = Vec::new();
            a.each(|n| visited.push(n));
            assert!(a.iter().eq(visited));
            let order = (from..range.end).chain(range.start..from);
            let scan = order.clone().find(|&n| a.has(n) && b.has(n));
            assert_eq!(a.first_common(&b, range, from), scan);
        }
    }
}
