//! From the knobs of a cluster to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::config::{at_host, kind_config};
use crate::parallel::is_parallel;
use crate::scenario::Scenario;
use crate::sequence::takes_values;
use wwi_kernel::time::Ns;
use wwi_model::config::cluster::{ClusterConfig, CssConfig, Flush, InterconnectConfig, LmsConfig, MessageCosts};
use wwi_model::config::KindConfig;

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
/// CPU of a kernel thread to send a node's heartbeats, and to take one \[µs\]. Free: that of any message of an LMS.
const HEARTBEAT_US: f64 = 20.0;
/// `_lm_rcvr_hang_allow_time`, and how often LMHB looks \[s\].
const HANGS_S: (f64, f64) = (70.0, 20.0);

fn is_joined(scenario: &Scenario) -> bool {
    scenario.run_word("interconnect") != "none"
}

/// Whether an instance is part of a cluster.
pub(crate) fn is_member(scenario: &Scenario, instance: usize) -> bool {
    is_joined(scenario) && (is_oltp(scenario, instance) || reads_blocks(scenario, instance))
}

fn is_oltp(scenario: &Scenario, instance: usize) -> bool {
    scenario.instance_value("workload", instance).as_word() == "oltp"
}

/// Its sessions execute a SELECT.
fn reads_blocks(scenario: &Scenario, instance: usize) -> bool {
    let word = |id| scenario.instance_value(id, instance).as_word();
    word("workload") == "select" && word("arrivals") == "closed"
}

/// The cluster of all instances with a database.
pub(crate) fn cluster(scenario: &Scenario) -> Option<ClusterConfig> {
    let has_member = |instance| is_member(scenario, instance) || is_joined(scenario) && is_parallel(scenario, instance);
    if !(1..=scenario.instances.len()).any(has_member) {
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
            buffer_bytes: if is_taken_apart { number("receive_buffer_kb") as u32 * 1024 } else { u32::MAX },
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
        pin: us("gc_pin_us"),
        defer: Ns::from_ms(number("gc_defer_ms")),
        broadcasts: scenario.run_word("immediate_commit_propagation") == "on",
        fairness: number("fairness_threshold") as u32,
        congested: Ns::from_ms(CONGESTED_MS),
        retry: Ns::from_ms(RETRY_MS),
        css: css(scenario),
    })
}

/// Whether a host has processes that could keep its kernel threads or its LMS from running: in real time, where no
/// limit and no deadline server leaves others a turn, or where they come before an LMS that has part in the same
/// limit; or of a fixed priority, which no limit holds for. LMS alone have work for a CPU each at most: as many as it
/// has CPUs.
fn can_starve(scenario: &Scenario, node: usize) -> bool {
    let number = |id| scenario.node_value(id, node).as_number();
    let word = |id| scenario.node_value(id, node).as_word();
    let runtime = number("sched_rt_runtime_us");
    let has_runtime = runtime > 0.0 && runtime < number("sched_rt_period_us");
    let is_limited = match word("os_scheduler") {
        "EEVDF" => has_runtime || matches!(word("eevdf_generation"), "6.12" | "6.18"),
        scheduler => has_runtime && scheduler == "CFS",
    };
    let of = |id, part: Scope| scenario.kind_value(id, part);
    let is_real_time = |part: Scope| matches!(of("class", part).as_word(), "FIFO" | "RR" | "RT");
    let present = |kind| {
        scenario.parts_of(kind, Some(node)).into_iter().filter(|&part| scenario.is_present(part)).collect::<Vec<_>>()
    };
    let mut lms = present(ProcessKind::LMS);
    lms.retain(|&part| is_real_time(part));
    let servers =
        |part: &Scope| scenario.instance_value("gcs_server_processes", part.instance.unwrap_or(1)).as_number();
    let can_fill = !is_limited && lms.iter().map(servers).sum::<f64>() >= scenario.threads(node);
    let comes_first = |part: Scope| {
        let is_before = |&lms: &Scope| of("priority", part).as_number() >= of("priority", lms).as_number();
        of("class", part).as_word() == "FX" || is_real_time(part) && (!is_limited || lms.iter().any(is_before))
    };
    let mut others = ProcessKind::all().filter(|&kind| kind != ProcessKind::LMS);
    can_fill || others.any(|kind| present(kind).into_iter().any(comes_first))
}

/// Whether an instance has what nobody takes over from it: locks of a sequence, or work of slaves.
pub(crate) fn cannot_leave(scenario: &Scenario, instance: usize) -> bool {
    takes_values(scenario, instance) || is_parallel(scenario, instance)
}

/// Heartbeats, where they count.
fn css(scenario: &Scenario) -> Option<CssConfig> {
    let mut all = 1..=scenario.instances.len();
    let counts = match scenario.run_word("css_heartbeats") {
        "on" => true,
        "off" => false,
        _ if all.clone().any(|at| cannot_leave(scenario, at)) => false,
        _ => all.any(|at| is_member(scenario, at) && can_starve(scenario, scenario.instances[at - 1].node)),
    };
    let s = |id: &str| Ns::from_s(scenario.run_number(id));
    counts.then(|| CssConfig {
        misscount: s("css_misscount_s"),
        heartbeat: s("css_heartbeat_s"),
        work: Ns::from_us(HEARTBEAT_US),
        reconfiguration: s("reconfiguration_s"),
        hangs: Ns::from_s(HANGS_S.0),
        looks: Ns::from_s(HANGS_S.1),
    })
}

/// The kernel thread for the heartbeats of an instance's host.
pub(crate) fn heartbeat(scenario: &Scenario, instance: usize) -> Option<Box<KindConfig>> {
    let node = scenario.instances[instance - 1].node;
    let part = Scope { instance: Some(instance), ..at_host(ProcessKind::HEARTBEAT, node) };
    (is_member(scenario, instance) && css(scenario).is_some()).then(|| Box::new(kind_config(scenario, part)))
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
        light: number("gc_undo_uncached_percent") / 100.0,
        affinity: number("gc_affinity_percent") / 100.0,
        reads: if is_oltp(scenario, instance) { number("shared_reads_per_transaction") } else { 0.0 },
        changes: if is_oltp(scenario, instance) { number("shared_changes_per_transaction") } else { 0.0 },
    }))
}
