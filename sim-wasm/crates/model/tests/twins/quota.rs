//! Quotas over CFS's twin: what a thread has left of its pieces is all it drew, less all it used and gave back.
use crate::cfs;
use crate::draws::{drawn, host, masks};
use crate::driver::check;
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, KindConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use wwi_model::host::quota::Quota;
use wwi_model::ids::Pid;
use wwi_model::testing::ordinary;

/// One movement of a group's time: a thread drew it (and a pool lost it) or gave it back, or used it.
struct Entry {
    at: usize,
    group: usize,
    drawn: u64,
    lost: u64,
}

struct Slow {
    inner: cfs::Slow,
    limits: Vec<Option<(Ns, Ns)>>,
    groups: Vec<Option<usize>>,
    ledger: Vec<Entry>,
    /// What is left in each pool, and the number of the period for which that holds.
    pools: Vec<(u64, u64)>,
    running: Vec<Option<Pid>>,
    known: Vec<Ns>,
    slice_until: Vec<Ns>,
    aside: Vec<(Pid, usize)>,
}

impl Slow {
    /// The group of a process, if it has a limit.
    fn group(&self, pid: Pid) -> Option<usize> {
        self.groups[pid.i()].filter(|&g| self.limits[g].is_some())
    }

    fn piece(&self, at: usize, group: usize) -> u64 {
        let mine = || self.ledger.iter().filter(|e| e.at == at && e.group == group);
        mine().map(|e| e.drawn).sum::<u64>() - mine().map(|e| e.lost).sum::<u64>()
    }

    fn fill(&mut self, now: Ns) {
        for (group, limit) in self.limits.iter().enumerate() {
            let Some((quota, period)) = limit else { continue };
            let number = now.0 / period.0;
            if self.pools[group].1 < number {
                self.pools[group] = (quota.0, number);
            }
        }
    }

    fn know(&mut self, at: usize, now: Ns) {
        if let Some(group) = self.running[at].and_then(|p| self.group(p)) {
            let lost = (now - self.known[at]).0.min(self.piece(at, group));
            self.ledger.push(Entry { at, group, drawn: 0, lost });
        }
        self.known[at] = now;
        self.fill(now);
    }

    fn can_run(&self, at: usize, pid: Pid) -> bool {
        self.group(pid).is_none_or(|g| self.piece(at, g) > 0 || self.pools[g].0 > 0)
    }

    /// 5 ms or what there is, if nothing is left of the last piece.
    fn draw(&mut self, at: usize, pid: Pid) -> bool {
        let Some(group) = self.group(pid) else { return true };
        if self.piece(at, group) == 0 {
            let drawn = self.pools[group].0.min(5_000_000);
            self.pools[group].0 -= drawn;
            self.ledger.push(Entry { at, group, drawn, lost: 0 });
        }
        self.piece(at, group) > 0
    }

    /// All but 1 ms.
    fn give_back(&mut self, at: usize, group: usize) {
        let lost = self.piece(at, group).saturating_sub(1_000_000);
        self.ledger.push(Entry { at, group, drawn: 0, lost });
        self.pools[group].0 += lost;
    }

    fn stay_until(&self, at: usize) -> Ns {
        let group = self.running[at].and_then(|p| self.group(p));
        let piece = group.map_or(Ns::MAX, |g| self.known[at] + Ns(self.piece(at, g)));
        piece.min(self.slice_until[at])
    }

    fn set_aside(&mut self, at: usize, pid: Pid, now: Ns) {
        self.inner.put(at, Ended { pid, why: Why::Blocked }, now);
        self.aside.push((pid, at));
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.fill(now);
        if !self.can_run(at, pid) {
            self.aside.push((pid, at));
            return Preempt::No;
        }
        let preempt = self.inner.wake(at, pid, now);
        if let Preempt::Until(until) = preempt {
            self.slice_until[at] = until;
            return Preempt::Until(self.stay_until(at));
        }
        preempt
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.know(at, now);
        if let Some(Ended { pid, why: Why::SliceExpired }) = ended {
            if self.group(pid).is_some() && now < self.slice_until[at] && self.draw(at, pid) {
                return Some(Next { pid, until: self.stay_until(at) });
            }
        }
        let back: Vec<Pid> = self.aside.iter().filter(|a| a.1 == at && self.can_run(at, a.0)).map(|a| a.0).collect();
        self.aside.retain(|a| !back.contains(&a.0));
        for pid in back {
            self.inner.wake(at, pid, now);
        }
        let stopped = ended.filter(|e| e.why != Why::Blocked && !self.can_run(at, e.pid));
        if let Some(Ended { pid, .. }) = stopped {
            self.set_aside(at, pid, now);
        }
        let mut next = self.inner.turn(at, if stopped.is_some() { None } else { ended }, now);
        while next.is_some_and(|n| !self.draw(at, n.pid)) {
            self.set_aside(at, next.expect("just seen").pid, now);
            next = self.inner.turn(at, None, now);
        }
        self.running[at] = next.map(|n| n.pid);
        self.slice_until[at] = next.map_or(Ns::MAX, |n| n.until);
        let (before, after) = (ended.and_then(|e| self.group(e.pid)), next.and_then(|n| self.group(n.pid)));
        if let Some(before) = before.filter(|_| before != after) {
            self.give_back(at, before);
        }
        next.map(|n| Next { pid: n.pid, until: self.stay_until(at) })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.know(at, now);
        self.inner.put(at, ended, now);
        self.running[at] = None;
        if let Some(group) = self.group(ended.pid) {
            self.give_back(at, group);
        }
    }

    fn waiting(&self, at: usize) -> usize {
        self.inner.waiting(at)
    }
    // Fair queues are below: those are balanced as a host sees them, and by nobody here.
    fn pull(&mut self, _: usize, _: Range<usize>, _: Ns, _: &Masks) -> bool {
        false
    }
    fn level(&mut self, _: Ns, _: &Masks) -> Vec<usize> {
        Vec::new()
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.know(at, now);
        self.slice_until[at] = self.inner.until(at, now);
        self.stay_until(at)
    }
    fn next_periodic(&self, now: Ns) -> Ns {
        self.limits.iter().flatten().map(|l| now.next_tick(l.1)).min().expect("a limit")
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.fill(now);
        let mut looks: Vec<usize> = self.aside.iter().filter(|a| self.can_run(a.1, a.0)).map(|a| a.1).collect();
        looks.sort();
        looks.dedup();
        looks
    }
}

#[test]
fn quotas() {
    for seed in 0..500 {
        let (threads, processes) = ([1, 2, 3, 5][seed as usize % 4], 4 + seed as usize % 13);
        let node = host(Scheduler::Cfs, threads, seed);
        let group = |weight, quota: Option<f64>, period| {
            Some(CgroupConfig { weight, quota: quota.map(Ns::from_ms), period: Ns::from_ms(period) })
        };
        let groups = [group(100, Some(30.0), 100.0), group(300, None, 100.0), group(50, Some(12.5), 40.0)];
        let inner = Policy::new(&node, &groups.map(|g| g.map(|c| CgroupConfig { quota: None, ..c })), false);
        let mut fast = Quota::new(threads, &groups, inner);
        let mut slow = Slow {
            inner: cfs::Slow::new(&node, &groups),
            limits: groups.iter().map(|g| g.and_then(|g| g.quota.map(|q| (q, g.period)))).collect(),
            groups: Vec::new(),
            ledger: Vec::new(),
            pools: groups.iter().map(|g| (g.and_then(|g| g.quota).map_or(0, |q| q.0), 0)).collect(),
            running: vec![None; threads],
            known: vec![Ns::ZERO; threads],
            slice_until: vec![Ns::MAX; threads],
            aside: Vec::new(),
        };
        let masks = masks(threads, processes, seed);
        for number in 0..processes {
            let (pid, (nice, group)) = (Pid(number as u32), drawn(number, seed, groups.len()));
            fast.admit(pid, &KindConfig { nice, ..ordinary() }, group, &masks);
            slow.inner.admit(pid, nice, group, false);
            slow.groups.push(group);
        }
        check(seed, threads, &mut fast, &mut slow, processes, &masks);
    }
}
