//! `wwi generate`: what the page takes from the Rust tables, written below the checkout, or checked against it.

use crate::knob_page::knob_page;
use crate::Fault;
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

/// Path below the checkout and text of each file.
fn files() -> Result<Vec<(String, String)>, Fault> {
    let pretty = |json: serde_json::Result<String>| json.map(|text| text + "\n").map_err(|e| vec![e.to_string()]);
    let generated = "web/src/engine/generated";
    let mut files = vec![
        (format!("{generated}/types.ts"), declarations()),
        (format!("{generated}/catalogue.json"), pretty(serde_json::to_string_pretty(&catalogue()))?),
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
