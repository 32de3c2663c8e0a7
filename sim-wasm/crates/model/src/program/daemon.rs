//! A server with one process: requests come in a Poisson stream and wait for it in order of arrival.
use super::session::draw;
use super::Segment;
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;

/// Takes the request that came first, or waits for one.
pub fn next(world: &mut World, pid: Pid) -> Segment {
    let node = world.processes[pid.i()].node as usize;
    let host = &mut world.hosts[node];
    let (Some(came), Some(service)) = (host.requests.pop_front(), &world.config.nodes[node].service) else {
        return Segment::Wait(Activity::OFF);
    };
    Segment::Serve(to_work(draw(&service.demand, &mut world.streams[pid.i()].demand)).max(1), came)
}
