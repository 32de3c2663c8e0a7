//! A queue that forgets nothing: the n-th take takes the n-th item ever put, and every figure is counted anew from
//! both lists.
use crate::alike::{Figures, Line, Rooms, Tally};
use crate::queue_driver::check;
use crate::real::Real;
use wwi_kernel::time::Ns;
use wwi_model::ids::Pid;

#[derive(Clone, Copy, PartialEq)]
enum For {
    Items(u32),
    Room,
}

pub struct Slow {
    capacity: Option<u32>,
    puts: Vec<(u32, Ns)>,
    takes: Vec<Ns>,
    /// Both lists in one, each in its order.
    waiting: Vec<(Pid, For)>,
}

fn is_alike(a: For, b: For) -> bool {
    (a == For::Room) == (b == For::Room)
}

impl Slow {
    pub fn new(capacity: Option<u32>) -> Self {
        Slow { capacity, puts: Vec::new(), takes: Vec::new(), waiting: Vec::new() }
    }

    /// How many items there are, or how many there is room for.
    fn there_are(&self, what: For) -> u32 {
        let len = self.len() as u32;
        match (what, self.capacity) {
            (For::Items(_), _) => len,
            (For::Room, None) => u32::MAX,
            (For::Room, Some(capacity)) if capacity > len => capacity - len,
            (For::Room, Some(_)) => 0,
        }
    }

    fn wants(what: For) -> u32 {
        match what {
            For::Items(least) => least,
            For::Room => 1,
        }
    }

    fn wait(&mut self, pid: Pid, what: For, is_first: bool) -> bool {
        let somebody_waits = self.waiting.iter().any(|w| is_alike(w.1, what));
        if self.there_are(what) >= Self::wants(what) && (is_first || !somebody_waits) {
            return true;
        }
        let place = if is_first { 0 } else { self.waiting.len() };
        self.waiting.insert(place, (pid, what));
        false
    }

    fn wake(&mut self, what: For, woken: &mut Vec<Pid>) {
        let mut left = self.there_are(what);
        while let Some(at) = self.waiting.iter().position(|w| is_alike(w.1, what)) {
            let wants = Self::wants(self.waiting[at].1);
            if wants > left {
                break;
            }
            left -= wants;
            woken.push(self.waiting.remove(at).0);
        }
    }
}

impl Line for Slow {
    fn put(&mut self, item: u32, now: Ns, woken: &mut Vec<Pid>) {
        self.puts.push((item, now));
        self.wake(For::Items(1), woken);
    }
    fn take(&mut self, now: Ns, woken: &mut Vec<Pid>) -> Option<(u32, Ns)> {
        let oldest = *self.puts.get(self.takes.len())?;
        self.takes.push(now);
        self.wake(For::Room, woken);
        Some(oldest)
    }
    fn len(&self) -> usize {
        self.puts.len() - self.takes.len()
    }
    fn has_room(&self) -> bool {
        self.there_are(For::Room) > 0
    }
    fn await_items(&mut self, pid: Pid, least: u32, _now: Ns) -> bool {
        self.wait(pid, For::Items(least), false)
    }
    fn await_room(&mut self, pid: Pid, _now: Ns) -> bool {
        self.wait(pid, For::Room, false)
    }
    fn again_items(&mut self, pid: Pid, least: u32, _now: Ns) -> bool {
        self.wait(pid, For::Items(least), true)
    }
    fn again_room(&mut self, pid: Pid, _now: Ns) -> bool {
        self.wait(pid, For::Room, true)
    }
    fn leave(&mut self, pid: Pid, _now: Ns, woken: &mut Vec<Pid>) {
        for what in [For::Items(1), For::Room] {
            self.waiting.retain(|w| w.0 != pid || !is_alike(w.1, what));
            self.wake(what, woken);
        }
    }
    fn figures(&mut self, now: Ns) -> Figures {
        let until = |n: usize| self.takes.get(n).copied().unwrap_or(now);
        let item_time = self.puts.iter().enumerate().map(|(n, put)| u128::from((until(n) - put.1).0)).sum();
        let wait_time = self.puts.iter().zip(&self.takes).map(|(put, &taken)| u128::from((taken - put.1).0)).sum();
        Figures {
            counts: vec![
                ("puts", self.puts.len() as u128),
                ("takes", self.takes.len() as u128),
                ("item_time", item_time),
                ("wait_time", wait_time),
            ],
            spans: Vec::new(),
        }
    }
}

#[test]
fn queues() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        let capacity = [None, Some(1), Some(2), Some(3), Some(6)][seed as usize % 5];
        check(seed, capacity, &mut Real::line(capacity), &mut Slow::new(capacity), &mut tally);
    }
    tally.expect(&[
        "one put wakes several",
        "one take wakes somebody",
        "put beyond capacity",
        "enough is there, but somebody waits before",
        "room is there, but somebody waits before",
        "woken in vain, in front of others",
        "found what it was woken for",
        "who leaves lets the next pass",
        "waits for items and for room",
        "who was woken and is gone hands its wake-up on",
        "one who leaves lets pass for items and for room",
        "leaves without waiting",
        "nothing to take",
    ]);
}
