//! Parallel queries: set up, and their messages within an instance or over the interconnect.
use crate::cluster::parallel::{Arrived, Query};
use crate::config::parallel::ParallelQuery;
use crate::ids::QueueId;
use crate::measure::cluster::{ClusterSums, Gc};
use crate::program::Item;
use crate::world::{Parcel, World};
use wwi_kernel::time::Ns;

/// Bytes of a message without rows, where no interconnect says so.
const SMALL: u32 = 300;

impl World {
    /// The queries of all coordinators, with their slaves' places.
    pub(crate) fn start_parallel(&mut self) {
        let has = |instance: &usize| self.config.instances[*instance].others.parallel.is_some();
        let members: Vec<usize> = (0..self.config.instances.len()).filter(has).collect();
        if members.is_empty() {
            return;
        }
        if self.cluster.is_none() {
            self.accounts.cluster = ClusterSums::new(self.config.instances.len());
        }
        for (at, &instance) in members.iter().enumerate() {
            let of = &self.config.instances[instance];
            let crate::config::Arrivals::Closed { sessions, .. } = of.workload.arrivals else { continue };
            let Some(of) = of.others.parallel.as_ref().map(|of| of.query) else { continue };
            let is_spread = of.is_spread && self.cluster.is_some();
            let mut places: Vec<usize> = members[at..].iter().chain(&members[..at]).copied().collect();
            places.truncate(if is_spread { members.len() } else { 1 });
            for _ in 0..sessions {
                let query = Query::new(&of, &places, &mut || self.new_queue(None));
                self.queries.push(query);
            }
        }
    }

    /// What the sessions of the instance of a query execute.
    pub(crate) fn parallel(&self, query: usize) -> Option<ParallelQuery> {
        Some(self.config.instances[self.queries[query].instance].others.parallel.as_ref()?.query)
    }

    /// CPU of sender and of receiver of a message between two instances: of a buffer with rows, or of a short one.
    pub(crate) fn message_cost(&self, of: &ParallelQuery, (from, to): (usize, usize), is_buffer: bool) -> Ns {
        if from == to {
            return of.local;
        }
        let Some(cluster) = &self.cluster else { return of.remote };
        let bytes = if is_buffer { of.message_bytes } else { cluster.config.interconnect.message_bytes };
        let payload = cluster.config.interconnect.fragment_bytes;
        let fragments = payload.map_or(0, |payload| u64::from(bytes.div_ceil(payload.max(1))));
        of.remote.plus(Ns(cluster.config.costs.fragment.0 * fragments))
    }

    /// A message goes to a queue of another instance, or of its own: that is told once the sender has gone on.
    pub(crate) fn post(&mut self, (from, to): (usize, usize), (queue, tag): (QueueId, u32), bytes: u32) {
        let item = Item { tag, ..Item::default() };
        let hosts = (self.config.instances[from].node, self.config.instances[to].node);
        match self.cluster.is_some() && from != to {
            false => self.notices.push_back((queue, item)),
            true => self.send_over(hosts.0, bytes, Parcel { queue, item, node: hosts.1 as u16 }),
        }
    }

    fn small(&self) -> u32 {
        self.cluster.as_ref().map_or(SMALL, |cluster| cluster.config.interconnect.message_bytes)
    }

    /// The coordinator of a query tells all its slaves, those of the second set first.
    pub(crate) fn tell_slaves(&mut self, query: usize, what: Arrived) {
        let bytes = self.small();
        for slave in (0..self.queries[query].slaves.len()).rev() {
            let of = &self.queries[query];
            let (way, queue) = ((of.instance, of.slaves[slave].instance), of.slaves[slave].queue);
            self.post(way, (queue, what.tag()), bytes);
        }
    }

    /// What it costs the coordinator to tell them.
    pub(crate) fn telling_cost(&self, query: usize) -> Ns {
        let Some(of) = self.parallel(query) else { return Ns::ZERO };
        let from = self.queries[query].instance;
        let costs = self.queries[query].slaves.iter().map(|slave| (from, slave.instance));
        costs.fold(Ns::ZERO, |sum, way| sum.plus(self.message_cost(&of, way, false)))
    }

    /// A slave sends the buffer that it has filled.
    pub(crate) fn send_buffer(&mut self, query: usize, slave: usize) {
        let bytes = self.parallel(query).map_or(0, |of| of.message_bytes);
        let rows = self.queries[query].slaves[slave].present.1.rows;
        let at = self.queries[query].sends(slave);
        let of = &self.queries[query];
        let (way, instance) = ((of.source(at), of.target(at)), of.instance);
        let queue = of.channels[at].to.map_or(of.queue, |slave| of.slaves[slave].queue);
        let is_remote = u64::from(way.0 != way.1);
        let sums = &mut self.accounts.cluster;
        for (sum, by) in [
            (Gc::PxMessages, 1),
            (Gc::PxRemoteMessages, is_remote),
            (Gc::PxRows, u64::from(rows)),
            (Gc::PxRemoteRows, is_remote * u64::from(rows)),
            (Gc::PxRemoteBytes, is_remote * u64::from(bytes)),
        ] {
            sums.count(instance, sum, by);
        }
        self.post(way, (queue, Arrived::Rows(at).tag()), bytes);
    }

    /// Who received a buffer has done with it.
    pub(crate) fn free_buffer(&mut self, query: usize, at: usize) {
        let bytes = self.small();
        let of = &self.queries[query];
        let (way, freed) = ((of.target(at), of.source(at)), of.slaves[of.channels[at].from].freed);
        self.post(way, (freed, at as u32), bytes);
    }

    /// Takes note of all buffers of a slave that are free again. Whether one of this channel is.
    pub(crate) fn has_credit(&mut self, query: usize, slave: usize, at: usize) -> bool {
        let freed = self.queries[query].slaves[slave].freed;
        while let Some((item, _)) = self.take(freed) {
            if let Some(channel) = self.queries[query].channels.get_mut(item.tag as usize) {
                channel.credits += 1;
            }
        }
        self.queries[query].channels[at].credits > 0
    }
}
