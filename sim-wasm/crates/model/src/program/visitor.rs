//! Sessions that come for one transaction and go.
use super::{Program, Step};
use crate::ids::Pid;
use crate::world::World;

/// Where a visitor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Comes with this much work.
    Came(u64),
    /// Works.
    Working,
}

/// The next step of a visitor.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    match at {
        At::Came(work) => {
            world.begin_since_wake(pid);
            world.tasks[pid.i()].program = Program::Visitor(At::Working);
            world.reading(world.processes[pid.i()].instance as usize, work)
        }
        At::Working => {
            world.end(pid);
            Step::Exit
        }
    }
}
