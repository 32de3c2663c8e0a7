//! The engine against queueing theory. Each estimate pools 20 seeds of 4 million customers; its 99 % interval must
//! hold the exact value and be at most 2 % wide on either side.
use std::thread::scope;
use wwi_kernel::rng::Stream;
use wwi_kernel::stats::{mean, variance};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{erlang_c, hogs, node, one, window};
use wwi_model::world::World;

const SEEDS: u32 = 20;
const CUSTOMERS: u64 = 4_000_000;
/// Two-sided 99 % quantile of Student's t, 19 degrees of freedom (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
const T99_19: f64 = 2.861;
const SERVICE_MS: f64 = 1.0;

fn servers(cpus: u32, scheduler: Scheduler) -> NodeConfig {
    NodeConfig { cores_per_socket: cpus, scheduler, smt_yield: vec![1.0], ..node() }
}

fn open(per_s: f64, shape: DemandShape) -> InstanceConfig {
    let mut instance = hogs(0);
    instance.workload.arrivals = Arrivals::Open { per_s };
    instance.workload.demand = Demand { mean: Ns::from_ms(SERVICE_MS), shape };
    instance
}

/// Runs until that many customers have left after the first twentieth, which is thrown away; answers the mean response
/// \[ms\].
fn response_ms(config: &Config, seed: u32, per_s: f64) -> f64 {
    let mut world = World::new(config, seed);
    let span = CUSTOMERS as f64 / per_s;
    let after = window(&mut world, Ns::from_s(span / 20.0), Ns::from_s(span * 1.05));
    assert!(after.groups[0].response.count() as f64 > 0.99 * CUSTOMERS as f64);
    after.groups[0].response.mean() / 1e6
}

fn holds(name: &str, config: &Config, per_s: f64, exact_ms: f64) {
    let half = |from: u32| (from..SEEDS).step_by(2).map(|seed| response_ms(config, seed, per_s)).collect::<Vec<_>>();
    let means = scope(|s| {
        let other = s.spawn(|| half(1));
        let mut means = half(0);
        means.extend(other.join().unwrap());
        means
    });
    let (middle, width) = (mean(&means), T99_19 * (variance(&means).unwrap() / f64::from(SEEDS)).sqrt());
    println!("{name}: {middle:.5} ± {width:.5} ms, exact {exact_ms:.5}");
    assert!(width <= 0.02 * middle, "{name}: half-width {width} of {middle}");
    assert!((middle - exact_ms).abs() <= width, "{name}: {middle} ± {width}, exact {exact_ms}");
}

#[test]
fn m_m_1() {
    let per_s = 700.0;
    holds("M/M/1 at 0.7", &one(servers(1, Scheduler::Fifo), open(per_s, DemandShape::Exponential)), per_s, 1.0 / 0.3);
}

#[test]
fn m_m_8_at_0_9() {
    let (per_s, load) = (7200.0, 7.2);
    let exact = SERVICE_MS + erlang_c(8, load) * SERVICE_MS / (8.0 - load);
    holds("M/M/8 at 0.9", &one(servers(8, Scheduler::Fifo), open(per_s, DemandShape::Exponential)), per_s, exact);
}

/// Processor sharing does not see the shape of the demand: S / (1 - load) whatever its variance.
#[test]
fn m_g_1_processor_sharing() {
    let per_s = 600.0;
    let config = one(servers(1, Scheduler::ProcessorSharing), open(per_s, DemandShape::Hyperexponential));
    holds("M/G/1 PS at 0.6", &config, per_s, 1.0 / 0.4);
}

/// Eight sessions that think 20 ms and ask 5 ms of one CPU: mean-value analysis.
#[test]
fn machine_repairman() {
    let (think, service, sessions) = (20.0, 5.0, 8);
    let (mut queue, mut response, mut rate) = (0.0, 0.0, 0.0);
    for n in 1..=sessions {
        response = service * (1.0 + queue);
        rate = f64::from(n) / (response + think);
        queue = rate * response;
    }
    let mut instance = hogs(sessions);
    instance.workload.arrivals =
        Arrivals::Closed { sessions, think: Ns::from_ms(think), start_spread: Ns::from_ms(100.0) };
    instance.workload.demand = Demand { mean: Ns::from_ms(service), shape: DemandShape::Exponential };
    holds("machine repairman", &one(servers(1, Scheduler::Fifo), instance), rate * 1000.0, response);
}

/// Fed one list of draws, the engine's mean wait is that of the Kiefer-Wolfowitz recursion.
#[test]
fn the_same_draws_give_the_waits_of_the_recursion() {
    for cpus in [1, 3, 8] {
        let mut random = Stream::new(5, 0, "test", u64::from(cpus), "list");
        let between = Ns::from_us(1000.0 / (0.9 * f64::from(cpus)));
        let list: Vec<(Ns, Ns)> = (0..200_000)
            .map(|_| (random.exponential_ns(between), random.exponential_ns(Ns::from_ms(1.0)).max(Ns(1))))
            .collect();
        let mut free_at = vec![0u64; cpus as usize];
        let (mut now, mut waited) = (0u64, 0u128);
        for (gap, service) in &list {
            now += gap.0;
            free_at.sort_unstable();
            let start = free_at[0].max(now);
            waited += u128::from(start - now);
            free_at[0] = start + service.0;
        }
        let mut instance = open(1.0, DemandShape::Exponential);
        let count = list.len() as f64;
        instance.workload.arrivals = Arrivals::List(list);
        let mut world = World::new(&one(servers(cpus, Scheduler::Fifo), instance), 0);
        world.run(Ns(u64::MAX - 1), u64::MAX);
        let found = world.accounts.groups[0].stays[Activity::RUN_QUEUE.i()].sum() as f64 / count;
        let exact = waited as f64 / count;
        assert!((found / exact - 1.0).abs() < 1e-9, "{cpus}: {found} against {exact}");
    }
}

/// Who comes is another than who came before it, though it has the number of one that has gone: each pays for a switch
/// on a thread that nobody has used in between.
#[test]
fn who_comes_is_another_than_who_was_there_before() {
    let host = NodeConfig { switch_direct: Ns::from_ms(1.0), ..servers(4, Scheduler::Cfs) };
    let mut world = World::new(&one(host, open(20.0, DemandShape::Constant)), 0);
    let sums = window(&mut world, Ns::from_s(1.0), Ns::from_s(101.0));
    let (came, response) = (sums.groups[0].response.count(), sums.groups[0].response.mean() / 1e6);
    let lost_ms = sums.hosts[0].switching as f64 / 1e6;
    assert!(came > 1_800 && (lost_ms - came as f64).abs() < 0.02 * came as f64, "{lost_ms} ms for {came}");
    assert!((2.0..2.05).contains(&response), "{response} ms");
}
