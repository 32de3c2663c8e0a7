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

#[derive(Clone, Debug)]
struct Pin {
    block: Pinned,
    /// Where the session that has it is posted.
    by: QueueId,
    waiting: VecDeque<Reply>,
}

/// The blocks of one instance that somebody has pinned. Who lets go hands over to who has waited longest.
#[derive(Clone, Debug, Default)]
pub struct Pins(Vec<Pin>);

impl Pins {
    fn place(&self, block: Pinned) -> Option<usize> {
        self.0.iter().position(|pin| pin.block == block)
    }

    /// A session pins a block, unless another one has it. Whether it has it now.
    pub fn pin(&mut self, block: Pinned, session: QueueId) -> bool {
        match self.place(block) {
            Some(at) => self.0[at].by == session,
            None => {
                self.0.push(Pin { block, by: session, waiting: VecDeque::new() });
                true
            }
        }
    }

    /// A session waits for a block that another one has.
    pub fn wait(&mut self, block: Pinned, reply: Reply) {
        if let Some(at) = self.place(block) {
            self.0[at].waiting.push_back(reply);
        }
    }

    /// Everybody who waits for a block.
    #[cfg(test)]
    pub fn all_waiting(&self) -> impl Iterator<Item = Reply> + '_ {
        self.0.iter().flat_map(|pin| &pin.waiting).copied()
    }

    /// Who has a block lets go. Whom to post, who has it now.
    pub fn unpin(&mut self, block: Pinned) -> Option<Reply> {
        let at = self.place(block)?;
        let next = self.0[at].waiting.pop_front();
        match next {
            Some(reply) => self.0[at].by = reply.queue,
            None => _ = self.0.swap_remove(at),
        }
        next
    }

    /// The block leaves the instance. Whom to post, all who wait for it and who was to have it next: only who `has_it`
    /// pinned keeps it, if that is so.
    pub fn scatter(&mut self, block: Pinned, has_it: bool) -> VecDeque<Reply> {
        let Some(at) = self.place(block) else { return VecDeque::new() };
        let line = std::mem::take(&mut self.0[at].waiting);
        if !has_it {
            self.0.swap_remove(at);
        }
        line
    }

    /// A session is gone: it waits no longer, and lets go of the block that it has. Whom to post.
    pub fn leave(&mut self, session: QueueId) -> Option<Reply> {
        self.0.iter_mut().for_each(|pin| pin.waiting.retain(|waiter| waiter.queue != session));
        let had = self.0.iter().find(|pin| pin.by == session)?.block;
        self.unpin(had)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(session: u32) -> Reply {
        Reply { queue: QueueId(session), wait: 7 }
    }

    #[test]
    fn a_block_goes_from_hand_to_hand_in_the_order_of_who_came() {
        let (mut pins, leaf) = (Pins::default(), Pinned::Contended(3));
        let pin = |pins: &mut Pins, block, session| pins.pin(block, QueueId(session));
        assert!(pin(&mut pins, leaf, 1) && pin(&mut pins, leaf, 1), "who has it has it");
        for session in [4, 2, 9] {
            assert!(!pin(&mut pins, leaf, session));
            pins.wait(leaf, reply(session));
        }
        let others = [Pinned::Shared(3), Pinned::Contended(2), Pinned::Contended(4)];
        assert!(others.into_iter().all(|block| pin(&mut pins, block, 5)), "others are others");
        assert_eq!(pins.unpin(leaf), Some(reply(4)));
        assert!(pin(&mut pins, leaf, 4) && !pin(&mut pins, leaf, 7), "it is handed over, not let go of");
        assert_eq!([pins.unpin(leaf), pins.unpin(leaf), pins.unpin(leaf)], [Some(reply(2)), Some(reply(9)), None]);
        assert!(pin(&mut pins, leaf, 7));
    }

    #[test]
    fn all_in_line_look_again_once_the_block_has_left() {
        for has_it in [false, true] {
            let (mut pins, block) = (Pins::default(), Pinned::Shared(6));
            assert!(pins.scatter(block, has_it).is_empty(), "nobody wants it");
            pins.pin(block, QueueId(1));
            [2, 3].into_iter().for_each(|session| pins.wait(block, reply(session)));
            assert_eq!(pins.scatter(block, has_it), [reply(2), reply(3)]);
            assert_eq!(pins.pin(block, QueueId(4)), !has_it, "who has it keeps it, who was to have it does not");
            assert_eq!(pins.unpin(block), None);
        }
    }

    #[test]
    fn who_is_gone_stands_in_no_line_and_keeps_nothing() {
        let (mut pins, leaf) = (Pins::default(), Pinned::Contended(0));
        pins.pin(leaf, QueueId(1));
        [2, 3, 4].into_iter().for_each(|session| pins.wait(leaf, reply(session)));
        let mut leaves = |session| pins.leave(QueueId(session));
        assert_eq!((leaves(2), leaves(1)), (None, Some(reply(3))));
        assert_eq!((leaves(4), leaves(3)), (None, None));
        assert!(pins.pin(leaf, QueueId(8)));
    }
}
