//! AIX tick by tick: every process carries its value, every queue is a list in order of arrival.
use crate::driver::check;
use crate::lines::{level, masks, pull, Lines};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{Class, KindConfig, NodeConfig, Scheduler};
use wwi_model::host::aix::Aix;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::{node, ordinary};

struct Process {
    kind: KindConfig,
    usage: u64,
    last_ran: Option<Ns>,
    picked: Ns,
}

struct Slow {
    config: NodeConfig,
    processes: Vec<Process>,
    lines: Vec<Vec<Pid>>,
    running: Vec<Option<Pid>>,
    /// The last tick that everybody was charged for.
    ticked: u64,
    seconds: u64,
}

impl Slow {
    fn tick(&self) -> u64 {
        10_000_000
    }

    fn value_with(&self, pid: Pid, usage: u64) -> i64 {
        let kind = &self.processes[pid.i()].kind;
        if kind.class == Class::Fixed {
            return i64::from(kind.priority).clamp(40, 127);
        }
        let p = 40 + 20 + i64::from(kind.nice);
        let x = if p > 60 { p + (p - 60) } else { p };
        x + usage.min(120) as i64 * i64::from(self.config.aix_sched_r) * (x + 4) / (32 * 64)
    }

    fn value(&self, pid: Pid) -> i64 {
        self.value_with(pid, self.processes[pid.i()].usage)
    }

    /// Lets every tick up to now pass, one after the other.
    fn pass(&mut self, now: Ns) {
        while (self.ticked + 1) * self.tick() <= now.0 {
            self.ticked += 1;
            for pid in self.running.iter().flatten() {
                let process = &mut self.processes[pid.i()];
                process.usage = (process.usage + 1).min(120);
            }
        }
    }

    /// The first of those with the least value.
    fn first(&self, at: usize) -> Option<Pid> {
        let mut first: Option<Pid> = None;
        for &pid in &self.lines[at] {
            if first.is_none_or(|best| self.value(pid) < self.value(best)) {
                first = Some(pid);
            }
        }
        first
    }

    /// Tick after tick: when is the running one no better than the first in line?
    fn end(&self, at: usize, now: Ns) -> Ns {
        let (Some(first), Some(running)) = (self.first(at), self.running[at]) else { return Ns::MAX };
        for ticks in 1..=130 {
            if self.value_with(running, self.processes[running.i()].usage + ticks) >= self.value(first) {
                return Ns((now.0 / self.tick() + ticks) * self.tick());
            }
        }
        Ns::MAX
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.pass(now);
        self.lines[at].push(pid);
        match self.running[at] {
            None => Preempt::No,
            Some(running) if self.value(pid) < self.value(running) => Preempt::Now,
            Some(_) => Preempt::Until(self.end(at, now)),
        }
    }
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        if let Some(ended) = ended {
            self.put(at, ended, now);
        }
        self.pass(now);
        let pid = self.first(at)?;
        self.lines[at].retain(|&p| p != pid);
        self.running[at] = Some(pid);
        self.processes[pid.i()].picked = now;
        Some(Next { pid, until: self.end(at, now) })
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.pass(now);
        self.running[at] = None;
        let tick = self.tick();
        let process = &mut self.processes[ended.pid.i()];
        process.last_ran = Some(now);
        let is_tick = now.ceil_to(Ns(tick)) == now && process.picked.0 / tick < now.0 / tick;
        match ended.why {
            Why::Blocked => {}
            _ if is_tick => self.lines[at].push(ended.pid),
            _ => self.lines[at].insert(0, ended.pid),
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.lines[at].len()
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        self.pass(now);
        pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        self.pass(now);
        level(self, now, masks)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.pass(now);
        match (self.running[at], self.first(at)) {
            (Some(running), Some(first)) if self.value(first) < self.value(running) => now,
            _ => self.end(at, now),
        }
    }
    fn next_periodic(&self, _now: Ns) -> Ns {
        Ns((self.seconds + 1) * 1_000_000_000)
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.pass(now);
        self.seconds = now.0 / 1_000_000_000;
        let d = u64::from(self.config.aix_sched_d);
        self.processes.iter_mut().for_each(|p| p.usage = p.usage * d / 32);
        (0..self.lines.len()).filter(|&at| !self.lines[at].is_empty()).collect()
    }
}

impl Lines for Slow {
    fn threads(&self) -> usize {
        self.lines.len()
    }
    fn in_order(&self, at: usize) -> Vec<Pid> {
        let mut order = self.lines[at].clone();
        order.sort_by_key(|&pid| self.value(pid));
        order
    }
    fn runs(&self, at: usize) -> Option<Pid> {
        self.running[at]
    }
    fn last_ran(&self, pid: Pid) -> Option<Ns> {
        self.processes[pid.i()].last_ran
    }
    fn migration_cost(&self) -> Ns {
        self.config.cfs.migration_cost
    }
    fn transfer(&mut self, pid: Pid, from: usize, to: usize) {
        self.lines[from].retain(|&p| p != pid);
        self.lines[to].push(pid);
    }
}

#[test]
fn aix() {
    for seed in 0..500u32 {
        let mut config = NodeConfig { cores_per_socket: 1 + seed % 4, scheduler: Scheduler::Aix, ..node() };
        config.tick_hz = [100, 100, 1000, 250][seed as usize / 3 % 4];
        (config.aix_sched_r, config.aix_sched_d) = [(16, 16), (4, 31), (0, 16), (32, 32), (5, 0)][seed as usize % 5];
        let (masks, processes) = masks(config.threads(), seed);
        let mut fast = Aix::new(&config);
        let mut slow = Slow {
            processes: Vec::new(),
            lines: vec![Vec::new(); config.threads()],
            running: vec![None; config.threads()],
            ticked: 0,
            seconds: 0,
            config,
        };
        for pid in 0..processes {
            let mut kind = ordinary();
            kind.nice = [0, 0, 0, 5, -7, 19, -20][(pid + seed as usize) % 7];
            if (pid + seed as usize) % 5 == 4 {
                (kind.class, kind.priority) = (Class::Fixed, [40, 61, 66, 127][pid % 4]);
            }
            fast.admit(Pid(pid as u32), &kind);
            slow.processes.push(Process { kind, usage: 0, last_ran: None, picked: Ns::ZERO });
        }
        let threads = slow.lines.len();
        check(u64::from(seed), threads, &mut fast, &mut slow, processes, &masks);
    }
}
