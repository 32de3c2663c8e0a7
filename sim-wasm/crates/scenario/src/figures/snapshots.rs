//! Published reports of Statspack: load profiles and top timed events of whole runs, for a table beside the run's own.

use serde::Serialize;

/// Counts a second, by the name that the report gives them.
type Profile = &'static [(&'static str, f64)];
/// Event, waits, and time \[s\]; CPU time has no waits.
type Events = &'static [(&'static str, Option<f64>, f64)];

/// What was printed of one run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Snapshot {
    /// Preset that stands for the run …
    pub preset: &'static str,
    /// … with so many database writers.
    pub writers: u32,
    /// How long the run was \[s\].
    pub seconds: f64,
    /// Load profile \[1/s\]; empty where none was printed.
    #[cfg_attr(feature = "typescript", ts(type = "Array<[string, number]>"))]
    pub profile: Profile,
    /// Top timed events; empty where none were printed.
    #[cfg_attr(feature = "typescript", ts(type = "Array<[string, number | null, number]>"))]
    pub events: Events,
    /// Where it was printed.
    pub source: &'static str,
}

/// "Global Cache and Enqueue Services - Workload Characteristics" of one instance, as it was printed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct CacheSnapshot {
    /// Preset that stands for the cluster.
    pub preset: &'static str,
    /// Instance, counted from 1.
    pub instance: u32,
    /// Figure of the report, and its value in the unit of that.
    #[cfg_attr(feature = "typescript", ts(type = "Array<[string, number]>"))]
    pub figures: Profile,
    /// Where it was printed.
    pub source: &'static str,
}

const MYTH: &str = "Shamsudeen 2009, Battle of the nodes: RAC performance myths, myth 2";
const RUN: &str = "Closson 2007, Over-configuring DBWR processes, part II";

/// Of nodes 1 and 3.
pub static CACHE_SNAPSHOTS: &[CacheSnapshot] = &[
    CacheSnapshot {
        preset: "slow-redo-elsewhere",
        instance: 1,
        figures: &[
            ("gc_cr_block_receive_ms", 63.3),
            ("gc_current_block_receive_ms", 2.1),
            ("gc_cr_block_build_ms", 0.3),
            ("gc_cr_block_send_ms", 0.1),
            ("gc_cr_block_flush_percent", 4.5),
            ("gc_cr_block_flush_ms", 51.5),
            ("gc_current_block_pin_ms", 0.0),
            ("gc_current_block_send_ms", 4.8),
            ("gc_current_block_flush_percent", 0.1),
            ("gc_current_block_flush_ms", 30.0),
        ],
        source: MYTH,
    },
    CacheSnapshot {
        preset: "slow-redo-elsewhere",
        instance: 3,
        figures: &[
            ("gc_cr_block_receive_ms", 10.4),
            ("gc_current_block_receive_ms", 3.2),
            ("gc_cr_block_build_ms", 0.1),
            ("gc_cr_block_send_ms", 0.0),
            ("gc_cr_block_flush_percent", 5.0),
            ("gc_cr_block_flush_ms", 4380.0),
            ("gc_current_block_pin_ms", 0.0),
            ("gc_current_block_send_ms", 0.1),
            ("gc_current_block_flush_percent", 0.1),
            ("gc_current_block_flush_ms", 0.0),
        ],
        source: MYTH,
    },
];

/// Which of the two tables of events that were printed is of one writer follows from its 1,207,863 waits for commits,
/// 98.8 % of that run's 1,222,884 transactions. The load profile of the heavy load was printed of one writer, that of
/// the moderate load of eight.
pub static SNAPSHOTS: &[Snapshot] = &[
    Snapshot {
        preset: "dbwr-heavy",
        writers: 1,
        seconds: 900.0,
        profile: &[
            ("Redo size", 5_918_344.96),
            ("Logical reads", 125_684.76),
            ("Block changes", 33_622.21),
            ("Physical reads", 2_066.64),
            ("Physical writes", 8_483.06),
            ("User calls", 21_996.51),
            ("Transactions", 1_358.76),
        ],
        events: &[
            ("CPU time", None, 3_148.0),
            ("log file sync", Some(1_207_863.0), 2_905.0),
            ("log file switch (checkpoint incomplete)", Some(4_627.0), 828.0),
            ("db file scattered read", Some(172_724.0), 670.0),
            ("log file parallel write", Some(532_373.0), 464.0),
        ],
        source: RUN,
    },
    Snapshot {
        preset: "dbwr-heavy",
        writers: 8,
        seconds: 900.0,
        profile: &[],
        events: &[
            ("CPU time", None, 2_858.0),
            ("log file sync", Some(1_076_670.0), 2_509.0),
            ("log file switch (checkpoint incomplete)", Some(4_808.0), 1_939.0),
            ("db file scattered read", Some(173_566.0), 664.0),
            ("log file parallel write", Some(491_346.0), 419.0),
        ],
        source: RUN,
    },
    Snapshot {
        preset: "dbwr-moderate",
        writers: 8,
        seconds: 900.0,
        profile: &[
            ("Redo size", 3_222_269.99),
            ("Logical reads", 66_770.61),
            ("Block changes", 18_097.81),
            ("Physical reads", 2_342.71),
            ("Physical writes", 4_548.36),
            ("User calls", 11_795.67),
            ("Transactions", 704.99),
        ],
        events: &[],
        source: RUN,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presets;

    #[test]
    fn each_is_of_a_preset_and_adds_up() {
        for snapshot in SNAPSHOTS {
            assert!(presets::find(snapshot.preset).is_some(), "{}", snapshot.preset);
            let rate = |name| snapshot.profile.iter().find(|row| row.0 == name).map(|row| row.1);
            // What the page prints as a transaction's share is a quotient of these: 4,355.71 bytes, 92.50 reads.
            if let (Some(redo), Some(reads), Some(all)) =
                (rate("Redo size"), rate("Logical reads"), rate("Transactions"))
            {
                let (bytes, each) = if snapshot.preset == "dbwr-heavy" { (4_355.71, 92.5) } else { (4_570.66, 94.71) };
                assert!(
                    (redo / all - bytes).abs() < 0.05 && (reads / all - each).abs() < 0.005,
                    "{redo} {reads} {all}"
                );
            }
            let times: Vec<f64> = snapshot.events.iter().map(|row| row.2).collect();
            assert!(times.is_sorted_by(|one, other| one >= other), "the longest first");
        }
        let waits = SNAPSHOTS[0].events[1].1.unwrap_or_default();
        assert!((waits / (1_358.76 * 900.0) - 0.988).abs() < 5e-4);
    }
}
