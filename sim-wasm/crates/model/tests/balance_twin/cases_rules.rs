//! Who balances, affinity, slowed CPUs, domains, intervals, averages and wake-ups, worked out by hand from the text.
use super::balance::should_we_balance;
use super::cases::{again, hog, hogs, NOW};
use super::groups::{sibling_imbalance, update_sd_lb_stats};
use super::pelt::{decay_load, runnable_avg_yn_inv, update_load_avg_cfs_rq, update_load_avg_se, Avg};
use super::timing::*;
use super::wake::*;
use super::*;

fn only(cpus: &[usize]) -> Vec<bool> {
    (0..16).map(|c| cpus.contains(&c)).collect()
}

#[test]
fn one_cpu_of_a_group_balances() {
    let ours = |counts: &[usize], level: usize, idle: Idle| -> Vec<usize> {
        let cpus = hogs(counts);
        let turn = |&c: &usize| {
            let sd = &build_domains(1, 2, 2, 2, c)[level];
            should_we_balance(&Env::new(sd, 8, c, idle, NOW), &cpus)
        };
        (0..4).filter(turn).collect()
    };
    // Among cores, in the core's own group: its first idle thread if the other is idle too, or else its first idle one.
    assert_eq!(ours(&[0, 0, 1, 0, 0, 0, 0, 0], 1, Idle::Idle), [0, 3]);
    assert_eq!(ours(&[1, 1, 1, 1, 0, 0, 0, 0], 1, Idle::Idle), [0, 2]);
    // Among caches: an idle core before an idle thread of a busy one.
    assert_eq!(ours(&[1, 0, 0, 0, 0, 0, 0, 0], 2, Idle::Idle), [2]);
    assert_eq!(ours(&[1, 1, 1, 0, 0, 0, 0, 0], 2, Idle::Idle), [3]);
    assert_eq!(ours(&[1, 1, 1, 1, 0, 0, 0, 0], 2, Idle::NotIdle), [0]);
    // Each thread is a group of its own within a core; and newly idle ones all balance.
    assert_eq!(ours(&[1, 0, 1, 1, 0, 0, 0, 0], 0, Idle::Idle), [0, 1, 2, 3]);
    assert_eq!(ours(&[0, 0, 1, 0, 0, 0, 0, 0], 2, Idle::NewlyIdle), [0, 1, 3]);
}

#[test]
fn pinned_tasks_double_the_interval_and_tell_the_parent() {
    let mut cpus = hogs(&[2, 0]);
    cpus[0].queue[0].allowed = only(&[0]);
    cpus[0].running.as_mut().unwrap().allowed = only(&[0]);
    let llc = build_domains(1, 1, 2, 1, 1).remove(0);
    let out = load_balance_all(&cpus, &Domain { failed: 3, interval_ms: 4, ..llc }, 1, Idle::Idle, NOW, true);
    // Past the maximum of 4 ms: pinned tasks let it grow to 512.
    assert_eq!((out.verdict, out.failed, out.interval_ms), (Verdict::Balanced, 0, 8));
    // One may go but runs, the other is pinned: a failure, and the core looks badly balanced from above.
    let mut cpus = hogs(&[2, 0, 0, 0]);
    cpus[0].queue[0].allowed = only(&[0]);
    let smt = &build_domains(1, 1, 2, 2, 1)[0];
    let out = load_balance_all(&cpus, smt, 1, Idle::Idle, NOW, true);
    assert_eq!((out.verdict, out.failed, out.parent_imbalance), (Verdict::Nothing, 1, Some(true)));
    // Seen from above that is a type of its own: one task.
    let mut llc = build_domains(1, 1, 2, 2, 2).remove(1);
    llc.group_imbalance = vec![false, true];
    cpus[0].queue[0].allowed = only(&[0, 3]);
    // It may not run on 2, but on 3 of the same group: the balance is turned to 3.
    let out = load_balance_all(&cpus, &llc, 2, Idle::Idle, NOW, true);
    assert_eq!(out.moves, [(1, 3)]);
}

#[test]
fn a_running_task_that_may_not_come_is_not_pushed() {
    let mut cpus = hogs(&[1, 1, 0, 0]);
    cpus[0].running.as_mut().unwrap().allowed = only(&[0, 1]);
    let llc = build_domains(1, 1, 2, 2, 2).remove(1);
    let out = load_balance_all(&cpus, &Domain { failed: 3, ..llc }, 2, Idle::Idle, NOW, true);
    // The failures stay and the interval grows.
    assert_eq!((out.verdict, out.failed, out.interval_ms), (Verdict::Nothing, 4, 8));
}

#[test]
fn a_cpu_slowed_by_real_time_work_is_relieved_at_once() {
    let mut cpus = hogs(&[1, 0]);
    cpus[0].rt_util = 512;
    let llc = &build_domains(1, 1, 2, 1, 1)[0];
    // Capacity 512: 512 * 117 < 1024 * 100, for the type and for active balance alike.
    assert_eq!(again(&cpus, llc, 1, Idle::Idle, 1), [Verdict::Active(0)]);
    // 876 * 117 = 102492 is not less: one task alone is nothing to pull.
    cpus[0].rt_util = 148;
    assert_eq!(again(&cpus, llc, 1, Idle::Idle, 1), [Verdict::Balanced]);
    cpus[0].rt_util = 149;
    assert_eq!(again(&cpus, llc, 1, Idle::Idle, 1), [Verdict::Active(0)]);
}

#[test]
fn groups_of_unlike_cores_are_compared_by_core() {
    // A core of two threads against two of one thread each, which is idle: 2 * (2 * 3 - 0) + 3 over 3 is 5.
    let cpus = hogs(&[2, 1, 0, 0]);
    let sd = Domain {
        groups: vec![vec![2, 3], vec![0, 1]],
        group_smt: vec![false, true],
        core_of: vec![0, 0, 1, 2],
        ..build_domains(1, 1, 2, 2, 2).remove(1)
    };
    let env = Env::new(&sd, 4, 2, Idle::Idle, NOW);
    assert_eq!(sibling_imbalance(&env, &update_sd_lb_stats(&env, &cpus)), 5);
    // A core with two tasks gives one away to a core without threads, though only one is ahead.
    let sd = Domain { groups: vec![vec![2], vec![0, 1]], prefer_sibling: false, ..sd };
    assert_eq!(load_balance(&hogs(&[1, 1, 0, 0]), &sd, 2, Idle::Idle, NOW).0, Verdict::Nothing);
}

#[test]
fn nodes_bear_a_small_difference() {
    let numa = &build_domains(2, 1, 8, 1, 8)[1];
    assert_eq!((numa.kind, numa.imb_numa_nr, numa.cache_nice_tries), (Kind::Numa, 1, 2));
    let host = |n: usize| hogs(&(0..16).map(|c| usize::from(c < n)).collect::<Vec<_>>());
    assert_eq!(again(&host(2), numa, 8, Idle::Idle, 1), [Verdict::Balanced]);
    // Three ahead: one task, active at the fifth balance, for the tries are 2.
    let three = again(&host(3), numa, 8, Idle::Idle, 5);
    assert_eq!(three[3..], [Verdict::Nothing, Verdict::Active(0)]);
}

#[test]
fn domains_of_regular_hosts() {
    let kinds = |s, l, c, t| build_domains(s, l, c, t, 0).iter().map(|d| d.kind).collect::<Vec<_>>();
    assert_eq!(kinds(1, 1, 2, 2), [Kind::Smt, Kind::Llc]);
    assert_eq!(kinds(1, 2, 2, 1), [Kind::Llc, Kind::Socket]);
    assert_eq!(kinds(2, 1, 2, 2), [Kind::Smt, Kind::Llc, Kind::Numa]);
    assert_eq!(kinds(2, 2, 2, 2), [Kind::Smt, Kind::Llc, Kind::Socket, Kind::Numa]);
    assert_eq!(kinds(1, 4, 1, 1), [Kind::Socket]);
    assert_eq!(kinds(1, 4, 1, 2), [Kind::Smt, Kind::Socket]);
    assert_eq!(kinds(1, 1, 1, 1), []);
    let all = build_domains(2, 2, 2, 2, 5);
    let figures: Vec<_> = all.iter().map(|d| (d.pct, d.cache_nice_tries, d.prefer_sibling, d.interval_ms)).collect();
    assert_eq!(figures, [(110, 0, false, 2), (117, 1, true, 4), (117, 1, true, 8), (117, 2, true, 16)]);
    assert_eq!(all[0].groups, [[5], [4]]);
    assert_eq!(all[1].groups, [[4, 5], [6, 7]]);
    assert_eq!(all[2].groups, [[4, 5, 6, 7], [0, 1, 2, 3]]);
    assert_eq!(all.iter().map(|d| d.group_smt[1]).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(all[3].imb_numa_nr, 2);
    // Without threads the lowest domain's groups carry nothing; a cache of one core passes the core's flags on.
    assert!(!build_domains(1, 1, 4, 1, 0)[0].prefer_sibling);
    let small = &build_domains(1, 4, 1, 2, 0)[1];
    assert!(small.prefer_sibling && small.group_smt == [true; 4]);
}

#[test]
fn intervals() {
    // 4 CPUs at 250 ticks a second: 4 ms is one tick, 64 ms less a tick 15; never more than 100 ticks.
    assert_eq!(get_sd_balance_interval(4, false, 250, 4), 1);
    assert_eq!(get_sd_balance_interval(4, true, 250, 4), 15);
    assert_eq!(get_sd_balance_interval(4, true, 1000, 4), 63);
    assert_eq!(get_sd_balance_interval(512, true, 250, 4), 100);
    // Doubled once when balanced, and not beyond twice the weight; reset by a failure as well as by a move.
    let sd = build_domains(1, 1, 4, 1, 1).remove(0);
    let idle_host = hogs(&[0, 0, 0, 0]);
    let grown = load_balance_all(&idle_host, &sd, 1, Idle::Idle, NOW, true).interval_ms;
    assert_eq!(grown, 8);
    let sd = Domain { interval_ms: grown, ..sd };
    assert_eq!(load_balance_all(&idle_host, &sd, 1, Idle::Idle, NOW, true).interval_ms, 8);
    assert_eq!(load_balance_all(&hogs(&[2, 1, 1, 1]), &sd, 1, Idle::NotIdle, NOW, true).interval_ms, 4);
}

#[test]
fn rebalancing_stops_where_it_is_another_ones_turn() {
    let clock = |ms| Clock { interval_ms: ms, last_decay: 1000, ..Clock::default() };
    let mut sds = [clock(2), clock(4), clock(8)];
    let mut rq = sched_init();
    let mut seen = Vec::new();
    let balance = |i: usize, idle| {
        seen.push((i, idle));
        (i == 0, i != 1, [4, 8, 8][i])
    };
    rebalance_domains(&mut rq, &mut sds, Idle::Idle, (1000, 250, 8), balance, || false);
    // After the move it is busy, also for the intervals: 16 * 8 ms less a tick is 31 ticks, 16 * 4 ms 15.
    assert_eq!(seen, [(0, Idle::Idle), (1, Idle::NotIdle)]);
    assert_eq!(rq.next_balance, 1015);
    assert_eq!((sds[0].last_balance, sds[1].last_balance, sds[2].last_balance), (1000, 1000, 0));
}

#[test]
fn newly_idle_cpus_weigh_the_cost() {
    let clock = |cost| Clock { interval_ms: 4, newidle: true, max_newidle_lb_cost: cost, ..Clock::default() };
    let mut rq = sched_init();
    assert_eq!(rq.avg_idle_ns, 1_000_000);
    let mut seen = Vec::new();
    let mut sds = [clock(100_000), clock(800_000), clock(0)];
    // 300 µs spent below and 800 µs expected: more than a millisecond.
    let pulled = newidle_balance(&mut rq, &mut sds, true, (5, 250, 4), |i| {
        seen.push(i);
        (false, 300_000)
    });
    assert_eq!((pulled, seen), (false, vec![0]));
    assert_eq!((sds[0].max_newidle_lb_cost, rq.max_idle_balance_cost), (300_000, 500_000));
    // Nobody has two tasks: not even the first is looked at.
    assert!(!newidle_balance(&mut rq, &mut sds, false, (5, 250, 4), |_| panic!("asked")));
    assert_eq!(sched_init(), rq);
    // The average goes an eighth of the way, up to twice the dearest.
    update_avg_idle(&mut rq, 200_000);
    assert_eq!(rq.avg_idle_ns, 900_000);
    update_avg_idle(&mut rq, 1_000_000_000);
    assert_eq!(rq.avg_idle_ns, 1_000_000);
    // Decay of 3/256 when more than a second has gone by.
    let mut sd = clock(256_000);
    assert!(!update_newidle_cost(&mut sd, 0, 250, 250) && update_newidle_cost(&mut sd, 0, 251, 250));
    assert_eq!(sd.max_newidle_lb_cost, 253_000);
}

#[test]
fn kicks_and_their_order() {
    let cpus = hogs(&[2, 0, 1, 0]);
    let mut nohz = Nohz { idle_cpus: vec![false, true, false, true], next_balance: 10, ..Nohz::default() };
    assert_eq!(nohz_balancer_kick(&nohz, &cpus[0], Some(117), Some(1), 9), Kick::default());
    let kick = nohz_balancer_kick(&nohz, &cpus[0], Some(117), Some(1), 10);
    assert_eq!(kick, Kick { balance: true, stats: true, next: false });
    assert_eq!(kick_ilb(&mut nohz, kick, &cpus, 0, 10), Some(1));
    assert_eq!(nohz.next_balance, 11);
    // One task: only if another CPU of the cache is busy as well.
    assert_eq!(nohz_balancer_kick(&nohz, &cpus[2], Some(117), Some(1), 11), Kick::default());
    assert!(nohz_balancer_kick(&nohz, &cpus[2], Some(117), Some(2), 11).balance);
    // The one that was sent for balances for the others first.
    assert_eq!(nohz_idle_balance_order(&nohz, &cpus, 1, &[0; 4], 11), [3, 1]);
    assert_eq!(nohz_idle_balance_order(&nohz, &cpus, 1, &[0, 0, 0, 12], 11), [1]);
    assert_eq!(nohz_next_balance(&nohz, &cpus, &[0, 15, 0, 12], 11, 250), 12);
}

#[test]
fn averages_halve_in_32_periods() {
    // The beginning of the kernel's table, and its middle, which is the square root of a half.
    let first: Vec<u64> = (0..4).map(runnable_avg_yn_inv).collect();
    assert_eq!(first, [0xffff_ffff, 0xfa83_b2da, 0xf525_7d14, 0xefe4_b99a]);
    assert_eq!(runnable_avg_yn_inv(16), 0xb504_f333);
    assert_eq!(decay_load(47742, 32), 23870);
    assert_eq!(decay_load(47742, 32 * 63 + 1), 0);
    let mut a = Avg::default();
    let ms = |n: u64| n * 1024 * 1024;
    assert!(!update_load_avg_se(ms(1) - 1024, &mut a, 1024, true, true));
    (1..2000).for_each(|n| {
        update_load_avg_se(ms(n), &mut a, 1024, true, true);
    });
    assert!((1022..=1024).contains(&a.load_avg) && (1022..=1024).contains(&a.util_avg), "{a:?}");
    let before = a.load_avg;
    update_load_avg_se(ms(1999 + 32), &mut a, 1024, false, false);
    assert!(a.load_avg.abs_diff(before / 2) <= 1, "{a:?}");
    // A queue with two: twice the load and the waiting, once the use.
    let mut q = Avg::default();
    (1..1000).for_each(|n| {
        update_load_avg_cfs_rq(ms(n), &mut q, 2048, 2, true);
    });
    assert!(q.load_avg.abs_diff(2048) <= 2 && q.runnable_avg.abs_diff(2048) <= 2 && q.util_avg.abs_diff(1024) <= 2);
}

#[test]
fn how_far_a_wake_up_looks() {
    assert_eq!(update_idle_cpu_scan(0, 16, 117), 16);
    // Half used: 1024 - 512² * 117² / 10240000 = 674 of 1024, times 16.
    assert_eq!(update_idle_cpu_scan(512 * 16, 16, 117), 10);
    assert_eq!(update_idle_cpu_scan(875 * 16, 16, 117), 0);
    let cpus = hogs(&[1, 1, 1, 0]);
    let llc =
        |scan| Llc { span: (0..4).collect(), core_of: (0..4).collect(), nr_idle_scan: scan, has_idle_cores: false };
    let look = |scan| select_idle_sibling(&mut llc(scan), &cpus, &[true; 4], (0, 0), &mut 0);
    assert_eq!([look(0), look(2), look(3), look(4)], [0, 0, 3, 3]);
    // Idle cores are looked for without that bound; an idle thread met on the way is the second best.
    let mut threads = Llc { core_of: vec![0, 0, 1, 1], has_idle_cores: true, ..llc(1) };
    assert_eq!(select_idle_sibling(&mut threads, &cpus, &[true; 4], (0, 0), &mut 0), 3);
    assert!(!threads.has_idle_cores);
    let mut recent = 3;
    assert_eq!(select_idle_sibling(&mut llc(0), &cpus, &[true; 4], (1, 0), &mut recent), 3);
    assert_eq!(recent, 1);
}

#[test]
fn near_the_waker_or_where_it_was() {
    let cpus = hogs(&[1, 0, 2, 1]);
    assert_eq!(wake_affine_idle(&cpus, 1, 2, true, false), Some(1));
    assert_eq!(wake_affine_idle(&cpus, 1, 2, false, false), None);
    assert_eq!(wake_affine_idle(&cpus, 0, 2, true, true), Some(0));
    assert_eq!(wake_affine_idle(&cpus, 0, 1, true, false), Some(1));
    // 100 * (1024 + 512) against 108 * (2048 - 512): here; and not with a load of 1024 on both.
    assert_eq!(wake_affine(&cpus, (0, 2), true, (512, 0), 117, false), 0);
    assert_eq!(wake_affine(&cpus, (0, 3), true, (512, 0), 117, false), 3);
    // With equal queues it stays unless the waker sleeps: 100 * 512 against 108 * 512.
    assert_eq!(wake_affine_weight(&cpus, (0, 3), hog(9).load / 2, 1024, 117, true), Some(0));
    // Twice as many flips on both sides as CPUs in the cache.
    assert!(!wake_wide(100, 3, 4) && !wake_wide(15, 4, 4) && wake_wide(4, 16, 4));
    let mut w = Waker::default();
    [1, 2, 2, 3].into_iter().for_each(|p| record_wakee(&mut w, p, 0, 250));
    assert_eq!(w.wakee_flips, 3);
    record_wakee(&mut w, 3, 251, 250);
    assert_eq!((w.wakee_flips, w.decayed_at), (1, 251));
}
