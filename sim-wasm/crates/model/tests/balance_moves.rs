//! The policy and its slow twin, which was written from the kernel's text alone: of 1000 random hosts of 2 to 16 CPUs
//! both say who moves, from where, to where, by force or not, and what is remembered of it, under three kernels: tasks
//! that sleep and are still queued and tasks that are not owed any time are among those on the CPUs.
mod balance_twin;

use balance_twin::domains::Host;
use balance_twin::MIGRATION_COST_NS;
use balance_twin::{build_domains, load_balance_all, Cpu, Domain, Generation, Idle, Outcome, Task, Verdict};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::EevdfGeneration;
use wwi_model::host::balance::active::chosen;
use wwi_model::host::balance::detach::Candidate;
use wwi_model::host::balance::domains::{Domains, Kind};
use wwi_model::host::balance::groups::{self, Puller};
use wwi_model::host::balance::{Balance, Queues, Tried};
use wwi_model::ids::Pid;

const HOSTS: u64 = 1000;
const NOW: u64 = 1_000_000_000;

/// Sockets, caches of one, cores of one, threads of one.
fn shapes() -> Vec<Host> {
    let mut all = Vec::new();
    for sockets in [1, 2, 4] {
        for llcs_per_socket in [1, 2, 4] {
            for cores_per_llc in [1, 2, 3, 4, 5, 8] {
                for threads_per_core in [1, 2, 4] {
                    all.push(Host { sockets, llcs_per_socket, cores_per_llc, threads_per_core });
                }
            }
        }
    }
    all.retain(|host| (2..=16).contains(&host.cpus()));
    all
}

fn draw(random: &mut Stream, bound: u64) -> u64 {
    random.below(bound)
}

/// Of those that wait on these CPUs a third sleeps.
fn delay(random: &mut Stream, cpus: &mut [Cpu]) {
    cpus.iter_mut().flat_map(|cpu| &mut cpu.queue).for_each(|task| task.is_delayed = draw(random, 3) == 0);
}

/// CPUs with anything on them. Where `is_calm` everybody weighs as much, may run anywhere and always ran or waited.
fn snapshot(random: &mut Stream, cpus: usize, is_calm: bool) -> Vec<Cpu> {
    let most = 1 + draw(random, 6);
    let mut id = 0;
    (0..cpus)
        .map(|_| {
            let number = draw(random, most + 1).saturating_sub(draw(random, 3));
            let mut tasks: Vec<(Task, bool)> = (0..number)
                .map(|_| {
                    id += 1;
                    let load = if is_calm { 1024 } else { [15, 512, 1024, 1023, 9548][draw(random, 5) as usize] };
                    let util = if is_calm { 1024 / number } else { draw(random, 1025) };
                    let allowed = (0..cpus).map(|_| is_calm || draw(random, 8) > 0).collect();
                    let last_ran_ns = NOW - draw(random, 2 * MIGRATION_COST_NS);
                    let is_owed = draw(random, 3) > 0;
                    (Task { id, weight: load, load, util, last_ran_ns, allowed, is_delayed: false, is_owed }, false)
                })
                .collect();
            let mut cpu = Cpu { rt_tasks: draw(random, 8) as usize / 7, ..Cpu::default() };
            // Real time runs before them.
            if cpu.rt_tasks == 0 && number > 0 {
                let running = draw(random, number) as usize;
                tasks[running].1 = true;
            }
            cpu.load = tasks.iter().map(|t| t.0.load).sum();
            let estimate: u64 = tasks.iter().map(|t| t.0.util).sum();
            cpu.util = estimate.max(draw(random, 2) * draw(random, 1025)).min(1024);
            cpu.runnable = if is_calm { 1024 * number } else { draw(random, 1024 * (number + 1)) };
            cpu.rt_util = if is_calm { 0 } else { draw(random, 3) * draw(random, 600) };
            cpu.set_cfs_tasks(tasks);
            cpu.is_idle = number == 0 && cpu.rt_tasks == 0;
            cpu
        })
        .collect()
}

struct Lists<'a> {
    cpus: &'a [Cpu],
    is_core: bool,
}

impl Lists<'_> {
    fn task(&self, pid: Pid) -> &Task {
        let mut all = self.cpus.iter().flat_map(|cpu| cpu.queue.iter().chain(&cpu.running));
        all.find(|task| task.id == pid.0).expect("it is somewhere")
    }

    /// The list of this CPU once those passed over have gone to its head one by one.
    fn after(&self, cpu: usize, passed: &[Pid]) -> Vec<Candidate> {
        let mut list = self.list(cpu, false);
        for pid in passed {
            if let Some(at) = list.iter().position(|candidate| candidate.pid == *pid) {
                list[at..].rotate_left(1);
            }
        }
        list
    }
}

impl Queues for Lists<'_> {
    /// Whose loads are not asked for weighs more than there is to move.
    fn list(&self, cpu: usize, is_weighed: bool) -> Vec<Candidate> {
        let candidate = |(task, is_running): (Task, bool)| Candidate {
            pid: Pid(task.id),
            load: if is_weighed { task.load } else { 1 << 40 },
            util: if is_weighed { task.util } else { 1 << 40 },
            is_hot: !self.is_core && NOW - task.last_ran_ns < MIGRATION_COST_NS,
            is_running,
            is_delayed: task.is_delayed,
            is_owed: task.is_owed,
        };
        self.cpus[cpu].cfs_tasks().into_iter().rev().map(candidate).collect()
    }
    fn current(&self, cpu: usize) -> Option<Pid> {
        self.cpus[cpu].running.as_ref().map(|task| Pid(task.id))
    }
    fn allows(&self, pid: Pid, cpu: usize) -> bool {
        self.task(pid).allowed[cpu]
    }
    fn is_throttled(&self, _: Pid, _: usize) -> bool {
        false
    }
    fn has_peers(&self, _: Pid, cpu: usize) -> bool {
        self.cpus[cpu].h_nr_queued() > 0
    }
}

fn seen(cpu: &Cpu, generation: Generation) -> groups::Cpu {
    groups::Cpu {
        running: cpu.nr_running() as u32,
        fair: cpu.h_nr(generation) as u32,
        load: cpu.load,
        util: cpu.util,
        runnable: cpu.runnable,
        capacity: cpu.capacity_of(),
        is_idle: cpu.is_idle,
        is_open: true,
    }
}

/// How a case ended (balanced, in vain, moved, by force), and what it hung on.
#[derive(Debug, Default)]
struct Tally {
    ends: [usize; 4],
    /// A delayed task moved, under 6.12 and under 6.18.
    delayed_moves: [usize; 2],
    /// It would have ended otherwise if delayed tasks were not refused, or those not owed any time.
    by_delayed: usize,
    by_unowed: usize,
}

/// One balance about to be tried by the CPU `this`.
struct Case {
    cpus: Vec<Cpu>,
    this: usize,
    level: usize,
    sd: Domain,
    idle: Idle,
}

impl Case {
    fn draw(random: &mut Stream, host: Host, is_calm: bool) -> Case {
        let all = [Generation::Linux61, Generation::Linux66, Generation::Linux612, Generation::Linux618];
        let generation = all[draw(random, 4) as usize];
        let mut cpus = snapshot(random, host.cpus(), is_calm);
        if generation.delays() && draw(random, 3) == 0 {
            delay(random, &mut cpus);
        }
        let this = draw(random, cpus.len() as u64) as usize;
        let levels = build_domains(host.sockets, host.llcs_per_socket, host.cores_per_llc, host.threads_per_core, this);
        let level = draw(random, levels.len() as u64) as usize;
        let mut sd = levels[level].clone().of(generation);
        // As a rule none has failed yet.
        sd.failed = (draw(random, 2) * draw(random, 6)) as u32;
        sd.interval_ms = sd.min_interval_ms << draw(random, 2);
        sd.group_imbalance.iter_mut().for_each(|group| *group = draw(random, 9) == 0);
        let idle = match draw(random, 2) {
            _ if !cpus[this].is_idle => Idle::NotIdle,
            0 => Idle::Idle,
            _ => Idle::NewlyIdle,
        };
        Case { cpus, this, level, sd, idle }
    }

    /// What the twin says of it in this domain.
    fn slow(&self, sd: &Domain) -> Outcome {
        load_balance_all(&self.cpus, sd, self.this, self.idle, NOW, true)
    }

    /// Whether the twin says otherwise in this domain; the reasons it gives do not count.
    fn differs(&self, sd: Domain, slow: &Outcome) -> bool {
        Outcome { why: slow.why.clone(), ..self.slow(&sd) } != *slow
    }

    fn count(&self, slow: &Outcome, tally: &mut Tally) {
        tally.ends[match slow.verdict {
            Verdict::Balanced => 0,
            Verdict::Nothing => 1,
            Verdict::Moved(_) => 2,
            Verdict::Active(_) => 3,
        }] += 1;
        let mut waiting = self.cpus.iter().flat_map(|cpu| &cpu.queue);
        let later = usize::from(self.sd.generation == Generation::Linux618);
        if waiting.any(|task| task.is_delayed && slow.moves.iter().any(|&(id, _)| id == task.id)) {
            tally.delayed_moves[later] += 1;
        }
        tally.by_delayed += usize::from(self.differs(Domain { refuses_delayed: false, ..self.sd.clone() }, slow));
        tally.by_unowed += usize::from(self.differs(Domain { refuses_unowed: false, ..self.sd.clone() }, slow));
    }

    /// The policy before the same balance.
    fn policy(&self, host: Host, slow: &Outcome) -> Balance {
        let llc = host.cores_per_llc * host.threads_per_core;
        let domains = Domains::new(host.cpus(), host.threads_per_core, llc, llc * host.llcs_per_socket, 1000);
        let domains = if self.sd.generation == Generation::Linux61 { domains.by_threads() } else { domains };
        let (this, level) = (self.this, self.level);
        let mut balance = Balance::new(domains, (Ns::ZERO, Ns::ZERO), || 0.0);
        balance.generation = match self.sd.generation {
            Generation::Linux61 | Generation::Linux66 => EevdfGeneration::Linux66,
            Generation::Linux612 => EevdfGeneration::Linux612,
            Generation::Linux618 => EevdfGeneration::Linux618,
        };
        let domain = balance.domains.levels[level].clone();
        balance.first = domain.span(this).start;
        balance.cpus = self.cpus[domain.span(this)].iter().map(|cpu| seen(cpu, self.sd.generation)).collect();
        for (group, &is_pinned) in self.sd.groups.iter().zip(&self.sd.group_imbalance) {
            balance.pinned[level][group[0] / domain.group] = is_pinned;
        }
        let above = level + 1;
        if let Some(parent) = balance.domains.levels.get(above) {
            // Told apart: cleared, set, or left alone.
            balance.pinned[above][this / parent.group] = slow.parent_imbalance != Some(true);
        }
        *balance.tried_mut(this, level) = Tried { failed: self.sd.failed, interval: self.sd.interval_ms, last: 0 };
        balance
    }
}

/// What both say.
fn compare(random: &mut Stream, host: Host, number: u64, tally: &mut Tally) {
    let case = Case::draw(random, host, number.is_multiple_of(2));
    let slow = case.slow(&case.sd);
    let (cpus, this, level) = (&case.cpus, case.this, case.level);
    let mut balance = case.policy(host, &slow);
    assert_eq!(balance.domains.levels.get(level + 1).is_some(), case.sd.has_parent, "{host:?}");
    let puller = match case.idle {
        Idle::NotIdle => Puller::Busy,
        Idle::Idle => Puller::Idle,
        Idle::NewlyIdle => Puller::NewlyIdle,
    };
    let queues = Lists { cpus, is_core: balance.domains.levels[level].kind == Kind::Smt };
    let fast = balance.attempt(this, level, puller, &queues);

    let (generation, idle) = (case.sd.generation, case.idle);
    let context =
        format!("case {number} {host:?} {generation:?} cpu {this} level {level} {idle:?}: {slow:?}\n{fast:?}");
    let moves: Vec<(u32, usize)> = fast.moves.iter().map(|&(pid, _, to)| (pid.0, to)).collect();
    assert_eq!(moves, slow.moves, "{context}");
    for &(pid, from, _) in &fast.moves {
        assert!(cpus[from].queue.iter().any(|task| task.id == pid.0), "{context}");
    }
    assert_eq!(!fast.stops, slow.carry_on, "{context}");
    let tried = balance.tried(this, level);
    assert_eq!((tried.failed, tried.interval), (slow.failed, slow.interval_ms), "{context}");
    let forced =
        fast.forced_from.and_then(|from| chosen(queues.after(from, &fast.passed), |pid| queues.allows(pid, this)));
    let expected = if let Verdict::Active(id) = slow.verdict { Some(Pid(id)) } else { None };
    assert_eq!(forced, expected, "{context}");
    if let Some(parent) = balance.domains.levels.get(level + 1) {
        let is_so = balance.pinned[level + 1][this / parent.group];
        assert_eq!(is_so, slow.parent_imbalance.unwrap_or(true), "{context}");
    }
    case.count(&slow, tally);
}

#[test]
fn the_same_moves() {
    let shapes = shapes();
    let mut tally = Tally::default();
    for number in 0..HOSTS {
        let mut random = Stream::new(number, 0, "balance", 0, "moves");
        let host = shapes[draw(&mut random, shapes.len() as u64) as usize];
        // Of one host several CPUs, at several levels and moments.
        for _ in 0..40 {
            compare(&mut random, host, number, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.ends.iter().all(|&n| n > 200), "{tally:?}");
    assert!(tally.delayed_moves.iter().all(|&n| n >= 50), "{tally:?}");
    assert!(tally.by_delayed >= 50 && tally.by_unowed >= 50, "{tally:?}");
}

/// Of two caches in which all CPUs are busy and nobody waits, an idle third takes the first under 6.1, the last since.
#[test]
fn of_busy_groups_the_first_or_the_last() {
    let busy =
        groups::Cpu { running: 1, fair: 1, load: 1024, util: 1024, runnable: 1024, is_idle: false, ..idle_cpu() };
    let cpus: Vec<groups::Cpu> = (0..6).map(|cpu| if cpu < 2 { idle_cpu() } else { busy }).collect();
    let from = |domains: Domains| {
        let view = groups::View { domain: &domains.levels[1], cpus: &cpus, first: 0, puller: Puller::Idle };
        view.imbalance(0, EevdfGeneration::Linux66, |_| false).map(|found| found.from)
    };
    let host = || Domains::new(6, 1, 2, 6, 1000);
    assert_eq!((from(host().by_threads()), from(host())), (Some(2..4), Some(4..6)));
}

fn idle_cpu() -> groups::Cpu {
    let (running, fair, load, util, runnable) = (0, 0, 0, 0, 0);
    groups::Cpu { running, fair, load, util, runnable, capacity: 1024, is_idle: true, is_open: true }
}

/// A busy CPU whose group has room takes from one with two processes more under 6.1, unless each is a socket alone.
#[test]
fn busy_cpus_even_out_counts_under_6_1() {
    let light = |running| groups::Cpu { running, fair: running, util: 100, is_idle: false, ..idle_cpu() };
    let cpus = [light(1), light(0), light(3), light(0)];
    let finds = |domains: Domains, level: usize, cpus: &[groups::Cpu]| {
        let view = groups::View { domain: &domains.levels[level], cpus, first: 0, puller: Puller::Busy };
        view.imbalance(0, EevdfGeneration::Linux66, |_| false).is_some()
    };
    let caches = || Domains::new(4, 1, 2, 4, 1000);
    assert_eq!((finds(caches().by_threads(), 1, &cpus), finds(caches(), 1, &cpus)), (true, false));
    let alone = [light(1), light(4)];
    assert!(!finds(Domains::new(2, 1, 1, 1, 1000).by_threads(), 0, &alone));
}
