//! `wwi generate`: what the page takes from the Rust tables, written below the checkout, or checked against it.

use crate::knob_page::knob_page;
use crate::Fault;
use serde::{Serialize, Serializer};
use serde_json::{json, Map, Value as Json};
use std::fs;
use std::path::PathBuf;
use wwi_scenario::catalogue::catalogue;
use wwi_scenario::document::Document;
use wwi_scenario::presets::PRESETS;
use wwi_scenario::typescript::declarations;

/// Where to, and whether only to look.
#[derive(clap::Args)]
pub struct GenerateArguments {
    /// Folder of the checkout.
    folder: PathBuf,
    /// Write nothing; fail where a file differs.
    #[arg(long)]
    check: bool,
}

/// Words of a knob that only help shows.
const WORDS: [&str; 2] = ["help", "source"];

/// What most knobs say: left out of what the page is built with.
fn is_usual(key: &str, value: &Json) -> bool {
    match key {
        "restart" | "front" => value == false,
        "scale" => value == "linear",
        "status" => value == "constant",
        _ => false,
    }
}

/// Fields of a knob in the order in which all of them together are compressed best.
const ORDER: [&str; 15] = [
    "default",
    "scale",
    "status",
    "step",
    "min",
    "unit",
    "kind",
    "max",
    "choices",
    "acts",
    "name_scope",
    "group",
    "id",
    "front",
    "said",
];

/// A knob with its fields in that order, and others behind them.
struct Ordered(Map<String, Json>);

impl Serialize for Ordered {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let known = ORDER.iter().filter_map(|&key| self.0.get_key_value(key));
        let others = self.0.iter().filter(|(key, _)| !ORDER.contains(&key.as_str()));
        serializer.collect_map(known.chain(others))
    }
}

/// What the page is built with.
#[derive(Serialize)]
struct Built {
    #[serde(flatten)]
    others: Json,
    knobs: Vec<Ordered>,
}

/// The tables in two: what the page is built with, and what it fetches when it shows it: published figures by row, the
/// words of each knob by its name, what each preset asks and what it leans on by its own.
fn halves(tables: Json) -> (Built, Json) {
    let mut tables = tables;
    let (mut words, mut knobs) = (Map::new(), Vec::new());
    for knob in tables["knobs"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        let own: Map<String, Json> = WORDS.iter().filter_map(|&key| knob.remove_entry(key)).collect();
        knob.retain(|key, value| !is_usual(key, value));
        words.insert(knob["id"].as_str().unwrap_or_default().to_owned(), Json::Object(own));
        knobs.push(Ordered(std::mem::take(knob)));
    }
    let (mut notes, mut questions) = (Map::new(), Map::new());
    for preset in tables["presets"].as_array_mut().into_iter().flatten().filter_map(Json::as_object_mut) {
        let [note, question] = ["note", "question"].map(|key| preset.remove(key).unwrap_or_default());
        let id = preset["id"].as_str().unwrap_or_default();
        notes.insert(id.to_owned(), note);
        questions.insert(id.to_owned(), question);
    }
    let mut taken = |key: &str| tables.as_object_mut().and_then(|all| all.remove(key));
    let (published, snapshots, listings) = (taken("published"), taken("snapshots"), taken("listings"));
    let (caches, terms, works) = (taken("cache_snapshots"), taken("terms"), taken("works"));
    let terms = with_events(terms, taken("events"));
    taken("knobs");
    let texts = json!({
        "knobs": words, "published": published, "snapshots": snapshots, "cache_snapshots": caches,
        "listings": listings, "terms": terms, "works": works, "notes": notes,
        "questions": questions,
    });
    (Built { others: tables, knobs }, texts)
}

/// Terms, and the names of waits that none of them explains, with what a wait is for.
fn with_events(terms: Option<Json>, events: Option<Json>) -> Json {
    let list = |json: Option<Json>| json.and_then(|json| json.as_array().cloned()).unwrap_or_default();
    let mut terms = list(terms);
    let is_known = |terms: &[Json], name: &Json| terms.iter().any(|term| &term["name"] == name);
    for event in list(events).iter().filter(|event| event["class"] != "CPU") {
        if !is_known(&terms, &event["event"]) {
            let help = event["help"].as_str().unwrap_or_default();
            terms.push(json!({ "name": event["event"], "words": format!("A wait event. {help}") }));
        }
    }
    Json::Array(terms)
}

/// Path below the checkout and text of each file.
fn files() -> Result<Vec<(String, String)>, Fault> {
    let pretty = |json: serde_json::Result<String>| json.map(|text| text + "\n").map_err(|e| vec![e.to_string()]);
    let generated = "web/src/engine/generated";
    let tables = serde_json::to_value(catalogue()).map_err(|error| vec![error.to_string()])?;
    let (tables, texts) = halves(tables);
    let mut files = vec![
        (format!("{generated}/types.ts"), declarations()),
        (format!("{generated}/catalogue.json"), pretty(serde_json::to_string_pretty(&tables))?),
        (format!("{generated}/texts.json"), pretty(serde_json::to_string_pretty(&texts))?),
    ];
    files.push(("sim-wasm/docs/knobs.md".to_owned(), knob_page()));
    for preset in PRESETS {
        let (scenario, _) = preset.scenario();
        let text = pretty(serde_json::to_string_pretty(&Document::of(&scenario)))?;
        files.push((format!("public/scenarios/{}.json", preset.id), text));
    }
    Ok(files)
}

/// Writes or checks; answers what was done.
pub fn generate(arguments: &GenerateArguments) -> Result<String, Fault> {
    let mut faults = Fault::new();
    let mut done = String::new();
    for (path, text) in files()? {
        let target = arguments.folder.join(&path);
        if fs::read_to_string(&target).is_ok_and(|present| present == text) {
            continue;
        }
        if arguments.check {
            faults.push(format!("{path} is not what the tables say: run `wwi generate`"));
            continue;
        }
        let parent = target.parent().map_or(Ok(()), fs::create_dir_all);
        match parent.and_then(|()| fs::write(&target, &text)) {
            Ok(()) => done += &format!("{path}\n"),
            Err(error) => faults.push(format!("{path}: {error}")),
        }
    }
    if faults.is_empty() {
        Ok(done)
    } else {
        Err(faults)
    }
}
