//! Waiting processes of one queue in the order of their virtual deadlines. Finds the first whose virtual time
//! satisfies a limit without looking at the others.
//!
//! A sorted list while it is short. Beyond that a treap: a search tree by deadline, a heap by a priority that is a
//! scrambled serial number, so its depth is logarithmic and the same on every machine. Each node knows the least
//! virtual time below it (as `min_vruntime` of the kernel's tree).
use crate::ids::Pid;
use wwi_kernel::order::{ascending, sort_by_rank};

/// A list of more becomes a tree: up to about this many, moving entries in memory is faster than following links.
const LONGEST_LIST: usize = 128;
/// A tree of fewer becomes a list.
const SMALLEST_TREE: usize = 32;
/// No node.
const NONE: u32 = u32::MAX;

/// A waiting process.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Virtual deadline \[ns of virtual time\].
    pub deadline: i64,
    /// Serial number of its queueing: of equal deadlines the earlier comes first. No two are alike.
    pub serial: u64,
    /// Virtual time \[ns\].
    pub virtual_time: i64,
    /// Who.
    pub pid: Pid,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    entry: Entry,
    /// Least virtual time of this node and all below.
    least: i64,
    priority: u32,
    left: u32,
    right: u32,
}

/// A list whose front is left behind, so that to take from near it moves little. It is cleared now and then.
#[derive(Clone, Debug, Default)]
struct List {
    entries: Vec<Entry>,
    gone: usize,
}

impl std::ops::Deref for List {
    type Target = [Entry];

    #[inline]
    fn deref(&self) -> &[Entry] {
        &self.entries[self.gone..]
    }
}

impl List {
    fn insert(&mut self, place: usize, entry: Entry) {
        self.entries.insert(self.gone + place, entry);
    }

    fn remove(&mut self, place: usize) {
        self.entries.remove(self.gone + place);
    }

    /// The entry at a place is taken, and another comes behind all but the last `behind`, which come after that place.
    #[inline]
    fn exchange(&mut self, place: usize, entry: Entry, behind: usize) {
        let list = &mut self.entries[self.gone..];
        if place > 0 {
            list.copy_within(0..place, 1);
        }
        self.gone += 1;
        self.entries.push(entry);
        if behind > 0 {
            let place = self.entries.len() - 1 - behind;
            self.entries.copy_within(place..place + behind, place + 1);
            self.entries[place] = entry;
        }
        if self.gone > LONGEST_LIST {
            self.entries.drain(..self.gone);
            self.gone = 0;
        }
    }

    fn take(&mut self) -> impl Iterator<Item = Entry> + '_ {
        self.entries.drain(..std::mem::take(&mut self.gone));
        self.entries.drain(..)
    }
}

/// Entries in order of deadline, then serial number.
#[derive(Clone, Debug, Default)]
pub struct Deadlines {
    list: List,
    tree: Tree,
}

#[derive(Clone, Debug)]
struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: u32,
}

impl Default for Tree {
    fn default() -> Self {
        Tree { nodes: Vec::new(), free: Vec::new(), root: NONE }
    }
}

type Key = (i64, u64);

fn key(entry: &Entry) -> Key {
    (entry.deadline, entry.serial)
}

/// Heap order of a serial number: the finaliser of SplitMix64, whose outputs for 1, 2, 3 … look drawn at random.
fn scrambled(serial: u64) -> u32 {
    let mixed = (serial ^ (serial >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (mixed >> 32) as u32
}

impl Deadlines {
    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len() + self.tree.len()
    }

    /// Whether nothing waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.tree.root == NONE
    }

    /// The first entry, in the order of deadlines, whose virtual time is not past a limit.
    #[inline]
    pub fn first(&self, limit: i64) -> Option<&Entry> {
        if self.tree.root == NONE {
            return self.list.iter().find(|e| e.virtual_time <= limit);
        }
        self.tree.first(limit)
    }

    /// All entries, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Entry> {
        self.list.iter().chain(self.tree.iter())
    }

    /// Adds an entry.
    #[inline(never)]
    pub fn insert(&mut self, entry: Entry) {
        if self.tree.root != NONE {
            return self.tree.insert(entry);
        }
        match self.list.last() {
            Some(last) if key(&entry) < key(last) => {
                let place = self.list.partition_point(|e| key(e) < key(&entry));
                self.list.insert(place, entry);
            }
            _ => self.list.entries.push(entry),
        }
        if self.list.len() > LONGEST_LIST {
            self.list.take().for_each(|e| self.tree.insert(e));
        }
    }

    /// Adds an entry, and removes the one with this deadline and serial number, which is there.
    #[inline]
    pub fn exchange(&mut self, entry: Entry, deadline: i64, serial: u64) {
        // Mostly the one is near the front, and the other comes last.
        let place = self.list.iter().position(|e| e.serial == serial);
        let behind = self.list.iter().rev().take_while(|e| key(e) > key(&entry)).count();
        match place {
            Some(place) if self.list.len() < LONGEST_LIST && place + behind < self.list.len() => {
                self.list.exchange(place, entry, behind);
            }
            _ => {
                self.insert(entry);
                self.remove(deadline, serial);
            }
        }
    }

    /// Removes the entry with this deadline and serial number, if it is there.
    #[inline(never)]
    pub fn remove(&mut self, deadline: i64, serial: u64) {
        let gone = (deadline, serial);
        if self.tree.root == NONE {
            let place = self.list.partition_point(|e| key(e) < gone);
            if self.list.get(place).is_some_and(|e| key(e) == gone) {
                self.list.remove(place);
            }
            return;
        }
        self.tree.root = self.tree.without(self.tree.root, gone);
        if self.tree.len() < SMALLEST_TREE {
            self.list.entries.extend(self.tree.iter().copied());
            sort_by_rank(&mut self.list.entries, |entry| entry.serial);
            sort_by_rank(&mut self.list.entries, |entry| ascending(entry.deadline));
            self.tree = Tree::default();
        }
    }
}

impl Tree {
    fn len(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    #[inline(never)]
    fn first(&self, limit: i64) -> Option<&Entry> {
        let mut at = self.root;
        while let Some(node) = self.nodes.get(at as usize) {
            match self.nodes.get(node.left as usize) {
                Some(left) if left.least <= limit => at = node.left,
                _ if node.entry.virtual_time <= limit => return Some(&node.entry),
                _ => at = node.right,
            }
        }
        None
    }

    fn iter(&self) -> impl Iterator<Item = &Entry> {
        let mut open: Vec<u32> = Vec::from_iter((self.root != NONE).then_some(self.root));
        std::iter::from_fn(move || {
            let node = &self.nodes[open.pop()? as usize];
            open.extend([node.left, node.right].into_iter().filter(|&child| child != NONE));
            Some(&node.entry)
        })
    }

    fn insert(&mut self, entry: Entry) {
        let priority = scrambled(entry.serial);
        let (mut at, mut parent, mut is_left) = (self.root, NONE, false);
        while let Some(node) = self.nodes.get_mut(at as usize).filter(|node| node.priority >= priority) {
            node.least = node.least.min(entry.virtual_time);
            is_left = key(&entry) < key(&node.entry);
            parent = at;
            at = if is_left { node.left } else { node.right };
        }
        let (left, right) = self.split(at, key(&entry));
        let node = Node { entry, least: entry.virtual_time, priority, left, right };
        let new = match self.free.pop() {
            Some(new) => {
                self.nodes[new as usize] = node;
                new
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        };
        self.refresh(new);
        match self.nodes.get_mut(parent as usize) {
            None => self.root = new,
            Some(above) if is_left => above.left = new,
            Some(above) => above.right = new,
        }
    }

    /// A subtree without an entry; its root.
    fn without(&mut self, at: u32, gone: Key) -> u32 {
        let Some(&node) = self.nodes.get(at as usize) else { return NONE };
        if key(&node.entry) == gone {
            self.free.push(at);
            return self.joined(node.left, node.right);
        }
        if gone < key(&node.entry) {
            let left = self.without(node.left, gone);
            self.nodes[at as usize].left = left;
        } else {
            let right = self.without(node.right, gone);
            self.nodes[at as usize].right = right;
        }
        self.refresh(at);
        at
    }

    /// The parts of a subtree before and after a key.
    fn split(&mut self, at: u32, by: Key) -> (u32, u32) {
        let Some(&node) = self.nodes.get(at as usize) else { return (NONE, NONE) };
        let parts = if key(&node.entry) < by {
            let (left, right) = self.split(node.right, by);
            self.nodes[at as usize].right = left;
            (at, right)
        } else {
            let (left, right) = self.split(node.left, by);
            self.nodes[at as usize].left = right;
            (left, at)
        };
        self.refresh(at);
        parts
    }

    /// Two subtrees as one; every key of the first comes before every key of the second.
    fn joined(&mut self, left: u32, right: u32) -> u32 {
        let (Some(&a), Some(&b)) = (self.nodes.get(left as usize), self.nodes.get(right as usize)) else {
            return if left == NONE { right } else { left };
        };
        if a.priority >= b.priority {
            let below = self.joined(a.right, right);
            self.nodes[left as usize].right = below;
            self.refresh(left);
            left
        } else {
            let below = self.joined(left, b.left);
            self.nodes[right as usize].left = below;
            self.refresh(right);
            right
        }
    }

    fn refresh(&mut self, at: u32) {
        let node = self.nodes[at as usize];
        let least = |child: u32| self.nodes.get(child as usize).map_or(i64::MAX, |n| n.least);
        self.nodes[at as usize].least = node.entry.virtual_time.min(least(node.left)).min(least(node.right));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Tree {
        fn depth(&self, at: u32) -> usize {
            self.nodes.get(at as usize).map_or(0, |n| 1 + self.depth(n.left).max(self.depth(n.right)))
        }
    }

    fn drawn(state: &mut u64, bound: i64) -> i64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*state >> 33) as i64 % bound
    }

    /// The honest twin: a list and a scan.
    #[test]
    fn finds_what_a_scan_finds() {
        let (mut tree, mut list, mut state) = (Deadlines::default(), Vec::<Entry>::new(), 1u64);
        let (mut was_tree, mut turns) = (false, 0);
        for serial in 0..20_000u64 {
            // Long stretches of growing and of shrinking, so that it is a list and a tree by turns.
            let grows = if serial / 600 % 2 == 0 { 70 } else { 25 };
            if drawn(&mut state, 100) < grows || list.is_empty() {
                let (deadline, virtual_time) = (drawn(&mut state, 50) - 25, drawn(&mut state, 1000) - 500);
                let entry = Entry { deadline, serial, virtual_time, pid: Pid(serial as u32) };
                tree.insert(entry);
                list.push(entry);
            } else {
                let gone = list.swap_remove(drawn(&mut state, list.len() as i64) as usize);
                tree.remove(gone.deadline, gone.serial);
            }
            let limit = drawn(&mut state, 1000) - 500;
            let scanned = list.iter().filter(|e| e.virtual_time <= limit).min_by_key(|e| key(e));
            let found = tree.first(limit);
            assert_eq!(found.map(|e| e.pid), scanned.map(|e| e.pid), "step {serial}");
            assert_eq!((tree.len(), tree.is_empty()), (list.len(), list.is_empty()));
            let is_tree = tree.tree.root != NONE;
            turns += u32::from(is_tree != was_tree);
            was_tree = is_tree;
        }
        assert!(turns > 10, "{turns}");
        let (mut all, mut listed): (Vec<Key>, Vec<Key>) =
            (tree.iter().map(key).collect(), list.iter().map(key).collect());
        all.sort_unstable();
        listed.sort_unstable();
        assert_eq!(all, listed);
    }

    /// A treap of 10,000 is about 2 ln 10,000 + 4, some 30 deep; a list would be 10,000.
    #[test]
    fn stays_flat_when_deadlines_only_grow() {
        let mut tree = Deadlines::default();
        for step in 0..30_000i64 {
            tree.insert(Entry { deadline: step, serial: step as u64, virtual_time: -step, pid: Pid(0) });
            if step >= 10_000 {
                tree.remove(step - 10_000, step as u64 - 10_000);
            }
        }
        assert_eq!(tree.len(), 10_000);
        let depth = tree.tree.depth(tree.tree.root);
        assert!((14..45).contains(&depth), "{depth}");
    }
}
