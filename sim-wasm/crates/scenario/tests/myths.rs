//! What is said of clusters, looked at: a busy node and the others.
use wwi_model::report::clusters::PairRow;
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn run(query: &str, max_events: u64) -> Report {
    let config = to_config(&decode(query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    finish(&config, goal(0.001, max_events))
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

/// A server of 150 µs a request among four hogs on two CPUs that have nothing else: (mean response \[ms\], growth of
/// its queue \[1/s\]).
fn served(per_s: u32, scheduler: &str) -> (f64, f64) {
    let query = format!(
        "starved-service?service_per_s={per_s}&service_us=150&service_distribution=constant&os_scheduler={scheduler}\
        &background2_processes=0"
    );
    let report = run(&query, 1_500_000);
    let row = &report.services[0];
    (row.response.mean_ms.mean, row.growth_per_s.mean)
}

const FIRST: &str = "CFS&class@service=FIFO&priority@service=50";

/// Its fair share is 0.4 CPU. Below three eighths of that the class hardly matters; at three quarters it decides how
/// long a request waits; above it nothing but real time keeps up.
#[test]
fn what_a_server_needs_of_its_fair_share_decides_how_much_its_class_matters() {
    let first = served(1000, FIRST).0;
    for (scheduler, most) in [("CFS", 0.1), ("O1", 0.1), ("AIX", 0.1), ("Solaris", 0.2)] {
        let (mean, _) = served(1000, scheduler);
        assert!((mean - first).abs() < most, "{scheduler} at 1,000/s: {mean} ms for {first}");
    }
    let [first, cfs, aix, solaris] = [FIRST, "CFS", "AIX", "Solaris"].map(|scheduler| served(2000, scheduler).0);
    assert!(first < cfs && cfs < aix && aix < solaris, "at 2,000/s: {first} < {cfs} < {aix} < {solaris} ms");
    assert!(cfs < 2.0 && solaris > 4.0, "{cfs} and {solaris} ms");
    // The network wakes it: however it starts it gets the bonus of sleepers, and waits for a switch a request at most.
    for start in ["O1", "O1&session_start_spread_ms=20000"] {
        let (mean, _) = served(2000, start);
        assert!(mean < first + 0.057, "{start}: {mean} ms, {first} in real time");
    }
    // With more to do than it gets among two hogs on its CPU it has two states, by whether it had the bonus before.
    let [among, before] = ["100", "20000"].map(|ms| {
        let start = format!("O1&cores_per_socket=1&sessions=2&session_start_spread_ms={ms}");
        served(2400, &start)
    });
    assert!(among.1 > 100.0 && before.0 < first + 0.2, "O(1) at 2,400/s: {among:?} and {before:?}, {first}");
    println!("EEVDF at 1,000 and 2,000/s: {} and {} ms", served(1000, "EEVDF").0, served(2000, "EEVDF").0);
    for scheduler in ["CFS", "O1", "AIX", "Solaris", "EEVDF"] {
        let (_, growth) = served(3000, scheduler);
        assert!(growth > 100.0, "{scheduler} at 3,000/s: {growth} a second more wait");
    }
    let (mean, growth) = served(3000, FIRST);
    assert!(mean < 1.0 && growth.abs() < 10.0, "real time at 3,000/s: {mean} ms, {growth}");
}

/// CPU and elapsed time of the coordinator \[s\], and the share of the rows that leave a host \[%\].
fn queried(settings: &str) -> (f64, f64, f64) {
    // A tenth of the rows: time of start and end is nothing beside them.
    let report = run(&format!("px-across-nodes?px_rows=763470{settings}"), 3_000_000);
    let [row] = &report.ended[..] else { panic!("{:?}", report.ended) };
    let share = report.parallel[0].figures.iter().find(|figure| figure.id == "px_remote_rows_percent");
    (row.cpu_s.mean, row.elapsed_s.mean, share.expect("it is told").value.mean)
}

/// Slaves of which two are on other nodes cost a coordinator five times the CPU at Oracle's ratio of costs, where 3.1
/// times were published; and only where rows go to it. Of 52 granules each of the two gets 12, for it fills a message
/// in 683.5 µs (17 rows of 30.914 µs, 158 for the message) and those of the coordinator's node in 540.5: these get
/// 14, and end before they would another.
#[test]
fn slaves_across_nodes_cost_the_coordinator_where_rows_go_to_it() {
    let (local, spread) = (queried("&parallel_instances=local"), queried(""));
    assert!((local.0 / 0.75 - 1.0).abs() < 0.01 && (local.1 / 6.069 - 1.0).abs() < 0.01, "{local:?}");
    let ratio = |remote: f64| (28.0 * 16.7 + 24.0 * (remote * 15.0 + 8.0 + 1.7)) / (52.0 * 16.7);
    assert!((spread.0 / local.0 / ratio(10.0) - 1.0).abs() < 0.01, "{spread:?}");
    assert!((spread.1 / (12.0 * 763_470.0 / 52.0 / 17.0 * 683.5e-6) - 1.0).abs() < 0.01, "{spread:?}");
    assert!(local.2 == 0.0 && (spread.2 - 100.0 * 24.0 / 52.0).abs() < 0.5, "{spread:?}");
    let published = queried("&px_remote_cost=5.5").0 / local.0;
    assert!((published / ratio(5.5) - 1.0).abs() < 0.01 && (published / 3.1 - 1.0).abs() < 0.01, "{published}");
    let (cpu, ..) = queried("&pushdown=yes");
    assert!(cpu < 0.003, "four rows: {cpu} s");
}
