//! Background load: work and sleep by turns, outside every cage.
use super::{On, Program, Step};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// Where a background process stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Has slept, or is new.
    Rested,
    /// Begins a burst.
    Begun,
    /// Works.
    Working,
    /// Has ended a burst.
    Ended,
}

/// The next step of a background process.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let load = &world.config.nodes[world.processes[pid.i()].node as usize].background;
    let streams = &mut world.streams[pid.i()];
    let (at, step) = match at {
        At::Rested => (At::Begun, world.begin_since_wake(pid)),
        At::Begun => {
            let work = to_work(streams.demand.exponential_ns(load.busy)).max(1);
            (At::Working, Step::Cpu { work, reads: 0 })
        }
        At::Working => (At::Ended, Step::End),
        At::Ended if load.sleep > Ns::ZERO => {
            let until = world.now.plus(streams.think.exponential_ns(load.sleep).max(Ns(1)));
            (At::Rested, Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) })
        }
        At::Ended => (At::Begun, Step::Begin { since: world.now }),
    };
    world.processes[pid.i()].program = Program::Background(at);
    step
}
