//! Instances on several hosts that share blocks: interconnect, global cache, LMS.

use super::conditions::{
    CHANGED_ANYWHERE, CLUSTER, FRAGMENTS, GIVEN_FLUSH, GRANTED, HEARTBEATS, INSERTED, JOINED, JOINS, LOSES, ON_WIRE,
    PINS, SHARED, SHARED_ANYWHERE, SHARED_CHANGES,
};
use super::{CHOICE, ESTIMATE};
use crate::knob::{
    Case,
    Group::Cluster,
    Knob,
    NameScope::{Instance as PerInstance, Run as PerRun},
};
use crate::when::When::{Above, All, Anywhere, Is};

const RAC: &str = "Oracle RAC: parameters and their defaults, 11.2 and 19c";
const LMS_PROCESSES: &str = "Oracle Database Reference 12.2, GCS_SERVER_PROCESSES";
const BROADCAST: &str = "Oracle, Broadcast-on-Commit over RDMA: the traditional protocol";
const MYTHS: &str = "Shamsudeen 2009, Battle of the nodes: RAC performance myths";
const CSS: &str = "Oracle Clusterware: css misscount 30 s, network heartbeats each second";
const RMEM: &str = "Oracle Database Installation Guide for Linux: net.core.rmem_default 262144";
const WIRE: &str = "IEEE 802.3; InfiniBand QDR: 32 Gbit/s of data";
const UDP: &str = "8,192 bytes of a block and 300 of header, in IP fragments of MTU less 28 bytes";

const fn above(cpus: f64, value: &'static str) -> Case {
    Case { when: Above("cpu_count", cpus), value }
}

/// Hot blocks are leaves of an index.
const INDEX: &[Case] = &[Case { when: All(&[Above("sequence_index_rows", 0.0), Anywhere(&INSERTED)]), value: "3" }];

/// 1 to 3 CPUs 1, 4 to 15 two, from 16 on 2 + CPUs / 32.
const LMS: &[Case] = &[
    above(255.0, "10"),
    above(223.0, "9"),
    above(191.0, "8"),
    above(159.0, "7"),
    above(127.0, "6"),
    above(95.0, "5"),
    above(63.0, "4"),
    above(31.0, "3"),
    above(3.0, "2"),
];

const fn of(interconnect: &'static [&'static str], value: &'static str) -> Case {
    Case { when: Is("interconnect", interconnect), value }
}

/// CPU of messages, in microseconds.
const fn cost(id: &'static str, us: f64, help: &'static str) -> Knob {
    Knob::number(id, PerRun, Cluster, "µs")
        .acts(CLUSTER)
        .range(0.0, 10_000.0, 1.0)
        .default(us)
        .free()
        .help(help, ESTIMATE)
}

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::choice("interconnect", PerRun, Cluster, &["none", "1GbE", "10GbE", "InfiniBand"])
        .acts(JOINS)
        .front()
        .said("interconnect {}")
        .help(
            "What joins the instances with workload oltp or select into a cluster, with a global cache, and those with \
            parallel_query. none: each is alone.",
            CHOICE,
        ),
    Knob::integer("cluster_nodes", PerRun, Cluster)
        .acts(JOINED)
        .range(1.0, 16.0, 1.0)
        .default(1.0)
        .front()
        .said("{} node|{} nodes")
        .help(
            "Nodes that the interconnect joins, with an instance each. One more than a preset has is as what is said \
            for all; fewer leave the last out.",
            CHOICE,
        ),
    Knob::integer("shared_blocks", PerRun, Cluster)
        .acts(SHARED)
        .range(0.0, 100_000.0, 1000.0)
        .default(10_000.0)
        .free()
        .said("{} shared block|{} shared blocks")
        .help("Blocks that all instances read and change, evenly. 0: none.", ESTIMATE),
    Knob::number("shared_reads_per_transaction", PerInstance, Cluster, "")
        .acts(SHARED)
        .range(0.0, 1000.0, 0.5)
        .default(4.0)
        .free()
        .help("Of these, blocks that a transaction reads as they were when it began.", ESTIMATE),
    Knob::number("shared_changes_per_transaction", PerInstance, Cluster, "")
        .acts(SHARED_CHANGES)
        .range(0.0, 1000.0, 0.5)
        .default(1.0)
        .free()
        .help("Of these, blocks that a transaction with redo changes, besides its other changes.", ESTIMATE),
    Knob::integer("gcs_server_processes", PerInstance, Cluster)
        .acts(CLUSTER)
        .range(1.0, 100.0, 1.0)
        .default_cases(LMS, "1")
        .front()
        .restart()
        .said("{} LMS")
        .help("LMS processes of an instance, which serve the global cache; up to 12.1 36 at most.", LMS_PROCESSES),
    Knob::number("lms_poll_us", PerInstance, Cluster, "µs")
        .acts(CLUSTER)
        .range(0.0, 100_000.0, 10.0)
        .free()
        .help("How long an LMS without messages looks for more before it sleeps.", ESTIMATE),
    Knob::choice("gc_log_flush", PerInstance, Cluster, &["dirty", "given", "never"]).acts(CLUSTER).help(
        "When redo has to be on disk before a block may leave the instance. dirty: where the block has changes whose \
            redo is not. given: by the two values below.",
        MYTHS,
    ),
    Knob::number("gc_log_flush_percent", PerInstance, Cluster, "%")
        .acts(GIVEN_FLUSH)
        .range(0.0, 100.0, 0.5)
        .default(5.0)
        .calibrated()
        .help("Share of the copies sent to other instances that wait for redo.", MYTHS),
    Knob::number("gc_log_flush_current_percent", PerInstance, Cluster, "%")
        .acts(GIVEN_FLUSH)
        .range(0.0, 100.0, 0.1)
        .default(0.1)
        .calibrated()
        .help("The same of blocks that are given away to be changed.", MYTHS),
    Knob::number("gc_log_flush_ms", PerInstance, Cluster, "ms")
        .acts(GIVEN_FLUSH)
        .range(0.0, 60_000.0, 1.0)
        .default(2.0)
        .free()
        .help("How long each of them waits.", MYTHS),
    Knob::choice("gc_log_flush_waits", PerInstance, Cluster, &["no", "yes"]).acts(CHANGED_ANYWHERE).help(
        "Whether an LMS waits for redo and does nothing else meanwhile. Oracle's goes on with other messages.",
        RAC,
    ),
    Knob::choice("immediate_commit_propagation", PerRun, Cluster, &["on", "off"]).acts(SHARED).help(
        "Whether a commit waits until all other instances know its SCN, which the log writer sends them while it \
            writes (_immediate_commit_propagation; from 10.2 on). off: they learn of it later, by other messages.",
        BROADCAST,
    ),
    Knob::number("gc_undo_uncached_percent", PerInstance, Cluster, "%")
        .acts(CHANGED_ANYWHERE)
        .range(0.0, 100.0, 0.5)
        .free()
        .help(
            "Share of the copies of blocks whose undo is not in the cache of the holder. An LMS reads nothing from \
            disk: it sends what it has, and the session that asked reads the undo and makes its copy (light works).",
            RAC,
        ),
    Knob::number("gc_affinity_percent", PerInstance, Cluster, "%")
        .acts(GRANTED)
        .range(0.0, 100.0, 1.0)
        .free()
        .help(
            "Share of the reads from disk that need no leave from another instance: of objects that dynamic \
            remastering has given to this one (object affinity), or that are mostly read. 0: nothing was remastered \
            (_gc_policy_time = 0); 100: each instance works on tables of its own, after ten minutes.",
            RAC,
        ),
    Knob::integer("fairness_threshold", PerRun, Cluster)
        .acts(CHANGED_ANYWHERE)
        .range(0.0, 250.0, 1.0)
        .default(2.0)
        .help(
            "Copies of a block that a holder builds for others before it gives its exclusive lock down to shared \
            (_fairness_threshold: 4 when it came with 8.1.5, 2 in 11.2 and 19c).",
            RAC,
        ),
    Knob::number("interconnect_latency_us", PerRun, Cluster, "µs")
        .acts(ON_WIRE)
        .range(0.0, 10_000.0, 1.0)
        .default_cases(&[of(&["10GbE"], "12"), of(&["InfiniBand"], "5")], "30")
        .free()
        .help(
            "From the last byte on the wire to the message at the other host: stacks and switch.",
            "Estimate; 10GbE takes 10 µs and more from end to end: Larsen 2007, breakdown of end-to-end latency",
        ),
    Knob::number("interconnect_gbit_per_s", PerRun, Cluster, "Gbit/s")
        .acts(ON_WIRE)
        .range(0.01, 400.0, 1.0)
        .log()
        .default_cases(&[of(&["10GbE"], "10"), of(&["InfiniBand"], "32")], "1")
        .help("Bandwidth of a host's port, each way.", WIRE),
    Knob::integer("interconnect_mtu", PerRun, Cluster)
        .acts(FRAGMENTS)
        .unit("B")
        .range(576.0, 9216.0, 1.0)
        .default(1500.0)
        .help(
            "Largest packet: what is larger goes in fragments that cost CPU on both sides. InfiniBand needs none.",
            UDP,
        ),
    Knob::integer("receive_buffer_kb", PerRun, Cluster)
        .acts(LOSES)
        .unit("KiB")
        .range(16.0, 65_536.0, 16.0)
        .log()
        .default(256.0)
        .help(
            "Receive buffer of an LMS (net.core.rmem_default), of which a message of 300 B takes 1,280. One that finds \
            it full is dropped, and sent again after 500 ms. InfiniBand drops none.",
            RMEM,
        ),
    Knob::number("lost_block_percent", PerRun, Cluster, "%")
        .acts(CLUSTER)
        .range(0.0, 50.0, 0.1)
        .help("Blocks that get lost on the interconnect; each is asked for again after 500 ms.", CHOICE),
    Knob::choice("css_heartbeats", PerRun, Cluster, &["auto", "on", "off"]).acts(CLUSTER).help(
        "Whether nodes send heartbeats, and one whose heartbeats do not come leaves. auto: where a node has real-time \
            processes that may use all of its CPU time. off: nobody ever leaves.",
        CHOICE,
    ),
    Knob::number("css_misscount_s", PerRun, Cluster, "s")
        .acts(HEARTBEATS)
        .range(1.0, 600.0, 1.0)
        .default(30.0)
        .help("After so long without heartbeats a node is evicted (css misscount).", CSS),
    Knob::number("css_heartbeat_s", PerRun, Cluster, "s")
        .acts(HEARTBEATS)
        .range(0.1, 60.0, 0.1)
        .default(1.0)
        .help("Time between the heartbeats of a node.", CSS),
    Knob::number("reconfiguration_s", PerRun, Cluster, "s")
        .acts(HEARTBEATS)
        .range(0.0, 600.0, 0.5)
        .default(5.0)
        .free()
        .help("How long nobody gets a block from another instance after one has left.", ESTIMATE),
    cost("gc_request_us", 15.0, "CPU of a session to ask for a block."),
    cost("gc_message_us", 20.0, "CPU of an LMS for each message."),
    cost(
        "gc_forward_us",
        15.0,
        "CPU of an LMS to send a message without a block, and of a log writer to tell an instance of commits.",
    ),
    Knob::number("gc_build_us", PerRun, Cluster, "µs")
        .acts(CHANGED_ANYWHERE)
        .range(0.0, 10_000.0, 1.0)
        .default(100.0)
        .calibrated()
        .help("CPU of an LMS to build a consistent copy of a block.", MYTHS),
    cost("gc_serve_us", 40.0, "CPU of an LMS to give a block away, or to send one that it has shared."),
    Knob::number("gc_send_us", PerRun, Cluster, "µs")
        .acts(CLUSTER)
        .range(0.0, 10_000.0, 1.0)
        .default(50.0)
        .calibrated()
        .help("CPU of an LMS to send a block, besides its fragments.", MYTHS),
    cost("gc_pin_us", 5.0, "CPU of a session for which it keeps a block that it has changed pinned.")
        .acts(CHANGED_ANYWHERE),
    Knob::number("gc_defer_ms", PerRun, Cluster, "ms")
        .acts(PINS)
        .range(0.0, 10_000.0, 1.0)
        .default_cases(INDEX, "0")
        .help(
            "How long sessions that stand in line to change a block may do so once another instance is to have it \
            (_gc_defer_time, 3 ms), by default for blocks of indexes alone (_gc_defer_ping_index_only). 0: it leaves \
            with the pin that it has.",
            RAC,
        ),
    cost("gc_fragment_us", 4.0, "CPU for each fragment of a block or of a buffer of rows, of sender and receiver.")
        .acts(ON_WIRE),
    cost("gc_receive_us", 30.0, "CPU of a session to take a block."),
    cost("gc_granted_us", 15.0, "CPU of a session to take a grant.").acts(SHARED_ANYWHERE),
    cost("gc_wakeup_us", 20.0, "CPU of an LMS or a session that slept until a message came."),
];
