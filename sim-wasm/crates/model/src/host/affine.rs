//! Near which CPU a woken process is looked a place for: the one that wakes it or the one where it ran (`record_wakee`,
//! `wake_wide`, `wake_affine` of `kernel/sched/fair.c`, Linux 6.6).
use super::balance::loads::Known;
use crate::ids::Pid;
use wwi_kernel::arena::Arena;
use wwi_kernel::table::reach;
use wwi_kernel::time::Ns;

/// After so long without being halved, a count of changes is (HZ jiffies).
const HALVED_AFTER: Ns = Ns(1_000_000_000);

/// How often somebody wakes another than the last time (`wakee_flips`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flips {
    count: u32,
    last: Pid,
    halved: Ns,
}

impl Default for Flips {
    fn default() -> Self {
        Flips { count: 0, last: Pid::NONE, halved: Ns::ZERO }
    }
}

impl Flips {
    /// It wakes a process.
    #[inline]
    pub fn note(&mut self, woken: Pid, now: Ns) {
        if now > self.halved.plus(HALVED_AFTER) {
            (self.count, self.halved) = (self.count / 2, now);
        }
        if self.last != woken {
            (self.count, self.last) = (self.count + 1, woken);
        }
    }

    /// Changes, halved each second.
    pub fn count(&self) -> u32 {
        self.count
    }
}

/// Whether those who wake and are woken are too many for one last-level cache of so many CPUs: then who is woken stays
/// where it ran (`wake_wide`).
pub fn is_wide(waker: u32, woken: u32, cpus: u32) -> bool {
    let (most, least) = (waker.max(woken), waker.min(woken));
    least >= cpus && u64::from(most) >= u64::from(least) * u64::from(cpus)
}

/// The two CPUs of a wake-up.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The one that wakes.
    pub here: usize,
    /// The one where the woken process ran.
    pub last: usize,
    /// They share a last-level cache.
    pub shares_cache: bool,
    /// Who wakes is expected to wait soon (`WF_SYNC`).
    pub is_sync: bool,
    /// How much more the last one's load counts, by half of it, percent: `imbalance_pct` of the lowest domain that
    /// has both.
    pub pct: u64,
}

/// What is asked of a host.
pub trait Loaded {
    /// Nobody runs on a CPU or waits for it.
    fn is_idle(&self, cpu: usize) -> bool;
    /// Processes that run on a CPU or wait for it.
    fn runnable(&self, cpu: usize) -> usize;
    /// A CPU's load and capacity.
    fn known(&self, cpu: usize) -> Known;
    /// Load of the process that is woken.
    fn of_woken(&self) -> u64;
    /// Load of the process that runs on the CPU that wakes it; 0: none does.
    fn of_waker(&self) -> u64;
}

impl Pair {
    /// The CPU near which a place is looked for (`wake_affine`).
    pub fn start(&self, host: &impl Loaded) -> usize {
        if self.is_here(host) {
            self.here
        } else {
            self.last
        }
    }

    fn is_here(&self, host: &impl Loaded) -> bool {
        if self.shares_cache && host.is_idle(self.here) {
            return !host.is_idle(self.last);
        }
        if self.is_sync && host.runnable(self.here) == 1 {
            return true;
        }
        !host.is_idle(self.last) && self.is_lighter_here(host)
    }

    /// `wake_affine_weight`: each load with the process in it, by what the CPU can do.
    fn is_lighter_here(&self, host: &impl Loaded) -> bool {
        let (here, last) = (host.known(self.here), host.known(self.last));
        let leaving = if self.is_sync { host.of_waker() } else { 0 };
        let Some(staying) = here.load.checked_sub(leaving) else { return true };
        let woken = host.of_woken() as i64;
        let there = (last.load as i64 - woken) * (100 + (self.pct as i64 - 100) / 2);
        let own = (staying as i64 + woken) * 100;
        own * (last.capacity as i64) < there * here.capacity as i64 + i64::from(self.is_sync)
    }
}

/// CPUs of a last-level cache of `cpus` that a wake-up looks at for an idle one (`update_idle_cpu_scan`, SIS_UTIL):
/// fewer the more of it is used, none from 100 / `pct` on. `used`: utilisation of all of them, 1024ths.
pub fn looks(used: u64, cpus: u64, pct: u64) -> u64 {
    const FULL: u64 = super::balance::groups::CAPACITY;
    let each = used / cpus;
    let less = each * each * pct * pct / (10_000 * FULL);
    FULL.saturating_sub(less) * cpus / FULL
}

/// What a host remembers of wake-ups: of who wakes, of who is woken, and how far a search is worth it.
#[derive(Clone, Debug, Default)]
pub struct Wakings {
    processes: Arena<Woken>,
    /// Of CPUs on which nobody runs (the idle tasks).
    idle: Vec<Flips>,
    /// By last-level cache: CPUs to look at, and until when that holds.
    pub looks: Vec<(u32, Ns)>,
}

#[derive(Clone, Copy, Debug)]
struct Woken {
    flips: Flips,
    /// The CPU before the last one, when both were busy as it was woken (`recent_used_cpu`).
    recent: u16,
}

const NOBODY_YET: Woken = Woken { flips: Flips { count: 0, last: Pid::NONE, halved: Ns::ZERO }, recent: u16::MAX };

impl Wakings {
    fn of(&mut self, pid: Pid) -> &mut Woken {
        reach(&mut self.processes, pid.i(), NOBODY_YET);
        &mut self.processes[pid.i()]
    }

    /// A CPU wakes a process while somebody, or nobody, runs on it. Whether the two have too many to do with for one
    /// cache of `cpus`.
    #[inline]
    pub fn note(&mut self, (cpu, running): (usize, Pid), woken: Pid, cpus: u32, now: Ns) -> bool {
        let own = self.of(woken).flips.count;
        let flips = match running {
            Pid::NONE => {
                if self.idle.len() <= cpu {
                    self.idle.resize(cpu + 1, Flips::default());
                }
                &mut self.idle[cpu]
            }
            pid => &mut self.of(pid).flips,
        };
        flips.note(woken, now);
        is_wide(flips.count, own, cpus)
    }

    /// Where a process was before it was where it ran last, if both were busy then; from now on, `last`.
    pub fn replace_recent(&mut self, pid: Pid, last: usize) -> Option<usize> {
        let before = std::mem::replace(&mut self.of(pid).recent, last as u16);
        (before != u16::MAX).then_some(usize::from(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loads, whether anybody runs, and how many, of two CPUs; the loads of who is woken and who wakes.
    struct Two {
        load: [u64; 2],
        capacity: [u64; 2],
        running: [usize; 2],
        woken: u64,
        waker: u64,
    }

    impl Loaded for Two {
        fn is_idle(&self, cpu: usize) -> bool {
            self.running[cpu] == 0
        }
        fn runnable(&self, cpu: usize) -> usize {
            self.running[cpu]
        }
        fn known(&self, cpu: usize) -> Known {
            Known { load: self.load[cpu], util: 0, runnable: 0, capacity: self.capacity[cpu] }
        }
        fn of_woken(&self) -> u64 {
            self.woken
        }
        fn of_waker(&self) -> u64 {
            self.waker
        }
    }

    fn two(load: [u64; 2], running: [usize; 2]) -> Two {
        Two { load, running, capacity: [1024; 2], woken: 100, waker: 700 }
    }

    const PAIR: Pair = Pair { here: 0, last: 1, shares_cache: true, is_sync: false, pct: 117 };

    /// "To the waker if its load + wakee's < 1.08 × (previous CPU's − wakee's)", where both are busy.
    #[test]
    fn of_two_busy_cpus_the_lighter_one_the_last_one_counting_eight_percent_more() {
        // 1.08 × (1125 − 100) is 1107.
        let start = |here: u64| PAIR.start(&two([here, 1125], [1, 1]));
        assert_eq!((start(1006), start(1007)), (0, 1));
        let smt = Pair { pct: 110, ..PAIR };
        // 1.05 × 1025 is 1076.25.
        let start = |here: u64| smt.start(&two([here, 1125], [1, 1]));
        assert_eq!((start(976), start(977)), (0, 1));
        let mut half = two([1006, 1125], [1, 1]);
        half.capacity[0] = 512;
        assert_eq!(PAIR.start(&half), 1, "real time has half of the waking one");
        half.capacity = [512; 2];
        assert_eq!(PAIR.start(&half), 0);
    }

    #[test]
    fn an_idle_cpu_comes_first_where_it_shares_the_cache() {
        let start = |pair: Pair, running| pair.start(&two([0, 5000], running));
        assert_eq!(start(PAIR, [0, 0]), 1, "both idle");
        assert_eq!(start(PAIR, [0, 2]), 0);
        assert_eq!(start(PAIR, [2, 0]), 1, "the last one is idle, whatever the loads are");
        let far = Pair { shares_cache: false, ..PAIR };
        assert_eq!((start(far, [0, 0]), start(far, [0, 1])), (1, 0), "then by load");
    }

    /// A message: its sender is about to sleep, so that its CPU is as good as idle.
    #[test]
    fn a_message_takes_its_reader_along_to_a_cpu_with_nobody_else() {
        let message = Pair { is_sync: true, ..PAIR };
        assert_eq!(message.start(&two([9000, 0], [1, 0])), 0, "though the last one is idle");
        assert_eq!(PAIR.start(&two([9000, 0], [1, 0])), 1);
        assert_eq!(message.start(&two([9000, 0], [2, 0])), 1, "somebody else waits there");
        // 1700 − 700 + 100 against 1.08 × (1119 − 100) = 1100.52, and against 1.08 × 1018 = 1099.44.
        assert_eq!(message.start(&two([1700, 1119], [2, 1])), 0);
        assert_eq!(message.start(&two([1700, 1118], [2, 1])), 1);
        assert_eq!(message.start(&two([699, 0], [2, 1])), 0, "its load is more than the CPU's");
    }

    #[test]
    fn a_search_looks_at_fewer_cpus_the_more_of_them_is_used() {
        assert_eq!(looks(24 * 512, 24, 117), 15);
        assert_eq!(looks(16 * 768, 16, 117), 3);
        assert_eq!(looks(16 * 876, 16, 117), 0, "0.855 of each");
        assert_eq!((looks(0, 16, 117), looks(16 * 1024, 16, 117)), (16, 0));
    }

    #[test]
    fn changes_of_whom_one_wakes_are_counted_and_halved_each_second() {
        let second = 1_000_000_000;
        let mut wakings = Wakings::default();
        let mut wake = |by: u32, woken: u32, at: u64| wakings.note((3, Pid(by)), Pid(woken), 4, Ns(at));
        (0..20).for_each(|n| assert!(!wake(9, n % 2, 1), "who is woken wakes nobody"));
        (10..13).for_each(|n| _ = wake(0, n, 100));
        assert!(!wake(9, 0, 200), "21 changes, and three: fewer than CPUs");
        wake(0, 13, 201);
        assert!(wake(9, 0, 202), "21 are at least four times four");
        assert!(!wake(9, 0, second + 203), "ten are not");
        let mut flips = Flips::default();
        [1, 2, 2, 3].into_iter().for_each(|pid| flips.note(Pid(pid), Ns::ZERO));
        assert_eq!(flips.count(), 3);
        flips.note(Pid(3), Ns(second));
        assert_eq!(flips.count(), 3, "a second is not more than a second");
        flips.note(Pid(3), Ns(second + 1));
        assert_eq!(flips.count(), 1);
    }

    #[test]
    fn the_cpu_before_the_last_is_remembered_from_search_to_search() {
        let mut wakings = Wakings::default();
        let recents: Vec<_> = [4, 2, 2, 7].into_iter().map(|last| wakings.replace_recent(Pid(1), last)).collect();
        assert_eq!(recents, [None, Some(4), Some(2), Some(2)]);
        assert_eq!(wakings.replace_recent(Pid(0), 1), None);
    }
}
