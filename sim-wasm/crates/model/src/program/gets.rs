//! Gets of blocks that the instances of a cluster share, and leave to read from disk: a session looks whether its
//! instance holds the block, asks for it, waits, and takes what comes.
use super::foreground::{Next, Stage, Turn};
use super::{On, Step};
use crate::cluster::message::Member;
use crate::cluster::request::{Given, Kind, RequestId, Want};
use crate::ids::Reply;
use crate::instance::pins::Pinned;
use crate::measure::cluster::Gc;
use crate::measure::database::Sum;
use crate::measure::events::Activity;
use crate::program::Resume;
use crate::world::clusters::Look;
#[cfg(test)]
use crate::world::database_books::{note, Note};
use crate::world::run::to_work;
use crate::world::Parcel;
use wwi_kernel::time::Ns;

/// Who waits for another session's block looks again after this.
const LOOKS_AGAIN: Ns = Ns(1_000_000_000);

fn cpu(span: Ns) -> Step {
    Step::Cpu { work: to_work(span).max(1), reads: 0 }
}

impl Turn<'_> {
    /// How many shared blocks a call reads and changes.
    pub(super) fn draw_gets(&mut self) {
        let instance = self.instance;
        let of = self.world.database(instance).config.transaction;
        let calls = f64::from(of.calls);
        // What changes nothing of its own changes no shared block.
        let is_query = self.me().is_query || of.redo < 1.0;
        let Some(lms) = &self.world.config.instances[instance].others.lms else { return };
        let (reads, changes) = (lms.reads, lms.changes);
        let inserts = self.me().inserts.len() as u32;
        let Some(cluster) = self.world.gc().filter(|cluster| cluster.config.blocks > 0) else { return };
        let draws = &mut cluster.draws[instance];
        let mut number = |mean: f64| if mean > 0.0 { (mean / calls + draws.uniform()) as u32 } else { 0 };
        let gets = (number(reads), if is_query { 0 } else { number(changes) + inserts });
        self.me().gets = gets;
    }

    /// Gets the shared blocks of a call one after another. Nothing once it has them all.
    pub(super) fn gets(&mut self) -> Option<Next> {
        loop {
            let (block, want) = self.next_get()?;
            let found = self.world.look(self.instance, block, want);
            if found != Look::Held && want == Want::Change {
                self.world.leave_line_for(self.instance, self.session, block);
            }
            match found {
                Look::Held => {
                    self.world.count_gc(self.instance as Member, Gc::LocalGets, 1);
                    if let Some(wait) = self.uses(block, want) {
                        return Some(wait);
                    }
                }
                Look::Busy(event) => {
                    let session = self.session;
                    let reply = self.world.database_mut(self.instance).awaits(session);
                    self.world.wait_for_block(self.instance, block, reply);
                    return Some((Stage::WaitsToChange(event), self.wait(event, LOOKS_AGAIN)));
                }
                Look::Missing => {
                    let cluster = self.world.gc()?;
                    let id = cluster.cache.ask(self.instance as Member, block, want);
                    return Some(self.asks(id, 1));
                }
            }
        }
    }

    /// The block that the session needs next: reads first, then leaves of the index, then other changes.
    fn next_get(&mut self) -> Option<(u32, Want)> {
        let me = self.me();
        if let Some(get) = me.get {
            return Some(get);
        }
        let want = match &mut me.gets {
            (0, 0) => return None,
            (0, changes) => {
                *changes -= 1;
                Want::Change
            }
            (reads, _) => {
                *reads -= 1;
                Want::Read
            }
        };
        let leaf = if want == Want::Change { me.inserts.pop_front() } else { None };
        let instance = self.instance;
        let cluster = self.world.gc()?;
        let any = || cluster.draws[instance].below(u64::from(cluster.config.blocks)) as u32;
        let block = leaf.unwrap_or_else(any);
        self.me().get = Some((block, want));
        Some((block, want))
    }

    /// It has the block: it has read it, or changes it, if there is room for the redo.
    fn uses(&mut self, block: u32, want: Want) -> Option<Next> {
        let shared = Pinned::Shared(block);
        let pin = if want == Want::Change { self.world.pin_of(self.instance, shared) } else { None };
        if want == Want::Change {
            if let Some(wait) = pin.and_then(|_| self.pins(shared)) {
                return Some(wait);
            }
            if let Some(wait) = self.makes_redo_of_one(None) {
                return Some(wait);
            }
            let end = self.me().end;
            if let Some(cluster) = self.world.cluster.as_deref_mut() {
                cluster.cache.changed(self.instance as Member, block, end);
            }
        }
        self.me().get = None;
        let pin = pin?;
        self.world.holds(self.instance, self.session, shared);
        Some((Stage::Pins, cpu(pin)))
    }

    /// Changes one block besides those of its transaction, in a buffer if that is said: with redo of its own, as soon
    /// as there is room for it.
    pub(super) fn makes_redo_of_one(&mut self, buffer: Option<u32>) -> Option<Next> {
        let of = self.world.database(self.instance).config.transaction;
        let bytes = ((of.redo / of.changes.max(1.0)) as u64).max(1);
        if let Some(wait) = self.lacks_room(bytes) {
            return Some(wait);
        }
        let buffer = buffer.unwrap_or_else(|| self.world.database_mut(self.instance).cache.draw_any());
        self.change(buffer, bytes);
        self.count(Sum::Changes, 1);
        self.count(Sum::Redo, bytes);
        #[cfg(test)]
        note(Note::Made(self.session, bytes));
        let redo = &mut self.world.database_mut(self.instance).redo;
        redo.made += bytes;
        let end = redo.made;
        self.me().end = end;
        None
    }

    /// It asks: that costs CPU, and then a message.
    fn asks(&mut self, id: RequestId, blocks: u32) -> Next {
        let (now, session) = (self.world.now, self.session);
        let Reply { queue, wait } = self.world.database_mut(self.instance).awaits(session);
        self.me().request = Some(id);
        let Some(cluster) = self.world.gc() else { return (Stage::Asks, cpu(Ns(1))) };
        let times = &mut cluster.cache.request_mut(id).times;
        (times.mark, times.queue, times.wait, times.blocks) = (now, queue.0, wait, blocks);
        (Stage::Asks, cpu(cluster.config.costs.request))
    }

    /// Asks for leave to read blocks from disk, if another instance has to give it.
    pub(super) fn needs_leave(&mut self, blocks: u32) -> Option<Next> {
        let (instance, has_leave) = (self.instance, self.me().has_leave);
        if has_leave {
            return None;
        }
        let affinity = self.world.config.instances[instance].others.lms.as_ref().map_or(0.0, |lms| lms.affinity);
        let cluster = self.world.gc()?;
        let is_own = affinity > 0.0 && cluster.draws[instance].uniform() < affinity;
        let masters = cluster.cache.masters();
        let number = masters.len() as u64;
        let master = masters[cluster.draws[instance].below(number) as usize];
        if is_own || master == instance as Member {
            self.me().has_leave = true;
            return None;
        }
        let block = cluster.draws[instance].below(u64::from(u16::MAX)) as u32;
        let id = cluster.cache.ask_to_read(instance as Member, master, block);
        Some(self.asks(id, blocks))
    }

    /// The request goes to the master.
    pub(super) fn asked(&mut self) -> Next {
        let Some(id) = self.me().request else { return self.changes() };
        if self.world.ask_master(id) {
            return self.takes(id);
        }
        self.awaits_reply(id)
    }

    fn awaits_reply(&mut self, id: RequestId) -> Next {
        let (now, posts) = (self.world.now, self.me().posts);
        let Some(cluster) = self.world.gc() else { return self.changes() };
        let until = cluster.asks_again().then(|| now.plus(cluster.config.retry));
        let is_read = cluster.cache.request(id).want == Want::Read;
        let event = if is_read { Activity::GC_CR_REQUEST } else { Activity::GC_CURRENT_REQUEST };
        if cluster.wakes_in_vain() {
            // One wait, however often it is woken before the reply has come.
            self.world.count_late(self.pid);
        }
        (Stage::AwaitsReply, Step::Wait { event, on: On::Items(posts, 1), until })
    }

    /// The reply has come, or it is time to ask whether it got lost.
    pub(super) fn replied(&mut self, why: Resume) -> Next {
        let (posts, wait) = (self.me().posts, self.me().wait);
        let Some(id) = self.me().request else { return self.changes() };
        if why == Resume::TimedOut {
            return self.missed(id);
        }
        let (item, came) = loop {
            match self.world.take(posts) {
                Some((item, came)) if item.tag == wait => break (item, came),
                Some(_) => {}
                None => return (Stage::AwaitsReply, Step::Again),
            }
        };
        // It may have come while the session, woken in vain, waited for its CPU.
        item.was.into_iter().for_each(|was| self.world.rename(self.pid, was));
        let takes = self.world.reply_came(id, came);
        (Stage::Receives, cpu(takes))
    }

    /// A block that got lost is asked for again, of who sent it.
    fn missed(&mut self, id: RequestId) -> Next {
        self.world.reply_is_late(self.pid, id);
        (Stage::AwaitsReply, Step::Again)
    }

    /// It has worked to take what came.
    pub(super) fn received(&mut self) -> Next {
        let Some(id) = self.me().request else { return self.changes() };
        self.world.reply_taken(id);
        self.takes(id)
    }

    /// It may use the block, once it is read from disk where nobody had it.
    fn takes(&mut self, id: RequestId) -> Next {
        let Some(cluster) = self.world.gc() else { return self.changes() };
        let request = cluster.cache.request(id);
        let Kind::Block(_) = request.kind else {
            self.world.have_block(id);
            (self.me().request, self.me().has_leave) = (None, true);
            // Who has still to use a block asked for undo.
            return if self.me().get.is_some() { self.reads_undo() } else { self.reads() };
        };
        if request.given == Given::Nothing {
            // Its instance was given the block back: it looks again.
            self.world.have_block(id);
            self.me().request = None;
            return self.changes();
        }
        if !request.brings_block() && !request.was_shared {
            return (Stage::ReadsShared, self.reads_one());
        }
        if request.is_left_to_asker() {
            self.me().request = None;
            self.world.have_block(id);
            return self.reads_undo();
        }
        self.has_it(id)
    }

    /// A block is read from disk.
    fn reads_one(&mut self) -> Step {
        let Reply { queue, wait } = self.world.database_mut(self.instance).awaits(self.session);
        let node = self.world.processes[self.pid.i()].node;
        let data = self.world.database(self.instance).data;
        let item = super::Item { tag: wait, ..super::Item::default() };
        self.world.submit(data, Parcel { queue, item, node });
        self.count(Sum::Reads, 1);
        Step::Wait { event: Activity::DB_FILE_SEQUENTIAL_READ, on: On::Items(queue, 1), until: None }
    }

    /// The copy that it needs is its own to build, of a block that has come and of undo, which is on disk: it asks for
    /// leave to read that, as for whatever nobody holds.
    fn reads_undo(&mut self) -> Next {
        if let Some(asks) = self.needs_leave(1) {
            return asks;
        }
        self.me().has_leave = false;
        (Stage::ReadsUndo, self.reads_one())
    }

    /// The undo is read: it builds its copy.
    pub(super) fn builds_copy(&mut self) -> Next {
        let build = self.world.gc().map_or(Ns::ZERO, |cluster| cluster.config.costs.build);
        (Stage::BuildsCopy, cpu(build))
    }

    /// Its instance has the block, and it uses it.
    pub(super) fn has_it(&mut self, id: RequestId) -> Next {
        self.me().request = None;
        self.world.have_block(id);
        self.uses_it()
    }

    /// It uses the block that it asked for.
    pub(super) fn uses_it(&mut self) -> Next {
        if let Some((block, want)) = self.me().get {
            if let Some(wait) = self.uses(block, want) {
                return wait;
            }
        }
        self.changes()
    }

    /// The block is read.
    pub(super) fn read_shared(&mut self) -> Next {
        match self.me().request {
            Some(id) => self.has_it(id),
            None => self.changes(),
        }
    }
}
