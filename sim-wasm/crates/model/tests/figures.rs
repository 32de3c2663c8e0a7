//! Figures of the report against arithmetic: slots, logical reads by instance, long answers of a server.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, LogConfig};
use wwi_model::config::*;
use wwi_model::experiment::{Figure, FigureKind, Figures, Goal};
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{cage, database, finish, goal, hogs, near_rel, node, oltp, one, ordinary};

fn report(config: &Config) -> Report {
    finish(config, goal(0.005, 5_000_000))
}

/// Held slot time over all slot time: n of S where n sessions never give way, q / (q + d) where more than S want the
/// slots.
#[test]
fn slot_utilisation_is_over_the_slots_there_are() {
    for (sessions, slots, expected) in
        [(1, 1, 1.0), (2, 4, 0.5), (3, 4, 0.75), (9, 2, 100.0 / 110.0), (5, 1, 100.0 / 110.0)]
    {
        let mut load = hogs(sessions);
        load.cage = Some(cage(slots));
        let row = report(&one(node(), load)).instances[0].clone();
        assert_eq!(row.slots, Some(slots));
        near_rel(row.slot_utilisation.expect("a cage").mean, expected, 0.01, &format!("{sessions} on {slots}"));
    }
}

/// One session alone on a thread reads its instance's reads a transaction in its instance's time a transaction.
#[test]
fn logical_reads_are_those_of_each_instance() {
    let mut config = one(NodeConfig { cores_per_socket: 6, ..node() }, hogs(1));
    let mut light = hogs(2);
    light.workload.lio_per_transaction = 6_000.0;
    let mut quick = hogs(1);
    quick.workload.demand.mean = Ns::from_ms(20.0);
    config.instances.extend([light, quick]);
    for (instance, affinity) in config.instances.iter_mut().zip([vec![0], vec![1, 2], vec![3]]) {
        instance.affinity = Affinity::Hard(CpuSet(affinity));
    }
    let report = report(&config);
    for (row, expected) in report.instances.iter().zip([600_000.0, 120_000.0, 3_000_000.0]) {
        near_rel(row.lio_per_s.mean, expected, 1e-3, "LIO/s of an instance");
    }
    for (row, expected) in report.instances.iter().zip([10.0, 20.0, 50.0]) {
        near_rel(row.transactions_per_s.mean, expected, 1e-2, "transactions of an instance");
    }
    near_rel(report.lio_per_s.mean, 3_720_000.0, 1e-3, "LIO/s of all");
}

/// A server alone is M/D/1: nobody is answered before D, and the mean is D + ρ D / (2 (1 − ρ)) (Pollaczek and
/// Khinchine).
#[test]
fn a_server_may_take_long() {
    for (demand_ms, load) in [(100.0, 0.1), (100.0, 0.5), (20.0, 0.8)] {
        let mut host = NodeConfig { cores_per_socket: 2, ..node() };
        host.service = Some(ServiceConfig {
            servers: 1,
            arrivals: ServiceArrivals::Poisson,
            per_s: load * 1e3 / demand_ms,
            demand: Demand { mean: Ns::from_ms(demand_ms), shape: DemandShape::Constant },
            kind: ordinary(),
        });
        let response = report(&one(host, bound_to_the_first())).services[0].response.clone();
        let mean = demand_ms * (1.0 + load / (2.0 * (1.0 - load)));
        near_rel(response.mean_ms.mean, mean, 0.02, &format!("mean of {demand_ms} ms at {load}"));
        assert!(response.p50_ms > 0.98 * demand_ms && response.p99_ms >= response.p95_ms, "{response:?}");
        assert!(response.max_ms > 1.9 * demand_ms, "somebody waited for nearly a whole answer: {}", response.max_ms);
    }
}

/// A session that leaves the second thread to the server.
fn bound_to_the_first() -> InstanceConfig {
    InstanceConfig { affinity: Affinity::Hard(CpuSet(vec![0])), ..hogs(1) }
}

/// A message is half its sender's work and half its receiver's: so many a second as the threads' time holds.
#[test]
fn messages_are_counted_by_the_work_done() {
    let mut load = hogs(0);
    load.workload.demand = Demand { mean: Ns::from_us(50.0), shape: DemandShape::Constant };
    load.workload.lio_per_transaction = 10.0;
    load.workload.arrivals = Arrivals::Messages { groups: 4, pairs: 3, buffer: 4 };
    let found = report(&one(NodeConfig { cores_per_socket: 2, ..node() }, load));
    near_rel(found.nodes[0].cpu_busy_threads.mean, 2.0, 0.001, "threads busy");
    near_rel(found.transactions_per_s.mean, 2.0 / 50e-6, 0.001, "messages/s");
    near_rel(found.instances[0].transactions_per_s.mean, 2.0 / 50e-6, 0.001, "messages/s of the instance");
    near_rel(found.lio_per_s.mean, 10.0 * 2.0 / 50e-6, 0.001, "logical reads/s");
}

/// Of what never happened the bound alone grows narrower: the run that throughput needs is enough for it, and for what
/// did happen once it is not.
#[test]
fn a_figure_that_is_nothing_in_every_start_is_as_precise_as_it_can_be() {
    fn seen(report: &Report, once: f64) -> Option<Estimate> {
        let mut reps = vec![0.0; report.lio_per_s.reps.len()];
        reps[0] = once;
        Some(Estimate { mean: once / reps.len() as f64, ci95: Some(0.1), reps })
    }
    let run = |read: fn(&str, &Report, Option<f64>) -> Option<Estimate>| {
        let figure = Figure { id: "seldom", kind: FigureKind::Rate, is_of_server: false, read };
        finish(&one(node(), hogs(2)), Goal { figures: Figures::One(figure), ..goal(0.05, 300_000) })
    };
    let never = run(|_, report, _| seen(report, 0.0));
    assert!(!never.truncated && never.precision_reached == Some(0.0), "{} events", never.events);
    assert!(run(|_, report, _| seen(report, 0.01)).truncated);
}

/// A log that no start fills: how long a stall takes is not known for looking longer, nor what writers do.
#[test]
fn what_does_not_happen_is_not_waited_for() {
    type Read = fn(&str, &Report, Option<f64>) -> Option<Estimate>;
    let of_writers: [Read; 3] = [
        |_, report, _| figure(report, "commits_per_s"),
        |_, report, _| figure(report, "stall_ms"),
        |_, report, _| figure(report, "writer_cpus"),
    ];
    let log = LogConfig { size: 1 << 40, ..database().log };
    let config = one(node(), oltp(8, DatabaseConfig { log, ..database() }));
    let found = of_writers.map(|read| {
        let figure = Figure { id: "seldom", kind: FigureKind::Mean, is_of_server: false, read };
        finish(&config, Goal { figures: Figures::One(figure), ..goal(0.1, 3_000_000) })
    });
    assert!(found.iter().all(|one| !one.truncated && one.events == found[0].events));
    assert_eq!(figure(&found[1], "stall_ms"), None);
    assert!(figure(&found[2], "writer_cpus").is_some_and(|value| value.reps.is_empty()));
}

fn figure(report: &Report, id: &str) -> Option<Estimate> {
    report.databases[0].figures.iter().find(|one| one.id == id && one.has_any).map(|one| one.value.clone())
}
