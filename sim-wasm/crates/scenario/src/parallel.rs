//! From the knobs of a parallel query to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::config::{at_host, kind_config};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::parallel::{ParallelConfig, ParallelQuery, TableQueue};

/// Whether the transactions of an instance are parallel queries.
pub(crate) fn is_parallel(scenario: &Scenario, instance: usize) -> bool {
    scenario.instance_value("workload", instance).as_word() == "parallel_query"
}

/// Whether slaves of its coordinators are on other instances, too.
pub(crate) fn is_spread(scenario: &Scenario, instance: usize) -> bool {
    is_parallel(scenario, instance) && scenario.instance_value("parallel_instances", instance).as_word() == "all"
}

/// Processes that a coordinator of an instance has with its slaves.
pub(crate) fn processes_of_query(scenario: &Scenario, instance: usize) -> f64 {
    if !is_parallel(scenario, instance) {
        return 1.0;
    }
    let has_second = scenario.instance_value("table_queue", instance).as_word() != "coordinator";
    let sets = if has_second { 2.0 } else { 1.0 };
    1.0 + sets * scenario.instance_value("parallel_degree", instance).as_number()
}

fn query(scenario: &Scenario, instance: usize) -> ParallelQuery {
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let (bytes, message) = (number("parallel_execution_message_size"), number("px_message_us"));
    ParallelQuery {
        degree: number("parallel_degree") as u32,
        is_spread: is_spread(scenario, instance),
        rows: number("px_rows") as u64,
        rows_of_message: (bytes / number("px_row_bytes")).max(1.0) as u32,
        message_bytes: bytes as u32,
        buffers: number("px_channel_buffers") as u32,
        granules: number("granules_per_slave") as u32,
        is_pushed_down: word("pushdown") == "yes",
        table_queue: match word("table_queue") {
            "hash" => TableQueue::Hash,
            "broadcast" => TableQueue::Broadcast,
            _ => TableQueue::Coordinator,
        },
        local: Ns::from_us(message),
        remote: Ns::from_us(message * number("px_remote_cost")),
        scan: number("px_scan_row_ns"),
        join: number("px_join_row_ns"),
        take: number("px_take_row_ns"),
    }
}

/// Parallel queries of an instance, and slaves for them.
pub(crate) fn parallel(scenario: &Scenario, instance: usize) -> Option<Box<ParallelConfig>> {
    let node = scenario.instances[instance - 1].node;
    is_parallel(scenario, instance).then(|| {
        let part = Scope { instance: Some(instance), ..at_host(ProcessKind::SLAVE, node) };
        Box::new(ParallelConfig { kind: kind_config(scenario, part), query: query(scenario, instance) })
    })
}

/// About how long an execution takes on idle hosts \[s\]: what the slower of slaves and coordinator has to do.
pub(crate) fn about_s(scenario: &Scenario, instance: usize) -> f64 {
    let of = query(scenario, instance);
    let (rows, degree) = (of.rows as f64, f64::from(of.degree));
    let cost = if of.is_spread { of.remote } else { of.local }.0 as f64;
    let messages = (rows / f64::from(of.rows_of_message)).ceil();
    let (sends, joins) = match of.table_queue {
        TableQueue::Coordinator if of.is_pushed_down => (1.0, 0.0),
        TableQueue::Coordinator => (messages / degree, 0.0),
        TableQueue::Hash => (messages / degree, rows / degree),
        TableQueue::Broadcast => (messages, rows),
    };
    let scans = rows / degree * of.scan + sends * cost;
    let joined = if joins > 0.0 { joins * of.join + sends * cost } else { 0.0 };
    let takes = if of.is_pushed_down { degree * cost } else { messages * cost + rows * of.take };
    (scans.max(joined).max(takes) + 2.0 * degree * cost).max(1000.0) * 1e-9
}
