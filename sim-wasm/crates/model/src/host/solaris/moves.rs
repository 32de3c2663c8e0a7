//! Which thread's queue a process of Solaris goes to, and what an idle thread takes from others.
//!
//! Source: illumos `uts/common/disp/disp.c`: `cpu_choose`, `disp_lowpri_cpu`, `cmt_balance`, `setbackdq`, `setfrontdq`,
//! `disp_getwork`, `disp_getbest`; `i86pc/os/mp_machdep.c`, `cpu_wakeup`. A socket is a locality group, and that of a
//! process is the one where it first waited. Who is bound to some threads goes the way of masks (`world::wake`).
use super::{Solaris, Task, NEVER, NOWHERE, TOP};
use crate::host::masks::Masks;
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

    /// The thread after this one in its socket, else in the host.
    fn next_of(&self, at: usize) -> usize {
        let socket = if self.spans.socket > 1 { span(at, self.spans.socket) } else { self.all() };
        if at + 1 < socket.end {
            at + 1
        } else {
            socket.start
        }
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

    /// The queue in which a woken process waits, who may run anywhere.
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
        let balanced = self.cmt_balance(chosen, own);
        self.ring(balanced, task.priority)
    }

    /// The queue in which a process of another priority waits that waited in one. Idle threads take who waits.
    pub(super) fn lifted_to(&mut self, task: &Task, at: usize, tick: u64) -> usize {
        if task.is_bound {
            return at;
        }
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
    fn cmt_balance(&mut self, at: usize, own: Option<usize>) -> usize {
        if !self.has_cores() {
            return at;
        }
        let Spans { core: size, socket, .. } = self.spans;
        let cores = socket / size;
        let (first, here) = (at / socket * cores, at / size);
        let hint = &mut self.hints[here];
        let start = if *hint >= cores { 0 } else { *hint };
        *hint = if *hint >= cores { 0 } else { *hint + 1 };
        let other = (0..cores).map(|step| first + (start + step) % cores).find(|&core| core != here);
        let runs = |at: usize| !self.idles(at) && own != Some(at);
        let busy = |core: usize| (core * size..(core + 1) * size).filter(|&at| runs(at)).count();
        match other.filter(|&core| busy(here) > busy(core)) {
            Some(core) => (core * size..(core + 1) * size).find(|&at| self.idles(at)).unwrap_or(at),
            None => at,
        }
    }

    /// A process goes on to the next thread if its line is too long here, and shorter there.
    pub(super) fn ring(&self, at: usize, priority: i32) -> usize {
        let level = (TOP - priority) as u32;
        let allowed = if priority >= MATCHES { MORE } else { 0 };
        let length = self.queues[at].waiting.length(level).saturating_sub(allowed);
        if length == 0 {
            return at;
        }
        let next = self.next_of(at);
        if self.queues[next].waiting.length(level) < length {
            next
        } else {
            at
        }
    }

    /// An idle thread takes the first of the greatest priority that waits in its cache, else anywhere, and who may run
    /// there; of equal ones that of the thread which comes next. Who is told to run somebody runs him.
    pub(super) fn steal(&mut self, to: usize, from: &Range<usize>, now: Ns, masks: Option<&Masks>) -> bool {
        let after = if from.contains(&to) { to } else { from.start };
        let order = members(&self.crowded, after..from.end).chain(members(&self.crowded, from.start..after));
        let mut best: Option<(u32, Pid, usize)> = None;
        for at in order.filter(|&at| at != to && !self.idles(at)) {
            let least = best.map_or(TOP as u32 + 1, |best| best.0);
            if self.queues[at].waiting.best() >= least {
                continue;
            }
            let takes = |pid: Pid| may_take(&self.tasks[pid.i()], pid, (at, to), now, (masks, self.spans));
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
        !self.moved.is_empty() || !self.crowded.is_empty() && !self.free.is_empty()
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
            if self.crowded.has(to) || self.real.has(to) {
                continue;
            }
            if self.steal(to, &span(to, cache), now, None) || cache < all.len() && self.steal(to, &all, now, None) {
                return Some(to);
            }
            // Where one thread of a cache finds nobody, no other of it does.
            from = (to / cache + 1) * cache;
        }
    }
}

fn may_take(task: &Task, pid: Pid, (at, to): (usize, usize), now: Ns, (masks, spans): (Option<&Masks>, Spans)) -> bool {
    let may_run = masks.map_or(!task.is_bound, |masks| masks.allows(pid, to));
    let is_near = at / spans.cache == to / spans.cache;
    may_run && (is_near || task.last as usize != at || now.minus(task.queued) > STAYS)
}
