//! Balancing by loads and its slow twin, which was written from the kernel's text alone, before it: of 500 random hosts
//! of 2 to 16 CPUs both say who moves, from where, to where, by force or not, in which order who was passed over is
//! looked at again, and what is remembered of it.
mod balance_twin_3_16;

use balance_twin_3_16::domains::{Domain, Host, SHARE_PKG};
use balance_twin_3_16::timing::{interval, nohz_kick_needed, update_cpu_load};
use balance_twin_3_16::{build_domains, load_balance, Cpu, Idle, Task, MIGRATION_COST_NS};
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::balance::active::chosen;
use wwi_model::host::balance::detach::Candidate;
use wwi_model::host::balance::domains::Domains;
use wwi_model::host::balance::groups::{self, Puller};
use wwi_model::host::balance::kick::sends_by_load;
use wwi_model::host::balance::loads::{Loads, Ran};
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

fn domains_of(host: Host) -> Domains {
    Domains::new(host.cpus(), host.threads_per_core, host.per_llc(), host.per_socket(), 1000).by_load()
}

/// CPUs with anything on them. Where `is_calm` everybody weighs as much, may run anywhere and always ran or waited.
fn snapshot(random: &mut Stream, cpus: usize, is_calm: bool) -> Vec<Cpu> {
    let most = 1 + random.below(6);
    let mut id = 0;
    (0..cpus)
        .map(|_| {
            let number = random.below(most + 1).saturating_sub(random.below(3));
            let mut tasks: Vec<(Task, bool)> = (0..number)
                .map(|_| {
                    id += 1;
                    let load = if is_calm { 1024 } else { [15, 512, 1024, 1023, 9548][random.below(5) as usize] };
                    let allowed = (0..cpus).map(|_| is_calm || random.below(4) > 0).collect();
                    (Task { id, load, last_ran_ns: NOW - random.below(2 * MIGRATION_COST_NS), allowed }, false)
                })
                .collect();
            let mut cpu = Cpu { rt_tasks: random.below(8) as usize / 7, rt_power: 1024, ..Cpu::default() };
            // Real time runs before them.
            if cpu.rt_tasks == 0 && number > 0 {
                tasks[random.below(number) as usize].1 = true;
            }
            cpu.tasks = tasks;
            let load = cpu.weighted_cpuload();
            let mut before = || if is_calm { load } else { random.below(2 * load + 1024) };
            // On a tick the first is the present one.
            cpu.cpu_load = [load, before(), before()];
            if !is_calm {
                cpu.rt_power -= random.below(3) * random.below(512);
            }
            cpu
        })
        .collect()
}

struct Lists<'a> {
    cpus: &'a [Cpu],
}

impl Lists<'_> {
    fn task(&self, pid: Pid) -> &Task {
        let mut all = self.cpus.iter().flat_map(|cpu| &cpu.tasks).map(|task| &task.0);
        all.find(|task| task.id == pid.0).expect("it is somewhere")
    }
}

impl Queues for Lists<'_> {
    /// Whose loads are not asked for weighs more than there is to move.
    fn list(&self, cpu: usize, is_weighed: bool) -> Vec<Candidate> {
        let candidate = |(task, is_running): &(Task, bool)| Candidate {
            pid: Pid(task.id),
            load: if is_weighed { task.load } else { 1 << 40 },
            util: 0,
            is_hot: NOW - task.last_ran_ns < MIGRATION_COST_NS,
            is_running: *is_running,
            is_delayed: false,
            is_owed: true,
        };
        self.cpus[cpu].tasks.iter().map(candidate).collect()
    }
    fn current(&self, cpu: usize) -> Option<Pid> {
        self.cpus[cpu].curr().map(|task| Pid(task.id))
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
        fair: cpu.tasks.len() as u32,
        load: cpu.weighted_cpuload(),
        util: 0,
        runnable: 0,
        capacity: cpu.rt_power.max(1),
        is_idle: cpu.is_idle(),
        is_open: true,
    }
}

/// By CPU: its list once who was passed over went to its tail and who moved to the head of his new one.
fn lists(cpus: &[Cpu], passed: &[Pid], moves: &[(Pid, usize, usize)]) -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = cpus.iter().map(|cpu| cpu.tasks.iter().map(|task| task.0.id).collect()).collect();
    for pid in passed {
        let list = lists.iter_mut().find(|list| list.contains(&pid.0)).expect("it is somewhere");
        list.retain(|&id| id != pid.0);
        list.push(pid.0);
    }
    for &(pid, from, to) in moves {
        lists[from].retain(|&id| id != pid.0);
        lists[to].insert(0, pid.0);
    }
    lists
}

fn balance_of(random: &mut Stream, host: Host, (this, level): (usize, usize), sd: &mut Domain) -> Balance {
    let mut balance = Balance::new(domains_of(host), (Ns::ZERO, Ns::ZERO), || 0.0);
    let domain = balance.domains.levels[level].clone();
    assert_eq!((domain.pct, domain.tries), (sd.imbalance_pct, sd.cache_nice_tries), "{host:?}");
    assert_eq!((domain.prefers_siblings, domain.shortest()), (sd.child_prefers, sd.min_interval), "{host:?}");
    sd.failed = random.below(6) as u32;
    sd.interval = sd.min_interval << random.below(2);
    sd.group_imbalance.iter_mut().for_each(|group| *group = random.below(9) == 0);
    *balance.tried_mut(this, level) = Tried { failed: sd.failed, interval: sd.interval, last: 0 };
    for (group, &is_pinned) in sd.groups.iter().zip(&sd.group_imbalance) {
        balance.pinned[level][group[0] / domain.group] = is_pinned;
    }
    balance.first = domain.span(this).start;
    balance
}

/// What both say, and how that ended: balanced, in vain, moved, by force.
fn compare(random: &mut Stream, host: Host, case: u64) -> usize {
    let cpus = snapshot(random, host.cpus(), case.is_multiple_of(2));
    let this = random.below(cpus.len() as u64) as usize;
    let levels = build_domains(&host, this);
    assert_eq!(domains_of(host).levels.len(), levels.len(), "{host:?}");
    let level = random.below(levels.len() as u64) as usize;
    let mut sd = levels[level].clone();
    let mut balance = balance_of(random, host, (this, level), &mut sd);
    let (idle, puller) = match random.below(2) {
        _ if !cpus[this].is_idle() => (Idle::NotIdle, Puller::Busy),
        0 => (Idle::Idle, Puller::Idle),
        _ => (Idle::NewlyIdle, Puller::NewlyIdle),
    };
    let domain = balance.domains.levels[level].clone();
    balance.cpus = cpus[domain.span(this)].iter().map(seen).collect();
    let judged = |cpu: &Cpu| cpu.cpu_load[domain.lately(puller)];
    balance.lately = cpus[domain.span(this)].iter().map(judged).collect();
    let slow = load_balance(&cpus, &sd, this, idle, NOW);
    let above = level + 1;
    let parent = balance.domains.levels.get(above).map(|parent| this / parent.group);
    if let Some(group) = parent {
        // Told apart: cleared, set, or left alone.
        balance.pinned[above][group] = slow.parent_imbalance != Some(true);
    }
    let queues = Lists { cpus: &cpus };
    let fast = balance.attempt(this, level, puller, &queues);

    let context = || format!("case {case} {host:?} cpu {this} level {level} {idle:?}: {slow:?}\n{fast:?}\n{cpus:?}");
    let moves: Vec<(u32, usize)> = fast.moves.iter().map(|&(pid, _, to)| (pid.0, to)).collect();
    assert_eq!(moves, slow.moves, "{}", context());
    assert_eq!(lists(&cpus, &fast.passed, &fast.moves), slow.lists, "{}", context());
    assert_eq!(!fast.stops, slow.carry_on, "{}", context());
    let tried = balance.tried(this, level);
    assert_eq!((tried.failed, tried.interval), (slow.failed, slow.interval), "{}", context());
    assert_eq!(fast.forced_from.is_some(), slow.is_active, "{}", context());
    let list = |from: usize| {
        let all = queues.list(from, true);
        let one = |&id: &u32| *all.iter().find(|one| one.pid.0 == id).expect("it is there");
        slow.lists[from].iter().map(one).collect::<Vec<_>>()
    };
    let forced = fast.forced_from.and_then(|from| chosen(list(from), |pid| queues.allows(pid, this)));
    assert_eq!(forced, slow.active.map(|active| Pid(active.0)), "{}", context());
    if let Some(group) = parent {
        assert_eq!(balance.pinned[above][group], slow.parent_imbalance.unwrap_or(true), "{}", context());
    }
    match slow {
        _ if slow.is_balanced => 0,
        _ if !slow.moves.is_empty() => 2,
        _ if slow.is_active => 3,
        _ => 1,
    }
}

#[test]
fn the_same_moves() {
    let shapes = shapes();
    let mut seen = [0; 4];
    for case in 0..HOSTS {
        let mut random = Stream::new(case, 0, "balance", 0, "moves by load");
        let host = shapes[random.below(shapes.len() as u64) as usize];
        // Of one host several CPUs, at several levels and moments.
        for _ in 0..40 {
            seen[compare(&mut random, host, case)] += 1;
        }
    }
    println!("{seen:?}");
    assert!(seen.iter().all(|&n| n > 200), "{seen:?}");
}

#[test]
fn the_same_ticks_and_the_same_calls() {
    let shapes = shapes();
    for case in 0..HOSTS {
        let mut random = Stream::new(case, 0, "balance", 0, "calls");
        let host = shapes[random.below(shapes.len() as u64) as usize];
        let domains = domains_of(host);
        let cpus = snapshot(&mut random, host.cpus(), true);
        for cpu in (0..cpus.len()).filter(|&cpu| !cpus[cpu].is_idle()) {
            let levels = build_domains(&host, cpu);
            let busy = |group: std::ops::Range<usize>| cpus[group].iter().filter(|cpu| !cpu.is_idle()).count();
            let running = cpus[cpu].nr_running() as usize;
            let calls = sends_by_load(running, &domains.levels, cpu, busy);
            assert_eq!(calls, nohz_kick_needed(&levels, &cpus, cpu), "{host:?} {cpu} {cpus:?}");
            assert!(levels.iter().zip(&domains.levels).all(|(sd, d)| d.shares_cache() == (sd.flags & SHARE_PKG != 0)));
        }
        let (ms, is_busy) = (1 + random.below(600), random.below(2) == 0);
        assert_eq!(domains.ticks(ms, is_busy), interval(ms, is_busy, 1000, cpus.len() as u64));
    }
}

/// Processes of a CPU come and go; the kernel averages in whole numbers, and rounds up while a load grows.
#[test]
fn the_same_averages_over_ticks() {
    let mut worst = 0;
    for case in 0..50 {
        let mut random = Stream::new(case, 0, "balance", 0, "ticks");
        let tick = Ns::from_ms(1.0);
        let mut loads = Loads::new(1);
        loads.keep_ticks(tick, Ns::ZERO, (0, 0, 0));
        let mut slow = [0; 3];
        let (mut now, mut there) = (Ns::ZERO, [false; 6]);
        for _ in 0..200 {
            let next = now.plus(Ns(random.below(8_000_000)));
            let mut at = now.next_tick(tick);
            while at <= next {
                let load = loads.lately(0, at, |_, _, own| own);
                update_cpu_load(&mut slow, load[0]);
                for (fast, slow) in load.into_iter().zip(slow) {
                    worst = worst.max(fast.abs_diff(slow));
                }
                at = at.next_tick(tick);
            }
            now = next;
            let of = |pid: usize| if there[pid] { loads.of(Pid(pid as u32), now, 0, |_, _, own| own).0 } else { 0 };
            let there_load: u64 = (0..6).map(of).sum();
            assert!(loads.lately(0, now, |_, _, own| own)[0].abs_diff(there_load) <= 6, "those who run or wait");
            let pid = random.below(6) as usize;
            there[pid] = !there[pid];
            if there[pid] {
                loads.wake(0, (Pid(pid as u32), 0), (1024, None), now, |_| Ran::default());
            } else {
                loads.block((Pid(pid as u32), 0), false, (now, now), |_| Ran::default());
            }
        }
    }
    println!("apart by {worst}");
    assert!(worst <= 4, "{worst}");
}
