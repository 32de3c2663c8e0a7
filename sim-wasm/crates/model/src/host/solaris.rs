//! Solaris 8 to 11: time sharing (TS), interactive (IA) and fixed priority (FX) in one dispatch queue a thread.
//!
//! The greater priority runs. A TS process has a priority of its own, 0 to 59, which begins at 29, and runs at that
//! plus three for each step of nice below zero, less three above. A row of the table belongs to each priority: how long
//! a quantum is, where a process goes when it uses one up, where it goes after a sleep and where after a long wait. IA
//! is TS and ten more. FX keeps its priority, 0 to 60.
//!
//! Once a second everybody's `dispwait` is raised by one; a new quantum sets it to zero. Whoever waits with a
//! `dispwait` above the `maxwait` of his row goes to `lwait`; who runs, or wakes up later, to `slpret`. `maxwait` is
//! zero in all rows but the last, so what lifts a process after a sleep is that a second began since its quantum did,
//! not the sleep; the manual says it shorter. Who waits is placed anew while those who run
//! are as they were. A process that must give way to a better one goes to the head of its line
//! with the rest of its quantum, one whose quantum is used up to the tail.
//!
//! Source: illumos `uts/common/disp/ts.c`, `ts_dptbl.c`, `fx.c`, `fx_dptbl.c`, `disp.c`; the table is that of
//! `ts_dptbl(5)` and of `dispadmin -c TS -g`. Left out: priorities of the kernel after a sleep, pre-emption control.
//! Where processes wait is in `moves`. Assumptions: the waiting
//! are looked at in the order in which they wait, where the kernel goes through hash lists; what a running process
//! gains at the turn of a second, it gains at once and not at its next trap; FX keeps the rest of its quantum over a
//! sleep.
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::config::{Class, KindConfig, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

mod dispatch;
mod lines;
mod most;
mod moves;
mod quantum;
mod sets;
use dispatch::{Dispatch, Links};
use most::Most;
use moves::Spans;
pub use moves::STAYS;
use quantum::Quantum;
use sets::Sets;

/// Priority at which time sharing begins: half of the greatest (`tsmedumdpri`).
const FIRST: i32 = 29;
/// The greatest priority of time sharing, and the greatest of fixed priority.
const GREATEST: (i32, i32) = (59, 60);
/// Priority steps of one nice value: 60 user priorities over 20 nice values (`TSMAXUPRI` / `NZERO`).
const PER_NICE: i32 = 3;
/// What IA gains (`IA_BOOST`).
const INTERACTIVE_BOOST: i32 = 10;
/// Levels count from the best: level 0 is priority 60.
const TOP: i32 = 60;
/// Of a process that has not run yet: no tick, and no thread.
const NEVER: u64 = u64::MAX;
const NOWHERE: u16 = u16::MAX;
/// The update of waits comes at this interval (`ts_update`).
const UPDATE: Ns = Ns(1_000_000_000);

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Quantum \[ms\].
    pub quantum_ms: u64,
    /// Priority after a used-up quantum.
    pub tqexp: i32,
    /// Priority after a sleep, if a wait is due.
    pub slpret: i32,
    /// Seconds after which a wait is due.
    pub maxwait: u32,
    /// Priority after a wait that was due.
    pub lwait: i32,
}

/// The row of a priority of the default table (`config_ts_dptbl`); 60 has the quantum of 59 (`config_fx_dptbl`).
pub fn row(priority: i32) -> Row {
    let p = priority.clamp(0, GREATEST.1);
    let quantum_ms = [200, 160, 120, 80, 40, 40, 20][if p >= 59 { 6 } else { p as usize / 10 }];
    let slpret = match p {
        0..=34 => 50 + p / 10,
        35..=39 => 54,
        40..=44 => 55,
        45..=47 => p + 11,
        48..=58 => 58,
        _ => 59,
    };
    let lwait = if p >= 49 { 59 } else { slpret };
    let maxwait = if p >= 59 { 32_000 } else { 0 };
    Row { quantum_ms, tqexp: (p - 10).max(0), slpret, maxwait, lwait }
}

/// A line of the cache holds one.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Task {
    is_fixed: bool,
    is_interactive: bool,
    /// Its own priority (`ts_cpupri`), what nice and IA add, and the sum of both within bounds (`ts_umdpri`).
    own: i32,
    added: i32,
    priority: i32,
    /// What is left of its quantum \[ticks\].
    left: u64,
    /// Updates up to the beginning of its quantum.
    since: u32,
    /// The tick within which it last left a thread; [`NEVER`] before it ever ran.
    last_ran: u64,
    /// The thread on which it last ran, and the one where it first waited; [`NOWHERE`] before it did.
    last: u16,
    home: u16,
    /// Since when it waits.
    queued: Ns,
    /// The number of the processor set it is in.
    set: u16,
    /// Its neighbours where it waits.
    links: Links,
}

impl Task {
    #[inline]
    fn level(&self) -> u32 {
        (TOP - self.priority) as u32
    }
    fn set_own(&mut self, own: i32) {
        self.own = own;
        self.priority = if self.is_fixed { own } else { (own + self.added).clamp(0, GREATEST.0) };
    }
    /// Another priority of its own, and a new quantum.
    fn lift(&mut self, own: i32, quanta: &[u64], updates: u32) {
        self.set_own(own);
        self.left = quanta[own as usize];
        self.since = updates;
    }
    /// Who is interactive, or ran within this tick and still has warm caches (`t_disp_time`), goes to the head of his
    /// line.
    fn goes_first(&self, tick: u64) -> bool {
        self.is_interactive || self.last_ran == tick
    }
    fn is_due(&self, updates: u32) -> bool {
        !self.is_fixed && updates - self.since > row(self.priority).maxwait
    }
}

#[derive(Clone, Debug)]
struct Queue {
    waiting: Dispatch,
    running: Pid,
    quantum: Quantum,
}

/// Time sharing, interactive and fixed priority with a dispatch queue for each thread.
#[derive(Clone, Debug)]
pub struct Solaris {
    queues: Arena<Queue>,
    tasks: Vec<Task>,
    /// Quanta by priority \[ticks\].
    quanta: Vec<u64>,
    tick: Ns,
    spans: Spans,
    /// Where cores look next for one that runs less.
    hints: Vec<usize>,
    /// Threads whose queues got somebody and that have not looked since.
    moved: Vec<usize>,
    /// At which threads somebody waits, and which run nobody.
    crowded: Bits,
    free: Bits,
    sets: Sets,
    /// Threads that run real time.
    real: Bits,
    /// The greatest priority at each thread.
    most: Most,
    /// Updates so far, and when the next one is.
    updates: u32,
    due: Ns,
    /// When this policy was last asked anything that has a time.
    seen: Ns,
}

impl Solaris {
    /// For a host of this size and tick.
    pub fn new(config: &NodeConfig) -> Self {
        let hz = u64::from(config.tick_hz);
        let queue = Queue { waiting: Dispatch::new(), running: Pid::NONE, quantum: Quantum::default() };
        let mut free = Bits::new(config.threads());
        free.fill(0..config.threads());
        Solaris {
            queues: vec![queue; config.threads()].into(),
            tasks: Vec::new(),
            quanta: (0..=GREATEST.1).map(|p| (row(p).quantum_ms * hz).div_ceil(1000)).collect(),
            tick: Ns(1_000_000_000 / hz),
            hints: vec![0; config.threads() / config.threads_seen_per_core()],
            spans: Spans {
                core: config.threads_seen_per_core(),
                cache: config.threads_per_cache(),
                socket: config.threads_per_socket(),
            },
            moved: Vec::new(),
            crowded: Bits::new(config.threads()),
            free,
            sets: Sets::new(config.threads()),
            real: Bits::new(config.threads()),
            most: Most::new(config.threads()),
            updates: 0,
            due: UPDATE,
            seen: Ns::ZERO,
        }
    }

    /// What is done each second is done first at this moment.
    pub fn begin_clock(&mut self, first: Ns) {
        self.due = first;
    }

    /// A thread runs real time from now on, or does not.
    #[inline]
    pub fn note_real(&mut self, at: usize, is_so: bool) {
        self.real.set(at, is_so);
    }

    /// A thread runs nobody at all (`cpu_dispatch_pri` is −1).
    #[inline]
    fn idles(&self, at: usize) -> bool {
        self.free.has(at) && !self.real.has(at)
    }

    /// Makes room for a process. Every class but IA and FX counts as TS.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, masks: &Masks) {
        let is_fixed = kind.class == Class::Fixed;
        let is_interactive = kind.class == Class::Interactive;
        let boost = if is_interactive { INTERACTIVE_BOOST } else { 0 };
        let mut fresh = Task {
            is_fixed,
            is_interactive,
            own: 0,
            added: boost - PER_NICE * kind.nice.clamp(-20, 19),
            priority: 0,
            left: 0,
            since: self.updates,
            last_ran: NEVER,
            last: NOWHERE,
            home: NOWHERE,
            queued: Ns::ZERO,
            set: self.sets.number(&masks.of(pid).allowed),
            links: Links::NONE,
        };
        fresh.set_own(if is_fixed { kind.priority.min(GREATEST.1 as u32) as i32 } else { FIRST });
        fresh.left = self.quanta[fresh.own as usize];
        reach(&mut self.tasks, pid.i(), fresh);
        self.tasks[pid.i()] = fresh;
    }

    /// The priority at which a process now runs or would run.
    pub fn priority(&self, pid: Pid) -> i32 {
        self.tasks[pid.i()].priority
    }

    /// Ends a stay; answers whether the process goes to the tail of its line. The thread is free if nobody starts.
    #[inline]
    fn leave(&mut self, at: usize, pid: Pid, tick: u64) -> bool {
        self.count_to(at, tick);
        let (queue, task) = (&mut self.queues[at], &mut self.tasks[pid.i()]);
        queue.running = Pid::NONE;
        (task.last_ran, task.last) = (tick, at as u16);
        let is_over = std::mem::take(&mut queue.quantum.is_over);
        if is_over {
            task.left = self.quanta[task.own as usize];
            task.since = self.updates;
        }
        is_over
    }

    /// Nobody runs on a thread from now on, or somebody does.
    #[inline]
    fn frees(&mut self, at: usize, is_free: bool) {
        self.free.set(at, is_free);
        self.most.forget(at);
    }

    #[inline]
    fn start(&mut self, at: usize, pid: Pid, tick: u64) -> Option<Next> {
        let queue = &mut self.queues[at];
        queue.running = pid;
        (queue.quantum.counted, queue.quantum.renewed) = (tick, 0);
        Some(Next { pid, until: self.quantum_end(at) })
    }
}

impl RunQueue for Solaris {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.seen = now;
        let tick = now.0 / self.tick.0;
        self.count_to(at, tick);
        let task = &mut self.tasks[pid.i()];
        if task.is_due(self.updates) {
            task.lift(row(task.own).slpret, &self.quanta, self.updates);
        }
        task.home = if task.home == NOWHERE { at as u16 } else { task.home };
        let (level, task) = (task.level(), *task);
        self.queue_up(at, pid, task.goes_first(tick), now);
        match self.tasks.get(self.queues[at].running.i()) {
            None => Preempt::No,
            Some(running) if level < running.level() => Preempt::Now,
            Some(_) => Preempt::Until(self.quantum_end(at)),
        }
    }

    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.seen = now;
        let tick = now.0 / self.tick.0;
        let Some(Ended { pid, why }) = ended else {
            let pid = self.first(at)?;
            self.frees(at, false);
            return self.start(at, pid, tick);
        };
        let is_over = self.leave(at, pid, tick);
        let is_alone = self.queues[at].waiting.is_empty();
        let level = self.tasks[pid.i()].level();
        let next = match why {
            Why::Blocked => self.first(at),
            _ if is_over => {
                self.requeue(at, pid, now);
                self.first(at)
            }
            _ if level <= self.queues[at].waiting.best() => Some(pid),
            _ => {
                self.queue_up(at, pid, true, now);
                self.first(at)
            }
        };
        self.most.forget(at);
        if next.is_none() {
            self.free.set(at, true);
        }
        let started = self.start(at, next?, tick);
        if is_over && is_alone {
            self.queues[at].quantum.renewed = tick;
        }
        started
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.seen = now;
        let is_over = self.leave(at, ended.pid, now.0 / self.tick.0);
        self.frees(at, true);
        match ended.why {
            Why::Blocked => {}
            _ if is_over => self.requeue(at, ended.pid, now),
            _ => self.queue_up(at, ended.pid, true, now),
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.queues[at].waiting.len()
    }
    /// Where who waits may run is known here.
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, _masks: &Masks) -> bool {
        self.seen = now;
        self.steal(to, &from, now)
    }
    /// Nobody moves by how many wait.
    fn level(&mut self, _now: Ns, _masks: &Masks) -> Vec<usize> {
        Vec::new()
    }
    fn push(&mut self, now: Ns) -> Option<usize> {
        self.pushed(now)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.seen = now;
        self.count(at, now);
        let queue = &self.queues[at];
        match self.tasks.get(queue.running.i()) {
            None => Ns::MAX,
            Some(running) if queue.waiting.best() < running.level() => now,
            Some(_) => self.quantum_end(at),
        }
    }
    fn next_periodic(&self, _now: Ns) -> Ns {
        self.due
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.seen = now;
        self.due = self.due.plus(UPDATE);
        let tick = now.0 / self.tick.0;
        (0..self.queues.len()).for_each(|at| self.count_to(at, tick));
        self.updates += 1;
        (0..self.queues.len()).for_each(|at| self.lifts(at, now));
        (0..self.queues.len()).for_each(|at| self.renew(at));
        // The end of the quantum of who was lifted is sooner.
        (0..self.queues.len()).filter(|&at| !self.renews(at)).collect()
    }
}
