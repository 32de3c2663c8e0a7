//! One SELECT, 100,000 times: by a scan of a small table, by an index, by a bitmap.

use super::{Preset, PublishedPoint};

/// A SELECT that finds one row of 10,001, with an index and without.
pub(super) const SMALL_TABLE: Preset = Preset {
    id: "small-table-index",
    title: "An index on a small table",
    question: super::words(
        "A table of 31 blocks, all in the cache: is a full scan as good as an index, when one row is asked for?",
    ),
    note: super::words(
        "CPU times are set from tkprof listings of both. How the time of a scan divides between blocks and rows is \
        open: lio_cpu_us is free, and most of it goes to the rows whatever it is.",
    ),
    nodes: 1,
    instances: &[1],
    set: &[
        ("workload", "select"),
        ("access_path", "index"),
        ("sessions", "1"),
        ("executions", "100000"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
    ],
    compare: &[("access_path", "full_scan")],
    sweep: ("table_rows", 1.0, 20_001.0, 5000.0),
    metric: "session_cpu_s",
    family: None,
    hinge: None,
    ranges: &[
        ("table_blocks", 1.0, 1000.0),
        ("table_rows", 1.0, 100_000.0),
        ("executions", 1000.0, 100_000.0),
        ("sessions", 1.0, 64.0),
    ],
    published: super::crosses(&[
        PublishedPoint { x: 10_001.0, y: 65.54, label: "published 65.54", role: "input", unit: "s" },
        PublishedPoint { x: 10_001.0, y: 3.43, label: "published 3.43", role: "input", unit: "s" },
    ]),
    opens: None,
    variants: None,
    cost_minutes: 1.1,
};

/// Bits counted by one session, or by one on each of two hosts.
pub(super) const BITMAP: Preset = Preset {
    id: "bitmap-reads",
    title: "A bitmap index from several hosts",
    question: super::words(
        "A bitmap index that nobody changes: does reading it from two hosts at once cost more than from one?",
    ),
    note: super::words(
        "The 4.73 s of one host are set; those of two follow: after the first touch both hold the blocks \
        shared, and ask nobody any more.",
    ),
    nodes: 2,
    instances: &[1, 2],
    set: &[
        ("cluster_nodes", "2"),
        ("workload", "select"),
        ("access_path", "bitmap"),
        ("interconnect", "1GbE"),
        ("sessions", "1"),
        ("executions", "100000"),
        ("latch_hold_us", "0"),
        ("latch_share", "0"),
        ("sockets", "1"),
        ("cores_per_socket", "4"),
        ("threads_per_core", "1"),
        ("smt_yield", "1"),
    ],
    compare: &[("sessions@instance2", "0")],
    sweep: ("executions", 20_000.0, 100_000.0, 20_000.0),
    metric: "session_cpu_s",
    ranges: &[("cluster_nodes", 2.0, 16.0), ("executions", 1000.0, 100_000.0), ("sessions", 1.0, 64.0)],
    published: super::crosses(&[PublishedPoint {
        x: 100_000.0,
        y: 4.73,
        label: "published 4.73, on one host and on two",
        role: "prediction",
        unit: "s",
    }]),
    ..SMALL_TABLE
};
