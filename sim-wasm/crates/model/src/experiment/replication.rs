//! One replication of an experiment: the world, its sums at bucket edges, and copies of all of them at some.
use crate::config::Config;
use crate::measure::accounts::Accounts;
use crate::measure::record::Recorder;
use crate::measure::rows::Rows;
use crate::world::World;
use wwi_kernel::time::Ns;

/// One replication with its history.
#[derive(Debug)]
pub struct Replication {
    /// The simulated world.
    pub world: World,
    /// Watched sums at bucket edges.
    pub rows: Rows,
    /// Copies of all sums, by bucket.
    pub(crate) copies: Vec<(usize, Accounts)>,
    /// Copies at its last two stops: a spent budget may leave no more.
    pub(crate) latest: Vec<(usize, Accounts)>,
}

impl Replication {
    pub(crate) fn new(config: &Config, number: u32, record: usize) -> Replication {
        let mut world = World::new(config, number);
        if number == 0 && record > 0 {
            world.recorder = Some(Recorder::new(record, Ns::ZERO));
        }
        Replication { world, rows: Rows::new(config), copies: Vec::new(), latest: Vec::new() }
    }

    /// Edges of which all sums were kept.
    pub fn kept_edges(&self) -> impl Iterator<Item = usize> + '_ {
        self.copies.iter().chain(&self.latest).map(|c| c.0)
    }

    /// All sums at an edge, where they were kept.
    pub fn sums_at(&self, edge: usize) -> Option<&Accounts> {
        self.copies.iter().chain(&self.latest).find(|c| c.0 == edge).map(|c| &c.1)
    }

    /// All sums between two edges of which copies were kept.
    pub fn between(&self, cut: usize, edges: usize) -> Accounts {
        let end = self.sums_at(edges).unwrap_or(&self.world.accounts);
        match self.sums_at(cut) {
            Some(start) => end.since(start),
            None => end.clone(),
        }
    }

    pub(crate) fn keeps(&self, edge: usize) -> bool {
        self.copies.iter().any(|c| c.0 == edge)
    }

    pub(crate) fn keep_latest(&mut self, edge: usize) {
        if self.latest.len() == 2 {
            self.latest.remove(0);
        }
        self.latest.push((edge, self.world.accounts.clone()));
    }

    /// Every second edge; copies at odd ones go.
    pub(crate) fn merge_pairs(&mut self) {
        self.rows.merge_pairs();
        self.latest.clear();
        self.copies.retain(|c| c.0 % 2 == 0);
        self.copies.iter_mut().for_each(|c| c.0 /= 2);
    }
}
