//! How a run is asked for by the page: precision, budget, and what to keep.

use crate::json::{self, Json};
use crate::metrics::{self, Metric};
use crate::number;
use crate::scenario::Scenario;
use crate::value::quoted;
use wwi_model::experiment::Figures;

/// Options of a run as JSON.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields, rename_all = "camelCase"))]
pub struct RunOptions {
    /// `full` answers everything; `point` stops at the precision of throughput alone where that is what is asked for.
    #[cfg_attr(feature = "typescript", ts(as = "Option<Goal>"))]
    pub goal: Goal,
    /// Relative half-width to stop at.
    pub precision: Option<f64>,
    /// In place of the scenario's own.
    pub seed: Option<u64>,
    /// In place of the scenario's own event budget.
    pub max_events: Option<u64>,
    /// Another scenario, A, that goes on with this one: equal starts and horizons, so that the two can be compared.
    pub against: Option<String>,
    /// A quick first answer, whatever its precision.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub coarse: bool,
    /// Stays to keep in the picture of who ran where, the latest of the first replication; 0: none.
    #[cfg_attr(feature = "typescript", ts(as = "Option<u32>"))]
    pub record: u32,
    /// Put the histogram of each distribution into the report, beside its percentiles.
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub histograms: bool,
    /// Figure of the catalogue that a point is asked for and that must be precise; `throughput_lio` where nothing is
    /// said.
    pub metric: Option<String>,
}

/// What must be precise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename_all = "lowercase"))]
pub enum Goal {
    /// Throughput and response time.
    #[default]
    Full,
    /// Throughput.
    Point,
}

/// Precision of the page where nobody says one.
pub const PAGE_PRECISION: f64 = 0.03;
/// Precision of the command line where nobody says one.
pub const COMMAND_LINE_PRECISION: f64 = 0.01;

/// Largest whole number that JavaScript tells from its neighbours.
const MOST_EXACT: f64 = 9_007_199_254_740_991.0;

impl RunOptions {
    /// Reads the options; an empty text is none.
    pub fn from_json(text: &str) -> Result<RunOptions, String> {
        let json = json::read(if text.trim().is_empty() { "{}" } else { text });
        let Json::Object(map) = json.map_err(|words| format!("options: {words}"))? else {
            return Err("options: they are an object".to_owned());
        };
        let mut options = RunOptions::default();
        for (key, value) in map.members() {
            options.set(key, value).map_err(|words| format!("options: {words}"))?;
        }
        options.metric().map(|_| options)
    }

    fn set(&mut self, key: &str, value: &Json) -> Result<(), String> {
        let whole = |number: f64, most: f64| (0.0..=most).contains(&number) && number == number.trunc();
        match (key, value) {
            ("precision" | "seed" | "maxEvents" | "against" | "metric", Json::Null) => {}
            ("goal", Json::Text(word)) if word == "full" => self.goal = Goal::Full,
            ("goal", Json::Text(word)) if word == "point" => self.goal = Goal::Point,
            ("precision", Json::Number(number)) if (0.0001..=1.0).contains(number) => self.precision = Some(*number),
            ("precision", Json::Number(number)) => {
                return Err(format!("precision lies between 0.0001 and 1, not {}", number::plain(*number)));
            }
            ("seed", Json::Number(number)) if whole(*number, MOST_EXACT) => self.seed = Some(*number as u64),
            ("maxEvents", Json::Number(number)) if whole(*number, MOST_EXACT) => {
                self.max_events = Some(*number as u64);
            }
            ("record", Json::Number(number)) if whole(*number, f64::from(u32::MAX)) => self.record = *number as u32,
            ("against", Json::Text(query)) => self.against = Some(query.clone()),
            ("metric", Json::Text(id)) => self.metric = Some(id.clone()),
            ("coarse", Json::Bool(is_coarse)) => self.coarse = *is_coarse,
            ("histograms", Json::Bool(are_asked)) => self.histograms = *are_asked,
            _ => return Err(format!("there is no {}, or not with this value", quoted(key))),
        }
        Ok(())
    }
    /// The figure asked for.
    pub fn metric(&self) -> Result<&'static Metric, String> {
        let id = self.metric.as_deref().unwrap_or(metrics::DEFAULT);
        metrics::find(id).ok_or_else(|| format!("options: there is no metric {}", quoted(id)))
    }
    /// A point of a curve alone is asked for: nothing of the ledger.
    pub fn is_point(&self) -> bool {
        self.goal == Goal::Point
    }
    /// What must be precise, and so what is kept.
    pub fn figures(&self) -> Figures {
        let asked = self.metric.as_deref().filter(|&id| id != metrics::DEFAULT).and_then(metrics::find);
        match (self.goal, asked) {
            (Goal::Point, None) => Figures::ThroughputOnly,
            (Goal::Point, Some(metric)) => Figures::One(metric.figure()),
            (Goal::Full, None) => Figures::ThroughputAndResponse,
            (Goal::Full, Some(metric)) => Figures::With(metric.figure()),
        }
    }
    /// The precision that holds: of the options, of the scenario, of the page.
    pub fn precision_for(&self, scenario: &Scenario) -> f64 {
        self.precision.or(scenario.said_precision()).unwrap_or(PAGE_PRECISION)
    }
    /// The event budget that holds.
    pub fn max_events_for(&self, scenario: &Scenario) -> u64 {
        self.max_events.unwrap_or(scenario.run_number("max_events") as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_is_read() {
        let text = "{\"goal\":\"point\",\"precision\":0.02,\"seed\":9007199254740991,\"maxEvents\":1e6,\
                    \"against\":\"cpu-queue\",\"coarse\":true,\"record\":4294967295,\"histograms\":true,\
                    \"metric\":\"response_p99_ms\"}";
        let read = RunOptions::from_json(text).expect("options");
        assert_eq!((read.goal, read.precision, read.seed), (Goal::Point, Some(0.02), Some(9_007_199_254_740_991)));
        assert_eq!((read.max_events, read.record), (Some(1_000_000), u32::MAX));
        assert_eq!((read.against.as_deref(), read.metric.as_deref()), (Some("cpu-queue"), Some("response_p99_ms")));
        assert!(read.coarse && read.histograms);
    }

    #[test]
    fn what_is_not_said_is_left_to_others() {
        for text in [" ", "{}", "{\"goal\":\"full\",\"seed\":null,\"precision\":null,\"against\":null}"] {
            let read = RunOptions::from_json(text).expect("options");
            assert_eq!((read.goal, read.precision, read.seed, read.record), (Goal::Full, None, None, 0), "{text}");
            assert!(read.max_events.is_none() && read.against.is_none() && !read.coarse && !read.histograms, "{text}");
        }
    }

    #[test]
    fn what_is_no_option_is_refused() {
        let entries = [
            "speed:1",
            "goal:\"best\"",
            "goal:null",
            "seed:-1",
            "seed:0.5",
            "seed:9007199254740993",
            "record:4294967296",
            "record:null",
            "coarse:1",
            "coarse:null",
            "against:1",
            "precision:2",
            "precision:0",
            "metric:\"speed\"",
        ];
        for entry in entries {
            let (key, value) = entry.split_once(':').expect("a pair");
            let told = RunOptions::from_json(&format!("{{\"{key}\":{value}}}")).expect_err(entry);
            assert!(told.starts_with("options: "), "{told}");
        }
        assert!(RunOptions::from_json("[]").is_err() && RunOptions::from_json("{").is_err());
    }
}
