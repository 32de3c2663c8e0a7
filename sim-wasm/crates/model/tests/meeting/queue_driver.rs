//! Feeds two queues the same random commands, compares every answer, and holds the first to the laws from its
//! answers alone.
use crate::alike::{pass_time, Line, Log, Tally};
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::ids::Pid;

/// Commands of one list.
const COMMANDS: u32 = 500;

/// What a process was woken for: so many items, or room.
type Due = (Pid, Option<u32>);

struct Driver<'a> {
    fast: &'a mut dyn Line,
    slow: &'a mut dyn Line,
    tally: &'a mut Tally,
    capacity: Option<u32>,
    log: Log,
    random: Stream,
    now: Ns,
    processes: u64,
    /// One of so many who are woken forgets what for.
    care: u64,
    puts: u32,
    /// Everything that is inside: item and when it was put.
    inside: VecDeque<(u32, Ns)>,
    items: Vec<(Pid, u32)>,
    room: Vec<Pid>,
    /// Woken, and not back yet.
    woken: Vec<Due>,
}

/// One list of commands. Panics where the answers differ or break a law.
pub fn check(seed: u64, capacity: Option<u32>, fast: &mut dyn Line, slow: &mut dyn Line, tally: &mut Tally) {
    let mut driver = Driver {
        fast,
        slow,
        tally,
        capacity,
        log: Log::new(seed),
        random: Stream::new(seed, 0, "meeting", 0, "queue"),
        now: Ns(0),
        processes: [2, 3, 5, 9, 20][seed as usize / 5 % 5],
        care: [2, 12][seed as usize / 25 % 2],
        puts: 0,
        inside: VecDeque::new(),
        items: Vec::new(),
        room: Vec::new(),
        woken: Vec::new(),
    };
    for _ in 0..COMMANDS {
        driver.now = pass_time(&mut driver.random, driver.now, 3_000_000);
        driver.command();
        driver.compare_sums();
    }
}

impl Driver<'_> {
    fn command(&mut self) {
        let pid = Pid(self.random.below(self.processes) as u32);
        match self.random.below(24) {
            0..=4 if !self.is_full() || self.random.below(4) == 0 => self.put(),
            0..=8 => self.take(),
            9..=12 => self.await_items(pid),
            13..=15 => self.await_room(pid),
            16..=21 => self.come_back(),
            22 if self.random.below(4) == 0 => self.forgotten(pid),
            _ => self.leave(pid),
        }
    }

    /// Gives both a command which looks again at those who wait for items, for room, or both (in this order). Both
    /// lists of woken ones start with somebody who was there before.
    fn both(
        &mut self,
        command: String,
        looks_at: (bool, bool),
        act: impl Fn(&mut dyn Line, Ns, &mut Vec<Pid>) -> Option<(u32, Ns)>,
    ) -> Option<(u32, Ns)> {
        let (mut fast, mut slow) = (vec![Pid::NONE], vec![Pid::NONE]);
        let said = (act(self.fast, self.now, &mut fast), act(self.slow, self.now, &mut slow));
        let (woken, said) = self.log.same(self.now, command, (fast, said.0), (slow, said.1));
        self.log.law(woken[0] == Pid::NONE, "woken ones are appended");
        self.wake(&woken[1..], looks_at);
        said
    }

    /// Takes the woken ones from the lists: they stood in front, in this order, and could have what they want.
    fn wake(&mut self, woken: &[Pid], looks_at: (bool, bool)) {
        let mut left = self.inside.len();
        for &pid in woken {
            if looks_at.0 && self.items.first().is_some_and(|w| w.0 == pid && w.1 as usize <= left) {
                let (_, least) = self.items.remove(0);
                left -= least as usize;
                self.woken.push((pid, Some(least)));
            } else {
                self.log.law(looks_at.1 && self.room.first() == Some(&pid), "who is woken stood in front");
                self.room.remove(0);
                self.woken.push((pid, None));
            }
        }
    }

    /// Nobody in front could still be woken, after those who were woken by this command take what they want.
    fn fronts(&mut self, before: usize, items: bool, room: bool) {
        let claimed = |is_items: bool| {
            let claims = self.woken[before..].iter().filter(|w| w.1.is_some() == is_items);
            claims.map(|w| w.1.unwrap_or(1) as usize).sum::<usize>()
        };
        if items {
            let left = self.inside.len() - claimed(true);
            self.log.law(self.items.first().is_none_or(|w| w.1 as usize > left), "no satisfied waiter for items");
        }
        if room {
            let room = self.capacity.map_or(0, |c| (c as usize).saturating_sub(self.inside.len()));
            self.log.law(self.room.is_empty() || room == claimed(false), "no satisfied waiter for room");
        }
    }

    fn is_full(&self) -> bool {
        self.capacity.is_some_and(|capacity| self.inside.len() >= capacity as usize)
    }

    fn put(&mut self) {
        let (item, before) = (self.puts, self.woken.len());
        self.puts += 1;
        if self.is_full() {
            self.tally.saw("put beyond capacity");
        }
        self.inside.push_back((item, self.now));
        self.both(format!("put {item}"), (true, false), |line, now, woken| {
            line.put(item, now, woken);
            None
        });
        if self.woken.len() > before + 1 {
            self.tally.saw("one put wakes several");
        }
        self.fronts(before, true, false);
    }

    fn take(&mut self) {
        let before = self.woken.len();
        let oldest = self.inside.pop_front();
        let taken = self.both("take".into(), (false, true), |line, now, woken| line.take(now, woken));
        self.log.law(taken == oldest, "first in, first out");
        match oldest {
            None => self.tally.saw("nothing to take"),
            Some(_) => self.fronts(before, false, true),
        }
        if self.woken.len() > before {
            self.tally.saw("one take wakes somebody");
        }
    }

    fn await_items(&mut self, pid: Pid) {
        let least = 1 + self.random.below(4) as u32;
        self.await_least(pid, least);
    }

    fn await_least(&mut self, pid: Pid, least: u32) {
        if self.items.iter().any(|w| w.0 == pid) {
            return;
        }
        let holds = (self.fast.await_items(pid, least, self.now), self.slow.await_items(pid, least, self.now));
        let holds = self.log.same(self.now, format!("{pid:?} awaits {least}"), holds.0, holds.1);
        let is_enough = self.inside.len() >= least as usize;
        self.log.law(holds == (is_enough && self.items.is_empty()), "a newcomer holds if nobody waits before it");
        if !holds {
            if is_enough {
                self.tally.saw("enough is there, but somebody waits before");
            }
            if self.room.contains(&pid) {
                self.tally.saw("waits for items and for room");
            }
            self.items.push((pid, least));
        }
    }

    fn await_room(&mut self, pid: Pid) {
        if self.room.contains(&pid) {
            return;
        }
        let holds = (self.fast.await_room(pid, self.now), self.slow.await_room(pid, self.now));
        let holds = self.log.same(self.now, format!("{pid:?} awaits room"), holds.0, holds.1);
        let is_room = !self.is_full();
        self.log.law(holds == (is_room && self.room.is_empty()), "a newcomer has room if nobody waits before it");
        if !holds {
            if is_room {
                self.tally.saw("room is there, but somebody waits before");
            }
            self.room.push(pid);
        }
    }

    /// One who was woken looks again, and does what it came for, if it can.
    fn come_back(&mut self) {
        if self.woken.is_empty() {
            return;
        }
        let at = self.random.below(self.woken.len() as u64) as usize;
        let (pid, least) = self.woken.remove(at);
        let waits_again = self.items.iter().any(|w| w.0 == pid && least.is_some())
            || self.room.iter().any(|w| *w == pid && least.is_none());
        if waits_again || self.random.below(self.care) == 0 {
            return;
        }
        let again = |line: &mut dyn Line, now: Ns| match least {
            Some(least) => line.again_items(pid, least, now),
            None => line.again_room(pid, now),
        };
        let holds = (again(self.fast, self.now), again(self.slow, self.now));
        let holds = self.log.same(self.now, format!("{pid:?} is back for {least:?}"), holds.0, holds.1);
        match (holds, least) {
            (true, Some(least)) => (0..least.min(1 + self.random.below(4) as u32)).for_each(|_| self.take()),
            (true, None) => self.put(),
            (false, Some(least)) => self.items.insert(0, (pid, least)),
            (false, None) => self.room.insert(0, pid),
        }
        if holds {
            self.tally.saw("found what it was woken for");
        } else if self.items.len() > 1 && least.is_some() || self.room.len() > 1 && least.is_none() {
            self.tally.saw("woken in vain, in front of others");
        }
    }

    /// Two wait for items and two for room. The first of each are woken and come back no more, when others could have
    /// what they wait for; then somebody leaves.
    fn forgotten(&mut self, first: Pid) {
        let pid = |n: u32| Pid((first.0 + n) % self.processes as u32);
        let (one, other, third, fourth) = (pid(1), pid(2), pid(3), pid(4));
        while self.capacity.is_some() && !self.is_full() {
            self.put();
        }
        self.await_room(one);
        self.await_room(other);
        self.await_least(third, self.inside.len() as u32 + 1);
        self.await_least(fourth, 1);
        self.put();
        self.take();
        self.take();
        self.woken.clear();
        self.leave(first);
    }

    fn leave(&mut self, pid: Pid) {
        let (before, waiting, was_woken) = (self.woken.len(), self.items.len() + self.room.len(), self.is_woken(pid));
        self.items.retain(|w| w.0 != pid);
        self.room.retain(|w| *w != pid);
        let waited = self.items.len() + self.room.len() < waiting;
        self.both(format!("{pid:?} leaves"), (true, true), |line, now, woken| {
            line.leave(pid, now, woken);
            None
        });
        self.fronts(before, true, true);
        let kinds = |is_items: bool| self.woken[before..].iter().any(|w| w.1.is_some() == is_items);
        if kinds(true) && kinds(false) {
            self.tally.saw("one who leaves lets pass for items and for room");
        }
        if self.woken.len() > before {
            self.tally.saw(match (waited, was_woken) {
                (true, _) => "who leaves lets the next pass",
                (false, true) => "who was woken and is gone hands its wake-up on",
                (false, false) => "a stranger leaves, and somebody is woken",
            });
        } else if !waited {
            self.tally.saw("leaves without waiting");
        }
        self.woken.retain(|w| w.0 != pid);
    }

    fn is_woken(&self, pid: Pid) -> bool {
        self.woken.iter().any(|w| w.0 == pid)
    }

    fn compare_sums(&mut self) {
        let (fast, slow) = (self.fast.figures(self.now), self.slow.figures(self.now));
        self.log.same_figures(self.now, &fast, &slow);
        let len = self.fast.len();
        self.log.law((len, self.fast.has_room()) == (self.slow.len(), self.slow.has_room()), "as long as the slow one");
        self.log.law(len == self.inside.len(), "what was put and not taken is inside");
        self.log.law(fast.count("puts") == fast.count("takes") + len as u128, "puts = takes + len");
        let inside = self.inside.iter().map(|i| u128::from((self.now - i.1).0)).sum::<u128>();
        let taken = fast.count("wait_time");
        self.log.law(fast.count("item_time") == taken + inside, "item time is the time of items inside");
    }
}
