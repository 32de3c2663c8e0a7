use super::super::steps_tests::*;
use super::*;
use crate::config::NodeConfig;
use crate::host::balance::newidle::Luck;
use crate::testing::{hogs, node, one};

/// Two CPUs under CFS that throw dice.
fn two() -> World {
    let host = NodeConfig { cores_per_socket: 2, ni_random: true, ..node() };
    World::new(&one(host, hogs(0)), 0)
}

fn lucks(world: &World) -> Vec<Luck> {
    world.hosts[0].balance.as_deref().expect("queues are fair").luck.clone()
}

/// Two hold a CPU each; a third comes between two ticks and works for less than a tick.
#[test]
fn a_host_is_overloaded_from_when_somebody_has_to_share_until_a_look_finds_nobody_waiting() {
    let mut world = two();
    world.actor(0.0, &[cpu(60.0)]);
    world.actor(0.0, &[cpu(60.0)]);
    world.actor(10.2, &[cpu(0.3)]);
    world.until(10.1);
    assert!(!world.hosts[0].is_overloaded, "a CPU each");
    world.until(10.3);
    assert!(world.hosts[0].is_overloaded, "three, and no tick since");
    world.until(40.0);
    assert!(world.hosts[0].ready == 0 && !world.hosts[0].is_overloaded, "two again, and ticks have seen it");
}

/// Nobody waits any more, but that is not known: a CPU without luck leaves it so, a search does not.
#[test]
fn only_who_searches_finds_out_that_nobody_waits() {
    let mut world = two();
    world.actor(0.0, &[cpu(60.0)]);
    world.until(5.1);
    let at = ThreadId(u16::from(!world.hosts[0].idle.has(1)) ^ 1);
    world.hosts[0].is_overloaded = true;
    let mut unlucky = lucks(&world);
    unlucky.iter_mut().for_each(|luck| (0..20_000).for_each(|_| luck.note(0)));
    world.hosts[0].balance.as_deref_mut().expect("queues are fair").luck = unlucky;
    for _ in 0..20 {
        assert!(!world.newly_idle(at) && world.hosts[0].is_overloaded, "three throws of 1,024 search");
    }
    world.hosts[0].balance.as_deref_mut().expect("queues are fair").luck = vec![Luck::UNKNOWN; 2];
    assert!((0..20).all(|_| !world.newly_idle(at)) && !world.hosts[0].is_overloaded, "half of them do");
}

/// On two cores of two threads each CPU has luck in its core and none beyond.
#[test]
fn a_search_of_a_core_says_nothing_of_the_host() {
    let host =
        NodeConfig { cores_per_socket: 2, threads_per_core: 2, smt_yield: vec![1.0, 1.3], ni_random: true, ..node() };
    let mut world = World::new(&one(host, hogs(0)), 0);
    world.actor(0.0, &[cpu(60.0)]);
    world.until(5.1);
    let at = (0..4).find(|&cpu| world.hosts[0].idle.has(cpu)).expect("three idle");
    world.hosts[0].is_overloaded = true;
    let mut lucks = lucks(&world);
    assert_eq!(lucks.len(), 8, "four CPUs, two domains each");
    lucks.iter_mut().skip(1).step_by(2).for_each(|luck| (0..20_000).for_each(|_| luck.note(0)));
    world.hosts[0].balance.as_deref_mut().expect("queues are fair").luck = lucks;
    assert!((0..20).all(|_| !world.newly_idle(ThreadId(at as u16))) && world.hosts[0].is_overloaded);
}

/// Two that work for 0.3 ms each 0.7 and 0.77 ms, beside one that only works: who leaves an empty queue throws a die,
/// as long as the host counts as overloaded.
#[test]
fn dice_are_thrown_after_the_last_has_waited() {
    let mut world = two();
    let (mut stale, mut thrown) = (0, 0);
    world.actor(0.0, &[cpu(100.0)]);
    let turns = |every| (1..70).flat_map(|n| [cpu(0.3), sleep(every * f64::from(n))]).collect::<Vec<_>>();
    world.actor(0.0, &turns(0.7));
    world.actor(0.1, &turns(0.77));
    let mut before = (false, lucks(&world));
    for step in 1..1000 {
        world.until(f64::from(step) * 0.05);
        let host = &world.hosts[0];
        let now = (host.ready == 0 && host.is_overloaded, lucks(&world));
        stale += i32::from(now.0);
        thrown += i32::from(before.0 && now.0 && before.1 != now.1);
        before = now;
    }
    assert!(stale > 100 && thrown > 10, "{stale} looks, {thrown} throws");
}
