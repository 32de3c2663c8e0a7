//! Linux: from a wake-up to the first instruction, while the thread is busy and the woken process still waits.
//!
//! Sources, by part: the interrupt and the path to the first instruction are free; exits are those of the kernel's own
//! tables of idle states (`drivers/idle/intel_idle.c`), chosen as the menu governor does, simplified: the deepest state
//! whose residency the usual idle spell reaches (`drivers/cpuidle/governors/menu.c`, `get_typical_interval`: the last
//! eight); the timers' slack is `init_task`'s (`timer_slack_ns`, `hrtimer_nanosleep`).
use crate::config::NodeConfig;
use wwi_kernel::rng::Stream;
use wwi_kernel::time::Ns;

/// Idle spells by which the next is guessed (`menu.c`, INTERVALS).
const SPELLS: usize = 8;
/// A state that takes as long to leave switches the core, not the thread: it is entered when the whole core is idle
/// \[ns\]. Free; of the published tables it tells C6 from C1 and C1E.
const OF_CORE: Ns = Ns(100_000);

/// The last idle spells of a thread \[ns\].
#[derive(Clone, Copy, Debug, Default)]
struct Spells {
    lengths: [u64; SPELLS],
    next: u8,
}

impl Spells {
    fn note(&mut self, length: u64) {
        self.lengths[usize::from(self.next)] = length;
        self.next = (self.next + 1) % SPELLS as u8;
    }

    /// Mean of the two in the middle.
    fn median(&self) -> u64 {
        (self.ranked(SPELLS / 2 - 1) + self.ranked(SPELLS / 2)) / 2
    }

    /// The length that has so many before it, the shortest first.
    fn ranked(&self, before: usize) -> u64 {
        let count = |holds: &dyn Fn(u64) -> bool| self.lengths.iter().filter(|&&length| holds(length)).count();
        let is_it = |&&length: &&u64| count(&|l| l < length) <= before && before < count(&|l| l <= length);
        self.lengths.iter().find(is_it).copied().unwrap_or(0)
    }
}

/// What passes between a wake-up and the first instruction on a host.
#[derive(Clone, Debug)]
pub struct Waking {
    /// It may take time at all.
    pub acts: bool,
    /// Ordinary processes are pre-empted lazily.
    pub is_lazy: bool,
    /// A process that slept by a timer wakes later by this.
    pub slack: Ns,
    interrupt: Ns,
    path: Ns,
    /// States: (time to leave, least spell), ever deeper.
    states: Vec<(Ns, Ns)>,
    spells: Vec<Spells>,
    /// Share of its time in which a running process cannot be pre-empted, and how long that lasts on
    /// average.
    section: Option<(f64, Ns)>,
    chances: Stream,
}

impl Waking {
    /// Of one node.
    pub fn new(node: &NodeConfig, chances: Stream) -> Waking {
        let waking = &node.waking;
        let is_linux = node.scheduler.is_linux();
        let of_linux = |span: Ns| if is_linux { span } else { Ns::ZERO };
        let states = if is_linux { waking.idle_states.clone() } else { Vec::new() };
        let [interrupt, path] = [waking.interrupt, waking.path].map(of_linux);
        Waking {
            acts: interrupt + path > Ns::ZERO || !states.is_empty(),
            is_lazy: node.is_lazy(),
            slack: if node.scheduler.is_fair() { waking.timer_slack } else { Ns::ZERO },
            interrupt,
            path,
            spells: if states.is_empty() { Vec::new() } else { vec![Spells::default(); node.threads()] },
            states,
            section: (is_linux && waking.kernel_share > 0.0).then_some((waking.kernel_share, waking.kernel_section)),
            chances,
        }
    }

    /// Until a thread that idles begins with whom it is given: told from another thread or not, with its whole core
    /// idle or not.
    pub fn delay(&self, thread: usize, is_told: bool, is_core_idle: bool) -> Ns {
        let interrupt = if is_told { self.interrupt } else { Ns::ZERO };
        interrupt + self.path + self.exit(thread, is_core_idle)
    }

    fn exit(&self, thread: usize, is_core_idle: bool) -> Ns {
        let Some(spells) = self.spells.get(thread) else { return Ns::ZERO };
        let usual = spells.median();
        let fits = |&&(exit, residency): &&(Ns, Ns)| residency.0 <= usual && (is_core_idle || exit < OF_CORE);
        self.states.iter().rev().find(fits).map_or(Ns::ZERO, |state| state.0)
    }

    /// An idle spell of a thread is over.
    #[inline]
    pub fn note_spell(&mut self, thread: usize, length: u64) {
        if let Some(spells) = self.spells.get_mut(thread) {
            spells.note(length);
        }
    }

    /// How long the process that is to be pre-empted goes on in a section of the kernel; `None`: it is in none.
    pub fn section(&mut self) -> Option<Ns> {
        let (share, mean) = self.section?;
        (self.chances.uniform() < share).then(|| self.chances.exponential_ns(mean))
    }

    /// Sections hold pre-emption up at all.
    pub fn has_sections(&self) -> bool {
        self.section.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Scheduler, WakingConfig};
    use crate::testing::node;

    fn us(span: f64) -> Ns {
        Ns::from_us(span)
    }

    /// Two threads of one host, with the states of an Ice Lake SP.
    fn waking(scheduler: Scheduler) -> Waking {
        let idle_states = [(1.0, 1.0), (4.0, 4.0), (170.0, 600.0)].map(|(exit, spell)| (us(exit), us(spell))).to_vec();
        let [interrupt, path, timer_slack, kernel_section] = [2.0, 3.0, 50.0, 40.0].map(us);
        let waking = WakingConfig { timer_slack, interrupt, path, idle_states, kernel_share: 0.25, kernel_section };
        Waking::new(&NodeConfig { waking, scheduler, ..node() }, Stream::new(1, 0, "node", 0, "sections"))
    }

    fn spell(waking: &mut Waking, lengths: &[u64]) {
        lengths.iter().for_each(|&length| waking.note_spell(1, length));
    }

    #[test]
    fn the_deepest_state_that_the_usual_spell_reaches_is_left_first() {
        let mut waking = waking(Scheduler::Cfs);
        assert_eq!(waking.delay(1, true, true), us(5.0), "no spell is known: interrupt and path");
        assert_eq!(waking.delay(1, false, true), us(3.0), "its own timer tells it");
        spell(&mut waking, &[700_000; 5]);
        assert_eq!(waking.delay(1, false, true), us(173.0));
        assert_eq!(waking.delay(1, false, false), us(7.0), "C6 is the core's, and a sibling is busy");
        assert_eq!(waking.delay(0, false, true), us(3.0), "of another thread nothing is known");
        spell(&mut waking, &[3_000; 3]);
        assert_eq!(waking.delay(1, false, true), us(173.0), "five of eight were long");
        spell(&mut waking, &[3_000]);
        assert_eq!(waking.delay(1, false, true), us(7.0), "four and four: the middle is 351.5 µs, short of 600");
        spell(&mut waking, &[3_000]);
        assert_eq!(waking.delay(1, false, true), us(4.0), "C1E pays from 4 µs on");
    }

    #[test]
    fn only_linux_is_known_to_take_that_time() {
        for scheduler in [Scheduler::Aix, Scheduler::Solaris, Scheduler::RoundRobin, Scheduler::Fifo] {
            let mut waking = waking(scheduler);
            assert!(!waking.acts && waking.slack == Ns::ZERO && waking.section().is_none(), "{scheduler:?}");
        }
        // Slack came with high-resolution timers, after O(1).
        assert!(waking(Scheduler::O1).acts && waking(Scheduler::O1).slack == Ns::ZERO);
        assert_eq!(waking(Scheduler::Eevdf).slack, us(50.0));
    }

    #[test]
    fn so_many_are_in_a_section_and_so_long() {
        let mut waking = waking(Scheduler::Cfs);
        let drawn: Vec<Ns> = (0..40_000).filter_map(|_| waking.section()).collect();
        let mean = drawn.iter().map(|span| span.0 as f64).sum::<f64>() / drawn.len() as f64;
        assert!(
            (9700..10_300).contains(&drawn.len()) && (39_000.0..41_000.0).contains(&mean),
            "{} {mean}",
            drawn.len()
        );
    }
}
