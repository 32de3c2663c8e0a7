//! Which processes of a queue move (`detach_tasks`, `can_migrate_task`, `task_hot` of `fair.c`, Linux 6.6).
//!
//! The queue's list has at its head whoever was picked or queued last. It is gone through from the tail; who is passed
//! over goes to the head.
use super::busiest::What;
use super::groups::Puller;
use super::Queues;
use crate::config::EevdfGeneration;
use crate::ids::Pid;

/// Processes looked at in one balance, at most (`sysctl_sched_nr_migrate`).
pub const MOST_LOOKED_AT: u32 = 32;

/// A process of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Who.
    pub pid: Pid,
    /// His load (`task_h_load`).
    pub load: u64,
    /// His utilisation (`task_util_est`).
    pub util: u64,
    /// He ran so lately that his cache counts.
    pub is_hot: bool,
    /// He runs.
    pub is_running: bool,
    /// He sleeps, and is queued until his debt is worked off.
    pub is_delayed: bool,
    /// He is owed time.
    pub is_owed: bool,
}

/// A way through a queue.
#[derive(Clone, Debug)]
pub struct Detach {
    /// The queue, the tail first; behind it those who were passed over, in this order.
    pub list: Vec<Candidate>,
    /// How many of them have been looked at.
    pub looked: usize,
    /// Processes of the queue, real time included.
    pub running: u32,
    /// Processes to look at, at most.
    pub most: u32,
    /// What is evened out.
    pub what: What,
    /// How much of it is left to move.
    pub amount: i64,
    /// Failures so far.
    pub failed: u32,
    /// Failures up to which the hot stay.
    pub tries: u32,
    /// Who takes.
    pub puller: Puller,
    /// Who was looked at was bound elsewhere, each of them.
    pub all_pinned: bool,
    /// One of them was.
    pub some_pinned: bool,
    /// Another CPU of the puller's group, where one of them may run.
    pub elsewhere: Option<usize>,
    /// Who was passed over, in this order.
    pub passed: Vec<Pid>,
    /// Whose rules hold for the delayed and for those who are owed nothing.
    pub generation: EevdfGeneration,
    /// As Linux 3.14 does it (`move_tasks`): as many as wanted, by half their load, whatever failed.
    pub by_load: bool,
}

impl Detach {
    /// Who moves from one CPU to another. `others`: CPUs of the puller's group.
    pub fn take(
        &mut self,
        others: impl Iterator<Item = usize> + Clone,
        (from, to): (usize, usize),
        queues: &dyn Queues,
    ) -> Vec<Pid> {
        let mut taken = Vec::new();
        if self.running <= 1 && !self.by_load {
            self.all_pinned = false;
            return taken;
        }
        let mut left = self.most;
        let keeps_one = self.puller.has_nothing() && !self.by_load;
        while self.amount > 0 && left > 0 && !(keeps_one && self.running <= 1) {
            let Some(&candidate) = self.list.get(self.looked) else { break };
            self.looked += 1;
            left -= 1;
            let Candidate { pid, .. } = candidate;
            let is_throttled = || queues.is_throttled(pid, from) || queues.is_throttled(pid, to);
            if self.is_left(&candidate, to, queues) || is_throttled() {
                // That says nothing of where he is bound.
            } else if !queues.allows(pid, to) {
                self.some_pinned = true;
                if self.puller != Puller::NewlyIdle && self.elsewhere.is_none() {
                    self.elsewhere = others.clone().find(|&cpu| queues.allows(pid, cpu));
                }
            } else {
                self.all_pinned = false;
                if self.moves(&candidate) {
                    taken.push(pid);
                    self.running -= 1;
                    if self.puller == Puller::NewlyIdle && !self.by_load {
                        break;
                    }
                    continue;
                }
            }
            self.passed.push(pid);
            self.list.push(candidate);
        }
        taken
    }

    /// Whether one is left where he is before it is asked where he may go, since 6.14: the delayed, but for loads, and,
    /// at a first try, who is owed nothing where he would have to share.
    fn is_left(&self, candidate: &Candidate, to: usize, queues: &dyn Queues) -> bool {
        if self.generation != EevdfGeneration::Linux618 {
            return false;
        }
        let is_idler = candidate.is_delayed && self.what != What::Load;
        is_idler || self.failed == 0 && !candidate.is_owed && queues.has_peers(candidate.pid, to)
    }

    /// Whether one who may go does; takes him off what is to move.
    fn moves(&mut self, candidate: &Candidate) -> bool {
        if candidate.is_running || candidate.is_hot && self.failed <= self.tries {
            return false;
        }
        if self.by_load {
            let is_small = (candidate.load / 2) as i64 <= self.amount;
            self.amount -= if is_small { candidate.load as i64 } else { 0 };
            return is_small;
        }
        let shrunk = |amount: u64| (amount >> self.failed.min(63)) as i64;
        let size = match self.what {
            What::Load => candidate.load.max(1),
            What::Util => candidate.util,
            What::Task => 1,
        };
        if self.what != What::Task && shrunk(size) > self.amount {
            return false;
        }
        self.amount -= size as i64;
        true
    }
}
