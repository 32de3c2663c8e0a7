//! Consumer groups by knobs and by list: what goes to the model, and what is refused.
use wwi_model::config::GroupConfig;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;

fn groups(text: &str) -> Vec<GroupConfig> {
    let decoded = decode(text).unwrap_or_else(|problems| panic!("{text}: {problems:?}"));
    to_config(&decoded.scenario).instances[0].cage.as_ref().expect("a cage").groups.clone()
}

fn in_short(text: &str) -> Vec<String> {
    let of = |group: &GroupConfig| {
        let GroupConfig { name, sessions, shares, utilization_limit, level } = group;
        format!("{name} {sessions} {shares} {utilization_limit} {level}")
    };
    groups(text).iter().map(of).collect()
}

fn refused(text: &str) -> Vec<String> {
    let problems = decode(text).expect_err("refused");
    problems.iter().map(|problem| format!("{} {:?}: {problem}", problem.path, problem.code)).collect()
}

#[test]
fn as_many_groups_as_entries() {
    assert_eq!(in_short("instance-caging-vm"), ["OTHER_GROUPS 1 1 1 1"]);
    assert_eq!(
        in_short("instance-caging-vm?consumer_group_sessions=3/9&consumer_group_shares=75/25"),
        ["GROUP_1 3 75 1 1", "GROUP_2 9 25 1 1"]
    );
    assert_eq!(
        in_short("instance-caging-vm?consumer_group_shares=3/2/1"),
        ["GROUP_1 1 3 1 1", "GROUP_2 1 2 1 1", "GROUP_3 1 1 1 1"]
    );
    assert_eq!(in_short("instance-caging-vm?consumer_group_sessions=7"), ["OTHER_GROUPS 1 1 1 1"], "alike");
}

#[test]
fn a_list_names_the_groups_and_the_knobs_size_them() {
    let document = |said: &str| {
        format!(
            r#"{{ "version": 1, "sessions": 12, "resource_manager_plan": "default", "instances": [ {{ {said}
            "consumer_groups": [ {{ "name": "OLTP", "shares": 3 }},
            {{ "name": "BATCH", "utilization_limit": 50, "level": 2 }} ] }} ] }}"#
        )
    };
    assert_eq!(in_short(&document("")), ["OLTP 1 3 1 1", "BATCH 1 1 0.5 2"]);
    assert_eq!(in_short(&document("\"consumer_group_sessions\": [3, 9],")), ["OLTP 3 3 1 1", "BATCH 9 1 0.5 2"]);
    assert_eq!(in_short(&document("\"consumer_group_shares\": [5, 7],")), ["OLTP 1 5 1 1", "BATCH 1 7 0.5 2"]);
    assert_eq!(
        refused(&document("\"consumer_group_sessions\": [3, 4, 5],")),
        ["consumer_group_sessions BadVector: consumer_group_sessions has 3 entries, and consumer_groups has 2: one for \
          each consumer group"]
    );
}

#[test]
fn what_cannot_be() {
    for (said, words) in [
        (
            "consumer_group_sessions=3/9&consumer_group_shares=1/2/3",
            "consumer_group_shares BadVector: consumer_group_shares has 3 entries, and consumer_group_sessions has 2: \
             one for each consumer group",
        ),
        (
            "consumer_group_sessions=3/9.5",
            "consumer_group_sessions BadVector: consumer_group_sessions has whole numbers, not 9.5",
        ),
        (
            "consumer_group_sessions=0/0",
            "consumer_group_sessions BadVector: consumer_group_sessions is 0 for every consumer group",
        ),
        (
            "consumer_group_shares=1/0",
            "consumer_group_shares OutOfRange: consumer_group_shares lies between 1 and 1000000, not 0",
        ),
    ] {
        assert_eq!(refused(&format!("instance-caging-vm?{said}")), [words], "{said}");
    }
    let many = vec!["1"; 17].join("/");
    assert_eq!(
        refused(&format!("instance-caging-vm?consumer_group_sessions={many}")),
        ["consumer_group_sessions BadVector: consumer_group_sessions has one to 16 entries"]
    );
    let own = refused("two-instances?consumer_group_sessions@instance2=0/0");
    assert!(own[0].starts_with("consumer_group_sessions@instance2 BadVector"), "{own:?}");
}
