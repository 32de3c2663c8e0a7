//! How many nodes a cluster has: new ones are as what is said for all, the last are left out first and keep what was
//! said of them.

use wwi_model::config::{Arrivals, Config};
use wwi_scenario::acts::acting;
use wwi_scenario::canonical::canonical;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::{decode, decode_with};

fn told(text: &str) -> String {
    let problems = decode(text).expect_err(text);
    problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; ")
}

fn sessions(config: &Config, at: usize) -> u32 {
    match config.instances[at].workload.arrivals {
        Arrivals::Closed { sessions, .. } => sessions,
        _ => 0,
    }
}

fn closed_sessions(text: &str) -> Vec<u32> {
    let decoded = decode(text).expect(text);
    let config = to_config(&decoded.scenario);
    let of = |node: usize| config.instances.iter().filter(move |instance| instance.node == node);
    assert!((0..config.nodes.len()).all(|node| of(node).count() == 1), "an instance on each");
    (0..config.instances.len()).map(|at| sessions(&config, at)).collect()
}

#[test]
fn each_node_has_an_instance_and_new_ones_are_as_is_said_for_all() {
    assert_eq!(closed_sessions("starved-lms"), [20, 20, 4]);
    assert_eq!(closed_sessions("starved-lms?cluster_nodes=5"), [20, 20, 4, 20, 20]);
    assert_eq!(closed_sessions("starved-lms?cluster_nodes=2"), [20, 20]);
    assert_eq!(closed_sessions("starved-lms?sessions@instance5=7&cluster_nodes=5&sessions=3"), [3, 3, 3, 3, 7]);
    assert_eq!(closed_sessions("dbwr-moderate?interconnect=10GbE&cluster_nodes=3&sessions=9"), [9, 9, 9]);
    let sixteen = closed_sessions("starved-lms?cluster_nodes=16");
    assert_eq!((sixteen.len(), sixteen[2], sixteen[15]), (16, 4, 20));
}

#[test]
fn who_is_left_out_is_as_before_once_it_is_back() {
    let fewer = decode("starved-lms?cluster_nodes=2&sessions@instance3=5&a=").expect("what is left out may be named");
    assert_eq!(canonical(&fewer.scenario), "starved-lms?cluster_nodes=2");
    // Further values, and A, are layers on top.
    let sets = [("cluster_nodes".to_owned(), "3".to_owned())];
    let back = decode_with("starved-lms?cluster_nodes=2&sessions@instance3=5", &sets).expect("it is back");
    assert_eq!(sessions(&to_config(&back.scenario), 2), 5);
    let two = decode("starved-lms?cluster_nodes=2&a.cluster_nodes=3").expect("A has the third");
    let of_a = to_config(&two.compared);
    assert_eq!((sessions(&of_a, 2), of_a.nodes[2].cores_per_socket, to_config(&two.scenario).nodes.len()), (4, 2, 2));
}

#[test]
fn canonical_texts_say_the_same_again() {
    for text in [
        "starved-lms?cluster_nodes=5&sessions@instance4=7",
        "sequence-nocache?cluster_nodes=4",
        "bitmap-reads?cluster_nodes=3",
    ] {
        let one = decode(text).expect(text);
        let again = decode(&canonical(&one.scenario)).expect(text);
        assert_eq!(canonical(&again.scenario), canonical(&one.scenario));
        assert_eq!(to_config(&again.scenario), to_config(&one.scenario), "{text}");
    }
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let alone = "interconnect = 1GbE joins two instances or more with workload = oltp or select; there is one";
    assert_eq!(told("starved-lms?cluster_nodes=1"), alone);
    // What is said of a host that is left out is not said of the only one that is there.
    let said_of_both = "slow-redo-elsewhere?cluster_nodes=1&arrivals@instance1=closed&arrivals@instance3@node3=closed";
    assert_eq!(told(said_of_both), alone);
    assert_eq!(
        told("starved-lms?cluster_nodes=5&interconnect=none"),
        "cluster_nodes = 5: no interconnect joins its hosts"
    );
    assert_eq!(told("dbwr-heavy?cluster_nodes=2"), "cluster_nodes = 2: no interconnect joins its hosts");
    let shared = "cluster_nodes = 3: hosts can be added where each has one instance, which is not so here";
    assert_eq!(told("two-instances?cluster_nodes=3"), shared);
    assert!(told("starved-lms?cluster_nodes=17").contains("16"));
    let four = "sessions@instance4: there is no instance 4; the scenario has 3";
    assert_eq!(told("starved-lms?cluster_nodes=2&sessions@instance4=5"), four);
    let listed = "cluster_nodes: a document lists its hosts in nodes";
    assert_eq!(told(r#"{"version": 1, "cluster_nodes": 2}"#), listed);
}

/// Transactions that read nothing else from disk read the undo for copies that are left to them, with leave.
#[test]
fn leave_to_read_is_asked_for_undo() {
    for (undo, is_asked) in [("0", false), ("5", true)] {
        let text = format!(
            "cpu-queue?arrivals=closed&interconnect=10GbE&cluster_nodes=3&workload=oltp&\
            physical_reads_per_transaction=0&gc_undo_uncached_percent@instance3={undo}"
        );
        let acting = acting(&decode(&text).expect("it is right").scenario);
        assert_eq!(acting.iter().any(|one| one == "gc_affinity_percent@instance1"), is_asked, "{undo} %");
    }
}

/// Who changes a block, or the only one of a sequence, keeps it pinned and has others build copies; who only reads is
/// given what there is, and transactions take grants whether they change anything or not.
#[test]
fn what_changes_of_blocks_take_acts_where_somebody_changes_them() {
    let changed = ["fairness_threshold", "gc_build_us", "gc_pin_us", "gc_undo_uncached_percent", "gc_log_flush_waits"];
    let shared = ["gc_granted_us"];
    for (instances, is_shared, is_changed) in [
        ("workload=select", false, false),
        ("workload=oltp&redo_bytes_per_transaction=0", true, false),
        ("workload=oltp", true, true),
        ("workload=select&workload@instance2=oltp", true, true),
        ("workload=oltp&redo_bytes_per_transaction=0&sequence_values_per_transaction@instance2=1", true, true),
    ] {
        let text = ["cpu-queue?arrivals=closed&interconnect=10GbE&cluster_nodes=3&", instances].concat();
        let scenario = decode(&text).expect(instances).scenario;
        let acting = acting(&scenario);
        let act = |names: &[&str]| names.iter().map(|&name| acting.iter().any(|one| one == name)).collect::<Vec<_>>();
        assert_eq!((act(&shared), act(&changed)), (vec![is_shared], vec![is_changed; 5]), "{instances}");
    }
}
