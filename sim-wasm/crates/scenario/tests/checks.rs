//! Text in, sentence out: hosts, classes, masks and groups that cannot be.

use wwi_scenario::acts::warnings;
use wwi_scenario::canonical::canonical;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn short(text: &str) -> String {
    match decode(text) {
        Ok(decoded) => canonical(&decoded.scenario),
        Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[test]
fn hosts_that_cannot_be() {
    assert_eq!(short("cpu-queue?cores_per_socket=0"), "cores_per_socket lies between 1 and 256, not 0");
    assert_eq!(
        short("cpu-queue?sockets=16&cores_per_socket=256"),
        "cores_per_socket makes 4096 hardware threads together with sockets and threads_per_core; the model holds 1024"
    );
    assert_eq!(short("cpu-queue?sockets=4&cores_per_socket=256"), "cpu-queue?sockets=4&cores_per_socket=256");
    assert_eq!(
        short("cpu-queue?cores_per_socket=8&cores_per_llc=3"),
        "cores_per_llc is no divisor of cores_per_socket = 8"
    );
    assert_eq!(
        short("cpu-queue?cores_per_socket=8&cores_per_llc=16"),
        "cores_per_llc is no divisor of cores_per_socket = 8"
    );
    assert_eq!(
        short("cpu-queue?sockets=5&cores_per_socket=26&cores_per_llc=2"),
        "cores_per_llc makes 65 last-level caches; the model holds 64"
    );
    let most = "cpu-queue?sockets=8&cores_per_socket=16&cores_per_llc=2";
    assert_eq!(short(most), most);
    let falls = "lpar-smt4?smt_yield=1%2F1.4%2F1.2%2F0.9";
    assert_eq!(short(falls), falls, "a core with all threads busy may do less than one alone");
    assert_eq!(short("cpu-queue?smt_yield=1/0.4"), "smt_yield lies between 0.5 and 8 ×, not 0.4");
    assert_eq!(
        short("cpu-queue?cpu_type=custom&turbo_table=3.6/3.4/3.5"),
        "turbo_table rises from 3.4 to 3.5; with more cores active none runs faster"
    );
    let idle = "cpu-queue?turbo_table=3.4%2F3.5";
    assert_eq!(short(idle), idle, "it does not act");
    assert_eq!(
        short("two-hosts?cpu_type@node2=custom&turbo_table@node2=2/3"),
        "turbo_table@node2 rises from 2 to 3; with more cores active none runs faster"
    );
    assert_eq!(
        short("cpu-queue?cpu_type=custom&turbo_table=3600/3400"),
        "turbo_table lies between 0.1 and 10 GHz, not 3600"
    );
    assert_eq!(short(&format!("cpu-queue?turbo_table=2{}", "/2".repeat(256))), "turbo_table has one to 256 entries");
    assert!(short("cpu-queue?cpu_type=Gold_6147").starts_with("cpu_type is one of none, E5-2667_v2, Gold_5218, "));
    for (knob, range) in [
        ("working_set_mb", "0 and 1000 MB"),
        ("l2_mb", "0 and 64 MB"),
        ("llc_mb", "0 and 4096 MB"),
        ("l2_fill_gb_s", "1 and 1000 GB/s"),
        ("llc_fill_gb_s", "1 and 1000 GB/s"),
    ] {
        assert_eq!(short(&format!("cpu-queue?{knob}=-1")), format!("{knob} lies between {range}, not -1"));
    }
    assert_eq!(
        short("soft-affinity-tpcc?numa_memory=bound&numa_socket@instance2=2"),
        "numa_socket@instance2 is 2; the host has sockets 0 to 1"
    );
    assert_eq!(short("cpu-queue?numa_memory=bound&numa_socket=1"), "numa_socket is 1; the host has only socket 0");
    assert_eq!(short("cpu-queue?numa_socket=1"), "cpu-queue?numa_socket=1", "it does not act");
}

#[test]
fn masks_that_cannot_be() {
    assert_eq!(
        short("soft-affinity-tpcc?affinity_cpus@instance2=44-88"),
        "affinity_cpus@instance2 names thread 88; the host has threads 0 to 87"
    );
    assert_eq!(
        short("instance-caging-vm?affinity=hard&affinity_cpus=0-3,9"),
        "affinity_cpus names thread 9; the host has threads 0 to 7"
    );
    assert_eq!(
        short("instance-caging-vm?cpus_allowed@session=8-11"),
        "cpus_allowed@session names thread 11; the host has threads 0 to 7"
    );
    assert_eq!(
        short("instance-caging-vm?affinity=hard&affinity_cpus="),
        "affinity_cpus is empty: write all, or threads such as 0-21,44-65"
    );
    assert_eq!(
        short("instance-caging-vm?affinity=hard&affinity_cpus=0-3&cpus_allowed@session=4-7"),
        "affinity_cpus is 0-3 and cpus_allowed@session is 4-7: no thread is in both"
    );
    assert_eq!(
        short("instance-caging-vm?affinity=soft&affinity_cpus=0-3&os_scheduler=AIX"),
        "affinity is soft, which only CFS and EEVDF know; os_scheduler is AIX"
    );
    assert_eq!(
        short("cpu-queue?affinity=hard&affinity_cpus=0-3"),
        "arrivals_per_s asks for 7.20 CPUs of work where affinity leaves 4 threads: the queue would grow for ever\n\
         affinity is hard; fifo has one queue for all threads and takes none"
    );
    assert_eq!(
        short("cpu-queue?cpus_allowed@session=0-7"),
        "cpus_allowed@session is 0-7; fifo has one queue for all threads: write all"
    );
    assert_eq!(
        short("cpu-queue?cpus_allowed@background=0-99"),
        "cpu-queue?cpus_allowed%40background=0-99",
        "there is no background process"
    );
    assert_eq!(short("instance-caging-vm?affinity_cpus=4-7,0-2,3"), "instance-caging-vm?affinity_cpus=0-7");
}

#[test]
fn masks_by_host() {
    let text = r#"{"version":1,"cpus_allowed@session":"0-5","nodes":[{},{"cores_per_socket":2}],
        "instances":[{"node":1},{"node":2}]}"#;
    assert_eq!(short(text), "cpus_allowed@session names thread 5; host 2 has threads 0 to 3");
    let config = to_config(&decode(&text.replace("0-5", "1,3")).expect("valid").scenario);
    assert_eq!(config.instances[1].session_kind.cpus.as_ref().map(|set| set.0.clone()), Some(vec![1, 3]));
    let config = to_config(&decode("soft-affinity-tpcc?affinity_cpus=all").expect("valid").scenario);
    let wwi_model::config::Affinity::Soft(set) = &config.instances[0].affinity else { panic!("soft") };
    assert_eq!(set.0.len(), 88);
}

#[test]
fn classes_and_priorities() {
    assert_eq!(
        short("starved-service?class@service=RT"),
        "class@service is RT, which CFS does not have; it has TS, FIFO, RR, BATCH"
    );
    assert_eq!(short("cpu-queue?class@session=FIFO"), "class@session is FIFO, which fifo does not have; it has TS");
    assert_eq!(
        short("starved-service?os_scheduler=AIX&class@service=FIFO&class@background=IA"),
        "priority@service lies between 1 and 39 in class FIFO of AIX, not 50"
    );
    assert_eq!(
        short("starved-service?os_scheduler=Solaris&class@session=FX&priority@session=61"),
        "priority@session lies between 0 and 60 in class FX of Solaris, not 61"
    );
    assert_eq!(
        short("starved-service?os_scheduler=Solaris&class@service=RT&priority@service=59&class@session=IA"),
        "starved-service?os_scheduler=Solaris&class%40session=IA&class%40service=RT&priority%40service=59"
    );
    assert_eq!(
        short("starved-service?nice=0&nice@service=-5"),
        "starved-service?nice%40service=-5",
        "the narrower address wins"
    );
    assert_eq!(
        short("starved-service?sched_rt_runtime_us=500000&sched_rt_period_us=100000"),
        "sched_rt_runtime_us is 500000 µs of a sched_rt_period_us of 100000; there is no more than all of it"
    );
    // With 0 the kernel throttles nobody (sched_rt_runtime_exceeded).
    for runtime in [-1, 0] {
        let scenario = format!("starved-service?sched_rt_runtime_us={runtime}");
        assert_eq!(to_config(&decode(&scenario).expect("valid").scenario).nodes[0].rt_runtime, None);
    }
}

#[test]
fn control_groups() {
    assert_eq!(
        short("instance-caging-vm?cgroup=own&os_scheduler=O1"),
        "cgroup is own, which only CFS and EEVDF know; os_scheduler is O1"
    );
    assert_eq!(
        short("instance-caging-vm?cgroup=own&cpu_max_quota_ms=0.5"),
        "cpu_max_quota_ms is 0 for no limit, or at least 1 ms, not 0.5"
    );
    assert_eq!(
        short("instance-caging-vm?cgroup=own&cpu_max_quota_ms=50&cpu_max_burst_ms=60"),
        "cpu_max_burst_ms is 60, more than the quota of 50 ms"
    );
    assert!(decode("instance-caging-vm?cgroup=own&cpu_max_quota_ms=50&cpu_max_burst_ms=50").is_ok());
    assert_eq!(
        short("cpu-queue?os_scheduler=CFS&cgroup=own&cpu_max_quota_ms=400"),
        "arrivals_per_s asks for 7.20 CPUs of work where cpu.max gives 4.00 CPUs: the queue would grow for ever"
    );
}

#[test]
fn messages_and_servers() {
    assert_eq!(
        short("soft-affinity-hackbench?message_groups=64&message_pairs=40"),
        "message_groups makes 2 × message_pairs processes each, 10240 over all instances; the model holds 10000"
    );
    assert_eq!(
        short("cpu-queue?os_scheduler=processor_sharing&arrivals=messages"),
        "os_scheduler is processor_sharing, which serves no messages: set arrivals to closed or open"
    );
    assert_eq!(
        short("cpu-queue?os_scheduler=processor_sharing&service_per_s=10"),
        "os_scheduler is processor_sharing, which knows no server: set service_per_s to 0"
    );
    assert!(decode("starved-service?service_per_s=475").is_ok(), "an overloaded server is what it shows");
}

#[test]
fn ticks_are_those_of_the_system() {
    let ticks = |text: &str| to_config(&decode(text).expect("valid").scenario).nodes[0].tick_hz;
    assert_eq!(
        [ticks("starved-service"), ticks("lpar-smt4"), ticks("starved-service?os_scheduler=Solaris")],
        [1000, 100, 100]
    );
    assert_eq!(ticks("lpar-smt4?tick_hz=1000"), 1000);
    assert_eq!(
        short("lpar-smt4?tick_hz=100"),
        "lpar-smt4?tick_hz=100",
        "with another scheduler on top it is no default"
    );
    assert_eq!(short("lpar-smt4?tick_hz=1000"), "lpar-smt4?tick_hz=1000");
    assert_eq!(short("starved-service?os_scheduler=AIX&tick_hz=1000"), "starved-service?os_scheduler=AIX&tick_hz=1000");
    // A default that depends on other values is never left to them where a value was said.
    assert_eq!(short("cpu-queue?cpu_count=8&cores_per_socket=16"), "cpu-queue?cpu_count=8&cores_per_socket=16");
}

/// What an instance is simulated with where a link says nothing of it: writers, sets, and writes under way.
fn writers(text: &str) -> (u32, u32, u32) {
    let decoded = decode(text).expect("a link");
    let config = to_config(&decoded.scenario);
    let database = config.instances[0].others.database.as_ref().expect("transactions that change blocks");
    (database.writers.count, database.cache.sets, database.writers.outstanding)
}

/// One writer for eight CPUs, at least one; a set for each and at least eight; and twice as many writes under way as
/// the storage serves, and six more.
#[test]
fn writers_follow_cpus_and_writes_under_way_follow_the_storage() {
    let of =
        |more: &str| writers(&format!("cpu-queue?workload=oltp&arrivals=closed&sockets=1&threads_per_core=1&{more}"));
    assert_eq!(of("cores_per_socket=4"), (1, 8, 72));
    assert_eq!(of("cores_per_socket=15"), (1, 8, 72));
    assert_eq!(of("cores_per_socket=16"), (2, 8, 72));
    assert_eq!(of("cores_per_socket=16&cpu_count=8"), (1, 8, 72));
    assert_eq!(of("cores_per_socket=80&data_io_at_once=1"), (10, 10, 8));
    assert_eq!(of("cores_per_socket=80&db_writer_processes=12&data_io_at_once=200"), (12, 12, 406));
    assert_eq!(of("cores_per_socket=64&dbwr_outstanding_writes=72&data_io_at_once=200"), (8, 8, 72));
    // Nobody asked for more writers than sets; who does is told.
    assert_eq!(of("cores_per_socket=64&cache_sets=3"), (3, 3, 72));
}

#[test]
fn redo_and_writers_that_cannot_be() {
    assert_eq!(short("dbwr-heavy?redo_log_groups=1"), "redo_log_groups lies between 2 and 255, not 1");
    assert_eq!(
        short("dbwr-heavy?cache_sets=4&db_writer_processes=5"),
        "db_writer_processes = 5 is more than cache_sets = 4: a writer without a set writes nothing"
    );
    assert_eq!(short("dbwr-heavy?data_io_at_once=0"), "data_io_at_once lies between 1 and 10000, not 0");
    assert_eq!(short("dbwr-heavy?data_io_ms=0"), "data_io_ms lies between 0.001 and 10000 ms, not 0");
    assert_eq!(short("dbwr-heavy?redo_io_ms=0"), "redo_io_ms lies between 0.001 and 60000 ms, not 0");
    assert_eq!(short("dbwr-heavy?redo_log_members=0"), "redo_log_members lies between 1 and 5, not 0");
    assert_eq!(
        short("dbwr-heavy?arrivals=messages"),
        "workload = oltp takes arrivals closed or open: processes that send messages have no transactions"
    );
    // Larger than a log: it has a log to itself.
    let large = "dbwr-heavy?redo_bytes_per_transaction=100000000&redo_log_mb=1";
    assert!(decode(large).is_ok(), "{}", short(large));
}

#[test]
fn statements_and_sessions_that_end() {
    assert_eq!(short("small-table-index?executions=-1"), "executions lies between 0 and 10000000, not -1");
    assert_eq!(
        short("small-table-index?arrivals=messages"),
        "workload = select takes arrivals closed or open: processes that send messages execute no statements"
    );
    // 100,000 gets of 1 ms.
    let long = "small-table-index?access_path=full_scan&table_blocks=100000&lio_cpu_us=100&row_cpu_ns=10000\
                &table_rows=5100000";
    let words = "makes 0.6 µs of CPU a transaction; it lies between 1 µs and 60 s";
    assert_eq!(
        short("cpu-queue?lio_per_transaction=1&lio_us=0.6"),
        format!("lio_per_transaction times lio_us {words}")
    );
    assert_eq!(short(long), "access_path makes 61.000037 s of CPU an execution; it lies between 1 µs and 60 s");
    assert_eq!(
        short("cpu-queue?arrivals=closed&executions=10&os_scheduler=processor_sharing"),
        "os_scheduler is processor_sharing, which knows no sessions that end: set executions to 0"
    );
    let acts = short("small-table-index?lio_us=3&table_blocks=50");
    assert_eq!(acts, "small-table-index?lio_us=3&table_blocks=50", "an index does not feel them, and they are kept");
}

#[test]
fn parallel_queries_that_cannot_be() {
    let px = "workload=parallel_query";
    assert_eq!(
        short("px-across-nodes?parallel_degree@instance1=0"),
        "parallel_degree@instance1 lies between 1 and 64, not 0"
    );
    assert_eq!(
        short(&format!("cpu-queue?{px}&arrivals=closed&parallel_instances=all")),
        "parallel_instances = all needs a cluster: set interconnect, and workload = parallel_query on two instances \
            or more"
    );
    assert_eq!(
        short(
            "px-across-nodes?interconnect=none&parallel_instances@instance2=local&parallel_instances@instance3=local"
        ),
        "parallel_instances@instance1 = all needs a cluster: set interconnect, and workload = parallel_query on two \
            instances or more"
    );
    assert_eq!(
        short(&format!("cpu-queue?{px}&px_rows=100")),
        "workload = parallel_query takes arrivals = closed: each session has slaves of its own"
    );
    assert_eq!(
        short("px-across-nodes?cluster_nodes=2&workload@instance2=logical_reads&parallel_instances=local"),
        "interconnect = 1GbE joins two instances or more with workload = parallel_query; there is one"
    );
    assert_eq!(
        short("px-across-nodes?cluster_nodes=2&os_scheduler=processor_sharing&executions=0"),
        "os_scheduler@node1 is processor_sharing, which knows no parallel query: set workload to logical_reads\n\
            os_scheduler@node2 is processor_sharing, which knows no parallel query: set workload to logical_reads"
    );
    assert_eq!(
        short("px-across-nodes?sessions@instance1=200&parallel_degree=64&table_queue=hash"),
        "parallel_degree makes, with sessions, 25800 over all instances; the model holds 10000"
    );
}

/// What further threads of a core add falls, as published: POWER7 1.40 with two of four threads, POWER8 1.45 and 1.89
/// with two and four of eight. A core that does the work of all its threads does so with any number of them.
#[test]
fn a_single_yield_is_shared_out_as_published_ones_are() {
    let yields = |text: &str| to_config(&decode(text).expect("a scenario").scenario).nodes[0].smt_yield.clone();
    let near = |found: f64, published: f64| assert!((found - published).abs() < 0.1, "{found} for {published}");
    let power7 = yields("lpar-smt4?smt_yield=1.6");
    near(power7[1], 1.40);
    near(power7[2], 1.52);
    assert_eq!((power7[0], power7[3]), (1.0, 1.6));
    let power8 = yields("lpar-smt4?threads_per_core=8&smt_yield=2");
    near(power8[1], 1.45);
    near(power8[3], 1.89);
    assert_eq!(yields("lpar-smt4?smt_yield=0.7"), [1.0, 0.9, 0.8, 0.7]);
    let whole = yields("lpar-smt4?smt_yield=4");
    assert!(whole.iter().zip([1.0, 2.0, 3.0, 4.0]).all(|(found, k)| (found - k).abs() < 1e-9), "{whole:?}");
}

/// Each contended block has a buffer of its own among those that stay in the cache, of which there may be more.
#[test]
fn contended_blocks_have_buffers_that_stay() {
    let hot = |query: &str| {
        let config = to_config(&decode(&format!("cpu-queue?workload=oltp&{query}")).expect("valid").scenario);
        let database = config.instances[0].others.database.as_ref().expect("it has one");
        (database.cache.hot, database.cache.hot_share > 0.0, database.contended.blocks)
    };
    assert_eq!(hot("contended_blocks=5&hot_buffers=2"), (5, true, 5));
    assert_eq!(hot("contended_blocks=5&hot_buffers=0"), (5, false, 5));
    assert_eq!(hot("contended_blocks=5&hot_buffers=900"), (900, true, 5));
    assert_eq!(
        short("cpu-queue?workload=oltp&contended_blocks=1000&hot_buffers=0&cache_sets=64&db_cache_mb=8"),
        "contended_blocks = 1000 leaves fewer than one of the 1024 buffers of db_cache_mb for each of 64 cache_sets"
    );
}

/// What makes no redo changes no block: to ask for blocks that all transactions change does nothing then, and is said.
#[test]
fn contended_blocks_without_redo_are_warned_of() {
    let told = |redo: &str| {
        let text = format!("cpu-queue?workload=oltp&contended_blocks=3&redo_bytes_per_transaction={redo}");
        let decoded = decode(&text).expect("valid");
        warnings(&decoded.scenario, &decoded.given).iter().any(|warning| warning.message.contains("contended_blocks"))
    };
    assert_eq!(["0", "1000"].map(told), [true, false]);
}

/// Two of eight active cores run at 1 + 6/7 times the speed of all; four threads at 1 + 4/7; who is alone at 2. Of two
/// sockets one may have a single core active until the other is full.
#[test]
fn arrivals_are_refused_where_no_turbo_serves_them() {
    let refused = |text: &str| short(text).contains("grow for ever");
    let caged = "cpu-queue?turbo_one_core=2&resource_manager_plan=default&cpu_count=2&arrivals_per_s=";
    assert!(!refused(&[caged, "371"].concat()) && refused(&[caged, "372"].concat()));
    let alone = "cpu-queue?turbo_one_core=2&cores_per_socket=1&arrivals_per_s=";
    assert!(!refused(&[alone, "199"].concat()) && refused(&[alone, "200"].concat()));
    let shared = [alone, "199&os_scheduler=processor_sharing"].concat();
    assert!(refused(&shared), "processor sharing knows no turbo");
    let fair = "cpu-queue?turbo_one_core=2&os_scheduler=CFS&arrivals_per_s=";
    let bound = |per_s| refused(&[fair, per_s, "&affinity=hard&affinity_cpus=0-3"].concat());
    assert!(!bound("628") && bound("629"));
    let limited = |per_s| refused(&[fair, per_s, "&cgroup=own&cpu_max_quota_ms=300"].concat());
    assert!(!limited("599") && limited("600"));
    let table = "cpu-queue?sockets=2&cores_per_socket=4&cpu_type=custom&turbo_table=2%2F1%2F1%2F1\
                 &resource_manager_plan=default";
    let of = |cpus, per_s| refused(&[table, "&cpu_count=", cpus, "&arrivals_per_s=", per_s].concat());
    assert!(!of("5", "600") && !of("6", "599") && of("6", "600"));
}
