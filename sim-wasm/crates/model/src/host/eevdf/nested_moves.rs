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
        match self.group_of(id) {
            Some(group) => self.inner[group].pick(at),
            None => Some(self.process_of(id)),
        }
    }

    /// Visits the processes that wait at a thread, without those that only work off a debt.
    fn visit_waiting(&self, at: usize, visit: &mut dyn FnMut(Pid)) {
        for entry in self.root.queues[at].tree.iter() {
            if self.group_of(entry.pid).is_none() && self.root.entities[entry.pid.i()].state == State::Queued {
                visit(self.process_of(entry.pid));
            }
        }
        for level in &self.inner {
            let waiting = level.queues[at].tree.iter().map(|entry| entry.pid);
            waiting.filter(|pid| level.entities[pid.i()].state == State::Queued).for_each(&mut *visit);
        }
    }

    /// Somebody who waits leaves his queue for another.
    fn part(&mut self, from: usize, pid: Pid, now: Ns) {
        self.tick(from, now);
        let (level, id) = self.level(pid);
        level.part(from, id, now);
        if let Some(group) = self.group(pid) {
            self.part_with(pid, (group, true), from, now);
        }
    }
}

impl PerThread for Nested {
    fn threads(&self) -> usize {
        self.running.len()
    }
    fn queued(&self, at: usize) -> usize {
        let groups = (0..self.inner.len()).map(|group| self.of_group(group, at));
        let is_waiting =
            |id: &Pid| self.root.entities[id.i()].state == State::Queued && self.root.queues[at].running != Some(*id);
        let levels = self.inner.iter().chain([&self.root]).map(|level| &level.queues[at]);
        let entries: usize = levels.map(|queue| queue.tree.len() - queue.delayed).sum();
        entries - groups.filter(is_waiting).count() - usize::from(self.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.running[at].is_some() || self.begins.has(at))
    }
    /// The one with the lowest number.
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let mut found: Option<Pid> = None;
        self.visit_waiting(from, &mut |pid| {
            let is_cold = now.minus(self.members[pid.i()].last_ran) >= self.migration_cost;
            if is_cold && masks.allows(pid, to) {
                found = Some(found.map_or(pid, |other| other.min(pid)));
            }
        });
        let pid = found?;
        self.part(from, pid, now);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        let mut must_turn = self.tick(to, now);
        let (level, id) = self.level(pid);
        must_turn |= level.charge(to, now);
        level.place(to, id);
        if let Some(group) = self.group(pid) {
            must_turn |= self.join(pid, group, to, now);
        }
        must_turn |= self.preempts(to, pid, now);
        self.root.queues[to].must_turn |= self.running[to].is_some() && must_turn;
    }
}

impl Fair for Nested {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.members[pid.i()].own.weight(), self.group(pid))
    }
    fn share(&self, group: usize) -> f64 {
        self.groups.share(group)
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        let begins = if self.begins.has(at) { self.first(at) } else { None };
        let mut tell = |pid: Pid, is_running: bool| {
            let member = self.members[pid.i()];
            let age = self.serial.wrapping_sub(member.order);
            visit(Listed { pid, age, last_ran: member.last_ran, is_running });
        };
        self.visit_waiting(at, &mut |pid| {
            if Some(pid) != begins {
                tell(pid, false);
            }
        });
        if let Some(pid) = self.running[at] {
            tell(pid, true);
        }
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.part(from, pid, now);
        self.give(to, pid, now);
        self.pass_over(pid);
        std::mem::take(&mut self.root.queues[to].must_turn)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.serial = self.serial.wrapping_add(1);
        self.members[pid.i()].order = self.serial;
    }
}
