//! A wait is counted once, under the name that it has at the first instruction after it; and everything adds up.
use super::ledger_tests::assert_ledger;
use super::steps_tests::*;
use super::*;
use crate::config::Scheduler;
use crate::measure::each::OfProcess;
use crate::measure::events::COUNT;
use crate::program::script::Do;
use crate::program::{On, Step};
use crate::testing::{node, one};

/// What is waited for, as far as is known at first; and what it may turn out to have been.
const FIRST: Activity = Activity::LOG_FILE_SYNC;
const LAST: Activity = Activity::LOG_BUFFER_SPACE;

fn waits(on: On, until: Option<f64>) -> Do {
    Do::Step(Step::Wait { event: FIRST, on, until: until.map(ms) })
}

fn again(until: f64) -> [Do; 2] {
    [Do::Until(ms(until)), Do::Step(Step::Again)]
}

fn named(queue: QueueId, was: Activity) -> Do {
    Do::Step(Step::Put(queue, Item { was: Some(was), ..Item::default() }))
}

/// Number and length of the waits for an event, and the run queue behind them \[ms\].
fn counted(world: &World, event: Activity) -> (u64, f64, f64) {
    let group = &world.accounts.groups[0];
    let stays = &group.stays[event.i()];
    (stays.count(), Ns(stays.sum()).as_ms(), Ns(group.queued[event.i()]).as_ms())
}

fn spent(world: &World, event: Activity) -> f64 {
    Ns(world.accounts.groups[0].time[event.i()]).as_ms()
}

/// All processes of the group together say what it says, and its time is that of all since the start.
fn assert_adds_up(world: &mut World, case: &str) {
    assert_ledger(world, case);
    let group = &world.accounts.groups[0];
    let whole = world.now.0 * world.processes.len() as u64;
    assert_eq!(group.time.iter().sum::<u64>(), whole, "{case}");
    let queued: u64 = group.queued.iter().sum();
    assert_eq!(queued, group.time[Activity::RUN_QUEUE.i()], "{case}: every run queue comes after something");
    let of = OfProcess::all_of(group);
    for event in [FIRST, LAST] {
        assert_eq!(of.stayed[event.i()], group.stays[event.i()].sum(), "{case}");
        let (both, clocked) = (of.stayed[event.i()] + of.queued[event.i()], &group.clocked[event.i()]);
        assert_eq!((clocked.count(), clocked.sum()), (of.stays[event.i()], both), "{case}");
    }
}

/// One CPU without pre-emption: a wait from 1 to 10 ms, ended by a post that says what it was; another works until 30.
#[test]
fn who_ends_a_wait_says_what_it_was() {
    for is_late in [false, true] {
        let mut world = empty(1, Scheduler::Fifo);
        let queue = world.new_queue(None);
        let late = if is_late { vec![Do::Late] } else { Vec::new() };
        world.actor(0.0, &[vec![cpu(1.0)], late, vec![waits(On::Items(queue, 1), None), cpu(1.0)]].concat());
        world.actor(10.0, &[named(queue, LAST), cpu(20.0)]);
        world.until(9.0);
        assert_eq!(counted(&world, FIRST).0, 0);
        world.until(100.0);
        assert_eq!(counted(&world, FIRST), (0, 0.0, 0.0), "{is_late}");
        assert_eq!(counted(&world, LAST), (1, 9.0, 20.0), "{is_late}");
        assert_eq!(spent(&world, FIRST) + spent(&world, LAST), 9.0);
        assert_adds_up(&mut world, "named");
    }
}

/// The same, cut at 4 ms: what was booked then stays where it was, and the wait is counted once.
#[test]
fn a_cut_takes_nothing_from_a_wait_that_gets_its_name_later() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    world.actor(0.0, &[cpu(1.0), waits(On::Items(queue, 1), None), cpu(1.0)]);
    world.actor(10.0, &[named(queue, LAST), cpu(20.0)]);
    world.until(4.0);
    world.cut();
    let early = world.accounts.clone();
    world.until(100.0);
    assert_eq!((spent(&world, FIRST), spent(&world, LAST)), (3.0, 6.0));
    let group = &world.accounts.since(&early).groups[0];
    let stays = &group.stays[LAST.i()];
    assert_eq!((stays.count(), stays.sum(), group.stays[FIRST.i()].count()), (1, ms(9.0).0, 0));
    assert_adds_up(&mut world, "cut");
}

/// Awake at 10 ms, on the CPU at 30: its own first instruction says what it was, run queue included.
#[test]
fn a_process_names_its_wait_before_its_first_instruction() {
    let mut world = empty(1, Scheduler::Fifo);
    let sleep = waits(On::Time, Some(10.0));
    world.actor(0.0, &[cpu(1.0), Do::Late, sleep, Do::Rename(LAST), cpu(1.0), Do::Rename(FIRST), cpu(1.0)]);
    world.actor(5.0, &[cpu(25.0)]);
    world.until(20.0);
    assert_eq!((counted(&world, FIRST).0, counted(&world, LAST).0), (0, 0), "its second end has not come");
    assert_eq!(spent(&world, FIRST), 9.0, "and the first is past");
    world.until(100.0);
    assert_eq!(counted(&world, LAST), (1, 9.0, 20.0));
    assert_eq!(counted(&world, FIRST), (0, 0.0, 0.0), "later is too late");
    assert_adds_up(&mut world, "renamed");
}

#[test]
fn a_wait_that_is_counted_at_once_keeps_its_name() {
    let mut world = empty(1, Scheduler::Fifo);
    world.actor(0.0, &[waits(On::Time, Some(10.0)), Do::Rename(LAST), cpu(1.0)]);
    world.until(100.0);
    assert_eq!((counted(&world, FIRST), counted(&world, LAST).0), ((1, 10.0, 0.0), 0));
    assert_adds_up(&mut world, "at once");
}

/// Sleeps from 1 to 10, 10 to 20 and 20 to 25 ms, with 2 ms of another's work before the third: one wait.
#[test]
fn sleeps_that_follow_one_another_are_one_wait() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    let first = [cpu(1.0), Do::Late, waits(On::Items(queue, 1), Some(10.0))];
    let then = [Do::Take(queue), cpu(1.0), waits(On::Time, Some(40.0)), cpu(1.0)];
    let waiter = world.actor(0.0, &[&first[..], &again(20.0), &again(90.0), &then].concat());
    world.actor(19.0, &[cpu(3.0)]);
    world.actor(25.0, &[post(queue, 7), cpu(2.0)]);
    world.until(22.5);
    assert_eq!(counted(&world, FIRST).0, 0);
    world.until(100.0);
    let moments: Vec<f64> = world.told(waiter).iter().map(|told| told.0).collect();
    assert_eq!(moments, [0.0, 1.0, 10.0, 22.0, 27.0, 28.0, 40.0, 41.0]);
    // 9 + 10 + 3 ms asleep and 2 + 2 in the run queue; then a wait of its own, counted at once: 12 ms.
    assert_eq!(counted(&world, FIRST), (2, 34.0, 4.0));
    assert_adds_up(&mut world, "sleeps");
}

/// A wait that is over before it begins is none, and the next one is counted as usual.
#[test]
fn nothing_is_left_of_a_wait_that_never_began() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    let over = [cpu(2.0), Do::Late, waits(On::Time, Some(1.0)), Do::Rename(LAST)];
    world.actor(0.0, &[&over[..], &[waits(On::Items(queue, 1), Some(5.0)), cpu(1.0)]].concat());
    world.until(100.0);
    assert_eq!((counted(&world, FIRST), counted(&world, LAST).0), ((1, 3.0, 0.0), 0));
    assert_adds_up(&mut world, "over");
}

/// Asleep, ready, and between two sleeps.
#[test]
fn who_is_ended_in_a_wait_has_waited_once() {
    for (killed, slept) in [(5.0, 4.0), (12.0, 9.0), (18.0, 11.0)] {
        let mut world = empty(1, Scheduler::Fifo);
        let queue = world.new_queue(None);
        let first = [cpu(1.0), Do::Late, waits(On::Items(queue, 1), Some(10.0))];
        let victim = world.actor(0.0, &[&first[..], &again(30.0), &[cpu(1.0)]].concat());
        world.actor(9.0, &[cpu(7.0)]);
        world.until(killed);
        world.kill(victim);
        world.until(100.0);
        assert!(world.tasks[victim.i()].is_gone);
        assert_eq!((counted(&world, FIRST).0, counted(&world, FIRST).1), (1, slept), "at {killed} ms");
        assert_adds_up(&mut world, "killed");
    }
}

/// Time in an idle event is no part of a transaction: a name takes no wait over that line.
#[test]
fn an_idle_wait_stays_idle() {
    let mut world = empty(1, Scheduler::Fifo);
    let queue = world.new_queue(None);
    world.actor(0.0, &[wait(On::Items(queue, 1), None), cpu(1.0)]);
    world.actor(5.0, &[named(queue, LAST), cpu(1.0)]);
    world.actor(7.0, &[Do::Late, waits(On::Time, Some(9.0)), Do::Rename(Activity::OFF), cpu(1.0)]);
    world.until(100.0);
    assert_eq!((counted(&world, FIRST), counted(&world, LAST).0), ((1, 2.0, 0.0), 0));
    assert_adds_up(&mut world, "idle");
}

/// Behind a cage the wait ends where the wait for a slot begins; under processor sharing there is no run queue.
#[test]
fn cages_and_shared_threads_count_it_once() {
    let mut world = caged(1);
    world.actor(0.0, &[cpu(1.0), Do::Late, waits(On::Time, Some(10.0)), Do::Rename(LAST), cpu(1.0)]);
    world.actor(5.0, &[cpu(20.0)]);
    world.until(200.0);
    let (number, slept, queued) = counted(&world, LAST);
    assert_eq!((number, slept, queued, counted(&world, FIRST).0), (1, 9.0, 0.0, 0));
    assert!(counted(&world, Activity::CPU_QUANTUM).1 >= 15.0);
    assert_adds_up(&mut world, "cage");
    let host = crate::config::NodeConfig { cores_per_socket: 1, scheduler: Scheduler::ProcessorSharing, ..node() };
    let mut world = World::new(&one(host, crate::testing::hogs(0)), 0);
    let first = [cpu(1.0), Do::Late, waits(On::Time, Some(10.0))];
    world.actor(0.0, &[&first[..], &again(12.0), &[Do::Rename(LAST), cpu(1.0)]].concat());
    world.until(100.0);
    assert_eq!((counted(&world, LAST), counted(&world, FIRST).0), ((1, 11.0, 0.0), 0));
    assert_adds_up(&mut world, "shared");
}

#[test]
fn a_recording_and_single_processes_know_it_too() {
    let mut world = empty(1, Scheduler::Fifo);
    world.recorder = Some(Recorder::new(16, Ns::ZERO));
    let queue = world.new_queue(None);
    let actor = world.actor(0.0, &[cpu(1.0), Do::Late, waits(On::Items(queue, 1), None), cpu(1.0)]);
    world.processes[actor.i()].told = world.accounts.each.admit(true);
    world.actor(10.0, &[named(queue, LAST), cpu(20.0)]);
    world.until(100.0);
    let own = world.accounts.each.of(world.processes[actor.i()].told).copied().unwrap_or_default();
    let mut expected = [0; COUNT];
    expected[LAST.i()] = 1;
    assert_eq!(own.stays[FIRST.i()..=LAST.i()], expected[FIRST.i()..=LAST.i()]);
    let recorded = world.recorder.iter().flat_map(|r| r.stays()).filter(|s| s.pid == actor && s.activity == LAST);
    assert_eq!(recorded.map(|s| (s.start, s.end)).collect::<Vec<_>>(), [(ms(1.0), ms(10.0))]);
    assert_eq!((own.stayed[LAST.i()], own.time[LAST.i()], own.queued[LAST.i()]), (ms(9.0).0, ms(9.0).0, ms(20.0).0));
}
