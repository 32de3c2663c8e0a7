//! How much CPU a process asks for at a time: the base slice, or one of its own (`sched_attr::sched_runtime`, since
//! Linux 6.12; `se->slice` with `custom_slice`).
use super::{Eevdf, Entity, State};
use crate::host::weights::virtual_ns;
use crate::ids::Pid;
use wwi_kernel::time::Ns;

/// From one tick to the next a process is charged a little less than a tick, for it was picked after the first, and
/// ticks come early: so a request of whole ticks lasts one more (commit 2ae891b82695, Linux 6.15). \[ns of CPU\]; how
/// much of a tick it is makes no difference.
pub(super) const TICK_ERROR: u64 = 1_000;

impl Eevdf {
    /// A process says what it asks for; `None`: the base slice. Linux 6.6 has no such thing. What it asks for is not
    /// scaled by the number of CPUs.
    pub fn ask(&mut self, pid: Pid, slice: Option<Ns>) {
        self.take(pid, slice.filter(|_| self.delays).map_or(self.slice, |slice| slice.0 + TICK_ERROR));
    }

    /// A process asks for this request from now on.
    pub(super) fn take(&mut self, pid: Pid, own: u64) {
        if own != self.slice_of(pid) {
            self.slices.resize(self.slices.len().max(pid.i() + 1), self.slice);
            self.slices[pid.i()] = own;
        }
    }

    #[inline]
    pub(super) fn slice_of(&self, pid: Pid) -> u64 {
        self.slices.get(pid.i()).copied().unwrap_or(self.slice)
    }

    /// A request in virtual time.
    #[inline]
    pub(super) fn request(&self, pid: Pid) -> i64 {
        virtual_ns(self.slice_of(pid), self.entities[pid.i()].weight, self.unit).max(1) as i64
    }

    /// `lag` within what a process may be owed or owe (`entity_lag`): two of its requests, or a tick where that is
    /// longer; in 6.18 the longest request of who is queued, and a tick.
    #[inline]
    pub(super) fn limited(&self, at: usize, pid: Pid, lag: i64) -> i64 {
        let most =
            if self.is_6_17 { self.requests(at)[1] + self.tick.0 } else { (2 * self.slice_of(pid)).max(self.tick.0) };
        let limit = virtual_ns(most, self.entities[pid.i()].weight, self.unit) as i64;
        lag.clamp(-limit, limit)
    }

    /// The shortest and the longest request of who is queued at a thread, running or not (`cfs_rq_min_slice`,
    /// `cfs_rq_max_slice`).
    pub(super) fn requests(&self, at: usize) -> [u64; 2] {
        if self.slices.is_empty() {
            return [self.slice; 2];
        }
        let queue = &self.queues[at];
        let mut found = queue.running.map_or([u64::MAX, 0], |pid| [self.slice_of(pid); 2]);
        for entry in queue.tree.iter() {
            let slice = self.slice_of(entry.pid);
            found = [found[0].min(slice), found[1].max(slice)];
        }
        found
    }

    /// Whether RUN_TO_PARITY leaves who runs alone (`protect_slice`).
    #[inline(always)]
    pub(super) fn is_protected(&self, entity: &Entity) -> bool {
        if self.is_6_17 {
            entity.picked_for > entity.virtual_time
        } else {
            entity.picked_for == entity.deadline
        }
    }

    /// Who starts is protected within his request, since 6.17 for as long as the shortest of who is queued
    /// (`set_protect_slice`).
    #[inline(always)]
    pub(super) fn protect(&mut self, at: usize, pid: Pid) {
        let mut until = self.entities[pid.i()].deadline;
        if self.is_6_17 && !self.slices.is_empty() {
            until = until.min(self.protected_for(pid, self.requests(at)[0]));
        }
        self.entities[pid.i()].picked_for = until;
    }

    fn protected_for(&self, pid: Pid, slice: u64) -> i64 {
        let entity = &self.entities[pid.i()];
        entity.virtual_time + virtual_ns(slice, entity.weight, self.unit) as i64
    }

    /// Whether who has come is picked before the running process (`check_preempt_wakeup_fair`).
    #[inline]
    pub(super) fn wins(&mut self, at: usize, pid: Pid) -> bool {
        self.left.clear();
        match self.queues[at].running {
            Some(running) if self.is_6_17 => self.wins_since_6_17(at, pid, running),
            Some(running) if !self.slices.is_empty() => {
                self.cut_short(at, pid, running);
                self.is_first(at, pid)
            }
            _ => self.is_first(at, pid),
        }
    }

    /// Whether who has come is the pick. In 6.18 who is picked while delayed leaves, as at any other pick, and the pick
    /// is made again (commit ac8e69e69363, taken into 6.18 in May 2026); before, he stood in the way until the next
    /// tick.
    #[inline]
    fn is_first(&mut self, at: usize, pid: Pid) -> bool {
        loop {
            let next = self.pick(at);
            let delayed = next.filter(|next| self.is_6_17 && self.entities[next.i()].state == State::Delayed);
            let Some(delayed) = delayed else { return next == Some(pid) };
            self.leave(at, delayed);
            self.left.push(delayed);
        }
    }

    /// Who comes with a shorter request than the running process has, and is eligible, ends the protection of that one
    /// if it has the earlier deadline, or the running one is not eligible (PREEMPT_SHORT, `do_preempt_short`).
    fn cut_short(&mut self, at: usize, pid: Pid, running: Pid) {
        if self.slice_of(pid) >= self.slice_of(running) {
            return;
        }
        let (came, runs, total) = (&self.entities[pid.i()], &self.entities[running.i()], self.total(at));
        let is_sooner = came.deadline < runs.deadline || !total.allows(runs.virtual_time);
        if total.allows(came.virtual_time) && is_sooner && runs.picked_for == runs.deadline {
            self.entities[running.i()].picked_for += 1;
        }
    }

    /// Who comes with a shorter request is picked as if nothing protected the running one
    /// (`__pick_eevdf`). Whoever is not the pick leaves it no more protection than the shortest request
    /// (`update_protect_slice`).
    fn wins_since_6_17(&mut self, at: usize, pid: Pid, running: Pid) -> bool {
        let Entity { picked_for, virtual_time, .. } = self.entities[running.i()];
        if self.slice_of(pid) < self.slice_of(running) {
            self.entities[running.i()].picked_for = virtual_time;
        }
        let wins = self.is_first(at, pid);
        if !wins {
            let until = self.protected_for(running, self.requests(at)[0]);
            self.entities[running.i()].picked_for = picked_for.min(until);
        }
        wins
    }
}
