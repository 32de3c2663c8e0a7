//! Sequences: set up, and what sessions, LMD and LCK0 tell one another of their locks.
use crate::cluster::message::{Member, NOBODY};
use crate::config::sequence::{SequenceConfig, Transfers};
use crate::ids::{Pid, QueueId};
use crate::instance::database::Nextval;
use crate::instance::sequence::{tag, Sequence, Verb, Which};
use crate::measure::database::Sum;
use crate::program::Item;
use crate::world::{Parcel, Timer, World};
use wwi_kernel::time::Ns;

impl World {
    /// One sequence of instances that are joined, else one of each.
    pub(crate) fn start_sequences(&mut self) {
        let instances = self.config.instances.len();
        let of = |instance: usize| self.config.instances[instance].others.sequence.as_deref();
        let Some(first) = (0..instances).find(|&instance| of(instance).is_some()) else { return };
        let own = |instance: usize| {
            let mut config = of(instance).or_else(|| of(first))?.clone();
            // An instance that shares it with nobody keeps the order anyhow.
            config.is_ordered &= self.cluster.is_some();
            Some(Sequence::new(config, instances, instance as Member))
        };
        self.sequences = match &self.cluster {
            Some(cluster) => {
                let first = usize::from(cluster.cache.masters()[0]);
                own(first).into_iter().collect()
            }
            None => (0..instances).filter_map(own).collect(),
        };
    }

    /// The sequence of an instance whose sessions take values.
    pub(crate) fn sequence(&mut self, member: Member) -> Option<&mut Sequence> {
        let at = if self.cluster.is_some() { 0 } else { usize::from(member) };
        self.sequences.get_mut(at)
    }

    /// The block with the row of the sequence: the last one.
    pub(crate) fn row_block(&self) -> u32 {
        self.cluster.as_ref().map_or(0, |cluster| cluster.cache.blocks().saturating_sub(1))
    }

    /// How an instance uses it.
    pub(crate) fn sequence_config(&self, member: Member) -> Option<&SequenceConfig> {
        self.config.instances[usize::from(member)].others.sequence.as_deref()
    }

    /// Who sees to a lock, if instances are joined: the row cache lock the first of them, SV the second.
    fn master_of_lock(&self, which: Which) -> Member {
        let Some(cluster) = &self.cluster else { return 0 };
        let masters = cluster.cache.masters();
        masters[which as usize % masters.len()]
    }

    /// What it takes to have a lock from another instance, where that is given.
    pub(crate) fn given_lock(&self, member: Member) -> Option<Ns> {
        match self.sequence_config(member)?.transfers {
            Transfers::Given { lock, .. } => Some(lock),
            Transfers::Messages => None,
        }
    }

    /// A message about a lock, to itself over no wire.
    fn tell_member(&mut self, from: Member, to: Member, (queue, tag): (QueueId, u32)) {
        let item = Item { tag, ..Item::default() };
        let Some(cluster) = self.cluster.as_deref().filter(|_| from != to) else {
            return self.notices.push_back((queue, item));
        };
        let bytes = cluster.config.interconnect.message_bytes;
        let node = self.config.instances[usize::from(to)].node as u16;
        let comes = self.sends_message((from, to), bytes, false);
        self.carry_to_port(comes, bytes, Parcel { queue, item, node }, Timer::Arrival);
    }

    /// A message that takes a given time.
    fn tell_after(&mut self, span: Ns, to: Member, (queue, tag): (QueueId, u32)) {
        let (at, node) = (self.now.plus(span), self.config.instances[usize::from(to)].node as u16);
        self.put_at(at, Parcel { queue, item: Item { tag, ..Item::default() }, node });
    }

    fn ear_of(&self, member: Member, is_lck: bool) -> QueueId {
        let ears = self.cluster.as_ref().map_or([QueueId(0); 2], |cluster| cluster.lock_servers[usize::from(member)]);
        ears[usize::from(is_lck)]
    }

    /// A session asks for a lock that its instance has not.
    pub(crate) fn ask_for_lock(&mut self, member: Member, which: Which) {
        let (now, master) = (self.now, self.master_of_lock(which));
        let given = self.given_lock(member);
        let Some(lock) = self.sequence(member).map(|sequence| sequence.lock(which)) else { return };
        let Some(takes) = given else {
            let word = (self.ear_of(master, false), tag(Verb::Asks, which, member));
            return self.tell_member(member, master, word);
        };
        if lock.is_free_for(member) {
            return self.grant_after(takes, member, which);
        }
        let (owner, half) = (lock.owner(), Ns(takes.0 / 2));
        lock.will_hear(now.plus(half));
        let word = (self.ear_of(owner, true), tag(Verb::Wanted, which, member));
        self.tell_after(half, owner, word);
    }

    /// The second half of a hand-over that takes a given time.
    fn grant_after(&mut self, takes: Ns, to: Member, which: Which) {
        let Some(lock) = self.sequence(to).map(|sequence| sequence.lock(which)) else { return };
        match lock.reply_to(to) {
            Some(reply) => self.tell_after(Ns(takes.0 - takes.0 / 2), to, (reply.queue, reply.wait)),
            None => {
                lock.arrives(to, false);
                let next = lock.leaves();
                self.lock_leaves(to, which, next);
            }
        }
    }

    /// LMD or LCK0 of an instance has worked on a message.
    pub(crate) fn lock_message(&mut self, at: Member, (verb, which, of): (Verb, Which, Member)) {
        let Some(lock) = self.sequence(at).map(|sequence| sequence.lock(which)) else { return };
        match verb {
            Verb::Asks => {
                let told = lock.came(of);
                self.tell_owner(at, which, told);
            }
            Verb::Wanted => {
                let next = lock.heard(of);
                self.lock_leaves(at, which, next);
            }
            Verb::Done => {
                let next = lock.leaves();
                self.lock_leaves(at, which, next);
            }
            Verb::Released => {
                let reply = lock.reply_to(of);
                if reply.is_none() {
                    lock.arrives(of, false);
                }
                let told = lock.came_back();
                if let Some(reply) = reply {
                    self.tell_member(at, of, (reply.queue, reply.wait));
                }
                self.tell_owner(at, which, told);
            }
        }
    }

    fn tell_owner(&mut self, master: Member, which: Which, told: Option<(Member, Member)>) {
        if let Some((NOBODY, of)) = told {
            if let Some(lock) = self.sequence(master).map(|sequence| sequence.lock(which)) {
                lock.is_free_for(of);
            }
            self.lock_message(master, (Verb::Released, which, of));
        } else if let Some((owner, of)) = told {
            let word = (self.ear_of(owner, true), tag(Verb::Wanted, which, of));
            self.tell_member(master, owner, word);
        }
    }

    /// A lock leaves an instance.
    fn lock_leaves(&mut self, from: Member, which: Which, to: Option<Member>) {
        let Some(to) = to else { return };
        self.accounts.databases[usize::from(to)].count(Sum::LockHandovers, 1);
        let Some(takes) = self.given_lock(from) else {
            let master = self.master_of_lock(which);
            let word = (self.ear_of(master, false), tag(Verb::Released, which, to));
            return self.tell_member(from, master, word);
        };
        self.grant_after(takes, to, which);
    }

    /// A session does not use a lock any more.
    pub(crate) fn done_with_lock(&mut self, member: Member, which: Which) {
        let Some(lock) = self.sequence(member).map(|sequence| sequence.lock(which)) else { return };
        if !lock.done() {
            return;
        }
        if self.given_lock(member).is_some() {
            let next = self.sequence(member).and_then(|sequence| sequence.lock(which).leaves());
            return self.lock_leaves(member, which, next);
        }
        let word = (self.ear_of(member, true), tag(Verb::Done, which, member));
        self.tell_member(member, member, word);
    }

    /// A session leaves the gate of its instance.
    pub(crate) fn open_gate(&mut self, member: Member) {
        if let Some(next) = self.sequence(member).and_then(|sequence| sequence.opens(member)) {
            self.notices.push_back((next.queue, Item { tag: next.wait, ..Item::default() }));
        }
    }

    /// A session is gone: others have what it waited for or had of a sequence.
    pub(crate) fn leave_sequence(&mut self, pid: Pid, nextval: Nextval) {
        let member = self.processes[pid.i()].instance as Member;
        let (mut holds, mut asked) = ([false; 2], None);
        match nextval {
            Nextval::Out => return,
            Nextval::AtGate(reply) => {
                if self.sequence(member).is_none_or(|sequence| sequence.forget(member, reply)) {
                    return;
                }
            }
            Nextval::Within(state) => (holds, asked) = (state.holds, state.asked),
        }
        if let Some(which) = asked {
            let next = self.sequence(member).and_then(|sequence| sequence.lock(which).forget(member));
            self.lock_leaves(member, which, next);
        }
        for which in [Which::Row, Which::Order] {
            if holds[which as usize] {
                self.done_with_lock(member, which);
            }
        }
        self.open_gate(member);
    }
}
