//! A session that nobody waits for goes on with a new quantum, and that is a whole one.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{cage, hogs, node, one};
use wwi_model::world::World;

/// One CPU, one slot, and a hog outside the cage that takes turns of 3 ms with whoever has the slot. The first
/// transaction has its first quantum of 100 ms used after some 200 ms, when nobody waits; the second comes at 250 ms,
/// in the middle of the first one's second quantum, which ends after some 400 ms.
fn world() -> World {
    let mut host = NodeConfig { cores_per_socket: 1, ..node() };
    host.background = Background { processes: 1, busy: Ns::from_ms(1.0), sleep: Ns::ZERO, ..host.background };
    let mut instance = hogs(0);
    let second = Ns::from_s(1.0);
    instance.workload.arrivals = Arrivals::List(vec![(Ns(1), second), (Ns::from_ms(250.0), second)]);
    instance.cage = Some(cage(1));
    World::new(&one(host, instance), 0)
}

#[test]
fn a_renewed_quantum_is_a_whole_one() {
    let mut world = world();
    let mut waits_over_by = |ms: f64| {
        world.run(Ns::from_ms(ms), u64::MAX);
        world.cut();
        world.accounts.groups[0].stays[Activity::CPU_QUANTUM.i()].count()
    };
    assert_eq!(waits_over_by(240.0), 0, "nobody waits");
    assert_eq!(waits_over_by(380.0), 0, "the second waits for the whole quantum of the first");
    assert_eq!(waits_over_by(430.0), 1, "and has the slot when that is over");
}
