//! The table of knobs: every name, unit, range, default, help and source, once.
//!
//! The order is that of canonical links and, within a group, of the page. A row also says when it acts and whether it
//! stands in front.

mod access;
mod cluster;
mod conditions;
mod database;
mod host;
mod instance;
mod parallel;
mod processes;
mod run;
mod sequence;
mod system;
mod workload;

use crate::knob::Knob;

pub(crate) use processes::PRESENT;

const DROUVOT_CAGING: &str =
    "CPU per wait was 102.4 and 100.5 ms: Drouvot 2015-01-15, CPU binding versus instance caging";
const DROUVOT_SMT: &str = "Drouvot 2015-09-24, hyper-threading during SLOB";
const PARAMETERS_19C: &str = "Hidden parameters with defaults, 11.2 and 19c";
const LATCHES: &str = "Nikolaev 2011, latch timescales";
const CAGING_LAB: &str = "dbi services 2016, instance caging: SLOB on 8 cloud threads";
const CFS_SOURCE: &str = "Linux 5.8 kernel/sched/fair.c";
const AIX: &str = "IBM AIX schedo: both 16 by default; IBM AIX priority calculation, example";
const SOFT_AFFINITY: &str = "Mazumdar 2019-06-26, scheduler soft affinity, patches on the kernel mailing list";
const CGROUP: &str = "Linux Documentation/admin-guide/cgroup-v2.rst";
const HACKBENCH: &str = "hackbench(8): 20 senders and 20 receivers a group";
const GUNTHER: &str = "Gunther 2008, a general theory of computational scalability";
const PLAN_DIRECTIVE: &str = "Oracle PL/SQL Packages Reference 19c, DBMS_RESOURCE_MANAGER: shares, mgmt_p1";
const CHOICE: &str = "Yours to choose";
const ESTIMATE: &str = "Estimate: no measurement known";

const GROUPS: [&[Knob]; 11] = [
    instance::ROWS,
    workload::ROWS,
    access::ROWS,
    parallel::ROWS,
    database::ROWS,
    cluster::ROWS,
    sequence::ROWS,
    system::ROWS,
    processes::ROWS,
    host::ROWS,
    run::ROWS,
];

const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
};

static ROWS: [Knob; COUNT] = {
    let mut rows = [instance::ROWS[0]; COUNT];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut row = 0;
        while row < GROUPS[group].len() {
            rows[at] = GROUPS[group][row];
            at += 1;
            row += 1;
        }
        group += 1;
    }
    rows
};

/// Every knob there is.
pub static KNOBS: &[Knob] = &ROWS;
