//! AIX: priority values that grow with the CPU time used and decay once a second.
//!
//! Each thread has a queue; the lowest value runs. A process found running by a clock tick (10 ms at the 100 Hz of AIX)
//! has its recent CPU usage C raised by one, up to 120. Once a second everybody's C shrinks to C · D / 32. The value is
//!
//! ```text
//! value = x + C · R / 32 · (x + 4) / 64        p = 60 + nice,  x = p up to 60, 2 p - 60 above
//! ```
//!
//! which at nice 0 is 60 + C · R / 32. The running process gives way at a tick at which somebody's value is as good as
//! its own, and at once when a better one wakes up on its thread; of one woken elsewhere it learns with the next tick.
//! Processes of fixed priority keep their value whatever they use.
//!
//! Source: IBM, AIX documentation, performance management, "Process and thread priority" and "Priority calculation
//! example", which a test repeats line by line. That nice values weigh CPU use since AIX 4.3.2 is from the AIX 4.3
//! Differences Guide, section 2.13; the form (x + 4) / 64 is quoted second hand, and gives the 15 % that the guide
//! measured for nice +19 against nice 0, where the sum without it gives 41 %. Values reach 193 and are not cut off: AIX
//! 5.1 and later have 256 of them.
//!
//! Assumptions: a process that had to give way within a tick goes to the head of its value's line, at a tick to the
//! tail; at the recalculation everybody keeps his place in the order of arrival.
use super::balance::counts::{level, pull, PerThread};
use super::levels::Levels;
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use super::realtime::CLOCK_TICK;
use crate::config::{Class, KindConfig, NodeConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Value of a process of nice 0 that used no CPU lately: 40 for all users and 20 for the standard nice value.
const BASE: i64 = 60;
/// The greatest recent CPU usage \[ticks\].
const MOST_USAGE: u64 = 120;
/// Denominator of R and D.
const PARTS: u64 = 32;
/// The range of fixed values for users (`setpri`, 40 to 127).
const FIXED: (u32, u32) = (40, 127);
/// The swapper recalculates at this interval.
const RECALCULATION: Ns = Ns(1_000_000_000);

#[derive(Clone, Copy, Debug)]
struct Task {
    /// The value without any usage, and by how much one tick of usage raises it (2048ths).
    base: u32,
    slope: u64,
    /// Its class is one of fixed priority.
    is_fixed: bool,
    /// Recent CPU usage \[ticks\].
    usage: u64,
    /// When it last left a thread; [`Ns::MAX`] before it ever ran.
    last_ran: Ns,
}

impl Task {
    #[inline]
    fn value(&self, more: u64) -> u32 {
        self.base + ((self.usage + more).min(MOST_USAGE) * self.slope / (PARTS * 64)) as u32
    }
}

#[derive(Clone, Debug)]
struct Queue {
    waiting: Levels,
    running: Pid,
    /// The tick before its stay, and ticks up to which it is charged.
    picked: u64,
    counted: u64,
}

/// The scheduler of AIX with a queue for each thread.
#[derive(Clone, Debug)]
pub struct Aix {
    queues: Arena<Queue>,
    tasks: Vec<Task>,
    tick: Ns,
    /// Weight of used CPU in a value and share of it kept each second, 32nds.
    r: u64,
    d: u64,
    migration_cost: Ns,
    /// When usage is recalculated next.
    due: Ns,
    /// Who has a fixed priority interrupts another CPU (`bosdebug -R on`).
    is_real_time: bool,
}

impl Aix {
    /// With the host's `sched_R` and `sched_D`.
    pub fn new(config: &NodeConfig) -> Self {
        let queue = Queue { waiting: Levels::default(), running: Pid::NONE, picked: 0, counted: 0 };
        Aix {
            queues: vec![queue; config.threads()].into(),
            tasks: Vec::new(),
            tick: CLOCK_TICK,
            r: u64::from(config.aix_sched_r),
            d: u64::from(config.aix_sched_d),
            migration_cost: config.cfs.migration_cost,
            due: RECALCULATION,
            is_real_time: config.aix_real_time_kernel,
        }
    }

    /// What is done each second is done first at this moment.
    pub fn begin_clock(&mut self, first: Ns) {
        self.due = first;
    }

    /// When a thread that runs something worse next sees that a process waits for it which was woken elsewhere: with
    /// its next tick. `None`: at once.
    pub fn sees(&self, pid: Pid, now: Ns) -> Option<Ns> {
        let is_fixed = self.tasks.get(pid.i()).is_none_or(|task| task.is_fixed);
        (!(self.is_real_time && is_fixed)).then(|| now.next_tick(self.tick))
    }

    /// Makes room for a process that used no CPU yet.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig) {
        let nice = BASE + i64::from(kind.nice.clamp(-20, 19));
        let x = if nice > BASE { 2 * nice - BASE } else { nice };
        let (base, slope) = match kind.class {
            Class::Fixed => (kind.priority.clamp(FIXED.0, FIXED.1), 0),
            _ => (x as u32, self.r * (x as u64 + 4)),
        };
        let fresh = Task { base, slope, is_fixed: kind.class == Class::Fixed, usage: 0, last_ran: Ns::MAX };
        reach(&mut self.tasks, pid.i(), fresh);
        self.tasks[pid.i()] = fresh;
    }

    /// The recent CPU usage of a process \[ticks\], and its priority value, as last charged.
    pub fn usage_and_value(&self, pid: Pid) -> (u64, u32) {
        let task = &self.tasks[pid.i()];
        (task.usage, task.value(0))
    }

    /// Charges the running process for the ticks that found it running.
    fn count(&mut self, at: usize, now: Ns) {
        self.count_to(at, now.0 / self.tick.0);
    }

    #[inline]
    fn count_to(&mut self, at: usize, tick: u64) {
        let queue = &mut self.queues[at];
        if let Some(task) = self.tasks.get_mut(queue.running.i()) {
            task.usage = (task.usage + tick - queue.counted).min(MOST_USAGE);
            queue.counted = tick;
        }
    }

    /// The next tick at which the running process is no better than the first in line; `tick`: the last one.
    #[inline]
    fn stay_end(&self, at: usize, tick: u64) -> Ns {
        let queue = &self.queues[at];
        let (best, task) = (queue.waiting.best(), &self.tasks[queue.running.i()]);
        if best == u32::MAX {
            return Ns::MAX;
        }
        if task.value(1) >= best {
            return Ns((tick + 1) * self.tick.0);
        }
        if task.value(MOST_USAGE) < best {
            return Ns::MAX;
        }
        let enough = (u64::from(best - task.base) * PARTS * 64).div_ceil(task.slope);
        Ns((tick + enough - task.usage) * self.tick.0)
    }

    /// Whether a stay ends with a tick, the end of a time slice; `tick`: the last one.
    #[inline]
    fn is_over(&self, at: usize, now: Ns, tick: u64) -> bool {
        tick * self.tick.0 == now.0 && tick > self.queues[at].picked
    }

    #[inline]
    fn start(&mut self, at: usize, pid: Pid, tick: u64) -> Option<Next> {
        let queue = &mut self.queues[at];
        queue.running = pid;
        (queue.picked, queue.counted) = (tick, tick);
        let until = self.stay_end(at, tick);
        Some(Next { pid, until })
    }
}

impl RunQueue for Aix {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let tick = now.0 / self.tick.0;
        self.count_to(at, tick);
        let value = self.tasks[pid.i()].value(0);
        self.queues[at].waiting.push_tail(value, pid);
        match self.tasks.get(self.queues[at].running.i()) {
            None => Preempt::No,
            Some(running) if value < running.value(0) => Preempt::Now,
            Some(_) => Preempt::Until(self.stay_end(at, tick)),
        }
    }

    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let tick = now.0 / self.tick.0;
        let Some(Ended { pid, why }) = ended else {
            let pid = self.queues[at].waiting.pop()?;
            return self.start(at, pid, tick);
        };
        self.count_to(at, tick);
        let task = &mut self.tasks[pid.i()];
        task.last_ran = now;
        let (value, is_over) = (task.value(0), self.is_over(at, now, tick));
        let queue = &mut self.queues[at];
        queue.running = Pid::NONE;
        let next = match why {
            Why::Blocked => queue.waiting.pop()?,
            _ if is_over => queue.waiting.exchange(value, pid),
            _ if value <= queue.waiting.best() => pid,
            _ => {
                queue.waiting.push_head(value, pid);
                queue.waiting.pop()?
            }
        };
        self.start(at, next, tick)
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        let tick = now.0 / self.tick.0;
        self.count_to(at, tick);
        let task = &mut self.tasks[ended.pid.i()];
        task.last_ran = now;
        let (value, is_over) = (task.value(0), self.is_over(at, now, tick));
        let queue = &mut self.queues[at];
        queue.running = Pid::NONE;
        match ended.why {
            Why::Blocked => {}
            _ if is_over => queue.waiting.push_tail(value, ended.pid),
            _ => queue.waiting.push_head(value, ended.pid),
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        level(self, now, masks)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        let tick = now.0 / self.tick.0;
        self.count_to(at, tick);
        let queue = &self.queues[at];
        match self.tasks.get(queue.running.i()) {
            None => Ns::MAX,
            Some(running) if queue.waiting.best() < running.value(0) => now,
            Some(_) => self.stay_end(at, tick),
        }
    }
    fn next_periodic(&self, _now: Ns) -> Ns {
        self.due
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.due = self.due.plus(RECALCULATION);
        for at in 0..self.queues.len() {
            self.count(at, now);
        }
        for task in &mut self.tasks {
            task.usage = task.usage * self.d / PARTS;
        }
        let tasks = &self.tasks;
        let mut crowded = Vec::new();
        for (at, queue) in self.queues.iter_mut().enumerate().filter(|(_, queue)| !queue.waiting.is_empty()) {
            queue.waiting.resort(|pid| tasks[pid.i()].value(0));
            crowded.push(at);
        }
        crowded
    }
}

impl PerThread for Aix {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    fn queued(&self, at: usize) -> usize {
        self.queues[at].waiting.len()
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running != Pid::NONE)
    }
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let (tasks, cost) = (&self.tasks, self.migration_cost);
        let cold = |pid: &Pid| {
            let last_ran = tasks[pid.i()].last_ran;
            (last_ran == Ns::MAX || now.minus(last_ran) >= cost) && masks.allows(*pid, to)
        };
        self.queues[from].waiting.take(cold)
    }
    fn give(&mut self, to: usize, pid: Pid, _now: Ns) {
        self.queues[to].waiting.push_tail(self.tasks[pid.i()].value(0), pid);
    }
}
