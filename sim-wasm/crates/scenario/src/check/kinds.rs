//! Classes, priorities and masks of processes.

use super::Report;
use crate::address::{Address, ProcessKind, Scope};
use crate::cpus::CpuList;
use crate::knob::find;
use crate::number::plain;
use crate::problem::Code;
use crate::scenario::Scenario;

/// Classes of a scheduler, and the priorities that act in each.
fn classes(scheduler: &str) -> &'static [(&'static str, Option<(f64, f64)>)] {
    match scheduler {
        "CFS" | "EEVDF" => &[("TS", None), ("FIFO", Some((1.0, 99.0))), ("RR", Some((1.0, 99.0))), ("BATCH", None)],
        "O1" => &[("TS", None), ("FIFO", Some((1.0, 99.0))), ("RR", Some((1.0, 99.0)))],
        "AIX" => &[("TS", None), ("FX", Some((40.0, 127.0))), ("FIFO", Some((1.0, 39.0))), ("RR", Some((1.0, 39.0)))],
        "Solaris" => &[("TS", None), ("IA", None), ("FX", Some((0.0, 60.0))), ("RT", Some((0.0, 59.0)))],
        _ => &[("TS", None)],
    }
}

/// Whether each thread has a queue of its own, so that where a process runs is a question.
pub(super) fn has_queue_per_thread(scheduler: &str) -> bool {
    !matches!(scheduler, "round_robin" | "fifo" | "processor_sharing")
}

pub(super) fn sessions_of(instance: usize) -> Scope {
    Scope { instance: Some(instance), ..Scope::kind(ProcessKind::SESSION) }
}

/// Threads that the sessions of an instance can use: those of their kind and, where it is hard, of the instance.
pub(super) fn usable(scenario: &Scenario, instance: usize, node: usize) -> usize {
    let host = scenario.threads(node) as u32;
    let allowed = scenario.kind_value("cpus_allowed", sessions_of(instance)).as_cpus().threads(host);
    if scenario.instance_value("affinity", instance).as_word() != "hard" {
        return allowed.len();
    }
    in_both(&scenario.instance_value("affinity_cpus", instance).as_cpus().threads(host), &allowed)
}

/// Threads that two ascending lists have in common: of a host that is refused for its size there may be tens of
/// thousands.
fn in_both(some: &[u16], others: &[u16]) -> usize {
    some.iter().filter(|thread| others.binary_search(thread).is_ok()).count()
}

impl Report<'_> {
    /// The parts of a host that have processes of a kind.
    fn present(&self, node: usize) -> Vec<Scope> {
        let parts = ProcessKind::all().flat_map(|kind| self.scenario.parts_of(kind, Some(node)));
        parts.filter(|&part| self.scenario.is_present(part)).collect()
    }

    /// The end of a path: the kind, and the instance or host where something was said of less than all of the kind.
    fn kind_part(&self, id: &str, part: Scope) -> String {
        let all = Scope { kind: part.kind, ..Scope::ALL };
        let Some(knob) = find(id) else { return String::new() };
        let said = self.scenario.spoken(Address { knob, scope: part }).map_or(Scope::ALL, |(scope, _)| scope);
        let scope = if said.covers(all) { all } else { self.scenario.shortest(knob, part) };
        scope.suffix()
    }

    /// Classes that the scheduler has, and priorities that the class has.
    pub(super) fn classes(&mut self, node: usize) {
        let scheduler = self.scenario.node_value("os_scheduler", node).as_word();
        let known = classes(scheduler);
        for scope in self.present(node) {
            let class = self.scenario.kind_value("class", scope).as_word();
            let priority = self.scenario.kind_value("priority", scope).as_number();
            match known.iter().find(|(word, _)| *word == class) {
                None => {
                    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
                    let words = format!("is {class}, which {scheduler} does not have; it has {}", words.join(", "));
                    let part = self.kind_part("class", scope);
                    self.add("class", &part, Code::Conflict, words);
                }
                Some((_, Some((least, most)))) if !(*least..=*most).contains(&priority) => {
                    let [least, most, priority] = [*least, *most, priority].map(plain);
                    let words =
                        format!("lies between {least} and {most} in class {class} of {scheduler}, not {priority}");
                    let part = self.kind_part("priority", scope);
                    self.add("priority", &part, Code::Conflict, words);
                }
                Some(_) => {}
            }
        }
    }

    /// What real-time processes may use of a period.
    pub(super) fn real_time(&mut self, node: usize) {
        let number = |id| self.scenario.node_value(id, node).as_number();
        let (runtime, period) = (number("sched_rt_runtime_us"), number("sched_rt_period_us"));
        if runtime > period {
            let part = self.node_part(node);
            let (runtime, period) = (plain(runtime), plain(period));
            let words = format!(
                "is {runtime} µs of a sched_rt_period_us of {period}; \
                there is no more than all of it"
            );
            self.add("sched_rt_runtime_us", &part, Code::Conflict, words);
        }
    }

    /// Control groups of process kinds: where the scheduler has them, with a quota that the kernel takes.
    pub(super) fn kind_groups(&mut self, node: usize) {
        let scheduler = self.scenario.node_value("os_scheduler", node).as_word();
        for scope in self.present(node) {
            let number = |id| self.scenario.kind_value(id, scope).as_number();
            let weight = number("kind_cpu_weight");
            if weight > 0.0 && !matches!(scheduler, "CFS" | "EEVDF") {
                let weight = plain(weight);
                let words =
                    format!("is {weight}, a control group, which only CFS and EEVDF know; os_scheduler is {scheduler}");
                let part = self.kind_part("kind_cpu_weight", scope);
                self.add("kind_cpu_weight", &part, Code::Conflict, words);
            }
            let knobs = ["kind_cpu_max_quota_ms", "kind_cpu_max_burst_ms"];
            self.cpu_max(knobs, number, |report, id| report.kind_part(id, scope));
        }
    }

    /// Masks of process kinds: threads that are there.
    pub(super) fn allowed(&mut self, node: usize) {
        for scope in self.present(node) {
            let list = self.scenario.kind_value("cpus_allowed", scope).as_cpus();
            let part = self.kind_part("cpus_allowed", scope);
            self.threads_exist("cpus_allowed", &part, &list, node);
        }
    }

    /// Affinity of an instance: threads that are there, and something left of them; soft where the patch has it.
    pub(super) fn affinity(&mut self, instance: usize) {
        let scenario = self.scenario;
        let affinity = scenario.instance_value("affinity", instance).as_word();
        if affinity == "none" {
            return;
        }
        let node = scenario.instances[instance - 1].node;
        let part = self.instance_part(instance);
        let list = scenario.instance_value("affinity_cpus", instance).as_cpus();
        let is_there = self.threads_exist("affinity_cpus", &part, &list, node);
        let host = scenario.threads(node) as u32;
        let sessions = sessions_of(instance);
        let allowed = scenario.kind_value("cpus_allowed", sessions).as_cpus();
        let is_known = allowed.last().is_none_or(|last| last < host);
        let common = in_both(&list.threads(host), &allowed.threads(host));
        if is_there && is_known && common == 0 {
            let other = self.kind_part("cpus_allowed", sessions);
            let words =
                format!("is {} and cpus_allowed{other} is {}: no thread is in both", list.to_text(), allowed.to_text());
            self.add("affinity_cpus", &part, Code::Conflict, words);
        }
        let scheduler = scenario.node_value("os_scheduler", node).as_word();
        if affinity == "soft" && has_queue_per_thread(scheduler) && !matches!(scheduler, "CFS" | "EEVDF") {
            let words = format!("is soft, which only CFS and EEVDF know; os_scheduler is {scheduler}");
            self.add("affinity", &part, Code::Conflict, words);
        }
    }

    /// One queue for the host hands the next process to the next free thread, whichever that is.
    pub(super) fn one_queue(&mut self, node: usize) {
        let scenario = self.scenario;
        let scheduler = scenario.node_value("os_scheduler", node).as_word();
        if has_queue_per_thread(scheduler) {
            return;
        }
        for instance in scenario.instances_on(node) {
            let affinity = scenario.instance_value("affinity", instance).as_word();
            if affinity != "none" {
                let part = self.instance_part(instance);
                let words = format!("is {affinity}; {scheduler} has one queue for all threads and takes none");
                self.add("affinity", &part, Code::Conflict, words);
            }
        }
        for scope in self.present(node) {
            let list = scenario.kind_value("cpus_allowed", scope).as_cpus();
            if !list.is_all() {
                let words = format!("is {}; {scheduler} has one queue for all threads: write all", list.to_text());
                let part = self.kind_part("cpus_allowed", scope);
                self.add("cpus_allowed", &part, Code::Conflict, words);
            }
        }
    }

    /// Whether a host has all the threads of a list; says so where it has not.
    fn threads_exist(&mut self, knob: &str, part: &str, list: &CpuList, node: usize) -> bool {
        let host = self.scenario.threads(node) as u32;
        let Some(last) = list.last().filter(|&last| last >= host) else { return true };
        let name = if self.scenario.nodes == 1 { "the host".to_owned() } else { format!("host {node}") };
        let words = match host {
            1 => format!("names thread {last}; {name} has only thread 0"),
            _ => format!("names thread {last}; {name} has threads 0 to {}", host.saturating_sub(1)),
        };
        self.add(knob, part, Code::OutOfRange, words);
        false
    }
}
