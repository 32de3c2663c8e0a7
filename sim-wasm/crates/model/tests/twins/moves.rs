//! Idle pull and levelling by counting every process anew at each step.
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::host::masks::Masks;
use wwi_model::ids::Pid;

/// Where a process is, as a twin notes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Asleep,
    Waiting(usize),
    Running(usize),
}

pub trait Moves {
    fn threads(&self) -> usize;
    fn places(&self) -> Vec<Place>;
    /// The first process waiting at `from`, cold enough to move, that may run on `to`.
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid>;
    fn shift(&mut self, pid: Pid, from: usize, to: usize);

    fn count(&self, place: Place) -> usize {
        self.places().into_iter().filter(|p| *p == place).count()
    }
    fn runnable(&self, at: usize) -> usize {
        self.count(Place::Waiting(at)) + self.count(Place::Running(at))
    }
}

/// From the first of the longest queues, or not at all.
pub fn pull(queues: &mut impl Moves, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
    let mut longest: Option<usize> = None;
    for t in from {
        let queued = queues.count(Place::Waiting(t));
        if t != to && queued > longest.map_or(0, |l| queues.count(Place::Waiting(l))) {
            longest = Some(t);
        }
    }
    let Some((from, pid)) = longest.and_then(|from| Some((from, queues.movable(from, to, now, masks)?))) else {
        return false;
    };
    queues.shift(pid, from, to);
    true
}

/// At most 32 moves (`sched_nr_migrate`), each between two threads that differ by two or more.
pub fn level(queues: &mut impl Moves, now: Ns, masks: &Masks) -> Vec<usize> {
    let mut receivers = Vec::new();
    while receivers.len() < 32 {
        let Some((pid, from, to)) = one_move(queues, now, masks) else { break };
        queues.shift(pid, from, to);
        receivers.push(to);
    }
    receivers
}

fn one_move(queues: &impl Moves, now: Ns, masks: &Masks) -> Option<(Pid, usize, usize)> {
    let mut rising: Vec<usize> = (0..queues.threads()).collect();
    rising.sort_by_key(|&t| (queues.runnable(t), t));
    if masks.is_free() {
        let to = rising[0];
        let most = queues.runnable(*rising.last()?);
        let from = (0..queues.threads()).find(|&t| queues.runnable(t) == most)?;
        let pid = if most >= queues.runnable(to) + 2 { queues.movable(from, to, now, masks) } else { None };
        return pid.map(|pid| (pid, from, to));
    }
    for &from in rising.iter().rev() {
        for &to in &rising {
            if queues.runnable(from) >= queues.runnable(to) + 2 {
                if let Some(pid) = queues.movable(from, to, now, masks) {
                    return Some((pid, from, to));
                }
            }
        }
    }
    None
}
