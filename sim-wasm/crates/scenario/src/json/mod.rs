//! JSON in one small copy: what is read from outside and what is written for it.
//!
//! A page downloads the reader and the writer, so they do what scenarios and reports need and no more.

mod read;
mod write;

use serde::{Serialize, Serializer};

pub use read::read;
pub use write::to_string;

/// The members of an object. Those that were read stand as they came, two of one name both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map(Vec<(String, Json)>);

impl Map {
    /// No members.
    pub fn new() -> Map {
        Map::default()
    }
    /// Puts a member where it belongs by its name, in place of one that has it. The others stand by their names.
    pub fn insert(&mut self, name: String, json: Json) {
        let Map(members) = self;
        match members.binary_search_by(|(known, _)| known.as_str().cmp(&name)) {
            Ok(at) => members[at].1 = json,
            Err(at) => members.insert(at, (name, json)),
        }
    }
    /// The value of a name, of several the last.
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.members().rev().find(|(known, _)| *known == name).map(|(_, json)| json)
    }
    /// Names and values.
    pub fn members(&self) -> impl DoubleEndedIterator<Item = (&str, &Json)> {
        self.0.iter().map(|(name, json)| (name.as_str(), json))
    }
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.members())
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_that_are_put_in_stand_by_name_and_those_read_as_they_came() {
        let mut map = Map::new();
        for (name, number) in [("b", 1.0), ("c", 2.5), ("a", 3.0), ("b", -4.0)] {
            map.insert(name.to_owned(), Json::Number(number));
        }
        assert_eq!(to_string(&map), "{\"a\":3,\"b\":-4,\"c\":2.5}");
        let text = "{\"b\":1,\"a\":[null,true,{}],\"b\":2}";
        let json = read(text).expect("JSON");
        assert_eq!(to_string(&json), text);
        let map = json.as_object().expect("an object");
        assert_eq!((map.get("b").and_then(Json::as_f64), map.get("c")), (Some(2.0), None));
    }
}
