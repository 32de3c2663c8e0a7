//! Quotas over CFS's twin, from the text of Linux `kernel/sched/fair.c`, 6.6, and 5.3 where slices expire: what a
//! thread has left of its pieces (`runtime_remaining`) is all it drew, less all it used, gave back and lost. Each rule
//! names the function that has it.
use crate::cfs;
use crate::draws::{drawn, host, masks};
use crate::driver::check;
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, KindConfig, NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use wwi_model::host::quota::Quota;
use wwi_model::ids::Pid;
use wwi_model::testing::ordinary;

/// `sched_cfs_bandwidth_slice`.
const SLICE: i128 = 5_000_000;

/// One movement of a group's time at a thread: it was drawn from the pool, or lost to use or to the pool.
struct Entry {
    drawn: i128,
    lost: i128,
}

/// `struct cfs_bandwidth`.
struct Bandwidth {
    quota: i128,
    burst: i128,
    period: u64,
    /// When periods began to be counted, before the start.
    ago: u64,
    runtime: i128,
    /// The period for which that holds.
    number: u64,
    /// When the slack timer goes off, if it was started.
    slack: Option<Ns>,
    /// `throttled_cfs_rq`.
    throttled: Vec<usize>,
}

struct Slow {
    inner: cfs::Slow,
    limits: Vec<Option<Bandwidth>>,
    groups: Vec<Option<usize>>,
    /// By thread and group.
    ledger: Vec<Vec<Vec<Entry>>>,
    /// The same: the period in which something was got last (`expires_seq`).
    seq: Vec<Vec<u64>>,
    expires: bool,
    running: Vec<Option<Pid>>,
    known: Vec<Ns>,
    slice_until: Vec<Ns>,
    aside: Vec<(Pid, usize)>,
    tick: u64,
    /// Who got something, thread and group, in this order.
    served: Vec<(usize, usize)>,
    /// The last tick on which those of a group were looked at together.
    ticked: Vec<Ns>,
    lifted: Vec<usize>,
}

impl Slow {
    fn new(node: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Slow {
        let bandwidth = |g: CgroupConfig| {
            let quota = i128::from(g.quota?.0);
            let (period, burst, throttled) = (g.period.0, i128::from(g.burst.0), Vec::new());
            Some(Bandwidth { quota, burst, period, ago: 0, runtime: quota, number: 0, slack: None, throttled })
        };
        Slow {
            inner: cfs::Slow::new(node, groups),
            limits: groups.iter().map(|g| g.and_then(bandwidth)).collect(),
            groups: Vec::new(),
            ledger: (0..node.threads()).map(|_| groups.iter().map(|_| Vec::new()).collect()).collect(),
            seq: vec![vec![0; groups.len()]; node.threads()],
            expires: node.slices_expire,
            running: vec![None; node.threads()],
            known: vec![Ns::ZERO; node.threads()],
            slice_until: vec![Ns::MAX; node.threads()],
            aside: Vec::new(),
            tick: 1_000_000_000 / u64::from(node.tick_hz),
            served: Vec::new(),
            ticked: vec![Ns::MAX; groups.len()],
            lifted: Vec::new(),
        }
    }

    /// The group of a process, if it has a limit.
    fn group(&self, pid: Pid) -> Option<usize> {
        self.groups[pid.i()].filter(|&g| self.limits[g].is_some())
    }
    fn running(&self, at: usize) -> Option<usize> {
        self.running[at].and_then(|pid| self.group(pid))
    }
    fn pool(&mut self, group: usize) -> &mut Bandwidth {
        self.limits[group].as_mut().expect("it has a limit")
    }
    fn remaining(&self, at: usize, group: usize) -> i128 {
        self.ledger[at][group].iter().map(|e| e.drawn - e.lost).sum()
    }
    fn is_throttled(&self, at: usize, group: usize) -> bool {
        self.limits[group].as_ref().is_some_and(|l| l.throttled.contains(&at))
    }
    fn is_aside(&self, (pid, at): (Pid, usize)) -> bool {
        self.group(pid).is_some_and(|g| self.is_throttled(at, g))
    }

    /// As much as there is of what is wanted goes to a thread; whether it has something then.
    fn assign(&mut self, at: usize, group: usize, wanted: i128) -> bool {
        let drawn = wanted.min(self.pool(group).runtime);
        self.pool(group).runtime -= drawn;
        self.ledger[at][group].push(Entry { drawn, lost: 0 });
        if self.remaining(at, group) > 0 {
            self.served.push((at, group));
            self.seq[at][group] = self.pool(group).number;
        }
        self.remaining(at, group) > 0
    }

    /// `distribute_cfs_runtime`: threads that are throttled no longer.
    fn distribute(&mut self, group: usize) -> Vec<usize> {
        let mut lifted = Vec::new();
        for at in self.pool(group).throttled.clone() {
            let debt = -self.remaining(at, group);
            assert!(debt >= 0, "throttled with something left");
            if self.pool(group).runtime > 0 && self.assign(at, group, debt + 1) {
                self.pool(group).throttled.retain(|&t| t != at);
                lifted.push(at);
            }
        }
        lifted
    }

    /// `sched_cfs_period_timer` and `sched_cfs_slack_timer`.
    fn timers(&mut self, now: Ns) {
        for group in (0..self.limits.len()).filter(|&g| self.limits[g].is_some()).collect::<Vec<_>>() {
            let pool = self.pool(group);
            let (number, slack) = ((now.0 + pool.ago) / pool.period, pool.slack);
            if pool.number < number {
                let runtime = (pool.runtime + pool.quota).min(pool.quota + pool.burst);
                (pool.number, pool.runtime, pool.slack) = (number, runtime, None);
                self.distribute(group);
            } else if slack.is_some_and(|slack| slack <= now) {
                pool.slack = None;
                if pool.runtime > SLICE {
                    let lifted = self.distribute(group);
                    self.lifted.extend(lifted);
                }
            }
        }
    }

    /// `update_curr`, without what it asks for.
    fn use_up(&mut self, at: usize, now: Ns) {
        if let Some(group) = self.running(at) {
            let lost = i128::from((now - self.known[at]).0);
            self.ledger[at][group].push(Entry { drawn: 0, lost });
        }
        self.known[at] = now;
    }

    /// `expire_cfs_rq_runtime`.
    fn expire(&mut self, at: usize, group: usize) {
        let lost = self.remaining(at, group);
        if self.expires && lost > 0 && self.seq[at][group] != self.pool(group).number {
            self.ledger[at][group].push(Entry { drawn: 0, lost });
        }
    }

    /// `account_cfs_rq_runtime`, and `throttle_cfs_rq` where nothing is left.
    fn account(&mut self, at: usize, group: usize) -> bool {
        let remaining = self.remaining(at, group);
        if remaining > 0 || self.is_throttled(at, group) {
            return remaining > 0;
        }
        let is_assigned = self.assign(at, group, SLICE - remaining);
        if !is_assigned {
            self.pool(group).throttled.push(at);
        }
        is_assigned
    }

    /// The same; but on a tick, once, all that are in debt are looked at before, those first that got something
    /// longest ago.
    fn may_run(&mut self, at: usize, group: usize, now: Ns) -> bool {
        self.expire(at, group);
        let is_new = now.0.is_multiple_of(self.tick) && self.ticked[group] != now;
        if self.remaining(at, group) <= 0 && is_new {
            self.ticked[group] = now;
            let all: Vec<usize> = (0..self.known.len()).filter(|&t| self.running(t) == Some(group)).collect();
            all.iter().for_each(|&t| self.use_up(t, now));
            let mut late: Vec<usize> = all.into_iter().filter(|&t| self.remaining(t, group) < 0).collect();
            late.sort_by_key(|&t| self.served.iter().rposition(|&s| s == (t, group)));
            for t in late {
                self.account(t, group);
            }
        }
        self.account(at, group)
    }

    /// `return_cfs_rq_runtime`.
    fn give_back(&mut self, at: usize, ended: Ended, now: Ns) {
        let Some(group) = self.group(ended.pid).filter(|_| ended.why == Why::Blocked) else { return };
        let lost = self.remaining(at, group) - 1_000_000;
        if lost <= 0 || self.inner.has_of_group(group, at) {
            return;
        }
        self.ledger[at][group].push(Entry { drawn: 0, lost });
        let pool = self.pool(group);
        pool.runtime += lost;
        // `start_cfs_slack_bandwidth`.
        let is_far = (pool.number + 1) * pool.period - pool.ago - now.0 >= 7_000_000;
        if pool.runtime > SLICE && !pool.throttled.is_empty() && is_far && pool.slack.is_none() {
            pool.slack = Some(now.plus(Ns(5_000_000)));
        }
    }

    fn stay_until(&self, at: usize) -> Ns {
        let on_tick = self.running(at).map_or(u64::MAX, |group| {
            let used = i128::from(self.known[at].0) + self.remaining(at, group);
            let ends = self.limits[group].as_ref().map_or(0, |l| (self.seq[at][group] + 1) * l.period - l.ago);
            let ends = if self.expires { ends.min(used as u64) } else { used as u64 };
            (ends / self.tick + 1) * self.tick
        });
        self.slice_until[at].min(Ns(on_tick))
    }

    fn set_aside(&mut self, at: usize, pid: Pid, now: Ns) {
        self.inner.put(at, Ended { pid, why: Why::Blocked }, now);
        self.aside.push((pid, at));
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.use_up(at, now);
        self.timers(now);
        let Some(group) = self.group(pid) else {
            let preempt = self.inner.wake(at, pid, now);
            let Preempt::Until(until) = preempt else { return preempt };
            self.slice_until[at] = until;
            return Preempt::Until(self.stay_until(at));
        };
        let may_run = self.may_run(at, group, now);
        if self.running(at) != Some(group) {
            if !may_run {
                self.aside.push((pid, at));
                return Preempt::No;
            }
            let preempt = self.inner.wake(at, pid, now);
            let Preempt::Until(until) = preempt else { return preempt };
            self.slice_until[at] = until;
            return Preempt::Until(self.stay_until(at));
        }
        let preempt = self.inner.wake(at, pid, now);
        if preempt == Preempt::Now {
            return preempt;
        }
        if let Preempt::Until(until) = preempt {
            self.slice_until[at] = until;
        }
        Preempt::Until(if may_run { self.stay_until(at) } else { now })
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.use_up(at, now);
        self.timers(now);
        if let Some((Ended { pid, why }, group)) = ended.and_then(|e| self.group(e.pid).map(|g| (e, g))) {
            let may_run = self.may_run(at, group, now);
            if may_run && why == Why::SliceExpired && now < self.slice_until[at] {
                return Some(Next { pid, until: self.stay_until(at) });
            }
        }
        let (here, there): (Vec<_>, Vec<_>) = self.aside.iter().copied().partition(|a| a.1 == at && !self.is_aside(*a));
        self.aside = there;
        for (pid, _) in here {
            self.inner.wake(at, pid, now);
        }
        let stopped = ended.filter(|e| e.why != Why::Blocked && self.is_aside((e.pid, at)));
        if let Some(Ended { pid, .. }) = stopped {
            self.set_aside(at, pid, now);
        }
        let mut next = self.inner.turn(at, if stopped.is_some() { None } else { ended }, now);
        while let Some((pid, group)) = next.and_then(|n| self.group(n.pid).map(|g| (n.pid, g))) {
            if self.may_run(at, group, now) {
                break;
            }
            self.set_aside(at, pid, now);
            next = self.inner.turn(at, None, now);
        }
        self.running[at] = next.map(|n| n.pid);
        self.slice_until[at] = next.map_or(Ns::MAX, |n| n.until);
        if let Some(ended) = ended {
            self.give_back(at, ended, now);
        }
        next.map(|n| Next { pid: n.pid, until: self.stay_until(at) })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.use_up(at, now);
        self.timers(now);
        if let Some(group) = self.group(ended.pid) {
            self.may_run(at, group, now);
        }
        self.inner.put(at, ended, now);
        self.running[at] = None;
        self.give_back(at, ended, now);
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
        self.use_up(at, now);
        self.timers(now);
        self.slice_until[at] = self.inner.until(at, now);
        self.stay_until(at)
    }
    fn next_periodic(&self, now: Ns) -> Ns {
        let ends = |l: &Bandwidth| Ns(now.plus(Ns(l.ago)).next_tick(Ns(l.period)).0 - l.ago);
        self.limits.iter().flatten().map(ends).min().expect("a limit")
    }
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.timers(now);
        let mut looks: Vec<usize> = self.aside.iter().filter(|a| !self.is_aside(**a)).map(|a| a.1).collect();
        looks.sort();
        looks.dedup();
        looks
    }
    fn push(&mut self, now: Ns) -> Option<usize> {
        self.timers(now);
        while !self.lifted.is_empty() {
            let at = self.lifted.remove(0);
            if self.aside.iter().any(|&a| a.1 == at && !self.is_aside(a)) {
                return Some(at);
            }
        }
        None
    }
}

#[test]
fn quotas() {
    for seed in 0..500 {
        let (threads, processes) = ([1, 2, 3, 5][seed as usize % 4], 4 + seed as usize % 13);
        let node = NodeConfig { slices_expire: seed % 3 == 0, ..host(Scheduler::Cfs, threads, seed) };
        let burst = Ns::from_ms([0.0, 12.0][seed as usize / 2 % 2]);
        let group = |weight, quota: Option<f64>, period| {
            Some(CgroupConfig { weight, quota: quota.map(Ns::from_ms), period: Ns::from_ms(period), burst })
        };
        let groups = [group(100, Some(30.0), 100.0), group(300, None, 100.0), group(50, Some(12.5), 40.0)];
        let inner = Policy::new(&node, &groups.map(|g| g.map(|c| CgroupConfig { quota: None, ..c })), false);
        let mut fast = Quota::new(&node, &groups, inner);
        let mut slow = Slow::new(&node, &groups);
        let agos = [0, 123_456_789, 987_654_321_012].map(|ago: u64| ago * (seed + 1));
        let mut given = agos.iter().cycle().skip(seed as usize % 2);
        fast.begin_periods(&mut || Ns(*given.next().expect("one a group")));
        for (limit, ago) in slow.limits.iter_mut().flatten().zip(&agos[seed as usize % 2..]) {
            (limit.ago, limit.number) = (*ago, ago / limit.period);
        }
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
