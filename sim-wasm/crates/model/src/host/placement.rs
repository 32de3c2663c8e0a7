//! Where a woken process goes: its last thread if that has a core to itself, else an idle core, else any idle thread,
//! else back to its last thread (Linux, `select_idle_sibling`, as the soft-affinity patch of 2019 shows its steps).
use crate::config::NodeConfig;
use wwi_kernel::bits::Bits;

/// What placement knows of a host: who is idle. Threads are counted from 0 within the host.
#[derive(Clone, Debug)]
pub struct Idle {
    threads: Bits,
    cores: Bits,
    busy_in_core: Vec<u8>,
    /// Threads that the guest believes to share a core: 1 for one that cannot see it.
    seen_threads_per_core: usize,
}

impl Idle {
    /// A host with nothing running.
    pub fn new(config: &NodeConfig) -> Self {
        let seen = if config.guest_sees_smt { config.threads_per_core as usize } else { 1 };
        let (threads, cores) = (config.threads(), config.threads() / seen);
        let mut idle = Idle {
            threads: Bits::new(threads),
            cores: Bits::new(cores),
            busy_in_core: vec![0; cores],
            seen_threads_per_core: seen,
        };
        (0..threads).for_each(|t| idle.threads.set(t, true));
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
        let core = thread / self.seen_threads_per_core;
        let busy = &mut self.busy_in_core[core];
        *busy = if is_idle { *busy - 1 } else { *busy + 1 };
        self.cores.set(core, *busy == 0);
    }

    /// Whether a thread is idle.
    #[inline]
    pub fn has(&self, thread: usize) -> bool {
        self.threads.has(thread)
    }

    /// Number of idle threads.
    pub fn count(&self) -> u32 {
        self.threads.len()
    }

    /// The thread for a process that last ran on `last`; `None` when every thread is busy.
    #[inline]
    pub fn thread_for(&self, last: usize) -> Option<usize> {
        if self.threads.is_empty() {
            return None;
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::node;

    #[test]
    fn an_idle_core_before_an_idle_sibling() {
        let mut host = node();
        (host.cores_per_socket, host.threads_per_core) = (2, 2);
        let mut idle = Idle::new(&host);
        let mut order = Vec::new();
        while let Some(thread) = idle.thread_for(0) {
            idle.set(thread, false);
            order.push(thread);
        }
        assert_eq!(order, [0, 2, 1, 3]);
        host.guest_sees_smt = false;
        let mut blind = Idle::new(&host);
        blind.set(0, false);
        assert_eq!(blind.thread_for(0), Some(1), "a guest that sees no cores takes the next thread");
    }
}
