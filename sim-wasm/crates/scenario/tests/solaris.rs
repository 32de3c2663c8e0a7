//! Solaris on several CPUs beside a simulator of the illumos dispatcher that was written from `disp.c`, `ts.c` and
//! `clock.c` alone, by somebody who had not seen this one. Its figures, of 20 seeds for batches and of three else, are
//! those in which who runs is lifted at once.
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, near_rel};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

/// CPUs without siblings, and switches that cost nothing.
const BARE: &str = "sockets=1&threads_per_core=1&smt_yield=1&resource_manager_plan=none&lio_us=10\
                    &switch_direct_us=0&switch_refill_us=0&migration_refill_us=0&latch_share=0&latch_hold_us=0";

fn run(settings: &str, max_events: u64) -> Report {
    run_under("Solaris", settings, max_events)
}

fn run_under(system: &str, settings: &str, max_events: u64) -> Report {
    let query = format!("your-host?{BARE}&os_scheduler={system}&{settings}");
    let config = to_config(&decode(&query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
    finish(&config, goal(0.002, max_events))
}

/// How often a session goes on on another CPU \[1/s\].
fn moves_of(report: &Report) -> f64 {
    let sessions = report.processes.iter().find(|row| row.kind == "session");
    sessions.map_or(0.0, |row| row.migrations_per_s.mean)
}

/// Sessions of 10 s of work each: first, median and last end \[s\], and how often one goes on on another CPU \[1/s\].
#[test]
fn batches_take_turns_in_waiting_as_the_dispatcher_has_them() {
    let expected = [
        (9, 8, [10.71, 11.26, 11.80], 3.66),
        (12, 8, [13.63, 14.71, 15.70], 7.9),
        (5, 4, [11.70, 12.46, 12.87], 4.1),
        (3, 2, [14.60, 14.81, 15.27], 3.0),
        (17, 16, [10.16, 10.63, 11.46], 4.0),
    ];
    for (sessions, cpus, ends, moves) in expected {
        let report = run(
            &format!(
                "background_processes=0&cores_per_socket={cpus}&arrivals=batch&sessions={sessions}\
                 &lio_per_transaction=1000000"
            ),
            2_000_000,
        );
        let [row] = &report.ended[..] else { panic!("{:?}", report.ended) };
        for (found, expected) in [&row.ends.first_s, &row.ends.median_s, &row.ends.last_s].into_iter().zip(ends) {
            near_rel(found.mean, expected, 0.02, &format!("{sessions} on {cpus}, {ends:?}"));
        }
        near_rel(moves_of(&report), moves, 0.25, &format!("{sessions} on {cpus}, moves"));
    }
}

/// Four of eight CPUs as a processor set are a host of four to who is in it, wherever they are: batches that wait in
/// turns, and sessions that wake up 1 ms later. But for the clock, which goes round all CPUs of the host
/// (`clock_tick_cpus`).
#[test]
fn a_processor_set_is_a_host_of_its_own() {
    let parts = ["cores_per_socket=4", "cores_per_socket=8&affinity=hard&affinity_cpus=0-3"];
    for sessions in [5, 6, 9] {
        let work = format!("background_processes=0&arrivals=batch&sessions={sessions}&lio_per_transaction=1000000");
        let [host, set] = parts.map(|part| run(&format!("{work}&{part}"), 2_000_000));
        let median = |report: &Report| report.ended[0].ends.median_s.mean;
        near_rel(median(&set), median(&host), 0.02, &format!("median end of {sessions}"));
        near_rel(moves_of(&set), moves_of(&host), 0.2, &format!("moves of {sessions}"));
    }
    let work =
        "background_processes=0&sessions=12&lio_per_transaction=50&demand_distribution=exponential&think_time_ms=1";
    let apart = "cores_per_socket=8&affinity=hard&affinity_cpus=1,2,4,7";
    let [host, set, apart] = [parts[0], parts[1], apart].map(|part| run(&format!("{work}&{part}"), 2_000_000));
    for found in [set, apart] {
        near_rel(found.response.mean_ms.mean, host.response.mean_ms.mean, 0.01, "response");
        near_rel(moves_of(&found), moves_of(&host), 0.02, "moves");
    }
}

/// Hogs on cores of several threads: at the ends of their quanta they spread until no core runs two more than another,
/// so two on each run here, and get done what they do under Linux.
#[test]
fn hogs_come_to_be_as_many_on_each_core() {
    for (cores, threads, sessions) in [(4, 4, 8), (8, 8, 16)] {
        let [found, even] = ["Solaris", "CFS"].map(|system| {
            let query = format!(
                "your-host?sockets=1&resource_manager_plan=none&background_processes=0&think_time_ms=0\
                 &cores_per_socket={cores}&threads_per_core={threads}&sessions={sessions}&os_scheduler={system}"
            );
            let config = to_config(&decode(&query).unwrap_or_else(|problems| panic!("{problems:?}")).scenario);
            finish(&config, goal(0.002, 2_000_000)).response.mean_ms.mean
        });
        near_rel(found, even, 0.002, &format!("response of {sessions} on {cores} cores"));
    }
}

/// 24 sessions on 8 CPUs, 0.5 ms of work after 1.0, 0.9 and 1.5 ms of sleep, all exponential: who wakes up goes back to
/// his CPU and waits there, and idle ones take him.
#[test]
fn short_sleepers_are_taken_by_idle_cpus() {
    for (sleep, response, moves) in [(1.0, 0.6343, 9694.0), (0.9, 0.6784, 9690.0), (1.5, 0.5308, 7239.0)] {
        let report = run(
            &format!(
                "background_processes=0&cores_per_socket=8&sessions=24&lio_per_transaction=50\
                 &demand_distribution=exponential&think_time_ms={sleep}"
            ),
            4_000_000,
        );
        near_rel(report.response.mean_ms.mean, response, 0.01, &format!("response after {sleep} ms"));
        near_rel(moves_of(&report), moves, 0.02, &format!("moves after {sleep} ms"));
    }
}

/// 8 sessions of 1 ms after 9 of sleep beside as many hogs on 8 CPUs: each stays on its own.
#[test]
fn who_sleeps_for_less_than_three_ticks_goes_back_to_his_cpu() {
    let report = run(
        "cores_per_socket=8&sessions=8&lio_per_transaction=100&demand_distribution=exponential&think_time_ms=9\
         &background_processes=8&background_busy_ms=100&background_sleep_ms=0",
        4_000_000,
    );
    near_rel(report.response.mean_ms.mean, 1.046, 0.025, "response");
    let moves = moves_of(&report);
    assert!(moves > 0.5 && moves < 8.0, "{moves} a second");
}

/// Four sessions of 1 ms that look by themselves for commits of about 0.6 ms: no sleep is shorter than a tick of 10 ms
/// on Solaris, unless more is said; on Linux the timer ends it when it should.
#[test]
fn who_looks_by_himself_sleeps_for_a_clock_tick_at_least() {
    let cases = [("Solaris", 0, 10.0..10.5), ("Solaris", 15_000, 15.0..15.5), ("CFS", 0, 0.5..2.5)];
    for (system, least, expected) in cases {
        let report = run_under(
            system,
            &format!(
                "workload=oltp&sessions=4&cores_per_socket=8&lio_per_transaction=100&log_file_sync=polling\
                 &log_file_sync_min_sleep_us={least}&redo_io_ms=0.5&physical_reads_per_transaction=0"
            ),
            300_000,
        );
        let sync = report.waits.iter().find(|row| row.event == "log file sync").expect("they commit");
        assert!(expected.contains(&sync.duration.mean_ms.mean), "{system}, {least}: {:?}", sync.duration.mean_ms.mean);
    }
}
