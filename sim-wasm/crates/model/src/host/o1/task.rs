//! A process under O(1): its bonus, by which it is interactive or not, and its turns (`recalc_task_prio`,
//! `effective_prio`, `TASK_INTERACTIVE`, `TIMESLICE_GRANULARITY`).
use wwi_kernel::time::Ns;

/// Priority of nice 0; 100 to 139 are nice -20 to 19 (`NICE_TO_PRIO`).
pub(super) const PRIO_NICE_0: i32 = 120;
/// The best and the worst ordinary priority (`MAX_RT_PRIO`, `MAX_PRIO` - 1).
pub(super) const PRIOS: (i32, i32) = (100, 139);
/// Steps of the bonus: a quarter of the 40 nice values (`MAX_BONUS`).
pub(super) const MOST_BONUS: i64 = 10;
/// Slice at nice 0 \[ms\] (`DEF_TIMESLICE`). `sleep_avg` is at most ten of them (`MAX_SLEEP_AVG`).
pub(super) const SLICE_MS: u64 = 100;
/// The shortest slice \[ms\] (`MIN_TIMESLICE`).
pub(super) const SHORTEST_MS: u64 = 5;
/// The shortest turn among equals who are interactive \[ms\] (`GRANULARITY`).
pub(super) const GRANULARITY_MS: u64 = 10;
/// Steps above the nice value at which a process of nice 0 counts as interactive (`INTERACTIVE_DELTA`).
const INTERACTIVE_STEPS: i64 = 2;
/// Share of the first wait in the run queue that counts as sleep, 128ths: 30 % (`ON_RUNQUEUE_WEIGHT`).
const WAIT_CREDIT_128: u64 = 30 * 128 / 100;

/// How a process slept, which says what it is credited with (`sleep_type`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sleep {
    /// Another process woke it.
    Posted,
    /// An interrupt did: a timer, a device, the network.
    Interrupted,
    /// It could not be interrupted (`TASK_UNINTERRUPTIBLE`).
    Deaf,
}

impl Sleep {
    /// How much of its first wait in the run queue counts as sleep, 128ths.
    pub(super) fn credit(self) -> u64 {
        match self {
            Sleep::Posted => WAIT_CREDIT_128,
            Sleep::Interrupted => 128,
            Sleep::Deaf => 0,
        }
    }
}

/// What one process brings along; times in ticks where not said otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// Priority of its nice value, and the one in force.
    pub(super) fixed: i32,
    pub(super) prio: i32,
    /// What sleep brought, less what running cost \[ns\].
    pub(super) sleep_avg: u64,
    /// What it weighs in balancing.
    pub(super) weight: u64,
    /// Whole slice, and what is left of it.
    pub(super) slice: u64,
    pub(super) left: u64,
    /// When it left a thread, was put on one or woke up; [`Ns::MAX`] before its first wake-up.
    pub(super) stamp: Ns,
    /// When it last left a thread; [`Ns::MAX`] before it ever ran.
    pub(super) last_ran: Ns,
    /// How much of the wait in the run queue will count as sleep, 128ths.
    pub(super) credit: u64,
    /// Whether a move takes it from expired array to expired array.
    pub(super) expired: bool,
}

impl Task {
    /// The present bonus; `step`: of `sleep_avg` \[ns\].
    #[inline]
    pub(super) fn bonus(&self, step: u64) -> i64 {
        // Hogs have none; a division for each of their turns would be felt.
        (if self.sleep_avg < step { 0 } else { self.sleep_avg / step }) as i64
    }

    /// By how many steps a process must be above its nice value to count as interactive (`DELTA`).
    pub(super) fn steps(&self) -> i64 {
        i64::from(self.fixed - PRIOS.0) * MOST_BONUS / 40 - MOST_BONUS / 2 + INTERACTIVE_STEPS
    }

    /// The priority that its bonus gives it.
    #[inline]
    pub(super) fn effective(&self, step: u64) -> i32 {
        (self.fixed - (self.bonus(step) - MOST_BONUS / 2) as i32).clamp(PRIOS.0, PRIOS.1)
    }

    /// Where deaf sleep, and one long one, lifts to: the least `sleep_avg` of an interactive one (`INTERACTIVE_SLEEP`).
    #[inline]
    pub(super) fn ceiling(&self, (step, tick): (u64, Ns)) -> u64 {
        let high = (MOST_BONUS / 2 + self.steps() + 1) as u64;
        (step * high).saturating_sub(tick.0)
    }

    /// Credits sleep. One long sleep lifts a process no higher than the least `sleep_avg` of an interactive one, and
    /// any number of deaf ones do not.
    #[inline]
    pub(super) fn rested(&mut self, slept: u64, sleep: Sleep, (step, tick): (u64, Ns)) {
        if slept > 0 {
            let ceiling = self.ceiling((step, tick));
            if slept > ceiling && self.sleep_avg < ceiling {
                self.sleep_avg = ceiling;
                self.credit = 0;
            } else if sleep == Sleep::Deaf {
                self.sleep_avg += slept.min(ceiling.saturating_sub(self.sleep_avg));
            } else {
                self.sleep_avg += slept;
            }
            self.sleep_avg = self.sleep_avg.min(step * MOST_BONUS as u64);
        }
        self.prio = self.effective(step);
    }

    pub(super) fn is_interactive(&self) -> bool {
        i64::from(self.prio) <= i64::from(self.fixed) - self.steps()
    }

    /// Charges a stay that ends at a moment: CPU time over the bonus.
    #[inline]
    pub(super) fn tire(&mut self, now: Ns, step: u64) {
        if self.sleep_avg > 0 {
            let ran = now.minus(self.stamp).0.min(step * MOST_BONUS as u64);
            self.sleep_avg = self.sleep_avg.saturating_sub(ran / self.bonus(step).max(1) as u64);
        }
        self.stamp = now;
    }

    /// How long an interactive process runs before it lets its equals run \[ticks\] (`TIMESLICE_GRANULARITY`).
    pub(super) fn turn_ticks(&self, step: u64, granularity: u64) -> u64 {
        let short_of = (MOST_BONUS - self.bonus(step)).max(1) - 1;
        granularity << short_of
    }

    /// The ticks from now to the next place in the slice at which equals take turns, if there is one.
    pub(super) fn next_turn(&self, step: u64, granularity: u64) -> Option<u64> {
        if !self.is_interactive() {
            return None;
        }
        let (used, turn) = (self.slice - self.left, self.turn_ticks(step, granularity));
        let next = (used / turn + 1) * turn;
        (next + turn <= self.slice).then(|| next - used)
    }

    /// Whether a slice stands at a place at which equals take turns.
    pub(super) fn gives_turn(&self, step: u64, granularity: u64) -> bool {
        if !self.is_interactive() {
            return false;
        }
        let (used, turn) = (self.slice - self.left, self.turn_ticks(step, granularity));
        used > 0 && used / turn * turn == used && self.left >= turn
    }
}
