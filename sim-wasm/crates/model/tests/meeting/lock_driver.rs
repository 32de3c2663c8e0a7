//! Feeds two tables of locks the same random commands, compares every answer, and holds the first to the laws.
use crate::alike::{pass_time, Log, Table, Tally};
use crate::lock::{covers, joined, together, Slow, MODES};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::meet::lock::{Answer, Mode};

/// Commands of one list.
const COMMANDS: u32 = 400;

struct Driver<'a> {
    fast: &'a mut dyn Table,
    slow: &'a mut Slow,
    tally: &'a mut Tally,
    log: Log,
    random: Stream,
    now: Ns,
    owners: u32,
    locks: u32,
    modes: &'static [Mode],
    /// Asks for much and gives little.
    is_eager: bool,
}

/// One list of commands. Panics where the answers differ or break a law.
pub fn check(seed: u64, owners: u32, locks: u32, fast: &mut dyn Table, slow: &mut Slow, tally: &mut Tally) {
    use Mode::*;
    let modes: [&[Mode]; 4] =
        [&MODES, &[Exclusive, Share, RowShare, ShareRowExclusive], &[Exclusive, Share], &[Exclusive]];
    let mut driver = Driver {
        fast,
        slow,
        tally,
        log: Log::new(seed),
        random: Stream::new(seed, 0, "meeting", 0, "lock"),
        now: Ns(0),
        owners,
        locks,
        modes: modes[seed as usize / 35 % 4],
        is_eager: [true, false][seed as usize % 2],
    };
    for _ in 0..COMMANDS {
        driver.now = pass_time(&mut driver.random, driver.now, 2_000_000);
        driver.command();
        driver.compare();
    }
    driver.end();
}

impl Driver<'_> {
    fn one_of<T: Copy>(&mut self, those: &[T]) -> T {
        those[self.random.below(those.len() as u64) as usize]
    }

    fn held_by(&self, owner: u32) -> Vec<u32> {
        (0..self.locks).filter(|&lock| self.fast.held(lock, owner) != Mode::Null).collect()
    }

    fn waits(&self, owner: u32) -> bool {
        self.slow.waiting.iter().any(|w| w.owner == owner)
    }

    fn command(&mut self) {
        let owner = self.random.below(u64::from(self.owners)) as u32;
        let requests = if self.is_eager { 20 } else { 16 };
        match self.random.below(24) {
            n if n < requests && !self.waits(owner) => self.request(owner),
            0..=1 => self.request_again(owner),
            n if n < requests => match (0..self.owners).find(|&other| !self.waits(other)) {
                Some(other) if self.is_eager => self.request(other),
                _ => {}
            },
            16..=20 => self.give(owner),
            21..=22 => self.take_out(owner, "leave"),
            _ => self.take_out(owner, "gone"),
        }
    }

    fn request(&mut self, owner: u32) {
        let (held_locks, random) = (self.held_by(owner), self.random.below(u64::from(self.locks)) as u32);
        let converts = !held_locks.is_empty() && self.random.below(3) == 0;
        let lock = if converts { self.one_of(&held_locks) } else { random };
        let (mode, before) = (self.one_of(self.modes), self.slow.clone());
        let (mut fast, mut slow) = (vec![u32::MAX], vec![u32::MAX]);
        let said = self.fast.request(lock, owner, mode, self.now, &mut fast);
        let (answer, wanted) = (self.slow.request(lock, owner, mode, self.now, &mut slow), slow);
        let command = format!("{owner} asks for {mode:?} of lock {lock}");
        let (answer, wanted) = self.log.same(self.now, command, (said, fast), (answer, wanted));
        self.log.law(answer == Answer::Waits || wanted.len() == 1, "only for one that waits somebody is told");
        self.see(&before, answer, (lock, owner, mode), wanted.len() > 1);
        let then = before.if_it_waited(lock, owner, mode, self.now);
        match answer {
            Answer::Granted => {}
            Answer::Waits => self.log.law(ends(&then), "who waits is granted in the end"),
            Answer::Refused => self.log.law(!ends(&then), "who is refused would have waited for ever"),
        }
    }

    /// One that waits asks for something: refused.
    fn request_again(&mut self, owner: u32) {
        let (lock, mode) = (self.random.below(u64::from(self.locks)) as u32, self.one_of(self.modes));
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        let said = self.fast.request(lock, owner, mode, self.now, &mut fast);
        let expected = self.slow.request(lock, owner, mode, self.now, &mut slow);
        let command = format!("{owner}, which waits, asks for {mode:?} of lock {lock}");
        self.log.same(self.now, command, (said, fast), (expected, slow));
        self.log.law(said == Answer::Refused, "who waits is refused another wait");
        self.tally.saw("refused, waits already");
    }

    fn see(&mut self, before: &Slow, answer: Answer, (lock, owner, mode): (u32, u32, Mode), is_told: bool) {
        let held = before.held(lock, owner);
        let kind = if held == Mode::Null { "new" } else { "conversion" };
        match answer {
            Answer::Granted if covers(held, mode) => self.tally.saw("granted at once, covered"),
            Answer::Granted => {
                self.tally.saw(format!("granted at once, {kind}"));
                if before.waiting.iter().any(|w| w.lock == lock && w.converts) {
                    self.tally.saw(format!("granted at once, {kind} before others that convert"));
                }
                if joined(held, mode) != mode {
                    self.tally.saw("granted at once, RX and S are SRX");
                }
            }
            Answer::Waits => {
                self.tally.saw(format!("waits, {kind}"));
                if !is_told {
                    self.tally.saw("waits, behind others only");
                }
            }
            Answer::Refused => {
                let circle = before.if_it_waited(lock, owner, mode, self.now).circle(owner);
                self.tally.saw(format!("refused, circle of {}", circle.unwrap_or_default()));
                self.tally.saw(format!("refused, {kind}"));
            }
        }
    }

    fn give(&mut self, owner: u32) {
        let held = self.held_by(owner);
        let lock = match self.random.below(10) {
            0 => self.random.below(u64::from(self.locks)) as u32,
            _ if held.is_empty() => return,
            _ => self.one_of(&held),
        };
        let mode = self.fast.held(lock, owner);
        let (lesser, other): (Vec<Mode>, Vec<Mode>) = MODES.into_iter().partition(|&m| covers(mode, m));
        let to = match self.random.below(8) {
            0..=3 => Mode::Null,
            4 if !other.is_empty() => self.one_of(&other),
            _ => self.one_of(&lesser),
        };
        let converted = self.slow.waiting.iter().any(|w| w.owner == owner && w.lock == lock);
        match (mode, to) {
            _ if !covers(mode, to) => self.tally.saw("given to a mode that is not covered"),
            (Mode::Null, _) => self.tally.saw("given that is not held"),
            (_, Mode::Null) if converted => self.tally.saw("given up while it is converted"),
            _ if converted => self.tally.saw("given while it is converted"),
            _ if self.waits(owner) => self.tally.saw("given by one that waits"),
            (_, Mode::Null) => {}
            _ => self.tally.saw("given to a lesser mode"),
        }
        let before = self.slow.clone();
        let granted = self.both(format!("{owner} gives lock {lock} to {to:?}"), |table, now, granted| {
            table.give(lock, owner, to, now, granted);
        });
        for &(owner, _) in &granted {
            let converts = before.waiting.iter().any(|w| w.owner == owner && w.converts);
            self.tally.saw(if converts { "give grants a conversion" } else { "give grants a new request" });
        }
        if granted.len() > 1 {
            self.tally.saw("give grants several");
        }
    }

    fn take_out(&mut self, owner: u32, what: &str) {
        let holds = !self.held_by(owner).is_empty();
        let state = match (holds, self.slow.waiting.iter().find(|w| w.owner == owner)) {
            (_, Some(waiting)) if waiting.converts => "that converts",
            (true, Some(_)) => "that holds and waits",
            (false, Some(_)) => "that waits",
            (true, None) => "that holds",
            (false, None) => "that neither holds nor waits",
        };
        self.tally.saw(format!("{what} of one {state}"));
        let granted = self.both(format!("{what} of {owner}"), |table, now, granted| match what {
            "leave" => table.leave(owner, now, granted),
            _ => table.gone(owner, now, granted),
        });
        if !granted.is_empty() {
            self.tally.saw(format!("{what} grants"));
        }
        self.log.law(!self.waits(owner), "who left does not wait");
        self.log.law(self.held_by(owner).is_empty() != (holds && what == "leave"), "only a killed owner loses all");
    }

    /// Both lists of grants start with one that was there before.
    fn both(&mut self, command: String, act: impl Fn(&mut dyn Table, Ns, &mut Vec<(u32, Mode)>)) -> Vec<(u32, Mode)> {
        let first = (u32::MAX, Mode::Null);
        let (mut fast, mut slow) = (vec![first], vec![first]);
        act(self.fast, self.now, &mut fast);
        act(self.slow, self.now, &mut slow);
        let mut granted = self.log.same(self.now, command, fast, slow);
        self.log.law(granted.remove(0) == first, "grants are appended");
        granted
    }

    fn compare(&mut self) {
        for lock in 0..self.locks {
            let held: Vec<Mode> = (0..self.owners).map(|owner| self.fast.held(lock, owner)).collect();
            let slow: Vec<Mode> = (0..self.owners).map(|owner| self.slow.held(lock, owner)).collect();
            assert_eq!(held, slow, "held of lock {lock}\n{}", self.log.tail());
            for a in 0..held.len() {
                self.log.law((0..a).all(|b| together(held[a], held[b])), "holders of a lock go together");
            }
            self.no_grant_is_late(lock, &held);
        }
        for owner in 0..self.owners {
            let waits = self.slow.waiting.iter().filter(|w| w.owner == owner).count();
            self.log.law(waits <= 1, "who waits is in one list, once");
            self.log.law(self.slow.circle(owner).is_none(), "no circle of waiters");
        }
        let (fast, slow) = (self.fast.figures(self.now), self.slow.figures(self.now));
        self.log.same_figures(self.now, &fast, &slow);
        let answered = fast.count("at once") + fast.count("waits") + fast.count("refused");
        self.log.law(fast.count("requests") == answered, "every request has an answer");
    }

    /// The first that waits for a lock could not be granted what it waits for.
    fn no_grant_is_late(&self, lock: u32, held: &[Mode]) {
        let waiting = || self.slow.waiting.iter().filter(|w| w.lock == lock);
        let Some(first) = waiting().find(|w| w.converts).or(waiting().next()) else { return };
        let in_the_way = |owner: usize| owner != first.owner as usize && !together(held[owner], first.mode);
        self.log.law((0..held.len()).any(in_the_way), "nobody in front could be granted");
    }

    /// All who do not wait give all they hold, until nobody waits.
    fn end(&mut self) {
        for _ in 0..=self.owners {
            for owner in 0..self.owners {
                if !self.waits(owner) {
                    self.take_out(owner, "gone");
                    self.compare();
                }
            }
        }
        self.log.law(self.slow.waiting.is_empty() && self.slow.held.is_empty(), "all waits end, and all is given back");
    }
}

/// Whether all waits end if everybody who does not wait gives all that it holds.
fn ends(table: &Slow) -> bool {
    let mut table = table.clone();
    loop {
        let waits = |owner: u32| table.waiting.iter().any(|w| w.owner == owner);
        match table.held.iter().map(|h| h.owner).find(|&owner| !waits(owner)) {
            Some(owner) => table.gone(owner, Ns(u64::MAX), &mut Vec::new()),
            None => return table.waiting.is_empty(),
        }
    }
}
