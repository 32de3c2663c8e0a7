//! What a simulated figure allows to be said of a published one: hit, miss, or that its interval cannot tell.

use super::{Figure, Role};
use serde::Serialize;

/// What is said of a figure in print, and so what a run can agree with or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Claim {
    /// The value itself.
    Value {
        /// How far the printed figure may be off, in its unit: half a unit of its last digit, what follows from that
        /// where it was worked out from others, a tenth where it was told in round words or read off a chart.
        uncertainty: f64,
    },
    /// That it lies above a limit, in the unit of the figure.
    Above {
        /// The limit.
        limit: f64,
    },
    /// That it lies below a limit, in the unit of the figure.
    Below {
        /// The limit.
        limit: f64,
    },
    /// Nothing: the figure is shown because nobody has measured it.
    Nothing,
}

/// How far an input or a consistency check may be from the published value and still count as met.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Tolerance {
    /// In the unit of the figure.
    pub within: f64,
    /// Why so far.
    pub reason: &'static str,
}

/// A figure as simulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// In the unit of the figure.
    pub value: f64,
    /// Its 95 % half-width; `None` where there is none.
    pub ci95: Option<f64>,
}

/// Whether the claim holds in the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Verdict {
    /// It holds, and the interval is narrow enough to say so.
    #[serde(rename = "hit")]
    Hit,
    /// It does not hold anywhere in the interval.
    #[serde(rename = "miss")]
    Miss,
    /// There is no interval, or it is too wide.
    #[serde(rename = "cannot tell")]
    CannotTell,
}

impl Verdict {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Hit => "hit",
            Verdict::Miss => "miss",
            Verdict::CannotTell => "cannot tell",
        }
    }
}

/// What is to be said of a figure and its simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// `None` where nothing is published.
    pub verdict: Option<Verdict>,
    /// Whether an input or a consistency check is met; `None` of predictions and where nothing is published.
    pub met: Option<bool>,
}

/// An interval wider than this part of the published value agrees with too much to be called agreement.
const WIDEST_SHARE: f64 = 0.1;
/// The same of a difference in percent, whose published value may be near zero \[points\].
const WIDEST_POINTS: f64 = 0.5;

/// Of a value, what arithmetic in binary fractions may leave.
const ROUNDING: f64 = 1e-9;

impl Figure {
    /// The widest half-width at which agreement is claimed, in the unit of the figure.
    fn widest(&self, value: f64, uncertainty: f64) -> f64 {
        let points = if self.reading.is_difference() { WIDEST_POINTS } else { 0.0 };
        let tolerance = self.tolerance.map_or(0.0, |tolerance| tolerance.within);
        (WIDEST_SHARE * value.abs()).max(points).max(uncertainty).max(tolerance)
    }

    /// Hit, miss or neither.
    fn verdict(&self, simulated: &Simulated) -> Option<Verdict> {
        let Some(half) = simulated.ci95 else {
            return (self.claim != Claim::Nothing).then_some(Verdict::CannotTell);
        };
        let value = self.value.unwrap_or(0.0);
        let (holds, fails) = match self.claim {
            Claim::Nothing => return None,
            Claim::Above { limit } => (simulated.value - half > limit, simulated.value + half <= limit),
            Claim::Below { limit } => (simulated.value + half < limit, simulated.value - half >= limit),
            Claim::Value { uncertainty } => {
                // 0.625 is within what 0.63 is rounded from, whatever binary fractions make of it.
                let is_within = (simulated.value - value).abs() <= half + uncertainty + ROUNDING * value.abs();
                (is_within && half <= self.widest(value, uncertainty), !is_within)
            }
        };
        Some(match (holds, fails) {
            (true, _) => Verdict::Hit,
            (_, true) => Verdict::Miss,
            _ => Verdict::CannotTell,
        })
    }

    /// Verdict, and whether an input or a consistency check is met: within its tolerance, at an interval no wider than
    /// that; where only a direction is claimed, if that is a hit.
    pub fn judge(&self, simulated: &Simulated) -> Judgement {
        let verdict = self.verdict(simulated);
        let is_near = |uncertainty: f64| {
            let within = self.tolerance.map_or(uncertainty, |tolerance| tolerance.within);
            let value = self.value.unwrap_or(0.0);
            let is_near = (simulated.value - value).abs() <= within + ROUNDING * value.abs();
            is_near && simulated.ci95.unwrap_or(0.0) <= within
        };
        let met = match (self.role, self.claim) {
            (Role::Prediction, _) | (_, Claim::Nothing) => None,
            (_, Claim::Value { uncertainty }) => Some(is_near(uncertainty)),
            _ => Some(verdict == Some(Verdict::Hit)),
        };
        Judgement { verdict, met }
    }

    /// What is wrong with an input or a consistency check that has to be met, in words.
    pub fn complaint(&self, simulated: Option<&Simulated>) -> Option<String> {
        let Some(simulated) = simulated else {
            return Some(format!("{}: its run has no such figure", self.id));
        };
        let met = self.judge(simulated).met;
        match (met, self.unmet) {
            (Some(false), None) => Some(format!("{} ({}): not met, and no reason is known", self.id, self.role.name())),
            (Some(true), Some(_)) => Some(format!("{}: is met, though a reason is given why it is not", self.id)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::read::ratio;
    use super::super::{figure, Reading};
    use super::*;
    use serde_json::Value as Json;
    use wwi_model::report::Estimate;

    /// The cases that the page is held to as well.
    fn cases() -> Json {
        serde_json::from_str(include_str!("cases.json")).expect("JSON")
    }

    fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
        json[key].as_array().expect("a list")
    }

    fn claim(json: &Json) -> Claim {
        let number = |key: &str| json[key].as_f64().expect("a number");
        match json["kind"].as_str().expect("a kind") {
            "value" => Claim::Value { uncertainty: number("uncertainty") },
            "above" => Claim::Above { limit: number("limit") },
            "below" => Claim::Below { limit: number("limit") },
            _ => Claim::Nothing,
        }
    }

    #[test]
    fn verdicts_are_those_of_the_shared_cases() {
        for case in list(&cases(), "verdicts") {
            let role = match case["role"].as_str() {
                Some("input") => Role::Input,
                Some("consistency check") => Role::ConsistencyCheck,
                _ => Role::Prediction,
            };
            let reading = if case["reading"] == "lio_against" { Reading::LioAgainst } else { Reading::LioMillions };
            let mut judged = figure("case", role, reading, "");
            judged.value = case["value"].as_f64();
            judged.claim = claim(&case["claim"]);
            judged.tolerance = case["within"].as_f64().map(|within| Tolerance { within, reason: "" });
            let simulated =
                Simulated { value: case["simulated"].as_f64().expect("a number"), ci95: case["ci95"].as_f64() };
            let Judgement { verdict, met } = judged.judge(&simulated);
            assert_eq!(verdict.map(Verdict::name), case["verdict"].as_str(), "{}", case["what"]);
            assert_eq!(met, case["met"].as_bool(), "{}", case["what"]);
        }
    }

    #[test]
    fn ratios_are_those_of_the_shared_cases() {
        let estimate = |json: &Json| Estimate {
            mean: json["mean"].as_f64().expect("a number"),
            ci95: json["ci95"].as_f64(),
            reps: list(json, "reps").iter().filter_map(Json::as_f64).collect(),
        };
        for case in list(&cases(), "ratios") {
            let found = ratio(&estimate(&case["a"]), &estimate(&case["b"]));
            let near = |a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                (a, b) => a == b,
            };
            assert!(near(found.map(|found| found.value), case["ratio"].as_f64()), "{}: {found:?}", case["what"]);
            assert!(near(found.and_then(|found| found.ci95), case["half"].as_f64()), "{}: {found:?}", case["what"]);
        }
    }

    #[test]
    fn a_check_that_is_not_met_is_complained_of_unless_the_reason_is_known() {
        let mut check = figure("check", Role::ConsistencyCheck, Reading::LioMillions, "");
        check.value = Some(10.0);
        check.claim = Claim::Value { uncertainty: 0.05 };
        check.tolerance = Some(Tolerance { within: 0.5, reason: "" });
        let of = |check: &Figure, value| check.complaint(Some(&Simulated { value, ci95: Some(0.1) }));
        assert_eq!(of(&check, 10.4), None);
        assert!(of(&check, 10.6).is_some_and(|text| text.contains("not met")));
        assert!(check.complaint(None).is_some_and(|text| text.contains("no such figure")));
        check.unmet = Some("a reason");
        assert_eq!(of(&check, 10.6), None);
        assert!(of(&check, 10.4).is_some_and(|text| text.contains("is met")));
    }
}
