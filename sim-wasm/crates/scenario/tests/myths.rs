//! What is said of clusters, looked at: a busy node and the others.
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::report::clusters::PairRow;
use wwi_model::report::Report;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn run(query: &str, max_events: u64) -> Report {
    let config = to_config(&decode(query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    let figures = Figures::ThroughputAndResponse;
    let mut experiment =
        Experiment::new(&config, Goal { precision: 0.001, max_events, record: 0, figures, coarse: false });
    while !experiment.advance(500_000).done {}
    let report = experiment.report();
    assert!(report.checks.iter().all(|check| check.ok), "{query}: {:?}", report.checks);
    report
}

/// Requests for copies of one instance from another.
fn cr(report: &Report, from: u32, server: u32) -> &PairRow {
    let row = report.pairs.iter().find(|row| (row.from, row.server, row.reply) == (from, server, "cr block"));
    row.unwrap_or_else(|| panic!("{from} asked {server}"))
}

fn figure(report: &Report, instance: u32, id: &str) -> f64 {
    let row = report.databases.iter().find(|row| row.instance == instance).expect("it has a database");
    row.figures.iter().find(|figure| figure.id == id).expect(id).value.mean
}

/// Node 3 is busy with reports, and LMS an ordinary process there: nodes 1 and 2 wait for its blocks, not for one
/// another's. In a real-time class it is as if nobody else were there.
#[test]
fn a_busy_node_slows_the_blocks_that_the_others_get_from_it_and_no_others() {
    let idle = run("starved-lms?background_processes@node3=0", 3_000_000);
    let busy = run("starved-lms", 3_000_000);
    let real_time = run("starved-lms?class@lms@node3=FIFO&priority@lms@node3=50", 3_000_000);
    let cpus = figure(&idle, 3, "lms_cpus");
    assert!((cpus / 0.6 - 1.0).abs() < 0.05, "{cpus} CPUs");
    for (from, other) in [(1, 2), (2, 1)] {
        let alone = cr(&idle, from, 3).mean_ms.mean;
        let [starved, first] = [&busy, &real_time].map(|report| cr(report, from, 3).mean_ms.mean);
        assert!(starved > 5.0 * alone && first < 1.5 * alone, "{alone} ms idle, {starved}, {first} in real time");
        // Between the two, where neither the holder nor the master is on node 3.
        let [before, after] = [&idle, &busy].map(|report| cr(report, from, other).two_way_ms);
        assert!((after / before - 1.0).abs() < 0.1, "{before} ms, then {after}");
        // A third of what they ask of one another goes over node 3 as the master.
        let [before, after] = [&idle, &busy].map(|report| cr(report, from, other).three_way_ms);
        assert!(after > 5.0 * before, "{before} ms, then {after}");
    }
}
