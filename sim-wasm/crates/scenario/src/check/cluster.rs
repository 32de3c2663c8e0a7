//! What joins instances, and what that needs.

use super::Report;
use crate::cluster::{cannot_leave, is_member};
use crate::parallel::is_parallel;
use crate::problem::Code;

impl Report<'_> {
    /// A cluster has two instances or more of one workload, each on a host of its own.
    pub(super) fn cluster(&mut self) {
        let scenario = self.scenario;
        let word = scenario.run_word("interconnect");
        if word == "none" {
            if scenario.is_resized() {
                let words = format!("= {}: no interconnect joins its hosts", scenario.nodes);
                self.add("cluster_nodes", "", Code::Conflict, words);
            }
            return;
        }
        let all = || 1..=scenario.instances.len();
        let caches: Vec<usize> = all().filter(|&n| is_member(scenario, n)).collect();
        let queries: Vec<usize> = all().filter(|&n| is_parallel(scenario, n)).collect();
        if caches.len() == 1 || caches.is_empty() && queries.len() < 2 {
            let (workload, count) = match caches.len() == 1 || queries.is_empty() {
                true => ("oltp or select", caches.len()),
                false => ("parallel_query", queries.len()),
            };
            let words = format!(
                "= {word} joins two instances or more with workload = {workload}; there {}",
                if count == 0 { "is none" } else { "is one" }
            );
            self.add("interconnect", "", Code::Conflict, words);
        }
        let of = |id: &str| scenario.run_number(id);
        let (misscount, heartbeat) = (of("css_misscount_s"), of("css_heartbeat_s"));
        if scenario.run_word("css_heartbeats") != "off" && misscount < 3.0 * heartbeat {
            let words = "is less than three times css_heartbeat_s: a node would be evicted for a heartbeat or two";
            self.add("css_misscount_s", "", Code::Conflict, words.to_owned());
        }
        if scenario.run_word("css_heartbeats") == "on" && all().any(|n| cannot_leave(scenario, n)) {
            let words = "= on: nobody takes over the locks of a sequence or the work of slaves; set \
                sequence_values_per_transaction to 0, and run no parallel queries";
            self.add("css_heartbeats", "", Code::Conflict, words.to_owned());
        }
        for members in [caches, queries] {
            let host = |n: usize| scenario.instances[n - 1].node;
            let twice = members.iter().find(|&&n| members.iter().any(|&other| other < n && host(other) == host(n)));
            if let Some(&n) = twice {
                let words = format!("= {word} joins instances on hosts of their own; host {} has two", host(n));
                self.add("interconnect", "", Code::Conflict, words);
            }
        }
    }
}
