//! Tables that are read from two nodes at once: blocks that nobody changes stay in both caches; those that another node
//! changes have to come again.
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn run(query: &str) -> Report {
    let config = to_config(&decode(query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    finish(&config, goal(0.02, 10_000_000))
}

/// Waits of a session of an instance for blocks from others.
fn waits(report: &Report, instance: u32) -> f64 {
    let own = report.statements.iter().filter(|row| row.instance == instance).flat_map(|row| &row.waits);
    own.filter(|wait| wait.event.starts_with("gc ")).map(|wait| wait.times).sum()
}

fn elapsed(report: &Report, instance: u32) -> f64 {
    report.ended.iter().find(|row| row.instance == instance).expect("it ends").elapsed_s.mean
}

#[test]
fn after_the_first_touch_of_each_block_two_nodes_take_what_one_takes() {
    let one = run("bitmap-reads?sessions@instance2=0");
    let both = run("bitmap-reads");
    // The first instance has loaded the table and its index; a count gets two blocks of this, a scan all of the table.
    assert_eq!([waits(&one, 1), waits(&both, 1), waits(&both, 2)], [0.0, 0.0, 2.0]);
    for instance in [1, 2] {
        let ratio = elapsed(&both, instance) / elapsed(&one, 1);
        assert!((ratio - 1.0).abs() < 0.005, "{ratio}");
    }
    let scan = run("bitmap-reads?access_path=full_scan&executions=100");
    assert_eq!([waits(&scan, 1), waits(&scan, 2)], [0.0, 31.0]);
    let index = run("bitmap-reads?access_path=index&executions=10000");
    assert_eq!(waits(&index, 2), 33.0, "two of the index, and each of the table at some time");
}

/// A block that another node has changed comes as a copy, without a lock, until its holder has built as many
/// as _fairness_threshold says: twice, and a third time with the lock. So does each block at the start, as the
/// changes are the other node's.
#[test]
fn what_another_node_changes_has_to_come_again() {
    let updated = |ms: u32| {
        run(&format!(
            "bitmap-reads?access_path=full_scan&executions=3000&workload@instance2=oltp&sessions@instance2=1\
            &executions@instance2=0&think_time_ms@instance2={ms}&shared_blocks=31&lio_per_transaction@instance2=1\
            &shared_reads_per_transaction@instance2=0&shared_changes_per_transaction@instance2=1\
            &physical_reads_per_transaction@instance2=0&calls_per_transaction@instance2=1"
        ))
    };
    let alone = elapsed(&run("bitmap-reads?access_path=full_scan&executions=3000"), 1);
    let [seldom, often] = [50, 10].map(updated);
    for report in [&seldom, &often] {
        // A reader is not faster than once in 0.65 ms, and each block is changed far less often.
        let per_s = report.instances[1].transactions_per_s.mean;
        let changes = per_s * elapsed(report, 1);
        let ratio = (waits(report, 1) - 3.0 * 31.0) / changes;
        assert!((2.6..=3.15).contains(&ratio), "{ratio} waits a change at {per_s}/s");
    }
    assert!(elapsed(&seldom, 1) > 1.01 * alone && elapsed(&often, 1) > 1.05 * elapsed(&seldom, 1));
}

/// Sessions of one instance ask once for each block between them, and the others wait for who asked; a block that gets
/// lost is asked for again until it comes.
#[test]
fn sessions_of_one_instance_ask_once_and_a_lost_block_comes_in_the_end() {
    let waits_of = |report: &Report, event: &str| {
        let own = report.statements.iter().filter(|row| row.instance == 2).flat_map(|row| &row.waits);
        own.filter(|wait| wait.event.starts_with(event)).map(|wait| wait.times).sum::<f64>()
    };
    let few = "bitmap-reads?access_path=full_scan&executions=20&session_start_spread_ms=0";
    let three = run(&format!("{few}&sessions@instance2=3"));
    // Of one of the three.
    assert!((waits_of(&three, "gc cr block") * 3.0 - 31.0).abs() < 1e-9, "{}", waits_of(&three, "gc cr block"));
    assert!((waits_of(&three, "gc buffer busy acquire") * 3.0 - 62.0).abs() < 1e-9);
    let lossy = run(&format!("{few}&lost_block_percent=30"));
    let lost = waits_of(&lossy, "gc cr block lost");
    assert!(lost > 0.0 && (waits_of(&lossy, "gc cr block") - 31.0).abs() < 1e-9, "{lost} of 31");
    assert!(elapsed(&lossy, 2) > elapsed(&lossy, 1) + 0.5 * lost, "each waited half a second at least");
}

/// Of one session: no wait of a statement is longer than all of them together, though each start has another length.
#[test]
fn the_longest_wait_of_a_session_is_no_longer_than_all_its_waits() {
    let report = run("px-across-nodes?parallel_degree=13&table_queue=hash&pushdown=yes");
    let waits: Vec<_> = report.statements.iter().flat_map(|row| &row.waits).collect();
    assert!(!waits.is_empty() && waits.iter().all(|wait| wait.longest_s <= wait.total_s * (1.0 + 1e-12)), "{waits:?}");
}

/// Of eight sessions: the longest wait of any, in the mean of the starts, is no shorter than the mean wait.
#[test]
fn the_longest_wait_of_any_session_is_no_shorter_than_the_mean() {
    let few = "bitmap-reads?access_path=full_scan&executions=20&session_start_spread_ms=0";
    let report = run(&format!("{few}&sessions@instance2=8"));
    let waits = report.statements.iter().flat_map(|row| &row.waits).filter(|wait| wait.times >= 1.0);
    let waits: Vec<_> = waits.map(|wait| (wait.event, wait.longest_s, wait.total_s / wait.times)).collect();
    assert!(!waits.is_empty() && waits.iter().all(|wait| wait.1 >= wait.2 * (1.0 - 1e-12)), "{waits:?}");
}
