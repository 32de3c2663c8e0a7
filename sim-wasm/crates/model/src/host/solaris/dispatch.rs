//! The dispatch queue of a thread: a line for each priority, and which of them have anybody.
//!
//! Source: illumos `uts/common/sys/disp.h`, `dispq_t` and `disp_qactmap`.
use super::{Task, TOP};
use crate::ids::Pid;

/// Those before and behind a process in its line. Who is the first of a line may have anybody before him.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    before: Pid,
    behind: Pid,
}

impl Links {
    pub(super) const NONE: Links = Links { before: Pid::NONE, behind: Pid::NONE };
}

#[derive(Clone, Copy, Debug)]
struct Line {
    first: Pid,
    last: Pid,
    length: u32,
}

/// Who waits at one thread, by level: the lowest level first, within a level in line.
#[derive(Clone, Debug)]
pub(super) struct Dispatch {
    lines: Vec<Line>,
    /// A bit for each line with somebody.
    active: u64,
    waiting: usize,
}

impl Dispatch {
    pub(super) fn new() -> Self {
        let line = Line { first: Pid::NONE, last: Pid::NONE, length: 0 };
        Dispatch { lines: vec![line; TOP as usize + 1], active: 0, waiting: 0 }
    }
    pub(super) fn len(&self) -> usize {
        self.waiting
    }
    pub(super) fn is_empty(&self) -> bool {
        self.active == 0
    }
    /// The level of the first in line; more than any where nobody waits.
    #[inline]
    pub(super) fn best(&self) -> u32 {
        self.active.trailing_zeros()
    }
    /// How many wait at a level.
    #[inline]
    pub(super) fn length(&self, level: u32) -> u32 {
        self.lines[level as usize].length
    }
    /// The first of all.
    #[inline]
    pub(super) fn first(&self) -> Option<Pid> {
        self.lines.get(self.best() as usize).map(|line| line.first)
    }

    #[inline]
    pub(super) fn push_tail(&mut self, pid: Pid, tasks: &mut [Task]) {
        let level = tasks[pid.i()].level();
        let line = self.joined(level);
        let before = std::mem::replace(&mut line.last, pid);
        match tasks.get_mut(before.i()) {
            Some(task) => task.links.behind = pid,
            None => line.first = pid,
        }
        tasks[pid.i()].links = Links { before, behind: Pid::NONE };
    }

    #[inline]
    pub(super) fn push_head(&mut self, pid: Pid, tasks: &mut [Task]) {
        let level = tasks[pid.i()].level();
        let line = self.joined(level);
        let behind = std::mem::replace(&mut line.first, pid);
        match tasks.get_mut(behind.i()) {
            Some(task) => task.links.before = pid,
            None => line.last = pid,
        }
        tasks[pid.i()].links = Links { before: Pid::NONE, behind };
    }

    fn joined(&mut self, level: u32) -> &mut Line {
        self.active |= 1 << level;
        self.waiting += 1;
        let line = &mut self.lines[level as usize];
        line.length += 1;
        line
    }

    /// Takes somebody out of the line of a level.
    #[inline]
    pub(super) fn remove(&mut self, level: u32, pid: Pid, tasks: &mut [Task]) {
        let Links { before, behind } = tasks[pid.i()].links;
        let line = &mut self.lines[level as usize];
        // Who takes the first looks at nobody else.
        if line.first == pid {
            line.first = behind;
            line.last = if behind == Pid::NONE { Pid::NONE } else { line.last };
        } else {
            tasks[before.i()].links.behind = behind;
            match tasks.get_mut(behind.i()) {
                Some(task) => task.links.before = before,
                None => line.last = before,
            }
        }
        line.length -= 1;
        self.active &= !(u64::from(line.length == 0) << level);
        self.waiting -= 1;
    }

    /// The level and the first of it, at this level or behind it.
    #[inline]
    pub(super) fn first_from(&self, level: u32) -> Option<(u32, Pid)> {
        let behind = self.active >> level << level;
        let level = behind.trailing_zeros();
        self.lines.get(level as usize).map(|line| (level, line.first))
    }

    /// Who comes behind somebody who waits at this level, in his line or at the head of a later one.
    #[inline]
    pub(super) fn behind(&self, level: u32, pid: Pid, tasks: &[Task]) -> Option<(u32, Pid)> {
        match tasks[pid.i()].links.behind {
            Pid::NONE => self.first_from(level + 1),
            next => Some((level, next)),
        }
    }

    /// Those who wait with their levels, the first first.
    pub(super) fn in_line<'a>(&'a self, tasks: &'a [Task]) -> impl Iterator<Item = (u32, Pid)> + 'a {
        std::iter::successors(self.first_from(0), |&(level, pid)| self.behind(level, pid, tasks))
    }
}
