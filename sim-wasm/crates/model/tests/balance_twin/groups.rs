//! Which group of a domain is the busiest, and by how much: the statistics part of `fair.c`.
use super::{Cpu, Env, Idle, Migration, CAPACITY};

/// `enum group_type`, in order of who is relieved first (without misfit tasks of unequal CPUs and packing).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum GroupType {
    #[default]
    HasSpare,
    FullyBusy,
    /// One task alone on a CPU that real-time work has made much slower.
    Misfit,
    /// A core with more than one task, seen by an idle CPU (from 6.6 on).
    SmtBalance,
    /// A balance below was spoilt by affinity.
    Imbalanced,
    Overloaded,
}

/// `struct sg_lb_stats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupStats {
    pub avg_load: u64,
    pub load: u64,
    pub capacity: u64,
    pub util: u64,
    pub runnable: u64,
    pub nr: u32,
    pub h_nr: u32,
    pub idle_cpus: u32,
    pub weight: u32,
    pub kind: GroupType,
    pub smt_balance: bool,
    pub misfit_load: u64,
}

/// `struct sd_lb_stats`: groups by their place in the domain (the local one is the first).
#[derive(Clone, Debug, Default)]
pub struct DomainStats {
    pub busiest: Option<usize>,
    pub local: GroupStats,
    pub busiest_stat: GroupStats,
    pub total_load: u64,
    pub total_capacity: u64,
    pub avg_load: u64,
    pub prefer_sibling: bool,
    /// What `update_idle_cpu_scan` works with.
    pub sum_util: u64,
    /// `rd->overload` as this balance would write it at the topmost domain: some queue held more than one task.
    pub overload: bool,
}

/// `group_has_capacity`: not the opposite of being overloaded.
pub fn group_has_capacity(pct: u32, s: &GroupStats) -> bool {
    if s.nr < s.weight {
        return true;
    }
    if s.capacity * u64::from(pct) < s.runnable * 100 {
        return false;
    }
    s.capacity * 100 > s.util * u64::from(pct)
}

/// `group_is_overloaded`.
pub fn group_is_overloaded(pct: u32, s: &GroupStats) -> bool {
    if s.nr <= s.weight {
        return false;
    }
    s.capacity * 100 < s.util * u64::from(pct) || s.capacity * u64::from(pct) < s.runnable * 100
}

/// `group_classify`.
pub fn group_classify(pct: u32, imbalanced: bool, s: &GroupStats) -> GroupType {
    if group_is_overloaded(pct, s) {
        GroupType::Overloaded
    } else if imbalanced {
        GroupType::Imbalanced
    } else if s.smt_balance {
        GroupType::SmtBalance
    } else if s.misfit_load > 0 {
        GroupType::Misfit
    } else if !group_has_capacity(pct, s) {
        GroupType::FullyBusy
    } else {
        GroupType::HasSpare
    }
}

/// `update_sg_lb_stats` (with `smt_balance` and `sched_reduced_capacity`). Left out: misfit tasks of unequal CPUs,
/// packing, energy. `group_capacity` is summed now; the kernel's stands since the group's last `update_group_capacity`.
pub fn update_sg_lb_stats(env: &Env, cpus: &[Cpu], group: usize) -> GroupStats {
    let sd = env.sd;
    // Some things are asked of the other groups only, and by an idle CPU only.
    let by_idle = group != 0 && env.idle != Idle::NotIdle;
    let mut s = GroupStats::default();
    for &c in sd.groups[group].iter().filter(|&&c| env.cpus[c]) {
        let cpu = &cpus[c];
        s.load += cpu.load;
        s.util += cpu.cpu_util_cfs();
        s.runnable += cpu.runnable;
        let h_nr = cpu.h_nr(sd.generation);
        s.h_nr += h_nr as u32;
        s.nr += cpu.nr_running() as u32;
        if cpu.nr_running() == 0 && cpu.is_idle {
            s.idle_cpus += 1;
        } else if by_idle && h_nr == 1 && cpu.check_cpu_capacity(sd.pct) {
            s.misfit_load = s.misfit_load.max(cpu.load);
        }
    }
    // Weight and capacity are of the whole group, also of CPUs that are no longer looked at.
    s.capacity = sd.groups[group].iter().map(|&c| cpus[c].capacity_of()).sum();
    s.weight = sd.groups[group].len() as u32;
    s.smt_balance = sd.generation.minds_cores() && by_idle && sd.group_smt[group] && s.h_nr > 1;
    s.kind = group_classify(sd.pct, sd.group_imbalance[group], &s);
    if s.kind == GroupType::Overloaded {
        s.avg_load = s.load * CAPACITY / s.capacity;
    }
    s
}

/// `update_sd_pick_busiest`: is this group busier than the busiest so far?
pub fn update_sd_pick_busiest(env: &Env, sds: &DomainStats, group: usize, s: &GroupStats) -> bool {
    let best = &sds.busiest_stat;
    if s.h_nr == 0 {
        return false;
    }
    if s.kind != best.kind {
        return s.kind > best.kind;
    }
    let smt = |g: usize| env.sd.group_smt[g];
    match s.kind {
        GroupType::Overloaded => s.avg_load > best.avg_load,
        GroupType::Imbalanced => false,
        // Of equal ones 6.1 and 6.6 take the last, the later ones the first.
        GroupType::Misfit if env.sd.generation.takes_last_misfit() => s.misfit_load >= best.misfit_load,
        GroupType::Misfit => s.misfit_load > best.misfit_load,
        // 6.1: the first of the fully busy, for their averages are both 0; and no look at threads.
        GroupType::FullyBusy if !env.sd.generation.minds_cores() => s.avg_load > best.avg_load,
        GroupType::HasSpare if !env.sd.generation.minds_cores() => more_spare_taken(s, best),
        GroupType::SmtBalance if s.idle_cpus != 0 || best.idle_cpus != 0 => more_spare_taken(s, best),
        GroupType::SmtBalance | GroupType::FullyBusy => {
            // The average is not worked out here, so both are 0: the first one wins unless it is no core of threads.
            s.avg_load > best.avg_load || s.avg_load == best.avg_load && !sds.busiest.is_some_and(smt)
        }
        GroupType::HasSpare => match sds.busiest {
            Some(b) if smt(b) != smt(group) => !(smt(group) && s.h_nr <= 1),
            _ => more_spare_taken(s, best),
        },
    }
}

/// The end of `update_sd_pick_busiest`: fewer idle CPUs, then more tasks.
fn more_spare_taken(s: &GroupStats, best: &GroupStats) -> bool {
    s.idle_cpus < best.idle_cpus || s.idle_cpus == best.idle_cpus && s.nr > best.nr
}

/// `update_sd_lb_stats`. Left out: the energy flags.
pub fn update_sd_lb_stats(env: &Env, cpus: &[Cpu]) -> DomainStats {
    let mut sds = DomainStats::default();
    sds.busiest_stat.idle_cpus = u32::MAX;
    for group in 0..env.sd.groups.len() {
        let s = update_sg_lb_stats(env, cpus, group);
        if group == 0 {
            sds.local = s;
        } else if update_sd_pick_busiest(env, &sds, group, &s) {
            sds.busiest = Some(group);
            sds.busiest_stat = s;
        }
        sds.total_load += s.load;
        sds.total_capacity += s.capacity;
        sds.sum_util += s.util;
    }
    sds.overload = env.sd.span().iter().any(|&c| env.cpus[c] && cpus[c].nr_running() > 1);
    sds.prefer_sibling = sds.busiest.is_some() && env.sd.prefers_sibling();
    sds
}

/// `sibling_imbalance`: tasks by which the busiest is ahead, per core if the groups have different numbers of cores.
pub fn sibling_imbalance(env: &Env, sds: &DomainStats) -> i64 {
    let (busiest, local) = (&sds.busiest_stat, &sds.local);
    if env.idle == Idle::NotIdle || busiest.nr == 0 {
        return 0;
    }
    let there = env.sd.cores(sds.busiest.expect("a busiest group")) as i64;
    let here = env.sd.cores(0) as i64;
    let (nr_there, nr_here) = (i64::from(busiest.nr), i64::from(local.nr));
    if there == here {
        return (nr_there - nr_here).max(0);
    }
    let ahead = (here * nr_there - there * nr_here).max(0);
    let rounded = (2 * ahead + here + there) / (here + there);
    if rounded <= 1 && nr_here == 0 && nr_there > 1 {
        2
    } else {
        rounded
    }
}

/// By how many tasks the busiest is ahead, where siblings are to have as many. 6.1 counts them as they are, whatever
/// the cores, and for a busy CPU as well (`lsub_positive`).
pub fn tasks_ahead(env: &Env, sds: &DomainStats) -> i64 {
    if env.sd.generation.minds_cores() {
        sibling_imbalance(env, sds)
    } else {
        i64::from(sds.busiest_stat.nr.saturating_sub(sds.local.nr))
    }
}

/// `adjust_numa_imbalance`: up to two tasks' difference is left alone while the destination runs few.
pub fn adjust_numa_imbalance(imbalance: i64, dst_running: u32, imb_numa_nr: u32) -> i64 {
    if dst_running <= imb_numa_nr && imbalance <= 2 {
        0
    } else {
        imbalance
    }
}

/// `find_busiest_group`: the group to pull from; `env.migration` and `env.imbalance` say what and how much.
pub fn find_busiest_group(env: &mut Env, cpus: &[Cpu]) -> (Option<usize>, String) {
    let mut sds = update_sd_lb_stats(env, cpus);
    env.imbalance = 0;
    let Some(busiest) = sds.busiest else {
        return (None, "no group with a task".into());
    };
    if let Some(why) = balanced(env, &mut sds, busiest) {
        return (None, why.into());
    }
    calculate_imbalance(env, &mut sds);
    let why =
        format!("{:?} against {:?}: {:?} {}", sds.local.kind, sds.busiest_stat.kind, env.migration, env.imbalance);
    ((env.imbalance != 0).then_some(busiest), why)
}

/// The tests of `find_busiest_group` that end in balance; none if the groups are to be evened out.
fn balanced(env: &Env, sds: &mut DomainStats, group: usize) -> Option<&'static str> {
    let busiest = sds.busiest_stat;
    let local = sds.local;
    if matches!(busiest.kind, GroupType::Misfit | GroupType::Imbalanced) {
        return None;
    }
    if local.kind > busiest.kind {
        return Some("local group is of a busier type");
    }
    if local.kind == GroupType::Overloaded {
        if local.avg_load >= busiest.avg_load {
            return Some("local group is loaded as much");
        }
        sds.avg_load = sds.total_load * CAPACITY / sds.total_capacity;
        if local.avg_load >= sds.avg_load {
            return Some("local group is above the average");
        }
        if 100 * busiest.avg_load <= u64::from(env.sd.pct) * local.avg_load {
            return Some("within imbalance_pct");
        }
    }
    if sds.prefer_sibling && local.kind == GroupType::HasSpare && tasks_ahead(env, sds) > 1 {
        return None;
    }
    if busiest.kind == GroupType::Overloaded {
        return None;
    }
    if env.idle == Idle::NotIdle {
        return Some("busy, and the busiest is not overloaded");
    }
    if busiest.kind == GroupType::SmtBalance && env.sd.group_smt[0] != env.sd.group_smt[group] {
        return None;
    }
    if busiest.weight > 1 && local.idle_cpus <= busiest.idle_cpus + 1 {
        return Some("idle CPUs differ by one at most");
    }
    if busiest.h_nr == 1 {
        return Some("the busiest has one task");
    }
    None
}

/// `calculate_imbalance`. Unsigned differences may wrap round, as in the kernel: the smaller of the two counts.
pub fn calculate_imbalance(env: &mut Env, sds: &mut DomainStats) {
    let busiest = sds.busiest_stat;
    match busiest.kind {
        GroupType::Misfit => {
            env.migration = Migration::Load;
            env.imbalance = busiest.misfit_load as i64;
            return;
        }
        GroupType::SmtBalance | GroupType::Imbalanced => {
            env.migration = Migration::Task;
            env.imbalance = 1;
            return;
        }
        _ => {}
    }
    if sds.local.kind == GroupType::HasSpare {
        use_spare_capacity(env, sds);
        return;
    }
    if sds.local.kind < GroupType::Overloaded {
        sds.local.avg_load = sds.local.load * CAPACITY / sds.local.capacity;
        // Found balanced after all; the kernel leaves the migration type as it was (load).
        if sds.local.avg_load >= busiest.avg_load {
            env.imbalance = 0;
            return;
        }
        sds.avg_load = sds.total_load * CAPACITY / sds.total_capacity;
        if sds.local.avg_load >= sds.avg_load {
            env.imbalance = 0;
            return;
        }
    }
    env.migration = Migration::Load;
    let above = busiest.avg_load.wrapping_sub(sds.avg_load).wrapping_mul(busiest.capacity);
    let below = sds.avg_load.wrapping_sub(sds.local.avg_load).wrapping_mul(sds.local.capacity);
    env.imbalance = (above.min(below) / CAPACITY) as i64;
}

/// The part of `calculate_imbalance` for a local group with spare capacity.
fn use_spare_capacity(env: &mut Env, sds: &DomainStats) {
    let (busiest, local) = (&sds.busiest_stat, &sds.local);
    if busiest.kind > GroupType::FullyBusy && !env.sd.shares_pkg_resources() {
        env.migration = Migration::Util;
        env.imbalance = (local.capacity.max(local.util) - local.util) as i64;
        if env.idle != Idle::NotIdle && env.imbalance == 0 {
            env.migration = Migration::Task;
            env.imbalance = 1;
        }
        return;
    }
    env.migration = Migration::Task;
    env.imbalance = if busiest.weight == 1 || sds.prefer_sibling {
        tasks_ahead(env, sds)
    } else {
        // 32-bit without sign in the kernel: a negative difference would be a very large number.
        i64::from(local.idle_cpus.wrapping_sub(busiest.idle_cpus))
    };
    if env.sd.kind == super::Kind::Numa {
        env.imbalance = adjust_numa_imbalance(env.imbalance, local.nr + 1, env.sd.imb_numa_nr);
    }
    env.imbalance >>= 1;
}
