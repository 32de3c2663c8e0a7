//! A database instance: where it runs, what it is held to, and what its sessions share.
use super::kinds::Others;
use super::{Arrivals, CageConfig, CpuSet, KindConfig, Workload};
use wwi_kernel::time::Ns;

/// One database instance with its sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceConfig {
    /// Index into [`super::Config::nodes`].
    pub node: usize,
    /// `None`: no resource manager plan, no limit.
    pub cage: Option<CageConfig>,
    /// What the sessions do.
    pub workload: Workload,
    /// Class, priority and binding of its sessions.
    pub session_kind: KindConfig,
    /// Its other processes.
    pub others: Others,
    /// Latches on the path of a logical read.
    pub latch: LatchConfig,
    /// Where its sessions may run and had better run.
    pub affinity: Affinity,
    /// A control group of its own; `None`: its sessions are in the root group.
    pub cgroup: Option<CgroupConfig>,
    /// What it costs to share blocks between cores and sockets.
    pub coherence: Coherence,
    /// Where its memory is.
    pub memory: Memory,
}

impl InstanceConfig {
    /// Whether its processes pass messages.
    pub fn passes_messages(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Messages { .. })
    }
    /// Whether it has transactions of several classes.
    pub fn has_classes(&self) -> bool {
        self.others.database.as_ref().is_some_and(|of| of.query.share > 0.0 && of.query.share < 1.0)
    }
    /// Its sessions, where their number is fixed.
    pub fn closed_sessions(&self) -> u32 {
        match self.workload.arrivals {
            Arrivals::Closed { sessions, .. } => sessions,
            _ => 0,
        }
    }
    /// Whether it has no sessions and never gets any.
    pub fn is_idle(&self) -> bool {
        matches!(self.workload.arrivals, Arrivals::Closed { sessions: 0, .. })
    }
}

/// Latches taken inside logical reads (drawn, never simulated one by one).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LatchConfig {
    /// Share of a session's CPU time with a latch held, 0..1.
    pub held_share: f64,
    /// Rate at which a running session asks for one given latch, a second.
    pub request_per_s: f64,
    /// Spin before sleeping.
    pub spin: Ns,
}

/// Where the sessions of an instance run.
#[derive(Clone, Debug, PartialEq)]
pub enum Affinity {
    /// Anywhere.
    None,
    /// Nowhere else (`sched_setaffinity`, cpuset).
    Hard(CpuSet),
    /// Rather there (scheduler soft affinity).
    Soft(CpuSet),
}

/// A control group (version 2). Acts for CFS and EEVDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CgroupConfig {
    /// `cpu.weight`, 1..=10000; 100 weighs as much as one process at nice 0.
    pub weight: u32,
    /// Quota of `cpu.max`; `None`: max.
    pub quota: Option<Ns>,
    /// Period of `cpu.max`.
    pub period: Ns,
    /// What may be left of earlier periods (`cpu.max.burst`).
    pub burst: Ns,
}

/// The line at latches whose holders work: everybody spins for them, and no more can be done than their holders do one
/// after another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LatchQueue {
    /// Share of the time of a logical read with a latch held that keeps others away.
    pub held: f64,
    /// Share of the logical reads that ask for one given latch.
    pub share: f64,
}

impl LatchQueue {
    /// Below this use of a latch there is no line to speak of: it makes reads longer by less than a four hundredth.
    const NOTABLE: f64 = 0.05;

    /// Whether so many threads can make a line.
    pub fn matters(&self, threads: usize) -> bool {
        threads as f64 * self.held * self.share > LatchQueue::NOTABLE
    }

    /// Time that a logical read waits for its latch with so many sessions at work, over that of the read: mean value
    /// analysis of a closed network with a station for each latch, at which a hold is constant (M. Reiser 1979: half of
    /// it is left of the one that is under way), and all else of a read as a delay of any distribution. Throughput is
    /// within 6 % of such a network simulated; with all in use it is what holders do one after another.
    pub fn wait(&self, sessions: usize) -> f64 {
        let (mut line, mut used, mut wait) = (0.0, 0.0, 0.0f64);
        for at_work in 1..=sessions {
            wait = (self.held * (line - 0.5 * used)).max(at_work as f64 * self.share * self.held - 1.0).max(0.0);
            let reads = at_work as f64 / (1.0 + wait);
            (line, used) = (self.share * (self.held + wait) * reads, self.share * self.held * reads);
        }
        wait
    }
}

/// By how much sharing blocks slows the work of an instance. Work is divided by 1 + the sum of all, and
/// by 1 + what latches add, which are held as much longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coherence {
    /// Times (m - 1) / m for m cores that run the instance.
    pub cores: f64,
    /// Times the share of the instance's running threads on other sockets.
    pub sockets: f64,
    /// For an instance that has the last-level cache of one socket only; none with those of all sockets; by the number
    /// of caches between.
    pub llc_share: f64,
    /// Times m - 1 for m cores that run the instance: what they do one after another.
    pub sigma: f64,
    /// Times m (m - 1): what each does with each other.
    pub kappa: f64,
    /// Of their latches.
    pub latch: LatchQueue,
}

impl Coherence {
    /// [`LatchQueue::wait`] with so many running threads of all of a host; nothing where that is none to speak of.
    pub fn latch_wait(&self, running: f64, threads: usize) -> f64 {
        if self.latch.matters(threads) {
            self.latch.wait(running as usize)
        } else {
            0.0
        }
    }
}

/// Where the memory of an instance is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Memory {
    /// Wherever its sessions run: never remote.
    Local,
    /// Spread over all sockets.
    Interleaved {
        /// Time of work with all memory remote, against all local.
        remote: f64,
    },
    /// On one socket.
    Bound {
        /// Time of work with all memory remote, against all local.
        remote: f64,
        /// Which socket.
        socket: usize,
    },
}

impl Memory {
    /// How many times as long work takes on one of so many sockets as with all memory near.
    pub fn factor(self, socket: usize, sockets: f64) -> f64 {
        match self {
            Memory::Local => 1.0,
            Memory::Interleaved { remote } => 1.0 + (remote - 1.0) * (sockets - 1.0) / sockets,
            Memory::Bound { remote, socket: home } => [remote, 1.0][usize::from(home == socket)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_kernel::rng::Stream;

    /// Reads of `held` at a latch drawn of `latches`, first come, first served, after a time at random: their wait.
    fn simulated(held: f64, latches: u64, sessions: usize) -> f64 {
        let mut stream = Stream::new(7, 0, "test", 0, "latch");
        let mut asks: Vec<f64> = (0..sessions).map(|_| (1.0 - held) * stream.exponential()).collect();
        let mut free = vec![0.0f64; latches as usize];
        let (mut waited, reads) = (0.0, 100_000);
        for _ in 0..reads {
            let first = (0..sessions).min_by(|&one, &other| asks[one].total_cmp(&asks[other])).expect("a session");
            let latch = &mut free[stream.below(latches) as usize];
            let begins = latch.max(asks[first]);
            waited += begins - asks[first];
            *latch = begins + held;
            asks[first] = *latch + (1.0 - held) * stream.exponential();
        }
        waited / f64::from(reads)
    }

    #[test]
    fn a_line_for_latches_is_that_of_their_holders() {
        for (held, latches, sessions) in [
            (0.5, 1, 1),
            (0.5, 1, 2),
            (0.1, 1, 8),
            (0.3, 1, 64),
            (0.6, 20, 8),
            (0.6, 20, 32),
            (0.12, 3, 16),
            (0.12, 3, 64),
        ] {
            let queue = LatchQueue { held, share: 1.0 / latches as f64 };
            let (found, simulated) = (queue.wait(sessions), simulated(held, latches, sessions));
            let throughput = (1.0 + simulated) / (1.0 + found);
            assert!((throughput - 1.0).abs() < 0.06, "{held}, {latches}, {sessions}: {found} for {simulated}");
        }
    }

    #[test]
    fn of_several_latches_each_does_no_more_than_its_holders_one_after_another() {
        let queue = LatchQueue { held: 0.12, share: 0.3 };
        let found = 2000.0 / (1.0 + queue.wait(2000));
        assert!((found * 0.12 * 0.3 - 1.0).abs() < 0.01, "{found}");
        assert!(queue.matters(2) && !LatchQueue { held: 0.12, share: 0.00003 }.matters(1024));
    }
}
