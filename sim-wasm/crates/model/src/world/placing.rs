//! Where a process goes that wakes on one of Linux's fair queues (`select_task_rq_fair` of `kernel/sched/fair.c`): near
//! the CPU that wakes it or near its last one, and there to an idle CPU if the search for one comes upon it.
use crate::config::IdleScan;
use crate::host::affine::{looks, Loaded, Pair};
use crate::host::balance::loads::Known as Load;
use crate::host::placement::sibling::Known;
use crate::ids::{Pid, ThreadId};
use crate::world::balance::by_load;
use crate::world::wake::Waker;
use crate::world::{Host, World};
use wwi_kernel::time::Ns;

/// A CPU that is busy balances its cache each 16 ms for every CPU there, so that one of them does so this often; what
/// it finds is how far a wake-up looks.
const LOOKS_HOLD: Ns = Ns(16_000_000);

/// The two CPUs of a wake-up, and who is on them.
struct Sides<'a> {
    world: &'a World,
    node: usize,
    woken: Pid,
    waker: Pid,
}

impl Loaded for Sides<'_> {
    fn is_idle(&self, cpu: usize) -> bool {
        self.world.hosts[self.node].idle.has(cpu)
    }
    fn runnable(&self, cpu: usize) -> usize {
        self.world.runnable_on(self.node, cpu)
    }
    fn known(&self, cpu: usize) -> Load {
        self.world.load_of_cpu(self.node, cpu)
    }
    fn of_woken(&self) -> u64 {
        self.world.load_of(self.node, self.woken)
    }
    fn of_waker(&self) -> u64 {
        match self.waker {
            Pid::NONE => 0,
            waker => self.world.load_of(self.node, waker),
        }
    }
}

impl World {
    /// The thread, counted within the host, at which an ordinary process queues that has run before.
    #[inline(never)]
    pub(crate) fn fair_target(&mut self, pid: Pid, waker: Waker) -> usize {
        let process = &self.processes[pid.i()];
        let (node, now) = (process.node as usize, self.now);
        let host = &mut self.hosts[node];
        let slept = (process.last.0 - host.base) as usize;
        let here = waker.at.map_or(slept, |at| (at.0 - host.base) as usize);
        // Who was moved while his leaving was delayed left there (`p->wake_cpu`).
        let last = host.loads.home(pid).unwrap_or(slept);
        let running = self.threads[host.base as usize + here].running;
        let cpus = host.idle.near(here).len() as u32;
        let is_wide = host.wakings.note((here, running), pid, cpus, now);
        let mask = host.masks.of(pid);
        if here == last && host.idle.has(last) && mask.preferred.is_none() && mask.allowed.has(last) {
            return last;
        }
        let (is_here_allowed, prefers) = (mask.allowed.has(here), mask.preferred.is_some());
        let last = if mask.allowed.has(last) { last } else { mask.allowed.first_from(last).unwrap_or(last) };
        if let Some(unlike) = prefers.then(|| self.wanted_instead(pid, here)).flatten() {
            return unlike;
        }
        let start = if is_wide || !is_here_allowed || here == last {
            last
        } else {
            let pct = self.hosts[node].tolerance(here, last);
            let shares_cache = self.hosts[node].idle.near(here).contains(&last);
            let pair = Pair { here, last, shares_cache, is_sync: waker.is_message, pct };
            pair.start(&Sides { world: self, node, woken: pid, waker: running })
        };
        self.near(pid, here, Known { start, last }).unwrap_or(start)
    }

    /// An idle thread near the start (`select_idle_sibling`).
    fn near(&mut self, pid: Pid, here: usize, known: Known) -> Option<usize> {
        let node = self.processes[pid.i()].node as usize;
        let settings = &self.config.nodes[node];
        let is_util = settings.idle_scan == IdleScan::Util;
        let is_by_groups = by_load(settings) && !is_util;
        let Host { idle, masks, wakings, .. } = &mut self.hosts[node];
        let mask = masks.of(pid);
        let found = idle.known(&mask.allowed, known);
        if found.is_some() {
            return found;
        }
        if is_by_groups {
            return idle.one_of_groups(mask, known.start);
        }
        let recent = wakings.replace_recent(pid, known.last);
        let found = recent.and_then(|recent| idle.recent(&mask.allowed, known, recent));
        if found.is_some() || idle.count() == 0 {
            return found;
        }
        if !is_util {
            let count = self.scan_count(node, here);
            let Host { idle, masks, .. } = &mut self.hosts[node];
            return idle.one_of_few(masks.of(pid), known.start, count);
        }
        if mask.preferred.is_some() {
            return idle.thread_near(mask, known.start, settings.threads_per_cache());
        }
        let looks = self.looks(node, known.start);
        let Host { idle, masks, .. } = &mut self.hosts[node];
        idle.sibling(&masks.of(pid).allowed, known, looks)
    }

    /// How many CPUs a search looks at that starts here (SIS_UTIL).
    #[inline(never)]
    fn looks(&mut self, node: usize, start: usize) -> usize {
        let host = &self.hosts[node];
        let near = host.idle.near(start);
        let (cache, cpus) = (start / near.len(), near.len() as u64);
        if let Some(known) = host.wakings.looks.get(cache).filter(|known| self.now < known.1) {
            return known.0 as usize;
        }
        let level = |balance: &crate::host::balance::Balance| {
            balance.domains.levels.iter().find(|domain| domain.size == near.len()).map(|domain| domain.pct)
        };
        let Some(pct) = host.balance.as_deref().and_then(level) else { return 0 };
        let used = near.map(|cpu| self.load_of_cpu(node, cpu).util).sum();
        let found = looks(used, cpus, pct);
        let known = &mut self.hosts[node].wakings.looks;
        if known.len() <= cache {
            known.resize(cache + 1, (0, Ns::ZERO));
        }
        known[cache] = (found as u32, self.now.plus(LOOKS_HOLD));
        found as usize
    }

    #[inline(never)]
    fn load_of(&self, node: usize, pid: Pid) -> u64 {
        let (host, process) = (&self.hosts[node], &self.processes[pid.i()]);
        let open = match process.last {
            ThreadId::NONE => 0,
            at if self.threads[at.i()].running == pid => (self.now - self.threads[at.i()].since).0,
            _ => 0,
        };
        let of_group =
            |group, at, own| host.policy.fair().map_or(own, |fair| fair.group_load(group, at, own, self.now));
        host.loads.of(pid, self.now, process.used.0 + open, of_group).0
    }
}

impl Host {
    /// `imbalance_pct` of the lowest domain that has both CPUs.
    fn tolerance(&self, one: usize, other: usize) -> u64 {
        let levels = self.balance.as_deref().map_or(&[][..], |balance| &balance.domains.levels);
        levels.iter().find(|domain| domain.span(one).contains(&other)).map_or(100, |domain| domain.pct)
    }
}
