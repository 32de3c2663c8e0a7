//! Background load: work and sleep by turns, outside every cage. A host may have it of several kinds.
use super::{On, Program, Step};
use crate::config::kinds::KindId;
use crate::ids::Pid;
use crate::measure::events::Activity;
use crate::world::run::to_work;
use crate::world::{World, NO_INSTANCE};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Of which kind a background process is, and where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At {
    /// Its kind.
    pub kind: KindId,
    /// Has slept, or is new; else it works.
    pub is_rested: bool,
}

/// Who is at work when a run with a warm-up begins starts within this, or within a burst where that is shorter, lest
/// all go in step. Free.
const SPREAD: Ns = Ns(100_000_000);

fn start_of(world: &mut World, node: usize, kind: KindId) {
    let Some(load) = world.config.nodes[node].load_of(kind) else { return };
    let (processes, busy, sleep) = (load.processes, load.busy, load.sleep);
    let ends = world.config.instances.iter().any(|instance| instance.workload.ends.is_some());
    let spread = if ends { Ns::ZERO } else { busy.min(SPREAD) };
    for number in 0..processes {
        let key = (node as u64) << 32 | u64::from(number);
        let pid = world.admit(Program::Background(At { kind, is_rested: true }), node, NO_INSTANCE, key);
        let mut state = Stream::new(world.config.seed, world.replication, kind.name(), key, "state");
        let begins = asleep_for(&mut state, busy, sleep);
        world.start_after(pid, (kind.name(), key), spread, begins);
    }
}

/// How long a process still sleeps, on a host that has run for long: not at all where it is at work, for what is left
/// of an exponential burst is as long as a whole one. Who never sleeps is always at work. Runs are often shorter than
/// a burst or a sleep, so that a warm-up would not do.
fn asleep_for(state: &mut Stream, busy: Ns, sleep: Ns) -> Ns {
    if state.below(busy.plus(sleep).0.max(1)) < busy.0.max(1) {
        Ns::ZERO
    } else {
        state.exponential_ns(sleep)
    }
}

/// Starts those of a host.
pub fn start(world: &mut World, node: usize) {
    start_of(world, node, KindId::BACKGROUND);
}

/// Those of the second kind.
pub fn start_second(world: &mut World, node: usize) {
    start_of(world, node, KindId::BACKGROUND_2);
}

/// Those of the third kind.
pub fn start_third(world: &mut World, node: usize) {
    start_of(world, node, KindId::BACKGROUND_3);
}

/// The next step of a background process.
pub fn next(world: &mut World, pid: Pid, at: At) -> Step {
    let load = world.config.nodes[world.processes[pid.i()].node as usize].load_of(at.kind);
    let (busy, sleep) = load.map_or((Ns(1), Ns::ZERO), |load| (load.busy, load.sleep));
    if at.is_rested {
        world.begin_since_wake(pid);
    } else {
        world.end(pid);
        if sleep > Ns::ZERO {
            let until = world.now.plus(world.streams[pid.i()].think.exponential_ns(sleep).max(Ns(1)));
            world.tasks[pid.i()].program = Program::Background(At { is_rested: true, ..at });
            return Step::Wait { event: Activity::OFF, on: On::Time, until: Some(until) };
        }
        world.begin(pid, world.now);
    }
    world.tasks[pid.i()].program = Program::Background(At { is_rested: false, ..at });
    Step::Cpu { work: to_work(world.streams[pid.i()].demand.exponential_ns(busy)).max(1), reads: 0 }
}
