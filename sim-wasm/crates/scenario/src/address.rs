//! Addresses of values: `knob`, `knob@node3`, `knob@instance2`, `nice@session`. Counted from 1.

use crate::knob::{find, nearest, Knob, NameScope};
use crate::problem::Code;
use crate::value::{quoted, Refusal};
use serde::Serialize;

/// The part of a scenario a value belongs to. The order is that of canonical links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Everything the knob can differ between.
    All,
    /// One host, counted from 1.
    Node(usize),
    /// One instance, counted from 1.
    Instance(usize),
    /// One process kind.
    Kind(ProcessKind),
}

/// Process kinds that have values of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ProcessKind {
    /// Foreground processes.
    Session,
    /// Load outside every cage.
    Background,
    /// The small server of a host.
    Service,
}

/// Every kind with its name.
pub const PROCESS_KINDS: [(ProcessKind, &str); 3] =
    [(ProcessKind::Session, "session"), (ProcessKind::Background, "background"), (ProcessKind::Service, "service")];

/// Where one value stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Address {
    /// The knob.
    pub knob: &'static Knob,
    /// Which part of the scenario.
    pub scope: Scope,
}

impl Scope {
    /// `@node3`, `@session`; empty for all.
    pub fn suffix(self) -> String {
        match self {
            Scope::All => String::new(),
            Scope::Node(n) => format!("@node{n}"),
            Scope::Instance(n) => format!("@instance{n}"),
            Scope::Kind(kind) => format!("@{}", kind_name(kind)),
        }
    }
}

fn kind_name(kind: ProcessKind) -> &'static str {
    PROCESS_KINDS.iter().find(|(known, _)| *known == kind).map_or("", |(_, name)| name)
}

/// The name of a knob and its scope.
fn split(key: &str) -> (&str, Option<&str>) {
    key.split_once('@').map_or((key, None), |(id, scope)| (id, Some(scope)))
}

/// What the reader of an unknown name may have meant, as the end of a sentence; empty where no name is near. It compares
/// with every knob, so it is asked only for what is told.
pub(crate) fn hint(key: &str) -> String {
    nearest(split(key).0).map(|near| format!("; did you mean {near}?")).unwrap_or_default()
}

impl Address {
    /// Reads `knob@scope` for a scenario of so many nodes and instances.
    pub fn parse(key: &str, nodes: usize, instances: usize) -> Result<Address, Refusal> {
        let (id, scope) = split(key);
        let Some(knob) = find(id) else {
            return Err((Code::UnknownKnob, format!("there is no knob {}", quoted(id))));
        };
        let scope = match scope {
            None => Scope::All,
            Some(scope) => parse_scope(knob, scope, nodes, instances)?,
        };
        Ok(Address { knob, scope })
    }
    /// As it stands in a link.
    pub fn to_text(&self) -> String {
        format!("{}{}", self.knob.id, self.scope.suffix())
    }
}

fn parse_scope(knob: &Knob, text: &str, nodes: usize, instances: usize) -> Result<Scope, Refusal> {
    let scope = if let Some(count) = text.strip_prefix("node") {
        Scope::Node(numbered("node", count, nodes)?)
    } else if let Some(count) = text.strip_prefix("instance") {
        Scope::Instance(numbered("instance", count, instances)?)
    } else if let Some((kind, _)) = PROCESS_KINDS.iter().find(|(_, name)| *name == text) {
        Scope::Kind(*kind)
    } else {
        let message = format!(
            "there is no scope {}; scopes are @node1, @instance1, @session, @background and @service",
            quoted(text)
        );
        return Err((Code::UnknownScope, message));
    };
    let fits = match scope {
        Scope::All => true,
        Scope::Node(_) => knob.scope == NameScope::Node,
        Scope::Instance(_) => knob.scope == NameScope::Instance,
        Scope::Kind(_) => knob.scope == NameScope::Kind,
    };
    if fits {
        return Ok(scope);
    }
    let own = match knob.scope {
        NameScope::Run => "holds for the whole run and takes no scope",
        NameScope::Node => "belongs to a host: write @node1",
        NameScope::Instance => "belongs to an instance: write @instance1",
        NameScope::Kind => "belongs to a process kind: write @session, @background or @service",
    };
    Err((Code::WrongScope, own.to_owned()))
}

fn numbered(what: &str, text: &str, count: usize) -> Result<usize, Refusal> {
    let plain = !text.is_empty() && text.len() <= 4 && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse::<usize>() {
        Ok(number) if plain && (1..=count).contains(&number) => Ok(number),
        Ok(number) if plain => {
            let there = if count == 1 { "only one".to_owned() } else { count.to_string() };
            Err((Code::NoSuchScope, format!("there is no {what} {number}; the scenario has {there}")))
        }
        _ => Err((Code::UnknownScope, format!("@{what} takes a number counted from 1, as in @{what}1"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(key: &str) -> String {
        match Address::parse(key, 1, 2) {
            Ok(address) => format!("{} {:?}", address.to_text(), address.scope),
            Err((code, message)) => format!("{code:?}: {message}"),
        }
    }

    #[test]
    fn addresses_read_and_refused() {
        assert_eq!(read("cpu_count"), "cpu_count All");
        assert_eq!(read("cpu_count@instance2"), "cpu_count@instance2 Instance(2)");
        assert_eq!(read("sockets@node1"), "sockets@node1 Node(1)");
        assert_eq!(read("nice@session"), "nice@session Kind(Session)");
        assert_eq!(read("cpu_count@instance3"), "NoSuchScope: there is no instance 3; the scenario has 2");
        assert_eq!(read("sockets@node0"), "NoSuchScope: there is no node 0; the scenario has only one");
        assert_eq!(read("cpu_count@node1"), "WrongScope: belongs to an instance: write @instance1");
        assert_eq!(read("nice@instanceX"), "UnknownScope: @instance takes a number counted from 1, as in @instance1");
        assert_eq!(read("cpu_cuont@lms"), "UnknownKnob: there is no knob “cpu_cuont”");
        assert_eq!([hint("cpu_cuont@lms"), hint("colour_of_the_box")], ["; did you mean cpu_count?", ""]);
    }
}
