//! Figures are of what their names say: whatever is counted is counted another number of times, a prime one.
use super::*;
use crate::measure::cluster::ClusterSums;
use crate::measure::events::Activity;
use crate::testing::{cluster, lms, member, node};
use wwi_kernel::time::Ns;

/// Two instances of a cluster, half of whose transactions are queries.
fn config() -> Config {
    let instance = |node| {
        let mut of = member(node, 1, Ns::ZERO, lms(1.0, 1.0));
        of.others.database.as_mut().expect("it has one").query.share = 0.5;
        of
    };
    Config { nodes: vec![node(); 2], instances: vec![instance(0), instance(1)], cluster: Some(cluster(10)), seed: 1 }
}

/// How often something of the first instance happened, and what sums the time that it took: 3 ms each.
const OF_DATABASE: [(Sum, u64, Option<Sum>); 5] = [
    (Sum::LogWrites, 5, None),
    (Sum::LateAcks, 7, Some(Sum::LateAckTime)),
    (Sum::Stalls, 11, Some(Sum::StallTime)),
    (Sum::Queries, 13, Some(Sum::QueryTime)),
    (Sum::Updates, 17, Some(Sum::UpdateTime)),
];
const OF_CACHE: [(Gc, u64, &[Gc]); 12] = [
    (Gc::CrServed, 19, &[Gc::CrBuildTime, Gc::CrSendTime]),
    (Gc::CrFlushes, 23, &[Gc::CrFlushTime]),
    (Gc::CurrentServed, 29, &[Gc::PinTime, Gc::CurrentSendTime]),
    (Gc::CurrentFlushes, 31, &[Gc::CurrentFlushTime]),
    (Gc::Sent, 37, &[Gc::SendQueueTime]),
    (Gc::Received, 41, &[Gc::QueueTime]),
    (Gc::Told, 43, &[]),
    (Gc::Heard, 47, &[]),
    (Gc::PxMessages, 53, &[]),
    (Gc::PxRows, 59, &[]),
    (Gc::PxRemoteRows, 61, &[]),
    (Gc::PxRemoteBytes, 67_000_000, &[]),
];
const EACH: u64 = 3_000_000;

/// A second of it.
fn found() -> Assessment {
    let config = config();
    let mut sums = Accounts::new(config.groups().len(), 2, 8, 2);
    (sums.span, sums.cluster) = (1_000_000_000, ClusterSums::new(2));
    for (what, number, time) in OF_DATABASE {
        sums.databases[0].count(what, number);
        time.into_iter().for_each(|time| sums.databases[0].count(time, number * EACH));
    }
    for (what, number, times) in OF_CACHE {
        sums.cluster.count(0, what, number);
        times.iter().for_each(|&time| sums.cluster.count(0, time, number * EACH));
    }
    // The work of an LMS is for the messages that it gets.
    sums.groups[config.group(KindId::LMS, 0)].time[Activity::RUNNING.i()] = 41 * EACH;
    Assessment { starts: 1, accounts: vec![sums], ..Assessment::default() }
}

/// All figures of the first instance, by name: value and unit.
fn told() -> Vec<DatabaseFigure> {
    let (found, config) = (found(), config());
    let of_slaves = |of: &(&str, &str, Term, Term, f64)| matches!(of.2, SlaveTime);
    let parallel = OF_PARALLEL.into_iter().filter(|of| !of_slaves(of));
    let mut all: Vec<_> = parallel.map(|of| found.term_figure(&config, 0, of)).collect();
    all.extend(found.database_figures(&config, 0));
    all
}

#[test]
fn a_mean_time_is_over_the_number_of_what_took_it() {
    let told = told();
    let means = told.iter().filter(|figure| figure.unit == "ms" && figure.has_any);
    let of: Vec<(&str, f64)> = means.map(|figure| (figure.id, figure.value.mean)).collect();
    assert_eq!(of.len(), 13, "{of:?}");
    of.iter().for_each(|(id, ms)| assert!((ms - 3.0).abs() < 1e-9, "{id}: {ms}"));
}

/// Copies served after a flush are part of the copies served, and so with current blocks; answers that come late are
/// answers to log writes, rows that go to another host are rows, and bytes are told in millions.
#[test]
fn a_share_is_of_all_that_could_be_in_it() {
    let told = told();
    let expected = [
        ("gc_cr_block_flush_percent", 100.0 * 23.0 / 19.0),
        ("gc_current_block_flush_percent", 100.0 * 31.0 / 29.0),
        ("redo_write_broadcast_ack_percent", 100.0 * 7.0 / 5.0),
        ("px_remote_rows_percent", 100.0 * 61.0 / 59.0),
        ("px_remote_mb_per_s", 67.0),
        ("px_messages_per_s", 53.0),
        ("gc_messages_sent_per_s", 37.0),
        ("gc_messages_told_per_s", 43.0),
        ("gc_messages_heard_per_s", 47.0),
        ("lms_cpus", 0.123),
    ];
    for (id, value) in expected {
        let figure = told.iter().find(|figure| figure.id == id).unwrap_or_else(|| panic!("{id} is not told"));
        assert!((figure.value.mean - value).abs() < 1e-9 * value, "{id}: {} for {value}", figure.value.mean);
    }
}
