//! Scheduling domains: which CPUs balance among which, how often, and how much they tolerate (`sd_init` and
//! `build_sched_domains` of `kernel/sched/topology.c`, `get_sd_balance_interval` of `fair.c`, Linux 6.6).
//!
//! Hosts are regular: domain k of a CPU is a run of CPUs, and its groups are the domains below, or single CPUs.
use super::groups::Puller;
use std::ops::Range;

/// By how much the interval of a busy CPU is longer (`busy_factor`, from 3.15 to 5.9).
const OLD_BUSY_FACTOR: u64 = 32;
/// By how much the interval of a busy CPU is longer (`busy_factor`, 5.10 and later).
const BUSY_FACTOR: u64 = 16;
/// Ticks of the longest interval, for each CPU of the host, by tick rate (`max_load_balance_interval`, HZ / 10 a CPU).
const LONGEST_SHARE: u64 = 10;
/// A balance that found only bound processes may double the interval up to this \[ms\] (`MAX_PINNED_INTERVAL`).
const LONGEST_PINNED: u64 = 512;
/// A difference between NUMA nodes up to this is left alone on a lightly loaded one (`NUMA_IMBALANCE_MIN`).
const NUMA_LEFT_ALONE: i64 = 2;
/// Part of a NUMA node that may be busy before that ends, where it has one cache (`imb_numa_nr`, an eighth).
const NUMA_LIGHT: usize = 8;

/// What the CPUs of a domain share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A core.
    Smt,
    /// A last-level cache.
    Cache,
    /// A socket of several caches.
    Socket,
    /// The host.
    Numa,
}

/// One level of domains, alike for all CPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// What it shares.
    pub kind: Kind,
    /// CPUs in it; the first one's number is a multiple of this.
    pub size: usize,
    /// CPUs of each of its groups.
    pub group: usize,
    /// CPUs of a core as the system sees it.
    pub core: usize,
    /// Loads that differ by less are left alone, percent (`imbalance_pct`).
    pub pct: u64,
    /// Failures up to which who ran lately is left where his cache is (`cache_nice_tries`).
    pub tries: u32,
    /// Its groups are cores of several threads (their SD_SHARE_CPUCAPACITY).
    pub has_smt_groups: bool,
    /// Cores of several threads are told from single CPUs, as since 6.6; before, CPUs alone are counted.
    pub knows_cores: bool,
    /// Groups are evened out by count where one has spare CPUs (their SD_PREFER_SIBLING): above the lowest domain.
    pub prefers_siblings: bool,
    /// Busy CPUs of a NUMA node up to which a small difference is left alone (`imb_numa_nr`); 0: none is.
    pub light: usize,
}

impl Domain {
    /// CPUs of the domain that a CPU is in.
    pub fn span(&self, cpu: usize) -> Range<usize> {
        let first = cpu / self.size * self.size;
        first..first + self.size
    }

    /// CPUs of the group that a CPU is in.
    pub fn group_of(&self, cpu: usize) -> Range<usize> {
        let first = cpu / self.group * self.group;
        first..first + self.group
    }

    /// The groups of the domain of a CPU, from its own one round.
    pub fn groups_from(&self, cpu: usize) -> impl Iterator<Item = Range<usize>> {
        let (span, group, number) = (self.span(cpu), self.group, self.size / self.group);
        let own = (cpu - span.start) / group;
        (own..number).chain(0..own).map(move |at| {
            let first = span.start + at * group;
            first..first + group
        })
    }

    /// One load is so little above another that it is left alone.
    pub fn tolerates(&self, most: u64, own: u64) -> bool {
        most.saturating_mul(100) <= self.pct * own
    }

    /// An idle CPU sees that its groups are cores whose threads are in each other's way (`group_smt_balance`).
    pub fn sees_siblings(&self) -> bool {
        self.has_smt_groups && self.knows_cores
    }

    /// CPUs of the core of a CPU.
    pub fn core_of(&self, cpu: usize) -> Range<usize> {
        let first = cpu / self.core * self.core;
        first..first + self.core
    }

    /// Its CPUs share a last-level cache (SD_SHARE_PKG_RESOURCES).
    pub fn shares_cache(&self) -> bool {
        matches!(self.kind, Kind::Smt | Kind::Cache)
    }

    /// By which average over ticks loads are judged here (`busy_idx`, `idle_idx`, `newidle_idx` of 3.14, less one where
    /// above): 0, that of this moment.
    pub fn lately(&self, puller: Puller) -> usize {
        let busy = match self.kind {
            Kind::Smt => 0,
            Kind::Cache | Kind::Socket => 1,
            Kind::Numa => 2,
        };
        match puller {
            Puller::Busy => busy,
            Puller::Idle if self.kind == Kind::Numa => 1,
            Puller::Idle | Puller::NewlyIdle => 0,
        }
    }

    /// The shortest interval \[ms\]: one for each CPU. The longest is twice that.
    pub fn shortest(&self) -> u64 {
        self.size as u64
    }

    /// The interval \[ms\] after one that found balance; `all_pinned`: because everybody was bound elsewhere.
    pub fn lengthened(&self, interval: u64, all_pinned: bool) -> u64 {
        let grows = interval < 2 * self.shortest() || all_pinned && interval < LONGEST_PINNED;
        if grows {
            2 * interval
        } else {
            interval
        }
    }

    /// What of a difference between groups counts (`adjust_numa_imbalance`). `running`: of the group that gains.
    pub fn heeded(&self, difference: i64, running: u32) -> i64 {
        let is_light = (running as usize) < self.light;
        if is_light && difference <= NUMA_LEFT_ALONE {
            0
        } else {
            difference
        }
    }
}

/// The domains of a host, and its clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domains {
    /// From the core, if it has several threads, to the host.
    pub levels: Vec<Domain>,
    /// Ticks a second.
    hz: u64,
    /// Ticks of the longest interval.
    longest: u64,
    /// CPUs of a last-level cache.
    pub cache: usize,
    /// Groups are compared by their loads alone, as Linux 3.14 does it.
    pub by_load: bool,
}

impl Domains {
    /// Of a host of `cpus`, so many of them to a core, a last-level cache, a socket. Each divides the next.
    pub fn new(cpus: usize, core: usize, cache: usize, socket: usize, hz: u32) -> Self {
        let sizes = [(Kind::Smt, core), (Kind::Cache, cache), (Kind::Socket, socket), (Kind::Numa, cpus)];
        let mut levels: Vec<Domain> = Vec::new();
        for (kind, size) in sizes {
            let below = levels.last().map_or(1, |domain| domain.size);
            // A domain of the CPUs of the one below is that one.
            if size == below {
                continue;
            }
            let caches = socket / cache;
            let light = if caches == 1 { (socket / NUMA_LIGHT).max(1) } else { caches };
            levels.push(Domain {
                kind,
                size,
                group: below,
                core,
                pct: if kind == Kind::Smt { 110 } else { 117 },
                tries: match kind {
                    Kind::Smt => 0,
                    Kind::Cache | Kind::Socket => 1,
                    Kind::Numa => 2,
                },
                // Groups of NUMA nodes are each CPU's own copies: what is folded below does not reach the others'.
                has_smt_groups: kind != Kind::Numa && levels.last().is_some_and(|domain| domain.kind == Kind::Smt),
                knows_cores: true,
                prefers_siblings: kind == Kind::Numa || !levels.is_empty(),
                light: if kind == Kind::Numa { light } else { 0 },
            });
        }
        let hz = u64::from(hz);
        Domains { levels, hz, longest: (hz * cpus as u64 / LONGEST_SHARE).max(1), cache, by_load: false }
    }

    /// The same host under 6.1. Where there are sockets of one CPU each, none prefers siblings below.
    pub fn by_threads(mut self) -> Self {
        for (level, domain) in self.levels.iter_mut().enumerate() {
            domain.knows_cores = false;
            domain.prefers_siblings = level > 0;
        }
        self
    }

    /// The same host under RHEL 7's 3.10.0 (`sd_init` of `core.c`, which 3.15 and later share).
    pub fn by_load(mut self) -> Self {
        self.by_load = true;
        for (level, domain) in self.levels.iter_mut().enumerate() {
            let (pct, tries) = match domain.kind {
                Kind::Smt => (110, 0),
                Kind::Cache => (117, 1),
                Kind::Socket => (125, 1),
                Kind::Numa => (125, 2),
            };
            (domain.pct, domain.tries) = (pct, tries);
            // Only the domain of a whole socket prefers siblings below, and leaves that to a smaller one of its CPUs.
            domain.prefers_siblings = domain.kind == Kind::Numa && level > 0;
        }
        self
    }

    /// An interval \[ms\] in ticks, of a CPU that runs something or idles.
    pub fn ticks(&self, interval: u64, is_busy: bool) -> u64 {
        let factor = match (is_busy, self.by_load) {
            (false, _) => 1,
            (true, false) => BUSY_FACTOR,
            (true, true) => OLD_BUSY_FACTOR,
        };
        let ticks = (interval * factor * self.hz).div_ceil(1000) - u64::from(is_busy && !self.by_load);
        ticks.clamp(1, self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(domains: &Domains) -> Vec<(Kind, usize, usize)> {
        domains.levels.iter().map(|d| (d.kind, d.size, d.group)).collect()
    }

    #[test]
    fn a_level_that_adds_no_cpu_is_none() {
        let host = |cpus, core, cache, socket| kinds(&Domains::new(cpus, core, cache, socket, 1000));
        assert_eq!(host(4, 1, 4, 4), [(Kind::Cache, 4, 1)]);
        assert_eq!(host(4, 2, 2, 2), [(Kind::Smt, 2, 1), (Kind::Numa, 4, 2)]);
        assert_eq!(
            host(32, 2, 8, 16),
            [(Kind::Smt, 2, 1), (Kind::Cache, 8, 2), (Kind::Socket, 16, 8), (Kind::Numa, 32, 16)]
        );
        assert_eq!(host(1, 1, 1, 1), []);
    }

    #[test]
    fn busy_cpus_look_sixteen_times_less_often_less_one_tick() {
        let domains = Domains::new(4, 1, 4, 4, 1000);
        assert_eq!((domains.ticks(4, false), domains.ticks(8, false)), (4, 8));
        assert_eq!((domains.ticks(4, true), domains.ticks(8, true)), (63, 127));
        assert_eq!(domains.ticks(512, true), 400, "HZ / 10 for each CPU at most");
        assert_eq!(Domains::new(4, 1, 4, 4, 250).ticks(4, false), 1);
        let cache = &domains.levels[0];
        assert_eq!((cache.lengthened(4, false), cache.lengthened(8, false)), (8, 8));
        assert_eq!((cache.lengthened(8, true), cache.lengthened(512, true)), (16, 512));
    }

    #[test]
    fn groups_go_round_from_the_own_one() {
        let domains = Domains::new(16, 2, 8, 8, 1000);
        let cache = &domains.levels[1];
        assert_eq!(cache.groups_from(13).collect::<Vec<_>>(), [12..14, 14..16, 8..10, 10..12]);
        let numa = &domains.levels[2];
        assert_eq!((numa.light, numa.heeded(2, 0), numa.heeded(3, 0), numa.heeded(2, 1)), (1, 0, 3, 2));
    }
}
