//! What a sequence needs.

use super::Report;
use crate::problem::Code;
use crate::sequence::takes_values;

impl Report<'_> {
    /// CACHE is of two values or more.
    pub(super) fn sequence(&mut self) {
        let scenario = self.scenario;
        let uses = (1..=scenario.instances.len()).any(|instance| takes_values(scenario, instance));
        if uses && scenario.run_number("sequence_cache") == 1.0 {
            let words = "= 1: CACHE takes two values or more (ORA-04010); write 0 for NOCACHE".to_owned();
            self.add("sequence_cache", "", Code::Conflict, words);
        }
    }
}
