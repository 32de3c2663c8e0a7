//! What is asked of the layer as a whole, and of the policy below.
use super::{RealTime, Running, Thread, FARTHEST, ORDER_BITS};
use crate::host::policy::{Policy, RunQueue};
use crate::ids::Pid;
use wwi_kernel::time::Ns;

impl RealTime {
    /// The policy below.
    pub fn below(&self) -> &Policy {
        &self.inner
    }

    /// The same, to be changed.
    pub fn below_mut(&mut self) -> &mut Policy {
        &mut self.inner
    }

    /// Whether the policy below has a queue for each thread.
    pub fn has_queue_per_thread(&self) -> bool {
        self.inner.has_queue_per_thread()
    }

    /// As [`Policy::begin_clock`].
    pub fn begin_clock(&mut self, first: Ns, ago: &mut dyn FnMut() -> Ns) {
        self.inner.begin_clock(first, ago);
        self.inner_due = self.inner.next_periodic(Ns::ZERO);
    }

    /// As [`Policy::sees`]. With a real-time kernel no thread is blind to real time.
    pub fn sees(&self, pid: Pid, now: Ns) -> Option<Ns> {
        if self.pushes && self.is_real(pid) {
            return None;
        }
        self.inner.sees(pid, now)
    }

    /// Nobody waits who could run elsewhere: after most turns everybody runs what nobody is greater than.
    #[inline]
    pub(super) fn is_settled(&self) -> bool {
        self.waiting == 0 || !self.pushes || self.limit.is_none() && self.lesser.is_empty()
    }

    /// As [`Policy::may_push`].
    #[inline]
    pub fn may_push(&self) -> bool {
        !self.is_settled() || self.inner.may_push()
    }

    /// Whether a thread is about to run this one, the first of its queue.
    pub(super) fn is_about_to_run(&self, at: usize, pid: Pid) -> bool {
        self.begins.has(at)
            && !self.serves(at)
            && self.threads[at].waiting.peek().is_some_and(|(_, first)| first == pid)
    }

    /// The policy below has somebody to run at a thread that does not run real time.
    pub(super) fn lifted(&mut self, now: Ns) -> Option<usize> {
        while let Some(at) = self.inner.push(now) {
            if !matches!(self.threads[at].running, Running::Real(_)) {
                return Some(at);
            }
        }
        None
    }

    /// A real-time process that waits goes to the thread that runs the least, if that is less than it.
    pub(super) fn push_one(&mut self, now: Ns) -> Option<usize> {
        if self.limit.is_some() {
            (0..self.threads.len()).for_each(|at| self.charge(at, now));
        }
        let lowest = (0..self.threads.len()).filter(|&t| self.has_time(t)).map(|t| self.rank(t)).min()?;
        // Nobody in a queue is greater than its first.
        let first_rank = |thread: &Thread| FARTHEST - (thread.waiting.min_key() >> ORDER_BITS);
        let open = |thread: &Thread| !thread.waiting.is_empty() && first_rank(thread) > lowest && !thread.is_throttled;
        let queues = self.threads.iter().enumerate().filter(|(_, thread)| open(thread));
        let waiting = queues.flat_map(|(at, thread)| thread.waiting.iter().map(move |&(key, pid)| (key, pid, at)));
        let is_greater = |pid: Pid, at: usize| self.rank_of(pid) > lowest && !self.is_about_to_run(at, pid);
        let greater = waiting.filter(|&(_, pid, at)| is_greater(pid, at));
        let movable = greater.filter_map(|(key, pid, at)| self.least_for(pid, at).map(|to| (key, pid, at, to)));
        let (_, pid, from, to) = movable.min()?;
        let (key, _) = self.threads[from].waiting.remove_min_where(|entry| entry.1 == pid)?;
        self.threads[to].waiting.push(key, pid);
        Some(to)
    }

    /// The thread that runs the least, less than this process, with real time left; of equals the first from where it
    /// waits. Linux does not tell an idle thread from one that runs something ordinary (`cpupri`): it takes the nearest
    /// (`find_lowest_rq`).
    pub(super) fn least_for(&self, pid: Pid, from: usize) -> Option<usize> {
        let threads = self.threads.len();
        let round = (0..threads).map(|step| (from + step) % threads);
        let open = round.filter(|&t| self.has_time(t) && self.may_run(pid, t) && self.rank(t) < self.rank_of(pid));
        open.min_by_key(|&t| match self.near {
            Some(spans) => (self.rank(t).max(1), spans.iter().filter(|&&span| t / span != from / span).count()),
            None => (self.rank(t), 0),
        })
    }

    /// Linux: somebody runs there in real time who can run nowhere else; he is left alone where another thread does
    /// (`select_task_rq_rt`).
    pub(super) fn runs_bound(&self, at: usize) -> bool {
        let Running::Real(pid) = self.threads[at].running else { return false };
        let allowed = self.entities[pid.i()].allowed.as_ref();
        self.near.is_some() && allowed.is_some_and(|of| of.len() == 1)
    }

    /// There is a process of this rank.
    pub(super) fn note_rank(&mut self, rank: u64) {
        if rank > self.greatest {
            self.greatest = rank;
            (0..self.threads.len()).for_each(|at| self.runs(at, self.threads[at].running));
        }
    }

    /// What a thread runs from now on.
    #[inline]
    pub(super) fn runs(&mut self, at: usize, running: Running) {
        let is_lesser = match running {
            Running::Nothing | Running::Ordinary => true,
            Running::Real(pid) => self.rank_of(pid) < self.greatest,
            Running::Stranger => false,
        };
        self.lesser.set(at, is_lesser);
        if let Some(solaris) = self.inner.solaris_mut() {
            solaris.note_real(at, matches!(running, Running::Real(_)));
        }
        self.threads[at].running = running;
    }

    /// Visits the priorities of those in real time at a thread, and whether that one runs.
    pub fn each_on(&self, at: usize, visit: &mut dyn FnMut(u32, bool)) {
        let priority = |pid: Pid| self.entities[pid.i()].priority.unwrap_or(0);
        self.threads[at].waiting.iter().for_each(|&(_, pid)| visit(priority(pid), false));
        if let Running::Real(pid) = self.threads[at].running {
            visit(priority(pid), true);
        }
    }

    /// How long a thread has run real time so far \[ns\].
    pub fn ran(&self, at: usize, now: Ns) -> u64 {
        let thread = &self.threads[at];
        let more = if matches!(thread.running, Running::Real(_)) { now - thread.charged } else { Ns::ZERO };
        (thread.ran + more).0
    }

    /// Whether it limits real time, or the policy below anything.
    pub fn has_limits(&self) -> bool {
        self.limit.is_some() || self.inner.has_limits()
    }

    /// Visits the ready processes that wait where real time is used up, and those that the policy below holds back.
    pub fn held_back(&self, visit: &mut dyn FnMut(Pid)) {
        for at in (0..self.threads.len()).filter(|&at| !self.has_time(at)) {
            self.threads[at].waiting.iter().for_each(|&(_, pid)| visit(pid));
        }
        self.inner.held_back(visit);
    }

    /// Whether a quota of the policy below is used up.
    pub fn is_spent(&self, group: usize) -> bool {
        self.inner.is_spent(group)
    }
}
