//! The three decisions of a scheduler: who runs next ([`RunQueue`]), where a woken process goes
//! ([`super::placement`]), and what moves between threads ([`super::balance`]).
use super::cfs::Cfs;
use super::eevdf::Eevdf;
use super::queue::SharedQueue;
use crate::config::{NodeConfig, Scheduler};
use crate::ids::Pid;
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
    /// Ends a stay, if one ended, and picks the next: charge, requeue, pick and next expiry in one call.
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next>;
    /// Processes waiting at a thread.
    fn waiting(&self, at: usize) -> usize;
    /// Moves waiting processes from long to short queues; answers the threads that received one.
    fn level(&mut self, now: Ns) -> Vec<usize>;
    /// The end of the running slice after its queue changed.
    fn until(&mut self, at: usize, now: Ns) -> Ns;
}

/// One of the policies; a match instead of a table of functions, because this is the hot path.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Linux CFS.
    Cfs(Cfs),
    /// Linux EEVDF.
    Eevdf(Eevdf),
    /// First come, first served, with or without a quantum.
    Shared(SharedQueue),
}

impl Policy {
    /// The policy a host asks for. Processor sharing has no queue; it is a [`super::fluid::Fluid`].
    pub fn new(config: &NodeConfig) -> Policy {
        let threads = config.threads();
        match config.scheduler {
            Scheduler::Cfs => Policy::Cfs(Cfs::new(config)),
            Scheduler::Eevdf => Policy::Eevdf(Eevdf::new(config)),
            Scheduler::RoundRobin => Policy::Shared(SharedQueue::new(threads, config.round_robin_quantum)),
            Scheduler::Fifo | Scheduler::ProcessorSharing => Policy::Shared(SharedQueue::new(threads, Ns::MAX)),
        }
    }

    /// Tells the policy about a process before its first wake-up.
    pub fn admit(&mut self, pid: Pid, nice: i32) {
        match self {
            Policy::Cfs(p) => p.admit(pid, nice),
            Policy::Eevdf(p) => p.admit(pid, nice),
            Policy::Shared(_) => {}
        }
    }

    /// Whether each thread has a queue of its own, so that balancing has something to do.
    pub fn has_queue_per_thread(&self) -> bool {
        !matches!(self, Policy::Shared(_))
    }
}

macro_rules! each {
    ($self:ident, $p:ident => $call:expr) => {
        match $self {
            Policy::Cfs($p) => $call,
            Policy::Eevdf($p) => $call,
            Policy::Shared($p) => $call,
        }
    };
}

impl RunQueue for Policy {
    #[inline]
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        each!(self, p => p.wake(at, pid, now))
    }
    #[inline]
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        each!(self, p => p.turn(at, ended, now))
    }
    fn waiting(&self, at: usize) -> usize {
        each!(self, p => p.waiting(at))
    }
    fn level(&mut self, now: Ns) -> Vec<usize> {
        each!(self, p => p.level(now))
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        each!(self, p => p.until(at, now))
    }
}
