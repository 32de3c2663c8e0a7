//! Where a woken process goes, beside the slow twin that was written from the kernel's text alone: on random hosts both
//! start from the same CPU and find the same idle one.
mod balance_twin;

use balance_twin::wake::{
    record_wakee, search_by_groups, search_by_prop, select_idle_sibling, wake_affine, wake_wide, Llc, Waker,
};
use balance_twin::{Cpu, Task};
use wwi_kernel::bits::Bits;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::config::{NodeConfig, Scheduler};
use wwi_model::host::affine::{Loaded, Pair, Wakings};
use wwi_model::host::balance::loads;
use wwi_model::host::masks::Mask;
use wwi_model::host::placement::{sibling::Known, Idle};
use wwi_model::ids::Pid;
use wwi_model::testing::node;

const HOSTS: u64 = 500;

/// Sockets, caches of one, cores of one, threads of one.
fn shape(random: &mut Stream) -> NodeConfig {
    let mut draw = |of: &[u32]| of[random.below(of.len() as u64) as usize];
    let (cores, caches) = (draw(&[1, 2, 3, 4]), draw(&[1, 2]));
    NodeConfig {
        sockets: draw(&[1, 2]),
        cores_per_socket: cores * caches,
        cores_per_llc: cores,
        threads_per_core: draw(&[1, 2, 4]),
        scheduler: Scheduler::Eevdf,
        ..node()
    }
}

fn cpus(random: &mut Stream, number: usize) -> Vec<Cpu> {
    let busy = random.below(5);
    let task = |id| Task {
        id,
        weight: 1024,
        load: 1024,
        util: 512,
        last_ran_ns: 0,
        allowed: vec![true; number],
        is_delayed: false,
        is_owed: true,
    };
    (0..number)
        .map(|_| {
            let is_busy = random.below(4) < busy;
            let mut cpu = Cpu { load: random.below(3000), rt_util: random.below(900), ..Cpu::default() };
            cpu.running = is_busy.then(|| task(1));
            (0..if is_busy { random.below(3) } else { 0 }).for_each(|id| cpu.queue.push(task(2 + id as u32)));
            cpu.is_idle = !is_busy;
            cpu
        })
        .collect()
}

struct Seen<'a> {
    cpus: &'a [Cpu],
    woken: u64,
    waker: u64,
}

impl Loaded for Seen<'_> {
    fn is_idle(&self, cpu: usize) -> bool {
        self.cpus[cpu].is_idle
    }
    fn runnable(&self, cpu: usize) -> usize {
        self.cpus[cpu].nr_running()
    }
    fn known(&self, cpu: usize) -> loads::Known {
        loads::Known { load: self.cpus[cpu].load, util: 0, runnable: 0, capacity: self.cpus[cpu].capacity_of() }
    }
    fn of_woken(&self) -> u64 {
        self.woken
    }
    fn of_waker(&self) -> u64 {
        self.waker
    }
}

#[test]
fn both_start_from_the_same_cpu() {
    let random = &mut Stream::new(11, 0, "test", 0, "wake");
    let (mut here, mut there) = (0, 0);
    for _ in 0..HOSTS {
        let number = 2 + random.below(7) as usize;
        let cpus = cpus(random, number);
        for _ in 0..20 {
            let [this, prev] = [0, 1].map(|_| random.below(number as u64) as usize);
            let [woken, waker] = [0, 1].map(|_| random.below(1500));
            let (shares_cache, is_sync) = (random.below(2) == 0, random.below(2) == 0);
            let pct = [110, 117][random.below(2) as usize];
            if this == prev {
                continue;
            }
            let expected = wake_affine(&cpus, (this, prev), shares_cache, (woken, waker), pct, is_sync);
            let pair = Pair { here: this, last: prev, shares_cache, is_sync, pct: u64::from(pct) };
            assert_eq!(pair.start(&Seen { cpus: &cpus, woken, waker }), expected, "{pair:?} {cpus:?} {woken} {waker}");
            *if expected == this { &mut here } else { &mut there } += 1;
        }
    }
    assert!(here > 1000 && there > 1000, "{here} {there}");
}

/// The last-level caches of a host that idles.
fn caches(host: &NodeConfig) -> Vec<Llc> {
    let (number, per_cache) = (host.threads(), host.threads_per_cache());
    let core_of: Vec<usize> = (0..number).map(|t| t / host.threads_per_core as usize).collect();
    let span = |first: usize| (first..first + per_cache).collect();
    let llc = |first| Llc { span: span(first), core_of: core_of.clone(), nr_idle_scan: 0, has_idle_cores: true };
    (0..number).step_by(per_cache).map(llc).collect()
}

/// A host in which CPUs become busy and idle, and somebody is woken there now and then.
#[test]
fn both_find_the_same_idle_cpu() {
    let random = &mut Stream::new(12, 0, "test", 0, "wake");
    let mut found = [0; 4];
    for _ in 0..HOSTS {
        let host = shape(random);
        let number = host.threads();
        let (per_cache, per_core) = (host.threads_per_cache(), host.threads_per_core as usize);
        let mut idle = Idle::new(&host);
        let mut llcs = caches(&host);
        let mut cpus = vec![Cpu { is_idle: true, ..Cpu::default() }; number];
        let mut recent = usize::MAX;
        let mut wakings = Wakings::default();
        for _ in 0..60 {
            let flipped = random.below(number as u64) as usize;
            let is_idle = random.below(3) == 0;
            cpus[flipped].is_idle = is_idle;
            idle.set(flipped, is_idle);
            let core = flipped / per_core * per_core..(flipped / per_core + 1) * per_core;
            if is_idle && core.clone().all(|t| cpus[t].is_idle) {
                llcs[flipped / per_cache].has_idle_cores = true;
            }
            let [start, last] = [0, 1].map(|_| random.below(number as u64) as usize);
            let is_bound = random.below(3) == 0;
            let allows: Vec<bool> = (0..number).map(|t| t == start || t == last || !is_bound || t % 3 > 0).collect();
            let looks = random.below(per_cache as u64 + 1);
            let cache = &mut llcs[start / per_cache];
            cache.nr_idle_scan = looks;
            let before = recent;
            let expected = select_idle_sibling(cache, &cpus, &allows, (last, start), &mut recent);
            let mut allowed = Bits::new(number);
            (0..number).for_each(|t| allowed.set(t, allows[t]));
            let known = Known { start, last };
            let own = idle.known(&allowed, known).map(|t| (0, t)).or_else(|| {
                let recent = wakings.replace_recent(Pid(0), last).and_then(|r| idle.recent(&allowed, known, r));
                recent.map(|t| (1, t)).or_else(|| idle.sibling(&allowed, known, looks as usize).map(|t| (2, t)))
            });
            let (how, own) = own.unwrap_or((3, start));
            found[how] += 1;
            assert_eq!(own, expected, "{known:?} {before} {looks} {allows:?} {idle:?}");
        }
    }
    assert!(found.iter().all(|&n| n > 300), "{found:?}");
}

/// As above, from a busy start on, by SIS_PROP and by groups.
#[test]
fn both_find_the_same_idle_cpu_by_the_older_rules() {
    let random = &mut Stream::new(14, 0, "test", 0, "wake");
    let mut found = [[0; 2]; 2];
    for _ in 0..HOSTS {
        let host = shape(random);
        let number = host.threads();
        let (per_cache, per_core) = (host.threads_per_cache(), host.threads_per_core as usize);
        let mut idle = Idle::new(&host);
        let mut llcs = caches(&host);
        let mut cpus = vec![Cpu { is_idle: true, ..Cpu::default() }; number];
        for _ in 0..60 {
            let (flipped, start) = (random.below(number as u64) as usize, random.below(number as u64) as usize);
            for (at, is_idle) in [(flipped, random.below(2) == 0), (start, false)] {
                let becomes_idle = is_idle && !cpus[at].is_idle;
                cpus[at].is_idle = is_idle;
                idle.set(at, is_idle);
                let mut core = at / per_core * per_core..(at / per_core + 1) * per_core;
                llcs[at / per_cache].has_idle_cores |= becomes_idle && core.all(|t| cpus[t].is_idle);
            }
            let (is_bound, odd) = (random.below(3) == 0, random.below(3) as usize);
            let allows: Vec<bool> = (0..number).map(|t| t == start || !is_bound || t % 3 > odd).collect();
            let mut allowed = Bits::new(number);
            (0..number).for_each(|t| allowed.set(t, allows[t]));
            let mask = Mask { allowed, preferred: None };
            let cache = &mut llcs[start / per_cache];
            let expected = search_by_groups(cache, &cpus, &allows, start);
            assert_eq!(idle.one_of_groups(&mask, start), expected, "{start} {allows:?} {idle:?}");
            found[0][usize::from(expected.is_some())] += 1;
            let nr = 1 + random.below(per_cache as u64 + 2);
            let expected = search_by_prop(cache, &cpus, &allows, start, nr);
            assert_eq!(idle.one_of_few(&mask, start, nr as usize), expected, "{start} {nr} {allows:?} {idle:?}");
            found[1][usize::from(expected.is_some())] += 1;
        }
    }
    assert!(found.iter().flatten().all(|&n| n > 2000), "{found:?}");
}

/// A host of one cache with so many cores and threads of each on which these CPUs idle.
fn idle_are(cores: u32, threads: u32, those: &[usize]) -> Idle {
    let host = NodeConfig { cores_per_socket: cores, threads_per_core: threads, scheduler: Scheduler::Cfs, ..node() };
    let mut idle = Idle::new(&host);
    (0..host.threads()).filter(|t| !those.contains(t)).for_each(|t| idle.set(t, false));
    idle
}

fn bits(of: impl IntoIterator<Item = usize>) -> Bits {
    let mut set = Bits::new(8);
    of.into_iter().for_each(|t| set.set(t, true));
    set
}

fn all() -> Mask {
    Mask { allowed: bits(0..8), preferred: None }
}

/// `select_idle_cpu`: "for_each_cpu_wrap(cpu, cpus, target) { if (!--nr) return -1; if (available_idle_cpu(cpu))
/// break; }": of nr = 4 the target is the first, and two others are looked at. `select_idle_core` comes first only on
/// cores of several threads ("if (!static_branch_likely(&sched_smt_present)) return -1").
#[test]
fn a_search_that_counts_to_four_looks_at_two_others() {
    let found = |start, those: &[usize], nr| idle_are(8, 1, those).one_of_few(&all(), start, nr);
    assert_eq!([1, 2, 3].map(|t| found(0, &[t], 4)), [Some(1), Some(2), None]);
    assert_eq!((found(0, &[3], 5), found(0, &[3, 7], 5)), (Some(3), Some(3)));
    assert_eq!((found(6, &[0], 4), found(6, &[1], 4)), (Some(0), None), "round");
    assert_eq!((found(0, &[7], 8), found(0, &[7], 9), found(0, &[7], usize::MAX)), (None, Some(7), Some(7)));
    assert_eq!((found(0, &[1], 1), found(0, &[1], 2), found(0, &[1], 3)), (None, None, Some(1)));
    // "cpumask_and(cpus, sched_domain_span(sd), p->cpus_ptr)": who is not allowed does not count.
    let bound = |nr| idle_are(8, 1, &[1, 5]).one_of_few(&Mask { allowed: bits([0, 3, 5]), preferred: None }, 0, nr);
    assert_eq!((bound(3), bound(4)), (None, Some(5)));
    // Soft affinity's "for_each_cpu_wrap(cpu, sched_domain_span(sd), target)": everybody counts, the preferred count.
    let soft =
        |those: &[usize], nr| idle_are(8, 1, those).one_of_few(&Mask { preferred: Some(bits([5])), ..all() }, 0, nr);
    assert_eq!((soft(&[1, 5], 6), soft(&[1, 5], 7), soft(&[1], 20)), (None, Some(5), None));
}

/// `select_idle_core`, while "test_idle_cores(target, false)"; `select_idle_cpu`; "for_each_cpu(cpu,
/// cpu_smt_mask(target))" of `select_idle_smt`.
#[test]
fn of_cores_of_two_a_whole_one_then_one_of_few_then_the_sibling_of_the_start() {
    let found = |start, those: &[usize], nr| idle_are(4, 2, those).one_of_few(&all(), start, nr);
    assert_eq!(found(0, &[1, 6, 7], 4), Some(6), "a core to itself, though it is beyond the third CPU");
    assert_eq!(found(4, &[0, 1, 2, 3], 4), Some(0), "the next core, round");
    assert_eq!((found(0, &[3, 5, 7], 4), found(0, &[2, 5, 7], 4)), (None, Some(2)), "none is whole");
    assert_eq!(found(1, &[0, 4], 4), Some(0), "1, 2, 3, and then the sibling");
    // Who is bound finds no core and says so; that is seen by all, until one becomes idle.
    let mut idle = idle_are(4, 2, &[6, 7]);
    assert_eq!(idle.one_of_few(&Mask { allowed: bits([0, 1]), preferred: None }, 0, 4), None);
    assert_eq!(idle.one_of_few(&all(), 0, 4), None);
    idle.set(7, false);
    idle.set(7, true);
    assert_eq!(idle.one_of_few(&all(), 0, 4), Some(6));
    let soft =
        |those: &[usize]| idle_are(4, 2, those).one_of_few(&Mask { preferred: Some(bits([6, 7])), ..all() }, 0, 4);
    assert_eq!((soft(&[2, 3, 6, 7]), soft(&[2, 3, 7]), soft(&[1, 7])), (Some(6), Some(2), Some(1)));
}

/// 3.10: "for_each_cpu(i, sched_group_cpus(sg)) { if (i == target || !idle_cpu(i)) goto next; } target =
/// cpumask_first_and(sched_group_cpus(sg), tsk_cpus_allowed(p))", in the cache and then in the core.
#[test]
fn an_idle_thread_of_a_busy_core_is_no_group() {
    let found = |start, those: &[usize]| idle_are(4, 2, those).one_of_groups(&all(), start);
    assert_eq!((found(0, &[3, 5, 7]), found(0, &[1, 5, 7])), (None, Some(1)));
    assert_eq!((found(0, &[1, 6, 7]), found(5, &[0, 1, 2, 3, 4])), (Some(6), Some(0)));
    let bound = idle_are(4, 2, &[2, 3, 6, 7]).one_of_groups(&Mask { allowed: bits([0, 7]), preferred: None }, 0);
    assert_eq!(bound, Some(7));
    let single = |start, those: &[usize]| idle_are(8, 1, those).one_of_groups(&all(), start);
    assert_eq!((single(0, &[7]), single(3, &[2, 6]), single(7, &[2, 6])), (Some(7), Some(6), Some(2)));
}

#[test]
fn both_know_who_wakes_too_many() {
    let random = &mut Stream::new(13, 0, "test", 0, "wake");
    let mut wide = 0;
    for _ in 0..HOSTS {
        let (hz, cpus, processes) = (1000, 1 + random.below(4) as u32, 2 + random.below(12));
        let mut wakings = Wakings::default();
        let mut all = vec![Waker::default(); processes as usize];
        let mut tick = 0;
        for _ in 0..200 {
            tick += random.below(40);
            let [waker, woken] = [0, 1].map(|_| random.below(processes) as u32);
            if waker == woken {
                continue;
            }
            record_wakee(&mut all[waker as usize], woken, tick, hz);
            let flips = |pid: u32| all[pid as usize].wakee_flips;
            let expected = wake_wide(flips(waker), flips(woken), cpus);
            let own = wakings.note((0, Pid(waker)), Pid(woken), cpus, Ns(tick * 1_000_000));
            assert_eq!(own, expected, "{waker} wakes {woken} at {tick}");
            wide += u32::from(expected);
        }
    }
    assert!(wide > 1000, "{wide}");
}
