//! The queue of a group to take from (`find_busiest_queue` of `kernel/sched.c`, Linux 2.6.18).
use super::View;
use std::ops::Range;

impl View<'_> {
    /// The CPU of most weight, the first of equals, but not one whose only process weighs more than is to move.
    pub fn busiest_queue(&self, group: Range<usize>, weight: u64) -> Option<usize> {
        let mut most = 0;
        let mut found = None;
        for cpu in group {
            let seen = self.at(cpu);
            let is_lone = seen.running == 1 && seen.load.raw() > weight;
            if !is_lone && seen.load.raw() > most {
                (most, found) = (seen.load.raw(), Some(cpu));
            }
        }
        found
    }
}
