//! A four-way heap: shallower than a binary one, and its children share a cache line.

/// By what entries are ordered.
pub trait Key: Copy + Ord {
    /// The largest possible.
    const LARGEST: Self;
}

impl Key for u64 {
    const LARGEST: u64 = u64::MAX;
}

impl Key for u128 {
    const LARGEST: u128 = u128::MAX;
}

/// Smallest key first. Equal keys leave in no promised order, so keys carry their own tie-break.
#[derive(Clone, Debug)]
pub struct Heap<V, K = u128> {
    items: Vec<(K, V)>,
}

impl<V, K> Default for Heap<V, K> {
    fn default() -> Self {
        Heap { items: Vec::new() }
    }
}

impl<V: Copy, K: Key> Heap<V, K> {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.items.len()
    }
    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    /// Smallest key; the largest possible when empty.
    #[inline]
    pub fn min_key(&self) -> K {
        self.items.first().map_or(K::LARGEST, |e| e.0)
    }
    /// The entry with the smallest key.
    #[inline]
    pub fn peek(&self) -> Option<(K, V)> {
        self.items.first().copied()
    }
    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.items.iter()
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, key: K, value: V) {
        self.items.push((key, value));
        self.up(self.items.len() - 1);
    }

    /// Takes the entry with the smallest key.
    #[inline]
    pub fn pop(&mut self) -> Option<(K, V)> {
        let last = self.items.pop()?;
        self.pop_push(last.0, last.1).or(Some(last))
    }

    /// Takes the smallest and adds another in one pass.
    #[inline]
    pub fn pop_push(&mut self, key: K, value: V) -> Option<(K, V)> {
        let first = self.items.first_mut()?;
        let taken = std::mem::replace(first, (key, value));
        self.down(0);
        Some(taken)
    }

    /// Takes the smallest entry for which `wanted` holds; looks at every entry.
    pub fn remove_min_where(&mut self, wanted: impl Fn(&(K, V)) -> bool) -> Option<(K, V)> {
        let found = self.items.iter().enumerate().filter(|(_, e)| wanted(e)).min_by_key(|(_, e)| e.0)?;
        Some(self.remove_at(found.0))
    }

    fn remove_at(&mut self, at: usize) -> (K, V) {
        let taken = self.items.swap_remove(at);
        if at < self.items.len() {
            self.down(at);
            self.up(at);
        }
        taken
    }

    #[inline]
    fn up(&mut self, mut at: usize) {
        let entry = self.items[at];
        while at > 0 {
            let parent = (at - 1) / 4;
            if self.items[parent].0 <= entry.0 {
                break;
            }
            self.items[at] = self.items[parent];
            at = parent;
        }
        self.items[at] = entry;
    }

    #[inline]
    fn down(&mut self, mut at: usize) {
        let items = self.items.as_mut_slice();
        let entry = items[at];
        loop {
            let first = 4 * at + 1;
            // Found by counting, not by branches: which child is the least cannot be foreseen.
            let (least, child) = match items.get(first..) {
                Some([a, b, c, d, ..]) => {
                    let pairs = [[a, b], [c, d]];
                    let of_pair = [usize::from(b.0 < a.0), usize::from(d.0 < c.0)];
                    let pair = usize::from(pairs[1][of_pair[1]].0 < pairs[0][of_pair[0]].0);
                    (2 * pair + of_pair[pair], *pairs[pair][of_pair[pair]])
                }
                Some([a, b, c]) => {
                    let least = usize::from(b.0 < a.0);
                    let least = if c.0 < [a, b][least].0 { 2 } else { least };
                    (least, *[a, b, c][least])
                }
                Some([a, b]) => {
                    let least = usize::from(b.0 < a.0);
                    (least, *[a, b][least])
                }
                Some([a]) => (0, *a),
                _ => break,
            };
            if child.0 >= entry.0 {
                break;
            }
            items[at] = child;
            at = first + least;
        }
        items[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The honest twin: a sorted list.
    #[test]
    fn leaves_in_the_order_of_a_sorted_list() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as u128
        };
        let (mut heap, mut list) = (Heap::default(), Vec::new());
        for step in 0..5_000u32 {
            let key = next() << 32 | u128::from(step);
            match step % 7 {
                0..=3 => {
                    heap.push(key, step);
                    list.push((key, step));
                }
                4 if !list.is_empty() => {
                    list.sort();
                    let taken = list.remove(0);
                    list.push((key, step));
                    assert_eq!(heap.pop_push(key, step), Some(taken));
                }
                5 => {
                    list.sort();
                    let odd = list.iter().position(|e| e.1 % 2 == 1).map(|i| list.remove(i));
                    assert_eq!(heap.remove_min_where(|e| e.1 % 2 == 1), odd);
                }
                _ => {
                    list.sort();
                    let taken = (!list.is_empty()).then(|| list.remove(0));
                    assert_eq!(heap.pop(), taken);
                }
            }
            assert_eq!(heap.len(), list.len());
        }
    }
}
