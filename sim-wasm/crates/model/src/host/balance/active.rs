//! When the process that runs is moved (`need_active_balance`, `active_load_balance_cpu_stop` of `fair.c`, Linux 6.6).
use super::busiest::What;
use super::detach::Candidate;
use super::domains::Domain;
use super::groups::{Cpu, Puller};
use crate::ids::Pid;

/// Failures beyond `cache_nice_tries` after which counts are evened out by force.
const PATIENCE: u32 = 2;

/// Whether `from` is made to give up somebody to `to`: processes are to be evened out and that failed for long, or
/// real time takes from the only ordinary process of one and leaves the other more.
pub fn is_needed(domain: &Domain, what: What, failed: u32, puller: Puller, (from, to): (&Cpu, &Cpu)) -> bool {
    if what == What::Task && is_overdue(domain, failed) {
        return true;
    }
    let has_more = from.capacity * domain.pct < to.capacity * 100;
    puller.has_nothing() && from.fair == 1 && from.is_reduced(domain) && has_more
}

/// It failed for so long that somebody has to be moved by force.
pub fn is_overdue(domain: &Domain, failed: u32) -> bool {
    failed > domain.tries + PATIENCE
}

/// Who goes: the first from the tail that may. Nobody runs at that moment, and how lately does not matter.
pub fn chosen(list: impl IntoIterator<Item = Candidate>, allowed: impl Fn(Pid) -> bool) -> Option<Pid> {
    list.into_iter().map(|candidate| candidate.pid).find(|&pid| allowed(pid))
}
