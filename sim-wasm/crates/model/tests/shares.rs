//! The weight of a control group on each CPU beside a naive twin, from `calc_group_shares` and `update_tg_load_avg` in
//! `kernel/sched/fair.c`, and cases worked by hand.
#[path = "shares_twin/presence.rs"]
mod presence;
#[path = "shares_twin/presence_worked.rs"]
mod presence_worked;
#[path = "shares_twin/worked.rs"]
mod worked;

use std::collections::BTreeSet;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::shares::{Own, Rule, Shares};

/// What one process at nice 0 weighs, and a group of `cpu.weight` 100 in the finer unit.
const ONE: u64 = 1024;
const GROUP: u64 = 1024 * 1024;
/// Half of an average is gone after this (`LOAD_AVG_PERIOD` times 1024 times 1024 ns).
const HALF_LIFE: f64 = 33_554_432.0;
const MS: u64 = 1_000_000;
/// Averages are divided anew when one of these has begun (1024 times 1024 ns).
const PERIOD: u64 = 1024 * 1024;
/// After this all CPUs are asked, as balancing does (`update_blocked_averages`).
const ASKED: u64 = 32 * MS;

/// A process: its past in full.
#[derive(Clone)]
struct Process {
    weight: u64,
    /// When it was attached first, with the average of one that was always queued.
    born: u64,
    /// Since when it is queued, or not.
    past: Vec<(u64, bool)>,
    /// The CPU that counts it: where it was queued last.
    home: usize,
}

impl Process {
    fn is_queued(&self) -> bool {
        self.past.last().is_some_and(|p| p.1)
    }
    /// `se->avg.load_avg`: each stretch of the past counts with what it has lost since.
    fn average(&self, now: u64) -> f64 {
        let kept = |since: u64| (-((now - since) as f64) / HALF_LIFE).exp2();
        let ends = self.past.iter().skip(1).map(|p| p.0).chain([now]);
        let queued = self.past.iter().zip(ends).filter(|(p, _)| p.1).map(|(p, end)| kept(end) - kept(p.0));
        self.weight as f64 * (kept(self.born) + queued.sum::<f64>())
    }
}

/// What a CPU told its group last, and when: `tg_load_avg_contrib` and `last_update_tg_load_avg`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    load: u64,
    since: u64,
    /// By how much more than one it may be off: who came or went since it was divided.
    moved: u64,
}

/// What is read at a CPU, and the CPU as its group knows it; and all that it may have told, had a decision that a
/// little more or less would turn been the other.
#[derive(Clone)]
struct Cpu {
    /// `avg.load_avg` of the group's queue: as it was divided last, and who came or went since.
    read: u64,
    /// The period in which it was divided last.
    period: u64,
    /// How many came or went since: each is rounded.
    moved: u64,
    /// One that slept here woke elsewhere (`removed.nr`): the next update tells, also within a period.
    has_lost: bool,
    told: Told,
    perhaps: BTreeSet<Told>,
    rule: Rule,
}

impl Cpu {
    fn new(rule: Rule) -> Self {
        let told = Told::default();
        Cpu { read: 0, period: 0, moved: 0, has_lost: false, told, perhaps: BTreeSet::from([told]), rule }
    }
    /// `update_tg_load_avg`.
    fn tell(&mut self, now: u64) {
        let new = Told { load: self.read, since: now, moved: self.moved };
        // Whether it tells, and whether it may do the other.
        let decide = |told: Told| {
            // `__update_cfs_rq_tg_load_contrib` of 3.14.
            let least = told.load / if self.rule == Rule::Linux314 { 8 } else { 64 };
            let changed = new.load.abs_diff(told.load);
            let is_free = now - told.since >= if self.rule == Rule::Linux67 { MS } else { 0 };
            // A fraction that is rounded, and the table of what fades is right within 0.01 %.
            let by = 1 + new.moved + told.moved + new.load / 10_000;
            (is_free && changed > least, is_free && changed.abs_diff(least) <= by)
        };
        let after = |told: Told| {
            let (tells, is_doubtful) = decide(told);
            [(told, !tells || is_doubtful), (new, tells || is_doubtful)].into_iter().filter(|o| o.1).map(|o| o.0)
        };
        self.perhaps = self.perhaps.iter().copied().flat_map(after).collect();
        if decide(self.told).0 {
            self.told = new;
        }
    }
}

struct Naive {
    weight: u64,
    rule: Rule,
    cpus: Vec<Cpu>,
    processes: Vec<Process>,
    asked: u64,
}

impl Naive {
    fn new(weight: u64, cpus: usize, rule: Rule) -> Self {
        Naive { weight, rule, cpus: vec![Cpu::new(rule); cpus], processes: Vec::new(), asked: 0 }
    }
    fn at(&self, cpu: usize) -> impl Iterator<Item = &Process> {
        self.processes.iter().filter(move |process| process.home == cpu)
    }
    /// `load.weight` of the group's queue.
    fn queued(&self, at: usize) -> u64 {
        self.at(at).filter(|process| process.is_queued()).map(|process| process.weight).sum()
    }
    /// `load_sum` of it by the most there can be at that moment, a whole number.
    fn average(&self, at: usize, now: u64) -> u64 {
        self.at(at).map(|process| process.average(now)).sum::<f64>() as u64
    }
    /// `update_cfs_rq_load_avg`: divides anew if a period has begun since the update before, and says if so.
    fn has_decayed(&mut self, at: usize, now: u64) -> bool {
        let has_begun = now / PERIOD != self.cpus[at].period;
        if has_begun {
            let read = self.average(at, now);
            let cpu = &mut self.cpus[at];
            (cpu.read, cpu.period, cpu.moved) = (read, now / PERIOD, 0);
        }
        has_begun | std::mem::take(&mut self.cpus[at].has_lost)
    }
    /// `update_load_avg`, where nobody comes or goes.
    fn update(&mut self, at: usize, now: u64) {
        if self.has_decayed(at, now) {
            self.cpus[at].tell(now);
        }
    }
    /// `attach_entity_load_avg`.
    fn attach(&mut self, process: usize, to: usize, now: u64) {
        self.has_decayed(to, now);
        self.cpus[to].read += self.processes[process].average(now) as u64;
        self.cpus[to].moved += 1;
        self.processes[process].home = to;
        self.cpus[to].tell(now);
    }
    /// `dequeue_load_avg`. The CPU it is taken off.
    fn detach(&mut self, process: usize, now: u64) -> usize {
        let from = self.processes[process].home;
        self.has_decayed(from, now);
        let own = self.processes[process].average(now) as u64;
        self.cpus[from].read = self.cpus[from].read.saturating_sub(own);
        self.cpus[from].moved += 1;
        self.processes[process].home = usize::MAX;
        from
    }
    /// A new process is queued.
    fn start(&mut self, weight: u64, home: usize, now: u64) {
        self.processes.push(Process { weight, born: now, past: vec![(now, true)], home: usize::MAX });
        self.attach(self.processes.len() - 1, home, now);
    }
    /// `enqueue_entity`: elsewhere than before it is attached there and taken off there (`remove_entity_load_avg`).
    fn wake(&mut self, process: usize, to: usize, now: u64) {
        if self.processes[process].home == to {
            self.update(to, now);
        } else {
            let from = self.detach(process, now);
            self.cpus[from].has_lost = true;
            self.attach(process, to, now);
        }
        self.processes[process].past.push((now, true));
    }
    /// `dequeue_entity` of one that sleeps: it still counts where it was.
    fn sleep(&mut self, process: usize, now: u64) {
        self.update(self.processes[process].home, now);
        self.processes[process].past.push((now, false));
    }
    /// `detach_task`, `attach_task`: both CPUs tell what they have then.
    fn shift(&mut self, process: usize, to: usize, now: u64) {
        let from = self.detach(process, now);
        self.cpus[from].tell(now);
        self.attach(process, to, now);
    }
    /// `calc_group_shares`.
    fn of(&mut self, at: usize, now: u64) -> u64 {
        self.ask(at, now);
        let (load, others) = self.loads(at);
        self.share(load, others)
    }
    fn ask(&mut self, at: usize, now: u64) {
        self.update(at, now);
        if now - self.asked >= ASKED {
            self.asked = now;
            (0..self.cpus.len()).for_each(|cpu| self.update(cpu, now));
        }
    }
    /// Of a CPU, and what the group knows of the others.
    fn loads(&self, at: usize) -> (u64, u64) {
        let others = self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| c.1.told.load).sum();
        (self.load(self.cpus[at].read, at), others)
    }
    /// `calc_cfs_shares` of 3.14 takes who is queued.
    fn load(&self, read: u64, at: usize) -> u64 {
        let queued = self.queued(at);
        if self.rule == Rule::Linux314 {
            queued
        } else {
            read.max(queued)
        }
    }
    fn share(&self, load: u64, others: u64) -> u64 {
        (self.weight * load / (load + others)).clamp(2, self.weight)
    }
    /// Within half a percent, or what one more or less in the average of each CPU would make, and one for each that
    /// came or went since it was divided: whole numbers may be rounded on the way.
    fn is_near(&self, told: u64, at: usize) -> bool {
        let (read, off) = (self.cpus[at].read, 1 + self.cpus[at].moved);
        let load = |read: u64| self.load(read, at);
        let others = || self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| c.1.perhaps.iter());
        let most: u64 = others().filter_map(|told| told.map(|t| t.load + 1 + t.moved).max()).sum();
        let least: u64 = others().filter_map(|told| told.map(|t| t.load.saturating_sub(1 + t.moved)).min()).sum();
        let (low, high) = (self.share(load(read.saturating_sub(off)), most), self.share(load(read + off), least));
        (low * 995 / 1000..=high * 1005 / 1000).contains(&told)
    }
}

/// A list of random changes and questions.
fn list(seed: u64) -> Result<(), String> {
    let mut random = Stream::new(seed, 0, "shares", 0, "changes");
    let cpus = 1 + seed as usize % 8;
    let weight = [GROUP, 3 * GROUP, GROUP * 7 / 100, GROUP / 100, 100 * GROUP][seed as usize / 8 % 5];
    let rule = [Rule::Linux67, Rule::Linux61, Rule::Linux314][seed as usize % 3];
    let (mut shares, mut naive) = (Shares::new(weight, cpus, rule), Naive::new(weight, cpus, rule));
    let mut own: Vec<Own> = Vec::new();
    let mut now = 0;
    for _ in 0..400 {
        now += [0, random.below(300_000), random.below(5 * MS), random.below(60 * MS)][random.below(4) as usize];
        let to = random.below(cpus as u64) as usize;
        let of = random.below(own.len() as u64 + 1) as usize;
        match naive.processes.get(of).map(|process| (process.home, process.is_queued(), random.below(3))) {
            None if own.len() < 12 => {
                let of = [15, 335, ONE, 3121, 9548][random.below(5) as usize];
                own.push(Own::new(of));
                shares.add(own.last_mut().expect("pushed"), to, Ns(now));
                naive.start(of, to, now);
            }
            Some((_, false, _)) => {
                shares.add(&mut own[of], to, Ns(now));
                naive.wake(of, to, now);
            }
            Some((home, true, 0)) if home != to => {
                shares.remove(&mut own[of], home, true, Ns(now));
                shares.add(&mut own[of], to, Ns(now));
                naive.shift(of, to, now);
            }
            Some((home, true, 1)) => {
                shares.remove(&mut own[of], home, false, Ns(now));
                naive.sleep(of, now);
            }
            _ => {}
        }
        let at = random.below(cpus as u64) as usize;
        if naive.queued(at) > 0 {
            let (fast, slow) = (shares.of(at, Ns(now)), naive.of(at, now));
            if !naive.is_near(fast, at) {
                return Err(format!("seed {seed} at {now}: CPU {at} of {cpus}: {fast} instead of {slow}"));
            }
        }
    }
    Ok(())
}

#[test]
fn weights_are_those_of_the_naive_twin() {
    let wrong: Vec<String> = (0..500).filter_map(|seed| list(seed).err()).collect();
    assert!(wrong.is_empty(), "{} lists\n{}", wrong.len(), wrong[..wrong.len().min(10)].join("\n"));
}

/// One process at nice 0 on each of some CPUs from the start, asked each ms until a moment.
fn hogs(cpus: usize, on: &[usize], until: u64) -> Shares {
    let mut shares = Shares::new(GROUP, cpus, Rule::Linux67);
    on.iter().for_each(|&at| shares.add(&mut Own::new(ONE), at, Ns(0)));
    for ms in 1..=until {
        on.iter().for_each(|&at| {
            shares.of(at, Ns(ms * MS));
        });
    }
    shares
}

fn near(told: u64, expected: f64, by: f64) {
    assert!((told as f64 - expected).abs() <= expected * by, "{told} instead of {expected}");
}

/// 1024 of 1024 + 1024. What is known of the other CPU may lack a 64th of 1024.
#[test]
fn steady_hogs_on_two_cpus_share_half_and_half() {
    let mut shares = hogs(2, &[0, 1], 1000);
    near(shares.of(0, Ns(1000 * MS)), GROUP as f64 / 2.0, 0.01);
    near(shares.of(1, Ns(1000 * MS)), GROUP as f64 / 2.0, 0.01);
    let mut shares = hogs(8, &[0, 2, 5, 7], 1000);
    near(shares.of(5, Ns(1000 * MS)), GROUP as f64 / 4.0, 0.02);
}

/// 1024 of 1024: also right from the start, and with no average to speak of yet.
#[test]
fn alone_on_one_cpu_it_has_the_whole_weight() {
    let mut shares = Shares::new(GROUP, 4, Rule::Linux67);
    shares.add(&mut Own::new(ONE), 2, Ns(5));
    assert_eq!(shares.of(2, Ns(5)), GROUP);
    assert_eq!(hogs(1, &[0], 1000).of(0, Ns(1000 * MS)), GROUP);
    assert_eq!(hogs(4, &[3], 1000).of(3, Ns(1000 * MS)), GROUP);
    let mut light = Shares::new(GROUP * 7 / 100, 4, Rule::Linux67);
    light.add(&mut Own::new(15), 0, Ns(0));
    assert_eq!(light.of(0, Ns(MS)), GROUP * 7 / 100);
}

/// Two hogs, one a CPU for a second, and the first of them.
fn pair() -> (Shares, Own) {
    let (mut shares, mut first, mut second) = (Shares::new(GROUP, 2, Rule::Linux67), Own::new(ONE), Own::new(ONE));
    shares.add(&mut first, 0, Ns(0));
    shares.add(&mut second, 1, Ns(0));
    for ms in 1..=1000 {
        shares.of(0, Ns(ms * MS));
        shares.of(1, Ns(ms * MS));
    }
    (shares, first)
}

/// After a half-life (32 periods of 1024 times 1024 ns) 512 of 1024 are left where it sleeps: 1024 of 1024 + 512 are
/// two thirds for the CPU with the other hog. After another: 1024 of 1024 + 256, four fifths.
#[test]
fn what_sleeps_fades_by_half_in_32_periods() {
    let half_life = 32 * 1024 * 1024;
    let (mut shares, mut first) = pair();
    shares.remove(&mut first, 0, false, Ns(1000 * MS));
    let of = shares.of(1, Ns(1000 * MS + half_life));
    near(of, GROUP as f64 * 2.0 / 3.0, 0.01);
    let of = shares.of(1, Ns(1000 * MS + 2 * half_life));
    near(of, GROUP as f64 * 4.0 / 5.0, 0.01);
}

/// And where it was, it counts as before when it comes back at once: the average then is more than what is queued, or
/// as much.
#[test]
fn a_short_absence_changes_nothing() {
    let (mut shares, mut first) = pair();
    let before = shares.of(0, Ns(1000 * MS));
    shares.remove(&mut first, 0, false, Ns(1000 * MS));
    shares.add(&mut first, 0, Ns(1000 * MS + 100_000));
    near(shares.of(0, Ns(1000 * MS + 100_000)), before as f64, 0.005);
    near(shares.of(1, Ns(1000 * MS + 100_000)), before as f64, 0.01);
}
