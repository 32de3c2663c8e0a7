//! Balancing of fair queues (Linux; of O(1) in `o1`): when CPUs look for work, what they see, and what they move. What
//! is decided is in [`crate::host::balance`].
mod newly;
#[cfg(test)]
mod newly_tests;
mod o1;
#[cfg(test)]
mod o1_tests;
mod quick;
mod seen;
#[cfg(test)]
mod seen_tests;

use crate::config::{BalanceGeneration, IdleScan, NodeConfig, Scheduler};
use crate::host::balance::active::chosen;
use crate::host::balance::domains::{Domains, Kind};
use crate::host::balance::groups::Puller;
use crate::host::balance::loads::Known;
use crate::host::balance::{kick, Balance, Outcome, Queues};
use crate::host::policy::{Ended, RunQueue, Why};
use crate::ids::{Pid, ThreadId};
use crate::world::{Host, Timer, World};
pub(super) use o1::old_balance_of;
use seen::{Clock, Look, Seen};
use std::ops::Range;
use wwi_kernel::calendar::Phase;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Ticks are counted from here, so that what was before the start has a number.
const FIRST_TICK: u64 = 1 << 32;

/// Balancing of a host, where its queues are fair and there are several. Attempts are at random points of their
/// intervals.
pub(super) fn balance_of(node: &NodeConfig, mut phases: Stream) -> Option<Box<Balance>> {
    if !node.scheduler.is_fair() || node.threads() == 1 {
        return None;
    }
    let core = node.threads_seen_per_core();
    let (cache, socket) = (node.threads_per_cache(), node.threads_per_socket());
    let domains = Domains::new(node.threads(), core, cache, socket, node.tick_hz);
    // The rule left in 5.17; SIS_UTIL came in 5.19, and dice after both.
    let is_old = node.scheduler == Scheduler::Cfs && node.idle_scan != IdleScan::Util && !node.ni_random;
    let least_idle = if is_old { node.cfs.migration_cost } else { Ns::ZERO };
    let domains = match node.balance_generation {
        _ if by_load(node) => domains.by_load(),
        BalanceGeneration::Linux61 if node.scheduler == Scheduler::Cfs => domains.by_threads(),
        _ => domains,
    };
    let mut balance = Balance::new(domains, (node.newidle_cost, least_idle), || phases.uniform());
    if node.scheduler == Scheduler::Eevdf {
        balance.generation = node.eevdf_generation;
    }
    Some(Box::new(balance))
}

/// Whether loads alone decide what is moved.
pub(super) fn by_load(node: &NodeConfig) -> bool {
    node.scheduler == Scheduler::Cfs && node.balance_generation == BalanceGeneration::Linux316
}

/// Whether queues are balanced in which who blocks may stay.
pub(super) fn delays(node: &NodeConfig) -> bool {
    let may_stay = node.scheduler == Scheduler::Eevdf && node.eevdf_generation.delays();
    may_stay && node.threads() > 1
}

impl Host {
    /// When balancing is next looked at.
    fn armed_mut(&mut self) -> Option<&mut Ns> {
        let old = self.old_balance.as_deref_mut().map(|old| &mut old.armed);
        self.balance.as_deref_mut().map(|balance| &mut balance.armed).or(old)
    }
}

impl World {
    /// A process has been queued at a thread of a host whose queues are balanced.
    #[inline(never)]
    pub(crate) fn note_wake(&mut self, pid: Pid, local: usize) {
        let process = &self.processes[pid.i()];
        if process.is_real_time {
            return;
        }
        let (node, used) = (process.node as usize, process.used.0);
        let Host { policy, loads, base, .. } = &mut self.hosts[node];
        let weight = policy.fair().map_or((0, None), |fair| fair.weight(pid));
        let clock = Clock { policy, base: *base, threads: &self.threads, accounts: &self.accounts, now: self.now };
        loads.wake(local, (pid, used), weight, self.now, |cpu| clock.ran(cpu));
    }

    /// A process waits for something from now on, perhaps still queued.
    #[inline(never)]
    pub(crate) fn note_block(&mut self, pid: Pid, at: ThreadId) {
        let (node, used) = (self.processes[pid.i()].node as usize, self.processes[pid.i()].used.0);
        let Host { policy, loads, base, .. } = &mut self.hosts[node];
        let clock = Clock { policy, base: *base, threads: &self.threads, accounts: &self.accounts, now: self.now };
        let picked = self.threads[at.i()].picked;
        loads.block((pid, used), policy.kept(pid).is_some(), (picked, self.now), |cpu| clock.ran(cpu));
    }

    /// Processes that blocked but stayed queued have perhaps left at this moment.
    #[inline(never)]
    pub(crate) fn note_left(&mut self, node: usize) {
        let Host { policy, loads, base, .. } = &mut self.hosts[node];
        let left = policy.fair_mut().map(|fair| fair.take_left()).unwrap_or_default();
        let clock = Clock { policy, base: *base, threads: &self.threads, accounts: &self.accounts, now: self.now };
        for pid in left {
            loads.part((pid, self.processes[pid.i()].used.0), self.now, |cpu| clock.ran(cpu));
        }
    }

    /// Something changed that balancing may look at: on the next tick, if not sooner than it would.
    #[inline(never)]
    pub(crate) fn arm_balance(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let latest = self.now.plus(host.tick);
        // Mostly that is so, and nothing has to be divided to see it.
        if host.armed_mut().is_some_and(|armed| *armed > latest) {
            self.arm_balance_at(node, self.now.next_tick(self.hosts[node].tick));
        }
    }

    fn arm_balance_at(&mut self, node: usize, at: Ns) {
        let Some(armed) = self.hosts[node].armed_mut() else { return };
        if at < *armed {
            *armed = at;
            self.calendar.schedule(at, Phase::Dispatch, Timer::Balance(node as u16));
        }
    }

    /// Nobody waits, and no idle CPU could make a difference.
    fn is_quiet(&self, node: usize) -> bool {
        let host = &self.hosts[node];
        if let Some(balance) = host.balance.as_deref().filter(|balance| balance.domains.by_load) {
            let is_single = !balance.has_groups() && !host.has_real_time;
            return host.ready == 0 && (is_single || host.loads.is_empty());
        }
        host.has_nobody_queued() && (host.idle.count() == 0 || !host.has_real_time && !host.is_uneven())
    }

    /// A tick on which some CPU may be due.
    #[inline(never)]
    pub(crate) fn balance(&mut self, node: usize) {
        if self.hosts[node].old_balance.is_some() {
            return self.balance_o1(node);
        }
        let now = self.now;
        let quiet = self.is_quiet(node);
        let host = &mut self.hosts[node];
        let tick = host.tick;
        let Some(balance) = host.balance.as_deref_mut().filter(|balance| balance.armed == now) else { return };
        balance.armed = Ns::MAX;
        if quiet {
            balance.is_dormant = true;
            host.is_overloaded = false;
            return;
        }
        let present = FIRST_TICK + now.0 / tick.0;
        if std::mem::replace(&mut balance.is_dormant, false) {
            balance.catch_up(present, |cpu| !host.idle.has(cpu));
        }
        self.tell(node);
        let by_load = self.by_load(node);
        let mut from = 0;
        while let Some(cpu) = self.hosts[node].balance.as_deref().and_then(|balance| balance.may_be_due(from, present))
        {
            if self.is_due(node, cpu, false, present) {
                self.rebalance(node, cpu, present);
            }
            from = cpu + 1;
        }
        if by_load {
            self.look_for_idle(node, present);
        } else if self.sends(node) {
            let Host { idle, balance, .. } = &self.hosts[node];
            let may_be = |cpu| balance.as_deref().is_some_and(|balance| balance.may_idle_be_due(cpu, present));
            for cpu in kick::order(idle.all(), may_be) {
                if self.is_due(node, cpu, true, present) {
                    self.rebalance(node, cpu, present);
                }
            }
        }
        if self.hosts[node].has_real_time {
            self.push(node);
        }
        let next = self.next_due(node).max(present + 1);
        if next != u64::MAX {
            self.arm_balance_at(node, Ns((next - FIRST_TICK) * tick.0));
        }
    }

    fn by_load(&self, node: usize) -> bool {
        self.hosts[node].balance.as_deref().is_some_and(|balance| balance.domains.by_load)
    }

    /// The first idle CPU, when it is sent for, looks for work and then does so for the others, as long as it has none
    /// itself (`nohz_idle_balance`, Linux 3.14).
    fn look_for_idle(&mut self, node: usize, present: u64) {
        let is_early = |balance: &Balance| balance.next_idle > present;
        if self.hosts[node].balance.as_deref().is_none_or(is_early) || !self.sends(node) {
            return;
        }
        let (mut first, mut next) = (None, u64::MAX);
        for cpu in 0..self.hosts[node].threads as usize {
            if first.is_some_and(|first| !self.hosts[node].idle.has(first)) {
                break;
            }
            if self.hosts[node].idle.has(cpu) {
                first = first.or(Some(cpu));
                self.rebalance(node, cpu, present);
                next = self.hosts[node].balance.as_deref().map_or(next, |balance| next.min(balance.next[cpu]));
            }
        }
        self.hosts[node].balance.iter_mut().for_each(|balance| balance.next_idle = next);
    }

    /// Whether a CPU that idles, or runs something, is due.
    fn is_due(&mut self, node: usize, cpu: usize, is_idle: bool, present: u64) -> bool {
        let host = &mut self.hosts[node];
        let Some(balance) = host.balance.as_deref_mut() else { return false };
        host.idle.has(cpu) == is_idle && balance.due(cpu, !is_idle) <= present
    }

    /// The tick on which some CPU of a host is due next.
    fn next_due(&mut self, node: usize) -> u64 {
        let sends = self.sends(node);
        let host = &mut self.hosts[node];
        let Some(balance) = &mut host.balance else { return u64::MAX };
        if host.idle.count() == 0 {
            return balance.next.iter().copied().min().unwrap_or(u64::MAX);
        }
        if !sends {
            let busy = balance.next.iter().enumerate().filter(|&(cpu, _)| !host.idle.has(cpu));
            return busy.map(|(_, &next)| next).min().unwrap_or(u64::MAX);
        }
        if balance.domains.by_load {
            let busy = balance.next.iter().enumerate().filter(|&(cpu, _)| !host.idle.has(cpu));
            return busy.map(|(_, &next)| next).min().unwrap_or(u64::MAX).min(balance.next_idle);
        }
        let all = 0..host.threads as usize;
        while let Some(cpu) = balance.was_busy.first_common(host.idle.all(), all.clone(), 0) {
            balance.due(cpu, false);
        }
        balance.next.iter().copied().min().unwrap_or(u64::MAX)
    }

    /// Whether the tick of some busy CPU sends for the idle ones.
    fn sends(&self, node: usize) -> bool {
        let host = &self.hosts[node];
        let Some(balance) = host.balance.as_deref().filter(|_| host.idle.count() > 0) else { return false };
        let (threads, cache) = (host.threads as usize, balance.domains.cache);
        let all = &host.masks.numbered(0).allowed;
        let busy_in = |cpu: usize| {
            let first = cpu / cache * cache;
            cache - host.idle.idle_in(all, first..first + cache)
        };
        if balance.domains.by_load {
            let busy = |group: Range<usize>| group.len() - host.idle.idle_in(all, group);
            let running = |cpu| self.seen(node, false).counted(cpu).running as usize;
            return (0..threads)
                .filter(|&cpu| !host.idle.has(cpu))
                .any(|cpu| kick::sends_by_load(running(cpu), &balance.domains.levels, cpu, busy));
        }
        let several = (0..threads).step_by(cache).any(|cpu| busy_in(cpu) > 1);
        several
            || (0..threads).filter(|&cpu| !host.idle.has(cpu)).any(|cpu| {
                let seen = self.seen(node, false).cpu(cpu);
                kick::sends(&seen, &balance.domains.levels[0], busy_in(cpu))
            })
    }

    /// A CPU looks for work at each level where it is due (`rebalance_domains`).
    fn rebalance(&mut self, node: usize, cpu: usize, present: u64) {
        let mut next = u64::MAX;
        let mut level = 0;
        let mut stops = false;
        loop {
            let Host { balance, idle, .. } = &mut self.hosts[node];
            let Some(balance) = balance.as_deref_mut() else { return };
            let is_busy = !idle.has(cpu);
            if stops || level == balance.domains.levels.len() {
                return balance.looks_next(cpu, next, is_busy);
            }
            let mut due = balance.level_due(cpu, level, is_busy);
            if due <= present {
                let puller = if is_busy { Puller::Busy } else { Puller::Idle };
                stops = self.attempt(node, cpu, level, puller).0;
                let Host { balance, idle, .. } = &mut self.hosts[node];
                let Some(balance) = balance.as_deref_mut() else { return };
                let before = due - balance.tried(cpu, level).last;
                balance.tried_mut(cpu, level).last = present;
                // In 3.14 by the interval of before.
                let now = || balance.level_due(cpu, level, !idle.has(cpu));
                due = if balance.domains.by_load { present + before } else { now() };
            }
            next = next.min(due);
            level += 1;
        }
    }

    /// What is known of the load of a thread.
    pub(crate) fn load_of_cpu(&self, node: usize, local: usize) -> Known {
        self.seen(node, false).known(local)
    }

    /// Processes that run on a thread or wait for it.
    pub(crate) fn runnable_on(&self, node: usize, local: usize) -> usize {
        self.seen(node, false).counted(local).running as usize
    }

    fn seen(&self, node: usize, is_core: bool) -> Seen<'_> {
        let host = &self.hosts[node];
        let (policy, base, threads, accounts) = (&host.policy, host.base, &self.threads, &self.accounts);
        let clock = Clock { policy, base, threads, accounts, now: self.now };
        // Threads of a core share its caches.
        let hot = if is_core { Ns::ZERO } else { self.config.nodes[node].cfs.migration_cost };
        Seen { host, clock, processes: &self.processes, hot }
    }

    /// One attempt: whether the CPU looks no further up, and whether anybody moved.
    fn attempt(&mut self, node: usize, cpu: usize, level: usize, puller: Puller) -> (bool, bool) {
        let outcome = self.decide(node, (cpu, level, puller));
        let host = &mut self.hosts[node];
        if host.has_dice && host.sees_all(level) && !outcome.stops {
            host.is_overloaded = !host.has_none_waiting(0..host.threads as usize);
        }
        self.carry_out(node, (cpu, puller), &outcome);
        (outcome.stops, !outcome.moves.is_empty())
    }

    /// What an attempt would do.
    fn decide(&mut self, node: usize, (cpu, level, puller): (usize, usize, Puller)) -> Outcome {
        if !self.by_load(node) && self.hosts[node].finds_nobody((cpu, level, puller)) {
            return Outcome::default();
        }
        let Some(mut balance) = self.hosts[node].balance.take() else { return Outcome::default() };
        let Balance { domains, cpus, first, pinned, lately, .. } = &mut *balance;
        let domain = &domains.levels[level];
        // In 3.14 threads of a core are as any others.
        let seen = self.seen(node, domain.kind == Kind::Smt && !domains.by_load);
        *first = domain.span(cpu).start;
        let look = if domains.by_load {
            seen.look_by_load(domain, (cpu, puller), (cpus, lately))
        } else {
            seen.look(domain, (cpu, puller, pinned[level].contains(&true)), cpus)
        };
        let outcome = if look == Look::Unknown {
            balance.attempt(cpu, level, puller, &seen)
        } else {
            balance.found_balance(cpu, level, puller);
            Outcome { stops: look == Look::Stops, ..Outcome::default() }
        };
        self.hosts[node].balance = Some(balance);
        outcome
    }

    fn carry_out(&mut self, node: usize, (cpu, puller): (usize, Puller), outcome: &Outcome) {
        if outcome.passed.is_empty() && outcome.moves.is_empty() && outcome.forced_from.is_none() {
            return;
        }
        if let Some(fair) = self.hosts[node].policy.fair_mut() {
            outcome.passed.iter().for_each(|&pid| fair.pass_over(pid));
        }
        // Those taken are put into their new queue the last first (`attach_tasks`); all of them, before anybody runs.
        let mut receivers: Vec<(usize, bool)> = Vec::new();
        for &(pid, from, to) in outcome.moves.iter().rev() {
            let gives_way = self.shift(node, pid, (from, to));
            match receivers.iter_mut().find(|receiver| receiver.0 == to) {
                Some(receiver) => receiver.1 |= gives_way,
                None => receivers.push((to, gives_way)),
            }
        }
        if puller != Puller::NewlyIdle {
            receivers.into_iter().for_each(|(to, gives_way)| self.received(node, to, gives_way));
        }
        // The kernel's stopper comes a moment later; one that is newly idle leaves it to its next attempt here.
        if let Some(from) = outcome.forced_from.filter(|_| puller != Puller::NewlyIdle) {
            self.force(node, from, cpu);
        }
    }

    /// A process that waits is moved; whether who runs there gives way.
    fn shift(&mut self, node: usize, pid: Pid, (from, to): (usize, usize)) -> bool {
        let used = self.processes[pid.i()].used.0;
        let Host { policy, loads, base, balance, .. } = &mut self.hosts[node];
        balance.iter_mut().for_each(|balance| balance.moves += 1);
        let gives_way = policy.fair_mut().is_some_and(|fair| fair.shift(pid, from, to, self.now));
        let clock = Clock { policy, base: *base, threads: &self.threads, accounts: &self.accounts, now: self.now };
        loads.shift(to, (pid, used), self.now, |cpu| clock.ran(cpu));
        self.note_left(node);
        gives_way
    }

    /// A thread was given somebody.
    fn received(&mut self, node: usize, local: usize, gives_way: bool) {
        let at = ThreadId(self.hosts[node].base + local as u16);
        let thread = &self.threads[at.i()];
        if thread.wakes_for != Pid::NONE {
            return;
        }
        if thread.running == Pid::NONE {
            self.turn(at, None);
        } else if gives_way {
            self.preempt(at);
        } else {
            self.charge_here(at);
            let until = self.hosts[node].policy.until(local, self.now);
            self.reslice(at, until);
            self.arm_here(at);
        }
    }

    /// A CPU gives up somebody to another by force, even who runs (`active_load_balance_cpu_stop`).
    fn force(&mut self, node: usize, from: usize, to: usize) {
        let at = ThreadId(self.hosts[node].base + from as u16);
        self.interrupt(at, node);
        // Who is in a section of the kernel cannot be stopped either.
        if self.threads[at.i()].preempts_at != Ns::MAX {
            return;
        }
        let host = &self.hosts[node];
        let list = self.seen(node, false).list(from, false);
        let is_throttled = |pid| [from, to].iter().any(|&cpu| host.policy.is_throttled(pid, cpu));
        let Some(pid) = chosen(list, |pid| host.masks.allows(pid, to) && !is_throttled(pid)) else { return };
        if self.threads[at.i()].running == pid {
            self.charge_here(at);
            self.hosts[node].policy.put(from, Ended { pid, why: Why::Preempted }, self.now);
            self.give_way(at, pid);
            let gives_way = self.shift(node, pid, (from, to));
            let next = self.hosts[node].policy.turn(from, None, self.now);
            self.note_left(node);
            match next {
                Some(next) => self.dispatch(at, next, false),
                None => self.rest(at),
            }
            self.received(node, to, gives_way);
        } else {
            let gives_way = self.shift(node, pid, (from, to));
            self.received(node, to, gives_way);
        }
        if let Some(balance) = self.hosts[node].balance.as_deref_mut().filter(|balance| !balance.domains.by_load) {
            let level = balance.domains.levels.iter().position(|domain| domain.span(to).contains(&from));
            level.into_iter().for_each(|level| balance.tried_mut(to, level).failed = 0);
        }
    }
}
