//! Sockets, cores, threads and memory.

use super::conditions::{APART, LLC, SETS, SMT, SMT_SWITCHES, SWITCHES};
use super::{CAGING_LAB, CHOICE, DROUVOT_SMT, ESTIMATE};
use crate::knob::{
    Case,
    Group::{self, Host},
    Knob,
    NameScope::{Instance as PerInstance, Node as PerNode},
};
use crate::when::When;

const fn cores_of(words: &'static [&'static str], cores: &'static str) -> Case {
    Case { when: When::Is("cpu_type", words), value: cores }
}

/// Rows of this group.
pub(super) const ROWS: &[Knob] = &[
    Knob::integer("sockets", PerNode, Host)
        .said("{} socket|{} sockets")
        .range(1.0, 16.0, 1.0)
        .default(1.0)
        .restart()
        .help("Sockets, each with a last-level cache of its own, or with several: cores_per_llc.", CHOICE),
    Knob::choice("cpu_type", PerNode, Host, &[
        "none", "E5-2667_v2", "Gold_5218", "Gold_6126", "Gold_6130", "Gold_6140", "Gold_6148", "Platinum_8176",
        "Platinum_8260", "Platinum_8276", "custom",
    ])
        .restart()
        .help(
            "CPU whose turbo steps the host has: frequency by active cores of a socket, without AVX. Speed 1 is that \
            of all cores active. It has the CPU's cores_per_socket where nothing is said of them. custom: turbo_table. \
            none: turbo_one_core, as for AMD, which prints no steps.",
            "Intel support, available bins of Turbo Boost; WikiChip Xeon Gold 5218; WikiChip Xeon Gold 6126; \
            WikiChip Xeon Gold 6130; WikiChip Xeon Gold 6140; WikiChip Xeon Gold 6148; WikiChip Xeon Platinum 8176; \
            WikiChip Xeon Platinum 8260; WikiChip Xeon Platinum 8276",
        ),
    Knob::integer("cores_per_socket", PerNode, Host).front()
        .said("{} core a socket|{} cores a socket")
        .range(1.0, 256.0, 1.0)
        .default_cases(
            &[
                cores_of(&["E5-2667_v2"], "8"),
                cores_of(&["Gold_6126"], "12"),
                cores_of(&["Gold_5218", "Gold_6130"], "16"),
                cores_of(&["Gold_6140"], "18"),
                cores_of(&["Gold_6148"], "20"),
                cores_of(&["Platinum_8260"], "24"),
                cores_of(&["Platinum_8176", "Platinum_8276"], "28"),
            ],
            "4",
        )
        .restart()
        .help("Cores in a socket; those of cpu_type where nothing is said.", CAGING_LAB),
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
        .range(0.5, 8.0, 0.01)
        .default(1.31)
        .calibrated()
        .restart()
        .help(
        "Work of a core with all its threads busy against one alone, of which each further one adds less; or with 1, \
        2, … of them: 1/1.4/1.52/1.6. Below 1 the core does less than one thread would. Entries past \
        threads_per_core do not act; threads past the last entry add nothing.",
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
    Knob::number("turbo_one_core", PerNode, Host, "×")
        .acts(When::All(&[SWITCHES, When::Is("cpu_type", &["none"])]))
        .range(1.0, 2.0, 0.01)
        .default(1.0)
        .help(
        "Speed of one active core against all cores active; between the two it falls evenly. 1: no turbo.",
        "3.6 against 3.3 GHz, 1.09, for an E5-2690 v2; off in the published runs",
    ),
    Knob::vector("turbo_table", PerNode, Host)
        .acts(When::All(&[SWITCHES, When::Is("cpu_type", &["custom"])]))
        .unit("GHz")
        .range(0.1, 10.0, 0.1)
        .default(1.0)
        .help(
        "Frequency with 1, 2, … cores of a socket active: 4/3.9/3.8/3.7/3.6. It never rises; more cores run at the \
        last one. Only ratios act: speed 1 is that of all cores active. turbostat prints such a table.",
        CHOICE,
    ),
    Knob::number("l2_mb", PerNode, Host, "MB").acts(SETS).range(0.0, 64.0, 0.25).default(1.0).free().help(
        "Cache of a core, which its threads share. Acts with working_set_mb; 0: none.",
        ESTIMATE,
    ),
    Knob::number("llc_mb", PerNode, Host, "MB").acts(SETS).range(0.0, 4096.0, 1.0).default(32.0).free().help(
        "A last-level cache. Acts with working_set_mb; 0: none.",
        ESTIMATE,
    ),
    Knob::number("l2_fill_gb_s", PerNode, Host, "GB/s").acts(SETS).range(1.0, 1000.0, 1.0).default(20.0).free().help(
        "Rate at which a process loads its working set into the cache of a core, and others take it away.",
        ESTIMATE,
    ),
    Knob::number("llc_fill_gb_s", PerNode, Host, "GB/s").acts(SETS).range(1.0, 1000.0, 1.0).default(10.0).free().help(
        "The same of a last-level cache.",
        ESTIMATE,
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
