//! The one decoder: links, queries and JSON documents become scenarios, or a list of all that is wrong.

use crate::address::{hint, Address};
use crate::json::Json;
use crate::knob::{find, Group};
use crate::presets;
use crate::problem::{Code, Problem, Problems};
use crate::scenario::Scenario;
use crate::shown::line;
use crate::value::{quoted, trimmed, Value};
use crate::{check, document, encoding};
use serde::Serialize;

/// What a text says.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// B: the scenario of the text.
    pub scenario: Scenario,
    /// A: the scenario it is compared with.
    pub compared: Scenario,
    /// What A overrides, address and text of the value; the preset's own where the text has none.
    pub overrides: Vec<(String, String)>,
    /// State of the page, kept as it came.
    pub view: Vec<(String, String)>,
    /// What the text itself says of B, on top of its preset.
    pub given: Vec<Address>,
}

/// Why a text was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// Everything that is wrong.
    pub problems: Vec<Problem>,
    /// Each value could be read; they do not fit together.
    pub is_read: bool,
}

/// What a link may hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Limits {
    /// Its length \[bytes of UTF-8\].
    pub link_bytes: usize,
    /// Keys.
    pub pairs: usize,
    /// Title \[characters\].
    pub title: usize,
    /// Note \[characters\].
    pub note: usize,
}

/// What a link may hold.
pub const LIMITS: Limits = Limits { link_bytes: 32 * 1024, pairs: 400, title: 120, note: 2000 };
/// Longest document \[bytes\], blanks around it included.
pub const MAX_DOCUMENT: usize = 1024 * 1024;
/// Keys of the page's own state that may be said without `view.`.
pub const VIEW_KEYS: &[&str] = &["view", "y", "x", "follow", "t"];

/// A value as it comes in.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input<'a> {
    Text(&'a str),
    Json(&'a Json),
}

/// Reads any form of a scenario: `preset?knob=value&…`, `v1/preset?…&a.knob=…&view.key=…` or a JSON document.
pub fn decode(text: &str) -> Result<Decoded, Vec<Problem>> {
    decode_with(text, &[])
}

/// Reads a scenario and then sets further values, as `--set` does.
pub fn decode_with(text: &str, sets: &[(String, String)]) -> Result<Decoded, Vec<Problem>> {
    look(text, sets).map_err(|refused| refused.problems)
}

/// As [`decode_with`], and in which way a text is wrong.
pub fn look(text: &str, sets: &[(String, String)]) -> Result<Decoded, Refused> {
    let mut problems = Problems::default();
    let mut is_read = false;
    let decoded = read(text, sets, &mut problems, &mut is_read);
    match decoded {
        Some(decoded) if problems.is_empty() => Ok(decoded),
        _ => Err(Refused { problems: problems.into_list(), is_read }),
    }
}

fn read(text: &str, sets: &[(String, String)], problems: &mut Problems, is_read: &mut bool) -> Option<Decoded> {
    let bytes = text.len();
    let text = trimmed(text);
    let is_document = text.starts_with('{') || text.starts_with('[');
    let limit = if is_document { MAX_DOCUMENT } else { LIMITS.link_bytes };
    if bytes > limit {
        let message = format!("the text has {bytes} bytes; a scenario has at most {limit}");
        problems.add("", Code::TooLong, message);
        return None;
    }
    if text.is_empty() {
        problems.add("", Code::Missing, "there is no scenario in it: write a preset, a link or a document");
        return None;
    }
    let (mut scenario, mut link) = if is_document {
        let scenario = document::read(text, problems)?;
        let given = scenario.said().map(|(address, _)| address).collect();
        (scenario, Link { given, ..Link::default() })
    } else {
        read_link(text, problems)?
    };
    link.given.extend(layer(&mut scenario, pairs(sets), "", problems));
    let said = link.overrides.is_some();
    let overrides: Vec<(String, String)> = match (link.overrides, scenario.preset) {
        (Some(overrides), _) => overrides,
        (None, Some(preset)) => preset.compare.iter().map(|&(key, text)| (key.to_owned(), text.to_owned())).collect(),
        (None, None) => Vec::new(),
    };
    let mut faults = Problems::default();
    // A is B with one more layer on top.
    let mut compared = scenario.clone();
    layer(&mut compared, pairs(&overrides), "a.", &mut faults);
    *is_read = problems.is_empty() && faults.is_empty();
    if problems.is_empty() {
        check::check(&scenario, "", problems);
    }
    // Rules that join knobs are looked at in A where B keeps them.
    if problems.is_empty() && faults.is_empty() {
        check::check(&compared, "a.", &mut faults);
    }
    let mut decoded = Decoded { scenario, compared, overrides, view: link.view, given: link.given };
    if !said && !faults.is_empty() {
        // The preset's own comparison does not fit what was changed; nobody asked for it.
        decoded.compared = decoded.scenario.clone();
        decoded.overrides.clear();
        return Some(decoded);
    }
    for fault in faults.into_list() {
        problems.add(&fault.path, fault.code, fault.message);
    }
    Some(decoded)
}

fn pairs(owned: &[(String, String)]) -> impl Iterator<Item = (&str, &str)> {
    owned.iter().map(|(key, text)| (key.as_str(), text.as_str()))
}

#[derive(Default)]
struct Link {
    overrides: Option<Vec<(String, String)>>,
    view: Vec<(String, String)>,
    given: Vec<Address>,
}

fn read_link(text: &str, problems: &mut Problems) -> Option<(Scenario, Link)> {
    let text = text.strip_prefix('#').unwrap_or(text);
    let (head, query) = text.split_once('?').unwrap_or((text, ""));
    let name = preset_name(head, problems)?;
    let Some(preset) = presets::find(&name) else {
        let known: Vec<&str> = presets::PRESETS.iter().map(|preset| preset.id).collect();
        let message = format!("there is no preset {}; there are {}", quoted(&name), known.join(", "));
        problems.add("preset", Code::UnknownPreset, message);
        return None;
    };
    let (mut scenario, _) = preset.scenario();
    let mut link = Link::default();
    let mut own = Vec::new();
    for (count, pair) in query.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        if count == LIMITS.pairs {
            problems.add("", Code::TooLong, format!("a link has at most {} values", LIMITS.pairs));
            break;
        }
        let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
        let (Some(key), Some(text)) = (encoding::decode(key), encoding::decode(text)) else {
            let message = format!("{} is cut off or wrongly percent-encoded", quoted(pair));
            problems.add(key, Code::BadEncoding, message);
            continue;
        };
        if key == "a" && text.is_empty() {
            link.overrides.get_or_insert_default();
        } else if let Some(key) = key.strip_prefix("a.") {
            link.overrides.get_or_insert_default().push((key.to_owned(), text));
        } else if let Some(name) = key.strip_prefix("view.").or(VIEW_KEYS.contains(&key.as_str()).then_some(&key)) {
            link.say_view(name.to_owned(), text, problems);
        } else {
            own.push((key, text));
        }
    }
    link.given = layer(&mut scenario, pairs(&own), "", problems);
    Some((scenario, link))
}

impl Link {
    fn say_view(&mut self, key: String, text: String, problems: &mut Problems) {
        if self.view.iter().any(|(known, _)| *known == key) {
            problems.add(&key, Code::Duplicate, format!("{} is given twice", quoted(&format!("view.{key}"))));
        }
        self.view.push((key, text));
    }
}

fn preset_name(head: &str, problems: &mut Problems) -> Option<String> {
    let Some(head) = encoding::decode(head) else {
        problems.add("preset", Code::BadEncoding, "the name of the preset is wrongly percent-encoded");
        return None;
    };
    let Some((version, name)) = head.split_once('/') else {
        return Some(head);
    };
    if version != "v1" {
        let message = format!("this page reads links of version v1, not {}", quoted(version));
        problems.add("version", Code::UnknownVersion, message);
        return None;
    }
    Some(name.to_owned())
}

/// Says values on top of a scenario, as one layer; returns the addresses.
pub(crate) fn layer<'a>(
    scenario: &mut Scenario,
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    prefix: &str,
    problems: &mut Problems,
) -> Vec<Address> {
    let (mut fresh, mut words) = (Vec::new(), Vec::new());
    let pairs: Vec<(&str, &str)> = pairs.collect();
    resize(scenario, &pairs, prefix, problems);
    for (key, text) in pairs {
        match key {
            "title" | "note" if words.contains(&key) => {
                problems.add(key, Code::Duplicate, format!("{key} is given twice"));
            }
            "title" | "note" if prefix.is_empty() => {
                words.push(key);
                set_words(scenario, key, text, problems);
            }
            _ => read_value(scenario, key, Input::Text(text), prefix, &mut fresh, problems),
        }
    }
    let said = fresh.iter().map(|(address, _)| *address).collect();
    scenario.lay(fresh);
    said
}

/// The number of hosts comes first: what is said of one of them needs that it is there.
fn resize(scenario: &mut Scenario, pairs: &[(&str, &str)], prefix: &str, problems: &mut Problems) {
    let Some(knob) = find("cluster_nodes") else { return };
    let said = pairs.iter().find(|(key, _)| *key == knob.id).and_then(|(_, text)| Value::from_text(knob, text).ok());
    let Some(nodes) = said.map(|value| value.as_number() as usize).filter(|&nodes| nodes != scenario.nodes) else {
        return;
    };
    if scenario.is_by_host() {
        return scenario.resize(nodes);
    }
    let path = format!("{prefix}{}", knob.id);
    let message = format!("{path} = {nodes}: hosts can be added where each has one instance, which is not so here");
    problems.add(&path, Code::Conflict, message);
}

/// Reads one value of a layer into `fresh`.
pub(crate) fn read_value(
    scenario: &Scenario,
    key: &str,
    input: Input<'_>,
    prefix: &str,
    fresh: &mut Vec<(Address, Value)>,
    problems: &mut Problems,
) {
    if problems.is_full() {
        return;
    }
    let path = format!("{prefix}{key}");
    let address = match Address::parse(key, scenario) {
        Ok(address) => address,
        Err((code, words)) => {
            let message = format!("{}: {words}", line(&path, Problems::LONGEST_PATH));
            let end = || if code == Code::UnknownKnob { hint(key) } else { String::new() };
            return problems.add_with(&path, code, message, end);
        }
    };
    if prefix == "a." && address.knob.group == Group::Run {
        let message = format!("{path}: both scenarios share one {}", address.knob.id);
        return problems.add(&path, Code::WrongScope, message);
    }
    if fresh.iter().any(|(known, _)| known.knob.id == address.knob.id && known.scope == address.scope) {
        return problems.add(&path, Code::Duplicate, format!("{path} is given twice"));
    }
    let value = match input {
        Input::Text(text) => Value::from_text(address.knob, text),
        Input::Json(json) => Value::from_json(address.knob, json),
    };
    match value {
        Ok(value) => fresh.push((address, value)),
        Err((code, words)) => problems.add(&path, code, format!("{path} {words}")),
    }
}

fn set_words(scenario: &mut Scenario, key: &str, text: &str, problems: &mut Problems) {
    let (field, most) = match key {
        "title" => (&mut scenario.title, LIMITS.title),
        _ => (&mut scenario.note, LIMITS.note),
    };
    if text.chars().count() > most {
        problems.add(key, Code::TooLong, format!("{key} has at most {most} characters"));
    } else {
        *field = text.to_owned();
    }
}

/// Reads a title or note of a document.
pub(crate) fn set_json_words(scenario: &mut Scenario, key: &str, json: &Json, problems: &mut Problems) {
    match json {
        Json::Text(text) => set_words(scenario, key, text, problems),
        other => {
            let message = format!("{key} is text, not {}", other.type_name());
            problems.add(key, Code::WrongType, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knobs::KNOBS;
    use crate::nearest::COMPARED;

    /// Pairs of letters compared while a text is refused, and what is told.
    fn refuse(text: &str) -> (u64, Vec<Problem>) {
        COMPARED.set(0);
        let problems = decode(text).expect_err("unknown keys");
        (COMPARED.get(), problems)
    }

    #[test]
    fn refusing_many_names_costs_what_telling_of_a_hundred_costs() {
        // One name against every knob: at most as many pairs as the lengths make, the longest that is near included.
        let one: u64 = KNOBS.iter().map(|knob| knob.id.len() as u64 * 2 * (knob.id.len() as u64 + 1)).sum();
        let most = one * Problems::MAX as u64;
        let keys = |count: usize, key: &dyn Fn(usize) -> String| {
            let keys: Vec<String> = (0..count).map(|k| format!("\"{}\":1", key(k))).collect();
            keys.join(",")
        };
        let short = keys(80_000, &|k| format!("{}{k}", if k < 50 { "sesion" } else { "z" }));
        let (compared, problems) = refuse(&format!("{{\"version\":1,{short}}}"));
        assert!(0 < compared && compared <= most, "{compared} of at most {most}");
        assert_eq!(problems.len(), Problems::MAX);
        assert_eq!(problems[0].message, "sesion0: there is no knob “sesion0”; did you mean sessions?");
        let inside = format!("{{\"version\":1,\"instances\":[{{{short}}}]}}");
        assert!(refuse(&inside).0 <= most);
        // Names that are told in the same words are one problem, however many there are.
        let same = keys(14_000, &|k| format!("{}{k}", "s".repeat(60)));
        let (compared, problems) = refuse(&format!("{{\"version\":1,{same}}}"));
        assert!(compared <= most && problems.len() == Problems::MAX, "{compared}");
        let cut = keys(9_000, &|k| format!("{}{k}", "session".repeat(15)));
        let (compared, problems) = refuse(&format!("{{\"version\":1,{cut}}}"));
        assert!(compared <= one && problems.len() == 1, "{compared} {}", problems.len());
    }

    #[test]
    fn blanks_count_to_the_length_and_alone_are_nothing() {
        let blank = " ".repeat(LIMITS.link_bytes);
        let told = |text: &str| decode(text).err().map_or(String::new(), |problems| problems[0].message.clone());
        assert_eq!(told(&format!("cpu-queue{}", " ".repeat(LIMITS.link_bytes - 9))), "");
        assert_eq!(told(&format!("cpu-queue{blank}")), "the text has 32777 bytes; a scenario has at most 32768");
        let document = |blanks: usize| format!("{{\"version\":1}}{}", "\n".repeat(blanks));
        assert_eq!(told(&document(MAX_DOCUMENT - 13)), "");
        assert_eq!(told(&document(MAX_DOCUMENT)), "the text has 1048589 bytes; a scenario has at most 1048576");
        assert_eq!(told(" \n"), "there is no scenario in it: write a preset, a link or a document");
    }
}
