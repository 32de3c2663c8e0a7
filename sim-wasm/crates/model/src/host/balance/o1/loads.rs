//! What processes weigh, and what a CPU's load was on its last ticks (`set_load_weight`, `rebalance_tick`,
//! `source_load`, `target_load` of `kernel/sched.c`, Linux 2.6.18).

/// Weight of a process of nice 0, and of a CPU (`SCHED_LOAD_SCALE`).
pub const SCALE: u64 = 128;

/// What an ordinary process weighs by its slice: 128 at nice 0, 1024 at -20, 6 at 19 (`PRIO_TO_LOAD_WEIGHT`). `whole`:
/// the slice of nice 0.
pub fn weight(slice: u64, whole: u64) -> u64 {
    slice * SCALE / whole
}

/// What one in real time weighs: as one of nice -20, and more with its priority (`RTPRIO_TO_LOAD_WEIGHT`).
pub fn real_weight(priority: u32, whole: u64) -> u64 {
    weight(8 * whole, whole) + weight(u64::from(priority), whole)
}

/// The load of a CPU: the sum of weights now, and what that was on the last tick, and on average over the last two or
/// so, and four. In 32 bits, into which a million processes fit; in this order, for it is copied as it is brought up.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CpuLoad {
    /// `raw_weighted_load`.
    raw: u32,
    /// `cpu_load`.
    past: [u32; 3],
    /// Ticks that are in it.
    ticks: u64,
}

impl CpuLoad {
    /// The sum of weights now.
    #[inline]
    pub fn raw(&self) -> u64 {
        self.raw.into()
    }

    /// Brings it up to a tick.
    #[inline]
    pub fn advance(&mut self, tick: u64) {
        let ticks = tick - self.ticks;
        self.ticks = tick;
        if ticks > 0 && !self.is_level() {
            self.follow(ticks);
        }
    }

    #[inline]
    fn is_level(&self) -> bool {
        let [one, two, four] = self.past;
        (one ^ self.raw) | (two ^ self.raw) | (four ^ self.raw) == 0
    }

    #[inline(never)]
    fn follow(&mut self, ticks: u64) {
        for _ in 0..ticks {
            if self.is_level() {
                return;
            }
            for (step, past) in self.past.iter_mut().enumerate() {
                let others = (1 << step) - 1;
                // Rounded up where it grows, lest it stay below for ever.
                let up = if self.raw > *past { others } else { 0 };
                *past = (*past * others + self.raw + up) >> step;
            }
        }
    }

    /// Somebody comes or goes after a tick.
    #[inline]
    pub fn change(&mut self, tick: u64, more: u64, less: u64) {
        self.advance(tick);
        self.raw = self.raw + more as u32 - less as u32;
    }

    /// The same with somebody besides, who counts as if always there.
    #[inline]
    pub fn with(mut self, weight: u64) -> CpuLoad {
        self.raw += weight as u32;
        self.past.iter_mut().for_each(|past| *past += weight as u32);
        self
    }

    /// A low guess, of a CPU from which somebody is to be moved. `by`: 0 the present, or one of the past.
    #[inline]
    pub fn low(&self, by: usize) -> u64 {
        by.checked_sub(1).map_or(self.raw, |at| self.past[at].min(self.raw)).into()
    }

    /// A high guess, of a CPU to which somebody is to be moved.
    #[inline]
    pub fn high(&self, by: usize) -> u64 {
        by.checked_sub(1).map_or(self.raw, |at| self.past[at].max(self.raw)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_slices() {
        let of = |slice| weight(slice, 100);
        assert_eq!([800, 420, 100, 95, 50, 5].map(of), [1024, 537, 128, 121, 64, 6]);
        assert_eq!([1, 50, 99].map(|priority| real_weight(priority, 100)), [1025, 1088, 1150]);
    }

    /// Slices of 250 ticks a second: 25, and 2 of nice 19, are a 12th, not a 20th.
    #[test]
    fn weights_follow_ticks() {
        assert_eq!([200, 25, 1].map(|slice| weight(slice, 25)), [1024, 128, 5]);
    }

    #[test]
    fn the_past_is_followed_by_a_whole_a_half_and_a_quarter_a_tick() {
        let mut load = CpuLoad::default();
        load.change(10, 128, 0);
        assert_eq!((load.past, load.low(1), load.high(1)), ([0; 3], 0, 128));
        load.advance(11);
        assert_eq!(load.past, [128, 64, 32]);
        load.advance(12);
        assert_eq!(load.past, [128, 96, 56]);
        load.change(12, 0, 128);
        load.advance(13);
        assert_eq!((load.past, load.low(2), load.high(2), load.high(0)), ([0, 48, 42], 0, 48, 0));
        load.advance(1 << 40);
        assert_eq!(load.past, [0; 3]);
        load.change(1 << 40, 10, 0);
        load.advance((1 << 40) + 100);
        assert_eq!(load.past, [10; 3], "it gets there");
    }
}
