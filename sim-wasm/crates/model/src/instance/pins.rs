//! Blocks that a session of an instance has pinned to change them, and the lines of those that would change them too.
use crate::ids::{QueueId, Reply};
use std::collections::VecDeque;

/// A block that sessions pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pinned {
    /// One of those that all instances of the cluster change.
    Shared(u32),
    /// One of those that all sessions of the instance change.
    Contended(u32),
}

/// What becomes of a session that would pin a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pinning {
    /// It has the block.
    Has,
    /// Another one has it, and it stands in line already: it keeps its place.
    KeepsPlace,
    /// Another one has it.
    Taken,
}

#[derive(Clone, Debug)]
struct Pin {
    block: Pinned,
    /// Where the session that has it is posted.
    by: Option<QueueId>,
    /// In the order of coming.
    waiting: VecDeque<Reply>,
    /// The first of them has been posted, and has not looked since.
    is_posted: bool,
}

impl Pin {
    /// The place in line of a session that looks, or will not any more: what it was posted is used up.
    fn heard(&mut self, session: QueueId) -> Option<usize> {
        let place = self.waiting.iter().position(|waiter| waiter.queue == session)?;
        self.is_posted &= place > 0;
        Some(place)
    }

    fn steps_out(&mut self, session: QueueId) {
        if let Some(place) = self.heard(session) {
            self.waiting.remove(place);
        }
    }

    /// The session has nothing to do with the block any more. Whom to post.
    fn leaves(&mut self, session: QueueId) -> Option<Reply> {
        self.steps_out(session);
        self.by = self.by.filter(|&by| by != session);
        self.next()
    }

    /// Whom to post: the first in line where nobody has the block, once until it has looked.
    fn next(&mut self) -> Option<Reply> {
        if self.by.is_some() || self.is_posted {
            return None;
        }
        let first = self.waiting.front().copied();
        self.is_posted = first.is_some();
        first
    }

    fn is_wanted(&self) -> bool {
        self.by.is_some() || !self.waiting.is_empty()
    }
}

/// The blocks of one instance that somebody has pinned or waits for. Who lets go posts who has waited longest, and
/// whoever comes first takes it.
#[derive(Clone, Debug, Default)]
pub struct Pins(Vec<Pin>);

impl Pins {
    fn place(&self, block: Pinned) -> Option<usize> {
        self.0.iter().position(|pin| pin.block == block)
    }

    /// A session pins a block, unless another one has it.
    pub fn pin(&mut self, block: Pinned, session: QueueId) -> Pinning {
        let Some(at) = self.place(block) else {
            self.0.push(Pin { block, by: Some(session), waiting: VecDeque::new(), is_posted: false });
            return Pinning::Has;
        };
        let pin = &mut self.0[at];
        if pin.by.is_none() {
            pin.steps_out(session);
            pin.by = Some(session);
        }
        if pin.by == Some(session) {
            return Pinning::Has;
        }
        pin.heard(session).map_or(Pinning::Taken, |_| Pinning::KeepsPlace)
    }

    /// Whether sessions wait for a block.
    pub fn has_line(&self, block: Pinned) -> bool {
        self.place(block).is_some_and(|at| !self.0[at].waiting.is_empty())
    }

    /// A session waits for a block that another one has.
    pub fn wait(&mut self, block: Pinned, reply: Reply) {
        if let Some(at) = self.place(block) {
            self.0[at].waiting.push_back(reply);
        }
    }

    /// Everybody who waits for a block and has no post on its way.
    #[cfg(test)]
    pub fn all_waiting(&self) -> impl Iterator<Item = Reply> + '_ {
        self.0.iter().flat_map(|pin| pin.waiting.iter().skip(usize::from(pin.is_posted))).copied()
    }

    /// Blocks that nobody has and some wait for, of whom none is posted.
    #[cfg(test)]
    pub fn forgotten(&self) -> impl Iterator<Item = Pinned> + '_ {
        self.0.iter().filter(|pin| pin.by.is_none() && !pin.is_posted).map(|pin| pin.block)
    }

    /// A session lets go of a block, or waits for it no longer. Whom to post.
    pub fn leave_block(&mut self, block: Pinned, session: QueueId) -> Option<Reply> {
        let at = self.place(block)?;
        let next = self.0[at].leaves(session);
        if !self.0[at].is_wanted() {
            self.0.swap_remove(at);
        }
        next
    }

    /// The block leaves the instance. Whom to post: all who wait for it. Only who `has_it` pinned keeps it, if that is
    /// so.
    pub fn scatter(&mut self, block: Pinned, has_it: bool) -> VecDeque<Reply> {
        let Some(at) = self.place(block) else { return VecDeque::new() };
        let pin = &mut self.0[at];
        let mut line = std::mem::take(&mut pin.waiting);
        if std::mem::take(&mut pin.is_posted) {
            line.pop_front();
        }
        if !has_it {
            self.0.swap_remove(at);
        }
        line
    }

    /// A session is gone: it waits no longer, and lets go of the block that it has. Whom to post.
    pub fn leave(&mut self, session: QueueId) -> Vec<Reply> {
        let posts = self.0.iter_mut().filter_map(|pin| pin.leaves(session)).collect();
        self.0.retain(Pin::is_wanted);
        posts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(session: u32) -> Reply {
        Reply { queue: QueueId(session), wait: 7 }
    }

    fn has(pins: &mut Pins, block: Pinned, session: u32) -> bool {
        pins.pin(block, QueueId(session)) == Pinning::Has
    }

    /// So many sessions would pin a block that session 1 has.
    fn line(block: Pinned, sessions: &[u32]) -> Pins {
        let mut pins = Pins::default();
        assert!(has(&mut pins, block, 1) && has(&mut pins, block, 1), "who has it has it");
        for &session in sessions {
            assert_eq!(pins.pin(block, QueueId(session)), Pinning::Taken);
            pins.wait(block, reply(session));
        }
        pins
    }

    #[test]
    fn who_lets_go_posts_who_came_first_and_keeps_the_block_for_nobody() {
        let leaf = Pinned::Contended(3);
        let mut pins = line(leaf, &[4, 2, 9]);
        let others = [Pinned::Shared(3), Pinned::Contended(2), Pinned::Contended(4)];
        assert!(others.into_iter().all(|block| has(&mut pins, block, 5)), "others are others");
        assert_eq!(pins.leave_block(leaf, QueueId(1)), Some(reply(4)));
        assert!(has(&mut pins, leaf, 7), "it is free for whoever comes");
        assert_eq!(pins.leave_block(leaf, QueueId(7)), None, "who has been posted will look");
        assert!(has(&mut pins, leaf, 4));
        assert_eq!(pins.leave_block(leaf, QueueId(4)), Some(reply(2)));
        assert!(has(&mut pins, leaf, 2));
        assert_eq!(pins.leave_block(leaf, QueueId(2)), Some(reply(9)));
        assert!(has(&mut pins, leaf, 9));
        assert_eq!(pins.leave_block(leaf, QueueId(9)), None);
    }

    #[test]
    fn who_is_posted_in_vain_stays_at_the_head_of_the_line_and_is_posted_again() {
        let leaf = Pinned::Contended(3);
        let mut pins = line(leaf, &[4, 2]);
        for _ in 0..3 {
            assert_eq!(pins.leave_block(leaf, QueueId(1)), Some(reply(4)));
            assert!(has(&mut pins, leaf, 1));
            assert_eq!(pins.pin(leaf, QueueId(4)), Pinning::KeepsPlace);
        }
        assert_eq!(pins.all_waiting().collect::<Vec<_>>(), [reply(4), reply(2)]);
    }

    #[test]
    fn a_post_to_one_who_leaves_is_passed_on_while_nobody_has_the_block() {
        let leaf = Pinned::Contended(3);
        let mut pins = line(leaf, &[4, 2, 9]);
        assert_eq!(pins.leave_block(leaf, QueueId(1)), Some(reply(4)));
        assert_eq!(pins.leave(QueueId(4)), [reply(2)]);
        assert_eq!(pins.leave(QueueId(9)), [], "it was not posted");
        assert!(has(&mut pins, leaf, 8));
        assert_eq!(pins.leave(QueueId(2)), [], "who has the block posts when it lets go");
        assert_eq!((pins.leave(QueueId(8)), pins.0.len()), (vec![], 0));
    }

    #[test]
    fn all_in_line_look_again_once_the_block_has_left() {
        for has_it in [false, true] {
            let (mut pins, block) = (Pins::default(), Pinned::Shared(6));
            assert!(pins.scatter(block, has_it).is_empty(), "nobody wants it");
            pins = line(block, &[2, 3]);
            assert_eq!(pins.scatter(block, has_it), [reply(2), reply(3)]);
            assert_eq!(has(&mut pins, block, 4), !has_it, "who has it keeps it, who waits for room does not");
            assert_eq!(pins.leave_block(block, QueueId(if has_it { 1 } else { 4 })), None);
        }
        let block = Pinned::Shared(6);
        let mut pins = line(block, &[2, 3]);
        assert_eq!(pins.leave_block(block, QueueId(1)), Some(reply(2)));
        assert_eq!(pins.scatter(block, false), [reply(3)], "who has been posted will look");
    }

    #[test]
    fn who_is_gone_stands_in_no_line_and_keeps_nothing() {
        let leaf = Pinned::Contended(0);
        let mut pins = line(leaf, &[2, 3, 4]);
        let mut leaves = |session| pins.leave(QueueId(session));
        assert_eq!((leaves(2), leaves(1)), (vec![], vec![reply(3)]));
        assert_eq!((leaves(4), leaves(3)), (vec![], vec![]));
        assert!(has(&mut pins, leaf, 8));
    }
}
