//! A sequence on two nodes, held against arithmetic: what is published, what follows from it for CACHE and ORDER, and
//! what messages take.
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, near_rel};
use wwi_scenario::acts::warnings;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn run(query: &str) -> Report {
    let query = format!("sequence-nocache?{query}");
    let config = to_config(&decode(&query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    finish(&config, goal(0.01, 30_000_000))
}

/// Of a session, mean of the two.
fn elapsed(report: &Report) -> f64 {
    report.ended.iter().map(|row| row.elapsed_s.mean).sum::<f64>() / report.ended.len() as f64
}

/// Waits of each session for an event in a statement: how often, and how long all together.
fn waits(report: &Report, statement: &str, event: &str) -> Vec<(f64, f64)> {
    let own = report.statements.iter().filter(|row| row.statement == statement);
    own.map(|row| row.waits.iter().find(|wait| wait.event == event).map_or((0.0, 0.0), |w| (w.times, w.total_s)))
        .collect()
}

fn calls(report: &Report, statement: &str, call: &str) -> Vec<(f64, f64)> {
    let own = report.statements.iter().filter(|row| row.statement == statement);
    own.filter_map(|row| row.calls.iter().find(|of| of.call == call)).map(|of| (of.count, of.elapsed_s)).collect()
}

#[test]
fn on_one_node_a_row_takes_its_own_time_and_that_of_the_recursive_statement() {
    let one = run("sessions@instance2=0");
    near_rel(elapsed(&one), 11.0, 0.001, "elapsed");
    near_rel(calls(&one, "insert", "Execute")[0].1, 7.66, 0.001, "the insert");
    let [parse, execute] = ["Parse", "Execute"].map(|call| calls(&one, "seq$", call)[0]);
    assert_eq!([parse.0, execute.0], [10_000.0; 2]);
    near_rel(parse.1 + execute.1, 3.34, 0.001, "the recursive statement");
    // Of ten transactions of 2,646 logical reads 2,567 are of blocks that they change.
    let insert = one.statements.iter().find(|row| row.statement == "insert").expect("it was executed");
    let of = insert.calls.iter().find(|of| of.call == "Execute").expect("it was executed");
    assert_eq!([of.query, of.current, of.rows], [790.0, 25_670.0, 10_000.0]);
}

/// The first is alone for 4,587 rows of 1.1 ms; from then on the lock changes hands for each value.
#[test]
fn with_the_skew_that_its_waits_ask_for_they_come_out_and_their_mean_with_them() {
    let both = run("");
    for (times, total) in waits(&both, "insert", "row cache lock") {
        assert!((times - 5413.0).abs() <= 1.0, "{times} waits");
        // 4.2 + 1.3 + 6.5 + 0.334 − 0.766 ms.
        near_rel(total / times, 0.011_568, 0.001, "mean");
    }
    // The block's waits are of the recursive statement, not of the insert.
    assert!(waits(&both, "insert", "gc current block 2-way").iter().all(|wait| wait.0 == 0.0));
    assert!(waits(&both, "seq$", "gc current block 2-way").iter().all(|wait| (wait.0 - 5413.0).abs() <= 1.0));
    near_rel(elapsed(&both), 115.8, 0.01, "elapsed");
}

#[test]
fn cache_divides_the_price_and_order_pays_it_for_each_value() {
    let together = |of: &str| elapsed(&run(&format!("start_skew_s=0&{of}")));
    let published: [(&str, f64); 8] = [
        ("0", 204.7),
        ("2", 102.3),
        ("5", 40.9),
        ("10", 20.5),
        ("20", 13.8),
        ("50", 10.1),
        ("100", 8.9),
        ("1000", 7.8),
    ];
    for (cache, seconds) in published {
        near_rel(together(&format!("sequence_cache={cache}")), seconds, 0.02, &format!("CACHE {cache}"));
    }
    let cached = run("start_skew_s=0&sequence_cache=20");
    assert!(calls(&cached, "seq$", "Execute").iter().all(|of| (of.0 - 500.0).abs() <= 1.0), "500 changes an instance");
    for (ms, seconds) in [(1.0, 17.66), (4.0, 47.66)] {
        // 1,000 changes of 0.334 ms, for which both wait.
        let ordered = together(&format!("sequence_cache=20&sequence_order=ORDER&lock_handover_ms={ms}"));
        near_rel(ordered, seconds + 0.334, 0.03, &format!("ORDER, {ms} ms"));
        assert!(together("sequence_cache=20") < ordered && ordered < together("sequence_cache=0"));
    }
    near_rel(together("sequence_order=ORDER"), together(""), 1e-6, "NOCACHE with ORDER");
}

/// Sessions that take a value every two seconds.
fn idle(more: &str) -> Report {
    run(&format!(
        "executions=0&start_skew_s=0&sequence_transfers=messages&calls_per_transaction=1&think_time_ms=2000\
        &sequence_values_per_transaction=1&lio_per_transaction=10&lio_us=1&block_changes_per_transaction=0{more}"
    ))
}

/// Mean of the waits for an event \[ms\].
fn mean_ms(report: &Report, event: &str) -> f64 {
    let row = report.waits.iter().find(|row| row.event == event);
    row.expect("they wait for it").duration.mean_ms.mean
}

/// Idle, on 1 GbE: a message takes 32.4 µs on the wire, and each of LMD, LCK0 and LMD again 20 + 20 + 15 µs, as it
/// slept. Two of the messages go over the wire, whichever of the two nodes asks: the master of the lock is one of them.
#[test]
fn by_messages_an_idle_hand_over_takes_what_its_wires_and_processes_take() {
    near_rel(mean_ms(&idle(""), "row cache lock"), 2.0 * 0.0324 + 3.0 * 0.055, 0.02, "row cache lock");
}

/// From one change of the row to the next where two nodes do nothing but take values without CACHE \[ms\].
fn from_change_to_change(more: &str) -> f64 {
    let query = "executions=1&start_skew_s=0&lio_us=1&sequence_transfers=messages&redo_io_distribution=constant";
    elapsed(&run(&format!("{query}{more}"))) / 2_000.0 * 1e3
}

/// The change commits, so that its write begins as the lock leaves: the log writer gathers and tells the other instance
/// for 30 + 15 µs, writes, and works 30 + 15 for its answer, for which LMS wakes, 20. Meanwhile the lock is 55 at
/// LCK0, 55 at LMD and 32.4 on the wire, its session works 35 + 30 + 15 until it has parsed and asked for the block,
/// 32.4 on the wire and 40 at LMS: 294.8 in all. Only what the write takes longer than that is waited for.
#[test]
fn redo_of_a_change_is_written_while_the_lock_travels() {
    let never = from_change_to_change("&gc_log_flush=never");
    for (write, waits) in [(1.0, 0.110 + 1.0 - 0.2948), (2.0, 0.110 + 2.0 - 0.2948)] {
        let found = from_change_to_change(&format!("&redo_io_ms={write}")) - never;
        near_rel(found, waits, 0.01, &format!("{write} ms"));
    }
    near_rel(from_change_to_change("&redo_io_ms=0.05"), never, 0.005, "a write that is over before");
}

/// The first instance, which takes no values, is the master of the row cache lock: all four messages go over the wire.
/// So it is with the second one and SV.
#[test]
fn an_instance_without_values_sees_to_the_locks_of_those_that_take_some() {
    let cases = [
        ("&sequence_values_per_transaction@instance1=0", 1, "row cache lock"),
        ("&workload@instance1=select", 1, "row cache lock"),
        ("&sequence_values_per_transaction@instance2=0&sequence_order=ORDER&sequence_cache=20", 2, "DFS lock handle"),
    ];
    for (said, without, event) in cases {
        let found = idle(&format!("&cluster_nodes=3{said}"));
        near_rel(mean_ms(&found, event), 4.0 * 0.0324 + 3.0 * 0.055, 0.02, said);
        let taken = |at: u32| {
            let own = found.databases.iter().find(|of| of.instance == at)?;
            let figure = own.figures.iter().find(|figure| figure.id == "sequence_values_per_s")?;
            Some(figure.value.mean)
        };
        for at in 1..=3 {
            assert_eq!(taken(at).is_some_and(|values| values > 0.4), at != without, "{said}: {:?}", taken(at));
            assert_eq!(taken(at).is_none(), at == without, "{said}: {:?}", taken(at));
        }
    }
}

/// What an instance tells others, of locks too, it sends: with ORDER hardly anything else goes over the wire. Ports
/// that are shared with nothing keep nobody waiting for long.
#[test]
fn what_is_told_of_locks_is_sent() {
    let query = "executions=1&start_skew_s=0&sequence_transfers=messages&sequence_order=ORDER&sequence_cache=20";
    let found = run(query);
    for of in &found.databases {
        let figure = |id: &str| of.figures.iter().find(|own| own.id == id).map_or(0.0, |own| own.value.mean);
        let [sent, told] = ["gc_messages_sent_per_s", "gc_messages_told_per_s"].map(figure);
        assert!(sent >= told && told > 100.0, "{sent} sent, {told} told");
        assert!(sent < 1.05 * told, "{sent} sent, {told} told: blocks are few");
        assert!(figure("gc_message_send_queue_ms") < 0.001, "a port that is idle sends at once");
    }
}

#[test]
fn what_a_sequence_cannot_be_is_refused_by_name() {
    let told = |query: &str| {
        let problems = decode(query).expect_err("refused");
        problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
    };
    let words = told("sequence-nocache?sequence_cache=1");
    assert!(words.contains("sequence_cache") && words.contains("NOCACHE"), "{words}");
    assert!(told("sequence-nocache?sequence_cache=-1").contains("lies between 0"));
    let unused = decode("sequence-nocache?sequence_cache=1&workload=logical_reads&interconnect=none");
    assert!(unused.is_ok(), "nobody takes values");
}

/// Its LMD and LCK0 are as is said of them; where nobody takes values there are none.
#[test]
fn what_is_said_of_lock_servers_acts_wherever_any_instance_takes_values() {
    let nice = |values: &str| {
        let query = format!("sequence-nocache?sequence_values_per_transaction={values}&nice@lck0@instance1=5");
        let decoded = decode(&query).unwrap_or_else(|problems| panic!("{problems:?}"));
        let all = warnings(&decoded.scenario, &decoded.given).into_iter();
        let told: Vec<String> = all.map(|warning| warning.message).collect();
        let config = to_config(&decoded.scenario);
        let servers = config.instances[0].others.sequence.as_ref().and_then(|of| of.servers.as_ref());
        (servers.map(|of| of.lck0.nice), told)
    };
    assert_eq!(nice("1"), (Some(5), vec![]));
    assert_eq!(nice("1&sequence_values_per_transaction@instance1=0"), (Some(5), vec![]));
    let (servers, told) = nice("0");
    let none = |at: u32| format!("sequence_values_per_transaction@instance{at} is 0");
    let words = format!("nice@lck0@instance1 has no effect: {} and {}", none(1), none(2));
    assert!(servers.is_none() && told == [words], "{told:?}");
}

/// Whoever changes the row has read the block before: of the two transfers each takes as long as is said of it, and
/// has a name of its own.
#[test]
fn a_read_and_a_change_of_the_row_wait_as_long_as_is_said_of_each() {
    let both = run("seq_cr_ms=1&seq_current_ms=3");
    for (event, ms) in [("gc cr block 2-way", 1.0), ("gc current block 2-way", 3.0)] {
        for (times, total_s) in waits(&both, "seq$", event) {
            assert!(times > 1_000.0, "{times} waits for {event}");
            near_rel(1e3 * total_s / times, ms, 0.01, event);
        }
    }
}

/// `_gc_defer_time` is 3 ms, and `_gc_defer_ping_index_only` true: blocks that are no leaves of an index do not stay.
#[test]
fn leaves_stay_with_who_inserts_for_three_milliseconds_and_other_blocks_do_not() {
    let stay_ms = |query: &str| {
        let query = format!("sequence-nocache?{query}");
        let config = to_config(&decode(&query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
        config.cluster.map(|cluster| cluster.defer.as_ms())
    };
    assert_eq!(stay_ms("sequence_index_rows=500&shared_blocks=1000"), Some(3.0));
    assert_eq!(stay_ms("sequence_index_rows=500&shared_blocks=1000&gc_defer_ms=0"), Some(0.0));
    for no_index in [
        "shared_blocks=1000",
        "sequence_index_rows=500&shared_blocks=0",
        "sequence_index_rows=500&shared_blocks=1000&sequence_values_per_transaction=0",
    ] {
        assert_eq!(stay_ms(no_index), Some(0.0), "{no_index}");
    }
}
