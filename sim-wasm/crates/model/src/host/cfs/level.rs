//! What happens in one queue of CFS, of a thread or of a control group there.
use super::waiting::Entry;
use super::{Cfs, Queue, NOWHERE};
use crate::host::weights::{real_ns, scale, virtual_ns};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl Cfs {
    /// Whether nobody runs or waits at a thread.
    pub(super) fn is_empty(&self, at: usize) -> bool {
        self.queues[at].running == Pid::NONE && self.queues[at].waiting.is_empty()
    }

    /// How many run or wait there (`nr_running`).
    #[inline]
    pub(super) fn queued_here(&self, at: usize) -> u64 {
        self.queues[at].waiting.len() as u64 + u64::from(self.queues[at].running != Pid::NONE)
    }

    fn virtual_time(&self, pid: Pid) -> u64 {
        self.entities[pid.i()].virtual_time
    }

    fn entry(&mut self, pid: Pid) -> Entry {
        self.sequence += 1;
        Entry::new(self.virtual_time(pid), self.sequence, pid)
    }

    /// As [`Cfs::charge_here`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(super) fn charge(&mut self, at: usize, now: Ns) {
        self.charge_here(at, now);
    }

    /// Brings the running process's virtual time up to now (`update_curr`).
    #[inline(always)]
    pub(super) fn charge_here(&mut self, at: usize, now: Ns) {
        let queue = &mut self.queues[at];
        let Some(entity) = self.entities.get_mut(queue.running.i()) else { return };
        if queue.charged == now {
            return;
        }
        entity.virtual_time += virtual_ns(now.0 - queue.charged.0, entity.weight, self.unit);
        queue.charged = now;
        let least = entity.virtual_time.min(queue.waiting.least());
        queue.min_virtual = queue.min_virtual.max(least);
    }

    /// The same up to the last tick, if nothing has happened since (`entity_tick`).
    pub(super) fn charge_to_tick(&mut self, at: usize, now: Ns) {
        let tick = Ns(now.0 - now.0 % self.tick.0);
        if tick > self.queues[at].charged {
            self.charge(at, tick);
        }
    }

    /// The queue of another thread where a process was last.
    #[inline]
    pub(super) fn elsewhere(&self, pid: Pid, at: usize) -> Option<usize> {
        let home = self.entities[pid.i()].home;
        (home != NOWHERE && home as usize != at).then_some(home as usize)
    }

    /// Queues one that wakes: no more than half a period behind the others, however long it slept (`place_entity`).
    /// What it had at the queue of another thread, as that was on its last tick, it has here (`migrate_task_rq_fair`).
    pub(super) fn place(&mut self, at: usize, pid: Pid) {
        let (entity, here) = (self.entities[pid.i()], self.queues[at].min_virtual);
        let own = match entity.home {
            NOWHERE => here,
            home => (entity.virtual_time + here).saturating_sub(self.queues[home as usize].min_virtual),
        };
        self.entities[pid.i()].virtual_time = own.max(here.saturating_sub(self.latency / 2));
        self.enqueue(at, pid);
    }

    /// Queues one that was taken from another queue (`enqueue_entity` without ENQUEUE_WAKEUP).
    pub(super) fn put_in(&mut self, at: usize, pid: Pid) {
        let entity = &mut self.entities[pid.i()];
        entity.virtual_time = entity.virtual_time.wrapping_add(self.queues[at].min_virtual);
        self.enqueue(at, pid);
    }

    fn enqueue(&mut self, at: usize, pid: Pid) {
        let entry = self.entry(pid);
        self.entities[pid.i()].home = at as u32;
        self.queues[at].waiting.push(entry);
        self.queues[at].weight += self.entities[pid.i()].weight;
    }

    /// Takes one out of its queue, running or not (`dequeue_entity`). Who does not sleep will be as far behind or ahead
    /// of the others elsewhere, unsigned: so a lead or a credit goes along as it is.
    pub(super) fn leave(&mut self, at: usize, pid: Pid, sleeps: bool) {
        if self.queues[at].running == pid {
            return self.stop(at, pid);
        }
        self.forget(at, pid);
        let (queue, entity) = (&mut self.queues[at], &mut self.entities[pid.i()]);
        queue.waiting.remove(pid);
        (queue.weight, queue.ends) = (queue.weight - entity.weight, Ns::MAX);
        if !sleeps {
            entity.virtual_time = entity.virtual_time.wrapping_sub(queue.min_virtual);
        }
        let running = self.entities.get(queue.running.i()).map_or(u64::MAX, |running| running.virtual_time);
        let least = running.min(queue.waiting.least());
        if least != u64::MAX {
            queue.min_virtual = queue.min_virtual.max(least);
        }
    }

    /// The same of one that ran and sleeps.
    #[inline]
    pub(super) fn stop(&mut self, at: usize, pid: Pid) {
        self.forget(at, pid);
        let queue = &mut self.queues[at];
        queue.running = Pid::NONE;
        queue.weight -= self.entities[pid.i()].weight;
        if let Some((first, _)) = queue.waiting.first() {
            queue.min_virtual = queue.min_virtual.max(first);
        }
    }

    /// One is nobody's favourite any more (`clear_buddies`).
    #[inline]
    pub(super) fn forget(&mut self, at: usize, pid: Pid) {
        let Queue { next, last, .. } = &mut self.queues[at];
        for buddy in [next, last] {
            *buddy = if *buddy == pid { Pid::NONE } else { *buddy };
        }
    }

    /// Whether one is so far ahead of another that it would be unfair to run it (`wakeup_preempt_entity`).
    #[inline]
    fn is_unfair(&self, pid: Pid, to: Pid) -> bool {
        let lead = self.virtual_time(pid).saturating_sub(self.virtual_time(to));
        lead > virtual_ns(self.wakeup_granularity, self.entities[to.i()].weight, self.unit)
    }

    /// Whether who runs at a thread gives way to one who comes.
    pub(super) fn preempts(&self, at: usize, pid: Pid) -> bool {
        self.is_unfair(self.queues[at].running, pid)
    }

    /// As [`Cfs::pick_here`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(super) fn pick(&self, at: usize) -> Option<Pid> {
        self.pick_here(at)
    }

    /// Who should run now, of the running and the waiting (`pick_next_entity`).
    #[inline(always)]
    pub(super) fn pick_here(&self, at: usize) -> Option<Pid> {
        let Queue { waiting, running, next, last, .. } = &self.queues[at];
        let own = self.entities.get(running.i()).map(|entity| entity.virtual_time);
        let left = match (waiting.first(), own) {
            (Some((first, _)), Some(own)) if own < first => *running,
            (Some((_, first)), _) => first,
            (None, Some(_)) => *running,
            (None, None) => return None,
        };
        if *next == Pid::NONE && *last == Pid::NONE {
            return Some(left);
        }
        let mut buddies = [*next, *last].into_iter();
        Some(buddies.find(|&buddy| buddy != Pid::NONE && !self.is_unfair(buddy, left)).unwrap_or(left))
    }

    /// Who is a favourite at a thread, of both kinds.
    pub(super) fn favourites(&self, at: usize) -> [Pid; 2] {
        [self.queues[at].next, self.queues[at].last]
    }

    /// As [`Cfs::set_here`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(super) fn set(&mut self, at: usize, pid: Pid, now: Ns) {
        self.set_here(at, pid, now);
    }

    /// Somebody of the queue runs; who ran before is put back (`put_prev_entity`, `set_next_entity`). Who runs already
    /// goes on with the slice that he has.
    #[inline(always)]
    pub(super) fn set_here(&mut self, at: usize, pid: Pid, now: Ns) {
        let before = self.queues[at].running;
        if before == pid {
            return;
        }
        self.forget(at, pid);
        let back = (before != Pid::NONE).then(|| self.entry(before));
        let queue = &mut self.queues[at];
        let is_first = queue.waiting.first().is_some_and(|(_, first)| first == pid);
        match back {
            Some(entry) if is_first => queue.waiting.exchange(entry),
            None if is_first => queue.waiting.pop(),
            _ => {
                queue.waiting.remove(pid);
                back.into_iter().for_each(|entry| queue.waiting.push(entry));
            }
        }
        (queue.running, queue.picked, queue.charged) = (pid, now, now);
    }

    /// Who runs at a thread goes back to its queue, if somebody does; the thread runs nobody of it.
    pub(super) fn put_back(&mut self, at: usize) {
        let running = self.queues[at].running;
        if running != Pid::NONE {
            let entry = self.entry(running);
            self.queues[at].waiting.push(entry);
        }
        (self.queues[at].running, self.queues[at].must_turn) = (Pid::NONE, false);
    }

    /// In which so many run once each (`__sched_period`).
    #[inline]
    pub(super) fn period(&self, runnable: u64) -> u64 {
        if runnable <= self.nr_latency {
            self.latency
        } else {
            runnable * self.min_granularity
        }
    }

    /// The part of a period that one has by its weight (`sched_slice`) …
    #[inline]
    pub(super) fn part(&self, at: usize, pid: Pid, period: u64) -> u64 {
        scale(period, self.entities[pid.i()].weight, self.queues[at].weight)
    }

    /// … and how long it runs at least: since 5.13 the minimum granularity, also of who weighs less.
    #[inline]
    pub(super) fn at_least(&self, part: u64) -> u64 {
        part.max(if self.is_old { 0 } else { self.min_granularity })
    }

    #[inline]
    pub(super) fn slice(&self, at: usize, pid: Pid, period: u64) -> u64 {
        self.at_least(self.part(at, pid, period))
    }

    /// As [`Cfs::end_here`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(super) fn end(&self, at: usize, slice: u64, now: Ns) -> Ns {
        self.end_here(at, slice, now)
    }

    /// The tick that ends a running slice: it has lasted for more than that, or leads the next one by more
    /// (`check_preempt_tick`). Never, if nobody waits. One who has run for just so long on a tick was picked a little
    /// after the first of these ticks, and has not, either, by the minimum granularity.
    #[inline(always)]
    pub(super) fn end_here(&self, at: usize, slice: u64, now: Ns) -> Ns {
        let queue = &self.queues[at];
        let Some((first, _)) = queue.waiting.first() else { return Ns::MAX };
        let entity = &self.entities[queue.running.i()];
        let by_time = queue.picked.plus(Ns(slice));
        let lead = (slice + first + 1).saturating_sub(entity.virtual_time);
        let leads = queue.charged.plus(Ns(real_ns(lead, entity.weight, self.unit))).minus(Ns(1));
        let by_lead = leads.max(queue.picked.plus(Ns(self.min_granularity)));
        by_time.min(by_lead).max(now).next_tick(self.tick)
    }

    /// Whether a running slice is over on this tick; who has had all of it is no favourite any more.
    pub(super) fn is_spent(&mut self, at: usize, slice: u64, now: Ns) -> bool {
        let queue = &self.queues[at];
        let (running, lasted) = (queue.running, now.minus(queue.picked).0);
        let Some((first, _)) = queue.waiting.first() else { return false };
        if lasted > slice {
            self.forget(at, running);
            return true;
        }
        let lead = self.virtual_time(running).saturating_sub(first);
        lasted > self.min_granularity && lead > slice
    }

    /// One gets another weight, queued or not (`reweight_entity`): its virtual time stays.
    pub(super) fn reweigh(&mut self, at: usize, pid: Pid, is_queued: bool, weight: u64) {
        let before = std::mem::replace(&mut self.entities[pid.i()].weight, weight);
        if is_queued {
            self.queues[at].weight = self.queues[at].weight - before + weight;
        }
    }
}
