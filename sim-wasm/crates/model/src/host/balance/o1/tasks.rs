//! Which processes of a queue move (`move_tasks`, `can_migrate_task`, `task_hot` of `kernel/sched.c`, Linux 2.6.18).
use crate::ids::Pid;

/// A process of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Who.
    pub pid: Pid,
    /// Priority, the lower the better.
    pub prio: i32,
    /// What it weighs.
    pub weight: u64,
    /// It runs, or is about to.
    pub is_running: bool,
    /// When it left a CPU \[ns\].
    pub last_ran: u64,
}

/// How much may be taken, and what for.
#[derive(Clone, Copy, Debug)]
pub struct Take {
    /// Processes, at most.
    pub most: u32,
    /// Weight to move.
    pub weight: u64,
    /// The best priority of the queue that takes.
    pub own_best: i32,
    /// The best priority of the other one, and whether who runs there has it.
    pub best: i32,
    /// That.
    pub has_best: bool,
}

/// Who moves, in this order, and whether everybody looked at was bound elsewhere. A process that weighs more than is
/// left to move stays, unless it would be the best of its new queue and its old one keeps one as good. `allowed`: it
/// may run there; `goes`: it does not run, nor did so lately that its cache counts.
pub fn take(
    list: &[Listed],
    mut take: Take,
    allowed: impl Fn(&Listed) -> bool,
    goes: impl Fn(&Listed) -> bool,
) -> (Vec<Pid>, bool) {
    let mut taken = Vec::new();
    let mut all_pinned = take.most > 0 && take.weight > 0;
    if !all_pinned {
        return (taken, false);
    }
    for one in list {
        let mut is_skipped = one.weight > take.weight;
        if is_skipped && one.prio < take.own_best {
            is_skipped = !take.has_best && one.prio == take.best;
        }
        if !is_skipped && allowed(one) {
            all_pinned = false;
            if goes(one) {
                taken.push(one.pid);
                let left = take.weight.saturating_sub(one.weight);
                if taken.len() as u32 >= take.most || left == 0 {
                    break;
                }
                (take.weight, take.own_best) = (left, take.own_best.min(one.prio));
                continue;
            }
        }
        take.has_best |= one.prio == take.best;
    }
    (taken, all_pinned)
}
