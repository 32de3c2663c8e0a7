//! What 6.1 does otherwise than 6.6, worked out by hand from the text of 6.1.176; and what it does alike.
use super::balance::should_we_balance;
use super::cases::{again, hogs, NOW};
use super::groups::{find_busiest_group, tasks_ahead, update_sd_lb_stats, update_sg_lb_stats, GroupType};
use super::tasks::find_busiest_queue;
use super::*;

/// The old text and the new one.
const BOTH: [Generation; 2] = [Generation::Linux61, Generation::Linux66];

/// The domain of `this` at that level of that host, under both.
fn domains(shape: [usize; 4], level: usize, this: usize) -> [Domain; 2] {
    let [sockets, llcs, cores, threads] = shape;
    BOTH.map(|generation| build_domains(sockets, llcs, cores, threads, this).swap_remove(level).of(generation))
}

/// What both say after so many failures.
fn each(cpus: &[Cpu], sds: &[Domain; 2], this: usize, idle: Idle, failed: u32) -> [Verdict; 2] {
    sds.clone().map(|sd| load_balance(cpus, &Domain { failed, ..sd }, this, idle, NOW).0)
}

/// As many tasks as that on each CPU, each of a load and a use of 100 and never kept waiting.
fn light(counts: &[usize]) -> Vec<Cpu> {
    let mut cpus = hogs(counts);
    for cpu in &mut cpus {
        let sum = 100 * cpu.nr_running() as u64;
        (cpu.load, cpu.runnable, cpu.util) = (sum, sum, sum);
        cpu.queue.iter_mut().chain(&mut cpu.running).for_each(|p| (p.load, p.util) = (100, 100));
    }
    cpus
}

/// The group to pull from, and what of it by what measure.
fn found(sd: &Domain, cpus: &[Cpu], this: usize, idle: Idle) -> (Option<usize>, Migration, i64) {
    let mut env = Env::new(sd, cpus.len(), this, idle, NOW);
    let group = find_busiest_group(&mut env, cpus).0;
    (group, env.migration, env.imbalance)
}

#[test]
fn the_first_idle_cpu_balances_for_its_group() {
    let ours = |counts: &[usize], level: usize, idle: Idle| {
        let cpus = hogs(counts);
        BOTH.map(|generation| -> Vec<usize> {
            let turn = |&c: &usize| {
                let sd = build_domains(1, 2, 2, 2, c).swap_remove(level).of(generation);
                should_we_balance(&Env::new(&sd, 8, c, idle, NOW), &cpus)
            };
            (0..4).filter(turn).collect()
        })
    };
    // Beside a busy thread, though a whole core is idle.
    assert_eq!(ours(&[1, 0, 0, 0, 0, 0, 0, 0], 2, Idle::Idle), [[1], [2]]);
    assert_eq!(ours(&[1, 0, 1, 0, 0, 0, 0, 0], 2, Idle::Idle), [[1], [1]]);
    // None idle: the first of all. Newly idle: each.
    assert_eq!(ours(&[1, 1, 1, 1, 0, 0, 0, 0], 2, Idle::NotIdle), [[0], [0]]);
    assert_eq!(ours(&[1, 0, 0, 0, 0, 0, 0, 0], 2, Idle::NewlyIdle), [[1, 2, 3], [1, 2, 3]]);
    // One that is no longer looked at is passed over.
    let cpus = hogs(&[1, 0, 0, 0, 0, 0, 0, 0]);
    let [sd, _] = domains([1, 2, 2, 2], 2, 2);
    let mut env = Env::new(&sd, 8, 2, Idle::Idle, NOW);
    env.cpus[1] = false;
    assert!(should_we_balance(&env, &cpus));
}

#[test]
fn a_thread_of_a_busy_core_tries_and_the_idle_core_does_not() {
    // Four hogs fill the other cache: three ahead of one, so one task, and nobody waits.
    let cpus = hogs(&[1, 0, 0, 0, 1, 1, 1, 1]);
    let ends = |this: usize| {
        domains([1, 2, 2, 2], 2, this).map(|sd| {
            let out = load_balance_all(&cpus, &sd, this, Idle::Idle, NOW, true);
            (out.verdict, out.carry_on, out.failed)
        })
    };
    let (tried, left) = ((Verdict::Nothing, true, 1), (Verdict::Balanced, false, 0));
    assert_eq!(ends(1), [tried.clone(), left.clone()]);
    assert_eq!(ends(2), [left, tried]);
}

#[test]
fn a_core_with_two_tasks_is_no_type_of_its_own() {
    let cpus = hogs(&[1, 1, 1, 0, 0, 0]);
    let sds = domains([1, 1, 3, 2], 1, 4);
    let kinds = sds.clone().map(|sd| update_sg_lb_stats(&Env::new(&sd, 6, 4, Idle::Idle, NOW), &cpus, 1).kind);
    assert_eq!(kinds, [GroupType::FullyBusy, GroupType::SmtBalance]);
    // All the same two ahead of none is one task, and the fourth try is by force.
    let seen = again(&cpus, &sds[0], 4, Idle::Idle, 4);
    assert_eq!(seen, [Verdict::Nothing, Verdict::Nothing, Verdict::Nothing, Verdict::Active(0)]);
    // One slowed by real-time work goes before it: 1024 of load, from a queue that may be forced at once. In 6.6 the
    // core does, and nobody waits there.
    let mut slowed = cpus.clone();
    slowed[2].rt_util = 512;
    let both = sds.clone().map(|sd| found(&sd, &slowed, 4, Idle::Idle));
    assert_eq!(both, [(Some(2), Migration::Load, 1024), (Some(1), Migration::Task, 1)]);
    assert_eq!(each(&slowed, &sds, 4, Idle::Idle, 0), [Verdict::Active(200), Verdict::Nothing]);
}

#[test]
fn half_of_what_a_core_is_ahead_goes_at_once() {
    // Four light tasks: spare capacity there too, four ahead of none, half of them. As a core with several tasks it
    // would give up one.
    let cpus = light(&[3, 1, 0, 0]);
    let sds = domains([1, 1, 2, 2], 1, 2);
    assert_eq!(each(&cpus, &sds, 2, Idle::Idle, 0), [Verdict::Moved(vec![1, 2]), Verdict::Moved(vec![1])]);
}

#[test]
fn of_fully_busy_groups_the_first() {
    // Caches of two cores without threads, round from the last one: averages are not worked out, so none is above.
    let cpus = hogs(&[1, 1, 1, 1, 1, 1, 0, 0]);
    let sds = domains([1, 4, 2, 1], 1, 6);
    let both = sds.clone().map(|sd| found(&sd, &cpus, 6, Idle::Idle));
    assert_eq!(both, [(Some(1), Migration::Task, 1), (Some(3), Migration::Task, 1)]);
    assert_eq!(each(&cpus, &sds, 6, Idle::Idle, 3), [Verdict::Active(0), Verdict::Active(400)]);
}

#[test]
fn of_groups_with_spare_capacity_the_one_with_more_tasks_whatever_its_cores() {
    // A core of two threads with two tasks, then a core without threads with one: no CPU idle in either.
    let cpus = light(&[1, 1, 1, 1]);
    let both = domains([1, 1, 2, 2], 1, 3).map(|sd| {
        let sd = Domain {
            groups: vec![vec![3], vec![0, 1], vec![2]],
            group_smt: vec![false, true, false],
            group_imbalance: vec![false; 3],
            core_of: vec![0, 0, 1, 2],
            ..sd
        };
        update_sd_lb_stats(&Env::new(&sd, 4, 3, Idle::NotIdle, NOW), &cpus).busiest
    });
    assert_eq!(both, [Some(1), Some(2)]);
}

#[test]
fn a_busy_cpu_pulls_for_siblings() {
    // Four light tasks on one core, two on the other: two ahead, so one goes, though nobody is idle.
    let cpus = light(&[2, 2, 1, 1]);
    let sds = domains([1, 1, 2, 2], 1, 2);
    assert_eq!(each(&cpus, &sds, 2, Idle::NotIdle, 0), [Verdict::Moved(vec![1]), Verdict::Balanced]);
    // One ahead is not enough, and behind counts as none.
    assert_eq!(each(&light(&[2, 1, 1, 1]), &sds, 2, Idle::NotIdle, 0), [Verdict::Balanced, Verdict::Balanced]);
    let env = Env::new(&sds[0], 4, 2, Idle::NotIdle, NOW);
    assert_eq!(tasks_ahead(&env, &update_sd_lb_stats(&env, &light(&[1, 1, 2, 1]))), 0);
    // If a thread of the local core is idle it is that one's turn.
    let idle_beside = light(&[2, 2, 1, 0]);
    assert_eq!(each(&idle_beside, &sds, 2, Idle::NotIdle, 0), [Verdict::Balanced, Verdict::Balanced]);
}

#[test]
fn a_busy_cpu_with_room_relieves_an_overloaded_one() {
    // Groups of one CPU: three hogs against one light task, two ahead, so one goes.
    let mut cpus = hogs(&[3, 1]);
    cpus[1] = light(&[0, 1]).remove(1);
    let sds = domains([1, 1, 2, 1], 0, 1);
    assert_eq!(each(&cpus, &sds, 1, Idle::NotIdle, 0), [Verdict::Moved(vec![1]), Verdict::Balanced]);
    // Two against one: half of one is none.
    let mut cpus = hogs(&[2, 1]);
    cpus[1] = light(&[0, 1]).remove(1);
    assert_eq!(each(&cpus, &sds, 1, Idle::NotIdle, 0), [Verdict::Balanced, Verdict::Balanced]);
}

#[test]
fn siblings_are_compared_by_tasks_not_by_core() {
    // A core of two threads against two without: three ahead, not five, so one task and not two.
    let cpus = hogs(&[2, 1, 0, 0]);
    let both = domains([1, 1, 2, 2], 1, 2).map(|sd| {
        let groups = vec![vec![2, 3], vec![0, 1]];
        found(&Domain { groups, core_of: vec![0, 0, 1, 2], ..sd }, &cpus, 2, Idle::Idle)
    });
    assert_eq!(both, [(Some(1), Migration::Task, 1), (Some(1), Migration::Task, 2)]);
}

#[test]
fn the_queue_of_most_use_not_of_most_waiting() {
    let mut cpus = hogs(&[2, 2, 0, 0]);
    (cpus[0].util, cpus[0].runnable) = (600, 2000);
    (cpus[1].util, cpus[1].runnable) = (700, 700);
    let sds = domains([1, 2, 2, 1], 1, 2);
    // 2700 of waiting is more than 2048 by 117 %: overloaded, and 2048 of use is free here.
    let both = sds.clone().map(|sd| {
        let mut env = Env::new(&sd, 4, 2, Idle::Idle, NOW);
        let group = find_busiest_group(&mut env, &cpus).0.expect("one is busiest");
        assert_eq!((env.migration, env.imbalance), (Migration::Util, 2048));
        find_busiest_queue(&env, &cpus, group)
    });
    assert_eq!(both, [Some(1), Some(0)]);
    assert_eq!(each(&cpus, &sds, 2, Idle::Idle, 0), [Verdict::Moved(vec![101]), Verdict::Moved(vec![1])]);
    // More than a CPU can give counts as that much: equal ones, the first.
    (cpus[0].util, cpus[1].util) = (1100, 1500);
    assert_eq!(each(&cpus, &sds, 2, Idle::Idle, 0)[0], Verdict::Moved(vec![1]));
}

#[test]
fn nodes_of_one_cpu_have_no_domain_below_that_prefers_siblings() {
    let sds = domains([2, 1, 1, 1], 0, 1);
    assert_eq!(sds.clone().map(|sd| (sd.kind, sd.prefers_sibling())), [(Kind::Numa, false), (Kind::Numa, true)]);
    // Three ahead, but a busy CPU: without that wish it does not pull from one with spare capacity.
    let cpus = light(&[4, 1]);
    assert_eq!(each(&cpus, &sds, 1, Idle::NotIdle, 0), [Verdict::Balanced, Verdict::Balanced]);
    // Two real-time tasks and one that waits for them: three ahead, but only one is fair, which ends in balance.
    let mut cpus = light(&[1, 0]);
    let waiting = cpus[0].running.take().expect("one runs");
    cpus[0].queue = vec![Task { last_ran_ns: NOW - 4_000_000, ..waiting }];
    cpus[0].rt_tasks = 2;
    assert_eq!(each(&cpus, &sds, 1, Idle::Idle, 0), [Verdict::Balanced, Verdict::Moved(vec![0])]);
    // Everywhere else both say the same.
    for shape in [[1, 1, 4, 1], [1, 1, 4, 2], [1, 4, 1, 2], [2, 1, 1, 2], [2, 2, 2, 2], [4, 1, 2, 1], [1, 4, 1, 1]] {
        let [s, l, c, t] = shape;
        let all = build_domains(s, l, c, t, 0);
        assert!(all.iter().all(|sd| sd.child_prefers == sd.prefer_sibling), "{shape:?}");
    }
}

#[test]
fn slowed_cpus_are_relieved_as_in_6_6() {
    // At once, by load; of two slowed alike the last one.
    let mut cpus = hogs(&[1, 1, 0]);
    (cpus[0].rt_util, cpus[1].rt_util) = (512, 512);
    let sds = domains([1, 1, 3, 1], 0, 2);
    assert_eq!(each(&cpus, &sds, 2, Idle::Idle, 0), [Verdict::Active(100), Verdict::Active(100)]);
    // With two tasks it is none of these: half of two, by number.
    let mut cpus = hogs(&[2, 0]);
    cpus[0].rt_util = 512;
    let sds = domains([1, 1, 2, 1], 0, 1);
    let both = sds.map(|sd| found(&sd, &cpus, 1, Idle::Idle));
    assert_eq!(both, [(Some(1), Migration::Task, 1); 2]);
}

#[test]
fn nobody_is_delayed_and_nobody_is_refused() {
    let old = Generation::Linux61;
    assert!(!old.delays() && !old.leaves_out_delayed() && !old.minds_cores() && !old.boosts());
    let mut cpus = hogs(&[4, 3, 2, 2, 2, 2, 2, 2]);
    assert!((0..8).all(|c| cpus[c].h_nr(old) == cpus[c].nr_running()));
    // One that is not owed any time goes as any other: 1536 to move by load, room for one hog, the tail.
    cpus[0].queue[2].is_owed = false;
    let sds = domains([1, 2, 4, 1], 1, 4);
    assert!(!sds[0].refuses_delayed && !sds[0].refuses_unowed);
    assert_eq!(each(&cpus, &sds, 4, Idle::NotIdle, 0)[0], Verdict::Moved(vec![1]));
}
