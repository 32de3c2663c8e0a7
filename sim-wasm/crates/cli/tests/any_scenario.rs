//! Whatever the decoder lets through, the model runs to its end: no panic, nothing past its event budget, and figures
//! that are numbers.

use wwi_kernel::rng::Stream;
use wwi_model::experiment::{Experiment, Figures, Goal};
use wwi_scenario::config::to_config;
use wwi_scenario::decode::decode;
use wwi_scenario::knob::{Kind, Knob, Scale};
use wwi_scenario::knobs::KNOBS;
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

fn a_scenario(rng: &mut Stream) -> String {
    let mut text = format!("{}?", PRESETS[rng.below(PRESETS.len() as u64) as usize].id);
    let mut used = Vec::new();
    for _ in 0..1 + rng.below(6) {
        let knob = &KNOBS[rng.below(KNOBS.len() as u64) as usize];
        if !used.contains(&knob.id) && !["seed", "precision", "max_events"].contains(&knob.id) {
            used.push(knob.id);
            text += &format!("{}={}&", knob.id, value(rng, knob));
        }
    }
    text
}

#[test]
fn every_valid_scenario_runs() {
    let mut ran = 0;
    for case in 0..600 {
        let mut rng = Stream::new(2, 0, "any scenario", case, "text");
        let text = a_scenario(&mut rng);
        let Ok(decoded) = decode(&text) else { continue };
        ran += 1;
        let goal = Goal {
            precision: 0.05,
            max_events: BUDGET,
            record: (case % 2) as usize * 4096,
            figures: Figures::ThroughputAndResponse,
            coarse: case % 3 == 0,
        };
        let mut experiment = Experiment::new(&to_config(&decoded.scenario), goal);
        let mut slices = 0;
        while !experiment.advance(5_000).done {
            slices += 1;
            assert!(slices < 1_000, "no end: {text}");
        }
        let report = experiment.report();
        assert!(report.events <= BUDGET + 5_000, "{} events: {text}", report.events);
        assert!(report.lio_per_s.mean.is_finite() && report.lio_per_s.mean >= 0.0, "{text}");
        assert!(report.response.mean_ms.mean.is_finite(), "{text}");
        for check in report.checks.iter().filter(|_| !report.truncated) {
            assert!(check.residual.is_finite(), "{}: {text}", check.law);
        }
    }
    assert!(ran > 200, "only {ran} valid");
}
