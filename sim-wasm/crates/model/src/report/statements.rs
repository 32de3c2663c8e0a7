//! Statements of sessions that ended, as tkprof tells a trace of one session: the mean of the sessions of an instance,
//! over all starts.
use crate::config::{Arrivals, Config};
use crate::experiment::replication::Replication;
use crate::measure::events::ACTIVITIES;
use crate::measure::statements::{CallSums, CALLS, NAMES};
use crate::world::runs::Runs;
use wwi_kernel::order::{descending, sort_by_rank};

/// Calls of one sort of a statement, of one session.
#[derive(Clone, Debug, PartialEq)]
pub struct CallRow {
    /// Parse, Execute or Fetch.
    pub call: &'static str,
    /// How many.
    pub count: f64,
    /// CPU time \[s\], without recursive statements.
    pub cpu_s: f64,
    /// Elapsed time \[s\], without recursive statements.
    pub elapsed_s: f64,
    /// Blocks read from disk.
    pub disk: f64,
    /// Consistent gets.
    pub query: f64,
    /// Current gets.
    pub current: f64,
    /// Rows.
    pub rows: f64,
}

/// Waits for one event in the calls of a statement, of one session, as the database clocks them.
#[derive(Clone, Debug, PartialEq)]
pub struct CallWait {
    /// Event.
    pub event: &'static str,
    /// How many.
    pub times: f64,
    /// The longest of any session, mean of the starts \[s\].
    pub longest_s: f64,
    /// All together \[s\].
    pub total_s: f64,
}

/// One statement of one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementRow {
    /// Instance, counted from 1.
    pub instance: u32,
    /// Its name in the model.
    pub statement: &'static str,
    /// Within how many others it is executed.
    pub depth: u32,
    /// Its calls: Parse, Execute, Fetch.
    pub calls: Vec<CallRow>,
    /// Its waits, the longest in all first.
    pub waits: Vec<CallWait>,
}

/// What the starts have of it together, over the sessions.
#[inline(never)]
fn each(all: &[Replication], sessions: f64, of: &dyn Fn(&Runs) -> u64) -> f64 {
    all.iter().map(|r| of(&r.world.runs)).sum::<u64>() as f64 / sessions
}

fn calls(all: &[Replication], sessions: f64, at: usize) -> Vec<CallRow> {
    let row = |call: usize| {
        let each = |of: fn(&CallSums) -> u64| each(all, sessions, &|runs| of(&runs.statements[at].calls[call]));
        CallRow {
            call: CALLS[call],
            count: each(|sums| sums.count),
            cpu_s: each(|sums| sums.cpu) / 1e9,
            elapsed_s: each(|sums| sums.elapsed) / 1e9,
            disk: each(|sums| sums.done.disk),
            query: each(|sums| sums.done.query),
            current: each(|sums| sums.done.current),
            rows: each(|sums| sums.done.rows),
        }
    };
    (0..CALLS.len()).map(row).collect()
}

fn waits(all: &[Replication], sessions: f64, at: usize) -> Vec<CallWait> {
    let mut rows = Vec::new();
    for (event, info) in ACTIVITIES.iter().enumerate() {
        let own = all.iter().flat_map(|r| &r.world.runs.waits);
        let (mut times, mut total, mut longest) = (0, 0, 0);
        for wait in own.filter(|wait| wait.statement == at && wait.event.i() == event) {
            (times, total, longest) = (times + wait.times, total + wait.total.0, longest + wait.longest.0);
        }
        if times > 0 {
            let (longest_s, total_s) = (longest as f64 / all.len() as f64 / 1e9, total as f64 / sessions / 1e9);
            rows.push(CallWait { event: info.event, times: times as f64 / sessions, longest_s, total_s });
        }
    }
    sort_by_rank(&mut rows, |row| descending(row.total_s));
    rows
}

/// Statements by instance, callers before those that they call; none where no start had any.
pub(crate) fn statements(config: &Config, all: &[Replication]) -> Vec<StatementRow> {
    let mut rows = Vec::new();
    for at in 0..all.first().map_or(0, |r| r.world.runs.statements.len()) {
        let instance = at / NAMES.len();
        let Arrivals::Closed { sessions, .. } = config.instances[instance].workload.arrivals else { continue };
        let sessions = f64::from(sessions.max(1)) * all.len() as f64;
        let calls = calls(all, sessions, at);
        if calls.iter().any(|call| call.count > 0.0) {
            rows.push(StatementRow {
                instance: instance as u32 + 1,
                statement: NAMES[at % NAMES.len()],
                depth: u32::from(all[0].world.runs.statements[at].depth),
                calls,
                waits: waits(all, sessions, at),
            });
        }
    }
    rows
}
