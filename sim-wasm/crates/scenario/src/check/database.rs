//! What redo, cache and writers need of one another.

use super::Report;
use crate::address::{Address, Scope};
use crate::database::blocks;
use crate::knob::find;
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
        // Nobody asked for more than there are sets where the number follows that of CPUs.
        if writers > sets && self.is_said(instance, "db_writer_processes") {
            let (writers, sets) = (plain(writers), plain(sets));
            let words = format!("= {writers} is more than cache_sets = {sets}: a writer without a set writes nothing");
            self.add("db_writer_processes", &part, Code::Conflict, words);
        }
        let is_contended = number("contended_blocks") > number("hot_buffers");
        let staying = if is_contended { "contended_blocks" } else { "hot_buffers" };
        let (hot, blocks) = (number(staying), f64::from(blocks(number("db_cache_mb"))));
        if blocks - hot < sets {
            let [hot, blocks, sets] = [hot, blocks, sets].map(plain);
            let words = format!(
                "= {hot} leaves fewer than one of the {blocks} buffers of db_cache_mb for each of {sets} cache_sets"
            );
            self.add(staying, &part, Code::Conflict, words);
        }
    }

    /// Whether anything is said of a knob of an instance.
    fn is_said(&self, instance: usize, id: &str) -> bool {
        let scope = Scope { instance: Some(instance), ..Scope::ALL };
        find(id).is_some_and(|knob| self.scenario.spoken(Address { knob, scope }).is_some())
    }
}
