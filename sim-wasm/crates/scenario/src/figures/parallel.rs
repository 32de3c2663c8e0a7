//! A parallel query on one instance and on all: coordinator's CPU and elapsed time, in both readings of three
//! executions.

use super::Reading::{SessionCpu, SessionCpuRatio, SessionElapsed};
use super::Role::{Input, Prediction};
use super::{figure, Figure};

const LOCAL: &str = "px-across-nodes?parallel_instances=local";
const ALL: &str = "px-across-nodes";
const THREE: &str = "px-across-nodes?executions=3";

const LISTING: &str = "Shamsudeen 2009, Battle of the nodes: RAC performance myths, tkprof";
/// Why the ratio is missed.
const RATIO: &str =
    "nearly half of the messages cost ten times as much, which is Oracle's own ratio; 5.5 times would give 3.1. With \
    one slave beside the coordinator in place of two, which is not told, the CPU would be 52 s";

/// A total of three lines, each rounded \[s\].
const LINES: f64 = 0.015;

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("px-local-cpu", Input, SessionCpu, LOCAL)
        .says("coordinator's CPU, slaves on its instance, 1 execution", 7.50, "s", LINES)
        .within_share(0.02, "px_rows is set from it, px_message_us, px_take_row_ns and px_row_bytes are given")
        .note(LISTING),
    figure("px-local-fetch", Input, SessionElapsed, LOCAL)
        .says("the same, elapsed time of its fetches", 60.69, "s", 0.005)
        .within_share(0.02, "px_scan_row_ns is set from it")
        .note("beside it 30.63 s of execute call, before any row: not modelled"),
    figure("px-local-elapsed", Prediction, SessionElapsed, LOCAL)
        .says("the same, elapsed as printed", 91.38, "s", LINES)
        .note("holds those 30.63 s: start, or a wait for slaves"),
    figure("px-all-cpu", Prediction, SessionCpu, ALL)
        .says("coordinator's CPU, slaves on all instances, each of 3 executions", 23.30, "s", LINES / 3.0)
        .note(RATIO),
    figure("px-all-elapsed", Prediction, SessionElapsed, ALL).says("the same, elapsed", 63.74, "s", LINES / 3.0).note(
        "remote slaves pay ten times as much for a message, too, and scan less; the last granule of each is 5.9 s",
    ),
    figure("px-all-cpu-printed", Prediction, SessionCpu, THREE)
        .says("the same as printed, 3 executions", 69.91, "s", LINES)
        .note("listed beside one execution of the other"),
    figure("px-all-elapsed-printed", Prediction, SessionElapsed, THREE)
        .says("the same as printed, elapsed", 191.22, "s", LINES)
        .note("the 189 s that are told against 91 s are three executions against one"),
    figure("px-cpu-ratio", Prediction, SessionCpuRatio, ALL)
        .says("coordinator's CPU of an execution, all instances over one", 3.11, "times", 0.01)
        .against(LOCAL)
        .note(RATIO),
    figure("px-cpu-ratio-printed", Prediction, SessionCpuRatio, THREE)
        .says("the same as printed: 3 executions over 1", 9.32, "times", 0.03)
        .against(LOCAL)
        .note("not a ratio of like with like"),
];
