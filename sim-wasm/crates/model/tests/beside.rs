//! Kinds of load beside the database: each with a number, class, nice value, mask and control group of its own.
//! Expectations are arithmetic, or weights of the kernel's `sched_prio_to_weight`.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Policy, RunQueue};
use wwi_model::ids::Pid;
use wwi_model::measure::events::Activity;
use wwi_model::report::Report;
use wwi_model::testing::{finish, goal, hogs, near_rel, node, one, ordinary, window};
use wwi_model::world::World;

const FAIR: [Scheduler; 2] = [Scheduler::Cfs, Scheduler::Eevdf];

fn host(scheduler: Scheduler, cpus: u32) -> NodeConfig {
    NodeConfig { cores_per_socket: cpus, scheduler, ..node() }
}

/// So many processes that never sleep.
fn busy(processes: u32, kind: KindConfig) -> Option<Box<Background>> {
    Some(Box::new(Background { processes, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind }))
}

/// A control group with a weight and, as CPUs over a period in ms, a quota.
fn grouped(weight: u32, quota: Option<(f64, f64)>) -> KindConfig {
    let period = Ns::from_ms(quota.map_or(100.0, |(_, period)| period));
    let quota = quota.map(|(cpus, period)| Ns::from_ms(cpus * period));
    KindConfig { cgroup: Some(CgroupConfig { weight, quota, period, burst: Ns::ZERO }), ..ordinary() }
}

/// CPUs of the sessions, the background and its further kinds over 20 s, after 2.
fn cpus_of(config: &Config) -> Vec<f64> {
    let groups = window(&mut World::new(config, 0), Ns::from_s(2.0), Ns::from_s(22.0)).groups;
    let of = |kind| config.groups().iter().position(|of| of.kind.name() == kind);
    let all = ["session", "background", "background2", "background3"].into_iter().filter_map(of);
    all.map(|group| groups[group].time[Activity::RUNNING.i()] as f64 / 20e9).collect()
}

fn near(found: &[f64], expected: &[f64], share: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for (one, other) in found.iter().zip(expected) {
        near_rel(*one, *other, share, &format!("{what}: {found:?}, not {expected:?}"));
    }
}

/// One CPU and half a CPU of four: each group its quota, whatever the other has left; two and a half for the
/// sessions. Their weights ask for more than that.
/// Over other periods it is the same.
#[test]
fn each_kind_has_the_quota_of_its_own_group() {
    for scheduler in FAIR {
        for (one_cpu, half) in [((1.0, 100.0), (0.5, 100.0)), ((1.0, 20.0), (0.5, 200.0))] {
            let mut config = one(host(scheduler, 4), hogs(4));
            config.nodes[0].more_background =
                [busy(4, grouped(10_000, Some(one_cpu))), busy(4, grouped(10_000, Some(half)))];
            near(&cpus_of(&config), &[2.5, 0.0, 1.0, 0.5], 0.02, &format!("{scheduler:?} {one_cpu:?}"));
        }
    }
}

/// Nice 0 weighs 1024, nice 5 335, nice 10 110: each of the three kinds has its part of one CPU.
#[test]
fn kinds_share_a_cpu_by_their_nice_values() {
    for scheduler in FAIR {
        let mut config = one(host(scheduler, 1), hogs(1));
        let nice = |nice| busy(1, KindConfig { nice, ..ordinary() });
        config.nodes[0].more_background = [nice(5), nice(10)];
        let all = 1024.0 + 335.0 + 110.0;
        near(&cpus_of(&config), &[1024.0 / all, 0.0, 335.0 / all, 110.0 / all], 0.03, &format!("{scheduler:?}"));
    }
}

/// Groups of weight 100 and 300 beside a session in none, which weighs as much as one of 100: a fifth, a fifth and
/// three fifths, however many processes are in them.
#[test]
fn a_group_weighs_as_one() {
    for scheduler in FAIR {
        let mut config = one(host(scheduler, 1), hogs(1));
        config.nodes[0].more_background = [busy(4, grouped(100, None)), busy(2, grouped(300, None))];
        near(&cpus_of(&config), &[0.2, 0.0, 0.2, 0.6], 0.04, &format!("{scheduler:?}"));
    }
}

/// Sessions with a group of their own are out of that of their instance, which has but half a CPU.
#[test]
fn a_kind_with_a_group_is_not_in_that_of_its_instance() {
    let half =
        CgroupConfig { weight: 100, quota: Some(Ns::from_ms(50.0)), period: Ns::from_ms(100.0), burst: Ns::ZERO };
    let mut config = one(host(Scheduler::Cfs, 4), InstanceConfig { cgroup: Some(half), ..hogs(4) });
    near(&cpus_of(&config)[..1], &[0.5], 0.02, "the instance's");
    config.instances[0].session_kind = grouped(100, Some((1.5, 100.0)));
    near(&cpus_of(&config)[..1], &[1.5], 0.02, "their own");
}

/// Four of a kind on CPU 3 alone have that CPU; the three sessions on the others have those.
#[test]
fn a_kind_stays_on_its_cpus() {
    let on = |cpus: Vec<u16>| KindConfig { cpus: Some(CpuSet(cpus)), ..ordinary() };
    let mut config = one(host(Scheduler::Cfs, 4), InstanceConfig { session_kind: on(vec![0, 1, 2]), ..hogs(3) });
    config.nodes[0].more_background[1] = busy(4, on(vec![3]));
    near(&cpus_of(&config), &[3.0, 0.0, 1.0], 1e-6, "bound");
}

/// Mean time from ready to running \[ms\] of a process of 0.1 ms that sleeps for 50, beside a hog on one CPU.
fn delay_ms(scheduler: Scheduler, class: Class) -> f64 {
    let mut config = one(host(scheduler, 1), hogs(1));
    let kind = KindConfig { class, ..ordinary() };
    let load = Background { processes: 1, busy: Ns::from_ms(0.1), sleep: Ns::from_ms(50.0), kind };
    config.nodes[0].more_background[0] = Some(Box::new(load));
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(1000.0), u64::MAX);
    world.cut();
    let group = config.groups().iter().position(|of| of.kind.name() == "background2").expect("a group");
    let stays = &world.accounts.groups[group].stays[Activity::RUN_QUEUE.i()];
    stays.sum() as f64 / 1e6 / stays.count() as f64
}

/// Who mostly sleeps takes the CPU at once. In BATCH he waits: under CFS for the next tick, for the hog's slice has
/// long been over: half a tick of 1 ms.
#[test]
fn batch_takes_nobodys_cpu() {
    let at_once = delay_ms(Scheduler::Cfs, Class::TimeSharing);
    assert!(at_once < 0.02, "{at_once}");
    near(&[delay_ms(Scheduler::Cfs, Class::Batch)], &[0.5], 0.05, "CFS");
}

/// Under EEVDF the hog's request of 0.7 ms began on a tick. Who comes x after it waits for the next tick where x < 0.7;
/// where not, the request is used up and another begins at that moment, alone as the hog still is (`update_deadline`
/// asks for a new pick where others are runnable), and ends on the tick after that: 1 − ½ + 0.3 = 0.8 ms on average.
#[test]
fn batch_takes_nobodys_cpu_under_eevdf() {
    let [at_once, batch] = [Class::TimeSharing, Class::Batch].map(|class| delay_ms(Scheduler::Eevdf, class));
    near(&[batch], &[0.8], 0.05, "EEVDF");
    assert!(at_once < 0.15, "{at_once}");
}

/// In BATCH a hog has its share as in the ordinary class.
#[test]
fn batch_has_its_share() {
    for scheduler in FAIR {
        let mut config = one(host(scheduler, 1), hogs(1));
        config.nodes[0].more_background[0] = busy(3, KindConfig { class: Class::Batch, ..ordinary() });
        near(&cpus_of(&config), &[0.25, 0.0, 0.75], 0.03, &format!("{scheduler:?}"));
    }
}

fn report(config: &Config) -> Report {
    finish(config, goal(0.05, 300_000))
}

/// Rows of each kind in processes and ledger, both laws exact, and what a quota holds back told of the kind it is of.
#[test]
fn each_kind_has_its_rows() {
    let mut config = one(host(Scheduler::Eevdf, 4), hogs(2));
    config.nodes[0].background = Background { processes: 1, ..*busy(1, ordinary()).expect("one") };
    let batch = KindConfig { class: Class::Batch, ..grouped(10_000, Some((0.5, 50.0))) };
    config.nodes[0].more_background = [busy(2, grouped(10_000, Some((0.25, 100.0)))), busy(3, batch)];
    let report = report(&config);
    let rows: Vec<_> = report.processes.iter().map(|row| (row.kind, row.count)).collect();
    assert_eq!(rows, [("session", 2), ("background", 1), ("background2", 2), ("background3", 3)]);
    let held = |kind| {
        let mut rows = report.ledger.iter().filter(|row| row.cause == "throttled" && row.kind == Some(kind));
        rows.next().and_then(|row| row.processes.as_ref()).map_or(0.0, |held| held.mean)
    };
    assert_eq!([held("session"), held("background")], [0.0, 0.0]);
    // At once they use 25 ms of 100 up in 12.5, and 25 of 50 in 8.3; then both wait, and all three.
    let held = [held("background2"), held("background3")];
    assert!((held[0] - 1.75).abs() < 0.1 && (held[1] - 2.5).abs() < 0.15, "{held:?}");
}

/// `check_preempt_wakeup`: "Batch and idle tasks do not preempt non-idle tasks", also where balancing brings them. The
/// first has run for so long \[ms\] when the last comes from the other thread; under CFS beside one that waits, so that
/// it leads.
#[test]
fn who_is_moved_in_batch_preempts_nobody() {
    for (scheduler, is_watched, ran_ms) in [(Scheduler::Cfs, true, 5.0), (Scheduler::Eevdf, false, 1.0)] {
        for class in [Class::TimeSharing, Class::Batch] {
            let masks = Masks::new(2);
            let mut policy = Policy::new(&host(scheduler, 2), &[], false);
            for pid in 0..4 {
                let class = if pid == 3 { class } else { Class::TimeSharing };
                policy.admit(Pid(pid), &KindConfig { class, ..ordinary() }, None, &masks);
            }
            for (at, pid, runs) in [(0, 0, true), (0, 1, false), (1, 2, true), (1, 3, false)] {
                if pid != 1 || is_watched {
                    policy.wake(at, Pid(pid), Ns::ZERO);
                }
                if runs {
                    assert!(policy.turn(at, None, Ns::ZERO).is_some_and(|next| next.pid == Pid(pid)));
                }
            }
            let now = Ns::from_ms(ran_ms);
            let shifted = policy.fair_mut().is_some_and(|fair| fair.shift(Pid(3), 1, 0, now));
            let gives_way = shifted || policy.until(0, now) <= now;
            assert_eq!(gives_way, class == Class::TimeSharing, "{scheduler:?} {class:?}");
        }
    }
}
