//! How idle threads are dealt out, cause after cause; and both laws where processes are made and ended by others.
use super::steps_tests::*;
use super::*;
use crate::config::{Background, InstanceConfig, NodeConfig, Scheduler};
use crate::measure::ledger::*;
use crate::program::script::Do;
use crate::program::{On, Step};
use crate::testing::{cage, hogs, node, one, ordinary};

/// Both laws since the start, on one host without turbo.
pub(super) fn assert_ledger(world: &mut World, case: &str) {
    world.cut();
    let (whole, v0) = (i128::from(world.now.0), i128::from(world.hosts[0].ledger.full));
    let (mut threads, mut idle) = (world.accounts.hosts[0].undealt as i128, world.accounts.hosts[0].no_work);
    for group in &world.accounts.groups {
        let (book, spans) = (&group.book, &group.book.spans);
        threads += book.on_threads();
        idle += spans[THROTTLED + THREADS..].iter().sum::<u64>();
        let off: u64 = group.time.iter().sum::<u64>() - group.time[Activity::RUNNING.i()] - spans[GONE];
        let all = book.busy[..WAKING].iter().sum::<i128>() + i128::from(off) * v0;
        assert_eq!(all, i128::from(spans[ALIVE]) * v0, "{case}: processes");
    }
    assert_eq!(threads + i128::from(idle) * v0, world.threads.len() as i128 * v0 * whole, "{case}: threads");
}

#[test]
fn each_cause_takes_of_what_the_causes_before_it_leave() {
    // Of 12 threads one idles after another; 2 ready, 1 with an empty slot, 3 behind the limit, 2 and 1 asleep for
    // latches.
    for (idle, expected) in [
        (1, [1, 0, 0, 0, 0, 0]),
        (3, [2, 1, 0, 0, 0, 0]),
        (5, [2, 1, 2, 0, 0, 0]),
        (7, [2, 1, 3, 1, 0, 0]),
        (9, [2, 1, 3, 2, 1, 0]),
        (12, [2, 1, 3, 2, 1, 3]),
    ] {
        let background = Background { processes: 1, busy: ms(1.0), sleep: ms(1.0), kind: ordinary() };
        let host = NodeConfig { cores_per_socket: 12, background, ..node() };
        let mut world = World::new(&one(host, InstanceConfig { cage: Some(cage(2)), ..hogs(1) }), 0);
        (idle..12).for_each(|t| world.hosts[0].set_idle(t, false, Ns::ZERO));
        world.hosts[0].ready = 2;
        world.census[0].ready = 2;
        world.census[0].count(Activity::LATCH, 2);
        world.census[1].count(Activity::LATCH, 1);
        let cage = world.instances[0].cage.as_mut().unwrap();
        assert!(cage.enter(Pid(7), 0) && cage.enter(Pid(8), 0), "two slots");
        (10..14).for_each(|pid| assert!(!cage.enter(Pid(pid), 0)));
        cage.left(0, Ns::ZERO, Ns::ZERO);
        world.now = Ns(5);
        world.tell(0);
        let (of, others) = (&world.accounts.groups[0].book.spans, &world.accounts.groups[1].book.spans);
        let latch = WAITS + Activity::LATCH.i();
        let no_work = world.accounts.hosts[0].no_work;
        let dealt =
            [of[BALANCE], of[CAGE_EMPTY + THREADS], of[CAGE_LIMIT + THREADS], of[latch], others[latch], no_work];
        assert_eq!(dealt, expected.map(|threads| 5 * threads), "{idle} idle");
    }
}

#[test]
fn of_ready_ones_who_are_bound_each_group_may_use_what_idles_of_its_threads() {
    let mut bound = hogs(4);
    bound.session_kind.cpus = Some(crate::config::CpuSet(vec![0, 1]));
    let mut world = World::new(&one(node(), bound), 0);
    world.hosts[0].set_idle(0, false, Ns::ZERO);
    (world.hosts[0].ready, world.census[0].ready) = (2, 2);
    world.now = Ns(1);
    world.tell(0);
    let spans = &world.accounts.groups[0].book.spans;
    assert_eq!((spans[BALANCE], spans[BINDING], world.accounts.hosts[0].no_work), (1, 1, 1));
}

#[test]
fn what_is_owed_is_paid_in_proportion() {
    let node = NodeConfig { switch_direct: Ns(30), switch_refill: Ns(50), migration_refill: Ns(20), ..node() };
    let mut book = Book::default();
    let paid = |book: &mut Book, code: u8, sum| book.busy[SWITCHING + usize::from(code)] += sum;
    paid(&mut book, OWES_SWITCH, 800);
    assert_eq!(book.switching(&node, Ns(100)), [300, 500, 0, 0]);
    paid(&mut book, OWES_SWITCH + OWES_CORE + OWES_POST, 201);
    // Of 200 owed: 30, 50, 20 and 100; rounded down from the front, so that nothing is left over.
    assert_eq!(book.switching(&node, Ns(100)), [300 + 30, 500 + 50, 20, 101]);
    paid(&mut book, OWES_POST_ALONE, 7);
    assert_eq!(book.switching(&node, Ns(100)), [330, 550, 20, 108]);
}

/// Ends by another, and of its own.
#[test]
fn processes_count_from_birth_to_exit_and_polling_is_no_work() {
    for scheduler in [Scheduler::Cfs, Scheduler::ProcessorSharing] {
        let mut world = empty(4, scheduler);
        let queue = world.new_queue(None);
        let polls = world.actor(0.0, &[poll(crate::program::On::Items(queue, 1), 50.0), cpu(1.0)]);
        world.actor(2.0, &[cpu(0.5), post(queue, 1), cpu(0.5), Do::Step(Step::Kill(polls))]);
        world.until(60.0);
        assert_ledger(&mut world, "a poll");
        let group = &world.accounts.groups[0];
        // At 2.5 ms it holds, and 0.5 ms later the poller is ended at work; the other has worked for 1 ms.
        let in_ms = |c: usize| group.book.busy[c] as f64 / f64::from(1 << 20) / 1e6;
        let is_shared = scheduler == Scheduler::ProcessorSharing;
        let (polled, worked) = if is_shared { (50.0, 1.0) } else { (2.5, 1.5) };
        assert_eq!((in_ms(POLLING), in_ms(WORK)), (polled, worked), "{scheduler:?}");
        // Both are there from the start and go at 3 ms; under processor sharing one at the end of its work.
        assert!(world.tasks[polls.i()].is_gone);
        let gone = if is_shared { 50.0 } else { 3.0 };
        let alive = world.accounts.groups[0].book.spans[ALIVE] as f64 / 1e6;
        assert_eq!(alive, 3.0 + gone, "{scheduler:?}");
    }
}

/// Three wait for their commits and one for a block: of two idle threads each gets half of one, of three three
/// quarters; of eight one, and four have no work.
#[test]
fn idle_threads_are_dealt_to_who_waits_by_number_whatever_they_wait_for() {
    let (sync, block) = (Activity::LOG_FILE_SYNC, Activity::BUFFER_BUSY_WAITS);
    for (threads, expected) in [(2, [15.0, 5.0, 0.0]), (3, [22.5, 7.5, 0.0]), (8, [30.0, 10.0, 40.0])] {
        let mut world = empty(threads, Scheduler::Cfs);
        for event in [sync, block, sync, sync] {
            world.actor(0.0, &[Do::Step(Step::Wait { event, on: On::Time, until: Some(Ns::from_ms(10.0)) })]);
        }
        world.until(10.0);
        assert_ledger(&mut world, "waits");
        let of = |event: Activity| world.accounts.groups[0].book.spans[WAITS + event.i()];
        let dealt = [of(sync), of(block), world.accounts.hosts[0].no_work].map(|span| span as f64 / 1e6);
        assert!(dealt.iter().zip(expected).all(|(is, should)| (is - should).abs() < 1e-3), "{threads}: {dealt:?}");
    }
}
