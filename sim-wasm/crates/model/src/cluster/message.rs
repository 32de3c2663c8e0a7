//! What instances tell one another of a block, and what each knows of it.
use crate::cluster::request::RequestId;
use std::collections::VecDeque;
use wwi_kernel::time::Ns;

/// An instance of the cluster, by its number among all instances.
pub type Member = u8;
/// No instance.
pub const NOBODY: Member = Member::MAX;
/// The lock of an instance on a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// None.
    #[default]
    Null,
    /// It may read.
    Shared,
    /// It alone may read and change.
    Exclusive,
}

/// A message about a request, or a task for an LMS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Message {
    /// To the master: somebody wants a block.
    Request,
    /// To a holder: it is to serve it.
    Forward,
    /// To a shared holder: it is to give it up.
    Invalidate,
    /// To the master: a shared holder did.
    Closed,
    /// To the master: an exclusive holder gave its lock down to shared.
    DownConverted,
    /// To whom that sent the block, by the master: it holds it shared.
    Shared,
    /// To the requester: the block, or leave to read it from disk.
    Reply,
    /// To an LMS by the log writer: the redo of a block is on disk.
    Flushed,
    /// To the server of a block: it got lost.
    Resend,
    /// To an LMS by a session: messages about a block need not be kept any more. The number is that of the block.
    Kept,
    /// To each other instance by a log writer: the SCN of commits. The number says which broadcast of which instance.
    Scn,
    /// To that instance: it is known here. The number says which broadcast, and who answers.
    ScnAck,
}

impl Message {
    /// Whether it is about commits, and not about a block.
    pub fn is_of_scn(self) -> bool {
        matches!(self, Message::Scn | Message::ScnAck)
    }
}

/// A message that is to go to an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Send {
    /// To whom.
    pub to: Member,
    /// What it says.
    pub message: Message,
    /// About which request.
    pub request: RequestId,
}

/// A line in which mostly nothing stands: then it takes no memory but a word. There is one for each block and instance.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(clippy::box_collection, reason = "an empty one takes four words by itself")]
pub(super) struct Line<T>(Option<Box<VecDeque<T>>>);

impl<T> Line<T> {
    pub const EMPTY: Line<T> = Line(None);

    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    pub fn front(&self) -> Option<&T> {
        self.0.as_ref()?.front()
    }

    pub fn push_back(&mut self, one: T) {
        self.0.get_or_insert_default().push_back(one);
    }

    pub fn pop_front(&mut self) -> Option<T> {
        let line = self.0.as_mut()?;
        let first = line.pop_front();
        if line.is_empty() {
            self.0 = None;
        }
        first
    }
}

/// What an instance knows of one block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Local {
    /// Its lock.
    pub hold: Hold,
    /// With which gift of the exclusive lock it last had that.
    pub stamp: u32,
    /// Its own request, from the moment it is decided on.
    pub asked: Option<RequestId>,
    /// A block that was given away waits for its redo; nobody here may ask for it until it has left.
    pub releases: u16,
    /// Copies built for others since it was last changed here.
    pub(super) copies: u8,
    /// Sessions that have changed it and are not done with it.
    pub pins: u16,
    /// Others stand in line to change it, and a message that would take it away grants them a stay.
    pub stays: bool,
    /// When the stay is over of a message that is kept with the block here; zero: none is.
    pub due: Ns,
    /// It is over, or there was none: nobody pins the block any more, and it goes as soon as nobody has it pinned.
    pub is_due: bool,
    /// End of the redo of its last change here \[bytes\].
    pub changed: u64,
    /// Messages that wait for a block to come: until the session that asked for it has it.
    pub(super) kept: Line<(Message, RequestId)>,
}

impl Local {
    /// Whether nobody keeps it from being taken away: it has no pin, and there is no stay, or that is over. Only who
    /// holds it exclusively can let others change it meanwhile.
    pub(super) fn is_free(&self) -> bool {
        self.pins == 0 && (!self.stays || self.is_due || self.hold != Hold::Exclusive)
    }
}

/// What a message leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Another message.
    Sends(Send),
    /// The block of this request is to go to who asked.
    Serves(RequestId),
    /// A shared lock was given up.
    GaveUp,
}

/// How many bits of an item's tag are the number of a request or a block.
const NUMBER: u32 = 28;
/// In the place of a block: none.
pub const NO_BLOCK: RequestId = RequestId((1 << NUMBER) - 1);
const MESSAGES: [Message; 12] = [
    Message::Request,
    Message::Forward,
    Message::Invalidate,
    Message::Closed,
    Message::DownConverted,
    Message::Shared,
    Message::Reply,
    Message::Flushed,
    Message::Resend,
    Message::Kept,
    Message::Scn,
    Message::ScnAck,
];

/// A message as the tag of an item.
pub fn tag(message: Message, id: RequestId) -> u32 {
    (message as u32) << NUMBER | id.0
}

/// The message that a tag says.
pub fn message(tag: u32) -> (Message, RequestId) {
    (MESSAGES[(tag >> NUMBER) as usize % MESSAGES.len()], RequestId(tag & ((1 << NUMBER) - 1)))
}
