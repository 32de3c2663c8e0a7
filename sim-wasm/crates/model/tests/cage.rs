//! Waits of `resmgr:cpu quantum` against the arithmetic of slots and ticks.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{cage, hogs, node, one, window};
use wwi_model::world::World;

fn host(threads: u32) -> NodeConfig {
    NodeConfig { cores_per_socket: threads, ..node() }
}

/// `sessions` on `slots` for 300 s a replication, eight of them, the first 30 s left out.
fn run(sessions: u32, slots: u32, change: impl Fn(&mut InstanceConfig)) -> wwi_model::measure::accounts::Accounts {
    let mut instance = hogs(sessions);
    instance.cage = Some(cage(slots));
    change(&mut instance);
    let config = one(host(slots.max(8)), instance);
    let mut sum: Option<wwi_model::measure::accounts::Accounts> = None;
    for replication in 0..8 {
        let after = window(&mut World::new(&config, replication), Ns::from_s(30.0), Ns::from_s(330.0));
        match &mut sum {
            Some(sum) => sum.add(&after),
            None => sum = Some(after),
        }
    }
    sum.unwrap()
}

fn mean_wait_ms(accounts: &wwi_model::measure::accounts::Accounts) -> f64 {
    accounts.groups[0].stays[Activity::CPU_QUANTUM.i()].mean() / 1e6
}

#[test]
fn waits_follow_the_tick_model() {
    for (sessions, slots, expected, tolerance) in
        [(9, 6, 65.0, 1.0), (9, 8, 23.75, 1.0), (32, 8, 340.0, 3.0), (32, 1, 3420.0, 20.0)]
    {
        let accounts = run(sessions, slots, |_| {});
        let wait = mean_wait_ms(&accounts);
        assert!((wait - expected).abs() <= tolerance, "{sessions} on {slots}: {wait}");
        let utilisation = accounts.cages[0].held as f64 / (f64::from(slots) * 300e9 * 8.0);
        assert!((utilisation - 0.909).abs() <= 0.005, "{sessions} on {slots}: utilisation {utilisation}");
    }
}

#[test]
fn without_a_tick_it_is_round_robin() {
    for (sessions, slots, expected) in [(9, 6, 50.0), (9, 8, 12.5), (32, 8, 300.0), (32, 1, 3100.0)] {
        let wait = mean_wait_ms(&run(sessions, slots, |i| {
            let cage = i.cage.as_mut().unwrap();
            (cage.tick, cage.safe_point) = (Ns::ZERO, Ns::ZERO);
        }));
        assert!((wait / expected - 1.0).abs() < 0.005, "{sessions} on {slots}: {wait}");
    }
}

/// Lower edges rounded to the nearest 10 ms, with their share of the waits in percent.
fn shape(accounts: &wwi_model::measure::accounts::Accounts) -> Vec<(u64, u64)> {
    let stays = &accounts.groups[0].stays[Activity::CPU_QUANTUM.i()];
    let mut shares = std::collections::BTreeMap::new();
    for (low, high, count) in stays.buckets() {
        *shares.entry(((low + high) / 2 + 5_000_000) / 10_000_000 * 10).or_insert(0) += count;
    }
    shares.into_iter().map(|(ms, n)| (ms, (1000 * n / stays.count() + 5) / 10)).filter(|s| s.1 > 0).collect()
}

#[test]
fn in_step_the_waits_have_two_humps_and_at_random_they_are_multiples_of_the_tick() {
    let in_step = shape(&run(9, 8, |i| {
        let Arrivals::Closed { start_spread, .. } = &mut i.workload.arrivals else { unreachable!() };
        *start_spread = Ns::ZERO;
    }));
    assert_eq!(in_step, [(10, 88), (120, 13)], "seven of eight wait one tick, one waits a round more");
    let at_random = shape(&run(9, 8, |_| {}));
    assert!(at_random.len() > 4 && at_random[0].0 == 10, "{at_random:?}");
}

fn held_share(accounts: &wwi_model::measure::accounts::Accounts, slots: f64) -> f64 {
    accounts.cages[0].held as f64 / (slots * 300e9 * 8.0)
}

/// A quantum of up to a tick and a half is found used on the first tick after the grant: each grant runs for 10 ms and
/// the safe point, and its slot is empty to the next tick. Alone, five sessions on four slots then hold 10.2 of each
/// 20 ms.
#[test]
fn a_quantum_shorter_than_half_a_tick_behaves_as_one_of_a_tick() {
    for (quantum, safe_point) in [(1.0, 0.2), (5.0, 0.2), (6.0, 0.2), (14.0, 0.2), (5.0, 0.0), (6.0, 0.0)] {
        let accounts = run(5, 4, |i| {
            let cage = i.cage.as_mut().unwrap();
            (cage.quantum, cage.safe_point) = (Ns::from_ms(quantum), Ns::from_ms(safe_point));
        });
        let (held, expected) = (held_share(&accounts, 4.0), (10.0 + safe_point) / 20.0);
        assert!((held / expected - 1.0).abs() < 0.01, "{quantum} ms, {safe_point} ms: {held}, not {expected}");
    }
    let coarse = run(9, 8, |i| {
        let cage = i.cage.as_mut().unwrap();
        (cage.quantum, cage.tick) = (Ns::from_ms(50.0), Ns::from_ms(100.0));
    });
    assert!((held_share(&coarse, 8.0) / (100.2 / 200.0) - 1.0).abs() < 0.01, "{}", held_share(&coarse, 8.0));
}

fn group(level: u32, utilization_limit: f64) -> GroupConfig {
    GroupConfig { name: format!("level {level}"), sessions: 1, shares: 1, utilization_limit, level }
}

/// (transactions a second, slots empty while somebody waits) of sessions in two groups on four slots, the second group
/// held to a quarter of them, with so many background processes admitted before.
fn with_a_limit(sessions: u32, background: u32) -> (f64, f64) {
    let mut instance = hogs(sessions);
    instance.cage = Some(CageConfig { groups: vec![group(1, 1.0), group(1, 0.25)], ..cage(4) });
    let mut config = one(host(8), instance);
    let load = &mut config.nodes[0].background;
    (load.processes, load.busy, load.sleep) = (background, Ns::from_ms(1.0), Ns::from_s(1.0));
    let sums = window(&mut World::new(&config, 0), Ns::from_s(2.0), Ns::from_s(302.0));
    let worked_s = (sums.groups[0].work >> wwi_model::host::topology::Q) as f64 / 1e9;
    (worked_s / 0.1 / 300.0, sums.cages[0].empty as f64 / 300e9)
}

/// Two and two sessions of 100 ms on four slots: the free two always run, 10 transactions a second each. The other two
/// take turns on one slot: 100.2 ms less 10 µs for the post in each 110 ms. Together 29.108.
#[test]
fn who_waits_behind_the_limit_of_his_group_costs_the_others_nothing() {
    let (per_s, empty) = with_a_limit(4, 0);
    assert!((per_s - (20.0 + 1.001_9 / 0.11)).abs() < 0.01, "{per_s}");
    assert!((empty - 9.8 / 110.0).abs() < 1e-4, "the limited slot alone stands empty: {empty}");
}

/// Of three, the first and the third are in the first group, whoever was admitted before them: nobody waits.
#[test]
fn sessions_are_dealt_to_the_groups_by_their_number_in_the_instance() {
    for background in [0, 1, 2] {
        let (per_s, empty) = with_a_limit(3, background);
        assert!((per_s - 30.0).abs() < 0.01 && empty == 0.0, "{background} before: {per_s}, {empty}");
    }
}

/// A limit that is no whole number of slots holds on average, however many there are to hold it. Where a slot that is
/// the group's all the time goes from hand to hand it stands empty for 9.8 of 110 ms.
#[test]
fn a_limit_holds_on_average_between_two_numbers_of_slots() {
    for (slots, limit, sessions, tick, held) in [
        (4, 0.3, 8, 10.0, 1.2 - 9.8 / 110.0),
        (4, 0.3, 2, 10.0, 1.2 - 9.8 / 110.0),
        (4, 0.3, 8, 0.0, 1.2),
        (1, 0.25, 1, 10.0, 0.25),
        (2, 0.9, 6, 10.0, 1.8 - 9.8 / 110.0),
        (8, 0.33, 3, 0.0, 2.64),
    ] {
        let accounts = run(sessions, slots, |instance| {
            let cage = instance.cage.as_mut().unwrap();
            (cage.groups, cage.tick) = (vec![group(1, limit)], Ns::from_ms(tick));
        });
        let found = held_share(&accounts, f64::from(slots)) * f64::from(slots);
        assert!((found / held - 1.0).abs() < 0.02, "{limit} of {slots}, {sessions} sessions: {found}, not {held}");
    }
}

/// What one group may not have the other has: it is neither in its way nor behind its limit. 2.8 slots are left, less
/// what ticks leave empty.
#[test]
fn a_limit_between_two_numbers_of_slots_leaves_the_others_the_rest() {
    let two = |limit: f64| {
        run(12, 4, |instance| {
            let cage = instance.cage.as_mut().unwrap();
            (cage.groups, cage.tick) = (vec![group(1, 1.0), group(1, limit)], Ns::ZERO);
        })
    };
    let held = held_share(&two(0.3), 4.0);
    assert!((held - 1.0).abs() < 0.001, "{held}");
}

#[test]
fn a_waiter_behind_a_limit_keeps_no_clock_ticking() {
    let mut instance = hogs(4);
    instance.cage =
        Some(CageConfig { groups: vec![group(1, 1.0), group(1, 0.25)], quantum: Ns::from_s(1000.0), ..cage(4) });
    instance.workload.demand.mean = Ns::from_s(1000.0);
    let mut world = World::new(&one(host(8), instance), 0);
    world.run(Ns::from_s(2.0), u64::MAX);
    let before = world.accounts.events;
    world.run(Ns::from_s(302.0), u64::MAX);
    // 300 s have 30,000 ticks, and levelling looks each 128 ms.
    assert!(world.accounts.events - before < 2_400, "{}", world.accounts.events - before);
}

/// Who is let in by a tick pays for the post; who takes a free slot was not posted.
#[test]
fn a_post_costs_what_it_is_said_to() {
    for post_us in [0.0, 500.0] {
        let mut instance = hogs(2);
        instance.cage = Some(CageConfig { post: Ns::from_us(post_us), ..cage(1) });
        let sums = window(&mut World::new(&one(host(2), instance), 0), Ns::from_s(111.0), Ns::from_s(221.0));
        // 1000 grants in 110 s, each of 100.2 ms.
        let lost_ms = sums.hosts[0].switching as f64 / 1e6;
        assert!((lost_ms - post_us).abs() <= 2.0 * post_us / 1e3, "{lost_ms} ms for {post_us} µs a post");
    }
}

fn two_on_one_slot(think: Ns, change: impl Fn(&mut CageConfig)) -> World {
    let mut instance = hogs(2);
    instance.workload.demand.mean = Ns::from_ms(3.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 2, think, start_spread: Ns::from_ms(10.0) };
    let mut own = cage(1);
    change(&mut own);
    instance.cage = Some(own);
    let mut world = World::new(&one(host(4), instance), 0);
    world.recorder = Some(wwi_model::measure::record::Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(20.0), u64::MAX);
    world.cut();
    world
}

/// The slot of a session that blocked is filled at once, or on the next tick.
#[test]
fn a_slot_left_for_a_wait_is_filled_as_the_handoff_says() {
    for handoff in [Handoff::Immediate, Handoff::Tick] {
        let world = two_on_one_slot(Ns::from_ms(4.0), |c| c.handoff = handoff);
        let stays = world.recorder.iter().flat_map(|r| r.stays());
        let waits: Vec<_> = stays.filter(|s| s.activity == Activity::CPU_QUANTUM).collect();
        let on_ticks = waits.iter().filter(|s| s.end.0 % 10_000_000 == 0).count();
        assert!(waits.len() > 300, "{}", waits.len());
        match handoff {
            Handoff::Immediate => assert!(world.accounts.cages[0].empty == 0 && on_ticks < 10, "{on_ticks}"),
            Handoff::Tick => assert!(world.accounts.cages[0].empty > 0 && on_ticks == waits.len(), "{on_ticks}"),
        }
    }
}

/// Who goes to think posts who gets its slot while it is still there: on a host of one CPU that one is queued behind
/// it, or before it, and no time passes until it runs, though an idle CPU takes half a millisecond to begin.
#[test]
fn who_leaves_a_slot_posts_the_next_before_it_leaves_its_cpu() {
    let mut instance = hogs(3);
    instance.workload.demand.mean = Ns::from_ms(3.0);
    let think = Ns::from_ms(1.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 3, think, start_spread: Ns::from_ms(10.0) };
    instance.cage = Some(CageConfig { post: Ns::ZERO, ..cage(1) });
    let waking = WakingConfig { path: Ns::from_us(500.0), ..WakingConfig::default() };
    let mut world = World::new(&one(NodeConfig { waking, ..host(1) }, instance), 0);
    world.recorder = Some(wwi_model::measure::record::Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(20.0), u64::MAX);
    let stays: Vec<_> = world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.start > Ns::from_s(1.0)).collect();
    let was_let_in =
        |at: Ns, pid| stays.iter().any(|s| s.activity == Activity::CPU_QUANTUM && (s.end, s.pid) == (at, pid));
    let queued: Vec<_> =
        stays.iter().filter(|s| s.activity == Activity::RUN_QUEUE && was_let_in(s.start, s.pid)).collect();
    assert!(queued.iter().all(|s| s.end == s.start), "{queued:?}");
}

/// A wait shorter than `rm_short_wait_us` keeps the slot.
#[test]
fn a_short_wait_keeps_the_slot() {
    for (short_wait, both) in [(Ns::ZERO, true), (Ns::from_s(10.0), false)] {
        let world = two_on_one_slot(Ns::from_ms(1.0), |c| (c.short_wait, c.quantum) = (short_wait, Ns::from_s(1000.0)));
        let ran = |pid: u32| {
            let of = |s: &&wwi_model::measure::record::Stay| s.activity == Activity::RUNNING && s.pid.0 == pid;
            world.recorder.iter().flat_map(|r| r.stays()).filter(of).count() > 0
        };
        assert_eq!((ran(0) && ran(1), ran(0) || ran(1)), (both, true), "{short_wait:?}");
    }
}

/// Slots whose quanta are over stand empty until the tick, 9.8 ms, though others come free at once in between: sessions
/// of 100 ms on average that think for 1 ms.
#[test]
fn what_expired_stands_empty_until_the_tick_though_others_leave() {
    let mut instance = hogs(64);
    instance.workload.demand = Demand { mean: Ns::from_ms(100.0), shape: DemandShape::Exponential };
    let think = Ns::from_ms(1.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 64, think, start_spread: Ns::from_ms(500.0) };
    instance.cage = Some(CageConfig { short_wait: Ns::ZERO, ..cage(16) });
    // Nobody who is posted takes the CPU from who posts.
    let mut world = World::new(&one(NodeConfig { scheduler: Scheduler::Fifo, ..host(16) }, instance), 0);
    world.recorder = Some(wwi_model::measure::record::Recorder::new(1_000_000, Ns::ZERO));
    world.run(Ns::from_s(60.0), u64::MAX);
    world.cut();
    let stays = world.recorder.iter().flat_map(|r| r.stays());
    let waits = stays.filter(|s| s.activity == Activity::CPU_QUANTUM);
    // Quanta are found used on a tick, and end 0.2 ms later.
    let expired = waits.filter(|s| s.start.0 % 10_000_000 == 200_000).count();
    let each_ms = world.accounts.cages[0].empty as f64 / expired as f64 / 1e6;
    assert!(expired > 1_000 && (each_ms - 9.8).abs() < 0.1, "{each_ms} ms after each of {expired}");
}
