//! Solaris tick by tick, with the table written out, waits counted for everybody, and one list in order of arrival for
//! each thread.
use crate::driver::check;
use crate::lines::{level, masks, pull, Lines};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{Class, NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::host::solaris::Solaris;
use wwi_model::ids::Pid;
use wwi_model::testing::{node, ordinary};

/// (quantum \[ms\], slpret, lwait) of priorities 0 to 59, as `dispadmin -c TS -g` prints them.
#[rustfmt::skip]
const TABLE: [(u64, i64, i64); 60] = [
    (200, 50, 50), (200, 50, 50), (200, 50, 50), (200, 50, 50), (200, 50, 50),
    (200, 50, 50), (200, 50, 50), (200, 50, 50), (200, 50, 50), (200, 50, 50),
    (160, 51, 51), (160, 51, 51), (160, 51, 51), (160, 51, 51), (160, 51, 51),
    (160, 51, 51), (160, 51, 51), (160, 51, 51), (160, 51, 51), (160, 51, 51),
    (120, 52, 52), (120, 52, 52), (120, 52, 52), (120, 52, 52), (120, 52, 52),
    (120, 52, 52), (120, 52, 52), (120, 52, 52), (120, 52, 52), (120, 52, 52),
    (80, 53, 53), (80, 53, 53), (80, 53, 53), (80, 53, 53), (80, 53, 53),
    (80, 54, 54), (80, 54, 54), (80, 54, 54), (80, 54, 54), (80, 54, 54),
    (40, 55, 55), (40, 55, 55), (40, 55, 55), (40, 55, 55), (40, 55, 55),
    (40, 56, 56), (40, 57, 57), (40, 58, 58), (40, 58, 58), (40, 58, 59),
    (40, 58, 59), (40, 58, 59), (40, 58, 59), (40, 58, 59), (40, 58, 59),
    (40, 58, 59), (40, 58, 59), (40, 58, 59), (40, 58, 59), (20, 59, 59),
];

struct Process {
    class: Class,
    nice: i64,
    /// The priority before nice and boost, or the fixed one.
    own: i64,
    left: u64,
    dispwait: u64,
    last_ran: Option<Ns>,
}

struct Slow {
    config: NodeConfig,
    processes: Vec<Process>,
    lines: Vec<Vec<Pid>>,
    running: Vec<Option<Pid>>,
    over: Vec<bool>,
    ticked: u64,
    seconds: u64,
}

impl Slow {
    fn tick(&self) -> u64 {
        1_000_000_000 / u64::from(self.config.tick_hz)
    }
    fn quantum(&self, own: i64) -> u64 {
        (TABLE[own.min(59) as usize].0 * u64::from(self.config.tick_hz)).div_ceil(1000)
    }
    fn priority(&self, pid: Pid) -> i64 {
        let process = &self.processes[pid.i()];
        match process.class {
            Class::Fixed => process.own,
            Class::Interactive => (process.own + 10 - 3 * process.nice).clamp(0, 59),
            _ => (process.own - 3 * process.nice).clamp(0, 59),
        }
    }
    fn is_due(&self, pid: Pid) -> bool {
        let process = &self.processes[pid.i()];
        process.class != Class::Fixed && process.dispwait > if self.priority(pid) == 59 { 32_000 } else { 0 }
    }
    fn renew(&mut self, pid: Pid, own: i64) {
        let left = self.quantum(own);
        let process = &mut self.processes[pid.i()];
        (process.own, process.left, process.dispwait) = (own, left, 0);
    }

    fn pass(&mut self, now: Ns) {
        self.renew_the_lonely();
        while (self.ticked + 1) * self.tick() <= now.0 {
            self.ticked += 1;
            for at in 0..self.lines.len() {
                let Some(pid) = self.running[at].filter(|_| !self.over[at]) else { continue };
                let process = &mut self.processes[pid.i()];
                process.left -= 1;
                if process.left == 0 {
                    self.over[at] = true;
                    process.dispwait = 0;
                    if process.class != Class::Fixed {
                        process.own = if process.own > 10 { process.own - 10 } else { 0 };
                    }
                }
            }
            self.renew_the_lonely();
        }
    }

    fn renew_the_lonely(&mut self) {
        for at in 0..self.lines.len() {
            let Some(pid) = self.running[at] else { continue };
            if self.over[at] && self.lines[at].is_empty() {
                self.renew(pid, self.processes[pid.i()].own);
                self.over[at] = false;
            }
        }
    }

    fn first(&self, at: usize) -> Option<Pid> {
        let mut first: Option<Pid> = None;
        for &pid in &self.lines[at] {
            if first.is_none_or(|best| self.priority(pid) > self.priority(best)) {
                first = Some(pid);
            }
        }
        first
    }

    fn end(&self, at: usize) -> Ns {
        match self.running[at] {
            Some(pid) if !self.lines[at].is_empty() => {
                let left = if self.over[at] { 0 } else { self.processes[pid.i()].left };
                Ns((self.ticked + left) * self.tick())
            }
            _ => Ns::MAX,
        }
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.pass(now);
        if self.is_due(pid) {
            self.renew(pid, TABLE[self.processes[pid.i()].own as usize].1);
        }
        let process = &self.processes[pid.i()];
        let is_warm = process.last_ran.is_some_and(|ran| ran.0 / self.tick() == now.0 / self.tick());
        if process.class == Class::Interactive || is_warm {
            self.lines[at].insert(0, pid);
        } else {
            self.lines[at].push(pid);
        }
        match self.running[at] {
            None => Preempt::No,
            Some(other) if self.priority(pid) > self.priority(other) => Preempt::Now,
            Some(_) => Preempt::Until(self.end(at)),
        }
    }
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.pass(now);
        if let Some(ended) = ended {
            self.put(at, ended, now);
        }
        let pid = self.first(at)?;
        self.lines[at].retain(|&p| p != pid);
        self.running[at] = Some(pid);
        Some(Next { pid, until: self.end(at) })
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.pass(now);
        let (pid, is_over) = (ended.pid, self.over[at]);
        if is_over {
            self.renew(pid, self.processes[pid.i()].own);
        }
        (self.running[at], self.over[at]) = (None, false);
        self.processes[pid.i()].last_ran = Some(now);
        match ended.why {
            Why::Blocked => {}
            _ if is_over => self.lines[at].push(pid),
            _ => self.lines[at].insert(0, pid),
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
            (Some(pid), Some(first)) if self.priority(first) > self.priority(pid) => now,
            _ => self.end(at),
        }
    }
    fn next_periodic(&self, _now: Ns) -> Ns {
        Ns((self.seconds + 1) * 1_000_000_000)
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.pass(now);
        self.seconds = now.0 / 1_000_000_000;
        self.processes.iter_mut().for_each(|process| process.dispwait += 1);
        for at in 0..self.lines.len() {
            if let Some(pid) = self.running[at].filter(|&pid| self.is_due(pid)) {
                self.renew(pid, TABLE[self.processes[pid.i()].own as usize].1);
                self.over[at] = false;
            }
            for pid in self.in_order(at) {
                if !self.is_due(pid) {
                    continue;
                }
                let (before, left) = (self.priority(pid), self.processes[pid.i()].left);
                self.renew(pid, TABLE[self.processes[pid.i()].own as usize].2);
                if self.priority(pid) == before {
                    self.processes[pid.i()].left = left;
                    continue;
                }
                self.lines[at].retain(|&p| p != pid);
                let is_first = self.processes[pid.i()].class == Class::Interactive;
                let place = if is_first { 0 } else { self.lines[at].len() };
                self.lines[at].insert(place, pid);
            }
        }
        (0..self.lines.len()).filter(|&at| !self.lines[at].is_empty()).collect()
    }
    fn weakest(&self, pid: Pid, last: usize, masks: &Masks) -> Option<usize> {
        let mut best: Option<(i64, usize)> = None;
        for at in (last..self.lines.len()).chain(0..last) {
            let Some(running) = self.running[at].filter(|_| masks.allows(pid, at)) else { continue };
            if best.is_none_or(|(least, _)| self.priority(running) < least) {
                best = Some((self.priority(running), at));
            }
        }
        best.map(|(_, at)| at)
    }
}

impl Lines for Slow {
    fn threads(&self) -> usize {
        self.lines.len()
    }
    fn in_order(&self, at: usize) -> Vec<Pid> {
        let mut order = self.lines[at].clone();
        order.sort_by_key(|&pid| -self.priority(pid));
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
fn solaris() {
    for seed in 0..500u32 {
        let mut config = NodeConfig { cores_per_socket: 1 + seed % 4, scheduler: Scheduler::Solaris, ..node() };
        config.tick_hz = [100, 1000, 250][seed as usize / 3 % 3];
        let (masks, processes) = masks(config.threads(), seed);
        let (mut fast, threads) = (Solaris::new(&config), config.threads());
        let (lines, running, over) = (vec![Vec::new(); threads], vec![None; threads], vec![false; threads]);
        let mut slow = Slow { config, processes: Vec::new(), lines, running, over, ticked: 0, seconds: 0 };
        for pid in 0..processes {
            let mut kind = ordinary();
            kind.nice = [0, 0, 0, 5, -7, 19, -20][(pid + seed as usize) % 7];
            kind.class = [Class::TimeSharing, Class::TimeSharing, Class::Interactive, Class::Fixed][pid % 4];
            kind.priority = [60, 0, 30, 59][seed as usize % 4];
            fast.admit(Pid(pid as u32), &kind);
            let own = if kind.class == Class::Fixed { i64::from(kind.priority) } else { 29 };
            let left = slow.quantum(own);
            let (class, nice) = (kind.class, i64::from(kind.nice));
            slow.processes.push(Process { class, nice, own, left, dispwait: 0, last_ran: None });
        }
        check(u64::from(seed), threads, &mut fast, &mut slow, processes, &masks);
    }
}
