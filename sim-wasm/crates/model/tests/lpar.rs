//! Ten virtual processors of a POWER7 partition with SMT4 under AIX: what 1 to 50 hungry sessions get, and what each
//! accounting says of it.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, hogs, near_rel, node, one};

/// One execution by a session alone: 64,090 logical reads of 5.57 us.
const ALONE_MS: f64 = 357.0;

fn partition(sessions: u32, core_coherence: f64) -> Config {
    let host = NodeConfig {
        cores_per_socket: 10,
        threads_per_core: 4,
        smt_yield: vec![1.0, 1.4, 1.52, 1.6],
        scheduler: Scheduler::Aix,
        tick_hz: 100,
        ..node()
    };
    let mut load = hogs(sessions);
    load.workload.demand.mean = Ns::from_ms(ALONE_MS);
    load.workload.lio_per_transaction = 64_090.0;
    load.coherence.cores = core_coherence;
    one(host, load)
}

fn run(config: &Config) -> Report {
    finish(config, goal(0.002, 20_000_000))
}

#[test]
fn response_of_forty_sessions_against_one() {
    let alone = run(&partition(1, 0.05));
    near_rel(alone.lio_per_s.mean, 179_500.0, 0.002, "reads of one");
    let nominal = run(&partition(40, 0.0));
    near_rel(nominal.response.mean_ms.mean / ALONE_MS, 2.5, 0.003, "response of forty");
    near_rel(nominal.lio_per_s.mean / 40.0, 71_800.0, 0.003, "reads of each of forty");
    let shared = run(&partition(40, 0.05));
    near_rel(shared.response.mean_ms.mean / ALONE_MS, 2.5 * 1.045, 0.003, "response where they share");
    near_rel(shared.lio_per_s.mean / 40.0, 67_650.0, 0.06, "reads of each where they share");
}

#[test]
fn nominal_throughput_between_one_and_fifty_sessions() {
    // n sessions on ten cores fill primary threads, then secondary ones, then the rest.
    for (sessions, cores) in
        [(1, 1.0), (5, 5.0), (10, 10.0), (15, 12.0), (20, 14.0), (30, 15.2), (40, 16.0), (50, 16.0)]
    {
        let report = run(&partition(sessions, 0.0));
        near_rel(report.lio_per_s.mean, 179_523.0 * cores, 0.003, &format!("{sessions} sessions"));
    }
}

#[test]
fn purr_counts_core_capacity_and_time_counts_threads() {
    for (sessions, purr, threads) in
        [(1, 0.625, 1.0), (10, 6.25, 10.0), (20, 8.75, 20.0), (40, 10.0, 40.0), (50, 10.0, 40.0)]
    {
        let by_turns = partition(sessions, 0.05);
        let mut all_at_once = by_turns.clone();
        all_at_once.nodes[0].scheduler = Scheduler::ProcessorSharing;
        for config in [by_turns, all_at_once] {
            let report = run(&config);
            let cpu = &report.instances[0].cpu;
            near_rel(cpu.purr.mean, purr, 1e-4, &format!("PURR of {sessions}"));
            near_rel(cpu.time.mean, threads, 1e-4, &format!("CPU time of {sessions}"));
            near_rel(cpu.time.mean, report.nodes[0].cpu_busy_threads.mean, 1e-9, "of all on the node");
            near_rel(cpu.on_cpu.mean, f64::from(sessions), 1e-4, &format!("on CPU of {sessions}"));
            let wait = cpu.on_cpu.mean - cpu.time.mean;
            let expected = f64::from(sessions.saturating_sub(40));
            assert!((wait - expected).abs() < 1e-3, "{sessions}: CPU wait of {wait}");
        }
    }
}

#[test]
fn a_loop_that_shares_nothing_is_flat_to_ten_where_shared_blocks_are_not() {
    let response = |sessions, kappa| run(&partition(sessions, kappa)).response.mean_ms.mean;
    near_rel(response(10, 0.0), response(1, 0.0), 1e-6, "sharing nothing");
    // Ten cores: 1 + 0.05 * 9 / 10.
    near_rel(response(10, 0.05) / response(1, 0.05), 1.045, 0.002, "ten that share");
}
