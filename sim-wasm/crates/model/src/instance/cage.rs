//! The Resource Manager's cage: at most `cpu_count` sessions of an instance run at once.
//!
//! A session that used up its quantum is found out on a clock tick and gives way at its next safe point. Its slot is
//! not handed over: the scheduler process fills empty slots on the next tick, so the slot stands empty until then. With
//! a tick of zero both are continuous and the cage is plain round robin.
//!
//! A session that waits for its own group's limit, or behind a session of a more urgent level, could not take a slot
//! that came free: it makes nobody give way, keeps nobody out of a free slot, and no slot stands empty for it.
use crate::config::{CageConfig, Handoff};
use crate::ids::Pid;
use crate::instance::consumers::Group;
use wwi_kernel::time::Ns;

/// What happens with a freed or wanted slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Fill empty slots at once.
    Now,
    /// Fill the one that came free at once.
    One,
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
    /// When the next tick comes that somebody waits for.
    armed: Ns,
    since: Ns,
    /// By process: the tick that finds its quantum used, as it looked when it last ran.
    found: Vec<Ns>,
}

impl Cage {
    /// An empty cage.
    pub fn new(config: &CageConfig) -> Self {
        Cage {
            config: config.clone(),
            groups: config.groups.iter().map(|group| Group::new(group, config.slots)).collect(),
            running: 0,
            waiting: 0,
            yielded: (Ns::MAX, 0),
            armed: Ns::MAX,
            since: Ns::ZERO,
            found: Vec::new(),
        }
    }

    /// No time has passed since [`Cage::account`] was called.
    pub fn is_accounted(&self, now: Ns) -> bool {
        self.since == now
    }

    /// Time since the last call, and slot time in it: held, empty though someone waits who may take it \[ns\].
    pub fn account(&mut self, now: Ns) -> (u64, u128, u128) {
        let whole = (now - self.since).0;
        let span = u128::from(whole);
        self.since = now;
        let mut empty = 0;
        if self.waiting > 0 {
            let open = self.groups.iter().filter(|g| g.is_eligible()).map(Group::room).sum();
            empty = (self.config.slots - self.running).min(open);
        }
        let quantum = self.config.quantum.0 as f64;
        self.groups.iter_mut().for_each(|group| group.account(whole as f64, quantum));
        (whole, span * u128::from(self.running), span * u128::from(empty))
    }

    /// Who waits: for whom a slot stands empty that he may take, and the others.
    pub fn waiters(&self) -> (u32, u32) {
        let could = |g: &Group| (g.waiting.len() as u32).min(g.room());
        let empty = (self.config.slots - self.running).min(self.groups.iter().map(could).sum());
        (empty, self.waiting as u32 - empty)
    }

    /// Whether somebody waits who may take a free slot.
    fn is_wanted(&self) -> bool {
        self.waiting > 0 && self.groups.iter().any(Group::is_eligible)
    }

    /// Whether a session of `group` gives its slot up when its quantum is over: then one more of those who wait could
    /// run, and not one of a less urgent level, before whom it would have the slot back; or its group's limit ends it.
    pub fn gives_way(&self, group: usize) -> bool {
        if self.groups[group].is_over() {
            return true;
        }
        if self.waiting == 0 {
            return false;
        }
        let own = self.groups[group].level;
        let served = |released: u32| {
            let could = |(number, g): (usize, &Group)| {
                let room = g.room() + if number == group { released } else { 0 };
                (g.waiting.len() as u32).min(room)
            };
            let urgent = self.groups.iter().enumerate().filter(|(_, g)| g.level <= own);
            urgent.map(could).sum::<u32>().min(self.config.slots - self.running + released)
        };
        served(1) > served(0)
    }

    /// A session goes on with a new quantum, for nobody could have its slot: what it used of the old one counts all the
    /// same.
    pub fn renewed(&mut self, group: usize, used: Ns) {
        self.groups[group].pass += used.0 as f64 / self.groups[group].shares;
    }

    /// A session wants to run: true if it holds a slot now, else it waits.
    pub fn enter(&mut self, pid: Pid, group: usize) -> bool {
        let free = self.running < self.config.slots && !self.is_wanted();
        if free && self.groups[group].room() > 0 {
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
        // First it waits, then its slot is free: its group is never away.
        self.queue(pid, group);
        self.release(group, used);
        if self.config.tick == Ns::ZERO {
            return Fill::Now;
        }
        if self.yielded.0 != now {
            self.yielded = (now, 0);
        }
        self.yielded.1 += 1;
        self.wanted(now)
    }

    /// A session waits no longer.
    pub fn withdraw(&mut self, pid: Pid, group: usize) {
        let waiting = &mut self.groups[group].waiting;
        let before = waiting.len();
        waiting.retain(|&other| other != pid);
        self.waiting -= before - waiting.len();
    }

    /// A session leaves its slot for a wait. Where that one is handed over, those that others gave up when their quanta
    /// were over stand empty until the tick.
    pub fn left(&mut self, group: usize, used: Ns, now: Ns) -> Fill {
        self.release(group, used);
        match self.config.handoff {
            Handoff::Immediate => Fill::One,
            Handoff::Tick => self.wanted(now),
        }
    }

    /// Arms the next tick if there is a slot to fill and somebody who may take it.
    pub fn wanted(&mut self, now: Ns) -> Fill {
        if self.running >= self.config.slots {
            return Fill::Nothing;
        }
        let Some(from) = self.groups.iter().filter_map(|group| group.waits_until(now)).min() else {
            return Fill::Nothing;
        };
        let at = if from > now { from.ceil_to(self.config.tick) } else { now.next_tick(self.config.tick) };
        if at >= self.armed {
            return Fill::Nothing;
        }
        self.armed = at;
        Fill::At(at)
    }

    /// The tick came.
    pub fn ticked(&mut self) {
        self.armed = Ns::MAX;
    }

    /// Takes the next session for an empty slot: lowest level first, then the group least served for its shares.
    pub fn grant(&mut self, now: Ns) -> Option<Pid> {
        let kept_empty = if self.yielded.0 == now && self.config.tick > Ns::ZERO { self.yielded.1 } else { 0 };
        if self.running + kept_empty >= self.config.slots {
            return None;
        }
        let eligible = self.groups.iter_mut().filter(|g| g.is_eligible());
        let group = eligible.min_by(|a, b| a.level.cmp(&b.level).then(a.pass.total_cmp(&b.pass)))?;
        group.running += 1;
        self.running += 1;
        self.waiting -= 1;
        group.waiting.pop_front()
    }

    /// When a session that has used `used` of its quantum and runs from now on is made to yield: at the first safe
    /// point after the tick that finds its quantum used to within half a tick. That tick comes after the session
    /// started to run, however short the quantum, unless it came while the session, its quantum used, had lost the CPU.
    #[inline]
    pub fn yields_at(&mut self, pid: Pid, used: Ns, now: Ns) -> Ns {
        let half = Ns(self.config.tick.0 / 2);
        let missing = self.config.quantum.minus(used).minus(half);
        if self.found.len() <= pid.i() {
            self.found.resize(pid.i() + 1, Ns::ZERO);
        }
        let found = &mut self.found[pid.i()];
        if missing > Ns::ZERO || used == Ns::ZERO {
            *found = (now + missing.max(Ns(1))).ceil_to(self.config.tick);
        }
        (*found).max(now) + self.config.safe_point
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cage;
    use std::collections::VecDeque;

    fn ms(t: f64) -> Ns {
        Ns::from_ms(t)
    }

    #[test]
    fn a_quantum_is_found_out_on_the_tick_that_sees_it_nearly_used() {
        let mut c = Cage::new(&cage(8));
        let p = Pid(3);
        assert_eq!(c.yields_at(p, Ns::ZERO, ms(0.01)), ms(100.2), "99.99 ms at the tenth tick counts as 100");
        assert_eq!(c.yields_at(p, Ns::ZERO, ms(6.0)), ms(110.2), "94 ms at the tenth tick does not");
        assert_eq!(c.yields_at(p, ms(101.0), ms(109.0)), ms(110.2), "used up before the tick, which is still to come");
        assert_eq!(c.yields_at(p, ms(101.0), ms(127.0)), ms(127.2), "found while off the CPU: at the next safe point");
        assert_eq!(c.yields_at(p, ms(90.0), ms(127.0)), ms(140.2), "not used up: on the tick that will see it so");
    }

    /// Specification: on a tick, used + half a tick reach the quantum. Up to a tick and a half that is the first tick.
    #[test]
    fn a_quantum_of_up_to_one_and_a_half_ticks_is_found_used_on_the_first_tick_after_the_start() {
        for quantum in 1..=25 {
            let mut c = Cage::new(&CageConfig { quantum: ms(f64::from(quantum)), ..cage(8) });
            let expected = if quantum <= 15 { 10.2 } else { 20.2 };
            assert_eq!(c.yields_at(Pid(0), Ns::ZERO, Ns::ZERO), ms(expected), "{quantum} ms");
            assert_eq!(c.yields_at(Pid(0), Ns::ZERO, ms(50.0)), ms(50.0 + expected), "{quantum} ms from a tick");
        }
        let mut short = Cage::new(&CageConfig { quantum: ms(5.0), safe_point: Ns::ZERO, ..cage(8) });
        assert_eq!(short.yields_at(Pid(0), Ns::ZERO, ms(30.0)), ms(40.0), "never in the moment of the grant");
        assert_eq!(short.yields_at(Pid(0), ms(3.0), ms(34.0)), ms(40.0), "nor for having lost the CPU in between");
        let mut long = Cage::new(&CageConfig { quantum: ms(50.0), tick: ms(100.0), ..cage(8) });
        assert_eq!(long.yields_at(Pid(0), Ns::ZERO, ms(100.0)), ms(200.2));
        let mut smooth = Cage::new(&CageConfig { tick: Ns::ZERO, safe_point: Ns::ZERO, ..cage(8) });
        assert_eq!(smooth.yields_at(Pid(0), ms(40.0), ms(7.0)), ms(67.0), "without ticks at the moment itself");
    }

    fn group(level: u32, shares: u32, utilization_limit: f64) -> crate::config::GroupConfig {
        crate::config::GroupConfig { name: "g".into(), sessions: 1, shares, utilization_limit, level }
    }

    fn caged(slots: u32, groups: Vec<crate::config::GroupConfig>) -> Cage {
        Cage::new(&CageConfig { groups, ..cage(slots) })
    }

    #[test]
    fn who_waits_behind_his_own_limit_is_in_nobodys_way() {
        let mut c = caged(4, vec![group(1, 1, 1.0), group(1, 1, 0.25)]);
        assert!(c.enter(Pid(1), 1) && !c.enter(Pid(3), 1), "a quarter of four slots");
        assert_eq!(c.wanted(ms(3.0)), Fill::Nothing, "no tick gives him a slot");
        assert_eq!(c.account(ms(5.0)), (5_000_000, 5_000_000, 0), "and no slot stands empty for him");
        assert!(c.enter(Pid(0), 0) && c.enter(Pid(2), 0), "he keeps nobody out");
        assert!(!c.gives_way(0), "nobody of the other group gives way to him");
        assert!(c.gives_way(1), "one of his own does");
        assert_eq!(c.expired(Pid(1), 1, ms(100.0), ms(100.2)), Fill::At(ms(110.0)));
        assert!(!c.gives_way(0), "a slot is free for the one whom the limit now lets in");
        assert_eq!(c.account(ms(110.2)).2, 105_200_000, "one of the two empty slots, for the limit lets him have one");
        c.ticked();
        assert_eq!(c.grant(ms(110.0)), Some(Pid(3)));
        assert_eq!(c.wanted(ms(110.0)), Fill::Nothing);
    }

    #[test]
    fn lower_levels_first_and_nobody_gives_way_to_a_higher_one() {
        let mut c = caged(1, vec![group(2, 1, 1.0), group(1, 1, 1.0)]);
        assert!(c.enter(Pid(1), 1) && !c.enter(Pid(0), 0));
        assert!(!c.gives_way(1), "level 2 could not have the slot");
        assert!(!c.enter(Pid(3), 1) && c.gives_way(1));
        c.expired(Pid(1), 1, ms(100.0), ms(100.2));
        assert_eq!(c.grant(ms(110.0)), Some(Pid(3)), "level 1 before level 2, who came first");
        c.left(1, ms(10.0), ms(120.0));
        assert_eq!(c.grant(ms(120.0)), Some(Pid(1)));
        c.left(1, ms(10.0), ms(130.0));
        assert_eq!(c.grant(ms(130.0)), Some(Pid(0)), "what level 1 leaves");
        assert!(!c.enter(Pid(1), 1) && c.gives_way(0), "level 2 gives way to level 1");
    }

    #[test]
    fn a_group_that_was_away_does_not_claim_the_time_it_did_not_ask_for() {
        let mut c = caged(1, vec![group(1, 1, 1.0), group(1, 1, 1.0)]);
        assert!(c.enter(Pid(0), 0) && !c.enter(Pid(2), 0));
        let mut now = 0.2;
        for round in 0..10 {
            now += 110.0;
            c.expired(Pid(2 * (round % 2)), 0, ms(100.0), ms(now));
            assert_eq!(c.grant(ms(now + 9.8)), Some(Pid(2 * ((round + 1) % 2))), "the group alone");
        }
        assert!(!c.enter(Pid(1), 1) && !c.enter(Pid(3), 1));
        // The first group used 1000 ms while the second was away. From here on they take turns.
        let mut turns = vec![];
        let mut running = Pid(0);
        for _ in 0..6 {
            now += 110.0;
            c.expired(running, running.i() % 2, ms(100.0), ms(now));
            running = c.grant(ms(now + 9.8)).unwrap();
            turns.push(running.i() % 2);
        }
        assert_eq!(turns, [1, 0, 1, 0, 1, 0]);
    }

    #[test]
    fn a_renewed_quantum_counts_against_the_shares() {
        let mut c = caged(1, vec![group(1, 1, 1.0), group(1, 1, 1.0)]);
        assert!(c.enter(Pid(0), 0) && !c.enter(Pid(1), 1));
        c.renewed(0, ms(300.0));
        c.expired(Pid(0), 0, ms(100.0), ms(400.2));
        // 400 ms against nothing: the other group has the next four quanta, then both have had as much.
        let mut own = 0.0;
        while own < 400.0 {
            assert_eq!(c.grant(ms(410.0)), Some(Pid(1)), "{own} ms");
            c.expired(Pid(1), 1, ms(100.0), ms(500.2 + own));
            own += 100.0;
        }
        assert_eq!(c.grant(ms(910.0)), Some(Pid(0)));
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
            sessions: 1,
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
