//! What a program can rely on, step by step: moments by arithmetic, on hosts without costs.
use super::*;
use crate::config::{CageConfig, NodeConfig, Scheduler};
use crate::ids::DeviceId;
use crate::meet::device::{ServiceTime, Shape};
use crate::meet::link::Link;
use crate::meet::lock::Mode;
use crate::program::script::{Do, Script};
use crate::program::{On, Program, Step};
use crate::testing::{cage, hogs, node, one};
use Resume::*;

pub(super) fn ms(t: f64) -> Ns {
    Ns::from_ms(t)
}

pub(super) fn cpu(t: f64) -> Do {
    Do::Step(Step::Cpu { work: run::to_work(ms(t)), reads: 0 })
}

pub(super) fn poll(on: On, at_most: f64) -> Do {
    Do::Step(Step::Poll { on, at_most: run::to_work(ms(at_most)) })
}

pub(super) fn wait(on: On, until: Option<f64>) -> Do {
    Do::Step(Step::Wait { event: Activity::OFF, on, until: until.map(ms) })
}

pub(super) fn sleep(until: f64) -> Do {
    wait(On::Time, Some(until))
}

pub(super) fn post(queue: QueueId, tag: u32) -> Do {
    Do::Step(Step::Put(queue, Item { tag, ..Item::default() }))
}

pub(super) fn lock(lock: LockId, until: Option<f64>) -> Do {
    wait(On::Lock(lock, Mode::Exclusive), until)
}

pub(super) fn unlock(lock: LockId) -> Do {
    Do::Step(Step::Unlock(lock, Mode::Null))
}

/// Time-shared threads, nobody there.
pub(super) fn empty(threads: u32, scheduler: Scheduler) -> World {
    World::new(&one(NodeConfig { cores_per_socket: threads, scheduler, ..node() }, hogs(0)), 0)
}

pub(super) fn caged(slots: u32) -> World {
    let instance = crate::config::InstanceConfig { cage: Some(cage(slots)), ..hogs(0) };
    World::new(&one(NodeConfig { cores_per_socket: 4, ..node() }, instance), 0)
}

impl World {
    pub(super) fn actor(&mut self, start: f64, todo: &[Do]) -> Pid {
        let pid = self.admit(Program::Script, 0, 0, self.processes.len() as u64);
        self.scripts.insert(pid, Script { todo: todo.iter().copied().collect(), ..Script::default() });
        self.born(pid, On::Time, Some(ms(start)));
        pid
    }

    pub(super) fn told(&self, pid: Pid) -> Vec<(f64, Resume)> {
        self.scripts[&pid].log.iter().map(|(at, how)| (at.as_ms(), *how)).collect()
    }

    pub(super) fn until(&mut self, t: f64) {
        assert!(self.run(ms(t), 100_000), "{} events by {:?}", self.accounts.events, self.now);
    }
}

use crate::meet::lock::LockId;

#[test]
fn a_time_out_fires_once_or_never() {
    for (posted, expected) in [
        (3.0, vec![(0.0, Started), (3.0, Met), (20.0, TimedOut)]),
        (7.0, vec![(0.0, Started), (5.0, TimedOut), (20.0, TimedOut)]),
    ] {
        let mut world = empty(2, Scheduler::Cfs);
        let queue = world.new_queue(None);
        let waiter = world.actor(0.0, &[wait(On::Items(queue, 1), Some(5.0)), sleep(20.0)]);
        world.actor(posted, &[post(queue, 1)]);
        world.until(40.0);
        assert_eq!(world.told(waiter), expected, "posted at {posted} ms");
        assert_eq!(world.queues[queue.i()].len(), 1, "it took nothing");
    }
}

#[test]
fn what_holds_already_is_not_waited_for() {
    let mut world = empty(1, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let actor = world.actor(2.0, &[post(queue, 7), wait(On::Items(queue, 1), None), sleep(1.0), cpu(1.0)]);
    world.until(10.0);
    let expected = [(2.0, Started), (2.0, GoOn), (2.0, Met), (2.0, TimedOut), (3.0, CpuDone)];
    assert_eq!(world.told(actor), expected, "nor a moment that is over");
}

#[test]
fn a_poster_that_loses_its_thread_goes_on_with_the_next_post() {
    for (threads, resumed) in [(1, [11.0, 12.0, 13.0]), (4, [10.0, 10.0, 10.0])] {
        let mut world = empty(threads, Scheduler::Cfs);
        let queues: Vec<QueueId> = (0..3).map(|_| world.new_queue(None)).collect();
        let waiters: Vec<Pid> =
            queues.iter().map(|&q| world.actor(0.0, &[wait(On::Items(q, 1), None), Do::Take(q), cpu(1.0)])).collect();
        let posts = queues.iter().map(|&q| post(q, q.0));
        let poster = world.actor(0.0, &[cpu(10.0)].into_iter().chain(posts).collect::<Vec<_>>());
        world.until(50.0);
        let expected: Vec<_> =
            [(0.0, Started), (10.0, CpuDone)].into_iter().chain(resumed.map(|at| (at, GoOn))).collect();
        assert_eq!(world.told(poster), expected, "{threads} threads");
        for (number, waiter) in waiters.into_iter().enumerate() {
            let woken = if threads == 1 { 10.0 + number as f64 } else { 10.0 };
            assert_eq!(world.told(waiter), [(0.0, Started), (woken, Met), (woken + 1.0, CpuDone)]);
            assert_eq!(world.scripts[&waiter].taken, [number as u32]);
        }
    }
}

#[test]
fn who_is_woken_in_vain_keeps_his_place_and_his_time_out() {
    // First come, first served: the poster goes on with its thread and takes what it put itself.
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    let vain = [wait(On::Items(queue, 1), Some(30.0)), Do::Step(Step::Again), Do::Take(queue), cpu(1.0)];
    let first = world.actor(0.0, &vain);
    let second = world.actor(0.1, &[wait(On::Items(queue, 1), None), Do::Take(queue), cpu(1.0)]);
    world.actor(1.0, &[post(queue, 1), Do::Take(queue), cpu(1.0), sleep(5.0), post(queue, 2), cpu(1.0)]);
    world.until(20.0);
    assert_eq!(world.told(first), [(0.0, Started), (2.0, Met), (6.0, Met), (7.0, CpuDone)]);
    assert_eq!((&world.scripts[&first].taken, &world.scripts[&second].taken), (&vec![2], &vec![]));
    let mut alone = empty(1, Scheduler::Fifo);
    let queue = alone.new_queue(None);
    let first = alone.actor(0.0, &[wait(On::Items(queue, 1), Some(30.0)), Do::Step(Step::Again)]);
    alone.actor(1.0, &[post(queue, 1), Do::Take(queue)]);
    alone.until(50.0);
    assert_eq!(alone.told(first), [(0.0, Started), (1.0, Met), (30.0, TimedOut)]);
}

#[test]
fn credits_are_room_in_a_queue() {
    let mut world = empty(2, Scheduler::Cfs);
    let queue = world.new_queue(Some(2));
    let two = [wait(On::Room(queue), None), post(queue, 1), wait(On::Room(queue), None), post(queue, 2)];
    let sender = world.actor(0.0, &[&two[..], &[wait(On::Room(queue), None), post(queue, 3)]].concat());
    world.actor(4.0, &[Do::Take(queue), cpu(1.0)]);
    world.until(20.0);
    let moments: Vec<f64> = world.told(sender).iter().map(|told| told.0).collect();
    assert_eq!(moments, [0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 4.0], "the third waits for the first to be taken");
}

#[test]
fn one_wait_is_for_a_post_a_completion_or_a_time_out() {
    let mut world = empty(2, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let stream = Stream::new(1, 0, "device", 0, "service");
    let service = ServiceTime { mean: ms(4.0), shape: Shape::Constant, slow: None };
    world.devices.push(Device::new(1, service, stream));
    world.links.push(Link::new(ms(0.5), Some(1e6)));
    let parcel = |tag| Parcel { queue, item: Item { tag, ..Item::default() }, node: 0 };
    let got = |least| [wait(On::Items(queue, least), Some(60.0)), Do::Take(queue)];
    let actor = world.actor(
        0.0,
        &[
            // Two requests of 4 ms one after another, a post at 6 ms, 1000 bytes at 1 MB/s and 0.5 ms, then nothing.
            &[Do::Submit(DeviceId(0), parcel(1)), Do::Submit(DeviceId(0), parcel(2))][..],
            &got(1)[..],
            &got(1)[..],
            &got(1)[..],
            &[Do::Send(crate::ids::LinkId(0), 1000, parcel(4))][..],
            &got(1)[..],
            &got(1)[..],
        ]
        .concat(),
    );
    world.actor(6.0, &[post(queue, 3)]);
    world.until(100.0);
    let moments: Vec<f64> = world.told(actor).iter().map(|told| told.0).collect();
    assert_eq!(moments, [0.0, 4.0, 6.0, 8.0, 9.5, 60.0]);
    assert_eq!(world.scripts[&actor].taken, [1, 3, 2, 4]);
    assert_eq!(world.told(actor).last(), Some(&(60.0, TimedOut)));
}

#[test]
fn of_two_that_wait_for_one_another_one_is_refused() {
    let mut world = empty(2, Scheduler::Cfs);
    let (l1, l2) = (world.locks.create(), world.locks.create());
    let a = world.actor(0.0, &[lock(l1, None), cpu(2.0), lock(l2, None), cpu(1.0)]);
    let b = world.actor(0.0, &[lock(l2, None), cpu(3.0), lock(l1, None), unlock(l2), cpu(1.0)]);
    world.until(50.0);
    assert_eq!(world.told(a), [(0.0, Started), (0.0, Met), (2.0, CpuDone), (3.0, Met), (4.0, CpuDone)]);
    let expected = [(0.0, Started), (0.0, Met), (3.0, CpuDone), (3.0, Refused), (3.0, GoOn), (4.0, CpuDone)];
    assert_eq!(world.told(b), expected);
    let c = world.actor(60.0, &[lock(l1, None), lock(l2, None)]);
    world.until(70.0);
    assert_eq!(world.told(c), [(60.0, Started), (60.0, Met), (60.0, Met)], "who has left holds nothing");
}

#[test]
fn a_lock_wait_ends_with_its_time_out_and_its_holder_is_told_once() {
    let mut world = empty(2, Scheduler::Cfs);
    let (lock_, queue) = (world.locks.create(), world.new_queue(None));
    let holder = world.actor(0.0, &[lock(lock_, None), cpu(10.0), unlock(lock_), sleep(40.0)]);
    world.tell_wanted(holder, queue);
    let late = world.actor(1.0, &[lock(lock_, Some(5.0)), sleep(30.0)]);
    world.until(6.0);
    assert_eq!(world.queues[queue.i()].len(), 1, "told while it works");
    world.until(50.0);
    assert_eq!(world.told(late), [(1.0, Started), (5.0, TimedOut), (30.0, TimedOut)], "10 ms does nothing to it");
    assert_eq!(world.queues[queue.i()].len(), 1);
}

#[test]
fn a_known_wait_keeps_its_slot_if_short_and_an_unknown_one_until_it_is_not() {
    // A short wait is one of less than 0.3 ms; a free slot goes to who waits at once.
    for (on_queue, span, expected) in [(false, 0.2, 6.2), (false, 0.3, 5.0), (true, 0.2, 6.2), (true, 9.0, 5.3)] {
        let mut world = caged(1);
        world.instances[0].cage = Some(crate::instance::cage::Cage::new(&CageConfig { post: Ns::ZERO, ..cage(1) }));
        let queue = world.new_queue(None);
        let rest = if on_queue { wait(On::Items(queue, 1), None) } else { sleep(5.0 + span) };
        world.actor(0.0, &[cpu(5.0), rest, cpu(1.0)]);
        let other = world.actor(1.0, &[cpu(1.0)]);
        // Posts from outside the cage: background load has no instance.
        let poster = world.actor(5.0 + span, &[post(queue, 1)]);
        world.processes[poster.i()].is_caged = false;
        world.until(4.9);
        assert_eq!(world.processes[other.i()].activity, Activity::CPU_QUANTUM);
        world.until(60.0);
        assert_eq!(world.told(other)[0], (expected, Started), "{on_queue} {span}");
    }
}

#[test]
fn spawned_processes_start_when_they_are_told_to_and_draw_from_streams_of_their_own() {
    let mut world = empty(2, Scheduler::Cfs);
    let child = Pid(world.processes.len() as u32 + 1);
    world.actor(1.0, &[Do::Step(Step::Spawn(Program::Script, ms(4.0))), cpu(1.0)]);
    world.scripts.insert(child, Script { todo: [cpu(2.0)].into(), ..Script::default() });
    world.until(20.0);
    assert_eq!(world.told(child), [(4.0, Started), (6.0, CpuDone)]);
    assert_eq!((world.streams.len(), world.tasks[child.i()].is_gone), (world.processes.len(), true));
}

#[test]
fn logical_reads_are_counted_in_proportion_to_work_done() {
    let mut world = empty(1, Scheduler::Cfs);
    let work = run::to_work(ms(10.0));
    let actor = world.actor(0.0, &[Do::Step(Step::Cpu { work, reads: 1000 << 20 }), cpu(50.0)]);
    for (at, expected) in [(4.0, 400.0), (9.0, 900.0), (10.0, 1000.0), (15.0, 1000.0)] {
        world.until(at);
        world.cut();
        assert_eq!(world.accounts.groups[0].logical_reads(), expected, "{at} ms");
    }
    let victim = world.actor(60.0, &[Do::Step(Step::Cpu { work, reads: 1000 << 20 })]);
    world.until(67.0);
    world.kill(victim);
    world.cut();
    assert!(world.tasks[actor.i()].is_gone);
    assert_eq!(world.accounts.groups[0].logical_reads(), 1700.0, "of one that was ended, those that it had done");
}

#[test]
fn who_thinks_for_no_time_begins_anew_all_the_same() {
    let mut world = empty(1, Scheduler::Cfs);
    let queue = world.new_queue(None);
    let actor =
        world.actor(0.0, &[cpu(3.0), sleep(3.0), cpu(4.0), post(queue, 1), wait(On::Items(queue, 1), None), cpu(1.0)]);
    for (at, started) in [(3.5, 3.0), (7.5, 7.0)] {
        world.until(at);
        assert_eq!(world.tasks[actor.i()].started, ms(started));
    }
}

/// One CPU without pre-emption: 1 ms of work, a wait from 1 to 10 ms, then another's work until 25 ms.
#[test]
fn the_database_clocks_a_wait_up_to_the_first_instruction_after_it() {
    let mut world = empty(1, Scheduler::Fifo);
    let event = Activity::LATCH;
    let waits = Do::Step(Step::Wait { event, on: On::Time, until: Some(ms(10.0)) });
    world.actor(0.0, &[cpu(1.0), waits, cpu(1.0)]);
    world.actor(5.0, &[cpu(20.0)]);
    world.until(100.0);
    let group = &world.accounts.groups[0];
    assert_eq!((group.stays[event.i()].count(), group.stays[event.i()].sum()), (1, ms(9.0).0));
    let mut expected = [0; crate::measure::events::COUNT];
    expected[event.i()] = ms(15.0).0;
    assert_eq!(*group.queued, expected, "24 ms by the database's clock");
    let clocked = &group.clocked[event.i()];
    assert_eq!((clocked.count(), clocked.sum(), clocked.max()), (1, ms(24.0).0, ms(24.0)));
}

/// One CPU without pre-emption; waits of 9 ms, 1 to 10 ms in every 30. Another's 20 ms of work begin at 5 and keep
/// those from the CPU until 25, save in two turns of a hundred: 24 ms by the database's clock, and 9.
#[test]
fn percentiles_of_clocked_waits_are_of_what_is_clocked() {
    let mut world = empty(1, Scheduler::Fifo);
    let event = Activity::LATCH;
    let at = |turn: u32, t: f64| f64::from(turn) * 30.0 + t;
    let waits = |t: f64| Do::Step(Step::Wait { event, on: On::Time, until: Some(ms(t)) });
    let turn = |turn: u32| [sleep(at(turn, 1.0)), waits(at(turn, 10.0)), cpu(1.0)];
    world.actor(0.0, &(0..100).flat_map(turn).collect::<Vec<_>>());
    world.actor(0.0, &(2..100).flat_map(|turn| [sleep(at(turn, 5.0)), cpu(20.0)]).collect::<Vec<_>>());
    world.until(5000.0);
    let group = &world.accounts.groups[0];
    let [short, clocked] = [&group.stays[event.i()], &group.clocked[event.i()]];
    assert_eq!((short.count(), short.quantile(0.99), short.max()), (100, 9e6, ms(9.0)));
    let shares = [0.01, 0.5, 0.99].map(|share| clocked.quantile(share));
    assert_eq!((clocked.count(), shares, clocked.max()), (100, [9e6, 24e6, 24e6], ms(24.0)));
}

/// Who has to give way waits in the run queue, too, and that is no part of an earlier wait.
#[test]
fn a_run_queue_after_a_slice_belongs_to_no_wait() {
    let mut world =
        World::new(&one(NodeConfig { cores_per_socket: 1, scheduler: Scheduler::RoundRobin, ..node() }, hogs(0)), 0);
    let event = Activity::LATCH;
    let waits = Do::Step(Step::Wait { event, on: On::Time, until: Some(ms(10.0)) });
    world.actor(0.0, &[waits, cpu(150.0)]);
    world.actor(20.0, &[cpu(200.0)]);
    world.until(1000.0);
    // From 10 to 110 ms the one, to 210 the other, to 260 the one again, then the other.
    let queued = &world.accounts.groups[0].queued;
    assert_eq!((queued[event.i()], queued[Activity::RUNNING.i()]), (0, ms(100.0 + 50.0).0));
    assert_eq!(queued[Activity::OFF.i()], ms(90.0).0, "who came at 20 ms");
    let clocked = world.accounts.groups[0].clocked.iter().map(|of| (of.count(), of.sum()));
    assert_eq!(clocked.filter(|of| of.0 > 0).collect::<Vec<_>>(), [(1, ms(10.0).0)]);
}
