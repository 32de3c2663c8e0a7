//! What joins instances: the global cache with its protocol, the interconnect, and what LMS processes know. It knows no
//! scheduler and no program.
use crate::cluster::css::Css;
use crate::cluster::interconnect::Interconnect;
use crate::cluster::message::{Effect, Member, Message, Send};
use crate::cluster::protocol::GlobalCache;
use crate::cluster::request::RequestId;
use crate::config::cluster::ClusterConfig;
use crate::ids::{QueueId, Reply};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

pub mod css;
mod holder;
pub mod interconnect;
pub mod message;
pub mod parallel;
pub mod protocol;
#[cfg(test)]
mod protocol_tests;
pub mod recovery;
pub mod request;

/// Consecutive blocks that one LMS of an instance serves, before the next ones are the next LMS's
/// (`_blocks_per_cache_server`, "number of consecutive blocks per global cache server": 16 in a list of the hidden
/// parameters of 19c, 32 in one of 11.2).
const CONSECUTIVE: u32 = 16;
/// Set in numbers that are no block's.
const NO_BLOCKS: u32 = 1 << 31;

/// One LMS process as others know it.
#[derive(Clone, Debug)]
pub struct Lms {
    /// Where messages come.
    pub queue: QueueId,
    /// Where the log writer tells one that waits for nothing else.
    pub flushed: QueueId,
    /// When it last took its first step after a sleep.
    pub awake: Ns,
    /// It has slept, and not yet paid for its waking.
    pub slept: bool,
    /// What it sends once its work is done.
    pub sends: Vec<Send>,
    /// Requests whose blocks wait for redo once its work is done.
    pub flushes: Vec<RequestId>,
    /// Whose commits it posts once its work for that is done.
    pub posts: Vec<Reply>,
    /// How many blocks wait for redo.
    pub flushing: u32,
    /// Messages of instances in its queue.
    pub buffered: u32,
}

/// A message that found the receive buffer of an LMS full, and has yet to come again.
#[derive(Clone, Copy, Debug)]
pub struct Dropped {
    /// Where the world keeps it.
    pub place: u32,
    /// From whom, to whom, and which block it is about.
    pub about: (Member, Member, u32),
}

/// The cluster of all instances with a database.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// As it is set.
    pub config: ClusterConfig,
    /// Who holds what.
    pub cache: GlobalCache,
    /// The private network.
    pub interconnect: Interconnect,
    /// By their places: bytes of messages that the port of a host has yet to take.
    pub untaken: Vec<u32>,
    /// LMS processes by instance; none where it has no database.
    pub lms: Vec<Vec<Lms>>,
    /// Who waits until another session of its instance has a block, or until that has left.
    pub waiters: Vec<((Member, u32), Reply)>,
    /// Which blocks are asked for, by instance.
    pub draws: Vec<Stream>,
    /// Where LMD and LCK0 of an instance are told of locks.
    pub lock_servers: Vec<[QueueId; 2]>,
    /// Messages that were dropped, in order of what they are about, and those about one block as they first came.
    pub dropped: Vec<Dropped>,
    /// Empty lists, kept to be filled.
    pub effects: Vec<Effect>,
    /// The same.
    pub sends: Vec<Send>,
    /// Heartbeats, and who left; `None`: nobody ever does.
    pub css: Option<Css>,
}

impl Cluster {
    /// Blocks may get lost on the wire: who waits for one asks again.
    pub fn asks_again(&self) -> bool {
        self.config.interconnect.lost > 0.0
    }

    /// Who waits for a reply may be woken before it has come: to ask again, or because an instance has left.
    pub fn wakes_in_vain(&self) -> bool {
        self.asks_again() || self.css.is_some()
    }

    /// The LMS of an instance for messages about a block: as many consecutive ones have the same. What is about no
    /// block has one by turns.
    pub fn lms_of(&self, member: Member, number: u32) -> usize {
        let turn = if number < NO_BLOCKS { number / CONSECUTIVE } else { number };
        turn as usize % self.lms[usize::from(member)].len().max(1)
    }

    /// What decides which LMS a message is for: the block, so that messages about one block keep their order.
    /// Those about commits need not: whoever knows of one knows of all before.
    pub fn number_of(&self, message: Message, id: RequestId) -> u32 {
        if message.is_of_scn() {
            return id.0 | NO_BLOCKS;
        }
        match self.cache.request(id).kind {
            request::Kind::Block(block) | request::Kind::Notice(block) | request::Kind::Disk(block) => block,
        }
    }

    /// Whether an instance has left.
    pub fn has_left(&self, member: Member) -> bool {
        self.css.as_ref().is_some_and(|css| css.evictions.iter().any(|gone| gone.member == member))
    }

    /// Whether nobody may ask for a block now.
    pub fn is_frozen(&self, now: Ns) -> bool {
        self.css.as_ref().is_some_and(|css| now < css.frozen_until)
    }

    /// Who waits for a block here need not any more.
    pub fn release(&mut self, member: Member, block: u32) -> Vec<Reply> {
        let is_one = |(of, _): &((Member, u32), Reply)| *of == (member, block);
        if !self.waiters.iter().any(is_one) {
            return Vec::new();
        }
        let replies = self.waiters.iter().filter(|one| is_one(one)).map(|one| one.1).collect();
        self.waiters.retain(|one| !is_one(one));
        replies
    }
}
