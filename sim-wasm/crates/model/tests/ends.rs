//! Runs that end: each start lasts until its sessions have done what they had to do, and no longer. Expectations are
//! sums of what was asked for.
use wwi_kernel::time::Ns;
use wwi_model::config::{Arrivals, DemandShape, Ending, InstanceConfig, NodeConfig, Scheduler};
use wwi_model::experiment::pair::Pair;
use wwi_model::experiment::{Experiment, Goal};
use wwi_model::fault::RunFault;
use wwi_model::testing::{database, done, finish, goal, hogs, near_abs, node, one};
use wwi_model::world::World;

const GOAL: Goal = goal(0.01, 10_000_000);

/// One CPU on which nothing is lost, sessions in turn for a millisecond each.
fn host() -> NodeConfig {
    let free = Ns::ZERO;
    NodeConfig {
        cores_per_socket: 1,
        threads_per_core: 1,
        smt_yield: vec![1.0],
        scheduler: Scheduler::RoundRobin,
        round_robin_quantum: Ns::from_ms(1.0),
        switch_direct: free,
        switch_refill: free,
        migration_refill: free,
        socket_refill: free,
        ..node()
    }
}

/// Sessions of so many executions of 100 ms, started at once or so much after one another.
fn script(sessions: u32, executions: u32, skew: Ns) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    instance.workload.ends = Some(Ending { executions, begins: Ns::ZERO, skew });
    instance
}

#[test]
fn a_session_alone_takes_the_sum_of_its_executions_and_the_run_no_longer() {
    let found = finish(&one(host(), script(1, 10, Ns::ZERO)), GOAL);
    let [row] = &found.ended[..] else { panic!("{:?}", found.ended) };
    assert_eq!((row.instance, row.sessions, row.executions), (1, 1, 10));
    assert_eq!([row.elapsed_s.mean, row.cpu_s.mean, row.ends.last_s.mean, row.reads.mean], [1.0, 1.0, 1.0, 600_000.0]);
    assert_eq!(row.elapsed_s.ci95, Some(0.0), "every start alike");
    assert_eq!((found.warmup_s, found.simulated_s, found.replications), (0.0, 3.0, 3));
    assert_eq!((found.transactions_per_s.mean, found.response.count, found.response.max_ms), (10.0, 30, 100.0));
    // All of it counts, the first execution and the last.
    let one: Vec<f64> = found.series.classes.iter().flat_map(|(_, values)| values.clone()).collect();
    assert!(one.len() as f64 * found.series.bucket_s >= 1.0 && one.iter().all(|&one| one == 1.0), "{one:?}");
}

#[test]
fn the_first_execution_is_a_whole_one_wherever_its_session_starts() {
    let mut instance = script(1, 10, Ns::ZERO);
    let start_spread = Ns::from_s(1.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 1, think: Ns::ZERO, start_spread };
    let found = finish(&one(host(), instance), GOAL);
    let row = &found.ended[0];
    assert_eq!((row.elapsed_s.mean, row.elapsed_s.ci95), (1.0, Some(0.0)));
    // From the beginning of the run it is later by half of the spread on average.
    near_abs(row.ends.last_s.mean, 1.5, 4.0 * 0.289 / 3f64.sqrt(), "the last end");
}

#[test]
fn executions_with_commits_end_like_others() {
    // 100 ms of CPU and a commit of 1 ms each, the log writer for itself on another CPU.
    let mut instance = script(1, 10, Ns::ZERO);
    instance.others.database = Some(Box::new(database()));
    let found = finish(&one(NodeConfig { cores_per_socket: 4, ..host() }, instance), GOAL);
    let commits: u64 =
        found.waits.iter().filter(|row| row.event == "log file sync").map(|row| row.duration.count).sum();
    let sync: f64 = found.waits.iter().filter(|row| row.event == "log file sync").map(|row| row.duration.total_s).sum();
    let starts = f64::from(found.replications);
    assert_eq!((found.response.count, commits), (10 * starts as u64, 10 * starts as u64));
    near_abs(found.ended[0].elapsed_s.mean, 1.0 + sync / starts, 1e-6, "elapsed");
    assert!(sync > 0.0);
}

#[test]
fn sessions_that_start_apart_share_the_cpu_where_they_overlap() {
    // 1 s of CPU each, 0.5 s apart: the first has 0.5 s left when the second comes, and is through 1 s later; the
    // second has done 0.5 s by then.
    let found = finish(&one(host(), script(2, 10, Ns::from_s(0.5))), GOAL);
    let row = &found.ended[0];
    near_abs(row.elapsed_s.mean, 1.5, 0.002, "elapsed");
    near_abs(row.ends.last_s.mean, 2.0, 0.002, "the last end");
    assert_eq!(row.cpu_s.mean, 1.0);
    // Apart by more than either takes: each alone, and nothing runs between them.
    let found = finish(&one(host(), script(2, 10, Ns::from_s(5.0))), GOAL);
    assert_eq!((found.ended[0].elapsed_s.mean, found.ended[0].ends.last_s.mean), (1.0, 6.0));
    near_abs(found.nodes[0].cpu_busy_threads.mean, 2.0 / 6.0, 1e-12, "threads busy");
}

#[test]
fn what_goes_on_for_ever_beside_it_is_looked_at_up_to_the_last_end() {
    let mut config = one(host(), script(1, 10, Ns::ZERO));
    config.instances.push(hogs(1));
    config.instances.push(script(1, 5, Ns::ZERO));
    if let Some(ends) = &mut config.instances[2].workload.ends {
        ends.begins = Ns::from_s(0.2);
    }
    let found = finish(&config, GOAL);
    let of = |instance: u32| found.ended.iter().find(|row| row.instance == instance).expect("it ends");
    assert_eq!(found.ended.len(), 2);
    // A hog takes its turn from a moment within the first second on: the longest run has at least half of its CPU,
    // and after the shorter has ended half.
    let (first, last) = (of(1).elapsed_s.mean, of(3).elapsed_s.mean);
    assert!(first > 1.5 && first < 2.6 && last > 0.5 && last < 1.51, "{first} {last}");
    near_abs(found.nodes[0].cpu_busy_threads.mean, 1.0, 1e-12, "threads busy");
    let ends = of(1).ends.last_s.reps.iter().zip(&of(3).ends.last_s.reps);
    let span = ends.map(|(one, other)| one.max(*other)).sum::<f64>() / of(1).ends.last_s.reps.len() as f64;
    near_abs(found.instances[1].cpu.time.mean * span, span - 1.5, 1e-9, "CPU of a hog");
}

#[test]
fn rates_of_starts_of_unlike_length_are_those_of_all_their_time() {
    // Two instances of one execution each of 100 ms, exponential, on one CPU: a start lasts as long as both take.
    let mut instance = script(1, 1, Ns::ZERO);
    instance.workload.demand.shape = DemandShape::Exponential;
    let mut config = one(host(), instance.clone());
    config.instances.push(instance);
    let found = finish(&config, Goal { precision: 0.1, ..GOAL });
    let span = found.nodes[0].cpu_busy_threads.reps.len() as f64 / found.simulated_s;
    let [first, second] = &found.instances[..] else { panic!("two") };
    for row in [first, second] {
        near_abs(row.transactions_per_s.mean, span, 1e-9, "one of each in every start");
    }
    let both = first.cpu.time.mean + second.cpu.time.mean;
    near_abs(both, 1.0, 1e-9, "CPU time of both");
    near_abs(first.lio_per_s.mean + second.lio_per_s.mean, found.lio_per_s.mean, 1e-6, "logical reads");
    near_abs(found.nodes[0].cpu_busy_threads.mean, 1.0, 1e-9, "threads busy");
    let work = found.ledger.iter().filter(|row| row.cause == "work").filter_map(|row| row.processes.as_ref());
    near_abs(work.map(|row| row.mean).sum(), found.lio_per_s.mean * 100e-3 / 6e4, 1e-9, "work");
}

#[test]
fn more_starts_make_the_elapsed_time_precise_and_its_interval_holds_the_truth() {
    // 100 executions of 10 ms, exponential: 1 s, one start off by 0.1 s. To 3 % that takes (2 × 0.1 / 0.03)², or 44.
    let mut instance = script(1, 100, Ns::ZERO);
    instance.workload.demand.mean = Ns::from_ms(10.0);
    instance.workload.demand.shape = DemandShape::Exponential;
    let config = one(host(), instance);
    let found = finish(&config, Goal { precision: 0.03, ..GOAL });
    let elapsed = &found.ended[0].elapsed_s;
    let half = elapsed.ci95.expect("several starts");
    assert!((27..=64).contains(&found.replications), "{}", found.replications);
    assert!(found.precision_reached.expect("it is known") <= 0.03 && half <= 0.03 * elapsed.mean);
    near_abs(elapsed.mean, 1.0, 4.0 * 0.1 / 40f64.sqrt(), "elapsed");
    let coarse = finish(&config, Goal { coarse: true, ..GOAL });
    assert_eq!(coarse.replications, 3);
}

#[test]
fn a_budget_that_lasts_for_some_starts_gives_those_and_for_none_a_fault() {
    let config = one(host(), script(1, 10, Ns::ZERO));
    let whole = done(Experiment::new(&config, GOAL)).progress().events;
    let some = done(Experiment::new(&config, Goal { max_events: whole / 2, ..GOAL }));
    let found = some.report();
    assert!(found.truncated && found.replications == 1, "{}", found.replications);
    assert_eq!(found.ended[0].elapsed_s.mean, 1.0);
    let none = done(Experiment::new(&config, Goal { max_events: whole / 8, ..GOAL }));
    assert_eq!(none.fault(), Some(RunFault::NothingEnded { max_events: whole / 8 }));
}

#[test]
fn a_run_that_ends_is_compared_with_a_steady_one_and_neither_waits_for_the_other() {
    // Work so uneven that the steady one has to be looked at for more than twice as long.
    let mut random = hogs(2);
    random.workload.demand.shape = DemandShape::Hyperexponential;
    let busy = NodeConfig { round_robin_quantum: Ns::from_ms(100.0), ..host() };
    let (ends, steady) = (one(host(), script(1, 10, Ns::ZERO)), one(busy, random));
    let mut pair = Pair::new(&ends, Some(&steady), GOAL);
    while !pair.advance(100_000).done {}
    assert_eq!(pair.fault(), None);
    let (own, other) = (pair.report(), pair.other_report().expect("two"));
    assert_eq!((own.ended[0].elapsed_s.mean, own.warmup_s, own.replications), (1.0, 0.0, other.replications));
    let active: f64 = own.series.classes.iter().flat_map(|(_, values)| values).sum();
    near_abs(active * own.series.bucket_s, 1.0, 1e-9, "sessions in time");
    let most = own.series.classes.iter().flat_map(|(_, values)| values).fold(0.0, |most: f64, &one| most.max(one));
    near_abs(most, 1.0, 1e-9, "the most at a time");
    assert!(other.ended.is_empty() && other.warmup_s > 0.0);
}

#[test]
fn long_runs_merge_buckets_and_lose_nothing() {
    // Half the work that the length of a bucket was guessed from, and twice as much.
    for times in [0.5, 2.0, 20.0] {
        let mut instance = script(1, 400, Ns::ZERO);
        instance.workload.arrivals = Arrivals::Closed { sessions: 3, think: Ns::ZERO, start_spread: Ns::ZERO };
        instance.workload.demand.mean = Ns::from_ms(1.0);
        let mut config = one(host(), instance);
        // A load beside the sessions that nobody guesses.
        config.nodes[0].background.processes = if times > 1.0 { times as u32 } else { 0 };
        config.nodes[0].background.busy = Ns::from_ms(10.0);
        let found = finish(&config, Goal { coarse: true, ..GOAL });
        let row = &found.ended[0];
        near_abs(row.cpu_s.mean, 0.4, 1e-12, "CPU");
        assert_eq!(found.response.count, 3 * 3 * 400, "{times}");
        let buckets = found.series.classes.first().map_or(0, |(_, values)| values.len());
        assert!((32..=257).contains(&buckets), "{times}: {buckets}");
        // The last is as long as the run still was.
        let bucket_s = found.series.bucket_s;
        let length = |at: usize| bucket_s.min(row.ends.last_s.reps[0] - at as f64 * bucket_s);
        let active = |values: &Vec<f64>| values.iter().enumerate().map(|(at, value)| value * length(at)).sum::<f64>();
        let active: f64 = found.series.classes.iter().map(|(_, values)| active(values)).sum();
        near_abs(active, 3.0 * row.elapsed_s.reps[0], 1e-6, "sessions in time");
    }
}

#[test]
fn work_longer_than_a_stretch_is_done_to_its_end() {
    // 10,000 s alone, in turns of 100 s: a stretch holds 4,398 s.
    let mut instance = script(1, 2, Ns::ZERO);
    instance.workload.demand.mean = Ns::from_s(10_000.0);
    let found = finish(&one(NodeConfig { round_robin_quantum: Ns::from_s(100.0), ..host() }, instance), GOAL);
    let row = &found.ended[0];
    assert_eq!([row.elapsed_s.mean, row.cpu_s.mean, row.ends.last_s.mean], [20_000.0; 3]);
    assert_eq!((found.response.count, found.response.max_ms), (6, 10_000_000.0), "a transaction is one still");
    near_abs(row.reads.mean, 2.0 * 60_000.0, 2.0, "reads");
}

/// One that runs, and one that waits for the CPU and will not get it before the run is over.
#[test]
fn who_is_killed_has_not_ended_and_keeps_no_run_from_its_end() {
    for killed in [0, 1] {
        let mut world = World::new(&one(host(), script(2, 1, Ns::ZERO)), 0);
        world.run(Ns::from_us(30_500.0), u64::MAX);
        let pid = world.runs.sessions[killed].pid;
        world.kill(pid);
        world.kill(pid);
        world.run(Ns::from_s(1.0), u64::MAX);
        assert!(world.runs.are_over());
        // 30.5 ms were shared, and what is left of the other's 100 is his alone.
        let ends = |at: usize| world.runs.sessions[at].ends.map(Ns::as_ms);
        assert_eq!(ends(killed), None);
        near_abs(ends(1 - killed).expect("the other ends"), 115.0, 1.0, "the end of the other");
    }
}
