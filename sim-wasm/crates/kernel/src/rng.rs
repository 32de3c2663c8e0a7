//! Named random streams. A stream depends on the seed and on who draws for what, never on who drew before; so adding
//! one changes no other, and two scenarios that differ in one knob share their numbers.
use crate::time::Ns;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::f64::consts::LN_2;
use std::sync::OnceLock;

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

/// Parts of \[1, 2) in the table of logarithms, as a power of two.
const PART_BITS: u32 = 7;
const PARTS: usize = 1 << PART_BITS;
/// Bits of a double's fraction.
const FRACTION_BITS: u32 = 52;
/// What is added to the exponent of a double.
const BIAS: u64 = 1023;

/// For each part the inverse of its middle, and the negative logarithm of that. Reckoned once, for the download is
/// longer than it.
static NEAR: OnceLock<[(f64, f64); PARTS]> = OnceLock::new();

#[cold]
fn near() -> [(f64, f64); PARTS] {
    std::array::from_fn(|part| {
        let inverse = 1.0 / (1.0 + (part as f64 + 0.5) / PARTS as f64);
        (inverse, -libm::log(inverse))
    })
}

/// Natural logarithm of a normal number in (0, 1\], at most 3e-16 off, and as much again for each unit of its value. No
/// division, and no operation that machines round differently: ln(2^e m) = e ln 2 + ln c + ln(1 + r), m = c (1 + r),
/// |r| <= 2^-8, so what the series leaves out is less than r^7 / 7 < 2e-18.
#[inline]
fn ln(x: f64) -> f64 {
    let bits = x.to_bits();
    let exponent = (bits >> FRACTION_BITS) as i64 - BIAS as i64;
    let part = (bits >> (FRACTION_BITS - PART_BITS)) as usize % PARTS;
    let (inverse, log) = NEAR.get_or_init(near)[part];
    let mantissa = f64::from_bits(bits & ((1 << FRACTION_BITS) - 1) | BIAS << FRACTION_BITS);
    let r = mantissa * inverse - 1.0;
    let tail = (1.0 / 3.0 - r * 0.25) + r * r * (0.2 - r * (1.0 / 6.0));
    exponent as f64 * LN_2 + (log + (r - r * r * (0.5 - r * tail)))
}

fn words(text: &str, hash: u64) -> u64 {
    text.bytes().fold(hash, |h, b| mix(h, u64::from(b)))
}

/// Who draws, in a replication of a seed: to be asked for several streams.
#[derive(Clone, Copy, Debug)]
pub struct Name(u64);

impl Name {
    /// Of one entity (`kind`, `index`).
    pub fn new(seed: u64, replication: u32, kind: &str, index: u64) -> Self {
        Name(mix(words(kind, mix(mix(seed, u64::from(replication)), index)), 0))
    }

    /// Its stream for a purpose.
    pub fn stream(self, purpose: &str) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(words(purpose, self.0)))
    }
}

/// Squared coefficient of variation of hyperexponential draws. Free: twice the spread of exponential ones.
pub const HYPEREXPONENTIAL: f64 = 4.0;

/// Which share of hyperexponential draws is of the shorter of their two kinds. Means are balanced: both kinds bring
/// half of the whole.
pub fn short_share() -> f64 {
    0.5 * (1.0 + ((HYPEREXPONENTIAL - 1.0) / (HYPEREXPONENTIAL + 1.0)).sqrt())
}

impl Stream {
    /// The stream of this seed for one entity (`kind`, `index`), `purpose` and replication.
    pub fn new(seed: u64, replication: u32, kind: &str, index: u64, purpose: &str) -> Self {
        Name::new(seed, replication, kind, index).stream(purpose)
    }

    /// Uniform in \[0, 1).
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Exponential with mean 1.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -ln(1.0 - self.uniform())
    }

    /// Exponential with mean 1 if below `limit`. Costs no logarithm where the answer is plainly no: 1 - exp(-x) <= x.
    #[inline]
    pub fn exponential_below(&mut self, limit: f64) -> Option<f64> {
        let u = self.uniform();
        if u >= limit {
            return None;
        }
        let drawn = -ln(1.0 - u);
        (drawn < limit).then_some(drawn)
    }

    /// Exponential span.
    #[inline]
    pub fn exponential_ns(&mut self, mean: Ns) -> Ns {
        Ns::nearest(self.exponential() * mean.0 as f64)
    }

    /// Hyperexponential of two kinds with that mean, of which so many are of the shorter kind: [`short_share`] of them,
    /// unless they are met where they are under way.
    #[inline]
    pub fn hyperexponential(&mut self, mean: f64, share: f64) -> f64 {
        let p = short_share();
        let branch = if self.uniform() < share { p } else { 1.0 - p };
        self.exponential() * mean / (2.0 * branch)
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

    /// Against the library, which is right to the last bit but one.
    #[test]
    fn logarithms_are_those_of_the_library() {
        let mut s = Stream::new(7, 0, "test", 0, "ln");
        let check = |x: f64| {
            let right = libm::log(x);
            let off = (ln(x) - right).abs();
            assert!(off <= 3e-16 * (1.0 + right.abs()), "ln {x:e}: off by {off:e}");
        };
        // The edges and the middle of every part of every power of two down to the least that is drawn, and next to
        // them.
        for exponent in 0..=53 {
            for half in 0..=2 * PARTS as u64 {
                let at = (1.0 + half as f64 / (2 * PARTS) as f64) * 0.5f64.powi(exponent + 1);
                [at.to_bits() - 1, at.to_bits(), at.to_bits() + 1]
                    .map(f64::from_bits)
                    .into_iter()
                    .filter(|&x| x <= 1.0)
                    .for_each(check);
            }
        }
        for scale in [1.0, 0.5, 1e-3, 1e-9, 1e-15] {
            for _ in 0..20_000 {
                check(1.0 - s.uniform() * scale);
                check((1.0 - s.uniform()) * scale);
            }
        }
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
