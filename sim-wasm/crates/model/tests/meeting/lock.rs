//! Locks as three plain lists over all locks: what is held, who waits, what was asked. Who waits for whom is drawn
//! up anew for every request, pair by pair.
use crate::alike::{histogram, Figures, Rooms, Table, Tally};
use crate::lock_driver::check;
use crate::real::Real;
use wwi_kernel::time::Ns;
use wwi_model::meet::lock::{Answer, Mode};

/// Oracle's modes, in order of strength but for RX and S, which are beside one another.
pub const MODES: [Mode; 6] =
    [Mode::Null, Mode::RowShare, Mode::RowExclusive, Mode::Share, Mode::ShareRowExclusive, Mode::Exclusive];

/// Which two modes of one lock may be held at once: the table of Oracle's manual, rows and columns as in [`MODES`].
const TOGETHER: [&str; 6] = ["yyyyyy", "yyyyyn", "yyynnn", "yynynn", "yynnnn", "ynnnnn"];

fn number(mode: Mode) -> usize {
    MODES.iter().position(|&m| m == mode).expect("one of six")
}

pub fn together(a: Mode, b: Mode) -> bool {
    TOGETHER[number(a)].as_bytes()[number(b)] == b'y'
}

/// Whoever holds `held` needs nothing more for `asked`: what may stand beside the one may stand beside the other.
pub fn covers(held: Mode, asked: Mode) -> bool {
    MODES.iter().all(|&other| !together(held, other) || together(asked, other))
}

/// The least mode that covers both: SRX for RX and S, else one of the two.
pub fn joined(a: Mode, b: Mode) -> Mode {
    *MODES.iter().find(|&&m| covers(m, a) && covers(m, b)).expect("X covers all")
}

#[derive(Clone, Debug)]
pub struct Held {
    pub lock: u32,
    pub owner: u32,
    pub mode: Mode,
}

#[derive(Clone, Debug)]
pub struct Waiting {
    pub lock: u32,
    pub owner: u32,
    pub mode: Mode,
    pub converts: bool,
    pub since: Ns,
}

#[derive(Clone, Default)]
pub struct Slow {
    /// In order of first grant.
    pub held: Vec<Held>,
    /// In order of arrival.
    pub waiting: Vec<Waiting>,
    /// What was asked: by one who held a mode already, and how it was answered.
    asked: Vec<(bool, Answer)>,
    /// How long those waited who were granted what they waited for.
    waits: Vec<Ns>,
}

impl Slow {
    fn mode(&self, lock: u32, owner: u32) -> Mode {
        self.held.iter().find(|h| h.lock == lock && h.owner == owner).map_or(Mode::Null, |h| h.mode)
    }

    fn hold(&mut self, lock: u32, owner: u32, mode: Mode) {
        match self.held.iter_mut().find(|h| h.lock == lock && h.owner == owner) {
            Some(held) => held.mode = mode,
            None => self.held.push(Held { lock, owner, mode }),
        }
        self.held.retain(|h| h.mode != Mode::Null);
    }

    /// Who holds what is in the way of a mode.
    pub fn in_the_way(&self, lock: u32, owner: u32, mode: Mode) -> Vec<u32> {
        let others = self.held.iter().filter(|h| h.lock == lock && h.owner != owner);
        others.filter(|h| !together(h.mode, mode)).map(|h| h.owner).collect()
    }

    /// (who waits, for whom), all pairs.
    pub fn pairs(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for (at, w) in self.waiting.iter().enumerate() {
            pairs.extend(self.in_the_way(w.lock, w.owner, w.mode).into_iter().map(|holder| (w.owner, holder)));
            for (other_at, other) in self.waiting.iter().enumerate() {
                let is_first = match (other.converts, w.converts) {
                    (true, false) => true,
                    (false, true) => false,
                    _ => other_at < at,
                };
                if other.lock == w.lock && is_first {
                    pairs.push((w.owner, other.owner));
                }
            }
        }
        pairs
    }

    /// The number of owners in the shortest circle of waiters through this one.
    pub fn circle(&self, owner: u32) -> Option<usize> {
        let pairs = self.pairs();
        let mut reached = vec![owner];
        for steps in 1..=pairs.len() {
            reached = pairs.iter().filter(|p| reached.contains(&p.0)).map(|p| p.1).collect();
            reached.sort();
            reached.dedup();
            if reached.contains(&owner) {
                return Some(steps);
            }
        }
        None
    }

    /// What would come of it if the request waited, whatever follows.
    pub fn if_it_waited(&self, lock: u32, owner: u32, asked: Mode, now: Ns) -> Slow {
        let held = self.mode(lock, owner);
        let (mode, converts) = (joined(held, asked), held != Mode::Null);
        let mut then = self.clone();
        then.waiting.push(Waiting { lock, owner, mode, converts, since: now });
        then
    }

    fn answer(&mut self, lock: u32, owner: u32, asked: Mode, now: Ns, wanted: &mut Vec<u32>) -> Answer {
        if self.waiting.iter().any(|w| w.owner == owner) {
            return Answer::Refused;
        }
        let held = self.mode(lock, owner);
        if covers(held, asked) {
            return Answer::Granted;
        }
        let mode = joined(held, asked);
        let in_the_way = self.in_the_way(lock, owner, mode);
        let somebody_waits = self.waiting.iter().any(|w| w.lock == lock);
        if in_the_way.is_empty() && (held != Mode::Null || !somebody_waits) {
            self.hold(lock, owner, mode);
            return Answer::Granted;
        }
        let then = self.if_it_waited(lock, owner, asked, now);
        if then.circle(owner).is_some() {
            return Answer::Refused;
        }
        *self = then;
        wanted.extend(in_the_way);
        Answer::Waits
    }

    /// Conversions in order, then new requests in order, until one cannot be granted.
    fn serve(&mut self, lock: u32, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        loop {
            let mine = |w: &&Waiting| w.lock == lock;
            let converts = self.waiting.iter().filter(mine).any(|w| w.converts);
            let Some(at) = self.waiting.iter().position(|w| w.lock == lock && w.converts == converts) else { return };
            let Waiting { owner, mode, since, .. } = self.waiting[at];
            if !self.in_the_way(lock, owner, mode).is_empty() {
                return;
            }
            self.waiting.remove(at);
            self.hold(lock, owner, mode);
            self.waits.push(now - since);
            granted.push((owner, mode));
        }
    }
}

impl Table for Slow {
    fn request(&mut self, lock: u32, owner: u32, mode: Mode, now: Ns, wanted: &mut Vec<u32>) -> Answer {
        let converts = self.mode(lock, owner) != Mode::Null;
        let answer = self.answer(lock, owner, mode, now, wanted);
        self.asked.push((converts, answer));
        answer
    }
    fn give(&mut self, lock: u32, owner: u32, to: Mode, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        if covers(self.mode(lock, owner), to) {
            self.hold(lock, owner, to);
            self.serve(lock, now, granted);
        }
    }
    fn leave(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        if let Some(at) = self.waiting.iter().position(|w| w.owner == owner) {
            let lock = self.waiting.remove(at).lock;
            self.serve(lock, now, granted);
        }
    }
    fn gone(&mut self, owner: u32, now: Ns, granted: &mut Vec<(u32, Mode)>) {
        self.leave(owner, now, granted);
        let mut locks: Vec<u32> = self.held.iter().filter(|h| h.owner == owner).map(|h| h.lock).collect();
        locks.sort();
        for lock in locks {
            self.give(lock, owner, Mode::Null, now, granted);
        }
    }
    fn held(&self, lock: u32, owner: u32) -> Mode {
        self.mode(lock, owner)
    }
    fn figures(&mut self, _now: Ns) -> Figures {
        let count = |which: &dyn Fn(&(bool, Answer)) -> bool| self.asked.iter().filter(|a| which(a)).count() as u128;
        Figures {
            counts: vec![
                ("requests", self.asked.len() as u128),
                ("at once", count(&|a| a.1 == Answer::Granted)),
                ("waits", count(&|a| a.1 == Answer::Waits)),
                ("refused", count(&|a| a.1 == Answer::Refused)),
                ("conversions", count(&|a| a.0)),
            ],
            spans: vec![("wait", histogram(self.waits.iter().copied()))],
        }
    }
}

#[test]
fn locks() {
    let mut tally = Tally::default();
    for seed in 0..500 {
        let (owners, locks) = (2 + seed as u32 % 7, 1 + seed as u32 / 7 % 5);
        let mut fast = Real::table(locks);
        check(seed, owners, locks, &mut fast, &mut Slow::default(), &mut tally);
    }
    let states = ["that neither holds nor waits", "that holds", "that waits", "that holds and waits", "that converts"];
    let of = |what: &str| states.map(|state| format!("{what} of one {state}"));
    let each: Vec<String> = [of("leave"), of("gone")].concat();
    tally.expect(&each.iter().map(String::as_str).collect::<Vec<_>>());
    tally.expect(&[
        "granted at once, new",
        "granted at once, conversion",
        "granted at once, conversion before others that convert",
        "granted at once, covered",
        "granted at once, RX and S are SRX",
        "waits, new",
        "waits, conversion",
        "waits, behind others only",
        "refused, circle of 2",
        "refused, circle of 3",
        "refused, circle of 4",
        "refused, conversion",
        "refused, waits already",
        "given to a lesser mode",
        "given by one that waits",
        "given while it is converted",
        "given up while it is converted",
        "given that is not held",
        "given to a mode that is not covered",
        "give grants a conversion",
        "give grants a new request",
        "give grants several",
        "leave grants",
        "gone grants",
    ]);
}

#[test]
fn modes_cover_one_another_as_they_exclude() {
    let pairs = |which: fn(Mode, Mode) -> bool| MODES.map(|a| MODES.map(|b| u8::from(which(a, b))));
    #[rustfmt::skip]
    assert_eq!(pairs(covers), [
        [1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0], [1, 1, 1, 0, 0, 0],
        [1, 1, 0, 1, 0, 0], [1, 1, 1, 1, 1, 0], [1, 1, 1, 1, 1, 1],
    ]);
    assert_eq!(joined(Mode::Share, Mode::RowExclusive), Mode::ShareRowExclusive);
}
