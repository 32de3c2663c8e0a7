//! Watched sums of one replication at bucket edges, cumulative, over all instances.
use crate::accounts::Accounts;
use crate::activity::COUNT;
use crate::config::Config;
use crate::host::topology::Q;

/// Columns of a row: logical reads, transactions, their response time \[ns\], then for each activity time \[ns\], stays
/// ended, and their length \[ns\].
const WIDTH: usize = 3 + 3 * COUNT;

/// Sums at bucket edges; the start of the run is an implied row of zeros.
#[derive(Clone, Debug)]
pub struct Rows {
    values: Vec<[f64; WIDTH]>,
    /// Logical reads in a unit of work, by instance.
    lio_per_work: Vec<f64>,
}

/// Logical reads in a unit of fixed-point work.
pub fn lio_per_work(config: &Config) -> Vec<f64> {
    let one =
        |w: &crate::config::Workload| w.lio_per_transaction / (w.demand.mean.0.max(1) as f64) / (1u64 << Q) as f64;
    config.instances.iter().map(|i| one(&i.workload)).collect()
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Logical reads.
    Lio,
    /// Transactions.
    Transactions,
    /// Their response time \[ns\].
    Response,
    /// Time in an activity \[ns\].
    Time(usize),
    /// Stays in it that ended.
    Stays(usize),
    /// Their length \[ns\].
    StayTime(usize),
}

impl Column {
    fn at(self) -> usize {
        match self {
            Column::Lio => 0,
            Column::Transactions => 1,
            Column::Response => 2,
            Column::Time(a) => 3 + 3 * a,
            Column::Stays(a) => 4 + 3 * a,
            Column::StayTime(a) => 5 + 3 * a,
        }
    }
}

impl Rows {
    /// None yet.
    pub fn new(config: &Config) -> Self {
        Rows { values: Vec::new(), lio_per_work: lio_per_work(config) }
    }

    /// Number of edges reached.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether no edge has been reached.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds the sums at the next edge.
    pub fn push(&mut self, accounts: &Accounts) {
        let mut row = [0.0; WIDTH];
        for (group, lio) in accounts.groups.iter().zip(&self.lio_per_work) {
            row[0] += group.work as f64 * lio;
            row[1] += group.transactions as f64;
            row[2] += group.response.sum() as f64;
            for activity in 0..COUNT {
                row[3 + 3 * activity] += group.time[activity] as f64;
                row[4 + 3 * activity] += group.stays[activity].count() as f64;
                row[5 + 3 * activity] += group.stays[activity].sum() as f64;
            }
        }
        self.values.push(row);
    }

    /// Increase of a column between two edges.
    pub fn between(&self, column: Column, from: usize, to: usize) -> f64 {
        let value = |edge: usize| if edge == 0 { 0.0 } else { self.values[edge - 1][column.at()] };
        value(to) - value(from)
    }

    /// Keeps every second edge.
    pub fn merge_pairs(&mut self) {
        let mut edge = 0;
        self.values.retain(|_| {
            edge += 1;
            edge % 2 == 0
        });
    }
}
