//! One against eight database writers: eight cores, sixteen clients.

use super::Reading::{
    BlocksPerTransaction, BlocksWritten, CheckpointWait, CheckpointWaits, CommitsPerWrite, CpusBusy, LogFileSync,
    LogWriteTime, ParallelWriteSeconds, Transactions, TransactionsRatio, WriterPerBlock, WriterSeconds,
};
use super::Role::{ConsistencyCheck, Input, Prediction};
use super::{figure, Figure};

const RUN: &str = "Closson 2007, Over-configuring DBWR processes, part II";
const ONE: &str = "dbwr-heavy?db_writer_processes=1";
const EIGHT: &str = "dbwr-heavy";
const ONE_SLOWER: &str = "dbwr-heavy?db_writer_processes=1&data_io_ms=3.95";
const CALM: &str = "dbwr-moderate?db_writer_processes=1";
const CALM_EIGHT: &str = "dbwr-moderate";

const TABLES: &str = "the first of the two event tables is of one writer: 1,207,863 waits are 98.8 % of the \
    1,222,884 commits of its run, and nobody waits twice for one commit";
const STORAGE: &str = "client_ms and data_io_ms are set from rate and stall together";
const BOX_SCHEDULER: &str = "nothing in the model makes eight writers slower at equal storage";
const NET: &str = "the 184 s of eight writers hold 9 s from before the run, so that both used 175 s; at the 38.1 µs a \
    block of the heavy run they would be 156 s";
const ASLEEP: &str =
    "writers that keep the storage busy wait for it, or for a CPU after that, whenever they do not work; the \
    published ones waited for something else, or slept";
const SLOWER: &str =
    "stands beside what is published of eight: as many stalls, longer, and less throughput are one fact, \
    that storage writes less";
const PS: &str = "whole seconds of ps";

/// In the order they are printed.
pub(super) static ROWS: &[Figure] = &[
    figure("dbwr-rate", Input, Transactions, ONE)
        .says("transactions, heavy load, one writer", 1358.76, "1/s", 0.005)
        .within_share(0.02, STORAGE)
        .note(RUN),
    figure("dbwr-stall", Input, CheckpointWait, ONE)
        .says("log file switch (checkpoint incomplete), one writer", 179.0, "ms", 0.5)
        .within_share(0.15, STORAGE)
        .note(TABLES),
    figure("dbwr-stalls", Input, CheckpointWaits, ONE)
        .says("such waits in 900 s: 16 clients, 289 stalls", 4627.0, "waits", 0.5)
        .within_share(0.1, "redo_log_mb is set from it")
        .note("4,627 ÷ 289.2; each client waits once a stall"),
    figure("dbwr-writes", ConsistencyCheck, BlocksWritten, ONE)
        .says("blocks written, one writer", 8483.06, "1/s", 0.005)
        .within_share(0.03, "the storage serves what it can")
        .note(RUN),
    figure("dbwr-writes-per-transaction", Input, BlocksPerTransaction, ONE)
        .says("blocks written in a transaction, one writer", 6.24, "", 0.005)
        .within_share(0.02, "hot_change_percent is set from it")
        .note(RUN),
    figure("dbwr-cpu", ConsistencyCheck, WriterSeconds, ONE)
        .says("CPU of one writer in 900 s, heavy load", 291.0, "s", 0.5)
        .within_share(0.05, "dbwr_block_us is set from it and the rate of writes")
        .note(PS),
    figure("dbwr-batch", Input, CommitsPerWrite, ONE)
        .says("commits a log write, one writer: 1,207,863 to 532,373", 2.27, "", 0.005)
        .within_share(0.03, "lgwr_after_us is set from it")
        .note(TABLES),
    figure("dbwr-log-write", Input, LogWriteTime, ONE)
        .says("log file parallel write, one writer: 464 s for 532,373", 0.8716, "ms", 0.001)
        .within_share(0.02, "redo_io_ms is set from it: the wait has the way to a CPU in it")
        .note(TABLES),
    figure("dbwr-sync", Prediction, LogFileSync, ONE)
        .says("log file sync, one writer: 2,905 s for 1,207,863", 2.405, "ms", 0.0005)
        .note("a commit answered at the end of the log writer's cycle, on CPUs that are nearly all busy"),
    figure("dbwr-sync-eight", Prediction, LogFileSync, EIGHT)
        .says("log file sync, eight writers: 2,509 s for 1,076,670", 2.330, "ms", 0.0005)
        .note(TABLES),
    figure("dbwr-batch-eight", Prediction, CommitsPerWrite, EIGHT)
        .says("commits a log write, eight writers", 2.191, "", 0.0005)
        .note(TABLES),
    figure("dbwr-ratio", Prediction, TransactionsRatio, ONE)
        .against(EIGHT)
        .says("throughput, one writer against eight, heavy load: 62.6 to 57.9", 1.081, "×", 0.001)
        .note("the commits of the same runs say 1.122; at equal storage there is no reason for either: see redo.md"),
    figure("dbwr-stall-eight", Prediction, CheckpointWait, EIGHT)
        .says("log file switch (checkpoint incomplete), eight writers", 403.0, "ms", 0.5)
        .note(BOX_SCHEDULER),
    figure("dbwr-stalls-eight", Prediction, CheckpointWaits, EIGHT)
        .says("such waits in 900 s, eight writers", 4808.0, "waits", 0.5)
        .note(BOX_SCHEDULER),
    figure("dbwr-ratio-slower", Prediction, TransactionsRatio, ONE)
        .against(ONE_SLOWER)
        .says("throughput, one writer against one on storage 7 % slower, beside 62.6 to 57.9", 1.081, "×", 0.001)
        .note(SLOWER),
    figure("dbwr-stall-slower", Prediction, CheckpointWait, ONE_SLOWER)
        .says("log file switch (checkpoint incomplete), one writer, storage 7 % slower", 403.0, "ms", 0.5)
        .note(SLOWER),
    figure("dbwr-stalls-slower", Prediction, CheckpointWaits, ONE_SLOWER)
        .says("such waits in 900 s, one writer, storage 7 % slower", 4808.0, "waits", 0.5)
        .note(SLOWER),
    figure("dbwr-waits", Prediction, ParallelWriteSeconds, ONE)
        .unsaid("db file parallel write in 900 s, one writer: not among the top five, so below 464 s", "s")
        .below(464.0)
        .note(ASLEEP),
    figure("dbwr-waits-eight", Prediction, ParallelWriteSeconds, EIGHT)
        .unsaid("the same, eight writers: below 419 s", "s")
        .below(419.0)
        .note(ASLEEP),
    figure("dbwr-per-block-eight", Prediction, WriterPerBlock, EIGHT)
        .says("CPU for a block, eight writers: 36.3 to 37.6", 36.95, "µs", 0.65)
        .note("256 s over the writes that its rate implies, by commits and by transactions a minute"),
    figure("dbwr-calm-rate", Input, Transactions, CALM_EIGHT)
        .says("transactions, moderate load, eight writers", 704.99, "1/s", 0.005)
        .within_share(0.02, "think_time_ms is set from it")
        .note(RUN),
    figure("dbwr-calm-busy", ConsistencyCheck, CpusBusy, CALM_EIGHT)
        .tells("CPUs busy, moderate load, eight writers: about 50 % of 8", 4.0, "CPUs")
        .roughly()
        .note("client_ms is chosen with it in view"),
    figure("dbwr-calm-writes", Prediction, BlocksPerTransaction, CALM_EIGHT)
        .says("blocks written in a transaction, moderate load, eight writers", 6.45, "", 0.005)
        .note("writers that keep up write a hot block more often than writers that lag"),
    figure("dbwr-calm-cpu", Prediction, WriterSeconds, CALM)
        .says("CPU of one writer in 900 s, moderate load", 175.0, "s", 0.5)
        .note(NET),
    figure("dbwr-calm-cpu-eight", Prediction, WriterSeconds, CALM_EIGHT)
        .says("CPU of eight writers in 900 s, moderate load, less 9 s from before", 175.0, "s", 4.0)
        .note(NET),
    figure("dbwr-calm-ratio", Prediction, TransactionsRatio, CALM)
        .against(CALM_EIGHT)
        .says("throughput, one writer against eight, moderate load: 47.4 to 46.3", 1.024, "×", 0.001)
        .note("clients that think hide what little there is"),
];
