//! Background load: work and sleep by turns, outside every cage.
use super::{On, Program, Step};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::{World, NO_INSTANCE};
use wwi_kernel::time::Ns;

/// Where a background process stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Has slept, or is new.
    Rested,
    /// Works.
    Working,
}

/// Starts those of a host.
pub fn start(world: &mut World, node: usize) {
    let load = world.config.nodes[node].background.clone();
    for number in 0..load.processes {
        let key = (node as u64) << 32 | u64::from(number);
        let pid = world.admit(Program::Background(At::Rested), node, NO_INSTANCE, key);
        world.start_within(pid, "background", key, load.busy.plus(load.sleep));
    }
}

/// The next step of a background process.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let load = &world.config.nodes[world.processes[pid.i()].node as usize].background;
    let (busy, sleep) = (load.busy, load.sleep);
    match at {
        At::Rested => world.begin_since_wake(pid),
        At::Working => {
            world.end(pid);
            if sleep > Ns::ZERO {
                let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(sleep).max(Ns(1)));
                world.tasks[pid.i()].program = Program::Background(At::Rested);
                return Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) };
            }
            world.begin(pid, world.now);
        }
    }
    world.tasks[pid.i()].program = Program::Background(At::Working);
    Step::Cpu { work: to_work(world.streams[pid.i()].demand.exponential_ns(busy)).max(1), reads: 0 }
}
