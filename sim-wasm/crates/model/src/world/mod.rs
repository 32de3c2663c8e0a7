//! The state of one replication: arenas of processes, threads and hosts, and the calendar.
mod balance;
mod cages;
pub mod calls;
#[cfg(test)]
mod calls_tests;
pub(crate) mod clusters;
#[cfg(test)]
pub mod database_books;
#[cfg(test)]
mod database_tests;
pub mod databases;
mod ends;
mod evictions;
pub mod footprints;
mod hosts;
mod interpreter;
#[cfg(test)]
mod kill_tests;
mod latches;
pub mod late;
#[cfg(test)]
mod late_tests;
pub mod ledger;
#[cfg(test)]
mod ledger_tests;
mod meeting;
mod parallel;
mod pins;
mod placing;
#[cfg(test)]
mod placing_tests;
#[cfg(test)]
mod poll_tests;
pub mod rates;
mod requests;
pub mod run;
pub mod runs;
mod sequences;
#[cfg(test)]
mod sequences_tests;
mod setup;
mod slices;
pub mod stay;
#[cfg(test)]
mod steps_tests;
pub mod switches;
mod task;
mod timer;
mod wake;
mod waking;
#[cfg(test)]
mod waking_tests;
mod wires;

use crate::cluster::{parallel::Query, Cluster};
use crate::config::Config;
use crate::host::balance::{loads::Loads, o1, Balance};
use crate::host::{affine::Wakings, fluid::Fluid, masks::Masks, placement::Idle, policy::Policy, waking::Waking};
use crate::ids::{Pid, QueueId, ThreadId};
use crate::instance::{cage::Cage, database::Database, latch::Latches, sequence::Sequence};
use crate::measure::{accounts::Accounts, chronicle::Chronicle, events::Activity, record::Recorder};
use crate::meet::{device::Device, link::Link, lock::Locks, queue::Queue};
use crate::program::{reads::Reader, Item, Resume};
use crate::world::footprints::Footprints;
use crate::world::ledger::{Census, Watched};
pub use crate::world::requests::Requests;
use crate::world::stay::ThreadSums;
use crate::world::switches::SwitchCosts;
pub use crate::world::task::{Task, Waiting};
pub use crate::world::timer::Timer;
use crate::world::{rates::Rates, runs::Runs};
use std::collections::VecDeque;
use wwi_kernel::arena::Arena;
use wwi_kernel::calendar::Calendar;
use wwi_kernel::decay::Decaying;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// No instance: load outside the database.
pub const NO_INSTANCE: u16 = u16::MAX;
/// Processes of a replication at most. Open arrivals that outrun their service would fill any memory.
pub const MOST_PROCESSES: usize = 100_000;

/// Threads of a core at most: what the knob allows.
pub const MOST_SMT: usize = 8;

/// One process, as every stay on a thread needs it; the rest is in its [`Task`]. Ten thousand have to fit a cache.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub struct Process {
    /// CPU work left in the segment, fixed point.
    pub work: u64,
    /// Time still to pay on a thread for the last switch before work goes on.
    pub debt: Ns,
    /// Up to when its time is booked.
    pub since: Ns,
    /// When its activity began.
    pub entered: Ns,
    /// CPU time since the cage let it in.
    pub used: Ns,
    /// Thread it last ran on.
    pub last: ThreadId,
    /// Accounting group.
    pub group: u16,
    /// Its instance, or [`NO_INSTANCE`].
    pub instance: u16,
    /// Its host.
    pub node: u16,
    /// What it is doing.
    pub activity: Activity,
    /// What it did before it became ready: [`Activity::RUNNING`] where it had to give way, [`Activity::UNTOLD`] after a
    /// wait that is counted late, [`Activity::ANSWERED`] where it had told its client.
    pub before: Activity,
    /// What comes when it has a thread.
    pub then: Then,
    /// What it owes, or owed last: a sum of codes of [`crate::measure::ledger`].
    pub owes: u8,
    /// The Resource Manager counts it.
    pub is_caged: bool,
    /// Holds a slot of its cage.
    pub has_slot: bool,
    /// Got it by a post for which it has not paid yet.
    pub was_posted: bool,
    /// Makes logical reads, and so takes latches: a session or a slave of an instance in which they can collide.
    pub takes_latches: bool,
    /// Lost the CPU with a latch in hand.
    pub holds_latch: bool,
    /// In a real-time class.
    pub is_real_time: bool,
    /// Its consumer group.
    pub consumer_group: u8,
    /// Number of its own sums ([`crate::measure::each`]); zero: it has none.
    pub told: u8,
    /// A transaction is under way.
    pub is_open: bool,
    /// It waits, and that is counted at the first instruction after it ([`crate::world::late`]).
    pub counts_late: bool,
}

// A line of the cache holds one.
const _: () = assert!(std::mem::size_of::<Process>() == 64);

/// What a process does once it has a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Goes on with its work.
    Work,
    /// Asks its program for a step.
    Resume(Resume),
    /// Pays what it owes for getting there, and then asks its program for a step.
    Pays(Resume),
    /// Takes the step that is kept for it.
    Stashed,
    /// Polls: its work is in vain.
    Poll,
    /// Has polled, and what it looked for holds.
    Polled,
}

/// Where a process stands that takes steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On a thread.
    Thread(ThreadId),
    /// On a host whose processes share all threads.
    Shared,
}

impl Place {
    /// Its thread, if it has one to itself.
    pub fn thread(self) -> Option<ThreadId> {
        match self {
            Place::Thread(at) => Some(at),
            Place::Shared => None,
        }
    }
}

/// What comes back from a device or over a link, and where it is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// Into this queue.
    pub queue: QueueId,
    /// This.
    pub item: Item,
    /// By an interrupt on this host.
    pub node: u16,
}

/// One hardware thread.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Who runs, or [`Pid::NONE`].
    pub running: Pid,
    /// Who ran last.
    pub last: Pid,
    /// Up to when the running process is charged.
    pub since: Ns,
    /// Start of the stay.
    pub picked: Ns,
    /// Work per nanosecond, fixed point.
    pub speed: u64,
    /// End of the slice.
    pub slice_until: Ns,
    /// When the cage makes the process yield.
    pub yields_at: Ns,
    /// When it has spun in vain for a latch that another holds, or lets its own go.
    pub latch_at: Ns,
    /// Its core, over all nodes.
    pub core: u16,
    /// Its host.
    pub node: u16,
    /// Who holds the latch of `latch_at`.
    pub latch_holder: Pid,
    /// Core capacity used per nanosecond as the processor utilisation resource register counts it, fixed point.
    pub purr: u64,
    /// Time lost to switching in this stay.
    pub lost: Ns,
    /// What is not yet in the sums of its host.
    pub sums: ThreadSums,
    /// The same without shared blocks and with memory near.
    pub unshared: u64,
    /// And with the core to itself.
    pub alone: u64,
    /// Up to when the ledger has booked these speeds; [`Ns::MAX`]: it does not.
    pub rated: Ns,
    /// For whom it wakes up, or [`Pid::NONE`]: nobody runs on it, and it does not idle.
    pub wakes_for: Pid,
    /// When its process has to give way, once it leaves the section of the kernel it is in, or sees who waits: …
    pub preempts_at: Ns,
    /// … that may come before.
    pub is_late: bool,
    /// Since when nobody runs.
    pub idle_since: Ns,
    /// Up to when that is booked: to look at the sums may not change what the thread remembers of idle spells.
    pub idle_booked: Ns,
    /// Usual length of an idle spell \[ns\]: each new one counts an eighth (Linux `rq->avg_idle`).
    pub usual_idle: u64,
}

/// One core.
#[derive(Clone, Copy, Debug, Default)]
pub struct Core {
    /// Threads that run something.
    pub active: u8,
    /// Number of its threads.
    pub size: u8,
    /// Its threads.
    pub threads: [u16; MOST_SMT],
}

/// One host.
#[derive(Clone, Debug)]
pub struct Host {
    /// Run queues.
    pub policy: Policy,
    /// Where processes may run.
    pub masks: Masks,
    /// Idle threads.
    pub idle: Idle,
    /// Speed of a thread with k of its core active.
    pub speeds: Vec<u64>,
    /// Core capacity that a thread uses with k of its core active, fixed point.
    pub purr: Vec<u64>,
    /// What else speeds depend on.
    pub rates: Rates,
    /// What the loss ledger knows.
    pub ledger: Watched,
    /// What switches cost.
    pub switch_costs: SwitchCosts,
    /// What is in its caches, where some process has a working set.
    pub footprints: Option<Box<Footprints>>,
    /// What passes between a wake-up and the first instruction.
    pub waking: Waking,
    /// Its cores have more than one thread.
    pub has_siblings: bool,
    /// It has more than one socket.
    pub has_caches: bool,
    /// Every process may run anywhere and goes back to where it ran: the short way to place it.
    pub is_plain: bool,
    /// Some process kind is in a real-time class.
    pub has_real_time: bool,
    /// Its queues are balanced, and who blocks may stay queued …
    pub has_delays: bool,
    /// … and counts as one that wants to run (before 6.14, `h_nr_running`).
    pub counts_delayed: bool,
    /// Who becomes idle throws a die before it searches …
    pub has_dice: bool,
    pub dice: Stream,
    /// … if somebody waited when that was last looked at (`rd->overload`).
    pub is_overloaded: bool,
    /// Threads whose utilisation soft affinity compares.
    pub watched: Vec<(usize, Decaying)>,
    /// Which CPU handles interrupts.
    pub interrupts: Stream,
    /// From one tick of its clock to the next.
    pub tick: Ns,
    /// Balancing of O(1), where it has several queues of it.
    pub old_balance: Option<Box<o1::Balance>>,
    /// Balancing, where it has several fair queues …
    pub balance: Option<Box<Balance>>,
    /// … and the loads it looks at.
    pub loads: Loads,
    /// What is remembered of wake-ups, where queues are fair.
    pub wakings: Wakings,
    /// When idle threads may next pull from beyond their socket.
    pub far_due: Ns,
    /// Processes that came so far.
    pub admitted: u32,
    /// First thread.
    pub base: u16,
    /// Number of threads.
    pub threads: u16,
    /// Processor sharing, if that is the policy.
    pub fluid: Option<Fluid>,
    /// Processes waiting for a thread.
    pub ready: u32,
    /// Of these by mask, once anybody is bound.
    pub ready_by_mask: Vec<u32>,
    /// Where somebody was last seen to wait.
    pub waits_at: usize,
    /// Whether a look at idle threads is on the calendar.
    pub pull_armed: bool,
    /// Deals virtual CPUs out to hardware threads.
    pub hypervisor: Stream,
    /// When it last did.
    pub dealt: Ns,
    /// Whether the next time is on the calendar.
    pub deal_armed: bool,
}

/// Random streams of one process.
#[derive(Clone, Debug)]
pub struct Streams {
    /// Think times, sleeps.
    pub think: Stream,
    /// CPU demands.
    pub demand: Stream,
}

/// Arrivals and latches of one instance.
#[derive(Clone, Debug)]
pub struct Instance {
    /// `None`: no limit.
    pub cage: Option<Cage>,
    /// Latches whose holders lost the CPU.
    pub latches: Latches,
    /// Interarrival times and demands of open arrivals.
    pub arrivals: Streams,
    /// Visitors that left and can come again as another.
    pub free: Vec<Pid>,
    /// Next entry of a list of arrivals.
    pub listed: usize,
    /// Processes dealt to each of its consumer groups so far.
    pub dealt: Vec<u32>,
    /// The sums that the sessions of each share, where there are several.
    pub told: Vec<u8>,
    /// Where it is told that somebody wants a lock that it holds.
    pub wanted: Option<QueueId>,
}

/// One replication.
#[derive(Clone, Debug)]
pub struct World {
    /// What is simulated.
    pub config: Config,
    /// The present moment.
    pub now: Ns,
    /// Pending events.
    pub calendar: Calendar<Timer>,
    /// All processes.
    pub processes: Arena<Process>,
    /// What of them is seldom looked at.
    pub tasks: Arena<Task>,
    /// Their random streams.
    pub streams: Arena<Streams>,
    /// All hardware threads.
    pub threads: Arena<Thread>,
    /// All cores.
    pub cores: Arena<Core>,
    /// All hosts.
    pub hosts: Arena<Host>,
    /// All instances.
    pub instances: Arena<Instance>,
    /// Their databases, by instance.
    pub databases: Arena<Option<Box<Database>>>,
    /// What joins them.
    pub cluster: Option<Box<Cluster>>,
    /// Logical reads in a unit of sessions' work, by instance: in units of 2⁻²⁰ for 2⁻²⁰ ns.
    pub reads_in_work: Vec<f64>,
    /// All queues.
    pub queues: Arena<Queue<Item>>,
    /// All devices.
    pub devices: Arena<Device<Parcel>>,
    /// All links.
    pub links: Arena<Link>,
    /// All locks.
    pub locks: Locks,
    /// Messages under way, with free places between them.
    pub parcels: Vec<Parcel>,
    /// Free places.
    pub free_parcels: Vec<u32>,
    /// What scripted processes do.
    #[cfg(test)]
    pub scripts: std::collections::BTreeMap<Pid, crate::program::script::Script>,
    /// All servers.
    pub requests: Arena<Requests>,
    /// Processes that the present one wakes once it has gone on or gone to wait.
    pub wakes: VecDeque<Pid>,
    /// What the present process tells others once it has gone on or gone to wait.
    pub notices: VecDeque<(QueueId, Item)>,
    /// An empty list, kept to be filled.
    pub woken: Vec<Pid>,
    /// Latches held by sessions off the CPU, all instances.
    pub held_latches: u32,
    /// Who posts those that slept for the latch he let go of, and holds none while he does. Else [`Pid::NONE`].
    pub posts_latch: Pid,
    /// Where the time went.
    pub accounts: Accounts,
    /// Nobody looks at each step of the end of a slice.
    pub is_unwatched: bool,
    /// The loss ledger is kept.
    pub keeps_ledger: bool,
    /// What processes are doing, by accounting group: for the ledger.
    pub census: Vec<Census>,
    /// Who ran where, if asked.
    pub recorder: Option<Recorder>,
    /// What each database was like from moment to moment, if asked; empty where it is not.
    pub chronicles: Vec<Chronicle>,
    /// Replication number.
    pub replication: u32,
    /// Arrivals had to stop: there are [`MOST_PROCESSES`].
    pub is_full: bool,
    /// Events before the present moment.
    pub still_since: u64,
    /// Events without end came at the present moment: a fault of the model.
    pub is_stalled: bool,
    /// Up to when it runs now; with the last session that ends, up to that moment.
    pub until: Ns,
    /// Sessions that end.
    pub runs: Runs,
    /// Sequences: one of instances that are joined, else one of each; none where none is used.
    pub sequences: Vec<Sequence>,
    /// Sessions of joined instances that execute a SELECT.
    pub readers: Vec<Reader>,
    /// Parallel queries: of each coordinator one, by instance.
    pub queries: Vec<Query>,
}
