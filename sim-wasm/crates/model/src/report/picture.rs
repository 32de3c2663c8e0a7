//! Who did what and where, as a report tells it.
use crate::config::Config;
use crate::experiment::replication::Replication;
use crate::ids::{Pid, ThreadId};
use crate::measure::events::Activity;
use crate::measure::record::Stay;
use crate::report::{Slice, Timeline};
use crate::world::World;
use wwi_kernel::time::Ns;

/// The end of the first replication, as far back as was kept. A stay under way lasts to the end: a thread that never
/// changes is busy, not unknown.
pub(crate) fn timeline(config: &Config, replication: &Replication) -> Timeline {
    let world = &replication.world;
    let Some(recorder) = &world.recorder else { return Timeline::default() };
    let (from, groups) = (recorder.known_from(), config.groups());
    let slice = |s: Stay| Slice {
        process: s.pid.0,
        activity: s.activity.i() as u8,
        thread: s.thread.0,
        start_ms: s.start.max(from).as_ms(),
        end_ms: s.end.as_ms(),
        debt_ms: s.lost.minus(from.minus(s.start)).as_ms(),
    };
    let known = recorder.stays().copied().chain(under_way(world)).filter(|s| s.end > from);
    Timeline {
        from_ms: from.as_ms(),
        to_ms: world.now.as_ms(),
        slices: known.map(slice).collect(),
        kinds: world.processes.iter().map(|p| groups[p.group as usize].kind.name()).collect(),
        nodes: world.processes.iter().map(|p| groups[p.group as usize].node).collect(),
    }
}

fn under_way(world: &World) -> impl Iterator<Item = Stay> + '_ {
    let stay = |pid: Pid, activity, thread, start, lost| Stay { pid, activity, thread, start, end: world.now, lost };
    let running = world.threads.iter().enumerate().filter(|(_, t)| t.running != Pid::NONE);
    let running = running.map(move |(at, t)| stay(t.running, Activity::RUNNING, ThreadId(at as u16), t.picked, t.lost));
    let others = world.processes.iter().enumerate().filter(|(_, p)| p.activity != Activity::RUNNING);
    let others = others.map(move |(pid, p)| stay(Pid(pid as u32), p.activity, p.last, p.entered, Ns::ZERO));
    others.chain(running)
}
