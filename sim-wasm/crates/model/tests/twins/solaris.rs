//! Solaris tick by tick, with the table written out, waits counted for everybody, and one list in order of arrival for
//! each thread. Who waits where, and what idle threads take, as `setbackdq` and `disp_getbest` have it.
use crate::driver::check;
use crate::lines::masks;
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
    /// On which thread, and since when it waits.
    t_cpu: Option<usize>,
    t_waitrq: Ns,
    /// The CPUs of his processor set.
    cpupart: Vec<usize>,
}

struct Slow {
    config: NodeConfig,
    processes: Vec<Process>,
    lines: Vec<Vec<Pid>>,
    running: Vec<Option<Pid>>,
    over: Vec<bool>,
    /// Threads that got somebody from the next one.
    told: Vec<usize>,
    /// With which tick who ran alone at a thread began another quantum.
    renewed: Vec<u64>,
    /// Of each core (`cmt_hint`).
    hints: Vec<usize>,
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
            if self.over[at] && self.lines[at].is_empty() && !self.is_offered(pid) {
                self.renew(pid, self.processes[pid.i()].own);
                self.over[at] = false;
                self.renewed[at] = self.ticked;
            }
        }
    }

    /// Threads of one priority in the queue of a thread.
    fn runq_len(&self, at: usize, pri: i64) -> i64 {
        self.lines[at].iter().filter(|&&pid| self.priority(pid) == pri).count() as i64
    }

    fn may(&self, pid: Pid, cp: usize) -> bool {
        self.processes[pid.i()].cpupart.contains(&cp)
    }

    /// All are of one locality group: the next is the next of the processor set.
    fn balance_runqs(&self, pid: Pid, cp: usize) -> usize {
        let tpri = self.priority(pid);
        let mut qlen = self.runq_len(cp, tpri);
        if tpri >= 16 {
            qlen -= 2;
        }
        let after = (1..=self.lines.len()).map(|step| (cp + step) % self.lines.len());
        let newcp = after.into_iter().find(|&next| self.may(pid, next)).unwrap_or(cp);
        if qlen > 0 && self.runq_len(newcp, tpri) < qlen {
            newcp
        } else {
            cp
        }
    }

    fn per_core(&self) -> usize {
        self.config.threads_per_core as usize
    }

    /// Who uses up his quantum alone may go to another core.
    fn is_offered(&self, pid: Pid) -> bool {
        let cores = self.lines.len() / self.per_core();
        self.processes[pid.i()].cpupart.len() > 1 && self.per_core() > 1 && cores > 1
    }

    /// One level: the cores of the chip. `curthread` is on `own`, if it is who is queued.
    fn cmt_balance(&mut self, pid: Pid, cp: usize, own: Option<usize>) -> usize {
        let (size, pg) = (self.per_core(), cp / self.per_core());
        let nsiblings = self.lines.len() / size;
        if size == 1 || nsiblings == 1 {
            return cp;
        }
        let cpus = |pg: usize| pg * size..(pg + 1) * size;
        let nrun = |pg: usize| cpus(pg).filter(|&at| self.running[at].is_some() && own != Some(at)).count();
        let mut i = self.hints[pg];
        if i >= nsiblings {
            i = 0;
        }
        let mut tpg = None;
        for step in 0..nsiblings {
            let sibling = (i + step) % nsiblings;
            if tpg.is_none() && sibling != pg && cpus(sibling).any(|at| self.may(pid, at)) {
                tpg = Some(sibling);
            }
        }
        let tpg = tpg.filter(|&tpg| nrun(pg) > nrun(tpg));
        let idle = tpg.and_then(|tpg| cpus(tpg).find(|&at| self.running[at].is_none() && self.may(pid, at)));
        self.hints[pg] = if self.hints[pg] >= nsiblings { 0 } else { self.hints[pg] + 1 };
        idle.unwrap_or(cp)
    }

    fn setbackdq(&mut self, pid: Pid, cp: usize, now: Ns) {
        let balanced = self.cmt_balance(pid, cp, Some(cp));
        let to = self.balance_runqs(pid, balanced);
        if to != cp {
            self.told.push(to);
        }
        self.arrives(to, now);
        self.processes[pid.i()].t_waitrq = now;
        self.lines[to].push(pid);
    }

    /// With a tick all quanta are counted before anybody gives way: one that ends with this tick has ended.
    fn arrives(&mut self, to: usize, now: Ns) {
        self.pass(now);
        let is_now = self.renewed[to] > 0 && self.renewed[to] * self.tick() == now.0;
        // clock_tick_schedule: the scan of the CPUs starts with another one each tick.
        let is_done = now.0 / self.tick() % self.lines.len() as u64 == to as u64;
        self.over[to] |= is_now && !is_done && self.running[to].is_some();
    }

    /// Of the threads whose best is better than that of those before, counted from the next: the first whom `to` may
    /// have. One cache: there is nothing to keep anybody for.
    fn disp_getbest(&self, to: usize, from: &Range<usize>, may: &dyn Fn(Pid) -> bool) -> Option<(usize, Pid)> {
        let ring: Vec<usize> = match from.contains(&to) {
            true => (to + 1..from.end).chain(from.start..to).collect(),
            false => from.clone().collect(),
        };
        let mut maxpri = -1;
        let mut tcp = None;
        for ocp in ring {
            let Some(best) = self.in_order(ocp).into_iter().find(|&pid| may(pid)) else { continue };
            if self.priority(best) > maxpri {
                maxpri = self.priority(best);
                tcp = Some((ocp, best));
            }
        }
        tcp
    }

    /// Nobody takes from a thread that is about to run him.
    fn is_beside_a_running_one(&self, pid: Pid) -> bool {
        (0..self.lines.len()).any(|at| self.running[at].is_some() && self.lines[at].contains(&pid))
    }

    fn in_order(&self, at: usize) -> Vec<Pid> {
        let mut order = self.lines[at].clone();
        order.sort_by_key(|&pid| -self.priority(pid));
        order
    }

    fn steal(&mut self, to: usize, found: Option<(usize, Pid)>, now: Ns) -> bool {
        let Some((from, pid)) = found else { return false };
        self.lines[from].retain(|&p| p != pid);
        self.arrives(to, now);
        self.lines[to].push(pid);
        true
    }

    /// One who waited at a thread waits anew.
    fn thread_change_pri(&mut self, pid: Pid, at: usize, now: Ns) {
        let process = &self.processes[pid.i()];
        let is_front = process.class == Class::Interactive;
        let cpu = process.t_cpu.unwrap_or(at);
        let maxrunpri = self.first(cpu).map_or(-1, |first| self.priority(first));
        let cp = match () {
            () if is_front && self.priority(pid) >= maxrunpri => cpu,
            () if is_front => self.cpu_choose(pid, at, now),
            () => {
                let chosen = self.cpu_choose(pid, at, now);
                let balanced = self.cmt_balance(pid, chosen, None);
                self.balance_runqs(pid, balanced)
            }
        };
        self.pass(now);
        let place = if is_front { 0 } else { self.lines[cp].len() };
        self.lines[cp].insert(place, pid);
        self.processes[pid.i()].t_waitrq = now;
    }

    /// `cpu_choose` for one who waits and whose priority has changed.
    fn cpu_choose(&self, pid: Pid, at: usize, now: Ns) -> usize {
        let process = &self.processes[pid.i()];
        let cpu = process.t_cpu.unwrap_or(at);
        let ticks = |time: Ns| time.0 / self.tick();
        if process.last_ran.is_some_and(|ran| ticks(now) - ticks(ran) <= 3) {
            return cpu;
        }
        let most = |cp: usize| {
            let waiting = self.first(cp).map_or(-1, |first| self.priority(first));
            self.running[cp].map_or(-1, |running| self.priority(running)).max(waiting)
        };
        let mut best = cpu;
        for step in 1..self.lines.len() {
            let cp = (cpu + step) % self.lines.len();
            best = if self.may(pid, cp) && most(cp) < most(best) { cp } else { best };
        }
        best
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
            Some(pid) if !self.lines[at].is_empty() || self.is_offered(pid) => {
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
        let begins_anew = self.over[at] && self.lines[at].is_empty();
        if let Some(ended) = ended {
            self.put(at, ended, now);
        }
        let pid = self.first(at)?;
        self.lines[at].retain(|&p| p != pid);
        self.running[at] = Some(pid);
        self.renewed[at] = if begins_anew { self.ticked } else { 0 };
        Some(Next { pid, until: self.end(at) })
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.pass(now);
        let (pid, is_over) = (ended.pid, self.over[at]);
        if is_over {
            self.renew(pid, self.processes[pid.i()].own);
        }
        (self.running[at], self.over[at]) = (None, false);
        let process = &mut self.processes[pid.i()];
        (process.last_ran, process.t_cpu) = (Some(now), Some(at));
        match ended.why {
            Why::Blocked => {}
            _ if is_over => self.setbackdq(pid, at, now),
            _ => {
                self.processes[pid.i()].t_waitrq = now;
                self.lines[at].insert(0, pid);
            }
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.lines[at].len()
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, _masks: &Masks) -> bool {
        self.pass(now);
        let found = self.disp_getbest(to, &from, &|pid| self.may(pid, to) && self.is_beside_a_running_one(pid));
        self.steal(to, found, now)
    }
    fn level(&mut self, _now: Ns, _masks: &Masks) -> Vec<usize> {
        Vec::new()
    }
    fn push(&mut self, now: Ns) -> Option<usize> {
        if let Some(at) = self.told.pop() {
            return Some(at);
        }
        let all = 0..self.lines.len();
        let idle = all.clone().filter(|&at| self.running[at].is_none() && self.lines[at].is_empty());
        for to in idle.collect::<Vec<_>>() {
            let found = self.disp_getbest(to, &all, &|pid| self.may(pid, to) && self.is_beside_a_running_one(pid));
            if self.steal(to, found, now) {
                return Some(to);
            }
        }
        None
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
                self.thread_change_pri(pid, at, now);
            }
        }
        // Who runs is lifted by his next trap.
        for at in 0..self.lines.len() {
            if let Some(pid) = self.running[at].filter(|&pid| self.is_due(pid)) {
                self.renew(pid, TABLE[self.processes[pid.i()].own as usize].1);
                self.over[at] = false;
            }
        }
        let offered = |at: usize| self.running[at].is_some_and(|pid| self.is_offered(pid));
        (0..self.lines.len()).filter(|&at| !self.lines[at].is_empty() || offered(at)).collect()
    }
}

#[test]
fn solaris() {
    for seed in 0..500u32 {
        let mut config = NodeConfig { cores_per_socket: 1 + seed % 4, scheduler: Scheduler::Solaris, ..node() };
        config.threads_per_core = 1 + seed / 7 % 3;
        config.tick_hz = [100, 1000, 250][seed as usize / 3 % 3];
        let (masks, processes) = masks(config.threads(), seed);
        let (mut fast, threads) = (Solaris::new(&config), config.threads());
        let (lines, running, over) = (vec![Vec::new(); threads], vec![None; threads], vec![false; threads]);
        let (told, renewed, hints) = (Vec::new(), vec![0; threads], vec![0; threads]);
        let (ticked, seconds) = (0, 0);
        let mut slow =
            Slow { config, processes: Vec::new(), lines, running, over, told, renewed, hints, ticked, seconds };
        for pid in 0..processes {
            let mut kind = ordinary();
            kind.nice = [0, 0, 0, 5, -7, 19, -20][(pid + seed as usize) % 7];
            kind.class = [Class::TimeSharing, Class::TimeSharing, Class::Interactive, Class::Fixed][pid % 4];
            kind.priority = [60, 0, 30, 59][seed as usize % 4];
            fast.admit(Pid(pid as u32), &kind, &masks);
            let own = if kind.class == Class::Fixed { i64::from(kind.priority) } else { 29 };
            let left = slow.quantum(own);
            let (class, nice) = (kind.class, i64::from(kind.nice));
            let cpupart = (0..threads).filter(|&at| masks.allows(Pid(pid as u32), at)).collect();
            let (last_ran, t_cpu, t_waitrq) = (None, None, Ns::ZERO);
            slow.processes.push(Process { class, nice, own, left, dispwait: 0, last_ran, t_cpu, t_waitrq, cpupart });
        }
        check(u64::from(seed), threads, &mut fast, &mut slow, processes, &masks);
    }
}
