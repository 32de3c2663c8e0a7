//! One lock: its holders, and the two lines of those who wait for it.
use super::lock::{LockId, Owner};
use super::mode::Mode;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// A request that waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiter {
    pub(super) owner: Owner,
    pub(super) mode: Mode,
    pub(super) since: Ns,
    /// Grows from one waiter of the table to the next: where it stands in its line is found by it.
    pub(super) ticket: u64,
}

/// Who holds a lock, and who waits for it: conversions, served first, and new requests.
#[derive(Clone, Debug, Default)]
pub(super) struct Lock {
    /// In order of their first grant.
    pub(super) holders: Vec<(Owner, Mode)>,
    pub(super) conversions: VecDeque<Waiter>,
    pub(super) newcomers: VecDeque<Waiter>,
}

/// Where an owner waits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wait {
    pub(super) lock: LockId,
    pub(super) converts: bool,
    pub(super) ticket: u64,
}

impl Lock {
    pub(super) fn held(&self, owner: Owner) -> Mode {
        self.holders.iter().find(|holder| holder.0 == owner).map_or(Mode::Null, |holder| holder.1)
    }

    /// Those whose mode keeps `owner` from holding `mode`, in order of grant.
    pub(super) fn in_the_way(&self, owner: Owner, mode: Mode) -> impl Iterator<Item = Owner> + '_ {
        self.holders.iter().filter(move |holder| holder.0 != owner && !mode.compatible(holder.1)).map(|holder| holder.0)
    }

    pub(super) fn may_hold(&self, owner: Owner, mode: Mode) -> bool {
        self.in_the_way(owner, mode).next().is_none()
    }

    pub(super) fn hold(&mut self, owner: Owner, mode: Mode) {
        match self.holders.iter_mut().find(|holder| holder.0 == owner) {
            Some(holder) => holder.1 = mode,
            None => self.holders.push((owner, mode)),
        }
    }

    pub(super) fn line(&mut self, converts: bool) -> &mut VecDeque<Waiter> {
        if converts {
            &mut self.conversions
        } else {
            &mut self.newcomers
        }
    }

    /// Takes out the waiter that is served next, if it may hold what it asks for.
    pub(super) fn next(&mut self) -> Option<Waiter> {
        let converts = !self.conversions.is_empty();
        let first = *self.line(converts).front()?;
        if !self.may_hold(first.owner, first.mode) {
            return None;
        }
        self.line(converts).pop_front()
    }

    /// That waiter, and who is served just before it, if anybody; that one in turn has all others before it.
    pub(super) fn standing(&self, wait: Wait) -> (Waiter, Option<Owner>) {
        let line = if wait.converts { &self.conversions } else { &self.newcomers };
        let at = line.partition_point(|waiter| waiter.ticket < wait.ticket);
        let before = match at {
            0 if wait.converts => None,
            0 => self.conversions.back(),
            at => line.get(at - 1),
        };
        (line[at], before.map(|waiter| waiter.owner))
    }
}
