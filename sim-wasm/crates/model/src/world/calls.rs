//! Calls of sessions that end, as they nest: a transaction's statement within its block, a recursive one within that.
//! Sessions that go on for ever have none.
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::measure::statements::{book_wait, Call, Done, Statement, NAMES};
use crate::world::ledger::WAITING;
use crate::world::{Then, World};
use wwi_kernel::time::Ns;

/// Calls within one another at most, of one session: what is deeper is its caller's.
pub const MOST_NESTED: usize = 4;

/// A call that has begun.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenCall {
    statement: usize,
    call: usize,
    /// When.
    since: Ns,
    /// CPU time of its session by then.
    used: Ns,
    /// Elapsed and CPU time of the recursive calls in it.
    recursive: (Ns, Ns),
}

impl World {
    /// CPU time of a session that ends, up to now, in the middle of a charge nowhere.
    fn used_by(&mut self, pid: Pid) -> Ns {
        let now = self.processes[pid.i()].used;
        self.runs.of(pid).map_or(Ns::ZERO, |session| session.used.plus(now))
    }

    /// The CPU time of a process is counted anew from here on.
    pub(crate) fn reset_used(&mut self, pid: Pid) -> Ns {
        let used = std::mem::take(&mut self.processes[pid.i()].used);
        if let Some(session) = self.runs.of(pid) {
            session.used = session.used.plus(used);
        }
        used
    }

    /// A session begins a call of a statement, within the one that it has begun and not ended.
    pub(crate) fn begin_call(&mut self, pid: Pid, statement: Statement, call: Call) {
        let (since, used) = (self.now, self.used_by(pid));
        let Some(session) = self.runs.of(pid) else { return };
        let statement = session.instance * NAMES.len() + usize::from(statement.0);
        let (depth, call) = (session.nested, call as usize);
        session.nested += 1;
        if let Some(place) = session.calls.get_mut(depth) {
            *place = OpenCall { statement, call, since, used, recursive: (Ns::ZERO, Ns::ZERO) };
            self.runs.statements[statement].depth = depth as u8;
        }
    }

    /// A session begins the block that calls its statements, if it has not.
    pub(crate) fn begin_block(&mut self, pid: Pid) {
        if self.runs.of(pid).is_some_and(|session| session.nested == 0) {
            self.begin_call(pid, Statement::BLOCK, Call::Execute);
        }
    }

    /// It ends it.
    pub(crate) fn end_block(&mut self, pid: Pid) {
        if self.runs.of(pid).is_some_and(|session| session.nested > 0) {
            self.end_call(pid, Done { rows: 1, ..Done::default() });
        }
    }

    /// It ends the call that it began last.
    pub(crate) fn end_call(&mut self, pid: Pid, done: Done) {
        let (now, used) = (self.now, self.used_by(pid));
        let Some(session) = self.runs.of(pid) else { return };
        session.nested = session.nested.saturating_sub(1);
        let Some(&open) = session.calls.get(session.nested) else { return };
        let (elapsed, cpu) = (now - open.since, used - open.used);
        if let Some(caller) = session.calls[..session.nested].last_mut() {
            caller.recursive = (caller.recursive.0.plus(elapsed), caller.recursive.1.plus(cpu));
        }
        let sums = &mut self.runs.statements[open.statement].calls[open.call];
        sums.count += 1;
        sums.cpu += (cpu - open.recursive.1).0;
        sums.elapsed += (elapsed - open.recursive.0).0;
        let all = &mut sums.done;
        (all.disk, all.query) = (all.disk + done.disk, all.query + done.query);
        (all.current, all.rows) = (all.current + done.current, all.rows + done.rows);
    }

    /// A wait of a process ends, perhaps of a session in a call: it is booked at its first instruction where that is a
    /// step of its program, else here.
    #[inline(never)]
    pub(crate) fn note_wait(&mut self, pid: Pid, takes_step: bool) {
        let process = &self.processes[pid.i()];
        let (event, since) = (process.activity, process.entered);
        if event < WAITING || process.counts_late {
            return;
        }
        if takes_step && matches!(process.then, Then::Resume(_)) {
            if let Some(session) = self.runs.of(pid) {
                session.woke = Some((event, since));
            }
            return;
        }
        let span = self.now - since;
        self.book_wait(pid, event, span);
    }

    /// The first instruction after a wait.
    #[inline(never)]
    pub(crate) fn waited(&mut self, pid: Pid) {
        let now = self.now;
        if let Some((event, since)) = self.runs.of(pid).and_then(|session| session.woke.take()) {
            self.book_wait(pid, event, now - since);
        }
    }

    pub(crate) fn book_wait(&mut self, pid: Pid, event: Activity, span: Ns) {
        let Some(session) = self.runs.of(pid).filter(|session| session.nested > 0) else { return };
        let statement = session.calls[session.nested.min(MOST_NESTED) - 1].statement;
        book_wait(&mut self.runs.waits, statement, event, span);
    }
}
