//! What an instance with redo and writers was like from moment to moment, off unless asked for.
use wwi_kernel::time::Ns;

/// Moments less far apart than this are one, unless a stall begins or ends \[ns\].
const APART: Ns = Ns(10_000_000);
/// So many are kept, the latest.
const MOST: usize = 2_048;

/// One instance at one moment; counts are since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Ns,
    /// Commits.
    pub commits: u64,
    /// Commits of writes of the log.
    pub commits_written: u64,
    /// Writes of the log.
    pub log_writes: u64,
    /// Thread time of its database writers \[ns\], up to their last stay that ended.
    pub writer_time: u64,
    /// Redo for which the present log has room \[bytes\].
    pub room: u64,
    /// Redo whose buffers are to be written before the next log may be used again \[bytes\].
    pub late: u64,
    /// Somebody waits for a log that is not free.
    pub is_stalled: bool,
}

impl Moment {
    /// In the order of a report's columns: time and thread time \[ns\], counts, redo \[bytes\], 1 where it is stalled.
    pub fn told(&self) -> [u64; 8] {
        let stalled = u64::from(self.is_stalled);
        let Moment { at, commits, commits_written, log_writes, writer_time, room, late, .. } = *self;
        [at.0, commits, commits_written, log_writes, writer_time, room, late, stalled]
    }
}

/// The latest moments of one instance.
#[derive(Clone, Debug, Default)]
pub struct Chronicle {
    moments: Vec<Moment>,
    /// Where the next goes once there are [`MOST`].
    oldest: usize,
    last: Option<Moment>,
}

impl Chronicle {
    /// Whether the moment `now` is one to note.
    #[inline]
    pub fn is_due(&self, now: Ns, is_stalled: bool) -> bool {
        self.last.is_none_or(|last| last.is_stalled != is_stalled || now.minus(last.at) >= APART)
    }

    /// Notes a moment that is due.
    pub fn note(&mut self, moment: Moment) {
        self.last = Some(moment);
        if self.moments.len() < MOST {
            return self.moments.push(moment);
        }
        self.moments[self.oldest] = moment;
        self.oldest = (self.oldest + 1) % MOST;
    }

    /// The moments kept, in order.
    pub fn moments(&self) -> impl Iterator<Item = &Moment> {
        let (new, old) = self.moments.split_at(self.oldest);
        old.iter().chain(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64, is_stalled: bool) -> Moment {
        Moment { at: Ns(ms * 1_000_000), is_stalled, ..Moment::default() }
    }

    #[test]
    fn moments_are_apart_but_no_stall_is_missed() {
        let mut chronicle = Chronicle::default();
        for moment in [at(0, false), at(9, false), at(11, false), at(12, true), at(13, true), at(14, false)] {
            if chronicle.is_due(moment.at, moment.is_stalled) {
                chronicle.note(moment);
            }
        }
        let kept: Vec<u64> = chronicle.moments().map(|moment| moment.at.0 / 1_000_000).collect();
        assert_eq!(kept, [0, 11, 12, 14]);
    }

    #[test]
    fn the_latest_are_kept_in_order() {
        let mut chronicle = Chronicle::default();
        (0..MOST as u64 + 3).for_each(|number| chronicle.note(at(10 * number, false)));
        let kept: Vec<Moment> = chronicle.moments().copied().collect();
        assert_eq!((kept.len(), kept[0], kept[MOST - 1]), (MOST, at(30, false), at(10 * (MOST as u64 + 2), false)));
        assert!(kept.is_sorted_by_key(|moment| moment.at));
    }
}
