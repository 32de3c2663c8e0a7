//! Books the loss ledger: idle threads are dealt to causes whenever something that decides it is about to change, busy
//! ones are booked when their speed or their occupant changes. It only watches: nothing here decides what happens.
use crate::host::fluid::Fluid;
use crate::host::topology::Q;
use crate::ids::{Pid, ThreadId};
use crate::measure::accounts::Group;
use crate::measure::events::{Activity, ByActivity, IS_WAIT};
use crate::measure::ledger::*;
use crate::world::{Host, World};
use wwi_kernel::time::Ns;

/// One accounting group of a host.
#[derive(Clone, Debug)]
struct Member {
    group: u16,
    /// Its control group; the greatest number: none.
    cgroup: u16,
    /// Its mask: all of a group may run on the same threads.
    mask: u16,
    /// Ready ones that a limit holds back, at the last deal.
    throttled: u32,
    /// Other ready ones that may run on an idle thread.
    open: u32,
}

/// The first activity of those who neither run nor are ready nor idle.
pub const WAITING: Activity = Activity::CPU_QUANTUM;
/// Waits that are causes of their own, a bit each: those for a slot are told apart by the cage.
const CAUSES: u64 = IS_WAIT & !(1 << Activity::CPU_QUANTUM.0);

/// What the ledger knows of a host.
#[derive(Clone, Debug)]
pub struct Watched {
    /// Up to when idle time is dealt, while any thread idles; [`Ns::MAX`]: no ledger is kept.
    pub told: Ns,
    /// v₀: speed of a thread with core and host to itself and memory near.
    pub full: u64,
    /// A limit can hold ready processes back.
    pub is_limited: bool,
    /// Time is booked whether threads idle or not.
    always: bool,
    /// Sessions first.
    members: Vec<Member>,
}

impl Watched {
    /// A host where nothing has happened, with the speed v₀.
    pub fn new(full: u64, is_limited: bool, is_shared: bool) -> Self {
        let always = is_limited || is_shared;
        Watched { told: Ns::ZERO, full, is_limited, always, members: Vec::new() }
    }
}

/// Processes of an accounting group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Census {
    /// Those in a wait, by activity.
    waiting: ByActivity<u32>,
    /// Activities in which there are any, a bit each: of some forty two or three.
    waits: u64,
    /// Ready ones.
    pub ready: u32,
    /// Under processor sharing: those who have work.
    pub sharing: u32,
    /// Born and not gone.
    pub alive: u32,
    /// Up to when these are counted.
    since: Ns,
}

impl Census {
    /// So many more in a wait, or fewer; of others it is not told.
    pub fn count(&mut self, activity: Activity, more: i32) {
        if activity < WAITING {
            return;
        }
        let waiting = &mut self.waiting[activity.i()];
        *waiting = waiting.wrapping_add_signed(more);
        self.waits = self.waits & !(1 << activity.0) | u64::from(*waiting > 0) << activity.0;
    }
}

/// What the members of a host need, sessions and others.
#[derive(Default)]
struct Needs {
    /// Not zero where somebody is ready.
    ready: u32,
    /// Activities in which somebody waits, a bit each.
    waits: [u64; 2],
    /// Members that are sessions.
    sessions: usize,
}

/// Deals some of the threads that are left, as many as there are, for a time.
fn deal(group: &mut Group, cause: usize, wanted: u32, (left, span): (&mut u32, u64)) {
    let dealt = wanted.min(*left);
    *left -= dealt;
    group.book.spans[cause] += u64::from(dealt) * span;
}

/// Deals some of the threads that are left to processes that wait: one for each, or to each as much of them.
fn deal_to_waits(
    members: &[Member],
    waits: u64,
    (census, groups): (&[Census], &mut [Group]),
    (left, span): (&mut u32, u64),
) {
    let each = |deal: &mut dyn FnMut(usize, usize, u32)| {
        let mut waits = waits;
        while waits != 0 {
            let a = waits.trailing_zeros() as usize;
            waits &= waits - 1;
            for m in members {
                let of = &census[m.group as usize];
                if of.waits >> a & 1 == 1 {
                    deal(m.group as usize, a, of.waiting[a]);
                }
            }
        }
    };
    let mut all = 0;
    each(&mut |_, _, waiting| all += waiting);
    // What is no whole number goes to the first.
    let (part, mut rest) = if all <= *left {
        (span, 0)
    } else {
        let time = u64::from(*left) * span;
        (time / u64::from(all), time % u64::from(all))
    };
    each(&mut |group, a, waiting| {
        groups[group].book.spans[WAITS + a] += u64::from(waiting) * part + std::mem::take(&mut rest);
    });
    *left -= all.min(*left);
}

impl Host {
    /// Threads that run nothing.
    fn idle_threads(&self) -> u32 {
        match &self.fluid {
            Some(fluid) => u32::from(self.threads) - fluid.in_use() as u32,
            None => self.idle.count(),
        }
    }
}

impl World {
    /// No ledger is kept: nothing of it is asked.
    pub fn keep_no_ledger(&mut self) {
        self.keeps_ledger = false;
        self.hosts.iter_mut().for_each(|host| host.ledger.told = Ns::MAX);
        // How long threads spin is told beside it.
        let spins: Vec<bool> = self.hosts.iter().map(|host| host.rates.spins_matter).collect();
        self.threads.iter_mut().filter(|of| !spins[of.node as usize]).for_each(|thread| thread.rated = Ns::MAX);
    }

    /// Something that decides how idle threads of a host are dealt changes now: what was goes to the books.
    #[inline(always)]
    pub(crate) fn tell(&mut self, node: usize) {
        if !self.keeps_ledger {
            return;
        }
        let host = &self.hosts[node];
        if (host.idle.count() > 0 || host.ledger.always) && host.ledger.told < self.now {
            self.deal_idle(node);
        }
    }

    /// A thread of a host goes idle, perhaps the first: from then on idle time is dealt.
    pub(crate) fn tell_first_idle(&mut self, node: usize) {
        self.tell(node);
        if self.keeps_ledger {
            self.hosts[node].ledger.told = self.now;
        }
    }

    /// One process more or less of the accounting group of this one is ready from now on.
    #[inline(never)]
    pub(crate) fn count_ready_in(&mut self, pid: Pid, more: i32) {
        let process = &self.processes[pid.i()];
        let (node, group) = (process.node as usize, process.group as usize);
        self.tell(node);
        let ready = &mut self.census[group].ready;
        *ready = ready.wrapping_add_signed(more);
    }

    /// A process begins or ends a wait.
    #[inline(never)]
    pub(crate) fn count_wait(&mut self, pid: Pid, (from, to): (Activity, Activity)) {
        let process = &self.processes[pid.i()];
        let (node, group) = (process.node as usize, process.group as usize);
        self.tell(node);
        let census = &mut self.census[group];
        census.count(from, -1);
        census.count(to, 1);
    }

    /// A process begins or ends to share the threads of its host.
    pub(crate) fn count_sharing(&mut self, pid: Pid, (from, to): (Activity, Activity)) {
        let process = &self.processes[pid.i()];
        let (node, group) = (process.node as usize, process.group as usize);
        if self.hosts[node].fluid.is_some() && from != to && (from == Activity::RUNNING || to == Activity::RUNNING) {
            self.fluid_advance(node);
            let sharing = &mut self.census[group].sharing;
            *sharing = *sharing + u32::from(to == Activity::RUNNING) - u32::from(from == Activity::RUNNING);
        }
    }

    /// A process is born, or a gone one comes again as another; or it goes.
    pub(crate) fn count_alive(&mut self, pid: Pid, is_born: bool) {
        let group = self.processes[pid.i()].group as usize;
        self.count_time_alive(group);
        let alive = &mut self.census[group].alive;
        *alive = if is_born { *alive + 1 } else { *alive - 1 };
    }

    fn count_time_alive(&mut self, group: usize) {
        let census = &mut self.census[group];
        let span = u64::from(census.alive) * (self.now - census.since).0;
        census.since = self.now;
        self.accounts.groups[group].book.spans[ALIVE] += span;
    }

    /// A process belongs to a host from now on; it is idle.
    pub(crate) fn count_member(&mut self, pid: Pid) {
        let process = &self.processes[pid.i()];
        let (group, kind) = (process.group, self.tasks[pid.i()].program.kind());
        let place = if kind.is_per_instance() { process.instance } else { process.node };
        let cgroup = self.config.control_group(kind, usize::from(place), usize::from(group));
        let cgroup = cgroup.map_or(u16::MAX, |number| number as u16);
        let host = &mut self.hosts[process.node as usize];
        let mask = host.masks.number(pid) as u16;
        let members = &mut host.ledger.members;
        let at = members.partition_point(|m| m.group < group);
        if members.get(at).is_none_or(|m| m.group != group) {
            members.insert(at, Member { group, cgroup, mask, throttled: 0, open: 0 });
        }
        self.count_alive(pid, true);
    }

    /// A gone process has been idle since it was last booked.
    pub(crate) fn count_gone(&mut self, pid: Pid) {
        let process = &self.processes[pid.i()];
        self.accounts.groups[process.group as usize].book.spans[GONE] += (self.now - process.since).0;
    }

    #[inline(never)]
    fn deal_idle(&mut self, node: usize) {
        let host = &mut self.hosts[node];
        let span = (self.now - host.ledger.told).0;
        host.ledger.told = self.now;
        let idle = host.idle_threads();
        let is_shared = host.fluid.is_some();
        let mut all = Needs::default();
        for m in &host.ledger.members {
            let of = &self.census[m.group as usize];
            let is_other = usize::from(m.group as usize >= self.instances.len());
            all.ready |= of.ready;
            all.waits[is_other] |= of.waits;
            all.sessions += 1 - is_other;
        }
        if host.ready == 0 && all.waits == [0, 0] {
            self.accounts.hosts[node].no_work += u64::from(idle) * span;
        } else if idle > 0 || host.ledger.is_limited {
            self.deal_causes(node, &all, idle, span);
        }
        if is_shared {
            self.book_shared(node, span);
        }
    }

    /// Each cause takes of what is left of the idle threads, in the order of the ledger.
    fn deal_causes(&mut self, node: usize, all: &Needs, mut idle: u32, span: u64) {
        let left = &mut idle;
        // Mostly nobody waits where a thread idles.
        if self.hosts[node].ledger.is_limited || all.ready > 0 {
            self.deal_to_ready(node, left, span);
        }
        let members = &self.hosts[node].ledger.members;
        let (census, groups) = (&self.census, &mut self.accounts.groups);
        let (of_sessions, others) = members.split_at(all.sessions.min(members.len()));
        for is_limit in [false, true] {
            for m in of_sessions {
                if let Some(cage) = &self.instances[m.group as usize].cage {
                    let (empty, limit) = cage.waiters();
                    let (cause, wanted) = if is_limit { (CAGE_LIMIT, limit) } else { (CAGE_EMPTY, empty) };
                    deal(&mut groups[m.group as usize], cause + THREADS, wanted, (left, span));
                }
            }
        }
        for (some, waits) in [of_sessions, others].into_iter().zip(all.waits) {
            if CAUSES & waits != 0 && *left > 0 {
                deal_to_waits(some, CAUSES & waits, (census, groups), (left, span));
            }
        }
        self.accounts.hosts[node].no_work += u64::from(idle) * span;
    }

    /// The causes for which ready processes wait while threads idle.
    #[inline(never)]
    fn deal_to_ready(&mut self, node: usize, left: &mut u32, span: u64) {
        self.count_ready_ones(node, *left);
        let members = &self.hosts[node].ledger.members;
        let (census, groups) = (&self.census, &mut self.accounts.groups);
        for m in members.iter().filter(|m| m.open > 0) {
            deal(&mut groups[m.group as usize], BALANCE, m.open, (left, span));
        }
        for m in members.iter().filter(|m| m.throttled > 0) {
            let group = &mut groups[m.group as usize];
            group.book.spans[THROTTLED] += u64::from(m.throttled) * span;
            deal(group, THROTTLED + THREADS, m.throttled, (left, span));
        }
        for m in members {
            let bound = census[m.group as usize].ready - m.throttled - m.open;
            if bound > 0 {
                deal(&mut groups[m.group as usize], BINDING, bound, (left, span));
            }
        }
    }

    /// Of the ready processes of each group: whom a limit holds back, and how many others may run on idle threads.
    fn count_ready_ones(&mut self, node: usize, idle: u32) {
        let (host, processes) = (&mut self.hosts[node], &self.processes);
        let members = &mut host.ledger.members;
        members.iter_mut().for_each(|m| m.throttled = 0);
        if host.ledger.is_limited {
            host.policy.held_back(&mut |pid: Pid| {
                let group = processes[pid.i()].group;
                members.iter_mut().filter(|m| m.group == group).for_each(|m| m.throttled += 1);
            });
        }
        for m in members {
            let ready = self.census[m.group as usize].ready;
            if host.ledger.is_limited && host.policy.is_spent(usize::from(m.cgroup)) {
                m.throttled = ready;
            }
            m.open = ready - m.throttled;
            if m.open > 0 && !host.masks.is_free() {
                let allowed = &host.masks.numbered(m.mask).allowed;
                let idle = host.idle.idle_in(allowed, 0..host.threads as usize);
                m.open = m.open.min(idle as u32);
            }
            m.open = m.open.min(idle);
        }
    }

    /// Under processor sharing every process has the same part of a thread, in whole numbers; what cannot be shared out
    /// is rounding.
    fn book_shared(&mut self, node: usize, span: u64) {
        let (host, full) = (&self.hosts[node], self.hosts[node].ledger.full);
        let Some((fluid, jobs)) = host.fluid.as_ref().map(|f| (f, f.jobs() as u64)).filter(|f| f.1 > 0) else { return };
        let (rate, in_use) = (fluid.rate(), fluid.in_use() as u64 * full);
        let part = in_use / jobs;
        for m in &host.ledger.members {
            let jobs = u64::from(self.census[m.group as usize].sharing);
            let book = &mut self.accounts.groups[m.group as usize].book;
            let of = |each: u64| i128::from(each) * i128::from(jobs * span);
            book.busy[WORK] += of(rate);
            book.busy[SIBLINGS] += of(part - rate);
            book.busy[SHARING] += of(full - part);
        }
        self.accounts.hosts[node].undealt += u128::from(in_use - part * jobs) * u128::from(span);
    }

    /// Under processor sharing those who have work have equal parts of the threads, and of what their cores can do.
    pub(crate) fn book_parts(&mut self, node: usize, span: u64) {
        let host = &self.hosts[node];
        let Some((lacks, uses)) = host.fluid.as_ref().map(Fluid::parts) else { return };
        for m in &host.ledger.members {
            let time = u128::from(self.census[m.group as usize].sharing) * u128::from(span);
            let group = &mut self.accounts.groups[m.group as usize];
            group.lacked += time * u128::from(lacks);
            group.purr += time * u128::from(uses);
        }
    }

    /// So much of what a process did, and counts as work, was polling.
    pub(crate) fn book_polling(&mut self, pid: Pid, work: u64) {
        let process = &self.processes[pid.i()];
        let book = &mut self.accounts.groups[process.group as usize].book;
        book.busy[POLLING] += i128::from(work);
        if self.hosts[process.node as usize].fluid.is_some() {
            book.busy[WORK] -= i128::from(work);
        }
    }

    /// Under processor sharing a process was given more than its work needed, within a nanosecond.
    pub(crate) fn book_beyond(&mut self, group: usize, beyond: u64) {
        let book = &mut self.accounts.groups[group].book;
        book.busy[WORK] -= i128::from(beyond);
        book.busy[ROUNDING] += i128::from(beyond);
    }

    /// Books by how much the process on a thread was slower than it could have been, up to now.
    #[inline(never)]
    pub(crate) fn book_rates(&mut self, at: ThreadId) {
        let thread = &mut self.threads[at.i()];
        let span = (self.now - thread.rated).0;
        thread.rated = self.now;
        if thread.running == Pid::NONE {
            return;
        }
        let host = &self.hosts[thread.node as usize];
        let full = host.ledger.full;
        let process = &self.processes[thread.running.i()];
        let book = &mut self.accounts.groups[process.group as usize].book;
        let between = |above: u64, below: u64| i128::from(above as i64 - below as i64) * i128::from(span as i64);
        book.busy[TURBO] += between(full, thread.alone);
        book.busy[SIBLINGS] += between(thread.alone, thread.unshared);
        // What spins for a latch makes way for no work, either.
        let spins = host.rates.spins((process.group, process.instance));
        let spun = ((thread.speed * spins) >> Q).min(thread.unshared.saturating_sub(thread.speed));
        book.busy[SPINNING] += between(spun, 0);
        book.busy[SHARED] += between(thread.unshared - spun, thread.speed);
        if spun > 0 {
            let time = u128::from(span) * u128::from(spun) / u128::from(thread.speed + spun);
            self.accounts.hosts[thread.node as usize].spinning += time as u64;
        }
    }

    /// Brings the ledger up to the present; everything else is.
    pub(crate) fn cut_ledger(&mut self) {
        for thread in 0..self.threads.len() {
            if self.threads[thread].rated != Ns::MAX {
                self.book_rates(ThreadId(thread as u16));
            }
        }
        for node in 0..self.hosts.len() {
            self.tell(node);
            for at in 0..self.hosts[node].ledger.members.len() {
                let group = self.hosts[node].ledger.members[at].group as usize;
                self.count_time_alive(group);
                let sums = &mut self.accounts.groups[group];
                if self.hosts[node].fluid.is_none() {
                    sums.book.busy[WORK] = sums.work as i128 - sums.book.busy[POLLING];
                    sums.book.busy[ROUNDING] = i128::from(sums.rounding);
                }
            }
        }
    }
}
