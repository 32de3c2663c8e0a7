//! Queries that slaves execute for a coordinator.

use super::conditions::{PARALLEL, ROWS_SENT, SECOND_SET, SPREAD};
use super::{CHOICE, ESTIMATE};
use crate::knob::{Case, Group::Parallel, Knob, NameScope::Instance as PerInstance};
use crate::when::When::Is;

const MYTHS: &str = "Shamsudeen 2009, Battle of the nodes: RAC performance myths; fetch and CPU on one instance";
const HIDDEN: &str = "Hidden parameters with defaults, 10.2 and 11.2";
const BUFFERS: &str = "Oracle Database VLDB and Partitioning Guide, how parallel execution servers communicate";
const SIZES: &str = "Oracle Database Reference, PARALLEL_EXECUTION_MESSAGE_SIZE, 10.2 and 11.2";

/// CPU of a row, in nanoseconds.
const fn of_row(id: &'static str, ns: f64, help: &'static str) -> Knob {
    Knob::number(id, PerInstance, Parallel, "ns")
        .acts(PARALLEL)
        .range(0.0, 10_000_000.0, 100.0)
        .default(ns)
        .free()
        .help(help, ESTIMATE)
}

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::integer("parallel_degree", PerInstance, Parallel)
        .said("degree {}")
        .acts(PARALLEL)
        .front()
        .range(1.0, 64.0, 1.0)
        .default(4.0)
        .help("Slaves that scan for a coordinator; with a second set as many more that join.", CHOICE),
    Knob::choice("parallel_instances", PerInstance, Parallel, &["local", "all"])
        .said("slaves on {} instances")
        .acts(PARALLEL)
        .front()
        .help(
            "Where the slaves of a coordinator are. local: on its own instance (PARALLEL_FORCE_LOCAL, or an instance \
            group of one). all: by turns on all in the cluster that have workload parallel_query.",
            CHOICE,
        ),
    Knob::choice("table_queue", PerInstance, Parallel, &["coordinator", "hash", "broadcast"])
        .acts(PARALLEL)
        .front()
        .said("{} table queue")
        .help(
            "Where rows that are scanned go. coordinator: to the coordinator. hash: each to one slave of a second set. \
            broadcast: each to all of them.",
            CHOICE,
        ),
    Knob::choice("pushdown", PerInstance, Parallel, &["no", "yes"])
        .acts(PARALLEL)
        .front()
        .said("pushdown {}")
        .help("Whether slaves aggregate, and each of the last set sends the coordinator one row.", CHOICE),
    Knob::integer("px_rows", PerInstance, Parallel)
        .said("{} row|{} rows")
        .acts(PARALLEL)
        .front()
        .range(1.0, 100_000_000.0, 1000.0)
        .log()
        .default(1_000_000.0)
        .help("Rows that the slaves of an execution scan, all together.", CHOICE),
    Knob::integer("px_row_bytes", PerInstance, Parallel)
        .acts(ROWS_SENT)
        .unit("B")
        .range(1.0, 2148.0, 10.0)
        .default(120.0)
        .free()
        .help("Of a row that is sent: as many as fit go into a buffer.", ESTIMATE),
    Knob::integer("parallel_execution_message_size", PerInstance, Parallel)
        .acts(PARALLEL)
        .unit("B")
        .range(2148.0, 65_536.0, 1.0)
        .default(16_384.0)
        .restart()
        .help("Of a buffer of rows: 16,384 from 11.2 on; before 2,148, with automatic tuning 4,096.", SIZES),
    Knob::integer("px_channel_buffers", PerInstance, Parallel)
        .acts(ROWS_SENT)
        .range(1.0, 100.0, 1.0)
        .default_cases(&[Case { when: Is("parallel_instances", &["all"]), value: "4" }], "3")
        .help("Buffers between two processes: a sender that has none free waits.", BUFFERS),
    Knob::integer("granules_per_slave", PerInstance, Parallel)
        .acts(PARALLEL)
        .range(1.0, 1000.0, 1.0)
        .default(13.0)
        .help(
            "Parts of the table for each slave that scans; one that has scanned its own gets the next. Their \
            times vary by demand_distribution.",
            HIDDEN,
        ),
    Knob::number("px_message_us", PerInstance, Parallel, "µs")
        .acts(PARALLEL)
        .range(0.0, 10_000.0, 1.0)
        .default(15.0)
        .free()
        .help("CPU for a message within an instance, of sender and of receiver.", ESTIMATE),
    Knob::number("px_remote_cost", PerInstance, Parallel, "")
        .acts(SPREAD)
        .range(1.0, 100.0, 0.1)
        .default(10.0)
        .help(
            "CPU of a message to another instance over that of one within, besides fragments: _px_net_msg_cost 10000, \
            _px_loc_msg_cost 1000.",
            HIDDEN,
        ),
    Knob::number("px_scan_row_ns", PerInstance, Parallel, "ns")
        .acts(PARALLEL)
        .range(0.0, 10_000_000.0, 100.0)
        .default(1000.0)
        .free()
        .help("Time of a slave to scan a row, all of it CPU.", MYTHS),
    of_row("px_join_row_ns", 500.0, "CPU of a slave of the second set for a row that comes to it.").acts(SECOND_SET),
    of_row("px_take_row_ns", 100.0, "CPU of the coordinator for a row that comes to it."),
];
