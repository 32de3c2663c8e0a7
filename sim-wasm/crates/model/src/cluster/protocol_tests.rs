//! Every order in which messages can arrive, with two blocks and three instances, one of which may leave at any moment:
//! searched to the end.
use super::message::{Effect, Hold, Member, Message, Send};
use super::protocol::GlobalCache;
use super::request::{Given, Kind, RequestId, Stage, Want};
use std::collections::{BTreeSet, VecDeque};

const MEMBERS: usize = 3;

/// A cluster with its messages under way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    cache: GlobalCache,
    /// Messages to LMS from each instance to each: in order.
    wires: Vec<VecDeque<(Message, RequestId)>>,
    /// Blocks and grants, which may take any time.
    replies: BTreeSet<RequestId>,
    /// Blocks that are about to leave, if they do not at once: an LMS works, or waits for their redo.
    leaving: BTreeSet<RequestId>,
    takes_time: bool,
    /// How many blocks may yet get lost on their way.
    loses: u8,
    /// Kept messages that an instance is to look at again, by block.
    kept: BTreeSet<(Member, u32)>,
    /// Requests that instances have yet to make, all together.
    left: u8,
    /// How often sessions have yet to pin a block that their instance holds exclusively.
    pins: u8,
    /// How often others have yet to stand in line for one that is pinned.
    lines: u8,
    /// Instances that are there, and whether one may leave.
    living: Vec<Member>,
    may_leave: bool,
}

impl State {
    fn new(blocks: u32, asks: u8, starts: &[(u32, Member, Hold)], fairness: u32) -> State {
        let mut cache = GlobalCache::new(vec![0, 1, 2], MEMBERS, blocks, fairness);
        starts.iter().for_each(|&(block, member, hold)| cache.starts_with(block, member, hold));
        State {
            cache,
            wires: vec![VecDeque::new(); MEMBERS * MEMBERS],
            replies: BTreeSet::new(),
            leaving: BTreeSet::new(),
            takes_time: false,
            loses: 0,
            kept: BTreeSet::new(),
            left: asks,
            pins: 0,
            lines: 0,
            living: vec![0, 1, 2],
            may_leave: false,
        }
    }

    fn send(&mut self, from: Member, send: Send) {
        match send.message {
            Message::Reply => self.replies(send.request),
            _ => {
                let wire = usize::from(from) * MEMBERS + usize::from(send.to);
                self.wires[wire].push_back((send.message, send.request));
            }
        }
    }

    fn handle(&mut self, me: Member, message: (Message, RequestId), again: bool) {
        let mut effects = Vec::new();
        let first = self.cache.local(me, 0);
        let stays = !again && first.hold == Hold::Exclusive && first.stays && !first.is_due;
        self.cache.handle(me, message, again, &mut effects);
        assert!(!stays || self.cache.local(me, 0).hold != Hold::Null, "a stay is one");
        for effect in effects {
            match effect {
                Effect::Sends(send) => self.send(me, send),
                Effect::Serves(id) if self.takes_time => _ = self.leaving.insert(id),
                Effect::Serves(id) => self.replies(id),
                Effect::GaveUp => {}
            }
        }
    }

    fn replies(&mut self, id: RequestId) {
        let request = self.cache.request_mut(id);
        (request.stage, request.times.is_missing) = (Stage::Replied, false);
        assert!(self.replies.insert(id), "a request is answered once");
    }

    fn begin(&mut self, id: RequestId) {
        let mut sends = Vec::new();
        let from = self.cache.request(id).from;
        self.cache.request_mut(id).stage = Stage::Asked;
        self.cache.begin(id, &mut sends);
        sends.into_iter().for_each(|send| self.send(from, send));
    }

    /// An instance leaves: messages are void but for replies, and what was asked is asked again.
    fn leaves(&self, gone: Member) -> Option<State> {
        if !self.may_leave {
            return None;
        }
        let mut next = self.clone();
        next.may_leave = false;
        next.living.retain(|&member| member != gone);
        next.wires.iter_mut().for_each(VecDeque::clear);
        next.kept.clear();
        next.leaving.clear();
        next.replies.retain(|&id| self.cache.request(id).from != gone);
        next.cache.reconfigure(&next.living);
        for block in 0..next.cache.blocks() {
            let is_held = next.living.iter().any(|&member| next.cache.booked(member, block) != Hold::Null);
            assert_eq!(is_held, self.is_among(&next.living, block), "{gone} leaves: what an instance has it holds");
        }
        let all: Vec<RequestId> = next.cache.all_under_way().collect();
        let asked = all.into_iter().filter(|&id| next.cache.request(id).stage == Stage::Asked).collect::<Vec<_>>();
        asked.into_iter().for_each(|id| next.begin(id));
        Some(next)
    }

    /// Whether any of these has a block, or is about to get it.
    fn is_among(&self, living: &[Member], block: u32) -> bool {
        let holds = |&member: &Member| self.cache.local(member, block).hold != Hold::Null;
        let is_there = |id: RequestId| {
            let request = self.cache.request(id);
            if request.kind == Kind::Notice(block) {
                // Whose block has come, if it is not on its way.
                let brings = |asked: &RequestId| self.cache.request(*asked).given == Given::Copy;
                let is_coming = self.cache.local(request.server, block).asked.filter(brings);
                let has_come = is_coming.is_none_or(|asked| {
                    self.replies.contains(&asked) || self.cache.request(asked).stamp != request.stamp
                });
                return request.given == Given::Shared && living.contains(&request.server) && has_come;
            }
            let has_left = self.replies.contains(&id);
            let is_at_server = self.leaving.contains(&id) || request.times.is_missing;
            // Who sends a copy or shares may have to give up itself before that has left.
            let is_at_server = is_at_server && request.given == Given::Exclusive;
            let gets = matches!(request.given, Given::Exclusive | Given::Shared);
            request.kind == Kind::Block(block)
                && (has_left && gets && living.contains(&request.from)
                    || is_at_server && living.contains(&request.server))
        };
        living.iter().any(holds) || self.cache.all_under_way().any(is_there)
    }

    /// A block gets lost on its way.
    fn lose(&self, id: RequestId) -> Option<State> {
        let request = self.cache.request(id);
        let (from, to) = (request.from, request.server);
        if self.loses == 0 || from == to || !request.brings_block() || !self.living.contains(&to) {
            return None;
        }
        let mut next = self.clone();
        next.loses -= 1;
        next.replies.remove(&id);
        next.cache.request_mut(id).times.is_missing = true;
        Some(next)
    }

    /// Whoever asked for a block that got lost asks who sent it again.
    fn miss(&self, id: RequestId) -> Option<State> {
        let request = self.cache.request(id);
        if request.stage != Stage::Replied || !request.times.is_missing {
            return None;
        }
        let mut next = self.clone();
        next.cache.request_mut(id).stage = Stage::Asked;
        next.send(request.from, Send { to: request.server, message: Message::Resend, request: id });
        Some(next)
    }

    /// An instance wants a block.
    fn ask(&self, me: Member, block: u32, want: Want) -> Option<State> {
        let local = self.cache.local(me, block);
        if self.left == 0 || !self.living.contains(&me) || local.asked.is_some() || local.hold >= want.needs() {
            return None;
        }
        let mut next = self.clone();
        next.left -= 1;
        let id = next.cache.ask(me, block, want);
        next.begin(id);
        Some(next)
    }

    /// A session pins a block, or is done with it; another stands in line for it, or no longer; or their stay is over.
    fn pin(&self, me: Member, block: u32, found: &mut Vec<State>) {
        let local = self.cache.local(me, block);
        if self.lines > 0 && local.pins > 0 && !local.stays {
            let mut next = self.clone();
            next.lines -= 1;
            next.cache.local_mut(me, block).stays = true;
            found.push(next);
        }
        if local.stays {
            let mut next = self.clone();
            next.cache.local_mut(me, block).stays = false;
            next.kept.insert((me, block));
            found.push(next);
        }
        if self.pins > 0 && local.hold == Hold::Exclusive && !local.is_due {
            let mut next = self.clone();
            next.pins -= 1;
            next.cache.local_mut(me, block).pins += 1;
            found.push(next);
        }
        if local.pins > 0 {
            let mut next = self.clone();
            next.cache.local_mut(me, block).pins -= 1;
            next.kept.insert((me, block));
            found.push(next);
        }
        if self.cache.is_deferred(me, block) && !local.is_due {
            let mut next = self.clone();
            next.cache.local_mut(me, block).is_due = true;
            next.kept.insert((me, block));
            found.push(next);
        }
    }

    fn all_next(&self) -> Vec<State> {
        let mut found = Vec::new();
        for me in 0..MEMBERS as Member {
            for block in 0..self.cache.blocks() {
                self.pin(me, block, &mut found);
                found.extend(self.ask(me, block, Want::Read));
                found.extend(self.ask(me, block, Want::Change));
            }
            found.extend(self.leaves(me));
        }
        for wire in 0..self.wires.len() {
            let mut next = self.clone();
            if let Some(message) = next.wires[wire].pop_front() {
                next.handle((wire % MEMBERS) as Member, message, false);
                found.push(next);
            }
        }
        found.extend(self.cache.all_under_way().filter_map(|id| self.miss(id)));
        for &id in &self.leaving {
            let mut next = self.clone();
            next.leaving.remove(&id);
            next.replies(id);
            found.push(next);
        }
        for &id in &self.replies {
            found.extend(self.lose(id));
            let mut next = self.clone();
            next.replies.remove(&id);
            let request = next.cache.request(id).clone();
            next.cache.complete(id);
            next.cache.forget(id);
            if let Kind::Block(block) = request.kind {
                next.kept.insert((request.from, block));
            }
            found.push(next);
        }
        for &(me, block) in &self.kept {
            let mut next = self.clone();
            match next.cache.unkept(me, block) {
                Some(message) => next.handle(me, message, true),
                None => _ = next.kept.remove(&(me, block)),
            }
            found.push(next);
        }
        found
    }

    fn check(&self) {
        for block in 0..self.cache.blocks() {
            let holds: Vec<Hold> = (0..MEMBERS)
                .map(|me| self.cache.local(me as Member, block).hold)
                .filter(|&h| h != Hold::Null)
                .collect();
            let exclusive = holds.iter().filter(|&&hold| hold == Hold::Exclusive).count();
            assert!(exclusive == 0 || holds.len() == 1, "one may change, or all may read: {holds:?}");
            let loses = |me| matches!(self.cache.local(me, block), of if of.pins > 0 && of.hold == Hold::Null);
            assert!(!(0..MEMBERS as Member).any(loses), "nobody loses what he has pinned");
        }
    }

    /// Nothing is under way: everybody has what it asked for, and the masters know who.
    fn check_end(&self) {
        assert_eq!(self.cache.under_way(), 0, "each request is answered");
        for block in 0..self.cache.blocks() {
            for me in 0..MEMBERS as Member {
                let local = self.cache.local(me, block);
                assert!(local.asked.is_none());
                assert_eq!(self.cache.booked(me, block), local.hold, "block {block} at {me}");
            }
        }
    }
}

/// Searches everything that can follow. Returns how many states there are.
fn search(start: State) -> usize {
    let mut known = BTreeSet::new();
    let mut todo = vec![start.clone()];
    known.insert(start);
    while let Some(state) = todo.pop() {
        state.check();
        let all = state.all_next();
        if all.is_empty() {
            state.check_end();
        }
        for next in all {
            if known.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    known.len()
}

#[test]
fn no_order_of_messages_gives_two_instances_a_block_to_change() {
    use Hold::{Exclusive, Shared};
    let starts: [&[(u32, Member, Hold)]; 4] =
        [&[], &[(0, 1, Exclusive)], &[(0, 0, Shared), (0, 1, Shared), (0, 2, Shared)], &[(0, 2, Exclusive)]];
    let states: Vec<usize> = starts.iter().map(|held| search(State::new(1, 3, held, 0))).collect();
    assert!(states.iter().all(|&found| found > 20_000), "{states:?}");
}

#[test]
fn blocks_do_not_stand_in_one_anothers_way() {
    let held = [(0, 1, Hold::Exclusive), (1, 2, Hold::Shared)];
    let states = search(State::new(2, 2, &held, 0));
    assert!(states > 2_000, "{states}");
}

/// Whoever leaves, and in the middle of whatever: those that stay get what they asked for, what it held is free, and
/// the books of the new masters are what is held.
#[test]
fn one_that_leaves_takes_nothing_with_it() {
    use Hold::{Exclusive, Shared};
    let starts: [&[(u32, Member, Hold)]; 4] =
        [&[], &[(0, 0, Exclusive)], &[(0, 0, Shared), (0, 1, Shared), (0, 2, Shared)], &[(0, 2, Exclusive)]];
    let all = |held| search(State { may_leave: true, ..State::new(1, 3, held, 0) });
    let states: Vec<usize> = starts.into_iter().map(all).collect();
    assert!(states.iter().all(|&found| found > 50_000), "{states:?}");
}

/// A holder that has decided to give a block away, and has not sent it yet, has it. So has one whose block got lost.
#[test]
fn a_block_that_is_about_to_leave_is_where_it_was_when_another_instance_leaves() {
    use Hold::{Exclusive, Shared};
    let starts: [&[(u32, Member, Hold)]; 2] = [&[(0, 0, Exclusive)], &[(0, 0, Shared), (0, 1, Shared)]];
    let of = |held, loses| State { may_leave: true, takes_time: true, loses, ..State::new(1, 3 - loses, held, 0) };
    let states = starts.map(|held| [0, 1].map(|loses| search(of(held, loses))));
    assert!(states.iter().flatten().all(|&found| found > 5_000), "{states:?}");
}

#[test]
fn what_a_holder_had_decided_to_give_away_it_holds_as_before() {
    for hold in [Hold::Shared, Hold::Exclusive] {
        let start = State { takes_time: true, may_leave: true, ..State::new(1, 1, &[(0, 1, hold)], 0) };
        let mut state = start.ask(0, 0, Want::Change).expect("it holds nothing");
        let message = state.wires[1].pop_front().expect("the master forwards the request");
        state.handle(1, message, false);
        assert_eq!((state.leaving.len(), state.cache.local(1, 0).hold), (1, Hold::Null));
        let after = state.leaves(2).expect("it may");
        assert_eq!((after.cache.local(1, 0).hold, after.living), (hold, vec![0, 1]));
    }
}

/// Whoever pins a block, however long, and whoever stands in line for it: each request is answered at the end of a pin.
#[test]
fn a_pin_keeps_nobody_from_a_block_for_good() {
    use Hold::{Exclusive, Shared};
    let starts: [&[(u32, Member, Hold)]; 2] = [&[(0, 1, Exclusive)], &[(0, 0, Shared), (0, 1, Shared)]];
    let states = starts.map(|held| search(State { pins: 1, lines: 1, ..State::new(1, 3, held, 0) }));
    assert!(states.iter().all(|&found| found > 50_000), "{states:?}");
}

/// What comes of a request, one message after another, when nobody else asks.
fn settled(mut state: State) -> State {
    while let Some(wire) = (0..state.wires.len()).find(|&wire| !state.wires[wire].is_empty()) {
        let message = state.wires[wire].pop_front().expect("it is not empty");
        state.handle((wire % MEMBERS) as Member, message, false);
    }
    while let Some(id) = state.replies.pop_first() {
        state.cache.complete(id);
        state.cache.forget(id);
    }
    state
}

#[test]
fn a_block_that_was_read_before_the_start_is_held_as_after_reads() {
    const READS: u32 = 6;
    for (fairness, order) in (0..3).flat_map(|fairness| (0..3u32.pow(READS)).map(move |order| (fairness, order))) {
        let start = State::new(1, READS as u8, &[(0, 1, Hold::Exclusive)], fairness);
        let (mut told, mut real) = (start.cache.clone(), start);
        for at in 0..READS {
            let reader = (order / 3u32.pow(at) % 3) as Member;
            told.was_read(0, reader);
            real = real.ask(reader, 0, Want::Read).map_or(real, settled);
            for me in 0..MEMBERS as Member {
                let [told, real] = [&told, &real.cache].map(|cache| {
                    let local = cache.local(me, 0);
                    (local.hold, local.copies, cache.booked(me, 0))
                });
                assert_eq!(told, real, "{me} after read {at} of order {order}, {fairness} copies");
            }
        }
    }
}

/// Copies are built as often as the threshold says. The next reader gets the block as it is and holds it shared beside
/// its holder, whoever of the holder, the reader and a third is the master, which is 0.
#[test]
fn who_reads_after_as_many_copies_as_the_threshold_says_gets_a_lock() {
    for (holder, reader, fairness) in
        [(0, 1), (1, 0), (1, 2)].into_iter().flat_map(|(h, r)| (0..4).map(move |t| (h, r, t)))
    {
        let mut state = State::new(1, 5, &[(0, holder, Hold::Exclusive)], fairness);
        for copies in 0..=fairness {
            assert_eq!(state.cache.local(reader, 0).hold, Hold::Null, "{holder} has built {copies} for {reader}");
            let mut next = state.ask(reader, 0, Want::Read).expect("it holds nothing");
            let id = next.cache.local(reader, 0).asked.expect("it asks");
            while let Some(wire) = (0..next.wires.len()).find(|&wire| !next.wires[wire].is_empty()) {
                let message = next.wires[wire].pop_front().expect("it is not empty");
                next.handle((wire % MEMBERS) as Member, message, false);
            }
            assert_eq!(next.cache.request(id).is_built(), copies < fairness, "{copies} of {fairness} are built");
            state = settled(next);
        }
        for member in [holder, reader] {
            assert_eq!(state.cache.local(member, 0).hold, Hold::Shared, "{member}, {fairness} copies from {holder}");
        }
        state.check_end();
    }
}

/// Three of five hold each block, the master none.
#[test]
fn each_holder_serves_as_many_blocks_and_each_of_its_lms_as_many_of_them() {
    let mut cache = GlobalCache::new(vec![0], 5, 12_000, 2);
    let mut served = [[0_u32; 2]; 5];
    for block in 0..12_000 {
        let holders = [[1, 2, 4], [2, 3, 4]][(block / 6_000) as usize];
        holders.into_iter().for_each(|holder| cache.starts_with(block, holder, Hold::Shared));
        let (id, mut sends) = (cache.ask(0, block, Want::Read), Vec::new());
        cache.at_master(id, &mut sends);
        assert_eq!(sends.len(), 1);
        served[usize::from(sends[0].to)][(block / 16) as usize % 2] += 1;
    }
    let expected = [0.0, 1_000.0, 2_000.0, 1_000.0, 2_000.0];
    for (of, expected) in served.iter().zip(expected) {
        assert!(of.iter().all(|&lms| (f64::from(lms) - expected).abs() <= 0.1 * expected), "{served:?}");
    }
}
