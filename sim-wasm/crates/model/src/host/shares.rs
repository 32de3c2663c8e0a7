//! What of its weight a control group has on each CPU (`calc_group_shares` in `kernel/sched/fair.c`): the part that its
//! load there is of its load everywhere. A load is the weight of who is queued, or its average over time where that is
//! more (`load_avg`, PELT).
//!
//! Where it is simpler: averages fade evenly, not in steps of 1.024 ms, and a process that moves takes nothing of them
//! along.
use wwi_kernel::decay::Fading;
use wwi_kernel::time::Ns;

/// Log of the half-life \[ns\] (`LOAD_AVG_PERIOD`, 32 periods of 1024 times 1024 ns).
const HALF_LIFE_LOG: u32 = 25;
/// A group hears of a CPU's average again when it has changed by more than this part (`update_tg_load_avg`) …
const HEARD: u64 = 64;
/// … and after this time at the earliest …
const SOONEST: u64 = 1_000_000;
/// … while CPUs on which nothing of it happens are asked at these intervals. Free: the kernel does so when they
/// balance.
const ASKED: u64 = 32_000_000;
/// No CPU has less of a group's weight (`MIN_SHARES`).
const LEAST: u64 = 2;

/// Of a group on a CPU: the weight that is queued, and its average over time.
#[derive(Clone, Copy, Debug, Default)]
struct Load {
    average: f64,
    weight: u64,
    since: Ns,
    /// The average as the group knows it, and since when.
    told: (u64, Ns),
}

/// The loads of one control group.
#[derive(Clone, Debug)]
pub struct Shares {
    /// Its weight, in the finer unit.
    weight: u64,
    /// By CPU.
    each: Vec<Load>,
    /// What it knows of their averages, added up (`tg->load_avg`).
    told: u64,
    asked: Ns,
    table: Fading<HALF_LIFE_LOG>,
}

impl Shares {
    /// Of a group of a weight on so many CPUs, of which nothing is queued yet.
    pub fn new(weight: u64, cpus: usize) -> Shares {
        let table = Fading::default();
        Shares { weight, each: vec![Load::default(); cpus], told: 0, asked: Ns::ZERO, table }
    }

    fn average(&self, at: usize, now: Ns) -> f64 {
        let Load { average, weight, since, .. } = self.each[at];
        let weight = weight as f64;
        weight + (average - weight) * self.table.kept(now.minus(since).0)
    }

    /// The group hears of the average of a CPU.
    fn hear(&mut self, at: usize, now: Ns) {
        let (average, (told, since)) = (self.average(at, now) as u64, self.each[at].told);
        if now.minus(since).0 >= SOONEST && average.abs_diff(told) > told / HEARD {
            self.told = self.told - told + average;
            self.each[at].told = (average, now);
        }
    }

    fn change(&mut self, at: usize, weight: u64, now: Ns) {
        let average = self.average(at, now);
        let load = &mut self.each[at];
        (load.average, load.weight, load.since) = (average, weight, now);
        self.hear(at, now);
    }

    /// A process of that weight by its nice value is queued at a CPU.
    pub fn add(&mut self, at: usize, weight: u64, now: Ns) {
        self.change(at, self.each[at].weight + weight, now);
    }

    /// A process of that weight is no longer queued at a CPU.
    pub fn remove(&mut self, at: usize, weight: u64, now: Ns) {
        self.change(at, self.each[at].weight - weight, now);
    }

    /// What the group weighs, in the finer unit, on a CPU where some of it is queued.
    pub fn of(&mut self, at: usize, now: Ns) -> u64 {
        if now.minus(self.asked).0 >= ASKED {
            self.asked = now;
            (0..self.each.len()).for_each(|other| self.hear(other, now));
        }
        self.hear(at, now);
        let load = self.each[at].weight.max(self.average(at, now) as u64);
        let all = self.told - self.each[at].told.0 + load;
        (self.weight * load / all.max(1)).max(LEAST).min(self.weight.max(LEAST))
    }
}
