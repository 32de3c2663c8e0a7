//! Tasks asleep but still queued, and tasks that have had more than their share: worked out by hand from the texts of
//! 6.12 and 6.18.
use super::cases::{again, hogs, NOW};
use super::groups::{find_busiest_group, update_sg_lb_stats};
use super::*;

const ALL: [Generation; 3] = [Generation::Linux66, Generation::Linux612, Generation::Linux618];

fn domain(shape: [usize; 4], level: usize, this: usize, generation: Generation) -> Domain {
    let [sockets, llcs, cores, threads] = shape;
    build_domains(sockets, llcs, cores, threads, this).swap_remove(level).of(generation)
}

/// The verdicts of the three generations.
fn each(cpus: &[Cpu], shape: [usize; 4], (level, this): (usize, usize), idle: Idle, failed: u32) -> Vec<Verdict> {
    let verdict = |generation| {
        let sd = Domain { failed, ..domain(shape, level, this, generation) };
        load_balance(cpus, &sd, this, idle, NOW).0
    };
    ALL.into_iter().map(verdict).collect()
}

fn delay(cpu: &mut Cpu, id: u32) {
    cpu.queue.iter_mut().find(|p| p.id == id).expect("it waits there").is_delayed = true;
}

#[test]
fn a_delayed_task_counts_in_the_queue_and_not_always_among_the_fair_ones() {
    let mut cpus = hogs(&[3, 0]);
    delay(&mut cpus[0], 1);
    cpus[0].rt_tasks = 1;
    assert_eq!((cpus[0].nr_running(), cpus[0].h_nr_queued()), (4, 3));
    let counts = ALL.map(|generation| {
        let sd = domain([1, 1, 2, 1], 0, 1, generation);
        let stats = update_sg_lb_stats(&Env::new(&sd, 2, 1, Idle::Idle, NOW), &cpus, 1);
        (stats.nr, stats.h_nr)
    });
    assert_eq!(counts, [(4, 3), (4, 3), (4, 2)]);
}

#[test]
fn one_that_runs_and_one_delayed_beside_an_idle_cpu() {
    let mut cpus = hogs(&[2, 0]);
    delay(&mut cpus[0], 1);
    let verdicts = |generation| again(&cpus, &domain([1, 1, 2, 1], 0, 1, generation), 1, Idle::Idle, 4);
    // Both count in nr_running: two against none on one CPU, use 1024: overloaded, half of the two are to move, by
    // number. 6.12 takes the sleeper.
    assert_eq!(verdicts(Generation::Linux612)[0], Verdict::Moved(vec![1]));
    // 6.18 does not, and the other one runs: failures 1, 2, 3. The fourth is more than 1 + 2: the stopper moves load,
    // so the tail of the list may go, which is the sleeper.
    let seen = verdicts(Generation::Linux618);
    assert_eq!(seen, [Verdict::Nothing, Verdict::Nothing, Verdict::Nothing, Verdict::Active(1)]);
    // It arrives as it was.
    let mut moved = cpus.clone();
    let sleeper = moved[0].queue.clone();
    super::tasks::attach_tasks(&mut moved[1], &sleeper);
    assert!(moved[1].queue[0].is_delayed && !moved[1].is_idle);
}

#[test]
fn a_delayed_task_goes_when_load_is_moved_unless_nobody_else_waits() {
    let mut cpus = hogs(&[3, 1, 1, 1]);
    delay(&mut cpus[0], 1);
    // Loads 3072 and 1024, average 1536: 512 to move. After one failure 1024 >> 1 is just that, whoever it is.
    let sd = domain([1, 1, 4, 1], 0, 1, Generation::Linux618);
    let mut env = Env::new(&sd, 4, 1, Idle::NotIdle, NOW);
    find_busiest_group(&mut env, &cpus);
    assert_eq!((env.migration, env.imbalance), (Migration::Load, 512));
    let shape = [1, 1, 4, 1];
    assert_eq!(each(&cpus, shape, (0, 1), Idle::NotIdle, 1), vec![Verdict::Moved(vec![1]); 3]);
    // With both waiting ones asleep 6.18 counts one task there, whose 3072 are more than 512: no queue to take from.
    delay(&mut cpus[0], 2);
    let seen = each(&cpus, shape, (0, 1), Idle::NotIdle, 1);
    assert_eq!(seen, [Verdict::Moved(vec![1]), Verdict::Moved(vec![1]), Verdict::Balanced]);
}

#[test]
fn one_not_owed_any_time_stays_while_no_balance_has_failed() {
    // Two caches, 1536 to move by load to a busy CPU: room for one hog, as a rule number 1 at the tail.
    let mut cpus = hogs(&[4, 3, 2, 2, 2, 2, 2, 2]);
    cpus[0].queue[2].is_owed = false;
    let (one, two) = (Verdict::Moved(vec![1]), Verdict::Moved(vec![2]));
    let shape = [1, 2, 4, 1];
    assert_eq!(each(&cpus, shape, (1, 4), Idle::NotIdle, 0), [one.clone(), one, two]);
    // After a failure it goes as any other.
    assert_eq!(each(&cpus, shape, (1, 4), Idle::NotIdle, 1), vec![Verdict::Moved(vec![1, 2]); 3]);
    // To a CPU without anybody it goes at once: half of four.
    let mut cpus = hogs(&[4, 0]);
    cpus[0].queue[2].is_owed = false;
    assert_eq!(each(&cpus, [1, 1, 2, 1], (0, 1), Idle::Idle, 0), vec![Verdict::Moved(vec![1, 2]); 3]);
}

#[test]
fn a_refusal_leaves_the_queue_looking_pinned() {
    // Those that wait may run nowhere else. The one that runs may, but has had more than its share.
    let mut cpus = hogs(&[3, 1, 1, 1]);
    cpus[0].queue.iter_mut().for_each(|p| p.allowed = (0..16).map(|c| c == 0).collect());
    cpus[0].running.as_mut().expect("one runs").is_owed = false;
    let ends = ALL.map(|generation| {
        let out = load_balance_all(&cpus, &domain([1, 1, 4, 1], 0, 1, generation), 1, Idle::NotIdle, NOW, true);
        (out.verdict, out.failed, out.interval_ms)
    });
    // Seen to be free to come, it makes a failure of the balance. Refused before that was looked at, it leaves all of
    // them pinned: without that queue nobody is overloaded, so no failure, and twice the interval.
    let failure = (Verdict::Nothing, 1, 4);
    assert_eq!(ends, [failure.clone(), failure, (Verdict::Balanced, 0, 8)]);
}

#[test]
fn of_equal_cpus_slowed_by_real_time_work_the_last_or_the_first() {
    let mut cpus = hogs(&[1, 1, 0]);
    (cpus[0].rt_util, cpus[1].rt_util) = (512, 512);
    // Round from CPU 2: groups 2, 0, 1. Both others hold one task of 1024 at half the capacity.
    let seen = each(&cpus, [1, 1, 3, 1], (0, 2), Idle::Idle, 0);
    assert_eq!(seen, [Verdict::Active(100), Verdict::Active(0), Verdict::Active(0)]);
}
