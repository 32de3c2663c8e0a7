//! Watched sums of one replication at bucket edges, cumulative, over all instances.
use crate::config::kinds::GroupOf;
use crate::config::{Config, InstanceConfig};
use crate::host::topology::Q;
use crate::measure::accounts::{Accounts, Group};
use crate::measure::events::{Activity, ACTIVITIES, COUNT};

/// Columns of a row: logical reads, transactions, their response time \[ns\], transactions by the work done, time in
/// transactions \[ns\], then for each activity that sessions have been in time \[ns\], stays ended, and their length
/// \[ns\].
const FIXED: usize = 5;
const EACH: usize = 3;

/// Sums at bucket edges; the start of the run is an implied row of zeros.
#[derive(Clone, Debug)]
pub struct Rows {
    edges: usize,
    values: Vec<f64>,
    /// The columns of [`GroupColumn`] at the same edges: of all accounting groups at the first, then at the second.
    groups: Vec<[f64; 4]>,
    /// Time in each of these activities \[ns\] at the same edges: of the sessions of all hosts at the first, and so on.
    sessions: Vec<f64>,
    /// Activities that sessions have been in, in the order in which they were.
    used: Vec<usize>,
    /// By activity its place there.
    places: [Option<u8>; COUNT],
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
    /// Time in transactions, waits and all \[ns\].
    Active,
    /// Time in an activity \[ns\].
    Time(usize),
    /// Stays in it that ended.
    Stays(usize),
    /// Their length \[ns\].
    StayTime(usize),
}

/// Number and length of a group's stays in an activity since the start; of its responses at the end of them.
fn so_far(packed: &[(u64, u64); COUNT + 1], group: &Group, at: usize) -> (u64, u64) {
    let present = group.stays.get(at).unwrap_or(&group.response);
    (packed[at].0 + present.count(), packed[at].1 + present.sum())
}

/// Rows that are wider by some zeros.
fn widened(values: &[f64], wide: usize, more: usize) -> Vec<f64> {
    let mut wider = Vec::new();
    for row in values.chunks_exact(wide.max(1)) {
        wider.extend_from_slice(row);
        wider.resize(wider.len() + more, 0.0);
    }
    wider
}

impl Rows {
    /// None yet.
    pub fn new(config: &Config) -> Self {
        Rows {
            edges: 0,
            values: Vec::new(),
            groups: Vec::new(),
            sessions: Vec::new(),
            used: Vec::new(),
            places: [None; COUNT],
            packed: vec![[(0, 0); COUNT + 1]; config.groups().len()],
            of_sessions: groups_of_sessions(config),
            nodes: config.nodes.len(),
        }
    }

    /// The distributions start anew after this: rows go on from what they hold now.
    pub fn packs(&mut self, accounts: &Accounts) {
        self.widen_by_what_is_new(accounts);
        for (packed, group) in self.packed.iter_mut().zip(&accounts.groups) {
            *packed = std::array::from_fn(|at| so_far(packed, group, at));
        }
    }

    /// Sessions may have been in activities for the first time since the last edge, or since the last were packed.
    fn widen_by_what_is_new(&mut self, accounts: &Accounts) {
        while let Some(activity) = self.of_sessions.iter().find_map(|&(_, at, _)| self.unknown(&accounts.groups[at])) {
            self.widen(activity);
        }
    }

    /// An activity that a group has been in and that has no column.
    fn unknown(&self, group: &Group) -> Option<usize> {
        let mut all = self.places.iter().zip(group.time.iter().zip(group.stays.iter()));
        all.position(|(place, (&time, stays))| (time | stays.count()) != 0 && place.is_none())
    }

    /// Sessions are in an activity for the first time: a column of zeros up to now.
    fn widen(&mut self, activity: usize) {
        let count = self.used.len();
        self.places[activity] = Some(count as u8);
        self.used.push(activity);
        self.values = widened(&self.values, FIXED + EACH * count, EACH);
        self.sessions = widened(&self.sessions, count, 1);
        self.sessions.resize(self.edges * self.nodes * (count + 1), 0.0);
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
        self.edges
    }

    /// Whether no edge has been reached.
    pub fn is_empty(&self) -> bool {
        self.edges == 0
    }

    /// Adds the sums at the next edge.
    pub fn push(&mut self, accounts: &Accounts) {
        self.widen_by_what_is_new(accounts);
        let (first, first_session) = (self.values.len(), self.sessions.len());
        self.values.resize(first + FIXED + EACH * self.used.len(), 0.0);
        self.sessions.resize(first_session + self.nodes * self.used.len(), 0.0);
        let row = &mut self.values[first..];
        for &(of, at, messages) in &self.of_sessions {
            let (group, packed) = (&accounts.groups[at], &self.packed[at]);
            let here = &mut self.sessions[first_session + of.node * self.used.len()..];
            row[0] += group.logical_reads();
            row[1] += group.transactions as f64;
            row[2] += so_far(packed, group, COUNT).1 as f64;
            row[3] += messages.map_or(group.transactions as f64, |m| group.work as f64 * m);
            let mut active = 0.0;
            for (place, &activity) in self.used.iter().enumerate() {
                let (count, length) = so_far(packed, group, activity);
                let time = group.time[activity] as f64;
                let own = &mut row[FIXED + EACH * place..][..EACH];
                own[0] += time;
                active += if ACTIVITIES[activity].is_idle { 0.0 } else { time };
                own[1] += count as f64;
                own[2] += length as f64;
                here[place] += time;
            }
            row[4] += active;
        }
        self.groups.extend(accounts.groups.iter().zip(&self.packed).map(|(group, packed)| {
            let (delay, response) = (so_far(packed, group, Activity::RUN_QUEUE.i()), so_far(packed, group, COUNT));
            [delay.1, delay.0, response.1, response.0].map(|sum| sum as f64)
        }));
        self.edges += 1;
    }

    /// Increase of the time \[ns\] that the sessions of a host spent in an activity, between two edges.
    pub fn of_node(&self, node: usize, activity: usize, from: usize, to: usize) -> f64 {
        let Some(place) = self.places[activity] else { return 0.0 };
        let at = |edge: usize| ((edge - 1) * self.nodes + node) * self.used.len() + usize::from(place);
        let value = |edge: usize| if edge == 0 { 0.0 } else { self.sessions[at(edge)] };
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

    /// Where a column stands; `None`: nowhere, for sessions have not been in that activity.
    fn at(&self, column: Column) -> Option<usize> {
        let of = |activity: usize, more: usize| Some(FIXED + EACH * usize::from(self.places[activity]?) + more);
        match column {
            Column::Lio => Some(0),
            Column::Transactions => Some(1),
            Column::Response => Some(2),
            Column::Throughput => Some(3),
            Column::Active => Some(4),
            Column::Time(activity) => of(activity, 0),
            Column::Stays(activity) => of(activity, 1),
            Column::StayTime(activity) => of(activity, 2),
        }
    }

    /// Increase of a column between two edges.
    pub fn between(&self, column: Column, from: usize, to: usize) -> f64 {
        let Some(at) = self.at(column) else { return 0.0 };
        let wide = FIXED + EACH * self.used.len();
        let value = |edge: usize| if edge == 0 { 0.0 } else { self.values[(edge - 1) * wide + at] };
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
        thin(&mut self.values, FIXED + EACH * self.used.len());
        thin(&mut self.groups, self.packed.len());
        thin(&mut self.sessions, self.nodes * self.used.len());
        self.edges /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hogs, node, one};
    use wwi_kernel::time::Ns;

    /// What was spent in an activity before the next edge: of the sessions of the first host or instance.
    fn spend(accounts: &mut Accounts, group: usize, activity: usize, times: &[u64]) {
        for &ns in times {
            accounts.groups[group].time[activity] += ns;
            accounts.groups[group].stays[activity].record(Ns(ns));
        }
    }

    #[test]
    fn an_activity_that_comes_late_has_zeros_before_it_and_moves_no_other() {
        let config = one(node(), hogs(3));
        let mut rows = Rows::new(&config);
        let (_, sessions, _) = rows.of_sessions[0];
        let mut accounts =
            Accounts { groups: vec![Group::default(); config.groups().len()].into(), ..Default::default() };
        let [early, late, later] = [Activity::RUNNING.i(), Activity::RUN_QUEUE.i(), COUNT - 1];
        spend(&mut accounts, sessions, early, &[5, 7]);
        rows.push(&accounts);
        spend(&mut accounts, sessions, early, &[1]);
        rows.push(&accounts);
        // Stays of no time count, too, also where they are packed before an edge has seen them.
        spend(&mut accounts, sessions, late, &[0, 0]);
        rows.packs(&accounts);
        accounts.groups[sessions].stays = Default::default();
        rows.push(&accounts);
        spend(&mut accounts, sessions, late, &[9]);
        spend(&mut accounts, sessions, later, &[11]);
        rows.push(&accounts);
        spend(&mut accounts, sessions, early, &[2]);
        rows.push(&accounts);
        let told = |rows: &Rows, activity: usize| -> Vec<[f64; 4]> {
            let each = |edge: usize| {
                let of = |column: Column| rows.between(column, edge, edge + 1);
                let [time, stays, length] = [Column::Time, Column::Stays, Column::StayTime].map(|c| of(c(activity)));
                [time, stays, length, rows.of_node(0, activity, edge, edge + 1)]
            };
            (0..rows.len()).map(each).collect()
        };
        let nothing = [0.0; 4];
        let first = [[12.0, 2.0, 12.0, 12.0], [1.0, 1.0, 1.0, 1.0]];
        assert_eq!(told(&rows, early), [first[0], first[1], nothing, nothing, [2.0, 1.0, 2.0, 2.0]]);
        assert_eq!(told(&rows, late), [nothing, nothing, [0.0, 2.0, 0.0, 0.0], [9.0, 1.0, 9.0, 9.0], nothing]);
        assert_eq!(told(&rows, later), [nothing, nothing, nothing, [11.0, 1.0, 11.0, 11.0], nothing]);
        assert_eq!(told(&rows, COUNT - 2), [nothing; 5], "an activity that nobody was in");
        rows.merge_pairs();
        assert_eq!(told(&rows, early), [[13.0, 3.0, 13.0, 13.0], nothing]);
        assert_eq!(told(&rows, late), [nothing, [9.0, 3.0, 9.0, 9.0]]);
        assert_eq!((rows.len(), told(&rows, later)), (2, vec![nothing, [11.0, 1.0, 11.0, 11.0]]));
    }
}
