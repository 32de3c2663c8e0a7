//! EEVDF with control groups: on each CPU the processes of a group have a queue of their own, and the group stands in
//! the queue of the CPU as one of them, with the weight that [`Shares`] gives it there.
//!
//! Source: `kernel/sched/fair.c` of 6.6, 6.12 and 6.17: `enqueue_task_fair`, `dequeue_entities`, `pick_task_fair`,
//! `pick_next_task_fair` (of who gives way and who comes only what differs is put back and set), `wakeup_preempt`
//! (`find_matching_se`), `update_cfs_group`, `reweight_entity`. One level of groups. Where it is simpler: of the
//! ticks between two moments at which something happens on a CPU only the last is looked at.
use super::Eevdf;
use crate::config::{CgroupConfig, KindConfig, NodeConfig};
use crate::host::balance::counts::{level, pull, PerThread};
use crate::host::eevdf_queue::{scale_lag, Entity, State};
use crate::host::groups::{Groups, UNIT};
use crate::host::masks::Masks;
use crate::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::time::Ns;

impl Eevdf {
    /// Whether nobody runs or waits at a thread.
    pub(super) fn is_empty(&self, at: usize) -> bool {
        self.queues[at].running.is_none() && self.queues[at].tree.is_empty()
    }

    /// Who is in the queue of a thread, or in none, gets another weight (`reweight_entity`). Before 6.18 lag in CPU
    /// time and the rest of the request stay what they were (`reweight_eevdf`).
    fn reweigh(&mut self, at: usize, id: Pid, weight: u64) {
        let Entity { weight: before, state, virtual_time, deadline, .. } = self.entities[id.i()];
        if state != State::Queued && state != State::Delayed {
            let entity = &mut self.entities[id.i()];
            entity.lag = scale_lag(entity.lag, before, weight);
            entity.weight = weight;
            return;
        }
        let lag = scale_lag(self.lag(at, id), before, weight);
        let average = self.queues[at].base;
        let waits = self.queues[at].running != Some(id);
        if waits {
            self.remove(at, id);
        }
        self.entities[id.i()].weight = weight;
        if self.is_6_17 {
            // Placed as one that comes, while who runs stands in the average and in the load all along.
            let (average, load) = (self.average(at), self.total(at).load);
            let entity = &mut self.entities[id.i()];
            entity.virtual_time = if load == 0 { average } else { average - scale_lag(lag, load + weight, load) };
            entity.deadline = entity.virtual_time + scale_lag(deadline - virtual_time, before, weight);
            // What it was protected for stands where its lag has just been written (`vlag` and `vprot` of
            // `sched_entity` are one).
            if !waits {
                entity.picked_for = entity.virtual_time;
            }
        } else {
            let entity = &mut self.entities[id.i()];
            entity.virtual_time = average - lag;
            entity.deadline = average + scale_lag(deadline - average, before, weight);
        }
        if waits {
            self.insert(at, id);
        }
    }

    /// Who runs at a thread goes back to its queue, if somebody does.
    fn put_back(&mut self, at: usize) {
        if let Some(id) = self.queues[at].running {
            self.insert(at, id);
            self.queues[at].running = None;
        }
    }

    /// Somebody of the queue of a thread runs; who ran before is put back (`put_prev_entity`, `set_next_entity`).
    fn set(&mut self, at: usize, next: Pid, now: Ns) {
        let before = self.queues[at].running;
        self.queues[at].charged = now;
        if before == Some(next) {
            return;
        }
        match before {
            Some(before) => self.exchange(at, before, next),
            None => self.remove(at, next),
        }
        self.queues[at].running = Some(next);
        self.protect(at, next);
    }
}

/// The queues of the CPUs, and those of each group.
#[derive(Clone, Debug)]
pub struct Nested {
    /// Of groups and of processes that are in none. First come the groups: `group * threads + thread`.
    pub(super) root: Eevdf,
    /// By group: of its processes, by their numbers.
    pub(super) inner: Arena<Eevdf>,
    pub(super) groups: Groups,
}

impl Nested {
    /// For the groups of this host, of which there is one at least.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Nested {
        let level = || Eevdf { unit: UNIT, ..Eevdf::new(config) };
        let mut root = level();
        for of_group in 0..groups.len() * config.threads() {
            root.admit_weighing(Pid(of_group as u32), UNIT);
            // A new process asks for half a request; its group does not.
            root.entities[of_group].state = State::Away;
        }
        let inner = groups.iter().map(|_| level()).collect();
        Nested { root, inner, groups: Groups::new(config, groups) }
    }

    /// Makes room for a process.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>) {
        let weight = self.groups.admit(pid, kind, group);
        let (level, id) = self.level(pid);
        level.admit_weighing(id, weight);
        level.ask(id, kind.slice);
    }

    /// The queues in which a process is.
    pub(super) fn level_of(&self, pid: Pid) -> &Eevdf {
        self.groups.of(pid).map_or(&self.root, |group| &self.inner[group])
    }

    /// The same, to be changed, and its number there.
    pub(super) fn level(&mut self, pid: Pid) -> (&mut Eevdf, Pid) {
        let number = self.groups.number(pid);
        match self.groups.of(pid) {
            Some(group) => (&mut self.inner[group], number),
            None => (&mut self.root, number),
        }
    }

    /// Brings the accounts of who runs and of its group up to date; whether one of them must give way if a pick says
    /// so.
    fn charge(&mut self, at: usize, now: Ns) -> bool {
        let in_group = self.groups.running(at);
        let is_due = in_group.is_some_and(|group| self.inner[group].charge(at, now));
        self.root.charge(at, now) || is_due
    }

    /// The same up to the last tick (`entity_tick`).
    fn charge_to_tick(&mut self, at: usize, now: Ns) -> bool {
        let in_group = self.groups.running(at);
        let is_due = in_group.is_some_and(|group| self.inner[group].charge_to_tick(at, now));
        self.root.charge_to_tick(at, now) || is_due
    }

    /// On the last tick since then a group of which somebody runs is weighed anew (`entity_tick`); whether who runs
    /// must give way.
    pub(super) fn tick(&mut self, at: usize, now: Ns) -> bool {
        let tick = Ns(now.0 - now.0 % self.root.tick.0);
        let in_group = self.groups.running(at);
        let Some(group) = in_group.filter(|_| tick > self.root.queues[at].charged) else { return false };
        let is_due = self.charge(at, tick);
        self.weigh(group, at, tick) || is_due
    }

    /// A group asks for the shortest request of its own at a thread.
    fn ask(&mut self, group: usize, at: usize) {
        let [shortest, _] = self.inner[group].requests(at);
        self.root.take(self.groups.entity(group, at), shortest);
    }

    /// A group that is queued at a thread is weighed anew (`update_cfs_group`).
    fn weigh(&mut self, group: usize, at: usize, now: Ns) -> bool {
        let id = self.groups.entity(group, at);
        self.ask(group, at);
        let (weight, before) = (self.groups.shares[group].of(at, now), self.root.entities[id.i()].weight);
        if before == weight {
            return false;
        }
        let is_due = self.root.charge(at, now);
        self.root.reweigh(at, id, weight);
        is_due
    }

    /// Somebody of a group has joined its queue at a thread: so does the group in the queue of the thread.
    pub(super) fn join(&mut self, pid: Pid, group: usize, at: usize, now: Ns) -> bool {
        self.groups.shares[group].add(&mut self.groups.members[pid.i()].own, at, now);
        let is_due = self.join_root(group, at, now);
        self.heed(group, at, now);
        is_due
    }

    fn join_root(&mut self, group: usize, at: usize, now: Ns) -> bool {
        let id = self.groups.entity(group, at);
        match self.root.entities[id.i()].state {
            State::Queued => self.weigh(group, at, now),
            State::Delayed => {
                let is_due = self.root.charge_to_tick(at, now);
                self.root.requeue(at, id);
                self.weigh(group, at, now) || is_due
            }
            _ => {
                let is_due = self.root.charge(at, now);
                self.ask(group, at);
                self.root.reweigh(at, id, self.groups.shares[group].of(at, now));
                self.root.place(at, id);
                is_due
            }
        }
    }

    /// Somebody of a group has left its queue at a thread, for another one if it `moves`: with the last one goes the
    /// group (`dequeue_entities`).
    pub(super) fn part_with(&mut self, pid: Pid, (group, moves): (usize, bool), at: usize, now: Ns) {
        self.groups.shares[group].remove(&mut self.groups.members[pid.i()].own, at, moves, now);
        if self.inner[group].is_empty(at) {
            let id = self.groups.entity(group, at);
            self.root.charge(at, now);
            self.root.block(at, id);
            self.heed(group, at, now);
        } else {
            self.weigh(group, at, now);
        }
    }

    /// Who ran waits for something.
    fn block(&mut self, at: usize, pid: Pid, now: Ns) {
        let (level, id) = self.level(pid);
        if !level.block(at, id) {
            if let Some(group) = self.groups.of(pid) {
                self.part_with(pid, (group, false), at, now);
            }
        }
    }

    /// Who should run now, and as whom in the queue of the thread. The delayed leave when they are picked
    /// (`pick_next_entity`).
    fn pick(&mut self, at: usize, now: Ns) -> Option<(Pid, Pid)> {
        loop {
            let id = self.root.pick(at)?;
            if self.root.entities[id.i()].state == State::Delayed {
                self.root.leave(at, id);
                self.groups.at(id).into_iter().for_each(|group| self.heed(group, at, now));
                continue;
            }
            let Some(group) = self.groups.at(id) else { return Some((self.groups.process(id), id)) };
            let pid = self.inner[group].pick(at)?;
            if self.inner[group].entities[pid.i()].state != State::Delayed {
                return Some((pid, id));
            }
            self.inner[group].leave(at, pid);
            self.part_with(pid, (group, false), at, now);
        }
    }

    fn end(&self, at: usize, now: Ns) -> Ns {
        let in_group = self.groups.running(at);
        let of_group = in_group.map_or(Ns::MAX, |group| self.inner[group].slice_end(at, now));
        self.root.slice_end(at, now).min(of_group)
    }

    /// Whether who has come takes the thread from who runs there: they are compared in the queue that they, or their
    /// groups, have in common (`find_matching_se`).
    pub(super) fn preempts(&mut self, at: usize, pid: Pid, now: Ns) -> bool {
        let Some(running) = self.groups.running[at] else { return false };
        let (came, runs) = (self.groups.of(pid), self.groups.of(running));
        let id = self.groups.top(pid, at);
        let (level, id) = match came.filter(|_| came == runs) {
            Some(group) => (&mut self.inner[group], pid),
            None => (&mut self.root, id),
        };
        let must_turn = level.charge(at, now);
        if self.groups.batch.has(pid) {
            return must_turn;
        }
        let wins = level.wins(at, id);
        let left = std::mem::take(&mut level.left);
        if came.is_none() || came != runs {
            for group in left.iter().filter_map(|&id| self.groups.at(id)).collect::<Vec<_>>() {
                self.heed(group, at, now);
            }
        }
        if let Some(group) = came.filter(|_| came == runs) {
            left.iter().for_each(|&pid| self.part_with(pid, (group, false), at, now));
        }
        must_turn || wins
    }
}

impl RunQueue for Nested {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let is_kept = self.kept(pid) == Some(at);
        let mut must_turn = self.tick(at, now);
        must_turn |= is_kept && self.charge_to_tick(at, now);
        let (level, id) = self.level(pid);
        if is_kept {
            level.requeue(at, id);
        } else {
            must_turn |= level.charge(at, now);
            level.place(at, id);
            if let Some(group) = self.groups.of(pid) {
                must_turn |= self.join(pid, group, at, now);
            }
        }
        self.groups.pass_over(pid);
        if self.groups.running[at].is_none() {
            return Preempt::No;
        }
        if self.preempts(at, pid, now) || must_turn {
            return Preempt::Now;
        }
        Preempt::Until(self.end(at, now))
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.tick(at, now);
        self.charge(at, now);
        self.root.queues[at].must_turn = false;
        if let Some(Ended { pid, why }) = ended {
            self.groups.members[pid.i()].last_ran = now;
            if why == Why::Blocked {
                self.block(at, pid, now);
            }
        }
        let next = self.pick(at, now);
        let before = std::mem::replace(&mut self.groups.running[at], next.map(|(pid, _)| pid));
        let in_group = next.and_then(|(pid, _)| self.groups.of(pid));
        if let Some(group) = before.and_then(|pid| self.groups.of(pid)).filter(|&group| Some(group) != in_group) {
            self.inner[group].put_back(at);
        }
        let (pid, id) = next?;
        if let Some(group) = in_group {
            self.inner[group].set(at, pid, now);
        }
        self.root.set(at, id, now);
        if before != Some(pid) {
            self.groups.picked(pid);
        }
        Some(Next { pid, until: self.end(at, now) })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.tick(at, now);
        self.charge(at, now);
        self.groups.members[ended.pid.i()].last_ran = now;
        if ended.why == Why::Blocked {
            self.block(at, ended.pid, now);
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
        level(self, now, masks)
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        self.groups.begin(at, is_so);
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        let is_due = self.tick(at, now);
        let must_turn = self.charge(at, now) || is_due || self.root.queues[at].must_turn;
        self.root.queues[at].must_turn = false;
        if must_turn {
            return now;
        }
        self.end(at, now)
    }
    fn kept(&self, pid: Pid) -> Option<usize> {
        self.level_of(pid).kept(self.groups.number(pid))
    }
}
