//! What worked examples of balancing start from and look at.
use wwi_kernel::time::Ns;
use wwi_model::config::*;
use wwi_model::ids::ThreadId;
use wwi_model::testing::hogs;
use wwi_model::world::World;

/// Hogs that start at once.
pub fn at_once(sessions: u32) -> InstanceConfig {
    let mut instance = hogs(sessions);
    instance.workload.arrivals = Arrivals::Closed { sessions, think: Ns::ZERO, start_spread: Ns::ZERO };
    instance
}

/// Sessions that start at once and want 10 s of CPU each.
pub fn jobs(sessions: u32) -> InstanceConfig {
    let mut instance = at_once(sessions);
    instance.workload.ends = Some(Ending { executions: 100, begins: Ns::ZERO, skew: Ns::ZERO });
    instance
}

/// A host on which the first processes last ran on these threads.
pub fn placed(config: &Config, seed: u32, last: &[u16]) -> World {
    let mut world = World::new(config, seed);
    for (pid, &thread) in last.iter().enumerate() {
        world.processes[pid].last = ThreadId(thread);
    }
    world
}

/// Processes moved so far.
pub fn moves(world: &World) -> u64 {
    world.hosts[0].balance.as_ref().map_or(0, |balance| balance.moves)
}

/// Goes on until a moment.
pub fn run(world: &mut World, until_ms: f64) {
    assert!(world.run(Ns::from_ms(until_ms), 10_000_000), "stalled at {:?}", world.now);
}
