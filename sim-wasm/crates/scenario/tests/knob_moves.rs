//! Every knob does something, and does it the right way round. The table is `knob_moves/moves.txt`; a knob, a process
//! kind or a word without a row fails.

use std::collections::BTreeMap;
use wwi_model::experiment::Experiment;
use wwi_model::report::Report;
use wwi_model::testing::{done, goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode_with;
use wwi_scenario::knob::{Kind, NameScope};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::metrics::find;

const TABLE: &str = include_str!("knob_moves/moves.txt");
/// Each move is made with these seeds, and must show with each.
const SEEDS: [u64; 2] = [1, 2];
/// Relative half-width and event budget where a row says nothing.
const PRECISION: f64 = 0.01;
const MAX_EVENTS: u64 = 100_000;
/// Not a knob: how many hosts there are, each with an instance.
const HOSTS: &str = "hosts";
/// What a ratio may be off by where a row says nothing.
const NEAR: f64 = 0.03;
/// What "up" and "down" ask for at least.
const PLAIN: f64 = 1.1;

#[derive(Clone, Copy, Debug)]
enum Expected {
    Times(f64, f64),
    Up,
    Down,
    Differs,
}

#[derive(Debug)]
struct Move<'a> {
    knob: &'a str,
    from: &'a str,
    to: &'a str,
    figure: &'a str,
    expected: Expected,
    settings: Vec<(String, String)>,
    why: &'a str,
}

impl Expected {
    fn read(text: &str) -> Option<Expected> {
        match text {
            "up" => Some(Expected::Up),
            "down" => Some(Expected::Down),
            "differs" => Some(Expected::Differs),
            _ => {
                let (ratio, percent) = match text.strip_prefix("× ")?.split_once(" ± ") {
                    Some((ratio, percent)) => (ratio, percent.parse::<f64>().ok()? / 100.0),
                    None => (text.strip_prefix("× ")?, NEAR),
                };
                Some(Expected::Times(ratio.parse().ok()?, percent))
            }
        }
    }

    fn holds(self, from: f64, to: f64) -> bool {
        match self {
            Expected::Times(ratio, near) => from > 0.0 && (to - ratio * from).abs() <= near * ratio * from,
            Expected::Up => to > from * PLAIN && to > 0.0,
            Expected::Down => from > to * PLAIN,
            Expected::Differs => from != to,
        }
    }
}

/// Settings with the words in $ replaced; what stands later wins.
fn settings(text: &str, names: &BTreeMap<&str, &str>) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for word in text.split_whitespace() {
        match (word.strip_prefix('$'), word.split_once('=')) {
            (Some(name), _) => all.extend(settings(names.get(name).unwrap_or_else(|| panic!("${name}")), names)),
            (None, Some((knob, value))) => all.push((knob.to_owned(), value.to_owned())),
            (None, None) => panic!("“{word}” is no knob=value"),
        }
    }
    let last = |key: &str| all.iter().rposition(|(knob, _)| knob == key);
    (0..all.len()).filter(|&at| last(&all[at].0) == Some(at)).map(|at| all[at].clone()).collect()
}

fn table() -> Vec<Move<'static>> {
    let names = TABLE.lines().filter_map(|line| line.strip_prefix('$')?.split_once(" = ")).collect();
    let blocks = TABLE.split("\n\n").filter(|block| block.contains(" → ") && !block.starts_with(' '));
    let read = |block: &'static str| {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with('#')).map(str::trim).collect();
        let [head, scenario, why] = lines[..] else { panic!("three lines each:\n{block}") };
        let [moved, figure, expected] = head.split(" | ").collect::<Vec<_>>()[..] else { panic!("{head}") };
        let (knob, (from, to)) = moved.split_once(": ").map(|(k, m)| (k, m.split_once(" → ").expect(m))).expect(moved);
        let expected = Expected::read(expected).unwrap_or_else(|| panic!("{head}"));
        Move { knob, from, to, figure, expected, settings: settings(scenario, &names), why }
    };
    blocks.map(read).collect()
}

/// So many hosts, each with an instance.
fn document(hosts: usize) -> String {
    let nodes = vec!["{}"; hosts].join(", ");
    let instances: Vec<String> = (1..=hosts).map(|host| format!("{{\"node\": {host}}}")).collect();
    format!("{{\"version\": 1, \"nodes\": [{nodes}], \"instances\": [{}]}}", instances.join(", "))
}

fn run(settings: &[(String, String)]) -> (Report, Option<f64>) {
    let hosts = settings.iter().find(|(knob, _)| knob == HOSTS).map_or(1, |(_, value)| value.parse().expect(HOSTS));
    let knobs: Vec<_> = settings.iter().filter(|(knob, _)| knob != HOSTS).cloned().collect();
    let decoded = decode_with(&document(hosts), &knobs).unwrap_or_else(|problems| panic!("{problems:?}"));
    let config = to_config(&decoded.scenario);
    let said = |id: &str| settings.iter().any(|(knob, _)| knob == id);
    let max_events = if said("max_events") { decoded.scenario.run_number("max_events") as u64 } else { MAX_EVENTS };
    let precision = decoded.scenario.said_precision().unwrap_or(PRECISION);
    (done(Experiment::new(&config, goal(precision, max_events))).report(), config.closed_sessions())
}

/// A figure of the catalogue, or the number of events.
fn figure(id: &str, (report, sessions): &(Report, Option<f64>)) -> f64 {
    if id == "events" {
        return report.events as f64;
    }
    let found = find(id).unwrap_or_else(|| panic!("there is no figure {id}"));
    found.read(report, *sessions).unwrap_or_else(|| panic!("{id} does not apply")).mean
}

impl Move<'_> {
    /// What is wrong with it; nothing where each seed shows it.
    fn fault(&self, seed: u64) -> Option<String> {
        let at = |value: &str| {
            let mut all: Vec<_> = self.settings.iter().filter(|(knob, _)| knob != self.knob).cloned().collect();
            if self.knob != "seed" {
                all.push(("seed".to_owned(), seed.to_string()));
            }
            all.push((self.knob.to_owned(), value.to_owned()));
            let ran = run(&all);
            let broken: Vec<_> = ran.0.checks.iter().filter(|check| !check.ok).collect();
            assert!(broken.is_empty(), "{}={value}: {broken:?}", self.knob);
            figure(self.figure, &ran)
        };
        let (from, to) = (at(self.from), at(self.to));
        let line = format!(
            "{}: {} → {}, seed {seed}: {} goes from {from:.5} to {to:.5}, × {:.4}; expected {:?}: {}",
            self.knob,
            self.from,
            self.to,
            self.figure,
            to / from,
            self.expected,
            self.why
        );
        println!("{line}");
        (!self.expected.holds(from, to)).then_some(line)
    }
}

#[test]
fn every_knob_moves_what_it_should() {
    let moves = table();
    let (first, second) = moves.split_at(moves.len() / 2);
    let faults = |moves: &[Move]| -> Vec<String> {
        moves.iter().flat_map(|row| SEEDS.iter().filter_map(|&seed| row.fault(seed))).collect()
    };
    let mut found = std::thread::scope(|scope| {
        let other = scope.spawn(|| faults(second));
        let mut found = faults(first);
        found.extend(other.join().expect("no panic"));
        found
    });
    found.sort();
    assert!(found.is_empty(), "{} moves went another way:\n{}", found.len(), found.join("\n"));
}

#[test]
fn every_knob_kind_and_word_has_a_row() {
    let moves = table();
    let has = |address: &str, word: Option<&str>| {
        let named = |row: &Move| row.knob == address || row.knob.split('@').next() == Some(address);
        moves.iter().any(|row| named(row) && word.is_none_or(|word| row.from == word || row.to == word))
    };
    let mut missing = Vec::new();
    for knob in KNOBS {
        let addresses = match knob.scope {
            NameScope::Kind => ["session", "background", "service"].map(|kind| format!("{}@{kind}", knob.id)).to_vec(),
            _ => vec![knob.id.to_owned()],
        };
        missing.extend(addresses.into_iter().filter(|address| !has(address, None)));
        if let Kind::Choice(words) = knob.kind {
            let unseen = words.iter().filter(|word| !has(knob.id, Some(word)));
            missing.extend(unseen.map(|word| format!("{}={word}", knob.id)));
        }
    }
    assert!(missing.is_empty(), "no row in knob_moves/moves.txt for {}", missing.join(", "));
    for row in &moves {
        let id = row.knob.split('@').next().unwrap_or_default();
        assert!(KNOBS.iter().any(|knob| knob.id == id), "there is no knob {}", row.knob);
        assert!(row.why.len() > 10, "{}: no reason", row.knob);
    }
}
