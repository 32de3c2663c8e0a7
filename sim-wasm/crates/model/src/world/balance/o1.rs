//! Balancing of O(1) (Linux 2.6.18): when CPUs look for work, what they see, and what they move; and where a woken
//! process goes. What is decided is in [`crate::host::balance::o1`].
use super::FIRST_TICK;
use crate::config::{NodeConfig, Scheduler};
use crate::host::balance::groups::Puller;
use crate::host::balance::o1::levels::{Level, Levels};
use crate::host::balance::o1::tasks::Listed;
use crate::host::balance::o1::wake::{wake_idle, Pair};
use crate::host::balance::o1::{Balance, Cpu, Outcome, Queues};
use crate::host::o1::O1;
use crate::host::policy::{Ended, RunQueue, Why};
use crate::ids::{Pid, ThreadId};
use crate::world::wake::Waker;
use crate::world::{Host, Thread, World};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Balancing of a host of O(1) that has several queues. Attempts are at random points of their intervals.
pub(in crate::world) fn old_balance_of(node: &NodeConfig, mut phases: Stream) -> Option<Box<Balance>> {
    if node.scheduler != Scheduler::O1 || node.threads() == 1 {
        return None;
    }
    let core = if node.guest_sees_smt { node.threads_per_core as usize } else { 1 };
    let (cache, socket) = (node.threads_per_cache(), node.threads_per_socket());
    let levels = Levels::new(node.threads(), core, cache, socket, node.tick_hz);
    Some(Box::new(Balance::new(levels, || phases.uniform())))
}

/// A host's queues as a balance sees them.
struct Seen<'a> {
    host: &'a Host,
    threads: &'a [Thread],
    /// The last tick \[ns\]; who ran within so much before it is hot.
    tick: u64,
    hot: u64,
    /// The CPU whose last process has just left it.
    newly: Option<usize>,
    now: Ns,
}

impl Seen<'_> {
    fn cpu(&self, cpu: usize) -> Cpu {
        let mut one = [Cpu::default()];
        if let Some(queues) = self.host.policy.o1() {
            one[0].load = queues.load(cpu, self.now);
            self.count(queues, cpu, &mut one);
        }
        one[0]
    }

    /// CPUs from one on, of which the loads are known.
    fn count(&self, queues: &O1, first: usize, cpus: &mut [Cpu]) {
        for (at, one) in (first..).zip(&mut *cpus) {
            one.running = queues.number_on(at) as u32;
            one.is_idle = self.host.idle.has(at) && self.newly != Some(at);
        }
        if self.host.has_real_time {
            (first..).zip(cpus).for_each(|(at, one)| self.add_real(at, one));
        }
    }

    #[inline(never)]
    fn add_real(&self, cpu: usize, seen: &mut Cpu) {
        let mut weight = 0;
        let queues = self.host.policy.o1();
        self.host.policy.each_real_on(cpu, &mut |priority, _| {
            seen.running += 1;
            weight += queues.map_or(0, |queues| queues.real_weight(priority));
        });
        seen.load = seen.load.with(weight);
    }
}

impl Queues for Seen<'_> {
    fn list(&self, cpu: usize) -> Vec<Listed> {
        self.host.policy.o1().map_or(Vec::new(), |queues| queues.list(cpu))
    }

    fn best(&self, cpu: usize) -> (i32, i32) {
        let (mut best, mut current) =
            self.host.policy.o1().map_or((0, 0), |queues| queues.best(cpu, self.newly == Some(cpu)));
        self.host.policy.each_real_on(cpu, &mut |priority, is_running| {
            if is_running {
                current = 99 - priority as i32;
                best = best.min(current);
            }
        });
        (best, current)
    }

    fn current_may_go(&self, from: usize, to: usize) -> bool {
        match self.threads[self.host.base as usize + from].running {
            Pid::NONE => true,
            pid => self.host.masks.allows(pid, to),
        }
    }

    fn allows(&self, pid: Pid, cpu: usize) -> bool {
        self.host.masks.allows(pid, cpu)
    }

    fn is_hot(&self, listed: &Listed, level: &Level) -> bool {
        // Threads of a core share its caches.
        let hot = if level.is_core() { 0 } else { self.hot };
        self.tick < listed.last_ran + hot
    }
}

impl World {
    fn seen_o1(&self, node: usize, newly: Option<usize>) -> Seen<'_> {
        let host = &self.hosts[node];
        let tick = self.now.0 - self.now.0 % host.tick.0;
        let hot = self.config.nodes[node].cfs.migration_cost.0;
        Seen { host, threads: &self.threads, tick, hot, newly, now: self.now }
    }

    /// A tick on which some CPU may be due (`rebalance_tick`).
    pub(super) fn balance_o1(&mut self, node: usize) {
        let (now, tick) = (self.now, self.hosts[node].tick);
        let is_quiet = self.hosts[node].ready == 0 && !self.is_crowded_anywhere(node);
        let host = &mut self.hosts[node];
        let Some(balance) = host.old_balance.as_deref_mut().filter(|balance| balance.armed == now) else { return };
        balance.armed = Ns::MAX;
        if is_quiet {
            balance.is_dormant = true;
            return;
        }
        let present = FIRST_TICK + now.0 / tick.0;
        if std::mem::replace(&mut balance.is_dormant, false) {
            balance.catch_up(present, |cpu| !host.idle.has(cpu));
        }
        self.tell(node);
        let mut from = 0;
        while let Some(cpu) = self.due_o1(node, from, present) {
            self.rebalance_o1(node, cpu, present);
            from = cpu + 1;
        }
        if self.hosts[node].has_real_time {
            self.push(node);
        }
        let Host { old_balance, idle, .. } = &self.hosts[node];
        if let Some(next) = old_balance.as_deref().map(|balance| balance.soonest(idle)) {
            self.arm_balance_at(node, Ns((next.max(present + 1) - FIRST_TICK) * tick.0));
        }
    }

    fn due_o1(&self, node: usize, from: usize, present: u64) -> Option<usize> {
        let Host { old_balance, idle, .. } = &self.hosts[node];
        old_balance.as_deref().and_then(|balance| balance.next_due(from, present, idle))
    }

    /// Nobody waits, but some group of CPUs has more processes than it is worth.
    fn is_crowded_anywhere(&self, node: usize) -> bool {
        let Some(balance) = self.hosts[node].old_balance.as_deref().filter(|balance| balance.has_groups()) else {
            return false;
        };
        let (host, all) = (&self.hosts[node], &self.hosts[node].masks.numbered(0).allowed);
        balance.levels.all.iter().filter(|level| level.domain.group > 1).any(|level| {
            let mut groups = (0..host.threads as usize).step_by(level.domain.group);
            groups.any(|first| {
                let idle = host.idle.idle_in(all, first..first + level.domain.group);
                (level.domain.group - idle) as u64 > level.capacity()
            })
        })
    }

    /// A CPU looks for work at each level where it is due.
    fn rebalance_o1(&mut self, node: usize, cpu: usize, present: u64) {
        let mut is_busy = !self.hosts[node].idle.has(cpu);
        for level in 0.. {
            let Some(balance) = self.hosts[node].old_balance.as_deref_mut() else { return };
            if level == balance.levels.all.len() {
                return balance.looked(cpu);
            }
            let (ticks, due) = balance.due_at(cpu, level, is_busy);
            if due > present {
                continue;
            }
            let puller = if is_busy { Puller::Busy } else { Puller::Idle };
            is_busy |= self.attempt_o1(node, (cpu, level), puller).is_busy;
            if let Some(balance) = self.hosts[node].old_balance.as_deref_mut() {
                balance.tried_mut(cpu, level).last += ticks;
            }
        }
    }

    /// One attempt, and what comes of it.
    fn attempt_o1(&mut self, node: usize, (cpu, level): (usize, usize), puller: Puller) -> Outcome {
        let Some(mut balance) = self.hosts[node].old_balance.take() else { return Outcome::default() };
        let newly = (puller == Puller::NewlyIdle).then_some(cpu);
        let of = &balance.levels.all[level];
        let (span, rule, is_of_cores) = (of.domain.span(cpu), (of.by(puller), of.domain.pct), of.is_of_cores());
        let Host { policy, has_real_time, .. } = &mut self.hosts[node];
        // Mostly nobody weighs so much more, whoever looks; then it matters to nobody how long that has been so.
        let is_plain = is_of_cores && !*has_real_time;
        if is_plain && policy.o1_mut().is_some_and(|queues| queues.is_even(cpu, span.clone(), rule, self.now)) {
            balance.found_balance((cpu, level), puller, false);
            self.hosts[node].old_balance = Some(balance);
            return Outcome::default();
        }
        let first = span.start;
        let mut cpus = std::mem::take(&mut balance.cpus);
        cpus.resize(span.len(), Cpu::default());
        if let Some(queues) = self.hosts[node].policy.o1_mut() {
            cpus.iter_mut().zip(queues.loads(span, self.now)).for_each(|(cpu, load)| cpu.load = load);
        }
        let seen = self.seen_o1(node, newly);
        if let Some(queues) = seen.host.policy.o1() {
            seen.count(queues, first, &mut cpus);
        }
        let outcome = balance.attempt((cpu, level), (&cpus, first, puller), &seen);
        balance.cpus = cpus;
        self.hosts[node].old_balance = Some(balance);
        let mut gives_way = false;
        for &(pid, from) in &outcome.moves {
            gives_way |= self.shift_o1(node, pid, (from, cpu));
        }
        if puller != Puller::NewlyIdle && !outcome.moves.is_empty() {
            self.received(node, cpu, gives_way);
        }
        if let Some(from) = outcome.forced_from {
            self.force_o1(node, from, cpu);
        }
        outcome
    }

    fn shift_o1(&mut self, node: usize, pid: Pid, way: (usize, usize)) -> bool {
        let Host { policy, old_balance, .. } = &mut self.hosts[node];
        old_balance.iter_mut().for_each(|balance| balance.moves += 1);
        policy.o1_mut().is_some_and(|queues| queues.shift(pid, way, self.now))
    }

    /// The migration thread of a CPU gives somebody to another (`active_load_balance`); nobody runs meanwhile.
    fn force_o1(&mut self, node: usize, from: usize, to: usize) {
        let at = ThreadId(self.hosts[node].base + from as u16);
        let thread = &self.threads[at.i()];
        // Who is in a section of the kernel cannot be stopped, and nobody whom a thread wakes up for.
        if thread.preempts_at != Ns::MAX || thread.wakes_for != Pid::NONE {
            return;
        }
        let seen = self.seen_o1(node, None);
        let Some(pid) = self.hosts[node].old_balance.as_deref().and_then(|b| b.forced(from, to, &seen)) else { return };
        if thread.running == pid {
            self.charge_here(at);
            self.hosts[node].policy.put(from, Ended { pid, why: Why::Preempted }, self.now);
            self.give_way(at, pid);
            let gives_way = self.shift_o1(node, pid, (from, to));
            match self.hosts[node].policy.turn(from, None, self.now) {
                Some(next) => self.dispatch(at, next, false),
                None => self.rest(at),
            }
            self.received(node, to, gives_way);
        } else {
            let gives_way = self.shift_o1(node, pid, (from, to));
            self.received(node, to, gives_way);
        }
    }

    /// A CPU whose last process has just left it looks for others that wait elsewhere (`idle_balance`).
    #[inline(never)]
    pub(crate) fn newly_idle_o1(&mut self, at: ThreadId) -> bool {
        let node = self.threads[at.i()].node as usize;
        let local = (at.0 - self.hosts[node].base) as usize;
        for level in 0.. {
            let levels = self.hosts[node].old_balance.as_deref().map_or(&[][..], |balance| &balance.levels.all);
            match levels.get(level) {
                Some(of) if of.rules.has_newidle => {}
                _ => break,
            }
            let outcome = self.attempt_o1(node, (local, level), Puller::NewlyIdle);
            if !outcome.moves.is_empty() || outcome.is_busy {
                return !outcome.moves.is_empty();
            }
        }
        false
    }

    /// The thread, counted within the host, at which an ordinary process queues that has run before.
    #[inline(never)]
    pub(crate) fn o1_target(&self, pid: Pid, waker: Waker) -> usize {
        let process = &self.processes[pid.i()];
        let node = process.node as usize;
        let host = &self.hosts[node];
        let allowed = &host.masks.of(pid).allowed;
        let last = (process.last.0 - host.base) as usize;
        let here = waker.at.map_or(last, |at| (at.0 - host.base) as usize);
        let last = if allowed.has(last) { last } else { allowed.first_from(last).unwrap_or(last) };
        let (Some(balance), Some(queues)) = (host.old_balance.as_deref(), host.policy.o1()) else { return last };
        let start = if here == last || !allowed.has(here) {
            last
        } else {
            let seen = self.seen_o1(node, None);
            let woken = queues.weight(pid);
            let pair = Pair { here: (here, seen.cpu(here)), last: (last, seen.cpu(last)), woken };
            pair.start(&balance.levels)
        };
        wake_idle(start, &balance.levels, |cpu| host.idle.has(cpu), |cpu| allowed.has(cpu))
    }
}
