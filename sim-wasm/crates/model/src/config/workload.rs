//! Load: what the sessions of an instance do, and what else asks a host for CPU time.
use super::KindConfig;
use wwi_kernel::time::Ns;

/// The load of one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Workload {
    /// How transactions come.
    pub arrivals: Arrivals,
    /// CPU demand of one transaction.
    pub demand: Demand,
    /// Logical reads in a transaction of mean demand.
    pub lio_per_transaction: f64,
    /// Each session ends after so many transactions; `None`: none ever does. Of closed arrivals.
    pub ends: Option<Ending>,
    /// A transaction is one execution of a SELECT, of which `demand` and `lio_per_transaction` are sums. Of closed
    /// arrivals.
    pub select: Option<SelectConfig>,
}

/// Sessions that end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Transactions of each session, one or more.
    pub executions: u32,
    /// When the first session of the instance starts.
    pub begins: Ns,
    /// How much later each further one starts.
    pub skew: Ns,
}

/// A SELECT that a block of PL/SQL executes again and again: CPU of one execution, at reference speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelectConfig {
    /// Of the block that calls.
    pub caller: Ns,
    /// Of the execute call.
    pub execute: Ns,
    /// Of the fetch call, its gets included.
    pub fetch: Ns,
    /// Buffer gets of the fetch.
    pub gets: u32,
    /// Which blocks those are, where instances are joined.
    pub path: Path,
}

/// Blocks of the global cache that a fetch gets: the table is the first of them, its index comes behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Blocks of the table.
    pub table: u32,
    /// How many of them a fetch gets: all, one of them at random, or none.
    pub rows: u32,
    /// Blocks of the index, each of which it gets.
    pub index: u32,
}

impl Path {
    /// Blocks of table and index.
    pub fn blocks(&self) -> u32 {
        self.table + self.index
    }
}

/// Where transactions come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// A fixed number of sessions, each thinking between transactions.
    Closed {
        /// Number of sessions.
        sessions: u32,
        /// Mean think time (exponential); zero: none.
        think: Ns,
        /// Sessions start at uniform moments within this span; zero: in step.
        start_spread: Ns,
    },
    /// Poisson arrivals, each served by a session of its own.
    Open {
        /// Mean arrivals a second.
        per_s: f64,
    },
    /// Groups of senders and receivers that pass messages; a transaction is a message handled. Half of its demand is
    /// the sender's.
    Messages {
        /// Number of groups.
        groups: u32,
        /// Senders in a group, and receivers; each sender writes to each receiver in turn.
        pairs: u32,
        /// Messages that a receiver's buffer holds.
        buffer: u32,
    },
    /// A fixed list of (time since the previous arrival, CPU demand), for comparison with exact recursions.
    List(Vec<(Ns, Ns)>),
}

/// CPU demand of a transaction at reference speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Mean.
    pub mean: Ns,
    /// Shape.
    pub shape: DemandShape,
}

/// Shape of a demand distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DemandShape {
    /// Every transaction alike.
    Constant,
    /// Exponential.
    Exponential,
    /// Two-phase hyperexponential with balanced means and squared coefficient of variation 4.
    Hyperexponential,
}

/// CPU load outside the cages: each process works and sleeps by turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Background {
    /// Number of processes.
    pub processes: u32,
    /// Mean CPU demand of a burst (exponential).
    pub busy: Ns,
    /// Mean sleep between bursts (exponential); zero: never sleeps.
    pub sleep: Ns,
    /// Class, priority and binding.
    pub kind: KindConfig,
}

/// Servers, each a process with requests of its own that wait for it in order of arrival.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceConfig {
    /// How many, one or more.
    pub servers: u32,
    /// How the requests of each come.
    pub arrivals: ServiceArrivals,
    /// Requests a second, of each.
    pub per_s: f64,
    /// CPU demand of a request.
    pub demand: Demand,
    /// Class, priority and binding.
    pub kind: KindConfig,
}

impl ServiceConfig {
    /// Requests a second, of all servers.
    pub fn all_per_s(&self) -> f64 {
        f64::from(self.servers) * self.per_s
    }
}

/// How the requests of a server come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceArrivals {
    /// In a Poisson stream.
    Poisson,
    /// One after each period, the first at a random moment within one.
    Periodic,
}
