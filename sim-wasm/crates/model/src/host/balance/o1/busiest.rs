//! From which group how much is to be moved (`find_busiest_group` of `kernel/sched.c`, Linux 2.6.18, without power
//! savings).
use super::loads::SCALE;
use super::View;
use std::ops::Range;

/// What a group has.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// Guessed loads, for what the group is worth.
    load: u64,
    running: u64,
    weight: u64,
}

impl View<'_> {
    /// The group to take from, and the weight to move; none: balance.
    pub fn busiest(&self, cpu: usize) -> Option<(Range<usize>, u64)> {
        let (power, capacity) = (self.level.power, self.level.capacity());
        let (mut own, mut busiest, mut from) = (Sums::default(), Sums::default(), None);
        let (mut total, mut groups, mut most) = (0, 0, 0);
        self.level.domain.groups_from(cpu).for_each(|group| {
            let is_own = groups == 0;
            let mut sums = self.sums(group.clone(), is_own);
            total += sums.load;
            groups += 1;
            if is_own {
                sums.load = sums.load * SCALE / power;
                own = sums;
            } else if sums.load > most && sums.running > capacity {
                most = sums.load;
                sums.load = sums.load * SCALE / power;
                if sums.load > busiest.load {
                    (busiest, from) = (sums, Some(group));
                }
            }
        });
        let from = from?;
        let average = SCALE * total / (groups * power);
        let tolerated = tolerates(self.level.domain.pct, own.load, busiest.load);
        if own.load >= busiest.load || own.load >= average || tolerated {
            return None;
        }
        let each = busiest.weight / busiest.running;
        if busiest.load <= each {
            return None;
        }
        if busiest.load >= average {
            let most = (busiest.load - average).min(busiest.load - each);
            let weight = (most * power).min((average - own.load) * power) / SCALE;
            if weight >= each {
                return Some((from, weight));
            }
        }
        small_imbalance(own, (busiest.load, each), power).then_some((from, each))
    }

    fn sums(&self, group: Range<usize>, is_own: bool) -> Sums {
        let by = self.level.by(self.puller);
        group.fold(Sums::default(), |sums, at| {
            let cpu = self.at(at);
            let load = if is_own { cpu.load.high(by) } else { cpu.load.low(by) };
            let running = sums.running + u64::from(cpu.running);
            Sums { load: sums.load + load, running, weight: sums.weight + cpu.load.raw() }
        })
    }
}

/// A group is so little busier than the own one that nothing is moved. A low guess of its load is never more than what
/// it weighs now.
pub fn tolerates(percent: u64, own: u64, busiest: u64) -> bool {
    100 * busiest <= percent * own
}

/// Less is to be moved than a process of the busiest group weighs: whether one moves all the same. So it is if the
/// difference is two of them, or one that weighs more than those here, or if more of what the groups are worth is used
/// then. `most`, `each`: load of the busiest group, weight of one of its processes.
fn small_imbalance(own: Sums, (most, each): (u64, u64), power: u64) -> bool {
    let (own_each, times) = match own.running {
        0 => (SCALE, 2),
        running if each > own.weight / running => (own.weight / running, 1),
        running => (own.weight / running, 2),
    };
    if most - own.load >= each * times {
        return true;
    }
    let used = |load: u64, each: u64| power * each.min(load);
    let now = (used(most, each) + used(own.load, own_each)) / SCALE;
    let off = each * SCALE / power;
    let left = if most > off { used(most - off, each) } else { 0 };
    let more = if most * power < each * SCALE { most } else { off };
    (left + used(own.load + more, own_each)) / SCALE > now
}
