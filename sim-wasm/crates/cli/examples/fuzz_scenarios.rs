//! Thousands of mutated scenarios and of valid extremes from a seeded generator: none may panic, break a law, give a
//! figure that is no number, or take more than half a second of CPU for its 20,000 events. The CPU time is that of the
//! thread, so what else the machine does matters little. Case numbers are the same in every run: `--from 17 --count 1`
//! does case 17 alone.

#[path = "../tests/random_scenarios/mod.rs"]
mod random_scenarios;

use clap::Parser;
use cpu_time::ThreadTime;
use random_scenarios::{everyday, extreme, mutated, run, Input, Outcome};
use std::panic::{catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// CPU time that one scenario may take.
const MOST: Duration = Duration::from_millis(500);
/// Real time after which a scenario that is still at it is named.
const LONG: Duration = Duration::from_secs(20);
/// Of the slowest, so many are named.
const NAMED: usize = 5;

/// Hands thousands of scenarios to the model.
#[derive(Parser)]
#[command(name = "fuzz:scenarios")]
struct Arguments {
    /// Which: mutated, extreme or everyday; all but everyday where nothing is said.
    #[arg(value_parser = ["mutated", "extreme", "everyday"])]
    which: Option<String>,
    /// First case.
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Cases; of extremes so many that are valid. 20,000 mutated, 10,000 extreme or everyday where nothing is said.
    #[arg(long)]
    count: Option<u64>,
}

/// A generator with its name.
struct Kind {
    name: &'static str,
    scenario: fn(u64) -> Input,
    count: u64,
    /// Only valid ones count.
    counts_valid: bool,
}

const KINDS: [Kind; 3] = [
    Kind { name: "mutated", scenario: mutated, count: 20_000, counts_valid: false },
    Kind { name: "extreme", scenario: extreme, count: 10_000, counts_valid: true },
    Kind { name: "everyday", scenario: everyday, count: 10_000, counts_valid: true },
];

#[derive(Default)]
struct Tally {
    tried: u64,
    ran: u64,
    /// What went wrong.
    faults: Vec<String>,
    /// The slowest, first.
    slowest: Vec<(Duration, String)>,
}

impl Tally {
    fn one(&mut self, kind: &Kind, case: u64) {
        let input = (kind.scenario)(case);
        let began = ThreadTime::now();
        let outcome = catch_unwind(|| run(&input, case));
        let took = began.elapsed();
        let name = format!("{} {case}: {}", kind.name, input.line());
        self.tried += 1;
        match outcome {
            Ok(outcome) => self.ran += u64::from(outcome == Outcome::Ran),
            Err(_) => self.faults.push(name.clone()),
        }
        if took > MOST {
            self.faults.push(format!("{:.2} s of CPU, {name}", took.as_secs_f64()));
        }
        self.slowest.push((took, name));
        self.slowest.sort_by_key(|slow| std::cmp::Reverse(slow.0));
        self.slowest.truncate(NAMED);
    }

    fn tell(&self, kind: &Kind) {
        println!("{}: {} tried, {} refused, {} ran", kind.name, self.tried, self.tried - self.ran, self.ran);
        for (took, name) in &self.slowest {
            println!("  {:.3} s of CPU: {}", took.as_secs_f64(), name.chars().take(300).collect::<String>());
        }
        self.faults.iter().for_each(|fault| println!("  FAULT {fault}"));
    }
}

/// Runs them all, and names on stderr whatever does not come to its end.
fn all(kind: &Kind, from: u64, count: u64) -> Tally {
    let (at, done) = (AtomicU64::new(from), AtomicU64::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let (mut seen, mut since) = (from, Instant::now());
            while done.load(Ordering::Relaxed) == 0 {
                std::thread::sleep(Duration::from_millis(200));
                let now = at.load(Ordering::Relaxed);
                if now != seen {
                    (seen, since) = (now, Instant::now());
                } else if since.elapsed() > LONG {
                    eprintln!("{} {now} goes on and on: {}", kind.name, (kind.scenario)(now).line());
                    since = Instant::now();
                }
            }
        });
        let mut tally = Tally::default();
        while if kind.counts_valid { tally.ran } else { tally.tried } < count {
            let case = from + tally.tried;
            at.store(case, Ordering::Relaxed);
            tally.one(kind, case);
        }
        done.store(1, Ordering::Relaxed);
        tally
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    set_hook(Box::new(|panic| println!("  {panic}")));
    let mut faults = 0;
    for kind in &KINDS {
        let is_asked = arguments.which.as_ref().map_or(kind.name != "everyday", |which| which == kind.name);
        if is_asked {
            let tally = all(kind, arguments.from, arguments.count.unwrap_or(kind.count));
            tally.tell(kind);
            faults += tally.faults.len();
        }
    }
    ExitCode::from(u8::from(faults > 0))
}
