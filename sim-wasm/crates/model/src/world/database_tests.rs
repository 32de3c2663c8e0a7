//! What an instance may never lose, over random scenarios, against books of its own: commits, redo, blocks and posts.
use super::database_books::{notes, Books};
use super::*;
use crate::config::database::*;
use crate::config::*;
use crate::ids::Reply;
use crate::measure::database::Sum;
use crate::meet::device::{ServiceTime, Shape, Slow};
use crate::program::foreground::Stage;
use crate::program::{ckpt, dbwr, lgwr, Program, Step};
use crate::testing::{cage, database, node, oltp, one, ordinary, SCHEDULERS};
use std::collections::BTreeMap;

struct Draw(Stream);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    /// Up to so much, none at all once in three.
    fn us(&mut self, most: u64) -> Ns {
        Ns::from_us(if self.one_in(3) { 0.0 } else { self.below(most) as f64 })
    }

    fn device(&mut self, width: u64, mean_us: u64) -> DeviceConfig {
        let shape = self.of(&[Shape::Constant, Shape::Exponential, Shape::Hyperexponential]);
        let slow = self.one_in(3).then_some(Slow { share: 0.05, times: 20.0 });
        let mean = Ns::from_us(10.0 + self.below(mean_us) as f64);
        let width = 1 + self.below(width) as u32;
        DeviceConfig { width, service: ServiceTime { mean, shape, slow }, is_async: !self.one_in(4) }
    }

    fn kind(&mut self, scheduler: Scheduler) -> KindConfig {
        let class = match scheduler {
            Scheduler::Cfs | Scheduler::Eevdf | Scheduler::O1 | Scheduler::Aix if self.one_in(4) => Class::Fifo,
            _ => Class::TimeSharing,
        };
        KindConfig { class, nice: self.below(40) as i32 - 20, ..ordinary() }
    }

    fn transaction(&mut self) -> TransactionConfig {
        TransactionConfig {
            calls: 1 + self.below(5) as u32,
            client: self.us(300),
            changes: self.below(100) as f64 / 10.0,
            redo: 200.0 + self.below(6000) as f64,
            reads: if self.one_in(2) { 0.0 } else { self.below(30) as f64 / 10.0 },
            read_blocks: self.of(&[1, 1, 4]),
            per_call: 1,
            commit_waits: !self.one_in(5),
            commit_posts: !self.one_in(5),
        }
    }

    fn log(&mut self) -> LogConfig {
        let block = self.of(&[1, 100, 496]);
        LogConfig {
            groups: 2 + self.below(4) as u32,
            size: (8_000 + self.below(150_000)) / block * block,
            block,
            transfer: self.of(&[0.0, 0.1, 1000.0]),
            switch_writes: self.of(&[1, 1, 3]),
            members: 1 + self.below(3) as u32,
            is_parallel: self.one_in(2),
            buffer: 7_000 + self.below(60_000),
            gather: self.us(60),
            gather_kb: self.us(10),
            after: self.us(300),
            post: self.us(40),
            call: self.us(20),
            answering: self.of(&[Answering::Post, Answering::Post, Answering::Poll, Answering::Adaptive]),
            sync_timeout: Ns::from_ms(2.0 + self.below(100) as f64),
            least_sleep: self.us(500),
        }
    }

    fn cache(&mut self) -> CacheConfig {
        let (sets, hot) = (1 + self.below(8) as u32, self.below(60) as u32);
        CacheConfig {
            buffers: hot + sets * (2 + self.below(40) as u32),
            sets,
            hot,
            hot_share: if hot == 0 { 0.0 } else { self.below(100) as f64 / 100.0 },
            changes_wait: self.one_in(3),
            scan_share: 0.1 + self.below(90) as f64 / 100.0,
            large_dirty: 1 + self.below(25) as u32,
        }
    }

    fn database(&mut self, scheduler: Scheduler) -> DatabaseConfig {
        let (log, cache) = (self.log(), self.cache());
        let writers = WriterConfig {
            count: (1 + self.below(8) as u32).min(cache.sets),
            block: self.us(50),
            batch_cost: self.us(50),
            batch: 1 + self.below(64) as u32,
            outstanding: 1 + self.below(64) as u32,
            whole_batch: self.one_in(2),
        };
        let timeout = Ns::from_ms(if self.one_in(3) { 30.0 + self.below(100) as f64 } else { 0.0 });
        let checkpoint = CheckpointConfig {
            lag: if self.one_in(3) { self.below(log.size) } else { log.size * 9 / 10 },
            timeout,
            work: self.us(50),
        };
        let blocks = cache.hot.min(self.of(&[0, 0, 1, 3]));
        DatabaseConfig {
            transaction: self.transaction(),
            contended: ContendedConfig { blocks, changes: self.of(&[0.3, 1.0, 2.5]), pin: self.us(300) },
            query: database().query,
            log,
            cache,
            writers,
            checkpoint,
            data: self.device(16, 3000),
            redo: if self.one_in(3) { None } else { Some(self.device(2, 1000)) },
            lgwr: self.kind(scheduler),
            dbwr: self.kind(scheduler),
            ckpt: self.kind(scheduler),
            client: self.kind(scheduler),
        }
    }
}

fn random(seed: u64) -> (Config, Vec<databases::Pace>) {
    let mut draw = Draw(Stream::new(seed, 0, "test", 0, "databases"));
    let scheduler = SCHEDULERS[seed as usize % SCHEDULERS.len()];
    let config = draw.database(scheduler);
    let sessions = 1 + draw.below(20) as u32;
    let mut instance = oltp(sessions, config);
    let think = draw.us(4000);
    instance.workload.arrivals = Arrivals::Closed { sessions, think, start_spread: Ns::from_ms(5.0) };
    if draw.one_in(5) {
        instance.workload.arrivals = Arrivals::Open { per_s: 100.0 + draw.below(1000) as f64 };
    }
    let mean = Ns::from_us(20.0 + draw.below(1500) as f64);
    instance.workload.demand = Demand { mean, shape: DemandShape::Exponential };
    let is_shared = scheduler == Scheduler::ProcessorSharing;
    instance.cage = (!is_shared && draw.one_in(4)).then(|| cage(1 + draw.below(4) as u32));
    let cores_per_socket = 1 + draw.below(8) as u32;
    let tick_hz = draw.of(&[100, 250, 1000]);
    let switch_direct = draw.us(5);
    let host = NodeConfig { cores_per_socket, scheduler, tick_hz, switch_direct, ..node() };
    let paces = if draw.one_in(2) {
        vec![]
    } else {
        vec![databases::Pace { commits: draw.below(3000) as f64 / 1e9, redo: 0.0 }]
    };
    (Config { seed, ..one(host, instance) }, paces)
}

/// What of a world's past tests look at together.
#[derive(Default)]
struct Met {
    commits: u64,
    switches: u64,
    stalls: u64,
    recorded: u64,
    rewrites: u64,
    chosen: u64,
    changeovers: u64,
    waits: crate::measure::events::ByActivity<u64>,
}

/// A run in pieces of random length; at each cut the machine could stop, the books are compared, and nobody waits for
/// a post that was lost.
fn runs(seed: u64, met: &mut Met) {
    let (config, paces) = random(seed);
    let case = format!("scenario {seed}");
    let mut world = World::paced(&config, 1, &paces);
    notes();
    let mut books = Books::new(&world, case.clone());
    let mut draw = Draw(Stream::new(seed, 0, "test", 1, "databases"));
    let until = Ns::from_ms(300.0 + draw.below(1500) as f64);
    let most = 1 + draw.below(3000);
    let mut is_over = false;
    while !is_over {
        is_over = world.run(until, 1 + draw.below(most)) || world.is_stalled;
        assert!(!world.is_stalled, "{case}: time stands still");
        // Arrivals may outrun their service.
        is_over |= world.processes.len() > 150 || world.accounts.events > 40_000;
        notes().into_iter().for_each(|note| books.note(note));
        books.crash();
        books.agree(&world);
        nobody_waits_in_vain(&world, &case);
        writers_keep_their_limits(&world, &case);
    }
    world.cut();
    adds_up(&world, &books, &case);
    super::ledger_tests::assert_ledger(&mut world, &case);
    let sums = &world.accounts.databases[0];
    met.commits += books.commits;
    met.switches += books.switches;
    met.stalls += sums.get(Sum::Stalls);
    met.recorded += books.recorded;
    met.rewrites += books.rewrites;
    met.chosen += books.chosen;
    met.changeovers += sums.get(Sum::Changeovers);
    for group in &world.accounts.groups {
        group.stays.iter().enumerate().for_each(|(event, stays)| met.waits[event] += stays.count());
    }
}

/// Counts of the run against the books; what a process has yet to learn of is at most one write of each.
fn adds_up(world: &World, books: &Books, case: &str) {
    let (sums, database) = (&world.accounts.databases[0], world.database(0));
    // Of hundreds of sessions on a few buffers none may have come to its end.
    assert!(books.commits > 0 || books.block_writes > 0, "{case}: nothing was done");
    assert_eq!(sums.get(Sum::Commits), books.commits, "{case}");
    assert_eq!(sums.get(Sum::Changes), books.changes - books.unmade(), "{case}");
    let redo = &database.redo;
    let in_buffer = if books.waits { redo.commits.len() as u64 } else { redo.unheard + redo.carried };
    let written = books.commits - in_buffer;
    assert_eq!(sums.get(Sum::CommitsWritten), written, "{case}: each commit counts for one write");
    assert_eq!(sums.get(Sum::Switches), books.switches, "{case}");
    assert_eq!(sums.get(Sum::Checkpoints), books.recorded, "{case}");
    let late = books.log_writes - sums.get(Sum::LogWrites);
    assert!(late <= 1, "{case}: {late} writes of the log are not counted");
    let under_way: u32 = database.writers.iter().map(|writer| writer.under_way).sum();
    let written = books.block_writes - sums.get(Sum::Writes);
    assert!(written <= u64::from(under_way), "{case}: {written} of {under_way}");
    let wasted = sums.get(Sum::Wasted);
    // What was made and what writes left empty, those under way included, are all that addresses have gone on by.
    assert_eq!(sums.get(Sum::Redo) + books.wasted, redo.made - books.began, "{case}");
    let under_way = books.wasted - wasted;
    assert!(under_way < database.config.log.block, "{case}: {under_way} of the last blocks of writes are not counted");
}

/// Places where posts are kept, or on their way: how many for each wait.
type Kept = BTreeMap<(QueueId, u32), u32>;

fn kept(world: &World) -> Kept {
    let database = world.database(0);
    let redo = &database.redo;
    let mut all: Vec<Reply> = redo.commits.iter().map(|commit| commit.reply).collect();
    all.extend(redo.for_buffer.iter().chain(&redo.for_log).chain(&database.posts));
    all.extend(redo.for_disk.iter().map(|waiter| waiter.1));
    all.extend(database.writers.iter().flat_map(|writer| &writer.posts));
    all.extend(database.cache.all_waiting().chain(database.pins.all_waiting()));
    for task in world.tasks.iter().filter(|task| !task.is_gone) {
        if let Program::Lgwr(lgwr::At::Posting(reply)) = task.program {
            all.push(reply);
        }
        // Who posts may lose its thread before it does, and pays for its switch first.
        if let Some(Step::Put(queue, item)) = task.stashed {
            all.push(Reply { queue, wait: item.tag });
        }
    }
    let sessions = database.foregrounds.iter().map(|session| session.posts);
    for queue in sessions.chain(database.writers.iter().map(|writer| writer.ear.queue)) {
        let mut copy = world.queues[queue.i()].clone();
        while let Some((item, _)) = copy.take(world.now, &mut Vec::new()) {
            all.push(Reply { queue, wait: item.tag });
        }
    }
    let mut kept = Kept::new();
    all.into_iter().for_each(|reply| *kept.entry((reply.queue, reply.wait)).or_default() += 1);
    kept
}

/// It waits, and has nothing to wake for but its time-out: no post has come, nor is one on its way.
fn sleeps(world: &World, pid: usize, queue: QueueId) -> bool {
    let calls = |task: &Task| queue == world.database(0).lgwr.queue && !task.is_gone && task.program.calls_lgwr();
    let posts = |task: &Task| matches!(task.stashed, Some(Step::Put(to, _)) if to == queue) || calls(task);
    let waits = world.processes[pid].activity == Activity::OFF;
    waits && world.queues[queue.i()].is_empty() && !world.tasks.iter().any(posts)
}

/// No writer has more writes under way than its sets' share of all, nor a larger batch than it may have.
fn writers_keep_their_limits(world: &World, case: &str) {
    let database = world.database(0);
    let (of, sets) = (database.config.writers, database.cache.sets() as u32);
    for (number, writer) in database.writers.iter().enumerate() {
        let own = (0..sets).filter(|set| set % of.count == number as u32).count() as u32;
        let share = if database.config.data.is_async { (of.outstanding * own / sets).max(1) } else { 1 };
        let batch = writer.batch.len() as u32;
        assert!(batch <= of.batch && writer.under_way + batch <= share, "{case}: writer {number}: {writer:?}");
        assert!(!of.whole_batch || batch == 0 || writer.under_way == 0, "{case}: writer {number} waits for all");
    }
}

fn nobody_waits_in_vain(world: &World, case: &str) {
    let (database, kept) = (world.database(0), kept(world));
    let mut pinned: Vec<_> = database.foregrounds.iter().filter_map(|session| session.pinned).collect();
    pinned.sort();
    assert!(pinned.windows(2).all(|two| two[0] != two[1]), "{case}: two sessions have {pinned:?}");
    let forgotten: Vec<_> = database.pins.forgotten().collect();
    assert!(forgotten.is_empty(), "{case}: nobody has {forgotten:?}, some wait, and none is posted");
    for (pid, task) in world.tasks.iter().enumerate().filter(|(_, task)| !task.is_gone) {
        match task.program {
            Program::Foreground(at) => waits_for_something(world, &kept, (at.number, at.stage), case),
            Program::Lgwr(lgwr::At::Asleep) if sleeps(world, pid, database.lgwr.queue) => log_writer_may(world, case),
            Program::Ckpt(ckpt::At::Asleep) if sleeps(world, pid, database.ckpt.queue) => checkpoint_may(world, case),
            Program::Dbwr(at) => {
                let writer = &database.writers[usize::from(at.number)];
                if world.processes[pid].activity == Activity::RDBMS_IPC_REPLY {
                    assert!(
                        kept.contains_key(&(writer.ear.queue, 0)) && !writer.put_off.is_empty(),
                        "{case}: nobody tells writer {} of redo",
                        at.number
                    );
                } else if world.now > Ns(1) && at.stage == dbwr::Stage::Asleep && sleeps(world, pid, writer.ear.queue) {
                    writer_may(world, usize::from(at.number), case);
                }
            }
            _ => {}
        }
    }
}

/// A session that waits for a post is in exactly one place from which that comes.
fn waits_for_something(world: &World, kept: &Kept, (number, stage): (u32, Stage), case: &str) {
    let database = world.database(0);
    let me = &database.foregrounds[number as usize];
    let is_told = match stage {
        Stage::Syncs => !me.polls,
        Stage::WaitsForBuffer | Stage::WaitsToChange(_) => true,
        _ => false,
    };
    if is_told {
        assert_eq!(kept.get(&(me.posts, me.wait)), Some(&1), "{case}: {stage:?} of session {number}");
    }
}

/// The log writer may sleep if nobody waits for what it could do. Redo alone may wait for 3 s.
fn log_writer_may(world: &World, case: &str) {
    let database = world.database(0);
    let redo = &database.redo;
    assert!(!database.lgwr.is_awake, "{case}: others believe that the log writer is awake");
    assert!(database.posts.is_empty() && redo.for_buffer.is_empty() && redo.for_disk.is_empty(), "{case}");
    assert!(redo.for_log.is_empty() || !redo.can_switch(), "{case}: a log is free");
    assert!(redo.for_log.is_empty() || database.has_asked, "{case}: nobody was told that a log is wanted");
    assert!(redo.commits.is_empty(), "{case}: commits wait for a log writer that sleeps: {:?}", redo.commits);
}

/// The checkpoint process may sleep if it has told of the last switch, and no log could be free that is wanted.
fn checkpoint_may(world: &World, case: &str) {
    let database = world.database(0);
    assert!(!database.ckpt.is_awake && !database.hurries, "{case}: the checkpoint process was not posted");
    if let Some(wanted) = database.redo.wanted() {
        let oldest = database.cache.oldest().unwrap_or(u64::MAX);
        let tells = |stage: dbwr::Stage| stage == dbwr::Stage::Posts;
        let is_told = world.tasks.iter().any(|task| matches!(task.program, Program::Dbwr(at) if tells(at.stage)));
        assert!(
            oldest < wanted || is_told,
            "{case}, {:?}: all before {wanted} is on disk and nobody records it",
            world.now
        );
    }
}

/// A writer may sleep if it has nothing under way, and neither a checkpoint nor somebody who waits for a buffer needs
/// what it could write. It is told of a log that is wanted by the checkpoint process.
fn writer_may(world: &World, number: usize, case: &str) {
    let database = world.database(0);
    let writer = &database.writers[number];
    assert!(!writer.ear.is_awake, "{case}: others believe that writer {number} is awake");
    assert!(writer.under_way == 0 && writer.batch.is_empty() && writer.posts.is_empty(), "{case}");
    assert!(writer.put_off.is_empty(), "{case}: {writer:?}");
    for set in database.sets_of(number) {
        let (first, wanted) = (database.cache.oldest_of(set), database.redo.wanted().unwrap_or(0));
        let is_told = database.has_asked && !database.hurries && !database.ckpt.is_awake;
        assert!(
            !is_told || first.is_none_or(|first| first >= wanted),
            "{case}, {:?}: {first:?} is older than {wanted}",
            world.now
        );
        let is_short = database.cache.is_short(set) && database.cache.listed(set) > 0;
        assert!(!is_short, "{case}, {:?}: somebody waits for a buffer of set {set}", world.now);
    }
}

/// A thousand transactions a second make 1 MB: with 0.9 of a log of 100 MB, half of the 3 s between two looks are
/// 1.5 MB more, or 3 MB where writes leave as much empty. Logs of 1 MB are full each second, and a target of half a
/// second's redo is 0.5 MB.
#[test]
fn writers_that_keep_up_begin_half_way_between_two_looks() {
    let begins = |size: u64, lag: u64, redo: f64| {
        let of = database();
        let transaction = TransactionConfig { changes: 4.0, ..of.transaction };
        let (log, checkpoint) = (LogConfig { size, ..of.log }, CheckpointConfig { lag, ..of.checkpoint });
        let pace = databases::Pace { commits: 1e-6, redo };
        let (lag, looks) = databases::before(&DatabaseConfig { transaction, log, checkpoint, ..of }, pace, 0);
        assert!(looks.busy < 1.0, "{looks:?}");
        (lag, looks.apart)
    };
    assert_eq!(begins(100_000_000, 90_000_000, 0.0), (91_500_000, Ns::from_s(3.0)));
    assert_eq!(begins(1_000_000, 500_000, 0.0), (1_000_000, Ns::from_s(1.0)));
    assert_eq!(begins(100_000_000, 90_000_000, 2000.0), (93_000_000, Ns::from_s(3.0)));
}

/// A limit on the distance of checkpoints is an aim. Four blocks a transaction, a thousand transactions a second, and a
/// device that writes a thousand blocks: after hours the writers are behind as far as three logs allow, whatever is
/// asked of them. With one that writes five thousand they keep it.
#[test]
fn a_limit_that_the_storage_cannot_keep_is_not_kept_from_the_start() {
    let begins = |service_us: f64, lag: u64, timeout: Ns| {
        let of = database();
        let (log, checkpoint) = (of.log, CheckpointConfig { lag, timeout, ..of.checkpoint });
        let log = LogConfig { size: 100_000_000, groups: 3, ..log };
        let transaction = TransactionConfig { changes: 4.0, redo: 1000.0, ..of.transaction };
        let cache = CacheConfig { hot: 0, hot_share: 0.0, ..of.cache };
        let service = ServiceTime { mean: Ns::from_us(service_us), ..of.data.service };
        let data = DeviceConfig { width: 1, service, ..of.data };
        let config = DatabaseConfig { transaction, cache, log, checkpoint, data, ..of };
        databases::before(&config, databases::Pace { commits: 1e-6, redo: 0.0 }, 0).0
    };
    assert_eq!(begins(1000.0, 5_000_000, Ns::ZERO), 200_000_000);
    assert_eq!(begins(1000.0, 90_000_000, Ns::from_s(5.0)), 200_000_000);
    assert_eq!(begins(200.0, 5_000_000, Ns::ZERO), 6_500_000);
    assert_eq!(begins(200.0, 90_000_000, Ns::from_s(5.0)), 6_500_000);
}

#[test]
fn nothing_is_lost_in_any_of_500_random_scenarios_wherever_they_stop() {
    let mut met = Met::default();
    (0..500).for_each(|seed| runs(seed, &mut met));
    let Met { commits, switches, stalls, recorded, rewrites, chosen, changeovers, waits } = met;
    let events = [
        Activity::LOG_FILE_SYNC,
        Activity::LOG_BUFFER_SPACE,
        Activity::LOG_SWITCH_COMPLETION,
        Activity::LOG_SWITCH_CHECKPOINT,
        Activity::FREE_BUFFER_WAITS,
        Activity::WRITE_COMPLETE_WAITS,
        Activity::BUFFER_BUSY_WAITS,
        Activity::RDBMS_IPC_REPLY,
        Activity::DB_FILE_SCATTERED_READ,
    ];
    let often = events.map(|event| waits[event.i()]);
    let sums = [commits, switches, stalls, recorded, rewrites, chosen, changeovers];
    assert!(often.iter().chain(&sums[..6]).all(|&times| times > 1000) && changeovers > 10, "{often:?} {sums:?}");
}

#[path = "database_starts_tests.rs"]
mod database_starts_tests;
