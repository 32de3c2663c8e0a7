//! One instance whose transactions change blocks.

use super::{Pairs, Preset, PublishedPoint, Variant, Variants};

/// Closson's host of 2007 and his load, as far as it is printed.
macro_rules! closson {
    ($($more:expr),* $(,)?) => {
        &[
            ("workload", "oltp"),
            ("sessions", "16"),
            ("session_start_spread_ms", "100"),
            ("lio_per_transaction", "92.5"),
            ("lio_us", "27.2"),
            ("client_ms", "2.06"),
            ("redo_log_mb", "19.5"),
            ("lgwr_gather_us", "100"),
            ("redo_io_ms", "0.7"),
            ("lgwr_after_us", "290"),
            ("data_io_ms", "3.69"),
            ("log_file_sync_timeout_ms", "1000"),
            ("latch_hold_us", "0"),
            ("latch_share", "0"),
            ("os_scheduler", "O1"),
            ("cores_per_socket", "8"),
            ("sockets", "1"),
            ("threads_per_core", "1"),
            ("smt_yield", "1"),
            ("switch_direct_us", "2"),
            ("switch_refill_us", "0"),
            ("migration_refill_us", "0"),
            ("socket_refill_us", "0"),
            $($more),*
        ]
    };
}

const COMPARE: Pairs = &[("db_writer_processes", "1")];

const fn both(label: &'static str, both: Pairs) -> Variant {
    Variant { label, both, b: &[] }
}

const fn eight(label: &'static str, b: Pairs) -> Variant {
    Variant { label, both: &[], b }
}

const SLOWEST: Pairs = &[("dbwr_waits_for", "all"), ("dbwr_outstanding_writes", "256"), ("dbwr_batch", "256")];

/// What was thought of, and what it would take.
const CAUSES: Variants = Variants {
    title: "Where could 8 % come from?",
    rows: &[
        both("as here", &[]),
        both("CFS", &[("os_scheduler", "CFS")]),
        both("EEVDF", &[("os_scheduler", "EEVDF")]),
        both("writers in class FIFO", &[("class@dbwr", "FIFO"), ("priority@dbwr", "50")]),
        both("writers bound to one CPU", &[("cpus_allowed@dbwr", "0")]),
        both("256 writes that wait for the slowest", SLOWEST),
        both("2 log groups", &[("redo_log_groups", "2")]),
        both("storage 7 % slower for both", &[("data_io_ms", "3.95")]),
        eight("storage 7 % slower for B alone", &[("data_io_ms", "3.95")]),
        eight("11 % slower for B alone", &[("data_io_ms", "4.1")]),
    ],
    published: &[(1.081, "by transactions a minute"), (1.122, "by commits")],
};

/// Storage decides.
pub(super) const HEAVY: Preset = Preset {
    id: "dbwr-heavy",
    title: "One writer or eight",
    question: super::words(
        "Eight cores, sixteen clients, and logs that fill every three seconds: what do eight database writers do \
        better than one?",
    ),
    note: super::words(
        "The storage of the data files and the size of the logs are set so that one writer gives the published rate, \
        number and length of stalls; what eight writers do is predicted. Their rate was not printed: it is derived \
        from transactions a minute, 62.6 to 57.9, and from the commits of both runs.",
    ),
    nodes: 1,
    instances: &[1],
    set: closson!(("db_writer_processes", "8")),
    compare: COMPARE,
    sweep: ("db_writer_processes", 1.0, 8.0, 1.0),
    metric: "throughput_transactions",
    family: None,
    hinge: None,
    ranges: &[("sessions", 1.0, 64.0), ("db_writer_processes", 1.0, 8.0), ("redo_log_mb", 10.0, 1000.0)],
    published: super::crosses(&[
        PublishedPoint { x: 1.0, y: 1358.76, label: "published 1,359", role: "input", unit: "1/s" },
        PublishedPoint { x: 8.0, y: 1256.7, label: "1,257, from 57.9 : 62.6", role: "prediction", unit: "1/s" },
        PublishedPoint { x: 8.0, y: 1211.2, label: "1,211, by commits", role: "prediction", unit: "1/s" },
    ]),
    opens: Some("redo"),
    variants: if cfg!(feature = "texts") { Some(CAUSES) } else { None },
    cost_minutes: 15.0,
};

/// The same host at half its CPU.
pub(super) const MODERATE: Preset = Preset {
    id: "dbwr-moderate",
    title: "One writer or eight, half busy",
    question: super::words(
        "The same host with clients that think between transactions, half busy: do eight writers cost anything?",
    ),
    note: super::words(
        "The think time is set so that eight writers give the 705 transactions a second that were published of them. \
        Of one writer the ratio was, 47.4 to 46.3 transactions a minute: 721.7 a second are derived.",
    ),
    set: closson!(
        ("db_writer_processes", "8"),
        ("think_time_ms", "13.8"),
        ("block_changes_per_transaction", "25.67"),
        ("redo_bytes_per_transaction", "4571"),
        ("physical_reads_per_transaction", "3.32"),
    ),
    published: super::crosses(&[
        PublishedPoint { x: 1.0, y: 721.7, label: "721.7, from 47.4 : 46.3", role: "prediction", unit: "1/s" },
        PublishedPoint { x: 8.0, y: 704.99, label: "published 705", role: "input", unit: "1/s" },
    ]),
    variants: None,
    ..HEAVY
};

/// Its class decides.
pub(super) const STARVED: Preset = Preset {
    id: "log-writer-starved",
    title: "A log writer among hogs",
    question: super::words(
        "AIX, every process at one fixed priority, and more hogs than CPUs: how long does a commit wait, and for \
        what?",
    ),
    note: super::words("Nothing here is published. Slices of one tick of 10 ms are what decides."),
    set: &[
        ("workload", "oltp"),
        ("sessions", "24"),
        ("session_start_spread_ms", "100"),
        ("demand_distribution", "exponential"),
        ("lio_per_transaction", "20"),
        ("lio_us", "25"),
        ("calls_per_transaction", "1"),
        ("physical_reads_per_transaction", "0"),
        ("hot_change_percent", "100"),
        ("block_changes_per_transaction", "4"),
        ("redo_bytes_per_transaction", "1000"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("background_processes", "16"),
        ("background_sleep_ms", "0"),
        ("os_scheduler", "AIX"),
        ("class", "FX"),
        ("priority", "60"),
        ("cores_per_socket", "8"),
        ("sockets", "1"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
    ],
    compare: &[("class@lgwr", "FIFO"), ("priority@lgwr", "39")],
    sweep: ("background_processes", 0.0, 32.0, 4.0),
    metric: "log_file_sync_ms",
    ranges: &[("sessions", 1.0, 64.0), ("background_processes", 0.0, 64.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 5.0,
    ..HEAVY
};

/// Its device decides.
pub(super) const SLOW: Preset = Preset {
    id: "slow-redo-device",
    title: "A slow redo device",
    question: super::words(
        "Commits come at random, and each write of the log takes 20 ms: how long does a commit wait?",
    ),
    note: super::words(
        "Where the log writer never rests, a commit waits for the rest of the write under way and then for its own: \
        one and a half constant writes, or two exponential ones.",
    ),
    set: &[
        ("workload", "oltp"),
        ("arrivals", "open"),
        ("arrivals_per_s", "500"),
        ("lio_per_transaction", "20"),
        ("lio_us", "10"),
        ("calls_per_transaction", "1"),
        ("physical_reads_per_transaction", "0"),
        ("hot_change_percent", "100"),
        ("block_changes_per_transaction", "4"),
        ("redo_bytes_per_transaction", "1000"),
        ("redo_io_ms", "20"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("cores_per_socket", "8"),
        ("sockets", "1"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
    ],
    compare: &[("redo_io_ms", "1")],
    sweep: ("redo_io_ms", 1.0, 41.0, 4.0),
    metric: "log_file_sync_ms",
    ranges: &[("arrivals_per_s", 10.0, 5000.0), ("redo_io_ms", 0.1, 100.0)],
    published: &[],
    opens: None,
    variants: None,
    cost_minutes: 2.0,
    ..HEAVY
};
