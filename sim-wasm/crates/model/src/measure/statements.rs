//! SQL statements of sessions that end, as a trace with tkprof tells them: calls with their CPU and elapsed time, gets
//! and rows, and waits. Statements nest: what a recursive one takes is its own, and not its caller's (Oracle Database
//! Performance Tuning Guide 10.2, Using Application Tracing Tools).
use crate::measure::events::Activity;
use wwi_kernel::time::Ns;

/// A statement, as the programs of sessions know it: a row of [`NAMES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement(pub u8);

impl Statement {
    /// A block of PL/SQL that executes others.
    pub const BLOCK: Statement = Statement(0);
    /// The SELECT of a block.
    pub const SELECT: Statement = Statement(1);
    /// The INSERT of a block, with a value of a sequence.
    pub const INSERT: Statement = Statement(2);
    /// The recursive UPDATE of the row in SEQ$.
    pub const SEQ: Statement = Statement(3);
}

/// Names of statements in reports.
pub const NAMES: [&str; 4] = ["block", "select", "insert", "seq$"];

/// A call to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Parses the statement.
    Parse = 0,
    /// Executes it.
    Execute = 1,
    /// Fetches rows of it.
    Fetch = 2,
}

/// Names of calls in reports.
pub const CALLS: [&str; 3] = ["Parse", "Execute", "Fetch"];

/// What a call did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Blocks read from disk.
    pub disk: u64,
    /// Blocks got as of a moment before (consistent gets).
    pub query: u64,
    /// Blocks got as they are.
    pub current: u64,
    /// Rows.
    pub rows: u64,
}

/// Calls of one sort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallSums {
    /// How many.
    pub count: u64,
    /// Their CPU time \[ns\], without that of recursive statements.
    pub cpu: u64,
    /// From their beginning to their end \[ns\], without recursive statements.
    pub elapsed: u64,
    /// What they did.
    pub done: Done,
}

/// Waits for one event within the calls of a statement, as the database clocks them: to the first instruction after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitSums {
    /// Number of the statement, over all instances.
    pub statement: usize,
    /// The event.
    pub event: Activity,
    /// How many.
    pub times: u64,
    /// The longest.
    pub longest: Ns,
    /// All together.
    pub total: Ns,
}

/// One statement in one instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatementSums {
    /// Within how many others it is executed.
    pub depth: u8,
    /// By [`Call`].
    pub calls: [CallSums; 3],
}

/// Books a wait of a statement.
pub fn book_wait(waits: &mut Vec<WaitSums>, statement: usize, event: Activity, span: Ns) {
    let is_own = |sums: &WaitSums| (sums.statement, sums.event) == (statement, event);
    let at = waits.iter().position(is_own).unwrap_or(waits.len());
    if at == waits.len() {
        waits.push(WaitSums { statement, event, times: 0, longest: Ns::ZERO, total: Ns::ZERO });
    }
    let sums = &mut waits[at];
    (sums.times, sums.longest, sums.total) = (sums.times + 1, sums.longest.max(span), sums.total.plus(span));
}
