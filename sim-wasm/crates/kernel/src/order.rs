//! Sorting in one copy, by the heap that is there anyway: the library's sort is some seven kilobytes for each type of
//! element in what the page downloads. Not for hot loops.
use crate::heap::Heap;

/// Sorts numbers.
#[inline(never)]
fn sort_keys(keys: &mut [u128]) {
    let mut heap = Heap::default();
    keys.iter().for_each(|&key| heap.push(key, ()));
    keys.iter_mut().for_each(|key| *key = heap.pop().map_or(*key, |(least, ())| least));
}

/// Sorts by rank; what ranks alike keeps its order.
pub fn sort_by_rank<T: Clone>(values: &mut [T], rank: impl Fn(&T) -> u64) {
    let mut keys: Vec<u128> = (0..).zip(values.iter()).map(|(at, value)| u128::from(rank(value)) << 64 | at).collect();
    sort_keys(&mut keys);
    let sorted: Vec<T> = keys.iter().map(|&key| values[key as u64 as usize].clone()).collect();
    values.clone_from_slice(&sorted);
}

/// Sorts numbers and keeps each once.
pub fn sort_and_dedup(values: &mut Vec<usize>) {
    sort_by_rank(values, |&value| value as u64);
    values.dedup();
}

/// A rank under which smaller numbers come first, below zero too.
pub fn ascending(value: i64) -> u64 {
    value as u64 ^ 1 << 63
}

/// A rank under which larger numbers come first; not a number comes last.
pub fn descending(value: f64) -> u64 {
    let bits = value.to_bits();
    let ascending = if bits >> 63 == 0 { bits | 1 << 63 } else { !bits };
    if value.is_nan() {
        u64::MAX
    } else {
        !ascending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_ranks_alike_keeps_its_order() {
        let mut words = vec!["dd", "a", "ccc", "bb", "b", "aa"];
        sort_by_rank(&mut words, |word| word.len() as u64);
        assert_eq!(words, ["a", "b", "dd", "bb", "aa", "ccc"]);
        let mut numbers = vec![5, 3, 5, 1, 3];
        sort_and_dedup(&mut numbers);
        assert_eq!(numbers, [1, 3, 5]);
    }

    #[test]
    fn numbers_below_zero_rank_before_those_above() {
        let mut values = [3, -2, 0, i64::MAX, i64::MIN, -1];
        sort_by_rank(&mut values, |&value| ascending(value));
        assert_eq!(values, [i64::MIN, -2, -1, 0, 3, i64::MAX]);
    }

    #[test]
    fn the_largest_number_ranks_first() {
        let mut values = [0.5, -1.0, f64::NAN, 3.0, -0.25, 1e300, 0.0];
        sort_by_rank(&mut values, |&value| descending(value));
        assert_eq!(values[..6], [1e300, 3.0, 0.5, 0.0, -0.25, -1.0]);
        assert!(values[6].is_nan());
    }
}
