//! Loads averaged over ticks (`rq->cpu_load[]`, `__update_cpu_load` of `kernel/sched/proc.c`, Linux 3.14): a CPU that
//! looks for work takes the less of that and of the present load for other groups, the more for its own.
use super::averages::{faded, Table};
use wwi_kernel::time::Ns;

/// Ticks after which nothing of the past is left: three quarters to this power are 10⁻⁸.
const TICKS: u64 = 64;

/// What those who run or wait weigh, times the share of time that each did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lately {
    /// Now.
    pub load: f64,
    /// Averages in which a half and a quarter of each tick's counts (`cpu_load[1]`, `cpu_load[2]`).
    over: [f64; 2],
}

impl Lately {
    /// After a span in which nobody came or went: those there weigh `weight`. A tick at its end is seen.
    pub(super) fn after(&self, (from, to): (Ns, Ns), weight: f64, tick: Ns, table: &Table) -> Lately {
        let at = |time: u64| faded(self.load, table.kept(time - from.0), weight);
        let mut over = self.over;
        let (first, last) = (from.0 / tick.0 + 1, to.0 / tick.0);
        for number in first.max(last.saturating_sub(TICKS))..=last {
            let load = at(number * tick.0);
            over = [(over[0] + load) / 2.0, (3.0 * over[1] + load) / 4.0];
        }
        Lately { load: at(to.0), over }
    }

    /// The load now, and the averages.
    pub(super) fn each(&self) -> [f64; 3] {
        [self.load, self.over[0], self.over[1]]
    }
}
