//! Small examples of CFS worked by hand from the text of Linux `kernel/sched/fair.c`. A time within a comment is in ms,
//! and "1 at 2" is process 1 at vruntime 2, counted from where all queues start.
use super::group;
use wwi_kernel::time::Ns;
use wwi_model::config::{BalanceGeneration, CgroupConfig, NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::node;

/// An example: a host with 1 ms to the tick, who there is (nice value, group, whether SCHED_BATCH), and what happens.
/// On one CPU a period is 6 ms, the least slice 0.75 ms and the wake-up granularity 1 ms; on two it is twice that.
pub struct Example {
    pub name: &'static str,
    pub node: NodeConfig,
    pub groups: Vec<Option<CgroupConfig>>,
    pub processes: Vec<(i32, Option<usize>, bool)>,
    pub play: fn(&mut dyn RunQueue),
}

/// Everybody of nice 0.
fn example(name: &'static str, threads: usize, groups: &[Option<usize>], play: fn(&mut dyn RunQueue)) -> Example {
    Example {
        name,
        node: NodeConfig { cores_per_socket: threads as u32, scheduler: Scheduler::Cfs, tick_hz: 1000, ..node() },
        groups: if groups.iter().any(Option::is_some) { vec![group(100)] } else { Vec::new() },
        processes: groups.iter().map(|&group| (0, group, false)).collect(),
        play,
    }
}

/// With a tick of 0.1 ms, a group that weighs ten, and nine processes, seven of them in no group.
fn scaled(name: &'static str, generation: BalanceGeneration, play: fn(&mut dyn RunQueue)) -> Example {
    let members = [Some(0), Some(0), None, None, None, None, None, None, None];
    let mut nine = example(name, 1, &members, play);
    (nine.node.tick_hz, nine.node.balance_generation, nine.groups) = (10_000, generation, vec![group(1000)]);
    nine
}

/// All of them.
pub fn examples() -> Vec<Example> {
    let free = [None; 3];
    let mut all = vec![
        example("who is picked again keeps his slice", 1, &free, picked_again),
        example("on a tick before his end he goes on", 1, &free, early_tick),
        example("the next buddy within the granularity", 1, &free, next_buddy_within),
        example("the next buddy at the granularity", 1, &free, next_buddy_at),
        example("the next buddy beyond the granularity", 1, &free, next_buddy_beyond),
        example("no last buddy where few run", 1, &free, no_last_buddy),
        example("the group of who sleeps is the next buddy", 1, &[Some(0), Some(0), None], group_is_next),
        example("and is not after it has run on", 1, &[Some(0), Some(0), None], group_is_no_longer_next),
        example("a group that slept is placed", 1, &[Some(0), None], group_placed),
        example("a group weighed anew keeps its vruntime", 2, &[Some(0), Some(0), None], reweighed),
        example("a vruntime goes along in a move", 2, &free, moved),
        example("and where one wakes up elsewhere", 2, &free, woken_elsewhere),
        example("a move has who runs looked at", 2, &[None; 5], looked_at),
        example("who is looked at already", 2, &[None; 5], looked_at_already),
        scaled("slices through both levels", BalanceGeneration::Linux61, slices_6_1),
        scaled("slices through both levels, 3.16", BalanceGeneration::Linux316, slices_3_16),
    ];
    let mut last = example("the last buddy where many run", 1, &free, last_buddy);
    last.node.cfs.min_granularity = Ns::from_ms(2.5);
    let mut heavy = example("a long stay ends a favour", 1, &[Some(0), Some(0), None], favour_ends);
    heavy.groups = vec![group(1000)];
    let mut quiet = example("one of SCHED_BATCH takes nobody's place", 1, &free, batch);
    quiet.processes[0].2 = true;
    all.extend([last, heavy, quiet]);
    all
}

/// A run queue, and commands to it at moments in nanoseconds.
struct At<'a>(&'a mut dyn RunQueue);

impl At<'_> {
    fn wake(&mut self, now: u64, at: usize, pid: u32) -> Preempt {
        self.0.wake(at, Pid(pid), Ns(now))
    }
    fn idle(&mut self, now: u64, at: usize) -> Option<Next> {
        self.0.turn(at, None, Ns(now))
    }
    fn ends(&mut self, now: u64, at: usize, pid: u32, why: Why) -> Option<Next> {
        self.0.turn(at, Some(Ended { pid: Pid(pid), why }), Ns(now))
    }
    fn blocks(&mut self, now: u64, at: usize, pid: u32) -> Option<Next> {
        self.ends(now, at, pid, Why::Blocked)
    }
    fn gives_way(&mut self, now: u64, at: usize, pid: u32) -> Option<Next> {
        self.ends(now, at, pid, Why::Preempted)
    }
    fn ticks(&mut self, now: u64, at: usize, pid: u32) -> Option<Next> {
        self.ends(now, at, pid, Why::SliceExpired)
    }
}

fn next(pid: u32, until: u64) -> Option<Next> {
    Some(Next { pid: Pid(pid), until: Ns(until) })
}

fn alone(pid: u32) -> Option<Next> {
    next(pid, u64::MAX)
}

fn until(moment: u64) -> Preempt {
    Preempt::Until(Ns(moment))
}

const MS: u64 = 1_000_000;
const US: u64 = 1_000;

/// 0 runs to 4 ms (a slice of 3 is over when it has run *more*), then 1 at vruntime 0.
fn two_in_turn(at: &mut At) {
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    // Placed at `min_vruntime`, where 0 stands as well. Slice 6 / 2 = 3: the first tick after 3 ms is that at 4.
    assert_eq!(at.wake(0, 0, 1), until(4 * MS));
    // On a tick nobody is picked unless `check_preempt_tick` says so, although 1 is before 0 now.
    assert_eq!(at.ticks(MS, 0, 0), next(0, 4 * MS));
    // 0 at 4, 1 at 0. 1 runs from 4; more than 3 on the tick at 8.
    assert_eq!(at.ticks(4 * MS, 0, 0), next(1, 8 * MS));
}

/// `pick_next_task_fair`: where prev == p nothing is set, so `prev_sum_exec_runtime` stays.
fn picked_again(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    two_in_turn(&mut at);
    // 1 at 2, before 0 at 4: picked again, until 8 and not 10.
    assert_eq!(at.gives_way(6 * MS, 0, 1), next(1, 8 * MS));
    // 1 at 4, 0 at 4: the running one wins only if before.
    assert_eq!(at.ticks(8 * MS, 0, 1), next(0, 12 * MS));
}

/// `check_preempt_tick`, before the end.
fn early_tick(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    two_in_turn(&mut at);
    // Runs 3 ms: not more than 3. And a slice's end that is no tick just picks: 1 at 3.5, 0 at 4.
    assert_eq!(at.ticks(7 * MS, 0, 1), next(1, 8 * MS));
    assert_eq!(at.ticks(7_500 * US, 0, 1), next(1, 8 * MS));
    // A third comes at min(3.6, 4) = 3.6, the slice is 2 ms now and over on the next tick.
    assert_eq!(at.wake(7_600 * US, 0, 2), until(8 * MS));
    // 1 at 4, 0 at 4, 2 at 3.6. 2 runs from 8; more than 2 on the tick at 11.
    assert_eq!(at.ticks(8 * MS, 0, 1), next(2, 11 * MS));
}

/// 1 runs so long and sleeps; 0 waits at vruntime 0; 2 runs for 1.1 ms more than 1 did, when 1 wakes and pre-empts.
fn woken_before_who_waits(at: &mut At, ran: u64) -> Option<Next> {
    at.wake(0, 0, 1);
    assert_eq!(at.idle(0, 0), alone(1));
    assert_eq!(at.wake(0, 0, 0), until(4 * MS));
    assert_eq!(at.blocks(ran, 0, 1), alone(0));
    // 2 comes at `min_vruntime` = 0 and is picked before 0, which runs at 0 too: the tree wins against the running one.
    assert!(matches!(at.wake(ran, 0, 2), Preempt::Until(_)));
    let then = 2 * ran + 1_100 * US;
    assert_eq!(at.gives_way(ran, 0, 0).map(|n| n.pid), Some(Pid(2)));
    // 2 at ran + 1.1, 1 at ran (its credit reaches back to 0 - 3): 1.1 > 1.
    assert_eq!(at.wake(then, 0, 1), Preempt::Now);
    at.gives_way(then, 0, 2)
}

/// `pick_next_entity`: 1 at 0.9 is not unfair to 0 at 0.
fn next_buddy_within(queue: &mut dyn RunQueue) {
    // From 2.9 ms, slice 6 / 3 = 2: more on the tick at 5.
    assert_eq!(woken_before_who_waits(&mut At(queue), 900 * US), next(1, 5 * MS));
}

/// Nor is 1 at 1.0 (`wakeup_preempt_entity`: more than the granularity).
fn next_buddy_at(queue: &mut dyn RunQueue) {
    // From 3.1 ms: on the tick at 5 it has run 1.9, but is 1 + 1.9 > 2 ahead of 0.
    assert_eq!(woken_before_who_waits(&mut At(queue), MS), next(1, 5 * MS));
}

/// 1 at 1.1 is: 0 runs although it did not pre-empt.
fn next_buddy_beyond(queue: &mut dyn RunQueue) {
    // From 3.3 ms: more than 2 on the tick at 6.
    assert_eq!(woken_before_who_waits(&mut At(queue), 1_100 * US), next(0, 6 * MS));
}

/// 1 sleeps at 0, 0 runs from 0; 2 comes at 1 ms to stand at 1, and 1 wakes and pre-empts 0 at 1.5. Three are queued.
/// Then 1 sleeps, and 2 at 1 or 0 at 1.5 is next.
fn pre_empted_for_a_while(queue: &mut dyn RunQueue) -> Option<Next> {
    let mut at = At(queue);
    at.wake(0, 0, 1);
    assert_eq!(at.idle(0, 0), alone(1));
    assert_eq!(at.blocks(0, 0, 1), None);
    assert_eq!(at.wake(0, 0, 0), Preempt::No);
    assert_eq!(at.idle(0, 0), alone(0));
    assert_eq!(at.wake(MS, 0, 2), until(4 * MS));
    assert_eq!(at.wake(1_500 * US, 0, 1), Preempt::Now);
    assert_eq!(at.gives_way(1_500 * US, 0, 0).map(|n| n.pid), Some(Pid(1)));
    at.blocks(1_600 * US, 0, 1)
}

/// `check_preempt_wakeup`, LAST_BUDDY: `sched_nr_latency` = ceil(6 / 2.5) = 3, and three are queued. 0 is picked, 0.5
/// behind 2.
fn last_buddy(queue: &mut dyn RunQueue) {
    // From 1.6 ms, slice 3: more on the tick at 5. Ahead by 3 only then: at 1.5 + 3.4 against 1.
    assert_eq!(pre_empted_for_a_while(queue), next(0, 5 * MS));
}

/// `sched_nr_latency` = 6 / 0.75 = 8.
fn no_last_buddy(queue: &mut dyn RunQueue) {
    assert_eq!(pre_empted_for_a_while(queue), next(2, 5 * MS));
}

/// 0 of a group of two runs for 0.5 ms and sleeps, beside 2 of no group. The group weighs as much as 2.
fn one_of_two_sleeps(at: &mut At) {
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    // Below 6 / 2 = 3, above 3 * 1/1.
    assert_eq!(at.wake(0, 0, 1), until(4 * MS));
    // Below 6 / 2 / 2 = 1.5, over on the tick at 2; above 6 / 2 = 3, on that at 4.
    assert_eq!(at.wake(0, 0, 2), until(2 * MS));
    // The group at 0.5, 2 at 0: not unfair. Below 1 is alone; above, 3 ms since the group was picked at 0, over at 4.
    assert_eq!(at.blocks(500 * US, 0, 0), next(1, 4 * MS));
}

/// `dequeue_task_fair`, `set_next_buddy`: "Bias pick_next to pick a task from this cfs_rq".
fn group_is_next(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    one_of_two_sleeps(&mut at);
    // Only the lower level was set, so the group is still the buddy: at 0.9 within the granularity of 2 at 0 …
    assert_eq!(at.gives_way(900 * US, 0, 1), next(1, 4 * MS));
    // … and at 1.1 beyond it. From 1.1, slice 3: more on the tick at 5.
    assert_eq!(at.gives_way(1_100 * US, 0, 1), next(2, 5 * MS));
}

/// `set_next_entity` clears it: once it was set aside and picked anew, the group is no buddy.
fn group_is_no_longer_next(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    one_of_two_sleeps(&mut at);
    // At 1.1 the group gives way as above; 2 runs from there to 1.3, and sleeps; so the group is set.
    assert_eq!(at.gives_way(1_100 * US, 0, 1), next(2, 5 * MS));
    assert_eq!(at.blocks(1_300 * US, 0, 2), alone(1));
    // At 1.4 ms 2 comes back to 0.2, the group is at 1.2: 1 is not more than 1. Slice 3 since 1.3; on the tick at 4 the
    // group is at 3.8 and more than 3 ahead.
    assert_eq!(at.wake(1_400 * US, 0, 2), until(4 * MS));
    // A buddy would be picked, 1 ahead.
    assert_eq!(at.gives_way(1_400 * US, 0, 1).map(|n| n.pid), Some(Pid(2)));
}

/// `check_preempt_tick`: "ensure it doesn't get re-elected due to buddy favours". The group weighs ten, so 6 * 10/11 =
/// 5.45 ms are over on the tick at 6, when it stands at 0.6 against 2 at 0.
fn favour_ends(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    assert_eq!(at.wake(0, 0, 1), until(4 * MS));
    // Below 6 / 2 * 10/11 = 2.73.
    assert_eq!(at.wake(0, 0, 2), until(3 * MS));
    assert_eq!(at.blocks(500 * US, 0, 0), next(1, 6 * MS));
    // No tick: a favour still.
    assert_eq!(at.gives_way(5_999 * US, 0, 1), next(1, 6 * MS));
    // From 6 ms, 6 * 1/11 = 0.545, but 0.75 at least: over on the tick at 7.
    assert_eq!(at.ticks(6 * MS, 0, 1), next(2, 7 * MS));
}

/// `place_entity` of a group: half a latency before `min_vruntime`.
fn group_placed(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    assert_eq!(at.blocks(MS, 0, 0), None);
    assert_eq!(at.wake(MS, 0, 1), Preempt::No);
    assert_eq!(at.idle(MS, 0), alone(1));
    // 1 at 10 since it came at 1. The group, which left at 1, at 10 - 3 = 7: by 3 before 1.
    assert_eq!(at.wake(10 * MS, 0, 0), Preempt::Now);
    assert_eq!(at.gives_way(10 * MS, 0, 1), next(0, 14 * MS));
    // Before 13 ms it is before 10, at 13 it is there.
    assert_eq!(at.gives_way(13 * MS - 1, 0, 0), next(0, 14 * MS));
    assert_eq!(at.gives_way(13 * MS, 0, 0), next(1, 17 * MS));
}

/// `reweight_entity` on the tick at 3 ms: what ran before counts by the old weight, and stays as it is.
fn reweighed(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    // Slice 12 / 2 = 6.
    assert_eq!(at.wake(0, 0, 2), until(7 * MS));
    assert_eq!(at.wake(0, 1, 1), Preempt::No);
    assert_eq!(at.idle(0, 1), alone(1));
    // On the other CPU the group hears of 1's load, and on this one of 0's: half of its weight is here from 3 ms on.
    assert_eq!(at.0.until(1, Ns(3_500 * US)), Ns::MAX);
    // At 3.5 it stands at 3 + 0.5 * 2 = 4. Slice 12 * 0.5/1.5 = 4; on the tick at 4 ms it is 5 ahead of 2 at 0.
    assert_eq!(at.0.until(0, Ns(3_500 * US)), Ns(4 * MS));
    // 2 runs from 3.5, slice 12 * 1/1.5 = 8: more on the tick at 12. It is at 4 at 7.5.
    assert_eq!(at.gives_way(3_500 * US, 0, 0), next(2, 12 * MS));
    assert_eq!(at.gives_way(7_500 * US - 1, 0, 2), next(2, 12 * MS));
    // The group is at 4 + 5 on the tick at 10 ms: 5 > 4 ahead of 2 at 4, after 2.5 ms > 1.5; at 9 ms it is 3 ahead.
    assert_eq!(at.gives_way(7_500 * US, 0, 2), next(0, 10 * MS));
}

/// `dequeue_entity` without DEQUEUE_SLEEP and `enqueue_entity` without ENQUEUE_WAKEUP.
fn moved(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    assert_eq!(at.wake(0, 0, 1), until(7 * MS));
    assert_eq!(at.wake(0, 1, 2), Preempt::No);
    assert_eq!(at.idle(0, 1), alone(2));
    // 0 at 2; 1 runs from 2 to 5.
    assert_eq!(at.gives_way(2 * MS, 0, 0).map(|n| n.pid), Some(Pid(1)));
    assert_eq!(at.gives_way(5 * MS, 0, 1).map(|n| n.pid), Some(Pid(0)));
    // 0 at 2.5, which is `min_vruntime` there; 1 at 3, so 0.5 goes along, to 6 where 2 is at 5.5: by no means before.
    assert!(at.0.pull(1, 0..1, Ns(5_500 * US), &Masks::new(2)));
    assert_eq!((at.0.waiting(0), at.0.waiting(1)), (0, 1));
    // Slice 6 since 0: more on the tick at 7.
    assert_eq!(at.0.until(1, Ns(5_500 * US)), Ns(7 * MS));
    assert_eq!(at.gives_way(6 * MS - 1, 1, 2), next(2, 7 * MS));
    assert_eq!(at.gives_way(6 * MS, 1, 2), next(1, 13 * MS));
}

/// 1, 3 and 4 sleep at 0 while 0 and 2 run to 10 ms, each on a CPU; there 1 and 3 wake, 1 runs, and 3, 6 behind
/// `min_vruntime`, moves to 2's CPU and is as much behind there, more than the granularity of 2.
fn pulled_from_behind(at: &mut At) {
    for (cpu, sleeper, stays) in [(0, 1, false), (0, 3, false), (1, 4, false), (0, 0, true), (1, 2, true)] {
        assert_eq!(at.wake(0, cpu, sleeper), Preempt::No);
        assert_eq!(at.idle(0, cpu), alone(sleeper));
        assert!(stays || at.blocks(0, cpu, sleeper).is_none());
    }
    // At 10 - 6 = 4. From 10 ms, slice 12 / 2.
    assert_eq!(at.wake(10 * MS, 0, 1), Preempt::Now);
    assert_eq!(at.gives_way(10 * MS, 0, 0), next(1, 17 * MS));
    // The same for 3; slice 12 / 3.
    assert_eq!(at.wake(10 * MS, 0, 3), until(15 * MS));
    assert!(at.0.pull(1, 0..1, Ns(10 * MS), &Masks::new(2)));
}

/// `attach_task`: `check_preempt_curr`.
fn looked_at(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    pulled_from_behind(&mut at);
    assert_eq!(at.0.until(1, Ns(10_500 * US)), Ns(10_500 * US));
    // Slice 6: more on the tick at 17.
    assert_eq!(at.gives_way(10_500 * US, 1, 2), next(3, 17 * MS));
}

/// `check_preempt_wakeup`: "We can come here with TIF_NEED_RESCHED already set". 4 is at 4 as 3 is, and pre-empts 2 as
/// well, but 3 stays the buddy.
fn looked_at_already(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    pulled_from_behind(&mut at);
    assert_eq!(at.wake(10 * MS, 1, 4), Preempt::Now);
    // Slice 4.
    assert_eq!(at.gives_way(10 * MS, 1, 2), next(3, 15 * MS));
}

/// `migrate_task_rq_fair`: by `min_vruntime` as it was on the last tick where it slept.
fn woken_elsewhere(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 1);
    assert_eq!(at.idle(0, 0), alone(1));
    assert_eq!(at.wake(0, 0, 0), until(7 * MS));
    assert_eq!(at.wake(0, 1, 2), Preempt::No);
    assert_eq!(at.idle(0, 1), alone(2));
    // 1 at 3, 0 at 0 runs from 3.
    assert_eq!(at.blocks(3 * MS, 0, 1), alone(0));
    // On the tick at 7 0 was at 4: -1 goes along, to 6.4 where 2 is at 7.4. Slice 6 since 0, long over.
    assert_eq!(at.wake(7_400 * US, 1, 1), until(8 * MS));
    assert_eq!(at.ticks(8 * MS, 1, 2), next(1, 15 * MS));
}

/// All of nine wake at 0, while 0 of the group runs.
fn nine_wake(queue: &mut dyn RunQueue) -> Preempt {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    (1..9).map(|pid| at.wake(0, 0, pid)).last().expect("eight")
}

/// `sched_slice`, ALT_PERIOD: nine are more than eight, so 9 * 0.75 = 6.75; of that 1/2 below and 10/17 above: 1.985.
fn slices_6_1(queue: &mut dyn RunQueue) {
    assert_eq!(nine_wake(queue), until(2_000 * US));
}

/// Two in the queue: 6; of that 1/2 and 10/17: 1.765.
fn slices_3_16(queue: &mut dyn RunQueue) {
    assert_eq!(nine_wake(queue), until(1_800 * US));
}

/// `check_preempt_wakeup`: "Batch and idle tasks do not preempt non-idle tasks".
fn batch(queue: &mut dyn RunQueue) {
    let mut at = At(queue);
    at.wake(0, 0, 0);
    assert_eq!(at.idle(0, 0), alone(0));
    assert_eq!(at.blocks(0, 0, 0), None);
    assert_eq!(at.wake(0, 0, 1), Preempt::No);
    assert_eq!(at.idle(0, 0), alone(1));
    // At 10 - 3 = 7, and 1 at 10. Slice 3 since 0.
    assert_eq!(at.wake(10 * MS, 0, 0), until(11 * MS));
    // No buddy is needed for 0 to be picked on the tick.
    assert_eq!(at.ticks(11 * MS, 0, 1), next(0, 15 * MS));
}
