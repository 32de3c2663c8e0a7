//! Sessions that come for one transaction and go.
use super::{Program, Step};
use crate::ids::Pid;
use crate::world::World;

/// Where a visitor stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Comes with this much work.
    Came(u64),
    /// Begins it.
    Begun(u64),
    /// Works.
    Working,
    /// Goes.
    Ended,
}

/// The next step of a visitor.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let (at, step) = match at {
        At::Came(work) => (At::Begun(work), world.begin_since_wake(pid)),
        At::Begun(work) => (At::Working, world.reading(pid, work)),
        At::Working => (At::Ended, Step::End),
        At::Ended => (At::Ended, Step::Exit),
    };
    world.processes[pid.i()].program = Program::Visitor(at);
    step
}
