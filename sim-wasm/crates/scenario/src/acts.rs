//! Which knobs can change anything in a scenario. What the decoder accepts is another matter: a value that does not
//! act is kept, for it may act once another is moved.

use crate::address::{Address, ProcessKind, Scope};
use crate::canonical::addresses;
use crate::knob::NameScope;
use crate::knobs::{KNOBS, PRESENT};
use crate::scenario::Scenario;
use crate::when::{Place, When};
use serde::Serialize;

/// A value that was given and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Warning {
    /// Address of the value.
    pub path: String,
    /// One sentence.
    pub message: String,
}

/// When a host has processes of a kind; those of an instance, at that instance.
pub const fn presence(kind: ProcessKind) -> When {
    PRESENT[kind.0 as usize]
}

/// Every place that a value at an address speaks of.
fn places(scenario: &Scenario, address: Address) -> Vec<Place> {
    let Address { knob, scope } = address;
    let full = scenario.full(knob, scope);
    let parts: Vec<Scope> = match knob.scope {
        NameScope::Kind => ProcessKind::all().flat_map(|kind| scenario.parts_of(kind, None)).collect(),
        NameScope::Instance => {
            (1..=scenario.instances.len()).map(|n| scenario.full(knob, Scope::instance(n))).collect()
        }
        NameScope::Run | NameScope::Node => (1..=scenario.nodes).flat_map(|node| on_host(scenario, node)).collect(),
    };
    let is_spoken_of = |part: &Scope| full.covers(*part);
    parts.into_iter().filter(is_spoken_of).map(Place::of).collect()
}

/// A host with each of its instances, or alone.
fn on_host(scenario: &Scenario, node: usize) -> Vec<Scope> {
    let host = Scope::node(node);
    let here: Vec<Scope> = scenario.instances_on(node).map(|n| Scope { instance: Some(n), ..host }).collect();
    if here.is_empty() {
        vec![host]
    } else {
        here
    }
}

/// What must hold at a place for the value to act there, in the order in which it is told.
fn conditions(address: Address, place: Place) -> [When; 2] {
    [place.kind.map_or(When::Always, presence), address.knob.acts]
}

/// Whether the value at an address can change anything in a scenario.
pub fn acts(scenario: &Scenario, address: Address) -> bool {
    let all = |place: Place| conditions(address, place).iter().all(|when| when.holds(scenario, place));
    places(scenario, address).into_iter().any(all)
}

/// The values among those given that change nothing, each with the reason.
pub fn warnings(scenario: &Scenario, given: &[Address]) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = Vec::new();
    for &address in given.iter().filter(|&&address| !acts(scenario, address)) {
        let reason = places(scenario, address).first().map(|&place| {
            let broken = conditions(address, place).into_iter().find(|when| !when.holds(scenario, place));
            broken.unwrap_or(When::Always).because(false, scenario, place)
        });
        let path = address.to_text();
        let left_out = || format!("the scenario has {} hosts", scenario.nodes);
        let message = format!("{path} has no effect: {}", reason.unwrap_or_else(left_out));
        if warnings.iter().all(|known| known.path != path) {
            warnings.push(Warning { path, message });
        }
    }
    warnings
}

/// Addresses of all values that act: each knob's bare name, that of each part where there are several, and what is
/// said.
pub fn acting(scenario: &Scenario) -> Vec<String> {
    let all = KNOBS.iter().flat_map(|knob| addresses(knob, scenario));
    all.filter(|&address| acts(scenario, address)).map(|address| address.to_text()).collect()
}
