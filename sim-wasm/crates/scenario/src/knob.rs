//! What a knob is: one row of the table that serves validator, command line, sliders, links and documents.

pub use crate::find::find;

use crate::cpus::CpuList;
use crate::linear::Linear;
use crate::value::Value;
use crate::when::When;
use serde::Serialize;

/// What a value may differ between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameScope {
    /// One value for the whole run.
    Run,
    /// One value for each host: `knob@node3`.
    Node,
    /// One value for each database instance: `knob@instance2`.
    Instance,
    /// One value for each process kind: `nice@session`.
    Kind,
}

/// Where the page lists a knob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The database instance and its resource manager.
    Instance,
    /// What the sessions do.
    Workload,
    /// How a SELECT finds its rows.
    Access,
    /// Queries that slaves execute for a coordinator.
    Parallel,
    /// Redo, the log writer and commits.
    Redo,
    /// Buffer cache, checkpoints and database writers.
    Writers,
    /// Devices of data files and logs.
    Storage,
    /// Interconnect, global cache and its servers.
    Cluster,
    /// The sequence from which transactions take values.
    Sequence,
    /// The small server of a host.
    Service,
    /// Classes and masks of process kinds, and the load beside the database.
    ProcessKinds,
    /// The scheduler of the host.
    OperatingSystem,
    /// Sockets, cores and threads.
    Host,
    /// Seed, precision, budget.
    Run,
}

impl Group {
    /// Every group with its title, in the order in which the page lists them.
    pub const ALL: [(Group, &'static str); 14] = [
        (Group::Instance, "Instance"),
        (Group::Workload, "Workload"),
        (Group::Access, "Access path"),
        (Group::Parallel, "Parallel query"),
        (Group::Redo, "Redo log"),
        (Group::Writers, "Database writers"),
        (Group::Storage, "Storage"),
        (Group::Cluster, "Cluster"),
        (Group::Sequence, "Sequence"),
        (Group::Service, "Service"),
        (Group::ProcessKinds, "Process kinds"),
        (Group::OperatingSystem, "Operating system"),
        (Group::Host, "Host"),
        (Group::Run, "Run"),
    ];
    /// The title.
    pub fn title(self) -> &'static str {
        Group::ALL.iter().find(|(group, _)| *group == self).map_or("", |(_, title)| title)
    }
}

/// Which values a knob takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Numbers.
    Number,
    /// One of a list of words.
    Choice(&'static [&'static str]),
    /// One number, or several separated by `/`.
    Vector,
    /// Hardware threads of a host: `all`, or a list such as `0-21,44-65`.
    Cpus,
}

/// How a slider divides the range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Evenly.
    Linear,
    /// Evenly in the logarithm.
    Log,
}

/// How far a default can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Documented, or a plain choice of the reader.
    Constant,
    /// Worked back from a published measurement.
    Calibrated,
    /// An estimate: nobody measured it.
    Free,
}

/// The default in a const table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// A number.
    Number(f64),
    /// A word.
    Word(&'static str),
    /// Every hardware thread of the host, as a list.
    AllCpus,
    /// The product of other knobs, which are whole numbers of the host.
    Product(&'static [&'static str]),
    /// It follows another number of the same place, within the range.
    Linear(Linear),
    /// The word, or the number, of the first row whose condition holds, else the other.
    Cases(&'static [Case], &'static str),
}

/// A default that holds under a condition.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "DefaultCase"))]
pub struct Case {
    /// Under which values.
    pub when: When,
    /// The default then.
    pub value: &'static str,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// Name as the product spells it, the unit at the end where there is one.
    pub id: &'static str,
    /// What its value may differ between.
    pub scope: NameScope,
    /// Where the page lists it.
    pub group: Group,
    /// Which values it takes.
    pub kind: Kind,
    /// Unit of the value.
    pub unit: Option<&'static str>,
    /// How sentences say a value, `{}`: of what is counted one and many, with a bar between; `None`: name and value.
    pub said: Option<&'static str>,
    /// Smallest value; of each entry for a vector.
    pub min: f64,
    /// Largest value; of each entry for a vector.
    pub max: f64,
    /// Step of a slider; values between the steps are valid too.
    pub step: f64,
    /// How a slider divides the range.
    pub scale: Scale,
    /// Value where a scenario says nothing.
    pub default: DefaultValue,
    /// Under which values it can change anything.
    pub acts: When,
    /// Whether the page shows it at first; others are one press away.
    pub front: bool,
    /// One line for the person at the slider.
    pub help: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
    /// How far the default can be trusted.
    pub status: Status,
    /// Whether a real instance or host has to be restarted for it.
    pub restart: bool,
}

impl Knob {
    const fn new(id: &'static str, scope: NameScope, group: Group, kind: Kind) -> Self {
        Knob {
            id,
            scope,
            group,
            kind,
            unit: None,
            said: None,
            min: 0.0,
            max: 0.0,
            step: 1.0,
            scale: Scale::Linear,
            default: DefaultValue::Number(0.0),
            acts: When::Always,
            front: false,
            help: "",
            source: "",
            status: Status::Constant,
            restart: false,
        }
    }
    /// A knob of whole numbers.
    pub(crate) const fn integer(id: &'static str, scope: NameScope, group: Group) -> Self {
        Knob::new(id, scope, group, Kind::Integer)
    }
    /// A knob of numbers with a unit.
    pub(crate) const fn number(id: &'static str, scope: NameScope, group: Group, unit: &'static str) -> Self {
        let knob = Knob::new(id, scope, group, Kind::Number);
        if unit.is_empty() {
            return knob;
        }
        knob.unit(unit)
    }
    /// A knob of words.
    pub(crate) const fn choice(
        id: &'static str,
        scope: NameScope,
        group: Group,
        words: &'static [&'static str],
    ) -> Self {
        let mut knob = Knob::new(id, scope, group, Kind::Choice(words));
        knob.default = DefaultValue::Word(words[0]);
        knob
    }
    /// A knob of several numbers.
    pub(crate) const fn vector(id: &'static str, scope: NameScope, group: Group) -> Self {
        Knob::new(id, scope, group, Kind::Vector)
    }
    /// A knob of hardware threads.
    pub(crate) const fn cpus(id: &'static str, scope: NameScope, group: Group) -> Self {
        let mut knob = Knob::new(id, scope, group, Kind::Cpus);
        knob.default = DefaultValue::AllCpus;
        knob
    }
    pub(crate) const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = Some(unit);
        self
    }
    /// How sentences say a value: a template, `one|many` of what it counts, `any;none` where 0 has a word of its own.
    pub(crate) const fn said(mut self, template: &'static str) -> Self {
        if cfg!(feature = "texts") {
            self.said = Some(template);
        }
        self
    }
    pub(crate) const fn range(mut self, min: f64, max: f64, step: f64) -> Self {
        self.min = min;
        self.max = max;
        self.step = step;
        self
    }
    pub(crate) const fn log(mut self) -> Self {
        self.scale = Scale::Log;
        self
    }
    pub(crate) const fn default(mut self, value: f64) -> Self {
        self.default = DefaultValue::Number(value);
        self
    }
    pub(crate) const fn default_product(mut self, names: &'static [&'static str]) -> Self {
        self.default = DefaultValue::Product(names);
        self
    }
    pub(crate) const fn default_linear(mut self, of: &'static str, times: f64, plus: f64, least: f64) -> Self {
        self.default = DefaultValue::Linear(Linear { of, times, plus, least });
        self
    }
    pub(crate) const fn default_cases(mut self, cases: &'static [Case], otherwise: &'static str) -> Self {
        self.default = DefaultValue::Cases(cases, otherwise);
        self
    }
    /// It can change something only then.
    pub(crate) const fn acts(mut self, when: When) -> Self {
        self.acts = when;
        self
    }
    /// The page shows it at first.
    pub(crate) const fn front(mut self) -> Self {
        self.front = true;
        self
    }
    pub(crate) const fn free(mut self) -> Self {
        self.status = Status::Free;
        self
    }
    pub(crate) const fn calibrated(mut self) -> Self {
        self.status = Status::Calibrated;
        self
    }
    pub(crate) const fn restart(mut self) -> Self {
        self.restart = true;
        self
    }
    pub(crate) const fn help(mut self, help: &'static str, source: &'static str) -> Self {
        if cfg!(feature = "texts") {
            self.help = help;
            self.source = source;
        }
        self
    }

    /// The default; where it depends on other values, that of the default host: 1 × 4 × 2 threads, CFS.
    pub fn default_value(&self) -> Value {
        match self.default {
            DefaultValue::Product(names) => {
                let number = |id: &&str| find(id).map_or(1.0, |knob| knob.default_value().as_number());
                Value::Number(names.iter().map(number).product())
            }
            DefaultValue::Linear(linear) => {
                self.of_linear(linear, find(linear.of).map_or(0.0, |knob| knob.default_value().as_number()))
            }
            DefaultValue::AllCpus => Value::Cpus(CpuList::all()),
            DefaultValue::Cases(_, value) => self.of_case(value),
            DefaultValue::Word(word) => Value::Word(word),
            DefaultValue::Number(number) if matches!(self.kind, Kind::Vector) => Value::Vector(vec![number]),
            DefaultValue::Number(number) => Value::Number(number),
        }
    }

    /// What follows another number, where that has this value.
    pub(crate) fn of_linear(&self, linear: Linear, of: f64) -> Value {
        Value::Number(linear.value(of).min(self.max))
    }

    /// A value of the cases, as the table writes it.
    pub(crate) fn of_case(&self, value: &'static str) -> Value {
        match self.kind {
            Kind::Integer | Kind::Number => Value::Number(crate::number::read(value).unwrap_or(self.min)),
            _ => Value::Word(value),
        }
    }

    /// The value that holds where nothing is said, whatever else is said; `None` where it depends on other values.
    pub fn fixed_default(&self) -> Option<Value> {
        match self.default {
            DefaultValue::Product(_) | DefaultValue::Linear(_) | DefaultValue::Cases(..) => None,
            _ => Some(self.default_value()),
        }
    }

    /// The default in words, where it depends on other values.
    pub fn default_words(&self) -> Option<String> {
        match self.default {
            DefaultValue::Product(names) => Some(names.join(" × ")),
            DefaultValue::Linear(linear) => Some(linear.words()),
            DefaultValue::Cases(cases, otherwise) => {
                let cases = cases.iter().map(|case| match case.when.words() {
                    Some(words) => format!("{} {words}", case.value),
                    None => case.value.to_owned(),
                });
                Some(cases.chain([format!("else {otherwise}")]).collect::<Vec<_>>().join(", "))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_complete_and_its_default_in_range() {
        for knob in crate::knobs::KNOBS {
            let has_texts = knob.help.len() > 10 && !knob.source.is_empty();
            assert!(has_texts || !cfg!(feature = "texts"), "{}", knob.id);
            let ways: Vec<&str> = knob.said.map_or(Vec::new(), |template| template.split('|').collect());
            let is_number = matches!(knob.kind, Kind::Integer | Kind::Number);
            assert!(ways.len() < 2 || (is_number && ways.len() == 2), "{}: one and many, of numbers", knob.id);
            assert!(ways.iter().all(|way| way.matches("{}").count() == 1), "{}: each with the value", knob.id);
            match (knob.kind, knob.default) {
                (Kind::Choice(words), DefaultValue::Word(word)) => assert!(words.contains(&word)),
                (_, DefaultValue::Number(value)) => {
                    assert!(knob.min <= value && value <= knob.max, "{}", knob.id);
                    // A slider by the logarithm has room for nothing below its first whole number.
                    let has_start = knob.min > 0.0 || knob.min == 0.0 && knob.kind == Kind::Integer;
                    assert!(knob.scale == Scale::Linear || has_start, "{}", knob.id);
                }
                (Kind::Choice(words), DefaultValue::Cases(cases, otherwise)) => {
                    assert!(words.contains(&otherwise) && cases.iter().all(|case| words.contains(&case.value)));
                }
                (Kind::Integer | Kind::Number, DefaultValue::Cases(cases, otherwise)) => {
                    let mut all = cases.iter().map(|case| case.value).chain([otherwise]);
                    let is_valid = |value| Value::from_text(knob, value).is_ok();
                    assert!(all.all(is_valid), "{}", knob.id);
                }
                (Kind::Integer, DefaultValue::Linear(linear)) => {
                    let of = find(linear.of).unwrap_or_else(|| panic!("no knob {}", linear.of));
                    assert!(of.kind == Kind::Integer && linear.value(of.min) >= knob.min, "{}", knob.id);
                }
                (Kind::Integer, DefaultValue::Product(_)) | (Kind::Cpus, DefaultValue::AllCpus) => {}
                other => panic!("{}: {other:?}", knob.id),
            }
        }
        let mut names: Vec<_> = crate::knobs::KNOBS.iter().map(|knob| knob.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), crate::knobs::KNOBS.len(), "a name stands twice");
    }

    #[test]
    fn conditions_name_knobs_and_words_that_there_are() {
        fn look(when: &When) {
            match *when {
                When::Always | When::Of(_) => {}
                When::Is(id, words) => {
                    let knob = find(id).unwrap_or_else(|| panic!("no knob {id}"));
                    for word in words {
                        let read = Value::from_text(knob, word).unwrap_or_else(|_| panic!("{id} is never {word}"));
                        assert_eq!(read.to_text(), *word);
                    }
                }
                When::Above(id, least) => {
                    let knob = find(id).unwrap_or_else(|| panic!("no knob {id}"));
                    assert!(matches!(knob.kind, Kind::Integer | Kind::Number) && least < knob.max, "{id}");
                }
                When::Not(inner) | When::At(_, inner) | When::Anywhere(inner) => look(inner),
                When::All(list) | When::Any(list) => list.iter().for_each(look),
            }
        }
        for knob in crate::knobs::KNOBS {
            look(&knob.acts);
            let mut names = Vec::new();
            knob.acts.names(&mut names);
            assert!(!names.contains(&knob.id) || knob.id == "class", "{} acts or not by its own value", knob.id);
            if let DefaultValue::Cases(cases, _) = knob.default {
                cases.iter().for_each(|case| look(&case.when));
            }
            if let DefaultValue::Product(names) = knob.default {
                assert!(names.iter().all(|id| find(id).is_some_and(|knob| knob.kind == Kind::Integer)), "{}", knob.id);
            }
        }
    }
}
