//! Which thread's queue a process of Solaris goes to, and what an idle thread takes from others.
//!
//! Source: illumos `uts/common/disp/disp.c`: `cpu_choose`, `disp_lowpri_cpu`, `cmt_balance`, `setbackdq`, `setfrontdq`,
//! `disp_getwork`, `disp_getbest`; `i86pc/os/mp_machdep.c`, `cpu_wakeup`. A socket is a locality group, and that of a
//! process is the one where it first waited. All of it is within the processor set of a process.
use super::{Solaris, Task, NEVER, NOWHERE, TOP};
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::bits::Bits;
use wwi_kernel::time::Ns;

/// A process goes back to its thread for so many ticks after it left it (`rechoose_interval`).
const RECHOOSE: u64 = 3;
/// Lines of priorities below are to be alike; those of others may be longer than the next by …
const MATCHES: i32 = 16;
/// … so many (`RUNQ_MATCH_PRI`, `RUNQ_MAX_DIFF`).
const MORE: u32 = 2;
/// Who waits in the queue of the thread on which he ran is left there for so long (`nosteal_nsec`), unless the thread
/// that would take him shares its cache.
pub const STAYS: Ns = Ns(100_000);
/// Of a thread that runs nothing.
pub(super) const NOTHING: i32 = -1;

/// Threads of a core, of a last-level cache and of a socket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    pub core: usize,
    pub cache: usize,
    pub socket: usize,
}

pub(super) fn span(at: usize, size: usize) -> Range<usize> {
    let first = at / size * size;
    first..first + size
}

/// The threads of a set in a range, in order.
fn members(set: &Bits, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let Range { start, end } = range;
    let next =
        move |from: usize| if from < end { set.first_from(from).filter(|&at| from <= at && at < end) } else { None };
    std::iter::successors(next(start), move |&at| next(at + 1))
}

impl Solaris {
    pub(super) fn all(&self) -> Range<usize> {
        0..self.queues.len()
    }

    /// The thread of a set after this one in its socket (`cpu_next_lpl`), else in the host (`cpu_next_part`).
    fn next_of(&self, at: usize, set: u16) -> usize {
        let near = self.sets.after(set, at, span(at, self.spans.socket));
        near.or_else(|| self.sets.after(set, at, self.all())).unwrap_or(at)
    }

    /// Step 3 has somewhere to go: several threads share a core, and a socket has other cores.
    #[inline]
    pub(super) fn has_cores(&self) -> bool {
        1 < self.spans.core && self.spans.core < self.spans.socket
    }

    /// A thread is of the socket of this process.
    #[inline]
    pub(super) fn is_home(&self, task: &Task, at: usize) -> bool {
        at / self.spans.socket == task.home as usize / self.spans.socket
    }

    pub(super) fn waiting_most(&self, at: usize) -> i32 {
        let waiting = &self.queues[at].waiting;
        if waiting.is_empty() {
            NOTHING
        } else {
            TOP - waiting.best() as i32
        }
    }

    /// The queue in which a woken process waits.
    pub fn chosen(&mut self, pid: Pid, last: usize, now: Ns) -> usize {
        self.seen = now;
        let mut task = self.tasks[pid.i()];
        if task.is_due(self.updates) {
            task.lift(super::row(task.own).slpret, &self.quanta, self.updates);
        }
        let tick = now.0 / self.tick.0;
        if task.goes_first(tick) {
            let is_best = task.priority >= self.waiting_most(last);
            return if is_best { last } else { self.cpu_choose(&task, last, tick, None) };
        }
        self.placed(&task, last, tick, None)
    }

    /// Steps 1 to 4 (`setbackdq`). `own`: the thread that runs him whom it is about, who is not counted there.
    pub(super) fn placed(&mut self, task: &Task, last: usize, tick: u64, own: Option<usize>) -> usize {
        let chosen = self.cpu_choose(task, last, tick, own);
        let balanced = self.cmt_balance(task.set, chosen, own);
        self.ring(balanced, task)
    }

    /// The queue in which a process of another priority waits that waited in one. Idle threads take who waits.
    pub(super) fn lifted_to(&mut self, task: &Task, at: usize, tick: u64) -> usize {
        let last = if task.last == NOWHERE { at } else { task.last as usize };
        if task.is_interactive && task.priority >= self.waiting_most(last) {
            return last;
        }
        if task.is_interactive {
            self.cpu_choose(task, last, tick, None)
        } else {
            self.placed(task, last, tick, None)
        }
    }

    fn cpu_choose(&mut self, task: &Task, last: usize, tick: u64, own: Option<usize>) -> usize {
        let is_recent = task.last_ran != NEVER && tick - task.last_ran <= RECHOOSE;
        if is_recent && self.is_home(task, last) {
            return last;
        }
        self.least(task, last, own)
    }

    /// A process goes to an idle thread of another core of the socket that runs less. Only one core is looked at, by
    /// turns.
    fn cmt_balance(&mut self, set: u16, at: usize, own: Option<usize>) -> usize {
        if !self.has_cores() {
            return at;
        }
        let Spans { core: size, socket, .. } = self.spans;
        let cores = socket / size;
        let (first, here) = (at / socket * cores, at / size);
        let hint = &mut self.hints[here];
        let start = if *hint >= cores { 0 } else { *hint };
        *hint = if *hint >= cores { 0 } else { *hint + 1 };
        let of = |core: usize| core * size..(core + 1) * size;
        let mut round = (0..cores).map(|step| first + (start + step) % cores);
        let other = round.find(|&core| core != here && self.sets.meets(set, of(core)));
        let runs = |at: usize| !self.idles(at) && own != Some(at);
        let busy = |core: usize| of(core).filter(|&at| runs(at)).count();
        match other.filter(|&core| busy(here) > busy(core)) {
            Some(core) => of(core).find(|&at| self.idles(at) && self.sets.has(set, at)).unwrap_or(at),
            None => at,
        }
    }

    /// A process goes on to the next thread if its line is too long here, and shorter there.
    pub(super) fn ring(&self, at: usize, task: &Task) -> usize {
        let level = task.level();
        let allowed = if task.priority >= MATCHES { MORE } else { 0 };
        let length = self.queues[at].waiting.length(level).saturating_sub(allowed);
        if length == 0 {
            return at;
        }
        let next = self.next_of(at, task.set);
        if self.queues[next].waiting.length(level) < length {
            next
        } else {
            at
        }
    }

    /// An idle thread takes the first of the greatest priority that waits in its cache, else anywhere, and who may run
    /// there; of equal ones that of the thread which comes next. Who is told to run somebody runs him.
    pub(super) fn steal(&mut self, to: usize, from: &Range<usize>, now: Ns) -> bool {
        let after = if from.contains(&to) { to } else { from.start };
        let order = members(&self.crowded, after..from.end).chain(members(&self.crowded, from.start..after));
        let mut best: Option<(u32, Pid, usize)> = None;
        for at in order.filter(|&at| at != to && !self.idles(at)) {
            let least = best.map_or(TOP as u32 + 1, |best| best.0);
            if self.queues[at].waiting.best() >= least {
                continue;
            }
            let takes = |pid: Pid| self.may_take(&self.tasks[pid.i()], (at, to), now);
            let first = self.queues[at].waiting.in_line(&self.tasks).find(|&(_, pid)| takes(pid));
            best = first.filter(|&(level, _)| level < least).map(|(level, pid)| (level, pid, at)).or(best);
        }
        let Some((level, pid, at)) = best else { return false };
        self.count(at, now);
        self.remove(at, level, pid);
        self.receive(to, pid, now);
        true
    }

    /// Whether [`Solaris::pushed`] may have an answer.
    #[inline]
    pub fn may_push(&self) -> bool {
        !self.moved.is_empty()
            || !self.crowded.is_empty() && !self.free.is_empty() && self.sets.wait_for_any(&self.free)
    }

    /// After turns: a thread that got somebody looks at its queue; an idle one takes somebody.
    pub fn pushed(&mut self, now: Ns) -> Option<usize> {
        if let Some(at) = self.moved.pop() {
            return Some(at);
        }
        if self.crowded.is_empty() || self.free.is_empty() {
            return None;
        }
        let (cache, all) = (self.spans.cache, self.all());
        let mut from = 0;
        loop {
            let next = members(&self.free, from..all.end).next();
            let to = next?;
            from = to + 1;
            if self.crowded.has(to) || self.real.has(to) || !self.sets.wait_for(to) {
                continue;
            }
            if self.steal(to, &span(to, cache), now) || cache < all.len() && self.steal(to, &all, now) {
                return Some(to);
            }
            // Where one thread of a cache finds nobody, no other of it does, if all may run there.
            from = if self.sets.is_one() { (to / cache + 1) * cache } else { from };
        }
    }

    /// When the next of those has waited for long enough who wait where they ran.
    pub fn ripens(&self, now: Ns) -> Option<Ns> {
        let all = members(&self.crowded, self.all());
        let waits = all.flat_map(|at| self.queues[at].waiting.in_line(&self.tasks).map(move |(_, pid)| (at, pid)));
        let stays = waits.map(|(at, pid)| (at, &self.tasks[pid.i()])).filter(|&(at, task)| task.last as usize == at);
        stays.map(|(_, task)| task.queued.plus(STAYS).plus(Ns(1))).filter(|&ripe| ripe > now).min()
    }

    fn may_take(&self, task: &Task, (at, to): (usize, usize), now: Ns) -> bool {
        let is_near = at / self.spans.cache == to / self.spans.cache;
        self.sets.has(task.set, to) && (is_near || task.last as usize != at || now.minus(task.queued) > STAYS)
    }
}
