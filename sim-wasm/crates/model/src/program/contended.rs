//! Changes of blocks that all transactions of an instance change: one session after another.
use super::foreground::{Next, Stage, Turn};
use super::{On, Step};
use crate::instance::pins::{Pinned, Pinning};
use crate::measure::events::Activity;
use crate::world::run::to_work;

impl Turn<'_> {
    /// How often a call changes contended blocks: evenly over the calls of a transaction that changes anything.
    pub(super) fn draw_contended(&mut self) {
        let session = self.session as usize;
        // Leaves of joined instances are among the blocks that they share.
        let inserts = if self.world.cluster.is_none() { self.me().inserts.len() as u32 } else { 0 };
        let database = self.world.database_mut(self.instance);
        let (of, transaction) = (database.config.contended, database.config.transaction);
        let me = &mut database.foregrounds[session];
        if of.blocks == 0 || me.is_query || transaction.redo < 1.0 {
            return;
        }
        if me.done == 0 {
            me.contended.all = (of.changes + database.draws.uniform()) as u32;
        }
        let up_to = |call: u32| (u64::from(me.contended.all) * u64::from(call) / u64::from(transaction.calls)) as u32;
        me.contended.left = up_to(me.done + 1) - up_to(me.done) + inserts;
    }

    /// Changes them one after another, each while no other session does. Nothing once all are changed.
    pub(super) fn contended(&mut self) -> Option<Next> {
        let number = self.next_contended()?;
        let block = Pinned::Contended(number);
        if let Some(wait) = self.pins(block) {
            return Some(wait);
        }
        // It keeps the block while it waits for room.
        if let Some(wait) = self.makes_redo_of_one(Some(number)) {
            return Some(wait);
        }
        self.me().contended.at = None;
        self.world.holds(self.instance, self.session, block);
        let pin = self.world.pin_of(self.instance, block).unwrap_or_default();
        Some((Stage::Pins, Step::Cpu { work: to_work(pin).max(1), reads: 0 }))
    }

    /// The one that it needs now.
    fn next_contended(&mut self) -> Option<u32> {
        let session = self.session as usize;
        let database = self.world.database_mut(self.instance);
        let blocks = u64::from(database.config.contended.blocks);
        let me = &mut database.foregrounds[session];
        let of = &mut me.contended;
        if of.at.is_none() && of.left > 0 {
            of.left -= 1;
            of.at = me.inserts.pop_front().or_else(|| Some(database.draws.below(blocks) as u32));
        }
        of.at
    }

    /// Pins a block to change it, or waits until who has it lets go. Who is woken then and finds that another one was
    /// there before waits on: that is one wait.
    pub(super) fn pins(&mut self, block: Pinned) -> Option<Next> {
        let (session, event) = (self.session, Activity::BUFFER_BUSY_WAITS);
        let database = self.world.database_mut(self.instance);
        let posts = database.foregrounds[session as usize].posts;
        match database.pins.pin(block, posts) {
            Pinning::Has => return None,
            Pinning::KeepsPlace => return Some((Stage::WaitsToChange(event), Step::Again)),
            Pinning::Taken => {}
        }
        let reply = database.awaits(session);
        database.pins.wait(block, reply);
        // What came for an earlier wait would end this one before it began.
        self.is_posted();
        self.world.count_late(self.pid);
        Some((Stage::WaitsToChange(event), Step::Wait { event, on: On::Items(reply.queue, 1), until: None }))
    }

    /// It is done with the block that it has pinned.
    pub(super) fn unpins(&mut self) -> Next {
        self.world.unpin(self.instance, self.session);
        self.changes()
    }
}
