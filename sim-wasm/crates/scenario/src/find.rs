//! Knobs by their names.

use crate::knob::Knob;
use crate::knobs::KNOBS;
use std::sync::OnceLock;

/// Rows by a mark of their name, for a scenario asks for hundreds of them: of each mark the first row, of each row the
/// next of its mark, each one more than its place, and 0 where there is none.
struct Index {
    first: [u16; MARKS],
    next: Vec<u16>,
}

const MARKS: usize = 256;

fn mark(id: &str) -> usize {
    id.bytes().fold(0, |mark: usize, byte| mark.wrapping_mul(31) ^ usize::from(byte)) % MARKS
}

fn index() -> Index {
    let mut index = Index { first: [0; MARKS], next: Vec::with_capacity(KNOBS.len()) };
    for (row, knob) in (1..).zip(KNOBS) {
        index.next.push(std::mem::replace(&mut index.first[mark(knob.id)], row));
    }
    index
}

/// The row called `id`.
pub fn find(id: &str) -> Option<&'static Knob> {
    static INDEX: OnceLock<Index> = OnceLock::new();
    let index = INDEX.get_or_init(index);
    let mut row = usize::from(index.first[mark(id)]);
    while row > 0 {
        let knob = &KNOBS[row - 1];
        if knob.id == id {
            return Some(knob);
        }
        row = usize::from(index.next[row - 1]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found_by_its_name_and_nothing_by_another() {
        for knob in KNOBS {
            assert!(find(knob.id).is_some_and(|found| std::ptr::eq(found, knob)), "{}", knob.id);
            assert!(find(&knob.id[1..]).is_none_or(|found| found.id == &knob.id[1..]));
        }
        assert!(find("").is_none() && find("no_such_knob").is_none());
    }
}
