//! When knobs act: conditions that several rows share.

use crate::acts::presence;
use crate::address::ProcessKind;
use crate::when::When::{self, Above, All, Any, Anywhere, At, Is, Not};
use wwi_model::config::kinds::KINDS;

/// Sessions are let in by the Resource Manager.
pub(super) const CAGED: When = Is("resource_manager_plan", &["default"]);
/// Latches are held at all, by sessions that can lose the CPU.
const HELD: When = All(&[SWITCHES, Above("latch_hold_us", 0.0), GETS]);
/// Somebody asks for a latch that is held.
const ASKED: When = All(&[Above("latch_share", 0.0), Above("latch_exclusive_share", 0.0), GETS]);
/// Sessions get blocks from the cache.
const GETS: When = Not(&PARALLEL);
/// For the hold time.
pub(super) const LATCH_ASKED: When = All(&[SWITCHES, ASKED]);
/// For the share of reads that need one latch.
pub(super) const LATCH_CLASHES: When = All(&[HELD, Above("latch_exclusive_share", 0.0)]);
/// For the share of gets that are exclusive.
pub(super) const LATCH_SHARED: When = All(&[HELD, Above("latch_share", 0.0)]);
/// Sessions run into held latches.
pub(super) const LATCHED: When = All(&[HELD, ASKED]);

/// A fixed number of sessions that run one transaction after another.
pub(super) const CLOSED: When = Is("arrivals", &["closed"]);
/// A fixed number of sessions with one piece of work each.
pub(super) const BATCH: When = Is("arrivals", &["batch"]);
/// A fixed number of sessions.
pub(super) const FIXED: When = Is("arrivals", &["closed", "batch"]);
/// Sessions end.
pub(super) const ENDS: When = Any(&[BATCH, All(&[CLOSED, Above("executions", 0.0)])]);
/// Transactions at random.
pub(super) const OPEN: When = Is("arrivals", &["open"]);
/// Processes that send to one another.
pub(super) const MESSAGES: When = Is("arrivals", &["messages"]);

/// Several sockets.
pub(super) const SOCKETS: When = Above("sockets", 1.0);
/// Several last-level caches whose work is told apart.
pub(super) const CACHES: When = All(&[Any(&[SOCKETS, Above("cores_per_llc", 0.0)]), SWITCHES]);
/// Several cores whose cache is a question.
pub(super) const LLC: When = All(&[CORES, SWITCHES]);
/// Several cores in a socket.
pub(super) const CORES: When = Above("cores_per_socket", 1.0);
/// Cores with several threads.
pub(super) const SMT: When = Above("threads_per_core", 1.0);
/// Threads of a core that are told apart.
pub(super) const SMT_SWITCHES: When = All(&[SMT, SWITCHES]);
/// Several sockets whose work is told apart.
pub(super) const APART: When = All(&[SOCKETS, SWITCHES]);

/// The scheduler takes turns; under processor sharing all run at once.
pub(super) const SWITCHES: When = Not(&Is("os_scheduler", &["processor_sharing"]));
/// Each thread has a queue of its own, so that where a process runs is a question.
pub(super) const QUEUE_PER_THREAD: When = Not(&Is("os_scheduler", &["round_robin", "fifo", "processor_sharing"]));
/// Who ran recently is not moved to another of them.
pub(super) const LEAVES_THE_HOT: When = Is("os_scheduler", &["CFS", "EEVDF", "O1", "AIX"]);
/// Some Linux.
pub(super) const LINUX: When = Is("os_scheduler", &["CFS", "EEVDF", "O1"]);
/// Linux with virtual run times.
pub(super) const FAIR: When = Is("os_scheduler", &["CFS", "EEVDF"]);
/// Linux 2.6.23 to 6.5.
pub(super) const CFS: When = Is("os_scheduler", &["CFS"]);
/// Linux 6.6 and later.
pub(super) const EEVDF: When = Is("os_scheduler", &["EEVDF"]);
/// And of 6.12, where processes may say which slice they want.
pub(super) const SLICES: When = Is("eevdf_generation", &["6.12", "6.18"]);
/// IBM's.
pub(super) const AIX: When = Is("os_scheduler", &["AIX"]);
/// One queue and a quantum.
pub(super) const ROUND_ROBIN: When = Is("os_scheduler", &["round_robin"]);

/// A class whose priorities move with use.
pub(super) const ORDINARY: When = Is("class", &["TS", "IA", "BATCH"]);
const IN_REAL_TIME: When = Is("class", &["FIFO", "RR"]);
/// For each kind: there are processes of it, and this holds for it.
const fn each(of: &'static When) -> [[When; 2]; KINDS.len()] {
    let mut each = [[When::Always; 2]; KINDS.len()];
    let mut at = 0;
    while at < KINDS.len() {
        let kind = ProcessKind(at as u8);
        each[at] = [presence(kind), At(kind, of)];
        at += 1;
    }
    each
}
const fn all_of(each: &'static [[When; 2]; KINDS.len()]) -> [When; KINDS.len()] {
    let mut all = [When::Always; KINDS.len()];
    let mut at = 0;
    while at < KINDS.len() {
        all[at] = All(&each[at]);
        at += 1;
    }
    all
}
static EACH_IN_REAL_TIME: [[When; 2]; KINDS.len()] = each(&IN_REAL_TIME);
static ANY_IN_REAL_TIME: [When; KINDS.len()] = all_of(&EACH_IN_REAL_TIME);
static EACH_WITH_SET: [[When; 2]; KINDS.len()] = each(&Above("working_set_mb", 0.0));
static ANY_WITH_SET: [When; KINDS.len()] = all_of(&EACH_WITH_SET);
static EACH_WITHOUT_SET: [[When; 2]; KINDS.len()] = each(&Not(&Above("working_set_mb", 0.0)));
static ANY_WITHOUT_SET: [When; KINDS.len()] = all_of(&EACH_WITHOUT_SET);
/// There are processes of any kind in a class before all ordinary ones.
pub(super) const REAL_TIME: When = Any(&ANY_IN_REAL_TIME);
/// Processes of any kind have a working set, which caches hold.
pub(super) const SETS: When = All(&[SWITCHES, Any(&ANY_WITH_SET)]);
/// Processes of any kind have none, so that a refill is as long as is said.
pub(super) const REFILLS: When = All(&[SWITCHES, Any(&ANY_WITHOUT_SET)]);
/// There is load outside every cage.
pub(super) const BACKGROUND: When = presence(ProcessKind::BACKGROUND);
/// And of a second kind.
pub(super) const BACKGROUND_2: When = presence(ProcessKind::BACKGROUND_2);
/// And of a third.
pub(super) const BACKGROUND_3: When = presence(ProcessKind::BACKGROUND_3);
/// There is a server.
pub(super) const SERVICE: When = presence(ProcessKind::SERVICE);

/// Sessions prefer some threads.
pub(super) const SOFT: When = All(&[FAIR, Is("affinity", &["soft"])]);
/// Sessions have a control group of their own.
pub(super) const GROUPED: When = All(&[FAIR, Is("cgroup", &["own"])]);

/// Processes of a kind share CPU time by weights.
pub(super) const SHARED_BY_WEIGHT: When = All(&[FAIR, ORDINARY]);
/// They have a control group of their own.
pub(super) const KIND_GROUPED: When = All(&[SHARED_BY_WEIGHT, Above("kind_cpu_weight", 0.0)]);

/// It has a quota.
pub(super) const LIMITED: When = All(&[GROUPED, Above("cpu_max_quota_ms", 0.0)]);
/// And they have.
pub(super) const KIND_LIMITED: When = All(&[KIND_GROUPED, Above("kind_cpu_max_quota_ms", 0.0)]);
static EACH_LIMITED: [[When; 2]; KINDS.len()] = each(&KIND_LIMITED);
static ANY_LIMITED: [When; KINDS.len()] = all_of(&EACH_LIMITED);
/// Some control group has a quota.
pub(super) const QUOTAS: When = Any(&[LIMITED, Any(&ANY_LIMITED)]);

/// Transactions are executions of a SELECT.
pub(super) const SELECTS: When = Is("workload", &["select"]);
/// It scans the table.
pub(super) const SCANS: When = All(&[SELECTS, Is("access_path", &["full_scan"])]);
/// It reads an index.
pub(super) const INDEXED: When = All(&[SELECTS, Not(&Is("access_path", &["full_scan"]))]);
/// How many logical reads a transaction has is said.
pub(super) const READS_SAID: When = All(&[READ_BY_NUMBER, Not(&BATCH)]);
/// Transactions have logical reads by number.
pub(super) const READ_BY_NUMBER: When = Not(&Any(&[SELECTS, PARALLEL]));
/// Transactions are parallel queries.
pub(super) const PARALLEL: When = Is("workload", &["parallel_query"]);
/// Their slaves are on several instances.
pub(super) const SPREAD: When = All(&[PARALLEL, JOINED, Is("parallel_instances", &["all"])]);
/// They go to their coordinator or to a second set of slaves buffer by buffer.
pub(super) const ROWS_SENT: When = All(&[PARALLEL, Any(&[SECOND_SET, Is("pushdown", &["no"])])]);
/// Between scan and coordinator is a second set of slaves.
pub(super) const SECOND_SET: When = All(&[PARALLEL, Not(&Is("table_queue", &["coordinator"]))]);
/// Instances may be joined.
pub(super) const JOINS: When = Any(&[OLTP, PARALLEL, READERS]);
/// Hosts are joined.
pub(super) const JOINED: When = Not(&Is("interconnect", &["none"]));
/// Something goes over the interconnect.
pub(super) const ON_WIRE: When = Any(&[CLUSTER, SPREAD]);
/// Transactions change blocks.
pub(super) const OLTP: When = Is("workload", &["oltp"]);
/// Users' programs need CPU on the host.
pub(super) const CLIENTS: When = All(&[CALLED, CLOSED, Above("client_ms", 0.0)]);
/// Users may have programs that call the sessions; a session that ends is a script.
pub(super) const CALLED: When = All(&[OLTP, Not(&ENDS)]);
/// Instances are joined.
pub(super) const CLUSTER: When = All(&[Any(&[OLTP, READERS]), JOINED]);
/// The number of CPUs that an instance has by its own account says something.
pub(super) const COUNTED: When = Any(&[CAGED, CLUSTER, OLTP]);
/// How many blocks a table has: a scan gets all of them, and where instances share them one of many has to come.
pub(super) const BLOCKS_COUNT: When = Any(&[SCANS, All(&[SELECTS, Is("access_path", &["index"]), CLUSTER])]);
/// And their transactions change blocks.
pub(super) const SHARED: When = All(&[OLTP, JOINED]);
/// Sessions execute a SELECT; what else arrives has no blocks of its own.
const READERS: When = All(&[SELECTS, CLOSED]);
/// Heartbeats may count.
pub(crate) const HEARTBEATS: When = All(&[CLUSTER, Not(&Is("css_heartbeats", &["off"]))]);
/// And change them: what makes no redo changes nothing.
pub(super) const SHARED_CHANGES: When = All(&[SHARED, MAKES_REDO]);
/// Joined instances share blocks, and some have transactions.
pub(super) const SHARED_ANYWHERE: When = All(&[CLUSTER, Anywhere(&OLTP)]);
/// And some of these change them, if only that of a sequence.
pub(super) const CHANGED_ANYWHERE: When = All(&[CLUSTER, Anywhere(&CHANGES)]);
const CHANGES: When = Any(&[SHARED_CHANGES, SEQUENCES]);
const MAKES_REDO: When = Above("redo_bytes_per_transaction", 0.0);
/// Transactions make redo: what makes none changes nothing.
pub(super) const LOGGED: When = All(&[OLTP, MAKES_REDO]);
/// Messages are taken apart by the CPU.
pub(super) const FRAGMENTS: When = All(&[ON_WIRE, Not(&Is("interconnect", &["InfiniBand"]))]);
/// Sessions keep shared blocks pinned.
pub(super) const PINS: When = All(&[SHARED, Above("gc_pin_us", 0.0)]);
/// Messages to LMS go by UDP.
pub(super) const LOSES: When = All(&[CLUSTER, Not(&Is("interconnect", &["InfiniBand"]))]);
/// How often a block waits for redo is given.
pub(super) const GIVEN_FLUSH: When = All(&[CLUSTER, Is("gc_log_flush", &["given"])]);
/// Transactions take values from a sequence.
pub(super) const SEQUENCES: When = All(&[OLTP, Above("sequence_values_per_transaction", 0.0)]);
/// Values are kept in the instance.
pub(super) const FLUSHED: When = All(&[SEQUENCES, Above("sequence_cache", 1.0)]);
/// Joined instances share the sequence.
pub(super) const TRANSFERS: When = All(&[SHARED, SEQUENCES]);
/// Joined instances share a sequence, whoever takes values: each sees to its locks.
pub(super) const LOCKED: When = All(&[CLUSTER, Anywhere(&SEQUENCES)]);
/// What locks and the block take is given.
pub(super) const GIVEN_TRANSFERS: When = All(&[TRANSFERS, Is("sequence_transfers", &["given"])]);
/// All transactions change the same blocks.
pub(super) const CONTENDED: When = All(&[OLTP, MAKES_REDO, Above("contended_blocks", 0.0)]);
/// Values go into an index whose leaves are among blocks that wait for one another.
pub(super) const INSERTED: When = All(&[SEQUENCES, MAKES_REDO, Any(&[SHARED_LEAVES, OWN_LEAVES])]);
const SHARED_LEAVES: When = All(&[JOINED, Above("shared_blocks", 0.0)]);
const OWN_LEAVES: When = All(&[Not(&JOINED), Above("contended_blocks", 0.0)]);
/// Some transactions are queries.
pub(super) const QUERIES: When = All(&[OLTP, Above("query_percent", 0.0)]);
/// Transactions read from disk.
pub(super) const READS: When = All(&[OLTP, Any(&[Above("physical_reads_per_transaction", 0.0), READING])]);
const READING: When = All(&[QUERIES, Above("physical_reads_per_query", 0.0)]);
/// Reads from disk may need leave from another instance.
pub(super) const GRANTED: When = All(&[SHARED, Any(&[READS, READS_UNDO])]);
/// And some of those that copies are built of are undo.
const READS_UNDO: When = Anywhere(&All(&[CHANGES, Above("gc_undo_uncached_percent", 0.0)]));
/// Commits wait.
pub(super) const WAITS_FOR_COMMIT: When = All(&[OLTP, Is("commit_wait", &["wait"])]);
/// And may look themselves.
pub(super) const POLLS: When = All(&[WAITS_FOR_COMMIT, Is("log_file_sync", &["polling", "adaptive"])]);
/// A call may be a loop of transactions that change blocks.
pub(super) const LOOPS: When =
    All(&[OLTP, Not(&Above("calls_per_transaction", 1.0)), Not(&Above("query_percent", 0.0))]);
/// Commits do not wait, and post or do not.
pub(super) const POSTS_AT_COMMIT: When = All(&[OLTP, Is("commit_wait", &["nowait"])]);
/// Some requests of the data files are slow.
pub(super) const DATA_SLOW: When = All(&[OLTP, Above("data_slow_percent", 0.0)]);
/// Logs have devices of their own.
pub(super) const REDO_APART: When = All(&[OLTP, Is("redo_storage", &["own"])]);
