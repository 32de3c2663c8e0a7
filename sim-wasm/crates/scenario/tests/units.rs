//! Units change on the way from a scenario to what the model takes, and nowhere else.
use std::fs::read_dir;
use std::path::Path;

/// Where numbers of knobs become times and sizes of the model.
const PLACES: [&str; 5] = ["cluster.rs", "config.rs", "database.rs", "parallel.rs", "sequence.rs"];

/// Paths of the files below a folder that make a time of a number.
fn makes_times(folder: &Path, found: &mut Vec<String>) {
    let paths = read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in paths {
        if path.is_dir() {
            makes_times(&path, found);
        } else if ["s", "ms", "us"].iter().any(|unit| {
            let text = std::fs::read_to_string(&path).expect("a text");
            text.contains(&format!("from_{unit}("))
        }) {
            found.push(path.file_name().expect("a name").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn numbers_become_times_in_five_files() {
    let mut found = Vec::new();
    makes_times(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    assert_eq!(found, PLACES);
}
