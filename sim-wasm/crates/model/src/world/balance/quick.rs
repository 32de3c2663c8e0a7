//! What tells without a snapshot whether there can be anything to balance.
use crate::host::balance::groups::Puller;
use crate::host::policy::RunQueue;
use crate::world::Host;
use std::ops::Range;
use wwi_kernel::time::Ns;

impl Host {
    /// Its queues are balanced as Linux does: whether there are groups of several CPUs, and nothing is on the calendar.
    #[inline]
    pub(crate) fn balances(&self) -> Option<(bool, bool)> {
        let fair = self.balance.as_ref().map(|balance| (balance.has_groups(), balance.armed == Ns::MAX));
        fair.or_else(|| self.old_balance.as_ref().map(|old| (old.has_groups(), old.armed == Ns::MAX)))
    }

    /// Who sleeps, but is queued at a thread until his debt is worked off.
    pub(super) fn delayed(&self, local: usize) -> usize {
        if !self.has_delays {
            return 0;
        }
        self.policy.fair().map_or(0, |fair| fair.delayed(local))
    }

    /// Nobody waits, and nobody is queued who sleeps.
    pub(super) fn has_nobody_queued(&self) -> bool {
        self.ready == 0 && (!self.has_delays || (0..self.threads as usize).all(|local| self.delayed(local) == 0))
    }

    pub(super) fn has_none_waiting(&self, mut cpus: Range<usize>) -> bool {
        let is_idle = |cpu| self.policy.waiting(cpu) == 0 && self.delayed(cpu) == 0;
        self.ready == 0 && !self.has_delays || cpus.all(is_idle)
    }

    /// A domain is of the whole host.
    pub(super) fn sees_all(&self, level: usize) -> bool {
        self.balance.as_deref().is_some_and(|balance| level + 1 == balance.domains.levels.len())
    }

    /// Nobody waits in a domain, or nobody is ordinary, so nobody can be taken; of single CPUs it is balanced then.
    pub(super) fn finds_nobody(&mut self, (cpu, level, puller): (usize, usize, Puller)) -> bool {
        let Some(domain) = self.balance.as_deref().map(|balance| &balance.domains.levels[level]) else { return true };
        let is_single = domain.group == 1;
        let is_asked = is_single && !self.has_real_time || puller == Puller::NewlyIdle;
        let is_none_waiting = is_asked && self.has_none_waiting(domain.span(cpu));
        if !(is_none_waiting || is_single && self.loads.is_empty()) {
            return false;
        }
        let is_balanced = is_single && !(is_none_waiting && self.has_real_time);
        if let Some(balance) = self.balance.as_deref_mut().filter(|_| is_balanced) {
            balance.found_balance(cpu, level, puller);
        }
        true
    }

    /// Nobody waits, but some group of CPUs runs two more than another.
    pub(super) fn is_uneven(&self) -> bool {
        let Some(balance) = &self.balance else { return false };
        let all = &self.masks.numbered(0).allowed;
        balance.domains.levels.iter().filter(|domain| domain.group > 1).any(|domain| {
            (0..self.threads as usize).step_by(domain.size).any(|first| {
                let idle = domain.groups_from(first).map(|group| self.idle.idle_in(all, group));
                let (least, most) = idle.fold((usize::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
                domain.heeded((most - least) as i64, (domain.group - most) as u32) > 1
            })
        })
    }
}
