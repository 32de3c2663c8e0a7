//! Seed, precision and budget.

use super::CHOICE;
use crate::knob::{Group::Run, Knob, NameScope::Run as PerRun};

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::integer("seed", PerRun, Run)
        .range(0.0, 9_007_199_254_740_991.0, 1.0)
        .default(42.0)
        .help("Root of all randomness: the same seed gives the same figures.", CHOICE),
    Knob::number("precision", PerRun, Run, "")
        .range(0.001, 0.5, 0.001)
        .log()
        .default(0.01)
        .help("Relative half-width at 95 % at which a run stops: 0.01 on the command line, 0.03 in the page.", CHOICE),
    Knob::integer("max_events", PerRun, Run)
        .range(1000.0, 2e9, 1000.0)
        .log()
        .default(20_000_000.0)
        .help("Event budget: a run that meets it stops and says so.", CHOICE),
];
