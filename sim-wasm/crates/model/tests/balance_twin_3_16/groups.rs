//! Which group of a domain is the busiest, and by how much.
use super::domains::{Domain, SHARE_CPUPOWER};
use super::{Cpu, Env, Idle, SCALE};

/// `struct sg_lb_stats`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GroupStats {
    pub avg_load: u64,
    pub group_load: u64,
    pub sum_weighted_load: u64,
    pub load_per_task: u64,
    pub group_power: u64,
    pub sum_nr_running: u64,
    pub group_capacity: u64,
    pub idle_cpus: u64,
    pub group_weight: u64,
    pub group_imb: bool,
    pub group_has_capacity: bool,
}

/// `struct sd_lb_stats`; the local group is the first.
#[derive(Clone, Copy, Debug, Default)]
pub struct DomainStats {
    pub busiest: Option<usize>,
    pub total_load: u64,
    pub total_pwr: u64,
    pub avg_load: u64,
    pub busiest_stat: GroupStats,
    pub local_stat: GroupStats,
}

pub fn div_round_closest(x: u64, divisor: u64) -> u64 {
    (x + divisor / 2) / divisor
}

/// `update_cpu_power`: power and `power_orig` of a CPU.
pub fn update_cpu_power(sd: &Domain, cpu: &Cpu) -> (u64, u64) {
    let mut power = SCALE;
    if sd.threads > 1 {
        power *= sd.smt_gain / sd.threads;
        power >>= 10;
    }
    let power_orig = power;
    power *= SCALE;
    power >>= 10;
    power *= cpu.rt_power;
    power >>= 10;
    (power.max(1), power_orig)
}

/// `update_group_power`: sums over the group. The kernel's stand until the next time they are written.
pub fn update_group_power(sd: &Domain, cpus: &[Cpu], group: usize) -> (u64, u64) {
    let each = sd.groups[group].iter().map(|&c| update_cpu_power(sd, &cpus[c]));
    each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// `fix_small_capacity`.
pub fn fix_small_capacity(sd: &Domain, (power, power_orig): (u64, u64)) -> u64 {
    if sd.flags & SHARE_CPUPOWER == 0 {
        return 0;
    }
    u64::from(power * 32 > power_orig * 29)
}

/// `sg_capacity`.
pub fn sg_capacity(sd: &Domain, cpus: u64, (power, power_orig): (u64, u64)) -> u64 {
    let smt = (SCALE * cpus).div_ceil(power_orig);
    let mut capacity = cpus / smt;
    capacity = capacity.min(div_round_closest(power, SCALE));
    if capacity == 0 {
        capacity = fix_small_capacity(sd, (power, power_orig));
    }
    capacity
}

/// `get_sd_load_idx`.
pub fn get_sd_load_idx(sd: &Domain, idle: Idle) -> usize {
    match idle {
        Idle::NotIdle => sd.busy_idx,
        Idle::NewlyIdle => sd.newidle_idx,
        Idle::Idle => sd.idle_idx,
    }
}

/// `update_sg_lb_stats`.
pub fn update_sg_lb_stats(env: &Env, cpus: &[Cpu], group: usize, load_idx: usize) -> GroupStats {
    let mut sgs = GroupStats::default();
    for &c in env.sd.groups[group].iter().filter(|&&c| env.cpus[c]) {
        let rq = &cpus[c];
        sgs.group_load += if group == 0 { rq.target_load(load_idx) } else { rq.source_load(load_idx) };
        sgs.sum_nr_running += rq.nr_running();
        sgs.sum_weighted_load += rq.weighted_cpuload();
        if rq.is_idle() {
            sgs.idle_cpus += 1;
        }
    }
    let power = update_group_power(env.sd, cpus, group);
    sgs.group_power = power.0;
    sgs.avg_load = sgs.group_load * SCALE / sgs.group_power;
    sgs.load_per_task = sgs.sum_weighted_load.checked_div(sgs.sum_nr_running).unwrap_or(0);
    sgs.group_weight = env.sd.groups[group].len() as u64;
    sgs.group_imb = env.sd.group_imbalance[group];
    sgs.group_capacity = sg_capacity(env.sd, sgs.group_weight, power);
    if sgs.group_capacity > sgs.sum_nr_running {
        sgs.group_has_capacity = true;
    }
    sgs
}

/// `update_sd_pick_busiest`.
pub fn update_sd_pick_busiest(sds: &DomainStats, sgs: &GroupStats) -> bool {
    if sgs.avg_load <= sds.busiest_stat.avg_load {
        return false;
    }
    if sgs.sum_nr_running > sgs.group_capacity {
        return true;
    }
    sgs.group_imb
}

/// `update_sd_lb_stats`.
pub fn update_sd_lb_stats(env: &Env, cpus: &[Cpu]) -> DomainStats {
    let mut sds = DomainStats::default();
    let load_idx = get_sd_load_idx(env.sd, env.idle);
    for group in 0..env.sd.groups.len() {
        let mut sgs = update_sg_lb_stats(env, cpus, group, load_idx);
        if group == 0 {
            sds.local_stat = sgs;
        } else {
            if env.sd.child_prefers && sds.local_stat.group_has_capacity {
                sgs.group_capacity = sgs.group_capacity.min(1);
            }
            if update_sd_pick_busiest(&sds, &sgs) {
                sds.busiest = Some(group);
                sds.busiest_stat = sgs;
            }
        }
        sds.total_load += sgs.group_load;
        sds.total_pwr += sgs.group_power;
    }
    sds
}

/// `fix_small_imbalance`.
pub fn fix_small_imbalance(env: &mut Env, cpus: &[Cpu], sds: &mut DomainStats) {
    let mut imbn = 2;
    if sds.local_stat.sum_nr_running == 0 {
        sds.local_stat.load_per_task = cpus[env.dst].cpu_avg_load_per_task();
    } else if sds.busiest_stat.load_per_task > sds.local_stat.load_per_task {
        imbn = 1;
    }
    let (local, busiest) = (sds.local_stat, sds.busiest_stat);
    let scaled_busy_load_per_task = busiest.load_per_task * SCALE / busiest.group_power;
    if busiest.avg_load + scaled_busy_load_per_task >= local.avg_load + scaled_busy_load_per_task * imbn {
        env.imbalance = busiest.load_per_task as i64;
        return;
    }
    let mut pwr_now = busiest.group_power * busiest.load_per_task.min(busiest.avg_load);
    pwr_now += local.group_power * local.load_per_task.min(local.avg_load);
    pwr_now /= SCALE;
    let mut pwr_move = 0;
    let tmp = busiest.load_per_task * SCALE / busiest.group_power;
    if busiest.avg_load > tmp {
        pwr_move += busiest.group_power * busiest.load_per_task.min(busiest.avg_load - tmp);
    }
    let tmp = if busiest.avg_load * busiest.group_power < busiest.load_per_task * SCALE {
        busiest.avg_load * busiest.group_power / local.group_power
    } else {
        busiest.load_per_task * SCALE / local.group_power
    };
    pwr_move += local.group_power * local.load_per_task.min(local.avg_load + tmp);
    pwr_move /= SCALE;
    if pwr_move > pwr_now {
        env.imbalance = busiest.load_per_task as i64;
    }
}

/// `calculate_imbalance`.
pub fn calculate_imbalance(env: &mut Env, cpus: &[Cpu], sds: &mut DomainStats) {
    if sds.busiest_stat.group_imb {
        sds.busiest_stat.load_per_task = sds.busiest_stat.load_per_task.min(sds.avg_load);
    }
    let (local, busiest) = (sds.local_stat, sds.busiest_stat);
    if busiest.avg_load <= sds.avg_load || local.avg_load >= sds.avg_load {
        env.imbalance = 0;
        return fix_small_imbalance(env, cpus, sds);
    }
    let mut load_above_capacity = u64::MAX;
    if !busiest.group_imb {
        load_above_capacity = busiest.sum_nr_running - busiest.group_capacity;
        load_above_capacity *= SCALE * SCALE;
        load_above_capacity /= busiest.group_power;
    }
    let max_pull = (busiest.avg_load - sds.avg_load).min(load_above_capacity);
    let room = (sds.avg_load - local.avg_load) * local.group_power;
    env.imbalance = ((max_pull * busiest.group_power).min(room) / SCALE) as i64;
    if (env.imbalance as u64) < busiest.load_per_task {
        fix_small_imbalance(env, cpus, sds);
    }
}

/// `find_busiest_group`: the group to pull from; `env.imbalance` says how much, and may be none.
pub fn find_busiest_group(env: &mut Env, cpus: &[Cpu]) -> Option<usize> {
    let mut sds = update_sd_lb_stats(env, cpus);
    let (local, busiest) = (sds.local_stat, sds.busiest_stat);
    env.imbalance = 0;
    let found = sds.busiest?;
    if busiest.sum_nr_running == 0 {
        return None;
    }
    sds.avg_load = SCALE * sds.total_load / sds.total_pwr;
    let is_forced =
        busiest.group_imb || env.idle == Idle::NewlyIdle && local.group_has_capacity && !busiest.group_has_capacity;
    if !is_forced {
        if local.avg_load >= busiest.avg_load {
            return None;
        }
        if local.avg_load >= sds.avg_load {
            return None;
        }
        if env.idle == Idle::Idle {
            if local.idle_cpus < busiest.idle_cpus && busiest.sum_nr_running <= busiest.group_weight {
                return None;
            }
        } else if 100 * busiest.avg_load <= env.sd.imbalance_pct * local.avg_load {
            return None;
        }
    }
    calculate_imbalance(env, cpus, &mut sds);
    Some(found)
}
