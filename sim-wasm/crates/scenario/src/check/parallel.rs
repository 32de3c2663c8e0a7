//! Parallel queries, and what they need.

use super::Report;
use crate::parallel::{is_parallel, is_spread};
use crate::problem::Code;

impl Report<'_> {
    /// Sessions coordinate queries, and slaves on other instances need a cluster.
    pub(super) fn parallel(&mut self, instance: usize) {
        let part = self.instance_part(instance);
        if self.scenario.instance_value("arrivals", instance).as_word() != "closed" {
            let words = "= parallel_query takes arrivals = closed: each session has slaves of its own";
            self.add("workload", &part, Code::Conflict, words.to_owned());
        }
        let scenario = self.scenario;
        let members = (1..=scenario.instances.len()).filter(|&n| is_parallel(scenario, n)).count();
        if is_spread(scenario, instance) && (scenario.run_word("interconnect") == "none" || members < 2) {
            let words =
                "= all needs a cluster: set interconnect, and workload = parallel_query on two instances or more";
            self.add("parallel_instances", &part, Code::Conflict, words.to_owned());
        }
    }
}
