//! The databases of instances: set up as after hours of running, looked up, and posts to their processes.
use crate::config::database::{DatabaseConfig, DeviceConfig, WRITERS_WAKE};
use crate::config::kinds::KindId;
use crate::config::{Arrivals, Config, InstanceConfig};
use crate::ids::{DeviceId, Pid};
use crate::instance::answering;
use crate::instance::cache::{Cache, Sizes};
use crate::instance::database::{capacity, Contended, Database, Ear, Foreground, Load, Looks, Nextval, Writer};
use crate::instance::pins::Pins;
use crate::instance::redo::Redo;
use crate::measure::chronicle::Moment;
use crate::measure::database::Sum;
use crate::meet::device::Device;
use crate::program::{Item, On, Program, Step};
use crate::world::World;
use std::collections::VecDeque;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

pub mod fills;

/// The replication number of the pilot of all starts, so that it draws other numbers than those that count.
const PILOT: u32 = u32::MAX;
/// So many times, each from what the one before said, where blocks are shared: who runs faster holds more of them.
const ROUNDS: u64 = 3;
/// It runs so long before it is looked at …
const PILOT_WARMS: Ns = Ns(100_000_000);
/// … and then so long, each for so many events at most.
const PILOT_LOOKS: Ns = Ns(1_000_000_000);
const PILOT_EVENTS: u64 = 30_000;
/// How writers look that have nothing to do.
const IDLE: Looks = Looks { apart: WRITERS_WAKE, busy: 0.0 };

/// How fast an instance with a database runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pace {
    /// Transactions that change blocks in a nanosecond.
    pub commits: f64,
    /// What one of them takes of the log, with what writes leave empty of their last blocks \[bytes\]; 0: not known.
    pub redo: f64,
}

impl World {
    /// How fast each instance with a database runs, from a short run; empty where there is none. They
    /// say how far behind the writers of such a load are after hours, which no short run could come to. Takes `most`
    /// events at most; returns how many, too.
    pub fn paces(config: &Config, most: u64) -> (Vec<Pace>, u64) {
        if config.instances.iter().all(|instance| instance.others.database.is_none()) {
            return (Vec::new(), 0);
        }
        let rounds = if hangs_on_blocks(config) { ROUNDS } else { 1 };
        let (mut paces, mut all) = (Vec::new(), 0);
        for _ in 0..rounds {
            let (found, events) = World::pilot(config, PILOT, &paces, most / rounds);
            (paces, all) = (found, all + events);
        }
        (paces, all)
    }

    /// The same for one start, from what is known for all. Where its beginning hangs on it for minutes each start looks
    /// for itself from there, so that what a short run errs by is no error that all of them share and no interval knows
    /// of.
    pub fn paces_of(config: &Config, replication: u32, paces: &[Pace], most: u64) -> (Vec<Pace>, u64) {
        let is_between = |(of, &pace): (&InstanceConfig, &Pace)| match of.others.database.as_deref() {
            Some(database) if pace.commits > 0.0 => load(database, pace).may_meet(can(database, pace), reach(database)),
            _ => false,
        };
        if hangs_on_blocks(config) || config.instances.iter().zip(paces).any(is_between) {
            return World::pilot(config, PILOT - 1 - replication, &passed_round(config, replication, paces), most);
        }
        (paces.to_vec(), 0)
    }

    fn pilot(config: &Config, replication: u32, paces: &[Pace], most: u64) -> (Vec<Pace>, u64) {
        let each = (most / 2).min(PILOT_EVENTS);
        let mut pilot = World::paced(config, replication, paces);
        pilot.keep_no_ledger();
        let spread = config.instances.iter().map(|instance| match instance.workload.arrivals {
            Arrivals::Closed { start_spread, think, .. } => start_spread.max(think),
            _ => Ns::ZERO,
        });
        let begins = spread.max().unwrap_or(Ns::ZERO).plus(PILOT_WARMS);
        pilot.run(begins, each);
        let made = |pilot: &World| -> Vec<u64> {
            pilot.databases.iter().map(|database| database.as_ref().map_or(0, |of| of.redo.made)).collect()
        };
        let before = (pilot.accounts.databases.clone(), made(&pilot));
        let from = pilot.now;
        pilot.run(begins.plus(PILOT_LOOKS), each);
        let span = (pilot.now - from).0.max(1) as f64;
        let pace = |(instance, made): (usize, u64)| {
            let commits = pilot.accounts.databases[instance].since(&before.0[instance]).get(Sum::Commits) as f64;
            let redo = if commits > 0.0 { (made - before.1[instance]) as f64 / commits } else { 0.0 };
            Pace { commits: commits / span, redo }
        };
        let paces = made(&pilot).into_iter().enumerate().map(pace).collect();
        (paces, pilot.accounts.events)
    }

    /// Whether an instance has transactions that change blocks.
    pub(crate) fn has_database(&self, instance: usize) -> bool {
        self.databases[instance].is_some()
    }

    /// The database of an instance whose processes ask for it.
    #[inline]
    pub(crate) fn database(&self, instance: usize) -> &Database {
        match &self.databases[instance] {
            Some(database) => database,
            None => unreachable!("only processes of a database ask for it"),
        }
    }

    /// As [`World::database`], to change it.
    #[inline]
    pub(crate) fn database_mut(&mut self, instance: usize) -> &mut Database {
        match &mut self.databases[instance] {
            Some(database) => database,
            None => unreachable!("only processes of a database ask for it"),
        }
    }

    /// Sets the databases of all instances up: where `paces` says how many transactions each runs in a nanosecond, with
    /// writers as far behind as they are then after hours. A run that ends begins with nothing to write.
    pub(crate) fn start_databases(&mut self, paces: &[Pace]) {
        for instance in 0..self.config.instances.len() {
            let config = self.config.instances[instance].others.database.as_deref().cloned();
            let pace = paces.get(instance).copied().unwrap_or_default();
            let database = config.map(|config| Box::new(self.new_database(instance, config, pace)));
            self.databases.push(database);
        }
    }

    fn stream(&self, instance: usize, purpose: &str) -> Stream {
        Stream::new(self.config.seed, self.replication, "database", instance as u64, purpose)
    }

    fn new_device(&mut self, of: DeviceConfig, stream: Stream) -> DeviceId {
        self.devices.push(Device::new(of.width, of.service, stream));
        DeviceId(self.devices.len() as u16 - 1)
    }

    fn new_ear(&mut self) -> Ear {
        Ear { queue: self.new_queue(None), is_awake: false, looks_again: false }
    }

    fn new_database(&mut self, instance: usize, config: DatabaseConfig, pace: Pace) -> Database {
        let data = self.new_device(config.data, self.stream(instance, "data"));
        let member = |world: &mut World, number: u32| match config.redo {
            Some(of) => world.new_device(of, world.stream(instance, &format!("log {number}"))),
            None => data,
        };
        let members = (0..config.log.members).map(|number| member(self, number)).collect();
        let mut writer = |_| Writer {
            ear: self.new_ear(),
            completions: self.new_queue(None),
            under_way: 0,
            batch: Vec::new(),
            put_off: Vec::new(),
            posts: VecDeque::new(),
            told: 0,
            serves_waiting: false,
            chose: 0,
        };
        let writers = (0..config.writers.count).map(&mut writer).collect();
        let mut draws = self.stream(instance, "draws");
        let log = config.log;
        let filled = draws.below(log.size.max(1)) / log.block * log.block;
        let (lag, looks) = if self.config.ends() { (0, IDLE) } else { before(&config, pace, filled) };
        let mut ahead = self.stream(instance, "ahead");
        let (load, most) = (load(&config, pace), can(&config, pace));
        let mut database = Database {
            redo: Redo::new(log.size, log.groups, log.buffer, filled, lag).in_blocks(log.block),
            cache: Cache::new(sizes(&config), self.stream(instance, "changes")),
            summed: self.now,
            data,
            members,
            lgwr: self.new_ear(),
            written: self.new_queue(None),
            left: 0,
            write_began: Ns::ZERO,
            posts: VecDeque::new(),
            pace: answering::Pace::new(config.log.answering, config.redo_write()),
            ckpt: self.new_ear(),
            recorded: self.new_queue(None),
            hurries: false,
            has_asked: false,
            writers,
            looks,
            foregrounds: Vec::new(),
            pins: Pins::default(),
            free: Vec::new(),
            past: VecDeque::new(),
            aged: 0,
            draws,
            classes: self.stream(instance, "classes"),
            config,
        };
        database.remembers(pace.commits * load.redo);
        database.ages(&load, most, &mut ahead);
        // Where nothing is dirty nothing is behind.
        let oldest = database.cache.oldest().unwrap_or(database.redo.made);
        database.redo.record_checkpoint(oldest);
        database
    }

    /// When background processes of an instance first look by themselves that look whenever nobody has posted them for
    /// so long, each at a moment of its own: no start finds them in step, nor where another does.
    pub(crate) fn first_wakes(&self, instance: usize, purpose: &str) -> impl FnMut() -> Ns {
        let mut moments = self.stream(instance, purpose);
        move || Ns(1 + moments.below(WRITERS_WAKE.0))
    }

    /// Starts a background process of a database with the key of its streams, asleep until it is posted or a moment
    /// comes.
    pub(crate) fn start_asleep(&mut self, instance: usize, (program, key): (Program, u64), ear: Ear, until: Ns) {
        let pid = self.admit(program, self.config.instances[instance].node, instance as u16, key);
        self.born(pid, On::Items(ear.queue, 1), Some(until));
    }

    /// A place for a session of an instance with a database.
    pub(crate) fn new_foreground(&mut self, instance: usize) -> u32 {
        if let Some(free) = self.database_mut(instance).free.pop() {
            return free;
        }
        let of = &self.database(instance).config;
        let is_closed = matches!(self.config.instances[instance].workload.arrivals, Arrivals::Closed { .. });
        // Who comes for one transaction calls itself.
        let (sets, has_client) = (of.cache.sets as usize, of.transaction.client > Ns::ZERO && is_closed);
        let (calls, posts) = (self.new_channel(None), self.new_queue(None));
        let client = has_client.then(|| self.new_channel(None));
        let foregrounds = &mut self.database_mut(instance).foregrounds;
        let set = foregrounds.len() % sets;
        foregrounds.push(Foreground {
            calls,
            posts,
            client,
            wait: 0,
            done: 0,
            rest: None,
            ended: 0,
            is_query: false,
            changes: (0, 0),
            buffers: Vec::new(),
            lacks_clean: false,
            reads_left: 0,
            taken: 0,
            set,
            end: 0,
            came: Ns::ZERO,
            polls: false,
            leaves_word: false,
            gets: (0, 0),
            contended: Contended::default(),
            values: 0,
            inserts: VecDeque::new(),
            nextval: Nextval::Out,
            get: None,
            pinned: None,
            request: None,
            has_leave: false,
        });
        foregrounds.len() as u32 - 1
    }

    /// A session that is gone waits for nothing in its database.
    pub(crate) fn leave_database(&mut self, pid: Pid) {
        let Program::Foreground(at) = self.tasks[pid.i()].program else { return };
        let instance = self.processes[pid.i()].instance as usize;
        let request = self.database_mut(instance).foregrounds[at.number as usize].request.take();
        if let Some(id) = request.filter(|_| !self.has_left(instance)) {
            self.abandon(id);
        }
        self.leave_pins(instance, at.number);
        let database = self.database_mut(instance);
        let me = &mut database.foregrounds[at.number as usize];
        (me.done, me.ended, me.reads_left, me.taken, me.values) = (0, 0, 0, 0, 0);
        let nextval = std::mem::take(&mut me.nextval);
        (me.gets, me.get, me.has_leave) = ((0, 0), None, false);
        me.contended = Contended::default();
        let kept = std::mem::take(&mut me.buffers);
        me.lacks_clean = false;
        me.wait += 1;
        let posts = me.posts;
        kept.into_iter().for_each(|buffer| database.cache.release(buffer));
        database.forget(posts);
        database.free.push(at.number);
        self.leave_sequence(pid, nextval);
    }

    /// The step by which a process posts the log writer, unless that is awake.
    pub(crate) fn post_lgwr(&mut self, instance: usize) -> Option<Step> {
        post(&mut self.database_mut(instance).lgwr)
    }

    /// The step by which a process posts the checkpoint process, unless that is awake.
    pub(crate) fn post_ckpt(&mut self, instance: usize) -> Option<Step> {
        post(&mut self.database_mut(instance).ckpt)
    }

    /// The step by which a process posts a database writer, unless that is awake.
    pub(crate) fn post_writer(&mut self, instance: usize, writer: usize) -> Option<Step> {
        post(&mut self.database_mut(instance).writers[writer].ear)
    }

    /// The same for the writer of a set.
    pub(crate) fn post_writer_of(&mut self, instance: usize, set: usize) -> Option<Step> {
        let writers = self.database(instance).writers.len();
        self.post_writer(instance, set % writers)
    }

    /// Notes what a database is like now, where that is asked for and due.
    #[inline]
    pub(crate) fn note_database(&mut self, instance: usize) {
        let now = self.now;
        let (Some(chronicle), Some(database)) = (self.chronicles.get_mut(instance), &self.databases[instance]) else {
            return;
        };
        let redo = &database.redo;
        if !chronicle.is_due(now, redo.is_stalled) {
            return;
        }
        let sums = &self.accounts.databases[instance];
        let writers = self.config.group(KindId::DBWR, instance);
        let oldest = database.cache.oldest().unwrap_or(redo.made);
        chronicle.note(Moment {
            at: now,
            commits: sums.get(Sum::Commits),
            commits_written: sums.get(Sum::CommitsWritten),
            log_writes: sums.get(Sum::LogWrites),
            writer_time: self.accounts.groups[writers].cpu_time() as u64,
            room: redo.room(),
            late: redo.wanted().map_or(0, |to| to.saturating_sub(oldest)),
            is_stalled: redo.is_stalled,
        });
    }

    /// Brings the time integral of dirty buffers and the time in stalls up to now.
    pub(crate) fn sum_dirty(&mut self, instance: usize) {
        let now = self.now;
        let Some(database) = &mut self.databases[instance] else { return };
        let span = (now - database.summed).0;
        database.summed = now;
        let sums = &mut self.accounts.databases[instance];
        sums.count(Sum::DirtyTime, span * u64::from(database.cache.dirty()));
        sums.count(Sum::StallTime, span * u64::from(database.redo.is_stalled));
    }
}

/// Whether closed sessions share blocks: who holds which hangs on how fast each instance runs.
fn hangs_on_blocks(config: &Config) -> bool {
    let shares = |of: &InstanceConfig| {
        let is_closed = matches!(of.workload.arrivals, Arrivals::Closed { .. });
        is_closed && of.others.lms.as_ref().is_some_and(|lms| lms.reads + lms.changes > 0.0)
    };
    config.cluster.is_some() && config.instances.iter().any(shares)
}

/// What instances that are alike run at is passed on among them from start to start: which of them holds the blocks,
/// and so runs faster, is chance, and stays as it is for minutes. Were it the same one in all starts no interval would
/// know of it.
pub(crate) fn passed_round(config: &Config, replication: u32, paces: &[Pace]) -> Vec<Pace> {
    let is_alike = |a: &InstanceConfig, b: &InstanceConfig| {
        config.nodes[a.node] == config.nodes[b.node] && *a == InstanceConfig { node: a.node, ..b.clone() }
    };
    let all = || config.instances.iter().zip(paces);
    let own = |at: &InstanceConfig| all().filter(|(of, _)| is_alike(at, of)).collect::<Vec<_>>();
    let of = |(at, _): (&InstanceConfig, &Pace)| {
        let alike = own(at);
        let place = alike.iter().position(|(of, _)| std::ptr::eq(*of, at)).unwrap_or(0);
        *alike[(place + replication as usize) % alike.len()].1
    };
    all().map(of).collect()
}

/// Blocks that the writers can write in a transaction that changes any, at so many of these in a nanosecond; any number
/// where that is not known.
fn can(config: &DatabaseConfig, pace: Pace) -> f64 {
    if pace.commits <= 0.0 {
        return f64::INFINITY;
    }
    let reads = pace.commits * load(config, pace).reads;
    capacity(config, reads / f64::from(config.transaction.read_blocks)) / pace.commits
}

/// What the writers have to do for each transaction.
fn load(config: &DatabaseConfig, pace: Pace) -> Load {
    Load::of(config, if pace.redo > 0.0 { pace.redo } else { config.transaction.redo })
}

/// Size of a log \[bytes\], and how many there are.
fn reach(config: &DatabaseConfig) -> (f64, f64) {
    (config.log.size as f64, f64::from(config.log.groups))
}

fn sizes(config: &DatabaseConfig) -> Sizes {
    let of = config.cache;
    Sizes {
        buffers: of.buffers,
        sets: of.sets,
        hot: of.hot,
        hot_share: of.hot_share,
        scan_share: of.scan_share,
        large_dirty: of.large_dirty,
    }
}

/// Time between two looks of a writer that is done so far behind \[ns\]: 3 s, or less where a log is full or the list
/// of one of its sets is long before that.
fn apart(config: &DatabaseConfig, pace: Pace, lag: f64) -> f64 {
    let cache = config.cache;
    let load = load(config, pace);
    let found = pace.commits * load.reads * load.dirty(lag) / f64::from(cache.buffers);
    let list = f64::from(cache.large_dirty) * f64::from(config.writers.count) / found;
    (WRITERS_WAKE.0 as f64).min(config.log.size as f64 / (pace.commits * load.redo)).min(list)
}

/// How far the writers are behind \[bytes\] in a run that does not end, in a pilot that knows nothing a log; and when
/// they look.
pub(super) fn before(config: &DatabaseConfig, pace: Pace, filled: u64) -> (u64, Looks) {
    let (log, query) = (config.log, config.query);
    if query.share >= 1.0 {
        return (0, IDLE);
    }
    let made = pace.commits * load(config, pace).redo;
    let aged = if config.checkpoint.timeout > Ns::ZERO && made > 0.0 {
        config.checkpoint.timeout.0 as f64 * made
    } else {
        f64::INFINITY
    };
    if pace.commits <= 0.0 {
        let limit = if config.checkpoint.lag < log.size * 9 / 10 { config.checkpoint.lag } else { log.size };
        let busy = f64::from(u8::from(config.transaction.changes > 0.0));
        return (limit.min(log.size), Looks { busy, ..IDLE });
    }
    let least = (config.checkpoint.lag as f64).min(aged);
    let apart = apart(config, pace, least);
    let (load, can, reach) = (load(config, pace), can(config, pace), reach(config));
    let kept = (least + 0.5 * apart * made).min((reach.1 - 1.0) * reach.0);
    let behind = load.lag(can, reach, (kept, filled as f64));
    let busy = if behind > kept { 1.0 } else { (load.writes(kept) / can).min(1.0) };
    (behind as u64, Looks { apart: Ns(apart as u64), busy })
}

fn post(ear: &mut Ear) -> Option<Step> {
    ear.must_wake().then_some(Step::Put(ear.queue, Item::default()))
}
