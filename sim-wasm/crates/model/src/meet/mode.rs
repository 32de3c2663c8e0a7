//! The six modes of a lock, and which may be held together.

/// How much of something a lock protects, and against what. The shorter names are those that lists of held locks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// N: nothing.
    Null,
    /// SS or RS: parts are shared.
    RowShare,
    /// SX or RX: parts are changed.
    RowExclusive,
    /// S: the whole is shared.
    Share,
    /// SSX or SRX: the whole is shared, and parts are changed.
    ShareRowExclusive,
    /// X: the whole is changed.
    Exclusive,
}

/// By mode: those that others may hold beside it, in the order N, SS, SX, S, SSX, X.
const BESIDE: [[bool; 6]; 6] = [
    [true, true, true, true, true, true],
    [true, true, true, true, true, false],
    [true, true, true, false, false, false],
    [true, true, false, true, false, false],
    [true, true, false, false, false, false],
    [true, false, false, false, false, false],
];

impl Mode {
    /// All modes; each covers none that stands behind it.
    pub const ALL: [Mode; 6] =
        [Mode::Null, Mode::RowShare, Mode::RowExclusive, Mode::Share, Mode::ShareRowExclusive, Mode::Exclusive];

    /// Whether one may hold this mode while another holds that.
    pub fn compatible(self, other: Mode) -> bool {
        BESIDE[self as usize][other as usize]
    }

    /// Whether who holds this mode needs nothing more for that one: all that is compatible with this is so with that.
    pub fn covers(self, other: Mode) -> bool {
        Mode::ALL.into_iter().all(|third| !self.compatible(third) || other.compatible(third))
    }

    /// The least mode that covers both. The greater of the two, but for S and SX, which make SSX.
    pub fn with(self, other: Mode) -> Mode {
        Mode::ALL.into_iter().find(|mode| mode.covers(self) && mode.covers(other)).unwrap_or(Mode::Exclusive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The manual's table, row by row in the order of [`Mode::ALL`]: what a row's mode lets others hold.
    const TABLE: &str = "
        N    N SS SX S SSX X
        SS   N SS SX S SSX
        SX   N SS SX
        S    N SS S
        SSX  N SS
        X    N";

    fn named(name: &str) -> Mode {
        let at = ["N", "SS", "SX", "S", "SSX", "X"].iter().position(|n| *n == name).expect("a mode");
        Mode::ALL[at]
    }

    #[test]
    fn all_thirty_six_pairs_are_as_the_table_says() {
        let mut seen = 0;
        for row in TABLE.trim().lines() {
            let mut words = row.split_whitespace().map(named);
            let held = words.next().expect("a row has a name");
            let beside: Vec<Mode> = words.collect();
            for asked in Mode::ALL {
                assert_eq!(held.compatible(asked), beside.contains(&asked), "{held:?} beside {asked:?}");
                seen += 1;
            }
        }
        assert_eq!(seen, 36);
    }

    #[test]
    fn all_modes_are_in_order_but_share_and_row_exclusive() {
        let [n, ss, sx, s, ssx, x] = Mode::ALL;
        for (at, mode) in Mode::ALL.into_iter().enumerate() {
            for (other_at, other) in Mode::ALL.into_iter().enumerate() {
                let apart = (mode, other) == (s, sx) || (mode, other) == (sx, s);
                assert_eq!(mode.covers(other), other_at <= at && !apart, "{mode:?} over {other:?}");
            }
        }
        assert_eq!(
            [s.with(sx), sx.with(s), n.with(ss), sx.with(ss), ssx.with(s), x.with(s)],
            [ssx, ssx, ss, sx, ssx, x]
        );
    }
}
