//! What an instance has whose transactions change blocks: redo, cache, and what its processes know of one another.
use crate::cluster::request::{RequestId, Want};
use crate::config::database::{DatabaseConfig, WRITERS_WAKE};
use crate::ids::{DeviceId, QueueId, Reply};
use crate::instance::aged::Aged;
use crate::instance::answering::Pace;
use crate::instance::cache::ahead::Course;
use crate::instance::cache::Cache;
use crate::instance::pins::{Pinned, Pins};
use crate::instance::redo::Redo;
use crate::instance::sequence::Which;
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// A background process as others know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ear {
    /// Where it is posted.
    pub queue: QueueId,
    /// It is awake: no post is needed.
    pub is_awake: bool,
    /// Somebody would have posted it since it woke, or since it began to look again.
    pub looks_again: bool,
}

impl Ear {
    /// Somebody wants it to look: whether he has to wake it for that.
    pub fn must_wake(&mut self) -> bool {
        let was_awake = std::mem::replace(&mut self.is_awake, true);
        self.looks_again |= was_awake;
        !was_awake
    }
}

/// A server process and its transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreground {
    /// Where its client's calls come; it calls itself where there is no client.
    pub calls: QueueId,
    /// Where it is told that a wait is over.
    pub posts: QueueId,
    /// Where its client waits.
    pub client: Option<QueueId>,
    /// Number of its last such wait: what comes for an earlier one is void.
    pub wait: u32,
    /// Calls of the transaction so far.
    pub done: u32,
    /// Of the call in which it starts so much is left.
    pub rest: Option<f64>,
    /// Transactions of the call that have ended.
    pub ended: u32,
    /// Its transaction only reads.
    pub is_query: bool,
    /// Changes of the transaction, and of those so many made.
    pub changes: (u32, u32),
    /// Buffers to be changed, kept while it waits for one that is being written or for another one.
    pub buffers: Vec<u32>,
    /// Its next change is one for which it lacks a clean buffer.
    pub lacks_clean: bool,
    /// Reads that its call has yet to do, the one under way included.
    pub reads_left: u32,
    /// Buffers that it has taken for the next one.
    pub taken: u32,
    /// Working set from which it takes them.
    pub set: usize,
    /// End of its redo.
    pub end: u64,
    /// When it began to wait for that.
    pub came: Ns,
    /// It sleeps and looks whether that is on disk.
    pub polls: bool,
    /// It works to ask a log writer that is awake to look again.
    pub leaves_word: bool,
    /// Shared blocks that its call has yet to read and to change.
    pub gets: (u32, u32),
    /// The one that it needs now, and what for.
    pub get: Option<(u32, Want)>,
    /// Changes of contended blocks.
    pub contended: Contended,
    /// A block that it has changed and not done with.
    pub pinned: Option<Pinned>,
    /// What it asked other instances for.
    pub request: Option<RequestId>,
    /// It may read from disk.
    pub has_leave: bool,
    /// Values that its call has yet to take from the sequence.
    pub values: u32,
    /// Leaves, as numbers of blocks, into which it has yet to insert those that it has.
    pub inserts: VecDeque<u32>,
    /// What it has or waits for to take one.
    pub nextval: Nextval,
}

/// A session's changes of contended blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contended {
    /// In its transaction.
    pub all: u32,
    /// That its call has yet to make.
    pub left: u32,
    /// The block that it needs now.
    pub at: Option<u32>,
}

/// What a session has, or waits for, that takes a value from a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nextval {
    /// Nothing.
    #[default]
    Out,
    /// It waits to pass the gate.
    AtGate(Reply),
    /// It has passed.
    Within(Within),
}

/// What a session has or waits for within the gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Within {
    /// Locks that it uses, by [`Which`].
    pub holds: [bool; 2],
    /// The lock that it has asked for.
    pub asked: Option<Which>,
    /// What it needs next of the block of SEQ$.
    pub needs: Option<Want>,
}

/// One database writer.
#[derive(Clone, Debug)]
pub struct Writer {
    /// Where it is posted.
    pub ear: Ear,
    /// Where its writes come back, with the number of the buffer.
    pub completions: QueueId,
    /// Writes under way.
    pub under_way: u32,
    /// Buffers of the batch that it prepares.
    pub batch: Vec<u32>,
    /// Buffers that it has chosen and will write once redo up to there is on disk.
    pub put_off: Vec<(u64, u32)>,
    /// Whom it is to post.
    pub posts: VecDeque<Reply>,
    /// The position of a checkpoint that it has told to be reached.
    pub told: u64,
    /// What it chose last was for sessions that wait, if there were any.
    pub serves_waiting: bool,
    /// The set whose list it last chose from.
    pub chose: usize,
}

/// When writers look that have been at work for hours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// From one look at which nothing is left to do to the next.
    pub apart: Ns,
    /// Share of the time that they are at work, 1 where the storage decides.
    pub busy: f64,
}

impl Looks {
    /// When one is first at work, by a moment of the 3 s at most that one sleeps.
    pub fn first(&self, moment: Ns) -> Ns {
        let moment = moment.0 as f64 / WRITERS_WAKE.0 as f64;
        let asleep = (moment - self.busy).max(0.0) / (1.0 - self.busy).max(f64::MIN_POSITIVE);
        Ns(1 + (asleep * self.apart.0 as f64) as u64)
    }
}

/// The database of one instance.
#[derive(Clone, Debug)]
pub struct Database {
    /// As it is set.
    pub config: DatabaseConfig,
    /// Redo and logs.
    pub redo: Redo,
    /// Buffer cache.
    pub cache: Cache,
    /// Up to when its dirty buffers are summed over time.
    pub summed: Ns,
    /// Device of the data files.
    pub data: DeviceId,
    /// Devices of the members of the log.
    pub members: Vec<DeviceId>,
    /// The log writer.
    pub lgwr: Ear,
    /// Where its writes come back.
    pub written: QueueId,
    /// Members that the present write has yet to write.
    pub left: u32,
    /// When the log writer began to gather for it.
    pub write_began: Ns,
    /// Whom it is to post.
    pub posts: VecDeque<Reply>,
    /// How commits are answered.
    pub pace: Pace,
    /// The checkpoint process.
    pub ckpt: Ear,
    /// Where its record comes back.
    pub recorded: QueueId,
    /// A log switch happened, or a log is wanted, of which the writers have not been told.
    pub hurries: bool,
    /// The log writer has had them told of the log that is wanted.
    pub has_asked: bool,
    /// The database writers.
    pub writers: Vec<Writer>,
    /// When they look as a run begins.
    pub looks: Looks,
    /// The sessions.
    pub foregrounds: Vec<Foreground>,
    /// Blocks that they have pinned.
    pub pins: Pins,
    /// Those of them that are gone, so that others can have their places.
    pub free: Vec<u32>,
    /// When what ended there is too old, for the limit on the age of changes.
    pub past: VecDeque<(Ns, u64)>,
    /// No change before this may be missing on disk for its age.
    pub aged: u64,
    /// Which calls read, and how many changes a transaction has.
    pub draws: Stream,
    /// Of which class transactions are.
    pub classes: Stream,
}

/// What the writers have to do for each transaction, and what the storage can.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Hot buffers.
    hot: f64,
    /// Changes of hot buffers in a transaction.
    changes: f64,
    /// Changes of others.
    cold: f64,
    /// Redo of a transaction, with what writes leave empty of their last blocks \[bytes\].
    pub redo: f64,
    /// Blocks read, with those of the queries between two of them.
    pub reads: f64,
}

impl Load {
    /// As a database is set whose transactions take so much of the log \[bytes\].
    pub fn of(config: &DatabaseConfig, redo: f64) -> Load {
        let (of, cache) = (config.transaction, config.cache);
        let (changes, query) = (of.changes * cache.hot_share, config.query);
        let reads = of.reads + query.share / (1.0 - query.share) * query.reads;
        Load { hot: f64::from(cache.hot), changes, cold: of.changes - changes, redo, reads }
    }

    /// Hot buffers that are dirty where each is written so many transactions after its first change.
    fn hot_dirty(&self, transactions: f64) -> f64 {
        if self.changes <= 0.0 {
            return 0.0;
        }
        let clean = self.hot / self.changes;
        self.hot * transactions / (transactions + clean)
    }

    /// Buffers that are dirty where each is written so much redo after its first change.
    pub fn dirty(&self, lag: f64) -> f64 {
        self.hot_dirty(lag / self.redo) + self.cold * lag / self.redo
    }

    /// Blocks to write in a transaction where each is written so much redo after its first change.
    pub fn writes(&self, lag: f64) -> f64 {
        self.cold + self.hot_writes(lag)
    }

    /// Those of them that are hot.
    fn hot_writes(&self, lag: f64) -> f64 {
        if self.changes <= 0.0 {
            return 0.0;
        }
        self.hot / (self.hot / self.changes + lag / self.redo)
    }

    /// Whether the distance of the writers hangs on how many blocks they can write in a transaction, by a tenth:
    /// between a log and all that there are.
    pub fn may_meet(&self, can: f64, (size, groups): (f64, f64)) -> bool {
        1.1 * self.writes(size) >= can && 0.9 * self.writes((groups - 1.0) * size) < can
    }

    /// How far the writers are behind the end of the redo \[bytes\], at `filled` bytes into the log, where they can
    /// write so many blocks in a transaction: as far as the logs allow, if that is too few at any distance; where the
    /// two meet; or as far as they stay behind where they keep up.
    pub fn lag(&self, can: f64, (size, groups): (f64, f64), (kept, filled): (f64, f64)) -> f64 {
        let most = (groups - 1.0) * size;
        if self.writes(most) >= can {
            return most.max(filled);
        }
        if self.writes(kept) < can {
            return kept;
        }
        let (mut low, mut high) = (kept, most);
        for _ in 0..40 {
            let middle = 0.5 * (low + high);
            if self.writes(middle) > can {
                low = middle;
            } else {
                high = middle;
            }
        }
        low.max(filled)
    }
}

/// Blocks that the writers can write in a nanosecond, where so many requests are reads: as many as they have under way
/// at once, with the CPU that they need meanwhile, and as the reads leave of the storage.
pub fn capacity(config: &DatabaseConfig, reads: f64) -> f64 {
    let (of, writers) = (config.data.service, config.writers);
    let mean = of.mean.0.max(1) as f64 * of.slow.map_or(1.0, |slow| 1.0 + slow.share * (slow.times - 1.0));
    let count = f64::from(writers.count);
    // Each has one write under way at the least.
    let outstanding = f64::from(writers.outstanding.max(writers.count));
    let batch = (outstanding / count).floor().min(f64::from(writers.batch)).max(1.0);
    let block = (writers.block.0.max(1) as f64) + writers.batch_cost.0 as f64 / batch;
    let own = if !config.data.is_async {
        count / (mean + block)
    } else if writers.whole_batch {
        let last = of.last_of(count * batch, f64::from(config.data.width)) * mean;
        count * batch / (batch * block + last)
    } else {
        (outstanding / mean).min(count / block)
    };
    own.min(f64::from(config.data.width) / mean - reads).max(0.0)
}

/// Who takes buffers finds few that are dirty where he comes by no more often before they are written: free.
const PASSED: f64 = 0.1;
/// At so many moments before the start the end of the redo is taken as known.
const REMEMBERED: u64 = 500;

impl Database {
    /// Dirties buffers as they are where the writers have long been behind as far as the checkpoint is: each hot one
    /// with a chance that follows from how long it stays clean and dirty by turns, others one after another; their
    /// first changes evenly over the redo since the checkpoint. Where others are written before, for they are found by
    /// who takes buffers, or there is no room for so many, the cache is run ahead.
    pub fn ages(&mut self, load: &Load, can: f64, draws: &mut Stream) {
        let (from, to) = (self.redo.checkpoint(), self.redo.made);
        // Where all are queries nothing is ever dirty.
        if load.redo < 1.0 || !load.reads.is_finite() {
            return;
        }
        let of = self.config.cache;
        let (span, lag) = (to - from, (to - from) as f64 / load.redo);
        let hot = (load.hot_dirty(lag) as u32).min(of.hot);
        let first = self.draws.below(u64::from(of.hot.max(1))) as u32;
        let (all_hot, cold) = (of.hot, load.cold * lag);
        let aged = Aged { from, span, all_hot, hot, first, cold: 0 };
        let others = f64::from(of.buffers - of.hot);
        let passed = if load.reads > 0.0 { (load.reads + load.cold) * lag / others } else { 0.0 };
        if load.cold <= 0.0 || passed < PASSED && cold < others {
            // Whoever reads comes by dirty ones now and then: lists begin anywhere.
            let turned = if load.reads > 0.0 { self.draws.below(others as u64) as u32 } else { 0 };
            return self.cache.age(Aged { cold: cold as u32, ..aged }, turned);
        }
        let at_once = self.config.transaction.read_blocks;
        let can = (can - load.hot_writes(span as f64)).max(0.0);
        let Load { reads, cold, redo, .. } = *load;
        self.cache.runs_ahead(Course { reads, at_once, cold, redo, lag, can }, to, &aged, draws);
    }

    /// Up to where the writers have to write at a moment. A switch of logs does not change that: its checkpoint is done
    /// as the incremental one comes by, unless a log is wanted.
    pub fn target(&self) -> u64 {
        let behind = self.redo.made.saturating_sub(self.config.checkpoint.lag);
        let wanted = if self.redo.for_log.is_empty() { None } else { self.redo.wanted() };
        behind.max(self.aged).max(wanted.unwrap_or(0))
    }

    /// At the start, after hours in which so much redo was made in a nanosecond: what is too old, and when the rest
    /// will be.
    pub(crate) fn remembers(&mut self, per_ns: f64) {
        let limit = self.config.checkpoint.timeout.0;
        let before = |age: u64| self.redo.made.saturating_sub((age as f64 * per_ns) as u64);
        if limit > 0 && per_ns > 0.0 {
            let noted = (1..=REMEMBERED).map(|k| limit * k / REMEMBERED);
            self.past = noted.map(|due| (Ns(due), before(limit - due))).collect();
            self.aged = before(limit);
        }
    }

    /// Notes the present end of the redo, and what is too old by now.
    pub fn grows_older(&mut self, now: Ns) {
        let limit = self.config.checkpoint.timeout;
        if limit == Ns::ZERO {
            return;
        }
        self.past.push_back((now.plus(limit), self.redo.made));
        while let Some(&(_, end)) = self.past.front().filter(|old| old.0 <= now) {
            self.aged = end;
            self.past.pop_front();
        }
    }

    /// Writes that a writer may have under way: its sets' share.
    pub fn window(&self, writer: usize) -> u32 {
        let own = self.sets_of(writer).count() as u64;
        ((u64::from(self.config.writers.outstanding) * own / self.cache.sets() as u64) as u32).max(1)
    }

    /// The sets of a writer.
    pub fn sets_of(&self, writer: usize) -> impl Iterator<Item = usize> + Clone {
        (writer..self.cache.sets()).step_by(self.config.writers.count as usize)
    }

    /// The next wait of a session that somebody ends by a post.
    pub fn awaits(&mut self, session: u32) -> Reply {
        let it = &mut self.foregrounds[session as usize];
        it.wait += 1;
        Reply { queue: it.posts, wait: it.wait }
    }

    /// A wait is over by its time-out: nobody posts for it.
    pub fn forget(&mut self, queue: QueueId) {
        let other = |reply: &Reply| reply.queue != queue;
        // What is on disk is about to be answered, whoever hears it.
        let on_disk = self.redo.on_disk;
        self.redo.commits.retain(|commit| commit.end <= on_disk || other(&commit.reply));
        self.redo.for_buffer.retain(other);
        self.redo.for_log.retain(other);
        self.cache.forget(queue);
    }
}

#[cfg(test)]
#[path = "database_tests.rs"]
mod tests;
