//! Words from outside, made fit for a terminal: nothing in them moves the cursor, changes colours or turns a line
//! round.

use std::borrow::Cow;

/// Whether a character does something to a screen instead of standing on it: the control characters of ASCII and
/// Latin-1 (escape sequences begin with one), separators of lines and paragraphs, and all that sets the direction of
/// writing (Unicode Bidirectional Algorithm, UAX #9, 2.1 to 2.6, with the deprecated U+206A to U+206F).
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// As JSON writes it: `\u001b`.
fn escape(c: char, out: &mut String) {
    let mut units = [0u16; 2];
    for unit in c.encode_utf16(&mut units) {
        out.push_str(&format!("\\u{unit:04x}"));
    }
}

fn escaped(text: &str, is_kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(|c| is_unseen(c) && !is_kept(c)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unseen(c) && !is_kept(c) {
            escape(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// One line of at most so many characters of a text from outside, and `…` where there were more; whatever is unseen is
/// written as an escape of JSON.
pub fn line(text: &str, most: usize) -> String {
    let end = text.char_indices().nth(most).map_or(text.len(), |(at, _)| at);
    let dots = if end < text.len() { "…" } else { "" };
    format!("{}{dots}", escaped(text.get(..end).unwrap_or(text), |_| false))
}

/// All lines of a page that is about to be printed; whatever is unseen but the ends of lines is written as an escape.
/// In a JSON text, where such characters stand in strings alone, that changes nothing of what it says.
pub fn page(text: &str) -> Cow<'_, str> {
    escaped(text, |c| c == '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_screen_is_written_out() {
        assert_eq!(line("\u{1b}[31mred\u{7}\r\n", 99), "\\u001b[31mred\\u0007\\u000d\\u000a");
        assert_eq!(line("a\u{9b}31m\u{202e}b\u{2066}\u{7f}", 99), "a\\u009b31m\\u202eb\\u2066\\u007f");
        assert_eq!(line("Nine sessions – 9 µs, 日本", 99), "Nine sessions – 9 µs, 日本");
        assert_eq!([line("abcdef", 6), line("abcdef", 5), line("ééé", 2)].join(" "), "abcdef abcde… éé…");
        assert_eq!(page("a\tb\nc\u{1b}\n"), "a\\u0009b\nc\\u001b\n");
    }

    #[test]
    fn a_json_text_says_the_same() {
        let words = "\u{9b}x\u{202e}\u{7f}y\u{2029}";
        let json = serde_json::to_string_pretty(&[words]).expect("JSON");
        let shown = page(&json);
        assert!(shown.chars().all(|c| c == '\n' || !is_unseen(c)), "{shown:?}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&shown).expect("JSON"), [words]);
    }
}
