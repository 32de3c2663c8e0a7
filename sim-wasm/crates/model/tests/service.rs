//! A server that answers requests of 2 ms while four hogs want the same two CPUs: its fair share is two fifths of a
//! CPU. Alone it is an M/D/1 queue, whose waiting time is known in closed form.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::report::ServiceRow;
use wwi_model::testing::{finish, goal, hogs, near_rel, node, one, ordinary};

const REQUEST_MS: f64 = 2.0;

fn server(scheduler: Scheduler, class: Class, demand: f64) -> ServiceRow {
    let tick_hz = if matches!(scheduler, Scheduler::Aix | Scheduler::Solaris) { 100 } else { 1000 };
    let mut host = NodeConfig { cores_per_socket: 2, scheduler, tick_hz, ..node() };
    host.service = Some(ServiceConfig {
        servers: 1,
        arrivals: ServiceArrivals::Poisson,
        per_s: demand * 1e3 / REQUEST_MS,
        demand: Demand { mean: Ns::from_ms(REQUEST_MS), shape: DemandShape::Constant },
        kind: KindConfig { class, ..ordinary() },
    });
    finish(&one(host, hogs(4)), goal(0.03, 5_000_000)).services[0].clone()
}

/// P(response <= t) of M/D/1: (1 - rho) sum over k up to w / D of (lambda (k D - w))^k / k! e^(-lambda (k D - w)), w =
/// t - D (Erlang 1909).
fn alone_within(t_ms: f64, demand: f64) -> f64 {
    let (lambda, wait) = (demand / REQUEST_MS, t_ms - REQUEST_MS);
    if wait < 0.0 {
        return 0.0;
    }
    let term = |k: u32| {
        let x = lambda * (f64::from(k) * REQUEST_MS - wait);
        let factorial: f64 = (1..=k).map(f64::from).product();
        x.powi(k as i32) / factorial * exponential(-x)
    };
    (1.0 - demand) * (0..=(wait / REQUEST_MS) as u32).map(term).sum::<f64>()
}

/// e^x by its series, halved until it converges at once.
fn exponential(x: f64) -> f64 {
    let small = x / 1024.0;
    let series = 1.0 + small + small * small / 2.0 + small.powi(3) / 6.0 + small.powi(4) / 24.0;
    series.powi(1024)
}

fn alone_quantile(q: f64, demand: f64) -> f64 {
    // Beyond 40 ms the alternating sum cancels to nothing, and nobody waits that long.
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if alone_within(middle, demand) < q {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[test]
fn the_closed_form_has_the_known_mean() {
    // Pollaczek and Khinchine: D + rho D / (2 (1 - rho)).
    for demand in [0.1, 0.6] {
        let step = 0.01;
        let mean: f64 = (0..4000).map(|i| (1.0 - alone_within(f64::from(i) * step, demand)) * step).sum();
        near_rel(mean, REQUEST_MS * (1.0 + demand / (2.0 * (1.0 - demand))), 0.005, "mean");
    }
}

#[test]
fn in_the_ordinary_class_of_cfs_and_eevdf_sixty_percent_starves_and_twenty_does_not() {
    for scheduler in [Scheduler::Cfs, Scheduler::Eevdf] {
        let starved = server(scheduler, Class::TimeSharing, 0.6);
        // It gets its two fifths of a CPU, the rest of the demand piles up.
        let growth = (0.6 - 0.4) * 1e3 / REQUEST_MS;
        assert!(starved.grows, "{scheduler:?}: {starved:?}");
        near_rel(starved.growth_per_s.mean, growth, 0.25, "growth");
        let served = server(scheduler, Class::TimeSharing, 0.2);
        assert!(!served.grows && served.growth_per_s.mean.abs() < 1.0, "{scheduler:?} at 20 %");
    }
}

#[test]
fn in_real_time_the_hogs_are_not_felt() {
    let classes = [
        (Scheduler::Cfs, Class::Fifo),
        (Scheduler::Cfs, Class::RoundRobin),
        (Scheduler::Eevdf, Class::Fifo),
        (Scheduler::O1, Class::RoundRobin),
        (Scheduler::Aix, Class::Fixed),
        (Scheduler::Aix, Class::Fifo),
        (Scheduler::Solaris, Class::RealTime),
    ];
    for (scheduler, class) in classes {
        let row = server(scheduler, class, 0.6);
        near_rel(row.response.p99_ms, alone_quantile(0.99, 0.6), 0.1, &format!("{scheduler:?} {class:?}"));
    }
}

#[test]
fn at_ten_percent_sleepers_are_favoured_by_o1_and_solaris_and_only_the_tail_grows_under_cfs() {
    let (median, tail) = (alone_quantile(0.5, 0.1), alone_quantile(0.99, 0.1));
    for scheduler in [Scheduler::O1, Scheduler::Solaris, Scheduler::Aix] {
        let row = server(scheduler, Class::TimeSharing, 0.1);
        near_rel(row.response.p99_ms, tail, 0.1, &format!("{scheduler:?}"));
    }
    let row = server(Scheduler::Cfs, Class::TimeSharing, 0.1);
    near_rel(row.response.p50_ms, median, 0.1, "CFS median");
    assert!(row.response.p99_ms > 1.1 * tail, "CFS tail {}", row.response.p99_ms);
}

#[test]
fn under_eevdf_the_median_grows_too_for_its_request_is_longer_than_a_turn() {
    // Two CPUs: requests of 1.4 ms, ended by ticks, so 2 ms of work take two turns mostly. After the first it is ahead
    // of the average by 1.4 ms at least less a third of that, and waits until the two hogs beside it have caught up,
    // 1.9 ms at least.
    let row = server(Scheduler::Eevdf, Class::TimeSharing, 0.1);
    assert!(row.response.p50_ms > 1.9 + alone_quantile(0.5, 0.1), "EEVDF median {}", row.response.p50_ms);
    assert!(row.response.p99_ms > 2.0 * alone_quantile(0.99, 0.1), "EEVDF tail {}", row.response.p99_ms);
}

#[test]
fn at_sixty_percent_o1_gives_no_bonus_and_the_queue_grows() {
    let row = server(Scheduler::O1, Class::TimeSharing, 0.6);
    assert!(row.grows && row.growth_per_s.mean > 50.0, "{row:?}");
}

/// Servers alone on a host of so many CPUs, before all others, which there are not: requests a second to each, of a
/// millisecond of this shape.
fn alone(cpus: u32, servers: u32, arrivals: ServiceArrivals, (per_s, shape): (f64, DemandShape)) -> ServiceRow {
    let mut host = NodeConfig { cores_per_socket: cpus, scheduler: Scheduler::Cfs, rt_runtime: None, ..node() };
    let demand = Demand { mean: Ns::from_ms(1.0), shape };
    let kind = KindConfig { class: Class::Fifo, ..ordinary() };
    host.service = Some(ServiceConfig { servers, arrivals, per_s, demand, kind });
    let report = finish(&one(host, hogs(0)), goal(0.05, 5_000_000));
    assert!(!report.truncated, "{:?} after {} starts", report.precision_reached, report.replications);
    report.services[0].clone()
}

const CONSTANT: DemandShape = DemandShape::Constant;

#[test]
fn a_period_longer_than_a_request_makes_nobody_wait() {
    // D/D/1: each answer is a request.
    let row = alone(1, 1, ServiceArrivals::Periodic, (900.0, CONSTANT));
    assert_eq!([row.response.mean_ms.mean, row.response.max_ms], [1.0, 1.0]);
    near_rel(row.answered_per_s.mean, 900.0, 1e-3, "answers");
    assert!(!row.grows);
}

#[test]
fn requests_of_one_period_that_vary_wait_as_in_d_m_1() {
    // S / (1 - x) with x = e^(-(1 - x) / rho), at a half 0.2032 (Kendall 1953).
    let x = (0..200).fold(0.5, |x: f64, _| exponential(-(1.0 - x) / 0.5));
    near_rel(x, 0.2032, 1e-3, "root");
    let row = alone(1, 1, ServiceArrivals::Periodic, (500.0, DemandShape::Exponential));
    near_rel(row.response.mean_ms.mean, 1.0 / (1.0 - x), 0.03, "D/M/1");
    let row = alone(1, 1, ServiceArrivals::Poisson, (500.0, DemandShape::Exponential));
    near_rel(row.response.mean_ms.mean, 2.0, 0.03, "M/M/1");
}

#[test]
fn several_servers_are_as_many_queues() {
    // Three CPUs for three servers: M/D/1 each, 1 + rho / (2 (1 - rho)); one queue for all would answer sooner.
    let row = alone(3, 3, ServiceArrivals::Poisson, (500.0, CONSTANT));
    near_rel(row.response.mean_ms.mean, 1.5, 0.02, "three times M/D/1");
    near_rel(row.answered_per_s.mean, 1500.0, 0.02, "answers of all");
    near_rel(row.demand, 1.5, 1e-12, "demand of all");
}

#[test]
fn periodic_servers_come_at_moments_of_their_own() {
    // Two on one CPU, a period of T = 4 ms: whose requests come d after the other's waits for the rest of S = 1 ms,
    // S - d, if d < S. Over d, at random within T, that is S² / 2T = 0.125 ms on average; in step it would be 0.5.
    let row = alone(1, 2, ServiceArrivals::Periodic, (250.0, CONSTANT));
    near_rel(row.response.mean_ms.mean, 1.125, 0.08, "two times D/D/1");
    // Each start has one d, so starts say more than longer ones would.
    let reps = &row.response.mean_ms.reps;
    let with = |least: f64, most: f64| reps.iter().filter(|rep| (least..most).contains(rep)).count();
    assert_eq!((reps.len(), with(0.9999, 1.5001)), (64, 64), "{reps:?}");
    assert!(with(0.9999, 1.0001) >= 20 && with(1.2, 1.5) >= 10, "{reps:?}");
}

#[test]
fn a_queue_of_several_servers_grows_by_what_none_of_them_answers() {
    let row = alone(1, 2, ServiceArrivals::Periodic, (800.0, CONSTANT));
    assert!(row.grows, "{row:?}");
    near_rel(row.growth_per_s.mean, 600.0, 0.01, "growth");
}

/// Mean answer under AIX of a server of fixed priority, 5 requests of 2 ms a second, among four hogs on two CPUs,
/// beside so many daemons that timers wake every millisecond for next to nothing \[ms\].
fn answer_under_aix(interrupts: Interrupts, is_real_time: bool, daemons: u32) -> f64 {
    let fixed = |priority| KindConfig { class: Class::Fixed, priority, ..ordinary() };
    let mut host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Aix, tick_hz: 100, ..node() };
    (host.interrupts, host.aix_real_time_kernel) = (interrupts, is_real_time);
    host.background.processes = daemons;
    (host.background.busy, host.background.sleep) = (Ns::from_us(1.0), Ns::from_ms(1.0));
    host.background.kind = fixed(41);
    host.service = Some(ServiceConfig {
        servers: 1,
        arrivals: ServiceArrivals::Poisson,
        per_s: 5.0,
        demand: Demand { mean: Ns::from_ms(REQUEST_MS), shape: DemandShape::Constant },
        kind: fixed(40),
    });
    finish(&one(host, hogs(4)), goal(0.02, 5_000_000)).services[0].response.mean_ms.mean
}

/// AIX does not interrupt a CPU for whom another one woke: half of the requests come on the other CPU and are seen with
/// the next tick there, 5 ms later on average, D in M/G/1 with a delay before the first of a busy period (P. Welch
/// 1964): S + λS² / 2(1 − ρ) + (2 D̄ + λ D²) / 2(1 + λ D̄).
#[test]
fn aix_sees_with_a_tick_whom_another_cpu_woke() {
    let (per_ms, delay, squared) = (0.005, 2.5, 100.0 / 6.0);
    let alone = REQUEST_MS + per_ms * REQUEST_MS * REQUEST_MS / (2.0 * (1.0 - per_ms * REQUEST_MS));
    let later = (2.0 * delay + per_ms * squared) / (2.0 * (1.0 + per_ms * delay));
    for (interrupts, is_real_time, expected) in
        [(Interrupts::Any, false, alone + later), (Interrupts::Last, false, alone), (Interrupts::Any, true, alone)]
    {
        let found = answer_under_aix(interrupts, is_real_time, 0);
        assert!((found / expected - 1.0).abs() < 0.03, "{interrupts:?}, {is_real_time}: {found} for {expected} ms");
    }
}

/// An interrupt for anybody lets a CPU see who waits there: with eight of them a millisecond nobody waits for a tick.
#[test]
fn aix_sees_who_waits_with_any_interrupt() {
    let found = answer_under_aix(Interrupts::Any, false, 16);
    assert!(found < REQUEST_MS + 0.5, "{found} ms");
}

/// Requests of 2 ms come each millisecond: of each second 500 are left, and what is inside at the end has grown since
/// the start of its run, warm-up or not.
#[test]
fn what_is_left_of_the_requests_is_inside_at_the_end() {
    let mut host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Fifo, ..node() };
    let demand = Demand { mean: Ns::from_ms(REQUEST_MS), shape: DemandShape::Constant };
    let arrivals = ServiceArrivals::Periodic;
    host.service = Some(ServiceConfig { servers: 1, arrivals, per_s: 1000.0, demand, kind: ordinary() });
    let report = finish(&one(host, hogs(1)), goal(0.1, 1_000_000));
    let each_s = report.simulated_s / f64::from(report.replications) + report.warmup_s;
    let row = &report.services[0];
    assert!(row.grows && report.replications > 1);
    near_rel(row.growth_per_s.mean, 500.0, 0.02, "growth a second");
    near_rel(row.backlog, 500.0 * each_s, 0.02, "inside at the end");
}
