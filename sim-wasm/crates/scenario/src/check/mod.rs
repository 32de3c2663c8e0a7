//! Rules that join several knobs. The ranges of single knobs are in the table.

mod cluster;
mod consumers;
mod database;
mod kinds;
mod parallel;
mod parts;
mod sequence;

use crate::address::ProcessKind;
use crate::config::{ends, instance_group, is_batch, kind_group, node_config, vector};
use crate::number::{hundredths, plain};
use crate::parallel::{about_s, is_parallel, processes_of_query};
use crate::problem::{Code, Problems};
use crate::scenario::Scenario;
use crate::select::{execution, Execution};
use crate::value::Value;
use wwi_model::config as model;

/// Hardware threads the model holds.
const MAX_THREADS: f64 = 1024.0;
/// Last-level caches of a host that the model holds.
const MAX_CACHES: f64 = 64.0;
/// Sessions the model holds, all instances together; and of processes that send one another messages or rows, between
/// any two of which there may be a channel.
const MAX_SESSIONS: f64 = 100_000.0;
const MAX_IN_TOUCH: f64 = 10_000.0;
/// CPU demand of a transaction \[s\]: smallest and largest mean.
const DEMAND_S: (f64, f64) = (1e-6, 60.0);

/// So much CPU is not between these, in the unit that shows it.
fn off_limits(demand_s: f64, each: &str) -> String {
    let (scale, unit) = if demand_s < DEMAND_S.0 { (1e6, "µs") } else { (1.0, "s") };
    let shown = (demand_s * scale * 1e6).round() / 1e6;
    format!("{} {unit} of CPU {each}; it lies between 1 µs and {} s", plain(shown), plain(DEMAND_S.1))
}

/// Reports everything that does not fit together; `prefix` stands before each path.
pub(crate) fn check(scenario: &Scenario, prefix: &str, problems: &mut Problems) {
    let mut report = Report { scenario, prefix, problems };
    report.threads();
    report.load();
    for node in 1..=scenario.nodes {
        report.caches(node);
        report.smt_yield(node);
        report.turbo_table(node);
        report.idle_states(node);
    }
    report.sessions();
    report.cluster();
    report.sequence();
    for instance in 1..=scenario.instances.len() {
        report.demand(instance);
        report.groups(instance);
        report.affinity(instance);
        report.control_group(instance);
        report.memory(instance);
        report.database(instance);
    }
    for node in 1..=scenario.nodes {
        report.classes(node);
        report.kind_groups(node);
        report.real_time(node);
        report.allowed(node);
        report.open_load(node);
        report.one_queue(node);
        report.processor_sharing(node);
    }
}

/// Work a core does with all its threads busy, against one thread alone.
pub(crate) fn full_yield(scenario: &Scenario, node: usize) -> f64 {
    yields(scenario, node).last().copied().unwrap_or(1.0)
}

/// Work of a core with 1, 2, … threads busy. A single number y for T threads: each further thread adds less, the k-th
/// after the first a part of y − 1 that falls as 1 / k^1.5, and no more than one alone does, which is within 0.1 of
/// what is published of four threads of POWER7 and eight of POWER8. Below 1 it is a straight line. Of a list the first
/// T entries act; threads beyond its end add nothing.
pub(crate) fn yields(scenario: &Scenario, node: usize) -> Vec<f64> {
    let threads = scenario.node_value("threads_per_core", node).as_number().max(1.0);
    match scenario.node_value("smt_yield", node) {
        Value::Vector(mut entries) if entries.len() > 1 => {
            let last = entries[entries.len() - 1];
            entries.resize(threads as usize, last);
            entries
        }
        _ if threads == 1.0 => vec![1.0],
        value => concave(value.as_number(), threads as usize),
    }
}

fn concave(last: f64, threads: usize) -> Vec<f64> {
    let more = last - 1.0;
    let adds = |part: f64, k: usize| (part / (k as f64 * (k as f64).sqrt())).min(1.0);
    // The part that makes them what they are together, by halving.
    let (mut low, mut high) = (0.0, (threads as f64).powi(2));
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let is_less = (1..threads).map(|k| adds(middle, k)).sum::<f64>() < more;
        (low, high) = if is_less { (middle, high) } else { (low, middle) };
    }
    let mut sum = 1.0;
    let steps = (1..threads).map(|k| {
        sum += if more < 0.0 { more / (threads - 1) as f64 } else { adds(high, k) };
        sum
    });
    let mut yields: Vec<f64> = [1.0].into_iter().chain(steps).collect();
    yields[threads - 1] = last;
    yields
}

/// Mean CPU demand of a transaction whose logical reads are those of a knob \[s\].
pub(crate) fn class_demand_s(scenario: &Scenario, instance: usize, reads: &'static str) -> f64 {
    let number = |id| scenario.instance_value(id, instance).as_number();
    number(reads) * number("lio_us") * 1e-6
}

/// The same of a transaction that is no query \[s\].
pub(crate) fn demand_s(scenario: &Scenario, instance: usize) -> f64 {
    if is_parallel(scenario, instance) {
        return about_s(scenario, instance);
    }
    if is_batch(scenario, instance) {
        return scenario.instance_value("batch_work_s", instance).as_number();
    }
    let read = || class_demand_s(scenario, instance, "lio_per_transaction");
    execution(scenario, instance).map_or_else(read, Execution::demand_s)
}

/// Transactions of a call that comes by itself.
fn per_call(scenario: &Scenario, instance: usize) -> f64 {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let is_oltp = scenario.instance_value("workload", instance).as_word() == "oltp";
    match is_oltp && number("calls_per_transaction") <= 1.0 && query_share(scenario, instance) <= 0.0 {
        true => number("commits_per_call"),
        false => 1.0,
    }
}

/// Share of the transactions that are queries.
fn query_share(scenario: &Scenario, instance: usize) -> f64 {
    match scenario.instance_value("workload", instance).as_word() {
        "oltp" => scenario.instance_value("query_percent", instance).as_number() / 100.0,
        _ => 0.0,
    }
}

struct Report<'a> {
    scenario: &'a Scenario,
    prefix: &'a str,
    problems: &'a mut Problems,
}

impl Report<'_> {
    fn add(&mut self, knob: &str, part: &str, code: Code, words: String) {
        let path = format!("{}{knob}{part}", self.prefix);
        let message = format!("{path} {words}");
        self.problems.add(&path, code, message);
    }
    fn node_part(&self, node: usize) -> String {
        if self.scenario.nodes == 1 {
            String::new()
        } else {
            format!("@node{node}")
        }
    }
    fn instance_part(&self, instance: usize) -> String {
        if self.scenario.instances.len() == 1 {
            String::new()
        } else {
            format!("@instance{instance}")
        }
    }

    fn threads(&mut self) {
        let threads: f64 = (1..=self.scenario.nodes).map(|node| self.scenario.threads(node)).sum();
        if threads > MAX_THREADS {
            let words = format!(
                "makes {} hardware threads together with sockets and threads_per_core; the model holds {}",
                plain(threads),
                plain(MAX_THREADS)
            );
            self.add("cores_per_socket", "", Code::TooMany, words);
        }
    }

    /// Caches are alike: each is shared by as many cores.
    fn caches(&mut self, node: usize) {
        let number = |id| self.scenario.node_value(id, node).as_number();
        let (said, cores) = (number("cores_per_llc"), number("cores_per_socket"));
        let caches = number("sockets") * if said == 0.0 { 1.0 } else { cores / said };
        let words = if said > 0.0 && (cores / said).fract() != 0.0 {
            ["is no divisor of cores_per_socket = ", &plain(cores)].concat()
        } else if caches > MAX_CACHES {
            ["makes ", &plain(caches), " last-level caches; the model holds ", &plain(MAX_CACHES)].concat()
        } else {
            return;
        };
        let part = self.node_part(node);
        self.add("cores_per_llc", &part, Code::OutOfRange, words);
    }

    /// Somebody must have something to do.
    fn load(&mut self) {
        let scenario = self.scenario;
        if (1..=scenario.nodes).any(|node| ProcessKind::all().any(|kind| scenario.has_kind(kind, node))) {
            return;
        }
        let words = "is 0, and there is no server (service_per_s) and no background load (background_processes): \
                     nothing would run";
        self.add("sessions", "", Code::Missing, words.to_owned());
    }

    fn smt_yield(&mut self, node: usize) {
        let Value::Vector(said) = self.scenario.node_value("smt_yield", node) else { return };
        let part = self.node_part(node);
        // All of a list, also what acts with more threads only.
        let yields = if said.len() > 1 { said.clone() } else { yields(self.scenario, node) };
        if said.len() > 1 && said[0] != 1.0 {
            let words = format!("starts with 1, the work of one thread alone, not {}", plain(said[0]));
            self.add("smt_yield", &part, Code::BadVector, words);
        }
        if let Some(k) = (0..yields.len()).find(|&k| yields[k] > (k + 1) as f64) {
            let words = format!("says that {} threads do the work of {}", k + 1, plain(yields[k]));
            self.add("smt_yield", &part, Code::OutOfRange, words);
        }
    }

    /// More active cores never run faster.
    fn turbo_table(&mut self, node: usize) {
        let table = vector(self.scenario.node_value("turbo_table", node));
        let rise = (1..table.len()).find(|&k| table[k] > table[k - 1]);
        let is_own = self.scenario.node_value("cpu_type", node).as_word() == "custom";
        if let Some(k) = rise.filter(|_| is_own) {
            let (before, after) = (plain(table[k - 1]), plain(table[k]));
            let words = ["rises from ", &before, " to ", &after, "; with more cores active none runs faster"];
            let part = self.node_part(node);
            self.add("turbo_table", &part, Code::BadVector, words.concat());
        }
    }

    /// Exits and residencies come in pairs and never fall.
    fn idle_states(&mut self, node: usize) {
        let scenario = self.scenario;
        if scenario.node_value("idle_states", node).as_word() != "custom" {
            return;
        }
        let part = self.node_part(node);
        let list = |id| vector(scenario.node_value(id, node));
        let (exits, residencies) = (list("idle_exit_us"), list("idle_residency_us"));
        if exits.len() != residencies.len() {
            let words =
                ["has ", &plain(residencies.len() as f64), " states, idle_exit_us ", &plain(exits.len() as f64)];
            self.add("idle_residency_us", &part, Code::BadVector, words.concat());
        }
        for (id, list) in [("idle_exit_us", exits), ("idle_residency_us", residencies)] {
            if let Some(k) = (1..list.len()).find(|&k| list[k] < list[k - 1]) {
                let words = ["falls from ", &plain(list[k - 1]), " to ", &plain(list[k]), "; states get ever deeper"];
                self.add(id, &part, Code::BadVector, words.concat());
            }
        }
    }

    fn sessions(&mut self) {
        let scenario = self.scenario;
        let sessions: f64 = (1..=scenario.instances.len()).map(|instance| processes(scenario, instance)).sum();
        let is_messages = |instance| scenario.instance_value("arrivals", instance).as_word() == "messages";
        let all = 1..=scenario.instances.len();
        let are_in_touch = all.clone().any(|n| is_messages(n) || is_parallel(scenario, n));
        let most = if are_in_touch { MAX_IN_TOUCH } else { MAX_SESSIONS };
        if sessions <= most {
            return;
        }
        let (knob, words) = match () {
            () if all.clone().any(is_messages) => ("message_groups", "makes 2 × message_pairs processes each,"),
            () if all.clone().any(|n| is_parallel(scenario, n)) => ("parallel_degree", "makes, with sessions,"),
            () => ("sessions", "adds up to"),
        };
        let words = format!("{words} {} over all instances; the model holds {}", plain(sessions), plain(most));
        self.add(knob, "", Code::TooMany, words);
    }

    fn demand(&mut self, instance: usize) {
        if is_parallel(self.scenario, instance) {
            return self.parallel(instance);
        }
        if execution(self.scenario, instance).is_some() {
            return self.select(instance);
        }
        if is_batch(self.scenario, instance) {
            return self.batch(instance);
        }
        self.class_demand(instance, "lio_per_transaction");
        if query_share(self.scenario, instance) > 0.0 {
            self.class_demand(instance, "lio_per_query");
        }
    }

    /// Somebody has to end, and what is one piece of work has no statements and no commits in it.
    fn batch(&mut self, instance: usize) {
        let (scenario, part) = (self.scenario, self.instance_part(instance));
        if scenario.instance_value("sessions", instance).as_number() == 0.0 {
            let words = "is 0, and arrivals is batch: a batch has one session at least";
            self.add("sessions", &part, Code::Missing, words.to_owned());
        }
        if scenario.instance_value("workload", instance).as_word() == "oltp" {
            let words = "= oltp takes arrivals closed or open: the work of a batch has no transactions in it";
            self.add("workload", &part, Code::Conflict, words.to_owned());
        }
    }

    fn select(&mut self, instance: usize) {
        let part = self.instance_part(instance);
        let refused = match self.scenario.instance_value("arrivals", instance).as_word() {
            "messages" => "processes that send messages execute no statements",
            "batch" => "the work of a batch has no statements in it",
            _ => "",
        };
        if !refused.is_empty() {
            let words = ["= select takes arrivals closed or open: ", refused].concat();
            self.add("workload", &part, Code::Conflict, words);
        }
        let demand = demand_s(self.scenario, instance);
        if !(DEMAND_S.0..=DEMAND_S.1).contains(&demand) {
            let words = ["makes ", &off_limits(demand, "an execution")].concat();
            self.add("access_path", &part, Code::OutOfRange, words);
        }
    }

    fn class_demand(&mut self, instance: usize, knob: &'static str) {
        let demand = class_demand_s(self.scenario, instance, knob);
        if !(DEMAND_S.0..=DEMAND_S.1).contains(&demand) {
            let words = ["times lio_us makes ", &off_limits(demand, "a transaction")].concat();
            let part = self.instance_part(instance);
            self.add(knob, &part, Code::OutOfRange, words);
        }
    }

    /// Processor sharing is the limit of a vanishing quantum: nobody ever holds a slot.
    fn processor_sharing(&mut self, node: usize) {
        let scenario = self.scenario;
        if scenario.node_value("os_scheduler", node).as_word() != "processor_sharing" {
            return;
        }
        let has = |id, word| scenario.instances_on(node).any(|i| scenario.instance_value(id, i).as_word() == word);
        for (is_there, words) in [
            (has("resource_manager_plan", "default"), "knows no cage: set resource_manager_plan to none"),
            (has("workload", "oltp"), "has no log writer: set workload to logical_reads"),
            (has("workload", "parallel_query"), "knows no parallel query: set workload to logical_reads"),
            (has("arrivals", "batch"), "knows no sessions that end: set arrivals to closed or open"),
            (
                scenario.instances_on(node).any(|i| ends(scenario, i) && !is_batch(scenario, i)),
                "knows no sessions that end: set executions to 0",
            ),
            (has("arrivals", "messages"), "serves no messages: set arrivals to closed or open"),
            (scenario.has_kind(ProcessKind::SERVICE, node), "knows no server: set service_per_s to 0"),
        ] {
            if is_there {
                let part = self.node_part(node);
                self.add("os_scheduler", &part, Code::Conflict, format!("is processor_sharing, which {words}"));
            }
        }
    }

    /// Random arrivals that ask for more CPU than there is at the highest speed have no steady state. Of the others a
    /// run tells.
    fn open_load(&mut self, node: usize) {
        let scenario = self.scenario;
        let host = node_config(scenario, node);
        let capacity = scenario.cores(node) * full_yield(scenario, node) * host.fastest(host.threads());
        let mut offered = 0.0;
        let here: Vec<usize> = scenario
            .instances_on(node)
            .filter(|&instance| scenario.instance_value("arrivals", instance).as_word() == "open")
            .collect();
        for &instance in &here {
            let (per_s, queries) =
                (scenario.instance_value("arrivals_per_s", instance), query_share(scenario, instance));
            let demand = (1.0 - queries) * demand_s(scenario, instance)
                + queries * class_demand_s(scenario, instance, "lio_per_query");
            let own = per_s.as_number() * per_call(scenario, instance) * demand;
            offered += own;
            for (limit, busy, words) in limits(scenario, instance, node) {
                if own >= limit * host.fastest(busy as usize) {
                    let own = hundredths(own);
                    let words = format!("asks for {own} CPUs of work where {words}: the queue would grow for ever");
                    let part = self.instance_part(instance);
                    self.add("arrivals_per_s", &part, Code::Overloaded, words);
                }
            }
        }
        if !here.is_empty() && offered >= capacity {
            let (offered, capacity) = (hundredths(offered), hundredths(capacity));
            let words = format!(
                "asks for {offered} CPUs of work where the host does that of {capacity}: the queue would grow \
                    for ever"
            );
            self.add("arrivals_per_s", "", Code::Overloaded, words);
        }
    }
}

/// Processes that an instance has from the start.
fn processes(scenario: &Scenario, instance: usize) -> f64 {
    let number = |id| scenario.instance_value(id, instance).as_number();
    match scenario.instance_value("arrivals", instance).as_word() {
        "messages" => number("message_groups") * number("message_pairs") * 2.0,
        _ => number("sessions") * processes_of_query(scenario, instance),
    }
}

/// CPUs that an instance can use at most, threads that are busy while it does, and why.
fn limits(scenario: &Scenario, instance: usize, node: usize) -> Vec<(f64, f64, String)> {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let mut limits = Vec::new();
    if word("resource_manager_plan") == "default" {
        let slots = number("cpu_count");
        limits.push((slots, slots.min(scenario.threads(node)), format!("cpu_count is {}", plain(slots))));
    }
    let usable = kinds::usable(scenario, instance, node) as f64;
    if usable > 0.0 && usable < scenario.threads(node) {
        limits.push((usable, usable, format!("affinity leaves {} threads", plain(usable))));
    }
    let own = kind_group(scenario, kinds::sessions_of(instance)).or_else(|| instance_group(scenario, instance));
    if let Some(model::CgroupConfig { quota: Some(quota), period, .. }) = own {
        let cpus = quota.as_ms() / period.as_ms();
        // They may be used one by one.
        limits.push((cpus, 1.0, format!("cpu.max gives {} CPUs", hundredths(cpus))));
    }
    limits
}
