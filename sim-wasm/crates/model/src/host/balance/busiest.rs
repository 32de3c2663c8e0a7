//! The group to take from, and how much of what (`update_sd_pick_busiest`, `find_busiest_group`, `calculate_imbalance`
//! of `fair.c`, Linux 6.6).
use super::groups::{Group, Puller, Type, View, CAPACITY};
use crate::config::EevdfGeneration;
use std::ops::Range;

/// What is evened out (`migration_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Loads.
    Load,
    /// Utilisation.
    Util,
    /// Processes.
    Task,
}

/// A group that has too much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imbalance {
    /// Its CPUs.
    pub from: Range<usize>,
    /// Of what.
    pub what: What,
    /// How much is to move, above 0.
    pub amount: i64,
}

/// The sums over a domain.
struct Sums {
    local: Group,
    busiest: Group,
    load: u64,
    capacity: u64,
    average: u64,
}

impl View<'_> {
    /// What the CPU `to` had better take; `pinned` says of a group whether balancing below it failed because
    /// processes are bound. Nothing: the domain is balanced.
    pub fn imbalance(
        &self,
        to: usize,
        generation: EevdfGeneration,
        pinned: impl Fn(&Range<usize>) -> bool,
    ) -> Option<Imbalance> {
        let mut groups = self.domain.groups_from(to);
        let own = groups.next()?;
        let local = self.group(own.clone(), true, pinned(&own));
        let (mut load, mut capacity) = (local.load, local.capacity);
        let mut busiest: Option<(Range<usize>, Group)> = None;
        for range in groups {
            let group = self.group(range.clone(), false, pinned(&range));
            load += group.load;
            capacity += group.capacity;
            if group.fair > 0 && self.is_busier(&group, busiest.as_ref().map(|b| &b.1), generation) {
                busiest = Some((range, group));
            }
        }
        let (from, busiest) = busiest?;
        let mut sums = Sums { local, busiest, load, capacity, average: 0 };
        if self.is_balanced(&mut sums) {
            return None;
        }
        let (what, amount) = self.amount(&mut sums);
        (amount > 0).then_some(Imbalance { from, what, amount })
    }

    /// Whether a group is more in need than the one that was most so far.
    fn is_busier(&self, group: &Group, than: Option<&Group>, generation: EevdfGeneration) -> bool {
        let Some(than) = than else { return true };
        if group.kind != than.kind {
            return group.kind > than.kind;
        }
        let has_fewer_idle = || group.idle < than.idle || group.idle == than.idle && group.running > than.running;
        match group.kind {
            Type::Overloaded => group.average > than.average,
            Type::Imbalanced => false,
            // Of equal ones the last in 6.6, the first in 6.12 and later.
            Type::Reduced if !generation.delays() => group.reduced_load >= than.reduced_load,
            Type::Reduced => group.reduced_load > than.reduced_load,
            Type::SmtBalance if group.idle == 0 && than.idle == 0 => false,
            // Nobody's load is compared; of groups that are not cores the last one is taken, before 6.6 always the
            // first.
            Type::FullyBusy => self.domain.knows_cores && !self.domain.has_smt_groups,
            Type::SmtBalance | Type::HasSpare => has_fewer_idle(),
        }
    }

    /// By how many processes the busiest group leads; nothing to a busy puller since 6.6 (`sibling_imbalance`).
    fn lead(&self, sums: &Sums) -> i64 {
        match self.puller {
            Puller::Busy if self.domain.knows_cores => 0,
            _ => i64::from(sums.busiest.running.saturating_sub(sums.local.running)),
        }
    }

    fn is_balanced(&self, sums: &mut Sums) -> bool {
        let Sums { local, busiest, load, capacity, .. } = *sums;
        if matches!(busiest.kind, Type::Reduced | Type::Imbalanced) {
            return false;
        }
        if local.kind > busiest.kind {
            return true;
        }
        if local.kind == Type::Overloaded {
            sums.average = load * CAPACITY / capacity;
            let is_above = local.average >= busiest.average || local.average >= sums.average;
            if is_above || self.domain.tolerates(busiest.average, local.average) {
                return true;
            }
        }
        let spreads = self.domain.prefers_siblings && local.kind == Type::HasSpare;
        if spreads && self.lead(sums) > 1 || busiest.kind == Type::Overloaded {
            return false;
        }
        self.puller == Puller::Busy || busiest.weight > 1 && local.idle <= busiest.idle + 1 || busiest.fair == 1
    }

    fn amount(&self, sums: &mut Sums) -> (What, i64) {
        let Sums { local, busiest, load, capacity, .. } = *sums;
        match busiest.kind {
            Type::Reduced => return (What::Load, busiest.reduced_load as i64),
            Type::SmtBalance | Type::Imbalanced => return (What::Task, 1),
            _ => {}
        }
        if local.kind == Type::HasSpare {
            if busiest.kind > Type::FullyBusy && !self.domain.shares_cache() {
                let spare = local.capacity.max(local.util) - local.util;
                return match spare {
                    0 if self.puller.has_nothing() => (What::Task, 1),
                    spare => (What::Util, spare as i64),
                };
            }
            let by_count = busiest.weight == 1 || self.domain.prefers_siblings;
            let by_idle = || i64::from(local.idle) - i64::from(busiest.idle);
            let difference = if by_count { self.lead(sums) } else { by_idle().max(0) };
            return (What::Task, self.domain.heeded(difference, local.running) / 2);
        }
        let mut own = local.average;
        if local.kind != Type::Overloaded {
            own = local.load_for_capacity();
            sums.average = load * CAPACITY / capacity;
            if own >= busiest.average || own >= sums.average {
                return (What::Load, 0);
            }
        }
        // Unsigned: a busiest group below the average counts as endlessly far above it.
        let above = busiest.average.wrapping_sub(sums.average).wrapping_mul(busiest.capacity);
        let below = sums.average.wrapping_sub(own).wrapping_mul(local.capacity);
        (What::Load, (above.min(below) / CAPACITY) as i64)
    }
}
