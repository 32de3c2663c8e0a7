//! EEVDF with control groups beside its twin on 1,000 lists of commands: three generations, three ticks, two requests,
//! one to three groups of unlike weights.
use crate::draws::{drawn, masks};
use crate::driver::check;
use crate::eevdf::Slow;
use crate::eevdf_lists::{asked, host};
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, EevdfGeneration, KindConfig, NodeConfig};
use wwi_model::host::eevdf::Nested;
use wwi_model::ids::Pid;
use wwi_model::testing::ordinary;

/// One to three groups. Hosts have places for groups that are none; nobody is in them.
fn groups(seed: u64) -> Vec<Option<CgroupConfig>> {
    let group = |weight| Some(CgroupConfig { weight, quota: None, period: Ns::from_ms(100.0), burst: Ns::ZERO });
    match seed % 5 {
        0 => vec![group(100), group(300), group(7)],
        1 => vec![group(50), group(10_000)],
        2 => vec![group(100)],
        3 => vec![None, group(1), None, group(100)],
        _ => vec![group(300), group(300), group(100)],
    }
}

/// A third is in no group.
fn group_of(pid: usize, seed: u64, groups: &[Option<CgroupConfig>]) -> Option<usize> {
    let real: Vec<usize> = (0..groups.len()).filter(|&g| groups[g].is_some()).collect();
    let mix = (pid as u64 * 11 + seed * 17) % 27;
    (!mix.is_multiple_of(3)).then(|| real[mix as usize / 3 % real.len()])
}

/// One list.
fn list(seed: u64) {
    let (threads, processes) = ([1, 2, 3, 5, 8][seed as usize % 5], 4 + seed as usize % 17);
    let all = [EevdfGeneration::Linux66, EevdfGeneration::Linux612, EevdfGeneration::Linux618];
    let eevdf_generation = all[seed as usize / 3 % 3];
    let (node, groups) = (NodeConfig { eevdf_generation, ..host(threads, seed) }, groups(seed / 18));
    let (mut fast, mut slow) = (Nested::new(&node, &groups), Slow::new(&node, &groups));
    for pid in 0..processes {
        let (nice, _) = drawn(pid, seed, 0);
        let (group, slice) = (group_of(pid, seed, &groups), asked(pid, seed));
        fast.admit(Pid(pid as u32), &KindConfig { nice, slice, ..ordinary() }, group);
        slow.admit(nice, slice, group);
    }
    check(seed, threads, &mut fast, &mut slow, processes, &masks(threads, processes, seed));
}

#[test]
fn eevdf_with_groups() {
    (0..1000).for_each(list);
}
