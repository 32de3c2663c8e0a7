//! Myths about clusters: a slow log writer on another node, and more LMS on a busy one.

use super::Reading::{CrBuildAt3, CrFlushTimeAt3, CrFlushesAt3, CrFrom3, CrReceiveAt1, ResponseRatio};
use super::Role::{ConsistencyCheck, Input, Prediction};
use super::{figure, Figure};

const STATSPACK: &str = "Shamsudeen 2009, Battle of the nodes, myth 2: Statspack of nodes 1 and 3";
const SLOW: &str = "slow-redo-elsewhere";
const CURED: &str = "slow-redo-elsewhere?gc_log_flush_ms@instance3=1";
const STARVED: &str = "starved-lms";
const MORE_LMS: &str = "starved-lms?gcs_server_processes@instance3=2";
const FAIR: &str =
    "Shamsudeen 2009, Battle of the nodes, myth 1. Reversed here: each further ordinary process gets another fair \
    share, so that beside four hogs two LMS get two thirds of a CPU and one gets 0.4 of the 0.6 that it needs; cold \
    caches and TLB, which are said to outweigh that, do not at refills of up to 1 ms";
const SOLVED: &str = "28.4 % is solved from the 63.3 ms, so that the mean shows only that this is possible";

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("gc-flush-share", Input, CrFlushesAt3, SLOW)
        .says("log flushes for CR blocks served, node 3", 5.0, "%", 0.05)
        .within_share(0.1, "drawn block by block")
        .note(STATSPACK),
    figure("gc-flush", Input, CrFlushTimeAt3, SLOW)
        .says("CR block flush time, node 3", 4380.0, "ms", 0.05)
        .set_from()
        .note(STATSPACK),
    figure("gc-build", Input, CrBuildAt3, SLOW)
        .says("CR block build time, node 3", 0.1, "ms", 0.05)
        .set_from()
        .note(STATSPACK),
    figure("gc-from-3", Input, CrFrom3, SLOW)
        .says("CR blocks of node 1 that come from node 3", 28.4, "%", 0.05)
        .within_share(0.05, "holders are drawn block by block")
        .note(SOLVED),
    figure("gc-receive", ConsistencyCheck, CrReceiveAt1, SLOW)
        .says("CR block receive time, node 1", 63.3, "ms", 0.05)
        .within(6.0, "41,000 blocks know a mean of 62 ms to 5, as 1.4 % of them take 4.4 s")
        .note(SOLVED),
    figure("gc-receive-cured", Prediction, CrReceiveAt1, CURED)
        .unsaid("the same once node 3 writes redo in a millisecond: “back to normal”", "ms")
        .below(1.0)
        .note(
            "node 3's own 10.4 ms stays unexplained: flushes of 51.5 ms on 4.5 % of the blocks of node 1 make 2.3 ms",
        ),
    figure("gc-more-lms", Prediction, ResponseRatio, MORE_LMS)
        .against(STARVED)
        .unsaid("response with two ordinary LMS on a starved node against one: worse, no figure given", "×")
        .above(1.0)
        .note(FAIR),
];
