//! A log-linear histogram of spans: 32 equal buckets in every octave, so a bucket is at most 3.1 % wide.
use crate::time::Ns;

const SUB_BITS: u32 = 5;
const SUB: u64 = 1 << SUB_BITS;

/// Counts by bucket, with exact count, sum and maximum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    counts: Vec<u32>,
    count: u64,
    sum: u128,
    max: u64,
}

#[inline]
fn index(ns: u64) -> usize {
    if ns < SUB {
        return ns as usize;
    }
    let octave = 63 - ns.leading_zeros() - SUB_BITS;
    ((u64::from(octave) << SUB_BITS) + (ns >> octave)) as usize
}

/// Lower edge of a bucket \[ns\].
fn edge(index: usize) -> u64 {
    let index = index as u64;
    if index < 2 * SUB {
        return index;
    }
    let octave = (index >> SUB_BITS) - 1;
    ((index & (SUB - 1)) + SUB) << octave
}

impl Histogram {
    /// Adds one observation.
    #[inline]
    pub fn record(&mut self, span: Ns) {
        let at = index(span.0);
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.count += 1;
        self.sum += u128::from(span.0);
        self.max = self.max.max(span.0);
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.count
    }
    /// Their exact sum \[ns\].
    pub fn sum(&self) -> u128 {
        self.sum
    }
    /// The largest.
    pub fn max(&self) -> Ns {
        Ns(self.max)
    }
    /// The exact mean \[ns\]; zero without observations.
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            return 0.0;
        }
        self.sum as f64 / self.count as f64
    }

    /// The smallest bucket middle with at least the share `q` of the observations at or below it \[ns\]; zero if empty.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = ((q * self.count as f64).ceil() as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        for (at, &n) in self.counts.iter().enumerate() {
            seen += u64::from(n);
            if n > 0 && seen >= rank {
                let middle = (edge(at) + edge(at + 1) - 1) as f64 / 2.0;
                return middle.min(self.max as f64);
            }
        }
        0.0
    }

    /// Adds all observations of another.
    pub fn add(&mut self, other: &Histogram) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// What was recorded since `earlier`, an older copy of this histogram. Where the maximum is older than the copy,
    /// the upper edge of the highest bucket in use takes its place.
    pub fn since(&self, earlier: &Histogram) -> Histogram {
        let mut counts = self.counts.clone();
        for (mine, theirs) in counts.iter_mut().zip(&earlier.counts) {
            *mine -= theirs;
        }
        let top = counts.iter().rposition(|&n| n > 0);
        let max = match top {
            None => 0,
            Some(at) if at == index(self.max) => self.max,
            Some(at) => edge(at + 1) - 1,
        };
        Histogram { counts, count: self.count - earlier.count, sum: self.sum - earlier.sum, max }
    }

    /// Buckets in use: lower edge, upper edge \[ns\], count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let used = self.counts.iter().enumerate().filter(|(_, &n)| n > 0);
        used.map(|(at, &n)| (edge(at), edge(at + 1), u64::from(n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_span_lies_in_its_bucket_and_no_bucket_is_wide() {
        let spans = (0..200u64).chain((0..58).flat_map(|o| [(1 << o) - 1, 1 << o, (1 << o) + (1 << o) / 3]));
        for ns in spans {
            let at = index(ns);
            assert!(edge(at) <= ns && ns < edge(at + 1), "{ns}");
            let width = (edge(at + 1) - edge(at)) as f64;
            assert!(width <= 1.0 || width / edge(at) as f64 <= 0.05, "{ns}: {width}");
        }
    }

    #[test]
    fn later_minus_earlier_is_what_came_between() {
        let (mut all, mut part) = (Histogram::default(), Histogram::default());
        (1..1000).for_each(|n| all.record(Ns(n)));
        let earlier = all.clone();
        for n in [7, 70_000, 900] {
            all.record(Ns(n));
            part.record(Ns(n));
        }
        assert_eq!(all.since(&earlier).buckets().collect::<Vec<_>>(), part.buckets().collect::<Vec<_>>());
        assert_eq!(all.since(&earlier).max(), Ns(70_000));
    }

    #[test]
    fn quantiles_of_a_uniform_ramp() {
        let mut h = Histogram::default();
        (1..=100_000).for_each(|n| h.record(Ns(n)));
        assert!((h.quantile(0.5) / 50_000.0 - 1.0).abs() < 0.02);
        assert!((h.quantile(0.99) / 99_000.0 - 1.0).abs() < 0.02);
        assert_eq!(h.mean(), 50_000.5);
    }
}
