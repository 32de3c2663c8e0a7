//! When CPUs balance, and what they remember of loads: `rebalance_domains`, `nohz_kick_needed`, `nohz_idle_balance` of
//! `fair.c`, `__update_cpu_load` of `proc.c`. Times are in ticks unless they say otherwise.
use super::domains::{Domain, SHARE_PKG};
use super::Cpu;

/// `msecs_to_jiffies`, rounded up.
pub fn msecs_to_jiffies(ms: u64, hz: u64) -> u64 {
    (ms * hz).div_ceil(1000)
}

/// The interval in `rebalance_domains`; `busy_factor` is 32.
pub fn interval(interval_ms: u64, is_busy: bool, hz: u64, cpus: u64) -> u64 {
    let mut interval = interval_ms;
    if is_busy {
        interval *= 32;
    }
    msecs_to_jiffies(interval, hz).clamp(1, (hz * cpus / 10).max(1))
}

/// The conditions of `nohz_kick_needed` on a busy CPU: somebody waits, or of a group of a domain within the cache more
/// than one CPU is busy.
pub fn nohz_kick_needed(domains: &[Domain], cpus: &[Cpu], cpu: usize) -> bool {
    if cpus[cpu].nr_running() >= 2 {
        return true;
    }
    for sd in domains {
        let busy = sd.groups[0].iter().filter(|&&c| !cpus[c].is_idle()).count();
        if sd.flags & SHARE_PKG != 0 && busy > 1 {
            return true;
        }
        if sd.flags & SHARE_PKG == 0 {
            break;
        }
    }
    false
}

/// `__update_cpu_load` on a tick that follows the last: the averages of indices 1 and 2, in whole numbers.
pub fn update_cpu_load(cpu_load: &mut [u64; 3], this_load: u64) {
    cpu_load[0] = this_load;
    for (i, each) in cpu_load.iter_mut().enumerate().skip(1) {
        let scale = 1 << i;
        let old_load = *each;
        let mut new_load = this_load;
        if new_load > old_load {
            new_load += scale - 1;
        }
        *each = (old_load * (scale - 1) + new_load) >> i;
    }
}
