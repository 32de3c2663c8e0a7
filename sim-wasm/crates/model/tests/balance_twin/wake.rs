//! Where a task wakes up: `wake_wide`, `wake_affine`, `select_idle_sibling` of `fair.c`.
use super::{Cpu, CAPACITY};

/// What a task knows of those it wakes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Waker {
    pub wakee_flips: u32,
    pub last_wakee: Option<u32>,
    pub decayed_at: u64,
}

/// `record_wakee`: halved once if more than a second has passed, then one more if it is not the same one as last time.
pub fn record_wakee(waker: &mut Waker, wakee: u32, now: u64, hz: u64) {
    if now > waker.decayed_at + hz {
        waker.wakee_flips >>= 1;
        waker.decayed_at = now;
    }
    if waker.last_wakee != Some(wakee) {
        waker.last_wakee = Some(wakee);
        waker.wakee_flips += 1;
    }
}

/// `wake_wide`: `factor` is the number of CPUs of the waker's cache (`sd_llc_size`).
pub fn wake_wide(waker_flips: u32, wakee_flips: u32, factor: u32) -> bool {
    let (master, slave) = (waker_flips.max(wakee_flips), waker_flips.min(wakee_flips));
    slave >= factor && master >= slave * factor
}

/// `wake_affine_idle`. `available`: idle, and not a virtual CPU that has been taken away.
pub fn wake_affine_idle(cpus: &[Cpu], this: usize, prev: usize, share_cache: bool, sync: bool) -> Option<usize> {
    if cpus[this].is_idle && share_cache {
        return Some(if cpus[prev].is_idle { prev } else { this });
    }
    if sync && cpus[this].nr_running() == 1 {
        return Some(this);
    }
    cpus[prev].is_idle.then_some(prev)
}

/// `wake_affine_weight`: loads crosswise with capacities; the previous CPU counts half of `imbalance_pct` heavier.
/// `current_load`: that of the waker, counted off when it is about to sleep (`sync`).
pub fn wake_affine_weight(
    cpus: &[Cpu],
    (this, prev): (usize, usize),
    task_load: u64,
    current_load: u64,
    pct: u32,
    sync: bool,
) -> Option<usize> {
    let mut here = cpus[this].load as i64;
    if sync {
        if current_load as i64 > here {
            return Some(this);
        }
        here -= current_load as i64;
    }
    here = (here + task_load as i64) * 100 * cpus[prev].capacity_of() as i64;
    let bias = 100 + (i64::from(pct) - 100) / 2;
    let mut there = (cpus[prev].load as i64 - task_load as i64) * bias * cpus[this].capacity_of() as i64;
    if sync {
        there += 1;
    }
    (here < there).then_some(this)
}

/// `wake_affine`: this CPU or the previous one, with `pct` of the lowest domain that holds both.
pub fn wake_affine(
    cpus: &[Cpu],
    (this, prev): (usize, usize),
    share_cache: bool,
    (task_load, current_load): (u64, u64),
    pct: u32,
    sync: bool,
) -> usize {
    let target = wake_affine_idle(cpus, this, prev, share_cache, sync)
        .or_else(|| wake_affine_weight(cpus, (this, prev), task_load, current_load, pct, sync));
    if target == Some(this) {
        this
    } else {
        prev
    }
}

/// `update_idle_cpu_scan`: CPUs worth looking at, from the use of the whole cache. Written by periodic balances (not by
/// newly idle ones) of the domain that spans the cache; 0 until the first.
pub fn update_idle_cpu_scan(sum_util: u64, llc_weight: u64, pct: u64) -> u64 {
    let x = sum_util / llc_weight;
    let less = (x * x * pct * pct / (10_000 * CAPACITY)).min(CAPACITY);
    (CAPACITY - less) * llc_weight / CAPACITY
}

/// A cache as the wake-up path sees it.
#[derive(Clone, Debug)]
pub struct Llc {
    /// In CPU order.
    pub span: Vec<usize>,
    pub core_of: Vec<usize>,
    pub nr_idle_scan: u64,
    /// A hint: set when a CPU goes idle and its whole core is, cleared when a search for such a core found none.
    pub has_idle_cores: bool,
}

impl Llc {
    fn core(&self, cpu: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.core_of.len()).filter(move |&c| self.core_of[c] == self.core_of[cpu])
    }
}

/// `select_idle_core`: the CPU asked for if all its core is idle; else a first idle CPU of it is remembered, and the
/// core is not looked at again.
fn select_idle_core(llc: &Llc, cpus: &[Cpu], cpu: usize, left: &mut Vec<usize>, idle_cpu: &mut Option<usize>) -> bool {
    let mut whole = true;
    for c in llc.core(cpu) {
        if !cpus[c].is_idle {
            whole = false;
            if idle_cpu.is_none() {
                continue;
            }
            break;
        }
        if idle_cpu.is_none() && left.contains(&c) {
            *idle_cpu = Some(c);
        }
    }
    if !whole {
        left.retain(|&c| llc.core_of[c] != llc.core_of[cpu]);
    }
    whole
}

/// `select_idle_cpu` with `SIS_UTIL` (and without `SIS_PROP`), from the CPU after the target round. The count of CPUs
/// bounds the search for an idle CPU only, not that for an idle core; at 0 neither takes place.
pub fn select_idle_cpu(
    llc: &mut Llc,
    cpus: &[Cpu],
    allowed: &[bool],
    has_idle_core: bool,
    target: usize,
) -> Option<usize> {
    let mut nr = llc.nr_idle_scan + 1;
    if nr == 1 {
        return None;
    }
    let mut left: Vec<usize> = llc.span.iter().copied().filter(|&c| allowed[c]).collect();
    let mut order = left.clone();
    let after = order.iter().position(|&c| c > target).unwrap_or(0);
    order.rotate_left(after);
    let mut idle_cpu = None;
    for c in order {
        if has_idle_core {
            if left.contains(&c) && select_idle_core(llc, cpus, c, &mut left, &mut idle_cpu) {
                return Some(c);
            }
            continue;
        }
        nr -= 1;
        if nr == 0 {
            return None;
        }
        if cpus[c].is_idle {
            return Some(c);
        }
    }
    if has_idle_core {
        llc.has_idle_cores = false;
    }
    idle_cpu
}

/// CPUs of a set from one on, round (`for_each_cpu_wrap`).
fn wrapped(set: &[usize], from: usize) -> Vec<usize> {
    let mut order = set.to_vec();
    let at = order.iter().position(|&c| c >= from).unwrap_or(0);
    order.rotate_left(at);
    order
}

/// What `select_idle_sibling` of 5.8 does once it knows no idle CPU: `select_idle_core`, `select_idle_cpu` with
/// `SIS_PROP`, which counts down from `nr`, and `select_idle_smt`, all three of the target.
pub fn search_by_prop(llc: &mut Llc, cpus: &[Cpu], allowed: &[bool], target: usize, mut nr: u64) -> Option<usize> {
    let set: Vec<usize> = llc.span.iter().copied().filter(|&c| allowed[c]).collect();
    let smt = llc.span.iter().any(|&c| llc.core(c).count() > 1);
    if smt && llc.has_idle_cores {
        let mut left = set.clone();
        for core in wrapped(&set, target) {
            if !left.contains(&core) {
                continue;
            }
            if llc.core(core).all(|c| cpus[c].is_idle) {
                return Some(core);
            }
            left.retain(|&c| llc.core_of[c] != llc.core_of[core]);
        }
        llc.has_idle_cores = false;
    }
    for cpu in wrapped(&set, target) {
        nr -= 1;
        if nr == 0 {
            break;
        }
        if cpus[cpu].is_idle {
            return Some(cpu);
        }
    }
    llc.core(target).find(|&c| smt && allowed[c] && cpus[c].is_idle)
}

/// The same of 3.10: through the domains of the cache, the widest first, and the groups of each from the target's on.
pub fn search_by_groups(llc: &Llc, cpus: &[Cpu], allowed: &[bool], target: usize) -> Option<usize> {
    let own: Vec<usize> = llc.core(target).collect();
    let mut cores: Vec<Vec<usize>> = llc.span.iter().map(|&c| llc.core(c).collect()).collect();
    cores.dedup();
    let threads = own.iter().map(|&c| vec![c]).collect();
    let domains: [(Vec<Vec<usize>>, bool); 2] = [(cores, true), (threads, own.len() > 1)];
    for mut groups in domains.into_iter().filter(|domain| domain.1).map(|domain| domain.0) {
        let first = groups.iter().position(|group| group.contains(&target)).unwrap();
        groups.rotate_left(first);
        let fits = |group: &&Vec<usize>| {
            group.iter().any(|&c| allowed[c]) && group.iter().all(|&c| c != target && cpus[c].is_idle)
        };
        if let Some(group) = groups.iter().find(fits) {
            return group.iter().copied().find(|&c| allowed[c]);
        }
    }
    None
}

/// `select_idle_smt`: another thread of the core.
pub fn select_idle_smt(llc: &Llc, cpus: &[Cpu], allowed: &[bool], of: usize) -> Option<usize> {
    llc.core(of).find(|&c| c != of && allowed[c] && llc.span.contains(&c) && cpus[c].is_idle)
}

/// `select_idle_sibling`. `llc` is the target's; `recent` is `recent_used_cpu`, which becomes the previous CPU once the
/// search comes that far. Left out: unequal CPUs, kernel threads of one CPU, `SCHED_IDLE` tasks.
pub fn select_idle_sibling(
    llc: &mut Llc,
    cpus: &[Cpu],
    allowed: &[bool],
    (prev, target): (usize, usize),
    recent: &mut usize,
) -> usize {
    let near = |llc: &Llc, c: usize| llc.span.contains(&c);
    if cpus[target].is_idle {
        return target;
    }
    if prev != target && near(llc, prev) && cpus[prev].is_idle {
        return prev;
    }
    let used = std::mem::replace(recent, prev);
    if used != prev && used != target && near(llc, used) && cpus[used].is_idle && allowed[used] {
        return used;
    }
    let smt = llc.span.iter().any(|&c| llc.core(c).count() > 1);
    let has_idle_core = smt && llc.has_idle_cores;
    if smt && !has_idle_core && near(llc, prev) {
        if let Some(c) = select_idle_smt(llc, cpus, allowed, prev) {
            return c;
        }
    }
    select_idle_cpu(llc, cpus, allowed, has_idle_core, target).unwrap_or(target)
}
