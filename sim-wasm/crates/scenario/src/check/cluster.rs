//! What joins instances, and what that needs.

use super::Report;
use crate::cluster::is_member;
use crate::problem::Code;

impl Report<'_> {
    /// A cluster has two instances or more, each on a host of its own.
    pub(super) fn cluster(&mut self) {
        let scenario = self.scenario;
        let word = scenario.run_word("interconnect");
        if word == "none" {
            return;
        }
        let members: Vec<usize> = (1..=scenario.instances.len()).filter(|&n| is_member(scenario, n)).collect();
        if members.len() < 2 {
            let words = format!(
                "= {word} joins two instances or more with workload = oltp; there {}",
                if members.is_empty() { "is none" } else { "is one" }
            );
            self.add("interconnect", "", Code::Conflict, words);
        }
        let host = |n: usize| scenario.instances[n - 1].node;
        let twice = members.iter().find(|&&n| members.iter().any(|&other| other < n && host(other) == host(n)));
        if let Some(&n) = twice {
            let words = format!("= {word} joins instances on hosts of their own; host {} has two", host(n));
            self.add("interconnect", "", Code::Conflict, words);
        }
    }
}
