//! Redo first: which blocks wait for their redo before they leave, and how an LMS waits with them.
use super::{Next, Stage, Turn};
use crate::cluster::message::{tag, Member, Message};
use crate::cluster::request::{Given, Kind, Part, RequestId};
use crate::config::cluster::Flush;
use crate::ids::Reply;
use crate::measure::cluster::Gc;
use crate::measure::events::Activity;
use crate::program::{Item, On, Step};
use crate::world::Parcel;

impl Turn<'_> {
    /// Whether redo must be written before this block may leave.
    pub(super) fn needs_flush(&mut self, id: RequestId) -> bool {
        let instance = usize::from(self.member);
        let flush = self.world.config.instances[instance].others.lms.as_ref().map_or(Flush::Never, |lms| lms.flush);
        let on_disk = self.world.databases[instance].as_ref().map_or(u64::MAX, |database| database.redo.on_disk);
        let Some(cluster) = self.world.gc() else { return false };
        let Kind::Block(block) = cluster.cache.request(id).kind else { return false };
        match flush {
            Flush::Never => false,
            Flush::Given { share, current, .. } => {
                let is_copy = cluster.cache.request(id).given != Given::Exclusive;
                cluster.draws[instance].uniform() < if is_copy { share } else { current }
            }
            Flush::Dirty => cluster.cache.local(instance as Member, block).changed > on_disk,
        }
    }

    /// A block has left that waited for its redo.
    pub(super) fn left(&mut self, id: RequestId) {
        let member = self.member;
        if let Some(me) = self.me() {
            me.flushing = me.flushing.saturating_sub(1);
        }
        let Some(cluster) = self.world.gc() else { return };
        let request = cluster.cache.request(id);
        let (is_copy, span) = (request.given != Given::Exclusive, request.times.parts[Part::Flush as usize]);
        let Kind::Block(block) = request.kind else { return };
        let local = cluster.cache.local_mut(member, block);
        local.releases = local.releases.saturating_sub(1);
        self.count(if is_copy { Gc::CrFlushes } else { Gc::CurrentFlushes }, 1);
        self.count(if is_copy { Gc::CrFlushTime } else { Gc::CurrentFlushTime }, span);
        self.world.release_block(member, block);
    }

    /// Blocks that wait for redo: the log writer is told where it ends, or a given delay begins.
    pub(super) fn registers(&mut self, mut flushes: Vec<RequestId>) -> Next {
        let (now, instance) = (self.world.now, usize::from(self.member));
        let Some(lms) = &self.world.config.instances[instance].others.lms else { return self.looks() };
        let (flush, awaits) = (lms.flush, lms.waits_for_flush);
        let mut post = None;
        for id in flushes.drain(..) {
            let Some(me) = self.me() else { continue };
            me.flushing += 1;
            let queue = if awaits { me.flushed } else { me.queue };
            let tag = tag(Message::Flushed, id);
            if let Flush::Given { takes, .. } = flush {
                let node = self.world.config.instances[instance].node as u16;
                let item = Item { tag, ..Item::default() };
                self.world.put_at(now.plus(takes), Parcel { queue, item, node });
                continue;
            }
            let Some(cluster) = self.world.gc() else { continue };
            let Kind::Block(block) = cluster.cache.request(id).kind else { continue };
            let end = cluster.cache.local(instance as Member, block).changed;
            let redo = &mut self.world.database_mut(instance).redo;
            if end <= redo.on_disk {
                // The log writer was faster than the work on the message.
                self.world.notices.push_back((queue, Item { tag, ..Item::default() }));
                continue;
            }
            redo.for_disk.push_back((end, Reply { queue, wait: tag }));
            post = post.or_else(|| self.world.post_lgwr(instance));
        }
        if let Some(me) = self.me() {
            me.flushes = flushes;
        }
        // Of several it awaits one after another.
        let waits = awaits && self.me().is_some_and(|me| me.flushing > 0);
        match (post, waits) {
            (Some(post), true) => (Stage::Awaits, post),
            (Some(post), false) => (Stage::Posted, post),
            (None, true) => self.awaits(),
            (None, false) => self.looks(),
        }
    }

    /// Waits for the redo of one block, and does nothing else.
    pub(super) fn awaits(&mut self) -> Next {
        let Some(me) = self.me() else { return (Stage::Asleep, Step::Exit) };
        let on = On::Items(me.flushed, 1);
        (Stage::Flushes, Step::Wait { event: Activity::GCS_LOG_FLUSH_SYNC, on, until: None })
    }

    pub(super) fn flushed(&mut self) -> Next {
        let Some(queue) = self.me().map(|me| me.flushed) else { return (Stage::Asleep, Step::Exit) };
        match self.world.take(queue) {
            Some((item, came)) => self.takes(item, came),
            None => (Stage::Flushes, Step::Again),
        }
    }
}
