//! Messages that find the receive buffer of their LMS full. Each is dropped and sent again after a while, as often as
//! it takes; what the same instance says about the same block meanwhile is dropped too, and so keeps its order.
use crate::cluster::message::{message, Member};
use crate::cluster::Dropped;
use crate::measure::cluster::Gc;
use crate::world::evictions::Due;
use crate::world::{Parcel, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    /// A message is on its way from one instance to an LMS of another, where it arrives at a moment.
    pub(crate) fn carry_to_lms(&mut self, arrives: Ns, (from, to): (Member, Member), parcel: Parcel) {
        let place = self.keep_parcel(parcel);
        self.calendar.schedule(arrives, Phase::Complete, Timer::Cluster(Due::Comes(from, to, place)));
    }

    /// It arrives, for the first time or again.
    pub(crate) fn comes(&mut self, (from, to): (Member, Member), place: u32) {
        let (now, parcel) = (self.now, self.parcels[place as usize]);
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let (_, id) = message(parcel.item.tag);
        let about = (from, to, cluster.number_of(id));
        // Those about the same block, oldest first.
        let dropped = &mut cluster.dropped;
        let first = dropped.partition_point(|other| other.about < about);
        let end = dropped.partition_point(|other| other.about <= about);
        let again = dropped[first..end].iter().position(|other| other.place == place);
        let is_behind = first < end && again != Some(0);
        let of = cluster.config.interconnect;
        let number = cluster.lms_of(to, about.2);
        let lms = &mut cluster.lms[usize::from(to)][number];
        // One that is void since instances left goes nowhere.
        if lms.queue == parcel.queue {
            if is_behind || lms.buffered >= of.buffer_bytes / of.message_bytes {
                cluster.cache.request_mut(id).times.is_lost = true;
                if again.is_none() {
                    cluster.dropped.insert(end, Dropped { place, about });
                }
                let until = now.plus(cluster.config.retry);
                self.calendar.schedule(until, Phase::Complete, Timer::Cluster(Due::Again(from, to, place)));
                return self.count_gc(to, Gc::Dropped, 1);
            }
            lms.buffered += 1;
        }
        if again.is_some() {
            cluster.dropped.remove(first);
        }
        self.arrived(place);
    }

    /// One that was dropped is sent again.
    pub(crate) fn sends_again(&mut self, (from, to): (Member, Member), place: u32) {
        let now = self.now;
        let source = self.config.instances[usize::from(from)].node;
        let target = usize::from(self.parcels[place as usize].node);
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let bytes = cluster.config.interconnect.message_bytes;
        let arrives = cluster.interconnect.send((source, target), bytes, now);
        self.calendar.schedule(arrives, Phase::Complete, Timer::Cluster(Due::Comes(from, to, place)));
    }
}
