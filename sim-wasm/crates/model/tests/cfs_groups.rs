//! What balancing sees of control groups under CFS, by hand arithmetic: a group of weight 100 with A and B, and C in
//! none; everybody of nice 0.
use wwi_kernel::time::Ns;
use wwi_model::config::{BalanceGeneration, CgroupConfig, NodeConfig, Scheduler};
use wwi_model::host::balance::Fair;
use wwi_model::host::cfs::Nested;
use wwi_model::host::policy::{Ended, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::{near_abs, node, ordinary};

const A: Pid = Pid(0);
const B: Pid = Pid(1);
const C: Pid = Pid(2);
/// `LOAD_AVG_PERIOD` times 1024 times 1024 ns.
const HALF_LIFE: Ns = Ns(32 << 20);

fn host(cpus: u32, balance_generation: BalanceGeneration) -> Nested {
    let host = NodeConfig { cores_per_socket: cpus, scheduler: Scheduler::Cfs, balance_generation, ..node() };
    let group = CgroupConfig { weight: 100, quota: None, period: Ns::from_ms(100.0), burst: Ns::ZERO };
    let mut queues = Nested::new(&host, &[Some(group)]);
    for (pid, group) in [(A, Some(0)), (B, Some(0)), (C, None)] {
        queues.admit(pid, &ordinary(), group);
    }
    queues
}

fn starts(queues: &mut Nested, at: usize, pid: Pid, now: Ns) {
    queues.wake(at, pid, now);
    assert_eq!(queues.turn(at, None, now).map(|next| next.pid), Some(pid));
}

fn blocks(queues: &mut Nested, at: usize, pid: Pid, now: Ns) -> Option<Pid> {
    queues.turn(at, Some(Ended { pid, why: Why::Blocked }), now).map(|next| next.pid)
}

/// 6.1: the weight of its entity for the share of time that this stood in the queue. A new one is taken to have done so
/// all along; of a sleeper half is left after a half-life, whatever the loads of its processes are.
#[test]
fn a_group_counts_for_the_time_that_it_stood_in_a_queue() {
    let mut queues = host(1, BalanceGeneration::Linux61);
    starts(&mut queues, 0, A, Ns::ZERO);
    near_abs(queues.group_load(0, 0, 7.0, Ns::ZERO), 1024.0, 2.0, "as it starts");
    assert_eq!(blocks(&mut queues, 0, A, HALF_LIFE), None);
    near_abs(queues.group_load(0, 0, 7.0, Ns(2 * HALF_LIFE.0)), 512.0, 2.0, "asleep for a half-life");
    near_abs(queues.group_load(0, 0, 7.0, Ns(3 * HALF_LIFE.0)), 256.0, 2.0, "asleep for two");
}

/// 3.14 (`__update_group_entity_contrib`): on each of two CPUs with one of it for long a group has 1024 / 2048 of its
/// 1024, and as it is runnable on two CPUs in all, nothing is taken off.
#[test]
fn before_4_2_a_queued_group_counts_by_what_a_cpu_has_of_its_averages() {
    let mut queues = host(2, BalanceGeneration::Linux316);
    starts(&mut queues, 0, A, Ns::ZERO);
    starts(&mut queues, 1, B, Ns::ZERO);
    for at in [0, 1] {
        near_abs(queues.group_load(0, at, 7.0, Ns::ZERO), 512.0, 2.0, &format!("on {at}"));
    }
}

/// And who is not queued does not count: of what was on average, each unit by 1024 / 1025, and by half as the group has
/// run for half of a CPU after a half-life. Woken then, it counts with half of what it would as a whole CPU's.
#[test]
fn before_4_2_a_group_that_sleeps_counts_with_what_was() {
    let mut queues = host(1, BalanceGeneration::Linux316);
    starts(&mut queues, 0, A, Ns::ZERO);
    near_abs(queues.group_load(0, 0, 7.0, Ns::ZERO), 1023.0, 2.0, "as it starts");
    assert_eq!(blocks(&mut queues, 0, A, Ns::ZERO), None);
    assert_eq!(queues.group_load(0, 0, 0.0, HALF_LIFE), 0.0);
    near_abs(queues.group_load(0, 0, 1000.0, HALF_LIFE), 499.5, 2.0, "asleep for a half-life");
    queues.wake(0, A, HALF_LIFE);
    near_abs(queues.group_load(0, 0, 7.0, HALF_LIFE), 512.0, 2.0, "woken then");
}

/// A CPU on its way to run the first of its queue, C who came before A's group, gives everybody else away.
#[test]
fn who_is_about_to_be_picked_is_not_in_the_list() {
    let mut queues = host(1, BalanceGeneration::Linux61);
    queues.wake(0, C, Ns::ZERO);
    queues.wake(0, A, Ns::ZERO);
    queues.begin(0, true);
    let mut listed = Vec::new();
    queues.visit(0, &mut |one| listed.push(one.pid));
    assert_eq!((listed, Fair::runnable(&queues, 0)), (vec![A], 2));
    assert_eq!(queues.turn(0, None, Ns::ZERO).map(|next| next.pid), Some(C));
}
