//! Two hundred mutated scenarios and links, and many more of the same making: each is a valid scenario or a list of
//! clear messages, and nothing panics.

use wwi_kernel::rng::Stream;
use wwi_scenario::canonical::canonical;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;
use wwi_scenario::document::Document;
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::presets::PRESETS;

const VALUES: &[&str] = &[
    "-1",
    "NaN",
    "inf",
    "1e308",
    "-1e-320",
    "99999999999999999999",
    "",
    "null",
    "true",
    "[]",
    "{}",
    "\"x\"",
    "1/2/3",
    "<script>alert(1)</script>",
    "%",
    "%ff%fe",
    "0x10",
    "8",
    "1.5",
    "\u{0}\u{202e}",
    "CFS",
    "tick",
    "[1,1.2,\"a\"]",
    "[[[[1]]]]",
    "0-3",
    "\"1,3-5\"",
    "5-3",
    "all",
    "\"FIFO\"",
    "FX",
    "soft",
    "hard",
    "messages",
    "own",
    "AIX",
    "Solaris",
];
const SCOPES: &[&str] = &[
    "",
    "@node1",
    "@node2",
    "@node0",
    "@node18446744073709551616",
    "@instance2",
    "@session",
    "@service",
    "@",
    "@@",
    "@session@instance2",
    "@node2@session",
    "@background@node1",
    "@instance1@node2",
    "@service@instance1",
    "@session@service",
    "@node1@node1",
    "@instance2@instance1@session@node1@node2",
    "@node2@",
    "@session@@",
    "@lgwr@node1",
];

fn pick<'a>(rng: &mut Stream, list: &[&'a str]) -> &'a str {
    list[rng.below(list.len() as u64) as usize]
}

fn a_link(rng: &mut Stream) -> String {
    let mut link = match rng.below(4) {
        0 => "v1/".to_owned(),
        1 => "#v1/".to_owned(),
        _ => String::new(),
    };
    link.push_str(PRESETS[rng.below(PRESETS.len() as u64) as usize].id);
    link.push('?');
    for _ in 0..1 + rng.below(4) {
        let knob = KNOBS[rng.below(KNOBS.len() as u64) as usize].id;
        let key = pick(rng, &[knob, knob, "title", "note", "colour", "a.", "view.x"]);
        let prefix = pick(rng, &["", "", "a.", "view."]);
        link += &format!("{prefix}{key}{}={}&", pick(rng, SCOPES), pick(rng, VALUES));
    }
    link
}

fn a_document(rng: &mut Stream) -> String {
    let (scenario, _) = PRESETS[rng.below(PRESETS.len() as u64) as usize].scenario();
    let text = serde_json::to_string(&Document::of(&scenario)).expect("JSON");
    let knob = KNOBS[rng.below(KNOBS.len() as u64) as usize].id;
    let entry = format!("\"{knob}{}\":{}", pick(rng, SCOPES), pick(rng, VALUES));
    match rng.below(4) {
        0 => text.replacen('{', &format!("{{{entry},"), 1),
        1 => text.replace("\"nodes\":[{", &format!("\"nodes\":[{{{entry},")),
        2 => text.replace("\"instances\":[{", &format!("\"instances\":[{{{entry},")),
        _ => text.replace("\"node\":1", &format!("\"node\":{}", pick(rng, VALUES))),
    }
}

/// Cuts, doubles or overwrites a piece of the text.
fn damage(rng: &mut Stream, text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let at = rng.below(characters.len() as u64 + 1) as usize;
    match rng.below(5) {
        0 => characters[..at].iter().collect(),
        1 => characters[at..].iter().collect(),
        2 => characters.iter().chain(&characters[..at]).collect(),
        3 => {
            let mut damaged = characters;
            if let Some(place) = damaged.get_mut(at) {
                *place = char::from(rng.below(128) as u8);
            }
            damaged.into_iter().collect()
        }
        _ => text.to_owned(),
    }
}

fn judge(text: &str) -> bool {
    match decode(text) {
        Ok(decoded) => {
            let config = to_config(&decoded.scenario);
            assert!(!config.nodes.is_empty() && !config.instances.is_empty());
            to_config(&decoded.compared);
            let line = canonical(&decoded.scenario);
            let again = decode(&line).unwrap_or_else(|problems| panic!("{text} -> {line}: {problems:?}"));
            assert_eq!(to_config(&again.scenario), config, "{text} -> {line}");
            true
        }
        Err(problems) => {
            assert!(!problems.is_empty() && problems.len() <= 100, "{text}");
            for problem in problems {
                assert!(problem.message.len() > 10, "{text}: {problem:?}");
                assert!(problem.message.chars().count() < 500, "{text}: {problem:?}");
                assert!(!problem.message.chars().any(char::is_control), "{text:?}: {problem:?}");
            }
            false
        }
    }
}

#[test]
fn two_hundred_mutations_and_more() {
    let (mut good, mut bad) = (0, 0);
    for case in 0..5_000 {
        let mut rng = Stream::new(1, 0, "hostile", case, "text");
        let text = if case % 2 == 0 { a_link(&mut rng) } else { a_document(&mut rng) };
        let text = damage(&mut rng, &text);
        *(if judge(&text) { &mut good } else { &mut bad }) += 1;
    }
    assert!(good > 50 && bad > 200, "{good} valid, {bad} refused: the mutations miss their aim");
}

#[test]
fn a_script_in_a_title_is_a_title() {
    let decoded = decode("cpu-queue?title=%3Cscript%3Ealert(1)%3C/script%3E").expect("valid");
    assert_eq!(decoded.scenario.title, "<script>alert(1)</script>");
    assert_eq!(canonical(&decoded.scenario), "cpu-queue?title=%3Cscript%3Ealert%281%29%3C%2Fscript%3E");
}

#[test]
fn a_hundred_thousand_mistakes_are_a_short_list() {
    let keys: Vec<String> = (0..40_000).map(|n| format!("\"x{n}\":1")).collect();
    let text = format!("{{\"version\":1,{}}}", keys.join(","));
    assert_eq!(decode(&text).expect_err("unknown keys").len(), 100);
}
