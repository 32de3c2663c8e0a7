//! A preset with some values anywhere in their ranges.

use super::{one_of, scope, Input};
use wwi_kernel::rng::Stream;
use wwi_scenario::knob::{Kind, Knob, Scale};
use wwi_scenario::knobs::KNOBS;
use wwi_scenario::presets::PRESETS;

/// A value anywhere in the range, the ends more often than by chance.
fn value(rng: &mut Stream, knob: &Knob) -> String {
    if let Kind::Choice(words) = knob.kind {
        return (*one_of(rng, words)).to_owned();
    }
    if knob.kind == Kind::Cpus {
        return (*one_of(rng, &["all", "0", "0-3", "1,3,5-7", "0-1,4", "2-9", "0-43", "44-87"])).to_owned();
    }
    let place = match rng.below(5) {
        0 => 0.0,
        1 => 1.0,
        _ => rng.uniform(),
    };
    let number = match knob.scale {
        Scale::Log if knob.min <= 0.0 => (power(knob.max + 1.0, place) - 1.0).clamp(knob.min, knob.max),
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
pub const TOGETHER: &[&str] = &[
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
    "executions=20&sessions=3&",
    "workload=select&executions=100&sessions=2&",
    "workload=select&access_path=full_scan&arrivals=closed&",
    "workload=parallel_query&executions=2&sessions=2&px_rows=5000&",
    "workload=parallel_query&arrivals=closed&sessions=3&px_rows=2000&table_queue=hash&",
    "executions=5&sessions=2&start_skew_s=1&workload=oltp&arrivals=closed&",
    "numa_memory=interleaved&sockets=2&",
    "background_processes=3&class@background=RR&",
    "class=FIFO&sched_rt_runtime_us=500000&",
    "class@session=RR&sched_rt_runtime_us=-1&service_per_s=100&",
    "cpus_allowed=1&service_per_s=50&background_processes=2&",
];

/// Knobs that some pairs of a line name.
pub fn named<'a>(pairs: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let keys = pairs.filter_map(|pair| pair.split_once('=')).map(|(key, _)| key);
    keys.map(|key| key.split_once('@').map_or(key, |(knob, _)| knob)).collect()
}

/// A preset, perhaps values that only act together, and one to six others.
pub fn everyday(case: u64) -> Input {
    let rng = &mut Stream::new(2, 0, "any scenario", case, "text");
    let together = *one_of(rng, TOGETHER);
    let preset = one_of(rng, PRESETS);
    let mut text = format!("{}?{together}", preset.id);
    let mut used = named(together.split('&'));
    for _ in 0..1 + rng.below(6) {
        let knob = one_of(rng, KNOBS);
        if !used.contains(&knob.id) && !["seed", "precision", "max_events"].contains(&knob.id) {
            used.push(knob.id);
            let scope = scope(rng, knob, preset.nodes, preset.instances.len());
            text += &format!("{}{scope}={}&", knob.id, value(rng, knob));
        }
    }
    Input { text, sets: Vec::new() }
}
