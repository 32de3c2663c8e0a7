//! What of its weight a control group has on each CPU (`calc_group_shares` in `kernel/sched/fair.c`): the part that its
//! load there is of its load everywhere. A load is the weight of who is queued, or its average over time where that is
//! more (`load_avg`, PELT).
//!
//! Each process has an average of its own, which counts on the CPU where it was queued last and goes along when it
//! moves (`attach_entity_load_avg`, `detach_entity_load_avg`, `remove_entity_load_avg`).
//!
//! An average fades evenly and is read anew where a period of 1.049 ms has begun since (`___update_load_sum` says
//! whether one has, and only then `___update_load_avg` divides, and the group hears of it). Within it the group weighs
//! what it weighed, so it is seldom weighed anew, which is no small matter where that changes what who runs is owed.
//!
//! Where it is simpler: periods begin at the same moments on all CPUs, and what leaves a CPU by waking up elsewhere is
//! taken off at once, not when its queue is next looked at.
use wwi_kernel::decay::Fading;
use wwi_kernel::time::Ns;

/// Log of the half-life \[ns\] (`LOAD_AVG_PERIOD`, 32 periods of 1024 times 1024 ns).
const HALF_LIFE_LOG: u32 = 25;
/// Log of a period \[ns\].
const PERIOD_LOG: u32 = 20;
/// A group hears of a CPU's average again when it has changed by more than this part (`update_tg_load_avg`), or by that
/// one in 3.14 (`__update_cfs_rq_tg_load_contrib`) …
const HEARD: [u64; 2] = [64, 8];
/// … and, since 6.7, after this time at the earliest …
const SOONEST: u64 = 1_000_000;
/// … while CPUs on which nothing of it happens are asked at these intervals. Free: the kernel does so when they
/// balance.
const ASKED: u64 = 32_000_000;
/// No CPU has less of a group's weight (`MIN_SHARES`).
const LEAST: u64 = 2;

/// Of a group on a CPU: the weight that is queued, and its average over time.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    average: f64,
    weight: u64,
    since: Ns,
    /// The average as it was read last, and in which period.
    read: (u64, u64),
    /// Somebody has woken elsewhere since (`removed.nr`).
    has_lost: bool,
    /// The average as the group knows it, and since when.
    told: (u64, Ns),
    /// Whether the group stands in the queue of the CPU, and since when; the share of time that it did before, as its
    /// average counts time.
    stands: bool,
    stood: Ns,
    presence: f64,
}

/// Of a process of a group: the average of its weight while queued, which starts in full
/// (`init_entity_runnable_average`).
#[derive(Clone, Copy, Debug)]
pub struct Own {
    weight: u64,
    average: f64,
    since: Ns,
    /// The CPU where it counts.
    at: Option<u16>,
}

impl Own {
    /// Of a new process with a weight by its nice value.
    pub fn new(weight: u64) -> Own {
        Own { weight, average: weight as f64, since: Ns::ZERO, at: None }
    }

    /// By its nice value.
    pub fn weight(&self) -> u64 {
        self.weight
    }
}

/// How a group hears of averages, and what it makes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Linux 3.14: on ticks in any case, and a CPU's load is who is queued there, whatever its average.
    Linux314,
    /// Linux 6.1: as soon as they change.
    Linux61,
    /// Linux 6.7.
    Linux67,
}

/// The loads of one control group.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Its weight, in the finer unit.
    weight: u64,
    /// By CPU.
    each: Vec<Load>,
    /// What it knows of their averages, added up (`tg->load_avg`).
    told: u64,
    asked: Ns,
    rule: Rule,
    table: Fading<HALF_LIFE_LOG>,
}

impl Shares {
    /// Of a group of a weight on so many CPUs, of which nothing is queued yet.
    pub fn new(weight: u64, cpus: usize, rule: Rule) -> Shares {
        let table = Fading::default();
        Shares { weight, each: vec![Load::default(); cpus], told: 0, asked: Ns::ZERO, rule, table }
    }

    /// An average after it has tended to a weight since a moment. In one copy: it is no hot loop.
    #[inline(never)]
    fn faded(&self, average: f64, weight: u64, (since, now): (Ns, Ns)) -> f64 {
        let weight = weight as f64;
        weight + (average - weight) * self.table.kept(now.minus(since).0)
    }

    fn average(&self, at: usize, now: Ns) -> f64 {
        let Load { average, weight, since, .. } = self.each[at];
        self.faded(average, weight, (since, now))
    }

    /// The average of a CPU is read; whether a period has begun since it was read last.
    fn read(&mut self, at: usize, now: Ns) -> bool {
        let period = now.0 >> PERIOD_LOG;
        let has_begun = self.each[at].read.1 != period;
        if has_begun {
            self.each[at].read = (self.average(at, now) as u64, period);
        }
        has_begun
    }

    /// Something happens on a CPU: the group hears of its average if that was read anew (`update_load_avg`).
    fn hear(&mut self, at: usize, now: Ns) {
        let has_lost = std::mem::take(&mut self.each[at].has_lost);
        if self.read(at, now) || has_lost {
            self.tell(at, now);
        }
    }

    /// The group hears of what was read (`update_tg_load_avg`).
    fn tell(&mut self, at: usize, now: Ns) {
        let Load { read: (average, _), told: (told, since), .. } = self.each[at];
        let (soonest, heard) = match self.rule {
            Rule::Linux314 => (0, HEARD[1]),
            Rule::Linux61 => (0, HEARD[0]),
            Rule::Linux67 => (SOONEST, HEARD[0]),
        };
        if now.minus(since).0 >= soonest && average.abs_diff(told) > told / heard {
            self.told_anew(at, now);
        }
    }

    fn told_anew(&mut self, at: usize, now: Ns) {
        let Load { read: (average, _), told: (told, _), .. } = self.each[at];
        self.told = self.told - told + average;
        self.each[at].told = (average, now);
    }

    /// A tick of a CPU where somebody of the group runs (`entity_tick`).
    pub fn tick(&mut self, at: usize, now: Ns) {
        if self.rule == Rule::Linux314 {
            self.read(at, now);
            self.told_anew(at, now);
        }
    }

    /// What a CPU that has the group in its queue takes for the load of this, in the finer unit, in 3.14: the part of
    /// its weight that the group's average there has of all, and less if the group runs on less than one CPU in all
    /// (`__update_group_entity_contrib`). `None`: of one unit of load.
    pub fn contribution(&self, at: Option<usize>, now: Ns) -> f64 {
        let runnable: f64 = (0..self.each.len()).map(|cpu| self.presence(cpu, now)).sum();
        let of = at.map_or(1, |at| self.each[at].told.0);
        self.weight as f64 * of as f64 / (self.told + 1) as f64 * runnable.min(1.0)
    }

    /// Whether the group stands in the queue of a CPU.
    pub fn stands(&self, at: usize) -> bool {
        self.each[at].stands
    }

    fn change(&mut self, at: usize, weight: u64, now: Ns) {
        self.hear(at, now);
        let average = self.average(at, now);
        let load = &mut self.each[at];
        (load.average, load.weight, load.since) = (average, weight, now);
    }

    /// From now on so much more of averages counts at a CPU, or less.
    fn count(&mut self, at: usize, average: f64, now: Ns) {
        self.read(at, now);
        let before = self.average(at, now);
        let load = &mut self.each[at];
        (load.average, load.since) = ((before + average).max(0.0), now);
        load.read.0 = (load.read.0 as f64 + average).max(0.0) as u64;
    }

    /// A process is queued at a CPU (`enqueue_entity`).
    pub fn add(&mut self, own: &mut Own, at: usize, now: Ns) {
        if own.at.is_some() {
            own.average = self.faded(own.average, 0, (own.since, now));
        }
        own.since = now;
        let before = own.at.replace(at as u16).map(usize::from);
        if before != Some(at) {
            if let Some(before) = before {
                self.count(before, -own.average, now);
                self.each[before].has_lost = true;
                self.lessen(before, now);
            }
            self.count(at, own.average, now);
            self.tell(at, now);
            self.each[at].presence = (self.presence(at, now) + own.average / own.weight as f64).min(1.0);
            self.each[at].stood = now;
        }
        self.change(at, self.each[at].weight + own.weight, now);
    }

    /// A process is no longer queued at a CPU (`dequeue_entity`); `moves`: to be queued at another one at once.
    pub fn remove(&mut self, own: &mut Own, at: usize, moves: bool, now: Ns) {
        own.average = self.faded(own.average, own.weight, (own.since, now));
        own.since = now;
        if moves {
            self.count(at, -own.average, now);
            self.tell(at, now);
            own.at = None;
        }
        self.change(at, self.each[at].weight - own.weight, now);
        if moves {
            self.lessen(at, now);
        }
    }

    /// Somebody counts elsewhere from now on: the group stood in the queue of this CPU for no greater share of time
    /// than those who are queued there on average; with nobody queued it counts for nothing (`update_tg_cfs_load`).
    fn lessen(&mut self, at: usize, now: Ns) {
        let (weight, average) = (self.each[at].weight as f64, self.average(at, now));
        let most = if weight > 0.0 { average / weight } else { 0.0 };
        self.each[at].presence = self.presence(at, now).min(most);
        self.each[at].stood = now;
    }

    /// The group stands in the queue of a CPU from now on, or no longer.
    pub fn stand(&mut self, at: usize, stands: bool, now: Ns) {
        if self.each[at].stands == stands {
            return;
        }
        let presence = self.presence(at, now);
        let load = &mut self.each[at];
        (load.stands, load.stood, load.presence) = (stands, now, presence);
    }

    /// The share of time that the group stood in the queue of a CPU, the past counting less and less (`load_sum`).
    pub fn presence(&self, at: usize, now: Ns) -> f64 {
        let Load { stands, stood, presence, .. } = self.each[at];
        self.faded(presence, u64::from(stands), (stood, now))
    }

    /// What the group weighs, in the finer unit, on a CPU where some of it is queued.
    pub fn of(&mut self, at: usize, now: Ns) -> u64 {
        if now.minus(self.asked).0 >= ASKED {
            self.asked = now;
            (0..self.each.len()).for_each(|other| self.hear(other, now));
        }
        self.hear(at, now);
        let average = if self.rule == Rule::Linux314 { 0 } else { self.each[at].read.0 };
        let load = self.each[at].weight.max(average);
        let all = self.told - self.each[at].told.0 + load;
        (self.weight * load / all.max(1)).max(LEAST).min(self.weight.max(LEAST))
    }
}
