//! The operating system has never heard of a program: it sees processes that want CPU, and knows nobody's name.
use std::fs;
use std::path::Path;

/// Words that only the other side of the wall may use.
const FORBIDDEN: [&str; 4] = ["program::", "Program", "Segment", "crate::world"];

/// What of `text` stands on the wrong side, by line.
fn trespasses(text: &str) -> Vec<(usize, &'static str)> {
    let lines = text.lines().zip(1..);
    lines
        .flat_map(|(line, at)| FORBIDDEN.into_iter().filter(|word| line.contains(word)).map(move |w| (at, w)))
        .collect()
}

#[test]
fn no_file_of_the_operating_system_names_a_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/host");
    let mut looked_at = 0;
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let text = fs::read_to_string(&path).expect("it is a file of text");
        assert_eq!(trespasses(&text), [], "{}", path.display());
        looked_at += 1;
    }
    assert!(looked_at > 10, "{looked_at} files in {}", folder.display());
}

#[test]
fn a_planted_violation_is_found() {
    let planted = "use crate::config::Class;\nuse crate::program::Program;\n";
    assert_eq!(trespasses(planted), [(2, "program::"), (2, "Program")]);
}
