//! Scopes: the part of a scenario that a value speaks of. A scope is a product: a process kind, an instance and a host,
//! each where it is said, counted from 1.

/// Process kinds that have values of their own: the rows of the model's table, in the order of canonical links.
pub use wwi_model::config::kinds::KindId as ProcessKind;

/// The part of a scenario that a value speaks of: all of which every part that is said holds. The order is that of
/// links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scope {
    /// One process kind; `None`: whatever the kind.
    pub kind: Option<ProcessKind>,
    /// One instance, counted from 1; `None`: of every instance, and what belongs to none.
    pub instance: Option<usize>,
    /// One host, counted from 1; `None`: every host.
    pub node: Option<usize>,
}

/// Whether a part of a scope speaks of a part of another.
fn speaks<T: PartialEq>(part: Option<T>, other: Option<T>) -> bool {
    part.is_none() || part == other
}

/// What both parts speak of.
fn both<T: PartialEq + Copy>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(a), Some(b)) if a != b => None,
        _ => Some(one.or(other)),
    }
}

impl Scope {
    /// Everything the knob can differ between.
    pub const ALL: Scope = Scope { kind: None, instance: None, node: None };

    /// One host.
    pub fn node(node: usize) -> Scope {
        Scope { node: Some(node), ..Scope::ALL }
    }
    /// One instance.
    pub fn instance(instance: usize) -> Scope {
        Scope { instance: Some(instance), ..Scope::ALL }
    }
    /// One process kind.
    pub fn kind(kind: ProcessKind) -> Scope {
        Scope { kind: Some(kind), ..Scope::ALL }
    }
    /// `@node3`, `@session@instance2`: kind, instance, host; empty for all.
    pub fn suffix(self) -> String {
        let kind = self.kind.map(|kind| format!("@{}", kind.name()));
        let instance = self.instance.map(|n| format!("@instance{n}"));
        let node = self.node.map(|n| format!("@node{n}"));
        [kind, instance, node].into_iter().flatten().collect()
    }
    /// Whether it speaks of all that the other speaks of. The other must name the host of its instance.
    pub fn covers(self, other: Scope) -> bool {
        speaks(self.kind, other.kind) && speaks(self.instance, other.instance) && speaks(self.node, other.node)
    }
    /// What both speak of, where there is anything. Both must name the hosts of their instances.
    pub fn meet(self, other: Scope) -> Option<Scope> {
        let kind = both(self.kind, other.kind)?;
        let instance = both(self.instance, other.instance)?;
        let is_apart = instance.is_some() && kind.is_some_and(|kind| !kind.is_per_instance());
        (!is_apart).then_some(Scope { kind, instance, node: both(self.node, other.node)? })
    }
    /// Which of two scopes of one layer wins where both speak: the greater one. The narrower, which has more parts;
    /// of equally many the one with a kind, then the one with an instance.
    pub fn rank(self) -> (usize, bool, bool) {
        let parts = [self.kind.is_some(), self.instance.is_some(), self.node.is_some()];
        (parts.into_iter().filter(|&is_said| is_said).count(), self.kind.is_some(), self.instance.is_some())
    }
}
