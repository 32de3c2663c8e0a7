//! A SELECT that a block executes again and again: its CPU, gets and calls are what it was given, to the nanosecond.
use wwi_kernel::time::Ns;
use wwi_model::config::{
    Arrivals, Config, DemandShape, Ending, InstanceConfig, NodeConfig, Path, Scheduler, SelectConfig,
};
use wwi_model::experiment::Goal;
use wwi_model::report::statements::StatementRow;
use wwi_model::report::Report;
use wwi_model::testing::{cage, finish, goal, hogs, node, one};
use wwi_model::world::World;

const GOAL: Goal = goal(0.01, 10_000_000);

/// 5 µs of the block, 16.4 of execute, 17.9 of fetch, three gets.
const SELECT: SelectConfig = SelectConfig {
    caller: Ns(5_000),
    execute: Ns(16_400),
    fetch: Ns(17_900),
    gets: 3,
    path: Path { table: 1, rows: 1, index: 2 },
};

fn sessions(count: u32, executions: Option<u32>) -> InstanceConfig {
    let mut instance = hogs(count);
    let workload = &mut instance.workload;
    workload.arrivals = Arrivals::Closed { sessions: count, think: Ns::ZERO, start_spread: Ns::ZERO };
    (workload.demand.mean, workload.demand.shape) = (Ns(39_300), DemandShape::Constant);
    workload.lio_per_transaction = 3.0;
    workload.select = Some(SELECT);
    workload.ends = executions.map(|executions| Ending { executions, begins: Ns::ZERO, skew: Ns::ZERO });
    instance
}

fn host(threads: u32) -> NodeConfig {
    NodeConfig {
        cores_per_socket: threads,
        scheduler: Scheduler::RoundRobin,
        round_robin_quantum: Ns::from_ms(1.0),
        ..node()
    }
}

fn report(config: &Config) -> Report {
    finish(config, GOAL)
}

fn named<'a>(report: &'a Report, name: &str) -> &'a StatementRow {
    report.statements.iter().find(|row| row.statement == name).expect("it was executed")
}

/// Number, CPU and elapsed time \[ms\], gets and rows.
fn call(row: &StatementRow, name: &str) -> (f64, f64, f64, f64, f64) {
    let call = row.calls.iter().find(|call| call.call == name).expect("a call");
    (call.count, (call.cpu_s * 1e9).round() / 1e6, (call.elapsed_s * 1e9).round() / 1e6, call.query, call.rows)
}

#[test]
fn alone_a_session_takes_what_its_calls_take() {
    let found = report(&one(host(1), sessions(1, Some(1000))));
    let (block, select) = (named(&found, "block"), named(&found, "select"));
    assert_eq!((block.depth, select.depth), (0, 1));
    assert_eq!(call(block, "Execute"), (1.0, 5.0, 5.0, 0.0, 1.0));
    assert_eq!(call(select, "Parse"), (1.0, 0.0, 0.0, 0.0, 0.0));
    assert_eq!(call(select, "Execute"), (1000.0, 16.4, 16.4, 0.0, 0.0));
    assert_eq!(call(select, "Fetch"), (1000.0, 17.9, 17.9, 3000.0, 1000.0));
    assert!(select.waits.is_empty());
    let row = &found.ended[0];
    assert_eq!((row.elapsed_s.mean, row.cpu_s.mean, row.reads.mean), (0.0393, 0.0393, 3000.0));
    let response = &found.response;
    assert_eq!(response.count, 3000, "a transaction is an execution");
    assert!((response.mean_ms.mean - 0.0393).abs() < 1e-12);
}

#[test]
fn what_all_calls_take_is_what_their_session_takes_where_many_share_a_host_and_a_cage() {
    for slots in [None, Some(1)] {
        let mut instance = sessions(5, Some(4000));
        instance.cage = slots.map(cage);
        instance.workload.demand.shape = DemandShape::Exponential;
        let found = report(&one(host(2), instance));
        let of = |of: fn(&wwi_model::report::statements::CallRow) -> f64| -> f64 {
            found.statements.iter().flat_map(|row| &row.calls).map(of).sum()
        };
        let row = &found.ended[0];
        let (cpu, elapsed) = (of(|call| call.cpu_s), of(|call| call.elapsed_s));
        assert!((cpu - row.cpu_s.mean).abs() < 1e-9, "{slots:?}: {cpu} of {}", row.cpu_s.mean);
        // Before its first instruction a session is in no call: with two CPUs and turns of a millisecond two of five
        // have to wait for one turn, and one for two.
        let before = row.elapsed_s.mean - elapsed;
        assert_eq!((of(|call| call.query), row.reads.mean), (12_000.0, 12_000.0), "gets are the path's");
        let waited: f64 = found.statements.iter().flat_map(|row| &row.waits).map(|wait| wait.total_s).sum();
        let quantum: f64 = found.waits.iter().map(|row| row.duration.total_s).sum();
        let quantum_each = quantum / 5.0 / f64::from(found.replications);
        match slots {
            None => assert!(quantum == 0.0 && (before - 0.0008).abs() < 1e-9, "{before}"),
            Some(_) => assert!(waited > 0.0 && (quantum_each - waited - before).abs() < 1e-9, "{before} {waited}"),
        }
    }
}

#[test]
fn a_steady_run_has_the_same_executions_and_no_trace() {
    let found = report(&one(host(1), sessions(1, None)));
    assert!(found.statements.is_empty() && found.ended.is_empty());
    assert!((found.transactions_per_s.mean * 39.3e-6 - 1.0).abs() < 1e-3, "{}", found.transactions_per_s.mean);
    assert!((found.lio_per_s.mean / found.transactions_per_s.mean - 3.0).abs() < 1e-3);
}

/// Sessions that start within some time start within an execution of 39.3 µs, at a random moment of it, though all
/// come within a nanosecond: so by the end of one and a half of it half of 64 have had a whole one, four more or less.
#[test]
fn sessions_start_within_an_execution() {
    let mut instance = sessions(64, None);
    instance.workload.arrivals = Arrivals::Closed { sessions: 64, think: Ns::ZERO, start_spread: Ns(1) };
    let mut world = World::new(&one(host(64), instance), 0);
    world.run(Ns(39_300 * 3 / 2), u64::MAX);
    let ended = world.accounts.groups[0].transactions;
    assert!((16..=48).contains(&ended), "{ended} of 64");
}
