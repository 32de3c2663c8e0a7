//! Figures with dimensions: what is told by host, kind, instance, process or event sums to what is told without.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, LogConfig, QueryConfig};
use wwi_model::config::*;
use wwi_model::experiment::Experiment;
use wwi_model::report::facts::{Fact, Key, Sink};
use wwi_model::report::Report;
use wwi_model::testing::{cage, database, done, goal, hogs, lawful, node, oltp, one, ordinary};

#[derive(Default)]
struct Rows(Vec<(Key, Fact)>);

impl Sink for Rows {
    fn fact(&mut self, key: Key, fact: Fact) {
        self.0.push((key, fact));
    }
}

impl Rows {
    /// Number and length \[ns\] of all rows that are so.
    fn sum(&self, is_so: impl Fn(&Key) -> bool) -> (u64, u128) {
        let rows = self.0.iter().filter(|(key, _)| is_so(key));
        rows.fold((0, 0), |sum, (_, fact)| (sum.0 + fact.count, sum.1 + fact.total_ns))
    }
    fn of(&self, key: Key) -> &Fact {
        &self.0.iter().find(|(other, _)| *other == key).unwrap_or_else(|| panic!("{key:?}")).1
    }
}

/// Two unlike hosts with a server and background each, two instances on the one and one on the other.
fn config() -> Config {
    let host = |cores, per_s| NodeConfig {
        cores_per_socket: cores,
        background: Background { processes: 2, busy: Ns::from_ms(3.0), sleep: Ns::from_ms(4.0), kind: ordinary() },
        service: Some(ServiceConfig {
            servers: 1,
            arrivals: ServiceArrivals::Poisson,
            per_s,
            demand: Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Exponential },
            kind: ordinary(),
        }),
        ..node()
    };
    let instance = |node, sessions, slots| InstanceConfig {
        node,
        cage: Some(cage(slots)),
        latch: LatchConfig { held_share: 0.2, request_per_s: 500.0, spin: Ns::from_us(10.0) },
        ..hogs(sessions)
    };
    let instances = vec![instance(1, 5, 2), instance(0, 3, 1), instance(1, 4, 3)];
    Config { nodes: vec![host(2, 50.0), host(4, 80.0)], instances, cluster: None, seed: 7 }
}

fn told() -> (Rows, Report) {
    told_of(&config())
}

fn told_of(config: &Config) -> (Rows, Report) {
    let experiment = done(Experiment::new(config, goal(0.5, 400_000)));
    let mut rows = Rows::default();
    experiment.visit(&mut rows);
    (rows, lawful(config, &experiment))
}

/// Places of those who come by themselves are processes while somebody has them: nobody idles there.
#[test]
fn a_place_that_nobody_has_is_no_idle_process() {
    let mut users = hogs(0);
    users.workload.arrivals = Arrivals::Open { per_s: 50.0 };
    users.workload.demand = Demand { mean: Ns::from_ms(10.0), shape: DemandShape::Exponential };
    let (rows, _) = told_of(&one(NodeConfig { cores_per_socket: 1, ..node() }, users));
    let time = |event| rows.sum(|key| *key == Key { metric: "time", event, ..Key::default() }).1;
    assert!(time(Some("running")) > 0 && time(Some("idle")) == 0, "{} of {}", time(Some("idle")), time(None));
}

const OF_PROCESSES: [&str; 5] = ["response", "cpu", "time", "wait", "wait_clocked"];

#[test]
fn rows_of_a_dimension_sum_to_the_row_without_it() {
    let (rows, _) = told();
    let dimensions = |k: &Key| [k.node.is_some(), k.kind.is_some(), k.instance.is_some(), k.event.is_some()];
    let (mut sums, kinds) = (0, ["session", "background", "service"]);
    let of_many = |key: &Key| OF_PROCESSES.contains(&key.metric) && key.process.is_none();
    for (key, whole) in rows.0.iter().filter(|(key, _)| of_many(key)) {
        let whole = (whole.count, whole.total_ns);
        let metric = |k: &Key| k.metric == key.metric && k.process.is_none();
        let [node, kind, instance, event] = dimensions(key);
        let mut check = |name: &str, found: (u64, u128)| {
            assert_eq!(found, whole, "{key:?} by {name}");
            sums += 1;
        };
        if !node && !instance {
            let by = [true, kind, false, event];
            let same = |k: &Key| metric(k) && dimensions(k) == by && k.kind == key.kind && k.event == key.event;
            check("host", rows.sum(same));
        }
        if !kind && !instance {
            let by = [node, true, false, event];
            let same = |k: &Key| metric(k) && dimensions(k) == by && k.node == key.node && k.event == key.event;
            check("kind", rows.sum(same));
        }
        if node && !instance && key.kind == Some("session") {
            let by = [true, true, true, event];
            let same = |k: &Key| dimensions(k) == by && (k.node, k.kind, k.event) == (key.node, key.kind, key.event);
            check("instance", rows.sum(|k| metric(k) && same(k)));
        }
        if !event && ["time", "wait", "wait_clocked"].contains(&key.metric) {
            let by = [node, kind, instance, true];
            let same =
                |k: &Key| dimensions(k) == by && (k.node, k.kind, k.instance) == (key.node, key.kind, key.instance);
            check("event", rows.sum(|k| metric(k) && same(k)));
        }
    }
    assert!(sums > 80, "{sums} sums");
    for (kind, node) in kinds.into_iter().flat_map(|kind| [1, 2].map(|node| (kind, node))) {
        let key = Key { metric: "cpu", node: Some(node), kind: Some(kind), ..Key::default() };
        let fact = rows.of(key);
        assert!(fact.count > 0 && fact.active.ci95.is_some() && fact.mean_ms.ci95.is_some(), "{kind} on {node}");
    }
    let instances = rows.0.iter().filter(|(k, _)| k.metric == "response" && k.instance.is_some());
    assert_eq!(instances.count(), 3);
}

/// Each process of a kind that has few is told, in numbers from 1; all of them sum to what the kind has on its host.
#[test]
fn rows_of_single_processes_sum_to_those_of_their_kind() {
    let (rows, _) = told();
    let mut sums = 0;
    for (key, whole) in rows.0.iter().filter(|(key, _)| OF_PROCESSES.contains(&key.metric)) {
        if key.process.is_none() && key.node.is_some() && ["background", "service"].contains(&key.kind.unwrap_or("")) {
            let own = |k: &Key| Key { process: None, ..*k } == *key && k.process.is_some();
            assert_eq!(rows.sum(own), (whole.count, whole.total_ns), "{key:?}");
            sums += 1;
        }
    }
    assert!(sums > 20, "{sums} sums");
    for (kind, processes) in [("background", 2), ("service", 1), ("session", 0)] {
        let mut numbers: Vec<_> = rows
            .0
            .iter()
            .filter(|(k, _)| k.kind == Some(kind) && k.node == Some(2))
            .filter_map(|r| r.0.process)
            .collect();
        numbers.dedup();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers, (1..=processes).collect::<Vec<u32>>(), "{kind}");
    }
    let busy =
        |process| rows.of(Key { metric: "cpu", node: Some(1), kind: Some("background"), process, ..Key::default() });
    assert!(
        busy(Some(1)).active.ci95.is_some() && busy(Some(1)).total_ns != busy(Some(2)).total_ns,
        "two of their own"
    );
}

/// Where processes share the threads it is known what all together had of them, and not what each had.
#[test]
fn single_processes_that_share_processors_have_no_cpu_time_of_their_own() {
    let mut config = config();
    config.nodes.iter_mut().for_each(|node| node.scheduler = Scheduler::ProcessorSharing);
    for instance in &mut config.instances {
        (instance.cage, instance.latch) = (None, hogs(1).latch);
    }
    let (rows, _) = told_of(&config);
    let single = |metric| rows.0.iter().filter(|(k, _)| k.process.is_some() && k.metric == metric).count();
    assert!(single("cpu") == 0 && single("time") > 6, "{} and {}", single("cpu"), single("time"));
    let cpu = |kind| rows.of(Key { metric: "cpu", kind, ..Key::default() }).total_ns;
    let kinds = ["session", "background", "service"].map(|kind| cpu(Some(kind)));
    assert!(kinds.iter().all(|&own| own > 0));
    assert_eq!(kinds.iter().sum::<u128>(), cpu(None));
}

/// 33 processes of a kind on a host are more than are told one by one; the server beside them is told.
#[test]
fn a_kind_with_many_processes_is_told_together_alone() {
    for (processes, most) in [(32, 32), (33, 0)] {
        let mut config = config();
        config.nodes.truncate(1);
        config.instances.retain(|instance| instance.node == 0);
        config.nodes[0].background.processes = processes;
        let (rows, _) = told_of(&config);
        let of = |kind| rows.0.iter().filter(move |r| r.0.kind == Some(kind)).filter_map(|r| r.0.process).max();
        assert_eq!((of("background").unwrap_or(0), of("service")), (most, Some(1)));
    }
}

/// Sessions of the second instance run queries, too: their rows by class sum to the row of the instance.
#[test]
fn rows_of_classes_sum_to_the_row_of_their_instance() {
    let mut config = config();
    let query = QueryConfig { share: 0.25, demand: Ns::from_ms(20.0), reads: 0.0 };
    config.instances[1].others.database = Some(Box::new(DatabaseConfig { query, ..database() }));
    let (rows, report) = told_of(&config);
    let of = |k: &Key, class| {
        (k.metric, k.class, k.instance, k.process, k.event) == ("response", class, Some(2), None, None)
    };
    let parts = ["query", "update"].map(|class| rows.sum(|k| of(k, Some(class)) && k.kind == Some("session")));
    let whole = rows.sum(|k| of(k, None) && k.kind == Some("session"));
    assert_eq!((parts[0].0 + parts[1].0, parts[0].1 + parts[1].1), whole);
    let share = parts[0].0 as f64 / whole.0 as f64;
    assert!((share - 0.25).abs() < 0.05, "{share}");
    assert_eq!(rows.0.iter().filter(|(k, _)| k.class.is_some()).count(), 2, "no other instance has classes");
    let figures = &report.databases[0].figures;
    for (class, id) in [("query", "query_response_ms"), ("update", "update_response_ms")] {
        let fact = &rows.0.iter().find(|(k, _)| k.class == Some(class)).expect(class).1.mean_ms;
        let figure = &figures.iter().find(|f| f.id == id).expect(id).value;
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a;
        let ci95 = fact.ci95.zip(figure.ci95).is_some_and(|(a, b)| near(a, b));
        assert!(near(fact.mean, figure.mean) && ci95, "{class}: {fact:?} {figure:?}");
    }
}

/// A log that none of the starts fills says nothing of the writers; of switches and stalls there may be up to three
/// more in the time that is looked at, at 95 %, than were counted.
#[test]
fn what_comes_once_a_log_is_not_known_where_no_log_fills() {
    for (size, fills) in [(1 << 40, false), (1 << 20, true)] {
        let log = LogConfig { size, ..database().log };
        let (_, report) = told_of(&one(node(), oltp(8, DatabaseConfig { log, ..database() })));
        let value = |id| &report.databases[0].figures.iter().find(|figure| figure.id == id).expect(id).value;
        for id in ["commits_per_s", "block_changes_per_s", "dirty_buffers"] {
            assert!(value(id).ci95.is_some() && value(id).reps.len() > 1, "{id}: {:?}", value(id));
        }
        for id in ["blocks_written_per_s", "blocks_written_per_transaction", "writer_cpus", "stalled_percent"] {
            assert_eq!((value(id).ci95.is_some(), value(id).reps.len() > 1), (fills, fills), "{id}: {:?}", value(id));
        }
        for id in ["log_switches_per_s", "stalls_per_s"] {
            let least = 3.0 / report.simulated_s;
            assert!(value(id).ci95.is_some_and(|half| half >= least * 0.999_999), "{id}: {:?}, {least}", value(id));
        }
        assert_eq!(value("log_switches_per_s").mean > 0.0, fills);
    }
}

#[test]
fn no_two_rows_have_one_name() {
    let (rows, _) = told();
    for (at, (key, _)) in rows.0.iter().enumerate() {
        assert!(rows.0[..at].iter().all(|(other, _)| other != key), "{key:?}");
    }
}

#[test]
fn rows_say_what_the_report_says() {
    let (rows, report) = told();
    let near = |a: f64, b: f64, name: &str| assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()), "{name}: {a} {b}");
    assert!(!report.waits.is_empty());
    let mut in_waits = 0.0;
    for wait in &report.waits {
        let key = Key { metric: "wait", kind: Some("session"), event: Some(wait.event), ..Key::default() };
        let fact = rows.of(key);
        assert_eq!(fact.count, wait.duration.count, "{}", wait.event);
        near(fact.mean_ms.mean, wait.duration.mean_ms.mean, wait.event);
        let clocked = rows.of(Key { metric: "wait_clocked", ..key });
        assert!(clocked.count == fact.count && clocked.total_ns > fact.total_ns, "{}", wait.event);
        near(clocked.mean_ms.mean, wait.clocked.mean_ms.mean, wait.event);
        let queued = clocked.active.mean - fact.active.mean;
        near(wait.clocked_aas.mean - wait.aas.mean, queued, wait.event);
        in_waits += queued;
    }
    // What waits hold of run queues is not ON CPU.
    let [running, queue] = ["running", "run queue"].map(|event| {
        rows.of(Key { metric: "time", kind: Some("session"), event: Some(event), ..Key::default() }).active.mean
    });
    assert!(in_waits > 1e-6 * queue);
    near(report.on_cpu[1].clocked_aas.mean, queue - in_waits, "run queue in no wait");
    near(report.instances.iter().map(|row| row.cpu.on_cpu.mean).sum(), running + queue - in_waits, "ON CPU");
    let rows_of_sessions = report.on_cpu.iter().chain(&report.waits);
    near(rows_of_sessions.filter_map(|row| row.db_time_pct).sum(), 100.0, "DB time");
    for row in &report.processes {
        let key = Key { metric: "cpu", node: Some(row.node), kind: Some(row.kind), ..Key::default() };
        let same = report.processes.iter().filter(|other| (other.kind, other.node) == (row.kind, row.node));
        near(rows.of(key).total_ns as f64 / 1e9, same.map(|r| r.cpu_s).sum(), row.kind);
    }
    let response = rows.of(Key { metric: "response", kind: Some("session"), ..Key::default() });
    assert_eq!(response.count, report.response.count);
    near(response.mean_ms.mean, report.response.mean_ms.mean, "response");
    for service in &report.services {
        let (node, kind) = (Some(service.node), Some("service"));
        let fact = rows.of(Key { metric: "response", node, kind, ..Key::default() });
        assert_eq!(fact.count, service.response.count);
        near(fact.mean_ms.mean, service.response.mean_ms.mean, "server");
    }
}

#[test]
fn queues_are_told_one_by_one_and_together() {
    let (rows, _) = told();
    for metric in ["queue_put", "queue_taken", "queue_waiting"] {
        let all = rows.of(Key { metric, ..Key::default() });
        let parts = rows.sum(|key| key.metric == metric && key.object.is_some());
        assert_eq!(parts, (all.count, all.total_ns), "{metric}");
    }
    let put = rows.of(Key { metric: "queue_put", object: Some(2), ..Key::default() }).count;
    let taken = rows.of(Key { metric: "queue_taken", object: Some(2), ..Key::default() });
    assert!(taken.count > 0 && taken.count <= put && put - taken.count < 1000, "{put}");
    // By Little's law items at a time are items a second times how long each waits, but for those that wait at the end.
    let waiting = rows.of(Key { metric: "queue_waiting", object: Some(2), ..Key::default() });
    assert!(waiting.total_ns >= taken.total_ns && waiting.total_ns < taken.total_ns + taken.total_ns / 10);
    assert!(!rows.0.iter().any(|(key, _)| key.metric.starts_with("lock") || key.metric.starts_with("device")));
}
