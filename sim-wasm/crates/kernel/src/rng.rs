//! Named random streams. A stream depends on the seed and on who draws for what, never on who drew before; so adding
//! one changes no other, and two scenarios that differ in one knob share their numbers.
use crate::time::Ns;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// An independent stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

/// Mixes one more word into a hash (the finaliser of SplitMix64).
fn mix(hash: u64, word: u64) -> u64 {
    let mut z = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(word).wrapping_add(0x632b_e59b_d9b4_e019);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream of this seed for one entity (`kind`, `index`), `purpose` and replication.
    pub fn new(seed: u64, replication: u32, kind: &str, index: u64, purpose: &str) -> Self {
        let words = |text: &str, hash| text.bytes().fold(hash, |h, b| mix(h, u64::from(b)));
        let hash = mix(mix(seed, u64::from(replication)), index);
        Stream(Xoshiro256PlusPlus::seed_from_u64(words(purpose, mix(words(kind, hash), 0))))
    }

    /// Uniform in \[0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Exponential with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -libm::log(1.0 - self.uniform())
    }

    /// Exponential with mean 1 if below `limit`. Costs no logarithm where the answer is plainly no: 1 - exp(-x) <= x.
    #[inline]
    pub fn exponential_below(&mut self, limit: f64) -> Option<f64> {
        let u = self.uniform();
        if u >= limit {
            return None;
        }
        let drawn = -libm::log(1.0 - u);
        (drawn < limit).then_some(drawn)
    }

    /// Exponential span.
    #[inline]
    pub fn exponential_ns(&mut self, mean: Ns) -> Ns {
        Ns((self.exponential() * mean.0 as f64).round() as u64)
    }

    /// Uniform in `0..bound`; zero for a bound of zero.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Puts `len` things in random order (Fisher and Yates), whatever they are: `swap` exchanges two of them.
    pub fn shuffle(&mut self, len: usize, mut swap: impl FnMut(usize, usize)) {
        for last in (1..len).rev() {
            swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, replication: u32, kind: &str, index: u64, purpose: &str) -> u64 {
        Stream::new(seed, replication, kind, index, purpose).0.next_u64()
    }

    #[test]
    fn every_part_of_the_name_matters_and_the_same_name_gives_the_same_stream() {
        let all = [
            first(1, 0, "session", 0, "think"),
            first(2, 0, "session", 0, "think"),
            first(1, 1, "session", 0, "think"),
            first(1, 0, "hog", 0, "think"),
            first(1, 0, "session", 1, "think"),
            first(1, 0, "session", 0, "demand"),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| a != b));
        }
        assert_eq!(all[0], first(1, 0, "session", 0, "think"));
    }

    #[test]
    fn moments() {
        let mut s = Stream::new(7, 0, "test", 0, "moments");
        let n = 200_000;
        let mean = (0..n).map(|_| s.exponential()).sum::<f64>() / f64::from(n);
        assert!((mean - 1.0).abs() < 0.01, "{mean}");
        let ones = (0..n).filter(|_| s.below(8) == 7).count() as f64 / f64::from(n);
        assert!((ones - 0.125).abs() < 0.003, "{ones}");
    }
}
