//! Who polls keeps its thread until what it looks for holds: moments by arithmetic.
use super::steps_tests::*;
use super::*;
use crate::config::Scheduler;
use crate::program::script::Do;
use crate::program::{On, Step};
use Resume::*;

/// A poller of 5 ms on a host of so many threads, then 1 ms of work, and posts by another from these moments on.
fn polled(threads: u32, scheduler: Scheduler, posts: &[f64]) -> (World, Pid, QueueId) {
    let mut world = empty(threads, scheduler);
    let queue = world.new_queue(None);
    let poller = world.actor(0.0, &[poll(On::Items(queue, 1), 5.0), Do::Take(queue), cpu(1.0)]);
    for at in posts {
        world.actor(*at, &[post(queue, 7)]);
    }
    world.until(60.0);
    (world, poller, queue)
}

#[test]
fn a_poller_sees_a_post_at_once_and_no_later_than_its_time_is_over() {
    for (posted, expected) in [
        (3.0, vec![(0.0, Started), (3.0, Met), (4.0, CpuDone)]),
        (7.0, vec![(0.0, Started), (5.0, TimedOut), (6.0, CpuDone)]),
    ] {
        let (world, poller, queue) = polled(2, Scheduler::Cfs, &[posted]);
        assert_eq!(world.told(poller), expected, "posted at {posted} ms");
        let left = usize::from(posted > 5.0);
        assert_eq!((world.scripts[&poller].taken.len(), world.queues[queue.i()].len()), (1 - left, left));
    }
}

#[test]
fn who_has_polled_in_vain_stands_in_no_line() {
    let mut world = empty(2, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let poller = world.actor(0.0, &[poll(On::Items(queue, 1), 5.0), sleep(20.0)]);
    let heir = world.actor(1.0, &[wait(On::Items(queue, 1), None), Do::Take(queue)]);
    world.actor(7.0, &[post(queue, 7)]);
    world.until(60.0);
    assert_eq!(world.told(poller), [(0.0, Started), (5.0, TimedOut), (20.0, TimedOut)]);
    assert_eq!(world.told(heir), [(1.0, Started), (7.0, Met)]);
}

#[test]
fn what_holds_already_costs_no_poll_and_nothing_is_polled_for_to_the_end() {
    let mut world = empty(1, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let todo = [post(queue, 1), poll(On::Items(queue, 1), 5.0), cpu(1.0), poll(On::Time, 2.0), cpu(1.0)];
    let poller = world.actor(0.0, &todo);
    world.until(20.0);
    let expected = [(0.0, Started), (0.0, GoOn), (0.0, Met), (1.0, CpuDone), (3.0, TimedOut), (4.0, CpuDone)];
    assert_eq!(world.told(poller), expected);
}

#[test]
fn a_poller_that_has_lost_its_thread_goes_on_when_it_gets_one() {
    // One thread, turns of 100 ms: it polls from 0 to 100 ms, another works to 200; the post comes at 150 by a timer.
    let mut world = World::new(
        &crate::testing::one(
            crate::config::NodeConfig {
                cores_per_socket: 1,
                scheduler: Scheduler::RoundRobin,
                round_robin_quantum: ms(100.0),
                ..crate::testing::node()
            },
            crate::testing::hogs(0),
        ),
        0,
    );
    let queue = world.new_queue(None);
    let poller = world.actor(0.0, &[poll(On::Items(queue, 1), 500.0), Do::Take(queue), cpu(10.0)]);
    world.actor(0.0, &[cpu(300.0)]);
    let parcel = Parcel { queue, item: Item { tag: 3, ..Item::default() }, node: 0 };
    world.links.push(crate::meet::link::Link::new(ms(150.0), None));
    world.send(crate::ids::LinkId(0), 1, parcel);
    world.until(150.0);
    assert_eq!(world.processes[poller.i()].activity, Activity::RUN_QUEUE);
    world.until(400.0);
    assert_eq!(world.told(poller), [(0.0, Started), (200.0, Met), (210.0, CpuDone)]);
    assert_eq!(world.scripts[&poller].taken, [3]);
}

#[test]
fn of_two_pollers_the_first_is_served_and_a_post_wakes_who_sleeps_behind_them() {
    let mut world = empty(4, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let todo = |first: Do| [first, Do::Take(queue), cpu(1.0)];
    let pollers = [0.0, 0.5].map(|at| world.actor(at, &todo(poll(On::Items(queue, 1), 20.0))));
    let sleeper = world.actor(1.0, &todo(wait(On::Items(queue, 1), None)));
    for (at, tag) in [(3.0, 1), (4.0, 2), (6.0, 3)] {
        world.actor(at, &[post(queue, tag)]);
    }
    world.until(50.0);
    let met = [pollers[0], pollers[1], sleeper].map(|pid| (world.told(pid)[1], world.scripts[&pid].taken.clone()));
    assert_eq!(met, [((3.0, Met), vec![1]), ((4.0, Met), vec![2]), ((6.0, Met), vec![3])]);
}

#[test]
fn what_is_spun_is_work_and_no_read() {
    for (posted, spun) in [(4.0, 3.0), (9.0, 5.0)] {
        let mut world = empty(2, Scheduler::Cfs);
        let queue = world.new_queue(None);
        let read = Do::Step(Step::Cpu { work: run::to_work(ms(1.0)), reads: 10 << 20 });
        let poller = world.actor(0.0, &[read, poll(On::Items(queue, 1), 5.0), read]);
        world.actor(posted, &[post(queue, 7)]);
        world.until(60.0);
        world.cut();
        let group = &world.accounts.groups[0];
        assert!(world.tasks[poller.i()].is_gone);
        assert_eq!(group.work, u128::from(run::to_work(ms(spun + 2.0))));
        assert_eq!((group.asked, group.open_work, group.logical_reads()), (group.work, 0, 20.0));
    }
}

#[test]
fn under_processor_sharing_a_poll_lasts_to_its_end() {
    let mut world = empty(1, Scheduler::ProcessorSharing);
    let queue = world.new_queue(None);
    let poller = world.actor(0.0, &[poll(On::Items(queue, 1), 5.0), Do::Take(queue), poll(On::Items(queue, 1), 2.0)]);
    world.actor(3.0, &[post(queue, 7)]);
    world.until(60.0);
    assert_eq!(world.told(poller), [(0.0, Started), (5.0, Met), (7.0, TimedOut)]);
}

#[test]
fn a_poller_that_is_ended_while_it_is_ready_takes_no_post_with_it() {
    let mut world = empty(1, Scheduler::RoundRobin);
    let queue = world.new_queue(None);
    let poller = world.actor(0.0, &[poll(On::Items(queue, 1), 5000.0)]);
    let heir = world.actor(0.0, &[wait(On::Items(queue, 1), Some(101.5)), Do::Take(queue)]);
    // It runs when the poller's turn of 100 ms is over.
    world.actor(1.0, &[cpu(1.0), Do::Step(Step::Kill(poller)), post(queue, 4), cpu(1.0)]);
    world.until(2000.0);
    assert!(world.tasks[poller.i()].is_gone);
    assert_eq!(world.told(heir), [(100.0, Started), (102.0, Met)]);
    assert_eq!(world.scripts[&heir].taken, [4]);
}
