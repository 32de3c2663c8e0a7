//! The rules of 2.6.18 by hand arithmetic. A process of nice 0 weighs 128, and so is a CPU worth.
use super::busiest::tolerates;
use super::levels::Levels;
use super::loads::CpuLoad;
use super::tasks::{take, Listed, Take};
use super::wake::{wake_idle, Pair};
use super::{Balance, Cpu, Queues, View};
use crate::host::balance::groups::Puller::{self, Busy, Idle, NewlyIdle};
use crate::host::balance::o1::levels::Level;
use crate::ids::Pid;

/// A load that was the same for long.
fn steady(raw: u64) -> CpuLoad {
    let mut load = CpuLoad::default();
    load.change(0, raw, 0);
    load.advance(100);
    load
}

/// A CPU that has had these weights for long.
fn cpu(weights: &[u64]) -> Cpu {
    Cpu { running: weights.len() as u32, load: steady(weights.iter().sum()), is_idle: weights.is_empty() }
}

fn hogs(number: usize) -> Cpu {
    cpu(&vec![128; number])
}

/// What the first CPU finds at the top level of a host of cores of so many threads, one cache.
fn found(cpus: &[Cpu], core: usize, puller: Puller) -> Option<(std::ops::Range<usize>, u64)> {
    let levels = Levels::new(cpus.len(), core, cpus.len(), cpus.len(), 1000);
    let level = levels.all.last().expect("there are several CPUs");
    View { level, cpus, first: 0, puller }.busiest(0)
}

fn among(numbers: &[usize], core: usize, puller: Puller) -> Option<(std::ops::Range<usize>, u64)> {
    found(&numbers.iter().map(|&number| hogs(number)).collect::<Vec<_>>(), core, puller)
}

/// Two and none: average 128; 256 - 128 off, 128 - 0 on. Three and one: 256; 128 and 128. Two, one, one, none: 128.
#[test]
fn one_moves_where_queues_differ_by_two() {
    assert_eq!(among(&[0, 2], 1, Idle), Some((1..2, 128)));
    assert_eq!(among(&[1, 3], 1, Busy), Some((1..2, 128)));
    assert_eq!(among(&[0, 1, 2, 1], 1, Idle), Some((2..3, 128)));
    assert_eq!(among(&[1, 5], 1, Busy), Some((1..2, 256)), "average 384: two on, two off");
    assert_eq!(among(&[0, 1], 1, Idle), None, "no more than the group is worth");
    // One of nice −20 alone is not looked at, however heavy: average 426, so two of 128 are a small imbalance.
    assert_eq!(found(&[hogs(0), cpu(&[1024]), hogs(2)], 1, Idle), Some((2..3, 128)));
}

/// Two and one: average 192, 64 to move, less than a process; the difference is one and not two of them; and the two
/// CPUs do 128 each before and after. So three hogs on two CPUs stay as they are, and five on four.
#[test]
fn the_odd_one_stays() {
    assert_eq!(among(&[1, 2], 1, Busy), None);
    assert_eq!(among(&[1, 2, 1, 1], 1, Busy), None);
    assert_eq!(among(&[2, 3], 1, Busy), None, "256 to 384, average 320: 64");
    assert_eq!(among(&[8, 10], 1, Busy), None, "100 × 1280 = 125 × 1024: tolerated");
    assert_eq!(among(&[7, 9], 1, Busy), Some((1..2, 128)), "115200 is more than 112000");
}

/// One of nice 19 weighs 6: average 131, 125 to move; but one of 128 weighs more than those here, and 250 is more than
/// one of them. Of nice −20, who weighs 1024, two are not moved for a hog's sake.
#[test]
fn a_small_imbalance_moves_one_that_weighs_more_than_those_here() {
    assert_eq!(found(&[cpu(&[6]), hogs(2)], 1, Busy), Some((1..2, 128)));
    assert_eq!(found(&[cpu(&[128]), cpu(&[1024, 1024])], 1, Busy), Some((1..2, 1024)));
    assert_eq!(found(&[cpu(&[1024]), hogs(2)], 1, Busy), None, "the own one has more");
}

/// A core of two threads is worth 140. Two on one core are 256 · 128 / 140 = 234, average 117: 115 to move, less than
/// 128; but two cores do 255 then and 140 now. Three on two cores: 234 and 117, 63 to move; 267 now and then.
#[test]
fn two_on_a_core_part_and_three_on_two_cores_do_not() {
    assert_eq!(among(&[0, 0, 1, 1], 2, Idle), Some((2..4, 128)));
    assert_eq!(among(&[0, 1, 1, 1], 2, Idle), None);
    assert_eq!(among(&[1, 0, 1, 0], 2, Busy), None);
    assert_eq!(among(&[0, 0, 1, 0], 2, Idle), None, "one is no more than a core is worth");
    assert_eq!(among(&[0, 0, 2, 0], 2, Idle), Some((2..4, 128)));
}

/// A socket of one cache is worth one CPU, whatever its cores: two and none on two of them, 256 and 0, average 128.
#[test]
fn a_socket_counts_as_one_cpu() {
    let levels = Levels::new(8, 1, 4, 4, 1000);
    let view = |numbers: [usize; 8]| {
        let cpus = numbers.map(hogs);
        View { level: &levels.all[1], cpus: &cpus, first: 0, puller: Idle }.busiest(0)
    };
    assert_eq!(view([0, 0, 0, 0, 1, 1, 0, 0]), Some((4..8, 128)));
    assert_eq!(view([0, 0, 0, 0, 1, 0, 0, 0]), None);
    assert_eq!(view([0, 1, 1, 0, 1, 1, 1, 0]), None, "256 to 384, average 320");
}

/// What O1 asks before it looks at every CPU: whether what the others weigh is tolerated. It never hides a move.
#[test]
fn where_the_heaviest_cpu_is_tolerated_there_is_balance() {
    let levels = Levels::new(3, 1, 3, 3, 1000);
    let was = |before: u64, now: u64| {
        let mut load = steady(128 * before);
        load.change(100, 128 * now, 128 * before);
        Cpu { running: now as u32, load, is_idle: now == 0 }
    };
    let (mut even, mut moves) = (0, 0);
    for case in 0..8_u64.pow(4) {
        let of = |place: u32| case / 8_u64.pow(place) % 8;
        let cpus = [was(of(0), of(1)), was(4, of(2)), was(of(2), of(3))];
        for puller in [Busy, Idle, NewlyIdle] {
            let level = &levels.all[0];
            let found = View { level, cpus: &cpus, first: 0, puller }.busiest(0);
            let most = cpus.iter().map(|cpu| cpu.load.raw()).max().unwrap_or(0);
            let is_even = tolerates(level.domain.pct, cpus[0].load.high(level.by(puller)), most);
            assert!(!is_even || found.is_none(), "{cpus:?} {puller:?}");
            (even, moves) = (even + u32::from(is_even), moves + u32::from(found.is_some()));
        }
    }
    assert!(even > 3_000 && moves > 1_000, "{even} {moves}");
}

/// A CPU that has just lost its hog has `cpu_load` of it yet: 128 and 256, 64 to move. On the next tick it is 0, and
/// 128 are.
#[test]
fn a_newly_idle_cpu_leaves_a_single_waiter_to_its_next_tick() {
    let mut left = steady(128);
    left.change(100, 0, 128);
    let own = |load| Cpu { running: 0, load, is_idle: false };
    assert_eq!(found(&[own(left), hogs(2)], 1, NewlyIdle), None);
    assert_eq!(found(&[own(left), hogs(3)], 1, NewlyIdle), Some((1..2, 128)), "128 and 384, average 256");
    left.advance(101);
    assert_eq!([1, 2, 3].map(|by| left.high(by)), [0, 64, 96]);
    assert_eq!(found(&[own(left), hogs(2)], 1, Idle), Some((1..2, 128)));
    let mut come = steady(128);
    come.change(100, 128, 0);
    assert_eq!(
        found(&[hogs(0), Cpu { running: 2, load: come, is_idle: false }], 1, Idle),
        None,
        "no longer than a tick"
    );
}

#[test]
fn the_heaviest_queue_but_no_lone_process_that_weighs_more_than_is_to_move() {
    let levels = Levels::new(4, 1, 4, 4, 1000);
    let queue =
        |cpus: &[Cpu], weight| View { level: &levels.all[0], cpus, first: 0, puller: Idle }.busiest_queue(0..4, weight);
    assert_eq!(queue(&[cpu(&[]), hogs(2), hogs(3), hogs(3)], 128), Some(2));
    assert_eq!(queue(&[cpu(&[]), hogs(2), cpu(&[1024]), hogs(1)], 128), Some(1));
    assert_eq!(queue(&[cpu(&[]), hogs(2), cpu(&[1024]), hogs(1)], 1024), Some(2));
}

fn listed(pid: u32, prio: i32, weight: u64) -> Listed {
    Listed { pid: Pid(pid), prio, weight, is_running: false, last_ran: 0 }
}

#[test]
fn who_weighs_more_than_is_to_move_stays_unless_he_were_the_best_there() {
    let rule = Take { most: 9, weight: 128, own_best: 140, best: 115, has_best: true };
    let of = |list: &[Listed], rule| take(list, rule, |_| true, |_| true).0;
    let list = [listed(1, 115, 1024), listed(2, 120, 128), listed(3, 120, 128)];
    assert_eq!(of(&list, rule), [Pid(1)], "best of all, and who runs is as good");
    assert_eq!(of(&list, Take { has_best: false, ..rule }), [Pid(2)], "the only one as good stays");
    assert_eq!(of(&list, Take { own_best: 110, ..rule }), [Pid(2)]);
    assert_eq!(of(&list[1..], Take { weight: 256, ..rule }), [Pid(2), Pid(3)]);
    assert_eq!(of(&list[1..], Take { weight: 256, most: 1, ..rule }), [Pid(2)]);
    let twice = [listed(1, 115, 1024), listed(2, 115, 1024)];
    assert_eq!(of(&twice, Take { has_best: false, ..rule }), [Pid(2)], "one as good was passed over");
    assert_eq!(take(&list, rule, |_| false, |_| true), (vec![], true));
    assert_eq!(take(&list, Take { own_best: 110, ..rule }, |one| one.pid == Pid(3), |_| false), (vec![], false));
}

/// One hog on each of CPUs 2 and 3, who run.
struct Pairs {
    is_bound: bool,
}

impl Queues for Pairs {
    fn list(&self, cpu: usize) -> Vec<Listed> {
        vec![Listed { is_running: true, ..listed(cpu as u32, 125, 128) }]
    }
    fn best(&self, _: usize) -> (i32, i32) {
        (140, 140)
    }
    fn current_may_go(&self, _: usize, _: usize) -> bool {
        !self.is_bound
    }
    fn allows(&self, _: Pid, _: usize) -> bool {
        !self.is_bound
    }
    fn is_hot(&self, _: &Listed, _: &Level) -> bool {
        true
    }
}

/// `nr_balance_failed` beyond `cache_nice_tries` + 2, which is 3 in a cache, forces; it is 2 after that.
#[test]
fn the_fourth_vain_attempt_forces_and_every_second_after_that() {
    let mut balance = Balance::new(Levels::new(4, 2, 4, 4, 1000), || 0.0);
    let cpus = [hogs(0), hogs(0), hogs(1), hogs(1)];
    let mut found = Vec::new();
    for _ in 0..8 {
        let outcome = balance.attempt((0, 1), (&cpus, 0, Idle), &Pairs { is_bound: false });
        assert!(outcome.moves.is_empty() && !outcome.is_busy);
        found.push((outcome.forced_from, balance.tried(0, 1).interval));
        if outcome.forced_from.is_some() {
            assert_eq!(balance.forced(2, 0, &Pairs { is_bound: false }), Some(Pid(2)), "though he ran lately");
        }
    }
    let (no, yes) = ((None, 1), (Some(2), 2));
    assert_eq!(found, [no, no, no, yes, no, yes, no, yes]);
    let mut balance = Balance::new(Levels::new(4, 2, 4, 4, 1000), || 0.0);
    let intervals: Vec<u64> = (0..12)
        .map(|_| {
            let outcome = balance.attempt((0, 1), (&cpus, 0, Idle), &Pairs { is_bound: true });
            assert_eq!(outcome.forced_from, None);
            balance.tried(0, 1).interval
        })
        .collect();
    assert_eq!(intervals, [1, 1, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512], "who is bound is asked ever more seldom");
}

/// Balance: no failures, twice the interval, up to the longest. In a core with a busy thread the idle one counts as
/// busy further up.
#[test]
fn what_is_remembered_of_balance_and_who_counts_as_busy() {
    let mut balance = Balance::new(Levels::new(4, 2, 4, 4, 1000), || 0.0);
    (balance.tried_mut(0, 1).interval, balance.tried_mut(0, 1).failed) = (1, 3);
    let even = [hogs(0), hogs(1), hogs(1), hogs(0)];
    let queues = Pairs { is_bound: false };
    let cache = balance.attempt((0, 1), (&even, 0, Idle), &queues);
    assert_eq!((cache.is_busy, balance.tried(0, 1).interval, balance.tried(0, 1).failed), (false, 2, 0));
    let mut core = |cpus: &[Cpu], puller| balance.attempt((0, 0), (cpus, 0, puller), &queues).is_busy;
    assert_eq!(
        [core(&even[..2], Idle), core(&[hogs(0), hogs(0)], Idle), core(&[hogs(1), hogs(0)], Busy)],
        [true, false, true]
    );
    let left = Cpu { is_idle: false, ..hogs(0) };
    assert!(core(&[left, hogs(0)], NewlyIdle), "one that has just become idle does not count as idle yet");
}

/// Between CPUs of a cache, 12 % tolerated; loads as on the last tick. Nobody who wakes is about to leave: neither a
/// pipe (`pipe_writev`) nor a socket (`sock_def_readable`) wakes with `sync` in 2.6.18.
#[test]
fn a_wake_up_comes_to_the_waking_cpu_if_the_other_is_more_loaded() {
    let levels = Levels::new(16, 2, 8, 8, 1000);
    let start = |here: (usize, Cpu), last: (usize, Cpu)| Pair { here, last, woken: 128 }.start(&levels);
    assert_eq!(start((2, hogs(1)), (4, hogs(0))), 4, "100 × 256 > 112 × 0");
    assert_eq!(start((2, hogs(0)), (4, hogs(0))), 2, "both together are nothing");
    assert_eq!(start((2, hogs(1)), (4, hogs(1))), 4, "25600 > 14336");
    assert_eq!(start((2, hogs(1)), (4, hogs(2))), 2, "25600 < 28672");
    assert_eq!(start((2, hogs(2)), (4, hogs(3))), 2, "38400 < 43008");
    assert_eq!(start((2, hogs(9)), (4, hogs(10))), 2, "128000 < 143360");
    assert_eq!(start((2, hogs(10)), (4, hogs(10))), 2, "140800 < 143360");
    assert_eq!(start((2, hogs(8)), (4, hogs(8))), 4, "115200 > 114688");
    // Threads of a core: 5 %.
    assert_eq!(start((2, hogs(10)), (3, hogs(10))), 3, "140800 > 134400");
    // Of other sockets only the present load counts, not who comes.
    assert_eq!(start((2, hogs(1)), (9, hogs(1))), 9, "112 × 128 > 100 × 128");
    assert_eq!(start((2, hogs(0)), (9, hogs(0))), 2);
    assert_eq!(start((2, hogs(1)), (9, hogs(2))), 2, "14336 < 25600");
}

#[test]
fn an_idle_sibling_is_taken_and_never_another_core() {
    let levels = Levels::new(8, 4, 8, 8, 1000);
    let idle = |threads: &'static [usize]| move |cpu: usize| threads.contains(&cpu);
    let woken = |idlers, allowed: fn(usize) -> bool| wake_idle(1, &levels, idle(idlers), allowed);
    assert_eq!(woken(&[1, 2, 4], |_| true), 1, "itself, though");
    assert_eq!(woken(&[2, 3, 4], |_| true), 2);
    assert_eq!(woken(&[2, 3, 4], |cpu| cpu != 2), 3);
    assert_eq!(woken(&[4, 5, 6, 7], |_| true), 1, "the other core idles in vain");
    let plain = Levels::new(4, 1, 4, 4, 1000);
    assert_eq!(wake_idle(1, &plain, |cpu| cpu != 1, |_| true), 1, "and cores of one thread are never looked at");
}
