//! How long hosts remember what was, and how long turns are: what a run has to outlast.
use crate::config::{Arrivals, Background, Config, InstanceConfig, NodeConfig, Scheduler};
use wwi_kernel::time::Ns;

/// Turns of background load until it waits as it always does; it begins as if nobody ever waited.
const CYCLES: f64 = 2.0;
/// And no longer than this \[ns\]: who sleeps for minutes is left as he began.
const LONGEST_CYCLES: f64 = 10e9;

/// Until background load that sleeps has slept and, all after one another, worked some times \[ns\].
fn background_settles(node: &NodeConfig) -> f64 {
    let kinds = std::iter::once(&node.background).chain(node.more_background.iter().flatten().map(|kind| &**kind));
    let of = |kind: &Background| {
        let in_turn = (f64::from(kind.processes) / node.threads() as f64).max(1.0);
        match kind.processes > 0 && kind.sleep > Ns::ZERO {
            true => CYCLES * (kind.sleep.0 as f64 + kind.busy.0 as f64 * in_turn),
            false => 0.0,
        }
    };
    kinds.map(of).fold(0.0, f64::max).min(LONGEST_CYCLES)
}

/// How long a host remembers what its processes did \[ns\]: AIX keeps `sched_d` of 32 parts of what one used each
/// second; and background load. Zero: no longer than a moment.
pub(super) fn memory(config: &Config) -> f64 {
    let of = |node: &NodeConfig| match node.scheduler {
        Scheduler::Aix => 1e9 / (1.0 - f64::from(node.aix_sched_d) / 32.0).max(1.0 / 32.0),
        Scheduler::Solaris => 1e9,
        _ => 0.0,
    };
    config.nodes.iter().map(|node| of(node).max(background_settles(node))).fold(0.0, f64::max)
}

/// Until sessions that never pause have all had a turn on the threads of their host \[ns\], where turns are long: of
/// many short transactions in a turn the last waits for the next one. Zero where they take turns within milliseconds.
pub(super) fn turn(config: &Config, instance: &InstanceConfig) -> f64 {
    let node = &config.nodes[instance.node];
    let slice = match node.scheduler {
        Scheduler::RoundRobin => node.round_robin_quantum,
        Scheduler::O1 | Scheduler::Solaris => Ns::from_ms(100.0),
        _ => Ns::ZERO,
    };
    match instance.workload.arrivals {
        Arrivals::Closed { sessions, think: Ns::ZERO, .. } if sessions as usize > node.threads() => {
            f64::from(sessions) / node.threads() as f64 * slice.0 as f64
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hogs, node, one, ordinary};

    #[test]
    fn background_load_that_sleeps_is_given_two_sleeps_and_turns_of_all() {
        let settles = |processes, busy_ms, sleep_ms| {
            let (busy, sleep) = (Ns::from_ms(busy_ms), Ns::from_ms(sleep_ms));
            let background = Background { processes, busy, sleep, kind: ordinary() };
            memory(&one(NodeConfig { background, ..node() }, hogs(1))) / 1e6
        };
        let threads = node().threads() as f64;
        assert_eq!(settles(20, 100.0, 900.0), 2.0 * (900.0 + 100.0 * 20.0 / threads));
        assert_eq!(settles(1, 10.0, 90.0), 200.0, "one has a turn, too");
        assert_eq!((settles(0, 10.0, 90.0), settles(9, 10.0, 0.0)), (0.0, 0.0), "who never sleeps is there at once");
        assert_eq!(settles(1, 10.0, 600_000.0), 10_000.0);
    }

    #[test]
    fn turns_are_of_sessions_that_never_pause_and_have_to_wait_for_one_another() {
        let lasts = |scheduler, sessions| {
            let config = one(NodeConfig { scheduler, ..node() }, hogs(sessions));
            turn(&config, &config.instances[0]) / 1e6
        };
        let threads = node().threads() as u32;
        assert_eq!(lasts(Scheduler::RoundRobin, 3 * threads), 300.0);
        assert_eq!(lasts(Scheduler::O1, 3 * threads), 300.0);
        assert_eq!((lasts(Scheduler::RoundRobin, threads), lasts(Scheduler::Cfs, 3 * threads)), (0.0, 0.0));
    }
}
