//! Who has never heard of whom. The operating system sees processes that want CPU, and knows nobody's name; the ways
//! to meet see numbers of processes, and know neither what those do nor where they run.
use std::fs;
use std::path::Path;

/// Words that a folder of `src` may not use; `least` files are there, so that an empty folder is no proof.
struct Wall {
    folder: &'static str,
    forbidden: &'static [&'static str],
    least: usize,
}

const HOST: Wall =
    Wall { folder: "src/host", forbidden: &["program::", "Program", "Segment", "crate::world"], least: 11 };

/// In small letters, for these are sought in comments too, however they are written.
const MEET: Wall = Wall {
    folder: "src/meet",
    forbidden: &[
        "program", "host", "instance", "world", "session", "config", "oracle", "linux", "solaris", "aix", "redo",
        "enqueue", "latch", "cage",
    ],
    least: 7,
};

/// What of `text` stands on the wrong side, by line.
fn trespasses(text: &str, forbidden: &'static [&'static str]) -> Vec<(usize, &'static str)> {
    let lines = text.lines().zip(1..);
    lines.flat_map(|(line, at)| forbidden.iter().filter(|word| line.contains(**word)).map(move |w| (at, *w))).collect()
}

/// Reads every file of the folder as `read` turns it.
fn stands(wall: &Wall, read: impl Fn(&str) -> String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(wall.folder);
    let mut looked_at = 0;
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let text = fs::read_to_string(&path).expect("it is a file of text");
        assert_eq!(trespasses(&read(&text), wall.forbidden), [], "{}", path.display());
        looked_at += 1;
    }
    assert!(looked_at >= wall.least, "{looked_at} files in {}", folder.display());
}

#[test]
fn no_file_of_the_operating_system_names_a_program() {
    stands(&HOST, str::to_owned);
}

#[test]
fn no_way_to_meet_knows_who_meets_or_where() {
    stands(&MEET, str::to_lowercase);
}

#[test]
fn a_planted_violation_is_found() {
    let planted = "use crate::config::Class;\nuse crate::program::Program;\n";
    assert_eq!(trespasses(planted, HOST.forbidden), [(2, "program::"), (2, "Program")]);
    let planted = "use crate::ids::Pid;\n/// As Oracle's instances do.\n".to_lowercase();
    assert_eq!(trespasses(&planted, MEET.forbidden), [(2, "instance"), (2, "oracle")]);
}
