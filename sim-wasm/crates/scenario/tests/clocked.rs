//! Waits as V$SYSTEM_EVENT has them: a wait is counted once, with all of its time, under the name that is known at its
//! end.
use wwi_model::experiment::Experiment;
use wwi_model::report::facts::{Fact, Key, Sink};
use wwi_model::report::{Report, WaitRow};
use wwi_model::testing::{done, goal, lawful};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

/// Eight CPUs an instance and few sessions: nobody waits for a CPU.
const HOST: &str = "your-host?workload=oltp&sockets=1&cores_per_socket=8&threads_per_core=1&latch_hold_us=0\
    &physical_reads_per_transaction=0&hot_change_percent=100&lio_per_transaction=40&lio_us=10&sessions=4\
    &resource_manager_plan=none";

fn run(query: &str) -> Report {
    run_with_rows(query).0
}

#[derive(Default)]
struct Rows(Vec<(Key, Fact)>);

impl Sink for Rows {
    fn fact(&mut self, key: Key, fact: Fact) {
        self.0.push((key, fact));
    }
}

fn run_with_rows(query: &str) -> (Report, Rows) {
    let query = format!("{HOST}&{query}");
    let config = to_config(&decode(&query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    let experiment = done(Experiment::new(&config, goal(0.05, 4_000_000)));
    let mut rows = Rows::default();
    experiment.visit(&mut rows);
    (lawful(&config, &experiment), rows)
}

/// Number of waits, their mean \[ms\] and sessions in them, as the database clocks them.
fn wait(report: &Report, event: &str) -> (u64, f64, f64) {
    let own = |row: &&WaitRow| row.process_kind == "session" && row.event == event;
    let found = report.waits.iter().find(own);
    found.map_or((0, 0.0, 0.0), |row| (row.duration.count, row.clocked.mean_ms.mean, row.clocked_aas.mean))
}

/// Two blocks in a hundred get lost and are asked for again after half a second: that is one wait of `gc cr block
/// lost`, as a trace shows it (`nam='gc cr block lost' ela= 520692`), and none of the request.
#[test]
fn a_block_that_got_lost_is_one_wait_of_half_a_second_and_what_it_took_to_come() {
    let report = run("think_time_ms=20&interconnect=1GbE&cluster_nodes=2&lost_block_percent=2");
    for (request, lost) in [("gc cr request", "gc cr block lost"), ("gc current request", "gc current block lost")] {
        assert_eq!(wait(&report, request).0, 0, "{request} is no name of a wait that is over");
        let (count, ms, _) = wait(&report, lost);
        // One in fifty of them gets lost again.
        assert!(count > 20 && ms > 500.2 && ms < 500.0 / 0.96 + 10.0, "{lost}: {count} of {ms} ms");
    }
}

/// One block in five waits 300 ms for its redo, in which nobody knows yet what is waited for. All is told under
/// the names that waits have in the end.
#[test]
fn time_in_waits_for_blocks_is_under_the_names_that_they_have_in_the_end() {
    let (report, facts) = run_with_rows(
        "think_time_ms=20&interconnect=1GbE&cluster_nodes=2&gc_log_flush=given&gc_log_flush_ms=300\
            &gc_log_flush_percent=20&gc_log_flush_current_percent=20",
    );
    let time_in = |event: &str| {
        let own = |(key, _): &&(Key, Fact)| {
            let of_all = Key { metric: "time", kind: Some("session"), event: key.event, ..Key::default() };
            *key == of_all && key.event == Some(event)
        };
        facts.0.iter().find(own).map_or(0.0, |(_, fact)| fact.active.mean)
    };
    let of = |row: &&WaitRow| row.process_kind == "session" && row.class == "Cluster" && row.duration.count > 500;
    let mut rows = 0;
    for row in report.waits.iter().filter(of) {
        let (count, ms, active) = wait(&report, row.event);
        let expected = count as f64 * ms / 1e3 / report.simulated_s;
        // A few are under way at either end.
        assert!((active / expected - 1.0).abs() < 0.1, "{}: {active} sessions for {expected}", row.event);
        // Nobody waits for a thread: to the wake-up it is as much.
        let to_wake_up = row.aas.mean;
        assert!((to_wake_up / active - 1.0).abs() < 0.01, "{}: {to_wake_up} and {active}", row.event);
        let told = time_in(row.event);
        assert!((told / active - 1.0).abs() < 0.01, "{}: {told} in rows and {active}", row.event);
        rows += 1;
    }
    assert!(rows >= 3, "{rows} events");
    for [request, busy] in [["gc cr request", "gc cr block busy"], ["gc current request", "gc current block busy"]] {
        let [early, named] = [request, busy].map(|event| wait(&report, event).2);
        assert!(named > 0.5 && early < 0.1 * named, "{early} sessions in {request}, {named} in {busy}");
    }
}

/// Instances that share a sequence keep the order by a lock that goes round; one alone has no need of it.
#[test]
fn an_instance_alone_needs_no_lock_for_the_order_of_a_sequence() {
    let with = |order: &str| {
        let query = "sequence_values_per_transaction=1&sequence_cache=2&think_time_ms=1&sequence_order=";
        run(&format!("{query}{order}"))
    };
    let (alone, free) = (with("ORDER"), with("NOORDER"));
    assert_eq!(wait(&alone, "DFS lock handle").0, 0);
    assert!(wait(&alone, "enq: SQ - contention").0 > 100);
    assert_eq!(wait(&alone, "enq: SQ - contention"), wait(&free, "enq: SQ - contention"));
}
