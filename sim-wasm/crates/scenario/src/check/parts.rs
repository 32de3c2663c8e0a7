//! Control groups and memory of an instance.

use super::Report;
use crate::number::plain;
use crate::problem::Code;

/// Shortest quota of `cpu.max` \[ms\]: the kernel refuses less.
const LEAST_QUOTA_MS: f64 = 1.0;

impl Report<'_> {
    /// A control group of its own.
    pub(super) fn control_group(&mut self, instance: usize) {
        let scenario = self.scenario;
        let part = self.instance_part(instance);
        let number = |id| scenario.instance_value(id, instance).as_number();
        self.cpu_max(["cpu_max_quota_ms", "cpu_max_burst_ms"], number, |_, _| part.clone());
        let node = scenario.instances[instance - 1].node;
        let scheduler = scenario.node_value("os_scheduler", node).as_word();
        let is_own = scenario.instance_value("cgroup", instance).as_word() == "own";
        if is_own && !matches!(scheduler, "CFS" | "EEVDF") {
            let words = format!("is own, which only CFS and EEVDF know; os_scheduler is {scheduler}");
            self.add("cgroup", &part, Code::Conflict, words);
        }
    }

    /// A quota and a burst that the kernel takes.
    pub(super) fn cpu_max(
        &mut self,
        knobs: [&'static str; 2],
        number: impl Fn(&'static str) -> f64,
        part: impl Fn(&Self, &str) -> String,
    ) {
        let [quota, burst] = knobs.map(number);
        let [least, said, more] = [LEAST_QUOTA_MS, quota, burst].map(plain);
        if quota > 0.0 && quota < LEAST_QUOTA_MS {
            let words = format!("is 0 for no limit, or at least {least} ms, not {said}");
            self.add(knobs[0], &part(self, knobs[0]), Code::OutOfRange, words);
        }
        if quota > 0.0 && burst > quota {
            let words = format!("is {more}, more than the quota of {said} ms");
            self.add(knobs[1], &part(self, knobs[1]), Code::Conflict, words);
        }
    }

    /// Memory on one socket.
    pub(super) fn memory(&mut self, instance: usize) {
        let scenario = self.scenario;
        let is_bound = scenario.instance_value("numa_memory", instance).as_word() == "bound";
        let socket = scenario.instance_value("numa_socket", instance).as_number();
        let sockets = scenario.node_value("sockets", scenario.instances[instance - 1].node).as_number();
        if is_bound && socket >= sockets {
            let part = self.instance_part(instance);
            let words = match sockets {
                1.0 => "only socket 0".to_owned(),
                _ => format!("sockets 0 to {}", plain(sockets - 1.0)),
            };
            let words = format!("is {}; the host has {words}", plain(socket));
            self.add("numa_socket", &part, Code::OutOfRange, words);
        }
    }
}
