//! Knobs at the ends of their ranges: each one alone, pairs, and mixes of three to eight.

use super::everyday::{named, TOGETHER};
use super::{one_of, scope, Input};
use wwi_kernel::rng::Stream;
use wwi_scenario::decode::decode;
use wwi_scenario::knob::{Kind, Knob};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::presets::PRESETS;

/// Hosts that no preset has.
const DOCUMENTS: &[&str] = &[
    r#"{"version": 1}"#,
    r#"{"version": 1, "nodes": [{"cores_per_socket": 2}, {"os_scheduler": "EEVDF", "sockets": 2}],
        "instances": [{"node": 1, "sessions": 9}, {"node": 2, "think_time_ms": 20}]}"#,
    r#"{"version": 1, "service_per_s": 100, "background_processes": 2,
        "nodes": [{"os_scheduler": "AIX"}, {"os_scheduler": "Solaris", "threads_per_core": 4, "smt_yield": 1.6}, {}],
        "instances": [{"node": 3, "resource_manager_plan": "default", "cpu_count": 2}, {"node": 1}, {"node": 2}]}"#,
    r#"{"version": 1, "instances": [{"resource_manager_plan": "default", "cpu_count": 4, "consumer_groups": [
        {"name": "A", "shares": 3}, {"name": "B", "utilization_limit": 25}, {"name": "C", "level": 2}]},
        {"affinity": "hard", "affinity_cpus": "0-2", "sessions": 6}]}"#,
];

/// One end of the range, or any word.
fn end(rng: &mut Stream, knob: &Knob, high: bool) -> String {
    match knob.kind {
        Kind::Choice(words) => (*one_of(rng, words)).to_owned(),
        Kind::Cpus => (*one_of(rng, &["all", "0", "1", "0-3", "1,3,5-7"])).to_owned(),
        Kind::Vector => (*one_of(rng, &["1", "2", "1/1.4", "1/2/3/4", "1/1/1/1"])).to_owned(),
        Kind::Integer | Kind::Number => if high { knob.max } else { knob.min }.to_string(),
    }
}

/// Every third case is one knob at one end, in the order of the table, over every preset and document in turn; the next
/// a pair, the next a mix. Many are not valid together.
pub fn extreme(case: u64) -> Input {
    let rng = &mut Stream::new(3, 0, "extreme scenario", case, "text");
    let (turn, of_three) = ((case / 3) as usize, case % 3);
    let is_single = of_three == 0;
    let (place, round) = (turn % (2 * KNOBS.len()), turn / (2 * KNOBS.len()));
    let bases = PRESETS.len() + DOCUMENTS.len();
    let base = if is_single { round % bases } else { rng.below(bases as u64) as usize };
    let text = PRESETS.get(base).map_or_else(|| DOCUMENTS[base - PRESETS.len()], |preset| preset.id);
    let shape = decode(text).expect("a preset or a document").scenario;
    let (nodes, instances) = (shape.nodes, shape.instances.len());
    let together = if is_single && round < bases { "" } else { *one_of(rng, TOGETHER) };
    let mut sets: Vec<(String, String)> =
        together.split('&').filter_map(|pair| pair.split_once('=')).map(|(k, v)| (k.into(), v.into())).collect();
    let mut used = named(together.split('&'));
    let count = [1, 2, 3 + rng.below(6)][of_three as usize];
    for number in 0..count {
        let knob = if number == 0 && is_single { &KNOBS[place / 2] } else { one_of(rng, KNOBS) };
        if !used.contains(&knob.id) {
            used.push(knob.id);
            let high = if is_single { place % 2 == 1 } else { rng.below(2) == 1 };
            sets.push((format!("{}{}", knob.id, scope(rng, knob, nodes, instances)), end(rng, knob, high)));
        }
    }
    Input { text: text.to_owned(), sets }
}
