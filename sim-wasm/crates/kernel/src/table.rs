//! Tables by number that grow as numbers come.

/// Makes a place for `index`, filled with `fresh` up to there. Where there is no room it makes an eighth more than
/// there was, not twice as much: of many thousands, half would lie idle.
pub fn reach<T: Clone>(table: &mut Vec<T>, index: usize, fresh: T) {
    let wanted = index + 1;
    if wanted > table.capacity() {
        table.reserve_exact((wanted - table.len()).max(table.len() / 8));
    }
    if wanted > table.len() {
        table.resize(wanted, fresh);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_and_little_more_than_is_used_is_taken() {
        let mut table = Vec::new();
        for index in 0..100_000u32 {
            reach(&mut table, index as usize, index);
        }
        reach(&mut table, 5, 0);
        assert!(table.iter().copied().eq(0..100_000));
        assert!(table.capacity() <= 112_501, "{}", table.capacity());
        reach(&mut table, 200_000, 7);
        assert_eq!((table.len(), table[99_999], table[100_000], table[200_000]), (200_001, 99_999, 7, 7));
    }
}
