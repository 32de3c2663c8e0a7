//! Replications are independent starts, and intervals say how far they lie apart.
use wwi_kernel::stats::half_width;
use wwi_kernel::time::Ns;
use wwi_model::config::database::{
    CacheConfig, CheckpointConfig, DatabaseConfig, LogConfig, TransactionConfig, WriterConfig,
};
use wwi_model::config::kinds::KindId;
use wwi_model::config::*;
use wwi_model::experiment::pair::Pair;
use wwi_model::experiment::Experiment;
use wwi_model::fault::RunFault;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::report::{Estimate, Report};
use wwi_model::testing::{cage, database, device, done, finish, goal, hogs, node, oltp, one, ordinary};
use wwi_model::world::World;

fn report(config: &Config, precision: f64) -> Report {
    finish(config, goal(precision, 400_000))
}

/// Random work that comes at random.
fn queue() -> Config {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s: 200.0 };
    instance.workload.demand = Demand { mean: Ns::from_ms(10.0), shape: DemandShape::Exponential };
    one(node(), instance)
}

#[test]
fn no_two_starts_are_the_same() {
    let report = report(&queue(), 0.05);
    for estimate in [&report.lio_per_s, &report.response.mean_ms] {
        let mut reps = estimate.reps.clone();
        assert!(reps.len() >= 8, "{reps:?}");
        reps.sort_by(f64::total_cmp);
        assert!(reps.windows(2).all(|pair| pair[0] < pair[1]), "{reps:?}");
    }
}

/// Each interval is at least Student's t over what the starts say.
#[test]
fn an_interval_is_no_narrower_than_the_starts_allow() {
    let mut thinkers = hogs(20);
    if let Arrivals::Closed { think, .. } = &mut thinkers.workload.arrivals {
        *think = Ns::from_ms(200.0);
    }
    thinkers.workload.demand.shape = DemandShape::Exponential;
    for (config, precision) in [(queue(), 0.05), (queue(), 0.02), (one(node(), thinkers), 0.03)] {
        let report = report(&config, precision);
        let holds = |estimate: &Estimate, what: &str| {
            let (told, starts) = (estimate.ci95.expect("an interval"), half_width(&estimate.reps).expect("starts"));
            assert!(told >= starts * 0.999, "{what}: ± {told}, the starts alone ± {starts}");
        };
        holds(&report.lio_per_s, "logical reads");
        holds(&report.transactions_per_s, "transactions");
        holds(&report.response.mean_ms, "response");
    }
}

/// Phases of slots and ticks never move within a run, so a cage asks for more starts and never for longer ones; up to
/// 64.
#[test]
fn where_starts_decide_there_are_more_of_them_up_to_64() {
    let mut caged = hogs(9);
    caged.cage = Some(cage(2));
    let report = report(&one(node(), caged), 1e-6);
    assert_eq!((report.replications, report.truncated), (64, true));
}

/// A start takes some 3,700 events. Were it always twice as many, what the budget ends on their way would be lost, up
/// to half of all.
#[test]
fn no_more_starts_begin_than_the_budget_lasts_for() {
    let caged = |tick_ms| {
        let mut hogs = hogs(9);
        hogs.cage = Some(CageConfig { tick: Ns::from_ms(tick_ms), ..cage(2) });
        one(node(), hogs)
    };
    for budget in (4..24).map(|step| 10_000 * step) {
        let found = finish(&caged(10.0), goal(1e-6, budget));
        assert!(u64::from(found.replications) >= budget / 4000, "{budget}: {} starts", found.replications);
    }
    // Of two that are compared, as many as it lasts for in both.
    for others in [[10.0, 1.0], [1.0, 10.0]] {
        let [b, a] = others.map(caged);
        let mut pair = Pair::new(&b, Some(&a), goal(1e-6, 100_000));
        while !pair.advance(10_000).done {}
        let (own, other) = (pair.report(), pair.other_report().expect("two"));
        assert!(
            own.replications == other.replications && own.replications > 8,
            "{} and {}",
            own.replications,
            other.replications
        );
    }
}

/// 8 ms in 100 at 250 Hz, and 8 ms of work at a time. Were periods on ticks, each would take 100 ms; as they are, a
/// period has up to 4 ms more or less, and some take nearly two.
#[test]
fn periods_of_quotas_begin_anywhere_between_ticks() {
    let mut hog = hogs(1);
    hog.workload.demand = Demand { mean: Ns::from_ms(8.0), shape: DemandShape::Constant };
    let (quota, period) = (Some(Ns::from_ms(8.0)), Ns::from_ms(100.0));
    hog.cgroup = Some(CgroupConfig { weight: 100, quota, period, burst: Ns::ZERO });
    let report = report(&one(NodeConfig { tick_hz: 250, ..node() }, hog), 0.02);
    let p99 = report.response.p99_ms;
    assert!((150.0..200.0).contains(&p99), "{p99} ms");
}

/// 32 sessions in a cage of the eight threads of four cores, refills of 800 µs: what is done in a second does not hang
/// on how long it takes until all have started. Slots dealt in the order of quick starts would change hands together,
/// and 0.7 % less would be done.
#[test]
fn sessions_start_within_a_quantum_so_that_quick_starts_do_not_put_slots_in_step() {
    let host = NodeConfig {
        cores_per_socket: 4,
        threads_per_core: 2,
        smt_yield: vec![1.0, 1.5],
        switch_refill: Ns::from_us(800.0),
        ..node()
    };
    let done = [1000.0, 100.0, 10.0].map(|spread| {
        let mut caged = hogs(32);
        caged.cage = Some(cage(8));
        caged.workload.arrivals = Arrivals::Closed { sessions: 32, think: Ns::ZERO, start_spread: Ns::from_ms(spread) };
        report(&one(host.clone(), caged), 0.0015).lio_per_s
    });
    for quick in &done[1..] {
        let apart = quick.mean / done[0].mean - 1.0;
        assert!(apart.abs() < 0.002, "{done:?}");
    }
}

/// Sessions that start in step stay in step for ever: what is under way at the first edge and at the last is the same
/// in every start that begins at the same moment. Transactions are those of the work that is done, and starts differ.
#[test]
fn who_starts_in_step_is_counted_as_often_as_the_work_says() {
    for (sessions, scheduler) in
        [(8, Scheduler::Cfs), (9, Scheduler::Cfs), (10, Scheduler::Cfs), (20, Scheduler::Eevdf)]
    {
        let mut instance = hogs(sessions);
        if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
            *start_spread = Ns::ZERO;
        }
        instance.workload.demand.mean = Ns::from_ms(10.0);
        let report = report(&one(NodeConfig { cores_per_socket: 8, scheduler, ..node() }, instance), 0.01);
        let told = &report.transactions_per_s;
        let by_work = report.lio_per_s.mean / 60_000.0;
        let half_width = told.ci95.expect("an interval");
        assert!(half_width > 0.002 * told.mean, "{sessions}: {} ± {half_width}", told.mean);
        assert!((told.mean - by_work).abs() < 1.5 * half_width, "{sessions}: {} for {by_work}", told.mean);
        let inside = told.mean * report.response.mean_ms.mean / 1e3;
        let most = 1.5 * (half_width / told.mean + 0.01) * f64::from(sessions);
        assert!((inside - f64::from(sessions)).abs() < most, "{inside} of {sessions} inside");
    }
}

/// A session and a hog on each of two CPUs, with transactions far shorter than a turn: half of the CPUs is the
/// sessions', and not all or nothing, which is what the first turn has. At nice 1 the hog has 95 ms for 100.
#[test]
fn sessions_beside_hogs_have_their_share_and_not_their_first_turn() {
    for (scheduler, nice, share) in [
        (Scheduler::Cfs, 0, 0.5),
        (Scheduler::Eevdf, 0, 0.5),
        (Scheduler::O1, 1, 100.0 / 195.0),
        (Scheduler::RoundRobin, 0, 0.5),
    ] {
        let mut host = NodeConfig { cores_per_socket: 2, scheduler, ..node() };
        (host.background.processes, host.background.sleep) = (2, Ns::ZERO);
        host.background.kind = KindConfig { nice, ..ordinary() };
        let mut instance = hogs(2);
        instance.workload.demand.mean = Ns::from_us(100.0);
        if let Arrivals::Closed { start_spread, .. } = &mut instance.workload.arrivals {
            *start_spread = Ns::ZERO;
        }
        let report = report(&one(host, instance), 0.03);
        let (told, right) = (&report.transactions_per_s, 20_000.0 * share);
        let half_width = told.ci95.expect("an interval");
        assert!(half_width < 0.03 * right, "{scheduler:?}: {} ± {half_width}", told.mean);
        assert!(
            (told.mean - right).abs() < 2.0 * half_width + 0.002 * right,
            "{scheduler:?}: {} ± {half_width}",
            told.mean
        );
    }
}

/// A hog of fixed value 70 and four that share what it leaves: their use decays to 11 ticks and stops at 22, so they
/// have 44 ticks of a hundred, whenever within a second recalculation comes.
#[test]
fn the_second_of_aix_is_as_long_in_every_start() {
    let mut host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Aix, tick_hz: 100, ..node() };
    host.background.processes = 1;
    host.background.sleep = Ns::ZERO;
    host.background.kind = KindConfig { class: Class::Fixed, priority: 70, ..ordinary() };
    let report = report(&one(host, hogs(4)), 0.005);
    let share = report.lio_per_s.mean / 600_000.0;
    let half_width = report.lio_per_s.ci95.expect("an interval") / 600_000.0;
    assert!((share - 0.44).abs() < 1.5 * half_width && half_width < 0.004, "{share} ± {half_width}");
}

/// A cage of four slots hands over at ticks: nine tenths of four CPUs are used, which no check can know.
#[test]
fn a_queue_that_grows_for_ever_has_no_figures() {
    let fault = |per_s: f64| {
        let mut instance = hogs(0);
        instance.workload.arrivals = Arrivals::Open { per_s };
        instance.workload.demand = Demand { mean: Ns::from_ms(126.0), shape: DemandShape::Constant };
        instance.cage = Some(cage(4));
        let config = one(NodeConfig { cores_per_socket: 12, ..node() }, instance);
        done(Experiment::new(&config, goal(0.02, 4_000_000))).fault()
    };
    assert_eq!(fault(26.0), None);
    let grows = fault(31.0);
    let Some(RunFault::QueueGrows { instance: 1, milli_per_s: 31_000, growth }) = grows else { panic!("{grows:?}") };
    assert!((1_000..4_000).contains(&growth), "{growth}");
}

/// A process that works for 10 ms and sleeps for 90 uses a tenth of a CPU, which is all that a host has to be sure of
/// that has nothing else.
#[test]
fn of_a_host_without_sessions_the_use_of_its_cpus_is_as_precise_as_asked() {
    let mut host = NodeConfig { cores_per_socket: 1, ..node() };
    (host.background.processes, host.background.busy, host.background.sleep) =
        (1, Ns::from_ms(10.0), Ns::from_ms(90.0));
    let busy = report(&one(host, hogs(0)), 0.03).nodes[0].cpu_busy_threads.clone();
    let half_width = busy.ci95.expect("an interval");
    assert!(half_width < 0.0035 && (busy.mean - 0.1).abs() < 1.5 * half_width, "{} ± {half_width}", busy.mean);
}

/// Log writer, checkpoint process and eight database writers with nothing to do look each 3 s, from a moment of their
/// own on that differs from start to start: within half of that half of them have. All have once in 3 s.
#[test]
fn background_processes_with_nothing_to_do_look_at_moments_of_their_own() {
    let of = database();
    let writers = WriterConfig { count: 8, ..of.writers };
    let config = one(node(), oltp(0, DatabaseConfig { writers, ..of }));
    let looks = |number: u32, s: f64| {
        let mut world = World::new(&config, number);
        world.run(Ns::from_s(s), u64::MAX);
        let of = |kind| world.accounts.groups[config.group(kind, 0)].stays[Activity::RUNNING.i()].count();
        [KindId::LGWR, KindId::CKPT, KindId::DBWR].map(of)
    };
    let starts = 64;
    let early: Vec<[u64; 3]> = (0..starts).map(|number| looks(number, 1.5)).collect();
    for (kind, most) in [1, 1, 8].into_iter().enumerate() {
        let all = u64::from(starts) * most;
        let found: u64 = early.iter().map(|of| of[kind]).sum();
        // Three standard deviations of so many coins.
        let about = 1.5 * (all as f64).sqrt();
        assert!((found as f64 - all as f64 / 2.0).abs() < about, "kind {kind}: {found} of {all}");
    }
    let differs = early.iter().filter(|of| (of[0] == 1) != (of[1] == 1)).count();
    assert!((20..=44).contains(&differs), "{differs} of {starts}: log writer and checkpoint process in step");
    let in_step = early.iter().filter(|of| of[2] == 0 || of[2] == 8).count();
    assert!(in_step <= 4, "{in_step} of {starts}: writers in step");
    assert!(
        (0..starts).all(|number| looks(number, 2.999_999).iter().zip([1, 1, 8]).all(|(found, most)| *found <= most))
    );
    assert!((0..starts).all(|number| looks(number, 3.001) >= [1, 1, 8]));
}

/// Of so many seeds, how many intervals of the transactions in a second hold what is right.
fn held(right: f64, seeds: u64, of: impl Fn(u64) -> Config) -> usize {
    let holds = |seed| {
        let report = report(&of(seed), 0.03);
        let found = report.transactions_per_s;
        let half = found.ci95.expect("an interval");
        let of_instance = report.instances[0].transactions_per_s.ci95.expect("an interval");
        assert!(of_instance > 1e-6 * found.mean && of_instance <= half, "{of_instance}");
        assert!(half > 1e-6 * found.mean, "{found:?}");
        (found.mean - right).abs() <= half
    };
    (0..seeds).filter(|&seed| holds(seed)).count()
}

/// One session whose transactions all last for as long: those that the span of a start cuts off none may count, or all.
/// 1 ms of work and a commit to a device that takes 10 s; sessions start within a tenth of a second, and yet starts
/// look at other phases of their commits. And 9.7 ms of work alone.
#[test]
fn where_all_starts_count_alike_the_part_that_none_counted_is_told() {
    let of = |seed, demand: f64, commit: Option<f64>| {
        let mut instance = hogs(1);
        if let Some(ms) = commit {
            let mut with = database();
            with.redo = Some(device(1, Ns::from_ms(ms), Shape::Constant));
            with.log.sync_timeout = Ns::from_ms(ms);
            instance = oltp(1, with);
        }
        let (think, start_spread) = (Ns::ZERO, Ns::from_ms(100.0));
        instance.workload.arrivals = Arrivals::Closed { sessions: 1, think, start_spread };
        instance.workload.demand = Demand { mean: Ns::from_ms(demand), shape: DemandShape::Constant };
        let host = NodeConfig { switch_direct: Ns::ZERO, switch_refill: Ns::ZERO, ..node() };
        Config { seed, ..one(host, instance) }
    };
    let commits = held(1.0 / 10.001, 40, |seed| of(seed, 1.0, Some(10_000.0)));
    let works = held(1000.0 / 9.7, 40, |seed| of(seed, 9.7, None));
    assert!(commits >= 36 && works >= 36, "{commits} and {works} of 40");
}

/// Sixteen sessions with a CPU each that need a second for a transaction, begun within a tenth of a second: half of
/// them end one in any half of a second, as in a system that has run for long.
#[test]
fn transactions_of_a_database_and_of_statements_do_not_end_together() {
    let ended = |is_select: bool, calls: u32, number: u32| {
        let transaction = TransactionConfig { calls, ..database().transaction };
        let mut instance = if is_select { hogs(16) } else { oltp(16, DatabaseConfig { transaction, ..database() }) };
        let half = Ns::from_s(0.5);
        let path = Path { table: 1, rows: 1, index: 2 };
        let select = SelectConfig { caller: Ns::ZERO, execute: half, fetch: half, gets: 3, path };
        instance.workload.select = is_select.then_some(select);
        let (think, start_spread) = (Ns::ZERO, Ns::from_ms(100.0));
        instance.workload.arrivals = Arrivals::Closed { sessions: 16, think, start_spread };
        instance.workload.demand = Demand { mean: Ns::from_s(1.0), shape: DemandShape::Constant };
        let host = NodeConfig { cores_per_socket: 16, switch_direct: Ns::ZERO, switch_refill: Ns::ZERO, ..node() };
        let config = one(host, instance);
        let mut world = World::new(&config, number);
        let group = config.group(KindId::SESSION, 0);
        let mut until = |s: f64| {
            world.run(Ns::from_s(s), u64::MAX);
            world.accounts.groups[group].transactions
        };
        let before = until(5.2);
        until(5.7) - before
    };
    // Twenty starts of sixteen coins: three standard deviations are 27.
    for (is_select, calls) in [(false, 1), (false, 4), (true, 1)] {
        let all: u64 = (0..20).map(|number| ended(is_select, calls, number)).sum();
        assert!((130..=190).contains(&all), "{all} of 320, {calls} calls");
    }
}

/// Blocks may be dirty for a minute, and each is changed once in that time: as many are written as are changed, from
/// the first moment on.
#[test]
fn writers_keep_to_the_age_of_changes_from_the_first_moment() {
    let of = database();
    let with = DatabaseConfig {
        transaction: TransactionConfig { changes: 9.0, redo: 4_000.0, ..of.transaction },
        log: LogConfig { size: 1_000_000_000, ..of.log },
        checkpoint: CheckpointConfig { lag: 900_000_000, timeout: Ns::from_s(60.0), ..of.checkpoint },
        cache: CacheConfig { buffers: 500_000, hot: 0, hot_share: 0.0, ..of.cache },
        ..of
    };
    let mut instance = oltp(12, with);
    let (think, start_spread) = (Ns::from_ms(100.0), Ns::from_ms(100.0));
    instance.workload.arrivals = Arrivals::Closed { sessions: 12, think, start_spread };
    instance.workload.demand = Demand { mean: Ns::from_us(100.0), shape: DemandShape::Constant };
    let config = one(node(), instance);
    let (mut written, mut changed) = (0, 0);
    for number in 0..4 {
        let (paces, _) = World::paces(&config, u64::MAX);
        let mut world = World::paced(&config, number, &paces);
        world.run(Ns::from_s(20.0), u64::MAX);
        let sums = &world.accounts.databases[0];
        (written, changed) = (written + sums.get(Sum::Writes), changed + sums.get(Sum::Changes));
    }
    let share = written as f64 / changed as f64;
    assert!((0.9..1.1).contains(&share), "{written} written, {changed} changed");
}

/// A call of twenty transactions of 1 ms each comes a hundred times a second: two CPUs of work for one.
#[test]
fn a_queue_of_loops_grows_by_its_calls() {
    let fault = |per_s: f64| {
        let transaction = TransactionConfig { per_call: 20, ..database().transaction };
        let mut instance = oltp(0, DatabaseConfig { transaction, ..database() });
        instance.workload.arrivals = Arrivals::Open { per_s };
        instance.workload.demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Constant };
        let config = one(NodeConfig { cores_per_socket: 1, ..node() }, instance);
        done(Experiment::new(&config, goal(0.05, 1_000_000))).fault()
    };
    assert_eq!(fault(35.0), None);
    let grows = fault(100.0);
    let Some(RunFault::QueueGrows { growth, .. }) = grows else { panic!("{grows:?}") };
    assert!((45_000..60_000).contains(&growth), "{growth}");
}
