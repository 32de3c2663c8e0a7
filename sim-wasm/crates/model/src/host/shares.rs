//! What of its weight a control group has on each CPU (`calc_group_shares` in `kernel/sched/fair.c`): the part that its
//! load there is of its load everywhere.
//!
//! The kernel's averages (PELT) step once in 1.024 ms, and a group hears of those of a CPU when they have changed by a
//! 64th and at most once a millisecond. Here they are exact at any moment. Left out: what a process takes along of
//! them when it moves.
use wwi_kernel::decay::Fading;
use wwi_kernel::time::Ns;

/// Log of the half-life \[ns\] (`LOAD_AVG_PERIOD`, 32 periods of 1024 times 1024 ns).
const HALF_LIFE_LOG: u32 = 25;
/// No CPU has less of a group's weight, in the finer unit (`MIN_SHARES`).
const LEAST: u64 = 2;

/// A weight that is queued, and its average over time.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    average: f64,
    weight: u64,
    since: Ns,
}

impl Load {
    /// The average at a moment.
    fn at(self, now: Ns, table: &Fading<HALF_LIFE_LOG>) -> f64 {
        let weight = self.weight as f64;
        weight + (self.average - weight) * table.kept(now.0 - self.since.0)
    }

    fn change(&mut self, weight: u64, now: Ns, table: &Fading<HALF_LIFE_LOG>) {
        *self = Load { average: self.at(now, table), weight, since: now };
    }
}

/// The loads of one control group.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Its weight.
    weight: u64,
    all: Load,
    /// By CPU.
    each: Vec<Load>,
    table: Fading<HALF_LIFE_LOG>,
}

impl Shares {
    /// Of a group of a weight on so many CPUs, of which nothing is queued yet.
    pub fn new(weight: u64, cpus: usize) -> Shares {
        Shares { weight, all: Load::default(), each: vec![Load::default(); cpus], table: Fading::default() }
    }

    /// A process of that weight is queued at a CPU.
    pub fn add(&mut self, at: usize, weight: u64, now: Ns) {
        for load in [&mut self.all, &mut self.each[at]] {
            load.change(load.weight + weight, now, &self.table);
        }
    }

    /// A process of that weight is no longer queued at a CPU.
    pub fn remove(&mut self, at: usize, weight: u64, now: Ns) {
        for load in [&mut self.all, &mut self.each[at]] {
            load.change(load.weight - weight, now, &self.table);
        }
    }

    /// What the group weighs on a CPU where some of it is queued.
    pub fn of(&self, at: usize, now: Ns) -> u64 {
        let here = self.each[at].at(now, &self.table);
        let load = here.max(self.each[at].weight as f64);
        let all = self.all.at(now, &self.table) - here + load;
        ((self.weight as f64 * load / all) as u64).max(LEAST).min(self.weight.max(LEAST))
    }
}
