//! Where Linux's fair queues look for an idle CPU (`select_idle_sibling` of `kernel/sched/fair.c`): first the CPUs
//! that the process knows, then its last-level cache, as far as SIS_UTIL of Linux 6.6 or SIS_PROP of 5.8 lets them, or
//! by groups of CPUs as in 3.10.
use super::Idle;
use crate::host::masks::Mask;
use wwi_kernel::bits::Bits;

/// The CPUs that a search begins with.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Where it starts.
    pub start: usize,
    /// Where the process ran last.
    pub last: usize,
}

impl Idle {
    /// The start if it is idle, else the last CPU if that shares its cache.
    #[inline]
    pub fn known(&self, allowed: &Bits, Known { start, last }: Known) -> Option<usize> {
        let near = self.near(start);
        [start, last].into_iter().find(|&t| near.contains(&t) && self.is_free(allowed, t))
    }

    /// The CPU before that, if it is neither and shares the cache, too (`recent_used_cpu`).
    pub fn recent(&self, allowed: &Bits, Known { start, last }: Known, recent: usize) -> Option<usize> {
        let is_third = recent != start && recent != last;
        (is_third && self.near(start).contains(&recent) && self.is_free(allowed, recent)).then_some(recent)
    }

    /// A CPU of the cache of the start, from the next one round: where some core may be idle, the first such core,
    /// else any; where none is, a sibling of the last one, else one of the next `looks`. At 0 only that sibling is
    /// looked at (`select_idle_smt`, `select_idle_cpu`).
    pub fn sibling(&mut self, allowed: &Bits, known: Known, looks: usize) -> Option<usize> {
        let near = self.near(known.start);
        let has_core = self.seen_threads_per_core > 1 && self.has_core[known.start / self.threads_per_cache];
        if !has_core && near.contains(&known.last) {
            let core = self.core_of(known.last);
            let sibling = self.threads.first_common(allowed, core.clone(), core.start);
            if sibling.is_some() {
                return sibling;
            }
        }
        if looks == 0 {
            return None;
        }
        if !has_core {
            let first = known.start + 1 - near.start;
            let order = (0..near.len()).map(|step| near.start + (first + step) % near.len());
            return order.filter(|&t| allowed.has(t)).take(looks).find(|&t| self.threads.has(t));
        }
        self.core_or_thread(allowed, known.start)
    }

    /// The first idle core, else the first idle thread met on the way; then it is known that no core is idle.
    fn core_or_thread(&mut self, allowed: &Bits, start: usize) -> Option<usize> {
        let (near, mut thread, mut looked) = (self.near(start), None, None);
        let first = start + 1 - near.start;
        for t in (0..near.len()).map(|step| near.start + (first + step) % near.len()) {
            let core = t / self.seen_threads_per_core;
            if !allowed.has(t) || looked == Some(core) {
                continue;
            }
            if self.cores.has(core) {
                return Some(t);
            }
            looked = Some(core);
            thread = thread.or_else(|| {
                let core = self.core_of(t);
                self.threads.first_common(allowed, core.clone(), core.start)
            });
        }
        self.has_core[start / self.threads_per_cache] = false;
        thread
    }

    /// A CPU of the cache of the start as SIS_PROP finds one: where some core may be idle, the first such core; else a
    /// CPU before the `count`-th, which the search does not look at any more, the start being the first; else a sibling
    /// of the start (`select_idle_core`, `select_idle_cpu`, `select_idle_smt` of 5.8). With soft affinity the preferred
    /// come first, then the other allowed ones, but for the second step, which looks at the preferred alone: its second
    /// turn never comes (`nr >= nr_begin - 1` where `cpu == target`).
    pub fn one_of_few(&mut self, mask: &Mask, start: usize, count: usize) -> Option<usize> {
        let (near, cache) = (self.near(start), start / self.threads_per_cache);
        let sets = || mask.preferred.iter().chain([&mask.allowed]);
        if self.seen_threads_per_core > 1 && self.has_core[cache] {
            let core = sets().find_map(|set| self.idle_core(set, &near, start));
            if core.is_some() {
                return core;
            }
            self.has_core[cache] = false;
        }
        let core = self.core_of(start);
        let sibling = || sets().find_map(|set| self.threads.first_common(set, core.clone(), core.start));
        self.counted(mask, start, count).or_else(sibling)
    }

    /// The patch of soft affinity counts all CPUs, as up to 5.5; without it those that are not allowed do not count.
    fn counted(&self, mask: &Mask, start: usize, count: usize) -> Option<usize> {
        let near = self.near(start);
        let tested = mask.preferred.as_ref().unwrap_or(&mask.allowed);
        if count > near.len() {
            return self.threads.first_common(tested, near, start);
        }
        let order = (start..near.end).chain(near.start..start);
        let counts = |t: &usize| mask.preferred.is_some() || mask.allowed.has(*t);
        order.filter(counts).take(count.saturating_sub(1)).find(|&t| self.is_free(tested, t))
    }

    /// A CPU of the cache of the start as up to 4.8: of the next group, round, that idles as a whole. Groups are the
    /// cores of the cache, then the CPUs of the start's core.
    pub fn one_of_groups(&self, mask: &Mask, start: usize) -> Option<usize> {
        let (near, core) = (self.near(start), self.core_of(start));
        let of_core = |set: &Bits| self.threads.first_common(set, core.clone(), start);
        let sets = mask.preferred.iter().chain([&mask.allowed]);
        sets.into_iter().find_map(|set| self.idle_core(set, &near, start).or_else(|| of_core(set)))
    }

    fn core_of(&self, thread: usize) -> std::ops::Range<usize> {
        let first = thread / self.seen_threads_per_core * self.seen_threads_per_core;
        first..first + self.seen_threads_per_core
    }

    fn is_free(&self, allowed: &Bits, thread: usize) -> bool {
        self.threads.has(thread) && allowed.has(thread)
    }
}
