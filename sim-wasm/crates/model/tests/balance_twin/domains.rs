//! The domains of one CPU: `sd_init`, `build_sched_groups`, `cpu_attach_domain` of `topology.c`, for regular hosts.
use super::{Domain, Generation, Kind};

/// How many of what a host has. CPUs are numbered socket by socket, cache by cache, core by core, thread by thread; one
/// NUMA node for each socket, all nodes equally far apart.
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

    fn per_llc(&self) -> usize {
        self.cores_per_llc * self.threads_per_core
    }

    fn per_socket(&self) -> usize {
        self.llcs_per_socket * self.per_llc()
    }
}

/// One level before degenerate ones are taken out. `of`: CPUs it spans; `below`: CPUs of each group.
#[derive(Clone, Copy, Debug)]
struct Level {
    kind: Kind,
    of: usize,
    below: usize,
    prefer_sibling: bool,
    /// Flags of the groups, which are those of the level below: `SD_SHARE_CPUCAPACITY`, `SD_PREFER_SIBLING`.
    group_smt: bool,
    group_prefers: bool,
    /// The flag of the local group alone, where the groups' flags are each CPU's own copy (overlapping groups, that is
    /// NUMA): corrections reach only this one, the others keep those of NODE.
    local_smt: bool,
    imb_numa_nr: u32,
}

/// `build_sched_domains` and `cpu_attach_domain`: the domains of `this_cpu`, the lowest first, under 6.6. They are
/// the same under 6.1, but see [`Domain::prefers_sibling`]. Left out: clusters of cores sharing a mid-level cache,
/// packing, unequal CPUs, relaxed levels, uneven NUMA distances.
pub fn build_domains(
    sockets: usize,
    llcs_per_socket: usize,
    cores_per_llc: usize,
    threads_per_core: usize,
    this_cpu: usize,
) -> Vec<Domain> {
    let host = Host { sockets, llcs_per_socket, cores_per_llc, threads_per_core };
    let mut levels = levels(&host);
    imb_numa(&mut levels);
    let kept = degenerate(levels);
    let last = kept.len().saturating_sub(1);
    let build = |(i, l): (usize, &Level)| {
        let child_prefers = i > 0 && kept[i - 1].prefer_sibling;
        Domain { child_prefers, ..domain(&host, l, this_cpu, i < last) }
    };
    kept.iter().enumerate().map(build).collect()
}

/// `sd_init` level by level: SMT, MC (the cache), PKG, NODE and NUMA, stopping at the first that spans the host.
fn levels(host: &Host) -> Vec<Level> {
    let spans = [
        (Kind::Smt, host.threads_per_core),
        (Kind::Llc, host.per_llc()),
        (Kind::Socket, host.per_socket()),
        // NODE, the identity distance: no flag of its own, the same CPUs as PKG here.
        (Kind::Socket, host.per_socket()),
        (Kind::Numa, host.cpus()),
    ];
    let mut all: Vec<Level> = Vec::new();
    for (kind, of) in spans {
        let child = all.last().copied();
        all.push(Level {
            kind,
            of,
            below: child.map_or(1, |c| c.of),
            // Every level prefers siblings but NUMA.
            prefer_sibling: kind != Kind::Numa,
            group_smt: child.is_some_and(|c| c.kind == Kind::Smt),
            group_prefers: child.is_some_and(|c| c.prefer_sibling),
            imb_numa_nr: 0,
            local_smt: child.is_some_and(|c| c.kind == Kind::Smt),
        });
        if of == host.cpus() {
            break;
        }
    }
    all
}

/// The part of `build_sched_domains` that sets `imb_numa_nr`: an eighth of a node of one cache, else its caches.
fn imb_numa(levels: &mut [Level]) {
    let shared = |k: Kind| matches!(k, Kind::Smt | Kind::Llc);
    let (mut imb, mut imb_span) = (0, 1);
    for i in 0..levels.len() {
        let of = levels[i].of;
        if i > 0 && !shared(levels[i].kind) && shared(levels[i - 1].kind) {
            let caches = of / levels[i - 1].of;
            imb = 1.max(if caches == 1 { of >> 3 } else { caches });
            levels[i].imb_numa_nr = imb as u32;
            let numa = levels[i + 1..].iter().find(|l| l.kind == Kind::Numa);
            imb_span = numa.map_or(of, |l| l.of);
        } else {
            levels[i].imb_numa_nr = (imb * 1.max(of / imb_span)) as u32;
        }
    }
}

/// `cpu_attach_domain`: a level of one CPU, or of the same CPUs as the one below, goes (`sd_parent_degenerate`); its
/// wish for siblings goes down to the one below, and the groups above take the flags of the level that is now below.
fn degenerate(mut levels: Vec<Level>) -> Vec<Level> {
    let mut i = 0;
    while i + 1 < levels.len() {
        let parent = levels[i + 1];
        if parent.of != levels[i].of {
            i += 1;
            continue;
        }
        levels.remove(i + 1);
        let (smt, prefers) = (levels[i].kind == Kind::Smt, levels[i].prefer_sibling);
        if let Some(above) = levels.get_mut(i + 1) {
            set_flags(above, smt, prefers);
        }
        levels[i].prefer_sibling |= parent.prefer_sibling;
    }
    if levels[0].of == 1 {
        levels.remove(0);
        if let Some(lowest) = levels.first_mut() {
            set_flags(lowest, false, false);
        }
    }
    levels
}

/// Every CPU writes the flags of its own group, `sd->groups`: together that is all of them, unless each has a copy.
fn set_flags(level: &mut Level, smt: bool, prefers: bool) {
    level.local_smt = smt;
    if level.kind != Kind::Numa {
        (level.group_smt, level.group_prefers) = (smt, prefers);
    }
}

fn domain(host: &Host, level: &Level, this_cpu: usize, has_parent: bool) -> Domain {
    let start = this_cpu / level.of * level.of;
    let count = level.of / level.below;
    let own = (this_cpu - start) / level.below;
    // From the CPU's own group on, round.
    let groups: Vec<Vec<usize>> = (0..count)
        .map(|g| start + (own + g) % count * level.below)
        .map(|first| (first..first + level.below).collect())
        .collect();
    let (pct, cache_nice_tries) = match level.kind {
        Kind::Smt => (110, 0),
        Kind::Llc | Kind::Socket => (117, 1),
        Kind::Numa => (117, 2),
    };
    Domain {
        kind: level.kind,
        generation: Generation::Linux66,
        refuses_delayed: false,
        refuses_unowed: false,
        pct,
        cache_nice_tries,
        failed: 0,
        prefer_sibling: level.group_prefers,
        child_prefers: false,
        group_smt: (0..groups.len()).map(|g| if g == 0 { level.local_smt } else { level.group_smt }).collect(),
        group_imbalance: vec![false; groups.len()],
        groups,
        core_of: (0..host.cpus()).map(|c| c / host.threads_per_core).collect(),
        imb_numa_nr: level.imb_numa_nr,
        has_parent,
        interval_ms: level.of as u64,
        min_interval_ms: level.of as u64,
        max_interval_ms: 2 * level.of as u64,
    }
}
