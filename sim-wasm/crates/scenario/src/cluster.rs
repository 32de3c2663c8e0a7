//! From the knobs of a cluster to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::config::{at_host, kind_config};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::cluster::{ClusterConfig, Flush, InterconnectConfig, LmsConfig, MessageCosts};

/// Bytes of a message without a block, and of the header of one with it. Free: 200 to 500.
const MESSAGE_BYTES: u32 = 300;
/// Bytes of a block.
const BLOCK_BYTES: u32 = 8192;
/// Headers of IP and UDP in a packet \[bytes\].
const HEADERS: u32 = 28;
/// A request that lay longer in the queue of an LMS is called congested \[ms\].
const CONGESTED_MS: f64 = 1.0;
/// A block that has not come after this was lost \[ms\].
const RETRY_MS: f64 = 500.0;

fn is_joined(scenario: &Scenario) -> bool {
    scenario.run_word("interconnect") != "none"
}

/// Whether an instance is part of a cluster.
pub(crate) fn is_member(scenario: &Scenario, instance: usize) -> bool {
    is_joined(scenario) && scenario.instance_value("workload", instance).as_word() == "oltp"
}

/// The cluster of all instances with a database.
pub(crate) fn cluster(scenario: &Scenario) -> Option<ClusterConfig> {
    if !(1..=scenario.instances.len()).any(|instance| is_member(scenario, instance)) {
        return None;
    }
    let number = |id: &str| scenario.run_number(id);
    let us = |id: &str| Ns::from_us(number(id));
    let is_taken_apart = scenario.run_word("interconnect") != "InfiniBand";
    Some(ClusterConfig {
        interconnect: InterconnectConfig {
            latency: us("interconnect_latency_us"),
            bytes_per_s: number("interconnect_gbit_per_s") * 1e9 / 8.0,
            fragment_bytes: is_taken_apart.then(|| number("interconnect_mtu") as u32 - HEADERS),
            message_bytes: MESSAGE_BYTES,
            block_bytes: BLOCK_BYTES + MESSAGE_BYTES,
            lost: number("lost_block_percent") / 100.0,
        },
        costs: MessageCosts {
            request: us("gc_request_us"),
            message: us("gc_message_us"),
            forward: us("gc_forward_us"),
            build: us("gc_build_us"),
            serve: us("gc_serve_us"),
            send: us("gc_send_us"),
            fragment: us("gc_fragment_us"),
            receive: us("gc_receive_us"),
            granted: us("gc_granted_us"),
            wakeup: us("gc_wakeup_us"),
        },
        blocks: number("shared_blocks") as u32,
        fairness: number("fairness_threshold") as u32,
        congested: Ns::from_ms(CONGESTED_MS),
        retry: Ns::from_ms(RETRY_MS),
    })
}

/// The part of an instance in it.
pub(crate) fn lms(scenario: &Scenario, instance: usize) -> Option<Box<LmsConfig>> {
    if !is_member(scenario, instance) {
        return None;
    }
    let number = |id| scenario.instance_value(id, instance).as_number();
    let word = |id| scenario.instance_value(id, instance).as_word();
    let node = scenario.instances[instance - 1].node;
    Some(Box::new(LmsConfig {
        count: number("gcs_server_processes") as u32,
        poll: Ns::from_us(number("lms_poll_us")),
        kind: kind_config(scenario, Scope { instance: Some(instance), ..at_host(ProcessKind::LMS, node) }),
        flush: match word("gc_log_flush") {
            "given" => Flush::Given {
                share: number("gc_log_flush_percent") / 100.0,
                current: number("gc_log_flush_current_percent") / 100.0,
                takes: Ns::from_ms(number("gc_log_flush_ms")),
            },
            "never" => Flush::Never,
            _ => Flush::Dirty,
        },
        waits_for_flush: word("gc_log_flush_waits") == "yes",
        reads: number("shared_reads_per_transaction"),
        changes: number("shared_changes_per_transaction"),
    }))
}
