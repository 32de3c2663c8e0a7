//! Numbers as text, and text as numbers.
//!
//! Natively libraries do both. The WebAssembly package borrows them from the JavaScript that runs it: the tables behind
//! a shortest text and behind an exact reading are a tenth of what a page would download. Both sides write the fewest
//! digits that are read back as the same number, of several the nearest, of two as near the even one (ECMA-262,
//! Number::toString, note 2), so that texts are the same byte for byte. Rust's own `Display` rounds up in that last
//! case: 2^-25 ends in 13 there and in 12 here.

/// What is borrowed: a reader of `5`, `+.5`, `5.`, `007`, `1e-3`, and a writer of finite numbers.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// The number that is nearest; what is no number is not looked for.
    pub read: fn(&str) -> f64,
    /// The fewest digits that say it, in any form: `125`, `0.5`, `1.0`, `1.25e-7`, `1e+21`.
    pub shortest: fn(f64) -> String,
}

#[cfg(not(target_arch = "wasm32"))]
mod own {
    use super::Notation;

    fn read(text: &str) -> f64 {
        text.parse().unwrap_or(f64::NAN)
    }

    fn shortest(number: f64) -> String {
        serde_json::to_string(&number).unwrap_or_default()
    }

    pub(super) fn notation() -> Notation {
        Notation { read, shortest }
    }
}

#[cfg(target_arch = "wasm32")]
mod own {
    use super::Notation;
    use std::cell::Cell;

    const NOTHING: Notation = Notation { read: |_| f64::NAN, shortest: |_| String::new() };

    thread_local! {
        static BORROWED: Cell<Notation> = const { Cell::new(NOTHING) };
    }

    /// Takes the notation of the JavaScript around: once, before anything is read.
    pub fn borrow(notation: Notation) {
        BORROWED.set(notation);
    }

    pub(super) fn notation() -> Notation {
        BORROWED.get()
    }
}

#[cfg(target_arch = "wasm32")]
pub use own::borrow;

/// Whole numbers below this are written by their digits \[2^53\].
const WHOLE: f64 = 9_007_199_254_740_992.0;

/// Reads a number as people and JSON write it: `+5`, `.5`, `5.`, `007`, `1e3`; `None` for anything else. What is too
/// large is infinite.
pub fn read(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let all_digits = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
    let is_number = all_digits(whole) && all_digits(part) && all_digits(power);
    let has_digits = !power.is_empty() && whole.len() + part.len() > 0;
    (is_number && has_digits).then(|| (own::notation().read)(text))
}

/// Digits that say a number above zero, and the power of ten of the first one.
fn digits_of(number: f64) -> (String, i32) {
    let text = (own::notation().shortest)(number);
    let (mantissa, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, part].concat();
    let digits = all.trim_start_matches('0');
    let power: i32 = power.trim_start_matches('+').parse().unwrap_or(0);
    let before_point = whole.len() as i32 - (all.len() - digits.len()) as i32;
    (digits.trim_end_matches('0').to_owned(), power + before_point - 1)
}

/// Digits with the point where it belongs.
fn laid_out(digits: &str, power: i32) -> String {
    let point = power + 1;
    let zeros = |count: i32| "0".repeat(count.max(0) as usize);
    match usize::try_from(point) {
        Ok(at) if at > 0 => match digits.split_at_checked(at) {
            Some((whole, part)) if !part.is_empty() => [whole, ".", part].concat(),
            _ => [digits, &zeros(point - digits.len() as i32)].concat(),
        },
        _ => ["0.", &zeros(-point), digits].concat(),
    }
}

fn sign(number: f64) -> &'static str {
    if number.is_sign_negative() {
        "-"
    } else {
        ""
    }
}

fn whole(number: f64) -> Option<String> {
    let is_whole = number.abs() < WHOLE && number == number.trunc();
    is_whole.then(|| [sign(number), &(number.abs() as u64).to_string()].concat())
}

/// As people write it, without a power of ten: `0.00003`.
pub fn plain(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "NaN".to_owned() } else { [sign(number), "inf"].concat() };
    }
    whole(number).unwrap_or_else(|| {
        let (digits, power) = digits_of(number.abs());
        [sign(number), &laid_out(&digits, power)].concat()
    })
}

/// With two digits behind the point, rounded half away from zero.
pub fn hundredths(number: f64) -> String {
    let all = (number.abs() * 100.0).round() as u64;
    format!("{}{}.{:02}", sign(number), all / 100, all % 100)
}

/// As JSON has it: `0.5`, `2.0`, `1e-7`; null for what is not finite.
pub fn json(number: f64) -> String {
    if !number.is_finite() {
        return "null".to_owned();
    }
    if let Some(whole) = whole(number) {
        return whole + ".0";
    }
    let (digits, power) = digits_of(number.abs());
    let text = match power {
        -5..=15 if power + 1 < digits.len() as i32 => laid_out(&digits, power),
        -5..=15 => laid_out(&digits, power) + ".0",
        _ => {
            let (first, others) = digits.split_at_checked(1).unwrap_or_default();
            let point = if others.is_empty() { "" } else { "." };
            let plus = if power > 0 { "+" } else { "" };
            format!("{first}{point}{others}e{plus}{power}")
        }
    };
    [sign(number), &text].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every power of two and of ten with its neighbours, and numbers of all sizes by a linear congruence.
    fn numbers() -> Vec<f64> {
        let mut bits: Vec<u64> = (0..2047).map(|exponent| exponent << 52).collect();
        bits.extend((-320..=308).map(|power| format!("1e{power}").parse::<f64>().expect("a number").to_bits()));
        let mut state = 1u64;
        bits.extend((0..20_000).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 1
        }));
        let near = bits.iter().flat_map(|&bits| [bits.saturating_sub(1), bits, bits + 1]);
        let all = near.map(f64::from_bits).chain([0.1, 2.5, 1234.5678, 720.0, 123_456_789_012_345_680.0]);
        all.filter(|number| number.is_finite()).flat_map(|number| [number, -number]).collect()
    }

    #[test]
    fn texts_are_those_of_the_standard_library_and_of_serde_json() {
        let numbers = numbers();
        let mut halves = 0;
        for &number in &numbers {
            let (ours, library) = (plain(number), number.to_string());
            assert_eq!(json(number), serde_json::to_string(&number).expect("a number"), "{number:e}");
            assert_eq!(ours.len(), library.len(), "{number:e}");
            if ours != library {
                let is_even = ours.trim_end_matches('0').ends_with(['2', '4', '6', '8']);
                let exact = format!("{number:.800e}");
                let digits = exact.split('e').next().unwrap_or_default().trim_end_matches('0');
                assert!(is_even && digits.ends_with('5'), "{number:e}");
                halves += 1;
            }
        }
        assert!(0 < halves && halves < numbers.len() / 100, "{halves} of {}", numbers.len());
        assert_eq!([plain(f64::NAN), plain(-f64::INFINITY), json(f64::NAN)].join(" "), "NaN -inf null");
    }

    #[test]
    fn texts_are_read_back_as_the_same_number() {
        for number in numbers() {
            assert_eq!(read(&plain(number)).map(f64::to_bits), Some(number.to_bits()));
            assert_eq!(read(&json(number)).map(f64::to_bits), Some(number.to_bits()));
        }
        assert_eq!(read("1e999"), Some(f64::INFINITY));
    }

    #[test]
    fn two_digits_are_rounded() {
        let found = [0.0, 0.125, 1.994, 1.996, 12.0, -0.5].map(hundredths);
        assert_eq!(found.join(" "), "0.00 0.13 1.99 2.00 12.00 -0.50");
    }
}
