//! What can be wrong with a scenario, in a closed list of codes and plain words.

use crate::shown::line;
use serde::Serialize;

/// The kinds of problem. Closed: the page switches on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Code {
    /// The text is longer than any scenario.
    TooLong,
    /// A JSON document that cannot be read as JSON.
    NotJson,
    /// Percent-encoding that is cut off or not UTF-8.
    BadEncoding,
    /// A version this decoder does not know.
    UnknownVersion,
    /// No preset has this name.
    UnknownPreset,
    /// No knob has this name.
    UnknownKnob,
    /// A key that has no place where it stands.
    UnknownKey,
    /// A scope that is not `node`, `instance` or a process kind.
    UnknownScope,
    /// A scope the knob does not have.
    WrongScope,
    /// The scenario has no such node, instance or kind.
    NoSuchScope,
    /// The same thing said twice.
    Duplicate,
    /// A list where a number belongs, and so on.
    WrongType,
    /// Text that is not a finite number.
    NotANumber,
    /// A fraction where only whole numbers go.
    NotWhole,
    /// Below the smallest or above the largest value.
    OutOfRange,
    /// A word that is not among the choices.
    UnknownChoice,
    /// A list of the wrong length or shape.
    BadVector,
    /// Something that must be there is not.
    Missing,
    /// More than the model can hold: threads, sessions, hosts.
    TooMany,
    /// Work arrives faster than it can be done: there is no steady state to measure.
    Overloaded,
    /// Two values that cannot stand together.
    Conflict,
}

/// One thing wrong, where, and in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    /// Address of the value: `cpu_count@instance2`; with `a.` in front for the compared scenario.
    pub path: String,
    /// One sentence.
    pub message: String,
    /// What kind of problem it is.
    pub code: Code,
}

/// Problems found so far, at most [`Problems::MAX`] of them.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// A hostile document must not make a page of a million lines.
    pub const MAX: usize = 100;
    /// Longest path that is told \[characters\].
    pub(crate) const LONGEST_PATH: usize = 80;

    /// Notes one problem.
    pub fn add(&mut self, path: &str, code: Code, message: impl Into<String>) {
        self.add_with(path, code, message.into(), String::new);
    }
    /// Notes one problem; the end of its sentence is made only where it is told.
    pub(crate) fn add_with(&mut self, path: &str, code: Code, message: String, end: impl FnOnce() -> String) {
        if self.is_full() {
            return;
        }
        let path = line(path, Self::LONGEST_PATH);
        let is_told = |told: &Problem| told.code == code && told.path == path && told.message.starts_with(&message);
        if !self.list.iter().any(is_told) {
            let message = message + &end();
            self.list.push(Problem { path, message, code });
        }
    }
    /// Whether so many are noted that nothing more will be told.
    pub fn is_full(&self) -> bool {
        self.list.len() >= Self::MAX
    }
    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
    /// The list, in the order found.
    pub fn into_list(self) -> Vec<Problem> {
        self.list
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
