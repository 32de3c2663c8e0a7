//! How many LMS: few busy ones need less CPU a request than many that rest between two; among hogs each has a share of
//! its own.
use wwi_kernel::time::Ns;
use wwi_model::config::cluster::{Flush, MessageCosts};
use wwi_model::config::kinds::KindId;
use wwi_model::config::*;
use wwi_model::measure::cluster::Reply;
use wwi_model::measure::events::Activity;
use wwi_model::meet::device::Shape;
use wwi_model::testing::*;
use wwi_model::world::World;

/// An LMS works so long for a request, which asks for leave to read a block.
const WORK_US: f64 = 150.0;

/// Instance 1 asks, at random, so often a second; the LMS of instance 2 stand among background processes on eight CPUs
/// of Linux 5.8, whose switches cost 57 µs.
fn cluster_of(per_s: f64, lms_count: u32, background: Background, class: KindConfig) -> Config {
    let host =
        NodeConfig { cores_per_socket: 8, switch_direct: Ns::from_us(2.0), switch_refill: Ns::from_us(55.0), ..node() };
    let instances = [0, 1].map(|at| {
        let mut of = lms(0.0, 0.0);
        (of.count, of.flush) = (lms_count, Flush::Never);
        of.kind = class.clone();
        let mut instance = member(at, 0, Ns::ZERO, of);
        if at == 0 {
            // Of half of the blocks it is master itself.
            instance.workload.arrivals = Arrivals::Open { per_s: 2.0 * per_s };
            instance.workload.demand.mean = Ns::from_us(1.0);
            let database = instance.others.database.as_mut().expect("it has one");
            (database.transaction.reads, database.transaction.redo) = (1.0, 0.0);
            database.data = device(1000, Ns::from_us(10.0), Shape::Constant);
        }
        instance
    });
    let us = Ns::from_us;
    let mut of = cluster(0);
    of.interconnect = interconnect("InfiniBand", 1500);
    of.costs = MessageCosts {
        request: us(1.0),
        message: us(WORK_US),
        forward: Ns::ZERO,
        granted: us(1.0),
        wakeup: Ns::ZERO,
        ..of.costs
    };
    let asking = NodeConfig { cores_per_socket: 64, ..node() };
    let busy = NodeConfig { background, ..host };
    Config { nodes: vec![asking, busy], instances: instances.to_vec(), cluster: Some(of), seed: 3 }
}

struct Found {
    /// From the arrival of a request to the end of the work on it, mean \[µs\].
    response: f64,
    /// CPU of LMS for a request \[µs\].
    cpu: f64,
    /// Requests that wait at the end.
    waiting: u64,
}

fn run(config: &Config, seconds: f64) -> Found {
    let mut world = World::new(config, 0);
    world.run(Ns::from_s(seconds), u64::MAX);
    let pair = world.accounts.cluster.pair(0, 1, Reply::CrGrant);
    // Dispatch, queue and work.
    let time: u64 = pair.parts[2..5].iter().sum();
    let group = &world.accounts.groups[config.group(KindId::LMS, 1)];
    let cpu = group.time[Activity::RUNNING.i()] as f64;
    let number = pair.requests as f64;
    let waiting = world.cluster.as_ref().expect("there is one").cache.under_way() as u64;
    Found { response: time as f64 / 1e3 / number, cpu: cpu / 1e3 / number, waiting }
}

fn half_busy() -> Background {
    Background { processes: 8, busy: Ns::from_ms(1.0), sleep: Ns::from_ms(1.0), kind: ordinary() }
}

fn hogs_on() -> Background {
    Background { processes: 32, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind: ordinary() }
}

fn found(per_s: f64, count: u32, background: Background, class: KindConfig) -> Found {
    run(&cluster_of(per_s, count, background, class), 20.0)
}

/// Each that sleeps between two requests finds its cache and its thread cold when it wakes.
#[test]
fn on_a_host_that_is_half_busy_more_lms_need_more_cpu_and_help_only_where_one_is_busy() {
    for per_s in [1000.0, 3000.0] {
        let [one, two, eight] = [1, 2, 8].map(|count| found(per_s, count, half_busy(), ordinary()));
        let more = eight.cpu / one.cpu - 1.0;
        assert!((0.15..0.3).contains(&more), "{} and {} µs of CPU at {per_s}/s", one.cpu, eight.cpu);
        let times = [one.response, two.response, eight.response];
        if per_s < 2000.0 {
            assert!(one.response < two.response && two.response < eight.response, "{times:?} µs");
        } else {
            // Where a wake-up looks at three CPUs a woken one sometimes waits, and eight are rarely woken to the same.
            assert!(two.response < 0.95 * one.response, "{times:?} µs");
            assert!((eight.response / two.response - 1.0).abs() < 0.03, "{times:?} µs");
        }
    }
}

/// The opposite of what is said of them: an ordinary process gets a share, and several get several. A real-time class
/// is no worse with any number.
#[test]
fn among_hogs_each_lms_has_a_share_of_its_own() {
    let [one, two, four, eight] = [1, 2, 4, 8].map(|count| found(3000.0, count, hogs_on(), ordinary()));
    assert!(one.waiting > 10_000, "0.45 CPU are more than a share of a fifth: {} wait", one.waiting);
    assert!(two.response < 0.1 * one.response && four.response < 0.1 * two.response);
    assert!(eight.response < two.response);
    let first = KindConfig { class: Class::Fifo, priority: 50, ..ordinary() };
    for (count, ordinary) in [(1, one), (2, two), (4, four), (8, eight)] {
        let found = found(3000.0, count, hogs_on(), first.clone());
        assert!(found.response <= ordinary.response, "{count}: {} for {} µs", found.response, ordinary.response);
        assert!(found.waiting < 20, "{} wait", found.waiting);
    }
}
