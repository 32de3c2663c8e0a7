//! Which idle thread a process goes to. Linux with fair queues takes the thread it starts from if that is idle,
//! whatever its sibling does, then the last one if that is idle and shares its cache; only then it searches that cache
//! (`select_idle_sibling` of 3.10, 5.8 and 6.6, `kernel/sched/fair.c`; [`sibling`]). AIX fills the primary threads of
//! all cores, then the secondary ones. For Solaris see [`super::solaris`].
pub mod sibling;

use super::masks::Mask;
use crate::config::{NodeConfig, Scheduler};
use std::ops::Range;
use wwi_kernel::bits::Bits;

/// How a system chooses among idle threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The thread where the search starts, then the last one, then as [`Rule::Linux`]: CFS and EEVDF.
    TargetFirst,
    /// Within the last-level cache, an idle core first: the policies from textbooks, and who never ran on Linux.
    Linux,
    /// The least-numbered threads of cores first, over the host.
    PrimaryFirst,
    /// Idle cores first, over the host.
    CoreFirst,
}

/// What placement knows of a host: who is idle. Threads are counted from 0 within the host, core by core, socket by
/// socket.
#[derive(Clone, Debug)]
pub struct Idle {
    threads: Bits,
    cores: Bits,
    /// Idle threads by their number within the core, where the rule asks for that.
    levels: Vec<Bits>,
    busy_in_core: Vec<u8>,
    /// Threads that the guest believes to share a core: 1 for one that cannot see it.
    seen_threads_per_core: usize,
    threads_per_cache: usize,
    threads_per_socket: usize,
    rule: Rule,
    /// By last-level cache: a core may be idle. One became so, and no search has found that none is (`has_idle_cores`).
    has_core: Vec<bool>,
}

impl Idle {
    /// A host with nothing running.
    pub fn new(config: &NodeConfig) -> Self {
        let seen = config.threads_seen_per_core();
        let (threads, cores) = (config.threads(), config.threads() / seen);
        let levels = if config.scheduler == Scheduler::Aix { seen } else { 0 };
        let mut idle = Idle {
            threads: Bits::new(threads),
            cores: Bits::new(cores),
            levels: vec![Bits::new(threads); levels],
            busy_in_core: vec![0; cores],
            seen_threads_per_core: seen,
            threads_per_cache: config.threads_per_cache(),
            threads_per_socket: config.threads_per_socket(),
            has_core: vec![true; config.caches()],
            rule: match config.scheduler {
                Scheduler::Aix => Rule::PrimaryFirst,
                Scheduler::Solaris => Rule::CoreFirst,
                Scheduler::Cfs | Scheduler::Eevdf => Rule::TargetFirst,
                _ => Rule::Linux,
            },
        };
        for t in 0..threads {
            idle.threads.set(t, true);
            idle.levels.get_mut(t % seen).into_iter().for_each(|level| level.set(t, true));
        }
        (0..cores).for_each(|c| idle.cores.set(c, true));
        idle
    }

    /// Notes that a thread became idle or busy.
    #[inline]
    pub fn set(&mut self, thread: usize, is_idle: bool) {
        if self.threads.has(thread) == is_idle {
            return;
        }
        self.threads.set(thread, is_idle);
        if !self.levels.is_empty() {
            self.levels[thread % self.seen_threads_per_core].set(thread, is_idle);
        }
        if self.seen_threads_per_core == 1 {
            // The thread is its core.
            return self.cores.set(thread, is_idle);
        }
        let core = thread / self.seen_threads_per_core;
        let busy = &mut self.busy_in_core[core];
        *busy = if is_idle { *busy - 1 } else { *busy + 1 };
        self.cores.set(core, *busy == 0);
        if *busy == 0 {
            self.has_core[thread / self.threads_per_cache] = true;
        }
    }

    /// Whether a thread is idle.
    #[inline]
    pub fn has(&self, thread: usize) -> bool {
        self.threads.has(thread)
    }

    /// Whether a thread of a set is idle.
    pub fn meets(&self, set: &Bits) -> bool {
        let last = self.busy_in_core.len() * self.seen_threads_per_core;
        self.threads.first_common(set, 0..last, 0).is_some()
    }

    /// All idle threads.
    pub fn all(&self) -> &Bits {
        &self.threads
    }

    /// Number of idle threads.
    pub fn count(&self) -> u32 {
        self.threads.len()
    }

    /// The rule of the system.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Threads that share the last-level cache with `thread`.
    pub fn near(&self, thread: usize) -> Range<usize> {
        let first = thread / self.threads_per_cache * self.threads_per_cache;
        first..first + self.threads_per_cache
    }

    /// The last-level cache with the most idle threads of a set, of the socket with the most; of those alike, the one
    /// that a process of this number comes to.
    pub fn roomiest(&self, set: &Bits, number: usize) -> Range<usize> {
        let host = 0..self.busy_in_core.len() * self.seen_threads_per_core;
        let socket = self.roomiest_part(set, host, self.threads_per_socket, number);
        self.roomiest_part(set, socket, self.threads_per_cache, number)
    }

    fn roomiest_part(&self, set: &Bits, whole: Range<usize>, size: usize, number: usize) -> Range<usize> {
        let parts = whole.len() / size;
        let part = |p: usize| whole.start + p * size..whole.start + (p + 1) * size;
        let best = (0..parts).max_by_key(|&p| (self.idle_in(set, part(p)), (p + number) % parts));
        part(best.unwrap_or(0))
    }

    /// The thread for a process that last ran on `last`, on a host of one last-level cache where everybody may run
    /// anywhere; `None` when every thread is busy.
    #[inline]
    pub fn thread_for(&self, last: usize) -> Option<usize> {
        if self.threads.is_empty() {
            return None;
        }
        if self.rule == Rule::TargetFirst && self.threads.has(last) {
            return Some(last);
        }
        self.first_thread_for(last)
    }

    /// As [`Idle::thread_for`] for a process that never ran: nothing of it is in any cache, so an idle core comes
    /// first.
    pub fn first_thread_for(&self, last: usize) -> Option<usize> {
        if self.threads.is_empty() {
            return None;
        }
        if self.rule == Rule::PrimaryFirst {
            return self.lowest_level(last);
        }
        let core = last / self.seen_threads_per_core;
        if self.threads.has(last) && self.cores.has(core) {
            return Some(last);
        }
        match self.cores.first_from(core) {
            Some(core) => Some(core * self.seen_threads_per_core),
            None if self.threads.has(last) => Some(last),
            None => self.threads.first_from(last),
        }
    }

    fn lowest_level(&self, last: usize) -> Option<usize> {
        let level = self.levels.iter().find(|level| !level.is_empty())?;
        if level.has(last) {
            return Some(last);
        }
        level.first_from(last)
    }

    /// The thread for a woken process whose search starts at `start`, among those of a mask; `scan` as below.
    pub fn thread_near(&self, mask: &Mask, start: usize, scan: usize) -> Option<usize> {
        self.thread_within(mask, self.near(start), start, scan)
    }

    /// As [`Idle::first_thread_for`], among the threads of a mask: the preferred ones first at each step, then the
    /// other allowed ones. `scan` threads at most are looked at for an idle one once there is no idle core.
    #[inline]
    pub fn thread_within(&self, mask: &Mask, range: Range<usize>, last: usize, scan: usize) -> Option<usize> {
        self.thread_of((&mask.allowed, mask.preferred.as_ref()), range, last, scan)
    }

    /// As [`Idle::thread_within`], among the allowed threads and the preferred ones, if any.
    pub fn thread_of(
        &self,
        (allowed, preferred): (&Bits, Option<&Bits>),
        range: Range<usize>,
        last: usize,
        scan: usize,
    ) -> Option<usize> {
        if self.threads.is_empty() {
            return None;
        }
        if self.rule == Rule::PrimaryFirst {
            let lowest = |level: &Bits| level.first_common(allowed, range.clone(), last);
            return self.levels.iter().find_map(lowest);
        }
        self.threads.first_common(allowed, range.clone(), range.start)?;
        let sets = [preferred, Some(allowed)];
        let last_idle = self.threads.has(last) && allowed.has(last) && range.contains(&last);
        if last_idle && self.cores.has(last / self.seen_threads_per_core) {
            return Some(last);
        }
        if let Some(found) = sets.into_iter().flatten().find_map(|set| self.idle_core(set, &range, last)) {
            return Some(found);
        }
        if last_idle {
            return Some(last);
        }
        let scanned = sets.into_iter().flatten().find_map(|set| self.scan(set, &range, last, scan));
        scanned.or_else(|| {
            let core = last / self.seen_threads_per_core * self.seen_threads_per_core;
            self.threads.first_common(allowed, core..core + self.seen_threads_per_core, last)
        })
    }

    /// The first idle core at or after that of `last` with a thread in the set; that thread.
    fn idle_core(&self, set: &Bits, range: &Range<usize>, last: usize) -> Option<usize> {
        if self.cores.is_empty() {
            return None;
        }
        let per = self.seen_threads_per_core;
        if per == 1 {
            return self.threads.first_common(set, range.clone(), last);
        }
        let (first, end) = (range.start / per, range.end / per);
        let from = if range.contains(&last) { last / per } else { first };
        let of = |core: usize| self.threads.first_common(set, core * per..(core + 1) * per, core * per);
        let nearest = of(self.cores.first_common(&self.cores, first..end, from)?);
        nearest.or_else(|| (from..end).chain(first..from).filter(|&core| self.cores.has(core)).find_map(of))
    }

    /// An idle thread of the set among the next `most` from `last`, going round.
    fn scan(&self, set: &Bits, range: &Range<usize>, last: usize, most: usize) -> Option<usize> {
        if most >= range.len() {
            return self.threads.first_common(set, range.clone(), last);
        }
        let offset = last.saturating_sub(range.start);
        let at = |step: usize| range.start + (offset + step) % range.len();
        (0..most).map(at).find(|&t| self.threads.has(t) && set.has(t))
    }

    /// Idle threads of a set in a range.
    pub fn idle_in(&self, set: &Bits, range: Range<usize>) -> usize {
        self.threads.count_common(set, range)
    }
}

#[cfg(test)]
mod tests {
    use super::sibling::Known;
    use super::*;
    use crate::host::masks::Masks;
    use crate::testing::node;

    fn fill(host: &NodeConfig, next: impl Fn(&Idle) -> Option<usize>) -> Vec<usize> {
        let mut idle = Idle::new(host);
        let mut order = Vec::new();
        while let Some(thread) = next(&idle) {
            idle.set(thread, false);
            order.push(thread);
        }
        order
    }

    #[test]
    fn an_idle_core_before_an_idle_sibling() {
        let mut host = node();
        (host.cores_per_socket, host.threads_per_core) = (2, 2);
        assert_eq!(fill(&host, |idle| idle.thread_for(0)), [0, 2, 1, 3]);
        host.guest_sees_smt = false;
        let mut blind = Idle::new(&host);
        blind.set(0, false);
        assert_eq!(blind.thread_for(0), Some(1), "a guest that sees no cores takes the next thread");
    }

    /// `select_idle_sibling`: "if (available_idle_cpu(target)) return target", then prev "if (prev != target &&
    /// cpus_share_cache(prev, target) && available_idle_cpu(prev))", then recent_used_cpu, select_idle_core,
    /// select_idle_cpu, select_idle_smt.
    #[test]
    fn the_start_if_it_is_idle_then_the_last_thread_of_its_cache_then_an_idle_core() {
        let mut host = node();
        (host.sockets, host.cores_per_socket, host.threads_per_core) = (2, 3, 2);
        let all = Masks::new(12).of(crate::ids::Pid(0)).clone();
        let from = |start, last| Known { start, last };
        for scheduler in [Scheduler::Cfs, Scheduler::Eevdf] {
            host.scheduler = scheduler;
            let mut idle = Idle::new(&host);
            idle.set(1, false);
            assert_eq!(idle.known(&all.allowed, from(0, 5)), Some(0), "the sibling of 0 is busy, and 0 is idle");
            assert_eq!(idle.first_thread_for(0), Some(2), "who never ran takes a core to himself");
            assert_eq!(idle.thread_within(&all, 0..6, 0, 6), Some(2));
            idle.set(0, false);
            idle.set(4, false);
            let found = idle.known(&all.allowed, from(0, 5));
            assert_eq!(found, Some(5), "the last one, though its sibling is busy and core 1 idle");
            assert_eq!(idle.known(&all.allowed, from(0, 8)), None, "the last one is on the other socket");
            assert_eq!(idle.thread_near(&all, 0, 12), Some(2));
            let mut allowed = Bits::new(12);
            [0, 1, 2, 3, 4].into_iter().for_each(|t| allowed.set(t, true));
            assert_eq!(idle.known(&allowed, from(0, 5)), None, "the last one is not allowed any more");
            let recent = |recent| idle.recent(&all.allowed, from(0, 1), recent);
            assert_eq!([recent(5), recent(4), recent(8), recent(0)], [Some(5), None, None, None]);
        }
        host.scheduler = Scheduler::O1;
        let mut idle = Idle::new(&host);
        idle.set(1, false);
        assert_eq!((idle.thread_for(0), idle.thread_near(&all, 0, 12)), (Some(2), Some(2)));
    }

    /// The caches of one socket are as far from one another as those of two are; an idle core of the other cache is
    /// nobody's target.
    #[test]
    fn a_wake_up_searches_the_cache_of_its_start_and_no_other() {
        let mut host = node();
        (host.cores_per_socket, host.cores_per_llc, host.scheduler) = (6, 3, Scheduler::Cfs);
        let all = Masks::new(6).of(crate::ids::Pid(0)).clone();
        let mut idle = Idle::new(&host);
        assert_eq!((idle.near(2), idle.near(3)), (0..3, 3..6));
        (0..2).for_each(|t| idle.set(t, false));
        let known = Known { start: 0, last: 4 };
        assert_eq!(idle.known(&all.allowed, known), None, "the last one is in the other cache, though it is idle");
        assert_eq!((idle.thread_near(&all, 0, 6), idle.sibling(&all.allowed, known, 6)), (Some(2), Some(2)));
        idle.set(2, false);
        assert_eq!(idle.thread_near(&all, 0, 6), None, "three idle cores of the other cache are not looked at");
        assert_eq!(idle.sibling(&all.allowed, known, 6), None);
    }

    #[test]
    fn who_is_new_goes_to_the_roomiest_cache_of_the_roomiest_socket() {
        let mut host = node();
        (host.sockets, host.cores_per_socket, host.cores_per_llc) = (2, 4, 2);
        let all = Masks::new(8).of(crate::ids::Pid(0)).allowed.clone();
        let mut idle = Idle::new(&host);
        // Idle: 2 and 0 of the caches of one socket, 1 and 2 of the other's.
        [2, 3, 4].into_iter().for_each(|t| idle.set(t, false));
        assert_eq!((idle.roomiest(&all, 0), idle.roomiest(&all, 1)), (6..8, 6..8));
        idle.set(5, false);
        idle.set(2, true);
        assert_eq!(idle.roomiest(&all, 0), 0..2, "more in its socket, and as many in itself");
    }

    #[test]
    fn aix_fills_the_primary_threads_of_all_cores_then_the_secondary_ones() {
        let mut host = node();
        (host.cores_per_socket, host.threads_per_core, host.scheduler) = (3, 4, Scheduler::Aix);
        assert_eq!(fill(&host, |idle| idle.thread_for(0)), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    }

    #[test]
    fn preferred_threads_first_then_the_rest_of_the_allowed_ones() {
        let mut host = node();
        (host.cores_per_socket, host.threads_per_core) = (3, 2);
        let all = Masks::new(6).of(crate::ids::Pid(0)).clone();
        let mut preferred = Bits::new(6);
        [2, 3].into_iter().for_each(|t| preferred.set(t, true));
        let soft = Mask { preferred: Some(preferred), ..all.clone() };
        assert_eq!(fill(&host, |idle| idle.thread_within(&soft, 0..6, 2, 6)), [2, 4, 0, 3, 5, 1]);
        assert_eq!(fill(&host, |idle| idle.thread_within(&all, 0..6, 2, 6)), [2, 4, 0, 3, 5, 1]);
        let same = fill(&host, |idle| idle.thread_within(&all, 0..6, 0, 6));
        assert_eq!(same, fill(&host, |idle| idle.thread_for(0)), "without a mask both ways agree");
        let mut allowed = Bits::new(6);
        [4, 5].into_iter().for_each(|t| allowed.set(t, true));
        let hard = Mask { allowed, preferred: None };
        assert_eq!(fill(&host, |idle| idle.thread_within(&hard, 0..6, 0, 6)), [4, 5]);
    }

    #[test]
    fn a_bounded_scan_misses_idle_threads_further_on() {
        let mut host = node();
        (host.cores_per_socket, host.threads_per_core) = (8, 2);
        let mut idle = Idle::new(&host);
        (0..16).filter(|t| t % 2 == 0).for_each(|t| idle.set(t, false));
        (1..9).for_each(|t| idle.set(t, false));
        let all = Masks::new(16).of(crate::ids::Pid(0)).clone();
        assert_eq!(idle.thread_within(&all, 0..16, 0, 4), None);
        assert_eq!(idle.thread_within(&all, 0..16, 0, 16), Some(9));
        assert_eq!(idle.thread_within(&all, 0..16, 8, 4), Some(9));
    }
}
