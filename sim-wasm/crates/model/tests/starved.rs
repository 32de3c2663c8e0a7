//! A log writer among hogs, all at one fixed priority under AIX: who waits for a CPU waits for a clock interrupt.
use wwi_kernel::time::Ns;
use wwi_model::config::database::{DatabaseConfig, LogConfig, TransactionConfig};
use wwi_model::config::*;
use wwi_model::measure::events::Activity;
use wwi_model::measure::record::Recorder;
use wwi_model::meet::device::Shape;
use wwi_model::program::Program;
use wwi_model::testing::{database, device, node, oltp, one};
use wwi_model::world::World;

/// A clock interrupt at 100 Hz \[ms\].
const TICK_MS: f64 = 10.0;
/// Mean of a write of the log \[ms\].
const WRITE_MS: f64 = 0.87;

/// Eight CPUs, 24 sessions of 0.5 ms of CPU a commit, so many hogs, and a log writer of this class.
fn starved(hogs: u32, lgwr: KindConfig) -> Config {
    let fixed = KindConfig {
        class: Class::Fixed,
        nice: 0,
        priority: 60,
        cpus: None,
        slice: None,
        working_set_mb: 0.0,
        cgroup: None,
    };
    let transaction = TransactionConfig { redo: 1000.0, ..database().transaction };
    let us = |t: f64| Ns::from_us(t);
    let log = LogConfig { gather: us(30.0), after: us(100.0), post: us(15.0), ..database().log };
    let kinds = DatabaseConfig { dbwr: fixed.clone(), ckpt: fixed.clone(), client: fixed.clone(), ..database() };
    let redo = Some(device(1, Ns::from_ms(WRITE_MS), Shape::Exponential));
    let mut instance = oltp(24, DatabaseConfig { transaction, log, redo, lgwr, ..kinds });
    instance.session_kind = fixed.clone();
    instance.workload.demand = Demand { mean: us(500.0), shape: DemandShape::Exponential };
    let background = Background { processes: hogs, busy: Ns::from_ms(10.0), sleep: Ns::ZERO, kind: fixed };
    one(NodeConfig { cores_per_socket: 8, scheduler: Scheduler::Aix, tick_hz: 100, background, ..node() }, instance)
}

/// Stays in milliseconds.
#[derive(Default)]
struct Seen {
    /// When the log writer became ready, when it got a CPU, and when the last hog had left that CPU.
    delays: Vec<(f64, f64, f64)>,
    /// Waits for commits: when each began, was over by a post, and the session had a CPU again.
    syncs: Vec<(f64, f64, f64)>,
    /// Lengths of writes of the log.
    writes: Vec<f64>,
}

/// A minute after two seconds.
fn see(config: &Config) -> Seen {
    let mut world = World::new(config, 1);
    world.recorder = Some(Recorder::new(4_000_000, Ns::ZERO));
    world.run(Ns::from_s(62.0), u64::MAX);
    let mut seen = Seen::default();
    let mut synced = vec![None; world.processes.len()];
    let mut hog_left = [0.0; 8];
    let stays = world.recorder.iter().flat_map(|recorder| recorder.stays());
    for stay in stays.filter(|stay| stay.start > Ns::from_s(2.0)) {
        let [start, end] = [stay.start, stay.end].map(|at| at.0 as f64 / 1e6);
        match (world.tasks[stay.pid.i()].program, stay.activity) {
            (Program::Background(_), Activity::RUNNING) => hog_left[stay.thread.i()] = end,
            (Program::Lgwr(_), Activity::LOG_FILE_PARALLEL_WRITE) => seen.writes.push(end - start),
            // Where it runs is known once it has run.
            (Program::Lgwr(_), Activity::RUN_QUEUE) => seen.delays.push((start, end, f64::NAN)),
            (Program::Lgwr(_), Activity::RUNNING) => {
                if let Some(delay) = seen.delays.last_mut().filter(|delay| delay.1 == start) {
                    delay.2 = hog_left[stay.thread.i()];
                }
            }
            (_, Activity::LOG_FILE_SYNC) => synced[stay.pid.i()] = Some((start, end)),
            (Program::Foreground(_), activity) => {
                let until = if activity == Activity::RUN_QUEUE { end } else { start };
                seen.syncs.extend(synced[stay.pid.i()].take().map(|(began, posted)| (began, posted, until)));
            }
            _ => {}
        }
    }
    seen
}

impl Seen {
    fn mean_sync(&self) -> f64 {
        self.syncs.iter().map(|sync| sync.2 - sync.0).sum::<f64>() / self.syncs.len() as f64
    }

    /// Share of the waits within 1 ms of one, two, three or four ticks.
    fn in_peaks(&self) -> f64 {
        share(&self.syncs, |sync| (1..=4).any(|ticks| (sync.2 - sync.0 - TICK_MS * f64::from(ticks)).abs() < 1.0))
    }

    /// How much of a wait the log writer was ready and had no CPU.
    fn delay_in_sync(&self) -> f64 {
        let within = |&(began, posted, _): &(f64, f64, f64)| {
            let first = self.delays.partition_point(|delay| delay.1 <= began);
            let met = self.delays[first..].iter().take_while(|delay| delay.0 < posted);
            met.map(|delay| delay.1.min(posted) - delay.0.max(began)).sum::<f64>()
        };
        self.syncs.iter().map(within).sum::<f64>() / self.syncs.len() as f64
    }
}

fn share<T>(all: &[T], is: impl Fn(&T) -> bool) -> f64 {
    all.iter().filter(|one| is(one)).count() as f64 / all.len() as f64
}

#[test]
fn a_starved_log_writer_waits_for_clock_interrupts_and_so_do_those_it_posts() {
    let fixed = || KindConfig {
        class: Class::Fixed,
        nice: 0,
        priority: 60,
        cpus: None,
        slice: None,
        working_set_mb: 0.0,
        cgroup: None,
    };
    let among = see(&starved(16, fixed()));
    let first = see(&starved(16, KindConfig { class: Class::Fifo, priority: 39, ..fixed() }));
    let alone = see(&starved(0, fixed()));
    let long: Vec<_> = among.delays.iter().filter(|delay| delay.1 - delay.0 > 1.0).collect();
    assert!(long.len() > 3000, "{}", long.len());
    // A hog leaves at the interrupt; sessions of 0.5 ms that stand in front go first, so that it is not the moment of
    // the interrupt alone. Were ends even, 20 % would lie within 2 ms.
    let by_tick =
        share(&long, |delay| delay.2 > delay.0 && (delay.2 / TICK_MS - (delay.2 / TICK_MS).round()).abs() < 1e-6);
    assert!(by_tick > 0.9, "{by_tick} of the delays end when a hog leaves at an interrupt");
    let soon = share(&long, |delay| delay.1 % TICK_MS < 2.0);
    assert!(soon > 0.9, "{soon} of the delays end within 2 ms of an interrupt");
    // 20 % if even.
    assert!(among.in_peaks() > 0.3, "{}", among.in_peaks());
    // The device knows nothing of it: four deviations.
    for (times, tail) in [(0.5, 0.606_531), (1.0, 0.367_879), (2.0, 0.135_335), (3.0, 0.049_787)] {
        let (found, count) = (share(&among.writes, |write| *write > times * WRITE_MS), among.writes.len() as f64);
        let deviation = (tail * (1.0 - tail) / count).sqrt();
        assert!((found - tail).abs() < 4.0 * deviation, "{found} of the writes take longer than {times}: {tail}");
    }
    // In front of all others: a commit takes so much less as the log writer waited for a CPU meanwhile.
    let (falls, delay) = (among.mean_sync() - first.mean_sync(), among.delay_in_sync());
    assert!((falls / delay - 1.0).abs() < 0.2, "it falls by {falls} ms, {delay} ms was the log writer's delay");
    // Those whom it posts wait for interrupts all the same, unless there are no hogs.
    assert!(first.in_peaks() > 0.3 && alone.in_peaks() < 0.02, "{} {}", first.in_peaks(), alone.in_peaks());
    assert!(first.delay_in_sync() < 0.05 && alone.mean_sync() < 4.0, "{}", alone.mean_sync());
}
