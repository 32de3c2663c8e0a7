//! How fast the instances of a start run before it begins, as short runs say: how far writers are behind and who holds
//! which block hangs on it.
use super::{Experiment, REPLICATIONS};
use crate::world::World;

/// Of the budget, this part at most is spent on a pilot for all starts, and this part on those of the first starts.
const PILOT: u64 = 8;

impl Experiment {
    /// Transactions a nanosecond of each instance of a start; none where sessions end, for then all begins anew. Takes
    /// the events of the pilots from what is left.
    pub(super) fn find_paces(&mut self, number: u32, left: &mut u64) -> Vec<f64> {
        if self.ends {
            return Vec::new();
        }
        let most = self.goal.max_events / PILOT;
        let before = self.spent;
        if number == 0 {
            let (paces, events) = World::paces(&self.config, most);
            self.paces = paces;
            self.spent += events;
        }
        let (paces, events) = World::paces_of(&self.config, number, &self.paces, most / REPLICATIONS as u64);
        self.spent += events;
        *left = left.saturating_sub(self.spent - before);
        paces
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::experiment::{Figures, Goal};
    use crate::testing::{cluster, lms, member, node};
    use wwi_kernel::time::Ns;

    /// Two starts of a closed cluster of two nodes, whose sessions read and change so many shared blocks: their paces
    /// and what they took of a million events.
    fn found(reads: f64, changes: f64) -> (Vec<Vec<f64>>, u64) {
        let of = |node| member(node, 8, Ns::from_ms(20.0), lms(reads, changes));
        let cluster = Some(cluster(10_000));
        let config = Config { nodes: vec![node(); 2], instances: vec![of(0), of(1)], cluster, seed: 1 };
        let figures = Figures::ThroughputOnly;
        let goal = Goal { precision: 0.1, max_events: 10_000_000, record: 0, figures, coarse: false };
        let (mut experiment, mut left) = (Experiment::new(&config, goal), 1_000_000);
        let paces = (0..2).map(|number| experiment.find_paces(number, &mut left)).collect();
        assert_eq!(experiment.spent, 1_000_000 - left);
        (paces, experiment.spent)
    }

    #[test]
    fn each_start_of_a_cluster_that_shares_blocks_looks_for_itself() {
        let (own, spent) = found(4.0, 1.0);
        assert!(own[0].iter().all(|&pace| pace > 0.0) && own[0] != own[1], "{own:?}");
        let (alike, less) = found(0.0, 0.0);
        assert!(alike[0] == alike[1] && less > 0 && spent > 2 * less, "{alike:?}, {less} and {spent} events");
    }
}
