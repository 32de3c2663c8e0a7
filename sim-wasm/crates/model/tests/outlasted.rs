//! Runs that are shorter than a transaction: what ended in them are the short ones, or those that had begun before.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, QueryConfig};
use wwi_model::config::*;
use wwi_model::experiment::Experiment;
use wwi_model::report::facts::{Fact, Key, Sink};
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{cage, database, done, finish, goal, hogs, node, oltp, one};

fn report(config: &Config, max_events: u64) -> Report {
    report_within(config, 0.02, max_events)
}

fn report_within(config: &Config, precision: f64, max_events: u64) -> Report {
    finish(config, goal(precision, max_events))
}

/// So many sessions that never think, 100 ms of CPU a transaction, on CPUs that lose nothing by switches: each has to
/// wait for all others, and by Little's law one lasts 100 ms times the sessions of a CPU.
fn crowd(sessions: u32, shape: DemandShape, seed: u64) -> (Config, f64) {
    let mut users = hogs(sessions);
    users.workload.demand.shape = shape;
    users.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::from_ms(10.0) };
    let host = NodeConfig { switch_direct: Ns::ZERO, switch_refill: Ns::ZERO, ..node() };
    let lasts_ms = 100.0 * f64::from(sessions) / host.threads() as f64;
    (Config { seed, ..one(host, users) }, lasts_ms)
}

const SHAPES: [DemandShape; 3] = [DemandShape::Constant, DemandShape::Exponential, DemandShape::Hyperexponential];

/// Sessions begin within a transaction, with as much left of it as at a random moment: half of a constant one, a whole
/// exponential one, two and a half of a hyperexponential one (E S² / 2 (E S)²). With less, more would end at first.
#[test]
fn the_mean_is_by_littles_law_and_its_interval_holds() {
    for shape in SHAPES {
        let (mut held, mut sum, seeds) = (0, 0.0, 20);
        for seed in 0..seeds {
            let (config, lasts_ms) = crowd(4000, shape, seed);
            let found = report(&config, 60_000);
            let response = &found.response;
            assert!(found.truncated && found.simulated_s / f64::from(found.replications) < lasts_ms / 2000.0);
            assert_eq!((response.count, response.max_ms, response.p99_ms), (0, 0.0, 0.0), "{shape:?}");
            assert!(response.buckets.is_empty() && response.p99_ci95.is_none());
            let half = response.mean_ms.ci95.expect("an interval");
            assert!(half < 0.3 * lasts_ms, "{shape:?}: ± {half} of {lasts_ms}");
            held += u32::from((response.mean_ms.mean - lasts_ms).abs() <= half);
            sum += response.mean_ms.mean / lasts_ms;
        }
        assert!(held >= 17, "{shape:?}: {held} of {seeds} intervals hold it");
        assert!((sum / seeds as f64 - 1.0).abs() < 0.03, "{shape:?}: {} times as long", sum / seeds as f64);
    }
}

#[test]
fn a_run_that_is_long_enough_says_the_same_from_those_that_ended() {
    for shape in SHAPES {
        let (config, lasts_ms) = crowd(400, shape, 1);
        let found = report(&config, 3_000_000);
        assert!(found.response.count > 1000, "{shape:?}: {}", found.response.count);
        let [mean, half] = [found.response.mean_ms.mean, found.response.mean_ms.ci95.expect("an interval")];
        assert!((mean - lasts_ms).abs() < 0.02 * lasts_ms + half, "{shape:?}: {mean} ± {half}, {lasts_ms}");
    }
}

/// A run that could go on does: what is precise about those that ended is not what was asked.
#[test]
fn it_goes_on_until_a_transaction_is_seen_from_its_beginning() {
    let (mut config, alone_ms) = crowd(200, DemandShape::Exponential, 1);
    // Others make it longer than can be known beforehand.
    config.nodes[0].background.processes = 3800;
    let (found, lasts_ms) = (report_within(&config, 0.2, 30_000_000), 20.0 * alone_ms);
    assert!(!found.truncated && found.response.count > 0);
    assert!((found.response.mean_ms.mean / lasts_ms - 1.0).abs() < 0.05, "{:?} of {lasts_ms}", found.response.mean_ms);
}

/// 4,000 sessions of two consumer groups and two classes.
fn grouped() -> Config {
    let (mut config, _) = crowd(4000, DemandShape::Exponential, 1);
    let mut caged = cage(3);
    let group =
        |name: &str, sessions, shares| GroupConfig { name: name.into(), sessions, shares, ..caged.groups[0].clone() };
    caged.groups = vec![group("MANY", 3000, 1), group("FEW", 1000, 3)];
    config.instances[0].cage = Some(caged);
    config
}

#[test]
fn consumer_groups_have_means_of_the_same_kind() {
    let found = report(&grouped(), 40_000);
    assert_eq!((found.response.count, found.consumer_groups.len()), (0, 2));
    for row in &found.consumer_groups {
        let (sessions, by_law) = (row.sessions as f64, row.transactions_per_s.mean * row.response_ms.mean / 1000.0);
        assert!((by_law / sessions - 1.0).abs() < 0.001, "{}: {by_law} of {sessions} sessions", row.name);
    }
}

#[derive(Default)]
struct Rows(Vec<(Key, Fact)>);

impl Sink for Rows {
    fn fact(&mut self, key: Key, fact: Fact) {
        self.0.push((key, fact));
    }
}

/// Rows say what the report says, and nothing of classes: of who is under way nobody knows which is his.
#[test]
fn rows_have_means_of_the_same_kind() {
    let mut config = grouped();
    let query = QueryConfig { share: 0.5, demand: Ns::from_ms(100.0), reads: 0.0 };
    config.instances[0].others = oltp(1, DatabaseConfig { query, ..database() }).others;
    let experiment = done(Experiment::new(&config, goal(0.02, 40_000)));
    let found = experiment.report();
    let mut rows = Rows::default();
    experiment.visit(&mut rows);
    let of = |group: fn(u32) -> bool| {
        let is_of = |key: &Key| key.metric == "response" && key.kind == Some("session") && key.instance.is_some();
        let rows = rows.0.iter().filter(|row| is_of(&row.0) && group(row.0.consumer_group.unwrap_or(0)));
        rows.fold((0.0, 0), |sum, row| (sum.0 + row.1.active.mean, sum.1 + row.1.total_ns))
    };
    let (all, groups) = (of(|group| group == 0), of(|group| group > 0));
    assert!((all.0 - 4000.0).abs() < 1.0, "all are in transactions: {}", all.0);
    assert_eq!(all.1, groups.1);
    let fact = &rows.0.iter().find(|row| row.0 == Key { metric: "response", ..Key::default() }).expect("a row").1;
    let mean = found.response.mean_ms.mean;
    assert!((fact.mean_ms.mean / mean - 1.0).abs() < 1e-6, "{} of {mean} ms", fact.mean_ms.mean);
    assert!(rows.0.iter().all(|row| row.0.class.is_none()));
    let has = |id| found.databases[0].figures.iter().any(|figure| figure.id == id);
    assert!(has("query_transactions_per_s") && !has("query_response_ms") && !has("update_response_ms"));
}

/// Of 1 ms each, 100 in a quantum, three sessions a CPU: 99 take 1 ms, and the one that is not over when the quantum is
/// waits for two others. Few of these end in seven mean responses, and the mean of those that do is 1 ms and not 3.
#[test]
fn a_mean_holds_the_seldom_one_that_waits_for_the_next_turn() {
    let short = |seed, scheduler| {
        let (mut config, _) = crowd(12, DemandShape::Constant, seed);
        config.instances[0].workload.demand.mean = Ns::from_ms(1.0);
        config.nodes[0].scheduler = scheduler;
        report_within(&config, 0.03, 10_000_000).response.mean_ms
    };
    for scheduler in [Scheduler::RoundRobin, Scheduler::O1] {
        let found: Vec<Estimate> = (0..12).map(|seed| short(seed, scheduler)).collect();
        let held = found.iter().filter(|one| (one.mean - 3.0).abs() <= one.ci95.expect("an interval")).count();
        let mean = found.iter().map(|one| one.mean).sum::<f64>() / 12.0;
        assert!(held >= 10 && (mean - 3.0).abs() < 0.03, "{scheduler:?}: {held} of 12 hold it, mean {mean}");
    }
}

/// Whoever starves never ends, and the run does: all who wait count for the mean.
#[test]
fn who_starves_is_waited_for_no_longer_than_it_takes_to_know() {
    let (mut config, _) = crowd(16, DemandShape::Constant, 1);
    config.nodes[0].scheduler = Scheduler::Fifo;
    let found = report_within(&config, 0.03, 50_000_000);
    let starved = 16 - config.nodes[0].threads();
    assert!(starved > 0 && !found.truncated && found.events < 10_000_000, "{} events", found.events);
    let lasts_ms = 100.0 * 16.0 / config.nodes[0].threads() as f64;
    assert!((found.response.mean_ms.mean / lasts_ms - 1.0).abs() < 0.01, "{:?}", found.response.mean_ms);
}

/// Mean waits for the same reason: in a cage of one slot each of 400 waits for 399 quanta.
#[test]
fn means_of_waits_are_of_all_who_wait() {
    let mut users = hogs(400);
    users.workload.arrivals = Arrivals::Closed { sessions: 400, think: Ns::ZERO, start_spread: Ns::from_ms(10.0) };
    users.cage = Some(cage(1));
    let found = report(&one(node(), users), 3_000);
    let row = found.waits.iter().find(|row| row.event == "resmgr:cpu quantum").expect("they wait");
    let (lasts_ms, each) = (row.duration.mean_ms.mean, row.clocked.mean_ms.mean);
    assert!(found.truncated && (35_000.0..48_000.0).contains(&lasts_ms), "{lasts_ms} ms");
    assert!((each / lasts_ms - 1.0).abs() < 0.02, "{each} ms as it is clocked");
    assert_eq!((row.duration.p99_ms, row.duration.max_ms, row.duration.buckets.len()), (0.0, 0.0, 0));
}

/// Two sessions on one CPU leave it after each quantum of 10 ms; another has a host for itself, and never leaves it.
/// How long they stay on a CPU is what those say that ended, mean and percentiles alike.
#[test]
fn who_has_a_cpu_for_itself_makes_no_stay_of_others_longer() {
    let quantum = Ns::from_ms(10.0);
    let host =
        NodeConfig { scheduler: Scheduler::RoundRobin, round_robin_quantum: quantum, cores_per_socket: 1, ..node() };
    let alone = InstanceConfig { node: 1, ..hogs(1) };
    let config = Config { nodes: vec![host.clone(), host], instances: vec![hogs(2), alone], cluster: None, seed: 1 };
    let found = report(&config, 200_000);
    let running = found.on_cpu.iter().find(|row| row.event.ends_with("running")).expect("sessions run");
    for (of, what) in [(&running.duration, "to the end"), (&running.clocked, "as clocked")] {
        assert!(of.count > 100, "{what}: {}", of.count);
        let [mean, longest] = [of.mean_ms.mean, of.max_ms];
        assert!((mean - 10.0).abs() < 0.1 && (longest - 10.0).abs() < 0.1, "{what}: {mean} of {longest} ms at most");
    }
}
