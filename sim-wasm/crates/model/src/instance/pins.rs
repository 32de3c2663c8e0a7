//! Blocks that a session of an instance has pinned to change them, and the lines of those that would change them too.
use crate::ids::Reply;
use std::collections::{BTreeMap, VecDeque};

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
    /// The session that has the block.
    by: u32,
    waiting: VecDeque<(u32, Reply)>,
}

/// The blocks of one instance that somebody has pinned. Who lets go hands over to who has waited longest.
#[derive(Clone, Debug, Default)]
pub struct Pins(BTreeMap<Pinned, Pin>);

impl Pins {
    /// A session pins a block, unless another one has it. Whether it has it now.
    pub fn pin(&mut self, block: Pinned, session: u32) -> bool {
        let pin = self.0.entry(block).or_insert_with(|| Pin { by: session, waiting: VecDeque::new() });
        pin.by == session
    }

    /// A session waits for a block that another one has.
    pub fn wait(&mut self, block: Pinned, session: u32, reply: Reply) {
        if let Some(pin) = self.0.get_mut(&block) {
            pin.waiting.push_back((session, reply));
        }
    }

    /// Everybody who waits for a block.
    #[cfg(test)]
    pub fn all_waiting(&self) -> impl Iterator<Item = Reply> + '_ {
        self.0.values().flat_map(|pin| &pin.waiting).map(|waiter| waiter.1)
    }

    /// Who has a block lets go. Whom to post, who has it now.
    pub fn unpin(&mut self, block: Pinned) -> Option<Reply> {
        let pin = self.0.get_mut(&block)?;
        let Some((next, reply)) = pin.waiting.pop_front() else {
            self.0.remove(&block);
            return None;
        };
        pin.by = next;
        Some(reply)
    }

    /// A session is gone: it waits no longer, and lets go of the block that it has. Whom to post.
    pub fn leave(&mut self, session: u32) -> Option<Reply> {
        self.0.values_mut().for_each(|pin| pin.waiting.retain(|waiter| waiter.0 != session));
        let had = self.0.iter().find(|(_, pin)| pin.by == session).map(|(&block, _)| block)?;
        self.unpin(had)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::QueueId;

    fn reply(wait: u32) -> Reply {
        Reply { queue: QueueId(0), wait }
    }

    #[test]
    fn a_block_goes_from_hand_to_hand_in_the_order_of_who_came() {
        let (mut pins, leaf) = (Pins::default(), Pinned::Contended(3));
        assert!(pins.pin(leaf, 1) && pins.pin(leaf, 1), "who has it has it");
        for session in [4, 2, 9] {
            assert!(!pins.pin(leaf, session));
            pins.wait(leaf, session, reply(session));
        }
        assert!(pins.pin(Pinned::Shared(3), 5) && pins.pin(Pinned::Contended(2), 6), "others are others");
        assert_eq!(pins.unpin(leaf), Some(reply(4)));
        assert!(pins.pin(leaf, 4) && !pins.pin(leaf, 7), "it is handed over, not let go of");
        assert_eq!([pins.unpin(leaf), pins.unpin(leaf), pins.unpin(leaf)], [Some(reply(2)), Some(reply(9)), None]);
        assert!(pins.pin(leaf, 7));
    }

    #[test]
    fn who_is_gone_stands_in_no_line_and_keeps_nothing() {
        let (mut pins, leaf) = (Pins::default(), Pinned::Contended(0));
        pins.pin(leaf, 1);
        [2, 3, 4].into_iter().for_each(|session| pins.wait(leaf, session, reply(session)));
        assert_eq!((pins.leave(2), pins.leave(1)), (None, Some(reply(3))));
        assert_eq!((pins.leave(4), pins.leave(3)), (None, None));
        assert!(pins.pin(leaf, 8));
    }
}
