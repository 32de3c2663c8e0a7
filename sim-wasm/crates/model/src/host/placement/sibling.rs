//! Where Linux's fair queues look for an idle CPU (`select_idle_sibling` of `kernel/sched/fair.c`): first the CPUs
//! that the process knows, then its last-level cache, as far as SIS_UTIL of Linux 6.6 lets them.
use super::Idle;
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

    fn core_of(&self, thread: usize) -> std::ops::Range<usize> {
        let first = thread / self.seen_threads_per_core * self.seen_threads_per_core;
        first..first + self.seen_threads_per_core
    }

    fn is_free(&self, allowed: &Bits, thread: usize) -> bool {
        self.threads.has(thread) && allowed.has(thread)
    }
}
