//! How fast the instances of a start run before it begins, as short runs say: how far writers are behind and who holds
//! which block hangs on it.
use super::{Experiment, REPLICATIONS};
use crate::world::databases::Pace;
use crate::world::World;

/// Of the budget, this part at most is spent on a pilot for all starts, and this part on those of the first starts.
const PILOT: u64 = 8;

impl Experiment {
    /// Transactions a nanosecond of each instance of a start; none where sessions end, for then all begins anew. Takes
    /// the events of the pilots from what is left.
    pub(super) fn find_paces(&mut self, number: u32, left: &mut u64) -> Vec<Pace> {
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
    use crate::config::database::{
        CacheConfig, CheckpointConfig, DatabaseConfig, LogConfig, TransactionConfig, WriterConfig,
    };
    use crate::config::{Arrivals, Config};
    use crate::experiment::{Figures, Goal};
    use crate::meet::device::Shape;
    use crate::testing::{cluster, database, device, lms, member, node, oltp, one};
    use crate::world::databases::passed_round;
    use wwi_kernel::time::Ns;

    fn pace(commits: f64) -> Pace {
        Pace { commits, redo: 0.0 }
    }

    /// Paces of two starts, and the events that finding them took of a million.
    fn found(config: &Config) -> (Vec<Vec<Pace>>, u64) {
        let figures = Figures::ThroughputOnly;
        let goal = Goal { precision: 0.1, max_events: 10_000_000, record: 0, figures, coarse: false };
        let (mut experiment, mut left) = (Experiment::new(config, goal), 1_000_000);
        let paces = (0..2).map(|number| experiment.find_paces(number, &mut left)).collect();
        assert_eq!(experiment.spent, 1_000_000 - left);
        (paces, experiment.spent)
    }

    /// A closed cluster of two nodes, whose sessions read and change so many shared blocks.
    fn joined(reads: f64, changes: f64) -> Config {
        let of = |node| member(node, 8, Ns::from_ms(20.0), lms(reads, changes));
        let cluster = Some(cluster(10_000));
        Config { nodes: vec![node(); 2], instances: vec![of(0), of(1)], cluster, seed: 1 }
    }

    #[test]
    fn each_start_of_a_cluster_that_shares_blocks_looks_for_itself_and_all_look_three_times() {
        let config = joined(4.0, 1.0);
        let (own, spent) = found(&config);
        assert!(own[0].iter().all(|pace| pace.commits > 0.0) && own[0] != own[1], "{own:?}");
        let (_, once) = World::paces_of(&config, 2, &own[0], 1_000_000);
        assert!(spent > 4 * once && spent < 6 * once, "{spent} events, {once} of one");
        let (alike, _) = found(&joined(0.0, 0.0));
        assert_eq!(alike[0], alike[1]);
    }

    /// Of four instances the first two are alike; the third has more sessions, the fourth another host.
    #[test]
    fn which_of_instances_that_are_alike_runs_faster_changes_from_start_to_start() {
        let of = |at, sessions| member(at, sessions, Ns::from_ms(20.0), lms(4.0, 1.0));
        let mut nodes = vec![node(); 4];
        nodes[3].cores_per_socket += 1;
        let instances = vec![of(0, 8), of(1, 8), of(2, 9), of(3, 8)];
        let config = Config { nodes, instances, cluster: Some(cluster(10_000)), seed: 1 };
        let turned = |start| passed_round(&config, start, &[1.0, 2.0, 3.0, 4.0].map(pace));
        let orders = [[1.0, 2.0, 3.0, 4.0], [2.0, 1.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0]];
        assert_eq!([0, 1, 2].map(turned), orders.map(|order| order.map(pace)));
        // Who begins with most of the blocks holds them while the pilot runs, whichever it is.
        let mut config = joined(4.0, 1.0);
        for instance in &mut config.instances {
            instance.workload.arrivals =
                Arrivals::Closed { sessions: 64, think: Ns::from_ms(5.0), start_spread: Ns::ZERO };
        }
        let faster = |start| {
            let (own, _) = World::paces_of(&config, start, &[7e-6, 3.5e-6].map(pace), 1_000_000);
            own[0].commits > own[1].commits
        };
        assert_eq!([0, 1, 2, 3].map(faster), [true, false, true, false]);
    }

    /// Where any distance of the writers is enough it does not hang on how fast the instance runs: with 4 changes, 1 of
    /// them cold, in a transaction, 2.9 blocks are to be written in each after a log and 2.4 after two, and the storage
    /// writes so many.
    #[test]
    fn each_start_whose_writers_meet_the_load_in_between_looks_for_itself() {
        let of = database();
        let transaction = TransactionConfig { changes: 4.0, ..of.transaction };
        let cache = CacheConfig { buffers: 20_000, hot: 1000, hot_share: 0.75, ..of.cache };
        let log = LogConfig { size: 200_000, ..of.log };
        let checkpoint = CheckpointConfig { lag: 180_000, ..of.checkpoint };
        let writers = WriterConfig { block: Ns(1), ..of.writers };
        let look = |write: Ns| {
            let data = device(1, write, Shape::Exponential);
            let database = DatabaseConfig { transaction, cache, log, checkpoint, data, writers, ..of.clone() };
            found(&one(node(), oltp(8, database))).0
        };
        let free = look(Ns::from_us(1.0));
        assert_eq!(free[0], free[1]);
        let busy = look(Ns((1.0 / (2.6 * free[0][0].commits)) as u64));
        assert!(busy[0] != busy[1], "{busy:?} where {free:?} are free");
    }
}
