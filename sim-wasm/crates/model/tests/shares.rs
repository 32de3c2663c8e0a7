//! The weight of a control group on each CPU beside a naive twin, from `calc_group_shares` and `update_tg_load_avg` in
//! `kernel/sched/fair.c`, and cases worked by hand.
#[path = "shares_twin/presence.rs"]
mod presence;
#[path = "shares_twin/presence_worked.rs"]
mod presence_worked;

use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::shares::{Own, Shares};

/// What one process at nice 0 weighs, and a group of `cpu.weight` 100 in the finer unit.
const ONE: u64 = 1024;
const GROUP: u64 = 1024 * 1024;
/// Half of an average is gone after this (`LOAD_AVG_PERIOD` times 1024 times 1024 ns).
const HALF_LIFE: f64 = 33_554_432.0;
const MS: u64 = 1_000_000;
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

/// A CPU as its group knows it: `tg_load_avg_contrib` and `last_update_tg_load_avg`; and the same, had the last
/// decision that a little more or less would turn been the other.
#[derive(Clone, Copy, Default)]
struct Cpu {
    told: (u64, u64),
    perhaps: (u64, u64),
}

impl Cpu {
    /// `update_tg_load_avg`.
    fn tell(&mut self, average: u64, now: u64) {
        // A fraction that is rounded, and the table of what fades is right within 0.01 %.
        let by = 1 + average / 10_000;
        let after = |(told, since): (u64, u64)| {
            let least = told / 64;
            let changed = average.abs_diff(told);
            let is_free = now - since >= MS;
            let told = if is_free && changed > least { (average, now) } else { (told, since) };
            (told, is_free && changed.abs_diff(least) <= by)
        };
        let is_certain = self.told == self.perhaps;
        let (before, (told, is_doubtful)) = (self.told, after(self.told));
        self.told = told;
        self.perhaps = match (is_certain, is_doubtful) {
            (true, true) if told == before => (average, now),
            (true, true) => before,
            (true, false) => told,
            (false, _) => after(self.perhaps).0,
        };
    }
}

struct Naive {
    weight: u64,
    cpus: Vec<Cpu>,
    processes: Vec<Process>,
    asked: u64,
}

impl Naive {
    fn new(weight: u64, cpus: usize) -> Self {
        Naive { weight, cpus: vec![Cpu::default(); cpus], processes: Vec::new(), asked: 0 }
    }
    fn at(&self, cpu: usize) -> impl Iterator<Item = &Process> {
        self.processes.iter().filter(move |process| process.home == cpu)
    }
    /// `load.weight` of the group's queue.
    fn queued(&self, at: usize) -> u64 {
        self.at(at).filter(|process| process.is_queued()).map(|process| process.weight).sum()
    }
    /// `load_avg` of it, a whole number.
    fn average(&self, at: usize, now: u64) -> u64 {
        self.at(at).map(|process| process.average(now)).sum::<f64>() as u64
    }
    fn tell(&mut self, at: usize, now: u64) {
        let average = self.average(at, now);
        self.cpus[at].tell(average, now);
    }
    /// A new process is queued.
    fn start(&mut self, weight: u64, home: usize, now: u64) {
        self.processes.push(Process { weight, born: now, past: vec![(now, true)], home });
        self.tell(home, now);
    }
    /// `enqueue_entity`: elsewhere than before it is attached there and taken off there.
    fn wake(&mut self, process: usize, to: usize, now: u64) {
        self.processes[process].past.push((now, true));
        self.processes[process].home = to;
        self.tell(to, now);
    }
    /// `dequeue_entity` of one that sleeps: it still counts where it was.
    fn sleep(&mut self, process: usize, now: u64) {
        self.processes[process].past.push((now, false));
        self.tell(self.processes[process].home, now);
    }
    /// `detach_task`, `attach_task`: both CPUs tell what they have then.
    fn shift(&mut self, process: usize, to: usize, now: u64) {
        let from = std::mem::replace(&mut self.processes[process].home, usize::MAX);
        self.tell(from, now);
        self.processes[process].home = to;
        self.tell(to, now);
    }
    /// `calc_group_shares`.
    fn of(&mut self, at: usize, now: u64) -> u64 {
        self.ask(at, now);
        let (load, others) = self.loads(at, now);
        self.share(load, others)
    }
    fn ask(&mut self, at: usize, now: u64) {
        self.tell(at, now);
        if now - self.asked >= ASKED {
            self.asked = now;
            (0..self.cpus.len()).for_each(|cpu| self.tell(cpu, now));
        }
    }
    /// Of a CPU, and what the group knows of the others.
    fn loads(&self, at: usize, now: u64) -> (u64, u64) {
        let others = self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| c.1.told.0).sum();
        (self.average(at, now).max(self.queued(at)), others)
    }
    fn share(&self, load: u64, others: u64) -> u64 {
        (self.weight * load / (load + others)).clamp(2, self.weight)
    }
    /// Within half a percent, or what one more or less in the average of each CPU would make: whole numbers may be
    /// rounded on the way.
    fn is_near(&self, told: u64, at: usize, now: u64) -> bool {
        let (load, _) = self.loads(at, now);
        let others = || self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| (c.1.told.0, c.1.perhaps.0));
        let most: u64 = others().map(|(told, perhaps)| told.max(perhaps) + 1).sum();
        let least: u64 = others().map(|(told, perhaps)| told.min(perhaps).saturating_sub(1)).sum();
        let (low, high) = (self.share(load - 1, most), self.share(load + 1, least));
        (low * 995 / 1000..=high * 1005 / 1000).contains(&told)
    }
}

/// A list of random changes and questions.
fn list(seed: u64) -> Result<(), String> {
    let mut random = Stream::new(seed, 0, "shares", 0, "changes");
    let cpus = 1 + seed as usize % 8;
    let weight = [GROUP, 3 * GROUP, GROUP * 7 / 100, GROUP / 100, 100 * GROUP][seed as usize / 8 % 5];
    let (mut shares, mut naive) = (Shares::new(weight, cpus), Naive::new(weight, cpus));
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
            if !naive.is_near(fast, at, now) {
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
    let mut shares = Shares::new(GROUP, cpus);
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
    let mut shares = Shares::new(GROUP, 4);
    shares.add(&mut Own::new(ONE), 2, Ns(5));
    assert_eq!(shares.of(2, Ns(5)), GROUP);
    assert_eq!(hogs(1, &[0], 1000).of(0, Ns(1000 * MS)), GROUP);
    assert_eq!(hogs(4, &[3], 1000).of(3, Ns(1000 * MS)), GROUP);
    let mut light = Shares::new(GROUP * 7 / 100, 4);
    light.add(&mut Own::new(15), 0, Ns(0));
    assert_eq!(light.of(0, Ns(MS)), GROUP * 7 / 100);
}

/// Two hogs, one a CPU for a second, and the first of them.
fn pair() -> (Shares, Own) {
    let (mut shares, mut first, mut second) = (Shares::new(GROUP, 2), Own::new(ONE), Own::new(ONE));
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

/// All of the load is where both are now: 2048 of 2048, at once.
#[test]
fn who_is_moved_takes_the_load_along() {
    let (mut shares, mut first) = pair();
    shares.remove(&mut first, 0, true, Ns(1000 * MS + 1));
    shares.add(&mut first, 1, Ns(1000 * MS + 1));
    assert_eq!(shares.of(1, Ns(1000 * MS + 1)), GROUP);
}

/// One that slept for a half-life brings 512 with it: on its new CPU it weighs 1024, what is queued, of 1024 + 1024;
/// asleep again at once it leaves 1536 there, of which the group hears after 1 ms.
#[test]
fn who_wakes_elsewhere_brings_what_is_left_of_the_load() {
    let half_life = 32 * 1024 * 1024;
    let (mut shares, mut first) = pair();
    shares.remove(&mut first, 0, false, Ns(1000 * MS));
    let now = 1000 * MS + half_life;
    shares.add(&mut first, 1, Ns(now));
    shares.remove(&mut first, 1, false, Ns(now));
    let mut third = Own::new(ONE);
    shares.add(&mut third, 0, Ns(now + MS));
    // Beside 1024 and no blocked load on the first CPU: 1024 + 512 on the second.
    near(shares.of(0, Ns(now + MS)), GROUP as f64 * 1024.0 / (1024.0 + 1536.0), 0.03);
}

/// One at nice 0 and one at nice 5 (335): 1024 and 335 of 1359.
#[test]
fn loads_are_weights_by_nice_value() {
    let mut shares = Shares::new(3 * GROUP, 2);
    shares.add(&mut Own::new(ONE), 0, Ns(0));
    shares.add(&mut Own::new(335), 1, Ns(0));
    for ms in 1..1000 {
        shares.of(0, Ns(ms * MS));
        shares.of(1, Ns(ms * MS));
    }
    near(shares.of(0, Ns(1000 * MS)), 3.0 * GROUP as f64 * 1024.0 / 1359.0, 0.01);
    near(shares.of(1, Ns(1000 * MS)), 3.0 * GROUP as f64 * 335.0 / 1359.0, 0.02);
}

/// MIN_SHARES: fifteen of a load of a million, of the least weight there is.
#[test]
fn no_cpu_has_less_than_two() {
    let mut shares = Shares::new(GROUP / 100, 2);
    (0..100).for_each(|_| shares.add(&mut Own::new(9548), 0, Ns(0)));
    for ms in 1..1000 {
        shares.of(0, Ns(ms * MS));
    }
    shares.add(&mut Own::new(15), 1, Ns(1000 * MS));
    assert_eq!(shares.of(1, Ns(1000 * MS)), 2);
}
