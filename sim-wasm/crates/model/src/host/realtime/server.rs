//! The deadline server of ordinary processes on one CPU, as Linux has it from 6.12 on (`fair_server`): where real time
//! leaves them nothing, they get `runtime` of every `period` before it.
//!
//! It is deferred. While ordinary processes are there it waits until no more is left to its deadline than it may run
//! (zero laxity); what they ran meanwhile without it, and what the CPU idled, counts, and puts that off. Once it was
//! needed it goes first at once, for as long as its time lasts, until its deadline has passed without anybody there.
//!
//! Source: Linux `kernel/sched/deadline.c` of 6.12 and 6.18 as their stable branches have it since June 2026 (“Fix
//! dl_server behaviour”, “Fix 'stuck' dl_server”, “Use revised wakeup rule for dl_server”). 7.0 books idle
//! time otherwise.
use wwi_kernel::time::Ns;

/// What is less than this is not waited for \[ns\] (`dl_server_min_res`).
const LEAST: i64 = 1_000_000;

/// Of one CPU; all times in ns.
#[derive(Clone, Debug)]
pub struct Server {
    full: i64,
    period: i64,
    /// What is left; below zero where a tick came late \[ns\].
    left: i64,
    deadline: i64,
    /// [`i64::MAX`]: none.
    timer: i64,
    is_active: bool,
    /// It may not go first (`dl_throttled`).
    waits: bool,
    /// It waits for zero laxity (`dl_defer_armed`).
    is_armed: bool,
    /// It was needed, and is deferred no longer (`dl_defer_running`).
    was_needed: bool,
}

impl Server {
    /// With `runtime` in every `period` \[ns\]; never started.
    pub fn new(runtime: Ns, period: Ns) -> Server {
        Server {
            full: runtime.0 as i64,
            period: period.0 as i64,
            left: 0,
            deadline: -1,
            timer: i64::MAX,
            is_active: false,
            waits: false,
            is_armed: false,
            was_needed: false,
        }
    }

    /// Whether ordinary processes go before real time.
    pub fn is_queued(&self) -> bool {
        self.is_active && !self.waits
    }

    /// When [`Server::fire`] is due; [`Ns::MAX`]: nothing is.
    pub fn due(&self) -> Ns {
        if self.timer == i64::MAX {
            return Ns::MAX;
        }
        Ns(self.timer.max(0) as u64)
    }

    /// The time it has left \[ns\].
    pub fn left(&self) -> i64 {
        self.left
    }

    /// An ordinary process came where there was none (`dl_server_start`).
    #[inline(never)]
    pub fn start(&mut self, now: Ns) {
        if self.is_active {
            return;
        }
        self.is_active = true;
        let now = now.0 as i64;
        self.is_woken(now);
        self.queue(now);
    }

    /// By the rule for who wakes (`update_dl_entity`).
    fn is_woken(&mut self, now: i64) {
        if self.deadline < now {
            self.was_needed = false;
            self.begin(now);
        } else if self.asks_too_much(now) {
            let rest = (self.deadline - now) as u64;
            self.left = (u128::from(rest) * self.full as u128 / self.period as u128) as i64;
        } else if !self.was_needed {
            self.is_armed = true;
            self.waits = true;
        }
    }

    /// More is left than its share of the time to its deadline (`dl_entity_overflow`).
    fn asks_too_much(&self, now: i64) -> bool {
        let products = |a: i64, b: i64| i128::from(a) * i128::from(b);
        products(self.deadline - now, self.full) < products(self.period, self.left)
    }

    /// A new period (`replenish_dl_new_period`).
    #[inline(never)]
    fn begin(&mut self, now: i64) {
        self.deadline = now + self.period;
        self.left = self.full;
        if !self.was_needed {
            self.waits = true;
            self.is_armed = true;
        }
    }

    /// Waits for its timer or goes first (the end of `enqueue_dl_entity`).
    fn queue(&mut self, now: i64) {
        if self.waits && self.set_timer(now) {
            return;
        }
        if self.waits {
            self.timer = i64::MAX;
            self.is_armed = false;
            self.waits = false;
        }
    }

    /// Whether there is something to wait for (`start_dl_timer`).
    #[inline(never)]
    fn set_timer(&mut self, now: i64) -> bool {
        let at = if self.is_armed { self.deadline - self.left } else { self.deadline };
        if at < now {
            return false;
        }
        if self.timer == i64::MAX {
            self.timer = at;
        }
        true
    }

    /// Ordinary processes ran for a while that ends now (`update_curr_dl_se`).
    #[inline(never)]
    pub fn charge(&mut self, ran: Ns, now: Ns) {
        let now = now.0 as i64;
        if !self.is_active || ran == Ns::ZERO {
            return;
        }
        self.left -= ran.0 as i64;
        if self.left > 0 {
            return;
        }
        if self.waits {
            // They had their share without it.
            self.was_needed = false;
            self.timer = i64::MAX;
            self.begin(now);
            self.set_timer(now);
            return;
        }
        self.waits = true;
        if !self.set_timer(now) {
            self.begin(now);
            self.set_timer(now);
        }
    }

    /// The CPU idled for a while that ends now (`dl_server_update_idle_time`).
    pub fn idled(&mut self, span: Ns) {
        if self.left < 0 {
            return;
        }
        self.left -= span.0 as i64;
        if self.left < 0 {
            self.left = 0;
            self.was_needed = false;
        }
    }

    /// Its timer is due (`dl_server_timer`). What ran since the last tick is not charged yet.
    #[inline(never)]
    pub fn fire(&mut self, now: Ns) {
        let now = now.0 as i64;
        self.timer = i64::MAX;
        if !self.waits {
            return;
        }
        if self.is_armed {
            if now < self.deadline - self.left - LEAST {
                self.timer = self.deadline - self.left;
                return;
            }
            self.was_needed = true;
        }
        self.replenish(now);
        self.queue(now);
    }

    /// (`replenish_dl_entity`)
    fn replenish(&mut self, now: i64) {
        if self.is_armed && self.asks_too_much(now) {
            self.deadline = now + self.period;
            self.left = self.full;
        }
        while self.left <= 0 {
            self.deadline += self.period;
            self.left += self.full;
        }
        if self.deadline < now {
            self.begin(now);
        }
        self.waits = false;
        if self.is_armed {
            self.is_armed = false;
            return;
        }
        if !self.was_needed && now < self.deadline - self.left {
            self.is_armed = true;
            self.waits = true;
            if !self.set_timer(now) {
                self.timer = i64::MAX;
                self.is_armed = false;
                self.waits = false;
            }
        }
    }

    /// It goes first, and nobody is there (`dl_server_stop`).
    pub fn stop(&mut self) {
        self.timer = i64::MAX;
        self.is_armed = false;
        self.waits = false;
        self.is_active = false;
    }
}
