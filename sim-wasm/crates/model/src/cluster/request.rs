//! One request of an instance for a block, from the session that asks to the session that has it, and where its time
//! went.
use crate::cluster::message::{Hold, Local, Member, Message};
use crate::ids::Reply;
use wwi_kernel::time::Ns;

/// Which request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestId(pub u32);

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A block that instances share.
    Block(u32),
    /// Blocks on disk that nobody holds, from this number on.
    Disk(u32),
    /// None: a notice to the master of a block.
    Notice(u32),
}

/// What for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Want {
    /// To read it as it was at some moment (CR).
    Read,
    /// To change it (current).
    Change,
}

impl Want {
    /// The least lock that does for it.
    pub fn needs(self) -> Hold {
        match self {
            Want::Read => Hold::Shared,
            Want::Change => Hold::Exclusive,
        }
    }
}

/// How far a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The session works to ask.
    Asking,
    /// It has asked.
    Asked,
    /// The reply has been sent.
    Replied,
}

/// What the requester gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// Nothing yet.
    Nothing,
    /// A copy as of its moment, and no lock.
    Copy,
    /// A shared lock.
    Shared,
    /// The exclusive lock.
    Exclusive,
    /// Leave to read from disk; of a shared block, to read what has come before.
    Read,
}

/// Where the time of a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The session works to ask.
    Send,
    /// Messages on their way.
    Wire,
    /// An LMS has been woken for it and does not run yet.
    Dispatch,
    /// It lies behind others in the queue of an LMS.
    Queue,
    /// An LMS works for it.
    Work,
    /// Until shared holders have given up, the block has come and is not pinned and a stay is over, or the global cache
    /// is set up anew.
    Defer,
    /// Until redo is on disk.
    Flush,
    /// The session is woken and does not run yet.
    WakeUp,
    /// It works to take what came.
    Receive,
}

/// Number of parts.
pub const PARTS: usize = Part::Receive as usize + 1;

/// A request under way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Request {
    /// About what.
    pub kind: Kind,
    /// What for.
    pub want: Want,
    /// Who asks.
    pub from: Member,
    /// Who serves it; of a grant the master; of a notice, who has the block from the holder.
    pub server: Member,
    /// What it gets.
    pub given: Given,
    /// It gets the block with it; of a copy, the block as it is, for nothing to be built.
    pub has_block: bool,
    /// Which gift of the exclusive lock it is; of a copy, with which the holder has it.
    pub stamp: u32,
    /// With which gift the server has the block that it gives away.
    pub held: u32,
    /// The server has it shared; where no block comes, who asks.
    pub was_shared: bool,
    /// The server has decided to give the block away for it, and holds it no longer.
    pub is_given_up: bool,
    /// How far it is.
    pub stage: Stage,
    /// The session that asked is gone: nobody waits for the reply.
    pub is_orphan: bool,
    /// Times.
    pub times: Times,
}

/// When things happened to a request, and who is to hear of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Times {
    /// Up to when its time is dealt to the parts.
    pub mark: Ns,
    /// Time of each part \[ns\].
    pub parts: [u64; PARTS],
    /// It was granted where it was asked, without a message.
    pub is_own: bool,
    /// It waited for redo, a pin or other holders.
    pub is_busy: bool,
    /// It lay too long in the queue of an LMS.
    pub is_congested: bool,
    /// Its block got lost, at least once.
    pub is_lost: bool,
    /// Its block is lost now.
    pub is_missing: bool,
    /// The requester has to finish the copy that it gets.
    pub is_light: bool,
    /// Where the session that asked is told.
    pub queue: u32,
    /// Number of that wait.
    pub wait: u32,
    /// Blocks that it is about.
    pub blocks: u32,
}

impl Times {
    /// Time up to a moment went there.
    pub fn pass(&mut self, part: Part, until: Ns) {
        self.parts[part as usize] += (until - self.mark).0;
        self.mark = until;
    }
    /// Where the session that asked is told.
    pub fn reply(&self) -> Reply {
        Reply { queue: crate::ids::QueueId(self.queue), wait: self.wait }
    }
}

impl Request {
    /// A new one.
    pub fn new(kind: Kind, want: Want, from: Member) -> Request {
        Request {
            kind,
            want,
            from,
            server: from,
            given: Given::Nothing,
            has_block: false,
            stamp: 0,
            held: 0,
            was_shared: false,
            is_given_up: false,
            stage: Stage::Asking,
            is_orphan: false,
            times: Times::default(),
        }
    }

    /// Whether the instance that a message about it is for has the block of which the message speaks.
    pub fn has_come_to(&self, message: Message, local: &Local) -> bool {
        match (message, self.given) {
            (Message::Forward, Given::Copy) => local.stamp >= self.stamp,
            (Message::Forward, Given::Exclusive) if !self.was_shared => local.stamp >= self.held,
            _ => local.hold != Hold::Null,
        }
    }

    /// Its reply has been sent, and has not got lost.
    pub fn is_delivered(&self) -> bool {
        self.stage == Stage::Replied && !self.times.is_missing
    }

    /// What comes with the reply is a copy that was built for it.
    pub fn is_built(&self) -> bool {
        self.given == Given::Copy && !self.has_block
    }

    /// The block that comes with the reply is as it is: the copy of it is the requester's to build.
    pub fn is_left_to_asker(&self) -> bool {
        self.times.is_light && self.brings_block()
    }

    /// A block comes with the reply.
    pub fn brings_block(&self) -> bool {
        self.has_block || self.given == Given::Copy
    }
}
