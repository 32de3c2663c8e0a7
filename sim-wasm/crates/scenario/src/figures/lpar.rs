//! Hogs on an AIX partition of ten POWER7 cores with SMT4.

use super::Reading::{
    CpuWait, CpuWaitPurr, LioMillions, LioPerSession, LioThousands, PurrCores, PurrPerSession, ResponseRatio,
    TransactionsPerSession,
};
use super::Role::{ConsistencyCheck, Input, Prediction};
use super::{figure, Figure};

const HOG: &str = "Nyiri 2017, Cputoolkit on lpar: hog";
const TOOLKIT: &str = "Nyiri 2017, Cputoolkit on lpar: cputoolkit";
const WITHIN: &str =
    "conflicts with 67,650 a session from the same run: 40 of these are 2.71 M, and 2.2 M would need a core with four \
     threads to do 1.23 of one, where response times say 1.53";
const OTHER_TOOL: &str =
    "another tool and run, which agrees with itself: 40 × 57,910 are 2.316 M. Its reads an execution fall with \
     sessions, from 62.8 to 53.3 k by rate times response, which the author takes for an error of sampling; by its \
     reads a core with four threads does 1.29 of one, by its response times 1.52";

const VECTOR: &str = "follows from the nominal vector: the register is booked by it";
const ARITHMETIC: &str = "40 logical CPUs: sessions beyond them wait, whatever the model";

const ONE: &str = "lpar-smt4?sessions=1";
const TEN: &str = "lpar-smt4?sessions=10";
const TWENTY: &str = "lpar-smt4?sessions=20";
const FORTY: &str = "lpar-smt4";
const FIFTY: &str = "lpar-smt4?sessions=50";
const NOMINAL_ONE: &str = "lpar-smt4?sessions=1&core_coherence=0";
const NOMINAL_TEN: &str = "lpar-smt4?sessions=10&core_coherence=0";
const NOMINAL_FORTY: &str = "lpar-smt4?core_coherence=0";

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("lpar-one", Input, LioThousands, ONE)
        .says("one hog: 179.0 and 179.526 k", 179.5, "k LIO/s", 0.5)
        .set_from()
        .note("sets lio_us = 5.57"),
    figure("lpar-response-nominal", Prediction, ResponseRatio, NOMINAL_FORTY)
        .against(NOMINAL_ONE)
        .says("response, 40 hogs against one, nominal yields", 2.61, "×", 0.005)
        .note(HOG),
    figure("lpar-response", Input, ResponseRatio, FORTY)
        .against(ONE)
        .says("response, 40 hogs against one, κ = 0.05: 357 to 932 ms", 2.61, "×", 0.005)
        .set_from()
        .note("κ is set from this ratio"),
    figure("lpar-response-toolkit", ConsistencyCheck, ResponseRatio, FORTY)
        .against(ONE)
        .says("the same with the other tool: 0.35 to 0.92 s", 2.63, "×", 0.05)
        .measured()
        .note(TOOLKIT),
    figure("lpar-exec-one", ConsistencyCheck, TransactionsPerSession, ONE)
        .says("executions of a hog, alone", 2.8, "1/s", 0.05)
        .measured()
        .note("179.5 k divided by 64,090 logical reads an execution"),
    figure("lpar-exec-nominal", Prediction, TransactionsPerSession, NOMINAL_FORTY)
        .says("executions of a hog among 40, nominal yields", 1.07, "1/s", 0.005)
        .note(HOG),
    figure("lpar-exec", ConsistencyCheck, TransactionsPerSession, FORTY)
        .says("executions of a hog among 40, κ = 0.05", 1.07, "1/s", 0.005)
        .measured()
        .note(HOG),
    figure("lpar-lio-nominal", Prediction, LioPerSession, NOMINAL_FORTY)
        .says("logical reads of a hog among 40, nominal yields", 67.65, "k LIO/s", 0.005)
        .note(HOG),
    figure("lpar-lio", ConsistencyCheck, LioPerSession, FORTY)
        .says("logical reads of a hog among 40, κ = 0.05", 67.65, "k LIO/s", 0.005)
        .measured()
        .note(HOG),
    figure("lpar-ten", ConsistencyCheck, ResponseRatio, TEN)
        .against(ONE)
        .unsaid("response, 10 hogs against one: slightly up, no figure given", "×")
        .above(1.0)
        .note("κ was put in because of it: nominal yields alone would leave it at 1"),
    figure("lpar-loop", ConsistencyCheck, ResponseRatio, NOMINAL_TEN)
        .against(TEN)
        .unsaid("10 hogs, response of a PL/SQL loop against the query's: flatter, no figure given", "×")
        .below(1.0)
        .note("a loop reads no blocks, so κ = 0, and then ten hogs respond as one does, by definition"),
    figure("lpar-purr-1", ConsistencyCheck, PurrCores, ONE)
        .says("cores by PURR, one hog", 0.63, "cores", 0.005)
        .measured()
        .note(VECTOR),
    figure("lpar-purr-10", ConsistencyCheck, PurrPerSession, TEN)
        .says("cores by PURR for each of 10 hogs", 0.63, "cores", 0.005)
        .measured()
        .note(VECTOR),
    figure("lpar-purr-20", ConsistencyCheck, PurrCores, TWENTY)
        .unsaid("cores by PURR, 20 hogs: no figure given", "cores")
        .note("two threads of a core count 0.4375 each"),
    figure("lpar-purr-40", ConsistencyCheck, PurrCores, FORTY)
        .says("cores by PURR, 40 hogs: all ten processors", 10.0, "cores", 0.5)
        .measured()
        .note(VECTOR),
    figure("lpar-wait-40", ConsistencyCheck, CpuWait, FORTY)
        .says("CPU wait, 40 hogs on 40 logical CPUs", 0.0, "sessions", 0.5)
        .within(0.5, "half a session, as a chart shows it")
        .note(ARITHMETIC),
    figure("lpar-wait-50", ConsistencyCheck, CpuWait, FIFTY)
        .unsaid("CPU wait, 50 hogs: there is some, no figure given", "sessions")
        .above(0.0)
        .note(ARITHMETIC),
    figure("lpar-wait-wrong", ConsistencyCheck, CpuWaitPurr, TWENTY)
        .unsaid("CPU wait the wrong way, 20 hogs: ASH less CPU time by PURR", "sessions")
        .note("nobody waits: the published point is that this cannot be calculated so"),
    figure("lpar-total-hog", Prediction, LioMillions, FORTY)
        .says("all logical reads, 40 hogs", 2.2, "M LIO/s", 0.05)
        .note(WITHIN),
    figure("lpar-total-toolkit", Prediction, LioMillions, FORTY)
        .says("all logical reads, 40 sessions, the other tool", 2.3, "M LIO/s", 0.05)
        .note(OTHER_TOOL),
    figure("lpar-lio-toolkit", Prediction, LioPerSession, FORTY)
        .says("logical reads of a session among 40, the other tool", 57.91, "k LIO/s", 0.005)
        .note(OTHER_TOOL),
];
