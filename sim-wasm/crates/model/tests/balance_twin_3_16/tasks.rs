//! Which queue of the busiest group, and which of its tasks.
use super::groups::{div_round_closest, fix_small_capacity, update_cpu_power, update_group_power};
use super::{Cpu, Env, Idle, Task, MIGRATION_COST_NS, SCALE};

/// `find_busiest_queue`.
pub fn find_busiest_queue(env: &Env, cpus: &[Cpu], group: usize) -> Option<usize> {
    let mut members = env.sd.groups[group].clone();
    members.sort_unstable();
    let mut busiest = None;
    let (mut busiest_load, mut busiest_power) = (0, 1);
    for c in members.into_iter().filter(|&c| env.cpus[c]) {
        let rq = &cpus[c];
        let power = update_cpu_power(env.sd, rq).0;
        let mut capacity = div_round_closest(power, SCALE);
        if capacity == 0 {
            capacity = fix_small_capacity(env.sd, update_group_power(env.sd, cpus, group));
        }
        let wl = rq.weighted_cpuload();
        if capacity > 0 && rq.nr_running() == 1 && wl as i64 > env.imbalance {
            continue;
        }
        if wl * busiest_power > busiest_load * power {
            (busiest_load, busiest_power, busiest) = (wl, power, Some(c));
        }
    }
    busiest
}

/// `task_hot`: in a core, too.
pub fn task_hot(env: &Env, p: &Task) -> bool {
    env.now_ns.saturating_sub(p.last_ran_ns) < MIGRATION_COST_NS
}

/// `can_migrate_task`.
pub fn can_migrate_task(env: &mut Env, p: &Task, on_cpu: bool) -> bool {
    if !p.allowed[env.dst] {
        env.some_pinned = true;
        if !env.has_dst_group || env.dst_pinned {
            return false;
        }
        let mut group = env.sd.groups[0].clone();
        group.sort_unstable();
        if let Some(other) = group.into_iter().find(|&c| env.cpus[c] && p.allowed[c]) {
            env.dst_pinned = true;
            env.new_dst = other;
        }
        return false;
    }
    env.all_pinned = false;
    if on_cpu {
        return false;
    }
    !task_hot(env, p) || env.failed > env.sd.cache_nice_tries
}

/// `move_tasks`: from the head of the list; who stays goes to its tail. Who moves is queued at the head of the other.
/// Power and averages are not read again meanwhile.
pub fn move_tasks(env: &mut Env, cpus: &mut [Cpu]) -> Vec<(u32, usize)> {
    let mut pulled = Vec::new();
    if env.imbalance <= 0 {
        return pulled;
    }
    while !cpus[env.src].tasks.is_empty() {
        env.looped += 1;
        if env.looped > env.loop_max {
            break;
        }
        let (p, on_cpu) = cpus[env.src].tasks.remove(0);
        if !can_migrate_task(env, &p, on_cpu) || (p.load / 2) as i64 > env.imbalance {
            cpus[env.src].tasks.push((p, on_cpu));
            continue;
        }
        env.imbalance -= p.load as i64;
        pulled.push((p.id, env.dst));
        cpus[env.dst].tasks.insert(0, (p, false));
        if env.imbalance <= 0 {
            break;
        }
    }
    pulled
}

/// `move_one_task`, run by the stopper: the first from the head that may go. Nobody else runs there meanwhile.
pub fn move_one_task(env: &mut Env, cpus: &[Cpu]) -> Option<u32> {
    let tasks = cpus[env.src].tasks.clone();
    tasks.into_iter().map(|task| task.0).find(|p| can_migrate_task(env, p, false)).map(|p| p.id)
}
