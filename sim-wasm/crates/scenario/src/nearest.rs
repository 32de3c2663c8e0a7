//! The known name nearest to a misspelt one.

use crate::knobs::KNOBS;

/// Letters that may be wrong in a name and it is still near.
fn tolerance(known: &str) -> usize {
    1 + known.len() / 4
}

/// The known name nearest to a misspelt one, when it is near. A name that differs in length by more than may be wrong
/// is not compared, so that a long one costs no more than the looking at its first letters.
pub fn nearest(id: &str) -> Option<&'static str> {
    let longest = KNOBS.iter().map(|knob| knob.id.len() + tolerance(knob.id)).max().unwrap_or(0);
    let letters = id.chars().take(longest + 1).count();
    KNOBS
        .iter()
        .filter(|knob| letters.abs_diff(knob.id.len()) <= tolerance(knob.id))
        .map(|knob| (edit_distance(id, knob.id), knob.id))
        .min()
        .filter(|&(distance, known)| distance <= tolerance(known))
        .map(|(_, known)| known)
}

#[cfg(test)]
thread_local! {
    /// Pairs of letters compared in this thread.
    pub(crate) static COMPARED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    #[cfg(test)]
    COMPARED.set(COMPARED.get() + (a.chars().count() * b.len()) as u64);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        assert_eq!(nearest("cpu_cuont"), Some("cpu_count"));
        assert_eq!(nearest("think_time"), Some("think_time_ms"));
        assert_eq!(nearest("quantum_of_solace_in_parsecs"), None);
        assert_eq!(nearest(&"cpu_count".repeat(1000)), None);
    }
}
