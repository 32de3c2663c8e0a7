//! The event loop, and a process's way through it: ready, on a thread, off again.
//!
//! Order of a wake-up: cage, placement, run queue, at most one turn. A running process has one pending completion, the
//! first of: its work is done, its slice is over, its cage makes it yield, it runs into a latch.
use crate::config::Scheduler;
use crate::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::world::wake::Waker;
use crate::world::{Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

/// Demands are cut off here, about 70 minutes of CPU, so that fixed-point work cannot overflow even at twice the
/// reference speed.
pub(crate) const LONGEST_WORK: u64 = 1 << 42;

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

    /// Runs until a moment, or until the last session that ends has ended (true); or until this many more events have
    /// happened or time stands still (false).
    pub fn run(&mut self, until: Ns, max_events: u64) -> bool {
        self.until = until;
        self.is_unwatched = self.is_unwatched();
        let stop = self.accounts.events.saturating_add(max_events);
        loop {
            let (at, slot) = self.calendar.head();
            if at > self.until {
                self.now = self.until;
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

    /// Something else than the end of its slice stops a running session; at one moment it first lets a latch go.
    pub(super) fn stopped(&mut self, at: ThreadId, pid: Pid) {
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
        // Who is in a section of the kernel and has to give way goes on to its end, whatever his slice.
        thread.slice_until = if thread.preempts_at == Ns::MAX { until } else { thread.preempts_at };
        if self.held_latches > 0 {
            self.horizon_moved(at, before);
        }
    }

    #[inline(never)]
    fn timer(&mut self, timer: Timer) {
        match timer {
            Timer::Wake(pid, generation) => self.timed_out(pid, generation),
            Timer::Arrive(instance) => self.arrive(instance as usize),
            Timer::RmTick(instance) => self.cage_tick(instance as usize),
            Timer::Level(node) => self.level(node as usize),
            Timer::Balance(node) => self.balance(node as usize),
            Timer::Pull(node) => self.pull(node as usize),
            Timer::Remap(node) => self.remap(node as usize),
            Timer::Periodic(node) => self.periodic(node as usize),
            Timer::HandOut(node) => {
                self.tell(node as usize);
                self.push(node as usize);
            }
            Timer::Rates(node) => self.look_at_rates(node as usize),
            Timer::Request(server) => self.request(server as usize),
            Timer::Device(device, slot) => self.device_done(device, slot),
            Timer::Arrival(place) => self.comes_in(place),
            Timer::Cluster(due) => self.cluster_due(due),
            Timer::ShortWait(pid, since) => self.wait_proved_long(pid, since),
        }
    }

    /// A stay on a thread ends, or goes on: requeues, picks and starts in one go. In one copy: what all events pass
    /// through stays small enough to be near.
    #[inline(never)]
    pub(crate) fn turn(&mut self, at: ThreadId, ended: Option<Ended>) {
        let node = self.threads[at.i()].node as usize;
        if self.keeps_ledger && self.hosts[node].ledger.is_limited {
            self.tell(node);
        }
        if self.threads[at.i()].preempts_at != Ns::MAX {
            self.leave_section(at);
        }
        let host = &mut self.hosts[node];
        let next = host.policy.turn((at.0 - host.base) as usize, ended, self.now);
        self.turned(at, ended, next);
    }

    /// What the policy decided happens.
    #[inline(never)]
    pub(crate) fn turned(&mut self, at: ThreadId, ended: Option<Ended>, mut next: Option<Next>) {
        let node = self.threads[at.i()].node as usize;
        let host = &mut self.hosts[node];
        let local = (at.0 - host.base) as usize;
        if host.has_delays {
            self.note_left(node);
        }
        let host = &self.hosts[node];
        if let Some(Ended { pid, why: Why::Blocked }) = ended.filter(|_| host.balance.is_some()) {
            self.note_block(pid, at);
        }
        let host = &self.hosts[node];
        if next.is_none() && (host.ready > 0 || host.is_overloaded) && self.idle_pull(at) {
            next = self.hosts[node].policy.turn(local, None, self.now);
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
        if self.hosts[node].pushes() {
            self.push(node);
        }
    }

    /// Real time that may not wait where it does goes to a thread that runs something lesser; what was given back to a
    /// quota goes to threads that wait for it, in a while.
    pub(crate) fn push(&mut self, node: usize) {
        while let Some(local) = self.hosts[node].policy.push(self.now) {
            self.look_again(node, local);
        }
        if let Some(due) = self.hosts[node].policy.take_due() {
            self.calendar.schedule(due, Phase::Dispatch, Timer::HandOut(node as u16));
        }
    }

    /// A thread has nothing to run.
    pub(crate) fn rest(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let (node, core) = (thread.node as usize, thread.core as usize);
        let local = (at.0 - self.hosts[node].base) as usize;
        if self.hosts[node].idle.has(local) {
            return;
        }
        let has_woken = thread.wakes_for != Pid::NONE;
        (thread.idle_since, thread.idle_booked) = (self.now, self.now);
        self.tell_first_idle(node);
        self.calendar.set(at.0, Ns::MAX);
        let has_siblings = self.hosts[node].has_siblings;
        if has_woken {
            self.end_waking(at);
        } else {
            self.cores[core].active -= 1;
            if self.hosts[node].footprints.is_some() {
                self.count_use(at, false);
            }
            if has_siblings {
                self.rerate_core(at);
            }
        }
        self.hosts[node].set_idle(local, true, self.now);
        if has_siblings {
            self.watch_hypervisor(node);
        }
        self.watch_rates(node);
        let host = &self.hosts[node];
        if let Some((has_groups, _)) = host.balances() {
            if host.ready > 0 || has_groups {
                self.arm_balance(node);
            }
        } else if host.ready > 0 && host.policy.has_queue_per_thread() {
            self.arm_pull(node);
        }
    }

    /// A thread that ran nothing is given somebody.
    pub(crate) fn wake_thread(&mut self, at: ThreadId) {
        if self.threads[at.i()].wakes_for == Pid::NONE {
            self.end_idle(at);
        } else {
            self.end_waking(at);
        }
        let thread = &self.threads[at.i()];
        self.cores[thread.core as usize].active += 1;
        if self.hosts[thread.node as usize].footprints.is_some() {
            self.count_use(at, true);
        }
    }

    /// An idle spell of a thread is over.
    pub(crate) fn end_idle(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let idle = (self.now - thread.idle_since).0;
        self.accounts.threads[at.i()].1 += (self.now - thread.idle_booked).0;
        if thread.rated != Ns::MAX {
            thread.rated = self.now;
        }
        let node = thread.node as usize;
        let most = 2 * self.config.nodes[node].cfs.migration_cost.0;
        thread.usual_idle = (thread.usual_idle - thread.usual_idle / 8 + idle / 8).min(most);
        let host = &mut self.hosts[node];
        let local = (at.0 - host.base) as usize;
        host.set_idle(local, false, self.now);
        host.waking.note_spell(local, idle);
    }

    /// A process has CPU work to do: through the cage if it has one, then to a run queue.
    #[inline]
    pub(crate) fn ready(&mut self, pid: Pid, waker: Waker) {
        if self.processes[pid.i()].is_caged && !self.processes[pid.i()].has_slot && !self.enter_cage(pid) {
            return;
        }
        self.runnable(pid, waker);
    }

    /// To a run queue, and onto a thread if one is idle or the policy pre-empts.
    #[inline(never)]
    pub(crate) fn runnable(&mut self, pid: Pid, waker: Waker) {
        let node = self.processes[pid.i()].node as usize;
        if self.hosts[node].fluid.is_some() {
            return self.fluid_add(pid);
        }
        self.processes[pid.i()].before = self.processes[pid.i()].activity;
        if !self.runs.sessions.is_empty() {
            self.note_wait(pid, true);
        }
        self.enter(pid, Activity::RUN_QUEUE);
        if self.keeps_ledger {
            self.count_ready_in(pid, 1);
        }
        let local = self.hosts[node].policy.kept(pid).unwrap_or_else(|| self.target(pid, waker));
        if waker.is_interrupt {
            self.interrupt(waker.at.unwrap_or(self.processes[pid.i()].last), node);
        }
        if self.config.nodes[node].scheduler == Scheduler::O1 {
            let sleep = self.sleep_of(pid, waker);
            self.hosts[node].policy.o1_mut().into_iter().for_each(|queues| queues.slept(sleep));
        }
        let host = &mut self.hosts[node];
        host.count_ready(pid);
        let is_idle = host.idle.has(local);
        let preempt = host.policy.wake(local, pid, self.now);
        let at = ThreadId(host.base + local as u16);
        let has_queues = host.policy.has_queue_per_thread();
        if let Some((has_groups, is_unarmed)) = host.balances() {
            host.is_overloaded |= host.has_dice && !is_idle;
            let looks = if is_idle { has_groups } else { is_unarmed || host.idle.count() > 0 };
            if host.balance.is_some() {
                let has_delays = host.has_delays;
                self.note_wake(pid, local);
                if has_delays {
                    self.note_left(node);
                }
            }
            if looks {
                self.arm_balance(node);
            }
        }
        if is_idle {
            return self.begin_on(at, pid, waker.at);
        }
        if has_queues && self.hosts[node].idle.count() > 0 {
            self.arm_pull(node);
        }
        match preempt {
            Preempt::Now => self.preempt_from(at, pid, waker),
            Preempt::Until(until) if self.threads[at.i()].slice_until != until => {
                self.charge_here(at);
                self.reslice(at, until);
                self.arm_here(at);
            }
            Preempt::Until(_) | Preempt::No => {}
        }
        if self.hosts[node].pushes() {
            self.push(node);
        }
    }
}
