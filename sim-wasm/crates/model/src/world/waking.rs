//! A thread that idles takes time to begin with whom it is given, and one that is in the kernel to give way.
use crate::config::Scheduler;
use crate::host::policy::{Ended, RunQueue, Why};
use crate::ids::{Pid, ThreadId};
use crate::measure::ledger::WAKING;
use crate::program::On;
use crate::program::Program;
use crate::world::wake::Waker;
use crate::world::World;
use wwi_kernel::time::Ns;

impl World {
    /// A woken process has been queued at a thread that idles.
    pub(crate) fn begin_on(&mut self, at: ThreadId, pid: Pid, waker: Option<ThreadId>) {
        let node = self.threads[at.i()].node as usize;
        let host = &mut self.hosts[node];
        let local = (at.0 - host.base) as usize;
        if !host.waking.acts || host.policy.waiting(local) == 0 {
            return self.turn(at, None);
        }
        let core = &self.cores[self.threads[at.i()].core as usize];
        let is_core_idle =
            core.threads[..usize::from(core.size)].iter().all(|&t| host.idle.has((t - host.base) as usize));
        let is_told = waker.unwrap_or(self.processes[pid.i()].last) != at;
        let delay = host.waking.delay(local, is_told, is_core_idle);
        if delay == Ns::ZERO {
            return self.turn(at, None);
        }
        host.policy.begin(local, true);
        self.end_idle(at);
        let thread = &mut self.threads[at.i()];
        (thread.wakes_for, thread.since) = (pid, self.now);
        self.calendar.set(at.0, self.now.plus(delay));
    }

    /// Something comes to an end on a thread on which nobody runs.
    #[inline(never)]
    pub(crate) fn nobody_runs(&mut self, at: ThreadId, node: usize) {
        let host = &mut self.hosts[node];
        if host.fluid.is_some() {
            return self.fluid_done(node);
        }
        host.policy.begin((at.0 - host.base) as usize, false);
        self.turn(at, None);
    }

    /// Books what a thread has used for waking up so far.
    pub(crate) fn book_waking(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let span = (self.now - thread.since).0;
        thread.since = self.now;
        thread.sums.busy += span;
        thread.sums.switching += span;
        let full = self.hosts[thread.node as usize].ledger.full;
        let group = self.processes[thread.wakes_for.i()].group as usize;
        self.accounts.groups[group].book.busy[WAKING] += i128::from(span * full);
    }

    /// A thread is awake.
    pub(crate) fn end_waking(&mut self, at: ThreadId) {
        self.book_waking(at);
        let thread = &mut self.threads[at.i()];
        thread.wakes_for = Pid::NONE;
        if thread.rated != Ns::MAX {
            thread.rated = self.now;
        }
    }

    /// The process on a thread has to give way to one that was woken there or elsewhere, which it may see later.
    pub(crate) fn preempt_from(&mut self, at: ThreadId, pid: Pid, waker: Waker) {
        let process = &self.processes[pid.i()];
        let host = &self.hosts[process.node as usize];
        let seen = match host.waking.is_lazy {
            _ if waker.at.unwrap_or(process.last) == at => None,
            true => self.sees_lazily(at, pid, waker),
            false => host.policy.sees(pid, self.now),
        };
        match seen {
            None => {
                self.see(at);
                self.preempt(at);
            }
            Some(_) if self.threads[at.i()].preempts_at != Ns::MAX => {}
            Some(seen) => self.give_way_at(at, seen),
        }
    }

    /// Lazy pre-emption: a CPU of another cache hands a woken process over with an interrupt (`ttwu_queue_cond`), and
    /// real time is no laggard (`resched_curr`); `None`: at once.
    fn sees_lazily(&self, at: ThreadId, pid: Pid, waker: Waker) -> Option<Ns> {
        let process = &self.processes[pid.i()];
        let (host, config) = (&self.hosts[process.node as usize], &self.config.nodes[process.node as usize]);
        let cache = |thread: ThreadId| usize::from(thread.0 - host.base) / config.threads_per_cache();
        let is_near = cache(waker.at.unwrap_or(process.last)) == cache(at);
        (is_near && !process.is_real_time).then(|| self.now.next_tick(host.tick))
    }

    /// An interrupt on a thread of a host, or a call of who runs there, lets it see who waits, where it would have with
    /// its next tick.
    #[inline]
    pub(crate) fn interrupt(&mut self, at: ThreadId, node: usize) {
        let may_be_late = self.hosts[node].waking.is_lazy || self.config.nodes[node].scheduler == Scheduler::Aix;
        if may_be_late && at != ThreadId::NONE && self.see(at) {
            self.preempt(at);
        }
    }

    /// A thread sees who waits, if it has not yet.
    fn see(&mut self, at: ThreadId) -> bool {
        let thread = &mut self.threads[at.i()];
        if thread.is_late {
            (thread.is_late, thread.preempts_at) = (false, Ns::MAX);
            return true;
        }
        false
    }

    /// Who runs on a thread has called the kernel.
    #[inline]
    pub(crate) fn called(&mut self, at: Option<ThreadId>) {
        let Some(at) = at else { return };
        let node = self.threads[at.i()].node as usize;
        if self.hosts[node].waking.is_lazy {
            self.interrupt(at, node);
        }
    }

    fn give_way_at(&mut self, at: ThreadId, then: Ns) {
        self.charge_here(at);
        let thread = &mut self.threads[at.i()];
        (thread.preempts_at, thread.is_late) = (then, true);
        let until = thread.slice_until;
        self.reslice(at, until);
        self.arm_here(at);
    }

    /// The process on a thread has to give way to one that was woken: at once, or when it leaves the kernel.
    pub(crate) fn preempt(&mut self, at: ThreadId) {
        let (pid, node) = (self.threads[at.i()].running, self.threads[at.i()].node as usize);
        if pid == Pid::NONE || self.threads[at.i()].preempts_at != Ns::MAX {
            return;
        }
        self.charge_here(at);
        let host = &mut self.hosts[node];
        let Some(section) = host.waking.section() else {
            return self.turn(at, Some(Ended { pid, why: Why::Preempted }));
        };
        host.policy.begin((at.0 - host.base) as usize, true);
        let thread = &mut self.threads[at.i()];
        thread.preempts_at = self.now.plus(section);
        let until = thread.slice_until;
        self.reslice(at, until);
        self.arm_here(at);
    }

    /// What was held up happens now.
    #[inline(never)]
    pub(crate) fn leave_section(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        (thread.preempts_at, thread.is_late) = (Ns::MAX, false);
        let host = &mut self.hosts[thread.node as usize];
        host.policy.begin((at.0 - host.base) as usize, false);
    }

    /// By how much later than its time a process is woken that waits like this.
    pub(crate) fn slack(&self, pid: Pid, on: On) -> Ns {
        let process = &self.processes[pid.i()];
        let host = &self.hosts[process.node as usize];
        // Who thinks waits for a person, whatever clock tells the model when that is over.
        let has_timer = on != On::Time || matches!(self.tasks[pid.i()].program, Program::Background(_));
        if has_timer && !process.is_real_time {
            host.waking.slack
        } else {
            Ns::ZERO
        }
    }
}

#[cfg(test)]
#[path = "lazy_tests.rs"]
mod lazy_tests;
