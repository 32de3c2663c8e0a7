//! The queue of a group to take from (`find_busiest_queue` of `fair.c`, Linux 6.6).
use super::busiest::{Imbalance, What};
use super::groups::View;

impl View<'_> {
    /// The CPU of the busiest group with most of what is evened out; the first of equals.
    pub fn busiest_queue(&self, imbalance: &Imbalance) -> Option<usize> {
        let mut found = None;
        let (mut most, mut most_capacity) = (0, 1);
        for (number, cpu) in self.open(imbalance.from.clone()).filter(|(_, cpu)| cpu.fair > 0) {
            let (amount, capacity) = match imbalance.what {
                // A lone process that weighs more than is to move would only change places.
                What::Load if cpu.fair == 1 && cpu.load as i64 > imbalance.amount && !cpu.is_reduced(self.domain) => {
                    continue
                }
                What::Load => (cpu.load, cpu.capacity),
                What::Util if cpu.fair <= 1 => continue,
                What::Util if self.domain.knows_cores => (cpu.boosted_util(), 1),
                What::Util => (cpu.util, 1),
                What::Task => (u64::from(cpu.fair), 1),
            };
            if amount * most_capacity > most * capacity {
                (most, most_capacity, found) = (amount, capacity, Some(number));
            }
        }
        found
    }
}
