//! EEVDF with control groups, by hand arithmetic: one CPU, a tick of 1 ms, requests of 3 ms, everybody of nice 0, a
//! group of weight 100 with A and B, and C in none. On one CPU a group has all of its weight, so it counts as one
//! process.
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, Class, EevdfGeneration, KindConfig, NodeConfig, Scheduler};
use wwi_model::host::balance::Fair;
use wwi_model::host::eevdf::{Eevdf, Nested};
use wwi_model::host::policy::{Ended, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::{node, ordinary};

const A: Pid = Pid(0);
const B: Pid = Pid(1);
const C: Pid = Pid(2);
const ALL: [EevdfGeneration; 3] = [EevdfGeneration::Linux66, EevdfGeneration::Linux612, EevdfGeneration::Linux618];

fn ms(ms: f64) -> Ns {
    Ns::from_ms(ms)
}

struct Cpu(Nested);

impl Cpu {
    /// A, B and C have all run before (so that none is new), and sleep.
    fn new(generation: EevdfGeneration) -> Cpu {
        Cpu::with(generation, Class::TimeSharing)
    }
    /// B is in that class.
    fn with(generation: EevdfGeneration, class: Class) -> Cpu {
        let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Eevdf, ..node() };
        // A microsecond short of a tick, so that it ends on the third and not on the fourth.
        let host = NodeConfig { eevdf_base_slice: ms(2.999), eevdf_generation: generation, tick_hz: 1000, ..host };
        let group = CgroupConfig { weight: 100, quota: None, period: ms(100.0), burst: Ns::ZERO };
        let mut cpu = Cpu(Nested::new(&host, &[Some(group)]));
        for (pid, group) in [(A, Some(0)), (B, Some(0)), (C, None)] {
            let class = if pid == B { class } else { Class::TimeSharing };
            cpu.0.admit(pid, &KindConfig { class, ..ordinary() }, group);
            cpu.0.wake(0, pid, Ns::ZERO);
            assert_eq!(cpu.0.turn(0, None, Ns::ZERO).map(|next| next.pid), Some(pid));
            assert_eq!(cpu.blocks(pid, 0.0), None);
        }
        cpu
    }
    fn wakes(&mut self, pid: Pid, at_ms: f64) -> Preempt {
        self.0.wake(0, pid, ms(at_ms))
    }
    fn starts(&mut self, pid: Pid, at_ms: f64) {
        self.wakes(pid, at_ms);
        assert_eq!(self.0.turn(0, None, ms(at_ms)).map(|next| next.pid), Some(pid));
    }
    fn blocks(&mut self, pid: Pid, at_ms: f64) -> Option<Pid> {
        self.0.turn(0, Some(Ended { pid, why: Why::Blocked }), ms(at_ms)).map(|next| next.pid)
    }
    /// The slice of the running process ends: who goes on, and until when \[ms\].
    fn ends(&mut self, pid: Pid, at_ms: f64) -> (Pid, f64) {
        let next = self.0.turn(0, Some(Ended { pid, why: Why::SliceExpired }), ms(at_ms)).expect("somebody runs");
        (next.pid, next.until.0 as f64 / 1e6)
    }
}

/// The group and C take turns; within the group A and B do.
#[test]
fn a_group_takes_its_turns_as_one() {
    for generation in ALL {
        let mut cpu = Cpu::new(generation);
        cpu.starts(C, 0.0);
        assert_eq!(cpu.wakes(A, 0.0), Preempt::Until(ms(3.0)), "{generation:?}: C is in its request");
        // C: v = 3. The group: v = 0, deadline 3.
        assert_eq!(cpu.ends(C, 3.0), (A, 6.0), "{generation:?}");
        // In the group's queue A has v = 1 and has been alone: B is placed there. At the root nothing has changed.
        assert_eq!(cpu.wakes(B, 4.0), Preempt::Until(ms(6.0)), "{generation:?}: A is in its request");
        // The group: v = 3, deadline 6, as C's, and who runs loses ties.
        assert_eq!(cpu.ends(A, 6.0), (C, 9.0), "{generation:?}");
        // In the group's queue A: v = 3, B: v = 1.
        assert_eq!(cpu.ends(C, 9.0), (B, 12.0), "{generation:?}");
        assert_eq!(cpu.ends(B, 12.0).0, C, "{generation:?}");
        // A: v = 3, B: v = 4, of which 3.5 is the average.
        assert_eq!(cpu.ends(C, 15.0).0, A, "{generation:?}");
    }
}

/// Whoever of a group runs, its request is the one with which it was picked: within it the group is left alone, past it
/// it is not, even if the process has only just been picked in the group.
#[test]
fn protection_is_the_groups() {
    for generation in ALL {
        let mut cpu = Cpu::new(generation);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 0.0);
        // A has used its request up, and so has the group; with nobody else at the root it goes on: B runs.
        assert_eq!(cpu.ends(A, 3.0), (B, 6.0), "{generation:?}");
        // The group is past the request with which it was picked. It has v = 4, so C is placed there, with deadline 7;
        // the group's is 6, and it is eligible. In 6.12 it loses its CPU on the first tick on which it is not, with v =
        // 5 to C's 4; in 6.6 at the end of its request.
        let is_66 = generation == EevdfGeneration::Linux66;
        let end = if is_66 { 6.0 } else { 5.0 };
        assert_eq!(cpu.wakes(C, 4.0), Preempt::Until(ms(end)), "{generation:?}");
        assert_eq!(cpu.ends(B, end).0, C, "{generation:?}");
        // C sleeps. Of the group A had 3 ms; B had 3, too, and was put back later, or 2.
        assert_eq!(cpu.blocks(C, end + 1.0), Some(if is_66 { A } else { B }), "{generation:?}");
    }
}

/// Who sleeps as the last of a group that owes time leaves the group's queue, but the group stays (6.12).
#[test]
fn a_group_that_owes_stays_when_its_last_one_sleeps() {
    for generation in ALL {
        let mut cpu = Cpu::new(generation);
        cpu.starts(A, 0.0);
        cpu.wakes(C, 0.0);
        // The group: v = 2, C: v = 0. It owes 1.
        assert_eq!(cpu.blocks(A, 2.0), Some(C), "{generation:?}");
        // B wakes 1 ms later. 6.6: the group comes anew with its lag of -1, doubled for what it draws the average: v =
        // 3 to C's 1, deadline 6. 6.12: it has stayed at v = 2 with deadline 3, and still owes.
        assert_eq!(cpu.wakes(B, 3.0), Preempt::Until(ms(5.0)), "{generation:?}");
        // C has v = 3 and deadline 6: in 6.6 a tie, which who runs loses; in 6.12 the group has 1 ms of its request
        // left.
        let until = if generation == EevdfGeneration::Linux66 { 8.0 } else { 6.0 };
        assert_eq!(cpu.ends(C, 5.0), (B, until), "{generation:?}");
    }
}

/// Two of a group are compared in its queue, whatever the group owes at the root.
#[test]
fn two_of_a_group_settle_it_among_themselves() {
    for generation in ALL {
        let mut cpu = Cpu::new(generation);
        cpu.starts(A, 0.0);
        // A has v = 4 in the group's queue, deadline 6 since the tick at 3; C is placed at the group's 4 and waits.
        cpu.wakes(C, 4.0);
        // At 4.5 B is placed at A's 4.5, deadline 7.5: A goes on.
        assert_ne!(cpu.wakes(B, 4.5), Preempt::Now, "{generation:?}");
        // At 5 the group owes 0.5: C runs, to 8 (6.12), or to 9 from 6 on.
        let start = if generation == EevdfGeneration::Linux66 { 6.0 } else { 5.0 };
        assert_eq!(cpu.ends(A, start), (C, start + 3.0), "{generation:?}");
        // B has had nothing: it is owed more than A.
        assert_eq!(cpu.ends(C, start + 3.0).0, B, "{generation:?}");
    }
}

/// B takes the CPU from one who is no longer owed time, but not in BATCH, which waits for the tick.
#[test]
fn who_wakes_in_batch_waits_for_the_tick_in_a_group_too() {
    for generation in ALL {
        for (class, is_at_once) in [(Class::TimeSharing, true), (Class::Batch, false)] {
            let mut cpu = Cpu::with(generation, class);
            cpu.starts(C, 0.0);
            cpu.wakes(B, 0.0);
            // B runs from 3 to 4, and sleeps: v = 1 to C's 3, so it is owed 1.
            assert_eq!(cpu.ends(C, 3.0).0, B, "{generation:?}");
            assert_eq!(cpu.blocks(B, 4.0), Some(C), "{generation:?}");
            // C: v = 5.5. B's group is placed at 5.5 - 2 for what it draws the average, to 4.5: C is not eligible.
            assert_eq!(cpu.wakes(B, 6.5) == Preempt::Now, is_at_once, "{generation:?} {class:?}");
        }
    }
}

const HALF: f64 = 33.554_432;

/// Half-lives after which nothing is left of the past: a new process counts in full, and so does its group.
fn later(halves: f64) -> f64 {
    (20.0 + halves) * HALF
}

/// Balancing counts a process by its own weight, and the group on a CPU by its weight there for the share of time that
/// it stood in the queue (`reweight_entity`: `load_avg` is weight times `load_sum`), whoever of it was there.
#[test]
fn the_load_of_a_group_is_its_weight_for_the_time_that_it_stood_in_the_queue() {
    for generation in ALL {
        let mut cpu = Cpu::new(generation);
        let load = |cpu: &Cpu, halves: f64| cpu.0.group_load(0, 0, 0.0, ms(later(halves)));
        let is = |cpu: &Cpu, halves: f64, expected: f64| (load(cpu, halves) - expected).abs() < 0.5;
        assert_eq!((Fair::weight(&cpu.0, A), Fair::weight(&cpu.0, C)), ((1024, Some(0)), (1024, None)));
        assert!(is(&cpu, -20.0, 1024.0) && is(&cpu, -19.0, 512.0), "{generation:?}: new ones, asleep");
        cpu.starts(A, later(0.0));
        assert!(is(&cpu, 1.0, 512.0), "{generation:?}");
        cpu.wakes(B, later(1.0));
        assert!(is(&cpu, 2.0, 768.0), "{generation:?}: two weigh no more than one");
        assert_eq!((cpu.blocks(A, later(2.0)), cpu.blocks(B, later(2.0))), (Some(B), None));
        assert!(is(&cpu, 3.0, 384.0), "{generation:?}: a sleeper fades");
    }
}

/// A group that owes stays in the queue since 6.12, and counts as long: C runs from 1 to 4, when a pick finds it.
#[test]
fn a_group_that_owes_counts_until_a_pick_finds_it() {
    for (generation, until) in ALL.into_iter().zip([1.0, 4.0, 4.0]) {
        let mut cpu = Cpu::new(generation);
        let at = later(0.0).ceil();
        cpu.starts(A, at);
        cpu.wakes(C, at);
        assert_eq!(cpu.blocks(A, at + 1.0), Some(C), "{generation:?}");
        assert_eq!(Fair::delayed(&cpu.0, 0), 0, "{generation:?}: A itself, alone in its queue, owes nobody");
        assert_eq!(cpu.ends(C, at + 4.0).0, C, "{generation:?}");
        let presence = (1.0 - f64::exp2(-until / HALF)) * f64::exp2((until - HALF) / HALF);
        let load = cpu.0.group_load(0, 0, 0.0, ms(at + HALF));
        assert!((load - 1024.0 * presence).abs() < 0.2, "{generation:?}: {load} for {}", 1024.0 * presence);
    }
}

/// Who of a group sleeps but is queued since 6.12 neither runs nor waits; B runs on from 2.
#[test]
fn the_delayed_neither_run_nor_wait() {
    for (generation, delayed) in ALL.into_iter().zip([0, 1, 1]) {
        let mut cpu = Cpu::new(generation);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 1.0);
        assert_eq!((Fair::runnable(&cpu.0, 0), Fair::delayed(&cpu.0, 0)), (2, 0), "{generation:?}");
        assert_eq!(cpu.blocks(A, 2.0), Some(B), "{generation:?}");
        assert_eq!((Fair::runnable(&cpu.0, 0), Fair::delayed(&cpu.0, 0)), (1, delayed), "{generation:?}");
        let mut asleep = Vec::new();
        cpu.0.visit_delayed(0, &mut |one| asleep.push(one.pid));
        assert_eq!(asleep, [A][..delayed], "{generation:?}");
        assert!(cpu.0.take_left().is_empty(), "{generation:?}");
    }
}

/// On two CPUs A has run 2 ms beside B and sleeps: it owes 1. Moved to the CPU of C it stays asleep and queued there,
/// and goes on there when it wakes.
fn stays_delayed_when_moved(mut queues: impl RunQueue + Fair) {
    let counts = |queues: &dyn Fair| [0, 1].map(|cpu| (queues.runnable(cpu), queues.delayed(cpu)));
    for (cpu, pid) in [(0, A), (1, C)] {
        queues.wake(cpu, pid, Ns::ZERO);
        assert_eq!(queues.turn(cpu, None, Ns::ZERO).map(|next| next.pid), Some(pid));
    }
    queues.wake(0, B, Ns::ZERO);
    let next = queues.turn(0, Some(Ended { pid: A, why: Why::Blocked }), ms(2.0));
    assert_eq!((next.map(|next| next.pid), counts(&queues)), (Some(B), [(1, 1), (1, 0)]));
    queues.shift(A, 0, 1, ms(2.0));
    assert_eq!((counts(&queues), queues.kept(A)), ([(1, 0), (1, 1)], Some(1)));
    assert!(queues.take_left().is_empty());
    queues.wake(1, A, ms(2.5));
    assert_eq!(counts(&queues), [(1, 0), (2, 0)]);
}

#[test]
fn who_is_moved_while_delayed_stays_so() {
    for generation in [EevdfGeneration::Linux612, EevdfGeneration::Linux618] {
        let host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Eevdf, ..node() };
        let host = NodeConfig { eevdf_base_slice: ms(2.999), eevdf_generation: generation, tick_hz: 1000, ..host };
        let mut flat = Eevdf::new(&host);
        [A, B, C].into_iter().for_each(|pid| flat.admit(pid, 0));
        stays_delayed_when_moved(flat);
        let group = CgroupConfig { weight: 100, quota: None, period: ms(100.0), burst: Ns::ZERO };
        let mut nested = Nested::new(&host, &[Some(group)]);
        [A, B, C].into_iter().for_each(|pid| nested.admit(pid, &ordinary(), Some(0)));
        stays_delayed_when_moved(nested);
    }
}

/// B has run from 0 to 1, A since then: at 1.5 their virtual times are 0.5 and 1 and the average 0.75, at 3 they are 2
/// and 1 and it is 1.5, though nothing has happened in between.
#[test]
fn who_runs_is_charged_when_it_is_asked_who_is_owed() {
    let mut cpu = Cpu::new(EevdfGeneration::Linux618);
    cpu.starts(B, 0.0);
    cpu.wakes(A, 0.0);
    assert_eq!(cpu.ends(B, 1.0).0, A);
    let owed = |at: f64| [A, B].map(|pid| cpu.0.is_owed(pid, 0, ms(at)));
    assert_eq!((owed(1.5), owed(3.0)), ([true, false], [false, true]));
    assert_eq!([A, C].map(|pid| cpu.0.has_peers(pid, 0)), [true, true], "C shares the CPU with the group");
}

/// A and D of a group on one of two CPUs, B of it on the other one, C in none beside A. The group has half of its
/// weight there when A starts and two thirds when D has joined, and is weighed anew while A runs. In 6.18 what it was
/// protected for is overwritten by its lag then (`reweight_entity` calls `update_entity_lag`, which writes `vlag`,
/// before it asks `protect_slice`, which reads `vprot`: the same eight bytes). So it is left alone up to the next tick,
/// not to the end of its request, and there it has had more than C.
#[test]
fn who_runs_in_a_group_that_is_weighed_anew_is_protected_no_longer() {
    const D: Pid = Pid(3);
    for (changes, until) in [(false, 3.0), (true, 1.0)] {
        let host = NodeConfig { cores_per_socket: 2, scheduler: Scheduler::Eevdf, ..node() };
        let generation = EevdfGeneration::Linux618;
        let host = NodeConfig { eevdf_base_slice: ms(1.4995), eevdf_generation: generation, tick_hz: 1000, ..host };
        let group = CgroupConfig { weight: 100, quota: None, period: ms(100.0), burst: Ns::ZERO };
        let mut cpu = Cpu(Nested::new(&host, &[Some(group)]));
        for (pid, group, at) in [(A, Some(0), 0), (B, Some(0), 1), (C, None, 0), (D, Some(0), 0)] {
            cpu.0.admit(pid, &ordinary(), group);
            cpu.0.wake(at, pid, Ns::ZERO);
            cpu.0.turn(at, None, Ns::ZERO);
            cpu.0.turn(at, Some(Ended { pid, why: Why::Blocked }), Ns::ZERO);
        }
        cpu.0.wake(1, B, Ns::ZERO);
        cpu.0.turn(1, None, Ns::ZERO);
        cpu.0.turn(1, Some(Ended { pid: B, why: Why::SliceExpired }), ms(399.5));
        cpu.starts(A, 400.0);
        assert_eq!(cpu.wakes(C, 400.0), Preempt::Until(ms(403.0)));
        let comes = if changes { cpu.wakes(D, 400.5) } else { Preempt::Until(ms(403.0)) };
        assert_eq!(comes, Preempt::Until(ms(400.0 + until)));
        assert_eq!(cpu.ends(A, 400.0 + until).0, C);
    }
}
