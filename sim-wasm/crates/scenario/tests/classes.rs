//! Which class processes are in where nobody says: Oracle's `_high_priority_processes` holds `LMS*`, with priority
//! `_os_sched_high_priority` 1, and so has them in real time wherever the system has that.
use wwi_model::config::{Class, Config, KindConfig};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn config(query: &str) -> Config {
    to_config(&decode(query).unwrap_or_else(|problems| panic!("{query}: {problems:?}")).scenario)
}

/// The LMS of the first instance of two on eight CPUs each.
fn lms(settings: &str) -> KindConfig {
    let config = config(&format!("your-host?cluster_nodes=2&interconnect=1GbE&workload=oltp&{settings}"));
    config.instances[0].others.lms.as_ref().expect("LMS").kind.clone()
}

#[test]
fn lms_are_in_real_time_where_the_system_has_it_and_nobody_says_otherwise() {
    for (scheduler, class) in [
        ("CFS", Class::RoundRobin),
        ("EEVDF", Class::RoundRobin),
        ("O1", Class::RoundRobin),
        ("AIX", Class::RoundRobin),
        ("Solaris", Class::RealTime),
        ("round_robin", Class::TimeSharing),
        ("fifo", Class::TimeSharing),
    ] {
        let kind = lms(&format!("os_scheduler={scheduler}"));
        assert_eq!((kind.class, kind.priority), (class, 1), "{scheduler}");
    }
    assert_eq!(lms("class@lms=TS").class, Class::TimeSharing);
    assert_eq!(lms("class=TS").class, Class::TimeSharing, "said of all, it is said of them");
    assert_eq!(lms("class@session=FIFO&priority@lms=30").priority, 30);
    let fixed = lms("os_scheduler=AIX&class@lms=FX&priority@lms=50");
    assert_eq!((fixed.class, fixed.priority), (Class::Fixed, 50));
}

/// The log writer is no part of that list, nor is anybody else.
#[test]
fn nobody_else_is() {
    let config = config("your-host?cluster_nodes=2&interconnect=1GbE&workload=oltp&background_processes=2");
    let is_ordinary = |class: Option<Class>| class.is_none_or(|class| class == Class::TimeSharing);
    let groups = config.groups();
    let in_real_time: Vec<&str> = groups.iter().filter(|of| !is_ordinary(of.class)).map(|of| of.kind.name()).collect();
    assert_eq!(in_real_time, ["lms", "lms"]);
}

/// One LMS cannot keep eight CPUs from a kernel thread; as many as CPUs can, where no limit keeps them from it.
#[test]
fn heartbeats_count_where_real_time_could_use_all_cpus() {
    let counts = |settings: &str| {
        let eight = "sockets=1&cores_per_socket=4&threads_per_core=2";
        let query =
            format!("your-host?{eight}&cluster_nodes=2&interconnect=1GbE&workload=oltp&os_scheduler={settings}");
        config(&query).cluster.as_ref().expect("a cluster").css.is_some()
    };
    for scheduler in ["CFS", "O1", "AIX", "Solaris"] {
        assert!(!counts(scheduler), "{scheduler}");
    }
    assert!(!counts("AIX&gcs_server_processes=7"));
    assert!(counts("AIX&gcs_server_processes=8"));
    assert!(counts("AIX&gcs_server_processes@instance2=8"));
    assert!(!counts("AIX&gcs_server_processes=8&class@lms=TS"));
    assert!(!counts("CFS&gcs_server_processes=8"), "the limit of real time leaves others a turn");
    assert!(counts("CFS&gcs_server_processes=8&sched_rt_runtime_us=-1"));
    assert!(counts("CFS&gcs_server_processes=8&sched_rt_runtime_us=0"), "nor does the kernel limit to nothing");
    assert!(counts("AIX&class@session=FIFO&priority@session=30"));
    assert!(counts("AIX&class@background=FX&background_processes=1"), "a fixed priority may stay before all others");
    // Real time shares one limit: who comes first may use it up, and an LMS behind him has no turn, nor one of others'.
    let hogs = "CFS&class@background=RR&background_processes=1";
    assert!(counts(&format!("{hogs}&priority@background=50")));
    assert!(!counts(&format!("{hogs}&priority@background=50&priority@lms=51")));
    assert!(!counts(&format!("{hogs}&priority@background=50&class@lms=TS")));
}
