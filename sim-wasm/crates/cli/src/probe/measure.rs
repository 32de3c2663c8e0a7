//! The server and its hogs: threads of this process.
use super::plan::{Class, Plan, HOGS};
use super::system::{busy_and_stolen, Own, System};
use super::table::{Side, Spread};
use crate::compute::Bar;
use crate::Fault;
use rustix::param::clock_ticks_per_second;
use rustix::process::setpriority_process;
use rustix::system::uname;
use rustix::thread::{clock_nanosleep_absolute, current_timer_slack, gettid, sched_getaffinity};
use rustix::thread::{set_current_timer_slack, CpuSet};
use rustix::time::{clock_getres, clock_gettime, ClockId, Timespec};
use std::hint::black_box;
use std::num::NonZeroU64;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;
use thread_priority::{
    set_thread_priority_and_policy, thread_native_id, RealtimeThreadSchedulePolicy, ThreadPriority,
    ThreadSchedulePolicy,
};

/// Spins by which their speed is found, and how often: the quickest of them was not disturbed.
const TRIAL: (u64, u32) = (200_000, 50);
/// Hogs run that long before the first request, and nobody does before the machine is taken to be idle.
const SETTLES: Duration = Duration::from_millis(300);
/// Spins of a hog between two looks at whether it is over.
const HOG_SPINS: u64 = 20_000;

/// One row as it was found.
pub struct Measured {
    pub class: Class,
    pub hogs: u32,
    /// Of each request: from when it comes to its end \[ns\]; none where the class was not permitted.
    answers: Vec<u64>,
    /// Of each wake-up: to the first instruction \[ns\].
    delays: Vec<u64>,
    /// CPUs that other processes used.
    pub others: f64,
    /// CPUs that a hypervisor gave away.
    pub steal: f64,
}

impl Measured {
    /// What is printed of it; `None`: it was not permitted.
    pub fn side(&self) -> Option<Side> {
        let requests = self.answers.len() as u64;
        Some(Side { requests, answer: Spread::of(self.answers.clone())?, delay: Spread::of(self.delays.clone()) })
    }
}

/// What system calls say of the machine.
pub fn own() -> Own {
    let allowed =
        sched_getaffinity(None).map_or(Vec::new(), |set| (0..CpuSet::MAX_CPU).filter(|&cpu| set.is_set(cpu)).collect());
    Own {
        allowed,
        release: uname().release().to_string_lossy().into_owned(),
        tick_ns: nanoseconds(clock_getres(ClockId::MonotonicCoarse)),
        slack_ns: current_timer_slack().unwrap_or(0),
    }
}

fn nanoseconds(time: Timespec) -> u64 {
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn now() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

fn sleep_until(at: u64) {
    let time = Timespec { tv_sec: (at / 1_000_000_000) as i64, tv_nsec: (at % 1_000_000_000) as i64 };
    // A signal may end it early.
    while clock_nanosleep_absolute(ClockId::Monotonic, &time).is_err() && now() < at {}
}

/// Work that touches no memory.
fn spin(count: u64) {
    let mut word = count;
    for _ in 0..count {
        word = black_box(word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
    }
}

/// Spins of a request on the idle machine.
fn spins_for(service: f64) -> u64 {
    let trial = |_| {
        let start = now();
        spin(TRIAL.0);
        now() - start
    };
    let least = (0..TRIAL.1).map(trial).min().unwrap_or(1).max(1);
    (service * TRIAL.0 as f64 / least as f64).round() as u64
}

/// The calling thread takes a class; whether it may.
fn takes(class: Class) -> bool {
    let real_time = |policy| {
        let policy = ThreadSchedulePolicy::Realtime(policy);
        set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy).is_ok()
    };
    match class {
        Class::Fifo => real_time(RealtimeThreadSchedulePolicy::Fifo),
        Class::RoundRobin => real_time(RealtimeThreadSchedulePolicy::RoundRobin),
        Class::Favoured => setpriority_process(Some(gettid()), -20).is_ok(),
        Class::Ordinary => true,
    }
}

/// Every row, the idle machine first in each class.
pub fn all(plan: &Plan, system: &System, bar: &Bar) -> Result<Vec<Measured>, Fault> {
    sleep(SETTLES);
    let spins = spins_for(plan.service);
    let mut rows = Vec::new();
    for class in Class::ALL {
        for hogs in HOGS {
            rows.push(row(plan, system, (class, hogs), spins)?);
            bar.step(class.name());
        }
    }
    Ok(rows)
}

fn row(plan: &Plan, system: &System, (class, hogs): (Class, u32), spins: u64) -> Result<Measured, Fault> {
    let arrivals = plan.arrivals(hogs);
    let is_over = AtomicBool::new(false);
    let served = scope(|threads| {
        for _ in 0..hogs as usize * system.cpus.len() {
            threads.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    spin(HOG_SPINS);
                }
            });
        }
        let server = threads.spawn(|| takes(class).then(|| served(&arrivals, spins, &system.cpus)));
        let served = server.join();
        is_over.store(true, Ordering::Relaxed);
        served
    });
    let served = served.map_err(|_| vec!["the server has stopped by itself".to_owned()])?;
    Ok(match served {
        Some((answers, delays, (others, steal))) => Measured { class, hogs, answers, delays, others, steal },
        None => Measured { class, hogs, answers: Vec::new(), delays: Vec::new(), others: 0.0, steal: 0.0 },
    })
}

type Served = (Vec<u64>, Vec<u64>, (f64, f64));

/// Answers requests one after another.
fn served(arrivals: &[u64], spins: u64, cpus: &[usize]) -> Served {
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    sleep(SETTLES);
    let (mut answers, mut delays) = (Vec::with_capacity(arrivals.len()), Vec::with_capacity(arrivals.len()));
    let before = used(cpus);
    let start = now() + 1_000_000;
    for &arrival in arrivals {
        let due = start + arrival;
        if now() < due {
            sleep_until(due);
            delays.push(now().saturating_sub(due));
        }
        spin(spins);
        answers.push(now() - due);
    }
    (answers, delays, others(before, used(cpus)))
}

/// Time \[ns\]; CPU time of this process \[ns\]; busy and stolen time of the CPUs \[ticks\].
fn used(cpus: &[usize]) -> (u64, u64, (u64, u64)) {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    (now(), nanoseconds(clock_gettime(ClockId::ProcessCPUTime)), busy_and_stolen(&stat, cpus))
}

/// CPUs that others used, and that were stolen, between two moments.
fn others(before: (u64, u64, (u64, u64)), after: (u64, u64, (u64, u64))) -> (f64, f64) {
    let passed = (after.0 - before.0).max(1) as f64;
    let tick = 1e9 / clock_ticks_per_second().max(1) as f64;
    let share = |from: u64, to: u64| to.saturating_sub(from) as f64 * tick / passed;
    let own = (after.1 - before.1) as f64 / passed;
    let busy = share(before.2 .0, after.2 .0);
    ((busy - own).max(0.0), share(before.2 .1, after.2 .1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_used_is_what_was_busy_less_the_own() {
        // A second; 1.5 CPUs busy, one of them ours; a tenth stolen.
        let tick = clock_ticks_per_second();
        let (before, after) = ((5, 7, (3, 1)), (1_000_000_005, 1_000_000_007, (3 + tick * 3 / 2, 1 + tick / 10)));
        let (others, steal) = others(before, after);
        assert!((others - 0.5).abs() < 1e-9 && (steal - 0.1).abs() < 1e-9, "{others} {steal}");
        assert_eq!(super::others(before, (1_000_000_005, 2_000_000_007, (3, 1))).0, 0.0, "ticks lag behind");
    }
}
