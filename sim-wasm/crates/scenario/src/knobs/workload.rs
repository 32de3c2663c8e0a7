//! What the sessions do.

use super::conditions::{
    APART, BATCH, CACHES, CLOSED, ENDS, FIXED, MESSAGES, OPEN, READS_SAID, READ_BY_NUMBER, SWITCHES,
};
use super::{CHOICE, ESTIMATE, GUNTHER, HACKBENCH};
use crate::knob::{
    Group::Workload,
    Knob,
    NameScope::{Instance as PerInstance, Run as PerRun},
};

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::integer("sessions", PerInstance, Workload)
        .said("{} session|{} sessions")
        .front()
        .acts(FIXED)
        .range(0.0, 100_000.0, 1.0)
        .log()
        .default(32.0)
        .help(
            "Sessions connected, each running one transaction after another. 0: a host for its server or background \
            load alone.",
            CHOICE,
        ),
    Knob::integer("executions", PerInstance, Workload)
        .said("{} execution|{} executions;executions without end")
        .acts(CLOSED)
        .range(0.0, 10_000_000.0, 1000.0)
        .log()
        .help(
            "Transactions that each session executes before it ends; with the last of the sessions that end so does \
            the run, and its figure is the elapsed time. 0: sessions go on for ever.",
            CHOICE,
        ),
    Knob::number("start_skew_s", PerRun, Workload, "s").acts(ENDS).range(0.0, 3600.0, 0.1).help(
        "How much later than the one before it each session starts that ends; those of the first instance first.",
        CHOICE,
    ),
    Knob::number("think_time_ms", PerInstance, Workload, "ms")
        .front()
        .acts(CLOSED)
        .range(0.0, 600_000.0, 10.0)
        .help("Mean pause of a session between transactions, exponential.", CHOICE),
    Knob::number("lio_per_transaction", PerInstance, Workload, "")
        .front()
        .acts(READS_SAID)
        .range(1.0, 1e9, 1000.0)
        .log()
        .default(60_000.0)
        .free()
        .help("Logical reads in one transaction.", ESTIMATE),
    Knob::number("lio_us", PerInstance, Workload, "µs")
        .acts(READ_BY_NUMBER)
        .range(0.01, 1000.0, 0.01)
        .log()
        .default(1.6667)
        .calibrated()
        .help(
            "CPU time of one logical read by a session alone on its core.",
            "3.6 M LIO/s = 6 × one session, so 0.60 M/s: dbi services 2016, instance caging",
        ),
    Knob::choice("demand_distribution", PerInstance, Workload, &["constant", "exponential", "hyperexponential"])
        .said("{} demand")
        .help("How the CPU demand of transactions varies around its mean.", CHOICE),
    Knob::number("session_start_spread_ms", PerInstance, Workload, "ms").acts(FIXED).range(0.0, 60_000.0, 100.0).help(
        "Sessions start at random moments within this time, each within a transaction and a quantum of the cage. 0: \
            all in step.",
        CHOICE,
    ),
    Knob::choice("arrivals", PerInstance, Workload, &["closed", "open", "messages", "batch"]).help(
        "Closed: a fixed number of sessions. Open: transactions arrive at random. Messages: processes in groups send \
            messages to one another, as hackbench does. Batch: each session does one piece of work and ends.",
        CHOICE,
    ),
    Knob::number("batch_work_s", PerInstance, Workload, "s")
        .said("{} s of work each")
        .acts(BATCH)
        .range(0.001, 3600.0, 1.0)
        .log()
        .default(10.0)
        .help(
            "CPU time of each session of a batch, alone on its core: so long it works, then it ends. Acts with \
                arrivals = batch, where lio_per_transaction, executions and think_time_ms do not.",
            CHOICE,
        ),
    Knob::number("arrivals_per_s", PerInstance, Workload, "1/s")
        .said("{} arrival/s|{} arrivals/s")
        .acts(OPEN)
        .range(0.001, 1_000_000.0, 1.0)
        .log()
        .default(10.0)
        .help(
            "Transactions, or calls of commits_per_call of them, arriving a second, at random. Acts with arrivals = \
                open.",
            CHOICE,
        ),
    Knob::integer("message_groups", PerInstance, Workload)
        .said("{} group|{} groups")
        .acts(MESSAGES)
        .range(1.0, 64.0, 1.0)
        .default(4.0)
        .help(
            "Groups of processes that send to one another. Acts with arrivals = messages, where sessions does not.",
            HACKBENCH,
        ),
    Knob::integer("message_pairs", PerInstance, Workload)
        .acts(MESSAGES)
        .range(1.0, 40.0, 1.0)
        .default(20.0)
        .help("Senders in a group, and as many receivers; each sender writes to each receiver in turn.", HACKBENCH),
    Knob::integer("message_buffer", PerInstance, Workload)
        .acts(MESSAGES)
        .unit("messages")
        .range(1.0, 10_000.0, 10.0)
        .log()
        .default(278.0)
        .help(
            "Messages that the buffer of a receiver holds. Who finds it full sleeps until no more than a quarter is in \
             use; then all who wait for it wake.",
            "Linux 6.6 net/unix/af_unix.c: unix_writable, unix_write_space; 212,992 bytes (net.core.wmem_default) hold \
             278 messages of 100 bytes at 768 each, counted on a machine",
        ),
    Knob::number("core_coherence", PerInstance, Workload, "").acts(SWITCHES).range(0.0, 0.5, 0.005).free().help(
        "κ: a logical read takes 1 + κ (m − 1) / m as long with m cores on the same blocks. 0: private data.",
        "Hypothesis; 0.05 explains ×2.61 on ten POWER7 cores: Nyiri 2017, Cputoolkit on lpar",
    ),
    Knob::number("scaling_sigma", PerInstance, Workload, "").acts(SWITCHES).range(0.0, 0.5, 0.001).free().help(
        "σ: work takes 1 + σ (m − 1) as long with m cores of the instance at it, for what they do one after \
            another. For laws of scaling measured elsewhere; 0: none.",
        GUNTHER,
    ),
    Knob::number("scaling_kappa", PerInstance, Workload, "").acts(SWITCHES).range(0.0, 0.05, 0.0001).free().help(
        "And by κ m (m − 1) longer, for what each of the m cores does with each other: then throughput falls from \
            √((1 − σ) ÷ κ) cores on.",
        GUNTHER,
    ),
    Knob::number("socket_coherence", PerInstance, Workload, "").acts(APART).range(0.0, 0.5, 0.005).free().help(
        "κx: work takes 1 + κx · r as long, r being the share of the instance's sessions on CPU that run on other \
                sockets, the session itself counted: of two, one on each socket, a half.",
        "Estimate; two instances with 24 users gained 5.43 % on a socket each: Mazumdar 2019, soft affinity",
    ),
    Knob::number("llc_share_penalty", PerInstance, Workload, "").acts(CACHES).range(0.0, 0.5, 0.005).free().help(
        "Work takes 1 + this as long where an instance has one last-level cache instead of all of the host.",
        "Estimate: about half of κx, so that a lone small instance gains nothing from one socket",
    ),
];
