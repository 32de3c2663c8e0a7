//! Defaults that follow another number.

use serde::Serialize;

/// So many times another knob and some more, in whole numbers, but no less than so many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "LinearDefault"))]
pub struct Linear {
    /// The other knob, a whole number.
    pub of: &'static str,
    /// Times it: a whole number, or one through such a number.
    pub times: f64,
    /// So many more.
    pub plus: f64,
    /// No less than this.
    pub least: f64,
}

impl Linear {
    /// The default where the other has this value.
    pub(crate) fn value(&self, of: f64) -> f64 {
        ((self.times * of).floor() + self.plus).max(self.least)
    }

    /// In words.
    pub(crate) fn words(&self) -> String {
        let Linear { of, times, plus, least } = *self;
        let times = match times {
            1.0 => of.to_owned(),
            times if times < 1.0 => format!("{of} ÷ {}", 1.0 / times),
            times => format!("{times} × {of}"),
        };
        let plus = if plus > 0.0 { format!(" + {plus}") } else { String::new() };
        let least = if least > 0.0 { format!(", at least {least}") } else { String::new() };
        format!("{times}{plus}{least}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_and_no_less_than_the_least() {
        let eighth = Linear { of: "cpu_count", times: 0.125, plus: 0.0, least: 1.0 };
        assert_eq!([1.0, 8.0, 15.0, 16.0, 31.0, 128.0].map(|of| eighth.value(of)), [1.0, 1.0, 1.0, 2.0, 3.0, 16.0]);
        assert_eq!(eighth.words(), "cpu_count ÷ 8, at least 1");
        let twice = Linear { of: "data_io_at_once", times: 2.0, plus: 6.0, least: 0.0 };
        assert_eq!([1.0, 33.0].map(|of| twice.value(of)), [8.0, 72.0]);
        assert_eq!(twice.words(), "2 × data_io_at_once + 6");
        let same = Linear { of: "db_writer_processes", times: 1.0, plus: 0.0, least: 8.0 };
        assert_eq!(
            ([1.0, 9.0].map(|of| same.value(of)), same.words()),
            ([8.0, 9.0], "db_writer_processes, at least 8".into())
        );
    }
}
