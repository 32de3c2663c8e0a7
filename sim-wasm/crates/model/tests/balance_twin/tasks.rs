//! Which queue of the busiest group, and which of its tasks: `find_busiest_queue` to `detach_tasks` of `fair.c`.
use super::{Cpu, Env, Idle, Migration, Task, MIGRATION_COST_NS, NR_MIGRATE};

/// `find_busiest_queue`: in CPU order; only a strictly larger one replaces the first. Left out: NUMA classes, packing,
/// unequal CPUs.
pub fn find_busiest_queue(env: &Env, cpus: &[Cpu], group: usize) -> Option<usize> {
    let mut members = env.sd.groups[group].clone();
    members.sort_unstable();
    let mut best: Option<usize> = None;
    let (mut most_util, mut most_nr) = (0, 0);
    let (mut most_load, mut its_capacity) = (0, 1);
    for c in members.into_iter().filter(|&c| env.cpus[c]) {
        let cpu = &cpus[c];
        let nr = cpu.h_nr(env.sd.generation);
        let util = if env.sd.generation.boosts() { cpu.cpu_util_cfs_boost() } else { cpu.cpu_util_cfs() };
        if nr == 0 {
            continue;
        }
        let larger = match env.migration {
            Migration::Load => {
                let alone = nr == 1 && cpu.load as i64 > env.imbalance && !cpu.check_cpu_capacity(env.sd.pct);
                !alone && cpu.load * its_capacity > most_load * cpu.capacity_of()
            }
            Migration::Util => nr > 1 && util > most_util,
            Migration::Task => nr > most_nr,
        };
        if larger {
            best = Some(c);
            (most_load, its_capacity) = (cpu.load, cpu.capacity_of());
            (most_util, most_nr) = (util, nr);
        }
    }
    best
}

/// `task_hot`: ran less than `sysctl_sched_migration_cost` ago; never between threads of one core.
pub fn task_hot(env: &Env, p: &Task) -> bool {
    !env.sd.shares_cpucapacity() && env.now_ns.saturating_sub(p.last_ran_ns) < MIGRATION_COST_NS
}

/// `task_is_ineligible_on_dst_cpu`: not eligible where it is, and so not where somebody is already (`nr_queued`, which
/// counts whoever runs and whoever is delayed).
pub fn task_is_ineligible_on_dst_cpu(p: &Task, dst_queued: usize) -> bool {
    dst_queued > 0 && !p.is_owed
}

/// The first tests of `can_migrate_task`, before anything about pinned tasks is looked at or written.
fn refuses(env: &Env, p: &Task, dst_queued: usize) -> bool {
    let (sd, by_load) = (env.sd, env.migration == Migration::Load);
    let not_owed = env.failed == 0 && task_is_ineligible_on_dst_cpu(p, dst_queued);
    sd.refuses_delayed && p.is_delayed && !by_load || sd.refuses_unowed && not_owed
}

/// `can_migrate_task`: also writes the flags about pinned tasks. Left out: throttled groups, kernel threads of one CPU,
/// NUMA locality. `on_cpu`: the task is running this moment; `dst_queued`: fair tasks at the destination.
pub fn can_migrate_task(env: &mut Env, p: &Task, on_cpu: bool, dst_queued: usize) -> bool {
    if refuses(env, p, dst_queued) {
        return false;
    }
    if !p.allowed[env.dst] {
        env.some_pinned = true;
        if env.idle == Idle::NewlyIdle || env.dst_pinned || env.active {
            return false;
        }
        // `dst_grpmask` is the first group of the domain, whoever the destination has become.
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
    env.active || !task_hot(env, p) || env.failed > env.sd.cache_nice_tries
}

/// `shr_bound`: a shift of at most 63.
pub fn shr_bound(value: u64, shift: u32) -> u64 {
    value >> shift.min(63)
}

/// The switch in `detach_tasks`: what taking this task uses of the imbalance; none if it is too much.
fn takes(env: &Env, p: &Task) -> Option<i64> {
    let size = match env.migration {
        Migration::Load => p.load.max(1),
        Migration::Util => p.util,
        Migration::Task => return Some(1),
    };
    (shr_bound(size, env.failed) as i64 <= env.imbalance).then_some(size as i64)
}

/// `detach_tasks`: from the tail of `cfs_tasks`; whoever stays is moved to the head. The tasks leave `cpus`; the
/// averages of the queue stay as they are (the kernel's follow, and are not read again here).
pub fn detach_tasks(env: &mut Env, cpus: &mut [Cpu]) -> Vec<Task> {
    let dst_queued = cpus[env.dst].h_nr_queued();
    let src = &mut cpus[env.src];
    let mut detached = Vec::new();
    if src.nr_running() <= 1 {
        env.all_pinned = false;
        return detached;
    }
    if env.imbalance <= 0 {
        return detached;
    }
    let mut tasks = src.cfs_tasks();
    while let Some((p, on_cpu)) = tasks.last().cloned() {
        if env.idle != Idle::NotIdle && tasks.len() + src.rt_tasks <= 1 {
            break;
        }
        env.looped += 1;
        if env.looped > env.loop_max {
            break;
        }
        if env.looped > env.loop_break {
            env.loop_break += NR_MIGRATE;
            env.need_break = true;
            break;
        }
        let size = if can_migrate_task(env, &p, on_cpu, dst_queued) { takes(env, &p) } else { None };
        let last = tasks.pop().expect("one is there");
        let Some(size) = size else {
            tasks.insert(0, last);
            continue;
        };
        env.imbalance -= size;
        detached.push(p);
        if env.idle == Idle::NewlyIdle && env.preemption || env.imbalance <= 0 {
            break;
        }
    }
    src.set_cfs_tasks(tasks);
    detached
}

/// `detach_one_task`, run by the stopper thread: the first from the tail that may go. The task that was running has
/// been put off the CPU by the stopper, so it is one of them.
pub fn detach_one_task(env: &mut Env, cpus: &[Cpu]) -> Option<Task> {
    let (tasks, dst_queued) = (cpus[env.src].cfs_tasks(), cpus[env.dst].h_nr_queued());
    tasks.into_iter().rev().map(|t| t.0).find(|p| can_migrate_task(env, p, false, dst_queued))
}

/// `attach_tasks`: each goes to the head of the list (`account_entity_enqueue`), the one detached last first. Who
/// was delayed stays so.
pub fn attach_tasks(dst: &mut Cpu, detached: &[Task]) {
    for p in detached.iter().rev() {
        dst.queue.insert(0, p.clone());
        if dst.running.is_some() {
            dst.running_at += 1;
        }
        dst.is_idle = false;
    }
}
