//! What redo, cache and writers need of one another.

use super::Report;
use crate::database::blocks;
use crate::number::plain;
use crate::problem::Code;

impl Report<'_> {
    /// Of an instance whose transactions change blocks.
    pub(super) fn database(&mut self, instance: usize) {
        let scenario = self.scenario;
        let word = |id| scenario.instance_value(id, instance).as_word();
        let number = |id| scenario.instance_value(id, instance).as_number();
        if word("workload") != "oltp" {
            return;
        }
        let part = self.instance_part(instance);
        if word("arrivals") == "messages" {
            let words = "= oltp takes arrivals closed or open: processes that send messages have no transactions";
            self.add("workload", &part, Code::Conflict, words.to_owned());
        }
        let (writers, sets) = (number("db_writer_processes"), number("cache_sets"));
        if writers > sets {
            let (writers, sets) = (plain(writers), plain(sets));
            let words = format!("= {writers} is more than cache_sets = {sets}: a writer without a set writes nothing");
            self.add("db_writer_processes", &part, Code::Conflict, words);
        }
        let (hot, blocks) = (number("hot_buffers"), f64::from(blocks(number("db_cache_mb"))));
        if blocks - hot < sets {
            let [hot, blocks, sets] = [hot, blocks, sets].map(plain);
            let words = format!(
                "= {hot} leaves fewer than one of the {blocks} buffers of db_cache_mb for each of {sets} cache_sets"
            );
            self.add("hot_buffers", &part, Code::Conflict, words);
        }
    }
}
