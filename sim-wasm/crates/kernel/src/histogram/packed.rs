//! Histograms that are kept and not added to any more, as bytes: of each bucket in use its distance from the one
//! before, its count and what its two moments are beyond its lower edge. A bucket of one observation is four to six
//! bytes, not 24.
use super::{edge, place, Bucket, Histogram};

/// Whole numbers of seven bits a byte, the lowest first; the eighth says that more follow.
fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// What [`write`] wrote, taken off the front; 0 at the end.
fn read(bytes: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            break;
        }
    }
    number
}

impl Histogram {
    /// Writes what it holds behind `bytes`, and starts anew.
    pub fn pack(&mut self, bytes: &mut Vec<u8>) {
        let mut left = self.count;
        if left > 0 {
            write(bytes, self.max + 1);
        }
        let mut next = 0;
        for (at, bucket) in (self.first..).zip(&mut self.buckets) {
            if left == 0 {
                break;
            }
            if bucket.count == 0 {
                continue;
            }
            let beyond = bucket.sum - u64::from(bucket.count) * edge(at);
            // One more than the distance: 0 is the end.
            let distance = (at - next + 1) as u64;
            next = at;
            if bucket.count == 1 {
                write(bytes, distance << 1 | 1);
                write(bytes, beyond);
            } else {
                write(bytes, distance << 1);
                [u64::from(bucket.count), beyond, bucket.squares].into_iter().for_each(|number| write(bytes, number));
            }
            left -= u64::from(bucket.count);
            *bucket = Bucket::default();
        }
        write(bytes, 0);
        (self.count, self.sum, self.max) = (0, 0, 0);
    }

    /// Adds what the front of `bytes` holds, and takes it off.
    pub fn unpack(&mut self, bytes: &mut &[u8]) {
        let Some(max) = read(bytes).checked_sub(1) else { return };
        self.max = self.max.max(max);
        let mut at = 0;
        loop {
            let head = read(bytes);
            if head == 0 {
                return;
            }
            at += (head >> 1) as usize - 1;
            let low = edge(at);
            let found = if head & 1 == 1 {
                let span = low + read(bytes);
                Bucket { sum: span, squares: place(span) * place(span), count: 1 }
            } else {
                let count = read(bytes) as u32;
                Bucket { sum: u64::from(count) * low + read(bytes), squares: read(bytes), count }
            };
            let mine = self.bucket(at);
            mine.count += found.count;
            mine.sum += found.sum;
            mine.squares += found.squares;
            self.count += u64::from(found.count);
            self.sum += found.sum;
        }
    }

    /// Gives back the memory of its buckets; what is left is count, sum and maximum.
    pub fn release(&mut self) {
        self.buckets = Vec::new();
    }
}

/// One histogram as bytes.
#[derive(Clone, Debug, Default)]
pub struct Packed(Box<[u8]>);

impl Packed {
    /// Of a histogram, which starts anew.
    pub fn of(histogram: &mut Histogram) -> Packed {
        let mut bytes = Vec::new();
        histogram.pack(&mut bytes);
        Packed(bytes.into())
    }

    /// Adds what it holds to a histogram.
    pub fn add_to(&self, histogram: &mut Histogram) {
        histogram.unpack(&mut &self.0[..]);
    }

    /// As a histogram.
    pub fn open(&self) -> Histogram {
        let mut histogram = Histogram::default();
        self.add_to(&mut histogram);
        histogram
    }

    /// Memory that it takes, in bytes.
    pub fn heap_bytes(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;
    use crate::time::Ns;

    #[test]
    fn numbers_of_all_lengths_come_back() {
        let numbers = (0..64).flat_map(|bit| [(1u64 << bit) - 1, 1 << bit]).chain([u64::MAX]);
        let mut bytes = Vec::new();
        numbers.clone().for_each(|number| write(&mut bytes, number));
        let mut left = &bytes[..];
        numbers.for_each(|number| assert_eq!(read(&mut left), number));
        assert_eq!((left.len(), read(&mut left)), (0, 0));
    }

    #[test]
    fn windows_put_together_are_the_whole_and_each_is_what_came_in_it() {
        let mut stream = Stream::new(3, 0, "test", 0, "windows");
        let (mut all, mut present) = (Histogram::default(), Histogram::default());
        let (mut bytes, mut windows) = (Vec::new(), Vec::new());
        for window in 0..9u32 {
            let mut own = Histogram::default();
            // None, one, then ever more, of many octaves, the later ones longer.
            for _ in 0..if window == 0 { 0 } else { 4u32.pow(window - 1) } {
                let span = Ns((stream.exponential() * f64::from(10u32.pow(window))) as u64);
                [&mut all, &mut present, &mut own].into_iter().for_each(|h| h.record(span));
            }
            present.pack(&mut bytes);
            assert_eq!((present.count(), present.sum(), present.max()), (0, 0, Ns(0)));
            windows.push(own);
        }
        let (mut left, mut whole) = (&bytes[..], Histogram::default());
        for own in &windows {
            let mut found = Histogram::default();
            let before = left;
            found.unpack(&mut left);
            whole.unpack(&mut &before[..before.len() - left.len()]);
            assert_eq!(&found, own);
            assert_eq!([0.5, 0.99].map(|q| found.quantile(q)), [0.5, 0.99].map(|q| own.quantile(q)));
        }
        assert_eq!(left.len(), 0);
        assert_eq!(whole, all);
    }

    #[test]
    fn the_maximum_of_a_window_is_the_longest_that_came_in_it() {
        let mut h = Histogram::default();
        [900_000, 1_000].into_iter().for_each(|n| h.record(Ns(n)));
        h.pack(&mut Vec::new());
        h.record(Ns(1_001));
        let window = Packed::of(&mut h).open();
        assert_eq!((window.count(), window.max()), (1, Ns(1_001)));
    }

    #[test]
    fn a_bucket_of_one_takes_few_bytes() {
        let mut h = Histogram::default();
        (0..30).for_each(|octave| h.record(Ns((1 << octave) + 3)));
        assert!(h.heap_bytes() >= 24 * 30);
        let packed = Packed::of(&mut h);
        assert!(packed.heap_bytes() < 6 * 30, "{}", packed.heap_bytes());
        h.release();
        assert_eq!(h.heap_bytes(), 0);
    }
}
