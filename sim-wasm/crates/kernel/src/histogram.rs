//! A log-linear histogram of spans: 32 equal buckets in every octave, so a bucket is at most 3.1 % wide. Each bucket keeps the
//! sum of its observations too, so that a quantile of spans that are all alike is that span.
use crate::time::Ns;

const SUB_BITS: u32 = 5;
const SUB: u64 = 1 << SUB_BITS;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bucket {
    sum: u64,
    count: u32,
}

/// Counts by bucket, with exact count, sum and maximum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Histogram {
    buckets: Vec<Bucket>,
    count: u64,
    sum: u64,
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
    #[inline(always)]
    pub fn record(&mut self, span: Ns) {
        let at = index(span.0);
        match self.buckets.get_mut(at) {
            Some(bucket) => {
                bucket.count += 1;
                bucket.sum += span.0;
            }
            None => self.record_beyond(at, span),
        }
        self.count += 1;
        self.sum += span.0;
        self.max = self.max.max(span.0);
    }

    #[cold]
    fn record_beyond(&mut self, at: usize, span: Ns) {
        self.buckets.resize(at + 1, Bucket::default());
        self.buckets[at] = Bucket { sum: span.0, count: 1 };
    }

    /// Number of observations.
    pub fn count(&self) -> u64 {
        self.count
    }
    /// Their exact sum \[ns\].
    pub fn sum(&self) -> u64 {
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

    /// Mean of the bucket in which the share `q` of the observations is reached \[ns\]; zero if empty.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = ((q * self.count as f64).ceil() as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        for bucket in self.buckets.iter().filter(|b| b.count > 0) {
            seen += u64::from(bucket.count);
            if seen >= rank {
                return bucket.sum as f64 / f64::from(bucket.count);
            }
        }
        0.0
    }

    /// Adds all observations of another.
    pub fn add(&mut self, other: &Histogram) {
        if other.buckets.len() > self.buckets.len() {
            self.buckets.resize(other.buckets.len(), Bucket::default());
        }
        for (mine, theirs) in self.buckets.iter_mut().zip(&other.buckets) {
            mine.count += theirs.count;
            mine.sum += theirs.sum;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// What was recorded since `earlier`, an older copy of this histogram. Where the maximum is older than the copy,
    /// the upper edge of the highest bucket in use takes its place.
    pub fn since(&self, earlier: &Histogram) -> Histogram {
        let mut buckets = self.buckets.clone();
        for (mine, theirs) in buckets.iter_mut().zip(&earlier.buckets) {
            mine.count -= theirs.count;
            mine.sum -= theirs.sum;
        }
        let top = buckets.iter().rposition(|b| b.count > 0);
        let max = match top {
            None => 0,
            Some(at) if at == index(self.max) => self.max,
            Some(at) => edge(at + 1) - 1,
        };
        Histogram { buckets, count: self.count - earlier.count, sum: self.sum - earlier.sum, max }
    }

    /// Buckets in use: lower edge, upper edge \[ns\], count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        let used = self.buckets.iter().enumerate().filter(|(_, b)| b.count > 0);
        used.map(|(at, b)| (edge(at), edge(at + 1), u64::from(b.count)))
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
        let mut alike = Histogram::default();
        (0..9).for_each(|_| alike.record(Ns(100_200_000)));
        alike.record(Ns(7));
        assert_eq!(alike.quantile(0.5), 100_200_000.0);
        assert!((h.quantile(0.99) / 99_000.0 - 1.0).abs() < 0.02);
        assert_eq!(h.mean(), 50_000.5);
    }
}
