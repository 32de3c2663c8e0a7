//! A process can be ended in every state, and leaves nothing behind.
use super::steps_tests::*;
use super::*;
use crate::config::{LatchConfig, NodeConfig, Scheduler};
use crate::meet::lock::Mode;
use crate::program::script::Do;
use crate::program::{On, Step};
use crate::testing::{hogs as hogs_of, node, one};
use Resume::*;

/// What a victim does until 5 ms, and what it is doing then.
fn victims(queue: QueueId, lock_: crate::meet::lock::LockId) -> Vec<(&'static str, Vec<Do>, Activity)> {
    let taken = lock(lock_, None);
    vec![
        ("running, with a lock", vec![taken, cpu(50.0)], Activity::RUNNING),
        ("asleep, with a lock", vec![taken, sleep(60.0)], Activity::OFF),
        ("waiting for an item, with a lock", vec![taken, wait(On::Items(queue, 1), Some(60.0))], Activity::OFF),
        ("in a transaction", vec![taken, Do::Begin(ms(0.0)), cpu(50.0)], Activity::RUNNING),
        ("polling, with a lock", vec![taken, poll(On::Items(queue, 1), 50.0)], Activity::RUNNING),
        ("not born yet", vec![], Activity::OFF),
    ]
}

/// Sums that must add up whatever was ended: threads, processes, work asked for and done, transactions.
fn assert_conserved(world: &mut World, case: &str) {
    super::ledger_tests::assert_ledger(world, case);
    let whole = world.now.0;
    for (number, thread) in world.accounts.threads.iter().enumerate() {
        assert_eq!(thread.0 + thread.1, whole, "{case}: thread {number}");
    }
    let group = &world.accounts.groups[0];
    let time: u64 = group.time.iter().sum();
    assert_eq!(time, whole * world.processes.len() as u64, "{case}: all are there from the start, born or not");
    let busy: u64 = world.accounts.threads.iter().map(|t| t.0).sum();
    assert_eq!(group.time[Activity::RUNNING.i()], busy, "{case}");
    let asked = group.asked as i128 + group.open_work;
    assert_eq!(group.work as i128, asked, "{case}: work done is work asked for");
}

#[test]
fn in_each_state_it_leaves_no_lock_line_or_timer_behind() {
    for number in 0..6 {
        let mut world = empty(2, Scheduler::Cfs);
        let (queue, lock_) = (world.new_queue(None), world.locks.create());
        let (case, todo, doing) = victims(queue, lock_).swap_remove(number);
        let start = if todo.is_empty() { 40.0 } else { 0.0 };
        let victim = world.actor(start, &todo);
        let next = world.actor(1.0, &[lock(lock_, None), sleep(1.0)]);
        let line = world.actor(2.0, &[wait(On::Items(queue, 1), None), Do::Take(queue)]);
        world.actor(5.0, &[Do::Step(Step::Kill(victim)), Do::Step(Step::Kill(victim)), post(queue, 9)]);
        world.until(4.9);
        assert_eq!(world.processes[victim.i()].activity, doing, "{case}");
        world.until(100.0);
        let steps = world.told(victim).len();
        assert!(steps <= todo.len() && world.tasks[victim.i()].is_gone, "{case}: {:?}", world.told(victim));
        let got = if todo.is_empty() { 1.0 } else { 5.0 };
        assert_eq!(world.told(next)[1], (got, Met), "{case}: its lock is free");
        assert_eq!(world.scripts[&line].taken, [9], "{case}: it stands in no line");
        assert_eq!(world.locks.held(lock_, world.owner(victim)), Mode::Null);
        assert_conserved(&mut world, case);
    }
}

/// A process takes a lock, hands it to its instance and is ended. Who wants it waits on, and the instance hears of it,
/// until another of its processes gives it up.
#[test]
fn what_an_instance_holds_outlives_its_processes() {
    let mut world = empty(2, Scheduler::Cfs);
    let (queue, lock_) = (world.new_queue(None), world.locks.create());
    world.tell_instance_wanted(0, queue);
    let victim = world.actor(0.0, &[lock(lock_, None), Do::HandOver(lock_), cpu(50.0)]);
    let next = world.actor(3.0, &[lock(lock_, None), cpu(1.0)]);
    let server = [wait(On::Items(queue, 1), None), Do::Take(queue), sleep(9.0), unlock(lock_)];
    let server = world.actor(0.0, &server);
    world.until(2.0);
    world.kill(victim);
    world.until(8.0);
    assert!(world.tasks[victim.i()].is_gone);
    assert_eq!(world.locks.held(lock_, crate::meet::lock::Owner(0)), Mode::Exclusive);
    assert_eq!((world.told(next).len(), &world.scripts[&server].taken), (1, &vec![lock_.0]), "told while it waits");
    world.until(100.0);
    assert_eq!(world.told(next), [(3.0, Started), (9.0, Met), (10.0, CpuDone)]);
    assert_eq!(world.told(server).last(), Some(&(9.0, GoOn)));
    assert_eq!(world.locks.held(lock_, crate::meet::lock::Owner(0)), Mode::Null);
    assert_conserved(&mut world, "instance");
}

#[test]
fn one_that_is_ready_ends_when_it_gets_a_thread() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    let killer = world.actor(0.0, &[cpu(3.0), Do::Step(Step::Kill(Pid(1))), cpu(4.0)]);
    let victim = world.actor(1.0, &[cpu(5.0), post(queue, 1)]);
    let last = world.actor(2.0, &[cpu(1.0)]);
    world.until(3.5);
    assert_eq!(world.processes[victim.i()].activity, Activity::RUN_QUEUE);
    world.until(20.0);
    assert_eq!(world.told(killer).last(), Some(&(7.0, CpuDone)));
    assert_eq!(world.told(victim), [], "it never took a step");
    assert_eq!(world.told(last), [(7.0, Started), (8.0, CpuDone)], "and took no time");
    assert!(world.tasks[victim.i()].is_gone && world.queues[queue.i()].is_empty());
    assert_conserved(&mut world, "ready");
}

#[test]
fn what_one_was_woken_for_is_the_next_one_s_if_it_ends_before_it_takes_it() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    let first = world.actor(0.0, &[wait(On::Items(queue, 1), None), Do::Take(queue), cpu(1.0)]);
    let second = world.actor(0.0, &[wait(On::Items(queue, 1), None), Do::Take(queue), cpu(1.0)]);
    world.actor(1.0, &[post(queue, 8), Do::Step(Step::Kill(first)), cpu(2.0)]);
    world.until(20.0);
    assert_eq!(world.told(first), [(0.0, Started)]);
    assert_eq!(
        (world.told(second), &world.scripts[&second].taken),
        (vec![(0.0, Started), (3.0, Met), (4.0, CpuDone)], &vec![8])
    );
}

#[test]
fn one_that_ends_itself_goes_no_further() {
    let mut world = empty(1, Scheduler::Cfs);
    let own = Pid(0);
    let actor = world.actor(0.0, &[cpu(1.0), Do::Step(Step::Kill(own)), cpu(1.0)]);
    world.until(10.0);
    assert_eq!(world.told(actor), [(0.0, Started), (1.0, CpuDone)]);
    assert_conserved(&mut world, "itself");
}

#[test]
fn slots_and_places_before_a_cage_are_free_again() {
    for is_holder in [true, false] {
        let mut world = caged(1);
        let (holder, waiter) = (Pid(0), Pid(1));
        world.actor(0.0, &[cpu(30.0)]);
        world.actor(1.0, &[cpu(1.0)]);
        let third = world.actor(2.0, &[cpu(1.0)]);
        let victim = if is_holder { holder } else { waiter };
        let killer = world.actor(5.0, &[Do::Step(Step::Kill(victim))]);
        world.processes[killer.i()].is_caged = false;
        world.until(4.0);
        assert_eq!(world.processes[waiter.i()].activity, Activity::CPU_QUANTUM);
        world.until(200.0);
        let started = world.told(third)[0].0;
        // A slot given up is taken at once, with 0.01 ms for the post before the first work; a waiting session's place
        // is gone.
        let expected = if is_holder { 6.01 } else { 30.0 };
        assert!((started - expected).abs() < 0.02, "{is_holder}: {started}");
        assert_conserved(&mut world, "cage");
        let (_, held, _) = world.instances[0].cage.as_mut().map_or((0, 1, 0), |c| c.account(ms(201.0)));
        assert_eq!(held, 0, "nobody holds a slot");
    }
}

#[test]
fn a_latch_of_one_that_is_gone_wakes_its_sleepers() {
    let latch = LatchConfig { held_share: 1.0, request_per_s: 1e6, spin: Ns::from_us(10.0) };
    let instance = crate::config::InstanceConfig { latch, ..hogs_of(0) };
    let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::RoundRobin, ..node() };
    let mut world = World::new(&one(host, instance), 0);
    // The first loses the CPU after 100 ms with a latch in hand; the second asks for it within microseconds, spins for
    // 10 and sleeps; the third does the same, and meanwhile the first is ended.
    let hogs: Vec<Pid> = (0..3).map(|_| world.actor(0.0, &[cpu(500.0)])).collect();
    world.until(100.0155);
    let doing = |world: &World| hogs.iter().map(|p| world.processes[p.i()].activity).collect::<Vec<_>>();
    assert_eq!(doing(&world), [Activity::RUN_QUEUE, Activity::LATCH, Activity::RUNNING]);
    assert!(world.processes[hogs[0].i()].holds_latch);
    world.kill(hogs[0]);
    world.until(2000.0);
    assert_eq!(world.held_latches, 0);
    assert!(hogs.iter().all(|p| world.tasks[p.i()].is_gone));
    assert_eq!((world.told(hogs[0]).len(), world.told(hogs[1]).len()), (1, 2), "the others end their work");
    // And one that sleeps for a latch.
    let instance = crate::config::InstanceConfig { latch, ..hogs_of(0) };
    let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::RoundRobin, ..node() };
    let mut world = World::new(&one(host, instance), 0);
    let hogs: Vec<Pid> = (0..3).map(|_| world.actor(0.0, &[cpu(500.0)])).collect();
    world.until(100.0155);
    world.kill(hogs[1]);
    world.until(2000.0);
    assert_eq!(world.told(hogs[1]).len(), 1, "it is not woken");
    assert_eq!((world.held_latches, world.told(hogs[0]).len(), world.told(hogs[2]).len()), (0, 2, 2));
    assert_conserved(&mut world, "sleeper");
}

#[test]
fn whatever_processes_do_to_one_another_everything_adds_up() {
    for seed in 0..200 {
        let mut draw = Stream::new(seed, 0, "test", 0, "scripts");
        let threads = 1 + draw.below(3) as u32;
        let scheduler = [Scheduler::Cfs, Scheduler::Fifo, Scheduler::RoundRobin, Scheduler::O1][draw.below(4) as usize];
        let mut world = empty(threads, scheduler);
        let queues = [world.new_queue(None), world.new_queue(Some(2))];
        let locks = [world.locks.create(), world.locks.create()];
        let actors = 2 + draw.below(6) as u32;
        for _ in 0..actors {
            let todo: Vec<Do> = (0..draw.below(20)).map(|_| any(&mut draw, &queues, &locks, actors)).collect();
            let start = draw.below(20) as f64 / 2.0;
            world.actor(start, &todo);
        }
        world.until(300.0);
        let case = format!("seed {seed}");
        for pid in (0..actors).map(Pid) {
            let moments: Vec<Ns> = world.scripts[&pid].log.iter().map(|told| told.0).collect();
            assert!(moments.is_sorted(), "{case}: {moments:?}");
            let done = world.scripts[&pid].at == world.scripts[&pid].todo.len();
            let process = &world.processes[pid.i()];
            let waits = process.activity == Activity::OFF;
            assert!(
                waits && (done || world.tasks[pid.i()].is_gone || world.tasks[pid.i()].wait.is_some()),
                "{case} {pid:?}"
            );
        }
        for queue in &mut world.queues {
            let len = queue.len() as u64;
            let sums = queue.sums(ms(300.0));
            assert_eq!(sums.puts, sums.takes + len, "{case}");
        }
        assert_conserved(&mut world, &case);
    }
}

fn any(draw: &mut Stream, queues: &[QueueId; 2], locks: &[crate::meet::lock::LockId; 2], actors: u32) -> Do {
    let (queue, lock_) = (queues[draw.below(2) as usize], locks[draw.below(2) as usize]);
    let until = Some(draw.below(100) as f64);
    match draw.below(16) {
        0..3 => cpu(0.1 + draw.below(50) as f64 / 10.0),
        3 | 4 => post(queue, 1),
        5 => wait(On::Items(queue, 1 + draw.below(2) as u32), until),
        6 => Do::Take(queue),
        7 => wait(On::Room(queue), until),
        8 => lock(lock_, until),
        9 => unlock(lock_),
        10 => sleep(draw.below(60) as f64),
        11 => Do::Late,
        12 => Do::Step(Step::Wait { event: Activity::LOG_FILE_SYNC, on: On::Items(queue, 1), until: until.map(ms) }),
        13 => Do::Rename(Activity::LOG_BUFFER_SPACE),
        14 if draw.below(2) == 0 => Do::Step(Step::Again),
        14 => Do::Step(Step::Put(queue, Item { was: Some(Activity::RDBMS_IPC_REPLY), ..Item::default() })),
        _ if draw.below(4) == 0 => Do::Step(Step::Kill(Pid(draw.below(u64::from(actors)) as u32))),
        _ => Do::Begin(ms(0.0)),
    }
}

/// 100 gets with each millisecond of work. The other works for 50 ms, and whatever else the only CPU has done is the
/// victim's.
#[test]
fn of_one_that_is_ended_while_it_is_ready_those_gets_count_that_it_had_done() {
    let mut world = empty(1, Scheduler::Cfs);
    let work = run::to_work(ms(40.0));
    let victim = world.actor(0.0, &[Do::Step(Step::Cpu { work, reads: 4000 << 20 })]);
    world.actor(0.0, &[cpu(50.0)]);
    let is_ready = |world: &World| world.processes[victim.i()].activity == Activity::RUN_QUEUE;
    (20..40).find(|&at| {
        world.until(f64::from(at));
        is_ready(&world)
    });
    assert!(is_ready(&world));
    world.kill(victim);
    world.until(200.0);
    world.cut();
    let group = &world.accounts.groups[0];
    let own = Ns(group.time[Activity::RUNNING.i()]).as_ms() - 50.0;
    assert!(own > 1.0 && (group.logical_reads() - 100.0 * own).abs() < 0.01, "{own} ms, {}", group.logical_reads());
}
