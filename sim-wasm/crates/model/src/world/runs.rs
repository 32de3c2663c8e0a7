//! Sessions that end: when each starts, when its last transaction is over, and with the last of all the run. What is
//! under way of their statements stands here, too ([`crate::measure::statements`]).
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::measure::statements::{StatementSums, WaitSums, NAMES};
use crate::world::calls::{OpenCall, MOST_NESTED};
use crate::world::run::{to_work, LONGEST_WORK};
use crate::world::World;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Where a replication stands in what comes round.
#[derive(Clone, Copy, Debug)]
pub struct Phases {
    /// When sessions start that start in step and never end.
    pub in_step: Ns,
    /// When AIX and Solaris first do what they do each second.
    pub second: Ns,
    /// Periods of `cpu.max` began at random, less than this before.
    pub uptime: Ns,
}

impl Default for Phases {
    fn default() -> Phases {
        Phases::ZERO
    }
}

impl Phases {
    /// Of tests that follow a run from its first event on.
    pub const ZERO: Phases = Phases { in_step: Ns::ZERO, second: Ns(1_000_000_000), uptime: Ns(1) };
}

/// One session that ends.
#[derive(Clone, Copy, Debug)]
pub struct SessionRun {
    /// Its process.
    pub pid: Pid,
    /// Its instance.
    pub instance: usize,
    /// When it starts.
    pub begins: Ns,
    /// When it has ended; never where it was killed before.
    pub ends: Option<Ns>,
    /// It was killed.
    is_killed: bool,
    /// Transactions that it still has to run.
    left: u32,
    /// What is left of the present one beyond the longest stretch of work.
    rest: Ns,
    /// CPU time before its process was let into a cage last.
    pub(crate) used: Ns,
    /// Calls that it has begun, each within the one before.
    pub(crate) calls: [OpenCall; MOST_NESTED],
    /// How many.
    pub(crate) nested: usize,
    /// A wait that is over but for its first instruction: event, and when it began.
    pub(crate) woke: Option<(Activity, Ns)>,
}

/// The sessions of a replication that end.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// In the order in which they came.
    pub sessions: Vec<SessionRun>,
    /// Their statements: of the first instance by number, then of the second; as many instances as have such sessions.
    pub statements: Vec<StatementSums>,
    /// Their waits.
    pub waits: Vec<WaitSums>,
    /// How many of them go on.
    unfinished: usize,
    /// Where it stands in what comes round.
    pub(crate) phases: Phases,
}

impl Runs {
    /// Before any has come.
    pub(crate) fn starting(phases: Phases) -> Runs {
        Runs { phases, ..Runs::default() }
    }

    pub(crate) fn of(&mut self, pid: Pid) -> Option<&mut SessionRun> {
        let at = self.sessions.binary_search_by_key(&pid, |session| session.pid).ok()?;
        self.sessions.get_mut(at)
    }

    /// There were some, and all have ended.
    pub fn are_over(&self) -> bool {
        self.unfinished == 0 && !self.sessions.is_empty()
    }
}

impl World {
    /// A session of an instance, the `number`th, starts at a random moment within `spread`; one that ends, that much
    /// after its turn has come.
    pub(crate) fn start_session(&mut self, pid: Pid, (instance, number): (usize, u32), key: u64, spread: Ns) {
        let Some(ending) = self.config.instances[instance].workload.ends else {
            self.start_in_quantum(pid, instance, key, spread);
            return self.start_within(pid, "session", key, spread);
        };
        let turn = Ns(ending.begins.0 + ending.skew.0 * u64::from(number));
        let begins = self.start_after(pid, ("session", key), spread, turn);
        self.runs.unfinished += 1;
        self.runs.statements.resize_with((instance + 1) * NAMES.len(), StatementSums::default);
        self.runs.sessions.push(SessionRun {
            pid,
            instance,
            begins,
            ends: None,
            is_killed: false,
            left: ending.executions,
            rest: Ns::ZERO,
            used: Ns::ZERO,
            calls: [OpenCall::default(); MOST_NESTED],
            nested: 0,
            woke: None,
        });
    }

    /// Sessions that start at random moments have used some of their first quantum, so that the slots of the cage
    /// change hands as in a system that has run for long, and not in the order of the starts.
    fn start_in_quantum(&mut self, pid: Pid, instance: usize, key: u64, spread: Ns) {
        let cage = &self.config.instances[instance].cage;
        let Some(cage) = cage.as_ref().filter(|_| spread > Ns::ZERO) else { return };
        let mut start = Stream::new(self.config.seed, self.replication, "session", key, "quantum");
        self.processes[pid.i()].used = Ns(start.below(cage.quantum.0.max(1)));
    }

    /// Wakes a new process at a random moment within `spread` of another. Returns when.
    pub(crate) fn start_after(&mut self, pid: Pid, (kind, key): (&str, u64), spread: Ns, after: Ns) -> Ns {
        let mut start = Stream::new(self.config.seed, self.replication, kind, key, "start");
        let at = after.plus(Ns(start.below(spread.0.max(1))));
        self.born(pid, crate::program::On::Time, Some(at));
        at
    }

    /// Whether the transaction of a session that just ended was its last.
    #[inline]
    pub(crate) fn was_last(&mut self, pid: Pid, instance: usize) -> bool {
        self.config.instances[instance].workload.ends.is_some() && self.counts_down(pid)
    }

    #[inline(never)]
    fn counts_down(&mut self, pid: Pid) -> bool {
        let Some(session) = self.runs.of(pid) else { return false };
        session.left = session.left.saturating_sub(1);
        session.left == 0
    }

    /// A transaction of a session that ends begins: what is beyond the longest stretch of work comes after that.
    #[inline]
    pub(crate) fn keep_rest(&mut self, pid: Pid, demand: Ns) {
        if demand.0 > LONGEST_WORK {
            if let Some(session) = self.runs.of(pid) {
                session.rest = Ns(demand.0 - LONGEST_WORK);
            }
        }
    }

    /// The next stretch of such a transaction.
    #[inline]
    pub(crate) fn next_stretch(&mut self, pid: Pid, instance: usize) -> Option<u64> {
        self.config.instances[instance].workload.ends?;
        let rest = std::mem::take(&mut self.runs.of(pid)?.rest);
        self.keep_rest(pid, rest);
        (rest > Ns::ZERO).then(|| to_work(rest))
    }

    /// A process is gone: if it was the last of the sessions that end, so is the run.
    pub(crate) fn leave_run(&mut self, pid: Pid) {
        let now = self.now;
        if let Some(session) = self.under_way(pid) {
            session.ends = Some(now);
            self.has_one_less();
        }
    }

    /// A process is killed, which is no end of what it had to do.
    pub(crate) fn abandon_run(&mut self, pid: Pid) {
        if let Some(session) = self.under_way(pid) {
            session.is_killed = true;
            self.has_one_less();
        }
    }

    /// A session that has to end and has not.
    fn under_way(&mut self, pid: Pid) -> Option<&mut SessionRun> {
        self.runs.of(pid).filter(|session| session.ends.is_none() && !session.is_killed)
    }

    fn has_one_less(&mut self) {
        let now = self.now;
        self.runs.unfinished -= 1;
        if self.runs.unfinished == 0 {
            self.until = now;
        }
    }
}
