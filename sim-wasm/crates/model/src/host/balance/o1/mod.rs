//! Balancing of O(1) as Linux 2.6.18 does it (`kernel/sched.c`, `include/linux/topology.h`,
//! `include/asm-x86_64/topology.h`), one file a rule. Each CPU has a tick, idle or not, and looks for itself; loads are
//! weights of who runs or waits, now and on the last ticks.
//!
//! As of the fair queues, what is decided is decided on a snapshot, and the caller moves.
pub mod attempt;
pub mod busiest;
pub mod levels;
pub mod loads;
pub mod queue;
pub mod tasks;
#[cfg(test)]
mod tests;
pub mod wake;

use super::groups::Puller;
use super::Tried;
use crate::host::placement::Idle;
use crate::ids::Pid;
use levels::{Level, Levels};
use loads::CpuLoad;
use tasks::Listed;
use wwi_kernel::time::Ns;

/// A CPU as a balance sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpu {
    /// Processes running or waiting, real time included (`nr_running`).
    pub running: u32,
    /// What they weigh, and weighed (`raw_weighted_load`, `cpu_load`).
    pub load: CpuLoad,
    /// Its idle task runs (`idle_cpu`).
    pub is_idle: bool,
}

/// The CPUs of a domain, seen by one of them.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The domain.
    pub level: &'a Level,
    /// Its CPUs, and the number of the first.
    pub cpus: &'a [Cpu],
    /// That number.
    pub first: usize,
    /// Whether who looks runs something.
    pub puller: Puller,
}

impl View<'_> {
    fn at(&self, cpu: usize) -> &Cpu {
        &self.cpus[cpu - self.first]
    }
}

/// What a balance asks of the queues.
pub trait Queues {
    /// The ordinary processes of a CPU, in the order in which they are looked at: the expired array before the active
    /// one, in each the best priority first, of one priority the last in line first.
    fn list(&self, cpu: usize) -> Vec<Listed>;
    /// The best priority of who runs and of who has expired (`rq_best_prio`), and that of who runs.
    fn best(&self, cpu: usize) -> (i32, i32);
    /// Whether who runs on a CPU may run on another.
    fn current_may_go(&self, from: usize, to: usize) -> bool;
    /// Whether a process may run on a CPU.
    fn allows(&self, pid: Pid, cpu: usize) -> bool;
    /// Whether it ran so lately that its cache counts, between CPUs of a level.
    fn is_hot(&self, listed: &Listed, level: &Level) -> bool;
}

/// What comes of a balance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Who moves from a CPU, in this order.
    pub moves: Vec<(Pid, usize)>,
    /// A CPU gives up somebody by force.
    pub forced_from: Option<usize>,
    /// The CPU counts as busy further up: somebody moved, or another thread of its core runs something.
    pub is_busy: bool,
}

/// CPUs that are looked over at once.
const BLOCK: usize = 16;

/// The state of balancing of one host.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Its domains.
    pub levels: Levels,
    /// By CPU, then by level.
    tried: Vec<Tried>,
    /// By CPU: the tick on which it is next due at some level if it runs something …
    due: Vec<u64>,
    /// … and if it idles.
    due_idle: Vec<u64>,
    /// By [`BLOCK`]s of CPUs, where there are several: the least of `due`.
    least: Vec<u64>,
    /// CPUs as the present balance sees them.
    pub cpus: Vec<Cpu>,
    /// When it is next looked at; [`Ns::MAX`]: when something happens.
    pub armed: Ns,
    /// Nothing could be found for a while: what would have been remembered of that is made up for.
    pub is_dormant: bool,
    /// Where in their intervals CPUs are when they are looked at for the first time, 0 to 1; none after that.
    phases: Vec<f64>,
    /// Processes moved so far.
    pub moves: u64,
}

impl Balance {
    /// Of a host of which nothing is known: each CPU is somewhere in the interval at each level, by `phases`.
    pub fn new(levels: Levels, mut phases: impl FnMut() -> f64) -> Balance {
        let number = levels.all.len();
        let cpus = levels.all.last().map_or(1, |level| level.domain.size);
        let tried = |at: usize| Tried { failed: 0, interval: levels.all[at % number].rules.longest, last: 0 };
        Balance {
            tried: (0..cpus * number).map(tried).collect(),
            phases: (0..cpus * number).map(|_| phases()).collect(),
            due: vec![0; cpus],
            due_idle: vec![0; cpus],
            least: vec![0; if cpus > BLOCK { cpus.div_ceil(BLOCK) } else { 0 }],
            cpus: Vec::new(),
            levels,
            armed: Ns::MAX,
            is_dormant: true,
            moves: 0,
        }
    }

    /// There are groups of several CPUs: who is alone on a CPU may be better off on another.
    #[inline]
    pub fn has_groups(&self) -> bool {
        self.levels.all.len() > 1
    }

    fn place(&self, cpu: usize, level: usize) -> usize {
        cpu * self.levels.all.len() + level
    }

    /// What a CPU remembers of a level.
    pub fn tried(&self, cpu: usize, level: usize) -> &Tried {
        &self.tried[self.place(cpu, level)]
    }

    /// The same, to be changed.
    pub fn tried_mut(&mut self, cpu: usize, level: usize) -> &mut Tried {
        let place = self.place(cpu, level);
        &mut self.tried[place]
    }

    /// The ticks from one balance to the next, and the tick on which that is.
    pub fn due_at(&self, cpu: usize, level: usize, is_busy: bool) -> (u64, u64) {
        let tried = self.tried(cpu, level);
        let ticks = self.levels.ticks(level, tried.interval, is_busy);
        (ticks, tried.last + ticks)
    }

    /// The next CPU from one on that is due on a tick. Where balancing is worth looking for mostly nobody idles.
    pub fn next_due(&self, from: usize, present: u64, idle: &Idle) -> Option<usize> {
        let cpus = self.due.len();
        if idle.count() > 0 {
            return (from..cpus).find(|&cpu| self.due_of(cpu, idle) <= present);
        }
        let is_due = |&cpu: &usize| self.due[cpu] <= present;
        if self.least.is_empty() {
            return (from..cpus).find(is_due);
        }
        let block = from.div_ceil(BLOCK);
        (from..cpus.min(block * BLOCK)).find(is_due).or_else(|| {
            let block = block + self.least[block..].iter().position(|&least| least <= present)?;
            (block * BLOCK..cpus).find(is_due)
        })
    }

    /// The tick on which some CPU is due.
    pub fn soonest(&self, idle: &Idle) -> u64 {
        if idle.count() == 0 {
            let all = if self.least.is_empty() { &self.due } else { &self.least };
            return all.iter().fold(u64::MAX, |least, &due| due.min(least));
        }
        (0..self.due.len()).map(|cpu| self.due_of(cpu, idle)).fold(u64::MAX, u64::min)
    }

    fn due_of(&self, cpu: usize, idle: &Idle) -> u64 {
        if idle.has(cpu) {
            self.due_idle[cpu]
        } else {
            self.due[cpu]
        }
    }

    /// A CPU has looked.
    pub fn looked(&mut self, cpu: usize) {
        let (mut busy, mut idle) = (u64::MAX, u64::MAX);
        for level in 0..self.levels.all.len() {
            busy = busy.min(self.due_at(cpu, level, true).1);
            idle = idle.min(self.due_at(cpu, level, false).1);
        }
        (self.due[cpu], self.due_idle[cpu]) = (busy, idle);
        if let Some(least) = self.least.get_mut(cpu / BLOCK) {
            let first = cpu / BLOCK * BLOCK;
            let those = &self.due[first..self.due.len().min(first + BLOCK)];
            *least = those.iter().fold(u64::MAX, |least, &due| due.min(least));
        }
    }

    /// What would have been remembered of attempts before a tick, each of which would have found balance.
    pub fn catch_up(&mut self, present: u64, is_busy: impl Fn(usize) -> bool) {
        let (number, phases) = (self.levels.all.len(), std::mem::take(&mut self.phases));
        for at in 0..self.tried.len() {
            let (level, is_busy) = (at % number, is_busy(at / number));
            let tried = &mut self.tried[at];
            if let Some(phase) = phases.get(at) {
                tried.last = present - (phase * self.levels.ticks(level, tried.interval, is_busy) as f64) as u64;
            }
            let mut due = tried.last + self.levels.ticks(level, tried.interval, is_busy);
            while due < present {
                let interval = self.levels.all[level].lengthened(tried.interval, false);
                let ticks = self.levels.ticks(level, interval, is_busy);
                // Once the interval is the longest one attempt is as the other.
                let more = if interval == tried.interval { (present - 1 - due) / ticks * ticks } else { 0 };
                *tried = Tried { failed: 0, interval, last: due + more };
                due = tried.last + ticks;
            }
        }
        (0..self.due.len()).for_each(|cpu| self.looked(cpu));
    }
}
