//! Where a woken process goes (`try_to_wake_up`, `wake_idle` of `kernel/sched.c`, Linux 2.6.18).
use super::levels::Levels;
use super::loads::SCALE;
use super::Cpu;

/// The two CPUs of a wake-up.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// The one that wakes, and its number.
    pub here: (usize, Cpu),
    /// The one where the woken process ran.
    pub last: (usize, Cpu),
    /// What the woken process weighs.
    pub woken: u64,
}

impl Pair {
    /// The CPU before an idle thread of its core is looked for.
    pub fn start(&self, levels: &Levels) -> usize {
        let (here, last) = (self.here.0, self.last.0);
        let level = levels.common(here, last).map(|level| &levels.all[level]);
        match level.filter(|_| here != last) {
            Some(level) if self.is_here(level) => here,
            _ => last,
        }
    }

    fn is_here(&self, level: &super::levels::Level) -> bool {
        let (rules, here, last) = (level.rules, &self.here.1, &self.last.1);
        let by = rules.by[3];
        let imbalance = 100 + (level.domain.pct - 100) / 2;
        let (load, own) = (last.load.low(by), here.load.high(by));
        let each = if here.running == 0 { SCALE } else { here.load.raw() / u64::from(here.running) };
        let is_light = own <= load && own + last.load.high(by) <= each;
        let is_affine = is_light || 100 * (own + self.woken) <= imbalance * load;
        rules.wakes_affine && is_affine || rules.wakes_balance && imbalance * own <= 100 * load
    }
}

/// An idle thread of the core of a CPU that does not idle itself, the first of those allowed. No other core is looked
/// at: only the domain of a core has SD_WAKE_IDLE.
pub fn wake_idle(
    cpu: usize,
    levels: &Levels,
    is_idle: impl Fn(usize) -> bool,
    allowed: impl Fn(usize) -> bool,
) -> usize {
    let core = levels.all.first().filter(|level| level.is_core()).map(|level| level.domain.span(cpu));
    let Some(mut core) = core.filter(|_| !is_idle(cpu)) else { return cpu };
    core.find(|&thread| allowed(thread) && is_idle(thread)).unwrap_or(cpu)
}
