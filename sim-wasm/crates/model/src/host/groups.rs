//! Control groups (version 2) of a host under CFS and EEVDF: who is in which, and by which number it stands in the
//! queues.
//!
//! On each CPU the processes of a group have a queue of their own, and the group stands in the queue of the CPU as one
//! of those that are in none, with the weight that [`Shares`] gives it there. In the queues of CPUs the groups come
//! first, `group * CPUs + CPU`, and then the processes; in those of groups processes have their own numbers.
use super::balance::Listed;
use super::batch::Batch;
use super::masks::Masks;
use super::shares::{Own, Rule, Shares};
use super::weights::{weight, NICE_0};
use crate::config::{BalanceGeneration, CgroupConfig, KindConfig, NodeConfig, Scheduler};
use crate::ids::Pid;
use wwi_kernel::arena::Arena;
use wwi_kernel::bits::Bits;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Weights are computed this much finer where there are groups, as 64-bit kernels do (`SCHED_FIXEDPOINT_SHIFT`, 10
/// bits).
const FINER: u64 = 1 << 10;
/// The group weight that weighs as much as nice 0 (Linux, `CGROUP_WEIGHT_DFL`).
const DEFAULT_WEIGHT: u64 = 100;
/// What a process of nice 0 in no group weighs, in the finer unit.
pub const UNIT: u64 = NICE_0 * FINER;

/// Of a process.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its control group.
    group: Option<u16>,
    /// Its weight, and what it adds to the load of its group.
    pub own: Own,
    /// When it last ran.
    pub last_ran: Ns,
    /// When it was last picked, or queued anew: by this balancing goes through a queue.
    order: u32,
}

/// The groups of a host, their processes, and those in none.
#[derive(Clone, Debug)]
pub struct Groups {
    /// What each group weighs on each CPU.
    pub shares: Arena<Shares>,
    /// By process.
    pub members: Arena<Member>,
    /// Who runs, by CPU.
    pub running: Arena<Option<Pid>>,
    /// CPUs on their way to run the first of their queue.
    pub begins: Bits,
    /// Who pre-empts nobody.
    pub batch: Batch,
    serial: u32,
    migration_cost: Ns,
    is_group: Vec<bool>,
}

impl Groups {
    /// The groups of the instances of this host; `None`: of that one the processes are in none.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Groups {
        let threads = config.threads();
        let weight = |c: &Option<CgroupConfig>| c.map_or(0, |c| UNIT * u64::from(c.weight) / DEFAULT_WEIGHT);
        let rule = match (config.scheduler, config.balance_generation) {
            (Scheduler::Cfs, BalanceGeneration::Linux316) => Rule::Linux314,
            (Scheduler::Cfs, _) => Rule::Linux61,
            _ => Rule::Linux67,
        };
        let shares = |c| Shares::new(weight(c), threads, rule);
        Groups {
            shares: groups.iter().map(shares).collect(),
            members: Vec::new().into(),
            running: vec![None; threads].into(),
            begins: Bits::new(threads),
            batch: Batch::default(),
            serial: 0,
            migration_cost: config.cfs.migration_cost,
            is_group: groups.iter().map(Option::is_some).collect(),
        }
    }

    /// Notes a process; answers its weight in the finer unit.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>) -> u64 {
        let (group, weight) = (group.filter(|&g| self.is_group[g]).map(|g| g as u16), weight(kind.nice));
        let fresh = Member { group, own: Own::new(weight), last_ran: Ns::ZERO, order: 0 };
        reach(&mut self.members, pid.i(), fresh);
        self.members[pid.i()] = fresh;
        self.batch.note(pid, kind.class);
        weight * FINER
    }

    /// How many groups there may be.
    pub fn count(&self) -> usize {
        self.is_group.len()
    }

    /// CPUs of the host.
    pub fn threads(&self) -> usize {
        self.running.len()
    }

    /// The group of a process.
    pub fn of(&self, pid: Pid) -> Option<usize> {
        self.members[pid.i()].group.map(usize::from)
    }

    /// The group of who runs at a CPU.
    pub fn running(&self, at: usize) -> Option<usize> {
        self.running[at].and_then(|pid| self.of(pid))
    }

    /// The number of a group in the queue of a CPU.
    pub fn entity(&self, group: usize, at: usize) -> Pid {
        Pid((group * self.threads() + at) as u32)
    }

    /// The group that has a number in the queues of CPUs, if it is none of a process.
    pub fn at(&self, id: Pid) -> Option<usize> {
        let group = id.i() / self.threads();
        (group < self.count()).then_some(group)
    }

    /// Which process has a number in the queues of CPUs that is none of a group.
    pub fn process(&self, id: Pid) -> Pid {
        Pid(id.0 - self.first_process())
    }

    /// Where the numbers of groups end.
    fn first_process(&self) -> u32 {
        (self.count() * self.threads()) as u32
    }

    /// The number of a process in its queues.
    pub fn number(&self, pid: Pid) -> Pid {
        match self.members[pid.i()].group {
            Some(_) => pid,
            None => Pid(pid.0 + self.first_process()),
        }
    }

    /// The number, in the queue of a CPU, of a process or of its group.
    pub fn top(&self, pid: Pid, at: usize) -> Pid {
        self.of(pid).map_or_else(|| self.number(pid), |group| self.entity(group, at))
    }

    /// A process is at the head of the list of its CPU: balancing comes to it last.
    pub fn pass_over(&mut self, pid: Pid) {
        self.serial = self.serial.wrapping_add(1);
        self.members[pid.i()].order = self.serial;
    }

    /// A process that is picked is there, too, with whom was the last to come.
    pub fn picked(&mut self, pid: Pid) {
        self.members[pid.i()].order = self.serial;
    }

    /// A process as balancing sees it.
    pub fn listed(&self, pid: Pid, is_running: bool) -> Listed {
        let Member { last_ran, order, .. } = self.members[pid.i()];
        Listed { pid, age: self.serial.wrapping_sub(order), last_ran, is_running }
    }

    /// Of those who wait, one after the other, who has not run lately and may run on a CPU: the one with the lowest
    /// number.
    pub fn coldest(&self, each: impl Fn(&mut dyn FnMut(Pid)), to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let mut found: Option<Pid> = None;
        each(&mut |pid| {
            if now.minus(self.members[pid.i()].last_ran) >= self.migration_cost && masks.allows(pid, to) {
                found = Some(found.map_or(pid, |other| other.min(pid)));
            }
        });
        found
    }

    /// Whether a CPU that runs nobody is on its way to run the first of its queue.
    pub fn begin(&mut self, at: usize, is_so: bool) {
        self.begins.set(at, is_so && self.running[at].is_none());
    }

    /// Visits who waits at a CPU, one after the other, but not `first` if it is on its way to him; then who runs there.
    pub fn list(
        &self,
        at: usize,
        each: impl Fn(&mut dyn FnMut(Pid)),
        first: impl Fn() -> Option<Pid>,
        visit: &mut dyn FnMut(Listed),
    ) {
        let begins = if self.begins.has(at) { first() } else { None };
        each(&mut |pid| {
            if Some(pid) != begins {
                visit(self.listed(pid, false));
            }
        });
        self.running[at].into_iter().for_each(|pid| visit(self.listed(pid, true)));
    }

    /// The load of a group that weighs so much at a CPU, as the CPU sees it: its weight there for the share of time
    /// that it stood in the queue, whatever it weighed then (`reweight_entity`).
    pub fn load(&self, group: usize, weight: u64, at: usize, now: Ns) -> f64 {
        weight as f64 / FINER as f64 * self.shares[group].presence(at, now)
    }

    /// The same in 3.14, where nobody counts who is not queued; `own` is the load of those of the group who are, or was
    /// on average over ticks.
    pub fn contribution(&self, group: usize, at: usize, own: f64, now: Ns) -> f64 {
        let shares = &self.shares[group];
        let is_queued = shares.stands(at);
        let load = shares.contribution(is_queued.then_some(at), now) / FINER as f64;
        if is_queued {
            load
        } else {
            own * load
        }
    }
}
