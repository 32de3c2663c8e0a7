//! EEVDF beside its twin on 1,000 lists of commands: three generations, three ticks, two requests.
use crate::draws::{drawn, masks};
use crate::driver::check;
use crate::eevdf::Slow;
use wwi_kernel::time::Ns;
use wwi_model::config::{EevdfGeneration, NodeConfig, Scheduler};
use wwi_model::host::eevdf::Eevdf;
use wwi_model::ids::Pid;
use wwi_model::testing::node;

const GENERATIONS: [EevdfGeneration; 4] =
    [EevdfGeneration::Linux66, EevdfGeneration::Linux612, EevdfGeneration::Linux618, EevdfGeneration::Linux68];

/// A host with a tick of 10, 4 or 1 ms.
pub fn host(threads: usize, seed: u64) -> NodeConfig {
    NodeConfig {
        cores_per_socket: threads as u32,
        scheduler: Scheduler::Eevdf,
        tick_hz: [100, 1000, 250][seed as usize % 3],
        eevdf_generation: GENERATIONS[seed as usize / 3 % 4],
        eevdf_base_slice: [Ns::from_ms(0.7), Ns::from_ms(0.7), Ns::from_ms(3.0)][seed as usize / 6 % 3],
        ..node()
    }
}

/// Two of three lists have processes that ask for a slice of their own, shorter or longer than the base slice.
pub fn asked(pid: usize, seed: u64) -> Option<Ns> {
    let all = [None, Some(0.1), None, Some(20.0), Some(1.3), Some(0.5), None];
    all[(pid + seed as usize / 3) % 7].filter(|_| !(seed / 36).is_multiple_of(3)).map(Ns::from_ms)
}

#[test]
fn eevdf() {
    for seed in 0..1000 {
        let (threads, processes) = ([1, 2, 3, 5, 8][seed as usize % 5], 4 + seed as usize % 17);
        let node = host(threads, seed);
        let (mut fast, mut slow) = (Eevdf::new(&node), Slow::new(&node, &[]));
        for pid in 0..processes {
            let (nice, _) = drawn(pid, seed, 0);
            let slice = asked(pid, seed);
            fast.admit(Pid(pid as u32), nice);
            fast.ask(Pid(pid as u32), slice);
            slow.admit(nice, slice, None);
        }
        check(seed, threads, &mut fast, &mut slow, processes, &masks(threads, processes, seed));
    }
}
