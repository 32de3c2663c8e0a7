//! Where the table of knobs says that a knob does not act, moving it leaves the report as it is, byte for byte.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use wwi_kernel::rng::Stream;
use wwi_model::config::Config;
use wwi_model::experiment::{Experiment, Goal};
use wwi_model::testing::{done, goal};
use wwi_scenario::acts::acts;
use wwi_scenario::address::Address;
use wwi_scenario::canonical::resolved;
use wwi_scenario::config::to_config;
use wwi_scenario::decode::{decode, decode_with};
use wwi_scenario::knob::{Kind, Knob, NameScope, Scale};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::presets::PRESETS;
use wwi_scenario::report::{to_json, Asked};
use wwi_scenario::when::When;

const BUDGET: u64 = 6_000;
/// Random scenarios beside the presets.
const SCENARIOS: u64 = 60;

/// Under schedulers that take few of the pieces below.
const OTHERS: &[&str] = &[
    "cpu-queue?os_scheduler=processor_sharing",
    "caging-nine-on-six?resource_manager_plan=none&os_scheduler=processor_sharing",
    "instance-caging-vm?resource_manager_plan=none&os_scheduler=processor_sharing&think_time_ms=50",
    "instance-caging-vm?resource_manager_plan=none&os_scheduler=fifo&demand_distribution=exponential",
    "instance-caging-vm?resource_manager_plan=none&os_scheduler=round_robin&guest_sees_smt=yes",
    "two-instances?resource_manager_plan=none&os_scheduler=round_robin&rr_quantum_ms=10",
    // And what makes no redo.
    "dbwr-moderate?redo_bytes_per_transaction=0&sequence_values_per_transaction=1&sequence_cache=20",
];

/// What a random scenario is put together from; one of each list.
const PIECES: &[&[&str]] = &[
    &[
        "os_scheduler=CFS",
        "os_scheduler=EEVDF",
        "os_scheduler=EEVDF&eevdf_generation=6.12&slice_ms@session=5",
        "os_scheduler=O1",
        "os_scheduler=AIX",
        "os_scheduler=Solaris",
        "os_scheduler=round_robin&affinity=none",
        "os_scheduler=fifo&affinity=none",
        "os_scheduler=processor_sharing&affinity=none&resource_manager_plan=none&service_per_s=0",
    ],
    &["", "resource_manager_plan=none", "resource_manager_plan=default&cpu_count=2"],
    &["", "affinity=none", "sockets=1&cores_per_socket=4&affinity=none", "sockets=2&cores_per_socket=2&affinity=none"],
    &["", "threads_per_core=1&smt_yield=1", "threads_per_core=2&smt_yield=1.3&guest_sees_smt=no"],
    &["", "background_processes=2", "background_processes=1&class@background=FIFO", "background_processes=0"],
    &[
        "",
        "service_per_s=50",
        "service_per_s=50&class@service=RR",
        "service_per_s=50&service_servers=3&service_arrivals=periodic",
        "service_per_s=0",
    ],
    &["", "latch_hold_us=0", "latch_share=0", "latch_exclusive_share=0", "latch_hold_us=1&latch_share=0.1"],
    &["", "numa_memory=interleaved", "numa_memory=bound", "numa_memory=local"],
    &["", "class@session=FX&priority@session=50", "class@session=IA", "class@session=RR"],
    &["", "cgroup=own", "cgroup=own&cpu_max_quota_ms=50"],
    &[
        "",
        "",
        "",
        "executions=3&arrivals=closed",
        "workload=select&executions=20&arrivals=closed",
        "workload=parallel_query&executions=2&arrivals=closed&px_rows=500&parallel_instances=local",
        "workload=parallel_query&arrivals=closed&px_rows=500&table_queue=broadcast&parallel_instances=local",
    ],
    &[
        "",
        "arrivals=closed&think_time_ms=5",
        "arrivals=open&arrivals_per_s=2",
        "arrivals=messages&message_groups=1",
        "arrivals=batch&batch_work_s=0.02&sessions=3&workload=logical_reads",
    ],
];

fn one<'a>(rng: &mut Stream, list: &[&'a str]) -> &'a str {
    list[rng.below(list.len() as u64) as usize]
}

/// The presets, and random ones that the decoder accepts.
fn scenarios() -> Vec<String> {
    let mut texts: Vec<String> = PRESETS.iter().map(|preset| preset.id.to_owned()).collect();
    texts.extend(OTHERS.iter().map(|&text| text.to_owned()));
    let fixed = texts.len() as u64;
    for case in 0.. {
        let mut rng = Stream::new(7, 0, "acts", case, "text");
        let preset = PRESETS[rng.below(PRESETS.len() as u64) as usize].id;
        let mut said: BTreeMap<String, String> = BTreeMap::new();
        for list in PIECES {
            for pair in one(&mut rng, list).split('&').filter_map(|pair| pair.split_once('=')) {
                said.insert(pair.0.to_owned(), pair.1.to_owned());
            }
        }
        let pairs: Vec<String> = said.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let text = format!("{preset}?{}", pairs.join("&"));
        if decode(&text).is_ok() {
            texts.push(text);
        }
        if texts.len() as u64 == SCENARIOS + fixed {
            break;
        }
    }
    texts
}

/// Values over the range of a knob.
fn values(knob: &Knob) -> Vec<String> {
    let middle = match knob.scale {
        Scale::Log => (knob.min * knob.max).sqrt(),
        Scale::Linear => (knob.min + knob.max) / 2.0,
    };
    match knob.kind {
        Kind::Choice(words) => words.iter().map(|&word| word.to_owned()).collect(),
        Kind::Cpus => ["all", "0", "1", "0-1"].map(str::to_owned).to_vec(),
        Kind::Integer => [knob.min, middle.round(), knob.max].map(|number| number.to_string()).to_vec(),
        Kind::Number | Kind::Vector => {
            [knob.min, knob.min + knob.step, middle, knob.max].map(|number| number.to_string()).to_vec()
        }
    }
}

fn report(config: &Config) -> String {
    let experiment = done(Experiment::new(config, Goal { record: 256, ..goal(0.05, BUDGET) }));
    let asked = Asked {
        query: String::new(),
        seed: config.seed,
        precision: 0.05,
        sessions: config.closed_sessions(),
        histograms: true,
        warnings: Vec::new(),
    };
    to_json(&experiment.report(), &asked)
}

/// Of one scenario: how often each knob was moved where it does not act, and what that changed.
fn moves(text: &str) -> (BTreeMap<&'static str, u32>, Vec<String>) {
    let (mut seen, mut wrong) = (BTreeMap::new(), Vec::new());
    let scenario = decode(text).expect("valid").scenario;
    let config = to_config(&scenario);
    let mut plain: Option<String> = None;
    let resolved = resolved(&scenario);
    for knob in KNOBS {
        // Every part of it; a knob of process kinds by kind at least.
        let is_own = |key: &&str| key.split('@').next() == Some(knob.id);
        let is_told = |key: &&str| knob.scope != NameScope::Kind || key.contains('@');
        for key in resolved.members().map(|(key, _)| key).filter(is_own).filter(is_told) {
            let address = Address::parse(key, &scenario).expect("an address");
            if acts(&scenario, address) {
                continue;
            }
            for value in values(knob) {
                let Ok(moved) = decode_with(text, &[(key.to_owned(), value.clone())]) else { continue };
                *seen.entry(knob.id).or_default() += 1;
                let moved = to_config(&moved.scenario);
                // The model takes its configuration and nothing else.
                if moved != config && report(&moved) != *plain.get_or_insert_with(|| report(&config)) {
                    wrong.push(format!("{key}={value} changes {text}"));
                }
            }
        }
    }
    (seen, wrong)
}

/// On all cores: each takes the next scenario.
#[test]
fn a_knob_that_does_not_act_changes_nothing() {
    let (texts, next) = (scenarios(), AtomicUsize::new(0));
    let found = Mutex::new((BTreeMap::<&str, u32>::new(), Vec::new()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (seen, wrong) = moves(text);
                    let mut found = found.lock().expect("nobody panicked");
                    seen.into_iter().for_each(|(id, count)| *found.0.entry(id).or_default() += count);
                    found.1.extend(wrong);
                }
            });
        }
    });
    let (seen, wrong) = found.into_inner().expect("nobody panicked");
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
    let unseen: Vec<&str> = KNOBS
        .iter()
        .filter(|knob| knob.acts != When::Always && seen.get(knob.id).is_none_or(|&count| count < 3))
        .map(|knob| knob.id)
        .collect();
    assert_eq!(unseen, Vec::<&str>::new(), "moved where they do not act, fewer than three times");
}
