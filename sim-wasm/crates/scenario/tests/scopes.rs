//! Scopes are products of kind, instance and host: which value holds where, how it is written, and what is refused.

use wwi_kernel::rng::Stream;
use wwi_model::config::{Class, Config};
use wwi_scenario::acts::{acting, warnings};
use wwi_scenario::address::{Address, Scope};
use wwi_scenario::canonical::{canonical, resolved};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::{decode, decode_with};
use wwi_scenario::knob::{find, Group, Kind, Knob, NameScope};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::{document::Document, json::Json};
use wwi_scenario::{scenario::Scenario, value::Value};

/// Instances 1 and 2 on the first host, 3 on the second, with a background process and a server on each.
const HOSTS: &str = r#""nodes": [{}, {}], "instances": [{"node": 1}, {"node": 1}, {"node": 2}],
    "background_processes": 1, "service_per_s": 10"#;

fn document(more: &str) -> String {
    format!("{{\"version\": 1, {HOSTS}{}{more}}}", if more.is_empty() { "" } else { ", " })
}

fn set(text: &str, sets: &[(&str, &str)]) -> Result<Scenario, String> {
    let sets: Vec<(String, String)> = sets.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect();
    let told = |problems: Vec<wwi_scenario::problem::Problem>| {
        problems.iter().map(|p| format!("{}: {:?}: {}", p.path, p.code, p.message)).collect::<Vec<_>>().join("\n")
    };
    decode_with(text, &sets).map(|decoded| decoded.scenario).map_err(told)
}

/// Nice values: sessions of the three instances, background and server of the two hosts.
fn nices(scenario: &Scenario) -> String {
    let config = to_config(scenario);
    let sessions = config.instances.iter().map(|i| i.session_kind.nice);
    let background = config.nodes.iter().map(|n| n.background.kind.nice);
    let service = config.nodes.iter().flat_map(|n| n.service.as_ref()).map(|s| s.kind.nice);
    let all = [sessions.collect::<Vec<_>>(), background.collect(), service.collect()];
    all.map(|some| some.iter().map(i32::to_string).collect::<Vec<_>>().join(" ")).join(" | ")
}

fn nices_of(more: &str) -> String {
    nices(&set(&document(more), &[]).expect("valid"))
}

#[test]
fn the_narrower_wins_and_of_two_that_cross_the_kind() {
    assert_eq!(nices_of(r#""nice@session@instance2": 1, "nice@background@node2": 2"#), "0 1 0 | 0 2 | 0 0");
    assert_eq!(nices_of(r#""nice": 9, "nice@node1": 1, "nice@instance2": 2"#), "1 2 9 | 1 9 | 1 9");
    // More parts win over fewer, whichever they are.
    assert_eq!(nices_of(r#""nice@session@node1": 1, "nice@session": 2, "nice@node1": 3"#), "1 1 2 | 3 0 | 3 0");
    // A kind crosses a host, a kind crosses an instance: the kind wins.
    assert_eq!(nices_of(r#""nice@background": 1, "nice@node2": 2"#), "0 0 2 | 1 1 | 0 2");
    assert_eq!(nices_of(r#""nice@session": 1, "nice@instance2": 2"#), "1 1 1 | 0 0 | 0 0");
    // Of an instance and its host the instance; also beside a kind.
    assert_eq!(nices_of(r#""nice@instance1": 1, "nice@node1": 2"#), "1 2 0 | 2 0 | 2 0");
    assert_eq!(nices_of(r#""nice@session@node1": 1, "nice@session@instance2": 2"#), "1 2 0 | 0 0 | 0 0");
    // A host beside an instance says nothing new.
    assert_eq!(nices_of(r#""nice@node1@instance2": 1, "nice@session": 2"#), "2 2 2 | 0 0 | 0 0");
}

#[test]
fn within_a_layer_the_order_of_writing_does_not_matter() {
    let pairs = [("nice", "1"), ("nice@node1", "2"), ("nice@session", "3"), ("nice@session@instance3", "4")];
    let text = document("");
    let first = nices(&set(&text, &pairs).expect("valid"));
    assert_eq!(first, "3 3 4 | 2 1 | 2 1");
    for turn in 0..24 {
        let (mut rest, mut order, mut number) = (pairs.to_vec(), Vec::new(), turn);
        while !rest.is_empty() {
            order.push(rest.remove(number % rest.len()));
            number /= rest.len() + 1;
        }
        assert_eq!(nices(&set(&text, &order).expect("valid")), first, "{order:?}");
    }
}

#[test]
fn a_later_layer_speaks_for_all_of_its_part() {
    let over = |below: &str, sets: &[(&str, &str)]| nices(&set(&document(below), sets).expect("valid"));
    // Whatever a layer below says of less.
    assert_eq!(over(r#""nice@session@instance2": 1"#, &[("nice", "5")]), "5 5 5 | 5 5 | 5 5");
    assert_eq!(over(r#""nice@session@instance2": 1"#, &[("nice@session", "5")]), "5 5 5 | 0 0 | 0 0");
    assert_eq!(over(r#""nice@session@instance2": 1"#, &[("nice@node1", "5")]), "5 5 0 | 5 0 | 5 0");
    // Also where one below crosses it that would win within a layer.
    assert_eq!(over(r#""nice@session": 1"#, &[("nice@node2", "5")]), "1 1 5 | 0 5 | 0 5");
    assert_eq!(over(r#""nice@session": 1"#, &[("nice@instance2", "5")]), "1 5 1 | 0 0 | 0 0");
    assert_eq!(over(r#""nice@session@node1": 1"#, &[("nice@instance2", "5")]), "1 5 0 | 0 0 | 0 0");
    let crossing = [("nice@node1", "5"), ("nice@instance2", "6")];
    assert_eq!(over(r#""nice@session": 1"#, &crossing), "5 6 1 | 5 0 | 5 0");
    // And it leaves the rest alone.
    assert_eq!(over(r#""nice@background": 1"#, &[("nice@session@node2", "5")]), "0 0 5 | 1 1 | 0 0");
}

#[test]
fn an_instance_knob_of_a_host_speaks_for_its_instances() {
    let scenario =
        set(&document(r#""sessions": 4, "sessions@node1": 9, "sessions@instance2": 2"#), &[]).expect("valid");
    let sessions =
        to_config(&scenario).instances.iter().map(|i| format!("{:?}", i.workload.arrivals)).collect::<String>();
    assert!(["sessions: 9", "sessions: 2", "sessions: 4"].iter().all(|words| sessions.contains(words)), "{sessions}");
    assert_eq!(resolved(&scenario).get("sessions@instance1").and_then(Json::as_f64), Some(9.0));
}

#[test]
fn what_is_wrong_with_a_scope_has_its_path() {
    let told = |key: &str| set(&document(""), &[(key, "1")]).expect_err("wrong");
    assert_eq!(
        told("nice@node2@instance1"),
        "nice@node2@instance1: NoSuchScope: nice@node2@instance1: instance 1 runs on node 1, not on node 2"
    );
    assert_eq!(
        told("nice@session@node3"),
        "nice@session@node3: NoSuchScope: nice@session@node3: there is no node 3; the scenario has 2"
    );
    assert_eq!(
        told("nice@session@session"),
        "nice@session@session: Duplicate: nice@session@session: says its process kind twice; \
         an address says each part at most once"
    );
    assert_eq!(
        told("nice@rvwr@node2"),
        "nice@rvwr@node2: UnknownScope: nice@rvwr@node2: there is no scope “rvwr”; \
         scopes are @node1, @instance1, @session, @background, @service, @lgwr, @dbwr, @ckpt, @client, @lms, \
         @lmd, @lck0, @slave, @heartbeat, @background2 and @background3"
    );
    let twice = set(&document(""), &[("nice@session@node2", "1"), ("nice@node2@session", "2")]).expect_err("twice");
    assert_eq!(twice, "nice@node2@session: Duplicate: nice@node2@session is given twice");
    // The same in a document, and for A.
    let inside = set(&document(r#""nice@instance3@node1": 1"#), &[]).expect_err("wrong");
    assert!(inside.ends_with("instance 3 runs on node 2, not on node 1"), "{inside}");
    let a = decode("two-instances?a.nice@session@node2=1").expect_err("one host");
    assert_eq!(
        (a[0].path.as_str(), a[0].message.as_str()),
        ("a.nice@session@node2", "a.nice@session@node2: there is no node 2; the scenario has only one")
    );
}

#[test]
fn rules_are_told_where_they_are_broken() {
    let told = |more: &str| set(&document(more), &[]).expect_err("wrong");
    let has = "which CFS does not have; it has TS, FIFO, RR, BATCH";
    for (said, word) in [("class@session@instance2", "RT"), ("class@service@node2", "IA")] {
        let words = told(&format!("\"{said}\": \"{word}\""));
        assert_eq!(words, format!("{said}: Conflict: {said} is {word}, {has}"));
    }
    assert_eq!(
        told(r#""class": "RR", "priority@node2": 120"#),
        ["session@instance3", "background@node2", "service@node2"]
            .map(|part| format!(
                "priority@{part}: Conflict: priority@{part} lies between 1 and 99 in class RR of CFS, not 120"
            ))
            .join("\n")
    );
    assert_eq!(
        told(r#""cpus_allowed@session@instance3": "8""#),
        "cpus_allowed@session@instance3: OutOfRange: \
         cpus_allowed@session@instance3 names thread 8; host 2 has threads 0 to 7"
    );
    let idle = document(r#""class@session@instance2": "RT", "sessions@instance2": 0"#);
    let config = to_config(&decode(&idle).expect("nobody is there whose class it is").scenario);
    assert_eq!(config.instances[1].session_kind.class, Class::TimeSharing);
}

#[test]
fn what_does_not_act_is_told_by_its_part() {
    let told = |more: &str| {
        let decoded = decode(&document(more)).expect("valid");
        warnings(&decoded.scenario, &decoded.given).into_iter().map(|w| w.message).collect::<Vec<_>>().join("; ")
    };
    assert_eq!(told(r#""nice@session@instance2": 1"#), "");
    assert_eq!(
        told(r#""nice@session@instance2": 1, "sessions@instance2": 0"#),
        "nice@session@instance2 has no effect: arrivals@instance2 is closed and sessions@instance2 is 0"
    );
    assert_eq!(
        told(r#""priority@node2": 9, "class@session@instance2": "FIFO""#),
        "priority@node2 has no effect: class@session is TS"
    );
    assert_eq!(told(r#""priority@node1": 9, "class@session@instance2": "FIFO""#), "");
    let scenario = set(&document(r#""class@session@instance2": "FIFO""#), &[]).expect("valid");
    let priorities: Vec<_> = acting(&scenario).into_iter().filter(|key| key.starts_with("priority")).collect();
    assert_eq!(priorities, ["priority", "priority@session", "priority@session@instance2"]);
    let limits: Vec<_> = acting(&scenario).into_iter().filter(|key| key.starts_with("sched_rt_runtime_us")).collect();
    assert_eq!(limits, ["sched_rt_runtime_us", "sched_rt_runtime_us@node1"], "real time runs on one host");
}

/// Another value than this one, which breaks no rule.
fn other(knob: &Knob, now: &Value) -> String {
    match (knob.id, knob.kind) {
        ("os_scheduler", _) => "EEVDF".to_owned(),
        ("class", _) => "RR".to_owned(),
        ("smt_yield" | "turbo_table", _) => "1/0.9".to_owned(),
        ("consumer_group_sessions" | "consumer_group_shares", _) => "1/3".to_owned(),
        ("cpus_allowed" | "affinity_cpus", _) => "0-1".to_owned(),
        ("sched_rt_runtime_us", _) => "5000".to_owned(),
        ("sched_rt_period_us", _) => "2000000".to_owned(),
        ("sockets" | "cores_per_socket", _) => "3".to_owned(),
        ("threads_per_core", _) => "1".to_owned(),
        ("db_cache_mb", _) => "2048".to_owned(),
        ("interconnect", _) => "10GbE".to_owned(),
        (_, Kind::Choice(words)) => words.iter().find(|word| **word != now.as_word()).expect("two words").to_string(),
        _ if now.as_number() == knob.max => knob.min.to_string(),
        _ => (knob.max.min(now.as_number() + knob.step)).to_string(),
    }
}

/// So that every knob reaches the model.
const AWAKE: &str = r#""resource_manager_plan": "default", "affinity": "hard", "cgroup": "own",
    "cpu_max_quota_ms": 50, "class@session": "TS", "latch_share": 0.1, "sockets": 2,
    "kind_cpu_weight": 1, "kind_cpu_max_quota_ms": 50, "background2_processes": 1, "background3_processes": 1"#;

/// What a knob of one part leads to, less what it leads to anyway.
fn parts_moved(before: &Config, after: &Config) -> String {
    let nodes = before.nodes.iter().zip(&after.nodes).enumerate().filter(|(_, (b, a))| a != b);
    let instances = before.instances.iter().zip(&after.instances).enumerate().filter(|(_, (b, a))| a != b);
    let nodes: Vec<String> = nodes.map(|(at, _)| format!("node{}", at + 1)).collect();
    let instances: Vec<String> = instances.map(|(at, _)| format!("instance{}", at + 1)).collect();
    [nodes, instances].concat().join(" ")
}

/// All that a database can have, so that each of its knobs acts.
const OLTP: &str = r#", "workload": "oltp", "client_ms": 1, "redo_log_members": 2, "data_slow_percent": 10,
    "redo_slow_percent": 10, "fast_start_mttr_target": 1, "cache_sets": 40, "db_cache_mb": 4096"#;

/// Its knobs in another group.
const DATABASE: &str = "calls_per_transaction client_ms block_changes_per_transaction contended_blocks \
    contended_changes_per_transaction block_pin_us physical_reads_per_transaction blocks_per_read query_percent \
    lio_per_query physical_reads_per_query";

#[test]
fn every_knob_of_a_cluster_can_be_said_of_one_instance_and_moves_nothing_elsewhere() {
    for knob in KNOBS.iter().filter(|knob| matches!(knob.group, Group::Cluster | Group::Sequence)) {
        let is_of_all = knob.group == Group::Cluster;
        let sequence = r#""sequence_values_per_transaction": 1, "sequence_transfers": "given""#;
        let more = if is_of_all { r#""gc_log_flush": "given", "css_heartbeats": "on""# } else { sequence };
        let hosts = r#"{"version": 1, "nodes": [{}, {}, {}], "instances": [{"node": 1}, {"node": 2}, {"node": 3}]"#;
        let text = &format!(r#"{hosts}, "workload": "oltp", "interconnect": "1GbE", {more}}}"#);
        let scenario = set(text, &[]).expect("valid");
        let before = to_config(&scenario);
        let value = other(knob, &scenario.get(Address { knob, scope: Scope::ALL }));
        let after = |part: &str| to_config(&set(text, &[(&format!("{}{part}", knob.id), &value)]).expect("valid"));
        if knob.scope == NameScope::Run {
            let moved = after("");
            let in_each = |at: usize| moved.instances[at].others.sequence != before.instances[at].others.sequence;
            let has_moved = if is_of_all { moved.cluster != before.cluster } else { (0..3).all(in_each) };
            assert!(has_moved && moved.nodes == before.nodes || knob.id == "cluster_nodes", "{}", knob.id);
            continue;
        }
        let moved = |part: &str| parts_moved(&before, &after(part));
        assert_eq!([moved("@node2"), moved("@instance3")], ["instance2", "instance3"], "{}", knob.id);
    }
}

#[test]
fn every_knob_of_a_parallel_query_can_be_said_of_one_instance_and_moves_nothing_elsewhere() {
    let text = r#"{"version": 1, "nodes": [{}, {}], "instances": [{"node": 1}, {"node": 2}],
        "workload": "parallel_query", "interconnect": "1GbE"}"#;
    let before = to_config(&set(text, &[]).expect("valid"));
    for knob in KNOBS.iter().filter(|knob| knob.group == Group::Parallel) {
        let value = other(knob, &set(text, &[]).expect("valid").get(Address { knob, scope: Scope::ALL }));
        let after = |part: &str| to_config(&set(text, &[(&format!("{}{part}", knob.id), &value)]).expect("valid"));
        let moved = ["@node2", "@instance1"].map(|part| parts_moved(&before, &after(part)));
        assert_eq!(moved, ["instance2", "instance1"], "{}", knob.id);
    }
}

#[test]
fn every_knob_can_be_said_of_one_host_and_moves_nothing_elsewhere() {
    let modes: [(&str, &[&str]); 6] = [
        (r#", "arrivals": "open", "lio_per_transaction": 10"#, &["arrivals_per_s"]),
        (r#", "arrivals": "messages""#, &["arrivals", "message_groups", "message_pairs", "message_buffer"]),
        (r#", "arrivals": "batch""#, &["batch_work_s"]),
        (r#", "workload": "oltp", "calls_per_transaction": 1"#, &["commits_per_call"]),
        (r#", "numa_memory": "bound""#, &["numa_remote", "numa_socket"]),
        (r#", "idle_states": "custom", "cpu_type": "custom""#, &["idle_exit_us", "idle_residency_us", "turbo_table"]),
    ];
    let text = |mode: &str| document(&format!("{AWAKE}{mode}"));
    let is_apart = |group: Group| matches!(group, Group::Cluster | Group::Sequence | Group::Parallel);
    let of_one_host = |knob: &&Knob| knob.scope != NameScope::Run && !is_apart(knob.group);
    for knob in KNOBS.iter().filter(of_one_host) {
        let is_of_database = matches!(knob.group, Group::Redo | Group::Writers | Group::Storage)
            || DATABASE.split(' ').any(|id| id == knob.id);
        let of_mode = modes.iter().find(|(_, ids)| ids.contains(&knob.id)).map_or("", |(mode, _)| mode);
        let mode = match knob.group {
            _ if is_of_database => OLTP,
            Group::Access if knob.id == "index_gets" => r#", "workload": "select", "access_path": "index""#,
            Group::Access => r#", "workload": "select""#,
            _ => of_mode,
        };
        let scenario = set(&text(mode), &[]).expect("valid");
        let before = to_config(&scenario);
        let value = other(knob, &scenario.get(Address { knob, scope: Scope::ALL }));
        let moved = |part: &str| {
            let key = format!("{}{part}", knob.id);
            let after = set(&text(mode), &[(&key, &value)]).unwrap_or_else(|words| panic!("{key}={value}: {words}"));
            parts_moved(&before, &to_config(&after))
        };
        match knob.scope {
            // How many threads a host has decides what no mask and no cage of an instance means.
            NameScope::Node => assert!(moved("@node2").starts_with("node2"), "{}: {}", knob.id, moved("@node2")),
            NameScope::Instance => {
                assert_eq!([moved("@node2"), moved("@instance2")], ["instance3", "instance2"], "{}", knob.id);
                assert_eq!(moved("@node1"), "instance1 instance2", "{}", knob.id);
            }
            _ => {
                assert_eq!(moved("@background@node2"), "node2", "{}", knob.id);
                assert_eq!(moved("@service@node1"), "node1", "{}", knob.id);
                assert_eq!([moved("@session@node2"), moved("@instance2")], ["instance3", "instance2"], "{}", knob.id);
                assert_eq!(moved("@node2"), "node2 instance3", "{}", knob.id);
            }
        }
    }
}

/// A random scenario of up to three hosts and four instances.
fn random_shape(rng: &mut Stream) -> String {
    let nodes = 1 + rng.below(3);
    let instances: Vec<String> =
        (0..1 + rng.below(4)).map(|_| format!("{{\"node\": {}}}", 1 + rng.below(nodes))).collect();
    let hosts = vec!["{}"; nodes as usize].join(", ");
    format!("{{\"version\": 1, \"nodes\": [{hosts}], \"instances\": [{}]}}", instances.join(", "))
}

fn random_scope(rng: &mut Stream) -> String {
    let mut parts: Vec<String> = Vec::new();
    if rng.below(2) == 0 {
        parts.push(["@session", "@background", "@service"][rng.below(3) as usize].to_owned());
    }
    if rng.below(2) == 0 {
        parts.push(format!("@instance{}", 1 + rng.below(4)));
    }
    if rng.below(2) == 0 {
        parts.push(format!("@node{}", 1 + rng.below(3)));
    }
    if rng.below(2) == 0 {
        parts.reverse();
    }
    parts.concat()
}

/// Which value holds, worked out the slow way: of the topmost layer that speaks of the place, the pair that wins.
fn slowly(scenario: &Scenario, layers: &[Vec<(Address, f64)>], id: &str, place: Scope) -> Option<f64> {
    let speaks = |scope: Scope| {
        let host = scope.instance.map(|instance| scenario.instances[instance - 1].node);
        (scope.kind.is_none() || scope.kind == place.kind)
            && (scope.instance.is_none() || scope.instance == place.instance)
            && (scope.node.is_none() || scope.node == place.node)
            && (host.is_none() || host == place.node)
    };
    let strength = |scope: Scope| {
        let parts = [scope.kind.is_some(), scope.instance.is_some(), scope.node.is_some()];
        let count = parts.iter().filter(|&&is_said| is_said).count();
        100 * count + 10 * usize::from(parts[0]) + usize::from(parts[1])
    };
    layers.iter().rev().find_map(|layer| {
        let here = layer.iter().filter(|(address, _)| address.knob.id == id && speaks(address.scope));
        here.max_by_key(|(address, _)| strength(address.scope)).map(|(_, value)| *value)
    })
}

/// The smallest parts of a scenario, written out in full.
fn places(scenario: &Scenario, knob: &Knob) -> Vec<Scope> {
    let hosts: Vec<Scope> = (1..=scenario.nodes).map(Scope::node).collect();
    let of = |(at, shape): (usize, &wwi_scenario::scenario::InstanceShape)| Scope {
        instance: Some(at + 1),
        ..Scope::node(shape.node)
    };
    let instances: Vec<Scope> = scenario.instances.iter().enumerate().map(of).collect();
    match knob.scope {
        NameScope::Run => vec![Scope::ALL],
        NameScope::Node => hosts,
        NameScope::Instance => instances,
        NameScope::Kind => wwi_scenario::address::ProcessKind::all()
            .flat_map(|kind| {
                let parts = if kind.is_per_instance() { &instances } else { &hosts };
                parts.iter().map(move |&part| Scope { kind: Some(kind), ..part })
            })
            .collect(),
    }
}

#[test]
fn random_layers_hold_what_the_slow_way_says_and_are_written_so() {
    let mut crossed = 0;
    for case in 0..3_000 {
        let mut rng = Stream::new(5, 0, "scopes", case, "text");
        let mut scenario = decode(&random_shape(&mut rng)).expect("valid").scenario;
        let mut layers: Vec<Vec<(Address, f64)>> = Vec::new();
        for _ in 0..1 + rng.below(3) {
            let mut layer: Vec<(Address, f64)> = Vec::new();
            for _ in 0..1 + rng.below(5) {
                let id = ["nice", "nice", "nice", "rm_tick_ms", "sched_r"][rng.below(5) as usize];
                let Ok(address) = Address::parse(&format!("{id}{}", random_scope(&mut rng)), &scenario) else {
                    continue;
                };
                if layer.iter().all(|(known, _)| *known != address) {
                    layer.push((address, rng.below(15) as f64));
                }
            }
            scenario.lay(layer.iter().map(|&(address, value)| (address, Value::Number(value))).collect());
            layers.push(layer);
        }
        let again = decode(&serde_json::to_string(&Document::of(&scenario)).expect("JSON")).expect("valid").scenario;
        for knob in ["nice", "rm_tick_ms", "sched_r"].map(|id| find(id).expect("a knob")) {
            for place in places(&scenario, knob) {
                let expected = slowly(&scenario, &layers, knob.id, place);
                let address = Address { knob, scope: scenario.shortest(knob, place) };
                let name = format!("case {case}: {} of {layers:?}", address.to_text());
                let default = knob.default_value().as_number();
                assert_eq!(scenario.get(address).as_number(), expected.unwrap_or(default), "{name}");
                assert_eq!(again.get(address), scenario.get(address), "{name}, as a document");
            }
        }
        crossed += usize::from(layers.len() > 1 && layers.iter().flatten().count() > 3);
    }
    assert!(crossed > 500, "only {crossed} with several layers");
}

/// Lines of which a canonical text is made by the preset with two instances: the same values hold where they did.
#[test]
fn a_canonical_line_says_the_same_wherever_it_is_read() {
    for case in 0..600 {
        let mut rng = Stream::new(6, 0, "scopes", case, "text");
        let pairs: Vec<String> = (0..1 + rng.below(6))
            .map(|_| {
                let id = ["nice", "class", "priority", "rm_tick_ms", "cpus_allowed"][rng.below(5) as usize];
                let value = match id {
                    "class" => ["TS", "FIFO", "RR"][rng.below(3) as usize].to_owned(),
                    "cpus_allowed" => ["all", "0-3", "1"][rng.below(3) as usize].to_owned(),
                    _ => (1 + rng.below(15)).to_string(),
                };
                format!("{id}{}={value}", random_scope(&mut rng))
            })
            .collect();
        let text = format!("two-instances?service_per_s=10&background_processes=1&{}", pairs.join("&"));
        let Ok(decoded) = decode(&text) else { continue };
        let line = canonical(&decoded.scenario);
        let again = decode(&line).unwrap_or_else(|problems| panic!("{text} -> {line}: {problems:?}"));
        assert_eq!(to_config(&again.scenario), to_config(&decoded.scenario), "{text} -> {line}");
        assert_eq!(canonical(&again.scenario), line, "{text}");
    }
}
