//! What a knob is: one row of the table that serves validator, command line, sliders, links and documents.

use crate::cpus::CpuList;
use crate::value::Value;

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
    /// The scheduler of the host.
    OperatingSystem,
    /// Sockets, cores and threads.
    Host,
    /// Seed, precision, budget.
    Run,
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
    /// Every hardware thread of the host, as a number.
    HardwareThreads,
    /// Every hardware thread of the host, as a list.
    AllCpus,
    /// What the clock of the operating system is built with.
    Ticks,
}

/// Clock ticks a second of AIX and Solaris where nothing is said.
pub(crate) const TICKS_UNIX: &str = "100";
/// Clock ticks a second of Linux where nothing is said.
const TICKS_LINUX: &str = "1000";

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
            min: 0.0,
            max: 0.0,
            step: 1.0,
            scale: Scale::Linear,
            default: DefaultValue::Number(0.0),
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
            knob
        } else {
            knob.unit(unit)
        }
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
    pub(crate) const fn default_threads(mut self) -> Self {
        self.default = DefaultValue::HardwareThreads;
        self
    }
    pub(crate) const fn default_ticks(mut self) -> Self {
        self.default = DefaultValue::Ticks;
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
        self.help = help;
        self.source = source;
        self
    }

    /// The default; where it depends on other values, that of the default host: 1 × 4 × 2 threads, CFS.
    pub fn default_value(&self) -> Value {
        match self.default {
            DefaultValue::HardwareThreads => Value::Number(8.0),
            DefaultValue::AllCpus => Value::Cpus(CpuList::all()),
            DefaultValue::Ticks => Value::Word(TICKS_LINUX),
            DefaultValue::Word(word) => Value::Word(word),
            DefaultValue::Number(number) if matches!(self.kind, Kind::Vector) => Value::Vector(vec![number]),
            DefaultValue::Number(number) => Value::Number(number),
        }
    }

    /// The default in words, where it depends on other values.
    pub fn default_words(&self) -> Option<&'static str> {
        match self.default {
            DefaultValue::HardwareThreads => Some("all threads of the host"),
            DefaultValue::Ticks => Some("100 under AIX and Solaris, else 1000"),
            _ => None,
        }
    }
}

/// The row called `id`.
pub fn find(id: &str) -> Option<&'static Knob> {
    crate::knobs::KNOBS.iter().find(|knob| knob.id == id)
}

/// Letters that may be wrong in a name and it is still near.
fn tolerance(known: &str) -> usize {
    1 + known.len() / 4
}

/// The known name nearest to a misspelt one, when it is near. A name that differs in length by more than may be wrong is
/// not compared, so that a long one costs no more than the looking at its first letters.
pub fn nearest(id: &str) -> Option<&'static str> {
    let longest = crate::knobs::KNOBS.iter().map(|knob| knob.id.len() + tolerance(knob.id)).max().unwrap_or(0);
    let letters = id.chars().take(longest + 1).count();
    crate::knobs::KNOBS
        .iter()
        .filter(|knob| letters.abs_diff(knob.id.len()) <= tolerance(knob.id))
        .map(|knob| (edit_distance(id, knob.id), knob.id))
        .min()
        .filter(|&(distance, known)| distance <= tolerance(known))
        .map(|(_, known)| known)
}

#[cfg(test)]
thread_local! {
    /// Pairs of letters compared in this thread.
    pub(crate) static COMPARED: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    #[cfg(test)]
    COMPARED.set(COMPARED.get() + (a.chars().count() * b.len()) as u64);
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        assert_eq!(nearest("cpu_cuont"), Some("cpu_count"));
        assert_eq!(nearest("think_time"), Some("think_time_ms"));
        assert_eq!(nearest("quantum_of_solace_in_parsecs"), None);
        assert_eq!(nearest(&"cpu_count".repeat(1000)), None);
    }

    #[test]
    fn every_row_is_complete_and_its_default_in_range() {
        for knob in crate::knobs::KNOBS {
            assert!(knob.help.len() > 10 && !knob.source.is_empty(), "{}", knob.id);
            match (knob.kind, knob.default) {
                (Kind::Choice(words), DefaultValue::Word(word)) => assert!(words.contains(&word)),
                (_, DefaultValue::Number(value)) => {
                    assert!(knob.min <= value && value <= knob.max, "{}", knob.id);
                    // A slider by the logarithm has room for nothing below its first whole number.
                    let has_start = knob.min > 0.0 || knob.min == 0.0 && knob.kind == Kind::Integer;
                    assert!(knob.scale == Scale::Linear || has_start, "{}", knob.id);
                }
                (Kind::Integer, DefaultValue::HardwareThreads)
                | (Kind::Cpus, DefaultValue::AllCpus)
                | (Kind::Choice(_), DefaultValue::Ticks) => {}
                other => panic!("{}: {other:?}", knob.id),
            }
        }
        let mut names: Vec<_> = crate::knobs::KNOBS.iter().map(|knob| knob.id).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), crate::knobs::KNOBS.len(), "a name stands twice");
    }
}
