//! Consumer groups of given sizes: who is dealt to which, what shares give each, and the rows of each. Expectations are
//! arithmetic: without costs and ticks a slot is always at work while anybody waits, a group with s of S slots runs
//! s / demand transactions a second, and its n sessions respond in n / that.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::experiment::Experiment;
use wwi_model::report::consumers::ConsumerGroupRow;
use wwi_model::report::facts::{Fact, Key, Sink};
use wwi_model::testing::{cage, database, done, goal, hogs, lawful, near_rel, node, one};
use wwi_model::world::World;

fn group(sessions: u32, shares: u32) -> GroupConfig {
    GroupConfig { name: format!("{sessions} with {shares}"), sessions, shares, utilization_limit: 1.0, level: 1 }
}

/// Sessions of 100 ms a transaction, at once from one to the next, on `slots` slots of eight threads; nothing costs.
fn config(sessions: u32, slots: u32, groups: Vec<GroupConfig>) -> Config {
    let mut instance = hogs(sessions);
    let exact = CageConfig { tick: Ns::ZERO, safe_point: Ns::ZERO, post: Ns::ZERO, ..cage(slots) };
    instance.cage = Some(CageConfig { groups, ..exact });
    one(NodeConfig { cores_per_socket: 8, ..node() }, instance)
}

#[derive(Default)]
struct Rows(Vec<(Key, Fact)>);

impl Sink for Rows {
    fn fact(&mut self, key: Key, fact: Fact) {
        self.0.push((key, fact));
    }
}

fn told(config: &Config) -> (Vec<ConsumerGroupRow>, Rows) {
    let experiment = done(Experiment::new(config, goal(0.01, 400_000)));
    let mut rows = Rows::default();
    experiment.visit(&mut rows);
    (lawful(config, &experiment).consumer_groups, rows)
}

/// (transactions a second, response in ms, sessions on a thread, sessions that wait for a slot) of each group.
fn each_has(rows: &[ConsumerGroupRow], expected: &[[f64; 4]]) {
    assert_eq!(rows.len(), expected.len());
    for (row, [per_s, response, cpu, waiting]) in rows.iter().zip(expected) {
        near_rel(row.transactions_per_s.mean, *per_s, 0.01, &row.name);
        near_rel(row.response_ms.mean, *response, 0.01, &row.name);
        near_rel(row.cpu.mean, *cpu, 0.01, &row.name);
        let events: Vec<&str> = row.waits.iter().map(|wait| wait.event).collect();
        if *waiting == 0.0 {
            assert!(events.is_empty(), "{}: {events:?}", row.name);
        } else {
            assert_eq!(events, ["resmgr:cpu quantum"], "{}", row.name);
            near_rel(row.waits[0].aas.mean, *waiting, 0.01, &row.name);
        }
    }
}

/// Shares of 75 and 25 of four slots are three and one. Three sessions have a slot each and never wait; nine take turns
/// on one.
#[test]
fn three_and_nine_sessions_with_three_and_one_of_four_slots() {
    let (rows, _) = told(&config(12, 4, vec![group(3, 75), group(9, 25)]));
    each_has(&rows, &[[30.0, 100.0, 3.0, 0.0], [10.0, 900.0, 1.0, 8.0]]);
    assert_eq!(rows.iter().map(|row| row.sessions).collect::<Vec<_>>(), [3, 9]);
}

/// The same shares the other way round: nine have three slots, three take turns on one.
#[test]
fn shares_do_not_follow_sizes() {
    let (rows, _) = told(&config(12, 4, vec![group(3, 25), group(9, 75)]));
    each_has(&rows, &[[10.0, 300.0, 1.0, 2.0], [30.0, 300.0, 3.0, 6.0]]);
}

/// Two sessions cannot use three slots: what they leave goes to the ten.
#[test]
fn what_a_group_cannot_use_goes_to_the_others() {
    let (rows, _) = told(&config(12, 4, vec![group(2, 75), group(10, 25)]));
    each_has(&rows, &[[20.0, 100.0, 2.0, 0.0], [20.0, 500.0, 2.0, 8.0]]);
}

/// How many of so many sessions each group has, one by one in the order in which they came.
fn dealt(sessions: u32, sizes: &[u32]) -> Vec<u8> {
    let world = World::new(&config(sessions, 4, sizes.iter().map(|&size| group(size, 1)).collect()), 0);
    world.processes.iter().map(|process| process.consumer_group).collect()
}

/// Quotients (dealt + 1) / size, the least first, of equals the first: by hand for 3 and 9.
#[test]
fn sessions_are_dealt_by_highest_averages() {
    assert_eq!(dealt(12, &[3, 9]), [1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1], "1/9, 2/9, 1/3 = 3/9, 3/9, …");
    assert_eq!(dealt(7, &[1, 1, 1]), [0, 1, 2, 0, 1, 2, 0], "alike: in turn");
    assert_eq!(dealt(4, &[0, 5, 0]), [1, 1, 1, 1], "a group of none has none");
    for (sessions, expected) in [(24, 6), (36, 9), (13, 3), (14, 3), (15, 4)] {
        let own = dealt(sessions, &[3, 9]).iter().filter(|&&group| group == 0).count();
        assert_eq!(own, expected, "{sessions}");
    }
}

/// Rows by consumer group sum to the row of the instance's sessions, event by event; of one group there are none.
#[test]
fn rows_of_groups_sum_to_those_of_the_instance() {
    let mut of = config(7, 2, vec![group(2, 3), group(4, 1), group(1, 1)]);
    of.instances.push(InstanceConfig { cage: Some(cage(1)), ..hogs(2) });
    let (rows, facts) = told(&of);
    assert_eq!(rows.iter().map(|row| (row.instance, row.sessions)).collect::<Vec<_>>(), [(1, 2), (1, 4), (1, 1)]);
    let mut compared = 0;
    for (key, fact) in &facts.0 {
        let is_whole = key.kind == Some("session") && key.instance == Some(1) && key.consumer_group.is_none();
        if !is_whole || key.class.is_some() {
            continue;
        }
        let parts = facts
            .0
            .iter()
            .filter(|(other, _)| other.consumer_group.is_some() && Key { consumer_group: None, ..*other } == *key);
        let sums = parts.fold((0, 0), |sum, (_, part)| (sum.0 + part.count, sum.1 + part.total_ns));
        assert_eq!(sums, (fact.count, fact.total_ns), "{key:?}");
        compared += 1;
    }
    assert!(compared > 8, "{compared}");
    let groups: Vec<_> = facts.0.iter().filter_map(|(key, _)| Some((key.instance?, key.consumer_group?))).collect();
    assert!(groups.iter().all(|&(instance, group)| instance == 1 && (1..=3).contains(&group)));
}

/// Sessions that come and go are dealt one by one as they come: those of each group are as many as its size says,
/// whichever have gone before. Processes of the instance are in no group.
#[test]
fn sessions_that_come_and_go_are_dealt_as_they_come() {
    for (sizes, parts) in [([1, 1, 1, 1], [0.25; 4]), ([3, 9, 3, 9], [0.125, 0.375, 0.125, 0.375])] {
        let mut config = config(0, 8, sizes.iter().map(|&size| group(size, 1)).collect());
        config.instances[0].others.database = Some(Box::new(database()));
        config.instances[0].workload.arrivals = Arrivals::Open { per_s: 20.0 };
        let (rows, _) = told(&config);
        let all: f64 = rows.iter().map(|row| row.transactions_per_s.mean).sum();
        near_rel(all, 20.0, 0.02, "all of them");
        for (row, part) in rows.iter().zip(parts) {
            near_rel(row.transactions_per_s.mean, part * all, 0.01, &row.name);
        }
    }
}
