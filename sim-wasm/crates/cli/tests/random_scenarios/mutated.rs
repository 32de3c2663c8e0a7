//! Lines, documents and `--set`s that something went wrong with.

use super::{everyday, extreme, one_of, Input};
use wwi_kernel::rng::Stream;
use wwi_scenario::decode::decode_with;
use wwi_scenario::document::Document;
use wwi_scenario::knobs::KNOBS;

/// Numbers that somebody did not think of.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "16",
    "100",
    "0.5",
    "1e-300",
    "1e308",
    "1e999",
    "-1e9",
    "NaN",
    "inf",
    "0x10",
    "007",
    "1_000",
    "1,5",
    "",
    " 4",
    "9007199254740993",
    "340282366920938463463374607431768211456",
    "1e3",
    "²",
    "١",
    "null",
    "true",
    "[1]",
    "{}",
    "\"8\"",
];

/// Pieces that mean something in a line or a document, and some that mean nothing anywhere.
const PIECES: &[&str] = &[
    "&",
    "=",
    "?",
    "@",
    "%",
    "%25",
    "%ff",
    "%00",
    "+",
    "/",
    "#",
    "#v1/",
    "v1/",
    "v2/",
    "a.",
    "view.",
    "a=&",
    "@instance1",
    "@node1",
    "@node99",
    "@node2",
    "@instance2@node1",
    "@session@instance2",
    "@service@instance1",
    "@session@session",
    "@session",
    "@service",
    "@lms",
    ";",
    ",",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\\u0000",
    "\n",
    "\r",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "é",
    "🦀",
    "null",
    "true",
    "[[[[[[[[",
    "__proto__",
    "constructor",
    "\"nodes\": [{}]",
    "\"instances\": []",
    "\"version\": 2,",
    "\"consumer_groups\": [{\"name\": \"\"}],",
    "sessions=9&",
    "max_events=1000&",
    "precision=0.5&",
    "title=x&",
];

/// A valid scenario, as a line or as a document.
fn base(rng: &mut Stream, case: u64) -> Input {
    let input = if rng.below(2) == 0 { everyday(case) } else { extreme(case) };
    match decode_with(&input.text, &input.sets) {
        Ok(decoded) if rng.below(2) == 0 => {
            let text = serde_json::to_string_pretty(&Document::of(&decoded.scenario)).expect("JSON");
            Input { text, sets: Vec::new() }
        }
        _ => input,
    }
}

/// Where a run of digits begins and ends, one of all.
fn a_number(rng: &mut Stream, text: &[char]) -> Option<(usize, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let starts = (0..text.len()).filter(|&at| is_part(text[at]) && (at == 0 || !is_part(text[at - 1])));
    let starts: Vec<usize> = starts.collect();
    let start = *starts.get(rng.below(starts.len() as u64) as usize)?;
    Some((start, (start..text.len()).find(|&at| !is_part(text[at])).unwrap_or(text.len())))
}

/// One thing goes wrong.
fn mutate(rng: &mut Stream, text: &mut Vec<char>) {
    let len = text.len() as u64;
    let from = rng.below(len + 1) as usize;
    let to = (from + 1 + rng.below(12) as usize).min(text.len());
    match rng.below(8) {
        0 => drop(text.drain(from..to)),
        1 => drop(text.splice(from..from, one_of(rng, PIECES).chars())),
        2 => {
            let twice: Vec<char> = text[from..to].to_vec();
            text.splice(from..from, twice);
        }
        3 if rng.below(4) == 0 => text.truncate(from),
        4 => {
            let at = rng.below(len.max(1)) as usize;
            if let Some(c) = text.get_mut(at) {
                *c = char::from(rng.below(128) as u8);
            }
        }
        _ => {
            if let Some((start, end)) = a_number(rng, text) {
                text.splice(start..end, one_of(rng, NUMBERS).chars());
            }
        }
    }
}

/// A `--set` that may be right.
fn a_set(rng: &mut Stream) -> (String, String) {
    let mut knob: Vec<char> = one_of(rng, KNOBS).id.chars().collect();
    if rng.below(4) == 0 {
        knob.extend(one_of(rng, PIECES).chars());
    }
    if rng.below(6) == 0 {
        mutate(rng, &mut knob);
    }
    let value = if rng.below(4) == 0 { one_of(rng, PIECES) } else { one_of(rng, NUMBERS) };
    (knob.into_iter().collect(), (*value).to_owned())
}

/// A scenario with one to three things wrong in its text, its `--set`s, or both.
pub fn mutated(case: u64) -> Input {
    let rng = &mut Stream::new(4, 0, "mutated scenario", case, "text");
    let Input { text, mut sets } = base(rng, case);
    let mut text: Vec<char> = text.chars().collect();
    let where_to = rng.below(3);
    for _ in 0..1 + rng.below(3) {
        match where_to {
            0 => sets.push(a_set(rng)),
            1 if !sets.is_empty() => {
                let at = rng.below(sets.len() as u64) as usize;
                let mut value: Vec<char> = sets[at].1.chars().collect();
                mutate(rng, &mut value);
                sets[at].1 = value.into_iter().collect();
            }
            _ => mutate(rng, &mut text),
        }
    }
    Input { text: text.into_iter().collect(), sets }
}
