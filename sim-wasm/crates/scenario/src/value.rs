//! Values of knobs, from text and from JSON.

use crate::cpus::CpuList;
use crate::json::Json;
use crate::knob::{Kind, Knob};
use crate::number;
use crate::problem::Code;
use crate::shown::line;

/// The value of one knob.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer or a number.
    Number(f64),
    /// One of the knob's words.
    Word(&'static str),
    /// Several numbers.
    Vector(Vec<f64>),
    /// Hardware threads.
    Cpus(CpuList),
}

/// Why a value was refused: a code and words for the reader.
pub type Refusal = (Code, String);

/// Longest vector that is read …
const MAX_ENTRIES: usize = 16;
/// … and longest one with an entry for each core of a socket.
const MAX_CORES: usize = 256;

/// Entries of a vector of this knob at most.
pub(crate) fn most_entries(knob: &Knob) -> usize {
    if knob.id == "turbo_table" {
        MAX_CORES
    } else {
        MAX_ENTRIES
    }
}

impl Value {
    /// The number; 0 for a word or threads, the first entry of a vector.
    pub fn as_number(&self) -> f64 {
        match self {
            Value::Number(number) => *number,
            Value::Word(_) | Value::Cpus(_) => 0.0,
            Value::Vector(entries) => entries.first().copied().unwrap_or(0.0),
        }
    }
    /// The word; empty for anything else.
    pub fn as_word(&self) -> &'static str {
        match self {
            Value::Word(word) => word,
            _ => "",
        }
    }
    /// The threads; all of them for anything else.
    pub fn as_cpus(&self) -> CpuList {
        match self {
            Value::Cpus(list) => list.clone(),
            _ => CpuList::all(),
        }
    }
    /// As it stands in a link.
    pub fn to_text(&self) -> String {
        match self {
            Value::Number(number) => number::plain(*number),
            Value::Word(word) => (*word).to_owned(),
            Value::Vector(entries) => entries.iter().map(|&entry| number::plain(entry)).collect::<Vec<_>>().join("/"),
            Value::Cpus(list) => list.to_text(),
        }
    }
    /// As it stands in JSON: a vector of one entry is a number, a longer one its text.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Number(number) => Json::Number(*number),
            Value::Vector(entries) if entries.len() == 1 => Json::Number(entries[0]),
            _ => Json::Text(self.to_text()),
        }
    }
    /// Reads the text of a link or of `--set`.
    pub fn from_text(knob: &Knob, text: &str) -> Result<Value, Refusal> {
        let text = trimmed(text);
        match knob.kind {
            Kind::Choice(words) => word(words, text),
            Kind::Vector => {
                let entries: Result<Vec<f64>, Refusal> = text
                    .split(['/', ','])
                    .take(most_entries(knob) + 1)
                    .map(|entry| number(knob, trimmed(entry)))
                    .collect();
                vector(knob, entries?)
            }
            Kind::Cpus => CpuList::read(text).map(Value::Cpus),
            Kind::Integer | Kind::Number => in_range(knob, number(knob, text)?).map(Value::Number),
        }
    }
    /// Reads a JSON value; numbers may also come as text, as they do from a form.
    pub fn from_json(knob: &Knob, json: &Json) -> Result<Value, Refusal> {
        match (json, knob.kind) {
            (Json::Text(text), _) => Value::from_text(knob, text),
            (Json::Number(number), Kind::Integer | Kind::Number) => in_range(knob, *number).map(Value::Number),
            (Json::Number(number), Kind::Choice(words)) => word(words, &number::plain(*number)),
            (Json::Number(number), Kind::Cpus) => CpuList::read(&number::plain(*number)).map(Value::Cpus),
            (Json::Number(number), Kind::Vector) => vector(knob, vec![*number]),
            (Json::List(items), Kind::Vector) => {
                let entries: Option<Vec<f64>> = items.iter().take(most_entries(knob) + 1).map(Json::as_f64).collect();
                match entries {
                    Some(entries) => vector(knob, entries),
                    None => Err((Code::WrongType, "is a list of numbers".to_owned())),
                }
            }
            (_, Kind::Choice(words)) => Err((Code::WrongType, format!("is one of the words {}", words.join(", ")))),
            (_, kind) => {
                let wanted = match kind {
                    Kind::Integer => "a whole number",
                    Kind::Vector => "a number or a list of numbers",
                    Kind::Cpus => "text such as 0-21,44-65",
                    _ => "a number",
                };
                Err((Code::WrongType, format!("is {wanted}, not {}", json.type_name())))
            }
        }
    }
}

/// Without blanks of ASCII at its ends.
pub(crate) fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace())
}

/// At most 40 characters of a text from outside, in quotes, control characters made visible.
pub fn quoted(text: &str) -> String {
    format!("“{}”", line(text, 40))
}

fn word(words: &'static [&'static str], text: &str) -> Result<Value, Refusal> {
    match words.iter().find(|word| word.eq_ignore_ascii_case(text)) {
        Some(word) => Ok(Value::Word(word)),
        None => {
            let message = format!("is one of {}, not {}", words.join(", "), quoted(text));
            Err((Code::UnknownChoice, message))
        }
    }
}

fn number(knob: &Knob, text: &str) -> Result<f64, Refusal> {
    match number::read(text) {
        Some(number) if number.is_finite() => Ok(number),
        _ => {
            let kind = if knob.kind == Kind::Integer { "a whole number" } else { "a number" };
            Err((Code::NotANumber, format!("is {kind}, not {}", quoted(text))))
        }
    }
}

fn vector(knob: &Knob, entries: Vec<f64>) -> Result<Value, Refusal> {
    let most = most_entries(knob);
    if entries.is_empty() || entries.len() > most {
        let message = format!("has one to {most} entries");
        return Err((Code::BadVector, message));
    }
    for &entry in &entries {
        in_range(knob, entry)?;
    }
    Ok(Value::Vector(entries))
}

fn in_range(knob: &Knob, number: f64) -> Result<f64, Refusal> {
    let unit = knob.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    if !(knob.min <= number && number <= knob.max) {
        let [min, max, number] = [knob.min, knob.max, number].map(number::plain);
        let message = format!("lies between {min} and {max}{unit}, not {number}");
        return Err((Code::OutOfRange, message));
    }
    if knob.kind == Kind::Integer && number != number.trunc() {
        return Err((Code::NotWhole, format!("is a whole number, not {}", number::plain(number))));
    }
    // Minus zero would print differently from zero.
    Ok(number + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::find;

    fn read(id: &str, text: &str) -> String {
        match Value::from_text(find(id).expect("a knob"), text) {
            Ok(value) => value.to_text(),
            Err((code, words)) => format!("{code:?}: {id} {words}"),
        }
    }

    /// As Rust's own reader has it, to the last bit, but for what is no finite number.
    #[test]
    fn numbers_are_read_as_people_write_them() {
        let written = "0 -0 +5 5. .5 -.5 007 1e3 1E-3 1.5e+2 0.1 0.30000000000000004 9007199254740993 1e22 1e23 \
            2.2250738585072011e-308 \
                       5e-324 1e-400 179769313486231570e291 123456789012345678901234567890 0e99999";
        for text in written.split_whitespace() {
            let found = number(find("think_time_ms").expect("a knob"), text).map_err(|refusal| refusal.1);
            assert_eq!(found.map(f64::to_bits), Ok(text.parse::<f64>().expect(text).to_bits()), "{text}");
        }
        for text in [
            "",
            ".",
            "-",
            "+-5",
            "5e",
            "5e+",
            "e5",
            "1_000",
            "0x10",
            "inf",
            "NaN",
            "1e400",
            "5 \
            5",
            "1,5",
            "--5",
            "1.2.3",
            "٣",
        ] {
            assert!(number(find("think_time_ms").expect("a knob"), text).is_err(), "{text}");
        }
    }

    #[test]
    fn text_becomes_a_value_or_a_sentence() {
        assert_eq!(read("sessions", "32"), "32");
        assert_eq!(read("lio_us", " 1.6667 "), "1.6667");
        assert_eq!(read("latch_share", "3e-5"), "0.00003");
        assert_eq!(read("os_scheduler", "cfs"), "CFS");
        assert_eq!(read("smt_yield", "1/1.4/1.52/1.6"), "1/1.4/1.52/1.6");
        assert_eq!(read("smt_yield", "1,1.5"), "1/1.5");
        assert_eq!(read("affinity_cpus", " 4-7,0-3"), "0-7");
        assert_eq!(read("rm_tick_ms", "-0"), "0");
        assert_eq!(read("sessions", "NaN"), "NotANumber: sessions is a whole number, not “NaN”");
        assert_eq!(read("sessions", "8.5"), "NotWhole: sessions is a whole number, not 8.5");
        assert_eq!(
            read("rm_tick_ms", "1e300"),
            format!("OutOfRange: rm_tick_ms lies between 0 and 100 ms, not {}", 1e300)
        );
        assert_eq!(
            read("resource_manager_plan", "<b>"),
            "UnknownChoice: resource_manager_plan is one of none, default, not “<b>”"
        );
    }
}
