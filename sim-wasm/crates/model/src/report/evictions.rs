//! Instances that left their cluster while it was simulated.
use crate::cluster::css::{Css, Reason};
use crate::config::Config;
use crate::experiment::replication::Replication;

/// An instance that left.
#[derive(Clone, Debug, PartialEq)]
pub struct EvictionRow {
    /// In which replication, counted from 1.
    pub replication: u32,
    /// When, from the start of that, warm-up included \[s\].
    pub at_s: f64,
    /// Which, counted from 1.
    pub instance: u32,
    /// Its host, counted from 1.
    pub node: u32,
    /// Why: `misscount` or `lms hung`.
    pub reason: &'static str,
}

/// All of them, by replication and moment.
pub(crate) fn evictions(config: &Config, all: &[Replication]) -> Vec<EvictionRow> {
    let of = |(number, replication): (usize, &Replication)| {
        let css = replication.world.cluster.as_ref().and_then(|cluster| cluster.css.as_ref());
        let rows = css.map_or(&[][..], |css: &Css| &css.evictions).iter().map(|gone| EvictionRow {
            replication: number as u32 + 1,
            at_s: gone.at.as_s(),
            instance: u32::from(gone.member) + 1,
            node: config.instances[usize::from(gone.member)].node as u32 + 1,
            reason: match gone.reason {
                Reason::Misscount => "misscount",
                Reason::Hung => "lms hung",
            },
        });
        rows.collect::<Vec<_>>()
    };
    all.iter().enumerate().flat_map(of).collect()
}
