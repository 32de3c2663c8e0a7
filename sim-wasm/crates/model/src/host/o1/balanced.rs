//! What balancing asks of the queues of O(1): weights, who is in them in which order, and moves.
use super::{Task, O1};
use crate::host::balance::counts::PerThread;
use crate::host::balance::o1::busiest::tolerates;
use crate::host::balance::o1::loads::{self, CpuLoad};
use crate::host::balance::o1::tasks::Listed;
use crate::host::masks::Masks;
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::time::Ns;

/// Priority of the idle task (`MAX_PRIO`), and of nobody who has expired.
pub const IDLE_PRIO: i32 = 140;

impl O1 {
    /// What an ordinary process weighs.
    pub fn weight(&self, pid: Pid) -> u64 {
        self.tasks[pid.i()].weight
    }

    /// What one in real time weighs.
    pub fn real_weight(&self, priority: u32) -> u64 {
        loads::real_weight(priority, self.unit)
    }

    /// Ordinary processes running or waiting at a thread, or on their way.
    pub fn number_on(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }

    /// Somebody comes to a thread or goes, after the last tick that was asked for.
    #[inline]
    pub(super) fn weigh(&mut self, at: usize, (more, less): (u64, u64)) {
        self.loads[at].change(self.latest.0, more, less);
        self.weights[at] = self.loads[at].raw() as u32;
    }

    /// Whether a thread finds nothing among some, whatever their loads were, each of which is a group. `by`, `percent`:
    /// which load counts, and what is tolerated.
    #[inline]
    pub fn is_even(&mut self, at: usize, threads: Range<usize>, (by, percent): (usize, u64), now: Ns) -> bool {
        let own = &mut self.loads[at];
        own.advance(now.0 / self.tick.0);
        let most = self.weights[threads].iter().fold(0, |most, &weight| weight.max(most));
        tolerates(percent, own.high(by), most.into())
    }

    /// The loads of some threads, brought up to the last tick.
    pub fn loads(&mut self, threads: Range<usize>, now: Ns) -> impl Iterator<Item = CpuLoad> + '_ {
        let tick = now.0 / self.tick.0;
        self.loads[threads].iter_mut().map(move |load| {
            load.advance(tick);
            *load
        })
    }

    /// What they weigh, and weighed on the last ticks.
    pub fn load(&self, at: usize, now: Ns) -> CpuLoad {
        let mut load = self.loads[at];
        load.advance(now.0 / self.tick.0);
        load
    }

    /// The best priority of who runs and of who has expired, and that of who runs. `is_leaving`: who ran has just left.
    pub fn best(&self, at: usize, is_leaving: bool) -> (i32, i32) {
        let queue = &self.queues[at];
        let current = match self.tasks.get(queue.running.i()) {
            Some(running) => running.prio,
            None if is_leaving => queue.left,
            None => IDLE_PRIO,
        };
        (current.min(queue.best_expired), current)
    }

    /// The processes of a thread as `move_tasks` goes through them. Who runs is the first in line of his priority.
    pub fn list(&self, at: usize) -> Vec<Listed> {
        let queue = &self.queues[at];
        let begins = if self.begins.has(at) { self.first(at) } else { Pid::NONE };
        let listed = |pid: Pid| {
            let Task { prio, weight, last_ran, .. } = self.tasks[pid.i()];
            let last_ran = if last_ran == Ns::MAX { 0 } else { last_ran.0 };
            Listed { pid, prio, weight, last_ran, is_running: pid == queue.running || pid == begins }
        };
        let mut all: Vec<Listed> =
            queue.arrays[1 - queue.active].tail_first().into_iter().map(|(_, pid)| listed(pid)).collect();
        let mut active = queue.arrays[queue.active].tail_first();
        if let Some(running) = self.tasks.get(queue.running.i()) {
            let place = active.iter().take_while(|one| one.0 <= running.prio as u32).count();
            active.insert(place, (running.prio as u32, queue.running));
        }
        all.extend(active.into_iter().map(|(_, pid)| listed(pid)));
        all
    }

    /// Whom a thread would pick.
    fn first(&self, at: usize) -> Pid {
        let queue = &self.queues[at];
        let is_swapped = queue.arrays[queue.active].is_empty();
        let array = if is_swapped { 1 - queue.active } else { queue.active };
        queue.arrays[array].peek().unwrap_or(Pid::NONE)
    }

    /// A process that waits is moved, from an expired array to an expired one (`pull_task`); whether who runs there
    /// gives way to it.
    pub fn shift(&mut self, pid: Pid, (from, to): (usize, usize), now: Ns) -> bool {
        self.count(from, now);
        let queue = &mut self.queues[from];
        let active = queue.active;
        let is_expired = queue.arrays[1 - active].take(|&one| one == pid).is_some();
        if !is_expired && queue.arrays[active].take(|&one| one == pid).is_none() {
            return false;
        }
        self.go(from, pid, is_expired);
        self.give(to, pid, now);
        let running = self.tasks.get(self.queues[to].running.i());
        running.is_some_and(|running| self.tasks[pid.i()].prio < running.prio)
    }

    /// A process leaves a queue for another.
    fn go(&mut self, from: usize, pid: Pid, is_expired: bool) {
        self.tasks[pid.i()].expired = is_expired;
        self.weigh(from, (0, self.tasks[pid.i()].weight));
    }
}

impl PerThread for O1 {
    fn threads(&self) -> usize {
        self.queues.len()
    }
    fn queued(&self, at: usize) -> usize {
        self.queues[at].waiting() - usize::from(self.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.queues[at].running != Pid::NONE || self.begins.has(at))
    }
    /// From the expired array first: who is in it will not run soon (`move_tasks`).
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        self.count(from, now);
        let (tasks, cost) = (&self.tasks, self.migration_cost);
        let cold = |pid: &Pid| {
            let last_ran = tasks[pid.i()].last_ran;
            (last_ran == Ns::MAX || now.minus(last_ran) >= cost) && masks.allows(*pid, to)
        };
        let queue = &mut self.queues[from];
        let active = queue.active;
        let expired = queue.arrays[1 - active].take(cold);
        let pid = expired.or_else(|| queue.arrays[active].take(cold))?;
        self.go(from, pid, expired.is_some());
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        self.count(to, now);
        self.weigh(to, (self.tasks[pid.i()].weight, 0));
        let (queue, task) = (&mut self.queues[to], &self.tasks[pid.i()]);
        let array = if task.expired { 1 - queue.active } else { queue.active };
        queue.arrays[array].push_tail(task.prio as u32, pid);
    }
}
