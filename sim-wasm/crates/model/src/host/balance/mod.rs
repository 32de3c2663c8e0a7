//! Moving processes between the queues of CPUs. CFS and EEVDF as Linux 6.6 does it (`load_balance` of
//! `kernel/sched/fair.c`), one file a rule; CFS also as Linux 3.14 does it ([`by_load`], [`lately`], and what asks for
//! `by_load` elsewhere); O(1) as Linux 2.6.18 does ([`o1`]); the other systems level counts ([`counts`]).
//!
//! A balance is decided on a snapshot: what it would do, to whom, and what it remembers of that; the caller moves.
pub mod active;
mod attempt;
mod averages;
pub mod busiest;
mod by_load;
pub mod counts;
pub mod detach;
pub mod domains;
pub mod estimates;
pub mod groups;
pub mod kick;
mod lately;
pub mod loads;
pub mod newidle;
pub mod o1;
pub mod queue;

use crate::config::EevdfGeneration;
use crate::ids::Pid;
use detach::Candidate;
use domains::Domains;
use groups::Cpu;
use newidle::Luck;
use wwi_kernel::bits::Bits;
use wwi_kernel::time::Ns;

/// An ordinary process of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Who.
    pub pid: Pid,
    /// How long ago it came to the head of the list, picked or queued, in steps: the greatest is at the tail, where
    /// balancing begins; in 3.14, where it begins at the head, the greatest is there.
    pub age: u32,
    /// When it last ran.
    pub last_ran: Ns,
    /// It runs.
    pub is_running: bool,
}

/// Fair queues, one a CPU.
pub trait Fair {
    /// Processes running or waiting at a CPU.
    fn runnable(&self, at: usize) -> usize;
    /// How many sleep, but are queued at a CPU until their debt is worked off (delayed).
    fn delayed(&self, _at: usize) -> usize {
        0
    }
    /// Visits those.
    fn visit_delayed(&self, _at: usize, _visit: &mut dyn FnMut(Listed)) {}
    /// Whether somebody queued at a CPU is owed time now.
    fn is_owed(&self, _pid: Pid, _at: usize, _now: Ns) -> bool {
        true
    }
    /// Whether somebody is queued at a CPU with whom a process would share it.
    fn has_peers(&self, _pid: Pid, _at: usize) -> bool {
        false
    }
    /// Whether somebody of a control group runs or is queued at a CPU.
    fn has_of_group(&self, _group: usize, _at: usize) -> bool {
        false
    }
    /// Who of the delayed has left since this was last asked.
    fn take_left(&mut self) -> Vec<Pid> {
        Vec::new()
    }
    /// What a process weighs by its nice value, 1024 at nice 0, and its control group.
    fn weight(&self, pid: Pid) -> (u64, Option<usize>);
    /// The load of a control group at a CPU, where that of its processes by their nice values is `own`.
    fn group_load(&self, _group: usize, _at: usize, own: f64, _now: Ns) -> f64 {
        own
    }
    /// Visits those running or waiting at a CPU, in no order, but for whom it is on its way to.
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed));
    /// A process that waits is moved; whether who runs there gives way to it.
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool;
    /// A process goes to the head of its list.
    fn pass_over(&mut self, pid: Pid);
}

/// What a balance asks of the queues.
pub trait Queues {
    /// The ordinary processes of a CPU, from the tail of its list to its head; with their loads if those count.
    fn list(&self, cpu: usize, is_weighed: bool) -> Vec<Candidate>;
    /// Who runs on it.
    fn current(&self, cpu: usize) -> Option<Pid>;
    /// Whether a process may run on a CPU.
    fn allows(&self, pid: Pid, cpu: usize) -> bool;
    /// Whether somebody is queued at a CPU with whom a process would share it.
    fn has_peers(&self, _pid: Pid, _cpu: usize) -> bool {
        false
    }
    /// Whether a CPU has used up the quota of a process's control group: then none of the group leaves it or comes.
    fn is_throttled(&self, pid: Pid, cpu: usize) -> bool;
}

/// What a CPU remembers of its attempts at one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// Failures in a row (`nr_balance_failed`).
    pub failed: u32,
    /// Interval \[ms\] (`balance_interval`).
    pub interval: u64,
    /// Tick of the last one (`last_balance`).
    pub last: u64,
}

/// What comes of a balance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The CPU is not the one to look for work here, nor further up.
    pub stops: bool,
    /// Who moves, in this order: (who, from, to).
    pub moves: Vec<(Pid, usize, usize)>,
    /// Who goes to the head of his list, in this order.
    pub passed: Vec<Pid>,
    /// A CPU gives up somebody by force.
    pub forced_from: Option<usize>,
}

/// The state of balancing of one host.
#[derive(Clone, Debug)]
pub struct Balance {
    /// Its domains.
    pub domains: Domains,
    /// By CPU, then by level.
    pub tried: Vec<Tried>,
    /// By level, then by group: balancing below failed because processes are bound (`sgc->imbalance`).
    pub pinned: Vec<Vec<bool>>,
    /// By CPU: the tick on which it next looks (`rq->next_balance`) …
    pub next: Vec<u64>,
    /// … and whether it was busy when that was found.
    pub was_busy: Bits,
    /// CPUs as the present balance sees them; the first one's number.
    pub cpus: Vec<Cpu>,
    /// That number.
    pub first: usize,
    /// Where loads alone decide: those of the CPUs by which they are judged …
    pub lately: Vec<u64>,
    /// … and the tick from which idle ones are sent for again (`nohz.next_balance`).
    pub next_idle: u64,
    /// Processes moved so far.
    pub moves: u64,
    /// When it is next looked at; [`Ns::MAX`]: when something happens.
    pub armed: Ns,
    /// Nothing could be found for a while: what would have been remembered of that is made up for.
    pub is_dormant: bool,
    /// Where in their intervals CPUs are when they are looked at for the first time, 0 to 1; none after that.
    phases: Vec<f64>,
    /// What a newly idle CPU reckons a search to cost.
    pub newidle_cost: Ns,
    /// Before 5.17 a CPU that is usually idle for less does not look for work as it becomes idle.
    pub least_idle: Ns,
    /// Whose rules hold for the delayed and for those who are owed nothing.
    pub generation: EevdfGeneration,
    /// By CPU, then by level: what searches of newly idle CPUs have come to.
    pub luck: Vec<Luck>,
}

impl Balance {
    /// Of a host of which nothing is known: each CPU is somewhere in the interval at each level, by `phases`, 0 to 1,
    /// and found balance so far. Counted from the first tick that is looked at.
    pub fn new(domains: Domains, (newidle_cost, least_idle): (Ns, Ns), mut phases: impl FnMut() -> f64) -> Balance {
        let cpus = domains.levels.last().map_or(1, |domain| domain.size);
        let longest = |level: usize| domains.levels[level].lengthened(domains.levels[level].shortest(), false);
        let levels = domains.levels.len();
        let tried = (0..cpus * levels).map(|at| Tried { failed: 0, interval: longest(at % levels), last: 0 }).collect();
        Balance {
            pinned: domains.levels.iter().map(|domain| vec![false; cpus / domain.group]).collect(),
            phases: (0..cpus * levels).map(|_| phases()).collect(),
            domains,
            tried,
            next: vec![0; cpus],
            was_busy: Bits::new(cpus),
            cpus: Vec::new(),
            first: 0,
            lately: Vec::new(),
            next_idle: 0,
            moves: 0,
            armed: Ns::MAX,
            is_dormant: true,
            newidle_cost,
            least_idle,
            generation: EevdfGeneration::Linux66,
            luck: vec![Luck::UNKNOWN; cpus * levels],
        }
    }

    /// There are groups of several CPUs, between which who is alone on a CPU may be better or worse off.
    #[inline]
    pub fn has_groups(&self) -> bool {
        self.domains.levels.len() > 1
    }

    fn place(&self, cpu: usize, level: usize) -> usize {
        cpu * self.domains.levels.len() + level
    }

    /// What it remembers of its searches there as it became idle, where it throws dice.
    pub fn luck_mut(&mut self, cpu: usize, level: usize) -> &mut Luck {
        let place = self.place(cpu, level);
        &mut self.luck[place]
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

    /// The tick on which a CPU that runs something, or idles, is due at a level.
    #[inline]
    pub fn level_due(&self, cpu: usize, level: usize, is_busy: bool) -> u64 {
        let tried = self.tried(cpu, level);
        tried.last + self.domains.ticks(tried.interval, is_busy)
    }

    /// The tick on which a CPU is next due at some level. One that has become idle is due sooner.
    pub fn due(&mut self, cpu: usize, is_busy: bool) -> u64 {
        if !is_busy && self.was_busy.has(cpu) {
            self.was_busy.set(cpu, false);
            let levels = 0..self.domains.levels.len();
            let soonest = levels.map(|level| self.level_due(cpu, level, false)).min().unwrap_or(u64::MAX);
            self.next[cpu] = self.next[cpu].min(soonest);
        }
        self.next[cpu]
    }

    /// When a CPU next looks, found while it was busy or idle.
    pub fn looks_next(&mut self, cpu: usize, next: u64, is_busy: bool) {
        self.next[cpu] = next;
        self.was_busy.set(cpu, is_busy);
    }

    /// Whether an idle CPU may be due on a tick: mostly it is not.
    pub fn may_idle_be_due(&self, cpu: usize, present: u64) -> bool {
        self.next[cpu] <= present || self.was_busy.has(cpu)
    }

    /// The next CPU from one on that may be due on a tick, if it has not become idle.
    pub fn may_be_due(&self, from: usize, present: u64) -> Option<usize> {
        let after = self.next.get(from..)?.iter().position(|&next| next <= present)?;
        Some(from + after)
    }

    /// What would have been remembered of attempts before a tick, each of which would have found balance.
    pub fn catch_up(&mut self, present: u64, is_busy: impl Fn(usize) -> bool) {
        let phases = std::mem::take(&mut self.phases);
        for cpu in 0..self.next.len() {
            let is_busy = is_busy(cpu);
            let mut next = u64::MAX;
            for level in 0..self.domains.levels.len() {
                if let Some(phase) = phases.get(self.place(cpu, level)) {
                    let ticks = self.domains.ticks(self.tried(cpu, level).interval, is_busy);
                    self.tried_mut(cpu, level).last = present - (phase * ticks as f64) as u64;
                }
                let due = self.level_due(cpu, level, is_busy);
                if due < present {
                    let domain = &self.domains.levels[level];
                    let place = self.place(cpu, level);
                    let interval = domain.lengthened(self.tried[place].interval, false);
                    let ticks = self.domains.ticks(interval, is_busy);
                    let last = due + (present - 1 - due) / ticks * ticks;
                    self.tried[place] = Tried { failed: 0, interval, last };
                }
                next = next.min(self.level_due(cpu, level, is_busy));
            }
            self.looks_next(cpu, next, is_busy);
        }
    }
}
