//! Server processes whose transactions change blocks: call by call they work, read, change blocks and make redo; the
//! last call commits.
use super::nextval::Place;
use super::session::draw;
use super::{Item, On, Program, Step};
use crate::config::{Arrivals, Demand};
use crate::ids::{Pid, Reply};
use crate::instance::cache::Found;
use crate::instance::database::{Database, Foreground};
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::program::Resume;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::run::to_work;
use crate::world::{Parcel, World};
use wwi_kernel::time::Ns;

/// Who waits for a log or a buffer looks again after this.
pub(super) const LOOKS_AGAIN: Ns = Ns(1_000_000_000);

/// Which of the sessions of its instance, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Number among those of its instance.
    pub number: u32,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a server process stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Waits for a call, thinks where it has no client, or has just begun.
    Called,
    /// Works for a call.
    Works,
    /// Has to post the writer of its set, as it lacks a buffer to read into.
    PostsWriter,
    /// Waits for a buffer.
    WaitsForBuffer,
    /// Has its buffers, and has posted the writer of their set, as there are many dirty ones.
    Found,
    /// Has a buffer for a block that it changes, and has posted the writer for the same reason.
    PostedWriter,
    /// Waits for blocks.
    Reads,
    /// Has posted the log writer, and waits then under this event.
    Waits(Activity),
    /// Waits for a log, for room in the log buffer or for a buffer to be changed.
    WaitsToChange(Activity),
    /// Has posted the log writer and goes on.
    Changed,
    /// Has posted the log writer and waits for its commit.
    Commits,
    /// Waits for its commit.
    Syncs,
    /// Has posted the log writer, and does not wait for its commit.
    Ends,
    /// Works to ask another instance for a block.
    Asks,
    /// Waits for what it asked for.
    AwaitsReply,
    /// Works to take it.
    Receives,
    /// Reads a block that no instance had.
    ReadsShared,
    /// Reads undo, to build the copy of a block that has come.
    ReadsUndo,
    /// Builds it.
    BuildsCopy,
    /// Has changed a block that it has pinned, and works with it.
    Pins,
    /// Takes a value of the sequence.
    Nextval(Place),
    /// Pays for its switch, and tells its client then.
    Tells,
    /// Has told its client.
    Answered,
}

#[cfg(test)]
impl Program {
    /// A session that has just posted the log writer, or is about to.
    pub fn calls_lgwr(&self) -> bool {
        matches!(
            self,
            Program::Foreground(At {
                stage: Stage::Waits(_) | Stage::Changed | Stage::Commits | Stage::Ends | Stage::Nextval(Place::Commits),
                ..
            })
        )
    }
}

/// Where a session starts.
pub const START: Stage = Stage::Called;

fn number_in(mean: f64, draw: f64) -> u32 {
    (mean + draw) as u32
}

/// The sessions of an instance with a database. Each starts at a random moment, as sessions do.
pub fn start(world: &mut World, instance: usize) {
    let Arrivals::Closed { sessions, start_spread, .. } = world.config.instances[instance].workload.arrivals else {
        return world.schedule_arrival(instance);
    };
    let node = world.config.instances[instance].node;
    for number in 0..sessions {
        let key = (instance as u64) << 32 | u64::from(number);
        let session = world.new_foreground(instance);
        let pid = world.admit(Program::Foreground(At { number: session, stage: START }), node, instance as u16, key);
        if start_spread > Ns::ZERO && world.config.instances[instance].workload.ends.is_none() {
            starts_within(world, (pid, instance), session);
        }
        match world.database(instance).foregrounds[session as usize].client {
            Some(_) => {
                let calls = world.database(instance).foregrounds[session as usize].calls;
                world.born(pid, On::Items(calls, 1), None);
            }
            None => world.start_session(pid, (instance, number), key, start_spread),
        }
    }
}

/// Sessions that start at random moments start within a transaction, at any moment of its work: those that began with a
/// whole one would end theirs together for as long as all take as long.
fn starts_within(world: &mut World, (pid, instance): (Pid, usize), session: u32) {
    let of = world.database(instance).config.transaction;
    let start = &mut world.streams[pid.i()].think;
    let (done, ended) = (start.below(u64::from(of.calls)) as u32, start.below(u64::from(of.per_call)) as u32);
    let rest = Some(1.0 - start.uniform());
    let me = &mut world.database_mut(instance).foregrounds[session as usize];
    (me.done, me.ended, me.rest) = (done, ended, rest);
}

/// The next step of a server process.
pub fn next(world: &mut World, pid: Pid, at: At, why: Resume) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let mut turn = Turn { world, pid, instance, session: at.number };
    let (stage, step) = turn.stage(at.stage, why);
    let program = Program::Foreground(At { number: at.number, stage });
    world.tasks[pid.i()].program = program;
    step
}

/// One look of a session at its instance.
pub(super) struct Turn<'a> {
    pub(super) world: &'a mut World,
    pub(super) pid: Pid,
    pub(super) instance: usize,
    pub(super) session: u32,
}

pub(super) type Next = (Stage, Step);

impl Turn<'_> {
    pub(super) fn count(&mut self, sum: Sum, by: u64) {
        self.world.accounts.databases[self.instance].count(sum, by);
    }

    pub(super) fn me(&mut self) -> &mut crate::instance::database::Foreground {
        &mut self.world.database_mut(self.instance).foregrounds[self.session as usize]
    }

    fn stage(&mut self, stage: Stage, why: Resume) -> Next {
        match stage {
            Stage::Waits(_) | Stage::Changed | Stage::Commits | Stage::Ends | Stage::Nextval(Place::Commits)
                if why == Resume::CpuDone && !std::mem::take(&mut self.me().leaves_word) =>
            {
                (stage, Step::Put(self.world.database(self.instance).lgwr.queue, Item::default()))
            }
            Stage::Called => self.called(),
            Stage::Works => self.worked(),
            Stage::PostsWriter => (Stage::WaitsForBuffer, self.wait(Activity::FREE_BUFFER_WAITS, LOOKS_AGAIN)),
            Stage::Found => self.read(),
            Stage::PostedWriter => self.changes(),
            Stage::Waits(event) => (Stage::WaitsToChange(event), self.wait(event, LOOKS_AGAIN)),
            Stage::Commits => self.syncs(),
            Stage::Changed => self.goes_on(),
            Stage::Ends => self.ends(),
            Stage::Tells => self.answers(),
            Stage::Answered => self.answered(),
            Stage::Asks => self.asked(),
            Stage::AwaitsReply => self.replied(why),
            Stage::Receives => self.received(),
            Stage::BuildsCopy => self.uses_it(),
            Stage::Pins => self.unpins(),
            Stage::Nextval(place) => self.nextval(place),
            waiting => self.woken(waiting, why),
        }
    }

    /// The log writer is posted if it sleeps, or is at work and was asked for nothing since it gathered, when the call
    /// of the kernel has had its CPU; and then.
    pub(super) fn posts_lgwr(&mut self, then: Stage) -> Option<Next> {
        let was = self.world.database(self.instance).lgwr;
        let post = self.world.post_lgwr(self.instance);
        let call = self.world.database(self.instance).config.log.call;
        if call == Ns::ZERO {
            return post.map(|post| (then, post));
        }
        if was.is_awake && was.looks_again {
            return None;
        }
        self.me().leaves_word = was.is_awake;
        Some((then, Step::Cpu { work: to_work(call).max(1), reads: 0 }))
    }

    /// A wait is over, if the post was meant for it.
    fn woken(&mut self, stage: Stage, why: Resume) -> Next {
        if why == Resume::TimedOut && stage == Stage::Syncs && self.is_one_wait() {
            return self.looked();
        }
        if why == Resume::TimedOut {
            let posts = self.me().posts;
            // The log writer answers a commit all the same.
            if stage != Stage::Syncs {
                self.world.database_mut(self.instance).forget(posts);
            }
            self.me().wait += 1;
        } else if !self.is_posted() {
            return (stage, Step::Again);
        }
        match stage {
            Stage::WaitsForBuffer => self.reads(),
            Stage::Reads => {
                self.me().reads_left -= 1;
                self.reads()
            }
            Stage::Syncs => self.synced(why),
            Stage::ReadsShared => self.read_shared(),
            Stage::ReadsUndo => self.builds_copy(),
            _ => self.changes(),
        }
    }

    pub(super) fn is_posted(&mut self) -> bool {
        let &mut Foreground { posts, wait, .. } = self.me();
        while let Some((item, _)) = self.world.take(posts) {
            if item.tag == wait {
                return true;
            }
        }
        false
    }

    /// Waits for a post.
    pub(super) fn wait(&mut self, event: Activity, at_most: Ns) -> Step {
        let posts = self.me().posts;
        Step::Wait { event, on: On::Items(posts, 1), until: Some(self.world.now.plus(at_most)) }
    }

    /// A call has come, or there is none to come.
    fn called(&mut self) -> Next {
        let &mut Foreground { calls, client, done, rest, .. } = self.me();
        if client.is_some() && self.world.take(calls).is_none() {
            return (Stage::Called, Step::Again);
        }
        if done == 0 || rest.is_some() {
            self.world.begin_since_wake(self.pid);
            self.draw_transaction();
        }
        (Stage::Works, self.work())
    }

    pub(super) fn draw_transaction(&mut self) {
        let database = self.world.database_mut(self.instance);
        let (of, share) = (database.config.transaction, database.config.query.share);
        let is_query = share > 0.0 && database.classes.uniform() < share;
        let changes = if is_query { 0 } else { number_in(of.changes, database.draws.uniform()) };
        let me = self.me();
        (me.is_query, me.changes) = (is_query, (changes, 0));
        let done = self.me().done;
        self.me().changes.1 = self.due(done);
    }

    pub(super) fn work(&mut self) -> Step {
        self.begins_insert();
        let Database { config: of, foregrounds, .. } = self.world.database(self.instance);
        let Foreground { is_query, rest, .. } = foregrounds[self.session as usize];
        let demand = self.world.config.instances[self.instance].workload.demand;
        let mean = if is_query { of.query.demand } else { demand.mean };
        let call = mean.0 / u64::from(of.transaction.calls);
        let each = Demand { mean: Ns(rest.map_or(call, |rest| (call as f64 * rest) as u64)), ..demand };
        let work = to_work(draw(&each, &mut self.world.streams[self.pid.i()].demand));
        self.world.reading(self.instance, work.max(1))
    }

    /// The CPU work of a call is done: it takes values.
    fn worked(&mut self) -> Next {
        self.draw_values();
        match self.nextvals() {
            Some(next) => next,
            None => self.has_values(),
        }
    }

    /// It has its values: it reads, or changes.
    pub(super) fn has_values(&mut self) -> Next {
        let Database { config, foregrounds, draws, .. } = self.world.database_mut(self.instance);
        let me = &mut foregrounds[self.session as usize];
        let (is_query, rest, of) = (me.is_query, me.rest.take(), config.transaction);
        let blocks = if is_query { config.query.reads } else { of.reads };
        let reads = if blocks > 0.0 {
            let mean = rest.unwrap_or(1.0) * blocks / f64::from(of.read_blocks) / f64::from(of.calls);
            number_in(mean, draws.uniform())
        } else {
            0
        };
        self.me().reads_left = reads;
        self.draw_gets();
        self.draw_contended();
        self.reads()
    }

    /// The reads of a call, one after another: for each it takes buffers, and waits.
    pub(super) fn reads(&mut self) -> Next {
        if self.me().reads_left == 0 {
            return self.changes();
        }
        let blocks = self.world.database(self.instance).config.transaction.read_blocks;
        if let Some(asks) = self.needs_leave(blocks) {
            return asks;
        }
        let set = self.me().set;
        let mut posts = false;
        while self.me().taken < blocks {
            let Found::Taken(is_posted) = self.world.database_mut(self.instance).cache.take(set) else {
                return self.lacks_free(set);
            };
            #[cfg(test)]
            note(Note::Took(self.session, set));
            posts |= is_posted;
            self.me().taken += 1;
        }
        let next = (set + 1) % self.world.database(self.instance).cache.sets();
        (self.me().set, self.me().taken) = (next, 0);
        match posts.then(|| self.world.post_writer_of(self.instance, set)).flatten() {
            Some(post) => (Stage::Found, post),
            None => self.read(),
        }
    }

    /// The wait of a session that finds no buffer to take: it keeps those that it has.
    pub(super) fn lacks_free(&mut self, set: usize) -> Next {
        let database = self.world.database_mut(self.instance);
        let reply = database.awaits(self.session);
        database.cache.wait_for_free(set, reply);
        match self.world.post_writer_of(self.instance, set) {
            Some(post) => (Stage::PostsWriter, post),
            None => (Stage::WaitsForBuffer, self.wait(Activity::FREE_BUFFER_WAITS, LOOKS_AGAIN)),
        }
    }

    /// One read, which is one request to the storage.
    fn read(&mut self) -> Next {
        let node = self.world.processes[self.pid.i()].node;
        let database = self.world.database_mut(self.instance);
        let Reply { queue, wait } = database.awaits(self.session);
        let (data, blocks) = (database.data, database.config.transaction.read_blocks);
        self.world.submit(data, Parcel { queue, item: Item { tag: wait, ..Item::default() }, node });
        self.me().has_leave = false;
        self.count(Sum::Reads, u64::from(blocks));
        #[cfg(test)]
        note(Note::Read(self.session, blocks));
        let event = match blocks {
            1 => Activity::DB_FILE_SEQUENTIAL_READ,
            _ => Activity::DB_FILE_SCATTERED_READ,
        };
        (Stage::Reads, Step::Wait { event, on: On::Items(queue, 1), until: None })
    }
}
