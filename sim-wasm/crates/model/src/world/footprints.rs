//! What of the working sets of processes is still in the caches: what a process lost is in proportion to the time that
//! others ran on its core, and in its last-level cache, while it was away.
//!
//! Of each core and each cache one sum of thread time is kept, brought up to date when a thread of it starts or stops;
//! of each process where it ran last and what both sums were when it left.
use crate::config::{CpuCache, NodeConfig};
use crate::ids::{Pid, ThreadId};
use crate::measure::ledger::OWES_SET;
use crate::world::World;
use wwi_kernel::decay::faded;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Thread time spent in a core or a cache.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// Up to `since` \[ns\].
    busy: u64,
    since: Ns,
    /// Threads of it that run something.
    threads: u32,
}

impl Use {
    fn until(&self, now: Ns) -> u64 {
        self.busy + u64::from(self.threads) * (now - self.since).0
    }
    fn set(&mut self, threads: u32, now: Ns) {
        *self = Use { busy: self.until(now), since: now, threads };
    }
}

/// Where a process ran last, and how much others had run there when it left.
#[derive(Clone, Copy, Debug, Default)]
struct Print {
    /// Time to load its set into a core and into a cache \[ns\]; zero: it has none.
    whole: [f64; 2],
    /// Core and cache, counted from 1; zero: nowhere yet.
    place: [u16; 2],
    /// What their sums were.
    busy: [u64; 2],
}

/// The caches of a host.
#[derive(Clone, Debug)]
pub struct Footprints {
    /// A core's and a last-level cache: size, rate.
    caches: [CpuCache; 2],
    /// Cores of the host, and its last-level caches.
    uses: [Vec<Use>; 2],
    /// By process.
    prints: Vec<Print>,
    first_core: u16,
    first_thread: u16,
    per_cache: u16,
}

impl Footprints {
    /// Of a node where some process has a working set.
    pub fn new(node: &NodeConfig, (first_core, first_thread): (usize, usize)) -> Self {
        let uses = |count: usize| vec![Use::default(); count];
        Footprints {
            caches: [node.l2, node.llc],
            uses: [uses(node.threads() / node.threads_per_core as usize), uses(node.caches())],
            prints: Vec::new(),
            first_core: first_core as u16,
            first_thread: first_thread as u16,
            per_cache: node.threads_per_cache() as u16,
        }
    }

    /// A process comes to the host with a working set of so many MB.
    pub fn admit(&mut self, pid: Pid, set_mb: f64) {
        reach(&mut self.prints, pid.i(), Print::default());
        self.prints[pid.i()] = Print { whole: self.caches.map(|cache| cache.load_ns(set_mb)), ..Print::default() };
    }

    /// It comes again as another, whose set is nowhere.
    pub fn forget(&mut self, pid: Pid) {
        self.prints[pid.i()].place = [0; 2];
    }

    fn place(&self, at: ThreadId, core: u16) -> [u16; 2] {
        [core - self.first_core, (at.0 - self.first_thread) / self.per_cache]
    }

    /// A thread starts or stops to run processes.
    pub fn count(&mut self, at: ThreadId, core: u16, starts: bool, now: Ns) {
        let place = self.place(at, core);
        for (uses, place) in self.uses.iter_mut().zip(place) {
            let of = &mut uses[usize::from(place)];
            of.set(if starts { of.threads + 1 } else { of.threads - 1 }, now);
        }
    }

    /// The hypervisor moved the threads: so many of a core run something now.
    pub fn recount(&mut self, core: usize, threads: u8, now: Ns) {
        self.uses[0][core - usize::from(self.first_core)].set(u32::from(threads), now);
    }

    /// A process leaves its thread.
    pub fn leave(&mut self, pid: Pid, at: ThreadId, core: u16, now: Ns) {
        let place = self.place(at, core);
        let busy = [0, 1].map(|level| self.uses[level][usize::from(place[level])].until(now));
        let print = &mut self.prints[pid.i()];
        (print.place, print.busy) = (place.map(|place| place + 1), busy);
    }

    /// Time to load what a process has lost when it comes to a thread \[ns\]: where it ran last, and elsewhere, with
    /// that of all of it; `None`: it has no working set.
    fn lost(&self, pid: Pid, at: ThreadId, core: u16, now: Ns) -> Option<[f64; 3]> {
        let print = self.prints.get(pid.i()).filter(|print| print.whole != [0.0; 2])?;
        let place = self.place(at, core);
        let (mut back, mut elsewhere) = (0.0, 0.0);
        for (level, here) in place.into_iter().enumerate() {
            let whole = print.whole[level];
            if print.place[level] == 0 {
                back += whole;
            } else if print.place[level] == here + 1 {
                let others = self.uses[level][usize::from(here)].until(now) - print.busy[level];
                back += whole * faded(others, self.caches[level].full_ns());
            } else {
                elsewhere += whole;
            }
        }
        Some([back, elsewhere, print.whole[0] + print.whole[1]])
    }
}

impl World {
    /// A process leaves its thread, on a host where some have working sets.
    #[inline(never)]
    pub(crate) fn leave_set(&mut self, at: ThreadId, pid: Pid) {
        let thread = &self.threads[at.i()];
        if let Some(footprints) = &mut self.hosts[thread.node as usize].footprints {
            footprints.leave(pid, at, thread.core, self.now);
        }
    }

    /// A thread of such a host starts or stops to run processes.
    #[inline(never)]
    pub(crate) fn count_use(&mut self, at: ThreadId, starts: bool) {
        let thread = &self.threads[at.i()];
        if let Some(footprints) = &mut self.hosts[thread.node as usize].footprints {
            footprints.count(at, thread.core, starts, self.now);
        }
    }

    /// A process with a working set comes to a thread: the switch itself if another ran there, and what it has to load
    /// again, with what was left to load when it lost the CPU; never more than all of it. Answers whether it has one.
    #[inline(never)]
    pub(crate) fn owe_set(&mut self, at: ThreadId, pid: Pid) -> bool {
        let (thread, process) = (&mut self.threads[at.i()], &mut self.processes[pid.i()]);
        let host = &mut self.hosts[thread.node as usize];
        let lost = host.footprints.as_ref().and_then(|of| of.lost(pid, at, thread.core, self.now));
        let Some([back, elsewhere, whole]) = lost else { return false };
        let refill = (back + process.debt.0 as f64).min(whole - elsewhere).max(0.0);
        let (refill, moved) = (Ns(refill.round() as u64), Ns(elsewhere.round() as u64));
        let group = &mut self.accounts.groups[process.group as usize];
        let is_switch = thread.last != pid;
        let direct = if is_switch { host.switch_costs.direct() } else { Ns::ZERO };
        if is_switch {
            host.switch_costs.count_move(process, at, host.base, group);
            thread.sums.switches += 1;
        }
        process.debt = direct + refill + moved;
        process.owes = OWES_SET;
        thread.sums.switch_cost += process.debt.0;
        for (sum, owed) in group.book.owed.iter_mut().zip([direct, refill, moved]) {
            *sum += owed.0;
        }
        true
    }
}
