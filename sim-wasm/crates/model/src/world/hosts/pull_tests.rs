//! When an idle thread takes who waits elsewhere, where no policy of Linux balances: by hand.
use super::super::steps_tests::*;
use crate::config::{NodeConfig, Scheduler};
use crate::testing::{hogs, node, one};
use crate::world::World;

/// `disp_getbest` takes who has waited for more than `nosteal_nsec`, 100 µs, and until then idle threads look without
/// a pause (T_DONTSTEAL). Two sockets of one thread: who slept comes back to his thread within the tick, where a hog
/// runs by now. The other thread, idle since then or later, takes him when he has waited for 100 µs; and the next one
/// 100 µs after that one has come.
#[test]
fn an_idle_thread_of_another_cache_takes_who_has_waited_for_100_us() {
    for (idle, taken) in [(3.0, 3.1), (3.05, 3.1), (3.09, 3.1), (3.2, 3.2)] {
        let host =
            NodeConfig { sockets: 2, cores_per_socket: 1, scheduler: Scheduler::Solaris, tick_hz: 100, ..node() };
        let mut world = World::new(&one(host, hogs(0)), 0);
        let first = world.actor(1.0, &[cpu(0.5), sleep(3.0), cpu(0.05)]);
        world.actor(1.6, &[cpu(0.2)]);
        let second = world.actor(1.7, &[cpu(0.05), sleep(3.4), cpu(0.05)]);
        let leaves = world.actor(2.1, &[cpu(idle - 2.1)]);
        let stays = world.actor(2.1, &[cpu(100.0)]);
        world.until(2.9);
        let at = [first, second, stays, leaves].map(|pid| world.processes[pid.i()].last.0);
        assert!(at[0] == at[1] && at[1] == at[2] && at[2] != at[3], "{at:?}");
        world.until(4.0);
        let began = [first, second].map(|pid| (world.told(pid)[2].0 * 1000.0).round() / 1000.0);
        assert_eq!(began, [taken, 3.5], "the other idles from {idle} ms on");
    }
}
