//! CFS with control groups: on each CPU the processes of a group have a queue of their own, and the group stands in the
//! queue of the CPU as one of them.
//!
//! Source: `kernel/sched/fair.c` of 6.1: `enqueue_task_fair`, `dequeue_task_fair`, `pick_next_task_fair` (of who gives
//! way and who comes only what differs is put back and set), `check_preempt_wakeup` (`find_matching_se`),
//! `update_cfs_group`, `sched_slice`. One level of groups. Where it is simpler: of the ticks between two moments at
//! which something happens on a CPU only the last is looked at.
use super::Cfs;
use crate::config::{CgroupConfig, KindConfig, NodeConfig};
use crate::host::balance::counts::{level as even, pull, PerThread};
use crate::host::groups::{Groups, UNIT};
use crate::host::masks::Masks;
use crate::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::time::Ns;

/// The queues of the CPUs, and those of each group.
#[derive(Clone, Debug)]
pub struct Nested {
    /// Of groups and of processes that are in none, by the numbers of [`Groups`].
    pub(super) root: Cfs,
    /// By group: of its processes.
    pub(super) inner: Arena<Cfs>,
    pub(super) groups: Groups,
}

impl Nested {
    /// For the groups of this host, of which there is one at least.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Nested {
        let level = || Cfs { unit: UNIT, ..Cfs::new(config) };
        let mut root = level();
        (0..groups.len() * config.threads()).for_each(|id| root.admit_weighing(Pid(id as u32), UNIT));
        Nested { root, inner: groups.iter().map(|_| level()).collect(), groups: Groups::new(config, groups) }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>) {
        let weight = self.groups.admit(pid, kind, group);
        let (level, id) = self.level(pid);
        level.admit_weighing(id, weight);
    }

    /// The queues in which a process is, and its number there.
    pub(super) fn level(&mut self, pid: Pid) -> (&mut Cfs, Pid) {
        let number = self.groups.number(pid);
        match self.groups.of(pid) {
            Some(group) => (&mut self.inner[group], number),
            None => (&mut self.root, number),
        }
    }

    /// The thread where a process was last, if it was another one.
    fn elsewhere(&mut self, pid: Pid, at: usize) -> Option<usize> {
        let (level, id) = self.level(pid);
        level.elsewhere(id, at)
    }

    /// Brings the accounts of who runs and of its group up to date.
    fn charge(&mut self, at: usize, now: Ns) {
        if let Some(group) = self.groups.running(at) {
            self.inner[group].charge(at, now);
        }
        self.root.charge(at, now);
    }

    /// On the last tick since then a group of which somebody runs is weighed anew (`entity_tick`).
    pub(super) fn tick(&mut self, at: usize, now: Ns) {
        let tick = Ns(now.0 - now.0 % self.root.tick.0);
        if let Some(group) = self.groups.running(at).filter(|_| tick > self.root.queues[at].charged) {
            self.charge(at, tick);
            self.groups.shares[group].tick(at, tick);
            self.weigh(group, at, tick);
        }
    }

    /// A group that is queued at a thread is weighed anew (`update_cfs_group`).
    fn weigh(&mut self, group: usize, at: usize, now: Ns) {
        let id = self.groups.entity(group, at);
        let weight = self.groups.shares[group].of(at, now);
        if self.root.queues[at].running == id {
            self.root.charge(at, now);
        }
        self.root.reweigh(at, id, true, weight);
    }

    /// Something is done in the queue of a group at a thread; of whom that leaves no favourite there, the group is none
    /// of the thread, if it was by him (`__clear_buddies_next`, `__clear_buddies_last`).
    fn within<T>(&mut self, group: usize, at: usize, what: impl FnOnce(&mut Cfs) -> T) -> T {
        let (level, id) = (&mut self.inner[group], self.groups.entity(group, at));
        let before = level.favourites(at);
        let answer = what(level);
        let [next, last] = level.favourites(at);
        let queue = &mut self.root.queues[at];
        for (before, now, above) in [(before[0], next, &mut queue.next), (before[1], last, &mut queue.last)] {
            *above = if before != now && *above == id { Pid::NONE } else { *above };
        }
        answer
    }

    /// One comes to the queue of a thread, and with the first of it a group comes to that of the thread, as one that
    /// wakes (`enqueue_task_fair`).
    pub(super) fn enqueue(&mut self, at: usize, pid: Pid, wakes: bool, now: Ns) {
        let group = self.groups.of(pid);
        let is_first = group.is_some_and(|group| self.inner[group].is_empty(at));
        if let Some(home) = wakes.then(|| self.elsewhere(pid, at)).flatten() {
            self.tick(home, now);
            self.root.charge_to_tick(home, now);
        }
        let (level, id) = self.level(pid);
        level.charge(at, now);
        if wakes {
            level.place(at, id);
        } else {
            level.put_in(at, id);
        }
        let Some(group) = group else { return };
        self.groups.shares[group].add(&mut self.groups.members[pid.i()].own, at, now);
        if is_first {
            let id = self.groups.entity(group, at);
            self.root.charge(at, now);
            self.root.reweigh(at, id, false, self.groups.shares[group].of(at, now));
            self.root.place(at, id);
            self.groups.shares[group].stand(at, true, now);
        } else {
            self.weigh(group, at, now);
        }
    }

    /// One leaves the queue of a thread, and with the last of it its group (`dequeue_task_fair`). Where somebody of a
    /// group goes to sleep and leaves others, the group is the favourite of the next pick.
    pub(super) fn dequeue(&mut self, at: usize, pid: Pid, sleeps: bool, now: Ns) {
        let Some(group) = self.groups.of(pid) else {
            let id = self.groups.number(pid);
            self.root.charge(at, now);
            return self.root.leave(at, id, sleeps);
        };
        self.inner[group].charge(at, now);
        self.within(group, at, |level| level.leave(at, pid, sleeps));
        self.groups.shares[group].remove(&mut self.groups.members[pid.i()].own, at, !sleeps, now);
        let id = self.groups.entity(group, at);
        if self.inner[group].is_empty(at) {
            self.root.charge(at, now);
            self.root.leave(at, id, true);
            self.groups.shares[group].stand(at, false, now);
        } else {
            if sleeps {
                self.root.queues[at].next = id;
            }
            self.weigh(group, at, now);
        }
    }

    /// How long who runs at a thread has by its weight, and its group: a part of the period of all at the thread, by
    /// what the group has of that (`sched_slice`). Before 5.13 the period is that of its own queue.
    fn slices(&self, at: usize) -> (u64, Option<(usize, u64)>) {
        let top = self.root.queues[at].running;
        let group = self.groups.running(at);
        let all = match group {
            _ if self.root.is_old => self.root.queued_here(at),
            _ => PerThread::runnable(self, at) as u64,
        };
        let of_top = self.root.slice(at, top, self.root.period(all));
        let within = group.map(|group| {
            let level = &self.inner[group];
            let runnable = if level.is_old { level.queued_here(at) } else { all };
            let part = level.part(at, level.queues[at].running, level.period(runnable));
            (group, level.at_least(self.root.part(at, top, part)))
        });
        (of_top, within)
    }

    /// The tick that ends the running slice, in the queue of the group or in that of the thread.
    fn end(&self, at: usize, now: Ns) -> Ns {
        if self.groups.running[at].is_none() {
            return Ns::MAX;
        }
        let (of_top, within) = self.slices(at);
        let within = within.map_or(Ns::MAX, |(group, slice)| self.inner[group].end(at, slice, now));
        self.root.end(at, of_top, now).min(within)
    }

    /// Whether the running slice is over on this tick, in either queue.
    fn is_over(&mut self, at: usize, now: Ns) -> bool {
        if !now.0.is_multiple_of(self.root.tick.0) {
            return true;
        }
        let (of_top, within) = self.slices(at);
        let is_over =
            within.is_some_and(|(group, slice)| self.within(group, at, |level| level.is_spent(at, slice, now)));
        self.root.is_spent(at, of_top, now) || is_over || self.root.queues[at].must_turn
    }

    /// Who should run now, and as whom in the queue of the thread.
    pub(super) fn pick(&self, at: usize) -> Option<(Pid, Pid)> {
        let id = self.root.pick(at)?;
        match self.groups.at(id) {
            Some(group) => self.inner[group].pick(at).map(|pid| (pid, id)),
            None => Some((self.groups.process(id), id)),
        }
    }

    /// Whether who has come takes the thread from who runs there (`check_preempt_wakeup`): they are compared in the
    /// queue that they, or their groups, have in common (`find_matching_se`).
    pub(super) fn comes(&mut self, at: usize, pid: Pid, now: Ns) -> bool {
        let Some(running) = self.groups.running[at] else { return false };
        if self.root.queues[at].must_turn || self.groups.batch.has(pid) {
            return self.root.queues[at].must_turn;
        }
        let (came, runs) = (self.groups.of(pid), self.groups.of(running));
        let common = came.filter(|_| came == runs);
        let (top, least) = (self.groups.top(pid, at), self.root.nr_latency);
        let are_many = runs.map_or(&self.root, |group| &self.inner[group]).queued_here(at) >= least;
        let (level, id) = match common {
            Some(group) => (&mut self.inner[group], pid),
            None => (&mut self.root, top),
        };
        level.charge(at, now);
        if !level.preempts(at, id) {
            return false;
        }
        // `set_next_buddy` and `set_last_buddy` go up to the root; a group is never the last one for itself.
        level.queues[at].next = id;
        if are_many && (common.is_some() || runs.is_none()) {
            level.queues[at].last = level.queues[at].running;
        }
        let queue = &mut self.root.queues[at];
        (queue.next, queue.must_turn) = (top, true);
        if are_many && (common.is_some() || runs.is_none()) {
            queue.last = queue.running;
        }
        true
    }
}

impl RunQueue for Nested {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.tick(at, now);
        self.enqueue(at, pid, true, now);
        self.groups.pass_over(pid);
        if self.groups.running[at].is_none() {
            return Preempt::No;
        }
        if self.comes(at, pid, now) {
            return Preempt::Now;
        }
        Preempt::Until(self.end(at, now))
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.tick(at, now);
        self.charge(at, now);
        if let Some(Ended { pid, why }) = ended {
            self.groups.members[pid.i()].last_ran = now;
            match why {
                Why::Blocked => self.dequeue(at, pid, true, now),
                Why::SliceExpired if !self.is_over(at, now) => return Some(Next { pid, until: self.end(at, now) }),
                Why::SliceExpired | Why::Preempted => {}
            }
        }
        self.root.queues[at].must_turn = false;
        let next = self.pick(at);
        let before = self.groups.running(at);
        self.groups.running[at] = next.map(|(pid, _)| pid);
        let in_group = self.groups.running(at);
        if let Some(group) = before.filter(|_| before != in_group) {
            self.inner[group].put_back(at);
        }
        let (pid, id) = next?;
        if let Some(group) = in_group {
            self.within(group, at, |level| level.set(at, pid, now));
        }
        self.root.set(at, id, now);
        self.groups.picked(pid);
        Some(Next { pid, until: self.end(at, now) })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.tick(at, now);
        self.charge(at, now);
        self.groups.members[ended.pid.i()].last_ran = now;
        if ended.why == Why::Blocked {
            self.dequeue(at, ended.pid, true, now);
        }
        if let Some(group) = self.groups.of(ended.pid) {
            self.inner[group].put_back(at);
        }
        self.root.put_back(at);
        self.groups.running[at] = None;
    }

    fn waiting(&self, at: usize) -> usize {
        self.queued(at)
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        even(self, now, masks)
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        self.groups.begin(at, is_so);
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.tick(at, now);
        self.charge(at, now);
        if self.root.queues[at].must_turn {
            return now;
        }
        self.end(at, now)
    }
}
