//! JSON in one small copy: what is read from outside and what is written for it.
//!
//! A page downloads the reader and the writer, so they do what scenarios and reports need and no more.

mod read;
mod write;

use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

pub use read::read;
pub use write::to_string;

/// The members of an object, by name; of two with one name the later holds.
pub type Map = BTreeMap<String, Json>;

/// A JSON value. Numbers are those of JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// Nothing.
    Null,
    /// True or false.
    Bool(bool),
    /// Written without a point where it is whole.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Map),
}

/// Whole numbers up to here are written without a point.
const MOST_WHOLE: f64 = 9e15;

impl Json {
    /// The number, where it is one.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Json::Number(number) => Some(*number),
            _ => None,
        }
    }
    /// The members, where it is an object.
    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Json::Object(map) => Some(map),
            _ => None,
        }
    }
    /// What it is, in words.
    pub fn type_name(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "true or false",
            Json::Number(_) => "a number",
            Json::Text(_) => "text",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
    /// An object of some members.
    pub fn object(members: &[(&str, Json)]) -> Json {
        let mut map = Map::new();
        for (key, value) in members {
            map.insert((*key).to_owned(), value.clone());
        }
        Json::Object(map)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(truth) => serializer.serialize_bool(*truth),
            Json::Number(number) if *number == number.trunc() && number.abs() < MOST_WHOLE => {
                serializer.serialize_i64(*number as i64)
            }
            Json::Number(number) => serializer.serialize_f64(*number),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => items.serialize(serializer),
            Json::Object(map) => map.serialize(serializer),
        }
    }
}
