//! Consumer groups of an instance.

use super::Report;
use crate::config::is_batch;
use crate::consumers::{entries, SHARES, SIZES};
use crate::number::plain;
use crate::problem::Code;

impl Report<'_> {
    /// Groups that have sessions: of a list, and of knobs with an entry for each.
    pub(super) fn groups(&mut self, instance: usize) {
        let groups = &self.scenario.instances[instance - 1].groups;
        let sessions = self.scenario.instance_value("sessions", instance).as_number();
        let closed = self.scenario.instance_value("arrivals", instance).as_word() == "closed";
        if (closed || is_batch(self.scenario, instance)) && sessions > 0.0 && groups.len() as f64 > sessions {
            let words = format!("has {} groups for {} sessions", groups.len(), plain(sessions));
            self.add("consumer_groups", &format!("@instance{instance}"), Code::TooMany, words);
        }
        self.entries(instance);
    }

    /// Entries for each group: as many of the one as of the other, whole, and somebody in one of the groups.
    fn entries(&mut self, instance: usize) {
        let part = self.instance_part(instance);
        let [sizes, shares] = [SIZES, SHARES].map(|id| entries(self.scenario, id, instance));
        let listed = self.scenario.instances[instance - 1].groups.len();
        let list = "consumer_groups";
        let others = [(SIZES, list, listed), (SHARES, list, listed), (SHARES, SIZES, sizes.len())];
        for (id, list) in [(SIZES, &sizes), (SHARES, &shares)] {
            let other = others.iter().find(|(of, _, count)| *of == id && *count > 0 && *count != list.len());
            let words = match (other, list.iter().find(|entry| entry.fract() != 0.0)) {
                _ if list.is_empty() => continue,
                (Some((_, name, count)), _) => {
                    format!("has {} entries, and {name} has {count}: one for each consumer group", list.len())
                }
                (_, Some(&broken)) => format!("has whole numbers, not {}", plain(broken)),
                _ if list.iter().all(|&entry| entry == 0.0) => "is 0 for every consumer group".to_owned(),
                _ => continue,
            };
            self.add(id, &part, Code::BadVector, words);
        }
    }
}
