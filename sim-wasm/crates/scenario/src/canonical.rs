//! The shortest text that says a scenario: a preset and what differs from it, in the order of the table.

use crate::address::{Address, ProcessKind, Scope};
use crate::document::Document;
use crate::encoding::encode;
use crate::json::{self, Map};
use crate::knob::{Knob, NameScope};
use crate::knobs::KNOBS;
use crate::scenario::Scenario;
use crate::value::Value;

/// `preset?knob=value&…`; for a scenario without a preset its document on one line.
pub fn canonical(scenario: &Scenario) -> String {
    let Some(preset) = scenario.preset else {
        return json::to_string(&Document::of(scenario));
    };
    let (base, _) = preset.scenario();
    let mut pairs = Vec::new();
    for knob in KNOBS {
        differences(knob, scenario, &base, &mut pairs);
    }
    for (key, words) in [("title", &scenario.title), ("note", &scenario.note)] {
        if !words.is_empty() {
            pairs.push((key.to_owned(), words.clone()));
        }
    }
    join(preset.id, &pairs)
}

/// `head?key=value&…`, encoded.
pub fn join(head: &str, pairs: &[(String, String)]) -> String {
    let query: Vec<String> = pairs.iter().map(|(key, text)| format!("{}={}", encode(key), encode(text))).collect();
    if query.is_empty() {
        head.to_owned()
    } else {
        format!("{head}?{}", query.join("&"))
    }
}

/// What a knob has otherwise than the preset. A default that depends on other values is never left to them where a
/// value was said: the text may be read with further values on top.
fn differences(knob: &'static Knob, scenario: &Scenario, base: &Scenario, pairs: &mut Vec<(String, String)>) {
    let said = |of: &Scenario, scope| -> Option<Value> {
        let said = of.spoken(Address { knob, scope }).map(|(_, value)| value);
        said.cloned().or_else(|| knob.fixed_default())
    };
    let groups: Vec<Vec<Part>> = groups(knob, scenario)
        .into_iter()
        .map(|group| group.into_iter().map(|scope| (scope, said(scenario, scope), said(base, scope))).collect())
        .collect();
    let mut say = |scope, value: &Value| pairs.push((Address { knob, scope }.to_text(), value.to_text()));
    if !groups.iter().flatten().any(is_new) {
        return;
    }
    if let Some(value) = common(groups.iter().flatten()) {
        return say(Scope::ALL, value);
    }
    for group in groups.iter().filter(|group| group.iter().any(is_new)) {
        match (common(group.iter()), group[0].0.kind) {
            (Some(value), Some(kind)) => say(Scope::kind(kind), value),
            _ => group.iter().filter(|part| is_new(part)).for_each(|(scope, value, _)| {
                value.iter().for_each(|value| say(*scope, value));
            }),
        }
    }
}

/// A part, what was said of it, and what the preset says.
type Part = (Scope, Option<Value>, Option<Value>);

fn is_new((_, value, below): &Part) -> bool {
    value != below
}

/// The value that was said of all of them.
fn common<'a>(mut parts: impl Iterator<Item = &'a Part>) -> Option<&'a Value> {
    let first = parts.next()?.1.as_ref()?;
    parts.all(|(_, value, _)| value.as_ref() == Some(first)).then_some(first)
}

/// The smallest parts of a scenario that a knob can differ between, in the order of canonical links: of process kinds
/// a group for each.
pub(crate) fn groups(knob: &Knob, scenario: &Scenario) -> Vec<Vec<Scope>> {
    let groups: Vec<Vec<Scope>> = match knob.scope {
        NameScope::Run => vec![vec![Scope::ALL]],
        NameScope::Node => vec![(1..=scenario.nodes).map(Scope::node).collect()],
        NameScope::Instance => vec![(1..=scenario.instances.len()).map(Scope::instance).collect()],
        NameScope::Kind => ProcessKind::all().map(|kind| scenario.parts_of(kind, None)).collect(),
    };
    let shortest = |group: Vec<Scope>| group.into_iter().map(|scope| scenario.shortest(knob, scope)).collect();
    groups.into_iter().map(shortest).collect()
}

/// Where a knob may have a value of its own: by bare name, of each kind, of each of the smallest parts, and wherever
/// something was said.
pub(crate) fn addresses(knob: &'static Knob, scenario: &Scenario) -> Vec<Address> {
    let mut scopes = vec![Scope::ALL];
    for group in groups(knob, scenario) {
        scopes.extend(group.first().and_then(|scope| scope.kind).map(Scope::kind));
        scopes.extend(group);
    }
    scopes.extend(scenario.said().filter(|(address, _)| address.knob.id == knob.id).map(|(address, _)| address.scope));
    let mut once: Vec<Scope> = Vec::new();
    for scope in scopes {
        if !once.contains(&scope) {
            once.push(scope);
        }
    }
    once.into_iter().map(|scope| Address { knob, scope }).collect()
}

/// Every value that holds: by bare name what holds where nothing narrower is said, and by scoped name where there are
/// several parts. Where narrower words say what the preset does, what else is said of a knob holds nowhere.
pub fn resolved(scenario: &Scenario) -> Map {
    let base = scenario.preset.map(|preset| preset.scenario().0);
    let mut map = Map::new();
    for knob in KNOBS {
        let mut pairs = Vec::new();
        base.iter().for_each(|base| differences(knob, scenario, base, &mut pairs));
        let below = base.as_ref().filter(|_| pairs.is_empty());
        for address in addresses(knob, scenario) {
            let value = match below.map(|base| base.spoken(address)) {
                Some(Some((_, value))) => value.clone(),
                Some(None) => scenario.unsaid(address),
                None => scenario.get(address),
            };
            map.insert(address.to_text(), value.to_json());
        }
    }
    map
}
