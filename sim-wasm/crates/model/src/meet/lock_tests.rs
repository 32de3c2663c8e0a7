//! Locks by small cases whose outcome follows from the table of modes.
use super::Answer::*;
use super::*;

const N: Mode = Mode::Null;
const SS: Mode = Mode::RowShare;
const SX: Mode = Mode::RowExclusive;
const S: Mode = Mode::Share;
const SSX: Mode = Mode::ShareRowExclusive;
const X: Mode = Mode::Exclusive;

/// A table of three locks; owners by number, the moment of each call a nanosecond after the last.
struct Table(Locks, [LockId; 3], u64);

impl Table {
    fn new() -> Self {
        let mut locks = Locks::default();
        let ids = [0; 3].map(|_| locks.create());
        Table(locks, ids, 0)
    }

    fn now(&mut self) -> Ns {
        self.2 += 1;
        Ns(self.2)
    }

    /// With the holders that are told.
    fn ask(&mut self, lock: usize, owner: u32, mode: Mode) -> (Answer, Vec<u32>) {
        let (now, mut wanted) = (self.now(), Vec::new());
        let answer = self.0.request(self.1[lock], Owner(owner), mode, now, &mut wanted);
        (answer, wanted.into_iter().map(|o| o.0).collect())
    }

    /// A request that is granted at once.
    fn takes(&mut self, lock: usize, owner: u32, mode: Mode) {
        assert_eq!(self.ask(lock, owner, mode), (Granted, vec![]));
    }

    /// A request that waits for these holders.
    fn waits(&mut self, lock: usize, owner: u32, mode: Mode, wanted: &[u32]) {
        assert_eq!(self.ask(lock, owner, mode), (Waits, wanted.to_vec()));
    }

    /// A request that would close a cycle: only what is counted and numbers of tickets change.
    fn refuses(&mut self, lock: usize, owner: u32, mode: Mode) {
        let (locks, parties) = (format!("{:?}", self.0.locks), format!("{:?}", self.0.parties));
        assert_eq!(self.ask(lock, owner, mode), (Refused, vec![]));
        assert_eq!((format!("{:?}", self.0.locks), format!("{:?}", self.0.parties)), (locks, parties));
    }

    fn give(&mut self, lock: usize, owner: u32, to: Mode) -> Vec<(u32, Mode)> {
        let (now, mut granted) = (self.now(), Vec::new());
        self.0.give(self.1[lock], Owner(owner), to, now, &mut granted);
        granted.into_iter().map(|(o, mode)| (o.0, mode)).collect()
    }

    fn leave(&mut self, owner: u32) -> Vec<(u32, Mode)> {
        let (now, mut granted) = (self.now(), Vec::new());
        self.0.leave(Owner(owner), now, &mut granted);
        granted.into_iter().map(|(o, mode)| (o.0, mode)).collect()
    }

    fn gone(&mut self, owner: u32) -> Vec<(u32, Mode)> {
        let (now, mut granted) = (self.now(), Vec::new());
        self.0.gone(Owner(owner), now, &mut granted);
        granted.into_iter().map(|(o, mode)| (o.0, mode)).collect()
    }

    fn held(&self, lock: usize, owner: u32) -> Mode {
        self.0.held(self.1[lock], Owner(owner))
    }
}

/// What one holds the other holds then, joined with what that holds already.
#[test]
fn what_is_handed_on_is_held_by_the_other_and_by_nobody_else() {
    let mut t = Table::new();
    t.takes(0, 1, SX);
    t.takes(0, 2, SS);
    t.0.pass(t.1[0], Owner(1), Owner(9));
    assert_eq!((t.held(0, 1), t.held(0, 9)), (N, SX));
    t.waits(0, 3, X, &[9, 2]);
    assert_eq!(t.gone(1), [], "it has nothing left to let go of");
    t.0.pass(t.1[0], Owner(2), Owner(9));
    assert_eq!((t.held(0, 2), t.held(0, 9)), (N, SX), "of SX and SS the greater");
    t.takes(1, 4, SX);
    t.takes(1, 9, SS);
    t.0.pass(t.1[1], Owner(4), Owner(9));
    assert_eq!((t.held(1, 4), t.held(1, 9)), (N, SX));
    // Who holds nothing, who hands to himself, and who waits for more of what he holds.
    t.0.pass(t.1[1], Owner(5), Owner(4));
    t.0.pass(t.1[1], Owner(9), Owner(9));
    t.takes(2, 6, S);
    t.takes(2, 7, S);
    t.waits(2, 6, X, &[7]);
    t.0.pass(t.1[2], Owner(6), Owner(9));
    t.0.pass(t.1[2], Owner(7), Owner(6));
    assert_eq!([t.held(1, 4), t.held(1, 9), t.held(2, 6), t.held(2, 7), t.held(2, 9)], [N, SX, S, S, N]);
    assert_eq!(t.give(0, 9, N), [(3, X)], "in line as before");
}

#[test]
fn modes_that_go_together_are_held_together_and_those_in_the_way_are_told() {
    let mut t = Table::new();
    t.takes(0, 4, SX);
    t.takes(0, 2, SS);
    t.takes(0, 3, SX);
    t.waits(0, 1, S, &[4, 3]);
    t.waits(0, 5, X, &[4, 2, 3]);
    t.waits(0, 6, SS, &[]);
    assert_eq!([1, 2, 3, 4, 6].map(|owner| t.held(0, owner)), [N, SS, SX, SX, N]);
    assert_eq!(t.give(0, 4, N), []);
    assert_eq!(t.give(0, 3, N), [(1, S)], "the second in line wants all of it, and the third waits for the second");
    assert_eq!(t.gone(1), []);
    assert_eq!(t.give(0, 2, N), [(5, X)]);
    assert_eq!(t.give(0, 5, SX), [(6, SS)], "converted downwards");
}

#[test]
fn conversions_come_before_new_requests_and_keep_their_order() {
    let mut t = Table::new();
    (1..=3).for_each(|owner| t.takes(0, owner, SS));
    t.takes(0, 4, SX);
    t.waits(0, 5, S, &[4]);
    t.waits(0, 2, S, &[4]);
    t.waits(0, 3, S, &[4]);
    t.waits(0, 6, SS, &[]);
    assert_eq!(t.give(0, 4, SS), [(2, S), (3, S), (5, S), (6, SS)]);
}

#[test]
fn no_new_request_is_served_while_a_conversion_waits() {
    let mut t = Table::new();
    t.takes(0, 1, SS);
    t.takes(0, 2, SS);
    t.takes(0, 3, SX);
    t.waits(0, 4, S, &[3]);
    t.waits(0, 1, X, &[2, 3]);
    assert_eq!(t.give(0, 3, N), [], "S would go with both, but the conversion comes first");
    assert_eq!(t.held(0, 1), SS, "the old mode stays held");
    assert_eq!(t.give(0, 2, N), [(1, X)]);
    assert_eq!(t.give(0, 1, SS), [(4, S)]);
}

#[test]
fn a_conversion_that_all_holders_allow_is_granted_past_one_that_waits() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(0, 2, SS);
    t.waits(0, 1, X, &[2]);
    t.takes(0, 2, S);
    assert_eq!(t.held(0, 2), S);
}

#[test]
fn what_the_held_mode_covers_is_granted_and_changes_nothing() {
    let mut t = Table::new();
    t.takes(0, 1, SSX);
    [N, SS, SX, S, SSX].into_iter().for_each(|mode| t.takes(0, 1, mode));
    assert_eq!(t.held(0, 1), SSX);
    t.takes(1, 1, N);
    t.takes(1, 2, X);
    assert_eq!(t.held(1, 1), N);
}

#[test]
fn share_and_row_exclusive_together_are_share_row_exclusive() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(0, 2, S);
    t.waits(0, 1, SX, &[2]);
    assert_eq!(t.give(0, 2, SS), [(1, SSX)]);
    t.takes(1, 1, SX);
    t.takes(1, 1, S);
    assert_eq!([0, 1].map(|lock| t.held(lock, 1)), [SSX, SSX]);
}

#[test]
fn two_that_wait_for_one_another_are_one_too_many() {
    let mut t = Table::new();
    t.takes(0, 1, X);
    t.takes(1, 2, X);
    t.waits(0, 2, SS, &[1]);
    t.refuses(1, 1, SS);
    assert_eq!(t.give(0, 1, N), [(2, SS)], "who was refused goes on");
}

#[test]
fn two_conversions_of_one_lock_are_one_too_many() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(0, 2, S);
    t.waits(0, 1, X, &[2]);
    t.refuses(0, 2, X);
    assert_eq!(t.give(0, 2, N), [(1, X)]);
}

#[test]
fn three_in_a_ring_are_one_too_many() {
    let mut t = Table::new();
    (0..3).for_each(|n| t.takes(n, n as u32, X));
    t.waits(1, 0, S, &[1]);
    t.waits(2, 1, S, &[2]);
    t.refuses(0, 2, S);
    assert_eq!(t.gone(2), [(1, S)]);
}

/// 2 waits for nothing but its turn behind 3; 3 waits for 1.
#[test]
fn who_stands_before_counts_as_much_as_who_holds() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(1, 2, X);
    t.waits(0, 3, X, &[1]);
    t.waits(0, 2, S, &[]);
    t.refuses(1, 1, S);
}

/// 4 waits for holder 3 alone. With 1's conversion before it, it would wait for 1, which would wait for 2, which
/// waits for 4.
#[test]
fn a_conversion_is_refused_if_those_it_would_stand_before_keep_it_waiting() {
    let mut t = Table::new();
    t.takes(0, 1, SS);
    t.takes(0, 2, SS);
    t.takes(0, 3, SX);
    t.takes(1, 4, X);
    t.waits(0, 4, S, &[3]);
    t.waits(1, 2, S, &[4]);
    t.refuses(0, 1, X);
    t.waits(0, 1, S, &[3]);
}

#[test]
fn who_waits_already_can_ask_for_nothing_more() {
    let mut t = Table::new();
    t.takes(0, 1, X);
    t.waits(0, 2, S, &[1]);
    t.refuses(1, 2, S);
    t.refuses(0, 2, SS);
}

#[test]
fn who_leaves_keeps_what_it_holds_and_frees_those_behind() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(0, 2, S);
    t.waits(0, 1, X, &[2]);
    t.waits(0, 3, SS, &[]);
    t.waits(0, 4, SX, &[1, 2]);
    t.waits(0, 5, S, &[]);
    assert_eq!(t.leave(1), [(3, SS)]);
    assert_eq!(t.held(0, 1), S);
    assert_eq!(t.leave(4), [(5, S)]);
    assert_eq!((t.leave(4), t.leave(99)), (vec![], vec![]));
}

#[test]
fn who_is_gone_leaves_nothing_behind() {
    let mut t = Table::new();
    t.takes(2, 1, SX);
    t.takes(0, 1, X);
    t.takes(1, 2, S);
    t.waits(1, 1, X, &[2]);
    t.waits(1, 3, SS, &[]);
    t.waits(2, 4, S, &[1]);
    t.waits(0, 5, SSX, &[1]);
    assert_eq!(t.gone(1), [(3, SS), (5, SSX), (4, S)], "its request, then its locks by number");
    assert_eq!([0, 1, 2].map(|lock| t.held(lock, 1)), [N; 3]);
    t.takes(1, 1, SS);
    t.give(1, 1, N);
    assert!(t.0.parties[1].holds.is_empty(), "nor is anything listed that it held");
    assert_eq!(t.gone(99), []);
}

#[test]
fn only_what_the_held_mode_covers_can_be_given_down_to() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.waits(0, 2, SX, &[1]);
    assert_eq!((t.give(0, 1, SX), t.give(0, 1, X), t.give(0, 3, N)), (vec![], vec![], vec![]));
    assert_eq!(t.held(0, 1), S);
    assert_eq!(t.give(0, 1, SS), [(2, SX)]);
}

#[test]
fn who_gives_while_it_waits_to_convert_keeps_its_place() {
    let mut t = Table::new();
    t.takes(0, 1, S);
    t.takes(0, 2, S);
    t.waits(0, 1, X, &[2]);
    t.waits(0, 3, X, &[1, 2]);
    assert_eq!(t.give(0, 1, N), []);
    assert_eq!(t.give(0, 2, N), [(1, X)]);
    assert_eq!(t.give(0, 1, N), [(3, X)]);
}

#[test]
fn sums_count_each_request_once_and_differences_add_up() {
    let mut t = Table::new();
    t.takes(0, 1, S); // at 1
    t.takes(0, 2, S);
    t.takes(0, 1, SS);
    t.waits(0, 1, X, &[2]); // at 4
    t.waits(0, 3, S, &[]); // at 5
    let early = t.0.sums().clone();
    t.refuses(0, 2, X);
    assert_eq!(t.give(0, 2, N), [(1, X)]); // at 7
    assert_eq!(t.leave(3), []);
    let expected = |wait| LockSums { requests: 6, at_once: 3, waits: 2, refused: 1, conversions: 3, wait };
    let mut wait = Histogram::default();
    wait.record(Ns(3));
    assert_eq!(t.0.sums(), &expected(wait.clone()));
    let mut part = t.0.sums().since(&early);
    let later = LockSums { requests: 1, at_once: 0, waits: 0, refused: 1, conversions: 1, wait };
    assert_eq!(part, later);
    part.add(&early);
    assert_eq!(&part, t.0.sums());
}

/// On whom `owner` depends, word for word: holders in the way, and all who are served before it.
fn depends_on(locks: &Locks, owner: Owner) -> Vec<Owner> {
    let Some(wait) = locks.parties[owner.0 as usize].waits else { return Vec::new() };
    let table = &locks.locks[wait.lock.0 as usize];
    let line: Vec<Waiter> = table.conversions.iter().chain(&table.newcomers).copied().collect();
    let at = line.iter().position(|waiter| waiter.owner == owner).expect("who waits stands in line");
    let holders = table.holders.iter().filter(|h| h.0 != owner && !h.1.compatible(line[at].mode)).map(|h| h.0);
    holders.chain(line[..at].iter().map(|waiter| waiter.owner)).collect()
}

/// Whether taking out those who depend on nobody left, again and again, leaves somebody.
fn has_cycle(locks: &Locks) -> bool {
    let mut left: Vec<Owner> = (0..locks.parties.len() as u32).map(Owner).collect();
    loop {
        let before = left.clone();
        left.retain(|owner| depends_on(locks, *owner).iter().any(|other| before.contains(other)));
        if left.len() == before.len() {
            return !left.is_empty();
        }
    }
}

/// What holds after every call.
fn lawful(locks: &Locks) {
    let mut in_line = vec![0; locks.parties.len()];
    for table in &locks.locks {
        for (at, one) in table.holders.iter().enumerate() {
            assert!(table.holders[..at].iter().all(|other| other.0 != one.0 && other.1.compatible(one.1)));
        }
        let first = table.conversions.front().or(table.newcomers.front());
        assert!(first.is_none_or(|waiter| !table.may_hold(waiter.owner, waiter.mode)), "{first:?} could be granted");
        table.conversions.iter().chain(&table.newcomers).for_each(|waiter| in_line[waiter.owner.0 as usize] += 1);
    }
    for (at, party) in locks.parties.iter().enumerate() {
        assert_eq!(in_line[at], u32::from(party.waits.is_some()));
        let listed = |lock: &LockId| locks.held(*lock, Owner(at as u32)) != N;
        assert_eq!(party.holds, all(locks).filter(listed).collect::<Vec<_>>());
    }
    assert!(!has_cycle(locks));
}

fn all(locks: &Locks) -> impl Iterator<Item = LockId> {
    (0..locks.locks.len() as u32).map(LockId)
}

/// A refusal must be right: had the owner waited, there would be a cycle.
fn would_close_a_cycle(before: &Locks, lock: LockId, owner: Owner, mode: Mode) -> bool {
    let (mut locks, held) = (before.clone(), before.held(lock, owner));
    let (converts, ticket) = (held != N, locks.tickets + 1);
    let waiter = Waiter { owner, mode: held.with(mode), since: Ns::ZERO, ticket };
    locks.locks[lock.0 as usize].line(converts).push_back(waiter);
    locks.parties[owner.0 as usize].waits = Some(Wait { lock, converts, ticket });
    has_cycle(&locks)
}

#[test]
fn laws_hold_after_every_one_of_many_random_calls_and_each_refusal_is_right() {
    let mut random = wwi_kernel::rng::Stream::new(1, 0, "test", 0, "locks");
    let (mut seen, mut cycles) = (LockSums::default(), 0);
    for round in 0..400 {
        let (owners, locks) = (2 + round % 7, 1 + round % 4);
        let mut t = Locks::default();
        (0..locks).for_each(|_| _ = t.create());
        t.admit(Owner(owners as u32 - 1));
        let (mut granted, mut wanted) = (Vec::new(), Vec::new());
        for step in 0..120 {
            let (owner, lock) = (Owner(random.below(owners) as u32), LockId(random.below(locks) as u32));
            let (mode, now) = (Mode::ALL[random.below(6) as usize], Ns(step));
            match random.below(20) {
                0 => t.gone(owner, now, &mut granted),
                1..3 => t.leave(owner, now, &mut granted),
                3..7 => t.give(lock, owner, mode, now, &mut granted),
                7 => t.pass(lock, owner, Owner(random.below(owners) as u32)),
                _ => {
                    let before = t.clone();
                    let answer = t.request(lock, owner, mode, now, &mut wanted);
                    if answer == Refused && before.parties[owner.0 as usize].waits.is_none() {
                        cycles += 1;
                        assert!(would_close_a_cycle(&before, lock, owner, mode), "{owner:?} {mode:?} {before:?}");
                    }
                }
            }
            lawful(&t);
        }
        seen.add(t.sums());
    }
    let LockSums { requests, at_once, waits, refused, conversions, wait } = seen;
    assert_eq!(requests, at_once + waits + refused);
    let often = [at_once, waits, cycles, conversions, wait.count()];
    assert!(often.iter().all(|&times| times > 1_000), "{often:?}");
}
