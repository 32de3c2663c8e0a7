//! Real-time classes over any other policy: SCHED_FIFO, SCHED_RR, Solaris RT. The greater priority runs first, and all
//! of them before everything of the policy below.
//!
//! Each thread has its own queue. As Linux pushes and pulls, a thread about to run something lesser takes the first
//! waiting real-time process of any thread that may run there, and one that lost its thread goes to the thread that
//! runs the least.
//!
//! Linux limits real time on each CPU to `rt_runtime` in every `rt_period`, and up to 5.9 CPUs lend one another what
//! they have left of it (`lending`). Once that is used up, real-time processes of the thread wait there, and ordinary
//! ones run, or nobody. What was used beyond it counts in the next period. From 6.12 on a server helps ordinary ones
//! besides ([`Server`]).
//! Sources: Linux `kernel/sched/rt.c` of 5.10; for Solaris `rt.c` and `rt_dptbl.c` of illumos.
mod layer;
mod lending;
mod server;
mod serving;

use super::masks::Masks;
use super::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use crate::config::{Class, KindConfig, NodeConfig, Scheduler};
use crate::ids::Pid;
pub use server::Server;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::heap::Heap;
use wwi_kernel::order::sort_and_dedup;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Slice of SCHED_RR (Linux, `RR_TIMESLICE`).
const RR_SLICE: Ns = Ns(100_000_000);
/// Clock tick of AIX and of Solaris, 100 a second (AIX 5L Performance Management Guide; Solaris `hz`).
pub(super) const CLOCK_TICK: Ns = Ns(10_000_000);
/// On AIX a time slice is one clock tick (`schedo -o timeslice=1`): it ends with the next one.
const TO_THE_NEXT_TICK: Ns = Ns(1);
/// Solaris RT: quanta by tens of the priority (`rt_dptbl`, illumos and the System Administration Guide).
const RT_QUANTA: [Ns; 6] =
    [Ns(1_000_000_000), Ns(800_000_000), Ns(600_000_000), Ns(400_000_000), Ns(200_000_000), Ns(100_000_000)];
/// A rank stands above so many bits, in which the order of those who have it is.
const ORDER_BITS: u32 = 48;
/// Middle of the order numbers: pre-empted ones go before, others behind.
const MIDDLE: u64 = 1 << (ORDER_BITS - 1);
/// Less urgent than anybody; ranks are those of priorities, of which systems have some hundred.
const FARTHEST: u64 = u64::MAX >> ORDER_BITS;

/// Whether a class is one of this layer.
pub fn is_real_time(class: Class) -> bool {
    matches!(class, Class::Fifo | Class::RoundRobin | Class::RealTime)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Running {
    Nothing,
    /// Somebody whom neither this layer nor the one below knows.
    Stranger,
    Ordinary,
    Real(Pid),
}

#[derive(Clone, Debug)]
struct Thread {
    /// By priority, then by order.
    waiting: Heap<Pid, u64>,
    running: Running,
    /// Up to when real time is charged.
    charged: Ns,
    /// Real time used in this period, and what may be.
    used: Ns,
    runtime: Ns,
    /// And since the start.
    ran: Ns,
    period_end: Ns,
    is_throttled: bool,
    /// Of ordinary processes, if the kernel has one, …
    server: Option<Box<Server>>,
    /// … which knows what ran up to then.
    accounted: Ns,
}

#[derive(Clone, Debug)]
struct Entity {
    /// `None`: of the policy below.
    priority: Option<u32>,
    /// [`Ns::MAX`]: until it blocks.
    quantum: Ns,
    left: Ns,
    /// `None`: anywhere.
    allowed: Option<Bits>,
}

/// Real-time classes over another policy.
#[derive(Clone, Debug)]
pub struct RealTime {
    inner: Policy,
    /// When the policy below wants its periodic call.
    inner_due: Ns,
    threads: Arena<Thread>,
    has_servers: bool,
    /// Threads on their way to run somebody, by whom they are counted.
    begins: Bits,
    entities: Arena<Entity>,
    /// The period of the limit of real time.
    limit: Option<Ns>,
    lends: bool,
    /// Linux: threads of a core as the system sees it, and of a last-level cache, from the nearest of which a thread is
    /// taken.
    near: Option<[usize; 2]>,
    scheduler: Scheduler,
    /// A thread can make another look at once.
    pushes: bool,
    tick: Ns,
    order: u64,
    /// Real-time processes that wait, on all threads.
    waiting: usize,
    /// The greatest rank of a real-time process …
    greatest: u64,
    /// … and the threads that run something lesser, or nothing.
    lesser: Bits,
}

impl RealTime {
    /// Over `inner`, with the clock, the slices and the limit of the host's system.
    pub fn new(config: &NodeConfig, inner: Policy) -> Self {
        // O(1) has no limit: that came with 2.6.25.
        let limit = config.rt_runtime.filter(|&runtime| config.scheduler.is_fair() && runtime < config.rt_period);
        let thread = Thread {
            waiting: Heap::default(),
            running: Running::Nothing,
            charged: Ns::ZERO,
            used: Ns::ZERO,
            runtime: limit.unwrap_or(Ns::MAX),
            ran: Ns::ZERO,
            period_end: limit.map_or(Ns::MAX, |_| config.rt_period),
            is_throttled: false,
            server: serving::server(config),
            accounted: Ns::ZERO,
        };
        RealTime {
            inner_due: inner.next_periodic(Ns::ZERO),
            inner,
            has_servers: thread.server.is_some(),
            threads: vec![thread; config.threads()].into(),
            begins: Bits::new(config.threads()),
            entities: Vec::new().into(),
            limit: limit.map(|_| config.rt_period),
            lends: config.rt_runtime_share && config.scheduler == Scheduler::Cfs,
            near: config.scheduler.is_linux().then(|| [config.threads_seen_per_core(), config.threads_per_cache()]),
            scheduler: config.scheduler,
            pushes: config.scheduler != Scheduler::Aix || config.aix_real_time_kernel,
            tick: match config.scheduler {
                Scheduler::Aix | Scheduler::Solaris => CLOCK_TICK,
                _ => Ns(1_000_000_000 / u64::from(config.tick_hz)),
            },
            order: 0,
            waiting: 0,
            greatest: 0,
            lesser: Bits::new(config.threads()),
        }
    }

    /// Keeps a real-time process and where it may run; passes on any other.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>, masks: &Masks) {
        let stranger = Entity { priority: None, quantum: Ns::MAX, left: Ns::MAX, allowed: None };
        reach(&mut self.entities, pid.i(), stranger);
        if !is_real_time(kind.class) {
            return self.inner.admit(pid, kind, group, masks);
        }
        let quantum = match (kind.class, self.scheduler) {
            (Class::Fifo, _) => Ns::MAX,
            (_, Scheduler::Aix) => TO_THE_NEXT_TICK,
            (_, Scheduler::Solaris) => RT_QUANTA[(kind.priority as usize / 10).min(5)],
            _ => RR_SLICE,
        };
        let allowed = (!masks.is_free()).then(|| masks.of(pid).allowed.clone());
        self.entities[pid.i()] = Entity { priority: Some(kind.priority), quantum, left: quantum, allowed };
        self.note_rank(self.rank_of(pid));
    }

    fn is_real(&self, pid: Pid) -> bool {
        self.entities[pid.i()].priority.is_some()
    }

    /// What runs, in order of importance: nothing, ordinary, then by priority; a stranger is never disturbed.
    fn rank(&self, at: usize) -> u64 {
        if self.serves(at) && (self.threads[at].running == Running::Ordinary || self.begins.has(at)) {
            return u64::MAX;
        }
        let own = match self.threads[at].running {
            Running::Nothing => 0,
            Running::Ordinary => 1,
            Running::Real(pid) => self.rank_of(pid),
            Running::Stranger => u64::MAX,
        };
        let first = || self.threads[at].waiting.peek().map_or(1, |(_, pid)| self.rank_of(pid));
        own.max(if self.begins.has(at) { first() } else { 0 })
    }

    fn rank_of(&self, pid: Pid) -> u64 {
        2 + u64::from(self.entities[pid.i()].priority.unwrap_or(0))
    }

    fn may_run(&self, pid: Pid, at: usize) -> bool {
        self.entities[pid.i()].allowed.as_ref().is_none_or(|a| a.has(at))
    }

    /// Brings a thread's use of real time up to now; a period that ends takes its `rt_runtime` off what was used.
    fn charge(&mut self, at: usize, now: Ns) {
        let thread = &mut self.threads[at];
        let real = match thread.running {
            Running::Real(pid) => Some(pid),
            _ => None,
        };
        if let Some(pid) = real {
            let entity = &mut self.entities[pid.i()];
            if entity.quantum != Ns::MAX {
                entity.left = entity.left.minus(now - thread.charged);
            }
        }
        if real.is_some() {
            thread.ran += now - thread.charged;
        }
        if let Some(period) = self.limit {
            while thread.period_end <= now {
                if real.is_some() {
                    thread.used += thread.period_end - thread.charged;
                }
                thread.used = thread.used.minus(thread.runtime);
                thread.is_throttled &= thread.used >= thread.runtime;
                thread.charged = thread.period_end;
                thread.period_end += period;
            }
            if real.is_some() {
                thread.used += now - thread.charged;
            }
        }
        thread.charged = now;
    }

    fn enqueue(&mut self, at: usize, pid: Pid, is_first: bool) {
        self.order += 1;
        let order = if is_first { MIDDLE - self.order } else { MIDDLE + self.order };
        let urgency = FARTHEST - self.rank_of(pid);
        self.threads[at].waiting.push(urgency << ORDER_BITS | order, pid);
        self.waiting += 1;
    }

    /// A real-time process leaves its thread: pre-empted or throttled it stays first of its priority, expired it
    /// becomes last.
    fn leave(&mut self, at: usize, ended: Ended) {
        self.threads[at].running = Running::Nothing;
        let entity = &mut self.entities[ended.pid.i()];
        let is_expired = ended.why == Why::SliceExpired && entity.left == Ns::ZERO;
        if is_expired {
            entity.left = entity.quantum;
        }
        if ended.why != Why::Blocked {
            self.enqueue(at, ended.pid, !is_expired);
        }
    }

    /// The first of a thread's queue that may run on another.
    fn first_for(&self, from: usize, to: usize) -> Option<(u64, Pid)> {
        let may_go = |pid: Pid| self.may_run(pid, to) && !self.is_about_to_run(from, pid);
        let (key, pid) = self.threads[from].waiting.peek()?;
        if may_go(pid) {
            return Some((key, pid));
        }
        self.threads[from].waiting.iter().filter(|e| may_go(e.1)).min_by_key(|e| e.0).copied()
    }

    /// Takes the real-time process to run: the first of this queue, unless one of greater priority waits at another
    /// thread.
    fn choose(&mut self, at: usize) -> Option<Pid> {
        if self.waiting == 0 || !self.has_time(at) {
            return None;
        }
        let mut best = self.threads[at].waiting.peek().map(|(key, pid)| (key, pid, at));
        let own = self.threads[at].waiting.min_key() >> ORDER_BITS;
        // Before the greatest of all nobody comes.
        if self.waiting > self.threads[at].waiting.len() && own > FARTHEST - self.greatest {
            // Nobody waits at a thread more urgently than the first of its queue.
            let more_urgent = |t: usize| self.threads[t].waiting.min_key() >> ORDER_BITS < own;
            let others =
                (0..self.threads.len()).filter(|&t| t != at && more_urgent(t) && !self.threads[t].is_throttled);
            let first = others.filter_map(|t| self.first_for(t, at).map(|(key, pid)| (key, pid, t))).min();
            best = first.filter(|f| f.0 >> ORDER_BITS < own).or(best);
        }
        let (_, pid, from) = best?;
        if from == at {
            self.threads[at].waiting.pop();
        } else {
            self.threads[from].waiting.remove_min_where(|entry| entry.1 == pid);
        }
        self.waiting -= 1;
        Some(pid)
    }

    fn start(&mut self, at: usize, pid: Pid, now: Ns) -> Next {
        self.account(at, true, now);
        self.runs(at, Running::Real(pid));
        Next { pid, until: self.end(at, pid, now) }
    }

    /// The tick on which the stay of a real-time process ends: its quantum is over, or the thread has used its real
    /// time.
    fn end(&self, at: usize, pid: Pid, now: Ns) -> Ns {
        let thread = &self.threads[at];
        let mut end = now.plus(self.entities[pid.i()].left);
        if self.limit.is_some() {
            let used_up = now + thread.runtime.minus(thread.used);
            end = end.min(if used_up < thread.period_end { used_up } else { thread.period_end + thread.runtime });
        }
        let end = end.ceil_to(self.tick);
        let due = thread.server.as_deref().map_or(Ns::MAX, Server::due).max(Ns(now.0 + 1));
        due.min(if end > now { end } else { now.next_tick(self.tick) })
    }
}

impl RunQueue for RealTime {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        if !self.is_real(pid) {
            return self.wake_ordinary(at, pid, now);
        }
        self.charge(at, now);
        self.account(at, true, now);
        if self.scheduler == Scheduler::Solaris {
            // A sleep gives a whole quantum (`rt_wakeup`); on Linux what is left lasts.
            self.entities[pid.i()].left = self.entities[pid.i()].quantum;
        }
        self.enqueue(at, pid, false);
        let is_greater = self.rank(at) > 0 && self.rank_of(pid) > self.rank(at);
        match self.threads[at].running {
            _ if is_greater && !self.threads[at].is_throttled => Preempt::Now,
            Running::Ordinary if self.serves(at) => Preempt::Until(self.until(at, now)),
            _ => Preempt::No,
        }
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        self.catch_up(at, now);
        self.borrow_time(at, now);
        self.threads[at].is_throttled = !self.has_time(at);
        let mut ordinary = ended.filter(|e| !self.is_real(e.pid));
        if let (Some(ended), None) = (ended, ordinary) {
            self.leave(at, ended);
        }
        self.attend(at, now);
        if self.serves(at) {
            let next = self.turn_served(at, ordinary.take(), now);
            if next.is_some() || self.waiting == 0 {
                return next;
            }
        }
        if let Some(pid) = self.choose(at) {
            if let Some(ended) = ordinary {
                self.inner.put(at, ended, now);
            }
            return Some(self.start(at, pid, now));
        }
        let next = self.inner.turn(at, ordinary, now);
        self.runs(at, if next.is_some() { Running::Ordinary } else { Running::Nothing });
        next
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.account(at, true, now);
        if self.is_real(ended.pid) {
            self.leave(at, ended);
        } else {
            self.inner.put(at, ended, now);
        }
        self.runs(at, Running::Stranger);
    }

    fn waiting(&self, at: usize) -> usize {
        self.threads[at].waiting.len() + self.inner.waiting(at)
    }

    /// Real-time processes move when threads turn; here the others do.
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        self.inner.pull(to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        self.inner.level(now, masks)
    }

    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.account(at, false, now);
        self.attend(at, now);
        match self.threads[at].running {
            Running::Real(pid) => self.end(at, pid, now),
            _ => self.inner.until(at, now).min(self.served_until(at, now)),
        }
    }

    fn next_periodic(&self, now: Ns) -> Ns {
        let refill = self.limit.map_or(Ns::MAX, |period| now.next_tick(period));
        refill.min(self.inner.next_periodic(now))
    }

    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        (0..self.threads.len()).for_each(|at| self.charge(at, now));
        let mut looks = Vec::new();
        if now >= self.inner_due {
            looks = self.inner.periodic(now);
            looks.retain(|&at| !matches!(self.threads[at].running, Running::Real(_)));
            self.inner_due = self.inner.next_periodic(now);
        }
        let lifted = |&at: &usize| {
            let first = self.threads[at].waiting.peek();
            self.has_time(at) && first.is_some_and(|(_, pid)| self.rank_of(pid) > self.rank(at))
        };
        looks.extend((0..self.threads.len()).filter(lifted));
        sort_and_dedup(&mut looks);
        looks
    }

    fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so);
        self.inner.begin(at, is_so && (self.threads[at].waiting.is_empty() || self.serves(at)));
    }

    fn kept(&self, pid: Pid) -> Option<usize> {
        if self.is_real(pid) {
            return None;
        }
        self.inner.kept(pid)
    }

    fn weakest(&self, pid: Pid, last: usize, _masks: &Masks) -> Option<usize> {
        if !self.is_real(pid) {
            return None;
        }
        if self.may_run(pid, last) && self.rank(last) < self.rank_of(pid) && !self.runs_bound(last) {
            return Some(last);
        }
        self.least_for(pid, last).or(self.may_run(pid, last).then_some(last))
    }

    fn push(&mut self, now: Ns) -> Option<usize> {
        let pushed = if self.is_settled() { None } else { self.push_one(now) };
        pushed.or_else(|| self.lifted(now))
    }
}
