//! From the knobs of a sequence to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::cluster::is_member;
use crate::config::{at_host, kind_config};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::sequence::{LockServers, SequenceConfig, Transfers};

fn values(scenario: &Scenario, instance: usize) -> f64 {
    scenario.instance_value("sequence_values_per_transaction", instance).as_number()
}

/// Whether the transactions of an instance take values from a sequence.
pub(crate) fn takes_values(scenario: &Scenario, instance: usize) -> bool {
    scenario.instance_value("workload", instance).as_word() == "oltp" && values(scenario, instance) > 0.0
}

/// The sequence, as an instance uses it. Where any member of a cluster takes values, all of them see to its locks.
pub(crate) fn sequence(scenario: &Scenario, instance: usize) -> Option<Box<SequenceConfig>> {
    let (takes, is_member) = (takes_values(scenario, instance), is_member(scenario, instance));
    let sees_to_locks = is_member && (1..=scenario.instances.len()).any(|other| takes_values(scenario, other));
    if !(takes || sees_to_locks) {
        return None;
    }
    let number = |id: &str| scenario.run_number(id);
    let node = scenario.instances[instance - 1].node;
    let kind = |kind| kind_config(scenario, Scope { instance: Some(instance), ..at_host(kind, node) });
    Some(Box::new(SequenceConfig {
        values: if takes { values(scenario, instance) } else { 0.0 },
        cache: (number("sequence_cache") as u32).max(1),
        index_rows: number("sequence_index_rows") as u32,
        is_ordered: scenario.run_word("sequence_order") == "ORDER",
        parse: Ns::from_us(number("seq_parse_us")),
        update: Ns::from_us(number("seq_update_us")),
        flush: Ns::from_s(number("sequence_flush_s")),
        transfers: match scenario.run_word("sequence_transfers") {
            "given" => Transfers::Given {
                lock: Ns::from_ms(number("lock_handover_ms")),
                cr: Ns::from_ms(number("seq_cr_ms")),
                current: Ns::from_ms(number("seq_current_ms")),
            },
            _ => Transfers::Messages,
        },
        servers: is_member.then(|| LockServers { lmd: kind(ProcessKind::LMD), lck0: kind(ProcessKind::LCK0) }),
    }))
}
