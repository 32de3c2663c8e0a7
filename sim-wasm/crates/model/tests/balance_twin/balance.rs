//! One balance of one domain for one CPU: `load_balance` of `fair.c` and what stands around it.
use super::groups::find_busiest_group;
use super::tasks::{attach_tasks, detach_one_task, detach_tasks, find_busiest_queue};
use super::{Cpu, Domain, Env, Idle, Migration, NR_MIGRATE};

/// `MAX_PINNED_INTERVAL`, in milliseconds.
pub const MAX_PINNED_INTERVAL: u64 = 512;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing to do, not the one to do it, or every task of the busiest queue is pinned.
    Balanced,
    /// A busiest queue was found, but nobody taken from it.
    Nothing,
    /// These tasks, in the order they were taken.
    Moved(Vec<u32>),
    /// Active balance: the stopper of the busiest queue is sent for this task (as a rule the one running there).
    Active(u32),
}

/// Everything that a balance leaves behind.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub verdict: Verdict,
    pub why: String,
    /// Each task taken, with the CPU it went to: affinity may have chosen another CPU of the local group.
    pub moves: Vec<(u32, usize)>,
    /// `continue_balancing`: false if this CPU is not the one for this domain, nor for any above it.
    pub carry_on: bool,
    pub failed: u32,
    pub interval_ms: u64,
    /// What the parent domain's first group is told about affinity, if anything (`sgc->imbalance`).
    pub parent_imbalance: Option<bool>,
}

/// `should_we_balance`: for each local group one CPU only, unless newly idle. In the first releases of 6.6 the first
/// CPU of the group balanced as well when the only idle ones were threads of busy cores.
pub fn should_we_balance(env: &Env, cpus: &[Cpu]) -> bool {
    if !env.cpus[env.dst] {
        return false;
    }
    if env.idle == Idle::NewlyIdle {
        return cpus[env.dst].nr_running() == 0;
    }
    // `group_balance_mask`: all of the group, but for overlapping NUMA groups.
    let mut mask = env.sd.groups[0].clone();
    mask.sort_unstable();
    let first = mask[0];
    if !env.sd.generation.minds_cores() {
        // 6.1: the first idle CPU of the group, whatever its core does.
        let idle = mask.into_iter().find(|&c| env.cpus[c] && cpus[c].is_idle);
        return idle.unwrap_or(first) == env.dst;
    }
    let mut idle_smt = None;
    while let Some(c) = (!mask.is_empty()).then(|| mask.remove(0)) {
        if !env.cpus[c] || !cpus[c].is_idle {
            continue;
        }
        if !env.sd.shares_cpucapacity() && !env.sd.is_core_idle(cpus, c) {
            idle_smt = idle_smt.or(Some(c));
            mask.retain(|&o| env.sd.core_of[o] != env.sd.core_of[c]);
            continue;
        }
        return c == env.dst;
    }
    idle_smt.unwrap_or(first) == env.dst
}

/// `need_active_balance` (with `imbalanced_active_balance`). Left out: packing, misfit tasks of unequal CPUs.
pub fn need_active_balance(env: &Env, cpus: &[Cpu]) -> bool {
    if env.migration == Migration::Task && env.failed > env.sd.cache_nice_tries + 2 {
        return true;
    }
    let (src, dst) = (&cpus[env.src], &cpus[env.dst]);
    env.idle != Idle::NotIdle
        && src.h_nr(env.sd.generation) == 1
        && src.check_cpu_capacity(env.sd.pct)
        && src.capacity_of() * u64::from(env.sd.pct) < dst.capacity_of() * 100
}

/// `active_load_balance_cpu_stop`: which task the stopper pushes to `target`, looked for in the lowest domain of the
/// target that holds both (`from.sd`); that domain's `nr_balance_failed` is set to 0 if there is one. Its own presence
/// makes the queue's count at least 2, so one task alone is pushed as well. The type of migration is left at 0, which
/// is load: a delayed one may be pushed.
pub fn active_load_balance_cpu_stop(from: &Env, cpus: &[Cpu], target: usize) -> Option<u32> {
    let src = from.src;
    let mut env = Env::new(from.sd, cpus.len(), target, Idle::Idle, 0);
    (env.src, env.failed, env.active) = (src, from.failed, true);
    if cpus[src].nr_running() == 0 {
        return None;
    }
    detach_one_task(&mut env, cpus).map(|p| p.id)
}

/// As the others call it: the verdict and why.
pub fn load_balance(cpus: &[Cpu], domain: &Domain, this_cpu: usize, idle: Idle, now_ns: u64) -> (Verdict, String) {
    let all = load_balance_all(cpus, domain, this_cpu, idle, now_ns, true);
    (all.verdict, all.why)
}

/// How the search through the busiest queues ended.
enum End {
    OutBalanced(String),
    OutAllPinned,
    /// Went as far as a busiest queue; the moves, perhaps none.
    Through(String),
}

/// `load_balance`. Left out: an active balance already under way from the same queue.
pub fn load_balance_all(
    cpus: &[Cpu],
    domain: &Domain,
    this_cpu: usize,
    idle: Idle,
    now_ns: u64,
    preemption: bool,
) -> Outcome {
    let mut cpus = cpus.to_vec();
    let mut env = Env::new(domain, cpus.len(), this_cpu, idle, now_ns);
    env.preemption = preemption;
    let mut out = Outcome {
        verdict: Verdict::Balanced,
        why: String::new(),
        moves: Vec::new(),
        carry_on: true,
        failed: domain.failed,
        interval_ms: domain.interval_ms,
        parent_imbalance: None,
    };
    match search(&mut env, &mut cpus, &mut out) {
        End::OutBalanced(why) => {
            out.why = why;
            // Some task could have moved: the sign of trouble with affinity is taken away.
            if domain.has_parent && !env.all_pinned {
                out.parent_imbalance = Some(false);
            }
            out.failed = 0;
            grow_interval(&env, &mut out);
        }
        End::OutAllPinned => {
            out.why = "all tasks pinned".into();
            out.failed = 0;
            grow_interval(&env, &mut out);
        }
        End::Through(why) => {
            out.why = why;
            finish(&mut env, &cpus, this_cpu, &mut out);
        }
    }
    out
}

/// From `redo` to the end of the moves.
fn search(env: &mut Env, cpus: &mut [Cpu], out: &mut Outcome) -> End {
    loop {
        if !should_we_balance(env, cpus) {
            out.carry_on = false;
            return End::OutBalanced("another CPU's turn".into());
        }
        let (group, why) = find_busiest_group(env, cpus);
        let Some(group) = group else {
            return End::OutBalanced(why);
        };
        let Some(busiest) = find_busiest_queue(env, cpus, group) else {
            return End::OutBalanced(format!("{why}; no busiest queue"));
        };
        env.src = busiest;
        let why = format!("{why}; from {busiest}");
        // Stays so if nobody is tried: one task alone is not tried.
        env.all_pinned = true;
        if cpus[busiest].nr_running() <= 1 {
            return End::Through(why);
        }
        env.loop_max = NR_MIGRATE.min(cpus[busiest].nr_running());
        move_tasks(env, cpus, out);
        if env.sd.has_parent && env.some_pinned && env.imbalance > 0 {
            out.parent_imbalance = Some(true);
        }
        if !env.all_pinned {
            return End::Through(why);
        }
        env.cpus[busiest] = false;
        let left = (0..cpus.len()).any(|c| env.cpus[c] && !env.sd.groups[0].contains(&c));
        if !left {
            return End::OutAllPinned;
        }
        env.looped = 0;
        env.loop_break = NR_MIGRATE;
    }
}

/// `more_balance`: again after a breath, and again for another CPU of the local group if affinity asks for it.
fn move_tasks(env: &mut Env, cpus: &mut [Cpu], out: &mut Outcome) {
    loop {
        let detached = detach_tasks(env, cpus);
        attach_tasks(&mut cpus[env.dst], &detached);
        out.moves.extend(detached.iter().map(|p| (p.id, env.dst)));
        if env.need_break {
            env.need_break = false;
        } else if env.dst_pinned && env.imbalance > 0 {
            env.cpus[env.dst] = false;
            env.dst = env.new_dst;
            env.dst_pinned = false;
            env.looped = 0;
            env.loop_break = NR_MIGRATE;
        } else {
            return;
        }
    }
}

/// After a busiest queue was worked on: the count of failures, active balance, and the interval.
fn finish(env: &mut Env, cpus: &[Cpu], this_cpu: usize, out: &mut Outcome) {
    if !out.moves.is_empty() {
        env.failed = 0;
        out.verdict = Verdict::Moved(out.moves.iter().map(|m| m.0).collect());
    } else {
        out.verdict = Verdict::Nothing;
        if env.idle != Idle::NewlyIdle {
            env.failed += 1;
        }
        if need_active_balance(env, cpus) {
            if cpus[env.src].running.as_ref().is_some_and(|p| !p.allowed[this_cpu]) {
                // `out_one_pinned`: the failures stay, the interval grows.
                out.failed = env.failed;
                out.why += "; the running one is pinned";
                grow_interval(env, out);
                return;
            }
            env.all_pinned = false;
            if let Some(id) = active_load_balance_cpu_stop(env, cpus, this_cpu) {
                out.verdict = Verdict::Active(id);
            }
        }
    }
    out.failed = env.failed;
    // With an active balance the kernel asks `need_active_balance` again: nothing has changed, so it is reset too.
    out.interval_ms = env.sd.min_interval_ms;
}

/// The end of `load_balance` when balanced: the interval doubles, up to once past the maximum; newly idle leaves it.
fn grow_interval(env: &Env, out: &mut Outcome) {
    let now = env.sd.interval_ms;
    let pinned = env.all_pinned && now < MAX_PINNED_INTERVAL;
    if env.idle != Idle::NewlyIdle && (pinned || now < env.sd.max_interval_ms) {
        out.interval_ms = now * 2;
    }
}
