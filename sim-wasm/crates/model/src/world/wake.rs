//! Where a woken process goes.
//!
//! Linux starts from its last thread or the waking one and searches that thread's last-level cache. With soft affinity
//! the waking thread decides: if it is among the wanted ones the search is the usual one, else the least loaded wanted
//! thread is taken. Which ones are wanted, the preferred or all allowed, load-based soft affinity decides by comparing
//! the utilisation of one thread of each set (S. Mazumdar, "Scheduler Soft Affinity", patch of 2019-06-26).
use crate::config::Interrupts;
use crate::host::masks::Mask;
use crate::host::o1::Sleep;
use crate::host::placement::Rule;
use crate::host::policy::{Policy, RunQueue};
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::world::{Host, World};
use std::ops::Range;
use wwi_kernel::bits::Bits;
use wwi_kernel::time::Ns;

/// A scan of a cache for an idle thread goes as far as this share of a thread's usual idle time pays for (Linux
/// `select_idle_cpu`: avg_idle / 512) …
const SCAN_SHARE: u64 = 512;
/// … where scans take so long \[ns\]. Free: nobody published `avg_scan_cost` of these hosts.
const SCAN_COST: u64 = 1000;

/// Where a wake-up comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Waker {
    /// The thread; `None`: the last one of the process that is woken.
    pub at: Option<ThreadId>,
    /// It is by a message: who wakes is expected to wait soon for the answer (Linux WF_SYNC).
    pub is_message: bool,
    /// An interrupt wakes: of a timer, a device or the network.
    pub is_interrupt: bool,
}

impl From<Option<ThreadId>> for Waker {
    fn from(at: Option<ThreadId>) -> Self {
        Waker { at, ..Waker::default() }
    }
}

impl World {
    /// On which thread a timer or a message from outside wakes a process: none for its own last one.
    pub(crate) fn interrupted(&mut self, node: usize) -> Waker {
        let at = match self.config.nodes[node].interrupts {
            Interrupts::Last => None,
            Interrupts::Any => {
                let host = &mut self.hosts[node];
                Some(ThreadId(host.base + host.interrupts.below(u64::from(host.threads)) as u16))
            }
        };
        Waker { at, is_interrupt: true, ..Waker::default() }
    }

    /// How a process slept that is woken, where O(1) asks for it: reads of blocks and writes that are not asynchronous
    /// cannot be interrupted. Calls on the host itself come as from a local socket, from another process.
    pub(crate) fn sleep_of(&self, pid: Pid, waker: Waker) -> Sleep {
        let process = &self.processes[pid.i()];
        let is_deaf = match process.before {
            Activity::DB_FILE_SEQUENTIAL_READ | Activity::DB_FILE_SCATTERED_READ => true,
            Activity::DB_FILE_PARALLEL_WRITE | Activity::LOG_FILE_PARALLEL_WRITE => {
                let of = self.config.instances.get(process.instance as usize);
                of.and_then(|of| of.others.database.as_deref()).is_some_and(|database| !database.data.is_async)
            }
            _ => false,
        };
        match (is_deaf, waker.is_interrupt) {
            (true, _) => Sleep::Deaf,
            (false, true) => Sleep::Interrupted,
            (false, false) => Sleep::Posted,
        }
    }

    /// The thread, counted within the host, at which a woken process queues.
    #[inline]
    pub(crate) fn target(&mut self, pid: Pid, waker: Waker) -> usize {
        let process = &self.processes[pid.i()];
        let (node, last) = (process.node as usize, process.last);
        let host = &self.hosts[node];
        if host.balance.is_some() && !process.is_real_time && last != ThreadId::NONE {
            return self.fair_target(pid, waker);
        }
        if host.old_balance.is_some() && !process.is_real_time && last != ThreadId::NONE {
            return self.o1_target(pid, waker);
        }
        if host.is_solaris() && !process.is_real_time && last != ThreadId::NONE {
            let (now, last) = (self.now, (last.0 - host.base) as usize);
            return self.hosts[node].policy.solaris_mut().map_or(last, |queues| queues.chosen(pid, last, now));
        }
        if process.is_real_time || !host.is_plain {
            return self.searched_target(pid, waker.at);
        }
        match last {
            ThreadId::NONE => host.first_thread(self.tasks[pid.i()].number),
            last => {
                let last = (last.0 - host.base) as usize;
                host.idle.thread_for(last).unwrap_or(last)
            }
        }
    }

    fn searched_target(&self, pid: Pid, waker: Option<ThreadId>) -> usize {
        let process = &self.processes[pid.i()];
        let host = &self.hosts[process.node as usize];
        let mask = host.masks.of(pid);
        if process.last == ThreadId::NONE {
            return host.idlest(mask.preferred.as_ref().unwrap_or(&mask.allowed), self.tasks[pid.i()].number);
        }
        let last = (process.last.0 - host.base) as usize;
        let all = 0..host.threads as usize;
        let allowed_last = if mask.allowed.has(last) { last } else { mask.allowed.first_from(last).unwrap_or(last) };
        if process.is_real_time {
            return host.real_time_target(pid, last, mask);
        }
        if !matches!(host.idle.rule(), Rule::Linux | Rule::TargetFirst) {
            return host.idle.thread_within(mask, all.clone(), allowed_last, all.end).unwrap_or(allowed_last);
        }
        let waker = waker.map_or(last, |t| (t.0 - host.base) as usize);
        if let Some(unlike) = mask.preferred.as_ref().and_then(|_| self.wanted_instead(pid, waker)) {
            return unlike;
        }
        let start = host.affine(waker, allowed_last, &mask.allowed);
        let scan = self.scan_count(process.node as usize, waker);
        host.idle.thread_near(mask, start, scan).unwrap_or(start)
    }

    /// The threads that a process with soft affinity wants now.
    fn wanted(&self, pid: Pid) -> &Bits {
        let node = self.processes[pid.i()].node as usize;
        let mask = self.hosts[node].masks.of(pid);
        match &mask.preferred {
            Some(preferred) if !self.is_crowded(node, mask) => preferred,
            _ => &mask.allowed,
        }
    }

    /// Where a process with soft affinity does not want a thread now: the least loaded of those that it wants.
    pub(crate) fn wanted_instead(&self, pid: Pid, thread: usize) -> Option<usize> {
        let wanted = self.wanted(pid);
        let host = &self.hosts[self.processes[pid.i()].node as usize];
        (!wanted.has(thread)).then(|| host.idlest(wanted, self.tasks[pid.i()].number))
    }

    /// The test of load-based soft affinity: the first preferred thread is so much busier than the first of the others
    /// that these are wanted, too.
    fn is_crowded(&self, node: usize, mask: &Mask) -> bool {
        let (preferred, allowed) = self.config.nodes[node].soft_tunables;
        let host = &self.hosts[node];
        let Some((home, other)) = mask.compared() else { return true };
        let busy = |thread: usize| host.utilisation(thread, self.now);
        f64::from(preferred) * busy(home) > f64::from(allowed) * other.map_or(0.0, busy)
    }

    /// The number that `select_idle_cpu` begins to count down from (`nr`, SIS_PROP).
    pub(crate) fn scan_count(&self, node: usize, waker: usize) -> usize {
        let settings = &self.config.nodes[node];
        let least = settings.idle_scan.least();
        if least == 0 {
            return usize::MAX;
        }
        let usual = self.threads[self.hosts[node].base as usize + waker].usual_idle;
        let affordable = settings.threads_per_cache() as u64 * (usual / SCAN_SHARE) / SCAN_COST;
        (affordable as usize).max(least)
    }
}

impl Host {
    /// Where a process that never ran starts: an idle thread, else the shortest queue. `number`: of the process on its
    /// host.
    pub(crate) fn first_thread(&self, number: u32) -> usize {
        let spread = number as usize % self.threads as usize;
        self.idle.first_thread_for(spread).unwrap_or_else(|| {
            if matches!(self.policy, Policy::Shared(_)) {
                // One queue for all: as many wait at each thread.
                return spread;
            }
            let threads = 0..self.threads as usize;
            threads
                .min_by_key(|&t| self.policy.waiting((t + spread) % self.threads as usize))
                .map_or(0, |t| (t + spread) % self.threads as usize)
        })
    }

    /// The least loaded thread of a set: in the cache with most idle ones, a core to itself if there is one
    /// (Linux `find_idlest_group`, `find_idlest_cpu`).
    fn idlest(&self, set: &Bits, number: u32) -> usize {
        let number = number as usize;
        let threads = self.threads as usize;
        let range: Range<usize> = self.idle.roomiest(set, number);
        let start = range.start + number % range.len();
        self.idle.thread_of((set, None), range, start, threads).unwrap_or_else(|| {
            let order = (0..threads).map(|t| (t + start) % threads).filter(|&t| set.has(t));
            order.min_by_key(|&t| self.load(t)).unwrap_or(start)
        })
    }

    /// Whether the search starts at the waking thread or at the last one: Linux `wake_affine` before fair queues, by
    /// counts.
    fn affine(&self, waker: usize, last: usize, allowed: &Bits) -> usize {
        if waker == last || !allowed.has(waker) {
            return last;
        }
        let shares_cache = self.idle.near(waker).contains(&last);
        if self.idle.has(waker) && shares_cache {
            return if self.idle.has(last) { last } else { waker };
        }
        if self.idle.has(last) || self.load(last) <= self.load(waker) {
            return last;
        }
        waker
    }

    /// Real time goes back to its last thread unless that runs real time as urgent, and then to the least urgent one;
    /// where the system is not Linux, to an idle one first.
    fn real_time_target(&self, pid: Pid, last: usize, mask: &Mask) -> usize {
        let idle = |from: usize| self.idle.thread_within(mask, 0..self.threads as usize, from, self.threads as usize);
        let weakest = self.policy.weakest(pid, last, &self.masks).filter(|&t| mask.allowed.has(t));
        let is_linux = matches!(self.idle.rule(), Rule::Linux | Rule::TargetFirst);
        match weakest {
            Some(t) if t == last || self.idle.has(t) || is_linux => t,
            Some(t) => idle(last).unwrap_or(t),
            None => idle(last).or_else(|| mask.allowed.first_from(last)).unwrap_or(last),
        }
    }

    /// Utilisation of a thread that soft affinity compares; 0 for any other.
    fn utilisation(&self, thread: usize, now: Ns) -> f64 {
        self.watched.iter().find(|w| w.0 == thread).map_or(0.0, |w| w.1.at(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::database::{DatabaseConfig, DeviceConfig};
    use crate::config::{Class, InstanceConfig, KindConfig, NodeConfig, Scheduler};
    use crate::testing::{database, hogs, node, oltp, one, ordinary};

    /// `wake_affine` of `fair.c`: this CPU if it is idle and shares the cache, unless the previous one is idle, too;
    /// else the previous one, unless it has more to do.
    #[test]
    fn a_search_starts_at_the_waker_where_that_pays() {
        let config = one(crate::config::NodeConfig { sockets: 2, cores_per_socket: 4, ..node() }, hogs(1));
        let mut world = World::new(&config, 0);
        let host = &mut world.hosts[0];
        let all = host.masks.of(Pid(0)).allowed.clone();
        let mut bound = Bits::new(8);
        bound.set(3, true);
        assert_eq!(host.affine(1, 3, &all), 3, "both idle");
        host.idle.set(3, false);
        assert_eq!(host.affine(1, 3, &all), 1, "the waking one is idle");
        assert_eq!(host.affine(1, 3, &bound), 3, "and not allowed");
        assert_eq!(host.affine(5, 3, &all), 5, "of the other cache, and with less to do");
        host.idle.set(5, false);
        assert_eq!(host.affine(5, 3, &all), 3, "with as much to do");
        host.policy.admit(Pid(7), &crate::testing::ordinary(), None, &host.masks.clone());
        host.policy.wake(3, Pid(7), Ns::ZERO);
        assert_eq!(host.affine(5, 3, &all), 5, "with less to do");
    }

    /// TASK_UNINTERRUPTIBLE: `pread`, and `pwrite` without asynchronous I/O; `io_getevents` and `semop` can be
    /// interrupted.
    #[test]
    fn who_reads_or_writes_without_asynchronous_io_sleeps_deaf() {
        let [interrupt, post] = [true, false].map(|is_interrupt| Waker { is_interrupt, ..Waker::default() });
        for is_async in [true, false] {
            let database = DatabaseConfig { data: DeviceConfig { is_async, ..database().data }, ..database() };
            let mut world = World::new(&one(node(), oltp(1, database)), 0);
            let mut slept = |before, waker| {
                world.processes[0].before = before;
                world.sleep_of(Pid(0), waker)
            };
            let by_device = if is_async { Sleep::Interrupted } else { Sleep::Deaf };
            for (before, expected) in [
                (Activity::DB_FILE_SEQUENTIAL_READ, Sleep::Deaf),
                (Activity::DB_FILE_SCATTERED_READ, Sleep::Deaf),
                (Activity::DB_FILE_PARALLEL_WRITE, by_device),
                (Activity::LOG_FILE_PARALLEL_WRITE, by_device),
                (Activity::LOG_FILE_SYNC, Sleep::Interrupted),
            ] {
                assert_eq!(slept(before, interrupt), expected, "{before:?}, {is_async}");
            }
            assert_eq!(slept(Activity::LOG_FILE_SYNC, post), Sleep::Posted);
        }
    }

    /// `select_task_rq_rt`: a thread beside the one it ran on, although another idles, if that is nearer.
    #[test]
    fn real_time_goes_to_the_nearest_on_linux_and_to_an_idle_one_elsewhere() {
        for (scheduler, expected) in [(Scheduler::Cfs, 1), (Scheduler::Aix, 2)] {
            let urgent = KindConfig { class: Class::Fifo, priority: 50, ..ordinary() };
            let host = NodeConfig { cores_per_socket: 2, threads_per_core: 2, scheduler, ..node() };
            let mut config = one(host, InstanceConfig { session_kind: urgent, ..hogs(2) });
            config.nodes[0].background.processes = 1;
            let mut world = World::new(&config, 0);
            let all = |is_real: bool| {
                let found = world.processes.iter().enumerate().filter(move |(_, p)| p.is_real_time == is_real);
                found.map(|(pid, _)| Pid(pid as u32)).collect::<Vec<_>>()
            };
            let (urgent, others) = (all(true), all(false));
            let host = &mut world.hosts[0];
            for (at, pid) in [(0, urgent[0]), (1, others[0])] {
                host.policy.wake(at, pid, Ns::ZERO);
                host.policy.turn(at, None, Ns::ZERO);
                host.idle.set(at, false);
            }
            let mask = host.masks.of(urgent[1]).clone();
            assert_eq!(host.real_time_target(urgent[1], 0, &mask), expected, "{scheduler:?}");
        }
    }
}
