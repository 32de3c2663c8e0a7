//! Background load: work and sleep by turns, outside every cage.
use super::Segment;
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::time::Ns;

/// After a burst, or on waking.
pub fn next(world: &mut World, pid: Pid, woken: bool) -> Segment {
    let load = &world.config.nodes[world.processes[pid.i()].node as usize].background;
    let streams = &mut world.streams[pid.i()];
    if !woken && load.sleep > Ns::ZERO {
        return Segment::Sleep(Activity::OFF, streams.think.exponential_ns(load.sleep));
    }
    Segment::Cpu(to_work(streams.demand.exponential_ns(load.busy)).max(1))
}
