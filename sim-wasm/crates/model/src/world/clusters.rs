//! The cluster: set up, messages on their way, and what sessions and LMS processes ask of the global cache.
use crate::cluster::interconnect::Interconnect;
use crate::cluster::message::{tag, Hold, Member, Message, Send};
use crate::cluster::protocol::GlobalCache;
use crate::cluster::request::{Given, Kind, Part, RequestId, Stage, Want};
use crate::cluster::{Cluster, Lms};
use crate::config::{Arrivals, InstanceConfig};
use crate::ids::{Pid, Reply};
use crate::measure::cluster::{ClusterSums, Gc};
use crate::measure::events::Activity;
use crate::program::Item;
use crate::world::databases::Pace;
use crate::world::evictions::Due;
use crate::world::{Parcel, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

mod broadcast;

/// How a session finds a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// Its instance holds it as it needs it.
    Held,
    /// Another session of its instance waits for it, or it is on its way to another instance.
    Busy(Activity),
    /// It has to be asked for.
    Missing,
}

/// So many reads of a block for each copy before its holder gives its lock down, and for each instance, are told at
/// most: by then whoever reads it holds it. Free.
const READS_TOLD: usize = 8;

/// One of these rates, in proportion.
fn drawn(rates: &[f64], draws: &mut Stream) -> usize {
    let mut left = draws.uniform() * rates.iter().sum::<f64>();
    let found = rates.iter().position(|rate| {
        left -= rate;
        left < 0.0
    });
    found.unwrap_or(0)
}

impl World {
    /// Sets the cluster up, if the instances with a database are joined: each block is held by who changed it last and
    /// by who read it since, as often as their loads say; by all, where nobody changes any.
    pub(crate) fn start_cluster(&mut self, paces: &[Pace]) {
        let Some(config) = self.config.cluster.clone() else { return };
        let instances = self.config.instances.len();
        let masters: Vec<Member> = (0..instances)
            .filter(|&instance| self.config.instances[instance].others.lms.is_some())
            .map(|instance| instance as Member)
            .collect();
        let is_parallel = |of: &InstanceConfig| of.others.parallel.is_some();
        if masters.is_empty() && !self.config.instances.iter().any(is_parallel) {
            return;
        }
        let blocks = if masters.is_empty() { 0 } else { config.blocks };
        let stream =
            |purpose: &str, index: u64| Stream::new(self.config.seed, self.replication, "cluster", index, purpose);
        let (mut holders, losses) = (stream("holders", 0), stream("losses", 0));
        let draws = (0..instances as u64).map(|index| stream("blocks", index)).collect();
        let cache = self.start_blocks((&masters, paces), blocks, &mut holders);
        let lock_servers = (0..instances).map(|_| [self.new_queue(None), self.new_queue(None)]).collect();
        let interconnect = Interconnect::new(config.interconnect, self.config.nodes.len(), losses);
        let lms = (0..instances).map(|instance| self.new_lms(instance)).collect();
        let css = self.start_css();
        self.accounts.cluster = ClusterSums::new(instances);
        let (waiters, dropped) = (Vec::new(), Vec::new());
        let (effects, sends, untaken) = (Vec::new(), Vec::new(), Vec::new());
        let cluster = Cluster {
            config,
            cache,
            interconnect,
            untaken,
            lms,
            waiters,
            draws,
            lock_servers,
            dropped,
            effects,
            sends,
            css,
        };
        self.cluster = Some(Box::new(cluster));
    }

    /// Who holds which block at the start. The row of a sequence is in the last one. Tables that are only read are
    /// where they were loaded: in the first instance.
    fn start_blocks(&self, (masters, paces): (&[Member], &[Pace]), blocks: u32, holders: &mut Stream) -> GlobalCache {
        let instances = self.config.instances.len();
        let has_sequence = !masters.is_empty() && self.config.instances.iter().any(|of| of.others.sequence.is_some());
        let of_path = |of: &InstanceConfig| of.workload.select.filter(|_| of.others.lms.is_some());
        let of_paths = self.config.instances.iter().filter_map(of_path).map(|of| of.path.blocks()).max().unwrap_or(0);
        let own = blocks.max(of_paths);
        let fairness = self.config.cluster.as_ref().map_or(0, |of| of.fairness);
        let mut cache = GlobalCache::new(masters.to_vec(), instances, own + u32::from(has_sequence), fairness);
        let told = READS_TOLD * (fairness as usize + masters.len());
        let rates = self.get_rates(masters, paces);
        let (changes, reads) = rates.split_at(masters.len());
        let [is_changed, is_read] = [changes, reads].map(|of| of.iter().any(|&rate| rate > 0.0));
        for block in 0..own {
            if is_changed && block < blocks {
                // Who changed it last holds it; since then it was only read.
                cache.starts_with(block, masters[drawn(changes, holders)], Hold::Exclusive);
                let gets = (0..told).filter(|_| is_read).map(|_| drawn(&rates, holders));
                let since = gets.map_while(|get| masters.get(get.checked_sub(masters.len())?));
                since.for_each(|&reader| cache.was_read(block, reader));
            } else if block < of_paths {
                cache.starts_with(block, masters[0], Hold::Shared);
            } else {
                masters.iter().for_each(|&member| cache.starts_with(block, member, Hold::Shared));
            }
        }
        if has_sequence {
            cache.starts_with(own, masters[0], Hold::Exclusive);
        }
        cache
    }

    /// How often instances change shared blocks, then how often they read them, as far as their loads say; in no unit.
    /// Closed sessions wait for each other's blocks: how often they read is known where `paces` says how many
    /// transactions commit in a nanosecond, and no read is told of where it is not.
    fn get_rates(&self, masters: &[Member], paces: &[Pace]) -> Vec<f64> {
        let configs = || masters.iter().map(|&member| usize::from(member)).map(|at| (at, &self.config.instances[at]));
        let pace = |at: usize| paces.get(at).map(|pace| pace.commits).filter(|&pace| pace > 0.0);
        let is_open = |of: &InstanceConfig| matches!(of.workload.arrivals, Arrivals::Open { .. });
        let is_told = configs().all(|(_, of)| is_open(of)) || configs().any(|(at, _)| pace(at).is_some());
        let of = |(at, of): (usize, &InstanceConfig)| {
            let database = of.others.database.as_deref();
            let queries = database.map_or(0.0, |database| database.query.share);
            let changes_none = database.is_none_or(|database| database.transaction.redo < 1.0);
            let load = match (&of.workload.arrivals, pace(at)) {
                (Arrivals::Closed { .. }, Some(pace)) if queries < 1.0 => 1e9 * pace / (1.0 - queries),
                (Arrivals::Closed { sessions, think, .. }, _) => {
                    f64::from(*sessions) * 1e9 / (*think + of.workload.demand.mean).0.max(1) as f64
                }
                (Arrivals::Open { per_s }, _) => *per_s,
                _ => 0.0,
            };
            let (reads, changes) = of.others.lms.as_ref().map_or((0.0, 0.0), |lms| (lms.reads, lms.changes));
            let changes = if changes_none { 0.0 } else { changes };
            (load * (1.0 - queries) * changes, if is_told { load * reads } else { 0.0 })
        };
        let (mut rates, reads): (Vec<f64>, Vec<f64>) = configs().map(of).unzip();
        rates.extend(reads);
        rates
    }

    fn new_lms(&mut self, instance: usize) -> Vec<Lms> {
        let count = self.config.instances[instance].others.lms.as_ref().map_or(0, |lms| lms.count);
        let one = |_| Lms {
            queue: self.new_queue(None),
            flushed: self.new_queue(None),
            awake: Ns::ZERO,
            slept: false,
            sends: Vec::new(),
            flushes: Vec::new(),
            posts: Vec::new(),
            flushing: 0,
            buffered: 0,
        };
        (0..count).map(one).collect()
    }

    /// The cluster, to those who found that there is one.
    pub(crate) fn gc(&mut self) -> Option<&mut Cluster> {
        self.cluster.as_deref_mut()
    }

    pub(crate) fn count_gc(&mut self, member: Member, sum: Gc, by: u64) {
        self.accounts.cluster.count(usize::from(member), sum, by);
    }

    /// How a session finds a block.
    pub(crate) fn look(&self, instance: usize, block: u32, want: Want) -> Look {
        let Some(cluster) = &self.cluster else { return Look::Held };
        let local = cluster.cache.local(instance as Member, block);
        let is_claimed = want == Want::Change && local.is_due;
        match () {
            () if local.asked.is_some() => Look::Busy(Activity::GC_BUFFER_BUSY_ACQUIRE),
            () if local.hold >= want.needs() && !is_claimed => Look::Held,
            () if local.releases > 0 || local.hold >= want.needs() => Look::Busy(Activity::GC_BUFFER_BUSY_RELEASE),
            () => Look::Missing,
        }
    }

    /// Sends what an instance has to say, to itself over no wire.
    pub(crate) fn carry(&mut self, from: Member, send: Send) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let Send { to, message, request: id } = send;
        if cluster.has_left(from) || cluster.has_left(to) {
            return;
        }
        if message == Message::Reply {
            let request = cluster.cache.request_mut(id);
            request.stage = Stage::Replied;
            if request.is_orphan {
                return self.calendar.schedule(now, Phase::Complete, Timer::Cluster(Due::Orphan(id)));
            }
        }
        let request = cluster.cache.request(id);
        let (queue, item) = if message == Message::Reply {
            let reply = request.times.reply();
            (reply.queue, Item { tag: reply.wait, reply: None, was: Some(name(&cluster.cache, id)) })
        } else {
            let number = cluster.number_of(message, id);
            let at = cluster.lms_of(to, number);
            let lms = &mut cluster.lms[usize::from(to)][at];
            lms.buffered += u32::from(to == from);
            (lms.queue, Item { tag: tag(message, id), ..Item::default() })
        };
        if to == from {
            return self.notices.push_back((queue, item));
        }
        let brings_block = message == Message::Reply && request.brings_block();
        let of = cluster.config.interconnect;
        let bytes = if brings_block { of.block_bytes } else { of.message_bytes };
        let comes = self.sends_message((from, to), bytes, brings_block);
        let target = self.config.instances[usize::from(to)].node;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        if brings_block && cluster.interconnect.loses() {
            let times = &mut cluster.cache.request_mut(id).times;
            (times.is_lost, times.is_missing) = (true, true);
            return self.accounts.cluster.count(usize::from(to), Gc::Lost, 1);
        }
        let parcel = Parcel { queue, item, node: target as u16 };
        match message {
            Message::Reply => self.carry_to_port(comes, bytes, parcel, Timer::Arrival),
            _ => self.carry_to_lms(comes, bytes, (from, to), parcel),
        }
    }

    /// A message of one instance to another leaves when the port is free; when its last byte comes to the other port.
    pub(crate) fn sends_message(&mut self, (from, to): (Member, Member), bytes: u32, brings_block: bool) -> Ns {
        let (now, sums) = (self.now, &mut self.accounts.cluster);
        let source = self.config.instances[usize::from(from)].node;
        let Some(cluster) = self.cluster.as_deref_mut() else { return now };
        sums.count(usize::from(from), Gc::Sent, 1);
        sums.count(usize::from(from), Gc::Told, u64::from(!brings_block));
        sums.count(usize::from(to), Gc::Heard, u64::from(!brings_block));
        sums.count(usize::from(from), Gc::SendQueueTime, cluster.interconnect.queue(source, now).0);
        cluster.interconnect.send(source, bytes, now)
    }

    /// An item is put into a queue at a moment, by an interrupt.
    pub(crate) fn put_at(&mut self, at: Ns, parcel: Parcel) {
        let place = self.keep_parcel(parcel);
        self.calendar.schedule(at, Phase::Complete, Timer::Arrival(place));
    }

    /// The master of a request is told of it; where that is the instance that asks, by its session. What is left to
    /// send: nothing, if the request is granted by that. While the global cache is set up anew the request waits.
    pub(crate) fn ask_master(&mut self, id: RequestId) -> bool {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return true };
        let is_frozen = cluster.is_frozen(now);
        let request = cluster.cache.request_mut(id);
        let from = request.from;
        request.times.pass(Part::Send, now);
        request.stage = Stage::Asked;
        if is_frozen {
            return false;
        }
        let mut sends = std::mem::take(&mut cluster.sends);
        cluster.cache.begin(id, &mut sends);
        let is_granted = sends.iter().any(|send| send.message == Message::Reply);
        if is_granted {
            let request = cluster.cache.request_mut(id);
            (request.times.is_own, request.stage) = (true, Stage::Replied);
            sends.clear();
        }
        sends.drain(..).for_each(|send| self.carry_in_turn(from, send));
        if let Some(cluster) = self.gc() {
            cluster.sends = sends;
        }
        is_granted
    }

    /// A session sends a message: after those about the same block that an LMS of its instance has decided on and is
    /// still at work for.
    fn carry_in_turn(&mut self, from: Member, send: Send) {
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let number = cluster.number_of(send.message, send.request);
        let lms = cluster.lms_of(from, number);
        let pending = &cluster.lms[usize::from(from)][lms].sends;
        if pending.iter().any(|other| cluster.number_of(other.message, other.request) == number) {
            return cluster.lms[usize::from(from)][lms].sends.push(send);
        }
        self.carry(from, send);
    }

    /// A reply has come to a session that runs again. CPU to take it.
    pub(crate) fn reply_came(&mut self, id: RequestId, came: Ns) -> Ns {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return Ns::ZERO };
        let (costs, fragments) = (&cluster.config.costs, cluster.config.interconnect.fragments());
        let request = cluster.cache.request_mut(id);
        request.times.pass(Part::Wire, came);
        request.times.pass(Part::WakeUp, now);
        let takes = match request.brings_block() {
            true => costs.receive.plus(Ns(costs.fragment.0 * fragments)),
            false => costs.granted,
        };
        takes.plus(costs.wakeup)
    }

    /// The session has worked to take it.
    pub(crate) fn reply_taken(&mut self, id: RequestId) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let wakeup = cluster.config.costs.wakeup;
        let times = &mut cluster.cache.request_mut(id).times;
        let waking = times.mark.plus(wakeup).min(now);
        times.pass(Part::WakeUp, waking);
        times.pass(Part::Receive, now);
    }

    /// A block that got lost is asked for again, of who sent it, once for each loss: an LMS that has not come to it yet
    /// sends it no sooner for being asked twice. The session goes on waiting.
    pub(crate) fn reply_is_late(&mut self, pid: Pid, id: RequestId) {
        let (now, member) = (self.now, self.processes[pid.i()].instance as Member);
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let retry = cluster.config.retry;
        let request = cluster.cache.request_mut(id);
        let server = request.server;
        if request.times.is_missing && request.stage == Stage::Replied {
            request.stage = Stage::Asked;
            request.times.pass(Part::Wire, now);
            self.carry(member, Send { to: server, message: Message::Resend, request: id });
        }
        self.set_time_out(pid, now.plus(retry));
    }

    /// A session has what it asked for. Whoever waits for that goes on; messages that were kept for it are taken up.
    pub(crate) fn have_block(&mut self, id: RequestId) {
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let request = cluster.cache.request(id);
        let (from, kind) = (request.from, request.kind);
        let is_three_way = is_three_way(&cluster.cache, id);
        self.accounts.cluster.over(cluster.cache.request(id), is_three_way);
        cluster.cache.complete(id);
        cluster.cache.forget(id);
        if let Kind::Block(block) = kind {
            self.release_block(from, block);
        }
    }

    /// Sessions that waited for a block look again, and so does the LMS that kept messages about it.
    pub(crate) fn release_block(&mut self, member: Member, block: u32) {
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let posts = cluster.release(member, block);
        self.post_all(posts);
        self.take_up(member, block);
    }

    /// Whoever waits for these is posted.
    pub(crate) fn post_all(&mut self, posts: impl IntoIterator<Item = Reply>) {
        let item = |reply: Reply| (reply.queue, Item { tag: reply.wait, ..Item::default() });
        self.notices.extend(posts.into_iter().map(item));
    }

    /// A session waits until another has a block, or until it has left.
    pub(crate) fn wait_for_block(&mut self, instance: usize, block: u32, reply: Reply) {
        if let Some(cluster) = self.cluster.as_deref_mut() {
            cluster.waiters.push(((instance as Member, block), reply));
        }
    }
}

/// Whether three instances had to do with a request: who asked, the master, and another who had the block.
fn is_three_way(cache: &GlobalCache, id: RequestId) -> bool {
    let (request, master) = (cache.request(id), cache.master_of(id));
    master != request.from && request.server != master
}

/// What a wait was that ends with this reply.
fn name(cache: &GlobalCache, id: RequestId) -> Activity {
    let request = cache.request(id);
    let (times, reads) = (&request.times, request.want == Want::Read);
    if !request.brings_block() {
        return match () {
            () if request.given == Given::Read && times.blocks > 1 => Activity::GC_CR_MULTI,
            () if reads && times.is_congested => Activity::GC_CR_GRANT_CONGESTED,
            () if reads => Activity::GC_CR_GRANT,
            () if times.is_busy => Activity::GC_CURRENT_GRANT_BUSY,
            () if times.is_congested => Activity::GC_CURRENT_GRANT_CONGESTED,
            () => Activity::GC_CURRENT_GRANT,
        };
    }
    let [lost, busy, congested, three, two] = if reads {
        use Activity as A;
        [A::GC_CR_LOST, A::GC_CR_BUSY, A::GC_CR_CONGESTED, A::GC_CR_3WAY, A::GC_CR_2WAY]
    } else {
        use Activity as A;
        [A::GC_CURRENT_LOST, A::GC_CURRENT_BUSY, A::GC_CURRENT_CONGESTED, A::GC_CURRENT_3WAY, A::GC_CURRENT_2WAY]
    };
    match () {
        () if times.is_lost => lost,
        () if times.is_busy => busy,
        () if times.is_congested => congested,
        () if is_three_way(cache, id) => three,
        () => two,
    }
}
