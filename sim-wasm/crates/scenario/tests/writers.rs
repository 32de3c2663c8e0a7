//! What a learner asks of database writers where storage and logs decide: the preset `dbwr-heavy`, and what is moved in
//! it. A run goes from log switch to log switch. Expectations are what the device can do, what the logs hold, and what
//! is published; a claim is one only where the intervals of the runs, of 95 %, allow none other.

use std::sync::OnceLock;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::stats::{half_width, mean};
use wwi_kernel::time::Ns;
use wwi_model::config::kinds::KindId;
use wwi_model::measure::accounts::Accounts;
use wwi_model::measure::database::Sum;
use wwi_model::measure::events::Activity;
use wwi_model::world::World;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode_with;
use wwi_scenario::scenario::Scenario;

/// Logs of a run, of some 3 s each.
const LOGS: usize = 16;
/// Storage as in the preset, 7 % slower \[ms\].
const SLOWER: (&str, &str) = ("data_io_ms", "3.95");
const BOUND: (&str, &str) = ("cpus_allowed@dbwr", "0");

/// A value and its half-width.
#[derive(Clone, Copy, Debug)]
struct About(f64, f64);

impl About {
    fn of(values: &[f64]) -> About {
        About(mean(values), half_width(values).expect("several"))
    }
    /// Over another, both independent.
    fn over(self, other: About) -> About {
        let ratio = self.0 / other.0;
        About(ratio, ratio * (self.1 / self.0).hypot(other.1 / other.0))
    }
    fn less(self, other: About) -> About {
        About(self.0 - other.0, self.1.hypot(other.1))
    }
    /// Whether it may lie between the two, and is known well enough to say that it does not.
    fn may_be(self, least: f64, most: f64) -> bool {
        self.1 < (most - least) / 2.0 && self.0 + self.1 >= least && self.0 - self.1 <= most
    }
}

/// What happens while some logs are filled.
struct Seen {
    all: Accounts,
    /// Log by log: how long it is in use \[s\], and how long a stall ends that \[ms\].
    logs: Vec<(f64, f64)>,
    scenario: Scenario,
}

/// The preset with so many writers and these settings, from the first switch after five seconds on.
fn see(writers: &str, sets: &[(&str, &str)], logs: usize) -> Seen {
    let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    let sets: Vec<_> = [("db_writer_processes", writers)].iter().chain(sets).map(own).collect();
    let scenario = decode_with("dbwr-heavy", &sets).unwrap_or_else(|problems| panic!("{problems:?}")).scenario;
    let config = to_config(&scenario);
    let mut world = World::paced(&config, 1, &World::paces(&config, u64::MAX).0);
    let mut at_switch: Vec<(f64, Accounts)> = Vec::new();
    let mut switches = None;
    for step in 500.. {
        let now = f64::from(step) / 100.0;
        world.run(Ns::from_s(now), u64::MAX);
        let switched = Some(world.accounts.databases[0].get(Sum::Switches));
        if switches.is_some() && switched != switches {
            world.cut();
            at_switch.push((now, world.accounts.clone()));
        }
        switches = switched;
        if at_switch.len() > logs {
            break;
        }
    }
    let log = |pair: &[(f64, Accounts)]| {
        let stalled = pair[1].1.since(&pair[0].1).databases[0].get(Sum::StallTime);
        (pair[1].0 - pair[0].0, stalled as f64 / 1e6)
    };
    let all = at_switch[logs].1.since(&at_switch[0].1);
    Seen { all, logs: at_switch.windows(2).map(log).collect(), scenario }
}

/// Of the preset as it is.
fn plain(writers: usize) -> &'static Seen {
    static SEEN: [OnceLock<Seen>; 9] = [const { OnceLock::new() }; 9];
    SEEN[writers].get_or_init(|| see(&writers.to_string(), &[], LOGS))
}

impl Seen {
    fn number(&self, id: &str) -> f64 {
        self.scenario.instance_value(id, 1).as_number()
    }
    fn of(&self, sum: Sum) -> f64 {
        self.all.databases[0].get(sum) as f64
    }
    fn per_s(&self, sum: Sum) -> f64 {
        self.of(sum) / self.logs.iter().map(|log| log.0).sum::<f64>()
    }
    /// How long a log is in use \[s\].
    fn log_s(&self) -> About {
        About::of(&self.logs.iter().map(|log| log.0).collect::<Vec<_>>())
    }
    /// How long a log's stall takes \[ms\].
    fn stall_ms(&self) -> About {
        About::of(&self.logs.iter().map(|log| log.1).collect::<Vec<_>>())
    }
    /// Transactions a second: a log holds as many of them in each run.
    fn rate(&self) -> About {
        let About(log, half) = self.log_s();
        let rate = self.per_s(Sum::Commits);
        About(rate, rate * half / log)
    }
    /// Writes a second over what the storage can do beside reads and records of checkpoints.
    fn share_of_storage(&self) -> f64 {
        let requests = self.number("data_io_at_once") / self.number("data_io_ms") * 1e3;
        let others = self.per_s(Sum::Reads) / self.number("blocks_per_read") + self.per_s(Sum::Checkpoints);
        self.per_s(Sum::Writes) / (requests - others)
    }
    /// From ready to running, of the writers.
    fn writers_delay(&self) -> &Histogram {
        let group = to_config(&self.scenario).group(KindId::DBWR, 0);
        &self.all.groups[group].stays[Activity::RUN_QUEUE.i()]
    }
}

/// What decides is the storage, and one writer's wait for its CPU: with a scheduler under which that is shorter the
/// ratio of one writer to eight is another by 0.03 at the most.
#[test]
fn one_to_eight_is_nearly_the_same_under_every_scheduler() {
    let ratio = plain(1).rate().over(plain(8).rate());
    for scheduler in ["CFS", "EEVDF"] {
        let of = |writers| see(writers, &[("os_scheduler", scheduler)], LOGS).rate();
        let other = of("1").over(of("8"));
        println!("{scheduler}: {other:?} for {ratio:?}");
        assert!(other.less(ratio).may_be(-0.03, 0.03), "{scheduler}: {other:?}, not {ratio:?}");
    }
}

/// A stall stops the sessions and leaves the CPUs to the writers.
#[test]
fn eight_writers_hardly_wait_for_a_cpu() {
    let delay = plain(8).writers_delay();
    let (mean, p99) = (delay.mean() / 1e6, delay.quantile(0.99) / 1e6);
    println!("{mean} ms, {p99} ms");
    assert!(delay.count() > 10_000 && mean < 1.0 && p99 < 2.0, "{mean} ms, 99th percentile {p99} ms");
}

/// Storage that takes 7 % longer: 7 % less throughput, a stall at the end of each log, and each longer by what a log
/// lasts longer. With one writer that comes near the 403 ms that are published of eight, and there were as many stalls
/// before. Eight start from short stalls that vary by as much as they take, so that some logs of theirs end without
/// one.
#[test]
fn throughput_and_length_of_stalls_are_one_fact() {
    for (writers, number) in [("1", 1), ("8", 8)] {
        let (as_is, slower) = (plain(number), see(writers, &[SLOWER], LOGS));
        let less = as_is.rate().over(slower.rate());
        assert!(less.may_be(1.055, 1.085), "{writers}: throughput over {less:?}");
        assert_eq!(slower.of(Sum::Stalls), slower.of(Sum::Switches), "{writers}");
        let before = as_is.per_s(if number == 1 { Sum::Stalls } else { Sum::Switches });
        let stalls = slower.per_s(Sum::Stalls) / before;
        assert!((stalls - 1.0).abs() < 0.12, "{writers}: {stalls} times as many stalls");
        let About(longer_ms, half) = slower.stall_ms().less(as_is.stall_ms());
        let expected = slower.log_s().less(as_is.log_s());
        println!("{writers}: {less:?} {stalls} {:?} {longer_ms}±{half} {expected:?}", slower.stall_ms());
        let near = half.hypot(expected.1 * 1e3);
        assert!((longer_ms - expected.0 * 1e3).abs() < near, "{writers}: {longer_ms} ms, {expected:?} s");
        assert!(near < 0.3 * longer_ms, "{writers}: {longer_ms} ± {near} ms");
        let published = slower.stall_ms().may_be(350.0, 480.0);
        assert_eq!(published, writers == "1", "{writers}: {:?} ms", slower.stall_ms());
    }
}

/// Two, three and four writers do no worse than the worse of one and eight.
#[test]
fn some_writers_are_no_worse_than_one_or_eight() {
    let (one, eight) = (plain(1).rate(), plain(8).rate());
    let worse = if one.0 < eight.0 { one } else { eight };
    for writers in [2, 3, 4] {
        let some = plain(writers).rate().over(worse);
        println!("{writers}: {some:?}");
        assert!(some.may_be(1.0, 1.1), "{writers} writers: {some:?} of the worse");
        let share = plain(writers).share_of_storage();
        assert!((share - 1.0).abs() < 0.01, "{writers} writers: {share} of what the storage can");
    }
}

/// One writer has no other CPU while one that the others share serves what they need.
#[test]
fn binding_to_one_cpu_costs_one_writer_most() {
    let cost = |writers: &str, number| see(writers, &[BOUND], LOGS).rate().over(plain(number).rate());
    let (one, two, eight) = (cost("1", 1), cost("2", 2), cost("8", 8));
    println!("{one:?} {two:?} {eight:?}");
    for (writers, other) in [(2, two), (8, eight)] {
        let About(more, half) = other.less(one);
        assert!(more > half, "one: {one:?}, {writers}: {other:?}");
    }
}

/// What is changed again before it is written is written once: the more so the longer a log lasts. And logs that are
/// less often full leave time to write.
#[test]
fn larger_logs_mean_fewer_writes_and_less_stalled_time_a_commit() {
    let (small, large) = (plain(8), see("8", &[("redo_log_mb", "100")], 4));
    let each = |seen: &Seen, sum| seen.of(sum) / seen.of(Sum::Commits);
    let written = each(&large, Sum::Writes) / each(small, Sum::Writes);
    println!("{written} {} {}", each(&large, Sum::StallTime), each(small, Sum::StallTime));
    assert!(written < 0.99, "{written} times as many blocks");
    assert!(each(small, Sum::StallTime) > 0.0 && each(&large, Sum::StallTime) < each(small, Sum::StallTime));
}

/// Where the storage decides, more CPUs leave its limit where it is; faster storage ends the stalls.
#[test]
fn more_cpus_do_not_help_and_faster_storage_ends_the_stalls() {
    let many = see("8", &[("cores_per_socket", "16")], LOGS);
    let rate = many.rate().over(plain(8).rate());
    println!("{} {rate:?} {:?}", many.share_of_storage(), many.stall_ms());
    assert!((many.share_of_storage() - 1.0).abs() < 0.03, "{} of what the storage can", many.share_of_storage());
    assert!(rate.may_be(0.97, 1.03), "{rate:?} times as many transactions");
    assert!(many.stall_ms().less(plain(8).stall_ms()).0 > 0.0, "what is not used stands still");
    let fast = see("8", &[("data_io_ms", "2.5")], LOGS / 2);
    assert!(plain(8).of(Sum::Stalls) > 0.0);
    assert_eq!(fast.of(Sum::Stalls), 0.0, "stalls");
}

/// The log writer slept until load came, so under O(1) it has its bonus from the first commit on. Without it everybody
/// goes before it, and in the first second six or seven commits share a write.
#[test]
fn the_log_writer_of_o1_begins_rested() {
    let sets = [("db_writer_processes".to_owned(), "1".to_owned())];
    let scenario = decode_with("dbwr-heavy", &sets).expect("a preset").scenario;
    let config = to_config(&scenario);
    let mut world = World::paced(&config, 1, &World::paces(&config, u64::MAX).0);
    world.run(Ns::from_s(1.0), u64::MAX);
    let database = &world.accounts.databases[0];
    let shared = database.get(Sum::Commits) as f64 / database.get(Sum::LogWrites) as f64;
    assert!((1.8..2.7).contains(&shared), "{shared} commits a write");
}
