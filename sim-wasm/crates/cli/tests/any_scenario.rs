//! Whatever the decoder lets through, the model runs to its end: no panic, nothing past its event budget, and figures
//! that are numbers.

use std::panic::catch_unwind;
use wwi_kernel::rng::Stream;
use wwi_model::config::Config;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;
use wwi_scenario::knob::{Kind, Knob, NameScope, Scale};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::metrics::{closed_sessions, METRICS};
use wwi_scenario::presets::PRESETS;

const BUDGET: u64 = 20_000;

/// A value anywhere in the range, the ends more often than by chance.
fn value(rng: &mut Stream, knob: &Knob) -> String {
    if let Kind::Choice(words) = knob.kind {
        return words[rng.below(words.len() as u64) as usize].to_owned();
    }
    if knob.kind == Kind::Cpus {
        return ["all", "0", "0-3", "1,3,5-7", "0-1,4", "2-9", "0-43", "44-87"][rng.below(8) as usize].to_owned();
    }
    let place = match rng.below(5) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.uniform(),
    };
    let number = match knob.scale {
        Scale::Log => knob.min * power(knob.max / knob.min, place),
        Scale::Linear => knob.min + (knob.max - knob.min) * place,
    };
    if knob.kind == Kind::Integer {
        number.round().to_string()
    } else {
        number.clamp(knob.min, knob.max).to_string()
    }
}

/// base^place by halving, good enough to pick a point of a range.
fn power(base: f64, place: f64) -> f64 {
    let (mut root, mut rest, mut result) = (base, place, 1.0);
    for _ in 0..20 {
        if rest >= 1.0 {
            result *= root;
            rest -= 1.0;
        }
        root = root.sqrt();
        rest *= 2.0;
    }
    result
}

/// Values that only act together.
const TOGETHER: &[&str] = &[
    "",
    "",
    "os_scheduler=AIX&",
    "os_scheduler=Solaris&",
    "os_scheduler=O1&",
    "os_scheduler=EEVDF&",
    "affinity=hard&affinity_cpus=0-1&",
    "affinity=soft&affinity_cpus=0-1&",
    "cgroup=own&cpu_max_quota_ms=50&",
    "cgroup=own&cpu_weight=10&",
    "service_per_s=100&class@service=FIFO&",
    "service_per_s=100&os_scheduler=Solaris&class@service=RT&class@session=FX&",
    "service_per_s=400&os_scheduler=AIX&class=FX&",
    "arrivals=messages&message_groups=2&message_pairs=3&lio_per_transaction=10&",
    "arrivals=messages&message_groups=1&message_pairs=1&message_buffer=1&lio_per_transaction=1&",
    "numa_memory=interleaved&sockets=2&",
    "background_processes=3&class@background=RR&",
    "class=FIFO&sched_rt_runtime_us=500000&",
    "class@session=RR&sched_rt_runtime_us=-1&service_per_s=100&",
    "cpus_allowed=1&service_per_s=50&background_processes=2&",
];

fn a_scenario(rng: &mut Stream) -> String {
    let together = TOGETHER[rng.below(TOGETHER.len() as u64) as usize];
    let mut text = format!("{}?{together}", PRESETS[rng.below(PRESETS.len() as u64) as usize].id);
    let named = together.split('&').filter_map(|pair| pair.split_once('=')).map(|(key, _)| key);
    let mut used: Vec<&str> = named.map(|key| key.split_once('@').map_or(key, |(knob, _)| knob)).collect();
    for _ in 0..1 + rng.below(6) {
        let knob = &KNOBS[rng.below(KNOBS.len() as u64) as usize];
        if !used.contains(&knob.id) && !["seed", "precision", "max_events"].contains(&knob.id) {
            used.push(knob.id);
            let scopes: &[&str] = match knob.scope {
                NameScope::Kind => &["", "@session", "@background", "@service"],
                NameScope::Instance => &["", "", "@instance1"],
                _ => &[""],
            };
            let scope = scopes[rng.below(scopes.len() as u64) as usize];
            text += &format!("{}{scope}={}&", knob.id, value(rng, knob));
        }
    }
    text
}

/// Runs a scenario within its budget and looks at its figures.
fn run(text: &str, config: &Config, case: u64) {
    let goal = Goal {
        precision: 0.05,
        max_events: BUDGET,
        record: (case % 2) as usize * 4096,
        figures: Figures::ThroughputAndResponse,
        coarse: case % 6 < 2,
    };
    let mut experiment = Experiment::new(config, goal);
    let mut slices = 0;
    while !experiment.advance(5_000).done {
        slices += 1;
        assert!(slices < 1_000, "no end: {text}");
    }
    let report = experiment.report();
    assert!(report.events <= BUDGET + 5_000, "{} events: {text}", report.events);
    assert!(report.lio_per_s.mean.is_finite() && report.lio_per_s.mean >= 0.0, "{text}");
    assert!(report.response.mean_ms.mean.is_finite(), "{text}");
    let broken: Vec<_> = report.checks.iter().filter(|check| !check.ok).collect();
    assert!(broken.is_empty(), "{broken:?}: {text}");
    for metric in METRICS {
        let value = metric.read(&report, closed_sessions(config));
        assert!(value.is_none_or(|value| value.reps.iter().all(|rep| rep.is_finite())), "{}: {text}", metric.id);
    }
}

#[test]
fn every_valid_scenario_runs() {
    let mut ran = 0;
    let mut broken = Vec::new();
    for case in 0..1200 {
        let mut rng = Stream::new(2, 0, "any scenario", case, "text");
        let text = a_scenario(&mut rng);
        let Ok(decoded) = decode(&text) else { continue };
        ran += 1;
        let config = to_config(&decoded.scenario);
        if catch_unwind(|| run(&text, &config, case)).is_err() {
            broken.push(text);
        }
    }
    assert!(broken.is_empty(), "{} of {ran} break the model:\n{}", broken.len(), broken.join("\n"));
    assert!(ran > 400, "only {ran} valid");
}
