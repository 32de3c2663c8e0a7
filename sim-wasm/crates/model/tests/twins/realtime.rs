//! The real-time layer over CFS's twin: one list of all that wait, and stays kept one by one.
use crate::cfs;
use crate::draws::{drawn, host, masks};
use crate::driver::check;
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{Class, KindConfig, NodeConfig, Scheduler};
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Policy, Preempt, RunQueue, Why};
use wwi_model::host::realtime::RealTime;
use wwi_model::ids::Pid;
use wwi_model::testing::ordinary;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Running {
    Nothing,
    Stranger,
    Ordinary,
    Real(Pid),
}

/// (priority, quantum, CPU time of it that is spent).
type Real = (u32, Option<Ns>, Ns);

struct Thread {
    running: Running,
    /// Up to when everything here is known.
    known: Ns,
    /// Start of the stay of a real-time process.
    picked: Ns,
    /// Its stays in this period.
    stays: Vec<(Ns, Ns)>,
    /// Left over from earlier periods.
    carried: Ns,
    is_throttled: bool,
}

struct Slow {
    inner: cfs::Slow,
    real: Vec<Option<Real>>,
    /// (process, thread, order): within a priority the least order runs first.
    waiting: Vec<(Pid, usize, i64)>,
    threads: Vec<Thread>,
    masks: Masks,
    limit: Option<(Ns, Ns)>,
    tick: Ns,
    entries: i64,
    is_solaris: bool,
    /// No other thread can be made to look.
    is_blind: bool,
    /// Threads of a core, and of a last-level cache.
    spans: Option<(usize, usize)>,
}

impl Slow {
    fn of(&self, pid: Pid) -> Real {
        self.real[pid.i()].expect("a real-time process")
    }

    fn rank(&self, at: usize) -> u64 {
        match self.threads[at].running {
            Running::Nothing => 0,
            Running::Ordinary => 1,
            Running::Real(pid) => 2 + u64::from(self.of(pid).0),
            Running::Stranger => u64::MAX,
        }
    }

    fn used(&self, at: usize) -> Ns {
        let thread = &self.threads[at];
        let period = self.limit.map_or(Ns::MAX, |l| l.1).0;
        let start = Ns(thread.known.0 / period * period);
        let stays = thread.stays.iter().map(|s| s.1 - s.0.max(start)).fold(thread.carried, |a, b| a + b);
        match thread.running {
            Running::Real(_) => stays + (thread.known - thread.picked.max(start)),
            _ => stays,
        }
    }

    fn has_time(&self, at: usize) -> bool {
        !self.threads[at].is_throttled && self.limit.is_none_or(|(runtime, _)| self.used(at) < runtime)
    }

    /// Looks at a thread now. Periods that end on the way each allow another `runtime`.
    fn know(&mut self, at: usize, now: Ns) {
        if let Running::Real(pid) = self.threads[at].running {
            let ran = now - self.threads[at].known;
            self.real[pid.i()] = self.real[pid.i()].map(|(priority, quantum, spent)| (priority, quantum, spent + ran));
        }
        while let Some((runtime, period)) = self.limit {
            let end = self.threads[at].known.next_tick(period);
            if end > now {
                break;
            }
            // Just before its end, for the whole of the period to count.
            self.threads[at].known = Ns(end.0 - 1);
            let runs = matches!(self.threads[at].running, Running::Real(_));
            let used = self.used(at) + Ns(u64::from(runs));
            let thread = &mut self.threads[at];
            thread.carried = used.minus(runtime);
            thread.stays.clear();
            thread.is_throttled &= thread.carried >= runtime;
            thread.known = end;
        }
        self.threads[at].known = now;
    }

    fn enqueue(&mut self, at: usize, pid: Pid, is_first: bool) {
        self.entries += 1;
        self.waiting.push((pid, at, if is_first { -self.entries } else { self.entries }));
    }

    /// All that wait at threads with real time left, in the order in which they would run.
    fn in_order(&self) -> Vec<(Pid, usize, i64)> {
        let mut order = self.waiting.clone();
        order.sort_by_key(|w| (std::cmp::Reverse(self.of(w.0).0), w.2));
        order
    }

    fn leave(&mut self, at: usize, ended: Ended, now: Ns) {
        let (picked, (priority, quantum, spent)) = (self.threads[at].picked, self.of(ended.pid));
        if self.limit.is_some() {
            let period = self.limit.map_or(Ns::MAX, |l| l.1).0;
            let start = Ns(now.0 / period * period);
            self.threads[at].stays.push((picked.max(start), now));
        }
        self.threads[at].running = Running::Nothing;
        let is_expired = ended.why == Why::SliceExpired && quantum.is_some_and(|q| spent >= q);
        if is_expired {
            self.real[ended.pid.i()] = Some((priority, quantum, Ns::ZERO));
        }
        if ended.why != Why::Blocked {
            self.enqueue(at, ended.pid, !is_expired);
        }
    }

    /// The first that waits here; or the first of a greater priority that waits elsewhere and may run here.
    fn choose(&mut self, at: usize) -> Option<Pid> {
        if !self.has_time(at) {
            return None;
        }
        let order = self.in_order();
        let own = order.iter().find(|w| w.1 == at);
        let elsewhere = |w: &&(Pid, usize, i64)| {
            w.1 != at
                && !self.threads[w.1].is_throttled
                && self.masks.allows(w.0, at)
                && own.is_none_or(|o| self.of(w.0).0 > self.of(o.0).0)
        };
        let pid = order.iter().find(elsewhere).or(own)?.0;
        self.waiting.retain(|w| w.0 != pid);
        Some(pid)
    }

    fn end(&self, at: usize, pid: Pid, now: Ns) -> Ns {
        let (_, quantum, spent) = self.of(pid);
        let mut end = quantum.map_or(Ns::MAX, |q| now + q.minus(spent));
        if let Some((runtime, period)) = self.limit {
            let used_up = now + runtime.minus(self.used(at));
            let period_end = now.next_tick(period);
            end = end.min(if used_up < period_end { used_up } else { period_end + runtime });
        }
        let end = end.ceil_to(self.tick);
        if end == now {
            now + self.tick
        } else {
            end
        }
    }

    /// Linux: `cpupri` knows CPUs without real time as CPUPRI_NORMAL, idle or not, and `find_lowest_rq` goes through
    /// the domains of the CPU from the core up.
    fn least_for(&self, pid: Pid, from: usize) -> Option<usize> {
        let all = self.threads.len();
        let less: Vec<usize> = (0..all)
            .map(|step| (from + step) % all)
            .filter(|&t| self.has_time(t) && self.masks.allows(pid, t))
            .filter(|&t| self.rank(t) < 2 + u64::from(self.of(pid).0))
            .collect();
        let Some((core, cache)) = self.spans else {
            let lowest = less.iter().map(|&t| self.rank(t)).min()?;
            return less.into_iter().find(|&t| self.rank(t) == lowest);
        };
        let level = |t: usize| if self.rank(t) < 2 { 1 } else { self.rank(t) };
        let lowest = less.iter().map(|&t| level(t)).min()?;
        let within = |size: usize| less.iter().copied().find(|&t| level(t) == lowest && t / size == from / size);
        within(core).or(within(cache)).or(within(all))
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        let Some((priority, quantum, spent)) = self.real[pid.i()] else {
            let preempt = self.inner.wake(at, pid, now);
            return if self.threads[at].running == Running::Ordinary { preempt } else { Preempt::No };
        };
        self.know(at, now);
        self.real[pid.i()] = Some((priority, quantum, if self.is_solaris { Ns::ZERO } else { spent }));
        self.enqueue(at, pid, false);
        match self.threads[at].running {
            _ if self.threads[at].is_throttled => Preempt::No,
            Running::Ordinary => Preempt::Now,
            Running::Real(other) if self.of(other).0 < priority => Preempt::Now,
            _ => Preempt::No,
        }
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.know(at, now);
        self.threads[at].is_throttled = !self.has_time(at);
        let mut ordinary = ended;
        if let Some(ended) = ended.filter(|e| self.real[e.pid.i()].is_some()) {
            self.leave(at, ended, now);
            ordinary = None;
        }
        if let Some(pid) = self.choose(at) {
            if let Some(ended) = ordinary {
                self.inner.put(at, ended, now);
            }
            self.threads[at].running = Running::Real(pid);
            self.threads[at].picked = now;
            return Some(Next { pid, until: self.end(at, pid, now) });
        }
        let next = self.inner.turn(at, ordinary, now);
        self.threads[at].running = next.map_or(Running::Nothing, |_| Running::Ordinary);
        next
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.know(at, now);
        match self.real[ended.pid.i()] {
            Some(_) => self.leave(at, ended, now),
            None => self.inner.put(at, ended, now),
        }
        self.threads[at].running = Running::Stranger;
    }

    fn waiting(&self, at: usize) -> usize {
        self.waiting.iter().filter(|w| w.1 == at).count() + self.inner.waiting(at)
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
        match self.threads[at].running {
            Running::Real(pid) => self.end(at, pid, now),
            _ => self.inner.until(at, now),
        }
    }

    fn next_periodic(&self, now: Ns) -> Ns {
        self.limit.map_or(Ns::MAX, |(_, period)| now.next_tick(period))
    }

    /// Threads where somebody waits who is more urgent than what runs, now that there is time again.
    fn periodic(&mut self, now: Ns) -> Vec<usize> {
        (0..self.threads.len()).for_each(|at| self.know(at, now));
        let urgent =
            |at: usize| self.waiting.iter().any(|w| w.1 == at && 2 + u64::from(self.of(w.0).0) > self.rank(at));
        (0..self.threads.len()).filter(|&at| self.has_time(at) && urgent(at)).collect()
    }

    fn weakest(&self, pid: Pid, last: usize, masks: &Masks) -> Option<usize> {
        let (priority, ..) = self.real[pid.i()]?;
        // `nr_cpus_allowed < 2`
        let is_bound = |pid| (0..self.threads.len()).filter(|&at| masks.allows(pid, at)).count() < 2;
        let stays = match self.threads[last].running {
            Running::Real(other) => self.spans.is_some() && is_bound(other),
            _ => false,
        };
        let is_home_fine = masks.allows(pid, last) && self.rank(last) < 2 + u64::from(priority) && !stays;
        match self.least_for(pid, last) {
            _ if is_home_fine => Some(last),
            None => Some(last).filter(|&l| masks.allows(pid, l)),
            other => other,
        }
    }

    fn push(&mut self, now: Ns) -> Option<usize> {
        // AIX interrupts no other CPU.
        if self.waiting.is_empty() || self.is_blind {
            return None;
        }
        (0..self.threads.len()).for_each(|at| self.know(at, now));
        let order = self.in_order();
        let waits = order.iter().filter(|w| !self.threads[w.1].is_throttled);
        let (pid, to) = waits.filter_map(|w| Some((w.0, self.least_for(w.0, w.1)?))).next()?;
        self.waiting.iter_mut().filter(|w| w.0 == pid).for_each(|w| w.1 = to);
        Some(to)
    }
}

/// Class of a process in the lists: half are ordinary, priorities repeat.
fn kind(pid: usize, seed: u64) -> KindConfig {
    let mix = pid as u64 * 5 + seed;
    let class = [Class::TimeSharing, Class::Fifo, Class::TimeSharing, Class::RoundRobin][mix as usize % 4];
    KindConfig { class, nice: drawn(pid, seed, 0).0, priority: 10 + 7 * (mix / 4 % 3) as u32, ..ordinary() }
}

fn compare(seed: u64, node: &NodeConfig, quantum: impl Fn(u32) -> Ns, limit: Option<(Ns, Ns)>, tick: Ns) {
    let (threads, processes) = (node.threads(), 4 + seed as usize % 13);
    let masks = masks(threads, processes, seed);
    let inner = Policy::new(&NodeConfig { scheduler: Scheduler::Cfs, ..node.clone() }, &[], false);
    let mut fast = RealTime::new(node, inner);
    let thread = |_| Thread {
        running: Running::Nothing,
        known: Ns::ZERO,
        picked: Ns::ZERO,
        stays: Vec::new(),
        carried: Ns::ZERO,
        is_throttled: false,
    };
    let mut slow = Slow {
        inner: cfs::Slow::new(node, &[]),
        real: Vec::new(),
        waiting: Vec::new(),
        threads: (0..threads).map(thread).collect(),
        masks: masks.clone(),
        limit,
        tick,
        entries: 0,
        is_solaris: node.scheduler == Scheduler::Solaris,
        is_blind: node.scheduler == Scheduler::Aix && !node.aix_real_time_kernel,
        spans: (node.scheduler == Scheduler::Cfs).then_some((node.threads_per_core as usize, node.threads_per_cache())),
    };
    for number in 0..processes {
        let (pid, kind) = (Pid(number as u32), kind(number, seed));
        fast.admit(pid, &kind, None, &masks);
        slow.inner.admit(pid, kind.nice, None, false);
        slow.real.push(match kind.class {
            Class::Fifo => Some((kind.priority, None, Ns::ZERO)),
            Class::RoundRobin => Some((kind.priority, Some(quantum(kind.priority)), Ns::ZERO)),
            _ => None,
        });
    }
    check(seed, threads, &mut fast, &mut slow, processes, &masks);
}

#[test]
fn real_time_on_linux() {
    for seed in 0..500 {
        let mut node = host(Scheduler::Cfs, [1, 2, 3, 5][seed as usize % 4], seed);
        let limit = [None, Some((Ns::from_ms(60.0), Ns::from_ms(100.0))), Some((Ns(950_000_000), Ns(1_000_000_000)))];
        let limit = limit[seed as usize % 3];
        // The same number of threads, as cores of two, some of them of two sockets.
        if seed % 8 >= 6 {
            (node.sockets, node.cores_per_socket, node.threads_per_core) = [(1, 2, 2), (2, 2, 2)][seed as usize % 2];
        }
        (node.rt_runtime, node.rt_period) = (limit.map(|l| l.0), limit.map_or(Ns::from_s(1.0), |l| l.1));
        let tick = Ns(1_000_000_000 / u64::from(node.tick_hz));
        compare(seed, &node, |_| Ns::from_ms(100.0), limit, tick);
    }
}

#[test]
fn real_time_on_aix_and_solaris() {
    for seed in 0..200 {
        let scheduler = if seed % 2 == 0 { Scheduler::Aix } else { Scheduler::Solaris };
        let mut node = host(scheduler, [1, 2, 3, 5][seed as usize % 4], seed);
        node.aix_real_time_kernel = seed % 3 > 0;
        let quantum = |priority: u32| match scheduler {
            Scheduler::Aix => Ns(1),
            _ => Ns::from_ms(if priority < 20 { 800.0 } else { 600.0 }),
        };
        compare(seed, &node, quantum, None, Ns::from_ms(10.0));
    }
}
