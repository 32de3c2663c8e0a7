//! From the knobs of a sequence to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::cluster::is_member;
use crate::config::{at_host, kind_config};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::sequence::{LockServers, SequenceConfig, Transfers};

/// Whether the transactions of an instance take values from a sequence.
pub(crate) fn takes_values(scenario: &Scenario, instance: usize) -> bool {
    scenario.instance_value("workload", instance).as_word() == "oltp"
        && scenario.instance_value("sequence_values_per_transaction", instance).as_number() > 0.0
}

/// The sequence, as an instance uses it.
pub(crate) fn sequence(scenario: &Scenario, instance: usize) -> Option<Box<SequenceConfig>> {
    if !takes_values(scenario, instance) {
        return None;
    }
    let number = |id: &str| scenario.run_number(id);
    let node = scenario.instances[instance - 1].node;
    let kind = |kind| kind_config(scenario, Scope { instance: Some(instance), ..at_host(kind, node) });
    Some(Box::new(SequenceConfig {
        values: scenario.instance_value("sequence_values_per_transaction", instance).as_number(),
        cache: (number("sequence_cache") as u32).max(1),
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
        servers: is_member(scenario, instance)
            .then(|| LockServers { lmd: kind(ProcessKind::LMD), lck0: kind(ProcessKind::LCK0) }),
    }))
}
