//! A set of small numbers.

/// Numbers below a fixed bound.
#[derive(Clone, Debug, Default)]
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
        let (word, bit) = (&mut self.words[n / 64], 1u64 << (n % 64));
        if isin != (*word & bit != 0) {
            *word ^= bit;
            self.count = if isin { self.count + 1 } else { self.count - 1 };
        }
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
}
