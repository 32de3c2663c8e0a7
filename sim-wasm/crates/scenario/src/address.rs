//! Addresses of values: `knob`, `knob@node3`, `knob@instance2`, `nice@session@node3`. Counted from 1.

use crate::knob::{find, Knob, NameScope};
use crate::nearest::nearest;
use crate::problem::Code;
use crate::scenario::Scenario;
pub use crate::scope::{ProcessKind, Scope};
use crate::value::{quoted, Refusal};

/// Where one value stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Address {
    /// The knob.
    pub knob: &'static Knob,
    /// Which part of the scenario, as short as it can be said ([`Scenario::shortest`]).
    pub scope: Scope,
}

/// One part of a scope as it is written.
#[derive(Clone, Copy)]
enum Part {
    Kind(ProcessKind),
    Instance(usize),
    Node(usize),
}

/// What the reader of an unknown name may have meant, as the end of a sentence; empty where no name is near. It
/// compares with every knob, so it is asked only for what is told.
pub(crate) fn hint(key: &str) -> String {
    let id = key.split('@').next().unwrap_or_default();
    nearest(id).map(|near| format!("; did you mean {near}?")).unwrap_or_default()
}

impl Address {
    /// Reads `knob@kind@instance2@node3`, the parts in any order, for a scenario of so many hosts and instances.
    ///
    /// # Errors
    /// An unknown knob or part; a part said twice; a host or instance that is not there, or not on that host; a part
    /// that the knob or the kind does not have.
    pub fn parse(key: &str, scenario: &Scenario) -> Result<Address, Refusal> {
        let mut words = key.split('@');
        let id = words.next().unwrap_or_default();
        let Some(knob) = find(id) else {
            return Err((Code::UnknownKnob, format!("there is no knob {}", quoted(id))));
        };
        let mut scope = Scope::ALL;
        for part in words.map(read_part).collect::<Result<Vec<Part>, Refusal>>()? {
            add(&mut scope, part, scenario)?;
        }
        fits(knob, scope)?;
        is_there(knob, scope, scenario)?;
        Ok(Address { knob, scope: scenario.shortest(knob, scope) })
    }
    /// As it stands in a link.
    pub fn to_text(&self) -> String {
        format!("{}{}", self.knob.id, self.scope.suffix())
    }
}

/// `@session, @background and @service`.
fn kinds_in_words(last: &str) -> String {
    let names: Vec<String> = ProcessKind::all().map(|kind| format!("@{}", kind.name())).collect();
    match names.split_last() {
        Some((end, before)) if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
        _ => names.concat(),
    }
}

fn read_part(text: &str) -> Result<Part, Refusal> {
    if let Some(kind) = ProcessKind::all().find(|kind| kind.name() == text) {
        return Ok(Part::Kind(kind));
    }
    if let Some(digits) = text.strip_prefix("node") {
        return numbered("node", digits).map(Part::Node);
    }
    if let Some(digits) = text.strip_prefix("instance") {
        return numbered("instance", digits).map(Part::Instance);
    }
    let known = kinds_in_words("and");
    let message = format!("there is no scope {}; scopes are @node1, @instance1, {known}", quoted(text));
    Err((Code::UnknownScope, message))
}

fn numbered(what: &str, digits: &str) -> Result<usize, Refusal> {
    let plain = !digits.is_empty() && digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit());
    match digits.parse::<usize>() {
        Ok(number) if plain => Ok(number),
        _ => Err((Code::UnknownScope, format!("@{what} takes a number counted from 1, as in @{what}1"))),
    }
}

fn add(scope: &mut Scope, part: Part, scenario: &Scenario) -> Result<(), Refusal> {
    let (what, is_said) = match part {
        Part::Kind(_) => ("process kind", scope.kind.is_some()),
        Part::Instance(_) => ("instance", scope.instance.is_some()),
        Part::Node(_) => ("node", scope.node.is_some()),
    };
    if is_said {
        return Err((Code::Duplicate, format!("says its {what} twice; an address says each part at most once")));
    }
    match part {
        Part::Kind(kind) => scope.kind = Some(kind),
        Part::Instance(number) => scope.instance = Some(counted(what, number, scenario.most().1)?),
        Part::Node(number) => scope.node = Some(counted(what, number, scenario.most().0)?),
    }
    Ok(())
}

fn counted(what: &str, number: usize, count: usize) -> Result<usize, Refusal> {
    if (1..=count).contains(&number) {
        return Ok(number);
    }
    let there = if count == 1 { "only one".to_owned() } else { count.to_string() };
    Err((Code::NoSuchScope, format!("there is no {what} {number}; the scenario has {there}")))
}

/// Whether the knob can differ between such parts.
fn fits(knob: &Knob, scope: Scope) -> Result<(), Refusal> {
    let fits = match knob.scope {
        NameScope::Run => scope == Scope::ALL,
        NameScope::Node => scope.kind.is_none() && scope.instance.is_none(),
        NameScope::Instance => scope.kind.is_none(),
        NameScope::Kind => scope.instance.is_none() || scope.kind.is_none_or(ProcessKind::is_per_instance),
    };
    if fits {
        return Ok(());
    }
    let own = match (knob.scope, scope.kind) {
        (NameScope::Kind, Some(kind)) => {
            let name = kind.name();
            format!("there are processes of kind {name} by host, not by instance: write @{name}@node1")
        }
        (NameScope::Run, _) => "holds for the whole run and takes no scope".to_owned(),
        (NameScope::Node, _) => "belongs to a host: write @node1".to_owned(),
        _ => "belongs to an instance: write @instance1, or @node1 for those of a host".to_owned(),
    };
    Err((Code::WrongScope, own))
}

/// Whether there is anything that the scope speaks of.
pub(crate) fn is_there(knob: &Knob, scope: Scope, scenario: &Scenario) -> Result<(), Refusal> {
    let Some(node) = scope.node else { return Ok(()) };
    let of_instances = knob.scope == NameScope::Instance || scope.kind.is_some_and(ProcessKind::is_per_instance);
    let words = match scope.instance {
        Some(instance) if scenario.host_of(instance) != node => {
            format!("instance {instance} runs on node {}, not on node {node}", scenario.host_of(instance))
        }
        None if of_instances && node <= scenario.nodes && scenario.instances_on(node).next().is_none() => {
            format!("no instance runs on node {node}")
        }
        _ => return Ok(()),
    };
    Err((Code::NoSuchScope, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three hosts; instances 1 and 2 on the first, 3 on the second, none on the third.
    fn three() -> Scenario {
        let mut scenario = Scenario::blank(3, 3);
        scenario.instances[2].node = 2;
        scenario
    }

    fn read_in(scenario: &Scenario, key: &str) -> String {
        match Address::parse(key, scenario) {
            Ok(address) => address.to_text(),
            Err((code, message)) => format!("{code:?}: {message}"),
        }
    }

    #[test]
    fn addresses_read_and_refused() {
        let read = |key: &str| read_in(&Scenario::blank(1, 2), key);
        assert_eq!(read("cpu_count"), "cpu_count");
        assert_eq!(read("cpu_count@instance2"), "cpu_count@instance2");
        assert_eq!(read("sockets@node1"), "sockets", "there is but one");
        assert_eq!(read("nice@session"), "nice@session");
        assert_eq!(read("cpu_count@instance3"), "NoSuchScope: there is no instance 3; the scenario has 2");
        assert_eq!(read("sockets@node0"), "NoSuchScope: there is no node 0; the scenario has only one");
        assert_eq!(
            read("cpu_count@session"),
            "WrongScope: belongs to an instance: write @instance1, or @node1 for those of a host"
        );
        assert_eq!(read("sockets@instance1"), "WrongScope: belongs to a host: write @node1");
        assert_eq!(read("seed@node1"), "WrongScope: holds for the whole run and takes no scope");
        assert_eq!(read("nice@instanceX"), "UnknownScope: @instance takes a number counted from 1, as in @instance1");
        assert_eq!(read("cpu_cuont@lms"), "UnknownKnob: there is no knob “cpu_cuont”");
        assert_eq!([hint("cpu_cuont@lms"), hint("colour_of_the_box")], ["; did you mean cpu_count?", ""]);
    }

    #[test]
    fn parts_in_any_order_are_written_in_one() {
        let read = |key: &str| read_in(&three(), key);
        assert_eq!(read("class@instance2@session"), "class@session@instance2");
        assert_eq!(read("class@node2@background"), "class@background@node2");
        assert_eq!(read("priority@node02@session"), "priority@session@node2");
        // The host of an instance is known, so that it need not be said.
        assert_eq!(read("class@node1@session@instance2"), "class@session@instance2");
        assert_eq!(read("cpu_count@node2@instance3"), "cpu_count@instance3");
        assert_eq!([read("class@instance2"), read("sessions@node1")], ["class@instance2", "sessions@node1"]);
    }

    #[test]
    fn what_there_is_but_one_of_need_not_be_said() {
        let mut scenario = Scenario::blank(2, 1);
        scenario.instances[0].node = 2;
        let read = |key: &str| read_in(&scenario, key);
        assert_eq!([read("sessions@instance1"), read("sessions@node2")], ["sessions", "sessions"]);
        assert_eq!([read("nice@session@instance1"), read("nice@node2@session")], ["nice@session", "nice@session"]);
        // Of other kinds there are processes elsewhere.
        assert_eq!(
            [read("nice@instance1"), read("nice@background@node2")],
            ["nice@instance1", "nice@background@node2"]
        );
        let one = Scenario::blank(1, 1);
        assert_eq!([read_in(&one, "nice@service@node1"), read_in(&one, "nice@node1")], ["nice@service", "nice"]);
    }

    #[test]
    fn parts_that_cannot_be() {
        let read = |key: &str| read_in(&three(), key);
        let twice = |what: &str| format!("Duplicate: says its {what} twice; an address says each part at most once");
        assert_eq!(read("class@node1@node2"), twice("node"));
        assert_eq!(read("class@session@instance1@session"), twice("process kind"));
        assert_eq!(read("class@instance1@instance1"), twice("instance"));
        assert_eq!(read("class@instance3@node1"), "NoSuchScope: instance 3 runs on node 2, not on node 1");
        assert_eq!(read("class@session@node4"), "NoSuchScope: there is no node 4; the scenario has 3");
        assert_eq!(read("sessions@node3"), "NoSuchScope: no instance runs on node 3");
        assert_eq!(read("class@session@node3"), "NoSuchScope: no instance runs on node 3");
        assert_eq!(read("class@node3"), "class@node3", "other kinds may be there");
        assert_eq!(
            read("class@service@instance2"),
            "WrongScope: there are processes of kind service by host, not by instance: write @service@node1"
        );
        let scopes =
            "scopes are @node1, @instance1, @session, @background, @service, @lgwr, @dbwr, @ckpt, @client, @lms, \
             @lmd, @lck0, @slave, @heartbeat, @background2 and @background3";
        assert_eq!(read("class@session@rvwr@node9"), format!("UnknownScope: there is no scope “rvwr”; {scopes}"));
        assert_eq!(read("class@node1@"), format!("UnknownScope: there is no scope “”; {scopes}"));
    }
}
