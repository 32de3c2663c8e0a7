//! SCHED_FIFO, SCHED_RR and Solaris RT over the ordinary policies: order, slices, moves between CPUs, and the limit.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::measure::events::Activity;
use wwi_model::testing::{hogs, node, one, ordinary, window};
use wwi_model::world::World;

fn kind(class: Class, priority: u32) -> KindConfig {
    KindConfig { class, priority, ..ordinary() }
}

fn ms(ms: f64) -> Ns {
    Ns::from_ms(ms)
}

/// The policy of a host without a limit on real time, with a process for each kind, bound as the kind says.
fn policy(scheduler: Scheduler, cpus: u32, kinds: &[KindConfig]) -> (Policy, Masks) {
    let host = NodeConfig { cores_per_socket: cpus, scheduler, rt_runtime: None, ..node() };
    let (mut policy, mut masks) = (Policy::new(&host, &[], true), Masks::new(cpus as usize));
    for (pid, kind) in kinds.iter().enumerate() {
        masks.assign_for(Pid(pid as u32), kind.cpus.as_ref(), &Affinity::None);
        policy.admit(Pid(pid as u32), kind, None, &masks);
    }
    (policy, masks)
}

/// Wakes processes 0.. at CPU 0 at the start and turns once.
fn start(policy: &mut Policy, processes: u32) -> Option<Next> {
    (0..processes).for_each(|pid| drop_answer(policy.wake(0, Pid(pid), Ns::ZERO)));
    policy.turn(0, None, Ns::ZERO)
}

fn drop_answer(_: Preempt) {}

fn next(pid: u32, until: Ns) -> Option<Next> {
    Some(Next { pid: Pid(pid), until })
}

fn ended(pid: u32, why: Why) -> Option<Ended> {
    Some(Ended { pid: Pid(pid), why })
}

#[test]
fn a_host_without_real_time_has_no_layer() {
    assert!(matches!(Policy::new(&node(), &[], false), Policy::Cfs(_)));
}

#[test]
fn fifo_runs_until_it_blocks_and_then_the_next_that_came() {
    let (mut policy, _) = policy(Scheduler::Cfs, 1, &[kind(Class::Fifo, 50), kind(Class::Fifo, 50), ordinary()]);
    assert_eq!(start(&mut policy, 3), next(0, Ns::MAX));
    assert_eq!(policy.turn(0, ended(0, Why::Blocked), ms(5_000.0)), next(1, Ns::MAX));
    assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(9_000.0)), next(2, Ns::MAX));
}

#[test]
fn rr_goes_round_in_slices_of_100_ms() {
    let rr = kind(Class::RoundRobin, 50);
    let (mut policy, _) = policy(Scheduler::Cfs, 1, &[rr.clone(), rr.clone(), rr]);
    let mut running = start(&mut policy, 3);
    for turn in 0..9 {
        assert_eq!(running, next(turn % 3, ms(100.0 * f64::from(turn + 1))));
        running = policy.turn(0, ended(turn % 3, Why::SliceExpired), ms(100.0 * f64::from(turn + 1)));
    }
}

#[test]
fn the_quanta_of_aix_and_solaris() {
    let quantum = |scheduler, kind: KindConfig| {
        let (mut policy, _) = policy(scheduler, 1, &[kind.clone(), kind]);
        start(&mut policy, 2).map(|n| n.until)
    };
    assert_eq!(quantum(Scheduler::Aix, kind(Class::RoundRobin, 40)), Some(ms(10.0)));
    let by_priority = [(0, 1000.0), (9, 1000.0), (10, 800.0), (29, 600.0), (30, 400.0), (49, 200.0), (59, 100.0)];
    for (priority, expected) in by_priority {
        assert_eq!(quantum(Scheduler::Solaris, kind(Class::RealTime, priority)), Some(ms(expected)), "{priority}");
    }
}

#[test]
fn the_greater_priority_pre_empts_at_once_and_who_gave_way_goes_on_first_with_the_rest_of_its_slice() {
    let kinds =
        [kind(Class::RoundRobin, 10), kind(Class::RoundRobin, 10), kind(Class::Fifo, 20), ordinary(), ordinary()];
    let (mut policy, _) = policy(Scheduler::Cfs, 1, &kinds);
    policy.wake(0, Pid(3), Ns::ZERO);
    assert_eq!(policy.turn(0, None, Ns::ZERO), next(3, Ns::MAX));
    assert_eq!(policy.wake(0, Pid(0), Ns::ZERO), Preempt::Now);
    assert_eq!(policy.turn(0, ended(3, Why::Preempted), Ns::ZERO), next(0, ms(100.0)));
    assert_eq!(policy.wake(0, Pid(1), ms(10.0)), Preempt::No);
    assert_eq!(policy.wake(0, Pid(4), ms(20.0)), Preempt::No, "ordinary processes wait");
    assert_eq!(policy.wake(0, Pid(2), ms(50.0)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(0, Why::Preempted), ms(50.0)), next(2, Ns::MAX));
    assert_eq!(policy.turn(0, ended(2, Why::Blocked), ms(60.0)), next(0, ms(110.0)));
    assert_eq!(policy.turn(0, ended(0, Why::SliceExpired), ms(110.0)), next(1, ms(210.0)));
}

/// `disp_getwork` is for idle CPUs: one that runs real time takes nobody who waits elsewhere.
#[test]
fn who_waits_on_solaris_is_not_taken_to_a_thread_that_runs_real_time() {
    let (mut policy, _) = policy(Scheduler::Solaris, 2, &[kind(Class::RealTime, 50), ordinary(), ordinary()]);
    for (at, pid) in [(1, 0), (0, 1), (0, 2)] {
        policy.wake(at, Pid(pid), Ns::ZERO);
    }
    [1, 0].into_iter().for_each(|at| _ = policy.turn(at, None, Ns::ZERO));
    assert_eq!((policy.push(Ns::ZERO), policy.waiting(0), policy.waiting(1)), (None, 1, 0));
}

/// `select_task_rq_rt`, `curr->nr_cpus_allowed < 2`: a bound FIFO process on CPU 0, a hog on CPU 1.
#[test]
fn who_is_bound_is_left_alone_by_a_greater_one_that_wakes() {
    let bound = KindConfig { cpus: Some(CpuSet(vec![0])), ..kind(Class::Fifo, 10) };
    for (scheduler, to) in [(Scheduler::Cfs, 1), (Scheduler::Solaris, 0)] {
        let class = if scheduler == Scheduler::Solaris { Class::RealTime } else { Class::Fifo };
        let kinds = [KindConfig { class, ..bound.clone() }, kind(class, 50), ordinary(), kind(class, 5)];
        let (mut policy, masks) = policy(scheduler, 2, &kinds);
        policy.wake(0, Pid(0), Ns::ZERO);
        policy.turn(0, None, Ns::ZERO);
        policy.wake(1, Pid(2), Ns::ZERO);
        policy.turn(1, None, Ns::ZERO);
        assert_eq!(policy.weakest(Pid(1), 0, &masks), Some(to), "{scheduler:?}");
        assert_eq!(policy.weakest(Pid(3), 0, &masks), Some(1), "{scheduler:?}: a lesser one");
    }
    let kinds = [bound, kind(Class::Fifo, 50), kind(Class::Fifo, 60)];
    let (mut policy, masks) = policy(Scheduler::Cfs, 2, &kinds);
    for (at, pid) in [(0, 0), (1, 2)] {
        policy.wake(at, Pid(pid), Ns::ZERO);
        policy.turn(at, None, Ns::ZERO);
    }
    assert_eq!(policy.weakest(Pid(1), 0, &masks), Some(0), "where nobody lesser runs elsewhere he gives way");
}

#[test]
fn a_cpu_about_to_run_less_pulls_and_one_that_lost_its_cpu_is_pushed() {
    let bound = KindConfig { cpus: Some(CpuSet(vec![0])), ..kind(Class::Fifo, 10) };
    let kinds = [kind(Class::Fifo, 10), kind(Class::Fifo, 20), ordinary(), kind(Class::Fifo, 10), bound];
    let (mut policy, masks) = policy(Scheduler::Cfs, 2, &kinds);
    policy.wake(0, Pid(0), Ns::ZERO);
    policy.turn(0, None, Ns::ZERO);
    policy.wake(1, Pid(2), Ns::ZERO);
    policy.turn(1, None, Ns::ZERO);
    assert_eq!(policy.weakest(Pid(3), 0, &masks), Some(1), "CPU 0 runs its equal, CPU 1 an ordinary process");
    assert_eq!(policy.weakest(Pid(4), 0, &masks), Some(0), "it may go nowhere else");
    assert_eq!(policy.weakest(Pid(1), 0, &masks), Some(0), "a lesser one, who is pushed away");
    // The greater one takes CPU 0; the other is pushed to CPU 1.
    assert_eq!(policy.wake(0, Pid(1), ms(1.0)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(0, Why::Preempted), ms(1.0)), next(1, Ns::MAX));
    assert_eq!(policy.push(ms(1.0)), Some(1));
    assert_eq!(policy.turn(1, ended(2, Why::Preempted), ms(1.0)), next(0, Ns::MAX));
    assert_eq!(policy.push(ms(1.0)), None);
    // Two more wait at CPU 0; CPU 1 pulls the one that may go there before it runs its ordinary process.
    assert_eq!(policy.wake(0, Pid(4), ms(2.0)), Preempt::No);
    assert_eq!(policy.wake(0, Pid(3), ms(2.0)), Preempt::No);
    assert_eq!(policy.push(ms(2.0)), None);
    assert_eq!(policy.turn(1, ended(0, Why::Blocked), ms(3.0)), next(3, Ns::MAX));
    assert_eq!(policy.turn(1, ended(3, Why::Blocked), ms(4.0)), next(2, Ns::MAX));
}

/// Shares of the CPUs that (ordinary sessions, real-time background) get, one hog of each a CPU.
fn shares(host: NodeConfig) -> (f64, f64) {
    let cpus = host.threads() as u32;
    let mut config = one(host, hogs(cpus));
    config.nodes[0].background.processes = cpus;
    let after = window(&mut World::new(&config, 0), Ns::from_s(10.0), Ns::from_s(210.0));
    let time = |g: usize| after.groups[g].time[Activity::RUNNING.i()] as f64 / 200e9 / f64::from(cpus);
    (time(0), time(1))
}

/// O(1) has no such limit: that came with 2.6.25.
#[test]
fn real_time_hogs_leave_five_percent_to_the_others_and_nothing_under_o1() {
    for (scheduler, left) in [(Scheduler::Cfs, 0.05), (Scheduler::Eevdf, 0.05), (Scheduler::O1, 0.0)] {
        for class in [Class::Fifo, Class::RoundRobin] {
            for cpus in [1, 4] {
                let mut host = NodeConfig { cores_per_socket: cpus, scheduler, ..node() };
                host.background.kind = kind(class, 50);
                let (others, real) = shares(host);
                assert!((real - 1.0 + left).abs() < 0.001, "{scheduler:?} {class:?} on {cpus}: {real}");
                assert!((others - left).abs() < 0.001, "{scheduler:?} {class:?} on {cpus}: {others}");
            }
        }
    }
}

/// `do_balance_runtime` of Linux 5.8: of four CPUs one that stands idle has 950 ms a second to lend, of which three
/// hogs want 50 each, and so are never stopped; of four hogs none has any left for another.
#[test]
fn real_time_borrows_what_other_cpus_leave_of_theirs() {
    for (real_time, expected) in [(1, 1.0), (3, 3.0), (4, 3.8)] {
        let mut host = NodeConfig { cores_per_socket: 4, scheduler: Scheduler::Cfs, rt_runtime_share: true, ..node() };
        host.background.kind = kind(Class::RoundRobin, 1);
        let mut config = one(host, hogs(8));
        config.nodes[0].background.processes = real_time;
        let after = window(&mut World::new(&config, 0), Ns::from_s(10.0), Ns::from_s(60.0));
        let time = |g: usize| after.groups[g].time[Activity::RUNNING.i()] as f64 / 50e9;
        assert!((time(1) - expected).abs() < 0.002, "{real_time}: {}", time(1));
        assert!((time(0) - 4.0 + expected).abs() < 0.002, "{real_time}: others {}", time(0));
    }
}

/// Who lent takes some back: CPU 1 lends 50 of its 950 ms to a hog on CPU 0, whose whole second that makes, and has
/// used up its 900 by then when that one has 100 left of its 1000, of which it takes the half. With 950 each nobody
/// has any left for the other.
#[test]
fn who_has_lent_real_time_takes_some_back() {
    let host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Cfs, rt_runtime_share: true, ..node() };
    let (mut policy, mut masks) = (Policy::new(&host, &[], true), Masks::new(2));
    for pid in 0..2 {
        let bound = KindConfig { cpus: Some(CpuSet(vec![pid])), ..kind(Class::Fifo, 50) };
        masks.assign_for(Pid(pid.into()), bound.cpus.as_ref(), &Affinity::None);
        policy.admit(Pid(pid.into()), &bound, None, &masks);
    }
    let goes_on = |policy: &mut Policy, pid: u32, now: f64| {
        policy.turn(pid as usize, Some(Ended { pid: Pid(pid), why: Why::SliceExpired }), ms(now))
    };
    drop_answer(policy.wake(0, Pid(0), Ns::ZERO));
    assert_eq!(policy.turn(0, None, Ns::ZERO), next(0, ms(950.0)));
    assert_eq!(goes_on(&mut policy, 0, 950.0).map(|n| n.pid), Some(Pid(0)), "CPU 0 borrows");
    drop_answer(policy.wake(1, Pid(1), ms(1000.0)));
    assert_eq!(policy.turn(1, None, ms(1000.0)), next(1, ms(1900.0)));
    assert_eq!(goes_on(&mut policy, 1, 1900.0), next(1, ms(1950.0)));
    assert_eq!([1, 0].map(|pid| goes_on(&mut policy, pid, 1950.0)), [None, None]);
}

/// Linux 6.18 without a limit on real time: what the deadline server gives.
fn served(cpus: u32) -> NodeConfig {
    let eevdf_generation = EevdfGeneration::Linux618;
    NodeConfig { cores_per_socket: cpus, scheduler: Scheduler::Eevdf, eevdf_generation, rt_runtime: None, ..node() }
}

/// Its policy, with a process for each kind.
fn admitted(cpus: u32, kinds: &[KindConfig]) -> Policy {
    let (mut policy, mut masks) = (Policy::new(&served(cpus), &[], true), Masks::new(cpus as usize));
    for (pid, kind) in kinds.iter().enumerate() {
        masks.assign_for(Pid(pid as u32), None, &Affinity::None);
        policy.admit(Pid(pid as u32), kind, None, &masks);
    }
    policy
}

/// One CPU on which 1, ordinary, runs from 0 on; 0, in real time, sleeps.
fn alone() -> Policy {
    let mut policy = admitted(1, &[kind(Class::Fifo, 50), ordinary()]);
    drop_answer(policy.wake(0, Pid(1), Ns::ZERO));
    assert_eq!(policy.turn(0, None, Ns::ZERO).map(|n| n.pid), Some(Pid(1)));
    policy
}

/// One CPU on which 0, in real time, runs from 0 on and 1, ordinary, waits; 2 is of greater priority.
fn starved() -> Policy {
    let mut policy = admitted(1, &[kind(Class::Fifo, 50), ordinary(), kind(Class::Fifo, 60)]);
    drop_answer(policy.wake(0, Pid(0), Ns::ZERO));
    assert_eq!(policy.turn(0, None, Ns::ZERO), next(0, Ns::MAX), "nobody is there to be served");
    assert_eq!(policy.wake(0, Pid(1), Ns::ZERO), Preempt::Until(ms(950.0)));
    policy
}

/// From the text of `deadline.c`: the timer of a server that starts at 0 is due at 1000 − 50 ms; there 50 ms are too
/// many for the rest, so that a new period begins; it has used them up at 1000, and gets them again at 1950.
#[test]
fn a_deadline_server_lets_ordinary_hogs_run_for_50_ms_at_zero_laxity_and_then_each_second() {
    let mut policy = starved();
    let mut at = ms(950.0);
    for _ in 0..3 {
        let mut end = at;
        let mut running = policy.turn(0, ended(0, Why::SliceExpired), at);
        // Slices of EEVDF, the last of them cut off.
        while let Some(Next { pid: Pid(1), until }) = running {
            end = until;
            running = policy.turn(0, ended(1, Why::SliceExpired), until);
        }
        assert_eq!(end, at + ms(50.0));
        assert_eq!(running, next(0, at + ms(1000.0)));
        at += ms(1000.0);
    }
}

#[test]
fn who_was_starved_and_sleeps_is_served_at_once_from_then_on() {
    let mut policy = starved();
    assert_eq!(policy.turn(0, ended(0, Why::SliceExpired), ms(950.0)).map(|n| n.pid), Some(Pid(1)));
    // Nobody in real time takes its place, however great; it waits for the end of what is left.
    assert_eq!(policy.wake(0, Pid(2), ms(950.1)), Preempt::Until(ms(1000.0)));
    assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(950.35)), next(2, Ns::MAX));
    assert_eq!(policy.turn(0, ended(2, Why::Blocked), ms(951.0)).map(|n| n.pid), Some(Pid(0)));
    assert_eq!(policy.wake(0, Pid(1), ms(954.3)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(0, Why::Preempted), ms(954.3)).map(|n| n.pid), Some(Pid(1)));
    assert_eq!(policy.wake(0, Pid(2), ms(954.4)), Preempt::Until(ms(1004.0)), "49.65 ms, and the next tick");
    assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(954.6)), next(2, Ns::MAX));
    // The period ended at 1950: who comes later waits for another zero laxity.
    assert_eq!(policy.wake(0, Pid(1), ms(1960.0)), Preempt::Until(ms(2910.0)));
}

/// The kernel takes the time that a CPU idles off what its server has left; used up so, it has nothing before 1950.
#[test]
fn what_a_cpu_idles_is_not_given_again() {
    for (until, expected) in [(990.0, Preempt::Now), (1001.0, Preempt::Until(ms(1950.0)))] {
        let mut policy = starved();
        assert_eq!(policy.turn(0, ended(0, Why::Blocked), ms(950.0)).map(|n| n.pid), Some(Pid(1)));
        assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(950.3)), None);
        drop_answer(policy.wake(0, Pid(0), ms(until)));
        assert_eq!(policy.turn(0, None, ms(until)), next(0, Ns::MAX));
        assert_eq!(policy.wake(0, Pid(1), ms(1002.0)), expected, "idle until {until}");
    }
}

/// Due while the CPU idles, at 960 with 40 ms left to 1000, a server finds nobody and stops. The 970 ms that are idled
/// by 980 use up what its new period had: who comes then starts it with nothing left, and once he has run, which
/// nobody kept him from, a period of 50 ms before 1980.2 begins.
#[test]
fn a_server_that_finds_nobody_stops() {
    let mut policy = alone();
    assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(10.0)), None);
    drop_answer(policy.wake(0, Pid(1), ms(980.0)));
    assert_eq!(policy.turn(0, None, ms(980.0)).map(|n| n.pid), Some(Pid(1)));
    assert_eq!(policy.wake(0, Pid(0), ms(980.2)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(1, Why::Preempted), ms(980.2)), next(0, ms(1930.2)));
}

/// The timer's handler does not charge who runs. At 950 it finds 39.85 of 50 ms left, of which 9.65 ran in the
/// beginning and 0.5 just now, and puts itself off to 960.15. There it knows what ran up to the tick of 960, so that
/// 29.85 are left, and puts itself off to 970.15; not to 970.3.
#[test]
fn a_timer_knows_what_ran_up_to_the_last_tick() {
    let mut policy = alone();
    assert_eq!(policy.wake(0, Pid(0), ms(9.65)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(1, Why::Blocked), ms(9.65)), next(0, ms(950.0)));
    assert_eq!(policy.turn(0, ended(0, Why::Blocked), ms(949.5)), None);
    drop_answer(policy.wake(0, Pid(1), ms(949.5)));
    assert_eq!(policy.turn(0, None, ms(949.5)).map(|n| n.pid), Some(Pid(1)));
    assert_eq!(policy.wake(0, Pid(0), ms(961.0)), Preempt::Now);
    assert_eq!(policy.turn(0, ended(1, Why::Preempted), ms(961.0)), next(0, ms(970.15)));
}

/// Who is given to a CPU that runs real time starts its server as one who wakes there does.
#[test]
fn who_is_moved_beside_real_time_is_served_too() {
    let mut policy = admitted(2, &[ordinary(), ordinary(), kind(Class::Fifo, 50)]);
    assert_eq!(start(&mut policy, 2).map(|n| n.pid), Some(Pid(0)));
    drop_answer(policy.wake(1, Pid(2), Ns::ZERO));
    assert_eq!(policy.turn(1, None, Ns::ZERO), next(2, Ns::MAX));
    policy.fair_mut().expect("fair").shift(Pid(1), 0, 1, ms(100.0));
    assert_eq!(policy.until(1, ms(100.0)), ms(1050.0));
}

#[test]
fn a_deadline_server_leaves_ordinary_hogs_five_percent_with_a_limit_on_real_time_or_without() {
    for (cpus, limit) in [(1, None), (1, Some(ms(950.0))), (4, Some(ms(950.0)))] {
        let mut host = NodeConfig { rt_runtime: limit, ..served(cpus) };
        host.background.kind = kind(Class::Fifo, 50);
        let (others, real) = shares(host);
        assert!((others - 0.05).abs() < 0.001 && (real - 0.95).abs() < 0.001, "{cpus} {limit:?}: {others} {real}");
    }
    let mut beside = one(served(1), hogs(1));
    beside.nodes[0].background.kind = kind(Class::Fifo, 50);
    beside.nodes[0].background.processes = 1;
    assert_eq!(beside.slowest_period(0), Ns::from_s(1.0), "a run is long enough for several");
    // Before 6.12 there is none.
    let mut host = NodeConfig { eevdf_generation: EevdfGeneration::Linux66, ..served(1) };
    host.background.kind = kind(Class::Fifo, 50);
    assert_eq!(shares(host), (0.0, 1.0));
}

#[test]
fn the_limit_holds_on_a_coarse_tick_and_for_another_period() {
    let mut host = NodeConfig { cores_per_socket: 1, tick_hz: 100, ..node() };
    (host.rt_runtime, host.rt_period) = (Some(ms(33.3)), ms(100.0));
    host.background.kind = kind(Class::Fifo, 50);
    let (others, real) = shares(host);
    assert!((real - 0.333).abs() < 0.001 && (others - 0.667).abs() < 0.001, "{real} {others}");
}

#[test]
fn without_a_limit_the_others_get_nothing() {
    let mut host = NodeConfig { cores_per_socket: 2, rt_runtime: None, ..node() };
    host.background.kind = kind(Class::Fifo, 50);
    assert_eq!(shares(host), (0.0, 1.0));
    let mut solaris = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Solaris, ..node() };
    solaris.background.kind = kind(Class::RealTime, 50);
    assert_eq!(shares(solaris), (0.0, 1.0), "only Linux limits real time");
}

#[test]
fn nobody_else_there_the_cpu_idles_while_real_time_is_throttled() {
    let mut config = one(NodeConfig { cores_per_socket: 1, ..node() }, hogs(1));
    config.instances[0].session_kind = kind(Class::Fifo, 50);
    let idle = window(&mut World::new(&config, 0), Ns::from_s(10.0), Ns::from_s(110.0)).threads[0].1 as f64 / 100e9;
    assert!((idle - 0.05).abs() < 0.001, "{idle}");
}
