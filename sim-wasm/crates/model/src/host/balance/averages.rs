//! Averages of time in which the past counts less and less (PELT, `kernel/sched/pelt.c`), and those of a process.
use super::estimates::Estimate;
use super::groups::CAPACITY;
use wwi_kernel::decay::Fading;
use wwi_kernel::time::Ns;

/// Log of the half-life \[ns\]: 32 periods of 1024 times 1024 ns, which the kernel calls a microsecond.
pub(super) const HALF_LIFE_LOG: u32 = 25;
/// How much of the past counts.
pub(super) type Table = Fading<HALF_LIFE_LOG>;
/// What always runs.
pub(super) const FULL: f64 = CAPACITY as f64;

/// What fades.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Averages {
    /// Weight × share of time queued: running, waiting, or asleep until a debt is worked off.
    pub load: f64,
    /// Share of time running.
    pub util: f64,
    /// Share of time running or waiting; of a CPU that of its processes added up.
    pub runnable: f64,
}

impl Averages {
    /// After a time of which `kept` says how much of the past still counts, while it tended to `target`.
    pub fn fade(&mut self, kept: f64, target: Averages) {
        self.load = faded(self.load, kept, target.load);
        self.util = faded(self.util, kept, target.util);
        self.runnable = faded(self.runnable, kept, target.runnable);
    }
}

#[inline]
pub(super) fn faded(before: f64, kept: f64, target: f64) -> f64 {
    target + (before - target) * kept
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Process {
    pub averages: Averages,
    pub estimate: Estimate,
    pub updated: Ns,
    /// CPU time it had used then.
    pub used: u64,
    /// By its nice value.
    pub weight: u64,
    /// CPU that counts it; none: it never ran.
    pub home: u16,
    /// Its control group.
    pub group: u16,
    /// Runs, waits, or is queued although it sleeps.
    pub is_queued: bool,
    /// It sleeps, queued until its debt is worked off: that counts as load, and as nothing else (`se_runnable`).
    pub is_delayed: bool,
}

/// Nobody counts it.
pub(super) const NOWHERE: u16 = u16::MAX;
/// In no control group.
pub(super) const ROOT: u16 = u16::MAX;

pub(super) const NEW: Process = Process {
    averages: Averages { load: 0.0, util: 0.0, runnable: 0.0 },
    estimate: Estimate::UNKNOWN,
    updated: Ns::ZERO,
    used: 0,
    weight: 0,
    home: NOWHERE,
    group: ROOT,
    is_queued: false,
    is_delayed: false,
};

impl Process {
    pub fn update(&mut self, now: Ns, used: u64, table: &Table) {
        let span = now.0 - self.updated.0;
        if span > 0 {
            let share =
                if self.is_queued { float(used.saturating_sub(self.used).min(span)) / float(span) } else { 0.0 };
            let queued = f64::from(u8::from(self.is_queued));
            let runnable = f64::from(u8::from(self.is_queued && !self.is_delayed));
            let target = Averages { load: queued * float(self.weight), util: FULL * share, runnable: FULL * runnable };
            self.averages.fade(table.kept(span), target);
            self.updated = now;
        }
        self.used = used;
    }
}

/// A whole number below 2⁶³: signed ones are converted in one step everywhere.
#[inline]
pub(super) fn float(number: u64) -> f64 {
    number as i64 as f64
}
