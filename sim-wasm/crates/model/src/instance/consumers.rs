//! A consumer group in the cage: who of it waits, and the slots that it may have.
//!
//! A limit that is no whole number of slots holds on average: the last slot is the group's for part of the time.
//! Who has it keeps it for his quantum; then nobody of the group gets one until the average is back at the limit.
use crate::config::GroupConfig;
use crate::ids::Pid;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// Less than this is rounding \[ns\].
const LEAST: f64 = 1.0;

/// A consumer group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) waiting: VecDeque<Pid>,
    pub(super) running: u32,
    pub(super) most: u32,
    /// Part of the time that it may have the last of these slots.
    part: f64,
    /// Time for which it may have that slot, or had it too long \[ns\].
    credit: f64,
    pub(super) shares: f64,
    pub(super) level: u32,
    /// CPU time consumed over shares, the stride clock \[ns\].
    pub(super) pass: f64,
}

impl Group {
    /// Nobody of it is there, in a cage of so many slots.
    pub(super) fn new(of: &GroupConfig, slots: u32) -> Group {
        let limit = of.utilization_limit * f64::from(slots);
        let most = (limit - 1e-9).ceil().max(1.0);
        let part = limit - most + 1.0;
        Group {
            waiting: VecDeque::new(),
            running: 0,
            most: most as u32,
            part: if part > 1.0 - 1e-9 { 1.0 } else { part },
            credit: 0.0,
            shares: f64::from(of.shares.max(1)),
            level: of.level,
            pass: 0.0,
        }
    }

    /// Somebody of it waits and may take a slot that is free.
    pub(super) fn is_eligible(&self) -> bool {
        !self.waiting.is_empty() && self.room() > 0
    }

    /// Slots that it may take now.
    pub(super) fn room(&self) -> u32 {
        let most = if self.credit < -LEAST { self.most - 1 } else { self.most };
        most.saturating_sub(self.running)
    }

    /// It has the last of its slots, and had it for as long as its limit lets it.
    pub(super) fn is_over(&self) -> bool {
        self.running == self.most && self.credit < -LEAST
    }

    /// From when on one who waits may take a slot, if nobody else's coming or going decides that.
    pub(super) fn waits_until(&self, now: Ns) -> Option<Ns> {
        match self {
            _ if self.waiting.is_empty() || self.running == self.most => None,
            _ if self.room() > 0 => Some(now),
            _ => Some(now.plus(Ns((-self.credit / self.part).ceil() as u64))),
        }
    }

    /// Keeps its limit on average: what it did not use it may save up to a quantum of.
    pub(super) fn account(&mut self, span: f64, quantum: f64) {
        if self.part < 1.0 {
            let held = if self.running == self.most { span } else { 0.0 };
            self.credit = (self.credit + span * self.part - held).min(quantum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter of one slot. After ten seconds of rest it has saved a quantum of 100 ms, and holding costs three
    /// quarters of the time: 133 ms. Then it gets the slot back once the average is at the limit.
    #[test]
    fn who_rested_may_have_the_last_slot_for_a_quantum_more_and_no_longer() {
        let mut group = Group::new(&crate::testing::cage(1).groups[0], 4);
        (group.most, group.part) = (1, 0.25);
        group.waiting.push_back(Pid(1));
        group.account(1e10, 1e8);
        group.running = 1;
        group.account(1.33e8, 1e8);
        assert!(!group.is_over());
        group.account(1e6, 1e8);
        assert!(group.is_over() && group.waits_until(Ns(7)).is_none());
        group.running = 0;
        // 0.5 ms too long, at a quarter of the time each.
        assert_eq!((group.room(), group.waits_until(Ns(7))), (0, Some(Ns(2_000_007))));
        group.account(2e6, 1e8);
        assert_eq!((group.room(), group.waits_until(Ns(9))), (1, Some(Ns(9))));
    }
}
