//! Where the time went. One function writes a process's activity ([`Accounts::leave`] under `World::enter`), and
//! everything else here is sums.
use crate::host::fluid::LACK_BITS;
use crate::host::topology::Q;
use crate::measure::cluster::ClusterSums;
use crate::measure::database::DatabaseSums;
use crate::measure::each::Each;
use crate::measure::events::{Activity, ByActivity, COUNT};
use crate::measure::ledger::Book;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::histogram::Histogram;
use wwi_kernel::time::Ns;

/// Sums over one accounting group: the sessions of an instance, or the background processes of a node.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Time in each activity \[ns\].
    pub time: ByActivity<u64>,
    /// Stays in each activity that ended.
    pub stays: ByActivity<Histogram>,
    /// Work done, fixed point of [`crate::host::topology`].
    pub work: u128,
    /// What was left of the last nanosecond of a stretch of work, in speed time.
    pub rounding: u64,
    /// Time in run queues \[ns\] by what came before it: after a wait from its wake-up to the first instruction, which
    /// the database books as part of that wait; after running, that of who had to give way.
    pub queued: ByActivity<u64>,
    /// Of sessions waits as the database clocks them, by activity: each to the first instruction after it, when that
    /// comes. Of others none: of all kinds they would take too much memory.
    pub clocked: Vec<Histogram>,
    /// Transactions (or bursts) that ended.
    pub transactions: u64,
    /// From the start of a transaction to its end.
    pub response: Histogram,
    /// Switches because a process blocked.
    pub voluntary: u64,
    /// Switches because a process had to give way.
    pub involuntary: u64,
    /// Of these, those of sessions that had told their clients.
    pub answered: u64,
    /// Dispatches on another thread than the last.
    pub migrations: u64,
    /// Of these, on another socket.
    pub socket_migrations: u64,
    /// Work asked for by segments that ended, fixed point.
    pub asked: u128,
    /// Logical reads of segments that ended, in units of 2⁻²⁰.
    pub reads: u128,
    /// At the last cut: those of segments under way. Of a difference: by how much that grew.
    pub open_reads: i128,
    /// At the last cut: work done in transactions under way, fixed point. Of a difference: by how much that grew.
    pub open_work: i128,
    /// At the last cut: age of transactions under way \[ns\]. Of a difference: by how much that grew.
    pub open_time: i128,
    /// Age of transactions whose process was ended before them, and how long sessions were on their way from the end of
    /// one to their next wait \[ns\].
    pub abandoned: u64,
    /// Core capacity used as the processor utilisation resource register counts it, fixed point.
    pub purr: u128,
    /// Under processor sharing: time by which those who have work have less than a thread each, in parts of 2 to the
    /// power of [`LACK_BITS`] of a nanosecond.
    pub lacked: u128,
    /// The loss ledger.
    pub book: Book,
}

/// Sums over one host.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostSums {
    /// Thread time spent on switching and refilling caches \[ns\].
    pub switching: u64,
    /// Thread time spent spinning \[ns\].
    pub spinning: u64,
    /// Dispatches that changed the process on a thread.
    pub switches: u64,
    /// Thread time owed for those \[ns\].
    pub switch_cost: u64,
    /// Periods of `cpu.max` that count (`nr_periods`).
    pub periods: u64,
    /// Of those such as ended with a thread throttled (`nr_throttled`).
    pub throttled: u64,
    /// Stays on threads that ended, and their length \[ns\].
    pub stays: u64,
    /// Their length \[ns\].
    pub stay_time: u64,
    /// Requests that came for the server.
    pub requests: u64,
    /// Threads idle of which no process makes use, \[ns\].
    pub no_work: u64,
    /// Under processor sharing: what cannot be shared out in whole numbers, in speed time.
    pub undealt: u128,
}

/// Sums over the sessions of an instance at their door.
#[derive(Clone, Copy, Debug, Default)]
pub struct CageSums {
    /// Slot time held by sessions \[ns\].
    pub held: u128,
    /// Slot time empty while a session waited \[ns\].
    pub empty: u128,
    /// Transactions that came by themselves, let in or not.
    pub arrived: u64,
}

/// All sums of a run since its start.
#[derive(Clone, Debug, Default)]
pub struct Accounts {
    /// By accounting group.
    pub groups: Arena<Group>,
    /// By host.
    pub hosts: Arena<HostSums>,
    /// By hardware thread: (busy, idle) \[ns\].
    pub threads: Arena<(u64, u64)>,
    /// By instance.
    pub cages: Arena<CageSums>,
    /// By process, of kinds that have few.
    pub each: Each,
    /// By instance.
    pub databases: Vec<DatabaseSums>,
    /// Between instances.
    pub cluster: ClusterSums,
    /// Events taken from the calendar.
    pub events: u64,
    /// How long, up to the last cut \[ns\].
    pub span: u64,
}

impl Group {
    /// Books the end of a stay: `booked` since the last cut, `whole` since the activity began.
    #[inline]
    pub fn leave(&mut self, activity: Activity, booked: Ns, whole: Ns) {
        self.leave_here(activity, booked, whole);
    }

    /// As [`Group::leave`], without a call: for where most events pass through.
    #[inline(always)]
    pub fn leave_here(&mut self, activity: Activity, booked: Ns, whole: Ns) {
        self.time[activity.i()] += booked.0;
        self.stays[activity.i()].record(whole);
    }

    /// Books a wait when the first instruction after it comes, or when it turns out to have none.
    #[inline(never)]
    pub fn clock(&mut self, wait: Activity, whole: Ns) {
        if let Some(clocked) = self.clocked.get_mut(wait.i()) {
            clocked.record(whole);
        }
    }

    /// Time on threads \[ns\].
    pub fn cpu_time(&self) -> f64 {
        self.time[Activity::RUNNING.i()] as f64 - self.lacked as f64 / (1u64 << LACK_BITS) as f64
    }

    /// Logical reads, those of segments under way in proportion to the work done.
    pub fn logical_reads(&self) -> f64 {
        (self.reads as i128 + self.open_reads) as f64 / f64::from(1 << Q)
    }

    /// One of the same kind to which nothing has happened yet.
    pub fn empty(&self) -> Group {
        Group { clocked: vec![Histogram::default(); self.clocked.len()], ..Group::default() }
    }

    /// Its distributions, each once.
    pub fn distributions(&mut self) -> impl Iterator<Item = &mut Histogram> {
        self.stays.iter_mut().chain(self.clocked.iter_mut()).chain([&mut self.response])
    }

    fn since(&self, earlier: &Group) -> Group {
        Group {
            time: ByActivity::from_fn(|a| self.time[a] - earlier.time[a]),
            stays: ByActivity::from_fn(|a| self.stays[a].since(&earlier.stays[a])),
            queued: ByActivity::from_fn(|a| self.queued[a] - earlier.queued[a]),
            clocked: self.clocked.iter().zip(&earlier.clocked).map(|(now, then)| now.since(then)).collect(),
            // A latch spin takes back work that was booked before the cut.
            work: self.work.saturating_sub(earlier.work),
            rounding: self.rounding - earlier.rounding,
            transactions: self.transactions - earlier.transactions,
            response: self.response.since(&earlier.response),
            voluntary: self.voluntary - earlier.voluntary,
            involuntary: self.involuntary - earlier.involuntary,
            answered: self.answered - earlier.answered,
            migrations: self.migrations - earlier.migrations,
            socket_migrations: self.socket_migrations - earlier.socket_migrations,
            asked: self.asked - earlier.asked,
            reads: self.reads - earlier.reads,
            open_reads: self.open_reads - earlier.open_reads,
            open_work: self.open_work - earlier.open_work,
            open_time: self.open_time - earlier.open_time,
            abandoned: self.abandoned - earlier.abandoned,
            purr: self.purr - earlier.purr,
            lacked: self.lacked - earlier.lacked,
            book: self.book.since(&earlier.book),
        }
    }

    fn add(&mut self, other: &Group) {
        self.clocked.resize(self.clocked.len().max(other.clocked.len()), Histogram::default());
        self.clocked.iter_mut().zip(&other.clocked).for_each(|(all, one)| all.add(one));
        for a in 0..COUNT {
            self.time[a] += other.time[a];
            self.queued[a] += other.queued[a];
            self.stays[a].add(&other.stays[a]);
        }
        self.work += other.work;
        self.rounding += other.rounding;
        self.transactions += other.transactions;
        self.response.add(&other.response);
        self.voluntary += other.voluntary;
        self.involuntary += other.involuntary;
        self.answered += other.answered;
        self.migrations += other.migrations;
        self.socket_migrations += other.socket_migrations;
        self.asked += other.asked;
        self.reads += other.reads;
        self.open_reads += other.open_reads;
        self.open_work += other.open_work;
        self.open_time += other.open_time;
        self.abandoned += other.abandoned;
        self.purr += other.purr;
        self.lacked += other.lacked;
        self.book.add(&other.book);
    }
}

impl Accounts {
    /// Empty sums.
    pub fn new(groups: usize, hosts: usize, threads: usize, instances: usize) -> Self {
        Accounts {
            groups: vec![Group::default(); groups].into(),
            hosts: vec![HostSums::default(); hosts].into(),
            threads: vec![(0, 0); threads].into(),
            cages: vec![CageSums::default(); instances].into(),
            each: Each::default(),
            databases: vec![DatabaseSums::default(); instances],
            cluster: ClusterSums::default(),
            events: 0,
            span: 0,
        }
    }

    /// How long they are of \[s\].
    pub fn span_s(&self) -> f64 {
        self.span as f64 / 1e9
    }

    /// Time that these hardware threads were busy, all together \[ns\].
    pub fn busy(&self, threads: Range<usize>) -> f64 {
        self.threads[threads].iter().map(|thread| thread.0).sum::<u64>() as f64
    }

    /// All distributions in turn, in one copy.
    #[inline(never)]
    fn each(&mut self, what: &mut dyn FnMut(&mut Histogram)) {
        for group in &mut self.groups {
            group.distributions().for_each(&mut *what);
        }
    }

    /// The distributions of all groups as bytes. They start anew, while sums go on: what is packed at one moment after
    /// another are windows that follow one another.
    pub fn pack(&mut self) -> Box<[u8]> {
        let mut bytes = Vec::new();
        self.each(&mut |d| d.pack(&mut bytes));
        bytes.into()
    }

    /// The books of all groups as bytes; their memory is given back.
    pub fn pack_books(&mut self) -> Box<[u8]> {
        let mut bytes = Vec::new();
        self.groups.iter_mut().for_each(|g| g.book.pack(&mut bytes));
        bytes.into()
    }

    /// Reads the books of as many groups.
    pub fn unpack_books(&mut self, mut bytes: &[u8]) {
        self.groups.iter_mut().for_each(|g| g.book.unpack(&mut bytes));
    }

    /// Adds the distributions of a window to those of as many groups.
    pub fn unpack(&mut self, mut window: &[u8]) {
        self.each(&mut |d| d.unpack(&mut window));
    }

    /// Distributions give their memory back, and what they hold save number, sum and maximum.
    pub fn release(&mut self) {
        self.each(&mut Histogram::release);
    }

    /// Memory that the sums and distributions of groups take, in bytes.
    pub fn heap_bytes(&self) -> usize {
        let of_group = |g: &Group| {
            let all = g.stays.iter().chain(&g.clocked).chain([&g.response]);
            let clocked = g.clocked.len() * size_of::<Histogram>();
            all.map(Histogram::heap_bytes).sum::<usize>() + clocked + g.book.heap_bytes() + size_of::<Group>()
        };
        self.groups.iter().map(of_group).sum::<usize>() + self.each.heap_bytes()
    }

    /// What came after `earlier`, an older copy.
    pub fn since(&self, earlier: &Accounts) -> Accounts {
        let mut later = self.clone();
        later.groups.iter_mut().zip(&earlier.groups).for_each(|(g, e)| *g = g.since(e));
        for (h, e) in later.hosts.iter_mut().zip(&earlier.hosts) {
            h.switching -= e.switching;
            h.spinning -= e.spinning;
            h.switches -= e.switches;
            h.switch_cost -= e.switch_cost;
            h.periods -= e.periods;
            h.throttled -= e.throttled;
            h.stays -= e.stays;
            h.stay_time -= e.stay_time;
            h.requests -= e.requests;
            h.no_work -= e.no_work;
            h.undealt -= e.undealt;
        }
        for (t, e) in later.threads.iter_mut().zip(&earlier.threads) {
            *t = (t.0 - e.0, t.1 - e.1);
        }
        for (c, e) in later.cages.iter_mut().zip(&earlier.cages) {
            c.held -= e.held;
            c.empty -= e.empty;
            c.arrived -= e.arrived;
        }
        later.each.subtract(&earlier.each);
        later.databases.iter_mut().zip(&earlier.databases).for_each(|(d, e)| *d = d.since(e));
        later.cluster = later.cluster.since(&earlier.cluster);
        later.events -= earlier.events;
        later.span -= earlier.span;
        later
    }

    /// Adds the sums of another replication; those of single processes stay as they are, for a start has its own.
    pub fn add(&mut self, other: &Accounts) {
        self.groups.iter_mut().zip(&other.groups).for_each(|(g, o)| g.add(o));
        for (h, o) in self.hosts.iter_mut().zip(&other.hosts) {
            h.switching += o.switching;
            h.spinning += o.spinning;
            h.switches += o.switches;
            h.switch_cost += o.switch_cost;
            h.periods += o.periods;
            h.throttled += o.throttled;
            h.stays += o.stays;
            h.stay_time += o.stay_time;
            h.requests += o.requests;
            h.no_work += o.no_work;
            h.undealt += o.undealt;
        }
        for (t, o) in self.threads.iter_mut().zip(&other.threads) {
            *t = (t.0 + o.0, t.1 + o.1);
        }
        for (c, o) in self.cages.iter_mut().zip(&other.cages) {
            c.held += o.held;
            c.empty += o.empty;
            c.arrived += o.arrived;
        }
        self.databases.iter_mut().zip(&other.databases).for_each(|(d, o)| d.add(o));
        self.cluster.add(&other.cluster);
        self.events += other.events;
        self.span += other.span;
    }
}
