//! Linux O(1), 2.6.0 to 2.6.22: an active and an expired array, slices by nice value, a bonus for those who sleep.
//!
//! Each thread has two arrays of 140 priorities; the lower number runs first. Who uses his slice up goes to the expired
//! array; when the active one is empty the two change places. Sleep raises `sleep_avg` (0 to 1 s), running lowers it,
//! and every tenth of it is one step of priority, from five worse to five better than the nice value. Whoever is far
//! enough above his nice value counts as interactive and stays in the active array when his slice ends.
//!
//! The bonus feeds on itself: CPU time is charged divided by the bonus. A process that needs the share u of a CPU gains
//! 1 - u and loses u / bonus a second, so at u = 0.6 one with a bonus of two or more keeps and raises it, and one
//! without never gets any, as long as work piles up while it waits. Which of the two it is depends on how it began.
//! With the whole bonus it gains up to u = 10 / 11. Chance lifts whoever sleeps for times of his own to there, sooner
//! or later, and lets nobody down again: so all begin with all of it that ever sleep ([`O1::rest`]), and with nothing
//! hogs and the servers of a host, whose work piles up.
//! Source: Linux 2.6.18 to 2.6.21, `kernel/sched.c`. Left out: a fork's share of bonus and slice, batch processes,
//! SMT siblings.
mod balanced;
mod task;

use super::balance::counts::{level, pull, PerThread};
use super::balance::o1::loads::{self, CpuLoad};
use super::levels::Levels;
use super::masks::Masks;
use super::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::config::NodeConfig;
use crate::ids::Pid;
use std::ops::Range;
pub use task::Sleep;
use task::{Task, GRANULARITY_MS, MOST_BONUS, PRIOS, PRIO_NICE_0, SHORTEST_MS, SLICE_MS};
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

#[derive(Clone, Debug)]
struct Queue {
    arrays: [Levels; 2],
    active: usize,
    running: Pid,
    /// Ticks up to which the running slice is counted.
    counted: u64,
    /// The tick at which the first of the expired array came to its end.
    expired_since: Option<u64>,
    /// The best nice priority in the expired array.
    best_expired: i32,
    /// The priority of who left last.
    left: i32,
}

impl Queue {
    #[inline]
    fn waiting(&self) -> usize {
        self.arrays[0].len() + self.arrays[1].len()
    }
    fn swap(&mut self) {
        self.active = 1 - self.active;
        self.expired_since = None;
        self.best_expired = i32::MAX;
    }
}

/// The O(1) scheduler with two arrays for each thread.
#[derive(Clone, Debug)]
pub struct O1 {
    queues: Arena<Queue>,
    loads: Arena<CpuLoad>,
    /// What those who run or wait at each thread weigh, once more, one beside the other.
    weights: Vec<u32>,
    tasks: Vec<Task>,
    tick: Ns,
    /// The last tick that was asked for, and when it came.
    latest: (u64, Ns),
    /// The slice of nice 0 in ticks, and in nanoseconds, which is one step of the bonus.
    unit: u64,
    step: u64,
    shortest: u64,
    granularity: u64,
    /// What the next to be woken did.
    sleep: Sleep,
    migration_cost: Ns,
    /// Threads on their way to run the first of their queue.
    begins: Bits,
}

impl O1 {
    /// For a host of this size and tick.
    pub fn new(config: &NodeConfig) -> Self {
        let hz = u64::from(config.tick_hz);
        let ticks = |ms: u64| (ms * hz / 1000).max(1);
        let queue = Queue {
            arrays: Default::default(),
            active: 0,
            running: Pid::NONE,
            counted: 0,
            expired_since: None,
            best_expired: i32::MAX,
            left: balanced::IDLE_PRIO,
        };
        O1 {
            queues: vec![queue; config.threads()].into(),
            loads: vec![CpuLoad::default(); config.threads()].into(),
            weights: vec![0; config.threads()],
            tasks: Vec::new(),
            tick: Ns(1_000_000_000 / hz),
            latest: (0, Ns::ZERO),
            unit: ticks(SLICE_MS),
            step: ticks(SLICE_MS) * (1_000_000_000 / hz),
            shortest: ticks(SHORTEST_MS),
            granularity: ticks(GRANULARITY_MS) * config.threads() as u64,
            sleep: Sleep::Posted,
            migration_cost: config.cfs.migration_cost,
            begins: Bits::new(config.threads()),
        }
    }

    /// Makes room for a process; it starts with a whole slice and no bonus ([`O1::rest`]).
    pub fn admit(&mut self, pid: Pid, nice: i32) {
        let fixed = PRIO_NICE_0 + nice.clamp(-20, 19);
        let slice = self.slice(fixed);
        let prio = (fixed + MOST_BONUS as i32 / 2).min(PRIOS.1);
        let (stamp, last_ran, credit, expired) = (Ns::MAX, Ns::MAX, 0, false);
        let weight = loads::weight(slice, self.unit);
        let fresh = Task { fixed, prio, sleep_avg: 0, weight, slice, left: slice, stamp, last_ran, credit, expired };
        reach(&mut self.tasks, pid.i(), fresh);
        self.tasks[pid.i()] = fresh;
    }

    /// A process has slept so for long before its first wake-up: it has every bonus that such sleep gives. One in real
    /// time has none.
    pub fn rest(&mut self, pid: Pid, sleep: Sleep) {
        let Some(task) = self.tasks.get_mut(pid.i()) else { return };
        let most = self.step * MOST_BONUS as u64;
        task.sleep_avg = if sleep == Sleep::Deaf { task.ceiling((self.step, self.tick)).min(most) } else { most };
        task.prio = task.effective(self.step);
    }

    /// How the process that is woken next slept; where nothing is said, another process woke it.
    #[inline]
    pub fn slept(&mut self, sleep: Sleep) {
        self.sleep = sleep;
    }

    /// The present bonus, 0 to 10; 5 is the nice value itself. For tests and displays.
    pub fn bonus(&self, pid: Pid) -> i64 {
        self.tasks[pid.i()].bonus(self.step)
    }

    /// A slice in ticks: 100 ms at nice 0, 5 at 19, 800 at -20 (`static_prio_timeslice`).
    fn slice(&self, fixed: i32) -> u64 {
        let unit = if fixed < PRIO_NICE_0 { 4 * self.unit } else { self.unit };
        (unit * (140 - fixed) as u64 / 20).max(self.shortest)
    }

    /// The number of the tick at or before a moment. Most moments lie within the tick of the one before, and a division
    /// for each would be felt.
    #[inline]
    fn tick_at(&mut self, now: Ns) -> u64 {
        if now.0.wrapping_sub(self.latest.1 .0) >= self.tick.0 {
            let tick = now.0 / self.tick.0;
            self.latest = (tick, Ns(tick * self.tick.0));
        }
        self.latest.0
    }

    /// A slice is used up at a tick; answers whether its owner goes to the expired array.
    #[inline(never)]
    fn expire(&mut self, at: usize, pid: Pid, tick: u64) -> bool {
        let task = &mut self.tasks[pid.i()];
        task.prio = task.effective(self.step);
        task.left = task.slice;
        let longest = self.unit * MOST_BONUS as u64;
        let queue = &mut self.queues[at];
        let since = *queue.expired_since.get_or_insert(tick);
        let starved = task.fixed > queue.best_expired || tick - since > longest * (queue.waiting() as u64 + 1);
        let expires = !task.is_interactive() || starved;
        if expires {
            queue.best_expired = queue.best_expired.min(task.fixed);
        }
        task.tire(Ns(tick * self.tick.0), self.step);
        expires
    }

    /// Counts the ticks of the running slice. Whoever runs alone starts slice after slice without an event.
    #[inline]
    fn count(&mut self, at: usize, now: Ns) {
        let tick = self.tick_at(now);
        self.count_to(at, tick);
    }

    #[inline]
    fn count_to(&mut self, at: usize, tick: u64) {
        let queue = &mut self.queues[at];
        let pid = queue.running;
        if pid == Pid::NONE {
            return;
        }
        let left = &mut self.tasks[pid.i()].left;
        let used = (tick - queue.counted).min(*left);
        *left -= used;
        queue.counted += used;
        if *left == 0 && queue.waiting() == 0 {
            self.count_alone(at, pid, tick);
        }
    }

    fn count_alone(&mut self, at: usize, pid: Pid, tick: u64) {
        loop {
            let ends = self.queues[at].counted;
            if self.expire(at, pid, ends) {
                self.queues[at].swap();
            }
            let task = self.tasks[pid.i()];
            // With no bonus left to lose, all further slices are alike.
            let same = task.sleep_avg == 0 && task.prio == task.effective(self.step) && !task.is_interactive();
            let skipped = if same { (tick - ends) / task.slice } else { 0 };
            let from = ends + skipped * task.slice;
            let used = (tick - from).min(task.slice);
            self.queues[at].counted = from + used;
            let task = &mut self.tasks[pid.i()];
            task.stamp = Ns(from * self.tick.0).max(task.stamp);
            task.left = task.slice - used;
            if task.left > 0 {
                return;
            }
        }
    }

    /// The tick that ends the running slice, or a turn within it.
    #[inline]
    fn slice_end(&self, at: usize) -> Ns {
        let queue = &self.queues[at];
        if queue.waiting() == 0 {
            return Ns::MAX;
        }
        let task = &self.tasks[queue.running.i()];
        let mut span = task.left;
        if queue.arrays[queue.active].best() == task.prio as u32 {
            span = task.next_turn(self.step, self.granularity).map_or(span, |turn| turn.min(span));
        }
        Ns((queue.counted + span) * self.tick.0)
    }

    /// Puts the process that ran back in line, if it still wants to run.
    #[inline]
    fn leave(&mut self, at: usize, ended: Ended, now: Ns) {
        let pid = ended.pid;
        let is_over = self.tasks[pid.i()].left == 0;
        // By the bonus before the stay is charged: that is done when it ends, and this on the tick before.
        let gives_turn = ended.why == Why::SliceExpired && self.tasks[pid.i()].gives_turn(self.step, self.granularity);
        let expires = is_over && self.expire(at, pid, self.queues[at].counted);
        let task = &mut self.tasks[pid.i()];
        task.tire(now, self.step);
        task.last_ran = now;
        let task = &self.tasks[pid.i()];
        let queue = &mut self.queues[at];
        queue.running = Pid::NONE;
        if ended.why == Why::Blocked {
            self.queues[at].left = task.prio;
            return self.weigh(at, (0, task.weight));
        }
        let array = &mut queue.arrays[(queue.active ^ usize::from(expires)) & 1];
        let prio = task.prio as u32;
        if is_over || gives_turn {
            array.push_tail(prio, pid);
        } else {
            array.push_head(prio, pid);
        }
    }

    #[inline]
    fn pick(&mut self, at: usize, now: Ns, tick: u64) -> Option<Next> {
        let queue = &mut self.queues[at];
        if queue.arrays[queue.active].is_empty() {
            if queue.waiting() == 0 {
                queue.expired_since = None;
                return None;
            }
            queue.swap();
        }
        let pid = queue.arrays[queue.active].pop()?;
        queue.running = pid;
        queue.counted = tick;
        let task = &mut self.tasks[pid.i()];
        if task.credit > 0 {
            let waited = now - task.stamp;
            task.rested(waited.0 * task.credit / 128, Sleep::Posted, (self.step, self.tick));
            task.credit = 0;
        }
        task.stamp = now;
        Some(Next { pid, until: self.slice_end(at) })
    }
}

impl RunQueue for O1 {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.count(at, now);
        let task = &mut self.tasks[pid.i()];
        let sleep = std::mem::replace(&mut self.sleep, Sleep::Posted);
        task.credit = sleep.credit();
        let slept = now.minus(task.stamp);
        task.rested(slept.0, sleep, (self.step, self.tick));
        task.stamp = now;
        let prio = task.prio;
        let weight = task.weight;
        self.weigh(at, (weight, 0));
        let queue = &mut self.queues[at];
        queue.arrays[queue.active].push_tail(prio as u32, pid);
        let Some(running) = self.tasks.get(queue.running.i()) else { return Preempt::No };
        [Preempt::Until(self.slice_end(at)), Preempt::Now][usize::from(prio < running.prio)]
    }
    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let tick = self.tick_at(now);
        if let Some(ended) = ended {
            self.count_to(at, tick);
            self.leave(at, ended, now);
        }
        self.pick(at, now, tick)
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.count(at, now);
        self.leave(at, ended, now);
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
    fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so && self.queues[at].running == Pid::NONE);
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.count(at, now);
        let queue = &self.queues[at];
        let Some(running) = self.tasks.get(queue.running.i()) else { return Ns::MAX };
        let is_worse = queue.arrays[queue.active].best() < running.prio as u32;
        [self.slice_end(at), now][usize::from(is_worse)]
    }
}
