//! A sequence of the instances that share it: who has which values, which locks, and who waits. It knows no process and
//! no time but the flush of the shared pool.
use crate::cluster::message::{Member, NOBODY};
use crate::config::sequence::SequenceConfig;
use crate::ids::Reply;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// One of the two locks that instances hand one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The row cache lock of the row in SEQ$.
    Row = 0,
    /// SV: with ORDER the next value travels with it.
    Order = 1,
}

/// A lock that one instance has until another wants it.
#[derive(Clone, Debug)]
pub struct GlobalLock {
    /// Who has it, or is about to; at the start nobody.
    owner: Member,
    /// A session of the owner uses it.
    in_use: bool,
    /// It is on its way to the owner.
    travels: bool,
    /// Who wants it, as the owner knows.
    wanted: VecDeque<Member>,
    /// When the owner hears of others, where that is known before.
    coming: VecDeque<Ns>,
    /// Who wants it, as the master knows and has not told the owner.
    queue: VecDeque<Member>,
    /// For whom the master has told the owner, and heard nothing yet.
    told: Option<Member>,
    /// Where the session of an instance is told that asked for it.
    asked: Vec<Option<Reply>>,
}

impl GlobalLock {
    fn new(instances: usize) -> GlobalLock {
        GlobalLock {
            owner: NOBODY,
            in_use: false,
            travels: false,
            wanted: VecDeque::new(),
            coming: VecDeque::new(),
            queue: VecDeque::new(),
            told: None,
            asked: vec![None; instances],
        }
    }

    /// A session of an instance uses it from now on, if its instance has it and has not heard of anybody else.
    pub fn take(&mut self, member: Member, now: Ns) -> bool {
        let is_wanted = !self.wanted.is_empty() || self.coming.front().is_some_and(|&at| at <= now);
        let is_here = self.owner == member && !self.in_use && !self.travels && !is_wanted;
        self.in_use |= is_here;
        is_here
    }

    /// The owner hears at a moment that somebody wants it.
    pub fn will_hear(&mut self, at: Ns) {
        self.coming.push_back(at);
    }

    /// Somebody of an instance asks for it.
    pub fn asks(&mut self, member: Member, reply: Reply) {
        self.asked[usize::from(member)] = Some(reply);
    }

    /// Where who asked is told.
    pub fn reply_to(&self, member: Member) -> Option<Reply> {
        self.asked[usize::from(member)]
    }

    /// The owner.
    pub fn owner(&self) -> Member {
        self.owner
    }

    /// A request comes to its master. Whom to tell that it is wanted, and by whom.
    pub fn came(&mut self, member: Member) -> Option<(Member, Member)> {
        // Who asked may be gone, and have been served in another's place.
        if self.asked[usize::from(member)].is_some() {
            self.queue.push_back(member);
        }
        self.tells()
    }

    /// The master tells the owner of the next who wants it, if it has not told of another.
    fn tells(&mut self) -> Option<(Member, Member)> {
        if self.told.is_some() {
            return None;
        }
        self.told = self.queue.pop_front();
        Some((self.owner, self.told?))
    }

    /// The owner hears that it is wanted. Who gets it now, if no session uses it.
    pub fn heard(&mut self, member: Member) -> Option<Member> {
        self.coming.pop_front();
        self.wanted.push_back(member);
        self.leaves()
    }

    /// The session of an instance that asked for it is gone. Who gets it then, if it was on its way there.
    pub fn forget(&mut self, member: Member) -> Option<Member> {
        self.asked[usize::from(member)] = None;
        self.queue.retain(|&other| other != member);
        if self.owner == member && self.travels && self.told != Some(member) {
            self.travels = false;
        }
        self.leaves()
    }

    /// The session that used it does not any more. Whether somebody else waits for that.
    pub fn done(&mut self) -> bool {
        self.in_use = false;
        !self.wanted.is_empty()
    }

    /// Who asked has it now, if nobody has it.
    pub fn is_free_for(&mut self, member: Member) -> bool {
        let is_free = self.owner == NOBODY;
        if is_free {
            (self.owner, self.travels) = (member, true);
        }
        is_free
    }

    /// It leaves for the next who wants it, if it can.
    pub fn leaves(&mut self) -> Option<Member> {
        if self.in_use || self.travels {
            return None;
        }
        let next = self.wanted.pop_front()?;
        (self.owner, self.travels) = (next, true);
        Some(next)
    }

    /// The master has it for who asked. Whom to tell next, and of whom.
    pub fn came_back(&mut self) -> Option<(Member, Member)> {
        self.told = None;
        self.tells()
    }

    /// It has come: to a session that uses it, or to nobody, where that is gone.
    pub fn arrives(&mut self, member: Member, is_used: bool) {
        debug_assert!(self.owner == member && self.travels, "it comes to who asked");
        (self.travels, self.in_use) = (false, is_used);
        self.asked[usize::from(member)] = None;
    }
}

/// What an instance has of a sequence.
#[derive(Clone, Debug, Default)]
struct Own {
    /// The next value and the last.
    values: (u64, u64),
    /// How often the shared pool had been flushed when it got them.
    flushes: u64,
    /// A session is within the gate.
    is_closed: bool,
    /// Who waits to pass it.
    line: VecDeque<Reply>,
}

/// How a session finds the sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It has a value.
    Value(u64),
    /// It has passed the gate, as the only one.
    Passed,
    /// It has to wait.
    Closed,
}

/// A sequence.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// As it is set; what is said of an instance's own use is the first one's.
    pub config: SequenceConfig,
    /// The highest value in SEQ$.
    high: u64,
    own: Vec<Own>,
    /// Values that all share (ORDER).
    shared: (u64, u64),
    /// Flushes after which somebody has looked at these.
    shared_flushes: u64,
    locks: [GlobalLock; 2],
    /// Who changed the row last: its block is there.
    pub block_at: Member,
}

fn take(values: &mut (u64, u64)) -> Option<u64> {
    let next = values.0;
    (next <= values.1 && next > 0).then(|| {
        values.0 += 1;
        next
    })
}

/// Values left.
fn left((next, last): (u64, u64)) -> u64 {
    if next == 0 {
        0
    } else {
        last + 1 - next
    }
}

impl Sequence {
    /// Nobody has a value or a lock; one instance has the block.
    pub fn new(config: SequenceConfig, instances: usize, first: Member) -> Sequence {
        let lock = || GlobalLock::new(instances);
        Sequence {
            config,
            high: 0,
            own: vec![Own::default(); instances],
            shared: (0, 0),
            shared_flushes: 0,
            locks: [lock(), lock()],
            block_at: first,
        }
    }

    /// One of its locks.
    pub fn lock(&mut self, which: Which) -> &mut GlobalLock {
        &mut self.locks[which as usize]
    }

    /// Instances take values in one order, and not each its own.
    pub fn has_order(&self) -> bool {
        self.config.is_ordered && self.config.cache > 1
    }

    /// The highest value in SEQ$.
    pub fn high(&self) -> u64 {
        self.high
    }

    /// A session of an instance looks for a value; as the only one, where there is none for it.
    pub fn look(&mut self, member: Member) -> Found {
        if !self.has_order() {
            if let Some(value) = take(&mut self.own[usize::from(member)].values) {
                return Found::Value(value);
            }
        }
        let own = &mut self.own[usize::from(member)];
        if own.is_closed {
            return Found::Closed;
        }
        own.is_closed = true;
        Found::Passed
    }

    /// It waits to pass the gate.
    pub fn waits(&mut self, member: Member, reply: Reply) {
        self.own[usize::from(member)].line.push_back(reply);
    }

    /// Within the gate: a value, if there is one by now; with ORDER its session has that lock.
    pub fn take(&mut self, member: Member) -> Option<u64> {
        match self.has_order() {
            true => take(&mut self.shared),
            false => take(&mut self.own[usize::from(member)].values),
        }
    }

    /// The row is changed: values for an instance.
    pub fn changed(&mut self, member: Member) {
        let from = self.high + 1;
        self.high += u64::from(self.config.cache.max(1));
        let values = (from, self.high);
        match self.has_order() {
            true => self.shared = values,
            false => self.own[usize::from(member)].values = values,
        }
    }

    /// The shared pool of an instance has been flushed so often. Values that are lost by that.
    pub fn flushed(&mut self, member: Member, flushes: u64) -> u64 {
        let own = &mut self.own[usize::from(member)];
        let looks = |seen: &mut u64, values: &mut (u64, u64)| match std::mem::replace(seen, flushes) {
            before if before == flushes => 0,
            _ => left(std::mem::take(values)),
        };
        looks(&mut own.flushes, &mut own.values) + looks(&mut self.shared_flushes, &mut self.shared)
    }

    /// How often the shared pool has been flushed.
    pub fn flushes(&self, now: Ns) -> u64 {
        now.0.checked_div(self.config.flush.0).unwrap_or(0)
    }

    /// Values that an instance has and nobody took; those that all share are the first one's.
    pub fn left(&self, member: Member) -> u64 {
        left(self.own[usize::from(member)].values) + if member == 0 { left(self.shared) } else { 0 }
    }

    /// A session leaves the gate. Who passes next.
    pub fn opens(&mut self, member: Member) -> Option<Reply> {
        let own = &mut self.own[usize::from(member)];
        let next = own.line.pop_front();
        own.is_closed = next.is_some();
        next
    }

    /// A session that waited at the gate is gone. Whether it stood there still; else it has passed.
    pub fn forget(&mut self, member: Member, reply: Reply) -> bool {
        let line = &mut self.own[usize::from(member)].line;
        let before = line.len();
        line.retain(|other| *other != reply);
        line.len() < before
    }
}

/// Which lock, and of what is told, as the tag of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// To the master: an instance wants it.
    Asks = 0,
    /// To the holder: another wants it.
    Wanted = 1,
    /// To the holder: its session is done with it.
    Done = 2,
    /// To the master: it may go to who asked.
    Released = 3,
}

/// As the tag of an item.
pub fn tag(verb: Verb, which: Which, member: Member) -> u32 {
    (verb as u32) << 16 | (which as u32) << 8 | u32::from(member)
}

/// What a tag says.
pub fn read(tag: u32) -> (Verb, Which, Member) {
    let verb = [Verb::Asks, Verb::Wanted, Verb::Done, Verb::Released][(tag >> 16) as usize & 3];
    let which = if tag >> 8 & 1 == 1 { Which::Order } else { Which::Row };
    (verb, which, (tag & 255) as Member)
}
