//! Parallel queries: where rows go, how many messages they make, and what an execution takes on idle hosts.
use wwi_kernel::time::Ns;
use wwi_model::config::kinds::KindId;
use wwi_model::config::parallel::{ParallelQuery, TableQueue};
use wwi_model::config::{Arrivals, Config, DemandShape, NodeConfig};
use wwi_model::experiment::Goal;
use wwi_model::measure::cluster::Gc;
use wwi_model::measure::events::Activity;
use wwi_model::report::Report;
use wwi_model::testing::*;
use wwi_model::world::World;

const GOAL: Goal = goal(0.01, 20_000_000);

/// A host on which each process has a thread of its own.
fn host() -> NodeConfig {
    NodeConfig { cores_per_socket: 16, ..node() }
}

/// So many hosts, on the first of which one coordinator executes a query once.
fn cluster_of(hosts: usize, query: ParallelQuery) -> Config {
    let own = |at: usize| coordinators(at, u32::from(at == 0), 1, query);
    Config {
        nodes: vec![host(); hosts],
        instances: (0..hosts).map(own).collect(),
        cluster: (hosts > 1).then(|| cluster(0)),
        seed: 1,
    }
}

/// What a query did: messages and rows, all and from one instance to another.
fn traffic(config: &Config) -> [u64; 5] {
    let mut world = World::new(config, 0);
    world.run(Ns::from_s(3600.0), u64::MAX);
    assert!(world.runs.are_over(), "it goes on");
    let all = [Gc::PxMessages, Gc::PxRemoteMessages, Gc::PxRows, Gc::PxRemoteRows, Gc::PxRemoteBytes];
    all.map(|sum| world.accounts.cluster.get(0, sum))
}

fn report(config: &Config) -> Report {
    finish(config, GOAL)
}

/// Elapsed and CPU time of the coordinator \[s\].
fn took(config: &Config) -> (f64, f64) {
    let report = report(config);
    let [row] = &report.ended[..] else { panic!("{:?}", report.ended) };
    (row.elapsed_s.mean, row.cpu_s.mean)
}

/// Twelve slaves on all hosts, whose messages cost the same from wherever they come, and of which none waits for
/// buffers: all are as fast as each other, and get as many granules.
fn spread() -> ParallelQuery {
    let (local, remote) = (Ns::from_us(1.0), Ns::from_us(1.0));
    ParallelQuery { is_spread: true, degree: 12, local, remote, ..parallel_query() }
}

/// On hosts where fragments cost nothing.
fn alike(hosts: usize, query: ParallelQuery) -> Config {
    let mut config = cluster_of(hosts, query);
    if let Some(cluster) = &mut config.cluster {
        cluster.costs.fragment = Ns::ZERO;
    }
    config
}

#[test]
fn rows_to_the_coordinator_leave_a_host_in_the_share_of_the_other_hosts() {
    for (hosts, share) in [(2, 1.0 / 2.0), (3, 2.0 / 3.0), (4, 3.0 / 4.0)] {
        let [_, _, rows, remote, _] = traffic(&alike(hosts, spread()));
        assert_eq!(rows, 17_000);
        near_rel(remote as f64 / rows as f64, share, 0.01, &format!("{hosts} hosts"));
    }
}

#[test]
fn so_do_rows_of_a_hash_and_of_a_broadcast() {
    for (hosts, share) in [(2, 1.0 / 2.0), (3, 2.0 / 3.0), (4, 3.0 / 4.0)] {
        for (table_queue, copies) in [(TableQueue::Hash, 1), (TableQueue::Broadcast, 12)] {
            let of = ParallelQuery { table_queue, is_pushed_down: true, ..spread() };
            let [_, _, rows, remote, _] = traffic(&alike(hosts, of));
            // Each of the second set sends one row besides.
            assert_eq!(rows, 17_000 * copies + 12);
            near_rel(remote as f64 / rows as f64, share, 0.01, &format!("{hosts} hosts, {table_queue:?}"));
            let [_, _, rows, remote, _] = traffic(&alike(hosts, ParallelQuery { is_pushed_down: false, ..of }));
            assert_eq!(rows, 17_000 * (copies + 1), "all go on to the coordinator");
            near_rel(remote as f64 / rows as f64, share, 0.01, &format!("{hosts} hosts, not aggregated"));
        }
    }
}

#[test]
fn where_slaves_aggregate_a_row_of_each_goes_to_the_coordinator() {
    for (degree, hosts, remote) in [(4, 2, 2), (6, 3, 4), (5, 1, 0), (5, 2, 2)] {
        let of = ParallelQuery { is_pushed_down: true, degree, is_spread: true, ..parallel_query() };
        let found = traffic(&cluster_of(hosts, of));
        assert_eq!(found, [degree, remote, degree, remote, 2_148 * remote].map(u64::from));
    }
}

#[test]
fn rows_make_as_many_messages_as_they_fill() {
    // 17,001 rows of five slaves: 3,401 of one and 3,400 of the others, in 201 and 200 messages.
    let of = ParallelQuery { rows: 17_001, degree: 5, ..parallel_query() };
    assert_eq!(traffic(&cluster_of(1, of))[0], 201 + 4 * 200);
    // A hash of four on four: 4,250 rows of each, 1,063 to two and 1,062 to two, 63 messages either way; each of the
    // second set sends 4,250 on and some more or less: 250 or 251 messages.
    let hash = ParallelQuery { table_queue: TableQueue::Hash, ..parallel_query() };
    let [messages, _, rows, ..] = traffic(&cluster_of(1, hash));
    assert_eq!(rows, 2 * 17_000);
    assert!((4 * 4 * 63 + 4 * 250..=4 * 4 * 63 + 4 * 251).contains(&messages), "{messages}");
    // A broadcast: 4,250 rows of each in 250 messages, four times; then all rows once.
    let broadcast = ParallelQuery { table_queue: TableQueue::Broadcast, ..parallel_query() };
    assert_eq!(traffic(&cluster_of(1, broadcast)), [4 * 4 * 250 + 4 * 250, 0, 5 * 17_000, 0, 0]);
    // 4,096 B hold 34 rows, 16,384 B 136: of slaves that are as fast as each other, with 4,250 rows each.
    for (message_bytes, rows_of_message, messages) in [(4_096, 34, 500), (16_384, 136, 128)] {
        let of = ParallelQuery { message_bytes, rows_of_message, degree: 4, ..spread() };
        let half = messages / 2;
        let bytes = half * u64::from(message_bytes);
        assert_eq!(traffic(&alike(2, of)), [messages, half, 17_000, 8_500, bytes]);
    }
}

/// 1,000 messages of 15 µs and 17,000 rows of 100 ns; four slaves to start and to end.
#[test]
fn cpu_of_a_coordinator_among_its_own_slaves_is_that_of_messages_and_rows() {
    let (_, cpu) = took(&cluster_of(1, parallel_query()));
    near_rel(cpu, (1_000.0 * 15.0 + 17_000.0 * 0.1 + 8.0 * 15.0) / 1e6, 0.000_1, "CPU");
}

/// A message from the other host costs ten times as much, and two fragments of 4 µs; a short one has one. Slaves pay
/// it, too: at 20 µs a row they fill one in 498 µs while those of the coordinator's host do in 355, and get as many
/// rows less.
#[test]
fn messages_from_another_host_cost_what_they_are_said_to() {
    let of = ParallelQuery { is_spread: true, scan: 20_000.0, granules: 100, ..parallel_query() };
    let words = 4.0 * 15.0 + 4.0 * (150.0 + 4.0);
    // In one fragment: 2,148 B of 9,000.
    for (mtu, remote) in [(1500, 158.0), (9000, 154.0)] {
        let mut config = cluster_of(2, of);
        if let Some(cluster) = &mut config.cluster {
            cluster.interconnect = interconnect("1GbE", mtu);
        }
        let [messages, from_other, rows, rows_of_other, _] = traffic(&config);
        let expected = 17_000.0 * 355.0 / (355.0 + 340.0 + remote);
        // Of each of two slaves a granule of 43 rows more or less.
        assert!((rows_of_other as f64 - expected).abs() <= 2.0 * 43.0, "{rows_of_other} of {rows} for {expected}");
        let (own, other) = ((messages - from_other) as f64, from_other as f64);
        near_rel(took(&config).1, (own * 15.0 + other * remote + 1_700.0 + words) / 1e6, 0.000_1, "CPU");
    }
}

/// A slave has 4,250 rows of 10 µs and 250 messages of 15 µs: 46.25 ms. Before it the coordinator makes four messages
/// and the slave takes one; after it the coordinator takes the last and makes four.
#[test]
fn where_slaves_are_slower_an_execution_takes_as_long_as_they_do() {
    let (elapsed, _) = took(&cluster_of(1, parallel_query()));
    near_rel(elapsed, (4_250.0 * 10.0 + 250.0 * 15.0 + 4.0 * 15.0 + 15.0 + 4.0 * 16.7 + 60.0) / 1e6, 0.001, "elapsed");
}

/// Slaves that scan for nothing fill buffers faster than the coordinator takes them, at 16.7 µs each.
#[test]
fn where_the_coordinator_is_slower_it_never_waits() {
    let of = ParallelQuery { scan: 10.0, ..parallel_query() };
    let found = report(&cluster_of(1, of));
    let [row] = &found.ended[..] else { panic!("{:?}", found.ended) };
    near_rel(row.elapsed_s.mean, (1_000.0 * 16.7 + 60.0 + 15.0 + 15.2 + 60.0) / 1e6, 0.002, "elapsed");
    // Each of four slaves has room for three buffers before it: it makes three at once, and one for each that the
    // coordinator has taken; 246 of 250 waits at least.
    let blocked = found.waits.iter().find(|row| row.event == "PX Deq Credit: send blkd").expect("they wait");
    let replications = f64::from(found.replications);
    assert!(blocked.duration.count as f64 / replications >= 4.0 * 240.0, "{}", blocked.duration.count);
}

/// On a slow wire the bytes of a hash decide, half of which leave a host whoever scans: 250 messages of 2,148 B either
/// way at 10 Mbit/s and two more, for the last of four channels are not full; and 300 B for each that is free again.
/// Ethernet adds 66 B to each packet, of which there are two and one.
#[test]
fn where_the_wire_is_slower_it_decides() {
    let of = ParallelQuery { buffers: 40, degree: 4, table_queue: TableQueue::Hash, is_pushed_down: true, ..spread() };
    near_rel(took(&on_a_slow_wire(of)).0, 252.0 * (2_280.0 + 366.0) / 1.25e6, 0.02, "elapsed");
}

fn on_a_slow_wire(of: ParallelQuery) -> Config {
    let mut config = alike(2, of);
    if let Some(cluster) = &mut config.cluster {
        cluster.interconnect.bytes_per_s = 1.25e6;
    }
    config
}

/// Rows to the coordinator go over it only as fast as it is, and its own slaves scan what the others cannot send: these
/// fill a message in 170 + 1 µs. Those of the other have six buffers on a wire that takes 1,824 µs for each, and one
/// of 43 rows that they may have got before the end.
#[test]
fn slaves_beyond_a_slow_wire_scan_less() {
    let of = ParallelQuery { degree: 4, granules: 100, ..spread() };
    let [_, remote, rows, remote_rows, _] = traffic(&on_a_slow_wire(of));
    assert_eq!(rows, 17_000);
    let own = (rows - remote_rows) as f64 / 17.0 * 171.0 / 2.0;
    let (least, most) = (own / 1_824.0, own / 1_824.0 + 6.0 + 2.0 * 43.0 / 17.0);
    assert!(least <= remote as f64 && remote as f64 <= most + 2.0, "{remote} messages for {least} to {most}");
}

/// A sender has at most so many buffers under way, and as many are free again in the end.
#[test]
fn nobody_sends_without_a_credit() {
    for table_queue in [TableQueue::Coordinator, TableQueue::Hash, TableQueue::Broadcast] {
        for buffers in [1, 3, 4] {
            let of = ParallelQuery { table_queue, buffers, is_spread: true, scan: 100.0, ..parallel_query() };
            let mut world = World::new(&cluster_of(2, of), 0);
            let mut most = 0;
            for step in 1..20_000 {
                world.run(Ns::from_us(f64::from(step) * 20.0), u64::MAX);
                for channel in world.queries.iter().flat_map(|query| &query.channels) {
                    most = most.max(channel.sent.len());
                    assert!(channel.credits <= buffers && channel.sent.len() <= buffers as usize);
                }
                if world.runs.are_over() {
                    break;
                }
            }
            assert!(world.runs.are_over() && most == buffers as usize, "{most} of {buffers}");
        }
    }
}

/// When the coordinator had the last buffer, to a quarter of a millisecond \[ms\].
fn ended(config: &Config, replication: u32) -> f64 {
    let mut world = World::new(config, replication);
    let mut steps = 0;
    while !world.runs.are_over() {
        steps += 1;
        world.run(Ns::from_us(250.0 * f64::from(steps)), u64::MAX);
    }
    f64::from(steps) * 0.25 - 0.125
}

/// Granules of times that vary exponentially, of four slaves that aggregate: all but four of 4 × g have ended after
/// g − 1 mean times, for four are always under way; those that are left then take a maximum of four, 25/12 of one.
#[test]
fn granules_that_vary_even_out_until_the_last_of_each_slave() {
    for granules in [1, 13, 100] {
        let mut config = cluster_of(1, ParallelQuery { granules, is_pushed_down: true, ..parallel_query() });
        config.instances[0].workload.demand.shape = DemandShape::Exponential;
        let mean = 42_500.0 / f64::from(granules);
        let elapsed: f64 = (0..1_000).map(|replication| ended(&config, replication)).sum();
        near_rel(elapsed / 1_000.0, mean * (f64::from(granules) - 1.0 + 25.0 / 12.0) / 1e3, 0.05, "elapsed");
    }
}

/// One slave on the coordinator's host, and one that has half of a core for a process keeps the other half busy.
fn half_as_fast(of: ParallelQuery) -> Config {
    let mut config = alike(2, ParallelQuery { degree: 2, ..of });
    config.nodes[1] = NodeConfig { cores_per_socket: 1, threads_per_core: 2, smt_yield: vec![1.0, 1.0], ..host() };
    config.nodes[1].background.processes = 1;
    config
}

/// Rows that each slave of the first set got, and when it heard that there are no more \[ms\].
fn dealt(config: &Config) -> Vec<(u64, f64)> {
    let mut world = World::new(config, 0);
    let mut ends = vec![0.0; 2];
    for step in 1.. {
        let now = f64::from(step) * 0.05;
        world.run(Ns::from_ms(now), u64::MAX);
        for (end, slave) in ends.iter_mut().zip(&world.queries[0].slaves) {
            *end = if slave.is_over && *end == 0.0 { now } else { *end };
        }
        if world.runs.are_over() {
            break;
        }
    }
    let rows: Vec<u64> = world.queries[0].slaves[..2].iter().map(|slave| slave.dealt).collect();
    rows.into_iter().zip(ends).collect()
}

/// 26 granules of 653 or 654 rows, 6.54 ms on a core of one's own. When the slower slave has scanned its eighth the
/// other has 16: 24 are given, and each gets one more.
#[test]
fn a_slave_that_is_half_as_fast_scans_half_as_much_and_ends_with_the_other() {
    let found = dealt(&half_as_fast(ParallelQuery { is_pushed_down: true, ..spread() }));
    let [(fast, fast_end), (slow, slow_end)] = found[..] else { panic!("{found:?}") };
    assert_eq!(fast + slow, 17_000);
    assert_eq!((fast.div_ceil(654), slow.div_ceil(654)), (17, 9), "{found:?}");
    near_rel(fast_end, 17.0 * 6.54, 0.01, "the fast one");
    near_rel(slow_end, 9.0 * 13.08, 0.01, "the slow one");
}

/// Whatever they send: they end within one granule of the slower, 13.08 ms and its messages.
#[test]
fn slaves_end_within_a_granule_of_each_other() {
    for table_queue in [TableQueue::Coordinator, TableQueue::Hash, TableQueue::Broadcast] {
        for is_pushed_down in [false, true] {
            let of = ParallelQuery { table_queue, is_pushed_down, buffers: 40, ..spread() };
            let found = dealt(&half_as_fast(of));
            let [(fast, fast_end), (slow, slow_end)] = found[..] else { panic!("{found:?}") };
            assert_eq!(fast + slow, 17_000);
            assert!((fast_end - slow_end).abs() <= 13.3, "{table_queue:?}: {found:?}");
            assert!(fast > slow + 653, "{table_queue:?}: {found:?}");
        }
    }
}

/// A slave alone scans everything, in however many granules: 17,001 rows of 10 µs and 1,001 messages of 15 µs.
#[test]
fn with_one_slave_granules_change_nothing() {
    for table_queue in [TableQueue::Coordinator, TableQueue::Hash, TableQueue::Broadcast] {
        let of = ParallelQuery { table_queue, is_pushed_down: false, degree: 1, rows: 17_001, ..parallel_query() };
        let elapsed = |granules: u32| took(&cluster_of(1, ParallelQuery { granules, ..of }));
        let one = elapsed(1);
        near_rel(one.0, (170_010.0 + 1_001.0 * 15.0) / 1e6, 0.002, &format!("{table_queue:?}"));
        assert_eq!([elapsed(13), elapsed(100), elapsed(1_000)], [one; 3], "{table_queue:?}");
    }
}

/// Four coordinators on one host, three executions each: all rows of all, and each slave as often as it was asked.
#[test]
fn several_coordinators_have_slaves_of_their_own() {
    let of = ParallelQuery { degree: 4, ..spread() };
    let mut config = alike(2, of);
    config.instances[0] = coordinators(0, 4, 3, of);
    let [messages, _, rows, remote, _] = traffic(&config);
    assert_eq!([messages, rows, remote], [4 * 3 * 1_000, 4 * 3 * 17_000, 4 * 3 * 8_500]);
}

/// With one buffer a slave on the other host fills it (158 µs and 170 ns), and waits until it has come (2,148 B at
/// 1 Gbit/s and 30 µs), the coordinator has taken it (158 and 1.7 µs) and has said so (300 B and 30 µs). In granules
/// of one buffer it sends as many as there are rounds in an execution, each longer by a local buffer at most that the
/// coordinator takes before it (16.7 µs).
#[test]
fn with_one_buffer_each_message_to_another_host_waits_for_the_one_before() {
    let of = ParallelQuery { is_spread: true, degree: 2, buffers: 1, scan: 10.0, granules: 500, ..parallel_query() };
    let round = 158.17 + 17.184 + 30.0 + 159.7 + 2.4 + 30.0;
    let config = cluster_of(2, of);
    let elapsed = took(&config).0 * 1e6;
    let remote = traffic(&config)[1] as f64;
    let (least, most) = ((elapsed - round) / (round + 16.7), elapsed / round + 1.0);
    assert!(least <= remote && remote <= most, "{remote} rounds for {least} to {most}");
}

/// Each slave scans its 4,250 rows once and sends each of its 250 buffers to four; the second set aggregates.
#[test]
fn what_goes_to_all_is_scanned_once() {
    let of = ParallelQuery { table_queue: TableQueue::Broadcast, is_pushed_down: true, ..parallel_query() };
    near_rel(took(&cluster_of(1, of)).0, (4_250.0 * 10.0 + 1_000.0 * 15.0 + 24.0 * 15.0) / 1e6, 0.01, "elapsed");
}

/// A coordinator thinks for times of its own, exponential ones: e⁻² of them are longer than twice the mean.
#[test]
fn a_coordinator_thinks_for_times_that_vary() {
    let think = Ns::from_ms(20.0);
    let mut config = cluster_of(1, ParallelQuery { degree: 2, rows: 34, ..parallel_query() });
    config.instances[0].workload.ends = None;
    config.instances[0].workload.arrivals = Arrivals::Closed { sessions: 1, think, start_spread: Ns::ZERO };
    let mut world = World::new(&config, 0);
    world.run(Ns::from_s(60.0), u64::MAX);
    let thoughts = &world.accounts.groups[0].stays[Activity::OFF.i()];
    assert!(thoughts.count() > 2_000, "{}", thoughts.count());
    near_rel(thoughts.mean() / 1e6, 20.0, 0.06, "mean");
    near_rel(thoughts.quantile(1.0 - 0.135_335) / 1e6, 40.0, 0.1, "what one in 7.4 is longer than");
}

/// Time of the slaves of an instance in some waits \[µs\], of one execution.
fn waited(config: &Config, events: [Activity; 3]) -> [f64; 3] {
    let mut world = World::new(config, 0);
    world.run(Ns::from_s(3600.0), u64::MAX);
    world.cut();
    let group = config.group(KindId::SLAVE, 0);
    events.map(|event| world.accounts.groups[group].time[event.i()] as f64 / 1e3)
}

/// Four slaves that are as fast as each other start when the coordinator has made its messages, and send their last
/// buffers at the same moment. It takes those in 16.7 µs each and makes four messages of 15 more: so long each waits.
/// Nobody waits for rows where there is no second set; with one its slaves do, and mostly.
#[test]
fn slaves_wait_for_rows_for_buffers_and_for_the_end_under_these_names() {
    let events = [Activity::PX_EXECUTION_MSG, Activity::PX_TABLE_Q_NORMAL, Activity::PX_SEND_BLKD];
    let [end, rows, buffers] = waited(&cluster_of(1, parallel_query()), events);
    near_rel(end, 4.0 * (4.0 * 16.7 + 4.0 * 15.0), 0.001, "for the end");
    assert_eq!((rows, buffers), (0.0, 0.0));
    let of = ParallelQuery { table_queue: TableQueue::Hash, is_pushed_down: true, ..parallel_query() };
    let [end, rows, buffers] = waited(&cluster_of(1, of), events);
    let elapsed = took(&cluster_of(1, of)).0 * 1e6;
    assert!(end > 0.0 && end < 0.1 * elapsed && buffers == 0.0, "{end} and {buffers} of {elapsed}");
    // 4,250 rows of 1 µs and 252 messages of 15 µs each.
    near_rel(rows, 4.0 * (elapsed - 4_250.0 - 252.0 * 15.0), 0.02, "for rows");
}
