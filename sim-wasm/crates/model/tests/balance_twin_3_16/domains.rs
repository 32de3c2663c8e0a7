//! The domains of one CPU: `sd_init`, `build_sched_domains`, `build_sched_groups`, `cpu_attach_domain` of `core.c`
//! (RHEL 7's 3.10.0), for regular hosts.

/// `SD_SHARE_CPUPOWER`: the threads of a core.
pub const SHARE_CPUPOWER: u32 = 1;
/// `SD_SHARE_PKG_RESOURCES`: a last-level cache.
pub const SHARE_PKG: u32 = 2;
/// `SD_PREFER_SIBLING`.
pub const PREFER_SIBLING: u32 = 4;
/// `SD_NUMA`, `SD_SERIALIZE`.
pub const NUMA: u32 = 8;
/// Flags that all domains have (`SD_LOAD_BALANCE`, `SD_BALANCE_NEWIDLE` and so on), which need two groups.
pub const BALANCE: u32 = 16;
/// `SD_WAKE_AFFINE`, which needs none.
pub const WAKE_AFFINE: u32 = 32;

/// How many of what a host has. CPUs are numbered socket by socket, cache by cache, core by core, thread by thread; one
/// NUMA node for each socket, all nodes equally far apart, no further than `RECLAIM_DISTANCE`.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    pub sockets: usize,
    pub llcs_per_socket: usize,
    pub cores_per_llc: usize,
    pub threads_per_core: usize,
}

impl Host {
    pub fn cpus(&self) -> usize {
        self.sockets * self.per_socket()
    }

    pub fn per_llc(&self) -> usize {
        self.cores_per_llc * self.threads_per_core
    }

    pub fn per_socket(&self) -> usize {
        self.llcs_per_socket * self.per_llc()
    }
}

/// A scheduling domain as one CPU has it; the first group holds that CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct Domain {
    pub flags: u32,
    pub groups: Vec<Vec<usize>>,
    pub imbalance_pct: u64,
    pub cache_nice_tries: u32,
    pub busy_idx: usize,
    pub idle_idx: usize,
    pub newidle_idx: usize,
    /// `nr_balance_failed`.
    pub failed: u32,
    /// `balance_interval`, `min_interval`, `max_interval` \[ms\].
    pub interval: u64,
    pub min_interval: u64,
    pub max_interval: u64,
    /// The child has `SD_PREFER_SIBLING`.
    pub child_prefers: bool,
    /// For each group: `sgp->imbalance`.
    pub group_imbalance: Vec<bool>,
    pub has_parent: bool,
    /// `span_weight` of the lowest domain, if that shares CPU power; else 1: by it power is dealt out.
    pub threads: u64,
    pub smt_gain: u64,
}

#[derive(Clone, Debug)]
struct Level {
    of: usize,
    below: usize,
    flags: u32,
    pct: u64,
    tries: u32,
    busy_idx: usize,
    idle_idx: usize,
}

/// `sd_init`.
fn sd_init(of: usize, below: usize, sd_flags: u32) -> Level {
    let flags = BALANCE | WAKE_AFFINE | sd_flags;
    let mut sd = Level { of, below, flags, pct: 125, tries: 0, busy_idx: 0, idle_idx: 0 };
    if sd.flags & SHARE_CPUPOWER != 0 {
        sd.pct = 110;
    } else if sd.flags & SHARE_PKG != 0 {
        sd.pct = 117;
        sd.tries = 1;
        sd.busy_idx = 2;
    } else if sd.flags & NUMA != 0 {
        sd.tries = 2;
        sd.busy_idx = 3;
        sd.idle_idx = 2;
    } else {
        sd.flags |= PREFER_SIBLING;
        sd.tries = 1;
        sd.busy_idx = 2;
        sd.idle_idx = 1;
    }
    sd
}

/// `sd_degenerate`.
fn sd_degenerate(sd: &Level) -> bool {
    if sd.of == 1 {
        return true;
    }
    if sd.flags & (BALANCE | SHARE_CPUPOWER | SHARE_PKG) != 0 && sd.of != sd.below {
        return false;
    }
    sd.flags & WAKE_AFFINE == 0
}

/// `sd_parent_degenerate`.
fn sd_parent_degenerate(sd: &Level, parent: &Level) -> bool {
    if sd_degenerate(parent) {
        return true;
    }
    if sd.of != parent.of {
        return false;
    }
    let mut pflags = parent.flags;
    if parent.of == parent.below {
        pflags &= !(BALANCE | SHARE_CPUPOWER | SHARE_PKG | PREFER_SIBLING);
    }
    !sd.flags & pflags == 0
}

/// The domains of a CPU, the lowest first.
pub fn build_domains(host: &Host, this_cpu: usize) -> Vec<Domain> {
    let topology = [
        (host.threads_per_core, SHARE_CPUPOWER | SHARE_PKG),
        (host.per_llc(), SHARE_PKG),
        (host.per_socket(), 0),
        (host.cpus(), NUMA),
    ];
    let mut levels: Vec<Level> = Vec::new();
    for (of, flags) in topology {
        let below = levels.last().map_or(1, |child| child.of);
        levels.push(sd_init(of, below, flags));
        if of == host.cpus() {
            break;
        }
    }
    // `cpu_attach_domain`.
    let mut at = 0;
    while at + 1 < levels.len() {
        if sd_parent_degenerate(&levels[at], &levels[at + 1]) {
            let parent = levels.remove(at + 1);
            levels[at].flags |= parent.flags & PREFER_SIBLING;
        } else {
            at += 1;
        }
    }
    if sd_degenerate(&levels[0]) {
        levels.remove(0);
    }
    let threads = levels.first().filter(|sd| sd.flags & SHARE_CPUPOWER != 0).map_or(1, |sd| sd.of as u64);
    (0..levels.len())
        .map(|at| {
            let sd = &levels[at];
            let child = at.checked_sub(1).map(|below| &levels[below]);
            let start = this_cpu / sd.of * sd.of;
            let (count, own) = (sd.of / sd.below, (this_cpu - start) / sd.below);
            let first = |group: usize| start + (own + group) % count * sd.below;
            let weight = sd.of as u64;
            Domain {
                flags: sd.flags,
                groups: (0..count).map(|group| (first(group)..first(group) + sd.below).collect()).collect(),
                imbalance_pct: sd.pct,
                cache_nice_tries: sd.tries,
                busy_idx: sd.busy_idx,
                idle_idx: sd.idle_idx,
                newidle_idx: 0,
                failed: 0,
                interval: weight,
                min_interval: weight,
                max_interval: 2 * weight,
                child_prefers: child.is_some_and(|child| child.flags & PREFER_SIBLING != 0),
                group_imbalance: vec![false; count],
                has_parent: at + 1 < levels.len(),
                threads,
                smt_gain: 1178,
            }
        })
        .collect()
}
