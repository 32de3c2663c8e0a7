//! EEVDF with one plain list of processes; the average is added up anew each time.
use crate::cfs::{drawn, groups, host, masks, nice_weight, weight_now};
use crate::driver::check;
use crate::moves::{self, Moves, Place};
use std::ops::Range;
use wwi_kernel::time::Ns;
use wwi_model::config::{CgroupConfig, NodeConfig, Scheduler};
use wwi_model::host::eevdf::Eevdf;
use wwi_model::host::masks::Masks;
use wwi_model::host::policy::{Ended, Next, Preempt, RunQueue, Why};
use wwi_model::ids::Pid;

/// Virtual clocks start here.
const ORIGIN: i128 = 1 << 42;

#[derive(Clone, Debug)]
struct Process {
    place: Place,
    own: (u128, Option<usize>),
    weight: i128,
    virtual_time: i128,
    deadline: i128,
    lag: i128,
    entered: u64,
    last_ran: Ns,
}

pub struct Slow {
    processes: Vec<Process>,
    groups: Vec<Option<CgroupConfig>>,
    charged: Vec<Ns>,
    /// The average when the last process left.
    left_at: Vec<i128>,
    slice: i128,
    unit: i128,
    tick: Ns,
    migration_cost: Ns,
    entries: u64,
}

impl Slow {
    pub fn new(node: &NodeConfig, groups: &[Option<CgroupConfig>]) -> Self {
        let threads = node.threads();
        let factor = [0, 1, 2, 2, 3, 3, 3, 3, 4][threads.min(8)];
        Slow {
            processes: Vec::new(),
            groups: groups.to_vec(),
            charged: vec![Ns::ZERO; threads],
            left_at: vec![ORIGIN; threads],
            slice: i128::from(node.eevdf_base_slice.0) * factor,
            unit: if groups.iter().all(|g| g.is_none()) { 1024 } else { 1024 * 1024 },
            tick: Ns(1_000_000_000 / u64::from(node.tick_hz)),
            migration_cost: node.cfs.migration_cost,
            entries: 0,
        }
    }

    pub fn admit(&mut self, pid: Pid, nice: i32, group: Option<usize>) {
        let own = (nice_weight(nice), group);
        let fresh = Process {
            place: Place::Asleep,
            own,
            weight: weight_now(&self.groups, own, std::iter::empty()) as i128,
            virtual_time: 0,
            deadline: 0,
            lag: 0,
            entered: 0,
            last_ran: Ns::ZERO,
        };
        self.processes.resize(pid.i() + 1, fresh);
    }

    fn here(&self, at: usize) -> Vec<usize> {
        let here = |p: &usize| [Place::Waiting(at), Place::Running(at)].contains(&self.processes[*p].place);
        (0..self.processes.len()).filter(here).collect()
    }

    fn running(&self, at: usize) -> Option<usize> {
        (0..self.processes.len()).find(|&p| self.processes[p].place == Place::Running(at))
    }

    /// In the order of entering.
    fn queue(&self, at: usize) -> Vec<usize> {
        let mut queue: Vec<usize> =
            (0..self.processes.len()).filter(|&p| self.processes[p].place == Place::Waiting(at)).collect();
        queue.sort_by_key(|&p| self.processes[p].entered);
        queue
    }

    fn average(&self, at: usize) -> i128 {
        let here: Vec<&Process> = self.here(at).into_iter().map(|p| &self.processes[p]).collect();
        let weight: i128 = here.iter().map(|p| p.weight).sum();
        match weight {
            0 => self.left_at[at],
            _ => here.iter().map(|p| p.virtual_time * p.weight).sum::<i128>() / weight,
        }
    }

    fn request(&self, weight: i128) -> i128 {
        self.slice * self.unit / weight
    }

    fn charge(&mut self, at: usize, now: Ns) {
        let Some(running) = self.running(at) else { return };
        let ran = i128::from((now - self.charged[at]).0);
        let process = &mut self.processes[running];
        process.virtual_time += ran * self.unit / process.weight;
        self.charged[at] = now;
        if process.virtual_time >= process.deadline {
            process.deadline = process.virtual_time + self.slice * self.unit / process.weight;
        }
    }

    fn group_weight(&self, pid: usize) -> i128 {
        let runnable = self.processes.iter().filter(|p| p.place != Place::Asleep).map(|p| p.own);
        weight_now(&self.groups, self.processes[pid].own, runnable) as i128
    }

    fn enqueue(&mut self, at: usize, pid: usize) {
        self.entries += 1;
        self.processes[pid].entered = self.entries;
        self.processes[pid].place = Place::Waiting(at);
    }

    /// Joins a thread at its lag; `place` says already that it is runnable.
    fn join(&mut self, at: usize, pid: usize) {
        let average = self.average(at);
        let others: i128 = self.here(at).into_iter().map(|p| self.processes[p].weight).sum();
        self.enqueue(usize::MAX, pid);
        let weight = self.group_weight(pid);
        let process = &mut self.processes[pid];
        process.lag = process.lag * process.weight / weight;
        process.weight = weight;
        let lag = if others == 0 { 0 } else { process.lag * (others + weight) / others };
        process.virtual_time = average - lag;
        process.deadline = process.virtual_time + self.slice * self.unit / weight;
        process.place = Place::Waiting(at);
    }

    /// Leaves a thread and remembers what it is owed, two requests at most.
    fn leave(&mut self, at: usize, pid: usize) {
        self.left_at[at] = self.average(at);
        let limit = 2 * self.request(self.processes[pid].weight);
        let process = &mut self.processes[pid];
        process.lag = (self.left_at[at] - process.virtual_time).clamp(-limit, limit);
        process.place = Place::Asleep;
    }

    fn slice_end(&self, at: usize, now: Ns) -> Ns {
        if self.queue(at).is_empty() {
            return Ns::MAX;
        }
        let running = &self.processes[self.running(at).expect("one runs")];
        let left = (running.deadline - running.virtual_time) * running.weight;
        now.plus(Ns(((left + self.unit - 1) / self.unit) as u64)).ceil_to(self.tick)
    }

    /// Same lag and same rest of its request in CPU time, at the weight that its group gives it now.
    fn reweigh(&mut self, at: usize, pid: usize) {
        let (average, weight) = (self.average(at), self.group_weight(pid));
        let process = &mut self.processes[pid];
        if weight != process.weight {
            let lag = (average - process.virtual_time) * process.weight / weight;
            let left = ((process.deadline - process.virtual_time) * process.weight / weight).max(1);
            process.virtual_time = average - lag;
            process.deadline = process.virtual_time + left;
            process.weight = weight;
        }
    }
}

impl RunQueue for Slow {
    fn wake(&mut self, at: usize, pid: Pid, now: Ns) -> Preempt {
        self.charge(at, now);
        self.join(at, pid.i());
        match self.running(at) {
            Some(_) => Preempt::Until(self.slice_end(at, now)),
            None => Preempt::No,
        }
    }

    fn turn(&mut self, at: usize, ended: Option<Ended>, now: Ns) -> Option<Next> {
        self.charge(at, now);
        let mut still = None;
        if let Some(Ended { pid, why }) = ended {
            self.processes[pid.i()].last_ran = now;
            match why {
                Why::Blocked => self.leave(at, pid.i()),
                _ => still = Some(pid.i()),
            }
        }
        let (average, queue) = (self.average(at), self.queue(at));
        let of = |p: usize| &self.processes[p];
        let mut candidates: Vec<usize> = queue.iter().copied().chain(still).collect();
        candidates.retain(|&p| of(p).virtual_time <= average);
        // A tie goes to the one that waits, of these to the one that came first.
        candidates.sort_by_key(|&p| (of(p).deadline, still == Some(p), of(p).entered));
        let first = candidates.first().copied().or(still).or(queue.first().copied())?;
        if still.is_some_and(|p| p != first) {
            self.enqueue(at, still.unwrap_or(first));
        }
        self.processes[first].place = Place::Running(at);
        self.charged[at] = now;
        self.reweigh(at, first);
        Some(Next { pid: Pid(first as u32), until: self.slice_end(at, now) })
    }

    fn put(&mut self, at: usize, ended: Ended, now: Ns) {
        self.charge(at, now);
        self.processes[ended.pid.i()].last_ran = now;
        match ended.why {
            Why::Blocked => self.leave(at, ended.pid.i()),
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
        self.charged.len()
    }
    fn places(&self) -> Vec<Place> {
        self.processes.iter().map(|p| p.place).collect()
    }
    fn movable(&self, from: usize, to: usize, now: Ns, masks: &Masks) -> Option<Pid> {
        let cold = |p: &&usize| now.minus(self.processes[**p].last_ran) >= self.migration_cost;
        self.queue(from).iter().filter(cold).map(|&p| Pid(p as u32)).find(|&p| masks.allows(p, to))
    }
    fn shift(&mut self, pid: Pid, from: usize, to: usize) {
        self.leave(from, pid.i());
        self.join(to, pid.i());
    }
}

#[test]
fn eevdf() {
    for seed in 0..500 {
        let (threads, processes) = ([1, 2, 3, 5, 8][seed as usize % 5], 4 + seed as usize % 17);
        let (node, groups) = (host(Scheduler::Eevdf, threads, seed), groups(seed));
        let (mut fast, mut slow) = (Eevdf::new(&node, &groups), Slow::new(&node, &groups));
        for pid in 0..processes {
            let (nice, group) = drawn(pid, seed, groups.len());
            fast.admit(Pid(pid as u32), nice, group);
            slow.admit(Pid(pid as u32), nice, group);
        }
        check(seed, threads, &mut fast, &mut slow, processes, &masks(threads, processes, seed));
    }
}
