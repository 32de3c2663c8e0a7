//! O(1) tick by tick, with two plain lists a thread and every priority worked out when it is asked for.
use crate::driver::check;
use crate::lines::{level, masks, pull, Lines};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::o1::O1;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::node;

struct Process {
    nice: i64,
    prio: i64,
    /// Nanoseconds.
    sleep_avg: u64,
    /// Ticks.
    left: u64,
    stamp: Option<Ns>,
    last_ran: Option<Ns>,
    credited: bool,
}

#[derive(Clone, Default)]
struct Line {
    active: Vec<Pid>,
    expired: Vec<Pid>,
    running: Option<Pid>,
    expired_since: Option<u64>,
    best_expired: Option<i64>,
}

struct Slow {
    config: NodeConfig,
    processes: Vec<Process>,
    lines: Vec<Line>,
    ticked: u64,
}

impl Slow {
    fn tick(&self) -> u64 {
        1_000_000_000 / u64::from(self.config.tick_hz)
    }
    fn ticks_of_ms(&self, ms: u64) -> u64 {
        (ms * u64::from(self.config.tick_hz) / 1000).max(1)
    }
    fn slice(&self, pid: Pid) -> u64 {
        let below_worst = (20 - self.processes[pid.i()].nice) as u64;
        let whole = if below_worst > 20 { 4 * self.ticks_of_ms(100) } else { self.ticks_of_ms(100) };
        (whole * below_worst / 20).max(self.ticks_of_ms(5))
    }
    fn bonus(&self, pid: Pid) -> i64 {
        (self.processes[pid.i()].sleep_avg / self.tick() / self.ticks_of_ms(100)) as i64
    }
    /// (nice + 20) / 4 - 3: from 3 below a nice of -20 to 6 above one of 19.
    fn steps(&self, pid: Pid) -> i64 {
        (self.processes[pid.i()].nice + 20) / 4 - 3
    }
    fn is_interactive(&self, pid: Pid) -> bool {
        let process = &self.processes[pid.i()];
        120 + process.nice - process.prio >= self.steps(pid)
    }
    fn set_prio(&mut self, pid: Pid) {
        let prio = 120 + self.processes[pid.i()].nice + 5 - self.bonus(pid);
        self.processes[pid.i()].prio = prio.clamp(100, 139);
    }
    fn waits(&self, at: usize) -> usize {
        self.lines[at].active.len() + self.lines[at].expired.len()
    }

    fn rested(&mut self, pid: Pid, slept: u64) {
        let ceiling = (self.ticks_of_ms(100) * (6 + self.steps(pid)) as u64).saturating_sub(1) * self.tick();
        let most = 10 * self.ticks_of_ms(100) * self.tick();
        let process = &mut self.processes[pid.i()];
        if slept > ceiling && process.sleep_avg < ceiling {
            // At nice 12 and above the ceiling lies beyond what anybody may have.
            process.sleep_avg = most.min(ceiling);
            process.credited = false;
        } else {
            process.sleep_avg = most.min(process.sleep_avg + slept);
        }
        self.set_prio(pid);
    }

    fn tired(&mut self, pid: Pid, now: Ns) {
        let most = 10 * self.ticks_of_ms(100) * self.tick();
        let bonus = self.bonus(pid);
        let process = &mut self.processes[pid.i()];
        let ran = most.min(now.0 - process.stamp.map_or(now.0, |stamp| stamp.0));
        let cost = if bonus == 0 { ran } else { ran / bonus as u64 };
        process.sleep_avg = process.sleep_avg.saturating_sub(cost);
        process.stamp = Some(now);
    }

    /// The slice of who runs here is used up: true when he goes to the expired list.
    fn expire(&mut self, at: usize, pid: Pid) -> bool {
        self.set_prio(pid);
        self.processes[pid.i()].left = self.slice(pid);
        let (tick, runnable) = (self.ticked, self.waits(at) as u64 + 1);
        let nice = self.processes[pid.i()].nice;
        let since = *self.lines[at].expired_since.get_or_insert(tick);
        let is_worse = self.lines[at].best_expired.is_some_and(|best| nice > best);
        let is_late = tick - since > 10 * self.ticks_of_ms(100) * runnable;
        let expires = !self.is_interactive(pid) || is_worse || is_late;
        if expires {
            let line = &mut self.lines[at];
            line.best_expired = Some(line.best_expired.map_or(nice, |best| best.min(nice)));
        }
        self.tired(pid, Ns(tick * self.tick()));
        expires
    }

    fn change_places(&mut self, at: usize) {
        let line = &mut self.lines[at];
        std::mem::swap(&mut line.active, &mut line.expired);
        (line.expired_since, line.best_expired) = (None, None);
    }

    fn pass(&mut self, now: Ns) {
        self.renew_the_lonely();
        while (self.ticked + 1) * self.tick() <= now.0 {
            self.ticked += 1;
            for at in 0..self.lines.len() {
                if let Some(pid) = self.lines[at].running {
                    let process = &mut self.processes[pid.i()];
                    process.left = process.left.saturating_sub(1);
                }
            }
            self.renew_the_lonely();
        }
    }

    fn renew_the_lonely(&mut self) {
        for at in 0..self.lines.len() {
            let Some(pid) = self.lines[at].running else { continue };
            if self.processes[pid.i()].left == 0 && self.waits(at) == 0 && self.expire(at, pid) {
                self.change_places(at);
            }
        }
    }

    fn turn_ticks(&self, pid: Pid) -> u64 {
        let below = (10 - self.bonus(pid)).max(1) as u32;
        self.ticks_of_ms(10) * self.lines.len() as u64 * 2u64.pow(below - 1)
    }
    fn is_turn(&self, pid: Pid, left: u64) -> bool {
        let (used, turn) = (self.slice(pid) - left, self.turn_ticks(pid));
        self.is_interactive(pid) && used > 0 && used / turn * turn == used && left >= turn
    }
    fn best(&self, at: usize) -> Option<i64> {
        self.lines[at].active.iter().map(|pid| self.processes[pid.i()].prio).min()
    }

    fn end(&self, at: usize) -> Ns {
        let Some(pid) = self.lines[at].running.filter(|_| self.waits(at) > 0) else { return Ns::MAX };
        let has_equals = self.best(at) == Some(self.processes[pid.i()].prio);
        let left = self.processes[pid.i()].left;
        let ticks = (1..=left).find(|&t| t == left || has_equals && self.is_turn(pid, left - t)).unwrap_or(0);
        Ns((self.ticked + ticks) * self.tick())
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.pass(now);
        self.processes[pid.i()].credited = true;
        if let Some(stamp) = self.processes[pid.i()].stamp {
            if now > stamp {
                self.rested(pid, (now - stamp).0);
            } else {
                self.set_prio(pid);
            }
        }
        self.processes[pid.i()].stamp = Some(now);
        self.lines[at].active.push(pid);
        match self.lines[at].running {
            None => Preempt::No,
            Some(other) if self.processes[pid.i()].prio < self.processes[other.i()].prio => Preempt::Now,
            Some(_) => Preempt::Until(self.end(at)),
        }
    }
    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.pass(now);
        if let Some(ended) = ended {
            self.put(at, ended, now);
        }
        if self.waits(at) == 0 {
            self.lines[at].expired_since = None;
            return None;
        }
        if self.lines[at].active.is_empty() {
            self.change_places(at);
        }
        let best = self.best(at)?;
        let first = self.lines[at].active.iter().position(|pid| self.processes[pid.i()].prio == best)?;
        let pid = self.lines[at].active.remove(first);
        self.lines[at].running = Some(pid);
        let waited = now.0 - self.processes[pid.i()].stamp.map_or(now.0, |stamp| stamp.0);
        if self.processes[pid.i()].credited {
            // 30 % in 128ths is 38 of them.
            if waited * 38 / 128 > 0 {
                self.rested(pid, waited * 38 / 128);
            }
            self.processes[pid.i()].credited = false;
        }
        self.processes[pid.i()].stamp = Some(now);
        Some(Next { pid, until: self.end(at) })
    }
    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.pass(now);
        let pid = ended.pid;
        let is_over = self.processes[pid.i()].left == 0;
        // The tick decides with the bonus of before the run is charged.
        let gives_turn = ended.why == Why::SliceExpired && self.is_turn(pid, self.processes[pid.i()].left);
        let expires = is_over && self.expire(at, pid);
        self.tired(pid, now);
        self.processes[pid.i()].last_ran = Some(now);
        let line = &mut self.lines[at];
        line.running = None;
        match (ended.why, is_over || gives_turn) {
            (Why::Blocked, _) => {}
            (_, true) if expires => line.expired.push(pid),
            (_, true) => line.active.push(pid),
            (_, false) => line.active.insert(0, pid),
        }
    }
    fn waiting(&self, at: usize) -> usize {
        self.waits(at)
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
        match (self.lines[at].running, self.best(at)) {
            (Some(pid), Some(best)) if best < self.processes[pid.i()].prio => now,
            _ => self.end(at),
        }
    }
}

impl Lines for Slow {
    fn threads(&self) -> usize {
        self.lines.len()
    }
    fn in_order(&self, at: usize) -> Vec<Pid> {
        let sorted = |list: &Vec<Pid>| {
            let mut list = list.clone();
            list.sort_by_key(|pid| self.processes[pid.i()].prio);
            list
        };
        [sorted(&self.lines[at].expired), sorted(&self.lines[at].active)].concat()
    }
    fn runs(&self, at: usize) -> Option<Pid> {
        self.lines[at].running
    }
    fn last_ran(&self, pid: Pid) -> Option<Ns> {
        self.processes[pid.i()].last_ran
    }
    fn migration_cost(&self) -> Ns {
        self.config.cfs.migration_cost
    }
    fn transfer(&mut self, pid: Pid, from: usize, to: usize) {
        if self.lines[from].expired.contains(&pid) {
            self.lines[from].expired.retain(|&p| p != pid);
            self.lines[to].expired.push(pid);
        } else {
            self.lines[from].active.retain(|&p| p != pid);
            self.lines[to].active.push(pid);
        }
    }
}

#[test]
fn o1() {
    for seed in 0..500u32 {
        let mut config = NodeConfig { cores_per_socket: 1 + seed % 4, scheduler: Scheduler::O1, ..node() };
        config.tick_hz = [1000, 100, 250][seed as usize / 3 % 3];
        let (masks, processes) = masks(config.threads(), seed);
        let (mut fast, threads) = (O1::new(&config), config.threads());
        let lines = vec![Line::default(); threads];
        let mut slow = Slow { config, processes: Vec::new(), lines, ticked: 0 };
        for pid in 0..processes {
            let nice = [0, 0, 0, 5, -7, 19, -20][(pid + seed as usize) % 7];
            fast.admit(Pid(pid as u32), nice);
            let nice = i64::from(nice);
            let prio = (125 + nice).min(139);
            let fresh = Process { nice, prio, sleep_avg: 0, left: 0, stamp: None, last_ran: None, credited: false };
            slow.processes.push(fresh);
            slow.processes[pid].left = slow.slice(Pid(pid as u32));
        }
        check(u64::from(seed), threads, &mut fast, &mut slow, processes, &masks);
    }
}
