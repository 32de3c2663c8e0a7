//! Published listings of tkprof, for a table beside the run's own.

use serde::Serialize;

/// Call, count, CPU and elapsed time \[s\], disk, query, current, rows.
type Call = (&'static str, f64, f64, f64, f64, f64, f64, f64);
type Calls = &'static [Call];

/// What was printed of one statement in one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Listing {
    /// Preset that stands for the run …
    pub preset: &'static str,
    /// … with these values.
    #[cfg_attr(feature = "typescript", ts(type = "Array<[string, string]>"))]
    pub values: &'static [(&'static str, &'static str)],
    /// Name of the statement in reports.
    pub statement: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its calls, and at last its total, which is not quite their sum: each line is rounded.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Array<[string, number, number, number, number, number, number, number]>")
    )]
    pub calls: Calls,
    /// What it holds that the model does not.
    pub note: &'static str,
    /// Where it was printed.
    pub source: &'static str,
}

const BY_KEY: &str = "SELECT n1, v1 FROM t_small2 WHERE n1 = :b1";
const INSERTED: &str = "INSERT INTO t1 SELECT t1_seq.NEXTVAL, LPAD(:b1, 500, 'x') FROM dual";
const RECURSIVE: &str = "UPDATE seq$ SET …, highwater = :8, … WHERE obj# = :1";
const PARALLEL: &str =
    "SELECT /*+ full(tl) parallel(tl,4) */ avg(n1), max(n1), avg(n2), max(n2), max(v1) FROM t_large tl";
const COUNTED: &str = "SELECT count(*) FROM t_large2 WHERE n4 = :b1";

const PAPER: &str = "Shamsudeen 2009, Battle of the nodes: RAC performance myths";

/// All of them.
pub static LISTINGS: &[Listing] = &[
    Listing {
        preset: "small-table-index",
        values: &[("access_path", "full_scan")],
        statement: "select",
        text: BY_KEY,
        calls: &[
            ("Parse", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 100_000.0, 2.81, 3.08, 0.0, 1.0, 0.0, 0.0),
            ("Fetch", 100_000.0, 62.72, 63.71, 0.0, 3_100_000.0, 0.0, 100_000.0),
            ("total", 200_001.0, 65.54, 66.79, 0.0, 3_100_001.0, 0.0, 100_000.0),
        ],
        note: "Published: its elapsed time holds 1.25 s of tracing and waiting more than its CPU.",
        source: PAPER,
    },
    Listing {
        preset: "small-table-index",
        values: &[("access_path", "index")],
        statement: "select",
        text: BY_KEY,
        calls: &[
            ("Parse", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 100_000.0, 1.64, 1.61, 0.0, 2.0, 0.0, 0.0),
            ("Fetch", 100_000.0, 1.79, 1.78, 23.0, 300_209.0, 0.0, 100_000.0),
            ("total", 200_001.0, 3.43, 3.40, 23.0, 300_211.0, 0.0, 100_000.0),
        ],
        note: "Published: less elapsed time than CPU is the grain of its clocks; 209 gets are unexplained.",
        source: PAPER,
    },
    Listing {
        preset: "bitmap-reads",
        values: &[("access_path", "bitmap"), ("sessions@instance2", "0")],
        statement: "select",
        text: COUNTED,
        calls: &[
            ("Parse", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 100_000.0, 2.87, 2.93, 2.0, 2.0, 0.0, 0.0),
            ("Fetch", 100_000.0, 1.86, 2.03, 78.0, 200_746.0, 0.0, 100_000.0),
            ("total", 200_001.0, 4.73, 4.97, 80.0, 200_748.0, 0.0, 100_000.0),
        ],
        note: "Published: its elapsed time holds 80 first reads from disk; 746 gets are unexplained.",
        source: PAPER,
    },
    Listing {
        preset: "bitmap-reads",
        values: &[("access_path", "bitmap"), ("sessions@instance2", "1")],
        statement: "select",
        text: COUNTED,
        calls: &[
            ("Parse", 1.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 100_000.0, 2.82, 2.95, 0.0, 2.0, 0.0, 0.0),
            ("Fetch", 100_000.0, 1.90, 1.94, 3.0, 200_753.0, 0.0, 100_000.0),
            ("total", 200_001.0, 4.73, 4.90, 3.0, 200_755.0, 0.0, 100_000.0),
        ],
        note: "Published: of a session on one of two hosts; 753 gets are unexplained.",
        source: PAPER,
    },
    Listing {
        preset: "sequence-nocache",
        values: &[("sequence_cache", "0"), ("sessions@instance2", "0")],
        statement: "insert",
        text: INSERTED,
        calls: &[
            ("Parse", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 10_000.0, 5.28, 7.66, 1.0, 794.0, 25_670.0, 10_000.0),
            ("total", 10_001.0, 5.29, 7.66, 1.0, 794.0, 25_670.0, 10_000.0),
        ],
        note: "Published: its elapsed time is taken as CPU; what 2.37 s of it were is not told. Its gets are inputs.",
        source: PAPER,
    },
    Listing {
        preset: "sequence-nocache",
        values: &[("sequence_cache", "0"), ("sessions@instance2", "0")],
        statement: "seq$",
        text: RECURSIVE,
        calls: &[
            ("Parse", 10_000.0, 0.32, 0.30, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 10_000.0, 2.74, 3.04, 0.0, 10_000.0, 20_287.0, 10_000.0),
            ("total", 20_000.0, 3.06, 3.34, 0.0, 10_000.0, 20_287.0, 10_000.0),
        ],
        note: "Published: one change of the row for each value.",
        source: PAPER,
    },
    Listing {
        preset: "sequence-nocache",
        values: &[("sequence_cache", "0"), ("sessions@instance2", "1")],
        statement: "insert",
        text: INSERTED,
        calls: &[
            ("Parse", 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 10_000.0, 8.02, 81.23, 0.0, 1584.0, 27_191.0, 10_000.0),
            ("total", 10_001.0, 8.02, 81.23, 0.0, 1584.0, 27_191.0, 10_000.0),
        ],
        note:
            "Published: of one of two sessions: 62.86 s in 5,413 waits for the row cache lock, 2.93 s at most; nothing \
            accounts for 9.88 s.",
        source: PAPER,
    },
    Listing {
        preset: "px-across-nodes",
        values: &[("parallel_instances", "local"), ("executions", "1")],
        statement: "select",
        text: PARALLEL,
        calls: &[
            ("Parse", 1.0, 0.0, 0.05, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 1.0, 0.0, 30.63, 0.0, 3.0, 0.0, 0.0),
            ("Fetch", 2.0, 7.48, 60.69, 0.0, 0.0, 0.0, 1.0),
            ("total", 4.0, 7.5, 91.38, 0.0, 3.0, 0.0, 1.0),
        ],
        note:
            "Published: 30.63 s of it are the execute call, before any row: a start, or a wait for slaves; the model \
            has none.",
        source: PAPER,
    },
    Listing {
        preset: "px-across-nodes",
        values: &[("parallel_instances", "all"), ("executions", "3")],
        statement: "select",
        text: PARALLEL,
        calls: &[
            ("Parse", 3.0, 0.0, 0.02, 0.0, 0.0, 0.0, 0.0),
            ("Execute", 3.0, 0.0, 1.27, 0.0, 9.0, 0.0, 0.0),
            ("Fetch", 6.0, 69.9, 189.92, 0.0, 0.0, 0.0, 3.0),
            ("total", 12.0, 69.91, 191.22, 0.0, 9.0, 0.0, 3.0),
        ],
        note: "Published: three executions; the other listing is of one.",
        source: PAPER,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Address;
    use crate::presets;

    #[test]
    fn each_is_of_a_preset_that_knows_its_values_and_adds_up_to_what_is_printed() {
        for listing in LISTINGS {
            let preset = presets::find(listing.preset).expect("a preset");
            let (scenario, _) = preset.scenario();
            for (key, _) in listing.values {
                assert!(Address::parse(key, &scenario).is_ok(), "{key}");
            }
            let [calls @ .., total] = listing.calls else { panic!("{}: no total", listing.preset) };
            assert_eq!(total.0, "total");
            let sum = |of: fn(&Call) -> f64| calls.iter().map(of).sum::<f64>();
            // Four rounded numbers: three lines and their total.
            assert!((sum(|row| row.2) - total.2).abs() < 0.0201 && (sum(|row| row.3) - total.3).abs() < 0.0201);
            assert_eq!([sum(|row| row.1), sum(|row| row.4), sum(|row| row.5)], [total.1, total.4, total.5]);
            assert_eq!([sum(|row| row.6), sum(|row| row.7)], [total.6, total.7]);
        }
    }
}
