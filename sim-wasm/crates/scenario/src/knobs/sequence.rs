//! The sequence from which transactions take values.

use super::conditions::{FLUSHED, GIVEN_TRANSFERS, INSERTED, OLTP, SEQUENCES, TRANSFERS};
use super::{CHOICE, ESTIMATE};
use crate::knob::{
    Group::Sequence,
    Knob,
    NameScope::{Instance as PerInstance, Run as PerRun},
};

const MYTH: &str = "Shamsudeen 2009, Battle of the nodes, myth 4: tkprof of 10,000 inserts with NOCACHE";
const SQL: &str = "Oracle Database SQL Language Reference, CREATE SEQUENCE";

/// A time that was published, in microseconds of CPU.
const fn cost(id: &'static str, us: f64, help: &'static str) -> Knob {
    Knob::number(id, PerRun, Sequence, "µs")
        .acts(SEQUENCES)
        .range(0.0, 100_000.0, 1.0)
        .default(us)
        .calibrated()
        .help(help, MYTH)
}

/// The same, in milliseconds that pass.
const fn given(id: &'static str, ms: f64, help: &'static str) -> Knob {
    Knob::number(id, PerRun, Sequence, "ms")
        .acts(GIVEN_TRANSFERS)
        .range(0.0, 10_000.0, 0.1)
        .default(ms)
        .calibrated()
        .help(help, MYTH)
}

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::number("sequence_values_per_transaction", PerInstance, Sequence, "")
        .acts(OLTP)
        .range(0.0, 100_000.0, 1.0)
        .free()
        .help(
            "Values that a transaction takes from a sequence (NEXTVAL), evenly over its calls. Joined instances share \
            the sequence. 0: none.",
            CHOICE,
        ),
    Knob::integer("sequence_cache", PerRun, Sequence)
        .acts(SEQUENCES)
        .front()
        .range(0.0, 1_000_000.0, 1.0)
        .log()
        .default(20.0)
        .said("CACHE {};NOCACHE")
        .help(
            "CACHE: values that a change of SEQ$ gives an instance, two or more. 0: NOCACHE. With ORDER two sessions \
            of constant work fall in step, and odd numbers take longer than even ones; with work that varies they do \
            not. From 19.10 and 21c on Oracle raises the number with the rate of NEXTVAL (Dynamic Sequence Cache, on \
            unless switched off; not with NOCACHE): here it stays as it is.",
            SQL,
        ),
    Knob::choice("sequence_order", PerRun, Sequence, &["NOORDER", "ORDER"]).acts(TRANSFERS).front().said("{}").help(
        "ORDER: values come in the order in which they are asked for, over all instances. NOORDER: each instance has \
            values of its own. An instance alone gives its values in order either way.",
        SQL,
    ),
    cost("seq_parse_us", 30.0, "CPU of the parse of the recursive UPDATE of SEQ$."),
    cost("seq_update_us", 304.0, "CPU of its execution."),
    Knob::number("sequence_flush_s", PerRun, Sequence, "s")
        .acts(FLUSHED)
        .range(0.0, 86_400.0, 1.0)
        .help("The shared pool is flushed so often, and values in it are lost. 0: never.", CHOICE),
    Knob::integer("sequence_index_rows", PerRun, Sequence)
        .acts(INSERTED)
        .range(0.0, 100_000.0, 100.0)
        .free()
        .said("{} rows a leaf")
        .help(
            "Values go into an index (a primary key) with so many rows a leaf: a change more for each value, of the \
            leaf that it belongs to. With small keys some 500 fill 8 KB. Leaves are shared_blocks by turns, or \
            contended_blocks of an instance alone; have more of them than leaves in use. 0: no index.",
            ESTIMATE,
        ),
    Knob::choice("sequence_transfers", PerRun, Sequence, &["messages", "given"]).acts(TRANSFERS).help(
        "What locks and the block of SEQ$ take from one instance to another. messages: what interconnect, LMD, LCK0, \
            LMS and the log writer take. given: by the three values below.",
        ESTIMATE,
    ),
    given(
        "lock_handover_ms",
        4.2,
        "An instance has a lock from another: half until that hears of it, half from there on. 11.6 ms of waiting less \
            what the block and the statement take.",
    ),
    given("seq_cr_ms", 1.3, "A copy of the block of SEQ$ from another instance."),
    given("seq_current_ms", 6.5, "The block itself. One wait of 160 ms is most of this mean."),
];
