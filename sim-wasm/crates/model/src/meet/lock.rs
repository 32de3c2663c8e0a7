//! A table of locks, each held in modes by any number of owners, with conversions before new requests and no cycle of
//! waiters.
//!
//! An owner is whoever the caller numbers so. It holds one mode of a lock, or none, and waits for one request at
//! most, over all locks.
use super::lines::{Lock, Wait, Waiter};
pub use super::mode::Mode;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::time::Ns;

/// Who holds and asks. Numbers start at 0 and are dense: they are places in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner(pub u32);

/// A lock of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockId(pub u32);

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The owner holds what it asked for.
    Granted,
    /// The owner waits.
    Waits,
    /// The owner would wait for itself: nothing has changed.
    Refused,
}

/// Sums over a table since its start. Requests are those granted at once, those that waited and those refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockSums {
    /// Requests.
    pub requests: u64,
    /// Granted without a wait.
    pub at_once: u64,
    /// That had to wait, whatever became of them.
    pub waits: u64,
    /// Refused, for they would have closed a cycle of waiters.
    pub refused: u64,
    /// Of all requests: by owners that held a mode of the lock other than Null.
    pub conversions: u64,
    /// Of requests that waited and were granted: from request to grant.
    pub wait: Histogram,
}

#[derive(Clone, Debug, Default)]
struct Party {
    /// In order of the locks.
    holds: Vec<LockId>,
    waits: Option<Wait>,
}

impl Party {
    fn lists(&mut self, lock: LockId) {
        let place = self.holds.partition_point(|&held| held < lock);
        if self.holds.get(place) != Some(&lock) {
            self.holds.insert(place, lock);
        }
    }
}

/// Many locks, and who holds and waits for which.
#[derive(Clone, Debug, Default)]
pub struct Locks {
    locks: Vec<Lock>,
    /// By number of the owner.
    parties: Vec<Party>,
    tickets: u64,
    sums: LockSums,
}

impl LockSums {
    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &LockSums) -> LockSums {
        LockSums {
            requests: self.requests - earlier.requests,
            at_once: self.at_once - earlier.at_once,
            waits: self.waits - earlier.waits,
            refused: self.refused - earlier.refused,
            conversions: self.conversions - earlier.conversions,
            wait: self.wait.since(&earlier.wait),
        }
    }

    /// Adds the sums of another table or replication.
    pub fn add(&mut self, other: &LockSums) {
        self.requests += other.requests;
        self.at_once += other.at_once;
        self.waits += other.waits;
        self.refused += other.refused;
        self.conversions += other.conversions;
        self.wait.add(&other.wait);
    }
}

impl Locks {
    /// Adds a lock that nobody holds.
    pub fn create(&mut self) -> LockId {
        self.locks.push(Lock::default());
        LockId(self.locks.len() as u32 - 1)
    }

    /// The mode in which `owner` holds the lock; Null for not at all.
    pub fn held(&self, lock: LockId, owner: Owner) -> Mode {
        self.locks[lock.0 as usize].held(owner)
    }

    /// Asks for a mode. Who holds one already asks for the least that covers both, which is a conversion: granted if
    /// all other holders allow it, else it waits behind earlier conversions, and the old mode stays held. A new
    /// request is granted if all holders allow it and nobody waits, else it waits behind all others. If it waits,
    /// `wanted` gets the holders in its way, in order of grant. It is refused if its owner would, over whatever
    /// others, wait for itself, or waits already.
    pub fn request(&mut self, lock: LockId, owner: Owner, mode: Mode, now: Ns, wanted: &mut Vec<Owner>) -> Answer {
        self.admit(owner);
        let table = &mut self.locks[lock.0 as usize];
        let held = table.held(owner);
        let converts = held != Mode::Null;
        self.sums.requests += 1;
        self.sums.conversions += u64::from(converts);
        if self.parties[owner.0 as usize].waits.is_some() {
            self.sums.refused += 1;
            return Answer::Refused;
        }
        if held.covers(mode) {
            self.sums.at_once += 1;
            return Answer::Granted;
        }
        let mode = held.with(mode);
        let is_first = converts || (table.conversions.is_empty() && table.newcomers.is_empty());
        if is_first && table.may_hold(owner, mode) {
            table.hold(owner, mode);
            self.parties[owner.0 as usize].lists(lock);
            self.sums.at_once += 1;
            return Answer::Granted;
        }
        self.tickets += 1;
        let ticket = self.tickets;
        table.line(converts).push_back(Waiter { owner, mode, since: now, ticket });
        self.parties[owner.0 as usize].waits = Some(Wait { lock, converts, ticket });
        if self.waits_for_itself(owner) {
            self.locks[lock.0 as usize].line(converts).pop_back();
            self.parties[owner.0 as usize].waits = None;
            self.sums.refused += 1;
            return Answer::Refused;
        }
        self.sums.waits += 1;
        wanted.extend(self.locks[lock.0 as usize].in_the_way(owner, mode));
        Answer::Waits
    }

    /// Gives what is held down to a mode that it covers; to Null: lets go. Nothing happens if it does not cover that
    /// mode. Who waits to convert keeps its place in line. Appends to `granted` who then holds what it waited for,
    /// with the mode.
    pub fn give(&mut self, lock: LockId, owner: Owner, to: Mode, now: Ns, granted: &mut Vec<(Owner, Mode)>) {
        let table = &mut self.locks[lock.0 as usize];
        let Some(at) = table.holders.iter().position(|holder| holder.0 == owner) else { return };
        if !table.holders[at].1.covers(to) {
            return;
        }
        if to == Mode::Null {
            table.holders.remove(at);
            self.parties[owner.0 as usize].holds.retain(|&held| held != lock);
        } else {
            table.holders[at].1 = to;
        }
        self.serve(lock, now, granted);
    }

    /// What one owner holds another holds from now on, beside what it holds already: in its place among the holders,
    /// and whoever stands in line stands there still. Nothing happens if one of the two waits.
    pub fn pass(&mut self, lock: LockId, from: Owner, to: Owner) {
        self.admit(from.max(to));
        let waits = |owner: Owner| self.parties[owner.0 as usize].waits.is_some();
        if from == to || waits(from) || waits(to) {
            return;
        }
        let table = &mut self.locks[lock.0 as usize];
        let Some(place) = table.holders.iter().position(|holder| holder.0 == from) else { return };
        let mode = table.holders[place].1.with(table.held(to));
        table.holders.retain(|holder| holder.0 != to);
        table.holders.iter_mut().filter(|holder| holder.0 == from).for_each(|holder| *holder = (to, mode));
        self.parties[from.0 as usize].holds.retain(|&held| held != lock);
        self.parties[to.0 as usize].lists(lock);
    }

    /// The owner waits no longer: its time is out. It keeps what it holds.
    pub fn leave(&mut self, owner: Owner, now: Ns, granted: &mut Vec<(Owner, Mode)>) {
        let Some(party) = self.parties.get_mut(owner.0 as usize) else { return };
        let Some(wait) = party.waits.take() else { return };
        self.locks[wait.lock.0 as usize].line(wait.converts).retain(|waiter| waiter.ticket != wait.ticket);
        self.serve(wait.lock, now, granted);
    }

    /// The owner is gone: first its request is taken out, then it lets go of all it holds, in order of the locks.
    pub fn gone(&mut self, owner: Owner, now: Ns, granted: &mut Vec<(Owner, Mode)>) {
        self.leave(owner, now, granted);
        let Some(party) = self.parties.get_mut(owner.0 as usize) else { return };
        for lock in std::mem::take(&mut party.holds) {
            self.give(lock, owner, Mode::Null, now, granted);
        }
    }

    /// Sums so far.
    pub fn sums(&self) -> &LockSums {
        &self.sums
    }

    fn admit(&mut self, owner: Owner) {
        if self.parties.len() <= owner.0 as usize {
            self.parties.resize(owner.0 as usize + 1, Party::default());
        }
    }

    /// Grants what can be granted: conversions in order, and once none waits, newcomers in order.
    fn serve(&mut self, lock: LockId, now: Ns, granted: &mut Vec<(Owner, Mode)>) {
        let table = &mut self.locks[lock.0 as usize];
        while let Some(Waiter { owner, mode, since, .. }) = table.next() {
            table.hold(owner, mode);
            let party = &mut self.parties[owner.0 as usize];
            party.lists(lock);
            party.waits = None;
            self.sums.wait.record(now - since);
            granted.push((owner, mode));
        }
    }

    /// Whether `owner`, which waits, depends on itself: over holders in the way and over those served before, of the
    /// lock it waits for, of the locks those wait for, and so on.
    fn waits_for_itself(&self, owner: Owner) -> bool {
        let mut seen = vec![false; self.parties.len()];
        let mut open = vec![owner];
        while let Some(next) = open.pop() {
            let Some(wait) = self.parties[next.0 as usize].waits else { continue };
            let table = &self.locks[wait.lock.0 as usize];
            let (waiter, before) = table.standing(wait);
            for other in table.in_the_way(next, waiter.mode).chain(before) {
                if other == owner {
                    return true;
                }
                if !std::mem::replace(&mut seen[other.0 as usize], true) {
                    open.push(other);
                }
            }
        }
        false
    }
}

#[cfg(test)]
#[path = "lock_tests.rs"]
mod tests;
