//! `cpu.max` of control groups (version 2) over CFS or EEVDF: each group has a pool that is filled up every period;
//! threads draw pieces from it, and processes of a group whose pool is empty are set aside until it is filled again.
//!
//! Source: Linux `kernel/sched/fair.c` of 5.8, "CFS bandwidth control". Where it is coarser here: a piece ends when it
//! is used, not on the next tick (the kernel charges what ran beyond it to the next piece, so the limit is the same); a
//! thread that goes on to another group gives back what is left above 1 ms, even if others of the group wait in its
//! queue; and what was given back reaches processes that are set aside when their thread next turns, where a timer of
//! the kernel hands it out after 5 ms.
use super::masks::Masks;
use super::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use crate::config::{CgroupConfig, KindConfig};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// What a thread draws at once (Linux, `sched_cfs_bandwidth_slice_us`).
const PIECE: Ns = Ns(5_000_000);
/// What a thread keeps when it gives the rest of its piece back (Linux, `min_cfs_rq_runtime`).
const KEPT: Ns = Ns(1_000_000);

#[derive(Clone, Debug)]
struct Pool {
    quota: Ns,
    period: Ns,
    left: Ns,
    /// When it is filled up next.
    refill: Ns,
}

#[derive(Clone, Debug)]
struct Thread {
    running: Option<Pid>,
    charged: Ns,
    /// End of the running slice as the policy below has it.
    slice_until: Ns,
    /// What is left of the pieces drawn, by group.
    pieces: Vec<Ns>,
    /// Processes that wait for their pool, in the order they came.
    aside: Vec<Pid>,
}

/// Quotas over another policy.
#[derive(Clone, Debug)]
pub struct Quota {
    inner: Policy,
    /// By instance; `None`: no limit.
    pools: Vec<Option<Pool>>,
    /// Who draws from which pool.
    groups: Vec<Option<u16>>,
    threads: Arena<Thread>,
}

impl Quota {
    /// Whether any group has a limit.
    pub fn is_needed(groups: &[Option<CgroupConfig>]) -> bool {
        groups.iter().flatten().any(|g| g.quota.is_some())
    }

    /// Over `inner`, with all pools full.
    pub fn new(threads: usize, groups: &[Option<CgroupConfig>], inner: Policy) -> Self {
        let pool = |group: &Option<CgroupConfig>| {
            let CgroupConfig { quota, period, .. } = (*group)?;
            quota.map(|quota| Pool { quota, period, left: quota, refill: period })
        };
        let thread = Thread {
            running: None,
            charged: Ns::ZERO,
            slice_until: Ns::MAX,
            pieces: vec![Ns::ZERO; groups.len()],
            aside: Vec::new(),
        };
        Quota {
            inner,
            pools: groups.iter().map(pool).collect(),
            groups: Vec::new(),
            threads: vec![thread; threads].into(),
        }
    }

    /// Notes whose pool a process draws from, and passes it on.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>, masks: &Masks) {
        reach(&mut self.groups, pid.i(), None);
        self.groups[pid.i()] = group.filter(|&g| self.pools[g].is_some()).map(|g| g as u16);
        self.inner.admit(pid, kind, group, masks);
    }

    /// The policy below.
    pub fn below(&self) -> &Policy {
        &self.inner
    }

    /// The same, to be changed.
    pub fn below_mut(&mut self) -> &mut Policy {
        &mut self.inner
    }

    /// Visits the processes that wait for their pool.
    pub fn held_back(&self, visit: &mut dyn FnMut(Pid)) {
        self.threads.iter().flat_map(|thread| &thread.aside).for_each(|&pid| visit(pid));
    }

    /// Whether the pool of a group is empty.
    pub fn is_spent(&self, group: usize) -> bool {
        self.pools.get(group).and_then(Option::as_ref).is_some_and(|pool| pool.left == Ns::ZERO)
    }

    /// Whether a thread has set somebody of a process's group aside (`throttled_hierarchy`).
    pub fn is_throttled(&self, pid: Pid, at: usize) -> bool {
        let group = self.groups[pid.i()];
        group.is_some() && self.threads[at].aside.iter().any(|&other| self.groups[other.i()] == group)
    }

    fn group(&self, pid: Pid) -> Option<usize> {
        self.groups[pid.i()].map(usize::from)
    }

    fn fill_pools(&mut self, now: Ns) {
        for pool in self.pools.iter_mut().flatten().filter(|p| p.refill <= now) {
            pool.left = pool.quota;
            pool.refill = now.next_tick(pool.period);
        }
    }

    /// Takes what ran since the last call off the piece it ran on; fills pools that are due.
    fn charge(&mut self, at: usize, now: Ns) {
        let thread = &mut self.threads[at];
        if let Some(group) = thread.running.and_then(|pid| self.groups[pid.i()]) {
            let piece = &mut thread.pieces[usize::from(group)];
            *piece = piece.minus(now - thread.charged);
        }
        thread.charged = now;
        self.fill_pools(now);
    }

    fn can_run(&self, at: usize, group: usize) -> bool {
        self.threads[at].pieces[group] > Ns::ZERO || self.pools[group].as_ref().is_some_and(|p| p.left > Ns::ZERO)
    }

    /// Draws a piece unless the thread has one; whether the group may run here.
    fn draw(&mut self, at: usize, group: usize) -> bool {
        let piece = &mut self.threads[at].pieces[group];
        if let (Ns::ZERO, Some(pool)) = (*piece, &mut self.pools[group]) {
            *piece = pool.left.min(PIECE);
            pool.left = pool.left.minus(PIECE);
        }
        *piece > Ns::ZERO
    }

    /// What the thread does not need returns to the pool.
    fn give_back(&mut self, at: usize, group: usize) {
        let piece = &mut self.threads[at].pieces[group];
        if let Some(pool) = self.pools[group].as_mut() {
            pool.left += piece.minus(KEPT);
            *piece = (*piece).min(KEPT);
        }
    }

    fn set_aside(&mut self, at: usize, pid: Pid, now: Ns) {
        self.inner.put(at, Ended { pid, why: Why::Blocked }, now);
        self.threads[at].aside.push(pid);
    }

    /// Processes set aside here whose pool has something again are in the queue again.
    fn bring_back(&mut self, at: usize, now: Ns) {
        let aside = std::mem::take(&mut self.threads[at].aside);
        for pid in aside {
            if self.group(pid).is_none_or(|g| self.can_run(at, g)) {
                self.inner.wake(at, pid, now);
            } else {
                self.threads[at].aside.push(pid);
            }
        }
    }

    /// End of the stay: of the slice, or of the piece.
    fn stay_until(&self, at: usize) -> Ns {
        let thread = &self.threads[at];
        match thread.running.and_then(|pid| self.group(pid)) {
            Some(group) => thread.slice_until.min(thread.charged.plus(thread.pieces[group])),
            None => thread.slice_until,
        }
    }

    /// The first pick of the policy below that may run; the others are set aside.
    fn pick(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let exhausted = |e: &Ended| e.why != Why::Blocked && self.group(e.pid).is_some_and(|g| !self.can_run(at, g));
        let mut next = match ended {
            Some(e) if exhausted(&e) => {
                self.set_aside(at, e.pid, now);
                self.inner.turn(at, None, now)
            }
            _ => self.inner.turn(at, ended, now),
        };
        while let Some(Next { pid, .. }) = next {
            if self.group(pid).is_none_or(|g| self.draw(at, g)) {
                break;
            }
            self.set_aside(at, pid, now);
            next = self.inner.turn(at, None, now);
        }
        next
    }
}

impl RunQueue for Quota {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.fill_pools(now);
        if self.group(pid).is_some_and(|g| !self.can_run(at, g)) {
            self.threads[at].aside.push(pid);
            return Preempt::No;
        }
        match self.inner.wake(at, pid, now) {
            Preempt::Until(until) => {
                self.threads[at].slice_until = until;
                Preempt::Until(self.stay_until(at))
            }
            other => other,
        }
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        if let Some(Ended { pid, why: Why::SliceExpired }) = ended {
            let goes_on = now < self.threads[at].slice_until;
            if goes_on && self.group(pid).is_some_and(|g| self.draw(at, g)) {
                return Some(Next { pid, until: self.stay_until(at) });
            }
        }
        self.bring_back(at, now);
        let next = self.pick(at, ended, now);
        let thread = &mut self.threads[at];
        thread.running = next.map(|n| n.pid);
        thread.slice_until = next.map_or(Ns::MAX, |n| n.until);
        let group = next.and_then(|n| self.group(n.pid));
        if let Some(before) = ended.and_then(|e| self.group(e.pid)).filter(|&g| Some(g) != group) {
            self.give_back(at, before);
        }
        next.map(|n| Next { until: self.stay_until(at), ..n })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.inner.put(at, ended, now);
        self.threads[at].running = None;
        if let Some(group) = self.group(ended.pid) {
            self.give_back(at, group);
        }
    }

    /// Those set aside do not count: no other thread could run them.
    fn waiting(&self, at: usize) -> usize {
        self.inner.waiting(at)
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        self.inner.pull(to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        self.inner.level(now, masks)
    }

    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.threads[at].slice_until = self.inner.until(at, now);
        self.stay_until(at)
    }

    fn next_periodic(&self, now: Ns) -> Ns {
        self.pools.iter().flatten().map(|p| now.next_tick(p.period)).min().unwrap_or(Ns::MAX)
    }

    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.fill_pools(now);
        let can_run = |at: usize, pid: &Pid| self.group(*pid).is_some_and(|g| self.can_run(at, g));
        (0..self.threads.len()).filter(|&at| self.threads[at].aside.iter().any(|p| can_run(at, p))).collect()
    }

    fn begin(&mut self, at: usize, is_so: bool) {
        self.inner.begin(at, is_so);
    }

    fn kept(&self, pid: Pid) -> Option<usize> {
        self.inner.kept(pid)
    }

    fn weakest(&self, pid: Pid, last: usize, masks: &Masks) -> Option<usize> {
        self.inner.weakest(pid, last, masks)
    }
}
