//! `cpu.max` of control groups (version 2) over CFS or EEVDF: each group has a pool that is filled up every period, and
//! threads draw pieces from it. A piece is found used on a tick, or where somebody of the group comes or goes; what ran
//! beyond it is a debt. Where the pool is empty then, the thread is throttled: processes of the group are set aside
//! there until a pool that is filled again has paid the debt.
//!
//! Source: Linux `kernel/sched/fair.c` of 5.8, and what changed up to 6.6, "CFS bandwidth control"; of 5.3 for pieces
//! that expire. Functions of the kernel are named where their rule is. Where it is coarser here: of threads that find
//! their pieces used on the same tick, who drew longest ago asks first, where in the kernel they race for a lock;
//! balancing that takes somebody of the group from a thread, or brings one, does not look at its piece.
mod pool;

use super::masks::Masks;
use super::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use crate::config::{BalanceGeneration, CgroupConfig, KindConfig, NodeConfig, Scheduler};
use crate::ids::Pid;
use pool::Pool;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::order::sort_by_rank;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// What a thread draws at once (Linux, `sched_cfs_bandwidth_slice_us`).
const PIECE: Ns = Ns(5_000_000);
/// What a thread keeps when it gives the rest of its piece back (Linux, `min_cfs_rq_runtime`).
const KEPT: i64 = 1_000_000;
/// How long more is waited for before what was given back is handed out (Linux, `cfs_bandwidth_slack_period`).
const SLACK: Ns = Ns(5_000_000);
/// It is not handed out so shortly before the pool is filled (Linux, `min_bandwidth_expiration`).
const SOON: Ns = Ns(2_000_000);

/// Of a group at a thread.
#[derive(Clone, Copy, Debug, Default)]
struct Local {
    /// Of its piece (`runtime_remaining`); below zero: a debt \[ns\].
    left: i64,
    is_throttled: bool,
    /// The number of the last time that it got something.
    served: u64,
    /// When what is left is lost (`runtime_expires`).
    expires: Ns,
}

#[derive(Clone, Debug)]
struct Thread {
    running: Option<Pid>,
    charged: Ns,
    /// End of the running slice as the policy below has it.
    slice_until: Ns,
    /// By group.
    locals: Vec<Local>,
    /// Processes that wait for their pool, in the order they came.
    aside: Vec<Pid>,
}

/// Quotas over another policy.
#[derive(Clone, Debug)]
pub struct Quota {
    inner: Policy,
    /// By instance; `None`: no limit.
    pools: Vec<Option<Pool>>,
    /// Who draws from which pool.
    groups: Vec<Option<u16>>,
    threads: Arena<Thread>,
    tick: Ns,
    /// Whether each group has periods of its own.
    is_apart: bool,
    /// Threads that must look at their queues, for what was given back has reached them.
    lifted: Vec<usize>,
    /// When something is next handed out, until that is told.
    due: Option<Ns>,
    /// Periods that count, and of those such as ended throttled, until they are told.
    periods: [u64; 2],
}

impl Quota {
    /// Whether any group has a limit.
    pub fn is_needed(groups: &[Option<CgroupConfig>]) -> bool {
        groups.iter().flatten().any(|g| g.quota.is_some())
    }

    /// Over `inner`, with all pools full.
    pub fn new(config: &NodeConfig, groups: &[Option<CgroupConfig>], inner: Policy) -> Self {
        let thread = Thread {
            running: None,
            charged: Ns::ZERO,
            slice_until: Ns::MAX,
            locals: vec![Local::default(); groups.len()],
            aside: Vec::new(),
        };
        Quota {
            inner,
            pools: groups.iter().map(|g| Pool::new(g.as_ref()?, config.slices_expire)).collect(),
            groups: Vec::new(),
            threads: vec![thread; config.threads()].into(),
            tick: Ns(1_000_000_000 / u64::from(config.tick_hz)),
            is_apart: config.scheduler == Scheduler::Eevdf || config.balance_generation == BalanceGeneration::Linux66,
            lifted: Vec::new(),
            due: None,
            periods: [0; 2],
        }
    }

    /// Where periods stand among ticks. Up to 6.3 they begin on multiples of themselves since the machine was started
    /// (`start_cfs_bandwidth`), so long `ago`; from 6.4 on at a moment drawn for each group (`init_cfs_bandwidth`).
    pub fn begin_periods(&mut self, ago: &mut dyn FnMut() -> Ns) {
        let mut first = ago();
        for pool in self.pools.iter_mut().flatten() {
            pool.begin(first);
            if self.is_apart {
                first = ago();
            }
        }
    }

    /// Notes whose pool a process draws from, and passes it on.
    pub fn admit(&mut self, pid: Pid, kind: &KindConfig, group: Option<usize>, masks: &Masks) {
        reach(&mut self.groups, pid.i(), None);
        self.groups[pid.i()] = group.filter(|&g| self.pools[g].is_some()).map(|g| g as u16);
        self.inner.admit(pid, kind, group, masks);
    }

    /// The policy below.
    pub fn below(&self) -> &Policy {
        &self.inner
    }

    /// The same, to be changed.
    pub fn below_mut(&mut self) -> &mut Policy {
        &mut self.inner
    }

    /// Visits the processes that wait for their pool.
    pub fn held_back(&self, visit: &mut dyn FnMut(Pid)) {
        self.threads.iter().flat_map(|thread| &thread.aside).for_each(|&pid| visit(pid));
    }

    /// Whether the pool of a group is empty.
    pub fn is_spent(&self, group: usize) -> bool {
        self.pools.get(group).and_then(Option::as_ref).is_some_and(|pool| pool.left == Ns::ZERO)
    }

    /// Whether a process's group is throttled at a thread (`throttled_hierarchy`).
    pub fn is_throttled(&self, pid: Pid, at: usize) -> bool {
        self.group(pid).is_some_and(|group| self.threads[at].locals[group].is_throttled)
    }

    /// When what was given back will be handed out, if that was not told before.
    pub fn take_due(&mut self) -> Option<Ns> {
        self.due.take()
    }

    /// Periods that ended, all groups together, since that was told last: those in which something was used, or in the
    /// one before, and of those such in which a thread was throttled when they ended (`nr_periods`, `nr_throttled`).
    pub fn take_periods(&mut self) -> [u64; 2] {
        std::mem::take(&mut self.periods)
    }

    fn group(&self, pid: Pid) -> Option<usize> {
        self.groups[pid.i()].map(usize::from)
    }

    fn running(&self, at: usize) -> Option<usize> {
        self.threads[at].running.and_then(|pid| self.group(pid))
    }

    /// Pools whose period is over are filled up, and pay debts (`do_sched_cfs_period_timer`). What was given back is
    /// handed out where it is more than a piece (`do_sched_cfs_slack_timer`).
    fn fill_pools(&mut self, now: Ns) {
        for group in 0..self.pools.len() {
            let Some(pool) = &mut self.pools[group] else { continue };
            if pool.refill <= now {
                self.periods.iter_mut().zip(pool.counts()).for_each(|(sum, counts)| *sum += u64::from(counts));
                pool.fill(now);
                self.hand_out(group);
            } else if pool.hands_out <= now {
                pool.hands_out = Ns::MAX;
                if pool.left > PIECE {
                    let lifted = self.hand_out(group);
                    self.lifted.extend(lifted);
                }
            }
        }
    }

    /// Throttled threads get their debts and 1 ns, in the order they were throttled, as long as the pool lasts, and
    /// run on until the tick (`distribute_cfs_runtime`). Answers whose debts are paid.
    fn hand_out(&mut self, group: usize) -> Vec<usize> {
        let Some(pool) = &mut self.pools[group] else { return Vec::new() };
        let mut paid = Vec::new();
        while let Some(&at) = pool.throttled.get(paid.len()) {
            let local = &mut self.threads[at].locals[group];
            local.left += pool.take(Ns(1 + local.left.unsigned_abs()));
            if local.left <= 0 {
                break;
            }
            local.is_throttled = false;
            (local.served, local.expires) = pool.serve();
            paid.push(at);
        }
        pool.throttled.drain(..paid.len());
        paid
    }

    /// Takes what ran since the last call off the piece it ran on.
    fn use_up(&mut self, at: usize, now: Ns) {
        let group = self.running(at);
        let thread = &mut self.threads[at];
        if let Some(group) = group {
            thread.locals[group].left -= (now - thread.charged).0 as i64;
        }
        thread.charged = now;
    }

    /// The same; pools that are due are filled.
    fn charge(&mut self, at: usize, now: Ns) {
        self.use_up(at, now);
        self.fill_pools(now);
    }

    /// A thread that has used its piece draws what it owes and another one, if there is as much
    /// (`assign_cfs_rq_runtime`); where nothing is left then it is throttled, whoever still waits there
    /// (`check_cfs_rq_runtime`). Whether it may run the group.
    fn draw(&mut self, at: usize, group: usize) -> bool {
        let local = &mut self.threads[at].locals[group];
        let Some(pool) = self.pools[group].as_mut().filter(|_| local.left <= 0 && !local.is_throttled) else {
            return local.left > 0;
        };
        local.left += pool.take(Ns(PIECE.0 + local.left.unsigned_abs()));
        if local.left > 0 {
            (local.served, local.expires) = pool.serve();
        } else {
            local.is_throttled = true;
            pool.throttled.push(at);
        }
        local.left > 0
    }

    /// The same for all who find on this tick that they have used theirs: who got something longest ago comes first.
    fn draw_in_turn(&mut self, group: usize, now: Ns) {
        let mut due: Vec<usize> = (0..self.threads.len()).filter(|&t| self.running(t) == Some(group)).collect();
        due.iter().for_each(|&t| self.use_up(t, now));
        due.retain(|&t| self.threads[t].locals[group].left < 0);
        sort_by_rank(&mut due, |&t| self.threads[t].locals[group].served);
        for t in due {
            self.draw(t, group);
        }
    }

    /// Whether a thread may run a group, with what it has or can draw.
    fn may_run(&mut self, at: usize, group: usize, now: Ns) -> bool {
        let local = &mut self.threads[at].locals[group];
        if local.expires <= now {
            local.left = local.left.min(0);
        }
        if local.left > 0 {
            return true;
        }
        if let Some(pool) = self.pools[group].as_mut().filter(|p| p.asked != now && now.0.is_multiple_of(self.tick.0)) {
            pool.asked = now;
            self.draw_in_turn(group, now);
        }
        self.draw(at, group)
    }

    /// Where the last of a group goes to sleep what it does not need returns to the pool (`return_cfs_rq_runtime`).
    fn give_back(&mut self, at: usize, ended: Ended, now: Ns) {
        let Some(group) = self.group(ended.pid).filter(|_| ended.why == Why::Blocked) else { return };
        let local = &mut self.threads[at].locals[group];
        if local.left <= KEPT || self.inner.fair().is_some_and(|fair| fair.has_of_group(group, at)) {
            return;
        }
        let Some(pool) = &mut self.pools[group] else { return };
        pool.left += Ns((local.left - KEPT) as u64);
        local.left = KEPT;
        let is_wanted = pool.left > PIECE && !pool.throttled.is_empty();
        if is_wanted && pool.hands_out == Ns::MAX && pool.refill.minus(now) >= SLACK + SOON {
            pool.hands_out = now + SLACK;
            self.due = Some(pool.hands_out.min(self.due.unwrap_or(Ns::MAX)));
        }
    }

    fn set_aside(&mut self, at: usize, pid: Pid, now: Ns) {
        self.inner.put(at, Ended { pid, why: Why::Blocked }, now);
        self.threads[at].aside.push(pid);
    }

    /// Whether somebody set aside at a thread may run there again.
    fn has_lifted(&self, at: usize) -> bool {
        self.threads[at].aside.iter().any(|&pid| !self.is_throttled(pid, at))
    }

    /// Processes set aside where their group is throttled no longer are in the queue again (`unthrottle_cfs_rq`).
    fn bring_back(&mut self, at: usize, now: Ns) {
        let aside = std::mem::take(&mut self.threads[at].aside);
        for pid in aside {
            if self.is_throttled(pid, at) {
                self.threads[at].aside.push(pid);
            } else {
                self.inner.wake(at, pid, now);
            }
        }
    }

    /// End of the stay: of the slice, or on the first tick after the piece is used or lost.
    fn stay_until(&self, at: usize) -> Ns {
        let thread = &self.threads[at];
        match self.running(at) {
            Some(group) => {
                let Local { left, expires, .. } = thread.locals[group];
                let used = Ns(thread.charged.0.saturating_add_signed(left));
                thread.slice_until.min(used.min(expires).next_tick(self.tick))
            }
            None => thread.slice_until,
        }
    }

    /// The first pick of the policy below that may run; the others are set aside.
    fn pick(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        let mut next = match ended {
            Some(e) if e.why != Why::Blocked && self.is_throttled(e.pid, at) => {
                self.set_aside(at, e.pid, now);
                self.inner.turn(at, None, now)
            }
            _ => self.inner.turn(at, ended, now),
        };
        while let Some(Next { pid, .. }) = next {
            if self.group(pid).is_none_or(|g| self.may_run(at, g, now)) {
                break;
            }
            self.set_aside(at, pid, now);
            next = self.inner.turn(at, None, now);
        }
        next
    }
}

impl RunQueue for Quota {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.charge(at, now);
        let group = self.group(pid);
        let joins = group.is_some() && group == self.running(at);
        // Beside one of the group its piece is looked at, and he gives way if it is used (`update_curr`); else this is
        // where it is drawn (`check_enqueue_throttle`).
        let may_run = group.is_none_or(|g| self.may_run(at, g, now));
        if !may_run && !joins {
            self.threads[at].aside.push(pid);
            return Preempt::No;
        }
        match self.inner.wake(at, pid, now) {
            Preempt::Until(until) => self.threads[at].slice_until = until,
            Preempt::No if joins => {}
            other => return other,
        }
        Preempt::Until(if may_run { self.stay_until(at) } else { now })
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        if let Some((ended, group)) = ended.and_then(|e| Some((e, self.group(e.pid)?))) {
            let goes_on = ended.why == Why::SliceExpired && now < self.threads[at].slice_until;
            if self.may_run(at, group, now) && goes_on {
                return Some(Next { pid: ended.pid, until: self.stay_until(at) });
            }
        }
        self.bring_back(at, now);
        let next = self.pick(at, ended, now);
        let thread = &mut self.threads[at];
        thread.running = next.map(|n| n.pid);
        thread.slice_until = next.map_or(Ns::MAX, |n| n.until);
        ended.into_iter().for_each(|ended| self.give_back(at, ended, now));
        next.map(|n| Next { until: self.stay_until(at), ..n })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        if let Some(group) = self.group(ended.pid) {
            self.may_run(at, group, now);
        }
        self.inner.put(at, ended, now);
        self.threads[at].running = None;
        self.give_back(at, ended, now);
    }

    /// Those set aside do not count: no other thread could run them.
    fn waiting(&self, at: usize) -> usize {
        self.inner.waiting(at)
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        self.inner.pull(to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        self.inner.level(now, masks)
    }

    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.threads[at].slice_until = self.inner.until(at, now);
        self.stay_until(at)
    }

    fn next_periodic(&self, _now: Ns) -> Ns {
        self.pools.iter().flatten().map(|pool| pool.refill).min().unwrap_or(Ns::MAX)
    }

    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        self.fill_pools(now);
        (0..self.threads.len()).filter(|&at| self.has_lifted(at)).collect()
    }

    fn begin(&mut self, at: usize, is_so: bool) {
        self.inner.begin(at, is_so);
    }

    fn kept(&self, pid: Pid) -> Option<usize> {
        self.inner.kept(pid)
    }

    fn push(&mut self, now: Ns) -> Option<usize> {
        self.fill_pools(now);
        let lifted = std::mem::take(&mut self.lifted);
        let mut at = lifted.into_iter().filter(|&at| self.has_lifted(at));
        let first = at.next();
        let others = at.collect();
        self.lifted = others;
        first
    }
}
