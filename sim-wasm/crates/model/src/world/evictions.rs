//! Nodes and instances that have to leave their cluster: heartbeats that do not come, LMS that do not move, and how the
//! others go on.
use crate::cluster::css::{Css, Eviction, Reason};
use crate::cluster::message::{tag, Member, Message, NO_BLOCK};
use crate::cluster::request::{Part, RequestId, Stage};
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::program::lms::{self, At};
use crate::program::{heartbeat, lgwr, Item, Program, Step};
use crate::world::{Parcel, Timer, World};
use wwi_kernel::calendar::Phase;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// What of a cluster is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The CSSD of this instance looks whom it misses, and sends.
    Heartbeat(u16),
    /// The global cache is set up anew.
    Thaw,
    /// A message from one instance to another comes that is kept at this place.
    Comes(Member, Member, u32),
    /// The stay of those in line for a block of an instance is over.
    Pin(Member, u32),
    /// One that was dropped is sent again.
    Again(Member, Member, u32),
    /// Nobody waits any more for the reply to this request.
    Orphan(RequestId),
}

impl World {
    /// It comes.
    pub(crate) fn cluster_due(&mut self, due: Due) {
        match due {
            Due::Heartbeat(instance) => self.heartbeat(usize::from(instance)),
            Due::Thaw => self.thaw(),
            Due::Comes(from, to, place) => self.comes((from, to), place),
            Due::Pin(member, block) => self.pin_is_due(member, block),
            Due::Again(from, to, place) => self.sends_again((from, to), place),
            Due::Orphan(id) => self.end_orphan(id),
        }
    }

    /// CSS of a cluster, where it is set; each node's heartbeats begin at a random moment.
    pub(crate) fn start_css(&mut self) -> Option<Css> {
        let config = self.config.cluster.as_ref()?.css?;
        let instances = self.config.instances.len();
        let queues = (0..instances).map(|_| self.new_queue(None)).collect();
        for instance in (0..instances).filter(|&instance| self.config.instances[instance].others.lms.is_some()) {
            let mut start = Stream::new(self.config.seed, self.replication, "heartbeat", instance as u64, "start");
            let at = Ns(start.below(config.heartbeat.0.max(1)));
            self.calendar.schedule(at, Phase::Arrive, Timer::Cluster(Due::Heartbeat(instance as u16)));
        }
        let void = self.new_queue(None);
        Some(Css::new(config, queues, void))
    }

    fn css(&mut self) -> Option<&mut Css> {
        self.cluster.as_deref_mut()?.css.as_mut()
    }

    /// Instances of the cluster that have not left it.
    pub(crate) fn living(&self) -> Vec<Member> {
        self.cluster.as_ref().map_or(Vec::new(), |cluster| {
            cluster.cache.masters().iter().copied().filter(|&member| !cluster.has_left(member)).collect()
        })
    }

    /// Whether an instance has left its cluster, or its host has, and nobody may come to it any more.
    pub(crate) fn has_left(&self, instance: usize) -> bool {
        let node = |instance: usize| self.config.instances.get(instance).map(|of| of.node);
        let own = node(instance);
        let is_down = |eviction: &Eviction| {
            eviction.reason == Reason::Misscount && own.is_some() && node(usize::from(eviction.member)) == own
        };
        self.cluster.as_ref().is_some_and(|cluster| {
            cluster.has_left(instance as Member)
                || cluster.css.as_ref().is_some_and(|css| css.evictions.iter().any(is_down))
        })
    }

    /// A heartbeat of an instance has come to another.
    pub(crate) fn hears(&mut self, me: Member, of: Member) {
        let now = self.now;
        if let Some(css) = self.css() {
            css.hears(me, of, now);
        }
    }

    /// The CSSD of an instance looks whom it misses, and has its kernel thread send.
    pub(crate) fn heartbeat(&mut self, instance: usize) {
        let (now, me) = (self.now, instance as Member);
        let living = self.living();
        if !living.contains(&me) {
            return;
        }
        let Some(css) = self.css() else { return };
        let (config, queue) = (css.config, css.queues[instance]);
        let leave = css.verdict(&living, now);
        let looks = css.looks[instance] <= now;
        if looks {
            css.looks[instance] = now.plus(config.looks);
        }
        self.calendar.schedule(
            now.plus(config.heartbeat),
            Phase::Arrive,
            Timer::Cluster(Due::Heartbeat(instance as u16)),
        );
        if !leave.is_empty() {
            return self.evict(&leave, Reason::Misscount);
        }
        if looks && self.is_hung(me, config.hangs) {
            return self.evict(&[me], Reason::Hung);
        }
        let node = self.config.instances[instance].node;
        self.put_by_interrupt(queue, Item { tag: heartbeat::SEND, ..Item::default() }, node, false);
    }

    /// LMHB: whether an LMS of an instance has waited for so long for a thread, or for redo and nothing else. One that
    /// sleeps would look every 10 ms.
    fn is_hung(&self, member: Member, allowed: Ns) -> bool {
        self.lms_of(member).into_iter().any(|(pid, at)| {
            let process = &self.processes[pid.i()];
            let for_redo = at.stage == lms::Stage::Flushes && process.activity == Activity::GCS_LOG_FLUSH_SYNC;
            (process.activity == Activity::RUN_QUEUE || for_redo) && self.now - process.entered > allowed
        })
    }

    fn lms_of(&self, member: Member) -> Vec<(Pid, At)> {
        let of = |pid: usize| match self.tasks[pid].program {
            Program::Lms(at) if self.processes[pid].instance == u16::from(member) => Some((Pid(pid as u32), at)),
            _ => None,
        };
        (0..self.tasks.len()).filter_map(of).collect()
    }

    /// Instances leave: with their nodes, where these are evicted. The others set the global cache up anew.
    pub fn evict(&mut self, members: &[Member], reason: Reason) {
        let now = self.now;
        let hosts: Vec<usize> = members.iter().map(|&member| self.config.instances[usize::from(member)].node).collect();
        let Some(css) = self.css() else { return };
        css.evictions.extend(members.iter().map(|&member| Eviction { at: now, member, reason }));
        let until = now.plus(css.config.reconfiguration);
        css.frozen_until = until;
        self.calendar.schedule(until, Phase::Arrive, Timer::Cluster(Due::Thaw));
        for pid in 0..self.processes.len() {
            let process = &self.processes[pid];
            let goes = match reason {
                Reason::Misscount => hosts.contains(&usize::from(process.node)),
                Reason::Hung => members.iter().any(|&member| u16::from(member) == process.instance),
            };
            if goes {
                self.kill(Pid(pid as u32));
            }
        }
        for &member in members {
            let database = self.databases[usize::from(member)].as_mut();
            database.into_iter().flat_map(|of| &mut of.foregrounds).for_each(|session| session.request = None);
        }
        self.reconfigure();
    }

    /// Looks whether the blocks that were lost with those that left have been read again.
    pub(crate) fn look_for_lost(&mut self) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let Some(css) = cluster.css.as_mut().filter(|css| !css.evictions.is_empty()) else { return };
        if css.read_again.is_none() {
            css.looks_for_lost(cluster.cache.unheld(), now);
        }
    }

    /// Those that are left share the blocks; messages under way are void.
    fn reconfigure(&mut self) {
        let (now, living) = (self.now, self.living());
        let Some(cluster) = self.cluster.as_deref_mut().filter(|_| !living.is_empty()) else { return };
        cluster.cache.reconfigure(&living);
        let unheld = cluster.cache.unheld();
        cluster.css.iter_mut().for_each(|css| css.loses(unheld));
        let queues: Vec<QueueId> = cluster.lms.iter().flatten().flat_map(|lms| [lms.queue, lms.flushed]).collect();
        for lms in cluster.lms.iter_mut().flatten() {
            lms.sends.clear();
            lms.flushes.clear();
            (lms.flushing, lms.buffered) = (0, 0);
        }
        cluster.dropped.clear();
        let mut waiters = std::mem::take(&mut cluster.waiters);
        sort_by_rank(&mut waiters, |&((member, block), _)| u64::from(member) << 32 | u64::from(block));
        let ids: Vec<RequestId> = cluster.cache.all_under_way().collect();
        for id in ids {
            let request = cluster.cache.request_mut(id);
            if request.stage == Stage::Asked {
                request.times.pass(Part::Defer, now);
                request.times.is_busy = true;
            }
        }
        let void = cluster.css.as_ref().map(|css| css.void);
        for parcel in self.parcels.iter_mut().filter(|parcel| queues.contains(&parcel.queue)) {
            parcel.queue = void.unwrap_or(parcel.queue);
        }
        for database in self.databases.iter_mut().flatten() {
            database.redo.for_disk.retain(|(_, reply)| !queues.contains(&reply.queue));
        }
        void.into_iter().for_each(|void| self.void_posts(&queues, void));
        self.notices.retain(|(queue, _)| !queues.contains(queue));
        queues.into_iter().for_each(|queue| while self.take(queue).is_some() {});
        living.iter().for_each(|&member| self.void_work(member));
        for ((member, _), reply) in waiters.into_iter().filter(|((member, _), _)| living.contains(member)) {
            self.tells(member, reply.queue, reply.wait);
        }
    }

    /// Log writers post as many as they were about to, but of redo for requests that begin anew nobody hears.
    fn void_posts(&mut self, queues: &[QueueId], void: QueueId) {
        let voids = |queue: &mut QueueId| {
            if queues.contains(queue) {
                *queue = void;
            }
        };
        let in_line = self.databases.iter_mut().flatten().flat_map(|of| &mut of.posts);
        in_line.for_each(|reply| voids(&mut reply.queue));
        for task in &mut self.tasks {
            if let Program::Lgwr(lgwr::At::Posting(reply)) = &mut task.program {
                voids(&mut reply.queue);
            }
            if let Some(Step::Put(queue, _)) = &mut task.stashed {
                voids(queue);
            }
        }
    }

    /// An item comes to a process of an instance at this moment: each on its own host, whoever else is told.
    fn tells(&mut self, member: Member, queue: QueueId, tag: u32) {
        let node = self.config.instances[usize::from(member)].node as u16;
        self.put_at(self.now, Parcel { queue, item: Item { tag, ..Item::default() }, node });
    }

    /// What the LMS of an instance are at is about requests that begin anew.
    fn void_work(&mut self, member: Member) {
        for (pid, at) in self.lms_of(member) {
            let number = usize::from(at.number);
            match at.stage {
                lms::Stage::Works(_) => {
                    let stage = lms::Stage::Works(tag(Message::Kept, NO_BLOCK));
                    self.tasks[pid.i()].program = Program::Lms(At { stage, ..at });
                }
                lms::Stage::Awaits | lms::Stage::Flushes => {
                    let queue = self.cluster.as_ref().map(|cluster| cluster.lms[usize::from(member)][number].flushed);
                    queue.into_iter().for_each(|queue| self.tells(member, queue, tag(Message::Kept, NO_BLOCK)));
                }
                _ => {}
            }
        }
    }

    /// The global cache is set up: all requests that were asked before go to their masters.
    pub(crate) fn thaw(&mut self) {
        let now = self.now;
        let Some(cluster) = self.cluster.as_deref_mut().filter(|cluster| !cluster.is_frozen(now)) else { return };
        let all = cluster.cache.all_under_way();
        let asked: Vec<RequestId> = all.filter(|&id| cluster.cache.request(id).stage == Stage::Asked).collect();
        for member in self.living() {
            let posts = self.all_learned(member);
            posts.into_iter().for_each(|reply| self.tells(member, reply.queue, reply.wait));
        }
        for id in asked {
            let Some(cluster) = self.cluster.as_deref_mut() else { return };
            let mut sends = Vec::new();
            let request = cluster.cache.request_mut(id);
            let from = request.from;
            request.times.pass(Part::Defer, now);
            cluster.cache.begin(id, &mut sends);
            sends.into_iter().for_each(|send| self.carry(from, send));
            self.wake_others(None);
        }
    }

    /// A session is gone that had asked for a block: nobody takes the reply, and others of its instance may ask.
    pub(crate) fn abandon(&mut self, id: RequestId) {
        let Some(cluster) = self.cluster.as_deref_mut() else { return };
        let request = cluster.cache.request_mut(id);
        match request.stage {
            // Its block is on the way, or nobody was asked.
            Stage::Replied | Stage::Asking => self.have_block(id),
            Stage::Asked => request.is_orphan = true,
        }
    }

    /// The reply to a request of a session that is gone.
    pub(crate) fn end_orphan(&mut self, id: RequestId) {
        let is_orphan = self.cluster.as_ref().is_some_and(|cluster| cluster.cache.request(id).is_orphan);
        if is_orphan {
            self.have_block(id);
            self.wake_others(None);
        }
    }
}
