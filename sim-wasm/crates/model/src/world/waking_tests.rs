//! What passes between a wake-up and the first instruction, by arithmetic, and that it is nobody's CPU time.
use super::ledger_tests::assert_ledger;
use super::steps_tests::*;
use super::*;
use crate::config::kinds::KindId;
use crate::config::{Background, Class, KindConfig, NodeConfig, Scheduler, WakingConfig};
use crate::measure::ledger::WAKING;
use crate::program::On;
use crate::testing::{hogs, node, one, ordinary};
use Resume::*;

fn us(span: f64) -> Ns {
    Ns::from_us(span)
}

/// A host whose idle threads take 30 µs, and 20 more if another CPU tells them.
fn slow(threads: u32, change: impl FnOnce(&mut NodeConfig)) -> World {
    let waking = WakingConfig { interrupt: us(20.0), path: us(30.0), timer_slack: us(50.0), ..WakingConfig::default() };
    let mut host = NodeConfig { cores_per_socket: threads, waking, ..node() };
    change(&mut host);
    World::new(&one(host, hogs(0)), 0)
}

fn waking_time(world: &World) -> i128 {
    world.accounts.groups.iter().map(|group| group.book.busy[WAKING]).sum::<i128>()
        / i128::from(world.hosts[0].ledger.full)
}

#[test]
fn a_woken_process_begins_when_its_thread_is_awake_and_uses_no_cpu_before() {
    for scheduler in [Scheduler::Cfs, Scheduler::Eevdf, Scheduler::O1] {
        let mut world = slow(1, |host| host.scheduler = scheduler);
        let sleeper = world.actor(1.0, &[cpu(2.0), sleep(5.0), cpu(1.0)]);
        world.until(4.0);
        assert_eq!(world.told(sleeper), [(1.05, Started), (3.05, CpuDone)], "new on a CPU that another tells");
        world.until(20.0);
        assert_eq!(world.told(sleeper)[2..], [(5.03, TimedOut), (6.03, CpuDone)], "its own CPU's timer");
        assert_ledger(&mut world, "awake");
        let group = &world.accounts.groups[0];
        let [running, ready] = [Activity::RUNNING, Activity::RUN_QUEUE].map(|activity| group.time[activity.i()]);
        assert_eq!((running, ready), (3_000_000, 80_000), "{scheduler:?}");
        assert_eq!(waking_time(&world), 80_000);
        assert_eq!(world.accounts.threads[0].0, 3_080_000, "it is busy meanwhile");
    }
    let mut world = slow(1, |host| host.scheduler = Scheduler::Solaris);
    let sleeper = world.actor(1.0, &[cpu(2.0)]);
    world.until(4.0);
    assert_eq!(world.told(sleeper)[0], (1.0, Started), "of Solaris it is not known");
}

/// Two wait for the same thread, and a third finds it idle no more.
#[test]
fn who_comes_while_a_thread_wakes_queues_behind_and_is_not_given_it_twice() {
    let mut world = slow(1, |_| {});
    let first = world.actor(1.0, &[cpu(1.0)]);
    let second = world.actor(1.02, &[cpu(1.0)]);
    world.until(1.04);
    assert_eq!((world.threads[0].running, world.hosts[0].idle.count()), (Pid::NONE, 0));
    assert_ledger(&mut world, "half-way");
    assert_eq!(waking_time(&world), 40_000, "so far");
    world.until(10.0);
    assert_eq!((world.told(first)[0].0, world.told(second)[0].0), (1.05, 2.05));
    assert_ledger(&mut world, "after");
    assert_eq!(waking_time(&world), 50_000, "it woke up once");
}

/// A second thread goes idle while the first one wakes up for somebody: it leaves him alone, and so does balancing.
#[test]
fn nobody_takes_away_for_whom_a_thread_wakes_up() {
    for scheduler in [Scheduler::Cfs, Scheduler::Eevdf, Scheduler::O1] {
        let mut world = slow(2, |host| {
            host.scheduler = scheduler;
            host.cfs.migration_cost = Ns::ZERO;
        });
        let other = world.actor(0.0, &[cpu(2.0), sleep(30.0)]);
        let sleeper = world.actor(0.5, &[cpu(0.1), sleep(2.03), cpu(1.0)]);
        world.until(2.055);
        let home = world.processes[sleeper.i()].last;
        assert_eq!(world.threads[home.i()].wakes_for, sleeper, "{scheduler:?}");
        assert_eq!(world.told(other).len(), 2, "{scheduler:?}: its thread went idle at 2.05");
        let at = world.processes[other.i()].last;
        let has_taken = match scheduler {
            Scheduler::O1 => world.newly_idle_o1(at),
            _ => world.newly_idle(at),
        };
        assert!(!has_taken, "{scheduler:?}");
        world.until(10.0);
        assert_eq!(world.processes[sleeper.i()].last, home, "{scheduler:?}");
        assert_eq!(world.told(sleeper)[2].0, 2.06, "{scheduler:?}");
        assert_ledger(&mut world, "balanced");
    }
}

#[test]
fn a_section_of_the_kernel_holds_a_pre_emption_up_and_ends_with_the_stay() {
    // The hog leaves by itself after 10 ms, over several slices; the section would have lasted for ever.
    let mut world = slow(1, |host| {
        host.waking = WakingConfig { kernel_share: 1.0, kernel_section: ms(1e6), ..WakingConfig::default() };
    });
    let woken = world.actor(0.0, &[cpu(0.1), sleep(5.0), cpu(0.1), sleep(32.0), cpu(0.1)]);
    world.actor(0.0, &[cpu(10.0), sleep(30.0), cpu(5.0), sleep(60.0)]);
    world.until(9.0);
    assert_ne!(world.threads[0].preempts_at, Ns::MAX);
    world.until(31.0);
    assert_eq!(world.told(woken)[2].0, 10.1);
    assert_eq!(world.threads[0].preempts_at, Ns::MAX, "it ended with the stay");
    world.until(100.0);
    assert_eq!(world.told(woken)[4].0, 35.0, "and once more");
    assert_ledger(&mut world, "sections");
}

/// Two hogs take turns; the one that has to give way keeps the CPU to the end of its work, past that of its slice.
#[test]
fn a_section_goes_on_past_the_end_of_the_slice() {
    let mut world = slow(1, |host| {
        host.waking = WakingConfig { kernel_share: 1.0, kernel_section: ms(1e6), ..WakingConfig::default() };
    });
    let woken = world.actor(0.0, &[cpu(0.1), sleep(10.0), cpu(0.1)]);
    let hogs = [world.actor(0.0, &[cpu(20.0)]), world.actor(0.0, &[cpu(20.0)])];
    world.until(10.5);
    let running = world.threads[0].running;
    assert!(hogs.contains(&running) && world.threads[0].preempts_at != Ns::MAX);
    world.until(100.0);
    let ends = world.told(running)[1].0;
    assert!((20.0..30.0).contains(&ends), "{ends}: the other has had no turn since");
    assert_eq!(world.told(woken)[2].0, ends);
}

/// Real time that finds a CPU in the kernel waits there, like one that finds it waking up.
#[test]
fn real_time_waits_for_the_section_and_is_pushed_nowhere() {
    let fifo = KindConfig { class: Class::Fifo, ..ordinary() };
    let mut world = slow(2, |host| {
        let section = WakingConfig { kernel_share: 1.0, kernel_section: us(40.0), ..WakingConfig::default() };
        host.waking = section;
        host.background = Background { processes: 1, busy: us(100.0), sleep: ms(7.0), kind: fifo };
    });
    world.actor(0.0, &[cpu(1000.0)]);
    world.actor(0.0, &[cpu(1000.0)]);
    world.until(900.0);
    let group = world.config.group(KindId::BACKGROUND, 0);
    let (sums, runs) = (&world.accounts.groups[group], world.accounts.groups[group].voluntary);
    assert_eq!(sums.migrations, 0, "of {runs} runs");
    let mean = sums.time[Activity::RUN_QUEUE.i()] as f64 / runs as f64;
    assert!(runs > 100 && (25_000.0..55_000.0).contains(&mean), "{runs} {mean}");
    assert_ledger(&mut world, "real time");
}

#[test]
fn a_timer_is_late_by_its_slack_a_post_is_not() {
    for (scheduler, late) in [(Scheduler::Cfs, 5.05), (Scheduler::Eevdf, 5.05), (Scheduler::O1, 5.0)] {
        let mut world = slow(1, |host| {
            host.scheduler = scheduler;
            (host.waking.interrupt, host.waking.path) = (Ns::ZERO, Ns::ZERO);
        });
        let queue = world.new_queue(None);
        let waiter = world.actor(0.0, &[wait(On::Items(queue, 1), Some(5.0)), wait(On::Items(queue, 1), Some(9.0))]);
        world.actor(7.0, &[post(queue, 1)]);
        world.until(20.0);
        assert_eq!(world.told(waiter)[1..], [(late, TimedOut), (7.0, Met)], "{scheduler:?}");
        world.processes[waiter.i()].is_real_time = true;
        assert_eq!(world.slack(waiter, On::Items(queue, 1)), Ns::ZERO);
    }
}
