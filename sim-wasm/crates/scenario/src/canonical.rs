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

/// What a knob has otherwise than the preset. A default that depends on other values is never left to them where a
/// value was said: the text may be read with further values on top.
fn differences(knob: &'static Knob, scenario: &Scenario, base: &Scenario, pairs: &mut Vec<(String, String)>) {
    let scopes = scopes(knob, scenario);
    let said = |of: &Scenario, scope| -> Option<Value> {
        let said = of.says(Address { knob, scope }).or_else(|| of.says(Address { knob, scope: Scope::All }));
        said.cloned().or_else(|| knob.fixed_default())
    };
    let values: Vec<Option<Value>> = scopes.iter().map(|&scope| said(scenario, scope)).collect();
    let is_new = |at: usize| values[at] != said(base, scopes[at]);
    if !(0..scopes.len()).any(is_new) {
        return;
    }
    match &values[0] {
        Some(first) if values.iter().all(|value| value.as_ref() == Some(first)) => {
            pairs.push((knob.id.to_owned(), first.to_text()));
        }
        _ => {
            for at in (0..scopes.len()).filter(|&at| is_new(at)) {
                if let Some(value) = &values[at] {
                    pairs.push((Address { knob, scope: scopes[at] }.to_text(), value.to_text()));
                }
            }
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

/// Every value that holds: by bare name what holds where nothing narrower is said, and by scoped name where there are
/// several parts.
pub fn resolved(scenario: &Scenario) -> BTreeMap<String, serde_json::Value> {
    let mut values = BTreeMap::new();
    for knob in KNOBS {
        for scope in std::iter::once(Scope::All).chain(scopes(knob, scenario)) {
            let address = Address { knob, scope };
            values.insert(address.to_text(), scenario.get(address).to_json());
        }
    }
    values
}
