//! Sockets, cores, threads and memory.

use super::conditions::{APART, LLC, SMT, SMT_SWITCHES, SWITCHES};
use super::{CAGING_LAB, CHOICE, DROUVOT_SMT, ESTIMATE};
use crate::knob::{
    Group::{self, Host},
    Knob,
    NameScope::{Instance as PerInstance, Node as PerNode},
};
use crate::when::When;

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::integer("sockets", PerNode, Host)
        .said("{} socket|{} sockets")
        .range(1.0, 16.0, 1.0)
        .default(1.0)
        .restart()
        .help("Sockets, each with a last-level cache of its own, or with several: cores_per_llc.", CHOICE),
    Knob::integer("cores_per_socket", PerNode, Host).front()
        .said("{} core a socket|{} cores a socket")
        .range(1.0, 256.0, 1.0)
        .default(4.0)
        .restart()
        .help("Cores in a socket.", CAGING_LAB),
    Knob::integer("cores_per_llc", PerNode, Host)
        .acts(LLC)
        .range(0.0, 256.0, 1.0)
        .default(0.0)
        .restart()
        .help(
            "Cores that share a last-level cache: wake-ups look for an idle CPU within it, moves to another cost \
                more. Divides cores_per_socket; 0: all of a socket. lscpu counts the caches (L3 instances).",
            CHOICE,
        ),
    Knob::integer("threads_per_core", PerNode, Host).front()
        .said("{} thread a core|{} threads a core")
        .range(1.0, 8.0, 1.0)
        .default(2.0)
        .restart()
        .help("Hardware threads of a core.", CAGING_LAB),
    Knob::vector("smt_yield", PerNode, Host)
        .front()
        .acts(SMT)
        .unit("×")
        .range(1.0, 8.0, 0.01)
        .default(1.31)
        .calibrated()
        .restart()
        .help(
        "Work of a core with all its threads busy against one alone; or with 1, 2, … of them: 1/1.4/1.52/1.6. Entries \
        past threads_per_core do not act; threads past the last entry add nothing.",
        DROUVOT_SMT,
    ),
    Knob::choice("guest_sees_smt", PerNode, Host, &["yes", "no"]).front().acts(SMT_SWITCHES).restart().help(
        "Whether the operating system knows which threads share a core. A guest often does not.",
        "Bare metal: yes; for the cloud guest of the SLOB runs an assumption",
    ),
    Knob::number("vcpu_remap_ms", PerNode, Host, "ms")
        .acts(When::All(&[SMT_SWITCHES, When::Is("guest_sees_smt", &["no"])]))
        .range(0.0, 10_000.0, 5.0)
        .default(20.0)
        .free()
        .help(
        "How often the hypervisor deals the guest's CPUs out to threads anew. 0: never. Acts with guest_sees_smt = no.",
        ESTIMATE,
    ),
    Knob::number("turbo_one_core", PerNode, Host, "×").acts(SWITCHES).range(1.0, 2.0, 0.01).default(1.0).help(
        "Speed of one active core against all cores active; between the two it falls evenly. 1: no turbo.",
        "3.6 against 3.3 GHz, 1.09, for an E5-2690 v2; off in the published runs",
    ),
    Knob::choice("numa_memory", PerInstance, Group::Instance, &["local", "interleaved", "bound"])
        .said("{} memory").acts(APART).help(
        "Where the memory of the instance is: with its sessions, spread over all sockets, or on numa_socket.",
        CHOICE,
    ),
    Knob::number("numa_remote", PerInstance, Group::Instance, "×")
        .acts(When::All(&[APART, When::Not(&When::Is("numa_memory", &["local"]))]))
        .range(1.0, 4.0, 0.01)
        .default(2.13)
        .calibrated()
        .help(
        "Time of a logical read with all memory on another socket, against all on its own.",
        "4.62 against 2.17 M LIO/s: Drouvot 2015-01-07, remote versus local NUMA",
    ),
    Knob::integer("numa_socket", PerInstance, Group::Instance)
        .acts(When::All(&[APART, When::Is("numa_memory", &["bound"])]))
        .range(0.0, 15.0, 1.0)
        .help("Socket that numa_memory = bound puts the memory on, counted from 0.", CHOICE),
];
