//! Broadcast on commit, between the log writer of an instance and the LMS of all others.
use crate::cluster::message::{tag, Member, Message};
use crate::cluster::request::RequestId;
use crate::ids::Reply;
use crate::instance::broadcast::NUMBER;
use crate::measure::database::Sum;
use crate::program::Item;
use crate::world::{Parcel, World};
use wwi_kernel::time::Ns;

/// What a message about a broadcast says: which one, and who sent it or answers.
fn about(member: Member, number: u32) -> RequestId {
    RequestId(u32::from(member) << NUMBER | number)
}

fn read(about: RequestId) -> (Member, u32) {
    ((about.0 >> NUMBER) as Member, about.0 % (1 << NUMBER))
}

impl World {
    /// Who has to learn of the commits of an instance; nobody where it is alone, or they learn of it in time by other
    /// messages.
    pub(crate) fn learners(&self, instance: usize) -> Vec<Member> {
        let is_member = self.config.instances[instance].others.lms.is_some();
        let broadcasts = self.cluster.as_ref().is_some_and(|cluster| cluster.config.broadcasts);
        if !is_member || !broadcasts {
            return Vec::new();
        }
        self.living().into_iter().filter(|&member| usize::from(member) != instance).collect()
    }

    /// CPU of the log writer to tell all other instances of the commits that it writes now, if there are any of both.
    pub(crate) fn telling(&self, instance: usize) -> Option<Ns> {
        let each = self.cluster.as_ref()?.config.costs.forward;
        let others = self.learners(instance).len() as u64;
        (others > 0 && self.database(instance).writes_commits()).then_some(Ns(each.0 * others))
    }

    /// The log writer of an instance sends the SCN of the commits of its present write to all others. While the global
    /// cache is set up anew nothing goes; all learn of it at the end of that.
    pub(crate) fn broadcast(&mut self, instance: usize) {
        let now = self.now;
        let to = self.learners(instance);
        if to.is_empty() {
            return;
        }
        let database = self.database_mut(instance);
        let from = database.redo.on_disk;
        let number = database.redo.broadcasts.begin(from, &to, now);
        if self.cluster.as_ref().is_some_and(|cluster| cluster.is_frozen(now)) {
            return;
        }
        let me = instance as Member;
        to.into_iter().for_each(|member| self.carry_scn((me, member), Message::Scn, about(me, number)));
    }

    /// An LMS has taken note of a broadcast, and answers.
    pub(crate) fn acknowledge(&mut self, me: Member, id: RequestId) {
        let (to, number) = read(id);
        if !self.has_left(usize::from(to)) && !self.has_left(usize::from(me)) {
            self.carry_scn((me, to), Message::ScnAck, about(me, number));
        }
    }

    fn carry_scn(&mut self, (from, to): (Member, Member), message: Message, id: RequestId) {
        let Some(cluster) = self.cluster.as_deref() else { return };
        let at = cluster.lms_of(to, cluster.number_of(message, id));
        let queue = cluster.lms[usize::from(to)][at].queue;
        let bytes = cluster.config.interconnect.message_bytes;
        let comes = self.sends_message((from, to), bytes, false);
        let node = self.config.instances[usize::from(to)].node as u16;
        let parcel = Parcel { queue, item: Item { tag: tag(message, id), ..Item::default() }, node };
        self.carry_to_lms(comes, bytes, (from, to), parcel);
    }

    /// An LMS takes an answer. Whose commits are complete by that, for it to post.
    pub(crate) fn learned(&mut self, member: Member, id: RequestId) -> Vec<Reply> {
        let (by, number) = read(id);
        let (now, instance) = (self.now, usize::from(member));
        let late = self.database_mut(instance).redo.broadcasts.answered(number, by, now);
        self.completes(instance, late)
    }

    /// All have learned of all commits of an instance.
    pub(crate) fn all_learned(&mut self, member: Member) -> Vec<Reply> {
        let (now, instance) = (self.now, usize::from(member));
        let Some(database) = self.databases[instance].as_mut() else { return Vec::new() };
        let late = database.redo.broadcasts.close(now);
        self.completes(instance, late)
    }

    fn completes(&mut self, instance: usize, late: Ns) -> Vec<Reply> {
        let mut posts = Vec::new();
        let answered = self.database_mut(instance).completes(&mut posts);
        let sums = &mut self.accounts.databases[instance];
        sums.count(Sum::CommitsWritten, answered);
        sums.count(Sum::LateAckTime, late.0);
        posts
    }
}
