//! The three decisions of a scheduler: who runs next ([`RunQueue`]), where a woken process goes
//! ([`super::placement`]), and what moves between threads ([`super::balance`]).
use super::aix::Aix;
use super::balance::{loads::Ran, Fair};
use super::cfs::{self, Cfs};
use super::eevdf::{self, Eevdf};
use super::masks::Masks;
use super::o1::O1;
use super::queue::SharedQueue;
use super::quota::Quota;
use super::realtime::RealTime;
use super::solaris::Solaris;
use crate::config::{CgroupConfig, KindConfig, NodeConfig, Scheduler};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::time::Ns;

/// Why a process left its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Its slice is over.
    SliceExpired,
    /// A woken process takes its place.
    Preempted,
    /// It waits for something.
    Blocked,
}

/// The end of a stay on a thread.
#[derive(Clone, Copy, Debug)]
pub struct Ended {
    /// Who ran.
    pub pid: Pid,
    /// Why it stopped.
    pub why: Why,
}

/// Who runs next and until when, already rounded up to the tick; [`Ns::MAX`]: until something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Next {
    /// Who.
    pub pid: Pid,
    /// End of the slice.
    pub until: Ns,
}

/// What a wake-up does to the process now running on that thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preempt {
    /// It gives way at once.
    Now,
    /// Its slice ends at this moment now.
    Until(Ns),
    /// Nothing.
    No,
}

/// The run queues of one host. Threads are counted from 0 within the host.
pub trait RunQueue {
    /// Queues a process at a thread.
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt;
    /// Ends a stay, if one ended, and picks the next of this thread's queue: charge, requeue, pick and next expiry in
    /// one call. Never called on a thread that runs something with `ended` = `None`.
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next>;
    /// Ends a stay without picking: the thread goes to somebody whom this queue does not know.
    fn put(&mut self, at: usize, ended: Ended, now: Ns);
    /// Processes waiting at a thread.
    fn waiting(&self, at: usize) -> usize;
    /// Takes one process that may move from the longest queue among `from` to the queue of `to`.
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool;
    /// Moves waiting processes from long to short queues; answers the threads that received one.
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize>;
    /// The end of the running slice after its queue changed.
    fn until(&mut self, at: usize, now: Ns) -> Ns;
    /// When this policy next wants [`RunQueue::periodic`]; [`Ns::MAX`]: never.
    fn next_periodic(&self, _now: Ns) -> Ns {
        Ns::MAX
    }
    /// Recalculates what is recalculated at intervals; answers the threads that must look at their queues anew.
    fn periodic(&mut self, _now: Ns) -> Vec<usize> {
        Vec::new()
    }
    /// Whether a thread is on its way to run the first of its queue: nobody takes him elsewhere.
    fn begin(&mut self, _at: usize, _is_so: bool) {}
    /// With no thread idle: the thread at which a woken process would run soonest, where the policy looks for one.
    fn weakest(&self, _pid: Pid, _last: usize, _masks: &Masks) -> Option<usize> {
        None
    }
    /// The thread in whose queue a process still is although it blocked; woken, it goes on there.
    fn kept(&self, _pid: Pid) -> Option<usize> {
        None
    }
    /// After turns: moves a waiting process that may not wait there to a thread that runs something lesser, and answers
    /// that thread, or one at which somebody no longer waits for a quota. It must then turn at once (with
    /// [`Why::Preempted`] if it runs something), and the question is asked again.
    fn push(&mut self, _now: Ns) -> Option<usize> {
        None
    }
}

/// One of the policies; a match instead of a table of functions, because this is the hot path.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Linux CFS.
    Cfs(Cfs),
    /// The same with control groups.
    CfsGroups(Box<cfs::Nested>),
    /// Linux EEVDF.
    Eevdf(Eevdf),
    /// The same with control groups.
    EevdfGroups(Box<eevdf::Nested>),
    /// Linux O(1).
    O1(O1),
    /// AIX.
    Aix(Aix),
    /// Solaris TS, IA and FX.
    Solaris(Solaris),
    /// First come, first served, with or without a quantum.
    Shared(SharedQueue),
    /// `cpu.max` over CFS or EEVDF, where a group has it.
    Quota(Box<Quota>),
    /// Real-time classes over any of the others, where a process kind is in one.
    RealTime(Box<RealTime>),
}

impl Policy {
    /// The policy a host asks for. Processor sharing has no queue; it is a [`super::fluid::Fluid`].
    /// `groups`: the control group of each instance of the whole configuration that runs on this host.
    /// `has_real_time`: some process of the host is in a real-time class.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>], has_real_time: bool) -> Policy {
        let ordinary = Policy::ordinary(config, groups);
        if has_real_time {
            return Policy::RealTime(Box::new(RealTime::new(config, ordinary)));
        }
        ordinary
    }

    fn ordinary(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Policy {
        let threads = config.threads();
        let limited = |policy| match Quota::is_needed(groups) {
            true => Policy::Quota(Box::new(Quota::new(config, groups, policy))),
            false => policy,
        };
        match config.scheduler {
            Scheduler::Cfs if groups.iter().any(Option::is_some) => {
                limited(Policy::CfsGroups(Box::new(cfs::Nested::new(config, groups))))
            }
            Scheduler::Cfs => Policy::Cfs(Cfs::new(config)),
            Scheduler::Eevdf if groups.iter().any(Option::is_some) => {
                limited(Policy::EevdfGroups(Box::new(eevdf::Nested::new(config, groups))))
            }
            Scheduler::Eevdf => Policy::Eevdf(Eevdf::new(config)),
            Scheduler::RoundRobin => Policy::Shared(SharedQueue::new(threads, config.round_robin_quantum)),
            Scheduler::O1 => Policy::O1(O1::new(config)),
            Scheduler::Aix => Policy::Aix(Aix::new(config)),
            Scheduler::Solaris => Policy::Solaris(Solaris::new(config)),
            Scheduler::Fifo | Scheduler::ProcessorSharing => Policy::Shared(SharedQueue::new(threads, Ns::MAX)),
        }
    }

    /// Tells the policy about a process before its first wake-up: its class, its instance if that is a control group's,
    /// and where it may run (so its mask is assigned first).
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>, masks: &Masks) {
        match self {
            Policy::Cfs(p) => p.admit(pid, kind),
            Policy::Eevdf(p) => {
                p.admit(pid, kind.nice);
                p.batch.note(pid, kind.class);
                p.ask(pid, kind.slice);
            }
            Policy::CfsGroups(p) => p.admit(pid, kind, group),
            Policy::EevdfGroups(p) => p.admit(pid, kind, group),
            Policy::O1(p) => p.admit(pid, kind.nice),
            Policy::Aix(p) => p.admit(pid, kind),
            Policy::Solaris(p) => p.admit(pid, kind, masks),
            Policy::Shared(_) => {}
            Policy::Quota(p) => p.admit(pid, kind, group, masks),
            Policy::RealTime(p) => p.admit(pid, kind, group, masks),
        }
    }

    /// Whether a quota or a limit of real time may hold ready processes back.
    pub fn has_limits(&self) -> bool {
        match self {
            Policy::Quota(_) => true,
            Policy::RealTime(layer) => layer.has_limits(),
            _ => false,
        }
    }

    /// Visits the ready processes that such a limit holds back.
    pub fn held_back(&self, visit: &mut dyn FnMut(Pid)) {
        match self {
            Policy::Quota(layer) => layer.held_back(visit),
            Policy::RealTime(layer) => layer.held_back(visit),
            _ => {}
        }
    }

    /// Whether the quota of a control group is used up.
    pub fn is_spent(&self, group: usize) -> bool {
        match self {
            Policy::Quota(layer) => layer.is_spent(group),
            Policy::RealTime(layer) => layer.is_spent(group),
            _ => false,
        }
    }

    /// Periods of quotas that ended since that was told last, as [`Quota::take_periods`] has them.
    pub fn take_periods(&mut self) -> [u64; 2] {
        match self {
            Policy::Quota(layer) => layer.take_periods(),
            Policy::RealTime(layer) => layer.below_mut().take_periods(),
            _ => [0; 2],
        }
    }

    /// Whether a process's control group is throttled at a thread.
    pub fn is_throttled(&self, pid: Pid, at: usize) -> bool {
        match self {
            Policy::Quota(layer) => layer.is_throttled(pid, at),
            Policy::RealTime(layer) => layer.below().is_throttled(pid, at),
            _ => false,
        }
    }

    /// When the time that threads gave back to a quota will be handed out, if that was not told before: then
    /// [`RunQueue::push`] is asked.
    pub fn take_due(&mut self) -> Option<Ns> {
        match self {
            Policy::Quota(layer) => layer.take_due(),
            Policy::RealTime(layer) => layer.below_mut().take_due(),
            _ => None,
        }
    }

    /// The fair queues, where there are any, under whatever lies over them.
    pub fn fair(&self) -> Option<&dyn Fair> {
        match self {
            Policy::Cfs(p) => Some(p),
            Policy::Eevdf(p) => Some(p),
            Policy::CfsGroups(p) => Some(p.as_ref()),
            Policy::EevdfGroups(p) => Some(p.as_ref()),
            Policy::Quota(layer) => layer.below().fair(),
            Policy::RealTime(layer) => layer.below().fair(),
            _ => None,
        }
    }

    /// How many ordinary processes run or wait at a thread, and how many of all wait: at one look.
    #[inline]
    pub fn counts(&self, at: usize) -> (u32, u32) {
        let (fair, waiting) = match self {
            // That of most hosts, without asking twice what it is.
            Policy::Cfs(p) => (Fair::runnable(p, at), p.waiting(at)),
            policy => (policy.fair().map_or(0, |fair| fair.runnable(at)), policy.waiting(at)),
        };
        (fair as u32, waiting as u32)
    }

    /// The same, to be changed.
    pub fn fair_mut(&mut self) -> Option<&mut dyn Fair> {
        match self {
            Policy::Cfs(p) => Some(p),
            Policy::Eevdf(p) => Some(p),
            Policy::CfsGroups(p) => Some(p.as_mut()),
            Policy::EevdfGroups(p) => Some(p.as_mut()),
            Policy::Quota(layer) => layer.below_mut().fair_mut(),
            Policy::RealTime(layer) => layer.below_mut().fair_mut(),
            _ => None,
        }
    }

    /// The queues of Solaris, where there are any, under whatever lies over them.
    pub fn solaris_mut(&mut self) -> Option<&mut Solaris> {
        match self {
            Policy::Solaris(p) => Some(p),
            Policy::RealTime(layer) => layer.below_mut().solaris_mut(),
            _ => None,
        }
    }

    /// The queues of O(1), where there are any, under whatever lies over them.
    pub fn o1(&self) -> Option<&O1> {
        match self {
            Policy::O1(p) => Some(p),
            Policy::RealTime(layer) => layer.below().o1(),
            _ => None,
        }
    }

    /// The same, to be changed.
    pub fn o1_mut(&mut self) -> Option<&mut O1> {
        match self {
            Policy::O1(p) => Some(p),
            Policy::RealTime(layer) => layer.below_mut().o1_mut(),
            _ => None,
        }
    }

    /// Visits the priorities of those in real time at a thread, and whether that one runs.
    pub fn each_real_on(&self, at: usize, visit: &mut dyn FnMut(u32, bool)) {
        if let Policy::RealTime(layer) = self {
            layer.each_on(at, visit);
        }
    }

    /// How long a thread has run real time so far; where it ran anything for so long in all, the rest were ordinary
    /// processes.
    pub fn ran(&self, at: usize, all: u64, now: Ns) -> Ran {
        let real = match self {
            Policy::RealTime(layer) => layer.ran(at, now).min(all),
            _ => 0,
        };
        Ran { fair: all - real, real }
    }

    /// Whether each thread has a queue of its own, so that balancing has something to do.
    pub fn has_queue_per_thread(&self) -> bool {
        match self {
            Policy::Shared(_) => false,
            Policy::RealTime(layer) => layer.has_queue_per_thread(),
            _ => true,
        }
    }
}

macro_rules! each {
    ($self:ident, $p:ident => $call:expr) => {
        match $self {
            Policy::Cfs($p) => $call,
            Policy::Eevdf($p) => $call,
            Policy::CfsGroups($p) => $call,
            Policy::EevdfGroups($p) => $call,
            Policy::O1($p) => $call,
            Policy::Aix($p) => $call,
            Policy::Solaris($p) => $call,
            Policy::Shared($p) => $call,
            Policy::Quota($p) => $call,
            Policy::RealTime($p) => $call,
        }
    };
}

impl Policy {
    /// What is done each second is done first at this moment, where the operating system does such things.
    pub fn begin_clock(&mut self, first: Ns, ago: &mut dyn FnMut() -> Ns) {
        match self {
            Policy::Aix(aix) => aix.begin_clock(first),
            Policy::Solaris(solaris) => solaris.begin_clock(first),
            Policy::Quota(layer) => layer.begin_periods(ago),
            Policy::RealTime(outer) => outer.begin_clock(first, ago),
            _ => {}
        }
    }

    /// When a thread next sees that a better process waits for it which was woken elsewhere. `None`: at once.
    pub fn sees(&self, pid: Pid, now: Ns) -> Option<Ns> {
        match self {
            Policy::Aix(aix) => aix.sees(pid, now),
            Policy::RealTime(outer) => outer.sees(pid, now),
            _ => None,
        }
    }

    /// Whether [`RunQueue::push`] or [`Policy::take_due`] may have an answer: for most events they have none.
    #[inline]
    pub fn may_push(&self) -> bool {
        match self {
            Policy::Quota(_) => true,
            Policy::Solaris(p) => p.may_push(),
            Policy::RealTime(layer) => layer.may_push(),
            _ => false,
        }
    }

    /// When an idle thread may take somebody who waits and whom it may not take yet, if that is known.
    pub fn ripens(&self, now: Ns) -> Option<Ns> {
        match self {
            Policy::Solaris(p) => p.ripens(now),
            Policy::RealTime(layer) => layer.below().ripens(now),
            _ => None,
        }
    }

    /// As [`RunQueue::turn`] at the end of a slice, without a call where there is one queue: most events pass through.
    #[inline(always)]
    pub fn turn_here(&mut self, at: usize, pid: Pid, now: Ns) -> Option<Next> {
        match self {
            Policy::Shared(queue) => Some(queue.expired(pid, now)),
            policy => policy.turn(at, Some(Ended { pid, why: Why::SliceExpired }), now),
        }
    }
}

impl RunQueue for Policy {
    #[inline]
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        each!(self, p => p.wake(at, pid, now))
    }
    #[inline(never)]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        each!(self, p => p.turn(at, ended, now))
    }
    fn waiting(&self, at: usize) -> usize {
        each!(self, p => p.waiting(at))
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        each!(self, p => p.put(at, ended, now))
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        match self {
            Policy::Cfs(_) | Policy::CfsGroups(_) | Policy::Eevdf(_) | Policy::EevdfGroups(_) | Policy::O1(_) => false,
            policy => each!(policy, p => p.pull(to, from, now, masks)),
        }
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        match self {
            Policy::Cfs(_) | Policy::CfsGroups(_) | Policy::Eevdf(_) | Policy::EevdfGroups(_) | Policy::O1(_) => {
                Vec::new()
            }
            policy => each!(policy, p => p.level(now, masks)),
        }
    }
    fn next_periodic(&self, now: Ns) -> Ns {
        each!(self, p => p.next_periodic(now))
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        each!(self, p => p.periodic(now))
    }
    fn weakest(&self, pid: Pid, last: usize, masks: &Masks) -> Option<usize> {
        each!(self, p => p.weakest(pid, last, masks))
    }
    #[inline]
    fn kept(&self, pid: Pid) -> Option<usize> {
        each!(self, p => p.kept(pid))
    }
    fn begin(&mut self, at: usize, is_so: bool) {
        each!(self, p => p.begin(at, is_so))
    }
    fn push(&mut self, now: Ns) -> Option<usize> {
        each!(self, p => p.push(now))
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        each!(self, p => p.until(at, now))
    }
}
