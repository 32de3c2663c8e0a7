//! Whatever the decoder lets through, the model runs to its end: no panic, nothing past its event budget, no broken
//! law, and figures that are numbers. `npm run fuzz:scenarios` does the same with many more, and looks at the CPU time.

mod random_scenarios;

use random_scenarios::{everyday, extreme, mutated, run, Input, Outcome};
use std::panic::catch_unwind;

/// Runs so many; at least so many of them must be valid.
fn all(count: u64, least: usize, scenario: fn(u64) -> Input) {
    let mut ran = 0;
    let mut broken = Vec::new();
    for case in 0..count {
        let input = scenario(case);
        match catch_unwind(|| run(&input, case)) {
            Ok(outcome) => ran += usize::from(outcome == Outcome::Ran),
            Err(_) => broken.push(format!("{case}: {}", input.line())),
        }
    }
    assert!(broken.is_empty(), "{} of {count} break the model:\n{}", broken.len(), broken.join("\n"));
    assert!(ran >= least, "only {ran} valid");
}

#[test]
fn every_valid_scenario_runs() {
    all(1200, 400, everyday);
}

#[test]
fn knobs_at_the_ends_of_their_ranges() {
    all(300, 150, extreme);
}

#[test]
fn what_went_wrong_is_refused_in_words_or_runs() {
    all(300, 20, mutated);
}
