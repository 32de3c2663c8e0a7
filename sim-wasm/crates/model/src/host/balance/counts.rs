//! Moving waiting processes between the queues of threads by their counts, for AIX: idle pull, and
//! levelling at intervals.
use crate::host::masks::Masks;
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::time::Ns;

/// Moves in one levelling, at most (Linux, `sched_nr_migrate`).
const MOST_MOVES: usize = 32;

/// Policies with a queue for each thread.
pub trait PerThread {
    /// Number of threads.
    fn threads(&self) -> usize;
    /// Processes waiting at a thread.
    fn queued(&self, at: usize) -> usize;
    /// Processes waiting or running at a thread.
    fn runnable(&self, at: usize) -> usize;
    /// Takes the first waiting process that is not cache-hot and may run on `to`.
    fn take(&mut self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid>;
    /// Puts a taken process into another queue.
    fn give(&mut self, to: usize, pid: Pid, now: Ns);
}

/// Pulls a process from the longest queue among `from` to a thread that has nothing to run.
pub fn pull<Q: PerThread>(queues: &mut Q, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
    let (mut longest, mut most) = (to, 0);
    for thread in from {
        let queued = if thread == to { 0 } else { queues.queued(thread) };
        let is_longer = queued > most;
        (longest, most) = (if is_longer { thread } else { longest }, most.max(queued));
    }
    match (most > 0).then(|| queues.take(longest, to, now, masks)).flatten() {
        Some(pid) => {
            queues.give(to, pid, now);
            true
        }
        None => false,
    }
}

/// Moves processes until no two threads differ by two or more; answers the receivers.
pub fn level<Q: PerThread>(queues: &mut Q, now: Ns, masks: &Masks) -> Vec<usize> {
    let mut receivers = Vec::new();
    for _ in 0..MOST_MOVES {
        let Some((to, pid)) = one_move(queues, now, masks) else { break };
        queues.give(to, pid, now);
        receivers.push(to);
    }
    receivers
}

/// From the longest queue that has somebody to give, to the shortest that may take him.
fn one_move<Q: PerThread>(queues: &mut Q, now: Ns, masks: &Masks) -> Option<(usize, Pid)> {
    if masks.is_free() {
        let (mut most, mut least) = ((0, 0), (0, usize::MAX));
        // Of equals the first.
        for thread in 0..queues.threads() {
            let runnable = queues.runnable(thread);
            most = if runnable > most.1 { (thread, runnable) } else { most };
            least = if runnable < least.1 { (thread, runnable) } else { least };
        }
        if most.1 < least.1.saturating_add(2) {
            return None;
        }
        return queues.take(most.0, least.0, now, masks).map(|pid| (least.0, pid));
    }
    let mut order: Vec<usize> = (0..queues.threads()).collect();
    sort_by_rank(&mut order, |&t| queues.runnable(t) as u64);
    for &from in order.iter().rev() {
        for &to in &order {
            if queues.queued(from) == 0 || queues.runnable(from) < queues.runnable(to) + 2 {
                break;
            }
            if let Some(pid) = queues.take(from, to, now, masks) {
                return Some((to, pid));
            }
        }
    }
    None
}
