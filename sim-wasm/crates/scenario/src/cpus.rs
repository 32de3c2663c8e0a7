//! Lists of hardware threads as the kernel writes them: `0-21,44-65`, or the word `all`.

use crate::problem::Code;
use crate::value::{quoted, trimmed, Refusal};
use wwi_kernel::order::sort_by_rank;

/// Largest number that is read; which threads a host has is looked at later.
const MAX_NUMBER: u32 = 9999;
/// Most ranges in a text.
const MAX_RANGES: usize = 1024;

/// Hardware threads of a host, counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuList {
    /// First and last of each range: ascending, never touching, never empty. `None`: all.
    ranges: Option<Vec<(u32, u32)>>,
}

impl CpuList {
    /// Every thread of the host.
    pub fn all() -> CpuList {
        CpuList { ranges: None }
    }
    /// Whether it is the word `all`.
    pub fn is_all(&self) -> bool {
        self.ranges.is_none()
    }
    /// Reads a list or the word.
    pub fn read(text: &str) -> Result<CpuList, Refusal> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(CpuList::all());
        }
        if text.is_empty() {
            return Err((Code::BadVector, "is empty: write all, or threads such as 0-21,44-65".to_owned()));
        }
        let parts: Vec<&str> = text.split(',').take(MAX_RANGES + 1).collect();
        if parts.len() > MAX_RANGES {
            return Err((Code::TooLong, format!("has at most {MAX_RANGES} ranges")));
        }
        let mut ranges = parts.into_iter().map(range).collect::<Result<Vec<_>, _>>()?;
        sort_by_rank(&mut ranges, |range| u64::from(range.0) << 32 | u64::from(range.1));
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        Ok(CpuList { ranges: Some(merged) })
    }
    /// Ranges merged and in order, as the kernel prints them.
    pub fn to_text(&self) -> String {
        let Some(ranges) = &self.ranges else { return "all".to_owned() };
        let shown = |&(first, last): &(u32, u32)| match last - first {
            0 => first.to_string(),
            _ => format!("{first}-{last}"),
        };
        ranges.iter().map(shown).collect::<Vec<_>>().join(",")
    }
    /// The largest thread named; `None` for all.
    pub fn last(&self) -> Option<u32> {
        self.ranges.as_ref().and_then(|ranges| ranges.last()).map(|range| range.1)
    }
    /// The threads of a host of so many.
    pub fn threads(&self, host: u32) -> Vec<u16> {
        let whole = vec![(0, host.saturating_sub(1))];
        let ranges = self.ranges.as_ref().unwrap_or(&whole);
        ranges.iter().flat_map(|&(first, last)| first..=last).filter(|&t| t < host).map(|t| t as u16).collect()
    }
}

fn range(text: &str) -> Result<(u32, u32), Refusal> {
    let text = trimmed(text);
    let number = |part: &str| {
        let part = trimmed(part);
        let plain = !part.is_empty() && part.len() <= 10 && part.bytes().all(|b| b.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| plain)
    };
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (Some(first), Some(last)) = (number(first), number(last)) else {
        let message = format!("is all, or threads such as 0-21,44-65, not {}", quoted(text));
        return Err((Code::NotANumber, message));
    };
    if last < first {
        return Err((Code::BadVector, format!("has a range that runs down, from {first} to {last}")));
    }
    if last > MAX_NUMBER {
        return Err((Code::OutOfRange, format!("names thread {last}; no host has that many")));
    }
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        CpuList::read(text).map_or_else(|(code, words)| format!("{code:?}: {words}"), |list| list.to_text())
    }

    #[test]
    fn lists_are_merged_and_mistakes_named() {
        assert_eq!(read("0-21,44-65"), "0-21,44-65");
        assert_eq!(read(" 5, 3-4,0 - 1,4"), "0-1,3-5");
        assert_eq!(read("7"), "7");
        assert_eq!(read("ALL"), "all");
        assert_eq!(read(""), "BadVector: is empty: write all, or threads such as 0-21,44-65");
        assert_eq!(read("0-3,,5"), "NotANumber: is all, or threads such as 0-21,44-65, not “”");
        assert_eq!(read("0x3"), "NotANumber: is all, or threads such as 0-21,44-65, not “0x3”");
        assert_eq!(read("-1"), "NotANumber: is all, or threads such as 0-21,44-65, not “-1”");
        assert_eq!(read("5-3"), "BadVector: has a range that runs down, from 5 to 3");
        assert_eq!(read("0-10000"), "OutOfRange: names thread 10000; no host has that many");
        assert_eq!(CpuList::read("1-2,9").map(|list| list.threads(8)), Ok(vec![1, 2]));
        assert_eq!(CpuList::all().threads(3), vec![0, 1, 2]);
    }
}
