//! Conditions on values: a small closed language, in which the table of knobs says when a knob acts and which default
//! holds. The page evaluates the very same rows, which reach it in the catalogue.

use crate::address::{Address, ProcessKind, Scope};
use crate::knob::{find, NameScope};
use crate::scenario::Scenario;
use crate::value::Value;
use serde::Serialize;

/// A condition. Names are those of knobs; each is read where the condition is asked: at one host, one instance on it
/// and, for knobs of process kinds, one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum When {
    /// Always true.
    Always,
    /// The value, as it stands in a link, is one of these.
    Is(&'static str, &'static [&'static str]),
    /// The number is greater.
    Above(&'static str, f64),
    /// The other does not hold.
    Not(&'static When),
    /// All of them hold.
    All(&'static [When]),
    /// At least one of them holds.
    Any(&'static [When]),
    /// It holds for this process kind.
    At(
        #[serde(serialize_with = "name_of")]
        #[cfg_attr(feature = "typescript", ts(type = "string"))]
        ProcessKind,
        &'static When,
    ),
    /// It holds with some instance on its host, wherever it is asked.
    Anywhere(&'static When),
    /// It is asked of this process kind.
    Of(
        #[serde(serialize_with = "name_of")]
        #[cfg_attr(feature = "typescript", ts(type = "string"))]
        ProcessKind,
    ),
}

fn name_of<S: serde::Serializer>(kind: &ProcessKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

/// Where a condition is asked. Hosts and instances count from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Host.
    pub node: usize,
    /// Instance on that host; `None`: the host alone, and what it has whatever instances run on it.
    pub instance: Option<usize>,
    /// Process kind; `None`: what is said of all.
    pub kind: Option<ProcessKind>,
}

impl Place {
    /// A host alone.
    pub fn host(node: usize) -> Place {
        Place { node, instance: None, kind: None }
    }
    /// Each instance on its host.
    fn instances(scenario: &Scenario) -> impl Iterator<Item = Place> + '_ {
        let nodes = scenario.instances.iter().map(|of| of.node);
        nodes.enumerate().map(|(at, node)| Place { node, instance: Some(at + 1), kind: None })
    }
    /// The place of a part that names its host; the first one where it names none.
    pub fn of(part: Scope) -> Place {
        Place { node: part.node.unwrap_or(1), instance: part.instance, kind: part.kind }
    }
    /// The same for one process kind; `None` where a host alone is asked for processes that only instances have.
    fn at(self, kind: ProcessKind) -> Option<Place> {
        (!kind.is_per_instance() || self.instance.is_some()).then_some(Place { kind: Some(kind), ..self })
    }
}

impl When {
    /// Whether it holds.
    pub fn holds(&self, scenario: &Scenario, place: Place) -> bool {
        match *self {
            When::Always => true,
            When::Is(id, words) => {
                read(scenario, id, place).is_some_and(|(_, v)| words.contains(&v.to_text().as_str()))
            }
            When::Above(id, least) => read(scenario, id, place).is_some_and(|(_, v)| v.as_number() > least),
            When::Not(inner) => !inner.holds(scenario, place),
            When::All(list) => list.iter().all(|one| one.holds(scenario, place)),
            When::Any(list) => list.iter().any(|one| one.holds(scenario, place)),
            When::At(kind, inner) => place.at(kind).is_some_and(|place| inner.holds(scenario, place)),
            When::Anywhere(inner) => Place::instances(scenario).any(|place| inner.holds(scenario, place)),
            When::Of(kind) => place.kind == Some(kind),
        }
    }

    /// In words, as they stand after a default: `where tick_hz is 100`; `None` where there is no simple way to say it.
    /// Of several that must hold those that have words.
    pub(crate) fn words(&self) -> Option<String> {
        match *self {
            When::Is(id, words) => Some(format!("where {id} is {}", words.join(" or "))),
            When::Above(id, least) => Some(format!("where {id} is above {least}")),
            When::Of(kind) => Some(format!("of {}", kind.name())),
            When::All(list) => {
                let told: Vec<String> = list.iter().filter_map(When::words).collect();
                (!told.is_empty()).then(|| told.join(" "))
            }
            _ => None,
        }
    }

    /// The values that make it hold (or not hold, as `truth` says): `resource_manager_plan is none`.
    pub fn because(&self, truth: bool, scenario: &Scenario, place: Place) -> String {
        let told = |one: &When| one.because(truth, scenario, place);
        match *self {
            When::Always | When::Of(_) => String::new(),
            When::Is(id, _) | When::Above(id, _) => match read(scenario, id, place) {
                Some((address, value)) => format!("{} is {}", shown(scenario, address), value.to_text()),
                None => String::new(),
            },
            When::Not(inner) => inner.because(!truth, scenario, place),
            // One reason is enough to say why not all hold, or why any does; the contrary takes them all.
            When::All(list) if !truth => {
                list.iter().find(|one| !one.holds(scenario, place)).map_or(String::new(), told)
            }
            When::Any(list) if truth => list.iter().find(|one| one.holds(scenario, place)).map_or(String::new(), told),
            When::All(list) | When::Any(list) => all_of(list.iter().map(told)),
            When::At(kind, inner) => {
                place.at(kind).map_or(String::new(), |place| inner.because(truth, scenario, place))
            }
            When::Anywhere(inner) => {
                let says_why = |place: &Place| !truth || inner.holds(scenario, *place);
                let mut all = Place::instances(scenario).filter(says_why);
                let of = |place| inner.because(truth, scenario, place);
                if truth {
                    all.next().map_or(String::new(), of)
                } else {
                    all_of(all.map(of))
                }
            }
        }
    }

    /// Every knob that it reads.
    pub fn names(&self, into: &mut Vec<&'static str>) {
        match *self {
            When::Always | When::Of(_) => {}
            When::Is(id, _) | When::Above(id, _) => into.push(id),
            When::Not(inner) | When::At(_, inner) | When::Anywhere(inner) => inner.names(into),
            When::All(list) | When::Any(list) => list.iter().for_each(|one| one.names(into)),
        }
    }
}

/// Reasons that are needed together, each once.
fn all_of(reasons: impl Iterator<Item = String>) -> String {
    let mut all: Vec<String> = Vec::new();
    for words in reasons.filter(|words| !words.is_empty()) {
        if !all.contains(&words) {
            all.push(words);
        }
    }
    all.join(" and ")
}

/// The number of a knob at a place; nothing of an instance where there is none.
pub(crate) fn number(scenario: &Scenario, id: &str, place: Place) -> Option<f64> {
    read(scenario, id, place).map(|(_, value)| value.as_number())
}

/// Where a knob is read from a place, and its value there; nothing of an instance where there is none.
fn read(scenario: &Scenario, id: &str, place: Place) -> Option<(Address, Value)> {
    let knob = find(id)?;
    let node = Some(place.node);
    let instance = place.instance.filter(|_| place.kind.is_none_or(ProcessKind::is_per_instance));
    let scope = match knob.scope {
        NameScope::Run => Scope::ALL,
        NameScope::Node => Scope { node, ..Scope::ALL },
        NameScope::Instance => Scope { node, instance: Some(place.instance?), kind: None },
        NameScope::Kind => Scope { node, instance, kind: place.kind },
    };
    let address = Address { knob, scope: scenario.shortest(knob, scope) };
    Some((address, scenario.get(address)))
}

/// The address as a person would write it: of a process kind, as it was said of several of its parts at once.
fn shown(scenario: &Scenario, address: Address) -> String {
    let all = Scope { kind: address.scope.kind, ..Scope::ALL };
    let is_said = scenario.spoken(address).is_some_and(|(scope, _)| !scope.covers(all));
    let scope = if address.scope.kind.is_none() || is_said { address.scope } else { all };
    Address { scope, ..address }.to_text()
}
