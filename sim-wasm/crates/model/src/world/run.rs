//! The event loop, and a process's way through it: ready, on a thread, off again.
//!
//! Order of a wake-up: cage, placement, run queue, at most one turn. A running process has one pending completion, the
//! first of: its work is done, its slice is over, its cage makes it yield, it runs into a latch.
use crate::host::policy::{Ended, Next as Pick, Preempt, RunQueue, Why};
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::measure::ledger::SWITCHING;
use crate::measure::record::Stay;
use crate::world::ledger::WAITING;
use crate::world::{Then, Timer, World, NO_INSTANCE};
use wwi_kernel::time::Ns;

/// Demands are cut off here, about 70 minutes of CPU, so that fixed-point work cannot overflow even at twice the reference speed.
const LONGEST_WORK: u64 = 1 << 42;

/// Events of one moment are no fault up to so many …
const MOST_STILL: u64 = 100_000;
/// … and so many for each process: a wake-up, a grant of the cage, a turn and a pre-emption are four.
const MOST_STILL_EACH: u64 = 20;

/// CPU time as work.
pub fn to_work(span: Ns) -> u64 {
    span.0.min(LONGEST_WORK) << Q
}

impl World {
    /// Events of one moment beyond which time is said to stand still.
    fn most_still(&self) -> u64 {
        MOST_STILL + MOST_STILL_EACH * self.processes.len() as u64
    }

    /// Runs until a moment (true), or until this many more events have happened or time stands still (false).
    pub fn run(&mut self, until: Ns, max_events: u64) -> bool {
        let stop = self.accounts.events.saturating_add(max_events);
        loop {
            let (at, slot) = self.calendar.head();
            if at > until {
                self.now = until;
                return true;
            }
            if self.accounts.events >= stop {
                return false;
            }
            if at > self.now {
                self.now = at;
                self.still_since = self.accounts.events;
            } else if self.accounts.events - self.still_since > self.most_still() {
                self.is_stalled = true;
                return false;
            }
            self.accounts.events += 1;
            match slot {
                Some(thread) => self.completion(ThreadId(thread)),
                None => match self.calendar.pop_timer() {
                    Some(timer) => self.timer(timer),
                    None => return true,
                },
            }
        }
    }

    #[inline(always)]
    fn completion(&mut self, at: ThreadId) {
        let pid = self.threads[at.i()].running;
        if pid == Pid::NONE {
            return self.fluid_done(self.threads[at.i()].node as usize);
        }
        self.charge(at);
        let (process, thread) = (&self.processes[pid.i()], &self.threads[at.i()]);
        if process.work == 0 && process.debt == Ns::ZERO {
            self.segment_done(at, pid);
        } else if self.now >= thread.yields_at.min(thread.latch_at) {
            self.stopped(at, pid);
        } else {
            self.turn_here(at, Some(Ended { pid, why: Why::SliceExpired }));
        }
    }

    /// Something else than the end of its slice stops a running session; at one moment it first lets a latch go.
    fn stopped(&mut self, at: ThreadId, pid: Pid) {
        let thread = &self.threads[at.i()];
        if self.now < thread.yields_at || self.processes[pid.i()].holds_latch {
            self.latch_due(at, pid);
        } else {
            self.cage_yield(at, pid);
        }
    }

    /// The slice of a running process ends at another moment now. The caller arms the thread.
    #[inline(always)]
    pub(crate) fn reslice(&mut self, at: ThreadId, until: Ns) {
        let thread = &mut self.threads[at.i()];
        let before = thread.slice_until.min(thread.yields_at);
        thread.slice_until = until;
        if self.held_latches > 0 {
            self.horizon_moved(at, before);
        }
    }

    fn timer(&mut self, timer: Timer) {
        match timer {
            Timer::Wake(pid, generation) => self.timed_out(pid, generation),
            Timer::Arrive(instance) => self.arrive(instance as usize),
            Timer::RmTick(instance) => self.cage_tick(instance as usize),
            Timer::Level(node) => self.level(node as usize),
            Timer::Pull(node) => self.pull(node as usize),
            Timer::Remap(node) => self.remap(node as usize),
            Timer::Periodic(node) => self.periodic(node as usize),
            Timer::Rates(node) => self.look_at_rates(node as usize),
            Timer::Request(server) => self.request(server as usize),
            Timer::Device(device, slot) => self.device_done(device, slot),
            Timer::Arrival(place) => self.arrived(place),
            Timer::ShortWait(pid, since) => self.wait_proved_long(pid, since),
        }
    }

    /// Books what the process on a thread did since the last call.
    #[inline(always)]
    pub(crate) fn charge(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let span = self.now.0 - thread.since.0;
        if span == 0 || thread.running == Pid::NONE {
            return;
        }
        thread.since = self.now;
        self.accounts.threads[at.i()].0 += span;
        let process = &mut self.processes[thread.running.i()];
        process.used.0 += span;
        let lost = span.min(process.debt.0);
        let group = &mut self.accounts.groups[process.group as usize];
        if lost > 0 {
            group.book.busy[SWITCHING + usize::from(process.owes)] += i128::from(lost * thread.speed);
            process.debt.0 -= lost;
            thread.lost.0 += lost;
            self.accounts.hosts[thread.node as usize].switching += lost;
        }
        let whole = (span - lost) * thread.speed;
        let done = whole.min(process.work);
        process.work -= done;
        group.work += u128::from(done);
        group.rounding += whole - done;
        group.purr += u128::from(span * thread.purr);
    }

    /// Puts the next completion of a thread on the calendar.
    #[inline(always)]
    pub(crate) fn arm(&mut self, at: ThreadId) {
        let thread = &self.threads[at.i()];
        let process = &self.processes[thread.running.i()];
        let stop = thread.slice_until.min(thread.yields_at).min(thread.latch_at);
        let span = (stop.0.saturating_sub(self.now.0)).min(LONGEST_WORK);
        let useful = span.saturating_sub(process.debt.0);
        let when = if span < process.debt.0 || useful * thread.speed < process.work {
            self.now.0 + span
        } else if thread.speed == 1 << Q {
            self.now.0 + process.debt.0 + ((process.work + (1 << Q) - 1) >> Q)
        } else {
            self.now.0 + process.debt.0 + process.work.div_ceil(thread.speed)
        };
        self.calendar.set(at.0, Ns(when));
    }

    /// The only writer of an activity.
    #[inline(always)]
    pub(crate) fn enter(&mut self, pid: Pid, activity: Activity) {
        let process = &mut self.processes[pid.i()];
        if let Some(recorder) = &mut self.recorder {
            recorder.left(pid, process, self.now);
        }
        let (booked, whole) = (self.now - process.since, self.now - process.entered);
        let (group, before) = (process.group as usize, process.activity);
        self.accounts.groups[group].leave(before, booked, whole);
        process.activity = activity;
        process.since = self.now;
        process.entered = self.now;
        if before.max(activity) >= WAITING {
            self.count_wait(pid, (before, activity));
        }
    }

    /// As [`World::charge`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn charge_here(&mut self, at: ThreadId) {
        self.charge(at);
    }

    /// As [`World::arm`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn arm_here(&mut self, at: ThreadId) {
        self.arm(at);
    }

    /// As [`World::enter`], in one copy: for what comes seldom.
    #[inline(never)]
    pub(crate) fn enter_here(&mut self, pid: Pid, activity: Activity) {
        let before = self.processes[pid.i()].activity;
        self.enter(pid, activity);
        self.count_sharing(pid, (before, activity));
    }

    /// A stay on a thread ends, or goes on: charges, requeues, picks and starts in one go.
    #[inline(never)]
    pub(crate) fn turn(&mut self, at: ThreadId, ended: Option<Ended>) {
        self.turn_here(at, ended);
    }

    /// As [`World::turn`], without a call: for the one place that most events come from.
    #[inline(always)]
    fn turn_here(&mut self, at: ThreadId, ended: Option<Ended>) {
        let host = &mut self.hosts[self.threads[at.i()].node as usize];
        let local = (at.0 - host.base) as usize;
        if host.ledger.is_limited {
            self.tell(self.threads[at.i()].node as usize);
        }
        let host = &mut self.hosts[self.threads[at.i()].node as usize];
        let mut next = host.policy.turn(local, ended, self.now);
        if next.is_none() && host.ready > 0 && self.idle_pull(at) {
            let host = &mut self.hosts[self.threads[at.i()].node as usize];
            next = host.policy.turn(local, None, self.now);
        }
        if let Some(Ended { pid, why }) = ended {
            if why != Why::Blocked {
                if let Some(same) = next.filter(|n| n.pid == pid) {
                    self.reslice(at, same.until);
                    return self.arm(at);
                }
                self.give_way(at, pid);
            }
        }
        match next {
            Some(next) => self.dispatch(at, next, ended.is_none()),
            None => self.rest(at),
        }
        self.push(self.threads[at.i()].node as usize);
    }

    /// Real time that may not wait where it does goes to a thread that runs something lesser.
    #[inline(always)]
    fn push(&mut self, node: usize) {
        if self.hosts[node].has_real_time {
            while let Some(local) = self.hosts[node].policy.push(self.now) {
                self.look_again(node, local);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn end_stay(&mut self, at: ThreadId, pid: Pid) {
        if self.threads[at.i()].rated != Ns::MAX {
            self.book_rates(at);
        }
        let thread = &mut self.threads[at.i()];
        let sums = &mut self.accounts.hosts[thread.node as usize];
        sums.stays += 1;
        sums.stay_time += (self.now - thread.picked).0;
        if let Some(recorder) = &mut self.recorder {
            recorder.note(Stay {
                pid,
                activity: Activity::RUNNING,
                thread: at,
                start: thread.picked,
                end: self.now,
                lost: thread.lost,
            });
        }
        thread.running = Pid::NONE;
    }

    #[inline(always)]
    fn give_way(&mut self, at: ThreadId, pid: Pid) {
        self.end_stay(at, pid);
        self.enter(pid, Activity::RUN_QUEUE);
        let process = &self.processes[pid.i()];
        let (node, group, own) = (process.node as usize, process.group as usize, process.instance);
        self.tell(node);
        self.census[group].ready += 1;
        self.hosts[node].count_ready(pid);
        self.accounts.groups[group].involuntary += 1;
        if own != NO_INSTANCE && self.instances[own as usize].latches.can_be_held() {
            self.draw_latch(at, pid, own);
        }
    }

    #[inline(always)]
    fn dispatch(&mut self, at: ThreadId, next: Pick, was_idle: bool) {
        let pid = next.pid;
        let process = &mut self.processes[pid.i()];
        let before = std::mem::replace(&mut process.before, Activity::RUNNING);
        self.accounts.groups[process.group as usize].queued[before.i()] += (self.now - process.entered).0;
        self.enter(pid, Activity::RUNNING);
        let node = self.threads[at.i()].node as usize;
        self.tell(node);
        self.census[self.processes[pid.i()].group as usize].ready -= 1;
        self.hosts[node].count_dispatched(pid);
        if was_idle {
            self.wake_thread(at);
        }
        self.owe_switch(at, pid);
        let thread = &mut self.threads[at.i()];
        thread.running = pid;
        thread.last = pid;
        thread.since = self.now;
        thread.picked = self.now;
        thread.lost = Ns::ZERO;
        thread.slice_until = next.until;
        self.processes[pid.i()].last = at;
        if was_idle {
            self.rerate_core(at);
            self.watch_hypervisor(node);
        }
        if self.hosts[node].rates.acts {
            self.rate_dispatched(at, pid);
        }
        self.guard(at, pid);
        match self.processes[pid.i()].then {
            Then::Work | Then::Stashed | Then::Poll | Then::Polled => self.arm(at),
            Then::Resume(why) => self.resume(at, pid, why),
        }
    }

    /// A thread has nothing to run.
    fn rest(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let (node, core) = (thread.node as usize, thread.core as usize);
        let local = (at.0 - self.hosts[node].base) as usize;
        if self.hosts[node].idle.has(local) {
            return;
        }
        (thread.idle_since, thread.idle_booked) = (self.now, self.now);
        self.tell_first_idle(node);
        self.calendar.set(at.0, Ns::MAX);
        self.cores[core].active -= 1;
        self.rerate_core(at);
        self.hosts[node].set_idle(local, true, self.now);
        self.watch_hypervisor(node);
        self.watch_rates(node);
        if self.hosts[node].ready > 0 && self.hosts[node].policy.has_queue_per_thread() {
            self.arm_pull(node);
        }
    }

    fn wake_thread(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let idle = (self.now - thread.idle_since).0;
        self.accounts.threads[at.i()].1 += (self.now - thread.idle_booked).0;
        if thread.rated != Ns::MAX {
            thread.rated = self.now;
        }
        let node = thread.node as usize;
        let most = 2 * self.config.nodes[node].cfs.migration_cost.0;
        thread.usual_idle = (thread.usual_idle - thread.usual_idle / 8 + idle / 8).min(most);
        self.cores[thread.core as usize].active += 1;
        let host = &mut self.hosts[node];
        host.set_idle((at.0 - host.base) as usize, false, self.now);
    }

    /// A process has CPU work to do: through the cage if it has one, then to a run queue.
    pub(crate) fn ready(&mut self, pid: Pid, waker: Option<ThreadId>) {
        if self.processes[pid.i()].is_caged && !self.processes[pid.i()].has_slot && !self.enter_cage(pid) {
            return;
        }
        self.runnable(pid, waker);
    }

    /// To a run queue, and onto a thread if one is idle or the policy pre-empts.
    pub(crate) fn runnable(&mut self, pid: Pid, waker: Option<ThreadId>) {
        let node = self.processes[pid.i()].node as usize;
        if self.hosts[node].fluid.is_some() {
            return self.fluid_add(pid);
        }
        self.processes[pid.i()].before = self.processes[pid.i()].activity;
        self.enter(pid, Activity::RUN_QUEUE);
        self.tell(node);
        self.census[self.processes[pid.i()].group as usize].ready += 1;
        let local = self.hosts[node].policy.kept(pid).unwrap_or_else(|| self.target(pid, waker));
        let host = &mut self.hosts[node];
        host.count_ready(pid);
        let is_idle = host.idle.has(local);
        let preempt = host.policy.wake(local, pid, self.now);
        let at = ThreadId(host.base + local as u16);
        if is_idle {
            return self.turn(at, None);
        }
        if host.idle.count() > 0 && host.policy.has_queue_per_thread() {
            self.arm_pull(node);
        }
        match preempt {
            Preempt::Now => {
                self.charge_here(at);
                let pid = self.threads[at.i()].running;
                self.turn(at, Some(Ended { pid, why: Why::Preempted }));
            }
            Preempt::Until(until) if self.threads[at.i()].slice_until != until => {
                self.charge_here(at);
                self.reslice(at, until);
                self.arm_here(at);
            }
            Preempt::Until(_) | Preempt::No => {}
        }
        self.push(node);
    }
}
