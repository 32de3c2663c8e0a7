//! What a holder of a block does: it serves requests, gives its lock down or up, and keeps messages about what it has
//! yet to get.
use crate::cluster::message::{Hold, Member, Message, Send};
use crate::cluster::protocol::GlobalCache;
use crate::cluster::request::{Given, Kind, Request, RequestId, Want};
use wwi_kernel::time::Ns;

/// What a holder does about a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It serves the request.
    Serves,
    /// It keeps the message until the block has come, its pin is gone and a stay is over.
    Keeps,
}

impl GlobalCache {
    /// A holder is told to serve a request, `again` if the message was kept.
    pub(super) fn at_holder(&mut self, id: RequestId, again: bool, sends: &mut Vec<Send>) -> Verdict {
        let Kind::Block(block) = self.request(id).kind else { return Verdict::Serves };
        let request = self.request(id);
        let (from, server, given, fairness) = (request.from, request.server, request.given, self.fairness);
        let has_come = request.has_come_to(Message::Forward, self.local(server, block));
        let local = self.local_mut(server, block);
        let is_pinned = given == Given::Exclusive && !local.is_free();
        if !has_come || !again && (is_pinned || !local.kept.is_empty()) {
            local.kept.push_back((Message::Forward, id));
            return Verdict::Keeps;
        }
        debug_assert!(local.hold != Hold::Null, "who serves a block has it");
        match given {
            Given::Exclusive => {
                (local.hold, local.copies) = (Hold::Null, 0);
                self.request_mut(id).is_given_up = true;
            }
            Given::Copy if local.hold == Hold::Exclusive && local.copies < fairness => local.copies += 1,
            Given::Copy => {
                let is_held = local.hold == Hold::Exclusive;
                self.request_mut(id).has_block = true;
                if is_held {
                    sends.extend(self.gives_down(id, block, from));
                }
            }
            _ => {}
        }
        Verdict::Serves
    }

    /// The holder of a block sends it as it is, for the requester to make its copy of: it gives an exclusive lock down.
    /// What it tells another master.
    pub fn lightens(&mut self, id: RequestId) -> Option<Send> {
        let &Request { kind: Kind::Block(block), server, .. } = self.request(id) else { return None };
        let is_held = self.local(server, block).hold == Hold::Exclusive;
        is_held.then(|| self.gives_down(id, block, server)).flatten()
    }

    /// The holder that serves a request gives its lock down, and `reader` is to hold the block shared beside it: what
    /// it tells another master. One that is the master sets its books at once.
    fn gives_down(&mut self, id: RequestId, block: u32, reader: Member) -> Option<Send> {
        let (holder, master) = (self.request(id).server, self.master(block));
        let local = self.local_mut(holder, block);
        (local.hold, local.copies) = (Hold::Shared, 0);
        let stamp = local.stamp;
        if master == holder {
            if self.becomes_shared(block, (holder, stamp), reader) && reader != holder {
                self.request_mut(id).given = Given::Shared;
            }
            return None;
        }
        let request =
            self.add(Request { stamp, server: reader, ..Request::new(Kind::Notice(block), Want::Read, holder) });
        Some(Send { to: master, message: Message::DownConverted, request })
    }

    /// An instance is told that it holds a block shared that came, or is coming, from who held it with that stamp.
    pub(super) fn shares(&mut self, id: RequestId) {
        let &Request { kind: Kind::Notice(block), server, stamp, .. } = self.request(id) else { return };
        let is_coming =
            |&asked: &RequestId| (self.request(asked).given, self.request(asked).stamp) == (Given::Copy, stamp);
        match self.local(server, block).asked.filter(is_coming) {
            Some(asked) => {
                let request = self.request_mut(asked);
                (request.given, request.has_block) = (Given::Shared, true);
            }
            // It may have more by then, or have asked anew.
            None => {
                let local = self.local_mut(server, block);
                local.hold = local.hold.max(Hold::Shared);
            }
        }
    }

    /// A shared holder is told to give up, `again` if the message was kept.
    pub(super) fn invalidate(
        &mut self,
        (id, holder): (RequestId, Member),
        again: bool,
        sends: &mut Vec<Send>,
    ) -> Verdict {
        let Kind::Block(block) = self.request(id).kind else { return Verdict::Serves };
        let to = self.master(block);
        let local = self.local_mut(holder, block);
        if local.hold == Hold::Null || !again && (!local.is_free() || !local.kept.is_empty()) {
            local.kept.push_back((Message::Invalidate, id));
            return Verdict::Keeps;
        }
        local.hold = Hold::Null;
        sends.push(Send { to, message: Message::Closed, request: id });
        Verdict::Serves
    }

    /// A holder has changed the block; its redo ends here \[bytes\].
    pub fn changed(&mut self, member: Member, block: u32, end: u64) {
        let local = self.local_mut(member, block);
        (local.changed, local.copies) = (end, 0);
    }

    /// The oldest message about a block that was kept, if it need not be any more.
    pub fn unkept(&mut self, member: Member, block: u32) -> Option<(Message, RequestId)> {
        if !self.has_unkept(member, block) {
            return None;
        }
        let local = self.local_mut(member, block);
        (local.due, local.is_due) = (Ns::ZERO, false);
        local.kept.pop_front()
    }

    /// Whether there is one.
    pub fn has_unkept(&self, member: Member, block: u32) -> bool {
        let local = self.local(member, block);
        self.has_come(member, block).is_some_and(|takes_it| !takes_it || local.is_free())
    }

    /// Whether the oldest message that was kept waits for pins and for those in line, and nothing else.
    pub fn is_deferred(&self, member: Member, block: u32) -> bool {
        self.has_come(member, block).is_some() && !self.has_unkept(member, block)
    }

    /// Of the oldest message that was kept, if its block is here: whether that takes the block away.
    fn has_come(&self, member: Member, block: u32) -> Option<bool> {
        let local = self.local(member, block);
        let &(message, id) = local.kept.front()?;
        let request = self.request(id);
        let takes_it = message == Message::Invalidate || request.given == Given::Exclusive;
        request.has_come_to(message, local).then_some(takes_it)
    }
}
