//! The shortest text that says a scenario: a preset and what differs from it, in the order of the table.

use crate::address::{Address, Scope, PROCESS_KINDS};
use crate::document::Document;
use crate::encoding::encode;
use crate::knob::{Knob, NameScope};
use crate::knobs::KNOBS;
use crate::scenario::Scenario;
use crate::value::Value;
use std::collections::BTreeMap;

/// `preset?knob=value&…`; for a scenario without a preset its document on one line.
pub fn canonical(scenario: &Scenario) -> String {
    let Some(preset) = scenario.preset else {
        return serde_json::to_string(&Document::of(scenario)).unwrap_or_default();
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

fn differences(knob: &'static Knob, scenario: &Scenario, base: &Scenario, pairs: &mut Vec<(String, String)>) {
    let scopes = scopes(knob, scenario);
    let is_said = std::iter::once(Scope::All)
        .chain(scopes.iter().copied())
        .any(|scope| scenario.says(Address { knob, scope }).is_some());
    if !is_said {
        return;
    }
    let value = |of: &Scenario, scope| of.get(Address { knob, scope });
    // What the reader of the text will find where it says nothing: the word of the preset, else the default here.
    let unsaid = |scope| {
        let is_said = [scope, Scope::All].into_iter().any(|scope| base.says(Address { knob, scope }).is_some());
        if is_said {
            value(base, scope)
        } else {
            scenario.unsaid(Address { knob, scope })
        }
    };
    let differing: Vec<Scope> =
        scopes.iter().copied().filter(|&scope| value(scenario, scope) != unsaid(scope)).collect();
    let Some(&first) = differing.first() else { return };
    if scopes.iter().all(|&scope| value(scenario, scope) == value(scenario, first)) {
        pairs.push((knob.id.to_owned(), value(scenario, first).to_text()));
    } else {
        for scope in differing {
            pairs.push((Address { knob, scope }.to_text(), value(scenario, scope).to_text()));
        }
    }
}

/// The parts of a scenario that a knob can differ between.
pub(crate) fn scopes(knob: &Knob, scenario: &Scenario) -> Vec<Scope> {
    match knob.scope {
        NameScope::Run => vec![Scope::All],
        NameScope::Node if scenario.nodes == 1 => vec![Scope::All],
        NameScope::Instance if scenario.instances.len() == 1 => vec![Scope::All],
        NameScope::Node => (1..=scenario.nodes).map(Scope::Node).collect(),
        NameScope::Instance => (1..=scenario.instances.len()).map(Scope::Instance).collect(),
        NameScope::Kind => PROCESS_KINDS.iter().map(|&(kind, _)| Scope::Kind(kind)).collect(),
    }
}

/// Every value that holds: by bare name (of the first part), and by scoped name where there are several parts.
pub fn resolved(scenario: &Scenario) -> BTreeMap<String, serde_json::Value> {
    let mut values = BTreeMap::new();
    for knob in KNOBS {
        let scopes = scopes(knob, scenario);
        let of = |scope| -> Value { scenario.get(Address { knob, scope }) };
        values.insert(knob.id.to_owned(), of(scopes[0]).to_json());
        if scopes.len() > 1 {
            for scope in scopes {
                values.insert(Address { knob, scope }.to_text(), of(scope).to_json());
            }
        }
    }
    values
}
