//! The group and the queue to take from, and how much, where loads alone decide (`update_sg_lb_stats`,
//! `update_sd_pick_busiest`, `find_busiest_group`, `calculate_imbalance`, `fix_small_imbalance`, `find_busiest_queue`
//! of `kernel/sched/fair.c`, Linux 3.14).
use super::busiest::{Imbalance, What};
use super::domains::{Domain, Kind};
use super::groups::{Cpu, Puller, View, CAPACITY};
use std::ops::Range;

/// What the threads of a core do together, of one alone: 15 % more (`smt_gain`).
const SMT_GAIN: u64 = 1178;

/// Sums over the CPUs of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Group {
    /// Load for its power.
    average: u64,
    /// Loads as they are judged here.
    load: u64,
    /// Loads of this moment, for each process.
    per_task: u64,
    power: u64,
    running: u64,
    /// Processes that it should have (`group_capacity`).
    capacity: u64,
    idle: u64,
    weight: u64,
    /// Balancing below failed because processes are bound.
    is_pinned: bool,
    /// It should have more than it has.
    has_capacity: bool,
}

/// What a CPU does where nobody is in real time.
fn whole(domain: &Domain) -> u64 {
    if domain.core > 1 {
        SMT_GAIN / domain.core as u64
    } else {
        CAPACITY
    }
}

/// What a CPU does (`cpu_power`).
fn power(domain: &Domain, cpu: &Cpu) -> u64 {
    (whole(domain) * cpu.capacity / CAPACITY).max(1)
}

/// To the nearest number of CPUs of one thread.
fn rounded(power: u64) -> u64 {
    (power + CAPACITY / 2) / CAPACITY
}

/// A thread counts as one CPU as long as real time leaves a tenth less at most (`fix_small_capacity`).
fn small(domain: &Domain, power: u64, whole: u64) -> u64 {
    u64::from(domain.kind == Kind::Smt && power * 32 > whole * 29)
}

impl Group {
    /// Load for its power that one of its processes makes.
    fn scaled(&self, power: u64) -> u64 {
        self.per_task * CAPACITY / power
    }
}

impl View<'_> {
    /// Whether a CPU is the one of its group that looks for work here: the first that idles, else the first. One that
    /// has just become idle always is.
    pub fn is_first_idle(&self, to: usize) -> bool {
        let group = self.domain.group_of(to);
        let idle = || self.open(group.clone()).find(|(_, cpu)| cpu.is_idle).map(|(number, _)| number);
        self.puller == Puller::NewlyIdle || idle().unwrap_or(group.start) == to
    }

    fn old_group(&self, range: Range<usize>, lately: &[u64], is_local: bool, is_pinned: bool) -> Group {
        let mut group = Group { weight: range.len() as u64, is_pinned, ..Group::default() };
        group.power = range.clone().map(|number| power(self.domain, self.cpu(number))).sum();
        let mut weighted = 0;
        for (number, cpu) in self.open(range) {
            let before = lately[number - self.first];
            // Rather less of others, rather more of the own one.
            group.load += if is_local { before.max(cpu.load) } else { before.min(cpu.load) };
            weighted += cpu.load;
            group.running += u64::from(cpu.running);
            group.idle += u64::from(cpu.is_idle);
        }
        group.average = group.load * CAPACITY / group.power;
        group.per_task = weighted.checked_div(group.running).unwrap_or(0);
        let whole = whole(self.domain) * group.weight;
        let cores = group.weight / (CAPACITY * group.weight).div_ceil(whole);
        group.capacity = cores.min(rounded(group.power));
        if group.capacity == 0 {
            group.capacity = small(self.domain, group.power, whole);
        }
        group.has_capacity = group.capacity > group.running;
        group
    }

    /// What the CPU `to` had better take, perhaps nothing; `lately`: the loads of the CPUs by which they are judged;
    /// `pinned` says of a group whether balancing below it failed because processes are bound. None: it is balanced.
    pub fn imbalance_by_load(
        &self,
        lately: &[u64],
        to: usize,
        pinned: impl Fn(&Range<usize>) -> bool,
    ) -> Option<Imbalance> {
        let mut groups = self.domain.groups_from(to);
        let own = groups.next()?;
        let local = self.old_group(own.clone(), lately, true, pinned(&own));
        let (mut load, mut all) = (local.load, local.power);
        let mut found: Option<(Range<usize>, Group)> = None;
        for range in groups {
            let mut group = self.old_group(range.clone(), lately, false, pinned(&range));
            if self.domain.prefers_siblings && local.has_capacity {
                group.capacity = group.capacity.min(1);
            }
            load += group.load;
            all += group.power;
            let most = found.as_ref().map_or(0, |found| found.1.average);
            if group.average > most && (group.running > group.capacity || group.is_pinned) {
                found = Some((range, group));
            }
        }
        let (from, busiest) = found.filter(|found| found.1.running > 0)?;
        let average = load * CAPACITY / all;
        if self.is_balanced_by_load(&local, &busiest, average) {
            return None;
        }
        Some(Imbalance { from, what: What::Load, amount: amount(local, busiest, average) as i64 })
    }

    fn is_balanced_by_load(&self, local: &Group, busiest: &Group, average: u64) -> bool {
        let is_short = self.puller == Puller::NewlyIdle && local.has_capacity && !busiest.has_capacity;
        if busiest.is_pinned || is_short {
            return false;
        }
        if local.average >= busiest.average || local.average >= average {
            return true;
        }
        if self.puller == Puller::Idle {
            return local.idle < busiest.idle && busiest.running <= busiest.weight;
        }
        100 * busiest.average <= self.domain.pct * local.average
    }

    /// The CPU of the busiest group with most load for its power; the first of equals.
    pub fn queue_by_load(&self, imbalance: &Imbalance) -> Option<usize> {
        let group = imbalance.from.clone();
        let all: u64 = group.clone().map(|number| power(self.domain, self.cpu(number))).sum();
        let small = small(self.domain, all, whole(self.domain) * group.len() as u64);
        let (mut most, mut most_power, mut found) = (0, 1, None);
        for (number, cpu) in self.open(group) {
            let power = power(self.domain, cpu);
            let has_capacity = rounded(power) > 0 || small > 0;
            // A lone process that weighs more than is to move would only change places.
            if has_capacity && cpu.running == 1 && cpu.load as i64 > imbalance.amount {
                continue;
            }
            if cpu.load * most_power > most * power {
                (most, most_power, found) = (cpu.load, power, Some(number));
            }
        }
        found
    }
}

/// How much load is to move (`calculate_imbalance`).
fn amount(local: Group, mut busiest: Group, average: u64) -> u64 {
    if busiest.is_pinned {
        busiest.per_task = busiest.per_task.min(average);
    }
    if busiest.average <= average || local.average >= average {
        return small_amount(&local, &busiest, 0);
    }
    // Down to the average there, and no further than to what the group should have; up to the average here.
    let mut above = busiest.average - average;
    if !busiest.is_pinned {
        above = above.min((busiest.running - busiest.capacity) * CAPACITY * CAPACITY / busiest.power);
    }
    let amount = (above * busiest.power).min((average - local.average) * local.power) / CAPACITY;
    if amount < busiest.per_task {
        return small_amount(&local, &busiest, amount);
    }
    amount
}

/// The same where less than a process is to move: one, if the other group is ahead by one for its power or if both do
/// more then (`fix_small_imbalance`).
fn small_amount(local: &Group, busiest: &Group, amount: u64) -> u64 {
    let one = busiest.scaled(busiest.power);
    let lead = if local.running > 0 && busiest.per_task > local.per_task { 1 } else { 2 };
    if busiest.average + one >= local.average + lead * one {
        return busiest.per_task;
    }
    let now = busiest.power * busiest.per_task.min(busiest.average) + local.power * local.per_task.min(local.average);
    let left = busiest.power * busiest.per_task.min(busiest.average.saturating_sub(one));
    let moved = (busiest.average * busiest.power).min(busiest.per_task * CAPACITY) / local.power;
    let then = left + local.power * local.per_task.min(local.average + moved);
    if then / CAPACITY > now / CAPACITY {
        busiest.per_task
    } else {
        amount
    }
}
