//! Scenario documents: JSON, version 1.

use crate::address::Address;
use crate::canonical::groups;
use crate::consumers::MOST_GROUPS;
use crate::decode::{read_value, set_json_words, Input};
use crate::json::{self, Json, Map};
use crate::knob::{find, Knob, NameScope};
use crate::knobs::KNOBS;
use crate::number;
use crate::problem::{Code, Problems};
use crate::scenario::{ConsumerGroup, Scenario};
use crate::value::{quoted, Value};
use serde::Serialize;

/// Version written and read.
pub const VERSION: u32 = 1;
const MAX_NODES: usize = 16;
const MAX_INSTANCES: usize = 64;

/// A scenario as a JSON document. Keys not named here are knobs; at the top they may carry a scope
/// (`"nice@session@node2"`, `"cpu_count@instance2"`), inside a host or an instance they never do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Document {
    /// 1.
    pub version: u32,
    /// Shown above the charts.
    pub title: String,
    /// Anything worth knowing.
    pub note: String,
    /// Root of all randomness.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub seed: u64,
    /// Relative half-width to stop at; absent: 0.01 on the command line, 0.03 in the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub precision: Option<f64>,
    /// Event budget.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub max_events: u64,
    /// Hosts; knobs of scope node.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>[]"))]
    pub nodes: Vec<Map>,
    /// Instances: `node` (counted from 1), `consumer_groups`, and knobs of scope instance.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>[]"))]
    pub instances: Vec<Map>,
    /// Knobs of scope kind: `nice@session`, `class@session@instance2`.
    #[serde(flatten)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub kinds: Map,
}

impl Document {
    /// Writes down what a scenario says.
    pub fn of(scenario: &Scenario) -> Document {
        let mut document = Document {
            version: VERSION,
            title: scenario.shown_title().to_owned(),
            note: match scenario.preset {
                Some(preset) if scenario.note.is_empty() => preset.note.to_owned(),
                _ => scenario.note.clone(),
            },
            seed: scenario.run_number("seed") as u64,
            precision: None,
            max_events: scenario.run_number("max_events") as u64,
            nodes: vec![Map::new(); scenario.nodes],
            instances: Vec::new(),
            kinds: Map::new(),
        };
        for shape in &scenario.instances {
            let mut instance = Map::new();
            instance.insert("node".to_owned(), Json::Number(shape.node as f64));
            if !shape.groups.is_empty() {
                let groups = shape.groups.iter().map(group_json).collect();
                instance.insert("consumer_groups".to_owned(), Json::List(groups));
            }
            document.instances.push(instance);
        }
        for (address, value) in scenario.said().filter(|(address, _)| address.knob.scope == NameScope::Kind) {
            document.kinds.insert(address.to_text(), value.to_json());
        }
        for knob in KNOBS {
            document.say(scenario, knob);
        }
        document
    }

    /// Writes down what is said of a knob: of a host in its entry, of an instance in its entry.
    fn say(&mut self, scenario: &Scenario, knob: &'static Knob) {
        for scope in groups(knob, scenario).concat() {
            let Some((_, value)) = scenario.spoken(Address { knob, scope }) else { continue };
            let part = scenario.full(knob, scope);
            match (knob.scope, part.node, part.instance) {
                (NameScope::Run, ..) => match knob.id {
                    "precision" => self.precision = Some(value.as_number()),
                    "seed" | "max_events" | "cluster_nodes" => {}
                    _ => self.kinds.insert(knob.id.to_owned(), value.to_json()),
                },
                (NameScope::Node, Some(node), _) => {
                    self.nodes[node - 1].insert(knob.id.to_owned(), value.to_json());
                }
                (NameScope::Instance, _, Some(instance)) => {
                    self.instances[instance - 1].insert(knob.id.to_owned(), value.to_json());
                }
                _ => {}
            }
        }
    }
}

fn group_json(group: &ConsumerGroup) -> Json {
    Json::object(&[
        ("name", Json::from(group.name.as_str())),
        ("shares", Json::Number(group.shares.into())),
        ("utilization_limit", Json::Number(group.utilization_limit)),
        ("level", Json::Number(group.level.into())),
    ])
}

/// Reads a document; `None` only where nothing can be read at all.
pub(crate) fn read(text: &str, problems: &mut Problems) -> Option<Scenario> {
    let json = match json::read(text) {
        Ok(json) => json,
        Err(error) => {
            let message = format!("this is not JSON: {error}");
            problems.add("", Code::NotJson, message);
            return None;
        }
    };
    let Json::Object(map) = json else {
        problems.add("", Code::WrongType, format!("a scenario is an object, not {}", json.type_name()));
        return None;
    };
    check_version(map.get("version"), problems)?;
    let nodes = parts(&map, "nodes", MAX_NODES, problems);
    let instances = parts(&map, "instances", MAX_INSTANCES, problems);
    let mut scenario = Scenario::blank(nodes.len(), instances.len());
    for (at, instance) in instances.iter().enumerate() {
        if let Some(Some(node)) = instance.map(|instance| host_of(instance, nodes.len())) {
            scenario.instances[at].node = node;
        }
    }
    let mut fresh = Vec::new();
    for (key, value) in map.members() {
        match key {
            "version" | "nodes" | "instances" => {}
            "cluster_nodes" => {
                let message = "cluster_nodes: a document lists its hosts in nodes".to_owned();
                problems.add(key, Code::Conflict, message);
            }
            "title" | "note" => set_json_words(&mut scenario, key, value, problems),
            _ => read_value(&scenario, key, Input::Json(value), "", &mut fresh, problems),
        }
    }
    for (count, node) in nodes.iter().enumerate() {
        read_part(&scenario, node, (NameScope::Node, count + 1), &mut fresh, problems);
    }
    for (count, instance) in instances.iter().enumerate() {
        read_part(&scenario, instance, (NameScope::Instance, count + 1), &mut fresh, problems);
        read_shape(&mut scenario, instance, count, problems);
    }
    scenario.lay(fresh);
    Some(scenario)
}

fn check_version(version: Option<&Json>, problems: &mut Problems) -> Option<()> {
    match version.map(|json| (json, json.as_f64())) {
        Some((_, Some(number))) if number == f64::from(VERSION) => Some(()),
        Some((json, _)) => {
            let shown = quoted(&json::to_string(json));
            let message = format!("version is {VERSION}, the only one there is, not {shown}");
            problems.add("version", Code::UnknownVersion, message);
            None
        }
        None => {
            problems.add("version", Code::Missing, format!("version is missing: write \"version\": {VERSION}"));
            None
        }
    }
}

/// The objects of a list; one empty object where there is no list.
fn parts<'a>(map: &'a Map, key: &str, most: usize, problems: &mut Problems) -> Vec<Option<&'a Map>> {
    let Some(json) = map.get(key) else {
        return vec![None];
    };
    let Json::List(items) = json else {
        problems.add(key, Code::WrongType, format!("{key} is a list, not {}", json.type_name()));
        return vec![None];
    };
    if items.is_empty() || items.len() > most {
        problems.add(key, Code::TooMany, format!("{key} has 1 to {most} entries, not {}", items.len()));
    }
    for (count, item) in items.iter().take(most).enumerate() {
        if item.as_object().is_none() {
            let path = format!("{key}[{}]", count + 1);
            let message = format!("{path} is an object, not {}", item.type_name());
            problems.add(&path, Code::WrongType, message);
        }
    }
    let objects: Vec<_> = items.iter().take(most).map(Json::as_object).collect();
    if objects.is_empty() {
        vec![None]
    } else {
        objects
    }
}

fn read_part(
    scenario: &Scenario,
    part: &Option<&Map>,
    (scope, number): (NameScope, usize),
    fresh: &mut Vec<(Address, Value)>,
    problems: &mut Problems,
) {
    let name = if scope == NameScope::Node { "node" } else { "instance" };
    for (key, value) in part.iter().flat_map(|map| map.members()) {
        if scope == NameScope::Instance && (key == "node" || key == "consumer_groups") {
            continue;
        }
        let path = format!("{key}@{name}{number}");
        match find(key) {
            Some(knob) if knob.scope != scope => {
                let message = format!("{key} is no knob of a {name}; it stands at the top of the document");
                let message = match knob.scope {
                    NameScope::Node => format!("{key} belongs to a host: move it into nodes"),
                    NameScope::Instance => format!("{key} belongs to an instance: move it into instances"),
                    _ => message,
                };
                problems.add(&path, Code::UnknownKey, message);
            }
            None if key.contains('@') => {
                let message = format!("{} stands inside {name} {number} already; leave out the scope", quoted(key));
                problems.add(&path, Code::UnknownKey, message);
            }
            _ => read_value(scenario, &path, Input::Json(value), "", fresh, problems),
        }
    }
}

/// The host that an instance names, where it is one of so many.
fn host_of(instance: &Map, nodes: usize) -> Option<usize> {
    let node = instance.get("node")?.as_f64()?;
    (node == node.trunc() && node >= 1.0 && node <= nodes as f64).then_some(node as usize)
}

fn read_shape(scenario: &mut Scenario, part: &Option<&Map>, at: usize, problems: &mut Problems) {
    let Some(part) = part else { return };
    if part.get("node").is_some() && host_of(part, scenario.nodes).is_none() {
        let path = format!("node@instance{}", at + 1);
        let message = format!("{path} is the number of a host, 1 to {}", scenario.nodes);
        problems.add(&path, Code::NoSuchScope, message);
    }
    if let Some(json) = part.get("consumer_groups") {
        scenario.instances[at].groups = read_groups(json, at + 1, problems);
    }
}

fn read_groups(json: &Json, instance: usize, problems: &mut Problems) -> Vec<ConsumerGroup> {
    let path = format!("consumer_groups@instance{instance}");
    let Json::List(items) = json else {
        problems.add(&path, Code::WrongType, format!("{path} is a list, not {}", json.type_name()));
        return Vec::new();
    };
    if items.is_empty() || items.len() > MOST_GROUPS {
        let message = format!("{path} has 1 to {MOST_GROUPS} entries, not {}", items.len());
        problems.add(&path, Code::TooMany, message);
    }
    let mut groups: Vec<ConsumerGroup> = Vec::new();
    for (count, item) in items.iter().take(MOST_GROUPS).enumerate() {
        let entry = |field: &str| format!("consumer_groups[{}].{field}@instance{instance}", count + 1);
        let Json::Object(map) = item else {
            let path = entry("name");
            problems.add(&path, Code::WrongType, format!("a consumer group is an object, not {}", item.type_name()));
            continue;
        };
        groups.push(read_group(map, &entry, problems));
    }
    for (count, group) in groups.iter().enumerate() {
        if groups[..count].iter().any(|other| other.name == group.name) {
            let message = format!("{path}: two groups are called {}", quoted(&group.name));
            problems.add(&path, Code::Duplicate, message);
        }
    }
    groups
}

fn read_group(map: &Map, entry: &dyn Fn(&str) -> String, problems: &mut Problems) -> ConsumerGroup {
    let name = match map.get("name") {
        Some(Json::Text(name)) if !name.is_empty() && name.chars().count() <= 128 => name.clone(),
        _ => {
            let path = entry("name");
            problems.add(&path, Code::Missing, format!("{path} is a name of 1 to 128 characters"));
            String::new()
        }
    };
    let mut number = |field: &str, least: f64, most: f64, whole: bool, default: f64| {
        let Some(json) = map.get(field) else { return default };
        match json.as_f64() {
            Some(value) if least <= value && value <= most && (!whole || value == value.trunc()) => value,
            _ => {
                let path = entry(field);
                let kind = if whole { "a whole number" } else { "a number" };
                let [least, most] = [least, most].map(number::plain);
                let message = format!("{path} is {kind} between {least} and {most}");
                problems.add(&path, Code::OutOfRange, message);
                default
            }
        }
    };
    let shares = number("shares", 1.0, 1_000_000.0, true, 1.0) as u32;
    let utilization_limit = number("utilization_limit", 1.0, 100.0, false, 100.0);
    let level = number("level", 1.0, 8.0, true, 1.0) as u32;
    for (key, _) in map.members() {
        if !["name", "shares", "utilization_limit", "level"].contains(&key) {
            let path = entry(key);
            let message =
                format!("a consumer group has no {}; it has name, shares, utilization_limit and level", quoted(key));
            problems.add(&path, Code::UnknownKey, message);
        }
    }
    ConsumerGroup { name, shares, utilization_limit, level }
}
