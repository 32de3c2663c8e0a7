//! How a SELECT finds its rows, and what that costs.

use super::conditions::{BLOCKS_COUNT, INDEXED, SCANS, SELECTS};
use super::{CHOICE, ESTIMATE};
use crate::knob::{Case, Group::Access, Knob, NameScope::Instance as PerInstance};
use crate::when::When::Is;

const LISTINGS: &str = "tkprof listings of 100,000 executions: Shamsudeen 2009, Battle of the nodes: RAC performance \
    myths";

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice("access_path", PerInstance, Access, &["full_scan", "index", "bitmap"])
        .said("{} access")
        .acts(SELECTS)
        .front()
        .help(
            "full_scan: every block and row of the table. index: root to leaf, then one block of the table for one \
            row. bitmap: root to leaf of a bitmap index, whose bits are counted.",
            CHOICE,
        ),
    Knob::integer("table_blocks", PerInstance, Access)
        .said("{} block|{} blocks")
        .acts(BLOCKS_COUNT)
        .front()
        .range(1.0, 100_000.0, 1.0)
        .log()
        .default(31.0)
        .calibrated()
        .help("Blocks of the table, all of which a full scan gets, and one an access by index.", LISTINGS),
    Knob::integer("table_rows", PerInstance, Access)
        .said("{} row|{} rows")
        .acts(SCANS)
        .front()
        .range(1.0, 10_000_000.0, 100.0)
        .log()
        .default(10_001.0)
        .calibrated()
        .help("Rows of the table, each examined by a full scan.", LISTINGS),
    Knob::integer("index_gets", PerInstance, Access)
        .acts(INDEXED)
        .range(1.0, 6.0, 1.0)
        .default(2.0)
        .calibrated()
        .help("Blocks of the index from its root to the leaf.", LISTINGS),
    Knob::number("execute_us", PerInstance, Access, "µs")
        .acts(SELECTS)
        .range(0.0, 10_000.0, 0.1)
        .default_cases(
            &[
                Case { when: Is("access_path", &["index"]), value: "16.4" },
                Case { when: Is("access_path", &["bitmap"]), value: "28.7" },
            ],
            "28.1",
        )
        .calibrated()
        .help("CPU time of the execute call.", LISTINGS),
    Knob::number("fetch_us", PerInstance, Access, "µs")
        .acts(SELECTS)
        .range(0.0, 10_000.0, 0.1)
        .default_cases(&[Case { when: Is("access_path", &["bitmap"]), value: "12.6" }], "8.9")
        .calibrated()
        .help(
            "a: CPU time of the fetch call besides its gets and rows. 17.9 − 3b of the index, 18.6 − 2b of the \
            bitmap, for b = lio_cpu_us = 3.",
            LISTINGS,
        ),
    Knob::number("lio_cpu_us", PerInstance, Access, "µs")
        .acts(SELECTS)
        .range(0.1, 100.0, 0.1)
        .log()
        .default(3.0)
        .free()
        .help(
            "b: CPU time of a get. The listings leave it open: with 1, 2, 3, 4 µs they ask for fetch_us 14.9, 11.9, \
            8.9, 5.9 and row_cpu_ns 58.1, 55.3, 52.5, 49.7.",
            ESTIMATE,
        ),
    Knob::number("row_cpu_ns", PerInstance, Access, "ns")
        .acts(SCANS)
        .range(0.0, 10_000.0, 0.1)
        .default(52.525)
        .calibrated()
        .help("c: CPU time of a row that a scan examines; (627.2 − 8.9 − 31 × 3) µs ÷ 10,001.", LISTINGS),
    Knob::number("caller_us", PerInstance, Access, "µs").acts(SELECTS).range(0.0, 10_000.0, 0.1).free().help(
        "CPU time of the block of PL/SQL that calls, for each execution: no part of the statement's listing.",
        ESTIMATE,
    ),
];
