//! Background load is that of a host which has run for long, however long its bursts and sleeps are beside the run.
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn run(knobs: &str) -> Report {
    let link = format!("your-host?resource_manager_plan=none&sockets=1&threads_per_core=1&smt_yield=1&{knobs}");
    let scenario = decode(&link).unwrap_or_else(|problems| panic!("{link}: {problems:?}")).scenario;
    finish(&to_config(&scenario), goal(0.02, 40_000_000))
}

/// CPUs that background load uses, on average.
fn used(report: &Report) -> f64 {
    let row = report.processes.iter().find(|row| row.kind == "background").expect("there is some");
    row.cpu_s / report.simulated_s
}

/// With hogs of bursts of a minute a run of some seconds is as with bursts of 10 ms; without them an answer takes
/// 0.35 ms.
#[test]
fn hogs_are_there_whatever_they_call_a_burst() {
    let beside = |busy_ms: u32| {
        let sessions = "sessions=4&think_time_ms=8&lio_us=1&lio_per_transaction=314&demand_distribution=constant";
        let hogs = format!("background_processes=2&background_sleep_ms=0&background_busy_ms={busy_ms}");
        run(&format!("{sessions}&{hogs}&cores_per_socket=2&os_scheduler=EEVDF&switch_refill_us=0"))
    };
    let (short, long) = (beside(10), beside(60_000));
    let ratio = long.response.mean_ms.mean / short.response.mean_ms.mean;
    assert!((ratio - 1.0).abs() < 0.06, "{} and {} ms", short.response.mean_ms.mean, long.response.mean_ms.mean);
    assert!((used(&long) / used(&short) - 1.0).abs() < 0.02, "{} and {} CPUs", used(&short), used(&long));
}

/// Sixteen that work for 20 s and sleep for 60 use four CPUs of 32, also in runs of a second: one start in 64 has four
/// with a standard deviation of √3.
#[test]
fn of_who_works_and_sleeps_by_turns_so_many_are_at_work_as_work_is_of_a_cycle() {
    let load = "background_processes=16&background_busy_ms=20000&background_sleep_ms=60000&cores_per_socket=32";
    let found: Vec<f64> = (1..=12).map(|seed| used(&run(&format!("{load}&sessions=8&seed={seed}")))).collect();
    let mean = found.iter().sum::<f64>() / found.len() as f64;
    // Eight starts each at the least: ± √(3 / 96) = 0.18.
    assert!((mean - 4.0).abs() < 0.6, "{mean}: {found:?}");
}
