//! The global cache: who holds which block in which mode, and which messages a request needs. It knows no time, no
//! process and no wire: whoever carries its messages may be as slow as it likes, as long as those from one instance to
//! another about one block arrive in the order in which they were sent.
//!
//! Each block has a master, which knows holders and is told of every request. It sets its books when it forwards a
//! request, not when the block has arrived: a holder that is asked for what it has yet to get keeps the message until
//! then. Shared holders are told to give up first, and the request waits at the master for their replies.
use crate::cluster::holder::Verdict;
use crate::cluster::message::{Effect, Hold, Line, Local, Member, Message, Send, NOBODY};
use crate::cluster::request::{Given, Kind, Request, RequestId, Want};
use wwi_kernel::time::Ns;

/// Contiguous blocks that have one master (`_lm_contiguous_res_count`).
pub const CONTIGUOUS: u32 = 128;

/// The books of a master about one block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Resource {
    /// Who holds it exclusively, or is about to.
    pub(super) exclusive: Member,
    /// Who holds it shared, or is about to: a bit each.
    pub(super) shared: u64,
    /// How often it was given exclusively.
    pub(super) stamp: u32,
    /// The request for which shared holders are giving up, and how many have yet to say so.
    pub(super) converting: Option<(RequestId, u8)>,
    /// Requests that wait for the end of that.
    pub(super) queue: Line<RequestId>,
}

/// The global cache of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GlobalCache {
    /// Who is master of something.
    pub(super) masters: Vec<Member>,
    pub(super) fairness: u8,
    pub(super) resources: Vec<Resource>,
    /// Of all blocks of the first instance, then of the second.
    pub(super) locals: Vec<Local>,
    /// All requests under way, with free places between them.
    pub(super) requests: Vec<Request>,
    pub(super) free: Vec<u32>,
    /// An empty list, kept to be filled.
    sends: Vec<Send>,
}

impl GlobalCache {
    /// So many blocks that nobody holds; `masters` are the instances among all that share them.
    pub fn new(masters: Vec<Member>, members: usize, blocks: u32, fairness: u32) -> GlobalCache {
        let resource = Resource { exclusive: NOBODY, shared: 0, stamp: 0, converting: None, queue: Line::EMPTY };
        let local = Local {
            hold: Hold::Null,
            stamp: 0,
            asked: None,
            releases: 0,
            copies: 0,
            pins: 0,
            stays: false,
            due: Ns::ZERO,
            is_due: false,
            changed: 0,
            kept: Line::EMPTY,
        };
        GlobalCache {
            masters,
            fairness: fairness.min(250) as u8,
            resources: vec![resource; blocks as usize],
            locals: vec![local; blocks as usize * members],
            requests: Vec::new(),
            free: Vec::new(),
            sends: Vec::new(),
        }
    }

    /// Number of blocks.
    pub fn blocks(&self) -> u32 {
        self.resources.len() as u32
    }

    /// Instances.
    pub fn masters(&self) -> &[Member] {
        &self.masters
    }

    /// Who holds a block at the start.
    pub fn starts_with(&mut self, block: u32, holder: Member, hold: Hold) {
        let resource = &mut self.resources[block as usize];
        match hold {
            Hold::Exclusive => resource.exclusive = holder,
            Hold::Shared => resource.shared |= 1 << holder,
            Hold::Null => {}
        }
        self.local_mut(holder, block).hold = hold;
    }

    /// At the start: an instance has read a block since it was last changed, and all messages of that have come.
    pub fn was_read(&mut self, block: u32, reader: Member) {
        let (holder, fairness) = (self.resources[block as usize].exclusive, self.fairness);
        if holder == reader {
            return;
        }
        if holder == NOBODY {
            return self.starts_with(block, reader, Hold::Shared);
        }
        let local = self.local_mut(holder, block);
        if local.copies < fairness {
            local.copies += 1;
            return;
        }
        local.copies = 0;
        self.resources[block as usize].exclusive = NOBODY;
        [holder, reader].into_iter().for_each(|member| self.starts_with(block, member, Hold::Shared));
    }

    /// The master of a block.
    pub fn master(&self, block: u32) -> Member {
        self.masters[(block / CONTIGUOUS) as usize % self.masters.len()]
    }

    /// How the master thinks that an instance holds a block.
    pub fn booked(&self, member: Member, block: u32) -> Hold {
        let resource = &self.resources[block as usize];
        match () {
            () if resource.exclusive == member => Hold::Exclusive,
            () if resource.shared >> member & 1 == 1 => Hold::Shared,
            () => Hold::Null,
        }
    }

    /// What an instance knows of a block.
    pub fn local(&self, member: Member, block: u32) -> &Local {
        &self.locals[usize::from(member) * self.resources.len() + block as usize]
    }

    /// The same, to change it.
    pub fn local_mut(&mut self, member: Member, block: u32) -> &mut Local {
        &mut self.locals[usize::from(member) * self.resources.len() + block as usize]
    }

    /// A request under way.
    pub fn request(&self, id: RequestId) -> &Request {
        &self.requests[id.0 as usize]
    }

    /// The same, to change it.
    pub fn request_mut(&mut self, id: RequestId) -> &mut Request {
        &mut self.requests[id.0 as usize]
    }

    /// Requests under way.
    pub fn under_way(&self) -> usize {
        self.requests.len() - self.free.len()
    }

    pub(super) fn add(&mut self, request: Request) -> RequestId {
        match self.free.pop() {
            Some(place) => {
                self.requests[place as usize] = request;
                RequestId(place)
            }
            None => {
                self.requests.push(request);
                RequestId(self.requests.len() as u32 - 1)
            }
        }
    }

    /// A request is over, or a message about none has been read.
    pub fn forget(&mut self, id: RequestId) {
        self.request_mut(id).is_orphan = false;
        self.free.push(id.0);
    }

    /// An instance decides to ask for a block that it does not hold as it wants. It asks for no other way of holding it
    /// until that is over.
    pub fn ask(&mut self, from: Member, block: u32, want: Want) -> RequestId {
        let id = self.add(Request::new(Kind::Block(block), want, from));
        self.local_mut(from, block).asked = Some(id);
        id
    }

    /// An instance asks to read blocks from disk that nobody holds.
    pub fn ask_to_read(&mut self, from: Member, master: Member, block: u32) -> RequestId {
        let id = self.add(Request::new(Kind::Disk(block), Want::Read, from));
        self.request_mut(id).server = master;
        id
    }

    /// Where a new request goes.
    pub fn master_of(&self, id: RequestId) -> Member {
        match self.request(id).kind {
            Kind::Block(block) => self.master(block),
            Kind::Disk(_) | Kind::Notice(_) => self.request(id).server,
        }
    }

    /// A message reaches an instance, `again` if it was kept: what that leads to, with all that the instance tells
    /// itself.
    pub fn handle(&mut self, me: Member, message: (Message, RequestId), again: bool, effects: &mut Vec<Effect>) {
        let mut todo = Vec::new();
        let mut next = Some((message, again));
        let mut sends = std::mem::take(&mut self.sends);
        while let Some(((message, id), again)) = next {
            match message {
                Message::Request => self.at_master(id, &mut sends),
                Message::Forward => match self.at_holder(id, again, &mut sends) {
                    Verdict::Keeps => self.request_mut(id).times.is_busy = true,
                    Verdict::Serves => effects.push(Effect::Serves(id)),
                },
                Message::Invalidate => {
                    if self.invalidate((id, me), again, &mut sends) == Verdict::Serves {
                        effects.push(Effect::GaveUp);
                    }
                }
                Message::Closed => self.closed(id, &mut sends),
                Message::DownConverted => self.down_converted(id, &mut sends),
                Message::Shared => {
                    self.shares(id);
                    self.forget(id);
                }
                Message::Flushed | Message::Resend => effects.push(Effect::Serves(id)),
                Message::Reply | Message::Kept | Message::Scn | Message::ScnAck => {}
            }
            let is_own = |send: &Send| send.to == me && send.message != Message::Reply;
            effects.extend(sends.iter().filter(|send| !is_own(send)).map(|&send| Effect::Sends(send)));
            // The last one in is the next one out.
            todo.extend(sends.iter().rev().filter(|send| is_own(send)).map(|own| ((own.message, own.request), false)));
            sends.clear();
            next = todo.pop();
        }
        self.sends = sends;
    }

    /// The master is told of a request: what it sends, a message to itself being something to do at once.
    pub fn at_master(&mut self, id: RequestId, sends: &mut Vec<Send>) {
        let Kind::Block(block) = self.request(id).kind else {
            self.request_mut(id).given = Given::Read;
            sends.push(Send { to: self.request(id).from, message: Message::Reply, request: id });
            return;
        };
        let resource = &mut self.resources[block as usize];
        if resource.converting.is_some() {
            resource.queue.push_back(id);
            return self.request_mut(id).times.is_busy = true;
        }
        match self.request(id).want {
            Want::Read => self.read(id, block, sends),
            Want::Change => self.change(id, block, sends),
        }
    }

    /// One of several holders: the master if it is one, else each of them for as many of the blocks.
    fn one_of(&self, holders: u64, block: u32) -> Member {
        let master = self.master(block);
        if holders >> master & 1 == 1 {
            return master;
        }
        // Not by bits of the block's number that say who of its LMS processes serves it.
        let turn = (block.wrapping_mul(0x9E37_79B9) >> 16) % holders.count_ones().max(1);
        (0..turn).fold(holders, |left, _| left & (left - 1)).trailing_zeros() as Member
    }

    fn read(&mut self, id: RequestId, block: u32, sends: &mut Vec<Send>) {
        let from = self.request(id).from;
        let resource = &mut self.resources[block as usize];
        let (exclusive, shared) = (resource.exclusive, resource.shared);
        if exclusive != NOBODY {
            let stamp = resource.stamp;
            let request = self.request_mut(id);
            (request.given, request.stamp, request.server) = (Given::Copy, stamp, exclusive);
            return sends.push(Send { to: exclusive, message: Message::Forward, request: id });
        }
        if shared >> from & 1 == 1 {
            // It has the block, and is about to hear of its lock.
            self.request_mut(id).was_shared = true;
            return self.grant(id, Given::Read, sends);
        }
        resource.shared |= 1 << from;
        if shared == 0 {
            return self.grant(id, Given::Shared, sends);
        }
        let server = self.one_of(shared, block);
        let request = self.request_mut(id);
        (request.given, request.server, request.has_block) = (Given::Shared, server, true);
        sends.push(Send { to: server, message: Message::Forward, request: id });
    }

    fn change(&mut self, id: RequestId, block: u32, sends: &mut Vec<Send>) {
        let from = self.request(id).from;
        let resource = &mut self.resources[block as usize];
        let others = resource.shared & !(1 << from);
        let is_holder = resource.shared >> from & 1 == 1;
        let is_given = resource.exclusive != NOBODY || others == 0;
        self.request_mut(id).was_shared = is_holder;
        if is_given {
            return self.gives(id, block, sends);
        }
        let server = if is_holder { NOBODY } else { self.one_of(others, block) };
        let mut closing = others;
        if server != NOBODY {
            closing &= !(1 << server);
        }
        if closing == 0 {
            return self.gives(id, block, sends);
        }
        self.resources[block as usize].converting = Some((id, closing.count_ones() as u8));
        self.request_mut(id).times.is_busy = true;
        let to = (0..u64::BITS as Member).filter(|member| closing >> member & 1 == 1);
        sends.extend(to.map(|to| Send { to, message: Message::Invalidate, request: id }));
    }

    /// Nobody but at most one server stands in the way of an exclusive lock any more.
    fn gives(&mut self, id: RequestId, block: u32, sends: &mut Vec<Send>) {
        let from = self.request(id).from;
        let resource = &mut self.resources[block as usize];
        let others = resource.shared & !(1 << from);
        let (before, held) = (resource.exclusive, resource.stamp);
        (resource.exclusive, resource.shared) = (from, 0);
        resource.stamp += 1;
        let stamp = resource.stamp;
        let server = if before != NOBODY { before } else { others.trailing_zeros() as Member };
        let request = self.request_mut(id);
        request.stamp = stamp;
        if before == NOBODY && others == 0 {
            return self.grant(id, Given::Exclusive, sends);
        }
        (request.given, request.server, request.has_block) = (Given::Exclusive, server, true);
        (request.held, request.was_shared) = (held, before == NOBODY);
        sends.push(Send { to: server, message: Message::Forward, request: id });
    }

    /// Nobody has the block but who asks, or nobody at all.
    fn grant(&mut self, id: RequestId, given: Given, sends: &mut Vec<Send>) {
        let Kind::Block(block) = self.request(id).kind else { return };
        let master = self.master(block);
        let request = self.request_mut(id);
        (request.given, request.server) = (given, master);
        sends.push(Send { to: request.from, message: Message::Reply, request: id });
    }

    /// The master hears that a shared holder gave up.
    fn closed(&mut self, id: RequestId, sends: &mut Vec<Send>) {
        let Kind::Block(block) = self.request(id).kind else { return };
        let Some((_, left)) = &mut self.resources[block as usize].converting else { return };
        *left -= 1;
        if *left > 0 {
            return;
        }
        let from = self.request(id).from;
        let resource = &mut self.resources[block as usize];
        resource.converting = None;
        // One that ships the block is left, if who asks has none.
        let is_holder = resource.shared >> from & 1 == 1;
        let others = resource.shared & !(1 << from);
        let left = if is_holder { 0 } else { 1 << self.one_of(others, block) };
        self.resources[block as usize].shared = left;
        self.gives(id, block, sends);
        while let Some(next) = self.resources[block as usize].queue.pop_front() {
            self.at_master(next, sends);
            if self.resources[block as usize].converting.is_some() {
                break;
            }
        }
    }

    /// The master hears that an exclusive holder gave its lock down. It tells whom that has sent the block: of what it
    /// tells it later, that it is to give up, it hears later.
    fn down_converted(&mut self, id: RequestId, sends: &mut Vec<Send>) {
        let &Request { kind: Kind::Notice(block), from, stamp, server, .. } = self.request(id) else { return };
        if self.becomes_shared(block, (from, stamp), server) && server != from {
            self.request_mut(id).given = Given::Shared;
            return sends.push(Send { to: server, message: Message::Shared, request: id });
        }
        self.forget(id);
    }

    /// The books of a block whose exclusive holder gave its lock down, unless it is promised to another since: that
    /// and `reader` hold it shared. Whether it is so.
    pub(super) fn becomes_shared(&mut self, block: u32, (holder, stamp): (Member, u32), reader: Member) -> bool {
        let resource = &mut self.resources[block as usize];
        let is_so = resource.exclusive == holder && resource.stamp == stamp;
        if is_so {
            (resource.exclusive, resource.shared) = (NOBODY, 1 << holder | 1 << reader);
        }
        is_so
    }

    /// The requester has what it asked for, and its session has run to use it.
    pub fn complete(&mut self, id: RequestId) {
        let &Request { kind, from, given, stamp, .. } = self.request(id);
        let Kind::Block(block) = kind else { return };
        let local = self.local_mut(from, block);
        local.asked = None;
        match given {
            Given::Exclusive => (local.hold, local.stamp, local.copies) = (Hold::Exclusive, stamp, 0),
            Given::Shared => local.hold = Hold::Shared,
            Given::Copy | Given::Read | Given::Nothing => {}
        }
    }
}
