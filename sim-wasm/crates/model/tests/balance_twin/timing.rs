//! When CPUs balance: intervals, the cost test of newly idle CPUs, and the kick of idle CPUs without a tick (`fair.c`).
//! Times are in ticks (`jiffies`) unless they say otherwise.
use super::{Cpu, Idle, MIGRATION_COST_NS};

/// `msecs_to_jiffies`, rounded up.
pub fn msecs_to_jiffies(ms: u64, hz: u64) -> u64 {
    (ms * hz).div_ceil(1000)
}

/// `update_max_interval`: a tenth of a second for every CPU on line.
pub fn max_load_balance_interval(cpus: u64, hz: u64) -> u64 {
    hz * cpus / 10
}

/// `get_sd_balance_interval`: a busy CPU waits `busy_factor` (16) times as long, less one tick.
pub fn get_sd_balance_interval(interval_ms: u64, busy: bool, hz: u64, cpus: u64) -> u64 {
    let mut ms = interval_ms;
    if busy {
        ms *= 16;
    }
    let mut ticks = msecs_to_jiffies(ms, hz);
    if busy {
        ticks = ticks.saturating_sub(1);
    }
    ticks.clamp(1, max_load_balance_interval(cpus, hz).max(1))
}

/// The clocks of one domain of one CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    pub interval_ms: u64,
    pub last_balance: u64,
    pub max_newidle_lb_cost: u64,
    pub last_decay: u64,
    /// `SD_SERIALIZE`: NUMA domains balance one at a time in the whole host.
    pub serialize: bool,
    /// `SD_BALANCE_NEWIDLE`.
    pub newidle: bool,
}

/// `update_newidle_cost`: the largest cost so far, less 3/256 once more than a second has passed; true if it decayed.
pub fn update_newidle_cost(sd: &mut Clock, cost: u64, now: u64, hz: u64) -> bool {
    if cost > sd.max_newidle_lb_cost {
        sd.max_newidle_lb_cost = cost;
        sd.last_decay = now;
    } else if now > sd.last_decay + hz {
        sd.max_newidle_lb_cost = sd.max_newidle_lb_cost * 253 / 256;
        sd.last_decay = now;
        return true;
    }
    false
}

/// What the balancing of a run queue keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Queue {
    pub avg_idle_ns: u64,
    pub max_idle_balance_cost: u64,
    pub next_balance: u64,
}

/// As `sched_init` leaves it: idle for 1 ms at a time.
pub fn sched_init() -> Queue {
    Queue { avg_idle_ns: 2 * MIGRATION_COST_NS, max_idle_balance_cost: MIGRATION_COST_NS, next_balance: 0 }
}

/// `ttwu_do_activate`: on the wake-up that ends idleness the average goes an eighth of the way, and no higher than
/// twice the dearest balance. (No update if the idleness ended by pulling a task: `idle_stamp` is 0 then.)
pub fn update_avg_idle(rq: &mut Queue, idle_ns: u64) {
    let diff = idle_ns as i64 - rq.avg_idle_ns as i64;
    rq.avg_idle_ns = (rq.avg_idle_ns as i64 + diff / 8) as u64;
    rq.avg_idle_ns = rq.avg_idle_ns.min(2 * rq.max_idle_balance_cost);
}

/// `rebalance_domains`. `balance` does one domain: whether tasks moved, whether to carry on above, and the interval
/// now. `idle_now` is asked after a move. Left out: the lock of serialised domains taken by another CPU.
pub fn rebalance_domains(
    rq: &mut Queue,
    sds: &mut [Clock],
    idle: Idle,
    (now, hz, cpus): (u64, u64, u64),
    mut balance: impl FnMut(usize, Idle) -> (bool, bool, u64),
    mut idle_now: impl FnMut() -> bool,
) {
    let (mut idle, mut carry_on, mut decayed) = (idle, true, false);
    let mut next = now + 60 * hz;
    let (mut update, mut max_cost) = (false, 0);
    for (i, sd) in sds.iter_mut().enumerate() {
        decayed = update_newidle_cost(sd, 0, now, hz);
        max_cost += sd.max_newidle_lb_cost;
        if !carry_on {
            if decayed {
                continue;
            }
            break;
        }
        let mut busy = idle != Idle::Idle;
        let mut interval = get_sd_balance_interval(sd.interval_ms, busy, hz, cpus);
        if now >= sd.last_balance + interval {
            let (moved, on, interval_ms) = balance(i, idle);
            (carry_on, sd.interval_ms) = (on, interval_ms);
            if moved {
                idle = if idle_now() { Idle::Idle } else { Idle::NotIdle };
                busy = idle != Idle::Idle;
            }
            sd.last_balance = now;
            interval = get_sd_balance_interval(sd.interval_ms, busy, hz, cpus);
        }
        if next > sd.last_balance + interval {
            next = sd.last_balance + interval;
            update = true;
        }
    }
    // Only what the last domain looked at says decides.
    if decayed {
        rq.max_idle_balance_cost = MIGRATION_COST_NS.max(max_cost);
    }
    if update {
        rq.next_balance = next;
    }
}

/// `newidle_balance`: from the lowest domain up while the expected idleness is longer than the cost so far and that of
/// the next domain. `pull` does one domain: whether tasks came, and what it took. `overload`: `rd->overload`. The time
/// of bringing this CPU's own averages up to date counts in the first domain's cost. Left out: wake-ups meanwhile,
/// real-time tasks.
pub fn newidle_balance(
    rq: &mut Queue,
    sds: &mut [Clock],
    overload: bool,
    (now, hz, cpus): (u64, u64, u64),
    mut pull: impl FnMut(usize) -> (bool, u64),
) -> bool {
    let mut next = now + hz;
    let due = |sd: &Clock| sd.last_balance + get_sd_balance_interval(sd.interval_ms, false, hz, cpus);
    let (mut pulled, mut curr_cost) = (false, 0);
    if let Some(first) = sds.first() {
        if !overload || rq.avg_idle_ns < first.max_newidle_lb_cost {
            next = next.min(due(first));
        } else {
            for (i, sd) in sds.iter_mut().enumerate() {
                next = next.min(due(sd));
                if rq.avg_idle_ns < curr_cost + sd.max_newidle_lb_cost {
                    break;
                }
                if sd.newidle {
                    let (came, cost) = pull(i);
                    update_newidle_cost(sd, cost, now, hz);
                    curr_cost += cost;
                    pulled = came;
                }
                if pulled {
                    break;
                }
            }
            rq.max_idle_balance_cost = rq.max_idle_balance_cost.max(curr_cost);
        }
    }
    rq.next_balance = rq.next_balance.min(next);
    pulled
}

/// `nohz`: what all CPUs keep together about idle ones without a tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nohz {
    pub idle_cpus: Vec<bool>,
    pub next_balance: u64,
    pub next_blocked: u64,
    pub has_blocked: bool,
    pub needs_update: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kick {
    pub balance: bool,
    pub stats: bool,
    pub next: bool,
}

/// `nohz_balancer_kick`, at every tick of a busy CPU. `pct` is that of its lowest domain; `llc_busy`: CPUs of its cache
/// whose tick runs (`nr_busy_cpus`; a CPU gone idle counts until its tick stops, one gone busy from its first tick).
/// Left out: packing, unequal CPUs.
pub fn nohz_balancer_kick(nohz: &Nohz, cpu: &Cpu, pct: Option<u32>, llc_busy: Option<u32>, now: u64) -> Kick {
    let mut kick = Kick::default();
    if cpu.is_idle || !nohz.idle_cpus.iter().any(|&i| i) {
        return kick;
    }
    kick.stats = nohz.has_blocked && now > nohz.next_blocked;
    if now >= nohz.next_balance {
        let reduced = cpu.h_nr_queued() >= 1 && pct.is_some_and(|p| cpu.check_cpu_capacity(p));
        if cpu.nr_running() >= 2 || reduced || llc_busy.is_some_and(|n| n > 1) {
            (kick.stats, kick.balance) = (true, true);
        }
    }
    kick.next = nohz.needs_update;
    kick
}

/// `find_new_ilb`: the first idle CPU in CPU order among those without a tick, but for the kicker.
pub fn find_new_ilb(nohz: &Nohz, cpus: &[Cpu], kicker: usize) -> Option<usize> {
    (0..cpus.len()).find(|&c| nohz.idle_cpus[c] && c != kicker && cpus[c].is_idle)
}

/// `kick_ilb`: who is sent for. `next_balance` moves on by a tick even if nobody is found.
pub fn kick_ilb(nohz: &mut Nohz, kick: Kick, cpus: &[Cpu], kicker: usize, now: u64) -> Option<usize> {
    if kick.balance {
        nohz.next_balance = now + 1;
    }
    if kick == Kick::default() {
        return None;
    }
    find_new_ilb(nohz, cpus, kicker)
}

/// `_nohz_idle_balance`: the CPUs in whose place the kicked one balances, in this order: from the next one round,
/// itself last; only those still idle, and those due (`rq->next_balance`). It stops when it has to run a task itself.
/// Before each, that CPU's averages are brought up to date.
pub fn nohz_idle_balance_order(
    nohz: &Nohz,
    cpus: &[Cpu],
    this_cpu: usize,
    next_balance: &[u64],
    now: u64,
) -> Vec<usize> {
    let n = cpus.len();
    (1..=n)
        .map(|i| (this_cpu + i) % n)
        .filter(|&c| nohz.idle_cpus[c] && cpus[c].is_idle && now >= next_balance[c])
        .collect()
}

/// The end of `_nohz_idle_balance`: `nohz.next_balance` becomes the earliest of the idle CPUs' own, as they are then.
pub fn nohz_next_balance(nohz: &Nohz, cpus: &[Cpu], next_balance: &[u64], now: u64, hz: u64) -> u64 {
    let own = (0..cpus.len()).filter(|&c| nohz.idle_cpus[c] && cpus[c].is_idle).map(|c| next_balance[c]);
    let earliest = own.min().unwrap_or(u64::MAX);
    // Nothing is written if none is earlier than a minute from now.
    if earliest < now + 60 * hz {
        earliest
    } else {
        nohz.next_balance
    }
}
