//! Transactions that change blocks: redo, database writers, storage.

use super::conditions::{
    CALLED, CLOSED, CONTENDED, DATA_SLOW, LOGGED, LOOPS, OLTP, POLLS, POSTS_AT_COMMIT, QUERIES, READS, REDO_APART,
    WAITS_FOR_COMMIT,
};
use super::{CHOICE, ESTIMATE};
use crate::knob::{
    Group::{Redo, Storage, Workload, Writers},
    Knob,
    NameScope::Instance as PerInstance,
};
use crate::when::When::{Above, All};

const DBWR_RUN: &str = "Closson 2007, Over-configuring DBWR processes, part II";
const DBWR_SET: &str = "Set so that the run with one writer comes out: Closson 2007, part II, Statspack and Top 5";
const SYNC: &str = "Hidden parameters with defaults, 11.2: _log_file_sync_timeout";
const ADAPTIVE: &str =
    "Yours to choose; _use_adaptive_log_file_sync and its defaults: Pythian 2012-10-19, Adaptive Log File Sync";

/// Rows of these groups.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice("workload", PerInstance, Workload, &["logical_reads", "oltp", "select", "parallel_query"])
        .front()
        .help(
            "logical_reads: a transaction is CPU time alone. select: it is one execution of a SELECT by a block of \
            PL/SQL, found as access_path says. parallel_query: one that slaves execute for the session. oltp: it \
            comes in calls, reads and changes blocks, makes redo and commits; with log writer, database writers, \
            checkpoint process and storage.",
            CHOICE,
        ),
    Knob::integer("calls_per_transaction", PerInstance, Workload)
        .acts(OLTP)
        .range(1.0, 1000.0, 1.0)
        .log()
        .default(16.0)
        .help("Calls of a user's program to its server process in a transaction; the last commits.", DBWR_RUN),
    Knob::integer("commits_per_call", PerInstance, Workload)
        .acts(LOOPS)
        .range(1.0, 100_000.0, 1.0)
        .log()
        .default(1.0)
        .help(
        "Transactions of one call, one after another, as of a loop in PL/SQL: only the last commit waits, the others \
            post the log writer and go on.",
        CHOICE,
    ),
    Knob::number("client_ms", PerInstance, Workload, "ms").acts(All(&[CALLED, CLOSED])).range(0.0, 1000.0, 0.1).help(
        "CPU time of a user's program on the database's host in a transaction. 0: there is none, and the server \
            process needs nobody's call, as in sessions that end.",
        CHOICE,
    ),
    Knob::number("block_changes_per_transaction", PerInstance, Workload, "")
        .acts(OLTP)
        .range(0.0, 10_000.0, 1.0)
        .default(24.74)
        .calibrated()
        .help("Changes of blocks in a transaction.", DBWR_RUN),
    Knob::integer("contended_blocks", PerInstance, Workload)
        .acts(LOGGED)
        .range(0.0, 1000.0, 1.0)
        .free()
        .said("{} contended block|{} contended blocks")
        .help(
            "Blocks that all transactions of the instance change, one session at a time (buffer busy waits): 1 for an \
            index on values that rise, more where hash partitions or free lists spread it. 0: none, as where \
            transactions make no redo. Where all work takes as long two sessions may keep step and leave the others \
            none: demand_distribution=exponential.",
            CHOICE,
        ),
    Knob::number("contended_changes_per_transaction", PerInstance, Workload, "")
        .acts(CONTENDED)
        .range(0.0, 1000.0, 0.5)
        .default(1.0)
        .free()
        .help("Changes of these blocks in a transaction, besides its other changes.", ESTIMATE),
    Knob::number("block_pin_us", PerInstance, Workload, "µs")
        .acts(CONTENDED)
        .range(0.0, 10_000.0, 1.0)
        .default(10.0)
        .free()
        .help("CPU of a session that has one of these blocks pinned.", ESTIMATE),
    Knob::number("physical_reads_per_transaction", PerInstance, Workload, "")
        .acts(OLTP)
        .range(0.0, 10_000.0, 0.1)
        .default(1.52)
        .calibrated()
        .help("Blocks read from disk in a transaction.", DBWR_RUN),
    Knob::integer("blocks_per_read", PerInstance, Workload)
        .acts(READS)
        .range(1.0, 128.0, 1.0)
        .default(11.0)
        .calibrated()
        .help("Blocks in one read: 1 is db file sequential read, more db file scattered read.", DBWR_RUN),
    Knob::number("query_percent", PerInstance, Workload, "%").acts(OLTP).range(0.0, 100.0, 1.0).help(
        "Share of the transactions that are queries: they read alone, make no redo and wait for no commit.",
        CHOICE,
    ),
    Knob::number("lio_per_query", PerInstance, Workload, "")
        .acts(QUERIES)
        .range(1.0, 1e9, 1000.0)
        .log()
        .default(100.0)
        .free()
        .help("Logical reads in a query, in place of lio_per_transaction.", ESTIMATE),
    Knob::number("physical_reads_per_query", PerInstance, Workload, "")
        .acts(QUERIES)
        .range(0.0, 10_000.0, 0.1)
        .free()
        .help("Blocks read from disk in a query, in place of physical_reads_per_transaction.", ESTIMATE),
    Knob::number("redo_bytes_per_transaction", PerInstance, Redo, "B")
        .acts(OLTP)
        .range(0.0, 100_000_000.0, 100.0)
        .default(4356.0)
        .calibrated()
        .help(
            "Redo of a transaction, spread evenly over its calls; contended and shared changes make as much each as \
                the others do, and on top. 0: nothing to commit.",
            DBWR_RUN,
        ),
    Knob::choice("commit_wait", PerInstance, Redo, &["wait", "nowait"])
        .acts(OLTP)
        .help("Whether a commit waits until its redo is on disk.", "Oracle Database Reference 19c, COMMIT_WAIT"),
    Knob::choice("commit_logging", PerInstance, Redo, &["immediate", "batch"]).acts(POSTS_AT_COMMIT).help(
        "Whether a commit that does not wait posts the log writer, or leaves its redo to the next write.",
        "Oracle Database Reference 19c, COMMIT_LOGGING",
    ),
    Knob::choice("log_file_sync", PerInstance, Redo, &["post_wait", "polling", "adaptive"])
        .acts(WAITS_FOR_COMMIT)
        .help(
            "How commits are answered: by posts one after another, by looking, or changing between the two. Oracle's \
            own default is adaptive from 11.2.0.3 on, post_wait before. Here post_wait is: when adaptive changes hangs \
            on how log writes vary and on what came before, and of when it changes back a part is known.",
            ADAPTIVE,
        ),
    Knob::number("log_file_sync_timeout_ms", PerInstance, Redo, "ms")
        .acts(WAITS_FOR_COMMIT)
        .range(1.0, 10_000.0, 10.0)
        .log()
        .default(100.0)
        .help(
            "A session that waits for a post looks itself after this. Below 1,000 its wait stays one, as from 11g on; \
            from there on, as in 10g, each time-out ends one and another begins.",
            SYNC,
        ),
    Knob::number("log_file_sync_min_sleep_us", PerInstance, Redo, "µs")
        .acts(POLLS)
        .range(0.0, 100_000.0, 10.0)
        .free()
        .help(
            "Least sleep of a session that looks by itself. Traces of log writers tell 1,069, and 19,134 where timers \
            tick every 10 ms. 0: timers end a sleep when they should, and by timer_slack_us later. On Solaris never \
            below 10,000, a clock tick.",
            ESTIMATE,
        ),
    Knob::integer("redo_log_groups", PerInstance, Redo).acts(OLTP).range(2.0, 255.0, 1.0).default(3.0).help(
        "Groups of online redo log, written in turn.",
        "Oracle Database SQL Language Reference, CREATE DATABASE: at least two groups, at most 255",
    ),
    Knob::number("redo_log_mb", PerInstance, Redo, "MB")
        .front()
        .acts(OLTP)
        .range(1.0, 100_000.0, 1.0)
        .log()
        .default(1024.0)
        .help("Size of each log, in millions of bytes.", CHOICE),
    Knob::choice("redo_block_bytes", PerInstance, Redo, &["512", "1024", "4096"]).acts(OLTP).help(
        "Size of a block of the redo log, 16 of it a header. Each write begins with a new block.",
        "Oracle Database SQL Language Reference, file_specification: BLOCKSIZE; Ixora, Redo Wastage",
    ),
    Knob::integer("log_switch_writes", PerInstance, Redo)
        .acts(OLTP)
        .range(1.0, 1000.0, 1.0)
        .default(8.0)
        .free()
        .help("Writes one after another of a switch of logs: to the control file and the headers of logs.", ESTIMATE),
    Knob::integer("redo_log_members", PerInstance, Redo).acts(OLTP).range(1.0, 5.0, 1.0).default(1.0).help(
        "Members of a group, each on a device of its own, all written each time.",
        "Oracle Database SQL Language Reference, CREATE DATABASE, MAXLOGMEMBERS: at most 5",
    ),
    Knob::choice("redo_log_writes", PerInstance, Redo, &["parallel", "serial"])
        .acts(All(&[OLTP, Above("redo_log_members", 1.0)]))
        .help("Members are written all at once, or one after another.", CHOICE),
    Knob::number("log_buffer_mb", PerInstance, Redo, "MB")
        .acts(OLTP)
        .range(0.1, 1024.0, 1.0)
        .log()
        .default(10.0)
        .free()
        .help("Log buffer, in millions of bytes.", ESTIMATE),
    Knob::number("lgwr_gather_us", PerInstance, Redo, "µs")
        .acts(OLTP)
        .range(0.0, 10_000.0, 1.0)
        .default(30.0)
        .free()
        .help("CPU time of the log writer before each write.", ESTIMATE),
    Knob::number("lgwr_gather_us_per_kb", PerInstance, Redo, "µs")
        .acts(OLTP)
        .range(0.0, 1000.0, 0.1)
        .default(0.1)
        .free()
        .help("And for each 1,024 bytes of it.", ESTIMATE),
    Knob::number("lgwr_after_us", PerInstance, Redo, "µs")
        .acts(OLTP)
        .range(0.0, 10_000.0, 1.0)
        .default(30.0)
        .free()
        .help(
            "CPU time of the log writer after each write, before it posts.",
            "Estimate: this, lgwr_gather_us and a write took 161 µs together in a loop of commits (asktom)",
        ),
    Knob::number("lgwr_post_us", PerInstance, Redo, "µs")
        .acts(OLTP)
        .range(0.0, 10_000.0, 1.0)
        .default(15.0)
        .free()
        .help(
            "CPU time of the log writer for each process that it posts. A 19.9 host that went from polling to posting \
        at 10,286 commits/s, whose log file sync went from 250 to 500 µs (krotovks.com, 2023-02-21), is one of \
        about 60.",
            "Estimate within the 5 to 20 µs of Closson 2007-02-21 on oracle-l",
        ),
    Knob::number("lgwr_call_us", PerInstance, Redo, "µs").acts(OLTP).range(0.0, 10_000.0, 1.0).free().help(
        "CPU time of a session each time that it posts the log writer: where that sleeps, or was asked for nothing \
            since it gathered. 0: it is in the CPU time of the transaction, as in what is measured of one. A post \
            takes 5 to 20.",
        "Estimate within the 5 to 20 µs of Closson 2007-02-21 on oracle-l",
    ),
    Knob::integer("db_writer_processes", PerInstance, Writers)
        .said("{} writer|{} writers")
        .front()
        .acts(OLTP)
        .range(1.0, 100.0, 1.0)
        .default_linear("cpu_count", 0.125, 0.0, 1.0)
        .help(
            "Database writers, up to 11.2 36 at most. The working sets are dealt out to them in turn; there are no \
                more writers than sets.",
            "Oracle Database Reference 19c, DB_WRITER_PROCESSES",
        ),
    Knob::number("dbwr_block_us", PerInstance, Writers, "µs")
        .acts(OLTP)
        .range(0.1, 10_000.0, 1.0)
        .default(37.5)
        .calibrated()
        .help(
            "CPU time of a database writer for each block that it writes.",
            "291 CPU s for 8,483 blocks/s in 900 s are 38.1 µs with switching: Closson 2007, part II",
        ),
    Knob::number("dbwr_batch_us", PerInstance, Writers, "µs")
        .acts(OLTP)
        .range(0.0, 10_000.0, 1.0)
        .free()
        .help("And for each batch.", "Estimate: no measurement tells it from the cost of blocks"),
    Knob::integer("dbwr_batch", PerInstance, Writers)
        .acts(OLTP)
        .unit("blocks")
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(256.0)
        .free()
        .help("Blocks of a batch at most.", ESTIMATE),
    Knob::integer("dbwr_outstanding_writes", PerInstance, Writers)
        .acts(OLTP)
        .unit("writes")
        .range(1.0, 100_000.0, 1.0)
        .log()
        .default_linear("data_io_at_once", 2.0, 6.0, 0.0)
        .free()
        .help(
            "Writes under way at most, all writers together; each has one at the least.",
            "Estimate: about twice as many as the storage serves at once",
        ),
    Knob::choice("dbwr_waits_for", PerInstance, Writers, &["first", "all"])
        .acts(OLTP)
        .help("A writer goes on when the first of its writes is done, or when all of its batch are.", ESTIMATE),
    Knob::number("db_cache_mb", PerInstance, Writers, "MB")
        .acts(OLTP)
        .range(1.0, 4096.0, 64.0)
        .log()
        .default(1024.0)
        .free()
        .help("Buffer cache, in units of 1,024 × 1,024 bytes, with blocks of 8 KB.", ESTIMATE),
    Knob::integer("cache_sets", PerInstance, Writers)
        .acts(OLTP)
        .range(1.0, 64.0, 1.0)
        .default_linear("db_writer_processes", 1.0, 0.0, 8.0)
        .help(
            "Working sets of the buffer cache.",
            "Hidden parameters with defaults, 11.2, on a small host: _db_block_lru_latches",
        ),
    Knob::integer("hot_buffers", PerInstance, Writers)
        .acts(OLTP)
        .range(0.0, 500_000.0, 100.0)
        .default(8000.0)
        .free()
        .help("Buffers that are changed again and again.", DBWR_SET),
    Knob::number("hot_change_percent", PerInstance, Writers, "%")
        .acts(All(&[OLTP, Above("hot_buffers", 0.0)]))
        .range(0.0, 100.0, 1.0)
        .default(78.4)
        .calibrated()
        .help(
            "Share of the changes that falls on them. Each of the others falls on a block that was clean.",
            "Set to 6.24 blocks written in a transaction: Closson 2007, part II",
        ),
    Knob::choice("changes_wait_for_writes", PerInstance, Writers, &["no", "yes"])
        .acts(OLTP)
        .help("Who changes a buffer that is being written waits until that is done (write complete waits).", ESTIMATE),
    Knob::number("fast_start_mttr_target", PerInstance, Writers, "s").acts(OLTP).range(0.0, 3600.0, 1.0).help(
        "Recovery may take so long; dirty blocks are written in time for that. 0: no limit.",
        "Oracle Database Reference 19c, FAST_START_MTTR_TARGET",
    ),
    Knob::number("recovery_mb_per_s", PerInstance, Writers, "MB/s")
        .acts(All(&[OLTP, Above("fast_start_mttr_target", 0.0)]))
        .range(0.1, 10_000.0, 1.0)
        .log()
        .default(10.0)
        .free()
        .help("Redo that recovery applies in a second.", ESTIMATE),
    Knob::number("log_checkpoint_timeout", PerInstance, Writers, "s").acts(OLTP).range(0.0, 100_000.0, 60.0).help(
        "No change is missing on disk for longer than about this. 0: no limit; Oracle's own default is 1800.",
        "Oracle Database Reference 19c, LOG_CHECKPOINT_TIMEOUT",
    ),
    Knob::number("ckpt_us", PerInstance, Writers, "µs")
        .acts(OLTP)
        .range(0.1, 100_000.0, 1.0)
        .default(50.0)
        .free()
        .help("CPU time of the checkpoint process each time that it looks.", ESTIMATE),
    Knob::integer("data_io_at_once", PerInstance, Storage)
        .acts(OLTP)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(33.0)
        .calibrated()
        .help("Requests that the storage of the data files serves at once.", DBWR_SET),
    Knob::number("data_io_ms", PerInstance, Storage, "ms")
        .front()
        .acts(OLTP)
        .range(0.001, 10_000.0, 0.1)
        .log()
        .default(3.7)
        .calibrated()
        .help("Mean time of each.", DBWR_SET),
    Knob::choice("data_io_distribution", PerInstance, Storage, &["exponential", "constant", "hyperexponential"])
        .acts(OLTP)
        .help("How it varies around its mean.", CHOICE),
    Knob::number("data_slow_percent", PerInstance, Storage, "%")
        .acts(OLTP)
        .range(0.0, 100.0, 1.0)
        .help("Share of the requests that take longer, as over a faulty path.", CHOICE),
    Knob::number("data_slow_times", PerInstance, Storage, "")
        .acts(DATA_SLOW)
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(10.0)
        .help("How many times as long.", CHOICE),
    Knob::choice("disk_asynch_io", PerInstance, Storage, &["yes", "no"]).acts(OLTP).help(
        "Whether a process can have several requests under way at once.",
        "Oracle Database Reference 19c, DISK_ASYNCH_IO",
    ),
    Knob::choice("redo_storage", PerInstance, Storage, &["own", "shared"])
        .acts(OLTP)
        .help("Whether the logs have devices of their own, or are on that of the data files.", CHOICE),
    Knob::number("redo_io_ms", PerInstance, Storage, "ms")
        .front()
        .acts(REDO_APART)
        .range(0.001, 60_000.0, 0.1)
        .log()
        .default(0.87)
        .calibrated()
        .help("Mean time of a write to a log.", "464 s for 532,373 log file parallel writes: Closson 2007, part II"),
    Knob::number("redo_io_mb_per_s", PerInstance, Storage, "MB/s")
        .acts(OLTP)
        .range(0.0, 100_000.0, 10.0)
        .free()
        .help("A write to a log takes longer by its blocks ÷ this. 0: as long whatever its size.", ESTIMATE),
    Knob::choice("redo_io_distribution", PerInstance, Storage, &["exponential", "constant", "hyperexponential"])
        .acts(REDO_APART)
        .help("How it varies around its mean.", CHOICE),
    Knob::number("redo_slow_percent", PerInstance, Storage, "%")
        .acts(REDO_APART)
        .range(0.0, 100.0, 1.0)
        .help("Share of the writes to logs that take longer, as over a faulty path.", CHOICE),
    Knob::number("redo_slow_times", PerInstance, Storage, "")
        .acts(All(&[REDO_APART, Above("redo_slow_percent", 0.0)]))
        .range(1.0, 10_000.0, 1.0)
        .log()
        .default(10.0)
        .help("How many times as long.", CHOICE),
];
