//! Sessions that coordinate parallel queries: each starts its slaves, takes what they send, and tells them of the end.
//! A transaction is one execution.
use super::{On, Program, Step};
use crate::cluster::parallel::Arrived;
use crate::config::Arrivals;
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::measure::statements::{Call, Done, Statement};
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// The number of its query, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Number.
    pub query: u32,
    /// Where it stands.
    pub stage: Stage,
}

/// Where a coordinator stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before its first execution.
    First,
    /// Thinks, or has just thought.
    Thinks,
    /// Makes messages that start slaves.
    Starts,
    /// Waits for rows, or has just been woken.
    Awaits,
    /// Takes rows.
    Takes,
    /// Makes messages that tell slaves of the end.
    Closes,
}

/// The coordinators of an instance.
pub fn start(world: &mut World, instance: usize) {
    let Arrivals::Closed { start_spread, .. } = world.config.instances[instance].workload.arrivals else { return };
    let node = world.config.instances[instance].node;
    let own: Vec<usize> = (0..world.queries.len()).filter(|&at| world.queries[at].instance == instance).collect();
    for (number, query) in (0..).zip(own) {
        let key = (instance as u64) << 32 | u64::from(number);
        let program = Program::Coordinator(At { query: query as u32, stage: Stage::First });
        let pid = world.admit(program, node, instance as u16, key);
        world.start_session(pid, (instance, number), key, start_spread);
    }
}

/// CPU time of a process.
pub(super) fn cpu(span: Ns) -> Step {
    Step::Cpu { work: to_work(span).max(1), reads: 0 }
}

/// The next step of a coordinator.
pub fn next(world: &mut World, pid: Pid, At { query, stage }: At) -> Step {
    let number = query as usize;
    let (stage, step) = match stage {
        Stage::First => {
            world.begin_call(pid, Statement::SELECT, Call::Parse);
            world.end_call(pid, Done::default());
            world.begin_since_wake(pid);
            begins(world, pid, number)
        }
        Stage::Thinks => {
            world.begin_since_wake(pid);
            begins(world, pid, number)
        }
        Stage::Starts => {
            world.tell_slaves(number, Arrived::Start);
            world.end_call(pid, Done::default());
            world.begin_call(pid, Statement::SELECT, Call::Fetch);
            looks(world, number, false)
        }
        Stage::Awaits => looks(world, number, true),
        Stage::Takes => took(world, number),
        Stage::Closes => {
            world.tell_slaves(number, Arrived::Close);
            world.end_call(pid, Done { rows: 1, ..Done::default() });
            ends(world, pid, number)
        }
    };
    world.tasks[pid.i()].program = Program::Coordinator(At { query, stage });
    step
}

type Next = (Stage, Step);

fn begins(world: &mut World, pid: Pid, query: usize) -> Next {
    let Some(of) = world.parallel(query) else { return (Stage::First, Step::Exit) };
    world.queries[query].begins(&of);
    world.begin_call(pid, Statement::SELECT, Call::Execute);
    (Stage::Starts, cpu(world.telling_cost(query)))
}

/// Takes the next buffer, or waits for one.
fn looks(world: &mut World, query: usize, was_woken: bool) -> Next {
    let queue = world.queries[query].queue;
    let (Some(of), Some((item, _))) = (world.parallel(query), world.take(queue)) else {
        let wait = Step::Wait { event: Activity::PX_EXECUTE_REPLY, on: On::Items(queue, 1), until: None };
        return (Stage::Awaits, if was_woken { Step::Again } else { wait });
    };
    let Arrived::Rows(at) = Arrived::of(item.tag) else { return looks(world, query, was_woken) };
    let way = (world.queries[query].source(at), world.queries[query].instance);
    let buffer = world.queries[query].takes(at);
    world.queries[query].present = (at, buffer);
    let rows = Ns::nearest(f64::from(buffer.rows) * of.take);
    (Stage::Takes, cpu(world.message_cost(&of, way, true).plus(rows)))
}

/// The rows of a buffer are taken.
fn took(world: &mut World, query: usize) -> Next {
    let of = &mut world.queries[query];
    let (at, buffer) = of.present;
    of.open -= u32::from(buffer.is_last);
    let is_over = of.open == 0;
    world.free_buffer(query, at);
    if is_over {
        (Stage::Closes, cpu(world.telling_cost(query)))
    } else {
        looks(world, query, false)
    }
}

/// An execution is over.
fn ends(world: &mut World, pid: Pid, query: usize) -> Next {
    let instance = world.queries[query].instance;
    if world.was_last(pid, instance) {
        world.end(pid);
        return (Stage::Closes, Step::Exit);
    }
    match world.config.instances[instance].workload.arrivals {
        Arrivals::Closed { think, .. } if think > Ns::ZERO => {
            world.end(pid);
            let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(think).max(Ns(1)));
            (Stage::Thinks, Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) })
        }
        _ => {
            world.end_and_begin(pid);
            begins(world, pid, query)
        }
    }
}
