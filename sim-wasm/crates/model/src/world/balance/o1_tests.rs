//! Rules of 2.6.18 that need a host: which looks of an idle CPU find whom, by hand.
use super::super::steps_tests::*;
use super::*;
use crate::config::{Affinity, CpuSet, KindConfig, NodeConfig, Scheduler};
use crate::ids::Pid;
use crate::testing::{hogs, node, one, ordinary};

/// A host of 1000 Hz of O(1) of so many cores, of so many threads each.
fn host(cores: u32, threads: u32, seed: u32) -> World {
    let smt_yield = vec![1.0, 2.0];
    let of = NodeConfig { cores_per_socket: cores, threads_per_core: threads, smt_yield, ..node() };
    World::new(&one(NodeConfig { scheduler: Scheduler::O1, ..of }, hogs(0)), seed)
}

/// Who may run on these CPUs, and ran last on the first of them.
fn bind(world: &mut World, pid: Pid, nice: i32, cpus: &[u16]) {
    world.processes[pid.i()].last = ThreadId(cpus[0]);
    world.is_unwatched = false;
    let host = &mut world.hosts[0];
    host.is_plain = false;
    host.masks.assign_for(pid, Some(&CpuSet(cpus.to_vec())), &Affinity::None);
    host.ready_by_mask.resize(host.masks.all().count(), 0);
    host.policy.admit(pid, &KindConfig { nice, ..ordinary() }, None, &host.masks);
}

fn counts(world: &World) -> Vec<usize> {
    let queues = world.hosts[0].policy.o1().expect("its queues are those of O(1)");
    (0..world.threads.len()).map(|cpu| queues.number_on(cpu)).collect()
}

/// `idle_balance` walks up the domains with SD_BALANCE_NEWIDLE, which core and cache have, until `load_balance_newidle`
/// is not 0: it is −1 where nobody is found in a domain with SD_SHARE_CPUPOWER, for who leaves is still `rq->curr`,
/// so that `idle_cpu` does not hold for the thread that looks. Four wait or run on CPU 2 when the only one of CPU 0
/// leaves, all bound to these two. With a thread a core one comes at once: loads of 128, as on the last tick, and 512,
/// average 160; less than one is to move, but 384 is more than two. With two threads a core none does before a tick.
#[test]
fn a_newly_idle_cpu_looks_beyond_its_core_only_if_the_core_has_one_thread() {
    for (cores, threads, now) in [(4, 1, 1), (2, 2, 0)] {
        // As a busy one CPU 0 looks each 256 ticks: not within these ten, with this seed.
        let mut world = host(cores, threads, 1);
        let first = world.actor(0.0, &[cpu(10.3)]);
        bind(&mut world, first, 0, &[0, 2]);
        for _ in 0..4 {
            let other = world.actor(0.0, &[cpu(1000.0)]);
            bind(&mut world, other, 0, &[2, 0]);
        }
        world.until(10.29);
        assert_eq!(counts(&world), [1, 0, 4, 0], "{threads} threads a core");
        world.until(10.99);
        assert_eq!((counts(&world)[0], world.told(first).len()), (now, 2), "{threads} threads a core");
        world.until(15.01);
        assert!(counts(&world)[0] > 0, "as an idle one it looks in its cache each four ticks");
    }
}

/// Threads of a core share its caches: `cache_hot_time` is 0 there (SD_SIBLING_INIT). A hog that has given way on the
/// first of two threads is on the second when it gives way there at 5.7 ms. The first idles since 5 ms, and its last
/// look is two ticks ago or more, so it takes the hog on the sixth tick. Were that hot for 0.5 ms it would be left
/// there.
#[test]
fn who_ran_on_the_other_thread_of_a_core_is_never_hot() {
    for seed in 0..30 {
        let mut world = host(1, 2, seed);
        let later = world.actor(0.0, &[cpu(0.1), sleep(5.7), cpu(100.0)]);
        bind(&mut world, later, -10, &[1]);
        let hog = world.actor(0.2, &[cpu(1000.0)]);
        bind(&mut world, hog, 0, &[0, 1]);
        let sooner = world.actor(1.0, &[cpu(4.0)]);
        bind(&mut world, sooner, -10, &[0]);
        world.until(4.5);
        assert_eq!(counts(&world), [1, 1], "it went to the second thread");
        world.until(5.99);
        assert_eq!(counts(&world), [0, 2]);
        world.until(6.01);
        assert_eq!(counts(&world), [1, 1]);
    }
}
