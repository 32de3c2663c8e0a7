//! A scenario: its shape, and the values that were said about it.

use crate::acts::presence;
use crate::address::{is_there, Address, ProcessKind, Scope};
use crate::knob::{find, DefaultValue, Knob, NameScope};
use crate::knobs::KNOBS;
use crate::presets::Preset;
use crate::value::Value;
use crate::when::{self, Place};

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

/// Values by knob (index into the table) and scope, the shortest that says it; in that order.
#[derive(Clone, Debug, Default, PartialEq)]
struct Settings(Vec<((usize, Scope), Value)>);

impl Settings {
    fn find(&self, key: (usize, Scope)) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.cmp(&key))
    }
    fn insert(&mut self, key: (usize, Scope), value: Value) {
        match self.find(key) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (key, value)),
        }
    }
    /// What was said of the knob in one row.
    fn of_row(&self, row: usize) -> impl Iterator<Item = (Scope, &Value)> {
        let (Ok(from) | Err(from)) = self.find((row, Scope::ALL));
        let all = self.0[from..].iter().take_while(move |((other, _), _)| *other == row);
        all.map(|((_, scope), value)| (*scope, value))
    }
}

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
    /// Hosts that it came with.
    own: usize,
    /// The most hosts that it has had: what is said of those that are left out is kept for when they are back.
    most: usize,
    settings: Settings,
}

fn index(knob: &Knob) -> usize {
    let row = KNOBS.iter().position(|row| std::ptr::eq(row, knob));
    row.or_else(|| KNOBS.iter().position(|row| row.id == knob.id)).unwrap_or(usize::MAX - 1)
}

/// Whether what is said there can only be of something that an instance has.
fn is_of_instance(knob: &Knob, scope: Scope) -> bool {
    match knob.scope {
        NameScope::Instance => true,
        NameScope::Kind => scope.kind.is_some_and(ProcessKind::is_per_instance),
        NameScope::Run | NameScope::Node => false,
    }
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
            own: nodes,
            most: nodes,
            settings: Settings::default(),
        }
    }
    /// Whether each host has one instance, of the same number, so that hosts can be added and left out.
    pub(crate) fn is_by_host(&self) -> bool {
        self.nodes == self.instances.len() && self.instances.iter().enumerate().all(|(at, shape)| shape.node == at + 1)
    }
    /// So many hosts, with an instance each. New ones are as what is said for all; the last are left out first.
    pub(crate) fn resize(&mut self, nodes: usize) {
        (self.nodes, self.most) = (nodes, self.most.max(nodes));
        self.instances.truncate(nodes);
        let fresh = self.instances.len() + 1..=nodes;
        self.instances.extend(fresh.map(|node| InstanceShape { node, groups: Vec::new() }));
    }
    /// Whether it has more hosts or fewer than it came with.
    pub(crate) fn is_resized(&self) -> bool {
        self.nodes != self.own
    }
    /// How many hosts, and how many instances, may be spoken of: those left out with them.
    pub(crate) fn most(&self) -> (usize, usize) {
        let instances = self.instances.len();
        if self.most > self.nodes {
            (self.most, self.most.max(instances))
        } else {
            (self.nodes, instances)
        }
    }
    /// The host of an instance; of one that is left out the one that it had.
    pub(crate) fn host_of(&self, instance: usize) -> usize {
        self.instances.get(instance - 1).map_or(instance, |shape| shape.node)
    }
    fn is_left_out(&self, scope: Scope) -> bool {
        scope.node.is_some_and(|node| node > self.nodes)
            || scope.instance.is_some_and(|instance| instance > self.instances.len())
    }
    /// Says the values of one layer on top of what was said before: each speaks for all of its part, whatever was said
    /// below. Within the layer the narrower part wins ([`Scope::rank`]), in whichever order they come.
    pub fn lay(&mut self, fresh: Vec<(Address, Value)>) {
        let below = std::mem::take(&mut self.settings);
        let fresh: Vec<(usize, Scope, Value)> =
            fresh.into_iter().map(|(address, value)| (index(address.knob), address.scope, value)).collect();
        for ((row, scope), value) in below.0 {
            let knob = &KNOBS[row];
            let full = self.full(knob, scope);
            let over = || fresh.iter().filter(|&&(other, ..)| other == row);
            if over().any(|&(_, other, _)| other.covers(full)) {
                continue;
            }
            // What crosses one below that would win within a layer is said of what both speak of.
            for &(_, other, _) in over().filter(|&&(_, other, _)| other.rank() < scope.rank()) {
                let shared = full.meet(self.full(knob, other));
                let Some(shared) = shared.filter(|&shared| is_there(knob, shared, self).is_ok()) else { continue };
                let wins = over().filter(|&&(_, one, _)| one.covers(shared)).max_by_key(|&&(_, one, _)| one.rank());
                if let Some((_, _, value)) = wins {
                    self.settings.insert((row, self.shortest(knob, shared)), value.clone());
                }
            }
            self.settings.insert((row, scope), value);
        }
        for (row, scope, value) in fresh {
            self.settings.insert((row, scope), value);
        }
    }
    /// The value that holds at an address: of the narrowest part that was spoken of and holds all of it, else the
    /// default.
    pub fn get(&self, address: Address) -> Value {
        self.spoken(address).map_or_else(|| self.unsaid(address), |(_, value)| value.clone())
    }
    /// The value that was said for an address, and of which part.
    pub(crate) fn spoken(&self, address: Address) -> Option<(Scope, &Value)> {
        let at = index(address.knob);
        let place = self.full(address.knob, address.scope);
        let here = self.settings.of_row(at).filter(|(scope, _)| scope.covers(place));
        here.max_by_key(|(scope, _)| scope.rank())
    }
    /// A scope with all that follows from it: the only instance or host, and the host of an instance.
    pub(crate) fn full(&self, knob: &Knob, scope: Scope) -> Scope {
        let mut full = scope;
        if full.instance.is_none() && is_of_instance(knob, scope) && self.instances.len() == 1 {
            full.instance = Some(1);
        }
        match full.instance.and_then(|instance| self.instances.get(instance - 1)) {
            Some(shape) => full.node = Some(shape.node),
            None if full.node.is_none() && self.nodes == 1 => full.node = Some(1),
            None => {}
        }
        full
    }
    /// The shortest scope that says the same: without the host of an instance, the only host or the only instance,
    /// unless others are left out: what is said of the first is then not what is said of all.
    pub fn shortest(&self, knob: &Knob, scope: Scope) -> Scope {
        let mut short = scope;
        let is_whole = self.most() == (self.nodes, self.instances.len());
        if is_whole && is_of_instance(knob, scope) && self.instances.len() == 1 {
            (short.instance, short.node) = (None, None);
        }
        if short.instance.is_some() || is_whole && self.nodes == 1 {
            short.node = None;
        }
        short
    }
    /// The value that would hold at an address if nothing were said of the knob.
    pub(crate) fn unsaid(&self, address: Address) -> Value {
        match address.knob.default {
            DefaultValue::Product(names) => {
                let node = self.place(address).node;
                Value::Number(names.iter().map(|id| self.node_value(id, node).as_number()).product())
            }
            DefaultValue::Linear(linear) => match when::number(self, linear.of, self.place(address)) {
                Some(of) => address.knob.of_linear(linear, of),
                None => address.knob.default_value(),
            },
            DefaultValue::Cases(cases, _) => {
                let place = self.place(address);
                let case = cases.iter().find(|case| case.when.holds(self, place));
                case.map_or_else(|| address.knob.default_value(), |case| address.knob.of_case(case.value))
            }
            _ => address.knob.default_value(),
        }
    }
    /// Whether anything was said at exactly this address.
    pub fn says(&self, address: Address) -> Option<&Value> {
        self.settings.find((index(address.knob), address.scope)).ok().map(|at| &self.settings.0[at].1)
    }
    /// What was said of the hosts that there are, in table order.
    pub fn said(&self) -> impl Iterator<Item = (Address, &Value)> {
        let here = self.settings.0.iter().filter(|((_, scope), _)| !self.is_left_out(*scope));
        here.map(|&((row, scope), ref value)| (Address { knob: &KNOBS[row], scope }, value))
    }
    /// A run value by name.
    pub fn run_number(&self, id: &str) -> f64 {
        self.at(id, Scope::ALL).as_number()
    }
    /// A run value that is a word, by name.
    pub fn run_word(&self, id: &str) -> &'static str {
        self.at(id, Scope::ALL).as_word()
    }
    /// The precision, where the scenario says one.
    pub fn said_precision(&self) -> Option<f64> {
        let knob = find("precision")?;
        self.says(Address { knob, scope: Scope::ALL }).map(Value::as_number)
    }
    /// A host value by name; hosts count from 1.
    pub fn node_value(&self, id: &str, node: usize) -> Value {
        self.at(id, Scope::node(node))
    }
    /// An instance value by name; instances count from 1.
    pub fn instance_value(&self, id: &str, instance: usize) -> Value {
        self.at(id, Scope::instance(instance))
    }
    /// A value of a process kind by name, at a host or an instance.
    pub fn kind_value(&self, id: &str, part: Scope) -> Value {
        self.at(id, part)
    }
    /// The parts that processes of a kind are of: each host, or each instance; of one host where one is named.
    pub fn parts_of(&self, kind: ProcessKind, node: Option<usize>) -> Vec<Scope> {
        let part = Scope::kind(kind);
        let is_here = |n: usize| node.is_none_or(|node| n == node);
        let of_instance =
            |(at, shape): (usize, &InstanceShape)| Scope { instance: Some(at + 1), node: Some(shape.node), ..part };
        match kind.is_per_instance() {
            false => (1..=self.nodes).filter(|&n| is_here(n)).map(|n| Scope { node: Some(n), ..part }).collect(),
            true => {
                self.instances.iter().enumerate().filter(|(_, shape)| is_here(shape.node)).map(of_instance).collect()
            }
        }
    }
    /// Instances of a host, counted from 1.
    pub fn instances_on(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        (1..=self.instances.len()).filter(move |&instance| self.instances[instance - 1].node == node)
    }
    /// Whether there are processes of a kind at one of its parts.
    pub fn is_present(&self, part: Scope) -> bool {
        part.kind.is_some_and(|kind| presence(kind).holds(self, Place::of(part)))
    }
    /// Whether a host has processes of a kind.
    pub fn has_kind(&self, kind: ProcessKind, node: usize) -> bool {
        self.parts_of(kind, Some(node)).into_iter().any(|part| self.is_present(part))
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
        let mut first = self.full(address.knob, address.scope);
        if first.instance.is_none() && is_of_instance(address.knob, first) {
            let node = first.node;
            let is_here = |instance: &usize| node.is_none_or(|node| self.instances[instance - 1].node == node);
            first.instance = (1..=self.instances.len()).find(is_here);
        }
        let host = first.instance.map(|instance| self.instances[instance - 1].node);
        Place { node: host.or(first.node).unwrap_or(1), instance: first.instance, kind: first.kind }
    }
}
