//! The policy and its slow twin, which was written from the kernel's text alone: of 500 random hosts of 2 to 16 CPUs
//! both say who moves, from where, to where, by force or not, and what is remembered of it.
mod balance_twin;

use balance_twin::domains::Host;
use balance_twin::{build_domains, load_balance_all, Cpu, Idle, Task, Verdict, MIGRATION_COST_NS};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::balance::active::chosen;
use wwi_model::host::balance::detach::Candidate;
use wwi_model::host::balance::domains::{Domains, Kind};
use wwi_model::host::balance::groups::{self, Puller};
use wwi_model::host::balance::{Balance, Queues, Tried};
use wwi_model::ids::Pid;

const HOSTS: u64 = 500;
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
                    (Task { id, weight: load, load, util, last_ran_ns, allowed }, false)
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
}

fn seen(cpu: &Cpu) -> groups::Cpu {
    groups::Cpu {
        running: cpu.nr_running() as u32,
        fair: cpu.h_nr_running() as u32,
        load: cpu.load,
        util: cpu.util,
        runnable: cpu.runnable,
        capacity: cpu.capacity_of(),
        is_idle: cpu.is_idle,
        is_open: true,
    }
}

/// What both say, and how that ended: balanced, in vain, moved, by force.
fn compare(random: &mut Stream, host: Host, case: u64) -> usize {
    let cpus = snapshot(random, host.cpus(), case.is_multiple_of(2));
    let this = draw(random, cpus.len() as u64) as usize;
    let levels = build_domains(host.sockets, host.llcs_per_socket, host.cores_per_llc, host.threads_per_core, this);
    let llc = host.cores_per_llc * host.threads_per_core;
    let domains = Domains::new(host.cpus(), host.threads_per_core, llc, llc * host.llcs_per_socket, 1000);
    assert_eq!(domains.levels.len(), levels.len(), "{host:?}");
    let level = draw(random, levels.len() as u64) as usize;
    let mut sd = levels[level].clone();
    sd.failed = draw(random, 6) as u32;
    sd.interval_ms = sd.min_interval_ms << draw(random, 2);
    sd.group_imbalance.iter_mut().for_each(|group| *group = draw(random, 9) == 0);
    let (idle, puller) = match draw(random, 2) {
        _ if !cpus[this].is_idle => (Idle::NotIdle, Puller::Busy),
        0 => (Idle::Idle, Puller::Idle),
        _ => (Idle::NewlyIdle, Puller::NewlyIdle),
    };
    let slow = load_balance_all(&cpus, &sd, this, idle, NOW, true);

    let mut balance = Balance::new(domains, (Ns::ZERO, Ns::ZERO), || 0.0);
    let domain = balance.domains.levels[level].clone();
    balance.first = domain.span(this).start;
    balance.cpus = cpus[domain.span(this)].iter().map(seen).collect();
    for (group, &is_pinned) in sd.groups.iter().zip(&sd.group_imbalance) {
        balance.pinned[level][group[0] / domain.group] = is_pinned;
    }
    let above = level + 1;
    if let Some(parent) = balance.domains.levels.get(above) {
        // Told apart: cleared, set, or left alone.
        balance.pinned[above][this / parent.group] = slow.parent_imbalance != Some(true);
    }
    *balance.tried_mut(this, level) = Tried { failed: sd.failed, interval: sd.interval_ms, last: 0 };
    let queues = Lists { cpus: &cpus, is_core: domain.kind == Kind::Smt };
    let fast = balance.attempt(this, level, puller, &queues);

    let context = format!("case {case} {host:?} cpu {this} level {level} {idle:?}: {slow:?}\n{fast:?}");
    let moves: Vec<(u32, usize)> = fast.moves.iter().map(|&(pid, _, to)| (pid.0, to)).collect();
    assert_eq!(moves, slow.moves, "{context}");
    for &(pid, from, _) in &fast.moves {
        assert!(cpus[from].queue.iter().any(|task| task.id == pid.0), "{context}");
    }
    assert_eq!(!fast.stops, slow.carry_on, "{context}");
    let tried = balance.tried(this, level);
    assert_eq!((tried.failed, tried.interval), (slow.failed, slow.interval_ms), "{context}");
    let forced = fast.forced_from.and_then(|from| chosen(queues.list(from, false), |pid| queues.allows(pid, this)));
    let expected = if let Verdict::Active(id) = slow.verdict { Some(Pid(id)) } else { None };
    assert_eq!(forced, expected, "{context}");
    if let Some(parent) = balance.domains.levels.get(above) {
        let is_so = balance.pinned[above][this / parent.group];
        assert_eq!(is_so, slow.parent_imbalance.unwrap_or(true), "{context}");
    }
    match slow.verdict {
        Verdict::Balanced => 0,
        Verdict::Nothing => 1,
        Verdict::Moved(_) => 2,
        Verdict::Active(_) => 3,
    }
}

#[test]
fn the_same_moves() {
    let shapes = shapes();
    let mut seen = [0; 4];
    for case in 0..HOSTS {
        let mut random = Stream::new(case, 0, "balance", 0, "moves");
        let host = shapes[draw(&mut random, shapes.len() as u64) as usize];
        // Of one host several CPUs, at several levels and moments.
        for _ in 0..40 {
            seen[compare(&mut random, host, case)] += 1;
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}
