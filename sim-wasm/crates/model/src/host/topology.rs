//! Which threads share a core, and how fast each runs.
use crate::config::NodeConfig;

/// Fixed point of speeds and work: 1.0 is `1 << Q`; work is nanoseconds at reference speed times that.
pub const Q: u32 = 20;

/// Speed of each thread of a core with k threads active, k = 0.. (fixed point). Entry 0 is unused.
pub fn speeds(config: &NodeConfig) -> Vec<u64> {
    let one = (1u64 << Q) as f64;
    let per_thread = |k: usize| config.smt_yield.get(k - 1).map_or(1.0 / k as f64, |f| f / k as f64);
    let all = (1..=config.threads_per_core as usize).map(|k| (per_thread(k) * one).round() as u64);
    std::iter::once(0).chain(all).collect()
}

/// Core capacity that each thread uses with k threads of its core active, k = 0.. (fixed point): its share of the most
/// that the core can do with k threads active or more, which is what it does with all of them unless yields fall.
/// Entry 0 is unused. The processor utilisation resource register goes by the
/// nominal yields, whatever the work (IBM POWER; 0.625, 0.4375 and 0.25 for 1, 2 and 4 threads of POWER7).
pub fn purr(config: &NodeConfig) -> Vec<u64> {
    let threads = config.threads_per_core as usize;
    let yields: Vec<f64> = (1..=threads).map(|k| config.smt_yield.get(k - 1).copied().unwrap_or(1.0)).collect();
    let most = |k: usize| yields[k.max(1) - 1..].iter().copied().fold(0.0, f64::max);
    speeds(config).iter().enumerate().map(|(k, &speed)| (speed as f64 / most(k)).round() as u64).collect()
}

impl NodeConfig {
    /// Hardware threads of the host.
    pub fn threads(&self) -> usize {
        (self.sockets * self.cores_per_socket * self.threads_per_core) as usize
    }
    /// Hardware threads of a socket.
    pub fn threads_per_socket(&self) -> usize {
        (self.cores_per_socket * self.threads_per_core) as usize
    }
    /// Threads of a core as the system sees it: one where a guest does not know of them.
    pub fn threads_seen_per_core(&self) -> usize {
        if self.guest_sees_smt {
            self.threads_per_core as usize
        } else {
            1
        }
    }
    /// Hardware threads of a last-level cache.
    pub fn threads_per_cache(&self) -> usize {
        let cores = if self.cores_per_llc == 0 { self.cores_per_socket } else { self.cores_per_llc };
        (cores * self.threads_per_core) as usize
    }
    /// Last-level caches of the host.
    pub fn caches(&self) -> usize {
        self.threads() / self.threads_per_cache()
    }
}
