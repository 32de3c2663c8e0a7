//! What processes do. Each is a program of steps; the interpreter ([`crate::world`]) takes them one after another and
//! tells the program how each went. What can wake or stop somebody now is a step; everything else a program does by
//! calls.
//!
//! A kind of process is a file here with its queues, an arm of [`Program`] and of [`next`], a start in [`STARTS`] and a
//! row of [`crate::config::kinds::KINDS`].
use crate::config::kinds::{KindId, KINDS};
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::meet::lock::{LockId, Mode};
use crate::world::World;
use wwi_kernel::time::Ns;

pub mod background;
mod changes;
pub mod ckpt;
pub mod client;
mod commit;
mod contended;
pub mod daemon;
pub mod dbwr;
pub mod foreground;
mod gets;
pub mod heartbeat;
pub mod lgwr;
pub mod lms;
pub mod locks;
pub mod messages;
mod nextval;
pub mod parallel;
#[cfg(feature = "planted")]
pub mod planted;
pub mod reads;
#[cfg(test)]
pub mod script;
pub mod select;
pub mod session;
pub mod slave;
pub mod visitor;

/// The next thing a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Needs CPU work. Then [`Resume::CpuDone`].
    Cpu {
        /// How much, one or more, fixed point of [`crate::host::topology`].
        work: u64,
        /// Logical reads, counted in proportion to work done, in units of 2⁻²⁰.
        reads: u64,
    },
    /// Waits, if what it waits for does not hold already; the time-out is a moment. [`Resume::Met`] or
    /// [`Resume::TimedOut`].
    Wait {
        /// Under which event the time is booked.
        event: Activity,
        /// What for.
        on: On,
        /// When it goes on all the same.
        until: Option<Ns>,
    },
    /// Stays on its thread in vain until what it looks for holds: spins, as a log writer or an LMS does before it
    /// sleeps. What it spins is work, and counts for nothing. [`Resume::Met`] or [`Resume::TimedOut`]; under processor
    /// sharing not before its end. To go on after either it polls anew.
    Poll {
        /// What for; for [`On::Time`] it spins to its end.
        on: On,
        /// How much it spins at most, one or more, in units of work.
        at_most: u64,
    },
    /// It was woken in vain: the same wait goes on, in front of others, with its time-out. Where it is counted late
    /// ([`crate::world::late`]) it stays one wait.
    Again,
    /// Gives a lock down to a lesser mode; to Null: up. Then [`Resume::GoOn`].
    Unlock(LockId, Mode),
    /// Puts an item into a queue, which may wake somebody and cost the putter its thread. Then [`Resume::GoOn`].
    Put(QueueId, Item),
    /// A new process of this instance and host, which starts at a moment. Then [`Resume::GoOn`].
    Spawn(Program, Ns),
    /// Ends another process, whatever it does: at once where it waits or runs, at its next turn where it is ready.
    Kill(Pid),
    /// Leaves for good.
    Exit,
}

/// What a process waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// A moment: the time-out of the wait.
    Time,
    /// So many items in a queue.
    Items(QueueId, u32),
    /// Room in a queue.
    Room(QueueId),
    /// A lock in a mode; [`Resume::Refused`] if it would wait for itself.
    Lock(LockId, Mode),
}

/// How the last step went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// The process is new.
    Started,
    /// Its work is done.
    CpuDone,
    /// Nothing stands in the way of the next step.
    GoOn,
    /// What it waited for held; others may have been faster since.
    Met,
    /// The time-out came first.
    TimedOut,
    /// To wait for this lock would have been to wait for itself.
    Refused,
}

/// What is put into queues: a request, a message, a post, a completion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Item {
    /// What it is, to those who put and take.
    pub tag: u32,
    /// Where the reply goes.
    pub reply: Option<QueueId>,
    /// What those whose wait it ends have waited for, where that is known only then.
    pub was: Option<Activity>,
}

/// A program and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A session that thinks and runs transactions by turns.
    Session(session::At),
    /// A session that executes a SELECT again and again.
    Select(select::At),
    /// A session that coordinates parallel queries.
    Coordinator(parallel::At),
    /// A slave of one.
    Slave(slave::At),
    /// A session that came for one transaction.
    Visitor(visitor::At),
    /// Load outside the cage.
    Background(background::At),
    /// A server with one process.
    Daemon(daemon::At),
    /// A session whose transactions change blocks.
    Foreground(foreground::At),
    /// A log writer.
    Lgwr(lgwr::At),
    /// A database writer.
    Dbwr(dbwr::At),
    /// A checkpoint process.
    Ckpt(ckpt::At),
    /// A server of the global cache.
    Lms(lms::At),
    /// LMD or LCK0.
    Locks(locks::At),
    /// A kernel thread through which heartbeats go.
    Heartbeat(heartbeat::At),
    /// The program of a user.
    Client(client::At),
    /// Writes messages to each receiver of its group in turn.
    Sender(messages::Sending),
    /// Handles the messages of one queue.
    Receiver(messages::Receiving),
    /// A writer or one of its clients.
    #[cfg(feature = "planted")]
    Planted(planted::At),
    /// Takes the steps of a script.
    #[cfg(test)]
    Script,
}

impl Program {
    /// What comes next may concern others, or end a transaction: what it owes for getting a thread is paid first.
    pub fn acts_at_once(&self) -> bool {
        match self {
            Program::Foreground(at) => at.stage != foreground::START,
            Program::Select(at) => at.is_of_blocks(),
            Program::Lgwr(_) | Program::Dbwr(_) | Program::Ckpt(_) | Program::Lms(_) | Program::Locks(_) => true,
            Program::Coordinator(_) | Program::Slave(_) => true,
            _ => false,
        }
    }

    /// Which kind runs it.
    pub fn kind(&self) -> KindId {
        match self {
            Program::Session(_)
            | Program::Select(_)
            | Program::Coordinator(_)
            | Program::Visitor(_)
            | Program::Sender(_)
            | Program::Receiver(_) => KindId::SESSION,
            Program::Background(at) => at.kind,
            Program::Daemon(_) => KindId::SERVICE,
            Program::Foreground(_) => KindId::SESSION,
            Program::Lgwr(_) => KindId::LGWR,
            Program::Dbwr(_) => KindId::DBWR,
            Program::Ckpt(_) => KindId::CKPT,
            Program::Client(_) => KindId::CLIENT,
            Program::Lms(_) => KindId::LMS,
            Program::Locks(at) if at.is_lck => KindId::LCK0,
            Program::Locks(_) => KindId::LMD,
            Program::Slave(_) => KindId::SLAVE,
            Program::Heartbeat(_) => KindId::HEARTBEAT,
            #[cfg(feature = "planted")]
            Program::Planted(_) => KindId::PLANTED,
            #[cfg(test)]
            Program::Script => KindId::SESSION,
        }
    }
}

/// Starts the processes of each kind that an instance or a host, as the kind says, has from the start; in the order of
/// the table of kinds.
const STARTS: [fn(&mut World, usize); KINDS.len()] = [
    session::start,
    background::start,
    daemon::start,
    lgwr::start,
    dbwr::start,
    ckpt::start,
    client::start,
    lms::start,
    locks::start_lmd,
    locks::start_lck0,
    slave::start,
    heartbeat::start,
    background::start_second,
    background::start_third,
    #[cfg(feature = "planted")]
    planted::start,
];

/// Starts the processes of a kind that belong to a place: an instance or a host.
pub fn start(world: &mut World, kind: KindId, place: usize) {
    STARTS[usize::from(kind.0)](world, place);
}

/// The next step of a process, after the last one went as `why` says.
#[inline(always)]
pub fn next(world: &mut World, pid: Pid, why: Resume) -> Step {
    match world.tasks[pid.i()].program {
        Program::Session(at) => session::next(world, pid, at),
        Program::Select(at) => select::next(world, pid, at, why),
        Program::Coordinator(at) => parallel::next(world, pid, at),
        Program::Slave(at) => slave::next(world, pid, at),
        Program::Visitor(at) => visitor::next(world, pid, at),
        Program::Background(at) => background::next(world, pid, at),
        Program::Daemon(at) => daemon::next(world, pid, at),
        Program::Foreground(at) => foreground::next(world, pid, at, why),
        Program::Lgwr(at) => lgwr::next(world, pid, at),
        Program::Dbwr(at) => dbwr::next(world, pid, at),
        Program::Ckpt(at) => ckpt::next(world, pid, at),
        Program::Client(at) => client::next(world, pid, at),
        Program::Lms(at) => lms::next(world, pid, at, why),
        Program::Locks(at) => locks::next(world, pid, at),
        Program::Heartbeat(at) => heartbeat::next(world, pid, at),
        Program::Sender(at) => messages::next_sent(world, pid, at, why),
        Program::Receiver(at) => messages::next_received(world, pid, at),
        #[cfg(feature = "planted")]
        Program::Planted(at) => planted::next(world, pid, at),
        #[cfg(test)]
        Program::Script => script::next(world, pid, why),
    }
}
