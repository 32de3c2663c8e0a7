//! The text of a scenario argument.

use crate::Fault;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use wwi_scenario::decode::MAX_DOCUMENT;
use wwi_scenario::presets;
use wwi_scenario::shown::line;

/// Characters of a path that are told.
const LONGEST_PATH: usize = 200;

/// The contents of a file, or the argument itself. What is no file is left to the decoder, which knows presets and
/// links.
pub fn scenario_text(argument: &str) -> Result<String, Fault> {
    let path = Path::new(argument);
    if path.is_file() || argument.ends_with(".json") {
        return read_file(path).map_err(|words| vec![format!("{}: {words}", line(argument, LONGEST_PATH))]);
    }
    if path.is_dir() && presets::find(argument).is_none() {
        return Err(vec![format!(
            "{}: this is a folder; name a file in it, or a preset such as {}",
            line(argument, LONGEST_PATH),
            presets::PRESETS[0].id
        )]);
    }
    Ok(argument.to_owned())
}

/// Reads a document, and no more of a file than a document may have.
fn read_file(path: &Path) -> Result<String, String> {
    let words = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::IsADirectory => "this is a folder, not a file".to_owned(),
        ErrorKind::PermissionDenied => "this file may not be read".to_owned(),
        _ => error.to_string(),
    };
    let file = File::open(path).map_err(words)?;
    let limit = MAX_DOCUMENT as u64;
    let said = file.metadata().map_err(words)?.len();
    let too_long = |bytes: &str| format!("the file has {bytes} bytes; a scenario has at most {limit}");
    if said > limit {
        return Err(too_long(&said.to_string()));
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(words)?;
    if bytes.len() as u64 > limit {
        return Err(too_long(&format!("more than {limit}")));
    }
    let text = String::from_utf8(bytes).map_err(|_| "this is not text in UTF-8".to_owned())?;
    if text.trim().is_empty() {
        return Err("this file is empty; a scenario is a document in JSON".to_owned());
    }
    Ok(text)
}
