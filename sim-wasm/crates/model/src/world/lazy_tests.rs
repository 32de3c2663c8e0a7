//! Lazy pre-emption (`resched_curr_lazy`): when a CPU sees who was woken for it, by arithmetic.
use crate::config::{Affinity, Background, Class, CpuSet, EevdfGeneration, KindConfig, NodeConfig, Scheduler};
use crate::host::realtime::is_real_time;
use crate::ids::{Pid, QueueId};
use crate::program::script::Do;
use crate::program::On;
use crate::program::Resume::*;
use crate::testing::{hogs, node, one, ordinary};
use crate::world::steps_tests::*;
use crate::world::World;

const FIRST: u16 = 0;
const SECOND: u16 = 1;

fn nice(nice: i32) -> KindConfig {
    KindConfig { nice, ..ordinary() }
}

fn fifo() -> KindConfig {
    KindConfig { class: Class::Fifo, ..ordinary() }
}

/// Two CPUs that share so many caches. They tick every millisecond.
fn cpus(caches: u32, change: impl FnOnce(&mut NodeConfig)) -> World {
    let mut host = NodeConfig {
        sockets: caches,
        cores_per_socket: 2 / caches,
        scheduler: Scheduler::Eevdf,
        eevdf_generation: EevdfGeneration::Linux618,
        lazy_preemption: true,
        background: Background { kind: fifo(), ..node().background },
        ..node()
    };
    change(&mut host);
    World::new(&one(host, hogs(0)), 0)
}

impl World {
    /// Who runs on one CPU alone, and comes at the start.
    fn bound(&mut self, at: u16, kind: &KindConfig, todo: &[Do]) -> Pid {
        let pid = self.actor(0.0, todo);
        self.processes[pid.i()].is_real_time = is_real_time(kind.class);
        self.is_unwatched = false;
        let host = &mut self.hosts[0];
        host.is_plain = false;
        host.masks.assign_for(pid, Some(&CpuSet(vec![at])), &Affinity::None);
        host.ready_by_mask.resize(host.masks.all().count(), 0);
        host.policy.admit(pid, kind, None, &host.masks);
        pid
    }

    /// Who waits there to be posted for the first time.
    fn queue_of(&mut self, at: u16, kind: &KindConfig) -> (QueueId, Pid) {
        let queue = self.new_queue(None);
        (queue, self.bound(at, kind, &[wait(On::Items(queue, 1), None), Do::Take(queue), cpu(1.0)]))
    }
}

/// Beside a hog on the second CPU, who is posted by the first one after 10.2 ms, and begins then.
fn begins(mut world: World, kind: &KindConfig, hog: impl FnOnce(&mut World) -> Vec<Do>) -> f64 {
    let (queue, waiter) = world.queue_of(SECOND, kind);
    world.bound(FIRST, &nice(0), &[cpu(10.2), post(queue, 1), cpu(30.0)]);
    let todo = hog(&mut world);
    world.bound(SECOND, &nice(0), &todo);
    world.until(40.0);
    let told = world.told(waiter);
    assert_eq!(told[0], (0.0, Started));
    assert_eq!(told[1].1, Met);
    told[1].0
}

fn works(_: &mut World) -> Vec<Do> {
    vec![cpu(40.0)]
}

#[test]
fn a_cpu_of_the_same_cache_looks_with_its_next_tick() {
    assert_eq!(begins(cpus(1, |_| {}), &nice(-20), works), 11.0);
    assert_eq!(begins(cpus(1, |host| host.tick_hz = 250), &nice(-20), works), 12.0);
    assert_eq!(begins(cpus(1, |host| host.lazy_preemption = false), &nice(-20), works), 10.2, "full");
    assert_eq!(begins(cpus(1, |host| host.scheduler = Scheduler::Cfs), &nice(-20), works), 10.2, "CFS knows no such");
}

/// `ttwu_queue_cond`: there the woken process is queued by an interrupt, and who comes out of one looks.
#[test]
fn one_of_another_cache_is_interrupted() {
    assert_eq!(begins(cpus(2, |_| {}), &nice(-20), works), 10.2);
}

#[test]
fn real_time_is_seen_at_once_even_where_somebody_waits_to_be_seen() {
    assert_eq!(begins(cpus(1, |_| {}), &fifo(), works), 10.2);
    let mut world = cpus(1, |_| {});
    let (ordinary, _) = world.queue_of(SECOND, &nice(-20));
    let (real, waiter) = world.queue_of(SECOND, &fifo());
    world.bound(FIRST, &nice(0), &[cpu(10.2), post(ordinary, 1), cpu(0.2), post(real, 1), cpu(30.0)]);
    world.bound(SECOND, &nice(0), &[cpu(40.0)]);
    world.until(20.0);
    assert_eq!(world.told(waiter)[1], (10.4, Met));
}

/// Somebody waits to be seen since 10.2 ms; at 10.4 a CPU of the other cache has another one queued by an interrupt.
#[test]
fn who_is_interrupted_for_one_sees_all() {
    let mut world = cpus(2, |host| host.cores_per_socket = 2);
    let (near, first) = world.queue_of(SECOND, &nice(-20));
    let (far, second) = world.queue_of(SECOND, &nice(-20));
    world.bound(FIRST, &nice(0), &[cpu(10.2), post(near, 1), cpu(30.0)]);
    world.bound(2, &nice(0), &[cpu(10.4), post(far, 1), cpu(30.0)]);
    world.bound(SECOND, &nice(0), &[cpu(40.0)]);
    world.until(20.0);
    let begin = [first, second].map(|pid| world.told(pid)[1].0);
    assert_eq!(begin[0].min(begin[1]), 10.4, "{begin:?}");
}

/// Who runs there posts somebody on the first CPU 0.5 ms before the tick: out of the kernel, it gives way.
#[test]
fn who_calls_the_kernel_meanwhile_gives_way() {
    let calls = |world: &mut World| {
        let (queue, _) = world.queue_of(FIRST, &nice(19));
        vec![cpu(10.5), post(queue, 1), cpu(30.0)]
    };
    assert_eq!(begins(cpus(1, |_| {}), &nice(-20), calls), 10.5);
}

/// A timer of somebody on the second CPU, who is no better than the hog, interrupts it.
#[test]
fn an_interrupt_on_that_cpu_lets_it_look() {
    let interrupts = |world: &mut World| {
        world.bound(SECOND, &nice(19), &[sleep(10.7), cpu(1.0)]);
        works(world)
    };
    assert_eq!(begins(cpus(1, |_| {}), &nice(-20), interrupts), 10.7);
}

#[test]
fn its_own_timer_and_an_idle_cpu_are_not_late() {
    let mut world = cpus(1, |_| {});
    let sleeper = world.bound(SECOND, &nice(-20), &[sleep(10.2), cpu(1.0)]);
    world.bound(SECOND, &nice(0), &[cpu(40.0)]);
    world.until(20.0);
    assert_eq!(world.told(sleeper)[1].0, 10.2);
    assert_eq!(begins(cpus(1, |_| {}), &nice(-20), |_| vec![cpu(5.0)]), 10.2);
}
