//! From the knobs of redo, writers and storage to what the model takes.

use crate::address::{ProcessKind, Scope};
use crate::check::class_demand_s;
use crate::config::{at_host, ends, kind_config};
use crate::scenario::Scenario;
use wwi_kernel::time::Ns;
use wwi_model::config::database as model;
use wwi_model::meet::device::{ServiceTime, Shape, Slow};

/// Bytes of a block.
const BLOCK: f64 = 8192.0;
/// How far a checkpoint may stay behind, as a share of the smallest log (Oracle Database Reference,
/// FAST_START_MTTR_TARGET: 90 % of the smallest log).
const LAG: f64 = 0.9;
/// Header of a block of a log \[bytes\] (S. Adams, Ixora, Oracle Log Block Size).
const REDO_HEADER: u64 = 16;
/// Share of a set's list that is looked through for a buffer to use: `_db_block_max_scan_pct`, 11.2.
const SCAN_SHARE: f64 = 0.4;
/// Dirty buffers found so that a writer is posted: `_db_large_dirty_queue`, 11.2.
const LARGE_DIRTY: u32 = 25;

/// Buffers in a cache of so many megabytes.
pub(crate) fn blocks(megabytes: f64) -> u32 {
    (megabytes * 1048576.0 / BLOCK) as u32
}

struct Reader<'a> {
    scenario: &'a Scenario,
    instance: usize,
}

impl Reader<'_> {
    fn number(&self, id: &str) -> f64 {
        self.scenario.instance_value(id, self.instance).as_number()
    }
    fn count(&self, id: &str) -> u32 {
        self.number(id) as u32
    }
    fn is(&self, id: &str, word: &str) -> bool {
        self.scenario.instance_value(id, self.instance).as_word() == word
    }
    fn us(&self, id: &str) -> Ns {
        Ns::from_us(self.number(id))
    }
    fn ms(&self, id: &str) -> Ns {
        Ns::from_ms(self.number(id))
    }
    /// Size of a block of a log \[bytes\].
    fn redo_block(&self) -> u64 {
        let word = self.scenario.instance_value("redo_block_bytes", self.instance).as_word();
        word.parse().unwrap_or(512)
    }

    /// Redo for which a block of a log has room \[bytes\].
    fn block_of_redo(&self) -> u64 {
        self.redo_block() - REDO_HEADER
    }

    /// How much longer a write of the log takes for each of its blocks \[ns\].
    fn ns_per_block(&self) -> f64 {
        match self.number("redo_io_mb_per_s") {
            limit if limit > 0.0 => self.redo_block() as f64 * 1e3 / limit,
            _ => 0.0,
        }
    }

    /// Redo for which so many whole blocks have room, a million bytes each of the knob's \[bytes\].
    fn blocks_of_redo(&self, id: &str) -> u64 {
        ((self.number(id) * 1e6) as u64 / self.redo_block()).max(1) * self.block_of_redo()
    }

    fn service(&self, kind: &str) -> ServiceTime {
        let id = |what: &str| format!("{kind}_{what}");
        let share = self.number(&id("slow_percent")) / 100.0;
        ServiceTime {
            mean: self.ms(&id("io_ms")),
            shape: match self.scenario.instance_value(&id("io_distribution"), self.instance).as_word() {
                "constant" => Shape::Constant,
                "hyperexponential" => Shape::Hyperexponential,
                _ => Shape::Exponential,
            },
            slow: (share > 0.0).then(|| Slow { share, times: self.number(&id("slow_times")) }),
        }
    }

    fn transaction(&self) -> model::TransactionConfig {
        let calls = self.count("calls_per_transaction");
        let is_loop = calls == 1 && self.number("query_percent") <= 0.0;
        model::TransactionConfig {
            calls,
            per_call: if is_loop { self.count("commits_per_call") } else { 1 },
            client: if self.is("arrivals", "closed") && !ends(self.scenario, self.instance) {
                self.ms("client_ms")
            } else {
                Ns::ZERO
            },
            changes: self.number("block_changes_per_transaction"),
            redo: self.number("redo_bytes_per_transaction"),
            reads: self.number("physical_reads_per_transaction"),
            read_blocks: self.count("blocks_per_read"),
            commit_waits: self.is("commit_wait", "wait"),
            commit_posts: self.is("commit_logging", "immediate"),
        }
    }

    fn contended(&self) -> model::ContendedConfig {
        model::ContendedConfig {
            blocks: self.count("contended_blocks"),
            changes: self.number("contended_changes_per_transaction"),
            pin: self.us("block_pin_us"),
        }
    }

    fn query(&self) -> model::QueryConfig {
        model::QueryConfig {
            share: self.number("query_percent") / 100.0,
            demand: Ns::from_s(class_demand_s(self.scenario, self.instance, "lio_per_query")),
            reads: self.number("physical_reads_per_query"),
        }
    }

    fn log(&self) -> model::LogConfig {
        model::LogConfig {
            groups: self.count("redo_log_groups"),
            size: self.blocks_of_redo("redo_log_mb"),
            block: self.block_of_redo(),
            transfer: self.ns_per_block(),
            switch_writes: self.count("log_switch_writes"),
            members: self.count("redo_log_members"),
            is_parallel: self.is("redo_log_writes", "parallel"),
            buffer: self.blocks_of_redo("log_buffer_mb"),
            gather: self.us("lgwr_gather_us"),
            gather_kb: self.us("lgwr_gather_us_per_kb"),
            after: self.us("lgwr_after_us"),
            post: self.us("lgwr_post_us"),
            call: self.us("lgwr_call_us"),
            answering: match () {
                () if self.is("log_file_sync", "polling") => model::Answering::Poll,
                () if self.is("log_file_sync", "adaptive") => model::Answering::Adaptive,
                () => model::Answering::Post,
            },
            sync_timeout: self.ms("log_file_sync_timeout_ms"),
            least_sleep: self.us("log_file_sync_min_sleep_us").max(self.least_of_system()),
        }
    }

    /// No sleep of a program is shorter: on Solaris a clock tick (illumos `cv_waituntil_sig`), which is 10 ms.
    fn least_of_system(&self) -> Ns {
        let node = self.scenario.instances[self.instance - 1].node;
        match self.scenario.node_value("os_scheduler", node).as_word() {
            "Solaris" => Ns::from_ms(10.0),
            _ => Ns::ZERO,
        }
    }

    fn cache(&self) -> model::CacheConfig {
        let buffers = blocks(self.number("db_cache_mb"));
        let hot = self.count("hot_buffers");
        let share = self.number("hot_change_percent") / 100.0;
        let contended = self.count("contended_blocks");
        model::CacheConfig {
            buffers,
            sets: self.count("cache_sets"),
            hot: hot.max(contended),
            hot_share: if hot > 0 { share } else { 0.0 },
            changes_wait: self.is("changes_wait_for_writes", "yes"),
            scan_share: SCAN_SHARE,
            large_dirty: LARGE_DIRTY,
        }
    }

    fn writers(&self) -> model::WriterConfig {
        model::WriterConfig {
            count: self.count("db_writer_processes").min(self.count("cache_sets")),
            block: self.us("dbwr_block_us"),
            batch_cost: self.us("dbwr_batch_us"),
            batch: self.count("dbwr_batch"),
            outstanding: self.count("dbwr_outstanding_writes"),
            whole_batch: self.is("dbwr_waits_for", "all"),
        }
    }

    fn checkpoint(&self) -> model::CheckpointConfig {
        let log = self.blocks_of_redo("redo_log_mb") as f64 * LAG;
        let recovery = self.number("fast_start_mttr_target") * self.number("recovery_mb_per_s") * 1e6;
        model::CheckpointConfig {
            lag: if recovery > 0.0 { log.min(recovery) } else { log } as u64,
            timeout: Ns::from_s(self.number("log_checkpoint_timeout")),
            work: self.us("ckpt_us"),
        }
    }
}

/// The database of an instance whose transactions change blocks.
pub(crate) fn database(scenario: &Scenario, instance: usize) -> Option<Box<model::DatabaseConfig>> {
    let reader = Reader { scenario, instance };
    if !reader.is("workload", "oltp") {
        return None;
    }
    let node = scenario.instances[instance - 1].node;
    let kind = |kind| kind_config(scenario, Scope { instance: Some(instance), ..at_host(kind, node) });
    let is_async = reader.is("disk_asynch_io", "yes");
    let device = |width, service| model::DeviceConfig { width, service, is_async };
    Some(Box::new(model::DatabaseConfig {
        transaction: reader.transaction(),
        contended: reader.contended(),
        query: reader.query(),
        log: reader.log(),
        cache: reader.cache(),
        writers: reader.writers(),
        checkpoint: reader.checkpoint(),
        data: device(reader.count("data_io_at_once"), reader.service("data")),
        redo: reader.is("redo_storage", "own").then(|| device(1, reader.service("redo"))),
        lgwr: kind(ProcessKind::LGWR),
        dbwr: kind(ProcessKind::DBWR),
        ckpt: kind(ProcessKind::CKPT),
        client: kind(ProcessKind::CLIENT),
    }))
}
