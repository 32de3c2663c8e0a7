//! Moving waiting processes between the queues of threads: idle pull, and levelling at intervals.
//!
//! Counts, not loads, are levelled. The kernel's test on a CPU's average idle time before it pulls is left out.
use crate::ids::Pid;
use wwi_kernel::time::Ns;

/// Policies with a queue for each thread.
pub trait PerThread {
    /// Number of threads.
    fn threads(&self) -> usize;
    /// Processes waiting at a thread.
    fn queued(&self, at: usize) -> usize;
    /// Processes waiting or running at a thread.
    fn runnable(&self, at: usize) -> usize;
    /// Takes a waiting process that is not cache-hot.
    fn take(&mut self, from: usize, now: Ns) -> Option<Pid>;
    /// Puts a taken process into another queue.
    fn give(&mut self, to: usize, pid: Pid);
    /// Threads that share a last-level cache.
    fn threads_per_socket(&self) -> usize;
}

/// Pulls a process to a thread that is about to go idle, from the longest queue of its socket, else of the host.
pub fn pull<Q: PerThread>(queues: &mut Q, idle: usize, now: Ns) -> bool {
    let span = queues.threads_per_socket();
    let near = idle / span * span..(idle / span + 1) * span;
    for range in [near, 0..queues.threads()] {
        let longest = range
            .filter(|&t| t != idle && queues.queued(t) > 0)
            .max_by_key(|&t| (queues.queued(t), std::cmp::Reverse(t)));
        if let Some(pid) = longest.and_then(|from| queues.take(from, now)) {
            queues.give(idle, pid);
            return true;
        }
    }
    false
}

/// Moves processes until no two threads differ by two or more; answers the receivers.
pub fn level<Q: PerThread>(queues: &mut Q, now: Ns) -> Vec<usize> {
    let mut receivers = Vec::new();
    for _ in 0..32 {
        let all = 0..queues.threads();
        let most = all.clone().max_by_key(|&t| (queues.runnable(t), std::cmp::Reverse(t)));
        let least = all.min_by_key(|&t| queues.runnable(t));
        let (Some(from), Some(to)) = (most, least) else { break };
        if queues.runnable(from) < queues.runnable(to) + 2 {
            break;
        }
        let Some(pid) = queues.take(from, now) else { break };
        queues.give(to, pid);
        receivers.push(to);
    }
    receivers
}
