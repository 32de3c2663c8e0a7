//! Which CPU looks for work, and when idle ones are sent for (`should_we_balance`, `nohz_balancer_kick`, `find_new_ilb`
//! of `fair.c`, Linux 6.6).
use super::domains::Domain;
use super::groups::{Cpu, Puller, View};
use std::ops::Range;
use wwi_kernel::bits::Bits;

impl Domain {
    /// Whether a CPU is the one of its group that looks for work here: the first that idles on an idle core (since
    /// 6.6), else the first that idles, else the first.
    pub fn chooses(&self, to: usize, is_open: impl Fn(usize) -> bool, is_idle: impl Fn(usize) -> bool) -> bool {
        let group = self.group_of(to);
        let idle = || group.clone().filter(|&number| is_open(number) && is_idle(number));
        let asks = self.knows_cores && self.size > self.core;
        let is_core_idle = |number: usize| self.core_of(number).all(|other| other == number || is_idle(other));
        let found = idle().find(|&number| !asks || is_core_idle(number));
        found.or_else(|| idle().next()).unwrap_or(group.start) == to
    }
}

impl View<'_> {
    /// Whether a CPU is the one of its group that looks for work here ([`Domain::chooses`]). One that has just become
    /// idle always is, unless it has something to run.
    pub fn is_chosen(&self, to: usize) -> bool {
        if !self.cpu(to).is_open {
            return false;
        }
        if self.puller == Puller::NewlyIdle {
            return self.cpu(to).running == 0;
        }
        self.domain.chooses(to, |number| self.cpu(number).is_open, |number| self.cpu(number).is_idle)
    }
}

/// Whether the tick of a busy CPU sends for idle ones: somebody waits there, real time takes from an ordinary process,
/// or another CPU of its last-level cache is busy.
pub fn sends(cpu: &Cpu, lowest: &Domain, busy_in_cache: usize) -> bool {
    cpu.running >= 2 || cpu.fair >= 1 && cpu.is_reduced(lowest) || busy_in_cache > 1
}

/// The same before 3.13, and in RHEL 7 (`nohz_kick_needed`): somebody waits there, or of a group of CPUs within the
/// cache that has it several are busy. `busy`: how many of a group are.
pub fn sends_by_load(running: usize, domains: &[Domain], cpu: usize, busy: impl Fn(Range<usize>) -> usize) -> bool {
    let mut in_cache = domains.iter().take_while(|domain| domain.shares_cache());
    running >= 2 || in_cache.any(|domain| busy(domain.group_of(cpu)) > 1)
}

/// The idle CPUs in the order in which they look for work: from the one sent for round, itself last. Without those that
/// cannot be due.
pub fn order(idle: &Bits, may_be_due: impl Fn(usize) -> bool) -> Vec<usize> {
    let (mut first, mut order) = (None, Vec::new());
    idle.each(|cpu| match first {
        None => first = Some(cpu),
        Some(_) if may_be_due(cpu) => order.push(cpu),
        Some(_) => {}
    });
    order.extend(first.filter(|&cpu| may_be_due(cpu)));
    order
}
