//! What lists of commands draw from: nice values, groups, hosts, masks.
use wwi_model::config::{Affinity, CpuSet, NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::ids::Pid;
use wwi_model::testing::node;

/// Weights of the nice values that the lists draw from (Linux, `sched_prio_to_weight`).
pub fn nice_weight(nice: i32) -> u128 {
    [(-10, 9548), (-5, 3121), (0, 1024), (5, 335), (19, 15)].into_iter().find(|w| w.0 == nice).expect("a drawn one").1
}

/// The nice value and the group of a process in the lists.
pub fn drawn(pid: usize, seed: u64, groups: usize) -> (i32, Option<usize>) {
    let mix = (pid as u64 * 7 + seed * 13) % 25;
    let nice = [0, 0, 0, 5, -5, -10, 19][mix as usize % 7];
    (nice, (groups > 0 && [1, 2].contains(&(mix % 3))).then(|| mix as usize % groups))
}

/// A host of `threads` CPUs with a tick of 1 or 4 ms.
pub fn host(scheduler: Scheduler, threads: usize, seed: u64) -> NodeConfig {
    let tick_hz = [250, 1000, 1000][seed as usize % 3];
    NodeConfig { cores_per_socket: threads as u32, scheduler, tick_hz, ..node() }
}

/// Anywhere, or every third process bound to the odd threads and every fifth to the first.
pub fn masks(threads: usize, processes: usize, seed: u64) -> Masks {
    let mut masks = Masks::new(threads);
    if seed % 4 >= 2 && threads > 1 {
        let odd = CpuSet((0..threads as u16).filter(|t| t % 2 == 1).collect());
        let first = CpuSet(vec![0]);
        for pid in 0..processes {
            let set = if pid % 3 == 0 { Some(&odd) } else { Some(&first).filter(|_| pid % 5 == 1) };
            masks.assign_for(Pid(pid as u32), set, &Affinity::None);
        }
    }
    masks
}
