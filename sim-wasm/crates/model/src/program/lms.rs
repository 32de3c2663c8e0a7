//! LMS: serves the global cache. It takes one message after another, sends blocks, grants and messages of its own, and
//! sleeps when there is none. Where a block may not leave before its redo is on disk it tells the log writer and goes
//! on; or waits, where it is set to.
use super::{Item, On, Program, Step};
use crate::cluster::message::{message, tag, Effect, Member, Message, Send, NO_BLOCK};
use crate::cluster::request::{self, Given, Kind, Part, RequestId};
use crate::cluster::Lms;
use crate::ids::Pid;
use crate::measure::cluster::Gc;
use crate::measure::events::Activity;
use crate::program::Resume;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

mod broadcast;
mod flush;

/// Its number among those of its instance, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Number.
    pub number: u16,
    /// Where it stands.
    pub stage: Stage,
}

/// Where an LMS stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Asleep, or has just been woken.
    Asleep,
    /// Looks for messages before it sleeps.
    Polls,
    /// Works on a message.
    Works(u32),
    /// Has posted the log writer.
    Posted,
    /// Has posted the log writer, and waits then for redo.
    Awaits,
    /// Waits for it.
    Flushes,
    /// Works for posts of commits.
    Posts,
}

/// The LMS processes of an instance.
pub fn start(world: &mut World, instance: usize) {
    let Some(cluster) = &world.cluster else { return };
    let queues: Vec<_> = cluster.lms[instance].iter().map(|lms| lms.queue).collect();
    let node = world.config.instances[instance].node;
    for (number, queue) in queues.into_iter().enumerate() {
        let program = Program::Lms(At { number: number as u16, stage: Stage::Asleep });
        let pid = world.admit(program, node, instance as u16, (instance as u64) << 32 | number as u64);
        world.born(pid, On::Items(queue, 1), None);
    }
}

/// The next step of an LMS.
pub fn next(world: &mut World, pid: Pid, At { number, stage }: At, why: Resume) -> Step {
    let member = world.processes[pid.i()].instance as Member;
    let mut turn = Turn { world, pid, member, number: usize::from(number) };
    let (stage, step) = match stage {
        Stage::Asleep => turn.wakes(),
        Stage::Polls if why == Resume::TimedOut => turn.sleeps(),
        Stage::Polls | Stage::Posted => turn.looks(),
        Stage::Works(tag) => turn.worked(tag),
        Stage::Awaits => turn.awaits(),
        Stage::Flushes => turn.flushed(),
        Stage::Posts => turn.posts(),
    };
    world.tasks[pid.i()].program = Program::Lms(At { number, stage });
    step
}

struct Turn<'a> {
    world: &'a mut World,
    pid: Pid,
    member: Member,
    number: usize,
}

type Next = (Stage, Step);

/// What a message costs, and what it leads to.
struct Handled {
    cost: Ns,
    /// Of that, to build a copy.
    build: Ns,
    /// Of that, to send a block.
    send: Ns,
}

impl Turn<'_> {
    fn me(&mut self) -> Option<&mut Lms> {
        let (member, number) = (usize::from(self.member), self.number);
        self.world.gc().map(|cluster| &mut cluster.lms[member][number])
    }

    fn count(&mut self, sum: Gc, by: u64) {
        self.world.count_gc(self.member, sum, by);
    }

    fn wakes(&mut self) -> Next {
        let now = self.world.now;
        if let Some(me) = self.me() {
            (me.awake, me.slept) = (now, true);
        }
        self.looks()
    }

    /// Takes the next message; polls, or sleeps.
    fn looks(&mut self) -> Next {
        let Some(queue) = self.me().map(|me| me.queue) else { return (Stage::Asleep, Step::Exit) };
        if let Some((item, came)) = self.world.take(queue) {
            return self.takes(item, came);
        }
        let config = &self.world.config.instances[usize::from(self.member)].others.lms;
        match config.as_ref().map_or(Ns::ZERO, |lms| lms.poll) {
            Ns::ZERO => self.sleeps(),
            poll => (Stage::Polls, Step::Poll { on: On::Items(queue, 1), at_most: to_work(poll).max(1) }),
        }
    }

    fn sleeps(&mut self) -> Next {
        let Some(me) = self.me() else { return (Stage::Asleep, Step::Exit) };
        let event = if me.flushing > 0 { Activity::GCS_LOG_FLUSH_SYNC } else { Activity::OFF };
        let on = On::Items(me.queue, 1);
        (Stage::Asleep, Step::Wait { event, on, until: None })
    }

    /// A message is taken up: what it leads to is decided now, and done when the work is.
    fn takes(&mut self, item: Item, came: Ns) -> Next {
        let (message, id) = message(item.tag);
        if let Some(me) = self.me().filter(|_| !matches!(message, Message::Flushed | Message::Kept)) {
            me.buffered = me.buffered.saturating_sub(1);
        }
        self.world.begin(self.pid, came);
        self.arrived(message, id, came);
        let mut handled = Handled { cost: Ns::ZERO, build: Ns::ZERO, send: Ns::ZERO };
        let tag = match message {
            Message::Kept if id == NO_BLOCK => item.tag,
            Message::Kept => match self.unkept(id.0) {
                Some((message, id)) => {
                    self.handles((message, id), true, &mut handled);
                    tag(message, id)
                }
                None => item.tag,
            },
            _ => {
                self.handles((message, id), false, &mut handled);
                item.tag
            }
        };
        let wakeup = self.world.gc().map_or(Ns::ZERO, |cluster| cluster.config.costs.wakeup);
        let slept = self.me().is_some_and(|me| me.slept);
        let cost = if slept { handled.cost.plus(wakeup) } else { handled.cost };
        (Stage::Works(tag), Step::Cpu { work: to_work(cost).max(1), reads: 0 })
    }

    /// The time of a request up to now: on the wire, until this LMS ran, in its queue.
    fn arrived(&mut self, message: Message, id: RequestId, came: Ns) {
        let now = self.world.now;
        let Some(awake) = self.me().map(|me| me.awake) else { return };
        if !matches!(message, Message::Flushed | Message::Kept) {
            self.count(Gc::Received, 1);
            self.count(Gc::QueueTime, (now - came).0);
        }
        let Some(cluster) = self.world.gc() else { return };
        let before = match message {
            Message::Request | Message::Forward | Message::Resend => Part::Wire,
            Message::Flushed => Part::Flush,
            _ => return,
        };
        let congested = cluster.config.congested;
        let times = &mut cluster.cache.request_mut(id).times;
        times.pass(before, came);
        times.pass(Part::Dispatch, awake.max(came).min(now));
        times.pass(Part::Queue, now);
        times.is_congested |= now - came > congested && before == Part::Wire;
    }

    fn unkept(&mut self, block: u32) -> Option<(Message, RequestId)> {
        let (now, member) = (self.world.now, self.member);
        self.world.looks_at_line(member, block);
        let cluster = self.world.gc()?;
        let (due, defer) = (cluster.cache.local(member, block).due, cluster.config.defer);
        let found = cluster.cache.unkept(member, block)?;
        if found.0 == Message::Forward {
            let times = &mut cluster.cache.request_mut(found.1).times;
            times.pass(Part::Defer, now);
            if due > Ns::ZERO {
                self.count(Gc::PinTime, now.plus(defer).0 - due.0);
            }
        }
        Some(found)
    }

    /// What a message leads to, and what that costs.
    fn handles(&mut self, (message, id): (Message, RequestId), again: bool, handled: &mut Handled) {
        let (now, me) = (self.world.now, self.member);
        if self.takes_scn(message, handled) {
            return;
        }
        let Some(cluster) = self.world.gc() else { return };
        let costs = cluster.config.costs;
        if message != Message::Flushed {
            handled.cost = handled.cost.plus(costs.message);
        }
        let kind = cluster.cache.request(id).kind;
        if let Kind::Block(block) = kind {
            self.world.looks_at_line(me, block);
        }
        let Some(cluster) = self.world.gc() else { return };
        let mut effects = std::mem::take(&mut cluster.effects);
        cluster.cache.handle(me, (message, id), again, &mut effects);
        for effect in effects.drain(..) {
            match effect {
                Effect::GaveUp => self.count(Gc::Invalidated, 1),
                Effect::Serves(id) if message == Message::Closed => {
                    self.deferred(id, now);
                    self.serves(id, handled);
                }
                Effect::Serves(id) if message == Message::Flushed || message == Message::Resend => {
                    self.ships(id, handled);
                }
                Effect::Serves(id) => self.serves(id, handled),
                Effect::Sends(send) => {
                    if message == Message::Closed {
                        self.deferred(send.request, now);
                    }
                    self.tells(send, handled);
                }
            }
        }
        let Some(cluster) = self.world.gc() else { return };
        cluster.effects = effects;
        if let Kind::Block(block) = kind {
            self.world.scatters(me, block);
            self.world.defers(me, block);
        }
    }

    /// It sends a message without a block once its work is done.
    fn tells(&mut self, send: Send, handled: &mut Handled) {
        self.count(Gc::DownConverts, u64::from(send.message == Message::DownConverted));
        handled.cost = handled.cost.plus(self.world.gc().map_or(Ns::ZERO, |cluster| cluster.config.costs.forward));
        self.sends(send);
    }

    fn sends(&mut self, send: Send) {
        if let Some(me) = self.me() {
            me.sends.push(send);
        }
    }

    /// Others had to give the block of a request up first.
    fn deferred(&mut self, id: RequestId, now: Ns) {
        if let Some(cluster) = self.world.gc() {
            cluster.cache.request_mut(id).times.pass(Part::Defer, now);
        }
    }

    /// It has the block: that goes now, or once its redo is on disk.
    fn serves(&mut self, id: RequestId, handled: &mut Handled) {
        self.leaves_the_rest(id, handled);
        if !self.needs_flush(id) {
            return self.ships(id, handled);
        }
        let me = self.member;
        let Some(cluster) = self.world.gc() else { return };
        cluster.cache.request_mut(id).times.is_busy = true;
        if let Kind::Block(block) = cluster.cache.request(id).kind {
            cluster.cache.local_mut(me, block).releases += 1;
        }
        if let Some(me) = self.me() {
            me.flushes.push(id);
        }
    }

    /// Undo that the copy of a block needs is perhaps not in the cache. An LMS reads nothing from disk: it gives its
    /// lock down and sends what it has, and the requester makes its copy of that (light works).
    fn leaves_the_rest(&mut self, id: RequestId, handled: &mut Handled) {
        let instance = usize::from(self.member);
        let light = self.world.config.instances[instance].others.lms.as_ref().map_or(0.0, |lms| lms.light);
        let Some(cluster) = self.world.gc().filter(|_| light > 0.0) else { return };
        let is_built = cluster.cache.request(id).is_built();
        let is_light = is_built && cluster.draws[instance].uniform() < light;
        cluster.cache.request_mut(id).times.is_light = is_light;
        if !is_light {
            return;
        }
        let told = cluster.cache.lightens(id);
        self.count(Gc::LightWorks, 1);
        told.into_iter().for_each(|send| self.tells(send, handled));
    }

    /// The block goes.
    fn ships(&mut self, id: RequestId, handled: &mut Handled) {
        let Some(cluster) = self.world.gc() else { return };
        let (costs, fragments) = (cluster.config.costs, cluster.config.interconnect.fragments());
        let request = cluster.cache.request_mut(id);
        let is_again = std::mem::take(&mut request.times.is_missing);
        request.stage = request::Stage::Asked;
        let (is_copy, is_built) = (request.given != Given::Exclusive, request.is_built());
        let (to, is_light) = (request.from, request.times.is_light);
        let work = match () {
            () if is_light => Ns::ZERO,
            () if is_built => costs.build,
            () => costs.serve,
        };
        let block = if is_again { costs.send } else { work.plus(costs.block(fragments)) };
        handled.cost = handled.cost.plus(block);
        if !is_again {
            handled.build = if is_built { work } else { Ns::ZERO };
            handled.send = block - work;
            self.count(if is_copy { Gc::CrServed } else { Gc::CurrentServed }, 1);
            self.count(if is_copy { Gc::CrSendTime } else { Gc::CurrentSendTime }, handled.send.0);
            self.count(Gc::CrBuildTime, handled.build.0);
        }
        self.sends(Send { to, message: Message::Reply, request: id });
    }

    /// The work is done: what was decided happens.
    fn worked(&mut self, tag: u32) -> Next {
        let (now, member) = (self.world.now, self.member);
        let (message, id) = message(tag);
        self.world.end(self.pid);
        if message.is_of_scn() {
            return self.told((message, id));
        }
        let Some(me) = self.me() else { return (Stage::Asleep, Step::Exit) };
        let (mut sends, flushes) = (std::mem::take(&mut me.sends), std::mem::take(&mut me.flushes));
        let slept = std::mem::take(&mut me.slept);
        // Whoever gives up works for a request that waits for that at its master.
        let told = sends.iter().filter(|send| send.message != Message::Closed).map(|send| send.request);
        for id in told.chain(flushes.iter().copied()) {
            self.worked_on(id, now, slept);
        }
        if message == Message::Flushed {
            self.left(id);
        }
        sends.drain(..).for_each(|send| self.world.carry(member, send));
        // Both lists are kept for the next message.
        if let Some(me) = self.me() {
            me.sends = sends;
        }
        if let Some(block) = self.block_of(message, id) {
            self.world.take_up(member, block);
        }
        self.registers(flushes)
    }

    fn block_of(&mut self, message: Message, id: RequestId) -> Option<u32> {
        let cluster = self.world.gc()?;
        match message {
            Message::Kept => (id != NO_BLOCK).then_some(id.0),
            Message::Forward | Message::Invalidate => match cluster.cache.request(id).kind {
                Kind::Block(block) => Some(block),
                _ => None,
            },
            _ => None,
        }
    }

    fn worked_on(&mut self, id: RequestId, now: Ns, slept: bool) {
        let Some(cluster) = self.world.gc() else { return };
        let wakeup = if slept { cluster.config.costs.wakeup } else { Ns::ZERO };
        let times = &mut cluster.cache.request_mut(id).times;
        let waking = times.mark.plus(wakeup).min(now);
        times.pass(Part::Dispatch, waking);
        times.pass(Part::Work, now);
    }
}
