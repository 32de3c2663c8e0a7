//! Text to JSON values (RFC 8259).

use super::{Json, Map};
use crate::number;

/// Lists and objects that may stand in one another.
const DEEPEST: usize = 128;

/// Reads a text that is one JSON value; else says what is wrong, and in which line and column \[bytes\], counted
/// from 1.
pub fn read(text: &str) -> Result<Json, String> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    let read = reader.value().and_then(|json| match reader.peek() {
        None => Ok(json),
        Some(_) => Err("there is more after its end"),
    });
    read.map_err(|words| {
        let at = reader.at.min(text.len());
        let before = &text.as_bytes()[..at];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        format!("{words} at line {line} column {}", at - start + 1)
    })
}

type Read<T> = Result<T, &'static str>;

const CUT_OFF: &str = "the text ends too early";

struct Reader<'a> {
    text: &'a str,
    /// Bytes that are read.
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is no blank.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn value(&mut self) -> Read<Json> {
        match self.peek().ok_or(CUT_OFF)? {
            b'"' => self.string().map(Json::Text),
            b'[' => {
                let mut items = Vec::new();
                self.entries(b']', |reader| {
                    items.push(reader.value()?);
                    Ok(())
                })?;
                Ok(Json::List(items))
            }
            b'{' => {
                let mut members = Vec::new();
                self.entries(b'}', |reader| {
                    members.push(reader.member()?);
                    Ok(())
                })?;
                Ok(Json::Object(Map(members)))
            }
            b'-' | b'0'..=b'9' => self.number(),
            _ => self.word(),
        }
    }

    /// What stands between an opening bracket and its closing one, comma by comma.
    fn entries(&mut self, close: u8, mut entry: impl FnMut(&mut Self) -> Read<()>) -> Read<()> {
        if self.depth == DEEPEST {
            return Err("lists and objects stand in one another too deep");
        }
        self.depth += 1;
        self.at += 1;
        if self.peek() != Some(close) {
            loop {
                entry(self)?;
                match self.peek().ok_or(CUT_OFF)? {
                    b',' => self.at += 1,
                    byte if byte == close => break,
                    _ => return Err("a comma or the closing bracket is missing"),
                }
            }
        }
        self.depth -= 1;
        self.at += 1;
        Ok(())
    }

    fn member(&mut self) -> Read<(String, Json)> {
        if self.peek().ok_or(CUT_OFF)? != b'"' {
            return Err("a name in double quotes is missing");
        }
        let key = self.string()?;
        if self.peek().ok_or(CUT_OFF)? != b':' {
            return Err("a colon is missing");
        }
        self.at += 1;
        Ok((key, self.value()?))
    }

    fn word(&mut self) -> Read<Json> {
        for (word, json) in [("null", Json::Null), ("true", Json::Bool(true)), ("false", Json::Bool(false))] {
            if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
                self.at += word.len();
                return Ok(json);
            }
        }
        Err("a value is missing")
    }

    fn digits(&mut self) -> usize {
        let from = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - from
    }

    fn number(&mut self) -> Read<Json> {
        let from = self.at;
        self.at += usize::from(self.byte() == Some(b'-'));
        let leads_with_zero = self.byte() == Some(b'0');
        let whole = self.digits();
        let mut is_number = whole == 1 || whole > 1 && !leads_with_zero;
        if self.byte() == Some(b'.') {
            self.at += 1;
            is_number &= self.digits() > 0;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            is_number &= self.digits() > 0;
        }
        match self.text.get(from..self.at).and_then(number::read) {
            Some(number) if is_number && number.is_finite() => Ok(Json::Number(number)),
            Some(_) if is_number => Err("a number is too large"),
            _ => Err("a number is badly written"),
        }
    }

    fn string(&mut self) -> Read<String> {
        let mut string = String::new();
        self.at += 1;
        loop {
            let from = self.at;
            while self.byte().is_some_and(|byte| byte >= b' ' && byte != b'"' && byte != b'\\') {
                self.at += 1;
            }
            string.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.byte().ok_or(CUT_OFF)? {
                b'"' => break,
                b'\\' => string.push(self.escape()?),
                _ => return Err("a control character stands in a text"),
            }
        }
        self.at += 1;
        Ok(string)
    }

    fn escape(&mut self) -> Read<char> {
        self.at += 2;
        Ok(match self.text.as_bytes().get(self.at - 1).ok_or(CUT_OFF)? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.code_point(),
            _ => return Err("an escape is badly written"),
        })
    }

    /// One or two units of UTF-16, the first `\u` being read.
    fn code_point(&mut self) -> Read<char> {
        const BAD: &str = "an escape is no character";
        let first = self.unit()?;
        if let Some(found) = char::from_u32(first) {
            return Ok(found);
        }
        if first >= 0xdc00 || !self.text.as_bytes()[self.at..].starts_with(b"\\u") {
            return Err(BAD);
        }
        self.at += 2;
        let second = self.unit()?;
        let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400).ok_or(BAD)?;
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low).ok_or(BAD)
    }

    fn unit(&mut self) -> Read<u32> {
        let four = self.text.as_bytes().get(self.at..self.at + 4).ok_or(CUT_OFF)?;
        let mut unit = 0;
        for &byte in four {
            let digit = char::from(byte).to_digit(16).ok_or("an escape is badly written")?;
            unit = unit << 4 | digit;
        }
        self.at += 4;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ours and another reader's: the same value, or both refuse.
    fn compare(text: &str) -> bool {
        let ours = read(text);
        let other: Result<serde_json::Value, _> = serde_json::from_str(text);
        assert_eq!(ours.is_ok(), other.is_ok(), "{text:?}: {ours:?} {other:?}");
        let (Ok(ours), Ok(other)) = (ours, other) else { return false };
        assert_eq!(sorted(ours), of(&other), "{text}");
        true
    }

    fn of(other: &serde_json::Value) -> Json {
        use serde_json::Value;
        match other {
            Value::Null => Json::Null,
            Value::Bool(truth) => Json::Bool(*truth),
            Value::Number(number) => Json::Number(number.as_f64().expect("a number")),
            Value::String(text) => Json::from(text.as_str()),
            Value::Array(items) => Json::List(items.iter().map(of).collect()),
            Value::Object(map) => Json::Object(Map(map.iter().map(|(key, json)| (key.clone(), of(json))).collect())),
        }
    }

    /// Members by name, of two the later, as the other reader has them.
    fn sorted(json: Json) -> Json {
        match json {
            Json::List(items) => Json::List(items.into_iter().map(sorted).collect()),
            Json::Object(Map(members)) => {
                let mut map = Map::new();
                members.into_iter().for_each(|(key, json)| map.insert(key, sorted(json)));
                Json::Object(map)
            }
            other => other,
        }
    }

    const WHOLE: &str =
        "{\"a\": [1, -0, 2.5e-3, 10, 0.1E+2, true, false, null, []], \"b\\u00e9\\ud83d\\ude00\\n\": {},\
                         \t\"\\\"\\\\\\/\\b\\f\\r\\t é\": \"\u{7f}\", \"a\": {\"c\": \"\"}}";

    #[test]
    fn a_text_says_what_another_reader_finds_in_it() {
        assert!(compare(WHOLE));
        assert!(compare("\"\\udbff\\udfff\\ue000\""));
        for half in ["\\ud83d", "\\ude00", "\\ud83d\\ue000", "\\ud83d\\ud83d", "\\ud83d\\n", "\\ud83dxxde00"] {
            assert!(!compare(&format!("\"{half}\"")));
        }
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(compare(&deep(127)) && !compare(&deep(129)) && !compare(&deep(200_000)));
    }

    #[test]
    fn texts_cut_off_or_changed_anywhere_are_refused_where_another_reader_refuses_them() {
        let bytes = WHOLE.as_bytes();
        let (mut good, mut bad) = (0, 0);
        let mut count = |text: &[u8]| match std::str::from_utf8(text) {
            Ok(text) if compare(text) => good += 1,
            Ok(_) => bad += 1,
            Err(_) => {}
        };
        for at in 0..bytes.len() {
            count(&bytes[..at]);
            count(&bytes[at..]);
            for other in *b"\"\\[]{},:0 1.-+eEudD\n\x1fn/" {
                let mut changed = bytes.to_vec();
                changed[at] = other;
                count(&changed);
                changed.insert(at, bytes[at]);
                count(&changed);
            }
        }
        assert!(good > 500 && bad > 500, "{good} good, {bad} bad");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        let told = |text: &str| read(text).expect_err("refused");
        assert_eq!(told("{\"a\": 1,\n \"b\" 2}"), "a colon is missing at line 2 column 6");
        assert_eq!(told("[1"), "the text ends too early at line 1 column 3");
        assert_eq!(told("[1e999]"), "a number is too large at line 1 column 7");
        assert_eq!(told("[] 1"), "there is more after its end at line 1 column 4");
    }
}
