//! Values to JSON on one line, by the description that serde's `derive` makes of them.

use crate::number;
use serde::{ser, Serialize};
use std::fmt::{self, Display, Write};

/// The value as JSON on one line. Names of members are texts; what is not finite is null.
pub fn to_string<T: Serialize + ?Sized>(value: &T) -> String {
    let mut out = String::new();
    let Ok(()) = value.serialize(Writer(&mut out));
    out
}

/// There is nothing that cannot be written.
#[derive(Debug)]
pub enum Never {}

impl Display for Never {
    fn fmt(&self, _: &mut fmt::Formatter) -> fmt::Result {
        match *self {}
    }
}

impl std::error::Error for Never {}

impl ser::Error for Never {
    fn custom<T: Display>(_: T) -> Never {
        unreachable!("a type that has no form in JSON: any test that writes it would end here")
    }
}

struct Writer<'a>(&'a mut String);

/// Members or entries that are being written, and what closes them.
struct Entries<'a> {
    out: &'a mut String,
    is_first: bool,
    close: &'static str,
}

impl Entries<'_> {
    fn next(&mut self) -> Writer<'_> {
        if !self.is_first {
            self.out.push(',');
        }
        self.is_first = false;
        Writer(self.out)
    }
    fn name(&mut self, key: &str) -> Writer<'_> {
        let Writer(out) = self.next();
        quote(key, out);
        out.push(':');
        Writer(out)
    }
    fn close(self) -> Result<(), Never> {
        self.out.push_str(self.close);
        Ok(())
    }
}

/// A text in quotes (RFC 8259, section 7).
fn quote(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('"');
}

impl<'a> Writer<'a> {
    fn text(self, text: &str) -> Result<(), Never> {
        self.0.push_str(text);
        Ok(())
    }
    fn open(self, open: &str, close: &'static str) -> Entries<'a> {
        self.0.push_str(open);
        Entries { out: self.0, is_first: true, close }
    }
    fn open_variant(self, variant: &str, open: &str, close: &'static str) -> Entries<'a> {
        self.0.push('{');
        quote(variant, self.0);
        self.0.push(':');
        self.open(open, close)
    }
}

macro_rules! whole_numbers {
    ($($name:ident $as:ident $type:ty),*) => {$(
        fn $name(self, number: $type) -> Result<(), Never> {
            self.$as(number.into())
        }
    )*};
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = ();
    type Error = Never;
    type SerializeSeq = Entries<'a>;
    type SerializeTuple = Entries<'a>;
    type SerializeTupleStruct = Entries<'a>;
    type SerializeTupleVariant = Entries<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Entries<'a>;
    type SerializeStructVariant = Entries<'a>;

    whole_numbers!(serialize_i8 serialize_i64 i8, serialize_i16 serialize_i64 i16, serialize_i32 serialize_i64 i32);
    whole_numbers!(serialize_u8 serialize_u64 u8, serialize_u16 serialize_u64 u16, serialize_u32 serialize_u64 u32);

    fn serialize_bool(self, truth: bool) -> Result<(), Never> {
        self.text(if truth { "true" } else { "false" })
    }
    fn serialize_i64(self, number: i64) -> Result<(), Never> {
        // A String takes whatever is written.
        let _ = write!(self.0, "{number}");
        Ok(())
    }
    fn serialize_u64(self, number: u64) -> Result<(), Never> {
        let _ = write!(self.0, "{number}");
        Ok(())
    }
    fn serialize_f32(self, number: f32) -> Result<(), Never> {
        self.serialize_f64(f64::from(number))
    }
    fn serialize_f64(self, number: f64) -> Result<(), Never> {
        self.text(&number::json(number))
    }
    fn serialize_char(self, c: char) -> Result<(), Never> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, text: &str) -> Result<(), Never> {
        quote(text, self.0);
        Ok(())
    }
    fn serialize_bytes(self, bytes: &[u8]) -> Result<(), Never> {
        bytes.serialize(self)
    }
    fn serialize_none(self) -> Result<(), Never> {
        self.text("null")
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result<(), Never> {
        self.text("null")
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Never> {
        self.text("null")
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<(), Never> {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Never> {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Never> {
        let mut entries = self.open("{", "}");
        value.serialize(entries.name(variant))?;
        entries.close()
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<Entries<'a>, Never> {
        Ok(self.open("[", "]"))
    }
    fn serialize_tuple(self, _: usize) -> Result<Entries<'a>, Never> {
        Ok(self.open("[", "]"))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>, Never> {
        Ok(self.open("[", "]"))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>, Never> {
        Ok(self.open_variant(variant, "[", "]}"))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>, Never> {
        Ok(self.open("{", "}"))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>, Never> {
        Ok(self.open("{", "}"))
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>, Never> {
        Ok(self.open_variant(variant, "{", "}}"))
    }
}

macro_rules! in_a_list {
    ($($trait:ident $function:ident),*) => {$(
        impl ser::$trait for Entries<'_> {
            type Ok = ();
            type Error = Never;
            fn $function<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
                value.serialize(self.next())
            }
            fn end(self) -> Result<(), Never> {
                self.close()
            }
        }
    )*};
}

in_a_list!(SerializeSeq serialize_element, SerializeTuple serialize_element);
in_a_list!(SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Never;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Never> {
        key.serialize(self.next())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Never> {
        self.out.push(':');
        value.serialize(Writer(self.out))
    }
    fn end(self) -> Result<(), Never> {
        self.close()
    }
}

macro_rules! in_an_object {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Entries<'_> {
            type Ok = ();
            type Error = Never;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Never> {
                value.serialize(self.name(key))
            }
            fn end(self) -> Result<(), Never> {
                self.close()
            }
        }
    )*};
}

in_an_object!(SerializeStruct, SerializeStructVariant);

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Inner {
        number: f64,
        none: Option<u32>,
    }

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Kind {
        Plain,
        Holding(Vec<u8>),
        Pair(u8, bool),
        Named { a: f32 },
    }

    #[derive(Serialize)]
    struct Outer {
        text: String,
        #[serde(flatten)]
        inner: Inner,
        kinds: Vec<Kind>,
        pair: (i8, char),
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<bool>,
        numbers: [f64; 4],
        empty: Vec<Inner>,
    }

    #[test]
    fn a_value_is_written_as_another_writer_does() {
        let all: String = (0..0x300).filter_map(char::from_u32).chain("–“日本😀".chars()).collect();
        let value = Outer {
            text: all,
            inner: Inner { number: 2.0, none: None },
            kinds: vec![Kind::Plain, Kind::Holding(vec![1, 2]), Kind::Pair(3, true), Kind::Named { a: 0.5 }],
            pair: (-3, 'é'),
            absent: None,
            numbers: [f64::NAN, 1e-7, f64::NEG_INFINITY, -0.0],
            empty: Vec::new(),
        };
        assert_eq!(to_string(&value), serde_json::to_string(&value).expect("JSON"));
    }
}
