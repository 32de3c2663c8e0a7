//! The greatest priority that each thread runs or has in its queue (`disp_maxrunpri`, `cpu_dispatch_pri`), and which
//! thread has the least.
use super::moves::{span, NOTHING};
use super::{Solaris, Task};
use std::ops::Range;
use wwi_kernel::bits::Bits;

/// More than any priority of these classes: of a thread that runs what is not known here.
const REAL_TIME: i32 = 100;

/// Kept for each thread until something changes there or its running quantum ends.
#[derive(Clone, Debug)]
pub(super) struct Most {
    priorities: Vec<u8>,
    /// The tick at which who runs there has another priority.
    until: Vec<u64>,
    /// None of these is before this one.
    soonest: u64,
    changed: Bits,
}

impl Most {
    pub(super) fn new(threads: usize) -> Self {
        let mut changed = Bits::new(threads);
        changed.fill(0..threads);
        Most { priorities: vec![0; threads], until: vec![u64::MAX; threads], soonest: u64::MAX, changed }
    }

    /// Something changed at a thread.
    #[inline]
    pub(super) fn forget(&mut self, at: usize) {
        if !self.changed.has(at) {
            self.changed.set(at, true);
        }
    }
}

/// The first of the least, and where it is.
fn first_least(priorities: &[u8], range: Range<usize>) -> Option<(i32, usize)> {
    let within = priorities.get(range.clone())?;
    let least = within.iter().fold(u8::MAX, |least, &most| least.min(most));
    within.iter().position(|&most| most == least).map(|place| (i32::from(least), range.start + place))
}

impl Solaris {
    /// Brings up to date what is kept.
    fn look(&mut self) {
        let tick = self.seen.0 / self.tick.0;
        if tick >= self.most.soonest {
            let Most { until, changed, soonest, .. } = &mut self.most;
            until.iter().enumerate().filter(|&(_, &until)| until <= tick).for_each(|(at, _)| changed.set(at, true));
            *soonest = until.iter().copied().filter(|&until| until > tick).min().unwrap_or(u64::MAX);
        }
        while let Some(at) = self.most.changed.first_from(0) {
            self.most.changed.set(at, false);
            let (most, until) = self.look_at(at, tick);
            self.most.priorities[at] = most as u8;
            self.most.until[at] = until;
            self.most.soonest = self.most.soonest.min(until);
        }
        let kept = self.most.priorities.iter().map(|&most| i32::from(most));
        debug_assert!(kept.eq(self.all().map(|at| self.look_at(at, tick).0)), "somebody changed and was not seen");
    }

    fn look_at(&self, at: usize, tick: u64) -> (i32, u64) {
        let queue = &self.queues[at];
        let Some(running) = self.tasks.get(queue.running.i()) else { return (REAL_TIME, u64::MAX) };
        let most = self.waiting_most(at);
        if !queue.quantum.is_over && tick < queue.quantum.counted + running.left {
            return (running.priority.max(most), queue.quantum.counted + running.left);
        }
        let (mut task, mut quantum) = (*running, queue.quantum);
        quantum.count(&mut task, self.renews(at), tick, &self.quanta, self.updates);
        let until = if quantum.is_over { u64::MAX } else { quantum.counted + task.left };
        (task.priority.max(most), until)
    }

    /// The thread with the least to do for a process of this priority: of its own socket unless it can run at once only
    /// elsewhere. Of its `own` thread only who waits there counts.
    pub(super) fn least(&mut self, task: &Task, hint: usize, own: Option<usize>) -> usize {
        self.look();
        let home = span(task.home as usize, self.spans.socket);
        let from = if home.contains(&hint) { hint } else { home.start };
        let best = self.least_of([from..home.end, home.start..from, 0..0], from, (task.set, own));
        if task.priority > best.0 || home.len() == self.queues.len() {
            return best.1;
        }
        let from = if home.contains(&hint) { 0 } else { hint };
        let all = self.all();
        let other = if from < home.start {
            [from..home.start, home.end..all.end, 0..from]
        } else {
            [from.max(home.end)..all.end, 0..home.start, home.end..from]
        };
        let other = self.least_of(other, from, (task.set, own));
        if task.priority > other.0 {
            other.1
        } else {
            best.1
        }
    }

    /// The first of the least in these ranges, in this order.
    fn least_of(&self, ranges: [Range<usize>; 3], from: usize, (set, own): (u16, Option<usize>)) -> (i32, usize) {
        let mut least = (i32::MAX, from);
        let lesser = |least: &mut (i32, usize), found: (i32, usize)| {
            if found.0 < least.0 {
                *least = found;
            }
        };
        if self.free.is_empty() && own.is_none() && set == 0 {
            let found = ranges.into_iter().filter_map(|range| first_least(&self.most.priorities, range));
            found.for_each(|found| lesser(&mut least, found));
            return least;
        }
        for at in ranges.into_iter().flatten().filter(|&at| self.sets.has(set, at)) {
            let is_idle = self.idles(at) || own == Some(at);
            let most = if is_idle { self.waiting_most(at) } else { i32::from(self.most.priorities[at]) };
            lesser(&mut least, (most, at));
            if least.0 == NOTHING {
                break;
            }
        }
        least
    }
}
