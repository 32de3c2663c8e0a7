//! Calls as they nest: each has the CPU time, the elapsed time and the waits that are its own, and all together have
//! those of their session. Moments by arithmetic, on hosts without costs.
use super::steps_tests::*;
use super::*;
use crate::config::{Ending, NodeConfig, Scheduler};
use crate::measure::statements::{Call, CallSums, Done, Statement};
use crate::program::script::Do;
use crate::program::{On, Program, Step};
use crate::testing::{cage, hogs, node, one};

const EVENT: Activity = Activity::DB_FILE_SEQUENTIAL_READ;

fn begin(statement: Statement, call: Call) -> Do {
    Do::BeginCall(statement, call)
}

fn end(query: u64) -> Do {
    Do::EndCall(Done { query, rows: 1, ..Done::default() })
}

fn reads(until: f64) -> Do {
    Do::Step(Step::Wait { event: EVENT, on: On::Time, until: Some(ms(until)) })
}

/// A host of so many CPUs in order of arrival, and an instance whose sessions end.
fn world(threads: u32, slots: Option<u32>) -> World {
    let host = NodeConfig { cores_per_socket: threads, scheduler: Scheduler::Fifo, ..node() };
    let mut instance = hogs(0);
    instance.cage = slots.map(cage);
    instance.workload.ends = Some(Ending { executions: 1, begins: Ns::ZERO, skew: Ns::ZERO });
    World::new(&one(host, instance), 0)
}

/// A session that ends and does this.
fn session(world: &mut World, todo: &[Do]) -> Pid {
    let pid = world.admit(Program::Script, 0, 0, world.processes.len() as u64);
    world
        .scripts
        .insert(pid, crate::program::script::Script { todo: todo.iter().copied().collect(), ..Default::default() });
    world.start_session(pid, (0, 0), u64::from(pid.0), Ns::ZERO);
    pid
}

/// Number, CPU and elapsed time \[ms\] and gets of the calls of one sort.
fn sums(world: &World, statement: Statement, call: Call) -> (u64, f64, f64, u64) {
    let CallSums { count, cpu, elapsed, done } = world.runs.statements[statement.0 as usize].calls[call as usize];
    (count, Ns(cpu).as_ms(), Ns(elapsed).as_ms(), done.query)
}

/// Number, longest and length of the waits of a statement \[ms\].
fn waits(world: &World, statement: Statement) -> Vec<(Activity, u64, f64, f64)> {
    let own = world.runs.waits.iter().filter(|wait| wait.statement == statement.0 as usize);
    own.map(|wait| (wait.event, wait.times, wait.longest.as_ms(), wait.total.as_ms())).collect()
}

#[test]
fn what_a_recursive_call_takes_is_its_own() {
    let mut world = world(1, None);
    let (outer, inner) = (Statement::BLOCK, Statement::SELECT);
    // 0 to 2 ms; within it 2 to 5, of which a read from 3 to 4; 5 to 9; within it 9 to 10; 10 to 11.
    session(
        &mut world,
        &[
            vec![begin(outer, Call::Execute), cpu(2.0)],
            vec![begin(inner, Call::Execute), cpu(1.0), reads(4.0), cpu(1.0), end(7)],
            vec![cpu(4.0), begin(inner, Call::Fetch), cpu(1.0), end(5), cpu(1.0), end(2)],
        ]
        .concat(),
    );
    world.until(50.0);
    assert_eq!(sums(&world, outer, Call::Execute), (1, 7.0, 7.0, 2));
    assert_eq!(sums(&world, inner, Call::Execute), (1, 2.0, 3.0, 7));
    assert_eq!(sums(&world, inner, Call::Fetch), (1, 1.0, 1.0, 5));
    assert_eq!(waits(&world, inner), [(EVENT, 1, 1.0, 1.0)]);
    assert!(waits(&world, outer).is_empty());
    let depths: Vec<u8> = world.runs.statements.iter().map(|of| of.depth).collect();
    assert_eq!(depths[..2], [0, 1]);
    assert_eq!(world.now, ms(11.0), "the run is over with its session");
}

#[test]
fn waits_are_clocked_to_the_first_instruction_and_the_longest_is_kept() {
    let mut world = world(1, None);
    let select = Statement::SELECT;
    let call = |until: f64| [begin(select, Call::Fetch), cpu(1.0), reads(until), cpu(1.0), end(1)];
    // Waits from 1 to 3, from 5 to 6; another has the only CPU from 2 to 4, so that the first lasts until 4.
    session(&mut world, &[call(3.0), call(7.0)].concat());
    world.actor(2.0, &[cpu(2.0)]);
    world.until(50.0);
    assert_eq!(waits(&world, select), [(EVENT, 2, 3.0, 4.0)]);
    // 0 to 5, and 5 to 8.
    assert_eq!(sums(&world, select, Call::Fetch), (2, 4.0, 8.0, 2));
}

/// From 1 to 3, and the only CPU is another's from 2 to 4: so does a wait whose name is known at its end alone.
#[test]
fn a_wait_that_is_named_late_lasts_to_the_first_instruction_as_well() {
    let mut world = world(1, None);
    let select = Statement::SELECT;
    session(&mut world, &[begin(select, Call::Fetch), cpu(1.0), Do::Late, reads(3.0), cpu(1.0), end(1)]);
    world.actor(2.0, &[cpu(2.0)]);
    world.until(50.0);
    assert_eq!(waits(&world, select), [(EVENT, 1, 3.0, 3.0)]);
}

#[test]
fn a_slot_of_the_cage_is_waited_for_in_the_call_and_cpu_time_outlasts_it() {
    let mut world = world(2, Some(1));
    let (block, select) = (Statement::BLOCK, Statement::SELECT);
    let all =
        [begin(block, Call::Execute), cpu(150.0), begin(select, Call::Fetch), cpu(80.0), end(1), cpu(20.0), end(1)];
    session(&mut world, &all);
    session(&mut world, &all);
    world.until(5000.0);
    let [own, inner] = [sums(&world, block, Call::Execute), sums(&world, select, Call::Fetch)];
    // Two sessions: 170 and 80 ms of CPU each, in quanta of 100, which cut both statements.
    assert!((own.1 - 340.0).abs() < 0.1 && (inner.1 - 160.0).abs() < 0.1, "{own:?} {inner:?}");
    let elapsed: f64 = world.runs.sessions.iter().map(|s| s.ends.map_or(0.0, |end| (end - s.begins).as_ms())).sum();
    let waited: f64 = [block, select].iter().flat_map(|&of| waits(&world, of)).map(|wait| wait.3).sum();
    assert!((own.2 + inner.2 - 500.0 - waited).abs() < 0.2, "what is not CPU is waited for: {waited}");
    // The second is in no call while it waits for its first slot: 100 ms and the tick.
    let (before, stays) = (elapsed - own.2 - inner.2, &world.accounts.groups[0].stays[Activity::CPU_QUANTUM.i()]);
    assert!((100.0..=110.1).contains(&before), "{before}");
    assert!((Ns(stays.sum()).as_ms() - waited - before).abs() < 0.05, "{waited} {before}");
    let count: u64 = [block, select].iter().flat_map(|&of| waits(&world, of)).map(|wait| wait.1).sum();
    assert_eq!(count + 1, stays.count());
}

#[test]
fn who_needs_a_slot_after_a_wait_has_waited_for_both() {
    let mut world = world(2, Some(1));
    let select = Statement::SELECT;
    // Reads from 1 to 10 ms and gives the slot to another, who has it for 50 ms of work.
    session(&mut world, &[begin(select, Call::Fetch), cpu(1.0), reads(10.0), cpu(1.0), end(1)]);
    session(&mut world, &[cpu(50.0)]);
    world.until(500.0);
    let found = waits(&world, select);
    let of = |event| found.iter().find(|wait| wait.0 == event).map(|wait| (wait.1, wait.3.round()));
    assert_eq!(of(EVENT), Some((1, 9.0)), "{found:?}");
    assert_eq!(of(Activity::CPU_QUANTUM).map(|wait| wait.0), Some(1), "{found:?}");
    let (_, cpu, elapsed, _) = sums(&world, select, Call::Fetch);
    let waited: f64 = found.iter().map(|wait| wait.3).sum();
    assert!((elapsed - cpu - waited).abs() < 0.05, "{elapsed} {cpu} {waited}");
}

#[test]
fn a_session_that_is_ended_ends_its_run() {
    let mut world = world(1, None);
    let doomed = session(&mut world, &[cpu(1000.0)]);
    session(&mut world, &[cpu(1.0)]);
    world.actor(5.0, &[Do::Step(Step::Kill(doomed))]);
    let mut other = World::clone(&world);
    other.until(2000.0);
    assert!(other.runs.are_over() && other.now < ms(1100.0), "{:?}", other.now);
}
