//! Kinds of load beside the database in scenarios: what goes to the model, and what is refused.
use wwi_model::config::{Class, Config};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn config(text: &str) -> Config {
    to_config(&decode(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}")).scenario)
}

fn refused(text: &str) -> Vec<String> {
    decode(text).expect_err("refused").iter().map(|problem| problem.to_string()).collect()
}

/// Two backup processes of nice 10 on CPUs 4 to 7 with one CPU, and four batch jobs in class BATCH.
#[test]
fn backup_and_batch_beside_the_database() {
    let config = config(
        "instance-caging-vm?background2_processes=2&background2_sleep_ms=0&nice@background2=10\
         &cpus_allowed@background2=4-7&kind_cpu_weight@background2=100&kind_cpu_max_quota_ms@background2=100\
         &background3_processes=4&class@background3=BATCH",
    );
    let [backup, batch] = config.nodes[0].more_background.clone().map(|load| load.expect("both are there"));
    assert_eq!((backup.processes, backup.sleep.0, backup.kind.nice), (2, 0, 10));
    assert_eq!(backup.kind.cpus.as_ref().map(|cpus| cpus.0.clone()), Some(vec![4, 5, 6, 7]));
    let group = backup.kind.cgroup.expect("a group of its own");
    assert_eq!((group.weight, group.quota.map(|q| q.as_ms()), group.period.as_ms()), (100, Some(100.0), 100.0));
    assert_eq!((batch.processes, batch.kind.class, batch.kind.cgroup), (4, Class::Batch, None));
    assert_eq!(config.nodes[0].background.processes, 0);
}

#[test]
fn without_processes_there_is_no_such_kind() {
    assert_eq!(config("instance-caging-vm?nice@background2=10").nodes[0].more_background, [None, None]);
    assert_eq!(config("instance-caging-vm?class@background3=FIFO").nodes[0].more_background, [None, None]);
}

/// Real time is under no `cpu.max`, so a group of it is none.
#[test]
fn a_real_time_kind_is_in_no_group() {
    let text = "instance-caging-vm?background2_processes=1&kind_cpu_weight@background2=100&class@background2=FIFO";
    let [load, _] = &config(text).nodes[0].more_background;
    assert_eq!(load.as_ref().map(|load| load.kind.cgroup), Some(None));
}

#[test]
fn what_cannot_be() {
    let load = "background2_processes=2";
    for (said, words) in [
        (
            "os_scheduler=O1&class@background2=BATCH",
            "class@background2 is BATCH, which O1 does not have; it has TS, FIFO, RR",
        ),
        (
            "os_scheduler=AIX&kind_cpu_weight@background2=100",
            "kind_cpu_weight@background2 is 100, a control group, which only CFS and EEVDF know; os_scheduler is AIX",
        ),
        (
            "kind_cpu_weight@background2=100&kind_cpu_max_quota_ms@background2=0.5",
            "kind_cpu_max_quota_ms@background2 is 0 for no limit, or at least 1 ms, not 0.5",
        ),
        (
            "kind_cpu_weight@background2=100&kind_cpu_max_quota_ms@background2=50&kind_cpu_max_burst_ms@background2=60",
            "kind_cpu_max_burst_ms@background2 is 60, more than the quota of 50 ms",
        ),
        ("cpus_allowed@background2=4-9", "cpus_allowed@background2 names thread 9; the host has threads 0 to 7"),
    ] {
        assert_eq!(refused(&format!("instance-caging-vm?{load}&{said}")), [words], "{said}");
    }
    let open =
        "instance-caging-vm?resource_manager_plan=none&arrivals=open&arrivals_per_s=10&kind_cpu_weight@session=100\
                &kind_cpu_max_quota_ms@session=10";
    assert!(refused(open)[0].contains("where cpu.max gives 0.1"), "{:?}", refused(open));
}
