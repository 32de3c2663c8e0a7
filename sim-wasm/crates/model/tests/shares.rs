//! The weight of a control group on each CPU beside a naive twin, from `calc_group_shares` and `update_tg_load_avg` in
//! `kernel/sched/fair.c`, and cases worked by hand.
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;
use wwi_model::host::shares::Shares;

/// What one process at nice 0 weighs, and a group of `cpu.weight` 100 in the finer unit.
const ONE: u64 = 1024;
const GROUP: u64 = 1024 * 1024;
/// Half of an average is gone after this (`LOAD_AVG_PERIOD` times 1024 times 1024 ns).
const HALF_LIFE: f64 = 33_554_432.0;
const MS: u64 = 1_000_000;
/// After this all CPUs are asked, as balancing does (`update_blocked_averages`).
const ASKED: u64 = 32 * MS;

/// A CPU: its past in full.
#[derive(Clone, Default)]
struct Cpu {
    /// Since when how much is queued.
    past: Vec<(u64, u64)>,
    /// `tg_load_avg_contrib` and `last_update_tg_load_avg`.
    told: (u64, u64),
    /// The same, had a decision that one more or less would turn been the other.
    perhaps: u64,
}

impl Cpu {
    fn queued(&self) -> u64 {
        self.past.last().map_or(0, |p| p.1)
    }
    /// `load_avg`, a whole number: each stretch of the past counts with what it has lost since.
    fn average(&self, now: u64) -> u64 {
        let kept = |since: u64| (-((now - since) as f64) / HALF_LIFE).exp2();
        let ends = self.past.iter().skip(1).map(|p| p.0).chain([now]);
        self.past.iter().zip(ends).map(|(&(start, load), end)| load as f64 * (kept(end) - kept(start))).sum::<f64>()
            as u64
    }
    /// `update_tg_load_avg`.
    fn tell(&mut self, now: u64) {
        if now - self.told.1 < MS {
            return;
        }
        let (average, before) = (self.average(now), self.told.0);
        let (changed, least) = (average.abs_diff(before), before / 64);
        if changed > least {
            self.told = (average, now);
        }
        if changed.abs_diff(least) <= 1 {
            self.perhaps = if changed > least { before } else { average };
        } else if changed > least {
            self.perhaps = average;
        }
    }
}

struct Naive {
    weight: u64,
    cpus: Vec<Cpu>,
    asked: u64,
}

impl Naive {
    fn new(weight: u64, cpus: usize) -> Self {
        Naive { weight, cpus: vec![Cpu::default(); cpus], asked: 0 }
    }
    fn change(&mut self, at: usize, weight: i64, now: u64) {
        self.cpus[at].tell(now);
        let queued = self.cpus[at].queued().checked_add_signed(weight).expect("no less than nothing");
        self.cpus[at].past.push((now, queued));
    }
    /// `calc_group_shares`.
    fn of(&mut self, at: usize, now: u64) -> u64 {
        self.ask(at, now);
        let (load, others) = self.loads(at, now);
        self.share(load, others)
    }
    fn ask(&mut self, at: usize, now: u64) {
        self.cpus[at].tell(now);
        if now - self.asked >= ASKED {
            self.asked = now;
            self.cpus.iter_mut().for_each(|cpu| cpu.tell(now));
        }
    }
    /// Of a CPU, and what the group knows of the others.
    fn loads(&self, at: usize, now: u64) -> (u64, u64) {
        let others = self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| c.1.told.0).sum();
        (self.cpus[at].average(now).max(self.cpus[at].queued()), others)
    }
    fn share(&self, load: u64, others: u64) -> u64 {
        (self.weight * load / (load + others)).clamp(2, self.weight)
    }
    /// Within half a percent, or what one more or less in the average of each CPU would make: whole numbers may be
    /// rounded on the way.
    fn is_near(&self, told: u64, at: usize, now: u64) -> bool {
        let (load, _) = self.loads(at, now);
        let others = || self.cpus.iter().enumerate().filter(|c| c.0 != at).map(|c| (c.1.told.0, c.1.perhaps));
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
    let mut queued: Vec<(usize, u64)> = Vec::new();
    let mut now = 0;
    for _ in 0..400 {
        now += [0, random.below(300_000), random.below(5 * MS), random.below(60 * MS)][random.below(4) as usize];
        if random.below(2) == 0 || queued.is_empty() {
            let (at, of) = (random.below(cpus as u64) as usize, [15, 335, ONE, 3121, 9548][random.below(5) as usize]);
            queued.push((at, of));
            shares.add(at, of, Ns(now));
            naive.change(at, of as i64, now);
        } else if random.below(2) == 0 {
            let (at, of) = queued.swap_remove(random.below(queued.len() as u64) as usize);
            shares.remove(at, of, Ns(now));
            naive.change(at, -(of as i64), now);
        }
        let at = random.below(cpus as u64) as usize;
        if naive.cpus[at].queued() > 0 {
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
    on.iter().for_each(|&at| shares.add(at, ONE, Ns(0)));
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
    shares.add(2, ONE, Ns(5));
    assert_eq!(shares.of(2, Ns(5)), GROUP);
    assert_eq!(hogs(1, &[0], 1000).of(0, Ns(1000 * MS)), GROUP);
    assert_eq!(hogs(4, &[3], 1000).of(3, Ns(1000 * MS)), GROUP);
    let mut light = Shares::new(GROUP * 7 / 100, 4);
    light.add(0, 15, Ns(0));
    assert_eq!(light.of(0, Ns(MS)), GROUP * 7 / 100);
}

/// After a half-life (32 periods of 1024 times 1024 ns) 512 of 1024 are left where nobody is: 1024 of 1024 + 512 are
/// two thirds for the CPU with the other hog. After another: 1024 of 1024 + 256, four fifths.
#[test]
fn what_has_left_a_cpu_fades_by_half_in_32_periods() {
    let half_life = 32 * 1024 * 1024;
    let mut shares = hogs(2, &[0, 1], 1000);
    shares.remove(0, ONE, Ns(1000 * MS));
    let of = shares.of(1, Ns(1000 * MS + half_life));
    near(of, GROUP as f64 * 2.0 / 3.0, 0.01);
    let of = shares.of(1, Ns(1000 * MS + 2 * half_life));
    near(of, GROUP as f64 * 4.0 / 5.0, 0.01);
}

/// And where it was, it counts as before when it comes back at once: the average then is more than what is queued, or
/// as much.
#[test]
fn a_short_absence_changes_nothing() {
    let mut shares = hogs(2, &[0, 1], 1000);
    let before = shares.of(0, Ns(1000 * MS));
    shares.remove(0, ONE, Ns(1000 * MS));
    shares.add(0, ONE, Ns(1000 * MS + 100_000));
    near(shares.of(0, Ns(1000 * MS + 100_000)), before as f64, 0.005);
    near(shares.of(1, Ns(1000 * MS + 100_000)), before as f64, 0.01);
}

/// One at nice 0 and one at nice 5 (335): 1024 and 335 of 1359.
#[test]
fn loads_are_weights_by_nice_value() {
    let mut shares = Shares::new(3 * GROUP, 2);
    shares.add(0, ONE, Ns(0));
    shares.add(1, 335, Ns(0));
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
    (0..100).for_each(|_| shares.add(0, 9548, Ns(0)));
    for ms in 1..1000 {
        shares.of(0, Ns(ms * MS));
    }
    shares.add(1, 15, Ns(1000 * MS));
    assert_eq!(shares.of(1, Ns(1000 * MS)), 2);
}
