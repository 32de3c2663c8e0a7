//! Scheduling domains of Linux 2.6.18: how often CPUs look, what they tolerate, by which loads, and what a group is
//! taken to be worth (`SD_SIBLING_INIT`, `SD_CPU_INIT`, `SD_NODE_INIT` of x86-64; `build_sched_domains`).
use super::loads::SCALE;
use crate::host::balance::domains::{Domain, Domains, Kind};
use crate::host::balance::groups::Puller;

/// A balance that found only bound processes may double the interval up to this \[ms\] (`MAX_PINNED_INTERVAL`).
const LONGEST_PINNED: u64 = 512;
/// What each further thread of a core adds to what it is worth (`SCHED_LOAD_SCALE` / 10).
const THREAD_WORTH: u64 = SCALE / 10;

/// What a level sets.
#[derive(Debug, PartialEq, Eq)]
pub struct Rules {
    /// Shortest and longest interval \[ms\].
    pub least: u64,
    /// The longest.
    pub longest: u64,
    /// By how much that of a busy CPU is longer.
    busy_factor: u64,
    /// Percent tolerated (`imbalance_pct`).
    pct: u64,
    /// Failures up to which who ran lately stays (`cache_nice_tries`).
    tries: u32,
    /// Which of a CPU's loads counts where a busy CPU looks, an idle one, a newly idle one, and at a wake-up.
    pub by: [usize; 4],
    /// A newly idle CPU looks here (`SD_BALANCE_NEWIDLE`).
    pub has_newidle: bool,
    /// A wake-up may come to the waking CPU if that is not much more loaded (`SD_WAKE_AFFINE`) …
    pub wakes_affine: bool,
    /// … or if it is less loaded (`SD_WAKE_BALANCE`).
    pub wakes_balance: bool,
}

const SMT: Rules = Rules {
    least: 1,
    longest: 2,
    busy_factor: 8,
    pct: 110,
    tries: 0,
    by: [0, 0, 1, 0],
    has_newidle: true,
    wakes_affine: true,
    wakes_balance: false,
};
const CPU: Rules = Rules {
    least: 1,
    longest: 4,
    busy_factor: 64,
    pct: 125,
    tries: 1,
    by: [2, 1, 2, 1],
    has_newidle: true,
    wakes_affine: true,
    wakes_balance: false,
};
const NODE: Rules = Rules {
    least: 8,
    longest: 32,
    busy_factor: 32,
    pct: 125,
    tries: 2,
    by: [3, 2, 0, 1],
    has_newidle: false,
    wakes_affine: false,
    wakes_balance: true,
};

/// One level of domains, alike for all CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// Which CPUs, in which groups.
    pub domain: Domain,
    /// What it sets.
    pub rules: &'static Rules,
    /// What a group is worth, 128 a CPU alone on its core (`cpu_power`). All threads of a core are little more than one
    /// CPU, a last-level cache among others is one, a socket its caches.
    pub power: u64,
}

impl Level {
    /// Its CPUs are threads of a core (`SD_SHARE_CPUPOWER`).
    pub fn is_core(&self) -> bool {
        self.domain.kind == Kind::Smt
    }

    /// Its groups are single CPUs, each a core.
    pub fn is_of_cores(&self) -> bool {
        self.domain.group == 1 && self.power == SCALE && !self.is_core()
    }

    /// Which of a CPU's loads counts where it looks.
    pub fn by(&self, puller: Puller) -> usize {
        match puller {
            Puller::Busy => self.rules.by[0],
            Puller::Idle => self.rules.by[1],
            Puller::NewlyIdle => self.rules.by[2],
        }
    }

    /// Processes for which a group is worth it.
    pub fn capacity(&self) -> u64 {
        self.power / SCALE
    }

    /// The interval \[ms\] after one that found balance; `all_pinned`: because everybody was bound elsewhere.
    pub fn lengthened(&self, interval: u64, all_pinned: bool) -> u64 {
        let grows = interval < self.rules.longest || all_pinned && interval < LONGEST_PINNED;
        interval << u32::from(grows)
    }
}

/// The domains of a host, and its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    /// From the core, if it has several threads, to the host.
    pub all: Vec<Level>,
    hz: u64,
}

impl Levels {
    /// Of a host of `cpus`, so many of them to a core, a last-level cache, a socket. Each divides the next; a level
    /// that adds no CPU is none (`sd_parent_degenerate`).
    pub fn new(cpus: usize, core: usize, cache: usize, socket: usize, hz: u32) -> Self {
        let level = |mut domain: Domain| {
            let (rules, power) = match domain.kind {
                Kind::Smt => (&SMT, SCALE),
                Kind::Cache => (&CPU, SCALE + (domain.group as u64 - 1) * THREAD_WORTH),
                Kind::Socket => (&CPU, SCALE),
                Kind::Numa => (&NODE, (socket / cache) as u64 * SCALE),
            };
            (domain.pct, domain.tries) = (rules.pct, rules.tries);
            Level { domain, rules, power }
        };
        let all = Domains::new(cpus, core, cache, socket, hz).levels.into_iter().map(level).collect();
        Levels { all, hz: u64::from(hz) }
    }

    /// An interval \[ms\] in ticks, of a CPU that runs something or idles.
    pub fn ticks(&self, level: usize, interval: u64, is_busy: bool) -> u64 {
        let factor = if is_busy { self.all[level].rules.busy_factor } else { 1 };
        (interval * factor * self.hz).div_ceil(1000).max(1)
    }

    /// The lowest level whose domains have both CPUs.
    pub fn common(&self, one: usize, other: usize) -> Option<usize> {
        self.all.iter().position(|level| level.domain.span(one).contains(&other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cpus: usize, core: usize, cache: usize, socket: usize) -> Vec<(Kind, u64, u64, u64)> {
        let levels = Levels::new(cpus, core, cache, socket, 1000);
        levels.all.iter().map(|level| (level.domain.kind, level.power, level.capacity(), level.domain.pct)).collect()
    }

    #[test]
    fn a_core_of_two_threads_is_worth_140_of_256_and_a_cache_of_many_one_cpu() {
        assert_eq!(of(4, 1, 4, 4), [(Kind::Cache, 128, 1, 125)]);
        assert_eq!(of(4, 2, 4, 4), [(Kind::Smt, 128, 1, 110), (Kind::Cache, 140, 1, 125)]);
        let large = [
            (Kind::Smt, 128, 1, 110),
            (Kind::Cache, 140, 1, 125),
            (Kind::Socket, 128, 1, 125),
            (Kind::Numa, 256, 2, 125),
        ];
        assert_eq!(of(32, 2, 8, 16), large);
    }

    #[test]
    fn a_busy_cpu_looks_every_8_ms_in_its_core_64_in_its_cache_and_256_over_the_host() {
        let levels = Levels::new(16, 2, 8, 8, 1000);
        let ticks = |is_busy| [0, 1, 2].map(|level| levels.ticks(level, levels.all[level].rules.least, is_busy));
        assert_eq!((ticks(false), ticks(true)), ([1, 1, 8], [8, 64, 256]));
        let most = [0, 1, 2].map(|level| levels.ticks(level, levels.all[level].rules.longest, true));
        assert_eq!(most, [16, 256, 1024]);
        assert_eq!(Levels::new(2, 1, 2, 2, 250).ticks(0, 1, false), 1);
        assert_eq!(Levels::new(2, 1, 2, 2, 100).ticks(0, 4, true), 26, "25.6 rounded up");
    }

    #[test]
    fn intervals_double_up_to_the_longest_and_of_the_bound_to_512() {
        let levels = Levels::new(16, 2, 8, 8, 1000);
        let grow = |level: usize, interval, pinned| levels.all[level].lengthened(interval, pinned);
        assert_eq!([grow(0, 1, false), grow(0, 2, false), grow(1, 4, false), grow(2, 16, false)], [2, 2, 4, 32]);
        assert_eq!([grow(1, 4, true), grow(1, 512, true)], [8, 512]);
        assert_eq!([levels.common(0, 1), levels.common(0, 7), levels.common(7, 8)], [Some(0), Some(1), Some(2)]);
    }
}
