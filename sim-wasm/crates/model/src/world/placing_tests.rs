//! Where a process goes that wakes on a fair queue: by arithmetic, on hosts without costs.
use super::steps_tests::*;
use super::*;
use crate::config::{Affinity, BalanceGeneration, CpuSet, IdleScan, NodeConfig, Scheduler};
use crate::program::script::Do;
use crate::program::On;
use crate::testing::{hogs, node, one};

/// Two last-level caches of two CPUs.
fn two_caches() -> World {
    let host = NodeConfig { sockets: 2, cores_per_socket: 2, scheduler: Scheduler::Cfs, ..node() };
    World::new(&one(host, hogs(0)), 0)
}

impl World {
    /// What is to be done is done on one CPU.
    fn pinned(&mut self, at: u16, todo: &[Do]) -> Pid {
        let pid = self.actor(self.now.as_ms() + 0.01, todo);
        let host = &mut self.hosts[0];
        host.masks.assign_for(pid, Some(&CpuSet(vec![at])), &Affinity::None);
        host.is_plain = false;
        host.ready_by_mask.resize(host.masks.all().count(), 0);
        pid
    }

    /// The CPU where a process runs or waits.
    fn queued_at(&self, pid: Pid) -> Option<u16> {
        let policy = &self.hosts[0].policy;
        (0..self.hosts[0].threads).find(|&at| {
            let mut is_there = false;
            policy.fair().unwrap().visit(at.into(), &mut |one| is_there |= one.pid == pid);
            is_there
        })
    }
}

fn last(world: &World, pid: Pid) -> u16 {
    world.processes[pid.i()].last.0
}

/// A writer that works from 0 on and puts at 5 ms, and a reader of the other cache that waits for it.
fn written(queue: impl Fn(&mut World) -> QueueId) -> (World, Pid, Pid) {
    let mut world = two_caches();
    let queue = queue(&mut world);
    let writer = world.actor(0.0, &[cpu(5.0), post(queue, 0), cpu(5.0)]);
    let reader = world.actor(1.0, &[cpu(1.0), wait(On::Items(queue, 1), None), cpu(1.0)]);
    world.until(4.9);
    assert_ne!(last(&world, writer) / 2, last(&world, reader) / 2, "who is new comes to the roomier cache");
    (world, writer, reader)
}

/// `wake_affine_idle`: "if (sync && cpu_rq(this_cpu)->nr_running == 1) return this_cpu" comes before "if
/// (available_idle_cpu(prev_cpu)) return prev_cpu".
#[test]
fn a_message_takes_its_reader_to_the_cache_of_the_writer_and_a_post_does_not() {
    let (mut world, _, reader) = written(|world| world.new_queue(None));
    let home = last(&world, reader);
    world.until(5.5);
    assert_eq!(last(&world, reader), home, "a post");
    let (mut world, writer, reader) = written(|world| world.new_channel(None));
    world.until(5.5);
    let (writer, reader) = (last(&world, writer), last(&world, reader));
    assert!(writer != reader && writer / 2 == reader / 2, "a message: {writer} {reader}");
}

/// Both CPUs busy, 1024 a hog, the reader's own load long gone: 100 × the writer's is less than 108 × the reader's.
#[test]
fn a_post_takes_its_reader_to_the_lighter_cpu() {
    for (there, here, moves) in [(1, 0, true), (1, 1, false), (3, 1, true), (12, 12, false), (13, 13, true)] {
        let mut world = two_caches();
        let queue = world.new_queue(None);
        let reader = world.actor(0.0, &[cpu(1.0), wait(On::Items(queue, 1), None), cpu(1.0)]);
        world.until(1.5);
        let home = last(&world, reader);
        let other = (home + 2) % 4;
        let hog = [cpu(1e6)];
        (0..there).for_each(|_| _ = world.pinned(home, &hog));
        (0..here).for_each(|_| _ = world.pinned(other, &hog));
        // Nobody else is let in beside them.
        (0..4).filter(|&at| at != other && at != home).for_each(|at| _ = world.pinned(at, &hog));
        world.pinned(other, &[cpu(400.0), post(queue, 0), cpu(1e6)]);
        let mut t = 300.0;
        while world.queued_at(reader).is_none() {
            t += 1.0;
            world.until(t);
        }
        let moved = world.queued_at(reader).map(|at| at / 2) != Some(home / 2);
        assert_eq!(moved, moves, "{there} hogs there, {here} beside the writer");
    }
}

/// Sleepers' CPUs are hogs' by now; of eight CPUs the next one is idle. SIS_UTIL looks for it where few are used, by
/// what is used then.
#[test]
fn a_used_cache_is_not_searched() {
    for (scan, hogs_beside, finds) in
        [(IdleScan::Util, 5, false), (IdleScan::Util, 1, true), (IdleScan::Prop(0), 5, true)]
    {
        let host = NodeConfig { cores_per_socket: 8, scheduler: Scheduler::Eevdf, idle_scan: scan, ..node() };
        let mut world = World::new(&one(host, hogs(0)), 0);
        let early = world.actor(0.0, &[cpu(0.5), sleep(3.1), cpu(0.1)]);
        let sleeper = world.actor(0.0, &[cpu(0.5), sleep(300.1), cpu(1.0)]);
        world.until(0.9);
        let homes = [early, sleeper].map(|pid| last(&world, pid));
        let rest = (1..8).map(|step| (homes[1] + step) % 8).filter(|&at| at != homes[0]).skip(1);
        let hogs: Vec<u16> = homes.into_iter().chain(rest.take(hogs_beside)).collect();
        hogs.into_iter().for_each(|at| _ = world.pinned(at, &[cpu(2000.0)]));
        world.until(3.15);
        assert_ne!(last(&world, early), homes[0], "what has just begun has used little: {scan:?}");
        world.until(300.2);
        assert_eq!(last(&world, sleeper) != homes[1], finds, "{scan:?} beside {hogs_beside}");
    }
}

/// "span_avg = sd->span_weight * avg_idle; if (span_avg > 4*avg_cost) nr = div_u64(span_avg, avg_cost); else nr = 4",
/// with avg_idle / 512 of the waking CPU, 195 and 781 ns, and 1 µs: 1.56 and 6.2 of eight CPUs. As up to 4.8 all are
/// looked at.
#[test]
fn a_search_by_idle_time_gives_up_at_the_cpu_of_that_number() {
    let (new, old) = (BalanceGeneration::Linux61, BalanceGeneration::Linux316);
    for (least, idle_us, generation, reach) in
        [(4, 100, new, 3), (5, 100, new, 4), (4, 400, new, 5), (4, 1000, new, 8), (0, 100, new, 8), (4, 100, old, 8)]
    {
        for beside in 1..7 {
            let host = NodeConfig {
                cores_per_socket: 8,
                scheduler: Scheduler::Cfs,
                idle_scan: IdleScan::Prop(least),
                balance_generation: generation,
                ..node()
            };
            let mut world = World::new(&one(host, hogs(0)), 0);
            let sleeper = world.actor(0.0, &[cpu(0.5), sleep(5.6), cpu(1.0)]);
            world.until(0.9);
            let home = last(&world, sleeper);
            (0..=beside).for_each(|step| _ = world.pinned((home + step) % 8, &[cpu(2000.0)]));
            world.until(5.5);
            world.threads[usize::from(home)].usual_idle = idle_us * 1000;
            world.until(5.7);
            assert_eq!(last(&world, sleeper) != home, beside + 1 < reach, "{least} {idle_us} {generation:?} {beside}");
        }
    }
}
