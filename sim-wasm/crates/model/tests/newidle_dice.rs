//! Dice that a CPU throws as it becomes idle (`NI_RANDOM`), against a twin written from the kernel's text by somebody
//! who had not seen the model.
#[path = "newidle_dice/twin.rs"]
mod twin;

use twin::{newidle, Sd};
use wwi_kernel::rng::Stream;
use wwi_model::host::balance::newidle::Luck;

/// One pass of the model through its domains, lowest first: where it searched.
fn pass(lucks: &mut [Luck], throws: &[u32], finds: &[bool]) -> Vec<usize> {
    let mut searched = Vec::new();
    for (level, luck) in lucks.iter_mut().enumerate() {
        let Some(weight) = luck.throw(throws[level]) else { continue };
        searched.push(level);
        luck.note(if finds[level] { weight } else { 0 });
        if finds[level] {
            break;
        }
    }
    searched
}

/// 200 CPUs of one to three domains, 5,000 times idle each, in each domain with luck of its own.
#[test]
fn searches_are_those_of_the_kernels_text() {
    for case in 0..200 {
        let mut random = Stream::new(5, case, "case", 0, "dice");
        let levels = 1 + random.below(3) as usize;
        let chances: Vec<f64> = (0..levels).map(|_| random.uniform().powi(3)).collect();
        let (mut lucks, mut sds) = (vec![Luck::BOOT; levels], Vec::new());
        sds.resize_with(levels, Sd::new);
        for round in 0..5000 {
            let throws: Vec<u32> = (0..levels).map(|_| random.below(1024) as u32).collect();
            let finds: Vec<bool> = chances.iter().map(|&chance| random.uniform() < chance).collect();
            let mut at = 0;
            let mut next = || {
                at += 1;
                throws[at - 1]
            };
            let told = newidle(&mut sds, true, &mut next, &mut |level| finds[level]);
            let searched = pass(&mut lucks, &throws, &finds);
            assert_eq!(told.searched, searched, "case {case}, round {round}");
            let has_found = searched.last().is_some_and(|&level| finds[level]);
            assert_eq!(told.pulled, has_found, "case {case}, round {round}");
        }
    }
}
