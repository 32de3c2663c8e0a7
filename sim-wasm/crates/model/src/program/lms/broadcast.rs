//! Broadcast on commit: an LMS answers, or takes answers and posts whose commits are complete.
use super::{Handled, Next, Stage, Turn};
use crate::cluster::message::Message;
use crate::cluster::request::RequestId;
use crate::program::Step;
use crate::world::run::to_work;
use wwi_kernel::time::Ns;

impl Turn<'_> {
    /// A message about a broadcast: what it costs. Whether it is one.
    pub(super) fn takes_scn(&mut self, message: Message, handled: &mut Handled) -> bool {
        let costs = self.world.gc().map(|cluster| cluster.config.costs);
        let Some(costs) = costs.filter(|_| message.is_of_scn()) else { return false };
        handled.cost = handled.cost.plus(costs.message);
        if message == Message::Scn {
            handled.cost = handled.cost.plus(costs.forward);
        }
        true
    }

    /// It has worked on it: it answers, or has sessions to post.
    pub(super) fn told(&mut self, (message, id): (Message, RequestId)) -> Next {
        if let Some(me) = self.me() {
            me.slept = false;
        }
        if message == Message::Scn {
            self.world.acknowledge(self.member, id);
            return self.looks();
        }
        let posts = self.world.learned(self.member, id);
        let each = self.world.database(usize::from(self.member)).config.log.post;
        let cost = to_work(Ns(each.0 * posts.len() as u64));
        if let Some(me) = self.me() {
            me.posts = posts;
        }
        match cost {
            0 => self.posts(),
            work => (Stage::Posts, Step::Cpu { work, reads: 0 }),
        }
    }

    /// It posts them.
    pub(super) fn posts(&mut self) -> Next {
        let posts = self.me().map_or(Vec::new(), |me| std::mem::take(&mut me.posts));
        self.world.post_all(posts);
        self.looks()
    }
}
