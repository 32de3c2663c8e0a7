//! Messages that a holder keeps until it has the block, and until nobody there has it pinned: those are taken up then,
//! or when it has waited for long enough.
use crate::cluster::message::{tag, Member, Message};
use crate::cluster::request::RequestId;
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

    /// A session has changed a block, and works on with it. How long.
    pub(crate) fn pin(&mut self, member: Member, block: u32) -> Option<Ns> {
        let cluster = self.gc()?;
        let pin = Some(cluster.config.pin).filter(|&pin| pin > Ns::ZERO)?;
        cluster.cache.local_mut(member, block).pins += 1;
        Some(pin)
    }

    /// It is done with it.
    pub(crate) fn unpin(&mut self, member: Member, block: u32) {
        if let Some(cluster) = self.gc() {
            cluster.cache.local_mut(member, block).pins -= 1;
            self.take_up(member, block);
        }
    }
}
