//! What balancing asks of CFS's queues with control groups in them.
use super::nested::Nested;
use crate::host::balance::counts::PerThread;
use crate::host::balance::{Fair, Listed};
use crate::host::masks::Masks;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Nested {
    /// Visits the processes that wait at a thread.
    fn each(&self, at: usize, visit: &mut dyn FnMut(Pid)) {
        let none = self.root.each(at).filter(|&id| self.groups.at(id).is_none());
        none.for_each(|id| visit(self.groups.process(id)));
        self.inner.iter().for_each(|level| level.each(at).for_each(&mut *visit));
    }
}

impl PerThread for Nested {
    fn threads(&self) -> usize {
        self.groups.threads()
    }
    fn queued(&self, at: usize) -> usize {
        let mut waiting = 0;
        self.each(at, &mut |_| waiting += 1);
        waiting - usize::from(self.groups.begins.has(at))
    }
    fn runnable(&self, at: usize) -> usize {
        self.queued(at) + usize::from(self.groups.running[at].is_some() || self.groups.begins.has(at))
    }
    /// The one with the lowest number.
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let pid = self.groups.coldest(|visit| self.each(from, visit), to, now, masks)?;
        self.tick(from, now);
        self.dequeue(from, pid, false, now);
        Some(pid)
    }
    fn give(&mut self, to: usize, pid: Pid, now: Ns) {
        self.tick(to, now);
        self.enqueue(to, pid, false, now);
        self.comes(to, pid, now);
    }
}

impl Fair for Nested {
    fn runnable(&self, at: usize) -> usize {
        PerThread::runnable(self, at)
    }
    fn weight(&self, pid: Pid) -> (u64, Option<usize>) {
        (self.groups.members[pid.i()].own.weight(), self.groups.of(pid))
    }
    fn group_load(&self, group: usize, at: usize, own: f64, now: Ns) -> f64 {
        if self.root.is_old {
            return self.groups.contribution(group, at, own, now);
        }
        let weight = self.root.entities[self.groups.entity(group, at).i()].weight;
        self.groups.load(group, weight, at, now)
    }
    fn has_of_group(&self, group: usize, at: usize) -> bool {
        !self.inner[group].is_empty(at)
    }
    fn visit(&self, at: usize, visit: &mut dyn FnMut(Listed)) {
        self.groups.list(at, |each| self.each(at, each), || self.pick(at).map(|(pid, _)| pid), visit);
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize, now: Ns) -> bool {
        self.tick(from, now);
        self.dequeue(from, pid, false, now);
        self.give(to, pid, now);
        self.groups.pass_over(pid);
        std::mem::take(&mut self.root.queues[to].must_turn)
    }
    fn pass_over(&mut self, pid: Pid) {
        self.groups.pass_over(pid);
    }
}
