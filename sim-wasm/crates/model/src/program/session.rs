//! Sessions: think, run a transaction, again; some for ever, some so many times.
use super::{messages, On, Program, Step};
use crate::config::{Arrivals, Demand, DemandShape};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::{Streams, World};
use wwi_kernel::rng::{short_share, Stream};
use wwi_kernel::time::Ns;

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before its first transaction.
    First,
    /// Thinks, or has just thought.
    Thinking,
    /// Works.
    Working,
}

/// Draws the CPU time of one transaction.
pub fn draw(demand: &Demand, stream: &mut Stream) -> Ns {
    draw_of(demand, short_share(), stream)
}

/// The same, where of two kinds so many are of the shorter one.
fn draw_of(demand: &Demand, share: f64, stream: &mut Stream) -> Ns {
    match demand.shape {
        DemandShape::Constant => demand.mean,
        DemandShape::Exponential => stream.exponential_ns(demand.mean),
        DemandShape::Hyperexponential => Ns::nearest(stream.hyperexponential(demand.mean.0 as f64, share)),
    }
}

/// Draws the work that is left of a transaction at a random moment of many, drawn as [`draw`] does: longer ones are met
/// more often. Of a constant one any part, of an exponential one as much as of a new one; of hyperexponential ones both
/// kinds are met equally often, for their means are balanced.
fn draw_rest(demand: &Demand, streams: &mut Streams) -> u64 {
    match demand.shape {
        DemandShape::Constant => (to_work(demand.mean) as f64 * (1.0 - streams.think.uniform())) as u64,
        _ => to_work(draw_of(demand, 0.5, &mut streams.demand)),
    }
}

/// Starts those of an instance, or what comes instead of them.
pub fn start(world: &mut World, instance: usize) {
    if world.has_database(instance) {
        return super::foreground::start(world, instance);
    }
    if world.config.instances[instance].others.parallel.is_some() {
        return super::parallel::start(world, instance);
    }
    let node = world.config.instances[instance].node;
    match world.config.instances[instance].workload.arrivals {
        Arrivals::Closed { sessions, start_spread, .. } => {
            for number in 0..sessions {
                let key = (instance as u64) << 32 | u64::from(number);
                let workload = &world.config.instances[instance].workload;
                let program = match workload.select {
                    Some(_) if start_spread > Ns::ZERO && workload.ends.is_none() => {
                        Program::Select(super::select::At::Starts)
                    }
                    Some(_) => Program::Select(super::select::At::First),
                    None => Program::Session(At::First),
                };
                let pid = world.admit(program, node, instance as u16, key);
                if matches!(program, Program::Select(_)) {
                    world.new_reader(pid);
                }
                world.start_session(pid, (instance, number), key, start_spread);
            }
        }
        Arrivals::Open { .. } | Arrivals::List(_) => world.schedule_arrival(instance),
        Arrivals::Messages { groups, pairs, buffer } => messages::start(world, instance, (groups, pairs, buffer)),
    }
}

/// The next step of a session.
#[inline]
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let instance = world.processes[pid.i()].instance as usize;
    let (next, step) = match at {
        At::First | At::Thinking => {
            world.begin_since_wake(pid);
            (At::Working, work(world, (pid, instance), at == At::First))
        }
        At::Working => match world.next_stretch(pid, instance) {
            Some(work) => (At::Working, world.reading(instance, work)),
            None => after(world, pid, instance),
        },
    };
    if next != at {
        world.tasks[pid.i()].program = Program::Session(next);
    }
    step
}

/// A transaction is over.
#[inline(always)]
fn after(world: &mut World, pid: Pid, instance: usize) -> (At, Step) {
    if world.was_last(pid, instance) {
        world.end(pid);
        return (At::Working, Step::Exit);
    }
    match world.config.instances[instance].workload.arrivals {
        Arrivals::Closed { think, .. } if think > Ns::ZERO => {
            world.end(pid);
            // Who thinks leaves the thread, however short the time that is drawn.
            let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(think).max(Ns(1)));
            (At::Thinking, Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) })
        }
        _ => {
            world.end_and_begin(pid);
            (At::Working, work(world, (pid, instance), false))
        }
    }
}

/// Sessions that start at random moments start within a transaction, so that their phases against the quantum are those
/// of a system that has run for long.
#[inline(always)]
fn work(world: &mut World, (pid, instance): (Pid, usize), is_first: bool) -> Step {
    let workload = &world.config.instances[instance].workload;
    let streams = &mut world.streams[pid.i()];
    let has_begun = is_first && matches!(workload.arrivals, Arrivals::Closed { start_spread: Ns(1..), .. });
    if has_begun && workload.ends.is_none() {
        let work = draw_rest(&workload.demand, streams);
        return world.reading(instance, work.max(1));
    }
    let demand = draw(&workload.demand, &mut streams.demand);
    if workload.ends.is_some() {
        world.keep_rest(pid, demand);
    }
    world.reading(instance, to_work(demand).max(1))
}
