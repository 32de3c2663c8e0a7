//! Messages that a holder keeps until it has the block, and until nobody there has it pinned: those are taken up then,
//! or when it has waited for long enough.
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
        let Some(cluster) = self.cluster.as_deref() else { return };
        if cluster.cache.has_unkept(member, block) {
            let lms = &cluster.lms[usize::from(member)][cluster.lms_of(member, block)];
            let item = Item { tag: tag(Message::Kept, RequestId(block)), ..Item::default() };
            self.notices.push_back((lms.queue, item));
        }
        self.defers(member, block);
    }

    /// From when on a message that was kept waits for a pin, and how long it does at most.
    pub(crate) fn defers(&mut self, member: Member, block: u32) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let due = now.plus(cluster.config.defer);
        if cluster.cache.is_deferred(member, block) && cluster.cache.local(member, block).due == Ns::ZERO {
            cluster.cache.local_mut(member, block).due = due;
            self.calendar.schedule(due, Phase::Complete, Timer::Cluster(Due::Pin(member, block)));
        }
    }

    /// It has waited for long enough, if it is still that wait.
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

    /// Whoever stands in line for a block that has left its instance looks for it again.
    pub(crate) fn scatters(&mut self, member: Member, block: u32) {
        let Some(local) = self.cluster.as_deref().map(|cluster| cluster.cache.local(member, block)) else { return };
        let has_it = local.pins > 0;
        // Where sessions only read there are no pins.
        if let (Hold::Null, Some(database)) = (local.hold, &mut self.databases[usize::from(member)]) {
            let line = database.pins.scatter(Pinned::Shared(block), has_it);
            self.post_all(line);
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
