//! CFS with one plain list of processes: no heap, no sums kept.
use crate::driver::check;
use crate::moves::{self, Moves, Place};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{Affinity, CgroupConfig, CpuSet, NodeConfig, Scheduler};
use wwi_model::host::cfs::Cfs;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;
use wwi_model::testing::node;

/// Virtual clocks of threads start here.
const ORIGIN: u128 = 1 << 42;
const NICE_0: u128 = 1024;

/// Weights of the nice values that the lists draw from (Linux, `sched_prio_to_weight`).
pub fn nice_weight(nice: i32) -> u128 {
    [(-10, 9548), (-5, 3121), (0, 1024), (5, 335), (19, 15)].into_iter().find(|w| w.0 == nice).expect("a drawn one").1
}

/// The nice value and the group of a process in the lists.
pub fn drawn(pid: usize, seed: u64, groups: usize) -> (i32, Option<usize>) {
    let mix = (pid as u64 * 7 + seed * 13) % 25;
    let nice = [0, 0, 0, 5, -5, -10, 19][mix as usize % 7];
    (nice, (groups > 0 && [1, 2].contains(&(mix % 3))).then(|| mix as usize % groups))
}

/// Flattened weights by adding up who is runnable.
pub fn weight_now(
    groups: &[Option<CgroupConfig>],
    own: (u128, Option<usize>),
    runnable: impl Iterator<Item = (u128, Option<usize>)>,
) -> u128 {
    if groups.iter().all(|g| g.is_none()) {
        return own.0;
    }
    let Some((index, group)) = own.1.and_then(|g| Some((g, groups[g]?))) else { return own.0 * 1024 };
    let all: u128 = runnable.filter(|r| r.1 == Some(index)).map(|r| r.0).sum();
    (NICE_0 * 1024 * u128::from(group.weight) / 100 * own.0 / all.max(own.0)).max(2)
}

#[derive(Clone, Debug)]
struct Process {
    place: Place,
    own: (u128, Option<usize>),
    weight: u128,
    virtual_time: u128,
    /// Number of its last entry into a queue.
    entered: u64,
    home: Option<usize>,
    last_ran: Ns,
}

pub struct Slow {
    processes: Vec<Process>,
    groups: Vec<Option<CgroupConfig>>,
    /// The virtual clock of each thread.
    clocks: Vec<u128>,
    picked: Vec<Ns>,
    charged: Vec<Ns>,
    factor: u128,
    node: NodeConfig,
    entries: u64,
}

impl Slow {
    pub fn new(node: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let threads = node.threads();
        let factor = [0, 1, 2, 2, 3, 3, 3, 3][threads.min(7)];
        Slow {
            processes: Vec::new(),
            groups: groups.to_vec(),
            clocks: vec![ORIGIN; threads],
            picked: vec![Ns::ZERO; threads],
            charged: vec![Ns::ZERO; threads],
            factor: if threads >= 8 { 4 } else { factor },
            node: node.clone(),
            entries: 0,
        }
    }

    /// Processes come with ascending numbers; those left out are never woken.
    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>) {
        let own = (nice_weight(nice), group);
        let weight = weight_now(&self.groups, own, std::iter::empty());
        let fresh =
            Process { place: Place::Asleep, own, weight, virtual_time: 0, entered: 0, home: None, last_ran: Ns::ZERO };
        self.processes.resize(pid.i() + 1, fresh);
    }

    fn unit(&self) -> u128 {
        if self.groups.iter().all(|g| g.is_none()) {
            NICE_0
        } else {
            NICE_0 * 1024
        }
    }

    fn running(&self, at: usize) -> Option<usize> {
        (0..self.processes.len()).find(|&p| self.processes[p].place == Place::Running(at))
    }

    /// In the order in which they would run.
    fn queue(&self, at: usize) -> Vec<usize> {
        let mut queue: Vec<usize> =
            (0..self.processes.len()).filter(|&p| self.processes[p].place == Place::Waiting(at)).collect();
        queue.sort_by_key(|&p| (self.processes[p].virtual_time, self.processes[p].entered));
        queue
    }

    fn charge(&mut self, at: usize, now: Ns) {
        let Some(running) = self.running(at) else { return };
        let ran = u128::from((now - self.charged[at]).0);
        self.processes[running].virtual_time += ran * self.unit() / self.processes[running].weight;
        self.charged[at] = now;
        let least = self.queue(at).into_iter().chain([running]).map(|p| self.processes[p].virtual_time).min();
        self.clocks[at] = self.clocks[at].max(least.expect("one runs"));
    }

    fn reweigh(&mut self, pid: usize) {
        let runnable = self.processes.iter().filter(|p| p.place != Place::Asleep).map(|p| p.own);
        self.processes[pid].weight = weight_now(&self.groups, self.processes[pid].own, runnable);
    }

    fn enqueue(&mut self, at: usize, pid: usize) {
        self.entries += 1;
        self.processes[pid].entered = self.entries;
        self.processes[pid].home = Some(at);
        self.processes[pid].place = Place::Waiting(at);
        self.reweigh(pid);
    }

    fn start(&mut self, at: usize, pid: usize, now: Ns) -> Next {
        self.reweigh(pid);
        self.processes[pid].place = Place::Running(at);
        (self.picked[at], self.charged[at]) = (now, now);
        Next { pid: Pid(pid as u32), until: self.slice_end(at, now) }
    }

    /// The first tick after now on which the running process has had more than its slice, or leads the next by more.
    fn slice_end(&self, at: usize, now: Ns) -> Ns {
        let (queue, running) = (self.queue(at), &self.processes[self.running(at).expect("one runs")]);
        let Some(&first) = queue.first() else { return Ns::MAX };
        let tunable = |t: Ns| u128::from(t.0) * self.factor;
        let runnable = queue.len() as u128 + 1;
        let latency = tunable(self.node.cfs.latency);
        let least = tunable(self.node.cfs.min_granularity);
        let period = if runnable <= latency.div_ceil(least) { latency } else { runnable * least };
        let all: u128 = queue.iter().map(|&p| self.processes[p].weight).sum::<u128>() + running.weight;
        // `sched_slice` of 5.13: `if (sched_feat(BASE_SLICE)) slice = max(slice, min_gran)`.
        let slice = (period * running.weight / all).max(least);
        let lead = (slice + self.processes[first].virtual_time + 1).saturating_sub(running.virtual_time);
        let picked = u128::from(self.picked[at].0);
        let in_lead = (u128::from(now.0) + (lead * running.weight).div_ceil(self.unit())).saturating_sub(1);
        let end = (picked + slice).min(in_lead.max(picked + tunable(self.node.cfs.min_granularity)));
        let tick = Ns(1_000_000_000 / u64::from(self.node.tick_hz));
        (1..).map(|n| Ns(now.0 / tick.0 * tick.0 + n * tick.0)).find(|at| u128::from(at.0) > end).expect("a tick")
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.charge(at, now);
        let (process, here) = (&mut self.processes[pid.i()], self.clocks[at]);
        let own = process.home.map_or(here, |h| (process.virtual_time + here).saturating_sub(self.clocks[h]));
        let bonus = u128::from(self.node.cfs.latency.0) * self.factor / 2;
        process.virtual_time = own.max(here.saturating_sub(bonus));
        self.enqueue(at, pid.i());
        let Some(running) = self.running(at) else { return Preempt::No };
        let woken = &self.processes[pid.i()];
        let lead = self.processes[running].virtual_time.saturating_sub(woken.virtual_time);
        if lead > u128::from(self.node.cfs.wakeup_granularity.0) * self.factor * self.unit() / woken.weight {
            return Preempt::Now;
        }
        Preempt::Until(self.slice_end(at, now))
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        if let Some(Ended { pid, why }) = ended {
            let own = self.processes[pid.i()].virtual_time;
            self.processes[pid.i()].last_ran = now;
            let leads = self.queue(at).iter().all(|&p| own < self.processes[p].virtual_time);
            if why != Why::Blocked && leads {
                return Some(self.start(at, pid.i(), now));
            }
            self.processes[pid.i()].place = Place::Asleep;
            if why != Why::Blocked {
                // As it runs, it weighs what it weighed when it was picked until it is picked again.
                let weight = self.processes[pid.i()].weight;
                self.enqueue(at, pid.i());
                self.processes[pid.i()].weight = weight;
            }
        }
        let queue = self.queue(at);
        let first = queue.iter().find(|&&p| ended.is_none_or(|e| e.pid.i() != p)).or(queue.first());
        first.map(|&pid| self.start(at, pid, now))
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.processes[ended.pid.i()].last_ran = now;
        match ended.why {
            Why::Blocked => self.processes[ended.pid.i()].place = Place::Asleep,
            _ => self.enqueue(at, ended.pid.i()),
        }
    }

    fn waiting(&self, at: usize) -> usize {
        self.queue(at).len()
    }
    fn pull(&mut self, to: usize, from: Range<usize>, now: Ns, masks: &Masks) -> bool {
        moves::pull(self, to, from, now, masks)
    }
    fn level(&mut self, now: Ns, masks: &Masks) -> Vec<usize> {
        moves::level(self, now, masks)
    }
    fn until(&mut self, at: usize, now: Ns) -> Ns {
        self.charge(at, now);
        self.slice_end(at, now)
    }
}

impl Moves for Slow {
    fn threads(&self) -> usize {
        self.clocks.len()
    }
    fn places(&self) -> Vec<Place> {
        self.processes.iter().map(|p| p.place).collect()
    }
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let cold = |p: &&usize| now.minus(self.processes[**p].last_ran) >= self.node.cfs.migration_cost;
        let queue = self.queue(from);
        queue.iter().filter(cold).map(|&p| Pid(p as u32)).find(|&p| masks.allows(p, to))
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize) {
        let process = &mut self.processes[pid.i()];
        // `dequeue_entity` of 5.8 without DEQUEUE_SLEEP: "se->vruntime -= cfs_rq->min_vruntime"; `enqueue_entity` of a
        // migrated task: "se->vruntime += cfs_rq->min_vruntime". Both unsigned, so a lead or a credit goes along as it
        // is.
        process.virtual_time = process.virtual_time + self.clocks[to] - self.clocks[from];
        self.enqueue(to, pid.i());
    }
}

/// A host of `threads` CPUs with a tick of 1 or 4 ms.
pub fn host(scheduler: Scheduler, threads: usize, seed: u64) -> NodeConfig {
    let tick_hz = [250, 1000, 1000][seed as usize % 3];
    NodeConfig { cores_per_socket: threads as u32, scheduler, tick_hz, ..node() }
}

/// No groups, or three with weights apart.
pub fn groups(seed: u64) -> Vec<Option<CgroupConfig>> {
    let group = |weight| Some(CgroupConfig { weight, quota: None, period: Ns::from_ms(100.0) });
    match seed % 2 {
        0 => vec![None; 3],
        _ => vec![group(100), group(300), group(7)],
    }
}

/// Anywhere, or every third process bound to the odd threads and every fifth to the first.
pub fn masks(threads: usize, processes: usize, seed: u64) -> Masks {
    let mut masks = Masks::new(threads);
    if seed % 4 >= 2 && threads > 1 {
        let odd = CpuSet((0..threads as u16).filter(|t| t % 2 == 1).collect());
        let first = CpuSet(vec![0]);
        for pid in 0..processes {
            let set = if pid % 3 == 0 { Some(&odd) } else { Some(&first).filter(|_| pid % 5 == 1) };
            masks.assign_for(Pid(pid as u32), set, &Affinity::None);
        }
    }
    masks
}

#[test]
fn cfs() {
    for seed in 0..500 {
        let (threads, processes) = ([1, 2, 3, 5, 8][seed as usize % 5], 4 + seed as usize % 17);
        let (mut node, groups) = (host(Scheduler::Cfs, threads, seed), groups(seed));
        // As tuned sets them for throughput, which leaves three to a period instead of eight.
        if seed % 3 == 1 {
            node.cfs.min_granularity = Ns::from_ms(2.5);
        }
        let (mut fast, mut slow) = (Cfs::new(&node, &groups), Slow::new(&node, &groups));
        for pid in 0..processes {
            let (nice, group) = drawn(pid, seed, groups.len());
            fast.admit(Pid(pid as u32), nice, group);
            slow.admit(Pid(pid as u32), nice, group);
        }
        check(seed, threads, &mut fast, &mut slow, processes, &masks(threads, processes, seed));
    }
}
