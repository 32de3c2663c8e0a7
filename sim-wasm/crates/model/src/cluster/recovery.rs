//! What the global cache does when instances have left: books anew, from what those that stay hold; and what becomes of
//! a request whose session is gone.
use crate::cluster::message::{Hold, Line, Member, Message, Send, NOBODY};
use crate::cluster::protocol::GlobalCache;
use crate::cluster::request::{Given, Kind, Request, RequestId, Stage};
use wwi_kernel::time::Ns;

impl GlobalCache {
    /// Requests under way, in no order.
    pub fn all_under_way(&self) -> impl Iterator<Item = RequestId> + '_ {
        (0..self.requests.len() as u32).map(RequestId).filter(|id| !self.free.contains(&id.0))
    }

    /// Blocks that nobody holds: who asks for one reads it from disk.
    pub fn unheld(&self) -> usize {
        self.resources.iter().filter(|resource| resource.exclusive == NOBODY && resource.shared == 0).count()
    }

    /// Only `living` are left, at least one: they share what there is to be master of. Every message under way is void,
    /// but for replies: what a request has been promised by one counts as held. The books follow from what instances
    /// hold; all other requests of those that stay are as if they had not been asked yet, those of others are gone.
    pub fn reconfigure(&mut self, living: &[Member]) {
        self.masters = living.to_vec();
        let blocks = self.resources.len();
        for (at, local) in self.locals.iter_mut().enumerate() {
            local.kept = Line::EMPTY;
            (local.releases, local.copies) = (0, 0);
            (local.due, local.is_due) = (Ns::ZERO, false);
            if !living.contains(&((at / blocks) as Member)) {
                (local.hold, local.asked) = (Hold::Null, None);
            }
        }
        let all: Vec<RequestId> = self.all_under_way().collect();
        all.iter().for_each(|&id| self.gives_back(id, living));
        for block in 0..blocks {
            self.recount(block as u32, living);
        }
        for id in all {
            let request = self.request_mut(id);
            let is_notice = matches!(request.kind, Kind::Notice(_));
            if is_notice || !living.contains(&request.from) {
                self.forget(id);
                continue;
            }
            match (request.stage, request.kind) {
                (_, Kind::Block(block)) if request.is_delivered() => self.promised(id, block),
                _ if request.is_delivered() => {}
                (Stage::Asking, _) => self.restart(id, Stage::Asking),
                _ => self.restart(id, Stage::Asked),
            }
        }
    }

    /// Its server had decided to give the block away, and what it was to send is void, or got lost: it has the block.
    fn gives_back(&mut self, id: RequestId, living: &[Member]) {
        let &Request { kind, server, given, was_shared, is_given_up, .. } = self.request(id);
        if matches!(kind, Kind::Notice(_)) && given == Given::Shared && living.contains(&server) {
            // Its master's books had it, and those that had the block may have given it up since.
            return self.shares(id);
        }
        let Kind::Block(block) = kind else { return };
        if is_given_up && !self.request(id).is_delivered() && living.contains(&server) {
            self.local_mut(server, block).hold = if was_shared { Hold::Shared } else { Hold::Exclusive };
        }
    }

    /// The books of a block, from the locks of those that stay.
    fn recount(&mut self, block: u32, living: &[Member]) {
        let holds = |cache: &GlobalCache, hold: Hold| -> Vec<Member> {
            living.iter().copied().filter(|&member| cache.local(member, block).hold == hold).collect()
        };
        let exclusive = holds(self, Hold::Exclusive).first().copied();
        let shared = holds(self, Hold::Shared).iter().map(|member| 1 << member).sum();
        let held = exclusive.map(|member| self.local(member, block).stamp);
        let resource = &mut self.resources[block as usize];
        (resource.exclusive, resource.shared) = (exclusive.unwrap_or(NOBODY), shared);
        resource.stamp = held.unwrap_or(resource.stamp);
        resource.converting = None;
        resource.queue = Line::EMPTY;
    }

    /// Its reply has gone: the requester holds what that says.
    fn promised(&mut self, id: RequestId, block: u32) {
        let request = self.request(id);
        let (from, given, stamp) = (request.from, request.given, request.stamp);
        let resource = &mut self.resources[block as usize];
        match given {
            Given::Exclusive => (resource.exclusive, resource.shared, resource.stamp) = (from, 0, stamp),
            Given::Shared => resource.shared |= 1 << from,
            Given::Copy | Given::Read | Given::Nothing => {}
        }
    }

    fn restart(&mut self, id: RequestId, stage: Stage) {
        let masters = &self.masters;
        let of_disk = masters[id.0 as usize % masters.len()];
        let request = self.request_mut(id);
        (request.given, request.has_block) = (Given::Nothing, false);
        (request.was_shared, request.is_given_up) = (false, false);
        (request.stage, request.times.is_missing, request.times.is_light) = (stage, false, false);
        request.server = if matches!(request.kind, Kind::Disk(_)) { of_disk } else { request.from };
    }

    /// What a request sends to begin with, once the session has asked: to the master, or what that does about it where
    /// it is the instance that asks; a reply to itself, where it was given back what it had decided to give away.
    pub fn begin(&mut self, id: RequestId, sends: &mut Vec<Send>) {
        let &Request { kind, want, from, .. } = self.request(id);
        let master = self.master_of(id);
        let is_here = |block| self.local(from, block).hold >= want.needs();
        if matches!(kind, Kind::Block(block) if is_here(block)) {
            sends.push(Send { to: from, message: Message::Reply, request: id });
        } else if master == from {
            self.at_master(id, sends);
        } else {
            sends.push(Send { to: master, message: Message::Request, request: id });
        }
    }
}
