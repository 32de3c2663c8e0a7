//! What the slow twins of policies with a queue for each thread have in common: one plain list a thread, looked through
//! from end to end, and the two ways of moving processes, told again.
use wwi_kernel::time::Ns;
use wwi_model::config::{Affinity, CpuSet};
use wwi_model::host::masks::Masks;
use wwi_model::ids::Pid;

/// Moves in one levelling, at most (Linux, `sched_nr_migrate`).
const MOST_MOVES: usize = 32;

/// A policy with a queue for each thread, as far as moving processes goes.
pub trait Lines {
    /// Number of threads.
    fn threads(&self) -> usize;
    /// Everybody who waits at a thread, in the order in which they would be moved away.
    fn in_order(&self, at: usize) -> Vec<Pid>;
    /// Who runs at a thread.
    fn runs(&self, at: usize) -> Option<Pid>;
    /// When somebody last ran.
    fn last_ran(&self, pid: Pid) -> Option<Ns>;
    /// A process that ran this recently stays.
    fn migration_cost(&self) -> Ns;
    /// Moves one.
    fn transfer(&mut self, pid: Pid, from: usize, to: usize);
}

fn movable<L: Lines>(lines: &L, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
    let is_cold = |pid: Pid| lines.last_ran(pid).is_none_or(|ran| now - ran >= lines.migration_cost());
    lines.in_order(from).into_iter().find(|&pid| is_cold(pid) && masks.allows(pid, to))
}

fn load<L: Lines>(lines: &L, at: usize) -> usize {
    lines.in_order(at).len() + usize::from(lines.runs(at).is_some())
}

/// From the longest line, the first among equals.
pub fn pull<L: Lines>(lines: &mut L, to: usize, from: std::ops::Range<usize>, now: Ns, masks: &Masks) -> bool {
    let mut longest: Option<(usize, usize)> = None;
    for at in from {
        let length = lines.in_order(at).len();
        if at != to && length > longest.map_or(0, |l| l.0) {
            longest = Some((length, at));
        }
    }
    let Some((_, from)) = longest else { return false };
    let Some(pid) = movable(lines, from, to, now, masks) else { return false };
    lines.transfer(pid, from, to);
    true
}

/// Until no two threads differ by two or more, where masks allow it.
pub fn level<L: Lines>(lines: &mut L, now: Ns, masks: &Masks) -> Vec<usize> {
    let mut receivers = Vec::new();
    while receivers.len() < MOST_MOVES {
        let mut order: Vec<usize> = (0..lines.threads()).collect();
        order.sort_by_key(|&at| (load(lines, at), at));
        let mut givers: Vec<usize> = (0..lines.threads()).collect();
        givers.sort_by_key(|&at| (std::cmp::Reverse(load(lines, at)), if masks.is_free() { at } else { 999 - at }));
        if masks.is_free() {
            // Where everybody may run anywhere, only the longest and the shortest are looked at.
            order.truncate(1);
            givers.truncate(1);
        }
        let mut found = None;
        for &from in &givers {
            for &to in &order {
                let is_worth_it = load(lines, from) >= load(lines, to) + 2;
                found = found.or_else(|| {
                    is_worth_it.then(|| movable(lines, from, to, now, masks)).flatten().map(|pid| (pid, from, to))
                });
            }
        }
        let Some((pid, from, to)) = found else { break };
        lines.transfer(pid, from, to);
        receivers.push(to);
    }
    receivers
}

/// Masks and a number of processes for a seed: two times of three everybody may run anywhere.
pub fn masks(threads: usize, seed: u32) -> (Masks, usize) {
    let (mut masks, processes) = (Masks::new(threads), 2 + seed as usize / 4 % 12);
    if [true, false, false][seed as usize % 3] {
        let half = CpuSet((0..threads.div_ceil(2) as u16).collect());
        (0..processes).step_by(3).for_each(|pid| masks.assign_for(Pid(pid as u32), Some(&half), &Affinity::None));
    }
    (masks, processes)
}
