//! One balance of one domain for one CPU: `load_balance`.
use super::domains::Domain;
use super::groups::find_busiest_group;
use super::tasks::{find_busiest_queue, move_one_task, move_tasks};
use super::{Cpu, Env, Idle, MAX_PINNED_INTERVAL, NR_MIGRATE};

/// Everything that a balance leaves behind.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Outcome {
    /// Each task taken, with the CPU it went to.
    pub moves: Vec<(u32, usize)>,
    /// Whom the stopper pushes, and from where.
    pub active: Option<(u32, usize)>,
    /// A stopper was sent for, though it may find nobody.
    pub is_active: bool,
    /// It was found balanced, or everybody is pinned.
    pub is_balanced: bool,
    /// `continue_balancing`.
    pub carry_on: bool,
    pub failed: u32,
    pub interval: u64,
    /// What the parent's first group is told (`sgp->imbalance`), if anything; false only undoes.
    pub parent_imbalance: Option<bool>,
    /// By CPU: its list after that, head first.
    pub lists: Vec<Vec<u32>>,
}

/// `should_we_balance`.
pub fn should_we_balance(env: &Env, cpus: &[Cpu]) -> bool {
    if env.idle == Idle::NewlyIdle {
        return true;
    }
    let mut group = env.sd.groups[0].clone();
    group.sort_unstable();
    let idle = group.iter().copied().find(|&c| env.cpus[c] && cpus[c].is_idle());
    idle.unwrap_or(group[0]) == env.dst
}

/// `need_active_balance`.
pub fn need_active_balance(env: &Env) -> bool {
    env.failed > env.sd.cache_nice_tries + 2
}

/// `load_balance`. Left out: an active balance already under way from the same queue.
pub fn load_balance(cpus: &[Cpu], sd: &Domain, this_cpu: usize, idle: Idle, now_ns: u64) -> Outcome {
    let mut cpus = cpus.to_vec();
    let mut env = Env::new(sd, cpus.len(), this_cpu, idle, now_ns);
    let mut out = Outcome { carry_on: true, interval: sd.interval, ..Outcome::default() };
    let is_pinned = |env: &Env| env.all_pinned && sd.interval < MAX_PINNED_INTERVAL;
    let longer = |env: &Env| {
        if is_pinned(env) || sd.interval < sd.max_interval {
            sd.interval * 2
        } else {
            sd.interval
        }
    };
    let found = search(&mut env, &mut cpus, &mut out);
    out.lists = cpus.iter().map(|cpu| cpu.tasks.iter().map(|task| task.0.id).collect()).collect();
    let Some(busiest) = found else {
        // `out_balanced`.
        out.is_balanced = true;
        out.failed = 0;
        out.interval = longer(&env);
        return out;
    };
    if out.moves.is_empty() {
        if idle != Idle::NewlyIdle {
            env.failed += 1;
        }
        if need_active_balance(&env) {
            if cpus[busiest].curr().is_some_and(|p| !p.allowed[this_cpu]) {
                // `out_one_pinned`.
                env.all_pinned = true;
                out.failed = env.failed;
                out.interval = longer(&env);
                return out;
            }
            out.is_active = true;
            env.failed = sd.cache_nice_tries + 1;
            out.active = active_load_balance_cpu_stop(sd, &cpus, busiest, this_cpu, env.failed, now_ns);
        }
    } else {
        env.failed = 0;
    }
    out.failed = env.failed;
    if !out.is_active {
        out.interval = sd.min_interval;
    } else if sd.interval < sd.max_interval {
        out.interval = sd.interval * 2;
    }
    out
}

/// From `redo` to the end of the moves; none: `out_balanced`.
fn search(env: &mut Env, cpus: &mut [Cpu], out: &mut Outcome) -> Option<usize> {
    loop {
        if !should_we_balance(env, cpus) {
            out.carry_on = false;
            return None;
        }
        let group = find_busiest_group(env, cpus)?;
        let busiest = find_busiest_queue(env, cpus, group)?;
        out.moves.clear();
        if cpus[busiest].nr_running() <= 1 {
            return Some(busiest);
        }
        env.all_pinned = true;
        env.src = busiest;
        env.loop_max = NR_MIGRATE.min(cpus[busiest].nr_running() as usize);
        loop {
            // `more_balance`.
            let pulled = move_tasks(env, cpus);
            out.moves.extend(pulled);
            if !(env.dst_pinned && env.imbalance > 0) {
                break;
            }
            env.cpus[env.dst] = false;
            env.dst = env.new_dst;
            env.dst_pinned = false;
            env.looped = 0;
        }
        if env.sd.has_parent {
            out.parent_imbalance = Some(env.some_pinned && env.imbalance > 0);
        }
        if !env.all_pinned {
            return Some(busiest);
        }
        env.cpus[busiest] = false;
        if !env.cpus.iter().any(|&is_open| is_open) {
            return None;
        }
        env.looped = 0;
    }
}

/// `active_load_balance_cpu_stop`: the domain in which the two meet is the one balanced, as groups are domains below.
fn active_load_balance_cpu_stop(
    sd: &Domain,
    cpus: &[Cpu],
    src: usize,
    target: usize,
    failed: u32,
    now_ns: u64,
) -> Option<(u32, usize)> {
    let mut env = Env::new(sd, cpus.len(), target, Idle::Idle, now_ns);
    env.src = src;
    env.has_dst_group = false;
    env.failed = failed;
    // With the stopper that is the one task too many.
    if cpus[src].nr_running() == 0 {
        return None;
    }
    move_one_task(&mut env, cpus).map(|id| (id, src))
}
