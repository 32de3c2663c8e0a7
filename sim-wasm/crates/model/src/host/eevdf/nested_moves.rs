//! What balancing asks of queues with control groups in them.
use super::nested::Nested;
use crate::host::balance::counts::PerThread;
use crate::host::balance::{Fair, Listed};
use crate::host::eevdf_queue::State;
use crate::host::masks::Masks;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Nested {
    /// Who would run next, delayed or not.
    fn first(&self, at: usize) -> Option<Pid> {
        let id = self.root.pick(at)?;
        match self.groups.at(id) {
            Some(group) => self.inner[group].pick(at),
            None => Some(self.groups.process(id)),
        }
    }

    /// Visits the processes that wait at a thread: those that only work off a debt, or the others.
    fn each(&self, at: usize, is_delayed: bool, visit: &mut dyn FnMut(Pid)) {
        let none = self.root.each(at, is_delayed).filter(|&id| self.groups.at(id).is_none());
        none.for_each(|id| visit(self.groups.process(id)));
        self.inner.iter().for_each(|level| level.each(at, is_delayed).for_each(&mut *visit));
    }

    /// Whether a group stands in the queue of a thread has perhaps changed.
    pub(super) fn heed(&mut self, group: usize, at: usize, now: Ns) {
        let stands =
            matches!(self.root.entities[self.groups.entity(group, at).i()].state, State::Queued | State::Delayed);
        self.groups.shares[group].stand(at, stands, now);
    }

    /// Somebody who waits, or is delayed, leaves his queue for another.
    fn part(&mut self, from: usize, pid: Pid, now: Ns) {
        self.tick(from, now);
        let (level, id) = self.level(pid);
        level.part(from, id, now);
        if let Some(group) = self.groups.of(pid) {
            self.part_with(pid, (group, true), from, now);
        }
    }
}

impl PerThread for Nested {
    fn threads(&self) -> usize {
        self.groups.threads()
    }
    fn queued(&self, at: usize) -> usize {
        let groups = (0..self.inner.len()).map(|group| self.groups.entity(group, at));
        let is_waiting =
            |id: &Pid| self.root.entities[id.i()].state == State::Queued && self.root.queues[at].running != Some(*id);
        let levels = self.inner.iter().chain([&self.root]).map(|level| &level.queues[at]);
        let entries: usize = levels.map(|queue| queue.tree.len() - queue.delayed).sum();
        entries - groups.filter(is_waiting).count() - usize::from(self.groups.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.groups.running[at].is_some() || self.groups.begins.has(at))
    }
    /// The one with the lowest number.
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let pid = self.groups.coldest(|visit| self.each(from, false, visit), to, now, masks)?;
        self.part(from, pid, now);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        let mut must_turn = self.tick(to, now);
        let (level, id) = self.level(pid);
        must_turn |= level.charge(to, now);
        level.put_in(to, id);
        if let Some(group) = self.groups.of(pid) {
            must_turn |= self.join(pid, group, to, now);
        }
        must_turn |= self.preempts(to, pid, now);
        self.root.queues[to].must_turn |= self.groups.running[to].is_some() && must_turn;
    }
}

impl Fair for Nested {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.groups.members[pid.i()].own.weight(), self.groups.of(pid))
    }
    fn group_load(&self, group: usize, at: usize, _own: f64, now: Ns) -> f64 {
        let weight = self.root.entities[self.groups.entity(group, at).i()].weight;
        self.groups.load(group, weight, at, now)
    }
    fn delayed(&self, at: usize) -> usize {
        let groups = (0..self.inner.len()).map(|group| self.root.entities[self.groups.entity(group, at).i()].state);
        let all: usize = self.inner.iter().chain([&self.root]).map(|level| level.queues[at].delayed).sum();
        all - groups.filter(|&state| state == State::Delayed).count()
    }
    fn visit_delayed(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        self.each(at, true, &mut |pid| visit(self.groups.listed(pid, false)));
    }
    fn is_owed(&self, pid: Pid, at: usize, now: Ns) -> bool {
        self.level_of(pid).owes(at, self.groups.number(pid), now)
    }
    fn has_peers(&self, pid: Pid, at: usize) -> bool {
        !self.level_of(pid).is_empty(at)
    }
    fn take_left(&mut self) -> Vec<Pid> {
        let mut left: Vec<Pid> = self.inner.iter_mut().flat_map(|level| std::mem::take(&mut level.gone)).collect();
        let ids = std::mem::take(&mut self.root.gone);
        left.extend(ids.into_iter().filter(|&id| self.groups.at(id).is_none()).map(|id| self.groups.process(id)));
        left
    }
    fn has_of_group(&self, group: usize, at: usize) -> bool {
        !self.inner[group].is_empty(at)
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        self.groups.list(at, |each| self.each(at, false, each), || self.first(at), visit);
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.part(from, pid, now);
        self.give(to, pid, now);
        self.groups.pass_over(pid);
        std::mem::take(&mut self.root.queues[to].must_turn)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.groups.pass_over(pid);
    }
}
