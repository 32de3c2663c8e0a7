//! What a balance sees of a host: processes, loads and capacities of its CPUs, and their queues.
use crate::host::balance::detach::Candidate;
use crate::host::balance::domains::Domain;
use crate::host::balance::groups::{Cpu, Puller, Type, View, CAPACITY};
use crate::host::balance::loads::{Known, Ran};
use crate::host::balance::{Listed, Queues};
use crate::host::masks::Mask;
use crate::host::policy::Policy;
use crate::ids::Pid;
use crate::measure::accounts::Accounts;
use crate::world::{Host, Process, Thread};
use std::ops::Range;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::time::Ns;

/// What a host's threads have run so far.
pub(super) struct Clock<'a> {
    pub policy: &'a Policy,
    pub base: u16,
    pub threads: &'a [Thread],
    pub accounts: &'a Accounts,
    pub now: Ns,
}

impl Clock<'_> {
    /// What a thread has run so far.
    pub fn ran(&self, local: usize) -> Ran {
        let at = self.base as usize + local;
        let thread = &self.threads[at];
        let is_used = thread.running != Pid::NONE || thread.wakes_for != Pid::NONE;
        let open = if is_used { (self.now - thread.since).0 } else { 0 };
        self.policy.ran(local, self.accounts.threads[at].0 + thread.sums.busy + open, self.now)
    }
}

/// A CPU before it is looked at.
const UNSEEN: Cpu =
    Cpu { running: 0, fair: 0, load: 0, util: 0, runnable: 0, capacity: CAPACITY, is_idle: false, is_open: true };

/// What a look at CPUs says before anything is compared. Unless it is unknown, loads are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// The CPU is not the one to look for work here.
    Stops,
    /// The domain is balanced, whatever the loads are.
    Balanced,
    /// To be compared.
    Unknown,
}

/// A host's queues as a balance sees them.
pub(super) struct Seen<'a> {
    pub host: &'a Host,
    pub clock: Clock<'a>,
    pub processes: &'a [Process],
    /// Who ran within this is hot.
    pub hot: Ns,
}

impl Seen<'_> {
    fn thread(&self, local: usize) -> &Thread {
        &self.clock.threads[self.host.base as usize + local]
    }

    fn group_load(&self, group: usize, local: usize, own: f64) -> f64 {
        self.host.policy.fair().map_or(own, |fair| fair.group_load(group, local, own, self.clock.now))
    }

    pub fn cpu(&self, local: usize) -> Cpu {
        let mut cpu = self.counted(local);
        self.weigh(local, &mut cpu);
        cpu
    }

    /// How many a CPU has, without their loads.
    pub fn counted(&self, local: usize) -> Cpu {
        let mut cpu = UNSEEN;
        self.count(local, &mut cpu);
        cpu
    }

    /// How many a CPU has, put where it belongs: what is stored in parts and then copied in one waits for the parts.
    #[inline(never)]
    fn count(&self, local: usize, cpu: &mut Cpu) {
        let host = self.host;
        let thread = self.thread(local);
        let runs = thread.running != Pid::NONE || thread.wakes_for != Pid::NONE;
        // Who waits on an idle thread is held back by a limit.
        let is_idle = host.idle.has(local);
        let (fair, waiting) = host.policy.counts(local);
        let delayed = host.delayed(local) as u32;
        let running = if is_idle { fair } else { waiting + u32::from(runs) } + delayed;
        cpu.is_idle = is_idle && running == 0;
        cpu.running = running;
        cpu.fair = fair + if host.counts_delayed { delayed } else { 0 };
    }

    /// What is known of a CPU's load.
    pub fn known(&self, local: usize) -> Known {
        let mut cpu = UNSEEN;
        self.weigh(local, &mut cpu);
        Known { load: cpu.load, util: cpu.util, runnable: cpu.runnable, capacity: cpu.capacity }
    }

    /// And their loads, in the same way.
    #[inline(never)]
    fn weigh(&self, local: usize, cpu: &mut Cpu) {
        let of_group = |group, at, own| self.group_load(group, at, own);
        let known = self.host.loads.known(local, self.clock.now, self.clock.ran(local), of_group);
        (cpu.load, cpu.util, cpu.runnable, cpu.capacity) = (known.load, known.util, known.runnable, known.capacity);
    }

    /// The CPUs of a domain, seen by one of them that goes by their loads alone, and the loads by which it judges.
    pub fn look_by_load(
        &self,
        domain: &Domain,
        (local, puller): (usize, Puller),
        (cpus, lately): (&mut Vec<Cpu>, &mut Vec<u64>),
    ) -> Look {
        let span = domain.span(local);
        cpus.clear();
        lately.clear();
        cpus.extend(span.clone().map(|at| self.counted(at)));
        if puller == Puller::NewlyIdle {
            cpus[local - span.start].running = cpus[local - span.start].fair;
        }
        let is_first = View { domain, cpus, first: span.start, puller }.is_first_idle(local);
        if !is_first {
            return Look::Unknown;
        }
        // From nobody nothing is taken.
        if self.host.loads.is_empty() {
            return Look::Balanced;
        }
        for (cpu, at) in cpus.iter_mut().zip(span) {
            let loads = self.host.loads.lately(at, self.clock.now, |group, at, own| self.group_load(group, at, own));
            (cpu.load, cpu.capacity) = (loads[0], self.known(at).capacity);
            lately.push(loads[domain.lately(puller)]);
        }
        Look::Unknown
    }

    /// What can be said without counting: whether a CPU is the one to look for work, and whether its domain is
    /// balanced as nobody can be taken, or nobody waits and no group idles less.
    fn look_first(&self, domain: &Domain, (local, puller, is_pinned): (usize, Puller, bool)) -> Look {
        let is_idle = |at| self.host.idle.has(at) && self.counted(at).is_idle;
        let is_chosen = match puller {
            Puller::NewlyIdle => self.counted(local).fair == 0,
            Puller::Idle | Puller::Busy => domain.chooses(local, |_| true, is_idle),
        };
        if !is_chosen {
            return Look::Stops;
        }
        // From nobody nothing is taken.
        if self.host.loads.is_empty() {
            return Look::Balanced;
        }
        if !self.host.has_real_time && !is_pinned && self.host.has_none_waiting(domain.span(local)) {
            let idle = |group| self.host.idle.idle_in(&self.host.masks.numbered(0).allowed, group);
            let own = idle(domain.group_of(local));
            let is_even = || own <= 1 || domain.groups_from(local).all(|group| idle(group) + 1 >= own);
            if puller == Puller::Busy || is_even() {
                return Look::Balanced;
            }
        }
        Look::Unknown
    }

    /// A CPU that has more than it can do finds nobody on others that has more than is tolerated, whatever their loads
    /// are by now: so it is mostly, and nothing of them has to be worked out.
    pub fn is_even(&self, domain: &Domain, (local, puller, is_pinned): (usize, Puller, bool)) -> bool {
        if puller != Puller::Busy || domain.group > 1 || is_pinned || self.host.has_real_time {
            return false;
        }
        let view = View { domain, cpus: &[self.cpu(local)], first: local, puller };
        let own = view.group(local..local + 1, true, false);
        let most = self.host.loads.at_most(domain.span(local), local);
        own.kind == Type::Overloaded && domain.tolerates(most, own.average)
    }

    /// The CPUs of a domain, seen by one of them. For one that idles where there are fewer processes than CPUs, only
    /// loads of groups that are overloaded count, if any is, else of those that have a process for each CPU: others are
    /// not looked at. Nobody is bound then, so that no other group is looked for.
    /// `is_pinned`: balancing below failed in some group because processes are bound.
    pub fn look(
        &self,
        domain: &Domain,
        (local, puller, is_pinned): (usize, Puller, bool),
        cpus: &mut Vec<Cpu>,
    ) -> Look {
        let found = self.look_first(domain, (local, puller, is_pinned));
        if found != Look::Unknown {
            return found;
        }
        if self.is_even(domain, (local, puller, is_pinned)) {
            return Look::Balanced;
        }
        let first = domain.span(local).start;
        let own = domain.group_of(local);
        cpus.clear();
        cpus.resize(domain.size, UNSEEN);
        own.clone().for_each(|at| self.count(at, &mut cpus[at - first]));
        if puller == Puller::NewlyIdle {
            cpus[local - first].running = cpus[local - first].fair;
        }
        let runs = |cpus: &[Cpu], group: &Range<usize>| {
            cpus[group.start - first..group.end - first].iter().map(|cpu| cpu.running as usize).sum::<usize>()
        };
        let everywhere = |mask: &Mask| mask.allowed.len() as usize == usize::from(self.host.threads);
        let is_short = puller.has_nothing() && !is_pinned && runs(cpus, &own) < domain.group;
        let is_free = || !self.host.has_real_time && self.host.masks.all().all(everywhere);
        let weigh = |cpus: &mut [Cpu], group: &Range<usize>| {
            group.clone().for_each(|at| self.weigh(at, &mut cpus[at - first]));
        };
        let mut others = 0;
        for at in domain.groups_from(local).skip(1).flatten() {
            self.count(at, &mut cpus[at - first]);
            others += cpus[at - first].fair;
        }
        if others == 0 {
            return Look::Balanced;
        }
        if !is_short || !is_free() {
            weigh(cpus, &domain.span(local));
            return Look::Unknown;
        }
        let mut is_known = false;
        for group in domain.groups_from(local).skip(1) {
            if runs(cpus, &group) > domain.group {
                weigh(cpus, &group);
                let view = View { domain, cpus, first, puller };
                is_known |= view.group(group, false, false).kind == Type::Overloaded;
            }
        }
        if !is_known {
            // Threads of a core that all run something count as that.
            for group in domain.groups_from(local).skip(1).filter(|_| !domain.sees_siblings()) {
                if runs(cpus, &group) == domain.group {
                    weigh(cpus, &group);
                }
            }
        } else if !domain.shares_cache() {
            weigh(cpus, &own);
        }
        Look::Unknown
    }
}

/// So many are put in order one by one: more are sorted at once.
const FEW: usize = 32;

/// Somebody queued, and whether he sleeps.
type Queued = (Listed, bool);

impl Seen<'_> {
    /// One who runs on a thread since `since`, or is queued there.
    fn candidate(&self, one: &Queued, (cpu, since): (usize, Ns), is_weighed: bool) -> Candidate {
        let &(Listed { pid, last_ran, is_running, .. }, is_delayed) = one;
        let now = self.clock.now;
        let open = if is_running { (now - since).0 } else { 0 };
        let used = || self.processes[pid.i()].used.0 + open;
        let weigh = || self.host.loads.of(pid, now, used(), |group, at, own| self.group_load(group, at, own));
        let (load, util) = if is_weighed { weigh() } else { (0, 0) };
        let is_owed = !self.host.has_delays || self.host.policy.fair().is_none_or(|fair| fair.is_owed(pid, cpu, now));
        Candidate { pid, load, util, is_hot: now.minus(last_ran) < self.hot, is_running, is_delayed, is_owed }
    }
}

impl Queues for Seen<'_> {
    fn list(&self, cpu: usize, is_weighed: bool) -> Vec<Candidate> {
        let Some(fair) = self.host.policy.fair() else { return Vec::new() };
        let runnable = fair.runnable(cpu);
        let mut listed: Vec<Queued> = Vec::with_capacity(runnable);
        // Where they are few, each is put before those that came to the head later.
        let is_few = runnable <= FEW;
        let mut put = |one: Listed, is_delayed: bool| {
            let later = if is_few { listed.iter().position(|other| other.0.age < one.age) } else { None };
            listed.insert(later.unwrap_or(listed.len()), (one, is_delayed));
        };
        fair.visit(cpu, &mut |one| put(one, false));
        fair.visit_delayed(cpu, &mut |one| put(one, true));
        if !is_few {
            sort_by_rank(&mut listed, |one| u64::from(u32::MAX - one.0.age));
        }
        listed.iter().map(|one| self.candidate(one, (cpu, self.thread(cpu).since), is_weighed)).collect()
    }

    fn has_peers(&self, pid: Pid, cpu: usize) -> bool {
        self.host.policy.fair().is_some_and(|fair| fair.has_peers(pid, cpu))
    }

    fn current(&self, cpu: usize) -> Option<Pid> {
        Some(self.thread(cpu).running).filter(|&pid| pid != Pid::NONE)
    }

    fn allows(&self, pid: Pid, cpu: usize) -> bool {
        self.host.masks.allows(pid, cpu)
    }

    fn is_throttled(&self, pid: Pid, cpu: usize) -> bool {
        self.host.policy.is_throttled(pid, cpu)
    }
}
