//! Who has never heard of whom. The operating system sees processes that want CPU, and knows nobody's name; the ways
//! to meet see numbers of processes, and know neither what those do nor where they run.
use std::fs;
use std::path::{Path, PathBuf};

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
    for path in files_below(&folder) {
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

/// The table of rooms in ARCHITECTURE.md: each room and those it may know.
fn table() -> Vec<(String, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../ARCHITECTURE.md");
    let text = fs::read_to_string(path).expect("the page is there");
    let rows = text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2).take_while(|l| l.starts_with('|'));
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    rows.map(|row| {
        let cells = cells(row);
        let known = cells[2].split(", ").filter(|name| *name != "nothing").map(str::to_owned).collect();
        (cells[1].clone(), known)
    })
    .collect()
}

/// Rooms that a text names by `crate::`, outside its tests.
fn named(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    let word = |after: &str| after.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>();
    code.split("crate::").skip(1).map(word).collect()
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    paths.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Everybody's.
const SHARED: [&str; 3] = ["ids", "fault", "testing"];

#[test]
fn each_room_knows_the_rooms_of_its_row_and_no_other() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (rooms, mut looked_at) = (table(), 0);
    let folders = fs::read_dir(&source).expect("the sources are there").map(|e| e.expect("it can be read").path());
    let mut found: Vec<String> =
        folders.filter(|p| p.is_dir()).filter_map(|p| Some(p.file_name()?.to_str()?.to_owned())).collect();
    let mut listed: Vec<String> = rooms.iter().map(|(room, _)| room.clone()).collect();
    found.sort();
    listed.sort();
    assert_eq!(found, listed, "every folder is a row and every row a folder");
    for (room, known) in &rooms {
        let mut met: Vec<String> = Vec::new();
        for path in files_below(&source.join(room)) {
            let text = fs::read_to_string(&path).expect("it is a file of text");
            for name in named(&text).into_iter().filter(|name| name != room && !SHARED.contains(&name.as_str())) {
                assert!(known.contains(&name), "{} names {name}", path.display());
                met.push(name);
            }
            looked_at += 1;
        }
        assert!(known.iter().all(|name| met.contains(name)), "{room} no longer knows all of {known:?}");
    }
    assert!(looked_at > 60, "{looked_at} files in {}", source.display());
}

#[test]
fn what_a_text_names_is_found() {
    let text = "use crate::world::{Host, World};\nfn f() -> crate::host::Policy\n#[cfg(test)]\nmod tests {\nuse \
            crate::report::Report;";
    assert_eq!(named(text), ["world", "host"]);
}
