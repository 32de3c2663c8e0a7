//! Whom a balance moves, worked out by hand from the text.
use super::groups::{find_busiest_group, update_sg_lb_stats, GroupType};
use super::tasks::{detach_tasks, find_busiest_queue, task_hot};
use super::*;

pub const NOW: u64 = 1_000_000_000;

/// Always runnable, nice 0, on any of 16 CPUs, last ran long enough ago to be cold.
pub fn hog(id: u32) -> Task {
    Task {
        id,
        weight: 1024,
        load: 1024,
        util: 1024,
        last_ran_ns: NOW - 4_000_000,
        allowed: vec![true; 16],
        is_delayed: false,
        is_owed: true,
    }
}

/// A host with so many hogs on each CPU: `100 * cpu + n`; number 0 is running, 1 waits at the tail of the list.
pub fn hogs(counts: &[usize]) -> Vec<Cpu> {
    let cpu = |(c, &n): (usize, &usize)| {
        let task = |i: usize| Task { util: 1024 / n as u64, ..hog((100 * c + i) as u32) };
        let load = 1024 * n as u64;
        Cpu {
            running: (n > 0).then(|| Task { last_ran_ns: NOW, ..task(0) }),
            queue: (1..n).rev().map(task).collect(),
            load,
            runnable: load,
            util: load.min(1024),
            is_idle: n == 0,
            ..Cpu::default()
        }
    };
    counts.iter().enumerate().map(cpu).collect()
}

/// Balances again and again on the same snapshot: the verdicts, with the failures and the interval carried over.
pub fn again(cpus: &[Cpu], sd: &Domain, this: usize, idle: Idle, times: usize) -> Vec<Verdict> {
    let mut sd = sd.clone();
    (0..times)
        .map(|_| {
            let out = load_balance_all(cpus, &sd, this, idle, NOW, true);
            (sd.failed, sd.interval_ms) = (out.failed, out.interval_ms);
            out.verdict
        })
        .collect()
}

fn with_failed(sd: &Domain, failed: u32) -> Domain {
    Domain { failed, ..sd.clone() }
}

#[test]
fn two_hogs_on_one_core_of_two_are_parted_by_the_fourth_balance() {
    let cpus = hogs(&[1, 1, 0, 0]);
    let llc = &build_domains(1, 1, 2, 2, 2)[1];
    // Type smt_balance, one task to move; nobody waits anywhere, so it is failure 1, 2, 3; at 4 > tries + 2 the first.
    let seen = again(&cpus, llc, 2, Idle::Idle, 4);
    assert_eq!(seen, [Verdict::Nothing, Verdict::Nothing, Verdict::Nothing, Verdict::Active(0)]);
    // The other idle thread is never the one to do it: its failures are even taken back.
    let llc = &build_domains(1, 1, 2, 2, 3)[1];
    let out = load_balance_all(&cpus, &with_failed(llc, 3), 3, Idle::Idle, NOW, true);
    assert_eq!((out.verdict, out.carry_on, out.failed, out.interval_ms), (Verdict::Balanced, false, 0, 8));
}

#[test]
fn newly_idle_balances_count_no_failure_but_use_those_there_are() {
    let cpus = hogs(&[1, 1, 0, 0]);
    let llc = &build_domains(1, 1, 2, 2, 3)[1];
    let out = load_balance_all(&cpus, llc, 3, Idle::NewlyIdle, NOW, true);
    assert_eq!((out.verdict, out.failed), (Verdict::Nothing, 0));
    let out = load_balance_all(&cpus, &with_failed(llc, 4), 3, Idle::NewlyIdle, NOW, true);
    assert_eq!((out.verdict, out.failed), (Verdict::Active(0), 4));
    // Found balanced, a newly idle one takes the failures back as well, but leaves the interval.
    let out = load_balance_all(&hogs(&[1, 0, 1, 0]), &with_failed(llc, 4), 3, Idle::NewlyIdle, NOW, true);
    assert_eq!((out.verdict, out.failed, out.interval_ms), (Verdict::Balanced, 0, 4));
}

#[test]
fn five_hogs_on_three_cores_of_two_threads() {
    let sds = |c| build_domains(1, 1, 3, 2, c);
    // Two, two and one: ahead by one task only, and idle threads differ by one: balanced, from wherever it is seen.
    let cpus = hogs(&[1, 1, 1, 1, 1, 0]);
    assert!((0..6).all(|c| {
        let idle = if c == 5 { Idle::Idle } else { Idle::NotIdle };
        load_balance(&cpus, &sds(c)[1], c, idle, NOW).0 == Verdict::Balanced
    }));
    // Three, two and none: half of three goes, from the queue of two.
    let (verdict, why) = load_balance(&hogs(&[2, 1, 1, 1, 0, 0]), &sds(4)[1], 4, Idle::Idle, NOW);
    assert_eq!(verdict, Verdict::Moved(vec![1]), "{why}");
    // One idle thread beside a queue of two: within the core at once, hot or not.
    let mut cpus = hogs(&[2, 0, 1, 1, 1, 0]);
    cpus[0].queue[0].last_ran_ns = NOW;
    assert_eq!(load_balance(&cpus, &sds(1)[0], 1, Idle::Idle, NOW).0, Verdict::Moved(vec![1]));
}

#[test]
fn five_hogs_on_the_first_of_two_caches_of_four() {
    let cpus = hogs(&[2, 1, 1, 1, 0, 0, 0, 0]);
    let pkg = &build_domains(1, 2, 2, 2, 4)[2];
    assert_eq!(pkg.kind, Kind::Socket);
    // Overloaded against spare: use of up to 4096, from a queue of at least two.
    let mut env = Env::new(pkg, 8, 4, Idle::Idle, NOW);
    assert_eq!(find_busiest_group(&mut env, &cpus).0, Some(1));
    assert_eq!((env.migration, env.imbalance), (Migration::Util, 4096));
    assert_eq!(load_balance(&cpus, pkg, 4, Idle::Idle, NOW).0, Verdict::Moved(vec![1]));
    // Then four and one: three ahead, one task to move, nobody waits: active at the fourth, which leaves three and two.
    let cpus = hogs(&[1, 1, 1, 1, 1, 0, 0, 0]);
    let pkg = &build_domains(1, 2, 2, 2, 6)[2];
    assert_eq!(again(&cpus, pkg, 6, Idle::Idle, 4)[3], Verdict::Active(0));
    assert_eq!(load_balance(&hogs(&[0, 1, 1, 1, 1, 0, 1, 0]), pkg, 5, Idle::Idle, NOW).0, Verdict::Balanced);
}

#[test]
fn five_hogs_on_four_cpus_the_odd_one_wanders() {
    let cpus = hogs(&[2, 1, 1, 1]);
    let llc = &build_domains(1, 1, 4, 1, 1)[0];
    assert_eq!((llc.kind, llc.groups.len(), llc.prefer_sibling), (Kind::Llc, 4, false));
    // Loads 2048 and 1024, average 1280: 256 to move. 1024 and 512 are too much, 256 is not: failures 0, 1, 2.
    let seen = again(&cpus, llc, 1, Idle::NotIdle, 3);
    assert_eq!(seen, [Verdict::Nothing, Verdict::Nothing, Verdict::Moved(vec![1])]);
    // Failure 2 is also more than cache_nice_tries: hot ones go at that time too.
    let mut hot = cpus.clone();
    hot[0].queue[0].last_ran_ns = NOW;
    assert_eq!(again(&hot, llc, 1, Idle::NotIdle, 3)[2], Verdict::Moved(vec![1]));
    // The one with two sees nobody busier than itself.
    let own = &build_domains(1, 1, 4, 1, 0)[0];
    assert_eq!(load_balance(&cpus, own, 0, Idle::NotIdle, NOW).0, Verdict::Balanced);
}

#[test]
fn six_hogs_on_four_cpus() {
    let mut cpus = hogs(&[3, 1, 1, 1]);
    let llc = &build_domains(1, 1, 4, 1, 1)[0];
    // Average 1536, so 512 to move: at the first failure 1024 >> 1 is just that; a hot one waits for the second.
    assert_eq!(again(&cpus, llc, 1, Idle::NotIdle, 2), [Verdict::Nothing, Verdict::Moved(vec![1])]);
    cpus[0].queue.iter_mut().for_each(|p| p.last_ran_ns = NOW);
    assert_eq!(again(&cpus, llc, 1, Idle::NotIdle, 3)[1..], [Verdict::Nothing, Verdict::Moved(vec![1])]);
}

#[test]
fn an_idle_cpu_takes_half_and_a_newly_idle_one_takes_one() {
    let cpus = hogs(&[4, 0]);
    let llc = &build_domains(1, 1, 2, 1, 1)[0];
    assert_eq!(load_balance(&cpus, llc, 1, Idle::Idle, NOW).0, Verdict::Moved(vec![1, 2]));
    assert_eq!(load_balance(&cpus, llc, 1, Idle::NewlyIdle, NOW).0, Verdict::Moved(vec![1]));
    let without = load_balance_all(&cpus, llc, 1, Idle::NewlyIdle, NOW, false);
    assert_eq!(without.verdict, Verdict::Moved(vec![1, 2]));
    // Two hogs and an idle CPU: at once if cold, at the third balance (failures 2) if hot.
    let mut two = hogs(&[2, 0]);
    assert_eq!(again(&two, llc, 1, Idle::Idle, 1), [Verdict::Moved(vec![1])]);
    two[0].queue[0].last_ran_ns = NOW - 400_000;
    assert_eq!(again(&two, llc, 1, Idle::Idle, 3)[1..], [Verdict::Nothing, Verdict::Moved(vec![1])]);
}

#[test]
fn two_overloaded_caches_are_evened_out_by_load_beyond_the_percentage() {
    let pkg = &build_domains(1, 2, 4, 1, 4)[1];
    // 9 against 8 hogs: 2304 is less than 117 % of 2048.
    let nine = hogs(&[3, 2, 2, 2, 2, 2, 2, 2]);
    assert_eq!(load_balance(&nine, pkg, 4, Idle::NotIdle, NOW).1, "within imbalance_pct");
    // 11 against 8: averages 2816 and 2048 about 2432, 384 from both, times four CPUs: 1536, which holds one hog.
    let eleven = hogs(&[4, 3, 2, 2, 2, 2, 2, 2]);
    let mut env = Env::new(pkg, 8, 4, Idle::NotIdle, NOW);
    find_busiest_group(&mut env, &eleven);
    assert_eq!((env.migration, env.imbalance), (Migration::Load, 1536));
    assert_eq!(load_balance(&eleven, pkg, 4, Idle::NotIdle, NOW).0, Verdict::Moved(vec![1]));
    // One failure halves what counts against the imbalance, not what is taken off it: 1024, then 512 for 512.
    let once = load_balance(&eleven, &with_failed(pkg, 1), 4, Idle::NotIdle, NOW).0;
    assert_eq!(once, Verdict::Moved(vec![1, 2]));
}

#[test]
fn a_difference_without_sign_wraps_and_the_other_one_counts() {
    // Waiting: two light tasks on 0; 1 is light, 2 heavy. The average is above the busiest one's.
    let mut cpus = hogs(&[2, 1, 1]);
    cpus[0].queue[0].load = 15;
    (cpus[0].load, cpus[1].load) = (30, 15);
    let llc = &build_domains(1, 1, 3, 1, 1)[0];
    let mut env = Env::new(llc, 3, 1, Idle::NotIdle, NOW);
    // (15 + 30 + 1024) / 3 = 356.
    assert_eq!(find_busiest_group(&mut env, &cpus).0, Some(2));
    assert_eq!(env.imbalance, 356 - 15);
    assert_eq!(load_balance(&cpus, llc, 1, Idle::NotIdle, NOW).0, Verdict::Moved(vec![1]));
}

#[test]
fn a_core_full_of_tasks_goes_before_one_with_an_idle_thread() {
    // From the idle core: both others are of type smt_balance or less; fewer idle threads win, then more tasks.
    let cpus = hogs(&[1, 0, 1, 1, 0, 0]);
    let llc = &build_domains(1, 1, 3, 2, 4)[1];
    let mut env = Env::new(llc, 6, 4, Idle::Idle, NOW);
    assert_eq!(find_busiest_group(&mut env, &cpus).0, Some(2));
    assert_eq!(llc.groups[2], [2, 3]);
    // A busy CPU does not see the type at all.
    let env = Env::new(llc, 6, 4, Idle::NotIdle, NOW);
    assert_eq!(update_sg_lb_stats(&env, &cpus, 2).kind, GroupType::FullyBusy);
}

#[test]
fn the_busiest_queue_is_the_first_of_the_largest() {
    let cpus = hogs(&[1, 2, 2, 0]);
    let llc = &build_domains(1, 1, 4, 1, 3)[0];
    let sd = Domain { groups: vec![vec![3], vec![0, 1, 2]], ..llc.clone() };
    let mut env = Env::new(&sd, 4, 3, Idle::Idle, NOW);
    env.imbalance = 512;
    for migration in [Migration::Load, Migration::Util, Migration::Task] {
        env.migration = migration;
        assert_eq!(find_busiest_queue(&env, &cpus, 1), Some(1), "{migration:?}");
    }
    // By load, one task alone that is more than the imbalance is passed over; by use, any alone.
    let cpus = hogs(&[1, 0, 0, 0]);
    env.migration = Migration::Load;
    assert_eq!(find_busiest_queue(&env, &cpus, 1), None);
    env.migration = Migration::Util;
    assert_eq!(find_busiest_queue(&env, &cpus, 1), None);
    env.migration = Migration::Task;
    assert_eq!(find_busiest_queue(&env, &cpus, 1), Some(0));
}

#[test]
fn tasks_are_taken_from_the_tail_and_those_that_stay_go_to_the_head() {
    let mut cpus = hogs(&[4, 0]);
    cpus[0].queue[2].last_ran_ns = NOW; // number 1, the tail
    let llc = &build_domains(1, 1, 2, 1, 1)[0];
    let mut env = Env::new(llc, 2, 1, Idle::Idle, NOW);
    (env.src, env.migration, env.imbalance, env.loop_max) = (0, Migration::Task, 1, 4);
    assert!(task_hot(&env, &cpus[0].queue[2]) && !task_hot(&env, &cpus[0].queue[1]));
    let ids: Vec<u32> = detach_tasks(&mut env, &mut cpus).iter().map(|p| p.id).collect();
    assert_eq!(ids, [2]);
    let left: Vec<u32> = cpus[0].cfs_tasks().iter().map(|t| t.0.id).collect();
    assert_eq!(left, [1, 0, 3]);
}
