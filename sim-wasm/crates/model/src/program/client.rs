//! Programs of users on the host of the database: each works, calls its server process and waits, call after call. The
//! time of a transaction is its server process's.
use super::session::draw;
use super::{Item, On, Program, Step};
use crate::config::{Arrivals, Demand};
use crate::ids::{Pid, QueueId};
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// The queue of its server process, its own, which is the next, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Where calls are put.
    pub calls: QueueId,
    /// Where answers come.
    pub answers: QueueId,
    /// Calls of the transaction so far.
    pub done: u32,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a client stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Thinks, or is new.
    Thinks,
    /// Works.
    Works,
    /// Has called.
    Called,
    /// Waits for the answer.
    Waits,
}

/// The clients of an instance: one for each session, where they need CPU.
pub fn start(world: &mut World, instance: usize) {
    let of = &world.config.instances[instance];
    let Some(database) = of.others.database.as_deref() else { return };
    if database.transaction.client == Ns::ZERO {
        return;
    }
    let Arrivals::Closed { start_spread, think, .. } = of.workload.arrivals else { return };
    let node = of.node;
    for number in 0..world.database(instance).foregrounds.len() {
        let session = &world.database(instance).foregrounds[number];
        let (Some(answers), calls) = (session.client, session.calls) else { continue };
        let key = (instance as u64) << 32 | number as u64;
        let at = At { calls, answers, done: session.done, stage: Stage::Thinks };
        let pid = world.admit(Program::Client(at), node, instance as u16, key);
        world.start_within(pid, "client", key, start_spread.max(think));
    }
}

/// The next step of a client.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    match at.stage {
        Stage::Thinks => {
            to(world, pid, At { stage: Stage::Works, ..at });
            work(world, pid)
        }
        Stage::Works => {
            to(world, pid, At { stage: Stage::Called, ..at });
            Step::Put(at.calls, Item::default())
        }
        Stage::Called => {
            to(world, pid, At { stage: Stage::Waits, ..at });
            Step::Wait { event: Activity::OFF, on: On::Items(at.answers, 1), until: None }
        }
        Stage::Waits if world.take(at.answers).is_none() => Step::Again,
        Stage::Waits => answered(world, pid, at),
    }
}

/// After the step that it returns it stands there.
#[inline(always)]
fn to(world: &mut World, pid: Pid, at: At) {
    world.tasks[pid.i()].program = Program::Client(at);
}

fn answered(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let done = at.done + 1;
    let is_last = done >= world.database(instance).config.transaction.calls;
    to(world, pid, At { stage: Stage::Works, done: if is_last { 0 } else { done }, ..at });
    match world.config.instances[instance].workload.arrivals {
        Arrivals::Closed { think, .. } if is_last && think > Ns::ZERO => {
            let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(think).max(Ns(1)));
            to(world, pid, At { stage: Stage::Thinks, done: 0, ..at });
            Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) }
        }
        _ => work(world, pid),
    }
}

fn work(world: &mut World, pid: Pid) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let of = world.database(instance).config.transaction;
    let shape = world.config.instances[instance].workload.demand.shape;
    let each = Demand { mean: Ns(of.client.0 / u64::from(of.calls)), shape };
    let work = to_work(draw(&each, &mut world.streams[pid.i()].demand));
    Step::Cpu { work: work.max(1), reads: 0 }
}
