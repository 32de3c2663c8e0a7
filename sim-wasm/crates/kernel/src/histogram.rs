//! A log-linear histogram of spans: 32 equal buckets in every octave, so a bucket is at most 3.1 % wide.
//!
//! A bucket keeps count, sum and sum of squares of where its observations lie in it. Between those two moments they are
//! taken to lie evenly, so a quantile moves smoothly through a bucket, and a quantile of spans that are all alike is
//! that span.
//!
//! Buckets stand side by side from the lowest octave in use to the highest: to record one is to find its place.
//! What is kept and not added to any more is packed ([`packed`]).
use crate::time::Ns;

pub mod packed;

const SUB_BITS: u32 = 5;
const SUB: u64 = 1 << SUB_BITS;

/// Places in a bucket are told in so many parts of its width, as a power of two.
const PLACE_BITS: u32 = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bucket {
    sum: u64,
    /// Squares of the places within the bucket; a place is a part of [`PLACE_BITS`], counted from the lower edge.
    squares: u64,
    count: u32,
}

/// Counts by bucket, with exact count, sum and maximum; that of a difference ([`Histogram::since`]) may be an edge.
#[derive(Debug, Default)]
pub struct Histogram {
    /// Whole octaves.
    buckets: Vec<Bucket>,
    /// Index of the first of them.
    first: usize,
    count: u64,
    max: u64,
    sum: u64,
}

/// Octave of a span: the lowest two have buckets of one nanosecond.
#[inline]
fn octave(ns: u64) -> u32 {
    63 - (ns | SUB).leading_zeros() - SUB_BITS
}

#[inline]
fn index(ns: u64) -> usize {
    let octave = octave(ns);
    ((u64::from(octave) << SUB_BITS) + (ns >> octave)) as usize
}

/// Where in its bucket a span lies, in parts of its width.
#[inline]
fn place(ns: u64) -> u64 {
    ((ns << PLACE_BITS) >> octave(ns)) & ((1 << PLACE_BITS) - 1)
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

impl Bucket {
    /// Between which spans \[ns\] its observations lie evenly: those of their mean and variance, within the bucket.
    fn spread(&self, at: usize) -> (f64, f64) {
        let (low, high) = (edge(at) as f64, edge(at + 1) as f64);
        let count = f64::from(self.count);
        let mean = self.sum as f64 / count;
        let part = (high - low) / f64::from(1u32 << PLACE_BITS);
        let place = (mean - low) / part;
        let variance = self.squares as f64 / count - place * place;
        // Places are rounded down, so their squares are short by up to 2 × place: so little spread is none.
        let half = if variance.abs() <= 2.0 * place + 1.0 { 0.0 } else { (3.0 * variance.max(0.0)).sqrt() * part };
        ((mean - half).max(low), (mean + half).min(high))
    }
}

/// Room that holds nothing is not copied.
impl Clone for Histogram {
    fn clone(&self) -> Self {
        let buckets = if self.count == 0 { Vec::new() } else { self.buckets.clone() };
        Histogram { buckets, first: self.first, count: self.count, sum: self.sum, max: self.max }
    }
}

/// They hold the same observations, whatever octaves have room.
impl PartialEq for Histogram {
    fn eq(&self, other: &Histogram) -> bool {
        (self.count, self.sum, self.max) == (other.count, other.sum, other.max) && self.used().eq(other.used())
    }
}

impl Histogram {
    /// Adds one observation.
    #[inline(always)]
    pub fn record(&mut self, span: Ns) {
        let at = index(span.0);
        match self.buckets.get_mut(at.wrapping_sub(self.first)) {
            Some(bucket) => {
                let place = place(span.0);
                bucket.count += 1;
                bucket.sum += span.0;
                bucket.squares += place * place;
            }
            None => self.record_beyond(at, span),
        }
        self.count += 1;
        self.sum += span.0;
        if span.0 > self.max {
            self.max = span.0;
        }
    }

    #[cold]
    #[inline(never)]
    fn record_beyond(&mut self, at: usize, span: Ns) {
        let place = place(span.0);
        *self.bucket(at) = Bucket { sum: span.0, squares: place * place, count: 1 };
    }

    /// The bucket of an index, with room made for its octave where there is none.
    #[inline(never)]
    fn bucket(&mut self, at: usize) -> &mut Bucket {
        const OCTAVE: usize = SUB as usize;
        let octave = at - at % OCTAVE;
        if self.buckets.is_empty() {
            self.first = octave;
        }
        if octave < self.first {
            let mut wider = vec![Bucket::default(); self.first - octave];
            wider.append(&mut self.buckets);
            self.buckets = wider;
            self.first = octave;
        }
        let needed = octave + OCTAVE - self.first;
        if needed > self.buckets.len() {
            self.buckets.resize(needed, Bucket::default());
        }
        &mut self.buckets[at - self.first]
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

    /// Between which spans \[ns\] those of a bucket lie evenly; none is longer than the longest.
    fn spread(&self, at: usize, bucket: &Bucket) -> (f64, f64) {
        let (low, high) = bucket.spread(at);
        (low, high.min(self.max as f64))
    }

    /// The span below which the share `q` (0 to 1) of the observations lies \[ns\]; zero if empty.
    pub fn quantile(&self, q: f64) -> f64 {
        let rank = q.clamp(0.0, 1.0) * self.count as f64;
        let (mut seen, mut last) = (0.0, 0.0);
        for (at, bucket) in self.used() {
            let (low, high) = self.spread(at, bucket);
            let count = f64::from(bucket.count);
            if seen + count >= rank {
                return low + (high - low) * ((rank - seen) / count);
            }
            (seen, last) = (seen + count, high);
        }
        last
    }

    /// The share of the observations that last at most `span` \[ns\]: what [`Histogram::quantile`] undoes. Zero if
    /// empty.
    pub fn share_within(&self, span: f64) -> f64 {
        self.share(span, true)
    }

    /// The share that is shorter: without those of a heap of equal spans.
    pub fn share_below(&self, span: f64) -> f64 {
        self.share(span, false)
    }

    #[inline(never)]
    fn share(&self, span: f64, is_within: bool) -> f64 {
        let mut seen = 0.0;
        for (at, bucket) in self.used() {
            let (low, high) = self.spread(at, bucket);
            if span < low || span == low && !is_within {
                break;
            }
            let part = if span >= high { 1.0 } else { (span - low) / (high - low) };
            seen += part * f64::from(bucket.count);
        }
        seen / self.count.max(1) as f64
    }

    fn used(&self) -> impl Iterator<Item = (usize, &Bucket)> {
        let first = self.first;
        let counted = self.buckets.iter().enumerate().filter(|(_, b)| b.count > 0);
        counted.map(move |(at, bucket)| (first + at, bucket))
    }

    /// Adds all observations of another.
    pub fn add(&mut self, other: &Histogram) {
        for (at, theirs) in other.used() {
            let mine = self.bucket(at);
            mine.count += theirs.count;
            mine.sum += theirs.sum;
            mine.squares += theirs.squares;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// What was recorded since `earlier`, an older copy of this histogram. Where the maximum is older than what is
    /// held, the upper edge of the highest bucket in use takes its place.
    pub fn since(&self, earlier: &Histogram) -> Histogram {
        let mut later = self.clone();
        for (at, theirs) in earlier.used() {
            let mine = later.bucket(at);
            mine.count -= theirs.count;
            mine.sum -= theirs.sum;
            mine.squares -= theirs.squares;
        }
        later.count -= earlier.count;
        later.sum -= earlier.sum;
        later.settle_max();
        later
    }

    fn settle_max(&mut self) {
        self.max = match self.used().last() {
            None => 0,
            Some((at, _)) if at == index(self.max) => self.max,
            Some((at, _)) => edge(at + 1) - 1,
        };
    }

    /// Memory that its buckets take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.buckets.capacity() * std::mem::size_of::<Bucket>()
    }

    /// Buckets in use: lower edge, upper edge \[ns\], count.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
        self.used().map(|(at, b)| (edge(at), edge(at + 1), u64::from(b.count)))
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
        // Evenly spread observations: right to a thousandth anywhere, though a bucket is up to 3 % wide.
        for q in [0.1, 0.37, 0.5, 0.731, 0.95, 0.99, 0.995] {
            assert!((h.quantile(q) / (q * 100_000.0) - 1.0).abs() < 0.001, "{q}: {}", h.quantile(q));
        }
        assert_eq!(h.mean(), 50_000.5);
    }

    #[test]
    fn the_quantile_of_spans_all_alike_is_that_span() {
        for span in [3, 31, 77, 1_000, 100_200_000, 123_456_789_012] {
            let mut alike = Histogram::default();
            (0..9).for_each(|_| alike.record(Ns(span)));
            alike.record(Ns(1));
            assert_eq!(alike.quantile(0.5), span as f64);
            assert_eq!(alike.quantile(0.99), span as f64);
        }
    }

    #[test]
    fn no_quantile_is_longer_than_the_longest() {
        let mut h = Histogram::default();
        // Most at the upper end of one bucket: evenly about their mean they would reach beyond it.
        let spans = (0..100).map(|n| Ns(814_600_000 - if n < 25 { 9_000_000 } else { 0 }));
        spans.for_each(|span| h.record(span));
        assert_eq!((h.buckets().count(), h.max()), (1, Ns(814_600_000)));
        assert_eq!((h.quantile(0.999), h.quantile(1.0)), (h.quantile(0.999).min(814.6e6), 814.6e6));
        assert_eq!(h.share_within(814.6e6), 1.0);
        let earlier = h.clone();
        h.record(Ns(811_000_000));
        let part = h.since(&earlier);
        assert!(part.quantile(1.0) <= part.max().0 as f64);
    }

    #[test]
    fn two_kinds_in_one_bucket_lie_about_their_mean() {
        let mut h = Histogram::default();
        (0..900).for_each(|_| h.record(Ns(100_000)));
        (0..100).for_each(|_| h.record(Ns(100_300)));
        assert_eq!(h.buckets().count(), 1);
        assert!((h.quantile(0.5) / 100_030.0 - 1.0).abs() < 0.001, "{}", h.quantile(0.5));
    }

    #[test]
    fn a_quantile_of_an_exponential_law_has_no_steps() {
        let mut stream = crate::rng::Stream::new(1, 0, "test", 0, "exponential");
        let mut h = Histogram::default();
        (0..2_000_000).for_each(|_| h.record(Ns((stream.exponential() * 1e6) as u64)));
        let mut before = 0.0;
        for step in 0..400 {
            let q = 0.5 + f64::from(step) * 0.001;
            let (found, exact) = (h.quantile(q), -libm::log(1.0 - q) * 1e6);
            assert!((found / exact - 1.0).abs() < 0.005, "{q}: {found} for {exact}");
            assert!(found > before, "{q}");
            assert!((h.share_within(found) - q).abs() < 1e-9, "{q}");
            before = found;
        }
    }

    #[test]
    fn shares_run_from_nothing_to_all() {
        let mut h = Histogram::default();
        assert_eq!((h.share_within(5.0), h.quantile(0.5)), (0.0, 0.0));
        [10, 10, 10, 40].into_iter().for_each(|n| h.record(Ns(n)));
        assert_eq!([9.0, 10.0, 39.0, 40.0, 1e9].map(|x| h.share_within(x)), [0.0, 0.75, 0.75, 1.0, 1.0]);
        assert_eq!([0.0, 0.75, 0.76, 1.0].map(|q| h.quantile(q)), [10.0, 10.0, 40.0, 40.0]);
    }
}
