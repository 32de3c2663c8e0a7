//! Loads as Linux tracks them (PELT, `kernel/sched/pelt.c`): averages over time in which the past counts less and less,
//! by process and by CPU. A CPU's are those of the processes that last were on it, the sleeping ones too, and fade.
//!
//! They are brought up to date when a process wakes, blocks or moves and when a balance looks at them, never at a turn:
//! between two such moments a process is taken to have run evenly for as long as it ran. But who blocks waited until he
//! was last picked, and ran from then on.
use super::averages::{faded, float, Averages, Process, Table, FULL, NEW, NOWHERE, ROOT};
use super::estimates::Rule;
use super::groups::CAPACITY;
use super::lately::Lately;
use crate::ids::Pid;
use std::ops::Range;
use wwi_kernel::arena::Arena;
use wwi_kernel::decay::Fading;
use wwi_kernel::rng::Stream;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// Load and weight of the processes of one control group on a CPU, by nice values.
#[derive(Clone, Copy, Debug, Default)]
struct Grouped {
    load: f64,
    weight: u64,
    lately: Lately,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// Of the load, only those in no control group.
    averages: Averages,
    /// Of the others, by control group; as many as have run here.
    grouped: Vec<Grouped>,
    /// Utilisation by real time.
    real: f64,
    /// Estimates of those running or waiting, added up.
    estimates: f64,
    updated: Ns,
    /// Time it had run ordinary processes then, and real time.
    ran: Ran,
    weight: u64,
    processes: u32,
    /// Of those in no control group.
    lately: Lately,
}

/// How long a CPU has run processes so far \[ns\].
#[derive(Clone, Copy, Debug, Default)]
pub struct Ran {
    /// Ordinary ones.
    pub fair: u64,
    /// Real time.
    pub real: u64,
}

impl Queue {
    /// How much still counts of what it was when last brought up to date, what it tended to since, and what utilisation
    /// by real time is now; nothing where that is now.
    #[inline]
    fn since(&self, now: Ns, ran: Ran, (table, older): (&Table, Option<Of>)) -> Option<(f64, Averages, f64)> {
        let span = now.0 - self.updated.0;
        if span == 0 {
            return None;
        }
        // Once for both.
        let each = FULL / float(span);
        let share = |before: u64, after: u64| float(after.saturating_sub(before).min(span)) * each;
        let target = Averages {
            load: float(self.weight),
            util: share(self.ran.fair, ran.fair),
            runnable: FULL * f64::from(self.processes),
        };
        let (real, kept) = (share(self.ran.real, ran.real), table.kept(span));
        let real = match older {
            Some(of) => faded(self.real, of.0.table.kept(span), real + of.interrupts(now) * (real + target.util)),
            None => faded(self.real, kept, real),
        };
        Some((kept, target, real))
    }

    fn update(&mut self, now: Ns, ran: Ran, (table, older): (&Table, Option<Of>)) {
        let Some((kept, target, real)) = self.since(now, ran, (table, older)) else { return };
        self.averages.fade(kept, target);
        let span = (self.updated, now);
        if let Some(of) = older {
            self.lately = self.lately.after(span, float(self.weight), of.0.tick, table);
        }
        for Grouped { load, weight, lately } in &mut self.grouped {
            *load = faded(*load, kept, float(*weight));
            if let Some(of) = older {
                *lately = lately.after(span, float(*weight), of.0.tick, table);
            }
        }
        self.real = real;
        (self.updated, self.ran) = (now, ran);
    }

    /// Load and weight of the processes of a group, or of those in none, and what those that run or wait add to that.
    fn sums(&mut self, group: u16) -> (&mut f64, &mut u64, &mut Lately) {
        if group == ROOT {
            return (&mut self.averages.load, &mut self.weight, &mut self.lately);
        }
        let group = usize::from(group);
        if self.grouped.len() <= group {
            self.grouped.resize(group + 1, Grouped::default());
        }
        let Grouped { load, weight, lately } = &mut self.grouped[group];
        (load, weight, lately)
    }

    /// A process of it wants to run.
    fn wants(&mut self, process: &Process) {
        self.processes += 1;
        self.estimates += process.estimate.expected();
    }

    /// A process of it does not want to run any more.
    fn wants_no_more(&mut self, process: &Process) {
        self.processes -= 1;
        self.estimates =
            if self.processes == 0 { 0.0 } else { (self.estimates - process.estimate.expected()).max(0.0) };
    }

    fn add(&mut self, averages: Averages, group: u16) {
        *self.sums(group).0 += averages.load;
        self.averages.util += averages.util;
        self.averages.runnable += averages.runnable;
    }

    fn remove(&mut self, averages: Averages, group: u16) {
        let load = self.sums(group).0;
        *load = (*load - averages.load).max(0.0);
        self.averages.util = (self.averages.util - averages.util).max(0.0);
        self.averages.runnable = (self.averages.runnable - averages.runnable).max(0.0);
    }
}

/// What is known of a CPU's load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Load.
    pub load: u64,
    /// Utilisation, or what is expected of those who run or wait if that is more; 1024 at most.
    pub util: u64,
    /// Processes running or waiting on average, 1024ths.
    pub runnable: u64,
    /// What real time leaves of it, 1024ths, 1 at least.
    pub capacity: u64,
}

/// Interrupts take now more, now less: for about so long each \[ns\], a power of two.
const SPELL_LOG: u32 = 28;

/// How loads were kept before 4.1.
#[derive(Clone, Debug)]
struct Older {
    tick: Ns,
    /// Share of the time of a busy CPU that interrupts take on average.
    interrupts: f64,
    seed: (u64, u32, u64),
    /// What real time and interrupts take fades more slowly (`sched_time_avg_ms`: half of it each 500 ms).
    table: Fading<29>,
}

/// The same of a CPU.
#[derive(Clone, Copy)]
struct Of<'a>(&'a Older, usize);

impl Of<'_> {
    /// Share of its time that interrupts take if it is busy. No two CPUs have quite as many, or one at all times.
    fn interrupts(self, now: Ns) -> f64 {
        let Of(older, cpu) = self;
        if older.interrupts <= 0.0 {
            return 0.0;
        }
        let ((seed, replication, node), spell) = (older.seed, now.0 >> SPELL_LOG);
        let mut stream = Stream::new(seed, replication, "interrupts", node << 48 | spell << 16 | cpu as u64, "");
        older.interrupts * stream.exponential()
    }
}

/// The loads of a host.
#[derive(Clone, Debug)]
pub struct Loads {
    queues: Arena<Queue>,
    processes: Arena<Process>,
    /// How many of them run or wait.
    queued: u32,
    table: Table,
    /// Where loads are averaged over ticks, too.
    older: Option<Older>,
    /// What processes are expected to use.
    estimates: Rule,
    /// Where that goes by what is known on ticks: how long one is.
    known_on_ticks: Option<Ns>,
}

impl Loads {
    /// Nobody has run on any of so many CPUs.
    pub fn new(cpus: usize) -> Loads {
        Loads {
            queues: vec![Queue::default(); cpus].into(),
            processes: Vec::new().into(),
            queued: 0,
            table: Table::default(),
            older: None,
            estimates: Rule::default(),
            known_on_ticks: None,
        }
    }

    /// Loads are averaged over ticks, too; of each on which a CPU is busy interrupts take so much.
    pub fn keep_ticks(&mut self, tick: Ns, interrupts: Ns, seed: (u64, u32, u64)) {
        let interrupts = float(interrupts.0) / float(tick.0.max(1));
        self.older = Some(Older { tick, interrupts, seed, table: Fading::default() });
    }

    /// How it is estimated what processes will use; on ticks, as since 6.12: how long one is.
    pub fn estimate_by(&mut self, rule: Rule, known_on_ticks: Option<Ns>) {
        (self.estimates, self.known_on_ticks) = (rule, known_on_ticks);
    }

    /// Whether no ordinary process runs or waits, on any CPU.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.queued == 0
    }

    fn update(&mut self, cpu: usize, now: Ns, ran: Ran) -> &mut Queue {
        let queue = &mut self.queues[cpu];
        queue.update(now, ran, (&self.table, self.older.as_ref().map(|older| Of(older, cpu))));
        queue
    }

    /// A process is queued at a CPU, after `used` of CPU time in all; `weight` is by its nice value, with its control
    /// group; `ran` is how long a CPU has run.
    pub fn wake(
        &mut self,
        cpu: usize,
        (pid, used): (Pid, u64),
        (weight, group): (u64, Option<usize>),
        now: Ns,
        ran: impl Fn(usize) -> Ran,
    ) {
        reach(&mut self.processes, pid.i(), NEW);
        let before = usize::from(self.processes[pid.i()].home);
        if before != usize::from(NOWHERE) && before != cpu {
            self.update(before, now, ran(before));
        }
        self.update(cpu, now, ran(cpu));
        let process = &mut self.processes[pid.i()];
        if process.is_delayed {
            process.update(now, used, &self.table);
            self.leave(pid);
            self.processes[pid.i()].is_delayed = false;
        }
        let (queues, process) = (&mut self.queues, &mut self.processes[pid.i()]);
        (process.weight, process.group) = (weight, group.map_or(ROOT, |group| group as u16));
        if process.home == NOWHERE {
            let util = first_util(&queues[cpu].averages, weight);
            process.averages = Averages { load: weight as f64, util, runnable: util };
            (process.updated, process.used) = (now, used);
            queues[cpu].add(process.averages, process.group);
        } else {
            process.update(now, used, &self.table);
            if before != cpu {
                queues[before].remove(process.averages, process.group);
                queues[cpu].add(process.averages, process.group);
            }
        }
        process.home = cpu as u16;
        self.enter(cpu, pid);
    }

    fn enter(&mut self, cpu: usize, pid: Pid) {
        let (queue, process) = (&mut self.queues[cpu], &mut self.processes[pid.i()]);
        process.is_queued = true;
        self.queued += 1;
        let (_, weight, lately) = queue.sums(process.group);
        *weight += process.weight;
        lately.load += process.averages.load;
        if !process.is_delayed {
            queue.wants(process);
        }
    }

    fn leave(&mut self, pid: Pid) {
        let process = &mut self.processes[pid.i()];
        let queue = &mut self.queues[usize::from(process.home)];
        process.is_queued = false;
        self.queued -= 1;
        let (_, weight, lately) = queue.sums(process.group);
        *weight -= process.weight;
        lately.load = if *weight == 0 { 0.0 } else { (lately.load - process.averages.load).max(0.0) };
        if !process.is_delayed {
            queue.wants_no_more(process);
        }
    }

    /// A process that ran or waited blocks; whether it `stays` queued until its debt is worked off. Since 6.12 what it
    /// is expected to use goes by what was known of it at `picked`, when it began to run, or on a later tick.
    pub fn block(&mut self, (pid, used): (Pid, u64), stays: bool, (picked, now): (Ns, Ns), ran: impl Fn(usize) -> Ran) {
        let Some(process) = self.processes.get_mut(pid.i()).filter(|process| process.is_queued) else { return };
        // Until it was picked it waited, and from then on it ran.
        let known_at = self.known_on_ticks.map_or(picked, |tick| picked.max(Ns(now.0 / tick.0 * tick.0)));
        if process.updated < known_at {
            process.update(known_at, used.saturating_sub((now - known_at).0), &self.table);
        }
        let known = process.averages;
        process.update(now, used, &self.table);
        let home = usize::from(process.home);
        self.update(home, now, ran(home));
        if stays {
            self.processes[pid.i()].is_delayed = true;
            self.queues[home].wants_no_more(&self.processes[pid.i()]);
        } else {
            self.leave(pid);
        }
        let process = &mut self.processes[pid.i()];
        let read = if self.known_on_ticks.is_some() { known } else { process.averages };
        process.estimate.blocks(read.util, read.runnable, self.estimates);
    }

    /// A process that was queued although it sleeps leaves.
    pub fn part(&mut self, (pid, used): (Pid, u64), now: Ns, ran: impl Fn(usize) -> Ran) {
        let Some(process) = self.processes.get_mut(pid.i()).filter(|process| process.is_delayed) else { return };
        process.update(now, used, &self.table);
        let home = usize::from(process.home);
        self.update(home, now, ran(home));
        self.leave(pid);
        self.processes[pid.i()].is_delayed = false;
    }

    /// The CPU that a process was queued on last.
    #[inline]
    pub fn home(&self, pid: Pid) -> Option<usize> {
        let home = self.processes.get(pid.i())?.home;
        (home != NOWHERE).then_some(usize::from(home))
    }

    /// A process that waits, or is queued although it sleeps, is moved.
    pub fn shift(&mut self, to: usize, (pid, used): (Pid, u64), now: Ns, ran: impl Fn(usize) -> Ran) {
        let Some(process) = self.processes.get_mut(pid.i()).filter(|process| process.is_queued) else { return };
        process.update(now, used, &self.table);
        let (from, averages, group) = (usize::from(process.home), process.averages, process.group);
        self.update(from, now, ran(from));
        self.leave(pid);
        self.queues[from].remove(averages, group);
        self.update(to, now, ran(to)).add(averages, group);
        self.processes[pid.i()].home = to as u16;
        self.enter(to, pid);
    }

    /// What a CPU's load is now; `of_group` says what that of a control group is there, where that of its processes by
    /// their nice values is so much.
    #[inline]
    pub fn known(&self, cpu: usize, now: Ns, ran: Ran, of_group: impl Fn(usize, usize, f64) -> f64) -> Known {
        let queue = &self.queues[cpu];
        let since = queue.since(now, ran, (&self.table, self.older.as_ref().map(|older| Of(older, cpu))));
        let (mut averages, mut real) = (queue.averages, queue.real);
        if let Some((kept, target, by_real)) = since {
            averages.fade(kept, target);
            real = by_real;
        }
        let load = |sums: &Grouped| since.map_or(sums.load, |(kept, ..)| faded(sums.load, kept, float(sums.weight)));
        let grouped: f64 = (0..).zip(&queue.grouped).map(|(group, sums)| of_group(group, cpu, load(sums))).sum();
        Known {
            load: nearest(averages.load + grouped),
            util: nearest(averages.util.max(queue.estimates).min(FULL)),
            runnable: nearest(averages.runnable),
            // Rounded down, or what is taken away is.
            capacity: if self.older.is_some() { (FULL - real) as u64 } else { CAPACITY - real as u64 }.max(1),
        }
    }

    /// A load that no CPU but one exceeds, of some: each tends from what it was to what is there. Nothing is known of
    /// control groups.
    pub fn at_most(&self, cpus: Range<usize>, but: usize) -> u64 {
        let others = cpus.filter(|&cpu| cpu != but).map(|cpu| &self.queues[cpu]);
        let most = |queue: &Queue| match queue.grouped.is_empty() {
            true => queue.averages.load.max(float(queue.weight)) as u64 + 1,
            false => u64::MAX,
        };
        others.fold(0, |least, queue| least.max(most(queue)))
    }

    /// The load of those who run or wait at a CPU, now and on average over ticks ([`Lately::each`]).
    pub fn lately(&self, cpu: usize, now: Ns, of_group: impl Fn(usize, usize, f64) -> f64) -> [u64; 3] {
        let queue = &self.queues[cpu];
        let tick = self.older.as_ref().map_or(Ns::ZERO, |of| of.tick);
        let each =
            |lately: &Lately, weight: u64| lately.after((queue.updated, now), float(weight), tick, &self.table).each();
        let mut sums = each(&queue.lately, queue.weight);
        for (group, Grouped { weight, lately, .. }) in (0..).zip(&queue.grouped) {
            let loads = each(lately, *weight);
            // What the group counts for now, and in proportion before.
            let now = if loads[0] > 0.0 { loads[0] } else { 1.0 };
            let part = of_group(group, cpu, now) / now;
            sums.iter_mut().zip(loads).for_each(|(sum, load)| *sum += part * load);
        }
        sums.map(nearest)
    }

    /// Load and utilisation of a process that is queued; `of_group` as for [`Loads::known`], with the CPU where it is
    /// (`task_h_load`).
    pub fn of(&self, pid: Pid, now: Ns, used: u64, of_group: impl Fn(usize, usize, f64) -> f64) -> (u64, u64) {
        let Some(process) = self.processes.get(pid.i()) else { return (0, 0) };
        let mut process = *process;
        process.update(now, used, &self.table);
        let (home, group) = (usize::from(process.home), usize::from(process.group));
        let share = self.queues.get(home).filter(|_| process.group != ROOT).map_or(1.0, |queue| {
            let kept = self.table.kept(now.minus(queue.updated).0);
            // In 3.14 only those who are queued share it.
            let load = |sums: &Grouped| if self.older.is_some() { sums.lately.load } else { sums.load };
            let own = queue.grouped.get(group).map_or(0.0, |sums| faded(load(sums), kept, float(sums.weight)));
            of_group(group, home, own) / own.max(1.0)
        });
        (nearest(share * process.averages.load), nearest(process.averages.util.max(process.estimate.expected())))
    }
}

/// A load as a whole number: as the library rounds, without a call.
#[inline]
fn nearest(load: f64) -> u64 {
    let whole = (load as i64).max(0);
    whole as u64 + u64::from(load - whole as f64 >= 0.5)
}

/// What a process that never ran is taken to use: as much for its weight as those on its CPU, half of what is left of
/// it at most (`post_init_entity_util_avg`).
fn first_util(cpu: &Averages, weight: u64) -> f64 {
    let most = ((FULL - cpu.util) / 2.0).max(0.0);
    if cpu.util == 0.0 {
        return most;
    }
    (cpu.util * weight as f64 / (cpu.load + 1.0)).min(most)
}

#[cfg(test)]
#[path = "loads_tests.rs"]
mod tests;
