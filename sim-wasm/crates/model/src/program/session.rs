//! Sessions: think, run a transaction, again; or come, run one, and go.
use super::Segment;
use crate::config::{Arrivals, Demand, DemandShape};
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::World;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Draws the CPU work of one transaction.
pub fn draw(demand: &Demand, stream: &mut Stream) -> Ns {
    match demand.shape {
        DemandShape::Constant => demand.mean,
        DemandShape::Exponential => stream.exponential_ns(demand.mean),
        DemandShape::Hyperexponential => {
            // Balanced means, squared coefficient of variation 4: p = (1 + sqrt(3/5)) / 2.
            let p = 0.5 * (1.0 + 0.6_f64.sqrt());
            let branch = if stream.uniform() < p { p } else { 1.0 - p };
            Ns((stream.exponential() * demand.mean.0 as f64 / (2.0 * branch)).round() as u64)
        }
    }
}

/// After a transaction, or at the start. Sessions that start at random moments start within a transaction, so that their
/// phases against the quantum are those of a system that has run for long.
pub fn next(world: &mut World, pid: Pid, woken: bool) -> Segment {
    let process = &world.processes[pid.i()];
    let instance = &world.config.instances[process.instance as usize];
    let Arrivals::Closed { think, start_spread, .. } = instance.workload.arrivals else { return Segment::Exit };
    let streams = &mut world.streams[pid.i()];
    if !woken && think > Ns::ZERO {
        return Segment::Sleep(Activity::OFF, streams.think.exponential_ns(think));
    }
    let mut work = to_work(draw(&instance.workload.demand, &mut streams.demand));
    if process.asked == 0 && start_spread > Ns::ZERO {
        work = (work as f64 * (1.0 - streams.think.uniform())) as u64;
    }
    Segment::Cpu(work.max(1))
}
