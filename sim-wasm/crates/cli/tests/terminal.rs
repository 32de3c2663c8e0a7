//! Words from outside on their way to a terminal, and files that are no scenarios: the binary from outside.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use wwi_kernel::rng::Stream;
use wwi_scenario::decode::{decode_with, MAX_DOCUMENT};
use wwi_scenario::shown::{is_unseen, line, page};

fn wwi(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wwi")).args(arguments).output().expect("it starts")
}

/// A folder of this test's own, gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("wwi-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("made");
        Scratch(folder)
    }
    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("written");
        path.to_str().expect("a path").to_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const SHORT: &str = "max_events=20000";

/// Colours, the title of the window, one-byte escapes of Latin-1, a bell, lines turned round, a line of its own.
const NASTY: &str = "a\u{1b}[31m\u{1b}]0;title\u{7}\u{9b}2J\u{202e}b\u{2066}\r\u{7f}\nwwi: all is well\u{2028}";

fn assert_harmless(output: &Output, what: &str) {
    for bytes in [&output.stdout, &output.stderr] {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        let found = text.chars().find(|&c| c != '\n' && is_unseen(c));
        assert!(found.is_none(), "{what}: {found:?}");
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let longest = told.lines().map(|one| one.chars().count()).max().unwrap_or(0);
    assert!(longest <= 2010, "{what}: a line of {longest} characters");
    assert!(told.lines().count() <= 100, "{what}: {} lines", told.lines().count());
}

#[test]
fn no_words_from_outside_steer_the_terminal() {
    let scratch = Scratch::new("escapes");
    let title = serde_json::to_string(NASTY).expect("JSON");
    let document = format!("{{\"version\":1,\"title\":{title},\"note\":{title},\"max_events\":20000}}");
    let file = scratch.file("a\u{1b}[31m.json", document.as_bytes());
    let broken = scratch.file("b\u{1b}[31m.json", format!("{{\"version\":1,{title}:1}}").as_bytes());
    let empty = scratch.file("c\u{9b}31m.json", b"");
    let mut encoded = String::from("cpu-queue?max_events=20000&title=");
    NASTY.bytes().for_each(|byte| encoded += &format!("%{byte:02x}"));
    let key = encoded.replace("title=", "").replace("max_events=20000&", "") + "=1";
    let set = format!("{NASTY}=1");
    let long = "\u{1b}[31m".repeat(2000);
    let cases: &[&[&str]] = &[
        &["run", &encoded],
        &["run", &encoded, "--json"],
        &["run", &key],
        &["run", &file],
        &["run", &file, "--json"],
        &["sweep", &file, "--over", "sessions=1,2", "--json"],
        &["sweep", &file, "--over", "sessions=1,2", "--csv"],
        &["run", &broken],
        &["run", &empty],
        &["run", NASTY],
        &["run", &format!("{NASTY}.json")],
        &["run", "cpu-queue", "--set", NASTY],
        &["run", "cpu-queue", "--set", &set],
        &["run", "cpu-queue", "--set", &long],
        &["run", "cpu-queue", "--set", &format!("os_scheduler={NASTY}"), "--set", SHORT],
        &["sweep", "cpu-queue", "--over", NASTY],
        &["sweep", "cpu-queue", "--over", &set],
        &["sweep", "cpu-queue", "--over", "sessions=200000:209000"],
        &["sweep", "cpu-queue", "--over", "sessions=1:2", "--metric", NASTY],
        &["validate", "--only", NASTY],
        &["validate", "--precision", NASTY],
        &["generate", NASTY, "--check"],
        &[NASTY],
        &["run", "cpu-queue", "--seed", NASTY],
        &["run", "cpu-queue", &format!("--{NASTY}")],
    ];
    for arguments in cases {
        assert_harmless(&wwi(arguments), &format!("{arguments:?}"));
    }
    let page = String::from_utf8(wwi(&["run", &file]).stdout).expect("UTF-8");
    assert!(
        page.starts_with("a\\u001b[31m\\u001b]0;title\\u0007\\u009b2J\\u202eb\\u2066\\u000d\\u007f\\u000awwi: all"),
        "{page}"
    );
    let json: serde_json::Value = serde_json::from_slice(&wwi(&["run", &file, "--json"]).stdout).expect("JSON");
    let query: serde_json::Value = serde_json::from_str(json["query"].as_str().expect("text")).expect("a document");
    assert_eq!(query["title"], NASTY, "the document says what it said");
}

/// Letters, signs that have a meaning in links, and whatever is unseen.
fn any_text(rng: &mut Stream) -> String {
    const PIECES: &[&str] =
        &["sessions", "=", "&", "@instance1", "\"", "{", "}", ":", "9", "%1b", "µ", "日", " ", "a.", "title"];
    let mut text = String::new();
    for _ in 0..rng.below(24) {
        match rng.below(3) {
            0 => text.push_str(PIECES[rng.below(PIECES.len() as u64) as usize]),
            1 => text.extend(char::from_u32(rng.below(0xa0) as u32)),
            _ => text.extend(char::from_u32(0x2000 + rng.below(0x80) as u32)),
        }
    }
    text
}

#[test]
fn whatever_is_shown_or_told_is_free_of_what_is_unseen() {
    let mut told = 0;
    for case in 0..4000 {
        let mut rng = Stream::new(3, 0, "terminal", case, "text");
        let text = any_text(&mut rng);
        let shown = line(&text, 30);
        assert!(!shown.contains(is_unseen) && shown.chars().count() <= 30 * 6 + 1, "{shown:?}");
        assert!(!page(&text).contains(|c| c != '\n' && is_unseen(c)), "{text:?}");
        let scenario = if rng.below(2) == 0 { "cpu-queue".to_owned() } else { any_text(&mut rng) };
        let set = (any_text(&mut rng), any_text(&mut rng));
        for problem in decode_with(&scenario, &[set]).err().into_iter().flatten() {
            told += 1;
            let (message, path) = (&problem.message, &problem.path);
            assert!(!message.contains(is_unseen) && !path.contains(is_unseen), "{problem:?}");
        }
    }
    assert!(told > 3000, "only {told} problems");
}

#[test]
fn files_that_are_no_scenarios_are_refused_in_words() {
    let scratch = Scratch::new("files");
    let big = scratch.file("big.json", b"");
    fs::File::options().write(true).open(&big).and_then(|file| file.set_len(200 << 20)).expect("a sparse file");
    let blanks = format!("{{\"version\":1}}{}", " ".repeat(MAX_DOCUMENT));
    let folder = scratch.0.to_str().expect("a path");
    let cases = [
        (scratch.file("empty.json", b""), "empty.json: this file is empty; a scenario is a document in JSON"),
        (scratch.file("blank", b" \n\t"), "blank: this file is empty; a scenario is a document in JSON"),
        (scratch.file("latin", b"{\"title\":\"\xe9\"}"), "latin: this is not text in UTF-8"),
        (big, "big.json: the file has 209715200 bytes; a scenario has at most 1048576"),
        (scratch.file("blanks.json", blanks.as_bytes()), "the file has 1048589 bytes; a scenario has at most 1048576"),
        (folder.to_owned(), ": this is a folder; name a file in it, or a preset such as instance-caging-vm"),
        (format!("{folder}/no.json"), "no.json: there is no such file"),
        (String::new(), "wwi: there is no scenario in it: write a preset, a link or a document"),
    ];
    for (argument, words) in cases {
        let output = wwi(&["run", &argument]);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{argument}");
        assert!(said.lines().count() == 1 && said.trim_end().ends_with(words), "{argument}: {said}");
    }
}
