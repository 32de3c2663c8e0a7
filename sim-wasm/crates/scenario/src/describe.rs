//! The decoder's word on a text, as JSON: the scenario in full, or everything wrong with it.

use crate::acts::acting;
use crate::canonical::{canonical, resolved};
use crate::decode::look;
use crate::json::{self, Json, Map};
use crate::problem::Problem;
use crate::scenario::Scenario;
use serde::Serialize;

/// What a text says.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Description {
    /// A scenario, and the one it is compared with.
    Valid {
        /// Always true.
        #[cfg_attr(feature = "typescript", ts(type = "true"))]
        ok: bool,
        /// Shortest text that says the same.
        canonical: String,
        /// Every value that holds; scoped names beside bare ones where there are several parts.
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
        resolved: Map,
        /// Addresses of the values that can change anything.
        acts: Vec<String>,
        /// Title of the person, else of the preset.
        title: String,
        /// Note of the person.
        note: String,
        /// The same of A.
        compared: Box<Compared>,
        /// State of the page, as it came.
        #[cfg_attr(feature = "typescript", ts(type = "Record<string, string>"))]
        view: Map,
    },
    /// Everything that is wrong.
    Invalid {
        /// Always false.
        #[cfg_attr(feature = "typescript", ts(type = "false"))]
        ok: bool,
        /// Each value could be read; they do not fit together.
        is_read: bool,
        /// In the order found, at most 100.
        errors: Vec<Problem>,
    },
}

/// The compared scenario A.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Compared {
    /// Shortest text that says it.
    pub canonical: String,
    /// What it overrides, as it came.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, string>"))]
    pub overrides: Map,
    /// Every value that holds.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, number | string>"))]
    pub resolved: Map,
    /// Addresses of the values that can change anything.
    pub acts: Vec<String>,
}

/// Describes a text.
pub fn describe(text: &str) -> Description {
    match look(text, &[]) {
        Err(refused) => Description::Invalid { ok: false, is_read: refused.is_read, errors: refused.problems },
        Ok(decoded) => Description::Valid {
            ok: true,
            canonical: canonical(&decoded.scenario),
            resolved: resolved(&decoded.scenario),
            acts: acting(&decoded.scenario),
            title: decoded.scenario.shown_title().to_owned(),
            note: decoded.scenario.note.clone(),
            compared: Box::new(compared(&decoded.compared, decoded.overrides)),
            view: texts(decoded.view),
        },
    }
}

/// The description as JSON on one line.
pub fn to_json(text: &str) -> String {
    json::to_string(&describe(text))
}

fn texts(pairs: Vec<(String, String)>) -> Map {
    let mut map = Map::new();
    for (key, text) in pairs {
        map.insert(key, Json::Text(text));
    }
    map
}

fn compared(scenario: &Scenario, overrides: Vec<(String, String)>) -> Compared {
    Compared {
        canonical: canonical(scenario),
        overrides: texts(overrides),
        resolved: resolved(scenario),
        acts: acting(scenario),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad_in_json() {
        let json: serde_json::Value = serde_json::from_str(&to_json("v1/cpu-queue?title=x&view.side=B")).expect("JSON");
        assert_eq!(
            format!("{} {} {} {}", json["ok"], json["title"], json["view"]["side"], json["resolved"]["arrivals_per_s"]),
            "true \"x\" \"B\" 720"
        );
        assert_eq!(json["compared"]["canonical"], "cpu-queue?os_scheduler=processor_sharing&title=x");
        assert_eq!(
            to_json("cpu-queue?sessions=-1"),
            "{\"ok\":false,\"is_read\":false,\"errors\":[{\"path\":\"sessions\",\
             \"message\":\"sessions lies between 0 and 100000, not -1\",\"code\":\"out_of_range\"}]}"
        );
    }
}
