//! Messages that a holder keeps until it has the block, and until nobody there has it pinned. Those in line for a block
//! that another instance is to have get a stay first.
use crate::cluster::message::{tag, Hold, Member, Message};
use crate::cluster::request::RequestId;
use crate::instance::pins::Pinned;
use crate::program::Item;
use crate::world::evictions::Due;
use crate::world::{Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    /// The LMS of a block takes up messages that were kept about it, if they need not be any more.
    pub(crate) fn take_up(&mut self, member: Member, block: u32) {
        self.looks_at_line(member, block);
        let Some(cluster) = self.cluster.as_deref() else { return };
        if cluster.cache.has_unkept(member, block) {
            let lms = &cluster.lms[usize::from(member)][cluster.lms_of(member, block)];
            let item = Item { tag: tag(Message::Kept, RequestId(block)), ..Item::default() };
            self.notices.push_back((lms.queue, item));
        }
        self.defers(member, block);
    }

    /// Whether sessions stand in line to change a block, and are to get a stay.
    pub(crate) fn looks_at_line(&mut self, member: Member, block: u32) {
        let Some(cluster) = self.cluster.as_deref_mut().filter(|cluster| cluster.config.defer > Ns::ZERO) else {
            return;
        };
        let database = self.databases[usize::from(member)].as_ref();
        let stays = database.is_some_and(|database| database.pins.has_line(Pinned::Shared(block)));
        cluster.cache.local_mut(member, block).stays = stays;
    }

    /// From when on a message that was kept waits for a pin or those in line, and when their stay is over.
    pub(crate) fn defers(&mut self, member: Member, block: u32) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let due = now.plus(cluster.config.defer);
        if cluster.cache.is_deferred(member, block) && cluster.cache.local(member, block).due == Ns::ZERO {
            let local = cluster.cache.local_mut(member, block);
            (local.due, local.is_due) = (due, due == now);
            if due > now {
                self.calendar.schedule(due, Phase::Complete, Timer::Cluster(Due::Pin(member, block)));
            }
        }
    }

    /// The stay is over, if it is still that one.
    pub(crate) fn pin_is_due(&mut self, member: Member, block: u32) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let local = cluster.cache.local_mut(member, block);
        if local.due == now {
            local.is_due = true;
            self.take_up(member, block);
            self.wake_others(None);
        }
    }

    /// How long a session that changes a block has it pinned, if it pins it at all.
    pub(crate) fn pin_of(&self, instance: usize, block: Pinned) -> Option<Ns> {
        let pin = match block {
            Pinned::Shared(_) => self.cluster.as_deref()?.config.pin,
            Pinned::Contended(_) => self.database(instance).config.contended.pin,
        };
        Some(pin).filter(|&pin| pin > Ns::ZERO)
    }

    /// A session has changed a block that it has pinned, and works on with it: nobody takes it away meanwhile.
    pub(crate) fn holds(&mut self, instance: usize, session: u32, block: Pinned) {
        if let (Pinned::Shared(block), Some(cluster)) = (block, self.gc()) {
            cluster.cache.local_mut(instance as Member, block).pins += 1;
        }
        self.database_mut(instance).foregrounds[session as usize].pinned = Some(block);
    }

    /// It is done with it, if it had one: another session may have it, or another instance. Who has waited longest is
    /// told that, no more.
    pub(crate) fn unpin(&mut self, instance: usize, session: u32) {
        let database = self.database_mut(instance);
        let me = &mut database.foregrounds[session as usize];
        let (held, posts) = (me.pinned.take(), me.posts);
        let Some(block) = held else { return };
        let next = database.pins.leave_block(block, posts);
        self.unheld(instance, block);
        self.post_all(next);
    }

    fn unheld(&mut self, instance: usize, block: Pinned) {
        if let (Pinned::Shared(block), Some(cluster)) = (block, self.gc()) {
            cluster.cache.local_mut(instance as Member, block).pins -= 1;
            self.take_up(instance as Member, block);
        }
    }

    /// Whoever stands in line for a block that has left its instance looks for it again, and so does who waits until it
    /// has; later, if it waits for its redo.
    pub(crate) fn scatters(&mut self, member: Member, block: u32) {
        let Some(local) = self.cluster.as_deref().map(|cluster| cluster.cache.local(member, block)) else { return };
        let has_it = local.pins > 0;
        // Where sessions only read there are no pins.
        if let (Hold::Null, Some(database)) = (local.hold, &mut self.databases[usize::from(member)]) {
            let line = database.pins.scatter(Pinned::Shared(block), has_it);
            self.post_all(line);
        }
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let local = cluster.cache.local(member, block);
        if (local.hold, local.releases) == (Hold::Null, 0) && local.asked.is_none() {
            let posts = cluster.release(member, block);
            self.post_all(posts);
        }
    }

    /// A session has to ask for a block, or waits until it comes: it stands in no line for it meanwhile, and who is
    /// next in that looks.
    pub(crate) fn leave_line_for(&mut self, instance: usize, session: u32, block: u32) {
        let database = self.database_mut(instance);
        let posts = database.foregrounds[session as usize].posts;
        let next = database.pins.leave_block(Pinned::Shared(block), posts);
        self.post_all(next);
    }

    /// A session that is gone has nothing pinned, and waits for no block.
    pub(crate) fn leave_pins(&mut self, instance: usize, session: u32) {
        let database = self.database_mut(instance);
        let me = &mut database.foregrounds[session as usize];
        let (held, posts) = (me.pinned.take(), me.posts);
        let next = database.pins.leave(posts);
        if let Some(block) = held {
            self.unheld(instance, block);
        }
        self.post_all(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::request::Want;
    use crate::config::Config;
    use crate::measure::events::Activity;
    use crate::testing::{cluster, lms, member, node};
    use crate::world::clusters::Look;

    #[test]
    fn nobody_else_pins_a_block_that_is_to_leave() {
        let idle = |host| member(host, 1, Ns::from_s(1e6), lms(0.0, 0.0));
        let instances = (0..2).map(idle).collect();
        let config = Config { nodes: vec![node(); 2], instances, cluster: Some(cluster(10)), seed: 1 };
        let mut world = World::new(&config, 0);
        for (is_due, expected) in [(false, Look::Held), (true, Look::Busy(Activity::GC_BUFFER_BUSY_RELEASE))] {
            let local = world.gc().expect("they are joined").cache.local_mut(0, 3);
            (local.hold, local.is_due) = (Hold::Exclusive, is_due);
            assert_eq!(world.look(0, 3, Want::Change), expected);
            assert_eq!(world.look(0, 3, Want::Read), Look::Held, "who reads pins nothing");
        }
    }
}
