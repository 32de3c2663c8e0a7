//! Waits of `resmgr:cpu quantum` against the arithmetic of slots and ticks.
use wwi_kernel::time::Ns;
use wwi_model::activity::Activity;
use wwi_model::config::*;
use wwi_model::testing::{cage, hogs, node, one};
use wwi_model::world::World;

fn host(threads: u32) -> NodeConfig {
    NodeConfig { cores_per_socket: threads, ..node() }
}

/// `sessions` on `slots` for 300 s a replication, eight of them, the first 30 s left out.
fn run(sessions: u32, slots: u32, change: impl Fn(&mut InstanceConfig)) -> wwi_model::accounts::Accounts {
    let mut instance = hogs(sessions);
    instance.cage = Some(cage(slots));
    change(&mut instance);
    let config = one(host(slots.max(8)), instance);
    let mut sum: Option<wwi_model::accounts::Accounts> = None;
    for replication in 0..8 {
        let mut world = World::new(&config, replication);
        world.run(Ns::from_s(30.0), u64::MAX);
        world.cut();
        let start = world.accounts.clone();
        world.run(Ns::from_s(330.0), u64::MAX);
        world.cut();
        let after = world.accounts.since(&start);
        match &mut sum {
            Some(sum) => sum.add(&after),
            None => sum = Some(after),
        }
    }
    sum.unwrap()
}

fn mean_wait_ms(accounts: &wwi_model::accounts::Accounts) -> f64 {
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
fn shape(accounts: &wwi_model::accounts::Accounts) -> Vec<(u64, u64)> {
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
