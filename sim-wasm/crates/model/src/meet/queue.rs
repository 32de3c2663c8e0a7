//! A queue of items, and those who wait for items or for room in it, all first in, first out.
//!
//! A wake-up promises nothing: what a woken process finds, somebody else may have taken meanwhile. It then waits
//! again at the front of its line, with [`Queue::again_items`] or [`Queue::again_room`].
use crate::ids::Pid;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// Sums over one queue since its start.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueueSums {
    /// Items put.
    pub puts: u64,
    /// Items taken.
    pub takes: u64,
    /// Integral of the number of items over time \[ns\].
    pub item_time: u128,
    /// Of items taken: from put to take, all together \[ns\].
    pub wait_time: u128,
}

/// Items of type `I`, those who wait for them, and those who wait for room.
#[derive(Clone, Debug)]
pub struct Queue<I> {
    /// Each with the moment when it was put.
    items: VecDeque<(I, Ns)>,
    capacity: Option<u32>,
    is_channel: bool,
    /// Each with the number of items that it wants to find.
    for_items: VecDeque<(Pid, u32)>,
    for_room: VecDeque<Pid>,
    sums: QueueSums,
    /// Up to when `item_time` is summed.
    at: Ns,
}

impl QueueSums {
    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &QueueSums) -> QueueSums {
        QueueSums {
            puts: self.puts - earlier.puts,
            takes: self.takes - earlier.takes,
            item_time: self.item_time - earlier.item_time,
            wait_time: self.wait_time - earlier.wait_time,
        }
    }

    /// Adds the sums of another queue or replication.
    pub fn add(&mut self, other: &QueueSums) {
        self.puts += other.puts;
        self.takes += other.takes;
        self.item_time += other.item_time;
        self.wait_time += other.wait_time;
    }
}

impl<I> Queue<I> {
    /// Empty at time zero. `capacity` is the number of items up to which there is room; `None` is no limit.
    pub fn new(capacity: Option<u32>) -> Self {
        Queue {
            items: VecDeque::new(),
            capacity,
            is_channel: false,
            for_items: VecDeque::new(),
            for_room: VecDeque::new(),
            sums: QueueSums::default(),
            at: Ns::ZERO,
        }
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether the number of items is below the capacity.
    pub fn has_room(&self) -> bool {
        self.room() > 0
    }

    fn room(&self) -> usize {
        self.capacity.map_or(usize::MAX, |capacity| (capacity as usize).saturating_sub(self.items.len()))
    }

    /// What is put here are messages: who puts one is expected to wait for the answer. Room is that of a socket.
    #[must_use]
    pub fn as_channel(self) -> Self {
        Queue { is_channel: true, ..self }
    }

    /// Whether they are.
    #[inline]
    pub fn is_channel(&self) -> bool {
        self.is_channel
    }

    /// Whether who comes now need not wait for room. Nobody lines up at a socket: there is room or there is none.
    pub fn is_open(&self) -> bool {
        (self.is_channel || self.for_room.is_empty()) && self.has_room()
    }

    /// Puts an item at the end, beyond the capacity too: who respects it waits for room first. Appends to `woken`
    /// those whom the items suffice now, which then no longer wait.
    pub fn put(&mut self, item: I, now: Ns, woken: &mut Vec<Pid>) {
        self.advance(now);
        self.sums.puts += 1;
        self.items.push_back((item, now));
        self.wake_for_items(woken);
    }

    /// Takes the oldest item, with the moment when it was put. Appends to `woken` those who waited for room and find
    /// some now, which then no longer wait.
    pub fn take(&mut self, now: Ns, woken: &mut Vec<Pid>) -> Option<(I, Ns)> {
        self.advance(now);
        let (item, put) = self.items.pop_front()?;
        self.sums.takes += 1;
        self.sums.wait_time += u128::from((now - put).0);
        if !self.for_room.is_empty() {
            self.wake_for_room(woken);
        }
        Some((item, put))
    }

    /// Whether there are `least` (1 or more) items and nobody waits for items; if not, `pid` waits at the end of that
    /// line. A process waits at most once in a line.
    pub fn await_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool {
        self.advance(now);
        let holds = self.for_items.is_empty() && self.items.len() >= least as usize;
        if !holds {
            self.for_items.push_back((pid, least));
        }
        holds
    }

    /// Whether there is room and nobody waits for room; if not, `pid` waits at the end of that line.
    pub fn await_room(&mut self, pid: Pid, now: Ns) -> bool {
        self.advance(now);
        let holds = self.is_open();
        if !holds {
            self.for_room.push_back(pid);
        }
        holds
    }

    /// For who was woken: whether there are `least` items still; if not, `pid` waits again, in front of all others.
    pub fn again_items(&mut self, pid: Pid, least: u32, now: Ns) -> bool {
        self.advance(now);
        let holds = self.items.len() >= least as usize;
        if !holds {
            self.for_items.push_front((pid, least));
        }
        holds
    }

    /// For who was woken: whether there is room still; if not, `pid` waits again, in front of all others.
    pub fn again_room(&mut self, pid: Pid, now: Ns) -> bool {
        self.advance(now);
        let holds = self.has_room();
        if !holds {
            self.for_room.push_front(pid);
        }
        holds
    }

    /// `pid` waits no longer: its time is out, or it is gone. Both lines are looked at again, even if it stood in
    /// neither: who was woken and takes nothing must not keep from the next what it was woken for.
    pub fn leave(&mut self, pid: Pid, now: Ns, woken: &mut Vec<Pid>) {
        self.advance(now);
        self.for_items.retain(|waiter| waiter.0 != pid);
        self.for_room.retain(|&waiter| waiter != pid);
        self.wake_for_items(woken);
        self.wake_for_room(woken);
    }

    /// Whether somebody waits for items.
    pub fn is_awaited(&self) -> bool {
        !self.for_items.is_empty()
    }

    /// Sums up to `now`.
    pub fn sums(&mut self, now: Ns) -> &QueueSums {
        self.advance(now);
        &self.sums
    }

    fn advance(&mut self, now: Ns) {
        self.sums.item_time += self.items.len() as u128 * u128::from((now - self.at).0);
        self.at = now;
    }

    /// In order of the line, each finding what those before leave if each takes what it asked for.
    fn wake_for_items(&mut self, woken: &mut Vec<Pid>) {
        let mut left = self.items.len();
        while let Some(&(pid, least)) = self.for_items.front() {
            if least as usize > left {
                break;
            }
            left -= least as usize;
            self.for_items.pop_front();
            woken.push(pid);
        }
    }

    /// In order of the line, each for one place. A socket wakes nobody until no more than a quarter is in use, and then
    /// everybody, who came last first (`unix_writable`, `unix_write_space`; `prepare_to_wait` in
    /// `sock_wait_for_wmem`).
    fn wake_for_room(&mut self, woken: &mut Vec<Pid>) {
        if self.is_channel {
            if self.capacity.is_none_or(|capacity| self.items.len() as u64 * 4 <= u64::from(capacity)) {
                woken.extend(self.for_room.drain(..).rev());
            }
            return;
        }
        let places = self.room().min(self.for_room.len());
        woken.extend(self.for_room.drain(..places));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the calls of a test have woken so far, each once.
    fn woken(list: &mut Vec<Pid>) -> Vec<u32> {
        list.drain(..).map(|pid| pid.0).collect()
    }

    #[test]
    fn items_come_out_in_the_order_they_went_in_and_each_with_its_moment() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        q.put('a', Ns(3), &mut w);
        q.put('b', Ns(5), &mut w);
        assert_eq!(q.take(Ns(7), &mut w), Some(('a', Ns(3))));
        q.put('c', Ns(7), &mut w);
        assert_eq!(q.take(Ns(9), &mut w), Some(('b', Ns(5))));
        assert_eq!(q.take(Ns(9), &mut w), Some(('c', Ns(7))));
        assert_eq!(q.take(Ns(9), &mut w), None);
        assert_eq!((q.len(), q.is_empty()), (0, true));
        // One item from 3 to 5, two from 5 to 9: 2 + 8, which is the sum of the three waits 4, 4 and 2.
        let sums = q.sums(Ns(20));
        assert_eq!((sums.puts, sums.takes, sums.item_time), (3, 3, 10));
        assert_eq!(sums.wait_time, 10);
    }

    #[test]
    fn who_wants_three_keeps_who_wants_one_behind_it() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        assert!(!q.await_items(Pid(1), 3, Ns(0)));
        assert!(!q.await_items(Pid(2), 1, Ns(0)));
        q.put((), Ns(1), &mut w);
        q.put((), Ns(2), &mut w);
        assert!(w.is_empty(), "two items are not three, and the second in line waits for the first");
        assert!(!q.await_items(Pid(3), 1, Ns(2)), "a newcomer waits behind both, though there are items");
        q.put((), Ns(3), &mut w);
        assert_eq!(woken(&mut w), [1], "three for the first leave none for the second");
        q.put((), Ns(4), &mut w);
        assert_eq!(woken(&mut w), [2, 3], "four items, and who was woken before is not remembered");
    }

    #[test]
    fn one_put_wakes_all_whom_the_items_suffice() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        assert!(!q.await_items(Pid(1), 5, Ns(0)));
        for (pid, least) in [(2, 1), (3, 2), (4, 2)] {
            assert!(!q.await_items(Pid(pid), least, Ns(0)));
        }
        (0..4).for_each(|_| q.put((), Ns(1), &mut w));
        assert_eq!(woken(&mut w), []);
        q.leave(Pid(1), Ns(2), &mut w);
        assert_eq!(woken(&mut w), [2, 3], "1 + 2 of 4; the third wants 2 of the 1 that is left");
        q.put((), Ns(3), &mut w);
        assert_eq!(woken(&mut w), [4]);
    }

    #[test]
    fn a_newcomer_holds_at_once_only_where_nobody_waits() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        q.put((), Ns(0), &mut w);
        assert!(!q.await_items(Pid(1), 2, Ns(0)));
        assert!(!q.await_items(Pid(2), 1, Ns(0)));
        q.leave(Pid(1), Ns(1), &mut w);
        assert_eq!(woken(&mut w), [2], "who leaves frees the next");
        assert!(q.await_items(Pid(3), 1, Ns(1)), "nobody waits: the item is there for whoever is first to take it");
    }

    #[test]
    fn who_is_woken_in_vain_waits_again_in_front() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        assert!(!q.await_items(Pid(1), 1, Ns(0)));
        assert!(!q.await_items(Pid(2), 1, Ns(0)));
        q.put('x', Ns(1), &mut w);
        assert_eq!(woken(&mut w), [1]);
        q.take(Ns(1), &mut w);
        assert!(!q.again_items(Pid(1), 1, Ns(2)));
        q.put('y', Ns(3), &mut w);
        assert_eq!(woken(&mut w), [1], "before the one that never was in front");
        assert!(q.again_items(Pid(1), 1, Ns(3)), "and not in vain this time");
        q.take(Ns(4), &mut w);
        q.put('z', Ns(5), &mut w);
        assert_eq!(woken(&mut w), [2]);
    }

    #[test]
    fn who_is_woken_and_gone_before_it_took_hands_its_item_on() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        assert!(!q.await_items(Pid(1), 1, Ns(0)));
        assert!(!q.await_items(Pid(2), 1, Ns(0)));
        q.put((), Ns(1), &mut w);
        assert_eq!(woken(&mut w), [1]);
        q.leave(Pid(1), Ns(2), &mut w);
        assert_eq!(woken(&mut w), [2]);
        q.leave(Pid(1), Ns(2), &mut w);
        q.leave(Pid(9), Ns(2), &mut w);
        assert_eq!(woken(&mut w), []);
    }

    #[test]
    fn room_is_what_the_capacity_leaves_and_goes_to_the_first() {
        let (mut q, mut w) = (Queue::new(Some(2)), Vec::new());
        assert!(q.await_room(Pid(1), Ns(0)));
        (0..3).for_each(|_| q.put((), Ns(0), &mut w));
        assert_eq!((q.len(), q.has_room()), (3, false), "a put succeeds beyond the capacity");
        (1..=4).for_each(|pid| assert!(!q.await_room(Pid(pid), Ns(0))));
        q.take(Ns(1), &mut w);
        assert_eq!(woken(&mut w), [], "two of two");
        q.take(Ns(2), &mut w);
        assert_eq!(woken(&mut w), [1]);
        assert!(!q.await_room(Pid(5), Ns(2)), "there is room, and others wait before");
        q.put((), Ns(2), &mut w);
        assert!(!q.again_room(Pid(1), Ns(2)));
        q.take(Ns(3), &mut w);
        q.take(Ns(3), &mut w);
        assert_eq!(woken(&mut w), [1, 2, 3], "in front again; then two places, nobody remembered");
        q.leave(Pid(4), Ns(3), &mut w);
        assert_eq!(woken(&mut w), [5], "two places and one who waits");
        assert!(q.again_room(Pid(5), Ns(3)));
    }

    #[test]
    fn a_socket_wakes_all_who_wait_for_room_once_a_quarter_is_in_use() {
        // 278 messages of 100 bytes fit and it is writable from 69 down: counted on a kernel 6.18.
        let (mut q, mut w) = (Queue::new(Some(278)).as_channel(), Vec::new());
        (0..278).for_each(|n| q.put(n, Ns(n), &mut w));
        assert!(!q.await_room(Pid(1), Ns(300)) && !q.await_room(Pid(2), Ns(301)));
        (0..208).for_each(|_| _ = q.take(Ns(302), &mut w));
        assert_eq!((q.len(), woken(&mut w)), (70, vec![]), "there is room, but nobody is told");
        assert!(q.is_open() && q.await_room(Pid(3), Ns(303)), "who comes now does not line up");
        q.take(Ns(304), &mut w);
        assert_eq!((q.len(), woken(&mut w)), (69, vec![2, 1]), "all, who came last first");
        assert!(!q.is_awaited() && q.has_room());
    }

    #[test]
    fn a_queue_without_capacity_always_has_room() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        (0..1000).for_each(|n| q.put(n, Ns(0), &mut w));
        assert!(q.has_room() && q.await_room(Pid(1), Ns(0)));
        let mut none = Queue::<()>::new(Some(0));
        assert!(!none.has_room() && !none.await_room(Pid(1), Ns(0)));
    }

    #[test]
    fn sums_count_what_is_inside_up_to_now_and_differences_add_up() {
        let (mut q, mut w) = (Queue::new(None), Vec::new());
        q.put((), Ns(10), &mut w);
        let early = q.sums(Ns(15)).clone();
        assert_eq!((early.puts, early.takes, early.item_time), (1, 0, 5));
        q.put((), Ns(20), &mut w);
        q.take(Ns(30), &mut w);
        // From 15: one item to 20, two to 30, one to 40.
        let mut part = q.sums(Ns(40)).since(&early);
        assert_eq!((part.puts, part.takes, part.item_time, part.wait_time), (1, 1, 35, 20));
        part.add(&early);
        assert_eq!(&part, q.sums(Ns(40)));
    }
}
