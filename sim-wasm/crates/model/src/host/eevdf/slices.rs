//! How much CPU a process asks for at a time: the base slice, or one of its own (`sched_attr::sched_runtime`, since
//! Linux 6.12; `se->slice` with `custom_slice`).
use super::Eevdf;
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
        let own = slice.filter(|_| self.delays).map_or(self.slice, |slice| slice.0 + TICK_ERROR);
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

    /// `lag` within what a process may be owed or owe (`entity_lag`).
    #[inline]
    pub(super) fn limited(&self, pid: Pid, lag: i64) -> i64 {
        let most = (2 * self.slice_of(pid)).max(self.tick.0);
        let limit = virtual_ns(most, self.entities[pid.i()].weight, self.unit) as i64;
        lag.clamp(-limit, limit)
    }

    /// Who comes with a shorter request than the running process has, and is eligible, ends the protection of that one
    /// if it has the earlier deadline, or the running one is not eligible (PREEMPT_SHORT, `do_preempt_short`).
    #[inline]
    pub(super) fn cut_short(&mut self, at: usize, pid: Pid) {
        let Some(running) = self.queues[at].running.filter(|_| !self.slices.is_empty()) else { return };
        let (came, runs, total) = (&self.entities[pid.i()], &self.entities[running.i()], self.total(at));
        let is_shorter = self.slice_of(pid) < self.slice_of(running);
        let is_sooner = came.deadline < runs.deadline || !total.allows(runs.virtual_time);
        if is_shorter && total.allows(came.virtual_time) && is_sooner && runs.picked_for == runs.deadline {
            self.entities[running.i()].picked_for += 1;
        }
    }
}
