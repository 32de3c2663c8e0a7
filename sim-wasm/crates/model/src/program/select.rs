//! Sessions that run a block of PL/SQL: it executes one SELECT again and again, each time an execute call and a fetch
//! call. A transaction is one execution.
use super::session::draw;
use super::{On, Program, Resume, Step};
use crate::config::{Arrivals, Demand, SelectConfig};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::measure::statements::{Call, Done, Statement};
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Units of a logical read.
const READ: u64 = 1 << 20;

/// Where such a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before what is left of an execution, if sessions start within one.
    Starts,
    /// Before its first execution.
    First,
    /// Thinks, or has just thought.
    Thinks,
    /// The block works.
    Calls,
    /// Executes.
    Executes,
    /// Works to ask another instance for a block.
    Asks,
    /// Waits for it.
    Awaits,
    /// Works to take it.
    Receives,
    /// Waits for another session of its instance to have a block.
    Busy,
    /// Fetches.
    Fetches,
}

impl At {
    /// It is about blocks that instances share.
    pub fn is_of_blocks(self) -> bool {
        matches!(self, At::Asks | At::Awaits | At::Receives | At::Busy)
    }
}

/// The next step of a session.
pub fn next(world: &mut World, pid: Pid, at: At, why: Resume) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let Some(of) = world.config.instances[instance].workload.select else { return Step::Exit };
    let (next, step) = match at {
        At::Starts => (At::First, starts_within(world, pid, of)),
        At::First => {
            world.begin_call(pid, Statement::BLOCK, Call::Execute);
            world.begin_call(pid, Statement::SELECT, Call::Parse);
            world.end_call(pid, Done::default());
            world.begin_since_wake(pid);
            calls(world, pid, of)
        }
        At::Thinks => {
            world.begin_since_wake(pid);
            calls(world, pid, of)
        }
        At::Calls => executes(world, pid, of),
        At::Executes => {
            world.end_call(pid, Done::default());
            world.begin_call(pid, Statement::SELECT, Call::Fetch);
            world.begin_reads(pid, &of.path);
            world.reads(pid, &of.path).unwrap_or_else(|| fetches(world, pid, of))
        }
        At::Asks => world.read_asked(pid, &of.path).unwrap_or_else(|| fetches(world, pid, of)),
        At::Awaits | At::Busy => world.read_came(pid, why, (at, &of.path)).unwrap_or_else(|| fetches(world, pid, of)),
        At::Receives => world.takes_read(pid, &of.path).unwrap_or_else(|| fetches(world, pid, of)),
        At::Fetches => {
            world.end_call(pid, Done { query: u64::from(of.gets), rows: 1, ..Done::default() });
            ends(world, pid, of)
        }
    };
    world.tasks[pid.i()].program = Program::Select(next);
    step
}

fn work(world: &mut World, pid: Pid, mean: Ns, reads: u64) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let shape = world.config.instances[instance].workload.demand.shape;
    let work = to_work(draw(&Demand { mean, shape }, &mut world.streams[pid.i()].demand));
    Step::Cpu { work: work.max(1), reads }
}

/// The work that is left of an execution at a random moment of it.
fn starts_within(world: &mut World, pid: Pid, of: SelectConfig) -> Step {
    let whole = of.caller.plus(of.execute).plus(of.fetch).0 as f64;
    let rest = Ns((whole * world.streams[pid.i()].think.uniform()) as u64);
    work(world, pid, rest, 0)
}

/// It has all blocks: it works on them.
fn fetches(world: &mut World, pid: Pid, of: SelectConfig) -> (At, Step) {
    (At::Fetches, work(world, pid, of.fetch, u64::from(of.gets) * READ))
}

fn calls(world: &mut World, pid: Pid, of: SelectConfig) -> (At, Step) {
    match of.caller {
        Ns::ZERO => executes(world, pid, of),
        caller => (At::Calls, work(world, pid, caller, 0)),
    }
}

fn executes(world: &mut World, pid: Pid, of: SelectConfig) -> (At, Step) {
    world.begin_call(pid, Statement::SELECT, Call::Execute);
    (At::Executes, work(world, pid, of.execute, 0))
}

/// An execution is over.
fn ends(world: &mut World, pid: Pid, of: SelectConfig) -> (At, Step) {
    let instance = world.processes[pid.i()].instance as usize;
    if world.was_last(pid, instance) {
        world.end_call(pid, Done { rows: 1, ..Done::default() });
        world.end(pid);
        return (At::Fetches, Step::Exit);
    }
    match world.config.instances[instance].workload.arrivals {
        Arrivals::Closed { think, .. } if think > Ns::ZERO => {
            world.end(pid);
            let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(think).max(Ns(1)));
            (At::Thinks, Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) })
        }
        _ => {
            world.end_and_begin(pid);
            calls(world, pid, of)
        }
    }
}
