//! A scenario: its shape, and the values that were said about it.

use crate::acts::presence;
use crate::address::{Address, ProcessKind, Scope};
use crate::knob::{find, DefaultValue, Knob, NameScope};
use crate::knobs::KNOBS;
use crate::presets::Preset;
use crate::value::Value;
use crate::when::Place;
use std::collections::BTreeMap;

/// One consumer group of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsumerGroup {
    /// As the plan names it.
    pub name: String,
    /// Weight among the groups of its level.
    pub shares: u32,
    /// Share of the slots it may hold \[%\].
    pub utilization_limit: f64,
    /// Lower levels are served first.
    pub level: u32,
}

/// What of an instance no knob says.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceShape {
    /// Host it runs on, counted from 1.
    pub node: usize,
    /// Consumer groups; empty: one group of all sessions.
    pub groups: Vec<ConsumerGroup>,
}

/// Values by knob (index into the table) and scope.
type Settings = BTreeMap<(usize, Scope), Value>;

/// A scenario. Checked when it came out of [`crate::decode`].
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// The preset it started from; `None` for a document.
    pub preset: Option<&'static Preset>,
    /// Title given by a person, not the preset's.
    pub title: String,
    /// Note given by a person.
    pub note: String,
    /// Number of hosts.
    pub nodes: usize,
    /// Instances.
    pub instances: Vec<InstanceShape>,
    settings: Settings,
}

fn index(knob: &Knob) -> usize {
    KNOBS.iter().position(|row| row.id == knob.id).unwrap_or(usize::MAX)
}

impl Scenario {
    /// One host, instances on it, nothing said.
    pub fn blank(nodes: usize, instances: usize) -> Self {
        Scenario {
            preset: None,
            title: String::new(),
            note: String::new(),
            nodes,
            instances: vec![InstanceShape { node: 1, groups: Vec::new() }; instances],
            settings: BTreeMap::new(),
        }
    }
    /// Says a value; what is said of one part stays beside what is said of all.
    pub fn set(&mut self, address: Address, value: Value) {
        self.settings.insert((index(address.knob), address.scope), value);
    }
    /// Forgets what was said of single parts: a later word about all holds for all.
    pub fn clear_parts(&mut self, knob: &Knob) {
        let at = index(knob);
        self.settings.retain(|&(row, scope), _| row != at || scope == Scope::All);
    }
    /// The value that holds at an address: of the part, else of all, else the default.
    pub fn get(&self, address: Address) -> Value {
        let at = index(address.knob);
        let said = self.settings.get(&(at, address.scope));
        match said.or_else(|| self.settings.get(&(at, Scope::All))) {
            Some(value) => value.clone(),
            None => self.unsaid(address),
        }
    }
    /// The value that would hold at an address if nothing were said of the knob.
    pub(crate) fn unsaid(&self, address: Address) -> Value {
        match address.knob.default {
            DefaultValue::Product(names) => {
                let node = self.place(address).node;
                Value::Number(names.iter().map(|id| self.node_value(id, node).as_number()).product())
            }
            DefaultValue::Cases(cases, _) => {
                let place = self.place(address);
                let case = cases.iter().find(|case| case.when.holds(self, place));
                case.map_or_else(|| address.knob.default_value(), |case| Value::Word(case.value))
            }
            _ => address.knob.default_value(),
        }
    }
    /// Whether anything was said at exactly this address.
    pub fn says(&self, address: Address) -> Option<&Value> {
        self.settings.get(&(index(address.knob), address.scope))
    }
    /// What was said, in table order.
    pub fn said(&self) -> impl Iterator<Item = (Address, &Value)> {
        self.settings.iter().map(|(&(row, scope), value)| (Address { knob: &KNOBS[row], scope }, value))
    }
    /// A run value by name.
    pub fn run_number(&self, id: &str) -> f64 {
        self.at(id, Scope::All).as_number()
    }
    /// The precision, where the scenario says one.
    pub fn said_precision(&self) -> Option<f64> {
        let knob = find("precision")?;
        self.says(Address { knob, scope: Scope::All }).map(Value::as_number)
    }
    /// A host value by name; hosts count from 1.
    pub fn node_value(&self, id: &str, node: usize) -> Value {
        self.at(id, Scope::Node(node))
    }
    /// An instance value by name; instances count from 1.
    pub fn instance_value(&self, id: &str, instance: usize) -> Value {
        self.at(id, Scope::Instance(instance))
    }
    /// A value of a process kind by name.
    pub fn kind_value(&self, id: &str, kind: ProcessKind) -> Value {
        self.at(id, Scope::Kind(kind))
    }
    /// Instances of a host, counted from 1.
    pub fn instances_on(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        (1..=self.instances.len()).filter(move |&instance| self.instances[instance - 1].node == node)
    }
    /// Whether anything runs in an instance: sessions, arrivals or messages.
    pub fn has_sessions(&self, instance: usize) -> bool {
        let place = Place { node: self.instances[instance - 1].node, instance: Some(instance), kind: None };
        presence(ProcessKind::Session).holds(self, place)
    }
    /// Whether a host has processes of a kind.
    pub fn has_kind(&self, kind: ProcessKind, node: usize) -> bool {
        match kind {
            ProcessKind::Session => self.instances_on(node).any(|instance| self.has_sessions(instance)),
            other => presence(other).holds(self, Place::host(node)),
        }
    }
    /// Cores of a host.
    pub fn cores(&self, node: usize) -> f64 {
        let number = |id| self.node_value(id, node).as_number();
        number("sockets") * number("cores_per_socket")
    }
    /// Hardware threads of a host, before any limit.
    pub fn threads(&self, node: usize) -> f64 {
        self.cores(node) * self.node_value("threads_per_core", node).as_number()
    }
    /// The title of the person, else of the preset.
    pub fn shown_title(&self) -> &str {
        match self.preset {
            _ if !self.title.is_empty() => &self.title,
            Some(preset) => preset.title,
            None => "",
        }
    }

    fn at(&self, id: &str, scope: Scope) -> Value {
        find(id).map_or(Value::Number(0.0), |knob| self.get(Address { knob, scope }))
    }
    /// The first place that an address speaks of.
    fn place(&self, address: Address) -> Place {
        let of_instance = |instance: usize| {
            let node = self.instances.get(instance.wrapping_sub(1)).map_or(1, |shape| shape.node);
            Place { node, instance: Some(instance), kind: None }
        };
        match address.scope {
            Scope::Node(node) => Place::host(node),
            Scope::Instance(instance) => of_instance(instance),
            Scope::All if address.knob.scope == NameScope::Instance => of_instance(1),
            Scope::Kind(kind) => Place { kind: Some(kind), ..Place::host(1) },
            Scope::All => Place::host(1),
        }
    }
}
