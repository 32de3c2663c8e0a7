//! Messages over the interconnect: out of one port one after another, and into another as they come there.
//!
//! Those that find the receive buffer of their LMS full are dropped and sent again after a while, as often as it takes;
//! what the same instance says about the same block meanwhile is dropped too, and so keeps its order.
use crate::cluster::message::{message, Member};
use crate::cluster::Dropped;
use crate::measure::cluster::Gc;
use crate::world::evictions::Due;
use crate::world::{Parcel, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;

impl World {
    /// A message to another host: what it says is put into its queue there when the port has taken it.
    pub(crate) fn send_over(&mut self, from: usize, bytes: u32, parcel: Parcel) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let comes = cluster.interconnect.send(from, bytes, now);
        self.carry_to_port(comes, bytes, parcel, Timer::Arrival);
    }

    /// A message whose last byte comes to the port of its host at a moment: the timer of its place rings then.
    pub(crate) fn carry_to_port(&mut self, at: Ns, bytes: u32, parcel: Parcel, timer: impl FnOnce(u32) -> Timer) {
        let place = self.keep_parcel(parcel);
        self.comes_to_port(at, (place, bytes), timer(place));
    }

    fn comes_to_port(&mut self, at: Ns, (place, bytes): (u32, u32), timer: Timer) {
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let untaken = &mut cluster.untaken;
        untaken.resize(untaken.len().max(place as usize + 1), 0);
        untaken[place as usize] = bytes;
        self.calendar.schedule(at, Phase::Complete, timer);
    }

    /// Whether the port has taken a message that has come there; if not, `timer` rings again when it has.
    pub(crate) fn is_taken(&mut self, place: u32, timer: Timer) -> bool {
        let (now, to) = (self.now, usize::from(self.parcels[place as usize].node));
        let Some(cluster) = self.cluster.as_deref_mut() else { return true };
        let bytes = cluster.untaken.get_mut(place as usize).map_or(0, std::mem::take);
        if bytes == 0 {
            return true;
        }
        let last = cluster.interconnect.take(to, bytes, now);
        if last > now {
            self.calendar.schedule(last, Phase::Complete, timer);
        }
        last <= now
    }

    /// A message of one instance to an LMS of another, whose last byte comes to the port there at a moment.
    pub(crate) fn carry_to_lms(&mut self, at: Ns, bytes: u32, (from, to): (Member, Member), parcel: Parcel) {
        self.carry_to_port(at, bytes, parcel, |place| Timer::Cluster(Due::Comes(from, to, place)));
    }

    /// It is there, for the first time or again.
    pub(crate) fn comes(&mut self, (from, to): (Member, Member), place: u32) {
        if !self.is_taken(place, Timer::Cluster(Due::Comes(from, to, place))) {
            return;
        }
        let (now, parcel) = (self.now, self.parcels[place as usize]);
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let (what, id) = message(parcel.item.tag);
        let about = (from, to, cluster.number_of(what, id));
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
            if is_behind || !of.has_room(lms.buffered) {
                if !what.is_of_scn() {
                    cluster.cache.request_mut(id).times.is_lost = true;
                }
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
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let bytes = cluster.config.interconnect.message_bytes;
        let at = cluster.interconnect.send(source, bytes, now);
        self.comes_to_port(at, (place, bytes), Timer::Cluster(Due::Comes(from, to, place)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::program::Item;
    use crate::testing::{cluster, lms, member, node};

    /// 85 blocks are on their way from the first host to the second: the last of them comes there after 5.8 ms.
    #[test]
    fn a_message_from_elsewhere_waits_for_what_has_come_to_the_port_and_not_for_what_is_yet_to_come() {
        let idle = |host| member(host, 1, Ns::from_s(1e6), lms(0.0, 0.0));
        let instances = (0..3).map(idle).collect();
        let config = Config { nodes: vec![node(); 3], instances, cluster: Some(cluster(10)), seed: 1 };
        let mut world = World::new(&config, 0);
        world.run(Ns::from_ms(1.0), u64::MAX);
        let queue = world.new_queue(None);
        let parcel = |tag| Parcel { queue, item: Item { tag, ..Item::default() }, node: 1 };
        (0..85).for_each(|tag| world.send_over(0, 8_492, parcel(tag)));
        world.run(Ns::from_ms(2.0), u64::MAX);
        world.send_over(2, 300, parcel(100));
        world.run(Ns::from_ms(10.0), u64::MAX);
        let came: Vec<(u32, f64)> =
            std::iter::from_fn(|| world.take(queue)).map(|(item, came)| (item.tag, came.0 as f64 / 1e3)).collect();
        assert_eq!(came.len(), 86);
        // On the wire for 2.4 µs and 30 of latency; then at most as long as what came meanwhile holds the port.
        let of = |tag: u32| came.iter().find(|one| one.0 == tag).map_or(0.0, |one| one.1);
        assert!(of(100) >= 2_032.4 && of(100) < 2_032.4 + 71.2, "{} µs", of(100));
        // Each block holds the ports for 67.9 µs and 3.2 of framing, the last of them after the message, too.
        assert!((of(84) - (1_000.0 + 84.0 * 71.1 + 67.9 + 30.0 + 2.9)).abs() < 1.0, "{} µs", of(84));
    }
}
