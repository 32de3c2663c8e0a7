//! A sequence without CACHE on two nodes.

use super::Reading::{RowCacheLockWait, RowCacheLockWaits, SessionElapsed};
use super::Role::{ConsistencyCheck, Input, Prediction};
use super::{figure, Figure};

const ONE: &str = "sequence-nocache?sessions@instance2=0";
const BOTH: &str = "sequence-nocache";
const TOGETHER: &str = "sequence-nocache?start_skew_s=0";
const CACHE: &str = "sequence-nocache?sequence_cache=20&start_skew_s=0";
const CACHE_100: &str = "sequence-nocache?sequence_cache=100&start_skew_s=0";
const CACHE_1000: &str = "sequence-nocache?sequence_cache=1000&start_skew_s=0";
const ORDER: &str = "sequence-nocache?sequence_cache=20&sequence_order=ORDER&start_skew_s=0";
const MESSAGES: &str = "sequence-nocache?sequence_transfers=messages&start_skew_s=0";

const LISTING: &str = "Shamsudeen 2009, Battle of the nodes, myth 4: tkprof";

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("sequence-one", Input, SessionElapsed, ONE)
        .says("10,000 inserts and changes of SEQ$ on one node, elapsed", 11.0, "s", 0.01)
        .within_share(0.005, "7.66 and 3.34 s, set as CPU of a row")
        .note(LISTING),
    figure("sequence-waits", ConsistencyCheck, RowCacheLockWaits, BOTH)
        .says("two nodes: waits of a session for the row cache lock", 5413.0, "", 0.5)
        .within(1.0, "the start of the second session is solved from it")
        .note(LISTING),
    figure("sequence-wait", Input, RowCacheLockWait, BOTH)
        .says("mean of those waits", 11.61, "ms", 0.005)
        .within_share(0.01, "the hand-over of 4.2 ms is solved from it")
        .note(LISTING),
    figure("sequence-both", Prediction, SessionElapsed, BOTH)
        .unsaid("two nodes: elapsed time of a session", "s")
        .note("the listing's 81.23 s of the insert holds no recursive statement, and 9.88 s that nothing accounts for"),
    figure("sequence-together", Prediction, SessionElapsed, TOGETHER)
        .unsaid("the same, both sessions started at once", "s")
        .note("204.7 s by arithmetic: each value takes the lock from the other node"),
    figure("sequence-cache-20", Prediction, SessionElapsed, CACHE)
        .unsaid("with CACHE 20", "s")
        .note("13.8 s by arithmetic: 500 changes of SEQ$ on each node"),
    figure("sequence-cache-100", Prediction, SessionElapsed, CACHE_100).unsaid("with CACHE 100", "s").note("8.9 s"),
    figure("sequence-cache-1000", Prediction, SessionElapsed, CACHE_1000).unsaid("with CACHE 1000", "s").note("7.8 s"),
    figure("sequence-order", Prediction, SessionElapsed, ORDER)
        .unsaid("with CACHE 20 ORDER", "s")
        .note("each value takes a hand-over, whatever CACHE is"),
    figure("sequence-messages", Prediction, SessionElapsed, MESSAGES)
        .unsaid("NOCACHE, by messages over 1 GbE instead of the times of 2009", "s")
        .note("43 s with the times seen on a later cluster (1.2, 0.53 and 0.69 ms)"),
];
