//! Watched sums of one replication at bucket edges, cumulative, over all instances.
use crate::config::kinds::GroupOf;
use crate::config::{Config, InstanceConfig};
use crate::host::topology::Q;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::{Activity, COUNT};

/// Columns of a row: logical reads, transactions, their response time \[ns\], transactions by the work done, then for
/// each activity time \[ns\], stays ended, and their length \[ns\].
const FIXED: usize = 4;
const WIDTH: usize = FIXED + 3 * COUNT;

/// Sums at bucket edges; the start of the run is an implied row of zeros.
#[derive(Clone, Debug)]
pub struct Rows {
    values: Vec<[f64; WIDTH]>,
    /// The columns of [`GroupColumn`] at the same edges: of all accounting groups at the first, then at the second.
    groups: Vec<[f64; 4]>,
    /// Time in each activity \[ns\] at the same edges: of the sessions of all hosts at the first, then at the second.
    sessions: Vec<[f64; COUNT]>,
    /// Number and length \[ns\] of stays and responses in windows that were packed, by accounting group.
    packed: Vec<[(u64, u64); COUNT + 1]>,
    /// Accounting groups of sessions, with the messages in a unit of work where their instance passes messages.
    of_sessions: Vec<(GroupOf, usize, Option<f64>)>,
    nodes: usize,
}

/// Logical reads in a nanosecond of sessions' work at reference speed, by instance.
pub fn reads_in_work(config: &Config) -> Vec<f64> {
    let one = |w: &crate::config::Workload| w.lio_per_transaction / w.demand.mean.0.max(1) as f64;
    config.instances.iter().map(|i| one(&i.workload)).collect()
}

/// Messages in a unit of fixed-point work, for each instance that passes messages. A message is written by one and
/// handled by another, much later where buffers are deep; counted by work it is half done in between.
pub fn messages_per_work(config: &Config) -> Vec<Option<f64>> {
    let of = |i: &InstanceConfig| 1.0 / i.workload.demand.mean.0.max(1) as f64 / (1u64 << Q) as f64;
    config.instances.iter().map(|i| i.passes_messages().then(|| of(i))).collect()
}

fn groups_of_sessions(config: &Config) -> Vec<(GroupOf, usize, Option<f64>)> {
    let messages = messages_per_work(config);
    let groups = config.groups().into_iter().enumerate().filter(|(_, of)| of.kind.row().is_session);
    groups.map(|(at, of)| (of, at, of.instance.and_then(|instance| messages[instance]))).collect()
}

/// What is kept of each accounting group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupColumn {
    /// Stays in run queues.
    Delay = 0,
    /// Transactions, or answers of a server.
    Response = 1,
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
    /// Transactions, messages counted by the work done.
    Throughput,
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
            Column::Throughput => 3,
            Column::Time(a) => FIXED + 3 * a,
            Column::Stays(a) => FIXED + 1 + 3 * a,
            Column::StayTime(a) => FIXED + 2 + 3 * a,
        }
    }
}

impl Rows {
    /// None yet.
    pub fn new(config: &Config) -> Self {
        Rows {
            values: Vec::new(),
            groups: Vec::new(),
            sessions: Vec::new(),
            packed: vec![[(0, 0); COUNT + 1]; config.groups().len()],
            of_sessions: groups_of_sessions(config),
            nodes: config.nodes.len(),
        }
    }

    /// The distributions start anew after this: rows go on from what they hold now.
    pub fn packs(&mut self, accounts: &Accounts) {
        for (packed, group) in self.packed.iter_mut().zip(&accounts.groups) {
            *packed = Self::so_far(packed, group);
        }
    }

    /// Number and length of stays and responses since the start.
    fn so_far(packed: &[(u64, u64); COUNT + 1], group: &Group) -> [(u64, u64); COUNT + 1] {
        let present = |at: usize| group.stays.get(at).unwrap_or(&group.response);
        std::array::from_fn(|at| (packed[at].0 + present(at).count(), packed[at].1 + present(at).sum()))
    }

    /// Memory that they take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        fn of<T>(list: &Vec<T>) -> usize {
            list.capacity() * std::mem::size_of::<T>()
        }
        of(&self.values) + of(&self.groups) + of(&self.sessions) + of(&self.packed)
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
        for &(_, at, messages) in &self.of_sessions {
            let group = &accounts.groups[at];
            let stays = Self::so_far(&self.packed[at], group);
            row[0] += group.logical_reads();
            row[1] += group.transactions as f64;
            row[2] += stays[COUNT].1 as f64;
            row[3] += messages.map_or(group.transactions as f64, |m| group.work as f64 * m);
            for activity in 0..COUNT {
                row[FIXED + 3 * activity] += group.time[activity] as f64;
                row[FIXED + 1 + 3 * activity] += stays[activity].0 as f64;
                row[FIXED + 2 + 3 * activity] += stays[activity].1 as f64;
            }
        }
        self.values.push(row);
        self.groups.extend(accounts.groups.iter().zip(&self.packed).map(|(group, packed)| {
            let stays = Self::so_far(packed, group);
            let (delay, response) = (stays[Activity::RUN_QUEUE.i()], stays[COUNT]);
            [delay.1, delay.0, response.1, response.0].map(|sum| sum as f64)
        }));
        let first = self.sessions.len();
        self.sessions.resize(first + self.nodes, [0.0; COUNT]);
        for &(of, group, _) in &self.of_sessions {
            let here = self.sessions[first + of.node].iter_mut().zip(accounts.groups[group].time.iter());
            here.for_each(|(sum, time)| *sum += *time as f64);
        }
    }

    /// Increase of the time \[ns\] that the sessions of a host spent in an activity, between two edges.
    pub fn of_node(&self, node: usize, activity: usize, from: usize, to: usize) -> f64 {
        let at = |edge: usize| (edge - 1) * self.nodes + node;
        let value = |edge: usize| if edge == 0 { 0.0 } else { self.sessions[at(edge)][activity] };
        value(to) - value(from)
    }

    /// Increase of length \[ns\] and number of a group's stays between two edges.
    pub fn of_group(&self, group: usize, column: GroupColumn, from: usize, to: usize) -> (f64, f64) {
        let at = 2 * column as usize;
        let value = |edge: usize, at: usize| {
            if edge == 0 {
                0.0
            } else {
                self.groups[(edge - 1) * self.packed.len() + group][at]
            }
        };
        (value(to, at) - value(from, at), value(to, at + 1) - value(from, at + 1))
    }

    /// Increase of a column between two edges.
    pub fn between(&self, column: Column, from: usize, to: usize) -> f64 {
        let value = |edge: usize| if edge == 0 { 0.0 } else { self.values[edge - 1][column.at()] };
        value(to) - value(from)
    }

    /// Keeps every second edge.
    pub fn merge_pairs(&mut self) {
        /// A row is so many values.
        fn thin<T>(values: &mut Vec<T>, wide: usize) {
            let mut at = 0;
            values.retain(|_| {
                at += 1;
                (at - 1) / wide % 2 == 1
            });
        }
        thin(&mut self.values, 1);
        thin(&mut self.groups, self.packed.len());
        thin(&mut self.sessions, self.nodes);
    }
}
