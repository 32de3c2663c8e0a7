//! The Resource Manager's cage: at most `cpu_count` sessions of an instance run at once.
//!
//! A session that used up its quantum is found out on a clock tick and gives way at its next safe point. Its slot is not
//! handed over: the scheduler process fills empty slots on the next tick, so the slot stands empty until then. With a tick
//! of zero both are continuous and the cage is plain round robin.
use crate::config::{CageConfig, Handoff};
use crate::ids::Pid;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

#[derive(Clone, Debug)]
struct Group {
    waiting: VecDeque<Pid>,
    running: u32,
    most: u32,
    shares: f64,
    level: u32,
    /// CPU time consumed over shares, the stride clock \[ns\].
    pass: f64,
}

/// What happens with a freed or wanted slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Fill empty slots at once.
    Now,
    /// Fill them at this moment.
    At(Ns),
    /// Nothing to do.
    Nothing,
}

/// Slots and those who wait for one.
#[derive(Clone, Debug)]
pub struct Cage {
    /// Its settings.
    pub config: CageConfig,
    groups: Vec<Group>,
    running: u32,
    waiting: usize,
    /// The tick at which sessions gave way without a later tick for their slots, and how many.
    yielded: (Ns, u32),
    armed: bool,
    since: Ns,
}

impl Cage {
    /// An empty cage.
    pub fn new(config: &CageConfig) -> Self {
        let group = |g: &crate::config::GroupConfig| Group {
            waiting: VecDeque::new(),
            running: 0,
            most: (g.utilization_limit * f64::from(config.slots) - 1e-9).ceil().max(1.0) as u32,
            shares: f64::from(g.shares.max(1)),
            level: g.level,
            pass: 0.0,
        };
        Cage {
            config: config.clone(),
            groups: config.groups.iter().map(group).collect(),
            running: 0,
            waiting: 0,
            yielded: (Ns::MAX, 0),
            armed: false,
            since: Ns::ZERO,
        }
    }

    /// Slot time (held, empty though someone waits) since the last call \[ns\].
    pub fn account(&mut self, now: Ns) -> (u128, u128) {
        let span = u128::from((now - self.since).0);
        self.since = now;
        let empty = if self.waiting > 0 { self.config.slots - self.running } else { 0 };
        (span * u128::from(self.running), span * u128::from(empty))
    }

    /// Whether anybody waits for a slot.
    pub fn has_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// A session wants to run: true if it holds a slot now, else it waits.
    pub fn enter(&mut self, pid: Pid, group: usize) -> bool {
        let free = self.running < self.config.slots && self.waiting == 0;
        if free && self.groups[group].running < self.groups[group].most {
            self.catch_up(group);
            self.running += 1;
            self.groups[group].running += 1;
            return true;
        }
        self.queue(pid, group);
        false
    }

    fn queue(&mut self, pid: Pid, group: usize) {
        self.catch_up(group);
        self.groups[group].waiting.push_back(pid);
        self.waiting += 1;
    }

    /// A group that was away may not claim the time it did not ask for.
    fn catch_up(&mut self, group: usize) {
        let active = |g: &Group| g.running > 0 || !g.waiting.is_empty();
        if active(&self.groups[group]) {
            return;
        }
        let least = self.groups.iter().filter(|g| active(g)).map(|g| g.pass).fold(f64::INFINITY, f64::min);
        if least.is_finite() {
            self.groups[group].pass = self.groups[group].pass.max(least);
        }
    }

    fn release(&mut self, group: usize, used: Ns) {
        self.running -= 1;
        let group = &mut self.groups[group];
        group.running -= 1;
        group.pass += used.0 as f64 / group.shares;
    }

    /// A session gives its slot up for its quantum is over, and waits again.
    pub fn expired(&mut self, pid: Pid, group: usize, used: Ns, now: Ns) -> Fill {
        self.release(group, used);
        self.queue(pid, group);
        if self.config.tick == Ns::ZERO {
            return Fill::Now;
        }
        if self.yielded.0 != now {
            self.yielded = (now, 0);
        }
        self.yielded.1 += 1;
        self.wanted(now)
    }

    /// A session leaves its slot for a wait.
    pub fn left(&mut self, group: usize, used: Ns, now: Ns) -> Fill {
        self.release(group, used);
        match self.config.handoff {
            Handoff::Immediate => Fill::Now,
            Handoff::Tick => self.wanted(now),
        }
    }

    /// Arms the next tick if there is something to fill.
    pub fn wanted(&mut self, now: Ns) -> Fill {
        if self.armed || self.waiting == 0 || self.running >= self.config.slots {
            return Fill::Nothing;
        }
        self.armed = true;
        Fill::At(now.next_tick(self.config.tick))
    }

    /// The tick came.
    pub fn ticked(&mut self) {
        self.armed = false;
    }

    /// Takes the next session for an empty slot: lowest level first, then the group least served for its shares.
    pub fn grant(&mut self, now: Ns) -> Option<Pid> {
        let kept_empty = if self.yielded.0 == now && self.config.tick > Ns::ZERO { self.yielded.1 } else { 0 };
        if self.running + kept_empty >= self.config.slots {
            return None;
        }
        let eligible = self.groups.iter_mut().filter(|g| !g.waiting.is_empty() && g.running < g.most);
        let group = eligible.min_by(|a, b| a.level.cmp(&b.level).then(a.pass.total_cmp(&b.pass)))?;
        group.running += 1;
        self.running += 1;
        self.waiting -= 1;
        group.waiting.pop_front()
    }

    /// When a session that has used `used` of its quantum and runs from now on is made to yield: at the first safe point
    /// after the tick that finds its quantum used to within half a tick.
    #[inline]
    pub fn yields_at(&self, used: Ns, now: Ns) -> Ns {
        let half = Ns(self.config.tick.0 / 2);
        let missing = self.config.quantum.minus(used).minus(half);
        let found = if missing == Ns::ZERO { now } else { (now + missing).ceil_to(self.config.tick) };
        found + self.config.safe_point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cage;

    fn ms(t: f64) -> Ns {
        Ns::from_ms(t)
    }

    #[test]
    fn a_quantum_is_found_out_on_the_tick_that_sees_it_nearly_used() {
        let c = Cage::new(&cage(8));
        assert_eq!(c.yields_at(Ns::ZERO, ms(0.01)), ms(100.2), "99.99 ms at the tenth tick counts as 100");
        assert_eq!(c.yields_at(Ns::ZERO, ms(6.0)), ms(110.2), "94 ms at the tenth tick does not");
        assert_eq!(c.yields_at(ms(120.0), ms(7.0)), ms(7.2), "overdue: at the next safe point");
    }

    #[test]
    fn a_slot_freed_by_expiry_waits_for_the_next_tick() {
        let mut c = Cage::new(&cage(1));
        assert!(c.enter(Pid(0), 0) && !c.enter(Pid(1), 0));
        assert_eq!(c.expired(Pid(0), 0, ms(100.2), ms(100.2)), Fill::At(ms(110.0)));
        c.ticked();
        assert_eq!(c.grant(ms(110.0)), Some(Pid(1)));
        assert_eq!(c.grant(ms(110.0)), None);
    }

    #[test]
    fn two_groups_share_by_their_shares_and_a_cap_holds() {
        let mut config = cage(4);
        let limit = |name: &str, shares, utilization_limit| crate::config::GroupConfig {
            name: name.into(),
            shares,
            utilization_limit,
            level: 1,
        };
        config.groups = vec![limit("a", 3, 1.0), limit("b", 1, 0.5)];
        let mut c = Cage::new(&config);
        for p in 0..8 {
            c.enter(Pid(p), p as usize % 2);
        }
        assert_eq!(c.groups[1].running, 2, "half of four slots");
        let mut turns = [0, 0];
        let mut ran: VecDeque<Pid> = (0..4).map(Pid).collect();
        for round in 0..4000u64 {
            let pid = ran.pop_front().unwrap();
            let now = ms(round as f64 * 10.0 + 0.2);
            c.expired(pid, pid.i() % 2, ms(100.0), now);
            let next = c.grant(now.next_tick(ms(10.0))).unwrap();
            turns[next.i() % 2] += 1;
            ran.push_back(next);
        }
        let share = f64::from(turns[0]) / 4000.0;
        assert!((share - 0.75).abs() < 0.01, "{share}");
    }
}
