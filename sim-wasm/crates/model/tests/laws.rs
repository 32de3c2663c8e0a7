//! Laws that hold whatever the host and the load, on random ones; and that the same seed gives the same run.
mod random_hosts;

use random_hosts::{random, several};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_model::measure::events::{Activity, ACTIVITIES, COUNT};
use wwi_model::measure::ledger::WAKING;
use wwi_model::report::{Report, WaitRow};
use wwi_model::testing::{cage, finish, goal, hogs, near_abs, node, one};
use wwi_model::world::{Process, Task, World};

/// A moment \[ns\] that meets no period of anything.
const ODD: u64 = 613_000_001;

/// Time that the processes of a host were running, by their accounts.
fn running(world: &World, node: usize) -> u64 {
    let config = &world.config;
    let here = (0..config.instances.len()).filter(|&i| config.instances[i].node == node);
    let groups = here.chain([config.background_group(node), config.service_group(node)]);
    groups.map(|g| world.accounts.groups[g].time[Activity::RUNNING.i()]).sum()
}

/// Time in which threads of a host were busy for nobody yet.
fn awaking(world: &World, node: usize) -> u64 {
    let groups = world.config.groups().into_iter().zip(&world.accounts.groups).filter(|(of, _)| of.node == node);
    let speed_time: i128 = groups.map(|(_, group)| group.book.busy[WAKING]).sum();
    (speed_time / i128::from(world.hosts[node].ledger.full)) as u64
}

/// Runs a replication and holds time and work against each other, to the nanosecond.
fn conserves(config: &Config, name: &str) {
    let mut world = World::new(config, 0);
    for step in 1..=5u64 {
        let now = step * ODD;
        world.run(Ns(now), u64::MAX);
        world.cut();
        for (thread, (busy, idle)) in world.accounts.threads.iter().enumerate() {
            assert_eq!(busy + idle, now, "thread {thread} of {name}");
        }
        let booked: u64 = world.accounts.groups.iter().flat_map(|g| g.time.to_vec()).sum();
        assert_eq!(booked, now * world.processes.len() as u64, "processes of {name}");
        for (node, host) in world.hosts.iter().enumerate() {
            let threads = host.base as usize..(host.base + host.threads) as usize;
            let busy: u64 = world.accounts.threads[threads].iter().map(|t| t.0).sum();
            let running = running(&world, node);
            match host.fluid {
                // All who share a CPU are running at once.
                Some(_) => assert!(busy <= running, "host {node} of {name}: {busy} of {running}"),
                None => {
                    let awaking = awaking(&world, node);
                    assert_eq!(busy, running + awaking, "threads and processes of host {node} of {name}");
                }
            }
        }
        for (of, group) in config.groups().iter().zip(&world.accounts.groups) {
            let strange = (0..COUNT).filter(|&a| !ACTIVITIES[a].who.has(of.kind.row()) && group.time[a] > 0);
            assert_eq!(strange.count(), 0, "events of {of:?} of {name}");
            let queued = group.stays[Activity::RUN_QUEUE.i()].sum();
            assert_eq!(group.queued.iter().sum::<u64>(), queued, "run queues by what came before of {of:?} of {name}");
        }
        for instance in 0..config.instances.len() {
            let group = &world.accounts.groups[instance];
            let is_open = |(p, task): &(&Process, &Task)| p.group as usize == instance && task.asked > 0 && p.work > 0;
            let all = world.processes.iter().zip(&world.tasks);
            let members = all.filter(|(p, _)| world.hosts[p.node as usize].fluid.is_none());
            let open: u128 = members.filter(is_open).map(|(p, task)| u128::from(task.asked - p.work)).sum();
            assert_eq!(group.work, group.asked + open, "work of instance {instance} of {name}");
        }
    }
}

#[test]
fn time_and_work_are_conserved_to_the_nanosecond_on_200_random_hosts() {
    (0..200).for_each(|seed| conserves(&random(seed), &format!("host {seed}")));
}

#[test]
fn time_and_work_are_conserved_on_each_of_several_unlike_hosts() {
    (0..80).for_each(|seed| conserves(&several(seed), &format!("hosts {seed}")));
}

#[test]
fn the_rows_of_a_report_add_up_host_by_host() {
    for seed in 0..40 {
        let config = several(seed);
        let report = report(&config, 0.1, 60_000);
        let near = |a: f64, b: f64, what: &str| {
            assert!((a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9), "{what} of hosts {seed}: {a} and {b}");
        };
        let instances = || report.instances.iter();
        near(report.lio_per_s.mean, instances().map(|i| i.lio_per_s.mean).sum(), "logical reads");
        near(report.transactions_per_s.mean, instances().map(|i| i.transactions_per_s.mean).sum(), "transactions");
        for (at, node) in report.nodes.iter().enumerate() {
            let rows = || report.processes.iter().filter(|p| p.node as usize == at + 1);
            near(node.cpu_busy_threads.mean, node.thread_busy.iter().sum(), "threads");
            near(
                node.cpu_busy_threads.mean,
                node.useful_threads + node.switch_threads + node.spin_threads,
                "uses of time",
            );
            let cpu_s: f64 = rows().map(|p| p.cpu_s).sum();
            let ledger = |cause: &str| {
                let rows = report.ledger.iter().filter(|row| row.node as usize == at + 1 && row.cause == cause);
                rows.filter_map(|row| row.threads.as_ref()).map(|threads| threads.mean).sum::<f64>()
            };
            let v0 = ledger("capacity") / config.nodes[at].threads() as f64;
            let running = node.cpu_busy_threads.mean - ledger("switch_wake") / v0;
            near(running * report.simulated_s, cpu_s, "threads and processes");
            let here = instances().zip(&config.instances).filter(|(_, i)| i.node == at).map(|(row, _)| row);
            let sessions: f64 = rows().filter(|p| p.kind == "session").map(|p| p.cpu_s).sum();
            near(here.map(|i| i.cpu.time.mean).sum::<f64>() * report.simulated_s, sessions, "CPU of sessions");
        }
        let rows = || report.on_cpu.iter().chain(report.waits.iter().filter(|row| row.process_kind == "session"));
        near(rows().filter_map(|row| row.db_time_pct).sum(), 100.0, "shares of DB time");
        let sessions = |of: fn(&WaitRow) -> f64| rows().map(of).sum::<f64>();
        near(sessions(|row| row.clocked_aas.mean), sessions(|row| row.aas.mean), "sessions however clocked");
        let on_cpu = report.on_cpu.iter().map(|row| row.clocked_aas.mean).sum();
        near(instances().map(|row| row.cpu.on_cpu.mean).sum(), on_cpu, "sessions on CPU");
        let is_other = |row: &&WaitRow| row.process_kind != "session";
        assert!(report.waits.iter().filter(is_other).all(|row| row.db_time_pct.is_none()), "shares of DB time {seed}");
    }
}

/// Two hogs in turns of a CPU: each switch costs 3 µs and 20 µs of refill, and all of it is paid.
#[test]
fn a_switch_is_told_in_microseconds_and_paid_in_threads() {
    let (switch_direct, switch_refill) = (Ns::from_us(3.0), Ns::from_us(20.0));
    let host =
        NodeConfig { cores_per_socket: 1, scheduler: Scheduler::RoundRobin, switch_direct, switch_refill, ..node() };
    let report = report(&one(host, hogs(2)), 0.1, 60_000);
    let row = &report.nodes[0];
    assert!((row.mean_switch_us / 23.0 - 1.0).abs() < 0.01, "{} µs", row.mean_switch_us);
    let paid = row.switches_per_s.mean * 23e-6;
    assert!(paid > 0.0 && (row.switch_threads / paid - 1.0).abs() < 0.01, "{} for {paid}", row.switch_threads);
}

/// Other work on other cores of the first host, and the second goes through the same moments.
#[test]
fn what_one_host_does_changes_nothing_on_another() {
    for seed in 0..40 {
        let config = several(seed);
        let mut other = config.clone();
        other.nodes[0].cores_per_socket += 1;
        other.nodes[0].switch_refill = Ns::from_us(321.0);
        for instance in other.instances.iter_mut().filter(|i| i.node == 0) {
            instance.workload.demand.mean = Ns(instance.workload.demand.mean.0 * 17 / 10);
        }
        let ran = [config, other].map(|config| {
            let mut world = World::new(&config, 0);
            world.run(Ns(3 * ODD), u64::MAX);
            world.cut();
            let threads = world.hosts[1].base as usize..(world.hosts[1].base + world.hosts[1].threads) as usize;
            let instances = (0..config.instances.len()).filter(|&i| config.instances[i].node == 1);
            let groups = instances.chain([config.background_group(1), config.service_group(1)]);
            let of = |g: usize| {
                let group = &world.accounts.groups[g];
                (group.time, group.work, group.transactions, group.migrations)
            };
            (world.accounts.threads[threads].to_vec(), groups.map(of).collect::<Vec<_>>())
        });
        assert!(ran[0].0.iter().any(|t| t.0 > 0), "hosts {seed}: nothing ran");
        assert_eq!(ran[0], ran[1], "hosts {seed}");
    }
}

/// The report at a precision or an event budget.
fn report(config: &Config, precision: f64, max_events: u64) -> Report {
    finish(config, goal(precision, max_events))
}

#[test]
fn the_same_seed_gives_the_same_report_and_slicing_does_not_matter() {
    for seed in 0..24 {
        let goal = Goal { record: 4096, ..goal(0.1, 200_000) };
        let run = |slice: u64| {
            let mut experiment = Experiment::new(&random(seed), goal);
            while !experiment.advance(slice).done {}
            experiment.report()
        };
        let report = run(1_000);
        assert!(report == run(77), "host {seed}");
        let broken: Vec<_> = report.checks.iter().filter(|c| !c.ok).collect();
        assert!(broken.is_empty(), "host {seed}: {broken:?}");
    }
}

#[test]
fn a_run_that_meets_its_budget_says_so() {
    let config = Config { nodes: vec![node()], instances: vec![hogs(40)], cluster: None, seed: 1 };
    let report = finish(&config, goal(1e-9, 30_000));
    assert!(report.truncated && report.events <= 30_000 && report.lio_per_s.mean > 0.0, "{report:?}");
}

#[test]
fn arrivals_that_outrun_their_service_end_the_run_and_say_so() {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s: 1e6 };
    let config = Config { nodes: vec![node()], instances: vec![instance], cluster: None, seed: 1 };
    assert!(finish(&config, goal(0.01, u64::MAX)).truncated);
}

/// A budget may end a run at any moment, also after its horizon was doubled and its buckets merged.
#[test]
fn a_budget_may_end_a_run_at_any_moment() {
    let mut instance = hogs(11);
    instance.cage = Some(cage(2));
    let config = Config { nodes: vec![node()], instances: vec![instance], cluster: None, seed: 42 };
    for max_events in (500..60_000).step_by(1_777) {
        for figures in [Figures::ThroughputAndResponse, Figures::ThroughputOnly] {
            let report = finish(&config, Goal { figures, ..goal(1e-6, max_events) });
            let is_exact = report.precision_reached.is_some_and(|reached| reached <= 1e-6);
            assert!(report.truncated || is_exact, "{max_events}: {:?}", report.precision_reached);
            assert!(report.lio_per_s.mean > 0.5e6, "{max_events}: {:?}", report.lio_per_s);
        }
    }
}

/// A budget that is spent before the horizon is no lack where what was asked for has been reached.
#[test]
fn a_budget_that_is_enough_for_what_was_asked_ends_a_run_without_a_word() {
    let mut instance = hogs(11);
    instance.workload.demand.shape = DemandShape::Exponential;
    let config = Config { nodes: vec![node()], instances: vec![instance], cluster: None, seed: 42 };
    let run = |precision: f64, max_events: u64| finish(&config, goal(precision, max_events));
    let whole = run(0.02, u64::MAX);
    let short = |precision: f64| run(precision, whole.events * 9 / 10);
    let (enough, lacking) = (short(0.04), short(0.001));
    assert!(!enough.truncated && enough.precision_reached.is_some_and(|reached| reached <= 0.04));
    assert!(lacking.truncated && lacking.precision_reached.is_some_and(|reached| reached > 0.001));
}

/// The picture of who ran where covers a thread's whole time where its session never changes, and leaves gaps where it
/// idles.
#[test]
fn the_recording_knows_what_every_thread_did() {
    for (sessions, busy_threads) in [(1, 1.0), (4, 4.0), (9, 4.0)] {
        let config = Config { nodes: vec![node()], instances: vec![hogs(sessions)], cluster: None, seed: 3 };
        let report = finish(&config, Goal { record: 4096, ..goal(0.05, 200_000) });
        let timeline = report.timeline;
        let (start, end) = (timeline.from_ms.max(report.warmup_s * 1e3), timeline.to_ms);
        let within = timeline.slices.iter().filter(|s| s.end_ms > start);
        let span = |running: bool| {
            let of = within.clone().filter(|s| (s.activity == Activity::RUNNING.i() as u8) == running);
            of.map(|s| s.end_ms - s.start_ms.max(start)).sum::<f64>()
        };
        let busy = span(true);
        let everybody = f64::from(sessions) * (end - start);
        assert!((busy + span(false) - everybody).abs() < 1e-6 * everybody, "{sessions}: every process at every moment");
        assert!((busy / (end - start) - busy_threads).abs() < 1e-6, "{sessions}: {busy} in {start}..{end}");
    }
}

/// Logical reads go with the work: half of a transaction has half of its 60,000, though it is no more than under way.
#[test]
fn what_is_under_way_has_read_as_much_as_it_has_worked() {
    let mut instance = hogs(1);
    instance.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::ZERO, start_spread: Ns::ZERO };
    let mut world = World::new(&one(node(), instance), 0);
    for (ms, reads) in [(50.0, 30_000.0), (125.0, 75_000.0)] {
        world.run(Ns::from_ms(ms), u64::MAX);
        world.cut();
        near_abs(world.accounts.groups[0].logical_reads(), reads, 1.0, "logical reads");
    }
}
