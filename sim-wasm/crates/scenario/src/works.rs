//! Works that sources name, and where they are: what a source says of them becomes a link, on the page and in
//! `docs/knobs.md`.

use serde::Serialize;

/// A work as sources name it, and its address.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Work {
    /// As it stands in sources.
    pub phrase: &'static str,
    /// Where it is.
    pub address: &'static str,
}

const fn work(phrase: &'static str, address: &'static str) -> Work {
    Work { phrase, address }
}

macro_rules! linux {
    ($version:literal, $path:literal) => {
        work(
            concat!("Linux ", $version, " ", $path),
            concat!("https://github.com/torvalds/linux/blob/v", $version, "/", $path),
        )
    };
}

/// A page of section $section of the manual.
macro_rules! man {
    ($name:literal, $section:literal) => {
        work(
            concat!("Linux ", $name, "(", $section, ")"),
            concat!("https://man7.org/linux/man-pages/man", $section, "/", $name, ".", $section, ".html"),
        )
    };
}

macro_rules! parameter {
    ($name:literal) => {
        work(
            concat!("Oracle Database Reference 19c, ", $name),
            concat!("https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/", $name, ".html"),
        )
    };
}

/// A page of WikiChip about a Xeon.
macro_rules! xeon {
    ($family:literal, $page:literal, $model:literal) => {
        work(
            concat!("WikiChip Xeon ", $family, " ", $model),
            concat!("https://en.wikichip.org/wiki/intel/", $page, "/", $model),
        )
    };
}

/// The search of an author's own journal: of this work it finds the one page, whose day is not known for certain.
const CLOSSON: &str = "https://kevinclosson.net/?s=Over-Configuring+DBWR+Processes";
const TURBO_BINS: &str =
    "https://www.intel.com/content/www/us/en/support/articles/000056901/processors/intel-xeon-processors.html";
const BINDING: &str = "https://bdrouvot.github.io/2015/01/15/\
    cpu-binding-processor_group_name-vs-instance-caging-comparison-during-lio-pressure/";
const HYPER_THREADING: &str = "https://bdrouvot.github.io/2015/09/24/\
    hyper-threading-measure-its-impact-during-slob-runs-thanks-to-numactl-and-turbostat/";
const REMOTE: &str = "https://bdrouvot.github.io/2015/01/07/\
    measure-the-impact-of-remote-versus-local-numa-node-access-thanks-to-processor_group_name/";
const SOFT_AFFINITY: &str = "https://lore.kernel.org/lkml/20190626224718.21973-1-subhra.mazumdar@oracle.com/";

/// Where two begin at the same place, the longer is meant.
pub static WORKS: &[Work] = &[
    work("Closson 2007, Over-configuring DBWR processes, part II", CLOSSON),
    work("Closson 2007, part II", CLOSSON),
    work("dbi services 2016, instance caging", "https://www.dbi-services.com/blog/cpu_count/"),
    work("Drouvot 2015-01-07, remote versus local NUMA", REMOTE),
    work("Drouvot 2015-01-15, CPU binding versus instance caging", BINDING),
    work("Drouvot 2015-01-15", BINDING),
    work("Drouvot 2015-09-24, hyper-threading during SLOB", HYPER_THREADING),
    work("Drouvot 2015-09-24", HYPER_THREADING),
    work("FatDBA 2022-04-18", "https://fatdba.com/2022/04/18/how-to-prioritize-an-oracle-database-background-process/"),
    work("Gunther 2008, a general theory of computational scalability", "https://arxiv.org/abs/0808.1431"),
    work("Larsen 2007, breakdown of end-to-end latency", "https://doi.org/10.1109/SBAC-PAD.2007.33"),
    work("Li, Ding, Shen 2007, Quantifying the cost of context switch", "https://doi.org/10.1145/1281700.1281702"),
    work("Mazumdar 2019-06-26, scheduler soft affinity", SOFT_AFFINITY),
    work("Mazumdar 2019-06-26, kernel mailing list", SOFT_AFFINITY),
    work("Mazumdar 2019, soft affinity", SOFT_AFFINITY),
    work("Nikolaev 2011, latch timescales", "https://andreynikolaev.wordpress.com/2011/12/22/latch-timescales/"),
    work("Nyiri 2017, Cputoolkit on lpar", "https://zoltannyiri.wordpress.com/?s=Cputoolkit+on+lpar"),
    work(
        "Pythian 2012-10-19, Adaptive Log File Sync",
        "https://blog.pythian.com/adaptive-log-file-sync-oracle-please-dont-do-that-again/",
    ),
    work(
        "Shamsudeen 2009, Battle of the nodes",
        "https://www.scribd.com/document/42823466/Battle-of-the-Nodes-RAC-Performance-Myths-Doc",
    ),
    linux!("3.14", "kernel/sched/fair.c"),
    linux!("5.3", "kernel/sched/fair.c"),
    linux!("5.8", "kernel/sched/fair.c"),
    linux!("5.8", "kernel/sched/rt.c"),
    linux!("6.1", "kernel/sched/fair.c"),
    linux!("6.6", "kernel/sched/fair.c"),
    linux!("6.8", "kernel/sched/fair.c"),
    linux!("6.12", "kernel/sched/fair.c"),
    linux!("6.12", "kernel/sched/syscalls.c"),
    linux!("6.13", "kernel/sched/core.c"),
    linux!("6.13", "kernel/sched/fair.c"),
    linux!("6.15", "kernel/sched/fair.c"),
    linux!("6.17", "kernel/sched/fair.c"),
    linux!("6.6", "kernel/sched/core.c"),
    linux!("6.6", "net/unix/af_unix.c"),
    linux!("6.6", "init/init_task.c"),
    linux!("6.6", "kernel/time/hrtimer.c"),
    linux!("6.12", "drivers/idle/intel_idle.c"),
    work("Linux 6.6 kernel/sched", "https://github.com/torvalds/linux/tree/v6.6/kernel/sched"),
    work("Linux Documentation/admin-guide/cgroup-v2.rst", "https://docs.kernel.org/admin-guide/cgroup-v2.html"),
    work("Linux Documentation/scheduler/sched-rt-group.rst", "https://docs.kernel.org/scheduler/sched-rt-group.html"),
    man!("sched", "7"),
    man!("sched_setattr", "2"),
    man!("cpuset", "7"),
    man!("sched_rr_get_interval", "2"),
    work(
        "Oracle PL/SQL Packages Reference 19c, DBMS_RESOURCE_MANAGER",
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/arpls/DBMS_RESOURCE_MANAGER.html",
    ),
    work("hackbench(8)", "https://man.archlinux.org/man/hackbench.8"),
    work("IBM AIX schedo", "https://www.ibm.com/docs/ssw_aix_72/s_commands/schedo.html"),
    work("IBM AIX bosdebug", "https://www.ibm.com/docs/en/ssw_aix_73/b_commands/bosdebug.html"),
    work("IBM AIX setpri", "https://www.ibm.com/docs/en/ssw_aix_72/s_bostechref/setpri.html"),
    work("IBM AIX priority calculation", "https://www.ibm.com/docs/en/ssw_aix_72/performance/example_prior_calc.html"),
    work("Solaris priocntl(1)", "https://docs.oracle.com/cd/E23824_01/html/821-1461/priocntl-1.html"),
    work("Solaris ts_dptbl(4)", "https://docs.oracle.com/cd/E26502_01/html/E29042/ts-dptbl-4.html"),
    work("Intel support, available bins of Turbo Boost", TURBO_BINS),
    xeon!("Gold", "xeon_gold", "5218"),
    xeon!("Gold", "xeon_gold", "6126"),
    xeon!("Gold", "xeon_gold", "6130"),
    xeon!("Gold", "xeon_gold", "6140"),
    xeon!("Gold", "xeon_gold", "6148"),
    xeon!("Platinum", "xeon_platinum", "8176"),
    xeon!("Platinum", "xeon_platinum", "8260"),
    xeon!("Platinum", "xeon_platinum", "8276"),
    parameter!("COMMIT_LOGGING"),
    parameter!("COMMIT_WAIT"),
    parameter!("CPU_COUNT"),
    parameter!("DB_WRITER_PROCESSES"),
    parameter!("DISK_ASYNCH_IO"),
    parameter!("FAST_START_MTTR_TARGET"),
    parameter!("LOG_CHECKPOINT_TIMEOUT"),
    parameter!("RESOURCE_MANAGER_PLAN"),
    work(
        "Oracle Database Reference 12.2, GCS_SERVER_PROCESSES",
        "https://docs.oracle.com/database/122/REFRN/GCS_SERVER_PROCESSES.htm",
    ),
    work(
        "Oracle Database Reference, PARALLEL_EXECUTION_MESSAGE_SIZE",
        "https://docs.oracle.com/cd/E11882_01/server.112/e40402/initparams182.htm",
    ),
    work(
        "Oracle Database SQL Language Reference, CREATE DATABASE",
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-DATABASE.html",
    ),
    work(
        "Oracle Database SQL Language Reference, CREATE SEQUENCE",
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-SEQUENCE.html",
    ),
    work(
        "Oracle Database SQL Language Reference, file_specification",
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/file_specification.html",
    ),
    work(
        "Oracle Database VLDB and Partitioning Guide, how parallel execution servers communicate",
        "https://docs.oracle.com/database/121/VLDBG/GUID-F8C73913-21CD-45D8-8417-10DA38C57762.htm",
    ),
    work(
        "Oracle Database Installation Guide for Linux",
        "https://docs.oracle.com/en/database/oracle/oracle-database/19/ladbi/\
        minimum-parameter-settings-for-installation.html",
    ),
    work(
        "Oracle, Broadcast-on-Commit over RDMA",
        "https://www.oracle.com/database/technologies/exadata/software/broadcastoncommit",
    ),
    work(
        "Oracle Clusterware: css misscount 30 s",
        "https://docs.oracle.com/database/121/CWADD/GUID-244D960C-5F32-4DFE-8661-9C9A9535FF39.htm",
    ),
];

/// A source in pieces, each with its address where it names a work.
pub fn pieces(source: &str) -> Vec<(&str, Option<&'static str>)> {
    let mut pieces = Vec::new();
    let mut rest = source;
    while let Some((at, work)) = next(rest) {
        if at > 0 {
            pieces.push((&rest[..at], None));
        }
        pieces.push((&rest[at..at + work.phrase.len()], Some(work.address)));
        rest = &rest[at + work.phrase.len()..];
    }
    if !rest.is_empty() {
        pieces.push((rest, None));
    }
    pieces
}

/// The first work that is named, and where; of several there the longest.
fn next(text: &str) -> Option<(usize, &'static Work)> {
    let found = WORKS.iter().filter_map(|work| Some((text.find(work.phrase)?, work)));
    found.min_by_key(|(at, work)| (*at, usize::MAX - work.phrase.len()))
}

#[cfg(test)]
mod tests;
