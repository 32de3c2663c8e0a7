//! `cpu.weight` of control groups (version 2), flattened: a process counts with its part of its group's weight.
//!
//! The kernel gives a group on each CPU the part of its weight that its load there has of its load everywhere
//! (`calc_group_shares`), and shares that out by the weights of its processes there. Together: weight of the group
//! times own weight, over the weights of all runnable processes of the group on all CPUs. The kernel's loads follow
//! with a half-life of 32 ms; here they follow at once.
use super::weights::{weight, NICE_0};
use crate::config::CgroupConfig;
use crate::ids::Pid;
use wwi_kernel::arena::Arena;
use wwi_kernel::table::reach;

/// Weights are computed this much finer where there are groups, as 64-bit kernels do (`SCHED_FIXEDPOINT_SHIFT`, 10
/// bits).
const FINER: u64 = 1 << 10;
/// The group weight that weighs as much as nice 0 (Linux, `CGROUP_WEIGHT_DFL`).
const DEFAULT_WEIGHT: u64 = 100;
/// No process of a group counts less, in the finer unit (Linux, `MIN_SHARES`).
const MIN_SHARES: u64 = 2;
/// Not in a group.
const ROOT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Member {
    group: u32,
    weight: u64,
}

/// The groups of a host and who is in which. Costs one comparison a turn where there are none.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    /// By instance, in the finer unit.
    weights: Vec<u64>,
    /// Sum of the weights by nice value of the runnable processes, on all threads.
    runnable: Vec<u64>,
    members: Arena<Member>,
}

impl Groups {
    /// The groups of the instances of this host; without any, weights stay those of nice values.
    pub fn new(configs: &[Option<CgroupConfig>]) -> Self {
        if configs.iter().all(Option::is_none) {
            return Groups::default();
        }
        let weight = |c: &Option<CgroupConfig>| c.map_or(0, |c| NICE_0 * FINER * u64::from(c.weight) / DEFAULT_WEIGHT);
        Groups {
            weights: configs.iter().map(weight).collect(),
            runnable: vec![0; configs.len()],
            members: Vec::new().into(),
        }
    }

    /// Whether any process of this host may be in a group.
    #[inline]
    pub fn is_used(&self) -> bool {
        !self.weights.is_empty()
    }

    /// What a group weighs, in the finer unit.
    pub fn all(&self, group: usize) -> u64 {
        self.weights[group]
    }

    /// What a process at nice 0 outside every group weighs.
    pub fn unit(&self) -> u64 {
        if self.is_used() {
            NICE_0 * FINER
        } else {
            NICE_0
        }
    }

    /// Notes a process; answers its weight if it were alone in its group.
    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>) -> u64 {
        if !self.is_used() {
            return weight(nice);
        }
        let group = group.filter(|&g| self.weights[g] > 0);
        let member = Member { group: group.map_or(ROOT, |g| g as u32), weight: weight(nice) };
        reach(&mut self.members, pid.i(), member);
        self.members[pid.i()] = member;
        group.map_or(member.weight * FINER, |g| self.weights[g])
    }

    /// A process became runnable.
    #[inline]
    pub fn woken(&mut self, pid: Pid) {
        if self.is_used() {
            let member = self.members[pid.i()];
            if let Some(sum) = self.runnable.get_mut(member.group as usize) {
                *sum += member.weight;
            }
        }
    }

    /// A process is no longer runnable.
    #[inline]
    pub fn gone(&mut self, pid: Pid) {
        if self.is_used() {
            let member = self.members[pid.i()];
            if let Some(sum) = self.runnable.get_mut(member.group as usize) {
                *sum -= member.weight;
            }
        }
    }

    /// The group of a process whose weight is dealt out among its processes.
    pub fn of(&self, pid: Pid) -> Option<usize> {
        let group = self.members.get(pid.i())?.group;
        (group != ROOT).then_some(group as usize)
    }

    /// Weight of a process by its nice value.
    pub fn own_weight(&self, pid: Pid) -> Option<u64> {
        self.members.get(pid.i()).map(|member| member.weight)
    }

    /// What the processes of a group weigh, of what their nice values say.
    pub fn share(&self, group: usize) -> f64 {
        let [weight, runnable] = [self.weights[group], self.runnable[group]].map(|sum| sum as f64);
        weight / FINER as f64 / runnable.max(1.0)
    }

    /// What a runnable process weighs now.
    pub fn weight(&self, pid: Pid) -> u64 {
        let member = self.members[pid.i()];
        match self.weights.get(member.group as usize) {
            Some(group) => (group * member.weight / self.runnable[member.group as usize]).max(MIN_SHARES),
            None => member.weight * FINER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wwi_kernel::time::Ns;

    #[test]
    fn one_of_a_thousand_still_weighs_its_thousandth() {
        let group = CgroupConfig { weight: 100, quota: None, period: Ns::from_ms(100.0) };
        let mut groups = Groups::new(&[Some(group)]);
        for pid in 0..1000 {
            assert_eq!(groups.admit(Pid(pid), 0, Some(0)), groups.unit());
            groups.woken(Pid(pid));
        }
        assert_eq!(groups.weight(Pid(7)), 1048);
        (1..1000).for_each(|pid| groups.gone(Pid(pid)));
        assert_eq!(groups.weight(Pid(0)), groups.unit());
        assert_eq!(Groups::new(&[None]).unit(), NICE_0);
    }
}
