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
    /// Its calls.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "Array<[string, number, number, number, number, number, number, number]>")
    )]
    pub calls: Calls,
    /// What it holds that the model does not.
    pub note: &'static str,
}

const BY_KEY: &str = "SELECT n1, v1 FROM t_small2 WHERE n1 = :b1";
const COUNTED: &str = "SELECT count(*) FROM t_large2 WHERE n4 = :b1";

/// R. Shamsudeen, Battle of the Nodes: RAC performance myths, RMOUG 2009.
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
        ],
        note: "Its elapsed time holds 1.25 s of tracing and waiting more than its CPU.",
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
        ],
        note: "Less elapsed time than CPU is the grain of its clocks; 209 gets are unexplained.",
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
        ],
        note: "Its elapsed time holds 80 first reads from disk; 746 gets are unexplained.",
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
        ],
        note: "Of a session on one of two hosts; 753 gets are unexplained.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Address;
    use crate::presets;

    #[test]
    fn each_is_of_a_preset_that_knows_its_values_and_adds_up_to_what_is_printed() {
        // CPU, elapsed time and gets of the total line of each, as printed.
        let totals =
            [(65.54, 66.79, 3_100_001.0), (3.43, 3.40, 300_211.0), (4.73, 4.97, 200_748.0), (4.73, 4.90, 200_755.0)];
        for (listing, (cpu, elapsed, gets)) in LISTINGS.iter().zip(totals) {
            let preset = presets::find(listing.preset).expect("a preset");
            let (scenario, _) = preset.scenario();
            for (key, _) in listing.values {
                assert!(Address::parse(key, &scenario).is_ok(), "{key}");
            }
            let sum = |of: fn(&Call) -> f64| listing.calls.iter().map(of).sum::<f64>();
            // Rounded line by line.
            assert!((sum(|row| row.2) - cpu).abs() < 0.015 && (sum(|row| row.3) - elapsed).abs() < 0.015);
            assert_eq!(sum(|row| row.5), gets);
        }
        assert_eq!(LISTINGS.len(), totals.len());
    }
}
