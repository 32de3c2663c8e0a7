//! The rules of EEVDF one by one, on one CPU with a request of 3 ms and ticks of 1 ms: every time below is worked out
//! by hand from `kernel/sched/fair.c`. All at nice 0 where nothing is said, so that virtual time is CPU time.
use std::ops::{Deref, DerefMut};
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::host::eevdf::Eevdf;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::node;

const A: Pid = Pid(0);
const B: Pid = Pid(1);
const C: Pid = Pid(2);
const BOTH: [EevdfGeneration; 2] = [EevdfGeneration::Linux66, EevdfGeneration::Linux612];

fn ms(ms: f64) -> Ns {
    Ns::from_ms(ms)
}

/// One CPU, or more with the same request.
struct Cpu(Eevdf);

impl Deref for Cpu {
    type Target = Eevdf;
    fn deref(&self) -> &Eevdf {
        &self.0
    }
}
impl DerefMut for Cpu {
    fn deref_mut(&mut self) -> &mut Eevdf {
        &mut self.0
    }
}

impl Cpu {
    /// A, B and C have all run before (so that none is new), and sleep.
    fn new(host: NodeConfig, nice_of_b: i32) -> Self {
        let mut cpu = Cpu(Eevdf::new(&host));
        for (pid, nice) in [(A, 0), (B, nice_of_b), (C, 0)] {
            cpu.admit(pid, nice);
            cpu.wake(0, pid, Ns::ZERO);
            assert_eq!(cpu.turn(0, None, Ns::ZERO).map(|n| n.pid), Some(pid));
            cpu.block(pid, 0.0);
        }
        cpu
    }
    fn of(generation: EevdfGeneration) -> Self {
        Cpu::new(request_of_3_ms(generation), 0)
    }
    fn wakes(&mut self, pid: Pid, at_ms: f64) -> Preempt {
        self.wake(0, pid, ms(at_ms))
    }
    fn starts(&mut self, pid: Pid, at_ms: f64) {
        self.wakes(pid, at_ms);
        let next = self.turn(0, None, ms(at_ms));
        assert_eq!(next.map(|n| n.pid), Some(pid));
    }
    fn block(&mut self, pid: Pid, at_ms: f64) -> Option<Pid> {
        self.turn(0, Some(Ended { pid, why: Why::Blocked }), ms(at_ms)).map(|n| n.pid)
    }
    /// The slice of the running process ends: who goes on, and until when.
    fn end(&mut self, pid: Pid, at_ms: f64) -> Option<(Pid, Ns)> {
        let next = self.turn(0, Some(Ended { pid, why: Why::SliceExpired }), ms(at_ms));
        next.map(|Next { pid, until }| (pid, until))
    }
}

fn request_of_3_ms(generation: EevdfGeneration) -> NodeConfig {
    let host = NodeConfig { cores_per_socket: 1, scheduler: Scheduler::Eevdf, ..node() };
    // A microsecond short of a tick, so that it ends on the third and not on the fourth.
    NodeConfig { eevdf_base_slice: ms(2.999), eevdf_generation: generation, ..host }
}

#[test]
fn who_ran_ahead_of_the_average_is_pre_empted_within_its_request() {
    for generation in BOTH {
        let mut cpu = Cpu::of(generation);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 0.0);
        // A: v = 3, next deadline 6. B: v = 0, runs 1 ms and sleeps with lag (3 + 1) / 2 - 1 = 1.
        assert_eq!(cpu.end(A, 3.0), Some((B, ms(6.0))));
        assert_eq!(cpu.block(B, 4.0), Some(A));
        // A: v = 4, picked with deadline 6, so within its request. B is placed at 4 - 1 · 2 = 2: average 3, A is not
        // eligible.
        assert_eq!(cpu.wakes(B, 5.0), Preempt::Now, "{generation:?}");
        assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(5.0)).map(|n| n.pid), Some(B));
    }
}

#[test]
fn who_is_eligible_is_left_alone_within_the_request_with_which_it_was_picked() {
    for generation in BOTH {
        let mut cpu = Cpu::new(request_of_3_ms(generation), -20);
        cpu.starts(A, 0.0);
        // B is placed at the average, which is A's own time: both are eligible. B's deadline is 1 + 3 · 1024 / 88761.
        assert_eq!(cpu.wakes(B, 1.0), Preempt::Until(ms(3.0)), "{generation:?}");
        assert_eq!(cpu.end(A, 3.0).map(|n| n.0), Some(B));
    }
}

#[test]
fn who_went_on_into_the_next_request_is_not_left_alone() {
    for generation in BOTH {
        let mut cpu = Cpu::new(request_of_3_ms(generation), -20);
        cpu.starts(A, 0.0);
        // On the tick at 3 ms A's request ends and the next begins, with deadline 6.
        assert_eq!(cpu.wakes(B, 4.0), Preempt::Now, "{generation:?}");
    }
}

#[test]
fn requests_of_one_who_runs_alone_begin_on_ticks() {
    // A request of 2.8 ms ends on the ticks at 3, 6 and 9 ms: the third begins at 6 and has the deadline 8.8. B's is
    // 11.3.
    let base = NodeConfig { eevdf_base_slice: ms(2.8), ..request_of_3_ms(EevdfGeneration::Linux66) };
    let mut cpu = Cpu::new(base, 0);
    cpu.starts(A, 0.0);
    assert_eq!(cpu.wakes(B, 8.5), Preempt::Until(ms(9.0)));
}

#[test]
fn a_pick_of_somebody_else_pre_empts_nobody() {
    for generation in BOTH {
        let mut cpu = Cpu::of(generation);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 1.0);
        // A: v = 1.5, B: v = 1 and deadline 4, C: v = 1.25 and deadline 4.25. A is not eligible, and B comes before C.
        assert_eq!(cpu.wakes(C, 1.5), Preempt::Until(ms(3.0)), "{generation:?}");
        assert_eq!(cpu.end(A, 3.0).map(|n| n.0), Some(B));
    }
}

#[test]
fn a_used_up_request_is_noticed_at_the_next_wake_up() {
    for generation in BOTH {
        let base = NodeConfig { eevdf_base_slice: ms(2.8), ..request_of_3_ms(generation) };
        let mut cpu = Cpu::new(base, 0);
        cpu.starts(A, 0.0);
        assert_eq!(cpu.wakes(B, 0.0), Preempt::Until(ms(3.0)));
        // The request ended at 2.8 ms. B, not C, is the one who runs.
        assert_eq!(cpu.wakes(C, 2.9), Preempt::Now, "{generation:?}");
        assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(2.9)).map(|n| n.pid), Some(B));
    }
}

#[test]
fn of_equal_deadlines_the_one_queued_earlier_runs_and_the_running_one_last() {
    for generation in BOTH {
        let mut cpu = Cpu::of(generation);
        for pid in [C, A, B] {
            cpu.wakes(pid, 0.0);
        }
        assert_eq!(cpu.turn(0, None, Ns::ZERO).map(|n| n.pid), Some(C));
        // All at v = 0. Each runs 3 ms; then all are at v = 3 with the deadline 6, and B, who runs, loses the tie.
        assert_eq!(cpu.end(C, 3.0).map(|n| n.0), Some(A));
        assert_eq!(cpu.end(A, 6.0).map(|n| n.0), Some(B));
        assert_eq!(cpu.end(B, 9.0).map(|n| n.0), Some(C));
    }
}

#[test]
fn a_lag_is_kept_up_to_a_tick_where_that_is_longer_than_two_requests() {
    // Ticks of 10 ms, requests of 0.7: the limit is 10 ms, not 1.4.
    let base = NodeConfig { tick_hz: 100, eevdf_base_slice: ms(0.7), ..request_of_3_ms(EevdfGeneration::Linux66) };
    let mut cpu = Cpu::new(base, 0);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    // A: v = 10, B: v = 0, which sleeps at once with lag 5.
    assert_eq!(cpu.end(A, 10.0).map(|n| n.0), Some(B));
    assert_eq!(cpu.block(B, 10.0), Some(A));
    // A: v = 21, deadline 21.7. B is placed at 21 - 5 · 2 = 11. On the tick it is at 20, average 20.5, deadline 20.7:
    // it goes on. With a lag of 1.4 it would be at 27.2 and give way.
    assert_eq!(cpu.wakes(B, 21.0), Preempt::Now);
    assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(21.0)).map(|n| n.pid), Some(B));
    assert_eq!(cpu.end(B, 30.0).map(|n| n.0), Some(B));
}

#[test]
fn a_lag_is_kept_up_to_two_requests() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux66);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    // A stayed 20 ms in one go (a real-time process had B's turn, say): B is owed 10 ms, and keeps 6.
    assert_eq!(cpu.end(A, 20.0).map(|n| n.0), Some(B));
    assert_eq!(cpu.block(B, 20.0), Some(A));
    // A: v = 21. B is placed at 21 - 6 · 2 = 9; it has caught up after 6 ms: v = 15, average 18 … at v = 21 after 12
    // ms.
    assert_eq!(cpu.wakes(B, 21.0), Preempt::Now);
    assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(21.0)).map(|n| n.pid), Some(B));
    for (at, next) in [(24.0, B), (27.0, B), (30.0, B), (33.0, A)] {
        assert_eq!(cpu.end(B, at).map(|n| n.0), Some(next), "{at}");
    }
}

#[test]
fn a_debt_is_kept_over_a_sleep_under_6_6() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux66);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    // A sleeps with lag 1.5 - 3 = -1.5 and leaves.
    assert_eq!(cpu.block(A, 3.0), Some(B));
    assert_eq!(cpu.kept(A), None);
    // B: v = 2. A is placed at 2 + 1.5 · 2 = 5, deadline 8; B's requests end at 6 (v = 3, deadline 6) and 9 (v = 6).
    assert_eq!(cpu.wakes(A, 5.0), Preempt::Until(ms(6.0)));
    assert_eq!(cpu.end(B, 6.0), Some((B, ms(9.0))));
    assert_eq!(cpu.end(B, 9.0).map(|n| n.0), Some(A));
}

#[test]
fn who_sleeps_in_debt_stays_queued_under_6_12_and_goes_on_where_it_was() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    assert_eq!(cpu.block(A, 3.0), Some(B));
    assert_eq!((cpu.kept(A), cpu.waiting(0)), (Some(0), 0));
    // Woken at 5 with B at v = 2 it is still at 3, deadline 6; at 6 both are at 3, B's next deadline is 6, too: A runs.
    assert_eq!(cpu.wakes(A, 5.0), Preempt::Until(ms(6.0)));
    assert_eq!((cpu.kept(A), cpu.waiting(0)), (None, 1));
    assert_eq!(cpu.end(B, 6.0).map(|n| n.0), Some(A));
}

#[test]
fn who_is_picked_while_it_sleeps_leaves_without_debt_or_credit() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    assert_eq!(cpu.block(A, 1.0), Some(B));
    assert_eq!(cpu.kept(A), Some(0));
    // At 4 B's request is over: v = 3, average 2. A, at 1, is picked, leaves, and B goes on alone.
    assert_eq!(cpu.end(B, 4.0), Some((B, Ns::MAX)));
    assert_eq!(cpu.kept(A), None);
    // Its lag of 1 is not kept: A is placed at B's 4 with the deadline 7, and B has 6.
    // With the lag B would not be eligible. It is unprotected: on the next tick at which it is not eligible it gives
    // way.
    assert_eq!(cpu.wakes(A, 5.0), Preempt::Until(ms(6.0)));
}

#[test]
fn who_is_owed_time_when_it_is_woken_while_delayed_loses_that() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    assert_eq!(cpu.block(A, 1.0), Some(B));
    // At 3 B is at 2 and A at 1, half a millisecond below the average. A goes to B's 2, where B is eligible and within
    // its request (deadline 3, on the tick at 4). Left at 1 it would pre-empt.
    assert_eq!(cpu.wakes(A, 3.0), Preempt::Until(ms(4.0)));
    assert_eq!(cpu.end(B, 4.0).map(|n| n.0), Some(A));
}

#[test]
fn what_it_has_come_to_be_owed_since_the_last_tick_it_keeps() {
    // At the tick at 2 B is at 1, as A is: nothing to cut. At 2.9 B, at 1.9, is past the average of 1.45.
    // At the tick at 3 B is at 2, and A goes there from 1. At 3.9 B, at 2.9, is past the average of 2.45.
    for woken in [2.9, 3.9] {
        let mut cpu = Cpu::of(EevdfGeneration::Linux612);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 0.0);
        assert_eq!(cpu.block(A, 1.0), Some(B));
        assert_eq!(cpu.wakes(A, woken), Preempt::Now, "{woken}");
        assert_eq!(cpu.end(B, woken).map(|n| n.0), Some(A), "{woken}");
    }
}

#[test]
fn a_thread_that_runs_out_of_work_lets_all_leave_that_work_off_debts() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.starts(A, 0.0);
    cpu.wakes(B, 0.0);
    assert_eq!(cpu.block(A, 1.0), Some(B));
    assert_eq!(cpu.block(B, 3.0), None);
    assert_eq!((cpu.kept(A), cpu.kept(B)), (None, None));
}

#[test]
fn under_6_12_a_tick_ends_the_next_request_of_one_that_is_not_eligible_any_more() {
    // A is alone until 4 ms, in its second request, deadline 6. B's deadline is 7, so A goes on, and is not eligible
    // from then on.
    for (generation, until) in BOTH.into_iter().zip([6.0, 5.0]) {
        let mut cpu = Cpu::of(generation);
        cpu.starts(A, 0.0);
        assert_eq!(cpu.wakes(B, 4.0), Preempt::Until(ms(until)), "{generation:?}");
        assert_eq!(cpu.end(A, until).map(|n| n.0), Some(B));
    }
}

#[test]
fn a_new_process_asks_for_half_a_request_under_6_12_and_for_a_whole_one_under_6_6() {
    for (generation, until) in BOTH.into_iter().zip([3.0, 2.0]) {
        let mut cpu = Cpu::of(generation);
        cpu.admit(Pid(3), 0);
        cpu.starts(Pid(3), 0.0);
        assert_eq!(cpu.wakes(A, 0.0), Preempt::Until(ms(until)), "{generation:?}");
    }
}

#[test]
fn who_moves_takes_the_rest_of_its_request_along_under_6_12_and_gets_a_new_one_under_6_6() {
    for (generation, until) in BOTH.into_iter().zip([5.0, 4.0]) {
        let host = request_of_3_ms(generation);
        // Two CPUs scale the request by 2.
        let mut cpu = Cpu::new(NodeConfig { cores_per_socket: 2, eevdf_base_slice: ms(1.4995), ..host }, 0);
        cpu.starts(B, 0.0);
        cpu.put(0, Ended { pid: B, why: Why::Preempted }, ms(1.0));
        assert!(cpu.pull(1, 0..1, ms(2.0), &Masks::new(2)));
        assert_eq!(cpu.turn(1, None, ms(2.0)).map(|n| n.pid), Some(B));
        assert_eq!(cpu.wake(1, C, ms(2.0)), Preempt::Until(ms(until)), "{generation:?}");
    }
}

#[test]
fn who_asks_for_less_runs_first_and_for_so_long_under_6_12() {
    for (generation, first, until) in [(BOTH[0], A, 3.0), (BOTH[1], B, 2.0)] {
        let mut cpu = Cpu::of(generation);
        cpu.ask(B, Some(ms(1.5)));
        for pid in [A, B, C] {
            cpu.wakes(pid, 0.0);
        }
        // Deadlines are 3, 1.5 and 3; 1.5 ms end on the tick at 2.
        let next = cpu.turn(0, None, Ns::ZERO);
        assert_eq!(next, Some(Next { pid: first, until: ms(until) }), "{generation:?}");
    }
}

/// B asks for 1 ms, A for 3. B runs first, is used up at 1 (v = 1, A 0), and A is picked: to 6.16 for its request,
/// which ends at 4; from 6.17 on for the shortest that is queued (`set_protect_slice`). At 2 both have run for 1 ms and
/// of two that are eligible B has the earlier deadline (2, A 3).
#[test]
fn who_is_picked_beside_a_shorter_request_is_left_alone_for_no_longer_than_that_from_6_17_on() {
    for (generation, until) in [(EevdfGeneration::Linux612, 4.0), (EevdfGeneration::Linux618, 2.0)] {
        let mut cpu = Cpu::of(generation);
        cpu.ask(B, Some(ms(0.999)));
        for pid in [A, B] {
            cpu.wakes(pid, 0.0);
        }
        assert_eq!(cpu.turn(0, None, Ns::ZERO), Some(Next { pid: B, until: ms(1.0) }));
        assert_eq!(cpu.end(B, 1.0), Some((A, ms(until))), "{generation:?}");
        if until == 2.0 {
            assert_eq!(cpu.end(A, 2.0), Some((B, ms(3.0))));
        }
    }
}

/// A asks for 20 ms and runs alone to 1; B wakes there (lag 0, deadline 4) and runs to 2, where the average is 1.5: its
/// leaving is delayed. At 3.5, A at 2.5, the average is 2.25, so that B is past its debt. C wakes with lag 0 and
/// deadline 5.25. B's is the earlier: to 6.17 the pick is B, who does not want to run, and C waits, to the tick at 4
/// where A is past its protection and not eligible. In 6.18 B leaves and C is the pick (commit ac8e69e69363: "by not
/// removing delayed entities from consideration, it can skew the preemption decision").
#[test]
fn who_is_found_delayed_at_a_wake_up_stands_in_the_way_under_6_12_and_leaves_under_6_18() {
    let found = [EevdfGeneration::Linux612, EevdfGeneration::Linux618].map(|generation| {
        let mut cpu = Cpu::of(generation);
        cpu.ask(A, Some(ms(19.999)));
        cpu.starts(A, 0.0);
        assert_eq!(cpu.wakes(B, 1.0), Preempt::Now, "{generation:?}");
        assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(1.0)).map(|n| n.pid), Some(B));
        assert_eq!((cpu.block(B, 2.0), cpu.kept(B)), (Some(A), Some(0)), "{generation:?}");
        (cpu.wakes(C, 3.5), cpu.kept(B))
    });
    assert_eq!(found, [(Preempt::Until(ms(4.0)), Some(0)), (Preempt::Now, None)]);
}

#[test]
fn a_slice_of_its_own_is_not_scaled_by_the_number_of_cpus() {
    // Two CPUs: the base slice is 6 ms, A's is 4 ms.
    let host = NodeConfig { cores_per_socket: 2, ..request_of_3_ms(EevdfGeneration::Linux612) };
    let mut cpu = Cpu::new(host, 0);
    cpu.ask(A, Some(ms(3.999)));
    cpu.starts(A, 0.0);
    assert_eq!(cpu.wakes(B, 0.0), Preempt::Until(ms(4.0)));
    assert_eq!(cpu.end(A, 4.0), Some((B, ms(10.0))));
}

#[test]
fn a_server_that_asks_for_less_pre_empts_a_hog_within_its_request() {
    for (asked, result) in [(None, Preempt::Until(ms(3.0))), (Some(ms(0.5)), Preempt::Now)] {
        let mut cpu = Cpu::of(EevdfGeneration::Linux612);
        cpu.ask(B, asked);
        cpu.starts(A, 0.0);
        // Both are at 1 and eligible, A in its first request, deadline 3. B's is 4, or 1.5.
        assert_eq!(cpu.wakes(B, 1.0), result);
        let next = cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(1.0)).map(|n| n.pid);
        assert_eq!(next, Some(if asked.is_some() { B } else { A }));
    }
}

#[test]
fn who_asks_for_less_but_comes_later_than_the_deadline_of_the_hog_waits() {
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.ask(B, Some(ms(2.5)));
    cpu.starts(A, 0.0);
    // B is at 1 with the deadline 3.5: later than A's 3, and A is eligible.
    assert_eq!(cpu.wakes(B, 1.0), Preempt::Until(ms(3.0)));
    // Who asks for more protects itself no longer than its own request.
    let mut cpu = Cpu::of(EevdfGeneration::Linux612);
    cpu.ask(A, Some(ms(20.0)));
    cpu.starts(A, 0.0);
    assert_eq!(cpu.wakes(B, 1.0), Preempt::Now, "a base slice is shorter than A's, with the deadline 4 before 20");
}

#[test]
fn a_lag_is_kept_up_to_two_requests_of_its_own() {
    for (asked, last) in [(None, A), (Some(ms(20.0)), B)] {
        let mut cpu = Cpu::of(EevdfGeneration::Linux612);
        cpu.ask(B, asked);
        cpu.starts(A, 0.0);
        cpu.wakes(B, 0.0);
        // A stayed 20 ms in one go: B is owed 10, and keeps 6, or all of it.
        assert_eq!(cpu.end(A, 20.0).map(|n| n.0), Some(B));
        assert_eq!(cpu.block(B, 20.0), Some(A));
        // A: v = 21. B is placed at 21 - 6 · 2 = 9, or at 1; at 36 ms it is at 24, or at 16.
        assert_eq!(cpu.wakes(B, 21.0), Preempt::Now);
        assert_eq!(cpu.turn(0, Some(Ended { pid: A, why: Why::Preempted }), ms(21.0)).map(|n| n.pid), Some(B));
        assert_eq!(cpu.end(B, 36.0).map(|n| n.0), Some(last));
    }
}
