//! A run without figures says why: time that stands still, and time that never began.
use wwi_kernel::calendar::Phase;
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::experiment::Experiment;
use wwi_model::fault::RunFault;
use wwi_model::report::Report;
use wwi_model::testing::{cage, done, finish, goal, hogs, node, one, ordinary, SCHEDULERS};
use wwi_model::world::{Timer, World};

fn report(config: &Config, max_events: u64) -> Report {
    let experiment = done(Experiment::new(config, goal(0.05, max_events)));
    assert_eq!(experiment.fault(), experiment.report().fault);
    experiment.report()
}

#[test]
fn events_without_end_at_one_moment_are_a_fault_and_no_answer() {
    // Requests without time between them: no scenario can ask for that.
    for arrivals in [ServiceArrivals::Poisson, ServiceArrivals::Periodic] {
        let mut config = one(node(), hogs(4));
        let demand = Demand { mean: Ns::from_ms(1.0), shape: DemandShape::Constant };
        let service = ServiceConfig { servers: 1, arrivals, per_s: 1e18, demand, kind: ordinary() };
        config.nodes[0].service = Some(service);
        let report = report(&config, 20_000_000);
        let fault = Some(RunFault::TimeStandsStill { at: Ns::ZERO });
        assert_eq!(report, Report { events: report.events, fault, ..Report::default() });
        assert!((100_000..110_000).contains(&report.events), "{}", report.events);
        let words = report.fault.unwrap().to_string();
        assert!(words.starts_with("simulated time stands still at 0 ns"), "{words}");
    }
}

#[test]
fn the_bound_is_for_one_moment() {
    let mut instance = hogs(4);
    instance.cage = Some(cage(2));
    for (ticks, stalls) in [(90_000, false), (101_000, true)] {
        let mut world = World::new(&one(node(), instance.clone()), 0);
        for moment in [5, 6, 7] {
            for _ in 0..ticks {
                world.calendar.schedule(Ns(moment), Phase::Dispatch, Timer::RmTick(0));
            }
        }
        assert_eq!(world.run(Ns::from_ms(1.0), u64::MAX), !stalls, "{ticks} ticks of the cage at each moment");
        assert_eq!((world.is_stalled, world.now), (stalls, if stalls { Ns(5) } else { Ns::from_ms(1.0) }));
    }
}

/// The most that a scenario can ask for at one moment: 10,000 sessions in step, caged and not, under every policy.
#[test]
fn ten_thousand_sessions_may_start_and_end_together() {
    for scheduler in SCHEDULERS {
        for caged in [false, true] {
            if caged && scheduler == Scheduler::ProcessorSharing {
                continue;
            }
            let mut instance = hogs(10_000);
            instance.cage = caged.then(|| cage(128));
            instance.workload.demand.mean = Ns::from_ms(10.0);
            instance.workload.arrivals = Arrivals::Closed { sessions: 10_000, think: Ns::ZERO, start_spread: Ns::ZERO };
            let host = NodeConfig { cores_per_socket: 128, scheduler, ..node() };
            let mut world = World::new(&one(host, instance), 0);
            assert!(world.run(Ns::from_ms(300.0), u64::MAX) && !world.is_stalled, "{scheduler:?}, caged: {caged}");
        }
    }
}

/// Who thinks starts at the first moment.
fn thinkers() -> InstanceConfig {
    let mut instance = hogs(100);
    let think = Ns::from_ms(1.0);
    instance.workload.arrivals = Arrivals::Closed { sessions: 100, think, start_spread: Ns::ZERO };
    instance
}

#[test]
fn a_budget_that_is_spent_before_the_clock_moves_says_so() {
    let instance = thinkers();
    for max_events in [0, 50] {
        let report = report(&one(node(), instance.clone()), max_events);
        let fault = Some(RunFault::NothingSimulated { max_events });
        assert_eq!(report, Report { events: max_events, fault, ..Report::default() }, "no law is called broken");
    }
    let more = report(&one(node(), instance), 2_000);
    assert!(more.fault.is_none() && more.truncated && more.checks.iter().all(|c| c.ok), "{:?}", more.checks);
}

#[test]
#[should_panic(expected = "NothingSimulated")]
fn a_test_that_looks_at_figures_of_a_fault_fails() {
    finish(&one(node(), thinkers()), goal(0.05, 50));
}
