//! Prints nanoseconds of CPU an event, turn by turn, of each engine under each workload, as JSON.
use cpu_time::ThreadTime;
use std::fmt::Write;
use wwi_peers::{run, ENGINES, WORKLOADS};

/// Turns of each, and events of a turn.
const TURNS: usize = 15;
const EVENTS: u64 = 400_000;

fn main() {
    let mut text = String::new();
    for (name, workload) in WORKLOADS {
        let mut runs: Vec<_> = (0..ENGINES.len()).filter_map(|engine| run(engine, workload)).collect();
        let mut found = vec![Vec::new(); runs.len()];
        for turn in 0..=TURNS {
            for (run, turns) in runs.iter_mut().zip(&mut found) {
                let started = ThreadTime::now();
                let done = run.turn(EVENTS);
                // The first turn warms up.
                if turn > 0 {
                    turns.push(started.elapsed().as_nanos() as f64 / done as f64);
                }
            }
        }
        let of: Vec<String> = ENGINES.iter().zip(&found).map(|(of, turns)| format!("{of:?}:{turns:?}")).collect();
        let comma = if text.is_empty() { "" } else { "," };
        let _ = write!(text, "{comma}{name:?}:{{{}}}", of.join(","));
    }
    println!("{{{text}}}");
}
